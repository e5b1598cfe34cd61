"""Where code for Arm runs: in this process on an Arm machine (Linux, macOS), else under QEMU's emulation of a process.

This module starts QEMU only to read its version.
"""

from __future__ import annotations

import functools
import platform
import re
import sys
from typing import Literal

from ...devices.processors import AT_HWCAP, AT_HWCAP2, capabilities, mac_variable
from ...process.settings import CROSS_CC, QEMU
from ..mlir.process import version_text
from ..mlir.toolchain import NO_COMPILER, VERSIONS, Missing, find_program, identity

CROSS_COMPILERS = ("aarch64-linux-gnu-gcc", *(f"aarch64-linux-gnu-gcc-{version}" for version in range(16, 10, -1)))
CLANGS = ("clang", *(f"clang-{version}" for version in VERSIONS))
EMULATORS = ("qemu-aarch64", "qemu-aarch64-static")
RIGHT_FROM = 10
"""The first version of QEMU known to have correct outer products of i8 into i32, and of denormal bf16; 7.2 has not."""
_NO_CROSS_COMPILER = Missing(("a C compiler for Arm",), ("gcc-aarch64-linux-gnu", "libc6-dev-arm64-cross"))
_SME_GET_VL, _BYTES = 64, 0xFFFF
"""Linux's number of the question for the length of streaming vectors, and the bits of the answer: its
uapi/linux/prctl.h."""
_CAPABILITIES = {
    "sve": (AT_HWCAP, 22),
    "fullfp16": (AT_HWCAP, 10),
    "bf16": (AT_HWCAP2, 14),
    "sme": (AT_HWCAP2, 23),
    "sme-i16i64": (AT_HWCAP2, 24),
    "sme-f64f64": (AT_HWCAP2, 25),
    "ebf16": (AT_HWCAP2, 32),
    "sme2": (AT_HWCAP2, 37),
}
"""Features by LLVM's names (or by Linux's, where LLVM has none), with the word and the bit by which Linux reports them:
its uapi/asm/hwcap.h."""
_MAC = "hw.optional.arm"
_MAC_CAPABILITIES = {
    "fullfp16": "FEAT_FP16",
    "bf16": "FEAT_BF16",
    "sme": "FEAT_SME",
    "sme-i16i64": "SME_I16I64",
    "sme-f64f64": "SME_F64F64",
    "ebf16": "FEAT_EBF16",
    "sme2": "FEAT_SME2",
}
"""The same features with the variables by which macOS reports them, behind `hw.optional.arm`. There is no SVE."""


def is_arm() -> bool:
    """Whether this process could execute the code itself."""
    return sys.platform in ("linux", "darwin") and platform.machine() in ("aarch64", "arm64")


def features() -> frozenset[str]:
    """The processor features that code may use, as the system reports them; none where it is not an Arm processor."""
    if not is_arm():
        return frozenset()
    if sys.platform == "darwin":
        return frozenset(name for name, of in _MAC_CAPABILITIES.items() if mac_variable(f"{_MAC}.{of}") == "1")
    words = capabilities(AT_HWCAP, AT_HWCAP2)
    return frozenset(name for name, (word, bit) in _CAPABILITIES.items() if words[word] >> bit & 1)


def has_sme() -> bool:
    """Whether this machine is an Arm machine with the matrix extension."""
    return "sme" in features()


def streaming_bits() -> int:
    """The length of this thread's streaming vectors, which threads that it starts have, too; 0 where nobody says."""
    if sys.platform == "darwin":
        said = mac_variable(f"{_MAC}.sme_max_svl_b") if has_sme() else ""
        return 8 * int(said) if said.isdecimal() else 0
    import ctypes

    length = ctypes.CDLL(None).prctl(_SME_GET_VL, 0, 0, 0, 0) if has_sme() else 0
    return 8 * (length & _BYTES) if length > 0 else 0


def find_compiler() -> list[str] | Missing:
    """The command that compiles C for Arm, and links."""
    if is_arm():
        compiler = find_program(CROSS_CC, ("cc", "gcc", *CLANGS), NO_COMPILER)
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


def executor_for(vector_length: int | None) -> Literal["process", "qemu"]:
    """Where a launch runs. An Arm machine has one vector length; QEMU emulates any."""
    return "process" if is_arm() and vector_length is None else "qemu"


def emulates_all(vector_length: int | None = None) -> bool:
    """Whether all outer products are computed correctly where launches run, as far as that depends on an emulator.

    Older emulators compute outer products of i8 into i32 wrong, and have no mode in which outer products of bf16 keep
    denormal numbers. True where nothing is known, as without an emulator.
    """
    if executor_for(vector_length) == "process":
        return True
    qemu = find_qemu()
    return isinstance(qemu, Missing) or qemu_version(qemu)[0] >= RIGHT_FROM
