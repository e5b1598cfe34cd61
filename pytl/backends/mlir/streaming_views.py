"""Views whose places LLVM does not see into: large ones of each work-group, of which all sizes and strides are known.

LLVM would take the addresses of the slices of a tile for as many numbers that grow from work-group to work-group, and
add to each of them in each iteration of a loop. Where a view has an address of its own, slices share that. Of small
views, whose blocks of tiles have no loop around them, the address costs more than it saves.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import prod
from typing import Any

from ...mlir.text.builder import Value
from ...ops import Subview
from ...ops.constants import constant_of
from . import types
from .emit import Emitter, hint_of
from .memory import POINTER

LARGE = 1 << 12
"""Elements from which on a view is large. By counts for f32, 64 by 64 takes 0.81 of the instructions, 48 by 48 1.01."""
_BEHIND = "llvm.strip.invariant.group.p0"
"""An intrinsic that LLVM does not look through, until it has chosen the addresses of loops."""


def opaque(emitter: Emitter, pointer: Value) -> Value:
    """A pointer that LLVM does not look through."""
    return emitter.to.op("llvm.call_intrinsic", [pointer], type=POINTER, hint="place", intrin=_BEHIND)


def subview(emitter: Emitter, op: Subview) -> None:
    emitter.subview(op)
    type_ = op.result.type
    is_moving = any(constant_of(piece.offset) is None for piece in op.slices if not isinstance(piece.offset, int))
    if not (is_moving and type_.is_static) or prod(n for n in types.sizes(type_) if isinstance(n, int)) < LARGE:
        return
    view = emitter.memref(op.result)
    pointer = opaque(emitter, emitter.memory.pointer(view, [emitter.to.constant(0)] * type_.order))
    emitter.bind(op.result, emitter.memory.at(pointer, type_, hint_of(op.result)))


VIEW_CODE: Mapping[type[Any], Any] = {Subview: subview}
