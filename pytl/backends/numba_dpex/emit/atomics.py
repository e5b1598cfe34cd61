"""Atomic accesses with a memory order, in generated source: the functions of the device library."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager

from ....ir.meanings import Meanings
from ....ops import AtomicAdd, AtomicLoad, AtomicStore, AtomicUpdate
from .writer import Writer

_ORDERS = Meanings(
    "generated source, memory orders",
    {
        "relaxed": "relaxed",
        "acquire": "acquire",
        "release": "release",
        "acquire_release": "acquire_release",
        "sequentially_consistent": "sequentially_consistent",
    },
)
"""What the names of the functions end with."""
_SCOPES = Meanings("generated source, scopes", {"cross_device": "", "device": "", "work_group": "", "subgroup": ""})
"""The same: all functions have the scope of all devices, which has the narrower ones."""


def write(
    writer: Writer,
    op: AtomicLoad | AtomicStore | AtomicUpdate,
    by_each: Callable[[bool], AbstractContextManager[None]],
) -> None:
    """Write an access; `by_each` is around what each work-item adds."""
    tensor = writer.memref(op.tensor)
    given = [tensor.pointer, tensor.offset([writer.scalar(value) for value in op.indices])]
    if not isinstance(op, AtomicLoad):
        given.append(writer.scalar(op.data))
    function = f"{op.mnemonic.removeprefix('v04.')}{_SCOPES[op.scope]}_{_ORDERS[op.order]}"
    call = f"{function}({', '.join(given)})"
    with by_each(isinstance(op, AtomicAdd)):
        if isinstance(op, AtomicStore):
            writer.line(call)
        else:
            writer.assign(op.result, call)
