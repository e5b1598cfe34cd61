"""`C = A @ B`, where C is a parameter: a new tensor takes the name, and the memory that was passed stays as it was."""

from __future__ import annotations

import ast
from typing import Any

from ...diagnostics import Label
from ...ir.operation import Operation
from ...ir.types import MemrefType
from ...ir.values import Function, Value
from ...ops import Alloca
from ...passes.analysis.accesses import accesses_of
from ...passes.analysis.uses import Roots
from .builder import Builder
from .frame import Binding, Frame
from .rules import REBOUND


def note_rebinding(frame: Frame, target: ast.Name, item: Any) -> None:
    """Remember an assignment that gives the name of a tensor that was passed to a new tensor."""
    arguments = frame.source.definition.args
    if target.id not in {a.arg for a in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs)}:
        return
    bound = frame.bound(target.id)
    if bound is not None and _is_memory(bound.value) and _is_memory(item) and isinstance(item.owner, Alloca):
        frame.builder.rebound.append((item, target, frame, bound))


def _is_memory(item: Any) -> bool:
    return isinstance(item, Value) and isinstance(item.type, MemrefType)


def check_rebinding(builder: Builder, function: Function) -> None:
    """Warn of the assignments that were noted whose tensor is never read: what was meant is to store in the old one."""
    if not builder.rebound:
        return
    roots = Roots()
    used = {roots.of(value) for op in function.walk() if op.view_of is None for value in _used_by(op)}
    for value, target, frame, bound in builder.rebound:
        if value not in used:
            _warn(frame, target, bound)


def _used_by(op: Operation) -> list[Value]:
    """The memrefs that an instruction does more with than to overwrite their elements."""
    accesses = accesses_of(op)
    overwritten = {access.tensor for access in accesses} - {each.tensor for each in accesses if not each.writes}
    return [value for value in op.operands if isinstance(value.type, MemrefType) and value not in overwritten]


def _warn(frame: Frame, target: ast.Name, bound: Binding) -> None:
    name = target.id
    frame.report(
        REBOUND,
        f"{name} names a new tensor from here on, which nothing reads; the argument for {name} stays as it was",
        target,
        f"write {name}[:] = … to store in the argument",
        [Label(bound.location, f"{name} is bound here")],
    )
