"""vector, and constants that are vectors."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import product
from math import prod
from typing import Any

from ....mlir.text import Operation, Vector
from ....mlir.text.tree import Dense
from ....mlir.text.types import INDEX
from ..tree_writer import Extent
from ..vector_forms import CONTRACTED, MOVED, PLACED, contraction, divided, transfer
from .flattening import INTERPRETED, Flattening, Memory, handles

_MAX_LITERALS = 512
"""Numbers of a constant that are written one after the other."""


@handles("arith.constant")
def constant(self: Flattening, op: Operation) -> None:
    value, type_ = op.attributes.get("value"), op.result_types[0]
    if not isinstance(type_, Vector):
        self.out.append(op)
        if isinstance(value, int) and type_ == INDEX and op.results:
            self.known[op.results[0]] = value
        return
    if not isinstance(value, Dense):
        self.fail(op, "a vector's constant is dense<…>")
    memory = self.new(op)
    if not isinstance(value.values, tuple):
        number = self.number(value.values, type_.element)
        self.fill(memory, lambda at: number)
        return
    if prod(type_.shape) > _MAX_LITERALS:
        self.fail(op, f"it has more than {_MAX_LITERALS} numbers", "compute it, or load it")
    for place in product(*map(range, type_.shape)):
        literal: Any = value.values
        for index in place:
            literal = literal[index]
        self.store(self.number(literal, type_.element), memory, place)


# Elements.


@handles(*MOVED)
def moved(self: Flattening, op: Operation) -> None:
    """Elements of an operand, in other places."""
    of = MOVED[op.name](op, self.mixed(op, "static_position", op.operands[1:]))

    def value(at: Sequence[Extent]) -> str:
        return self.load(self.vector(op, 0), of(self.arith, at)) if op.operands[0] in self.buffers else op.operands[0]

    self.give(op, value)


@handles(*PLACED)
def placed(self: Flattening, op: Operation) -> None:
    """A vector with a part that is put into it."""
    of = PLACED[op.name](op, self.mixed(op, "static_position", op.operands[2:]))
    memory = self.new(op)
    self.copy(self.vector(op, 1), memory)
    if not isinstance(op.operand_types[0], Vector):
        self.store(op.operands[0], memory, of(self.arith, ()))
        return
    part = self.vector(op, 0)
    self.parallel(part.shape, lambda at: self.store(self.load(part, at), memory, of(self.arith, at)))


@handles("vector.shuffle")
def shuffle(self: Flattening, op: Operation) -> None:
    (a, b), memory = (self.vector(op, number) for number in range(2)), self.new(op)
    first = a.shape[0]
    for place, number in enumerate(op.attributes["mask"]):
        source, at = (a, number) if number < first else (b, number - first)

        def write(rest: list[str], source: Memory = source, at: int = at, place: int = place) -> None:
            self.store(self.load(source, [at, *rest]), memory, [place, *rest])

        self.parallel(memory.shape[1:], write)


@handles("vector.from_elements")
def from_elements(self: Flattening, op: Operation) -> None:
    memory = self.new(op)
    for value, place in zip(op.operands, product(*map(range, memory.shape))):
        self.store(value, memory, place)


@handles("vector.to_elements")
def to_elements(self: Flattening, op: Operation) -> None:
    source = self.vector(op, 0)
    for name, place in zip(op.results, product(*map(range, source.shape))):
        self.load(source, place)
        self.out[-1].results = [name]


@handles("vector.step")
def step(self: Flattening, op: Operation) -> None:
    self.fill(self.new(op), lambda at: at[0])


@handles("vector.create_mask", "vector.constant_mask")
def create_mask(self: Flattening, op: Operation) -> None:
    sizes = op.operands or op.attributes["mask_dim_sizes"]
    self.fill(self.new(op), lambda at: self.all_of([self.compare("slt", *each) for each in zip(at, sizes)]))


@handles("vector.fma")
def fma(self: Flattening, op: Operation) -> None:
    inputs, memory = [self.vector(op, number) for number in range(3)], self.new(op)
    self.fill(memory, lambda at: self.same("math.fma", [self.load(each, at) for each in inputs], memory.element))


@handles("vector.bitcast")
def bitcast(self: Flattening, op: Operation) -> None:
    given, memory = self.vector(op, 0), self.new(op)
    if given.shape != memory.shape:
        self.fail(op, f"{given.element} and {memory.element} have other numbers of bits", INTERPRETED)
    types = [given.element], [memory.element]
    self.fill(memory, lambda at: self.emit("arith.bitcast", [self.load(given, at)], *types))


@handles(*CONTRACTED)
def contract(self: Flattening, op: Operation) -> None:
    """Products of elements, or elements alone, summed over the indices that the result has not."""
    form = contraction(op)
    count, element = len(form.indices) - 1, form.element
    summed, extents = form.summed, [form.sizes[d] for d in form.summed]

    def operand(number: int, place: Sequence[Extent]) -> str:
        if not isinstance(op.operand_types[number], Vector):
            return op.operands[number]
        vector = self.vector(op, number)
        return self.widened(self.load(vector, place), vector.element, element)

    def value(at: Sequence[Extent]) -> str:
        def factors(number: Extent) -> str:
            iterations = {**dict(zip(form.indices[-1], at)), **dict(zip(summed, divided(self.arith, number, extents)))}
            found = [operand(n, form.place(n, iterations)) for n in range(count)]
            return found[0] if count == 1 else self.same(f"arith.mul{'f' if element.is_float else 'i'}", found, element)

        def joined(number: str, carried: str) -> str:
            return self.same(form.combine, [carried, factors(self.arith("addi", number, skipped))], element)

        skipped = 0 if form.first is not None else 1
        initial = factors(0) if form.first is None else operand(form.first, at)
        return initial if form.length == skipped else self.over(form.length - skipped, initial, element, joined)

    self.give(op, value)


# Memory.


def _lined(self: Flattening, at: Sequence[str], indices: Sequence[str]) -> list[Extent]:
    """The indices of a vector's element, whose dimensions are the last ones of a memref."""
    lead = len(indices) - len(at)
    return [*indices[:lead], *(self.arith("addi", index, each) for index, each in zip(indices[lead:], at))]


@handles("vector.load")
def load(self: Flattening, op: Operation) -> None:
    memory = self.memref(op, 0)
    self.fill(self.new(op), lambda at: self.load(memory, _lined(self, at, op.operands[1:])))


@handles("vector.store")
def store(self: Flattening, op: Operation) -> None:
    memory, value = self.memref(op, 1), self.vector(op, 0)
    self.parallel(value.shape, lambda at: self.store(self.load(value, at), memory, _lined(self, at, op.operands[2:])))


def _transferred(
    self: Flattening, op: Operation, number: int, shape: Sequence[int]
) -> tuple[Memory, Callable[[Sequence[str]], tuple[list[Extent], str]]]:
    """The memref of a transfer; for an element of the vector, its indices there, and whether it is transferred."""
    memory = self.memref(op, number)
    rank = len(memory.type.shape)
    first, form = op.operands[number + 1 : number + 1 + rank], transfer(op, rank, shape)
    mask = self.vector(op, len(op.operands) - 1) if op.attributes["operandSegmentSizes"][-1] else None

    def place(at: Sequence[str]) -> tuple[list[Extent], str]:
        indices = form.place(self.arith, first, at)
        within = self.inside(memory, indices)
        return indices, within if mask is None else self.all_of([within, self.load(mask, form.masked(at))])

    return memory, place


@handles("vector.transfer_read")
def transfer_read(self: Flattening, op: Operation) -> None:
    given = self.new(op)
    memory, place = _transferred(self, op, 0, given.shape)
    padding = op.operands[1 + len(memory.type.shape)]

    def value(at: list[str]) -> str:
        indices, within = place(at)
        return self.load_where(within, memory, indices, padding)

    self.fill(given, value)


@handles("vector.transfer_write")
def transfer_write(self: Flattening, op: Operation) -> None:
    value = self.vector(op, 0)
    memory, place = _transferred(self, op, 1, value.shape)

    def write(at: list[str]) -> None:
        indices, within = place(at)
        self.store_where(within, self.load(value, at), memory, indices)

    self.parallel(value.shape, write)
