"""The order of operations in a block: who executes them.

In what a work-group executes, parallel loops and operations on whole memrefs are for all work-items. What is not known
to be parallel is executed by one work-item: stores, and loops with stores in them, in a `foreach` over a single point.
A block without anything for all work-items is in one such `foreach` as a whole, beside its allocations.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ...mlir.text import Operation
from . import linalg
from .context import Context
from .structured import structured
from .table import having, of_dialects

_STORES, LOADS, _ALLOCATIONS = (having(trait) for trait in ("stores", "loads", "allocates"))
_FOR_GROUP = having("parallel", "allocates") | {"memref.copy"} | (frozenset(of_dialects("linalg")) - having("body"))


def for_group(op: Operation) -> bool:
    """Whether an operation is one of the work-group as a whole."""
    return op.name in _FOR_GROUP


def has_for_group(ctx: Context, op: Operation) -> bool:
    """Whether an operation of the work-group is in it, or in a function that it calls."""
    return _has(ctx, op, for_group)


def has_store(ctx: Context, op: Operation) -> bool:
    """Whether an operation that writes elements is in it, or in a function that it calls."""
    return _has(ctx, op, lambda inner: inner.name in _STORES)


def _has(ctx: Context, op: Operation, is_wanted: Callable[[Operation], bool], depth: int = 0) -> bool:
    for inner in op.walk():
        if is_wanted(inner):
            return True
        if inner.name == "func.call" and depth < 8:
            callee = ctx.functions.get(inner.callee)
            if callee is not None and _has(ctx, callee, is_wanted, depth + 1):
                return True
    return False


def _reads(op: Operation) -> bool:
    return any(inner.name in LOADS or inner.name == "func.call" for inner in op.walk())


def write_sequence(ctx: Context, operations: Sequence[Operation], last: Operation | None) -> None:
    """Write the operations of a block, whose terminator is the last."""
    if ctx.is_spmd:
        for op in operations:
            ctx.write(op)
        return
    others = [op for op in operations if has_for_group(ctx, op) and op.name not in _ALLOCATIONS]
    gives = last is not None and bool(last.operands)
    if not others and not gives and any(has_store(ctx, op) for op in operations):
        _alone(ctx, operations)
        return
    pending: list[Operation] = []
    fill: Operation | None = None
    for op, behind in zip(operations, [*operations[1:], None]):
        if fill is not None:
            before, fill = fill, None
            if _pair(ctx, before, op):
                continue
        if op.name == "linalg.fill" and behind is not None and behind.operands[-1:] == op.operands[-1:]:
            _flush(ctx, pending)
            fill = op
            continue
        if not has_for_group(ctx, op) and has_store(ctx, op) and not op.results:
            pending.append(op)
        elif has_for_group(ctx, op) or _reads(op) or has_store(ctx, op):
            _flush(ctx, pending)
            ctx.write(op)
        else:
            ctx.write(op)
    _flush(ctx, pending)


def _pair(ctx: Context, fill: Operation, op: Operation) -> bool:
    """Write an operation of linalg behind one that fills its output; whether the second is written, too."""
    if op.name.startswith("linalg.") and not op.is_broken:
        outcomes: list[bool] = []

        def both(at: Context, _: Operation) -> None:
            outcomes.append(linalg.write_filled(at, structured(at, fill), structured(at, op)))

        known = ctx.diagnostics.count
        ctx.write(Operation(op.name, [], [], [], [], {}, location=op.location), both)
        if outcomes == [True]:
            return True
        ctx.diagnostics.forget(known)
    ctx.write(fill)
    return False


def _alone(ctx: Context, operations: Sequence[Operation]) -> None:
    """What one work-item executes, behind what reads no memory, and the allocations."""
    rest: list[Operation] = []
    given: set[str] = set()
    for op in operations:
        is_first = not (_reads(op) or has_store(ctx, op) or op.regions or given.intersection(op.operands))
        if op.name in _ALLOCATIONS or is_first:
            ctx.write(op)
        else:
            rest.append(op)
            given.update(op.results)
    _flush(ctx, rest)


def _flush(ctx: Context, pending: list[Operation]) -> None:
    """Let one work-item execute operations."""
    if pending:
        operations, pending[:] = list(pending), []

        def body() -> None:
            with ctx.names.inner():
                for op in operations:
                    ctx.write(op)

        ctx.single(body)
