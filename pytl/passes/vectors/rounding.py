"""Whole numbers below others in vectors, by the processor's instruction.

The language has none: the library adds a number so large that the sum has no fraction, and corrects the difference.
What it so computes is known by its digest (`library.py`), and both are exact.
"""

from __future__ import annotations

from ...ir.types import f32, f64
from ...ir.values import Region, Value
from ...ops.arith import ArithBinary, Compare
from ...ops.control import If
from ...process.records import dataclass
from ..targets.machine import Machine
from .library import Known, digest_of, needless_for

OF_F64, OF_F32 = "c722f41ea13ea135", "b048897ddb6d8ab4"
"""Digests of the whole number below an f64, and below an f32."""


@dataclass(frozen=True)
class Floor(Known):
    """The whole number at or below another that a region computes."""


def floors(region: Region, machine: Machine | None) -> list[Floor]:
    """Those that a region computes in the library's way, where a processor has an instruction for it."""
    if machine is None or not machine.has_vector_extensions:
        return []
    found = []
    for op in region.operations:
        argument = _compared(op) if isinstance(op, If) else None
        if argument is None:
            continue
        only, digest = digest_of(op.results[0], region, argument)
        if only is argument and digest in (OF_F64, OF_F32):
            found.append(Floor(argument, op, needless_for(region, op, argument)))
    return found


def _compared(op: If) -> Value | None:
    """What an `if` gives, where it is large, or whole; None for any other one."""
    either = op.condition.owner
    if len(op.results) != 1 or op.results[0].type not in (f32, f64):
        return None
    if not isinstance(either, ArithBinary) or either.variant != "or":
        return None
    is_whole = either.b.owner
    return is_whole.b if isinstance(is_whole, Compare) and is_whole.variant == "eq" else None
