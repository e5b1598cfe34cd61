"""Memory of a GPU: addresses and layouts of memrefs, elements of global and of local memory."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import field, replace

from ...ir import values
from ...ir.types import MemrefType
from ...mlir.text.builder import Value
from ...mlir.text.tree import Raw, of_dialect
from ...mlir.text.types import I1, I64, Opaque, Scalar
from ...ops import Alloca, Expandc2r
from ...process.records import dataclass
from ..mlir import types
from ..mlir.memory import Index, Layout, Memory, Memref, static_layout
from ..mlir.numbers import Number

SHARED = "3"
"""The memory space of a work-group."""


POINTERS = {"global": Opaque("!llvm.ptr<1>"), "local": Opaque(f"!llvm.ptr<{SHARED}>")}
"""LLVM's types of pointers, by the space of what is there."""


def _hints(word: str) -> dict[str, Raw]:
    hint = of_dialect("xegpu.cache_hint", word)
    return {"l1_hint": hint, "l3_hint": hint}


LOAD_HINTS, STORE_HINTS = _hints("cached"), _hints("write_back")


def descriptor(shape: Sequence[int], element: Scalar, *attributes: Raw) -> Opaque:
    """The type of the descriptor of a block, or of places."""
    words = [f"{'x'.join(map(str, shape))}x{element}", *(attribute.text for attribute in attributes)]
    return Opaque(f"!xegpu.tensor_desc<{', '.join(words)}>", tuple(shape), element, attributes)


@dataclass(frozen=True)
class GpuMemref(Memref):
    """A memref that is no memref in MLIR: its value is an address of global memory, or a flat local memref.

    The layout is in the language's order, in elements of memory from there.
    """

    layout: Layout = field(default_factory=lambda: Layout(0, [], []))
    is_parameter: bool = False
    """Whether its layout is known from the function's top on."""

    @property
    def is_local(self) -> bool:
        return self.type.space == "local"


class GpuMemory(Memory):
    """Writes accesses by addresses."""

    # Parameters and views.

    def parameter(self, memref: Value, type_: MemrefType) -> GpuMemref:
        """The place of a parameter, whose descriptor begins at its first element."""
        source = Memref(memref, type_)
        layout = static_layout(type_) or super()._layout(source)
        return GpuMemref(
            self._address(source), type_, layout=Layout(0, layout.shape, layout.strides), is_parameter=True
        )

    def item(self, group: Value, index: Value, type_: MemrefType, hint: str) -> GpuMemref:
        known = static_layout(type_)
        if known is not None:
            return GpuMemref(self._to.op("memref.load", group, index, hint=hint), type_, layout=known)
        memref = super().item(group, index, type_, hint)
        layout = super()._layout(memref)
        address = self.beyond(self._address(memref), type_, layout.offset)
        return GpuMemref(address, type_, layout=Layout(0, layout.shape, layout.strides))

    def _address(self, memref: Memref) -> Value:
        pointer = self._to.op("memref.extract_aligned_pointer_as_index", memref.value, hint=f"{memref.name}_pointer")
        return self._to.op("arith.index_cast", pointer, type=I64, hint=f"{memref.name}_address")

    def beyond(self, address: Value, type_: MemrefType, offset: Index) -> Value:
        """An address so many numbers beyond another one."""
        size = type_.element.component.size
        if isinstance(offset, int):
            if offset == 0:
                return address
            return self._to.op("arith.addi", address, self._to.constant(offset * size, I64), hint="address")
        wide = self._to.op("arith.index_cast", offset, type=I64)
        far = self._to.op("arith.muli", wide, self._to.constant(size, I64))
        return self._to.op("arith.addi", address, far, hint="address")

    def _layout(self, memref: Memref) -> Layout:
        assert isinstance(memref, GpuMemref)
        return memref.layout

    def _viewed(self, memref: Memref, layout: Layout, result: values.Value) -> GpuMemref:
        assert isinstance(memref, GpuMemref)
        return GpuMemref(memref.value, result.type, layout=layout)

    def expandc2r(self, op: Expandc2r, memref: Memref) -> GpuMemref:
        """The same memory, whose strides count numbers anyway: the two of an element are its first mode."""
        assert isinstance(memref, GpuMemref)
        shape, strides = [2, *memref.layout.shape], [1, *memref.layout.strides]
        return replace(memref, type=op.result.type, layout=replace(memref.layout, shape=shape, strides=strides))

    def size(self, memref: Memref, mode: int, hint: str = "size") -> Value:
        return self._index(self._layout(memref).shape[mode])

    # Local memory.

    def begin_shared(self, stack: Value, alignment: int) -> None:
        """Local memory, which the function has as a memref."""
        self._stack = stack
        self._first = self._first_aligned(alignment)

    def local(self, op: Alloca) -> GpuMemref:
        type_: MemrefType = op.result.type
        part = self._part(op, op.result.name or "local", SHARED)
        turned = types.sizes(type_), types.strides(type_)
        shape, strides = ([*reversed(each[: type_.order])] for each in turned)
        return GpuMemref(part, type_, layout=Layout(0, shape, strides))  # type: ignore[arg-type]

    # Elements.

    def position(self, memref: GpuMemref, indices: Sequence[Value]) -> Value:
        """The offset of an element's first number from the address."""
        total: Index = memref.layout.offset
        for index, stride in zip(indices, memref.layout.strides):
            total = self._sum(total, self._product(index, stride))
        return self._index(total)

    def numbers_at(self, memref: GpuMemref, indices: Sequence[Value]) -> list[Value]:
        """The offsets of an element's numbers: one, or two of a complex one."""
        first = self.position(memref, indices)
        if not memref.type.element.is_complex:
            return [first]
        return [first, self._index(self._sum(first, 1))]

    def addresses(self, memref: Memref, indices: Sequence[Value]) -> list[Value]:
        assert isinstance(memref, GpuMemref)
        begin = memref.value if not memref.is_local else self._address(memref)
        places = [self.beyond(begin, memref.type, at) for at in self.numbers_at(memref, indices)]
        type_ = POINTERS["local" if memref.is_local else "global"]
        return [self._to.op("llvm.inttoptr", place, type=type_, hint="place") for place in places]

    def load(self, memref: Memref, indices: Sequence[Value], hint: str = "v") -> Number:
        assert isinstance(memref, GpuMemref)
        parts = [self.read(memref, at, hint=hint) for at in self.numbers_at(memref, indices)]
        return tuple(self._numbers.loaded(part, memref.type.element, hint) for part in parts)

    def store(self, value: Number, memref: Memref, indices: Sequence[Value]) -> None:
        assert isinstance(memref, GpuMemref)
        for part, at in zip(value, self.numbers_at(memref, indices)):
            self.write(self._numbers.to_store(part, memref.type.element), memref, at)

    def read(
        self, memref: GpuMemref, at: Value, mask: Value | None = None, hint: str = "v", padding: Value | None = None
    ) -> Value:
        """A number in the form of memory; under a mask it is the padding where that is false, or zero."""
        element = types.element(memref.type.element)
        other = None if mask is None else padding or self.zero(element)
        if memref.is_local:
            if mask is None or other is None:
                return self._to.op("memref.load", memref.value, at, hint=hint)
            return self.predicated(mask, lambda: self._to.op("memref.load", memref.value, at), other, hint)
        active = mask or self._to.constant(True, I1)
        loaded = self._to.op("xegpu.load", memref.value, at, active, type=element, hint=hint, **LOAD_HINTS)
        if mask is None or other is None:
            return loaded
        return self._to.op("arith.select", mask, loaded, other, hint=hint)

    def predicated(self, mask: Value, compute: Callable[[], Value], other: Value, hint: str) -> Value:
        """A number where the mask is true, and another one where nothing is executed."""
        with self._to.branch(mask, [other.type], hint) as branch:
            branch.give([compute()])
        with branch.otherwise():
            branch.give([other])
        return branch.results[0]

    def zero(self, element: Scalar) -> Value:
        """Zero of a type of memory."""
        return self._to.constant(0 if element.name.startswith("i") else 0.0, element)

    def write(self, value: Value, memref: GpuMemref, at: Value, mask: Value | None = None) -> None:
        """Store a number."""
        if not memref.is_local:
            active = mask or self._to.constant(True, I1)
            self._to.do("xegpu.store", value, memref.value, at, active, **STORE_HINTS)
        elif mask is None:
            self._to.do("memref.store", value, memref.value, at)
        else:
            with self._to.branch(mask):
                self._to.do("memref.store", value, memref.value, at)
