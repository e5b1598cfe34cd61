"""The types of the tensor language (manual: Types). They are immutable values that print as the language's text."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from enum import Enum
from typing import Any, Literal

from ..process.records import dataclass
from .layouts import WITHOUT_LAYOUT, TileLayout

AddressSpace = Literal["global", "local"]
MatrixUse = Literal["matrix_a", "matrix_b", "matrix_acc"]
Kind = Literal["collective", "spmd", "mixed"]
"""Of a region, and of the instructions that stand in it."""


class _Dynamic(Enum):
    DYNAMIC = "?"

    def __repr__(self) -> str:
        return "?"

    __str__ = __repr__


DYNAMIC = _Dynamic.DYNAMIC
"""A size, stride or offset that is known at run time only; written `?` in text and `...` in Python."""

Extent = int | Literal[_Dynamic.DYNAMIC]


class Type:
    """Base of all types."""

    __slots__ = ()


@dataclass(frozen=True)
class VoidType(Type):
    """The type of nothing. The grammar has it; no value can have it."""

    def __str__(self) -> str:
        return "void"


@dataclass(frozen=True)
class UnknownType(Type):
    """The type of a value whose definition failed; nothing more is said about its uses."""

    def __str__(self) -> str:
        return "an unknown type"


@dataclass(frozen=True)
class BoolType(Type):
    """True or false; not a scalar type of the language: it cannot be stored, compared or cast."""

    def __str__(self) -> str:
        return "bool"


@dataclass(frozen=True)
class ScalarType(Type):
    """A number type. `kind` is "integer", "floating" or "complex"; `size` counts bytes."""

    name: str
    kind: Literal["integer", "floating", "complex"]
    size: int

    def __str__(self) -> str:
        return self.name

    @property
    def is_integer(self) -> bool:
        return self.kind == "integer"

    @property
    def is_floating(self) -> bool:
        return self.kind == "floating"

    @property
    def is_complex(self) -> bool:
        return self.kind == "complex"

    @property
    def bits(self) -> int:
        """Width of an integer type in bits; `index` has the width of the platform's pointers, 64."""
        return self.size * 8

    @property
    def component(self) -> ScalarType:
        """The type of a complex number's parts; a real type is its own component."""
        return {"c32": f32, "c64": f64}.get(self.name, self)


i8 = ScalarType("i8", "integer", 1)
i16 = ScalarType("i16", "integer", 2)
i32 = ScalarType("i32", "integer", 4)
i64 = ScalarType("i64", "integer", 8)
index = ScalarType("index", "integer", 8)
bf16 = ScalarType("bf16", "floating", 2)
f16 = ScalarType("f16", "floating", 2)
F16_OVERFLOW = 65520
"""The least number that is rounded to infinity in f16."""
f32 = ScalarType("f32", "floating", 4)
f64 = ScalarType("f64", "floating", 8)
c32 = ScalarType("c32", "complex", 8)
c64 = ScalarType("c64", "complex", 16)
bool_ = BoolType()
void = VoidType()

SCALAR_TYPES: dict[str, ScalarType] = {t.name: t for t in (i8, i16, i32, i64, index, bf16, f16, f32, f64, c32, c64)}
LANGUAGES_OWN = frozenset(SCALAR_TYPES)
"""The names of the language's own number types, to which another package may have added types."""

# The relation matrix of the manual, row by row: a type and what its values are exactly representable in.
# `index` has no row there, since its width depends on the platform: it is promotable to itself alone. The matrix has
# i32 ⪯ c32, too, though the parts of c32 hold no more than 24 bits exactly; the matrix is what defines ⪯.
_PROMOTABLE: dict[str, frozenset[str]] = {
    "i8": frozenset({"i8", "i16", "i32", "i64", "bf16", "f16", "f32", "f64", "c32", "c64"}),
    "i16": frozenset({"i16", "i32", "i64", "f32", "f64", "c32", "c64"}),
    "i32": frozenset({"i32", "i64", "f64", "c32", "c64"}),
    "i64": frozenset({"i64"}),
    "index": frozenset({"index"}),
    "bf16": frozenset({"bf16", "f32", "f64", "c32", "c64"}),
    "f16": frozenset({"f16", "f32", "f64", "c32", "c64"}),
    "f32": frozenset({"f32", "f64", "c32", "c64"}),
    "f64": frozenset({"f64", "c64"}),
    "c32": frozenset({"c32", "c64"}),
    "c64": frozenset({"c64"}),
}


def compute_type(element: ScalarType) -> ScalarType:
    """The type that sums and products for an element type are taken in: f32 for f16 and bf16."""
    return f32 if element.is_floating and element.size == 2 else element


def promotable(source: ScalarType, target: ScalarType) -> bool:
    """`source ⪯ target` by the manual's relation matrix: `target` represents the values of `source` exactly.

    An i32 beyond 2^24 in a c32 is the one exception of the matrix; it is rounded to nearest. A type that the matrix has
    not is promotable to itself alone.

    >>> promotable(i16, f32), promotable(i32, f32)
    (True, False)
    """
    return target.name in _PROMOTABLE.get(source.name, {source.name})


def promote(a: ScalarType, b: ScalarType) -> ScalarType | None:
    """The larger of two types by `⪯`, or None where the manual's promote() fails."""
    if promotable(a, b):
        return b
    return a if promotable(b, a) else None


def promote_all(types: Iterable[ScalarType]) -> ScalarType | None:
    """The largest of several types by `⪯`, as `promote` finds it of two after the other; None where it fails."""
    first, *others = types
    for other in others:
        both = promote(first, other)
        if both is None:
            return None
        first = both
    return first


def packed_strides(shape: tuple[Extent, ...]) -> tuple[Extent, ...]:
    """The strides of the packed dense column-major layout; they are dynamic behind a dynamic mode.

    >>> packed_strides((5, 6, 7))
    (1, 5, 30)
    """
    strides: list[Extent] = []
    next_stride: Extent = 1
    for extent in shape:
        strides.append(next_stride)
        known = isinstance(next_stride, int) and isinstance(extent, int)
        next_stride = next_stride * extent if known else DYNAMIC  # type: ignore[operator]
    return tuple(strides)


@dataclass(frozen=True)
class MemrefType(Type):
    """A reference to a tensor in memory: element type, shape, strides in elements, address space."""

    element: ScalarType
    shape: tuple[Extent, ...]
    strides: tuple[Extent, ...] = ()
    space: AddressSpace = "global"

    def __post_init__(self) -> None:
        if len(self.strides) != len(self.shape):
            object.__setattr__(self, "strides", packed_strides(self.shape))

    @property
    def order(self) -> int:
        return len(self.shape)

    @property
    def is_packed(self) -> bool:
        return self.strides == packed_strides(self.shape)

    @property
    def is_static(self) -> bool:
        return all(isinstance(n, int) for n in self.shape + self.strides)

    @property
    def has_static_shape(self) -> bool:
        return all(isinstance(n, int) for n in self.shape)

    @property
    def count(self) -> int:
        """The number of elements of a static shape."""
        product = 1
        for extent in self.shape:
            assert isinstance(extent, int), "the shape has dynamic modes"
            product *= extent
        return product

    @property
    def span(self) -> int:
        """The number of elements from the first to the last of a static layout; 0 where a mode is empty."""
        last = 0
        for extent, stride in zip(self.shape, self.strides):
            assert isinstance(extent, int) and isinstance(stride, int), "the layout has dynamic modes"
            if extent == 0:
                return 0
            last += (extent - 1) * stride
        return last + 1

    def in_space(self, space: AddressSpace) -> MemrefType:
        return replace(self, space=space)

    def __str__(self) -> str:
        parts = ["x".join([str(self.element), *map(str, self.shape)])]
        if not self.is_packed:
            parts.append(f"strided<{','.join(map(str, self.strides))}>")
        if self.space == "local":
            parts.append("local")
        return f"memref<{','.join(parts)}>"


@dataclass(frozen=True)
class GroupType(Type):
    """Pointers to memrefs: the memref type, how many there are, and an offset in elements added to each pointer."""

    memref: MemrefType
    count: Extent = DYNAMIC
    offset: Extent = 0

    def __str__(self) -> str:
        offset = "" if self.offset == 0 else f", offset: {self.offset}"
        return f"group<{self.memref}x{self.count}{offset}>"


@dataclass(frozen=True)
class CoopMatrixType(Type):
    """A matrix distributed over the work-items of a sub-group."""

    component: ScalarType
    rows: int
    columns: int
    use: MatrixUse

    @property
    def shape(self) -> tuple[int, int]:
        return (self.rows, self.columns)

    def __str__(self) -> str:
        return f"coopmatrix<{self.component}x{self.rows}x{self.columns},{self.use}>"


@dataclass(frozen=True)
class TileType(Type):
    """A rectangle of a memref that moves over it: its element type, rows, columns, and layout."""

    element: ScalarType
    rows: int
    columns: int
    layout: TileLayout = WITHOUT_LAYOUT

    @property
    def shape(self) -> tuple[int, int]:
        return (self.rows, self.columns)

    def __str__(self) -> str:
        layout = "" if self.layout.is_empty else f",{self.layout}"
        return f"tile<{self.element}x{self.rows}x{self.columns}{layout}>"


@dataclass(frozen=True)
class VectorType(Type):
    """Numbers or truth values in the lanes of a vector register, in the code that passes make for processors.

    The length of a `scalable` vector is a multiple of `lanes` that the machine has.
    """

    element: ScalarType | BoolType
    lanes: int
    is_scalable: bool = False

    def of(self, element: ScalarType | BoolType) -> VectorType:
        """The type of as many lanes of another element type."""
        return VectorType(element, self.lanes, self.is_scalable)

    def __str__(self) -> str:
        lanes = f"[{self.lanes}]" if self.is_scalable else self.lanes
        return f"vector<{lanes}x{self.element}>"


@dataclass(frozen=True)
class VectorTileType(Type):
    """Numbers in the rows and columns of a tile register, in the code that passes make for processors.

    Of a `scalable` tile, both sizes are multiples of these, by the same factor as the lengths of vectors; where the
    number of rows is fixed, the columns' alone.
    """

    element: ScalarType
    rows: int
    columns: int
    is_scalable: bool = False
    has_fixed_rows: bool = False

    @property
    def row(self) -> VectorType:
        """The type of a row."""
        return VectorType(self.element, self.columns, self.is_scalable)

    @property
    def column(self) -> VectorType:
        """The type of a column."""
        return VectorType(self.element, self.rows, self.is_scalable and not self.has_fixed_rows)

    @property
    def all_rows(self) -> VectorType:
        """The type of all rows, one behind the other, where their number is fixed."""
        return VectorType(self.element, self.rows * self.columns, self.is_scalable)

    def __str__(self) -> str:
        lengths = (self.column, self.row)
        sizes = (f"[{each.lanes}]" if each.is_scalable else f"{each.lanes}" for each in lengths)
        return f"vector.tile<{'x'.join(sizes)}x{self.element}>"


def item_type(type_: Type) -> Any:
    """The type of a group's items; other types are returned as they are."""
    return type_.memref if isinstance(type_, GroupType) else type_


def component_type(type_: Type) -> Any:
    """The type of the components of a matrix, or of the lanes of a vector; other types are returned as they are."""
    if isinstance(type_, CoopMatrixType):
        return type_.component
    return type_.element if isinstance(type_, VectorType) else type_
