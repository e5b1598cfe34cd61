"""What is demanded of texts of XeTile, beside what they have in common with the tensor language's."""

from __future__ import annotations

from ...diagnostics import Rule

_SECTION = "Document on XeTile"

OPERATION = Rule(
    "PYTL-1230",
    "an operation is one of xetile's, or one of arith, scf, gpu and func that pytl reads beside them",
    _SECTION,
    explanation="The document's xegpu is not read; `k.emit(\"xegpu\")` prints today's.",
)
TYPE = Rule(
    "PYTL-1231",
    "a type is a number's, memref, tile or vector, the latter two with two static sizes",
    _SECTION,
    explanation="The document's `float` is f32. A memref has its rows together, unless it is strided.",
)
ANNOTATED = Rule("PYTL-1232", "the types that an operation names are those of its operands and results", _SECTION)
BASE = Rule(
    "PYTL-1233",
    "the base matrix of a tile is a memref, which knows its shape and strides",
    _SECTION,
    explanation="An address, and a shape and strides beside a memref, could lead outside of the arguments' memory.",
)
LAYOUT = Rule(
    "PYTL-1234",
    "a layout is a wg_map of sg_layout and sg_data, a sg_map of wi_layout and wi_data, a xe_map of both, or the name "
    "of one",
    _SECTION,
)
