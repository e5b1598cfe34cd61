"""Functions whose work-groups have places in three dimensions, as functions whose work-groups are numbered in one.

What executes work-groups counts them. A function that asks for places along y or z, or is launched along them, gets two
more parameters, the numbers of work-groups along x and y, from which the places follow.
"""

from __future__ import annotations

from ..ir.clone import clone_function
from ..ir.types import index
from ..ir.values import Function, Value
from ..ops import Builtin, GroupId, NumGroups
from ..ops.builder import Builder
from ..ops.launch_defaults import GRID
from .analysis.uses import replace_uses


def uses_grid(function: Function) -> bool:
    """Whether a function asks for the places of work-groups along y or z."""
    return any(isinstance(op, (GroupId, NumGroups)) for op in function.walk())


def with_flat_groups(function: Function) -> Function:
    """A copy whose work-groups are numbered in one dimension, x first. Its last two parameters are told the grid."""
    copy = clone_function(function)
    along_x, along_y = (Value(index, _free(name, copy), function.location) for name in ("groups_x", "groups_y"))
    copy.parameters += [along_x, along_y]
    copy.attributes[GRID] = True
    to = Builder(function.location)
    number, count = (
        to.add(Builtin(function.location, [index], [name], variant=variant)).result
        for name, variant in (("group", "group_id"), ("groups", "group_size"))
    )
    plane = to.arith("mul", along_x, along_y)
    rest = to.arith("div", number, along_x)
    known = {
        "builtin.group_id": to.arith("rem", number, along_x),
        "builtin.group_size": along_x,
        "v04.group_id.y": to.arith("rem", rest, along_y),
        "v04.group_id.z": to.arith("div", rest, along_y),
        "v04.num_groups.y": along_y,
        "v04.num_groups.z": to.arith("div", count, plane),
    }
    replaced = {op.result: known[op.word] for op in copy.walk() if op.word in known}
    for region in [copy.body, *(region for op in copy.walk() for region in op.regions)]:
        region.operations = [op for op in region.operations if not (op.results and op.results[0] in replaced)]
    replace_uses(copy.body, replaced)
    copy.body.operations[:0] = to.operations
    return copy


def grid_parameters(function: Function) -> tuple[str, ...]:
    """The names of the parameters by which such a copy is told the grid; none for other functions."""
    last = function.parameters[-2:]
    if function.attributes.get(GRID) is not True or [value.type for value in last] != [index, index]:
        return ()
    return tuple(value.name or "" for value in last)


def takes_grid(function: Function) -> bool:
    """Whether launches of a function have to say the numbers of work-groups along x and y."""
    return uses_grid(function) or bool(grid_parameters(function))


def _free(name: str, function: Function) -> str:
    """A name that no parameter has."""
    taken = {value.name for value in function.parameters}
    while name in taken:
        name += "_"
    return name
