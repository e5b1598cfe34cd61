"""Seeing values in a kernel that the reference backend executes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from .function import Call, CalledFunction

Declaration = TypeVar("Declaration", bound=Callable[..., Any])


def _build(call: Call) -> Any:
    raise NotImplementedError("the front end reads the function's source itself")


def _called(declaration: Declaration) -> Declaration:
    made = CalledFunction(declaration, _build)
    made.compute = lambda function, *values: function(*values)
    return made  # type: ignore[return-value]


@_called
def debug(function: Callable[..., Any], *values: Any) -> None:
    """Calls a Python function with values of the kernel, where the reference backend executes it.

    The function gets a NumPy number for each number, and a read-only array for each memref; it is called for each
    work-item, or iteration of a foreach, that comes there. A lambda without `values` gets what its parameters name, and
    may use other values of the kernel: `pytl.debug(lambda: print(x))`, `pytl.debug(lambda x: breakpoint())`. Other
    backends refuse the kernel (PYTL-1084), or leave the call out under `PYTL_DEBUG_PRINT=ignore`. A kernel's text keeps
    the function's name alone; the values are printed then.

    >>> import pytl
    >>> from pytl import Memref, f32
    >>> @pytl.kernel
    ... def f(A: Memref[f32, 4]):
    ...     x = A[1]
    ...     pytl.debug(lambda x: print(x + 1))
    >>> import numpy as np
    >>> f[1](np.arange(4, dtype=np.float32), backend="reference")
    2.0
    """
