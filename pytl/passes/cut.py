"""cpu-tiles: how large the tiles of each kernel are."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from ..diagnostics import PytlError
from ..ir.values import Function
from ..ops import Gemm, cpu
from .manager import UNKNOWN_PASS, Pass, register
from .tiles import Machine, choose_tile, fitting_tiles, products_of, shared_factors, tile_of


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
        for op, is_seldom in kernels_with_products(function):
            text = "auto" if is_seldom else next(asked, "auto")
            products = products_of(op.body.operations)
            tile = choose_tile(machine, products, op.copies, shared_factors(op), tile_of(text))
            assert tile is not None
            # what is executed for the last few work-groups alone is better short
            op.attributes.update(replace(tile, unroll=1 if is_seldom else tile.unroll).attributes())


def kernels_with_products(function: Function) -> Iterator[tuple[cpu.Kernel, bool]]:
    """The kernels that are cut into tiles, in order, and whether each is for the last few work-groups only."""
    rests = [op.rest for op in function.walk() if isinstance(op, cpu.Items) and op.rest is not None]
    seldom = {op for rest in rests for op in rest.walk()}
    for op in function.walk():
        if isinstance(op, cpu.Kernel) and any(isinstance(inner, Gemm) for inner in op.body.operations):
            yield op, op in seldom


def tilings(function: Function, register_bytes: int, most: int) -> list[str]:
    """What else than the model's choice is worth trying for a function whose kernels are cut: `tiles` of the pass.

    Each text changes one kernel, and those that change as much as the model says stand first.
    """
    machine = Machine.of(register_bytes)
    found: list[tuple[float, str]] = []
    kernels = [op for op, is_seldom in kernels_with_products(function) if not is_seldom]
    for place, op in enumerate(kernels):
        now = tuple(op.attributes[name] for name in (cpu.VECTORS, cpu.COLUMNS, cpu.UNROLL))
        tiles = list(fitting_tiles(machine, products_of(op.body.operations), op.copies, shared_factors(op)))
        least = min(tile.cost for tile in tiles)
        for tile in tiles:
            for unroll in dict.fromkeys((tile.unroll, 1, 2)):
                numbers = tile.vectors, tile.columns, unroll
                if numbers != now:
                    penalty = 0.02 * abs(unroll - tile.unroll)
                    found.append(
                        (tile.cost / least + penalty, "+".join(["auto"] * place + ["{}x{}u{}".format(*numbers)]))
                    )
    return [text for _, text in sorted(found)[:most]]


def is_tiling(text: object) -> bool:
    """Whether a text names tiles, or leaves them to the model, joined by `+`."""
    return isinstance(text, str) and all(word == "auto" or tile_of(word) is not None for word in text.split("+"))
