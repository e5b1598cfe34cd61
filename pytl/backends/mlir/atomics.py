"""Atomic accesses with a memory order, in MLIR's dialect of LLVM, at the address of an element.

Scopes are that of the whole machine. What is exchanged are bits, in a loop for what the processor has no instruction.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from ...ir.meanings import Meanings
from ...ir.types import ScalarType, compute_type
from ...ops import AtomicLoad, AtomicScaleAdd, AtomicStore, AtomicUpdate
from . import types
from .builder import Builder
from .memory import Memory, Memref
from .numbers import Number, Numbers

_ORDERINGS = Meanings(
    "MLIR, memory orders",
    {
        "relaxed": "monotonic",
        "acquire": "acquire",
        "release": "release",
        "acquire_release": "acq_rel",
        "sequentially_consistent": "seq_cst",
    },
)
_ON_FAILURE = {"release": "monotonic", "acq_rel": "acquire"}
"""The order of an exchange that does not take place; it is its own where none is listed."""
_SCOPES = Meanings("MLIR, scopes", {"cross_device": "", "device": "", "work_group": "", "subgroup": ""})
"""The scope of the whole machine, which is not written, has the narrower ones."""
_OF_INTEGERS = Meanings("MLIR, atomic updates", {"add": "add", "min": "min", "max": "max"})


class Atomics:
    """Writes atomic accesses. Indices are index values, in the language's order."""

    def __init__(self, to: Builder, numbers: Numbers, memory: Memory) -> None:
        self._to = to
        self._numbers = numbers
        self._memory = memory

    def load(self, op: AtomicLoad, memref: Memref, indices: list[str], hint: str) -> Number:
        type_, order = memref.type.element, _ordering(op)
        found = [self._load(type_, place, order) for place in self._memory.addresses(memref, indices)]
        return tuple(self._number(bits, type_, hint) for bits in found)

    def store(self, op: AtomicStore, value: Number, memref: Memref, indices: list[str]) -> None:
        type_ = memref.type.element
        for part, place in zip(value, self._memory.addresses(memref, indices)):
            bits, text = self._bits(part, type_), _bits_type(type_)
            self._to.line(f"llvm.store {bits}, {place} atomic {_ordering(op)} {_aligned(type_)} : {text}, !llvm.ptr")

    def update(self, op: AtomicUpdate, value: Number, memref: Memref, indices: list[str], hint: str) -> Number:
        type_, order = memref.type.element, _ordering(op)
        places = self._memory.addresses(memref, indices)
        return tuple(self._update(op.combines, part, type_, place, order, hint) for part, place in zip(value, places))

    def _update(self, combines: str, value: str, type_: ScalarType, place: str, order: str, hint: str) -> str:
        if type_.is_integer:
            bits, word = self._bits(value, type_), _OF_INTEGERS[combines]
            form = f"{_aligned(type_)} : !llvm.ptr, {_bits_type(type_)}"
            return self._number(self._to.op(f"llvm.atomicrmw {word} {place}, {bits} {order} {form}"), type_, hint)

        def combined(old: str) -> str:
            return self._numbers.binary(combines, (old,), (value,), type_.component)[0]

        return self._replace(type_, place, combined, order, hint)

    def scale_add(
        self, op: AtomicScaleAdd, value: Number, factor: Number, memref: Memref, indices: list[str], hint: str
    ) -> Number:
        """Set an element to `value + factor * element`; of a complex number, the real part first."""
        type_, order = memref.type.element, _ordering(op)
        places = self._memory.addresses(memref, indices)
        wide = compute_type(type_.component)

        def scaled(by: str, added: str, old: str) -> str:
            product = self._numbers.binary("mul", (by,), (old,), wide)
            return self._numbers.binary("add", (added,), product, wide)[0]

        if not type_.is_complex:
            return (self._replace(type_, places[0], partial(scaled, factor[0], value[0]), order, hint),)
        minus = self._numbers.unary("neg", (factor[1],), wide)[0]

        def real(old: str) -> str:
            other = self._number(self._load(type_, places[1], "monotonic"), type_, "v")
            return scaled(factor[0], scaled(minus, value[0], other), old)

        first = self._replace(type_, places[0], real, order, hint)
        added = scaled(factor[1], value[1], first)
        return (first, self._replace(type_, places[1], partial(scaled, factor[0], added), order, hint))

    def _replace(self, type_: ScalarType, place: str, new_of_old: Callable[[str], str], order: str, hint: str) -> str:
        """Replace a number, or a part of one, by `new_of_old(it)`; gives what was replaced."""
        text = _bits_type(type_)
        first = self._load(type_, place, "monotonic")
        old, seen = self._to.fresh("old"), self._to.fresh("seen")
        found = self._to.fresh("before")
        with self._to.block(
            f"{found} = scf.while ({old} = {first}) : ({text}) -> {text}",
            f"do {{ ^bb0({seen}: {text}): scf.yield {seen} : {text} }}",
        ):
            bits = self._bits(new_of_old(self._number(old, type_, "v")), type_)
            exchanged = self._to.op(
                f"llvm.cmpxchg {place}, {old}, {bits} {order} {_ON_FAILURE.get(order, order)} {_aligned(type_)}"
                f" : !llvm.ptr, {text}"
            )
            now = self._to.op(f"llvm.extractvalue {exchanged}[0] : !llvm.struct<({text}, i1)>")
            is_done = self._to.op(f"llvm.extractvalue {exchanged}[1] : !llvm.struct<({text}, i1)>")
            again = self._to.op(f"arith.xori {is_done}, {self._to.constant(True, 'i1')} : i1")
            self._to.line(f"scf.condition({again}) {now} : {text}")
        return self._number(found, type_, hint)

    def _load(self, type_: ScalarType, place: str, order: str) -> str:
        return self._to.op(
            f"llvm.load {place} atomic {order} {_aligned(type_)} : !llvm.ptr -> {_bits_type(type_)}", "bits"
        )

    def _bits(self, value: str, type_: ScalarType) -> str:
        """A number, or a part of one, as the bits that memory has of it."""
        stored, element, text = self._numbers.to_store(value, type_), types.element(type_), _bits_type(type_)
        return stored if element == text else self._to.op(f"arith.bitcast {stored} : {element} to {text}", "bits")

    def _number(self, bits: str, type_: ScalarType, hint: str) -> str:
        element, text = types.element(type_), _bits_type(type_)
        if element != text:
            bits = self._to.op(f"arith.bitcast {bits} : {text} to {element}", hint)
        return self._numbers.loaded(bits, type_, hint)


def _bits_type(type_: ScalarType) -> str:
    """The integers that have the bits of a number, or of a part of one."""
    return f"i{8 * type_.component.size}"


def _aligned(type_: ScalarType) -> str:
    return f"{{alignment = {type_.component.size} : i64}}"


def _ordering(op: AtomicLoad | AtomicStore | AtomicUpdate) -> str:
    """LLVM's words for the scope and the order."""
    return f"{_SCOPES[op.scope]}{_ORDERINGS[op.order]}"
