"""A function's annotations, whether Python evaluated them at its definition or, as from 3.14 on, when they are read."""

from __future__ import annotations

import importlib
import inspect
import re
from collections.abc import Callable, Mapping
from operator import attrgetter
from typing import Any

_values: Callable[[Any], Mapping[str, Any]] = attrgetter("__annotations__")


def annotations_of(function: Callable[..., Any]) -> Mapping[str, Any]:
    """The annotations by parameter: objects, and texts where the source has texts or one of them can't be evaluated.

    Python before 3.14 fails at the definition in the latter case. Texts are evaluated later, among more names, and
    what they still lack is reported with its place.
    """
    try:
        return _values(function)
    except Exception as error:
        lazy = _annotationlib(error)
        return lazy.get_annotations(function, format=lazy.Format.STRING)


def names_in_annotations(function: Callable[..., Any], names: Mapping[str, Any]) -> dict[str, Any]:
    """Of the names where a function is defined, those that annotations which are texts may have.

    Annotations are texts under `from __future__ import annotations`, and where Python 3.14 can't evaluate one of them
    yet. The function's closure has only those names that its body uses.
    """
    texts = [text for text in annotations_of(function).values() if isinstance(text, str)]
    return {word: names[word] for word in re.findall(r"\w+", " ".join(texts)) if word in names}


def signature_of(function: Callable[..., Any]) -> inspect.Signature:
    """The parameters of the function itself, not of what it wraps, with such annotations."""
    try:
        return inspect.signature(function, follow_wrapped=False)
    except Exception as error:
        format: Any = {"annotation_format": _annotationlib(error).Format.STRING}
        return inspect.signature(function, follow_wrapped=False, **format)


def _annotationlib(error: Exception) -> Any:
    """The module that evaluates annotations; the error where Python has none, which then has another cause."""
    try:
        return importlib.import_module("annotationlib")
    except ImportError:
        raise error from None
