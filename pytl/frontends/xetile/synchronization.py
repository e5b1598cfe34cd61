"""The document's xegpu beside memory: named barriers, fences, and hints for the compiler."""

from __future__ import annotations

from typing import Any

from ...ir.types import ScalarType, UnknownType
from ...ops import Barrier
from ...ops.constants import constant_of
from . import rules
from .statement import Statement, of_statements
from .types import LANES, BarrierType
from .values import Lowered, NamedBarrier, Results

_FENCES = {
    "memory_kind": ("ugm", "ugml", "tgm", "slm"),
    "fence_op": ("none", "evict", "invalidate", "discard", "clean", "flushl3"),
    "fence_scope": ("group", "local", "tile", "gpu", "gpus", "system", "sysacq"),
}
_BOTH, _PRODUCER, _CONSUMER = 0, 1, 2


def alloc_nbarrier(st: Statement) -> Lowered:
    st.allowed()
    st.check_types(st.operands)
    count = constant_of(st.operand(0, ScalarType, "number"))
    if not isinstance(count, int) or count < 1:
        what = "is not known" if count is None else f"is {count}"
        st.report(rules.NBARRIER, f"the number of barriers {what}", help="write %n = arith.constant 1 : i8")
        count = 1
    st.writer.barriers = count
    return Results(st.location, [])


def create_nbarrier(st: Statement) -> Lowered:
    st.allowed("num_producers", "num_consumers")
    number, role = (constant_of(st.operand(n, ScalarType, "number")) for n in range(2))
    if len(st.types) == 3:
        st.report(rules.SPELLING, "there is a type without a value", st.type_locations[1])
        del st.types[1]
    st.check_types(st.operands)
    allocated = st.writer.barriers or 0
    if not isinstance(number, int) or not 0 <= number < allocated:
        which = "a barrier whose number is not known" if number is None else f"barrier {number}"
        st.report(rules.NBARRIER, f"{which} is created, and {allocated} are allocated")
    if role not in (_BOTH, _PRODUCER, _CONSUMER):
        st.report(rules.NBARRIER, "the role is not known" if role is None else f"the role is {role}")
        role = _BOTH
    subgroups = st.writer.items // LANES
    counts: list[Any] = [st.attributes.get(name) for name in ("num_producers", "num_consumers")]
    # each sub-group is both, or it is one of them
    if counts != [subgroups] * 2 and not (role != _BOTH and None not in counts and sum(counts) == subgroups):
        message = f"{counts[0]} sub-groups produce and {counts[1]} consume, and the work-group has {subgroups}"
        st.report(rules.NBARRIER, message)
    return Results(st.location, [NamedBarrier(role)])


def _barrier(st: Statement) -> NamedBarrier | None:
    st.check_types(st.operands)
    value = st.operand(0, (BarrierType, UnknownType), "nbarrier")
    return value if isinstance(value, NamedBarrier) else None


def nbarrier_arrive(st: Statement) -> Lowered:
    st.allowed()
    barrier = _barrier(st)
    # a sub-group that waits afterwards meets the others there
    if barrier is None or barrier.role != _PRODUCER:
        return Results(st.location, [])
    return Barrier(st.location, global_fence=True, local_fence=True)


def nbarrier_wait(st: Statement) -> Lowered:
    st.allowed()
    barrier = _barrier(st)
    if barrier is None or barrier.role == _PRODUCER:
        return Results(st.location, [])
    return Barrier(st.location, global_fence=True, local_fence=True)


def mfence(st: Statement) -> Lowered:
    """Barriers have the fences of both memories, and what a work-item reads is otherwise its own."""
    st.allowed(*_FENCES)
    for name, known in _FENCES.items():
        value = st.attributes.get(name, known[0])
        if value not in known:
            st.report(rules.FENCE, f"{name} is {value}", st.attribute_locations[name], f"it may be {', '.join(known)}")
    return Results(st.location, [])


def compile_hint(st: Statement) -> Lowered:
    if st.attributes == {"scheduling_barrier": True}:
        st.report(rules.SPELLING, "scheduling_barrier is hint = schedule_barrier", st.location)
    elif st.attributes != {"hint": "schedule_barrier"}:
        st.report(rules.COMPILER, f"the hint is {st.attributes.get('hint', 'not given')}")
    return Results(st.location, [])


HANDLERS = of_statements(
    {
        "xegpu.alloc_nbarrier": alloc_nbarrier,
        "xegpu.create_nbarrier": create_nbarrier,
        "xegpu.nbarrier_arrive": nbarrier_arrive,
        "xegpu.nbarrier_wait": nbarrier_wait,
        "xegpu.mfence": mfence,
        "xegpu.compile_hint": compile_hint,
    }
)
