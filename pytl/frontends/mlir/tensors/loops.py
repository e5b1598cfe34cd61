"""Loops and branches that carry tensors: what is carried has one memory from the first iteration to the last."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from typing import Any

from ....mlir.text import Block, Memref, Operation, Region, Tensor
from ....mlir.text.types import INDEX
from .. import rules
from .bufferization import Bufferization, on_tensors
from .buffers import Buffer, Extent, Splat, memref_of
from .operations import lists, part_at


def _carried(state: Bufferization, op: Operation, inits: Sequence[str], results: Sequence[str]) -> dict[int, Buffer]:
    """The memory of each carried tensor, by its number."""
    buffers: dict[int, Buffer] = {}
    types = op.operand_types[len(op.operands) - len(inits) :] if inits else []
    for number, (name, type_) in enumerate(zip(inits, types)):
        if isinstance(type_, Tensor):
            result = results[number] if number < len(results) else name
            buffers[number] = state.written(op, name, result)
    return buffers


def _begin(state: Bufferization, arguments: Sequence[str], buffers: dict[int, Buffer]) -> None:
    for number, buffer in buffers.items():
        state.bind(arguments[number], buffer)


def _end(state: Bufferization, given: Sequence[str], buffers: dict[int, Buffer]) -> None:
    """Copy what a region gives to where it is carried, if it is not there."""
    moved: list[tuple[Buffer | Splat, Buffer]] = []
    for number, buffer in buffers.items():
        value = state.tensor(given[number])
        _check_sizes(state, value.sizes, buffer.sizes)
        if not isinstance(value, Buffer) or value.name != buffer.name:
            moved.append((value, buffer))
    state.copy_all(moved)


def _others(buffers: dict[int, Buffer], values: Sequence[str]) -> list[int]:
    return [number for number in range(len(values)) if number not in buffers]


def _without(state: Bufferization, op: Operation, kept: Sequence[int]) -> Operation:
    """An operation with these of its operands."""
    types = [type_ for number, type_ in enumerate(op.operand_types) if number in kept]
    return replace(op, operands=[state.name(op.operands[n]) for n in kept], operand_types=types)


def _block(block: Block, kept: Iterable[int], operations: list[Operation]) -> Block:
    """A block with these of its arguments."""
    return replace(block, arguments=[block.arguments[n] for n in kept], operations=operations)


def _write(
    state: Bufferization,
    op: Operation,
    kept: Sequence[int],
    given: Sequence[int],
    blocks: Sequence[Block],
    buffers: dict[int, Buffer],
    **attributes: Any,
) -> None:
    """Write an operation with these of its operands and results; the memory of the others is known."""
    made = replace(
        _without(state, op, kept),
        results=[op.results[n] for n in given] if op.results else [],
        result_types=[op.result_types[n] for n in given],
        attributes={**op.attributes, **attributes},
        regions=[Region([each]) for each in blocks],
    )
    state.out.append(made)
    for number, buffer in buffers.items():
        if op.results:
            state.bind(op.results[number], buffer)


@on_tensors("scf.for", "affine.for")
def _for(state: Bufferization, op: Operation) -> None:
    block = op.regions[0].blocks[0]
    count = len(op.results) or max(len(block.arguments) - 1, 0)
    first = len(op.operands) - count
    inits = op.operands[first:]
    buffers = _carried(state, op, inits, op.results)
    arguments = [name for name, _ in block.arguments[1:]]
    _begin(state, arguments, buffers)
    last = block.operations[-1] if block.operations else None
    given = list(last.operands) if last is not None and last.name.endswith(".yield") else []
    for number, buffer in buffers.items():
        state.want(given[number], buffer)
    rest = _others(buffers, inits)
    with state.inner() as out:
        state.operations(block.operations[:-1] if given else block.operations)
        if given:
            _end(state, given, buffers)
            assert last is not None
            out.append(_without(state, last, rest))
    made = _block(block, [0, *(1 + n for n in rest)], out)
    sizes = op.attributes.get("operandSegmentSizes")
    is_affine = isinstance(sizes, tuple) and len(sizes) == 3
    segments = {"operandSegmentSizes": (*tuple(sizes or ())[:2], len(rest))} if is_affine else {}
    _write(state, op, [*range(first), *(first + n for n in rest)], rest, [made], buffers, **segments)


def _check_sizes(state: Bufferization, given: Sequence[Extent], there: Sequence[Extent]) -> None:
    """What a region gives has the size of the memory that is there for it."""
    if tuple(given) != tuple(there):
        help = "let each region store to a memref that is passed"
        message = "its regions give tensors that are not known to have the size of what is there for them"
        state.fail(state.op, rules.SIZE, message, help)


@on_tensors("scf.if", "scf.index_switch")
def _branches(state: Bufferization, op: Operation) -> None:
    """scf.if and scf.index_switch: the memory of results is there before a branch is taken."""
    lasts = [region.blocks[0].operations[-1] for region in op.regions]
    buffers: dict[int, Buffer] = {}
    late: list[int] = []
    for number, type_ in enumerate(op.result_types):
        if not isinstance(type_, Tensor):
            continue
        names = [last.operands[number] for last in lasts]
        known = {state.sizes(name) if name in state.buffers else None for name in names}
        sizes = known.pop() if len(known) == 1 else None
        if sizes is None and type_.shape is not None and None not in type_.shape:
            sizes = tuple(size for size in type_.shape if size is not None)
        if sizes is None:
            late.append(number)
        else:
            _claim(state, op, number, sizes, buffers)
    rest = [number for number, type_ in enumerate(op.result_types) if not isinstance(type_, Tensor)]
    outs = []
    for region, last in zip(op.regions, lasts):
        for number, buffer in buffers.items():
            state.want(last.operands[number], buffer)
        with state.inner() as out:
            state.operations(region.blocks[0].operations[:-1])
            _end(state, last.operands, buffers)
            for number in late:
                state.check_known(op, state.sizes(last.operands[number]))
        outs.append(out)
    if late:
        for number in late:
            of_regions = zip(*(state.sizes(last.operands[number]) for last in lasts))
            sizes = tuple(_chosen_size(state, op, each) for each in of_regions)
            state.check_known(op, sizes)
            _claim(state, op, number, sizes, buffers)
        for out, last in zip(outs, lasts):
            with state.inner() as copies:
                for number in late:
                    state.copy(state.tensor(last.operands[number]), buffers[number])
            out += copies
    blocks = [
        replace(region.blocks[0], operations=[*out, _without(state, last, rest)])
        for region, last, out in zip(op.regions, lasts, outs)
    ]
    _write(state, op, range(len(op.operands)), rest, blocks, buffers)


def _claim(
    state: Bufferization, op: Operation, number: int, sizes: tuple[Extent, ...], buffers: dict[int, Buffer]
) -> None:
    """Memory for a result of a branch."""
    type_ = op.result_types[number]
    assert isinstance(type_, Tensor)
    buffers[number] = state.fresh(op, op.results[number], memref_of(type_), sizes)
    if buffers[number].root not in state.claimed:
        state.claimed.append(buffers[number].root)


def _chosen_size(state: Bufferization, op: Operation, sizes: Sequence[Extent]) -> Extent:
    """The size of what a branch gives, of which each region has one. The region of no case is the first one."""
    if len(set(sizes)) == 1:
        return sizes[0]
    chooser = state.name(op.operands[0])
    if op.name == "scf.if":
        return state.either(chooser, state.index(sizes[0]), state.index(sizes[1]), INDEX)
    return state.chosen(chooser, dict(zip(op.attributes["cases"], sizes[1:])), sizes[0])


@on_tensors("scf.execute_region")
def _execute_region(state: Bufferization, op: Operation) -> None:
    *operations, last = op.regions[0].blocks[0].operations
    state.operations(operations)
    for name, given, type_ in zip(op.results, last.operands, op.result_types):
        if isinstance(type_, Tensor):
            value = state.tensor(given)
            if isinstance(value, Buffer):
                state.bind(name, value)
            else:
                state.buffers[name] = value
        else:
            state.renamed[name] = state.name(given)


@on_tensors("scf.while")
def _while(state: Bufferization, op: Operation) -> None:
    before, after = (region.blocks[0] for region in op.regions)
    buffers = _carried(state, op, op.operands, op.results)
    _begin(state, [name for name, _ in before.arguments], buffers)
    condition = before.operations[-1]
    passed: dict[int, Buffer] = {}
    with state.inner() as first:
        state.operations(before.operations[:-1])
        for number, type_ in enumerate(condition.operand_types[1:]):
            if isinstance(type_, Tensor):
                value = state.buffer(condition.operands[1 + number])
                passed[number] = value
                if all(value.root is not each.root for each in buffers.values()):
                    outside = condition.operands[1 + number] not in _defined(before)
                    if not outside:
                        state.fail(op, rules.WHILE, "a tensor that its condition makes is passed on")
        rest = _others(passed, condition.operands[1:])
        first.append(_without(state, condition, [0, *(1 + n for n in rest)]))
    _begin(state, [name for name, _ in after.arguments], passed)
    last = after.operations[-1]
    for number, buffer in buffers.items():
        state.want(last.operands[number], buffer)
    kept = _others(buffers, op.operands)
    with state.inner() as second:
        state.operations(after.operations[:-1])
        _end(state, last.operands, buffers)
        second.append(_without(state, last, kept))
    _write(state, op, kept, rest, [_block(before, kept, first), _block(after, rest, second)], passed)


def _defined(block: Block) -> set[str]:
    return {name for op in block.operations for name in op.results}


_Bounds = Sequence[Sequence[Extent]]
"""Where the variables of a loop begin and end, and their steps; nothing where that is not known."""


@contextmanager
def _iterations(state: Bufferization, variables: Sequence[str], bounds: _Bounds) -> Iterator[None]:
    """While the iterations of a parallel loop are written, each of which has memory of its own."""
    outer = state.own_memory
    state.own_memory = partial(_own_memory, state, outer, list(zip(variables, *bounds)))
    try:
        yield
    finally:
        state.own_memory = outer


def _own_memory(
    state: Bufferization,
    outer: Callable[[Memref, tuple[Extent, ...]], Buffer] | None,
    loop: Sequence[tuple[str, Extent, Extent, Extent]],
    type_: Memref,
    sizes: tuple[Extent, ...],
) -> Buffer:
    """Local memory of the size that it has at most, or the iteration's part of memory for all of them."""
    most = tuple(size for each in sizes if (size := state.most(each)) is not None)
    rank = len(sizes)
    if len(most) == rank and most != sizes:
        whole = state.allocated(memref_of(Tensor(most, type_.element)), most)
        return part_at(state, whole, [0] * rank, sizes, [1] * rank, type_.shape)
    if not loop:
        state.fail(state.op, rules.SIZE, "each iteration needs memory of its own", "allocate it in front of the loop")
    at: list[Extent] = []
    counts: list[Extent] = []
    for variable, low, high, step in loop:
        length = state.arith("subi", high, low)
        counts.append(length if step == 1 else state.arith("ceildivsi", length, step))
        begin = state.arith("subi", variable, low)
        at.append(begin if step == 1 else state.arith("divui", begin, step))
    shape = tuple(each if isinstance(each, int) else None for each in counts)
    memref = memref_of(Tensor((*shape, *type_.shape), type_.element))
    whole = (outer or state.passed)(memref, (*counts, *sizes))
    ones = [1] * len(loop)
    return part_at(state, whole, [*at, *[0] * rank], [*ones, *sizes], [1] * (len(loop) + rank), type_.shape)


@on_tensors("scf.forall")
def _forall(state: Bufferization, op: Operation) -> None:
    """Iterations write parts of what they share, by `parallel_insert_slice` at their end."""
    block = op.regions[0].blocks[0]
    segments = op.attributes.get("operandSegmentSizes")
    count = segments[3] if isinstance(segments, tuple) and len(segments) == 4 else 0
    first = len(op.operands) - count
    buffers = _carried(state, op, op.operands[first:], op.results)
    shared = [name for name, _ in block.arguments[len(block.arguments) - count :]] if count else []
    _begin(state, shared, buffers)
    last = block.operations[-1] if block.operations else None
    ends = last is not None and last.name == "scf.forall.in_parallel"
    variables = [name for name, _ in block.arguments[: len(block.arguments) - count]]
    with (
        _iterations(state, variables, lists(state, op, 0, ("staticLowerBound", "staticUpperBound", "staticStep"))),
        state.inner() as out,
    ):
        state.operations(block.operations[:-1] if ends else block.operations)
        if ends:
            assert last is not None
            for region in last.regions:
                for inner in region.blocks:
                    state.operations(inner.operations)
            out.append(replace(last, regions=[Region([Block("")])]))
    made = _block(block, range(len(block.arguments) - count), out)
    sizes = {"operandSegmentSizes": (*segments[:3], 0)} if isinstance(segments, tuple) else {}
    _write(state, op, range(first), (), [made], buffers, **sizes)


@on_tensors("scf.parallel", "affine.parallel")
def _parallel(state: Bufferization, op: Operation) -> None:
    segments = op.attributes.get("operandSegmentSizes")
    bounds: _Bounds = []
    if op.name == "scf.parallel" and isinstance(segments, tuple):
        names, count = list(map(state.extent, op.operands)), segments[0]
        bounds = [names[:count], names[count : 2 * count], names[2 * count : 3 * count]]
    variables = [name for name, _ in op.regions[0].blocks[0].arguments]
    with _iterations(state, variables, bounds):
        state.clone(op)
