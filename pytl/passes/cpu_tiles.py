"""cpu-tiles: the size of the register tiles of each kernel."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import replace

from ..diagnostics import PytlError
from ..ir.operation import Operation
from ..ir.values import Function
from ..ops import Gemm
from ..process.records import dataclass
from .manager import UNKNOWN_PASS, Pass, register
from .targets import cpu
from .targets.cpu_attributes import COLUMNS, OUTLINED, UNROLL, VECTORS
from .targets.machine import DEFAULT, Machine
from .targets.tile_words import is_tiling, tile_of
from .tiles import CACHE, Tile, choose_tile, fitting_tiles, products_of, shared_factors, source_in

BODY, PREFETCHING, REMAINDER = "body", "prefetching", "remainder"
"""The regions of a `cpu.items`."""


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
        for op, region, source in kernels:
            text = "auto" if region == REMAINDER else next(requested, "auto")
            products = products_of(op, machine.caches.line, source)
            tile = choose_tile(machine, products, op.interleave, shared_factors(op), tile_of(text))
            assert tile is not None
            # code for the last few work-groups only is kept short
            if region == REMAINDER:
                tile = replace(tile, unroll=1, by_pattern=False)
            op.attributes.update({**tile.attributes(), **outlined})


def kernels_with_products(function: Function) -> Iterator[tuple[cpu.Kernel, str, str]]:
    """The kernels that are computed by tiles, in order, with the region of a `cpu.items` that each is in, `body` where
    there is none, and where its matrices come from.
    """
    places: dict[Operation, tuple[str, str]] = {}
    for loop in (op for op in function.walk() if isinstance(op, cpu.Items)):
        for name, region in ((PREFETCHING, loop.prefetching), (REMAINDER, loop.remainder)):
            if region is not None:
                source = source_in(region) if name == PREFETCHING else CACHE
                places.update(dict.fromkeys(region.walk(), (name, source)))
    for op in function.walk():
        if isinstance(op, cpu.Kernel) and any(isinstance(inner, Gemm) for inner in op.body.operations):
            yield op, *places.get(op, (BODY, CACHE))


def tilings(function: Function, machine: Machine, max_count: int) -> list[str]:
    """Alternatives to the model's choice that are worth trying: values for the pass option `tiles`.

    Each text changes one kernel, and its twin in the region that prefetches. The order is by the model's cost,
    lowest first.
    """
    kernels = list(kernels_with_products(function))
    of_body, prefetching = ([each for each in kernels if each[1] == name] for name in (BODY, PREFETCHING))
    alternatives: list[tuple[float, str]] = []
    for position, (op, _, source) in enumerate(of_body):
        tiles = _fitting(machine, op, source)
        own, twins = {words_of(op)}, dict[tuple[int, int], Tile]()
        if prefetching:
            twin, _, source = prefetching[position]
            twins = _fitting(machine, twin, source)
            own.add(words_of(twin))
        for (vectors, columns), tile in tiles.items():
            costs = _relative(tiles, (vectors, columns)), _relative(twins, (vectors, columns))
            for unroll in dict.fromkeys((tile.unroll, 1, 2)):
                tried, has_twin = (vectors, columns, unroll), (vectors, columns) in twins
                if own == {tried} or (tried == words_of(op) and not has_twin):
                    continue  # it changes nothing
                word = f"{vectors}x{columns}u{unroll}"
                words = ["auto"] * position + [word]
                if has_twin:
                    words += ["auto"] * (len(of_body) - 1) + [word]
                # launches execute one of the two regions
                cost = min(costs) + machine.tiles.unroll_penalty * abs(unroll - tile.unroll)
                alternatives.append((cost, "+".join(words)))
    return [text for _, text in sorted(alternatives)[:max_count]]


def words_of(op: cpu.Kernel) -> tuple[int, int, int]:
    """The vectors, columns and steps of a kernel's tile."""
    vectors, columns, unroll = (op.attributes[name] for name in (VECTORS, COLUMNS, UNROLL))
    return vectors, columns, unroll


def _relative(tiles: Mapping[tuple[int, int], Tile], size: tuple[int, int]) -> float:
    """The cost of one of some tiles beside the lowest; infinity where it is none of them."""
    return tiles[size].cost / min(tile.cost for tile in tiles.values()) if size in tiles else math.inf


def _fitting(machine: Machine, op: cpu.Kernel, source: str) -> dict[tuple[int, int], Tile]:
    """The tiles of a kernel by their vectors and columns."""
    tiles = fitting_tiles(machine, products_of(op, machine.caches.line, source), op.interleave, shared_factors(op))
    return {(tile.vectors, tile.columns): tile for tile in tiles}
