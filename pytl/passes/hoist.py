"""Loop-invariant code of a `foreach`, moved in front of it."""

from __future__ import annotations

from ..ir.operation import Operation
from ..ir.values import Value
from ..ops import Builtin, Foreach, Load
from ..ops.constants import constant_of


def hoisted(op: Foreach) -> list[Operation]:
    """Take what does not depend on the point out of the body; returns these instructions, which go in front.

    These are pure instructions, views, and the loading of a group's items where some point certainly loads them.
    """
    inside: set[Value] = {*op.variables, *(value for inner in op.body.walk() for value in inner.results)}
    found: list[Operation] = []
    for inner in op.body.operations:
        is_item = isinstance(inner, Load) and inner.is_item and _has_points(op)
        if (inner.pure or is_item or isinstance(inner, Builtin)) and not inside.intersection(inner.operands):
            found.append(inner)
            inside.difference_update(inner.results)
    op.body.operations = [inner for inner in op.body.operations if inner not in found]
    return found


def _has_points(op: Foreach) -> bool:
    bounds = [(constant_of(start), constant_of(stop)) for start, stop in zip(op.start, op.stop)]
    return all(first is not None and last is not None and first < last for first, last in bounds)
