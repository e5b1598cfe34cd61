"""The document's xegpu on blocks: create_nd_tdesc to update_nd_offset, and dpas."""

from __future__ import annotations

import math
from typing import Any

from ...ir.layouts import TileLayout
from ...ir.types import CoopMatrixType, MemrefType, ScalarType, TileType, UnknownType, index
from ...ir.values import Value
from ...ops import InitTile, LoadTile, PrefetchTile, StoreTile, TileMma, UpdateTileOffset
from ...ops.builder import Builder
from ..composites import parts_of
from . import rules
from .bases import memory_of
from .lanes import lane_number, load_elements, store_elements
from .statement import Statement, of_statements
from .tiles import check_result, has_transpose, placed, result_of, sum_is_first
from .types import LANES, FragmentType, LineType, SpreadType, VectorType, shape_of, shown
from .values import Fragment, Line, Lowered, Results, Spread

HINTS = ("L1_hint", "L2_hint", "L3_hint", "L1", "L2", "L3")
_OF_LOADS = ("uncached", "cached", "streaming", "read_invalidate")
_OF_STORES = ("uncached", "write_through", "write_back", "streaming")
_WORK_ITEMS = TileLayout(lane_layout=(LANES, 1), lane_data=(1, 1))
"""The layout of a product's sum: each work-item has a column."""


def check_hints(st: Statement, stores: bool = False) -> None:
    known = _OF_STORES if stores else _OF_LOADS
    for name in HINTS:
        value = st.attributes.get(name)
        if value == "read_invaldiate":
            st.report(rules.SPELLING, "read_invaldiate is read_invalidate", st.attribute_locations[name])
        elif value is not None and value not in known:
            st.report(rules.HINT, f"{name} is {value}", st.attribute_locations[name], f"it may be {', '.join(known)}")
        if value is not None and name in HINTS[3:]:
            st.report(rules.SPELLING, f"{name} is {name}_hint", st.attribute_locations[name])


def is_vector_mode(st: Statement, *layouts: Any) -> bool:
    """Whether an operation is a sub-group's, by its mode and the sg_maps of its descriptors."""
    mode, has_map = st.attributes.get("mode"), any(not layout.is_empty for layout in layouts)
    if mode not in (None, "vc"):
        st.report(rules.ATTRIBUTE, f"the mode is {mode}", st.attribute_locations["mode"], "write mode = vc")
    if mode == "vc" and has_map:
        st.report(rules.MODE, "the mode is vc, and the descriptor has a sg_map", st.attribute_locations["mode"])
    return mode == "vc" or not has_map


def check_scope(st: Statement, base: Value) -> None:
    scope = st.attributes.get("memory_scope", "global")
    is_local = isinstance(base.type, MemrefType) and base.type.space == "local"
    if scope not in ("global", "slm") or (scope == "slm") != is_local:
        what = shown(base.type) if isinstance(base.type, MemrefType) else "an address"
        message = f"memory_scope is {scope}, and the base is {what}"
        st.report(rules.SCOPE, message, st.attribute_locations.get("memory_scope"))


def create_nd_tdesc(st: Statement) -> Lowered:
    st.allowed("mode", "memory_scope", "boundary_check")
    type_ = result_of(st, (TileType, LineType), "tensor_desc")
    if isinstance(type_, UnknownType) or not st.operands:
        return Results(st.location, [Value(UnknownType())])
    is_vector_mode(st, type_.layout)
    check_scope(st, st.operands[0])
    if isinstance(type_, LineType):
        return _line(st, type_)
    return InitTile(st.location, [type_], **placed(st, type_))


def _line(st: Statement, type_: LineType) -> Lowered:
    if st.attributes.get("boundary_check", True) is not False:
        st.report(rules.LINE, "boundary_check is not false", help="write boundary_check = false")
    for pair in (type_.layout.lane_layout, type_.layout.lane_data):
        if pair is not None and pair[1] != 1:
            st.report(rules.LINE, f"the outer size of the sg_map is {pair[1]}", st.result_location)
    st.check_types(st.operands)
    if len(st.operands) not in (2, 4):
        st.report(rules.DIMENSIONS, f"{len(st.operands) - 1} numbers are given, and the descriptor has 1 dimension")
        return Results(st.location, [Value(UnknownType())])
    memory = memory_of(st, type_.element) if st.is_known() else st.operands[0]
    return Results(st.location, [Line(type_, [st.operands[1]], memory)])


# Loads and stores.


def _vnni(st: Statement, element: ScalarType, shape: tuple[int, int], layout: TileLayout) -> int | None:
    """The axis that is split."""
    if "vnni_axis" not in st.attributes:
        return None
    axis, each = st.attributes["vnni_axis"], 4 // element.size
    location = st.attribute_locations["vnni_axis"]
    if axis not in (0, 1) or each < 2:
        st.report(rules.VNNI, f"vnni_axis is {axis}, of elements of {element.size * 8} bits", location)
        return None
    if shape[axis] % each:
        st.report(rules.VNNI, f"{shape[axis]} elements along the axis are no multiple of {each}", location)
        return None
    is_transposed = st.attributes.get("transpose") == [1, 0]
    if layout.lane_data is not None and layout.lane_data[axis if is_transposed else 1 - axis] % each:
        data = layout.lane_data[axis if is_transposed else 1 - axis]
        st.report(rules.VNNI, f"wi_data is {data} along the axis, and {each} elements fill 32 bits", location)
    return int(axis)


def load_nd(st: Statement) -> Lowered:
    st.allowed("mode", "transpose", "vnni_axis", *HINTS)
    check_hints(st)
    desc = st.operand(0, (TileType, LineType), "tensor_desc")
    st.check_types(st.operands[:1])
    written = result_of(st, (CoopMatrixType, VectorType, ScalarType), "vector")
    if isinstance(desc.type, UnknownType) or isinstance(written, UnknownType):
        return Results(st.location, [Value(UnknownType())])
    is_whole = is_vector_mode(st, desc.type.layout)
    if isinstance(desc, Line):
        return _load_line(st, desc, written)
    type_ = desc.type
    is_transposed = has_transpose(st)
    shape = (type_.rows, type_.columns) if is_transposed else (type_.columns, type_.rows)
    axis = _vnni(st, type_.element, shape, type_.layout)
    matrix = CoopMatrixType(type_.element, shape[1], shape[0], "matrix_acc")
    load = LoadTile(st.location, [matrix], tile=desc, transpose="t" if is_transposed else "n", padding=None)
    expected_shape = whole_shape(shape, axis, type_.element)
    vector_shape = shape_of(written)
    if vector_shape is None or vector_shape[1] != type_.element or not (
        vector_shape[0] == expected_shape if is_whole else math.prod(vector_shape[0]) * LANES == math.prod(shape)
    ):  # fmt: skip
        part = "" if is_whole else f", of which a work-item has {math.prod(shape) // LANES} elements"
        message = (
            f"the block is {'x'.join(map(str, expected_shape))}x{type_.element}{part}, and the vector {shown(written)}"
        )
        st.report(rules.FRAGMENT, message, st.result_location)
        return Results(st.location, [Value(UnknownType())])
    if is_whole and axis is None:
        return load
    st.writer.insert(load)
    layout = None if is_whole else type_.layout
    return Results(st.location, [Fragment(FragmentType(matrix, vector_shape[0], layout, axis), load.results)])


def whole_shape(shape: tuple[int, int], axis: int | None, element: ScalarType) -> tuple[int, ...]:
    """How a block is written that is split along an axis."""
    if axis is None:
        return shape
    each = 4 // element.size
    return (shape[0] // each, shape[1], each) if axis == 0 else (shape[0], shape[1] // each, each)


def _load_line(st: Statement, line: Line, written: Any) -> Lowered:
    count, element = line.type.count, line.type.element
    spellings = {f"vector<{count}x{element}>"} if line.type.layout.is_empty else {f"vector<1x{element}>", str(element)}
    if shown(written) not in spellings or (count > LANES and count % LANES):
        message = f"the descriptor is of {count} elements, and the vector {shown(written)}"
        st.report(rules.FRAGMENT, message, st.result_location)
        return Results(st.location, [Value(UnknownType())])
    to = Builder(st.location)
    elements = load_elements(to, line.base, _along(to, line), count, element, None)
    st.writer.insert_all(to)
    if isinstance(written, ScalarType):
        return Results(st.location, elements)
    return Results(st.location, [Spread(SpreadType(shape_of(written)[0], element), elements)])  # type: ignore[index]


def _along(builder: Builder, line: Line) -> list[Value]:
    """Indices of the elements of a work-item."""
    lane = lane_number(builder)
    first = builder.arith("add", line.parts[0], lane)
    slots = -(-line.type.count // LANES)
    return [builder.arith("add", first, builder.constant(index, LANES * slot)) for slot in range(slots)]


def store_nd(st: Statement) -> Lowered:
    st.allowed("mode", "memory_scope", *HINTS)
    check_hints(st, stores=True)
    if len(st.operands) == 2 and isinstance(st.operands[0].type, (TileType, LineType)):
        st.operands.reverse()
    desc = st.operand(1, (TileType, LineType), "tensor_desc")
    value = st.operand(0, (CoopMatrixType, FragmentType, SpreadType, ScalarType), "vector")
    st.check_types(st.operands)
    if not st.is_known() or isinstance(desc.type, UnknownType) or isinstance(value.type, UnknownType):
        return Results(st.location, [])
    is_vector_mode(st, desc.type.layout)
    if isinstance(desc, Line):
        to = Builder(st.location)
        parts = parts_of(value)
        indices = _along(to, desc)
        if len(parts) != len(indices):
            st.report(
                rules.FRAGMENT, f"the descriptor is of {desc.type.count} elements, and {shown(value.type)} is stored"
            )
            return Results(st.location, [])
        store_elements(to, desc.base, indices, parts, desc.type.count, None)
        st.writer.insert_all(to)
        return Results(st.location, [])
    if isinstance(value, Fragment):
        form = value.type
        if form.layout not in (None, desc.type.layout) or form.vnni_axis is not None:
            st.report(rules.FRAGMENT, "the vector has another layout than the descriptor")
        value = value.parts[0]
    return StoreTile(st.location, A=value, tile=desc)


def prefetch_nd(st: Statement) -> Lowered:
    st.allowed("mode", "memory_scope", *HINTS)
    check_hints(st)
    desc = st.operand(0, (TileType, LineType), "tensor_desc")
    st.check_types(st.operands)
    if isinstance(desc.type, UnknownType):
        return Results(st.location, [])
    is_vector_mode(st, desc.type.layout)
    return Results(st.location, []) if isinstance(desc, Line) else PrefetchTile(st.location, tile=desc)


def update_nd_offset(st: Statement) -> Lowered:
    st.allowed("mode")
    desc = st.operand(0, (TileType, LineType), "tensor_desc")
    if isinstance(desc.type, UnknownType):
        return Results(st.location, [desc])
    is_vector_mode(st, desc.type.layout)
    st.check_types(st.operands)
    check_result(st, desc)
    rank = 1 if isinstance(desc, Line) else 2
    if len(st.operands) != rank + 1:
        message = f"{len(st.operands) - 1} offsets are given, and the descriptor has {rank} dimensions"
        st.report(rules.DIMENSIONS, message)
        return Results(st.location, [Value(UnknownType())])
    if isinstance(desc, Line):
        to = Builder(st.location)
        moved = desc.with_parts([to.arith("add", desc.parts[0], st.operands[1])])
        st.writer.insert_all(to)
        return Results(st.location, [moved])
    return UpdateTileOffset(st.location, [desc.type], tile=desc, dx=st.operands[2], dy=st.operands[1])


# Products.


def dpas(st: Statement) -> Lowered:
    """`%a, %b`, or with a sum in front, as the document's grammar has it; behind them where only that fits."""
    st.allowed("mode")
    is_vector_mode(st)
    st.check_types(st.operands)
    kinds = (CoopMatrixType, FragmentType)
    written = result_of(st, (CoopMatrixType, VectorType), "vector")
    values = [st.operand(number, kinds, "vector") for number in range(len(st.operands))]
    if not st.counted(2, 3) or isinstance(written, UnknownType) or any(isinstance(v.type, UnknownType) for v in values):
        return Results(st.location, [Value(UnknownType())])
    matrices = [value.parts[0] if isinstance(value, Fragment) else value for value in values]
    types = [matrix.type for matrix in matrices]
    shape = shape_of(written)
    assert shape is not None
    sum_ = None
    if len(values) == 3:
        is_first = sum_is_first(types, types[0], strictly=False)
        number = 0 if is_first else 2
        sum_ = matrices.pop(number)
        values.pop(number)
        types.pop(number)
    a, b = types
    if b.component.size < 4:
        form = values[1].type
        if not isinstance(form, FragmentType) or form.vnni_axis != 0:
            st.report(rules.FACTOR, "the second factor is not split along axis 0", help="load it with vnni_axis = 0")
    matrix = CoopMatrixType(shape[1], b.rows, a.columns, "matrix_acc")
    is_part = any(isinstance(value.type, FragmentType) and value.type.layout is not None for value in values)
    expected_shape = (a.columns, b.rows)
    if a.rows != b.columns or not (
        math.prod(shape[0]) * LANES == math.prod(expected_shape) if is_part else shape[0] == expected_shape
    ):
        message = (
            f"{a.columns}x{a.rows} times {b.columns}x{b.rows} is {'x'.join(map(str, expected_shape))}"
            f"{', dealt out over 16 work-items' if is_part else ''}, and the result {shown(written)}"
        )
        st.report(rules.FRAGMENT, message, st.result_location)
        return Results(st.location, [Value(UnknownType())])
    product = TileMma(st.location, [matrix], A=matrices[1], B=matrices[0], C=sum_)
    if not is_part:
        return product
    st.writer.insert(product)
    return Results(st.location, [Fragment(FragmentType(matrix, shape[0], _WORK_ITEMS), product.results)])


HANDLERS = of_statements(
    {
        "xegpu.create_nd_tdesc": create_nd_tdesc,
        "xegpu.load_nd": load_nd,
        "xegpu.store_nd": store_nd,
        "xegpu.prefetch_nd": prefetch_nd,
        "xegpu.update_nd_offset": update_nd_offset,
        "xegpu.dpas": dpas,
    }
)
