"""Functions of the work-group as a whole, as a kernel body calls them."""

from __future__ import annotations

from typing import Any, Literal

from ...ir.operation import Operation
from ...ops import Barrier, Builtin, GroupId, NumGroups
from .function import Call, function_of
from .scalars import index
from .traced import describe

Along = Literal[0, 1, 2, "x", "y", "z"]
_ALONG = {0: "x", 1: "y", 2: "z", "x": "x", "y": "y", "z": "z"}


def _build_along(call: Call, of_x: str, of_others: type[Operation]) -> Any:
    """The instruction about x, which the manual has, or about y or z."""
    along = call.arguments["along"]
    if isinstance(along, bool) or not isinstance(along, (int, str)) or along not in _ALONG:
        message = f"along of {call.function.name} is {describe(along)}, not one of 0, 1, 2, 'x', 'y' and 'z'"
        call.fail(message, argument="along")
    if _ALONG[along] == "x":
        return call.emit(Builtin, variant=of_x).result
    return call.emit(of_others, variant=_ALONG[along]).result


def _build_group_id(call: Call) -> Any:
    return _build_along(call, "group_id", GroupId)


def _build_group_size(call: Call) -> Any:
    return _build_along(call, "group_size", NumGroups)


@function_of(GroupId, build=_build_group_id)
def group_id(along: Along = "x") -> index:
    """The work-group's number, from 0 to `group_size() - 1`, as an index. Manual: Builtin (mixed).

    Of a launch `k[x, y, z]` it is the place along x; `group_id("y")` or `group_id(1)` is that along y, from 0 to
    `group_size("y") - 1`, and so for z.

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


@function_of(NumGroups, build=_build_group_size)
def group_size(along: Along = "x") -> index:
    """The number of work-groups that were launched along x, or "y" or "z", as an index. Manual: Builtin (mixed).

    >>> from pytl import Memref, group_id, group_size, index
    >>> from pytl.frontends.python import trace
    >>> def f(A: Memref[index, ..., ...]):
    ...     A[group_id(), group_id("y")] = group_size(1)
    >>> for line in str(trace(f)).splitlines()[1:4]:
    ...     print(line.strip())
    %0 = v04.num_groups.y : index
    %1 = builtin.group_id : index
    %2 = v04.group_id.y : index
    """


def _build_barrier(call: Call) -> None:
    fences = {"global": False, "local": False}
    for fence in call.arguments["fences"]:
        if not isinstance(fence, str) or fence not in fences:
            call.fail(f'barrier takes "global" and "local", but got {describe(fence)}', argument="fences")
        fences[fence] = True
    call.emit(Barrier, global_fence=fences["global"], local_fence=fences["local"])


@function_of(Barrier, build=_build_barrier)
def barrier(*fences: Literal["global", "local"]) -> None:
    """No work-item continues until all work-items of the work-group have reached the barrier.

    `barrier("global", "local")` makes earlier writes to these memories visible to the work-group. In
    a collective region pytl inserts barriers by itself. Manual: Barrier.
    """
