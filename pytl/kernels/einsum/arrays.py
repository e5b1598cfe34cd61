"""The arrays of `pytl.einsum`: what is taken as an operand, the type that is computed in, and views in order."""

from __future__ import annotations

import functools
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Literal

from ...backends.base import ArrayView
from ...backends.overlap import share
from ...devices.absent import REMEDY as DPNP_REMEDY
from ...devices.usm import library_of
from ...diagnostics import LaunchError, PytlError, Rule, call_site
from ...ir.types import SCALAR_TYPES, ScalarType, index, promote_all
from ...launch.arrays.arrays import describe, dtype_names, permuted_array
from ...launch.arrays.foreign import ExportRefused
from ...process.records import dataclass
from . import leases

ARRAYS = Rule(
    "PYTL-2070",
    "pytl.einsum takes arrays whose elements have a type of the language, all of the host or all of one queue",
    "Contractions",
)
CASTING = Rule(
    "PYTL-2093",
    "pytl.einsum casts as numpy.einsum does: operands to the type that it computes in, and that type to out's, each as "
    "far as `casting` allows",
    "Contractions",
)
PLAIN = Rule(
    "PYTL-2094",
    "pytl.einsum takes no masked arrays, and none of a class that defines NumPy's functions anew",
    "Contractions",
    explanation="It computes with all elements, as numbers: a mask or a unit would be lost.",
)
Cast = Literal["no", "equiv", "safe", "same_kind", "unsafe"]
CASTS: tuple[Cast, ...] = ("no", "equiv", "safe", "same_kind", "unsafe")
_WEAK = {int: 0, float: 1, complex: 2}
"""Python's numbers, which take the type of the arrays where that has their kind: integers, floats, complex ones."""


def fail(rule: Rule, message: str, help: str | None = None) -> PytlError:
    """The error of a call, at the place of the call."""
    return LaunchError.single(rule, message, call_site(), help)


@dataclass(frozen=True)
class Array:
    """An array of NumPy or dpctl with its strides in elements."""

    array: Any
    view: ArrayView
    shape: tuple[int, ...]
    strides: tuple[int, ...]
    element: ScalarType
    taken: tuple[Any, ...] | None = None
    """What it has of the array that was passed, as an index of NumPy's, where it lacks modes of size 1."""
    order: tuple[int, ...] = ()
    """Its modes of the original array, from the innermost on, where it is a view in the order of memory."""
    is_view: bool = True
    kind: str = "numpy"
    is_writable: bool = True

    @classmethod
    def of(cls, operand: Any, what: str) -> Array:
        try:
            described = describe(_plain(operand, what))
        except ExportRefused as refused:
            raise fail(ARRAYS, f"{what} {refused.message}", refused.help) from None
        if described is None:
            message = f"{what} is of type {type(operand).__name__}, not an array"
            raise fail(ARRAYS, message, "pass arrays of NumPy, dpctl or dpnp")
        dtype = str(described.view.array.dtype)
        element = element_of(dtype)
        if element is None:
            message = f"{what} has elements of {dtype}, which is no type of the language"
            raise fail(ARRAYS, message, "convert it: array.astype(…)")
        view = described.view
        shape, strides = tuple(view.shape), tuple(view.strides)
        if not described.has_whole_strides:
            strides = (0,) * len(shape)  # which are no strides of a view, so that it is copied
        return cls(view.array, view, shape, strides, element, kind=described.library, is_writable=described.writable)

    @property
    def queue(self) -> Any:
        return getattr(self.array, "sycl_queue", None)

    @property
    def dtype(self) -> Any:
        return self.array.dtype

    @property
    def overlaps_itself(self) -> bool:
        """Whether two of its elements are the same."""
        import numpy

        end = 0
        modes = [(abs(stride), n) for stride, n in zip(self.view.strides, self.shape) if n != 1]
        for stride, n in sorted(modes):
            if stride <= end:
                break
            end += stride * (n - 1)
        else:
            return False
        offsets = numpy.zeros((), numpy.int64)
        for stride, n in modes:
            offsets = numpy.add.outer(offsets, stride * numpy.arange(n))
        return bool(numpy.unique(offsets).size < offsets.size)

    def may_share(self, other: Array) -> bool:
        """Whether it has an element in common with another array."""
        return share(self.view, other.view)

    def keeping(self, modes: tuple[int, ...]) -> Array:
        """The array without other modes than these, all of size 1."""
        if len(modes) == len(self.shape):
            return self
        # the dots make NumPy give an array without modes, in place of a number
        taken = (*(slice(None) if mode in modes else 0 for mode in range(len(self.shape))), ...)
        shape, strides = (tuple(of[mode] for mode in modes) for of in (self.shape, self.strides))
        return replace(self, array=self.array[taken], shape=shape, strides=strides, taken=taken)

    def copied(self, dtype: Any = None) -> Any:
        """A contiguous copy, in a type of NumPy's."""
        if self.queue is None:
            return self.array.astype(numpy_dtype(dtype or self.dtype), order="C", copy=True)
        return _library_of(self.array).astype(self.array, dtype or self.dtype, order="C", copy=True)

    @property
    def has_order(self) -> bool:
        """Whether the strides of a view rise, as the language has them."""
        return self._rising() is not None

    def converted(self, element: ScalarType) -> Array:
        """The array with elements of a type: a copy, where they are of another one."""
        if self.element == element:
            return self
        return replace(Array.of(self.copied(dtype_names(element)[0]), "an operand"), is_view=False)

    def in_order(self) -> Array:
        """A view whose strides rise, of a copy where there is no such view of the array itself."""
        rising = self._rising()
        if rising is None:
            return replace(Array.of(self.copied(), "an operand"), is_view=False).in_order()
        order, strides = rising
        return replace(
            self,
            array=permuted_array(self.array, order) if order else self.array,
            shape=tuple(self.shape[mode] for mode in order),
            strides=strides,
            order=order,
        )

    def _rising(self) -> tuple[tuple[int, ...], tuple[int, ...]] | None:
        """The modes in the order of their strides, and these, where each mode ends before the next one begins."""
        modes = range(len(self.shape))
        order = sorted(modes, key=lambda mode: (self.strides[mode], self.shape[mode] != 1, -mode))
        end = 1
        strides: list[int] = []
        for mode in order:
            n, stride = self.shape[mode], self.strides[mode]
            if n == 1:
                stride = end
            if stride < end:
                return None
            strides.append(stride)
            end = stride * n
        return tuple(order), tuple(strides)

    def new_like(self, shape: tuple[int, ...], dtype: str) -> Array:
        """A new array of the kind and on the queue of this one."""
        return Array.of(new_array(self.array, shape, dtype), "the result")

    def assign(self, source: Array) -> None:
        """Write the elements of an array of the same shape to this one, cast as far as needed."""
        if self.queue is None:
            import numpy

            numpy.copyto(self.array, source.array, casting="unsafe")
        else:
            self.array[...] = _library_of(self.array).astype(source.array, self.dtype, casting="unsafe")


def new_array(like: Any, shape: tuple[int, ...], dtype: Any, order: Literal["C", "F"] = "C") -> Any:
    """New memory where an array of NumPy or dpctl is."""
    import numpy

    queue = getattr(like, "sycl_queue", None)
    if queue is None:
        return numpy.empty(shape, numpy_dtype(dtype), order=order)
    return leases.new_array(_library_of(like), shape, dtype, order, queue)


def layouts_of(arrays: Sequence[Any]) -> Any:
    """What decides how arrays are used, where all are NumPy's own, or dpctl's: types, shapes, strides and queues."""
    import numpy

    kinds = set(map(type, arrays))
    if kinds == {numpy.ndarray}:
        return tuple((array.dtype, array.shape, array.strides) for array in arrays)
    if len(kinds) == 1 and (library := library_of(arrays[0])) is not None and kinds == {library.usm_ndarray}:
        return tuple((array.sycl_queue, array.dtype, array.shape, array.strides) for array in arrays)
    return None


def is_apart(out: Any, arrays: Sequence[Any]) -> bool:
    """Whether an array can be written, and is in other memory than others, all of the kind of `layouts_of`."""
    import numpy

    if isinstance(out, numpy.ndarray):
        return out.flags.writeable and not any(numpy.may_share_memory(out, array) for array in arrays)
    begin, end = _allocation(out)
    return bool(out.flags.writable) and all(last <= begin or end <= first for first, last in map(_allocation, arrays))


def _allocation(array: Any) -> tuple[int, int]:
    """Where the memory that a device's array is in begins and ends."""
    begin = array.usm_data.__sycl_usm_array_interface__["data"][0]
    return begin, begin + array.usm_data.nbytes


def _plain(operand: Any, what: str) -> Any:
    """An operand without what is NumPy's alone: sequences and numbers are arrays, subclasses are plain ones."""
    import numpy

    if isinstance(operand, (list, tuple, int, float, complex, numpy.generic)):
        try:
            operand = numpy.asarray(operand)
        except (ValueError, OverflowError) as error:
            raise fail(ARRAYS, f"{what} is no array: {error}", "pass an array of NumPy") from None
    if not isinstance(operand, numpy.ndarray) or type(operand) is numpy.ndarray:
        return operand
    if isinstance(operand, numpy.ma.MaskedArray):
        message = f"{what} is a masked array, and its mask would be lost"
        raise fail(PLAIN, message, "say what masked elements count as: array.filled(0); or pass array.data")
    own = [name for name in ("__array_ufunc__", "__array_function__") if _defines(type(operand), name)]
    if own:
        message = f"{what} is of the class {type(operand).__name__}, which defines {own[0]} itself"
        raise fail(PLAIN, message, "pass its numbers: numpy.asarray(array)")
    return operand.view(numpy.ndarray)


def _defines(cls: type, name: str) -> bool:
    import numpy

    return getattr(cls, name, None) is not getattr(numpy.ndarray, name)


# Types.


@functools.cache
def _elements() -> Mapping[str, ScalarType]:
    # the first name alone: where uint16 may be the bits of another type, it is as likely to be numbers
    return {dtype_names(type_)[0]: type_ for type_ in SCALAR_TYPES.values() if type_ is not index}


def element_of(dtype: str) -> ScalarType | None:
    """The type of the language that a type of NumPy's is."""
    return _elements().get(dtype)


def _weakly(kind: int, common: ScalarType) -> str:
    """The type of NumPy's of a number of Python beside arrays of a type."""
    if (common.is_floating + 2 * common.is_complex) >= kind:
        return dtype_names(common)[0]
    if kind == 1 or common.is_integer or common.size > 4:
        return "float64" if kind == 1 else "complex128"
    return "complex64"


def numpy_dtype(dtype: Any) -> Any:
    """A type of NumPy's: what `numpy.dtype` takes, or bfloat16 by its name."""
    import numpy

    if isinstance(dtype, str) and dtype == "bfloat16":
        import ml_dtypes

        return numpy.dtype(ml_dtypes.bfloat16)
    return numpy.dtype(dtype)


@dataclass(frozen=True)
class Casts:
    """What a call says of types: `dtype` and `casting` of numpy.einsum."""

    dtype: Any = None
    casting: Cast = "safe"

    def of_operands(self, operands: Sequence[Any]) -> tuple[list[Array], ScalarType]:
        """The operands as arrays, and the type that is computed in."""
        if self.casting not in CASTS:
            message = f"casting is {self.casting!r}, not one of {', '.join(CASTS)}"
            raise fail(CASTING, message, 'write casting="same_kind"')
        weak = [k for k, operand in enumerate(operands) if type(operand) in _WEAK]
        strong = [Array.of(operand, f"operand {k}") for k, operand in enumerate(operands) if k not in weak]
        numbers = {k: self._number(operands[k], k, strong) for k in weak}
        others = iter(strong)
        arrays = [numbers[k] if k in numbers else next(others) for k in range(len(operands))]
        element = self._asked() if self.dtype is not None else self._common(arrays)
        for number, array in enumerate(arrays):
            self._check(f"operand {number}", array.dtype, numpy_dtype(dtype_names(element)[0]))
        return arrays, element

    def check_out(self, element: ScalarType, out: Array) -> None:
        self._check("the result", numpy_dtype(dtype_names(element)[0]), out.dtype, "out")

    def _check(self, what: str, source: Any, target: Any, of: str = "") -> None:
        import numpy

        source, target = (numpy_dtype(str(dtype)) for dtype in (source, target))
        if not numpy.can_cast(source, target, self.casting):
            reason = f"{of} has {target}" if of else f"it computes in {target}"
            message = f"{what} has elements of {source}, and {reason}: that is no cast of the rule {self.casting}"
            allowed = [rule for rule in CASTS if numpy.can_cast(source, target, rule)]
            raise fail(CASTING, message, f'write casting="{allowed[0]}"' if allowed else None)

    def _asked(self) -> ScalarType:
        try:
            name = str(numpy_dtype(self.dtype))
        except (TypeError, ValueError):
            raise fail(ARRAYS, f"dtype is {self.dtype!r}, which is no type of NumPy's", "write numpy.float64") from None
        element = element_of(name)
        if element is None:
            raise fail(ARRAYS, f"dtype is {name}, which is no type of the language", "write numpy.float64")
        return element

    def _common(self, arrays: Sequence[Array]) -> ScalarType:
        """The type of NumPy's that holds the numbers of all operands."""
        import numpy

        names = [str(array.dtype) for array in arrays]
        try:
            element = element_of(str(numpy.result_type(*map(numpy_dtype, names))))
        except TypeError:
            element = None
        if element is None:
            message = f"no type holds the numbers of all operands: {', '.join(dict.fromkeys(names))}"
            raise fail(ARRAYS, message, "convert them: array.astype(numpy.float32)")
        return element

    def _number(self, number: Any, position: int, arrays: Sequence[Array]) -> Array:
        """A number of Python as an array: of the type of the arrays, where that has numbers of its kind."""
        import numpy

        common = promote_all(array.element for array in arrays) if arrays else None
        dtype = None if common is None else numpy_dtype(_weakly(_WEAK[type(number)], common))
        if dtype is not None and dtype.kind == "i":
            limits = numpy.iinfo(dtype)
            if not limits.min <= number <= limits.max:
                raise fail(ARRAYS, f"operand {position} is {number}, which {dtype} does not hold", "convert the arrays")
        try:
            converted = numpy.asarray(number, dtype)
        except OverflowError as error:
            raise fail(ARRAYS, f"operand {position} is no array: {error}", "pass a float") from None
        device = next((array for array in arrays if array.queue is not None), None)
        if device is not None:
            converted = _library_of(device.array).asarray(converted, sycl_queue=device.queue)
        return Array.of(converted, f"operand {position}")


def _library_of(array: Any) -> Any:
    """The library of an array in memory of a device, of which results and views are made."""
    library = library_of(array)
    if library is None:
        message = "memory of a device without dpnp's arrays is no operand of pytl.einsum"
        raise fail(ARRAYS, message, f"{DPNP_REMEDY}; or pass NumPy arrays")
    return library
