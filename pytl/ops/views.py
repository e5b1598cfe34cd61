"""Views on tensors and their sizes (manual: Subview, Size)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from typing import Any

from ..diagnostics import Location
from ..diagnostics.words import counted
from ..ir.constraints import BOOL, GROUP, INDEX, MEMREF
from ..ir.fields import Field, IntegerConstant, Operand, Result
from ..ir.operation import Check, Operation, Problem, check
from ..ir.registry import instruction
from ..ir.text.rules import WHOLE_MODE
from ..ir.types import DYNAMIC, Extent, MemrefType, Type, bool_, index
from ..ir.values import Value
from ..process.records import dataclass
from .constants import constant_bound
from .memory import Load

Bound = int | Value


def print_bound(printer: Any, bound: Bound) -> None:
    """Write an offset or a size, which is an integer or a value."""
    if isinstance(bound, Value):
        printer.value(bound)
    else:
        printer.write(str(bound))


@dataclass(frozen=True)
class Slice:
    """One mode of a subview: `offset` alone (size None), or `offset:size`. Size 0 drops the mode, too."""

    offset: Bound
    size: Bound | None = None

    @property
    def keeps_mode(self) -> bool:
        return self.size is not None and self.size != 0

    @property
    def extent(self) -> Extent:
        """The size of the mode in the result."""
        return self.size if isinstance(self.size, int) else DYNAMIC

    @property
    def bounds(self) -> tuple[Bound, ...]:
        return (self.offset,) if self.size is None else (self.offset, self.size)


class _WholeMode:
    """A bare colon, until the tensor's type is known."""


class Slices(Field):
    """Indices and slices, one a mode; their values must be of index type."""

    constraint = INDEX

    @property
    def grammar(self) -> str:
        return "[index | offset:size, …]"

    def values(self, stored: Any) -> Iterable[Value]:
        return tuple(b for entry in stored for b in entry.bounds if isinstance(b, Value))

    def map(self, stored: Any, change: Callable[[Value], Value]) -> Any:
        def bound(b: Any) -> Any:
            return change(b) if isinstance(b, Value) else b

        return [Slice(bound(entry.offset), bound(entry.size)) for entry in stored]

    def parse(self, parser: Any, parts: dict[str, Any]) -> Any:
        def bound() -> Bound:
            if parser.at("?"):
                parser.fail("`?` is allowed in types only", help="what is known at run time only is a value, as %n")
            return parser.value() if parser.at("%") else parser.integer()

        def entry() -> Any:
            start = parser.scanner.skip_blanks()
            if parser.accept(":"):
                parser.note(WHOLE_MODE, "`:` is read as 0:size", parser.scanner.location_from(start))
                return _WholeMode()
            offset = bound()
            return Slice(offset, bound() if parser.accept(":") else None)

        return parser.comma_separated(entry, closing="]")

    def print(self, printer: Any, operation: Any) -> None:
        def entry(piece: Slice) -> None:
            print_bound(printer, piece.offset)
            if piece.size is not None:
                printer.write(":")
                print_bound(printer, piece.size)

        printer.separated(operation.slices, entry)


def subview_type(tensor: MemrefType, slices: list[Slice]) -> MemrefType:
    """The type of a view with every stride that is known."""
    modes = [(piece.extent, stride) for piece, stride in zip(slices, tensor.strides) if piece.keeps_mode]
    return replace(tensor, shape=tuple(n for n, _ in modes), strides=tuple(s for _, s in modes))


@check("PYTL-0450", "one index or slice for each mode of the memref", "Subview")
def slice_count(op: Subview) -> Iterator[Problem]:
    if len(op.slices) != op.tensor.type.order:
        yield Problem(
            f"{op.tensor.type} has {counted(op.tensor.type.order, 'mode')}, "
            f"but is given {counted(len(op.slices), 'index', 'indices')}",
            part="tensor",
        )


@check("PYTL-0451", "offsets and sizes are of index type", "Subview")
def slice_types(op: Subview) -> Iterator[Problem]:
    for piece in op.slices:
        for bound in piece.bounds:
            if isinstance(bound, Value) and bound.type != index:
                yield Problem(f"a slice is bounded by a value of type {bound.type}", "cast it to index")


@check("PYTL-0452", "an offset is not negative, a size is positive (0 drops the mode)", "Subview", of_values=True)
def slice_signs(op: Subview) -> Iterator[Problem]:
    for mode, piece in enumerate(op.slices):
        offset, size = constant_bound(piece.offset), constant_bound(piece.size)
        if offset is not None and offset < 0:
            yield Problem(f"the offset {offset} of mode {mode} is negative")
        if size is not None and (size < 0 or (size == 0 and isinstance(piece.size, Value))):
            yield Problem(f"the size {size} of mode {mode} is not positive")


@check("PYTL-0453", "a static slice lies within its mode", "Subview", of_values=True)
def slice_bounds(op: Subview) -> Iterator[Problem]:
    for mode, (piece, extent) in enumerate(zip(op.slices, op.tensor.type.shape)):
        offset, size = constant_bound(piece.offset), constant_bound(piece.size) or 0
        if not isinstance(extent, int) or size < 0 or (offset is not None and offset < 0):
            continue
        if offset is None and size > extent:
            yield Problem(f"mode {mode} has size {extent}, but {size} elements of it are taken", part="tensor")
        elif offset is not None and offset + max(size, 1) > extent:
            shown = f"{offset}:{size}" if size else str(offset)
            end = offset + max(size, 1)
            yield Problem(f"slice {shown} of mode {mode} ends at {end}, but the mode's size is {extent}", part="tensor")


def view_element_check(code: str, section: str) -> Check:
    """The rule that a view changes neither the element type nor the address space."""

    @check(code, "element type and address space of a view are the operand's", section)
    def same_elements(op: Any) -> Iterator[Problem]:
        source, target = op.tensor.type, op.result.type
        if source.element != target.element:
            yield Problem(f"the operand's elements are {source.element}, the result's {target.element}", part="tensor")
        elif source.space != target.space:
            expected = target.in_space(source.space)
            yield Problem(f"the operand is {source.space}, the result {target.space}", f"write : {expected}", "tensor")

    return same_elements


view_element = view_element_check("PYTL-0454", "Subview")


@check(
    "PYTL-0455",
    "a view keeps the sizes of its slices, and drops the modes that are accessed by offset",
    "Subview",
)
def view_shape(op: Subview) -> Iterator[Problem]:
    signed = any(isinstance(piece.size, int) and piece.size < 0 for piece in op.slices)
    if len(op.slices) == op.tensor.type.order and not signed:
        yield from view_shape_problems(subview_type(op.tensor.type, op.slices), op)


@check("PYTL-0456", "a view's strides are the operand's, or replaced with ?", "Subview")
def view_strides(op: Subview) -> Iterator[Problem]:
    if len(op.slices) == op.tensor.type.order:
        yield from view_stride_problems(subview_type(op.tensor.type, op.slices), op)


def view_shape_problems(expected: MemrefType, op: Operation) -> Iterator[Problem]:
    """Where a view has other sizes."""
    if op.result.type.shape != expected.shape:
        yield Problem(f"the view is {expected}, but the result is {op.result.type}", f"write : {expected}", "tensor")


def view_stride_problems(expected: MemrefType, op: Operation) -> Iterator[Problem]:
    """Where a view of the right shape names strides that it does not have."""
    actual = op.result.type.strides
    has_shape = op.result.type.shape == expected.shape
    if has_shape and any(b not in (a, DYNAMIC) for a, b in zip(expected.strides, actual)):
        shown = ",".join(map(str, actual))
        right = ",".join(map(str, expected.strides))
        yield Problem(
            f"the result's strides are <{shown}>, but the view's are <{right}>", f"write : {expected}", "tensor"
        )


@instruction
class Subview(Operation):
    """A view on a part of a tensor. No run-time check is made that it lies within."""

    mnemonic = "subview"
    section = "Subview"
    tensor: Any = Operand(MEMREF, "what is viewed")
    slices: Any = Slices("where the view begins in each mode, and its size")
    result: Any = Result(MEMREF)
    assembly = "` ` $tensor `[` $slices `]` ` : ` $result"
    rules = (slice_count, slice_types, slice_signs, slice_bounds, view_element, view_shape, view_strides)
    pure = True
    view_of = "tensor"

    @classmethod
    def complete(cls, parser: Any, parts: dict[str, Any], location: Location) -> None:
        tensor = parts["tensor"]
        shape = tensor.type.shape if isinstance(tensor.type, MemrefType) else ()
        slices = parts["slices"]
        for mode, piece in enumerate(slices):
            if isinstance(piece, _WholeMode):
                extent = shape[mode] if mode < len(shape) else 1
                slices[mode] = Slice(0, extent if isinstance(extent, int) else _size_of(parser, tensor, mode, location))

    def infer_result_types(self) -> list[Type]:
        return [subview_type(self.tensor.type, self.slices)]


def size_of_view(tensor: Value, mode: int) -> Bound | None:
    """The size of a mode as whoever takes a view says it; None where the size is that of other memory."""
    if not isinstance(tensor.owner, Subview):
        return None
    size = [piece.size for piece in tensor.owner.slices if piece.keeps_mode][mode]
    known = constant_bound(size)
    return size if known is None else known


def _size_of(parser: Any, tensor: Value, mode: int, location: Location) -> Value:
    size = Size(location, [index], tensor=tensor, mode=mode)
    parser.insert(size)
    return size.results[0]


@check("PYTL-0457", "the mode of size exists; it is 0 for a group", "Size")
def size_mode(op: Size) -> Iterator[Problem]:
    order = op.tensor.type.order if isinstance(op.tensor.type, MemrefType) else 1
    if not 0 <= op.mode < order:
        yield Problem(f"{op.tensor.type} has no mode {op.mode}", f"modes are counted from 0 to {order - 1}", "tensor")


@instruction
class Size(Operation):
    """The size of a tensor's mode, or of a group."""

    mnemonic = "size"
    section = "Size"
    tensor: Any = Operand(MEMREF | GROUP, "the tensor")
    mode: Any = IntegerConstant("the mode, counted from 0")
    result: Any = Result(INDEX)
    assembly = "` ` $tensor `[` $mode `]` ` : ` $result"
    rules = (size_mode,)
    pure = True

    def infer_result_types(self) -> list[Type]:
        return [index]


@instruction
class Associated(Operation):
    """Whether a launch has passed a memref or group, or None in its place. A view is there if what it is of is.

    What is executed only where it is true may use the parameter; a launch with None is refused where the kernel uses it
    otherwise. An alloca, and an item of a group, is always there.
    """

    mnemonic = "v04.associated"
    section = "Associated"
    tensor: Any = Operand(MEMREF | GROUP, "what may be absent")
    result: Any = Result(BOOL)
    assembly = "` ` $tensor ` : ` $result"
    pure = True

    def infer_result_types(self) -> list[Type]:
        return [bool_]


def views_behind(value: Value) -> Iterator[Any]:
    """The views that a memref value is the result of, from the one that gives it to that on the memory itself."""
    while value.owner is not None and value.owner.view_of is not None:
        yield value.owner
        value = viewed_by(value.owner)


def viewed_by(view: Operation) -> Value:
    """The memref that an instruction gives a view on."""
    assert view.view_of is not None
    value: Value = getattr(view, view.view_of)
    return value


def memory_of(value: Value) -> Value:
    """The alloca, parameter or item of a group that a memref value is a view on."""
    for view in views_behind(value):
        value = viewed_by(view)
    return value


def root_of(value: Value) -> Value:
    """The alloca, parameter or group that a memref value is a view on."""
    value = memory_of(value)
    return value.owner.tensor if isinstance(value.owner, Load) and value.owner.is_item else value
