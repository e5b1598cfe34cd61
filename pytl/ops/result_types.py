"""Rules on the type of a result, or of a number, which many instructions share."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ..ir.operation import Check, Operation, Problem, check
from ..ir.types import component_type


def result_type_check(
    code: str, section: str, text: str = "the result has the operand's type", operand: str = "a", noun: str = "operand"
) -> Check:
    """The rule that the result has the type of an operand, or the one that follows from it."""

    @check(code, text, section)
    def follows(op: Operation) -> Iterator[Problem]:
        (expected,) = op.infer_result_types()
        if op.result.type != expected:
            message = f"the {noun} is {getattr(op, operand).type}, but the result is {op.result.type}"
            yield Problem(message, f"write : {expected}", operand)

    return follows


def builtin_type_check(code: str, section: str, text: str = "a builtin has the type of the manual's table") -> Check:
    """The rule that the result of an instruction without operands has the only type that it may have."""

    @check(code, text, section)
    def is_the_type(op: Operation) -> Iterator[Problem]:
        (expected,) = op.infer_result_types()
        if op.result.type != expected:
            yield Problem(f"the result is {op.result.type}", f"write : {expected}")

    return is_the_type


def component_check(
    code: str, section: str, matrix: str, text: str = "the scalar has the type of the components"
) -> Check:
    """The rule that the operand `scalar` has the type of a matrix's components."""

    @check(code, text, section)
    def is_component(op: Any) -> Iterator[Problem]:
        component = getattr(op, matrix).type.component
        if op.scalar.type != component:
            message = f"the scalar is {op.scalar.type}, but the components are {component}"
            yield Problem(message, f"cast it: cast %value : {component}", "scalar")

    return is_component


def order_of_numbers_check(
    code: str, section: str, operand: str = "a", help: str = "compare the absolute values"
) -> Check:
    """The rule that a minimum or maximum is not taken of complex numbers."""

    @check(code, "complex numbers have no order", section)
    def has_order(op: Operation) -> Iterator[Problem]:
        type_ = getattr(op, operand).type
        if component_type(type_).is_complex:
            yield Problem(f"not defined on {type_}", help, operand)

    return has_order
