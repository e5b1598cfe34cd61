"""From the Python source of a kernel to SPIR-V, by the compiler that is installed (devices/compilers.py).

That is numba-dpex as a compiler, without its launcher, or pytl's own target of numba. It is imported when the first
kernel is built: that takes half a second, and needs `load_sycl` before it.
"""

from __future__ import annotations

import itertools
import linecache
import warnings
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from pytl.devices.bootstrap import SyclUnavailable, installation_advice, load_sycl
from pytl.devices.compilers import Compiler, installed_compiler, required_compiler
from pytl.diagnostics import PlatformError, Rule
from pytl.ir.values import Function
from pytl.process.interrupts import interrupts_deferred

from ..building import at
from . import spirv
from .launch import ParamKind, Scalar, SpirvKernel

if TYPE_CHECKING:
    from .vector import VectorKernel

NONE: Mapping[str, VectorKernel] = MappingProxyType({})
NO_FUNCTIONS: Mapping[str, Sequence[str]] = MappingProxyType({})
_serial = itertools.count()

NO_COMPILER = Rule(
    "PYTL-3314",
    "kernels for SYCL and OpenCL are compiled where numba-dpex, or a current numba with llvm-spirv, is installed",
    "numba_dpex backend",
    explanation="numba-dpex has wheels for CPython 3.10 and 3.11 on x86-64; from 3.12 on pytl's own target of numba "
    "compiles. Elsewhere, kernels are launched that were built ahead of time, by `pytl build`.",
)


def require_compiler(function: Function) -> Compiler:
    """What compiles a function here. Raises PYTL-3314 where nothing does."""
    compiler = installed_compiler()
    if compiler is None:
        needed = required_compiler().missing()
        reason = f"{' and '.join(needed)}, the compiler, {'is' if len(needed) == 1 else 'are'} not installed"
    else:
        try:
            load_sycl()
            return compiler
        except SyclUnavailable as problem:
            reason = f"{compiler.name} does not load: {problem.reason}"
    message = f"@{function.name} is not compiled yet, and {reason}"
    help = (
        f"{installation_advice()}; or build it where a compiler is (pytl build), and launch what was built (pytl.load)"
    )
    raise PlatformError.single(NO_COMPILER, message, function.location, help)


def define(
    source: str,
    entry: str,
    compiler_class: type | None = None,
    kernels: Mapping[str, VectorKernel] = NONE,
    functions: Mapping[str, Sequence[str]] = NO_FUNCTIONS,
) -> Any:
    """The function `entry` of generated source as a numba-dpex kernel, for `call_kernel`, for example.

    `kernels` is the vector code that it calls, and `functions` are those of the source that others call, with the
    element types of their results. `compiler_class` derives from `device.compiler.SpirvCompiler`, its
    default. The source is registered under an invented file name, so that a traceback through it shows its lines.
    """
    load_sycl()
    with interrupts_deferred():
        from .device import NAMES
        from .device.target import compiler_module

        compiler = compiler_module()

    filename = f"<pytl kernel {entry} {next(_serial)}>"
    linecache.cache[filename] = (len(source), None, source.splitlines(keepends=True), filename)
    namespace = dict(NAMES)
    if kernels:
        from .vector.kernel import intrinsic

        namespace.update((name, intrinsic(name, kernel)) for name, kernel in kernels.items())
    exec(compile(source, filename, "exec"), namespace)
    if functions:
        from .device.calls import called

        namespace.update({name: called(name, namespace[name], results) for name, results in functions.items()})
    return compiler.kernel(namespace[entry], compiler_class or compiler.SpirvCompiler)


def build(
    source: str,
    entry: str,
    signature: Sequence[ParamKind],
    subgroup_size: int | None = None,
    kernels: Mapping[str, VectorKernel] = NONE,
    functions: Mapping[str, Sequence[str]] = NO_FUNCTIONS,
) -> SpirvKernel:
    """Compile the function `entry` of generated source for parameters of these kinds, and for a sub-group size.

    Its first parameter is the `NdItem` that numba-dpex wants a kernel to have; it is not part of the
    signature, and takes no argument at a launch.
    """
    return build_with_llvm(source, entry, signature, subgroup_size, kernels, functions)[0]


def build_with_llvm(
    source: str,
    entry: str,
    signature: Sequence[ParamKind],
    subgroup_size: int | None = None,
    kernels: Mapping[str, VectorKernel] = NONE,
    functions: Mapping[str, Sequence[str]] = NO_FUNCTIONS,
) -> tuple[SpirvKernel, str]:
    """The same as `build`, and the optimized LLVM code that became SPIR-V."""
    at("imports")
    with _quiet():
        kernel = define(source, entry, kernels=kernels, functions=functions)
        _import_lowering()
        from numba.core import types
        from numba.core.compiler_lock import global_compiler_lock

        from .device.target import ITEM

        argument_types = (ITEM, *map(_numba_type, signature))
    at("types")
    with global_compiler_lock, _quiet():
        # Not kernel.compile, which refuses a kernel that has no array to take its queue from.
        module = kernel._compiler.compile(argument_types, types.void).kernel_device_ir_module
    compiled = spirv.own_overflow_functions(spirv.renamed(module.kernel_bitcode, module.kernel_name, entry))
    if subgroup_size is not None:
        compiled = spirv.required_sizes(compiled, entry, subgroup_size)
    return SpirvKernel(compiled, entry, tuple(signature)), kernel._compiler.llvm


@contextmanager
def _quiet() -> Iterator[None]:
    """Suppress warnings: those of numba and its modules do not concern users, who may turn warnings into errors."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


@cache
def _import_lowering() -> None:
    """Import numba's lowering of range, of numbers and of tuples, which registers itself.

    numba-dpex leaves that to its first launch, which compiles for the host too. A kernel compiled before
    any launch fails without it: "No definition for lowering <class 'range'>".
    """
    with interrupts_deferred():
        from numba.cpython import builtins, numbers, rangeobj, tupleobj  # noqa: F401


def _numba_type(kind: ParamKind) -> Any:
    from .device import ELEMENTS, Pointer

    return ELEMENTS[kind.dtype].register if isinstance(kind, Scalar) else Pointer(kind.dtype, "global")
