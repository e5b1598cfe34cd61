"""A permuted copy of a tensor, tile by tile, so that each cache line is read and written once.

A tile has rows along the mode that is contiguous in the target, and columns along the one that is contiguous in the
source. Its lines stay in the first cache while they are read and written whole. Modes that follow each other in both
tensors are one.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from functools import cached_property, partial
from itertools import pairwise
from typing import Any

from ...diagnostics.words import counted
from ...ir.types import index
from ...ir.values import Function, Region, Value
from ...ops import Builtin, Fuse
from ...ops.builder import Builder
from ...passes.targets.partition import even_part
from ...process.records import dataclass
from .layouts import Layout

LINE = 64
"""Bytes of a cache line."""
TILE = 32
"""Elements of a row and a column of a tile. Of more rows whose distance is a power of two, few stay in a cache."""
PER_BYTE = 0.75
"""What a byte costs that is copied, in the time of a vector of multiply-adds: it is read and written."""
LAUNCH = 20_000.0
"""What a launch costs, in the same time."""
MIN_GROUPS = 32
"""The fewest work-groups of a large copy, so that all cores have some, and about as many."""


@dataclass(frozen=True)
class PermutedCopy:
    """The copy of a tensor to one of the same indices in another order."""

    names: tuple[str, str]
    """The indices of the source and of the target, from the innermost on."""
    layouts: tuple[Layout, Layout]

    @property
    def key(self) -> Any:
        return "copy", self.names, tuple(str(layout.type) for layout in self.layouts)

    @cached_property
    def _modes(self) -> list[str]:
        """The modes of the target, each of one index or of several that follow each other in both tensors."""
        source, target = self.names
        modes = [target[:1]]
        for x, y in pairwise(target):
            follows = source.find(x + y) >= 0 and all(
                layout.strides[names.index(y)] == layout.strides[names.index(x)] * layout.shape[names.index(x)]
                for names, layout in zip(self.names, self.layouts)
            )
            modes = [*modes[:-1], modes[-1] + y] if follows else [*modes, y]
        return modes

    def _size(self, mode: str) -> int:
        source, layout = self.names[0], self.layouts[0]
        return math.prod(layout.shape[source.index(name)] for name in mode)

    def _distance(self, mode: str) -> int:
        """How far apart neighbours of a mode are, in both tensors."""
        return sum(layout.strides[names.index(mode[0])] for names, layout in zip(self.names, self.layouts))

    @cached_property
    def _tile(self) -> dict[str, int]:
        """The size of a tile along its rows, and along its columns where these are another mode."""
        columns = next(mode for mode in self._modes if mode.startswith(self.names[0][0]))
        if columns == self._modes[0]:
            return {columns: self._size(columns)}
        unit = max(LINE // self.layouts[0].element.size, 1)
        return {mode: even_part(self._size(mode), TILE, unit) for mode in (self._modes[0], columns)}

    @cached_property
    def _distributed_blocks(self) -> list[tuple[str, int]]:
        """The modes that are dealt out to work-groups with the size of a part, those that are far apart first."""
        blocks: list[tuple[str, int]] = []
        parts = 1
        for mode in self._order:
            tile, min_tiles = self._tile.get(mode, 1), -(-MIN_GROUPS // parts)
            if min_tiles > 1:
                tiles = -(-self._size(mode) // tile)
                blocks.append((mode, tile * max(tiles // min_tiles, 1)))
                parts *= self._parts(blocks[-1])
        return blocks

    @cached_property
    def _order(self) -> list[str]:
        return sorted(self._modes, key=lambda mode: (self._distance(mode) * self._tile.get(mode, 1), mode))[::-1]

    def _parts(self, level: tuple[str, int]) -> int:
        mode, part = level
        return -(-self._size(mode) // part)

    @property
    def groups(self) -> int:
        return math.prod(map(self._parts, self._distributed_blocks))

    def cost(self) -> float:
        """The time of the copy, in vectors of multiply-adds."""
        return LAUNCH + PER_BYTE * self.layouts[0].element.size * math.prod(self.layouts[0].shape)

    @property
    def copy(self) -> str:
        """The copy, in words."""
        return "a copy in tiles of " + "×".join(str(self._tile.get(mode, 1)) for mode in self._modes)

    @property
    def text(self) -> str:
        """What work-groups have, in words."""
        return f"{self.copy} by {counted(self.groups, 'work-group')}"

    def function(self) -> Function:
        """The kernel's function."""
        builder = Builder(None)
        parameters = [Value(layout.type, name, None) for layout, name in zip(self.layouts, ("A", "out"))]
        group = builder.add(Builtin(None, [index], ["g"], variant="group_id")).results[0]
        tensors = [self._fused(builder, *pair) for pair in zip(parameters, self.names)]
        numbers: list[Value] = []
        for level in reversed(self._distributed_blocks):
            parts = builder.constant(index, self._parts(level))
            numbers.insert(0, builder.arith("rem", group, parts))
            group = builder.arith("div", group, parts)
        begins = {mode: builder.constant(index, 0) for mode in self._modes}
        sizes = {mode: self._size(mode) for mode in self._modes}
        tiles = [(mode, self._tile.get(mode, 1)) for mode in self._order]
        self._write(builder, numbers, [*self._distributed_blocks, *tiles], begins, sizes, tensors)
        return Function("einsum", parameters, Region("collective", [], builder.operations), {}, None)

    def _write(
        self,
        builder: Builder,
        numbers: Sequence[Value],
        levels: Sequence[tuple[str, int]],
        begins: Mapping[str, Value],
        sizes: Mapping[str, int],
        tensors: Sequence[Value],
    ) -> None:
        """The copy of a box: divided along a mode into parts of a size, and a last one of what is left.

        The parts of the first levels are dealt out, `numbers` are those of this work-group; the others are loops.
        """
        if not levels:
            self._copy(builder, begins, sizes, tensors)
            return
        (mode, part), *others = levels
        whole, rest = divmod(sizes[mode], part)

        def inside(inner: Builder, number: Value | None, size: int) -> tuple[()]:
            begin = begins[mode]
            if number is not None:
                begin = inner.arith("add", begin, inner.arith("mul", number, inner.constant(index, part)))
            self._write(inner, numbers[1:], others, {**begins, mode: begin}, {**sizes, mode: size}, tensors)
            return ()

        if numbers and rest and whole:
            is_whole = builder.compare("lt", numbers[0], builder.constant(index, whole))
            parts = (partial(inside, number=numbers[0], size=size) for size in (part, rest))
            builder.branch(is_whole, [], *parts)
        elif numbers:
            inside(builder, numbers[0], part if whole else rest)
        else:
            if whole > 1:
                builder.loop(
                    builder.constant(index, whole), [], lambda inner, number, _: inside(inner, number, part), name=mode
                )
            elif whole:
                inside(builder, None, part)
            if rest:
                inside(builder, builder.constant(index, whole) if whole else None, rest)

    def _copy(
        self, builder: Builder, begins: Mapping[str, Value], sizes: Mapping[str, int], tensors: Sequence[Value]
    ) -> None:
        """A tile."""
        modes = [mode for mode in self._modes if mode in self._tile]
        orders = [self._names_in(names) for names in self.names]

        def element(inner: Builder, variables: list[Value]) -> None:
            moved = {mode: inner.arith("add", begins[mode], i) for mode, i in zip(modes, variables)}
            source, target = ([moved.get(mode, begins[mode]) for mode in order] for order in orders)
            inner.store(inner.load(tensors[0], source), tensors[1], target)

        builder.foreach([builder.constant(index, sizes[mode]) for mode in modes], element)

    def _names_in(self, names: str) -> list[str]:
        return sorted(self._modes, key=lambda mode: names.index(mode[0]))

    def _fused(self, builder: Builder, tensor: Value, names: str) -> Value:
        for number, mode in enumerate(self._names_in(names)):
            if len(mode) > 1:
                fused = Fuse(None, None, tensor=tensor, first=number, last=number + len(mode) - 1)
                tensor = builder.add(fused).results[0]
        return tensor
