"""Execution of tensor operations in index notation, by `numpy.einsum` in the type of the computation."""

from __future__ import annotations

import numpy as np

from ...ir.operation import defined_at
from ...ops import IndexedAxpby, IndexedProduct, IndexedSum, LoopOverGemm, scalars
from ...ops.contraction import Contraction, fused_modes
from . import rules
from .collectives import check_size, operand, total, update
from .machine import Machine, Results, executes
from .views import View

_MAX_INDICES = 32
"""That `numpy.einsum` takes."""


@executes(IndexedAxpby)
def axpby(machine: Machine, op: IndexedAxpby) -> Results:
    (a,) = _operands(machine, op)
    update(machine, op, _einsum(op, a), op.B)
    return ()


@executes(IndexedSum)
def sum_(machine: Machine, op: IndexedSum) -> Results:
    (a,) = _operands(machine, op)
    update(machine, op, total(_einsum(op, a)), op.B)
    return ()


@executes(IndexedProduct)
def product(machine: Machine, op: IndexedProduct) -> Results:
    output = op.map.output.names
    aligned = []
    for values, indices in zip(_operands(machine, op), op.map.inputs):
        order = [indices.names.index(name) for name in output if name in indices.names]
        selection = tuple(slice(None) if name in indices.names else None for name in output)
        aligned.append(values.transpose(order)[selection])
    update(machine, op, scalars.product(*aligned), op.C)
    return ()


@executes(LoopOverGemm)
def loop_over_gemm(machine: Machine, op: LoopOverGemm) -> Results:
    factors = _operands(machine, op)
    _check_fused(machine, op)
    many = len(op.map.names) > _MAX_INDICES
    update(machine, op, total(_matrix_product(op, *factors) if many else _einsum(op, *factors)), op.C)
    return ()


def _operands(machine: Machine, op: Contraction) -> list[np.ndarray]:
    """The factors in the type of the computation, of sizes that agree."""
    element = op.updated.type.element
    values = [operand(machine, op, getattr(op, name), element) for name in op.factors]
    for (a, i), *others in op.equal_modes():
        expected = machine[getattr(op, a)].shape[i]
        for b, j in others:
            tensor = getattr(op, b)
            check_size(machine, op, op.size_name(a, i), expected, op.size_name(b, j), machine[tensor].shape[j], tensor)
    return values


def _einsum(op: Contraction, *factors: np.ndarray) -> np.ndarray:
    inputs = ",".join(indices.names for indices in op.map.inputs)
    return np.asarray(np.einsum(f"{inputs}->{op.map.output.names}", *factors))


def _matrix_product(op: LoopOverGemm, a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """The same as a product of matrices, where `numpy.einsum` has too many indices."""
    of_a, of_b, of_c = (indices.names for indices in op.map.operands)
    common = [name for name in of_c if name in of_a and name in of_b]
    rows, columns = ([name for name in of_c if name in of and name not in common] for of in (of_a, of_b))
    summed = [name for name in of_a if name not in of_c]

    def matrices(values: np.ndarray, of: str, left: list[str], right: list[str]) -> tuple[np.ndarray, list[int]]:
        transposed = values.transpose([of.index(name) for name in (*common, *left, *right)])
        sizes = [1] * 3
        for position, names in enumerate((common, left, right)):
            for name in names:
                sizes[position] *= values.shape[of.index(name)]
        return transposed.reshape(sizes), list(transposed.shape)

    left, shape = matrices(a, of_a, rows, summed)
    right, other = matrices(b, of_b, summed, columns)
    sizes = shape[: len(common) + len(rows)] + other[len(common) + len(summed) :]
    product = np.matmul(left, right).reshape(sizes)
    order = [*common, *rows, *columns]
    return product.transpose([order.index(name) for name in of_c])


def _check_fused(machine: Machine, op: LoopOverGemm) -> None:
    """Check that fused indices are contiguous in memory, where the types do not say it."""
    for name, mode in fused_modes(op):
        view: View = machine[getattr(op, name)]
        end, stride = view.strides[mode - 1] * view.shape[mode - 1], view.strides[mode]
        if machine.checks and end != stride and view.shape[mode] != 1:
            indices = dict(op.operand_indices)[name].names
            message = f"the stride of index {indices[mode]} of {name} is {int(stride)}, "
            message += f"but index {indices[mode - 1]} ends after {int(end)} elements"
            raise machine.error(op, rules.FUSE, message, None, defined_at(getattr(op, name)))
