"""What code is made for: the pipeline of MLIR's passes and the flags of LLVM's tools, for this machine or another."""

from __future__ import annotations

import platform
import re
import sys
from collections.abc import Callable, Sequence

from ...passes.targets.host import host_machine, streaming_machine
from ...passes.targets.machine import Machine
from ...process.records import dataclass
from ...process.settings import MAX_ISA
from .halves import support_for

TO_LLVM = (
    "arith-expand{include-bf16=true}",  # since libgcc before 13 has no conversions to bf16
    "convert-vector-to-llvm{%s}",
    "expand-strided-metadata",
    "lower-affine",
    "convert-math-to-llvm",
    "convert-math-to-libm",
    "finalize-memref-to-llvm",
    "convert-func-to-llvm",
    "convert-arith-to-llvm",
    "convert-cf-to-llvm",
    "convert-index-to-llvm",
    "convert-ub-to-llvm",
    "reconcile-unrealized-casts",
)
"""The end of every pipeline, with options of the vector dialect's lowering."""
_VECTORS = "reassociate-fp-reductions=true"
VECTOR_PASSES = (
    "canonicalize",
    "cse",
    "func.func(convert-vector-to-scf{full-unroll=true})",
    "canonicalize",
    "convert-scf-to-cf",
)
STREAMING_PASSES = (
    "arm-sme-vector-legalization",
    # no cse before tiles are allocated: one tile of zeros for two blocks would be a tile more that is live in the first
    "canonicalize",
    "convert-arith-to-arm-sme",
    "convert-vector-to-arm-sme",
    "func.func(arm-sme-outer-product-fusion)",
    "convert-arm-sme-to-scf",
    "convert-vector-to-scf{full-unroll=true}",
    # not streaming-locally, which crashes where vectors outside of streaming mode are longer than in it
    "func.func(enable-arm-streaming{streaming-mode=streaming za-mode=new-za if-required-by-ops=true})",
    "convert-scf-to-cf",
    "func.func(convert-arm-sme-to-llvm)",
    "canonicalize",
    "cse",
)
_SCALAR_ADDRESSES = ("-vectorize-slp=false",)
"""Otherwise LLVM computes the addresses of interleaved work-groups in vectors, for which a multiplication of 64 bits
takes several instructions. Vector code has no numbers left to put into vectors."""
_OPTIMIZER = ("-disable-loop-unrolling",)
"""In streaming mode, loops are unrolled where that was decided: of a loop that LLVM unrolls, it computes all addresses
in front of the loop over work-groups, and spills them."""
_ADDRESSES = ("--lsr-exp-narrow", "--aarch64-enable-gep-opt")
"""How LLVM chooses the addresses of a loop there: by the registers that they are expected to take, where there are too
many ways to try each. Otherwise it adds the distance of each slice of a tile to the address of the first, in each
iteration. Distances that are known come last, so that slices share the rest."""
_PRODUCTS = {"sme-f64f64": "f64", "sme-i16i64": "i16"}
"""LLVM's features for outer products that not every processor has, with the types of their factors."""
_ATTRIBUTES = {"sve": "sve", "sme": "sme", "bf16": "bf16", "fp16": "fullfp16", "sme2": "sme2"}
"""Features of machines with scalable vectors, with LLVM's names."""
_EXTENDED = 1 << 13
"""The bit EBF of the register FPCR: bf16 products are rounded once, with denormal operands and results."""
_DECLARED = """
declare i64 @llvm.aarch64.get.fpcr()
declare void @llvm.aarch64.set.fpcr(i64)
"""
_SET = f"""
  %fpcr = call i64 @llvm.aarch64.get.fpcr()
  %extended = or i64 %fpcr, {_EXTENDED}
  call void @llvm.aarch64.set.fpcr(i64 %extended)
"""
_RESTORED = """
  call void @llvm.aarch64.set.fpcr(i64 %fpcr)
"""


@dataclass(frozen=True)
class Mode:
    """The register settings of a thread while it executes a kernel, as LLVM's text."""

    declared: str = ""
    begin: str = ""
    end: str = ""


@dataclass(frozen=True)
class Target:
    """What code is made for: the passes, the flags of opt and llc, and what else of the machine decides the code."""

    name: str
    pipeline: str
    flags: tuple[str, ...]
    level: int = 2
    machine: str = ""
    """What is known of the processor here, where code is for that one."""
    support: Callable[[str], str] = lambda llvm: ""
    """What has to be appended to LLVM's text for it."""
    mode: Callable[[str], Mode] = lambda llvm: Mode()
    """The register settings for it."""
    optimizer: tuple[str, ...] = ()
    """Flags of opt alone."""
    processor: str = ""
    """The name of the machine that MLIR's text is for."""


def target_of(machine: Machine, level: int) -> Target:
    """The target for a machine: this one, or another one with Linux, whose code is only shown, or emulated."""
    is_here = machine in (host_machine(), streaming_machine())
    if is_here:
        flags = [*NATIVE, *_excluded()]
    else:
        flags = [f"-mtriple={host_triple(machine.architecture, 'linux')}", f"-mcpu={machine.llvm}"]
    if machine.has_scalable_vectors and not (is_here and not machine.is_streaming):
        flags.append(f"-mattr={','.join(f'+{word}' for word in _attributes(machine))}")
    name, known = ("host", machine_of()) if is_here else (machine.name, "")
    if machine.is_streaming:
        passes = pipeline(STREAMING_PASSES, f"enable-arm-sve=true {_VECTORS}")
        flags += _ADDRESSES
        return Target(
            name, passes, tuple(flags), level, known, mode=_mode, optimizer=_OPTIMIZER, processor=machine.name
        )
    if machine.has_scalable_vectors:
        # LLVM has the length of SVE's vectors in addresses
        flags += [f"-aarch64-sve-vector-bits-{bound}={machine.vector_bits}" for bound in ("min", "max")]
    passes = pipeline(VECTOR_PASSES)
    return Target(
        name, passes, tuple(flags), level, known, support_for, optimizer=_SCALAR_ADDRESSES, processor=machine.name
    )


def pipeline(before: Sequence[str], vectors: str = _VECTORS) -> str:
    """A pipeline for mlir-opt: passes that leave no structured control flow, then those that make LLVM's dialect."""
    return f"builtin.module({','.join([*before, *TO_LLVM]) % vectors})"


def _attributes(machine: Machine) -> list[str]:
    """LLVM's names of what a machine with scalable vectors has."""
    has = [name for word, name in _ATTRIBUTES.items() if word in machine.features]
    if machine.is_streaming:
        has += [name for name, factor in _PRODUCTS.items() if factor not in machine.without]
    return has


def _mode(llvm: str) -> Mode:
    """The register bits that code with outer products of bf16 sets; otherwise these flush denormal numbers to zero."""
    return Mode(_DECLARED, _SET, _RESTORED) if "sme.mopa.wide.nxv8bf16" in llvm else Mode()


def host_triple(machine: str, system: str) -> str:
    """LLVM's name of a machine and system given by Python's names, without the parts that do not matter for code."""
    arch = {"amd64": "x86_64", "arm64": "aarch64"}.get(machine.lower(), machine.lower())
    if system == "darwin":
        return f"{'arm64' if arch == 'aarch64' else arch}-apple-macosx"
    return f"{arch}-unknown-{'linux-gnu' if system == 'linux' else system}"


NATIVE = (f"-mtriple={host_triple(platform.machine(), sys.platform)}", "-mcpu=native", "--relocation-model=pic")
"""Flags of opt and llc for this machine. Without a triple, opt does not vectorise, whatever the processor is."""


_LARGER = {"sse": "-avx", "avx2": "-avx512f,-avxvnni", "avx512": "-amx-tile"}
"""LLVM's names of what an instruction set does not include; what these imply goes with them."""


def _excluded() -> list[str]:
    """The flag that leaves out what PYTL_MAX_ISA does not admit."""
    limit = MAX_ISA.get()
    return [] if limit is None or not NATIVE[0].startswith("-mtriple=x86_64") else [f"-mattr={_LARGER[limit]}"]


def machine_of(cpuinfo: str = "/proc/cpuinfo") -> str:
    """What `native` code depends on: the processor's model and its features."""
    try:
        with open(cpuinfo, encoding="utf-8", errors="replace") as file:
            pattern = r"^(?:model name|flags|Features|CPU (?:implementer|part|variant))\s*:.*$"
            lines = re.findall(pattern, file.read(), re.M)
    except OSError:
        lines = []
    return "\n".join([platform.machine(), platform.processor(), *dict.fromkeys(lines)])
