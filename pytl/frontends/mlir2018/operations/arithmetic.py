"""Arithmetic: addi, addf, cmpi, constant, divis, diviu, mulf, remis, remiu and select."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from ....mlir.text.names import PREDICATES
from .. import rules
from ..tree import Attribute, FunctionName, Number, Operation
from ..types import (
    I1,
    UNKNOWN,
    Dialect,
    Float,
    Function,
    Index,
    Integer,
    Memref,
    Tensor,
    Type,
    Unknown,
    Vector,
    element_of,
    same,
    shaped_like,
)
from .form import Form, listed

if TYPE_CHECKING:
    from ..findings import Findings
    from ..instruction_reader import InstructionReader


def _is_on(type_: Type, kinds: tuple[type, ...]) -> bool:
    """Whether a type is one of these numbers, or a vector or tensor of them."""
    return isinstance(type_, Unknown) or (
        not isinstance(type_, Memref) and isinstance(element_of(type_), (*kinds, Unknown))
    )


class _Binary(Form):
    """Two operands and a result of one type."""

    kinds: ClassVar[tuple[type, ...]] = (Integer, Index)
    what: ClassVar[str] = "integers"

    def read(self, reader: InstructionReader) -> Operation:
        operands = [reader.operand()]
        reader.expect(",")
        operands.append(reader.operand())
        reader.expect(":")
        type_ = reader.type()
        return Operation(self.name, operands, [type_, type_], None, [type_], groups=(2,))

    def write(self, operation: Operation) -> str:
        return f"{self.name} {listed(operation.operands)} : {operation.operand_types[0]}"

    def counts(self, operation: Operation) -> tuple[int | None, int | None]:
        return 2, 1

    def check(self, operation: Operation, checker: Findings) -> None:
        types = [*operation.operand_types, *operation.result_types]
        for type_ in types[1:]:
            if not same(types[0], type_):
                message = f"{operation.name} is on {types[0]} and {type_}"
                checker.report(rules.ARITHMETIC, message, operation.location)
                return
        if not _is_on(types[0], self.kinds):
            message = f"{operation.name} is on {self.what}, and not on {types[0]}"
            checker.report(rules.ARITHMETIC, message, operation.location)


class _OnFloats(_Binary):
    kinds = (Float,)
    what = "floats"


class Addi(_Binary):
    """The sum of integers."""

    name = "addi"


class Addf(_OnFloats):
    """The sum of floats."""

    name = "addf"


class Mulf(_OnFloats):
    """The product of floats."""

    name = "mulf"


class Divis(_Binary):
    """The quotient of integers with a sign, towards zero."""

    name = "divis"


class Diviu(_Binary):
    """The quotient of integers without a sign."""

    name = "diviu"


class Remis(_Binary):
    """The remainder of divis."""

    name = "remis"


class Remiu(_Binary):
    """The remainder of diviu."""

    name = "remiu"


class Cmpi(Form):
    """Compares integers."""

    name = "cmpi"
    attributes = ("predicate",)

    def read(self, reader: InstructionReader) -> Operation:
        start = reader.position
        word = reader.string()
        if word not in PREDICATES:
            reader.report(rules.PREDICATE, f'the predicate is "{word}"', reader.location_from(start))
            word = "eq"
        operands = []
        for _ in range(2):
            reader.expect(",")
            operands.append(reader.operand())
        reader.expect(":")
        type_ = reader.type()
        predicate = Number(PREDICATES.index(word))
        result = shaped_like(type_, I1)
        return Operation(self.name, operands, [type_, type_], None, [result], {"predicate": predicate}, groups=(2,))

    def write(self, operation: Operation) -> str:
        number = operation.attributes["predicate"]
        assert isinstance(number, Number) and isinstance(number.value, int)
        return f'cmpi "{PREDICATES[number.value]}", {listed(operation.operands)} : {operation.operand_types[0]}'

    def counts(self, operation: Operation) -> tuple[int | None, int | None]:
        return 2, 1

    def check(self, operation: Operation, checker: Findings) -> None:
        number = operation.attributes["predicate"]
        if not isinstance(number, Number) or number.value not in range(len(PREDICATES)):
            shown = number.value if isinstance(number, Number) else "no number"
            checker.report(rules.PREDICATE, f"the predicate is {shown}", operation.location)
        left, right = operation.operand_types
        result = operation.result_types[0]
        if not same(left, right) or not _is_on(left, (Integer, Index)):
            checker.report(rules.ARITHMETIC, f"cmpi is on {left} and {right}", operation.location)
        elif not same(result, shaped_like(left, I1)):
            checker.report(rules.ARITHMETIC, f"cmpi on {left} does not give {result}", operation.location)


class Constant(Form):
    """The value of an attribute."""

    name = "constant"
    attributes = ("value",)

    def read(self, reader: InstructionReader) -> Operation:
        value = reader.attribute(typed=False)
        reader.expect(":")
        type_ = reader.type()
        if isinstance(value, Number) and reader.take(":"):
            value, type_ = Number(value.value, type_), reader.type()
        if isinstance(value, FunctionName) and isinstance(type_, Function):
            value = FunctionName(value.name, type_)
        return Operation(self.name, [], [], None, [type_], {"value": value}, groups=())

    def write(self, operation: Operation) -> str:
        value = operation.attributes["value"]
        if isinstance(value, FunctionName):
            return f"constant @{value.name} : {operation.result_types[0]}"
        return f"constant {attribute_text(value)} : {operation.result_types[0]}"

    def counts(self, operation: Operation) -> tuple[int | None, int | None]:
        return 0, 1

    def groups_of(self, operation: Operation) -> tuple[int, ...]:
        return ()

    def check(self, operation: Operation, checker: Findings) -> None:
        value, type_ = operation.attributes["value"], operation.result_types[0]
        if isinstance(value, FunctionName):
            function = checker.find_function(value.name, operation.location)
            if not function or isinstance(type_, Unknown):
                return
            of = Function(tuple(function.inputs), tuple(function.results))
            if not same(of, type_):
                message = f"@{value.name} is {of}, and not {type_}"
                checker.report(rules.CONSTANT, message, operation.location)
            return
        wrong = problem_of_value(value, type_)
        if wrong:
            checker.report(rules.CONSTANT, wrong, operation.location)


def problem_of_value(value: Attribute, type_: Type) -> str | None:
    """What is wrong with a value of a type that is no function."""
    if isinstance(type_, (Unknown, Dialect)):
        return None
    if isinstance(value, bool):
        return None if type_ == I1 else f"a truth value is of type i1, and not {type_}"
    if not isinstance(value, Number):
        return f"the value is no number, and the type is {type_}"
    if value.type is not None and not same(value.type, type_):
        return f"the value is of type {value.type}, and the constant of type {type_}"
    if isinstance(type_, Float):
        return None if isinstance(value.value, float) else f"{value.value} is no float: write {value.value}.0"
    if not isinstance(type_, (Integer, Index)):
        return f"there are no constants of type {type_}"
    if isinstance(value.value, float):
        return f"{value.value} is no integer"
    width = type_.width if isinstance(type_, Integer) else 64
    if not -(1 << (width - 1)) <= value.value < 1 << width:
        return f"{value.value} is no number of {width} bits"
    return None


class Select(Form):
    """One of two values."""

    name = "select"

    def read(self, reader: InstructionReader) -> Operation:
        operands = [reader.use()]
        for _ in range(2):
            reader.expect(",")
            operands.append(reader.operand())
        reader.expect(":")
        type_ = reader.type()
        return Operation(self.name, operands, [UNKNOWN, type_, type_], None, [type_], groups=(3,))

    def write(self, operation: Operation) -> str:
        return f"select {listed(operation.operands)} : {operation.result_types[0]}"

    def counts(self, operation: Operation) -> tuple[int | None, int | None]:
        return 3, 1

    def check(self, operation: Operation, checker: Findings) -> None:
        condition = operation.operands[0].type or operation.operand_types[0]
        left, right = operation.operand_types[1:]
        result = operation.result_types[0]
        if not same(left, right) or not same(left, result):
            message = f"select is on {left} and {right}, and gives {result}"
            checker.report(rules.SELECT, message, operation.location)
        elif not same(condition, I1) and not (
            isinstance(left, (Vector, Tensor)) and same(condition, shaped_like(left, I1))
        ):
            message = f"the condition is of type {condition}, and the operands are of type {left}"
            checker.report(rules.SELECT, message, operation.location)


def attribute_text(value: Attribute) -> str:
    """An attribute as it is written."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, str):
        return f'"{value}"'
    if isinstance(value, Number):
        return f"{value.value}" + (f" : {value.type}" if value.type else "")
    if isinstance(value, FunctionName):
        return f"@{value.name}" + (f" : {value.type}" if value.type else "")
    if isinstance(value, tuple):
        return f"[{', '.join(map(attribute_text, value))}]"
    return str(value)
