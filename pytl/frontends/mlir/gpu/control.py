"""scf, gpu, and what has no effect where a work-group does all in the order of the text."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from ....mlir.text import Block, Operation, Region, Vector
from ....mlir.text.types import INDEX, Type
from .flattening import Flattening, Tile, handles, memref_of


@handles(
    *("gpu.barrier", "xegpu.fence", "xegpu.alloc_nbarrier", "xegpu.init_nbarrier"),
    *("xegpu.nbarrier_arrive", "xegpu.nbarrier_wait", "xegpu.prefetch", "xegpu.prefetch_nd"),
    *("gpu.return", "scf.yield", "memref.dealloc"),
)
def nothing(self: Flattening, op: Operation) -> None:
    """What is done once for a work-group is done in the order of the text."""


@handles("gpu.block_id", "gpu.grid_dim")
def number(self: Flattening, op: Operation) -> None:
    """Which work-group one is, and of how many."""
    self.target.operations.append(op)


@handles("gpu.subgroup_id")
def subgroup(self: Flattening, op: Operation) -> None:
    if self.subgroups != 1:
        self.fail(op, "the sub-groups of a work-group do different things", "the interpreter executes it")
    attributes = {"value": 0}
    self.target.operations.append(
        Operation("arith.constant", [], op.results, [], [INDEX], attributes, location=op.location)
    )


def _values(self: Flattening, op: Operation, name: str, type_: Type) -> tuple[list[str], list[Type]]:
    """What carries a value from one iteration to the next: itself, or the offsets of a tile; nothing of a vector."""
    if isinstance(type_, Vector):
        return [], []
    held = self.values.get(name)
    if isinstance(held, Tile):
        return list(held.offsets), [INDEX] * len(held.offsets)
    if held is not None:
        self.fail(op, f"{name} is carried by a loop, which is not read", "the interpreter executes it")
    return [name], [type_]


@handles("scf.for")
def loop(self: Flattening, op: Operation) -> None:
    """A loop. Vectors that it carries are in memory, into which its body copies what it yields."""
    block = _only(self, op, 0)
    names = block.arguments[1:]
    inits, types = op.operands[3:], op.operand_types[3:]
    last = block.operations[-1] if block.operations else None
    yields = last.operands if last is not None and last.name == "scf.yield" else []
    if not len(names) == len(inits) == len(yields):
        self.fail(op, "it carries other numbers of values than it yields")
    operands, operand_types = list(op.operands[:3]), list(op.operand_types[:3])
    arguments: list[tuple[str, Type]] = [block.arguments[0]]
    held: list[Any] = []
    for (name, _), init, type_ in zip(names, inits, types):
        if isinstance(type_, Vector):
            memory, memref = self.memory(op, type_)
            self.copy(self.buffers[init], memory, memref)
            self.buffers[name], self.types[name] = memory, type_
        given, given_types = _values(self, op, init, type_)
        operands += given
        operand_types += given_types
        inside = self.values.get(init)
        new = [name] if inside is None else [self.name() for _ in given]
        if isinstance(inside, Tile):
            self.values[name] = replace(inside, offsets=new)
        self.types[name] = type_
        arguments += list(zip(new if given else [], given_types))
        held.append(inside)
    with self.inner() as target:
        self.block(block.operations)
        self.location = op.location
        result, result_types = _yielded(self, op, yields, [name for name, _ in names], types)
        self.op("scf.yield", result, result_types)
    region = Region([Block("", arguments, target.operations)])
    results: list[str] = []
    for (name, _), outside, type_, tile in zip(names, op.results, types, held):
        self.types[outside] = type_
        if isinstance(type_, Vector):
            self.buffers[outside] = self.buffers[name]
        elif isinstance(tile, Tile):
            offsets = [self.name() for _ in tile.offsets]
            self.values[outside] = replace(tile, offsets=offsets)
            results += offsets
        else:
            results.append(outside)
    if not op.results:
        results = [self.name() for _ in operands[3:]]
    made = Operation(
        op.name, operands, results, operand_types, operand_types[3:], dict(op.attributes), [region],
        location=op.location,
    )  # fmt: skip
    self.target.operations.append(made)


def _yielded(
    self: Flattening, op: Operation, yields: Sequence[str], carried: Sequence[str], types: Sequence[Type]
) -> tuple[list[str], list[Type]]:
    """Copy vectors to where they are carried, all before one is written; the other values, with their types."""
    result: list[str] = []
    result_types: list[Type] = []
    copies: list[tuple[str, str, Vector]] = []
    targets = {self.buffers[name] for name, type_ in zip(carried, types) if isinstance(type_, Vector)}
    for value, name, type_ in zip(yields, carried, types):
        if isinstance(type_, Vector):
            if value not in self.buffers:
                self.fail(op, f"{value} is no vector that is known here")
            source, target = self.buffers[value], self.buffers[name]
            if source == target:
                continue
            if source in targets:
                # what another vector is carried in is written, too
                between, memref = self.memory(op, type_)
                self.copy(source, between, memref)
                source = between
            copies.append((source, target, type_))
            continue
        given, given_types = _values(self, op, value, type_)
        result += given
        result_types += given_types
    for source, target, vector in copies:
        self.copy(source, target, memref_of(vector))
    return result, result_types


@handles("scf.if")
def branch(self: Flattening, op: Operation) -> None:
    """A condition. Vectors that it gives are in memory that both of its regions write."""
    vectors: dict[int, str] = {}
    for position, (name, type_) in enumerate(zip(op.results, op.result_types)):
        self.types[name] = type_
        if isinstance(type_, Vector):
            vectors[position], _ = self.new(op, position)
    regions = []
    kept = [(name, type_) for name, type_ in zip(op.results, op.result_types) if not isinstance(type_, Vector)]
    if any(str(type_).startswith("!") for _, type_ in kept):
        self.fail(op, "it gives a descriptor, which is not read", "the interpreter executes it")
    for number_, region in enumerate(op.regions):
        if not region.blocks:
            continue
        block = _only(self, op, number_)
        last = block.operations[-1] if block.operations else None
        yields = [] if last is None or last.name != "scf.yield" else last.operands
        with self.inner() as target:
            self.block(block.operations)
            values, types = [], []
            for position, (value, type_) in enumerate(zip(yields, op.result_types)):
                if isinstance(type_, Vector):
                    self.copy(self.buffers[value], vectors[position], memref_of(type_))
                else:
                    values.append(value)
                    types.append(type_)
            self.op("scf.yield", values, types)
        regions.append(Region([Block("", [], target.operations)]))
    names = [name for name, _ in kept]
    kept_types: list[Type] = [type_ for _, type_ in kept]
    made = Operation(op.name, op.operands, names, op.operand_types, kept_types, dict(op.attributes), regions)
    made.location = op.location
    self.target.operations.append(made)


def _only(self: Flattening, op: Operation, number_: int) -> Block:
    if number_ >= len(op.regions) or len(op.regions[number_].blocks) != 1:
        self.fail(op, "a region has one block here", "the interpreter executes it")
    return op.regions[number_].blocks[0]
