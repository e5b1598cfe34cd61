"""Square roots of vectors, by the processor's instruction.

The language has no instruction for the root: the library writes it out, and its text is in a kernel wherever a root is.
What the library computes is known by its digest, which names are no part of. Both are rounded correctly.
"""

from __future__ import annotations

from ...ir.operation import Operation
from ...ir.types import f32, f64
from ...ir.values import Region, Value
from ...ops.arith import ArithBinary, Cast
from ...ops.constants import constant_of
from ...ops.control import If, Yield, terminator
from ...process.records import dataclass

OF_F64, OF_F32 = "fabc94ee845965a0", "9d6e26c78f785847"
"""Digests of what the library computes of a positive f64, and of one that was an f32."""


@dataclass(frozen=True)
class Root:
    """A square root that a region computes."""

    argument: Value
    last: Operation
    """The instruction that gives it, in f64."""
    narrow: Value | None
    """The f32 that the argument was."""
    is_rounded: bool
    """Whether nothing but the root's value in f32 is used."""
    needless: frozenset[Operation]
    """The region's instructions that compute it, and nothing else."""


def square_root(region: Region) -> Root | None:
    """The root that a branch of an `if` computes."""
    if sum(isinstance(op, If) for op in region.operations) < 5:  # which the scaling of its argument has
        return None
    for op in reversed(region.operations):
        if isinstance(op, ArithBinary) and op.variant == "mul" and op.result.type == f64:
            argument, digest = digest_of(op.result, region)
            if argument is None or digest not in (OF_F64, OF_F32):
                return None
            cast = argument.owner if digest == OF_F32 else None
            narrow = cast.operand if isinstance(cast, Cast) and cast.operand.type == f32 else None
            users = [inner for inner in region.walk() if op.result in inner.operands]
            is_rounded = all(isinstance(user, Cast) and user.result.type == f32 for user in users)
            return Root(argument, op, narrow, is_rounded, needless_for(region, op))
    return None


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


def needless_for(region: Region, last: Operation, given: Value | None = None) -> frozenset[Operation]:
    """The instructions that only this one needs, and itself; but for what computes a `given` value."""
    found, users = {last}, dict[Value, set[Operation]]()
    for op in region.operations:
        for inner in (op, *(each for part in op.regions for each in part.walk())):
            for value in inner.operands:
                users.setdefault(value, set()).add(op)
    for op in reversed(region.operations):
        is_used_here = given not in op.results and all(users.get(value, set()) <= found for value in op.results)
        if is_used_here and not isinstance(op, Yield) and (op.pure or isinstance(op, If)):
            found.add(op)
    return frozenset(found)
