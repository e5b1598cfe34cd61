"""Types that the language has not: integers with a sign, or none, and tf32, as those with as many bits.

Their only arithmetic is in products, which are told which types their factors had.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from ....mlir.text import Function, Memref, Opaque, Operation, Region, Scalar, Vector
from ....mlir.text.types import Type

FACTORS = "types of factors"
"""The attribute of a product that has the names of its factors' elements; no text has one of this name."""


def _plain(type_: Any) -> Any:
    if isinstance(type_, Scalar):
        name = "f32" if type_.name == "tf32" else f"i{type_.name[2:]}" if type_.name[:2] in ("si", "ui") else type_.name
        return Scalar(name) if name != type_.name else type_
    if isinstance(type_, (Memref, Vector)) or (isinstance(type_, Opaque) and type_.element is not None):
        element = _plain(type_.element)
        return type_ if element == type_.element else replace(type_, element=element)
    if isinstance(type_, Function):
        return Function(tuple(map(_plain, type_.inputs)), tuple(map(_plain, type_.results)))
    return type_


def with_plain_types(op: Operation) -> Operation:
    """The same operation and regions, on types that the language has."""
    attributes: dict[str, Any] = {name: _plain(value) for name, value in op.attributes.items()}
    if op.name == "xegpu.dpas":
        attributes[FACTORS] = tuple(_element(type_) for type_ in op.operand_types[:2])
    regions = [
        Region(
            [
                replace(
                    block,
                    arguments=[(name, _plain(type_)) for name, type_ in block.arguments],
                    operations=[with_plain_types(each) for each in block.operations],
                )
                for block in region.blocks
            ]
        )
        for region in op.regions
    ]
    return replace(
        op,
        attributes=attributes,
        operand_types=[_plain(each) for each in op.operand_types],
        result_types=[_plain(each) for each in op.result_types],
        regions=regions,
    )


def _element(type_: Type) -> str:
    return str(type_.element) if isinstance(type_, Vector) else ""
