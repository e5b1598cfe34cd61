"""Which work-group one is, and of how many."""

from __future__ import annotations

from collections.abc import Sequence

from ....ir.types import index
from ....mlir.text import Operation
from ....ops import Builtin, GroupId, NumGroups
from .. import rules
from ..context import Context, reads
from ..values import Result

_ALONG_X = {"gpu.block_id": "group_id", "gpu.grid_dim": "group_size"}
_ELSEWHERE = {"gpu.block_id": GroupId, "gpu.grid_dim": NumGroups}


@reads("gpu.block_id", "gpu.grid_dim")
def _number(ctx: Context, op: Operation) -> Sequence[Result]:
    axis = op.word_of("dimension")
    if axis not in ("x", "y", "z"):
        ctx.fail(op, rules.OPERANDS, f"{axis} is no dimension of a grid")
    kind, variant = (Builtin, _ALONG_X[op.name]) if axis == "x" else (_ELSEWHERE[op.name], axis)
    value = ctx.builder.add(kind(op.location, [index], variant=variant)).results[0]
    ctx.positive.add(value)
    return [value]
