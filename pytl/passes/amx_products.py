"""amx-products: products of matrices as vector code on a processor's tile registers.

Tile registers are configured once, for the largest product; those that need other tiles are left to vectors.
"""

from __future__ import annotations

from math import prod

from ..ir.operation import Operation
from ..ir.values import Function, Region
from ..ops import Gemm
from ..ops.builder import Builder
from ..ops.updates import TRANSPOSES
from ..process.records import dataclass
from .manager import Pass, register
from .packs import LocalMemoryBudget, pack_left
from .targets.amx import MATRIX_UNIT, TILE_SHAPE, TileShape, is_legal_for_tiles, sizes_of, tile_shape_of
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
        products = [op for op in function.walk() if isinstance(op, Gemm) and is_legal_for_tiles(op)]
        if products:
            shape = tile_shape_of(max(products, key=lambda op: prod(sizes_of(op))))
            function.attributes[TILE_SHAPE] = [shape.rows, shape.columns, shape.inner]
            _Products(shape, LocalMemoryBudget(function, self.machine.caches.line)).write(function.body)


class _Products:
    def __init__(self, shape: TileShape, room: LocalMemoryBudget) -> None:
        self.shape = shape
        self.room = room

    def write(self, region: Region) -> None:
        operations: list[Operation] = []
        for op in region.operations:
            for inner in op.regions:
                self.write(inner)
            if isinstance(op, Gemm) and is_legal_for_tiles(op) and tile_shape_of(op) == self.shape:
                operations += self._product(op)
            else:
                operations.append(op)
        region.operations = operations

    def _product(self, op: Gemm) -> list[Operation]:
        """A product as vector code, and copies of factors whose columns are not contiguous; itself without room."""
        builder = Builder(op.location)
        for name in ("A", "B"):
            factor, is_transposed = getattr(op, name), TRANSPOSES[getattr(op, f"transpose_{name.lower()}")]
            if is_transposed or factor.type.strides[0] != 1:
                copy = self.room.take(builder, factor.type, factor.type.element, False, is_transposed)
                if copy is None:
                    return [*builder.operations, op]
                pack_left(builder, factor, copy, is_transposed)
                setattr(op, name, copy)
                setattr(op, f"transpose_{name.lower()}", "n")
        code = Code(op.location)
        amx.write(code, op, self.shape)
        return [*builder.operations, code.finished()]
