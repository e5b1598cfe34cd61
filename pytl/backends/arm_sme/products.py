"""Outer products as operations of the dialect arm_sme."""

from __future__ import annotations

from ...mlir.text.builder import Builder, Value
from ...mlir.text.types import ScalableVector
from ...passes.targets.sme import Product
from ..mlir import types

_NAMES = {1: "outerproduct", 2: "fmopa_2way", 4: "smopa_4way"}


def tile_type(product: Product) -> ScalableVector:
    """The type of the tile that a product is added to."""
    return ScalableVector((product.lanes,) * 2, (True, True), types.element(product.sum))


def add_product(
    to: Builder, product: Product, rows: tuple[Value, Value], columns: tuple[Value, Value], tile: Value
) -> Value:
    """The tile plus the product of two vectors, each operands with its mask."""
    operands = rows[0], columns[0], rows[1], columns[1], tile
    return to.op(f"arm_sme.{_NAMES[product.ways]}", *operands, type=tile.type, hint="tile")
