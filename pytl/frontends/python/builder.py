"""What is collected of a kernel while it is traced: instructions, diagnostics, and what is known of values."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from ...diagnostics import Diagnostics
from ...ir.operation import Operation
from ...ir.values import Value
from ...lang.traced import is_unknown
from .captures import Captures
from .intervals import Intervals
from .made import Made


class StaticWanted(Exception):
    """Unwinds to the innermost loop that can be unrolled while tracing; its variable becomes a Python integer."""


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
        self.made = Made()
        """The lists, dictionaries and sets that the kernel makes while it is traced."""
        self.doubled = 0
        """The number of cases behind which the others are written out twice."""
        self._static_loops = 0

    @contextmanager
    def may_be_static(self) -> Iterator[None]:
        """Trace a loop that can be unrolled while tracing, where its body needs that."""
        self._static_loops += 1
        try:
            yield
        finally:
            self._static_loops -= 1

    def want_static(self) -> None:
        """Have the enclosing loop unrolled while tracing, if there is one that can be."""
        if self._static_loops:
            raise StaticWanted

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
