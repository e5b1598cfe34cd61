"""Names and strings of IR that was not read from a text: those of a text are what its grammar admits."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

from ..diagnostics import Diagnostics, Rule
from .values import Function, Value

NAME = Rule("PYTL-0031", "a name is a number, or a letter followed by letters, digits and underscores", "Identifier")
STRING = Rule(
    "PYTL-0032",
    "a string, such as the name of an attribute of one's own, has printable ASCII characters and no quotes",
    "Attributes",
)
_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]*|[0-9]+")
_STRING = re.compile(r"[ !#-~]*")


def is_name(name: object) -> bool:
    """Whether the language has such a name."""
    return isinstance(name, str) and _NAME.fullmatch(name) is not None


def check_names(function: Function, diagnostics: Diagnostics) -> None:
    """Report what no text of the function could have."""
    if not is_name(function.name):
        diagnostics.report(NAME, f"a function is called {function.name!r}", function.location)
    _check_strings(function.attributes, function, diagnostics)
    for values in _values(function):
        for value in values:
            if value.name is not None and not is_name(value.name):
                diagnostics.report(NAME, f"a value is called {value.name!r}", value.location or function.location)
            if value.attributes:
                _check_strings(value.attributes, value, diagnostics)


def _values(function: Function) -> Iterator[Sequence[Value]]:
    """The values of a function, those that are defined together in one list."""
    yield function.parameters
    yield function.body.arguments
    for operation in function.walk():
        yield operation.results
        if operation.region_parts:
            yield from (region.arguments for region in operation.regions)


def _check_strings(attributes: Any, owner: Function | Value, diagnostics: Diagnostics) -> None:
    for text in _strings(attributes):
        if not _STRING.fullmatch(text):
            diagnostics.report(STRING, f"the attributes have the string {text!r}", owner.location)


def _strings(attribute: Any) -> Iterator[str]:
    """Every string of an attribute, the names in dictionaries among them."""
    if isinstance(attribute, str):
        yield attribute
    elif isinstance(attribute, dict):
        for name, value in attribute.items():
            yield str(name)
            yield from _strings(value)
    elif isinstance(attribute, (list, tuple)):
        for value in attribute:
            yield from _strings(value)
