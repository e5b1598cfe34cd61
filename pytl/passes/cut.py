"""cpu-tiles: how large the tiles of each kernel are."""

from __future__ import annotations

from dataclasses import dataclass, replace

from ..diagnostics import PytlError
from ..ir.values import Function
from ..ops import cpu
from .manager import UNKNOWN_PASS, Pass, register
from .tiles import Machine, choose_tile, needs_all_rows, products_of, shared_factors, tile_of


@register
@dataclass(frozen=True)
class CpuTiles(Pass):
    """Says of every `cpu.kernel` how it is cut into tiles.

    `tiles` names a tile for each of them but those for what is left over, in order, as `2x8u4`: vectors, columns, steps
    of the sum in a round. Where it says `auto`, or no more, the model of passes/tiles.py chooses.
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
        seldom = {
            op for items in function.walk() if isinstance(items, cpu.Items) and items.rest for op in items.rest.walk()
        }
        for op in function.walk():
            if isinstance(op, cpu.Kernel) and (products := products_of(op.body.operations)):
                text = "auto" if op in seldom else next(asked, "auto")
                all_rows = needs_all_rows(products)
                tile = choose_tile(machine, products, op.copies, shared_factors(op), tile_of(text), all_rows)
                assert tile is not None
                # what is executed for the last few work-groups alone is better short
                op.attributes.update(replace(tile, unroll=1 if op in seldom else tile.unroll).attributes())


def is_tiling(text: object) -> bool:
    """Whether a text names tiles, or leaves them to the model, joined by `+`."""
    return isinstance(text, str) and all(word == "auto" or tile_of(word) is not None for word in text.split("+"))
