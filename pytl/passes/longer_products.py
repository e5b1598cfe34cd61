"""longer-products: a loop that adds products of slices of matrices to sums, as one product of all slices.

That is what is left of a loop over cooperative matrices whose sums are not stored as they are. A single product keeps
its sums in registers from the first term to the last. One that is added to zeros only does not need them.
"""

from __future__ import annotations

from ..ir.operation import Operation
from ..ir.types import compute_type
from ..ir.values import Function, Region, Value
from ..ops import Alloca, ArithBinary, For, Foreach, Gemm, Slice, Store, Subview
from ..ops.builder import Builder
from ..ops.constants import constant_of, is_constant
from ..ops.updates import TRANSPOSES
from ..ops.views import root_of
from ..process.records import dataclass
from .manager import Pass, register
from .targets.vector_forms import covers


@register
@dataclass(frozen=True)
class LongerProducts(Pass):
    """Makes one `gemm` of those that a loop over slices of the factors adds to a sum in local memory."""

    name = "longer-products"
    of_called = True

    def run(self, function: Function) -> None:
        _raise(function.body)


def _raise(region: Region) -> None:
    operations: list[Operation] = []
    for op in region.operations:
        for inner in op.regions:
            _raise(inner)
        for each in (_products(op) if isinstance(op, For) else None) or [op]:
            if isinstance(each, Gemm) and _is_sum(each):
                _start(each, operations)
            operations.append(each)
    region.operations = operations


def _start(op: Gemm, before: list[Operation]) -> None:
    """Let a product replace the zeros that its sum was just filled with."""
    fill = next((other for other in reversed(before) if not other.pure), None)
    if isinstance(fill, Foreach) and covers(fill, op.C):
        stores = [other for other in fill.body.operations if not other.pure]
        if len(stores) == 1 and isinstance(stores[0], Store) and _fills(stores[0], op.C, fill):
            before.remove(fill)
            op.beta = stores[0].data


def _fills(op: Store, tensor: Value, points: Foreach) -> bool:
    return op.tensor is tensor and list(op.indices) == points.variables and not op.flag and is_constant(op.data, 0)


def _products(op: For) -> list[Operation] | None:
    """What a loop is replaced by; None where it does something else."""
    products = [each for each in op.body.operations if isinstance(each, Gemm)]
    sums = {each.C for each in products if _is_sum(each)}
    read = {root_of(value) for each in products for value in (each.A, each.B)}
    if not products or len(sums) < len(products) or sums & read or op.carried:
        return None
    if not all(isinstance(each, Gemm) or each.pure for each in op.body.operations):
        return None
    steps = _Steps(op)
    factors = [
        (steps.factor(each.A, 1, each.transpose_a), steps.factor(each.B, 0, each.transpose_b)) for each in products
    ]
    if any(None in pair for pair in factors) or any(steps.vary(each.alpha, each.beta) for each in products):
        return None
    for each, (a, b) in zip(products, factors):
        each.A, each.B = a, b
        steps.builder.add(each)
    return steps.builder.operations


def _is_sum(op: Gemm) -> bool:
    """Whether a product is added to local memory, in which sums are not rounded."""
    element = op.C.type.element
    is_exact = compute_type(element) == element
    return is_constant(op.beta, 1) and not op.atomic and is_exact and isinstance(op.C.owner, Alloca)


class _Steps:
    """The steps of a loop, with the views that its body has."""

    def __init__(self, op: For) -> None:
        self.op = op
        self.builder = Builder(op.location)
        one = self.builder.one(op.variable.type)
        self.start, self.stop, self.step = (constant_of(value) for value in (op.start, op.stop, op.step or one))
        self._inside = {op.variable, *(value for each in op.body.operations for value in each.results)}

    def vary(self, *values: Value | int) -> bool:
        return any(value in self._inside for value in values)

    def factor(self, factor: Value, mode: int, transpose: str) -> Value | None:
        """All slices of a factor, where the steps have one after the other along the sum's mode."""
        view, along = factor.owner, 1 - mode if TRANSPOSES[transpose] else mode
        if not isinstance(view, Subview) or factor not in self._inside or self.vary(view.tensor):
            return None
        kept = [number for number, each in enumerate(view.slices) if each.keeps_mode]
        mine = view.slices[kept[along]]
        others = [bound for each in view.slices if each is not mine for bound in each.bounds]
        begin = self._begin(mine.offset)
        if begin is None or mine.size != self.step or self.vary(*others) or None in (self.start, self.stop):
            return None
        if self.stop <= self.start or (self.stop - self.start) % self.step:
            return None
        slices = [Slice(begin, self.stop - self.start) if each is mine else each for each in view.slices]
        return self.builder.add(Subview(view.location, None, tensor=view.tensor, slices=slices)).results[0]

    def _begin(self, offset: Value | int) -> Value | int | None:
        """The offset of the first slice, where offsets are the loop's variable, or that and the same number."""
        if offset is self.op.variable:
            return self.start
        added = getattr(offset, "owner", None)
        if not isinstance(added, ArithBinary) or added.variant != "add" or self.op.variable not in added.operands:
            return None
        other = added.b if added.a is self.op.variable else added.a
        return None if self.vary(other) else self.builder.arith("add", other, self.op.start)
