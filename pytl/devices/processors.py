"""The processor that this process runs on: what it has, as far as the system says it. Nothing here raises."""

from __future__ import annotations

import contextlib
import functools
import platform
import re
import sys
from collections.abc import Iterable, Mapping
from dataclasses import field, replace
from pathlib import Path

from ..process.records import dataclass
from ..process.settings import ISAS, MAX_ISA

CACHES = ("first_level", "second_level", "third_level", "line")
"""The caches of a core and those that cores share, and a cache line."""
_AT_HWCAP, _AT_HWCAP2 = 16, 26
"""The words of capabilities that Linux passes to processes on Arm: its uapi/asm/auxvec.h."""
_ARM_CAPABILITIES = {
    "fp16": (_AT_HWCAP, 10),
    "sve": (_AT_HWCAP, 22),
    "sve2": (_AT_HWCAP2, 1),
    "bf16": (_AT_HWCAP2, 14),
    "sme": (_AT_HWCAP2, 23),
    "sme-i16i64": (_AT_HWCAP2, 24),
    "sme-f64f64": (_AT_HWCAP2, 25),
    "ebf16": (_AT_HWCAP2, 32),
    "sme2": (_AT_HWCAP2, 37),
}
"""Features with the word and the bit by which Linux reports them: its uapi/asm/hwcap.h."""
_MAC_CAPABILITIES = {
    "fp16": "hw.optional.arm.FEAT_FP16",
    "bf16": "hw.optional.arm.FEAT_BF16",
    "sme": "hw.optional.arm.FEAT_SME",
    "sme-i16i64": "hw.optional.arm.SME_I16I64",
    "sme-f64f64": "hw.optional.arm.SME_F64F64",
    "ebf16": "hw.optional.arm.FEAT_EBF16",
    "sme2": "hw.optional.arm.FEAT_SME2",
}
"""The same features with the variables by which macOS reports them. There is no SVE."""
_GET_LENGTH = {"sve": 51, "sme": 64}
"""Linux's numbers of the questions for the length of vectors and of streaming vectors: its uapi/linux/prctl.h."""
_BYTES = 0xFFFF
"""The bits of the answer that are the length."""
_NEWER = {"avx512": ("amx",), "avx2": ("avx10", "avx512"), "sse": ("avx", "f16c", "fma", "vaes", "vpclmul")}
"""What the flags begin with of instructions that `ISAS` does not include, beside those of the larger ones."""
_ARCHITECTURES = {"amd64": "x86_64", "x86_64": "x86_64", "arm64": "aarch64", "aarch64": "aarch64"}


@dataclass(frozen=True)
class Processor:
    """What the system says of a processor; 0 and empty texts where it says nothing."""

    architecture: str = ""
    vendor: str = ""
    name: str = ""
    family: int = 0
    model: int = 0
    features: frozenset[str] = frozenset()
    """On x86 the flags as Linux names them; on Arm some of those that are looked for here."""
    vector_bytes: int = 0
    """Bytes of a vector of SVE."""
    streaming_bytes: int = 0
    """Bytes of a vector in streaming mode, of this thread and those that it starts."""
    caches: Mapping[str, int] = field(default_factory=dict, hash=False)
    """Bytes of each of `CACHES` that is known."""

    @property
    def identity(self) -> dict[str, str | int]:
        """What tells kinds of processors apart."""
        return {"vendor": self.vendor, "name": self.name, "family": self.family, "model": self.model}


@functools.cache
def running_processor() -> Processor:
    """The processor of this process, without the instructions that PYTL_MAX_ISA leaves out."""
    limit = MAX_ISA.get()
    found = _found()
    if limit is None or found.architecture != "x86_64":
        return found
    name = f"{found.name}, {MAX_ISA.variable}={limit}"
    return replace(found, name=name, features=found.features - excluded(found.features))


def excluded(flags: Iterable[str]) -> frozenset[str]:
    """The flags of x86 that PYTL_MAX_ISA leaves out."""
    limit = MAX_ISA.get()
    without = () if limit is None else tuple(begin for isa in ISAS[ISAS.index(limit) :] for begin in _NEWER[isa])
    return frozenset(flag for flag in flags if flag.startswith(without))


def _found() -> Processor:
    architecture = _ARCHITECTURES.get(platform.machine().lower(), platform.machine().lower())
    with contextlib.suppress(Exception):  # whatever a system without these files or functions raises
        if sys.platform == "darwin":
            return _on_mac(architecture)
        return processor_in(Path("/"), architecture)
    return Processor(architecture)


def processor_in(root: Path, architecture: str) -> Processor:
    """The processor that the files of a Linux describe."""
    text = _text(root / "proc/cpuinfo")
    said = {name.strip(): value.strip() for name, _, value in re.findall(r"^([^:\n]*?)(\s*):(.*)$", text, re.M)[::-1]}
    is_arm = architecture == "aarch64"
    return Processor(
        architecture,
        said.get("vendor_id") or said.get("CPU implementer", ""),
        said.get("model name") or said.get("CPU part", ""),
        _number(said.get("cpu family") or said.get("CPU architecture", "")),
        _number(said.get("model") or said.get("CPU variant", "")),
        _arm_features() if is_arm else frozenset(said.get("flags", "").split()),
        *((_length("sve"), _length("sme")) if is_arm else (0, 0)),
        _caches(root / "sys/devices/system/cpu/cpu0/cache"),
    )


def _text(path: Path) -> str:
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            return file.read(1 << 20)
    except OSError:
        return ""


def _number(text: str) -> int:
    """The number of a text such as `25`, `0x1` or `512K`; 0 where it is none."""
    match = re.fullmatch(r"(0x[0-9a-fA-F]{1,8}|[0-9]{1,9})([KM]?)", text.strip())
    return int(match[1], 0 if "x" in match[1] else 10) << {"": 0, "K": 10, "M": 20}[match[2]] if match else 0


def _caches(folder: Path) -> dict[str, int]:
    found: dict[str, int] = {}
    for number in range(8):
        at = folder / f"index{number}"
        level, kind = _text(at / "level").strip(), _text(at / "type").strip()
        names = {("1", "Data"): "first_level", ("2", "Unified"): "second_level", ("3", "Unified"): "third_level"}
        name = names.get((level, kind))
        if name is not None:
            found[name] = _number(_text(at / "size"))
            found["line"] = _number(_text(at / "coherency_line_size"))
    return {name: value for name, value in found.items() if value}


def _arm_features() -> frozenset[str]:
    if sys.platform != "linux" or platform.machine() not in ("aarch64", "arm64"):
        return frozenset()
    import ctypes

    getauxval = ctypes.CDLL(None).getauxval
    getauxval.restype, getauxval.argtypes = ctypes.c_ulong, (ctypes.c_ulong,)
    words = {word: getauxval(word) for word in (_AT_HWCAP, _AT_HWCAP2)}
    return frozenset(name for name, (word, bit) in _ARM_CAPABILITIES.items() if words[word] >> bit & 1)


def _length(extension: str) -> int:
    """Bytes of the vectors of an extension; 0 where there is none, or nobody says."""
    if extension not in _arm_features():
        return 0
    import ctypes

    return max(int(ctypes.CDLL(None).prctl(_GET_LENGTH[extension], 0, 0, 0, 0)), 0) & _BYTES


def _mac_variable(name: str) -> str:
    """What macOS says of a variable of its kernel; nothing where it does not know it."""
    import subprocess

    done = subprocess.run(["/usr/sbin/sysctl", "-n", name], capture_output=True, timeout=5, check=False)
    return done.stdout.decode("utf-8", "replace").strip()


def _on_mac(architecture: str) -> Processor:
    names = {
        "name": "machdep.cpu.brand_string",
        "vendor": "machdep.cpu.vendor",
        "family": "machdep.cpu.family",
        "model": "machdep.cpu.model",
        "flags": "machdep.cpu.features",
        "more flags": "machdep.cpu.leaf7_features",
        "first_level": "hw.l1dcachesize",
        "second_level": "hw.l2cachesize",
        "third_level": "hw.l3cachesize",
        "line": "hw.cachelinesize",
        "streaming": "hw.optional.arm.sme_max_svl_b",
        **_MAC_CAPABILITIES,
    }
    said = {name: _mac_variable(variable) for name, variable in names.items()}
    if architecture == "aarch64":
        features = frozenset(name for name in _MAC_CAPABILITIES if said[name] == "1")
    else:
        features = frozenset(f"{said['flags']} {said['more flags']}".lower().split())
    return Processor(
        architecture,
        said["vendor"] or "Apple",
        said["name"],
        _number(said["family"]),
        _number(said["model"]),
        features,
        streaming_bytes=_number(said["streaming"]),
        caches={name: size for name in CACHES if (size := _number(said[name]))},
    )
