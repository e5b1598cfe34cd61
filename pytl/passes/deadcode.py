"""Dead code: instructions that write no memory that is read, and give no values that are used.

Instructions are needed if they write memory that others see; so is whatever a needed instruction uses. An alloca's
writers are needed once a needed instruction reads it. Each value that a loop carries or a branch gives is judged by
itself.
"""

from __future__ import annotations

from typing import Any

from ..ir.operation import Operation
from ..ir.values import Function, Region, Value
from ..ops import Alloca, Call, CooperativeMatrixApply, For, If, LifetimeStop, Update, Yield
from ..ops.control import terminator
from .analysis.uses import Roots


def remove_dead(function: Function) -> bool:
    """Remove dead code; returns whether there was any."""
    needs = _Needs(function)
    return _sweep(function.body, needs)


class _Needs:
    """What is needed in a function: instructions, and the values that regions carry or give."""

    def __init__(self, function: Function) -> None:
        self.operations: set[Operation] = set()
        self._values: set[Value] = set()
        self._todo: list[Operation | Value] = []
        self._roots = Roots()
        self._parents: dict[Operation, Operation] = {}
        self._slots: dict[Value, tuple[Operation, int]] = {}
        self._writers: dict[Value, list[Operation]] = {}
        self._read: set[Value] = set()
        self._look_at(function.body, None)
        last = terminator(function.body)
        for value in last.yielded if last is not None else ():
            self._need_value(value)
        while self._todo:
            entry = self._todo.pop()
            if isinstance(entry, Value):
                self._follow_value(entry)
            else:
                self._follow(entry)

    def has(self, value: Value) -> bool:
        return value in self._values

    def _look_at(self, region: Region, parent: Operation | None) -> None:
        for op in region.operations:
            if parent is not None:
                self._parents[op] = parent
            if isinstance(op, (For, If)):
                self._slots.update((value, (op, i)) for i, value in enumerate(op.results))
            if isinstance(op, For):
                self._slots.update((value, (op, i)) for i, value in enumerate(op.carried))
            written = op.written_memory()
            if written:
                for value in written:
                    root = self._roots.of(value)
                    if isinstance(root.owner, Alloca):
                        self._writers.setdefault(root, []).append(op)
                    else:
                        self._need(op)
            elif not (op.results or op.regions or isinstance(op, (Call, LifetimeStop, Yield))):
                self._need(op)
            if op.acts:
                self._need(op)
            for inner in op.regions:
                self._look_at(inner, op)

    def _need(self, op: Operation) -> None:
        if op not in self.operations:
            self.operations.add(op)
            self._todo.append(op)

    def _need_value(self, value: Value) -> None:
        if value not in self._values:
            self._values.add(value)
            self._todo.append(value)

    def _follow(self, op: Operation) -> None:
        """What a needed instruction needs."""
        if (parent := self._parents.get(op)) is not None:
            self._need(parent)
        if isinstance(op, CooperativeMatrixApply):
            self._need_value(op.yielded)
        carried = set(op.inits) if isinstance(op, For) else ()
        bounds = op.bounds if isinstance(op, For) else ()
        for value in op.operands:
            if value not in carried or value in bounds:
                self._need_value(value)
        unread = op.target if isinstance(op, Update) else None  # it is read only in order to be written
        for value in op.read_memory(besides=unread):
            root = self._roots.of(value)
            if root not in self._read:
                self._read.add(root)
                for writer in self._writers.get(root, ()):
                    self._need(writer)

    def _follow_value(self, value: Value) -> None:
        slot = self._slots.get(value)
        if slot is not None:
            self._follow_slot(*slot)
        elif value.owner is not None:
            self._need(value.owner)

    def _follow_slot(self, op: Operation, i: int) -> None:
        """A value that a loop carries, or a branch gives, is needed with all values that flow into it."""
        self._need(op)
        if isinstance(op, For):
            self._need_value(op.inits[i])
            self._need_value(op.carried[i])
        self._need_value(op.results[i])
        for region in op.regions:
            last = terminator(region)
            if last is not None:
                self._need_value(last.yielded[i])


def _sweep(region: Region, needs: _Needs) -> bool:
    needed_operations: list[Operation] = []
    removed = False
    for op in region.operations:
        if isinstance(op, Yield):
            if op.yielded:
                needed_operations.append(op)
            continue
        is_needed = needs.has(op.tensor) if isinstance(op, LifetimeStop) else op in needs.operations
        if not is_needed:
            removed = True
            continue
        needed_operations.append(op)
        if isinstance(op, (For, If)):
            removed = _drop_slots(op, needs) or removed
        for inner in op.regions:
            removed = _sweep(inner, needs) or removed
        if isinstance(op, If) and op.else_body is not None and not op.else_body.operations:
            op.else_body = None
            removed = True
    region.operations = needed_operations
    return removed


def _drop_slots(op: For | If, needs: _Needs) -> bool:
    """Forget the values of a loop or branch that nothing uses."""
    needed_slots = [i for i, value in enumerate(op.results) if needs.has(value)]
    if len(needed_slots) == len(op.results):
        return False

    def chosen(values: list[Any]) -> list[Any]:
        return [values[i] for i in needed_slots]

    if isinstance(op, For):
        op.inits = chosen(op.inits)
        op.body.arguments = [op.variable, *chosen(op.carried)]
    for region in op.regions:
        last = terminator(region)
        if last is not None:
            last.yielded = chosen(last.yielded)
    op.results = chosen(op.results)
    return True
