"""Reductions to few numbers by partial results, which work-groups make for pieces of the iterations."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from math import prod
from typing import Any, NamedTuple

from ....ir.types import ScalarType
from ....mlir.affine import AffineMap
from ....mlir.affine.expressions import Dimension
from ....mlir.text import Block, Memref, Operation, Region
from ....mlir.text import Type as MlirType
from ....mlir.text.tree import of_dialect
from ....mlir.text.types import INDEX, contiguous
from ..parallel import neutral_of
from ..parts import indexed_by
from ..structured import Structured
from ..table import having
from ..tree_writer import Extent, TreeWriter
from ..types import element_type

PARTS = 256
"""Partial results of a reduction."""
MAX_RESULTS = 16
"""Of a reduction that is done by partial results; the work-groups of more have enough to do."""
PIECE = 1 << 12
"""Iterations at once for a partial result."""
SIDE = 64
"""Of iterations whose number is not known, for how many a piece is made."""


def by_partial_results(op: Operation, whole: Structured, name: str) -> tuple[Operation, Operation] | None:
    """An operation as a loop that makes partial results, in memory of a name, and what joins them; None for others."""
    split, type_ = _parts_of(whole), op.operand_types[-1]
    if split is None or not isinstance(type_, Memref) or None in type_.shape:
        return None
    iteration, combiner = split
    element = element_type(type_.element)
    neutral = neutral_of(combiner.name, element) if isinstance(element, ScalarType) else None
    if neutral is None:
        return None
    partial = _Partial(op, whole, iteration, name)
    return partial.loop(neutral), _joined(op, whole, combiner, name, partial.type)


def _parts_of(whole: Structured) -> tuple[int, Operation] | None:
    """The reduced iteration that is divided, and how results are joined."""
    reduced = [d for d, kind in enumerate(whole.iterators) if kind != "parallel"]
    kept = [size for d, size in enumerate(whole.sizes) if d not in reduced]
    if len(whole.outputs) != 1 or not reduced or any(indexed_by(r, d) for r in whole.maps[-1].results for d in reduced):
        return None
    known = [size for size in kept if isinstance(size, int)]
    if len(known) < len(kept) or prod(known) > MAX_RESULTS:
        return None
    iteration = reduced[0]
    for map_ in whole.maps:
        places = [result for result in map_.results if indexed_by(result, iteration)]
        if places not in ([], [Dimension(iteration)]):
            return None
    if any(inner.name == "linalg.index" for each in whole.block.operations for inner in each.walk()):
        return None
    combiner = _combiner(whole)
    return None if combiner is None else (iteration, combiner)


def _combiner(whole: Structured) -> Operation | None:
    """What joins the output with a value, which nothing else reads the output for."""
    block, out = whole.block, whole.block.arguments[-1][0]
    if len(block.operations) < 2 or not isinstance(whole.outputs[0].element, ScalarType):
        return None
    *before, combiner, last = block.operations
    is_last = last.operands == combiner.results and combiner.name in having("combines")
    if not is_last or len(combiner.operands) != 2 or combiner.operands.count(out) != 1 or whole.outputs[0].holds_truth:
        return None
    return None if any(out in inner.operands for op in before for inner in op.walk()) else combiner


class _Memory(NamedTuple):
    """A memref."""

    name: str
    type: Memref


class _Partial(TreeWriter):
    """A loop over partial results, each of every so many pieces of the iterations.

    A piece has a known length, so that a work-group can share it. What is left behind the last one is a piece, too.
    """

    def __init__(self, op: Operation, whole: Structured, iteration: int, name: str) -> None:
        super().__init__(op)
        self.whole = whole
        self.at = Dimension(iteration)
        self.name = name
        others = [size for d, size in enumerate(whole.sizes) if d != iteration]
        self.length = max(PIECE // prod(size if isinstance(size, int) else SIDE for size in others), 1)
        size = whole.sizes[iteration]
        count = min(PARTS, -(-size // self.length)) if isinstance(size, int) else PARTS
        type_ = op.operand_types[-1]
        assert isinstance(type_, Memref)
        shape = (count, *type_.shape)
        self.type = Memref(shape, type_.element, contiguous(shape), 0, "")
        self.result = Memref(type_.shape, type_.element, contiguous(type_.shape), None, "")
        self.count = count
        self._names = 0

    def new_name(self) -> str:
        self._names += 1
        return f"{self.name}_{self._names}"

    def loop(self, neutral: Any) -> Operation:
        """The loop. `neutral` is what each partial result begins with."""
        part = f"{self.name}_part"
        attributes: dict[str, Any] = {"operandSegmentSizes": (0, 0, 0, 0)}
        attributes |= {"staticLowerBound": (0,), "staticUpperBound": (self.count,), "staticStep": (1,)}
        body = self.body(lambda: self._part(part, neutral), "scf.forall.in_parallel", arguments=[(part, INDEX)])
        self.emit("scf.forall", [], [], [], attributes, [body])
        return self.out[0]

    def _part(self, part: str, neutral: Any) -> None:
        pieces, rest = self._pieces()
        result = self._view(self.name, self.type, self.result, 0, part, 1)
        start = self.emit("arith.constant", [], [], [self.result.element], {"value": neutral})
        types = [self.result.element, self.result]
        self.emit("linalg.fill", [start, result], types, [], {"operandSegmentSizes": (1, 1)})
        piece = f"{self.name}_piece"
        body = self.body(
            lambda: self._reduced(result, self.arith("muli", piece, self.length), self.length),
            "scf.yield",
            arguments=[(piece, INDEX)],
        )
        self.emit("scf.for", [part, self.index(pieces), self.index(self.count)], [], [], {}, [body])
        if rest != 0:
            begin, own = self.arith("muli", pieces, self.length), self.arith("remui", pieces, self.count)
            self.when(self.compare("eq", part, own), lambda: self._reduced(result, begin, rest))

    def _pieces(self) -> tuple[Extent, Extent]:
        """How many whole pieces there are, and how many iterations are left."""
        size = self.whole.sizes[self.at.position]
        if isinstance(size, int):
            return size // self.length, size % self.length
        number = next(n for n, map_ in enumerate(self.whole.maps) if self.at in map_.results)
        type_ = self.op.operand_types[number]
        assert isinstance(type_, Memref)
        known = self.size(_Memory(self.op.operands[number], type_), self.whole.maps[number].results.index(self.at))
        return self.arith("divui", known, self.length), self.arith("remui", known, self.length)

    def _view(self, name: str, type_: Memref, given: Memref, at: int, begin: Extent, size: Extent) -> str:
        """A part of memory: so many elements of a dimension from a place on."""
        sizes = [self.size(_Memory(name, type_), d) for d in range(len(type_.shape))]
        sizes[at] = size
        offsets = [begin if d == at else 0 for d in range(len(sizes))]
        return self.subview(name, type_, offsets, sizes, [1] * len(sizes), given)

    def _reduced(self, result: str, begin: Extent, size: Extent) -> None:
        """The reduction of a piece."""
        operands: list[tuple[str, MlirType]] = []
        for name, of, map_ in zip(self.op.operands, self.op.operand_types, self.whole.maps[:-1]):
            if self.at in map_.results and isinstance(of, Memref):
                at = map_.results.index(self.at)
                known = size if isinstance(size, int) else None
                given = replace(of, shape=(*of.shape[:at], known, *of.shape[at + 1 :]), offset=None)
                name, of = self._view(name, of, given, at, begin, size), given
            operands.append((name, of))
        operands.append((result, self.result))
        self.out.append(_generic(self.op, operands, self.whole.maps, self.whole.iterators, self.whole.block))


def _generic(
    op: Operation,
    operands: Sequence[tuple[str, MlirType]],
    maps: Sequence[AffineMap],
    kinds: Sequence[str],
    block: Block,
) -> Operation:
    attributes = {
        "indexing_maps": tuple(maps),
        "iterator_types": tuple(of_dialect("linalg.iterator_type", kind) for kind in kinds),
        "operandSegmentSizes": (len(operands) - 1, 1),
    }
    names, types = [name for name, _ in operands], [type_ for _, type_ in operands]
    return Operation("linalg.generic", names, [], types, [], attributes, [Region([block])], location=op.location)


def _joined(op: Operation, whole: Structured, combiner: Operation, name: str, type_: Memref) -> Operation:
    rank = len(type_.shape) - 1
    names = tuple(f"d{each}" for each in range(rank + 1))
    outer = [Dimension(each + 1) for each in range(rank)]
    maps = [AffineMap(names, (), (Dimension(0), *outer)), AffineMap(names, (), tuple(outer))]
    out = whole.block.arguments[-1]
    combined = replace(combiner, operands=[out[0], "% part"])
    block = Block("", [("% part", type_.element), out], [combined, whole.block.operations[-1]])
    operands = [(name, type_), (op.operands[-1], op.operand_types[-1])]
    return _generic(op, operands, maps, ["reduction", *["parallel"] * rank], block)
