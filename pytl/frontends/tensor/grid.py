"""Places of sub-groups in three dimensions, which the dialect 0.4 has.

The manual numbers them in one. A work-group has its sub-groups along x and y as its work_group_size says, x first.
Where a function leaves the sizes open, they are those that every backend takes: `ops/launch_defaults.py` alone chooses
them, of the function's attributes. So the numbers are known where the text is read.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping

from ...diagnostics import Location
from ...ir.assembly import PartsReader
from ...ir.clone import clone_function
from ...ir.operation import Operation
from ...ir.text.reader import SyntaxProblem
from ...ir.types import ScalarType, i32
from ...ir.values import Function, Value
from ...ops import ArithBinary, Constant, SubgroupBuiltin
from ...ops.launch_defaults import HasAttributes, known_subgroup_grid
from . import rules

Read = Callable[[PartsReader, Location], Operation]


def _expect_type(parser: PartsReader, expected: ScalarType) -> None:
    parser.expect(":")
    start = parser.scanner.skip_blanks()
    actual = parser.type()
    if actual != expected:
        location = parser.scanner.location_from(start)
        parser.diagnostics.report(rules.GRID_TYPE, f"the result is {actual}", location, f"write : {expected}")
        raise SyntaxProblem


def _fixed(number: int, type_: ScalarType) -> Read:
    def read(parser: PartsReader, location: Location) -> Operation:
        _expect_type(parser, type_)
        return Constant(location, [type_], literal=number)

    return read


def _along(function: HasAttributes) -> tuple[int, int]:
    """How many sub-groups a work-group has along x and y; the verifier refuses functions whose attributes are wrong."""
    return known_subgroup_grid(function) or (1, 1)


def _count(mode: int) -> Read:
    def read(parser: PartsReader, location: Location) -> Operation:
        _expect_type(parser, i32)
        return Constant(location, [i32], literal=_along(parser)[mode])

    return read


def _number(word: str, variant: str) -> Read:
    """The place of the sub-group along x, or y, as the remainder or quotient of its number."""

    def read(parser: PartsReader, location: Location) -> Operation:
        _expect_type(parser, i32)
        number = SubgroupBuiltin(location, [i32], variant="subgroup_id")
        number.read_as = word  # messages name what is written
        along_x = Constant(location, [i32], literal=_along(parser)[0])
        for op in (number, along_x):
            parser.insert(op)
        return ArithBinary(location, [i32], variant=variant, a=_of(number), b=_of(along_x))

    return read


def _of(operation: Operation) -> Value:
    return operation.results[0]


def _read_as(word: str, read: Read) -> Read:
    def marked(parser: PartsReader, location: Location) -> Operation:
        operation = read(parser, location)
        operation.read_as = word
        return operation

    return marked


_READS = {
    "num_subgroups.x": _count(0),
    "num_subgroups.y": _count(1),
    "num_subgroups.z": _fixed(1, i32),
    "subgroup_id.x": _number("subgroup_id.x", "rem"),
    "subgroup_id.y": _number("subgroup_id.y", "div"),
    "subgroup_id.z": _fixed(0, i32),
}
GRID: Mapping[str, Read] = {word: _read_as(word, read) for word, read in _READS.items()}
"""What reads each word."""


def in_words(function: Function) -> tuple[Function, frozenset[Operation]]:
    """A function to write, and which of its instructions are written by these words, by which they were read.

    What was inserted in front of them for their sake is left out.
    """
    marked = [op for op in function.walk() if op.read_as in GRID and _is_meant(op, function)]
    if not marked:
        return function, frozenset()
    copied = clone_function(function)
    copies = dict(zip(function.walk(), copied.walk()))
    use_counts = Counter(value for op in copied.walk() for value in op.operands)
    inserted = set()
    for op in marked:
        inserted |= {value.owner for value in copies[op].operands if use_counts[value] == 1}
    for region in [copied.body, *(region for op in copied.walk() for region in op.regions)]:
        region.operations = [op for op in region.operations if op not in inserted]
    return copied, frozenset(copies[op] for op in marked)


def _is_meant(op: Operation, function: Function) -> bool:
    """Whether an instruction still is what the word stands for, after whatever became of the function."""
    along_x, along_y = _along(function)
    if isinstance(op, Constant):
        known = {"num_subgroups.x": along_x, "num_subgroups.y": along_y, "num_subgroups.z": 1, "subgroup_id.z": 0}
        return known.get(op.read_as or "") == op.literal
    if not isinstance(op, ArithBinary):
        return False
    number, count = op.a.owner, op.b.owner
    is_number = isinstance(number, SubgroupBuiltin) and number.variant == "subgroup_id"
    return is_number and isinstance(count, Constant) and count.literal == along_x
