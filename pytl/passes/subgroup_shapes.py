"""The blocks of rows and columns that sub-groups compute of a product, and how many sub-groups share it.

A work-item keeps `rows` rows of a block in registers, each `size` rows after the one before, so that neighbouring
work-items have neighbouring rows. A step of the sum loads these rows' numbers of the left factor, and has one number
of the right factor for each column, which is the same for all work-items. The model counts cycles of a sub-group on
all blocks of the products, and takes the cheapest shape that fits into the registers.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import Literal

from ..ir.types import Extent, ScalarType, compute_type
from ..ops import Gemm, Gemv, Ger
from ..ops.launch_defaults import DEFAULT_SUBGROUP_SIZE
from ..ops.updates import is_transposed
from ..process.records import dataclass
from .targets.matrix_units import MATRIX_ITEMS, matrix_steps, takes_matrices
from .targets.spmd import MAX_WORK_ITEMS, SpmdDevice

Product = Gemm | Gemv | Ger
Factor = Literal["A", "B"]
MAX_ROWS = 8
MAX_COLUMNS = 16
MAX_MATRIX_COLUMNS = 32
"""Of products by the matrix unit, which take less time than the loads of a row."""
BYTES_OF_SUMS = 4
"""Of matrix units."""
UNROLLED = 8
"""Steps of the sum in an iteration, where numbers of the right factor are loaded for all work-items at once."""
MAX_UNROLLED = 16
"""Up to so many steps, the sum has no loop."""
SUMS_AT_ONCE = 8
"""Sums along contiguous numbers, of which a work-item loads numbers in a step."""
COPIED_ROWS = 2
"""Rows of a factor that is copied, of which a work-item loads numbers before it stores the first."""
_TYPICAL = 48
"""The assumed size of a mode that is known at run time only."""


def typical(extent: Extent | None) -> int:
    """The size of a mode, or what is assumed of one that is not known."""
    return extent if isinstance(extent, int) else _TYPICAL


@dataclass(frozen=True)
class Extents:
    """The sizes of a product, and the bytes of the numbers in which it is computed.

    The numbers of neighbouring rows of the left factor lie apart where it is strided.
    """

    rows: Extent
    columns: Extent
    depth: Extent
    bytes: int
    is_strided: bool = False
    is_complex: bool = False
    factors: ScalarType | None = None
    """The type of both factors, where matrix units multiply such numbers, and sum them as is asked for."""
    has_turned_right: bool = False
    """Whether the numbers of a column of the right factor lie apart."""
    is_strided_right: bool = False
    """Whether those along its first mode do, which neighbouring work-items load where no matrix unit multiplies."""
    is_local: bool = False
    """Whether the left factor is in local memory."""
    is_local_right: bool = False
    """Whether the right factor is."""

    @property
    def multiply_adds(self) -> int:
        """Multiply-adds of real numbers for one of these."""
        return 4 if self.is_complex else 1

    def known(self) -> tuple[int, int, int]:
        return typical(self.rows), typical(self.columns), typical(self.depth)


@dataclass(frozen=True)
class Shape:
    """A block's rows of a work-item, its columns, and the unroll factor of the sum."""

    rows: int
    columns: int
    unroll: int


def extents_of(op: Product) -> Extents:
    """The sizes of a product; a vector is a matrix with one column."""
    type_ = compute_type(op.updated.type.element)
    assert isinstance(type_, ScalarType)
    shape = op.updated.type.shape
    if isinstance(op, Ger):
        return Extents(shape[0], shape[1], 1, type_.size, is_complex=type_.is_complex)
    row, step = (1, 0) if is_transposed(op, "A") else (0, 1)
    columns = shape[1] if isinstance(op, Gemm) else 1
    is_strided = op.A.type.strides[row] != 1
    extents = Extents(shape[0], columns, op.A.type.shape[step], type_.size, is_strided, type_.is_complex)
    extents = replace(extents, is_local=op.A.type.space == "local")
    if not isinstance(op, Gemm):
        return extents
    right = op.B.type
    extents = replace(
        extents,
        has_turned_right=right.strides[1 if is_transposed(op, "B") else 0] != 1,
        is_strided_right=right.strides[0] != 1,
        is_local_right=right.space == "local",
    )
    factors = op.A.type.element
    return replace(extents, factors=factors) if factors == right.element and takes_matrices(factors, type_) else extents


def has_matrices(device: SpmdDevice, size: int, product: Extents) -> bool:
    """Whether the matrix units of sub-groups of a size multiply, but for the last steps of the sum."""
    return steps_at_once(device, size, product) > 0


def steps_at_once(device: SpmdDevice, size: int, product: Extents) -> int:
    """How many steps of a product's sum the matrix units of sub-groups of a size do at once; 0 where they do none."""
    if product.factors is None or str(product.factors) not in device.matrix_types:
        return 0
    steps = matrix_steps(product.factors)
    is_long = not isinstance(product.depth, int) or product.depth >= steps
    return steps if device.has_broadcasts and size == MATRIX_ITEMS and is_long else 0


def choose_size(device: SpmdDevice, products: Sequence[Extents]) -> int:
    """The size of sub-groups for products that share a work-group."""

    def cost(size: int) -> float:
        return sum(_cost(device, size, each, _best(device, size, each)) for each in products)

    sizes = sizes_of(device)
    # of equal ones the smallest, which leaves the fewest work-items idle, or what is usual on GPUs
    usual = 0 if device.is_processor else DEFAULT_SUBGROUP_SIZE
    return min(sizes, key=lambda size: (cost(size), abs(size - usual)))


def sizes_of(device: SpmdDevice) -> list[int]:
    """The sizes of sub-groups that may be chosen."""
    return [size for size in device.subgroup_sizes if size <= MAX_WORK_ITEMS]


def choose_shape(device: SpmdDevice, size: int, product: Extents) -> Shape:
    """The block of a product for sub-groups of a size."""
    return _best(device, size, product)


def choose_shape_of_chain(device: SpmdDevice, size: int, chain: Sequence[Extents]) -> Shape | None:
    """The block of the last of some products whose left factors stay in registers; None if these have no room."""
    *before, last = chain
    registers = _per_number(device, size, last)
    known = [each.columns for each in before if isinstance(each.columns, int)]
    if len(known) < len(before):
        return None
    right = 1 if not device.has_broadcasts else max(known)

    def fits(shape: Shape) -> bool:
        held = [0, *known]
        sums = [*known, shape.columns]
        return all((shape.rows * (a + b + 1) + right) * registers <= device.registers for a, b in zip(held, sums))

    rows, columns, _ = last.known()
    shapes = [
        Shape(r, c, UNROLLED)
        for r in range(1, min(MAX_ROWS, -(-rows // size)) + 1)
        for c in range(1, min(MAX_COLUMNS, columns) + 1)
        if fits(Shape(r, c, UNROLLED))
    ]
    return min(shapes, key=lambda shape: _cost(device, size, last, shape), default=None)


def is_copied(
    device: SpmdDevice, teams: Sequence[tuple[int, int]], product: Extents, factor: Factor, is_turned: bool, waits: int
) -> bool:
    """Whether a copy of a factor in local memory takes less time, whose numbers lie as work-items load them.

    `teams` are the sizes that sub-groups may have, each with how many share a work-group. They wait for each other so
    often. A copy that `is_turned` is stored where numbers lie apart. No size is known at run time only. A factor that
    one block loads as it lies is left there.
    """
    rows, columns, depth = product.known()
    copied, costs = _with_copy(product, factor), device.costs
    along, lines = (depth, columns) if factor == "B" else (rows, depth)
    if is_turned:
        along, lines = lines, along

    def with_copy(size: int, count: int) -> float:
        loads = -(-lines // lines_at_once(size, along)) * -(-along // size) * _per_number(device, size, product)
        store = costs.strided_store if is_turned else costs.local
        copy = loads * (costs.load + store) + costs.barrier * waits * count
        return copy + _cost(device, size, copied, _best(device, size, copied))

    def loads_again(size: int) -> bool:
        blocks = _block_counts(size, product, _best(device, size, product))
        return blocks[0 if factor == "B" else 1] > 1

    without = {size: _cost(device, size, product, _best(device, size, product)) for size, _ in teams}
    best = min(without, key=lambda size: without[size])
    lies_apart = factor == "A" and product.is_strided
    return (lies_apart or loads_again(best)) and min(with_copy(*team) for team in teams) < without[best]


def lines_at_once(size: int, along: int) -> int:
    """How many lines of so many numbers the work-items of a sub-group have a number each of."""
    return max(size // max(along, 1), 1)


def _with_copy(product: Extents, factor: Factor) -> Extents:
    """The product where a factor is copied to local memory."""
    if factor == "B":
        return replace(product, is_local_right=True, has_turned_right=False, is_strided_right=False)
    return replace(product, is_local=True, is_strided=False)


def choose_shape_of_pack(
    device: SpmdDevice, size: int, width: int, chain: Sequence[Extents], is_shared: bool
) -> tuple[Shape | None, float]:
    """The block of products that work-groups of so many work-items execute side by side in a sub-group, and its cycles
    for each of them; None where left factors have no room.

    Right factors that the work-groups share are broadcast; others are loaded by the work-items of each.
    """
    as_executed = device if is_shared else replace(device, has_broadcasts=False)
    whole = [replace(each, rows=-(-each.known()[0] // width) * size) for each in chain]
    if len(chain) == 1:
        shape: Shape | None = choose_shape(as_executed, size, whole[0])
    else:
        shape = choose_shape_of_chain(as_executed, size, whole)
    cycles = 0.0 if shape is None else sum(_cost(as_executed, size, each, shape) for each in whole)
    return shape, cycles / (size // width)


def choose_count(device: SpmdDevice, size: int, products: Sequence[Extents]) -> int:
    """How many sub-groups share the products of a work-group: so many that all have equally many blocks."""
    most = min(device.max_subgroups, MAX_WORK_ITEMS // size)
    largest = max(products, key=lambda each: _cost(device, size, each, _best(device, size, each)))
    rows, columns = _block_counts(size, largest, _best(device, size, largest))
    blocks = rows * columns
    return max(count for count in range(1, most + 1) if blocks % count == 0)


def choose_grid(size: int, count: int, product: Extents, shape: Shape) -> tuple[int, int]:
    """How the sub-groups of a work-group divide the blocks of rows and of columns of a product."""
    rows, columns = _block_counts(size, product, shape)

    def rounds(along_rows: int) -> int:
        return -(-rows // along_rows) * -(-columns // (count // along_rows))

    divisors = [number for number in range(1, count + 1) if count % number == 0]
    along_rows = min(divisors, key=rounds)
    return along_rows, count // along_rows


def alternatives(device: SpmdDevice, size: int, product: Extents, most: int) -> list[Shape]:
    """The blocks that the model takes for the fastest behind the one that it chooses, of different sizes each."""
    return sorted(_shapes(device, size, product), key=partial(_cost, device, size, product))[1 : most + 1]


def grids(device: SpmdDevice, products: Sequence[Extents], most: int) -> list[tuple[int, int]]:
    """Sizes of sub-groups, and how many share a work-group, beside those that are chosen."""
    chosen = choose_size(device, products)
    found = [(size, choose_count(device, size, products)) for size in sizes_of(device)]
    counts = range(1, min(device.max_subgroups, MAX_WORK_ITEMS // chosen) + 1)
    found += [(chosen, count) for count in counts if count & (count - 1) == 0]
    others = dict.fromkeys(each for each in found if each != (chosen, choose_count(device, chosen, products)))
    return list(others)[:most]


def cost_of(device: SpmdDevice, size: int, product: Extents) -> float:
    """Cycles of a sub-group for a product, by the block that is chosen."""
    return _cost(device, size, product, _best(device, size, product))


def _block_counts(size: int, product: Extents, shape: Shape) -> tuple[int, int]:
    rows, columns, _ = product.known()
    return -(-rows // (size * shape.rows)), -(-columns // shape.columns)


def _best(device: SpmdDevice, size: int, product: Extents) -> Shape:
    def cost(shape: Shape) -> tuple[float, int]:
        return _cost(device, size, product, shape), shape.rows

    return min(_shapes(device, size, product), key=cost)


def _shapes(device: SpmdDevice, size: int, product: Extents) -> list[Shape]:
    """The blocks that fit into the registers, if not one number of a work-item."""
    rows, columns, depth = product.known()
    unroll = max(depth, 1) if isinstance(product.depth, int) and depth <= MAX_UNROLLED else UNROLLED
    steps, most = size if device.has_broadcasts else 1, MAX_COLUMNS
    at_once = steps_at_once(device, size, product)
    if at_once:
        steps, most = product.depth % at_once if isinstance(product.depth, int) else 1, MAX_MATRIX_COLUMNS
    shapes = [
        Shape(r, c, _steps(device, product, r * c, unroll))
        for r in range(1, min(MAX_ROWS, -(-rows // size)) + 1)
        for c in range(1, min(most, columns) + 1)
        if _registers(device, size, product, r, c) <= device.registers
        and steps * r * c * product.multiply_adds <= device.unrolled
    ]
    return shapes or [Shape(1, 1, unroll)]


def _steps(device: SpmdDevice, product: Extents, block: int, most: int) -> int:
    """Steps of the sum in an iteration, for so many multiply-adds in a step."""
    limit = device.unrolled_complex if product.is_complex else device.unrolled
    return max(1, min(most, limit // (block * product.multiply_adds)))


def _registers(device: SpmdDevice, size: int, product: Extents, rows: int, columns: int) -> int:
    """Registers of a sub-group for sums and factors."""
    right = columns if device.has_broadcasts else 1
    if has_matrices(device, size, product):  # 16 bits of a column, and 32 bytes of a row
        rows_of_factor, right = rows * MATRIX_ITEMS // 2, -(-right // 2)
    else:
        rows_of_factor = rows
    return (rows * columns + rows_of_factor + right) * _per_number(device, size, product)


def _per_number(device: SpmdDevice, size: int, product: Extents) -> int:
    each = max(product.bytes, BYTES_OF_SUMS) if has_matrices(device, size, product) else product.bytes
    return -(-size * each // device.register_bytes)


def _cost(device: SpmdDevice, size: int, product: Extents, shape: Shape) -> float:
    """Cycles of a sub-group that computes all blocks of a product."""
    costs, (rows, columns, depth) = device.costs, product.known()
    registers = _per_number(device, size, product)
    in_line = costs.local if product.is_local_right else costs.load
    right = costs.uniform_load
    if device.has_broadcasts:
        right = costs.broadcast + registers * (costs.strided_load if product.is_strided_right else in_line) / size
    # processors load parts of complex numbers one by one, as drivers make no other code of them
    is_strided = product.is_strided or (product.is_complex and device.is_processor)
    left = costs.strided_load if is_strided else costs.local if product.is_local else costs.load
    multiply_add = costs.multiply_add * (2 if product.is_complex else 1)
    steps_of_unit = steps_at_once(device, size, product)
    whole = depth - depth % steps_of_unit if steps_of_unit else 0
    by_unit = costs.matrix_multiply_add * MATRIX_ITEMS / (steps_of_unit or 1)
    own = registers * (costs.strided_load if product.has_turned_right else in_line) / size
    total = 0.0
    for r, row_blocks in _parts(-(-rows // size), shape.rows):
        for c, column_blocks in _parts(columns, shape.columns):
            loads = r * registers * left
            step = r * c * registers * multiply_add + loads + c * right
            at_once = r * (c + c % 2) * registers * by_unit + loads + c * own
            steps = (depth - whole) * step + whole * at_once
            total += row_blocks * column_blocks * (steps + costs.block + 2 * r * c * registers * costs.load)
    return total


def _parts(count: int, each: int) -> Iterator[tuple[int, int]]:
    """What a number is divided into: how large parts are, and how many of them there are."""
    if count // each:
        yield each, count // each
    if count % each:
        yield count % each, 1
