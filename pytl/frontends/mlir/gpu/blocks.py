"""xegpu: blocks of memory, products, scattered elements, and matrices in memory of a work-group."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from ....mlir.text import Memref, Opaque, Operation, Scalar, Vector
from ....mlir.text.types import I32, INDEX, contiguous
from ..tree_writer import Extent
from .flattening import INTERPRETED, Flattening, Memory, Places, Tile, entries, handles
from .plain_types import FACTORS

_F32 = Scalar("f32")


def _described(self: Flattening, op: Operation) -> tuple[Opaque, tuple[int, ...], Scalar]:
    type_ = op.result_types[0]
    if not isinstance(type_, Opaque) or type_.shape is None or not isinstance(type_.element, Scalar):
        self.fail(op, f"it gives {type_}, which is no descriptor")
    return type_, tuple(size or 1 for size in type_.shape), type_.element


def _held(self: Flattening, op: Operation, number: int, kind: Any, what: str) -> Any:
    held = self.values.get(op.operands[number]) if number < len(op.operands) else None
    if not isinstance(held, kind):
        self.fail(op, f"operand {number + 1} is no {what} that is known here", INTERPRETED)
    return held


def _tile(self: Flattening, op: Operation, number: int) -> Tile:
    tile: Tile = _held(self, op, number, Tile, "descriptor of a block")
    return tile


def _moved(self: Flattening, first: Sequence[Extent], by: Sequence[Extent]) -> list[Extent]:
    """A place that is moved in its last dimensions."""
    lead = len(first) - len(by)
    return [*first[:lead], *(self.arith("addi", a, b) for a, b in zip(first[lead:], by))]


# Blocks.


@handles("xegpu.create_nd_tdesc")
def create(self: Flattening, op: Operation) -> None:
    type_, block, element = _described(self, op)
    counts = op.attributes.get("operandSegmentSizes", (1, 0, 0, 0))
    if not isinstance(op.operand_types[0], Memref) or counts[2] or counts[3] or op.attributes.get("const_shape"):
        self.fail(op, "its sizes or strides are not those of a memref", INTERPRETED)
    source = self.memref(op, 0)
    rank = len(source.type.shape)
    if source.element != element or rank < len(block):
        self.fail(op, f"the elements of {source.type} are seen as {element}", INTERPRETED)
    offsets = self.mixed(op, "const_offsets", op.operands[1:]) or [0] * rank
    said = entries(type_, "#xegpu.block_tdesc_attr")
    is_checked = said.get("boundary_check") is not False
    self.values[op.results[0]] = Tile(source, offsets, block, is_checked, int(said.get("array_length", 1)))


@handles("xegpu.update_nd_offset")
def move(self: Flattening, op: Operation) -> None:
    tile, by = _tile(self, op, 0), self.mixed(op, "const_offsets", op.operands[1:])
    if len(by) != len(tile.offsets):
        self.fail(op, "it has an offset for each dimension of the memory")
    self.values[op.results[0]] = replace(tile, offsets=_moved(self, tile.offsets, by))


def _first(self: Flattening, op: Operation, tile: Tile, rest: Sequence[str]) -> list[Extent]:
    """Where a block begins."""
    by = self.mixed(op, "const_offsets", rest)
    # of memory that has more dimensions than the block, offsets may be those of the block alone
    if len(by) not in (0, len(tile.block), len(tile.offsets)):
        self.fail(op, f"{len(by)} offsets are given, and the memory has {len(tile.offsets)} dimensions")
    return _moved(self, tile.offsets, by)


def _is_inside(tile: Tile, first: Sequence[Extent]) -> bool:
    """Whether a block is known to be inside of its memory."""
    block = (*[1] * (len(first) - len(tile.block)), *tile.block)
    return all(
        isinstance(begin, int) and size is not None and 0 <= begin <= size - extent
        for begin, size, extent in zip(first, tile.source.type.shape, block)
    )


@handles("xegpu.load_nd")
def load(self: Flattening, op: Operation) -> None:
    """A block; what is outside of the memory is 0. `transpose`, `packed` and blocks side by side say which element."""
    tile = _tile(self, op, 0)
    first, memory = _first(self, op, tile, op.operands[1:]), self.new(op)
    of = _places(self, op, tile, memory.shape)
    is_safe = not tile.is_checked or (tile.count == 1 and _is_inside(tile, first))

    def value(at: list[str]) -> str:
        place = _moved(self, first, of(at))
        if is_safe:
            return self.load(tile.source, place)
        return self.load_where(self.inside(tile.source, place), tile.source, place)

    self.fill(memory, value)


def _joined(self: Flattening, outer: Extent, size: int, inner: Extent) -> Extent:
    """The place in a line of what is in pieces of a size."""
    return self.arith("addi", self.arith("muli", outer, size), inner)


def _places(
    self: Flattening, op: Operation, tile: Tile, shape: tuple[int, ...]
) -> Callable[[list[str]], Sequence[Extent]]:
    """Which element of a block an element of the vector is."""
    block, order = tile.block, op.attributes.get("transpose")
    if order:
        if tuple(block[mode] for mode in order) != shape:
            self.fail(op, "the vector is no transposed block", INTERPRETED)
        return lambda at: [at[list(order).index(mode)] for mode in range(len(order))]
    if tile.count > 1 and shape == (tile.count, *block):
        return lambda at: [*at[1:-1], _joined(self, at[0], block[-1], at[-1])]
    if "packed" in op.attributes and len(shape) == 3 and len(block) == 2:
        return lambda at: [_joined(self, at[0], shape[2], at[2]), at[1]]
    if tile.count > 1 or shape != block:
        shown = "x".join(map(str, block))
        self.fail(op, f"the vector is not the block {shown}: a work-item's part of it is not read", INTERPRETED)
    return lambda at: at


@handles("xegpu.store_nd")
def store(self: Flattening, op: Operation) -> None:
    tile, value = _tile(self, op, 1), self.vector(op, 0)
    if value.shape != tile.block:
        self.fail(op, "the vector is not the block: a work-item's part of it is not read", INTERPRETED)
    first = _first(self, op, tile, op.operands[2:])
    is_safe = not tile.is_checked or _is_inside(tile, first)

    def write(at: list[str]) -> None:
        place, number = _moved(self, first, at), self.load(value, at)
        if is_safe:
            self.store(number, tile.source, place)
        else:
            self.store_where(self.inside(tile.source, place), number, tile.source, place)

    self.parallel(tile.block, write)


# Products.


@handles("xegpu.dpas")
def product(self: Flattening, op: Operation) -> None:
    """A product of matrices, whose sum is taken in f32 or i32, or in the result's type if that is wider."""
    result = op.result_types[0]
    if not isinstance(result, Vector) or len(result.shape) != 2:
        self.fail(op, "it gives a work-item's part of a product", INTERPRETED)
    a, b = (_factor(self, op, number) for number in range(2))
    (m, k), (depth, n) = a.shape, b.shape
    if (m, n) != result.shape or k != depth:
        self.fail(op, f"the factors are {m}x{k} and {depth}x{n}, and the result {result.shape[0]}x{result.shape[1]}")
    is_float = result.element.is_float
    wide = Scalar(f"{'f' if is_float else 'i'}{max(result.element.bits, 32)}")
    memory, total = self.new(op), self.memory(op, Vector(result.shape, wide))
    if len(op.operands) > 2:
        c = self.vector(op, 2)
        self.fill(total, lambda at: self.widened(self.load(c, at), c.element, wide))
    else:
        zero = self.number(0.0 if is_float else 0, wide)
        self.fill(total, lambda at: zero)
    types = [a.type, b.type, total.type]
    self.emit("linalg.matmul", [a.name, b.name, total.name], types, [], {"operandSegmentSizes": (2, 1)})
    narrow = "arith.truncf" if is_float else "arith.trunci"

    def value(at: list[str]) -> str:
        sum_ = self.load(total, at)
        return sum_ if wide == result.element else self.emit(narrow, [sum_], [wide], [result.element])

    self.fill(memory, value)


_WITH_ITS_VALUES = {
    "tf32": _F32,
    **dict.fromkeys(("si1", "i4"), Scalar("i8")),
    **dict.fromkeys(("ui1", "ui8", "ui16"), I32),
    "ui32": Scalar("i64"),
}
"""Types that have all values of others, which are not those of the language's type with as many bits."""


def _factor(self: Flattening, op: Operation, number: int) -> Memory:
    """A factor, in a type that has its values: of unsigned bytes, i32; of tf32, f32 with ten bits behind the point."""
    factor = _matrix(self, op, number)
    kind = op.attributes.get(FACTORS, ("", ""))[number]
    wide = _WITH_ITS_VALUES.get(kind)
    if wide is None:
        return factor
    other = self.memory(op, Vector(factor.shape, wide))
    word = "arith.extui" if kind.startswith("ui") else "arith.extsi"

    def value(at: list[str]) -> str:
        own = self.load(factor, at)
        return _rounded(self, own) if kind == "tf32" else self.emit(word, [own], [factor.element], [wide])

    self.fill(other, value)
    return other


def _rounded(self: Flattening, value: str) -> str:
    """A number of f32, rounded to ten bits behind the point, the even one of two."""

    def on(word: str, bits: str, number: int) -> str:
        return self.same(f"arith.{word}", [bits, self.number(number, I32)], I32)

    bits = self.emit("arith.bitcast", [value], [_F32], [I32])
    last = on("andi", on("shrui", bits, 13), 1)
    bits = self.same("arith.addi", [on("addi", bits, 0xFFF), last], I32)
    return self.emit("arith.bitcast", [on("andi", bits, -0x2000)], [I32], [_F32])


def _matrix(self: Flattening, op: Operation, number: int) -> Memory:
    """A factor: a matrix, or one in the form in which neighbours in a column fill 32 bits together."""
    factor = self.vector(op, number)
    if len(factor.shape) == 2:
        return factor
    if len(factor.shape) != 3:
        self.fail(op, "its factors are matrices", INTERPRETED)
    deep, wide, each = factor.shape
    other = self.memory(op, Vector((deep * each, wide) if number == 1 else (deep, wide * each), factor.element))

    def write(at: list[str]) -> None:
        row, column, last = at
        place = [_joined(self, row, each, last), column] if number == 1 else [row, _joined(self, column, each, last)]
        self.store(self.load(factor, at), other, place)

    self.parallel(factor.shape, write)
    return other


@handles("xegpu.convert_layout")
def convert(self: Flattening, op: Operation) -> None:
    self.buffers[op.results[0]] = self.vector(op, 0)


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
        message = f"scattered elements are those of a memref of one dimension, and not of {type_}"
        self.fail(op, message, INTERPRETED)
    if type_.strides not in ((1,), contiguous(type_.shape)):
        self.fail(op, "the memref's elements are neighbours")
    return Places(Memory(op.operands[base], type_), self.vector(op, offsets), chunk)


@handles("xegpu.update_offset")
def move_scattered(self: Flattening, op: Operation) -> None:
    places: Places = _held(self, op, 0, Places, "descriptor of scattered elements")
    by = self.vector(op, 1)
    memory = self.memory(op, Vector(by.shape, by.element))
    self.fill(memory, lambda at: self.same("arith.addi", [self.load(places.offsets, at), self.load(by, at)], INDEX))
    self.values[op.results[0]] = replace(places, offsets=memory)


def _scattered(self: Flattening, op: Operation, first: int, vector: Any) -> tuple[Places, Memory]:
    """Where scattered elements are, from an operand on, and the mask; a vector has as many."""
    if not isinstance(vector, Vector):
        self.fail(op, f"it {'stores' if first else 'gives'} a work-item's number", INTERPRETED)
    held = self.values.get(op.operands[first])
    if isinstance(held, Places):
        places, mask = held, self.vector(op, first + 1)
    else:
        chunk = int(op.attributes.get("chunk_size", 1))
        places, mask = _line(self, op, first, first + 1, chunk, vector.element), self.vector(op, first + 2)
    expected = (*mask.shape, places.chunk) if places.chunk > 1 else mask.shape
    if vector.shape != expected:
        self.fail(op, f"{expected} elements are addressed, and the vector is of {vector.shape}")
    return places, mask


def _chosen(self: Flattening, places: Places, mask: Memory, at: list[str]) -> tuple[str, list[Extent]]:
    """Whether an element is accessed, and where it is; the last index is that in a chunk where there are such."""
    own, rest = (at[:-1], at[-1:]) if places.chunk > 1 else (at, [])
    chosen = self.load(mask, own)
    return chosen, _moved(self, [self.load(places.offsets, own)], rest)


@handles("xegpu.load")
def load_scattered(self: Flattening, op: Operation) -> None:
    places, mask = _scattered(self, op, 0, op.result_types[0])

    def value(at: list[str]) -> str:
        chosen, place = _chosen(self, places, mask, at)
        return self.load_where(chosen, places.source, place)

    self.fill(self.new(op), value)


@handles("xegpu.store")
def store_scattered(self: Flattening, op: Operation) -> None:
    places, mask = _scattered(self, op, 1, op.operand_types[0])
    value = self.vector(op, 0)

    def write(at: list[str]) -> None:
        chosen, place = _chosen(self, places, mask, at)
        self.store_where(chosen, self.load(value, at), places.source, place)

    # one after the other where two offsets may be equal: the last one stays
    self.parallel(value.shape, write)


# Matrices.


@handles("xegpu.create_mem_desc")
def create_matrix(self: Flattening, op: Operation) -> None:
    """A matrix has memory of its own, since what it is of is seen through no other descriptor."""
    _, shape, element = _described(self, op)
    source = op.operands[0]
    if source in self.seen:
        self.fail(op, f"{source} is seen through two descriptors", INTERPRETED)
    self.seen.add(source)
    self.values[op.results[0]] = self.memory(op, Vector(shape, element))


def _part(self: Flattening, op: Operation, number: int, vector: Any) -> tuple[Memory, list[Extent]]:
    """The matrix that an operand is, and where a part of it begins that a vector has."""
    matrix: Memory = _held(self, op, number, Memory, "descriptor of a matrix")
    first = self.mixed(op, "const_offsets", op.operands[number + 1 :])
    if not isinstance(vector, Vector) or not len(matrix.shape) == len(vector.shape) == len(first):
        self.fail(op, "a work-item's part of a matrix is not read", INTERPRETED)
    return matrix, first


@handles("xegpu.load_matrix")
def load_matrix(self: Flattening, op: Operation) -> None:
    matrix, first = _part(self, op, 0, op.result_types[0])
    self.fill(self.new(op), lambda at: self.load(matrix, _moved(self, first, at)))


@handles("xegpu.store_matrix")
def store_matrix(self: Flattening, op: Operation) -> None:
    matrix, first = _part(self, op, 1, op.operand_types[0])
    value = self.vector(op, 0)
    self.parallel(value.shape, lambda at: self.store(self.load(value, at), matrix, _moved(self, first, at)))
