"""What becomes of a kernel's Python source, as text: LLVM code, SPIR-V, and the assembly of the device's driver."""

from __future__ import annotations

import re
import shutil
import struct
import subprocess
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from ...diagnostics import PlatformError, Rule
from ...ir.values import Function
from ..building import building
from . import machine_code
from .builds import Built, device_name
from .emit import KernelSource
from .launch import SpirvKernel
from .queues import OtherQueue
from .toolchain import build_with_llvm, require_compiler

NOT_SHOWN = Rule(
    "PYTL-3092",
    "a stage of generated code is shown where there are the tools and the device for it",
    "numba_dpex backend",
    explanation="`llvm` and `spirv` need a compiler, and no device. `asm` needs a processor under OpenCL whose driver "
    "gives its machine code, and a disassembler.",
)
_SECONDS = 60
"""How long a tool may take."""

_ELF_HEADER = struct.Struct("<16s2HI3QI6H")
_ELF_SECTION = struct.Struct("<2I4Q2I2Q")
_OBJECT = b".ocl.obj"
"""The section of the driver's binary that has the object file."""


def shown(stage: str, function: Function, source: KernelSource) -> str:
    """The stage "llvm" or "spirv" of a function's generated source. Raises PYTL-3314 where nothing compiles it."""
    require_compiler(function)
    with building(function):
        compiled, llvm = build_of(source)
        return llvm if stage == "llvm" else spirv(compiled.spirv)


def build_of(source: KernelSource) -> tuple[SpirvKernel, str]:
    """The SPIR-V of generated source, and the optimized LLVM code that llvm-spirv got."""
    return build_with_llvm(*source.to_build)


def spirv(code: bytes) -> str:
    """A SPIR-V module as text: by spirv-dis where it is installed, else by the wheel's llvm-spirv."""
    path = shutil.which("spirv-dis")
    if path is not None:
        return _printed([path], code)
    try:
        import dpcpp_llvm_spirv
    except ImportError:
        help = "apt-get install spirv-tools, or pip install 'dpcpp-llvm-spirv==2024.2.*'"
        raise PlatformError.single(NOT_SHOWN, "nothing here prints SPIR-V as text", help=help) from None

    return _printed([dpcpp_llvm_spirv.get_llvm_spirv_path(), "-to-text", "-o", "-"], code)


def assembly(queue: Any, build: Callable[[], Built]) -> str:
    """The assembly of the machine code that a queue's driver makes of a kernel; `build` gives the kernel."""
    disassembler = _disassembler()
    if disassembler is None:
        help = "install GNU's or LLVM's objdump: apt-get install binutils"
        raise PlatformError.single(NOT_SHOWN, "there is no disassembler on this machine", help=help)
    code: bytes | None = None
    if isinstance(queue, OtherQueue):
        code = queue.machine_code(build().kernel)
    elif machine_code.is_for(queue):
        code = machine_code.read(queue, build().kernel.sycl_kernel)
    content = None if code is None else object_file(code)
    if content is None:
        message = f"the driver of {device_name(queue.sycl_device)} gives no machine code of the kernel"
        raise PlatformError.single(NOT_SHOWN, message, help="the stages llvm and spirv need no device")
    text = _printed([disassembler, "-d", "--no-show-raw-insn"], content)
    return text[text.index("Disassembly") :] if "Disassembly" in text else text


def object_file(code: bytes) -> bytes | None:
    """The object file in a binary of Intel's OpenCL driver for processors, which is an ELF file of its own kind."""
    try:
        *_, at, _, _, _, _, size, count, names = _ELF_HEADER.unpack_from(code)
        if size != _ELF_SECTION.size:
            return None
        sections = [_ELF_SECTION.unpack_from(code, at + size * number) for number in range(count)]
        texts = sections[names][4]
        for name, _, _, _, offset, length, *_ in sections:
            if code[texts + name :].split(b"\0", 1)[0] == _OBJECT and offset + length <= len(code):
                return code[offset : offset + length]
    except (struct.error, IndexError):
        pass
    return None


def _disassembler() -> str | None:
    numbered = (f"llvm-objdump-{version}" for version in range(30, 13, -1))
    return next(filter(None, map(shutil.which, ("objdump", "llvm-objdump", *numbered))), None)


def _printed(command: Sequence[str], code: bytes) -> str:
    """What a tool prints of code, which it reads from a file."""
    name = Path(command[0]).name
    try:
        with tempfile.TemporaryDirectory(prefix="pytl-") as directory:
            file = Path(directory, "kernel")
            file.write_bytes(code)
            done = subprocess.run([*command, str(file)], capture_output=True, timeout=_SECONDS, check=False)
    except (OSError, subprocess.TimeoutExpired) as error:
        raise PlatformError.single(NOT_SHOWN, f"{name} did not run: {error}") from None
    if done.returncode:
        first = re.sub(r"\s+", " ", done.stderr.decode("utf-8", "replace")).strip()[:200]
        raise PlatformError.single(NOT_SHOWN, f"{name} failed: {first or done.returncode}")
    return done.stdout.decode("utf-8", "replace")
