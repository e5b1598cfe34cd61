"""Kernels of functions on tensors: a call allocates what the function gives, and returns it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from ..diagnostics import LaunchError
from .kernel import Kernel
from .launcher import Launcher

if TYPE_CHECKING:
    from ..frontends.mlir.tensors.bufferization import Bufferized, Made
    from ..ir.values import Module


class TensorKernel(Kernel):
    """A kernel of a function that gives tensors.

    `k(a, b)`, or `k[n](a, b)`, returns what the function gives: one array, or a tuple of them. With the results behind
    the arguments, `k(a, b, c)`, these are written, and returned.
    """

    def __init__(self, module: Module, bufferized: Bufferized) -> None:
        super().__init__(module=module)
        self.bufferized = bufferized

    def __getitem__(self, configuration: Any) -> Launcher:
        launcher = super().__getitem__(configuration)
        return TensorLauncher(self, launcher.groups, launcher.options)

    def __call__(self, *arguments: Any, **named: Any) -> Any:
        return self[...](*arguments, **named)


class TensorLauncher(Launcher):
    """A kernel with its number of work-groups, which returns arrays."""

    kernel: TensorKernel

    def __call__(self, *arguments: Any, backend: str | None = None, **named: Any) -> Any:
        """Launch, wait, and return what the function gives. Arguments are those of the text, maybe results behind."""
        bufferized = self.kernel.bufferized
        names = [name.lstrip("%") for name in bufferized.arguments]
        given = [*arguments, *(named.pop(name) for name in names[len(arguments) :] if name in named)]
        made = [each.made for each in bufferized.returned if each.made is not None]
        if len(given) not in (len(names), len(names) + len(made)):
            # the launch says what is missing
            super().__call__(*given, backend=backend, **named)
        passed = [_contiguous(each) for each in given]
        by_name = dict(zip(bufferized.arguments, given))
        results = passed[len(names) :] or [_allocated(bufferized, each, by_name) for each in made]
        hidden = [_allocated(bufferized, each, by_name) for each in bufferized.hidden]
        super().__call__(*map(_bytes, passed[: len(names)]), *map(_bytes, results), *hidden, backend=backend, **named)
        rest = iter(results)
        values = [given[each.argument] if each.argument is not None else next(rest) for each in bufferized.returned]
        return values[0] if len(values) == 1 else tuple(values) or None


def _contiguous(array: Any) -> Any:
    """An array in C order: a tensor has no strides."""
    import numpy

    if isinstance(array, numpy.ndarray) and not array.flags.c_contiguous:
        return numpy.ascontiguousarray(array)
    return array


def _bytes(array: Any) -> Any:
    """Truth values as bytes, which a kernel has them as."""
    import numpy

    return array.view(numpy.int8) if isinstance(array, numpy.ndarray) and array.dtype == bool else array


def _allocated(bufferized: Bufferized, made: Made, arguments: Mapping[str, Any]) -> Any:
    """A new array for a parameter, with its values if it is a constant."""
    import numpy

    from ..frontends.mlir.types import element_type
    from ..launch.arrays.arrays import dtype_names

    sizes = [bufferized.size(each, arguments) for each in made.sizes]
    element = element_type(made.type.element)
    assert element is not None
    is_truth = str(made.type.element) == "i1"
    dtype = numpy.dtype(bool) if is_truth else _dtype(dtype_names(element))
    if made.values is None:
        return numpy.empty(sizes, dtype)
    array = numpy.array(_nested(made.values.values), dtype).reshape(sizes)
    return _bytes(array)


def _nested(values: Any) -> Any:
    return [_nested(each) for each in values] if isinstance(values, tuple) else values


def _dtype(names: Sequence[str]) -> Any:
    import numpy

    for name in names:
        try:
            return numpy.dtype(name)
        except TypeError:
            continue
    raise LaunchError([])
