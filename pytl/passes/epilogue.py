"""Epilogues: what is done to each element of a product's result while tiles of the result are in registers."""

from __future__ import annotations

from ..ops import Foreach, Gemm, Load, Store
from ..ops.constants import constant_of
from ..ops.views import root_of


def follows(op: Foreach, product: Gemm) -> bool:
    """Whether a `foreach` is an epilogue of a product: it covers exactly the product's result, element by element.

    The `foreach` may read other arrays. It writes the result only: the product may still have to read other memory.
    """
    target = product.C
    bounds = [(constant_of(a), constant_of(b)) for a, b in zip(op.start, op.stop)]
    if bounds != [(0, extent) for extent in target.type.shape]:
        return False
    touches = False
    for inner in op.body.walk():
        if isinstance(inner, (Load, Store)):
            is_target = inner.tensor is target
            if is_target and list(inner.indices) != op.variables:
                return False
            if not is_target and (isinstance(inner, Store) or root_of(inner.tensor) is root_of(target)):
                return False
            touches |= is_target
        elif target in inner.operands:
            return False
    return touches
