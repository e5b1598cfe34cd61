"""How a contraction of two tensors becomes loops over matrix products: which indices these have, and why.

The rows of a matrix product are an index that A and C have, or several that are contiguous in both and so are one; its
columns are the same of B and C, and it sums over the same of A and B. All other indices are looped over. Operands are
views, without a copy; but a left factor without a contiguous mode in the product, whose vectors would be gathered
element by element for each column, is copied into local memory where its size is static.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Literal

from ...ir.types import Extent, MemrefType, bf16, f16
from ...ops.index_notation import IndexMap, unique
from ...ops.reshape import times
from ...process.records import dataclass

Word = Literal["gemm", "gemv", "ger", "foreach"]

TYPICAL = 16
"""The assumed size of an index that is known at run time only."""
VECTOR = 64
"""Bytes that are assumed to be computed at once where the rows of the target are contiguous."""
BEGIN = 12.0
"""What beginning a product or a foreach costs, in the time of one vector of multiply-adds."""
PACKED = 1.0
"""What packing an element of the left factor costs."""
PER_POINT = 2.0
"""How much more a multiply-add costs in a foreach, whose factors no register tile shares."""
MAX_COPIED = 32 * 1024
"""Bytes of the most that is copied for a product."""
MIN_COLUMNS = 4
"""The fewest columns of a product that reads the copy often enough to be worth it."""
ROUNDED = (f16, bf16)
"""Elements whose sums are rounded once, when they are stored: several products cannot add them up."""


@dataclass(frozen=True)
class Plan:
    """A choice. Texts of letters are indices; several of `m`, `n` or `k` are fused."""

    m: str
    """The rows of the product: of A and C."""
    n: str
    """The columns of the product: of B and C."""
    k: str
    """What the product sums over: of A and B."""
    loops: str
    """The indices of C that are looped over, the outermost first."""
    sums: str
    """The other indices that are looped over, inside of these."""
    is_transposed: bool
    """Whether C has the columns in front of the rows, so that the product is that of the transposed matrices."""
    cost: float
    reason: str = ""
    copied: str = ""
    """The left factor of the product, `A` or `B`, if it is copied into contiguous local memory first."""

    @property
    def sides(self) -> tuple[str, str]:
        """The rows and the columns of the product as it is computed."""
        return (self.n, self.m) if self.is_transposed or not self.m else (self.m, self.n)

    @property
    def word(self) -> Word:
        """The instruction in the loops."""
        return _WORDS.get((bool(self.m), bool(self.n), bool(self.k)), "foreach")

    def __str__(self) -> str:
        groups = [f"({group})" if len(group) > 1 else group for group in (self.m, self.n, self.k) if group]
        shown = f"{self.word} over {', '.join(groups)}" if self.word != "foreach" else "foreach"
        return "; ".join(filter(None, (shown, self.reason)))


_WORDS: dict[tuple[bool, bool, bool], Word] = {
    (True, True, True): "gemm",
    (True, False, True): "gemv",
    (False, True, True): "gemv",
    (True, True, False): "ger",
}


def assumed_sizes(names: Iterable[str], types: Iterable[MemrefType]) -> dict[str, int]:
    """The size of each index of some operands."""
    return {
        name: extent if isinstance(extent, int) else TYPICAL
        for letters, type_ in zip(names, types)
        for name, extent in zip(letters, type_.shape)
    }


def choose(map: IndexMap, types: Sequence[MemrefType]) -> Plan:
    """The cheapest way to compute `C := alpha ∑ A B + beta C`; `types` are those of A, B and C.

    >>> from pytl.ir.text import parse_type
    >>> types = [parse_type(f"memref<f32x{shape}>") for shape in ("8x3x4", "4x5x6", "8x5x6x3")]
    >>> print(choose(IndexMap.parse("{ikm, mjn to ijnk}"), types))
    gemm over i, (jn), m; loop over k: ik is no pair of neighbours in C
    """
    contraction = _Contraction(map, types)
    return contraction.explained(contraction.cheapest())


def cheapest(map: IndexMap, types: Sequence[MemrefType]) -> Plan:
    """The same without its reason, which takes as long to find."""
    return _Contraction(map, types).cheapest()


class _Contraction:
    """The indices of a contraction with their sizes and strides."""

    def __init__(self, map: IndexMap, types: Sequence[MemrefType]) -> None:
        self.map = map
        self.names = [indices.names for indices in map.operands]
        self.types = types
        self.sizes = assumed_sizes(self.names, types)
        self.lanes = max(VECTOR // types[-1].element.size, 1)
        self.rounds_once = types[-1].element in ROUNDED

    def cheapest(self) -> Plan:
        return min([*self.products(), self.points()], key=lambda plan: plan.cost)

    def count(self, names: str) -> int:
        return math.prod(self.sizes[name] for name in names)

    def points(self) -> Plan:
        """Each element of C by itself."""
        output = self.names[-1]
        rows = self._rows_in_time(output[:1], self.count(output[:1]))
        if any(self._is_strided(number, output[0]) for number in range(len(self.types) - 1) if output):
            rows *= 2
        cost = BEGIN + PER_POINT * rows * self.count(output[1:]) * max(self.count(self.map.summed), 1)
        return Plan("", "", "", output[::-1], self.map.summed, False, cost)

    def products(self) -> Iterator[Plan]:
        """All choices of groups for rows, columns and sums."""
        a, b, c = range(3)
        for m in self._groups(self.map.m, a, c):
            for n in self._groups(self.map.n, b, c):
                for k in self._groups(self.map.k, a, b):
                    if (bool(m), bool(n), bool(k)) in _WORDS:
                        plan = self._plan(m, n, k)
                        if not (self.rounds_once and plan.sums):
                            yield plan

    def _plan(self, m: str, n: str, k: str) -> Plan:
        output = self.names[-1]
        is_transposed = bool(m and n) and output.index(n[0]) < output.index(m[0])
        rows, columns = (n, m) if is_transposed or not m else (m, n)
        within = m + n + k
        loops = "".join(name for name in reversed(output) if name not in within)
        sums = "".join(name for name in self.map.summed if name not in within)
        vectors = self._rows_in_time(rows[:1], self.count(rows))
        steps = self.count(k)
        each = vectors * self.count(columns) * (steps + 1) + (self._packing(rows, k) if columns else 0.0) + BEGIN
        copied = self._copied(0 if rows == m else 1, rows, columns, k)
        return Plan(m, n, k, loops, sums, is_transposed, self.count(loops) * self.count(sums) * each, copied=copied)

    def _copied(self, left: int, rows: str, columns: str, k: str) -> str:
        """The left factor, if none of its modes in the product is contiguous, and a copy pays."""
        if not (rows and columns and k) or self.count(columns) < MIN_COLUMNS:
            return ""
        type_, names = self.types[left], self.names[left]
        modes = [names.index(name) for name in rows + k]
        extents = [type_.shape[mode] for mode in modes]
        strides = [type_.strides[names.index(group[0])] for group in (rows, k)]
        if not all(isinstance(extent, int) for extent in extents):
            return ""  # an alloca has a static size
        fits = self.count(rows + k) * type_.element.size <= MAX_COPIED
        return "AB"[left] if fits and all(isinstance(s, int) and s != 1 for s in strides) else ""

    def _rows_in_time(self, first: str, count: int) -> float:
        """Rows of C in the time of vectors: one by one where they are not contiguous."""
        output, strides = self.names[-1], self.types[-1].strides
        is_contiguous = bool(first) and strides[output.index(first)] == 1
        return float(-(-count // self.lanes)) if is_contiguous else 2.0 * count

    def _packing(self, rows: str, k: str) -> float:
        """What a copy of the left factor costs where its columns are not contiguous."""
        left = next(number for number in range(2) if all(name in self.names[number] for name in rows))
        return self.count(rows + k) * PACKED if self._is_strided(left, rows[0]) else 0.0

    def _is_strided(self, number: int, name: str) -> bool:
        """Whether an operand has an index whose elements are apart."""
        names = self.names[number]
        return name in names and self.types[number].strides[names.index(name)] != 1

    # Groups.

    def _groups(self, indices: str, first: int, second: int) -> list[str]:
        """The runs of some indices that are one mode in both operands; nothing where there are no indices."""
        if not indices:
            return [""]
        names = self.names[first]
        runs = [names[i:j] for i in range(len(names)) for j in range(i + 1, len(names) + 1)]
        return [run for run in runs if set(run) <= set(indices) and self._is_one(run, (first, second))]

    def _is_one(self, run: str, operands: tuple[int, int]) -> bool:
        """Whether indices can be fused in both operands, and none is parted from others that the map fuses."""
        for group in self.map.fused:
            if set(group) & set(run) and group not in run:
                return False
        pairs = [run[i : i + 2] for i in range(len(run) - 1)]
        return all(self.obstacle(pair, number) is None for pair in pairs for number in operands)

    def obstacle(self, pair: str, number: int) -> str | None:
        """Why two indices cannot be fused in an operand, in this order; None where they can."""
        names, type_ = self.names[number], self.types[number]
        operand = "ABC"[number]
        if pair not in names:
            return f"{pair} is no pair of neighbours in {operand}"
        if any(pair in group for group in self.map.fused):
            return None  # the map says that they are contiguous
        mode = names.index(pair[0])
        end: Extent = times(type_.shape[mode], type_.strides[mode])
        if not isinstance(end, int) or end != type_.strides[mode + 1]:
            return f"{pair} is not known to be contiguous in {operand}"
        return None

    # Reasons.

    def explained(self, plan: Plan) -> Plan:
        if plan.word == "foreach":
            return replace(plan, reason=self._why_points())
        looped = unique(plan.loops + plan.sums)
        texts = [f"loop over {name}: {self._why_loop(name, plan)}" for name in looped]
        if plan.copied:
            texts.append(f"{plan.copied} is copied: none of its modes in the product is contiguous")
        return replace(plan, reason="; ".join(texts))

    def _why_points(self) -> str:
        if self.rounds_once and self.map.k:
            return "sums of this type are rounded once, which several products would not do"
        return "no product of matrices computes contiguous rows" if self.map.m + self.map.n else "no rows and columns"

    def _why_loop(self, name: str, plan: Plan) -> str:
        if name in self.map.common:
            return "A, B and C have it"
        if any(name in indices.loops for indices in self.map.operands):
            return "the map has it in [ ]"
        chosen = ((self.map.m, plan.m, (0, 2)), (self.map.n, plan.n, (1, 2)), (self.map.k, plan.k, (0, 1)))
        group, operands = next((group, numbers) for names, group, numbers in chosen if name in names)
        # the order of the two in which fewer operands are in the way
        obstacles = [
            [why for number in operands if (why := self.obstacle(pair, number)) is not None]
            for pair in (group[-1] + name, name + group[0])
        ]
        return min(obstacles, key=len)[0] if all(obstacles) else "products of these sizes are cheaper"
