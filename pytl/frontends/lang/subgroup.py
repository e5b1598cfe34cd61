"""Operations over the work-items of a sub-group: `subgroup.add.reduce(x)`, `subgroup.broadcast(x, lane)`."""

from __future__ import annotations

from ...ops import Builtin, SubgroupAdd, SubgroupBroadcast, SubgroupBuiltin, SubgroupMax, SubgroupMin, SubgroupOperation
from ...ops.subgroup import OPERATIONS
from .function import function_of
from .scalars import V, i32


@function_of(SubgroupBuiltin, variant="subgroup_id", name="subgroup.id")
def id() -> i32:
    """The number of the work-item's sub-group, from 0 to `subgroup.count() - 1`, as an i32.

    Allowed in SPMD regions. Manual: Builtin (SPMD).
    """


@function_of(SubgroupBuiltin, variant="subgroup_local_id", name="subgroup.local_id")
def local_id() -> i32:
    """The number of the work-item in its sub-group, from 0 to `subgroup.size() - 1`, as an i32.

    Allowed in SPMD regions. Manual: Builtin (SPMD).

    >>> from pytl import Memref, f32, index, parallel, subgroup
    >>> from pytl.frontends.python import trace
    >>> def f(A: Memref[f32, 16]):
    ...     with parallel():
    ...         A[index(subgroup.local_id())] = 1.0
    >>> print(str(trace(f)).splitlines()[2].strip())
    %0 = builtin.subgroup_local_id : i32
    """


@function_of(Builtin, variant="subgroup_size", name="subgroup.size")
def size() -> i32:
    """The number of work-items of a sub-group, as an i32. Manual: Builtin (mixed)."""


@function_of(Builtin, variant="num_subgroups", name="subgroup.count")
def count() -> i32:
    """The number of sub-groups of a work-group, as an i32. Manual: Builtin (mixed)."""


@function_of(SubgroupBroadcast, name="subgroup.broadcast")
def broadcast(a: V, local_id: i32 | int) -> V:
    """Broadcasts the number of one work-item to all work-items of the sub-group.

    `local_id` is an i32, the same for all work-items of the sub-group. Allowed in SPMD regions. Manual: Subgroup
    broadcast.

    >>> from pytl import Memref, f32, parallel, subgroup
    >>> from pytl.frontends.python import trace
    >>> def f(x: f32):
    ...     with parallel():
    ...         y = subgroup.broadcast(x, 0)
    >>> print(str(trace(f)).splitlines()[3].strip())
    %y = subgroup_broadcast %x, %0 : f32
    """


class SubgroupFunctions:
    """An operation over the values of a sub-group: `reduce`, or one of two scans in the order of the local ids."""

    def __init__(self, operation: type[SubgroupOperation]) -> None:
        name = operation.mnemonic.replace("_", ".", 1)
        for variant in OPERATIONS:
            declare = function_of(operation, variant=variant, name=f"{name}.{variant}")
            setattr(self, variant, declare(getattr(SubgroupFunctions, variant)))

    @staticmethod
    def reduce(a: V) -> V:
        """The sum, maximum or minimum over the sub-group, in the type of the number; each work-item gets it.

        Sums take numbers of any type, maxima and minima those that aren't complex. Allowed in SPMD regions.
        Manual: Subgroup add, Subgroup max, Subgroup min.

        >>> from pytl import Memref, f32, parallel, subgroup
        >>> from pytl.frontends.python import trace
        >>> def f(x: f32):
        ...     with parallel():
        ...         y = subgroup.add.reduce(x)
        ...         z = subgroup.max.reduce(y)
        >>> print(*(line.strip() for line in str(trace(f)).splitlines()[2:4]), sep="\\n")
        %y = subgroup_add.reduce %x : f32
        %z = subgroup_max.reduce %y : f32
        """

    @staticmethod
    def inclusive_scan(a: V) -> V:
        """The inclusive scan: the operation over this work-item and those before it, in the type of the number.

        Sums take numbers of any type, maxima and minima those that aren't complex. Allowed in SPMD regions.
        Manual: Subgroup add, Subgroup max, Subgroup min.
        """

    @staticmethod
    def exclusive_scan(a: V) -> V:
        """The exclusive scan: the operation over the work-items before this one, in the type of the number.

        The first one gets the identity: 0 for a sum; for a maximum the least integer, or -∞; for a minimum the
        largest, or +∞. Sums take numbers of any type, maxima and minima those that aren't complex. Allowed in SPMD
        regions. Manual: Subgroup add, Subgroup max, Subgroup min.
        """


add = SubgroupFunctions(SubgroupAdd)
"""The sum over the work-items of a sub-group."""
max = SubgroupFunctions(SubgroupMax)
"""The maximum over the work-items of a sub-group."""
min = SubgroupFunctions(SubgroupMin)
"""The minimum over the work-items of a sub-group."""
