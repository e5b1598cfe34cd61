"""cpu-items: one work-item executes several work-groups of the language, one after the other, where they are small.

To begin a work-group takes a processor as long as some thousand multiply-adds. So a work-item gets as many work-groups as
make that little beside what they compute; which work-groups these are does not matter, for they are independent.
"""

from __future__ import annotations

from dataclasses import dataclass

from ..ir.operation import Operation
from ..ir.types import MemrefType, index
from ..ir.values import Function, Region, Value
from ..ir.verifier import STRATEGY
from ..ops import Builtin, For, Foreach, Gemm, Ger, Update, cpu
from ..ops.constants import constant_of
from ..ops.launch_defaults import IN_PARTS
from .manager import Pass, register
from .uses import replace_uses

ENOUGH = 32_000
"""Operations that a work-item shall have to do, about."""
MOST_ITEMS = 32
UNKNOWN = 8
"""What is taken for the trips of a loop that are known at run time only, and for sizes of tensors."""


@register
@dataclass(frozen=True)
class CpuItems(Pass):
    """Puts what a work-group does into a `cpu.items`, for as many work-groups as are worth it, or as it is told."""

    name = "cpu-items"
    items: int = 0

    def run(self, function: Function) -> None:
        attributes = function.attributes
        if attributes.get(STRATEGY) != "one-item" or attributes.get(IN_PARTS):
            return
        items = self.items or min(max(ENOUGH // max(operations_of(function.body), 1), 1), MOST_ITEMS)
        if items == 1 or any(isinstance(op, cpu.Items) for op in function.body.operations):
            return
        body = Region("collective", [Value(index, "group", function.location)], function.body.operations)
        _replace_group_id(body)
        function.body.operations = [
            cpu.Items(function.location, attributes={cpu.ITEMS: items}, body=body, rest=Region("collective"))
        ]


def _replace_group_id(body: Region) -> None:
    replaced: dict[Value, Value] = {}
    for op in list(body.walk()):
        if isinstance(op, Builtin) and op.variant == "group_id":
            body.arguments[0].name = op.result.name or body.arguments[0].name
            replaced[op.result] = body.arguments[0]
    replace_uses(body, replaced)
    _drop(body, replaced)


def _drop(region: Region, replaced: dict[Value, Value]) -> None:
    region.operations = [op for op in region.operations if not (op.results and op.results[0] in replaced)]
    for op in region.operations:
        for inner in op.regions:
            _drop(inner, replaced)


def operations_of(region: Region) -> int:
    """About how many operations on numbers a region does."""
    return sum(map(_operations, region.operations))


def _operations(op: Operation) -> int:
    if isinstance(op, Gemm):
        depth = op.A.type.shape[0 if op.transpose_a == "t" else 1]
        return 2 * _elements(op.C.type) * (depth if isinstance(depth, int) else UNKNOWN)
    if isinstance(op, Ger):
        return 2 * _elements(op.updated.type)
    if isinstance(op, Update):
        return 2 * max(_elements(getattr(op, name).type) for name in (*op.factors, op.target))
    trips = 1
    if isinstance(op, For):
        trips = _trips(op.start, op.stop)
    elif isinstance(op, Foreach):
        for start, stop in zip(op.start, op.stop):
            trips *= _trips(start, stop)
    return 1 + trips * sum(map(operations_of, op.regions))


def _trips(start: Value, stop: Value) -> int:
    first, last = constant_of(start), constant_of(stop)
    return UNKNOWN if first is None or last is None else max(last - first, 0)


def _elements(type_: MemrefType) -> int:
    count = 1
    for extent in type_.shape:
        count *= extent if isinstance(extent, int) else UNKNOWN
    return count
