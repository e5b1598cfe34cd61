"""Permuted copies of tensors, tile by tile, so that each cache line is read and written once.

A tile has rows along the mode that is contiguous in the target, and columns along the one that is contiguous in the
source. Its lines stay in the first cache while they are read and written whole. Modes that follow each other in both
tensors are one. The target may have the parts of an index, in one mode, and the numbers of these parts in another.
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
from ...ops import Axpby, Builtin, Fuse, Subview
from ...ops.builder import Builder
from ...ops.views import Slice
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
PARTS = "′"
"""The index of the parts of another one."""


@dataclass(frozen=True)
class PermutedCopy:
    """The copy of a tensor to one of the same indices in another order.

    Where the target has `PARTS`, it has less of one index than the source: that much in each part.
    """

    names: tuple[str, str]
    """The indices of the source and of the target, from the innermost on."""
    layouts: tuple[Layout, Layout]

    @classmethod
    def of(cls, source: tuple[str, Layout], target: tuple[str, Layout]) -> PermutedCopy:
        return cls((source[0], target[0]), (source[1], target[1]))

    @property
    def key(self) -> Any:
        return self.names, tuple(str(layout.type) for layout in self.layouts)

    @cached_property
    def _in_parts(self) -> str:
        """The index of which the target has parts; none in most cases."""
        if PARTS not in self.names[1]:
            return ""
        (source, target), (of_source, of_target) = self.names, self.layouts
        sizes = dict(zip(target, of_target.shape))
        return next(name for name, n in zip(source, of_source.shape) if sizes[name] < n)

    @cached_property
    def _tensors(self) -> list[tuple[str, Layout]]:
        """The indices and layouts of both tensors, of the source with two modes for an index in parts."""
        (source, target), (of_source, of_target) = self.names, self.layouts
        if self._in_parts:
            mode = source.index(self._in_parts)
            part = of_target.shape[target.index(self._in_parts)]
            shape, strides = list(of_source.shape), list(of_source.strides)
            strides.insert(mode + 1, strides[mode] * part)
            shape[mode : mode + 1] = part, shape[mode] // part
            source = source[: mode + 1] + PARTS + source[mode + 1 :]
            of_source = Layout(of_source.element, tuple(shape), tuple(strides))
        return [(source, of_source), (target, of_target)]

    @cached_property
    def _modes(self) -> list[str]:
        """The modes of the target, each of one index or of several that follow each other in both tensors."""
        (source, _), (target, _) = self._tensors
        modes = [target[:1]]
        for x, y in pairwise(target):
            follows = (
                x != PARTS
                and source.find(x + y) >= 0
                and all(
                    layout.strides[names.index(y)] == layout.strides[names.index(x)] * layout.shape[names.index(x)]
                    for names, layout in self._tensors
                )
            )
            modes = [*modes[:-1], modes[-1] + y] if follows else [*modes, y]
        return modes

    def _size(self, mode: str) -> int:
        target, layout = self._tensors[1]
        return math.prod(layout.shape[target.index(name)] for name in mode)

    def _distance(self, mode: str) -> int:
        """How far apart neighbours of a mode are, in both tensors."""
        return sum(layout.strides[names.index(mode[0])] for names, layout in self._tensors)

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
        """The time of the copy without its launch, in vectors of multiply-adds."""
        return PER_BYTE * self.layouts[0].element.size * math.prod(self.layouts[0].shape)

    @property
    def text(self) -> str:
        """The copy, in words."""
        return "a copy in tiles of " + "×".join(str(self._tile.get(mode, 1)) for mode in self._modes)

    def write(self, builder: Builder, tensors: Sequence[Value], group: Value | None = None) -> None:
        """The copy from one tensor to the other: of a work-group's part, all of it without a work-group."""
        fused = [self._fused(builder, *pair) for pair in zip(tensors, self.names)]
        levels = [(mode, self._tile.get(mode, 1)) for mode in self._order]
        numbers: list[Value] = []
        if group is not None:
            levels = [*self._distributed_blocks, *levels]
            for level in reversed(self._distributed_blocks):
                parts = builder.constant(index, self._parts(level))
                numbers.insert(0, builder.arith("rem", group, parts))
                group = builder.arith("div", group, parts)
        begins = {mode: builder.constant(index, 0) for mode in self._modes}
        sizes = {mode: self._size(mode) for mode in self._modes}
        self._write(builder, numbers, levels, begins, sizes, fused)

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
        orders = [self._names_in(names) for names in self.names]
        origins = [dict(begins), dict(begins)]
        if self._in_parts:
            mode = next(mode for mode in self._modes if self._in_parts in mode)
            part = builder.constant(index, self._size(mode))
            origins[0][mode] = builder.arith("add", begins[mode], builder.arith("mul", begins[PARTS], part))
        views = []
        for tensor, order, origin in zip(tensors, orders, origins):
            slices = [Slice(origin[mode], sizes[mode] if mode in self._tile else None) for mode in order]
            views.append(builder.add(Subview(None, None, tensor=tensor, slices=slices)).results[0])
        one, zero = (of(self.layouts[0].element) for of in (builder.one, builder.zero))
        transpose = "t" if len(self._tile) == 2 else "n"
        builder.add(Axpby(None, transpose=transpose, alpha=one, A=views[0], beta=zero, B=views[1]))

    def _names_in(self, names: str) -> list[str]:
        """The modes of a tensor of these indices, from the innermost on."""
        return sorted((mode for mode in self._modes if mode[0] in names), key=lambda mode: names.index(mode[0]))

    def _fused(self, builder: Builder, tensor: Value, names: str) -> Value:
        for number, mode in enumerate(self._names_in(names)):
            if len(mode) > 1:
                fused = Fuse(None, None, tensor=tensor, first=number, last=number + len(mode) - 1)
                tensor = builder.add(fused).results[0]
        return tensor


@dataclass(frozen=True)
class Copies:
    """Permuted copies by one launch, of one tensor or of two."""

    copies: tuple[PermutedCopy, ...]

    @property
    def key(self) -> Any:
        return "copies", tuple(copy.key for copy in self.copies)

    @property
    def groups(self) -> int:
        return sum(copy.groups for copy in self.copies)

    @property
    def text(self) -> str:
        """What work-groups have, in words."""
        return f"{' and '.join(copy.text for copy in self.copies)} by {counted(self.groups, 'work-group')}"

    def cost(self) -> float:
        """The time of the launch, in vectors of multiply-adds."""
        return LAUNCH + sum(copy.cost() for copy in self.copies)

    def function(self) -> Function:
        """The kernel's function: its parameters are the sources, and then the targets."""
        builder = Builder(None)
        sources, targets = (
            [Value(copy.layouts[side].type, name, None) for copy, name in zip(self.copies, names)]
            for side, names in enumerate((("A", "B"), ("out", "other")))
        )
        group = builder.add(Builtin(None, [index], ["g"], variant="group_id")).results[0]
        first, *others = (partial(copy.write, tensors=pair) for copy, *pair in zip(self.copies, sources, targets))
        if not others:
            first(builder, group=group)
        else:
            begin = builder.constant(index, self.copies[0].groups)
            is_first = builder.compare("lt", group, begin)

            def of_first(inner: Builder) -> tuple[()]:
                first(inner, group=group)
                return ()

            def of_other(inner: Builder) -> tuple[()]:
                others[0](inner, group=inner.arith("sub", group, begin))
                return ()

            builder.branch(is_first, [], of_first, of_other)
        return Function("einsum", [*sources, *targets], Region("collective", [], builder.operations), {}, None)
