"""Accesses of a `foreach` to elements that lie so many apart from point to point, or in the reverse order of points.

    for i in foreach(64):
        a, b, c, d = [P[k, i] for k in range(4)]
        e = X[n - 1 - i] + Y[2 * i] + Y[2 * i + 1]

Whole vectors of memory are loaded, with all that lies between, and their lanes are sorted in registers. Accesses that
differ in a constant share these vectors. Elements that fill memory together are stored likewise.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from ...ir.operation import Operation
from ...ir.types import ScalarType
from ...ir.values import Region, Value
from ...ops.arith import ArithBinary
from ...ops.constants import constant_of
from ...ops.memory import Load, Store
from ...process.records import dataclass
from ..analysis.overlap import may_share
from ..analysis.uniformity import Variation

MOST = 8
"""Elements at most from one point's to the next one's."""
LEAST_SIZE = 4
"""Bytes of an element at least, where lanes of several vectors are sorted."""


@dataclass(frozen=True)
class Run:
    """Where an access has the elements of neighbouring points: so many apart along contiguous memory."""

    step: int
    modes: int = 0
    """How many modes, the first ones, are one with that of the points, in front of which they are."""


@dataclass(frozen=True)
class Components:
    """Loads, or stores, that are executed together, as their elements lie among each other."""

    accesses: tuple[Load | Store, ...]
    """In the order of memory."""
    offsets: tuple[int, ...]
    """By how much each access lies behind the first one in memory."""
    run: Run
    first: Load | Store
    last: Load | Store
    """In the order of the text."""

    @property
    def tensor(self) -> Value:
        return self.accesses[0].tensor

    @property
    def are_complete(self) -> bool:
        """Whether they fill memory."""
        return len(self.accesses) == abs(self.run.step)

    def have_vectors(self, lanes: int) -> bool:
        """Whether they are worth whole vectors."""
        return self.are_complete or load_fewer(self.run, lanes, self.offsets[-1] + 1, len(self.accesses))

    def offset_of(self, access: Load | Store) -> int:
        return self.offsets[self.accesses.index(access)]


def run_of(op: Load | Store, variation: Variation, inside: set[Value]) -> Run | None:
    """How the elements of neighbouring points lie, where these are not simply one behind the other.

    `inside` are values of the `foreach` that the access is in.
    """
    type_ = op.tensor.type
    modes = [mode for mode, value in enumerate(op.indices) if variation.is_varying(value)]
    if len(modes) != 1 or not isinstance(type_.element, ScalarType) or (isinstance(op, Store) and op.flag):
        return None
    (mode,) = modes
    step, extents = variation.steps.get(op.indices[mode]), type_.shape[:mode]
    if step is None or not all(isinstance(extent, int) for extent in extents) or (mode and op.tensor in inside):
        return None
    if list(type_.strides[: mode + 1]) != [math.prod(extents[:k]) for k in range(mode + 1)]:
        return None
    step *= math.prod(extents)
    is_sorted = type_.element.size >= LEAST_SIZE and not type_.element.is_complex
    return Run(step, mode) if step == -1 or (is_sorted and 2 <= abs(step) <= MOST) else None


def vectors_of(run: Run, lanes: int, width: int = 1) -> int:
    """How many vectors hold all elements of so many points, of which each has some within a width."""
    return -(-((lanes - 1) * abs(run.step) + width) // lanes)


def load_fewer(run: Run, lanes: int, width: int = 1, count: int = 1) -> bool:
    """Whether to load whole vectors takes fewer instructions than to load the elements of so many accesses.

    Each vector has to be loaded, and to be joined with the others.
    """
    return 2 * vectors_of(run, lanes, width) <= lanes * count


def has_vectors(op: Load | Store, variation: Variation, inside: set[Value], lanes: int) -> bool:
    """Whether an access by itself is one to whole vectors, whose lanes are sorted."""
    run = run_of(op, variation, inside)
    if run is None:
        return False
    return load_fewer(run, lanes) if isinstance(op, Load) else run == Run(-1)


def is_contiguous(access: Load | Store, variation: Variation) -> bool:
    """Whether the lanes of an access are contiguous in memory."""
    modes = [mode for mode, value in enumerate(access.indices) if variation.is_varying(value)]
    if len(modes) != 1:
        return False
    return variation.is_consecutive(access.indices[modes[0]]) and access.tensor.type.strides[modes[0]] == 1


def is_line(access: Load | Store, variation: Variation) -> bool:
    """Whether the lanes of an access have one element, or elements that follow each other."""
    if variation.is_varying(access.tensor):
        return False
    return not variation.vary(access.indices) or is_contiguous(access, variation)


def accesses_apart(region: Region, variation: Variation, lanes: int) -> set[Load | Store]:
    """The accesses of a region whose elements are loaded or stored by themselves for each of so many lanes."""
    inside = values_inside(region)
    found = [each for each in components(region, variation, True) if each.have_vectors(lanes)]
    together = {access for each in found for access in each.accesses}
    return {
        op
        for op in _accesses(region.operations)
        if op not in together and not is_line(op, variation) and not has_vectors(op, variation, inside, lanes)
    }


def values_inside(region: Region) -> set[Value]:
    """The results of all instructions of a `foreach`, or of a loop."""
    return {value for inner in region.walk() for value in inner.results}


def have_components(body: Region, variation: Variation, are_apart: bool) -> bool:
    """Whether accesses are executed together, and the same ones as if different parameters shared no memory."""
    found = components(body, variation, True)
    return bool(found) and (are_apart or found == components(body, variation, False))


def components(body: Region, variation: Variation, are_apart: bool) -> list[Components]:
    """The accesses of a `foreach` that are executed together: loads at the first of them, and stores at the last.

    `are_apart` says that different parameters share no memory.
    """
    inside = values_inside(body)
    regions = [body, *(region for inner in body.walk() for region in inner.regions)]
    return [each for region in regions for each in _in_region(region, variation, inside, are_apart)]


def _in_region(region: Region, variation: Variation, inside: set[Value], are_apart: bool) -> Iterator[Components]:
    kinds: dict[tuple[object, ...], dict[int, Load | Store]] = {}
    groups: list[tuple[Run, dict[int, Load | Store]]] = []
    for op in region.operations:
        if not isinstance(op, (Load, Store)):
            continue
        run = run_of(op, variation, inside)
        place = None if run is None else _place(op, run)
        if run is None or place is None:
            continue
        others, offset = place
        key = (type(op), op.tensor, run, *others)
        group = kinds.get(key)
        if group is None or offset in group or max(offset, *group) - min(offset, *group) >= abs(run.step):
            group = kinds[key] = {}
            groups.append((run, group))
        group[offset] = op
        if len(group) == abs(run.step):
            del kinds[key]
    for run, group in groups:
        begin, listed = min(group), list(group.values())
        if len(group) < 2 or (isinstance(listed[0], Store) and len(group) != run.step):
            continue
        offsets = sorted(group)
        accesses = tuple(group[offset] for offset in offsets)
        together = Components(accesses, tuple(offset - begin for offset in offsets), run, listed[0], listed[-1])
        if _keep_order(together, region.operations, are_apart):
            yield together


def _place(op: Load | Store, run: Run) -> tuple[Sequence[Value], int] | None:
    """The place of an access in all but a number of elements, and this number; None where that is not known."""
    modes, strides = run.modes, op.tensor.type.strides
    components = [constant_of(value) for value in op.indices[:modes]]
    if None in components:
        return None
    base, number = _split(op.indices[modes])
    offset = sum(int(k) * int(stride) for k, stride in zip((*components, number), strides))
    return (base, *op.indices[modes + 1 :]), offset


def _split(value: Value) -> tuple[Value, int]:
    """An index as another one and a constant that is added to it."""
    number = 0
    while isinstance(value.owner, ArithBinary) and value.owner.variant in ("add", "sub"):
        op = value.owner
        a, b = constant_of(op.a), constant_of(op.b)
        if b is not None:
            value, number = op.a, number + (int(b) if op.variant == "add" else -int(b))
        elif a is not None and op.variant == "add":
            value, number = op.b, number + int(a)
        else:
            break
    return value, number


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
