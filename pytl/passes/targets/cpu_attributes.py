"""What passes decide about a `cpu.kernel` and its software prefetch: the attributes, and what is checked of them.

`cpu-kernels` writes which products are accumulated together, `cpu-tiles` the register tile, and `cpu-schedule` all the
rest. Vector code reads them, and decides nothing.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import accumulate, pairwise
from typing import Any

from ...ir.meanings import no_meaning
from ...ir.operation import Operation, Problem, check
from ...ir.values import Value
from ...ops import Alloca
from ...ops.blas import Axpby, Gemm, Gemv
from ...ops.regions import Foreach
from ...ops.sums import Sum
from ...ops.views import root_of
from .partition import RegisterTiles
from .vector_forms import accumulates, sums_rows

LANES = "lanes"
"""Of a kernel: elements of the result in a vector."""
VECTORS = "vectors"
"""Of a kernel: vectors of rows that a register tile has."""
COLUMNS = "columns"
"""Of a kernel: columns of the result that are summed at the same time."""
UNROLL = "unroll"
"""Of a kernel: how often the loop of the sum is unrolled."""
FACTOR_LANES = "factor_lanes"
"""Of a kernel with products: how many numbers of the right factor are loaded as one vector, whose lanes multiply whole
vectors; each number is loaded by itself where the attribute is missing."""
TERMS = "terms"
"""Of a kernel with products: how many terms of the sum an instruction adds; one where the attribute is missing."""
BY_VECTORS = "by_vectors"
"""Of a kernel with products: whether a step of a sum has its numbers of the right factor in registers, and one vector
of the left factor after the other; else the vectors, and one number after the other."""
INTERLEAVE = "interleave"
"""Of a kernel: how many interleaved work-groups its instructions are written for, the same ones for each."""
OUTLINED = "outlined"
"""Of a kernel: whether its code is a function of its own (outlined), with a register allocation of its own."""
ACCUMULATE = "accumulate"
"""Of a kernel with products: how many consecutive products are summed in the same registers, for each such sum."""
OUTER = "outer"
"""Of a kernel with products: which loop is the outer one, that over tiles of "rows" or over blocks of "columns"."""
MIN_LANES = "least_lanes"
"""Of a kernel with products: lanes of the shortest vector in memory, with which a tile's rows may end."""
UNROLL_TILES = "unroll_tiles"
"""Of a kernel: up to so many equal tiles or blocks are unrolled; more are a loop."""
ACCUMULATORS = "accumulators"
"""Of a kernel with a sum or a gemv: vectors of partial sums that are kept at the same time."""

IN_ORDER = "in_order"
"""Of a kernel that sums columns: whether one column follows the other, in the order of memory; else several are summed
at the same time. Of one with a product: whether it reads the columns of its left factor once, in that order."""
SHORT_ROWS = "short_rows"
"""Of a kernel that sums columns in order, whose rows are counted at run time: up to so many rows, several columns are
summed at the same time; with more, one column follows the other."""
SLICE = "slice"
"""Of a kernel that sums rows, or that reads a left factor in order: tiles of rows whose sums the result holds, while
one column after the other is added to them; without it, registers hold the sums of a tile."""

PATTERNS = "patterns"
"""Of a kernel with products: whether terms that are zero by the patterns of factors are left out; all terms of a sum
are unrolled then."""
APART = "apart"
"""Of a kernel with products: whether what it writes shares no memory with what else it reads or writes. So rows are
divided into tiles though results stay in registers, and an epilogue may write other results."""
RELOADS = "reloads"
"""Of a kernel with products: whether numbers of right factors that lie in local memory are loaded from there, even
where a compiler knows which registers they were stored from: it would shuffle them out of these."""
ADDED_LAST = "added_last"
"""Of a kernel with products: whether sums begin with zero and old elements of the result are added behind them, not
what sums begin with."""
FROM_MEMORY = "from_memory"
"""Of a kernel with products that add two terms at once: whether instructions have the pairs of right factors as their
operands in memory, and not in registers, into whose lanes they are loaded."""
TURNED = "turned"
"""Of a kernel of points: whether loops go by blocks that are turned in registers (`turned_loops.py`). With `LINE` they
begin at cache lines."""
COMPONENTS = "components"
"""Of a kernel of points: whether components that lie side by side are accessed together (`interleaved.py`)."""

ALONG = "along"
"""Of a kernel of points: elements of a vector along a row, in loops whose sums have no order (`row_loops.py`)."""
CHAINS = "chains"
"""Of such a kernel: vectors of each point in an iteration of a loop that sums, at most."""
AHEAD = "ahead"
"""Of a kernel of points: values of the second variable after which what is loaded now would be loaded; it is
prefetched into the second-level cache then."""
FASTMATH = "fastmath"
"""Of a kernel of points: whether products may be rounded with the sum that they are added to, and numbers divided by
others be multiplied by the reciprocal. Of one with products of bf16: whether numbers below 2^-126 may be zero."""

LINE = "line"
"""Of a prefetch, and of blocks: bytes of a cache line."""
LEVEL = "level"
"""Of a prefetch: the level of the cache that lines are brought into, from 1 on."""
ONWARDS = "onwards"
"""Of a prefetch in a kernel: whether a vector of points, or a register tile, prefetches what the next one reads: of a
left factor, the rows of the next tile."""
UNROLLED = "unrolled"
"""Of a prefetch outside of kernels: whether its lines are unrolled; else they are a loop."""
PER_TILE = "per_tile"
"""Of a prefetch in a kernel: how many pieces of the matrix the sum of each register tile, or of each vector of points,
prefetches; see `Lines`. Of the next tile's rows of a left factor, a piece is a column."""
PER_ITERATION = "per_iteration"
"""Of a prefetch in a kernel: how many pieces each iteration of a sum's loop prefetches; 0 where the sum prefetches
all of them before its loop. There is a number for each product of a work-group and each kind of its register tiles,
in the order of `RegisterTiles.kinds`; of points, for the blocks of each loop (`Blocks` of `turned_blocks.py`)."""

OF_KERNEL = {
    **dict.fromkeys(
        (
            LANES,
            VECTORS,
            COLUMNS,
            UNROLL,
            INTERLEAVE,
            MIN_LANES,
            UNROLL_TILES,
            ACCUMULATORS,
            FACTOR_LANES,
            TERMS,
            SHORT_ROWS,
            SLICE,
        ),
        "integer",
    ),
    **dict.fromkeys((ALONG, CHAINS, AHEAD, LINE), "integer"),
    ACCUMULATE: "integers",
    OUTER: "text",
    OUTLINED: "boolean",
    PATTERNS: "boolean",
    APART: "boolean",
    RELOADS: "boolean",
    ADDED_LAST: "boolean",
    FROM_MEMORY: "boolean",
    BY_VECTORS: "boolean",
    IN_ORDER: "boolean",
    TURNED: "boolean",
    COMPONENTS: "boolean",
    FASTMATH: "boolean",
}
OF_PREFETCH = {
    **dict.fromkeys((LINE, LEVEL, PER_TILE), "integer"),
    PER_ITERATION: "integers",
    **dict.fromkeys((UNROLLED, ONWARDS), "boolean"),
}

ROWS_OUTER, COLUMNS_OUTER = "rows", "columns"
LEVELS = (1, 2, 3)
LINES = (16, 1024)
"""The shortest and the longest cache line, in bytes."""
_TILE = (LANES, VECTORS, COLUMNS, UNROLL)
_SCHEDULE = (OUTER, MIN_LANES, UNROLL_TILES)
MOST = 1024
"""The largest number that an attribute may be."""


def decided(op: Any, name: str) -> Any:
    """An attribute that a pass wrote; raises `NoMeaning` where none did, because what emits code decides nothing."""
    if name not in op.attributes:
        no_meaning("vector code", f"{op.word} without the attribute {name}")
    return op.attributes[name]


def products_in(op: Any) -> list[Gemm]:
    """The products of a `cpu.kernel`, those of all interleaved work-groups."""
    return [inner for inner in op.body.operations if isinstance(inner, Gemm)]


def lies_in_local_memory(tensor: Value) -> bool:
    """Whether a tensor of known shape lies in memory that its function allocates."""
    return bool(tensor.type.has_static_shape) and isinstance(root_of(tensor).owner, Alloca)


def products_of_group(op: Any) -> list[Gemm]:
    """The products of a `cpu.kernel` for one work-group."""
    products = products_in(op)
    return products[: len(products) // op.interleave]


def tiles_of(op: Any) -> list[RegisterTiles] | None:
    """The register tiles of each product of a work-group, in a kernel that has a tile.

    None where the shape of a result is not static.
    """
    lanes, vectors, columns = (op.attributes[name] for name in (LANES, VECTORS, COLUMNS))
    shapes = [product.C.type.shape for product in products_of_group(op)]
    if not all(isinstance(extent, int) for shape in shapes for extent in shape):
        return None
    return [RegisterTiles.of(rows, width, lanes, vectors, columns) for rows, width in shapes]


def schedule_alone(inner: Operation) -> tuple[str, ...]:
    """What `cpu-schedule` decides about a kernel of one instruction that is not a product."""
    if isinstance(inner, (Gemv, Sum)):
        if sums_rows(inner):
            return (VECTORS, ACCUMULATORS, UNROLL_TILES)
        return (COLUMNS, ACCUMULATORS, UNROLL_TILES) if inner.A.type.order == 2 else (ACCUMULATORS,)
    return (UNROLL_TILES,) if isinstance(inner, (Axpby, Foreach)) else ()


def _stages(op: Any) -> list[set[str]]:
    """The attributes that a kernel has, after each of the passes that write some."""
    if products_in(op):
        return [{ACCUMULATE}, {ACCUMULATE, *_TILE}, {ACCUMULATE, *_TILE, *_SCHEDULE}]
    first = op.body.operations[:1]
    return [{LANES}, *({LANES, *schedule_alone(inner)} for inner in first)]


def _is_number(value: object, minimum: int = 1, maximum: int = MOST) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and minimum <= value <= maximum


@check(
    "PYTL-3007",
    "the attributes of a kernel say how its instructions are divided into tiles and vectors",
    "Passes",
    is_basic=True,
)
def tile_attributes(op: Any) -> Iterator[Problem]:
    has_products = bool(products_in(op))
    is_of_points = any(isinstance(inner, Foreach) for inner in op.body.operations[:1])
    sums = [inner for inner in op.body.operations[:1] if isinstance(inner, (Gemv, Sum))]
    of_kind: list[str] = []
    if has_products:
        of_kind = [ADDED_LAST, APART, BY_VECTORS, FACTOR_LANES, FASTMATH, FROM_MEMORY]
        of_kind += [IN_ORDER, PATTERNS, RELOADS, SLICE, TERMS]
    elif is_of_points:
        of_kind = [TURNED, COMPONENTS, FASTMATH, ALONG, CHAINS, AHEAD, LINE]
    elif sums and sums[0].A.type.order == 2:
        of_kind = [SLICE] if sums_rows(sums[0]) else [IN_ORDER, SHORT_ROWS]
    optional = {INTERLEAVE, OUTLINED, *of_kind}
    attributes = {*op.attributes} - optional
    stages = _stages(op)
    if attributes not in stages:
        expected = next((stage for stage in stages if attributes <= stage), stages[-1])
        listed = [", ".join(sorted(names)) or "none" for names in (attributes, expected)]
        yield Problem(f"it has the attributes {listed[0]}, and not {listed[1]}")
    for name, kind in OF_KERNEL.items():
        number = op.attributes.get(name, 1)
        if kind == "integer" and not _is_number(number):
            yield Problem(f"{name} is {number}, and not from 1 to {MOST}")
    for name in (LANES, MIN_LANES, FACTOR_LANES, ALONG, LINE):
        number = op.attributes.get(name, 1)
        if isinstance(number, int) and number & (number - 1):
            yield Problem(f"{name} is {number}, which is not a power of two")
    outer = op.attributes.get(OUTER, ROWS_OUTER)
    if outer not in (ROWS_OUTER, COLUMNS_OUTER):
        yield Problem(f'{OUTER} is "{outer}", and neither "{ROWS_OUTER}" nor "{COLUMNS_OUTER}"')
    sums = op.attributes.get(ACCUMULATE)
    if outer == COLUMNS_OUTER and isinstance(sums, list) and len(sums) > 1:
        yield Problem("tiles of rows are the outer loop of several sums, whose rows depend on each other")
    if not has_products and op.attributes.get(INTERLEAVE, 1) != 1:
        yield Problem("only products are written for several work-groups")


@check("PYTL-3071", "products that are summed in the same registers are added to one result", "Passes")
def products_accumulate(op: Any) -> Iterator[Problem]:
    sizes = op.attributes.get(ACCUMULATE)
    if not isinstance(sizes, list) or not products_in(op) or op.interleave < 1:
        return
    products = products_in(op)
    count = len(products) // op.interleave
    if not all(_is_number(size) for size in sizes) or sum(sizes) != count:
        yield Problem(f"{ACCUMULATE} is {sizes}, which doesn't divide {count} products")
        return
    first_of_a_sum = {0, *accumulate(sizes)}
    for number, (before, product) in enumerate(pairwise(products), 1):
        if number % count not in first_of_a_sum and not accumulates(before, product):
            yield Problem(f"product number {number % count + 1} is not added to the result of the one before it")


def _wrong_line(line: Any) -> str | None:
    """What is wrong with a number of bytes as that of a cache line."""
    if _is_number(line, *LINES) and not line & (line - 1):
        return None
    return f"{LINE} is {line}, and no power of two from {LINES[0]} to {LINES[1]}"


@check("PYTL-3127", "a cache line has a number of bytes", "Passes")
def has_line(op: Any) -> Iterator[Problem]:
    if problem := _wrong_line(op.attributes.get(LINE)):
        yield Problem(problem)


@check("PYTL-3072", "a prefetch says which level of the cache it is for, and which lines are prefetched when", "Passes")
def prefetch_attributes(op: Any) -> Iterator[Problem]:
    attributes, in_kernel = {*op.attributes}, {LINE, LEVEL, PER_TILE, PER_ITERATION}
    by_itself = {LINE, LEVEL, UNROLLED}
    if attributes not in (set(), {LEVEL}, {ONWARDS}, by_itself, in_kernel, {*in_kernel, ONWARDS}):
        listed = ", ".join(sorted(attributes))
        yield Problem(
            f"it has the attributes {listed}, and not {LEVEL} or {ONWARDS} alone, or {LINE} and {LEVEL} with "
            f"{UNROLLED}, or with {PER_TILE} and {PER_ITERATION}"
        )
    if problem := _wrong_line(op.attributes.get(LINE, LINES[0])):
        yield Problem(problem)
    level, per_tile = op.attributes.get(LEVEL, LEVELS[0]), op.attributes.get(PER_TILE, 1)
    if level not in LEVELS:
        yield Problem(f"{LEVEL} is {level}, and not from {LEVELS[0]} to {LEVELS[-1]}")
    if not _is_number(per_tile, maximum=1 << 20):
        yield Problem(f"{PER_TILE} is {per_tile}, and no number from 1 on")
        return
    numbers = op.attributes.get(PER_ITERATION)
    for number in numbers if isinstance(numbers, list) else ():
        if not _is_number(number, 0, per_tile):
            yield Problem(f"{PER_ITERATION} has {number}, and not numbers from 0 to {PER_TILE}")
