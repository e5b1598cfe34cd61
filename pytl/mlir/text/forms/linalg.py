"""linalg: named operations, and the generic one."""

from __future__ import annotations

from typing import Any

from ..custom import INDEX, Parts, element_of, mixed
from ..named import NAMED
from ..reader import Read, Reader
from ..tree import Block, Operation, Region
from ..types import Tensor, Type

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


def _operands(reader: Reader, parts: Parts, is_open: bool = False) -> None:
    """Inputs, which may be missing, and outputs, which may be missing where `is_open` says so."""
    for word, group in (("ins", "inputs"), ("outs", "outputs")):
        if reader.peek() != word and (word == "ins" or is_open):
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
    # some forms leave the types of tensors out, which are those of the outputs
    results = _results(reader) or [each for each in parts.types["outputs"] if isinstance(each, Tensor)]
    return parts.operation(name, results, ("inputs", "outputs"), regions=regions)


def _softmax(reader: Reader, name: str) -> Operation:
    parts = Parts()
    _attributes(reader, parts)
    reader.expect("dimension")
    reader.expect("(")
    parts.attributes["dimension"] = reader.integer()
    reader.expect(")")
    _operands(reader, parts)
    return _finished(reader, name, parts, [])


def _winograd(reader: Reader, name: str) -> Operation:
    parts = Parts()
    reader.expect("fmr")
    reader.expect("(")
    parts.attributes["fmr"] = reader.word("a transform")
    reader.expect(")")
    _operands(reader, parts)
    return _finished(reader, name, parts, [])


def _packing(reader: Reader, name: str) -> Operation:
    """pack and unpack: the order of the outer dimensions, which dimensions have tiles, and the sizes of these."""
    parts = Parts()
    parts.operands["source"] = [reader.operand()]
    if reader.take("padding_value"):
        reader.expect("(")
        parts.operands["padding_value"] = [reader.operand()]
        reader.expect(":")
        parts.types["padding_value"] = [reader.type()]
        reader.expect(")")
    if reader.take("outer_dims_perm"):
        reader.expect("=")
        parts.attributes["outer_dims_perm"] = reader.attribute()
    reader.expect("inner_dims_pos")
    reader.expect("=")
    parts.attributes["inner_dims_pos"] = reader.attribute()
    reader.expect("inner_tiles")
    reader.expect("=")
    parts.attributes["static_inner_tiles"], parts.operands["inner_tiles"] = mixed(reader, "[", "]")
    reader.expect("into")
    parts.operands["dest"] = [reader.operand()]
    if reader.peek() == "{":
        parts.attributes |= reader.dictionary()
    reader.expect(":")
    parts.types["source"] = [reader.type()]
    reader.expect("->")
    parts.types["dest"] = [reader.type()]
    results: list[Type] = [each for each in parts.types["dest"] if isinstance(each, Tensor)]
    return parts.operation(name, results, ("source", "dest", "padding_value", "inner_tiles"))


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
    _operands(reader, parts, is_open=True)
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
    # names that are rare in texts, since regions of linalg see what is defined around them
    arguments = [(f"%in.{number}", type_) for number, type_ in enumerate(elements)]
    if name == "linalg.reduce":
        arguments.append(("%init.0", outputs[0] if outputs else INDEX))
        operands = [arguments[-1], *arguments[:-1]]
    else:
        operands = arguments
    result = outputs[0] if outputs else INDEX
    apply = Operation(word, [n for n, _ in operands], ["%out.0"], [t for _, t in operands], [result], attributes)
    give = Operation("linalg.yield", ["%out.0"], [], [result], [], {})
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
    **{f"linalg.{word}": _named for word in (*ELEMENTWISE, *NAMED)},
    **dict.fromkeys(
        (
            "linalg.fill",
            "linalg.fill_rng_2d",
            "linalg.copy",
            "linalg.transpose",
            "linalg.broadcast",
            "linalg.elementwise",
            "linalg.contract",
        ),
        _named,
    ),
    "linalg.generic": _generic,
    "linalg.reduce": _by_elements,
    "linalg.map": _by_elements,
    "linalg.yield": _yield,
    "linalg.index": _index,
    **{f"linalg.winograd_{part}_transform": _winograd for part in ("filter", "input", "output")},
    "linalg.softmax": _softmax,
    "linalg.pack": _packing,
    "linalg.unpack": _packing,
}
