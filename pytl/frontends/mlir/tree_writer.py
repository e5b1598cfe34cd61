"""What writes operations of MLIR's tree, for passes over a function before it is read."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from ...mlir.text import Memref, Operation, Region, Type
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
    "arith.remsi": lambda a, b: a - b * int(a / b),
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
        if isinstance(a, int) and isinstance(b, int):
            return ARITHMETIC[f"arith.{word}"](a, b)
        neutral = 0 if word in ("addi", "subi") else 1
        if b == neutral:
            return a
        if a == neutral and word in ("addi", "muli"):
            return b
        return self.emit(f"arith.{word}", [self.index(a), self.index(b)], [], [INDEX])

    def chosen(self, number: str, cases: Mapping[int, Extent], otherwise: Extent | None = None) -> str:
        """The index of the case that is an index's; the last one of no case, unless there is another one for that."""
        numbers = list(cases)
        at = self.index(cases[numbers.pop()] if otherwise is None else otherwise)
        for case in numbers:
            operands = [number, self.index(case)]
            holds = self.emit("arith.cmpi", operands, [INDEX, INDEX], [I1], {"predicate": "eq"})
            at = self.emit("arith.select", [holds, self.index(cases[case]), at], [I1, INDEX, INDEX], [INDEX])
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
