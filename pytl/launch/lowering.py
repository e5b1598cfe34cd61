"""A function as a backend gets it: with code for all that it calls and has; its passes run on demand."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..backends.base import Backend, Lowered
from ..ir.values import Function
from ..passes import Pipeline
from .arrays.element_types import check_element_types
from .debugging import without_debugging


def lowered_by(
    backend: Backend, options: Mapping[str, Any], function: Function, written: Function | None = None
) -> Lowered:
    """A function whose passes run on demand.

    Raises `pytl.LaunchError` where the function shows values, which the backend can't (PYTL-1084), and where it has
    values of a type that the backend has no code for (PYTL-3021).
    """
    check_element_types(function, backend)
    function = without_debugging(function, backend, options)
    if next(function.calls(), None) is not None:
        function = Pipeline(backend.call_passes(options), at_the_end=True).run_on(function)
    return Lowered(function, options, backend, written)
