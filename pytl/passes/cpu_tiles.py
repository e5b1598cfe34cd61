"""cpu-tiles: the size of the register tiles of each kernel."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from ..diagnostics import PytlError
from ..ir.values import Function
from ..ops import Gemm
from ..process.records import dataclass
from .manager import UNKNOWN_PASS, Pass, register
from .targets import cpu
from .targets.cpu_attributes import COLUMNS, OUTLINED, UNROLL, VECTORS
from .targets.machine import DEFAULT, Machine
from .targets.tile_words import is_tiling, tile_of
from .tiles import Tile, choose_tile, fitting_tiles, products_of, shared_factors


@register
@dataclass(frozen=True)
class CpuTiles(Pass):
    """Chooses the register tiles of every `cpu.kernel`.

    `tiles` names a tile for each of the kernels but those for remainders, in order, as `2x8u4`: vectors, columns,
    unroll factor of the sum. Where it says `auto`, or names no more tiles, the model of passes/tiles.py chooses, as it
    does in functions that are called.
    """

    name = "cpu-tiles"
    of_called = True
    machine: Machine = DEFAULT
    tiles: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if not is_tiling("+".join(self.tiles) or "auto"):
            raise PytlError.single(
                UNKNOWN_PASS, f"`{'+'.join(self.tiles)}` is not a tiling", help="write 2x8u4, or auto"
            )

    def run(self, function: Function) -> None:
        machine = self.machine
        requested = iter(self.tiles if function.is_kernel else ())
        kernels = list(kernels_with_products(function))
        outlined = {OUTLINED: True} if len(kernels) >= machine.tiles.many_kernels else {}
        for op, is_remainder in kernels:
            text = "auto" if is_remainder else next(requested, "auto")
            products = products_of(op, machine.caches.line)
            tile = choose_tile(machine, products, op.interleave, shared_factors(op), tile_of(text))
            assert tile is not None
            # code for the last few work-groups only is kept short
            if is_remainder:
                tile = replace(tile, unroll=1, by_pattern=False)
            op.attributes.update({**tile.attributes(), **outlined})


def kernels_with_products(function: Function) -> Iterator[tuple[cpu.Kernel, bool]]:
    """The kernels that are computed by tiles, in order, and whether each is for the last few work-groups only."""
    remainders = [op.remainder for op in function.walk() if isinstance(op, cpu.Items) and op.remainder is not None]
    in_remainder = {op for region in remainders for op in region.walk()}
    for op in function.walk():
        if isinstance(op, cpu.Kernel) and any(isinstance(inner, Gemm) for inner in op.body.operations):
            yield op, op in in_remainder


def tilings(function: Function, machine: Machine, max_count: int) -> list[str]:
    """Alternatives to the model's choice that are worth trying: values for the pass option `tiles`.

    Each text changes one kernel, and its twin in the region that prefetches. The order is by the model's cost,
    lowest first.
    """
    kernels = [op for op, is_remainder in kernels_with_products(function) if not is_remainder]
    prefetching = [op.prefetching for op in function.walk() if isinstance(op, cpu.Items) and op.prefetching is not None]
    in_prefetching = {op for region in prefetching for op in region.walk()}
    count = sum(op not in in_prefetching for op in kernels)
    alternatives: list[tuple[float, str]] = []
    for position, op in enumerate(kernels[:count]):
        now = tuple(op.attributes[name] for name in (VECTORS, COLUMNS, UNROLL))
        tiles = _fitting(machine, op)
        twins = _fitting(machine, kernels[position + count]) if in_prefetching else {}
        lowest = min(tile.cost for tile in tiles.values())
        for (vectors, columns), tile in tiles.items():
            for unroll in dict.fromkeys((tile.unroll, 1, 2)):
                if (vectors, columns, unroll) == now:
                    continue
                word = f"{vectors}x{columns}u{unroll}"
                words = ["auto"] * position + [word]
                if (vectors, columns) in twins:
                    words += ["auto"] * (count - 1) + [word]
                cost = tile.cost / lowest + machine.tiles.unroll_penalty * abs(unroll - tile.unroll)
                alternatives.append((cost, "+".join(words)))
    return [text for _, text in sorted(alternatives)[:max_count]]


def _fitting(machine: Machine, op: cpu.Kernel) -> dict[tuple[int, int], Tile]:
    """The tiles of a kernel by their vectors and columns."""
    tiles = fitting_tiles(machine, products_of(op, machine.caches.line), op.interleave, shared_factors(op))
    return {(tile.vectors, tile.columns): tile for tile in tiles}
