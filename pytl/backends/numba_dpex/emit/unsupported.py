"""Instructions that the SYCL backend does not compile: told all at once, each at its first place."""

from __future__ import annotations

from collections.abc import Container

from ....diagnostics import Diagnostic, PytlError, Rule
from ....ir.operation import Operation
from ....ir.values import Function

UNSUPPORTED = Rule("PYTL-3010", "a backend compiles every instruction of a lowered function", "numba_dpex backend")


def refuse_unsupported(function: Function, written: Container[type[Operation]]) -> None:
    """Raise an error for what no function writes."""
    missing: dict[str, Operation] = {}
    for op in function.walk():
        if type(op) not in written:
            missing.setdefault(op.word, op)
    if missing:
        help = 'launch with backend="reference", which executes the whole language'
        raise PytlError(
            [
                Diagnostic(UNSUPPORTED, f"numba_dpex does not compile {word} yet", op.location, help)
                for word, op in missing.items()
            ]
        )
