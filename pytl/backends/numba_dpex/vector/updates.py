"""The epilogue of a collective instruction: `target := alpha value + beta target`, for scalars and vectors."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from llvmlite import ir

from ....ir.types import compute_type
from ....ir.values import Value
from ....ops import Update
from ....ops.constants import constant_of, is_constant
from . import access, numbers
from .access import Index
from .context import Context, Tensor
from .lanes import Lanes


@dataclass(frozen=True)
class ElementRange:
    """Elements of the target: one, or contiguous ones."""

    at: tuple[Index, ...]
    lanes: Lanes


class Result:
    """The target of an instruction, with its factors alpha and beta."""

    def __init__(self, context: Context, op: Update) -> None:
        self.context = context
        self.builder = context.builder
        self.op = op
        self.tensor: Tensor = context.values[op.updated]
        self.type = compute_type(self.tensor.element)
        """The type of the computation."""

    def convert(self, value: ir.Value, tensor: Tensor) -> ir.Value:
        """Elements of a tensor in the type of the computation."""
        return numbers.cast(self.builder, value, tensor.element, self.type)

    def update(self, ranges: Sequence[ElementRange], values: Sequence[ir.Value]) -> None:
        """Write all places; all are read before any is written."""
        alpha, beta = self.op.alpha, self.op.beta  # type: ignore[attr-defined]
        scaled = [value if is_constant(alpha, 1) else self._times(alpha, value) for value in values]

        def write(elements: Sequence[ir.Value]) -> None:
            for range_, value in zip(ranges, elements):
                value = numbers.rounded(self.builder, value, self.tensor.element)
                access.store(self.context, value, self.tensor, range_.at, range_.lanes)

        def with_target() -> list[ir.Value]:
            elements = [access.load(self.context, self.tensor, range_.at, range_.lanes) for range_ in ranges]
            before = [self.convert(value, self.tensor) for value in elements]
            if is_constant(beta, 1):
                return [numbers.binary(self.builder, "add", a, b, self.type) for a, b in zip(scaled, before)]
            return [
                numbers.multiply_add(self.builder, self._factor(beta, b), b, a, self.type)
                for a, b in zip(scaled, before)
            ]

        self._by_beta(beta, lambda: write(scaled), lambda: write(with_target()))

    def _by_beta(self, beta: Value, without: Callable[[], None], with_target: Callable[[], None]) -> None:
        if is_constant(beta, 0):
            without()
        elif constant_of(beta) is not None:
            with_target()
        else:
            type_ = beta.type
            zero = numbers.literal(0, type_)
            is_zero = numbers.compare(self.builder, "eq", self.context.values[beta], zero, type_)
            with self.builder.if_else(is_zero) as (then, otherwise):
                with then:
                    without()
                with otherwise:
                    with_target()

    def _times(self, factor: Value, value: ir.Value) -> ir.Value:
        return numbers.binary(self.builder, "mul", self._factor(factor, value), value, self.type)

    def _factor(self, factor: Value, value: ir.Value) -> ir.Value:
        """A number of the language as a factor of a scalar or vector."""
        known = constant_of(factor)
        register = self.context.values[factor] if known is None else numbers.literal(known, factor.type)
        number = numbers.cast(self.builder, register, factor.type, self.type)
        count = numbers.count_of(value)
        return number if count is None else numbers.spread(self.builder, number, count)
