"""Calls outside of kernels: pytl's functions on numbers of Python and NumPy, with the language's own semantics.

NumPy's scalars have the types that they have in memory. A Python number takes its type from the others, as a literal
does in a kernel; where all are Python numbers, the result is one, too, computed as i64, f64 or c64.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NoReturn

from ...diagnostics import PytlError
from ...ir.types import SCALAR_TYPES, BoolType, ScalarType, bool_, c64, f64, i64
from ...ops.constants import integer_bounds
from ...process.records import dataclass
from .literals import cast_literal, literal_of
from .rules import ARGUMENT, NUMBERS
from .traced import ELEMENTS, Number, describe, is_number

NumberType = ScalarType | BoolType

_NAMES = {"bool": "bool", **ELEMENTS}
"""The types of the language by NumPy's names of theirs."""


def fail(message: str, help: str | None = None) -> NoReturn:
    """Refuse the numbers of a call."""
    raise PytlError.single(NUMBERS, message, help=help)


@dataclass(frozen=True)
class Numbers:
    """The numbers of a call, in one type."""

    values: list[Any]
    """NumPy's scalars of the type."""
    type: NumberType
    are_python: bool
    """Whether all of them were Python's, so that the result is to be Python's, too."""

    def result(self, value: Any) -> Any:
        """What the call gives."""
        return value.item() if self.are_python and hasattr(value, "item") else value


def numpy_type(number: Any) -> NumberType | None:
    """The type of a scalar of NumPy's; None of anything else."""
    if isinstance(number, (int, float, complex)) and type(number).__module__ == "builtins":
        return None
    name = _NAMES.get(str(getattr(number, "dtype", "")))
    if name is None or getattr(number, "shape", None) != ():
        return None
    return bool_ if name == "bool" else SCALAR_TYPES[name]


def numbers(function: str, arguments: Sequence[Any], *, floating: bool = False) -> Numbers:
    """The arguments of a function in one type; Python's integers count as f64 where `floating` is true."""
    types = []
    for number in arguments:
        type_ = numpy_type(number)
        if type_ is not None and not isinstance(type_, BoolType):
            types.append(type_)
        elif not is_number(number) or isinstance(number, bool) or type_ is not None:
            fail(f"{function} takes numbers of Python or NumPy, but got {_shown(number)}", _advice(number))
    if any(type_ != types[0] for type_ in types):
        other = next(type_ for type_ in types if type_ != types[0])
        fail(f"{function} got numbers of {types[0]} and {other}", f"cast one of them: pytl.{types[0]}(…)")
    if types:
        return Numbers([_scalar(number, types[0]) for number in arguments], types[0], False)
    kinds = {type(number) for number in arguments}
    python = c64 if complex in kinds else f64 if float in kinds or floating else i64
    return Numbers([_scalar(number, python) for number in arguments], python, True)


def cast(number: Any, type_: NumberType) -> Any:
    """A number cast to a type, as in a kernel; a truth value is Python's own bool."""
    from ...ops import scalars

    source = numpy_type(number)
    dtype = scalars.dtype_of(type_)
    if source == type_:
        return number if source != bool_ else bool(number)
    if source is None:
        if not is_number(number) and not isinstance(number, str):
            fail(f"{type_} takes a number of Python or NumPy, but got {_shown(number)}", _advice(number))
        literal = cast_literal(number, type_)
        if literal is None:
            fail(f"{describe(number)} can't be {type_}")
        return literal if isinstance(type_, BoolType) else _scalar(literal, type_)
    if isinstance(source, BoolType) or isinstance(type_, BoolType):
        help = "compare it: x != 0" if isinstance(type_, BoolType) else f"choose a number: {type_}(1) if x else 0"
        fail(f"{source} can't be cast to {type_}", help)
    if source.is_complex and not type_.is_complex:
        fail(f"{source} can't be cast to {type_}", "take a part first: x.real, x.imag or abs(x)")
    import numpy as np

    with np.errstate(all="ignore"):
        if source.is_floating and type_.is_integer and scalars.beyond(np.array([number]), source, type_)[0]:
            fail(f"{float(number)!r} does not fit {type_}", "clamp it first")
        return dtype.type(scalars.cast(np.array([number]), source, type_)[0])


def apply(body: Callable[..., Any], *arguments: Any) -> Any:
    """Execute a function of the library as Python, on NumPy's scalars, without NumPy's warnings."""
    import numpy as np

    with np.errstate(all="ignore"):
        return body(*arguments)


def _scalar(number: Any, type_: NumberType) -> Any:
    """A number as a NumPy scalar: of its own type, or of the given type where it is a literal."""
    from ...ops.scalars import dtype_of

    if numpy_type(number) is not None:
        return number
    literal: Number | None = literal_of(number, type_)
    if literal is None:
        fail(f"{describe(number)} is used where {type_} is expected", f"cast it: pytl.{type_}(…)")
    if isinstance(type_, ScalarType) and type_.is_integer:
        least, most = integer_bounds(type_)
        if not least <= literal <= most:  # type: ignore[operator]
            fail(f"{literal} is beyond {type_}, which holds {least} … {most}")
    import numpy as np

    with np.errstate(all="ignore"):
        return dtype_of(type_).type(literal)


def _shown(number: Any) -> str:
    dtype = getattr(number, "dtype", None)
    if dtype is None:
        return describe(number)
    shape = getattr(number, "shape", ())
    return f"an array of {dtype}" if shape else f"NumPy's {dtype}"


def _advice(number: Any) -> str | None:
    if getattr(number, "shape", ()):
        return "call it for each element, or launch a kernel on the array"
    return None


def refuse(message: str, help: str | None = None) -> NoReturn:
    """Refuse an argument for another reason than its type."""
    raise PytlError.single(ARGUMENT, message, help=help)
