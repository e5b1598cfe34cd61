"""inline-calls: the instructions of functions in the places where they are called.

Passes and launches that look at all that a kernel does see it through its calls. A backend says which calls it has code
for (`Backend.calls`); all others are inlined before its own passes.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar

from ..diagnostics import Location, PytlError
from ..ir.clone import clone_alone, clone_function, clone_operation
from ..ir.operation import Operation
from ..ir.types import index
from ..ir.values import Function, Module, Region, Value
from ..ops import Builtin, Call
from ..ops.control import terminator
from ..process.records import dataclass
from .analysis.calls import PLACES, Kinds, may_overlap
from .analysis.uses import replace_uses
from .manager import UNKNOWN_PASS, Pass, register
from .retype import retype

Which = Callable[[Call], bool]
KINDS = ("sequential", "spmd", "collective")
"""The calls that a backend may have code for."""


@register
@dataclass(frozen=True)
class InlineCalls(Pass):
    """Puts the instructions of functions in the places of the calls.

    `keep` names calls that stay. A `sequential` function is executed by a work-item by itself: numbers, accesses that
    are not atomic, loops and branches. An `spmd` one may exchange numbers with the sub-group, too; a `collective` one
    may have collective instructions and allocas, and is told the number of its work-group. A function that no kernel
    calls any more is removed.
    """

    name = "inline-calls"
    keep: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        for word in self.keep:
            if word not in KINDS:
                message = f"{self.name} keeps no calls that are `{word}`"
                raise PytlError.single(UNKNOWN_PASS, message, help=f"it keeps calls that are: {', '.join(KINDS)}")

    def run_module(self, module: Module) -> None:
        for function in module.functions:
            self.run(function)
        module.update_functions()
        if "collective" in self.keep:
            _pass_group_numbers(module)

    def run(self, function: Function) -> None:
        kinds = Kinds()

        def is_inlined(call: Call) -> bool:
            if "sequential" in self.keep and kinds.is_sequential(call.callee):
                return False
            if "spmd" in self.keep and kinds.is_spmd(call.callee):
                return False
            return "collective" not in self.keep or not kinds.is_collective(call.callee) or may_overlap(call)

        inline(function, is_inlined)


class WithoutCalls(Pass):
    """A pass that changes what work-items do: calls are inlined before it, but for those that it leaves."""

    kept: ClassVar[tuple[str, ...]] = KINDS

    def run_module(self, module: Module) -> None:
        if any(not function.is_kernel for function in module.functions):
            InlineCalls(self.kept).run_module(module)
        super().run_module(module)


def inlined(function: Function) -> Function:
    """A function without calls, of the same parameters: itself where it has none, for looking at what it does."""
    if next(function.calls(), None) is None:
        return function
    body = Region(function.body.kind, [], list(function.body.operations), function.body.location)
    mapping: dict[Value, Value] = {}
    body.operations = [clone_operation(op, mapping) for op in body.operations]
    inlined_kernel = Function(
        function.name, function.parameters, body, dict(function.attributes), function.location, function.results
    )
    inline(inlined_kernel, lambda call: True)
    return inlined_kernel


def without_calls(function: Function, is_inlined: Callable[[Function], bool]) -> Function:
    """A copy of a function without calls of some functions, directly or through others; itself where it has none."""
    if not any(map(is_inlined, function.callees())):
        return function
    copy = clone_function(function)
    # what another function calls has to be in the function itself
    inline(copy, lambda call: any(map(is_inlined, (call.callee, *call.callee.callees()))))
    return copy


def inline(function: Function, is_inlined: Which) -> None:
    """Inline some calls that are in a function, or in what is inlined."""
    replaced: dict[Value, Value] = {}
    _region(function.body, is_inlined, replaced)
    replace_uses(function.body, replaced)


def _region(region: Region, is_inlined: Which, replaced: dict[Value, Value]) -> None:
    operations: list[Operation] = []
    for op in region.operations:
        if replaced:
            op.replace_operands(lambda value: _now(value, replaced))
        if isinstance(op, Call) and is_inlined(op):
            operations += _body_of(op, is_inlined, replaced)
            continue
        operations.append(op)
        for inner in op.regions:
            _region(inner, is_inlined, replaced)
    region.operations = operations


def _now(value: Value, replaced: dict[Value, Value]) -> Value:
    while value in replaced:
        value = replaced[value]
    return value


def _body_of(call: Call, is_inlined: Which, replaced: dict[Value, Value]) -> list[Operation]:
    """The instructions of the function that a call executes; the call's results are replaced by what it gives."""
    callee = clone_alone(call.callee)
    types = {p: value.type for p, value in zip(callee.parameters, call.arguments) if p.type != value.type}
    if types:
        retype(callee, types)
    replaced.update(zip(callee.parameters, call.arguments))
    locations: dict[Location, Location] = {}
    for op in callee.walk():
        if op.location is not None:
            if op.location not in locations:
                locations[op.location] = op.location.called_at(call.callee.name, call.location)
            op.location = locations[op.location]
    _region(callee.body, is_inlined, replaced)
    last = terminator(callee.body)
    for result, value in zip(call.results, last.yielded if last is not None else ()):
        if value.name is None and value.owner is not None:
            value.name = result.name
        replaced[result] = value
    return [op for op in callee.body.operations if op is not last]


# What functions ask of the launch.


def _pass_group_numbers(module: Module) -> None:
    """Let calls pass the number of the work-group, and how many there are, to functions that ask for them.

    Passes may let one work-item execute several work-groups, whose numbers the kernel alone has.
    """
    for function in dict.fromkeys(callee for kernel in module.kernels for callee in kernel.callees_first()):
        for variant in PLACES:
            _pass_group_number(module, function, variant)


def _pass_group_number(module: Module, function: Function, variant: str) -> None:
    builtins = [op for op in function.walk() if isinstance(op, Builtin) and op.variant == variant]
    if not builtins:
        return
    parameter = Value(index, variant, function.location)
    function.parameters.append(parameter)
    for region in [function.body, *(region for op in function.walk() for region in op.regions)]:
        region.operations = [op for op in region.operations if op not in builtins]
    replace_uses(function.body, {op.results[0]: parameter for op in builtins})
    for caller in module.functions:
        for region in [caller.body, *(region for op in caller.walk() for region in op.regions)]:
            operations: list[Operation] = []
            for op in region.operations:
                if isinstance(op, Call) and op.callee is function:
                    group = Builtin(op.location, [index], [variant], variant=variant)
                    op.arguments.append(group.result)
                    operations.append(group)
                operations.append(op)
            region.operations = operations
