"""Compiling generated source for pytl's own target of numba."""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

from llvmlite import binding, ir
from numba.core import types
from numba.core.compiler import CompilerBase, Flags, compile_extra
from numba.core.compiler_machinery import PassManager, register_pass
from numba.core.target_extension import target_override
from numba.core.typed_passes import NativeLowering, NoPythonBackend

from ... import building
from ..older_llvm import stripped
from .lowering import LinearStep, for_translator, pipeline
from .own_target import SPIRV, TARGET
from .translators import translated


@register_pass(mutates_CFG=True, analysis_only=False)
class OwnLowering(LinearStep, NativeLowering):
    """The step from numba's IR to LLVM."""

    _name = "pytl_own_lowering"


class OwnPipeline(CompilerBase):
    def define_pipelines(self) -> list[PassManager]:
        return [pipeline("pytl_own_kernel", OwnLowering, NoPythonBackend)]


class SpirvCompiler:
    llvm = ""

    def __init__(self, function: Callable[..., None]) -> None:
        self.function = function

    def compile(self, arguments: tuple[types.Type, ...], result: types.Type) -> Any:
        context = TARGET.target_context
        with target_override(SPIRV):
            context.refresh()
            done = _compiled(self.function, arguments, result)
        library, name = done.library, f"{self.function.__name__}_kernel"
        library.add_llvm_module(binding.parse_assembly(str(_wrapper(context, done.fndesc, arguments, name))))
        library._final_module.get_function(done.fndesc.llvm_func_name).linkage = "internal"
        library.finalize()
        self.llvm = stripped(for_translator(str(library.final_module)))
        building.at("SPIR-V")
        code = translated(self.llvm)
        return SimpleNamespace(kernel_device_ir_module=SimpleNamespace(kernel_name=name, kernel_bitcode=code))


def _wrapper(context: Any, described: Any, arguments: tuple[types.Type, ...], name: str) -> ir.Module:
    """A module with the kernel, which calls the function that numba compiled."""
    module = context.create_module("pytl.kernel.wrapper")
    packer = context.get_arg_packer(arguments)
    function = context.declare_function(module, described)
    kernel = ir.Function(module, ir.FunctionType(ir.VoidType(), list(packer.argument_types)), name=name)
    kernel.calling_convention = "spir_kernel"
    builder = ir.IRBuilder(kernel.append_basic_block("entry"))
    result = builder.alloca(context.call_conv.get_return_type(types.none).pointee)
    builder.call(function, [result, *kernel.args], cconv="spir_func")
    builder.ret_void()
    return module


def compile_called(function: Callable[..., Any], arguments: tuple[types.Type, ...], result: types.Type) -> Any:
    """A function that a kernel calls."""
    with target_override(SPIRV):
        return _compiled(function, arguments, result)


def _compiled(function: Callable[..., Any], arguments: tuple[types.Type, ...], result: types.Type) -> Any:
    flags = Flags()
    flags.no_cpython_wrapper = flags.no_cfunc_wrapper = True
    flags.nrt = False
    typing, context = TARGET.typing_context, TARGET.target_context
    return compile_extra(typing, context, function, arguments, result, flags, {}, pipeline_class=OwnPipeline)


def kernel(function: Callable[..., None], compiler: type[SpirvCompiler] = SpirvCompiler) -> Any:
    """A function of generated source, for the compiler."""
    return SimpleNamespace(_compiler=compiler(function))
