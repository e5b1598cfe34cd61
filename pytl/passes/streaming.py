"""Whether a kernel pays for Arm's streaming mode, on a machine that may leave its matrix extension alone.

Entering streaming mode takes time, and so does a call of the C library in it, since what calls has to leave it. So it
pays where outer products save more than that. Everything else is as fast in vectors of the processor's own.
"""

from __future__ import annotations

from typing import Any

from ..ir.operation import Operation
from ..ir.values import Function, Region
from ..ops import For, Foreach, Gemm, Math, MathSince04, Update
from .cpu_items import trips_of
from .sme_products import costs_of_tiles
from .targets.machine import Machine
from .targets.sme import lanes_of_points, product_of
from .tiles import Product, choose_tile


def pays_for_streaming(function: Function, machine: Machine, other: Machine) -> bool:
    """Whether a function is faster in streaming mode of a machine than as code for another one, by the model."""
    saved = _saved(function.body, machine, other)
    costs = machine.outer_products
    return saved > costs.enter / costs.groups


def _saved(region: Region, machine: Machine, other: Machine) -> float:
    """The cycles of a work-group that are saved in streaming mode; what it costs is taken away."""
    return sum(_saved_by(op, machine, other) for op in region.operations)


def _saved_by(op: Operation, machine: Machine, other: Machine) -> float:
    product = product_of(op, machine.without) if isinstance(op, Update) else None
    if product is not None:
        return _by_vectors(op, other) - costs_of_tiles(op, product, machine)
    if isinstance(op, Foreach) and lanes_of_points(op):
        return 0  # vector code, which calls nothing
    if isinstance(op, (Math, MathSince04)):
        return -machine.outer_products.call
    if op.callee is not None:
        return _saved(op.callee.body, machine, other)
    trips = trips_of(op, machine.items.unknown) if isinstance(op, (For, Foreach)) else 1
    return trips * sum(_saved(inner, machine, other) for inner in op.regions)


def _by_vectors(op: Any, machine: Machine) -> float:
    """The cycles of a product by vectors."""
    if isinstance(op, Gemm):
        tile = choose_tile(machine, [Product.of(op, frozenset(), machine.caches.line)])
        assert tile is not None, "one vector of sums always fits"
        return tile.cost
    rows, columns = (size if isinstance(size, int) else machine.tiles.typical for size in op.updated.type.shape)
    bytes_ = op.updated.type.element.size
    return rows * columns * bytes_ / machine.register_bytes / machine.execution.stores
