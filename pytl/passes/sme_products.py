"""sme-products: which tiles of Arm's matrix extension compute each product, and in which order."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ..ir.operation import Operation
from ..ir.types import Extent
from ..ir.values import Function, Region
from ..ops import Update
from ..ops.updates import is_transposed
from .lower_collectives import check_without
from .manager import Pass, register
from .targets import vector
from .targets.machine import MACHINES, Machine
from .targets.outer_products import BLOCK, FACTORS, SLICES, STEPS, TURNED, OuterProducts, tiles_of
from .targets.sme import Product, product_of


@register
@dataclass(frozen=True)
class SmeProducts(Pass):
    """Makes a `cpu.outer_products` of each product that tiles compute, with the shape of its blocks of tiles.

    `without` names factor types for which there is no outer product. `bits` is the vectors' length where it is known;
    otherwise the code is right for all lengths.
    """

    name = "sme-products"
    of_called = True
    machine: Machine = MACHINES["sme"]
    without: tuple[str, ...] = ()
    bits: int = 0

    def __post_init__(self) -> None:
        check_without(self.name, self.without)

    def run(self, function: Function) -> None:
        self._decide(function.body)

    def _decide(self, region: Region) -> None:
        operations: list[Operation] = []
        for op in region.operations:
            product = product_of(op, self.without) if isinstance(op, Update) else None
            if product is not None:
                body = Region("collective", operations=[op], location=op.location)
                op = OuterProducts(op.location, attributes=self._attributes(op, product), body=body)
            else:
                for inner in op.regions:
                    self._decide(inner)
            operations.append(op)
        region.operations = operations

    def _attributes(self, op: Any, product: Product) -> dict[str, Any]:
        costs = self.machine.outer_products
        return {
            FACTORS: product.factor.name,
            BLOCK: list(self._block(op, product)),
            STEPS: costs.steps_of_length if self.bits else costs.steps,
            SLICES: costs.slices,
            TURNED: costs.turned if self.bits else 1,
        }

    def _block(self, op: Any, product: Product) -> tuple[int, int]:
        """The tiles of a block: those that cost the least, none of which is empty."""
        columns, rows, steps = _sizes(op)
        parts = 2 if op.updated.type.element.is_complex else 1
        if not (self.bits and isinstance(rows, int) and isinstance(columns, int)):
            # a mode that fits into one vector of the shortest length never needs two vectors
            down, right = (1 if isinstance(e, int) and e <= product.lanes else 2 for e in (rows, columns))
            return down, min(right, 2 // parts)
        length, costs = self.bits // vector.SEGMENT * product.lanes, self.machine.outer_products
        below, beside = -(-rows // length), -(-columns // length)
        groups = -(-steps // product.ways) if isinstance(steps, int) else costs.typical

        def cost(shape: tuple[int, int]) -> float:
            blocks = -(-below // shape[0]), -(-beside // shape[1])
            loads = below * blocks[1] + parts * beside * blocks[0]
            return costs.load * loads * groups + costs.block * blocks[0] * blocks[1]

        tiles = tiles_of(op, product)
        shapes = [(down, tiles // down) for down in range(1, tiles + 1)]
        return min(((max(min(down, below), 1), max(min(right, beside), 1)) for down, right in shapes), key=cost)


def _sizes(op: Any) -> tuple[Extent, Extent, Extent]:
    """The size of each mode of the result, and the number of steps of the sum."""
    first = op.factors[0]
    left = getattr(op, first).type
    steps = 1 if left.order == 1 else left.shape[0 if is_transposed(op, first) else 1]
    rows, columns = op.updated.type.shape
    return rows, columns, steps
