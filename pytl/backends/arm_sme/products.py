"""Outer products as operations of the dialect arm_sme."""

from __future__ import annotations

from ...passes.targets.sme import Product
from ..mlir.builder import Builder
from .vectors import vector_type

_NAMES = {1: "outerproduct", 2: "fmopa_2way", 4: "smopa_4way"}


def tile_type(product: Product) -> str:
    """The type of the tile that a product is added to."""
    return f"vector<[{product.lanes}]x[{product.lanes}]x{product.sum}>"


def add_product(to: Builder, product: Product, rows: tuple[str, str], columns: tuple[str, str], tile: str) -> str:
    """The tile plus the product of two vectors, each given with its mask."""
    factor = vector_type(product.factor, product.factor_lanes)
    into = "" if product.ways == 1 else f" into {tile_type(product)}"
    given = f"{rows[0]}, {columns[0]} acc({tile}) masks({rows[1]}, {columns[1]})"
    return to.op(f"arm_sme.{_NAMES[product.ways]} {given} : {factor}, {factor}{into}", "tile")
