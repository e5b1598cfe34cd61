"""Atomic accesses to elements: operations of xegpu, or of LLVM where MLIR's pipeline goes on, and of local memory.

The dialect's updates have no memory order: a fence in front releases, and a fence behind acquires. It has none of less
than 32 bits, none that multiplies, and no scope beyond the device; what needs one is exchanged by operations of LLVM.
"""

from __future__ import annotations

from typing import Any

from ...ir.meanings import Meanings
from ...ir.operation import Operation
from ...ir.types import ScalarType
from ...mlir.text.builder import Builder, Value
from ...mlir.text.tree import of_dialect
from ...mlir.text.types import I1, INDEX, Vector
from ...ops import AtomicScaleAdd
from ...ops.atomics import ACQUIRES, RELEASES
from ...passes.targets.xe import Chip
from ..mlir import types
from .memory import POINTERS, GpuMemory, GpuMemref, descriptor

_INTEGERS = Meanings("xegpu, atomic updates of integers", {"add": "addi", "min": "mins", "max": "maxs"})
_FLOATS = Meanings("xegpu, atomic updates of floats", {"add": "addf", "min": "minnumf", "max": "maxnumf"})
_OF_LLVM = {"addi": "add", "mins": "min", "maxs": "max", "addf": "fadd", "minnumf": "fmin", "maxnumf": "fmax"}
_FENCE_SCOPES = Meanings("xegpu, scopes", {"device": "gpu", "work_group": "workgroup", "subgroup": "workgroup"})


def has_update(chip: Chip, op: Operation, type_: ScalarType) -> bool:
    """Whether the dialect has the atomic access to elements of a type that an instruction is."""
    is_seen_elsewhere = getattr(op, "scope", "") == "cross_device"
    return type_.component.name in chip.atomics and not (is_seen_elsewhere or isinstance(op, AtomicScaleAdd))


class Updates:
    """Writes atomic accesses to single elements. `lowerable` says that MLIR's pipeline to LLVM takes the text."""

    def __init__(self, to: Builder, memory: GpuMemory, lowerable: bool, has_local: bool) -> None:
        self._to = to
        self._memory = memory
        self._lowerable = lowerable
        self._kinds = ("global", "slm") if has_local else ("global",)

    def release(self, op: Any) -> None:
        """What stands in front of an access with this order."""
        if RELEASES[op.order]:
            self._fence(op.scope)

    def acquire(self, op: Any) -> None:
        """What stands behind an access with this order."""
        if ACQUIRES[op.order]:
            self._fence(op.scope)

    def _fence(self, scope: str) -> None:
        for kind in self._kinds:
            self._to.do("xegpu.fence", memory_kind=kind, fence_scope=_FENCE_SCOPES[scope])

    def read(self, memref: GpuMemref, at: Value, mask: Value | None, hint: str = "v") -> Value:
        """A number of memory: nothing is added to it, for the dialect has no atomic load."""
        zero = self._to.constant(0 if memref.type.element.is_integer else -0.0, types.element(memref.type.element))
        return self.update("add", zero, memref, at, mask, hint)

    def update(
        self, combines: str, value: Value, memref: GpuMemref, at: Value, mask: Value | None = None, hint: str = "before"
    ) -> Value:
        """Combine a number of memory with a value; the number before, or 0 where the mask is false."""
        element, kind = types.element(memref.type.element), _kind_of(combines, memref.type.element)
        if self._by_descriptor(memref):
            before = self._described(kind, value, memref, at, mask)
            number = self._to.op("vector.extract", before, type=element, hint=hint, position=[0])
            if mask is None:
                return number
            return self._to.op("arith.select", mask, number, self._memory.zero(element), hint=hint)
        if mask is None:
            return self._addressed(kind, value, memref, at, hint)
        zero = self._memory.zero(element)
        return self._memory.predicated(mask, lambda: self._addressed(kind, value, memref, at, hint), zero, hint)

    def add(self, value: Value, memref: GpuMemref, at: Value, mask: Value | None = None) -> None:
        """Add a value to a number of memory, whatever that was before."""
        kind = _kind_of("add", memref.type.element)
        if self._by_descriptor(memref):
            self._described(kind, value, memref, at, mask)
        elif mask is None:
            self._addressed(kind, value, memref, at, "before")
        else:
            with self._to.branch(mask):
                self._addressed(kind, value, memref, at, "before")

    def _by_descriptor(self, memref: GpuMemref) -> bool:
        return not memref.is_local and not self._lowerable

    def _addressed(self, kind: str, value: Value, memref: GpuMemref, at: Value, hint: str) -> Value:
        if memref.is_local:
            return self._to.op("memref.atomic_rmw", value, memref.value, at, hint=hint, kind=kind)
        address = self._memory.beyond(memref.value, memref.type, at)
        pointer = self._to.op("llvm.inttoptr", address, type=POINTERS["global"], hint="pointer")
        return self._to.op("llvm.atomicrmw", pointer, value, hint=hint, bin_op=_OF_LLVM[kind], ordering="monotonic")

    def _described(self, kind: str, value: Value, memref: GpuMemref, at: Value, mask: Value | None) -> Value:
        element = types.element(memref.type.element)
        active = mask or self._to.constant(True, I1)
        offsets, masks, values = (
            self._to.op("vector.broadcast", each, type=Vector((1,), of))
            for each, of in ((at, INDEX), (active, I1), (value, element))
        )
        descriptor_type = descriptor([1], element, of_dialect("xegpu.scatter_tdesc_attr"))
        scattered = self._to.op("xegpu.create_tdesc", memref.value, offsets, type=descriptor_type, hint="scattered")
        return self._to.op("xegpu.atomic_rmw", scattered, masks, values, hint="before", kind=kind)


def _kind_of(combines: str, type_: ScalarType) -> str:
    return (_INTEGERS if type_.is_integer else _FLOATS)[combines]
