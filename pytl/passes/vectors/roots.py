"""Square roots, of vectors and of numbers, by the processor's instruction.

The language has no instruction for the root: the library writes it out, and its text is in a kernel wherever a root is.
What the library computes is known by its digest (`library.py`). Both are rounded correctly.
"""

from __future__ import annotations

from ...ir.operation import Operation
from ...ir.types import f32, f64
from ...ir.values import Region, Value
from ...ops.arith import ArithBinary, Cast, Compare
from ...ops.control import If
from ...process.records import dataclass
from ..analysis.uses import replace_uses
from ..targets import cpu
from .library import Known, digest_of, is_step, needless_for

OF_F64, OF_F32 = "fabc94ee845965a0", "9d6e26c78f785847"
"""Digests of what the library computes of a positive f64, and of one that was an f32."""


@dataclass(frozen=True)
class Root(Known):
    """A square root that a region computes, in f64."""

    narrow: Value | None
    """The f32 that the argument was."""
    is_rounded: bool
    """Whether nothing but the root's value in f32 is used."""


def square_root(region: Region) -> Root | None:
    """The root that a branch of an `if` computes."""
    if sum(isinstance(op, If) for op in region.operations) < 5:  # which the scaling of its argument has
        return None
    for op in reversed(region.operations):
        is_scaled = isinstance(op, ArithBinary) and op.variant == "mul" and op.result.type == f64
        if not is_scaled or not any(is_step(value.owner, 4.0, 2) for value in op.operands):  # the last one
            continue
        for given in (None, *_compared(region)):
            argument, digest = digest_of(op.result, region, given)
            if argument is None or digest not in (OF_F64, OF_F32):
                continue
            cast = argument.owner if digest == OF_F32 else None
            narrow = cast.operand if isinstance(cast, Cast) and cast.operand.type == f32 else None
            users = [inner for inner in region.walk() if op.result in inner.operands]
            is_rounded = all(isinstance(user, Cast) and user.result.type == f32 for user in users)
            return Root(argument, op, needless_for(region, op, given), narrow, is_rounded)
    return None


def _compared(region: Region) -> list[Value]:
    """The numbers that a region computes and compares, as the scaling of a root compares its argument."""
    found = (value for op in region.operations if isinstance(op, Compare) for value in op.operands)
    return [*dict.fromkeys(value for value in found if value.type == f64 and value.owner in region.operations)]


def write_instruction(region: Region) -> None:
    """Write the processor's instruction in the place of a root that a branch of an `if` computes of a number."""
    root = square_root(region)
    if root is None:
        return
    # the root of an f32 in f64, rounded to f32, is the one of f32
    given = root.narrow if root.is_rounded and root.narrow is not None else root.argument
    made: list[Operation] = [cpu.Sqrt(root.last.location, [given.type], a=given)]
    if given.type != f64:
        made.append(Cast(root.last.location, [f64], operand=made[0].results[0]))
    region.operations = [
        each for op in region.operations for each in (made if op is root.last else [] if op in root.needless else [op])
    ]
    replace_uses(region, {root.last.results[0]: made[-1].results[0]})
