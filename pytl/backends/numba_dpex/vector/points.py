"""The points of a `foreach` that is the epilogue of a product, as lanes of vectors.

Consecutive values of the first variable are the lanes of a vector, and each instruction is executed for all lanes at
once. What is uniform over the lanes is computed once. Where lanes diverge at an `if`, both regions are executed, each
predicated for the lanes that take it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from llvmlite import ir

from ....ir.meanings import Meanings
from ....ir.operation import Operation
from ....ir.values import Region, Value
from ....ops import (
    ArithBinary,
    ArithUnary,
    Cast,
    Compare,
    Constant,
    Expand,
    For,
    Foreach,
    Fuse,
    If,
    Load,
    Math,
    MathSince04,
    Size,
    Store,
    Subview,
    Yield,
)
from ....ops.constants import constant_of, zero_of
from ....ops.control import terminator
from ....ops.views import Bound
from ....passes.analysis.uniformity import variation_of
from ..device.elements import I64
from ..device.signatures import choose
from . import access, lanes, numbers, views
from .context import Context, Number, minus, number, plus
from .lanes import Lanes

Parts = tuple[ir.Value, ...]

_PURE = (Constant, ArithBinary, ArithUnary, Cast, Compare, Math, Yield)


def apply(
    context: Context,
    op: Foreach,
    first: Number,
    others: Sequence[Number],
    active_lanes: Lanes,
    held: Mapping[Value, ir.Value],
) -> dict[Value, ir.Value]:
    """Execute the points that begin at `first`, for one value of each other variable.

    `held` gives the elements of memrefs at these points, as vectors in the form of `lanes.load`; the body accesses
    these memrefs at its own point only. Returns the new elements.
    """
    points = Points(context, op, active_lanes.count)
    points.held = {tensor: _of_memory(context.builder, tensor, vector) for tensor, vector in held.items()}
    points.execute(first, tuple(others), active_lanes)
    return {tensor: _in_memory(context.builder, value) for tensor, value in points.held.items()}


def _bound(context: Context, value: Value) -> Number:
    """A bound of a `foreach` as a 64-bit integer."""
    known = constant_of(value)
    if known is not None:
        return int(known)
    register = context.values[value]
    if isinstance(register, int) or register.type == I64:
        return register
    return context.builder.sext(register, I64)


def _of_memory(builder: ir.IRBuilder, tensor: Value, vector: ir.Value) -> ir.Value:
    """A vector from `lanes` in the form for arithmetic: complex numbers with separate parts."""
    is_complex = tensor.type.element.is_complex
    return numbers.of_parts(builder, lanes.deinterleave(builder, vector)) if is_complex else vector


def _in_memory(builder: ir.IRBuilder, value: ir.Value) -> ir.Value:
    parts = numbers.parts_of(builder, value)
    return lanes.interleave(builder, *parts) if len(parts) == 2 else value


class Points:
    """The points of one vector, for which the body of a `foreach` is written."""

    def __init__(self, context: Context, op: Foreach, count: int) -> None:
        self.context = context
        self.builder = context.builder
        self.op = op
        self.count = count
        self.variation = variation_of(op)
        self.lanes = Lanes(count)
        """The mask of the points that execute what is being written."""
        self.consecutive: dict[Value, Number] = {}
        """The value of the first lane, for values that are a variable plus a uniform number."""
        self.held: dict[Value, ir.Value] = {}

    def execute(self, first: Number, others: Sequence[Number], active_lanes: Lanes) -> None:
        """Write the body, for the variable from `first` on, the other variables, and the mask of the lanes."""
        self.lanes = active_lanes
        variable, *rest = self.op.variables
        self.consecutive[variable] = first
        for value, index in zip(rest, others):
            self.context.values[value] = index
        self.region(self.op.body)

    def region(self, region: Region) -> None:
        for op in region.operations:
            _WRITE[type(op)](self, op)

    # Values.

    def register(self, value: Value, is_vector: bool) -> ir.Value:
        """A scalar, or the vector of its lanes."""
        if value in self.variation.consecutive:
            return self._in_all_lanes(value)
        known = constant_of(value)
        number = numbers.literal(known, value.type) if known is not None else self.context.values[value]
        if isinstance(number, int):
            number = numbers.literal(number, value.type)
        elif number.type == I64 and not self.variation.is_varying(value) and value.type.size < 8:
            number = self.builder.trunc(number, lanes.component_of(value.type))  # a variable of a loop
        is_number = not self.variation.is_varying(value)
        return numbers.spread(self.builder, number, self.count) if is_vector and is_number else number

    def _in_all_lanes(self, value: Value) -> ir.Value:
        type_ = lanes.component_of(value.type)
        first = number(self.consecutive[value])
        if type_ != I64:
            first = self.builder.trunc(first, type_)
        steps = ir.Constant(ir.VectorType(type_, self.count), list(range(self.count)))
        return self.builder.add(numbers.spread(self.builder, first, self.count), steps)

    def index(self, value: Value) -> access.Index:
        """An index: a scalar where it is uniform or contiguous over the lanes, else a vector."""
        if value in self.variation.consecutive:
            return access.Index(self.consecutive[value], 1)
        if self.variation.is_varying(value):
            return access.Index(self.context.values[value])
        return access.Index(self.bound(value), 0)

    def bound(self, bound: Bound) -> Number:
        """A uniform size or index."""
        if isinstance(bound, int):
            return bound
        known = constant_of(bound)
        return self.context.values[bound] if known is None else int(known)

    def _compute(self, op: Operation, emit: Callable[..., ir.Value]) -> None:
        """The result of an instruction on scalars, which is a vector if an operand is one."""
        is_vector = self.variation.vary(op.operands)
        self.context.values[op.result] = emit(*(self.register(value, is_vector) for value in op.operands))

    # Instructions.

    def nothing(self, op: Operation) -> None:
        """Writes nothing."""

    def binary(self, op: ArithBinary) -> None:
        if op.result in self.variation.consecutive:
            a, b = (op.a, op.b) if op.a in self.variation.consecutive else (op.b, op.a)
            moved = plus if op.variant == "add" else minus
            self.consecutive[op.result] = moved(self.builder, self.consecutive[a], self.bound(b))
            return
        self._compute(op, lambda a, b: numbers.binary(self.builder, op.variant, a, b, op.a.type))

    def unary(self, op: ArithUnary) -> None:
        self._compute(op, lambda a: numbers.unary(self.builder, op.variant, a))

    def cast(self, op: Cast) -> None:
        if op.result in self.variation.consecutive:
            self.consecutive[op.result] = self.consecutive[op.operand]
            return
        self._compute(op, lambda a: numbers.cast(self.builder, a, op.operand.type, op.result.type))

    def math(self, op: Math) -> None:
        self._compute(op, lambda a: numbers.math(self.builder, op.variant, a, op.a.type))

    def compare(self, op: Compare) -> None:
        self._compute(op, lambda a, b: numbers.compare(self.builder, op.variant, a, b, op.a.type))

    def load(self, op: Load) -> None:
        if op.tensor in self.held:
            value = self.held[op.tensor]
        else:
            indices = list(map(self.index, op.indices))
            value = access.load(self.context, self.context.values[op.tensor], indices, self.lanes)
        self.context.values[op.result] = value

    def store(self, op: Store) -> None:
        """Hold an element: the body of an epilogue stores the result only."""
        value = numbers.rounded(self.builder, self.register(op.data, True), op.tensor.type.element)
        mask = self.lanes.mask
        if isinstance(mask, ir.Value) and isinstance(mask.type, ir.VectorType):
            value = choose(self.builder, mask, value, self.held[op.tensor])
        self.held[op.tensor] = value

    def size(self, op: Size) -> None:
        self.context.values[op.result] = self.context.values[op.tensor].shape[op.mode]

    def subview(self, op: Subview) -> None:
        self.context.values[op.result] = views.subview(self.context, op, self.bound)

    def expand(self, op: Expand) -> None:
        self.context.values[op.result] = views.expand(self.context, op, self.bound)

    def fuse(self, op: Fuse) -> None:
        self.context.values[op.result] = views.fuse(self.context, op, self.bound)

    # Control flow.

    def for_(self, op: For) -> None:
        def body(i: Number, flat: list[ir.Value]) -> list[ir.Value]:
            self.context.values[op.variable] = i
            self._assign_yielded(op.carried, _refilled(first, flat))
            self.region(op.body)
            return _flat(self._yielded_parts(op.carried, op.yielded))

        first = self._yielded_parts(op.carried, op.inits)
        step = 1 if op.step is None else int(constant_of(op.step))
        start, stop = (_bound(self.context, value) for value in (op.start, op.stop))
        last = self.context.loop(start, stop, step, _flat(first), body)
        self._assign_yielded(op.results, _refilled(first, last))

    def if_(self, op: If) -> None:
        if self.variation.is_varying(op.condition):
            self._predicated_if(op)
        else:
            self._uniform_if(op)

    def _uniform_if(self, op: If) -> None:
        """An `if` whose condition is uniform."""
        held = dict(self.held)
        ends: list[tuple[list[Parts], ir.Block]] = []
        with self.builder.if_else(self.register(op.condition, False)) as branches:
            for branch, region in zip(branches, (op.then_body, op.else_body)):
                with branch:
                    self.held = dict(held)
                    ends.append((self._branch(op, region), self.builder.block))
        self._assign_yielded(op.results, self._joined(*ends))

    def _predicated_if(self, op: If) -> None:
        """An `if` on which lanes diverge: each region is predicated."""
        condition = self.register(op.condition, True)
        branches = [self._branch_of(op, op.then_body, condition)]
        branches.append(self._branch_of(op, op.else_body, self.builder.not_(condition)))
        for result, *values in zip(op.results, *branches):
            self.context.values[result] = choose(self.builder, condition, *values)

    def _branch_of(self, op: If, region: Region | None, condition: ir.Value) -> list[ir.Value]:
        """Write a region predicated by a condition; it is skipped where no lane is active."""
        builder, around = self.builder, self.lanes
        if region is None or all(isinstance(inner, _PURE) for inner in region.operations):
            return [numbers.of_parts(builder, parts) for parts in self._branch(op, region)[: len(op.results)]]
        mask = condition if around.is_whole else builder.and_(around.bits(builder, 1), condition)
        is_any = lanes.is_any(builder, mask)
        skipped = [
            *([numbers.parts_of(builder, self._nothing(result)) for result in op.results]),
            *(numbers.parts_of(builder, value) for value in self.held.values()),
        ]
        before = builder.block
        self.lanes = Lanes(self.count, mask)
        with builder.if_then(is_any):
            branch_end = self._branch(op, region), builder.block
        self.lanes = around
        self._assign_yielded(op.results, self._joined(branch_end, (skipped, before)))
        return [self.context.values[result] for result in op.results]

    def _nothing(self, value: Value) -> ir.Value:
        zero = zero_of(value.type)
        return numbers.spread(self.builder, numbers.literal(zero, value.type), self.count)

    def _branch(self, op: If, region: Region | None) -> list[Parts]:
        """Write a region of an `if`. Returns what it gives, and what is held then."""
        last = None
        if region is not None:
            self.region(region)
            last = terminator(region)
        return self._yielded_parts(op.results, last.yielded if last else [])

    def _yielded_parts(self, to: Sequence[Value], values: Sequence[Value]) -> list[Parts]:
        """The parts of values at the end of a region, vectors where values vary, and the held elements."""
        registers = [self.register(value, self.variation.is_varying(target)) for target, value in zip(to, values)]
        return [numbers.parts_of(self.builder, value) for value in (*registers, *self.held.values())]

    def _assign_yielded(self, targets: Sequence[Value], yielded: Sequence[Parts]) -> None:
        """Set values, and the held elements, to those that were handed on."""
        values = [numbers.of_parts(self.builder, parts) for parts in yielded]
        self.context.values.update(zip(targets, values))
        self.held = dict(zip(self.held, values[len(targets) :]))

    def _joined(self, *ends: tuple[Sequence[Parts], ir.Block]) -> list[Parts]:
        """Phis of what several predecessors hand on."""
        joined = []
        for ways in zip(*(yielded for yielded, _ in ends)):
            parts = []
            for values in zip(*ways):
                phi = self.builder.phi(values[0].type)
                for value, (_, block) in zip(values, ends):
                    phi.add_incoming(value, block)
                parts.append(phi)
            joined.append(tuple(parts))
        return joined


def _flat(yielded: Sequence[Parts]) -> list[ir.Value]:
    return [part for parts in yielded for part in parts]


def _refilled(like: Sequence[Parts], flat: Sequence[ir.Value]) -> list[Parts]:
    """Parts in a row, grouped by value."""
    rest = iter(flat)
    return [tuple(next(rest) for _ in parts) for parts in like]


_WRITE: Meanings[type[Operation], Callable[[Points, Any], None]] = Meanings(
    "vector code",
    {
        ArithBinary: Points.binary,
        ArithUnary: Points.unary,
        Cast: Points.cast,
        Compare: Points.compare,
        Constant: Points.nothing,  # written where it is used
        Expand: Points.expand,
        For: Points.for_,
        Fuse: Points.fuse,
        If: Points.if_,
        Load: Points.load,
        Math: Points.math,
        MathSince04: Points.math,
        Size: Points.size,
        Store: Points.store,
        Subview: Points.subview,
        Yield: Points.nothing,  # the For or If around it takes its values
    },
)
