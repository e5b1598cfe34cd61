"""What demands on a launch consist of: numbers that are known when arguments are bound, loops, and demands on them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ..process.records import dataclass


@dataclass(frozen=True)
class Expr:
    """An integer that is known when arguments are bound, up to the work-group's number.

    `kind` is "constant", "group_id", "group_size", "number", "count", "size", "stride", "item_size", "item_stride",
    "loop", or a variant of arithmetic. `parts` are a number, or the place of a parameter (and its mode), or the
    operands of the arithmetic; an item has the place, the mode, and its index; a loop has the number of its variable.
    `bits` is the width of a result that could overflow.
    """

    kind: str
    parts: tuple[Any, ...] = ()
    bits: int = 64

    def operands(self) -> Iterator[Expr]:
        return (part for part in self.parts if isinstance(part, Expr))

    def walk(self) -> Iterator[Expr]:
        yield self
        for operand in self.operands():
            yield from operand.walk()

    @property
    def constant(self) -> int | None:
        return self.parts[0] if self.kind == "constant" else None

    @property
    def varies(self) -> bool:
        """Whether it may differ among launches of equally laid out arguments, group ids apart."""
        return any(part.kind in ("number", "group_size") for part in self.walk())

    @property
    def depends_on_group(self) -> bool:
        return any(part.kind == "group_id" for part in self.walk())

    @property
    def in_loop(self) -> bool:
        """Whether it depends on the variable of a loop."""
        return any(part.kind == "loop" for part in self.walk())


def constant(number: int) -> Expr:
    return Expr("constant", (number,))


ONE = constant(1)
GROUP_ID = Expr("group_id")


@dataclass(frozen=True)
class Loop:
    """A variable of a loop, by its number, from a start up to a stop by a step."""

    number: int
    start: Expr
    stop: Expr
    step: Expr

    @property
    def bounds(self) -> tuple[Expr, ...]:
        return (self.start, self.stop, self.step)

    @property
    def is_executed(self) -> bool:
        """Whether it is known to have iterations."""
        numbers = [bound.constant for bound in self.bounds]
        return None not in numbers and numbers[0] < numbers[1] and numbers[2] > 0  # type: ignore[operator]


Loops = tuple[Loop, ...]
Guards = tuple[tuple[Expr, Expr], ...]


@dataclass(frozen=True)
class Within:
    """`width` elements from `index` on lie in a mode of size `extent`; there are none where `width` is not positive."""

    index: Expr
    width: Expr
    extent: Expr
    tensor: str
    """The name of what is indexed, for messages."""
    mode: int | None
    """None for a group."""
    is_parameter: bool
    """Whether a parameter is indexed as it was passed, and not a view or local memory."""
    view: str = "accessed"
    """Of a view, whether it is accessed, or in a "branch" alone, or "unused": a view that is not accessed may lie
    outside."""
    guards: Guards = ()
    """Bounds of the enclosing loops; where one is empty, the instruction is not executed."""
    loops: Loops = ()
    """The enclosing loops, in place of the guards, where the demand depends on what varies in them."""

    @property
    def expressions(self) -> tuple[Expr, ...]:
        return (self.index, self.width, self.extent)


@dataclass(frozen=True)
class Equal:
    """Two numbers that an instruction demands to be equal, each with its name for messages."""

    left: Expr
    right: Expr
    names: tuple[str, str]
    instruction: str
    guards: Guards = ()
    loops: Loops = ()
    unless: Expr | None = None
    """A size: where it is below 2, nothing is demanded."""

    @property
    def expressions(self) -> tuple[Expr, ...]:
        return (self.left, self.right) if self.unless is None else (self.left, self.right, self.unless)


Precondition = Within | Equal
