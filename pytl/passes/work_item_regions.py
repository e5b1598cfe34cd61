"""Runs of instructions that each work-item executes by itself, and memory for values that cross from run to run."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from ..ir.operation import Operation
from ..ir.types import BoolType, CoopMatrixType, Type, i8, index
from ..ir.values import Value
from ..ops import CooperativeMatrixLoad, CooperativeMatrixStore
from ..ops.builder import Builder


@dataclass(eq=False)
class Slot:
    """Local memory with an entry per work-item; for a cooperative matrix, with a block per sub-group."""

    memory: Value
    type: Type

    @classmethod
    def allocated(cls, builder: Builder, type_: Type, shape: Sequence[int], name: str | None) -> Slot:
        """Memory for values of a type, indexed by work-item: (lanes) or (lanes, sub-groups)."""
        if isinstance(type_, CoopMatrixType):
            memory = builder.allocate(type_.component, (type_.rows, type_.columns * shape[1]), name)
        else:
            # a memref cannot have elements of bool
            memory = builder.allocate(i8 if isinstance(type_, BoolType) else type_, shape, name)  # type: ignore[arg-type]
        return cls(memory, type_)

    def store(self, builder: Builder, value: Value, position: Sequence[Value]) -> None:
        """Store the value of a work-item at its place."""
        if isinstance(self.type, CoopMatrixType):
            x, y = self._block(builder, self.type, position)
            builder.add(CooperativeMatrixStore(builder.location, A=value, M=self.memory, x=x, y=y))
            return
        if isinstance(self.type, BoolType):
            (value,) = builder.branch(value, [i8], lambda on: [on.constant(i8, 1)], lambda on: [on.constant(i8, 0)])
        builder.store(value, self.memory, position)

    def load(self, builder: Builder, position: Sequence[Value]) -> Value:
        """The value of the work-item at a place."""
        if isinstance(self.type, CoopMatrixType):
            x, y = self._block(builder, self.type, position)
            return builder.add(
                CooperativeMatrixLoad(builder.location, [self.type], transpose="n", M=self.memory, x=x, y=y)
            ).result
        loaded = builder.load(self.memory, position)
        return builder.compare("ne", loaded, builder.zero(i8)) if isinstance(self.type, BoolType) else loaded

    def _block(self, builder: Builder, type_: CoopMatrixType, position: Sequence[Value]) -> tuple[Value, Value]:
        return builder.zero(index), builder.arith("mul", position[1], builder.constant(index, type_.columns))


@dataclass(eq=False)
class WorkItemRegion:
    """What each work-item executes by itself: instructions, the values that they take, and those they hand on."""

    head: Builder
    tail: Builder
    lane: Value | None = None
    """The number of the work-item, where the run is a loop over work-items."""
    operations: list[Operation] = field(default_factory=list)
    known: dict[Value, Value] = field(default_factory=dict)
    """Values from elsewhere, by their replacements in this run."""
    allocas: list[Operation] = field(default_factory=list)
    """The memory of the values that it hands on, allocated in front of it."""
    writes: bool = False
    reports: bool = False

    @property
    def body(self) -> list[Operation]:
        return [*self.head.operations, *self.operations, *self.tail.operations]

    @property
    def has_effect(self) -> bool:
        return self.writes or self.reports or bool(self.tail.operations)
