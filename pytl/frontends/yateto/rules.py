"""What the immediate language demands of its texts, beside what they have in common with the tensor language's."""

from __future__ import annotations

from ...diagnostics import Rule

STATIC = Rule(
    "PYTL-1200",
    "sizes, strides and distances are integer constants of at least 1",
    "Immediate language: Types",
    explanation="The immediate language has no dynamic modes: what is known at run time only is the number of items.",
)
STRIDES = Rule(
    "PYTL-1201",
    "a strided layout has as many strides as modes, with 1 ≤ S_1 and S_{i-1} s_{i-1} ≤ S_i",
    "Immediate language: Strided layout",
)
DISTANCE = Rule(
    "PYTL-1202",
    "items at a distance follow one another: S_n s_n ≤ distance",
    "Immediate language: Group type",
    explanation="The items of such a group are the last mode of one tensor, whose stride is the distance.",
)
ELEMENT = Rule(
    "PYTL-1203",
    "a scalar type is i8 … i64, u8 … u64, f32 or f64",
    "Immediate language: Scalar types",
)
ANNOTATED = Rule(
    "PYTL-1204",
    "the type that an instruction names is the type of its operand, or of the view that it gives",
    "Immediate language: Instructions",
)
OPERAND = Rule(
    "PYTL-1205",
    "get_work_item takes a group; subview, axpby, log, product and sum take memrefs; an offset, an index and a loop "
    "variable are integers",
    "Immediate language: Instructions",
)
FACTOR = Rule(
    "PYTL-1206",
    "a factor is a floating constant, and a number of the type of the tensors' elements",
    "Immediate language: Constants",
)
BETA = Rule(
    "PYTL-1207",
    "axpby has a factor of either tensor: alpha, %A, beta, %B",
    "Immediate language: Axpby",
    explanation="The grammar of the draft has no place for beta, which the formula has. What a text without beta means "
    "is not said, so that it is not read.",
)
SLICE = Rule(
    "PYTL-1208",
    "a slice [from:to) lies in its mode, 0 ≤ from < to ≤ size, and so does an index; there is one for each mode",
    "Immediate language: Subview",
)
UNSIGNED = Rule(
    "PYTL-1209",
    "tensors of an instruction with unsigned elements have the same element type",
    "Immediate language: Scalar types",
    explanation="Signed and floating types are promoted as in the tensor language. It has no unsigned types, and sums "
    "and products of these are the same bits as those of signed numbers only where all have one width.",
)
RANGE = Rule(
    "PYTL-1210",
    "the range of a loop is of numbers that the type of its variable has",
    "Immediate language: For",
)
OFFSET = Rule(
    "PYTL-1211",
    "items with an offset are views on plain memory: each stride is a multiple of the one before",
    "Immediate language: Get work item",
    explanation="Where a text takes items of a group with an offset, the group is passed as plain memory, each item as "
    "one mode. The view begins at the offset, so that no element outside of the memory is reached.",
)
COMMA = Rule(
    "PYTL-1212",
    "a comma follows the index map",
    "Immediate language: Instructions",
    severity="note",
    explanation="The grammar of the draft has the comma, and its sample has not.",
)
NOT_EXPRESSED = Rule(
    "PYTL-1213",
    "what is written in the immediate language has a form in it",
    "Immediate language",
    explanation="The immediate language has tensors of static size, factors that are constants, and no instructions on "
    "single elements.",
)
