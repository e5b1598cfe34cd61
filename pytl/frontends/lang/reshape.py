"""Views that join or split modes, as a kernel body calls them."""

from __future__ import annotations

from typing import Any

from ...ir.types import index
from ...ops import Expand, Expandc2r, Fuse
from .function import Call, function_of, memref_argument, python_integer
from .scalars import Bound, V
from .traced import Shape, describe


def _build_fuse(call: Call) -> Any:
    tensor = memref_argument(call, "tensor")
    first, last = (python_integer(call, call.arguments[name], f"{name} of fuse", name) for name in ("first", "last"))
    return call.emit(Fuse, tensor=tensor, first=first, last=last).result


@function_of(Fuse, build=_build_fuse)
def fuse(tensor: V, first: int, last: int) -> V:
    """A view in which the modes from `first` to `last` are one: `fuse(A, 0, 1)`.

    Modes are Python integers, counted from 0. They must be contiguous in memory: the stride of each is
    stride times size of the mode before it. The size of the new mode is the product of their sizes. Manual: Fuse.

    >>> from pytl import Memref, f32, fuse
    >>> from pytl.frontends.python import trace
    >>> def f(A: Memref[f32, 16, 8, 4]):
    ...     x = fuse(A, 1, 2)
    >>> print(str(trace(f)).splitlines()[1].strip())
    %x = fuse %A[1, 2] : memref<f32x16x32>
    """


@function_of(Expandc2r)
def expandc2r(tensor: V) -> V:
    """A view of complex memory as real memory: `expandc2r(C)[0, i]` is the real part of `C[i]`, and 1 the imaginary.

    >>> from pytl import Memref, c32, expandc2r
    >>> from pytl.frontends.python import trace
    >>> def f(C: Memref[c32, 32]):
    ...     x = expandc2r(C)
    >>> print(str(trace(f)).splitlines()[1].strip())
    %x = v04.expandc2r %C : memref<f32x2x32>
    """


def _build_expand(call: Call) -> Any:
    tensor = memref_argument(call, "tensor")
    mode = python_integer(call, call.arguments["mode"], "mode of expand", "mode")
    written_sizes = call.arguments["expand_shape"]
    if not isinstance(written_sizes, tuple) or len(written_sizes) < 2:
        call.fail(
            f"expand_shape of expand is {describe(written_sizes)}, not two sizes or more",
            "write the sizes in parentheses: expand(A, 1, (2, 8))",
            "expand_shape",
        )
    sizes = [_size(call, size) for size in written_sizes]
    return call.emit(Expand, tensor=tensor, mode=mode, expand_shape=sizes).result


def _size(call: Call, size: Any) -> Any:
    wrong = isinstance(size, (bool, float, complex, str, Shape)) or size is None or size is ...
    if wrong or (isinstance(size, int) and size < 1):
        call.fail(
            f"a size is {describe(size)}",
            "each size is a Python integer or a value of type index; where one follows from the others, compute it",
            "expand_shape",
        )
    return size if isinstance(size, int) else call.typed(size, index, "expand_shape")


@function_of(Expand, build=_build_expand)
def expand(tensor: V, mode: int, expand_shape: tuple[Bound, ...]) -> V:
    """A view in which a mode is several: `expand(A, 1, (2, n))`.

    The mode is a Python integer, counted from 0; the sizes are Python integers or indices, two or more, and their
    product is the size of the mode. The product is not checked at run time. Manual: Expand.

    >>> from pytl import Memref, expand, f32
    >>> from pytl.frontends.python import trace
    >>> def f(A: Memref[f32, 16, 8]):
    ...     x = expand(A, 1, (2, 4))
    >>> print(str(trace(f)).splitlines()[1].strip())
    %x = expand %A[1 -> 2 x 4] : memref<f32x16x2x4>
    """
