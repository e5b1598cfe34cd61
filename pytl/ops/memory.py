"""Memory and views (manual: Alloca, Load, Store, Subview, Size, Additional instructions)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any

from ..diagnostics import Location
from ..ir.constraints import GROUP, INDEX, MEMREF, SCALAR
from ..ir.fields import Attributes, Field, IntegerConstant, Modifier, Operand, OperandList, Result
from ..ir.operation import Operation, Problem, check, counted
from ..ir.registry import instruction
from ..ir.text.rules import LOCAL_BY_DEFAULT, WHOLE_MODE
from ..ir.types import DYNAMIC, Extent, GroupType, MemrefType, Type, index
from ..ir.values import Value
from .constants import constant_of

DEFAULT_ALIGNMENT = 64
"""Bytes an alloca is aligned to where it says nothing, and the most that it may ask for."""

STACK_OFFSET = "stack.offset"
"""The attribute of an alloca that says where it lies in local memory, in bytes."""
STACK_SIZE = "stack.size"
"""The attribute of a function that says how much local memory it takes, in bytes."""


class LocalMemref(Result):
    """The type of an alloca: a memref that is local where it names no address space."""

    def parse(self, parser: Any, parts: dict[str, Any]) -> Any:
        start = parser.scanner.skip_blanks()
        type_ = parser.type(default_space="local")
        text = parser.scanner.text[start : parser.scanner.last_end]
        if isinstance(type_, MemrefType) and "local" not in text and "global" not in text:
            parser.note(LOCAL_BY_DEFAULT, f"the type is read as {type_}", parser.scanner.place(start))
        parts["result_types"] = [type_]
        return None


@check("PYTL-0310", "the shape of an alloca has no dynamic modes", "Alloca")
def static_alloca(op: Alloca) -> Iterator[Problem]:
    if not op.result.type.is_static:
        yield Problem(f"the size of {op.result.type} is not known at compile time", "give every mode a number")


@check("PYTL-0311", "an alloca is local", "Alloca")
def local_alloca(op: Alloca) -> Iterator[Problem]:
    if op.result.type.space != "local":
        wanted = op.result.type.in_space("local")
        yield Problem(f"{op.result.type} is in the global address space", f"write {wanted}")


@check(
    "PYTL-0312",
    f"an alloca's alignment is a multiple of the element's size and not above {DEFAULT_ALIGNMENT} bytes",
    "Alloca",
)
def alloca_alignment(op: Alloca) -> Iterator[Problem]:
    alignment = op.attributes.get("alignment")
    if isinstance(alignment, int) and not isinstance(alignment, bool):
        size = op.result.type.element.size
        if alignment < 1 or alignment % size:
            yield Problem(f"the alignment {alignment} is not a multiple of {size}, the size of an element")
        elif alignment > DEFAULT_ALIGNMENT:
            yield Problem(f"the alignment {alignment} is above {DEFAULT_ALIGNMENT}")


@instruction
class Alloca(Operation):
    """Allocates temporary memory of the work-group, freed at the end of the region. Its content is undefined."""

    mnemonic = "alloca"
    kind = "collective"
    section = "Alloca"
    attributes: Any = Attributes({"alignment": "integer"})
    result: Any = LocalMemref(MEMREF)
    assembly = "(` ` $attributes)? ` : ` $result"
    rules = (static_alloca, local_alloca, alloca_alignment)


@check("PYTL-0313", "lifetime_stop names an alloca of its own region", "Additional instructions")
def stops_alloca(op: LifetimeStop) -> Iterator[Problem]:
    if not isinstance(op.tensor.owner, Alloca):
        owner = "a parameter" if op.tensor.owner is None else f"the result of {op.tensor.owner.word}"
        yield Problem(f"the operand is {owner}, not an alloca", part="tensor")


@instruction
class LifetimeStop(Operation):
    """Says that the memory of an alloca is not used any more, so that later allocas may take its place."""

    mnemonic = "lifetime_stop"
    kind = "collective"
    section = "Additional instructions"
    tensor: Any = Operand(MEMREF, "what is not used any more")
    assembly = "` ` $tensor"
    rules = (stops_alloca,)


@check("PYTL-0410", "as many indices as the memref has modes; one index for a group", "Load")
def load_indices(op: Load) -> Iterator[Problem]:
    yield from index_problems(op.tensor, op.indices)


@check("PYTL-0414", "an index that is known lies within its mode", "Load", of_values=True)
def load_bounds(op: Load) -> Iterator[Problem]:
    yield from bounds_problems(op.tensor, op.indices)


@check("PYTL-0411", "load gives the memref's element type, or the group's memref type", "Load")
def load_type(op: Load) -> Iterator[Problem]:
    type_ = op.tensor.type
    wanted = type_.memref if isinstance(type_, GroupType) else type_.element
    if op.result.type != wanted:
        yield Problem(f"the tensor is {type_}, but the result is {op.result.type}", f"write : {wanted}", "tensor")


def index_problems(tensor: Value, indices: list[Value]) -> Iterator[Problem]:
    """Where a list of indices does not fit what it indexes."""
    order = tensor.type.order if isinstance(tensor.type, MemrefType) else 1
    if len(indices) != order:
        what = f"{tensor.type} has {counted(order, 'mode')}"
        if isinstance(tensor.type, GroupType):
            what = "a group has one index"
        yield Problem(f"{what}, but is given {counted(len(indices), 'index', 'indices')}", part="tensor")


def bounds_problems(tensor: Value, indices: list[Value]) -> Iterator[Problem]:
    """Where an index that is known lies outside its mode."""
    shape = tensor.type.shape if isinstance(tensor.type, MemrefType) else (tensor.type.count,)
    for mode, (value, extent) in enumerate(zip(indices, shape)):
        known = constant_of(value)
        if known is not None and (known < 0 or (isinstance(extent, int) and known >= extent)):
            yield Problem(f"index {known} is out of bounds in mode {mode}, whose size is {extent}", part="tensor")


@instruction
class Load(Operation):
    """Loads an element of a memref, or a memref out of a group."""

    mnemonic = "load"
    section = "Load"
    tensor: Any = Operand(MEMREF | GROUP, "what is loaded from")
    indices: Any = OperandList(INDEX, "one index a mode")
    result: Any = Result(SCALAR | MEMREF)
    assembly = "` ` $tensor `[` $indices `]` ` : ` $result"
    rules = (load_indices, load_bounds, load_type)
    reads = ("tensor",)

    @classmethod
    def literal_type(cls, part: str, parts: dict[str, Any]) -> Type | None:
        return index if part == "indices" else None

    def infer_result_types(self) -> list[Type]:
        type_ = self.tensor.type
        return [type_.memref if isinstance(type_, GroupType) else type_.element]

    def pass_attributes_on(self) -> None:
        if isinstance(self.tensor.type, GroupType):
            self.results[0].attributes = dict(self.tensor.attributes)


@check("PYTL-0412", "as many indices as the memref has modes", "Store")
def store_indices(op: Store) -> Iterator[Problem]:
    yield from index_problems(op.tensor, op.indices)


@check("PYTL-0415", "an index that is known lies within its mode", "Store", of_values=True)
def store_bounds(op: Store) -> Iterator[Problem]:
    yield from bounds_problems(op.tensor, op.indices)


@check("PYTL-0413", "the stored value has the memref's element type", "Store")
def store_type(op: Store) -> Iterator[Problem]:
    if op.data.type != op.tensor.type.element:
        yield Problem(
            f"the value is {op.data.type}, but the elements of {op.tensor.type} are {op.tensor.type.element}",
            f"cast the value: cast %value : {op.tensor.type.element}",
            "data",
        )


@instruction
class Store(Operation):
    """Stores a value in a memref; in a collective region every work-item does."""

    mnemonic = "store"
    section = "Store"
    flag: Any = Modifier(
        {
            "": "",
            "atomic": "the store is atomic, relaxed; a complex value may be stored part by part",
            "atomic_add": "the value is added to the element atomically",
        },
        default="",
    )
    data: Any = Operand(SCALAR, "the value")
    tensor: Any = Operand(MEMREF, "where it is stored")
    indices: Any = OperandList(INDEX, "one index a mode")
    assembly = "` ` $data `, ` $tensor `[` $indices `]`"
    rules = (store_indices, store_bounds, store_type)
    writes = ("tensor",)

    @classmethod
    def literal_type(cls, part: str, parts: dict[str, Any]) -> Type | None:
        if part == "indices":
            return index
        tensor = parts["tensor"]
        return tensor.type.element if part == "data" and isinstance(tensor.type, MemrefType) else None


Bound = int | Value


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
                parser.fail("`?` stands in types only", help="what is known at run time only is a value, as %n")
            return parser.value() if parser.at("%") else parser.integer()

        def entry() -> Any:
            start = parser.scanner.skip_blanks()
            if parser.accept(":"):
                parser.note(WHOLE_MODE, "`:` is read as 0:size", parser.scanner.place(start))
                return _WholeMode()
            offset = bound()
            return Slice(offset, bound() if parser.accept(":") else None)

        return parser.comma_separated(entry, closing="]")

    def print(self, printer: Any, operation: Any) -> None:
        def bound(b: Bound) -> None:
            if isinstance(b, Value):
                printer.value(b)
            else:
                printer.write(str(b))

        def entry(piece: Slice) -> None:
            bound(piece.offset)
            if piece.size is not None:
                printer.write(":")
                bound(piece.size)

        printer.separated(operation.slices, entry)


def subview_type(tensor: MemrefType, slices: list[Slice]) -> MemrefType:
    """The type of a view with every stride that is known."""
    kept = [(piece.extent, stride) for piece, stride in zip(slices, tensor.strides) if piece.keeps_mode]
    return replace(tensor, shape=tuple(n for n, _ in kept), strides=tuple(s for _, s in kept))


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
        offset, size = known_bound(piece.offset), known_bound(piece.size)
        if offset is not None and offset < 0:
            yield Problem(f"the offset {offset} of mode {mode} is negative")
        if size is not None and (size < 0 or (size == 0 and isinstance(piece.size, Value))):
            yield Problem(f"the size {size} of mode {mode} is not positive")


@check("PYTL-0453", "a static slice lies within its mode", "Subview", of_values=True)
def slice_bounds(op: Subview) -> Iterator[Problem]:
    for mode, (piece, extent) in enumerate(zip(op.slices, op.tensor.type.shape)):
        offset, size = known_bound(piece.offset), known_bound(piece.size) or 0
        if not isinstance(extent, int) or size < 0 or (offset is not None and offset < 0):
            continue
        if offset is None and size > extent:
            yield Problem(f"mode {mode} has size {extent}, but {size} elements of it are taken", part="tensor")
        elif offset is not None and offset + max(size, 1) > extent:
            shown = f"{offset}:{size}" if size else str(offset)
            end = offset + max(size, 1)
            yield Problem(f"slice {shown} of mode {mode} ends at {end}, but the mode's size is {extent}", part="tensor")


@check("PYTL-0454", "element type and address space of a view are the operand's", "Subview")
def view_element(op: Subview) -> Iterator[Problem]:
    yield from view_element_problems(op)


@check(
    "PYTL-0455",
    "a view keeps the sizes of its slices, and drops the modes that are accessed by offset",
    "Subview",
)
def view_shape(op: Subview) -> Iterator[Problem]:
    signed = any(isinstance(piece.size, int) and piece.size < 0 for piece in op.slices)
    if len(op.slices) == op.tensor.type.order and not signed:
        wanted = subview_type(op.tensor.type, op.slices)
        if op.result.type.shape != wanted.shape:
            yield Problem(f"the view is {wanted}, but the result is {op.result.type}", f"write : {wanted}", "tensor")


@check("PYTL-0456", "a view's strides are the operand's, or replaced with ?", "Subview")
def view_strides(op: Subview) -> Iterator[Problem]:
    if len(op.slices) == op.tensor.type.order:
        wanted = subview_type(op.tensor.type, op.slices)
        if op.result.type.shape == wanted.shape:
            yield from view_stride_problems(wanted, op)


def known_bound(bound: Bound | None) -> int | None:
    return constant_of(bound) if isinstance(bound, Value) else bound


def view_element_problems(op: Operation) -> Iterator[Problem]:
    """Where a view changes element type or address space."""
    source, target = op.tensor.type, op.result.type  # type: ignore[attr-defined]
    if source.element != target.element:
        yield Problem(f"the operand's elements are {source.element}, the result's {target.element}", part="tensor")
    elif source.space != target.space:
        wanted = target.in_space(source.space)
        yield Problem(f"the operand is {source.space}, the result {target.space}", f"write : {wanted}", "tensor")


def view_stride_problems(wanted: MemrefType, op: Operation) -> Iterator[Problem]:
    """Where a view of the right shape names strides that it does not have."""
    given = op.result.type.strides
    if any(b not in (a, DYNAMIC) for a, b in zip(wanted.strides, given)):
        shown = ",".join(map(str, given))
        right = ",".join(map(str, wanted.strides))
        yield Problem(
            f"the result's strides are <{shown}>, but the view's are <{right}>", f"write : {wanted}", "tensor"
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


def root_of(value: Value) -> Value:
    """The alloca, parameter or group that a memref value is a view on."""
    while value.owner is not None:
        if value.owner.view_of is not None:
            value = getattr(value.owner, value.owner.view_of)
        elif isinstance(value.owner, Load) and isinstance(value.owner.tensor.type, GroupType):
            return value.owner.tensor
        else:
            break
    return value
