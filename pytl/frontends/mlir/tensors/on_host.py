"""A function of the host on tensors as one on memrefs: what it, its loops and its branches give is memory.

So tensors may have another size in each iteration or region, and a loop may go on as long as elements say.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

from ....diagnostics import Diagnostics
from ....mlir.text import Block, Function, Memref, Operation, Region, Tensor
from ....mlir.text import Type as MlirType
from ..table import Level, having
from .bufferization import Bufferization, Handler, on_tensors
from .buffers import Buffer, Extent, Root, Splat, memref_of
from .functions import Inliner
from .operations import passed

_ENDS = having("ends")
on_host: Level[Handler] = Level("functions of the host on tensors", on_tensors)


class OnHost(Bufferization):
    """Memory is allocated where it is needed, and what is given is memory, too."""

    is_on_host = True
    level = on_host

    def __init__(self, inliner: Inliner, diagnostics: Diagnostics) -> None:
        super().__init__(inliner, diagnostics)
        self.own: list[Buffer] = []
        """What has been allocated in the region that is written, behind what those around it have."""
        self._own_from = 0
        self.escaped: set[Root] = set()
        """Of which there are memrefs, so that it may stay when the region that it was allocated in ends."""

    def with_ranks(self, function: Operation) -> Operation:
        return function

    def on_memrefs(self, function: Operation) -> Operation:
        copy = self.begin(function)
        (block,) = copy.regions[0].blocks
        attributes: Sequence[Any] = copy.attributes.get("arg_attrs") or ({},) * len(block.arguments)
        results, last = copy.attributes["function_type"].results, block.operations[-1:]
        given = list(last[0].operands) if last and last[0].name == "func.return" else []
        destinations = self.destinations(block, given, results, attributes)
        for (name, of), said in zip(block.arguments, attributes):
            self.argument(name, of, name in destinations)
            if _is(of) and name in destinations:
                self.own.append(self.buffer(name))
            if _is(of) and said.get("bufferization.writable") is not True:
                self.arguments.append(name)
        self.operations(block.operations)
        body = replace(block, arguments=_in_memory(block), operations=self.out)
        type_ = Function(tuple(of for _, of in body.arguments), tuple(map(_memory, results)))
        return replace(copy, attributes={**copy.attributes, "function_type": type_}, regions=[Region([body])])

    def copy(self, source: Buffer | Splat, target: Buffer) -> None:
        if isinstance(source, Splat):
            super().copy(source, target)
        elif source.name != target.name:
            self.emit("memref.copy", [source.name, target.name], [source.type, target.type])

    def may_keep(self, argument: str) -> bool:
        return False

    def allocated(self, type_: Memref, sizes: tuple[Extent, ...]) -> Buffer:
        unknown = [self.index(size) for size, known in zip(sizes, type_.shape) if known is None]
        name = self.emit("memref.alloc", unknown, [], [type_], {"operandSegmentSizes": (len(unknown), 0)})
        self.own.append(Buffer(name, type_, sizes, Root(True)))
        return self.own[-1]

    def may_be_passed(self, total: int, element: MlirType) -> bool:
        return False

    @contextmanager
    def inner(self) -> Iterator[list[Operation]]:
        """While a region is written; what has been allocated in it, and is not given, is given back at its end."""
        outer, self._own_from = self._own_from, len(self.own)
        with super().inner() as out:
            yield out
            rest, self.own = self.own[self._own_from :], self.own[: self._own_from]
            last = [out.pop()] if rest and out and out[-1].name in _ENDS else []
            for each in rest:
                if each.root not in self.escaped:
                    self.emit("memref.dealloc", [each.name], [each.type])
            out += last
        self._own_from = outer

    def _new(self, name: str) -> Buffer:
        """A copy of a tensor in memory that is nobody's yet."""
        value = self.tensor(name)
        self.copied(value) if isinstance(value, Buffer) else self.buffer(name)
        return self.own.pop()

    def begun(self, names: Sequence[str], types: Sequence[MlirType]) -> list[str]:
        """What a loop begins with: of tensors copies, which are the loop's."""
        return [self._as(self._new(n), of) if _is(of) else self.name(n) for n, of in zip(names, types)]

    def _as(self, buffer: Buffer, type_: MlirType) -> str:
        memory = _memory(type_)
        return (
            buffer.name if buffer.type == memory else self.emit("memref.cast", [buffer.name], [buffer.type], [memory])
        )

    def _bind_memory(self, name: str, memory: str, type_: MlirType) -> None:
        of = _memory(type_)
        assert isinstance(of, Memref)
        self.own.append(passed(self, memory, of, Root(True)))
        self.bind(name, self.own[-1])

    def written_block(self, block: Block) -> Block:
        """A block, whose arguments that are tensors are its own memory, and whose last operation gives memory."""
        with self.inner() as out:
            for name, type_ in block.arguments:
                if _is(type_):
                    self._bind_memory(name, name, type_)
            self.operations(block.operations[:-1])
            self.end(block.operations[-1])
        return replace(block, arguments=_in_memory(block), operations=out)

    def end(self, last: Operation) -> None:
        """Write the end of a block that gives memory: what has been allocated in it, or a copy."""
        names = []
        for name, of in zip(last.operands, last.operand_types):
            if not _is(of):
                names.append(self.name(name))
                continue
            value = self.tensor(name)
            whole = value if isinstance(value, Buffer) and value.part is None else None
            own = [each for each in self.own[self._own_from :] if whole is not None and each.root is whole.root]
            if own and whole is not None and whole.root not in self.escaped:
                self.own.remove(own[0])
                names.append(self._as(whole, of))
            else:
                names.append(self._as(self._new(name), of))
        self.out.append(replace(last, operands=names, operand_types=[*map(_memory, last.operand_types)]))

    def write(self, op: Operation, operands: Sequence[str], blocks: Sequence[Block]) -> None:
        """Write an operation that gives memory where the text has tensors."""
        results = [self.inliner.name("%b") if _is(of) else name for name, of in zip(op.results, op.result_types)]
        made = replace(op, operands=list(operands), operand_types=[*map(_memory, op.operand_types)], results=results)
        self.out.append(
            replace(made, result_types=[*map(_memory, op.result_types)], regions=[Region([each]) for each in blocks])
        )
        for name, memory, type_ in zip(op.results, results, op.result_types):
            if _is(type_):
                self._bind_memory(name, memory, type_)


def _is(type_: MlirType) -> bool:
    return isinstance(type_, Tensor)


def _memory(type_: MlirType) -> MlirType:
    return memref_of(type_) if isinstance(type_, Tensor) else type_


def _in_memory(block: Block) -> list[tuple[str, MlirType]]:
    return [(name, _memory(of)) for name, of in block.arguments]


def _keeps_size(state: Bufferization, block: Block, number: int) -> bool:
    """Whether a loop's tensor stays as long as it is: its size is written, or each iteration writes it in place."""
    (argument, type_), at = block.arguments[1 + number], block.operations[-1].operands[number]
    if not isinstance(type_, Tensor) or (type_.shape is not None and None not in type_.shape):
        return True
    seen = {at}
    while (op := state.uses.definitions.get(at)) is not None:
        at = state.destination_of(op, at) or ""
        if at in seen:
            break
        seen.add(at)
    return at == argument


@on_host("scf.for", "affine.for")
def _for(state: Bufferization, op: Operation) -> None:
    assert isinstance(state, OnHost)
    (block,) = op.regions[0].blocks
    count = len(block.arguments) - 1
    if all(_keeps_size(state, block, number) for number in range(count)):
        _others(state, op)
        return
    state.write(op, state.begun(op.operands, op.operand_types), [state.written_block(block)])


@on_host("scf.while")
def _while(state: Bufferization, op: Operation) -> None:
    assert isinstance(state, OnHost)
    begun = state.begun(op.operands, op.operand_types)
    state.write(op, begun, [state.written_block(region.blocks[0]) for region in op.regions])


@on_host("scf.if", "scf.index_switch")
def _branches(state: Bufferization, op: Operation) -> None:
    """Each region gives memory of its own, of its own size."""
    assert isinstance(state, OnHost)
    operands = [state.name(each) for each in op.operands]
    state.write(op, operands, [state.written_block(region.blocks[0]) for region in op.regions])


@on_host("func.return")
def _return(state: Bufferization, op: Operation) -> None:
    assert isinstance(state, OnHost)
    state.end(op)


@on_host("tensor.cast")
def _cast(state: Bufferization, op: Operation) -> None:
    type_ = op.result_types[0]
    if isinstance(type_, Tensor) and type_.shape is None:
        state.bind(op.results[0], state.buffer(op.operands[0]))
    else:
        _others(state, op)


@on_host("bufferization.to_buffer", "bufferization.to_memref")
def _to_buffer(state: Bufferization, op: Operation) -> None:
    assert isinstance(state, OnHost)
    buffer = state.buffer(op.operands[0])
    state.escaped.add(buffer.root)
    state.renamed[op.results[0]] = buffer.name


def _others(state: Bufferization, op: Operation) -> None:
    """What is read as in functions that are no host's."""
    handler = on_tensors.get(op.name)
    assert handler is not None
    handler(state, op)


# what takes tensors takes memory, and what takes tensors of any rank, too
on_host("func.call")(Bufferization.clone)
