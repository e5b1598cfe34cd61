"""Mathematical functions, as a kernel body calls them."""

from __future__ import annotations

import cmath
import math
from collections.abc import Callable
from typing import Any, TypeVar

from ...ir.meanings import Meanings
from ...ir.types import CoopMatrixType, ScalarType
from ...ops import Math, MathSince04
from . import outside
from .coop_functions import of_components
from .function import Call, build_operation, function_of
from .scalars import Number
from .traced import describe, is_number

N = TypeVar("N", bound=Number)

_PYTHON: Meanings[str, tuple[Callable[[float], float], Callable[[complex], complex]]] = Meanings(
    "the tracer, math",
    {
        **dict.fromkeys(("exp", "native_exp"), (math.exp, cmath.exp)),
        **dict.fromkeys(("exp2", "native_exp2"), (lambda a: 2.0**a, lambda a: cmath.exp(a * math.log(2)))),
        "native_sin": (math.sin, cmath.sin),
        "native_cos": (math.cos, cmath.cos),
        "native_log": (math.log, cmath.log),
        "native_log2": (math.log2, lambda a: cmath.log(a) / math.log(2)),
    },
)
"""Functions of Python's real and of its complex numbers."""


def _build(call: Call) -> Any:
    """The function of a Python number, computed while tracing, as Python's own operators are; it has no type yet."""
    a = call.arguments["a"]
    if isinstance(getattr(a, "type", None), CoopMatrixType):
        return of_components(call, a)
    if not is_number(a) or isinstance(a, bool):
        return build_operation(call)
    of_real, of_complex = _PYTHON[call.function.name]
    try:
        return of_complex(a) if isinstance(a, complex) else of_real(a)
    except ValueError:
        call.fail(f"{call.function.name} of {describe(a)} is not defined", argument="a")
    except OverflowError:
        call.fail(f"{call.function.name} of {describe(a)} is beyond the range of every type", argument="a")


def _compute(name: str) -> Callable[[Any], Any]:
    """The result of `math.<name>` outside of kernels."""

    def compute(number: Any) -> Any:
        import numpy as np

        from ...ops import scalars

        numbers = outside.numbers(name, [number], floating=True)
        type_ = numbers.type
        if not isinstance(type_, ScalarType) or type_.is_integer:
            outside.fail(f"{name} takes a floating point or complex number, but got {type_}", "cast it: pytl.f64(…)")
        with np.errstate(all="ignore"):
            return numbers.result(scalars.math(name, np.array(numbers.values), type_)[0])

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


@function_of(MathSince04, build=_build, compute=_compute("exp2"), variant="exp2")
def exp2(a: N) -> N:
    """2 to the power of a floating point or complex number; the result has its type.

    For a Python number, the result is a Python number, computed while tracing.

    >>> from pytl import Memref, f32, exp2
    >>> from pytl.frontends.python import trace
    >>> def f(x: f32):
    ...     y = exp2(x)
    >>> print(str(trace(f)).splitlines()[1].strip())
    %y = v04.math.exp2 %x : f32
    """


@function_of(MathSince04, build=_build, compute=_compute("native_exp2"), variant="native_exp2")
def native_exp2(a: N) -> N:
    """2 to the power of a number with a device-dependent error; often faster than `exp2`.

    For a Python number, the result is a Python number, computed while tracing.

    >>> from pytl import Memref, f32, native_exp2
    >>> from pytl.frontends.python import trace
    >>> def f(x: f32):
    ...     y = native_exp2(x)
    >>> print(str(trace(f)).splitlines()[1].strip())
    %y = v04.math.native_exp2 %x : f32
    """


@function_of(MathSince04, build=_build, compute=_compute("native_sin"), variant="native_sin")
def native_sin(a: N) -> N:
    """The sine of a floating point number, with a device-dependent error; often faster than `sin`.

    For a Python number, the result is a Python number, computed while tracing.

    >>> from pytl import Memref, f32, native_sin
    >>> from pytl.frontends.python import trace
    >>> def f(x: f32):
    ...     y = native_sin(x)
    >>> print(str(trace(f)).splitlines()[1].strip())
    %y = v04.math.native_sin %x : f32
    """


@function_of(MathSince04, build=_build, compute=_compute("native_cos"), variant="native_cos")
def native_cos(a: N) -> N:
    """The cosine of a floating point number, with a device-dependent error; often faster than `cos`.

    For a Python number, the result is a Python number, computed while tracing.

    >>> from pytl import Memref, f32, native_cos
    >>> from pytl.frontends.python import trace
    >>> def f(x: f32):
    ...     y = native_cos(x)
    >>> print(str(trace(f)).splitlines()[1].strip())
    %y = v04.math.native_cos %x : f32
    """


@function_of(MathSince04, build=_build, compute=_compute("native_log"), variant="native_log")
def native_log(a: N) -> N:
    """The natural logarithm of a floating point number, with a device-dependent error; often faster than `log`.

    For a Python number, the result is a Python number, computed while tracing.

    >>> from pytl import Memref, f32, native_log
    >>> from pytl.frontends.python import trace
    >>> def f(x: f32):
    ...     y = native_log(x)
    >>> print(str(trace(f)).splitlines()[1].strip())
    %y = v04.math.native_log %x : f32
    """


@function_of(MathSince04, build=_build, compute=_compute("native_log2"), variant="native_log2")
def native_log2(a: N) -> N:
    """The logarithm to the base 2 of a floating point number, with a device-dependent error; often faster than `log2`.

    For a Python number, the result is a Python number, computed while tracing.

    >>> from pytl import Memref, f32, native_log2
    >>> from pytl.frontends.python import trace
    >>> def f(x: f32):
    ...     y = native_log2(x)
    >>> print(str(trace(f)).splitlines()[1].strip())
    %y = v04.math.native_log2 %x : f32
    """
