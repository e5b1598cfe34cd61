"""Memory in MLIR: elements of memrefs, views, local memory, items of groups."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial, reduce

from ...ir import values
from ...ir.meanings import Meanings
from ...ir.types import Extent, MemrefType
from ...mlir.text import types as mlir
from ...mlir.text.builder import Builder, Value
from ...mlir.text.types import I64, INDEX
from ...ops import Alloca, Expand, Expandc2r, Fuse, Subview
from ...ops.memory import DEFAULT_ALIGNMENT, STACK_OFFSET
from ...ops.reshape import expanded, fused
from ...ops.views import Bound
from ...process.records import dataclass
from . import types
from .numbers import Number, Numbers

_UPDATES = Meanings("MLIR, stores", {"atomic": ("assign", "assign"), "atomic_add": ("addi", "addf")})
"""The atomic operations on integers and on floats."""

Index = int | Value
"""A known number, or an index value."""
POINTER = mlir.Opaque("!llvm.ptr")
Bounds = Callable[[Bound], Index]
"""The types of a view's bound."""


@dataclass(frozen=True)
class Memref:
    """A memref: its value in MLIR, and its type in the language, which determines the type in MLIR."""

    value: Value
    type: MemrefType

    @property
    def name(self) -> str:
        """The name of the value, without its sign."""
        return self.value.name[1:]


@dataclass(frozen=True)
class Layout:
    """A memref's offset from its base, sizes and strides: in the language's order, in MLIR's numbers."""

    offset: Index
    shape: list[Index]
    strides: list[Index]


class Memory:
    """Writes what reads, writes and views memory. Indices are index values, in the language's order."""

    def __init__(self, to: Builder, numbers: Numbers) -> None:
        self._to = to
        self._numbers = numbers
        self._stack: Value
        """Local memory."""
        self._first: Index = 0
        """The byte of local memory that places are counted from."""

    # Elements.

    def _index_lists(self, memref: Memref, indices: Sequence[Value]) -> list[list[Value]]:
        """The indices of each part of an element, in MLIR's order."""
        turned = list(reversed(indices))
        if not memref.type.element.is_complex:
            return [turned]
        return [[*turned, self._to.constant(part)] for part in (0, 1)]

    def load(self, memref: Memref, indices: Sequence[Value], hint: str = "v") -> Number:
        elements = self._index_lists(memref, indices)
        parts = [self._to.op("memref.load", memref.value, element, hint=hint) for element in elements]
        return tuple(self._numbers.loaded(part, memref.type.element, hint) for part in parts)

    def store(self, value: Number, memref: Memref, indices: Sequence[Value]) -> None:
        for part, element in zip(value, self._index_lists(memref, indices)):
            self._to.do("memref.store", self._numbers.to_store(part, memref.type.element), memref.value, element)

    def update(self, kind: str, value: Number, memref: Memref, indices: Sequence[Value]) -> None:
        """An atomic store ("atomic") or addition ("atomic_add"), of complex numbers part by part."""
        operation = _UPDATES[kind][not memref.type.element.is_integer]
        for part, element in zip(value, self._index_lists(memref, indices)):
            stored = self._numbers.to_store(part, memref.type.element)
            self._to.op("memref.atomic_rmw", stored, memref.value, element, hint="before", kind=operation)

    def addresses(self, memref: Memref, indices: Sequence[Value]) -> list[Value]:
        """Pointers to the parts of an element."""
        layout, type_ = self._layout(memref), memref.type.element
        offset = layout.offset
        for number, stride in zip(indices, layout.strides):
            offset = self._sum(offset, self._product(number, stride))
        begin = self._to.op("memref.extract_aligned_pointer_as_index", memref.value)
        addresses = []
        for part in range(2 if type_.is_complex else 1):
            address = self._sum(begin, self._product(self._sum(offset, part), type_.component.size))
            number = self._to.op("arith.index_cast", self._index(address), type=I64)
            addresses.append(self._to.op("llvm.inttoptr", number, type=POINTER, hint="place"))
        return addresses

    def pointer(self, memref: Memref, indices: Sequence[Value]) -> Value:
        """The pointer to a real element, as a distance from where its memory begins."""
        begin = self._to.op("memref.extract_aligned_pointer_as_index", memref.value)
        base = self._to.op("llvm.inttoptr", self._to.op("arith.index_cast", begin, type=I64), type=POINTER)
        offset = self._product(self._layout(memref).offset, memref.type.element.size)
        distance = self._index(self._sum(offset, self.distance(memref, indices)))
        bytes_ = self._to.op("arith.index_cast", distance, type=I64)
        return self._to.op("llvm.getelementptr", base, bytes_, type=POINTER, hint="place", elem_type=types.I8)

    def distance(self, memref: Memref, indices: Sequence[Value]) -> Value:
        """How many bytes an element lies behind the first one."""
        total: Index = 0
        for number, stride in zip(indices, self._layout(memref).strides):
            total = self._sum(total, self._product(number, stride))
        return self._index(self._product(total, memref.type.element.size))

    def size(self, memref: Memref, mode: int, hint: str = "size") -> Value:
        """The size of a mode, in the language's order."""
        known = memref.type.shape[mode]
        if isinstance(known, int):
            return self._to.constant(known)
        dimension = self._to.constant(memref.type.order - 1 - mode)
        return self._to.op("memref.dim", memref.value, dimension, hint=hint)

    # Local memory.

    def begin(self, size: int, alignment: int) -> None:
        """Allocate local memory of so many bytes at the function's top: in a loop the stack would grow."""
        type_ = types.dense([size], types.I8)
        self._stack = self._to.op("memref.alloca", type=type_, hint="stack", alignment=DEFAULT_ALIGNMENT)
        self._first = self._first_aligned(alignment)

    def _first_aligned(self, alignment: int) -> Index:
        """The first byte of local memory whose address is a multiple of a number."""
        if alignment == DEFAULT_ALIGNMENT:
            return 0
        address = self._to.op("memref.extract_aligned_pointer_as_index", self._stack, hint="address")
        unit = self._to.constant(alignment)
        over = self._to.op("arith.remui", address, unit, hint="over")
        under = self._to.op("arith.subi", unit, over, hint="under")
        return self._to.op("arith.remui", under, unit, hint="first")

    def _part(self, op: Alloca, hint: str, space: str = "") -> Value:
        """The numbers of an alloca, at the place in local memory that the pass stack-layout gave it."""
        type_: MemrefType = op.result.type
        begin = self._index(self._sum(self._first, op.attributes[STACK_OFFSET]))
        flat = types.dense([type_.span * (2 if type_.element.is_complex else 1)], types.element(type_.element), space)
        return self._to.op("memref.view", self._stack, begin, type=flat, hint=hint)

    def local(self, op: Alloca) -> Memref:
        """The memref of an alloca."""
        part = self._part(op, "part")
        return self._reinterpreted(part, Layout(0, [], []), op.result.type, op.result.name or "local")

    # Views.

    def subview(self, op: Subview, memref: Memref, bound: Bounds) -> Memref:
        before = self._layout(memref)
        kept = [mode for mode, piece in enumerate(op.slices) if piece.keeps_mode]
        offset = before.offset
        for piece, stride in zip(op.slices, before.strides):
            offset = self._sum(offset, self._product(bound(piece.offset), stride))
        shape = [bound(size) for mode in kept if (size := op.slices[mode].size) is not None]
        return self._viewed(memref, Layout(offset, shape, [before.strides[mode] for mode in kept]), op.result)

    def expand(self, op: Expand, memref: Memref, bound: Bounds) -> Memref:
        before = self._layout(memref)
        shape = [bound(size) for size in op.expand_shape]
        modes = expanded(before.shape, before.strides, op.mode, shape, partial(reduce, self._product))
        return self._viewed(memref, Layout(before.offset, *map(list, modes)), op.result)

    def fuse(self, op: Fuse, memref: Memref) -> Memref:
        before = self._layout(memref)
        modes = fused(before.shape, before.strides, op.first, op.last, partial(reduce, self._product))
        return self._viewed(memref, Layout(before.offset, *map(list, modes)), op.result)

    def expandc2r(self, op: Expandc2r, memref: Memref) -> Memref:
        """The same memref: a complex one has its parts as a last mode of MLIR's."""
        expected = types.memref(op.result.type)
        if expected == memref.value.type:
            return Memref(memref.value, op.result.type)
        return Memref(self._to.op("memref.cast", memref.value, type=expected, hint="parts"), op.result.type)

    def item(self, group: Value, index: Value, type_: MemrefType, hint: str) -> Memref:
        """The memref at a place of a group."""
        item = self._to.op("memref.load", group, index, hint=hint)
        if item.type != I64:
            return Memref(item, type_)
        return self.at(self._to.op("llvm.inttoptr", item, type=POINTER, hint="place"), type_, hint)

    def at(self, pointer: Value, type_: MemrefType, hint: str) -> Memref:
        """The memref that begins at a pointer, whose sizes and strides are known."""
        sizes, strides = types.sizes(type_), types.strides(type_)
        lists = f"array<{len(sizes)} x i64>, array<{len(strides)} x i64>"
        struct = mlir.Opaque(f"!llvm.struct<(ptr, ptr, i64, {lists})>" if sizes else "!llvm.struct<(ptr, ptr, i64)>")
        descriptor = self._to.once("llvm.mlir.poison", type=struct, hint="descriptor")
        places = [(0,), (1,), (2,), *((part, n) for part in (3, 4) for n in range(len(sizes)))]
        numbers = [pointer, pointer, *(self._to.constant(n, I64) for n in (0, *sizes, *strides) if isinstance(n, int))]
        for place, number in zip(places, numbers):
            descriptor = self._to.op("llvm.insertvalue", descriptor, number, hint="descriptor", position=place)
        memref = types.memref(type_)
        return Memref(self._to.op("builtin.unrealized_conversion_cast", descriptor, type=memref, hint=hint), type_)

    def _layout(self, memref: Memref) -> Layout:
        count = len(types.sizes(memref.type))
        name, element = memref.name, types.element(memref.type.element)
        base, offset, *lists = (self._to.fresh(f"{name}_{word}") for word in ("base", "offset", "sizes", "strides"))
        indices = [offset, *(f"{each}#{at}" for each in lists for at in range(count))]
        results: list[tuple[str, mlir.Type]] = [(base, types.dense([], element)), *((each, INDEX) for each in indices)]
        _, begin, *known = self._to.each("memref.extract_strided_metadata", memref.value, results=results)
        return Layout(
            begin,
            _known(memref.type, types.sizes(memref.type), known[:count]),
            _known(memref.type, types.strides(memref.type), known[count:]),
        )

    def _viewed(self, memref: Memref, layout: Layout, result: values.Value) -> Memref:
        return self._reinterpreted(memref.value, layout, result.type, result.name or f"{memref.name}_view")

    def _reinterpreted(self, source: Value, layout: Layout, type_: MemrefType, hint: str) -> Memref:
        """A memref of another layout in the same memory; static sizes and strides come from the type."""

        def listed(static: list[Extent], computed: list[Index]) -> list[Index]:
            turned = computed[::-1]
            return [n if isinstance(n, int) else self._index(turned[at]) for at, n in enumerate(static)]

        view = self._to.op(
            "memref.reinterpret_cast",
            source,
            type=types.memref(type_),
            hint=hint,
            offsets=[self._index(layout.offset)],
            sizes=listed(types.sizes(type_), layout.shape),
            strides=listed(types.strides(type_), layout.strides),
        )
        return Memref(view, type_)

    # Index arithmetic.

    def _index(self, index: Index) -> Value:
        return self._to.constant(index) if isinstance(index, int) else index

    def _product(self, a: Index, b: Index) -> Index:
        if isinstance(a, int) and isinstance(b, int):
            return a * b
        if 1 in (a, b):
            return b if a == 1 else a
        return 0 if 0 in (a, b) else self._to.op("arith.muli", self._index(a), self._index(b))

    def _sum(self, a: Index, b: Index) -> Index:
        if isinstance(a, int) and isinstance(b, int):
            return a + b
        if 0 in (a, b):
            return b if a == 0 else a
        return self._to.op("arith.addi", self._index(a), self._index(b))


def _known(type_: MemrefType, static: list[Extent], computed: Sequence[Index]) -> list[Index]:
    """Sizes or strides in the language's order: from the type where that has them, else as they were found."""
    entries = [n if isinstance(n, int) else computed[at] for at, n in enumerate(static)]
    return entries[type_.order - 1 :: -1] if type_.order else []


def numbers_of(to: Builder, memref: Memref) -> Value:
    """A memref of contiguous elements whose first mode has the numbers they consist of: of complex ones, both parts."""
    type_ = memref.type
    if not type_.element.is_complex:
        return memref.value
    *sizes, length, _ = types.sizes(type_)
    numbers = length * 2 if isinstance(length, int) else length
    flat = types.strided([*sizes, numbers], [*types.strides(type_)[:-2], 1], types.element(type_.element))
    groups = (*((mode,) for mode in range(len(sizes))), (len(sizes), len(sizes) + 1))
    return to.op("memref.collapse_shape", memref.value, type=flat, hint="pairs", reassociation=groups)


def static_layout(type_: MemrefType) -> Layout | None:
    """The layout of a memref that begins where its memory does; None where its type leaves something open."""
    if not type_.is_static:
        return None
    return Layout(0, *(_known(type_, each, []) for each in (types.sizes(type_), types.strides(type_))))
