"""The document's operations on tiles: the dialect xetile."""

from __future__ import annotations

from typing import Any

from ...ir.types import CoopMatrixType, MemrefType, ScalarType, TileType, UnknownType
from ...ir.values import Value
from ...ops import Constant, InitTile, LoadTile, PrefetchTile, StoreTile, TileMma, UpdateTileOffset
from . import rules
from .bases import base_matrix
from .statement import Statement, of_statements
from .types import shown
from .values import Lowered


def result_of(st: Statement, kind: Any, what: str) -> Any:
    """The type of the result, which is of a kind of types."""
    if not isinstance(st.result, kind):
        message = f"expected the type of a {what}, but found {shown(st.result)}"
        st.report(rules.ANNOTATED, message, st.result_location)
        return UnknownType()
    return st.result


def has_transpose(st: Statement) -> bool:
    """Whether the statement transposes."""
    order = st.attributes.get("transpose", [0, 1])
    if order not in ([0, 1], [1, 0]):
        st.report(rules.TURNED, f"transpose is {order}", st.attribute_locations["transpose"])
    return bool(order == [1, 0])


def init_tile(st: Statement) -> Lowered:
    st.allowed()
    tile = result_of(st, TileType, "tile")
    return InitTile(st.location, [tile], **placed(st, tile))


def placed(st: Statement, tile: Any) -> dict[str, Any]:
    """The base matrix of a statement, and where a tile begins in it: row and column, shape and strides if given."""
    base, *numbers = st.operands or [Value(UnknownType())]
    if not isinstance(base.type, (MemrefType, ScalarType, UnknownType)):
        st.report(rules.ANNOTATED, f"the base matrix is {shown(base.type)}, but must be a memref or an address")
        base = Value(UnknownType())
    unknown = Value(UnknownType())
    if len(numbers) not in (2, 6):
        message = f"a tile begins at a row and a column, and {len(numbers)} numbers are given"
        st.report(rules.DIMENSIONS, message, help="write two offsets, or two offsets, sizes and strides")
        return {"M": unknown, "x": unknown, "y": unknown}
    # the numbers' types are written by some texts
    st.check_types(st.operands if len(st.types) > 1 else st.operands[:1])
    if isinstance(tile, UnknownType) or not st.is_known():
        return {"M": unknown, "x": numbers[1], "y": numbers[0]}
    matrix = base_matrix(st, tile.element, numbers[2:4], numbers[4:6])
    return {"M": matrix, "x": numbers[1], "y": numbers[0]}


def load_tile(st: Statement) -> Lowered:
    st.allowed("transpose", "padding")
    tile = st.operand(0, TileType, "tile")
    st.check_types(st.operands[:1])
    result = result_of(st, CoopMatrixType, "vector")
    padding = None
    if "padding" in st.attributes and isinstance(tile.type, TileType):
        literal, element = st.attributes["padding"], tile.type.element
        is_number = isinstance(literal, (int, float)) and not isinstance(literal, bool)
        constant = Constant(
            st.attribute_locations["padding"],
            [element],
            literal=float(literal) if is_number and element.is_floating else literal,
        )
        st.writer.insert(constant)
        padding = constant.results[0]
    return LoadTile(st.location, [result], tile=tile, transpose="t" if has_transpose(st) else "n", padding=padding)


def store_tile(st: Statement) -> Lowered:
    """The document's `%tile %vector : vector into tile`, and the order of its grammar, `%vector, %tile`."""
    for name, location in st.attribute_locations.items():
        st.report(rules.STORED, f"store_tile has the attribute {name}", location, "leave it out")
    if st.result is not None:
        st.types.append(st.result)
        st.type_locations.append(st.result_location)  # type: ignore[arg-type]
    if st.operands and isinstance(st.operands[0].type, TileType):
        st.operands.reverse()
    vector, tile = st.operand(0, CoopMatrixType, "vector"), st.operand(1, TileType, "tile")
    st.check_types(st.operands)
    return StoreTile(st.location, A=vector, tile=tile)


def prefetch_tile(st: Statement) -> Lowered:
    st.allowed("L1_hint", "L2_hint", "L3_hint")
    st.check_types(st.operands)
    return PrefetchTile(st.location, tile=st.operand(0, TileType, "tile"))


def update_tile_offset(st: Statement) -> Lowered:
    st.allowed()
    tile = st.operand(0, TileType, "tile")
    if len(st.operands) != 3:
        message = f"a tile is moved by rows and columns, and {len(st.operands) - 1} values are given"
        st.report(rules.ANNOTATED, message)
        return UpdateTileOffset(st.location, [tile.type], tile=tile, dx=Value(UnknownType()), dy=Value(UnknownType()))
    st.check_types(st.operands)
    check_result(st, tile)
    return UpdateTileOffset(st.location, [tile.type], tile=tile, dx=st.operands[2], dy=st.operands[1])


def check_result(st: Statement, value: Value) -> None:
    """The type of the result is that of a value."""
    if st.result is not None and not st.writer.fits(value, st.result):
        message = f"the result is {shown(value.type)}, but {shown(st.result)} is written here"
        st.report(rules.ANNOTATED, message, st.result_location, f"write {shown(value.type)}")


def tile_mma(st: Statement) -> Lowered:
    """`%a, %b, %c` or `%c, %a, %b`, by the shapes; the types in the values' order, or with that of the sum in front."""
    st.allowed()
    st.counted(2, 3)
    factors = [st.operand(number, CoopMatrixType, "vector") for number in range(max(2, min(3, len(st.operands))))]
    result = result_of(st, CoopMatrixType, "vector")
    sum_ = None
    if len(factors) == 3 and st.is_known():
        first, second, third = factors
        if sum_is_first([factor.type for factor in factors], result):
            sum_, *factors = factors
        else:
            sum_, factors = third, [first, second]
            if sum_is_first([factor.type for factor in (first, second, third)], result, strictly=False):
                st.report(rules.SPELLING, "the vectors have one type; they are read as A, B and C", st.location)
        _check_product_types(st, [*factors, sum_])
    else:
        st.check_types(st.operands)
        sum_ = factors[2] if len(factors) == 3 else None
    return TileMma(st.location, [result], A=factors[1], B=factors[0], C=sum_)


def sum_is_first(types: list[Any], result: Any, strictly: bool = True) -> bool:
    """Whether three matrices fit a product as C, A, B; strictly, if they do not fit as A, B, C."""

    def fits(a: Any, b: Any, c: Any) -> bool:
        # modes are reversed: rows are columns
        return bool(c == result and a.rows == b.columns and (b.rows, a.columns) == (c.rows, c.columns))

    c, a, b = types
    return fits(a, b, c) and (not strictly or not fits(*types))


def _check_product_types(st: Statement, values: list[Value]) -> None:
    a, b, c = values
    orders = [[each.type for each in order] for order in (st.operands, values, (c, a, b))]
    if st.types not in orders:
        listed = ", ".join(shown(each.type) for each in values)
        location = st.type_locations[0] if st.types else None
        st.report(rules.ANNOTATED, "the types are not those of the values", location, f"write {listed}")


HANDLERS = of_statements(
    {
        "xetile.init_tile": init_tile,
        "xetile.load_tile": load_tile,
        "xetile.store_tile": store_tile,
        "xetile.prefetch_tile": prefetch_tile,
        "xetile.update_tile_offset": update_tile_offset,
        "xetile.tile_mma": tile_mma,
    }
)
