"""Execution of views that split or join modes."""

from __future__ import annotations

import math

import numpy as np

from ...ir.operation import defined_at
from ...ir.values import Value
from ...ops import Expand, Expandc2r, Fuse
from ...ops.preconditions import expand_message, expand_size_message
from ...ops.reshape import expanded, fused
from . import rules
from .machine import Machine, Results, entry, executes, uniform
from .views import Integers, View, parts_of


@executes(Expand)
def expand(machine: Machine, op: Expand) -> Results:
    view: View = machine[op.tensor]
    sizes: list[Integers] = [uniform(machine[n]) if isinstance(n, Value) else n for n in op.expand_shape]
    _check_sizes(machine, op, sizes, view.shape[op.mode])
    shape, strides = expanded(view.shape, view.strides, op.mode, sizes, math.prod)
    return (View(view.memories, view.offset, shape, strides, view.choice),)


def _check_sizes(machine: Machine, op: Expand, sizes: list[Integers], extent: Integers) -> None:
    if not machine.checks:
        return
    for size in sizes:
        _check_positive(machine, op, size)
    # by division, since a product may wrap around to the right number; lanes that are off may divide by zero
    rest, is_multiple = np.atleast_1d(np.asarray(extent)), np.ones(1, np.bool_)
    for size in sizes:
        divisor = np.maximum(size, 1)
        is_multiple = is_multiple & (rest % divisor == 0)
        rest = rest // divisor

    def message(lane: int) -> str:
        return expand_message(op.mode, entry(extent, lane), *(entry(size, lane) for size in sizes))

    machine.forbid(~is_multiple | (rest != 1), op, rules.EXPAND_PRODUCT, message, labels=defined_at(op.tensor))


def _check_positive(machine: Machine, op: Expand, size: Integers) -> None:
    machine.forbid(
        np.atleast_1d(np.asarray(size) <= 0),
        op,
        rules.EXPAND_SIZE,
        lambda lane: expand_size_message(op.mode, entry(size, lane)),
        labels=defined_at(op.tensor),
    )


@executes(Expandc2r)
def expandc2r(machine: Machine, op: Expandc2r) -> Results:
    view: View = machine[op.tensor]
    strides = (1, *(2 * stride for stride in view.strides))
    memories = tuple(map(parts_of, view.memories))
    return (View(memories, 2 * view.offset, (2, *view.shape), strides, view.choice),)


@executes(Fuse)
def fuse(machine: Machine, op: Fuse) -> Results:
    view: View = machine[op.tensor]
    for mode in range(op.first, op.last):
        _check_adjacent(machine, op, mode, view)
    shape, strides = fused(view.shape, view.strides, op.first, op.last, math.prod)
    return (View(view.memories, view.offset, shape, strides, view.choice),)


def _check_adjacent(machine: Machine, op: Fuse, mode: int, view: View) -> None:
    end, stride = view.strides[mode] * view.shape[mode], view.strides[mode + 1]
    machine.forbid(
        np.atleast_1d(np.asarray(end != stride)),
        op,
        rules.FUSE,
        lambda lane: (
            f"the stride of mode {mode + 1} is {entry(stride, lane)},"
            f" but mode {mode} ends after {entry(end, lane)} elements"
        ),
        labels=defined_at(op.tensor),
    )
