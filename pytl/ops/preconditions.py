"""What instructions demand of numbers that are known at run time only, and the words for what breaks it.

The reference backend tests these demands as it executes. For other backends the pass `insert-checks` writes a test of
each in front of its instruction, with a `check.report` that tells the launch which one failed.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Literal

from ..diagnostics import Label, Rule
from ..ir.constraints import INDEX, MEMREF
from ..ir.fields import Attributes, Operand, OperandList
from ..ir.operation import Operation, defined_at
from ..ir.registry import instruction
from ..ir.text.types import MAX_ORDER
from ..ir.types import Extent, MemrefType
from ..ir.values import Function, Region, Value
from ..process.records import dataclass
from .contraction import Contraction
from .control import For
from .coopmatrix import CooperativeMatrixLoad, CooperativeMatrixStore, unchecked_modes
from .debug import ASSERTED, Assert, Require
from .memory import Load, Store
from .regions import Foreach, Parallel
from .reshape import Expand
from .tile_loops import ForeachTile
from .updates import Update
from .views import Subview

OUT_OF_BOUNDS = Rule("PYTL-4001", "an index lies in its mode: 0 ≤ index < size", "Memref type")
SUBVIEW_BOUNDS = Rule(
    "PYTL-4002",
    "a slice lies in its mode: 0 ≤ offset, 0 < size, offset + size ≤ the mode's size",
    "Subview",
    explanation="The reference backend lets a view be formed that is out of bounds, and reports elements outside where "
    "they are accessed; with PYTL_STRICT_VIEWS=1, and in compiled kernels with checks, the view itself is reported.",
)
SUBVIEW_HELP = "put an if around what lies outside, or let the slice end with the mode"
GROUP_INDEX = Rule("PYTL-4003", "the index of a group lies in 0 ≤ index < size of the group", "Load")
SHAPES = Rule(
    "PYTL-4012",
    "sizes that are known at run time only match as the instruction demands of static ones",
    "Collective instructions",
)
EXPAND_SIZE = Rule(
    "PYTL-4016",
    "the sizes of an expand shape are positive",
    "Expand",
    explanation="A mode is seen as several modes with one element at least. Sizes that are known when the function is "
    "read are checked there (PYTL-0472).",
)
EXPAND_PRODUCT = Rule(
    "PYTL-4017",
    "the product of the expand shape is the size of the expanded mode",
    "Expand",
    explanation="The view has just the elements of the tensor. Where a size is known at run time only, another product "
    "is undefined behaviour.",
)
LIMIT = Rule(
    "PYTL-1089",
    "a while ends by its condition, or early, before it has had more iterations than its limit",
    "Python front end",
    explanation="The limit is that of pytl.bound(condition, most). The reference backend reports this, and compiled "
    "kernels with checks. Without checks, the loop ends after the iterations of its limit.",
)

_NUMBERS = 4
"""Where the numbers of the demand begin in the memory that a `check.report` writes to."""
_TRIPS = _NUMBERS + 1 + MAX_ORDER
"""Where the numbers of iterations begin in it: an expand demands something of one size and of all that come of it."""
MAX_TRIPS = 20
"""Numbers of iterations that a report tells, those of the innermost loops."""
STATUS_WORDS = _TRIPS + MAX_TRIPS
"""Numbers of that memory."""
OPERATION = "operation"
"""Of a check.report: the number of the instruction in the function as it was before all passes."""
DEMAND = "demand"
"""Of a check.report: which of the instruction's demands was not met."""


@instruction
class Report(Operation):
    """Says that a demand of an instruction was not met, and by which numbers.

    The first report of a launch is kept, with the number of the work-group: memory of 64-bit integers has a number
    that is not zero, then instruction, demand, work-group, the numbers of the demand, and those of the iterations.
    """

    mnemonic = "check.report"
    section = "Execution model"
    attributes: Any = Attributes({OPERATION: "integer", DEMAND: "integer"})
    status: Any = Operand(MEMREF, "what the launch reads")
    group: Any = Operand(INDEX, "the work-group")
    numbers: Any = OperandList(INDEX, "what is not as it should be")
    trips: Any = OperandList(INDEX, "the iteration of each loop around the instruction")
    assembly = "` ` $attributes ` ` $status `, ` $group ` [` $numbers `] in [` $trips `]`"

    @property
    def written(self) -> list[tuple[int, int | Value]]:
        """What is written where in the memory, behind the first number."""
        texts = [self.attributes[OPERATION], self.attributes[DEMAND], self.group]
        numbers, trips = self.numbers[: _TRIPS - _NUMBERS], self.trips[:MAX_TRIPS]
        return [*enumerate(texts, 1), *enumerate(numbers, _NUMBERS), *enumerate(trips, _TRIPS)]


@dataclass(frozen=True)
class Reported:
    """What a `check.report` has written."""

    operation: int
    precondition: int
    group: int
    numbers: tuple[int, ...]
    """The numbers of the demand, and zeros behind them."""
    trips: tuple[int, ...]
    """The numbers of the iterations, and zeros behind them."""


def read_report(words: Sequence[int]) -> Reported | None:
    """The report in the memory that a launch handed over; None where there was none."""
    if not words[0]:
        return None
    _, operation, precondition, group, *numbers = words[:_TRIPS]
    return Reported(operation, precondition, group, tuple(numbers), tuple(words[_TRIPS:]))


# Iterations.

Loop = For | Foreach | ForeachTile | Parallel
"""What executes its region several times, by iterations, tiles or work-items."""


def loops_around(function: Function) -> dict[Operation, tuple[Loop, ...]]:
    """The loops and `parallel` around each instruction, from the outermost on, as far as a report tells of them."""
    loops: dict[Operation, tuple[Loop, ...]] = {}

    def visit(region: Region, enclosing: tuple[Loop, ...]) -> None:
        while sum(map(trips_of, enclosing)) > MAX_TRIPS:
            enclosing = enclosing[1:]
        for op in region.operations:
            loops[op] = enclosing
            for inner in op.regions:
                visit(inner, (*enclosing, op) if isinstance(op, Loop) else enclosing)

    visit(function.body, ())
    return loops


def trips_of(loop: Loop) -> int:
    """How many numbers tell an iteration: one for each variable, or the number of the work-item."""
    return len(loop.variables) if isinstance(loop, (Foreach, ForeachTile)) else 1


def iteration_message(loop: Loop, trips: Sequence[int]) -> str:
    """An iteration's name in messages."""
    if isinstance(loop, For):
        return f"%{loop.variable.name} = {trips[0]}" if loop.variable.name else f"iteration {trips[0]}"
    if isinstance(loop, Parallel):
        return f"work-item {trips[0]}"
    return f"{'tile' if isinstance(loop, ForeachTile) else 'iteration'} ({', '.join(map(str, trips))})"


# Demands.


@dataclass(frozen=True)
class Size:
    """The size of a mode of a tensor, or of a group, as a number of a demand."""

    tensor: Value
    mode: int = 0

    @property
    def extent(self) -> Extent:
        type_ = self.tensor.type
        return type_.shape[self.mode] if isinstance(type_, MemrefType) else type_.count


Number = int | Value | Size
Test = Literal["index", "slice", "block", "positive", "equal", "product", "holds"]
"""What is tested of numbers a, b, …: index 0 ≤ a < b; slice 0 ≤ a, 0 < b, a + b ≤ c; block 0 ≤ a, a + b ≤ c;
positive 0 < a; equal a = b; product b · c · … = a, all of them positive; holds, of no number, what the instruction
requires."""


@dataclass(frozen=True)
class Precondition:
    """What an instruction demands of some numbers."""

    test: Test
    numbers: tuple[Number, ...]
    rule: Rule
    message: Callable[..., str]
    """Of the numbers: what is wrong with them, if the test fails."""
    labels: tuple[Label, ...] = ()
    help: str | None = None


def preconditions_of(op: Operation) -> list[Precondition]:
    """What an instruction demands of numbers that may be known at run time only, in the order of tests."""
    return list(_preconditions(op))


def _preconditions(op: Operation) -> Iterator[Precondition]:
    if isinstance(op, Load) and op.is_item:
        numbers = (op.indices[0], Size(op.tensor))
        yield Precondition("index", numbers, GROUP_INDEX, group_message, defined_at(op.tensor))
    elif isinstance(op, (Load, Store)):
        for mode, index in enumerate(op.indices):
            message = _of(index_message, op.tensor, index, mode)
            yield Precondition("index", (index, Size(op.tensor, mode)), OUT_OF_BOUNDS, message, defined_at(op.tensor))
    elif isinstance(op, Subview):
        for mode, piece in enumerate(op.slices):
            size, labels = Size(op.tensor, mode), defined_at(op.tensor)
            if piece.keeps_mode:
                assert piece.size is not None
                yield Precondition(
                    "slice",
                    (piece.offset, piece.size, size),
                    SUBVIEW_BOUNDS,
                    _of(slice_message, mode),
                    labels,
                    SUBVIEW_HELP,
                )
            else:
                message = _of(offset_message, mode)
                yield Precondition("index", (piece.offset, size), SUBVIEW_BOUNDS, message, labels, SUBVIEW_HELP)
    elif isinstance(op, Expand):
        labels = defined_at(op.tensor)
        for bound in op.expand_shape:
            yield Precondition("positive", (bound,), EXPAND_SIZE, _of(expand_size_message, op.mode), labels)
        numbers = (Size(op.tensor, op.mode), *op.expand_shape)
        yield Precondition("product", numbers, EXPAND_PRODUCT, _of(expand_message, op.mode), labels)
    elif isinstance(op, (CooperativeMatrixLoad, CooperativeMatrixStore)):
        yield from _of_matrix(op)
    elif isinstance(op, Require):
        yield Precondition("holds", (), LIMIT, lambda: op.problem)
    elif isinstance(op, Assert):
        yield Precondition("holds", (), ASSERTED, lambda: op.problem)
    elif isinstance(op, Contraction):
        yield from _of_contraction(op)
    elif isinstance(op, Update):
        yield from _of_update(op)


def _of(message: Callable[..., str], *first: Any) -> Callable[..., str]:
    return lambda *numbers: message(*first, *numbers)


def _of_matrix(op: CooperativeMatrixLoad | CooperativeMatrixStore) -> Iterator[Precondition]:
    matrix = op.result.type if isinstance(op, CooperativeMatrixLoad) else op.A.type
    for mode, start, size, side in unchecked_modes(op, matrix):
        numbers, help = (start, size, Size(op.M, mode)), help_for_side(side)
        yield Precondition("block", numbers, OUT_OF_BOUNDS, _of(matrix_message, op.M, mode), defined_at(op.M), help)


def _of_update(op: Update) -> Iterator[Precondition]:
    for terms in op.equal_terms():
        terms.sort(key=lambda pair: bool(pair[1]) and pair[1][0][0] == op.target)  # factors first
        (first, expected), *others = terms
        for other, actual in others:
            for (a, i), (b, j) in zip(expected, actual):
                names = [_size_name(term, mode) for term, mode in ((first, i), (other, j))]
                numbers = (Size(getattr(op, a), i), Size(getattr(op, b), j))
                yield Precondition("equal", numbers, SHAPES, _of(sizes_message, *names), defined_at(getattr(op, b)))


def _of_contraction(op: Contraction) -> Iterator[Precondition]:
    for (a, i), *others in op.equal_modes():
        for b, j in others:
            names = (op.size_name(a, i), op.size_name(b, j))
            numbers = (Size(getattr(op, a), i), Size(getattr(op, b), j))
            yield Precondition("equal", numbers, SHAPES, _of(sizes_message, *names), defined_at(getattr(op, b)))


def _size_name(term: str, mode: int) -> str:
    """How a message calls the size that a term of a rule names."""
    return f"size {mode} of {term.removeprefix('shape(')[:-1]}" if term.startswith("shape(") else term


# Words.


def named(value: Value) -> str:
    """How a message calls a memref."""
    return f"%{value.name}" if value.name else "the memref"


def group_message(index: int, count: int) -> str:
    return f"index {index} is out of bounds of the group, whose size is {count}"


def index_message(tensor: Value, operand: Value, mode: int, index: int, extent: int) -> str:
    name = f" %{operand.name} =" if operand.name else ""
    return f"index{name} {index} is out of bounds in mode {mode} of {named(tensor)}, whose size is {extent}"


def offset_message(mode: int, offset: int, extent: int) -> str:
    return f"offset {offset} is out of bounds in mode {mode}, whose size is {extent}"


def slice_message(mode: int, offset: int, count: int, extent: int) -> str:
    if count <= 0:
        return f"the size {count} of mode {mode} is not positive"
    if offset < 0:
        return f"the offset {offset} of mode {mode} is negative"
    return f"slice {offset}:{count} of mode {mode} ends at {offset + count}, but the mode's size is {extent}"


def expand_size_message(mode: int, size: int) -> str:
    return f"the size {size} in the expand shape of mode {mode} is not positive"


def expand_message(mode: int, extent: int, *sizes: int) -> str:
    return f"{' x '.join(map(str, sizes))} is {math.prod(sizes)}, but mode {mode} has size {extent}"


def help_for_side(side: str) -> str:
    """How an access leaves out what lies outside of the memref, by the side of the matrix that reaches there."""
    return f"leave out what lies outside with .{side}_checked or .both_checked"


def matrix_message(tensor: Value, mode: int, begin: int, count: int, extent: int) -> str:
    return (
        f"the matrix takes elements {begin} to {begin + count - 1} in mode {mode} of {named(tensor)}, "
        f"whose size is {extent}"
    )


def sizes_message(name: str, other: str, expected: int, actual: int) -> str:
    return f"{name} = {expected}, but {other} = {actual}"
