"""What the interpreter of xegpu's text demands."""

from __future__ import annotations

from ....diagnostics import Rule

_SECTION = "Interpreter of XeGPU"

TEXT = Rule("PYTL-3250", "the text of xegpu is one that mlir-opt of LLVM 22 verifies", _SECTION)
KNOWN = Rule(
    "PYTL-3251",
    "an operation is one whose meaning the interpreter knows",
    _SECTION,
    explanation="It knows what pytl prints, and the operations of xegpu on the values of work-items and of sub-groups.",
)
ARGUMENTS = Rule("PYTL-3252", "arguments fit the parameters of the gpu.func", _SECTION)
TOGETHER = Rule(
    "PYTL-3253",
    "a sub-group executes block operations, products, shuffles and barriers as a whole, with one descriptor and offset",
    _SECTION,
)
MEMORY = Rule("PYTL-3254", "memory that is accessed is that of an argument, or local memory", _SECTION)
BARRIERS = Rule("PYTL-3255", "each sub-group that a barrier counts arrives at it", _SECTION)
FRAGMENT = Rule("PYTL-3256", "a vector has as many elements as a work-item or a sub-group has of a block", _SECTION)
DEFINED = Rule("PYTL-3257", "an operation has a defined result: no division by zero, no step of zero", _SECTION)
