"""Functions that are called, and the instruction that calls them. The manual has kernels only.

A function is compiled once and executed wherever it is called, as its instructions would be in the place of the call.
It ends with a `yield` of what it gives. Texts write what it gives behind its parameters, `-> ()` where that is nothing;
kernels have no such list.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from ..diagnostics import Diagnostics, Label, Rule
from ..diagnostics.words import counted
from ..ir.constraints import BOOL, GROUP, MEMREF, SCALAR
from ..ir.fields import Field, OperandList, ResultList
from ..ir.operation import Operation, Problem, check, defined_at
from ..ir.registry import instruction, is_for_debugging
from ..ir.types import Extent, GroupType, MemrefType, Type, UnknownType
from ..ir.values import Function, Module, Value
from ..ir.verifier import FUNCTION_ATTRIBUTE_KINDS, function_check, module_check
from ..process.records import dataclass
from .control import Yield, yield_problems
from .memory import LifetimeStop
from .views import root_of

SECTION = "Calls"
RESULT = BOOL | SCALAR
"""What a function may give."""
MAX_DEEP = 32
"""How deep calls may be nested in each other."""
MAX_INSTRUCTIONS = 1_000_000
"""Of a function, with those of what it calls in the places of the calls."""

CALLEE = Rule("PYTL-1101", "a call names a function of the module that is no kernel", SECTION)
RECURSION = Rule(
    "PYTL-1104",
    f"a function does not call itself, directly or through others, and calls are nested at most {MAX_DEEP} deep",
    SECTION,
    explanation="Devices have no stack that could grow. Passes may put the instructions of a function in the place of "
    "a call, which would have no end.",
)
RESULTS = Rule(
    "PYTL-1105",
    "a function that is called gives numbers and truth values, and ends with a yield of their number and types",
    SECTION,
    explanation="What a function is to write it is passed as a memref.",
)
ATTRIBUTES = Rule(
    "PYTL-1106",
    "the attributes subgroup_size and work_group_size are of kernels, and hold for what a kernel calls",
    SECTION,
)
LARGE = Rule(
    "PYTL-1107",
    f"a function has at most {MAX_INSTRUCTIONS:,} instructions, with those of what it calls in the place of each call",
    SECTION,
    explanation="Functions that call each other twice double with each of them.",
)


class Callee(Field):
    """The function that is called, by its name."""

    @property
    def grammar(self) -> str:
        return "@function"

    def parse(self, parser: Any, parts: dict[str, Any]) -> Any:
        return parser.callee()

    def print(self, printer: Any, operation: Any) -> None:
        printer.write(f"@{operation.callee.name}")


def passes_as(argument: Type, parameter: Type) -> bool:
    """Whether a value of one type may be passed for a parameter of another, whose dynamic sizes take any.

    Those of a group's items do not: each item has its own.
    """
    if isinstance(argument, GroupType) and isinstance(parameter, GroupType):
        pairs = ((argument.count, parameter.count), (argument.offset, parameter.offset))
        return argument.memref == parameter.memref and all(_fits(a, b) for a, b in pairs)
    if isinstance(argument, MemrefType) and isinstance(parameter, MemrefType):
        sides = [(side.element, side.space, side.order) for side in (argument, parameter)]
        extents = zip((*argument.shape, *argument.strides), (*parameter.shape, *parameter.strides))
        return sides[0] == sides[1] and all(_fits(a, b) for a, b in extents)
    return argument == parameter


def _fits(argument: Extent, parameter: Extent) -> bool:
    return argument == parameter or not isinstance(parameter, int)


@check("PYTL-1102", "a call passes a value for each parameter of its function, of the parameter's type", SECTION)
def argument_types(op: Call) -> Iterator[Problem]:
    parameters = op.callee.parameters
    if len(parameters) != len(op.arguments):
        passed = counted(len(op.arguments), "value")
        yield Problem(f"{passed} passed, but @{op.callee.name} has {counted(len(parameters), 'parameter')}")
    for position, (value, parameter) in enumerate(zip(op.arguments, parameters), 1):
        if not isinstance(parameter.type, UnknownType) and not passes_as(value.type, parameter.type):
            yield Problem(
                f"value {position} is {value.type}, but %{parameter.name or position - 1} of @{op.callee.name} is "
                f"{parameter.type}",
                labels=defined_at(parameter),
            )


@check("PYTL-1103", "a call gives what its function gives", SECTION)
def result_types(op: Call) -> Iterator[Problem]:
    taken, returned = [value.type for value in op.results], list(op.callee.results or ())
    if taken != returned:
        listed = [f"({', '.join(map(str, types))})" for types in (taken, returned)]
        yield Problem(f"{listed[0]} is taken, but @{op.callee.name} gives {listed[1]}", f"write -> {listed[1]}")


@instruction
class Call(Operation):
    """Executes a function, as if the function's instructions were in the place of the call.

    Memrefs and groups are passed as such, so that the function reads and writes their memory. A dynamic size or stride
    of a parameter takes any. A function with collective instructions is called in collective regions, one with SPMD
    instructions in SPMD regions, and any other one in both.
    """

    mnemonic = "pytl.call"
    section = SECTION
    callee: Any = Callee("the function")
    arguments: Any = OperandList(BOOL | SCALAR | MEMREF | GROUP, "what is passed for the parameters")
    returned: Any = ResultList(RESULT)
    assembly = "` ` $callee `(` $arguments `)` (` -> (` $returned `)`)?"
    rules = (argument_types, result_types)

    def read_memory(self, besides: str | None = None) -> list[Value]:
        return [self.arguments[position] for position in sorted(effects_of(self.callee, {}).read)]

    def written_memory(self) -> list[Value]:
        return [self.arguments[position] for position in sorted(effects_of(self.callee, {}).written)]

    @property
    def acts(self) -> bool:
        return effects_of(self.callee, {}).acts


# What a call does.


@dataclass(frozen=True)
class Effects:
    """What a function does besides giving values: the parameters whose memory it reads and writes, by position."""

    read: frozenset[int]
    written: frozenset[int]
    acts: bool
    """Whether it does more, as showing values or waiting at a barrier."""


def effects_of(function: Function, known: dict[Function, Effects]) -> Effects:
    """The effects of a function; `known` keeps those of its callees."""
    if function not in known:
        known[function] = Effects(frozenset(), frozenset(), False)  # for one that calls itself, which is refused
        positions = {parameter: position for position, parameter in enumerate(function.parameters)}
        memory = {k for k, value in enumerate(function.parameters) if isinstance(value.type, (MemrefType, GroupType))}
        read: set[int] = set()
        written: set[int] = set()
        acts = False
        for op in function.walk():
            if op.callee is not None:
                inner = effects_of(op.callee, known)
                passed = [positions.get(root_of(value)) for value in op.operands]
                read.update(at for k in inner.read if (at := passed[k]) is not None)
                written.update(at for k in inner.written if (at := passed[k]) is not None)
                acts = acts or inner.acts
                continue
            read |= memory if op.reads_through_value else _positions(positions, op.read_memory())
            written |= memory if op.writes_through_value else _positions(positions, op.written_memory())
            does_nothing = op.results or op.regions or op.writes or isinstance(op, (LifetimeStop, Yield))
            acts = acts or op.acts or not does_nothing or is_for_debugging(type(op))
        known[function] = Effects(frozenset(read), frozenset(written), acts)
    return known[function]


def _positions(positions: dict[Value, int], values: Sequence[Value]) -> set[int]:
    return {positions[root] for root in map(root_of, values) if root in positions}


# Functions that are called.


@function_check
def _check_called(function: Function, diagnostics: Diagnostics) -> None:
    if function.is_kernel:
        return
    for name in FUNCTION_ATTRIBUTE_KINDS:
        if name in function.attributes:
            message = f"@{function.name} is called, but has {name}"
            diagnostics.report(ATTRIBUTES, message, function.location, "give it to the kernels that call it")
    results = function.results or ()
    for type_ in results:
        if not (isinstance(type_, UnknownType) or RESULT.admits(type_)):
            message = f"@{function.name} gives {type_}"
            diagnostics.report(RESULTS, message, function.location, "let it write to a memref that is passed to it")
    for problem in yield_problems(results, function.body, f"body of @{function.name}"):
        diagnostics.report(RESULTS, problem.message, function.location, problem.help)


@module_check
def _check_calls(module: Module, diagnostics: Diagnostics) -> bool:
    """Whether the functions of a module can be followed through their calls."""
    functions = set(module.functions)
    named: dict[str, Function] = {}
    callers: dict[Function, list[Operation]] = {}
    own: dict[Function, int] = {}
    for function in module.functions:
        operations = list(function.walk())
        callers[function] = [op for op in operations if op.callee is not None]
        own[function] = len(operations) - len(callers[function])
    count = len(diagnostics.items)
    for calls in callers.values():
        for op in calls:
            if op.callee not in functions:
                names = [each.name for each in module.functions if not each.is_kernel]
                help = f"its functions are {', '.join(f'@{name}' for name in names[:20])}" if names else None
                diagnostics.report(CALLEE, f"there is no function @{op.callee.name}", op.location, help)
            elif op.callee.is_kernel:
                label = [Label(op.callee.location, "defined here")] if op.callee.location else []
                message = f"@{op.callee.name} is a kernel"
                diagnostics.report(CALLEE, message, op.location, "write -> () behind its parameters", label)
            elif named.setdefault(op.callee.name, op.callee) is not op.callee:
                message = f"@{op.callee.name} is the name of two functions that are called"
                diagnostics.report(CALLEE, message, op.location, "give one of them another name")
    if len(diagnostics.items) > count:
        return False
    return _Nesting(callers, own, diagnostics).is_fine()


class _Nesting:
    """How deep the calls of a module are nested, and how large its functions are with what they call."""

    def __init__(
        self, callers: dict[Function, list[Operation]], own: dict[Function, int], diagnostics: Diagnostics
    ) -> None:
        self.callers = callers
        self.own = own
        """How many instructions a function has besides its calls."""
        self.diagnostics = diagnostics
        self._sizes: dict[Function, int] = {}
        self._depths: dict[Function, int] = {}

    def is_fine(self) -> bool:
        return all(self._measure(function) for function in self.callers)

    def _measure(self, function: Function) -> bool:
        """Measure a function after what it calls; whether it keeps to the rules."""
        way: dict[Function, Iterator[Operation]] = {function: iter(self.callers[function])}
        while way:
            current = next(reversed(way))
            if current in self._sizes:
                del way[current]
                continue
            call = next(way[current], None)
            if call is None:
                calls = self.callers[current]
                self._sizes[current] = self.own[current] + sum(self._sizes[op.callee] for op in calls)
                self._depths[current] = 1 + max((self._depths[op.callee] for op in calls), default=0)
                if self._sizes[current] > MAX_INSTRUCTIONS:
                    message = f"@{current.name} has {self._sizes[current]:,} instructions with those of what it calls"
                    return self._fail(LARGE, message, current)
                if self._depths[current] > MAX_DEEP + 1:
                    return self._fail(RECURSION, f"@{current.name} calls more than {MAX_DEEP} deep", current)
            elif call.callee in way:
                message = f"@{call.callee.name} calls itself"
                self.diagnostics.report(RECURSION, message, call.location, "write a loop")
                return False
            elif call.callee not in self._sizes:
                way[call.callee] = iter(self.callers[call.callee])
        return True

    def _fail(self, rule: Rule, message: str, function: Function) -> bool:
        self.diagnostics.report(rule, message, function.location)
        return False
