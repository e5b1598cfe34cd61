"""index: numbers of the width of addresses."""

from __future__ import annotations

from ..custom import Form
from ..reader import Read, Reader
from ..tree import Operation
from ..types import I1, INDEX, Type

_BINARY = (
    *("add", "sub", "mul", "divs", "divu", "ceildivs", "ceildivu", "floordivs", "rems", "remu"),
    *("maxs", "maxu", "mins", "minu", "shl", "shrs", "shru", "and", "or", "xor"),
)


def _binary(reader: Reader, name: str) -> Operation:
    operands = [reader.operand()]
    reader.expect(",")
    operands.append(reader.operand())
    attributes = reader.dictionary() if reader.peek() == "{" else {}
    return Operation(name, operands, [], [INDEX] * 2, [INDEX], attributes)


def _compare(reader: Reader, name: str) -> Operation:
    """`slt(%a, %b)`."""
    predicate = reader.word("a comparison")
    reader.expect("(")
    operands = reader.read_list(")", reader.operand)
    if len(operands) != 2:
        reader.fail("two numbers are compared")
    attributes = reader.dictionary() if reader.peek() == "{" else {}
    return Operation(name, operands, [], [INDEX] * 2, [I1], attributes | {"pred": predicate})


def _constant(type_: Type) -> Read:
    def read(reader: Reader, name: str) -> Operation:
        value = reader.attribute()
        attributes = reader.dictionary() if reader.peek() == "{" else {}
        return Operation(name, [], [], [], [type_], attributes | {"value": value})

    return read


FORMS: dict[str, Read] = {
    **{f"index.{name}": _binary for name in _BINARY},
    "index.cmp": _compare,
    "index.constant": _constant(INDEX),
    "index.bool.constant": _constant(I1),
    "index.casts": Form("$a {} : type(a) to type(result)"),
    "index.castu": Form("$a {} : type(a) to type(result)"),
    "index.sizeof": Form("{}", "index"),
}
