"""Reads what stands behind the name of an operation of the document's dialects, with the slips that its samples have.

name operand, … {attribute = value, …} : type, … into type
"""

from __future__ import annotations

import math
import re
from dataclasses import field
from typing import Any

from ...diagnostics import Location
from ...mlir.text import Operation
from ...mlir.text.attributes import number
from ...mlir.text.scanner import NUMBER
from ...process.records import dataclass
from .reader import XeTileReader

_BARE = re.compile(r"[A-Za-z_][A-Za-z0-9_]*(?=\s*[:,])")
_PACK = re.compile(r":([0-9]+)")
_CLOSING = re.compile(r"\}(?=\s*:)")
_SHAPED_NEXT = re.compile(r"(?=(?:vector|tile|tensor_desc|memref)\s*<)", re.IGNORECASE)
_KEY = re.compile(r"([A-Za-z_][A-Za-z0-9_]*)\s*=")
_QUOTED = re.compile(r"[“\"]([a-z]+)[”\"]")
_WORD = re.compile(r"[A-Za-z_][A-Za-z0-9_]*|\"[a-z0-9]*\"")
_GIVES = {
    "xetile.init_tile": "tile",
    "xetile.load_tile": "vector",
    "xetile.tile_mma": "vector",
    "xegpu.create_nd_tdesc": "tensor_desc",
    "xegpu.load_nd": "vector",
    "xegpu.dpas": "vector",
    "xegpu.create_tdesc": "scattered tensor_desc",
    "xegpu.load_gather": "vector",
}
"""What is the result of operations whose result has its type written."""


@dataclass(frozen=True)
class Item:
    """What stands where an operand does: a name, all results of a name (`%x:2`), a word without its `%`, a number."""

    location: Location
    name: str = ""
    count: int | None = None
    is_bare: bool = False
    number: int | None = None


@dataclass
class Written(Operation):
    """An operation as it is written, whose names have not been looked up."""

    word: str | None = None
    """What stands in quotation marks in front of the operands."""
    items: list[Item] = field(default_factory=list)
    attribute_locations: dict[str, Location] = field(default_factory=dict)
    type_locations: list[Location] = field(default_factory=list)
    type_texts: list[str] = field(default_factory=list)
    result_location: Location | None = None


def read_statement(reader: XeTileReader, name: str) -> Written:
    """What stands behind an operation's name."""
    start = reader.name_begin
    statement = Written(name, [], [], [], [], {})
    _operands(reader, statement)
    _attributes(reader, statement)
    statement.location = reader.location_from(start)
    if reader.take(":"):
        _types(reader, statement)
    elif reader.lookahead(_SHAPED_NEXT):
        if reader.text[reader.last_end - 1] != ",":
            reader.report_spelling("`:` is missing in front of the types", reader.position)
        _types(reader, statement)
    if statement.name in _GIVES and not statement.result_types:
        reader.fail_expected(f"`into` and the type of a {_GIVES[statement.name]}")
    return statement


def _operands(reader: XeTileReader, statement: Written) -> None:
    quoted = reader.match(_QUOTED)
    if quoted:
        statement.word = quoted.group(1)
        reader.take(",")
    elif reader.begins(","):
        reader.report_spelling("there is a comma behind the operation's name", reader.position)
        reader.take(",")
    while True:
        begin = reader.position
        if reader.take("["):
            statement.items += reader.read_separated(lambda: _item(reader))
            reader.expect("]")
        elif reader.begins("%") or NUMBER.match(reader.peek()):
            statement.items.append(_item(reader))
        elif bare := reader.match(_BARE):
            statement.items.append(Item(reader.location_from(begin), f"%{bare.group()}", is_bare=True))
        else:
            return
        if not reader.take(",") and reader.begins("%"):
            reader.report_spelling("there is no comma between the operands", reader.position)


def _item(reader: XeTileReader) -> Item:
    """A value, all results of a name, or a number."""
    begin = reader.position
    if NUMBER.match(reader.peek()):
        value = reader.integer()
        return Item(reader.location_from(begin), number=value)
    name = reader.operand()
    pack = _PACK.match(reader.text, reader.last_end)
    if pack:
        reader.advance(pack.end())
    return Item(reader.location_from(begin), name, int(pack.group(1)[:3]) if pack else None)


def _attributes(reader: XeTileReader, statement: Written) -> None:
    """`{name = value, …}`; the document leaves out braces and commas here and there, or has one too many."""
    start = reader.position
    is_open = reader.take("{")
    if is_open and reader.take("{"):
        reader.report_spelling("there is one `{` too many", start)
    while True:
        at = reader.position
        key = reader.match(_KEY)
        flag = reader.match(_WORD) if is_open and not key else None
        if key is None and flag is None:
            break
        name = key.group(1) if key else flag.group() if flag else ""
        statement.attributes[name] = _value(reader) if key else True
        statement.attribute_locations[name] = reader.location_from(at)
        if not reader.take(",") and is_open and not reader.begins("}"):
            reader.report_spelling("there is no comma between the attributes", reader.position)
    if is_open:
        reader.expect("}")
        return
    if statement.attributes:
        reader.report_spelling("attributes stand in braces", start)
    stray = reader.position
    if reader.match(_CLOSING) and not statement.attributes:
        reader.report_spelling("there is a `}` that closes nothing", stray)


def _value(reader: XeTileReader) -> Any:
    if reader.take("["):
        return reader.read_list("]", reader.integer)
    word = reader.match(_WORD)
    if word:
        text = word.group().strip('"')
        return {"true": True, "false": False}.get(text, text)
    if not NUMBER.match(reader.peek()):
        reader.fail_expected("the value of an attribute")
    begin = reader.position
    literal = number(reader.checked(reader.next()), None)
    if isinstance(literal, float) and math.isinf(literal):
        reader.fail("the number is beyond all types", begin=begin)
    return literal


def _types(reader: XeTileReader, statement: Written) -> None:
    while True:
        begin = reader.position
        if reader.peek() == "into":
            reader.report_spelling("there is a comma in front of `into`", begin)
            break
        statement.operand_types.append(reader.type())
        statement.type_locations.append(reader.location_from(begin))
        statement.type_texts.append(reader.text[begin : reader.last_end])
        if not reader.take(","):
            break
    if reader.take("->") or reader.take("into") or reader.take("to"):
        begin = reader.position
        statement.result_types.append(reader.type())
        statement.result_location = reader.location_from(begin)
