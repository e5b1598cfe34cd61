"""What MLIR's pipeline for Intel GPUs makes of a kernel: the stages after the text of xegpu.

They need MLIR's tools, and no GPU: the dialect xevm, LLVM, and SPIR-V by LLVM's own target or by llvm-spirv.
"""

from __future__ import annotations

import functools
import shutil

from ...diagnostics import PlatformError
from ...ir.values import Function
from ..mlir.process import made_by, run_tool, version_text
from ..mlir.toolchain import Missing, Toolchain, find_toolchain, identity
from . import rules

VERSION = 22
"""The version of MLIR whose text of xegpu is printed: it has changed with each version."""

_TO_XEVM = (
    "xegpu-vector-linearize",
    "convert-math-to-xevm{convert-arith=true}",
    "convert-xegpu-to-xevm",
)
_TO_LLVM = (
    "convert-gpu-to-llvm-spv{use-64bit-index=true}",
    "cse",
    "reconcile-unrealized-casts",
)
_TIDY = ("canonicalize", "cse", "loop-invariant-code-motion", "cse")
_AFTER = (
    "convert-scf-to-cf",
    "expand-strided-metadata",
    "lower-affine",
    "convert-vector-to-llvm",
    "convert-to-llvm",
    "reconcile-unrealized-casts",
    "gpu.module(canonicalize,cse)",
)
TRIPLE = "spirv64-unknown-unknown"
_MATRICES_OF_I8 = b"intel_sub_group_s8_s8_matrix"
"""What MLIR 22 calls the function of OpenCL that multiplies matrices of i8, which has no such name."""


def pipeline(stage: str, chip: str) -> str:
    """The passes of mlir-opt: those of MLIR's pipeline for work-items, up to a stage."""
    begin = ("cse", f"xevm-attach-target{{O=2 chip={chip} triple={TRIPLE}}}", "lower-affine")
    passes: tuple[str, ...]
    if stage == "xevm":
        passes = (*begin, f"gpu.module({','.join((*_TIDY, *_TO_XEVM, 'canonicalize', 'cse'))})")
    else:
        passes = (*begin, f"gpu.module({','.join((*_TIDY, *_TO_XEVM, *_TO_LLVM))})", *_AFTER)
    return f"builtin.module({','.join(passes)})"


def stage(name: str, text: str, chip: str, function: Function) -> str:
    """The stage "xevm", "llvm" or "spirv" of a kernel's text."""
    tools = _tools(name)

    def tool_output(tool: str, *arguments: str, input_bytes: bytes) -> bytes:
        path = tools.path(tool) if tools.has(tool) else tool
        return made_by(path, run_tool([path, *arguments], input_bytes, function), function)

    lowered = tool_output("mlir-opt", f"--pass-pipeline={pipeline(name, chip)}", input_bytes=text.encode())
    if name == "xevm":
        return lowered.decode()
    llvm = tool_output("mlir-translate", "--mlir-to-llvmir", input_bytes=_module_of(lowered.decode()).encode())
    llvm = llvm.replace(_MATRICES_OF_I8, b"intel_sub_group_i8_i8_matrix")
    if name == "llvm":
        return llvm.decode()
    if has_spirv(tools.path("llc")):
        return tool_output("llc", "-O2", f"-mtriple={TRIPLE}", "--spirv-ext=all", "-o", "-", input_bytes=llvm).decode()
    translator = _translator()
    assert translator is not None, "_tools has looked for it"
    code = tool_output(tools.path("mlir-translate").replace("mlir-translate", "llvm-as"), "-o", "-", input_bytes=llvm)
    return tool_output(translator, "--spirv-ext=+all", "-to-text", "-o", "-", input_bytes=code).decode()


def _module_of(text: str) -> str:
    """The content of the `gpu.module` as a module of its own, which mlir-translate reads."""
    lines = text.splitlines()
    begin = next(number for number, line in enumerate(lines) if line.startswith("  gpu.module "))
    end = next(number for number, line in enumerate(lines) if number > begin and line == "  }")
    return "\n".join(["module {", *lines[begin + 1 : end], "}", ""])


def _tools(stage: str) -> Toolchain:
    toolchain = find_toolchain()
    if isinstance(toolchain, Missing):
        raise PlatformError.single(
            rules.TOOL, f"the stage `{stage}` needs MLIR's tools: {toolchain.reason}", help=toolchain.advice
        )
    if toolchain.version != VERSION:
        raise PlatformError.single(
            rules.TOOL,
            f"the stage `{stage}` needs MLIR's tools of LLVM {VERSION}, whose text of xegpu is printed, and those in "
            f"{toolchain.directory} are of LLVM {toolchain.version}",
            help=f"on Debian and Ubuntu: sudo apt-get install -y --no-install-recommends mlir-{VERSION}-tools "
            f"llvm-{VERSION}",
        )
    if stage == "spirv" and not has_spirv(toolchain.path("llc")) and _translator() is None:
        raise PlatformError.single(
            rules.TOOL,
            f"the stage `spirv` needs a translator: {toolchain.path('llc')} has no target spirv64, and "
            f"llvm-spirv-{VERSION} is not installed",
            help=f"on Debian and Ubuntu: sudo apt-get install -y --no-install-recommends llvm-spirv-{VERSION}, or "
            'print stage="llvm"',
        )
    return toolchain


def has_spirv(llc: str) -> bool:
    """Whether LLVM's compiler was built with its target for SPIR-V."""
    return _has_spirv(str(identity([llc])), llc)


@functools.lru_cache(maxsize=8)
def _has_spirv(version: str, llc: str) -> bool:
    return " spirv64 " in version_text(llc)


def _translator() -> str | None:
    return shutil.which(f"llvm-spirv-{VERSION}") or shutil.which("llvm-spirv")
