"""vector, and constants that are vectors."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import product
from math import prod
from typing import Any

from ....ir.types import BoolType, ScalarType
from ....mlir.text import Operation, Vector
from ....mlir.text.tree import Dense
from ....mlir.text.types import INDEX
from ..parallel import neutral_of
from ..tree_writer import Extent, divided
from ..types import number_type
from ..vector_forms import CONTRACTED, MOVED, PLACED, access, check_masked, contraction, scan, transfer
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


@handles("vector.interleave")
def interleave(self: Flattening, op: Operation) -> None:
    memory = self.new(op)
    for number in range(2):
        source = self.vector(op, number)

        def write(at: list[str], source: Memory = source, number: int = number) -> None:
            place = self.arith("addi", self.arith("muli", at[-1], 2), number)
            self.store(self.load(source, at), memory, [*at[:-1], place])

        self.parallel(source.shape, write)


@handles("vector.deinterleave")
def deinterleave(self: Flattening, op: Operation) -> None:
    source = self.vector(op, 0)
    for number in range(2):

        def value(at: list[str], number: int = number) -> str:
            return self.load(source, [*at[:-1], self.arith("addi", self.arith("muli", at[-1], 2), number)])

        self.fill(self.new(op, number), value)


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
    """As many elements at once as both types divide the bits of, which lie behind each other."""
    memories = (self.vector(op, 0), self.new(op))
    lines = [memory.shape[-1:] or (1,) for memory in memories]
    count = min(lines)[0]
    types = [Vector((line[0] // count,), memory.element) for memory, line in zip(memories, lines)]

    def write(at: list[str]) -> None:
        places = []
        for memory, type_ in zip(memories, types):
            place = [*at[:-1], self.arith("muli", at[-1], type_.shape[0])] if memory.shape else []
            places.append([memory.name, *map(self.index, place)])
        given, made = memories
        value = self.emit("vector.load", places[0], [given.type], [types[0]])
        value = self.emit("vector.bitcast", [value], [types[0]], [types[1]])
        self.emit("vector.store", [value, *places[1]], [types[1], made.type])

    self.parallel([*memories[1].shape[:-1], count], write)


@handles(*CONTRACTED)
def contract(self: Flattening, op: Operation) -> None:
    """Products of elements, or elements alone, summed over the indices that the result has not."""
    form, mask = contraction(op, self.shape_of_mask()), self.mask
    count, element = len(form.indices) - 1, form.element
    summed, extents = form.summed, [form.sizes[d] for d in form.summed]

    def neutral() -> float | None:
        type_ = number_type(element)
        if not isinstance(type_, (ScalarType, BoolType)):
            self.fail(op, f"a mask of numbers that are {element} is not read", INTERPRETED)
        return neutral_of(form.combine, type_)

    def operand(number: int, place: Sequence[Extent]) -> str:
        if not isinstance(op.operand_types[number], Vector):
            return op.operands[number]
        vector = self.vector(op, number)
        return self.widened(self.load(vector, place), vector.element, element)

    def value(at: Sequence[Extent]) -> str:
        def iterations(number: Extent) -> dict[int, Extent]:
            return {**dict(zip(form.indices[-1], at)), **dict(zip(summed, divided(self.arith, number, extents)))}

        def factors(number: Extent) -> str:
            found = [operand(n, form.place(n, iterations(number))) for n in range(count)]
            return found[0] if count == 1 else self.same(f"arith.mul{'f' if element.is_float else 'i'}", found, element)

        def joined(number: str, carried: str) -> str:
            total = self.same(form.combine, [carried, factors(self.arith("addi", number, skipped))], element)
            if mask is None:
                return total
            place = iterations(number)
            return self.either(self.load(mask, [place[d] for d in range(len(place))]), total, carried, element)

        skipped = 0 if form.first is not None or mask is not None else 1
        if form.first is not None:
            initial = operand(form.first, at)
        else:
            initial = factors(0) if mask is None else self.number(neutral(), element)
        return initial if form.length == skipped else self.over(form.length - skipped, initial, element, joined)

    self.give(op, value)


@handles("vector.scan")
def scanned(self: Flattening, op: Operation) -> None:
    """What is joined along a dimension. MLIR does not join the given numbers to those of an inclusive scan."""
    form, source, first = scan(op), self.vector(op, 0), self.vector(op, 1)
    result, last = self.new(op, 0), self.new(op, 1)
    d, element = form.dimension, source.element

    def line(at: list[str]) -> None:
        def place(number: Extent) -> list[Extent]:
            return [*at[:d], number, *at[d:]]

        def joined(number: str, carried: str) -> str:
            behind = self.arith("addi", number, 1)
            each = self.load(source, place(behind if form.is_inclusive else number))
            total = self.same(form.combine, [carried, each], element)
            self.store(total, result, place(behind))
            return total

        begin = self.load(source, place(0)) if form.is_inclusive else self.load(first, at)
        self.store(begin, result, place(0))
        self.store(self.over(source.shape[d] - 1, begin, element, joined), last, at)

    self.parallel(last.shape, line)


@handles("vector.mask")
def mask(self: Flattening, op: Operation) -> None:
    """One operation, for the lanes of a mask; the others have what is passed, if something is."""
    check_masked(op)
    *inside, end = op.regions[0].blocks[0].operations
    names = dict(zip(end.operands, op.results))
    self.mask = self.vector(op, 0)
    self.block([replace(each, results=[names.get(name, name) for name in each.results]) for each in inside])
    self.mask, self.op = None, op
    if any(name not in self.buffers for name in end.operands if not inside):
        self.fail(op, "it gives a number without an operation")
    self.buffers.update((given, self.buffers[name]) for name, given in names.items() if name in self.buffers)
    if len(op.operands) > 1:
        chosen, given, other = self.vector(op, 0), self.buffers[op.results[0]], self.vector(op, 1)

        def value(at: list[str]) -> str:
            return self.either(self.load(chosen, at), self.load(given, at), self.load(other, at), given.element)

        self.fill(self.new(op), value)


# Memory.


def _lined(self: Flattening, at: Sequence[Extent], indices: Sequence[str]) -> list[Extent]:
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
    first, form = op.operands[number + 1 : number + 1 + rank], transfer(op, rank, shape, self.shape_of_mask())
    masks = [] if self.mask is None else [self.mask]
    if op.attributes["operandSegmentSizes"][-1]:
        masks.append(self.vector(op, len(op.operands) - 1))

    def place(at: Sequence[str]) -> tuple[list[Extent], str]:
        indices = form.place(self.arith, first, at)
        within = [self.inside(memory, indices)]
        return indices, self.all_of([*within, *(self.load(each, form.masked(at)) for each in masks)])

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


def _masked(
    self: Flattening, op: Operation
) -> tuple[Memory, Memory, Callable[[Sequence[Extent]], tuple[list[Extent], str]]]:
    """The memref of an access with a mask, and the vector; for an element its indices, and whether it is accessed."""
    form = access(op, self.shape_of_mask())
    memory, mask, outer = self.memref(op, 0), self.vector(op, form.mask), self.mask
    first = op.operands[form.indices.start : form.indices.stop]
    by = None if form.by is None else self.vector(op, form.by)
    if form.is_packed:
        by = _packed(self, op, mask)

    def place(at: Sequence[Extent]) -> tuple[list[Extent], str]:
        chosen = self.all_of([self.load(each, at) for each in (mask, outer) if each is not None])
        if by is None:
            return _lined(self, at, first), chosen
        *lead, last = _lined(self, [*at[:-1], 0], first) if form.is_packed else first
        moved = self.load(by, at)
        if by.element != INDEX:
            moved = self.emit("arith.index_cast", [moved], [by.element], [INDEX])
        return [*lead, self.arith("addi", last, moved)], chosen

    return memory, self.vector(op, form.vector), place


def _packed(self: Flattening, op: Operation, mask: Memory) -> Memory:
    """How many elements of each row of a mask are set in front of each."""
    counts = self.memory(op, Vector(mask.shape, INDEX))

    def row(at: list[str]) -> None:
        def counted(number: str, carried: str) -> str:
            place = [*at, number]
            self.store(carried, counts, place)
            more = self.index(self.arith("addi", carried, 1))
            return self.either(self.load(mask, place), more, carried, INDEX)

        self.over(mask.shape[-1], self.index(0), INDEX, counted)

    self.parallel(mask.shape[:-1], row)
    return counts


@handles("vector.maskedload", "vector.gather", "vector.expandload")
def masked_load(self: Flattening, op: Operation) -> None:
    memory, other, place = _masked(self, op)

    def value(at: list[str]) -> str:
        indices, chosen = place(at)
        return self.load_where(chosen, memory, indices, self.load(other, at))

    self.fill(self.new(op), value)


@handles("vector.maskedstore", "vector.scatter", "vector.compressstore")
def masked_store(self: Flattening, op: Operation) -> None:
    memory, value, place = _masked(self, op)

    def write(at: Sequence[Extent]) -> None:
        indices, chosen = place(at)
        self.store_where(chosen, self.load(value, at), memory, indices)

    if op.name == "vector.scatter":
        # one after the other, as the last one stays where places are equal
        self.in_order(value.shape, write)
    else:
        self.parallel(value.shape, write)
