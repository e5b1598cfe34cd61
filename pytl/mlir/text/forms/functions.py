"""builtin and func."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ....diagnostics import Location
from ..custom import Form, Spelled
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


def write_module(operation: Operation, printer: Any) -> str:
    attributes = attributes_behind(operation, printer, ("sym_name",))
    return f"{_named(operation)}{attributes} {printer.region(operation.regions[0])}"


def _named(operation: Operation) -> str:
    """The name of a module, if it has one."""
    name = operation.attributes.get("sym_name")
    return "" if name is None else f" @{name}"


def attributes_behind(operation: Operation, printer: Any, own: Sequence[str]) -> str:
    """` attributes {…}` with all but those that are spelled otherwise, or nothing."""
    others = {name: value for name, value in operation.attributes.items() if name not in own}
    return f" attributes {printer.dictionary(others)}" if others else ""


def _function(reader: Reader, name: str) -> Operation:
    attributes: dict[str, Any] = {}
    if reader.peek() in ("private", "public", "nested"):
        attributes["sym_visibility"] = reader.next()
    attributes["sym_name"] = reader.symbol()[1:]
    reader.expect("(")
    argument_attributes: list[dict[str, Any]] = []

    locations: list[Location] = []

    def argument() -> tuple[str, Type]:
        begin = reader.position
        argument = reader.argument() if reader.peek().startswith("%") else ("", reader.type())
        locations.append(reader.location_from(begin))
        argument_attributes.append(reader.dictionary() if reader.peek() == "{" else {})
        reader.skip_location()
        return argument

    arguments = reader.read_list(")", argument)
    results = _results(reader) if reader.take("->") else []
    attributes["function_type"] = Function(tuple(type_ for _, type_ in arguments), tuple(results))
    attributes["arg_attrs"] = tuple(argument_attributes)
    if reader.take("attributes"):
        attributes |= reader.dictionary()
    regions = [reader.region(arguments)] if reader.peek() == "{" else []
    if regions and regions[0].blocks:
        regions[0].blocks[0].locations = locations
    return Operation(name, [], [], [], [], attributes, regions)


def _results(reader: Reader) -> list[Type]:
    def result() -> Type:
        type_ = reader.type()
        if reader.peek() == "{":
            reader.dictionary()
        return type_

    return reader.read_list(")", result) if reader.take("(") else [reader.type()]


_OF_FUNCTIONS = ("sym_name", "sym_visibility", "function_type", "arg_attrs")


def _write_function(operation: Operation, printer: Any) -> str:
    attributes = operation.attributes
    type_ = attributes["function_type"]
    visibility = f"{attributes['sym_visibility']} " if "sym_visibility" in attributes else ""
    has_body = any(region.blocks for region in operation.regions)
    arguments = operation.regions[0].blocks[0].arguments if has_body else [("", of) for of in type_.inputs]
    argument_attributes = attributes.get("arg_attrs") or [{}] * len(arguments)
    listed = [_argument(*argument, entries, printer) for argument, entries in zip(arguments, argument_attributes)]
    results = ", ".join(map(printer.type, type_.results))
    result_text = f" -> {results if len(type_.results) == 1 else f'({results})'}" if results else ""
    body = f" {printer.region(operation.regions[0])}" if has_body else ""
    head = f" {visibility}@{attributes['sym_name']}({', '.join(listed)}){result_text}"
    return f"{head}{attributes_behind(operation, printer, _OF_FUNCTIONS)}{body}"


def _argument(name: str, type_: Type, entries: dict[str, Any], printer: Any) -> str:
    text = f"{name}: {printer.type(type_)}" if name else printer.type(type_)
    return f"{text} {printer.dictionary(entries)}" if entries else str(text)


def _call_indirect(reader: Reader, name: str) -> Operation:
    operands = [reader.operand()]
    reader.expect("(")
    while reader.peek() != ")":
        operands.append(reader.operand())
        if not reader.take(","):
            break
    reader.expect(")")
    attributes = reader.dictionary() if reader.peek() == "{" else {}
    reader.expect(":")
    begin = reader.position
    type_ = reader.type()
    if not isinstance(type_, Function) or len(type_.inputs) != len(operands) - 1:
        reader.fail(f"{name} has the type of a function of its operands", begin=begin)
    return Operation(name, operands, [], [type_, *type_.inputs], list(type_.results), attributes)


def _write_call_indirect(operation: Operation, printer: Any) -> str:
    callee, *operands = operation.operands
    said = f" {printer.dictionary(operation.attributes)}" if operation.attributes else ""
    return f" {callee}({', '.join(operands)}){said} : {printer.type(operation.operand_types[0])}"


FORMS: dict[str, Read] = {
    "builtin.module": Spelled(_module, write_module),
    "func.func": Spelled(_function, _write_function),
    "func.return": Form("$a* {} [[ : types(a) ]]", ""),
    "func.call": Form("=callee:symbol ( $a* ) {} : function(a)"),
    "func.call_indirect": Spelled(_call_indirect, _write_call_indirect),
    "func.constant": Form("=value:symbol {} : type(result)"),
}
