"""xegpu: blocks of memory, products, scattered elements, and matrices in memory of a work-group."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from ....mlir.text import Memref, Opaque, Operation, Scalar, Vector
from ....mlir.text.types import INDEX, contiguous
from .flattening import Flattening, Matrix, Places, Tile, entries, handles, known
from .plain_types import FACTORS
from .vectors import inside, widened


def _described(self: Flattening, op: Operation) -> tuple[Opaque, tuple[int, ...], Scalar]:
    type_ = op.result_types[0]
    if not isinstance(type_, Opaque) or type_.shape is None or not isinstance(type_.element, Scalar):
        self.fail(op, f"it gives {type_}, which is no descriptor")
    return type_, tuple(size or 1 for size in type_.shape), type_.element


@handles("xegpu.create_nd_tdesc")
def create(self: Flattening, op: Operation) -> None:
    type_, block, element = _described(self, op)
    source = op.operand_types[0]
    counts = op.attributes.get("operandSegmentSizes", (1, 0, 0, 0))
    if not isinstance(source, Memref) or counts[2] or counts[3] or op.attributes.get("const_shape"):
        self.fail(op, "its sizes or strides are not those of a memref", "the interpreter executes it")
    if source.element != element or len(source.shape) < len(block):
        self.fail(op, f"the elements of {source} are seen as {element}", "the interpreter executes it")
    rest = list(op.operands[1:])
    offsets = self.mixed(op, "const_offsets", rest) or [self.index(0)] * len(source.shape)
    said = entries(type_, "#xegpu.block_tdesc_attr")
    is_checked = said.get("boundary_check") is not False
    self.values[op.results[0]] = Tile(
        op.operands[0], source, offsets, block, element, is_checked, int(said.get("array_length", 1))
    )


def _held(self: Flattening, op: Operation, number: int, kind: Any, what: str) -> Any:
    held = self.values.get(op.operands[number]) if number < len(op.operands) else None
    if not isinstance(held, kind):
        self.fail(op, f"operand {number + 1} is no {what} that is known here", "the interpreter executes it")
    return held


@handles("xegpu.update_nd_offset")
def move(self: Flattening, op: Operation) -> None:
    tile: Tile = _held(self, op, 0, Tile, "descriptor of a block")
    by = self.mixed(op, "const_offsets", list(op.operands[1:]))
    if len(by) != len(tile.offsets):
        self.fail(op, "it has an offset for each dimension of the memory")
    moved = [self.arith("addi", a, b) for a, b in zip(tile.offsets, by)]
    self.values[op.results[0]] = replace(tile, offsets=moved)


def _first(self: Flattening, op: Operation, tile: Tile, rest: Sequence[str]) -> list[str]:
    """Where a block begins."""
    by = self.mixed(op, "const_offsets", list(rest))
    if not by:
        return list(tile.offsets)
    if len(by) == len(tile.block):
        # those of the block alone, of memory that has more dimensions
        by = [*[self.index(0)] * (len(tile.offsets) - len(by)), *by]
    if len(by) != len(tile.offsets):
        self.fail(op, f"{len(by)} offsets are given, and the memory has {len(tile.offsets)} dimensions")
    zero = self.index(0)
    zeros = {zero, *(name for name, number in self.numbers.items() if number == 0)}
    return [b if a in zeros else a if b in zeros else self.arith("addi", a, b) for a, b in zip(tile.offsets, by)]


def _element_of_block(self: Flattening, first: Sequence[str], at: Sequence[str]) -> list[str]:
    lead = len(first) - len(at)
    return [*first[:lead], *(self.arith("addi", begin, each) for begin, each in zip(first[lead:], at))]


def _is_inside(self: Flattening, tile: Tile, first: Sequence[str]) -> bool:
    """Whether a block is known to be inside of its memory."""
    numbers = {name: number for number, name in self.constants.items()} | self.numbers
    lead = len(first) - len(tile.block)
    block = (*[1] * lead, *tile.block)
    return all(
        name in numbers and size is not None and 0 <= numbers[name] <= size - extent
        for name, size, extent in zip(first, tile.memref.shape, block)
    )


@handles("xegpu.load_nd")
def load(self: Flattening, op: Operation) -> None:
    """A block; what is outside of the memory is 0. `transpose`, `packed` and blocks side by side say which element."""
    tile: Tile = _held(self, op, 0, Tile, "descriptor of a block")
    first = _first(self, op, tile, op.operands[1:])
    memory = self.new(op)
    shape = known(memory[1])
    order = op.attributes.get("transpose")
    of = _places(self, op, tile, shape, order)
    is_safe = not tile.is_checked or (tile.count == 1 and _is_inside(self, tile, first))

    def value(at: list[str]) -> str:
        place = _element_of_block(self, first, of(at))
        if is_safe:
            return self.load(tile.source, tile.memref, place)
        return self.load_where(inside(self, tile.source, tile.memref, place), tile.source, tile.memref, place)

    self.fill(memory, value)


def _places(
    self: Flattening, op: Operation, tile: Tile, shape: tuple[int, ...], order: Any
) -> Callable[[list[str]], list[str]]:
    """Which element of a block an element of the vector is."""
    block = tile.block
    if order:
        if tuple(block[mode] for mode in order) != shape:
            self.fail(op, "the vector is no transposed block", "the interpreter executes it")
        return lambda at: [at[list(order).index(mode)] for mode in range(len(order))]
    if tile.count > 1 and shape == (tile.count, *block):
        columns = self.index(block[-1])
        return lambda at: [*at[1:-1], self.arith("addi", at[-1], self.arith("muli", at[0], columns))]
    if "packed" in op.attributes and len(shape) == 3 and len(block) == 2:
        each = self.index(shape[2])
        return lambda at: [self.arith("addi", self.arith("muli", at[0], each), at[2]), at[1]]
    if tile.count > 1 or shape != block:
        self.fail(op, f"the vector is not the block {'x'.join(map(str, block))}: a work-item's part of it is not read",
                  "the interpreter executes it")  # fmt: skip
    return lambda at: at


@handles("xegpu.store_nd")
def store(self: Flattening, op: Operation) -> None:
    tile: Tile = _held(self, op, 1, Tile, "descriptor of a block")
    value, memref = self.vector(op, 0)
    if known(memref) != tile.block:
        self.fail(
            op, "the vector is not the block: a work-item's part of it is not read", "the interpreter executes it"
        )
    first = _first(self, op, tile, op.operands[2:])
    is_safe = not tile.is_checked or _is_inside(self, tile, first)

    def write(at: list[str]) -> None:
        place = _element_of_block(self, first, at)
        number = self.load(value, memref, at)
        if is_safe:
            self.store(number, tile.source, tile.memref, place)
        else:
            within = inside(self, tile.source, tile.memref, place)
            self.when(within, lambda: self.store(number, tile.source, tile.memref, place))

    self.each(tile.block, write)


@handles("xegpu.dpas")
def product(self: Flattening, op: Operation) -> None:
    """A product of matrices, whose sum is taken in f32 or i32, or in the result's type if that is wider."""
    result = op.result_types[0]
    if not isinstance(result, Vector) or len(result.shape) != 2:
        self.fail(op, "it gives a work-item's part of a product", "the interpreter executes it")
    a, b = (_factor(self, op, number) for number in range(2))
    (m, k), (depth, n) = known(a[1]), known(b[1])
    if (m, n) != result.shape or k != depth:
        self.fail(op, f"the factors are {m}x{k} and {depth}x{n}, and the result {result.shape[0]}x{result.shape[1]}")
    is_float = result.element.is_float
    wide = Scalar(f"{'f' if is_float else 'i'}{max(result.element.bits, 32)}")
    memory = self.new(op)
    total, total_type = self.memory(op, Vector(result.shape, wide))
    if len(op.operands) > 2:
        c, c_type = self.vector(op, 2)
        self.fill((total, total_type), lambda at: widened(self, self.load(c, c_type, at), c_type.element, wide))
    else:
        zero = self.number(0.0 if is_float else 0, wide)
        self.fill((total, total_type), lambda at: zero)
    attributes = {"operandSegmentSizes": (2, 1)}
    self.op("linalg.matmul", [a[0], b[0], total], [a[1], b[1], total_type], None, attributes)
    narrow = "arith.truncf" if is_float else "arith.trunci"

    def value(at: list[str]) -> str:
        sum_ = self.load(total, total_type, at)
        return sum_ if wide == result.element else self.op(narrow, [sum_], [wide], result.element)

    self.fill(memory, value)


_WITH_ITS_VALUES = {
    "tf32": Scalar("f32"),
    **dict.fromkeys(("si1", "i4"), Scalar("i8")),
    **dict.fromkeys(("ui1", "ui8", "ui16"), Scalar("i32")),
    "ui32": Scalar("i64"),
}
"""Types that have all values of others, which are not those of the language's type with as many bits."""


def _factor(self: Flattening, op: Operation, number: int) -> tuple[str, Memref]:
    """A factor, in a type that has its values: of unsigned bytes, i32; of tf32, f32 with ten bits behind the point."""
    name, memref = _matrix(self, op, number)
    kind = op.attributes.get(FACTORS, ("", ""))[number]
    wide = _WITH_ITS_VALUES.get(kind)
    if wide is None:
        return name, memref
    other = self.memory(op, Vector(known(memref), wide))
    word = "arith.extui" if kind.startswith("ui") else "arith.extsi"

    def value(at: list[str]) -> str:
        own = self.load(name, memref, at)
        return _rounded(self, own) if kind == "tf32" else self.op(word, [own], [memref.element], wide)

    self.fill(other, value)
    return other


def _rounded(self: Flattening, value: str) -> str:
    """A number of f32, rounded to ten bits behind the point, the even one of two."""
    i32, f32 = Scalar("i32"), Scalar("f32")

    def on(name: str, bits: str, number: int) -> str:
        return self.arith(name, bits, self.number(number, i32), type_=i32)

    bits = self.op("arith.bitcast", [value], [f32], i32)
    last = on("andi", on("shrui", bits, 13), 1)
    bits = self.arith("addi", on("addi", bits, 0xFFF), last, type_=i32)
    return self.op("arith.bitcast", [on("andi", bits, -0x2000)], [i32], f32)


def _matrix(self: Flattening, op: Operation, number: int) -> tuple[str, Memref]:
    """A factor: a matrix, or one in the form in which neighbours in a column fill 32 bits together."""
    name, memref = self.vector(op, number)
    shape = known(memref)
    if len(shape) == 2:
        return name, memref
    if len(shape) != 3:
        self.fail(op, "its factors are matrices", "the interpreter executes it")
    assert isinstance(memref.element, Scalar)
    deep, wide, each = shape
    turned = (deep * each, wide) if number == 1 else (deep, wide * each)
    other, other_type = self.memory(op, Vector(turned, memref.element))
    size = self.index(each)

    def write(at: list[str]) -> None:
        row, column, last = at
        if number == 1:
            place = [self.arith("addi", self.arith("muli", row, size), last), column]
        else:
            place = [row, self.arith("addi", self.arith("muli", column, size), last)]
        self.store(self.load(name, memref, at), other, other_type, place)

    self.each(shape, write)
    return other, other_type


@handles("xegpu.convert_layout")
def convert(self: Flattening, op: Operation) -> None:
    self.buffers[op.results[0]] = self.vector(op, 0)[0]
    self.types[op.results[0]] = op.result_types[0]


# Scattered elements.


@handles("xegpu.create_tdesc")
def create_scattered(self: Flattening, op: Operation) -> None:
    type_, _, element = _described(self, op)
    said = entries(type_, "#xegpu.scatter_tdesc_attr")
    self.values[op.results[0]] = _line(self, op, 0, 1, int(said.get("chunk_size", 1)), element)


def _line(self: Flattening, op: Operation, base: int, offsets: int, chunk: int, element: Scalar) -> Places:
    """Scattered elements of a memref of one dimension."""
    type_ = op.operand_types[base]
    if not isinstance(type_, Memref) or len(type_.shape) != 1 or type_.element != element:
        self.fail(op, f"scattered elements are those of a memref of one dimension, and not of {type_}",
                  "the interpreter executes it")  # fmt: skip
    if type_.strides not in ((1,), contiguous(type_.shape)):
        self.fail(op, "the memref's elements are neighbours")
    buffer, _ = self.vector(op, offsets)
    return Places(op.operands[base], type_, buffer, chunk, element)


@handles("xegpu.update_offset")
def move_scattered(self: Flattening, op: Operation) -> None:
    places: Places = _held(self, op, 0, Places, "descriptor of scattered elements")
    by, type_ = self.vector(op, 1)
    assert isinstance(type_.element, Scalar)
    memory = self.memory(op, Vector(known(type_), type_.element))
    offsets = places.offsets
    self.fill(memory, lambda at: self.arith("addi", self.load(offsets, memory[1], at), self.load(by, type_, at)))
    self.values[op.results[0]] = replace(places, offsets=memory[0])


def _scattered(self: Flattening, op: Operation, first: int, element: Scalar) -> tuple[Places, int]:
    """Where scattered elements are, from an operand on, and which operand the mask is."""
    held = self.values.get(op.operands[first])
    if isinstance(held, Places):
        return held, first + 1
    chunk = op.attributes.get("chunk_size", 1)
    return _line(self, op, first, first + 1, int(chunk), element), first + 2


def _chosen(
    self: Flattening, op: Operation, places: Places, mask: int, at: list[str], count: int
) -> tuple[str, list[str]]:
    """Whether an element is accessed, and where it is; the last index is that in a chunk where there are such."""
    own = at[:-1] if places.chunk > 1 else at
    buffer, type_ = self.vector(op, mask)
    chosen = self.load(buffer, type_, own)
    offsets = Memref(type_.shape, INDEX, type_.strides, 0, "")
    place = self.load(places.offsets, offsets, own)
    if places.chunk > 1:
        place = self.arith("addi", place, at[-1])
    return chosen, [place]


def _check_shape(self: Flattening, op: Operation, memref: Memref, mask: int, places: Places) -> None:
    _, type_ = self.vector(op, mask)
    expected = (*known(type_), places.chunk) if places.chunk > 1 else known(type_)
    if known(memref) != expected:
        self.fail(op, f"{expected} elements are addressed, and the vector is of {known(memref)}")


@handles("xegpu.load")
def load_scattered(self: Flattening, op: Operation) -> None:
    type_ = op.result_types[0]
    if not isinstance(type_, Vector):
        self.fail(op, "it gives a work-item's number", "the interpreter executes it")
    places, mask = _scattered(self, op, 0, type_.element)
    memory = self.new(op)
    _check_shape(self, op, memory[1], mask, places)

    def value(at: list[str]) -> str:
        chosen, place = _chosen(self, op, places, mask, at, len(memory[1].shape))
        return self.load_where(chosen, places.source, places.memref, place)

    self.fill(memory, value)


@handles("xegpu.store")
def store_scattered(self: Flattening, op: Operation) -> None:
    type_ = op.operand_types[0]
    if not isinstance(type_, Vector):
        self.fail(op, "it stores a work-item's number", "the interpreter executes it")
    places, mask = _scattered(self, op, 1, type_.element)
    value, memref = self.vector(op, 0)
    _check_shape(self, op, memref, mask, places)

    def write(at: list[str]) -> None:
        chosen, place = _chosen(self, op, places, mask, at, len(memref.shape))
        number = self.load(value, memref, at)
        self.when(chosen, lambda: self.store(number, places.source, places.memref, place))

    # one after the other where two offsets may be equal: the last one stays
    self.each(known(memref), write)


# Matrices.


@handles("xegpu.create_mem_desc")
def create_matrix(self: Flattening, op: Operation) -> None:
    """A matrix has memory of its own, since what it is of is seen through no other descriptor."""
    _, shape, element = _described(self, op)
    source = op.operands[0]
    if source in self.seen:
        self.fail(op, f"{source} is seen through two descriptors", "the interpreter executes it")
    self.seen.add(source)
    name, memref = self.memory(op, Vector(shape, element))
    self.values[op.results[0]] = Matrix(name, memref)


def _begin(self: Flattening, op: Operation, matrix: Matrix, rest: Sequence[str], rank: int) -> list[str]:
    first = self.mixed(op, "const_offsets", list(rest))
    if len(first) != len(matrix.type.shape) or rank != len(first):
        self.fail(op, "a work-item's part of a matrix is not read", "the interpreter executes it")
    return first


@handles("xegpu.load_matrix")
def load_matrix(self: Flattening, op: Operation) -> None:
    matrix: Matrix = _held(self, op, 0, Matrix, "descriptor of a matrix")
    type_ = op.result_types[0]
    first = _begin(self, op, matrix, op.operands[1:], len(type_.shape) if isinstance(type_, Vector) else 0)
    self.fill(self.new(op), lambda at: self.load(matrix.memref, matrix.type, _element_of_block(self, first, at)))


@handles("xegpu.store_matrix")
def store_matrix(self: Flattening, op: Operation) -> None:
    matrix: Matrix = _held(self, op, 1, Matrix, "descriptor of a matrix")
    value, memref = self.vector(op, 0)
    first = _begin(self, op, matrix, op.operands[2:], len(memref.shape))
    self.each(
        known(memref),
        lambda at: self.store(
            self.load(value, memref, at), matrix.memref, matrix.type, _element_of_block(self, first, at)
        ),
    )
