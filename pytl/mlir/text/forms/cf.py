"""cf: branches to other blocks."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..custom import Form, Spelled, write_others
from ..form_writer import SEGMENTS
from ..reader import Read, Reader
from ..tree import Dense, Operation
from ..types import Scalar, Type, Vector


def _successor(reader: Reader) -> tuple[str, list[str], list[Type]]:
    """`^block(%a, %b : i32, f32)`: a label, and what the block is passed."""
    if not reader.peek().startswith("^"):
        reader.fail_expected("a block")
    label = reader.next()
    if not reader.take("("):
        return label, [], []
    names = reader.read_separated(reader.operand)
    reader.expect(":")
    types = reader.read_separated(reader.type)
    reader.expect(")")
    if len(names) != len(types):
        reader.fail(f"{label} is passed as many values as types")
    return label, names, types


def _br(reader: Reader, name: str) -> Operation:
    label, names, types = _successor(reader)
    attributes = reader.dictionary() if reader.peek() == "{" else {}
    return Operation(name, names, [], types, [], attributes, successors=[label])


def _cond_br(reader: Reader, name: str) -> Operation:
    condition = reader.operand()
    if reader.take("weights"):
        reader.balanced("(", ")")
    reader.expect(",")
    then, then_operands, then_types = _successor(reader)
    reader.expect(",")
    otherwise, else_operands, else_types = _successor(reader)
    attributes = reader.dictionary() if reader.peek() == "{" else {}
    attributes["operandSegmentSizes"] = (1, len(then_operands), len(else_operands))
    operands, all_types = [condition, *then_operands, *else_operands], [Scalar("i1"), *then_types, *else_types]
    return Operation(name, operands, [], all_types, [], attributes, successors=[then, otherwise])


def _switch(reader: Reader, name: str) -> Operation:
    flag = reader.operand()
    reader.expect(":")
    type_ = reader.type()
    if not isinstance(type_, Scalar):
        reader.fail("an integer says which block follows")
    for word in (",", "[", "default", ":"):
        reader.expect(word)
    values, targets = list[int](), [_successor(reader)]
    while reader.take(","):
        values.append(reader.integer())
        reader.expect(":")
        targets.append(_successor(reader))
    reader.expect("]")
    attributes = reader.dictionary() if reader.peek() == "{" else {}
    first, *others = (len(names) for _, names, _ in targets)
    attributes |= {"case_operand_segments": tuple(others), "operandSegmentSizes": (1, first, sum(others))}
    if values:
        attributes["case_values"] = Dense(tuple(values), Vector((len(values),), type_))
    operands, types = [flag], list[Type]([type_])
    for _, names, passed in targets:
        operands += names
        types += passed
    return Operation(name, operands, [], types, [], attributes, successors=[label for label, _, _ in targets])


def _write_switch(operation: Operation, printer: Any) -> str:
    attributes = operation.attributes
    cases = attributes["case_values"].values if "case_values" in attributes else ()
    at, parts = 1, []
    sizes = (attributes[SEGMENTS][1], *attributes["case_operand_segments"])
    for case, label, size in zip(("default", *cases), operation.successors, sizes):
        end = at + size
        passed = operation.operands[at:end], operation.operand_types[at:end]
        parts.append(f"{case}: {_successor_text(label, *passed, printer)}")
        at = end
    others = write_others(operation, printer, ("case_values", "case_operand_segments"))
    return f" {operation.operands[0]} : {printer.type(operation.operand_types[0])}, [{', '.join(parts)}]{others}"


def _write_br(operation: Operation, printer: Any) -> str:
    text = _successor_text(operation.successors[0], operation.operands, operation.operand_types, printer)
    return f" {text}{write_others(operation, printer, ())}"


def _write_cond_br(operation: Operation, printer: Any) -> str:
    _, first, _ = operation.attributes[SEGMENTS]
    parts = slice(1, 1 + first), slice(1 + first, None)
    targets = [
        _successor_text(label, operation.operands[part], operation.operand_types[part], printer)
        for label, part in zip(operation.successors, parts)
    ]
    return f" {operation.operands[0]}, {', '.join(targets)}{write_others(operation, printer, ())}"


def _successor_text(label: str, operands: Sequence[str], types: Sequence[Type], printer: Any) -> str:
    return f"{label}({', '.join(operands)} : {', '.join(map(printer.type, types))})" if operands else label


FORMS: dict[str, Read] = {
    "cf.br": Spelled(_br, _write_br),
    "cf.cond_br": Spelled(_cond_br, _write_cond_br),
    "cf.switch": Spelled(_switch, _write_switch),
    "cf.assert": Form("$arg , =msg {}", "", known={"arg": "i1"}),
}
