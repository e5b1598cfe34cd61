"""Layouts of memrefs: what the document's maps are as strides, or as one affine map."""

from __future__ import annotations

from functools import lru_cache
from typing import Literal

from ....mlir.affine import AffineMap, Constant, Dimension, Expression, Symbol
from ....mlir.affine.expressions import parts, substitute
from ....mlir.affine.maps import Size as MapSize
from ....process.records import dataclass
from ..types import Memref, Size, is_identity

_MAX_PARTS = 20_000
"""The most parts of a composed map's expressions: composing may square them."""


@dataclass(frozen=True)
class Layout:
    """A memref's layout: `plain` in row-major order, `strided`, or `mapped` by an affine map.

    `map` is the composition of the memref's maps, whose symbols are those of the maps in their order.
    """

    kind: Literal["plain", "strided", "mapped"]
    map: AffineMap
    offset: Expression
    strides: tuple[Expression, ...] = ()
    loses_sizes: bool = False
    """Whether the sizes of the map are not in what it becomes."""


@lru_cache(maxsize=1024)
def layout_of(type_: Memref) -> Layout | None:
    """The layout of a memref; None where its maps make too large a map."""
    composed = _composed(type_)
    if composed is None or not all(map(_fits, composed.results)):
        return None
    if is_identity(composed) and _has_sizes_of(composed, type_.shape):
        return Layout("plain", composed, Constant(0))
    strided = composed.strides()
    if strided is not None and not all(map(_fits, (strided[0], *strided[1]))):
        return None
    if strided is not None:
        return Layout("strided", composed, *strided)
    return Layout("mapped", composed, Constant(0), loses_sizes=composed.sizes is not None)


def _fits(expression: Expression) -> bool:
    """Whether its numbers have at most 63 bits, as those of MLIR do."""
    return all(abs(part.value) < 1 << 63 for part in parts(expression) if isinstance(part, Constant))


def _composed(type_: Memref) -> AffineMap | None:
    rank = len(type_.shape)
    if not type_.maps:
        names = tuple(f"d{n}" for n in range(rank))
        return AffineMap(names, (), tuple(map(Dimension, range(rank))))
    maps = [each.map for each in type_.maps]
    composed = maps[0]
    for each in maps[1:]:
        if _size(each) * _size(composed) > _MAX_PARTS:
            return None
        composed = each.compose(composed)
    # composing puts the symbols of later maps first
    order: dict[Expression, Expression] = {}
    first = sum(len(each.symbols) for each in maps)
    symbol_count = 0
    for each in reversed(maps):
        first -= len(each.symbols)
        order.update({Symbol(symbol_count + n): Symbol(first + n) for n in range(len(each.symbols))})
        symbol_count += len(each.symbols)
    sizes = maps[-1].sizes
    reordered = None if sizes is None else tuple(tuple(substitute(part, order) for part in size) for size in sizes)
    results = tuple(substitute(each, order) for each in composed.results)
    dimensions = tuple(f"d{n}" for n in range(len(composed.dimensions)))
    return AffineMap(dimensions, tuple(f"s{n}" for n in range(symbol_count)), results, reordered).simplified()


def _size(map_: AffineMap) -> int:
    return sum(1 for each in map_.results for _ in parts(each))


def _has_sizes_of(map_: AffineMap, shape: tuple[Size, ...]) -> bool:
    """Whether the sizes of a map are those of a shape, of which the first one does not count for the order."""
    if map_.sizes is None:
        return True
    return all(_is_size(map_size, size) for map_size, size in zip(map_.sizes[1:], shape[1:]))


def _is_size(map_size: MapSize, size: Size) -> bool:
    if len(map_size) != 1:
        return False
    return map_size[0] == Constant(size) if size is not None else isinstance(map_size[0], Symbol)


def as_size(expression: Expression) -> Size:
    """A constant as a number; None of what is known at run time only."""
    return expression.value if isinstance(expression, Constant) else None
