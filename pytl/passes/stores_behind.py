"""Stores that all branches end with, as one store behind them.

    if %c {                                     %z = if %c -> (f32) {
      %a = arith.neg %x                           %a = arith.neg %x
      store %a, %Y[%i]                            yield (%a)
    } else {                            →       } else {
      store %x, %Y[%i]                            yield (%x)
    }                                           }
                                                store %z, %Y[%i]

Where the lanes of a vector diverge, each store is under a mask, and the one behind the branches is not.
"""

from __future__ import annotations

from ..ir.operation import Operation
from ..ir.values import Region, Value
from ..ops import If, Store, Yield
from ..ops.control import terminator
from .analysis.uses import replace_uses


def store_behind_branches(region: Region) -> None:
    """Move such stores behind the branches of a region, and of those in it."""
    replaced: dict[Value, Value] = {}
    _move(region, replaced)
    replace_uses(region, replaced)


def _move(region: Region, replaced: dict[Value, Value]) -> None:
    operations: list[Operation] = []
    for op in region.operations:
        for part in op.regions:
            _move(part, replaced)
        stores = _common_stores(op) if isinstance(op, If) and op.else_body is not None else []
        if isinstance(op, If) and stores:
            made = _without(op, stores)
            replaced.update(zip(op.results, made.results))
            operations.append(made)
            for (store, _), data in zip(stores, made.results[len(op.results) :]):
                store.data = data
                operations.append(store)
        else:
            operations.append(op)
    region.operations = operations


def _common_stores(op: If) -> list[tuple[Store, Store]]:
    """The last stores of both regions of a branch, as far as they are to the same elements; in order."""
    bodies = [list(part.operations) for part in op.regions]
    found: list[tuple[Store, Store]] = []
    while True:
        one, other = map(_last_store, bodies)
        if one is None or other is None or (one.tensor, *one.indices) != (other.tensor, *other.indices):
            return found[::-1]
        found.append((one, other))
        for body, store in zip(bodies, (one, other)):
            body.remove(store)


def _last_store(body: list[Operation]) -> Store | None:
    """The last instruction that accesses memory, or has regions, if it is a store."""
    last = next((op for op in reversed(body) if not isinstance(op, Yield) and (op.regions or not op.pure)), None)
    return last if isinstance(last, Store) and last.flag == "" else None


def _without(op: If, stores: list[tuple[Store, Store]]) -> If:
    """A branch that gives the numbers which it has stored, behind its own results."""
    parts = []
    for part, own in zip(op.regions, zip(*stores)):
        last = terminator(part)
        rest = [each for each in part.operations if each not in own and each is not last]
        end = Yield(op.location, yielded=[*(last.yielded if last else ()), *(store.data for store in own)])
        parts.append(Region(part.kind, [], [*rest, end], part.location))
    results = [*op.results, *(store.data for store, _ in stores)]
    types, names = [each.type for each in results], [each.name for each in results]
    return If(op.location, types, names, condition=op.condition, then_body=parts[0], else_body=parts[1])
