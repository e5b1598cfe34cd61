"""Kernels as programs for Arm's Linux, executed by QEMU: the arrays lie in a file that the program maps."""

from __future__ import annotations

import os
import weakref
from collections.abc import Sequence
from pathlib import Path

from ...diagnostics import PlatformError, PytlError, Rule
from ...ir.values import Function
from ..mlir.artefacts import STREAMING_SUPPORT, compiled, entry_name, link
from ..mlir.process import Done, run, signal_name
from .image import Image
from .machine import qemu_version

CRASHED = Rule(
    "PYTL-3063",
    "a kernel that QEMU executes runs to its end",
    "ArmSME backend",
    explanation="What the kernel wrote until then is thrown away: no array is changed.",
)
BEYOND = Rule(
    "PYTL-3065",
    "a kernel writes to the arrays that it is given, and nowhere else",
    "ArmSME backend",
    explanation="Under QEMU there are guard zones around each array. No array is changed where one of them is damaged.",
)
STACK = 8 << 20
"""Bytes of a program's stack."""


def link_program(compiler: Sequence[str], code: bytes, function: Function) -> bytes:
    """The program that executes a kernel. It is static, so that QEMU needs no Arm libraries."""
    sources = Path(__file__).with_name("runner.c"), STREAMING_SUPPORT
    objects = [*(compiled(compiler, source, (), function) for source in sources), code]
    symbol = f"-Wl,--defsym=pytl_launch={entry_name(function.name)}"
    return link([*compiler, "-static", "-s", "-o", "{out}", symbol, "{objects}", "-lm"], objects, function)


class Program:
    """A kernel that QEMU executes; the program's file belongs to this process."""

    def __init__(self, content: bytes) -> None:
        self.file = os.memfd_create("pytl-kernel")
        weakref.finalize(self, os.close, self.file)  # also at the end of Python, when modules are empty already
        with open(self.file, "wb", closefd=False) as file:
            file.write(content)

    def run(self, qemu: str, vector_length: int, image: Image, function: Function) -> None:
        """Execute the work-groups of an image. Raises where that fails; the user's arrays are unchanged until then."""
        command = command_of(qemu, vector_length, self.file, image.file)
        done = run(command, b"", function.location, f"@{function.name} under QEMU", (self.file, image.file))
        if done.status or not image.is_done:
            raise _failure(done, qemu, vector_length, function)
        if image.is_damaged:
            raise PlatformError.single(
                BEYOND,
                f"@{function.name} wrote beyond its arrays",
                function.location,
                'launch with backend="reference", which reports where; no array was changed',
            )


def command_of(qemu: str, vector_length: int, program: int, image: int) -> list[str]:
    """The command that executes a program on an image, both given as open files."""
    return [*emulator_of(qemu, vector_length), f"/proc/self/fd/{program}", str(image)]


def emulator_of(qemu: str, vector_length: int) -> list[str]:
    """The command that executes programs on a processor with vectors of so many bits, without the program."""
    size = vector_length // 8
    processor = f"max,sve-default-vector-length={size},sme-default-vector-length={size}"
    # otherwise the stack is as large as the limit of this process, which may be less than the local memory of a kernel
    return [qemu, "-s", str(STACK), "-cpu", processor]


_NEWER = "set PYTL_QEMU to a newer qemu-aarch64: `python3 install_arm.py` gets QEMU 11"


def _failure(done: Done, qemu: str, vector_length: int, function: Function) -> PytlError:
    version = ".".join(map(str, qemu_version(qemu)))
    where = f"under QEMU {version} with vectors of {vector_length} bits"
    if done.status >= 0:
        said = next((line for line in done.errors.splitlines() if line.strip()), f"it ended with status {done.status}")
        return PlatformError.single(
            CRASHED, f"@{function.name} does not run {where}: {said.strip()}", function.location, _NEWER
        )
    name = signal_name(-done.status)
    help = {
        "SIGILL": f"QEMU {version} lacks an instruction that the kernel uses; {_NEWER}",
        "SIGSEGV": 'an index is beyond an array, most often: launch with backend="reference", which reports where',
        "SIGKILL": "the machine has too little memory for it, most often",
    }.get(name, 'launch with backend="reference", which executes the whole language')
    return PlatformError.single(
        CRASHED, f"@{function.name} was ended by {name} {where}", function.location, f"{help}; no array was changed"
    )
