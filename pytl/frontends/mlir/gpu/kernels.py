"""A kernel of gpu as a function on memrefs."""

from __future__ import annotations

from ....diagnostics import Diagnostics
from ....mlir.text import Block, Function, Operation, Region
from . import (
    blocks,  # noqa: F401  adds how operations of xegpu are rewritten
    control,  # noqa: F401  adds those of scf and gpu
    vectors,  # noqa: F401  adds those of vector
)
from .flattening import NO_SIZES, Flattening


def flattened(kernel: Operation, name: str, diagnostics: Diagnostics, subgroups: int | None) -> Operation:
    """A function on memrefs that does what a kernel does. Raises `Refused` where there is none, which is reported."""
    flattening = Flattening(diagnostics, subgroups)
    if len(kernel.regions[0].blocks) != 1:
        flattening.fail(kernel, "its blocks branch", "the interpreter executes it")
    block = kernel.regions[0].blocks[0]
    type_ = kernel.attributes.get("function_type")
    count = len(type_.inputs) if isinstance(type_, Function) else len(block.arguments)
    parameters = block.arguments[:count]
    flattening.types.update(block.arguments)
    flattening.location = kernel.location
    for local, local_type in block.arguments[count:]:
        made = Operation("memref.alloca", [], [local], [], [local_type], dict(NO_SIZES), location=kernel.location)
        flattening.allocations.append(made)
    flattening.block(block.operations)
    end = Operation("func.return", [], [], [], [], {}, location=kernel.location)
    operations = [*flattening.heads, *flattening.allocations, *flattening.target.operations, end]
    body = Block("", list(parameters), operations, block.locations)
    attributes = {
        "sym_name": name,
        "function_type": Function(tuple(each for _, each in parameters), ()),
        "arg_attrs": (),
    }
    return Operation("func.func", [], [], [], [], attributes, [Region([body])], location=kernel.location)
