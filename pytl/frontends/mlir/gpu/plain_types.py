"""Types that the language has not: integers with a sign, or none, and tf32, as those with as many bits.

Their only arithmetic is in products, which are told which types their factors had.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from ....mlir.text import Block, Operation, Region, Scalar, Vector
from ....mlir.text.types import Type
from ..types import with_elements

FACTORS = "types of factors"
"""The attribute of a product that has the names of its factors' elements; no text has one of this name."""


def _plain(type_: Any) -> Any:
    return with_elements(type_, _plain_number)


def _plain_number(type_: Any) -> Any:
    if not isinstance(type_, Scalar):
        return type_
    name = "f32" if type_.name == "tf32" else f"i{type_.name[2:]}" if type_.name[:2] in ("si", "ui") else type_.name
    return Scalar(name) if name != type_.name else type_


def with_plain_types(op: Operation) -> Operation:
    """The same operation and regions, on types that the language has."""
    attributes: dict[str, Any] = {name: _plain(value) for name, value in op.attributes.items()}
    if op.name == "xegpu.dpas":
        attributes[FACTORS] = tuple(_element(type_) for type_ in op.operand_types[:2])
    regions = [Region([_block(block) for block in region.blocks]) for region in op.regions]
    types, given = list(map(_plain, op.operand_types)), list(map(_plain, op.result_types))
    return replace(op, attributes=attributes, operand_types=types, result_types=given, regions=regions)


def _block(block: Block) -> Block:
    arguments = [(name, _plain(type_)) for name, type_ in block.arguments]
    return replace(block, arguments=arguments, operations=list(map(with_plain_types, block.operations)))


def _element(type_: Type) -> str:
    return str(type_.element) if isinstance(type_, Vector) else ""
