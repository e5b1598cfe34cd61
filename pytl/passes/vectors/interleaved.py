"""Elements that lie so many apart from lane to lane, or in the reverse order, as vectors of lanes.

Whole vectors of memory are loaded and sorted in registers, and interleaved before they are stored. No vector reaches
beyond the elements of active lanes and what lies between them.
"""

from __future__ import annotations

from collections.abc import Sequence

from ...ir.types import bool_
from ...ir.values import Value
from ...ops.reshape import Fuse
from ...process.records import dataclass
from . import access
from .access import Index, Lanes
from .code import Code, Number


def flat(code: Code, tensor: Value, modes: int) -> Value:
    """A tensor whose first mode has the components of all points, which are along the mode behind the first `modes`."""
    return code.once(("flat", tensor, modes), Fuse(code.location, tensor=tensor, first=0, last=modes))


@dataclass(frozen=True)
class Place:
    """Where the elements of lanes lie: so many apart along the first mode of a tensor, from the first lane's on."""

    tensor: Value
    indices: tuple[Number, ...]
    step: int

    def behind(self, code: Code, distance: Number) -> list[Number]:
        """The indices of an element that lies behind that of the first lane."""
        return [code.plus(self.indices[0], distance), *self.indices[1:]]


def load(code: Code, place: Place, offsets: Sequence[int], lanes: Lanes) -> list[Value]:
    """For each offset a vector of the elements that lie so far behind those of the lanes; the least one is 0.

    All are less than a step.
    """
    span = _Span.of(code, place.step, offsets, lanes)
    type_ = code.vector(place.tensor.type.element, lanes.count)
    vectors = [
        code.load(place.tensor, place.behind(code, span.at(code, k)), type_, 0, mask, used=span.used(k))
        for k, mask in enumerate(span.masks)
    ]
    if place.step == len(offsets) == len(vectors) and place.step % 2 == 0 and not span.overlap:
        return _sorted(code, vectors)
    return [_picked(code, vectors, span.numbers(offset)) for offset in offsets]


@dataclass(frozen=True)
class _Span:
    """The vectors of memory that hold the elements of lanes."""

    lanes: int
    offsets: tuple[int, ...]
    order: tuple[int, ...]
    """By how many steps, made positive, each lane lies behind the begin."""
    step: int
    """The step, made positive."""
    low: Number
    """Where the vectors begin, behind the element of the first lane."""
    begins: tuple[int, ...]
    """Where each of them begins, behind the first one."""
    masks: tuple[Value | None, ...]

    @classmethod
    def of(cls, code: Code, step: int, offsets: Sequence[int], lanes: Lanes) -> _Span:
        lanes = lanes.counted()
        active = lanes.active
        count = active if isinstance(active, int) else lanes.count
        width, distance = max(offsets) + 1, abs(step)
        extent = (count - 1) * distance + width
        whole = range(0, max(extent - lanes.count, 0), lanes.count)
        # the last vector ends with the last element, and may overlap the one before
        begins = (*whole, max(extent - lanes.count, 0))
        order = tuple(range(count) if step > 0 else reversed(range(count)))
        low = 0 if step > 0 else (count - 1) * step
        masks: list[Value | None]
        if active is None or isinstance(active, int):
            masks = [code.mask(extent, lanes.count) if extent < lanes.count else None for _ in begins]
        elif lanes.has_mask:
            masks = [_spread(code, active, order, distance, offsets, begin) for begin in begins]
        elif step > 0:
            begins = tuple(k * lanes.count for k in range(len(begins)))
            reached = code.minus(code.times(active, distance), distance - width)
            masks = [code.mask(code.minus(reached, begin), lanes.count) for begin in begins]
        else:
            missing = code.times(code.minus(lanes.count, active), distance)
            masks = [code.unary("not", code.mask(code.minus(missing, begin), lanes.count)) for begin in begins]
        return cls(lanes.count, tuple(offsets), order, distance, low, begins, tuple(masks))

    @property
    def overlap(self) -> bool:
        """Whether two vectors have elements in common."""
        return any(begin % self.lanes for begin in self.begins)

    def at(self, code: Code, number: int) -> Number:
        """Where a vector begins, behind the element of the first lane."""
        return code.plus(self.low, self.begins[number])

    def used(self, number: int) -> list[int] | None:
        """The lanes of a vector that are elements of the points; None where all are."""
        begin = self.begins[number]
        elements = {turn * self.step + offset - begin for turn in self.order for offset in self.offsets}
        lanes = [lane for lane in range(self.lanes) if lane in elements]
        is_whole = lanes == list(range(min(self.lanes, max(elements) + 1)))  # nothing is loaded behind the last element
        return None if is_whole else lanes

    def numbers(self, offset: int) -> list[int]:
        """The lane of each element, counted through all vectors."""
        found = []
        for turn in self.order:
            element = turn * self.step + offset
            k = next(k for k, begin in enumerate(self.begins) if element < begin + self.lanes)
            found.append(k * self.lanes + element - self.begins[k])
        return found + found[:1] * (self.lanes - len(found))


def _spread(code: Code, mask: Value, order: Sequence[int], step: int, offsets: Sequence[int], begin: int) -> Value:
    """The mask of a vector of memory: of each element that of its lane, and not active between elements."""
    count = mask.type.lanes
    lane_of = {turn * step + offset: lane for lane, turn in enumerate(order) for offset in offsets}
    chosen = [lane_of.get(begin + k, count) for k in range(count)]
    none = code.zeros(bool_, count) if count in chosen else mask
    return code.shuffle(mask, none, chosen)


def store(code: Code, values: Sequence[Value], place: Place, lanes: Lanes) -> None:
    """Store the elements of the lanes, which fill memory together; a vector for each element of a step."""
    lanes = lanes.counted()
    step, count, active = place.step, lanes.count, lanes.active
    vectors = _interleaved(code, values)
    for k, value in enumerate(vectors):
        part: Number | None = active
        if lanes.has_mask:
            part = _spread(code, active, range(count), step, range(step), k * count)  # type: ignore[arg-type]
        elif active is not None:
            part = code.minus(code.times(active, step), k * count)
            part = max(min(part, count), 0) if isinstance(part, int) else part
        if part != 0:
            at = [Index(index, int(mode == 0)) for mode, index in enumerate(place.behind(code, k * count))]
            access.store(code, value, place.tensor, at, Lanes(count, part))


def store_reversed(code: Code, value: Value, place: Place, lanes: Lanes) -> None:
    """Store the elements of the lanes, each in front of the one before."""
    lanes = lanes.counted()
    active = lanes.active
    last = (active if isinstance(active, int) else lanes.count) - 1
    value = code.shuffle(value, value, [max(last - lane, 0) for lane in range(lanes.count)])
    if lanes.has_mask:
        active = _spread(code, active, range(last, -1, -1), 1, [0], 0)  # type: ignore[arg-type]
    elif isinstance(active, Value):
        active = code.unary("not", code.mask(code.minus(lanes.count, active), lanes.count))
    at = [Index(index, int(mode == 0)) for mode, index in enumerate(place.behind(code, -last))]
    access.store(code, value, place.tensor, at, Lanes(lanes.count, active))


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
