"""builtin and func."""

from __future__ import annotations

from typing import Any

from ....diagnostics import Location
from ..custom import Form
from ..reader import Read, Reader
from ..tree import Block, Operation, Region
from ..types import Function, Type


def _module(reader: Reader, name: str) -> Operation:
    attributes: dict[str, Any] = {}
    if reader.peek().startswith("@"):
        attributes["sym_name"] = reader.symbol()[1:]
    if reader.take("attributes"):
        attributes |= reader.dictionary()
    region = reader.region()
    return Operation(name, [], [], [], [], attributes, [region or Region([Block("")])])


def _function(reader: Reader, name: str) -> Operation:
    attributes: dict[str, Any] = {}
    if reader.peek() in ("private", "public", "nested"):
        attributes["sym_visibility"] = reader.next()
    attributes["sym_name"] = reader.symbol()[1:]
    reader.expect("(")
    said: list[dict[str, Any]] = []

    places: list[Location] = []

    def argument() -> tuple[str, Type]:
        begin = reader.at
        found = reader.argument() if reader.peek().startswith("%") else ("", reader.type())
        places.append(reader.since(begin))
        said.append(reader.dictionary() if reader.peek() == "{" else {})
        reader.skip_location()
        return found

    arguments = reader.listed(")", argument)
    results = _results(reader) if reader.take("->") else []
    attributes["function_type"] = Function(tuple(type_ for _, type_ in arguments), tuple(results))
    attributes["arg_attrs"] = tuple(said)
    if reader.take("attributes"):
        attributes |= reader.dictionary()
    regions = [reader.region(arguments)] if reader.peek() == "{" else []
    if regions and regions[0].blocks:
        regions[0].blocks[0].places = places
    return Operation(name, [], [], [], [], attributes, regions)


def _results(reader: Reader) -> list[Type]:
    def result() -> Type:
        type_ = reader.type()
        if reader.peek() == "{":
            reader.dictionary()
        return type_

    return reader.listed(")", result) if reader.take("(") else [reader.type()]


FORMS: dict[str, Read] = {
    "builtin.module": _module,
    "func.func": _function,
    "func.return": Form("$a* {} [[ : types(a) ]]", ""),
    "func.call": Form("=callee:symbol ( $a* ) {} : function(a)"),
}
