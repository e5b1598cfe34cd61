"""lower-tiles: instructions on tiles as cooperative matrices that are loaded and stored at a position."""

from __future__ import annotations

from ..ir.operation import Operation
from ..ir.types import TileType
from ..ir.values import Function
from ..ops import CooperativeMatrixPrefetch
from ..process.records import dataclass
from .inline_calls import WithoutCalls
from .manager import register
from .split_tiles import SplitLowering
from .subgroup_parts import parts_of
from .tile_lowering import TileLowering


@register
@dataclass(frozen=True)
class LowerTiles(WithoutCalls):
    """Replaces the instructions on tiles with loads, products and stores of cooperative matrices.

    Where tiles have layouts for as many sub-groups as the work-group has, each sub-group has the blocks that they give
    it. With `prefetches`, software prefetches stay, each of a tile that is made where it stands.
    """

    name = "lower-tiles"
    prefetches: bool = False

    def run(self, function: Function) -> None:
        if any(map(_is_of_tiles, function.walk())):
            parts = parts_of(function)
            lowering = (
                TileLowering(function, self.prefetches)
                if parts is None
                else SplitLowering(function, self.prefetches, parts)
            )
            lowering.region(function.body)


def _is_of_tiles(op: Operation) -> bool:
    return isinstance(op, CooperativeMatrixPrefetch) or any(isinstance(value.type, TileType) for value in op.results)
