"""What arrays hold, so that launches can be undone and their results compared."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ..backends.base import Argument, ArrayView, GroupArgument, MemrefArgument
from ..backends.overlap import Key, key_of, views_of
from ..ir.types import GroupType, MemrefType, ScalarType
from .arrays import dtype_names
from .parameters import Parameter

if TYPE_CHECKING:
    import numpy as np


@dataclass(frozen=True)
class _Saved:
    """An array that a kernel writes: its name in messages, its elements, and a copy of what it held."""

    name: str
    view: ArrayView
    element: ScalarType
    content: Any


class Snapshot:
    """What the arrays that a kernel writes hold now. Arrays may overlap: all are copied before one is put back."""

    def __init__(self, parameters: Sequence[Parameter], arguments: Sequence[Argument]) -> None:
        found: dict[Key, _Saved] = {}
        for parameter, argument in zip(parameters, arguments):
            if not isinstance(argument, (MemrefArgument, GroupArgument)) or not argument.written:
                continue
            views = [view for view, _ in views_of([argument])]
            for place, view in enumerate(views):
                name = parameter.name if len(views) == 1 else f"{parameter.name}[{place}]"
                if view.span and key_of(view) not in found:
                    found[key_of(view)] = _Saved(name, view, _element(parameter), _copy(view))
        self._saved = list(found.values())

    def restore(self) -> None:
        """Put back what the arrays held. The bits are the same, and gaps between elements are left alone."""
        for saved in self._saved:
            saved.view.array[...] = saved.content

    def results(self) -> list[np.ndarray]:
        """What the arrays hold now, as copies on the host."""
        import numpy as np

        return [np.array(_on_host(saved.view.array)) for saved in self._saved]

    def difference(self, expected: Sequence[np.ndarray]) -> str | None:
        """Where the arrays hold something else than these results, beyond rounding; None where they do not."""
        for saved, wanted in zip(self._saved, expected):
            place = _first_difference(saved, wanted, _on_host(saved.view.array))
            if place is not None:
                return place
        return None


def _element(parameter: Parameter) -> ScalarType:
    type_ = parameter.type.memref if isinstance(parameter.type, GroupType) else parameter.type
    assert isinstance(type_, MemrefType)
    return type_.element


def _copy(view: ArrayView) -> Any:
    if view.queue is not None:
        import dpctl.tensor

        return dpctl.tensor.copy(view.array)
    import numpy as np

    return np.array(view.array, order="K")  # of a subclass, too, a plain array


def _on_host(array: Any) -> np.ndarray:
    import numpy as np

    if isinstance(array, np.ndarray):
        return np.asarray(array)
    import dpctl.tensor

    return dpctl.tensor.asnumpy(array)


def _first_difference(saved: _Saved, expected: np.ndarray, found: np.ndarray) -> str | None:
    """Rounding may differ, in sums by what is cancelled: by eps^(2/3) of an element and of the mean of the array.

    That is 2e-5 for f32, 4e-11 for f64, 1e-2 for f16 and 4e-2 for bf16. The mean is the larger one of before and
    after the launch. Integers are equal, and so are infinities; nans stand at the same places.
    """
    import ml_dtypes
    import numpy as np

    if saved.element.is_integer:
        wrong = expected != found
    else:
        dtype = dtype_names(saved.element)[0]
        e, f, before = (_parts(array, saved.element) for array in (expected, found, _on_host(saved.content)))
        with np.errstate(all="ignore"):
            sizes = [np.where(np.isfinite(x), abs(x), 0.0) for x in (e, before)]
            allowed = float(ml_dtypes.finfo(dtype).eps) ** (2 / 3) * (sizes[0] + max(float(s.mean()) for s in sizes))
            same = (abs(e - f) <= allowed) | (e == f) | (np.isnan(e) & np.isnan(f))
        wrong = ~same.all(axis=0)
    if not wrong.any():
        return None
    place = tuple(int(i) for i in np.argwhere(wrong)[0])
    at = f"[{', '.join(map(str, place))}]" if place else ""
    numbers = [_number(array[place], saved.element) for array in (found, expected)]
    return f"{saved.name}{at} is {numbers[0]}, not {numbers[1]}"


def _parts(array: np.ndarray, element: ScalarType) -> np.ndarray:
    """Numbers as f64, with a first mode for real and imaginary parts; dpctl has bf16 as whole numbers of 16 bits."""
    import numpy as np

    if element.is_complex:
        return np.stack([array.real, array.imag]).astype(np.float64)
    return _floats(array, element)[np.newaxis]


def _floats(array: np.ndarray, element: ScalarType) -> np.ndarray:
    import ml_dtypes
    import numpy as np

    if element.name == "bf16" and array.dtype.kind == "u":
        array = array.view(ml_dtypes.bfloat16)
    return array.astype(np.float64)


def _number(value: Any, element: ScalarType) -> str:
    if element.is_integer:
        return str(int(value))
    return f"{complex(value):g}" if element.is_complex else f"{float(_floats(value, element)):g}"


@contextmanager
def uninterrupted() -> Iterator[None]:
    """Let Ctrl-C wait until the block has ended. Threads other than the main one are not interrupted by it."""
    import signal  # not at `import pytl`
    import threading

    previous = signal.getsignal(signal.SIGINT)
    if threading.current_thread() is not threading.main_thread() or previous is None:
        yield
        return
    caught: list[int] = []
    signal.signal(signal.SIGINT, lambda number, frame: caught.append(number))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, previous)
    if caught:
        signal.raise_signal(signal.SIGINT)
