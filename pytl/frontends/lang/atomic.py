"""Atomic accesses: `atomic.load(A[i, j])`, `atomic.store(A[i, j], v)`, and `atomic.add`, `min` and `max` likewise.

`atomic.scale_add(A[i, j], s, v)` is `A[i, j] = s * A[i, j] + v` in one step.
"""

from __future__ import annotations

from typing import Any, Literal, NoReturn

from ...ir.types import BoolType, MemrefType, ScalarType, compute_type
from ...ir.values import Value
from ...ops import AtomicAdd, AtomicLoad, AtomicMax, AtomicMin, AtomicScaleAdd, AtomicStore, Cast, Store
from ...ops.atomics import ORDERS, SCOPES
from .casts import cast_to
from .function import Call, function_of, one_of
from .scalars import Number, Tensor

Scope = Literal["cross_device", "device", "work_group", "subgroup"]
Order = Literal["relaxed", "acquire", "release", "acquire_release", "sequentially_consistent"]


def _parts(call: Call) -> dict[str, Any]:
    """The parts of an atomic access that are the same for all of them."""
    element = call.arguments["element"]
    return {"tensor": element.tensor, "indices": element.indices, **scope_and_order(call)}


def scope_and_order(call: Call) -> dict[str, str]:
    """The arguments `scope` and `order`, those of the device and relaxed where they are left out."""
    words_by_name: dict[str, str] = {}
    for name, words, default in (("scope", SCOPES, "device"), ("order", ORDERS, "relaxed")):
        words_by_name[name] = default if call.arguments[name] is None else one_of(call, name, words)
    return words_by_name


def _build_load(call: Call) -> object:
    return call.emit(AtomicLoad, **_parts(call)).result


def _build_update(call: Call) -> object:
    """The manual's store, where it says all that is asked for; else the instruction that has a scope and an order."""
    parts = _parts(call)
    operation = call.function.operation
    type_ = call.arguments["element"].tensor.type.element
    data = call.typed(call.arguments["data"], type_, "data")
    if data.type != type_:
        _refuse(call, data, type_, type_, "data")
    flag = {AtomicStore: "atomic", AtomicAdd: "atomic_add"}.get(operation)
    if flag and not call.is_used and call.arguments["scope"] is call.arguments["order"] is None:
        call.emit(Store, flag=flag, data=data, tensor=parts["tensor"], indices=parts["indices"])
        return None
    results = call.emit(operation, data=data, **parts).results
    return results[0] if results else None


def _refuse(call: Call, given: Value, element: ScalarType, wanted: ScalarType, name: str) -> NoReturn:
    """Refuse what is given for an element; a number may be cast to the type that is wanted, a tensor has elements."""
    if isinstance(given.type, (ScalarType, BoolType)):
        advice = f"cast it: {cast_to(wanted, '…', given.type)}"
    else:
        advice = "take one of its elements" if isinstance(given.type, MemrefType) else "pass a number"
    call.fail(f"the value is {given.type}, but the elements are {element}", advice, name)


def _build_scale_add(call: Call) -> object:
    element = call.arguments["element"].tensor.type.element
    wide = compute_type(element)
    numbers: dict[str, Any] = {}
    for name in ("factor", "data"):
        number = call.typed(call.arguments[name], wide, name)
        if number.type not in (element, wide):
            _refuse(call, number, element, wide, name)
        numbers[name] = number if number.type == wide else call.emit(Cast, [wide], operand=number).results[0]
    return call.emit(AtomicScaleAdd, **numbers, **_parts(call)).results[0]


@function_of(AtomicLoad, build=_build_load, places=("element",), name="atomic.load")
def load(element: Tensor, scope: Scope | None = None, order: Order | None = None) -> Number:
    """The number in `A[i, j]`, loaded atomically; the parts of a complex number may be separate.

    `scope` is for whom it is atomic, "device" where it is left out; `order` how other accesses are ordered around it:
    "relaxed", which is the default, "acquire" or "sequentially_consistent". What it gives is used in `foreach` and
    `parallel` only (PYTL-0684).

    >>> from pytl import Memref, atomic, f32, foreach
    >>> from pytl.frontends.python import trace
    >>> def f(A: Memref[f32, 16], B: Memref[f32, 16]):
    ...     for i in foreach(16):
    ...         x = atomic.load(A[i], order="acquire")
    ...         B[i] = x
    >>> print(str(trace(f)).splitlines()[-4].strip())
    %x = v04.atomic_load.device.acquire %A[%i] : f32
    """


@function_of(AtomicStore, build=_build_update, places=("element",), name="atomic.store")
def store(element: Tensor, data: Number, scope: Scope | None = None, order: Order | None = None) -> None:
    """Stores a number in `A[i, j]` atomically; the parts of a complex number may be separate.

    The number has the memref's element type. `scope` is for whom it is atomic, "device" where it is left out; `order`
    how other accesses are ordered around it: "relaxed", which is the default, "release" or "sequentially_consistent".
    Manual: Store.

    >>> from pytl import Memref, atomic, f32, foreach
    >>> from pytl.frontends.python import trace
    >>> def f(A: Memref[f32, 16], x: f32):
    ...     for i in foreach(16):
    ...         atomic.store(A[i], x)
    ...         atomic.store(A[i], x, scope="work_group", order="release")
    >>> for line in str(trace(f)).splitlines()[-4:-2]:
    ...     print(line.strip())
    store.atomic %x, %A[%i]
    v04.atomic_store.release %x, %A[%i]
    """


@function_of(AtomicAdd, build=_build_update, places=("element",), name="atomic.add")
def add(element: Tensor, data: Number, scope: Scope | None = None, order: Order | None = None) -> Number:
    """Adds a number to `A[i, j]` atomically, and gives what was there; the parts of a complex number may be separate.

    The number has the memref's element type. `scope` is for whom it is atomic, "device" where it is left out; `order`
    how other accesses are ordered around it, "relaxed" where it is left out. What it gives is used in `foreach` and
    `parallel` only (PYTL-0684). Manual: Store.

    >>> import pytl
    >>> from pytl import Memref, atomic, f32, i32, parallel
    >>> from pytl.frontends.python import trace
    >>> def f(count: Memref[i32], found: Memref[f32, 16], x: f32):
    ...     with parallel():
    ...         place = atomic.add(count[()], 1)
    ...         found[pytl.index(place)] = x
    ...         atomic.add(count[()], 1)
    >>> for line in str(trace(f)).splitlines()[-7:-2]:
    ...     print(line.strip())
    %place = v04.atomic_add.device %0, %count[] : i32
    %1 = cast %place : index
    store %x, %found[%1]
    %2 = constant 1 : i32
    store.atomic_add %2, %count[]
    """


@function_of(AtomicMin, build=_build_update, places=("element",), name="atomic.min")
def min(element: Tensor, data: Number, scope: Scope | None = None, order: Order | None = None) -> Number:
    """Sets `A[i, j]` to the minimum of itself and a number atomically, and gives what was there.

    The number has the memref's element type, which is not complex. `scope` is for whom it is atomic, "device" where it
    is left out; `order` how other accesses are ordered around it, "relaxed" where it is left out. What it gives is used
    in `foreach` and `parallel` only (PYTL-0684).

    >>> from pytl import Memref, atomic, f32, foreach
    >>> from pytl.frontends.python import trace
    >>> def f(A: Memref[f32, 16], least: Memref[f32]):
    ...     for i in foreach(16):
    ...         before = atomic.min(least[()], A[i])
    >>> print(str(trace(f)).splitlines()[-3].strip())
    %before = v04.atomic_min.device %2, %least[] : f32
    """


@function_of(AtomicMax, build=_build_update, places=("element",), name="atomic.max")
def max(element: Tensor, data: Number, scope: Scope | None = None, order: Order | None = None) -> Number:
    """Sets `A[i, j]` to the maximum of itself and a number atomically, and gives what was there.

    The number has the memref's element type, which is not complex. `scope` is for whom it is atomic, "device" where it
    is left out; `order` how other accesses are ordered around it, "relaxed" where it is left out. What it gives is used
    in `foreach` and `parallel` only (PYTL-0684).

    >>> from pytl import Memref, atomic, f32, foreach
    >>> from pytl.frontends.python import trace
    >>> def f(A: Memref[f32, 16], most: Memref[f32]):
    ...     for i in foreach(16):
    ...         before = atomic.max(most[()], A[i], scope="work_group")
    >>> print(str(trace(f)).splitlines()[-3].strip())
    %before = v04.atomic_max %2, %most[] : f32
    """


@function_of(AtomicScaleAdd, build=_build_scale_add, places=("element",), name="atomic.scale_add")
def scale_add(
    element: Tensor, factor: Number, data: Number, scope: Scope | None = None, order: Order | None = None
) -> Number:
    """Sets `A[i, j]` to `factor * A[i, j] + data` atomically, and gives what was there.

    The numbers have the memref's element type, or f32 where that is f16 or bf16: these are computed in f32, and
    rounded once. Of a complex number, each part is updated atomically, one after the other: where the factor is real,
    the result is as if no other work-item came between. `scope` is for whom it is atomic, "device" where it is left
    out; `order` how other accesses are ordered around it, "relaxed" where it is left out. What it gives is used in
    `foreach` and `parallel` only (PYTL-0684).

    >>> from pytl import Memref, atomic, f32, foreach
    >>> from pytl.frontends.python import trace
    >>> def f(A: Memref[f32, 16], mean: Memref[f32]):
    ...     for i in foreach(16):
    ...         before = atomic.scale_add(mean[()], 0.5, A[i])
    >>> print(str(trace(f)).splitlines()[-3].strip())
    %before = v03.atomic_scale_add.device %3, %2, %mean[] : f32
    """
