"""Accesses of a `foreach` to the components of small vectors, which lie side by side in memory.

    for i in foreach(64):
        a, b, c, d = [P[k, i] for k in range(4)]

What neighbouring points read of one component lies four elements apart. All components together are contiguous, so that
whole vectors are loaded, whose lanes are then sorted by component in registers. Stores likewise.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ...ir.operation import Operation
from ...ir.types import ScalarType
from ...ir.values import Value
from ...ops.constants import constant_of
from ...ops.memory import Alloca, Load, Store
from ...ops.regions import Foreach
from ...ops.views import root_of
from ...process.records import dataclass
from ..analysis.uniformity import Variation

MOST = 8
"""Components at most."""


@dataclass(frozen=True)
class Components:
    """Loads, or stores, of all components of the points."""

    accesses: tuple[Load | Store, ...]
    """That of each component, in the order of memory."""
    first: Load | Store
    last: Load | Store
    """In the order of the text."""

    @property
    def tensor(self) -> Value:
        return self.accesses[0].tensor


def components(op: Foreach, variation: Variation, are_apart: bool) -> list[Components]:
    """The accesses of a `foreach` that are executed together: loads at the first of them, and stores at the last.

    `are_apart` says that different parameters share no memory.
    """
    operations = op.body.operations
    inside = {value for inner in op.body.walk() for value in inner.results}
    kinds: dict[tuple[object, ...], dict[int, Load | Store]] = {}
    found: list[Components] = []
    for inner in operations:
        if not isinstance(inner, (Load, Store)) or not _is_component(inner, inside, variation):
            continue
        number, count = constant_of(inner.indices[0]), inner.tensor.type.shape[0]
        group = kinds.setdefault((type(inner), inner.tensor, *inner.indices[1:]), {})
        if number in group:
            group.clear()  # of what a component is for the second time
        group[number] = inner
        if len(group) == count and set(group) == set(range(count)):
            listed = [each for each in operations if each in group.values()]
            together = Components(tuple(group[k] for k in range(count)), listed[0], listed[-1])
            if _keep_order(together, operations, are_apart):
                found.append(together)
            group.clear()
    return found


def _is_component(op: Load | Store, inside: set[Value], variation: Variation) -> bool:
    """Whether an access is to a component of the points' own vectors, which fill memory."""
    type_ = op.tensor.type
    if len(op.indices) < 2 or op.tensor in inside or (isinstance(op, Store) and op.flag):
        return False
    if not isinstance(type_.element, ScalarType) or type_.element.is_complex or type_.element.size < 4:
        return False
    number, count = constant_of(op.indices[0]), type_.shape[0]
    return (
        isinstance(count, int)
        and 2 <= count <= MOST
        and number is not None
        and 0 <= number < count
        and list(type_.strides[:2]) == [1, count]
        and op.indices[1] in variation.consecutive
        and not variation.vary(op.indices[2:])
    )


def _keep_order(together: Components, operations: Sequence[Operation], are_apart: bool) -> bool:
    """Whether nothing between the accesses touches what they access, where one of both writes."""
    between = operations[operations.index(together.first) : operations.index(together.last)]
    is_load = isinstance(together.first, Load)
    return not any(
        (isinstance(other, Store) or not is_load) and _may_share(other.tensor, together.tensor, are_apart)
        for other in _accesses(between)
        if other not in together.accesses
    )


def _accesses(operations: Sequence[Operation]) -> Iterator[Load | Store]:
    for op in operations:
        for each in (op, *(inner for region in op.regions for inner in region.walk())):
            if isinstance(each, (Load, Store)):
                yield each


def _may_share(tensor: Value, other: Value, are_apart: bool) -> bool:
    """Whether two tensors may have elements in common."""
    roots = root_of(tensor), root_of(other)
    if roots[0] is roots[1]:
        return True
    owners = [root.owner for root in roots]
    return not any(isinstance(owner, Alloca) for owner in owners) and not (are_apart and owners == [None, None])
