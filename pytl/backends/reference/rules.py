"""What the reference backend demands of an execution: what the language leaves undefined is an error."""

from __future__ import annotations

from ...diagnostics import Rule

OUT_OF_BOUNDS = Rule("PYTL-4001", "an index lies in its mode: 0 ≤ index < size", "Memref type")
SUBVIEW_BOUNDS = Rule(
    "PYTL-4002",
    "a slice lies in its mode: 0 ≤ offset, 0 < size, offset + size ≤ the mode's size",
    "Subview",
)
GROUP_INDEX = Rule("PYTL-4003", "the index of a group lies in 0 ≤ index < size of the group", "Load")
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
SHAPES = Rule(
    "PYTL-4012",
    "sizes that are known at run time only match as the instruction demands of static ones",
    "Collective instructions",
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
