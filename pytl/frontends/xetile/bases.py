"""Base matrices: a memref, or memory with a shape and strides of its own."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...ir.types import DYNAMIC, MemrefType, ScalarType, UnknownType
from ...ir.values import Value
from ...ops import Expand, Fuse, Slice, Subview
from ...ops.builder import Builder
from ...ops.constants import constant_of
from . import rules
from .statement import Statement
from .types import shown


def base_matrix(st: Statement, element: ScalarType, shape: Sequence[Value], strides: Sequence[Value]) -> Value:
    """The matrix of a statement's first operand, with a shape and strides if some are given (rows first)."""
    base = st.operands[0]
    if isinstance(base.type, MemrefType) and base not in st.writer.addresses:
        if not shape or _are_its_own(st, base, shape, strides):
            return base
        if not base.type.is_packed or base.type.order > 2:
            message = f"{shown(base.type)} has its own strides, and is given others"
            st.report(rules.BASE, message, help="leave them out: the memref has them")
            return Value(UnknownType())
    elif not shape:
        st.report(rules.BASE, "an address is given without the shape of the base matrix")
        return Value(UnknownType())
    memory = memory_of(st, element)
    if isinstance(memory.type, UnknownType):
        return memory
    if constant_of(strides[1]) != 1 and st.writer.extents.get(strides[1], (None, "", 0))[1:] != ("stride", 0):
        st.report(rules.BASE, "the innermost stride is not the constant 1", help="write %c1 = arith.constant 1 : index")
        return Value(UnknownType())
    return _viewed(st, memory, shape, strides[0])


def memory_of(st: Statement, element: ScalarType) -> Value:
    """The memory of a statement's first operand, in one mode: a memref's, or what a parameter is the address of."""
    base = st.operands[0]
    if isinstance(base.type, MemrefType):
        if base.type.element != element:
            message = f"the memory has elements of {base.type.element}, and {element} is read"
            st.report(rules.BASE, message)
            return Value(UnknownType())
        if base.type.order == 1:
            return base
        if not base.type.is_packed:
            message = f"the rows of {shown(base.type)} do not lie one behind the other"
            st.report(rules.BASE, message)
            return Value(UnknownType())
        op = Fuse(st.location, [UnknownType()], tensor=base, first=0, last=base.type.order - 1)
        op.results[0].type = op.infer_result_types()[0]
        st.writer.insert(op)
        return op.results[0]
    if isinstance(base.type, UnknownType):
        return base
    if not st.writer.is_parameter(base):
        message = "an address is computed"
        st.report(rules.BASE, message, help="make it a parameter, and give offsets")
        return Value(UnknownType())
    base.type = MemrefType(element, (DYNAMIC,), (1,))
    st.writer.addresses.add(base)
    return base


def _are_its_own(st: Statement, base: Value, shape: Sequence[Value], strides: Sequence[Value]) -> bool:
    """Whether the shape and strides are those that the memref has."""
    rows_first = [*zip(("size",) * 2, shape, (1, 0)), *zip(("stride",) * 2, strides, (1, 0))]
    for kind, value, mode in rows_first:
        known = (base.type.shape if kind == "size" else base.type.strides)[mode]
        if not (isinstance(known, int) and constant_of(value) == known) and (
            st.writer.extents.get(value) != (base, kind, mode)
        ):
            return False
    return True


def _viewed(st: Statement, memory: Value, shape: Sequence[Value], pitch: Value) -> Value:
    """A matrix of rows, each `pitch` behind the one before; it ends where the memory does."""
    to = Builder(st.location)
    zero, one = to.constant(pitch.type, 0), to.constant(pitch.type, 1)
    length = to.size(memory, 0)
    step = to.arith("max", pitch, one)
    width = to.arith("min", shape[1], step)
    # the rows whose first elements are within the memory
    rest = to.arith("max", to.arith("add", to.arith("sub", length, width), step), zero)
    rows = to.arith("min", shape[0], to.arith("div", rest, step))

    def view(op_class: Any, tensor: Value, **parts: Any) -> Value:
        op = op_class(st.location, [UnknownType()], tensor=tensor, **parts)
        op.results[0].type = op.infer_result_types()[0]
        return to.add(op).results[0]

    part = view(Subview, memory, slices=[Slice(0, to.arith("mul", step, rows))])
    matrix = view(Expand, part, mode=0, expand_shape=[step, rows])
    strided_view = view(Subview, matrix, slices=[Slice(0, width), Slice(0, rows)])
    st.writer.insert_all(to)
    return strided_view
