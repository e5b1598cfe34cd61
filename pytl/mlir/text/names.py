"""Names of operations: short ones, and those that are not read."""

from __future__ import annotations

SHORT = {"module": "builtin.module", "return": "func.return", "call": "func.call"}
"""Names that are written without their dialect."""
PRINTED = {"builtin.module": "module", "func.return": "return"}
"""Those that are printed so."""
UNREAD = {
    "cf.switch": "branches are cf.br and cf.cond_br",
}
"""What to do instead of operations that are not read."""
PREDICATES = ("eq", "ne", "slt", "sle", "sgt", "sge", "ult", "ule", "ugt", "uge")
"""The comparisons of integers, by their numbers in the generic form."""
IMPLIED = ("affine.yield", "scf.yield")
"""Ends of regions that no custom form has, where they give nothing."""
