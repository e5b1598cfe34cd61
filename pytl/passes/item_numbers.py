"""Functions whose work-groups compute numbers: what is copied for many of them at once, and if that gains.

    g = group_id()
    total = f32(0.0)
    for i in range(32):
        total += X[g, i]
    for i in foreach(32):
        Y[g, i] = X[g, i] / total

A loop may have vectors of its own, along a `foreach` or a row. Work-groups as lanes gain nothing there, but where these
vectors are shorter, where their elements lie apart, or where the lanes of a row are joined for each work-group.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from ..ir.clone import clone_operation
from ..ir.values import Function, Region, Value
from ..ops import Builtin, For, Foreach, Load, Math, Store
from ..ops.views import root_of
from ..process.records import dataclass
from .analysis.uniformity import variation_among_groups, variation_of
from .cpu_items import counted
from .cpu_kernels import free_rows, lanes_for_points, row_as_point
from .diverging_loops import COMPUTE
from .flatten import flattened
from .targets.interleaved import accesses_apart
from .targets.machine import Machine
from .targets.turned_loops import has_turned_loops


@dataclass(frozen=True)
class Copies:
    """What is copied for work-groups that are lanes."""

    tensors: Sequence[Value]
    """The tensors whose parts are copied. For numbers, a work-group accesses most elements of such a part, and they lie
    otherwise than lanes have them.
    """
    from_caches_alone: bool
    """Whether so little is computed that work-groups are no lanes where their parts come from memory."""


@dataclass(frozen=True)
class _Vectors:
    """A loop that has vectors where its work-group is executed by itself."""

    loop: For | Foreach
    lanes: int
    apart: set[Load | Store]
    """What is accessed by themselves for the lanes."""
    joined: int
    """The lanes that are joined to numbers behind the loop."""


def worth_copying(
    function: Function, tensors: Sequence[Value], machine: Machine, lanes: int, fastmath: bool
) -> Copies | None:
    """What is copied of tensors of which a work-group accesses its own part alone; None where lanes do not gain."""
    costs = machine.items
    numbers = {op.result for op in function.walk() if isinstance(op, Builtin)}
    lie_apart = accesses_apart(function.body, variation_among_groups(function.body, numbers), lanes)
    alone = {each.loop: each for each in _loops_with_vectors(function.body, machine, fastmath)}
    inside = {op: each for loop, each in alone.items() for op in loop.body.walk()}
    computed, accessed = 0.0, dict[Value, int]()
    for op, times in counted(function.body, 1, costs.unknown):
        vectors = inside.get(op)
        if isinstance(op, COMPUTE):
            operations = times * (costs.function if isinstance(op, Math) else 1)
            computed += operations * (1 if vectors is None else _part_gained(machine, vectors.lanes, lanes))
        elif op in lie_apart:
            accessed[root_of(op.tensor)] = accessed.get(root_of(op.tensor), 0) + times
        if op in alone:
            computed += times * alone[op].joined
        if vectors is not None and op in vectors.apart:
            computed += times
    copied = [each for each in tensors if 2 * accessed.get(each, 0) >= _elements_of(each)]
    elements = sum(_elements_of(each) if each in copied else times for each, times in accessed.items())
    if computed < costs.min_computed * elements or (alone and not computed):
        return None
    size = sum(_elements_of(each) * each.type.element.size for each in copied)
    is_little = computed < costs.min_computed_streaming * elements
    return Copies(copied, is_little and size > costs.max_copied_streaming)


def _part_gained(machine: Machine, lanes: int, most: int) -> float:
    """What an operation of vectors gains where these get longer, beside one on numbers.

    An instruction counts by its number as much as by its time, which is less on half a register of some processors.
    """
    share = machine.share_of(machine.register_bytes * lanes // most)
    return max(most / lanes * (1 + share) / 2 - 1, 0) / (most - 1)


def _loops_with_vectors(region: Region, machine: Machine, fastmath: bool) -> Iterator[_Vectors]:
    for op in region.operations:
        if isinstance(op, Foreach):
            found = _vectors_of(op, machine, fastmath)
        else:
            found = _vectors_along(op, machine, fastmath) if isinstance(op, For) else None
            for inner in op.regions if found is None else ():
                yield from _loops_with_vectors(inner, machine, fastmath)
        if found is not None:
            yield found


def _vectors_of(op: Foreach, machine: Machine, fastmath: bool) -> _Vectors | None:
    """The vectors of a `foreach`, as the pass cpu-kernels makes them; None where it has none."""
    rows = free_rows(op, machine, True, fastmath)
    if rows is not None:
        return _Vectors(op, rows.lanes, set(), 0)
    flat = clone_operation(op, {})
    assert isinstance(flat, Foreach)
    flattened(flat)
    lanes, variation = lanes_for_points(flat, machine, True), variation_of(op)
    if not lanes:
        return None
    is_turned = has_turned_loops(op, variation, lanes, True)
    return _Vectors(op, lanes, set() if is_turned else accesses_apart(op.body, variation, lanes), 0)


def _vectors_along(loop: For, machine: Machine, fastmath: bool) -> _Vectors | None:
    """The vectors of a loop that reduces a row; None where it has none."""
    found = row_as_point(loop, machine, True, fastmath)
    rows = None if found is None else free_rows(found[1], machine, True, fastmath)
    return None if rows is None else _Vectors(loop, rows.lanes, set(), rows.lanes * len(loop.results))


def _elements_of(tensor: Value) -> int:
    """The elements of a work-group's part of a tensor."""
    return math.prod(tensor.type.shape[:-1])
