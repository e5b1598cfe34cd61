"""raise-products: products of matrices that a sub-group loads and stores, as gemms on the memory itself.

A `parallel` that loads tiles, multiplies them in loops and stores the sums is what a program on tiles looks like. As a
gemm it has the vector code of a gemm: no copies of the factors, and sums in registers from the first term to the last.
`tile_products` has what is known of such matrices: where they were loaded from, and which products they sum. The `for`
over slices of the sum becomes a longer product, and one over tiles that lie side by side a wider one. Where anything
else is done with a matrix, or memory that is read may be written, the region stays as it is.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from ..ir.operation import Operation
from ..ir.types import index, promote
from ..ir.values import Function, Region, Value
from ..ops import CooperativeMatrixMulAdd, For, Gemm, Parallel, Subview
from ..ops.builder import Builder
from ..ops.launch_defaults import subgroup_count
from ..ops.updates import TRANSPOSES
from ..ops.views import Slice
from ..process.records import dataclass
from .analysis.known import Known
from .analysis.linear import Linear
from .inline_calls import WithoutCalls
from .manager import register
from .targets.strategies import STRATEGY
from .tile_products import Item, Nest, NotLegal, Recognizer
from .tile_terms import Loop, Product, Rectangle, Steps, Term, terms_at


@register
@dataclass(frozen=True)
class RaiseProducts(WithoutCalls):
    """Makes gemms of the products of matrices in `parallel`, where one work-item executes the work-group.

    It takes the memory of different parameters for apart, as every gemm does. Functions stay `as_written` where a
    launch has arrays that overlap, or asks for it.
    """

    name = "raise-products"
    as_written: bool = False

    def run(self, function: Function) -> None:
        if self.as_written or function.attributes.get(STRATEGY) != "one-item":
            return
        if any(isinstance(op, CooperativeMatrixMulAdd) for op in function.walk()):
            _raise(function.body, Known(function), subgroup_count(function))
            for op in function.walk():
                for value in op.results:
                    value.owner = op


def _raise(region: Region, known: Known, subgroups: int) -> None:
    operations: list[Operation] = []
    for op in region.operations:
        if isinstance(op, Parallel):
            try:
                operations += _Writer(known).written(op, Recognizer(op, subgroups).items())
                continue
            except NotLegal:
                pass
        else:
            for inner in op.regions:
                if inner.kind != "spmd":
                    _raise(inner, known, subgroups)
        operations.append(op)
    region.operations = operations


class _Writer:
    """Writes the products of a region as instructions."""

    def __init__(self, known: Known) -> None:
        self.known = known
        self._variables: dict[Value, Value] = {}
        """The variable of the loop that was read, for that of each loop that is written."""

    def written(self, op: Parallel, items: Sequence[Item]) -> list[Operation]:
        builder = Builder(op.location)
        self._items(builder, items)
        return builder.operations

    def _items(self, builder: Builder, items: Sequence[Item]) -> None:
        for item in items:
            if isinstance(item, Nest):
                self._for(builder, item.steps, item.steps.variable, partial(self._items, items=item.items))
            elif isinstance(item, Product):
                self._product(builder, item)
            else:
                builder.add(item)

    def _for(self, builder: Builder, steps: Steps, variable: Value, write: Callable[[Builder], None]) -> None:
        inner = Builder(steps.op.location, builder)
        write(inner)
        body = Region("mixed", [variable], inner.operations, steps.op.location)
        step = None if steps.step == 1 else builder.constant(index, steps.step)
        start, stop = steps.first.write(builder), steps.stop.write(builder)
        builder.add(For(steps.op.location, [], start=start, stop=stop, step=step, body=body))

    def _product(self, builder: Builder, product: Product) -> None:
        terms = product.terms
        if product.is_sum_new and isinstance(terms[0], Loop):
            # the first step alone replaces what is there
            loop = terms[0]
            if not loop.steps.trips:
                raise NotLegal
            begin = terms_at(loop.terms, loop.steps.variable, loop.steps.first)
            terms = (*begin, loop.later(), *terms[1:])
            if isinstance(terms[0], Loop):
                raise NotLegal
        for number, term in enumerate(terms):
            self._term(builder, product, term, product.is_sum_new and number == 0)

    def _term(self, builder: Builder, product: Product, term: Term | Loop, is_sum_new: bool) -> None:
        if isinstance(term, Term):
            self._gemm(builder, product, term, is_sum_new)
        elif term.steps.trips != 0:
            old = term.steps.variable
            variable = Value(old.type, old.name, old.location)
            self._variables[variable] = old
            terms = terms_at(term.terms, old, Linear.of(variable))

            def write(inner: Builder) -> None:
                for each in terms:
                    self._term(inner, product, each, False)

            self._for(builder, term.steps, variable, write)

    def _gemm(self, builder: Builder, product: Product, term: Term, is_sum_new: bool) -> None:
        self._by_sizes(builder, product.target, partial(self._sized, product=product, term=term, is_sum_new=is_sum_new))

    def _by_sizes(self, builder: Builder, c: Rectangle, write: Callable[[Builder, int, int], None]) -> None:
        """Write what is done where the target, or a part of it of known size, is within its memref."""
        self._by_size(builder, c, 0, lambda on, rows: self._by_size(on, c, 1, lambda inner, n: write(inner, rows, n)))

    def _by_size(self, builder: Builder, c: Rectangle, mode: int, write: Callable[[Builder, int], None]) -> None:
        origin, extent = c.origin[mode], c.M.type.shape[mode]
        size = self._within(c, mode)
        if size is not None:
            write(builder, size)
            return
        # tiles that are laid side by side from 0 on, of which only the last one can be in the memref in part
        size = c.shape[mode]
        if any(number % size for number in (origin.constant, *(factor for _, factor in origin.terms))):
            raise NotLegal
        first, rest, end = origin.write(builder), extent % size, builder.constant(index, extent - extent % size)

        def whole(inner: Builder) -> list[Value]:
            write(inner, size)
            return []

        def last(inner: Builder) -> list[Value]:
            write(inner, rest)
            return []

        is_whole = builder.compare("lt", first, end)
        if self._bounds(origin)[0] < 0:
            is_whole = builder.arith("and", is_whole, builder.compare("ge", first, builder.zero(index)))
        if extent >= size:
            builder.branch(is_whole, [], whole)
        if rest:
            builder.branch(builder.compare("eq", first, end), [], last)

    def _sized(self, builder: Builder, rows: int, columns: int, product: Product, term: Term, is_sum_new: bool) -> None:
        """A product with as many rows and columns as are stored."""
        a, b, c = term.a, term.b, product.target
        for each, side, size in ((a, 0, rows), (b, 1, columns)):
            mode = each.mode_of(side)
            within = self._within(each, mode)
            follows = each.origin[mode].equals(c.origin[side])
            # what is outside of a factor may meet an infinity in the other
            if within is None and not (follows and each.M.type.shape[mode] >= c.M.type.shape[side]):
                raise NotLegal
            if within is not None and within < size:
                raise NotLegal
        depth = self._within(a, a.mode_of(1))
        if depth is None or depth != self._within(b, b.mode_of(0)):
            raise NotLegal
        a = a.cut(*((depth, rows) if TRANSPOSES[a.transpose] else (rows, depth)))
        b = b.cut(*((columns, depth) if TRANSPOSES[b.transpose] else (depth, columns)))
        element, factors = c.M.type.element, promote(a.M.type.element, b.M.type.element)
        assert factors is not None, "the verifier has checked it"
        beta = builder.zero(element) if is_sum_new else builder.one(element)
        A, B, C = (self._view(builder, each, product) for each in (a, b, c.cut(rows, columns)))
        transposes = {"transpose_a": a.transpose, "transpose_b": b.transpose}
        builder.add(Gemm(product.location, None, alpha=builder.one(factors), A=A, B=B, beta=beta, C=C, **transposes))  # type: ignore[arg-type]

    def _view(self, builder: Builder, each: Rectangle, product: Product) -> Value:
        slices = []
        for origin, size in zip(each.origin, each.shape):
            slices.append(Slice(origin.constant if origin.is_constant else origin.write(builder), size))
        if all(s.offset == 0 and s.size == extent for s, extent in zip(slices, each.M.type.shape)):
            return each.M
        return builder.add(Subview(product.location, None, tensor=each.M, slices=slices)).results[0]

    def _within(self, each: Rectangle, mode: int) -> int | None:
        """How much of a rectangle is in the memref, in a mode; None where that depends on the execution."""
        origin, size, extent = each.origin[mode], each.shape[mode], each.M.type.shape[mode]
        if not each.checked[mode]:
            return size
        if not isinstance(extent, int):
            raise NotLegal
        minimum, maximum = self._bounds(origin)
        if minimum >= 0 and maximum + size <= extent:
            return size
        if not origin.is_constant:
            return None
        if not 0 <= origin.constant < extent:
            raise NotLegal
        return min(size, extent - origin.constant)

    def _bounds(self, origin: Linear) -> tuple[int, int]:
        minimum = maximum = origin.constant
        for value, factor in origin.terms:
            ends = [bound * factor for bound in self.known.bounds(self._variables.get(value, value))]
            minimum, maximum = minimum + min(ends), maximum + max(ends)
        return minimum, maximum
