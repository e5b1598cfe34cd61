"""The operations of other dialects in a text: arith, math, gpu, memref and vector."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...ir.text.rules import SYNTAX
from ...ir.types import BoolType, CoopMatrixType, MemrefType, ScalarType, bool_, i32, index
from ...ir.values import Value
from ...mlir.text import Operation
from ...mlir.text.tree import Dense
from ...ops import (
    Alloca,
    ArithBinary,
    ArithUnary,
    Barrier,
    Builtin,
    Cast,
    Compare,
    Constant,
    Load,
    Math,
    Size,
    Store,
    SubgroupBuiltin,
)
from ...ops.builder import Builder
from ...ops.constants import constant_of
from ..arithmetic import BINARY, OF_FLOATS, OF_INTEGERS, UNARY
from . import rules
from .forms import CASTS
from .lanes import lane_number, spread_constant
from .statement import Statement, of_statements
from .types import LANES, FragmentType, SpreadType, TileLayout, VectorType, shape_of, shown
from .values import Compound, Fragment, Lowered, Results, Spread, mapped
from .writer import Handler, Writer

_COMPARISONS = {**OF_INTEGERS, **OF_FLOATS}


def _of_type(writer: Writer, op: Operation, type_: Any, kind: Any, what: str) -> Any:
    """A type that is written, which is of a kind."""
    if not isinstance(type_, kind):
        spelling = shown(type_)
        writer.fail(rules.ANNOTATED, f"expected the type of a {what}, but found {spelling}", op.location)
    return type_


def spread_like(type_: VectorType, values: Sequence[Value]) -> Spread:
    return Spread(SpreadType(type_.shape, type_.element), values)


# arith and math.


def _constant(writer: Writer, op: Operation) -> Lowered:
    literal, type_, location = op.attributes["value"], op.result_types[0], op.location
    if isinstance(literal, bool) and str(type_) == "i1":
        return Constant(location, [bool_], literal=literal)
    if not isinstance(literal, Dense):
        type_ = _of_type(writer, op, type_, (ScalarType, BoolType), "number")
        return Constant(location, [type_], literal=literal)
    type_, literal = _of_type(writer, op, type_, (CoopMatrixType, VectorType), "vector"), literal.values
    if not isinstance(literal, (bool, int, float)):
        writer.fail(rules.TYPE, "the elements of a constant vector are one number", location)
    if isinstance(type_, VectorType):
        if len(type_.shape) != 1:
            writer.fail(rules.TYPE, "a constant vector has one or two sizes", location)
        slots = -(-type_.shape[0] // LANES)
        values = [writer.emit(Constant(location, [type_.element], literal=literal)) for _ in range(slots)]
        return Results(location, [spread_like(type_, values)])
    if writer.is_simt and type_.rows == 1:
        # a work-item's column of 16
        matrix = CoopMatrixType(type_.component, LANES, type_.columns, "matrix_acc")
        layout = TileLayout(lane_layout=(LANES, 1), lane_data=(1, 1))
        form = FragmentType(matrix, (type_.columns, 1), layout)
        return Results(location, [Fragment(form, [writer.emit(Constant(location, [matrix], literal=literal))])])
    return Constant(location, [type_], literal=literal)


def _spread_as(writer: Writer, op: Operation, value: Value, other: Value) -> Value:
    """A constant matrix as elements of the work-items, where those of another vector are; else the value."""
    if not isinstance(other, Spread):
        return value
    at = Builder(op.location)
    spread = spread_constant(at, value, other.type, len(other.parts))
    writer.insert_all(at)
    return spread


def _same_form(writer: Writer, op: Operation, a: Value, b: Value) -> bool:
    """Whether two vectors have the same elements in the same places."""
    first, second = ((getattr(v.type, "matrix", None), getattr(v.type, "layout", None),
                      getattr(v.type, "vnni_axis", None)) for v in (a, b))  # fmt: skip
    if isinstance(a, Compound) == isinstance(b, Compound) and first == second:
        return True
    writer.diagnostics.report(rules.ANNOTATED, "the vectors have different layouts", op.location)
    return False


def _binary(writer: Writer, op: Operation) -> Lowered:
    a, b = writer.operands(op)

    def one(x: Value, y: Value) -> ArithBinary:
        return ArithBinary(op.location, [x.type], variant=BINARY[op.name], a=x, b=y)

    if not isinstance(a, Compound) and not isinstance(b, Compound):
        return one(a, b)
    a, b = (_spread_as(writer, op, value, other) for value, other in ((a, b), (b, a)))
    if not _same_form(writer, op, a, b):
        return Results(op.location, [a])
    return Results(op.location, [mapped(lambda x, y: writer.emit(one(x, y)), None, a, b)])


def _unary(writer: Writer, op: Operation) -> Lowered:
    (a,) = writer.operands(op)

    def one(x: Value) -> ArithUnary | Math:
        if op.name in UNARY:
            return ArithUnary(op.location, [x.type], variant=UNARY[op.name], a=x)
        return Math(op.location, [x.type], variant=op.name.partition(".")[2], a=x)

    if not isinstance(a, Compound):
        return one(a)
    return Results(op.location, [mapped(lambda x: writer.emit(one(x)), None, a)])


def _cast(writer: Writer, op: Operation) -> Lowered:
    (value,), location = writer.operands(op), op.location
    type_ = _of_type(writer, op, op.result_types[0], (ScalarType, CoopMatrixType, VectorType), "number")
    if not isinstance(value, Compound):
        return Cast(location, [type_], operand=value)
    before, after = shape_of(value.type), shape_of(type_)
    if before is None or after is None or before[0] != after[0]:
        message = f"the vector is {shown(value.type)}, and {shown(type_)} has another shape"
        writer.diagnostics.report(rules.ANNOTATED, message, location)
        return Results(location, [value])
    result: Any
    if isinstance(value, Fragment):
        form = value.type
        matrix = CoopMatrixType(after[1], form.matrix.rows, form.matrix.columns, "matrix_acc")
        result = FragmentType(matrix, form.shape, form.layout, form.vnni_axis)
        return Results(location, [mapped(lambda x: writer.emit(Cast(location, [matrix], operand=x)), result, value)])
    result = SpreadType(after[0], after[1])
    return Results(location, [mapped(lambda x: writer.emit(Cast(location, [after[1]], operand=x)), result, value)])


def _compare(writer: Writer, op: Operation) -> Lowered:
    a, b = writer.operands(op)
    word = op.attributes["predicate"]
    if word not in _COMPARISONS:
        writer.fail(
            rules.OPERATION, f"there is no comparison {word}", op.location, f"there are {', '.join(_COMPARISONS)}"
        )

    def one(x: Value, y: Value) -> Compare:
        return Compare(op.location, [bool_], variant=_COMPARISONS[word], a=x, b=y)

    if not isinstance(a, Compound) and not isinstance(b, Compound):
        return one(a, b)
    if not isinstance(a, Spread) or not _same_form(writer, op, a, b):
        writer.fail(rules.ANNOTATED, "vectors of work-items are compared", op.location)
    type_ = SpreadType(a.type.shape, bool_)
    return Results(op.location, [mapped(lambda x, y: writer.emit(one(x, y)), type_, a, b)])


def _select(writer: Writer, op: Operation) -> Lowered:
    condition, a, b = writer.values(op)
    written = op.result_types[0]
    if not all(writer.fits(value, written) for value in (a, b)):
        writer.fail(rules.ANNOTATED, f"the values are not {shown(written)}", op.location)

    def one(condition: Value, a: Value, b: Value) -> Value:
        at = Builder(op.location)
        results = at.branch(condition, [a.type], lambda _: [a], lambda _: [b])
        writer.insert_all(at)
        return results[0]

    if isinstance(condition, Compound) and not isinstance(a, Spread):
        writer.fail(rules.ANNOTATED, "a mask chooses between vectors of work-items", op.location)
    return Results(op.location, [mapped(one, a.type if isinstance(a, Compound) else None, condition, a, b)])


# gpu and vector.


def _builtin(variant: str) -> Handler:
    def write(writer: Writer, op: Operation) -> Lowered:
        if op.attributes["dimension"] != "x":
            message = f"a launch has the dimension x alone, and not {op.attributes['dimension']}"
            writer.fail(SYNTAX, message, op.location)
        return Builtin(op.location, [index], variant=variant)

    return write


def _of_subgroup(of: Any, variant: str) -> Handler:
    def write(writer: Writer, op: Operation) -> Lowered:
        return Cast(op.location, [index], operand=writer.emit(of(op.location, [i32], variant=variant)))

    return write


def _barrier(writer: Writer, op: Operation) -> Lowered:
    return Barrier(op.location, global_fence=True, local_fence=True)


def _step(writer: Writer, op: Operation) -> Lowered:
    type_ = _of_type(writer, op, op.result_types[0], VectorType, "vector of one size")
    if type_.element != index or len(type_.shape) != 1:
        writer.fail(rules.ANNOTATED, f"vector.step gives indices of one size, and not {shown(type_)}", op.location)
    at = Builder(op.location)
    lane = lane_number(at)
    slots = range(-(-type_.shape[0] // LANES))
    values = [at.arith("add", lane, at.constant(index, LANES * slot)) for slot in slots]
    writer.insert_all(at)
    return Results(op.location, [spread_like(type_, values)])


def _broadcast(writer: Writer, op: Operation) -> Lowered:
    (value,) = writer.operands(op)
    type_ = _of_type(writer, op, op.result_types[0], VectorType, "vector of one size")
    if type_.element != value.type or len(type_.shape) != 1:
        writer.fail(rules.ANNOTATED, f"{shown(value.type)} is no element of {shown(type_)}", op.location)
    return Results(op.location, [spread_like(type_, [value] * -(-type_.shape[0] // LANES))])


# memref.


def _alloca(writer: Writer, op: Operation) -> Lowered:
    if op.operands:
        writer.fail(rules.ANNOTATED, "local memory has a size that is known", op.location)
    made = Alloca(op.location, [_of_type(writer, op, op.result_types[0], MemrefType, "memref")], attributes={})
    writer.allocated.append(made)
    return Results(op.location, made.results)


def _strided_metadata(writer: Writer, op: Operation) -> Lowered:
    """`%base, %offset, %sizes:2, %strides:2 = memref.extract_strided_metadata %A : … -> …`."""
    (value,), location = writer.operands(op), op.location
    type_ = value.type
    if not isinstance(type_, MemrefType) or type_.order != 2 or not type_.is_packed:
        writer.fail(rules.BASE, "the sizes of a matrix are read whose rows lie one behind the other", location)
    at = Builder(location)
    rows, columns = at.size(value, 1), at.size(value, 0)
    one = at.constant(index, 1)
    writer.insert_all(at)
    offset = writer.emit(Constant(location, [index], literal=0))
    pitch = writer.emit(Cast(location, [index], operand=columns))
    for number, (kind, mode) in ((rows, ("size", 1)), (columns, ("size", 0)), (pitch, ("stride", 1))):
        writer.extents[number] = (value, kind, mode)
    writer.extents[one] = (value, "stride", 0)
    return Results(location, [value, offset, rows, columns, pitch, one])


def _dim(writer: Writer, op: Operation) -> Lowered:
    value, number = writer.operands(op)
    mode = constant_of(number)
    if not isinstance(value.type, MemrefType) or not isinstance(mode, int) or not 0 <= mode < value.type.order:
        writer.fail(rules.ANNOTATED, "the size is one of a memref, of a mode that is a constant", op.location)
    made = Size(op.location, [index], tensor=value, mode=value.type.order - 1 - mode)
    writer.extents[made.results[0]] = (value, "size", value.type.order - 1 - mode)
    return made


def _load(st: Statement) -> Lowered:
    memory = st.operand(0, MemrefType, "memref")
    st.check_types(st.operands[:1])
    element = getattr(memory.type, "element", memory.type)
    return Load(st.location, [element], tensor=memory, indices=st.operands[:0:-1])


def _store(st: Statement) -> Lowered:
    memory = st.operand(1, MemrefType, "memref")
    st.check_types(st.operands[1:2])
    data = st.operand(0, ScalarType, "number")
    return Store(st.location, flag="", data=data, tensor=memory, indices=st.operands[:1:-1])


HANDLERS: dict[str, Handler] = {
    "arith.constant": _constant,
    **dict.fromkeys(BINARY, _binary),
    **dict.fromkeys((*UNARY, "math.exp"), _unary),
    **dict.fromkeys(CASTS, _cast),
    **dict.fromkeys(("arith.cmpi", "arith.cmpf"), _compare),
    "arith.select": _select,
    "gpu.block_id": _builtin("group_id"),
    "gpu.grid_dim": _builtin("group_size"),
    "gpu.lane_id": _of_subgroup(SubgroupBuiltin, "subgroup_local_id"),
    "gpu.subgroup_id": _of_subgroup(SubgroupBuiltin, "subgroup_id"),
    "gpu.num_subgroups": _of_subgroup(Builtin, "num_subgroups"),
    "gpu.barrier": _barrier,
    "vector.step": _step,
    "vector.broadcast": _broadcast,
    "memref.alloca": _alloca,
    "memref.dim": _dim,
    "memref.extract_strided_metadata": _strided_metadata,
    **of_statements({"memref.load": _load, "memref.store": _store}),
}
