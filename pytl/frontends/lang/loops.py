"""Hints, limits and forms of a kernel's loops."""

from __future__ import annotations

from typing import Any

from ...ops import For
from . import outside
from .function import Call, CalledFunction, function_of
from .traced import describe


def _compute(loop: range, request: bool | int) -> range:
    if not isinstance(loop, range):
        outside.refuse(f"unroll takes a range, but got {describe(loop)}", "write for i in unroll(range(n))")
    return loop


@function_of(For, statement="for i in unroll(range(n)):", compute=_compute)
def unroll(loop: range, request: bool | int = True) -> range:
    """`for i in unroll(range(n)):` requests that the loop is unrolled, `unroll(range(n), False)` that it is not.

    `request` is True, False, or how many iterations become one, as in `unroll(range(n), 4)`; it is known while the
    kernel is traced. The results of the loop stay the same.
    Outside of a kernel, `unroll` returns the range. Manual: For.

    >>> from pytl import Memref, f32, unroll
    >>> from pytl.frontends.python import trace
    >>> def f(A: Memref[f32, 4]):
    ...     for i in unroll(range(4)):
    ...         A[i] = 1.0
    >>> print(str(trace(f)).splitlines()[-2].strip())
    } {unroll=true}
    """


def _build(call: Call) -> Any:
    """The condition. That there is a limit is for the `while` around it."""
    return call.arguments["condition"]


def _condition(condition: Any, most: int) -> Any:
    return condition


def bound(condition: Any, most: Any) -> Any:
    """`while bound(condition, most=1000):` says how many iterations a `while` has at most.

    A `while` needs that where its condition does not tell it. `most` is a Python integer, or an `index` that is
    computed before the loop, from 0 on. More iterations are an error of the reference backend, and of compiled kernels
    with checks (PYTL-1089); without checks, the loop ends after `most` iterations, as if its condition did not hold any
    more. Outside of kernels, `bound` returns the condition.

    >>> import numpy as np, pytl
    >>> from pytl import Memref, bound, f32
    >>> @pytl.kernel
    ... def root(x: Memref[f32, 1]):
    ...     guess = x[0]
    ...     while bound(abs(guess * guess - x[0]) > 1e-4, most=50):
    ...         guess = 0.5 * (guess + x[0] / guess)
    ...     x[0] = guess
    >>> x = np.array([2.0], np.float32)
    >>> root[1](x, backend="reference")
    >>> round(float(x[0]), 3)
    1.414
    """
    raise NotImplementedError


_declared = bound
bound = CalledFunction(_declared, _build)
bound.statement, bound.compute = "while bound(condition, most):", _condition


def static_range(start: int, stop: int | None = None, step: int = 1) -> range:
    """`for i in static_range(n):` traces its body once for each number, and `i` is a Python integer there.

    `start`, `stop` and `step` are those of `range`, and known while the kernel is traced. Nothing of the loop remains
    in the IR. As an integer of Python, the loop's variable indexes tuples, and is a size of `alloca` or of a view.
    `range` and `unroll(range(n))` are loops of the IR. A `static_range` of more than 4096 iterations is an error
    (PYTL-1060). Outside of kernels, `static_range` is `range`.

    >>> from pytl import Memref, f32, static_range
    >>> from pytl.frontends.python import trace
    >>> def f(A: Memref[f32, 4], x: f32):
    ...     for i in static_range(1, 4, 2):
    ...         A[i] = x
    >>> print(trace(f))
    func @f(%A: memref<f32x4>,
            %x: f32) {
      %0 = constant 1 : index
      store %x, %A[%0]
      %1 = constant 3 : index
      store %x, %A[%1]
    }
    """
    return range(start) if stop is None else range(start, stop, step)


_computed = static_range
static_range = CalledFunction(_computed, lambda call: None)
static_range.statement, static_range.compute = "for i in static_range(n):", _computed
