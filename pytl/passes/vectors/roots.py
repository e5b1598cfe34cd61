"""Square roots of vectors, by the processor's instruction.

The language has no instruction for the root: the library writes it out, and its text is in a kernel wherever a root is.
What the library computes is known by its digest (`library.py`). Both are rounded correctly.
"""

from __future__ import annotations

from ...ir.types import f32, f64
from ...ir.values import Region, Value
from ...ops.arith import ArithBinary, Cast
from ...ops.control import If
from ...process.records import dataclass
from .library import Known, digest_of, needless_for

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
        if isinstance(op, ArithBinary) and op.variant == "mul" and op.result.type == f64:
            argument, digest = digest_of(op.result, region)
            if argument is None or digest not in (OF_F64, OF_F32):
                return None
            cast = argument.owner if digest == OF_F32 else None
            narrow = cast.operand if isinstance(cast, Cast) and cast.operand.type == f32 else None
            users = [inner for inner in region.walk() if op.result in inner.operands]
            is_rounded = all(isinstance(user, Cast) and user.result.type == f32 for user in users)
            return Root(argument, op, needless_for(region, op), narrow, is_rounded)
    return None
