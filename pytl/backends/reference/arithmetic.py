"""Execution of constants, arithmetic, mathematical functions, comparisons and casts."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...ir.operation import Operation
from ...ir.types import CoopMatrixType, ScalarType, component_type
from ...ops import (
    ArithBinary,
    ArithUnary,
    Bitcast,
    Cast,
    Compare,
    Constant,
    Convert,
    Math,
    MathSince04,
    MatrixArithmetic,
    MatrixUnary,
    scalars,
)
from ...ops.scalars import dtype_of
from ...passes.targets import cpu, vector
from . import rules
from .machine import Machine, Results, executes
from .memory import filled


@executes(Constant)
def constant(machine: Machine, op: Constant) -> Results:
    value = machine.program.constants.get(op.result)
    if value is None:
        type_ = op.result.type
        shape = (1, *type_.shape) if isinstance(type_, CoopMatrixType) else (1,)
        value = filled(shape, op.literal, dtype_of(component_type(type_)))
        machine.program.constants[op.result] = value
    return (value,)


@executes(ArithBinary)
@executes(MatrixArithmetic)
def binary(machine: Machine, op: ArithBinary) -> Results:
    a, b = machine[op.a], machine[op.b]
    type_ = component_type(op.a.type)
    if isinstance(type_, ScalarType) and type_.is_integer:
        if op.variant in ("div", "rem"):
            machine.forbid(
                b == 0,
                op,
                rules.DIVISION_BY_ZERO,
                lambda lane: f"{component(machine, a, b == 0, lane)} is divided by zero",
                "guard the division with an if",
            )
        elif op.variant in ("shl", "shr"):
            beyond = (b < 0) | (b >= type_.bits)
            machine.forbid(
                beyond,
                op,
                rules.SHIFT_COUNT,
                lambda lane: f"{type_} has {type_.bits} bits, but is shifted by {component(machine, b, beyond, lane)}",
            )
    return (scalars.binary(op.variant, a, b, type_),)


@executes(ArithUnary)
@executes(MatrixUnary)
@executes(vector.VectorUnary)
def unary(machine: Machine, op: ArithUnary | vector.VectorUnary) -> Results:
    return (scalars.unary(op.variant, machine[op.a], component_type(op.a.type), component_type(op.result.type)),)


@executes(Compare)
@executes(vector.VectorCompare)
def compare(machine: Machine, op: Compare | vector.VectorCompare) -> Results:
    return (scalars.compare(op.variant, machine[op.a], machine[op.b], component_type(op.a.type)),)


@executes(Convert)
@executes(Cast)
def cast(machine: Machine, op: Cast) -> Results:
    source, target = component_type(op.operand.type), component_type(op.result.type)
    return (checked_cast(machine, op, machine[op.operand], source, target),)


@executes(Math)
@executes(MathSince04)
@executes(vector.VectorMath)
@executes(cpu.Sqrt)
def math(machine: Machine, op: Math | vector.VectorMath | cpu.Sqrt) -> Results:
    return (scalars.math(op.variant, machine[op.a], component_type(op.a.type)),)


@executes(Bitcast)
def bitcast(machine: Machine, op: Bitcast) -> Results:
    return (np.ascontiguousarray(machine[op.operand]).view(dtype_of(op.result.type)),)


def checked_cast(
    machine: Machine, op: Operation, values: np.ndarray, source: ScalarType, target: ScalarType
) -> np.ndarray:
    """Numbers, or the components of matrices, converted to another type, which they must fit."""
    if source.is_floating and target.is_integer:
        violations = scalars.beyond(values, source, target)
        machine.forbid(
            violations,
            op,
            rules.CAST_RANGE,
            lambda lane: f"{float(component(machine, values, violations, lane))!r} does not fit {target}",
            "clamp the value with arith.min and arith.max first",
        )
    return scalars.cast(values, source, target)


def component(machine: Machine, values: np.ndarray, violations: np.ndarray, lane: int) -> Any:
    """The number of a lane that breaks a rule; of a matrix, the first component that does."""
    shape = np.broadcast_shapes(values.shape, violations.shape)
    values, violations = np.broadcast_to(values, shape), np.broadcast_to(violations, shape)
    if values.ndim == 1:
        return values[lane if values.size > 1 else 0]
    subgroup = lane // machine.program.subgroup_size if len(values) > 1 else 0
    return values[subgroup][violations[subgroup]][0]
