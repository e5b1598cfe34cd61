"""Operations of linalg in sequence, dealt out to work-groups by tiles of what they write.

A batch is dealt out where all operations of a kernel have one, whatever their length. Else a split is one parallel
iteration of each operation, such that all agree on which dimension of each memref it is: of those that the kernel
writes. A work-group executes all operations for its tile, so that nobody waits for another one. A product is split
along rows and columns, a convolution along its images and lines, all else along rows.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import prod

from ...ir.values import NOALIAS, Value
from ...mlir.affine import AffineMap
from ...mlir.affine.expressions import Dimension
from ...mlir.text import Operation
from . import affine_values, linalg
from .context import Context, Refused
from .parallel import write_grid_stride_loop
from .parts import Bound, Parts, indexed_by, tiled
from .sequence import has_for_group, has_store
from .structured import Structured, structured
from .table import having
from .values import Size, View

_MEMORY = having("allocates") | {"memref.get_global"}
SMALL = 1 << 15
"""Iterations of all operations together, below which one work-group does them all."""
TILE = 1 << 14
"""Iterations of a tile where nothing else tells its size."""
SIDE = 64
"""Rows and columns of a tile of a product."""
Modes = dict[Value, int]
"""Of each memref that is written, the dimension that is split."""


@dataclass
class Split:
    """The iteration of each operation that is divided, in tiles of so many."""

    iterations: list[int]
    size: Size
    tile: int
    is_batch: bool = False
    """Whether it is an iteration of all operands, of operations of any length."""


def write_parts(ctx: Context, operations: Sequence[Operation]) -> bool:
    """Write operations of linalg by parts; whether they can be, else nothing is written that is seen.

    What takes memory, and all else, stands in front.
    """
    effects: list[Operation] = []
    others: list[Operation] = []
    for op in operations:
        has_effect = op.name not in _MEMORY and (has_for_group(ctx, op) or has_store(ctx, op))
        (effects if has_effect else others).append(op)
    if not effects or not all(op.name.startswith("linalg.") and not op.is_broken for op in effects):
        return False
    if any(op.regions or op.is_broken for op in others):
        return False
    known, written = ctx.diagnostics.count, ctx.builder.count
    with ctx.names.inner():
        for op in others:
            ctx.write(op)
        try:
            sequence = [structured(ctx, op) for op in effects]
            has_memory = any(op.name in having("allocates") for op in others)
            ways = [_tiles] if has_memory else [_tiles, _batches] if ctx.is_of_tensors else [_batches, _tiles]
            splits = next(filter(None, (way(ctx, sequence) for way in ways)), [])
        except Refused:
            splits = []
        if ctx.diagnostics.count > known or not splits:
            ctx.diagnostics.forget(known)
            ctx.builder.forget(written)
            return False
        _distribute(ctx, sequence, splits)
    return True


# Batches.


def _batches(ctx: Context, sequence: Sequence[Structured]) -> list[Split]:
    """A batch is a parallel iteration that is an index of each operand of an operation.

    Each memref that is written is indexed by it in one dimension alone.
    """
    iterations = [_batch(each) for each in sequence]
    chosen = [each for each in iterations if each is not None]
    if len(chosen) < len(sequence) or written_memory(sequence) is None:
        return []
    lengths = dict.fromkeys(each.sizes[d] for each, d in zip(sequence, chosen))
    if len(lengths) > 1 and any(isinstance(each, int) for each in lengths):
        return []
    modes: Modes = {}
    for linalg_op, d in zip(sequence, chosen):
        for number, view in enumerate(linalg_op.operands):
            if isinstance(view, View) and view.sizes:
                mode = linalg_op.maps[number].results.index(Dimension(d))
                if modes.setdefault(view.memory, mode) != mode:
                    return []
    size = affine_values.extreme(ctx, "min", [ctx.value(each) for each in lengths])
    return [Split(chosen, size, 1, is_batch=True)]


def _batch(linalg_op: Structured) -> int | None:
    """The first iteration that all operands have."""
    for iteration, kind in enumerate(linalg_op.iterators):
        if kind == "parallel" and linalg_op.sizes[iteration] != 1:
            pairs = zip(linalg_op.maps, linalg_op.operands)
            if all(_has(map_, operand, iteration) for map_, operand in pairs):
                return iteration
    return None


def _has(map_: AffineMap, operand: View | Value, iteration: int) -> bool:
    """Whether an operand is indexed by an iteration, once, as it is; a number and memory without a mode need not be."""
    if isinstance(operand, Value) or not operand.sizes:
        return isinstance(operand, Value)
    return operand.is_plain and [r for r in map_.results if indexed_by(r, iteration)] == [Dimension(iteration)]


def written_memory(sequence: Sequence[Structured]) -> set[Value] | None:
    """The memory that is written; None where it is seen as another memref, too, or is read in any place."""
    written = {view.memory for each in sequence for view in each.outputs}
    roots = {_root(memory): memory for memory in written}
    for each in sequence:
        if any(_root(view.memory) in roots for view in each.captured):
            return None
        for view in each.operands:
            if isinstance(view, View) and roots.get(_root(view.memory), view.memory) is not view.memory:
                return None
    return written if len(roots) == len(written) else None


def _root(memory: Value) -> Value:
    """What was passed or allocated."""
    while memory.owner is not None and isinstance(source := getattr(memory.owner, "tensor", None), Value):
        memory = source
    return memory


# What is divided.


def _tiles(ctx: Context, sequence: Sequence[Structured]) -> list[Split]:
    ctx.tried = sequence
    if not all(each.outputs for each in sequence):
        return []  # where they write is in their functions of elements
    is_known = all(_work(each) is not None for each in sequence)
    ctx.is_short = is_known and sum(_work(each) or 0 for each in sequence) < SMALL
    return _splits(sequence) if not ctx.is_short and (is_known or ctx.is_of_tensors) else []


def _splits(sequence: Sequence[Structured]) -> list[Split]:
    work = [_work(each) for each in sequence]
    written = written_memory(sequence)
    if written is None:
        return []
    last = max(range(len(sequence)), key=lambda n: (work[n] is None, work[n] or 0, n))
    heaviest = sequence[last]
    is_product = linalg.is_product(heaviest)
    has_windows = is_product and any(not isinstance(r, Dimension) for map_ in heaviest.maps for r in map_.results)
    splits: list[Split] = []
    for iteration in _candidates(heaviest, has_windows):
        taken = [set(each) for each in zip(*(split.iterations for split in splits))] or [set()] * len(sequence)
        found = _agreed(sequence, written, last, iteration, taken)
        if found is None:
            continue
        size = heaviest.sizes[iteration]
        is_batch = all(_uses_any(heaviest, number, iteration) for number in range(len(heaviest.maps)))
        tile = 1 if has_windows or (is_product and is_batch) else _tile(sequence, found, size, is_product)
        splits.append(Split(found, size, tile))
        if len(splits) == (3 if is_product else 1):
            break
    is_one = all(isinstance(split.size, int) and split.size <= split.tile for split in splits)
    return [] if is_one else splits


def _work(linalg_op: Structured) -> int | None:
    sizes = [size for size in linalg_op.sizes if isinstance(size, int)]
    return prod(sizes) if len(sizes) == len(linalg_op.sizes) else None


def _candidates(linalg_op: Structured, has_windows: bool) -> Iterator[int]:
    """Iterations that may be divided, those of the outermost dimensions first."""
    outer = [each.position for each in linalg_op.maps[len(linalg_op.inputs)].results if isinstance(each, Dimension)]
    if has_windows:
        # images, and lines of them: in a line, the channels are a product
        of_kernel = {each.position for each in linalg_op.maps[1].results if isinstance(each, Dimension)}
        outer = [d for d in outer if d not in of_kernel]
        outer = outer[:-1] if len(outer) > 1 else outer
    for d in outer:
        if linalg_op.iterators[d] == "parallel" and linalg_op.sizes[d] != 1:
            yield d


def _agreed(
    sequence: Sequence[Structured], written: set[Value], first: int, iteration: int, taken: Sequence[set[int]]
) -> list[int] | None:
    """The iteration of each operation, where one is divided by this iteration; None where they do not agree."""
    users: dict[Value, list[int]] = {}
    for number, each in enumerate(sequence):
        for memory in {view.memory for view in each.operands if isinstance(view, View)}:
            users.setdefault(memory, []).append(number)
    size = sequence[first].sizes[iteration]
    found: dict[int, int] = {}
    modes: Modes = {}
    for begin in (first, *reversed(range(len(sequence)))):
        if begin in found:
            continue
        # what has to do with none of those before
        same = [d for d in _candidates(sequence[begin], False) if sequence[begin].sizes[d] == size]
        if begin != first and not same:
            return None
        found[begin] = iteration if begin == first else same[0]
        todo = [begin]
        while todo:
            at = todo.pop()
            linalg_op, d = sequence[at], found[at]
            if d in taken[at] or not _is_divided(linalg_op, d):
                return None
            linked: set[int] = set()
            for number, view in enumerate(linalg_op.operands):
                if not isinstance(view, View) or view.memory not in written:
                    continue
                results = linalg_op.maps[number].results
                if Dimension(d) not in results:
                    return None
                mode = results.index(Dimension(d))
                if view.memory not in modes:
                    linked.update(users[view.memory])
                if modes.setdefault(view.memory, mode) != mode:
                    return None
            for other in sorted(linked - found.keys()):
                found[other] = _linked(sequence[other], modes)
                todo.append(other)
    if len({size for number, d in found.items() if isinstance(size := sequence[number].sizes[d], int)}) > 1:
        return None
    return [found[number] for number in range(len(sequence))]


def _linked(linalg_op: Structured, modes: Modes) -> int:
    """The iteration of an operation that follows from memory whose division is known; -1 where there is none."""
    for number, view in enumerate(linalg_op.operands):
        if isinstance(view, View) and view.memory in modes:
            result = linalg_op.maps[number].results[modes[view.memory]]
            return result.position if isinstance(result, Dimension) else -1
    return -1


def _is_divided(linalg_op: Structured, d: int) -> bool:
    """Whether an iteration is parallel, and an index of each output once."""
    if d < 0 or linalg_op.iterators[d] != "parallel":
        return False
    for number, view in enumerate(linalg_op.operands):
        uses = [result for result in linalg_op.maps[number].results if indexed_by(result, d)]
        if not isinstance(view, View) or not uses:
            if number >= len(linalg_op.inputs):
                return False
            continue
        if number >= len(linalg_op.inputs) and (not view.is_plain or uses != [Dimension(d)]):
            return False
    return True


def _uses_any(linalg_op: Structured, number: int, d: int) -> bool:
    return any(indexed_by(result, d) for result in linalg_op.maps[number].results)


def _tile(sequence: Sequence[Structured], iterations: Sequence[int], size: Size, is_product: bool) -> int:
    """How many iterations a work-group executes."""
    wanted = SIDE
    if not is_product:
        inner = 0
        for each, iteration in zip(sequence, iterations):
            inner += prod(n for d, n in enumerate(each.sizes) if d != iteration and isinstance(n, int))
        wanted = max(TILE // max(inner, 1), 1)
    if not isinstance(size, int):
        return wanted
    wanted = min(wanted, size)
    divisor = next((n for n in range(wanted, 0, -1) if size % n == 0), 1)
    return divisor if divisor * 4 >= wanted else wanted


# What is written.


def _distribute(ctx: Context, sequence: Sequence[Structured], splits: Sequence[Split]) -> None:
    is_batch = any(split.is_batch for split in splits)
    if len(sequence) > 1 or not is_batch:
        # one work-group may be at the second operation, while another is at the first
        ctx.attributes[NOALIAS] = True
    sides = "" if is_batch else f"tiles of {' x '.join(str(split.tile) for split in splits)} "
    names = ", ".join(f"d{split.iterations[-1]}" for split in splits)
    ctx.grid = f"{sides}iterations {names} of {sequence[-1].op.name}"
    counts: list[Value] = []
    for split in splits:
        if isinstance(split.size, Value) and split.tile == 1:
            counts.append(split.size)
        elif isinstance(split.size, int):
            counts.append(ctx.constant(-(-split.size // split.tile)))
        else:
            # arithmetic that a launch follows, to know how many work-groups there are
            more = ctx.builder.arith("add", split.size, ctx.constant(split.tile - 1))
            counts.append(ctx.builder.arith("div", more, ctx.constant(split.tile)))

    def body(number: Value) -> None:
        ctx.positive.add(number)
        at = affine_values.divided(ctx, number, counts)
        bounds = [_bounds(ctx, split, each) for split, each in zip(splits, at)]
        parts = Parts(ctx, set() if is_batch else {view.memory for each in sequence for view in each.outputs})

        def of(number: int, linalg_op: Structured) -> Structured:
            own: list[Bound] = [(split.iterations[number], *b, split.tile) for split, b in zip(splits, bounds)]
            return tiled(linalg_op, own, parts)

        linalg.write_sequence(ctx, [of(*each) for each in enumerate(sequence)])

    write_grid_stride_loop(ctx, affine_values.total(ctx, "*", counts), body)


def _bounds(ctx: Context, split: Split, number: Value) -> tuple[Value, Size]:
    """Where a tile begins, and its size."""
    start = affine_values.arith(ctx, "*", number, ctx.constant(split.tile)) if split.tile != 1 else number
    ctx.positive.add(start)
    if split.tile == 1 or (isinstance(split.size, int) and split.size % split.tile == 0):
        return start, split.tile
    rest = ctx.builder.arith("sub", ctx.value(split.size), start)
    return start, ctx.builder.arith("min", rest, ctx.constant(split.tile))
