"""What writes operations of MLIR's tree, for passes over a function before it is read."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from math import prod
from typing import Any, Protocol

from ...mlir.text import Block, Memref, Operation, Region, Type
from ...mlir.text.custom import DYNAMIC as UNWRITTEN
from ...mlir.text.types import I1, INDEX

Extent = int | str
"""A size: a number, or the name of an index."""
ARITHMETIC: dict[str, Callable[[int, int], int]] = {
    "arith.addi": lambda a, b: a + b,
    "arith.subi": lambda a, b: a - b,
    "arith.muli": lambda a, b: a * b,
    "arith.divsi": lambda a, b: a // b if a * b >= 0 else -(-a // b),
    "arith.divui": lambda a, b: a // b,
    "arith.floordivsi": lambda a, b: a // b,
    "arith.ceildivsi": lambda a, b: -(-a // b),
    "arith.ceildivui": lambda a, b: -(-a // b),
    "arith.remsi": lambda a, b: a % b if a * b >= 0 else -(-a % b),
    "arith.remui": lambda a, b: a % b,
    "arith.minsi": min,
    "arith.maxsi": max,
    "arith.minui": min,
    "arith.maxui": max,
    "arith.andi": operator.and_,
    "arith.ori": operator.or_,
    "arith.xori": operator.xor,
}
"""What arithmetic of indices gives."""

Body = Callable[[], Sequence[str] | None]
"""Writes what a region has, and returns what it gives."""
_QUOTIENTS = ("divsi", "divui", "floordivsi", "ceildivsi", "ceildivui")
_DIVIDE = (*_QUOTIENTS, "remsi", "remui")
_NEUTRAL = {"addi": 0, "subi": 0, "muli": 1, **dict.fromkeys(_QUOTIENTS, 1)}
"""The second operand that changes nothing."""


def divided(arith: Callable[[str, Any, Any], Any], number: Any, shape: Sequence[int]) -> list[Any]:
    """The place of an element that is counted row by row, by arithmetic of what places consist of."""
    place: list[Any] = []
    for size in reversed(shape[1:]):
        place.insert(0, arith("remui", number, size))
        number = arith("divui", number, size)
    return [number, *place] if shape else []


class InMemory(Protocol):
    """What a memref has: its name and its type."""

    @property
    def name(self) -> str: ...
    @property
    def type(self) -> Memref: ...


class TreeWriter:
    """Writes operations to the block that is open, at the place of an operation of the text."""

    def __init__(self, op: Operation) -> None:
        self.op = op
        self.out: list[Operation] = []
        """The operations of the block that is written."""
        self.around: list[list[Operation]] = []
        """Those of the blocks around it, the function's first."""
        self.known: dict[str, int] = {}
        """Indices that are constants."""

    def new_name(self) -> str:
        """A name that nothing has."""
        raise NotImplementedError

    def emit(
        self,
        name: str,
        operands: Sequence[str],
        types: Sequence[Type],
        result_types: Sequence[Type] = (),
        attributes: dict[str, Any] | None = None,
        regions: Sequence[Region] = (),
    ) -> str:
        """Write an operation; returns the name of its first result. Operands without a type are indices."""
        types = [*types, *[INDEX] * (len(operands) - len(types))]
        results = [self.new_name() for _ in result_types]
        made = Operation(
            name, list(operands), results, list(types), list(result_types), attributes or {}, list(regions)
        )
        made.location, made.origin, made.made_of = self.op.location, self.op.origin, self.op.made_of or self.op.name
        self.out.append(made)
        return results[0] if results else ""

    def index(self, extent: Extent) -> str:
        """The name of an index."""
        if isinstance(extent, str):
            return extent
        name = self.emit("arith.constant", [], [], [INDEX], {"value": extent})
        self.known[name] = extent
        return name

    def arith(self, word: str, a: Extent, b: Extent) -> Extent:
        """Arithmetic of indices."""
        if isinstance(a, int) and isinstance(b, int) and not (b == 0 and word in _DIVIDE):
            return ARITHMETIC[f"arith.{word}"](a, b)
        if b == _NEUTRAL.get(word):
            return a
        if word in ("addi", "muli") and a == _NEUTRAL[word]:
            return b
        if word == "muli" and 0 in (a, b):
            return 0
        return self.same(f"arith.{word}", [self.index(a), self.index(b)], INDEX)

    def same(self, name: str, operands: Sequence[str], type_: Type) -> str:
        """An operation whose operands and result have one type."""
        return self.emit(name, operands, [type_] * len(operands), [type_])

    def compare(self, predicate: str, a: Extent, b: Extent) -> str:
        """A comparison of indices."""
        return self.emit("arith.cmpi", [self.index(a), self.index(b)], [], [I1], {"predicate": predicate})

    def either(self, condition: str, a: str, b: str, type_: Type) -> str:
        """One value where a condition holds, else another one."""
        return self.emit("arith.select", [condition, a, b], [I1, type_, type_], [type_])

    def all_of(self, conditions: Sequence[str]) -> str:
        """Whether all of some conditions hold."""
        total, *rest = conditions
        for each in rest:
            total = self.same("arith.andi", [total, each], I1)
        return total

    def chosen(self, number: str, cases: Mapping[int, Extent], otherwise: Extent | None = None) -> str:
        """The index of the case that is an index's; the last one of no case, unless there is another one for that."""
        numbers = list(cases)
        at = self.index(cases[numbers.pop()] if otherwise is None else otherwise)
        for case in numbers:
            holds = self.compare("eq", number, case)
            at = self.either(holds, self.index(cases[case]), at, INDEX)
        return at

    @contextmanager
    def inner(self) -> Iterator[list[Operation]]:
        """While the operations of a region are written."""
        self.around.append(self.out)
        self.out = []
        try:
            yield self.out
        finally:
            self.out = self.around.pop()

    # Memory.

    def load(self, memory: InMemory, at: Sequence[Extent]) -> str:
        return self.emit("memref.load", [memory.name, *map(self.index, at)], [memory.type], [memory.type.element])

    def store(self, value: str, memory: InMemory, at: Sequence[Extent]) -> None:
        types = [memory.type.element, memory.type]
        self.emit("memref.store", [value, memory.name, *map(self.index, at)], types)

    def size(self, memory: InMemory, d: int) -> Extent:
        """The size of a dimension."""
        known = memory.type.shape[d]
        return self.emit("memref.dim", [memory.name, self.index(d)], [memory.type], [INDEX]) if known is None else known

    def subview(
        self,
        name: str,
        type_: Memref,
        offsets: Sequence[Extent],
        sizes: Sequence[Extent],
        steps: Sequence[Extent],
        given: Memref,
    ) -> str:
        """A part of memory."""
        lists = {"offsets": offsets, "sizes": sizes, "strides": steps}
        groups = [[each for each in entries if isinstance(each, str)] for entries in lists.values()]
        attributes: dict[str, Any] = {
            f"static_{word}": tuple(UNWRITTEN if isinstance(each, str) else each for each in entries)
            for word, entries in lists.items()
        }
        attributes["operandSegmentSizes"] = (1, *map(len, groups))
        operands = [name, *(each for group in groups for each in group)]
        return self.emit("memref.subview", operands, [type_], [given], attributes)

    # Regions.

    def body(
        self, write: Body, end: str, types: Sequence[Type] = (), arguments: Sequence[tuple[str, Type]] = ()
    ) -> Region:
        """A region with what a function writes, and an end that gives the values that it returns."""
        with self.inner() as out:
            values = write() or ()
            self.emit(end, values, types)
        return Region([Block("", list(arguments), out)])

    def when(self, condition: str, then: Body, otherwise: Body | None = None, types: Sequence[Type] = ()) -> str:
        """A condition, which gives values of some types; returns the first one."""
        regions = [self.body(each, "scf.yield", types) for each in (then, otherwise) if each is not None]
        return self.emit("scf.if", [condition], [I1], types, {}, regions)

    def parallel(self, sizes: Sequence[Extent], write: Callable[[list[str]], None]) -> None:
        """A parallel loop over all places of a shape."""
        names = [self.new_name() for _ in sizes or [1]]
        count = len(names)
        body = self.body(lambda: write(names[: len(sizes)]), "scf.reduce", arguments=[(name, INDEX) for name in names])
        bounds = [self.index(each) for each in (*[0] * count, *(sizes or [1]), *[1] * count)]
        self.emit("scf.parallel", bounds, [], [], {"operandSegmentSizes": (count, count, count, 0)}, [body])

    def in_order(self, sizes: Sequence[int], write: Callable[[Sequence[Extent]], None]) -> None:
        """A loop over all places of a shape, one after the other."""
        at = self.new_name()
        body = self.body(lambda: write(divided(self.arith, at, sizes)), "scf.yield", arguments=[(at, INDEX)])
        self.emit("scf.for", [self.index(0), self.index(prod(sizes)), self.index(1)], [], [], {}, [body])

    def over(self, size: Extent, initial: str, type_: Type, write: Callable[[str, str], str]) -> str:
        """A loop from 0 on that carries a value."""
        at, carried = self.new_name(), self.new_name()
        body = self.body(lambda: [write(at, carried)], "scf.yield", [type_], [(at, INDEX), (carried, type_)])
        bounds = [self.index(0), self.index(size), self.index(1), initial]
        return self.emit("scf.for", bounds, [*[INDEX] * 3, type_], [type_], {}, [body])
