"""loop-over-gemm: tensor operations in index notation, as loops over gemm, gemv and ger, or as a `foreach`.

`passes/analysis/loop_over_gemm.py` chooses; an attribute of the function shows each choice with its reason. Sums that
are looped over apply beta in the first iteration, and add to the target in the others.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from ..ir.meanings import Meanings
from ..ir.operation import Operation
from ..ir.types import index
from ..ir.values import Function, Region, Value
from ..ops import Axpby, Fuse, Gemm, Gemv, Ger, Subview, contraction
from ..ops.builder import Builder
from ..ops.constants import constant_of, is_constant
from ..ops.contraction import Contraction
from ..ops.views import Bound, Slice
from ..process.records import dataclass
from .analysis.loop_over_gemm import Plan, choose
from .element_loops import ElementLoops
from .manager import Pass, register
from .separate import separated

ATTRIBUTE = "loop_over_gemm"
"""With a number behind it: the attribute of a function that shows a choice."""
IndexValues = Mapping[str, Value]
"""Where an index is: the value of its loop's variable."""


@register
@dataclass(frozen=True)
class LoopOverGemm(Pass):
    """Lowers the instructions of index notation (`yateto.log`, `product`, `sum`, `axpby`)."""

    name = "loop-over-gemm"

    def run(self, function: Function) -> None:
        choices: list[str] = []
        self._lower(function.body, choices)
        for number, choice in enumerate(choices):
            function.attributes[f"{ATTRIBUTE}.{number}"] = choice

    def _lower(self, region: Region, choices: list[str]) -> None:
        operations: list[Operation] = []
        for op in region.operations:
            for inner in op.regions:
                self._lower(inner, choices)
            if isinstance(op, Contraction):
                *copying, op = separated(op)
                operations += copying
                assert isinstance(op, Contraction)
                lowered, choice = _LOWERINGS[type(op)](op)
                operations += lowered
                choices.append(f"{op.map}: {choice}")
            else:
                operations.append(op)
        region.operations = operations


# Element by element.


def _points(op: Any, choice: str = "foreach") -> tuple[list[Operation], str]:
    """A `foreach` over the output's elements, each a sum of products of the inputs' elements."""
    loops = ElementLoops(op)
    output = op.map.output.names

    def total(builder: Builder, index_values: IndexValues, left: str) -> Value:
        if not left:
            product: Value | None = None
            for name, indices in zip(op.factors, op.map.inputs):
                element = loops.operand_at(builder, name, [index_values[index] for index in indices.names])
                product = element if product is None else builder.arith("mul", product, element)
            assert product is not None
            return product
        size = loops.builder.size(*_mode_of(op, left[0]))
        return loops.total(builder, size, lambda inner, k: total(inner, {**index_values, left[0]: k}, left[1:]))

    loops.for_each_element(lambda at, points: total(at, dict(zip(output, points)), op.map.summed))
    return loops.operations, choice


def _mode_of(op: Contraction, index: str) -> tuple[Value, int]:
    """A tensor that has an index, and its mode."""
    number, mode = op.map.modes_of(index)[0]
    return getattr(op, (*op.factors, op.target)[number]), mode


def _axpby(op: Any) -> tuple[list[Operation], str]:
    """Transposes of matrices in loops, where the first modes of input and output differ; else element by element."""
    source, output = op.map.inputs[0].names, op.map.output.names
    if len(set(source)) < len(source) or len(source) < 2 or source[0] == output[0]:
        return _points(op)
    columns, rows = source[0], output[0]

    def transpose(builder: Builder, index_values: IndexValues) -> None:
        a, b = (_view(builder, value, names, index_values) for value, names in ((op.A, source), (op.B, output)))
        builder.add(Axpby(op.location, transpose="t", alpha=op.alpha, A=a, beta=op.beta, B=b))

    builder = Builder(op.location)
    loops = "".join(name for name in reversed(output) if name not in (rows, columns))
    _nest(builder, op, loops, {}, transpose)
    return builder.operations, f"axpby.t of {rows} and {columns}" + (f"; loop over {', '.join(loops)}" if loops else "")


# Loops over products.


def _loop_over_gemm(op: Any) -> tuple[list[Operation], str]:
    plan = choose(op.map, [op.A.type, op.B.type, op.C.type])
    if plan.word == "foreach":
        return _points(op, str(plan))
    builder = Builder(op.location)
    product = _Product(op, plan)
    _nest(builder, op, plan.loops, {}, lambda at, index_values: _sums(at, product, index_values))
    return builder.operations, str(plan)


def _nest(
    builder: Builder,
    op: Contraction,
    names: str,
    index_values: IndexValues,
    write: Callable[[Builder, IndexValues], None],
    first: int = 0,
) -> None:
    """Loops over some indices, the first one outermost, around what `write` writes."""
    if not names:
        write(builder, index_values)
        return

    def body(inner: Builder, variable: Value, _: list[Value]) -> Sequence[Value]:
        _nest(inner, op, names[1:], {**index_values, names[0]: variable}, write)
        return ()

    builder.loop(builder.size(*_mode_of(op, names[0])), [], body, names[0], first)


def _sums(builder: Builder, product: _Product, index_values: IndexValues) -> None:
    """The product, in loops that sum up where there are some: beta is for the first summand alone."""
    op, sums = product.op, product.plan.sums
    if not sums:
        product.write(builder, index_values, op.beta)
        return
    element = op.C.type.element
    one = builder.one(element)
    first = 0
    if len(sums) == 1 and isinstance(_size(op, sums), int):
        product.write(builder, {**index_values, sums: builder.zero(index)}, op.beta)
        first = 1
    elif not is_constant(op.beta, 1):
        _scale(builder, op, index_values)
    if first == 0 or _size(op, sums) != 1:
        _nest(builder, op, sums, index_values, lambda inner, within: product.write(inner, within, one), first)


def _size(op: Contraction, index: str) -> Any:
    tensor, mode = _mode_of(op, index)
    return tensor.type.shape[mode]


def _scale(builder: Builder, op: Any, index_values: IndexValues) -> None:
    """`C := beta C` where loops are, which does not read C if beta is zero."""
    element = op.C.type.element
    names = op.map.output.names
    target = _view(builder, op.C, names, index_values)
    stops = [builder.size(op.C, mode) for mode, name in enumerate(names) if name not in index_values]

    def value(inner: Builder, points: list[Value]) -> None:
        points = points[: len(stops)]
        zero = inner.zero(element)

        def scaled(within: Builder) -> list[Value]:
            return [within.arith("mul", within.cast(op.beta, element), within.load(target, points))]

        if constant_of(op.beta) is not None:
            (result,) = [zero] if is_constant(op.beta, 0) else scaled(inner)
        else:
            is_read = inner.compare("ne", op.beta, inner.zero(op.beta.type))
            (result,) = inner.branch(is_read, [element], scaled, lambda _: [zero])
        inner.store(result, target, points)

    builder.foreach(stops, value)


@dataclass(frozen=True)
class _Product:
    """The matrix product of a plan."""

    op: Any
    plan: Plan

    def write(self, builder: Builder, index_values: IndexValues, beta: Value) -> None:
        op, plan = self.op, self.plan
        groups = (plan.m, plan.n, plan.k)
        (a, a_names), (b, b_names), (c, _) = (
            (_view(builder, tensor, indices.names, index_values, groups), _groups_in(indices.names, groups))
            for tensor, indices in zip((op.A, op.B, op.C), op.map.operands)
        )
        rows, columns = plan.m, plan.n
        if plan.is_transposed or not rows:
            (a, a_names), (b, b_names) = (b, b_names), (a, a_names)
            rows, columns = columns, rows
        # `a` has rows and `b` has columns now
        common = {"alpha": op.alpha, "beta": beta}
        turned_a = "n" if a_names and a_names[0] == rows else "t"
        if plan.copied:
            a, turned_a = _copied(builder, a, turned_a), "n"
        turned_b = "n" if b_names and b_names[-1] == columns else "t"
        if plan.word == "gemm":
            builder.add(Gemm(op.location, transpose_a=turned_a, transpose_b=turned_b, A=a, B=b, C=c, **common))
        elif plan.word == "gemv":
            builder.add(Gemv(op.location, transpose=turned_a, A=a, b=b, c=c, **common))
        else:
            builder.add(Ger(op.location, a=a, b=b, C=c, **common))


def _copied(builder: Builder, matrix: Value, transpose: str) -> Value:
    """A copy of a matrix or of its transpose in local memory, with contiguous columns."""
    element = matrix.type.element
    shape = matrix.type.shape[::-1] if transpose == "t" else matrix.type.shape
    copy = builder.allocate(element, shape)
    one, zero = builder.one(element), builder.zero(element)
    builder.add(Axpby(builder.location, transpose=transpose, alpha=one, A=matrix, beta=zero, B=copy))
    return copy


def _groups_in(names: str, groups: Sequence[str]) -> list[str]:
    """The groups of indices that an operand has, in its order."""
    return sorted((group for group in groups if group and group[0] in names), key=lambda group: names.index(group[0]))


def _view(builder: Builder, tensor: Value, names: str, index_values: IndexValues, groups: Sequence[str] = ()) -> Value:
    """The view on a tensor at the values of looped indices, where each group of indices is one mode."""
    if any(name in index_values for name in names):
        slices = [
            Slice(index_values[name]) if name in index_values else Slice(0, _extent(builder, tensor, mode))
            for mode, name in enumerate(names)
        ]
        tensor = builder.add(Subview(builder.location, None, tensor=tensor, slices=slices)).results[0]
        names = "".join(name for name in names if name not in index_values)
    for group in groups:
        if len(group) > 1 and group in names:
            first = names.index(group)
            fused = Fuse(builder.location, None, tensor=tensor, first=first, last=first + len(group) - 1)
            tensor = builder.add(fused).results[0]
            names = names.replace(group, group[0])
    return tensor


def _extent(builder: Builder, tensor: Value, mode: int) -> Bound:
    extent = tensor.type.shape[mode]
    return extent if isinstance(extent, int) else builder.size(tensor, mode)


_LOWERINGS: Meanings[type[Operation], Callable[[Any], tuple[list[Operation], str]]] = Meanings(
    "loop-over-gemm",
    {
        contraction.IndexedAxpby: _axpby,
        contraction.IndexedProduct: _points,
        contraction.IndexedSum: _points,
        contraction.LoopOverGemm: _loop_over_gemm,
    },
)
