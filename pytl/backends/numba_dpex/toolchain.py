"""From the Python source of a kernel to SPIR-V: numba-dpex as a compiler, without its launcher."""

from __future__ import annotations

import itertools
import linecache
import warnings
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from pytl.runtime.bootstrap import load_sycl

load_sycl()

# numba-dpex leaves it to the first launch, which compiles for the host too, to import numba's lowering of range, of numbers
# and of tuples. Without these a kernel compiled before any launch fails with "No definition for lowering <class 'range'>".
import numba.cpython.builtins  # noqa: E402
import numba.cpython.numbers  # noqa: E402
import numba.cpython.rangeobj  # noqa: E402
import numba.cpython.tupleobj  # noqa: E402, F401
import numba_dpex  # noqa: E402
from numba.core import types  # noqa: E402
from numba.core.compiler_lock import global_compiler_lock  # noqa: E402
from numba_dpex.core.types import USMNdArray  # noqa: E402
from numba_dpex.core.types.kernel_api.index_space_ids import NdItemType  # noqa: E402

from . import device, spirv  # noqa: E402
from .launch import ParamKind, Scalar, SpirvKernel  # noqa: E402

_serial = itertools.count()


def define(source: str, entry: str) -> Any:
    """The function `entry` of generated source as a numba-dpex kernel, which `numba_dpex.call_kernel` takes too.

    The source is registered under a made-up file name, so that a traceback through it shows its lines.
    """
    filename = f"<pytl kernel {entry} {next(_serial)}>"
    linecache.cache[filename] = (len(source), None, source.splitlines(keepends=True), filename)
    namespace = dict(device.NAMES)
    exec(compile(source, filename, "exec"), namespace)
    return numba_dpex.kernel(namespace[entry])


def build(source: str, entry: str, signature: Sequence[ParamKind]) -> SpirvKernel:
    """Compile the function `entry` of generated source for parameters of these kinds.

    Its first parameter is the `NdItem` that numba-dpex wants a kernel to have; it is not part of the signature, and takes no
    argument at a launch.
    """
    kernel = define(source, entry)
    argument_types = (NdItemType(1), *map(numba_type, signature))
    with global_compiler_lock, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        # Not kernel.compile, which refuses a kernel that has no array to take its queue from.
        result = kernel._compiler.compile(argument_types, types.void)
    module = result.kernel_device_ir_module
    return SpirvKernel(spirv.renamed(module.kernel_bitcode, module.kernel_name, entry), entry, tuple(signature))


@lru_cache(maxsize=None)
def numba_type(kind: ParamKind) -> types.Type:
    element = device.ELEMENTS[kind.dtype]
    if isinstance(kind, Scalar):
        return element.register
    stored_as_bits = kind.dtype in ("f16", "bf16")
    return USMNdArray(1, dtype=types.int16 if stored_as_bits else element.register)
