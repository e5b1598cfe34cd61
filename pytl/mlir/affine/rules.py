"""The rules of affine expressions, maps and integer sets."""

from __future__ import annotations

from ...diagnostics import Rule

_SECTION = "Polyhedral structures"

SYNTAX = Rule("PYTL-0700", "an affine map, integer set or affine expression follows the grammar of MLIR", _SECTION)
UNIQUE = Rule("PYTL-0701", "the identifiers of dimensions and symbols of a map or set are unique", _SECTION)
UNKNOWN = Rule("PYTL-0702", "only the dimensions and symbols of a map or set appear in its expressions", _SECTION)
LITERAL = Rule("PYTL-0703", "integer literals of affine expressions have at most 64 bits with the sign", _SECTION)
DIVISOR = Rule("PYTL-0704", "the second operand of floordiv, ceildiv and mod is positive", _SECTION)
SEMI_AFFINE = Rule(
    "PYTL-0705",
    "affine expressions multiply by constants and divide by constants; symbols in their place make an expression "
    "semi-affine, which only layout maps and index maps may be",
    _SECTION,
)
NOT_AFFINE = Rule(
    "PYTL-0706",
    "of two factors one is a constant or a symbol, and so is the second operand of floordiv, ceildiv and mod",
    _SECTION,
)
SIZES = Rule("PYTL-0707", "the sizes of a bounded map are as many as its results", _SECTION)
SIZE_OPERANDS = Rule("PYTL-0708", "only symbols and constants appear in the sizes of a bounded map", _SECTION)
OPERANDS = Rule("PYTL-0709", "a map or set is applied to as many dimensions and symbols as it has", _SECTION)
CONFORMANT = Rule("PYTL-0710", "where maps are composed, one has as many results as the next has dimensions", _SECTION)
COMPLEXITY = Rule("PYTL-0711", "an affine expression has at most 100 operations and parentheses", _SECTION)
