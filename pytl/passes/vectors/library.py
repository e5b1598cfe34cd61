"""What the library writes out in many steps, and vectors have in a few: known by a digest of how a number is computed.

Names are no part of a digest.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...ir.operation import Operation
from ...ir.types import f64
from ...ir.values import Region, Value
from ...ops.arith import Compare
from ...ops.constants import constant_of
from ...ops.control import If, Yield, terminator
from ...process.records import dataclass
from ..analysis.uses import computes_alone

if TYPE_CHECKING:
    from typing import TypeGuard


@dataclass(frozen=True)
class Known:
    """What a region computes of one number."""

    argument: Value
    last: Operation
    """The instruction that gives the results."""
    needless: frozenset[Operation]
    """The region's instructions that compute these, and nothing else."""


def digest_of(result: Value, region: Region, given: Value | None = None) -> tuple[Value | None, str]:
    """What a number is computed of from outside of a region, or None if that is several values; and a digest of how.

    A `given` value of the region counts as one from outside.
    """
    from hashlib import sha256

    inside = {value for op in region.walk() for value in op.results}
    arguments: dict[Value, str] = {}
    known: dict[Value, str] = {}

    def digest(value: Value) -> str:
        if value not in known:
            known[value] = sha256(text(value).encode()).hexdigest()[:16]
        return known[value]

    def text(value: Value) -> str:
        literal = constant_of(value)
        if literal is not None:
            return f"{literal!r} : {value.type}"
        op = value.owner
        if op is None or value not in inside or value is given:
            return arguments.setdefault(value, f"argument {len(arguments)}")
        words = [op.word, str(op.results.index(value)), *map(digest, op.operands)]
        for branch in op.regions:
            last = terminator(branch)
            words += [digest(each) for each in last.yielded] if last is not None else []
        return " ".join(words)

    found = digest(result)
    return (next(iter(arguments)) if len(arguments) == 1 else None), found


def is_step(op: Operation | None, bound: float, count: int) -> TypeGuard[If]:
    """Whether an instruction decides by a bound, and gives so many numbers of f64, as the steps of a scaling do."""
    if not isinstance(op, If) or [result.type for result in op.results] != [f64] * count:
        return False
    condition = op.condition.owner
    return isinstance(condition, Compare) and constant_of(condition.b) == bound


def needless_for(region: Region, last: Operation, given: Value | None = None) -> frozenset[Operation]:
    """The instructions that only this one needs, and itself; but for what computes a `given` value."""
    found, users = {last}, dict[Value, set[Operation]]()
    for op in region.operations:
        for inner in (op, *(each for part in op.regions for each in part.walk())):
            for value in inner.operands:
                users.setdefault(value, set()).add(op)
    for op in reversed(region.operations):
        is_used_here = given not in op.results and all(users.get(value, set()) <= found for value in op.results)
        if is_used_here and not isinstance(op, Yield) and (op.pure or (isinstance(op, If) and computes_alone(op))):
            found.add(op)
    return frozenset(found)
