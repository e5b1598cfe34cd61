"""Names and strings of IR that was not read from a text: those of a text are what its grammar admits."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
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
    """Report what no text could have as the head of the function."""
    if not is_name(function.name):
        diagnostics.report(NAME, f"a function is called {function.name!r}", function.location)
    _check_strings(function.attributes, function, diagnostics)
    check_names_of_values(function.parameters, function, diagnostics)


def check_names_of_values(values: Iterable[Value], function: Function, diagnostics: Diagnostics) -> None:
    """Report what no text of the function could have of values."""
    for value in values:
        if value.name is not None and not is_name(value.name):
            diagnostics.report(NAME, f"a value is called {value.name!r}", value.location or function.location)
        if value.attributes:
            _check_strings(value.attributes, value, diagnostics)


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
