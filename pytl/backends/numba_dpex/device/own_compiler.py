"""Compiling generated source for pytl's own target of numba, and SPIR-V by the `llvm-spirv` of a wheel."""

from __future__ import annotations

import re
import subprocess
import tempfile
from collections.abc import Callable
from pathlib import Path
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
from .lowering import LLVM_SPIRV, LinearStep, for_translator, pipeline
from .own_target import SPIRV, TARGET


@register_pass(mutates_CFG=True, analysis_only=False)
class OwnLowering(LinearStep, NativeLowering):
    """The step from numba's IR to LLVM."""

    _name = "pytl_own_lowering"


class OwnPipeline(CompilerBase):
    def define_pipelines(self) -> list[PassManager]:
        return [pipeline("pytl_own_kernel", OwnLowering, NoPythonBackend)]


# llvmlite's LLVM gives each declaration of an intrinsic today's attributes, which llvm-spirv does not know. So the
# intrinsics have names of the same length meanwhile, and their own again in the bitcode's table of strings.
_INTRINSIC, _HIDDEN = "@llvm.", "@llvX."


def bitcode_of(text: str) -> bytes:
    """Bitcode that llvm-spirv reads."""
    hidden = re.sub(r"^(declare .*\)) #\d+$", r"\1", text.replace(_INTRINSIC, _HIDDEN), flags=re.MULTILINE)
    return binding.parse_assembly(hidden).as_bitcode().replace(_HIDDEN[1:].encode(), _INTRINSIC[1:].encode())


class SpirvCompiler:
    llvm = ""

    def __init__(self, function: Callable[..., None]) -> None:
        self.function = function

    def compile(self, arguments: tuple[types.Type, ...], result: types.Type) -> Any:
        flags = Flags()
        flags.no_cpython_wrapper = flags.no_cfunc_wrapper = True
        flags.nrt = False
        context = TARGET.target_context
        with target_override(SPIRV):
            context.refresh()
            done = compile_extra(
                TARGET.typing_context, context, self.function, arguments, result, flags, {}, pipeline_class=OwnPipeline
            )
        library, name = done.library, f"{self.function.__name__}_kernel"
        library.add_llvm_module(binding.parse_assembly(str(_wrapper(context, done.fndesc, arguments, name))))
        library._final_module.get_function(done.fndesc.llvm_func_name).linkage = "internal"
        library.finalize()
        self.llvm = stripped(for_translator(str(library.final_module)))
        building.at("SPIR-V")
        code = _translated(bitcode_of(self.llvm))
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


def _translated(bitcode: bytes) -> bytes:
    import dpcpp_llvm_spirv

    with tempfile.TemporaryDirectory(prefix="pytl-") as directory:
        source, target = Path(directory, "kernel.bc"), Path(directory, "kernel.spv")
        source.write_bytes(bitcode)
        command = [dpcpp_llvm_spirv.get_llvm_spirv_path(), *LLVM_SPIRV, "-o", str(target), str(source)]
        done = subprocess.run(command, capture_output=True, check=False, text=True)
        if done.returncode:
            raise RuntimeError(f"llvm-spirv failed: {done.stderr.strip() or done.returncode}")
        return target.read_bytes()


def kernel(function: Callable[..., None], compiler: type[SpirvCompiler] = SpirvCompiler) -> Any:
    """A function of generated source, for the compiler."""
    return SimpleNamespace(_compiler=compiler(function))
