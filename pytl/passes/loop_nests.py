"""Loops one in the other: what they access, which of them are parallel, and copies of what they execute."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from ..ir.clone import clone_operation
from ..ir.operation import Operation
from ..ir.types import index
from ..ir.values import Region, Value
from ..ops import For, Foreach, If, Load, Store, Yield
from ..ops.builder import Builder
from ..ops.constants import constant_of
from ..ops.views import root_of
from ..process.records import dataclass
from .analysis.linear import Linear, linear_of


@dataclass(frozen=True)
class Loop:
    """A loop over `[start, stop)` by 1; `is_parallel` says that its iterations may be executed in any order."""

    variable: Value
    start: Value
    stop: Value
    is_parallel: bool


@dataclass(frozen=True)
class Access:
    """A load or store, with its indices as linear forms."""

    op: Load | Store
    root: Value
    indices: tuple[Linear, ...]
    writes: bool


class NotLegal(Exception):
    """Something is in a nest that is not looked into."""


def accesses(operations: Iterable[Operation]) -> list[Access]:
    """All loads and stores, with those of inner loops and branches. Raises `NotLegal` for anything else that
    touches memory."""
    collected: list[Access] = []
    for op in operations:
        if isinstance(op, (Load, Store)):
            if (isinstance(op, Load) and op.is_item) or (isinstance(op, Store) and op.flag):
                raise NotLegal
            indices = tuple(linear_of(value, {}) for value in op.indices)
            collected.append(Access(op, root_of(op.tensor), indices, isinstance(op, Store)))
            if op.tensor is not collected[-1].root:
                raise NotLegal
        elif isinstance(op, (For, If)):
            for region in op.regions:
                collected += accesses(region.operations)
        elif not (op.pure or isinstance(op, Yield)):
            raise NotLegal
    return collected


def is_parallel(variable: Value, all_accesses: Sequence[Access], inside: set[Value]) -> bool:
    """Whether iterations of a loop touch no element that another one writes.

    That is so where each memory that is written has a mode that is indexed by a multiple of the variable, and by the
    same number everywhere, which is one and the same in all iterations: made of nothing that is `inside` of the loop.
    Or by numbers that lie between multiples, as `2 * i` and `2 * i + 1` do.
    """
    for root in {access.root for access in all_accesses if access.writes}:
        of_root = [access for access in all_accesses if access.root is root]
        if not any(_is_disjoint(variable, [access.indices[mode] for access in of_root], inside)
                   for mode in range(len(of_root[0].indices))):  # fmt: skip
            return False
    return True


def _is_disjoint(variable: Value, forms: Sequence[Linear], inside: set[Value]) -> bool:
    first = forms[0]
    if not first.factor(variable) or any(value in inside and value is not variable for value, _ in first.terms):
        return False
    apart = [form.plus(first, -1) for form in forms]
    between = {each.constant for each in apart}
    # by a multiple of the factor, another iteration would access the element
    are_between = len({each % first.factor(variable) for each in between}) == len(between)
    return all(each.is_constant for each in apart) and are_between


def defined_in(operations: Iterable[Operation]) -> Iterator[Value]:
    """The values that are defined by operations and in their regions, the regions' arguments among them."""
    for op in operations:
        yield from op.results
        for region in op.regions:
            yield from region.arguments
            yield from defined_in(region.operations)


def loop_of(op: For) -> Loop:
    return Loop(op.variable, op.start, op.stop, False)


def is_plain(op: Operation) -> bool:
    """Whether this is a loop by 1 over indices, which carries nothing."""
    return isinstance(op, For) and not op.results and is_counted(op)


def is_counted(op: Operation) -> bool:
    return isinstance(op, For) and op.variable.type == index and (op.step is None or constant_of(op.step) == 1)


def needed(op: Operation, operations: Sequence[Operation]) -> list[Operation]:
    """An operation, and those in front of it that compute what it uses, in their order."""
    used_values = set(_used(op))
    needed_operations = [op]
    for other in reversed(operations[: operations.index(op)]):
        if any(value in used_values for value in other.results):
            used_values.update(_used(other))
            needed_operations.append(other)
    return needed_operations[::-1]


def _used(op: Operation) -> Iterator[Value]:
    yield from op.operands
    for region in op.regions:
        for inner in region.walk():
            yield from inner.operands


def copied(loops: Sequence[Loop], operations: Sequence[Operation]) -> tuple[list[Loop], list[Operation]]:
    """A nest with variables and values of its own."""
    known: dict[Value, Value] = {}
    copies: list[Loop] = []
    for loop in loops:
        variable = Value(loop.variable.type, loop.variable.name, loop.variable.location)
        known[loop.variable] = variable
        start, stop = known.get(loop.start, loop.start), known.get(loop.stop, loop.stop)
        copies.append(Loop(variable, start, stop, loop.is_parallel))
    return copies, [clone_operation(op, known) for op in operations]


def nested(loops: Sequence[Loop], operations: Sequence[Operation]) -> list[Operation]:
    """Loops as instructions again."""
    if not loops:
        return list(operations)
    loop, *rest = loops
    if any(value in (loop.start, loop.stop) for op in operations for value in op.results):
        raise NotLegal
    body = Region("mixed", [loop.variable], nested(rest, operations))
    location = operations[0].location if operations else None
    return [For(location, [], start=loop.start, stop=loop.stop, step=None, body=body)]


def as_points(builder: Builder, loops: Sequence[Loop], operations: Sequence[Operation]) -> None:
    """A `foreach`, whose first variable is the one that indexes contiguous memory most often."""
    innermost_first = list(reversed(loops))
    ordered = sorted(innermost_first, key=lambda loop: -_contiguous(loop.variable, operations))
    body = Region("spmd", [loop.variable for loop in ordered], list(operations), builder.location)
    start, stop = [loop.start for loop in ordered], [loop.stop for loop in ordered]
    builder.add(Foreach(builder.location, start=start, stop=stop, body=body))


def put_in_order(op: Foreach, lanes: int) -> None:
    """Let the variable that indexes contiguous memory most often be the first one, if it has values for all lanes."""
    operations, counts = op.body.operations, []
    try:
        for variable, start, stop in zip(op.variables, op.start, op.stop):
            first, last = constant_of(start), constant_of(stop)
            is_short = first is not None and last is not None and last - first < lanes
            counts.append(0 if is_short else _contiguous(variable, operations))
    except NotLegal:
        return
    modes = sorted(range(len(counts)), key=lambda mode: -counts[mode])
    op.start, op.stop = [op.start[mode] for mode in modes], [op.stop[mode] for mode in modes]
    op.body.arguments = [op.variables[mode] for mode in modes]


def _contiguous(variable: Value, operations: Sequence[Operation]) -> int:
    """How many accesses go along the first mode by 1 with a variable, twice; stores weigh more."""
    along = (each for each in accesses(operations) if each.indices and each.indices[0].factor(variable) == 1)
    return sum(2 + each.writes for each in along)
