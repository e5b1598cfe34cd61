"""Components of small vectors, which lie side by side in memory, as a vector of lanes for each.

Whole vectors of memory are loaded and sorted by component, and interleaved before they are stored.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from ...ir.values import Value
from ...ops.reshape import Fuse
from . import access
from .access import Index, Lanes
from .code import Code, Number


def flat(code: Code, tensor: Value, modes: int) -> Value:
    """A tensor whose first mode has the components of all points, which are along the mode behind the first `modes`."""
    return code.once(("flat", tensor, modes), Fuse(code.location, tensor=tensor, first=0, last=modes))


def load(code: Code, tensor: Value, modes: int, at: Sequence[Index], lanes: Lanes) -> list[Value]:
    """The components of the points from one on, which has these indices behind the components': a vector for each."""
    count, memory = math.prod(tensor.type.shape[:modes]), flat(code, tensor, modes)
    point, *others = at
    vectors = [access.load(code, memory, at, part) for at, part in _parts(code, count, point.first, others, lanes)]
    return _sorted(code, vectors)


def store(code: Code, values: Sequence[Value], tensor: Value, modes: int, at: Sequence[Index], lanes: Lanes) -> None:
    """Store the components of the points from one on."""
    memory = flat(code, tensor, modes)
    point, *others = at
    vectors = _interleaved(code, values)
    for vector, (at, part) in zip(vectors, _parts(code, len(values), point.first, others, lanes)):
        if part.active != 0:
            access.store(code, vector, memory, at, part)


def _parts(
    code: Code, count: int, point: Number, others: Sequence[Index], lanes: Lanes
) -> list[tuple[list[Index], Lanes]]:
    """Where each vector of memory lies, and which of its lanes are active."""
    parts = []
    for k in range(count):
        first = code.plus(code.times(point, count), k * lanes.count)
        active = lanes.active
        if active is not None:
            active = code.minus(code.times(active, count), k * lanes.count)
            active = max(min(active, lanes.count), 0) if isinstance(active, int) else active
        parts.append(([Index(first, 1), *others], Lanes(lanes.count, active)))
    return parts


def _sorted(code: Code, vectors: list[Value]) -> list[Value]:
    """The lanes of vectors behind each other by their number, modulo how many vectors there are."""
    count, lanes = len(vectors), vectors[0].type.lanes
    if count % 2 == 0:
        pairs = list(zip(vectors[::2], vectors[1::2]))
        halves = [
            _sorted(code, [code.shuffle(a, b, range(odd, 2 * lanes, 2)) for a, b in pairs])
            if len(pairs) > 1
            else [code.shuffle(*pairs[0], range(odd, 2 * lanes, 2))]
            for odd in (0, 1)
        ]
        return [half[k] for k in range(count // 2) for half in halves]
    return [_picked(code, vectors, [lane * count + number for lane in range(lanes)]) for number in range(count)]


def _interleaved(code: Code, values: Sequence[Value]) -> list[Value]:
    """The reverse."""
    count, lanes = len(values), values[0].type.lanes
    if count % 2 == 0:
        of_even, of_odd = (_interleaved(code, values[odd::2]) if count > 2 else [values[odd]] for odd in (0, 1))
        turns = [lane // 2 + lanes * (lane % 2) for lane in range(2 * lanes)]
        pairs = zip(of_even, of_odd)
        return [code.shuffle(a, b, part) for a, b in pairs for part in (turns[:lanes], turns[lanes:])]
    numbers = [(place % count) * lanes + place // count for place in range(count * lanes)]
    return [_picked(code, values, numbers[k * lanes : (k + 1) * lanes]) for k in range(count)]


def _picked(code: Code, vectors: Sequence[Value], numbers: Sequence[int]) -> Value:
    """A vector of lanes of others, counted through all of them."""
    lanes = len(numbers)
    picked = vectors[0]
    places = [number if number < lanes else 0 for number in numbers]
    picked = code.shuffle(picked, picked, places)
    for k, vector in enumerate(vectors[1:], 1):
        own = {lane: number - k * lanes for lane, number in enumerate(numbers) if number // lanes == k}
        if own:
            picked = code.shuffle(picked, vector, [lanes + own[lane] if lane in own else lane for lane in range(lanes)])
    return picked
