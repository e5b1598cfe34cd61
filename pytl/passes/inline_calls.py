"""inline-calls: the instructions of functions in the places where they are called.

Passes and launches that look at all that a kernel does see it through its calls. A backend says which calls it has code
for (`Backend.calls`); all others are inlined before its own passes.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from ..analysis.sequential import is_sequential
from ..analysis.uses import replace_uses
from ..diagnostics import Location
from ..ir.clone import clone_alone, clone_function, clone_operation
from ..ir.operation import Operation
from ..ir.values import Function, Region, Value
from ..ops import Call
from ..ops.control import terminator
from .manager import Pass, register
from .retype import retype

Which = Callable[[Function], bool]


@register
@dataclass(frozen=True)
class InlineCalls(Pass):
    """Puts the instructions of functions in the places of the calls.

    With `keep_sequential`, calls stay of functions that a work-item executes by itself: numbers, accesses that are not
    atomic, loops and branches. A function that no kernel calls any more is removed.
    """

    name = "inline-calls"
    of_called = True
    keep_sequential: bool = False

    def run(self, function: Function) -> None:
        known: dict[Function, bool] = {}
        inline(function, lambda callee: not (self.keep_sequential and is_sequential(callee, known)))


def inlined(function: Function) -> Function:
    """A function without calls, of the same parameters: itself where it has none, for looking at what it does."""
    if next(function.calls(), None) is None:
        return function
    body = Region(function.body.kind, [], list(function.body.operations), function.body.location)
    mapping: dict[Value, Value] = {}
    body.operations = [clone_operation(op, mapping) for op in body.operations]
    made = Function(
        function.name, function.parameters, body, dict(function.attributes), function.location, function.results
    )
    inline(made, lambda callee: True)
    return made


def without_calls(function: Function, which: Which) -> Function:
    """A copy of a function without calls of some functions, directly or through others; itself where it has none."""
    if not any(map(which, function.callees())):
        return function
    made = clone_function(function)
    # what another function calls has to be in the function itself
    inline(made, lambda callee: any(map(which, (callee, *callee.callees()))))
    return made


def inline(function: Function, which: Which) -> None:
    """Inline the calls of some functions that are in a function, or in what is inlined."""
    replaced: dict[Value, Value] = {}
    _region(function.body, which, replaced)
    replace_uses(function.body, replaced)


def _region(region: Region, which: Which, replaced: dict[Value, Value]) -> None:
    operations: list[Operation] = []
    for op in region.operations:
        if isinstance(op, Call) and which(op.callee):
            operations += _body_of(op, which, replaced)
            continue
        operations.append(op)
        for inner in op.regions:
            _region(inner, which, replaced)
    region.operations = operations


def _body_of(call: Call, which: Which, replaced: dict[Value, Value]) -> list[Operation]:
    """The instructions of the function that a call executes; the call's results are replaced by what it gives."""
    callee = clone_alone(call.callee)
    given = {p: value.type for p, value in zip(callee.parameters, call.arguments) if p.type != value.type}
    if given:
        retype(callee, given)
    replaced.update(zip(callee.parameters, call.arguments))
    places: dict[Location, Location] = {}
    for op in callee.walk():
        if op.location is not None:
            if op.location not in places:
                places[op.location] = op.location.called_at(call.callee.name, call.location)
            op.location = places[op.location]
    _region(callee.body, which, replaced)
    last = terminator(callee.body)
    for result, value in zip(call.results, last.yielded if last is not None else ()):
        if value.name is None and value.owner is not None:
            value.name = result.name
        replaced[result] = value
    return [op for op in callee.body.operations if op is not last]
