"""`@pytl.function`: functions that kernels call."""

from __future__ import annotations

import sys
from collections.abc import Callable
from types import FunctionType
from typing import Any, TypeVar, cast

from ..frontends import python as frontend
from ..frontends.lang.bodies import CalledOnce
from ..frontends.python.annotations import names_in_annotations
from ..frontends.python.source_texts import keep_text
from . import reloading

Called = TypeVar("Called", bound=Callable[..., Any])


def function(python_function: Called, /) -> Called:
    """Make a function that kernels call of a Python function: kernels have its code once, however often they call it.

    Other Python functions are inlined: each call has their instructions. A call of this one is an instruction of its
    own, and the kernel's module has a function for each combination of the arguments' types and of the values of its
    `constexpr` parameters. Parameters are annotated as those of kernels, or take the types of the arguments; Python
    numbers that are passed for parameters without a type are constants. It returns nothing, a number, a truth value, or
    a tuple of these, of the types of its return annotation if it has one, and writes to memrefs that it is passed.

    Outside of kernels a call is one of the Python function. Raises `pytl.TraceError` when a kernel that calls it is
    traced, with what is wrong with it. Manual: none; texts have `pytl.call`.

    >>> import pytl
    >>> from pytl import Memref, f32, foreach
    >>> @pytl.function
    ... def square(x: f32) -> f32:
    ...     return x * x
    >>> @pytl.kernel
    ... def squares(x: Memref[f32, 8]):
    ...     for i in foreach(8):
    ...         x[i] = square(x[i])
    >>> print(str(squares).split("\\n\\n")[1])
    func @square(%x: f32) -> (f32) {
      %0 = arith.mul %x, %x : f32
      yield (%0)
    }
    >>> square(3.0)
    9.0
    """
    if not isinstance(python_function, FunctionType):
        frontend.source.find_source(python_function)  # says what is wanted instead
    assert isinstance(python_function, FunctionType)
    caller = sys._getframe(1)
    keep_text(python_function, caller)
    reloading.follow(CalledOnce)
    return cast(Called, CalledOnce(python_function, names_in_annotations(python_function, caller.f_locals)))
