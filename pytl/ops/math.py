"""Mathematical functions (manual: Math (unary))."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, ClassVar

from ..ir.constraints import COMPLEX, FLOATING
from ..ir.fields import Operand, Result, Variant
from ..ir.operation import Check, Operation, Problem, check, written_result_type
from ..ir.registry import instruction
from ..ir.types import Type
from .result_types import result_type_check

FUNCTIONS = {
    "exp": "exponential function",
    "native_exp": "exponential function with an error that is up to the implementation",
}


@instruction
class Math(Operation):
    """A mathematical function of a floating point or complex number."""

    mnemonic = "math"
    section = "Math (unary)"
    variant: Any = Variant(FUNCTIONS)
    a: Any = Operand(FLOATING | COMPLEX, "argument")
    result: Any = Result(FLOATING | COMPLEX, like="a")
    assembly = "` ` $a ` : ` $result"
    rules: ClassVar[tuple[Check, ...]] = (result_type_check("PYTL-0490", "Math (unary)"),)
    pure = True

    @classmethod
    def literal_type(cls, part: str, parts: dict[str, Any]) -> Type | None:
        return written_result_type(parts)


_EXACT_SINCE_04 = {
    "sin": "sine",
    "cos": "cosine",
    "exp2": "2 to the power of the argument",
    "log": "natural logarithm",
    "log2": "logarithm to the base 2",
}
SINCE_04 = _EXACT_SINCE_04 | {
    f"native_{word}": f"{meaning}, with an error that is up to the implementation"
    for word, meaning in _EXACT_SINCE_04.items()
}
OF_COMPLEX = ("exp2", "native_exp2")
"""Those that are defined on complex numbers."""


@check("PYTL-0676", "of complex numbers there are exp, exp2 and their native forms only", "Math since release 0.4")
def of_complex(op: MathSince04) -> Iterator[Problem]:
    if op.a.type.is_complex and op.variant not in OF_COMPLEX:
        yield Problem(f"not defined on {op.a.type}", "compute it of the real and the imaginary part", "a")


@instruction
class MathSince04(Math):
    """A mathematical function of a floating point number, which the manual has not; `exp2` of complex ones as well."""

    mnemonic = "v04.math"
    section = "Math since release 0.4"
    variant: Any = Variant(SINCE_04)
    rules = (result_type_check("PYTL-0677", "Math since release 0.4"), of_complex)
