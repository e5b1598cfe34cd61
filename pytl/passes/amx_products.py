"""amx-products: products of matrices as vector code on a processor's tile registers.

Tile registers are configured once, for all products of a function. What is packed for them is packed in front of each
product, by code of its own, so that `cpu-items` takes it out of the loop over work-groups where all share the factor.
"""

from __future__ import annotations

from collections.abc import Callable

from ..ir.operation import Operation
from ..ir.types import MemrefType, ScalarType
from ..ir.values import Function, Region, Value
from ..ops import Gemm
from ..ops.builder import Builder
from ..ops.updates import TRANSPOSES
from ..process.records import dataclass
from .manager import Pass, register
from .packs import LocalMemoryBudget, pack_left
from .targets.amx import (
    DWORD,
    MATRIX_UNIT,
    TILE_SHAPE,
    TileShape,
    is_legal_for_tiles,
    pieces,
    sizes_of,
    tile_factors,
    tile_shape_of,
    uses_tiles,
    words_of,
)
from .targets.machine import DEFAULT, Machine
from .vectors import amx
from .vectors.code import Code


@register
@dataclass(frozen=True)
class AmxProducts(Pass):
    """Makes a `vector.code` of each product that tile registers compute, and says which tiles these are."""

    name = "amx-products"
    machine: Machine = DEFAULT

    def run(self, function: Function) -> None:
        if function.attributes.get(MATRIX_UNIT) != "amx":
            return
        factors = tile_factors(self.machine)
        products = [op for op in function.walk() if isinstance(op, Gemm) and is_legal_for_tiles(op, factors)]
        shape = tile_shape_of(products, self.machine)
        if shape is not None:
            function.attributes[TILE_SHAPE] = [shape.rows, shape.columns, DWORD * shape.dwords]
            room = LocalMemoryBudget(function, self.machine.caches.line)
            _Products(shape, room, {op for op in products if uses_tiles(op, shape, self.machine)}).write(function.body)


class _Products:
    def __init__(self, shape: TileShape, room: LocalMemoryBudget, products: set[Gemm]) -> None:
        self.shape = shape
        self.room = room
        self.products = products

    def write(self, region: Region) -> None:
        operations: list[Operation] = []
        for op in region.operations:
            for inner in op.regions:
                self.write(inner)
            operations += self._product(op) if isinstance(op, Gemm) and op in self.products else [op]
        region.operations = operations

    def _product(self, op: Gemm) -> list[Operation]:
        """A product as vector code, with copies in front of it; itself without room for factors that need them."""
        builder = Builder(op.location)
        for name in ("A", "B"):
            factor, is_transposed = getattr(op, name), TRANSPOSES[getattr(op, f"transpose_{name.lower()}")]
            if factor.type.strides[0] == 1 and not (is_transposed and name == "B"):
                continue  # what packs the left factor turns it, too
            copy = self.room.take(builder, factor.type, factor.type.element, False, is_transposed)
            if copy is None:
                return [*builder.operations, op]
            pack_left(builder, factor, copy, is_transposed)
            setattr(op, name, copy)
            setattr(op, f"transpose_{name.lower()}", "n")
        rows, _, inner = sizes_of(op)
        deep = pieces(inner, self.shape.dwords * words_of(op.A.type))
        type_ = amx.packed_type(op, self.shape, pieces(rows, self.shape.rows), deep)
        packed = self._copy(builder, op, type_, amx.pack)
        padded = self._copy(builder, op, amx.padded_type(op, self.shape), amx.pad)
        sums = self._memory(builder, amx.sums_type(op, self.shape), in_turn=True)
        code = Code(op.location)
        amx.write(code, op, self.shape, packed, padded, sums)
        return [*builder.operations, code.finished()]

    def _copy(
        self, builder: Builder, op: Gemm, type_: MemrefType | None, fill: Callable[[Code, Gemm, TileShape, Value], None]
    ) -> Value | None:
        """A copy of a factor, where one is needed and there is room."""
        copy = self._memory(builder, type_)
        if copy is not None:
            code = Code(op.location)
            fill(code, op, self.shape, copy)
            builder.add(code.finished())
        return copy

    def _memory(self, builder: Builder, type_: MemrefType | None, in_turn: bool = False) -> Value | None:
        """An alloca, where one is needed and there is room; those of all products `in_turn` have one place."""
        if type_ is None:
            return None
        element = type_.element
        assert isinstance(element, ScalarType)
        return self.room.take(builder, type_, element, False, False, in_turn)
