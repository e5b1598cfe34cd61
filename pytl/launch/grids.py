"""Functions whose work-groups are numbered in one dimension, as most backends number them."""

from __future__ import annotations

from ..ir.values import Function
from ..ops import Builtin
from ..passes.analysis.calls import PLACES
from ..passes.flat_groups import grid_parameters, has_places, with_flat_groups
from ..passes.inline_calls import without_calls

__all__ = ["flat_function", "grid_parameters", "has_places"]


def flat_function(function: Function) -> Function:
    """The function whose work-groups are numbered in one dimension."""
    return with_flat_groups(without_calls(function, _asks_where))


def _asks_where(function: Function) -> bool:
    """Whether a function asks for the place of a work-group, or the number of work-groups."""
    return has_places(function) or any(isinstance(op, Builtin) and op.variant in PLACES for op in function.walk())
