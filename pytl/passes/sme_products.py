"""sme-products: which tiles of Arm's matrix extension compute each product, and in which order."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ..ir.operation import Operation
from ..ir.types import Extent, index
from ..ir.values import Function, Region, Value
from ..ops import Builtin, Update
from ..ops.updates import is_transposed
from ..ops.views import root_of
from .analysis.accesses import all_accesses
from .analysis.uses import written_roots
from .cpu_items import replace_group_id, take_invariant
from .lower_collectives import check_without
from .manager import Pass, register
from .targets import cpu, vector
from .targets.machine import MACHINES, Machine
from .targets.outer_products import (
    BLOCK,
    FACTORS,
    HELD,
    ONCE,
    SLICES,
    STACK_BYTES,
    STEPS,
    TURNED,
    UNROLL_SLICES,
    OuterProducts,
    is_packed,
    panel_bytes,
    tiles_of,
)
from .targets.sme import Product, product_of


@register
@dataclass(frozen=True)
class SmeProducts(Pass):
    """Makes a `cpu.outer_products` of each product that tiles compute, with the shape of its blocks of tiles.

    Where factors are packed that are the same for all work-groups, a `cpu.items` is made of what a work-group does.
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
        if function.is_kernel:
            _share(function, self.machine.items.max_items)

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
            UNROLL_SLICES: costs.max_unrolled_slices,
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


def _share(function: Function, items: int) -> None:
    """Say which factors are packed, and whose panels are allocated, in front of the loop over work-groups."""
    invariant = _Invariant(function)
    is_worth = False
    for op in list(function.walk()):
        if not isinstance(op, OuterProducts):
            continue
        update, product = op.update, op.product
        packed = [n for n, name in enumerate(update.factors) if is_packed(update, name, product)]
        factors = [getattr(update, name) for name in update.factors]
        once = [n for n in packed if invariant.is_read_alone(op, factors[n])]
        sizes = {n: panel_bytes(update, update.factors[n], product) for n in packed}
        held = [n for n, size in sizes.items() if (factors[n] in invariant if size is None else size > STACK_BYTES)]
        op.attributes.update({name: found for name, found in ((ONCE, once), (HELD, held)) if found})
        is_worth |= bool(once or held)
    if is_worth and not any(isinstance(op, cpu.Items) for op in function.body.operations):
        body = Region("collective", [Value(index, "group", function.location)], function.body.operations)
        replace_group_id(body)
        operations = take_invariant(body)
        loop = cpu.Items(function.location, attributes={cpu.ITEMS: items}, body=body)
        function.body.operations = [*operations, loop]


class _Invariant:
    """The tensors that are the same for all work-groups."""

    def __init__(self, function: Function) -> None:
        self._values = {*function.parameters}
        for op in function.body.operations:
            if op.pure and not op.regions and not isinstance(op, Builtin) and self._values.issuperset(op.operands):
                self._values.update(op.results)
        self._written = written_roots(function)
        self._before: set[Operation] = set()
        """What a work-group executes until it writes memory that others may read, which may be what is read later."""
        for op in function.body.operations:
            self._before.add(op)
            if any(access.writes and access.space == "global" for access in all_accesses(op)):
                break

    def __contains__(self, tensor: Value) -> bool:
        return tensor in self._values

    def is_read_alone(self, op: Operation, tensor: Value) -> bool:
        """Whether an instruction reads what no work-group has written."""
        return op in self._before and tensor in self and root_of(tensor) not in self._written
