"""tensor and bufferization: operations on tensors as operations on memrefs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from ....mlir.affine import AffineMap
from ....mlir.affine.expressions import Dimension
from ....mlir.text import Block, Memref, Operation, Region, Tensor
from ....mlir.text import Type as MlirType
from ....mlir.text.custom import DYNAMIC as UNWRITTEN
from ....mlir.text.tree import Dense, of_dialect
from ....mlir.text.types import INDEX
from .. import rules
from .bufferization import Bufferization, Handler, Made
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


def _constant(state: Bufferization, op: Operation) -> None:
    value, name = op.attributes.get("value"), op.results[0]
    if not isinstance(op.result_types[0], Tensor):
        state.clone(op)
        return
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
        state.buffers[name] = Splat(number, sizes)
        return
    memref = memref_of(type_)
    total = 1
    for size in sizes:
        total *= size
    if state.may_be_passed(total, type_.element):
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


def _splat(state: Bufferization, op: Operation) -> None:
    type_ = tensor_type(state, op)
    state.buffers[op.results[0]] = Splat(state.name(op.operands[0]), _sizes(state, type_, op.operands[1:]))


def new(state: Bufferization, op: Operation, sizes: tuple[Extent, ...], read: Sequence[str] = ()) -> Buffer:
    """Memory for the result of an operation that has no destination."""
    buffer = state.fresh(op, op.results[0], memref_of(tensor_type(state, op)), sizes, read)
    state.bind(op.results[0], buffer)
    return buffer


def _from_elements(state: Bufferization, op: Operation) -> None:
    type_ = tensor_type(state, op)
    buffer = new(state, op, _sizes(state, type_, ()))
    sizes = [size for size in shape_of(type_) if size is not None]
    for number, name in enumerate(op.operands):
        at: list[str] = []
        for size in reversed(sizes):
            at.insert(0, state.index(number % size))
            number //= size
        _store(state, state.name(name), type_.element, buffer, at)


def _store(state: Bufferization, value: str, type_: MlirType, buffer: Buffer, at: Sequence[str]) -> None:
    operands, types = [value, buffer.name, *at], [type_, buffer.type]
    state.emit("memref.store", operands, types, [])


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


def _generate(state: Bufferization, op: Operation) -> None:
    type_ = tensor_type(state, op)
    buffer = new(state, op, _sizes(state, type_, op.operands))
    by_elements(state, buffer, lambda _: _evaluated(state, op, indices(state, len(shape_of(type_)))))


# Elements and sizes.


def _dim(state: Bufferization, op: Operation) -> None:
    sizes, number = state.sizes(op.operands[0]), state.extent(op.operands[1])
    if not sizes or (isinstance(number, int) and not 0 <= number < len(sizes)):
        state.fail(op, rules.SIZE, f"there is no dimension {number}")
    _give(state, op, sizes[number] if isinstance(number, int) else state.chosen(number, dict(enumerate(sizes))))


def _give(state: Bufferization, op: Operation, extent: Extent) -> None:
    state.renamed[op.results[0]] = state.index(extent)


def _rank(state: Bufferization, op: Operation) -> None:
    _give(state, op, len(state.sizes(op.operands[0])))


def _extract(state: Bufferization, op: Operation) -> None:
    value = state.tensor(op.operands[0])
    if isinstance(value, Splat):
        state.renamed[op.results[0]] = value.number
        return
    at = [state.name(each) for each in op.operands[1:]]
    types = [value.type]
    state.renamed[op.results[0]] = state.emit("memref.load", [value.name, *at], types, [value.type.element])


def _insert(state: Bufferization, op: Operation) -> None:
    value, at = state.name(op.operands[0]), [state.name(each) for each in op.operands[2:]]
    buffer = state.written(op, op.operands[1], op.results[0])
    _store(state, value, buffer.type.element, buffer, at)
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


def _kept(sizes: Sequence[Extent], shape: Sequence[int | None]) -> list[int]:
    """The dimensions that are kept in a part of a smaller rank: those of one element may go."""
    dropped, kept, wanted = len(sizes) - len(shape), list[int](), list(shape)
    for d, size in enumerate(sizes):
        fits = bool(wanted) and (wanted[0] == size if isinstance(size, int) else wanted[0] is None)
        if size == 1 and dropped > 0 and (not fits or len(wanted) < len(sizes) - d):
            dropped -= 1
            continue
        kept.append(d)
        wanted = wanted[1:]
    return kept


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
    known = [each if isinstance(each, int) else None for each in steps]
    type_ = part_of(buffer.type, shape, kept, known)
    name = state.subview(buffer.name, buffer.type, offsets, sizes, steps, type_)
    return Buffer(name, type_, tuple(sizes[d] for d in kept), buffer.root, Slice(buffer.name, place))


def _extract_slice(state: Bufferization, op: Operation) -> None:
    value, type_ = state.tensor(op.operands[0]), tensor_type(state, op)
    if isinstance(value, Splat):
        _, sizes, _ = lists(state, op, 1)
        state.buffers[op.results[0]] = Splat(value.number, tuple(sizes[d] for d in _kept(sizes, shape_of(type_))))
        return
    state.bind(op.results[0], part(state, op, value, 1, type_))


def _insert_slice(state: Bufferization, op: Operation) -> None:
    source, dest = state.tensor(op.operands[0]), op.operands[1]
    result = op.results[0] if op.results else dest
    old = state.tensor(dest)
    is_there = (
        isinstance(source, Buffer)
        and isinstance(old, Buffer)
        and source.root is old.root
        and source.part == Slice(old.name, state.place(op, 2))
    )
    aliases = isinstance(source, Buffer) and isinstance(old, Buffer) and source.root is old.root and not is_there
    if aliases and not op.results:
        assert isinstance(source, Buffer)
        source = state.copied(source)
        aliases = False
    buffer = (
        old
        if not op.results and isinstance(old, Buffer)
        else state.written(op, dest, result, [op.operands[0]] if aliases else ())
    )
    if not (is_there and buffer == old):
        type_ = op.operand_types[0]
        assert isinstance(type_, Tensor)
        target = part(state, op, buffer, 2, type_)
        state.copy(source, target)
    if op.results:
        state.bind(result, buffer)


# Shapes.


def _same(state: Bufferization, op: Operation) -> None:
    """The same memory, of which more or less is known."""
    value, type_ = state.tensor(op.operands[0]), tensor_type(state, op)
    if len(value.sizes) != len(shape_of(type_)):
        state.fail(op, rules.OPERANDS, f"{op.operands[0]} is not cast to {type_}")
    sizes = tuple(a if b is None else b for a, b in zip(value.sizes, shape_of(type_)))
    if isinstance(value, Splat):
        state.buffers[op.results[0]] = Splat(value.number, sizes)
        return
    memref = replace(value.type, shape=shape_of(type_))
    if value.part is None:
        memref = memref_of(Tensor(shape_of(type_), type_.element))
    name = state.emit("memref.cast", [value.name], [value.type], [memref])
    state.bind(op.results[0], Buffer(name, memref, sizes, value.root, value.part))


def _reassociated(state: Bufferization, op: Operation) -> None:
    value, type_ = state.tensor(op.operands[0]), tensor_type(state, op)
    groups = op.attributes.get("reassociation")
    shape = shape_of(type_)
    if not isinstance(groups, tuple):
        state.fail(op, rules.OPERANDS, "reassociation groups dimensions")
    sizes: list[Extent] = []
    attributes = {"reassociation": groups}
    operands: list[str] = []
    if op.name == "tensor.collapse_shape":
        for group in groups:
            total: Extent = 1
            for d in group:
                total = state.arith("muli", total, value.sizes[d])
            sizes.append(total)
    else:
        rest = list(op.operands[1:])
        written = op.attributes.get("static_output_shape")
        for whole, group in zip(value.sizes, groups):
            for d in group:
                size = shape[d]
                if size is None and isinstance(written, tuple):
                    size_: Extent = state.extent(rest.pop(0)) if written[d] == UNWRITTEN else written[d]
                elif size is None:
                    known = 1
                    for other in group:
                        known *= shape[other] or 1
                    size_ = (
                        whole // known
                        if isinstance(whole, int)
                        else state.emit("arith.divsi", [whole, state.index(known)], [INDEX, INDEX], [INDEX])
                    )
                else:
                    size_ = size
                sizes.append(size_)
        operands = [each for each in sizes if isinstance(each, str)]
        attributes["static_output_shape"] = tuple(UNWRITTEN if isinstance(each, str) else each for each in sizes)
        if not groups:
            sizes = [1] * len(shape)
            attributes["static_output_shape"] = tuple(sizes)
    if isinstance(value, Splat):
        state.buffers[op.results[0]] = Splat(value.number, tuple(sizes))
        return
    if value.part is not None and op.name == "tensor.collapse_shape":
        # the elements of a part do not lie one behind the other
        value = state.copied(value)
    memref = memref_of(type_)
    name = state.emit(
        op.name.replace("tensor.", "memref."),
        [value.name, *operands],
        [value.type],
        [memref],
        attributes,
    )
    state.bind(op.results[0], Buffer(name, memref, tuple(sizes), value.root, Slice(value.name, ("shape", name))))


def _reshape(state: Bufferization, op: Operation) -> None:
    source, shape, type_ = state.tensor(op.operands[0]), state.buffer(op.operands[1]), tensor_type(state, op)
    sizes: list[Extent] = []
    for d, size in enumerate(shape_of(type_)):
        if size is not None:
            sizes.append(size)
            continue
        element = shape.type.element
        loaded = state.emit("memref.load", [shape.name, state.index(d)], [shape.type, INDEX], [element])
        sizes.append(loaded if element == INDEX else state.emit("arith.index_cast", [loaded], [element], [INDEX]))
    if isinstance(source, Splat):
        state.buffers[op.results[0]] = Splat(source.number, tuple(sizes))
        return
    source = state.copied(source) if source.part is not None else source
    memref = memref_of(type_)
    name = state.emit("memref.reshape", [source.name, shape.name], [source.type, shape.type], [memref])
    state.bind(op.results[0], Buffer(name, memref, tuple(sizes), source.root, Slice(source.name, ("shape", name))))


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


def _gather(state: Bufferization, op: Operation) -> None:
    """Slices of a tensor at places that another one has."""
    source, places, type_ = state.buffer(op.operands[0]), state.buffer(op.operands[1]), tensor_type(state, op)
    chosen = op.attributes.get("gather_dims")
    if not isinstance(chosen, tuple):
        state.fail(op, rules.OPERANDS, "gather_dims are dimensions")
    batch = len(places.sizes) - 1
    whole: list[Extent] = [1 if d in chosen else size for d, size in enumerate(source.sizes)]
    is_full = len(shape_of(type_)) == batch + len(whole)
    kept = [d for d in range(len(whole)) if is_full or d not in chosen]
    buffer = new(state, op, (*places.sizes[:-1], *(whole[d] for d in kept)), op.operands)

    def body(_: Any) -> str:
        at = indices(state, batch + len(kept))
        offsets = _coordinates(state, places, at[:batch], len(chosen))
        own = dict(zip(kept, at[batch:]))
        full = [offsets[chosen.index(d)] if d in chosen else own[d] for d in range(len(whole))]
        types = [source.type]
        return state.emit("memref.load", [source.name, *full], types, [source.type.element])

    by_elements(state, buffer, body)


def _coordinates(state: Bufferization, places: Buffer, at: Sequence[str], count: int) -> list[str]:
    element = places.type.element
    coordinates = []
    for number in range(count):
        operands = [places.name, *at, state.index(number)]
        loaded = state.emit("memref.load", operands, [places.type], [element])
        cast = loaded if element == INDEX else state.emit("arith.index_cast", [loaded], [element], [INDEX])
        coordinates.append(cast)
    return coordinates


def _scatter(state: Bufferization, op: Operation) -> None:
    """Slices put at places that another tensor has, which are distinct."""
    source, places = state.buffer(op.operands[0]), state.buffer(op.operands[2])
    chosen = op.attributes.get("scatter_dims")
    if not isinstance(chosen, tuple):
        state.fail(op, rules.OPERANDS, "scatter_dims are dimensions")
    buffer = state.written(op, op.operands[1], op.results[0], [op.operands[0], op.operands[2]])
    batch, rank = len(places.sizes) - 1, len(buffer.sizes)
    is_full = len(source.sizes) == batch + rank
    kept = [d for d in range(rank) if is_full or d not in chosen]
    variables = [(state.inliner.name("%i"), INDEX) for _ in source.sizes]
    names = [name for name, _ in variables]
    with state.inner() as out:
        offsets = _coordinates(state, places, names[:batch], len(chosen))
        own = dict(zip(kept, names[batch:]))
        full = [offsets[chosen.index(d)] if d in chosen else own[d] for d in range(rank)]
        element = source.type.element
        loaded = state.emit("memref.load", [source.name, *names], [source.type], [element])
        _store(state, loaded, element, buffer, full)
        out.append(Operation("scf.reduce", [], [], [], [], {}))
    parallel(state, source.sizes, variables, out)
    state.bind(op.results[0], buffer)


def parallel(state: Bufferization, sizes: Sequence[Extent], variables: Any, body: list[Operation]) -> None:
    """A loop over all indices of a shape."""
    count = len(sizes)
    operands = [state.index(0)] * count + [state.index(size) for size in sizes] + [state.index(1)] * count
    attributes = {"operandSegmentSizes": (count, count, count, 0)}
    region = Region([Block("", variables, body)])
    state.emit("scf.parallel", operands, [INDEX] * len(operands), [], attributes, [region])


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
    sizes = tuple(
        size if size is not None else state.emit("memref.dim", [name, state.index(d)], [type_, INDEX], [INDEX])
        for d, size in enumerate(type_.shape)
    )
    return Buffer(name, type_, sizes, root)


def _to_tensor(state: Bufferization, op: Operation) -> None:
    name, type_ = state.name(op.operands[0]), op.operand_types[0]
    if not isinstance(type_, Memref):
        type_ = memref_of(tensor_type(state, op))
    state.bind(op.results[0], passed(state, name, type_, Root(bool(op.attributes.get("writable")))))


def _to_buffer(state: Bufferization, op: Operation) -> None:
    buffer = state.buffer(op.operands[0])
    state.renamed[op.results[0]] = buffer.name


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


def _clone(state: Bufferization, op: Operation) -> None:
    """A copy of a memref."""
    source = memory_of(state, op, 0)
    copy = state.copied(source)
    type_ = op.result_types[0]
    if copy.type != type_:
        copy = replace(copy, name=state.emit("memref.cast", [copy.name], [copy.type], [type_]))
    state.renamed[op.results[0]] = copy.name


def _dealloc(state: Bufferization, op: Operation) -> None:
    """Memory lives as long as the work-group is executed; who retains some owns it only if he did before."""
    if op.results:
        state.fail(op, rules.OPERATION, "no memory has an owner here", "let it retain nothing")


def _call(state: Bufferization, op: Operation) -> None:
    """Calls with tensors are inlined before, where their functions are in the text."""
    if any(isinstance(each, Tensor) for each in (*op.operand_types, *op.result_types)):
        state.fail(op, rules.CALL, f"@{op.callee} is not defined in the text")
    state.clone(op)


def _nothing(state: Bufferization, op: Operation) -> None:
    """Memory lives as long as the work-group is executed."""


HANDLERS: dict[str, Handler] = {
    "func.call": _call,
    "arith.constant": _constant,
    "tensor.empty": _empty,
    "tensor.splat": _splat,
    "tensor.from_elements": _from_elements,
    "tensor.generate": _generate,
    "tensor.dim": _dim,
    "tensor.rank": _rank,
    "tensor.extract": _extract,
    "tensor.insert": _insert,
    "tensor.extract_slice": _extract_slice,
    "tensor.insert_slice": _insert_slice,
    "tensor.parallel_insert_slice": _insert_slice,
    "tensor.cast": _same,
    "tensor.collapse_shape": _reassociated,
    "tensor.expand_shape": _reassociated,
    "tensor.reshape": _reshape,
    "tensor.pad": _pad,
    "tensor.concat": _concat,
    "tensor.gather": _gather,
    "tensor.scatter": _scatter,
    "bufferization.to_tensor": _to_tensor,
    "bufferization.to_buffer": _to_buffer,
    "bufferization.to_memref": _to_buffer,
    "bufferization.alloc_tensor": _empty,
    "bufferization.clone": _clone,
    "bufferization.dealloc": _dealloc,
    "bufferization.dealloc_tensor": _nothing,
    "bufferization.materialize_in_destination": _materialize,
}
