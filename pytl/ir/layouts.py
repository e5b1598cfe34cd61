"""How a tile is spread over the sub-groups of a work-group, and over the work-items of each sub-group.

One object stands for the document's `wg_map` (`sg_layout`, `sg_data`), its `sg_map` (`wi_layout`, `wi_data`), and the
layouts of today's xegpu, in which work-items are called lanes.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields

from ..process.records import dataclass

Pair = tuple[int, int]


@dataclass(frozen=True)
class TileLayout:
    """Sub-groups and work-items of a tile, in rows and columns; a part that is not given is None.

    Sub-group `(s, t)` of `sg_layout` owns blocks of shape `sg_data`, dealt out round-robin over the tile; a work-item
    owns blocks of shape `lane_data` in each of them, dealt out over `lane_layout` in the same way.

    >>> print(TileLayout((2, 2), (32, 128), (2, 8), (1, 2)))
    layout<sg_layout=[2,2],sg_data=[32,128],lane_layout=[2,8],lane_data=[1,2]>
    """

    sg_layout: Pair | None = None
    sg_data: Pair | None = None
    lane_layout: Pair | None = None
    lane_data: Pair | None = None

    def __str__(self) -> str:
        parts = [(f.name, getattr(self, f.name)) for f in fields(self)]
        return f"layout<{','.join(f'{name}=[{pair[0]},{pair[1]}]' for name, pair in parts if pair is not None)}>"

    @property
    def is_empty(self) -> bool:
        return self == WITHOUT_LAYOUT

    def is_for(self, subgroups: int) -> bool:
        """Whether the sub-groups of a work-group share a tile: there are several, as many as the layout has."""
        return subgroups > 1 and self.sg_layout is not None and self.sg_layout[0] * self.sg_layout[1] == subgroups

    def subgroup_blocks(self, shape: Pair, subgroup: Pair) -> Iterator[Pair]:
        """First row and column of each block of a tile that a sub-group owns.

        Where the tile has fewer blocks than there are sub-groups in a direction, sub-groups share them.

        >>> layout = TileLayout((2, 2), (32, 128))
        >>> list(layout.subgroup_blocks((128, 128), (0, 1)))
        [(0, 0), (64, 0)]
        """
        assert self.sg_layout is not None and self.sg_data is not None
        yield from _distributed_blocks(shape, self.sg_layout, self.sg_data, subgroup)

    def lane_blocks(self, shape: Pair, lane: Pair) -> Iterator[Pair]:
        """First row and column of each block that a work-item owns, in what its sub-group owns.

        >>> layout = TileLayout(lane_layout=(2, 8), lane_data=(1, 2))
        >>> list(layout.lane_blocks((4, 16), (1, 3)))
        [(1, 6), (3, 6)]
        """
        assert self.lane_layout is not None and self.lane_data is not None
        yield from _distributed_blocks(shape, self.lane_layout, self.lane_data, lane)


WITHOUT_LAYOUT = TileLayout()
"""The layout of a tile that a sub-group has as a whole, in any way."""


def _distributed_blocks(shape: Pair, owners: Pair, block: Pair, owner: Pair) -> Iterator[Pair]:
    def starts(mode: int) -> range:
        blocks = max(shape[mode] // block[mode], 1)
        step = owners[mode] * block[mode]
        return range(owner[mode] % blocks * block[mode], shape[mode], step)

    for row in starts(0):
        for column in starts(1):
            yield row, column


def layout_problems(shape: Pair, layout: TileLayout) -> Iterator[tuple[str, str]]:
    """What the document's rules find wrong with a layout of a tile: which rule, and the message.

    The rules are "parts", "sg_data", "sg_layout" and "lane_data".
    """
    for kind in ("sg", "lane"):
        parts = [getattr(layout, f"{kind}_{part}") for part in ("layout", "data")]
        if None in parts and parts != [None, None]:
            have, lack = ("layout", "data") if parts[1] is None else ("data", "layout")
            yield "parts", f"{kind}_{have} is given, but {kind}_{lack} is not"
    for field in fields(layout):
        pair = getattr(layout, field.name)
        if pair is not None and min(pair) < 1:
            yield "parts", f"{field.name} is [{pair[0]},{pair[1]}], but each is at least 1"
            return
    owned = shape
    if layout.sg_data is not None:
        owned = layout.sg_data
        for mode, name in enumerate(_MODES):
            size, data = shape[mode], layout.sg_data[mode]
            if size % data:
                yield "sg_data", f"the tile has {size} {name}, which {data}, those of sg_data, do not divide"
            elif layout.sg_layout is not None:
                whole = layout.sg_layout[mode] * data
                if size % whole and whole % size:
                    yield (
                        "sg_layout",
                        f"the tile has {size} {name}, but {layout.sg_layout[mode]} sub-groups of {data} take {whole}",
                    )
    if layout.lane_layout is not None and layout.lane_data is not None:
        whose = "the tile has" if layout.sg_data is None else "a sub-group has"
        for mode, name in enumerate(_MODES):
            whole = layout.lane_layout[mode] * layout.lane_data[mode]
            if owned[mode] % whole:
                lanes, data = layout.lane_layout[mode], layout.lane_data[mode]
                yield (
                    "lane_data",
                    f"{whose} {owned[mode]} {name}, which {lanes} work-items of {data}, {whole}, do not divide",
                )


_MODES = ("rows", "columns")
