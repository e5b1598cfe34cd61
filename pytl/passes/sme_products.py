"""sme-products: which tiles of Arm's matrix extension compute each product, and in which order."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Any

from ..ir.operation import Operation
from ..ir.values import Function, Region, Value
from ..ops import Alloca, Builtin, Load, Update
from ..ops.constants import constant_of
from ..ops.updates import is_transposed
from ..ops.views import root_of, size_of_view
from ..process.records import dataclass
from .analysis.accesses import all_accesses
from .analysis.uses import operations_for, written_roots
from .cpu_items import loop_in_step
from .lower_collectives import check_without
from .manager import Pass, register
from .packs import MAX_LOCAL, local_bytes
from .targets import cpu, vector
from .targets.costs import OuterProductCosts
from .targets.machine import MACHINES, Machine
from .targets.outer_products import (
    APART,
    BLOCK,
    BLOCKED,
    FACTORS,
    GROUPED,
    HELD,
    IN_BLOCKS,
    ONCE,
    PIECES,
    SCALED,
    SLICES,
    STACK_BYTES,
    STEPS,
    TURNED,
    UNROLL_SLICES,
    VARYING,
    OuterProducts,
    is_packed,
    may_scale,
    panel_sizes,
    tiles_of,
)
from .targets.sme import Product, by_pairs, has_unit_stride, is_along_sum, product_of
from .unroll_and_jam import finds_operands, unroll_and_jam


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
        if any(isinstance(op, OuterProducts) for op in function.walk()):
            return  # it is decided
        self._decide(function.body)
        scaling = _Scaling(self.machine, self.bits)
        if function.is_kernel:
            _share(function, self.machine, self.bits, scaling)
        else:
            for op in function.walk():
                if not isinstance(op, OuterProducts):
                    continue
                sizes = panel_sizes(op)
                if any(size is None or size > STACK_BYTES for size in sizes.values()):
                    _take_pieces(op, self.machine)
                else:
                    scaling.decide(op, [0, 1])

    def _decide(self, region: Region) -> None:
        operations: list[Operation] = []
        for op in region.operations:
            product = product_of(op, self.without) if isinstance(op, Update) else None
            if product is not None:
                product = by_pairs(product, op) if "sme2" in self.machine.features else product
                body = Region("collective", operations=[op], location=op.location)
                op = OuterProducts(op.location, attributes=self._attributes(op, product), body=body)
            else:
                for inner in op.regions:
                    self._decide(inner)
            operations.append(op)
        region.operations = operations

    def _attributes(self, op: Any, product: Product) -> dict[str, Any]:
        costs = self.machine.outer_products
        sizes = _Sizes.of(op, product, self.bits or vector.SEGMENT, costs.typical)
        # of many tiles, LLVM computes all addresses in front of the loop over work-groups, and spills them
        is_small = sizes.below * sizes.beside <= costs.few_tiles
        has_groups = "sme2" in self.machine.features
        block = _block(op, product, costs, self.bits, has_groups)
        blocked = _blocked(op, product, sizes, block) if self.bits and has_groups else []
        is_apart = not (self.bits or has_groups) and _has_known_lines(op) and sizes.groups >= costs.min_apart
        many = costs.steps_of_length if self.bits or is_apart else costs.steps
        if blocked and sizes.groups >= 4 * costs.steps_of_groups:
            many = costs.steps_of_groups
        others = (
            (BLOCKED, blocked),
            (IN_BLOCKS, _in_blocks(sizes) if blocked else 0),
            (GROUPED, 4 if has_groups else 0),
            (APART, is_apart),
        )
        return {
            FACTORS: product.name,
            BLOCK: list(block),
            STEPS: _steps(sizes.groups, costs.steps, many),
            SLICES: self._slices(product),
            UNROLL_SLICES: costs.max_unrolled_slices if is_small else costs.slices,
            TURNED: costs.turned if self.bits or self._has_tiles_to_turn(op, product) else 1,
            **{name: value for name, value in others if value},
        }

    def _slices(self, product: Product) -> int:
        """How many slices of a tile an iteration moves: never all that there are.

        LLVM sees that there is one iteration then, and has no register for the numbers of its slices.
        """
        most = self.machine.outer_products.slices * 4 // max(product.sum.size, 4)
        length = self.bits // vector.SEGMENT * product.lanes
        return max(min(most, length // 2), 1) if self.bits else most

    def _has_tiles_to_turn(self, op: Any, product: Product) -> bool:
        """Whether a factor that is turned has several tiles below and beside each other, of the machine's length."""
        sizes = _Sizes.of(op, product, self.machine.vector_bits, self.machine.outer_products.typical)
        return sizes.groups > sizes.length and any(
            extent > sizes.length and is_along_sum(op, name) and is_packed(op, name, product)
            for name, extent in zip(op.factors, (sizes.columns, sizes.rows))
        )


def _blocked(op: Any, product: Product, sizes: _Sizes, block: tuple[int, int]) -> list[int]:
    """The factors, by their positions, of whose panels an instruction of SME2 loads the vectors of several steps."""
    extents, counts = (sizes.columns, sizes.rows), block[::-1]
    if sizes.groups % 2 or not all(getattr(op, name).type.has_static_shape for name in op.factors):
        return []
    vectors = _in_blocks(sizes)
    return [
        position
        for position, (name, extent, count) in enumerate(zip(op.factors, extents, counts))
        if vectors <= count <= 2
        and extent % (vectors * sizes.length) == 0
        and is_packed(op, name, product)
        and _parts(op) == 1
    ]


def _in_blocks(sizes: _Sizes) -> int:
    """How many vectors a row of a block of a panel has, so that four vectors are those of whole steps."""
    return 1 if sizes.groups % 4 == 0 else 2


def _has_known_lines(op: Any) -> bool:
    """Whether it is known how far the lines of a product's factors are from each other."""
    return all(isinstance(n, int) for name in op.factors for n in getattr(op, name).type.strides)


def _steps(groups: int, few: int, many: int) -> int:
    """How many steps an iteration has: fewer where that leaves fewer for the code behind the loop."""
    return few if groups % many >= few else many


def _block(op: Any, product: Product, costs: OuterProductCosts, bits: int, has_groups: bool = False) -> tuple[int, int]:
    """The tiles of a block: those that cost the least, none of which is empty.

    `has_groups` says whether an instruction may load two or four vectors.
    """
    parts, sizes = _parts(op), _Sizes.of(op, product, bits, costs.typical)
    rows, columns = op.updated.type.shape[::-1]
    if not (bits and isinstance(rows, int) and isinstance(columns, int)):
        # a mode that fits into one vector of the shortest length never needs two vectors
        down, right = (1 if isinstance(e, int) and e <= product.lanes else 2 for e in (rows, columns))
        return down, min(right, 2 // parts)

    def cost(shape: tuple[int, int]) -> float:
        loads: float
        loads, blocks = sizes.loads(shape, parts)
        if has_groups:
            blocked = _blocked(op, product, sizes, shape)
            of_a_step = (
                count / 4 if position in blocked else 1 if count in (2, 4) else count
                for position, count in enumerate(shape[::-1])
            )
            right, down = of_a_step
            loads = blocks * (down + parts * right) * sizes.groups
        return costs.load * loads + costs.block * blocks

    tiles = tiles_of(op, product)
    shapes = [(down, tiles // down) for down in range(1, tiles + 1)]
    most = [(max(min(down, sizes.below), 1), max(min(right, sizes.beside), 1)) for down, right in shapes]
    return min(most, key=cost)


def costs_of_tiles(op: Any, product: Product, machine: Machine) -> float:
    """The cycles of a product by outer products, on a machine with vectors of its length."""
    costs, execution, parts = machine.outer_products, machine.execution, _parts(op)
    sizes = _Sizes.of(op, product, machine.vector_bits, costs.typical)
    loads, blocks = sizes.loads(_block(op, product, costs, machine.vector_bits), parts)
    products = sizes.below * sizes.beside * parts * sizes.groups
    moved = sizes.rows * sizes.beside * parts  # slices that are stored
    for name, extent, tiles in zip(op.factors, (sizes.columns, sizes.rows), (sizes.beside, sizes.below)):
        if is_packed(op, name, product):  # slices that are loaded, and columns that are stored
            moved += extent * -(-sizes.groups // sizes.length) + sizes.groups * tiles
    chain = sizes.groups * blocks * execution.fma_latency  # each product of a tile adds to what the one before it gave
    return (
        max(products / execution.fmas, loads / execution.loads, chain) + moved / execution.stores + costs.block * blocks
    )


@dataclass(frozen=True)
class _Scaling:
    """Which factors are multiplied by alpha, in place of the sums."""

    machine: Machine
    bits: int

    def decide(self, op: OuterProducts, positions: Sequence[int]) -> None:
        """Say which of some factors is, where that takes fewer instructions."""
        update: Any = op.update
        if not positions or not may_scale(update, op.product):
            return
        typical = self.machine.outer_products.typical
        sizes = _Sizes.of(update, op.product, self.bits or self.machine.vector_bits, typical)
        least = min(positions, key=lambda n: self._of_factor(op, n, sizes))
        if self._of_factor(op, least, sizes) < self._of_sums(op, sizes):
            op.attributes[SCALED] = [least]

    def _of_sums(self, op: OuterProducts, sizes: _Sizes) -> float:
        """The instructions beyond those of alpha = 1 where sums are multiplied."""
        update: Any = op.update
        beta = constant_of(update.beta)
        # otherwise rows of tiles are loaded and stored without vectors
        each = {0: 2, 1: 3}.get(beta, 1) if update.updated.type.element == op.product.sum else 1
        return each * sizes.rows * sizes.beside

    def _of_factor(self, op: OuterProducts, position: int, sizes: _Sizes) -> float:
        """The same where a factor is multiplied."""
        update, product, block = op.update, op.product, op.attributes[BLOCK]
        name = update.factors[position]
        type_ = getattr(update, name).type
        extent, tiles, times = (
            (sizes.columns, sizes.beside, -(-sizes.below // block[0])),
            (sizes.rows, sizes.below, -(-sizes.beside // block[1])),
        )[position]
        if not is_packed(update, name, product):
            return times * tiles * sizes.groups
        if not has_unit_stride(type_):
            count = extent * sizes.groups
        elif not is_along_sum(update, name):
            count = tiles * sizes.groups
        else:  # rows of tiles go through vectors, which they do anyway where types differ
            count = extent * -(-sizes.groups // sizes.length) * (2 if type_.element == product.factor else 1)
        return count / self.machine.outer_products.groups if position in op.attributes.get(ONCE, ()) else count


@dataclass(frozen=True)
class _Sizes:
    """The rows and columns of tiles that a product has, and how many groups of steps."""

    rows: int
    columns: int
    groups: int
    length: int
    """The rows of a tile."""

    @classmethod
    def of(cls, op: Any, product: Product, bits: int, typical: int) -> _Sizes:
        """Those of a gemm or ger, for vectors of a length; sizes that are not known are typical ones."""
        name = op.factors[0]
        left = getattr(op, name).type
        steps = 1 if left.order == 1 else left.shape[0 if is_transposed(op, name) else 1]
        columns, rows, steps = (n if isinstance(n, int) else typical for n in (*op.updated.type.shape, steps))
        return cls(rows, columns, -(-steps // product.ways), bits // vector.SEGMENT * product.lanes)

    @property
    def below(self) -> int:
        """Tiles that are below each other."""
        return -(-self.rows // self.length)

    @property
    def beside(self) -> int:
        """Tiles that are beside each other."""
        return -(-self.columns // self.length)

    def loads(self, shape: tuple[int, int], parts: int) -> tuple[int, int]:
        """How many vectors are loaded with blocks of a shape, and how many blocks there are."""
        blocks = -(-self.below // shape[0]), -(-self.beside // shape[1])
        loads = self.below * blocks[1] + parts * self.beside * blocks[0]
        return loads * self.groups, blocks[0] * blocks[1]


def _parts(op: Any) -> int:
    """How many tiles a tile of the result takes: complex numbers are in two."""
    return 2 if op.updated.type.element.is_complex else 1


def _share(function: Function, machine: Machine, bits: int, scaling: _Scaling) -> None:
    """Say what work-groups share: the panels of factors, and the steps of small products.

    Factors are packed, and panels allocated, in front of the loop over work-groups.
    """
    invariant = _Invariant(function)
    is_worth = False
    products = [op for op in function.walk() if isinstance(op, OuterProducts)]
    # several work-groups can't have one target: there is one
    is_alone = any(op.update.updated in invariant for op in products)
    for op in products:
        update: Any = op.update
        factors = [getattr(update, name) for name in update.factors]
        sizes = panel_sizes(op)
        once = [n for n in sizes if invariant.is_read_alone(op, factors[n]) and not is_alone]
        unknown = [n for n, size in sizes.items() if size is None and not invariant.has_sizes(factors[n])]
        varying = [n for n in unknown if invariant.has_sizes_in_front(factors[n], function)]
        if unknown != varying:
            _take_pieces(op, machine)
            continue
        held = [n for n, size in sizes.items() if n in varying or size is None or size > STACK_BYTES]
        op.attributes.update({name: found for name, found in ((ONCE, once), (HELD, held), (VARYING, varying)) if found})
        scaling.decide(op, [n for n in range(2) if n not in once or update.alpha in invariant])
        is_worth |= bool(once or held)
    in_step = 1 if is_alone else _in_step(function, machine, bits)
    if (is_worth or in_step > 1) and not any(isinstance(op, cpu.Items) for op in function.body.operations):
        loop_in_step(function, machine.items.max_items, in_step, lambda of_one: unroll_and_jam(of_one, in_step))


def _take_pieces(op: OuterProducts, machine: Machine) -> None:
    """Let factors be packed piecewise, with tiles beside those of sums."""
    right = min(op.attributes[BLOCK][1], max(tiles_of(op.update, op.product) // 2, 1))
    op.attributes.update({BLOCK: [1, right], PIECES: machine.outer_products.pieces, TURNED: 1})


def _in_step(function: Function, machine: Machine, bits: int) -> int:
    """How many work-groups have their products in step: as many as ZA has tiles for, and local memory panels."""
    body = function.body.operations
    products = [op for op in body if isinstance(op, OuterProducts)]
    others = [op for op in body if not isinstance(op, (OuterProducts, Alloca)) and not finds_operands(op)]
    if others or not products or not all(is_whole_block(op, bits) for op in products):
        return 1
    line = machine.caches.line
    each = local_bytes(body, line)
    for op in products:
        each += sum(size or 0 for n, size in panel_sizes(op).items() if n not in op.attributes.get(ONCE, ()))
    tiles = min(tiles_of(op.update, op.product) // prod(op.attributes[BLOCK]) for op in products)
    return max(min(tiles, machine.outer_products.max_in_step, MAX_LOCAL // max(each, 1)), 1)


def is_whole_block(op: OuterProducts, bits: int) -> bool:
    """Whether a block of tiles is known to have all of a product and no empty tile, and all sizes are known."""
    tensors = [op.update.updated, *(getattr(op.update, name) for name in op.update.factors)]
    if not all(tensor.type.has_static_shape for tensor in tensors) or not (bits or max(op.attributes[BLOCK]) == 1):
        return False
    lanes = (bits // vector.SEGMENT or 1) * op.product.lanes
    extents = op.update.updated.type.shape[::-1]
    return all(0 < extent <= count * lanes for extent, count in zip(extents, op.attributes[BLOCK]))


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

    def has_sizes(self, tensor: Value) -> bool:
        """Whether a tensor has the same sizes for all work-groups, which are known in front of these."""
        sizes = [size_of_view(tensor, mode) for mode in range(tensor.type.order)]
        return tensor in self or all(isinstance(n, int) or n in self._values for n in sizes)

    def has_sizes_in_front(self, tensor: Value, function: Function) -> bool:
        """Whether the sizes that a tensor has for each work-group are known in front of these."""
        operations = operations_for(tensor, function.body)
        defined = {tensor, *(value for op in operations for value in op.operands)}
        return all(map(self._reads_what_nobody_writes, operations)) and all(
            value.owner in operations if value.owner else value in function.parameters for value in defined
        )

    def _reads_what_nobody_writes(self, op: Operation) -> bool:
        return finds_operands(op) or (isinstance(op, Load) and root_of(op.tensor) not in self._written)

    def is_read_alone(self, op: Operation, tensor: Value) -> bool:
        """Whether an instruction reads what no work-group has written."""
        return op in self._before and tensor in self and root_of(tensor) not in self._written
