"""numba-dpex's compiler as generated source needs it: fewer passes, and tables that don't grow.

Both leave what is compiled as it was, and take a third to a half of numba's time away.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import numba_dpex
from numba.core.compiler_machinery import PassManager
from numba.core.typed_passes import IRLegalization, NopythonTypeInference, PreLowerStripPhis
from numba.core.untyped_passes import FixupArgs, IRProcessing, ReconstructSSA, TranslateByteCode
from numba_dpex.core.descriptor import dpex_kernel_target
from numba_dpex.core.passes.passes import NoPythonBackend, QualNameDisambiguationLowering
from numba_dpex.core.pipelines.kernel_compiler import KernelCompiler


class GeneratedKernelCompiler(KernelCompiler):
    """numba-dpex's pipeline without the passes that look for what generated source doesn't have.

    These are closures, `with`, functions to inline, branches on constants, parallel loops, expressions of arrays.
    """

    def define_pipelines(self) -> list[PassManager]:
        super().define_pipelines()  # it sets flags
        manager = PassManager("pytl_kernel")
        for pass_, description in (
            (TranslateByteCode, "byte code to numba's IR"),
            (FixupArgs, "arguments by their position"),
            (IRProcessing, "where variables are used"),
            (ReconstructSSA, "a variable for each assignment"),
            (NopythonTypeInference, "types"),
            (PreLowerStripPhis, "phis become assignments"),
            (IRLegalization, "where variables end"),
            (QualNameDisambiguationLowering, "LLVM"),
            (NoPythonBackend, "the result of the compilation"),
        ):
            manager.add_pass(pass_, description)
        manager.finalize()
        return [manager]


def kernel(function: Callable[..., None]) -> Any:
    """A function of generated source as a numba-dpex kernel."""
    _stop_growth()
    dispatcher = numba_dpex.kernel(function)
    dispatcher._compiler.pipeline_class = GeneratedKernelCompiler
    return dispatcher


@cache
def _stop_growth() -> None:
    """Make numba-dpex's target take what has been registered since it last looked, and nothing twice.

    numba has it look whenever it meets a function that is new to it, some twenty times a kernel. numba-dpex then
    appends all its mathematical functions to the tables once more: ten thousand entries a kernel, which take memory,
    and through which each search for an operator goes.
    """
    from numba_dpex.dpctl_iface import dpctlimpl
    from numba_dpex.dpnp_iface import dpnpimpl
    from numba_dpex.kernel_api_impl.spirv import printimpl, target
    from numba_dpex.kernel_api_impl.spirv.math import mathimpl

    context: Any = dpex_kernel_target.target_context
    # The other thing that looking does. The context must not look here and now: numba would give the methods of
    # numba-dpex's kernel API to the target that it compiles for at the moment, which is the host.
    context.replace_dpnp_ufunc_with_ocl_intrinsics()
    modules = (mathimpl, dpnpimpl, printimpl, dpctlimpl)
    registries = [*(module.registry for module in modules), target.spirv_registry]

    def load_additional_registries() -> None:
        for registry in registries:
            context.install_registry(registry)

    context.load_additional_registries = load_additional_registries
