"""subgroup-blocks: products that many work-items execute, as blocks that sub-groups keep in registers.

The pass decides how large sub-groups, work-groups and blocks are, and writes the code of work-items; what emits it
decides nothing. Sizes of work-groups that a function names, or that its results may show, stay as they are.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from ..diagnostics import PytlError
from ..ir.operation import Operation
from ..ir.values import Function, Region, Value
from ..ops import Alloca, Builtin, Gemm, Gemv, Parallel, Store
from ..ops.constants import is_constant
from ..ops.launch_defaults import NO_LOCK_STEP, has_open_size, subgroup_count, subgroup_size
from ..ops.memory import ACCUMULATING
from ..ops.updates import is_transposed
from ..ops.views import root_of
from ..process.records import dataclass
from . import subgroup_packs
from .factor_copies import FactorCopy, copy_factors
from .manager import UNKNOWN_PASS, Pass, register
from .subgroup_shapes import (
    COPIED_ROWS,
    SUMS_AT_ONCE,
    Extents,
    Product,
    Shape,
    alternatives,
    choose_count,
    choose_grid,
    choose_shape,
    choose_shape_of_chain,
    choose_size,
    cost_of,
    extents_of,
    grids,
    has_matrices,
    sizes_of,
)
from .targets import vector
from .targets.spmd import DEVICES, SpmdDevice
from .targets.strategies import STRATEGY
from .targets.tile_words import tile_of
from .targets.vector_forms import has_subgroup_blocks, has_subgroup_sums
from .unroll_and_jam import finds_operands
from .vectors import subgroup_copies, subgroup_products, subgroup_sums
from .vectors.subgroup_products import Team

MAX_CHOICES = 5
"""Blocks, and work-groups, that tuning tries; each takes about a second to compile."""


@register
@dataclass(frozen=True)
class SubgroupBlocks(Pass):
    """Makes a `parallel` with code of work-items of each product that many work-items execute.

    `tiles` names blocks for products, in order, as `2x8u4`: rows of a work-item, columns, unroll factor of the sum.
    Where it says `auto`, or names no more, the model of passes/subgroup_shapes.py chooses. `size` is that of
    sub-groups, and `count` says how many there are, where the function leaves both open; 0 where the model chooses.
    With `packs`, several work-groups that leave most work-items of a sub-group idle share one on a GPU.
    """

    name = "subgroup-blocks"
    of_called = True
    device: SpmdDevice = DEVICES["gpu"]
    tiles: tuple[str, ...] = ()
    size: int = 0
    count: int = 0
    packs: bool = False

    def __post_init__(self) -> None:
        for word in self.tiles:
            if word != "auto" and tile_of(word) is None:
                raise PytlError.single(UNKNOWN_PASS, f"`{word}` is not a block", help="write 2x8u4, or auto")

    def run(self, function: Function) -> None:
        if function.attributes.get(STRATEGY) != "many-items":
            return
        device, is_open = self.device, function.is_kernel and is_size_open(function)
        if is_open and self.packs and self._pack(function):
            return
        sums = [op for op in function.walk() if has_subgroup_sums(op)]
        if not sums and not any(map(has_subgroup_blocks, function.walk())):
            return
        copies = self._copied(function, is_open)
        following = list(_products(function.body))
        products = [op for op, _ in following]
        extents = {op: extents_of(op) for op in products}
        if is_open and products:
            size, count = self._team(list(extents.values()))
            function.attributes.update(subgroup_size=size, work_group_size=[size * count, 1])
        if not device.is_processor:  # their work-items need not go in lock step
            function.attributes[NO_LOCK_STEP] = True
        size, count = subgroup_size(function), subgroup_count(function)
        requested = dict(zip(products, (tile_of(word) for word in self.tiles if function.is_kernel)))
        made: dict[Operation | None, list[Operation]] = {}
        for chain in self._chains(function, following, size, [copy.source for copy in copies.values()]):
            last, tile = chain[-1], requested.get(chain[-1])
            shape = Shape(*tile) if tile is not None else self._shape([extents[op] for op in chain], size)
            assert shape is not None
            grid = choose_grid(size, count, extents[last], shape) if len(chain) == 1 else (count, 1)
            whole = len(chain) == 1 and has_matrices(device, size, extents[last])
            code = subgroup_products.written(chain, shape, Team(size, *grid, device.has_broadcasts, size, whole))
            for op in chain[:-1]:
                made[op] = made[op.updated.owner] = []
            made[last] = [_parallel(code)]
        for each in sums:
            made[each] = [_parallel(subgroup_sums.written(each, size, count, SUMS_AT_ONCE))]
        for alloca, copy in copies.items():
            made[alloca] = [alloca, _parallel(subgroup_copies.written(copy, alloca.result, size, count, COPIED_ROWS))]
        _replace(function.body, made)

    def _pack(self, function: Function) -> bool:
        """Give a sub-group several work-groups, where that takes less time."""
        if self.device.is_processor or self.count > 1 or set(self.tiles) - {"auto"}:
            return False
        parts = subgroup_packs.parts_of(function)
        if parts is None:
            return False

        def chains(size: int) -> list[list[Product]]:
            return self._chains(function, list(_products(function.body)), size)

        packing = subgroup_packs.choose(self.device, [self.size] if self.size else sizes_of(self.device), parts, chains)
        if packing is None:
            return False
        subgroup_packs.pack(function, self.device, parts, packing, chains(packing.size))
        function.attributes[NO_LOCK_STEP] = True  # their work-items need not go in lock step
        return True

    def _copied(self, function: Function, is_open: bool) -> dict[Alloca, FactorCopy]:
        """Give products copies of their factors where these take less time: by its memory, each copy."""
        if not function.is_kernel:  # how much memory its callers have is not known
            return {}
        products = [op for op, _ in _products(function.body) if isinstance(op, Gemm)]
        if is_open:
            sizes = [self.size] if self.size else sizes_of(self.device)
            extents = list(map(extents_of, products)) if products else []
            teams = [(size, self.count or choose_count(self.device, size, extents)) for size in sizes if extents]
        else:
            teams = [(subgroup_size(function), subgroup_count(function))]
        copies = copy_factors(function, self.device, products, teams)
        by_product: dict[Operation | None, list[Operation]] = {}
        for alloca, copy in copies.items():
            by_product.setdefault(copy.product, []).append(alloca)
        _replace(function.body, {op: [*allocas, op] for op, allocas in by_product.items() if op is not None})
        return copies

    def _team(self, products: Sequence[Extents]) -> tuple[int, int]:
        """The size of sub-groups, and how many share a work-group."""
        size = self.size or choose_size(self.device, products)
        return size, self.count or choose_count(self.device, size, products)

    def choices(self, function: Function) -> tuple[list[str], list[str]]:
        """Tiles and work-groups that are worth a try, for a function in front of the pass."""
        if function.attributes.get(STRATEGY) != "many-items":
            return [], []
        products = [extents_of(op) for op, _ in _products(function.body)]
        if not products:
            return [], []
        is_open = is_size_open(function)
        size = self._team(products)[0] if is_open else subgroup_size(function)
        number = max(range(len(products)), key=lambda each: cost_of(self.device, size, products[each]))
        shapes = alternatives(self.device, size, products[number], MAX_CHOICES)
        before = "auto+" * number
        tiles = [f"{before}{shape.rows}x{shape.columns}u{shape.unroll}" for shape in shapes]
        teams = grids(self.device, products, MAX_CHOICES) if is_open else []
        return tiles, [f"{size}x{count}" for size, count in teams]

    def _shape(self, chain: Sequence[Extents], size: int) -> Shape | None:
        if len(chain) == 1:
            return choose_shape(self.device, size, chain[0])
        return choose_shape_of_chain(self.device, size, chain)

    def _chains(
        self,
        function: Function,
        following: Sequence[tuple[Product, Product | None]],
        size: int,
        copied: Sequence[Value] = (),
    ) -> list[list[Product]]:
        """The products, in order; together those whose left factors stay in registers, and are not `copied`."""
        uses = Counter([*copied, *(value for op in function.walk() for value in op.operands)])
        chains: list[list[Product]] = []
        for op, before in following:
            if before is not None and before is chains[-1][-1] and _makes_left_factor(chains[-1], op, uses):
                joined = [*chains[-1], op]
                if self._shape(list(map(extents_of, joined)), size) is not None:
                    chains[-1] = joined
                    continue
            chains.append([op])
        return chains


def _parallel(code: vector.WorkItems) -> Parallel:
    return Parallel(code.location, body=Region("spmd", operations=[code], location=code.location))


def is_size_open(function: Function) -> bool:
    """Whether a function's results are the same for all sizes of sub-groups and work-groups."""
    return has_open_size(function) and not any(map(_shows_size, function.walk()))


def _shows_size(op: Operation) -> bool:
    """Whether an instruction may have a result that depends on the number of work-items.

    All work-items execute an atomic addition outside of a `foreach`.
    """
    if isinstance(op, Builtin):
        return op.variant in ("num_subgroups", "subgroup_size")
    if isinstance(op, Store) and op.flag in ACCUMULATING:
        return True
    return isinstance(op, Parallel) or op.callee is not None or op.kind == "spmd"


def _products(region: Region) -> Iterator[tuple[Product, Product | None]]:
    """The products in a region, each with the one before it, if what is between them accesses no memory."""
    before: Product | None = None
    for op in region.operations:
        if has_subgroup_blocks(op) and not has_subgroup_sums(op):
            yield op, before
            before = op
        elif not (finds_operands(op) or isinstance(op, Alloca)):
            before = None
        for inner in op.regions:
            yield from _products(inner)


def _makes_left_factor(chain: Sequence[Product], op: Product, uses: Mapping[Value, int]) -> bool:
    """Whether the last product of a chain computes the left factor of the next, and nothing else needs it.

    f16 and bf16 are rounded in memory, and not in registers. What the next one writes is nothing that any of them
    reads.
    """
    before = chain[-1]
    if not (isinstance(before, Gemm) and isinstance(op, (Gemm, Gemv)) and op.A is before.C):
        return False
    element = op.updated.type.element
    is_local = isinstance(op.A.owner, Alloca) and uses[op.A] == 2
    is_same = op.A.type.element == element and element.size > 2
    factors = [value for each in chain if isinstance(each, Gemm) for value in (each.A, each.B)]
    read = {root_of(value) for value in (*factors, op.B if isinstance(op, Gemm) else op.b)}
    is_apart = root_of(op.updated) not in read and op.A not in read
    return is_local and is_same and is_apart and not is_transposed(op, "A") and is_constant(before.beta, 0)


def _replace(region: Region, made: Mapping[Operation | None, list[Operation]]) -> None:
    """Replace instructions by others."""
    region.operations = [new for op in region.operations for new in made.get(op, [op])]
    for op in region.operations:
        if not isinstance(op, Parallel):
            for inner in op.regions:
                _replace(inner, made)
