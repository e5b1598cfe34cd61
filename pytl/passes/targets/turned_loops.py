"""Loops along contiguous memory in a `foreach` whose points lie a stride apart: the loops of reductions of rows.

    for t in foreach(16):
        s = f32(0.0)
        for i in range(64):
            s = s + X[i, t]

The lanes of a vector are points `t`, so that each sum keeps its order. What neighbouring points read in one iteration
lies a row apart, and what one point reads in successive iterations is contiguous. As many iterations as a vector has
lanes read a square block, of which each row is loaded at once; it is *turned* in registers. Stores likewise.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from ...ir.operation import Operation
from ...ir.types import DYNAMIC, ScalarType, index
from ...ir.values import Value
from ...ops.constants import constant_of
from ...ops.control import For, Yield
from ...ops.memory import Load, Store
from ...ops.regions import Foreach
from ...ops.views import root_of
from ..analysis.overlap import may_share
from ..analysis.uniformity import Variation
from .machine import Caches

MAX_WRITTEN = 1024
"""Instructions of a block at most, which is written out."""
LONG_ROW = 16
"""Blocks of a row from which on it is long."""
PAGE = 4096


def has_turned_loops(op: Foreach, variation: Variation, lanes: int, are_apart: bool) -> bool:
    """Whether a loop in a `foreach` is executed by such blocks."""
    return any(isinstance(inner, For) and turned(inner, variation, lanes, are_apart) for inner in op.body.walk())


def turned(loop: For, variation: Variation, lanes: int, are_apart: bool) -> Sequence[Load | Store]:
    """The loads and stores of a loop that go by blocks; none where accesses may not be moved past each other.

    `are_apart` says that different parameters share no memory.
    """
    operations = list(loop.body.walk())
    if not has_shared_range(loop, variation) or len(operations) * lanes > MAX_WRITTEN:
        return ()
    if not all(isinstance(op, (Load, Store, Yield)) or op.pure or op.regions for op in operations):
        return ()
    inside = {loop.variable, *loop.carried, *(value for op in operations for value in op.results)}
    found = [op for op in loop.body.operations if _is_turned(op, loop.variable, inside, variation)]
    accesses = [op for op in operations if isinstance(op, (Load, Store))]
    if any(isinstance(op, Load) and op.is_item for op in accesses) or not keep_order(accesses, found, are_apart):
        return ()
    return found


def crowd_cache(op: Foreach, variation: Variation, lanes: int, caches: Caches, are_apart: bool) -> bool:
    """Whether the lines of a block, in all such loops of a `foreach`, have one place in the first-level cache, which
    keeps fewer of them.

    A vector that begins in the middle of a line takes a part of the next one, which is evicted before the next block
    needs it. What iterations up to a line cost, which are executed one by one, is little for long rows.
    """
    loops = [loop for loop in op.body.operations if isinstance(loop, For) and loop.results]
    blocks = [(loop, accesses) for loop in loops if (accesses := turned(loop, variation, lanes, are_apart))]
    return bool(blocks) and all(
        (loop.trips or 0) >= LONG_ROW * lanes and all(_crowds(each, lanes, caches) for each in accesses)
        for loop, accesses in blocks
    )


def _crowds(op: Load | Store, lanes: int, caches: Caches) -> bool:
    strides, size = op.tensor.type.strides[1:], op.tensor.type.element.size
    is_aligned = root_of(op.tensor).attributes.get("alignment", 1) % caches.line == 0
    if is_aligned or not strides or DYNAMIC in strides:
        return False
    # a place is that of an address within a page; of each the cache keeps as many lines as it has pages
    return lanes * math.gcd(*(stride * size for stride in strides), PAGE) > caches.first_level


def has_shared_range(loop: For, variation: Variation) -> bool:
    """Whether a loop goes through the same indices one by one for all points."""
    step = 1 if loop.step is None else constant_of(loop.step)
    return loop.variable.type == index and step == 1 and not variation.vary((loop.start, loop.stop))


def goes_along(op: Load | Store, variable: Value) -> bool:
    """Whether an access to real numbers, which adds to none, goes through contiguous memory with a loop's variable."""
    type_ = op.tensor.type
    if not op.indices or not isinstance(type_.element, ScalarType) or type_.element.is_complex:
        return False
    is_update = isinstance(op, Store) and bool(op.flag)
    return not is_update and op.indices[0] is variable and bool(type_.strides[0] == 1)


def _is_turned(op: Operation, variable: Value, inside: set[Value], variation: Variation) -> bool:
    """Whether an access goes along the first mode with a loop's variable, and along another one with the points."""
    if not isinstance(op, (Load, Store)) or op.tensor in inside or not goes_along(op, variable):
        return False
    others = op.indices[1:]
    of_points = [value for value in others if variation.is_varying(value)]
    return len(of_points) == 1 and variation.is_consecutive(of_points[0]) and inside.isdisjoint(others)


def keep_order(accesses: Sequence[Load | Store], found: Sequence[Operation], are_apart: bool) -> bool:
    """Whether all loads of a block may come first, and all stores last."""
    for store in accesses:
        if not isinstance(store, Store):
            continue
        root = root_of(store.tensor)
        for op in accesses:
            other = root_of(op.tensor)
            if other is not root:
                if may_share(store.tensor, op.tensor, are_apart):
                    return False
            elif op is not store:
                # of one element, which is loaded and then stored
                same = op.tensor is store.tensor and list(op.indices) == list(store.indices)
                if not same or op not in found or isinstance(op, Store):
                    return False
                if accesses.index(op) > accesses.index(store):
                    return False
        if store not in found:
            return False
    return True
