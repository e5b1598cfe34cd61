"""Types of the document's texts.

The rows of MLIR's memrefs lie one after the other, and the columns of the language's do. So each matrix, tile and
vector is read as its transpose, with its modes reversed: memory is the same, and a product has its factors exchanged.
"""

from __future__ import annotations

import math
import re
from typing import Any

from ...ir.layouts import WITHOUT_LAYOUT, TileLayout
from ...ir.types import (
    DYNAMIC,
    BoolType,
    CoopMatrixType,
    MemrefType,
    ScalarType,
    TileType,
    Type,
    bf16,
    bool_,
    f16,
    f32,
    f64,
    i8,
    i16,
    i32,
    i64,
    index,
)
from ...mlir.scanner import Lenient
from ...mlir.text.scanner import TextScanner
from ...process.records import dataclass
from . import rules

LANES = 16
"""The work-items of a sub-group."""
SCALARS: dict[str, Any] = {
    **{str(type_): type_ for type_ in (i8, i16, i32, i64, index, bf16, f16, f32, f64)},
    "i1": bool_,
    "float": f32,
    "double": f64,
    "fp32": f32,
    **{
        f"{sign}int{type_.bits}{end}": type_
        for type_ in (i8, i16, i32, i64)
        for sign in ("", "u")
        for end in ("", "_t")
    },
    "Uint8_t": i8,
}
_SHAPED = re.compile(r"(?:!?(?:xetile|xegpu)\.)?(tile|tensor_desc|vector|memref)(?=\s*<)", re.IGNORECASE)
_WORD = re.compile(r"!?[A-Za-z_][A-Za-z0-9_.]*")
_SIZE = re.compile(r"([0-9]+|\?)\s*x\s*")
_LAST_SIZE = re.compile(r"([0-9]+)(?=[a-z])")
_ALIAS = re.compile(r"#([A-Za-z_][A-Za-z0-9_]*)(?![A-Za-z0-9_.])")
_SCATTERED = re.compile(r"#[Ss]cattered(?![A-Za-z0-9_.])")
_MAP = re.compile(r"#?(?:xetile|xegpu)\.(wg_map|sg_map|xe_map)")
_SPACE = re.compile(r"3(?![0-9])|#gpu\.address_space\s*<\s*workgroup\s*>")
_MAPS = {
    "wg_map": {"sg_layout": "sg_layout", "sg_data": "sg_data"},
    "sg_map": {"wi_layout": "lane_layout", "wi_data": "lane_data"},
}
Parts = dict[str, tuple[int, int]]


class LayoutScanner(TextScanner, Lenient):
    """A position in a text of the document, and what is known there of layouts."""

    maps: dict[str, Parts]
    """The layouts that have a name."""
    is_simt: bool
    """Whether a descriptor of the function has a layout, so that vectors are those of work-items."""


@dataclass(frozen=True)
class VectorType(Type):
    """A vector that no matrix of the language is: of one dimension, or of three."""

    shape: tuple[int, ...]
    element: Any


@dataclass(frozen=True)
class SpreadType(Type):
    """A vector whose elements lie in the work-items, the first in the first; of two dimensions, each work-item has
    several, which lie along `along`."""

    shape: tuple[int, ...]
    element: Any
    along: int = 1


@dataclass(frozen=True)
class FragmentType(Type):
    """A matrix in another form: a work-item's part of it, or split for VNNI.

    `matrix` is what it stands for, and `shape` how it is written.
    """

    matrix: CoopMatrixType
    shape: tuple[int, ...]
    layout: TileLayout | None = None
    """How a work-item's part is chosen; None where the vector is the whole matrix."""
    vnni_axis: int | None = None

    @property
    def element(self) -> ScalarType:
        return self.matrix.component


@dataclass(frozen=True)
class LineType(Type):
    """A descriptor of elements that lie next to each other, one or more a work-item."""

    element: ScalarType
    count: int
    layout: TileLayout = WITHOUT_LAYOUT


@dataclass(frozen=True)
class ScatteredType(Type):
    """A descriptor of elements that lie anywhere, for each work-item one chunk."""

    element: ScalarType
    lanes: int
    chunk: int = 1
    layout: TileLayout = WITHOUT_LAYOUT


@dataclass(frozen=True)
class BarrierType(Type):
    """A named barrier."""


@dataclass(frozen=True)
class RoleType(Type):
    """What a sub-group does at a named barrier."""


def shape_of(type_: Any) -> tuple[tuple[int, ...], Any] | None:
    """Shape and element of what is written as a vector, rows first; None for other types."""
    if isinstance(type_, CoopMatrixType):
        return (type_.columns, type_.rows), type_.component
    if isinstance(type_, (VectorType, SpreadType, FragmentType)):
        return type_.shape, type_.element
    return None


def matches(type_: Any, written: Any) -> bool:
    """Whether the type of a value may be written like this."""
    shape, written_shape = shape_of(type_), shape_of(written)
    if shape is None or written_shape is None:
        return bool(type_ == written) or (written == RoleType() and isinstance(type_, ScalarType))
    if isinstance(type_, FragmentType) and type_.layout is not None:
        # the document writes a work-item's part as 8x1, 8x1x2 and 8x2
        return shape[1] == written_shape[1] and math.prod(shape[0]) == math.prod(written_shape[0])
    return shape == written_shape


def read_type(reader: LayoutScanner) -> Type:
    """A type; it fails at the first character that belongs to none."""
    start = reader.position
    match = reader.match(_SHAPED)
    if not match:
        return _scalar(reader)
    kind = match.group(1).lower()
    reader.expect("<")
    sizes: list[int | None] = []
    while size := reader.match(_SIZE):
        sizes.append(_size(reader, size.group(1)))
    if last := reader.match(_LAST_SIZE):
        reader.report_spelling(f"`x` is missing behind {last.group(1)[:20]}", reader.last_end - 1)
        sizes.append(_size(reader, last.group(1)))
    element = _scalar(reader)
    if kind == "memref":
        return _memref(reader, sizes, element)
    if None in sizes or len(sizes) not in {"tile": (2,), "tensor_desc": (1, 2), "vector": (1, 2, 3)}[kind]:
        expected = {"tile": "two sizes", "tensor_desc": "one or two sizes", "vector": "one to three sizes"}[kind]
        reader.fail(f"a {kind} has {expected}, which are known", rules.TYPE)
    shape = tuple(size for size in sizes if size is not None)
    parts: Parts = {}
    options: dict[str, Any] = {}
    while kind != "vector" and reader.take(","):
        _descriptor_attribute(reader, parts, options)
    reader.expect(">")
    if kind == "vector":
        is_matrix = len(shape) == 2 and isinstance(element, ScalarType)
        return CoopMatrixType(element, shape[1], shape[0], "matrix_acc") if is_matrix else VectorType(shape, element)
    if not isinstance(element, ScalarType):
        reader.fail(f"the elements of a {kind} are numbers", rules.TYPE)
    layout = TileLayout(**parts)
    if options.get("scattered"):
        return _scattered(reader, shape, element, layout, options, start)
    if len(shape) == 1:
        return LineType(element, shape[0], layout)
    return TileType(element, shape[1], shape[0], layout)


def _size(reader: LayoutScanner, digits: str) -> int | None:
    if digits == "?":
        return None
    number = int(digits) if len(digits) < 19 else 0
    if number < 1:
        reader.fail(f"a size is {digits[:20]}, but must be at least 1 and fit into 64 bits", rules.TYPE)
    return number


def _descriptor_attribute(reader: LayoutScanner, parts: Parts, options: dict[str, Any]) -> None:
    if reader.match(_SCATTERED):
        options["scattered"] = True
    elif reader.take("memory_scope"):
        reader.expect("=")
        if not (reader.take("slm") or reader.take("global")):
            reader.fail(f"expected slm or global, but found {reader.shown()}", rules.SCOPE)
    elif reader.take("chunk_size_per_lane"):
        reader.expect("=")
        options["chunk"] = reader.integer()
    else:
        read_map(reader, parts)
        reader.is_simt = True


def _scattered(
    reader: LayoutScanner, shape: tuple[int, ...], element: ScalarType, layout: TileLayout, options: Any, start: int
) -> Type:
    lanes, chunk = (*shape, 1)[:2]
    if lanes not in rules.LANE_COUNTS:
        message = f"the descriptor is of {lanes} work-items"
        reader.diagnostics.report(rules.LANES, message, reader.location_from(start))
    if options.get("chunk", chunk) != chunk or chunk not in rules.CHUNKS:
        message = f"a work-item has {chunk} elements of the descriptor"
        if options.get("chunk", chunk) != chunk:
            message += f", and chunk_size_per_lane is {options['chunk']}"
        reader.diagnostics.report(rules.CHUNK, message, reader.location_from(start))
    return ScatteredType(element, lanes, chunk, layout)


def _scalar(reader: LayoutScanner) -> Any:
    start = reader.position
    word = reader.match(_WORD)
    name = word.group() if word else ""
    if name.lower() in ("nbarrier", "!xegpu.nbarrier"):
        return BarrierType()
    if name == "nbarrier_role":
        return RoleType()
    if name == "b16":
        reader.report_spelling("b16 is read as bf16", start)
        return bf16
    type_ = SCALARS.get(name)
    if type_ is None:
        reader.position = start
        known = ", ".join(SCALARS)
        reader.fail(f"expected a type, but found {reader.shown()}", rules.TYPE, help=f"numbers are {known}")
    return type_


def _memref(reader: LayoutScanner, sizes: list[int | None], element: Any) -> Type:
    if not sizes or not isinstance(element, ScalarType):
        reader.fail("a memref has sizes, and numbers", rules.TYPE, help="write memref<1024x1024xf32>")
    strides: list[Any] = []
    space: Any = "global"
    while reader.take(","):
        if reader.match(_SPACE):
            space = "local"
            continue
        reader.expect("strided")
        reader.expect("<")
        reader.expect("[")
        strides = reader.read_list("]", lambda: DYNAMIC if reader.take("?") else reader.integer())
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
    return MemrefType(element, tuple(reversed(shape)), tuple(reversed(strides)), space)


def shown(type_: Any) -> str:
    """A type as the document writes it."""
    vector = shape_of(type_)
    if vector:
        return f"vector<{''.join(f'{size}x' for size in vector[0])}{shown(vector[1])}>"
    if isinstance(type_, BoolType):
        return "i1"
    if isinstance(type_, TileType):
        layout = "" if type_.layout.is_empty else f", {type_.layout}"
        return f"tile<{type_.columns}x{type_.rows}x{type_.element}{layout}>"
    if isinstance(type_, LineType):
        return f"tensor_desc<{type_.count}x{type_.element}>"
    if isinstance(type_, ScatteredType):
        chunk = f"{type_.chunk}x" if type_.chunk > 1 else ""
        return f"tensor_desc<{type_.lanes}x{chunk}{type_.element}, #scattered>"
    if isinstance(type_, (BarrierType, RoleType)):
        return "nbarrier" if isinstance(type_, BarrierType) else "nbarrier_role"
    if isinstance(type_, MemrefType):
        strides = ", ".join(map(str, reversed(type_.strides)))
        layout = "" if type_.is_packed else f", strided<[{strides}]>"
        space = ", 3" if type_.space == "local" else ""
        return f"memref<{''.join(f'{size}x' for size in reversed(type_.shape))}{type_.element}{layout}{space}>"
    return str(type_)


def read_map(reader: LayoutScanner, parts: Parts) -> None:
    """A layout's parts, added to those that are known."""
    alias = reader.match(_ALIAS)
    if alias:
        if alias.group(1) not in reader.maps:
            reader.fail(f"#{alias.group(1)} is not defined before", rules.LAYOUT)
        parts.update(reader.maps[alias.group(1)])
        return
    match = reader.match(_MAP)
    if not match:
        reader.fail(f"expected a layout, but found {reader.shown()}", rules.LAYOUT)
    reader.expect("<")
    if match.group(1) == "xe_map":

        def side() -> None:
            if not (reader.take("wg") or reader.take("sg")):
                reader.fail(f"expected wg or sg, but found {reader.shown()}", rules.LAYOUT)
            reader.expect("=")
            read_map(reader, parts)

        reader.read_list(">", side)
        return
    is_braced = reader.take("{")
    reader.read_list("}" if is_braced else ">", lambda: _entry(reader, _MAPS[match.group(1)], parts))
    if is_braced:
        reader.expect(">")


def _entry(reader: LayoutScanner, names: dict[str, str], parts: Parts) -> None:
    name = next((name for name in names if reader.take(name)), None)
    if name is None:
        reader.fail(f"expected {' or '.join(names)}, but found {reader.shown()}", rules.LAYOUT)
    reader.expect("=")
    reader.expect("[")
    numbers = reader.read_list("]", reader.integer)
    if len(numbers) != 2:
        reader.fail(f"{name} has two numbers, for rows and columns, but {len(numbers)} are given", rules.LAYOUT)
    parts[names[name]] = (numbers[1], numbers[0])
