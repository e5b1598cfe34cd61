"""What a kernel says of its loops."""

from __future__ import annotations

from ..ops import For
from .function import function_of


@function_of(For, statement="for i in unroll(range(n)):")
def unroll(loop: range, request: bool = True) -> range:
    """`for i in unroll(range(n)):` asks the compiler to unroll the loop, `unroll(range(n), False)` not to.

    `request` is True or False, known while the kernel is traced. What the loop computes stays the same.
    Manual: For.

    >>> from pytl import Memref, f32, unroll
    >>> from pytl.frontends.python import trace
    >>> def f(A: Memref[f32, 4]):
    ...     for i in unroll(range(4)):
    ...         A[i] = 1.0
    >>> print(str(trace(f)).splitlines()[-2].strip())
    } {unroll=true}
    """
