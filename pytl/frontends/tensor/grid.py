"""Places of sub-groups in three dimensions, which the dialect 0.4 has.

The manual numbers them in one. A work-group has its sub-groups along x and y as its work_group_size says, x first.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from ...diagnostics import Location
from ...ir.assembly import PartsReader
from ...ir.operation import Operation
from ...ir.text.reader import SyntaxProblem
from ...ir.types import ScalarType, i32
from ...ir.values import Value
from ...ops import ArithBinary, Constant, SubgroupBuiltin
from . import rules

Read = Callable[[PartsReader, Location], Operation]


def _expect_type(parser: PartsReader, wanted: ScalarType) -> None:
    parser.expect(":")
    start = parser.scanner.skip_blanks()
    given = parser.type()
    if given != wanted:
        place = parser.scanner.place(start)
        parser.diagnostics.report(rules.GRID_TYPE, f"the result is {given}", place, f"write : {wanted}")
        raise SyntaxProblem


def _fixed(number: int, type_: ScalarType) -> Read:
    def read(parser: PartsReader, place: Location) -> Operation:
        _expect_type(parser, type_)
        return Constant(place, [type_], literal=number)

    return read


def _shape(parser: PartsReader, place: Location) -> tuple[int, int]:
    """How many sub-groups a work-group has along x and y."""
    shape: Any = parser.attributes.get("work_group_size")
    size: Any = parser.attributes.get("subgroup_size")
    given = isinstance(shape, list) and len(shape) == 2 and all(type(n) is int and n > 0 for n in (*shape, size))
    if not given or shape[0] % size:
        message = "how many sub-groups there are along x and y is not known"
        help = "give the function attributes{subgroup_size=…, work_group_size=[…,…]}"
        parser.diagnostics.report(rules.GRID_SHAPE, message, place, help)
        raise SyntaxProblem
    return shape[0] // size, shape[1]


def _count(mode: int) -> Read:
    def read(parser: PartsReader, place: Location) -> Operation:
        _expect_type(parser, i32)
        return Constant(place, [i32], literal=_shape(parser, place)[mode])

    return read


def _number(variant: str) -> Read:
    """The place of the sub-group along x, or y, as the remainder or quotient of its number."""

    def read(parser: PartsReader, place: Location) -> Operation:
        _expect_type(parser, i32)
        number = SubgroupBuiltin(place, [i32], variant="subgroup_id")
        along_x = Constant(place, [i32], literal=_shape(parser, place)[0])
        for op in (number, along_x):
            parser.insert(op)
        return ArithBinary(place, [i32], variant=variant, a=_of(number), b=_of(along_x))

    return read


def _of(operation: Operation) -> Value:
    return operation.results[0]


GRID: Mapping[str, Read] = {
    "num_subgroups.x": _count(0),
    "num_subgroups.y": _count(1),
    "num_subgroups.z": _fixed(1, i32),
    "subgroup_id.x": _number("rem"),
    "subgroup_id.y": _number("div"),
    "subgroup_id.z": _fixed(0, i32),
}
"""What reads each word."""
