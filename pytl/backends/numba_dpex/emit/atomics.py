"""Atomic accesses with a memory order, in generated source: the functions of the device library."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from typing import Any

from ....ir.meanings import Meanings
from ....ops import AtomicLoad, AtomicStore, AtomicUpdate
from ....ops.memory import ACCUMULATING
from .writer import MemrefCode, Writer

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


def access(op: Any, tensor: MemrefCode, indices: Sequence[str], *data: str) -> str:
    """The call that makes an access of an element, or of an element for a component of a matrix."""
    word = op.mnemonic.partition(".")[2].removeprefix("cooperative_matrix_")
    arguments = (tensor.pointer, tensor.offset(indices), *data)
    return f"{word}{_SCOPES[op.scope]}_{_ORDERS[op.order]}({', '.join(arguments)})"


def write(
    writer: Writer,
    op: AtomicLoad | AtomicStore | AtomicUpdate,
    by_each: Callable[[bool], AbstractContextManager[None]],
) -> None:
    """Write an access; `by_each` is around what each work-item adds."""
    indices = [writer.scalar(value) for value in op.indices]
    data = [writer.scalar(getattr(op, name)) for name in ("data", "factor") if name in op.parts]
    call = access(op, writer.memref(op.tensor), indices, *data)
    with by_each(getattr(op, "flag", "") in ACCUMULATING):
        if isinstance(op, AtomicStore):
            writer.line(call)
        else:
            writer.assign(op.result, call)
