"""linalg: named operations, and the generic one."""

from __future__ import annotations

from typing import Any

from ..custom import INDEX, Parts, element_of
from ..reader import Read, Reader
from ..tree import Block, Operation, Region
from ..types import Type

ELEMENTWISE = [
    "add",
    "sub",
    "mul",
    "div",
    "div_unsigned",
    "max",
    "min",
    "powf",
    "exp",
    "log",
    "abs",
    "ceil",
    "floor",
    "negf",
    "reciprocal",
    "round",
    "sqrt",
    "rsqrt",
    "square",
    "tanh",
    "erf",
    "select",
]
PRODUCTS = [
    "matmul",
    "matmul_transpose_a",
    "matmul_transpose_b",
    "batch_matmul",
    "batch_matmul_transpose_a",
    "batch_matmul_transpose_b",
    "batch_reduce_matmul",
    "matvec",
    "vecmat",
    "dot",
    "batch_matvec",
    "batch_vecmat",
    "mmt4d",
]


def _operands(reader: Reader, parts: Parts) -> None:
    for word, group in (("ins", "inputs"), ("outs", "outputs")):
        if word == "ins" and reader.peek() != "ins":
            parts.add(group, [], [])
            continue
        reader.expect(word)
        reader.expect("(")
        names = reader.read_separated(reader.operand) if reader.peek().startswith("%") else []
        types = reader.read_separated(reader.type) if reader.take(":") else []
        if len(names) != len(types):
            reader.fail("there are as many types as operands")
        reader.expect(")")
        parts.add(group, names, types)


def _results(reader: Reader) -> list[Type]:
    return reader.types() if reader.take("->") else []


def _finished(reader: Reader, name: str, parts: Parts, regions: list[Region]) -> Operation:
    return parts.operation(name, _results(reader), ("inputs", "outputs"), regions=regions)


def _named(reader: Reader, name: str) -> Operation:
    parts = Parts()
    _attributes(reader, parts)
    _operands(reader, parts)
    _attributes(reader, parts)
    return _finished(reader, name, parts, [])


def _attributes(reader: Reader, parts: Parts) -> None:
    """What stands in front of the operands, and behind them: `{…}`, and `name = value`."""
    while True:
        if reader.peek() == "{":
            parts.attributes |= reader.dictionary()
        elif reader.peek() in ("indexing_maps", "kind", "permutation", "dimensions", "attrs", "cast"):
            name = reader.next()
            reader.expect("=")
            value = reader.attribute()
            parts.attributes |= value if isinstance(value, dict) and name == "attrs" else {name: value}
        else:
            return


def _generic(reader: Reader, name: str) -> Operation:
    parts = Parts()
    _attributes(reader, parts)
    _operands(reader, parts)
    if reader.take("attrs"):
        reader.expect("=")
        parts.attributes |= reader.dictionary()
    return _finished(reader, name, parts, [reader.region()])


def _by_elements(reader: Reader, name: str) -> Operation:
    """reduce and map: by an operation in braces, or by a region with named arguments."""
    parts = Parts()
    body: Region | None = None
    short: tuple[str, dict[str, Any]] | None = None
    if reader.take("{"):
        word = reader.word("an operation")
        short = word, reader.dictionary() if reader.peek() == "{" else {}
        reader.expect("}")
    _operands(reader, parts)
    _attributes(reader, parts)
    if short is None:
        reader.expect("(")
        arguments = reader.read_list(")", reader.argument)
        body = reader.region(arguments)
    else:
        body = _body(parts, name, *short)
    return _finished(reader, name, parts, [body])


def _body(parts: Parts, name: str, word: str, attributes: dict[str, Any]) -> Region:
    """The region that an operation in braces stands for: of a reduction, the value so far is the second operand."""
    elements = [element_of(type_) for type_ in parts.types["inputs"]]
    outputs = [element_of(type_) for type_ in parts.types["outputs"]]
    arguments = [(f"%in_{number}", type_) for number, type_ in enumerate(elements)]
    if name == "linalg.reduce":
        arguments.append(("%init", outputs[0] if outputs else INDEX))
        operands = [arguments[-1], *arguments[:-1]]
    else:
        operands = arguments
    result = outputs[0] if outputs else INDEX
    apply = Operation(word, [n for n, _ in operands], ["%out"], [t for _, t in operands], [result], attributes)
    give = Operation("linalg.yield", ["%out"], [], [result], [], {})
    return Region([Block("", arguments, [apply, give])])


def _yield(reader: Reader, name: str) -> Operation:
    operands = reader.read_separated(reader.operand) if reader.peek().startswith("%") else []
    types = reader.read_separated(reader.type) if reader.take(":") else []
    return Operation(name, operands, [], types, [], {})


def _index(reader: Reader, name: str) -> Operation:
    dimension = reader.integer()
    if reader.take(":"):
        reader.type()
    return Operation(name, [], [], [], [INDEX], {"dim": dimension})


FORMS: dict[str, Read] = {
    **{f"linalg.{word}": _named for word in (*ELEMENTWISE, *PRODUCTS)},
    **dict.fromkeys(
        ("linalg.fill", "linalg.copy", "linalg.transpose", "linalg.broadcast", "linalg.elementwise", "linalg.contract"),
        _named,
    ),
    "linalg.generic": _generic,
    "linalg.reduce": _by_elements,
    "linalg.map": _by_elements,
    "linalg.yield": _yield,
    "linalg.index": _index,
}
