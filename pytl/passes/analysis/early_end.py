"""Loops whose iterations do nothing once a truth value that they carry is false, and that may end there."""

from __future__ import annotations

from ...ir.values import Value
from ...ops import For, If
from ...ops.constants import constant_of
from ...ops.control import terminator


def continue_condition(op: For) -> Value | None:
    """The carried value, as the body sees it, without which the remaining iterations do nothing; None if there is none.

    The body is a branch on that value then, besides what only computes. Its other side passes on all that is carried.
    """
    *rest, branch = [each for each in op.body.operations[:-1] if not each.pure] or [None]
    last = terminator(op.body)
    if rest or last is None or not isinstance(branch, If) or branch.else_body is None:
        return None
    otherwise = terminator(branch.else_body)
    if branch.condition not in op.carried or any(not each.pure for each in branch.else_body.operations[:-1]):
        return None
    for carried, value in zip(op.carried, last.yielded, strict=True):
        if value in branch.results and otherwise is not None:
            value = otherwise.yielded[branch.results.index(value)]
        is_false = carried is branch.condition and constant_of(value) is False
        if value is not carried and not is_false:
            return None
    return branch.condition
