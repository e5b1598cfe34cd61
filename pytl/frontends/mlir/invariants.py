"""Functions of elements that compute something which is the same along contiguous memory: it is computed once a row."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from math import prod

from ...ir.types import ScalarType
from ...mlir.affine import AffineMap
from ...mlir.affine.expressions import Dimension, Expression, parts, substitute
from ...mlir.text import Block, Memref, Operation
from ...mlir.text import Type as MlirType
from ...mlir.text.types import contiguous
from .context import Context
from .structured import Structured
from .types import number_type
from .values import View

MAX_ROWS = 4096
"""Elements of local memory for what is computed once a row."""
_COSTLY = ("arith.divf", "arith.remf", "arith.divsi", "arith.divui", "arith.remsi", "arith.remui")


def by_rows(ctx: Context, linalg_op: Structured) -> list[Structured]:
    """An operation as one on rows, and one on elements; itself alone where nothing costly is the same along a row."""
    results = linalg_op.maps[-1].results
    along = results[-1].position if len(results) > 1 and isinstance(results[-1], Dimension) else None
    sizes = [size for d, size in enumerate(linalg_op.sizes) if d != along and isinstance(size, int)]
    if along is None or "reduction" in linalg_op.iterators or len(sizes) + 1 < len(linalg_op.sizes):
        return [linalg_op]
    if len(linalg_op.outputs) != 1 or prod(sizes) > MAX_ROWS:
        return [linalg_op]
    own, rest = _parted(linalg_op, along)
    if not any(op.name in _COSTLY or op.name.startswith("math.") for op in own):
        return [linalg_op]
    used = {name for op in rest for name in op.operands}
    kept = [(op.results[0], op.result_types[0]) for op in own if op.results[0] in used]
    types = [number_type(type_) for _, type_ in kept]
    if not kept or not all(isinstance(each, ScalarType) for each in types):
        return [linalg_op]
    return _made(ctx, linalg_op, along, (own, rest), kept)


def _parted(linalg_op: Structured, along: int) -> tuple[list[Operation], list[Operation]]:
    """The operations that depend on nothing which changes along a row, and the others."""
    known: set[str] = set()
    for (name, _), map_, operand in zip(linalg_op.block.arguments, linalg_op.maps, linalg_op.inputs):
        uses = any(each == Dimension(along) for result in map_.results for each in parts(result))
        if not (isinstance(operand, View) and uses):
            known.add(name)
    inside = {name for name, _ in linalg_op.block.arguments}
    inside |= {name for op in linalg_op.block.operations for name in op.results}
    own: list[Operation] = []
    rest: list[Operation] = []
    for op in linalg_op.block.operations:
        is_plain = op.name.startswith(("arith.", "math.")) and len(op.results) == 1 and not op.regions
        if is_plain and all(name in known or name not in inside for name in op.operands):
            own.append(op)
            known.update(op.results)
        else:
            rest.append(op)
    return own, rest


def _made(
    ctx: Context,
    linalg_op: Structured,
    along: int,
    parted: tuple[list[Operation], list[Operation]],
    kept: Sequence[tuple[str, MlirType]],
) -> list[Structured]:
    own, rest = parted
    rows = [d for d in range(len(linalg_op.iterators)) if d != along]
    shape = tuple(size for d in rows if isinstance(size := linalg_op.sizes[d], int))
    names = tuple(f"d{n}" for n in range(len(rows)))
    whole = linalg_op.maps[-1].dimensions
    moved = {d: n for n, d in enumerate(rows)}
    views = []
    for _, type_ in kept:
        element = number_type(type_)
        assert isinstance(element, ScalarType)
        memory = ctx.builder.allocate(element, list(reversed(shape)) or [1])
        memref = Memref(shape, type_, contiguous(shape), 0, "")
        views.append(View(memref, memory, tuple(reversed(range(len(shape)))), shape))
    invariant = [
        n
        for n, (map_, operand) in enumerate(zip(linalg_op.maps, linalg_op.inputs))
        if not isinstance(operand, View)
        or not any(each == Dimension(along) for result in map_.results for each in parts(result))
    ]
    read = {name for op in own for name in op.operands}
    arguments = linalg_op.block.arguments
    taken = [n for n in invariant if arguments[n][0] in read]
    maps = [_renumbered(linalg_op.maps[n], names, moved) for n in taken]
    identity = AffineMap(names, (), tuple(map(Dimension, range(len(rows)))))
    last = linalg_op.block.operations[-1]
    outs = [(f"% row {n}", type_) for n, (_, type_) in enumerate(kept)]
    given = replace(last, operands=[name for name, _ in kept], operand_types=[type_ for _, type_ in kept])
    first = replace(
        linalg_op,
        inputs=[linalg_op.inputs[n] for n in taken],
        outputs=views,
        maps=[*maps, *[identity] * len(kept)],
        iterators=["parallel"] * len(rows),
        sizes=[linalg_op.sizes[d] for d in rows],
        block=Block("", [*(arguments[n] for n in taken), *outs], [*own, given]),
        numbers=[],
    )
    of_rows = AffineMap(whole, (), tuple(map(Dimension, rows)))
    count = len(linalg_op.inputs)
    second = replace(
        linalg_op,
        inputs=[*linalg_op.inputs, *views],
        maps=[*linalg_op.maps[:count], *[of_rows] * len(kept), *linalg_op.maps[count:]],
        block=Block("", [*arguments[:count], *kept, *arguments[count:]], rest),
    )
    return [first, second]


def _renumbered(map_: AffineMap, names: tuple[str, ...], moved: dict[int, int]) -> AffineMap:
    known: dict[Expression, Expression] = {Dimension(d): Dimension(n) for d, n in moved.items()}
    return AffineMap(names, (), tuple(substitute(each, known) for each in map_.results))
