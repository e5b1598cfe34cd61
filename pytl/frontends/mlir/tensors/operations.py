"""tensor and bufferization: operations on tensors as operations on memrefs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import reduce
from math import prod
from typing import Any

from ....mlir.affine import AffineMap
from ....mlir.affine.expressions import Dimension
from ....mlir.text import Block, Memref, Operation, Region, Tensor
from ....mlir.text import Type as MlirType
from ....mlir.text.custom import DYNAMIC as UNWRITTEN
from ....mlir.text.tree import Dense, of_dialect
from ....mlir.text.types import INDEX
from .. import rules
from ..types import kept_dimensions
from ..values import positions
from .bufferization import Bufferization, Made, on_tensors
from .buffers import Buffer, Extent, Root, Slice, Splat, memref_of, part_of


def tensor_type(state: Bufferization, op: Operation, number: int = 0) -> Tensor:
    """The type of the tensor that an operation gives."""
    type_ = op.result_types[number]
    if not isinstance(type_, Tensor) or type_.shape is None:
        state.fail(op, rules.TYPE, f"{type_} is no tensor with a rank")
    return type_


def shape_of(type_: Tensor) -> tuple[int | None, ...]:
    return type_.shape or ()


def _sizes(state: Bufferization, type_: Tensor, operands: Sequence[str]) -> tuple[Extent, ...]:
    rest = list(operands)
    return tuple(state.extent(rest.pop(0)) if size is None else size for size in shape_of(type_))


# Constants.


@on_tensors("arith.constant")
def _constant(state: Bufferization, op: Operation) -> None:
    value, name = op.attributes.get("value"), op.results[0]
    type_ = tensor_type(state, op)
    sizes = tuple(size if size is not None else 1 for size in shape_of(type_))
    if not isinstance(value, Dense):
        text = getattr(value, "text", "")
        where = "dense_resource names a blob, which is not read" if "resource" in text else ""
        message = where or "the elements of a constant are dense<…>"
        state.fail(op, rules.TENSOR, message, "pass the tensor as an argument")
    if 0 in shape_of(type_) and not state.is_on_host:
        state.fail(op, rules.SIZE, f"{type_} has no elements")
    if not isinstance(value.values, (tuple, complex)):
        number = state.emit("arith.constant", [], [], [type_.element], {"value": value.values})
        state.bind(name, Splat(number, sizes))
        return
    memref = memref_of(type_)
    if state.may_be_passed(prod(sizes), type_.element):
        made = Made(state.inliner.name("%constant"), memref, sizes, value)
        state.hidden.append(made)
        state.bind(name, Buffer(made.name, memref, sizes, Root(False)))
        return
    symbol = state.inliner.name("__constant")
    attributes = {"sym_name": symbol, "type": memref, "constant": True, "initial_value": value}
    state.globals[symbol] = Operation("memref.global", [], [], [], [], attributes, location=op.location)
    got = state.emit("memref.get_global", [], [], [memref], {"name": f"@{symbol}"})
    state.bind(name, Buffer(got, memref, sizes, Root(False)))


# New tensors.


@on_tensors("tensor.empty", "bufferization.alloc_tensor")
def _empty(state: Bufferization, op: Operation) -> None:
    type_ = tensor_type(state, op)
    groups = op.attributes.get("operandSegmentSizes")
    count = groups[0] if isinstance(groups, tuple) else len(op.operands)
    copied = op.operands[count] if isinstance(groups, tuple) and groups[1] else None
    sizes = state.sizes(copied) if copied is not None else _sizes(state, type_, op.operands[:count])
    result = op.results[0]
    if copied is None:
        state.undefined.add(result)
    buffer = state.fresh(op, result, memref_of(type_), sizes, [copied] if copied else [])
    state.bind(result, buffer)
    if copied is not None:
        state.copy(state.buffer(copied), buffer)


@on_tensors("tensor.splat")
def _splat(state: Bufferization, op: Operation) -> None:
    type_ = tensor_type(state, op)
    state.bind(op.results[0], Splat(state.name(op.operands[0]), _sizes(state, type_, op.operands[1:])))


def new(state: Bufferization, op: Operation, sizes: tuple[Extent, ...], read: Sequence[str] = ()) -> Buffer:
    """Memory for the result of an operation that has no destination."""
    buffer = state.fresh(op, op.results[0], memref_of(tensor_type(state, op)), sizes, read)
    state.bind(op.results[0], buffer)
    return buffer


@on_tensors("tensor.from_elements")
def _from_elements(state: Bufferization, op: Operation) -> None:
    shape = [size for size in shape_of(tensor_type(state, op)) if size is not None]
    buffer = new(state, op, tuple(shape))
    for name, at in zip(op.operands, positions(shape)):
        state.store(state.name(name), buffer, at)


def by_elements(
    state: Bufferization,
    buffer: Buffer,
    body: Any,
    inputs: Sequence[tuple[str, MlirType, AffineMap]] = (),
    map_: AffineMap | None = None,
) -> None:
    """Write each element of memory as what `body` gives, for its indices and the elements of inputs.

    With a map of the iterations to the element, those that it has not are a reduction.
    """
    if map_ is None:
        rank = len(buffer.type.shape)
        map_ = AffineMap(tuple(f"d{d}" for d in range(rank)), (), tuple(map(Dimension, range(rank))))
    kinds = ["parallel" if Dimension(d) in map_.results else "reduction" for d in range(len(map_.dimensions))]
    arguments = [(state.inliner.name("%in"), _element(type_)) for _, type_, _ in inputs]
    arguments.append((state.inliner.name("%out"), buffer.type.element))
    with state.inner() as out:
        result = body(arguments)
        yielded = Operation("linalg.yield", [result], [], [buffer.type.element], [], {}, location=state.op.location)
        out.append(yielded)
    attributes = {
        "indexing_maps": (*(of for _, _, of in inputs), map_),
        "iterator_types": tuple(of_dialect("linalg.iterator_type", kind) for kind in kinds),
        "operandSegmentSizes": (len(inputs), 1),
    }
    operands, types = [*(name for name, _, _ in inputs), buffer.name], [*(type_ for _, type_, _ in inputs), buffer.type]
    state.emit("linalg.generic", operands, types, [], attributes, [Region([Block("", arguments, out)])])


def _element(type_: MlirType) -> MlirType:
    return type_.element if isinstance(type_, Memref) else type_


def indices(state: Bufferization, rank: int) -> list[str]:
    """The indices of the iteration that is written."""
    return [state.emit("linalg.index", [], [], [INDEX], {"dim": d}) for d in range(rank)]


def _evaluated(state: Bufferization, op: Operation, at: Sequence[str]) -> str:
    """What a region gives for indices."""
    block = op.regions[0].blocks[0]
    for (name, _), index in zip(block.arguments, at):
        state.renamed[name] = index
    state.operations(block.operations[:-1])
    return state.name(block.operations[-1].operands[0])


@on_tensors("tensor.generate")
def _generate(state: Bufferization, op: Operation) -> None:
    type_ = tensor_type(state, op)
    buffer = new(state, op, _sizes(state, type_, op.operands))
    by_elements(state, buffer, lambda _: _evaluated(state, op, indices(state, len(shape_of(type_)))))


# Elements and sizes.


@on_tensors("tensor.dim")
def _dim(state: Bufferization, op: Operation) -> None:
    sizes, number = state.sizes(op.operands[0]), state.extent(op.operands[1])
    if not sizes or (isinstance(number, int) and not 0 <= number < len(sizes)):
        state.fail(op, rules.SIZE, f"there is no dimension {number}")
    _give(state, op, sizes[number] if isinstance(number, int) else state.chosen(number, dict(enumerate(sizes))))


def _give(state: Bufferization, op: Operation, extent: Extent) -> None:
    state.renamed[op.results[0]] = state.index(extent)


@on_tensors("tensor.rank")
def _rank(state: Bufferization, op: Operation) -> None:
    _give(state, op, len(state.sizes(op.operands[0])))


@on_tensors("tensor.extract")
def _extract(state: Bufferization, op: Operation) -> None:
    value = state.tensor(op.operands[0])
    if isinstance(value, Splat):
        state.renamed[op.results[0]] = value.number
    else:
        state.renamed[op.results[0]] = state.load(value, list(map(state.name, op.operands[1:])))


@on_tensors("tensor.insert")
def _insert(state: Bufferization, op: Operation) -> None:
    value, at = state.name(op.operands[0]), list(map(state.name, op.operands[2:]))
    buffer = state.written(op, op.operands[1], op.results[0])
    state.store(value, buffer, at)
    state.bind(op.results[0], buffer)


# Parts.


_PART = ("static_offsets", "static_sizes", "static_strides")


def lists(state: Bufferization, op: Operation, first: int, names: Sequence[str] = _PART) -> list[tuple[Extent, ...]]:
    """Lists of numbers, for some of which there are operands, from one on: offsets, sizes and steps, or others."""
    rest = list(op.operands[first:])
    found = []
    for name in names:
        static = op.attributes.get(name)
        if not isinstance(static, tuple):
            state.fail(op, rules.OPERANDS, f"{name} is a list of numbers")
        found.append(tuple(state.extent(rest.pop(0)) if each == UNWRITTEN else each for each in static))
    return found


def part(state: Bufferization, op: Operation, buffer: Buffer, first: int, type_: Tensor) -> Buffer:
    """A part of memory, by the lists of an operation."""
    offsets, sizes, steps = lists(state, op, first)
    return part_at(state, buffer, offsets, sizes, steps, shape_of(type_), state.place(op, first))


def part_at(
    state: Bufferization,
    buffer: Buffer,
    offsets: Sequence[Extent],
    sizes: Sequence[Extent],
    steps: Sequence[Extent],
    shape: tuple[int | None, ...],
    place: tuple[object, ...] = (),
) -> Buffer:
    kept = _kept(sizes, shape)
    type_ = part_of(buffer.type, shape, kept, [each if isinstance(each, int) else None for each in steps])
    name = state.subview(buffer.name, buffer.type, offsets, sizes, steps, type_)
    return Buffer(name, type_, tuple(sizes[d] for d in kept), buffer.root, Slice(buffer.name, place))


def _kept(sizes: Sequence[Extent], shape: tuple[int | None, ...]) -> list[int]:
    """The dimensions that are kept in a part; all, where the text is wrong, which is told behind."""
    kept = kept_dimensions(sizes, shape)
    return list(range(len(sizes))) if kept is None else kept


def _seen(state: Bufferization, op: Operation, sizes: tuple[Extent, ...], of: Callable[[Buffer], Buffer]) -> None:
    """Give what a function makes of the memory of a tensor; a constant with one number in all places stays one."""
    value = state.tensor(op.operands[0])
    state.bind(op.results[0], Splat(value.number, sizes) if isinstance(value, Splat) else of(value))


@on_tensors("tensor.extract_slice")
def _extract_slice(state: Bufferization, op: Operation) -> None:
    type_, (_, sizes, _) = tensor_type(state, op), lists(state, op, 1)
    kept = tuple(sizes[d] for d in _kept(sizes, shape_of(type_)))
    _seen(state, op, kept, lambda value: part(state, op, value, 1, type_))


@on_tensors("tensor.insert_slice", "tensor.parallel_insert_slice")
def _insert_slice(state: Bufferization, op: Operation) -> None:
    source, dest, type_ = state.tensor(op.operands[0]), op.operands[1], op.operand_types[0]
    assert isinstance(type_, Tensor)
    old = state.tensor(dest)
    aliases = isinstance(source, Buffer) and isinstance(old, Buffer) and source.root is old.root
    is_there = aliases and source.part == Slice(old.name, state.place(op, 2))  # type: ignore[union-attr]
    aliases = aliases and not is_there
    if op.results:
        buffer = state.written(op, dest, op.results[0], op.operands[:1] if aliases else ())
    else:
        buffer = old if isinstance(old, Buffer) else state.written(op, dest, dest)
        source = state.copied(source) if aliases and isinstance(source, Buffer) else source
    if not (is_there and buffer == old):
        state.copy(source, part(state, op, buffer, 2, type_))
    if op.results:
        state.bind(op.results[0], buffer)


# Shapes.


@on_tensors("tensor.cast")
def _same(state: Bufferization, op: Operation) -> None:
    """The same memory, of which more or less is known."""
    known, type_ = state.sizes(op.operands[0]), tensor_type(state, op)
    if len(known) != len(shape_of(type_)):
        state.fail(op, rules.OPERANDS, f"{op.operands[0]} is not cast to {type_}")
    sizes = tuple(a if b is None else b for a, b in zip(known, shape_of(type_)))

    def cast(value: Buffer) -> Buffer:
        memref = memref_of(type_) if value.part is None else replace(value.type, shape=shape_of(type_))
        name = state.emit("memref.cast", [value.name], [value.type], [memref])
        return Buffer(name, memref, sizes, value.root, value.part)

    _seen(state, op, sizes, cast)


def _reshaped(
    state: Bufferization,
    op: Operation,
    sizes: Sequence[Extent],
    is_copied: bool = True,
    more: Sequence[tuple[str, MlirType]] = (),
    **attributes: Any,
) -> None:
    """The same elements in another shape; of a part, whose elements do not follow each other, those of a copy."""
    memref = memref_of(tensor_type(state, op))

    def view(value: Buffer) -> Buffer:
        value = state.copied(value) if is_copied and value.part is not None else value
        operands, types = [value.name, *(name for name, _ in more)], [value.type, *(of for _, of in more)]
        name = state.emit(op.name.replace("tensor.", "memref."), operands, types, [memref], attributes)
        return Buffer(name, memref, tuple(sizes), value.root, Slice(value.name, ("shape", name)))

    _seen(state, op, tuple(sizes), view)


def _groups(state: Bufferization, op: Operation) -> Sequence[Sequence[int]]:
    groups = op.attributes.get("reassociation")
    if not isinstance(groups, tuple):
        state.fail(op, rules.OPERANDS, "reassociation groups dimensions")
    return groups


@on_tensors("tensor.collapse_shape")
def _collapse(state: Bufferization, op: Operation) -> None:
    groups, sizes, collapsed = _groups(state, op), state.sizes(op.operands[0]), list[Extent]()
    for group in groups:
        collapsed.append(reduce(lambda a, b: state.arith("muli", a, b), (sizes[d] for d in group)))
    _reshaped(state, op, collapsed, reassociation=groups)


@on_tensors("tensor.expand_shape")
def _expand(state: Bufferization, op: Operation) -> None:
    groups, shape = _groups(state, op), shape_of(tensor_type(state, op))
    sizes: list[Extent] = [1 if size is None else size for size in shape]
    if "static_output_shape" in op.attributes:
        (sizes[:],) = lists(state, op, 1, ("static_output_shape",))
    else:
        for whole, group in zip(state.sizes(op.operands[0]), groups):
            known = prod(shape[d] or 1 for d in group)
            for d in group:
                sizes[d] = state.arith("divsi", whole, known) if shape[d] is None else sizes[d]
    static = tuple(UNWRITTEN if isinstance(each, str) else each for each in sizes)
    more = [(each, INDEX) for each in sizes if isinstance(each, str)]
    _reshaped(state, op, sizes, False, more, reassociation=groups, static_output_shape=static)


def _index(state: Bufferization, value: str, type_: MlirType) -> str:
    """An integer as an index."""
    return value if type_ == INDEX else state.emit("arith.index_cast", [value], [type_], [INDEX])


@on_tensors("tensor.reshape")
def _reshape(state: Bufferization, op: Operation) -> None:
    shape, sizes = state.buffer(op.operands[1]), list[Extent]()
    for d, size in enumerate(shape_of(tensor_type(state, op))):
        sizes.append(_index(state, state.load(shape, [d]), shape.type.element) if size is None else size)
    _reshaped(state, op, sizes, more=[(shape.name, shape.type)])


@on_tensors("tensor.pad")
def _pad(state: Bufferization, op: Operation) -> None:
    source, type_ = state.tensor(op.operands[0]), tensor_type(state, op)
    low, high = lists(state, op, 1, ("static_low", "static_high"))
    sizes = tuple(
        size if size is not None else state.arith("addi", state.arith("addi", before, own), after)
        for size, before, own, after in zip(shape_of(type_), low, source.sizes, high)
    )
    buffer = new(state, op, sizes, [op.operands[0]])
    block = op.regions[0].blocks[0]
    value = block.operations[-1].operands[0]
    if len(block.operations) == 1 and value not in dict(block.arguments):
        state.fill(state.name(value), type_.element, buffer)
    else:
        by_elements(state, buffer, lambda _: _evaluated(state, op, indices(state, len(sizes))))
    inner = shape_of(op.operand_types[0]) if isinstance(op.operand_types[0], Tensor) else ()
    target = part_at(state, buffer, low, source.sizes, [1] * len(sizes), inner)
    state.copy(source, target)


@on_tensors("tensor.concat")
def _concat(state: Bufferization, op: Operation) -> None:
    d = op.attributes.get("dim")
    sources, type_ = [state.tensor(name) for name in op.operands], tensor_type(state, op)
    if not isinstance(d, int) or not 0 <= d < len(shape_of(type_)):
        state.fail(op, rules.OPERANDS, f"there is no dimension {d}")
    total: Extent = 0
    for source in sources:
        total = state.arith("addi", total, source.sizes[d])
    sizes = tuple(
        size if size is not None else total if each == d else sources[0].sizes[each]
        for each, size in enumerate(shape_of(type_))
    )
    buffer = new(state, op, sizes, op.operands)
    at: Extent = 0
    for source, of in zip(sources, op.operand_types):
        assert isinstance(of, Tensor)
        offsets: list[Extent] = [at if each == d else 0 for each in range(len(sizes))]
        target = part_at(state, buffer, offsets, source.sizes, [1] * len(sizes), shape_of(of))
        state.copy(source, target)
        at = state.arith("addi", at, source.sizes[d])


def _addressed(
    state: Bufferization, op: Operation, name: str, whole: Buffer, places: Buffer, rank: int
) -> tuple[list[int], Callable[[Sequence[str]], list[str]]]:
    """Which dimensions slices of a tensor have, which are of so many dimensions with those of their places; and where
    an element of theirs is in the tensor."""
    chosen = op.attributes.get(name)
    if not isinstance(chosen, tuple):
        state.fail(op, rules.OPERANDS, f"{name} are dimensions")
    batch, dimensions = len(places.sizes) - 1, range(len(whole.sizes))
    kept = [d for d in dimensions if rank == batch + len(dimensions) or d not in chosen]

    def at(indices: Sequence[str]) -> list[str]:
        found = dict(zip(kept, indices[batch:]))
        for number, d in enumerate(chosen):
            found[d] = _index(state, state.load(places, [*indices[:batch], number]), places.type.element)
        return [found[d] for d in dimensions]

    return kept, at


@on_tensors("tensor.gather")
def _gather(state: Bufferization, op: Operation) -> None:
    """Slices of a tensor at places that another one has."""
    source, places = state.buffer(op.operands[0]), state.buffer(op.operands[1])
    rank = len(shape_of(tensor_type(state, op)))
    kept, at = _addressed(state, op, "gather_dims", source, places, rank)
    own = [1 if d in op.attributes["gather_dims"] else source.sizes[d] for d in kept]
    buffer = new(state, op, (*places.sizes[:-1], *own), op.operands)
    by_elements(state, buffer, lambda _: state.load(source, at(indices(state, rank))))


@on_tensors("tensor.scatter")
def _scatter(state: Bufferization, op: Operation) -> None:
    """Slices put at places that another tensor has, which are distinct."""
    source, places = state.buffer(op.operands[0]), state.buffer(op.operands[2])
    buffer = state.written(op, op.operands[1], op.results[0], [op.operands[0], op.operands[2]])
    _, at = _addressed(state, op, "scatter_dims", buffer, places, len(source.sizes))
    state.parallel(source.sizes, lambda own: state.store(state.load(source, own), buffer, at(own)))
    state.bind(op.results[0], buffer)


# bufferization.


def memory_of(state: Bufferization, op: Operation, number: int) -> Buffer:
    """An operand that is a tensor or a memref."""
    name, type_ = op.operands[number], op.operand_types[number]
    if isinstance(type_, Tensor):
        return state.buffer(name)
    if not isinstance(type_, Memref):
        state.fail(op, rules.TYPE, f"{type_} is no memory")
    return passed(state, state.name(name), type_, Root(True))


def passed(state: Bufferization, name: str, type_: Memref, root: Root) -> Buffer:
    """A memref as the memory of a tensor."""
    return Buffer(name, type_, state.sizes_of(name, type_), root)


@on_tensors("bufferization.to_tensor")
def _to_tensor(state: Bufferization, op: Operation) -> None:
    name, type_ = state.name(op.operands[0]), op.operand_types[0]
    if not isinstance(type_, Memref):
        type_ = memref_of(tensor_type(state, op))
    state.bind(op.results[0], passed(state, name, type_, Root(bool(op.attributes.get("writable")))))


@on_tensors("bufferization.to_buffer", "bufferization.to_memref")
def _to_buffer(state: Bufferization, op: Operation) -> None:
    buffer = state.buffer(op.operands[0])
    state.renamed[op.results[0]] = buffer.name


@on_tensors("bufferization.materialize_in_destination")
def _materialize(state: Bufferization, op: Operation) -> None:
    source = state.buffer(op.operands[0])
    type_ = op.operand_types[1]
    if isinstance(type_, Memref):
        name = state.name(op.operands[1])
        state.copy(source, Buffer(name, type_, source.sizes, Root(True)))
        return
    buffer = state.written(op, op.operands[1], op.results[0], op.operands[:1], keeps=False)
    state.copy(source, buffer)
    state.bind(op.results[0], buffer)


@on_tensors("bufferization.clone")
def _clone(state: Bufferization, op: Operation) -> None:
    """A copy of a memref."""
    source = memory_of(state, op, 0)
    copy = state.copied(source)
    type_ = op.result_types[0]
    if copy.type != type_:
        copy = replace(copy, name=state.emit("memref.cast", [copy.name], [copy.type], [type_]))
    state.renamed[op.results[0]] = copy.name


@on_tensors("bufferization.dealloc")
def _dealloc(state: Bufferization, op: Operation) -> None:
    """Memory lives as long as the work-group is executed; who retains some owns it only if he did before."""
    if op.results:
        state.fail(op, rules.OPERATION, "no memory has an owner here", "let it retain nothing")


@on_tensors("func.call")
def _call(state: Bufferization, op: Operation) -> None:
    """Calls with tensors are inlined before, where their functions are in the text."""
    state.fail(op, rules.CALL, f"@{op.callee} is not defined in the text")


@on_tensors("bufferization.dealloc_tensor")
def _nothing(state: Bufferization, op: Operation) -> None:
    """Memory lives as long as the work-group is executed."""
