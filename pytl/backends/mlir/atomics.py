"""Atomic accesses with a memory order, in MLIR's dialect of LLVM, at the address of an element.

Scopes are that of the whole machine. What is exchanged are bits, in a loop for what the processor has no instruction.
Where it exchanges whole words only, it is the aligned word that contains a number.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from ...ir.meanings import Meanings
from ...ir.types import ScalarType, compute_type
from ...mlir.text.builder import Builder, Value
from ...mlir.text.types import I1, I32, I64, Scalar
from ...ops import AtomicLoad, AtomicScaleAdd, AtomicStore, AtomicUpdate
from . import types
from .memory import Memory, Memref
from .numbers import Number, Numbers

RELAXED = "monotonic"
"""LLVM's word for what orders nothing else."""
_ORDERINGS = Meanings(
    "MLIR, memory orders",
    {
        "relaxed": RELAXED,
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
    """Writes atomic accesses. Indices are index values, in the language's order.

    With `of_words`, the processor has none to less than 32 bits.
    """

    def __init__(self, to: Builder, numbers: Numbers, memory: Memory, of_words: bool = False) -> None:
        self._to = to
        self._numbers = numbers
        self._memory = memory
        self._of_words = of_words

    def load(self, op: AtomicLoad, memref: Memref, indices: list[Value], hint: str) -> Number:
        type_, order = memref.type.element, _ordering(op)
        loaded = [self._load(type_, address, order) for address in self._memory.addresses(memref, indices)]
        return tuple(self._number(bits, type_, hint) for bits in loaded)

    def store(self, op: AtomicStore, value: Number, memref: Memref, indices: list[Value]) -> None:
        type_ = memref.type.element
        for part, address in zip(value, self._memory.addresses(memref, indices)):
            bits = self._bits(part, type_)
            if self._is_in_word(type_):
                self._exchange_in_word(type_, address, partial(_always, bits), _ordering(op))
                continue
            self._to.do("llvm.store", bits, address, ordering=_ordering(op), alignment=type_.component.size)

    def update(self, op: AtomicUpdate, value: Number, memref: Memref, indices: list[Value], hint: str) -> Number:
        return self.combine(op.combines, value, memref, indices, hint, _ordering(op))

    def combine(
        self, combines: str, value: Number, memref: Memref, indices: list[Value], hint: str, order: str = RELAXED
    ) -> Number:
        """Combine the parts of an element with those of a value; the element before."""
        type_, addresses = memref.type.element, self._memory.addresses(memref, indices)
        return tuple(
            self._update(combines, part, type_, address, order, hint) for part, address in zip(value, addresses)
        )

    def _update(self, combines: str, value: Value, type_: ScalarType, address: Value, order: str, hint: str) -> Value:
        if type_.is_integer and not self._is_in_word(type_):
            word, size = _OF_INTEGERS[combines], type_.component.size
            operands = address, self._bits(value, type_)
            before = self._to.op("llvm.atomicrmw", *operands, bin_op=word, ordering=order, alignment=size)
            return self._number(before, type_, hint)

        def combined(old: Value) -> Value:
            return self._numbers.binary(combines, (old,), (value,), type_.component)[0]

        return self._replace(type_, address, combined, order, hint)

    def scale_add(
        self, op: AtomicScaleAdd, value: Number, factor: Number, memref: Memref, indices: list[Value], hint: str
    ) -> Number:
        """Set an element to `value + factor * element`; of a complex number, the real part first."""
        type_, order = memref.type.element, _ordering(op)
        addresses = self._memory.addresses(memref, indices)
        wide = compute_type(type_.component)

        def scaled(by: Value, added: Value, old: Value) -> Value:
            product = self._numbers.binary("mul", (by,), (old,), wide)
            return self._numbers.binary("add", (added,), product, wide)[0]

        if not type_.is_complex:
            return (self._replace(type_, addresses[0], partial(scaled, factor[0], value[0]), order, hint),)
        minus = self._numbers.unary("neg", (factor[1],), wide)[0]

        def real(old: Value) -> Value:
            other = self._number(self._load(type_, addresses[1], RELAXED), type_, "v")
            return scaled(factor[0], scaled(minus, value[0], other), old)

        first = self._replace(type_, addresses[0], real, order, hint)
        added = scaled(factor[1], value[1], first)
        return (first, self._replace(type_, addresses[1], partial(scaled, factor[0], added), order, hint))

    def _replace(
        self, type_: ScalarType, address: Value, new_of_old: Callable[[Value], Value], order: str, hint: str
    ) -> Value:
        """Replace a number, or a part of one, by `new_of_old(it)`; gives what was replaced."""

        def new_bits(old: Value) -> Value:
            return self._bits(new_of_old(self._number(old, type_, "v")), type_)

        if self._is_in_word(type_):
            replaced = self._exchange_in_word(type_, address, new_bits, order)
        else:
            replaced = self._exchange(_bits_type(type_), address, new_bits, order)
        return self._number(replaced, type_, hint)

    def _exchange(self, type_: Scalar, address: Value, new_of_old: Callable[[Value], Value], order: str) -> Value:
        """Replace bits by `new_of_old(them)`, in a loop; gives what was replaced."""
        orders: dict[str, Any] = {"success_ordering": order, "failure_ordering": _ON_FAILURE.get(order, order)}
        with self._to.repeat(self._load_bits(type_, address, RELAXED), "before") as (old, replaced):
            exchanged = self._to.op(
                "llvm.cmpxchg", address, old, new_of_old(old), **orders, alignment=_width(type_) // 8
            )
            now = self._to.op("llvm.extractvalue", exchanged, type=type_, position=(0,))
            is_done = self._to.op("llvm.extractvalue", exchanged, type=I1, position=(1,))
            again = self._to.op("arith.xori", is_done, self._to.constant(True, I1))
            self._to.do("scf.condition", again, [now])
        return replaced

    def _load(self, type_: ScalarType, address: Value, order: str) -> Value:
        """The bits of a number, or of a part of one."""
        bits = _bits_type(type_)
        if not self._is_in_word(type_):
            return self._load_bits(bits, address, order)
        word, shift = self._word_around(address)
        return self._taken(self._load_bits(I32, word, order), shift, bits)

    def _load_bits(self, type_: Scalar, address: Value, order: str) -> Value:
        alignment = _width(type_) // 8
        return self._to.op("llvm.load", address, type=type_, hint="bits", ordering=order, alignment=alignment)

    # Numbers of less than 32 bits in the words that contain them.

    def _is_in_word(self, type_: ScalarType) -> bool:
        return self._of_words and type_.component.size < 4

    def _word_around(self, address: Value) -> tuple[Value, Value]:
        """The aligned word that contains an address, and by how many bits it is shifted there."""
        to = self._to
        number = to.op("llvm.ptrtoint", address, type=I64)
        word = to.op("arith.andi", number, to.constant(-4, I64))
        shift = to.op("arith.muli", to.op("arith.andi", number, to.constant(3, I64)), to.constant(8, I64))
        return to.op("llvm.inttoptr", word, type=address.type, hint="word"), to.op("arith.trunci", shift, type=I32)

    def _taken(self, word: Value, shift: Value, type_: Scalar) -> Value:
        """The bits of a word from one on."""
        return self._to.op("arith.trunci", self._to.op("arith.shrui", word, shift), type=type_, hint="bits")

    def _exchange_in_word(
        self, type_: ScalarType, address: Value, new_of_old: Callable[[Value], Value], order: str
    ) -> Value:
        """Replace bits by `new_of_old(them)`, in the word that contains them."""
        to, bits = self._to, _bits_type(type_)
        address, shift = self._word_around(address)
        own = to.op("arith.shli", to.constant((1 << _width(bits)) - 1, I32), shift)
        others = to.op("arith.xori", own, to.constant(-1, I32))

        def new_word(word: Value) -> Value:
            new = to.op("arith.extui", new_of_old(self._taken(word, shift, bits)), type=I32)
            return to.op("arith.ori", to.op("arith.andi", word, others), to.op("arith.shli", new, shift))

        return self._taken(self._exchange(I32, address, new_word, order), shift, bits)

    def _bits(self, value: Value, type_: ScalarType) -> Value:
        """A number, or a part of one, as the bits that memory has of it."""
        stored, bits = self._numbers.to_store(value, type_), _bits_type(type_)
        return stored if stored.type == bits else self._to.op("arith.bitcast", stored, type=bits, hint="bits")

    def _number(self, bits: Value, type_: ScalarType, hint: str) -> Value:
        element = types.element(type_)
        if bits.type != element:
            bits = self._to.op("arith.bitcast", bits, type=element, hint=hint)
        return self._numbers.loaded(bits, type_, hint)


def _bits_type(type_: ScalarType) -> Scalar:
    """The integers that have the bits of a number, or of a part of one."""
    return Scalar(f"i{8 * type_.component.size}")


def _always(new: Value, old: Value) -> Value:
    return new


def _width(type_: Scalar) -> int:
    """The bits of an integer."""
    return int(type_.name[1:])


def _ordering(op: AtomicLoad | AtomicStore | AtomicUpdate) -> str:
    """LLVM's words for the scope and the order."""
    return f"{_SCOPES[op.scope]}{_ORDERINGS[op.order]}"
