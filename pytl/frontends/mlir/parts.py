"""Parts of operations of linalg: what an operation is on a tile of some of its iterations."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from math import prod

from ...ir.types import ScalarType
from ...ir.values import Value
from ...mlir.affine import AffineMap
from ...mlir.affine.expressions import Constant, Dimension, Expression, parts, substitute
from ...mlir.text import Memref
from ...mlir.text.types import contiguous
from ...ops import Alloca
from ...passes.packs import LOCAL_BYTES
from . import affine_values
from .context import Context
from .structured import Structured, factors_of
from .values import Size, View
from .views import part

Place = tuple[View, tuple[Size, ...], tuple[Size, ...]]
"""A part of a memref: offsets and sizes."""
Bound = tuple[int, Value, Size, int]
"""Of an iteration that is divided: where a tile begins, its size, and the size of a whole tile."""


def tiled(linalg_op: Structured, tiles: Sequence[Bound], parts_: Parts) -> Structured:
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
        if isinstance(operand, View) and any(indexed_by(result, d) for result in results for d, *_ in tiles):
            # an index of iterations that are left out is none any more
            kept = [n for n, result in enumerate(results) if not (own := factors_of(result)) or own.keys() - set(gone)]
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


class Parts:
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
                if not indexed_by(result, d):
                    continue
                step = _step(result, d)
                assert step is not None
                is_plain = result == Dimension(d)
                offset = affine_values.arith(ctx, "*", start, ctx.constant(step))
                offsets[n] = affine_values.arith(ctx, "+", ctx.value(offsets[n]), offset)
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
    factors = {d: factor for d, factor in (factors_of(result) or {}).items() if sizes[d] != 1}
    if list(factors.values()) == [1]:
        return sizes[next(iter(factors))]
    reach = 1
    for d, factor in factors.items():
        size = sizes[d]
        if not isinstance(size, int):
            return ctx.builder.arith("sub", ctx.value(whole), ctx.value(offset))
        reach += factor * (size - 1)
    return reach


def _is_part(view: View, results: Sequence[Expression], d: int) -> bool:
    """Whether a tile of an iteration reads a part of memory."""
    uses = [result for result in results if indexed_by(result, d)]
    return not uses or (view.is_plain and len(uses) == 1 and _step(uses[0], d) is not None)


def indexed_by(expression: Expression, d: int) -> bool:
    """Whether an iteration is in an expression."""
    return any(each == Dimension(d) for each in parts(expression))


def _step(expression: Expression, d: int) -> int | None:
    """The factor of an iteration in an expression that is linear in all of them, and does not fall."""
    factors = factors_of(expression)
    return None if factors is None or min(factors.values(), default=0) < 0 else factors.get(d, 0)
