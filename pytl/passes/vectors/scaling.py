"""alpha of a product of which a factor is multiplied by it, in place of all sums."""

from __future__ import annotations

from ...ir.types import ScalarType
from ...ir.values import Value
from ...ops.constants import constant_of, is_constant
from ...process.records import dataclass
from ..targets.outer_products import ALPHA_RANGE
from .access import Lanes
from .code import Code
from .updates import Result


@dataclass(frozen=True)
class Scaling:
    """What a factor is multiplied by: alpha; or, where that is known at run time only and then too large or too small
    a number, one.
    """

    alpha: Value
    type: ScalarType
    """That of the factor, in which products are computed."""

    def number(self, code: Code) -> Value | None:
        """The multiplier; None where it is one."""
        if is_constant(self.alpha, 1):
            return None
        number = Result.number(code, self.alpha, self.type)
        if constant_of(self.alpha) is not None:
            return number
        one = code.constant(self.type, 1.0)
        return code.branch(self._is_in_range(code, number), lambda: [number], lambda: [one])[0]

    def condition(self, code: Code) -> Value | None:
        """Whether alpha is the multiplier; None where it is known to be."""
        if constant_of(self.alpha) is not None:
            return None
        return self._is_in_range(code, Result.number(code, self.alpha, self.type))

    def _is_in_range(self, code: Code, number: Value) -> Value:
        least, most = (code.constant(self.type, bound) for bound in ALPHA_RANGE)
        size = code.unary("abs", number)
        # what is no number is none of both bounds, too
        return code.compare("eq", code.arith("min", code.arith("max", size, least), most), size)


def only_if(code: Code, condition: Value | None, lanes: Lanes) -> Lanes:
    """Lanes of which none is active where a condition does not hold."""
    if condition is None:
        return lanes
    count = code.length(lanes.count) if lanes.active is None else lanes.active
    return Lanes(lanes.count, code.branch(condition, lambda: [code.number(count)], lambda: [code.number(0)])[0])
