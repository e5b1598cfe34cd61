"""Which products the matrix extension has, and which of them serves an instruction of the language.

An instruction takes the outer product of two vectors and adds it to a tile of ZA. Where factors are narrower than sums,
two or four adjacent numbers of each vector belong to one row or column of the tile, and the products of those are
summed: a *group* of 2 or 4 steps of the sum at once.
"""

from __future__ import annotations

from dataclasses import dataclass

from ...ir.types import ScalarType, bf16, computed_in, f16, f32, f64, i8, i16, i32, i64
from ..mlir.builder import Builder
from .vectors import vector_type


@dataclass(frozen=True)
class Product:
    """An outer product: of numbers of the type `factor`, `ways` of which are summed up in one of the type `sum`."""

    factor: ScalarType
    ways: int
    sum: ScalarType
    feature: str = "sme"
    """What a processor has to have."""

    @property
    def lanes(self) -> int:
        """Rows of a tile, for each 128 bits of the vector length."""
        return 16 // self.sum.size

    @property
    def factor_lanes(self) -> int:
        return 16 // self.factor.size

    @property
    def tile(self) -> str:
        return f"vector<[{self.lanes}]x[{self.lanes}]x{self.sum}>"

    def write(self, to: Builder, rows: tuple[str, str], columns: tuple[str, str], tile: str) -> str:
        """The tile plus the product of two vectors, each given with its mask."""
        factor = vector_type(self.factor, self.factor_lanes)
        name = {1: "outerproduct", 2: "fmopa_2way", 4: "smopa_4way"}[self.ways]
        into = "" if self.ways == 1 else f" into {self.tile}"
        given = f"{rows[0]}, {columns[0]} acc({tile}) masks({rows[1]}, {columns[1]})"
        return to.op(f"arm_sme.{name} {given} : {factor}, {factor}{into}", "tile")


_F64 = Product(f64, 1, f64, "sme-f64f64")
_F32 = Product(f32, 1, f32)
_F16 = Product(f16, 2, f32)
_BF16 = Product(bf16, 2, f32)
_I8 = Product(i8, 4, i32)
_I16 = Product(i16, 4, i64, "sme-i16i64")

PRODUCTS = (_F32, _F64, _F16, _BF16, _I8, _I16)


def product_for(a: ScalarType, b: ScalarType, target: ScalarType) -> Product | None:
    """The product that gives what the language demands of these element types; None where there is none.

    Factors are promoted to the target's type, and f16 and bf16 are summed in f32. A product of two halves is exact in
    f32, so that halves need no promotion before. Integers wrap around, so that what is summed in a wider type may be
    cut off at the end.
    """
    wide = computed_in(target).component
    if wide == f64:
        return _F64
    if wide == f32:
        if target.is_complex:
            return _F32
        return next((p for p in (_F16, _BF16) if {a, b} <= {p.factor, i8}), _F32)
    if target.name == "index":
        return None
    if a == b == i8 and target != i64:
        return _I8
    return _I16 if {a, b} <= {i8, i16} else None
