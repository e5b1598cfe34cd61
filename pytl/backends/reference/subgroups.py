"""The lanes of an SPMD region as sub-groups, and execution of sub-group operations.

Lane l belongs to sub-group l // size and has the local id l % size there. Values of sub-groups have the sub-groups as
their first axis, or a single entry for all of them. The iterations of a foreach may be distributed over the work-items
in any way, so that no sub-group operation has a meaning there; without checks they are taken in order, and the last
sub-group may be incomplete.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ...ir.meanings import Meanings, no_meaning
from ...ir.operation import Operation
from ...ir.types import ScalarType
from ...ir.values import Value
from ...ops import SubgroupAdd, SubgroupBroadcast, SubgroupBuiltin, SubgroupMax, SubgroupMin, SubgroupOperation
from ...ops.scalars import dtype_of, widened
from . import rules
from .machine import Machine, Results, entry, executes


def grouped(machine: Machine, values: np.ndarray, absent: Any = 0) -> np.ndarray:
    """Values of the lanes as an array (sub-groups, size); the last sub-group is padded with `absent`."""
    size, count = machine.program.subgroup_size, machine.lanes.count
    padded = np.full(-(-count // size) * size, absent, values.dtype)
    padded[:count] = values
    return padded.reshape(-1, size)


def ungrouped(machine: Machine, rows: np.ndarray) -> np.ndarray:
    """The lanes' values out of an array (sub-groups, size)."""
    return rows.reshape(-1)[: machine.lanes.count]


def present(machine: Machine) -> np.ndarray:
    """The active work-items, as an array (sub-groups, size)."""
    return grouped(machine, machine.lanes.mask, False)


def first_lane(machine: Machine, subgroup: int) -> int:
    """The first active work-item of a sub-group."""
    return subgroup * machine.program.subgroup_size + int(present(machine)[subgroup].argmax())


# What the manual demands of sub-groups.


def check_convergence(machine: Machine, op: Operation) -> None:
    """Check that all work-items of a sub-group reach the instruction, or none of them."""
    if not machine.checks:
        return
    if machine.lanes.role == "iteration":
        raise machine.error(
            op,
            rules.SUBGROUP,
            "the iterations of a foreach are spread over the work-items in any way, so they form no sub-groups",
            "use parallel, and find the work-item's place with builtin.subgroup_id and builtin.subgroup_local_id",
        )
    is_present = present(machine)
    is_split = is_present.any(axis=1) & ~is_present.all(axis=1)
    if is_split.any():
        subgroup = int(is_split.argmax())
        count, size = int(is_present[subgroup].sum()), is_present.shape[1]
        absent = subgroup * size + int(is_present[subgroup].argmin())
        raise machine.error(
            op,
            rules.SUBGROUP,
            f"{count} of {size} work-items of sub-group {subgroup} come here; the first that does not is {absent}",
            "move it out of the if or for that the work-items of a sub-group go through differently",
            lane=first_lane(machine, subgroup),
        )


def of_subgroups(machine: Machine, values: np.ndarray) -> np.ndarray:
    """From values of the lanes, the one of each sub-group: that of its first active work-item."""
    if values.size == 1:
        return values
    first = present(machine).argmax(axis=1)
    return np.take_along_axis(grouped(machine, values), first[:, None], axis=1)[:, 0]


def check_uniform(
    machine: Machine, op: Operation, subject: str, values: np.ndarray, *, shown: bool = True
) -> np.ndarray:
    """An argument that must be uniform, one entry per sub-group. `shown` is whether messages show its values."""
    uniform_values = of_subgroups(machine, values)
    if machine.checks and values.size > 1:
        rows, expected = grouped(machine, values), uniform_values[:, None]
        # a nan is the same value as a nan
        differs = ungrouped(machine, (rows != expected) & ~((rows != rows) & (expected != expected)))

        def message(lane: int) -> str:
            first = first_lane(machine, lane // machine.program.subgroup_size)
            if not shown:
                return f"{subject} is another than for work-item {first} of the same sub-group"
            return f"{subject} is {values[lane]}, but {values[first]} for work-item {first} of the same sub-group"

        machine.forbid(differs, op, rules.UNIFORM, message, "take it from one work-item with subgroup_broadcast")
    return uniform_values


def merge_matrices(machine: Machine, op: Operation, mask: np.ndarray, value: Value, a: Any, b: Any) -> np.ndarray:
    """The first of two cooperative matrices for the sub-groups in the mask, the second for the others.

    A sub-group that is on both sides must have the same matrix there, or it has none afterwards.
    """
    if a is b:
        return np.asarray(a)
    chosen = grouped(machine, mask, False).any(axis=1)
    rest = grouped(machine, machine.lanes.mask & ~mask, False).any(axis=1)
    if not rest.any():
        return np.asarray(a)
    split = np.flatnonzero(chosen & rest)
    if machine.checks and split.size:
        same = ((a == b) | ((a != a) & (b != b))).all(axis=(1, 2))
        different = split[~np.broadcast_to(same, chosen.shape)[split]]
        if different.size:
            name = f"%{value.name}" if value.name else "a matrix"
            raise machine.error(
                op,
                rules.UNIFORM,
                f"{name} becomes another matrix for some work-items of sub-group {different[0]} than for the others",
                "let the condition or bounds be the same for all work-items of the sub-group",
                lane=first_lane(machine, int(different[0])),
            )
    return np.where(chosen[:, None, None], a, b)


# Instructions.


_PLACES: Meanings[str, Callable[[np.ndarray, int], np.ndarray]] = Meanings(
    "the reference backend, builtin",
    {"subgroup_id": lambda items, size: items // size, "subgroup_local_id": lambda items, size: items % size},
)


@executes(SubgroupBuiltin)
def subgroup_builtin(machine: Machine, op: SubgroupBuiltin) -> Results:
    # there are more iterations than work-items; each is executed by some work-item
    items = np.arange(machine.lanes.count, dtype=dtype_of(op.result.type)) % machine.program.work_items
    size = machine.program.subgroup_size
    return (_PLACES[op.variant](items, size).astype(dtype_of(op.result.type)),)


@executes(SubgroupBroadcast)
def broadcast(machine: Machine, op: SubgroupBroadcast) -> Results:
    check_convergence(machine, op)
    size = machine.program.subgroup_size
    ids = machine[op.local_id]
    machine.forbid(
        (ids < 0) | (ids >= size),
        op,
        rules.LOCAL_ID,
        lambda lane: f"local id {entry(ids, lane)} is not one of the sub-group, whose size is {size}",
    )
    sources = np.clip(check_uniform(machine, op, "the local id", ids), 0, size - 1)
    values = machine[op.a]
    if values.size == 1:
        return (values,)
    rows = grouped(machine, values)
    broadcast_values = np.take_along_axis(rows, np.broadcast_to(sources, len(rows))[:, None].astype(np.intp), axis=1)
    return (ungrouped(machine, np.repeat(broadcast_values, size, axis=1)),)


@executes(SubgroupAdd)
def subgroup_add(machine: Machine, op: SubgroupAdd) -> Results:
    # x + (-0.0) is x for every x
    neutral = 0 if op.a.type.is_integer else complex(-0.0, -0.0) if op.a.type.is_complex else -0.0
    return (_combined(machine, op, np.add, identity=0, neutral=neutral),)


@executes(SubgroupMax)
def subgroup_max(machine: Machine, op: SubgroupMax) -> Results:
    if op.a.type.is_integer:
        lowest = np.iinfo(dtype_of(op.a.type)).min
        return (_combined(machine, op, np.maximum, identity=lowest, neutral=lowest),)
    return (_combined(machine, op, np.fmax, identity=-np.inf, neutral=np.nan),)


@executes(SubgroupMin)
def subgroup_min(machine: Machine, op: SubgroupMin) -> Results:
    if op.a.type.is_integer:
        largest = np.iinfo(dtype_of(op.a.type)).max
        return (_combined(machine, op, np.minimum, identity=largest, neutral=largest),)
    return (_combined(machine, op, np.fmin, identity=np.inf, neutral=np.nan),)


def _combined(machine: Machine, op: SubgroupOperation, combine: np.ufunc, identity: Any, neutral: Any) -> np.ndarray:
    """The reduction or scan over each sub-group, in the order of the local ids; f16 and bf16 are rounded at the end.

    `neutral` stands for inactive work-items: it leaves every other operand unchanged, which the manual's identity does
    not for the minimum of nans only.
    """
    check_convergence(machine, op)
    type_: ScalarType = op.a.type
    values = widened(machine[op.a], type_)
    values = np.where(machine.lanes.mask, values, values.dtype.type(neutral))
    rows = combine.accumulate(grouped(machine, values, neutral), axis=1, dtype=values.dtype)
    if op.variant == "reduce":
        rows = np.broadcast_to(rows[:, -1:], rows.shape)
    elif op.variant == "exclusive_scan":
        rows = np.concatenate([np.full_like(rows[:, :1], identity), rows[:, :-1]], axis=1)
    elif op.variant != "inclusive_scan":
        no_meaning("the reference backend", op.word)
    return ungrouped(machine, rows).astype(dtype_of(type_), copy=False)
