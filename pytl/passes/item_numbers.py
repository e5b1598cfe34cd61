"""Functions whose work-groups compute numbers alone: what is copied for many of them at once, and if that gains."""

from __future__ import annotations

import math
from collections.abc import Sequence

from ..ir.values import Function, Value
from ..ops import Builtin, Foreach, Load, Store
from ..ops.views import root_of
from ..process.records import dataclass
from .analysis.uniformity import variation_among_groups
from .cpu_items import counted
from .diverging_loops import COMPUTE
from .targets.costs import ItemCosts
from .targets.interleaved import components, has_vectors, is_line, values_inside


def has_numbers_alone(function: Function) -> bool:
    """Whether a work-group has no points of a `foreach`, and uses its number."""
    operations = list(function.walk())
    return any(isinstance(op, Builtin) for op in operations) and not any(isinstance(op, Foreach) for op in operations)


@dataclass(frozen=True)
class Copies:
    """What is copied for work-groups that are lanes."""

    tensors: Sequence[Value]
    """The tensors whose parts are copied. For numbers, a work-group accesses most elements of such a part, and they lie
    otherwise than lanes have them.
    """
    from_caches_alone: bool
    """Whether so little is computed that work-groups are no lanes where their parts come from memory."""


def worth_copying(function: Function, tensors: Sequence[Value], costs: ItemCosts, lanes: int) -> Copies | None:
    """What is copied of tensors of which a work-group accesses its own part alone; None where lanes do not gain."""
    numbers = {op.result for op in function.walk() if isinstance(op, Builtin)}
    variation = variation_among_groups(function.body, numbers)
    inside = values_inside(function.body)
    found = [each for each in components(function.body, variation, True) if each.have_vectors(lanes)]
    together = {access for each in found for access in each.accesses}
    computed, accessed = 0, dict[Value, int]()
    for op, times in counted(function.body, 1, costs.unknown):
        if isinstance(op, COMPUTE):
            computed += times
        elif isinstance(op, (Load, Store)) and op not in together:
            if is_line(op, variation) or has_vectors(op, variation, inside, lanes):
                continue
            accessed[root_of(op.tensor)] = accessed.get(root_of(op.tensor), 0) + times
    copied = [each for each in tensors if 2 * accessed.get(each, 0) >= _elements_of(each)]
    elements = sum(_elements_of(each) if each in copied else times for each, times in accessed.items())
    if computed < costs.min_computed * elements:
        return None
    size = sum(_elements_of(each) * each.type.element.size for each in copied)
    is_little = computed < costs.min_computed_streaming * elements
    return Copies(copied, is_little and size > costs.max_copied_streaming)


def _elements_of(tensor: Value) -> int:
    """The elements of a work-group's part of a tensor."""
    return math.prod(tensor.type.shape[:-1])
