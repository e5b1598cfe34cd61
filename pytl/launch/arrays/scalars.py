"""Numbers of Python and NumPy as arguments for scalar parameters."""

from __future__ import annotations

import math
from typing import Any

from ...backends import rules
from ...backends.base import Argument
from ...ir.types import BoolType, ScalarType, Type
from ...ops.constants import integer_bounds, round_to, wrap
from .parameters import Parameter, Report, what

PLAIN = (float, int, complex, bool)
"""Python's own numbers."""
ALL = (-math.inf, math.inf)

# Numbers from here on would be rounded to infinity.
_BEYOND = {
    "f16": 65520.0,
    "bf16": 3.3961775292304957e38,
    "f32": 3.4028235677973366e38,
    "c32": 3.4028235677973366e38,
}


def bind_scalar(parameter: Parameter, type_: Type, argument: Any, report: Report) -> Argument | None:
    name = parameter.name
    argument = python_number(argument)
    if isinstance(type_, BoolType):
        if isinstance(argument, bool):
            return argument
        report(rules.KIND, f"{name} is {what(argument)}, but the parameter is bool", "pass True or False")
        return None
    assert isinstance(type_, ScalarType)
    if isinstance(argument, bool) or not isinstance(argument, (int, float, complex)):
        kind = "an integer" if type_.is_integer else "a number"
        report(
            rules.KIND, f"{name} is {what(argument)}, but the parameter is {type_}", f"pass {kind} of Python or NumPy"
        )
        return None
    if type_.is_integer:
        return _bind_integer(parameter, type_, argument, report)
    if isinstance(argument, complex) and not type_.is_complex:
        report(
            rules.SCALAR,
            f"{name} is the complex number {argument}, but the parameter is {type_}",
            f"pass a part of it: {name}.real or {name}.imag",
        )
        return None
    try:
        number = complex(argument)
    except OverflowError:  # an integer beyond f64
        number = complex(math.inf)
    beyond = _BEYOND.get(type_.name, math.inf)
    # an infinity is a number of the type, unless it comes from an integer that is too large
    finite = [abs(part) for part in (number.real, number.imag) if math.isfinite(part) or isinstance(argument, int)]
    if any(part >= beyond for part in finite):
        wider = {"f32": "f64", "c32": "c64"}.get(type_.name, "f32")
        report(
            rules.SCALAR,
            f"{name} is {_shown(argument)}, which is beyond the range of {type_}",
            "pass a smaller number" if beyond == math.inf else f"pass a smaller number, or declare {name} as {wider}",
        )
        return None
    if type_.name in ("f16", "bf16"):  # which travel as f32
        return round_to(number.real, type_)
    return number if type_.is_complex else number.real


def unchecked_range(type_: Type, kind: type, unsigned: bool = False) -> tuple[float, float] | None:
    """The first and last number of a Python type that a parameter takes unchanged.

    Both are infinite if the parameter takes all numbers of the Python type. None if each number has to be checked,
    because it is converted or rounded, or because the parameter takes no number of the Python type.
    """
    if isinstance(type_, BoolType):
        return ALL if kind is bool else None
    assert isinstance(type_, ScalarType)
    if type_.is_integer:
        _, maximum = integer_bounds(type_)
        return (0 if unsigned else -maximum - 1, maximum) if kind is int else None
    if type_.name == "f32" and kind is float:
        last = math.nextafter(_BEYOND["f32"], 0.0)
        return (-last, last)
    return ALL if (type_.name, kind) in (("f64", float), ("c64", complex)) else None


def python_number(argument: Any) -> Any:
    """A scalar of NumPy, or an array of no modes, as a Python number; everything else as it is."""
    if type(argument) in PLAIN:
        return argument
    import numpy

    if isinstance(argument, numpy.ndarray) and argument.ndim == 0 and not isinstance(argument, numpy.ma.MaskedArray):
        argument = argument[()]
    if not isinstance(argument, numpy.generic):
        return argument
    # item() would leave long doubles and bfloat16 as they are, and make integers of durations
    convert = {"b": bool, "i": int, "u": int, "f": float, "c": complex}.get(argument.dtype.kind)
    if str(argument.dtype) == "bfloat16":
        convert = float
    return convert(argument) if convert is not None else argument


def _shown(number: Any) -> Any:
    """A number as messages show it; Python refuses to write integers of thousands of digits."""
    return "an integer of many digits" if isinstance(number, int) and abs(number) >= 10**40 else number


def _bind_integer(parameter: Parameter, type_: ScalarType, argument: Any, report: Report) -> int | None:
    name = parameter.name
    if not isinstance(argument, int):
        report(
            rules.SCALAR,
            f"{name} is {what(argument)} {argument}, but the parameter is {type_}",
            "pass an integer: int(…) drops the fraction",
        )
        return None
    minimum, maximum = integer_bounds(type_)
    minimum, maximum = (0, 2 * maximum + 1) if parameter.unsigned else (-maximum - 1, maximum)
    if not minimum <= argument <= maximum:
        shown = f"u{type_.bits}" if parameter.unsigned else str(type_)
        wider = "declare a wider type" if type_.size < 8 else "the language has no wider type"
        report(
            rules.SCALAR,
            f"{name} is {_shown(argument)}, but {shown} holds {minimum} … {maximum}",
            f"pass a number in this range; {wider}",
        )
        return None
    return wrap(argument, type_)
