"""The element types that backends and arrays know: a type from outside of pytl is refused by its name."""

from __future__ import annotations

from ...backends.base import Backend
from ...diagnostics import Diagnostic, LaunchError, PytlError, Rule
from ...ir.types import ScalarType, component_type
from ...ir.values import Function

ELEMENT_TYPE = Rule(
    "PYTL-3021", "a backend has code for the type of every value, and arrays hold its elements", "Backends"
)


def check_element_types(function: Function, backend: Backend) -> None:
    """Refuse a function with values of a type that a backend does not know; raises `pytl.LaunchError`."""
    diagnostics: dict[str, Diagnostic] = {}
    values = [(value, each.location) for each in (function, *function.callees()) for value in each.parameters]
    values += [(value, op.location) for op in function.walk_through_calls() for value in op.results]
    for value, location in values:
        type_ = component_type(getattr(value.type, "memref", value.type))
        name = getattr(getattr(type_, "element", type_), "name", None)
        if name is not None and name not in backend.element_types and isinstance(name, str):
            message = f"the backend {backend.name} has no code for values of type {name}"
            diagnostics.setdefault(name, Diagnostic(ELEMENT_TYPE, message, value.location or location))
    if diagnostics:
        raise LaunchError(list(diagnostics.values()))


def no_array(type_: ScalarType) -> PytlError:
    """The error of a type that no data type of arrays stands for."""
    return LaunchError.single(ELEMENT_TYPE, f"no data type of arrays stands for elements of {type_}")
