"""Loops along contiguous memory in a `foreach` whose iterations may be lanes, where the order of sums is left open.

    for t in foreach(16):
        s = f32(0.0)
        for i in range(64):
            s = s + X[i, t]

The option `fastmath` leaves it open. Each point then has vectors of its own along its row: a lane sums every eighth
element, and the lanes are added up behind the loop. Points with short rows are in step, so that no sum waits for
another, and what is computed once for a row is done in vectors. Long rows are executed one after the other, each with
several vectors of sums, or few of them in step: the memory of a row is contiguous, that of rows in step are as many
streams, whose addresses often fall into the same sets of a cache.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import inf

from ...ir.operation import Operation
from ...ir.types import MemrefType, ScalarType
from ...ir.values import Region, Value
from ...ops.arith import ArithBinary, Cast, Compare
from ...ops.constants import constant_of
from ...ops.control import ANY_ORDER, For, If, Yield, terminator
from ...ops.math import Math
from ...ops.memory import Load, Store
from ...ops.regions import Foreach
from ...ops.views import root_of
from ...process.records import dataclass
from ..analysis.uniformity import Variation, variation_along, variation_of
from .machine import Machine
from .turned_loops import goes_along, has_shared_range, keep_order
from .vector_forms import has_vector_points

FEWEST_VECTORS = 2
"""Vectors of the shortest row that is worth it."""
BYTES_ALONE = 512
"""Bytes of a row's vectors from which on the rows are executed one after the other. What is computed once for a row
takes longer than to load fewer.
"""
TOGETHER = 4
"""Long rows that are in step, if they come from the second-level cache: what is computed once a row takes a part of the
time then."""
STREAMS = {64: 1, 16: 2, 0: TOGETHER}
"""The same beyond that cache, by the fewest vectors that a row has: lines of rows in step come in an order that the
processor's prefetchers follow less well."""
IN_CACHES = 10
"""How many times the second-level cache all memory has there at most."""
LONGEST_UNROLLED = 24
"""Instructions of a loop whose vectors are more than one for each point: others have enough to do meanwhile."""
UNROLLED = 4
"""Vectors of an iteration of a loop that sums nothing."""
NEUTRAL = {"add": -0.0, "mul": 1, "or": 0, "xor": 0}
"""What changes no result of an operation, nor a zero's sign. Others may have what they begin with several times."""
CHOSEN = "chosen"
_TURNED = {"gt": "lt", "lt": "gt"}


@dataclass(frozen=True)
class RowVectors:
    """How the loops of a `foreach` go along rows."""

    points: int
    """Points that are in step; with one, everything else is computed in numbers."""
    lanes: int
    """Elements of a vector."""
    vectors: int
    """Vectors of each point in an iteration of a loop that sums, at most."""


@dataclass(frozen=True)
class Recurrence:
    """How a number that a loop carries changes: by an operation, or if another is larger or smaller than it, or to
    either of both as instructions choose.
    """

    number: int
    """Which of the carried ones it is."""
    variant: str
    """The operation, or the comparison of another number with it; `CHOSEN` where instructions choose."""
    place: int | None = None
    """Which of the carried ones is the iteration that the number is from."""
    branch: If | None = None
    """What chooses between both numbers."""
    element: Value | None = None
    """The other number."""
    iteration: Value | None = None
    """The number of the iteration, in the type of the place."""
    operations: Sequence[Operation] = ()
    """What chooses, of which it does not matter in which order numbers come."""

    def is_exact(self, type_: ScalarType) -> bool:
        """Whether the result does not depend on the order. The least of 0.0 and -0.0 is either in any order."""
        return self.place is not None or type_.is_integer or self.variant in ("min", "max")


def row_vectors(op: Foreach, machine: Machine, lanes: int, points: int | None, are_apart: bool) -> RowVectors | None:
    """How the loops of a `foreach` go along rows; None where they don't, or it is not worth it.

    Vectors have so many lanes. `points` is the number of points, where that is known; `are_apart` says that different
    parameters share no memory.
    """
    variation = variation_of(op)
    loops = [inner for inner in op.body.walk() if isinstance(inner, For)]
    if not any(loop.results for loop in loops) or not has_vector_points(op, variation):
        return None
    if any(loop not in op.body.operations for loop in loops):
        return None
    if not all(has_free_lanes(loop, variation, are_apart) for loop in loops):
        return None
    extents = [_extent(loop) for loop in loops]
    known = [extent for extent in extents if extent is not None]
    if known and max(known) < FEWEST_VECTORS * lanes:
        return None
    is_alone = len(known) < len(loops) or max(known) >= vectors_alone(machine) * lanes or points == 1
    most = lanes
    if is_alone:
        most = _in_step(max(known, default=0) // lanes, _bytes_of(op), machine)
    together = most if points is None else min(1 << points.bit_length() - 1, most)
    return RowVectors(together, lanes, max(chains_of(machine, is_alone) // together, 1))


def vectors_alone(machine: Machine) -> int:
    """Vectors of a row from which on the rows are executed one after the other."""
    return BYTES_ALONE // machine.register_bytes


def is_in_caches(op: Foreach, machine: Machine) -> bool:
    """Whether all that a `foreach` accesses is known to be short enough for the caches of several cores."""
    return _bytes_of(op) <= IN_CACHES * machine.caches.second_level


def _bytes_of(op: Foreach) -> float:
    """Bytes of all memory that a `foreach` accesses, infinitely many where that is not known."""
    roots = {root_of(each.tensor) for each in op.body.walk() if isinstance(each, (Load, Store))}
    if not all(isinstance(root.type, MemrefType) and root.type.has_static_shape for root in roots):
        return inf
    return float(sum(root.type.count * root.type.element.size for root in roots))


def _in_step(vectors: int, size: float, machine: Machine) -> int:
    """How many long rows are in step, with so many vectors each, and so many bytes together with all other memory."""
    if size <= machine.caches.second_level:
        return TOGETHER
    if size <= IN_CACHES * machine.caches.second_level:
        return next(rows for fewest, rows in STREAMS.items() if vectors >= fewest)
    return 1


def has_free_lanes(loop: For, variation: Variation, are_apart: bool) -> bool:
    """Whether the iterations of a loop may be lanes: each result is one that lanes may compute apart from each other.

    `variation` is that of the points.
    """
    found = recurrences(loop) if has_shared_range(loop, variation) else None
    if found is None:
        return False
    along = variation_along(loop)
    operations = list(loop.body.walk())
    if not has_vector_points(loop, along):
        return False
    for op in operations:
        has_lanes = isinstance(op, (Load, Store, Yield)) or op.pure or any(op is each.branch for each in found)
        if not has_lanes and not (isinstance(op, If) and _stores_nothing(op)):  # what is in it is asked for by itself
            return False
    accesses = [op for op in operations if isinstance(op, (Load, Store))]
    if any(isinstance(op, Load) and op.is_item for op in accesses):
        return False
    rows = [op for op in accesses if goes_along(op, loop.variable) and not along.vary(op.indices[1:])]
    is_uniform = all(op in rows or (isinstance(op, Load) and not along.vary(op.indices)) for op in accesses)
    return bool(rows) and is_uniform and keep_order(accesses, rows, are_apart)


def are_free(op: Foreach) -> bool:
    """Whether the order of iterations is left open, or changes no result, in all loops of a `foreach` with results."""
    loops = [inner for inner in op.body.walk() if isinstance(inner, For) and inner.results]
    return bool(loops) and all(map(is_free, loops))


def is_free(loop: For) -> bool:
    """Whether the order of a loop's iterations is left open, or changes no result."""
    if loop.attributes.get(ANY_ORDER) is True:
        return True
    found = recurrences(loop) or []
    return bool(found) and all(each.is_exact(loop.carried[each.number].type) for each in found)


def free_loops(op: Foreach, variation: Variation, lanes: int, are_apart: bool) -> list[For]:
    """The loops with results of a `foreach` that may go along rows beside others, whose sums keep their order."""
    return [
        loop
        for loop in op.body.operations
        if isinstance(loop, For) and loop.results and is_free(loop) and has_free_lanes(loop, variation, are_apart)
        if loop.trips is None or loop.trips >= FEWEST_VECTORS * lanes
    ]


def is_along_rows(loop: For, variation: Variation) -> bool:
    """Whether a loop of a `foreach` is one of these, for passes behind the one that has found them."""
    is_open = loop.attributes.get(ANY_ORDER) is True and bool(loop.results)
    return is_open and has_free_lanes(loop, variation, True)


def chains_of(machine: Machine, is_alone: bool) -> int:
    """How many vectors of sums are under way at once, so that none waits for another one."""
    # memory beyond the first-level cache gives about a vector per cycle
    return round((1 if is_alone else machine.execution.fmas) * machine.execution.fma_latency)


def vectors_of(loop: For, most: int) -> int:
    """How many vectors of each point an iteration has, of so many at most."""
    operations = list(loop.body.walk())
    if len(operations) > LONGEST_UNROLLED or any(isinstance(op, Math) for op in operations):
        return 1
    return max(most // len(loop.results), 1) if loop.results else min(most, UNROLLED)


def recurrences(loop: For) -> list[Recurrence] | None:
    """How what a loop carries changes; None where something changes in another way.

    The operations of a recurrence are the only ones that read what is carried.
    """
    uses: dict[Value, list[Operation]] = {}
    for op in loop.body.walk():
        for value in op.operands:
            uses.setdefault(value, []).append(op)
    found: list[Recurrence] = []
    for number in range(len(loop.carried)):
        if any(number in (other.number, other.place) for other in found):
            continue
        recurrence = _summed(loop, number, uses) or _chosen(loop, number, uses) or _selected(loop, number, uses)
        if recurrence is None:
            return None
        found.append(recurrence)
    return found


def _summed(loop: For, number: int, uses: dict[Value, list[Operation]]) -> Recurrence | None:
    """A number to which others are added, or with which another operation is done, maybe several times or under a
    condition.
    """
    carried, last = loop.carried[number], loop.yielded[number]
    if not isinstance(carried.type, ScalarType) or carried.type.is_complex:
        return None
    found = _followed(loop.body, carried, uses)
    if found is None or found[0] is not last:
        return None
    return Recurrence(number, found[1].pop()) if len(found[1]) == 1 else None


def _followed(region: Region, value: Value, uses: dict[Value, list[Operation]]) -> tuple[Value, set[str]] | None:
    """What becomes of a number at the end of a region, and by which operations; None where something else reads it on
    the way.
    """
    variants = set[str]()
    inside = set(region.walk())
    while True:
        users = [op for op in uses.get(value, ()) if op in inside]
        branch = next((op for op in region.operations if isinstance(op, If) and _has_all(op, users)), None)
        if branch is not None:
            ends = [_followed(body, value, uses) for body in branch.regions]
            given = {_slot(body, end[0]) for body, end in zip(branch.regions, ends) if end is not None}
            if len(ends) != 2 or None in ends or len(given) != 1:
                return None
            variants.update(*(end[1] for end in ends if end is not None))
            value = branch.results[given.pop()]
        elif len(users) == 1 and isinstance(users[0], ArithBinary) and users[0] in region.operations:
            variant = "add" if users[0].variant == "sub" and users[0].a is value else users[0].variant
            if variant not in (*NEUTRAL, "min", "max", "and"):
                return None
            variants.add(variant)
            value = users[0].result
        elif len(users) == 1 and users[0] is terminator(region):
            return value, variants
        else:
            return None


def _has_all(branch: If, operations: Sequence[Operation]) -> bool:
    """Whether some operations, which are not none, are in the regions of a branch."""
    inside = {inner for region in branch.regions for inner in region.walk()}
    return bool(operations) and inside.issuperset(operations)


def _slot(region: Region, value: Value) -> int:
    """Which of the values that a region gives one is."""
    last = terminator(region)
    assert last is not None
    return list(last.yielded).index(value)


def _chosen(loop: For, number: int, uses: dict[Value, list[Operation]]) -> Recurrence | None:
    """The largest or smallest number with the iteration that has it first."""
    op = loop.yielded[number].owner
    if not isinstance(op, If) or op not in loop.body.operations or len(op.results) != 2 or op.else_body is None:
        return None
    if any(value not in loop.yielded or len(uses[value]) != 1 for value in op.results):
        return None
    slots = [loop.yielded.index(value) for value in op.results]
    kept, given = (list(last.yielded) if (last := terminator(body)) else [] for body in (op.else_body, op.then_body))
    carried = [loop.carried[slot] for slot in slots]
    if kept != carried or len(op.else_body.operations) != 1:
        return None
    condition = op.condition.owner
    if not isinstance(condition, Compare) or condition.variant not in _TURNED:
        return None
    for which in (0, 1):
        value, place = carried[which], carried[1 - which]
        if value not in condition.operands or not {type(each) for each in uses[value]} <= {Compare, Yield}:
            continue
        element = condition.a if condition.b is value else condition.b
        variant = condition.variant if condition.b is value else _TURNED[condition.variant]
        is_alone = len(uses[value]) == 2 and len(uses[place]) == 1 and _gives_only(op, given)
        if is_alone and _is_same(given[which], element, loop) and _counts(given[1 - which], loop.variable):
            return Recurrence(slots[which], variant, slots[1 - which], op, element, given[1 - which])
    return None


def _selected(loop: For, number: int, uses: dict[Value, list[Operation]]) -> Recurrence | None:
    """A number that stays, or becomes another one, by comparisons and branches: the largest one, or a nan if there is
    one. Only where a loop says that the order is open.
    """
    if loop.attributes.get(ANY_ORDER) is not True:
        return None
    carried, last = loop.carried[number], loop.yielded[number]
    of_either, tests, others, chosen = {carried}, set[Value](), dict[Value, None](), list[Operation]()
    for op in loop.body.operations:
        read = {value for inner in (op, *(each for region in op.regions for each in region.walk()))
                for value in inner.operands}  # fmt: skip
        if isinstance(op, Yield) or not read & (of_either | tests):
            continue
        is_choice = isinstance(op, If) and all(len(region.operations) == 1 for region in op.regions)
        if isinstance(op, Compare) or (is_choice and op.condition in tests):
            others.update(dict.fromkeys(value for value in read if value not in of_either | tests))
            (of_either if is_choice else tests).update(op.results)
        elif isinstance(op, ArithBinary) and read <= tests:
            tests.update(op.results)
        else:
            return None
        chosen.append(op)
    inside = {inner for op in chosen for inner in (op, *(each for region in op.regions for each in region.walk()))}
    is_alone = all(user in inside for value in of_either | tests if value is not last for user in uses.get(value, ()))
    if len(others) != 1 or last not in of_either or last is carried or len(uses[last]) != 1 or not is_alone:
        return None
    return Recurrence(number, CHOSEN, element=next(iter(others)), operations=chosen)


def _is_same(value: Value, other: Value, loop: For) -> bool:
    """Whether two values are one number: loads of the same element are, in a loop that stores nothing."""
    if value is other:
        return True
    a, b = value.owner, other.owner
    if not isinstance(a, Load) or not isinstance(b, Load) or any(isinstance(op, Store) for op in loop.body.walk()):
        return False
    return a.tensor is b.tensor and list(a.indices) == list(b.indices)


def _counts(value: Value, variable: Value) -> bool:
    """Whether a value is the number of the iteration."""
    op = value.owner
    if isinstance(op, Cast) and op.operand is variable:
        # in narrow types iterations far apart have the same number
        return bool(op.result.type.is_integer and op.result.type.size >= 4)
    return value is variable


def _gives_only(op: If, given: Sequence[Value]) -> bool:
    """Whether a branch computes nothing but what it gives."""
    inside = [each for each in op.then_body.operations if not isinstance(each, Yield)]
    return all(isinstance(each, (Load, Cast)) and each.results[0] in given for each in inside)


def _stores_nothing(op: If) -> bool:
    return not any(isinstance(inner, Store) for region in op.regions for inner in region.walk())


def _extent(loop: For) -> int | None:
    start, stop = constant_of(loop.start), constant_of(loop.stop)
    return None if start is None or stop is None else max(int(stop) - int(start), 0)
