"""Functions that a kernel calls, in generated source: what is passed for each parameter, and what comes back."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from ....ir.types import DYNAMIC, BoolType, Extent, GroupType, MemrefType, ScalarType, Type, item_type
from ....ir.values import Function, Value
from ....ops import Call
from ....ops.memory import STACK_SIZE
from ..element_names import device_name
from .names import Names
from .writer import GroupCode, Known, MemrefCode, Writer, sum_of

if TYPE_CHECKING:
    from ..vector import VectorKernel

STACK = "stack"
"""The name of local memory in generated source."""
_OF_ITEM = "[{}]"
"""Behind what holds a number for each item of a group."""


class Called:
    """The functions that a kernel calls, by their names in generated source, each after those that it calls."""

    def __init__(self, kernel: Function, entry: str) -> None:
        names = Names()
        names.fresh(entry)
        self.kernel = kernel
        self.kernels: dict[str, VectorKernel] = {}
        """Vector code of all functions, by its name in the source."""
        self.names = {function: names.fresh(function.name) for function in kernel.callees_first()}

    @property
    def results(self) -> dict[str, Sequence[str]]:
        """The element types of what each gives."""
        return {name: list(map(_element, function.results or ())) for function, name in self.names.items()}


def _element(type_: Type) -> str:
    assert isinstance(type_, (BoolType, ScalarType))
    return "bool" if isinstance(type_, BoolType) else device_name(type_)


def parameters(writer: Writer, function: Function) -> list[str]:
    """The names of the parameters in the source of a function, to which its values are bound."""
    names: list[str] = []

    def new(hint: str) -> str:
        names.append(writer.names.fresh(hint))
        return names[-1]

    if function.attributes.get(STACK_SIZE):
        names.append(STACK)

    def extent(number: Extent, hint: str, behind: str = "") -> str:
        return Known(number) if isinstance(number, int) else f"{new(hint)}{behind}"

    for position, value in enumerate(function.parameters):
        hint, type_ = value.name or f"p{position}", value.type
        memref = item_type(type_)
        if not isinstance(memref, MemrefType):
            writer.bind(value, new(hint))
            continue
        behind = _OF_ITEM if isinstance(type_, GroupType) else ""
        pointer = new(hint)
        shape = tuple(extent(size, f"{hint}_size{mode}", behind) for mode, size in enumerate(memref.shape))
        strides = tuple(extent(size, f"{hint}_stride{mode}", behind) for mode, size in enumerate(memref.strides))
        if isinstance(type_, GroupType):
            count, offset = extent(type_.count, f"{hint}_count"), extent(type_.offset, f"{hint}_offset")
            writer.bind(value, GroupCode(pointer, memref.element, count, offset, shape, strides))
        else:
            writer.bind(value, MemrefCode(pointer, memref.element, shape, strides))
    return names


def arguments(writer: Writer, op: Call, calls: int) -> list[str]:
    """What a call passes for these parameters, in their order; the memory of calls begins at `calls`."""
    passed = [text for value, p in zip(op.arguments, op.callee.parameters) for text in _argument(writer, value, p)]
    return [sum_of([STACK, calls]), *passed] if op.callee.attributes.get(STACK_SIZE) else passed


def _argument(writer: Writer, value: Value, parameter: Value) -> Iterator[str]:
    code, type_ = writer.code(value) if isinstance(value.type, (GroupType, MemrefType)) else None, parameter.type
    if isinstance(code, GroupCode):
        yield code.addresses
        yield from (text.removesuffix(_OF_ITEM) for text in _dynamic(code, type_.memref))
        yield from (
            text for text, extent in ((code.count, type_.count), (code.offset, type_.offset)) if extent is DYNAMIC
        )
    elif isinstance(code, MemrefCode):
        yield code.pointer
        yield from _dynamic(code, type_)
    else:
        yield writer.scalar(value)


def _dynamic(code: GroupCode | MemrefCode, type_: MemrefType) -> Iterator[str]:
    """The expressions of sizes and strides that the type of a parameter leaves open."""
    for texts, extents in ((code.shape, type_.shape), (code.strides, type_.strides)):
        yield from (text for text, extent in zip(texts, extents) if extent is DYNAMIC)
