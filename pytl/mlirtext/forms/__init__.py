"""The custom forms of the dialects builtin, func, arith, math, scf, affine, memref, vector and linalg."""

from __future__ import annotations

from ..custom import Read
from . import affine, arith, functions, linalg, memref, scf, vector

FORMS: dict[str, Read] = {
    **functions.FORMS,
    **arith.FORMS,
    **memref.FORMS,
    **scf.FORMS,
    **affine.FORMS,
    **vector.FORMS,
    **linalg.FORMS,
}
"""What reads an operation behind its name."""
SHORT = {"module": "builtin.module", "return": "func.return", "call": "func.call"}
"""Names that are written without their dialect."""
_GOTO = "regions of one block are read; structured loops and branches are scf's and affine's"
UNREAD = {
    "scf.while": "the number of iterations is not known before the loop; count with scf.for",
    "scf.execute_region": "write its operations where it stands",
    "scf.index_switch": "write scf.if",
    "cf.br": _GOTO,
    "cf.cond_br": _GOTO,
    "memref.atomic_rmw": "parallel loops reduce by scf.reduce",
    "memref.global": "pass the constant as an argument",
    "memref.get_global": "pass the constant as an argument",
    "bufferization.to_tensor": "mlir-opt --one-shot-bufferize makes memrefs of tensors",
    "tensor.empty": "mlir-opt --one-shot-bufferize makes memrefs of tensors",
}
"""What to do instead of operations that are not read."""
