"""Reading types: scalars, memrefs, groups, cooperative matrices."""

from __future__ import annotations

import re

from ..layouts import TileLayout
from ..types import (
    DYNAMIC,
    SCALAR_TYPES,
    AddressSpace,
    CoopMatrixType,
    Extent,
    GroupType,
    MemrefType,
    ScalarType,
    TileType,
    Type,
    VectorTileType,
    VectorType,
    bool_,
    void,
)
from .literals import checked_integer
from .reader import Reader
from .scanner import INTEGER

_SCALAR = re.compile(rf"(?:{'|'.join(sorted(SCALAR_TYPES, key=len, reverse=True))})(?![A-Za-wyz_0-9])")
MAX_ORDER = 64
_USE = re.compile(r"matrix_(?:a|b|acc)\b")


def read_type(reader: Reader, default_space: AddressSpace = "global") -> Type:
    """A type of any kind. `default_space` is taken where a memref names no address space."""
    if reader.at_definition:
        return reader.defined(Type)
    if reader.scanner.accept("bool"):
        return bool_
    if reader.scanner.accept("void"):
        return void
    if reader.scanner.at("memref"):
        return _memref(reader, default_space)
    if reader.scanner.at("group"):
        return _group(reader)
    if reader.scanner.at("coopmatrix"):
        return _coopmatrix(reader)
    if reader.scanner.at("tile"):
        return _tile(reader)
    if reader.internal and reader.scanner.accept("vector.tile"):
        return _vector_tile(reader)
    if reader.internal and reader.scanner.at("vector"):
        return _vector(reader)
    return read_scalar(reader, "a type")


def read_scalar(reader: Reader, expected: str = "a scalar type") -> ScalarType:
    if reader.at_definition:
        return reader.defined(ScalarType)
    match = reader.scanner.match(_SCALAR)
    if not match:
        reader.fail(f"expected {expected}, but found {reader.scanner.next_text()}")
    return SCALAR_TYPES[match.group()]


def _memref(reader: Reader, default_space: AddressSpace) -> MemrefType:
    reader.expect("memref")
    reader.expect("<")
    element = read_scalar(reader)
    shape: list[Extent] = []
    while accept_times(reader):
        shape.append(_extent(reader))
        if len(shape) > MAX_ORDER:
            reader.fail(f"a tensor has at most {MAX_ORDER} modes")
    strides: list[Extent] | None = None
    space = default_space
    if reader.scanner.accept(","):
        if reader.scanner.accept("strided"):
            strides = _strides(reader)
            if len(strides) != len(shape):
                reader.fail(f"the layout has {len(strides)} strides, but the shape has {len(shape)} modes")
            if reader.scanner.accept(","):
                space = _space(reader)
        else:
            space = _space(reader)
    reader.expect(">")
    return MemrefType(element, tuple(shape), tuple(strides or ()), space)


def accept_times(reader: Reader) -> bool:
    """Read the `x` between two sizes if it is next."""
    # `x` may be glued to the number behind it, so it is not a keyword of its own
    scanner = reader.scanner
    start = scanner.skip_blanks()
    if not scanner.text.startswith("x", start):
        return False
    scanner.position = scanner.last_end = start + 1
    return True


def _extent(reader: Reader) -> Extent:
    return DYNAMIC if reader.scanner.accept("?") else read_size(reader, "a size or `?`")


def read_size(reader: Reader, expected: str = "a size") -> int:
    """An integer that an `x` may be glued to."""
    if reader.at_definition:
        return int(reader.defined(int))
    match = reader.scanner.match(INTEGER)
    if not match:
        reader.fail(f"expected {expected}, but found {reader.scanner.next_text()}")
    return checked_integer(reader, match.group())


def _strides(reader: Reader) -> list[Extent]:
    reader.expect("<")
    strides = reader.comma_separated(lambda: _extent(reader), closing=">")
    reader.expect(">")
    return strides


def _space(reader: Reader) -> AddressSpace:
    if reader.scanner.accept("global"):
        return "global"
    if reader.scanner.accept("local"):
        return "local"
    reader.fail(f"expected `strided<…>`, `global` or `local`, but found {reader.scanner.next_text()}")


def _group(reader: Reader) -> GroupType:
    reader.expect("group")
    reader.expect("<")
    if reader.at_definition:
        memref = reader.defined(MemrefType)
    elif reader.scanner.at("memref"):
        memref = _memref(reader, "global")
    else:
        reader.fail(f"a group is of memrefs; found {reader.scanner.next_text()}")
    if not accept_times(reader):
        reader.fail(f"expected `x` and the group's size, but found {reader.scanner.next_text()}")
    count = _extent(reader)
    offset: Extent = 0
    if reader.scanner.accept(","):
        reader.expect("offset")
        reader.expect(":")
        offset = _extent(reader)
    reader.expect(">")
    return GroupType(memref, count, offset)


def _coopmatrix(reader: Reader) -> CoopMatrixType:
    reader.expect("coopmatrix")
    reader.expect("<")
    component = read_scalar(reader)
    sizes: list[int] = []
    for _ in range(2):
        if not accept_times(reader):
            reader.fail("a coopmatrix has two sizes, as in coopmatrix<f32x8x16,matrix_acc>")
        sizes.append(read_size(reader))
    reader.expect(",")
    use = reader.scanner.match(_USE)
    if not use:
        reader.fail(f"expected matrix_a, matrix_b or matrix_acc, but found {reader.scanner.next_text()}")
    reader.expect(">")
    return CoopMatrixType(component, sizes[0], sizes[1], use.group())  # type: ignore[arg-type]


def _vector(reader: Reader) -> VectorType:
    reader.expect("vector")
    reader.expect("<")
    lanes, is_scalable = _length(reader, "the number of lanes")
    if lanes < 1 or not accept_times(reader):
        reader.fail("a vector has one lane or more, as in vector<16xf32> and vector<[4]xf32>")
    element = bool_ if reader.scanner.accept("bool") else read_scalar(reader)
    reader.expect(">")
    return VectorType(element, lanes, is_scalable)


def _vector_tile(reader: Reader) -> VectorTileType:
    reader.expect("<")
    lengths = []
    for what in ("the number of rows", "the number of columns"):
        lengths.append(_length(reader, what))
        if lengths[-1][0] < 1 or lengths[-1][1] < lengths[0][1] or not accept_times(reader):
            reader.fail("a tile has two sizes, as in vector.tile<16x16xf32> and vector.tile<[4]x[4]xf32>")
    element = read_scalar(reader)
    reader.expect(">")
    (rows, has_scalable_rows), (columns, is_scalable) = lengths
    return VectorTileType(element, rows, columns, is_scalable, is_scalable and not has_scalable_rows)


def _length(reader: Reader, what: str) -> tuple[int, bool]:
    """A number of lanes, and whether vectors have a multiple of it."""
    is_scalable = reader.scanner.accept("[")
    length = read_size(reader, what)
    if is_scalable:
        reader.expect("]")
    return length, is_scalable


def _tile(reader: Reader) -> TileType:
    reader.expect("tile")
    reader.expect("<")
    element = read_scalar(reader)
    sizes: list[int] = []
    for _ in range(2):
        if not accept_times(reader):
            reader.fail("a tile has two sizes, as in tile<f32x64x32>")
        sizes.append(read_size(reader))
    parts: dict[str, tuple[int, int]] = {}
    while reader.scanner.accept(","):
        kind = next((word for word in _LAYOUT_PARTS if reader.scanner.accept(word)), None)
        if kind is None:
            reader.fail(f"expected `layout<…>`, `wg_map<…>` or `sg_map<…>`, but found {reader.scanner.next_text()}")
        _layout_parts(reader, kind, parts)
    reader.expect(">")
    return TileType(element, sizes[0], sizes[1], TileLayout(**parts))


_TODAY = {name: name for name in ("sg_layout", "sg_data", "lane_layout", "lane_data")}
_LAYOUT_PARTS = {
    "layout": _TODAY,
    "wg_map": {name: name for name in ("sg_layout", "sg_data")},
    "sg_map": {"wi_layout": "lane_layout", "wi_data": "lane_data"},
}
"""The parts that each of the three ways to write a layout has, with their names in `TileLayout`."""


def _layout_parts(reader: Reader, kind: str, parts: dict[str, tuple[int, int]]) -> None:
    reader.expect("<")

    def entry() -> None:
        name = next((name for name in _LAYOUT_PARTS[kind] if reader.scanner.accept(name)), None)
        if name is None:
            names = " or ".join(_LAYOUT_PARTS[kind])
            reader.fail(f"expected {names}, but found {reader.scanner.next_text()}")
        part = _LAYOUT_PARTS[kind][name]
        if part in parts:
            reader.fail(f"{name} is given twice")
        reader.expect("=")
        reader.expect("[")
        numbers = reader.comma_separated(lambda: read_size(reader, "an integer"), closing="]")
        reader.expect("]")
        if len(numbers) != 2:
            reader.fail(f"{name} has two numbers, for rows and columns, but {len(numbers)} are given")
        parts[part] = (numbers[0], numbers[1])

    reader.comma_separated(entry, closing=">")
    reader.expect(">")
