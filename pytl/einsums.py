"""`pytl.einsum`: a contraction of arrays by a kernel that is made for it, compiled once for arrays of one kind."""

from __future__ import annotations

import sys
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from . import forks
from .diagnostics import LanguageError, LaunchError, Location, Rule, Source, call_site
from .ir.types import SCALAR_TYPES, ScalarType, index, promote_all
from .ir.values import Module
from .kernel import Kernel
from .kernel import compile as compile_module
from .ops.subscripts import SubscriptProblem, Subscripts
from .runtime.absent import REMEDY as DPNP_REMEDY
from .runtime.arrays import Described, describe, dtype_names
from .runtime.einsum_work import Work
from .runtime.foreign import ExportRefused
from .runtime.usm import library_of

ARRAYS = Rule(
    "PYTL-2070",
    "pytl.einsum takes arrays whose elements have a type of the language, all of the host or all of one queue",
    "Contractions",
)
MOST_KERNELS = 256
"""Kernels that are kept: one for each subscripts, types, shapes and strides."""

_lock = forks.lock()
_kernels: OrderedDict[Any, Kernel] = OrderedDict()


def einsum(subscripts: str, *operands: Any, out: Any = None, backend: str | None = None) -> Any:
    """The contraction of arrays that `numpy.einsum` computes, by a kernel that is made, compiled and kept for it.

    Parameters: `subscripts` are those of `numpy.einsum`, as `"gik,kj->gij"`, with `...`, with or without `->`; `[k]`
    and `(jn)` are as in `pytl.contract`. `operands` are arrays of NumPy, dpctl or dpnp, or what exports its memory, of
    any order and any strides: C or Fortran, the batch first or last. They are used where they are, without a copy, as
    long as their strides are positive and each mode ends before the next one begins. `out` is the array that the result
    is written to. `backend` is that of a launch.

    Indices that all tensors have become the work-groups; without one, pieces of the output's outermost index. Operands
    of different types are computed in the type that holds both, or, where none of the language does, in that of
    `numpy.result_type`.

    Returns `out`, or a new array in C order, of the kind and on the queue of the operands; a number of NumPy where the
    output has no index. Raises `pytl.LaunchError` with the place in the subscripts, where these do not fit the arrays
    (PYTL-0690 to PYTL-0693), and for what is no array (PYTL-2070). YATeTo's immediate language: Index notation.

    >>> import numpy as np
    >>> import pytl
    >>> A, B = np.arange(24.0).reshape(2, 3, 4), np.ones((4, 5))
    >>> np.array_equal(pytl.einsum("gik,kj->gij", A, B, backend="reference"), A @ B)
    True
    """
    if not isinstance(subscripts, str):
        raise LaunchError.single(ARRAYS, f"the subscripts are {subscripts!r}, not a string", call_site())
    key = _key_of(subscripts, operands, out)
    recipe = _recipes.get(key) if key is not None else None
    if recipe is not None:
        return recipe.result(operands, out, backend)
    given = [_Array.of(operand, f"operand {number}") for number, operand in enumerate(operands)]
    try:
        return _einsum(subscripts, given, out, backend, key)
    except SubscriptProblem as problem:
        raise LaunchError.single(problem.rule, problem.message, problem.place or call_site(), problem.help) from None
    except LanguageError as error:  # of the kernel that would be made
        raise LaunchError(error.diagnostics) from None


@dataclass(frozen=True)
class _Recipe:
    """What a call with NumPy arrays of some types, shapes and strides came to; it serves the next such call."""

    kernel: Kernel
    groups: int
    orders: Sequence[tuple[int, ...]]
    """The order of memory of each array, the output's last."""
    shape: tuple[int, ...]
    dtype: Any

    def result(self, operands: Sequence[Any], out: Any, backend: str | None) -> Any:
        import numpy

        target = numpy.empty(self.shape, self.dtype) if out is None else out
        views = [array.transpose(order) for array, order in zip((*operands, target), self.orders)]
        self.kernel[self.groups](*views, backend=backend)
        return target[()] if out is None and not self.shape else target


_recipes: OrderedDict[Any, _Recipe] = OrderedDict()


def _key_of(subscripts: str, operands: Sequence[Any], out: Any) -> Any:
    """What decides a recipe; None where an array is not NumPy's own."""
    numpy = sys.modules.get("numpy")
    arrays = operands if out is None else (*operands, out)
    if numpy is None or any(type(array) is not numpy.ndarray for array in arrays):
        return None
    return subscripts, out is None, tuple((array.dtype, array.shape, array.strides) for array in arrays)


def _einsum(subscripts: str, given: list[_Array], out: Any, backend: str | None, key: Any) -> Any:
    read = Subscripts.read(subscripts, [len(array.shape) for array in given], _places(subscripts))
    read.check_sizes([array.shape for array in given])
    sizes = {name: n for i, array in zip(read.inputs, given) for name, n in zip(i.names, array.shape)}
    before = given
    given, dtype = _of_one_type(given)
    shape = tuple(sizes[name] for name in read.output.names)
    target = _Array.of(_new_like(given[0], shape, dtype) if out is None else out, "out")
    if target.shape != shape:
        message = f"out has the shape {target.shape}, but the result {shape}"
        raise LaunchError.single(ARRAYS, message, call_site(), "pass an array of this shape, or leave out= out")
    if 0 in sizes.values():
        target.array[...] = 0
        return _result(out, target, given)
    arrays = [_in_order(array) for array in (*given, target)]
    if not arrays[-1].is_view:
        message = "the elements of out overlap, or lie in memory backwards"
        raise LaunchError.single(ARRAYS, message, call_site(), "pass an array with positive strides")
    kernel, groups = _kernel_for(read, arrays)
    kernel[groups](*(array.array for array in arrays), backend=backend)
    if key is not None and given is before and all(array.is_view for array in arrays):
        orders = [array.order for array in arrays]
        _keep(_recipes, key, _Recipe(kernel, groups, orders, shape, target.array.dtype))
    return _result(out, target, given)


def _places(text: Any) -> Any:
    """The places of characters of the subscripts: in the user's line, where they are written there."""
    site = call_site()
    source, line, first = Source("<subscripts>", str(text)), 1, 0
    if site is not None and isinstance(text, str):
        written = site.source.line(site.line)
        found = [quote + text + quote for quote in "\"'" if quote + text + quote in written]
        if len(found) == 1 and written.count(found[0]) == 1:
            source, line, first = site.source, site.line, written.index(found[0]) + 1

    def place(start: int, end: int) -> Location:
        return Location(
            source, line, first + start + 1, line, first + end + 1, site.function if first and site else None
        )

    return place


# Arrays.


@dataclass(frozen=True)
class _Array:
    """An array of NumPy or dpctl with its strides in elements."""

    array: Any
    shape: tuple[int, ...]
    strides: tuple[int, ...]
    element: ScalarType
    order: tuple[int, ...] = ()
    """Its modes of the original array, from the innermost on, where it is a view in the order of memory."""
    is_view: bool = True
    kind: str = "numpy"

    @classmethod
    def of(cls, given: Any, what: str) -> _Array:
        import numpy

        try:
            found = describe(numpy.asarray(given) if isinstance(given, (int, float, complex, numpy.generic)) else given)
        except ExportRefused as refused:
            raise LaunchError.single(ARRAYS, f"{what} {refused.message}", call_site(), refused.help) from None
        if found is None:
            message = f"{what} is of type {type(given).__name__}, not an array"
            raise LaunchError.single(ARRAYS, message, call_site(), "pass arrays of NumPy, dpctl or dpnp")
        element = _elements().get(_dtype_of(found))
        if element is None:
            message = f"{what} has elements of {_dtype_of(found)}, which is no type of the language"
            raise LaunchError.single(ARRAYS, message, call_site(), "convert it: array.astype(…)")
        view = found.view
        return cls(view.array, tuple(view.shape), tuple(view.strides), element, kind=found.library)

    @property
    def queue(self) -> Any:
        return getattr(self.array, "sycl_queue", None)

    def _with(self, **changes: Any) -> _Array:
        return replace(self, **changes)


def _dtype_of(found: Described) -> str:
    return str(found.view.array.dtype)


def _elements() -> Mapping[str, ScalarType]:
    return {name: type_ for type_ in SCALAR_TYPES.values() if type_ is not index for name in dtype_names(type_)}


def _of_one_type(given: list[_Array]) -> tuple[list[_Array], Any]:
    """The arrays, converted where no type of the language holds two of theirs; and the type of the result."""
    import numpy

    element = promote_all(array.element for array in given)
    if element is None:
        names = [str(array.array.dtype) for array in given]
        try:
            dtype = numpy.result_type(*names)
        except TypeError:
            message = f"no type holds the numbers of all operands: {', '.join(dict.fromkeys(names))}"
            raise LaunchError.single(
                ARRAYS, message, call_site(), "convert them: array.astype(numpy.float32)"
            ) from None
        return [_Array.of(_copy(array, dtype), "an operand") for array in given], dtype
    return given, dtype_names(element)[0]


def _copy(array: _Array, dtype: Any = None) -> Any:
    """A contiguous copy."""
    if array.queue is None:
        return array.array.astype(dtype or array.array.dtype, order="C", copy=True)
    tensor = _library_of(array.array)
    return tensor.astype(array.array, dtype or array.array.dtype, order="C", copy=True)


def _new_like(array: _Array, shape: tuple[int, ...], dtype: Any) -> Any:
    """A new array of the kind and on the queue of another one."""
    import numpy

    if array.queue is None:
        if dtype == "bfloat16":
            import ml_dtypes

            return numpy.empty(shape, ml_dtypes.bfloat16)
        return numpy.empty(shape, dtype)
    return _library_of(array.array).empty(shape, dtype=str(dtype), sycl_queue=array.queue)


def _in_order(array: _Array) -> _Array:
    """A view whose strides rise, as the language has them; of a copy, where there is no such view."""
    order = sorted(range(len(array.shape)), key=lambda mode: (array.strides[mode], array.shape[mode] != 1, -mode))
    end = 1
    strides: list[int] = []
    for mode in order:
        n, stride = array.shape[mode], array.strides[mode]
        if n == 1:
            stride = end
        if stride < (end if strides else 1):
            copied = _Array.of(_copy(array), "an operand")
            return _in_order(copied)._with(is_view=False)
        strides.append(stride)
        end = stride * n
    return array._with(
        array=_permuted(array.array, order),
        shape=tuple(array.shape[mode] for mode in order),
        strides=tuple(strides),
        order=tuple(order),
    )


def _permuted(array: Any, order: Sequence[int]) -> Any:
    if not hasattr(array, "sycl_queue"):
        return array.transpose(order)
    return _library_of(array).permute_dims(array, tuple(order)) if order else array


def _library_of(array: Any) -> Any:
    """The library of an array in memory of a device, of which results and views are made."""
    library = library_of(array)
    if library is None:
        message = "memory of a device without dpnp's arrays is no operand of pytl.einsum"
        raise LaunchError.single(ARRAYS, message, call_site(), f"{DPNP_REMEDY}; or pass NumPy arrays")
    return library


def _result(out: Any, target: _Array, given: Sequence[_Array]) -> Any:
    if out is not None:
        return out
    if any(array.kind == "dpnp" for array in given):
        import dpnp

        return dpnp.asarray(target.array)
    return target.array[()] if not target.shape and target.queue is None else target.array


# Kernels.


def _kernel_for(subscripts: Subscripts, arrays: Sequence[_Array]) -> tuple[Kernel, int]:
    """The kernel of a contraction, and its number of work-groups."""
    work = Work.of(subscripts, arrays)
    with _lock:
        found = _kernels.get(work.key)
        if found is not None:
            _kernels.move_to_end(work.key)
            return found, work.groups
    made = compile_module(Module([work.function()]))["einsum"]
    _keep(_kernels, work.key, made)
    return made, work.groups


def _keep(kept: OrderedDict[Any, Any], key: Any, value: Any) -> None:
    """Keep a value, and drop the oldest where there are too many."""
    with _lock:
        kept[key] = value
        while len(kept) > MOST_KERNELS:
            kept.popitem(last=False)
