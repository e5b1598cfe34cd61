"""Terminator operations: br, cond_br and return."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ....diagnostics.words import counted
from .. import rules
from ..tree import Operation
from ..types import I1, same
from .form import Form, listed, target

if TYPE_CHECKING:
    from ..findings import Findings
    from ..instruction_reader import InstructionReader


class Br(Form):
    """Goes to a block."""

    name = "br"
    is_terminator = True

    def read(self, reader: InstructionReader) -> Operation:
        return Operation(self.name, successors=[reader.successor()], groups=(0,))

    def write(self, operation: Operation) -> str:
        return f"br {target(operation.successors[0])}"

    def counts(self, operation: Operation) -> tuple[int | None, int | None]:
        return 0, 0

    def check(self, operation: Operation, checker: Findings) -> None:
        _check_successors(operation, 1, checker)


class CondBr(Form):
    """Goes to the first block where its operand is true, and else to the second."""

    name = "cond_br"
    is_terminator = True

    def read(self, reader: InstructionReader) -> Operation:
        condition = reader.use()
        successors = []
        for _ in range(2):
            reader.expect(",")
            successors.append(reader.successor())
        return Operation(self.name, [condition], [I1], successors=successors, groups=(1,))

    def write(self, operation: Operation) -> str:
        return f"cond_br {operation.operands[0]}, {', '.join(map(target, operation.successors))}"

    def counts(self, operation: Operation) -> tuple[int | None, int | None]:
        return 1, 0

    def check(self, operation: Operation, checker: Findings) -> None:
        _check_successors(operation, 2, checker)
        if not same(operation.operand_types[0], I1):
            message = f"the condition is of type {operation.operand_types[0]}"
            checker.report(rules.CONDITION, message, operation.location)


class Return(Form):
    """Ends the function with its results."""

    name = "return"
    is_terminator = True

    def read(self, reader: InstructionReader) -> Operation:
        uses, types = reader.typed_uses() if reader.at_use else ([], [])
        return Operation(self.name, uses, types, groups=(len(uses),))

    def write(self, operation: Operation) -> str:
        if not operation.operands:
            return "return"
        return f"return {listed(operation.operands)} : {', '.join(map(str, operation.operand_types))}"

    def counts(self, operation: Operation) -> tuple[int | None, int | None]:
        return None, 0

    def check(self, operation: Operation, checker: Findings) -> None:
        _check_successors(operation, 0, checker)
        expected, types = checker.function.results, operation.operand_types
        if len(expected) != len(types):
            message = f"@{checker.function.name} gives {counted(len(expected), 'value')}, and {len(types)} are returned"
            checker.report(rules.RETURNED, message, operation.location)
            return
        for use, type_, of in zip(operation.operands, types, expected):
            if not same(type_, of):
                message = f"{use} is returned as {type_}, but @{checker.function.name} gives {of}"
                checker.report(rules.RETURNED, message, use.location)


def _check_successors(operation: Operation, expected: int, checker: Findings) -> None:
    if len(operation.successors) != expected:
        message = f"{operation.name} has {counted(len(operation.successors), 'successor')}, not {expected}"
        checker.report(rules.COUNT, message, operation.location)
