"""Memory of a GPU: addresses and layouts of memrefs, elements of global and of local memory."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

from ...ir.types import MemrefType
from ...ir.values import Value
from ...ops import Alloca, Expandc2r
from ..mlir import types
from ..mlir.memory import Index, Layout, Memory, Memref, static_layout
from ..mlir.numbers import Number

LOAD_HINTS = "<{l1_hint = #xegpu.cache_hint<cached>, l3_hint = #xegpu.cache_hint<cached>}>"
STORE_HINTS = "<{l1_hint = #xegpu.cache_hint<write_back>, l3_hint = #xegpu.cache_hint<write_back>}>"


@dataclass(frozen=True)
class Place(Memref):
    """A memref, without a value in the text: `name` is an address of global memory, or a flat local memref.

    The layout is in the language's order, in elements of memory from there.
    """

    layout: Layout = field(default_factory=lambda: Layout(0, [], []))
    is_parameter: bool = False
    """Whether its layout is known from the function's top on."""

    @property
    def is_local(self) -> bool:
        return self.type.space == "local"

    @property
    def flat(self) -> str:
        """The type of the flat memref of local memory."""
        span = self.layout.span
        return f"memref<{span}x{types.element(self.type.element)}, 3>"


class GpuMemory(Memory):
    """Writes accesses by addresses."""

    # Parameters and views.

    def parameter(self, name: str, type_: MemrefType) -> Place:
        """The place of a parameter, whose descriptor begins at its first element."""
        memref = Memref(name, type_, True)
        layout = static_layout(type_) or super()._layout(memref)
        return Place(self._address(memref), type_, layout=Layout(0, layout.shape, layout.strides), is_parameter=True)

    def item(self, group: str, group_type: str, index: str, type_: MemrefType, hint: str) -> Place:
        memref = super().item(group, group_type, index, type_, hint)
        layout = super()._layout(memref)
        address = self.beyond(self._address(memref), type_, layout.offset)
        return Place(address, type_, layout=Layout(0, layout.shape, layout.strides))

    def _address(self, memref: Memref) -> str:
        name = memref.name[1:]
        pointer = self._to.op(
            f"memref.extract_aligned_pointer_as_index {memref.name} : {memref.text} -> index", f"{name}_pointer"
        )
        return self._to.op(f"arith.index_cast {pointer} : index to i64", f"{name}_address")

    def beyond(self, address: str, type_: MemrefType, offset: Index) -> str:
        """An address so many numbers beyond another one."""
        size = type_.element.component.size
        if isinstance(offset, int):
            if offset == 0:
                return address
            return self._to.op(f"arith.addi {address}, {self._to.constant(offset * size, 'i64')} : i64", "address")
        wide = self._to.op(f"arith.index_cast {offset} : index to i64")
        far = self._to.op(f"arith.muli {wide}, {self._to.constant(size, 'i64')} : i64")
        return self._to.op(f"arith.addi {address}, {far} : i64", "address")

    def _layout(self, memref: Memref) -> Layout:
        assert isinstance(memref, Place)
        return memref.layout

    def _viewed(self, memref: Memref, layout: Layout, result: Value) -> Place:
        assert isinstance(memref, Place)
        span = memref.layout.span
        placed = Layout(layout.offset, layout.shape, layout.strides, span)
        return Place(memref.name, result.type, layout=placed)

    def expandc2r(self, op: Expandc2r, memref: Memref) -> Place:
        """The same memory, whose strides count numbers anyway: the two of an element are its first mode."""
        assert isinstance(memref, Place)
        shape, strides = [2, *memref.layout.shape], [1, *memref.layout.strides]
        return replace(memref, type=op.result.type, layout=replace(memref.layout, shape=shape, strides=strides))

    def size(self, memref: Memref, mode: int, hint: str = "size") -> str:
        return self._name(self._layout(memref).shape[mode])

    # Local memory.

    def begin_shared(self, stack: str, size: int, alignment: int) -> None:
        """Local memory of so many bytes, which the function has as a memref."""
        self._stack = stack, size
        self._first = self.first_aligned(stack, f"memref<{size}xi8, 3>", alignment)

    def local(self, op: Alloca) -> Place:
        type_: MemrefType = op.result.type
        stack, size = self._stack
        numbers = type_.span * (2 if type_.element.is_complex else 1)
        offset = self.place_of(op)
        flat = f"memref<{numbers}x{types.element(type_.element)}, 3>"
        name = self._to.op(
            f"memref.view {stack}[{offset}][] : memref<{size}xi8, 3> to {flat}", op.result.name or "local"
        )
        turned = types.sizes(type_), types.strides(type_)
        shape, strides = ([*reversed(each[: type_.order])] for each in turned)
        return Place(name, type_, layout=Layout(0, shape, strides, numbers))  # type: ignore[arg-type]

    # Elements.

    def position(self, place: Place, indices: Sequence[str]) -> str:
        """The offset of an element's first number from the address."""
        total: Index = place.layout.offset
        for index, stride in zip(indices, place.layout.strides):
            total = self._sum(total, self._product(index, stride))
        return self._name(total)

    def numbers_at(self, place: Place, indices: Sequence[str]) -> list[str]:
        """The offsets of an element's numbers: one, or two of a complex one."""
        first = self.position(place, indices)
        if not place.type.element.is_complex:
            return [first]
        return [first, self._name(self._sum(first, 1))]

    def load(self, memref: Memref, indices: Sequence[str], hint: str = "v") -> Number:
        assert isinstance(memref, Place)
        found = [self.read(memref, at, hint=hint) for at in self.numbers_at(memref, indices)]
        return tuple(self._numbers.loaded(part, memref.type.element, hint) for part in found)

    def store(self, value: Number, memref: Memref, indices: Sequence[str]) -> None:
        assert isinstance(memref, Place)
        for part, at in zip(value, self.numbers_at(memref, indices)):
            self.write(self._numbers.to_store(part, memref.type.element), memref, at)

    def read(self, place: Place, at: str, mask: str | None = None, hint: str = "v", padding: str | None = None) -> str:
        """A number in the form of memory; under a mask it is the padding where that is false, or zero."""
        element = types.element(place.type.element)
        other = "" if mask is None else padding or self.zero(element)
        if place.is_local:
            load = f"memref.load {place.name}[{at}] : {place.flat}"
            if mask is None:
                return self._to.op(load, hint)
            return self.under(mask, element, lambda: self._to.op(load), other, hint)
        given = mask or self._to.constant(True, "i1")
        text = f"xegpu.load {place.name}[{at}], {given} {LOAD_HINTS} : i64, index, i1 -> {element}"
        found = self._to.op(text, hint)
        if mask is None:
            return found
        return self._to.op(f"arith.select {mask}, {found}, {other} : {element}", hint)

    def under(self, mask: str, element: str, given: Callable[[], str], other: str, hint: str) -> str:
        """A number where the mask is true, and another one where nothing is executed."""
        name = self._to.fresh(hint)
        with self._to.block(f"{name} = scf.if {mask} -> ({element})"):
            self._to.line(f"scf.yield {given()} : {element}")
            self._to.otherwise()
            self._to.line(f"scf.yield {other} : {element}")
        return name

    def zero(self, element: str) -> str:
        """A zero of a type of memory."""
        return self._to.constant(0 if element.startswith("i") else 0.0, element)

    def write(self, value: str, place: Place, at: str, mask: str | None = None) -> None:
        """Store a number."""
        if not place.is_local:
            element, given = types.element(place.type.element), mask or self._to.constant(True, "i1")
            self._to.line(f"xegpu.store {value}, {place.name}[{at}], {given} {STORE_HINTS} : {element}, i64, index, i1")
            return
        store = f"memref.store {value}, {place.name}[{at}] : {place.flat}"
        if mask is None:
            self._to.line(store)
        else:
            with self._to.block(f"scf.if {mask}"):
                self._to.line(store)
