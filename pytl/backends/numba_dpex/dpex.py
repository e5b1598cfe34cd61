"""Kernels for `numba_dpex.call_kernel`, which a numba-dpex program launches itself, beside its own kernels.

pytl's own launches compile array parameters to bare pointers and pass them through dpctl. `call_kernel` compiles a
kernel for its arguments' types and flattens each array into five values. So it gets the same generated source as a
`@numba_dpex.kernel` whose parameters are one-dimensional arrays: the device library takes a pointer out of either.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any

import numpy as np

from ...diagnostics import LaunchError
from ...diagnostics.words import counted
from ...ir.values import Function
from .. import rules
from ..base import Argument, ItemViews
from . import spirv, toolchain
from .emit import KernelSource
from .interface import KernelParameter
from .launch import MAX_AT_ONCE
from .memory import Transfer, to_device

# numba-dpex's data types of arrays that hold an element. It has no arrays of f16 or bf16; these are passed as integers.
ARRAY_DTYPES = {
    "i8": ("int8",),
    "i16": ("int16",),
    "i32": ("int32",),
    "i64": ("int64",),
    "f16": ("int16", "uint16"),
    "bf16": ("int16", "uint16"),
    "f32": ("float32",),
    "f64": ("float64",),
    "c32": ("complex64",),
    "c64": ("complex128",),
}
# The data types that scalars are passed in: call_kernel takes no integers of less than 32 bits.
SCALAR_DTYPES = {element: names[0] for element, names in ARRAY_DTYPES.items()} | {
    **dict.fromkeys(("i8", "i16"), "int32"),
    **dict.fromkeys(("f16", "bf16"), "float32"),
}


class DpexCall(tuple):
    """What `numba_dpex.call_kernel` takes, in its order: `call_kernel(*k.dpex(n, alpha, A, B))`.

    `kernel` is a `@numba_dpex.kernel`, `index_space` an `NdRange`, `arguments` what follows them: empty where
    none were given. `parameters` says of each parameter what it takes. `call_kernel_async` has its events in
    between: `call_kernel_async(call.kernel, call.index_space, (event,), *call.arguments)`.
    """

    parameters: tuple[str, ...]

    def __new__(
        cls, kernel: Any, index_space: Any, arguments: Sequence[Any], parameters: tuple[str, ...] = ()
    ) -> DpexCall:
        call = super().__new__(cls, (kernel, index_space, *arguments))
        call.parameters = parameters
        return call

    @property
    def kernel(self) -> Any:
        return self[0]

    @property
    def index_space(self) -> Any:
        return self[1]

    @property
    def arguments(self) -> tuple[Any, ...]:
        return tuple(self[2:])

    def __repr__(self) -> str:
        return f"DpexCall(kernel={self.kernel}, index_space={self.index_space}, {len(self) - 2} arguments)"


def define(source: KernelSource, name: str) -> Any:
    """The generated source as a `@numba_dpex.kernel` for the arguments of a `DpexCall`."""
    kernel = toolchain.define(_with_casts(source), source.entry, _compiler_class(), source.kernels, source.functions)
    kernel._compiler.expected, kernel._compiler.name = source, name
    return kernel


def check_launch(function: Function, source: KernelSource, groups: int) -> None:
    """Refuse what `call_kernel` cannot launch."""
    if not any(parameter.kind == "array" for parameter in source.parameters):
        raise LaunchError.single(
            rules.DPEX,
            f"@{function.name} has no array, of which call_kernel would take the queue",
            help=f"launch it with {function.name}[n](…)",
        )
    if groups == 0:
        raise LaunchError.single(
            rules.DPEX,
            "there are 0 work-groups, and call_kernel does not know an empty index space",
            help=f"leave the call out, or launch with {function.name}[0](…), which does nothing",
        )
    if groups * source.items > MAX_AT_ONCE:
        raise LaunchError.single(
            rules.DPEX,
            f"{groups} work-groups of {source.items} work-items are more than SYCL launches at once",
            help=f"launch with {function.name}[n](…), which does so in parts",
        )


def call(
    kernel: Any,
    source: KernelSource,
    function: Function,
    arguments: Sequence[Argument] | None,
    groups: int,
    queue: Any,
) -> DpexCall:
    """The kernel with its index space and its arguments."""
    from numba_dpex import kernel_api

    space = kernel_api.NdRange((groups * source.items,), (source.items,))
    names = [value.name or f"argument {position + 1}" for position, value in enumerate(function.parameters)]
    texts = tuple(f"{p.name}: {_text_of(p, names[p.parameter])}" for p in source.parameters)
    if arguments is None:
        return DpexCall(kernel, space, (), texts)
    passed = Arguments(queue, arguments)
    return DpexCall(kernel, space, [passed.value(parameter) for parameter in source.parameters], texts)


def _text_of(parameter: KernelParameter, of: str) -> str:
    if parameter.kind == "scalar":
        dtype = SCALAR_DTYPES[parameter.element]
        meaning = {
            "value": f"the number {of}",
            "count": f"the number of items of {of}",
            "offset": f"the offset of {of} in elements",
            "size": f"the size of mode {parameter.mode} of {of}",
            "stride": f"the stride of mode {parameter.mode} of {of} in elements",
        }[parameter.source]
        return f"{dtype}, {meaning}"
    dtype = " or ".join(ARRAY_DTYPES[parameter.element])
    meaning = {
        "data": f"the memory of {of} from its first element",
        "addresses": f"the addresses of the items of {of}",
        "size": f"the size of mode {parameter.mode} of each item of {of}",
        "stride": f"the stride of mode {parameter.mode} of each item of {of} in elements",
    }[parameter.source]
    return f"one-dimensional usm_ndarray of {dtype}, {meaning}"


class Arguments(Transfer):
    """The arguments of a `call_kernel`: flat views of the user's device arrays, and numbers of NumPy's types."""

    def value(self, parameter: KernelParameter) -> Any:
        if parameter.source == "data":
            view = self.arguments[parameter.parameter].view  # type: ignore[union-attr]
            return _flat(view.address, view.span, ARRAY_DTYPES[parameter.element][0], self.queue, view.array)
        value = super().value(parameter)
        return value if parameter.kind == "array" else np.dtype(SCALAR_DTYPES[parameter.element]).type(value)

    def _placed(self, views: ItemViews) -> Any:
        return self._upload(views.addresses)  # an array that keeps the items alive

    def _upload(self, numbers: np.ndarray) -> Any:
        memory = to_device(numbers if numbers.size else np.zeros(1, np.int64), self.queue)
        return _flat(memory._pointer, numbers.size, "int64", self.queue, (memory, *self._kept))


class _Span:
    """Device memory by its address, for dpctl; it lives as long as any dpctl array of it."""

    def __init__(self, address: int, size: int, queue: Any, held: Any) -> None:
        self.held = held
        self.__sycl_usm_array_interface__ = {
            "data": (address, False),
            "shape": (size,),
            "strides": None,
            "typestr": "|u1",
            "version": 1,
            "syclobj": queue,
        }


def _flat(address: int, count: int, dtype: str, queue: Any, held: Any) -> Any:
    """The elements at an address as an array of one mode, which keeps `held` alive.

    An asynchronous call_kernel keeps its arguments alive, and so what they refer to: the arrays whose addresses a
    group's argument lists.
    """
    import dpctl.memory
    import dpctl.tensor

    # Not a view of the array's own allocation: the offset in it may be no multiple of the element's size.
    span = _Span(address, max(count, 1) * np.dtype(dtype).itemsize, queue, held)  # dpctl knows no empty memory
    return dpctl.tensor.usm_ndarray((count,), dtype=dtype, buffer=dpctl.memory.as_usm_memory(span))


def _with_casts(source: KernelSource) -> str:
    """The source with its numbers cast to the types that it computes with, because they are passed in wider types.

    The same is true of Python's own numbers, which callers of `call_kernel` pass where they ignore `arguments`.
    """
    body = source.text.index("):\n", source.text.index(f"\ndef {source.entry}(")) + len("):\n")
    scalars = [parameter for parameter in source.parameters if parameter.kind == "scalar"]
    casts = "".join(f"    {p.name} = cast_{p.element}({p.name})\n" for p in scalars)
    return source.text[:body] + casts + source.text[body:]


@cache
def _compiler_class() -> type:
    """numba-dpex's compiler of kernels with settings that `call_kernel` has no parameters for: types, sub-group sizes.

    A dispatcher's compiler is an attribute of it, which numba-dpex 0.23 does not document.
    """
    from numba.core import errors
    from numba_dpex.core.types.kernel_api.index_space_ids import NdItemType

    from .device.compiler import SpirvCompiler

    class Compiler(SpirvCompiler):
        expected: KernelSource
        name: str

        def check_arguments(self, py_func_name: str, args: Any) -> None:
            item, *argument_types = args
            if item != NdItemType(1):
                self._refuse(f"launched with an index space of {item}", "pass the one that k.dpex(n) gives")
            if len(argument_types) != len(self.expected.parameters):
                self._refuse(f"passed {len(argument_types)} arguments, but takes {len(self.expected.parameters)}")
            for parameter, type_ in zip(self.expected.parameters, argument_types):
                if not _takes(parameter, type_):
                    self._refuse(f"passed {_shown(type_)} for {parameter.name}")
            super().check_arguments(py_func_name, args)

        def _refuse(self, problem: str, help: str = "") -> None:
            help = help or f"pass what {self.name}.dpex(n, …).arguments has; {self.name}.dpex(n).parameters tells it"
            # numba shows errors of its own only, while it looks for the types of a call
            raise errors.TypingError(str(LaunchError.single(rules.DPEX, f"@{self.name} is {problem}", help=help)))

        def _compile_to_spirv(self, *arguments: Any) -> Any:
            module = super()._compile_to_spirv(*arguments)
            size = self.expected.subgroup_size
            if size is None:
                return module
            return module._replace(kernel_bitcode=spirv.required_sizes(module.kernel_bitcode, module.kernel_name, size))

    return Compiler


def _takes(parameter: KernelParameter, type_: Any) -> bool:
    """Whether a parameter takes a value of a numba type."""
    from numba.core import types
    from numba_dpex.core.types import USMNdArray

    if parameter.kind == "array":
        flat = isinstance(type_, USMNdArray) and type_.ndim == 1 and type_.layout == "C"
        return flat and str(type_.dtype) in ARRAY_DTYPES[parameter.element]
    kinds: tuple[type, ...] = (types.Integer,)
    if parameter.element[0] in "fbc":
        kinds += (types.Float,)
    if parameter.element[0] == "c":
        kinds += (types.Complex,)
    return isinstance(type_, kinds) and getattr(type_, "signed", True) is not False


def _shown(type_: Any) -> str:
    from numba_dpex.core.types import USMNdArray

    if isinstance(type_, USMNdArray):
        return f"an array of {type_.dtype} with {counted(type_.ndim, 'mode')} and layout {type_.layout}"
    return f"a value of type {type_}"
