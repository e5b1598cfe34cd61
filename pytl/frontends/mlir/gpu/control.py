"""scf, gpu, and what has no effect where a work-group does all in the order of the text."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ....mlir.text import Block, Operation, Region, Vector
from ....mlir.text.types import INDEX, Type
from .flattening import INTERPRETED, Flattening, Memory, Tile, handles


@handles(
    *("gpu.barrier", "xegpu.fence", "xegpu.alloc_nbarrier", "xegpu.init_nbarrier"),
    *("xegpu.nbarrier_arrive", "xegpu.nbarrier_wait", "xegpu.prefetch", "xegpu.prefetch_nd"),
    *("gpu.return", "scf.yield", "memref.dealloc"),
)
def nothing(self: Flattening, op: Operation) -> None:
    """What is done once for a work-group is done in the order of the text."""


@handles("gpu.block_id", "gpu.grid_dim", "vector.type_cast")
def unchanged(self: Flattening, op: Operation) -> None:
    """What is alike for all work-items: which work-group one is, and of how many, and memory of vectors."""
    self.out.append(op)


@handles("gpu.subgroup_id")
def subgroup(self: Flattening, op: Operation) -> None:
    if self.subgroups != 1:
        self.fail(op, "the sub-groups of a work-group do different things", INTERPRETED)
    self.emit("arith.constant", [], [], [INDEX], {"value": 0})
    self.named(op)


@handles("scf.for")
def loop(self: Flattening, op: Operation) -> None:
    """A loop. Vectors that it carries are in memory, into which its body copies what it yields."""
    block = _only(self, op, 0)
    variable, *carried = block.arguments
    last = block.operations[-1] if block.operations else None
    yields = last.operands if last is not None and last.name == "scf.yield" else []
    inits = op.operands[3:]
    if not len(carried) == len(inits) == len(yields):
        self.fail(op, "it carries other numbers of values than it yields")
    operands, types = list(op.operands[:3]), list(op.operand_types[:3])
    names: list[str] = []
    results: list[str] = []
    for (name, type_), init, result in zip(carried, inits, op.results or [self.new_name() for _ in inits]):
        if isinstance(type_, Vector):
            memory = self.memory(op, type_)
            self.copy(self.buffers[init], memory)
            self.buffers[name] = self.buffers[result] = memory
            continue
        given, given_types = _values(self, op, init, type_)
        operands += given
        types += given_types
        names += _carried(self, name, init)
        results += _carried(self, result, init)
    with self.inner() as out:
        self.block(block.operations)
        self.op = op
        _yield(self, op, yields, [(self.buffers.get(name), type_) for name, type_ in carried])
    region = Region([Block("", [variable, *zip(names, types[3:])], out)])
    made = replace(op, operands=operands, operand_types=types, results=results, result_types=types[3:])
    self.out.append(replace(made, regions=[region]))


def _values(self: Flattening, op: Operation, name: str, type_: Type) -> tuple[list[str], list[Type]]:
    """What carries a value from one iteration to the next: itself, or the offsets of a tile."""
    held = self.values.get(name)
    if isinstance(held, Tile):
        return list(map(self.index, held.offsets)), [INDEX] * len(held.offsets)
    if held is not None:
        self.fail(op, f"{name} is carried by a loop, which is not read", INTERPRETED)
    return [name], [type_]


def _carried(self: Flattening, name: str, init: str) -> list[str]:
    """The names of what carries a value that is as an initial one."""
    held = self.values.get(init)
    if not isinstance(held, Tile):
        return [name]
    offsets = [self.new_name() for _ in held.offsets]
    self.values[name] = replace(held, offsets=offsets)
    return offsets


def _yield(
    self: Flattening, op: Operation, yields: Sequence[str], targets: Sequence[tuple[Memory | None, Type]]
) -> None:
    """Copy vectors to where they are carried, all before one is written; the other values are yielded."""
    values: list[str] = []
    types: list[Type] = []
    copies: list[tuple[Memory, Memory]] = []
    written = [memory for memory, _ in targets]
    for value, (target, type_) in zip(yields, targets):
        if not isinstance(type_, Vector) or target is None:
            given, given_types = _values(self, op, value, type_)
            values += given
            types += given_types
            continue
        if value not in self.buffers:
            self.fail(op, f"{value} is no vector that is known here")
        source = self.buffers[value]
        if source != target and source in written:
            # what another vector is carried in is written, too
            between = self.memory(op, type_)
            self.copy(source, between)
            source = between
        if source != target:
            copies.append((source, target))
    for source, target in copies:
        self.copy(source, target)
    self.emit("scf.yield", values, types)


@handles("scf.if")
def branch(self: Flattening, op: Operation) -> None:
    """A condition. Vectors that it gives are in memory that both of its regions write."""
    vectors = {n: self.new(op, n) for n, type_ in enumerate(op.result_types) if isinstance(type_, Vector)}
    kept = [n for n in range(len(op.result_types)) if n not in vectors]
    if any(str(op.result_types[n]).startswith("!") for n in kept):
        self.fail(op, "it gives a descriptor, which is not read", INTERPRETED)
    targets = [(vectors.get(n), type_) for n, type_ in enumerate(op.result_types)]
    regions = []
    for number_, region in enumerate(op.regions):
        if not region.blocks:
            continue
        block = _only(self, op, number_)
        last = block.operations[-1] if block.operations else None
        with self.inner() as out:
            self.block(block.operations)
            self.op = op
            _yield(self, op, last.operands if last is not None and last.name == "scf.yield" else [], targets)
        regions.append(Region([Block("", [], out)]))
    results, types = [op.results[n] for n in kept if op.results], [op.result_types[n] for n in kept]
    self.out.append(replace(op, results=results, result_types=types, regions=regions))


def _only(self: Flattening, op: Operation, number_: int) -> Block:
    if number_ >= len(op.regions) or len(op.regions[number_].blocks) != 1:
        self.fail(op, "a region has one block here", INTERPRETED)
    return op.regions[number_].blocks[0]
