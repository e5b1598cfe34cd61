"""Memory and views, as a kernel body calls them."""

from __future__ import annotations

from typing import Any, overload

from ...diagnostics.words import counted
from ...ir.types import DYNAMIC, MemrefType, ScalarType, index
from ...ops import Alloca, Associated, LifetimeStop, Size, Slice, Subview
from .annotations import ir_type_of
from .function import Call, function_of, memref_argument, python_integer, tensor_argument
from .scalars import Bound, Tensor, V
from .scalars import index as index_class
from .traced import ELEMENTS, describe


def _build_alloca(call: Call) -> Any:
    element, sizes, align = (call.arguments[name] for name in ("element", "shape", "align"))
    type_ = ir_type_of(element)
    if isinstance(type_, ScalarType):
        if len(sizes) == 1 and isinstance(sizes[0], tuple):
            written = ", ".join(str(size) if isinstance(size, int) else "n" for size in sizes[0])
            call.fail("alloca takes sizes, not a tuple of them", f"write alloca({type_}, {written})", "shape")
        extents = tuple(_size(call, size) for size in sizes)
        type_ = MemrefType(type_, extents)
    elif not isinstance(type_, MemrefType):
        call.fail(
            f"alloca takes an element type and sizes, or a Memref, but got {describe(element)}",
            f"write alloca({ELEMENTS.get(getattr(element, '__name__', ''), 'f32')}, 16, 8)",
            "element",
        )
    elif sizes:
        call.fail("the Memref that alloca takes already has a shape", "pass nothing after it", "shape")
    attributes: dict[str, Any] = {}
    if align is not None:
        attributes["alignment"] = python_integer(call, align, "align", "align")
    pattern = getattr(element, "pattern", None)
    if pattern is not None:
        attributes[pattern.name] = list(pattern.value)
    return call.emit(Alloca, [type_.in_space("local")], attributes=attributes).result


def _size(call: Call, size: Any) -> Any:
    if size is ...:
        return DYNAMIC  # the instruction's own rule reports it
    return python_integer(call, size, "a size of an alloca", "shape")


@overload
def alloca(element: type[V], *shape: int, align: int | None = None) -> V: ...
@overload
def alloca(element: Any, *shape: int, align: int | None = None) -> Any: ...
@function_of(Alloca, build=_build_alloca)
def alloca(element: Any, *shape: int, align: int | None = None) -> Any:
    """Temporary memory of the work-group, freed at the end of the region; its initial content is undefined.

    `alloca(f32, 16, 8)` gives a `memref<f32x16x8,local>`; `alloca(Memref[f32, 16, 8, strides(1, 20)])` names
    the layout, too. Sizes are Python integers. `align` is in bytes, a multiple of the element's size, at most
    64. With `pattern(mask)` in the Memref, the kernel fills all entries outside of the pattern with zeros (PYTL-0316),
    and products leave them out. Allowed in collective regions. Manual: Alloca.

    >>> from pytl import Memref, alloca, axpby, f32
    >>> from pytl.frontends.python import trace
    >>> def twice(A: Memref[f32, 4]):
    ...     t = alloca(f32, 4, align=64)
    ...     axpby(1.0, A, 0.0, t)
    ...     axpby(1.0, t, 1.0, A)
    >>> print(str(trace(twice)).splitlines()[1].strip())
    %t = alloca {alignment=64} : memref<f32x4,local>
    """


@function_of(LifetimeStop)
def lifetime_stop(tensor: Tensor) -> None:
    """Ends the lifetime of an alloca, so that later allocas may reuse its memory.

    pytl finds the end of each lifetime by itself; this call ends it earlier. Allowed in collective regions.
    Manual: Additional instructions.
    """


def _build_size(call: Call) -> Any:
    tensor = tensor_argument(call, "tensor")
    mode = python_integer(call, call.arguments["mode"], "the mode", "mode")
    return call.emit(Size, tensor=tensor, mode=mode).result


def _build_associated(call: Call) -> Any:
    return call.emit(Associated, tensor=tensor_argument(call, "tensor")).result


@function_of(Associated, build=_build_associated)
def associated(tensor: Tensor) -> bool:
    """Whether a launch has passed an array or group for a parameter, and not None.

    Inside of `if associated(A):` the kernel may use A. A launch that passes None is refused where it uses A otherwise
    (PYTL-0698).

    >>> from pytl import Memref, associated, axpby, f32
    >>> from pytl.frontends.python import trace
    >>> def f(A: Memref[f32, 4], B: Memref[f32, 4]):
    ...     if associated(B):
    ...         axpby(1.0, B, 1.0, A)
    >>> print(str(trace(f)).splitlines()[2].strip())
    %0 = v04.associated %B : bool
    """


@function_of(Size, build=_build_size)
def size(tensor: Tensor, mode: int = 0) -> index_class:
    """The size of a tensor's mode, counted from 0, or of a group, as an index that is computed at run time.

    `A.shape[mode]` gives a Python integer where the size is static. Manual: Size.

    >>> from pytl import Memref, f32, size
    >>> from pytl.frontends.python import trace
    >>> def f(A: Memref[f32, 4, ...]):
    ...     n = size(A, 1)
    >>> print(str(trace(f)).splitlines()[1].strip())
    %n = size %A[1] : index
    """


def _build_subview(call: Call) -> Any:
    tensor = memref_argument(call, "tensor")
    slices = [_slice(call, bound) for bound in call.arguments["slices"]]
    type_ = tensor.type
    if len(slices) != type_.order:
        call.fail(
            f"{type_} has {counted(type_.order, 'mode')}, but {counted(len(slices), 'index is', 'indices are')} given",
            "give each mode an index or a pair (offset, size)",
            "slices",
        )
    return call.emit(Subview, tensor=tensor, slices=slices).result


def _slice(call: Call, bound: Any) -> Slice:
    if isinstance(bound, tuple):
        if len(bound) != 2:
            call.fail("a slice is a pair (offset, size)", argument="slices")
        return Slice(_bound(call, bound[0]), _bound(call, bound[1]))
    return Slice(_bound(call, bound))


def _bound(call: Call, bound: Any) -> Any:
    if isinstance(bound, int) and not isinstance(bound, bool):
        return bound
    return call.typed(bound, index, "slices")


@function_of(Subview, build=_build_subview)
def subview(tensor: V, *slices: Bound | tuple[Bound, Bound]) -> V:
    """A view of a part of a tensor: `subview(A, (i, 4), j)` is the rows i to i + 3 of column j.

    Each mode has an index, which drops it, or a pair of offset and size; both are Python integers or indices.
    `A[i : i + 4, j]` is the same. The bounds of the view are not checked at run time. Manual: Subview.

    >>> from pytl import Memref, f32, index, subview
    >>> from pytl.frontends.python import trace
    >>> def f(A: Memref[f32, 16, 8], i: index, j: index):
    ...     x = subview(A, (i, 4), j)
    >>> print(str(trace(f)).splitlines()[3].strip())
    %x = subview %A[%i:4, %j] : memref<f32x4>
    """
