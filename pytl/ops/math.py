"""Mathematical functions (manual: Math (unary))."""

from __future__ import annotations

from typing import Any

from ..ir.constraints import COMPLEX, FLOATING
from ..ir.fields import Operand, Result, Variant
from ..ir.operation import Operation
from ..ir.registry import instruction
from ..ir.types import Type
from .arith import result_type_check

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
    result: Any = Result(FLOATING | COMPLEX)
    assembly = "` ` $a ` : ` $result"
    rules = (result_type_check("PYTL-0490", "Math (unary)"),)
    pure = True

    @classmethod
    def literal_type(cls, part: str, parts: dict[str, Any]) -> Type | None:
        types: list[Type] = parts.get("result_types", [])
        return types[0] if types else None

    def infer_result_types(self) -> list[Type]:
        return [self.a.type]
