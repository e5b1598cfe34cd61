"""Operations of MLIR's dialects arith and math that are one instruction of the language, and its variant."""

from __future__ import annotations

BINARY = {
    **{f"arith.{name}{kind}": name for name in ("add", "sub", "mul") for kind in "if"},
    **{f"arith.{name}{kind}": name for name in ("div", "rem") for kind in ("si", "f")},
    **{f"arith.{name}{kind}": name for name in ("min", "max") for kind in ("si", "numf")},
    **{f"arith.{name}i": name for name in ("and", "or", "xor")},
    "arith.shli": "shl",
    "arith.shrsi": "shr",
}
"""Of numbers. Sums and products of truth values are others (`frontends/mlir/numbers.py`)."""
UNARY = {"arith.negf": "neg", "math.absf": "abs", "math.absi": "abs"}
OF_INTEGERS = {"eq": "eq", "ne": "ne", "slt": "lt", "sle": "le", "sgt": "gt", "sge": "ge"}
"""Comparisons of integers with a sign."""
OF_FLOATS = {"oeq": "eq", "une": "ne", "olt": "lt", "ole": "le", "ogt": "gt", "oge": "ge"}
"""Comparisons of floats: of the language's, `ne` alone holds where one of the numbers is nan."""
