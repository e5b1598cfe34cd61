"""Views that are formed out of bounds: what is outside of the tensor may not be accessed.

A view is no access, so that one that is never used, or used in part, breaks nothing. The elements that an access
reaches are followed to the tensors that they are views of: each has to lie in those, too. Where views are strict
(PYTL_STRICT_VIEWS), a view out of bounds is an error by itself.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ...diagnostics import ExecutionError
from ...ir.operation import Operation, defined_at
from ...ir.values import Value
from ...ops import Expand, Expandc2r, Fuse, Subview
from ...ops.views import views_behind
from . import rules
from .machine import Machine, element_name, named, remark, uniform
from .views import Integers, View

Numbers = Callable[[Value], Integers]
"""What values are, in the form of the indices that are followed."""


def _through_subview(op: Subview, shape: tuple[Integers, ...], indices: list[Integers], number: Numbers) -> list:
    rest = iter(indices)
    begins = [number(piece.offset) if isinstance(piece.offset, Value) else piece.offset for piece in op.slices]
    return [begin + next(rest) if piece.keeps_mode else begin for begin, piece in zip(begins, op.slices, strict=True)]


def _through_expand(op: Expand, shape: tuple[Integers, ...], indices: list[Integers], number: Numbers) -> list:
    behind = op.mode + len(op.expand_shape)
    index, step = indices[op.mode], None
    for bound, place in zip(op.expand_shape, range(op.mode + 1, behind)):
        size = number(bound) if isinstance(bound, Value) else bound
        step = size if step is None else step * size
        index = index + indices[place] * step
    return [*indices[: op.mode], index, *indices[behind:]]


def _through_fuse(op: Fuse, shape: tuple[Integers, ...], indices: list[Integers], number: Numbers) -> list:
    rest, parts = indices[op.first], []
    for size in shape[op.first : op.last]:
        parts.append(rest % np.maximum(size, 1))
        rest = rest // np.maximum(size, 1)
    return [*indices[: op.first], *parts, rest, *indices[op.first + 1 :]]


def _through_parts(op: Expandc2r, shape: tuple[Integers, ...], indices: list[Integers], number: Numbers) -> list:
    return indices[1:]


_THROUGH: dict[type[Operation], Callable[..., list]] = {
    Subview: _through_subview,
    Expand: _through_expand,
    Fuse: _through_fuse,
    Expandc2r: _through_parts,
}
"""Which element of its tensor an element of a view is."""


def followed(cls: type[Operation]) -> bool:
    """Whether elements of a view that the instruction forms can be followed to the tensor."""
    return cls in _THROUGH


def is_formed_outside(machine: Machine, tensor: Value) -> bool:
    """Whether a tensor is a view that is out of bounds, or one on it."""
    return bool(machine.outside) and any(form in machine.outside for form in views_behind(tensor))


def outside(
    machine: Machine,
    tensor: Value,
    indices: Sequence[Integers],
    number: Numbers,
    shape: Callable[[View], tuple[Integers, ...]],
    reached: np.ndarray,
) -> tuple[int, str, Operation] | None:
    """The number of the first element that is accessed outside of a tensor below the view; what to say, and which view.

    Parameters: `reached`, which elements are accessed; `indices`, their places in `tensor`, `number`, what values are,
    and `shape`, the sizes of a view, all broadcastable to it.
    """
    if not machine.checks or not is_formed_outside(machine, tensor):
        return None
    followed_indices = list(indices)
    for form in views_behind(tensor):
        extents = shape(machine[form.tensor])
        followed_indices = _THROUGH[type(form)](form, extents, followed_indices, number)
        for mode, (index, extent) in enumerate(zip(followed_indices, extents, strict=True)):
            beyond = reached & ((np.asarray(index) < 0) | (np.asarray(index) >= extent))
            if beyond.any():
                first = int(beyond.reshape(-1).argmax())

                def at(numbers: Integers, first: int = first) -> int:
                    return int(np.broadcast_to(numbers, reached.shape).reshape(-1)[first])

                element = element_name(tensor, map(at, indices))
                message = (
                    f"{element} is at {at(index)} in mode {mode} of {named(form.tensor)}, whose size is {at(extent)}"
                )
                return first, message, form
    return None


def check_view_bounds(machine: Machine, op: Operation, tensor: Value, indices: Sequence[Integers]) -> None:
    """Check the elements that the active lanes access, in a view that may be out of bounds."""
    violation = outside(machine, tensor, indices, machine.__getitem__, lambda view: view.shape, machine.lanes.mask)
    if violation is not None:
        lane, message, form = violation
        raise bounds_error(machine, op, message, form, lane)


def bounds_error(machine: Machine, op: Operation, message: str, form: Any, lane: int) -> ExecutionError:
    """The error that what is accessed lies outside of a tensor that it is a view of."""
    labels = (*remark(form.location, "the view is formed here"), *defined_at(form.tensor))
    return machine.error(op, rules.SUBVIEW_BOUNDS, message, rules.SUBVIEW_HELP, labels, lane)


def check_all_view_bounds(machine: Machine, op: Operation, tensor: Value) -> None:
    """Check all elements of a tensor, which the work-group accesses as a whole."""
    if is_formed_outside(machine, tensor):
        shape = [uniform(np.atleast_1d(extent)) for extent in machine[tensor].shape]
        if all(extent > 0 for extent in shape):
            # the first and the last element are the least and the greatest in every mode
            check_view_bounds(machine, op, tensor, [0] * len(shape))
            check_view_bounds(machine, op, tensor, [extent - 1 for extent in shape])
