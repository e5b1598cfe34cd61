"""Accesses of a `foreach` to the components of small vectors, which lie side by side in memory.

    for i in foreach(64):
        a, b, c, d = [P[k, i] for k in range(4)]

What neighbouring points read of one component lies four elements apart. All components together are contiguous, so that
whole vectors are loaded, whose lanes are then sorted by component in registers. Stores likewise.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from ...ir.operation import Operation
from ...ir.types import ScalarType
from ...ir.values import Region, Value
from ...ops.constants import constant_of
from ...ops.memory import Load, Store
from ...process.records import dataclass
from ..analysis.overlap import may_share
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
    modes: int
    """How many modes of the tensor, the first ones, number the components."""

    @property
    def tensor(self) -> Value:
        return self.accesses[0].tensor


def components(region: Region, variation: Variation, are_apart: bool) -> list[Components]:
    """The accesses of a region that are executed together: loads at the first of them, and stores at the last.

    `are_apart` says that different parameters share no memory.
    """
    operations = region.operations
    inside = {value for inner in region.walk() for value in inner.results}
    kinds: dict[tuple[object, ...], dict[int, Load | Store]] = {}
    found: list[Components] = []
    for inner in operations:
        if not isinstance(inner, (Load, Store)) or not _is_component(inner, inside, variation):
            continue
        modes = _modes_of_components(inner, variation)
        number, count = _number(inner, modes), math.prod(inner.tensor.type.shape[:modes])
        group = kinds.setdefault((type(inner), inner.tensor, modes, *inner.indices[modes:]), {})
        if number in group:
            group.clear()  # of what a component is for the second time
        group[number] = inner
        if len(group) == count and set(group) == set(range(count)):
            listed = sorted(group.values(), key=operations.index)
            together = Components(tuple(group[k] for k in range(count)), listed[0], listed[-1], modes)
            if _keep_order(together, operations, are_apart):
                found.append(together)
            group.clear()
    return found


def have_components(region: Region, variation: Variation, are_apart: bool) -> bool:
    """Whether there are such accesses, and the same ones as if different parameters shared no memory."""
    found = components(region, variation, True)
    return bool(found) and (are_apart or found == components(region, variation, False))


def _is_component(op: Load | Store, inside: set[Value], variation: Variation) -> bool:
    """Whether an access is to a component of the points' own vectors, which fill memory."""
    type_ = op.tensor.type
    if len(op.indices) < 2 or op.tensor in inside or (isinstance(op, Store) and op.flag):
        return False
    if not isinstance(type_.element, ScalarType) or type_.element.is_complex or type_.element.size < 4:
        return False
    modes = _modes_of_components(op, variation)
    shape, places = type_.shape[:modes], [constant_of(each) for each in op.indices[:modes]]
    if not all(isinstance(extent, int) and at is not None and 0 <= at < extent for extent, at in zip(shape, places)):
        return False
    return (
        2 <= math.prod(shape) <= MOST
        and list(type_.strides[: modes + 1]) == [math.prod(shape[:mode]) for mode in range(modes + 1)]
        and not variation.vary(op.indices[modes + 1 :])
    )


def _modes_of_components(op: Load | Store, variation: Variation) -> int:
    """How many modes are before the one along which points follow each other; 0 where there is none."""
    modes = [mode for mode, each in enumerate(op.indices) if each in variation.consecutive]
    return modes[0] if modes else 0


def _number(op: Load | Store, modes: int) -> int:
    """Which component an access is to, in the order of memory."""
    places = zip(op.indices[:modes], op.tensor.type.strides)
    return sum(int(constant_of(each)) * int(stride) for each, stride in places)


def _keep_order(together: Components, operations: Sequence[Operation], are_apart: bool) -> bool:
    """Whether nothing between the accesses touches what they access, where one of both writes."""
    between = operations[operations.index(together.first) : operations.index(together.last)]
    is_load = isinstance(together.first, Load)
    return not any(
        (isinstance(other, Store) or not is_load) and may_share(other.tensor, together.tensor, are_apart)
        for other in _accesses(between)
        if other not in together.accesses
    )


def _accesses(operations: Sequence[Operation]) -> Iterator[Load | Store]:
    for op in operations:
        for each in (op, *(inner for region in op.regions for inner in region.walk())):
            if isinstance(each, (Load, Store)):
                yield each
