"""What a launch knows of a parameter, and how a check of its argument reports."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from ..diagnostics import Rule
from ..ir.types import Type

Report = Callable[[Rule, str, "str | None"], None]


@dataclass(frozen=True)
class Parameter:
    """What a launch needs to know of one parameter."""

    name: str
    type: Type
    attributes: dict[str, Any]
    written: bool


def what(given: Any) -> str:
    """What kind of object something is, as a message says it."""
    if given is None:
        return "None"
    kind = type(given).__name__.removesuffix("_")  # NumPy 1 has bool_ and str_
    return f"{'an' if kind[0] in 'aeio' or kind == 'ndarray' else 'a'} {kind}"
