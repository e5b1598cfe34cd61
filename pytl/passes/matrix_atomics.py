"""What passes write for atomic accesses of matrices: that of one component, with the same scope and order."""

from __future__ import annotations

from collections.abc import Sequence

from ..ir.values import Value
from ..ops import (
    AtomicAdd,
    AtomicLoad,
    AtomicMax,
    AtomicMin,
    AtomicStore,
    AtomicUpdate,
    CooperativeMatrixAtomicAdd,
    CooperativeMatrixAtomicLoad,
    CooperativeMatrixAtomicMax,
    CooperativeMatrixAtomicMin,
    CooperativeMatrixAtomicStore,
    CooperativeMatrixAtomicUpdate,
    CooperativeMatrixLoad,
    CooperativeMatrixStore,
)
from ..ops.builder import Builder

_OF_ONE: dict[type, type[AtomicUpdate]] = {
    CooperativeMatrixAtomicAdd: AtomicAdd,
    CooperativeMatrixAtomicMin: AtomicMin,
    CooperativeMatrixAtomicMax: AtomicMax,
}


def load_component(builder: Builder, op: CooperativeMatrixLoad, memref: Value, indices: Sequence[Value]) -> Value:
    """Load a component from an element of a memref, as a load of its matrix does."""
    if not isinstance(op, CooperativeMatrixAtomicLoad):
        return builder.load(memref, indices)
    type_, order = memref.type.element, {"scope": op.scope, "order": op.order}
    return builder.add(AtomicLoad(op.location, [type_], tensor=memref, indices=list(indices), **order)).result


def store_component(
    builder: Builder, op: CooperativeMatrixStore, number: Value, memref: Value, indices: Sequence[Value]
) -> None:
    """Store a component in an element of a memref, as a store of its matrix does."""
    if not isinstance(op, CooperativeMatrixAtomicStore):
        builder.store(number, memref, indices, op.flag)
        return
    builder.add(
        AtomicStore(op.location, scope=op.scope, order=op.order, data=number, tensor=memref, indices=list(indices))
    )


def update_component(
    builder: Builder, op: CooperativeMatrixAtomicUpdate, number: Value, memref: Value, indices: Sequence[Value]
) -> Value:
    """Combine an element of a memref with a component, and give the element before."""
    parts = {"scope": op.scope, "order": op.order, "data": number, "tensor": memref, "indices": list(indices)}
    return builder.add(_OF_ONE[type(op)](op.location, [number.type], **parts)).result
