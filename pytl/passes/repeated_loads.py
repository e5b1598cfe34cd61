"""Loads of an element that was loaded or stored just before, and has not changed since."""

from __future__ import annotations

from ..ir.values import Region, Value
from ..ops import For, If, Load, Store
from .analysis.overlap import may_share
from .analysis.uses import replace_uses


def merge_repeated_loads(region: Region, are_apart: bool) -> None:
    """Let what an instruction loads again be what is known of the element.

    `are_apart` says that different parameters share no memory.
    """
    replaced: dict[Value, Value] = {}
    _merge(region, {}, are_apart, replaced)
    if replaced:
        replace_uses(region, replaced)


def _merge(region: Region, known: dict[tuple[Value, ...], Value], apart: bool, replaced: dict[Value, Value]) -> None:
    """The same, where elements are `known` by their tensors and indices."""
    kept = []
    for op in region.operations:
        if isinstance(op, (Load, Store)):
            place = (op.tensor, *(replaced.get(value, value) for value in op.indices))
        if isinstance(op, Load) and place in known:
            replaced[op.result] = known[place]
            continue
        kept.append(op)
        if isinstance(op, Load):
            known[place] = op.result
        elif isinstance(op, Store):
            known = _unchanged(known, [op.tensor], apart)
            if op.flag == "":
                known[place] = replaced.get(op.data, op.data)
        elif isinstance(op, (For, If)):
            inside = [value for part in op.regions for inner in part.walk() for value in inner.written_memory()]
            unchanged = _unchanged(known, inside, apart)
            for part in op.regions:  # a loop's iteration comes behind the one before
                _merge(part, dict(known if isinstance(op, If) else unchanged), apart, replaced)
            known = unchanged
        elif not op.pure:
            known = {}
    region.operations = kept


def _unchanged(
    known: dict[tuple[Value, ...], Value], written: list[Value], apart: bool
) -> dict[tuple[Value, ...], Value]:
    return {
        place: value
        for place, value in known.items()
        if not any(may_share(place[0], tensor, apart) for tensor in written)
    }
