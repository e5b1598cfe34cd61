"""A kernel of gpu as a function on memrefs."""

from __future__ import annotations

from dataclasses import replace
from math import prod

from ....diagnostics import Diagnostics
from ....mlir.text import Block, Function, Memref, Operation, Region
from ..branches import Unstructured, one_block
from ..hosts import lanes_of
from . import (
    blocks,  # noqa: F401  adds how operations of xegpu are rewritten
    control,  # noqa: F401  adds those of scf and gpu
    vectors,  # noqa: F401  adds those of vector
)
from .flattening import INTERPRETED, Flattening
from .lanes import has_lanes, lanes, obstacle
from .plain_types import with_plain_types

_WHAT_RUNS = (
    "numbers and vectors of work-items, their shuffles, reductions and barriers run on all backends; matrices, "
    "descriptors and printing of single work-items on the interpreter, backend reference"
)


def flattened(kernel: Operation, name: str, diagnostics: Diagnostics, sizes: tuple[int, ...] | None) -> Operation:
    """A function on memrefs that does what a kernel does. Raises `Refused` where there is none, which is reported.

    `sizes` are the work-items of a work-group, if they are known.
    """
    flattening = Flattening(kernel, diagnostics, None if sizes is None else -(-prod(sizes) // lanes_of(kernel)))
    if len(kernel.regions[0].blocks) != 1:
        try:
            whole = one_block(kernel.regions[0].blocks)
        except Unstructured as problem:
            flattening.fail(problem.op or kernel, f"its blocks branch: {problem}", INTERPRETED)
        kernel = replace(kernel, regions=[Region([whole])])
    kernel = with_plain_types(kernel)
    block = kernel.regions[0].blocks[0]
    type_ = kernel.attributes.get("function_type")
    count = len(type_.inputs) if isinstance(type_, Function) else len(block.arguments)
    parameters = block.arguments[:count]
    if has_lanes(kernel):
        found = obstacle(kernel)
        if found is not None:
            message = "it is no operation on a work-item's numbers, in a kernel whose work-items ask for theirs"
            flattening.fail(found, message, _WHAT_RUNS)
        if sizes is None:
            help = "say known_block_size, or launch it with constants"
            flattening.fail(kernel, "its work-items differ, and how many a work-group has is not known", help)
        lanes(flattening, kernel, sizes, lanes_of(kernel), count)
    else:
        for local, local_type in block.arguments[count:]:
            if isinstance(local_type, Memref):
                flattening.allocated(local, local_type)
        flattening.block(block.operations)
    end = Operation("func.return", [], [], [], [], {}, location=kernel.location)
    operations = [*flattening.heads, *flattening.out, end]
    body = Block("", list(parameters), operations, block.locations)
    attributes = {
        "sym_name": name,
        "function_type": Function(tuple(each for _, each in parameters), ()),
        "arg_attrs": (),
    }
    return Operation("func.func", [], [], [], [], attributes, [Region([body])], location=kernel.location)
