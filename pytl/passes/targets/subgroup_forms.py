"""Which points of a `foreach` the work-items of sub-groups execute together, and how."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from ...ir.types import ScalarType, index
from ...ir.values import Value
from ...ops.arith import ArithBinary
from ...ops.constants import constant_of
from ...ops.control import For
from ...ops.launch_defaults import DEFAULT_SUBGROUP_SIZE
from ...ops.memory import Load, Store
from ...ops.regions import Foreach
from ...process.records import dataclass
from ..analysis.uniformity import Variation, variation_along, variation_of
from .vector_forms import has_vector_points

MAX_AT_ONCE = 4
"""Points of a line that a work-item executes in an iteration."""
MAX_WRITTEN = 128
"""Instructions of these at most."""


@dataclass(frozen=True)
class Combination:
    """How a loop puts numbers together in a value that it carries."""

    variant: str
    number: Value


def combinations_of(loop: For) -> list[Combination]:
    """What a loop puts together, for each value that it carries; none if it does anything else with one.

    Sums of f16 and bf16 are rounded after each addition, and those of complex numbers are left as they are.
    """
    uses = Counter(value for op in loop.body.walk() for value in op.operands)
    found: list[Combination] = []
    for carried, yielded in zip(loop.carried, loop.yielded):
        op = yielded.owner
        if not (isinstance(op, ArithBinary) and op in loop.body.operations and op.variant in ("add", "max", "min")):
            return []
        others = [value for value in (op.a, op.b) if value is not carried]
        type_ = carried.type
        is_exact = isinstance(type_, ScalarType) and not type_.is_complex and (type_.is_integer or type_.size > 2)
        if len(others) != 1 or uses[carried] != 1 or uses[yielded] != 1 or not is_exact:
            return []
        found.append(Combination(op.variant, others[0]))
    return found


def has_lines(op: Foreach, size: int, several: bool = False) -> bool:
    """Whether lines of a known length keep half of a sub-group's work-items busy, at least, or `several` at a time do.

    Where all points do not, what finds them one by one serves as well.
    """
    start, stop = constant_of(op.start[0]), constant_of(op.stop[0])
    if start is None or stop is None or not has_vector_points(op, variation_of(op)):
        return False
    return 2 * (stop - start) >= size or (several and stop > start)


def has_sums_along(op: Foreach) -> bool:
    """Whether each point puts contiguous numbers together, while those of neighbouring points lie apart."""
    variation = variation_of(op)
    loops = [inner for inner in op.body.operations if isinstance(inner, For)]
    inside = [inner for inner in op.body.walk() if isinstance(inner, For)]
    if not loops or len(inside) != len(loops) or not has_vector_points(op, variation):
        return False
    last = op.body.operations.index(loops[-1])
    if any(isinstance(inner, Store) for before in op.body.operations[: last + 1] for inner in _all(before)):
        return False
    return all(_is_along(loop, variation) for loop in loops)


def _all(op: object) -> Sequence[object]:
    return [op, *(inner for region in op.regions for inner in region.walk())]  # type: ignore[attr-defined]


def _is_along(loop: For, variation: Variation) -> bool:
    first, stop = constant_of(loop.start), constant_of(loop.stop)
    is_short = first is not None and stop is not None and stop - first < DEFAULT_SUBGROUP_SIZE
    step = 1 if loop.step is None else constant_of(loop.step)
    if is_short or step != 1 or loop.variable.type != index or not combinations_of(loop):
        return False
    along = variation_along(loop)
    loads = [op for op in loop.body.walk() if isinstance(op, Load) and op.indices and op.tensor.type.strides[0] == 1]
    has_neighbours = any(variation.is_consecutive(op.indices[0]) for op in loads)
    return not has_neighbours and any(
        along.is_consecutive(op.indices[0]) and variation.vary(op.indices[1:]) for op in loads
    )


def points_at_once(op: Foreach) -> int:
    """How many points of a line a work-item executes in an iteration."""
    body = list(op.body.walk())
    return 1 if any(isinstance(inner, For) for inner in body) else max(1, min(MAX_AT_ONCE, MAX_WRITTEN // len(body)))
