"""Functions of the host that have tensors: the same on memrefs, which the host allocates where it needs some."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace

from ....diagnostics import Diagnostics
from ....mlir.text import Operation, Region
from ..context import Refused
from .functions import Inliner
from .module import needs_memory
from .on_host import OnHost


def is_executable(function: Operation, functions: Mapping[str, Operation]) -> bool:
    """Whether the host can execute a function, and its tensors can have memory there."""
    diagnostics = Diagnostics()
    with suppress(Refused):
        OnHost(Inliner(functions, diagnostics), diagnostics).on_memrefs(function)
    return not diagnostics.errors


def on_memrefs(module: Operation, names: Sequence[str], diagnostics: Diagnostics) -> Operation:
    """A module, of which the functions with these names have memrefs in place of tensors."""
    functions = {
        str(op.attributes.get("sym_name")): op for op in module.walk() if op.name == "func.func" and not op.is_broken
    }
    inliner = Inliner(functions, diagnostics)
    globals: list[Operation] = []

    def rewritten(op: Operation) -> Operation:
        if op.name == "builtin.module":
            blocks = [replace(each, operations=[*map(rewritten, each.operations)]) for each in op.regions[0].blocks]
            return replace(op, regions=[Region(blocks)])
        if op.attributes.get("sym_name") not in names or op.name != "func.func" or not needs_memory(op):
            return op
        state = OnHost(inliner, diagnostics)
        with suppress(Refused):
            made = state.on_memrefs(op)
            globals.extend(state.globals.values())
            return made
        return op

    whole = rewritten(module)
    first = whole.regions[0].blocks[0]
    block = replace(first, operations=[*globals, *first.operations])
    return replace(whole, regions=[Region([block, *whole.regions[0].blocks[1:]])])
