"""Rules of types: elements of shaped types, and the maps of memrefs."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from functools import lru_cache
from math import prod
from typing import Any

from ...diagnostics import Location
from ...diagnostics.words import counted
from ...mlir.affine import AffineMap, Constant, Dimension, Expression, Symbol, evaluate
from ...mlir.affine.expressions import parts
from . import rules
from .types import Float, Integer, Memref, Size, Tensor, Type, Unknown, Vector

_MAX_STEPS = 10_000
"""The most operations that are done to find out whether two indices lead to one place."""
Report = Callable[..., Any]


def check_shaped(type_: Type, location: Location, report: Report) -> None:
    """Report what is wrong with a vector, tensor or memref whose parts are known."""
    if isinstance(type_, (Vector, Tensor, Memref)) and not _may_be_element(type_, type_.element):
        report(rules.ELEMENT, f"{type_.element} is no element of a {type(type_).__name__.lower()}", location)
    if isinstance(type_, Memref) and type_.maps and _is_conformant(type_, location, report):
        for number, each in enumerate(type_.maps[:-1], 1):
            if each.map.sizes is None:
                report(rules.INDEX_MAP, f"map {number} of {len(type_.maps)} has no sizes", location)
        outside = _outside(type_)
        if outside:
            report(rules.OUTSIDE, outside, location)
        _check_one_to_one(type_, location, report)


def _outside(type_: Memref) -> str | None:
    """Where a map leaves its sizes."""
    shape: list[Size] = list(type_.shape)
    for number, each in enumerate(type_.maps, 1):
        sizes = [_constant(size) for size in each.map.sizes or [()] * len(each.map.results)]
        for result, size in zip(each.map.results, sizes):
            if size is None or 0 in shape or not _is_known(result, shape):
                continue
            for index in ([0] * len(shape), [(extent or 1) - 1 for extent in shape]):
                at = evaluate(result, index)
                if not 0 <= at < size:
                    return f"map {number} leads from {tuple(index)} to {at}, and the size is {size}"
        shape = list(sizes)
    return None


def _constant(size: tuple[Expression, ...]) -> int | None:
    return size[0].value if len(size) == 1 and isinstance(size[0], Constant) else None


def _is_known(expression: Expression, shape: list[Size]) -> bool:
    """Whether only dimensions of constant sizes appear."""
    return not any(
        isinstance(part, Symbol) or (isinstance(part, Dimension) and shape[part.position] is None)
        for part in parts(expression)
    )


def _may_be_element(of: Type, element: Type) -> bool:
    numbers = (Integer, Float, Unknown)
    return isinstance(element, numbers if isinstance(of, Vector) else (*numbers, Vector))


def _is_conformant(type_: Memref, location: Location, report: Report) -> bool:
    expected, origin = len(type_.shape), f"the memref has {counted(len(type_.shape), 'dimension')}"
    for number, each in enumerate(type_.maps, 1):
        if len(each.map.dimensions) != expected:
            message = f"map {number} has {counted(len(each.map.dimensions), 'dimension')}, but {origin}"
            report(rules.CONFORMANT, message, location)
            return False
        expected, origin = len(each.map.results), f"map {number} has {counted(len(each.map.results), 'result')}"
    return True


def _check_one_to_one(type_: Memref, location: Location, report: Report) -> None:
    collision = find_collision(type_.shape, tuple(each.map for each in type_.maps))
    if collision:
        first, second = ("(" + ", ".join(map(str, each)) + ")" for each in collision)
        report(rules.ONE_TO_ONE, f"the indices {first} and {second} lead to one place", location)


@lru_cache(maxsize=256)
def find_collision(
    shape: tuple[Size, ...], maps: tuple[AffineMap, ...]
) -> tuple[tuple[int, ...], tuple[int, ...]] | None:
    """Two indices that the maps lead to one place, as far as that is found out; None else.

    Static shapes of few elements are tried as a whole. Of others, a dimension that the first map does not use is
    enough.
    """
    if 0 in shape:
        return None  # there are no elements, and `product` below would list the other indices first
    for position in _unused(maps[0]):
        if shape[position] != 1:
            return tuple(0 for _ in shape), tuple(int(n == position) for n in range(len(shape)))
    sizes = [size or 0 for size in shape]
    steps = sum(1 for each in maps for result in each.results for _ in parts(result))
    if None in shape or prod(sizes) * steps > _MAX_STEPS or any(each.symbols for each in maps):
        return None
    seen: dict[tuple[int, ...], tuple[int, ...]] = {}
    for index in itertools.product(*map(range, sizes)):
        image = index
        for each in maps:
            image = each(*image)
        if image in seen:
            return seen[image], index
        seen[image] = index
    return None


def _unused(map_: AffineMap) -> Iterator[int]:
    used = {part.position for each in map_.results for part in parts(each) if isinstance(part, Dimension)}
    return (position for position in range(len(map_.dimensions)) if position not in used)
