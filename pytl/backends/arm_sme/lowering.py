"""The tools' settings for Arm: the pipeline of MLIR's passes for SME, and the flags of LLVM's tools."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from ..mlir.artefacts import HOST_PASSES, NATIVE, Mode, Target, machine_of, pipeline

PASSES = (
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
_VECTORS = "enable-arm-sve=true reassociate-fp-reductions=true"
_OPTIMIZER = ("-disable-loop-unrolling",)
"""Loops are unrolled where that was decided: of a loop that LLVM unrolls, it computes all addresses in front of the
loop over work-groups, and spills them."""
_ADDRESSES = ("--lsr-exp-narrow", "--aarch64-enable-gep-opt")
"""How LLVM chooses the addresses of a loop: by the registers that they are expected to take, where there are too many
ways to try each. Otherwise it adds the distance of each slice of a tile to the address of the first, in each iteration.
Distances that are known come last, so that slices share the rest."""
FEATURES = ("sve", "sme", "sme-f64f64", "sme-i16i64", "bf16", "fullfp16")
"""Processor features that the code may use, by LLVM's names."""
GROUPS = "sme2"
"""The feature whose instructions take two or four vectors."""
_NEEDED = {"sme-f64f64": "f64", "sme-i16i64": "i16", "ebf16": "bf16"}
"""Features that not every processor with SME has, with the factor types whose outer products need them."""
NOT_EMULATED = ("i8", "bf16")
"""The factor types whose outer products older emulators compute wrong."""
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


def mode(llvm: str) -> Mode:
    """The register bits that code with outer products of bf16 sets; otherwise these flush denormal numbers to zero."""
    return Mode(_DECLARED, _SET, _RESTORED) if "sme.mopa.wide.nxv8bf16" in llvm else Mode()


def lacking(features: Collection[str]) -> Sequence[str]:
    """The factor types for which a processor with these features has no outer product."""
    return [factor for feature, factor in _NEEDED.items() if feature not in features]


def sme(level: int, without: Sequence[str] = (), has_groups: bool = False) -> Target:
    """Linux programs for machines with SME, or with SME2; `without` names factor types without an outer product."""
    features = (*FEATURES, GROUPS) if has_groups else FEATURES
    flags = ("-mtriple=aarch64-linux-gnu", _attributes(features), *_ADDRESSES)
    passes = pipeline(PASSES, _VECTORS)
    return Target("arm", passes, flags, level, without=tuple(without), mode=mode, optimizer=_OPTIMIZER)


def here(level: int, features: Collection[str], bits: int = 0) -> Target:
    """Shared libraries for this machine, an Arm machine with these features and, if that is known, so long vectors."""
    name = "arm, this machine"
    if "sme" not in features:
        return Target(name, pipeline(HOST_PASSES), NATIVE, level, machine_of())
    flags, without = (*NATIVE, _attributes(features), *_ADDRESSES), tuple(lacking(features))
    passes = pipeline(PASSES, _VECTORS)
    return Target(name, passes, flags, level, machine_of(), without=without, mode=mode, optimizer=_OPTIMIZER, bits=bits)


def _attributes(features: Collection[str]) -> str:
    return f"-mattr={','.join(f'+{name}' for name in (*FEATURES, GROUPS) if name in features)}"
