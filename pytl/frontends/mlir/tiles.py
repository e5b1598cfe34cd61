"""Operations of linalg in sequence, dealt out to work-groups by tiles of what they write.

A batch is dealt out where all operations of a kernel have one, whatever their length. Else a split is one parallel
iteration of each operation, such that all agree on which dimension of each memref it is: of those that the kernel
writes. A work-group executes all operations for its tile, so that nobody waits for another one. A product is split
along rows and columns, a convolution along its images and lines, all else along rows.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from math import prod

from ...ir.types import ScalarType
from ...ir.values import NOALIAS, Value
from ...mlir.affine import AffineMap
from ...mlir.affine.expressions import Constant, Dimension, Expression, parts, substitute
from ...mlir.text import Memref, Operation
from ...mlir.text.types import contiguous
from ...ops import Alloca
from ...passes.packs import LOCAL_BYTES
from . import affine_values, linalg
from .context import Context, Refused
from .parallel import write_grid_stride_loop
from .sequence import has_for_group, has_store
from .structured import Structured, factors_of, structured
from .values import Size, View
from .views import part

_MEMORY = ("memref.alloca", "memref.alloc", "memref.get_global")
SMALL = 1 << 15
"""Iterations of all operations together, below which one work-group does them all."""
TILE = 1 << 14
"""Iterations of a tile where nothing else tells its size."""
SIDE = 64
"""Rows and columns of a tile of a product."""
Modes = dict[Value, int]
"""Of each memref that is written, the dimension that is split."""
Place = tuple[View, tuple[Size, ...], tuple[Size, ...]]
"""A part of a memref: offsets and sizes."""
Bound = tuple[int, Value, Size, int]
"""Of an iteration that is divided: where a tile begins, its size, and the size of a whole tile."""


@dataclass
class Split:
    """The iteration of each operation that is divided, in tiles of so many."""

    iterations: list[int]
    size: Size
    tile: int
    is_batch: bool = False
    """Whether it is an iteration of all operands, of operations of any length."""


def write_tiles(ctx: Context, operations: Sequence[Operation]) -> bool:
    """Write operations by tiles; whether they can be, else nothing is written that is seen."""

    def splits(sequence: Sequence[Structured]) -> list[Split]:
        ctx.tried = sequence
        if not all(each.outputs for each in sequence):
            return []  # where they write is in their functions of elements
        is_known = all(_work(each) is not None for each in sequence)
        ctx.is_short = is_known and sum(_work(each) or 0 for each in sequence) < SMALL
        return _splits(sequence) if not ctx.is_short and (is_known or ctx.is_of_tensors) else []

    return _write(ctx, operations, _MEMORY, splits)


def write_batches(ctx: Context, operations: Sequence[Operation]) -> bool:
    """Write operations that are all of a batch; whether they are, else nothing is written that is seen.

    A batch is a parallel iteration that is an index of each operand of an operation. Each memref that is written is
    indexed by it in one dimension alone.
    """
    return _write(ctx, operations, (), lambda sequence: _batches(ctx, sequence))


def _write(
    ctx: Context,
    operations: Sequence[Operation],
    memory: Sequence[str],
    splits_of: Callable[[Sequence[Structured]], list[Split]],
) -> bool:
    """Write operations of linalg by parts, if there are such; what takes memory, and all else, stands in front."""
    effects = [op for op in operations if op.name not in memory and (has_for_group(ctx, op) or has_store(ctx, op))]
    if not effects or not all(op.name.startswith("linalg.") and not op.is_broken for op in effects):
        return False
    if any(op.regions or op.is_broken for op in operations if op not in effects):
        return False
    known, written = ctx.diagnostics.count, len(ctx.builder.operations)
    with ctx.names.inner():
        for op in operations:
            if op not in effects:
                ctx.write(op)
        try:
            sequence = [structured(ctx, op) for op in effects]
            splits = splits_of(sequence)
        except Refused:
            splits = []
        if ctx.diagnostics.count > known or not splits:
            ctx.diagnostics.forget(known)
            # constants and sizes are used again
            kept = [op for op in ctx.builder.operations[written:] if not memory or not isinstance(op, Alloca)]
            ctx.builder.operations[written:] = kept
            return False
        _distribute(ctx, sequence, splits)
    return True


# Batches.


def _batches(ctx: Context, sequence: Sequence[Structured]) -> list[Split]:
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
    return operand.is_plain and [r for r in map_.results if _uses(r, iteration)] == [Dimension(iteration)]


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
    found: dict[int, int] = {first: iteration}
    modes: Modes = {}
    todo = [first]
    while True:
        while todo:
            at = todo.pop()
            linalg_op, d = sequence[at], found[at]
            if d in taken[at] or not _is_divided(linalg_op, d):
                return None
            for number, view in enumerate(linalg_op.operands):
                if not isinstance(view, View) or view.memory not in written:
                    continue
                results = linalg_op.maps[number].results
                if Dimension(d) not in results or modes.setdefault(view.memory, results.index(Dimension(d))) != (
                    results.index(Dimension(d))
                ):
                    return None
            for other, each in enumerate(sequence):
                if other not in found and (of := _linked(each, modes)) is not None:
                    found[other] = of
                    todo.append(other)
        rest = [number for number in range(len(sequence)) if number not in found]
        if not rest:
            break
        # what has to do with none of these
        size = sequence[first].sizes[iteration]
        own = sequence[rest[-1]]
        same = [d for d in _candidates(own, False) if own.sizes[d] == size]
        if not same:
            return None
        found[rest[-1]] = same[0]
        todo.append(rest[-1])
    if len({size for number, d in found.items() if isinstance(size := sequence[number].sizes[d], int)}) > 1:
        return None
    return [found[number] for number in range(len(sequence))]


def _linked(linalg_op: Structured, modes: Modes) -> int | None:
    """The iteration of an operation that follows from memory whose division is known."""
    for number, view in enumerate(linalg_op.operands):
        if isinstance(view, View) and view.memory in modes:
            result = linalg_op.maps[number].results[modes[view.memory]]
            return result.position if isinstance(result, Dimension) else -1
    return None


def _is_divided(linalg_op: Structured, d: int) -> bool:
    """Whether an iteration is parallel, and an index of each output once."""
    if d < 0 or linalg_op.iterators[d] != "parallel":
        return False
    for number, view in enumerate(linalg_op.operands):
        uses = [result for result in linalg_op.maps[number].results if _uses(result, d)]
        if not isinstance(view, View) or not uses:
            if number >= len(linalg_op.inputs):
                return False
            continue
        if number >= len(linalg_op.inputs) and (not view.is_plain or uses != [Dimension(d)]):
            return False
    return True


def _is_part(view: View, results: Sequence[Expression], d: int) -> bool:
    """Whether a tile of an iteration reads a part of memory."""
    uses = [result for result in results if _uses(result, d)]
    return not uses or (view.is_plain and len(uses) == 1 and _step(uses[0], d) is not None)


def _uses(expression: Expression, d: int) -> bool:
    return any(each == Dimension(d) for each in parts(expression))


def _step(expression: Expression, d: int) -> int | None:
    """The factor of an iteration in an expression that is linear in all of them, and does not fall."""
    factors = factors_of(expression)
    return None if factors is None or min(factors.values(), default=0) < 0 else factors.get(d, 0)


def _uses_any(linalg_op: Structured, number: int, d: int) -> bool:
    return any(_uses(result, d) for result in linalg_op.maps[number].results)


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
    total = counts[0]
    for count in counts[1:]:
        total = affine_values.arith(ctx, "*", total, count)

    def body(number: Value) -> None:
        ctx.positive.add(number)
        at = [number]
        for count in reversed(counts[1:]):
            at[0:1] = [
                affine_values.arith(ctx, "floordiv", at[0], count),
                affine_values.arith(ctx, "mod", at[0], count),
            ]
        bounds = [_bounds(ctx, split, each) for split, each in zip(splits, at)]
        parts_ = _Parts(ctx, set() if is_batch else {view.memory for each in sequence for view in each.outputs})
        rest = [
            _tiled(each, [(split.iterations[n], *bound, split.tile) for split, bound in zip(splits, bounds)], parts_)
            for n, each in enumerate(sequence)
        ]
        linalg.write_sequence(ctx, rest)

    write_grid_stride_loop(ctx, total, body)


def _bounds(ctx: Context, split: Split, number: Value) -> tuple[Value, Size]:
    """Where a tile begins, and its size."""
    start = affine_values.arith(ctx, "*", number, ctx.constant(split.tile)) if split.tile != 1 else number
    ctx.positive.add(start)
    if split.tile == 1 or (isinstance(split.size, int) and split.size % split.tile == 0):
        return start, split.tile
    rest = ctx.builder.arith("sub", ctx.value(split.size), start)
    return start, ctx.builder.arith("min", rest, ctx.constant(split.tile))


def _tiled(linalg_op: Structured, tiles: Sequence[Bound], parts_: _Parts) -> Structured:
    """An operation on its part of the operands; iterations of one step are left out."""
    gone = [d for d, _, size, _ in tiles if size == 1]
    rest = [d for d in range(len(linalg_op.iterators)) if d not in gone]
    sizes = list(linalg_op.sizes)
    for d, _, size, _ in tiles:
        sizes[d] = size
    moved: dict[Expression, Expression] = {Dimension(d): Dimension(rest.index(d)) for d in rest}
    moved |= {Dimension(d): Constant(0) for d in gone}
    names = tuple(f"d{d}" for d in range(len(rest)))
    starts = {d: start for d, start, *_ in tiles}
    numbers = [(starts.get(d), None if d in gone else rest.index(d)) for d in range(len(linalg_op.iterators))]
    operands: list[View | Value] = []
    maps = []
    for operand, map_ in zip(linalg_op.operands, linalg_op.maps):
        results = list(map_.results)
        if isinstance(operand, View) and not all(_is_part(operand, results, d) for d in starts):
            whole = replace(linalg_op, numbers=numbers)
            operands.append(_by_iterations(operand, map_, whole, [sizes[d] for d in rest]))
            maps.append(AffineMap(names, (), tuple(Dimension(d) for d in range(len(rest)))))
            continue
        if isinstance(operand, View) and any(_uses(result, d) for result in results for d, *_ in tiles):
            kept = [n for n, result in enumerate(results) if result not in [Dimension(d) for d in gone]]
            operand = parts_.of(linalg_op, operand, results, kept, sizes, tiles)
            results = [results[n] for n in kept]
        operands.append(operand)
        maps.append(AffineMap(names, (), tuple(substitute(each, moved) for each in results)).simplified())
    count = len(linalg_op.inputs)
    return replace(
        linalg_op,
        inputs=operands[:count],
        outputs=[each for each in operands[count:] if isinstance(each, View)],
        maps=maps,
        iterators=[linalg_op.iterators[d] for d in rest],
        sizes=[sizes[d] for d in rest],
        numbers=numbers,
    )


def _by_iterations(view: View, map_: AffineMap, whole: Structured, sizes: Sequence[Size]) -> View:
    """Memory by the iterations of a tile, from which a map that is not linear gives its indices."""

    def at(ctx: Context, indices: Sequence[Value]) -> list[Value]:
        return affine_values.results(ctx, map_, whole.places(ctx, dict(enumerate(indices))))

    shape = tuple(size if isinstance(size, int) else None for size in sizes)
    type_ = Memref(shape, view.type.element, contiguous(shape), None, view.type.space)
    return View(type_, view.memory, (), tuple(sizes), at, view)


class _Parts:
    """The parts of memrefs that belong to a tile.

    Of a temporary, whose elements no other tile has to do with, the part is local memory of its own, if it is small.
    """

    def __init__(self, ctx: Context, written: set[Value]) -> None:
        self.ctx = ctx
        self.written = written
        """The memory that may be a temporary: constants are not written."""
        self._known: dict[Place, View] = {}
        self._own: dict[Value, View | None] = {}
        self._bytes = 0

    def of(
        self,
        linalg_op: Structured,
        view: View,
        results: Sequence[Expression],
        kept: Sequence[int],
        sizes: Sequence[Size],
        tiles: Sequence[Bound],
    ) -> View:
        ctx = self.ctx
        offsets: list[Size] = [0] * len(results)
        extents: list[Size] = list(view.sizes)
        most: list[Size] = list(view.sizes)
        for n, result in enumerate(results):
            for d, start, size, whole in tiles:
                if not _uses(result, d):
                    continue
                step = _step(result, d)
                assert step is not None
                is_plain = result == Dimension(d)
                offsets[n] = affine_values.arith(ctx, "*", start, ctx.constant(step)) if step != 1 else start
                extents[n] = size if is_plain else _reach(ctx, result, sizes, view.sizes[n], offsets[n])
                most[n] = whole if is_plain else view.sizes[n]
        place = view, tuple(offsets), tuple(extents)
        if place in self._known:
            return self._known[place]
        own = self._of_temporary(view, most)
        if own is not None:
            view, offsets = own, [0] * len(results)
        old = view.type
        shape = tuple(extents[n] if isinstance(extents[n], int) else None for n in kept)
        type_ = Memref(shape, old.element, tuple(old.strides[n] for n in kept), None, old.space)  # type: ignore[arg-type]
        self._known[place] = part(ctx, linalg_op.op, view, offsets, extents, kept, type_)
        return self._known[place]

    def _of_temporary(self, view: View, sizes: Sequence[Size]) -> View | None:
        """The memory of this tile in place of a temporary; None where that has to be as large as the temporary."""
        memory, element = view.memory, view.element
        if memory in self._own:
            return self._own[memory]
        self._own[memory] = None
        known = [size for size in sizes if isinstance(size, int)]
        is_temporary = memory in self.ctx.temporaries or (memory in self.written and isinstance(memory.owner, Alloca))
        if not is_temporary or len(known) < len(sizes) or not isinstance(element, ScalarType):
            return None
        size = prod(known) * element.size
        if known == list(view.sizes) or self._bytes + size > LOCAL_BYTES:
            return None
        self._bytes += size
        of_modes = [known[view.modes.index(mode)] for mode in range(len(known))]
        type_ = Memref(tuple(known), view.type.element, contiguous(tuple(known)), 0, view.type.space)
        self._own[memory] = View(type_, self.ctx.builder.allocate(element, of_modes), view.modes, tuple(known))
        return self._own[memory]


def _reach(ctx: Context, result: Expression, sizes: Sequence[Size], whole: Size, offset: Size) -> Size:
    """How many elements an expression of all iterations reaches."""
    factors = factors_of(result) or {}
    reach = 1
    for d, factor in factors.items():
        size = sizes[d]
        if not isinstance(size, int):
            return ctx.builder.arith("sub", ctx.value(whole), ctx.value(offset))
        reach += factor * (size - 1)
    return reach
