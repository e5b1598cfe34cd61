"""The rounding errors of products in vectors, by multiply-adds that are rounded once.

The language has no such instruction: the library divides both factors into halves, whose products are exact, in 17
instructions (`two_product`). A multiply-add gives the same number in one. The error of a product is known by its shape,
for where a factor is a constant, its halves are constants, too.
"""

from __future__ import annotations

from ...ir.operation import Operation
from ...ir.types import f64
from ...ir.values import Region, Value
from ...ops.arith import ArithBinary
from ...ops.constants import constant_of
from ...process.records import dataclass
from ..targets.machine import Machine
from .library import Known, needless_for

_SPLITTER = 2.0**27 + 1
"""What an f64 is multiplied by, of which 26 bits are then left."""


@dataclass(frozen=True)
class ProductError(Known):
    """The error of a product that a region computes; its argument is the product."""

    factors: tuple[Value, Value]


def product_errors(region: Region, machine: Machine | None) -> list[ProductError]:
    """Those that a region computes in the library's way, where a processor has an instruction for it."""
    if machine is None or not machine.has_vector_extensions:
        return []
    found = []
    for op in region.operations:
        product = _product(op)
        if product is not None:
            factors = (product.a, product.b)
            found.append(ProductError(product.result, op, needless_for(region, op, product.result), factors))
    return found


def _product(last: Operation) -> ArithBinary | None:
    """The product whose error an instruction gives: ((ah bh - p) + ah bt + at bh) + at bt."""
    tails = _parts(last, "add", 1)
    tail_by_head = _parts(tails[0], "add", 1) if tails else None
    head_by_tail = _parts(tail_by_head[0], "add", 1) if tail_by_head else None
    heads = _parts(head_by_tail[0], "sub", 0) if head_by_tail else None
    if tails is None or tail_by_head is None or head_by_tail is None or heads is None:
        return None
    (a_tail, b_tail), (a_head, b_head), product = tails[1:], heads[1:], heads[0]
    # both are one product where a number is multiplied by itself
    crossed = {frozenset(tail_by_head[1:]), frozenset(head_by_tail[1:])}
    if crossed != {frozenset((a_tail, b_head)), frozenset((a_head, b_tail))}:
        return None
    if not isinstance(product, ArithBinary) or product.variant != "mul":
        return None
    is_divided = _are_halves(product.a, a_head, a_tail) and _are_halves(product.b, b_head, b_tail)
    return product if is_divided else None


def _parts(op: Operation | None, variant: str, place: int) -> tuple[Operation | None, Value, Value] | None:
    """Of a sum or difference with a product in one place: what gives the other operand, and the product's factors."""
    if not isinstance(op, ArithBinary) or op.variant != variant or op.result.type != f64:
        return None
    product, other = (op.b, op.a) if place else (op.a, op.b)
    owner = product.owner
    if not isinstance(owner, ArithBinary) or owner.variant != "mul":
        return None
    return other.owner, owner.a, owner.b


def _are_halves(a: Value, head: Value, tail: Value) -> bool:
    """Whether two numbers are the upper bits of an f64, and the rest of it."""
    known = constant_of(a)
    if known is not None:
        upper, lower = constant_of(head), constant_of(tail)
        return upper is not None and lower is not None and upper + lower == known
    rest, upper_bits = tail.owner, head.owner
    if not _is(rest, "sub", a, head) or not isinstance(upper_bits, ArithBinary) or upper_bits.variant != "sub":
        return False
    scaled = upper_bits.a.owner
    if not isinstance(scaled, ArithBinary) or scaled.variant != "mul" or constant_of(scaled.a) != _SPLITTER:
        return False
    return scaled.b is a and _is(upper_bits.b.owner, "sub", scaled.result, a)


def _is(op: Operation | None, variant: str, a: Value, b: Value) -> bool:
    return isinstance(op, ArithBinary) and op.variant == variant and op.a is a and op.b is b
