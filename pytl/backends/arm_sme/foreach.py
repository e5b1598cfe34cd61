"""A `foreach` by vectors: points that differ in the first variable only are lanes.

A `foreach` is vectorised where memory is accessed along lines, because a streaming function can't gather, and where
only arithmetic depends on the point. What is uniform over the lanes stays scalar.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...ir.meanings import no_meaning
from ...ir.operation import Operation
from ...ir.types import MemrefType, ScalarType, index
from ...ir.values import Value
from ...mlir.text import builder as mlir
from ...mlir.text.types import INDEX
from ...ops import ArithBinary, ArithUnary, Cast, Compare, Constant, Foreach, Load, Size, Store
from ...ops.constants import constant_of
from ...passes.analysis.uniformity import Variation, variation_of
from ...passes.targets.sme import has_unit_stride
from ..mlir import types
from ..mlir.emit import Emitter
from ..mlir.numbers import Number, Numbers
from .lines import Access, Stretch, line_at, lines_of
from .vectors import Vectors


def lanes_of(op: Foreach) -> int:
    """How many points make a vector, per 128 bits of its length; 0 if the foreach stays scalar."""
    first, last = constant_of(op.start[0]), constant_of(op.stop[0])
    if first is not None and last is not None and last - first < 2:
        return 0
    variation = variation_of(op)
    accesses = [
        inner for inner in op.body.operations if isinstance(inner, (Load, Store)) and variation.vary(inner.indices)
    ]
    if not accesses or not all(_can(inner, variation) for inner in op.body.operations):
        return 0
    values = [value for inner in op.body.operations if variation.vary(inner.operands) for value in inner.results]
    stored = [inner.data for inner in accesses if isinstance(inner, Store)]
    # a variable plus a uniform number is for addresses only, unless it is stored
    numbers = [*(value for value in values if value not in variation.consecutive), *stored]
    sizes = [_bits(value.type) for value in numbers if isinstance(value.type, ScalarType)]
    return 128 // max(sizes, default=64)


def _bits(type_: ScalarType) -> int:
    """The type of a number, or of a part of one, during the computation."""
    return 64 if type_ == index else int(types.register(type_).name[1:])


def _can(op: Operation, variation: Variation) -> bool:
    """Whether an instruction has a vector form."""
    if isinstance(op, (Load, Store)):
        return _can_access(op, variation)
    if not variation.vary(op.operands):
        return isinstance(op, (ArithBinary, ArithUnary, Cast, Compare, Constant, Size))
    if isinstance(op, ArithBinary):
        # neither is an instruction for vectors of scalable length
        return not (op.variant == "rem" and isinstance(op.a.type, ScalarType) and op.a.type.is_floating)
    if isinstance(op, ArithUnary):
        return not (op.variant == "abs" and isinstance(op.a.type, ScalarType) and op.a.type.is_complex)
    return isinstance(op, (Cast, Compare))


def _can_access(op: Load | Store, variation: Variation) -> bool:
    type_ = op.tensor.type
    if op.differs or not isinstance(type_, MemrefType) or (isinstance(op, Store) and op.flag):
        return False
    if not variation.vary(op.indices):
        return isinstance(op, Load)
    first, *others = op.indices
    return first in variation.consecutive and not variation.vary(others) and has_unit_stride(type_)


class VectorBody:
    """Writes the body of a foreach that has `lanes_of(op)`."""

    def __init__(self, emitter: Emitter, op: Foreach) -> None:
        self.emitter, self.op, self.to = emitter, op, emitter.to
        self.variation = variation_of(op)
        self.vectors = Vectors(emitter.to, lanes_of(op))
        self.numbers = Numbers(emitter.to, self.vectors.of)
        self.access = Access(self.vectors)
        self._known: dict[Value, Number] = {}
        has_pairs = [
            inner.tensor.type.element.is_complex for inner in op.body.operations if isinstance(inner, (Load, Store))
        ]
        self.has_pairs = any(has_pairs)

    def write(self, at: mlir.Value, stop: mlir.Value) -> None:
        """Write the points from `at` on. The emitter knows the variables of the first of them."""
        self.left = self.to.op("arith.subi", stop, at, hint="left")
        (first,) = self.vectors.broadcast([at])
        indices = self.to.op("arith.addi", first, self.to.op("vector.step", type=self.vectors.of(INDEX)))
        variable = self.op.variables[0]
        self._known[variable] = self.numbers.cast((indices,), index, variable.type)
        for op in self.op.body.operations:
            self.to.set_location(op.location)
            self._operation(op)

    def _operation(self, op: Any) -> None:
        variation = self.variation
        if not variation.vary(op.operands) or (variation.vary(op.results) and op.results[0] in variation.consecutive):
            self.emitter.table[type(op)](self.emitter, op)  # of the first lane, which implies the others
        if isinstance(op, Load) and variation.vary(op.indices):
            self._load(op)
        elif isinstance(op, Store):
            self._store(op)
        elif isinstance(op, ArithBinary) and variation.vary(op.operands):
            self._known[op.result] = self.numbers.binary(op.variant, self._of(op.a), self._of(op.b), op.a.type)
        elif isinstance(op, ArithUnary) and variation.vary(op.operands):
            self._known[op.result] = self.numbers.unary(op.variant, self._of(op.a), op.a.type)
        elif isinstance(op, Cast) and variation.vary(op.operands):
            self._known[op.result] = self.numbers.cast(self._of(op.operand), op.operand.type, op.result.type)
        elif isinstance(op, Compare) and variation.vary(op.operands):
            self._known[op.result] = self.numbers.compare(op.variant, self._of(op.a), self._of(op.b), op.a.type)
        elif variation.vary(op.operands):
            no_meaning("the arm_sme backend, vectors of a foreach", op.word)

    def _of(self, value: Value) -> Number:
        """A value broadcast to every lane."""
        if value not in self._known:
            spread = self.vectors.broadcast(self.emitter.number(value))
            if self.variation.is_varying(value):
                return spread
            self._known[value] = spread
        return self._known[value]

    def _place(self, indices: Sequence[Value]) -> tuple[list[mlir.Value], Stretch]:
        """The line of an access, and the place where it begins on that line."""
        first, *others = (self.emitter.single(value) for value in indices)
        return line_at(others), self.access.stretch(first, self.left, self.has_pairs)

    def _load(self, op: Load) -> None:
        lines = lines_of(self.to, self.emitter.memref(op.tensor))
        line, stretch = self._place(op.indices)
        loaded = self.access.load(lines, line, stretch)
        self._known[op.result] = tuple(self.numbers.loaded(part, lines.element) for part in loaded)

    def _store(self, op: Store) -> None:
        lines = lines_of(self.to, self.emitter.memref(op.tensor))
        line, stretch = self._place(op.indices)
        value = tuple(self.numbers.to_store(part, lines.element) for part in self._of(op.data))
        self.access.store(value, lines, line, stretch)
