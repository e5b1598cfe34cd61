"""Instructions that the SYCL backend does not compile: reported together, each at its first place."""

from __future__ import annotations

from collections.abc import Container

from ....diagnostics import Diagnostic, PytlError, Rule
from ....ir.operation import Operation
from ....ir.values import Function, Region
from ....passes.targets import vector

UNSUPPORTED = Rule("PYTL-3010", "a backend compiles every instruction of a lowered function", "numba_dpex backend")


def refuse_unsupported(function: Function, supported: Container[type[Operation]]) -> None:
    """Raise an error for instructions that no function writes; kernels only contain what they support."""
    unsupported: dict[str, Operation] = {}

    def check_region(region: Region) -> None:
        for op in region.operations:
            if type(op) not in supported:
                unsupported.setdefault(op.display_name, op)
            if not isinstance(op, (vector.Code, vector.WorkItems)):
                for inner in op.regions:
                    check_region(inner)

    check_region(function.body)
    if unsupported:
        help = 'launch with backend="reference", which executes the whole language'
        raise PytlError(
            [
                Diagnostic(UNSUPPORTED, f"numba_dpex does not compile {word} yet", op.location, help)
                for word, op in unsupported.items()
            ]
        )
