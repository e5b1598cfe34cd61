"""How a launch passes arguments, where that is more than an order of names: defaults, `/`, `*` and `*arrays`."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from ..backends import rules
from ..diagnostics import LaunchError, call_site
from ..process.records import dataclass

_P = inspect.Parameter
NEEDED = inspect.Parameter.empty
"""The default of a parameter that has none."""


_KINDS = (_P.POSITIONAL_ONLY, _P.POSITIONAL_OR_KEYWORD, _P.KEYWORD_ONLY)
_TYPES: Mapping[str, Callable[[str], Any]] = {
    "bool": {"True": True, "False": False}.__getitem__,
    "int": int,
    "float": float,
    "complex": complex,
}


@dataclass(frozen=True)
class PythonParameter:
    """A parameter of a launch; `is_constant` tells one that the kernel is specialized by."""

    name: str
    kind: Any
    default: Any = NEEDED
    is_constant: bool = False

    @property
    def is_plain(self) -> bool:
        """Whether it is passed by position or name, each time."""
        has_default = self.default is not NEEDED and not self.is_constant
        return self.kind is _P.POSITIONAL_OR_KEYWORD and not has_default


@dataclass(frozen=True)
class PythonSignature:
    """The parameters of a kernel's launches, in their order."""

    kernel: str
    parameters: tuple[PythonParameter, ...]

    @property
    def is_plain(self) -> bool:
        return all(parameter.is_plain for parameter in self.parameters)

    @property
    def star(self) -> str | None:
        """The parameter that takes several arguments."""
        return next((p.name for p in self.parameters if p.kind is _P.VAR_POSITIONAL), None)

    def bind(self, positional: Sequence[Any], named: Mapping[str, Any]) -> dict[str, Any]:
        """The arguments by parameter, with defaults; constants that are not passed are left out.

        Raises `pytl.LaunchError` where Python refuses such a call.
        """
        signature = inspect.Signature(
            [inspect.Parameter(p.name, p.kind, default=_default(p)) for p in self.parameters],
            __validate_parameters__=False,
        )
        try:
            bound = signature.bind(*positional, **named)
        except TypeError as error:
            written = ", ".join(map(str, self._written()))
            raise LaunchError.single(
                rules.COUNT, f"{self.kernel}({written}): {error}", call_site(), "pass what the parameters take"
            ) from None
        bound.apply_defaults()
        return {name: value for name, value in bound.arguments.items() if value is not _LEFT_OUT}

    def in_order(self, by_name: Mapping[str, Any]) -> list[Any]:
        """Arguments by parameter in the order of the kernel's own parameters."""
        arguments: list[Any] = []
        for parameter in self.parameters:
            if parameter.name in by_name:
                item = by_name[parameter.name]
                arguments += item if parameter.kind is _P.VAR_POSITIONAL else [item]
        return arguments

    def without_constants(self) -> PythonSignature:
        """The signature of the kernel that was traced for the values of its constants."""
        return PythonSignature(self.kernel, tuple(p for p in self.parameters if not p.is_constant))

    def to_json(self) -> list[dict[str, str]]:
        """What `from_json` reads; defaults are texts of their type, since JSON has no complex numbers."""
        return [
            {"name": p.name, "kind": p.kind.name}
            | ({} if p.default is NEEDED else {"type": type(p.default).__name__, "default": repr(p.default)})
            for p in self.parameters
        ]

    @staticmethod
    def from_json(kernel: str, content: Any, names: Sequence[str]) -> PythonSignature:
        """The signature that was written. Raises ValueError for what `to_json` does not write of these parameters."""
        parameters = []
        try:
            for entry, name in zip(content, names, strict=True):
                kind, default = getattr(_P, entry["kind"]), NEEDED
                if entry["name"] != name or kind not in _KINDS:
                    raise ValueError("a parameter is called otherwise")
                if "default" in entry:
                    default = _TYPES[entry["type"]](entry["default"])
                parameters.append(PythonParameter(name, kind, default))
        except (AttributeError, KeyError, TypeError, ValueError) as error:
            raise ValueError(f"the way to pass arguments to {kernel} is wrong: {error}") from None
        return PythonSignature(kernel, tuple(parameters))

    def _written(self) -> list[str]:
        """The parameters, as Python writes them."""
        words: list[str] = []
        for position, parameter in enumerate(self.parameters):
            default = "" if parameter.default is NEEDED else f"={parameter.default!r}"
            star = "*" if parameter.kind is _P.VAR_POSITIONAL else ""
            if parameter.kind is _P.KEYWORD_ONLY and not any("*" in word for word in words):
                words.append("*")
            words.append(f"{star}{parameter.name}{default}")
            after = self.parameters[position + 1].kind if position + 1 < len(self.parameters) else None
            if parameter.kind is _P.POSITIONAL_ONLY and after is not _P.POSITIONAL_ONLY:
                words.append("/")
        return words


_LEFT_OUT: Any = object()


def _default(parameter: PythonParameter) -> Any:
    if parameter.kind is _P.VAR_POSITIONAL:
        return NEEDED
    return _LEFT_OUT if parameter.is_constant else parameter.default
