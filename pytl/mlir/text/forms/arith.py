"""arith and math."""

from __future__ import annotations

from ..custom import Form
from ..reader import Read, Reader
from ..scanner import NUMBER
from ..tree import Dense, Operation
from ..types import Scalar, Type

_BINARY = [
    "arith.addi",
    "arith.subi",
    "arith.muli",
    "arith.divsi",
    "arith.divui",
    "arith.ceildivsi",
    "arith.ceildivui",
    "arith.floordivsi",
    "arith.remsi",
    "arith.remui",
    "arith.andi",
    "arith.ori",
    "arith.xori",
    "arith.shli",
    "arith.shrsi",
    "arith.shrui",
    "arith.minsi",
    "arith.minui",
    "arith.maxsi",
    "arith.maxui",
    "arith.addf",
    "arith.subf",
    "arith.mulf",
    "arith.divf",
    "arith.remf",
    "arith.minimumf",
    "arith.maximumf",
    "arith.minnumf",
    "arith.maxnumf",
    "math.powf",
    "math.atan2",
    "math.copysign",
    "math.ipowi",
]
_UNARY = [
    "arith.negf",
    "math.absf",
    "math.absi",
    "math.exp",
    "math.exp2",
    "math.expm1",
    "math.log",
    "math.log2",
    "math.log10",
    "math.log1p",
    "math.sqrt",
    "math.rsqrt",
    "math.cbrt",
    "math.sin",
    "math.cos",
    "math.tan",
    "math.tanh",
    "math.sinh",
    "math.cosh",
    "math.asin",
    "math.acos",
    "math.atan",
    "math.asinh",
    "math.acosh",
    "math.atanh",
    "math.erf",
    "math.erfc",
    "math.floor",
    "math.ceil",
    "math.trunc",
    "math.round",
    "math.roundeven",
    "math.ctpop",
    "math.ctlz",
    "math.cttz",
]
_CASTS = [
    "arith.extf",
    "arith.truncf",
    "arith.extsi",
    "arith.extui",
    "arith.trunci",
    "arith.sitofp",
    "arith.uitofp",
    "arith.fptosi",
    "arith.fptoui",
    "arith.index_cast",
    "arith.index_castui",
    "arith.bitcast",
]
_TESTS = ["math.isnan", "math.isinf", "math.isfinite", "math.isnormal"]


def _constant(reader: Reader, name: str) -> Operation:
    attributes = reader.dictionary() if reader.peek() == "{" else {}
    begin = reader.at
    type_: Type | None
    if NUMBER.match(reader.peek()):
        value, type_ = reader.typed_number()
        type_ = type_ or Scalar("i64" if isinstance(value, int) else "f64")
        return Operation(name, [], [], [], [type_], attributes | {"value": value})
    value = reader.attribute()
    if not isinstance(value, (bool, Dense)):
        reader.fail("expected a number, a truth value or dense<…>", begin=begin)
    type_ = Scalar("i1") if isinstance(value, bool) else value.type
    return Operation(name, [], [], [], [type_], attributes | {"value": value})


def _select(reader: Reader, name: str) -> Operation:
    operands = [reader.operand()]
    for _ in range(2):
        reader.expect(",")
        operands.append(reader.operand())
    attributes = reader.dictionary() if reader.peek() == "{" else {}
    reader.expect(":")
    types = reader.separated(reader.type)
    condition = types[0] if len(types) == 2 else Scalar("i1")
    return Operation(name, operands, [], [condition, types[-1], types[-1]], [types[-1]], attributes)


_COMPARE = Form("=predicate:word , $a , $b ~ {} : type(a,b)", "i1 of a")

FORMS: dict[str, Read] = {
    **dict.fromkeys(_BINARY, Form("$a , $b ~ {} : type(a,b)", "a")),
    **dict.fromkeys(_UNARY, Form("$a ~ {} : type(a)", "a")),
    **dict.fromkeys(_CASTS, Form("$a ~ {} : type(a) to type(result)")),
    **dict.fromkeys(_TESTS, Form("$a ~ {} : type(a)", "i1 of a")),
    "arith.cmpi": _COMPARE,
    "arith.cmpf": _COMPARE,
    "arith.select": _select,
    "arith.constant": _constant,
    "arith.addui_extended": Form("$a , $b {} : type(a,b) , type(overflow)", "a"),
    "math.fma": Form("$a , $b , $c ~ {} : type(a,b,c)", "a"),
    "math.clampf": Form("$a to [ $b , $c ] ~ {} : type(a,b,c)", "a"),
    "math.fpowi": Form("$a , $b ~ {} : type(a) , type(b)", "a"),
}
