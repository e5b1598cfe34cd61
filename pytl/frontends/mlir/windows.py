"""Convolutions as products: for each element of the window, one of a part of the input and a part of the kernel."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from ...ir.values import Value
from ...mlir.affine import AffineMap
from ...mlir.affine.expressions import Dimension
from ...mlir.text import Memref
from ...process.records import dataclass
from . import affine_values
from .context import Context
from .structured import Structured, factors_of
from .values import Size, View
from .views import part


@dataclass(frozen=True)
class Windows:
    """An operation whose input is indexed by sums, as `x + k`: a product of plain indices for each value of the `k`."""

    linalg_op: Structured
    moving: tuple[int, ...]
    """The iterations over the window, and what else is summed up beside one iteration."""
    kept: tuple[tuple[int | None, ...], ...]
    """Of each index of each operand, the iteration that stays, if one does."""

    def at(self, ctx: Context, places: Mapping[int, Value]) -> Structured:
        """The product at a place of the window."""
        linalg_op = self.linalg_op
        rest = [d for d in range(len(linalg_op.iterators)) if d not in self.moving]
        operands: list[View] = []
        maps: list[AffineMap] = []
        names = tuple(f"d{d}" for d in range(len(rest)))
        for number, view in enumerate(linalg_op.operands):
            assert isinstance(view, View)
            stays = self.kept[number]
            operands.append(self._part(ctx, view, number, places))
            maps.append(AffineMap(names, (), tuple(Dimension(rest.index(d)) for d in stays if d is not None)))
        count = len(linalg_op.inputs)
        return replace(
            linalg_op,
            inputs=list(operands[:count]),
            outputs=operands[count:],
            maps=maps,
            iterators=[linalg_op.iterators[d] for d in rest],
            sizes=[linalg_op.sizes[d] for d in rest],
            numbers=[],
        )

    def _part(self, ctx: Context, view: View, number: int, places: Mapping[int, Value]) -> View:
        stays = self.kept[number]
        offsets: list[Size] = [0] * len(stays)
        sizes: list[Size] = list(view.sizes)
        for n, result in enumerate(self.linalg_op.maps[number].results):
            for d, factor in (factors_of(result) or {}).items():
                if d in places:
                    offset = affine_values.arith(ctx, "*", places[d], ctx.constant(factor))
                    offsets[n] = (
                        offset if offsets[n] == 0 else affine_values.arith(ctx, "+", ctx.value(offsets[n]), offset)
                    )
                else:
                    sizes[n] = self.linalg_op.sizes[d]
        kept = [n for n, d in enumerate(stays) if d is not None]
        if all(offset == 0 for offset in offsets):
            return view
        old = view.type
        shape = tuple(size if isinstance(size, int) else None for size in (sizes[n] for n in kept))
        type_ = Memref(shape, old.element, tuple(old.strides[n] for n in kept), None, old.space)
        return part(ctx, self.linalg_op.op, view, offsets, sizes, kept, type_)


def windows_of(linalg_op: Structured) -> Windows | None:
    """The windows of a product of two inputs; None where the first one has none, or they do not move by one element."""
    moving: list[int] = []
    for result in linalg_op.maps[0].results:
        if isinstance(result, Dimension):
            continue
        factors = factors_of(result)
        if factors is None or min(factors.values()) < 1:
            return None
        parallel = [d for d in factors if linalg_op.iterators[d] == "parallel"]
        if len(parallel) > 1 or any(factors[d] != 1 for d in parallel):
            return None
        moving += [d for d in factors if d not in parallel]
    others = [d for d, kind in enumerate(linalg_op.iterators) if kind != "parallel" and d not in moving]
    if not moving or not others:
        return None
    # one sum is that of the products: the longest
    largest = max(others, key=lambda d: (size if isinstance(size := linalg_op.sizes[d], int) else 0, d))
    moving += [d for d in others if d != largest]
    kept = [_kept(linalg_op, number, moving) for number in range(len(linalg_op.operands))]
    found = [each for each in kept if each is not None]
    return Windows(linalg_op, tuple(dict.fromkeys(moving)), tuple(found)) if len(found) == len(kept) else None


def _kept(linalg_op: Structured, number: int, moving: Sequence[int]) -> tuple[int | None, ...] | None:
    view = linalg_op.operands[number]
    if not isinstance(view, View) or not view.is_plain:
        return None
    kept: list[int | None] = []
    for result in linalg_op.maps[number].results:
        rest = [d for d in factors_of(result) or () if d not in moving]
        if len(rest) > 1:
            return None
        kept.append(rest[0] if rest else None)
    return tuple(kept)
