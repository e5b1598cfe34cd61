"""Elements of memory that work-items have: loads and stores under a mask."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ...ir.types import ScalarType, i32, index
from ...ir.values import Value
from ...ops import AtomicUpdate, SubgroupBuiltin
from ...ops.builder import Builder
from ...ops.constants import constant_of, zero_of
from .types import LANES, CoopMatrixType, SpreadType
from .values import Spread


def lane_number(builder: Builder) -> Value:
    """The number of the work-item in its sub-group."""
    own = builder.add(SubgroupBuiltin(builder.location, [i32], variant="subgroup_local_id")).results[0]
    return builder.cast(own, index)


def _guard(builder: Builder, count: int, slot: int, mask: Value | None) -> Value | None:
    """Whether a work-item has an element of this turn: by the mask, and as it is one of so many elements."""
    left = count - slot * LANES
    if left >= LANES:
        return mask
    own = builder.compare("lt", lane_number(builder), builder.constant(index, left))
    return own if mask is None else builder.arith("and", own, mask)


def load_elements(
    builder: Builder, memory: Value | None, indices: Sequence[Value], count: int, element: ScalarType,
    masks: Sequence[Value] | None, chunk: int = 1,
) -> list[Value]:  # fmt: skip
    """Elements of memory, `chunk` of them one behind the other at each place; 0 where nothing is read."""
    elements: list[Value] = []
    assert memory is not None
    for slot, position in enumerate(indices):
        guard = _guard(builder, count, slot, masks[slot] if masks is not None else None)

        def read(inner: Builder, position: Value = position) -> list[Value]:
            return [inner.load(memory, [_offset_by(inner, position, number)]) for number in range(chunk)]

        elements += _predicated(builder, guard, element, chunk, read)
    return elements


def store_elements(
    builder: Builder, memory: Value | None, indices: Sequence[Value], values: Sequence[Value], count: int,
    masks: Sequence[Value] | None, chunk: int = 1,
) -> None:  # fmt: skip
    """Store elements as `load_elements` loads them."""
    assert memory is not None
    for slot, position in enumerate(indices):
        guard = _guard(builder, count, slot, masks[slot] if masks is not None else None)

        def write(inner: Builder, position: Value = position, slot: int = slot) -> list[Value]:
            for number in range(chunk):
                inner.store(values[slot * chunk + number], memory, [_offset_by(inner, position, number)])
            return []

        if guard is None:
            write(builder)
        else:
            builder.branch(guard, [], write)


def spread_constant(builder: Builder, value: Value, type_: SpreadType, count: int) -> Value:
    """A constant matrix as so many elements of each work-item; any other value as it is."""
    literal = constant_of(value)
    if literal is None or not isinstance(value.type, CoopMatrixType):
        return value
    return Spread(type_, [builder.constant(value.type.component, literal) for _ in range(count)])


def update_elements(
    builder: Builder, memory: Value | None, indices: Sequence[Value], values: Sequence[Value], count: int,
    masks: Sequence[Value], chunk: int, update: type[AtomicUpdate],
) -> list[Value]:  # fmt: skip
    """Update elements as `load_elements` loads them, for all work-groups; gives those before, 0 where nothing is."""
    elements: list[Value] = []
    assert memory is not None
    element = memory.type.element
    for slot, position in enumerate(indices):

        def change(inner: Builder, position: Value = position, slot: int = slot) -> list[Value]:
            return [
                inner.add(
                    update(
                        inner.location, [element], scope="device", data=values[slot * chunk + number], tensor=memory,
                        indices=[_offset_by(inner, position, number)],
                    )
                ).results[0]
                for number in range(chunk)
            ]  # fmt: skip

        elements += _predicated(builder, _guard(builder, count, slot, masks[slot]), element, chunk, change)
    return elements


def _predicated(
    builder: Builder, guard: Value | None, element: ScalarType, count: int, write: Callable[[Builder], list[Value]]
) -> list[Value]:
    """What is given where the guard is true, and zeros elsewhere."""
    if guard is None:
        return write(builder)
    return builder.branch(
        guard, [element] * count, write, lambda inner: [inner.constant(element, zero_of(element))] * count
    )


def _offset_by(builder: Builder, position: Value, number: int) -> Value:
    return position if number == 0 else builder.arith("add", position, builder.constant(index, number))
