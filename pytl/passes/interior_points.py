"""interior-points: the first and the last points of a `foreach` apart, where indices are bounded for them alone.

    foreach (%i) = (%0), (%n) {                   foreach (%i) = (%0), (%1) { … }        as it is written
      %a = arith.sub %i, %1                       foreach (%i) = (%1), (%last) {
      %b = arith.max %a, %0               →         %a = arith.sub %i, %1
      %x = load %X[%b]                              %x = load %X[%a]
      …                                             …
      %c = arith.add %i, %1                         %c = arith.add %i, %1
      %d = arith.rem %c, %n                         %y = load %X[%c]
      %y = load %X[%d]                            }
    }                                             foreach (%i) = (%last), (%n) { … }

In between, the larger or smaller of two integers is known, and so are comparisons and remainders, as of stencils whose
neighbours are clamped, periodic, or asked for. There, what neighbouring points load lies side by side.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from ..ir.clone import clone_region
from ..ir.operation import Operation
from ..ir.types import ScalarType, bool_
from ..ir.values import Function, Region, Value
from ..ops import ArithBinary, Compare, For, Foreach, If, Size
from ..ops.builder import Builder
from ..ops.constants import constant_of
from ..process.records import dataclass
from .analysis.linear import Linear, linear_of
from .analysis.uses import replace_uses
from .canonicalize import Canonicalize
from .manager import Pass, register
from .targets.machine import DEFAULT, Machine
from .targets.strategies import STRATEGY

MOST_AT_AN_END = 8
"""Points at most that are apart at each end."""
FEWEST_VECTORS = 2
"""Vectors of 64-bit numbers at least that all points are."""
LARGEST, LARGEST_FACTOR = 1 << 31, 1 << 15
"""Numbers, and factors of numbers of points and of elements, up to which sums are taken for exact."""
LONGEST_BODY = 300
"""Instructions of a point at most: there are three copies of them."""


_Known = bool | tuple[Value, Linear]
"""What an instruction is known to give: an answer, or a value, less a number."""


@register
@dataclass(frozen=True)
class InteriorPoints(Pass):
    """Divides each `foreach` whose points at its ends alone need bounds, for one work-item."""

    name = "interior-points"
    machine: Machine = DEFAULT

    def run(self, function: Function) -> None:
        if function.attributes.get(STRATEGY) == "one-item" and self._divide(function.body):
            Canonicalize().run(function)

    def _divide(self, region: Region) -> bool:
        """Divide each `foreach` of a region, but for those in kernels; whether there was any."""
        operations: list[Operation] = []
        for op in region.operations:
            parts = _parts(op, FEWEST_VECTORS * self.machine.register_bytes // 8) if isinstance(op, Foreach) else None
            operations += parts or [op]
        has_any = len(operations) > len(region.operations)
        region.operations = operations
        for op in operations:
            if isinstance(op, (For, If)):
                for inner in op.regions:
                    has_any = self._divide(inner) or has_any
        return has_any


@dataclass(frozen=True)
class _Answer:
    """The answer to a question, which changes with the variable."""

    least: Linear
    most: Linear
    """Below the first of these values, there is one answer, and from the second one on another."""
    below: bool
    above: bool


class _Ends:
    """How many points are apart at both ends of a range."""

    def __init__(self, start: Linear, stop: Linear) -> None:
        self.start, self.stop = start, stop
        self.first, self.last = 0, 0

    def between(self, answer: _Answer | None) -> bool | None:
        """The answer between the ends, which are made as long as that takes; None where they would be long."""
        if answer is None:
            return None
        first, last = answer.most.plus(self.start, -1), self.stop.plus(answer.least, -1)
        if first.is_constant and first.constant <= MOST_AT_AN_END:
            self.first = max(self.first, first.constant)
            return answer.above
        if last.is_constant and last.constant <= MOST_AT_AN_END:
            self.last = max(self.last, last.constant)
            return answer.below
        return None


def _parts(op: Foreach, fewest: int) -> list[Operation] | None:
    """A `foreach` as two or three, for a number of points at least; None where nothing is gained."""
    start, stop = (linear_of(value, {}) for value in (op.start[0], op.stop[0]))
    extent = stop.plus(start, -1)
    inside = list(op.body.walk())
    if (extent.is_constant and extent.constant < fewest) or len(inside) > LONGEST_BODY:
        return None
    ends = _Ends(start, stop)
    known = _known(op, inside, ends)
    if not known or not (ends.first or ends.last):
        return None
    if extent.is_constant and extent.constant <= ends.first + ends.last:  # nothing would be between
        return None
    to = Builder(op.location)
    first, last = _bounds(to, op, ends)
    middle = _with_known(op, known)
    edges = [(op.start[0], first)] if ends.first else []
    edges += [(last, op.stop[0])] if ends.last else []
    for begin, end in edges:
        to.add(_copy(op, clone_region(op.body, {}), begin, end))
    to.add(_copy(op, middle, first, last))
    return to.operations


def _bounds(to: Builder, op: Foreach, ends: _Ends) -> tuple[Value, Value]:
    """Where the points between the ends begin and end; there may be none."""
    type_ = op.start[0].type
    start, stop = op.start[0], op.stop[0]
    first = to.arith("add", start, to.constant(type_, ends.first)) if ends.first else start
    last = to.arith("sub", stop, to.constant(type_, ends.last)) if ends.last else stop
    if (ends.stop.plus(ends.start, -1)).is_constant:
        return first, last
    first = to.arith("min", first, stop)
    return first, to.arith("max", last, first)


def _copy(op: Foreach, body: Region, begin: Value, end: Value) -> Foreach:
    return Foreach(op.location, start=[begin, *op.start[1:]], stop=[end, *op.stop[1:]], body=body)


def _with_known(op: Foreach, known: Mapping[Operation, _Known]) -> Region:
    """The body of a `foreach` where results of some instructions are known."""
    mapping: dict[Value, Value] = {}
    body = clone_region(op.body, mapping)
    copies = dict(zip(op.body.walk(), body.walk()))
    replaced: dict[Value, Value] = {}
    for each, value in known.items():
        to = Builder(each.location)
        if isinstance(value, bool):
            found = to.constant(bool_, value)
        else:
            found = mapping.get(value[0], value[0])
            if value[1] != Linear():
                found = to.arith("sub", found, value[1].write(to))
        _insert(body, copies[each], to.operations)
        replaced[mapping[each.results[0]]] = found
    replace_uses(body, replaced)
    return body


def _insert(region: Region, before: Operation, operations: list[Operation]) -> None:
    """Insert instructions in front of one, which is in a region or in one of its own."""
    for each in [region, *(part for op in region.walk() for part in op.regions)]:
        if before in each.operations:
            at = each.operations.index(before)
            each.operations[at:at] = operations
            return


def _known(op: Foreach, inside: list[Operation], ends: _Ends) -> dict[Operation, _Known]:
    """What instructions of a point give between the ends."""
    forms = _Forms(op, inside)
    found: dict[Operation, _Known] = {}
    for each in inside:
        if isinstance(each, Compare) and _is_index(each.a):
            answer = ends.between(forms.comparison(each))
            if answer is not None:
                found[each] = answer
        elif isinstance(each, ArithBinary) and each.variant in ("max", "min") and _is_index(each.result):
            is_larger = ends.between(forms.not_negative(forms.difference(each.a, each.b)))
            if is_larger is not None:
                chosen = each.a if is_larger is (each.variant == "max") else each.b
                found[each] = (chosen, Linear())
                forms.known[each.result] = forms.of(chosen)
        elif isinstance(each, ArithBinary) and each.variant == "rem" and _is_index(each.result):
            less = forms.multiple(each, ends)
            if less is not None:
                found[each] = (each.a, less)
                forms.known[each.result] = forms.of(each.a).plus(less, -1)
    return found


def _is_index(value: Value) -> bool:
    """Whether a value is an integer of 64 bits. Narrow ones may wrap."""
    return isinstance(value.type, ScalarType) and value.type.is_integer and value.type.size == 8


class _Forms:
    """Integers in a `foreach` as multiples of its first variable, and of what is the same for all points."""

    def __init__(self, op: Foreach, inside: list[Operation]) -> None:
        self.variable = op.variables[0]
        self._inside = {value for each in inside for value in each.results}
        self._inside |= {value for each in inside for region in each.regions for value in region.arguments}
        self._inside.update(op.variables)
        self._ranges = dict(_ranges(op, inside))
        bounds = (linear_of(value, {}) for value in (*op.start, *op.stop))
        self._counts = {op.variables[0], *self._ranges, *(value for form in bounds for value, _ in form.terms)}
        """Numbers that are not large where there are points."""
        self.known: dict[Value, Linear] = {}
        """What results are that are known between the ends."""

    def of(self, value: Value) -> Linear:
        return linear_of(value, self.known)

    def exact(self, value: Value) -> Linear | None:
        """What an integer is; None if that may be a large number, which wraps."""
        form = self.of(value)
        is_exact = abs(form.constant) <= LARGEST and all(
            abs(factor) <= LARGEST_FACTOR and (term in self._counts or isinstance(term.owner, Size))
            for term, factor in form.terms
        )
        return form if is_exact else None

    def difference(self, a: Value, b: Value) -> Linear | None:
        one, other = self.exact(a), self.exact(b)
        return None if one is None or other is None else one.plus(other, -1)

    def not_negative(self, form: Linear | None) -> _Answer | None:
        """Whether a number is not negative."""
        if form is None:
            return None
        factor = form.factor(self.variable)
        rest = form.plus(Linear.of(self.variable), -factor)
        if factor == 1:
            return self._between(rest.times(-1), rest.times(-1), False, True)
        above = rest.plus(Linear(1))
        return self._between(above, above, True, False) if factor == -1 else None

    def comparison(self, op: Compare) -> _Answer | None:
        form = self.difference(op.a, op.b)
        if form is None:
            return None
        if op.variant in ("lt", "le"):
            answer = self.not_negative(form if op.variant == "lt" else form.plus(Linear(-1)))
            return None if answer is None else _Answer(answer.least, answer.most, not answer.below, not answer.above)
        if op.variant in ("gt", "ge"):
            return self.not_negative(form if op.variant == "ge" else form.plus(Linear(-1)))
        factor, differs = form.factor(self.variable), op.variant == "ne"
        equal = form.plus(Linear.of(self.variable), -factor).times(-factor)
        return self._between(equal, equal.plus(Linear(1)), differs, differs) if abs(factor) == 1 else None

    def multiple(self, op: ArithBinary, ends: _Ends) -> Linear | None:
        """What the remainder of a division is less than the number that is divided; None where that changes."""
        number, divisor = self.exact(op.a), self.exact(op.b)
        if number is None or divisor is None or not self._is_positive(divisor, ends):
            return None
        for quotient in (0, 1):
            less = divisor.times(quotient)
            own = _Ends(ends.start, ends.stop)
            is_at_least = own.between(self.not_negative(number.plus(less, -1)))
            is_below = own.between(self.not_negative(less.plus(divisor).plus(number, -1).plus(Linear(-1))))
            if is_at_least and is_below:
                ends.first, ends.last = max(ends.first, own.first), max(ends.last, own.last)
                return less
        return None

    def _is_positive(self, divisor: Linear, ends: _Ends) -> bool:
        """Whether a number is known to be positive where there are points."""
        if divisor.is_constant:
            return divisor.constant > 0
        more = divisor.plus(ends.stop, -1)
        return more.is_constant and more.constant >= 0 and ends.start.is_constant and ends.start.constant >= 0

    def _between(self, least: Linear, most: Linear, below: bool, above: bool) -> _Answer | None:
        """An answer that changes at values which the variables of loops in a point decide."""
        extremes = self._extreme(least, min), self._extreme(most, max)
        if extremes[0] is None or extremes[1] is None:
            return None
        return _Answer(extremes[0], extremes[1], below, above)

    def _extreme(self, form: Linear, choose: Callable[[int, int], int]) -> Linear | None:
        """The least or the largest of a number; None where that is not known."""
        for value, factor in form.terms:
            if value in self._ranges:
                first, last = self._ranges[value]
                form = form.at(value, Linear(choose(factor * first, factor * last) // factor))
            elif value in self._inside:
                return None
        return form


def _ranges(op: Foreach, inside: list[Operation]) -> Iterator[tuple[Value, tuple[int, int]]]:
    """The least and the largest values of the variables of loops in a point, and of its other variables."""
    bounds = [*zip(op.variables[1:], op.start[1:], op.stop[1:])]
    bounds += [(each.variable, each.start, each.stop) for each in inside if isinstance(each, For)]
    for variable, start, stop in bounds:
        first, last = constant_of(start), constant_of(stop)
        if first is not None and last is not None and first < last:
            yield variable, (int(first), int(last) - 1)
