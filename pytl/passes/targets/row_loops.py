"""Loops along contiguous memory in a `foreach` whose iterations may be lanes, where the order of sums is left open.

    for t in foreach(16):
        s = f32(0.0)
        for i in range(64):
            s = s + X[i, t]

The option `fastmath` leaves it open. Each point then has vectors of its own along its row: a lane sums every eighth
element, and the lanes are added up behind the loop. Several points are in step, so that no sum waits for another.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ...ir.operation import Operation
from ...ir.types import ScalarType, index
from ...ir.values import Value
from ...ops.arith import ArithBinary
from ...ops.constants import constant_of
from ...ops.control import For, If, Yield
from ...ops.math import Math
from ...ops.memory import Load, Store
from ...ops.regions import Foreach
from ..analysis.uniformity import Variation, variation_along, variation_of
from .machine import Machine
from .turned_loops import keep_order
from .vector_forms import has_vector_points

FEWEST_VECTORS = 2
"""Vectors of the shortest row that is worth it."""
LONGEST_UNROLLED = 24
"""Instructions of a loop whose vectors are more than one for each point: others have enough to do meanwhile."""
NEUTRAL = {"add": 0, "mul": 1, "or": 0, "xor": 0}
"""What changes no result of an operation. Others may have what they begin with several times."""


@dataclass(frozen=True)
class RowVectors:
    """How the loops of a `foreach` go along rows."""

    points: int
    """Points that are in step."""
    lanes: int
    """Elements of a vector."""
    vectors: int
    """Vectors of each point in an iteration of a loop that sums, at most."""


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
    together = lanes if points is None else 1 << points.bit_length() - 1
    together = max(min(together, lanes), 2)
    # the next pass over these rows finds them in the first-level cache
    row = 0 if len(known) < len(loops) else max(known) * _bytes_along(loops)
    while together > 2 and (not row or together * row > machine.caches.first_level // 2):
        together //= 2
    chains = round(machine.execution.fmas * machine.execution.fma_latency)
    return RowVectors(together, lanes, max(chains // together, 1))


def has_free_lanes(loop: For, variation: Variation, are_apart: bool) -> bool:
    """Whether the iterations of a loop may be lanes: each result is one that lanes may compute apart from each other.

    `variation` is that of the points.
    """
    step = 1 if loop.step is None else constant_of(loop.step)
    if loop.variable.type != index or step != 1 or variation.vary((loop.start, loop.stop)):
        return False
    if recurrences(loop) is None:
        return False
    along = variation_along(loop)
    operations = list(loop.body.walk())
    if not has_vector_points(loop, along):
        return False
    for op in operations:
        is_branch = isinstance(op, If) and all(inner.pure or isinstance(inner, Yield) for inner in _inside(op))
        if not (isinstance(op, (Load, Store, Yield)) or op.pure or is_branch):
            return False
    accesses = [op for op in operations if isinstance(op, (Load, Store))]
    if any(isinstance(op, Load) and op.is_item for op in accesses):
        return False
    rows = [op for op in accesses if _is_along(op, loop.variable, along)]
    is_uniform = all(op in rows or (isinstance(op, Load) and not along.vary(op.indices)) for op in accesses)
    return bool(rows) and is_uniform and keep_order(accesses, rows, are_apart)


def vectors_of(loop: For, most: int) -> int:
    """How many vectors of each point an iteration has, of so many at most."""
    operations = list(loop.body.walk())
    is_short = len(operations) <= LONGEST_UNROLLED and not any(isinstance(op, Math) for op in operations)
    return most if is_short and loop.results else 1


def recurrences(loop: For) -> list[str] | None:
    """The operation by which each carried number changes; None where one changes in another way.

    It is the only one that reads the number, or there are several in a row.
    """
    uses: dict[Value, list[Operation]] = {}
    for op in loop.body.walk():
        for value in op.operands:
            uses.setdefault(value, []).append(op)
    found = [_recurrence(carried, last, uses, loop) for carried, last in zip(loop.carried, loop.yielded)]
    return None if None in found else [each for each in found if each is not None]


def _recurrence(carried: Value, last: Value, uses: dict[Value, list[Operation]], loop: For) -> str | None:
    type_, family = carried.type, None
    if not isinstance(type_, ScalarType) or type_.is_complex:
        return None
    value = carried
    while value is not last:
        users = uses.get(value, [])
        if len(users) != 1 or not isinstance(users[0], ArithBinary) or users[0] not in loop.body.operations:
            return None
        op = users[0]
        variant = "add" if op.variant == "sub" and op.a is value else op.variant
        if variant not in (*NEUTRAL, "min", "max", "and") or family not in (None, variant):
            return None
        value, family = op.result, variant
    # what is handed on is read by nothing else
    return family if len(uses[last]) == 1 else None


def _is_along(op: Load | Store, variable: Value, along: Variation) -> bool:
    """Whether an access goes along the first mode with a loop's variable."""
    element = op.tensor.type.element
    if (
        not op.indices
        or not isinstance(element, ScalarType)
        or element.is_complex
        or (isinstance(op, Store) and op.flag)
    ):
        return False
    first, *others = op.indices
    return first is variable and op.tensor.type.strides[0] == 1 and not along.vary(others)


def _inside(op: If) -> Sequence[Operation]:
    return [inner for region in op.regions for inner in region.walk()]


def _extent(loop: For) -> int | None:
    start, stop = constant_of(loop.start), constant_of(loop.stop)
    return None if start is None or stop is None else max(int(stop) - int(start), 0)


def _bytes_along(loops: Sequence[For]) -> int:
    """Bytes of an element in all memory that loops go along."""
    accesses = [op for loop in loops for op in loop.body.walk() if isinstance(op, (Load, Store))]
    return sum(tensor.type.element.size for tensor in {op.tensor for op in accesses})
