"""The instructions of the immediate language: how each is read, and what it becomes in the IR."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ...diagnostics import Location
from ...ir.operation import Operation
from ...ir.text.literals import read_floating, read_integer
from ...ir.types import ScalarType, Type, UnknownType
from ...ir.values import UNSIGNED, Value
from ...ops import (
    Alloca,
    Barrier,
    For,
    IndexedAxpby,
    IndexedProduct,
    IndexedSum,
    LifetimeStop,
    LoopOverGemm,
)
from ...ops.constants import wrap
from ...ops.contraction import Contraction, once_in_every_operand
from ...ops.index_notation import IndexMap, read_index_map
from ...process.records import dataclass
from . import rules
from .reader import Operand, YatetoReader
from .types import DraftType, LoopVariable, Memref, Scalar, is_unsigned, read_integer_type
from .views import item_of, read_piece, view_of

# Memory.


def _alloca(reader: YatetoReader, start: int) -> Operation:
    reader.expect(":")
    type_start = reader.scanner.skip_blanks()
    type_ = reader.type()
    if not isinstance(type_, (Memref, UnknownType)):
        message = f"alloca gives a memref, but {type_} is written here"
        reader.diagnostics.report(rules.OPERAND, message, reader.scanner.location_from(type_start))
        type_ = UnknownType()
    result: Type = type_ if isinstance(type_, UnknownType) else type_.ir.in_space("local")
    op = Alloca(
        reader.scanner.location_from(start), [result], attributes={UNSIGNED: True} if is_unsigned(type_) else {}
    )
    return _typed(reader, op, type_)


def _get_work_item(reader: YatetoReader, start: int) -> Operation:
    group = reader.operand()
    offset = reader.integer_value() if reader.accept(",") else None
    reader.expect(":")
    reader.annotation(group)
    op, type_ = item_of(reader, reader.scanner.location_from(start), group, offset)
    return _typed(reader, op, type_)


def _subview(reader: YatetoReader, start: int) -> Operation:
    tensor = reader.tensor()
    reader.expect("[")
    pieces = reader.comma_separated(lambda: read_piece(reader), closing="]")
    reader.expect("]")
    reader.expect(":")
    reader.annotation(tensor)
    reader.expect("to")
    written_at = reader.scanner.skip_blanks()
    written = reader.type()
    op, type_ = view_of(reader, reader.scanner.location_from(start), tensor, pieces)
    if isinstance(type_, Memref) and not isinstance(written, UnknownType) and written != type_:
        message = f"the view is {type_}, but {written} is written here"
        reader.diagnostics.report(rules.ANNOTATED, message, reader.scanner.location_from(written_at), f"write {type_}")
    return _typed(reader, op, type_)


def _typed(reader: YatetoReader, op: Operation, type_: DraftType | UnknownType) -> Operation:
    if not isinstance(type_, UnknownType):
        reader.types[op.results[0]] = type_
    return op


def _lifetime_stop(reader: YatetoReader, start: int) -> Operation:
    tensor = reader.tensor()
    return LifetimeStop(reader.scanner.location_from(start), tensor=tensor.value)


def _barrier(reader: YatetoReader, start: int) -> Operation:
    return Barrier(reader.scanner.location_from(start), global_fence=True, local_fence=True)


# Loops.


def _for(reader: YatetoReader, start: int) -> Operation:
    type_ = read_integer_type(reader)
    name, location = reader.local_name()
    reader.expect("=")
    first = _bound(reader, type_)
    reader.expect("to")
    last = _bound(reader, type_)
    body = reader.region("mixed", [(name, location, LoopVariable(type_))])  # type: ignore[list-item]
    attributes = {UNSIGNED: type_.bits.bits} if type_.unsigned else {}
    return For(reader.scanner.location_from(start), [], start=first, stop=last, body=body, attributes=attributes)


def _bound(reader: YatetoReader, type_: Scalar) -> Value:
    start = reader.scanner.skip_blanks()
    number = read_integer(reader)
    location = reader.scanner.location_from(start)
    minimum, maximum = type_.range
    if not minimum <= number <= maximum:
        message = f"{number} is beyond {type_}, which holds {minimum} … {maximum}"
        reader.diagnostics.report(rules.RANGE, message, location)
        number = 0
    return reader.constant(LoopVariable(type_).ir, number, location)


# Tensor operations.


@dataclass(frozen=True)
class Factor:
    """A floating constant."""

    number: float
    location: Location


def _tensor_operation(cls: type[Contraction]) -> Callable[[YatetoReader, int], Operation]:
    """What reads an operation in index notation: `log {ik, kj to ij}, 1.0, %A, %B, 0.0, %C : … , … to …`."""

    def read(reader: YatetoReader, start: int) -> Operation:
        map_at = reader.scanner.skip_blanks()
        map = read_index_map(reader)
        spans = {"map": reader.scanner.location_from(map_at)}
        if not reader.accept(","):
            reader.note(rules.COMMA, "the comma behind the index map is left out", spans["map"], "write a comma")
        operands: dict[str, Operand] = {}
        alpha = _factor(reader)
        for name in cls.factors:
            reader.expect(",")
            operands[name] = reader.tensor()
        reader.expect(",")
        beta = None if cls is IndexedAxpby and reader.at("%") else _factor(reader)
        if beta is not None:
            reader.expect(",")
        operands[cls.target] = reader.tensor()
        if beta is None:
            message = f"there is no factor of %{operands['B'].name}"
            help = "write 0.0 in front of it to overwrite it, or 1.0 to add to it"
            reader.diagnostics.report(rules.BETA, message, operands["B"].location, help)
        _annotations(reader, cls, operands)
        spans.update({name: operand.location for name, operand in operands.items()})
        _check_once(reader, cls, map)
        _check_unsigned(reader, operands)
        values: dict[str, Any] = {name: operand.value for name, operand in operands.items()}
        values["alpha"] = _constant(reader, alpha, cls.literal_type("alpha", values), operands)
        values["beta"] = _constant(reader, beta, cls.literal_type("beta", values), operands)
        return cls(reader.scanner.location_from(start), spans=spans, map=map, **values)

    return read


def _annotations(reader: YatetoReader, cls: type[Contraction], operands: dict[str, Operand]) -> None:
    reader.expect(":")
    for number, name in enumerate(cls.factors):
        if number:
            reader.expect(",")
        reader.annotation(operands[name])
    reader.expect("to")
    reader.annotation(operands[cls.target])


def _factor(reader: YatetoReader) -> Factor:
    start = reader.scanner.skip_blanks()
    if reader.at("%"):
        help = "factors of the immediate language are constants, such as 1.0"
        reader.fail("expected a floating constant, but found a value", rules.FACTOR, help)
    number = read_floating(reader)
    return Factor(number, reader.scanner.location_from(start))


def _constant(reader: YatetoReader, factor: Factor | None, type_: Type | None, operands: dict[str, Operand]) -> Value:
    """A factor as a number of the type that the computation has."""
    unknown = any(not operand.is_known for operand in operands.values())
    if factor is None or not isinstance(type_, ScalarType) or unknown:
        return Value(UnknownType())
    if not type_.is_integer:
        return reader.constant(type_, factor.number, factor.location)
    element = Scalar(type_, any(is_unsigned(operand.type) for operand in operands.values()))
    minimum, maximum = element.range
    if not (factor.number.is_integer() and minimum <= factor.number <= maximum):
        what = f"which holds {minimum} … {maximum}" if factor.number.is_integer() else "which holds whole numbers"
        message = f"{factor.number} is no number of {element}, {what}"
        reader.diagnostics.report(rules.FACTOR, message, factor.location)
        return Value(UnknownType())
    return reader.constant(type_, wrap(int(factor.number), type_), factor.location)


def _check_once(reader: YatetoReader, cls: type[Contraction], map: IndexMap) -> None:
    """Refuse an index that is repeated in the input of axpby or sum, which the IR takes for a diagonal."""
    if cls not in (IndexedAxpby, IndexedSum):
        return
    for indices in map.inputs:
        for mode, name in enumerate(indices.names):
            if name in indices.names[:mode]:
                message = f"index {name} occurs twice in the input"
                reader.diagnostics.report(once_in_every_operand.rule, message, indices.location_of(mode))


def _check_unsigned(reader: YatetoReader, operands: dict[str, Operand]) -> None:
    memrefs = [operand for operand in operands.values() if isinstance(operand.type, Memref)]
    elements = {operand.type.element for operand in memrefs if isinstance(operand.type, Memref)}
    if len(elements) > 1 and any(element.unsigned for element in elements):
        first, other = memrefs[0], next(each for each in memrefs if each.type.element != memrefs[0].type.element)  # type: ignore[union-attr]
        message = f"%{other.name} is {other.type}, but %{first.name} is {first.type}"
        reader.diagnostics.report(rules.UNSIGNED, message, other.location, None, (*first.labels, *other.labels))


READERS: dict[str, Callable[[YatetoReader, int], Operation]] = {
    "alloca": _alloca,
    "get_work_item": _get_work_item,
    "subview": _subview,
    "axpby": _tensor_operation(IndexedAxpby),
    "log": _tensor_operation(LoopOverGemm),
    "product": _tensor_operation(IndexedProduct),
    "sum": _tensor_operation(IndexedSum),
    "for": _for,
    "barrier": _barrier,
    "lifetime_stop": _lifetime_stop,
}
"""What reads each instruction behind its word, by the word; the number is where the instruction begins."""
