"""canonicalize: constants folded, equal computations merged, constant branches and dead code removed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ..ir.operation import Operation
from ..ir.types import ScalarType
from ..ir.values import Function, Region, Value
from ..ops import Alloca, ArithBinary, Cast, Constant, For, If, LifetimeStop, Load, Yield
from ..ops.constants import constant_of, is_constant
from .fold import fold
from .manager import Pass, register
from .uses import count_uses, replace_uses


@register
@dataclass(frozen=True)
class Canonicalize(Pass):
    """Folds with the language's own widths, merges common subexpressions, removes what has no effect."""

    name = "canonicalize"

    def run(self, function: Function) -> None:
        changed = True
        while changed:
            replaced: dict[Value, Value] = {}
            changed = _simplify(function.body, {}, replaced)
            replace_uses(function.body, replaced)
            changed = _remove_dead(function) or changed or bool(replaced)


def _simplify(region: Region, known: dict[Any, Operation], replaced: dict[Value, Value]) -> bool:
    """Fold and merge in a region; `known` holds the pure instructions that are visible in it."""
    known = dict(known)
    changed = False
    operations: list[Operation] = []
    for op in region.operations:
        op.replace_operands(lambda value: replaced.get(value, value))
        if isinstance(op, If) and constant_of(op.condition) is not None:
            operations += _taken_branch(op, replaced)
            changed = True
            continue
        if isinstance(op, For) and _never_runs(op):
            replaced.update(zip(op.results, op.inits))
            changed = True
            continue
        same = _identity(op)
        if same is not None:
            replaced[op.results[0]] = same
            changed = True
            continue
        literal = None if isinstance(op, Constant) else fold(op)
        if literal is not None:
            constant = Constant(op.location, [op.results[0].type], [op.results[0].name], literal=literal)
            replaced[op.results[0]] = constant.results[0]
            op, changed = constant, True
        if op.pure:
            twin = known.setdefault(op.key(), op)
            if twin is not op:
                _prefer_name(twin.results[0], op.results[0])
                replaced[op.results[0]] = twin.results[0]
                changed = True
                continue
        operations.append(op)
        for inner in op.regions:
            changed = _simplify(inner, known, replaced) or changed
    region.operations = operations
    return changed


def _prefer_name(kept: Value, dropped: Value) -> None:
    if kept.name is None:
        kept.name = dropped.name


def _taken_branch(op: If, replaced: dict[Value, Value]) -> list[Operation]:
    taken = op.then_body if constant_of(op.condition) else op.else_body
    operations = list(taken.operations) if taken is not None else []
    if operations and isinstance(operations[-1], Yield):
        last = operations.pop()
        replaced.update(zip(op.results, last.operands))
    return operations


def _never_runs(op: For) -> bool:
    start, stop = constant_of(op.start), constant_of(op.stop)
    return start is not None and stop is not None and start >= stop


def _identity(op: Operation) -> Value | None:
    """The operand that an instruction gives back unchanged. Floats only where no bit can differ."""
    if isinstance(op, Cast) and op.operand.type == op.result.type:
        return op.operand
    if not isinstance(op, ArithBinary) or not isinstance(op.a.type, ScalarType):
        return None
    integer = op.a.type.is_integer
    if op.variant in ("mul", "div") and is_constant(op.b, 1) and not op.a.type.is_complex:
        return op.a
    if op.variant == "mul" and is_constant(op.a, 1) and not op.a.type.is_complex:
        return op.b
    if integer and op.variant in ("add", "sub", "shl", "shr", "or", "xor") and is_constant(op.b, 0):
        return op.a
    if integer and op.variant in ("add", "or", "xor") and is_constant(op.a, 0):
        return op.b
    return None


def _remove_dead(function: Function) -> bool:
    removed_any = False
    while True:
        counts = count_uses(function)
        stopped = {op.tensor for op in function.walk() if isinstance(op, LifetimeStop)}
        unused_allocas = {value for value in stopped if counts.get(value) == 1 and isinstance(value.owner, Alloca)}

        def is_dead(op: Operation) -> bool:
            if isinstance(op, LifetimeStop):
                return op.tensor in unused_allocas  # noqa: B023 - called within this round only
            if isinstance(op, Alloca) and op.results[0] in unused_allocas:  # noqa: B023
                return True
            removable = op.pure or isinstance(op, (Load, Alloca))
            return removable and not any(counts.get(value) for value in op.results)  # noqa: B023

        if not _drop(function.body, is_dead):
            return removed_any
        removed_any = True


def _drop(region: Region, is_dead: Any) -> bool:
    before = len(region.operations)
    region.operations = [op for op in region.operations if not is_dead(op)]
    dropped = len(region.operations) < before
    for op in region.operations:
        for inner in op.regions:
            dropped = _drop(inner, is_dead) or dropped
    return dropped
