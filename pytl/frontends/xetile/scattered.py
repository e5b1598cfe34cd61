"""The document's xegpu on scattered elements: create_tdesc to atomic_rmw. A sub-group's vector is spread over it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...ir.types import BoolType, ScalarType, UnknownType, i64, index
from ...ir.values import Value
from ...ops import ArithBinary, AtomicAdd, AtomicMax, AtomicMin, AtomicUpdate
from ...ops.builder import Builder
from ..composites import parts_of
from . import rules
from .bases import memory_of
from .blocks import HINTS, check_hints, check_scope, is_vector_mode
from .lanes import load_elements, spread_constant, store_elements, update_elements
from .statement import Statement, of_statements
from .tiles import check_result, has_transpose, result_of
from .types import LANES, CoopMatrixType, ScatteredType, SpreadType, VectorType, shape_of, shown
from .values import Lowered, Results, Scattered, Spread

_UPDATES: dict[str, tuple[type[AtomicUpdate], bool]] = {
    "addf": (AtomicAdd, True),
    "addi": (AtomicAdd, False),
    "minf": (AtomicMin, True),
    "minnumf": (AtomicMin, True),
    "mins": (AtomicMin, False),
    "maxf": (AtomicMax, True),
    "maxnumf": (AtomicMax, True),
    "maxs": (AtomicMax, False),
}
"""The kinds of updates, and whether they are of floating-point numbers."""


def create_tdesc(st: Statement) -> Lowered:
    st.allowed("mode", "memory_scope", "chunk_size_per_lane")
    type_ = result_of(st, ScatteredType, "scattered tensor_desc")
    if isinstance(type_, UnknownType) or not st.counted(2):
        return Results(st.location, [Value(UnknownType())])
    is_whole = is_vector_mode(st, type_.layout)
    check_scope(st, st.operands[0])
    chunk = st.attributes.get("chunk_size_per_lane", 1)
    if chunk != type_.chunk:
        message = f"chunk_size_per_lane is {chunk}, and the descriptor has {type_.chunk} elements a work-item"
        st.report(rules.CHUNK, message, st.attribute_locations.get("chunk_size_per_lane"))
    elif chunk != 1 and not is_whole:
        st.report(
            rules.CHUNK, "the mode is not vc", st.attribute_locations.get("chunk_size_per_lane"), "write mode = vc"
        )
    offsets = _offsets(st)
    st.check_types(st.operands)
    lanes = offset_count(offsets)
    if not st.is_known() or isinstance(offsets.type, UnknownType):
        return Results(st.location, [Value(UnknownType())])
    if lanes != (type_.lanes if is_whole else 1) or (not is_whole and type_.lanes != LANES):
        st.report(rules.LANES, f"the descriptor is of {type_.lanes} work-items, and has {lanes} offsets")
        return Results(st.location, [Value(UnknownType())])
    memory = memory_of(st, type_.element)
    to = Builder(st.location)
    indices = [_as_index(to, each, st.type_texts[1:2]) for each in parts_of(offsets)]
    st.writer.insert_all(to)
    return Results(st.location, [Scattered(type_, indices, memory)])


def _offsets(st: Statement) -> Value:
    """The offsets, which are integers; of an unknown type where they are missing or wrong."""
    offsets = st.operand(1, (SpreadType, ScalarType), "vector of offsets")
    element = _element(offsets)
    if isinstance(element, UnknownType) or (isinstance(element, ScalarType) and element.is_integer):
        return offsets
    st.report(rules.ANNOTATED, f"the offsets are {shown(offsets.type)}, but must be integers")
    return Value(UnknownType())


def offset_count(value: Value) -> int:
    """How many elements a vector has; 1 for a number."""
    shape = shape_of(value.type)
    return shape[0][0] if shape else 1


def _as_index(builder: Builder, value: Value, written: list[str]) -> Value:
    """An offset as an index; of an unsigned type by the number that its bits are."""
    if value.type == index:
        return value
    bits = value.type.bits
    if not any("uint" in text.lower() for text in written) or bits == 64:
        return builder.cast(value, index)
    wide = builder.cast(value, i64)
    mask = builder.constant(i64, 2**bits - 1)
    return builder.cast(
        builder.add(ArithBinary(builder.location, [i64], variant="and", a=wide, b=mask)).results[0], index
    )


def _access(st: Statement) -> tuple[Scattered, Sequence[Value]] | None:
    """The descriptor of a statement and its mask; None where they are wrong, which was reported."""
    desc = next((value for value in st.operands if isinstance(value, Scattered)), None)
    masks = [v for v in st.operands if isinstance(_element(v), BoolType)]
    if not st.is_known():
        return None
    if desc is None:
        st.report(rules.ANNOTATED, "no operand is a scattered tensor_desc")
        return None
    is_whole = is_vector_mode(st, desc.type.layout)
    if not masks or offset_count(masks[0]) != (desc.type.lanes if is_whole else 1):
        what = f"the mask is {shown(masks[0].type)}" if masks else "there is no mask"
        st.report(rules.MASK, f"{what}, and the descriptor is of {desc.type.lanes} work-items")
        return None
    if desc.type.chunk > 1 and st.attributes.get("mode") != "vc":
        st.report(rules.CHUNK, "the mode is not vc", help="write mode = vc")
        return None
    st.check_types(st.operands)
    return desc, parts_of(masks[0])


def _element(value: Value) -> Any:
    shape = shape_of(value.type)
    return shape[1] if shape else value.type


def _expected_type(desc: Scattered, is_transposed: bool) -> str:
    """How a vector is written that a descriptor's elements are."""
    lanes, chunk, element = desc.type.lanes, desc.type.chunk, desc.type.element
    if not desc.type.layout.is_empty:
        return str(element)
    if chunk == 1:
        return f"vector<{lanes}x{element}>"
    return f"vector<{chunk}x{lanes}x{element}>" if is_transposed else f"vector<{lanes}x{chunk}x{element}>"


def load_gather(st: Statement) -> Lowered:
    st.allowed("mode", "transpose", *HINTS)
    check_hints(st)
    written = result_of(st, (VectorType, CoopMatrixType, ScalarType), "vector")
    access = _access(st)
    if access is None or isinstance(written, UnknownType):
        return Results(st.location, [Value(UnknownType())])
    desc, masks = access
    expected = _expected_type(desc, has_transpose(st))
    if shown(written) != expected:
        st.report(rules.FRAGMENT, f"{expected} is loaded, and the vector is {shown(written)}", st.result_location)
        return Results(st.location, [Value(UnknownType())])
    to = Builder(st.location)
    values = load_elements(to, desc.base, desc.parts, _count(desc), desc.type.element, masks, desc.type.chunk)
    st.writer.insert_all(to)
    shape = shape_of(written)
    if shape is None:
        return Results(st.location, values)
    return Results(st.location, [Spread(SpreadType(shape[0], shape[1], desc.type.chunk), values)])


def _count(desc: Scattered) -> int:
    return desc.type.lanes if desc.type.layout.is_empty else LANES


def store_scatter(st: Statement) -> Lowered:
    st.allowed("mode", "memory_scope", *HINTS)
    check_hints(st, stores=True)
    access = _written(st, "stored")
    if access is not None:
        desc, masks, values = access
        to = Builder(st.location)
        store_elements(to, desc.base, desc.parts, values, _count(desc), masks, desc.type.chunk)
        st.writer.insert_all(to)
    return Results(st.location, [])


def _written(st: Statement, what: str) -> tuple[Scattered, Sequence[Value], Sequence[Value]] | None:
    """The descriptor, the mask and what each work-item has of the first operand, which goes to memory.

    None where they are wrong, which is reported.
    """
    access = _access(st)
    if access is None:
        return None
    (desc, masks), value = access, st.operands[0]
    if shown(value.type) not in (_expected_type(desc, False), _expected_type(desc, True)):
        st.report(rules.FRAGMENT, f"{_expected_type(desc, False)} is {what}, and the vector is {shown(value.type)}")
        return None
    if isinstance(value.type, CoopMatrixType):
        to, shape = Builder(st.location), (value.type.rows, value.type.columns)
        type_ = SpreadType(shape, value.type.component, desc.type.chunk)
        value = spread_constant(to, value, type_, len(desc.parts) * desc.type.chunk)
        st.writer.insert_all(to)
    if not isinstance(value, Spread) and desc.type.layout.is_empty:
        st.report(rules.FRAGMENT, f"a tile is {what}, and the work-items have none of its elements",
                  help="load the vector with load_gather, or store the tile with store_nd")  # fmt: skip
        return None
    return desc, masks, parts_of(value)


def prefetch(st: Statement) -> Lowered:
    """It computes nothing, and the language has no prefetch of elements."""
    st.allowed("mode", *HINTS)
    check_hints(st)
    desc = st.operand(0, ScatteredType, "scattered tensor_desc")
    st.check_types(st.operands)
    if isinstance(desc, Scattered):
        is_vector_mode(st, desc.type.layout)
    return Results(st.location, [])


def update_offset(st: Statement) -> Lowered:
    st.allowed("mode")
    desc = st.operand(0, ScatteredType, "scattered tensor_desc")
    delta = _offsets(st)
    if not isinstance(desc, Scattered) or isinstance(delta.type, UnknownType):
        return Results(st.location, [Value(UnknownType())])
    is_vector_mode(st, desc.type.layout)
    st.check_types(st.operands)
    check_result(st, desc)
    deltas = parts_of(delta)
    if len(deltas) != len(desc.parts):
        st.report(
            rules.LANES, f"the descriptor is of {desc.type.lanes} work-items, and has {offset_count(delta)} offsets"
        )
        return Results(st.location, [Value(UnknownType())])
    to = Builder(st.location)
    moved = [to.arith("add", a, _as_index(to, b, st.type_texts[1:2])) for a, b in zip(desc.parts, deltas)]
    st.writer.insert_all(to)
    return Results(st.location, [desc.with_parts(moved)])


def atomic_rmw(st: Statement) -> Lowered:
    st.allowed("mode")
    unknown = Results(st.location, [Value(UnknownType())], may_be_unnamed=True)
    update, is_of_floats = _UPDATES.get(st.word or "", (None, False))
    element = _element(st.operands[0]) if st.operands else None
    if update is None:
        st.report(rules.ATOMIC, f"the update is {st.word}", help=f"the updates are {', '.join(_UPDATES)}")
    elif isinstance(element, ScalarType) and element.is_floating != is_of_floats:
        named = ", ".join(word for word, (_, floats) in _UPDATES.items() if floats == element.is_floating)
        st.report(rules.ATOMIC, f"{st.word} is of {element}", help=f"those of {element} are {named}")
        update = None
    access = _written(st, "combined")
    if access is None or update is None:
        return unknown
    desc, masks, values = access
    check_result(st, st.operands[0])
    to = Builder(st.location)
    before = update_elements(to, desc.base, desc.parts, values, _count(desc), masks, desc.type.chunk, update)
    st.writer.insert_all(to)
    shape = shape_of(st.operands[0].type)
    results = before if shape is None else [Spread(SpreadType(*shape, desc.type.chunk), before)]
    return Results(st.location, results, may_be_unnamed=True)


HANDLERS = of_statements(
    {
        "xegpu.create_tdesc": create_tdesc,
        "xegpu.load_gather": load_gather,
        "xegpu.store_scatter": store_scatter,
        "xegpu.prefetch": prefetch,
        "xegpu.update_offset": update_offset,
        "xegpu.atomic_rmw": atomic_rmw,
    }
)
