"""What stands around the document's operations: arith, math, gpu, memref and vector."""

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
from .values import Compound, Fragment, Given, Read, Spread, mapped
from .writer import Handler, Writer

_COMPARISONS = {**OF_INTEGERS, **OF_FLOATS}


def _of_type(to: Writer, op: Operation, type_: Any, kind: Any, what: str) -> Any:
    """A type that is written, which is of a kind."""
    if not isinstance(type_, kind):
        found = shown(type_)
        to.fail(rules.ANNOTATED, f"expected the type of a {what}, but found {found}", op.location)
    return type_


def spread_like(type_: VectorType, values: Sequence[Value]) -> Spread:
    return Spread(SpreadType(type_.shape, type_.element), values)


# arith and math.


def _constant(to: Writer, op: Operation) -> Read:
    literal, type_, place = op.attributes["value"], op.result_types[0], op.location
    if isinstance(literal, bool) and str(type_) == "i1":
        return Constant(place, [bool_], literal=literal)
    if not isinstance(literal, Dense):
        type_ = _of_type(to, op, type_, (ScalarType, BoolType), "number")
        return Constant(place, [type_], literal=literal)
    type_, literal = _of_type(to, op, type_, (CoopMatrixType, VectorType), "vector"), literal.values
    if not isinstance(literal, (bool, int, float)):
        to.fail(rules.TYPE, "the elements of a constant vector are one number", place)
    if isinstance(type_, VectorType):
        if len(type_.shape) != 1:
            to.fail(rules.TYPE, "a constant vector has one or two sizes", place)
        slots = -(-type_.shape[0] // LANES)
        values = [to.made(Constant(place, [type_.element], literal=literal)) for _ in range(slots)]
        return Given(place, [spread_like(type_, values)])
    if to.is_simt and type_.rows == 1:
        # a work-item's column of 16
        matrix = CoopMatrixType(type_.component, LANES, type_.columns, "matrix_acc")
        layout = TileLayout(lane_layout=(LANES, 1), lane_data=(1, 1))
        form = FragmentType(matrix, (type_.columns, 1), layout)
        return Given(place, [Fragment(form, [to.made(Constant(place, [matrix], literal=literal))])])
    return Constant(place, [type_], literal=literal)


def _spread_as(to: Writer, op: Operation, value: Value, other: Value) -> Value:
    """A constant matrix as elements of the work-items, where those of another vector are; else the value."""
    if not isinstance(other, Spread):
        return value
    at = Builder(op.location)
    found = spread_constant(at, value, other.type, len(other.parts))
    to.insert_all(at)
    return found


def _same_form(to: Writer, op: Operation, a: Value, b: Value) -> bool:
    """Whether two vectors have the same elements in the same places."""
    first, second = ((getattr(v.type, "matrix", None), getattr(v.type, "layout", None),
                      getattr(v.type, "vnni_axis", None)) for v in (a, b))  # fmt: skip
    if isinstance(a, Compound) == isinstance(b, Compound) and first == second:
        return True
    to.diagnostics.report(rules.ANNOTATED, "the vectors have different layouts", op.location)
    return False


def _binary(to: Writer, op: Operation) -> Read:
    a, b = to.operands(op)

    def one(x: Value, y: Value) -> ArithBinary:
        return ArithBinary(op.location, [x.type], variant=BINARY[op.name], a=x, b=y)

    if not isinstance(a, Compound) and not isinstance(b, Compound):
        return one(a, b)
    a, b = (_spread_as(to, op, value, other) for value, other in ((a, b), (b, a)))
    if not _same_form(to, op, a, b):
        return Given(op.location, [a])
    return Given(op.location, [mapped(lambda x, y: to.made(one(x, y)), None, a, b)])


def _unary(to: Writer, op: Operation) -> Read:
    (a,) = to.operands(op)

    def one(x: Value) -> ArithUnary | Math:
        if op.name in UNARY:
            return ArithUnary(op.location, [x.type], variant=UNARY[op.name], a=x)
        return Math(op.location, [x.type], variant=op.name.partition(".")[2], a=x)

    if not isinstance(a, Compound):
        return one(a)
    return Given(op.location, [mapped(lambda x: to.made(one(x)), None, a)])


def _cast(to: Writer, op: Operation) -> Read:
    (value,), place = to.operands(op), op.location
    type_ = _of_type(to, op, op.result_types[0], (ScalarType, CoopMatrixType, VectorType), "number")
    if not isinstance(value, Compound):
        return Cast(place, [type_], operand=value)
    before, after = shape_of(value.type), shape_of(type_)
    if before is None or after is None or before[0] != after[0]:
        message = f"the vector is {shown(value.type)}, and {shown(type_)} has another shape"
        to.diagnostics.report(rules.ANNOTATED, message, place)
        return Given(place, [value])
    result: Any
    if isinstance(value, Fragment):
        form = value.type
        matrix = CoopMatrixType(after[1], form.matrix.rows, form.matrix.columns, "matrix_acc")
        result = FragmentType(matrix, form.shape, form.layout, form.vnni_axis)
        return Given(place, [mapped(lambda x: to.made(Cast(place, [matrix], operand=x)), result, value)])
    result = SpreadType(after[0], after[1])
    return Given(place, [mapped(lambda x: to.made(Cast(place, [after[1]], operand=x)), result, value)])


def _compare(to: Writer, op: Operation) -> Read:
    a, b = to.operands(op)
    word = op.attributes["predicate"]
    if word not in _COMPARISONS:
        to.fail(rules.OPERATION, f"there is no comparison {word}", op.location, f"there are {', '.join(_COMPARISONS)}")

    def one(x: Value, y: Value) -> Compare:
        return Compare(op.location, [bool_], variant=_COMPARISONS[word], a=x, b=y)

    if not isinstance(a, Compound) and not isinstance(b, Compound):
        return one(a, b)
    if not isinstance(a, Spread) or not _same_form(to, op, a, b):
        to.fail(rules.ANNOTATED, "vectors of work-items are compared", op.location)
    type_ = SpreadType(a.type.shape, bool_)
    return Given(op.location, [mapped(lambda x, y: to.made(one(x, y)), type_, a, b)])


def _select(to: Writer, op: Operation) -> Read:
    condition, a, b = to.values(op)
    written = op.result_types[0]
    if not all(to.fits(value, written) for value in (a, b)):
        to.fail(rules.ANNOTATED, f"the values are not {shown(written)}", op.location)

    def one(condition: Value, a: Value, b: Value) -> Value:
        at = Builder(op.location)
        found = at.branch(condition, [a.type], lambda _: [a], lambda _: [b])
        to.insert_all(at)
        return found[0]

    if isinstance(condition, Compound) and not isinstance(a, Spread):
        to.fail(rules.ANNOTATED, "a mask chooses between vectors of work-items", op.location)
    return Given(op.location, [mapped(one, a.type if isinstance(a, Compound) else None, condition, a, b)])


# gpu and vector.


def _builtin(variant: str) -> Handler:
    def write(to: Writer, op: Operation) -> Read:
        if op.attributes["dimension"] != "x":
            message = f"a launch has the dimension x alone, and not {op.attributes['dimension']}"
            to.fail(SYNTAX, message, op.location)
        return Builtin(op.location, [index], variant=variant)

    return write


def _of_subgroup(of: Any, variant: str) -> Handler:
    def write(to: Writer, op: Operation) -> Read:
        return Cast(op.location, [index], operand=to.made(of(op.location, [i32], variant=variant)))

    return write


def _barrier(to: Writer, op: Operation) -> Read:
    return Barrier(op.location, global_fence=True, local_fence=True)


def _step(to: Writer, op: Operation) -> Read:
    type_ = _of_type(to, op, op.result_types[0], VectorType, "vector of one size")
    if type_.element != index or len(type_.shape) != 1:
        to.fail(rules.ANNOTATED, f"vector.step gives indices of one size, and not {shown(type_)}", op.location)
    at = Builder(op.location)
    lane = lane_number(at)
    slots = range(-(-type_.shape[0] // LANES))
    values = [at.arith("add", lane, at.constant(index, LANES * slot)) for slot in slots]
    to.insert_all(at)
    return Given(op.location, [spread_like(type_, values)])


def _broadcast(to: Writer, op: Operation) -> Read:
    (value,) = to.operands(op)
    type_ = _of_type(to, op, op.result_types[0], VectorType, "vector of one size")
    if type_.element != value.type or len(type_.shape) != 1:
        to.fail(rules.ANNOTATED, f"{shown(value.type)} is no element of {shown(type_)}", op.location)
    return Given(op.location, [spread_like(type_, [value] * -(-type_.shape[0] // LANES))])


# memref.


def _alloca(to: Writer, op: Operation) -> Read:
    if op.operands:
        to.fail(rules.ANNOTATED, "local memory has a size that is known", op.location)
    made = Alloca(op.location, [_of_type(to, op, op.result_types[0], MemrefType, "memref")], attributes={})
    to.allocated.append(made)
    return Given(op.location, made.results)


def _strided_metadata(to: Writer, op: Operation) -> Read:
    """`%base, %offset, %sizes:2, %strides:2 = memref.extract_strided_metadata %A : … -> …`."""
    (value,), place = to.operands(op), op.location
    type_ = value.type
    if not isinstance(type_, MemrefType) or type_.order != 2 or not type_.is_packed:
        to.fail(rules.BASE, "the sizes of a matrix are read whose rows lie one behind the other", place)
    at = Builder(place)
    rows, columns = at.size(value, 1), at.size(value, 0)
    one = at.constant(index, 1)
    to.insert_all(at)
    offset = to.made(Constant(place, [index], literal=0))
    pitch = to.made(Cast(place, [index], operand=columns))
    for number, (kind, mode) in ((rows, ("size", 1)), (columns, ("size", 0)), (pitch, ("stride", 1))):
        to.extents[number] = (value, kind, mode)
    to.extents[one] = (value, "stride", 0)
    return Given(place, [value, offset, rows, columns, pitch, one])


def _dim(to: Writer, op: Operation) -> Read:
    value, number = to.operands(op)
    mode = constant_of(number)
    if not isinstance(value.type, MemrefType) or not isinstance(mode, int) or not 0 <= mode < value.type.order:
        to.fail(rules.ANNOTATED, "the size is one of a memref, of a mode that is a constant", op.location)
    made = Size(op.location, [index], tensor=value, mode=value.type.order - 1 - mode)
    to.extents[made.results[0]] = (value, "size", value.type.order - 1 - mode)
    return made


def _load(st: Statement) -> Read:
    memory = st.operand(0, MemrefType, "memref")
    st.check_types(st.operands[:1])
    element = getattr(memory.type, "element", memory.type)
    return Load(st.location, [element], tensor=memory, indices=st.operands[:0:-1])


def _store(st: Statement) -> Read:
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
