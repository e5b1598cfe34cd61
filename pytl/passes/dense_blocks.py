"""dense-blocks: products with factors of a known pattern, as products of the blocks that are not wholly zero.

Terms of the sums that are zero for all rows and columns are left out: a product becomes one of shorter sums, or several
that are added up. Rows and columns of the result to which nothing is added are left out, too, but not in vector code,
which sums several products in one register tile, and finds what is zero in each (`vectors/products.py`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from ..ir.clone import clone_operation
from ..ir.operation import Operation
from ..ir.values import Function, Region, Value
from ..ops import Alloca, Gemm, Gemv, Slice, Subview
from ..ops.builder import Builder
from ..ops.constants import is_constant
from ..ops.updates import TRANSPOSES
from ..process.records import dataclass
from .analysis.terms import Terms
from .manager import Pass, register
from .targets.strategies import STRATEGY

SHORTEST_GAP = 8
"""Terms that are zero between others for which a sum is divided: each part reads and writes the result."""


@register
@dataclass(frozen=True)
class DenseBlocks(Pass):
    """Makes products of dense blocks of those whose factors have patterns."""

    name = "dense-blocks"
    of_called = True

    def run(self, function: Function) -> None:
        _divide(function.body, function.attributes.get(STRATEGY) == "one-item")


def _divide(region: Region, in_tiles: bool) -> None:
    operations: list[Operation] = []
    for op in region.operations:
        for inner in op.regions:
            _divide(inner, in_tiles)
        blocks = _blocks(op, in_tiles) if isinstance(op, (Gemm, Gemv)) else None
        operations += [op] if blocks is None else blocks
    region.operations = operations


def _blocks(op: Gemm | Gemv, in_tiles: bool) -> list[Operation] | None:
    """What a product is replaced by; None where it stays."""
    terms = Terms.of(op)
    if terms is None:
        return None
    adds = is_constant(op.beta, 1)
    parts = list(_parts(terms.used))
    if not parts:
        return [] if adds else None
    if op.atomic:
        parts = [range(parts[0].start, parts[-1].stop)]
    rows, columns = (
        _hull(entries, terms.used) if adds and not in_tiles else range(len(entries))
        for entries in (terms.rows, terms.columns)
    )
    if in_tiles and isinstance(op.A.owner, Alloca):
        return None  # it may stay in registers
    if (len(rows), len(columns), parts) == (len(terms.rows), len(terms.columns), [range(terms.depth)]):
        return None
    builder = Builder(op.location)
    for number, part in enumerate(parts):
        block: Any = clone_operation(op, {})
        _cut(builder, block, rows, columns, part)
        if number:
            block.beta = builder.one(op.beta.type)
        builder.add(block)
    return builder.operations


def _parts(used: int) -> Iterator[range]:
    """Ranges of terms that have those which are used, and few between them."""
    first = last = None
    for k in range(used.bit_length()):
        if not used >> k & 1:
            continue
        if first is not None and last is not None and k - last > SHORTEST_GAP:
            yield range(first, last + 1)
            first = None
        first, last = k if first is None else first, k
    if first is not None and last is not None:
        yield range(first, last + 1)


def _hull(entries: Sequence[int], used: int) -> range:
    """The rows or columns from the first to the last with any of the terms that are used."""
    found = [position for position, terms in enumerate(entries) if terms & used]
    return range(found[0], found[-1] + 1)


def _cut(builder: Builder, op: Operation, rows: range, columns: range, terms: range) -> None:
    """Let a product have some rows, columns and terms alone."""
    if isinstance(op, Gemm):
        op.A = _part(builder, op.A, rows, terms, op.transpose_a)
        op.B = _part(builder, op.B, terms, columns, op.transpose_b)
        op.C = _part(builder, op.C, rows, columns, "n")
    elif isinstance(op, Gemv):
        op.A = _part(builder, op.A, rows, terms, op.transpose)
        op.b = _part(builder, op.b, terms, None, "n")
        op.c = _part(builder, op.c, rows, None, "n")


def _part(builder: Builder, tensor: Value, rows: range, columns: range | None, transpose: str) -> Value:
    """A view on some rows and columns of a matrix, or on some elements of a vector."""
    ranges = [rows] if columns is None else [columns, rows] if TRANSPOSES[transpose] else [rows, columns]
    if [len(each) for each in ranges] == list(tensor.type.shape):
        return tensor
    slices = [Slice(each.start, len(each)) for each in ranges]
    return builder.add(Subview(builder.location, None, tensor=tensor, slices=slices)).results[0]
