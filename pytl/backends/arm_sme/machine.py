"""Where code for Arm runs: in this process on an Arm machine (Linux, macOS), else under QEMU's emulation of a process.

This module starts QEMU only to read its version.
"""

from __future__ import annotations

import functools
import platform
import re
import sys

from ...process.settings import CROSS_CC, QEMU
from ..mlir.process import version_text
from ..mlir.toolchain import COMPILERS, NO_COMPILER, VERSIONS, Missing, find_program, identity

CROSS_COMPILERS = ("aarch64-linux-gnu-gcc", *(f"aarch64-linux-gnu-gcc-{version}" for version in range(16, 10, -1)))
CLANGS = ("clang", *(f"clang-{version}" for version in VERSIONS))
EMULATORS = ("qemu-aarch64", "qemu-aarch64-static")
NOT_EMULATED = ("i8", "bf16")
"""The factor types whose outer products older emulators compute wrong."""
RIGHT_FROM = 10
"""The first version of QEMU known to have correct outer products of i8 into i32, and of denormal bf16; 7.2 has not."""
SME2_FROM = 10, 1
"""The first version of QEMU that executes SME2's instructions."""
_NO_CROSS_COMPILER = Missing(("a C compiler for Arm",), ("gcc-aarch64-linux-gnu", "libc6-dev-arm64-cross"))


def is_arm() -> bool:
    """Whether this process could execute the code itself."""
    return sys.platform in ("linux", "darwin") and platform.machine() in ("aarch64", "arm64")


def find_compiler() -> list[str] | Missing:
    """The command that compiles C for Arm, and links."""
    if is_arm():
        compiler = find_program(CROSS_CC, COMPILERS, NO_COMPILER)
    else:
        compiler = find_program(CROSS_CC, (*CROSS_COMPILERS, *CLANGS), _NO_CROSS_COMPILER)
    if isinstance(compiler, Missing):
        return compiler
    is_clang = re.search(r"clang[^/]*$", compiler) is not None
    return [compiler, "--target=aarch64-linux-gnu"] if is_clang and not is_arm() else [compiler]


def find_qemu() -> str | Missing:
    """The emulator of processes of Arm's Linux."""
    if sys.platform != "linux":
        return Missing(("qemu-aarch64 (which is for Linux alone)",), ("qemu-user",))
    return find_program(QEMU, EMULATORS, Missing(("qemu-aarch64",), ("qemu-user",)))


def qemu_version(path: str) -> tuple[int, int]:
    """The version of an emulator; zeros where it reports none."""
    try:
        return _version(path, tuple(map(tuple, identity([path]))))
    except OSError:  # it has been removed meanwhile
        return 0, 0


@functools.lru_cache(maxsize=8)
def _version(path: str, identity: object) -> tuple[int, int]:
    match = re.search(r"version (\d+)\.(\d+)", version_text(path))
    return (int(match[1]), int(match[2])) if match else (0, 0)


def emulates_all() -> bool:
    """Whether the emulator computes all outer products correctly; True where there is none.

    Older ones compute outer products of i8 into i32 wrong, and have no mode in which outer products of bf16 keep
    denormal numbers.
    """
    qemu = find_qemu()
    return isinstance(qemu, Missing) or qemu_version(qemu)[0] >= RIGHT_FROM


def emulates_sme2() -> bool:
    """Whether there is an emulator that has SME2's instructions."""
    qemu = find_qemu()
    return not isinstance(qemu, Missing) and qemu_version(qemu) >= SME2_FROM
