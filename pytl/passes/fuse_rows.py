"""fuse-rows: what work-groups do with rows of matrices, one after the other, as one `foreach` over the rows.

    sum.t 1.0, X, 0.0, total                            foreach (t) = (0), (8) {
    foreach (i, t) = (0, 0), (512, 8) {                   %s = for %i = 0, 512 { … X[%i, %t] … }
      … X[%i, %t] - total[%t] / 512.0 …          →        %mean = arith.div %s, 512.0
      store …, Y[%i, %t]                                  for %i = 0, 512 { … X[%i, %t] - %mean … }
    }                                                   }

So a row stays in the first-level cache, and what is known of it in registers. What is the same along a row is computed
once, and neighbouring loops along it become one. This is done where the loops have vectors along rows.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ..ir.clone import clone_operation
from ..ir.operation import Operation
from ..ir.values import Function, Region, Value
from ..ops import Alloca, For, Foreach, Gemm, If, Load, Math, MathSince04, Store, Sum, Yield
from ..ops.constants import constant_of
from ..ops.control import ANY_ORDER, terminator
from ..ops.views import root_of
from ..process.records import dataclass
from .canonicalize import Canonicalize
from .cpu_kernels import vectors_along_rows
from .invariants import has_no_effect, operands_of
from .lower_collectives import lowered
from .manager import Pass, register
from .targets.machine import DEFAULT, Machine
from .targets.row_loops import are_free, is_in_caches
from .targets.strategies import STRATEGY

MOST = 16
"""Instructions that become one at most."""


@register
@dataclass(frozen=True)
class FuseRows(Pass):
    """Fuses what is done with the same rows, where one work-item executes a work-group."""

    name = "fuse-rows"
    of_called = True
    machine: Machine = DEFAULT
    may_overlap: bool = False
    """Whether a launch has arrays of different parameters that overlap."""
    fastmath: bool = False

    def run(self, function: Function) -> None:
        if function.attributes.get(STRATEGY) == "one-item" and self._fuse(function.body):
            Canonicalize().run(function)

    def _fuse(self, region: Region) -> bool:
        changed, rest, operations = False, list(region.operations), list[Operation]()
        while rest:
            # what is done with the elements of a product is done with its tiles
            before = next((op for op in reversed(operations) if not op.pure), None)
            count, made = self._longest(rest, (0,) if isinstance(before, Gemm) else (0, 1))
            changed |= count > 1
            operations += made
            rest = rest[count:]
        region.operations = operations
        for op in operations:
            for inner in op.regions:
                changed |= inner.kind != "spmd" and self._fuse(inner)
        return changed

    def _longest(self, operations: Sequence[Operation], ways: Sequence[int]) -> tuple[int, list[Operation]]:
        """How many instructions are done together, from the first one on, and what they become.

        Of its variables, so many may go along a row.
        """
        for outer in ways:
            steps = _steps(operations, outer)
            while len(steps) > 1 and any(map(_reduces, steps)):
                fused = self._fused([step.rows for step in steps])
                if fused is not None:
                    last = steps[-1]
                    return last.count, [*last.before, fused]
                steps.pop()
        return 1, list(operations[:1])

    def _fused(self, steps: Sequence[Foreach]) -> Foreach | None:
        """The steps as one; None where a row needs what is done with another one, or has no vectors."""
        first = steps[0]
        variables = [Value(value.type, value.name, value.location) for value in first.variables]
        parts = [_body(step, variables) for step in steps]
        if not self._are_apart(parts, variables):
            return None
        body = Region("spmd", variables, _tidied([op for part in parts for op in part]), first.location)
        fused = Foreach(first.location, start=first.start, stop=first.stop, body=body)
        is_free = self.fastmath or are_free(fused)
        # exp in whole tiles outweighs what comes from a cache once more
        has_math = any(isinstance(op, (Math, MathSince04)) for op in fused.body.walk())
        if not is_free or (has_math and is_in_caches(fused, self.machine)):
            return None
        return fused if vectors_along_rows(fused, self.machine, not self.may_overlap) else None

    def _are_apart(self, parts: Sequence[Sequence[Operation]], variables: Sequence[Value]) -> bool:
        """Whether what is written for a row has to do with that row alone."""
        found: dict[Value, list[tuple[int, Load | Store]]] = {}
        for number, part in enumerate(parts):
            for op in _walk(part):
                if isinstance(op, (Load, Store)):
                    found.setdefault(root_of(op.tensor), []).append((number, op))
        written = [root for root, accesses in found.items() if any(isinstance(op, Store) for _, op in accesses)]
        if self.may_overlap and any(root.owner is None for root in written):
            return False
        return all(
            len({number for number, _ in found[root]}) == 1 or _is_by_row([op for _, op in found[root]], variables)
            for root in written
        )


@dataclass(frozen=True)
class _Step:
    """What an instruction does with rows."""

    rows: Foreach
    count: int
    """Instructions up to this one."""
    before: Sequence[Operation]
    """What stands in front of all that is done with rows up to here."""


def _reduces(step: _Step) -> bool:
    return any(isinstance(op, For) and op.results for op in step.rows.body.walk())


def _steps(operations: Sequence[Operation], outer: int) -> list[_Step]:
    """What the first instructions do with the same rows, if the first has so many variables that are not of rows."""
    steps: list[_Step] = []
    before: list[Operation] = []
    for number, op in enumerate(operations):
        if steps and (op.pure or isinstance(op, Alloca)):
            before.append(op)
            continue
        rows = _by_rows(op, len(steps[0].rows.variables) if steps else None, outer)
        if rows is None or (steps and _bounds(rows[1]) != _bounds(steps[0].rows)) or len(steps) == MOST:
            break
        before += rows[0]
        steps.append(_Step(rows[1], number + 1, list(before)))
    return steps


def _is_by_row(accesses: Sequence[Load | Store], variables: Sequence[Value]) -> bool:
    """Whether accesses to memory have each variable as the same index."""
    first = accesses[0]
    places = [[n for n, at in enumerate(first.indices) if at is variable] for variable in variables]
    return all(places) and all(
        op.tensor is first.tensor and all(op.indices[n] is v for v, at in zip(variables, places) for n in at)
        for op in accesses
    )


def _by_rows(op: Operation, count: int | None, outer: int) -> tuple[list[Operation], Foreach] | None:
    """An instruction as a `foreach` over so many variables, or all but `outer` of them, with what stands before it."""
    before: list[Operation] = []
    if isinstance(op, Sum) and op.updated.type.order:
        *before, op = lowered(op)
        assert isinstance(op, Foreach)
        for inner in op.body.walk():
            if isinstance(inner, For):
                inner.attributes[ANY_ORDER] = True
    if not isinstance(op, Foreach) or not all(map(_is_looked_into, op.body.walk())):
        return None
    along = outer if count is None else len(op.variables) - count
    if along not in (0, 1) or len(op.variables) <= along:
        return None
    if along:
        loop = For(
            op.location,
            [],
            start=op.start[0],
            stop=op.stop[0],
            step=None,
            body=Region("mixed", op.variables[:1], op.body.operations, op.location),
        )
        body = Region("spmd", op.variables[1:], [loop], op.location)
        op = Foreach(op.location, start=op.start[1:], stop=op.stop[1:], body=body)
    return before, op


def _is_looked_into(op: Operation) -> bool:
    if isinstance(op, (Load, Store)):
        return not getattr(op, "is_item", False) and not getattr(op, "flag", "")
    return op.pure or isinstance(op, (For, If, Yield))


def _bounds(op: Foreach) -> list[object]:
    known = [(constant_of(value), value) for value in (*op.start, *op.stop)]
    return [value if number is None else (number, value.type) for number, value in known]


def _body(step: Foreach, variables: Sequence[Value]) -> list[Operation]:
    mapping = dict(zip(step.variables, variables))
    return [clone_operation(op, mapping) for op in step.body.operations]


def _walk(operations: Sequence[Operation]) -> Iterator[Operation]:
    for op in operations:
        yield op
        for region in op.regions:
            yield from region.walk()


# What is done with a row.


def _tidied(operations: Sequence[Operation]) -> list[Operation]:
    """Instructions on a row: values in place of memory for one row, loops without what is the same along it."""
    _hand_on(operations)
    return _merged([each for op in operations for each in (*(_taken_out(op) if isinstance(op, For) else ()), op)])


def _hand_on(operations: Sequence[Operation]) -> None:
    """Let what reads an element that was stored before have the value."""
    known: dict[tuple[Value, ...], Value] = {}
    replaced: dict[Value, Value] = {}
    for op in operations:
        written = {root_of(inner.tensor) for inner in _walk([op]) if isinstance(inner, Store)}
        known = {key: value for key, value in known.items() if root_of(key[0]) not in written}
        for inner in _walk([op]):
            inner.replace_operands(lambda value: replaced.get(value, value))
            if isinstance(inner, Load) and (value := known.get((inner.tensor, *inner.indices))) is not None:
                replaced[inner.result] = value
        if isinstance(op, Store):
            known[(op.tensor, *op.indices)] = op.data


def _taken_out(loop: For) -> list[Operation]:
    """What is the same in all iterations of a loop, taken out of it."""
    start, stop = constant_of(loop.start), constant_of(loop.stop)
    has_iterations = start is not None and stop is not None and start < stop
    written = {root_of(op.tensor) for op in loop.body.walk() if isinstance(op, Store)}
    inside = {*loop.body.arguments, *(value for op in loop.body.walk() for value in op.results)}
    taken: list[Operation] = []
    for op in loop.body.operations:
        is_load = isinstance(op, Load) and has_iterations and root_of(op.tensor) not in written
        if (is_load or has_no_effect(op)) and not inside & operands_of(op):
            taken.append(op)
            inside.difference_update(op.results)
    loop.body.operations = [op for op in loop.body.operations if op not in taken]
    return taken


def _merged(operations: Sequence[Operation]) -> list[Operation]:
    """Neighbouring loops as one, where neither waits for the other."""
    found: list[Operation] = []
    for op in operations:
        at = next((n for n in reversed(range(len(found))) if not found[n].pure), None)
        loop = None if at is None else found[at]
        between = [] if at is None else found[at + 1 :]
        if isinstance(op, For) and isinstance(loop, For) and (early := _early(loop, between, op)) is not None:
            assert at is not None
            late = [each for each in between if each not in early]
            found[at:] = [*early, _both(loop, op), *late]
        else:
            found.append(op)
    return found


def _early(first: For, between: Sequence[Operation], second: For) -> list[Operation] | None:
    """What the second of two loops needs of what stands between them; None where the loops can't be one."""
    same = all(
        a is b or (constant_of(a) is not None and constant_of(a) == constant_of(b))
        for a, b in ((first.start, second.start), (first.stop, second.stop))
    )
    differ = first.attributes != second.attributes and bool(first.results) == bool(second.results)
    if not same or first.step is not None or second.step is not None or differ:
        return None
    needed = {value for op in _walk([second]) for value in op.operands}
    early: list[Operation] = []
    for op in reversed(between):
        if needed.intersection(op.results):
            early.insert(0, op)
            needed.update(op.operands)
    if needed.intersection(first.results):
        return None
    accesses = [[op for op in loop.body.walk() if isinstance(op, (Load, Store))] for loop in (first, second)]
    for a in accesses[0]:
        for b in accesses[1]:
            if not (isinstance(a, Store) or isinstance(b, Store)) or root_of(a.tensor) is not root_of(b.tensor):
                continue
            moved = [second.variable if at is first.variable else at for at in a.indices]
            if a.tensor is not b.tensor or second.variable not in b.indices or moved != list(b.indices):
                return None
    return early


def _both(first: For, second: For) -> For:
    """Two loops as one."""
    mapping = {second.variable: first.variable}
    yielded = [*first.yielded, *second.yielded]
    operations = [op for op in (*first.body.operations, *second.body.operations) if not _ends(op, first, second)]
    for op in _walk(operations):
        op.replace_operands(lambda value: mapping.get(value, value))
    if yielded:
        operations.append(Yield(first.location, yielded=[mapping.get(value, value) for value in yielded]))
    _hand_on(operations)
    used = {value for op in _walk(operations) for value in op.operands}
    operations = [op for op in operations if not isinstance(op, Load) or op.result in used]
    body = Region("mixed", [*first.body.arguments, *second.carried], operations, first.body.location)
    results = [*first.results, *second.results]
    loop = For(
        first.location,
        [value.type for value in results],
        start=first.start,
        stop=first.stop,
        step=None,
        inits=[*first.inits, *second.inits],
        body=body,
        attributes=dict((first if first.results else second).attributes),
    )
    loop.results = results
    for value in results:
        value.owner = loop
    return loop


def _ends(op: Operation, first: For, second: For) -> bool:
    return op in (terminator(first.body), terminator(second.body))
