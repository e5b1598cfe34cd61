"""What is collected of a kernel while it is traced: instructions, diagnostics, and what is known of values."""

from __future__ import annotations

import ast
from collections.abc import Hashable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from ...diagnostics import Diagnostics
from ...ir.linking import joined
from ...ir.operation import Operation
from ...ir.values import Function, Value
from ..lang.traced import is_unknown
from .captures import Captures
from .intervals import Intervals
from .mutations import Containers


class StaticRequired(Exception):
    """Unwinds to the innermost loop that can be unrolled while tracing; its variable becomes a Python integer."""


class Functions:
    """The functions that a kernel calls, as far as it has been traced."""

    def __init__(self, kernel: str) -> None:
        self.specialized: dict[tuple[Hashable, ...], Any] = {}
        """By definition, types of arguments and constants."""
        self.active_traces: set[tuple[Hashable, ...]] = set()
        self._named: dict[str, Function | None] = {kernel: None}
        self._copied: dict[Function, Function] = {}

    def fresh(self, hint: str) -> str:
        """The wanted name, with a number appended where another function has it; it is taken from now on."""
        name, number = hint, 0
        while name in self._named:
            number += 1
            name = f"{hint}_{number}"
        self._named[name] = None
        return name

    def copied(self, other: Function) -> Function:
        """A copy of another kernel, whose functions this one has under names that are free; the same each time."""
        if other not in self._copied:
            self._copied[other], *called = joined([other], self._named).functions
            self._named.update((function.name, function) for function in called)
        return self._copied[other]

    def shared(self, function: Function) -> Function:
        """The function, or one that is the same but for its name, which other constants or regions gave."""
        name, text = function.name, str(function)
        for other in self._named.values():
            if other is not None and str(other).replace(f"@{other.name}(", f"@{name}(", 1) == text:
                del self._named[name]
                return other
        self._named[name] = function
        return function


class Builder:
    """Collects instructions. A kernel has one; the frames of inlined functions share it."""

    def __init__(self, operations: list[Operation]) -> None:
        self.diagnostics = Diagnostics()
        self.captures = Captures()
        self.operations = operations
        self.attributes: Mapping[str, Any] = {}
        """Those of the kernel, as they were given."""
        self.intervals = Intervals()
        """The known intervals of the kernel's integers."""
        self.is_spmd = False
        """Whether instructions are emitted into an SPMD region."""
        self.has_remainder = False
        """Whether a remainder that may be negative was found; only the first one is reported."""
        self.rebound: list[tuple[Value, ast.Name, Any, Any]] = []
        """New tensors that took the name of a parameter, with the place, its frame, and what the name was bound to."""
        self.containers = Containers()
        """The lists, dictionaries and sets that the kernel makes while it is traced."""
        self.functions = Functions("")
        """The functions that the kernel calls, and those that they call."""
        self.parameters: list[Value] | None = None
        """Those of the kernel, where arrays of the host may be further ones; None in a function that is called."""
        self.copy_count = 0
        """The number of cases behind which the others are written out twice."""
        self._static_loops = 0

    def of_function(self, operations: list[Operation]) -> Builder:
        """What collects a function that the kernel calls."""
        inner = Builder(operations)
        inner.diagnostics, inner.captures, inner.containers = self.diagnostics, self.captures, self.containers
        inner.attributes, inner.functions, inner.is_spmd = self.attributes, self.functions, self.is_spmd
        return inner

    @contextmanager
    def may_be_static(self) -> Iterator[None]:
        """Trace a loop that can be unrolled while tracing, where its body needs that."""
        self._static_loops += 1
        try:
            yield
        finally:
            self._static_loops -= 1

    def require_static(self) -> None:
        """Have the enclosing loop unrolled while tracing, if there is one that can be."""
        if self._static_loops:
            raise StaticRequired

    def learn_range(self, variable: Value, start: Value, stop: Value) -> None:
        """Note that a loop's variable lies from one bound up to the other."""
        if not (is_unknown(start) or is_unknown(stop)):
            self.intervals.learn(variable, self.intervals.of(start)[0], self.intervals.of(stop)[1] - 1)

    @contextmanager
    def into(self, operations: list[Operation]) -> Iterator[None]:
        """Emit the instructions of the block into this list."""
        outer, self.operations = self.operations, operations
        try:
            yield
        finally:
            self.operations = outer
