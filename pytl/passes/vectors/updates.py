"""What a collective instruction does with its target: `target := alpha value + beta target`, of numbers and vectors."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ...ir.types import ScalarType, VectorType, compute_type
from ...ir.values import Value
from ...ops import Update
from ...ops.constants import constant_of, is_constant, zero_of
from ...process.records import dataclass
from . import access
from .access import Index, Lanes
from .code import Code


@dataclass(frozen=True)
class ElementRange:
    """Elements of the target: one, whose value is a number, or those of the lanes of a vector."""

    at: tuple[Index, ...]
    lanes: Lanes


class Result:
    """The target of an instruction, with its factors alpha and beta.

    `alpha` is given where it is not the instruction's. Values have the type of the computation. They are rounded to the
    target's elements when they are stored.
    """

    def __init__(self, code: Code, op: Update, type_: ScalarType | None = None, alpha: Value | None = None) -> None:
        self.code = code
        self.tensor = op.updated
        self.type = type_ or compute_type(self.tensor.type.element)
        """The type of the computation."""
        self.alpha: Value = op.alpha if alpha is None else alpha  # type: ignore[attr-defined]
        self.beta: Value = op.beta

    @property
    def is_plain(self) -> bool:
        """Whether the value is stored unchanged."""
        return is_constant(self.alpha, 1) and is_constant(self.beta, 0)

    @property
    def is_sum(self) -> bool:
        """Whether the value is added to the target's elements."""
        return is_constant(self.alpha, 1) and is_constant(self.beta, 1)

    @property
    def has_choice(self) -> bool:
        """Whether only an execution shows whether the target is read."""
        return constant_of(self.beta) is None

    def load(self, tensor: Value, at: Sequence[Index], lanes: Lanes) -> Value:
        """Elements of a tensor in the type of the computation."""
        return self.code.cast(access.load(self.code, tensor, at, lanes), self.type)

    @staticmethod
    def number(code: Code, value: Value, type_: ScalarType) -> Value:
        """A number of the language in another type."""
        known = constant_of(value)
        return code.cast(value, type_) if known is None else code.constant(type_, type(zero_of(type_))(known))

    def scaled(self, values: Sequence[Value]) -> list[Value]:
        """Values times alpha."""
        if is_constant(self.alpha, 1):
            return list(values)
        factors = self._spread(self.alpha, values)
        return [self.code.arith("mul", factor, value) for factor, value in zip(factors, values)]

    def with_target(self, values: Sequence[Value], before: Sequence[Value]) -> list[Value]:
        """Values plus beta times what the target holds."""
        if is_constant(self.beta, 1):
            return [self.code.added(*pair) for pair in zip(values, before)]
        factors = self._spread(self.beta, before)
        return [self.code.with_product(b, factor, value) for factor, b, value in zip(factors, before, values)]

    def by_beta(self, without: Callable[[], None], with_target: Callable[[], None]) -> None:
        """Write the code of an update that reads the target, or of one that doesn't because beta is 0, or of both."""
        if is_constant(self.beta, 0):
            without()
        elif constant_of(self.beta) is not None:
            with_target()
        else:
            zero = self.code.constant(self.beta.type, zero_of(self.beta.type))
            is_zero = self.code.compare("eq", self.beta, zero)
            self.code.either(is_zero, without, with_target)

    def store(self, range_: ElementRange, value: Value) -> None:
        """Store a value as the target's elements."""
        stored = self.code.cast(value, self.tensor.type.element)
        access.store(self.code, stored, self.tensor, range_.at, range_.lanes)

    def update(self, ranges: Sequence[ElementRange], values: Sequence[Value]) -> None:
        """Update elements, all of which are read before any is stored."""
        scaled = self.scaled(values)

        def store(elements: Sequence[Value]) -> None:
            for range_, value in zip(ranges, elements):
                self.store(range_, value)

        def store_with_target() -> None:
            store(self.with_target(scaled, [self.load(self.tensor, range_.at, range_.lanes) for range_ in ranges]))

        self.by_beta(lambda: store(scaled), store_with_target)

    def _spread(self, factor: Value, values: Sequence[Value]) -> list[Value]:
        """A factor for each of some values, with as many lanes as the value has."""
        number = self.number(self.code, factor, self.type)
        lanes = [value.type.lanes if isinstance(value.type, VectorType) else 0 for value in values]
        made = {count: self.code.splat(number, count) if count else number for count in dict.fromkeys(lanes)}
        return [made[count] for count in lanes]
