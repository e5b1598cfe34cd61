"""The functions of a module that are on tensors."""

from __future__ import annotations

from collections.abc import Mapping

from ....diagnostics import Diagnostics
from ....mlir.text import Operation
from ..table import having
from . import elements, loops  # noqa: F401  which read operations, as `operations` does
from .bufferization import Bufferization, Bufferized
from .functions import Inliner, has_tensors

_SEVERAL = having("several")


def needs_memory(function: Operation) -> bool:
    """Whether a function has something that is rewritten before it is read."""
    return has_tensors(function) or any(op.name in _SEVERAL for op in function.walk())


def bufferized(function: Operation, functions: Mapping[str, Operation], diagnostics: Diagnostics) -> Bufferized:
    """A function on memrefs. Raises `Refused` where it can't be rewritten, which has been reported."""
    inliner = Inliner(functions, diagnostics)
    return Bufferization(inliner, diagnostics).function(function)
