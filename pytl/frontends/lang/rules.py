"""Rules for the use of the objects of a kernel body."""

from __future__ import annotations

from ...diagnostics import Rule

SECTION = "Python front end"

OUTSIDE_KERNEL = Rule(
    "PYTL-1000",
    "functions that a kernel body calls have a meaning in a kernel only",
    SECTION,
    explanation="pytl reads the source of a kernel and never runs it, so these functions compute nothing.",
)
TYPE_ARGUMENTS = Rule(
    "PYTL-1001",
    "Memref takes an element type, a size or ... for each mode, then strides(…); Group takes the same, or "
    "a Memref and the number of memrefs, then offset(…)",
    SECTION,
)
ARGUMENT = Rule("PYTL-1002", "an argument is of the kind that the function's parameter takes", SECTION)
LITERAL_TYPE = Rule(
    "PYTL-1003",
    "a Python literal takes its type from the other operand, or from the parameter that it is passed for",
    SECTION,
    explanation="Where neither gives a type, name it: f32(1.0), index(0), or x: f32 = 1.0.",
)
TRANSPOSED = Rule("PYTL-1004", "A.T is an operand of a BLAS call, and nothing else", SECTION)
NUMBERS = Rule(
    "PYTL-1100",
    "outside of a kernel, pytl's functions compute with single numbers of Python and NumPy, which have one type",
    SECTION,
    explanation="A Python number takes its type from the others, as a literal does in a kernel; NumPy's scalars have "
    "the types that they have in memory. There is no implicit conversion: cast with pytl.f32(x).",
)
LAUNCHED = Rule("PYTL-1114", "kernels are launched, and functions that kernels call are not", "Calls")
