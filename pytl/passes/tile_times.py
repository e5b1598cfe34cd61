"""Times of products under several register tiles, and the constants of the model of tiles that explain them best.

`benchmarks/calibrate.py` measures them on purpose; `pytl.tune` finds them as it goes, and they are kept beside the
cache. Anybody may have written what is in that file: it is read as numbers, each within its range, and what cannot be
used is left out.
"""

from __future__ import annotations

import json
import math
import statistics
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from ..devices.cache import configured
from ..devices.owned import Foreign, own_directory
from ..devices.processors import Processor, running_processor
from ..ir.types import SCALAR_TYPES, compute_type
from ..ir.values import Function
from ..process.records import dataclass
from .cpu_tiles import BODY, PREFETCHING, kernels_with_products, words_of
from .targets import calibrated
from .targets.costs import Measurement, RegisterTileCosts
from .targets.host import machine_for
from .targets.machine import Machine
from .targets.tile_words import tile_of
from .tiles import CACHE, Product, cost_of, lanes_for, products_of, shared_factors

FILE = "tile-times.json"
FORMAT = 1
MOST_PRODUCTS, MOST_TILES = 64, 32
"""Of what is kept: the latest products, and of each the tiles."""
ENOUGH = 6
"""Products from which on constants are fitted."""
WORTH = 1.02
"""How many times as fast the tiles of other constants must be, by the times that are known, for these to be taken."""
_REGRET = 0.1
"""How much it counts that a slower tile is chosen, beside the squared error of the prediction."""
_STEPS = {"load": 0.06, "each_load": 0.05, "split_load": 0.15, "begin_and_end": 1.5}
"""By how much the constants that are fitted are changed at first."""
_MAX_SUMS = (64, 24, 20, 16, 12)
"""The limits of sums that are tried."""
FITTED = (*_STEPS, "max_sums")
"""The constants that are fitted."""
_LARGEST, _MOST_SIZE, _LONGEST = 1 << 20, 1 << 16, 1e6
"""Bytes of the file, the size of a mode, and seconds of a product."""
_Words = tuple[int, int, int]
"""A tile: vectors, columns, steps of the sum in an iteration."""


@dataclass(frozen=True)
class Timed:
    """A product, for how many interleaved work-groups it is done, and its seconds under each tile.

    The seconds are relative to each other: they may be those of a launch.
    """

    product: Product
    seconds: Mapping[_Words, float]
    interleave: int = 1
    shared: tuple[bool, bool] = (False, False)

    def cost(self, machine: Machine, tile: _Words) -> float:
        """Cycles by the model."""
        element, rows = self.product.element, self.product.rows
        assert isinstance(rows, int), "sizes are known"
        of_rows = -(-rows // lanes_for(machine, element, rows))
        parts = 2 if compute_type(element).is_complex else 1
        return cost_of(machine, self.product, of_rows, *tile[:2], self.interleave, self.shared, parts)

    def chosen(self, machine: Machine) -> float:
        """The seconds of the tile that the model takes: the cheapest of those that have no more sums than may be."""
        parts = self.interleave * (2 if compute_type(self.product.element).is_complex else 1)
        few = [tile for tile in self.seconds if tile[0] * tile[1] * parts <= machine.tiles.max_sums]
        return self.seconds[min(few or self.seconds, key=lambda tile: self.cost(machine, tile))]


def fitted(machine: Machine, timed: Sequence[Timed]) -> RegisterTileCosts:
    """The constants that predict the times of each product's tiles relative to each other best."""

    def of(costs: RegisterTileCosts) -> float:
        return error(replace(machine, tiles=costs), timed)

    best, step = machine.tiles, 1.0
    least = of(best)
    while step > 0.1:
        moved = False
        for name, value in _near(best, step):
            changed: dict[str, Any] = {name: value}
            tried = replace(best, **changed)
            if of(tried) < least - 1e-9:
                best, least, moved = tried, of(tried), True
        step = step if moved else step / 2
    return best


def _near(costs: RegisterTileCosts, step: float) -> Iterator[tuple[str, float]]:
    """Constants with another number each."""
    for name, unit in _STEPS.items():
        lowest, highest = 1.0 if name == "split_load" else 0.0, 16.0
        for change in (step * unit, -step * unit):
            yield name, round(min(max(getattr(costs, name) + change, lowest), highest), 3)
    yield from (("max_sums", limit) for limit in _MAX_SUMS)


def error(machine: Machine, timed: Sequence[Timed]) -> float:
    """How far the model is from the times, and how much slower the tiles are that it takes."""
    total = 0.0
    for each in timed:
        total += statistics.pvariance(math.log(each.cost(machine, tile) / s) for tile, s in each.seconds.items())
        total += _REGRET * math.log(each.chosen(machine) / min(each.seconds.values()))
    return total


def gain(old: Machine, new: Machine, timed: Sequence[Timed]) -> float:
    """How many times as fast products are by the tiles that the new constants choose: the geometric mean."""
    return statistics.geometric_mean(each.chosen(old) / each.chosen(new) for each in timed)


# What tuning finds.


def timed_in(function: Function, machine: Machine, seconds: Mapping[str, float]) -> Timed | None:
    """What times under some values of the option `tile` say of a function behind `cpu-schedule`.

    None where it has several kernels with products, several products in one, or sizes that are not known.
    """
    found = list(kernels_with_products(function))
    kernels, twins = ([op for op, region, _ in found if region == name] for name in (BODY, PREFETCHING))
    if len(kernels) != 1:
        return None
    op = kernels[0]
    products = products_of(op, machine.caches.line, CACHE)
    product = products[0]
    if len(products) != op.interleave or product.terms or product.held:
        return None
    if not all(isinstance(extent, int) for extent in (product.rows, product.columns, product.depth)):
        return None
    tiles: dict[_Words, float] = {}
    # where the regions have different tiles, nobody says which one was timed
    own = words_of(op) if all(words_of(twin) == words_of(op) for twin in twins) else None
    for word, time in seconds.items():
        named = own if word == "auto" else tile_of(word.partition("+")[0])
        if named is not None and time > 0:
            tiles[named] = time
    return Timed(product, tiles, op.interleave, shared_factors(op)) if len(tiles) > 1 else None


def learn(timed: Timed, processor: Processor | None = None) -> Machine | None:
    """Keep the times of a product, and fit the machine of a processor, by default this one, to all that are kept.

    Returns the machine that processes that begin later find; None where nothing has changed.
    """
    processor = processor or running_processor()
    preset = machine_for(processor)
    machine = calibrated.calibrated_machine(processor, preset) or preset
    known = [*_load(processor, machine), timed][-MOST_PRODUCTS:]
    _store(known, processor)
    if len(known) < ENOUGH:
        return None
    measured = Measurement(processor.name or processor.vendor or "this one", _today(), "pytl.tune")
    new = replace(machine, tiles=replace(fitted(machine, known), measured=measured)).named()
    if gain(machine, new, known) < WORTH:
        return None
    try:
        calibrated.store(new, processor)
    except (OSError, Foreign):
        return None
    return new


def _today() -> str:
    import datetime

    return str(datetime.date.today())


# The file.


def _load(processor: Processor, machine: Machine) -> list[Timed]:
    cache = configured()
    if cache is None:
        return []
    try:
        with own_directory(cache.directory) as directory:
            content = directory.read(FILE)
        return decoded(content, processor, machine)
    except (OSError, Foreign, ValueError):  # it is made anew
        return []


def _store(known: Sequence[Timed], processor: Processor) -> None:
    cache = configured()
    if cache is None:
        return
    try:
        calibrated.write_whole(cache.directory, FILE, encoded(known, processor))
    except (OSError, Foreign):  # what was found is used, though not kept
        return


def encoded(known: Sequence[Timed], processor: Processor) -> bytes:
    """The content of the file."""
    products = [
        [
            *(each.product.element.name, each.product.rows, each.product.columns, each.product.depth),
            *(each.product.is_line_aligned, each.interleave, *each.shared),
            [[*tile, seconds] for tile, seconds in each.seconds.items()][:MOST_TILES],
        ]
        for each in known
    ]
    return json.dumps({"format": FORMAT, "processor": processor.identity, "products": products}).encode()


def decoded(content: bytes, processor: Processor, machine: Machine) -> list[Timed]:
    """The times that a file has of a processor. Raises ValueError where it is no such file."""
    if len(content) > _LARGEST:
        raise ValueError("it is too large")
    try:
        values = json.loads(content)
    except (ValueError, RecursionError):
        raise ValueError("it is no JSON") from None
    if not isinstance(values, dict) or values.get("format") != FORMAT or values.get("processor") != processor.identity:
        return []
    products = values.get("products")
    if not isinstance(products, list) or len(products) > MOST_PRODUCTS:
        raise ValueError("it has no list of products")
    return [_timed(each, machine) for each in products]


def _timed(value: Any, machine: Machine) -> Timed:
    if not isinstance(value, list) or len(value) != 9 or not isinstance(value[8], list):
        raise ValueError("a product has other parts than it should have")
    name, rows, columns, depth, is_aligned, interleave, left, right, tiles = value
    element = SCALAR_TYPES.get(name) if isinstance(name, str) else None
    sizes = [_number(size, _MOST_SIZE) for size in (rows, columns, depth)]
    flags = (is_aligned, left, right)
    if element is None or not all(isinstance(flag, bool) for flag in flags) or not 2 <= len(tiles) <= MOST_TILES:
        raise ValueError("a product has other parts than it should have")
    seconds = {}
    for each in tiles:
        if not isinstance(each, list) or len(each) != 4:
            raise ValueError("a tile is three numbers with a time")
        *words, time = each
        vectors, block, steps = (_number(word, _MOST_SIZE) for word in words)
        if type(time) is not float or not 0 < time <= _LONGEST:
            raise ValueError("a time is a number of seconds")
        seconds[vectors, block, steps] = time
    product = Product.plain(element, (sizes[0], sizes[1], sizes[2]), machine.caches.line)
    product = replace(product, is_line_aligned=is_aligned)
    return Timed(product, seconds, _number(interleave, 4), (left, right))


def _number(value: Any, most: int) -> int:
    if type(value) is not int or not 1 <= value <= most:
        raise ValueError(f"a number is not from 1 to {most}")
    return value
