"""Execution of the instructions that show values, lane by lane."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...diagnostics.quoting import visible
from ...ops import debug
from ...ops.preconditions import LIMIT
from .machine import Machine, Results, entries, entry, executes
from .view_bounds import is_formed_outside
from .views import View


@executes(debug.Print)
def print_(machine: Machine, op: debug.Print) -> Results:
    for lane in machine.lanes.active:
        _print(machine, int(lane), _filled(op.text, _values(machine, op, int(lane))))
    return ()


@executes(debug.Call)
def call(machine: Machine, op: debug.Call) -> Results:
    for lane in machine.lanes.active:
        values = _values(machine, op, int(lane))
        if op.function.function is None:
            _print(machine, int(lane), f"{op.function.name}({', '.join(map(_shown, values))})")
        else:
            op.function.function(*values)
    return ()


@executes(debug.Assert)
def assert_(machine: Machine, op: debug.Assert) -> Results:
    for lane in machine.lanes.active if machine.checks else ():
        if not _value(machine[op.holds], int(lane)):
            text = visible(_filled(op.text, _values(machine, op, int(lane))), keep=chr(10))
            raise machine.error(op, debug.ASSERTED, text, lane=int(lane))
    return ()


@executes(debug.Require)
def require(machine: Machine, op: debug.Require) -> Results:
    if machine.checks:
        violations = machine.lanes.spread(~machine[op.holds])
        if violations.any():
            raise machine.error(op, LIMIT, op.problem, lane=int(violations.argmax()))
    return ()


def _print(machine: Machine, lane: int, text: str) -> None:
    """Print a line with the name of its work-item. It contains no control sequence for a terminal."""
    origin = [f"work-group {machine.group}", machine.lanes.name(lane)]
    where = ", ".join(part for part in origin if part)
    gap = "\n" if "\n" in text else " "
    print(f"[{where}]{gap}{visible(text, keep=chr(10))}")


def _values(machine: Machine, op: Any, lane: int) -> list[Any]:
    # what a view out of bounds has is not shown: parts of it are of no tensor, or of others
    return [np.ma.masked if is_formed_outside(machine, value) else _value(machine[value], lane) for value in op.shown]


def _value(value: Any, lane: int) -> Any:
    """A value of one lane: a NumPy number, or an array of a memref's elements, masked where none was stored yet."""
    if not isinstance(value, View):
        return value[lane if len(value) > 1 else 0]
    memory = value.memory if value.choice is None else value.memories[int(value.choice[lane])]
    view = View((memory,), entry(value.offset, lane), entries(value.shape, lane), entries(value.strides, lane))
    try:
        array, is_written = view.array().copy(order="K"), view.written()
    except (TypeError, ValueError):
        return np.ma.masked  # without checks, a view may lie beyond its memory
    array.flags.writeable = False
    return array if is_written is None or is_written.all() else np.ma.masked_array(array, ~is_written)


def _shown(value: Any, form: str = "") -> str:
    if value.dtype.name == "bfloat16":
        value = value.astype(np.float32)  # exact; releases of ml_dtypes spell their own numbers differently
    try:
        return format(value, form) if debug.FORMAT.fullmatch(form) and np.ndim(value) == 0 else str(value)
    except (TypeError, ValueError):
        return str(value)


def _filled(template: str, values: list[Any]) -> str:
    rest = iter(values)

    def place(match: Any) -> str:
        return match[0][0] if match[0] in ("{{", "}}") else _shown(next(rest), match[1] or "")

    return debug.PLACE.sub(place, template)
