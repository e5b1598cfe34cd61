"""Mathematical functions, as a kernel body calls them."""

from __future__ import annotations

import cmath
import math
from collections.abc import Callable
from typing import Any, TypeVar

from ..ir.meanings import Meanings
from ..ir.types import ScalarType
from ..ops import Math
from . import outside
from .function import Call, build_operation, function_of
from .scalars import Number
from .traced import describe, is_number

N = TypeVar("N", bound=Number)

_PYTHON: Meanings[str, tuple[Callable[[float], float], Callable[[complex], complex]]] = Meanings(
    "the tracer, math", dict.fromkeys(("exp", "native_exp"), (math.exp, cmath.exp))
)
"""Functions of Python's real and of its complex numbers."""


def _build(call: Call) -> Any:
    """The function of a Python number, computed while tracing, as Python's own operators are; it has no type yet."""
    a = call.arguments["a"]
    if not is_number(a) or isinstance(a, bool):
        return build_operation(call)
    of_real, of_complex = _PYTHON[call.function.name]
    try:
        return of_complex(a) if isinstance(a, complex) else of_real(a)
    except OverflowError:
        call.fail(f"{call.function.name} of {describe(a)} is beyond the range of every type", argument="a")


def _compute(name: str) -> Callable[[Any], Any]:
    """The result of `math.<name>` outside of kernels."""

    def compute(number: Any) -> Any:
        import numpy as np

        from ..ops import scalars

        given = outside.numbers(name, [number], floating=True)
        type_ = given.type
        if not isinstance(type_, ScalarType) or type_.is_integer:
            outside.fail(f"{name} takes a floating point or complex number, but got {type_}", "cast it: pytl.f64(…)")
        with np.errstate(all="ignore"):
            return given.result(scalars.math(name, np.array(given.values), type_)[0])

    return compute


@function_of(Math, build=_build, compute=_compute("exp"), variant="exp")
def exp(a: N) -> N:
    """The exponential function of a floating point or complex number; the result has its type.

    For a Python number, the result is a Python number, computed while tracing. Manual: Math (unary).

    >>> from pytl import Memref, exp, f32
    >>> from pytl.frontends.python import trace
    >>> def f(x: f32):
    ...     y = exp(-x)
    >>> print(str(trace(f)).splitlines()[2].strip())
    %y = math.exp %0 : f32
    """


@function_of(Math, build=_build, compute=_compute("native_exp"), variant="native_exp")
def native_exp(a: N) -> N:
    """The exponential function with a device-dependent error; often faster than `exp`.

    The result has the type of the floating point or complex number. For a Python number, it is a Python number,
    computed while tracing. Manual: Math (unary).

    >>> from pytl import Memref, f32, native_exp
    >>> from pytl.frontends.python import trace
    >>> def f(x: f32):
    ...     y = native_exp(x)
    >>> print(str(trace(f)).splitlines()[1].strip())
    %y = math.native_exp %x : f32
    """
