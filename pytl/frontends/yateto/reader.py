"""The text of the immediate language to IR: functions, values and their types.

Tensor operations become instructions of the namespace `yateto`. What takes items of a batch becomes loads from groups
and views, at the work-group's number.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from ...diagnostics import Label, Location, Source
from ...ir.operation import Operation
from ...ir.text.reader import SyntaxProblem
from ...ir.text.rules import UNKNOWN_INSTRUCTION
from ...ir.text.structure import StructureReader
from ...ir.types import ScalarType, UnknownType, VoidType, i64, index
from ...ir.values import UNSIGNED, Function, Value
from ...ops import ArithBinary, Builtin, Cast, Constant
from ...process.records import dataclass
from . import rules
from .types import DraftType, Group, LoopVariable, Memref, Scalar, is_unsigned, read_integer_type, read_type


@dataclass(frozen=True)
class Operand:
    """A used value: its name in the text, where the name stands, and the type in the immediate language."""

    value: Value
    name: str
    location: Location
    type: DraftType | UnknownType

    @property
    def is_known(self) -> bool:
        return not isinstance(self.type, UnknownType)

    @property
    def labels(self) -> tuple[Label, ...]:
        """What the value is, shown where it was defined."""
        if self.value.location is None or not self.is_known:
            return ()
        return (Label(self.value.location, f"%{self.name} is {self.type}"),)


class YatetoReader(StructureReader):
    """Reads functions; one object for each text."""

    keyword = "define"

    def __init__(self, source: Source, readers: Mapping[str, Callable[[Any, int], Operation]]) -> None:
        """`readers` has what reads each instruction behind its word, which began at a place of the text."""
        super().__init__(source)
        self._readers = readers
        self.types: dict[Value, DraftType] = {}
        """The type of each value in the immediate language."""
        self.memory: set[str] = set()
        """The groups of the function, by name, that are plain memory, as their items are taken with an offset."""
        self.with_offset: set[str] = set()
        """The groups of the function whose items were seen to be taken with an offset."""

    # Functions.

    def function(self) -> Function:
        self.memory, self.with_offset = set(), set()
        start, diagnostic_count = self.scanner.position, self.diagnostics.count
        function = self._function()
        if self.with_offset:
            # only the body shows what is plain memory: the function is read again with these types of parameters
            self.scanner.position = start
            self.diagnostics.forget(diagnostic_count)
            self.memory = self.with_offset
            function = self._function()
        return function

    def _function(self) -> Function:
        self._front: dict[Any, Operation] = {}
        function = super().function()
        function.body.operations[:0] = self._front.values()
        return function

    def type(self) -> DraftType | UnknownType:
        return read_type(self)

    def define(self, name: str, location: Location, type_: Any) -> Value:
        if isinstance(type_, (VoidType, UnknownType)):
            return super().define(name, location, type_)
        is_memory = isinstance(type_, Group) and name in self.memory
        value = super().define(name, location, type_.ir_of_memory if is_memory else type_.ir)
        if isinstance(type_, LoopVariable):
            self.types[value] = type_.type
            return value
        self.types[value] = type_
        if is_unsigned(type_):
            value.attributes = {UNSIGNED: True}
        return value

    # Values.

    def front(self, key: Any, make: Callable[[], Operation]) -> Value:
        """The result of an instruction at the function's begin, which is made once."""
        if key not in self._front:
            self._front[key] = make()
        return self._front[key].results[0]

    def constant(self, type_: ScalarType, literal: float, location: Location) -> Value:
        return self.front((type_, repr(literal)), lambda: Constant(location, [type_], literal=literal))

    def group_id(self, location: Location) -> Value:
        return self.front("group_id", lambda: Builtin(location, variant="group_id"))

    def add(self, operation: Operation) -> Value:
        """Put an instruction in front of the one that is being read."""
        self.insert(operation)
        return operation.results[0]

    def as_index(self, operand: Operand) -> Value:
        """An integer as an index; unsigned ones are extended with zeros."""
        value = operand.value
        if isinstance(value.type, UnknownType) or value.type == index:
            return value
        if isinstance(operand.type, Scalar) and operand.type.unsigned and value.type == operand.type.bits != i64:
            mask = self.constant(i64, 2**operand.type.bits.bits - 1, operand.location)
            wide = self.add(Cast(operand.location, [i64], operand=value))
            value = self.add(ArithBinary(operand.location, [i64], variant="and", a=wide, b=mask))
        return self.add(Cast(operand.location, [index], operand=value))

    def operand(self) -> Operand:
        """A used value."""
        start = self.scanner.skip_blanks()
        value = self.value()
        name = self.scanner.text[start + 1 : self.scanner.last_end]
        return Operand(value, name, self.scanner.location_from(start), self.types.get(value, UnknownType()))

    def tensor(self) -> Operand:
        """A used memref; unknown where it is something else."""
        operand = self.operand()
        if isinstance(operand.type, Memref) or not operand.is_known:
            return operand
        item = f"take an item of it: get_work_item %{operand.name} : {operand.type}"
        return self.refuse(operand, "a memref", item if isinstance(operand.type, Group) else None)

    def integer_value(self) -> Operand:
        """A used integer behind its type, as `i32 %i`."""
        start = self.scanner.skip_blanks()
        type_ = read_integer_type(self)
        location = self.scanner.location_from(start)
        operand = self.operand()
        if operand.is_known and not (isinstance(operand.type, Scalar) and operand.type.bits.is_integer):
            return self.refuse(operand, "an integer")
        self._compare(operand, type_, location)
        return operand

    def refuse(self, operand: Operand, expectation: str, help: str | None = None) -> Operand:
        """Report an operand of a wrong kind; nothing more is said about it then."""
        message = f"%{operand.name} is {operand.type}, but must be {expectation}"
        self.diagnostics.report(rules.OPERAND, message, operand.location, help, operand.labels)
        return Operand(Value(UnknownType()), operand.name, operand.location, UnknownType())

    def annotation(self, operand: Operand) -> None:
        """Read the type that an instruction names for an operand."""
        start = self.scanner.skip_blanks()
        type_ = self.type()
        self._compare(operand, type_, self.scanner.location_from(start))

    def _compare(self, operand: Operand, type_: DraftType | UnknownType, location: Location) -> None:
        if operand.is_known and not isinstance(type_, UnknownType) and type_ != operand.type:
            message = f"%{operand.name} is {operand.type}, but {type_} is written here"
            self.diagnostics.report(rules.ANNOTATED, message, location, f"write {operand.type}", operand.labels)

    # Instructions.

    def read_instruction(self) -> tuple[str, Operation]:
        start = self.scanner.skip_blanks()
        word = self.scanner.word()
        if word is None:
            self.fail(f"expected an instruction, but found {self.scanner.next_text()}")
        read = self._readers.get(word)
        if read is None:
            message = f"there is no instruction `{word}` in the immediate language"
            self.diagnostics.report(
                UNKNOWN_INSTRUCTION, message, self.scanner.location_from(start), _similar(word, self._readers)
            )
            raise SyntaxProblem
        return word, read(self, start)


def _similar(word: str, known: Any) -> str | None:
    from difflib import get_close_matches

    matches = get_close_matches(word, known, n=1)
    return f"did you mean {matches[0]}?" if matches else f"the instructions are {', '.join(known)}"
