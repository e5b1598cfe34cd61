"""What the work-items of a sub-group do together, as calls of the device library."""

from __future__ import annotations

from ....diagnostics import PytlError, Rule
from ....ir.meanings import Meanings
from ....ir.operation import Operation
from ....ir.types import ScalarType
from ....ir.values import Function
from ....ops import SubgroupBroadcast, SubgroupBuiltin, SubgroupOperation
from ....ops.launch_defaults import subgroup_size
from . import scalars
from .strategy import OneItem, Strategy
from .writer import Writer

IN_FOREACH = Rule(
    "PYTL-3018",
    "a sub-group operation is not allowed in a foreach",
    "Execution model",
    explanation="All work-items of the sub-group must come to it, but the iterations of a foreach are dealt out to the "
    "work-items, some of which may have none.",
)


def required_size(function: Function, strategy: Strategy) -> int | None:
    """The sub-group size that a lowered function must be executed with; None where it does not depend on the size."""
    looks = not isinstance(strategy, OneItem) and any(op.kind == "spmd" for op in function.walk_through_calls())
    return subgroup_size(function) if looks else None


_BUILTINS = Meanings("generated source, builtin", {"subgroup_local_id": "subgroup_local_id()"})
"""subgroup_id is the execution strategy's."""
_OPERATIONS = Meanings(
    "generated source, operations of sub-groups",
    {
        f"{operation}.{variant}": f"{operation}_{variant}({{}}, {{}})"
        for operation in ("subgroup_add", "subgroup_max", "subgroup_min")
        for variant in ("reduce", "inclusive_scan", "exclusive_scan")
    },
)


def builtin(writer: Writer, op: SubgroupBuiltin) -> None:
    writer.assign(op.result, _BUILTINS[op.variant])


def exchange(writer: Writer, op: SubgroupBroadcast | SubgroupOperation, size: int) -> None:
    """A broadcast, reduction or scan over sub-groups of a size; f16 and bf16 are computed in f32 and rounded once."""
    type_ = op.a.type
    assert isinstance(type_, ScalarType)
    a = writer.scalar(op.a)
    if isinstance(op, SubgroupBroadcast):
        writer.assign(op.result, f"subgroup_broadcast({a}, {writer.scalar(op.local_id)})")
    else:
        writer.assign(op.result, scalars.rounded(_OPERATIONS[op.word].format(a, size), type_))


def refuse_in_foreach(op: Operation) -> None:
    raise PytlError.single(
        IN_FOREACH,
        "the iterations of a foreach are dealt out to the work-items, so they form no sub-groups",
        op.location,
        "use parallel, and find the work-item's place with builtin.subgroup_id and builtin.subgroup_local_id",
    )
