"""vector, and constants that are vectors."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import product
from math import prod
from typing import Any

from ....mlir.affine import AffineMap
from ....mlir.affine.expressions import Dimension
from ....mlir.text import Memref, Operation, Scalar, Vector
from ....mlir.text.names import combiner
from ....mlir.text.tree import Dense
from ....mlir.text.types import I1, INDEX
from .flattening import DYNAMIC, Flattening, handles, known

_MAX_LITERALS = 512
"""Numbers of a constant that are written one after the other."""


@handles("arith.constant")
def constant(self: Flattening, op: Operation) -> None:
    value, type_ = op.attributes.get("value"), op.result_types[0]
    if not isinstance(type_, Vector):
        self.target.operations.append(op)
        if isinstance(value, int) and type_ == INDEX and op.results:
            self.numbers[op.results[0]] = value
        return
    if not isinstance(value, Dense):
        self.fail(op, "a vector's constant is dense<…>")
    name, memref = self.new(op)
    if not isinstance(value.values, tuple):
        number = self.number(value.values, type_.element)
        self.fill((name, memref), lambda at: number)
        return
    if prod(type_.shape) > _MAX_LITERALS:
        self.fail(op, f"it has more than {_MAX_LITERALS} numbers", "compute it, or load it")
    for place in product(*map(range, type_.shape)):
        literal: Any = value.values
        for index in place:
            literal = literal[index]
        self.store(self.number(literal, type_.element), name, memref, [self.index(each) for each in place])


def _moved(self: Flattening, op: Operation, of: Callable[[list[str]], Sequence[str]], source: int = 0) -> None:
    """A vector whose elements are those of another one, at places that a function says."""
    given, from_ = self.vector(op, source)
    self.fill(self.new(op), lambda at: self.load(given, from_, of(at)))


@handles("vector.transpose")
def transpose(self: Flattening, op: Operation) -> None:
    order = list(op.attributes["permutation"])
    _moved(self, op, lambda at: [at[order.index(mode)] for mode in range(len(order))])


@handles("vector.broadcast", "vector.splat")
def broadcast(self: Flattening, op: Operation) -> None:
    type_ = op.operand_types[0]
    if not isinstance(type_, Vector):
        self.fill(self.new(op), lambda at: op.operands[0])
        return
    shape = type_.shape
    _moved(
        self,
        op,
        lambda at: [self.index(0) if size == 1 else each for size, each in zip(shape, at[len(at) - len(shape) :])],
    )


def _linear(self: Flattening, at: Sequence[str], shape: Sequence[int]) -> str:
    """Which element a place is, row by row."""
    total = self.index(0)
    for each, size in zip(at, shape):
        total = self.arith("addi", self.arith("muli", total, self.index(size)), each)
    return total


def _place(self: Flattening, number: str, shape: Sequence[int]) -> list[str]:
    """The place of an element that is counted row by row."""
    place: list[str] = []
    for size in reversed(shape):
        place.insert(0, self.arith("remui", number, self.index(size)))
        number = self.arith("divui", number, self.index(size))
    return place


@handles("vector.shape_cast")
def shape_cast(self: Flattening, op: Operation) -> None:
    source, target = op.operand_types[0], op.result_types[0]
    if not isinstance(source, Vector) or not isinstance(target, Vector):
        self.fail(op, "it is of vectors")
    _moved(self, op, lambda at: _place(self, _linear(self, at, target.shape), source.shape))


def _position(op: Operation) -> tuple[int, ...]:
    position = op.attributes.get("static_position", op.attributes.get("position", ()))
    return tuple(position)


@handles("vector.extract")
def extract(self: Flattening, op: Operation) -> None:
    rest = list(op.operands[1:])
    lead = [rest.pop(0) if each == DYNAMIC else self.index(each) for each in _position(op)]
    given, from_ = self.vector(op, 0)
    if isinstance(op.result_types[0], Vector):
        _moved(self, op, lambda at: [*lead, *at])
        return
    self.load(given, from_, lead)
    self.named(op)


@handles("vector.insert")
def insert(self: Flattening, op: Operation) -> None:
    rest = list(op.operands[2:])
    lead = [rest.pop(0) if each == DYNAMIC else self.index(each) for each in _position(op)]
    whole, memref = self.vector(op, 1)
    name, _ = self.new(op)
    self.copy(whole, name, memref)
    if not isinstance(op.operand_types[0], Vector):
        self.store(op.operands[0], name, memref, lead)
        return
    part, part_type = self.vector(op, 0)
    self.each(known(part_type), lambda at: self.store(self.load(part, part_type, at), name, memref, [*lead, *at]))


@handles("vector.extract_strided_slice")
def slice_(self: Flattening, op: Operation) -> None:
    offsets, strides = op.attributes["offsets"], op.attributes["strides"]
    lead = len(offsets)

    def of(at: list[str]) -> list[str]:
        moved = []
        for each, offset, stride in zip(at, offsets, strides):
            scaled = each if stride == 1 else self.arith("muli", each, self.index(stride))
            moved.append(self.plus(scaled, offset))
        return [*moved, *at[lead:]]

    _moved(self, op, of)


@handles("vector.insert_strided_slice")
def insert_slice(self: Flattening, op: Operation) -> None:
    offsets = op.attributes["offsets"]
    if any(stride != 1 for stride in op.attributes["strides"]):
        self.fail(op, "its strides are 1")
    part, part_type = self.vector(op, 0)
    whole, memref = self.vector(op, 1)
    name, _ = self.new(op)
    self.copy(whole, name, memref)
    lead = len(memref.shape) - len(part_type.shape)

    def write(at: list[str]) -> None:
        place = [self.index(each) for each in offsets[:lead]]
        place += [self.plus(each, offset) for each, offset in zip(at, offsets[lead:])]
        self.store(self.load(part, part_type, at), name, memref, place)

    self.each(known(part_type), write)


@handles("vector.shuffle")
def shuffle(self: Flattening, op: Operation) -> None:
    (a, a_type), (b, b_type) = self.vector(op, 0), self.vector(op, 1)
    name, memref = self.new(op)
    first = known(a_type)[0]
    for place, number in enumerate(op.attributes["mask"]):
        source, type_ = (a, a_type) if number < first else (b, b_type)
        at = self.index(number if number < first else number - first)
        to = self.index(place)

        def write(rest: list[str], s: str = source, t: Memref = type_, at: str = at, to: str = to) -> None:
            self.store(self.load(s, t, [at, *rest]), name, memref, [to, *rest])

        self.each(known(memref)[1:], write)


@handles("vector.from_elements")
def from_elements(self: Flattening, op: Operation) -> None:
    name, memref = self.new(op)
    for value, place in zip(op.operands, product(*map(range, known(memref)))):
        self.store(value, name, memref, [self.index(each) for each in place])


@handles("vector.step")
def step(self: Flattening, op: Operation) -> None:
    self.fill(self.new(op), lambda at: at[0])


@handles("vector.create_mask", "vector.constant_mask")
def create_mask(self: Flattening, op: Operation) -> None:
    sizes = op.operands or [self.index(size) for size in op.attributes["mask_dim_sizes"]]

    def value(at: list[str]) -> str:
        inside = self.compare("slt", at[0], sizes[0])
        for each, size in zip(at[1:], sizes[1:]):
            inside = self.op("arith.andi", [inside, self.compare("slt", each, size)], [I1] * 2, I1)
        return inside

    self.fill(self.new(op), value)


@handles("vector.fma")
def fma(self: Flattening, op: Operation) -> None:
    inputs = [self.vector(op, number) for number in range(3)]
    memory = self.new(op)
    element = memory[1].element
    self.fill(memory, lambda at: self.op("math.fma", [self.load(*each, at) for each in inputs], [element] * 3, element))


@handles("vector.bitcast")
def bitcast(self: Flattening, op: Operation) -> None:
    (given, from_), memory = self.vector(op, 0), self.new(op)
    source, element = from_.element, memory[1].element
    if known(from_) != known(memory[1]):
        self.fail(op, f"{source} and {element} have other numbers of bits", "the interpreter executes it")
    self.fill(memory, lambda at: self.op("arith.bitcast", [self.load(given, from_, at)], [source], element))


def combined(self: Flattening, op: Operation, element: Any, a: str, b: str) -> str:
    """Two elements combined by the kind of a reduction."""
    word = op.word_of("kind") or "add"
    name = combiner(word, element.is_float)
    if name is None:
        self.fail(op, f"the reduction {word} of {element} is not known")
    return self.op(name, [a, b], [element] * 2, element)


@handles("vector.multi_reduction")
def multi_reduction(self: Flattening, op: Operation) -> None:
    source, type_ = self.vector(op, 0)
    axes = list(op.attributes["reduction_dims"])
    shape, element = known(type_), type_.element
    assert isinstance(element, Scalar)
    rest = [mode for mode in range(len(shape)) if mode not in axes]
    summed = tuple(shape[mode] for mode in axes)

    def total(at: Sequence[str], initial: str) -> str:
        def add(number: str, carried: str) -> str:
            place = [""] * len(shape)
            for mode, each in zip(rest, at):
                place[mode] = each
            for mode, each in zip(axes, _place(self, number, summed) if len(axes) > 1 else [number]):
                place[mode] = each
            return combined(self, op, element, carried, self.load(source, type_, place))

        return self.over(prod(summed), initial, element, add)

    if isinstance(op.result_types[0], Vector):
        initial, initial_type = self.vector(op, 1)
        self.fill(self.new(op), lambda at: total(at, self.load(initial, initial_type, at)))
        return
    total([], op.operands[1])
    self.named(op)


@handles("vector.reduction")
def reduction(self: Flattening, op: Operation) -> None:
    source, type_ = self.vector(op, 0)
    element = type_.element
    assert isinstance(element, Scalar)
    (count,) = known(type_)
    first = 0 if len(op.operands) > 1 else 1
    initial = op.operands[1] if len(op.operands) > 1 else self.load(source, type_, [self.index(0)])
    self.over(
        count - first,
        initial,
        element,
        lambda at, carried: combined(self, op, element, carried, self.load(source, type_, [self.plus(at, first)])),
    )
    self.named(op)


@handles("vector.contract")
def contract(self: Flattening, op: Operation) -> None:
    """Products, summed over the indices that the result has not."""
    maps = op.attributes.get("indexing_maps", ())
    if len(maps) != 3 or not all(
        isinstance(map_, AffineMap) and all(isinstance(each, Dimension) for each in map_.results) for map_ in maps
    ):
        self.fail(op, "its maps are projections")
    terms = [[each.position for each in map_.results] for map_ in maps]
    (a, a_type), (b, b_type), (c, c_type) = (self.vector(op, number) for number in range(3))
    memory = self.new(op)
    element = memory[1].element
    sizes: dict[int, int] = {}
    for term, type_ in zip(terms, (a_type, b_type, c_type)):
        sizes.update(zip(term, known(type_)))
    summed = [each for each in sorted(sizes) if each not in terms[2]]
    assert isinstance(element, Scalar)

    def value(at: list[str]) -> str:
        def add(number: str, carried: str) -> str:
            place = dict(zip(terms[2], at))
            place.update(zip(summed, _place(self, number, [sizes[each] for each in summed])))
            factors = [
                widened(self, self.load(x, x_type, [place[each] for each in term]), x_type.element, element)
                for term, x, x_type in zip(terms, (a, b), (a_type, b_type))
            ]
            kind = "mulf" if element.is_float else "muli"
            return combined(self, op, element, carried, self.arith(kind, *factors, type_=element))

        return self.over(prod(sizes[each] for each in summed), self.load(c, c_type, at), element, add)

    self.fill(memory, value)


def widened(self: Flattening, value: str, source: Any, target: Scalar) -> str:
    """A number in a type that has all of its own type's."""
    if source == target:
        return value
    name = "arith.extf" if target.is_float else "arith.extsi"
    return self.op(name, [value], [source], target)


# Memory.


def _lined(self: Flattening, at: Sequence[str], indices: Sequence[str]) -> list[str]:
    """The indices of a vector's element, whose dimensions are the last ones of a memref."""
    lead = len(indices) - len(at)
    moved = [self.arith("addi", index, each) for index, each in zip(indices[lead:], at)]
    return [*indices[:lead], *moved]


@handles("vector.load")
def load(self: Flattening, op: Operation) -> None:
    type_ = op.operand_types[0]
    if not isinstance(type_, Memref):
        self.fail(op, "it is of a memref")
    base, *indices = op.operands
    self.fill(self.new(op), lambda at: self.load(base, type_, _lined(self, at, indices)))


@handles("vector.store")
def store(self: Flattening, op: Operation) -> None:
    type_ = op.operand_types[1]
    if not isinstance(type_, Memref):
        self.fail(op, "it is of a memref")
    value, memref = self.vector(op, 0)
    base, *indices = op.operands[1:]
    self.each(
        known(memref), lambda at: self.store(self.load(value, memref, at), base, type_, _lined(self, at, indices))
    )


def inside(self: Flattening, source: str, type_: Memref, at: Sequence[str]) -> str:
    """Whether a place is in a memref."""
    within = ""
    for mode, (index, size) in enumerate(zip(at, type_.shape)):
        bound = (
            self.index(size)
            if size is not None
            else self.op("memref.dim", [source, self.index(mode)], [type_, INDEX], INDEX)
        )
        for here in (self.compare("slt", index, bound), self.compare("sge", index, self.index(0))):
            within = here if not within else self.op("arith.andi", [within, here], [I1] * 2, I1)
    return within


class _Transfer:
    """Where the elements of a vector are in a memref, and which of them are there."""

    def __init__(self, flattening: Flattening, op: Operation, number: int) -> None:
        type_ = op.operand_types[number]
        if not isinstance(type_, Memref) or not isinstance(type_.element, Scalar):
            flattening.fail(op, "it is of a memref")
        rank = len(type_.shape)
        self.at, self.type, self.base = flattening, type_, op.operands[number]
        self.indices = op.operands[number + 1 : number + 1 + rank]
        map_ = op.attributes.get("permutation_map")
        results = map_.results if isinstance(map_, AffineMap) else ()
        vector = op.result_types[0] if number == 0 else op.operand_types[0]
        count = len(vector.shape) if isinstance(vector, Vector) else 0
        self.order = [getattr(each, "position", None) for each in results] or list(range(rank - count, rank))
        """The dimension of memory that each of the vector's is; None where elements are repeated."""
        has_mask = op.attributes.get("operandSegmentSizes", (0,))[-1]
        self.mask = flattening.vector(op, len(op.operands) - 1) if has_mask else None

    def place(self, at: Sequence[str]) -> tuple[list[str], str]:
        """The indices of an element, and whether it is transferred."""
        self_, indices = self.at, list(self.indices)
        for mode, each in zip(self.order, at):
            if mode is not None:
                indices[mode] = self_.arith("addi", indices[mode], each)
        within = inside(self_, self.base, self.type, indices)
        if self.mask is not None:
            of_memory = [each for _, each in sorted((d, each) for d, each in zip(self.order, at) if d is not None)]
            chosen = self_.load(*self.mask, of_memory)
            within = self_.op("arith.andi", [within, chosen], [I1] * 2, I1)
        return indices, within


@handles("vector.transfer_read")
def transfer_read(self: Flattening, op: Operation) -> None:
    part = _Transfer(self, op, 0)
    padding = op.operands[1 + len(part.indices)]

    def value(at: list[str]) -> str:
        place, within = part.place(at)
        return self.load_where(within, part.base, part.type, place, padding)

    self.fill(self.new(op), value)


@handles("vector.transfer_write")
def transfer_write(self: Flattening, op: Operation) -> None:
    part, (value, memref) = _Transfer(self, op, 1), self.vector(op, 0)

    def write(at: list[str]) -> None:
        place, within = part.place(at)
        number = self.load(value, memref, at)
        self.when(within, lambda: self.store(number, part.base, part.type, place))

    self.each(known(memref), write)
