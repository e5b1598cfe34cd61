"""A kernel's parameter at launch, and how the check of its argument reports problems."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ...diagnostics import Rule
from ...ir.types import Type
from ...ir.values import MODES, UNSIGNED
from ...process.records import dataclass

Report = Callable[[Rule, str, "str | None"], None]


@dataclass(frozen=True)
class Parameter:
    """The information about a parameter that a launch needs."""

    name: str
    type: Type
    attributes: dict[str, Any]
    written: bool

    @property
    def unsigned(self) -> bool:
        """Whether the integers of the argument are unsigned; the kernel computes with the same bits."""
        return bool(self.attributes.get(UNSIGNED))

    @property
    def modes(self) -> list[int] | None:
        """For each mode of the memref, which mode of the array it is; None where these are the same."""
        return self.attributes.get(MODES)


def what(argument: Any) -> str:
    """The kind of an object, in the words of a message."""
    if argument is None:
        return "None"
    kind = type(argument).__name__.removesuffix("_")  # NumPy 1 has bool_ and str_
    return f"{'an' if kind[0] in 'aeio' or kind == 'ndarray' else 'a'} {kind}"
