"""arith and math."""

from __future__ import annotations

from typing import Any

from ..custom import Form, Spelled
from ..numerals import literal_of
from ..reader import Read, Reader
from ..scanner import NUMBER
from ..tree import Dense, Operation, Raw
from ..types import I1, Scalar, Type

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
    begin = reader.position
    type_: Type | None
    if NUMBER.match(reader.peek()):
        value, type_ = reader.typed_number()
        type_ = type_ or Scalar("i64" if isinstance(value, int) else "f64")
        return Operation(name, [], [], [], [type_], attributes | {"value": value})
    value = reader.attribute()
    if isinstance(value, Raw) and value.text.startswith(("dense_resource", "sparse")):
        # which some dialects have a meaning for
        reader.expect(":")
        return Operation(name, [], [], [], [reader.type()], attributes | {"value": value})
    if not isinstance(value, (bool, Dense)):
        reader.fail("expected a number, a truth value or dense<…>", begin=begin)
    type_ = I1 if isinstance(value, bool) else value.type
    return Operation(name, [], [], [], [type_], attributes | {"value": value})


def _write_constant(operation: Operation, printer: Any) -> str:
    value, (type_,) = operation.attributes["value"], operation.result_types
    others = {name: each for name, each in operation.attributes.items() if name != "value"}
    said = f" {printer.dictionary(others)}" if others else ""
    if isinstance(value, (bool, Dense)):
        return f"{said} {printer.attribute(value)}"
    literal = literal_of(value, type_) if isinstance(value, (int, float)) else printer.attribute(value)
    return f"{said} {literal} : {printer.type(type_)}"


def _select(reader: Reader, name: str) -> Operation:
    operands = [reader.operand()]
    for _ in range(2):
        reader.expect(",")
        operands.append(reader.operand())
    attributes = reader.dictionary() if reader.peek() == "{" else {}
    reader.expect(":")
    types = reader.read_separated(reader.type)
    condition = types[0] if len(types) == 2 else I1
    return Operation(name, operands, [], [condition, types[-1], types[-1]], [types[-1]], attributes)


def _write_select(operation: Operation, printer: Any) -> str:
    condition, type_ = operation.operand_types[:2]
    said = f" {printer.dictionary(operation.attributes)}" if operation.attributes else ""
    of = "" if condition == I1 else f"{printer.type(condition)}, "
    return f" {', '.join(operation.operands)}{said} : {of}{printer.type(type_)}"


_COMPARE = Form("=predicate:word , $a , $b ~ {} : type(a,b)", "i1 of a")

FORMS: dict[str, Read] = {
    **dict.fromkeys(_BINARY, Form("$a , $b ~ {} : type(a,b)", "a")),
    **dict.fromkeys(_UNARY, Form("$a ~ {} : type(a)", "a")),
    **dict.fromkeys(_CASTS, Form("$a ~ {} : type(a) to type(result)")),
    **dict.fromkeys(_TESTS, Form("$a ~ {} : type(a)", "i1 of a")),
    "arith.cmpi": _COMPARE,
    "arith.cmpf": _COMPARE,
    "arith.select": Spelled(_select, _write_select, same=2),
    "arith.constant": Spelled(_constant, _write_constant),
    "ub.poison": Form("{} : type(result)"),
    "ub.unreachable": Form("{}", ""),
    "arith.addui_extended": Form("$a , $b {} : type(a,b) , type(overflow)", "a, i1 of a"),
    **dict.fromkeys(("arith.mulsi_extended", "arith.mului_extended"), Form("$a , $b {} : type(a,b)", "a, a")),
    **dict.fromkeys(
        ("arith.scaling_extf", "arith.scaling_truncf"),
        Form("$in , $scale ~ {} : type(in) , type(scale) to type(result)"),
    ),
    "math.fma": Form("$a , $b , $c ~ {} : type(a,b,c)", "a"),
    "math.clampf": Form("$a to [ $b , $c ] ~ {} : type(a,b,c)", "a"),
    "math.fpowi": Form("$a , $b ~ {} : type(a) , type(b)", "a"),
    "math.sincos": Form("$a ~ {} : type(a)", "a, a"),
}
