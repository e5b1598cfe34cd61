"""Functions of a kernel body, derived from their instructions.

A function is declared with its Python signature and its documentation; `function_of` ties it to an
instruction. The instruction's parts determine how the arguments become operands: each part takes the
parameter of its name. A new function of an instruction needs only its signature; only syntactic sugar
needs its own builder.
"""

from __future__ import annotations

import functools
import importlib
import inspect
import operator
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any, NoReturn, ParamSpec, Protocol, TypeVar

from ...diagnostics import Location, Rule
from ...ir.constraints import MEMREF, Constraint
from ...ir.fields import Attributes, Field, Flag, IntegerConstant, Modifier, Operand, OperandList
from ...ir.operation import Operation
from ...ir.types import SCALAR_TYPES, GroupType, MemrefType, ScalarType, Type, bool_, i32, index
from ...ir.values import Region, Value
from .casts import cast_to, floating_for
from .rules import ARGUMENT, TRANSPOSED
from .scalars import fail_outside_kernel
from .traced import Transposed, advice_on_array, describe, is_literal

P = ParamSpec("P")
R = TypeVar("R")
Declaration = TypeVar("Declaration", bound=Callable[..., Any])


class Call(Protocol):
    """A call in a kernel, as a builder sees it: the arguments, and the methods that add instructions."""

    @property
    def function(self) -> Any:
        """The function that is called, a `CalledFunction`."""

    @property
    def is_used(self) -> bool:
        """Whether the result of the call is used; where it is not, the call is a statement."""

    arguments: Mapping[str, Any]
    """The arguments by parameter, defaults included: IR values, Python constants, and the objects of `traced`."""

    def emit(self, operation: type[Operation], result_types: list[Type] | None = None, **parts: Any) -> Operation:
        """Add an instruction. A part's place in the source is that of the argument of the same name."""

    def inline(self, body: Callable[..., Any], *arguments: Any) -> Any:
        """Trace one of pytl's own functions with these arguments in place of the call; returns its result."""

    def component_region(
        self,
        argument: str,
        position: Sequence[Value],
        components: Sequence[Value],
        argument_count: int,
        component_type: ScalarType | None = None,
    ) -> tuple[Region, ScalarType]:
        """The region that computes a matrix's component by an argument's function, cast to the type if one is given."""

    def typed(self, item: Any, type_: Type | None, argument: str) -> Value:
        """An argument, or an entry of one, as a value; a literal takes the type."""

    def characters(self, argument: str, start: int, end: int) -> Location | None:
        """The place of some characters of a string that is written in the call; None where it is not written there."""

    def fail(
        self,
        message: str,
        help: str | None = None,
        argument: str | None = None,
        rule: Rule = ARGUMENT,
        location: Location | None = None,
    ) -> NoReturn:
        """Report a problem with the call, with one argument, or at a place in it, and abandon the call."""


Builder = Callable[[Call], Any]


class CalledFunction:
    """A function that a kernel may call: arguments are bound to a signature, and a builder emits the instructions."""

    def __init__(
        self, declaration: Callable[..., Any], build: Builder, places: tuple[str, ...] = (), name: str | None = None
    ) -> None:
        functools.update_wrapper(self, declaration)
        self.name = name or declaration.__name__
        """The name that a kernel calls: `gemm`, `coop.load`."""
        self.signature = inspect.signature(declaration)
        self.build = build
        self.places = places
        """The parameters that take `A[i, j]` as a place to write to."""
        self.regions: tuple[str, ...] = ()
        """The parameters that take a function, which is traced into a region."""
        self.statement: str | None = None
        """How the function is used where it is not a call but the head of a statement."""
        self.compute: Callable[..., Any] | None = None
        """The result of a call outside of kernels, from the arguments in order; None where it has no meaning there."""

    def __call__(self, *arguments: Any, **named: Any) -> Any:
        if self.compute is None:
            fail_outside_kernel(f"{self.name}(…)")
        bound = self.signature.bind(*arguments, **named)
        bound.apply_defaults()
        return self.compute(*bound.args)

    def __repr__(self) -> str:
        return f"<{self.name}{self.signature}, for a kernel>"

    def __reduce__(self) -> Any:
        return _public, (self.name,)


class KernelFunction(CalledFunction):
    """A function with its instruction."""

    def __init__(
        self,
        declaration: Callable[..., Any],
        operation: type[Operation],
        build: Builder,
        fixed: Mapping[str, Any],
        places: tuple[str, ...],
        statement: str | None,
        name: str | None,
        compute: Callable[..., Any] | None,
        regions: tuple[str, ...],
    ) -> None:
        super().__init__(declaration, build, places, name)
        self.__doc__ = _documentation(declaration, operation)
        self.operation = operation
        self.fixed = fixed
        self.statement = statement
        self.compute = compute
        self.regions = regions


def _public(name: str) -> Any:
    """The object that a kernel finds under a name: `coop.load` of `pytl`."""
    return operator.attrgetter(name)(importlib.import_module("pytl"))


def function_of(
    operation: type[Operation],
    *,
    build: Builder | None = None,
    places: tuple[str, ...] = (),
    statement: str | None = None,
    name: str | None = None,
    compute: Callable[..., Any] | None = None,
    regions: tuple[str, ...] = (),
    **fixed: Any,
) -> Callable[[Declaration], Declaration]:
    """Make a kernel function from a declaration. `fixed` names parts that are the same in every call.

    `name` is the name in a call where it differs from the function's, as in `coop.load`; `compute` is what a
    call outside of kernels does, where it has a meaning.
    An editor still sees the declaration.
    """

    def decorate(declaration: Declaration) -> Declaration:
        function = KernelFunction(
            declaration, operation, build or build_operation, fixed, places, statement, name, compute, regions
        )
        return function  # type: ignore[return-value]

    return decorate


def taking_what(other: Callable[P, R]) -> Callable[[Callable[..., Any]], Callable[P, R]]:
    """A declaration whose parameters and result are those of another function; an editor shows them."""

    def decorate(declaration: Callable[..., Any]) -> Callable[P, R]:
        declaration.__signature__ = inspect.signature(other)  # type: ignore[attr-defined]
        return declaration

    return decorate


def build_operation(call: Call) -> Any:
    """Add the function's instruction, each part from the parameter of its name; returns its result."""
    operation = call.function.operation
    parts: dict[str, Any] = dict(call.function.fixed)
    for name, part in operation.parts.items():
        if name in call.arguments:
            parts[name] = _convert(call, name, part, call.arguments[name])
    _transpose(call, parts)
    # A literal's type may follow from any other part, so literals come last.
    for name, part in operation.parts.items():
        if isinstance(part, OperandList) and name in parts:
            type_ = operation.literal_type(name, parts)
            parts[name] = [call.typed(item, type_, name) for item in parts[name]]
        elif isinstance(part, Operand) and name in parts and parts[name] is not None:
            parts[name] = call.typed(parts[name], operation.literal_type(name, parts), name)
    results = call.emit(operation, **parts).results
    return results[0] if results else None


def _convert(call: Call, name: str, part: Field, argument: Any) -> Any:
    if isinstance(part, OperandList):
        return list(argument) if isinstance(argument, tuple) else [argument]
    if isinstance(part, Operand):
        if argument is None and part.optional:
            return None
        if not _admits(part, argument):
            call.fail(
                f"{name} of {call.function.name} is {describe(argument)}, not {part.constraint}",
                advice_on_operand(argument, part.constraint),
                argument=name,
            )
        return argument
    if isinstance(part, Flag) and not isinstance(argument, bool):
        call.fail(f"{name} of {call.function.name} is {describe(argument)}, not True or False", argument=name)
    if isinstance(part, Modifier) and argument not in part.words:
        words = " or ".join(repr(word) for word in part.words)
        call.fail(f"{name} of {call.function.name} is {describe(argument)}, not {words}", argument=name)
    if isinstance(part, IntegerConstant) and (isinstance(argument, bool) or not isinstance(argument, int)):
        call.fail(
            f"{name} of {call.function.name} is {describe(argument)}, not a Python integer",
            "it is part of the instruction, so it must be known while the kernel is traced",
            argument=name,
        )
    if isinstance(part, Attributes):
        return {key: entry for key, entry in argument.items() if entry is not None}
    return argument


def _admits(part: Operand, argument: Any) -> bool:
    if isinstance(argument, Transposed):
        argument = argument.matrix
    if isinstance(argument, Value):
        return part.constraint.admits(argument.type)
    return is_literal(argument) and any(part.constraint.admits(t) for t in (bool_, *SCALAR_TYPES.values()))


def advice_on_operand(argument: Any, constraint: Constraint) -> str | None:
    """How to turn an argument into the expected kind, where there is one obvious way."""
    type_ = argument.type if isinstance(argument, Value) else None
    if type_ is None:
        return advice_on_array(argument)
    if isinstance(type_, GroupType) and constraint.admits(type_.memref):
        return "take one of its memrefs: …[g]"
    if isinstance(type_, MemrefType) and constraint.admits(type_.element):
        return (
            f"load an element of it: …[{', '.join('ijklmn'[: type_.order])}]"
            if type_.order
            else "load its element: …[()]"
        )
    if isinstance(type_, ScalarType) and not type_.is_complex:
        wide = floating_for(type_)
        return next((f"cast it: {cast_to(t, '…', type_)}" for t in (index, i32, wide) if constraint.admits(t)), None)
    return None


def operand_argument(call: Call, name: str) -> Value:
    """The value of the argument with the operand's name."""
    operation = call.function.operation
    argument = _convert(call, name, operation.parts[name], call.arguments[name])
    return call.typed(argument, operation.literal_type(name, {}), name)


def tensor_argument(call: Call, name: str) -> Value:
    """An argument that must be a memref or a group."""
    argument = call.arguments[name]
    if isinstance(argument, Transposed):
        call.fail(f"{name} of {call.function.name} can't be transposed", argument=name, rule=TRANSPOSED)
    if not isinstance(argument, Value) or not isinstance(argument.type, (MemrefType, GroupType)):
        advice = advice_on_array(argument)
        call.fail(f"{name} of {call.function.name} is {describe(argument)}, not a memref", advice, name)
    return argument


def memref_argument(call: Call, name: str) -> Value:
    """An argument that must be a memref."""
    argument = tensor_argument(call, name)
    if isinstance(argument.type, GroupType):
        advice = advice_on_operand(argument, MEMREF)
        call.fail(f"{name} of {call.function.name} is {argument.type}, not a memref", advice, name)
    return argument


def python_integer(call: Call, number: Any, what: str, argument: str) -> int:
    """A number that must be known while the kernel is traced; `what` begins the message."""
    if isinstance(number, bool) or not isinstance(number, int):
        call.fail(
            f"{what} is {describe(number)}, not a Python integer",
            "it must be known while the kernel is traced: a number, a constant of the module, or a constexpr",
            argument,
        )
    return number


def one_of(call: Call, name: str, words: Collection[Any]) -> Any:
    """An argument that must be one of some Python constants."""
    argument = call.arguments[name]
    if not any(type(argument) is type(word) and argument == word for word in words):
        choices = ", ".join(repr(word) for word in words)
        from difflib import get_close_matches  # not at `import pytl`

        strings = [word for word in words if isinstance(word, str)]
        close = get_close_matches(argument, strings, 1) if isinstance(argument, str) else []
        advice = f"did you mean {close[0]!r}?" if close else f"write {name}={next(iter(words))!r}"
        call.fail(f"{name} of {call.function.name} is {describe(argument)}, not one of {choices}", advice, name)
    return argument


def _transpose(call: Call, parts: dict[str, Any]) -> None:
    """Set the transpose modifiers from the arguments that were passed as `A.T`."""
    modifiers = _transpose_modifiers(call.function.operation)
    for operand, modifier in modifiers.items():
        parts[modifier] = "t" if isinstance(parts[operand], Transposed) else "n"
    for name, argument in parts.items():
        if isinstance(argument, Transposed):
            if name not in modifiers:
                takes = f"; it takes {', '.join(f'{o}.T' for o in modifiers)}" if modifiers else ""
                call.fail(
                    f"{name} of {call.function.name} can't be transposed{takes}",
                    argument=name,
                    rule=TRANSPOSED,
                )
            parts[name] = argument.matrix


def _transpose_modifiers(operation: type[Operation]) -> dict[str, str]:
    """Operands with the modifier that transposes them: `transpose_b` is for B, a lone `transpose` for A."""
    modifiers = {}
    for name, part in operation.parts.items():
        if isinstance(part, Modifier) and set(part.words) == {"n", "t"}:
            operand = name.removeprefix("transpose").removeprefix("_").upper() or "A"
            modifiers[operand] = name
    return modifiers


def _documentation(declaration: Callable[..., Any], operation: type[Operation]) -> str:
    """The declaration's text, followed by the documentation of the instruction."""
    lines = [inspect.cleandoc(declaration.__doc__ or ""), "", f"Instruction `{operation.mnemonic}`:"]
    lines += [
        f"    {name}: {part.constraint}; {part.description}"
        for name, part in operation.parts.items()
        if isinstance(part, Operand)
    ]
    lines += [f"    {check.rule.text} [{check.rule.code}]" for check in operation.rules]
    return "\n".join(lines)
