"""The reference backend's rules: an execution that the language leaves undefined is an error."""

from __future__ import annotations

from ...diagnostics import Rule
from ...ops.preconditions import (
    EXPAND_PRODUCT,
    EXPAND_SIZE,
    GROUP_INDEX,
    OUT_OF_BOUNDS,
    SHAPES,
    SUBVIEW_BOUNDS,
    SUBVIEW_HELP,
)

__all__ = [
    "EXPAND_PRODUCT",
    "EXPAND_SIZE",
    "GROUP_INDEX",
    "OUT_OF_BOUNDS",
    "SHAPES",
    "SUBVIEW_BOUNDS",
    "SUBVIEW_HELP",
]
GROUP_MEMORY = Rule("PYTL-4004", "a memref of a group, moved by the group's offset, lies in its memory", "Group type")
DIVISION_BY_ZERO = Rule("PYTL-4005", "an integer is not divided by zero", "Arithmetic (binary)")
SHIFT_COUNT = Rule("PYTL-4006", "a shift count is not negative and less than the type's width", "Arithmetic (binary)")
CAST_RANGE = Rule("PYTL-4007", "a floating number that is cast to an integer type fits, once truncated", "Cast")
UNINITIALISED = Rule(
    "PYTL-4008",
    "an element of local memory is written before it is read",
    "Alloca",
    explanation="An alloca's content is undefined until it is stored to, each time the alloca is executed.",
)
LIFETIME = Rule("PYTL-4009", "the memory of an alloca is not used after its lifetime_stop", "Additional instructions")
LOOP_STEP = Rule("PYTL-4010", "the step of a loop is positive", "For")
BARRIER = Rule(
    "PYTL-4011",
    "a barrier is encountered by all work-items of the work-group",
    "Barrier",
    explanation="Work-items that wait at a barrier that others never reach wait forever on a device.",
)
SUBGROUP = Rule(
    "PYTL-4013",
    "a sub-group operation is met by all work-items of the sub-group",
    "Execution model",
    explanation="The work-items of a sub-group give each other values, for which they wait until all have come. "
    "Sub-groups as a whole may go through different branches. Which work-items execute an iteration of a foreach is "
    "up to the implementation, so that no such instruction can stand there.",
)
UNIFORM = Rule(
    "PYTL-4014",
    "what must be dynamically uniform has the same value for all work-items of a sub-group",
    "Execution model",
    explanation="That holds for cooperative matrices wherever they are used, for the memref, the position and the "
    "factor of cooperative_matrix instructions, and for the local id of subgroup_broadcast. A cooperative matrix that "
    "work-items of one sub-group take from different branches, or from different iterations, is not uniform.",
)
LOCAL_ID = Rule(
    "PYTL-4015",
    "the local id of a broadcast is one of the sub-group: 0 ≤ local id < size of the sub-group",
    "Subgroup broadcast",
    explanation="The value of a work-item that the sub-group does not have is undefined.",
)
FUSE = Rule(
    "PYTL-4018",
    "fused modes are contiguous in memory: S_k s_k = S_{k+1}",
    "Fuse",
    explanation="The fused mode has one stride, which reaches the elements of all modes only if each begins where the "
    "one before ends. Where a size or stride is known at run time only, fusing others is undefined behaviour.",
)
ALIASING = Rule(
    "PYTL-4019",
    "what a collective instruction updates does not overlap a factor of dynamic size, nor one in memory of another "
    "parameter; axpby, where nothing is transposed, hadamard and cumsum may update a factor in place",
    "Collective instructions",
    explanation="""Factors are as they were before the instruction. Where the target overlaps one, some work-items may \
write before others read. A backend copies a static factor that may lie in the memory of the target before it \
computes; for one of dynamic size there is no memory at hand, and that parameters overlap is not seen from inside.""",
)
MEMORY = Rule(
    "PYTL-2021",
    "what an execution holds fits into the host's memory",
    "Launching",
    explanation="The reference backend keeps local memory, cooperative matrices and a number for each work-item in "
    "memory of the host. Devices have far less of each.",
)
RACE = Rule(
    "PYTL-4030",
    "work-items of a work-group access the same element in an order that a barrier gives, or all atomically, or all "
    "only read it",
    "Barrier",
    explanation="""Work-items, and the iterations of a foreach, execute at the same time. Where two of them access an \
element, one writes it and not both are atomic, the result depends on who comes first, even if all write the same \
value. A barrier with the fence of the memory's address space (.global, .local) orders what is before and after it in \
a parallel; collective instructions, foreach and parallel are ordered by themselves. Sub-groups that load or store \
cooperative matrices are ordered after their own work-items by a barrier only.""",
)
RACE_OF_GROUPS = Rule(
    "PYTL-4031",
    "work-groups access the same element all atomically, or all only read it",
    "Execution model",
    explanation="""Work-groups execute in any order, or at the same time; no barrier orders two of them. What one \
work-group writes must not be read or written by another one in the same launch, except that both may update it \
atomically, even if both write the same value.""",
)
