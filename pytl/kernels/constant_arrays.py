"""The arrays that are part of a kernel, as further arguments of its launches."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from ..ir.patterns import VALUES, numbers_of

if TYPE_CHECKING:
    from ..ir.values import Function


class ConstantArrays:
    """The arrays of a function's parameters that have values."""

    def __init__(self, function: Function) -> None:
        self._parameters = [parameter for parameter in function.parameters if VALUES in parameter.attributes]
        self._arrays: dict[Any, Mapping[str, Any]] = {}
        """By the queue that they are for; None for those of the host."""

    def beside(self, arguments: Iterable[Any]) -> Mapping[str, Any]:
        """The arrays by the names of their parameters, where the other arguments are."""
        queue = next(filter(None, map(_queue_of, arguments)), None)
        if queue not in self._arrays:
            self._arrays[queue] = {
                str(parameter.name): self._array(parameter.type, parameter.attributes[VALUES], queue)
                for parameter in self._parameters
            }
        return self._arrays[queue]

    def _array(self, type_: Any, lines: Any, queue: Any) -> Any:
        import numpy as np

        from ..devices.usm import tensor_library
        from ..ops.scalars import dtype_of

        array = np.array(numbers_of(lines, type_), dtype_of(type_.element)).reshape(type_.shape[::-1]).transpose()
        library = tensor_library() if queue is not None else None
        return array if library is None else library.asarray(array, order="F", sycl_queue=queue)


def _queue_of(argument: Any) -> Any:
    """The queue that an array, or the first of several, is on."""
    first = argument[0] if isinstance(argument, (list, tuple)) and argument else argument
    return getattr(first, "sycl_queue", None)
