"""cf: branches to other blocks."""

from __future__ import annotations

from ..reader import Read, Reader
from ..tree import Operation
from ..types import Scalar, Type


def _successor(reader: Reader) -> tuple[str, list[str], list[Type]]:
    """`^block(%a, %b : i32, f32)`: a label, and what the block is passed."""
    if not reader.peek().startswith("^"):
        reader.fail_expected("a block")
    label = reader.next()
    if not reader.take("("):
        return label, [], []
    names = reader.separated(reader.operand)
    reader.expect(":")
    types = reader.separated(reader.type)
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
    then, given, types = _successor(reader)
    reader.expect(",")
    otherwise, others, of_others = _successor(reader)
    attributes = reader.dictionary() if reader.peek() == "{" else {}
    attributes["operandSegmentSizes"] = (1, len(given), len(others))
    operands, all_types = [condition, *given, *others], [Scalar("i1"), *types, *of_others]
    return Operation(name, operands, [], all_types, [], attributes, successors=[then, otherwise])


FORMS: dict[str, Read] = {"cf.br": _br, "cf.cond_br": _cond_br}
