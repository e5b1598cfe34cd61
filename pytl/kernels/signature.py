"""How a kernel is called: its Python parameters, which may be more than an order of arrays and numbers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ..frontends.python import Parameter
from ..launch.symbols import SizeUse, inferred
from ..process.once import once
from ..process.records import dataclass
from .python_signature import PythonParameter, PythonSignature


def is_open(parameter: Parameter) -> bool:
    """Whether a kernel is specialized by a parameter: its value, or the number of arguments that it stands for."""
    return parameter.is_constexpr or parameter.is_open


@dataclass(frozen=True, eq=False)
class CallSignature:
    """The parameters of a kernel's calls. Each fact is found at its first use."""

    name: str
    parameters: Sequence[Parameter]
    """Those of the Python function; none for a kernel that was text."""
    constexprs: frozenset[str]
    """The constexpr parameters that have values already."""
    known_sizes: Sequence[SizeUse] | None = None
    """The named sizes of a kernel without a Python function, and how it is called."""
    known_python: PythonSignature | None = None

    @once
    def open(self) -> Sequence[Parameter]:
        """The constexpr parameters that were given no value yet; they are arguments of calls until then."""
        return [p for p in self.parameters if is_open(p) and p.name not in self.constexprs]

    @once
    def sizes(self) -> Sequence[SizeUse]:
        """Where sizes have names that a launch gives numbers."""
        if self.known_sizes is not None:
            return self.known_sizes
        arrays = [p for p in self.parameters if not is_open(p)]
        return tuple(
            SizeUse(position, p.name, mode, size) for position, p in enumerate(arrays) for mode, size in p.sizes
        )

    @once
    def python(self) -> PythonSignature | None:
        """How calls pass arguments, where that is more than an order of names; None for all other kernels."""
        python = self.known_python
        if python is None:
            of_calls = [p for p in self.parameters if p.name not in self.constexprs or p.star is not None]
            python = PythonSignature(
                self.name, tuple(PythonParameter(p.name, p.kind, p.default, p.is_constexpr) for p in of_calls)
            )
        return None if python.is_plain else python

    @once
    def python_of_arrays(self) -> PythonSignature | None:
        """The same of the kernel that was traced for values of its constexpr parameters."""
        return self.python.without_constants() if self.python is not None else None

    @once
    def is_plain(self) -> bool:
        """Whether the arguments of calls are those of the traced function, in order."""
        return not self.open and self.python is None

    def divided(
        self, positional: Sequence[Any], named: Mapping[str, Any], may_be_none: bool = False
    ) -> tuple[dict[str, Any], Sequence[Any], Mapping[str, Any]]:
        """The values of constexpr parameters, and the arguments of the traced function with defaults filled in.

        Where there `may_be_none`, no arguments at all are no mistake.
        """
        if self.python is not None and (positional or named or not may_be_none):
            return self._by_python(self.python, self.python.bind(positional, named))
        names = [p.name for p in self.parameters if p.name not in self.constexprs]
        open_names = [p.name for p in self.open]
        if not open_names:
            return {}, positional, named
        values = {name: value for name, value in named.items() if name in open_names}
        values.update({name: value for name, value in zip(names, positional) if name in open_names})
        rest = [value for name, value in zip(names, positional) if name not in open_names]
        rest += list(positional[len(names) :])
        remaining = {name: value for name, value in named.items() if name not in open_names}
        left = [name for name in open_names if name not in values]
        if left:
            arrays = dict(zip((name for name in names if name not in open_names), rest), **remaining)
            values |= inferred(self.sizes, arrays, left)
        return values, rest, remaining

    def _by_python(
        self, python: PythonSignature, arguments: dict[str, Any]
    ) -> tuple[dict[str, Any], Sequence[Any], Mapping[str, Any]]:
        open_names = [p.name for p in self.open]
        values = {name: arguments.pop(name) for name in open_names if name in arguments and name != python.star}
        left = [name for name in open_names if name not in values and name != python.star]
        if left:
            values |= inferred(self.sizes, arguments, left)
        if python.star in open_names:
            values[python.star] = len(arguments[python.star])
        return values, python.in_order(arguments), {}
