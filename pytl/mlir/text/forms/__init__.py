"""The custom forms of dialects: by their operations, what reads one, and for most of them what writes one."""

from __future__ import annotations

from ..reader import Read
from . import (
    affine,
    arith,
    arm_sme,
    cf,
    complex,
    functions,
    gpu,
    index,
    linalg,
    llvm,
    memref,
    scf,
    tensor,
    transform,
    vector,
    xegpu,
)

FORMS: dict[str, Read] = {
    **functions.FORMS,
    **arith.FORMS,
    **complex.FORMS,
    **memref.FORMS,
    **scf.FORMS,
    **cf.FORMS,
    **affine.FORMS,
    **vector.FORMS,
    **linalg.FORMS,
    **tensor.FORMS,
    **gpu.FORMS,
    **index.FORMS,
    **llvm.FORMS,
    **arm_sme.FORMS,
    **xegpu.FORMS,
    **transform.FORMS,
}
"""What reads an operation behind its name."""
