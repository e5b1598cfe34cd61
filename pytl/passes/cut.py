"""cpu-tiles: how large the tiles of each kernel are."""

from __future__ import annotations

from dataclasses import dataclass

from ..diagnostics import PytlError
from ..ir.values import Function
from ..ops import cpu
from .manager import UNKNOWN_PASS, Pass, register
from .tiles import Machine, choose_tile, products_of, shares_right, tile_of


@register
@dataclass(frozen=True)
class CpuTiles(Pass):
    """Says of every `cpu.kernel` how it is cut into tiles.

    `tiles` names a tile for each of them, in order, as `2x8u4`: vectors, columns, steps of the sum in a round. Where it
    says `auto`, or no more, the model of passes/tiles.py chooses.
    """

    name = "cpu-tiles"
    register_bytes: int = 64
    tiles: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if not is_tiling("+".join(self.tiles) or "auto"):
            raise PytlError.single(UNKNOWN_PASS, f"`{'+'.join(self.tiles)}` is no tiling", help="write 2x8u4, or auto")

    def run(self, function: Function) -> None:
        machine = Machine.of(self.register_bytes)
        asked = iter(self.tiles)
        for op in function.walk():
            if isinstance(op, cpu.Kernel) and (products := products_of(op.body.operations)):
                tile = choose_tile(machine, products, op.copies, shares_right(op), tile_of(next(asked, "auto")))
                assert tile is not None
                op.attributes.update(tile.attributes())


def is_tiling(text: object) -> bool:
    """Whether a text names tiles, or leaves them to the model, joined by `+`."""
    return isinstance(text, str) and all(word == "auto" or tile_of(word) is not None for word in text.split("+"))
