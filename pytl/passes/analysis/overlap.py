"""What two views on memory share, as far as the text shows it.

Both are followed from the tensor that they begin with over their subviews. On each mode of that tensor a view takes an
interval; since no two elements of a tensor share a place, views share elements where their intervals meet on all modes.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum

from ...ir.operation import Operation
from ...ir.types import Extent, MemrefType
from ...ir.values import Value
from ...ops.constants import constant_bound, constant_of
from ...ops.memory import Alloca, Load
from ...ops.updates import Update
from ...ops.views import Bound, Subview, memory_of, root_of, views_behind
from ...process.records import dataclass


class Overlap(Enum):
    """What is known of two views."""

    DISJOINT = "they share no element"
    SAME = "they share elements, none of which is known to have different indices in the two"
    PARTIAL = "they share elements that have different indices in the two"
    UNKNOWN = "only an execution shows it"


def may_share(a: Value, b: Value, are_apart: bool) -> bool:
    """Whether two tensors may have elements in common. `are_apart` says that different parameters have none, but for
    items of groups, which launches do not compare.
    """
    roots = root_of(a), root_of(b)
    if roots[0] is roots[1]:
        return True
    if any(isinstance(root.owner, Alloca) for root in roots):
        return False
    return not are_apart or any(root.owner is not None or not isinstance(root.type, MemrefType) for root in roots)


def overlap_of(a: Value, b: Value, one: Sequence[Value] = ()) -> Overlap:
    """What two memrefs share. Parameters that `one` names are taken for the same one."""
    (root_a, steps_a), (root_b, steps_b) = _way_to(a), _way_to(b)
    if not _is_one_tensor(root_a, root_b, one):
        return Overlap.UNKNOWN
    while steps_a and steps_b and steps_a[0] is steps_b[0]:
        root_a = root_b = steps_a.pop(0).results[0]
        del steps_b[0]
    intervals_a, intervals_b = _intervals(root_a, steps_a), _intervals(root_b, steps_b)
    if intervals_a is None or intervals_b is None:
        return Overlap.UNKNOWN
    shared = [x.shares(y) for x, y in zip(intervals_a, intervals_b)]
    return next((v for v in (Overlap.DISJOINT, Overlap.UNKNOWN, Overlap.PARTIAL) if v in shared), Overlap.SAME)


@dataclass(frozen=True)
class _Interval:
    """What a view takes of a mode: `size` elements from `symbol + begin` on. A size that is not known is at least 1."""

    symbol: Value | None
    begin: int | None
    size: Extent | None

    def part(self, offset: Bound, size: int | None) -> _Interval:
        known = constant_bound(offset)
        if known is not None and self.begin is not None:
            return _Interval(self.symbol, self.begin + known, size)
        if isinstance(offset, Value) and self.symbol is None and self.begin is not None:
            return _Interval(offset, self.begin, size)
        return _Interval(None, None, size)

    def shares(self, other: _Interval) -> Overlap:
        if self.begin is None or other.begin is None or self.symbol is not other.symbol:
            return Overlap.UNKNOWN
        if self.begin == other.begin:
            are_known = isinstance(self.size, int) and isinstance(other.size, int)
            return Overlap.PARTIAL if are_known and self.size != other.size else Overlap.SAME
        distance = abs(self.begin - other.begin)
        size = self.size if self.begin < other.begin else other.size
        if not isinstance(size, int):
            return Overlap.UNKNOWN
        return Overlap.PARTIAL if distance < size else Overlap.DISJOINT


def _way_to(value: Value) -> tuple[Value, list[Operation]]:
    """The tensor that a value views, and the views in between, the last of which gives the value."""
    return memory_of(value), [*views_behind(value)][::-1]


def _is_one_tensor(a: Value, b: Value, one: Sequence[Value]) -> bool:
    if isinstance(a.owner, Load) and isinstance(b.owner, Load):
        # items of groups
        (index_a,), (index_b,) = a.owner.indices, b.owner.indices
        number = constant_of(index_a)
        same = index_a is index_b or (number is not None and number == constant_of(index_b))
        return same and _is_one_tensor(a.owner.tensor, b.owner.tensor, one)
    return a is b or (a in one and b in one)


def _intervals(tensor: Value, steps: list[Operation]) -> list[_Interval] | None:
    """The elements of a tensor that the last step views, None where they make no intervals on its modes."""
    assert isinstance(tensor.type, MemrefType)
    while steps and not isinstance(steps[-1], Subview):
        steps = steps[:-1]  # expand and fuse keep all elements
    intervals = [_Interval(None, 0, extent) for extent in tensor.type.shape]
    modes = list(range(len(intervals)))
    for step in steps:
        if not isinstance(step, Subview):
            return None
        for mode, piece in zip(modes, step.slices):
            intervals[mode] = intervals[mode].part(piece.offset, constant_bound(piece.size) if piece.keeps_mode else 1)
        modes = [mode for mode, piece in zip(modes, step.slices) if piece.keeps_mode]
    return intervals


def is_aliasing_factor(op: Update, factor: str, overlap: Overlap) -> bool:
    """Whether a factor that shares elements with the target in this way has to be read before any is written."""
    return overlap is not Overlap.DISJOINT and not (overlap is Overlap.SAME and op.allows_in_place(factor))


def aliasing_factors(op: Update) -> list[str]:
    """The factors in the target's memory that have to be read before any element of the target is written."""
    root = root_of(op.updated)
    return [
        name
        for name in op.factors
        if root_of(getattr(op, name)) is root
        and is_aliasing_factor(op, name, overlap_of(getattr(op, name), op.updated))
    ]
