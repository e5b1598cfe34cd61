"""Terms of sums: products of rectangles of memrefs, and loops of such products.

Terms that go on where the term before ends are one term, and so are the steps of a loop.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import replace

from ..diagnostics import Location
from ..ir.types import ScalarType
from ..ir.values import Value
from ..ops import For
from ..ops.updates import TRANSPOSES
from ..process.records import dataclass
from .analysis.linear import Linear


@dataclass(frozen=True)
class Rectangle:
    """A rectangle of a memref, its sizes along the memref's modes; a matrix, or its transpose."""

    M: Value
    view: Hashable
    """What is equal for equal views on memory."""
    row: Linear
    column: Linear
    shape: tuple[int, int]
    transpose: str = "n"
    checked: tuple[bool, bool] = (False, False)
    """Whether the matrix has zeros in each mode for what is outside."""

    @property
    def origin(self) -> tuple[Linear, Linear]:
        return self.row, self.column

    def cut(self, rows: int, columns: int) -> Rectangle:
        return replace(self, shape=(rows, columns))

    def at(self, value: Value, form: Linear) -> Rectangle:
        return replace(self, row=self.row.at(value, form), column=self.column.at(value, form))

    def is_apart(self, other: Rectangle) -> bool:
        """Whether two rectangles of one memref are known to have no element in common."""
        for here, there, size, other_size in zip(self.origin, other.origin, self.shape, other.shape):
            distance = there.plus(here, -1)
            if distance.is_constant and (distance.constant >= size or -distance.constant >= other_size):
                return True
        return False

    def is_same(self, other: Rectangle) -> bool:
        same = self.view == other.view and self.shape == other.shape and self.transpose == other.transpose
        return same and self.row.equals(other.row) and self.column.equals(other.column)

    def mode_of(self, side: int) -> int:
        """The memref's mode in which the matrix has its rows (0) or columns (1)."""
        return 1 - side if TRANSPOSES[self.transpose] else side

    def continues(self, other: Rectangle, mode: int) -> bool:
        """Whether another rectangle begins, in a mode, where this one ends."""
        moved = [self.row, self.column]
        moved[mode] = moved[mode].plus(Linear(self.shape[mode]))
        same = (
            self.view == other.view
            and self.transpose == other.transpose
            and self.shape[1 - mode] == other.shape[1 - mode]
        )
        return same and all(a.equals(b) for a, b in zip(moved, other.origin))

    def longer(self, other: Rectangle, mode: int) -> Rectangle:
        shape = list(self.shape)
        shape[mode] += other.shape[mode]
        checked = (self.checked[0] or other.checked[0], self.checked[1] or other.checked[1])
        return replace(self, shape=(shape[0], shape[1]), checked=checked)

    def swept(self, loop: Steps, mode: int | None) -> Rectangle | None:
        """What the rectangle covers in all steps of a loop, side by side in a mode, or staying where it is."""
        assert loop.trips is not None
        shape = list(self.shape)
        for each, form in enumerate(self.origin):
            per_step = form.factor(loop.variable) * loop.step
            if loop.trips > 1 and per_step != (shape[each] if each == mode else 0):
                return None
        if mode is not None:
            shape[mode] *= loop.trips
        return replace(self.at(loop.variable, loop.first), shape=(shape[0], shape[1]))


@dataclass(frozen=True)
class Steps:
    """The steps of a `for`."""

    op: For
    first: Linear
    stop: Linear
    step: int
    trips: int | None
    """None where it is known at run time only."""

    @property
    def variable(self) -> Value:
        return self.op.variable

    @property
    def before(self) -> Linear:
        """The variable's value in the step before."""
        return Linear.of(self.variable).plus(Linear(-self.step))

    @property
    def last(self) -> Linear:
        assert self.trips
        return self.first.plus(Linear((self.trips - 1) * self.step))


@dataclass(frozen=True)
class Term:
    """A product of two matrices."""

    a: Rectangle
    b: Rectangle


@dataclass(frozen=True)
class Loop:
    """The terms of all steps of a `for`."""

    steps: Steps
    terms: tuple[Term | Loop, ...]

    def later(self) -> Loop:
        """Without the first step."""
        steps = self.steps
        assert steps.trips is not None
        return replace(self, steps=replace(steps, first=steps.first.plus(Linear(steps.step)), trips=steps.trips - 1))


Terms = tuple[Term | Loop, ...]


@dataclass(frozen=True)
class Product:
    """The sum of products that is stored."""

    target: Rectangle
    is_sum_new: bool
    """Whether it replaces what was there."""
    terms: Terms
    location: Location | None


def terms_at(terms: Sequence[Term | Loop], variable: Value, form: Linear) -> Terms:
    """Terms where a loop's variable has a value."""
    placed: list[Term | Loop] = []
    for term in terms:
        if isinstance(term, Term):
            placed.append(Term(term.a.at(variable, form), term.b.at(variable, form)))
        else:
            first, stop = (end.at(variable, form) for end in (term.steps.first, term.steps.stop))
            steps = replace(term.steps, first=first, stop=stop)
            placed.append(Loop(steps, terms_at(term.terms, variable, form)))
    return tuple(placed)


def is_rounded(element: ScalarType) -> bool:
    """Whether a sum is rounded after each product, so that products can't be joined: f16 and bf16."""
    return element.is_floating and element.size <= 2


def appended(terms: Terms, term: Term | Loop, element: ScalarType) -> Terms:
    """Terms with another one, joined with the last one where it goes on where that ends."""
    if not terms or is_rounded(element):
        return (*terms, term)
    last = terms[-1]
    if isinstance(last, Term) and isinstance(term, Term):
        modes = last.a.mode_of(1), last.b.mode_of(0)
        if last.a.continues(term.a, modes[0]) and last.b.continues(term.b, modes[1]):
            return (*terms[:-1], Term(last.a.longer(term.a, modes[0]), last.b.longer(term.b, modes[1])))
    return (*terms, term)


def longer_term(loop: Loop, element: ScalarType) -> Term | Loop:
    """The terms of all steps, one term where they lie side by side."""
    trips = loop.steps.trips
    if len(loop.terms) == 1 and trips and not (is_rounded(element) and trips > 1):
        (term,) = loop.terms
        if isinstance(term, Term):
            a = term.a.swept(loop.steps, term.a.mode_of(1))
            b = term.b.swept(loop.steps, term.b.mode_of(0))
            if a is not None and b is not None:
                return Term(a, b)
    return loop


def wider(product: Product, steps: Steps) -> Product | None:
    """The product of all steps of a loop around it, where these compute tiles that lie side by side."""
    for side in (0, 1):
        target = product.target.swept(steps, side)
        terms = _swept(product.terms, steps, side)
        if target is not None and terms is not None:
            return replace(product, target=target, terms=terms)
    return None


def _swept(terms: Terms, steps: Steps, side: int) -> Terms | None:
    swept: list[Term | Loop] = []
    for term in terms:
        if isinstance(term, Loop):
            ends = (term.steps.first, term.steps.stop)
            inner = None if any(end.factor(steps.variable) for end in ends) else _swept(term.terms, steps, side)
            if inner is None:
                return None
            swept.append(replace(term, terms=inner))
            continue
        a = term.a.swept(steps, term.a.mode_of(0) if side == 0 else None)
        b = term.b.swept(steps, term.b.mode_of(1) if side == 1 else None)
        if a is None or b is None:
            return None
        swept.append(Term(a, b))
    return tuple(swept)


def symbols(product: Product) -> Iterator[Value]:
    """The values that a product depends on."""

    def of(terms: Terms) -> Iterator[Linear | Value]:
        for term in terms:
            if isinstance(term, Term):
                yield from (*term.a.origin, *term.b.origin, term.a.M, term.b.M)
            else:
                yield from (term.steps.first, term.steps.stop)
                yield from of(term.terms)

    for each in (*product.target.origin, product.target.M, *of(product.terms)):
        yield from (value for value, _ in each.terms) if isinstance(each, Linear) else (each,)
