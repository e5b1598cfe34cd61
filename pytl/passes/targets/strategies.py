"""Who executes a work-group on a device: one work-item, or as many as the function's attributes say.

The language has no such attribute: "strategy" is a name in quotes, which a kernel may give and passes complete.
"""

from __future__ import annotations

from ...diagnostics import Diagnostics, Rule
from ...ir.attributes import print_attribute
from ...ir.operation import Operation
from ...ir.values import Function, Region, Value
from ...ir.verifier import function_check

STRATEGY = "strategy"
"""Who executes a work-group: a function's attribute, quoted in text, since it is not part of the language."""
STRATEGIES = ("one-item", "many-items")

STRATEGY_VALUE = Rule(
    "PYTL-0109",
    'the attribute "strategy" of a function is "one-item" or "many-items"',
    "Functions",
    explanation="It says how a device executes a work-group; where it is left out, pytl chooses. A function that tells "
    "the work-items of a sub-group apart, or lets sub-groups wait for each other, cannot ask for one.",
)


@function_check
def _check_strategy(function: Function, diagnostics: Diagnostics) -> None:
    strategy = function.attributes.get(STRATEGY)
    if strategy is None:
        return
    if strategy not in STRATEGIES:
        actual = print_attribute(strategy)
        known = " or ".join(map(print_attribute, STRATEGIES))
        diagnostics.report(
            STRATEGY_VALUE, f"the strategy of @{function.name} is {actual}", function.location, f"write {known}"
        )
    elif strategy == "one-item":
        problem = operation_needing_many_items(function)
        if problem is not None:
            diagnostics.report(
                STRATEGY_VALUE,
                f"@{function.name} asks for one work-item, but {problem}",
                function.location,
                'leave the attribute out, or write "many-items"',
            )


def strategy_of(function: Function, many_items: bool, only_many: bool = False) -> tuple[str, str]:
    """The strategy of a function that has none yet, and why."""
    problem = operation_needing_many_items(function)
    if problem is not None:
        return "many-items", problem
    if STRATEGY in function.attributes and not only_many:
        return str(function.attributes[STRATEGY]), "the function names it"
    return "many-items" if many_items or only_many else "one-item", "the launch or its device asks for it"


def operation_needing_many_items(function: Function) -> str | None:
    """Why one work-item alone cannot execute a function, as a message says it; None where it can.

    One work-item executes a parallel region for each sub-group, one after the other, as long as nothing distinguishes
    the work-items of a sub-group, and no sub-group waits for another.
    """
    operations = list(function.walk_through_calls())
    classes: set[type[Operation]] = set(map(type, operations))
    if not any(cls.kind == "spmd" or cls.mnemonic == "parallel" for cls in classes):
        return None  # as vector code, which has many instructions
    used = {value for op in operations if op.differs for value in op.results}
    if used:
        used &= {value for op in operations for value in op.operands}
    return _needing_many(function.body, None, used)


def _needing_many(region: Region, owner: str | None, differing: set[Value]) -> str | None:
    """The same of a region in a foreach or parallel, or in neither; `differing` are used, and not the same for all."""
    for op in region.operations:
        if op.callee is not None and (operation := _needing_many(op.callee.body, owner, differing)) is not None:
            return operation
        if owner == "parallel" and op.writes and not differing.isdisjoint(op.results):
            return f"{_named(op)} gives each work-item another value"
        if op.kind == "spmd":
            if op.depends_on_lane:
                return f"{_named(op)} distinguishes the work-items of a sub-group"
            if owner == "foreach":
                return f"{_named(op)} is in a foreach, which distributes its iterations"
        inner = op.mnemonic if op.mnemonic in ("foreach", "parallel") else owner
        if op.mnemonic == "parallel":
            inside = [each for within in op.regions for each in within.walk()]
            barrier = next((each for each in inside if each.mnemonic == "barrier"), None)
            if barrier is not None and any(each.kind == "spmd" for each in inside):
                return f"sub-groups wait for each other at {_named(barrier)}"
        for within in op.regions:
            operation = _needing_many(within, inner, differing)
            if operation is not None:
                return operation
    return None


def _named(op: Operation) -> str:
    """An instruction as a message names it."""
    name = f"{op.mnemonic}.{getattr(op, 'variant', None)}" if op.mnemonic == "builtin" else op.mnemonic
    return name if op.location is None else f"{name} in line {op.location.line}"
