"""Execution of the BLAS-like collective instructions: `c := alpha … + beta c`.

Operands are promoted to the element type of the result, and product and sum are taken in it; for f16 and bf16
they are taken in float32, and each element of the result is rounded once, when it is stored.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...ir.operation import defined_at
from ...ir.types import ScalarType
from ...ir.values import Value
from ...ops import Axpby, Cumsum, Gemm, Gemv, Ger, Hadamard, Sum, scalars
from ...ops.constants import is_constant
from ...ops.preconditions import sizes_message
from ...ops.scalars import dtype_of
from ...ops.updates import TRANSPOSES
from ...ops.views import root_of
from ...passes.analysis.overlap import Overlap, is_aliasing_factor
from . import rules
from .accesses import check_alive, uninitialised
from .machine import Machine, Results, executes, named
from .races import watch_tensor
from .view_bounds import check_all_view_bounds
from .views import Integers, View


@executes(Gemm)
def gemm(machine: Machine, op: Gemm) -> Results:
    element = op.C.type.element
    a = operand(machine, op, op.A, element, op.transpose_a)
    b = operand(machine, op, op.B, element, op.transpose_b)
    c: View = machine[op.C]
    check_size(machine, op, "columns(op1(A))", a.shape[1], "rows(op2(B))", b.shape[0], op.B)
    check_size(machine, op, "rows(op1(A))", a.shape[0], "rows(C)", c.shape[0], op.C)
    check_size(machine, op, "columns(op2(B))", b.shape[1], "columns(C)", c.shape[1], op.C)
    update(machine, op, total(np.matmul(a, b)), op.C)
    return ()


@executes(Axpby)
def axpby(machine: Machine, op: Axpby) -> Results:
    a = operand(machine, op, op.A, op.B.type.element, op.transpose)
    check_shape(machine, op, "op(A)", a.shape, "B", op.B)
    update(machine, op, a, op.B)
    return ()


@executes(Gemv)
def gemv(machine: Machine, op: Gemv) -> Results:
    element = op.c.type.element
    a = operand(machine, op, op.A, element, op.transpose)
    b = operand(machine, op, op.b, element)
    check_size(machine, op, "columns(op1(A))", a.shape[1], "rows(b)", b.shape[0], op.b)
    check_size(machine, op, "rows(op1(A))", a.shape[0], "rows(c)", machine[op.c].shape[0], op.c)
    update(machine, op, total(np.matmul(a, b)), op.c)
    return ()


@executes(Ger)
def ger(machine: Machine, op: Ger) -> Results:
    element = op.C.type.element
    a, b = operand(machine, op, op.a, element), operand(machine, op, op.b, element)
    c: View = machine[op.C]
    check_size(machine, op, "rows(a)", a.shape[0], "rows(C)", c.shape[0], op.C)
    check_size(machine, op, "rows(b)", b.shape[0], "columns(C)", c.shape[1], op.C)
    update(machine, op, scalars.product(a[:, None], b), op.C)
    return ()


@executes(Hadamard)
def hadamard(machine: Machine, op: Hadamard) -> Results:
    element = op.C.type.element
    a, b = operand(machine, op, op.A, element), operand(machine, op, op.B, element)
    check_shape(machine, op, "A", a.shape, "B", op.B)
    check_shape(machine, op, "A", a.shape, "C", op.C)
    update(machine, op, scalars.product(a, b), op.C)
    return ()


def operand(machine: Machine, op: Any, tensor: Value, element: ScalarType, transpose: str = "n") -> np.ndarray:
    """The elements of a memref operand, transposed where the instruction says so, in the type of the computation."""
    type_: Any = tensor.type
    view: View = machine[tensor]
    check_all_view_bounds(machine, op, tensor)
    check_initialised(machine, op, tensor, view)
    watch_tensor(machine, op, "read", tensor)
    values = view.array()
    if TRANSPOSES[transpose] and values.ndim == 2:
        values = values.T
    return promoted(values, type_.element, element)


def total(sums: np.ndarray) -> np.ndarray:
    """Adds +0, because a sum begins with zero: no sum is -0, not even one of numbers that all are. NumPy's may be."""
    return sums + sums.dtype.type(0)


def promoted(values: np.ndarray, source: ScalarType, target: ScalarType) -> np.ndarray:
    """Values of a type that is promotable to `target`, in the type in which `target` is computed."""
    return scalars.widened(scalars.cast(values, source, target), target)


def update(machine: Machine, op: Any, term: np.ndarray, tensor: Value) -> None:
    """`tensor := alpha term + beta tensor`, the tensor not being read where beta is zero.

    A work-group updates without interruption by others, so that the update is atomic anyway.
    """
    type_: Any = tensor.type
    view: View = machine[tensor]
    element = type_.element
    alpha = promoted(machine[op.alpha], op.alpha.type, element)[0]
    beta = promoted(machine[op.beta], op.beta.type, element)[0]
    result = term if is_constant(op.alpha, 1) else alpha * term  # of a complex infinity, 1 times it is another number
    check_all_view_bounds(machine, op, tensor)
    target = view.array()
    check_apart(machine, op, target)
    if beta != 0:
        check_initialised(machine, op, tensor, view)
        result = result + beta * scalars.widened(target, element)
    else:
        check_alive(machine, op, tensor, view)
    watch_tensor(machine, op, "atomic" if op.atomic else "write", tensor)
    target[...] = np.asarray(result).astype(dtype_of(element), copy=False)
    is_written = view.written()
    if is_written is not None:
        is_written[...] = True


def check_initialised(machine: Machine, op: Any, tensor: Value, view: View) -> None:
    """Check that the memory is live, and that every element of a tensor that is read as a whole holds a value."""
    if not machine.checks or view.memory.written is None:
        return
    check_alive(machine, op, tensor, view)
    is_written = view.written()
    if is_written is not None and not is_written.all():
        raise uninitialised(machine, op, tensor, view, tuple(map(int, np.argwhere(~is_written)[0])))


def check_apart(machine: Machine, op: Any, target: np.ndarray) -> None:
    """Check that the target overlaps no factor that backends cannot copy first."""
    if not machine.checks:
        return
    for name in op.factors:
        value = getattr(op, name)
        is_copied = value.type.has_static_shape and root_of(value) is root_of(op.updated)
        factor = machine[value].array()
        if is_copied or not np.shares_memory(factor, target):
            continue
        same = _layout(factor) == _layout(target)
        if is_aliasing_factor(op, name, Overlap.SAME if same else Overlap.PARTIAL):
            why = "of dynamic size" if not value.type.has_static_shape else "memory of another parameter"
            message = f"{op.target}, {named(op.updated)}, shares elements with {name}, {named(value)}, {why}"
            help = f"compute {op.target} in memory of its own, and copy it with axpby"
            raise machine.error(op, rules.ALIASING, message, help, defined_at(value))


def _layout(array: np.ndarray) -> tuple[object, ...]:
    steps = [step for size, step in zip(array.shape, array.strides, strict=True) if size > 1]
    return (array.__array_interface__["data"][0], array.dtype, steps)


def check_size(
    machine: Machine, op: Any, name: str, expected: int, other: str, actual: Integers, tensor: Value
) -> None:
    """Check that two sizes agree; even without the checks, because there is no result otherwise."""
    if expected != actual:
        message = sizes_message(name, other, expected, int(actual))
        raise machine.error(op, rules.SHAPES, message, labels=defined_at(tensor))


def check_shape(machine: Machine, op: Any, name: str, expected: tuple[int, ...], other: str, tensor: Value) -> None:
    """Check that two shapes agree, likewise."""
    for mode, (size, actual) in enumerate(zip(expected, machine[tensor].shape, strict=True)):
        check_size(machine, op, f"size {mode} of {name}", size, f"size {mode} of {other}", actual, tensor)


@executes(Sum)
def sum_(machine: Machine, op: Sum) -> Results:
    a = operand(machine, op, op.A, op.b.type.element, op.transpose)
    if a.ndim == 2:
        check_size(machine, op, "rows(op(A))", a.shape[0], "rows(b)", machine[op.b].shape[0], op.b)
    # in its own type, because NumPy sums narrow integers in a wider one
    update(machine, op, total(a.sum(axis=-1, dtype=a.dtype)), op.b)
    return ()


@executes(Cumsum)
def cumsum(machine: Machine, op: Cumsum) -> Results:
    a = operand(machine, op, op.A, op.B.type.element)
    check_shape(machine, op, "A", a.shape, "B", op.B)
    update(machine, op, total(np.cumsum(a, axis=op.mode, dtype=a.dtype)), op.B)
    return ()
