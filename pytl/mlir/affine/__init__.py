"""Affine expressions, affine maps and integer sets, as MLIR has them."""

from .expressions import Binary, Constant, Dimension, Expression, Symbol, evaluate
from .maps import AffineMap, Constraint, IntegerSet
from .reader import read_expression, read_map, read_set
from .simplify import simplify

__all__ = [
    "AffineMap",
    "Binary",
    "Constant",
    "Constraint",
    "Dimension",
    "Expression",
    "IntegerSet",
    "Symbol",
    "evaluate",
    "read_expression",
    "read_map",
    "read_set",
    "simplify",
]
