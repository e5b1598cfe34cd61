"""Shows values of a kernel that the reference backend executes."""

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
    """Calls a Python function with values of the kernel, where the reference backend executes the kernel.

    The function gets a NumPy number for each number, and a read-only array for each memref. It is called for each
    work-item, or iteration of a foreach, that reaches it. A lambda without `values` gets the values that its
    parameters name, and may use other values of the kernel: `pytl.debug(lambda: print(x))`, `pytl.debug(lambda x:
    breakpoint())`. Other backends refuse the kernel (PYTL-1084), or omit the call under `PYTL_DEBUG_PRINT=ignore`. A
    kernel's text keeps only the function's name; a kernel from text prints the values.

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
