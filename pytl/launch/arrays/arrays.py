"""The user's arrays, from any library, as memory with an element type, a shape and strides."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from ...backends.base import ArrayView
from ...devices.usm import UsmArray, library_of
from ...ir.types import ScalarType
from ...process.records import dataclass
from .element_types import no_array
from .foreign import import_dlpack, import_usm, supports_dlpack

# The names of NumPy's data types that hold an element type. dpctl has no bfloat16: its bits travel as uint16.
_DTYPES: dict[str, tuple[str, ...]] = {
    "i8": ("int8",),
    "i16": ("int16",),
    "i32": ("int32",),
    "i64": ("int64",),
    "index": ("int64",),
    "bf16": ("bfloat16", "uint16"),
    "f16": ("float16",),
    "f32": ("float32",),
    "f64": ("float64",),
    "c32": ("complex64",),
    "c64": ("complex128",),
}


@dataclass(frozen=True)
class Described:
    """An array with the properties that a launch checks."""

    view: ArrayView
    dtype: str
    writable: bool
    byte_strides: tuple[int, ...]
    item_size: int
    library: str = "numpy"
    """The module whose functions take the array as it was passed: "numpy", "dpctl.tensor", "dpnp.tensor" or "dpnp"."""

    @property
    def has_whole_strides(self) -> bool:
        """Whether every stride that is used is a multiple of the item's size, so that it can be counted in elements."""
        return all(stride % self.item_size == 0 for n, stride in zip(self.view.shape, self.byte_strides) if n > 1)

    @property
    def natural_alignment(self) -> int:
        """The alignment of every element of an array."""
        return self.view.array.dtype.alignment


def dtype_names(type_: ScalarType, unsigned: bool = False) -> tuple[str, ...]:
    """The data types of arrays with elements of a type; new arrays are created with the first.

    Raises `pytl.LaunchError` for a type from outside of pytl, which none stands for (PYTL-3021).
    """
    if type_.name not in _DTYPES:
        raise no_array(type_)
    return (f"u{_DTYPES[type_.name][0]}",) if unsigned and type_.is_integer else _DTYPES[type_.name]


def describe(array: Any) -> Described | None:
    """An object as an array, None where it is not an array.

    NumPy arrays are memory of the host; dpctl's usm_ndarray, dpnp's ndarray and everything else with a
    `__sycl_usm_array_interface__` are memory of a device; what exports its memory through DLPack is one or the other.
    Nothing is copied. Masked arrays are refused: a kernel would also work on the masked elements.
    Raises `ExportRefused` where an array of another library can't be had.
    """
    import numpy

    if isinstance(array, numpy.ma.MaskedArray):
        return None
    known = isinstance(array, numpy.ndarray) or hasattr(array, "__sycl_usm_array_interface__")
    if not known and supports_dlpack(array):
        array = import_dlpack(array)
    if isinstance(array, numpy.ndarray):
        return _described(
            array,
            array.ctypes.data,
            array.shape,
            array.strides,
            array.itemsize,
            str(array.dtype),
            bool(array.flags.writeable),
            None,
        )
    if hasattr(array, "__sycl_usm_array_interface__"):
        device_array = _usm_ndarray(array)
        size = device_array.itemsize
        return _described(
            device_array,
            device_array._pointer,
            device_array.shape,
            tuple(stride * size for stride in device_array.strides),
            size,
            str(device_array.dtype),
            bool(device_array.flags.writable),
            device_array.sycl_queue,
            _library_name(array, device_array),
        )
    return None


def with_permuted_modes(array: Described, modes: Sequence[int]) -> Described:
    """The array with its modes in another order, which `modes` has for each of the new ones."""
    view = array.view
    return replace(
        array,
        view=replace(
            view,
            array=permuted_array(view.array, modes),
            shape=tuple(view.shape[mode] for mode in modes),
            strides=tuple(view.strides[mode] for mode in modes),
        ),
        byte_strides=tuple(array.byte_strides[mode] for mode in modes),
    )


def permuted_array(array: Any, modes: Sequence[int]) -> Any:
    """A view of an array of NumPy or dpctl with its modes in another order."""
    if hasattr(array, "transpose"):
        return array.transpose(modes)
    library = library_of(array)
    assert library is not None
    return library.permute_dims(array, tuple(modes))


def _library_name(array: Any, device_array: Any) -> str:
    library = library_of(device_array)
    is_dpnps = library is not None and device_array is not array and type(array).__module__.startswith("dpnp.")
    return "dpnp" if is_dpnps or library is None else library.__name__


def _usm_ndarray(array: Any) -> Any:
    if isinstance(array, UsmArray) or library_of(array) is not None:
        return array
    if hasattr(array, "get_array"):  # dpnp
        return array.get_array()
    return import_usm(array)


def _described(
    array: Any,
    address: int,
    shape: tuple[int, ...],
    byte_strides: tuple[int, ...],
    item_size: int,
    dtype: str,
    writable: bool,
    queue: Any,
    library: str = "numpy",
) -> Described:
    strides = tuple(stride // max(item_size, 1) for stride in byte_strides)  # an empty record has no size
    view = ArrayView(array, address, tuple(shape), strides, item_size, queue)
    return Described(view, dtype, writable, tuple(byte_strides), item_size, library)
