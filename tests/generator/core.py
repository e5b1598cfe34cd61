"""Choices, lines, names, and the numbers that a program has at hand."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from random import Random
from typing import Any

from .language import COMPLEX, INTEGERS, LIMIT, type_bound
from .values import UNIFORM, VARYING, Dynamic, Extent, Matrix, Number, Root, Scope, Spmd, Tensor, known_size


class Core:
    """The state of a generator; the modules of this package add the instructions, by subject."""

    def __init__(self, rng: Random, safe: bool, elements: Sequence[str]) -> None:
        self.rng = rng
        self.safe = safe
        self.elements = tuple(elements)
        self.lines: list[str] = []
        self.indent = 1
        self.names = 0
        self.scope = Scope()
        self.opaque: set[str] = set()
        """The names of index values of which nothing is known before a launch."""
        self.loops = 0
        self.depth = 0
        self.spmd: Spmd | None = None
        self.subgroup_size = 16
        self.subgroups = 1
        self.wanted_size: int | None = None
        """The size of sub-groups that the program has to name, if any."""

    def statements(self) -> list[Callable[[], None]]:
        """What may stand at this place, each as often as it shall be chosen."""
        raise NotImplementedError

    # What the modules on one subject need of those on others.

    def alloca(self, element: str, shape: Sequence[int]) -> Tensor:
        raise NotImplementedError

    def filled_alloca(self, element: str, shape: Sequence[int]) -> Tensor:
        raise NotImplementedError

    def fill(self, tensor: Tensor) -> None:
        raise NotImplementedError

    def store_anywhere(self) -> None:
        raise NotImplementedError

    def castable(self, source: str, bound: float, stable: bool) -> list[str]:
        raise NotImplementedError

    def whole_subgroup(self) -> bool:
        raise NotImplementedError

    def matrix_like(self, first: Matrix, limit: float) -> Matrix:
        raise NotImplementedError

    # Choices and lines.

    def chance(self, percent: int) -> bool:
        return self.rng.randrange(100) < percent

    def pick(self, items: Sequence[Any]) -> Any:
        return items[self.rng.randrange(len(items))]

    def line(self, text: str) -> None:
        self.lines.append("  " * self.indent + text)

    def fresh(self) -> str:
        self.names += 1
        return f"%{self.names}" if self.chance(50) else f"%{self.pick('abtx')}{self.names}"

    @contextmanager
    def region(self) -> Iterator[None]:
        """Lines of a region: what is defined inside is forgotten after it."""
        outer = self.scope
        self.scope = Scope(list(outer.numbers), list(outer.tensors), list(outer.matrices))
        self.indent += 1
        self.depth += 1
        yield
        self.depth -= 1
        self.indent -= 1
        self.scope = outer

    def body(self, size: int | None = None) -> None:
        """As many statements; by default some, fewer the deeper the region lies."""
        for _ in range(self.rng.randrange(1 + max(0, 4 - self.depth)) if size is None else size):
            self.pick(self.statements())()

    # Numbers.

    def define(self, type_: str, right: str, bound: float = math.inf, **known: Any) -> Number:
        number = Number(self.fresh(), type_, min(bound, type_bound(type_)) if type_ != "bool" else bound, **known)
        self.line(f"{number.name} = {right}")
        self.scope.numbers.append(number)
        return number

    def literal(self, type_: str, value: complex) -> str:
        if type_ == "bool":
            return "true" if value else "false"
        if type_ in INTEGERS:
            return str(int(value.real))
        real = self.floating(float(value.real))
        return f"[{real},{self.floating(float(value.imag))}]" if type_ in COMPLEX else real

    def floating(self, value: float) -> str:
        return self.pick([repr(value), value.hex(), f"{value:e}"])

    def values_of(self, type_: str) -> Sequence[complex]:
        """Constants of a type that are worth a try."""
        if type_ == "bool":
            return (True, False)
        if type_ in INTEGERS:
            most = int(type_bound(type_)) - 1
            return (0, 1, 2, 3, -1, 7, most, -most)
        if type_ in COMPLEX:
            return (0j, 1 + 0j, 0.5 - 1j, 1j)
        return (0.0, 1.0, 0.5, -1.5, -0.0, 2.0) if self.safe else (0.0, 1.0, -1.5, -0.0, 2.0**-40, 3e4, 1e-30)

    def constant(self, type_: str, value: complex | None = None) -> Number:
        if value is None:
            value = self.pick(self.values_of(type_))
        right = f"constant {self.literal(type_, value)} : {type_}"
        if type_ in INTEGERS:
            whole = int(value.real)
            return self.define(type_, right, abs(whole), low=whole, high=whole, stable=True)
        return self.define(type_, right, abs(value), stable=True)

    def number(self, type_: str, spread: int = VARYING) -> Number:
        """A number of a type that at least these work-items hold alike."""
        known = [n for n in self.scope.numbers if n.type == type_ and (n.spread <= spread or not self.safe)]
        return self.pick(known) if known and self.chance(75) else self.constant(type_)

    def small_number(self, type_: str, limit: float, spread: int = VARYING) -> Number:
        """A number of a type up to a limit, which holds for safe programs only."""
        if not self.safe or type_ in INTEGERS or type_ == "bool":
            return self.number(type_, spread)
        known = [n for n in self.scope.numbers if n.type == type_ and n.spread <= spread and n.bound <= limit]
        return self.pick(known) if known else self.constant(type_, 1 if limit >= 1 else 0)

    def index_below(self, extent: Extent, spread: int = VARYING) -> Number:
        """An index that is in bounds of a mode."""
        size = known_size(extent)
        known = [n for n in self.scope.numbers if n.type == "index" and n.fits(extent) and n.spread <= spread]
        if not self.safe and isinstance(extent, Dynamic):
            known = [n for n in self.scope.numbers if n.type == "index" and n.name in self.opaque]
        if known and self.chance(80):
            return self.pick(known)
        return self.constant("index", self.rng.randrange(size) if size is not None else 0)

    def bounded(self, number: Number, limit: float) -> Number:
        """A real number that is cut to [-limit, limit] where it may lie outside."""
        if number.bound <= limit or not self.safe:
            return number
        low, high = self.constant(number.type, -limit), self.constant(number.type, limit)
        known = {"spread": number.spread, "stable": number.stable}
        cut = self.define(number.type, f"arith.max {number.name}, {low.name} : {number.type}", math.inf, **known)
        return self.define(number.type, f"arith.min {cut.name}, {high.name} : {number.type}", limit, **known)

    def operand_type(self) -> str:
        """A type to compute with: that of a number at hand, or any."""
        known = self.scope.numbers if self.chance(75) else []
        return self.pick(known).type if known else self.pick(self.elements)

    # Memory.

    def readable(self) -> list[Tensor]:
        """What may be read here: others write nothing of it at the same time."""
        known = self.scope.tensors
        if not self.safe:
            return known
        hidden = self.spmd.written if self.spmd else set()
        return [t for t in known if t.root.initialised and not t.root.shared and t.root not in hidden]

    def reading(self, tensor: Tensor) -> None:
        """Note that a work-item reads of a tensor."""
        if self.spmd:
            self.spmd.read.add(tensor.root)

    def writable(self) -> list[Tensor]:
        """What may be written here, of which nothing was read since the last barrier: all have the same part of it."""
        if not self.safe:
            return self.scope.tensors
        known = [t for t in self.scope.tensors if t.root.writable and not t.root.shared and t.spread == UNIFORM]
        if self.spmd:
            known = [t for t in known if t.root not in self.spmd.read and t.root not in self.spmd.written]
        return known

    def may_hold(self, root: Root, bound: float) -> bool:
        """Whether memory may be given numbers of this size: in a loop it must not grow."""
        if not self.safe:
            return True
        if bound > root.bound and (self.loops != root.loops or bound > LIMIT):
            return False
        root.bound = max(root.bound, bound)
        return True

    def size_of(self, tensor: Tensor, mode: int) -> str:
        """The size of a mode as a slice may name it."""
        extent = tensor.shape[mode]
        if isinstance(extent, int):
            return str(extent)
        return self.define("index", f"size {tensor.name}[{mode}] : index").name

    # Uniformity.

    @property
    def divergence(self) -> int:
        return self.spmd.divergence if self.spmd else UNIFORM

    @contextmanager
    def diverging(self, spread: int) -> Iterator[None]:
        """A region that is executed by those who hold a number alike."""
        if self.spmd is None:
            yield
            return
        outer = self.spmd.divergence
        self.spmd.divergence = max(outer, spread)
        yield
        self.spmd.divergence = outer

    @contextmanager
    def branch_of_writes(self) -> Iterator[None]:
        """A region that may not be executed: what it initialises counts inside only."""
        before = {t.root: t.root.initialised for t in self.scope.tensors}
        yield
        for root, initialised in before.items():
            root.initialised = initialised
