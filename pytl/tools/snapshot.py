"""Copies of arrays, so that launches can be undone and their results compared."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from ..backends.base import Argument, ArrayView, GroupArgument, MemrefArgument
from ..backends.overlap import Key, key_of, views_of
from ..devices.usm import library_of, on_host
from ..ir.types import MemrefType, ScalarType, item_type
from ..launch.arrays.arrays import dtype_names
from ..launch.arrays.parameters import Parameter
from ..process.records import dataclass

if TYPE_CHECKING:
    import numpy as np

PIECE = 1 << 20
"""Elements that are compared at once."""


@dataclass(frozen=True)
class _Saved:
    """An array that a kernel writes: its name in messages, its elements, and a copy of their values."""

    name: str
    view: ArrayView
    element: ScalarType
    content: Any


class Snapshot:
    """Copies of the arrays that a kernel writes. Arrays may overlap: all are copied before one is restored."""

    def __init__(self, parameters: Sequence[Parameter], arguments: Sequence[Argument]) -> None:
        saved: dict[Key, _Saved] = {}
        for parameter, argument in zip(parameters, arguments):
            if not isinstance(argument, (MemrefArgument, GroupArgument)) or not argument.written:
                continue
            views = [view for view, _ in views_of([argument])]
            for position, view in enumerate(views):
                name = parameter.name if len(views) == 1 else f"{parameter.name}[{position}]"
                if view.span and key_of(view) not in saved:
                    saved[key_of(view)] = _Saved(name, view, _element(parameter), _copy(view))
        self._saved = list(saved.values())

    def restore(self) -> None:
        """Restore the arrays, bit by bit. Gaps between elements are not written."""
        for saved in self._saved:
            saved.view.array[...] = saved.content

    def results(self) -> list[np.ndarray]:
        """The present content of the arrays, as copies on the host."""
        import numpy as np

        return [np.array(_on_host(saved.view.array)) for saved in self._saved]

    def difference(self, expected: Sequence[np.ndarray]) -> str | None:
        """The first difference of the arrays from these results beyond rounding, or None."""
        for saved, expected_array in zip(self._saved, expected):
            first = _first_difference(saved, expected_array, _on_host(saved.view.array))
            if first is not None:
                return first
        return None


def _element(parameter: Parameter) -> ScalarType:
    type_ = item_type(parameter.type)
    assert isinstance(type_, MemrefType)
    return type_.element


def _copy(view: ArrayView) -> Any:
    if view.queue is not None:
        import dpctl.memory

        try:
            library = library_of(view.array)
            return view.array.copied() if library is None else library.copy(view.array)
        except dpctl.memory.USMAllocationError as error:
            raise MemoryError from error
    import numpy as np

    return np.array(view.array, order="K")  # of a subclass, too, a plain array


def _on_host(array: Any) -> np.ndarray:
    import numpy as np

    if isinstance(array, np.ndarray):
        return np.asarray(array)
    return on_host(array)


def _first_difference(saved: _Saved, expected: np.ndarray, actual: np.ndarray) -> str | None:
    """Where numbers differ beyond rounding, whose error in sums depends on cancellation.

    They may differ by eps^(2/3) of what is expected and of the mean in the array, the larger one of before and after
    the launch. That is 2e-5 for f32, 4e-11 for f64, 1e-2 for f16 and 4e-2 for bf16. Integers are equal, and so are
    infinities; nans stand at the same places.
    """
    import ml_dtypes
    import numpy as np

    element, mean, allowed = saved.element, 0.0, 0.0
    if not element.is_integer:
        mean = max(_mean(array, element) for array in (expected, _on_host(saved.content)))
        allowed = float(ml_dtypes.finfo(dtype_names(element)[0]).eps) ** (2 / 3)
    for piece in _pieces(expected.shape):
        e, f = (_parts(array[piece], element) for array in (expected, actual))
        with np.errstate(all="ignore"):
            same = e == f
            if not element.is_integer and not same.all():
                sizes = np.where(np.isfinite(e), abs(e), 0.0)
                same |= (abs(e - f) <= allowed * (sizes + mean)) | (np.isnan(e) & np.isnan(f))
        if not same.all():
            first = tuple(np.argwhere(~same.all(axis=0))[0])
            numbers = [_number(array[piece][first], element) for array in (actual, expected)]
            position = [*map(int, first[:-1]), *(int(last) + piece[-1].start for last in first[-1:])]
            return f"{saved.name}{position or ''} is {numbers[0]}, not {numbers[1]}"
    return None


def _pieces(shape: Sequence[int]) -> Iterator[tuple[Any, ...]]:
    """Parts of an array along its last mode, so that the f64 copy of the whole array is never in memory."""
    step = max(PIECE // max(math.prod(shape[:-1]), 1), 1)
    for first in range(0, shape[-1], step) if shape else ():
        yield (..., slice(first, first + step))
    if not shape:
        yield (...,)


def _mean(array: np.ndarray, element: ScalarType) -> float:
    import numpy as np

    total = 0.0
    for piece in _pieces(array.shape):
        parts = _parts(array[piece], element)
        total += float(np.where(np.isfinite(parts), abs(parts), 0.0).sum())
    return total / array.size


def _parts(array: np.ndarray, element: ScalarType) -> np.ndarray:
    """Numbers with a first mode for real and imaginary parts, all but integers as f64."""
    import ml_dtypes
    import numpy as np

    if element.is_integer:
        return array[np.newaxis]
    if element.is_complex:
        return np.stack([array.real, array.imag]).astype(np.float64)
    if array.dtype.kind == "u":  # dpctl has no bf16
        array = array.view(ml_dtypes.bfloat16)
    return array.astype(np.float64)[np.newaxis]


def _number(value: np.ndarray, element: ScalarType) -> str:
    parts = _parts(value, element)
    if element.is_integer:
        return str(int(parts[0]))
    return f"{complex(*parts):g}" if element.is_complex else f"{float(parts[0]):g}"
