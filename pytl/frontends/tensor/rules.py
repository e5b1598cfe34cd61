"""The rules of the dialects."""

from __future__ import annotations

from ...diagnostics import Rule

NOT_EXPRESSED = Rule(
    "PYTL-1260",
    "what is written in a dialect has a form in it: instructions, their types, and what they give",
    "Dialects",
)
GRID_TYPE = Rule("PYTL-1268", "places and numbers of sub-groups along x, y and z are i32", "Dialects")
OPERAND_TYPE = Rule(
    "PYTL-1269", "the type that an instruction of the dialect 0.3 names is the type of its operand", "Dialects"
)
