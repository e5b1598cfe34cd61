"""Types of the document's texts.

The rows of MLIR's memrefs lie one after the other, and the columns of the language's do. So each matrix, tile and
vector is read as its transpose, with its modes reversed: memory is the same, and a product has its factors exchanged.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from ...ir.layouts import TileLayout
from ...ir.text.literals import read_integer
from ...ir.text.reader import Reader
from ...ir.types import (
    DYNAMIC,
    CoopMatrixType,
    MemrefType,
    ScalarType,
    TileType,
    Type,
    bf16,
    f16,
    f32,
    f64,
    i8,
    i16,
    i32,
    i64,
    index,
)
from . import rules

SCALARS: dict[str, Any] = {
    **{str(type_): type_ for type_ in (i8, i16, i32, i64, index, bf16, f16, f32, f64)},
    "float": f32,
    "double": f64,
}
_SHAPED = re.compile(r"(!xetile\.tile|tile|vector|memref)(?=\s*<)")
_WORD = re.compile(r"!?[A-Za-z_][A-Za-z0-9_.]*")
_SIZE = re.compile(r"([0-9]+|\?)\s*x\s*")
_ALIAS = re.compile(r"#([A-Za-z_][A-Za-z0-9_]*)(?![A-Za-z0-9_.])")
_MAP = re.compile(r"#(?:xetile|xegpu)\.(wg_map|sg_map|xe_map)")
_MAPS = {
    "wg_map": {"sg_layout": "sg_layout", "sg_data": "sg_data"},
    "sg_map": {"wi_layout": "lane_layout", "wi_data": "lane_data"},
}
Parts = dict[str, tuple[int, int]]
Maps = Mapping[str, Parts]


def read_type(reader: Reader, maps: Maps) -> Type:
    """A type, with the layouts that have a name; it fails at the first character that belongs to none."""
    found = reader.scanner.match(_SHAPED)
    if not found:
        return _scalar(reader)
    reader.expect("<")
    sizes: list[int | None] = []
    while size := reader.scanner.match(_SIZE):
        if size.group(1) == "?":
            sizes.append(None)
            continue
        number = int(size.group(1)) if len(size.group(1)) < 19 else 0
        if number < 1:
            reader.fail(f"a size is {size.group(1)[:20]}, but must be at least 1 and fit into 64 bits", rules.TYPE)
        sizes.append(number)
    element = _scalar(reader)
    kind = found.group(1)
    if kind == "memref":
        return _memref(reader, sizes, element)
    if len(sizes) != 2 or None in sizes:
        reader.fail(f"a {kind.removeprefix('!xetile.')} has two sizes, which are known", rules.TYPE)
    parts: Parts = {}
    while kind != "vector" and reader.accept(","):
        read_map(reader, parts, maps)
    reader.expect(">")
    rows, columns = (size for size in sizes if size is not None)
    if kind == "vector":
        return CoopMatrixType(element, columns, rows, "matrix_acc")
    return TileType(element, columns, rows, TileLayout(**parts))


def _scalar(reader: Reader) -> ScalarType:
    start = reader.scanner.skip_blanks()
    word = reader.scanner.match(_WORD)
    type_ = SCALARS.get(word.group()) if word else None
    if type_ is None:
        reader.scanner.position = start
        known = ", ".join(SCALARS)
        reader.fail(f"expected a type, but found {reader.scanner.next_text()}", rules.TYPE, f"numbers are {known}")
    return type_


def _memref(reader: Reader, sizes: list[int | None], element: ScalarType) -> Type:
    if not sizes:
        reader.fail("a memref has sizes", rules.TYPE, "write memref<1024x1024xf32>")
    strides: list[Any] = []
    if reader.accept(","):
        reader.expect("strided")
        reader.expect("<")
        reader.expect("[")
        strides = reader.comma_separated(lambda: DYNAMIC if reader.accept("?") else read_integer(reader), closing="]")
        reader.expect("]")
        reader.expect(">")
        if len(strides) != len(sizes) or any(isinstance(each, int) and each < 1 for each in strides):
            reader.fail(f"a memref of {len(sizes)} modes has as many strides, each at least 1", rules.TYPE)
    reader.expect(">")
    if not strides:
        step: Any = 1
        for size in reversed(sizes):
            strides.insert(0, step)
            step = DYNAMIC if size is None or not isinstance(step, int) else step * size
    shape = [DYNAMIC if size is None else size for size in sizes]
    return MemrefType(element, tuple(reversed(shape)), tuple(reversed(strides)))


def shown(type_: Any) -> str:
    """A type as the document writes it."""
    if isinstance(type_, CoopMatrixType):
        return f"vector<{type_.columns}x{type_.rows}x{type_.component}>"
    if isinstance(type_, TileType):
        layout = "" if type_.layout.is_empty else f", {type_.layout}"
        return f"tile<{type_.columns}x{type_.rows}x{type_.element}{layout}>"
    if isinstance(type_, MemrefType):
        strides = ", ".join(map(str, reversed(type_.strides)))
        layout = "" if type_.is_packed else f", strided<[{strides}]>"
        return f"memref<{''.join(f'{size}x' for size in reversed(type_.shape))}{type_.element}{layout}>"
    return str(type_)


def read_map(reader: Reader, parts: Parts, maps: Maps) -> None:
    """A layout's parts, added to those that are known."""
    alias = reader.scanner.match(_ALIAS)
    if alias:
        if alias.group(1) not in maps:
            reader.fail(f"#{alias.group(1)} is not defined before", rules.LAYOUT)
        parts.update(maps[alias.group(1)])
        return
    found = reader.scanner.match(_MAP)
    if not found:
        reader.fail(f"expected a layout, but found {reader.scanner.next_text()}", rules.LAYOUT)
    reader.expect("<")
    if found.group(1) == "xe_map":

        def side() -> None:
            if not (reader.accept("wg") or reader.accept("sg")):
                reader.fail(f"expected wg or sg, but found {reader.scanner.next_text()}", rules.LAYOUT)
            reader.expect("=")
            read_map(reader, parts, maps)

        reader.comma_separated(side, closing=">")
    else:
        is_braced = reader.accept("{")
        reader.comma_separated(lambda: _entry(reader, _MAPS[found.group(1)], parts), closing=">}")
        if is_braced:
            reader.expect("}")
    reader.expect(">")


def _entry(reader: Reader, names: dict[str, str], parts: Parts) -> None:
    name = next((name for name in names if reader.accept(name)), None)
    if name is None:
        reader.fail(f"expected {' or '.join(names)}, but found {reader.scanner.next_text()}", rules.LAYOUT)
    reader.expect("=")
    reader.expect("[")
    numbers = reader.comma_separated(lambda: read_integer(reader), closing="]")
    reader.expect("]")
    if len(numbers) != 2:
        reader.fail(f"{name} has two numbers, for rows and columns, but {len(numbers)} are given", rules.LAYOUT)
    parts[names[name]] = (numbers[1], numbers[0])
