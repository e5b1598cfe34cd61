"""Kernels of functions on tensors: a call allocates what the function gives, and returns it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING, Any

from ..diagnostics import LaunchError, PytlError
from ..diagnostics.callers import add_call_site
from ..ir.values import Module
from ..process.once import once
from .kernel import Kernel, compile
from .launcher import NO_EVENTS, Launcher

if TYPE_CHECKING:
    from ..frontends.mlir.tensors.bufferization import Bufferized, Made
    from ..ir.values import Value


SHORT = 1 << 15
"""Elements of arguments of sizes that no text has, below which one launch does all."""
_Step = tuple[Kernel, tuple[str, ...]]
"""A kernel, and the names of what it is passed."""


class TensorKernel(Kernel):
    """A kernel of a function that gives tensors or numbers.

    `k(a, b)`, or `k[n](a, b)`, returns what the function gives: one array, or a tuple of them, in memory of the device
    where an argument is. With the results behind the arguments, `k(a, b, c)`, these are written, and returned.
    """

    def __init__(self, module: Module, bufferized: Bufferized, steps: Sequence[_Step] = ()) -> None:
        super().__init__(module=module)
        self.bufferized = bufferized
        self.steps = steps
        """What a call launches one behind the other in place of this kernel, where that deals out more of it."""
        self._launcher: TensorLauncher | None = None
        """That of `k(…)`, made at the first such call."""

    @property
    def grid(self) -> str:
        """Which iterations are dealt out to the work-groups of `k(…)`, which has one for each of them; of each launch,
        where there are several."""
        return self.bufferized.grid

    @property
    def called_parameters(self) -> Sequence[Value]:
        return self.function.parameters[: len(self.bufferized.arguments)]

    def __reduce__(self) -> Any:
        return _again, (Kernel(module=self.module), replace(self.bufferized, steps=()), self.steps)

    def __getitem__(self, configuration: Any) -> TensorLauncher:
        launcher = super().__getitem__(configuration)
        return TensorLauncher(self, launcher.groups, launcher.options)

    def __call__(self, *arguments: Any, backend: str | None = None, **named: Any) -> Any:
        if self._launcher is None:
            self._launcher = self[...]
        return self._launcher.called(arguments, backend, named)


def as_called(kernel: Kernel) -> Kernel:
    """A kernel that is called as its function's text says, where this has tensors or gives numbers."""
    calling = kernel.function.calling
    if calling is None:
        return kernel
    steps = [(compile(Module.of(each.function))[each.function.name], each.parameters) for each in calling.steps]
    return TensorKernel(kernel.module, calling, steps)


def _again(kernel: Kernel, bufferized: Bufferized, steps: Sequence[_Step]) -> TensorKernel:
    return TensorKernel(kernel.module, bufferized, steps)


class TensorLauncher(Launcher):
    """A kernel with its number of work-groups, which returns arrays."""

    kernel: TensorKernel

    def __init__(self, kernel: TensorKernel, groups: int | None, options: Mapping[str, Any] | None = None) -> None:
        super().__init__(kernel, groups, options)
        bufferized = kernel.bufferized
        self._names = [name.lstrip("%") for name in bufferized.arguments]
        self._made = [each.made for each in bufferized.returned if each.made is not None]
        self._kept = [each.argument for each in bufferized.returned if each.argument is not None and each.is_read]
        """Arguments that are written in place, of which copies are passed."""
        (block,) = bufferized.function.regions[0].blocks
        self._parameters = [name for name, _ in block.arguments]
        self._steps = [(Launcher(each, groups, options), passed) for each, passed in kernel.steps]
        are_made = len(self._made) == len(bufferized.returned) and not any(each.is_number for each in self._made)
        self._passes_all = are_made and not (self._kept or bufferized.hidden or self._steps)
        """Whether a launch has no other arguments than a call with arrays for the results."""
        self._launches = kernel.launches
        self._count = len(self._names) + len(self._made)
        self._is_open = any(None in (getattr(each, "shape", None) or ()) for each in bufferized.types)
        """Whether the sizes of arguments are known at a call alone."""

    def __call__(self, *arguments: Any, backend: str | None = None, **named: Any) -> Any:
        """Launch, wait, and return what the function gives. Arguments are those of the text, maybe results behind."""
        return self.called(arguments, backend, named)

    def called(self, arguments: Sequence[Any], backend: str | None, named: dict[str, Any]) -> Any:
        """The same."""
        if self._passes_all and len(arguments) == len(self._names) and not named:
            arguments = (*arguments, *self._new_results(arguments))
        if self._passes_all and len(arguments) == self._count and not named:
            # there is a plan for arrays alone that a launch takes as they are
            try:
                event = self._launches.again(arguments, self.groups, self._options_key, backend, None, NO_EVENTS, True)
            except PytlError as error:
                add_call_site(error)
                raise
            if event is None or all(map(_is_as_passed, arguments)):
                if event is not None:
                    super().__call__(*arguments, backend=backend)
                return self._results(arguments)
        return self._launch_others(arguments, backend, named)

    @once
    def _fixed(self) -> Sequence[tuple[tuple[Any, ...], Any]] | None:
        """The shapes and data types of the results on the host, if they are the same at each call."""
        if any(each.values is not None or any(type(n) is not int for n in each.sizes) for each in self._made):
            return None
        return [(each.sizes, _dtypes(each.type.element)[0]) for each in self._made]

    def _new_results(self, arguments: Sequence[Any]) -> list[Any]:
        import numpy

        if self._fixed is not None and set(map(type, arguments)) <= {numpy.ndarray}:
            return [numpy.empty(shape, dtype) for shape, dtype in self._fixed]
        memory, bufferized = CallMemory(arguments), self.kernel.bufferized
        by_name = dict(zip(bufferized.arguments, arguments))
        return [memory.new(bufferized, each, by_name) for each in self._made]

    def _results(self, arguments: Sequence[Any]) -> Any:
        """What a call returns that passed arrays for the results."""
        written = arguments[len(self._names) :]
        return written[0] if len(written) == 1 else written or None

    def _launch_others(self, arguments: Sequence[Any], backend: str | None, named: dict[str, Any]) -> Any:
        """A call whose arguments are not those of a launch."""
        bufferized, names, made = self.kernel.bufferized, self._names, self._made
        given = [*arguments, *(named.pop(name) for name in names[len(arguments) :] if name in named)]
        if len(given) not in (len(names), len(names) + len(made)):
            # the launch says what is missing
            super().__call__(*given, backend=backend, **named)
        memory = CallMemory(given)
        for argument in self._kept:
            given[argument] = memory.copied(given[argument])
        results = given[len(names) :]
        hidden: Sequence[Any] = ()
        is_in_steps = bool(self._steps) and not named and not (self._is_open and _are_short(given))
        if bufferized.hidden or len(results) < len(made) or is_in_steps:
            by_name = dict(zip(bufferized.arguments, given))
            results = results or self._new_results(given)
            hidden = [memory.new(bufferized, each, by_name) for each in bufferized.hidden]
        passed = [*map(memory.passed, (*given[: len(names)], *results))]
        hidden = [*map(memory.passed, hidden)]
        if is_in_steps:
            self._launch_steps(memory, by_name, [*passed, *hidden], backend)
        else:
            super().__call__(*passed, *hidden, backend=backend, **named)
        rest = iter(zip(results, passed[len(names) :], made))
        values = [
            _value(*next(rest)) if each.argument is None else given[each.argument] for each in bufferized.returned
        ]
        return values[0] if len(values) == 1 else tuple(values) or None

    def _launch_steps(
        self, memory: CallMemory, arguments: Mapping[str, Any], passed: Sequence[Any], backend: str | None
    ) -> None:
        """Launch kernels one behind the other, with what they pass on."""
        bufferized, by_name = self.kernel.bufferized, dict(zip(self._parameters, passed))
        for each in bufferized.between:
            by_name[each.name] = memory.passed(memory.new(bufferized, each, arguments))
        for launcher, names in self._steps:
            launcher(*(by_name[name] for name in names), backend=backend)


def _value(result: Any, passed: Any, made: Made) -> Any:
    """A result as the caller gets it."""
    if passed is result and not made.is_number:
        return result
    import numpy

    if passed is not result and not isinstance(result, numpy.ndarray):
        # truth values, which the device wrote as bytes
        result[...] = passed.astype(bool) if hasattr(passed, "astype") else passed
    return result[()] if made.is_number and isinstance(result, numpy.ndarray) else result


class CallMemory:
    """Where the arrays of a call are: on the host, or on the queue of an argument."""

    def __init__(self, arguments: Sequence[Any]) -> None:
        self._device = next((each for each in arguments if _is_on_device(each)), None)
        """An argument that is in memory of a device."""

    @property
    def library(self) -> Any:
        """The library that makes arrays there."""
        if self._device is None:
            import numpy

            return numpy
        from ..devices.usm import library_of

        return library_of(self._device)

    @property
    def where(self) -> dict[str, Any]:
        return {} if self._device is None else {"sycl_queue": self._device.sycl_queue}

    def new(self, bufferized: Bufferized, made: Made, arguments: Mapping[str, Any]) -> Any:
        """A new array for a parameter, with its values if it is a constant."""
        sizes = tuple(size if type(size) is int else bufferized.size(size, arguments) for size in made.sizes)
        own, dtype = _dtypes(made.type.element)
        import numpy

        if made.values is None:
            if self._device is None:
                return numpy.empty(sizes, own)
            return self.library.empty(sizes, dtype=dtype, **self.where)

        from ..frontends.mlir.small_types import plain_value

        values = numpy.array(_nested(plain_value(made.values).values), dtype)
        array = values.reshape(sizes) if values.ndim else numpy.full(sizes, values)
        return array if self._device is None else self.library.asarray(array, **self.where)

    def on_host(self, array: Any) -> Any:
        """An array that the host reads, in C order."""
        import numpy

        from ..devices.usm import on_host

        array = on_host(array) if _is_on_device(array) else array
        return numpy.ascontiguousarray(array) if isinstance(array, numpy.ndarray) and array.ndim else array

    def given(self, value: Any) -> Any:
        """A result of the host as the caller gets it."""
        is_array = self._device is not None and bool(getattr(value, "shape", ()))
        return self.library.asarray(value, **self.where) if is_array else value

    def copied(self, array: Any) -> Any:
        return self.library.copy(array) if hasattr(array, "shape") else array

    def passed(self, array: Any) -> Any:
        """An array as a launch takes it: in C order, since a tensor has no strides; truth values as bytes."""
        if _is_on_device(array):
            is_truth = array.dtype.kind == "b"
            if is_truth or not array.flags.c_contiguous:
                return self.library.astype(array, "int8" if is_truth else array.dtype, order="C", copy=True)
            return array
        import numpy

        if isinstance(array, numpy.ndarray):
            array = array if array.flags.c_contiguous else numpy.ascontiguousarray(array)
            return array.view(numpy.int8) if _is_of_bytes(array.dtype) else array
        return array


def _is_as_passed(argument: Any) -> bool:
    """Whether a launch takes an argument as it is; arrays of libraries without flags are left to it."""
    flags = getattr(argument, "flags", None)
    return flags is None or (flags.c_contiguous and not _is_of_bytes(argument.dtype))


def _is_of_bytes(dtype: Any) -> bool:
    """Whether a launch has bytes for elements: of truth values, and of numbers of few bits."""
    return dtype.itemsize == 1 and dtype.kind not in "iu"


def _are_short(arguments: Sequence[Any]) -> bool:
    """Whether arrays are too short for several launches."""
    return sum(each.size for each in arguments if hasattr(each, "shape")) < SHORT


def _is_on_device(array: Any) -> bool:
    """Whether an array is in memory of a device. The attribute of an array is made anew whenever it is read."""
    return hasattr(type(array), "__sycl_usm_array_interface__")


@cache
def _dtypes(element: Any) -> tuple[Any, Any]:
    """The data types of new arrays with elements of a type: on the host, where few bits have one of their own, and for
    their values."""
    import numpy

    from ..frontends.mlir.small_types import plain
    from ..frontends.mlir.types import dtype_name, element_type
    from ..launch.arrays.arrays import dtype_names

    type_ = element_type(plain(element))
    assert type_ is not None
    dtype = numpy.dtype(bool) if str(element) == "i1" else _dtype(dtype_names(type_))
    own = dtype_name(element)
    if not own:
        return dtype, dtype
    import ml_dtypes

    return getattr(ml_dtypes, own), dtype


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
