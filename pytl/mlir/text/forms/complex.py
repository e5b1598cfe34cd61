"""complex."""

from __future__ import annotations

from ..custom import Form
from ..reader import Read, Reader
from ..tree import Operation
from ..types import Complex

_BINARY = ("add", "sub", "mul", "div", "pow", "atan2")
_UNARY = ("neg", "conj", "exp", "expm1", "log", "log1p", "sqrt", "rsqrt", "sign", "sin", "cos", "tan", "tanh")
_PARTS = ("re", "im", "abs", "angle")


class _OfPart(Form):
    """It gives a number of the type of the parts."""

    def __call__(self, reader: Reader, name: str) -> Operation:
        operation = super().__call__(reader, name)
        operation.result_types = [each.part if isinstance(each, Complex) else each for each in operation.operand_types]
        return operation


class _Create(Form):
    """Its operands are parts of what it gives."""

    def __call__(self, reader: Reader, name: str) -> Operation:
        operation = super().__call__(reader, name)
        result = operation.result_types[0]
        operation.operand_types = [result.part if isinstance(result, Complex) else result] * 2
        return operation


FORMS: dict[str, Read] = {
    "complex.constant": Form("=value {} : type(result)"),
    "complex.bitcast": Form("$a {} : type(a) to type(result)"),
    "complex.powi": Form("$a , $b ~ {} : type(a) , type(b)", "a"),
    "complex.create": _Create("$real , $imaginary {} : type(result)"),
    **{f"complex.{word}": Form("$a , $b ~ {} : type(a,b)", "a") for word in _BINARY},
    **{f"complex.{word}": Form("$a ~ {} : type(a)", "a") for word in _UNARY},
    **{f"complex.{word}": _OfPart("$a ~ {} : type(a)", "a") for word in _PARTS},
    **{f"complex.{word}": Form("$a , $b {} : type(a,b)", "i1") for word in ("eq", "neq")},
}
