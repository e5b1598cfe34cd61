"""The functions of a module that are on tensors."""

from __future__ import annotations

from collections.abc import Mapping

from ....diagnostics import Diagnostics
from ....mlir.text import Operation
from . import elements, loops, operations
from .bufferization import Bufferization, Bufferized
from .functions import Inliner, has_tensors

_SEVERAL = frozenset(("linalg.softmax", "linalg.pack", "linalg.unpack", "bufferization.clone", "bufferization.dealloc"))
"""Operations that become others, on memrefs too."""
HANDLERS = {**operations.HANDLERS, **elements.HANDLERS, **loops.HANDLERS}


def needs_memory(function: Operation) -> bool:
    """Whether a function has something that is rewritten before it is read."""
    return has_tensors(function) or any(op.name in _SEVERAL for op in function.walk())


def bufferized(function: Operation, functions: Mapping[str, Operation], diagnostics: Diagnostics) -> Bufferized:
    """A function on memrefs. Raises `Refused` where it can't be rewritten, which has been reported."""
    inliner = Inliner(functions, diagnostics)
    return Bufferization(inliner, HANDLERS, diagnostics).function(function)
