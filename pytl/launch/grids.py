"""Launches along x, y and z, as what backends launch: most of them number work-groups in one dimension."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ..backends import rules
from ..backends.base import Backend, grid_of
from ..diagnostics import LaunchError, call_site
from ..ir.values import Function, Module
from ..ops import Builtin
from ..passes.analysis.calls import PLACES
from ..passes.flat_groups import grid_parameters, has_places, is_told, with_flat_groups
from ..passes.inline_calls import without_calls
from .launch import match

__all__ = ["flat_module", "for_code", "grid_parameters", "in_grid", "is_told"]


def flat_module(function: Function) -> Module:
    """A module of the function whose work-groups are numbered in one dimension."""
    return Module.of(with_flat_groups(without_calls(function, asks_where)))


def asks_where(function: Function) -> bool:
    """Whether a function asks for the place of a work-group, or the number of work-groups."""
    return has_places(function) or any(isinstance(op, Builtin) and op.variant in PLACES for op in function.walk())


def for_code(kernel: Any) -> Any:
    """The kernel whose code backends generate: all arguments are there, and work-groups have numbers."""
    kernel = kernel.current()
    kernel = kernel._knowing(()) if kernel._asks() else kernel
    return kernel._flat() if has_places(kernel.whole) else kernel


def in_grid(
    kernel: Any, positional: Sequence[Any], named: Mapping[str, Any], groups: int | None, backend: Backend
) -> tuple[Any, list[Any], int]:
    """A launch of a kernel along x, y and z as a backend makes it: kernel, arguments in order, number of work-groups.

    Raises `pytl.LaunchError` where the arguments are to tell the numbers, or do not match the parameters.
    """
    if groups is None:
        raise LaunchError.single(
            rules.INFERRED,
            f"the number of work-groups of {kernel.name} is unknown: it has places along y or z",
            call_site(),
            f"write {kernel.name}[x, y, z](…) with the numbers of work-groups",
        )
    grid = grid_of(groups)
    names = grid_parameters(kernel.function)
    if names:
        return kernel, match(kernel.function, positional, {**named, **dict(zip(names, grid.shape))}), int(grid)
    given = match(kernel.function, positional, named)
    if backend.has_grids:
        return kernel, given, grid
    return kernel._flat(), [*given, *grid.shape[:2]], int(grid)
