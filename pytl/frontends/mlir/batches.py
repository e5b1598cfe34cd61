"""Operations of linalg on batches, dealt out to work-groups.

A batch is a parallel iteration that is an index of each operand of an operation. Where all operations of a kernel have
one of the same length, and each memref that is written is indexed by it in one dimension alone, a work-group executes
all operations for its part of the batch.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from ...ir.values import NOALIAS, Value
from ...mlir.affine import AffineMap
from ...mlir.affine.expressions import Dimension, Expression, parts, substitute
from ...mlir.text import Memref, Operation
from . import linalg
from .affine_values import extreme
from .context import Context, Refused
from .parallel import write_grid_stride_loop
from .sequence import has_for_group, has_store
from .structured import Input, Structured, structured
from .values import View
from .views import part


@dataclass
class _Batch:
    """An operation and the iteration of it that is dealt out."""

    linalg_op: Structured
    iteration: int

    def modes(self) -> list[tuple[View, int]]:
        """The memrefs, and which dimension of each is the batch."""
        return [
            (operand, self.linalg_op.maps[number].results.index(Dimension(self.iteration)))
            for number, operand in enumerate(self.linalg_op.operands)
            if isinstance(operand, View) and operand.sizes
        ]


def write_batches(ctx: Context, operations: Sequence[Operation]) -> bool:
    """Write operations that are all of a batch; whether they are, else nothing is written that is seen."""
    effects = [op for op in operations if has_for_group(ctx, op) or has_store(ctx, op)]
    if (
        not effects
        or not all(op.name.startswith("linalg.") for op in effects)
        or any(op.is_broken for op in operations)
    ):
        return False
    if any(op.regions for op in operations if op not in effects):
        return False
    known = ctx.diagnostics.count
    with ctx.names.inner():
        for op in operations:
            if op not in effects:
                ctx.write(op)
        try:
            batches = [_batch(structured(ctx, op)) for op in effects]
        except Refused:
            batches = [None]
        chosen = [each for each in batches if each is not None]
        if ctx.diagnostics.count > known or len(chosen) < len(batches) or not _agree(chosen):
            ctx.diagnostics.forget(known)
            return False
        _distribute(ctx, chosen)
    return True


def _batch(linalg_op: Structured) -> _Batch | None:
    """The first iteration that all operands have."""
    for iteration, kind in enumerate(linalg_op.iterators):
        is_batch = kind == "parallel" and linalg_op.sizes[iteration] != 1
        if is_batch and all(
            _has(linalg_op.maps[n], operand, iteration) for n, operand in enumerate(linalg_op.operands)
        ):
            return _Batch(linalg_op, iteration)
    return None


def _has(map_: AffineMap, operand: Input, iteration: int) -> bool:
    """Whether an operand is indexed by an iteration, once, as it is; a number and memory without a mode need not be."""
    if isinstance(operand, Value) or not operand.sizes:
        return isinstance(operand, Value)
    uses = [n for n, result in enumerate(map_.results) if _uses(result, iteration)]
    return operand.is_plain and len(uses) == 1 and map_.results[uses[0]] == Dimension(iteration)


def _uses(expression: Expression, iteration: int) -> bool:
    return any(each == Dimension(iteration) for each in parts(expression))


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


def _agree(batches: Sequence[_Batch]) -> bool:
    if written_memory([batch.linalg_op for batch in batches]) is None:
        return False
    lengths = {batch.linalg_op.sizes[batch.iteration] for batch in batches}
    if len({each for each in lengths if isinstance(each, int)}) > 1:
        return False
    if len(lengths) > 1 and any(isinstance(each, int) for each in lengths):
        return False
    modes: dict[Value, int] = {}
    for batch in batches:
        for view, mode in batch.modes():
            if modes.setdefault(view.memory, mode) != mode:
                return False
    return True


def _distribute(ctx: Context, batches: Sequence[_Batch]) -> None:
    lengths = list(dict.fromkeys(batch.linalg_op.sizes[batch.iteration] for batch in batches))
    total = extreme(ctx, "min", [ctx.value(length) for length in lengths])
    ctx.grid = f"iterations d{batches[-1].iteration} of {batches[-1].linalg_op.op.name}"
    if len(batches) > 1:
        # one work-group may be at the second operation, while another is at the first
        ctx.attributes[NOALIAS] = True

    def body(number: Value) -> None:
        parts_: dict[tuple[View, int], View] = {}
        rest = [_slice(ctx, batch, number, parts_) for batch in batches]
        linalg.write_sequence(ctx, rest)

    write_grid_stride_loop(ctx, total, body)


def _slice(ctx: Context, batch: _Batch, number: Value, known: dict[tuple[View, int], View]) -> Structured:
    """The operation on a part of the batch."""
    linalg_op, iteration = batch.linalg_op, batch.iteration
    modes = dict(batch.modes())
    operands: list[Input] = []
    maps: list[AffineMap] = []
    shifted: dict[Expression, Expression] = {
        Dimension(d): Dimension(d - 1) for d in range(iteration + 1, len(linalg_op.iterators))
    }
    for operand, map_ in zip(linalg_op.operands, linalg_op.maps):
        results = list(map_.results)
        if isinstance(operand, View) and operand in modes:
            mode = modes[operand]
            results.pop(mode)
            if (operand, mode) not in known:
                known[operand, mode] = _part(ctx, linalg_op.op, operand, mode, number)
            operand = known[operand, mode]
        operands.append(operand)
        names = tuple(name for d, name in enumerate(map_.dimensions) if d != iteration)
        maps.append(AffineMap(names, (), tuple(substitute(result, shifted) for result in results)))
    count = len(linalg_op.inputs)
    outputs = [each for each in operands[count:] if isinstance(each, View)]
    return replace(
        linalg_op,
        inputs=operands[:count],
        outputs=outputs,
        maps=maps,
        iterators=[kind for d, kind in enumerate(linalg_op.iterators) if d != iteration],
        sizes=[size for d, size in enumerate(linalg_op.sizes) if d != iteration],
        numbers=[
            (number, None) if d == iteration else (None, d - (d > iteration)) for d in range(len(linalg_op.iterators))
        ],
    )


def _part(ctx: Context, op: Operation, view: View, mode: int, number: Value) -> View:
    kept = [d for d in range(len(view.sizes)) if d != mode]
    offsets = [number if d == mode else 0 for d in range(len(view.sizes))]
    sizes = [1 if d == mode else size for d, size in enumerate(view.sizes)]
    old = view.type
    type_ = Memref(tuple(old.shape[d] for d in kept), old.element, tuple(old.strides[d] for d in kept), None, old.space)
    return part(ctx, op, view, offsets, sizes, kept, type_)
