"""Factors of products of which a work-group has a copy in local memory, and what the copies are like.

A left factor whose rows lie apart is copied where that takes less time, and either factor where several blocks load it,
which the sub-groups of a work-group have. Local memory is what the device says.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ..ir.types import MemrefType
from ..ir.values import Function, Value
from ..ops import Alloca, Gemm
from ..ops.memory import bytes_of
from ..ops.updates import is_transposed
from ..process.records import dataclass
from .subgroup_shapes import Factor, extents_of, has_matrices, is_copied
from .targets.spmd import SpmdDevice


@dataclass(frozen=True)
class FactorCopy:
    """A copy of a matrix whose numbers along its first mode lie side by side; which of its modes the copy has first."""

    source: Value
    product: Gemm
    factor: Factor
    first: int

    @property
    def is_turned(self) -> bool:
        """Whether it is the transpose, so that neighbouring work-items store numbers that lie apart."""
        return self.first == 1


def copy_factors(
    function: Function, device: SpmdDevice, products: Sequence[Gemm], teams: Sequence[tuple[int, int]]
) -> dict[Alloca, FactorCopy]:
    """Give products copies of their factors where these take less time: by its memory, each copy that is to be made.

    `teams` are the sizes that sub-groups may have, each with how many share a work-group.
    """
    used = [op.result.type for op in function.walk_through_calls() if isinstance(op, Alloca)]
    left = device.local_bytes - sum(map(bytes_of, used))
    once = {*function.body.operations}
    copies: dict[Alloca, FactorCopy] = {}
    for op in products:
        for copy in _possible(op, device, teams):
            type_ = _type_of(copy, device)
            # in a loop, the next copy waits for what reads this one
            waits = 1 if op in once else 2
            if bytes_of(type_) > left or not is_copied(
                device, teams, extents_of(op), copy.factor, copy.is_turned, waits
            ):
                continue
            left -= bytes_of(type_)
            alloca = Alloca(op.location, [type_])
            copies[alloca] = copy
            if copy.factor == "A":
                op.A, op.transpose_a = alloca.result, "n"
            else:
                op.B, op.transpose_b = alloca.result, "n" if copy.first == _step_mode(op, "B") else "t"
    return copies


def _step_mode(op: Gemm, factor: Factor) -> int:
    """The mode of a factor that is summed over."""
    return int(is_transposed(op, factor)) if factor == "B" else 1 - int(is_transposed(op, factor))


def _possible(op: Gemm, device: SpmdDevice, teams: Sequence[tuple[int, int]]) -> Iterator[FactorCopy]:
    """The copies of a product's factors, each asked for when the one before is decided. All sizes are known."""
    if not all(value.type.is_static and value.type.count for value in (op.A, op.B, op.C)):
        return
    if op.A.type.strides[0] == 1:
        yield FactorCopy(op.A, op, "A", 1 - _step_mode(op, "A"))
    if device.has_broadcasts and op.B.type.strides[0] == 1:  # else a number is loaded for all work-items at once
        extents = extents_of(op)
        by_unit = all(has_matrices(device, size, extents) for size, _ in teams)
        yield FactorCopy(op.B, op, "B", _step_mode(op, "B") if by_unit else 0)


def _type_of(copy: FactorCopy, device: SpmdDevice) -> MemrefType:
    type_ = copy.source.type
    shape = type_.shape[copy.first], type_.shape[1 - copy.first]
    # an odd distance of columns on GPUs, whose neighbouring numbers of a row then are in different banks
    is_odd = copy.is_turned and not device.is_processor
    return MemrefType(type_.element, shape, (1, shape[0] | 1 if is_odd else shape[0]), "local")
