"""The custom forms of the dialects builtin, func, arith, math, scf, cf, affine, memref, vector and linalg."""

from __future__ import annotations

from ..reader import Read
from . import affine, arith, cf, functions, linalg, memref, scf, vector

FORMS: dict[str, Read] = {
    **functions.FORMS,
    **arith.FORMS,
    **memref.FORMS,
    **scf.FORMS,
    **cf.FORMS,
    **affine.FORMS,
    **vector.FORMS,
    **linalg.FORMS,
}
"""What reads an operation behind its name."""
