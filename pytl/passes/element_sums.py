"""What loops over elements compute: a target that is updated by a product of elements, their sum, or one of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Literal

from ..ir.operation import Operation
from ..ir.types import MemrefType, ScalarType, index, promotable
from ..ir.values import Value
from ..ops import ArithBinary, ArithUnary, Cast, For, Load, Slice, Store, Subview, products
from ..ops.builder import Builder
from ..ops.constants import constant_of
from ..ops.control import terminator
from ..process.records import dataclass
from .analysis.linear import Linear, linear_of
from .loop_nests import Loop, is_counted, loop_of


@dataclass(frozen=True)
class Operand:
    """An element in the loops: its memory, and for each mode the loop that indexes it with what is added to it."""

    tensor: Value
    modes: tuple[tuple[Loop | None, Linear], ...]

    @property
    def loops(self) -> list[Loop]:
        return [loop for loop, _ in self.modes if loop is not None]


@dataclass(frozen=True)
class Statement:
    """`target := alpha ∑ factors + beta target` over loops; without factors, the target becomes `alpha`."""

    loops: tuple[Loop, ...]
    target: Operand
    factors: tuple[Operand, ...]
    alpha: tuple[Value, ...]
    is_negative: bool
    adds: bool
    """Whether the target is added to, and not replaced."""
    kind: Literal["product", "sum", "added", "filled"]

    def starts_from(self, before: Statement) -> bool:
        """Whether this adds to zeros that a statement in front of it stores everywhere."""
        is_zero = before.kind == "filled" and all(constant_of(value) == 0 for value in before.alpha)
        return is_zero and self.adds and self._target_position() == before._target_position() and self._is_never_empty()

    def _target_position(self) -> tuple[object, ...]:
        target = self.target
        modes = [(None if loop is None else (loop.start, loop.stop), offset.constant, offset.terms)
                 for loop, offset in target.modes]  # fmt: skip
        return (target.tensor, *modes)

    def _is_never_empty(self) -> bool:
        """Whether the loops that sum up have iterations: else zeros would not be stored."""
        for loop in self.loops:
            if loop not in self.target.loops:
                start, stop = constant_of(loop.start), constant_of(loop.stop)
                if start is None or stop is None or stop <= start:
                    return False
        return True

    def anew(self) -> Statement:
        return replace(self, adds=False)

    def write(self, builder: Builder) -> None:
        """The instructions."""
        conditions = [loop for loop in self.loops if not _has_iterations(loop)]
        if not conditions:
            self._instructions(builder)
            return
        total: Value | None = None
        for loop in conditions:
            has_iterations = builder.compare("lt", loop.start, loop.stop)
            total = has_iterations if total is None else builder.arith("and", total, has_iterations)
        assert total is not None

        def then(inner: Builder) -> list[Value]:
            self._instructions(inner)
            return []

        builder.branch(total, [], then)

    def _instructions(self, builder: Builder) -> None:
        target, *factors = (self._view(builder, operand) for operand in (self.target, *self.factors))
        beta = builder.one(target.element) if self.adds else builder.zero(target.element)
        if self.kind == "filled":
            return self._fill(builder, target)
        wide = products.fits(target.element, *(each.element for each in factors))
        assert wide is not None
        alpha = self._alpha(builder, wide)
        if self.kind == "product":
            products.product(builder, factors[0], factors[1], target, alpha, beta)
        elif self.kind == "sum":
            products.summed(builder, factors[0], target, alpha, beta)
        else:
            products.added(builder, factors[0], target, alpha, beta)

    def _fill(self, builder: Builder, target: products.Indexed) -> None:
        (value,) = self.alpha
        sizes = [builder.size(target.tensor, mode) if target.tensor.owner is None else self._size(builder, loop)
                 for mode, (loop, _) in enumerate(self._target_modes())]  # fmt: skip
        builder.foreach(sizes, lambda inner, points: inner.store(value, target.tensor, points[: len(sizes)]))

    def _target_modes(self) -> list[tuple[Loop, Linear]]:
        return [(loop, offset) for loop, offset in self.target.modes if loop is not None]

    def _size(self, builder: Builder, loop: Loop) -> Value:
        size = _extent(loop)
        return builder.constant(index, size) if size is not None else builder.arith("sub", loop.stop, loop.start)

    def _alpha(self, builder: Builder, type_: ScalarType) -> Value:
        total: Value | None = None
        for value in self.alpha:
            total = value if total is None else builder.arith("mul", total, value)
        if total is None:
            return builder.constant(type_, -1 if type_.is_integer else -1.0) if self.is_negative else builder.one(type_)
        if self.is_negative:
            return builder.unary("neg", total)
        return total

    def _view(self, builder: Builder, operand: Operand) -> products.Indexed:
        """The part of an operand's memory that the loops go over."""
        letters = "".join(products.LETTERS[self.loops.index(loop)] for loop in operand.loops)
        type_: MemrefType = operand.tensor.type
        slices: list[Slice] = []
        whole = True
        for (loop, offset), extent in zip(operand.modes, type_.shape):
            if loop is None:
                slices.append(Slice(offset.constant if offset.is_constant else offset.write(builder)))
                whole = False
                continue
            first = _first_of(loop, offset)
            size = _extent(loop)
            is_all = first == Linear() and (
                size == extent if size is not None else _is_size(loop.stop, operand, slices)
            )
            whole = whole and is_all
            begin = first.constant if first.is_constant else first.write(builder)
            slices.append(Slice(begin, size if size is not None else self._size(builder, loop)))
        if whole:
            return products.Indexed(operand.tensor, letters)
        view = builder.add(Subview(builder.location, None, tensor=operand.tensor, slices=slices)).results[0]
        return products.Indexed(view, letters)


def _is_size(stop: Value, operand: Operand, before: Sequence[Slice]) -> bool:
    """Whether a loop ends with the mode that it indexes."""
    from ..ops import Size

    op = stop.owner
    return isinstance(op, Size) and op.tensor is operand.tensor and op.mode == len(before)


def _extent(loop: Loop) -> int | None:
    start, stop = constant_of(loop.start), constant_of(loop.stop)
    return None if start is None or stop is None else int(stop - start)


def _first_of(loop: Loop, offset: Linear) -> Linear:
    """The index that a loop begins with, in a mode that it indexes with an offset."""
    return offset.plus(linear_of(loop.start, {}))


def _has_iterations(loop: Loop) -> bool:
    size = _extent(loop)
    return size is not None and size > 0


# Recognition.


def recognized(
    loops: Sequence[Loop], operations: Sequence[Operation], store: Store, inside: set[Value]
) -> Statement | None:
    """What a nest with one store computes, None where there is no instruction for it."""
    if store.flag or any(loop.start in inside or loop.stop in inside for loop in loops):
        return None
    sizes = [_extent(loop) for loop in loops]
    if any(size is not None and size <= 0 for size in sizes):
        return None
    own = set(store.data.owner.results) if store.data.owner is not None else set()
    carried = store.data.owner if own and store.data in inside else None
    if isinstance(carried, For):
        return _carried(loops, operations, store, carried, inside)
    if any(op.regions for op in operations):
        return None
    return _statement(loops, store, _terms(store.data, inside), inside)


def _carried(
    loops: Sequence[Loop], operations: Sequence[Operation], store: Store, inner: For, inside: set[Value]
) -> Statement | None:
    """A sum that inner loops carry from one iteration to the next, and that is stored behind them."""
    all_loops, value, first = list(loops), store.data, None
    while isinstance(value.owner, For) and value in inside:
        op = value.owner
        last = terminator(op.body)
        if len(op.results) != 1 or not is_counted(op) or last is None or op.start in inside or op.stop in inside:
            return None
        if first is not None and op.inits[0] is not first:
            return None
        if _extent(loop_of(op)) is not None and (_extent(loop_of(op)) or 0) <= 0:
            return None
        all_loops.append(loop_of(op))
        begin = op.inits[0] if first is None else None
        if begin is not None:
            start_value = begin
        first, value = op.carried[0], last.yielded[0]
        if any(each.regions and not isinstance(each, For) for each in op.body.operations):
            return None
    assert first is not None
    terms = _terms(value, inside | {first}, first)
    if terms is None or [True for term in terms if term.factors == (first,)] != [True]:
        return None
    rest = [term for term in terms if term.factors != (first,)]
    if any(first in term.factors for term in rest) or next(t for t in terms if t.factors == (first,)).is_negative:
        return None
    begin_terms = _terms(start_value, inside)
    is_zero = constant_of(start_value) == 0
    if not is_zero:
        if start_value not in inside or begin_terms is None:
            return None
        rest = [*begin_terms, *rest]
        statement = _statement(all_loops, store, rest, inside)
        return statement if statement is not None and statement.adds else None
    statement = _statement(all_loops, store, rest, inside, of_zero=True)
    if statement is None or statement.adds:
        return None
    return statement


@dataclass(frozen=True)
class _Term:
    """A product: what it is made of, and its sign."""

    factors: tuple[Value, ...]
    is_negative: bool


def _terms(value: Value, inside: set[Value], carried: Value | None = None, most: int = 4) -> list[_Term] | None:
    """A value as a sum of products; None for one of more than so many."""
    op = value.owner
    if value in inside and value is not carried and isinstance(op, ArithBinary) and op.variant in ("add", "sub"):
        # a sum may have thousands: no deeper than there may be terms
        a = _terms(op.a, inside, carried, most - 1) if most > 1 else None
        b = None if a is None else _terms(op.b, inside, carried, most - len(a))
        if a is None or b is None:
            return None
        if op.variant == "sub":
            b = [replace(term, is_negative=not term.is_negative) for term in b]
        return [*a, *b]
    if value in inside and isinstance(op, ArithUnary) and op.variant == "neg":
        inner = _terms(op.a, inside, carried, most)
        return None if inner is None else [replace(term, is_negative=not term.is_negative) for term in inner]
    factors = _factors(value, inside, carried)
    return None if factors is None else [_Term(tuple(factors), False)]


def _factors(value: Value, inside: set[Value], carried: Value | None, most: int = 4) -> list[Value] | None:
    op = value.owner
    if value in inside and value is not carried and isinstance(op, ArithBinary) and op.variant == "mul":
        a = _factors(op.a, inside, carried, most - 1) if most > 1 else None
        b = None if a is None else _factors(op.b, inside, carried, most - len(a))
        return None if a is None or b is None else [*a, *b]
    return [value]


def _statement(
    loops: Sequence[Loop], store: Store, terms: Sequence[_Term] | None, inside: set[Value], of_zero: bool = False
) -> Statement | None:
    target = _operand(store.tensor, store.indices, loops, inside)
    if terms is None or target is None or len(set(target.loops)) != len(target.loops):
        return None
    element: ScalarType = store.tensor.type.element
    own = [term for term in terms if _is_target(term, store)]
    others = [term for term in terms if not _is_target(term, store)]
    reduces = any(loop not in target.loops for loop in loops)
    if len(own) > 1 or len(others) != 1 or any(term.is_negative for term in own):
        return None
    if reduces and (element.size == 2 and element.is_floating):
        return None
    if reduces and not own and not of_zero:
        return None
    term = others[0]
    factors: list[Operand] = []
    alpha: list[Value] = []
    for value in term.factors:
        if value not in inside:
            alpha.append(value)
            continue
        operand = _loaded(value, loops, inside, element)
        if operand is None or operand.tensor is store.tensor:
            return None
        factors.append(operand)
    if any(_is_beyond(operand) for operand in (target, *factors)):
        return None
    statement = Statement(tuple(loops), target, tuple(factors), tuple(alpha), term.is_negative, bool(own), "filled")
    return _kind(statement, reduces, element)


def _is_beyond(operand: Operand) -> bool:
    """Whether loops are known to leave a memref, of which there is no such view: the accesses themselves are told."""
    for (loop, offset), extent in zip(operand.modes, operand.tensor.type.shape):
        size = 1 if loop is None else _extent(loop)
        first = offset if loop is None else _first_of(loop, offset)
        if not first.is_constant or not isinstance(extent, int):
            continue
        if first.constant < 0 or first.constant + (size or 0) > extent:
            return True
    return False


def _kind(statement: Statement, reduces: bool, element: ScalarType) -> Statement | None:
    """The statement with the kind of instruction that there is for it."""
    target, factors = statement.target, statement.factors
    used = {loop for operand in (target, *factors) for loop in operand.loops}
    if any(loop not in used for loop in statement.loops) or any(len(set(f.loops)) < len(f.loops) for f in factors):
        return None
    if not factors:
        is_fill = not (reduces or statement.adds or statement.is_negative) and len(statement.alpha) == 1
        return statement if is_fill and target.loops and len(target.loops) == len(statement.loops) else None
    types = [factor.tensor.type.element for factor in factors]
    wide = products.fits(element, *types)
    if wide is None or any(not promotable(value.type, wide) for value in statement.alpha) or len(statement.alpha) > 2:
        return None
    if len(factors) == 2:
        letters = [
            "".join(products.LETTERS[statement.loops.index(loop)] for loop in o.loops) for o in (*factors, target)
        ]
        disjoint = not set(letters[0]) & set(letters[1])
        if products.is_product(*letters) and (reduces or (disjoint and all(letters))):
            return replace(statement, kind="product")
        return None
    if len(factors) != 1:
        return None
    if reduces:
        is_part = set(target.loops) <= set(factors[0].loops)
        return replace(statement, kind="sum") if is_part else None
    same = sorted(map(id, target.loops)) == sorted(map(id, factors[0].loops))
    # factors of a sum may be multiplied in another order, but those of an element as they were
    if same and types[0] == element and target.loops and len(statement.alpha) < 2:
        return replace(statement, kind="added")
    return None


def _is_target(term: _Term, store: Store) -> bool:
    """Whether a term is what the target had."""
    if len(term.factors) != 1:
        return False
    op = term.factors[0].owner
    if not isinstance(op, Load) or op.tensor is not store.tensor:
        return False
    return all(linear_of(a, {}).equals(linear_of(b, {})) for a, b in zip(op.indices, store.indices))


def _loaded(value: Value, loops: Sequence[Loop], inside: set[Value], element: ScalarType) -> Operand | None:
    """The element that a value is, maybe cast to the type of the sum."""
    op = value.owner
    if isinstance(op, Cast) and op.operand in inside:
        source = op.operand.type
        if not promotable(source, op.result.type):
            return None
        op = op.operand.owner
    if not isinstance(op, Load) or op.is_item:
        return None
    return _operand(op.tensor, op.indices, loops, inside)


def _operand(tensor: Value, indices: Sequence[Value], loops: Sequence[Loop], inside: set[Value]) -> Operand | None:
    """The access as a rectangle of memory: each index is a loop's variable with something added to it, or no loop's."""
    if tensor in inside:
        return None
    by_variable = {loop.variable: loop for loop in loops}
    modes: list[tuple[Loop | None, Linear]] = []
    for value in indices:
        form = linear_of(value, {})
        variables = [each for each, _ in form.terms if each in by_variable]
        if len(variables) > 1 or any(each in inside and each not in by_variable for each, _ in form.terms):
            return None
        if not variables:
            modes.append((None, form))
            continue
        if form.factor(variables[0]) != 1:
            return None
        modes.append((by_variable[variables[0]], form.plus(Linear.of(variables[0]), -1)))
    return Operand(tensor, tuple(modes))
