"""A kernel of gpu as a function on memrefs."""

from __future__ import annotations

from math import prod

from ....diagnostics import Diagnostics
from ....mlir.text import Block, Function, Operation, Region
from ..hosts import is_of_single_items
from . import (
    blocks,  # noqa: F401  adds how operations of xegpu are rewritten
    control,  # noqa: F401  adds those of scf and gpu
    vectors,  # noqa: F401  adds those of vector
)
from .flattening import NO_SIZES, Flattening
from .items import OF_ITEMS, items

SUBGROUP = 16
"""The work-items of a sub-group, where a kernel does not say."""


def flattened(kernel: Operation, name: str, diagnostics: Diagnostics, sizes: tuple[int, ...] | None) -> Operation:
    """A function on memrefs that does what a kernel does. Raises `Refused` where there is none, which is reported.

    `sizes` are the work-items of a work-group, if they are known.
    """
    flattening = Flattening(diagnostics, None if sizes is None else -(-prod(sizes) // SUBGROUP))
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
    if sizes is not None and is_of_single_items(kernel) and any(op.name in OF_ITEMS for op in kernel.walk()):
        items(flattening, block.operations, sizes)
    else:
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
