"""Execution of functions of matrices' components, on single ones, and of sums and extremes of rows and columns."""

from __future__ import annotations

import numpy as np

from ...ir.types import compute_type
from ...ops import (
    CooperativeMatrixApply,
    CooperativeMatrixConstruct,
    CooperativeMatrixExtract,
    CooperativeMatrixInsert,
    CooperativeMatrixPrefetch,
    CooperativeMatrixReduce,
    CooperativeMatrixReduceAdd,
    CooperativeMatrixReduceMax,
    CooperativeMatrixReduceMin,
    scalars,
)
from ...ops.matrix_components import place_of
from ...ops.matrix_functions import REDUCES_ROWS
from ...ops.scalars import dtype_of, widened
from .machine import Lanes, Machine, Results, executes
from .subgroups import check_convergence, check_uniform, grouped, present, ungrouped


@executes(CooperativeMatrixApply)
def apply(machine: Machine, op: CooperativeMatrixApply) -> Results:
    """The region is executed once, with a lane for each component of each sub-group's matrix."""
    check_convergence(machine, op)
    rows, columns = op.result.type.shape
    matrices = machine.all_of(op.matrices)
    used = op.captured()
    outside = {value: check_uniform(machine, op, "what the region uses", machine[value], shown=False) for value in used}
    count = max(len(entry) for entry in (*matrices, *outside.values()))
    mask = np.ones(count, np.bool_) if count == 1 else present(machine).any(axis=1)
    row, column = (np.tile(n.reshape(-1), count).astype(np.int32) for n in np.indices((rows, columns)))
    components = [np.broadcast_to(matrix, (count, rows, columns)).reshape(-1) for matrix in matrices]
    before = {value: machine.values[value] for value in used}
    machine.values.update(
        (value, numbers if len(numbers) == 1 else numbers.repeat(rows * columns)) for value, numbers in outside.items()
    )
    machine.values.update(zip(op.body.arguments, (row, column, *components), strict=True))
    lanes = Lanes("component", mask.repeat(rows * columns), trips=(row, column))
    (result,) = machine.run_by(lanes, op.body)
    machine.values.update(before)
    return (np.broadcast_to(result, count * rows * columns).reshape(count, rows, columns),)


@executes(CooperativeMatrixConstruct)
def construct(machine: Machine, op: CooperativeMatrixConstruct) -> Results:
    check_convergence(machine, op)
    numbers = check_uniform(machine, op, "the scalar", machine[op.scalar])
    return (np.broadcast_to(numbers[:, None, None], (len(numbers), *op.result.type.shape)),)


@executes(CooperativeMatrixExtract)
def extract(machine: Machine, op: CooperativeMatrixExtract) -> Results:
    check_convergence(machine, op)
    type_, matrix = op.matrix.type, machine[op.matrix]
    first, column, count = place_of(type_, op.index, machine.program.subgroup_size)
    column_values = np.zeros(present(machine).shape, matrix.dtype)
    column_values[:, :count] = np.broadcast_to(matrix, (len(matrix), *type_.shape))[:, first : first + count, column]
    return (ungrouped(machine, column_values),)


@executes(CooperativeMatrixInsert)
def insert(machine: Machine, op: CooperativeMatrixInsert) -> Results:
    check_convergence(machine, op)
    type_, matrix, numbers = op.matrix.type, machine[op.matrix], machine[op.scalar]
    first, column, count = place_of(type_, op.index, machine.program.subgroup_size)
    rows = grouped(machine, numbers)[:, :count] if numbers.size > 1 else numbers[:, None]
    changed = np.broadcast_to(matrix, (max(len(matrix), len(rows)), *type_.shape)).copy()
    changed[:, first : first + count, column] = rows
    return (changed,)


@executes(CooperativeMatrixPrefetch)
def prefetch(machine: Machine, op: CooperativeMatrixPrefetch) -> Results:
    check_convergence(machine, op)
    for name, value in (("x", op.x), ("y", op.y)):
        check_uniform(machine, op, name, machine[value])
    return ()


@executes(CooperativeMatrixReduceAdd)
@executes(CooperativeMatrixReduceMax)
@executes(CooperativeMatrixReduceMin)
def reduce(machine: Machine, op: CooperativeMatrixReduce) -> Results:
    check_convergence(machine, op)
    component = op.a.type.component
    matrix = machine[op.a]
    matrix = np.broadcast_to(matrix, (len(matrix), *op.a.type.shape))
    terms = np.moveaxis(widened(matrix, component), 2 if REDUCES_ROWS[op.variant] else 1, 0)
    total = terms[0]
    for term in terms[1:]:
        total = scalars.binary(op.combines, total, term, compute_type(component))
    kept = total.astype(dtype_of(component), copy=False)
    return (np.expand_dims(kept, 2 if REDUCES_ROWS[op.variant] else 1),)
