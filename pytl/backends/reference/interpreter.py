"""Execution of a function, work-group by work-group."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ...ir.types import BoolType, GroupType, MemrefType, ScalarType
from ...ir.values import Function, Value
from ...ops.scalars import dtype_of, scalar_argument
from ...passes.analysis.uses import written_roots

# These modules register the executions of the instructions.
from . import (  # noqa: F401
    accesses,
    arithmetic,
    collectives,
    contractions,
    control,
    debugging,
    matrices,
    matrix_functions,
    processors,
    reshape,
    subgroups,
    tiles,
    vector_rows,
    vector_tiles,
    vectors,
)
from .accesses import BoundGroup
from .machine import Machine, Program
from .memory import GroupView, MemrefView
from .races import make_shadows
from .shadow import History
from .views import Memory, View


def execute(
    function: Function,
    arguments: Sequence[Any],
    groups: int,
    *,
    checks: bool = True,
    strict_views: bool = False,
    vector_scale: int = 2,
) -> None:
    """Execute a verified function by `groups` work-groups, one after the other.

    Parameters: `arguments`, in the order of the parameters: a number for a scalar or bool parameter, a `MemrefView` for
    a memref, a `GroupView` for a group; `checks`, whether to detect what the language leaves undefined. Without the
    checks, a kernel with undefined behaviour does anything that NumPy does; `strict_views`, whether a view out of
    bounds is an error where it is formed, and not where what is outside is accessed; `vector_scale`, how many
    times the lanes of their types scalable vectors have.

    The results are in the buffers of the arguments. Raises `pytl.diagnostics.ExecutionError` at the first
    undefined behaviour; what was written until then stays written.
    """
    # Overflow, division by zero and nan are values of the language, not events to be warned of.
    with np.errstate(all="ignore"):
        program = Program(function, strict_views, vector_scale)
        history = History(function, groups) if checks else None
        bound = bind(function, arguments, history)
        for group in range(groups):
            if history is not None:
                history.begin_group()
            Machine(program, bound, group, groups, checks, history).run(function.body)


def bind(function: Function, arguments: Sequence[Any], history: History | None = None) -> dict[Value, Any]:
    """The values of the parameters. Arguments with the same buffer share its memory; a history records accesses."""
    if len(arguments) != len(function.parameters):
        raise TypeError(f"@{function.name} takes {len(function.parameters)} arguments, but {len(arguments)} are given")
    memories: dict[int, Memory] = {}
    bound = {
        parameter: _bind_one(parameter, argument, memories)
        for parameter, argument in zip(function.parameters, arguments, strict=True)
    }
    if history is not None:
        written = {
            memory
            for root in written_roots(function)
            if isinstance(value := bound.get(root), (View, BoundGroup))
            for memory in _memories_of(value)
        }
        make_shadows(history, memories.values(), written)
    return bound


def _memories_of(value: View | BoundGroup) -> list[Memory]:
    return list(value.memories) if isinstance(value, View) else [value.memories[id(i.buffer)] for i in value.items]


def _bind_one(parameter: Value, argument: Any, memories: dict[int, Memory]) -> Any:
    type_ = parameter.type

    def memory_of(view: MemrefView, memref: MemrefType) -> Memory:
        if view.buffer.dtype != dtype_of(memref.element) or len(view.shape) != memref.order:
            raise TypeError(f"%{parameter.name} is {type_}, but the view is {_described(view)}")
        key = id(view.buffer)
        if key not in memories:
            memories[key] = Memory(view.buffer)
        return memories[key]

    if isinstance(type_, MemrefType) and isinstance(argument, MemrefView):
        return View.of(memory_of(argument, type_), argument)
    if isinstance(type_, GroupType) and isinstance(argument, GroupView):
        offset = type_.offset if isinstance(type_.offset, int) else argument.offset
        group = BoundGroup(argument, offset, memories)
        for item in group.items:
            memory_of(item, type_.memref)
        return group
    if isinstance(type_, (ScalarType, BoolType)) and not isinstance(argument, (MemrefView, GroupView)):
        return scalar_argument(argument, type_)
    raise TypeError(f"%{parameter.name} is {type_}, but its argument is a {type(argument).__name__}")


def _described(view: MemrefView) -> str:
    return f"of {view.buffer.dtype} with {len(view.shape)} modes"
