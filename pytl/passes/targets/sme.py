"""Which collective instructions use vectors and tiles of Arm's Scalable Matrix Extension, and which of its products.

An instruction of the extension takes the outer product of two vectors and adds it to a tile of ZA. Where factors are
narrower than sums, two or four adjacent numbers of each vector belong to one row or column of the tile, and the
products of those are summed: a *group* of 2 or 4 steps of the sum at once.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from ...ir.operation import Operation
from ...ir.types import MemrefType, ScalarType, bf16, compute_type, f16, f32, f64, i8, i16, i32, i64
from ...ops.arith import ArithBinary, ArithUnary, Cast, Compare
from ...ops.blas import Axpby, Gemm, Gemv, Ger, Hadamard
from ...ops.constants import Constant, constant_of
from ...ops.control import For, If, Yield
from ...ops.math import Math
from ...ops.memory import Load, Store
from ...ops.regions import Foreach
from ...ops.sums import Cumsum, Sum
from ...ops.updates import TRANSPOSES, Update, is_transposed
from ...ops.views import Size
from ...process.records import dataclass
from ..analysis.uniformity import Variation, variation_of
from .vector_forms import has_vector_points, is_exponential

MAX_SCALE = 16
"""How many segments of 128 bits the longest vectors have."""
LINE_VECTORS = 4
"""Vectors that are one in code for instructions without an outer product, and terms that an iteration adds to each sum:
as many as an instruction of SME2 loads."""


@dataclass(frozen=True)
class Product:
    """An outer product: of numbers of the type `factor`, `ways` of which are summed up in one of the type `sum`."""

    factor: ScalarType
    ways: int
    sum: ScalarType

    @property
    def name(self) -> str:
        return next(name for name, product in PRODUCTS.items() if product == self)

    @property
    def lanes(self) -> int:
        """Rows of a tile, per 128 bits of the vector length."""
        return 16 // self.sum.size

    @property
    def factor_lanes(self) -> int:
        """Factors in a vector, per 128 bits of its length."""
        return 16 // self.factor.size


_F64 = Product(f64, 1, f64)
_F32 = Product(f32, 1, f32)
_F16 = Product(f16, 2, f32)
_BF16 = Product(bf16, 2, f32)
_I8 = Product(i8, 4, i32)
_I16 = Product(i16, 4, i64)
_I16_PAIRS = Product(i16, 2, i32)


PRODUCTS = {
    **{product.factor.name: product for product in (_F64, _F32, _F16, _BF16, _I8, _I16)},
    "i16 pairs": _I16_PAIRS,
}
"""The outer products by their names: the factors' type, and how many are summed up where there are several ways."""
OPTIONAL = ("f64", "i16", "i8", "bf16")
"""Factors of the products that some machines, or emulators of one, lack or have wrong."""


def product_for(a: ScalarType, b: ScalarType, target: ScalarType, without: Collection[str] = ()) -> Product | None:
    """The product that gives what the language demands of these element types; None where no product does.

    `without` names factors, of OPTIONAL, whose products are not to be used.

    Factors are promoted to the target's type, and f16 and bf16 are summed in f32. A product of f16 or bf16 is exact in
    f32, so that f16 and bf16 need no promotion first. Integers wrap around, so that a sum in a wider type may be
    truncated at the end.
    """
    wide = compute_type(target).component
    if wide == f64:
        return None if "f64" in without else _F64
    if wide == f32:
        if target.is_complex:
            return _F32
        halves = [p for p in (_F16, _BF16) if p.factor.name not in without]
        return next((p for p in halves if {a, b} <= {p.factor, i8}), _F32)
    if target.name == "index":
        return None
    if a == b == i8 and target != i64 and "i8" not in without:
        return _I8
    return _I16 if {a, b} <= {i8, i16} and "i16" not in without else None


def has_unit_stride(type_: MemrefType) -> bool:
    """Whether elements along the first mode are known to be adjacent, as a single one is, too."""
    return type_.order == 0 or type_.strides[0] == 1


def product_of(op: Update, without: Collection[str] = ()) -> Product | None:
    """The outer product that computes a gemm or a ger; None for all else."""
    if not isinstance(op, (Gemm, Ger)) or op.atomic or not has_unit_stride(op.updated.type):
        return None
    left, right = (getattr(op, name).type.element for name in op.factors)
    product = product_for(left, right, op.updated.type.element, without)
    if product is None or product.ways == 1 or isinstance(op, Gemm):
        return product
    # A ger has one step, so that a group of steps is filled up with zeros. Adding their products turns -0 into 0.
    # For integers the zeros are wasted work, and vectors are as fast.
    return _F32 if product.sum == f32 else None


def by_pairs(product: Product, op: Any) -> Product:
    """The product of a machine with SME2, which sums up products of i16 in i32 where no more of a sum is needed."""
    target = op.updated.type.element
    return _I16_PAIRS if product == _I16 and target.is_integer and target.size <= 4 else product


def is_along_sum(op: Update, name: str) -> bool:
    """Whether the first mode of a factor of a gemm, gemv, ger or sum is the one that is summed over."""
    if isinstance(op, Ger):
        return False
    return getattr(op, name).type.order == 1 or is_transposed(op, name) == (name == op.factors[0])


def is_vector_sum(op: Update) -> bool:
    """Whether a gemm, gemv, ger or sum has code by vectors, each of sums or of terms of one sum."""
    if not isinstance(op, (Gemm, Gemv, Ger, Sum)) or op.atomic:
        return False
    first, *others = op.factors
    if not all(has_unit_stride(getattr(op, name).type) for name in (first, op.target)):
        return False
    return not is_along_sum(op, first) or all(
        is_along_sum(op, name) and has_unit_stride(getattr(op, name).type) for name in others
    )


def is_elementwise(op: Update) -> bool:
    """Whether an axpby, a hadamard or a cumsum has code by vectors along the lines of its target."""
    if not isinstance(op, (Axpby, Cumsum, Hadamard)) or op.atomic or op.updated.type.order == 0:
        return False
    if isinstance(op, Cumsum) and op.mode == 0:
        return False  # each element needs the one before it
    if isinstance(op, Axpby) and TRANSPOSES[op.transpose] and op.A.type.order == 2:
        return False
    return all(has_unit_stride(getattr(op, name).type) for name in (*op.factors, op.target))


def lanes_of_points(op: Foreach) -> int:
    """How many points of a `foreach` make a vector, per 128 bits of its length; 0 where it has no vector code.

    A streaming function can't gather, so that memory is accessed along lines, and calls nothing of the C library.
    Branches become choices, or are executed under masks.
    """
    first, last = constant_of(op.start[0]), constant_of(op.stop[0])
    if first is not None and last is not None and last - first < 2:
        return 0
    variation = variation_of(op)
    inside = list(op.body.walk())
    accesses = [inner for inner in inside if isinstance(inner, (Load, Store)) and variation.vary(inner.indices)]
    if not accesses or not has_vector_points(op, variation):
        return 0
    if not all(_has_streaming_form(inner, variation) for inner in inside):
        return 0
    values = [value for inner in inside if variation.vary(inner.operands) for value in inner.results]
    stored = [inner.data for inner in accesses if isinstance(inner, Store)]
    # a variable plus a uniform number is for addresses only, unless it is stored
    numbers = [*(value for value in values if not variation.is_consecutive(value)), *stored]
    sizes = [compute_type(value.type.component).size for value in numbers if isinstance(value.type, ScalarType)]
    return int(16 // max(sizes, default=8))


def _has_streaming_form(op: Operation, variation: Variation) -> bool:
    """Whether an instruction that has a form for vectors of points has one for vectors of any length.

    Those of its regions are asked for by themselves.
    """
    if isinstance(op, For):
        return not variation.vary(op.bounds)
    if isinstance(op, (If, Yield)):
        return True
    if isinstance(op, (Load, Store)):
        if not variation.vary(op.indices):
            return isinstance(op, Load)
        first, *others = op.indices
        is_line = variation.is_consecutive(first) and not variation.vary(others)
        return is_line and has_unit_stride(op.tensor.type)
    if not variation.vary(op.operands):
        return isinstance(op, (ArithBinary, ArithUnary, Cast, Compare, Constant, Size))
    if isinstance(op, ArithBinary):
        # neither is an instruction for vectors of scalable length
        return not (op.variant == "rem" and isinstance(op.a.type, ScalarType) and op.a.type.is_floating)
    if isinstance(op, ArithUnary):
        return not (op.variant == "abs" and isinstance(op.a.type, ScalarType) and op.a.type.is_complex)
    if isinstance(op, Math):
        return is_exponential(op)
    return isinstance(op, (Cast, Compare))


def has_streaming_code(op: Any, without: Collection[str] = ()) -> bool:
    """Whether an instruction stays as it is, since there is code of vectors or tiles for it."""
    return product_of(op, without) is not None or is_vector_sum(op) or is_elementwise(op)
