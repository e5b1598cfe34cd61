"""How the library's functions are declared: a signature with its documentation, and bodies by type."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from ....ir import types
from ....ir.types import ScalarType
from ....ir.values import Value
from ....ops import Cast
from .. import outside
from ..casts import floating_for
from ..function import Builder, Call, CalledFunction
from ..traced import describe, is_number

Declaration = TypeVar("Declaration", bound=Callable[..., Any])
Body = Callable[..., Any]

FLOATS = ("f64", "f32", "f16", "bf16")


class LibraryFunction(CalledFunction):
    """A function that is written in the language itself; outside of kernels it computes with numbers."""

    def __init__(
        self,
        declaration: Callable[..., Any],
        build: Builder,
        compute: Callable[..., Any],
        ulps: Mapping[str, float] | None = None,
    ) -> None:
        super().__init__(declaration, build)
        self.compute = compute
        self.ulps = ulps
        """The bound on the error, in units in the last place of the correctly rounded result, by type."""

    def __repr__(self) -> str:
        return f"<{self.name}{self.signature}>"


def library(
    build: Builder, compute: Callable[..., Any], ulps: Mapping[str, float] | None = None
) -> Callable[[Declaration], Declaration]:
    """Make a function of the library from a declaration. An editor still sees the declaration."""
    return lambda declaration: LibraryFunction(declaration, build, compute, ulps)  # type: ignore[return-value]


def of_floating(f64: Body, f32: Body, ulps: tuple[float, float]) -> Callable[[Declaration], Declaration]:
    """A function of one floating point number, by its bodies; f16 and bf16 are computed as f32.

    `ulps` are the bounds in f64 and f32. Those of the halves follow: the f32 is rounded once more.
    """
    bodies = {"f64": f64, "f32": f32}
    bounds = {"f64": ulps[0], "f32": ulps[1], "f16": 1.0, "bf16": 1.0} if any(ulps) else dict.fromkeys(FLOATS, 0.0)

    def decorate(declaration: Declaration) -> Declaration:
        name = declaration.__name__

        def build(call: Call) -> Any:
            ((parameter, argument),) = call.arguments.items()
            if is_number(argument) and not isinstance(argument, (bool, complex)):
                # computed while tracing; the constant's rule reports results that are not finite
                return compute(argument)
            value = call.typed(argument, None, parameter)
            type_ = value.type
            if not isinstance(type_, ScalarType) or not type_.is_floating:
                is_integer = isinstance(type_, ScalarType) and type_.is_integer
                help = f"cast it: {floating_for(type_)}(…)" if is_integer else None
                call.fail(f"{parameter} of {name} is {describe(value)}, not a floating point number", help, parameter)
            if type_.name in bodies:
                return call.inline(bodies[type_.name], value)
            wide = call.emit(Cast, [types.f32], operand=value).result
            return call.emit(Cast, [type_], operand=call.inline(bodies["f32"], wide)).result

        def compute(number: Any) -> Any:
            numbers = outside.numbers(name, [number], floating=True)
            type_ = numbers.type
            if not isinstance(type_, ScalarType) or not type_.is_floating:
                outside.fail(f"{name} takes a floating point number, but got {type_}", "cast it: pytl.f64(…)")
            if type_.name in bodies:
                return numbers.result(outside.apply(bodies[type_.name], numbers.values[0]))
            wide = outside.cast(numbers.values[0], types.f32)
            return outside.cast(outside.apply(bodies["f32"], wide), type_)

        return library(build, compute, bounds)(declaration)

    return decorate


def of_one_type(body: Body, admits: Callable[[ScalarType], bool], kind: str) -> Callable[[Declaration], Declaration]:
    """A function of numbers of one type, which `admits` permits and `kind` names, with one body for all types."""

    def decorate(declaration: Declaration) -> Declaration:
        name = declaration.__name__

        def build(call: Call) -> Any:
            if all(is_number(item) for item in spread(call.arguments.values())):
                return compute(*spread(call.arguments.values()))
            return call.inline(body, *unified(call, admits, kind))

        def compute(*items: Any) -> Any:
            numbers = outside.numbers(name, items)
            if not isinstance(numbers.type, ScalarType) or not admits(numbers.type):
                outside.fail(f"{name} takes {kind}, but got {numbers.type}")
            return numbers.result(outside.cast(outside.apply(body, *numbers.values), numbers.type))

        return library(build, compute)(declaration)

    return decorate


def unified(call: Call, admits: Callable[[ScalarType], bool], kind: str) -> list[Value]:
    """The arguments as values of one type, which literals take, too."""
    pairs = [(name, item) for name, argument in call.arguments.items() for item in spread([argument])]
    value_types = [item.type for _, item in pairs if isinstance(item, Value)]
    for name, item in pairs:
        if not isinstance(item, Value):
            continue
        if not isinstance(item.type, ScalarType) or not admits(item.type):
            call.fail(f"{name} of {call.function.name} is {describe(item)}, not {kind}", None, name)
        if item.type != value_types[0]:
            message = f"{call.function.name} of {value_types[0]} and {item.type}"
            call.fail(message, f"cast one of them: {value_types[0]}(…)", name)
    return [call.typed(item, value_types[0] if value_types else None, name) for name, item in pairs]


def spread(items: Any) -> list[Any]:
    """Arguments in order; those of `*parameters` come as a tuple."""
    return [entry for item in items for entry in (item if isinstance(item, tuple) else (item,))]
