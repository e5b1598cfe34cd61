"""What code for Arm is made by: the pipeline of MLIR's passes for SME, and the flags of LLVM's tools."""

from __future__ import annotations

from ..mlir.products import HOST_PASSES, Target, machine_of, pipeline

PASSES = (
    "arm-sme-vector-legalization",
    "canonicalize",
    "cse",
    "convert-arith-to-arm-sme",
    "convert-vector-to-arm-sme",
    "func.func(arm-sme-outer-product-fusion)",
    "convert-arm-sme-to-scf",
    "convert-vector-to-scf{full-unroll=true}",
    # not streaming-locally, which crashes where vectors are longer out of streaming mode than in it
    "func.func(enable-arm-streaming{streaming-mode=streaming za-mode=new-za if-required-by-ops=true})",
    "convert-scf-to-cf",
    "func.func(convert-arm-sme-to-llvm)",
    "canonicalize",
    "cse",
)
_VECTORS = "enable-arm-sve=true reassociate-fp-reductions=true"
_FEATURES = "-mattr=+sve,+sme,+sme-f64f64,+sme-i16i64,+bf16,+fullfp16"


def sme(level: int) -> Target:
    """Linux programs for any machine with SME."""
    return Target("arm", pipeline(PASSES, _VECTORS), ("-mtriple=aarch64-linux-gnu", _FEATURES), level)


def here(level: int, has_sme: bool) -> Target:
    """Libraries for this machine, which is one of Arm's."""
    flags = ("-mcpu=native", "--relocation-model=pic")
    if not has_sme:
        return Target("arm, this machine", pipeline(HOST_PASSES), flags, level, machine_of())
    return Target("arm, this machine", pipeline(PASSES, _VECTORS), (*flags, "-mattr=+sve,+sme"), level, machine_of())
