"""Which part of a function is dealt out to work-groups.

A parallel loop that is alone with operations that do nothing to memory is that of the work-groups: each executes
iterations of it, from its own number on by the number of work-groups, so that any number of them executes all of it.
Anything else is executed by one work-group, whatever their number.

All dimensions of the loop are dealt out where its body has work for a work-group: loops, or operations on memrefs.
Where it has not, the first one is, and the others are a `foreach`; a single dimension is dealt out in blocks.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress

from ...ir.values import Value
from ...mlir.text import Block, Operation
from ...ops.constants import constant_of
from . import affine_values, rules
from .context import Context, Refused
from .parallel import Parallel, bind_variables, parallel_of, reductions_of, trips, variable_of, write_grid_stride_loop
from .sequence import LOADS, has_for_group, has_store
from .table import having
from .tiles import write_parts

_WORK = having("loop") | {"scf.while", "func.call"}
BLOCK = 256
"""Iterations of a work-group, where a loop over numbers is dealt out."""


def write_groups(ctx: Context, block: Block) -> None:
    """Write the body of a kernel."""
    operations = block.operations
    if operations and operations[-1].name == "func.return":
        if operations[-1].operands:
            ctx.fail(operations[-1], rules.FUNCTION, "a kernel gives no values")
        operations = operations[:-1]
    outer = _outermost(ctx, operations)
    if outer is None and write_parts(ctx, operations):
        return
    if outer is None:

        def whole(_: Value) -> None:
            ctx.operations(operations)

        write_grid_stride_loop(ctx, ctx.constant(1), whole)
        return
    at = operations.index(outer)
    # what stands behind the loop does nothing that is seen
    for op in operations[:at]:
        ctx.write(op)
    before = ctx.builder.location
    ctx.builder.location = outer.location
    with suppress(Refused):
        _distribute(ctx, outer)
    ctx.builder.location = before


def _outermost(ctx: Context, operations: Sequence[Operation]) -> Operation | None:
    """The loop of the work-groups."""
    loops = [op for op in operations if has_for_group(ctx, op) or has_store(ctx, op)]
    if len(loops) != 1 or loops[0].name not in having("parallel") or loops[0].result_types:
        return None
    if any(inner.name in LOADS for op in operations for inner in op.walk() if op is not loops[0] and op.regions):
        return None
    return loops[0]


def _distribute(ctx: Context, op: Operation) -> None:
    loop = parallel_of(ctx, op)
    ctx.grid = f"parts of {op.made_of}" if op.made_of else f"iterations of {op.name}"
    if reductions_of(ctx, loop):
        ctx.write(op)
        return
    counts = [trips(ctx, bounds) for bounds in loop.bounds]
    if _has_work(ctx, loop):
        _whole(ctx, loop, counts)
    elif len(counts) > 1:
        _by_rows(ctx, loop, counts)
    else:
        _by_blocks(ctx, loop, counts[0])


def _has_work(ctx: Context, loop: Parallel) -> bool:
    """Whether the body of a loop has loops or operations on memrefs."""
    return any(
        inner.name in _WORK or has_for_group(ctx, inner) for each in loop.block.operations for inner in each.walk()
    )


def _body(ctx: Context, loop: Parallel, numbers: Sequence[Value]) -> None:
    with ctx.names.inner():
        bind_variables(ctx, loop, [variable_of(ctx, bounds, n) for bounds, n in zip(loop.bounds, numbers)])
        ctx.operations(loop.block.operations)


def _whole(ctx: Context, loop: Parallel, counts: Sequence[Value]) -> None:
    first, *rest = counts
    total = affine_values.total(ctx, "*", [first, *(_at_least_0(ctx, count) for count in rest)])

    def body(number: Value) -> None:
        ctx.positive.update((number, *rest))
        _body(ctx, loop, affine_values.divided(ctx, number, counts))

    write_grid_stride_loop(ctx, total, body)


def _at_least_0(ctx: Context, count: Value) -> Value:
    if affine_values.is_positive(ctx, count):
        return count
    return affine_values.extreme(ctx, "max", [ctx.constant(0), count])


def _by_rows(ctx: Context, loop: Parallel, counts: Sequence[Value]) -> None:
    names = [name for name, _ in loop.block.arguments]

    def body(number: Value) -> None:
        def inner(at: list[Value]) -> None:
            _body(ctx, loop, [number, *reversed(at)])

        ctx.foreach(list(reversed(counts[1:])), inner, list(reversed(names[1:])))

    write_grid_stride_loop(ctx, counts[0], body)


def _by_blocks(ctx: Context, loop: Parallel, count: Value) -> None:
    known = constant_of(count)
    size = ctx.constant(BLOCK)
    blocks = affine_values.arith(ctx, "ceildiv", count, size) if known is None else ctx.constant(-(-known // BLOCK))

    def body(number: Value) -> None:
        first = affine_values.arith(ctx, "*", number, size)
        rest = ctx.builder.arith("sub", count, first)
        here = ctx.builder.arith("min", rest, size)
        ctx.foreach(
            [here],
            lambda at: _body(ctx, loop, [affine_values.arith(ctx, "+", first, at[0])]),
            [loop.block.arguments[0][0]],
        )

    write_grid_stride_loop(ctx, blocks, body)
