"""Splits a parallel region at its barriers into several without any, where there is more than one sub-group.

Sub-groups execute independently between barriers, so one sub-group may do all its work before the next one begins.
"""

from __future__ import annotations

from collections.abc import Sequence

from ..ir.operation import Operation
from ..ir.types import CoopMatrixType, ScalarType, i32, index
from ..ir.values import Region, Value
from ..ops import Barrier, Cast, Parallel, SubgroupBuiltin
from ..ops.builder import Builder
from .analysis.uniformity import variation_among_items
from .splitting import OperationProperties, Splitter, take_builtins
from .work_item_regions import WorkItemRegion


class BetweenBarriers(Splitter):
    """The walk through a parallel region that is split this way; slots are indexed by lane and sub-group."""

    def __init__(self, op: Parallel, shape: Sequence[int]) -> None:
        super().__init__(Builder(op.location), shape)
        self._place: list[Value] = []
        for variant in ("subgroup_local_id", "subgroup_id"):
            number = SubgroupBuiltin(op.location, [i32], variant=variant)
            cast = Cast(op.location, [index], operand=number.result)
            self.repeat(number)
            self.repeat(cast)
            self._place.append(cast.result)
        for each in take_builtins(op.body):
            self.repeat(each)
            self.varying.add(each.result)
        for each in op.body.walk():
            values = [*each.results, *(value for region in each.regions for value in region.arguments)]
            # matrices exist in SPMD regions only
            self.varying.update(v for v in values if each.kind == "spmd" or isinstance(v.type, CoopMatrixType))
        self.varying = variation_among_items(op.body, self.varying, frozenset()).varying
        self.parallel = op

    def split(self) -> list[Operation]:
        """The regions between barriers, and what is executed once for all sub-groups."""
        return self.scope(self.builder, lambda: self.sequence(self.parallel.body.operations))

    def properties_of(self, op: Operation) -> OperationProperties:
        properties = super().properties_of(op)
        # each sub-group executes what it does as a whole, with the same operands too: it may add to memory
        properties.varies |= op.kind == "spmd"
        return properties

    def is_convergent(self, op: Operation) -> bool:
        return isinstance(op, Barrier)

    def write_convergent(self, op: Operation) -> None:
        pass  # the end of a region is a barrier, too

    def new_run(self) -> WorkItemRegion:
        location = self.builder.location
        return WorkItemRegion(Builder(location, self.builder), Builder(location, self.builder))

    def wrapped(self, run: WorkItemRegion) -> Operation:
        return Parallel(run.head.location, body=Region("spmd"))

    def position_in_group(self, run: WorkItemRegion) -> list[Value]:
        return [self._value_in(value, run) for value in self._place]

    def number(self, op: SubgroupBuiltin, type_: ScalarType, run: WorkItemRegion | None) -> Value:
        if run is None:
            return self.builder.zero(type_)
        again = SubgroupBuiltin(op.location, [i32], [op.result.name], variant=op.variant)
        return run.head.cast(run.head.add(again).results[0], type_)
