"""What stands around the document's operations: arith, math, gpu, memref and vector."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any

from ...ir.text.literals import read_literal
from ...ir.types import BoolType, CoopMatrixType, MemrefType, ScalarType, bool_, i32, index
from ...ir.values import Value
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
from .lanes import lane_number, spread_constant
from .reader import XeTileReader
from .statement import read_statement
from .types import LANES, FragmentType, SpreadType, TileLayout, VectorType, shape_of, shown
from .values import Compound, Fragment, Given, Read, Spread, mapped

_UNARY: dict[str, tuple[Any, str]] = {
    **{name: (ArithUnary, variant) for name, variant in UNARY.items()},
    "math.exp": (Math, "exp"),
}
_OF_NO_MODE = re.compile(r"memref\s*<\s*[a-z0-9]+\s*>")
_CASTS = ("extf", "truncf", "extsi", "trunci", "sitofp", "fptosi", "index_cast")
_COMPARISONS = {**OF_INTEGERS, **OF_FLOATS}


def _of_type(reader: XeTileReader, kind: Any, what: str) -> Any:
    """The type that is written next."""
    start = reader.scanner.skip_blanks()
    type_ = reader.type()
    if not isinstance(type_, kind):
        reader.scanner.position = start
        reader.fail(f"expected the type of a {what}, but found {shown(type_)}", rules.ANNOTATED)
    return type_


def _made(reader: XeTileReader, op: Any) -> Value:
    """The value of an instruction that is put in front."""
    reader.insert(op)
    return op.results[0]


def spread_like(type_: VectorType, values: Sequence[Value]) -> Spread:
    return Spread(SpreadType(type_.shape, type_.element), values)


# arith and math.


def _constant(reader: XeTileReader, start: int) -> Read:
    is_dense = reader.accept("dense")
    if is_dense:
        reader.expect("<")
    literal = read_literal(reader)
    if is_dense:
        reader.expect(">")
    place = reader.scanner.place(start)
    if isinstance(literal, bool) and not is_dense and not reader.at(":"):
        return Constant(place, [bool_], literal=literal)
    reader.expect(":")
    if not is_dense:
        return Constant(place, [_of_type(reader, (ScalarType, BoolType), "number")], literal=literal)
    type_ = _of_type(reader, (CoopMatrixType, VectorType), "vector")
    if isinstance(type_, VectorType):
        if len(type_.shape) != 1:
            reader.fail("a constant vector has one or two sizes", rules.TYPE)
        slots = -(-type_.shape[0] // LANES)
        values = [_made(reader, Constant(place, [type_.element], literal=literal)) for _ in range(slots)]
        return Given(place, [spread_like(type_, values)])
    if reader.is_simt and type_.rows == 1:
        # a work-item's column of 16
        matrix = CoopMatrixType(type_.component, LANES, type_.columns, "matrix_acc")
        layout = TileLayout(lane_layout=(LANES, 1), lane_data=(1, 1))
        form = FragmentType(matrix, (type_.columns, 1), layout)
        return Given(place, [Fragment(form, [_made(reader, Constant(place, [matrix], literal=literal))])])
    return Constant(place, [type_], literal=literal)


def _spread_as(reader: XeTileReader, value: Value, other: Value) -> Value:
    """A constant matrix as elements of the work-items, where those of another vector are; else the value."""
    if not isinstance(other, Spread):
        return value
    to = Builder(reader.scanner.place(reader.scanner.last_end - 1))
    found = spread_constant(to, value, other.type, len(other.parts))
    reader.insert_all(to)
    return found


def _same_form(reader: XeTileReader, a: Value, b: Value) -> bool:
    """Whether two vectors have the same elements in the same places."""
    first, second = ((getattr(v.type, "matrix", None), getattr(v.type, "layout", None),
                      getattr(v.type, "vnni_axis", None)) for v in (a, b))  # fmt: skip
    if isinstance(a, Compound) == isinstance(b, Compound) and first == second:
        return True
    reader.diagnostics.report(rules.ANNOTATED, "the vectors have different layouts", reader.scanner.place(
        reader.scanner.last_end - 1))  # fmt: skip
    return False


def _binary(variant: str) -> Callable[[XeTileReader, int], Read]:
    def read(reader: XeTileReader, start: int) -> Read:
        a = reader.value()
        reader.expect(",")
        b = reader.value()
        place = reader.scanner.place(start)
        reader.expect(":")
        at = reader.scanner.position
        reader.named(a)
        reader.scanner.position = at
        reader.named(b)

        def one(x: Value, y: Value) -> ArithBinary:
            return ArithBinary(place, [x.type], variant=variant, a=x, b=y)

        if not isinstance(a, Compound) and not isinstance(b, Compound):
            return one(a, b)
        a, b = (_spread_as(reader, value, other) for value, other in ((a, b), (b, a)))
        if not _same_form(reader, a, b):
            return Given(place, [a])
        return Given(place, [mapped(lambda x, y: _made(reader, one(x, y)), None, a, b)])

    return read


def _unary(of: Any, variant: str) -> Callable[[XeTileReader, int], Read]:
    def read(reader: XeTileReader, start: int) -> Read:
        a = reader.value()
        place = reader.scanner.place(start)
        reader.expect(":")
        reader.named(a)
        if not isinstance(a, Compound):
            return of(place, [a.type], variant=variant, a=a)
        return Given(place, [mapped(lambda x: _made(reader, of(place, [x.type], variant=variant, a=x)), None, a)])

    return read


def _cast(reader: XeTileReader, start: int) -> Read:
    value = reader.value()
    place = reader.scanner.place(start)
    reader.expect(":")
    reader.named(value)
    reader.expect("to")
    at = reader.scanner.skip_blanks()
    type_ = _of_type(reader, (ScalarType, CoopMatrixType, VectorType), "number")
    if not isinstance(value, Compound):
        return Cast(place, [type_], operand=value)
    before, after = shape_of(value.type), shape_of(type_)
    if before is None or after is None or before[0] != after[0]:
        message = f"the vector is {shown(value.type)}, and {shown(type_)} has another shape"
        reader.diagnostics.report(rules.ANNOTATED, message, reader.scanner.place(at))
        return Given(place, [value])
    result: Any
    if isinstance(value, Fragment):
        form = value.type
        matrix = CoopMatrixType(after[1], form.matrix.rows, form.matrix.columns, "matrix_acc")
        result = FragmentType(matrix, form.shape, form.layout, form.vnni_axis)
        return Given(place, [mapped(lambda x: _made(reader, Cast(place, [matrix], operand=x)), result, value)])
    result = SpreadType(after[0], after[1])
    return Given(place, [mapped(lambda x: _made(reader, Cast(place, [after[1]], operand=x)), result, value)])


def _compare(reader: XeTileReader, start: int) -> Read:
    at = reader.scanner.skip_blanks()
    word = reader.scanner.word()
    if word not in _COMPARISONS:
        reader.scanner.position = at
        reader.fail(f"expected {', '.join(_COMPARISONS)}, but found {reader.scanner.next_text()}")
    reader.expect(",")
    a = reader.value()
    reader.expect(",")
    b = reader.value()
    place = reader.scanner.place(start)
    reader.expect(":")
    reader.named(a)

    def one(x: Value, y: Value) -> Compare:
        return Compare(place, [bool_], variant=_COMPARISONS[word], a=x, b=y)

    if not isinstance(a, Compound) and not isinstance(b, Compound):
        return one(a, b)
    if not isinstance(a, Spread) or not _same_form(reader, a, b):
        reader.fail("vectors of work-items are compared", rules.ANNOTATED)
    type_ = SpreadType(a.type.shape, bool_)
    return Given(place, [mapped(lambda x, y: _made(reader, one(x, y)), type_, a, b)])


def _select(reader: XeTileReader, start: int) -> Read:
    values = reader.values(":")
    place = reader.scanner.place(start)
    if len(values) != 3:
        reader.fail(f"a condition and two values are wanted, and {len(values)} are given", rules.ANNOTATED)
    reader.expect(":")
    first = reader.type()
    if reader.accept(","):
        first = reader.type()
    if not all(reader.fits(value, first) for value in values[1:]):
        reader.fail(f"the values are not {shown(first)}", rules.ANNOTATED)

    def one(condition: Value, a: Value, b: Value) -> Value:
        to = Builder(place)
        found = to.branch(condition, [a.type], lambda _: [a], lambda _: [b])
        reader.insert_all(to)
        return found[0]

    condition, a, b = values
    if isinstance(condition, Compound) and not isinstance(a, Spread):
        reader.fail("a mask chooses between vectors of work-items", rules.ANNOTATED)
    return Given(place, [mapped(one, a.type if isinstance(a, Compound) else None, condition, a, b)])


# gpu and vector.


def _builtin(variant: str) -> Callable[[XeTileReader, int], Read]:
    def read(reader: XeTileReader, start: int) -> Read:
        if not reader.accept("x"):
            reader.fail(f"a launch has the dimension x alone, and not {reader.scanner.next_text()}")
        return Builtin(reader.scanner.place(start), [index], variant=variant)

    return read


def _of_subgroup(of: Any, variant: str) -> Callable[[XeTileReader, int], Read]:
    def read(reader: XeTileReader, start: int) -> Read:
        place = reader.scanner.place(start)
        if reader.accept(":"):
            _of_type(reader, ScalarType, "number")
        return Cast(place, [index], operand=_made(reader, of(place, [i32], variant=variant)))

    return read


def _barrier(reader: XeTileReader, start: int) -> Read:
    return Barrier(reader.scanner.place(start), global_fence=True, local_fence=True)


def _step(reader: XeTileReader, start: int) -> Read:
    place = reader.scanner.place(start)
    reader.expect(":")
    type_ = _of_type(reader, VectorType, "vector of one size")
    if type_.element != index or len(type_.shape) != 1:
        reader.fail(f"vector.step gives indices of one size, and not {shown(type_)}", rules.ANNOTATED)
    to = Builder(place)
    lane = lane_number(to)
    slots = range(-(-type_.shape[0] // LANES))
    values = [to.arith("add", lane, to.constant(index, LANES * slot)) for slot in slots]
    reader.insert_all(to)
    return Given(place, [spread_like(type_, values)])


def _broadcast(reader: XeTileReader, start: int) -> Read:
    value = reader.value()
    place = reader.scanner.place(start)
    reader.expect(":")
    reader.named(value)
    reader.expect("to")
    type_ = _of_type(reader, VectorType, "vector of one size")
    if type_.element != value.type or len(type_.shape) != 1:
        reader.fail(f"{shown(value.type)} is no element of {shown(type_)}", rules.ANNOTATED)
    return Given(place, [spread_like(type_, [value] * -(-type_.shape[0] // LANES))])


# memref.


def _alloca(reader: XeTileReader, start: int) -> Read:
    reader.expect("(")
    reader.expect(")")
    place = reader.scanner.place(start)
    reader.expect(":")
    op = Alloca(place, [_of_type(reader, MemrefType, "memref")], attributes={})
    reader.allocated.append(op)
    return Given(place, op.results)


def _strided_metadata(reader: XeTileReader, start: int) -> Read:
    """`%base, %offset, %sizes:2, %strides:2 = memref.extract_strided_metadata %A : … -> …`."""
    value = reader.value()
    place = reader.scanner.place(start)
    reader.expect(":")
    reader.named(value)
    type_ = value.type
    if not isinstance(type_, MemrefType) or type_.order != 2 or not type_.is_packed:
        reader.fail("the sizes of a matrix are read whose rows lie one behind the other", rules.BASE)
    reader.expect("->")
    if reader.scanner.match(_OF_NO_MODE):
        reader.expect(",")
    reader.comma_separated(reader.type, closing="\n")
    to = Builder(place)
    rows, columns = to.size(value, 1), to.size(value, 0)
    one = to.constant(index, 1)
    reader.insert_all(to)
    offset = _made(reader, Constant(place, [index], literal=0))
    pitch = _made(reader, Cast(place, [index], operand=columns))
    for number, (kind, mode) in ((rows, ("size", 1)), (columns, ("size", 0)), (pitch, ("stride", 1))):
        reader.extents[number] = (value, kind, mode)
    reader.extents[one] = (value, "stride", 0)
    return Given(place, [value, offset, rows, columns, pitch, one])


def _dim(reader: XeTileReader, start: int) -> Read:
    value = reader.value()
    reader.expect(",")
    mode = constant_of(reader.value())
    place = reader.scanner.place(start)
    reader.expect(":")
    reader.named(value)
    if not isinstance(value.type, MemrefType) or not isinstance(mode, int) or not 0 <= mode < value.type.order:
        reader.fail("the size is one of a memref, of a mode that is a constant", rules.ANNOTATED)
    op = Size(place, [index], tensor=value, mode=value.type.order - 1 - mode)
    reader.extents[op.results[0]] = (value, "size", value.type.order - 1 - mode)
    return op


def _load(reader: XeTileReader, start: int) -> Read:
    st = read_statement(reader, start)
    memory = st.operand(0, MemrefType, "memref")
    st.check_types(st.operands[:1])
    element = getattr(memory.type, "element", memory.type)
    return Load(st.place, [element], tensor=memory, indices=st.operands[:0:-1])


def _store(reader: XeTileReader, start: int) -> Read:
    st = read_statement(reader, start)
    memory = st.operand(1, MemrefType, "memref")
    st.check_types(st.operands[1:2])
    data = st.operand(0, ScalarType, "number")
    return Store(st.place, flag="", data=data, tensor=memory, indices=st.operands[:1:-1])


READERS: dict[str, Callable[[Any, int], Read]] = {
    "arith.constant": _constant,
    **{name: _binary(variant) for name, variant in BINARY.items()},
    **{name: _unary(of, variant) for name, (of, variant) in _UNARY.items()},
    **{f"arith.{name}": _cast for name in _CASTS},
    "arith.cmpi": _compare,
    "arith.cmpf": _compare,
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
    "memref.load": _load,
    "memref.store": _store,
}
