"""Atomic stores: `atomic.store(A[i, j], v)` and `atomic.add(A[i, j], v)`."""

from __future__ import annotations

from ..ops import Store
from .casts import cast_to
from .function import Call, function_of
from .scalars import Number, Tensor


def _build_store(call: Call) -> None:
    element = call.arguments["element"]
    type_ = element.tensor.type.element
    data = call.typed(call.arguments["data"], type_, "data")
    if data.type != type_:
        call.fail(
            f"the value is {data.type}, but the elements are {type_}",
            f"cast it: {cast_to(type_, '…', data.type)}",
            "data",
        )
    call.emit(Store, flag=call.function.fixed["flag"], data=data, tensor=element.tensor, indices=element.indices)


@function_of(Store, build=_build_store, places=("element",), name="atomic.store", flag="atomic")
def store(element: Tensor, data: Number) -> None:
    """Stores a number in `A[i, j]` atomically, with relaxed ordering; the parts of a complex number may be separate.

    The number has the memref's element type. Manual: Store.

    >>> from pytl import Memref, atomic, f32, foreach
    >>> from pytl.frontends.python import trace
    >>> def f(A: Memref[f32, 16], x: f32):
    ...     for i in foreach(16):
    ...         atomic.store(A[i], x)
    >>> print(str(trace(f)).splitlines()[-3].strip())
    store.atomic %x, %A[%i]
    """


@function_of(Store, build=_build_store, places=("element",), name="atomic.add", flag="atomic_add")
def add(element: Tensor, data: Number) -> None:
    """Adds a number to `A[i, j]` atomically, with relaxed ordering; the parts of a complex number may be separate.

    The number has the memref's element type. Manual: Store.

    >>> from pytl import Memref, atomic, f32, parallel
    >>> from pytl.frontends.python import trace
    >>> def f(count: Memref[f32]):
    ...     with parallel():
    ...         atomic.add(count[()], 1.0)
    >>> print(str(trace(f)).splitlines()[-3].strip())
    store.atomic_add %0, %count[]
    """
