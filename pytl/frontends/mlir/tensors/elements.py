"""Element-wise arithmetic on tensors, and linalg on them."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from ....mlir.affine import AffineMap
from ....mlir.affine.expressions import Dimension
from ....mlir.text import Block, Memref, Operation, Region, Tensor
from ....mlir.text import Type as MlirType
from .. import rules
from ..table import having, of_dialects
from .bufferization import Bufferization, on_tensors
from .buffers import FLOATS, Buffer, Extent, Splat, memref_of
from .operations import by_elements, indices, lists, memory_of, tensor_type

_WITHOUT_OLD = having("overwrites")


def _identity(rank: int) -> AffineMap:
    return AffineMap(tuple(f"d{d}" for d in range(rank)), (), tuple(map(Dimension, range(rank))))


@on_tensors("tensor.bitcast", *(name for name in of_dialects("arith", "math", "complex") if name != "arith.constant"))
def _elementwise(state: Bufferization, op: Operation) -> None:
    """The operation on each element, once for each result."""
    is_choice = op.name == "arith.select" and not isinstance(op.operand_types[0], Tensor)
    if is_choice and len({state.sizes(name) for name in op.operands[1:]}) > 1:
        _select_by_branch(state, op)
        return
    for number in reversed(range(len(op.results))):
        _applied_to_each(state, op, number)


def _select_by_branch(state: Bufferization, op: Operation) -> None:
    """One of two tensors of other sizes."""
    (condition, *given), (of, *types) = op.operands, op.operand_types
    op.name, op.operands, op.operand_types = "scf.if", [condition], [of]
    ends = [Operation("scf.yield", [name], [], [type_], [], {}) for name, type_ in zip(given, types)]
    op.regions = [Region([Block("", [], [end])]) for end in ends]
    state.rewrite(op)


def _applied_to_each(state: Bufferization, op: Operation, number: int) -> None:
    """An operation for one of its results; the first one, which is written last, may overwrite the operands."""
    result, type_, is_last = op.results[number], tensor_type(state, op, number), number == 0
    tensors = [name for name, of in zip(op.operands, op.operand_types) if isinstance(of, Tensor)]
    values = [state.tensor(name) for name in tensors]
    rank = len(type_.shape or ())
    inputs: list[tuple[str, MlirType, AffineMap]] = []
    nowhere = AffineMap(_identity(rank).dimensions, (), ())
    for operand, of in zip(op.operands, op.operand_types):
        if not isinstance(of, Tensor):
            inputs.append((state.name(operand), of, nowhere))
        elif isinstance(value := state.tensor(operand), Splat):
            inputs.append((value.number, of.element, nowhere))
        else:
            inputs.append((value.name, value.type, _identity(rank)))
    buffer = _in_place(state, op, result, tensors, type_) if is_last else None
    if buffer is None:
        buffer = state.fresh(op, result, memref_of(type_), values[0].sizes, () if is_last else tensors)

    def body(arguments: Any) -> str:
        names = [name for name, _ in arguments[:-1]]
        types = [of for _, of in arguments[:-1]]
        elements = [tensor_type(state, op, n).element for n in range(len(op.results))]
        state.emit(op.name.replace("tensor.", "arith."), names, types, elements, dict(op.attributes))
        return state.out[-1].results[number]

    by_elements(state, buffer, body, inputs)
    state.bind(result, buffer)


def _in_place(state: Bufferization, op: Operation, result: str, tensors: list[str], type_: Tensor) -> Buffer | None:
    """The memory of an operand that nobody reads any more."""
    if result in state.wanted:
        return None
    for name in tensors:
        value = state.tensor(name)
        is_whole = isinstance(value, Buffer) and value.part is None and value.type == memref_of(type_)
        if isinstance(value, Buffer) and is_whole and value.root.is_writable and state.is_free(value.root, op):
            return value
    return None


@on_tensors(*(name for name in of_dialects("linalg") if name not in having("several")))
def _structured(state: Bufferization, op: Operation) -> None:
    """An operation of linalg: its outputs are memrefs, in place where that is possible."""
    segments = op.attributes.get("operandSegmentSizes")
    count = segments[0] if isinstance(segments, tuple) else len(op.operands) - max(len(op.result_types), 1)
    maps = op.attributes.get("indexing_maps")
    maps = list(maps) if isinstance(maps, tuple) and len(maps) == len(op.operands) else None
    operands = list(zip(op.operands, op.operand_types))
    moved = [
        name for n, (name, of) in enumerate(operands[:count]) if isinstance(of, Tensor) and not _reads_in_place(op, n)
    ]
    given: list[tuple[str, MlirType]] = []
    outputs: list[tuple[str, Buffer]] = []
    for number, (name, of) in enumerate(operands):
        if not isinstance(of, Tensor):
            given.append((state.name(name), of))
        elif number >= count:
            result = op.results[number - count] if number - count < len(op.results) else f"{name}_unused"
            outputs.append((result, state.written(op, name, result, moved, _accumulates(op, number))))
            given.append((outputs[-1][1].name, outputs[-1][1].type))
        elif isinstance(value := state.tensor(name), Splat) and _may_be_number(op, maps, number, count):
            given.append((value.number, of.element))
            if maps is not None:
                maps[number] = AffineMap(maps[number].dimensions, (), ())
        else:
            buffer = state.buffer(name)
            given.append((buffer.name, buffer.type))
    attributes = dict(op.attributes) if maps is None else {**op.attributes, "indexing_maps": tuple(maps)}
    regions = [state.region(each) for each in op.regions]
    state.emit(op.name, [name for name, _ in given], [of for _, of in given], [], attributes, regions)
    for result, buffer in outputs:
        state.bind(result, buffer)


def _may_be_number(op: Operation, maps: list[AffineMap] | None, number: int, count: int) -> bool:
    """Whether an input's shape says nothing that other operands don't."""
    if maps is None:
        return op.name in _WITHOUT_OLD and op.name not in ("linalg.transpose", "linalg.broadcast")
    if op.name not in ("linalg.generic", "linalg.elementwise"):
        return False
    others = [
        each for n, each in enumerate(maps) if n != number and (n >= count or isinstance(op.operand_types[n], Tensor))
    ]
    return len({each for map_ in others for each in map_.results if isinstance(each, Dimension)}) == len(
        maps[0].dimensions
    )


def _reads_in_place(op: Operation, number: int) -> bool:
    """Whether each element of an input is read before it alone is written."""
    maps = op.attributes.get("indexing_maps")
    if op.name in _WITHOUT_OLD and not maps:
        return op.name not in ("linalg.transpose", "linalg.broadcast")
    if op.name not in ("linalg.generic", "linalg.elementwise") or not isinstance(maps, tuple):
        return False
    if any(inner.name in ("tensor.extract", "memref.load") for inner in op.walk()):
        return False
    identity = _identity(len(maps[0].dimensions)).results
    return maps[number].results == identity and all(map_.results == identity for map_ in maps[-_count(op) :])


def _count(op: Operation) -> int:
    return max(len(op.result_types), 1)


def _accumulates(op: Operation, number: int) -> bool:
    """Whether an operation reads what an output has."""
    if op.name in _WITHOUT_OLD:
        return False
    if op.name != "linalg.generic":
        return True
    block = op.regions[0].blocks[0]
    name = block.arguments[number][0]
    maps = op.attributes.get("indexing_maps")
    whole = isinstance(maps, tuple) and len(maps[number].results) == len(maps[number].dimensions)
    return not whole or any(name in inner.operands for inner in op.walk())


# What becomes several operations.


@on_tensors("linalg.softmax")
def _softmax(state: Bufferization, op: Operation) -> None:
    """exp(x - max x) by its sum, over one dimension."""
    source = memory_of(state, op, 0)
    d = op.attributes.get("dimension")
    rank = len(source.sizes)
    if str(source.type.element) not in FLOATS:
        state.fail(op, rules.OPERANDS, f"its elements are {source.type.element}, and no floating point numbers")
    if not isinstance(d, int) or not 0 <= d < rank:
        state.fail(op, rules.OPERANDS, f"there is no dimension {d}")
    target = (
        state.written(op, op.operands[1], op.results[0], (), keeps=False) if op.results else memory_of(state, op, 1)
    )
    element, whole = source.type.element, _identity(rank)
    kept = [each for each in range(rank) if each != d]
    rows = AffineMap(whole.dimensions, (), tuple(map(Dimension, kept)))
    shape, sizes = tuple(source.type.shape[each] for each in kept), tuple(source.sizes[each] for each in kept)

    def binary(name: str, a: str, b: str) -> str:
        return state.same(name, [a, b], element)

    def reduced(word: str, start: float, of: Buffer) -> Buffer:
        made = state.allocated(memref_of(Tensor(shape, element)), sizes)
        number = state.emit("arith.constant", [], [], [element], {"value": start})
        state.fill(number, element, made)
        by_elements(
            state, made, lambda names: binary(word, names[1][0], names[0][0]), [(of.name, of.type, whole)], rows
        )
        return made

    largest = reduced("arith.maximumf", float("-inf"), source)

    def raised(names: Any) -> str:
        return state.same("math.exp", [binary("arith.subf", names[0][0], names[1][0])], element)

    by_elements(state, target, raised, [(source.name, source.type, whole), (largest.name, largest.type, rows)])
    total = reduced("arith.addf", 0.0, target)
    divided = [(target.name, target.type, whole), (total.name, total.type, rows)]
    by_elements(state, target, lambda names: binary("arith.divf", names[0][0], names[1][0]), divided)
    if op.results:
        state.bind(op.results[0], target)


def _packing(state: Bufferization, op: Operation) -> tuple[list[int], list[int], list[Extent], list[str]]:
    """The dimensions with tiles, the order of the outer ones, the sizes of tiles, and the padding."""
    groups = op.attributes.get("operandSegmentSizes")
    places = op.attributes.get("inner_dims_pos")
    if not isinstance(places, tuple) or not isinstance(groups, tuple):
        state.fail(op, rules.OPERANDS, "inner_dims_pos is a list")
    padding = op.operands[2 : 2 + groups[2]]
    (tiles,) = lists(state, op, 2 + groups[2], ("static_inner_tiles",))
    packed = op.operand_types[1] if op.name == "linalg.pack" else op.operand_types[0]
    rank = len(packed.shape) - len(tiles) if isinstance(packed, (Tensor, Memref)) and packed.shape else 0
    order = list(op.attributes.get("outer_dims_perm") or range(rank))
    return list(places), order, list(tiles), padding


def _packing_target(state: Bufferization, op: Operation) -> Buffer:
    """What a pack or an unpack writes, all of it."""
    source, given = op.operand_types[:2]
    if isinstance(source, (Tensor, Memref)) and isinstance(given, (Tensor, Memref)) and source.element != given.element:
        state.fail(op, rules.OPERANDS, f"elements of {source.element} are put to {given.element}")
    if not op.results:
        return memory_of(state, op, 1)
    return state.written(op, op.operands[1], op.results[0], op.operands[:1], keeps=False)


@on_tensors("linalg.pack")
def _pack(state: Bufferization, op: Operation) -> None:
    places, order, tiles, padding = _packing(state, op)
    source, target = memory_of(state, op, 0), _packing_target(state, op)

    def body(_: Any) -> str:
        at = indices(state, len(target.sizes))
        where: list[Extent] = [at[order.index(d)] for d in range(len(order))]
        for d, tile, inner in zip(places, tiles, at[len(order) :]):
            where[d] = state.arith("addi", state.arith("muli", where[d], tile), inner)
        if not padding:
            return state.load(source, where)
        # the padding is beyond the end
        inside = state.all_of([state.compare("slt", where[d], source.sizes[d]) for d in places])
        element = [source.type.element]
        return state.when(inside, lambda: [state.load(source, where)], lambda: [state.name(padding[0])], element)

    by_elements(state, target, body)
    if op.results:
        state.bind(op.results[0], target)


@on_tensors("linalg.unpack")
def _unpack(state: Bufferization, op: Operation) -> None:
    places, order, tiles, _ = _packing(state, op)
    source, target = memory_of(state, op, 0), _packing_target(state, op)

    def body(_: Any) -> str:
        at: list[Extent] = [*indices(state, len(target.sizes))]
        inner = [state.arith("remui", at[d], tile) for d, tile in zip(places, tiles)]
        for d, tile in zip(places, tiles):
            at[d] = state.arith("divui", at[d], tile)
        return state.load(source, [*(at[d] for d in order), *inner])

    by_elements(state, target, body)
    if op.results:
        state.bind(op.results[0], target)


@on_tensors("vector.mask")
def _masked(state: Bufferization, op: Operation) -> None:
    """A vector whose lanes are written to a tensor where a mask is set."""
    if not any(isinstance(each, Tensor) for each in op.result_types):
        state.clone(op)
        return
    written, end = op.regions[0].blocks[0].operations
    state.rewrite(written)
    body = [state.out.pop(), replace(end, operands=[], operand_types=[])]
    mask = replace(
        op, operands=[state.name(op.operands[0])], results=[], result_types=[], regions=[Region([Block("", [], body)])]
    )
    state.out.append(mask)
    state.bind(op.results[0], state.buffer(written.results[0]))


@on_tensors("vector.transfer_write", "vector.scatter")
def _vector_written(state: Bufferization, op: Operation) -> None:
    """A vector that is written to a tensor."""
    at = 0 if op.name == "vector.scatter" else 1
    buffer = state.written(op, op.operands[at], op.results[0])
    operands = [buffer.name if n == at else state.name(each) for n, each in enumerate(op.operands)]
    types = [*op.operand_types[:at], buffer.type, *op.operand_types[at + 1 :]]
    state.out.append(replace(op, operands=operands, operand_types=types, results=[], result_types=[]))
    state.bind(op.results[0], buffer)
