"""Memory in MLIR: elements of memrefs, views, local memory, items of groups."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from ...ir.meanings import Meanings
from ...ir.types import Extent, MemrefType
from ...ir.values import Value
from ...ops import Alloca, Expand, Expandc2r, Fuse, Subview
from ...ops.memory import DEFAULT_ALIGNMENT, STACK_OFFSET
from ...ops.views import Bound
from . import types
from .builder import Builder
from .numbers import Number, Numbers

_UPDATES = Meanings("MLIR, stores", {"atomic": ("assign", "assign"), "atomic_add": ("addi", "addf")})
"""The atomic operations on integers and on floats."""

Index = int | str
"""A known number, or the name of an index value."""
Bounds = Callable[[Bound], Index]
"""The types of a view's bound."""


@dataclass(frozen=True)
class Memref:
    """A memref in the text: its name, and its type in the language, which determines the type in MLIR."""

    name: str
    type: MemrefType
    begins: bool = False
    """Whether it begins where its memory does."""

    @property
    def text(self) -> str:
        return types.memref(self.type, self.begins)


@dataclass(frozen=True)
class Layout:
    """A memref's offset from its base, sizes and strides: in the language's order, in MLIR's numbers."""

    offset: Index
    shape: list[Index]
    strides: list[Index]
    span: int = 0
    """Elements of the memory that it lies in, where a target needs to know it."""


class Memory:
    """Writes what reads, writes and views memory. Indices are index values, in the language's order."""

    def __init__(self, to: Builder, numbers: Numbers) -> None:
        self._to = to
        self._numbers = numbers
        self._stack = ("", 0)
        self._first: Index = 0
        """The byte of local memory that places are counted from."""

    # Elements.

    def _places(self, memref: Memref, indices: Sequence[str]) -> list[str]:
        """An element: a memory reference per part, with the indices of each."""
        turned = list(reversed(indices))
        if not memref.type.element.is_complex:
            return [f"{memref.name}[{', '.join(turned)}]"]
        parts = [self._to.constant(part) for part in (0, 1)]
        return [f"{memref.name}[{', '.join([*turned, part])}]" for part in parts]

    def load(self, memref: Memref, indices: Sequence[str], hint: str = "v") -> Number:
        found = [self._to.op(f"memref.load {place} : {memref.text}", hint) for place in self._places(memref, indices)]
        return tuple(self._numbers.loaded(part, memref.type.element, hint) for part in found)

    def store(self, value: Number, memref: Memref, indices: Sequence[str]) -> None:
        for part, place in zip(value, self._places(memref, indices)):
            stored = self._numbers.to_store(part, memref.type.element)
            self._to.line(f"memref.store {stored}, {place} : {memref.text}")

    def update(self, kind: str, value: Number, memref: Memref, indices: Sequence[str]) -> None:
        """An atomic store ("atomic") or addition ("atomic_add"), of complex numbers part by part."""
        element = types.element(memref.type.element)
        operation = _UPDATES[kind][not memref.type.element.is_integer]
        for part, place in zip(value, self._places(memref, indices)):
            given = self._numbers.to_store(part, memref.type.element)
            self._to.op(
                f"memref.atomic_rmw {operation} {given}, {place} : ({element}, {memref.text}) -> {element}", "before"
            )

    def addresses(self, memref: Memref, indices: Sequence[str]) -> list[str]:
        """Pointers to the parts of an element."""
        layout, type_ = self._layout(memref), memref.type.element
        place = layout.offset
        for number, stride in zip(indices, layout.strides):
            place = self._sum(place, self._product(number, stride))
        begin = self._to.op(f"memref.extract_aligned_pointer_as_index {memref.name} : {memref.text} -> index")
        found = []
        for part in range(2 if type_.is_complex else 1):
            address = self._sum(begin, self._product(self._sum(place, part), type_.component.size))
            number = self._to.op(f"arith.index_cast {self._name(address)} : index to i64")
            found.append(self._to.op(f"llvm.inttoptr {number} : i64 to !llvm.ptr", "place"))
        return found

    def size(self, memref: Memref, mode: int, hint: str = "size") -> str:
        """The size of a mode, in the language's order."""
        known = memref.type.shape[mode]
        if isinstance(known, int):
            return self._to.constant(known)
        place = self._to.constant(memref.type.order - 1 - mode)
        return self._to.op(f"memref.dim {memref.name}, {place} : {memref.text}", hint)

    # Local memory.

    def begin(self, size: int, alignment: int) -> None:
        """Allocate local memory of so many bytes at the function's top: in a loop the stack would grow."""
        type_ = f"memref<{size}xi8>"
        stack = self._to.op(f"memref.alloca() {{alignment = {DEFAULT_ALIGNMENT} : i64}} : {type_}", "stack")
        self._stack = (stack, size)
        self._first = self.first_aligned(stack, type_, alignment)

    def first_aligned(self, stack: str, type_: str, alignment: int) -> Index:
        """The first byte of local memory whose address is a multiple of a number."""
        if alignment == DEFAULT_ALIGNMENT:
            return 0
        address = self._to.op(f"memref.extract_aligned_pointer_as_index {stack} : {type_} -> index", "address")
        unit = self._to.constant(alignment)
        over = self._to.op(f"arith.remui {address}, {unit} : index", "over")
        under = self._to.op(f"arith.subi {unit}, {over} : index", "under")
        return self._to.op(f"arith.remui {under}, {unit} : index", "first")

    def place_of(self, op: Alloca) -> str:
        """Where an alloca begins in local memory, as the pass stack-layout says."""
        return self._name(self._sum(self._first, op.attributes[STACK_OFFSET]))

    def local(self, op: Alloca) -> Memref:
        """The memref of an alloca, at the place that the pass stack-layout gave it."""
        type_: MemrefType = op.result.type
        stack, size = self._stack
        place = self.place_of(op)
        numbers = type_.span * (2 if type_.element.is_complex else 1)
        flat = f"memref<{numbers}x{types.element(type_.element)}>"
        part = self._to.op(f"memref.view {stack}[{place}][] : memref<{size}xi8> to {flat}", "part")
        return self._reinterpreted(part, flat, Layout(0, [], []), type_, op.result.name or "local")

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
        strides = [before.strides[op.mode]]
        for size in shape[:-1]:
            strides.append(self._product(strides[-1], size))
        return self._viewed(memref, _with_modes(before, op.mode, op.mode, shape, strides), op.result)

    def fuse(self, op: Fuse, memref: Memref) -> Memref:
        before = self._layout(memref)
        size: Index = 1
        for other in before.shape[op.first : op.last + 1]:
            size = self._product(size, other)
        after = _with_modes(before, op.first, op.last, [size], [before.strides[op.first]])
        return self._viewed(memref, after, op.result)

    def expandc2r(self, op: Expandc2r, memref: Memref) -> Memref:
        """The same memref: a complex one has its parts as a last mode of MLIR's."""
        same = Memref(memref.name, op.result.type, memref.begins)
        if same.text == memref.text:
            return same
        return Memref(self._to.op(f"memref.cast {memref.name} : {memref.text} to {same.text}", "parts"), same.type)

    def item(self, group: str, group_type: str, index: str, type_: MemrefType, hint: str) -> Memref:
        """The memref at a place of a group."""
        return Memref(self._to.op(f"memref.load {group}[{index}] : {group_type}", hint), type_)

    def _layout(self, memref: Memref) -> Layout:
        count = len(types.sizes(memref.type))
        name = memref.name[1:]
        base, offset = self._to.fresh(f"{name}_base"), self._to.fresh(f"{name}_offset")
        sizes, strides = self._to.fresh(f"{name}_sizes"), self._to.fresh(f"{name}_strides")
        results = ", ".join([base, offset, *(f"{many}:{count}" for many in (sizes, strides) if count)])
        indices = ", ".join(["index"] * (1 + 2 * count))
        element = types.element(memref.type.element)
        self._to.line(
            f"{results} = memref.extract_strided_metadata {memref.name} : {memref.text} -> memref<{element}>, {indices}"
        )
        return Layout(
            offset,
            _known(memref.type, types.sizes(memref.type), sizes),
            _known(memref.type, types.strides(memref.type), strides),
        )

    def _viewed(self, memref: Memref, layout: Layout, result: Value) -> Memref:
        hint = result.name or f"{memref.name[1:]}_view"
        return self._reinterpreted(memref.name, memref.text, layout, result.type, hint)

    def _reinterpreted(self, name: str, text: str, layout: Layout, type_: MemrefType, hint: str) -> Memref:
        """A memref of another layout in the same memory; static sizes and strides come from the type."""

        def listed(static: list[Extent], computed: list[Index]) -> str:
            turned = computed[::-1]
            return ", ".join(str(n) if isinstance(n, int) else self._name(turned[at]) for at, n in enumerate(static))

        sizes, strides = listed(types.sizes(type_), layout.shape), listed(types.strides(type_), layout.strides)
        places = f"offset: [{self._name(layout.offset)}], sizes: [{sizes}], strides: [{strides}]"
        view = self._to.op(f"memref.reinterpret_cast {name} to {places} : {text} to {types.memref(type_)}", hint)
        return Memref(view, type_)

    # Index arithmetic.

    def _name(self, index: Index) -> str:
        return self._to.constant(index) if isinstance(index, int) else index

    def _product(self, a: Index, b: Index) -> Index:
        if isinstance(a, int) and isinstance(b, int):
            return a * b
        if 1 in (a, b):
            return b if a == 1 else a
        return 0 if 0 in (a, b) else self._to.op(f"arith.muli {self._name(a)}, {self._name(b)} : index")

    def _sum(self, a: Index, b: Index) -> Index:
        if isinstance(a, int) and isinstance(b, int):
            return a + b
        if 0 in (a, b):
            return b if a == 0 else a
        return self._to.op(f"arith.addi {self._name(a)}, {self._name(b)} : index")


def _known(type_: MemrefType, static: list[Extent], found: str) -> list[Index]:
    """Sizes or strides in the language's order, where those that are not known have a name."""
    entries: list[Index] = [n if isinstance(n, int) else f"{found}#{at}" for at, n in enumerate(static)]
    return entries[type_.order - 1 :: -1] if type_.order else []


def static_layout(type_: MemrefType) -> Layout | None:
    """The layout of a memref that begins where its memory does; None where its type leaves something open."""
    shape, strides = _known(type_, types.sizes(type_), ""), _known(type_, types.strides(type_), "")
    return Layout(0, shape, strides) if all(isinstance(n, int) for n in (*shape, *strides)) else None


def _with_modes(layout: Layout, first: int, last: int, shape: list[Index], strides: list[Index]) -> Layout:
    """The layout with some modes, from the first to the last, replaced."""
    return Layout(
        layout.offset,
        [*layout.shape[:first], *shape, *layout.shape[last + 1 :]],
        [*layout.strides[:first], *strides, *layout.strides[last + 1 :]],
    )
