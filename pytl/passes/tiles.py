"""The size of the register tiles of products: a model of what they cost.

A tile of v vectors and c columns keeps v c vectors of sums in registers. Per step of the sum, it loads v vectors of the
left factor, broadcasts c elements of the right one, and does v c multiply-adds. A processor does two multiply-adds per
cycle, and about as many loads. The cost of a choice is that of all tiles together, each with a few cycles to begin and
to end; the cheapest choice is taken.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import reduce
from operator import or_
from typing import Any

from ..ir.types import Extent, MemrefType, ScalarType, bf16, compute_type, f32, f64
from ..ir.values import Region, Value
from ..ops import Gemm
from ..ops.updates import TRANSPOSES
from ..process.records import dataclass
from .analysis.divisors import alignment_of, divisor_of_stride
from .analysis.terms import Terms
from .targets import cpu
from .targets.cpu_attributes import (
    APART,
    BY_VECTORS,
    COLUMNS,
    FACTOR_LANES,
    FASTMATH,
    LANES,
    PATTERNS,
    TERMS,
    UNROLL,
    VECTORS,
    lies_in_local_memory,
    products_in,
)
from .targets.machine import Machine
from .targets.partition import partition, parts
from .targets.vector import SEGMENT
from .targets.vector_forms import has_pairs, pairs_for

MOST_LANES = 16
"""Of a vector: SPIR-V has none of more numbers."""

CACHE, PREFETCHED, MEMORY = "cache", "prefetched", "memory"
"""Where the left factors and results of products come from: caches, or memory, and then whether something has asked
for them before.
"""

FUSED = (f32, f64)
"""Elements that are multiplied and added by one instruction, so that no other registers are needed."""


@dataclass(frozen=True)
class Tile:
    """How products are divided into tiles, see `cpu.kernel`."""

    lanes: int
    vectors: int
    columns: int
    unroll: int
    cost: float = 0.0
    factor_lanes: int = 1
    """Numbers of the right factor in a vector whose lanes multiply whole vectors; 1 where each is loaded by itself."""
    by_pattern: bool = False
    """Whether terms that are zero by the patterns of factors are left out."""
    terms: int = 1
    """Terms of the sum that an instruction adds."""
    by_vectors: bool = False
    """Whether registers hold the numbers of a step, and vectors come one after the other."""

    def attributes(self) -> dict[str, int]:
        of_tile = {LANES: self.lanes, VECTORS: self.vectors, COLUMNS: self.columns, UNROLL: self.unroll}
        if self.by_pattern:
            of_tile[PATTERNS] = True
        if self.terms > 1:
            of_tile[TERMS] = self.terms
        if self.by_vectors:
            of_tile[BY_VECTORS] = True
        return of_tile if self.factor_lanes == 1 else {**of_tile, FACTOR_LANES: self.factor_lanes}


@dataclass(frozen=True)
class Product:
    """What the cost of a tile depends on in a gemm."""

    element: ScalarType
    rows: Extent
    columns: Extent
    depth: Extent
    is_line_aligned: bool
    """Whether all columns of the left factor begin at cache lines."""
    left: Value
    result: Value
    held: frozenset[Value]
    """What stays in registers."""
    terms: Terms | None = None
    """Which terms of the sums may be other than zero, where patterns say that some are not."""
    pairs: ScalarType | None = None
    """The type of pairs of factors whose products may be added at once; None where none are."""
    is_apart: bool = False
    """Whether rows may be divided into tiles though something stays in registers."""
    source: str | None = None
    """Where its matrices come from; None for what does not depend on it, as which products share a kernel."""

    @classmethod
    def of(cls, op: Gemm, held: frozenset[Value], line: int) -> Product:
        """The product of a gemm, where a cache line has so many bytes."""
        a, c = op.A.type, op.C.type
        depth = a.shape[0 if TRANSPOSES[op.transpose_a] else 1]
        is_line_aligned = divisor_of_stride(op.A, 1) * a.element.size % line == 0 and alignment_of(op.A) % line == 0
        pairs = pairs_for(op) if has_pairs(op) else None
        return cls(c.element, c.shape[0], c.shape[1], depth, is_line_aligned, op.A, op.C, held, Terms.of(op), pairs)

    @classmethod
    def plain(cls, element: ScalarType, size: tuple[int, int, int], line: int) -> Product:
        """A product of contiguous matrices in caches by rows, columns and terms, for estimates."""
        rows, columns, depth = size
        left, result = (Value(MemrefType(element, shape)) for shape in ((rows, depth), (rows, columns)))
        is_line_aligned = rows * element.size % line == 0
        return cls(element, rows, columns, depth, is_line_aligned, left, result, frozenset(), source=CACHE)

    @property
    def is_left_held(self) -> bool:
        return self.left in self.held

    @property
    def is_result_held(self) -> bool:
        return self.result in self.held

    @property
    def is_from_memory(self) -> bool:
        """Whether loads wait for memory, whatever registers they are for."""
        return self.source in (PREFETCHED, MEMORY)

    @property
    def is_result_from_memory(self) -> bool:
        """Whether nothing has brought the result into a cache before."""
        return self.source == MEMORY and not self.is_result_held and not lies_in_local_memory(self.result)


def needs_all_rows(products: Sequence[Product]) -> bool:
    """Whether a tile of products has to have all rows, because intermediate results stay in registers.

    The arrays that the last product writes may be those that the first one reads.
    """
    return any(product.held and not product.is_apart for product in products)


def products_of(op: cpu.Kernel, line: int, source: str | None = None) -> list[Product]:
    """The products of a kernel, those of all interleaved work-groups, where a cache line has so many bytes."""
    held = frozenset(inner.result for inner in op.body.operations if isinstance(inner, cpu.Registers))
    products = [Product.of(product, held, line) for product in products_in(op)]
    is_apart, is_fast = APART in op.attributes, FASTMATH in op.attributes
    # pairs of bf16 lose small numbers
    return [
        replace(p, is_apart=is_apart, pairs=p.pairs if is_fast or p.pairs != bf16 else None, source=source)
        for p in products
    ]


def source_in(prefetching: Region) -> str:
    """Where matrices come from in the region of a `cpu.items` for data from memory.

    Of several kernels, what one has used is in a cache for the next.
    """
    operations = list(prefetching.walk())
    kernels = [op for op in operations if isinstance(op, cpu.Kernel) and products_in(op)]
    is_prefetched = any(isinstance(op, cpu.Prefetch) for op in operations)
    return PREFETCHED if is_prefetched or len(kernels) > 1 else MEMORY


def shared_factors(op: cpu.Kernel) -> tuple[bool, bool]:
    """Whether all work-groups that are interleaved in a kernel have the same left and the same right factors."""
    products = [inner for inner in op.body.operations if isinstance(inner, Gemm)]

    def is_shared(factors: list[Value]) -> bool:
        return factors == factors[: len(factors) // op.interleave] * op.interleave

    return is_shared([inner.A for inner in products]), is_shared([inner.B for inner in products])


def most_lanes(types: Iterable[Any]) -> int:
    """Lanes at most where all of these types have a vector; a complex number has two parts in it."""
    return MOST_LANES // (2 if any(isinstance(type_, ScalarType) and type_.is_complex for type_ in types) else 1)


def lanes_for(machine: Machine, element: ScalarType, rows: Extent) -> int:
    """Elements of a vector: as many as a register holds, halved as often as the vector still covers all rows.

    Half of them, too, where halves take less time, and rows that are whole vectors leave half a vector or less.
    """
    wide = compute_type(element)
    lanes = min(machine.register_bytes // wide.component.size, MOST_LANES) // (2 if wide.is_complex else 1)
    min_lanes = max(16 // wide.size, 1)
    while isinstance(rows, int) and rows <= lanes // 2 and lanes > min_lanes:
        lanes //= 2
    has_half_left = isinstance(rows, int) and rows > lanes and 0 < rows % lanes <= lanes // 2
    return lanes // 2 if has_half_left and machine.execution.half < 1 and lanes > min_lanes else lanes


def factor_lanes_of(machine: Machine, element: ScalarType) -> int:
    """Numbers in a segment of a vector, where the machine multiplies whole vectors by a lane of one; else 1."""
    component = compute_type(element).component
    return SEGMENT // (8 * component.size) if machine.has_lane_products and not component.is_integer else 1


def terms_at_once(machine: Machine, products: Sequence[Product]) -> int:
    """Terms of the sum that an instruction adds in all of some products."""
    have_pairs = all(each.pairs is not None and machine.multiplies_pairs(each.pairs) for each in products)
    return 2 if have_pairs else 1


def choose_tile(
    machine: Machine,
    products: Sequence[Product],
    interleave: int = 1,
    shared: tuple[bool, bool] = (False, False),
    requested: tuple[int, int, int] | None = None,
) -> Tile | None:
    """The cheapest tile for some products in a row, each done for `interleave` work-groups.

    `products` has those of all items. The cost is per item. A tile that has to have all rows may have more vectors than
    are `requested`. None where what has to be held does not fit into the registers.
    """
    if requested is not None:
        tiles = [_requested(machine, products, lanes, requested, interleave) for lanes in _lanes_of(machine, products)]
        found = [_by_pattern(machine, products, tile, interleave, shared) for tile in tiles]
        return min((tile for tile in found if tile is not None), key=lambda tile: tile.cost, default=tiles[0])
    # of those that cost the same, one that loads fewer numbers of right factors
    fitting = fitting_tiles(machine, products, interleave, shared)
    return min(fitting, key=lambda tile: (round(tile.cost, 6), tile.columns), default=None)


def fitting_tiles(
    machine: Machine, products: Sequence[Product], interleave: int = 1, shared: tuple[bool, bool] = (False, False)
) -> Iterator[Tile]:
    """The tiles whose sums and operands fit into the registers, and what they cost; see `choose_tile`."""
    products = products[: len(products) // interleave]
    whole, *halves = _lanes_of(machine, products)
    yield from _fitting_tiles(machine, products, whole, interleave, shared)
    for lanes in halves:
        tiles = _fitting_tiles(machine, products, lanes, interleave, shared)
        yield from (tile for tile in tiles if tile.by_pattern)


def _requested(
    machine: Machine, products: Sequence[Product], lanes: int, requested: tuple[int, int, int], interleave: int
) -> Tile:
    """A tile of so many vectors, columns and steps."""
    vectors, columns, unroll = requested
    min_vectors, _ = _vectors_of(machine, products, lanes)
    factor_lanes = factor_lanes_of(machine, products[0].element)
    terms = terms_at_once(machine, products)
    unroll = -(-unroll // terms) * terms
    vectors = max(vectors, min_vectors)
    _, by_vectors = _ways(machine, products, vectors, columns, interleave)
    return Tile(lanes, vectors, columns, unroll, factor_lanes=factor_lanes, terms=terms, by_vectors=by_vectors)


def _lanes_of(machine: Machine, products: Sequence[Product]) -> list[int]:
    """The lanes of vectors; and half of them, where those may leave out more of what is zero in the same time."""
    element = compute_type(products[0].element)
    lanes = lanes_for(machine, products[0].element, products[0].rows)
    is_whole = lanes * element.size == machine.register_bytes and lanes > max(16 // element.size, 1)
    has_terms = any(product.terms and product.terms.depend_on_rows for product in products)
    return [lanes, lanes // 2] if is_whole and machine.execution.half < 1 and has_terms else [lanes]


def _fitting_tiles(
    machine: Machine, products: Sequence[Product], lanes: int, interleave: int, shared: tuple[bool, bool]
) -> Iterator[Tile]:
    """Those that have vectors of so many lanes."""
    min_vectors, vectors_of_rows = _vectors_of(machine, products, lanes)
    each = 2 if products[0].element.is_complex else 1  # vectors that a sum takes
    columns_of_all = max(_known(machine, p.columns) for p in products)
    factor_lanes = factor_lanes_of(machine, products[0].element)
    terms = terms_at_once(machine, products)
    at_once = max(factor_lanes // each, terms)  # terms of the sum
    has_terms = any(product.terms for product in products)
    are_long = all(_known(machine, product.depth) >= machine.tiles.many_terms for product in products)
    has_halves = interleave > 1 and machine.share_of(lanes * compute_type(products[0].element).size) < 1
    of_few_terms = machine.tiles.max_interleaved_halves if has_halves else machine.tiles.max_sums
    max_sums = machine.registers if are_long else of_few_terms
    for vectors, columns in _candidates(machine, min_vectors, vectors_of_rows, columns_of_all, has_terms):
        held = _most_held(machine, products, interleave) * vectors
        by_numbers, by_vectors = _ways(machine, products, vectors, columns, interleave)
        if not (by_numbers or by_vectors or (vectors, columns, held) == (1, 1, 0)):
            continue
        sizes = (vectors_of_rows, vectors, columns)
        sums = vectors * columns * each * interleave
        # sums whose terms are left out are ready one after the other
        may_be_whole = columns <= machine.tiles.max_columns and (sums <= max_sums or sums == 1)
        cost = sum(cost_of(machine, p, *sizes, interleave, shared, each) for p in products) / interleave
        unroll = _unroll(machine, products, lanes, *sizes, interleave, each, held)
        unroll = -(-unroll // at_once) * at_once
        tile = Tile(lanes, vectors, columns, unroll, cost, factor_lanes, terms=terms, by_vectors=by_vectors)
        by_pattern = _by_pattern(machine, products, tile, interleave, shared)
        if by_pattern is not None and (by_pattern.cost < cost or not may_be_whole):
            yield by_pattern
        elif may_be_whole:
            yield tile


def _ways(
    machine: Machine, products: Sequence[Product], vectors: int, columns: int, interleave: int
) -> tuple[bool, bool]:
    """Whether registers have room for a tile with the vectors of a step and one number after the other, and, where they
    do not, with the numbers and one vector after the other.
    """
    element = products[0].element
    each = 2 if element.is_complex else 1
    at_once = max(factor_lanes_of(machine, element) // each, terms_at_once(machine, products))
    held = _most_held(machine, products, interleave) * vectors
    room = machine.registers - interleave * vectors * columns * each - held
    # compilers load one more element too early, of interleaved work-groups two
    by_numbers = interleave * vectors * at_once + (2 if interleave == 1 else 3) <= room
    # where another instruction adds products, these take a register
    free = machine.tiles.free if element in FUSED else 1
    by_vectors = interleave == at_once == 1 and not held and columns * each + 1 + free <= room
    return by_numbers, by_vectors and not by_numbers


def _by_pattern(
    machine: Machine, products: Sequence[Product], tile: Tile, interleave: int, shared: tuple[bool, bool]
) -> Tile | None:
    """A tile whose products leave out what patterns say is zero; None where they say nothing, or code would be long."""
    if not any(product.terms for product in products) or not all(
        isinstance(extent, int) for product in products for extent in (product.rows, product.columns, product.depth)
    ):
        return None
    costs = [_cost_by_pattern(machine, product, tile, interleave, shared) for product in products]
    if sum(sums for _, sums in costs) > machine.tiles.most_by_pattern:
        return None
    depth = max(int(product.depth) for product in products)  # type: ignore[arg-type]
    return replace(tile, unroll=depth, cost=sum(cost for cost, _ in costs) / interleave, by_pattern=True)


def _cost_by_pattern(
    machine: Machine, product: Product, tile: Tile, interleave: int, shared: tuple[bool, bool]
) -> tuple[float, int]:
    """Cycles of a product without the terms that are zero, for all interleaved work-groups, and its multiply-adds."""
    costs, each = machine.tiles, 2 if product.element.is_complex else 1
    split = 0.0 if product.is_left_held else 1.0 if product.is_line_aligned else costs.split_load
    of_left, of_right = (1 if is_shared else interleave for is_shared in shared)
    rows, columns, depth = (int(extent) for extent in (product.rows, product.columns, product.depth))  # type: ignore[arg-type]
    every = (1 << depth) - 1
    terms = product.terms or Terms(depth, (every,) * rows, (every,) * columns)
    of_vectors = [terms.of_rows(first, tile.lanes) for first in range(0, rows, tile.lanes)]
    blocks = partition(columns, tile.columns)
    most = columns if terms.depend_on_columns else machine.loops.max_unrolled_tiles
    in_loop = {width for width in blocks if blocks.count(width) > most}
    share = machine.share_of(tile.lanes * compute_type(product.element).size)
    cycles, written, row = 0.0, 0, 0
    for count in partition(len(of_vectors), tile.vectors):
        vectors = of_vectors[row : row + count]
        # others are iterations of a loop, as are blocks but the first of those that are
        is_written = row == 0 or terms.depend_on_rows
        # halves are broadcast for nothing, whole registers are if one multiply-add reads the number
        operand = costs.operand if count * interleave == 1 and share == 1.0 else share
        row, column = row + count, 0
        for number, width in enumerate(blocks):
            block = terms.columns[column : column + width]
            column += width
            any_row, any_column = reduce(or_, vectors), reduce(or_, block)
            sums = interleave * each * sum((v & c).bit_count() for v in vectors for c in block)
            loads = share * of_left * split * sum((v & any_column).bit_count() for v in vectors)
            loads += operand * of_right * each * sum((c & any_row).bit_count() for c in block)
            cycles += max(share * sums / machine.execution.fmas, costs.load * loads) + costs.each_load * loads
            cycles += of_right * costs.begin_and_end
            if is_written and not (width in in_loop and width in blocks[:number]):
                written += sums
    return cycles, written


def _vectors_of(machine: Machine, products: Sequence[Product], lanes: int) -> tuple[int, int]:
    """The fewest vectors of so many lanes that a tile may have, and those of all rows."""
    of_rows = -(-_known(machine, products[0].rows) // lanes)
    return of_rows if needs_all_rows(products) else 1, of_rows


def _candidates(
    machine: Machine, min_vectors: int, vectors_of_rows: int, columns: int, has_terms: bool
) -> Iterator[tuple[int, int]]:
    most = max(machine.tiles.max_columns, 3 * machine.registers // 4 if has_terms else 0)
    for vectors in range(min_vectors, min(vectors_of_rows, machine.tiles.max_vectors) + 1):
        for block in range(1, min(columns, most) + 1):
            yield vectors, block


def _known(machine: Machine, size: Extent) -> int:
    return size if isinstance(size, int) else machine.tiles.typical


def _held(machine: Machine, products: Sequence[Product], position: int) -> int:
    """Columns that are in registers while a product is computed: its left factor, and its own result."""
    product = products[position]
    held = _known(machine, product.depth) if product.is_left_held else 0
    return held + (_known(machine, product.columns) if product.is_result_held else 0)


def _most_held(machine: Machine, products: Sequence[Product], interleave: int) -> int:
    """The most columns of all work-groups in registers: what is held is live until the next product is done."""
    return max(_held(machine, products, k) for k in range(len(products))) * interleave


def alone(machine: Machine, op: cpu.Kernel, moved: Sequence[Value] = ()) -> float:
    """Cycles of a kernel for one work-group, with storing some results, and loading one that is in memory before;
    infinity where the registers have no room.
    """
    tile = choose_tile(machine, products_of(op, machine.caches.line))
    if tile is None:
        return math.inf
    return tile.cost + sum(_moving(machine, value) for value in moved)


def _moving(machine: Machine, value: Value) -> float:
    """Cycles that storing a matrix by columns takes."""
    rows, columns = (_known(machine, extent) for extent in value.type.shape)
    lanes = lanes_for(machine, value.type.element, rows)
    share = machine.share_of(lanes * compute_type(value.type.element).size)
    return -(-rows // lanes) * columns * share / machine.execution.stores


def cost_of(
    machine: Machine,
    product: Product,
    vectors_of_rows: int,
    vectors: int,
    block: int,
    interleave: int = 1,
    shared: tuple[bool, bool] = (False, False),
    each: int = 1,
) -> float:
    """Cycles of a product for all interleaved work-groups."""
    terms = terms_at_once(machine, [product])
    costs, k = machine.tiles, -(-_known(machine, product.depth) // terms)
    factor_lanes = factor_lanes_of(machine, product.element)
    split = 0.0 if product.is_left_held else 1.0 if product.is_line_aligned else costs.split_load
    of_left, of_right = (1 if is_shared else interleave for is_shared in shared)
    lanes = lanes_for(machine, product.element, product.rows)
    share = machine.share_of(lanes * compute_type(product.element).size)
    # a load of one number for all lanes takes as long as one of half a register
    broadcast = machine.execution.half / share
    rows, columns = _known(machine, product.rows), _known(machine, product.columns)
    moved = product.element.size * rows * (_known(machine, product.depth) + 2 * columns)
    computing = share * vectors_of_rows * columns * k * each / machine.execution.fmas
    is_waiting = product.source != CACHE or moved > computing * machine.caches.from_second_level
    # interleaving saves loads of what work-groups share alone; of what they don't, it hides how products wait
    are_shared_halves = share < 1 and shared[1] and not product.is_from_memory
    load = costs.load_of_half if are_shared_halves else costs.load
    cost = 0.0
    for v, of_rows in parts(vectors_of_rows, vectors):
        for c, of_columns in parts(columns, block):
            sums = interleave * v * c * each
            # where nothing waits for memory, it is an instruction that counts, unless a multiply-add has it as operand
            number = broadcast if is_waiting or interleave * v == 1 else 1.0
            loads = of_left * v * split * terms + of_right * c * each * number / factor_lanes
            step = share * (max(sums / machine.execution.fmas, load * loads) + costs.each_load * loads)
            tile = k * step + of_right * costs.begin_and_end
            if product.is_result_from_memory and interleave * v == 1:
                lines = c * min(lanes, rows) * product.element.size / machine.caches.line
                tile += costs.burst * max(lines - machine.prefetches.max_in_flight, 0)
            cost += of_rows * of_columns * tile
    return cost


def _unroll(
    machine: Machine,
    products: Sequence[Product],
    lanes: int,
    vectors_of_rows: int,
    vectors: int,
    columns: int,
    interleave: int,
    each: int,
    held: int,
) -> int:
    """Steps per iteration: as many as have their operands in registers beside the sums, or two where sums are few.

    All steps where they are few and a tile has one vector. With more steps, the compiler loads too much too early, and
    has to spill. It does not where each element of the right factor serves many multiply-adds; there, fewer iterations
    are faster, too, though loads that cross cache lines leave little to gain.
    """
    costs, sums = machine.tiles, vectors * columns * each * interleave
    last = products[-1]
    depth = _known(machine, last.depth)
    in_halves = machine.share_of(lanes * compute_type(last.element).size) / machine.execution.half
    work = vectors_of_rows * _known(machine, last.columns) * depth * each * interleave * in_halves**2
    are_few = sums + held <= costs.few_sums
    if isinstance(last.depth, int) and vectors == 1 and are_few and work <= costs.longest_unrolled:
        return depth
    serves_many = vectors * interleave >= costs.many_vectors and columns <= costs.few_columns and last.element in FUSED
    has_fast_loads = last.is_line_aligned or costs.unrolls_splits
    if serves_many and not held and has_fast_loads and depth >= costs.min_iterations * costs.max_unrolled:
        return costs.max_unrolled
    # a number of the right factor that multiplies several vectors takes a register, too
    operands = interleave * vectors + (columns * each if vectors * interleave > 1 else 0)
    has_two = are_few or (serves_many and not held and depth > costs.many_steps)
    minimum = min(2 if has_two else 1, depth)
    return min(max((machine.registers - 1 - sums - held) // operands, minimum), costs.max_unrolled)
