"""Functions of the work-group as a whole, as a kernel body calls them."""

from __future__ import annotations

from typing import Literal

from ..ops import Barrier, Builtin
from .function import Call, function_of
from .scalars import index
from .traced import describe


@function_of(Builtin, variant="group_id")
def group_id() -> index:
    """The work-group's number, from 0 to `group_size() - 1`, as an index. Manual: Builtin (mixed).

    >>> from pytl import Group, f32, group_id
    >>> from pytl.frontends.python import trace
    >>> def f(A: Group[f32, 16]):
    ...     a = A[group_id()]
    >>> print(trace(f))
    func @f(%A: group<memref<f32x16>x?>) {
      %0 = builtin.group_id : index
      %a = load %A[%0] : memref<f32x16>
    }
    """


@function_of(Builtin, variant="group_size")
def group_size() -> index:
    """The number of work-groups that were launched, as an index. Manual: Builtin (mixed)."""


def _build_barrier(call: Call) -> None:
    fences = {"global": False, "local": False}
    for fence in call.arguments["fences"]:
        if fence not in fences:
            call.fail(f'barrier takes "global" and "local", but got {describe(fence)}', argument="fences")
        fences[fence] = True
    call.emit(Barrier, global_fence=fences["global"], local_fence=fences["local"])


@function_of(Barrier, build=_build_barrier)
def barrier(*fences: Literal["global", "local"]) -> None:
    """No work-item continues until all work-items of the work-group have reached the barrier.

    `barrier("global", "local")` makes earlier writes to these memories visible to the work-group. In
    a collective region pytl inserts barriers by itself. Manual: Barrier.
    """
