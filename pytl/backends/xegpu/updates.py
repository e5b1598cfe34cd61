"""Atomic accesses to elements: operations of xegpu, or of LLVM where MLIR's pipeline goes on, and of local memory.

The dialect's updates have no memory order: a fence in front releases, and a fence behind acquires.
"""

from __future__ import annotations

from typing import Any

from ...ir.meanings import Meanings
from ...ir.types import ScalarType
from ...ops.atomics import ACQUIRES, RELEASES
from ..mlir import types
from ..mlir.builder import Builder
from .memory import GpuMemory, Place

_INTEGERS = Meanings("xegpu, atomic updates of integers", {"add": "addi", "min": "mins", "max": "maxs"})
_FLOATS = Meanings("xegpu, atomic updates of floats", {"add": "addf", "min": "minnumf", "max": "maxnumf"})
_OF_LLVM = {"addi": "add", "mins": "min", "maxs": "max", "addf": "fadd", "minnumf": "fmin", "maxnumf": "fmax"}
_FENCE_SCOPES = Meanings("xegpu, scopes", {"device": "gpu", "work_group": "workgroup", "subgroup": "workgroup"})


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
            self._to.line(f"xegpu.fence memory_kind = {kind}, fence_scope = {_FENCE_SCOPES[scope]}")

    def read(self, place: Place, at: str, mask: str | None, hint: str = "v") -> str:
        """A number of memory: nothing is added to it, for the dialect has no atomic load."""
        zero = self._to.constant(0 if place.type.element.is_integer else -0.0, types.element(place.type.element))
        return self.update("add", zero, place, at, mask, hint)

    def update(
        self, combines: str, value: str, place: Place, at: str, mask: str | None = None, hint: str = "before"
    ) -> str:
        """Combine a number of memory with a value; the number before, or 0 where the mask is false."""
        element, kind = types.element(place.type.element), _kind_of(combines, place.type.element)
        if self._by_descriptor(place):
            found = self._described(kind, value, place, at, mask)
            number = self._to.op(f"vector.extract {found}[0] : {element} from vector<1x{element}>", hint)
            if mask is None:
                return number
            return self._to.op(f"arith.select {mask}, {number}, {self._memory.zero(element)} : {element}", hint)
        if mask is None:
            return self._addressed(kind, value, place, at, hint)
        zero = self._memory.zero(element)
        return self._memory.under(mask, element, lambda: self._addressed(kind, value, place, at, hint), zero, hint)

    def add(self, value: str, place: Place, at: str, mask: str | None = None) -> None:
        """Add a value to a number of memory, whatever that was before."""
        kind = _kind_of("add", place.type.element)
        if self._by_descriptor(place):
            self._described(kind, value, place, at, mask)
        elif mask is None:
            self._addressed(kind, value, place, at, "before")
        else:
            with self._to.block(f"scf.if {mask}"):
                self._addressed(kind, value, place, at, "before")

    def _by_descriptor(self, place: Place) -> bool:
        return not place.is_local and not self._lowerable

    def _addressed(self, kind: str, value: str, place: Place, at: str, hint: str) -> str:
        element = types.element(place.type.element)
        if place.is_local:
            return self._to.op(
                f"memref.atomic_rmw {kind} {value}, {place.name}[{at}] : ({element}, {place.flat}) -> {element}", hint
            )
        address = self._memory.beyond(place.name, place.type, at)
        pointer = self._to.op(f"llvm.inttoptr {address} : i64 to !llvm.ptr<1>", "pointer")
        return self._to.op(
            f"llvm.atomicrmw {_OF_LLVM[kind]} {pointer}, {value} monotonic : !llvm.ptr<1>, {element}", hint
        )

    def _described(self, kind: str, value: str, place: Place, at: str, mask: str | None) -> str:
        element = types.element(place.type.element)
        given = mask or self._to.constant(True, "i1")
        offsets, masks, values = (
            self._to.op(f"vector.broadcast {name} : {type_} to vector<1x{type_}>")
            for name, type_ in ((at, "index"), (given, "i1"), (value, element))
        )
        desc = f"!xegpu.tensor_desc<1x{element}, #xegpu.scatter_tdesc_attr<>>"
        tdesc = self._to.op(f"xegpu.create_tdesc {place.name}, {offsets} : i64, vector<1xindex> -> {desc}", "scattered")
        return self._to.op(
            f"xegpu.atomic_rmw {kind} {tdesc}, {masks}, {values} : {desc}, vector<1xi1>, vector<1x{element}> -> "
            f"vector<1x{element}>",
            "before",
        )


def _kind_of(combines: str, type_: ScalarType) -> str:
    return (_INTEGERS if type_.is_integer else _FLOATS)[combines]
