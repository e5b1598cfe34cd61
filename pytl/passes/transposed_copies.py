"""Points that copy a matrix to the transpose of another one, as the instruction that does so.

    foreach (%i, %j) = (%0, %0), (%m, %n) {       %a = subview %X[0:%n, 0:%m, %g]
      %x = load %X[%j, %i, %g]              →     %b = subview %Y[0:%m, 0:%n, %g]
      store %x, %Y[%i, %j, %g]                    axpby.t %one, %a, %zero, %b
    }

It loads and stores whole vectors, and turns blocks of them in registers; points would gather what they load.
"""

from __future__ import annotations

from collections.abc import Sequence

from ..ir.operation import Operation
from ..ir.types import MemrefType, ScalarType, index
from ..ir.values import Value
from ..ops import Axpby, Foreach, Load, Slice, Store, Subview
from ..ops.builder import Builder
from ..ops.constants import constant_of
from .analysis.overlap import may_share

FEWEST = 4
"""Rows and columns at least."""


def as_transposition(op: Foreach, are_apart: bool) -> Sequence[Operation]:
    """The instructions; none where points do anything else, or copy elements that they may have stored.

    `are_apart` says that different parameters share no memory.
    """
    copy = _copy(op)
    if copy is None or may_share(copy[0].tensor, copy[1].tensor, are_apart):
        return ()
    load, store = copy
    if {load.indices[0], store.indices[0]} != {*op.variables}:
        return ()
    to = Builder(op.location)
    bounds = {variable: _range(to, *each) for variable, *each in zip(op.variables, op.start, op.stop)}
    if None in bounds.values():
        return ()
    matrices = []
    for access in (load, store):
        slices = [bounds.get(value) or Slice(value) for value in access.indices]
        view = Subview(op.location, tensor=access.tensor, slices=slices)
        matrices.append(to.add(view).results[0])
    element = store.tensor.type.element
    one, zero = to.one(element), to.zero(element)
    to.add(Axpby(op.location, transpose="t", alpha=one, A=matrices[0], beta=zero, B=matrices[1]))
    return to.operations


def _copy(op: Foreach) -> tuple[Load, Store] | None:
    """What points load and store, if they copy elements of one matrix to those of another one."""
    if len(op.variables) != 2 or len(op.body.operations) != 2:
        return None
    load, store = op.body.operations
    if not isinstance(load, Load) or not isinstance(store, Store) or store.flag or store.data is not load.result:
        return None
    return (load, store) if all(_is_matrix(access, op) for access in (load, store)) else None


def _is_matrix(access: Load | Store, op: Foreach) -> bool:
    """Whether both variables index one mode each of real numbers, of which the first mode is contiguous."""
    type_ = access.tensor.type
    if not isinstance(type_, MemrefType) or not isinstance(type_.element, ScalarType) or type_.element.is_complex:
        return False
    return (
        bool(type_.strides)
        and type_.strides[0] == 1
        and all(list(access.indices).count(variable) == 1 for variable in op.variables)
    )


def _range(to: Builder, start: Value, stop: Value) -> Slice | None:
    """The values of a variable; None where there are few, or their number is not at hand."""
    first, last = constant_of(start), constant_of(stop)
    if first is not None and last is not None:
        return Slice(int(first), int(last - first)) if last - first >= FEWEST else None
    if first != 0 or stop.type != index:
        return None
    return Slice(0, to.arith("max", stop, to.zero(index)))  # a matrix has no negative size, and points may have
