"""The functions of a text that pytl executes."""

from __future__ import annotations

from ...diagnostics import Diagnostics
from ...ir.values import Module
from . import rules, tree


def kernels_of(module: tree.Module, diagnostics: Diagnostics, name: str) -> Module:
    """Those functions of a checked tree that become kernels; of the others, a note says why not."""
    for function in module.functions:
        if function.blocks is not None:
            diagnostics.report(rules.NOT_EXECUTED, f"@{function.name} is no kernel", function.location)
    return Module()
