"""Updates `target := alpha value + beta target`, element by element: a `foreach` over scalars.

Operands are promoted to the target's element type, in which the computation is done; f16 and bf16 are computed in f32
and rounded once, when the element is stored.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ..ir.operation import Operation
from ..ir.types import compute_type
from ..ir.values import Value
from ..ops.atomics import AtomicScaleAdd
from ..ops.builder import Builder
from ..ops.constants import constant_of, is_constant
from ..ops.updates import is_transposed

Indices = Sequence[Value]


class ElementLoops:
    """Writes the instructions for an update; a subclass or a caller says what an element of it is."""

    def __init__(self, op: Any) -> None:
        self.op = op
        self.target = op.updated
        self.wide = compute_type(self.target.type.element)
        self.builder = Builder(op.location)
        self.alpha = self.builder.cast(self.op.alpha, self.wide)
        if op.reads_target and not (op.atomic and op.atomic_flag):
            self.beta = self.builder.cast(self.op.beta, self.wide)
        self.is_beta_known = constant_of(self.op.beta) is not None
        if not self.is_beta_known:
            self.reads_target = self.builder.compare("ne", self.beta, self.builder.zero(self.wide))

    @property
    def operations(self) -> list[Operation]:
        return self.builder.operations

    def operand(self, builder: Builder, name: str, *indices: Value) -> Value:
        """An element of a factor, transposed where the instruction says so, in the type of the computation."""
        return self.operand_at(
            builder, name, indices[::-1] if is_transposed(self.op, name) and len(indices) == 2 else indices
        )

    def operand_at(self, builder: Builder, name: str, indices: Indices) -> Value:
        """An element of a factor as it lies in memory, in the type of the computation."""
        return builder.cast(builder.load(getattr(self.op, name), indices), self.wide)

    def columns(self, name: str) -> Value:
        """The size of the last mode of a factor, transposed where the instruction says so."""
        tensor = getattr(self.op, name)
        order = tensor.type.order
        return self.builder.size(tensor, 0 if order == 1 or is_transposed(self.op, name) else 1)

    def total(self, builder: Builder, count: Value, term: Callable[[Builder, Value], Value]) -> Value:
        """The sum of `term(builder, k)` for k below count."""
        zero = self.builder.zero(self.wide)
        (result,) = builder.loop(count, [zero], lambda inner, k, s: [inner.arith("add", s[0], term(inner, k))])
        return result

    def for_each_element(self, value: Callable[[Builder, Indices], Value]) -> None:
        """Update every element of the target with alpha times `value(builder, indices)`."""
        order = self.target.type.order
        stops = [self.builder.size(self.target, mode) for mode in range(order)]
        self.builder.foreach(stops, lambda at, points: self.update(at, points[:order], value(at, points[:order])))

    def update(self, builder: Builder, indices: Indices, value: Value) -> None:
        """`target[indices] := alpha value + beta target[indices]`."""
        element = self.target.type.element
        term = self._scaled(builder, self.op.alpha, self.alpha, value)
        if self.op.atomic:
            self._update_atomically(builder, indices, term)
            return

        def with_target(inner: Builder) -> list[Value]:
            before = inner.cast(inner.load(self.target, indices), self.wide)
            return [inner.arith("add", term, self._scaled(inner, self.op.beta, self.beta, before))]

        if not self.is_beta_known:
            (term,) = builder.branch(self.reads_target, [self.wide], with_target, lambda inner: [term])
        elif self.op.reads_target:
            (term,) = with_target(builder)
        builder.store(builder.cast(term, element), self.target, indices)

    def _scaled(self, builder: Builder, factor: Value, wide: Value, value: Value) -> Value:
        """A factor times a value. Times one, infinities of complex numbers would become nans."""
        is_one = self.wide.is_complex and is_constant(factor, 1)
        return value if is_one else builder.arith("mul", wide, value)

    def _update_atomically(self, builder: Builder, indices: Indices, term: Value) -> None:
        def store(builder: Builder, flag: str) -> Sequence[Value]:
            builder.store(builder.cast(term, self.target.type.element), self.target, indices, flag)
            return ()

        def scale(builder: Builder) -> Sequence[Value]:
            access = {"tensor": self.target, "indices": list(indices)}
            types = [self.target.type.element]
            builder.add(AtomicScaleAdd(builder.location, types, scope="device", data=term, factor=self.beta, **access))
            return ()

        flag = self.op.atomic_flag
        if flag is not None:
            store(builder, flag)
        elif self.is_beta_known:
            scale(builder)
        else:
            builder.branch(self.reads_target, [], scale, lambda inner: store(inner, "atomic"))
