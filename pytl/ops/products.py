"""Which instruction computes a product or sum of tensors whose modes have letters for their indices."""

from __future__ import annotations

from typing import Any

from ..ir.types import ScalarType, promotable, promote
from ..ir.values import Value
from ..process.records import dataclass
from .blas import Axpby, Gemm, Gemv, Ger
from .builder import Builder
from .contraction import IndexedAxpby, IndexedSum, LoopOverGemm
from .index_notation import IndexMap
from .sums import Sum

LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"


@dataclass(frozen=True)
class Indexed:
    """A memref, and the index of each of its modes."""

    tensor: Value
    indices: str

    @property
    def element(self) -> ScalarType:
        element: ScalarType = self.tensor.type.element
        return element


def fits(target: ScalarType, *factors: ScalarType) -> ScalarType | None:
    """The type of a product of factors that is summed up in a target's type; None where it is not promotable."""
    wide: ScalarType | None = factors[0]
    for each in factors[1:]:
        wide = None if wide is None else promote(wide, each)
    return wide if wide is not None and promotable(wide, target) else None


def is_product(a: str, b: str, c: str) -> bool:
    """Whether there is an instruction for the product with these indices: each is in two or three of the operands."""
    once = all(len(set(each)) == len(each) for each in (a, b, c))
    return once and all(sum(letter in each for each in (a, b, c)) > 1 for letter in a + b + c)


def product(builder: Builder, A: Indexed, B: Indexed, C: Indexed, alpha: Value, beta: Value) -> None:
    """Write `C := alpha ∑ A B + beta C`, over the indices that C has not."""
    known: dict[str, Any] = {"alpha": alpha, "beta": beta}
    c = C.indices
    if len(c) == 2 and c[0] in B.indices and c[1] in A.indices:
        A, B = B, A
    a, b = A.indices, B.indices
    location = builder.location
    if (len(a), len(b), len(c)) == (2, 2, 2) and c[0] in a and c[1] in b and c[1] not in a and c[0] not in b:
        turned: dict[str, Any] = {
            "transpose_a": "n" if a[0] == c[0] else "t",
            "transpose_b": "n" if b[1] == c[1] else "t",
        }
        builder.add(Gemm(location, None, A=A.tensor, B=B.tensor, C=C.tensor, **turned, **known))
    elif sorted((len(a), len(b))) == [1, 2] and len(c) == 1 and c not in (a, b):
        if len(a) == 1:
            a, A, B = b, B, A
        transpose: Any = "n" if a[0] == c else "t"
        builder.add(Gemv(location, None, transpose=transpose, A=A.tensor, b=B.tensor, c=C.tensor, **known))
    elif (len(a), len(b)) == (1, 1) and c == a + b:
        builder.add(Ger(location, None, a=A.tensor, b=B.tensor, C=C.tensor, **known))
    else:
        map_ = IndexMap.of(a, b, c)
        builder.add(LoopOverGemm(location, None, map=map_, A=A.tensor, B=B.tensor, C=C.tensor, **known))


def summed(builder: Builder, A: Indexed, B: Indexed, alpha: Value, beta: Value) -> None:
    """Write `B := alpha ∑ A + beta B`, over the indices that B has not."""
    known: dict[str, Any] = {"alpha": alpha, "A": A.tensor, "beta": beta}
    if (len(A.indices), len(B.indices)) in ((1, 0), (2, 1)):
        transpose: Any = "t" if A.indices[1:] and A.indices[1:] == B.indices else "n"
        builder.add(Sum(builder.location, None, transpose=transpose, b=B.tensor, **known))
    else:
        map_ = IndexMap.of(A.indices, B.indices)
        builder.add(IndexedSum(builder.location, None, map=map_, B=B.tensor, **known))


def added(builder: Builder, A: Indexed, B: Indexed, alpha: Value, beta: Value) -> None:
    """Write `B := alpha A + beta B`, whose indices are the same in any order."""
    known: dict[str, Any] = {"alpha": alpha, "A": A.tensor, "beta": beta, "B": B.tensor}
    if len(B.indices) <= 2 and A.indices in (B.indices, B.indices[::-1]):
        transpose: Any = "n" if A.indices == B.indices else "t"
        builder.add(Axpby(builder.location, None, transpose=transpose, **known))
    else:
        builder.add(IndexedAxpby(builder.location, None, map=IndexMap.of(A.indices, B.indices), **known))
