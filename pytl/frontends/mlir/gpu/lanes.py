"""Kernels whose work-items ask for their numbers, exchange values, or wait for each other: one parallel loop behind the
other.

A loop is over the work-items of a work-group, and what stands between two exchanges or barriers is its body. A value
that a later loop needs is in memory of the work-group, with an element for each work-item: to exchange it is to load
the element of another one. So no function of a sub-group is needed, and each backend executes such kernels.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from math import prod

from ....mlir.affine import AffineMap
from ....mlir.affine.expressions import Dimension, Expression, substitute
from ....mlir.text import Complex, Memref, Operation, Region, Scalar, Vector
from ....mlir.text.names import combiner
from ....mlir.text.types import I1, I32, INDEX, Type
from ..hosts import ARITHMETIC, is_workgroup_space
from ..table import having
from ..tree_writer import Extent
from ..types import is_unranked
from .flattening import INTERPRETED, Flattening, Memory

EXCHANGES, _BORDERS, _OF_ITEMS, _OF_GROUP, _NAMED = map(having, ("exchanges", "waits", "number", "uniform", "named"))
_ALLOCATES = having("allocates")
_ACCESSES = {name for name in having("loads", "stores") if name.startswith(("memref.", "vector.", "affine."))}
_UNIFORM = (
    *("arith.", "math.", "index.", "affine.apply", "affine.min", "affine.max"),
    *("memref.dim", "memref.cast", "memref.subview", "memref.get_global"),
)


def has_lanes(kernel: Operation) -> bool:
    """Whether work-items ask for their number, or how many they are, or exchange values."""
    return any(op.name in (*_OF_ITEMS, *EXCHANGES, "gpu.block_dim") for op in kernel.walk())


def obstacle(kernel: Operation) -> Operation | None:
    """The first operation that is none of a work-item on numbers; of arithmetic, if there is no other one."""
    found: list[Operation] = []
    for op in kernel.walk():
        if op is kernel:
            continue
        is_arithmetic = op.name.partition(".")[0] in ARITHMETIC
        types = (*op.operand_types, *op.result_types)
        if op.name in _NAMED:
            continue
        is_read = op.name in having("lane") or is_arithmetic
        if is_read and all(isinstance(of, (Scalar, Complex, Vector, Memref)) or is_unranked(of) for of in types):
            continue
        if not is_arithmetic:
            return op
        found.append(op)
    return found[0] if found else None


@dataclass
class _Step:
    """What each work-item does: an operation, and what writes it for the number of a work-item."""

    op: Operation
    used: Sequence[str]
    write: Callable[[str], None]
    given: Sequence[str] = field(default_factory=tuple)


class _Lanes:
    def __init__(self, target: Flattening, kernel: Operation, sizes: Sequence[int], lanes: int, passed: int) -> None:
        self.target = target
        self.sizes = (*sizes, 1, 1)[:3]
        self.total, self.lanes = prod(sizes), lanes
        self.types: dict[str, Type] = {}
        self.uses: dict[str, int] = {}
        for op in kernel.walk():
            self.types.update(zip(op.results, op.result_types))
            for region in op.regions:
                for block in region.blocks:
                    self.types.update(block.arguments)
            for name in op.operands:
                self.uses[name] = self.uses.get(name, 0) + 1
        self.own: dict[str, Memory] = {}
        """Memory of each work-item, behind each other."""
        arguments = kernel.regions[0].blocks[0].arguments
        self.uniform = {name for name, _ in arguments[:passed]}
        for name, type_ in arguments[passed:]:
            self._take(kernel, name, type_)
        self.held: dict[str, Memory] = {}
        """Where values are: an element for each work-item, or one for all."""
        self.pending: list[_Step] = []
        self.numbers: list[Extent] = [0] * 3
        """Those of the work-item that is written, in x, y and z."""

    # Loops over work-items.

    def flush(self) -> None:
        """Write what has gathered as a loop over the work-items."""
        steps, self.pending = self.pending, []
        if not steps:
            return
        given = dict.fromkeys(name for step in steps for name in step.given)
        used: dict[str, int] = {}
        for step in steps:
            for name in step.used:
                used[name] = used.get(name, 0) + 1
        kept = [name for name in given if self.uses.get(name, 0) > used.get(name, 0)]
        for name in kept:
            self._hold(steps[0].op, name)

        def write(at: str) -> None:
            for name in used:
                if name in self.held and name not in given:
                    self._load(name, at)
                    self.target.out[-1].results = [name]
            for step in steps:
                self.target.op = step.op
                with self.target.fitting(step.op):
                    step.write(at)
            for name in kept:
                self._store(name, name, at)

        self._parallel(write)

    def _parallel(self, write: Callable[[str], None]) -> None:
        """A loop over the work-items, which have a number in each dimension, and one among all."""

        def body(at: list[str]) -> None:
            arith, rest = self.target.arith, list(at)
            number: Extent = 0
            self.numbers = [rest.pop() if size > 1 else 0 for size in self.sizes]
            for each, size in zip(reversed(self.numbers), reversed(self.sizes)):
                number = arith("addi", arith("muli", number, size), each)
            write(self.target.index(number))

        self.target.parallel([size for size in reversed(self.sizes) if size > 1], body)

    def _hold(self, op: Operation, name: str, count: int | None = None) -> Memory:
        """Memory for a value of each work-item, or of so many."""
        if name not in self.held:
            type_ = self.types[name]
            if not isinstance(type_, (Scalar, Vector)):
                self.target.fail(op, f"{name} is {type_}, differs between work-items, and is used behind a barrier")
            whole, element = (type_.shape, type_.element) if isinstance(type_, Vector) else ((), type_)
            self.held[name] = self.target.memory(op, Vector((count or self.total, *whole), element))
        return self.held[name]

    def _load(self, name: str, at: Extent) -> str:
        """A value of the work-item with a number."""
        held = self.held.get(name)
        if held is None:
            return name
        type_, place = self.types[name], _begin(held, at if held.shape[0] == self.total else 0)
        if not isinstance(type_, Vector):
            return self.target.load(held, place)
        operands = [held.name, *map(self.target.index, place)]
        return self.target.emit("vector.load", operands, [held.type], [type_])

    def _store(self, value: str, name: str, at: Extent) -> None:
        """Keep what a value of the work-item with a number is now, in the memory of a name."""
        held, type_ = self.held[name], self.types[name]
        place = _begin(held, at)
        if isinstance(type_, Vector):
            self.target.emit("vector.store", [value, held.name, *map(self.target.index, place)], [type_, held.type])
        else:
            self.target.store(value, held, place)

    def step(self, op: Operation, write: Callable[[str], None], used: Sequence[str] | None = None) -> None:
        names = used if used is not None else [name for inner in op.walk() for name in inner.operands]
        self.pending.append(_Step(op, names, write, op.results))

    # Operations.

    def operations(self, operations: Sequence[Operation]) -> None:
        for op in operations:
            if op.is_broken:
                return
            self.target.op = op
            with self.target.fitting(op):
                self._operation(op)

    def _operation(self, op: Operation) -> None:
        has_borders = any(inner.name in _BORDERS for inner in op.walk())
        if op.name in ("gpu.return", "scf.yield", "gpu.barrier", "xegpu.fence", *_NAMED):
            self.flush()
        elif op.name in EXCHANGES:
            self._exchange(op)
        elif op.name == "scf.for" and has_borders:
            self._for(op)
        elif op.name == "scf.if" and has_borders:
            self._if(op)
        elif has_borders:
            self.target.fail(op, "work-items wait in it, and in scf.for and scf.if alone this is read", INTERPRETED)
        elif op.name in _ALLOCATES:
            self._take(op, op.results[0], op.result_types[0])
        elif op.name == "memref.dealloc":
            pass
        elif self._is_uniform(op):
            self._once(op)
        else:
            self.step(op, lambda at: self._write(op, at))

    def _is_uniform(self, op: Operation) -> bool:
        """Whether an operation gives all work-items the same, and reads no memory."""
        if op.name in _OF_GROUP or op.name == "memref.view":
            return True
        return not op.regions and op.name.startswith(_UNIFORM) and all(name in self.uniform for name in op.operands)

    def _once(self, op: Operation) -> None:
        self.uniform.update(op.results)
        number = self._count(op)
        if number is not None:
            op = replace(op, name="arith.constant", operands=[], operand_types=[], attributes={"value": number})
        value = op.attributes.get("value")
        if op.name == "arith.constant" and isinstance(value, int):
            self.target.known[op.results[0]] = value
        self.target.out.append(op)

    def _count(self, op: Operation) -> int | None:
        """How many work-items or sub-groups an operation asks for; None of any other one."""
        if op.name == "gpu.block_dim":
            return self.sizes[_axis(op)]
        return {"gpu.subgroup_size": self.lanes, "gpu.num_subgroups": -(-self.total // self.lanes)}.get(op.name)

    def _write(self, op: Operation, at: str) -> None:
        """An operation of one work-item."""
        target = self.target
        op = self._accessing(op, at)
        if op.name in _OF_ITEMS:
            self._called(target.index(self._number(op, at)), INDEX, op.results[0])
        elif self._count(op) is not None:
            self._once(op)
        elif op.name in _ALLOCATES:
            self._take(op, op.results[0], op.result_types[0])
        elif op.name == "memref.dealloc":
            pass
        elif op.name == "xegpu.load":
            if not isinstance(op.operand_types[0], Memref) or not isinstance(op.result_types[0], Scalar):
                target.fail(op, "it is no load of an element", INTERPRETED)
            target.load_where(op.operands[-1], target.memref(op, 0), op.operands[1:-1])
            target.named(op)
        elif op.name == "xegpu.store":
            target.store_where(op.operands[-1], op.operands[0], target.memref(op, 1), op.operands[2:-1])
        else:
            regions = []
            for region in op.regions:
                blocks = []
                for block in region.blocks:
                    with target.inner() as out:
                        for each in block.operations:
                            self._write(each, at)
                    blocks.append(replace(block, operations=out))
                regions.append(Region(blocks))
            target.out.append(replace(op, regions=regions) if regions else op)

    def _take(self, op: Operation, name: str, type_: Type) -> None:
        """Memory of the work-group, or of each work-item, which takes an element of what has one for each."""
        if not isinstance(type_, Memref) or is_workgroup_space(type_.space):
            self.uniform.add(name)
            if op.name in _ALLOCATES:
                self.target.out.append(op)
            elif isinstance(type_, Memref):
                self.target.allocated(name, type_)
            return
        shape = tuple(size for size in type_.shape if size is not None)
        if len(shape) < len(type_.shape) or not isinstance(type_.element, Scalar):
            self.target.fail(op, f"a work-item's memory is {type_}, whose size is not known", INTERPRETED)
        self.own[name] = self.target.memory(op, Vector((self.total, *shape), type_.element))

    def _accessing(self, op: Operation, at: str) -> Operation:
        """An operation with a work-item's part of memory that each work-item has for itself."""
        number = next((n for n, name in enumerate(op.operands) if name in self.own), None)
        if number is None:
            return op
        memory = self.own[op.operands[number]]
        if op.name not in _ACCESSES:
            self.target.fail(op, "memory of a work-item is loaded and stored alone", INTERPRETED)
        operands, types, attributes = list(op.operands), list(op.operand_types), dict(op.attributes)
        operands[number : number + 1], types[number : number + 1] = [memory.name, at], [memory.type, INDEX]
        if "operandSegmentSizes" in attributes:
            counts = attributes["operandSegmentSizes"]
            attributes["operandSegmentSizes"] = (*counts[: number + 1], counts[number + 1] + 1, *counts[number + 2 :])
        if isinstance(map_ := attributes.get("permutation_map"), AffineMap):
            attributes["permutation_map"] = AffineMap(("item", *map_.dimensions), (), _behind(map_))
        if isinstance(map_ := attributes.get("map"), AffineMap):
            attributes["map"] = AffineMap(("item", *map_.dimensions), map_.symbols, (Dimension(0), *_behind(map_)))
        return replace(op, operands=operands, operand_types=types, attributes=attributes)

    def _called(self, value: str, type_: Type, name: str) -> None:
        """Give a value the name that the text has for it."""
        true = self.target.number(True, I1)
        self.target.either(true, value, value, type_)
        self.target.out[-1].results = [name]

    def _number(self, op: Operation, at: str) -> Extent:
        """Which work-item one is."""
        arith = self.target.arith
        if op.name == "gpu.lane_id":
            return self._lane(at)
        if op.name == "gpu.subgroup_id":
            return arith("divui", at, self.lanes)
        axis = _axis(op)
        if op.name == "gpu.thread_id":
            return self.numbers[axis]
        group = self.target.emit("gpu.block_id", [], [], [INDEX], {"dimension": "xyz"[axis]})
        return arith("addi", arith("muli", group, self.sizes[axis]), self.numbers[axis])

    def _lane(self, at: str) -> Extent:
        return at if self.total <= self.lanes else self.target.arith("remui", at, self.lanes)

    # Exchanges.

    def _exchange(self, op: Operation) -> None:
        value = op.operands[0]
        if any(value in step.given for step in self.pending):
            self.flush()
        if op.name in ("gpu.subgroup_reduce", "gpu.all_reduce"):
            self._reduce(op, value)
            return
        if op.name == "gpu.shuffle" and self.target.extent(op.operands[2]) != self.lanes:
            self.target.fail(op, f"its width is not the {self.lanes} work-items of a sub-group, or is not known")
        self.step(op, lambda at: self._from(op, value, at), op.operands[1:2])

    def _from(self, op: Operation, value: str, at: str) -> None:
        """What another work-item has, and whether there is one."""
        target, own = self.target, self._lane(at)
        source: Extent = 0
        if op.name == "gpu.rotate":
            offset, width = int(op.attributes["offset"]), int(op.attributes["width"])
            if width < 1 or self.lanes % width:
                target.fail(op, f"its width is {width}, and a sub-group has {self.lanes} work-items")
            begin = target.arith("subi", own, target.arith("remui", own, width))
            turned = target.arith("remui", target.arith("addi", own, offset % width), width)
            source = target.arith("addi", begin, turned)
        elif len(op.operands) > 1:
            distance = target.emit("arith.index_cast", op.operands[1:2], [I32], [INDEX])
            word = {"xor": "xori", "up": "subi", "down": "addi"}.get(op.word_of("mode"))
            source = distance if word is None else target.arith(word, own, distance)
        place = target.arith("addi", target.arith("subi", at, own), source)
        valid = target.all_of([target.compare("ult", source, self.lanes), target.compare("ult", place, self.total)])
        place = target.either(valid, target.index(place), at, INDEX)
        self._called(self._load(value, place), op.result_types[0], op.results[0])
        if len(op.results) > 1:
            self._called(valid, I1, op.results[1])

    def _reduce(self, op: Operation, value: str) -> None:
        """The values of a cluster, or of all work-items, one after the other."""
        target = self.target
        if op.name == "gpu.all_reduce":
            self._hold(op, op.results[0], 1)
            self.flush()
            target.parallel((1,), lambda _: self._store(self._combined(op, value, self.total, 0, 1), op.results[0], 0))
            return
        size = int(op.attributes.get("cluster_size") or self.lanes)
        stride = int(op.attributes.get("cluster_stride", 1))
        if size < 1 or stride < 1 or self.lanes % (size * stride) or self.total % (size * stride):
            target.fail(op, f"clusters of {size} work-items do not make up a sub-group of {self.lanes}")

        def write(at: str) -> None:
            begin = target.arith("subi", at, target.arith("remui", at, size * stride))
            begin = target.arith("addi", begin, target.arith("remui", at, stride))
            self._called(self._combined(op, value, size, begin, stride), op.result_types[0], op.results[0])

        self.step(op, write, ())

    def _combined(self, op: Operation, value: str, count: int, begin: Extent, stride: int) -> str:
        """So many values joined, from a work-item on by steps."""
        type_, arith = op.result_types[0], self.target.arith

        def of(number: Extent) -> str:
            return self._load(value, arith("addi", begin, arith("muli", number, stride)))

        def joined(number: str, carried: str) -> str:
            return self._joined(op, carried, of(arith("addi", number, 1)), type_)

        return of(0) if count == 1 else self.target.over(count - 1, of(0), type_, joined)

    def _joined(self, op: Operation, a: str, b: str, type_: Type) -> str:
        word = op.word_of("op")
        if word:
            element = type_.element if isinstance(type_, Vector) else type_
            name = combiner(word, isinstance(element, Scalar) and element.is_float)
            if name is None:
                self.target.fail(op, f"the reduction {word} of {type_} is not known")
            return self.target.same(name, [a, b], type_)
        block = op.regions[0].blocks[0]
        names = dict(zip((name for name, _ in block.arguments), (a, b)))
        for inner in block.operations[:-1]:
            if inner.regions:
                self.target.fail(inner, "it has a region in a reduction", INTERPRETED)
            renamed = [self.target.new_name() for _ in inner.results]
            operands = [names.get(name, name) for name in inner.operands]
            names.update(zip(inner.results, renamed))
            self.target.out.append(replace(inner, operands=operands, results=renamed))
        return names.get(block.operations[-1].operands[0], block.operations[-1].operands[0])

    # Control flow around exchanges and barriers.

    def _check_alike(self, op: Operation, names: Sequence[str], what: str) -> None:
        if not all(name in self.uniform for name in names):
            self.target.fail(op, f"work-items wait in it, and {what} may differ between them", INTERPRETED)

    def _for(self, op: Operation) -> None:
        """A loop of the work-group. What it carries is in memory, where each work-item has its element."""
        self._check_alike(op, op.operands[:3], "its bounds")
        block = op.regions[0].blocks[0]
        (variable, _), *carried = block.arguments
        self.uniform.add(variable)
        targets = [name for name, _ in carried]
        for name in targets:
            self._hold(op, name)
        self._copy(op.operands[3:], targets)

        def body() -> None:
            self.operations(block.operations)
            self._copy(block.operations[-1].operands, targets)

        region = self.target.body(body, "scf.yield", arguments=[(variable, INDEX)])
        self.target.emit("scf.for", op.operands[:3], [], [], {}, [region])
        self.held.update((name, self.held[target]) for name, target in zip(op.results, targets))

    def _copy(self, names: Sequence[str], targets: Sequence[str]) -> None:
        """Let each work-item put values to its elements of the memory of others; all are read before one is written."""
        self.flush()

        def write(at: str) -> None:
            values = [self._load(name, at) for name in names]
            for value, target in zip(values, targets):
                self._store(value, target, at)

        if targets:
            self._parallel(write)

    def _if(self, op: Operation) -> None:
        self._check_alike(op, op.operands, "its condition")
        if op.results:
            self.target.fail(op, "work-items wait in it, and it gives values", INTERPRETED)
        self.flush()

        def body(operations: Sequence[Operation]) -> None:
            self.operations(operations)
            self.flush()

        blocks = [region.blocks[0] for region in op.regions if region.blocks]
        regions = [self.target.body(partial(body, each.operations), "scf.yield") for each in blocks]
        self.target.emit("scf.if", op.operands, [I1], [], {}, regions)


def _behind(map_: AffineMap) -> tuple[Expression, ...]:
    """The results of a map, for one more dimension in front."""
    moved: dict[Expression, Expression] = {Dimension(d): Dimension(d + 1) for d in range(len(map_.dimensions))}
    return tuple(substitute(each, moved) for each in map_.results)


def _begin(held: Memory, at: Extent) -> list[Extent]:
    """Where an item begins in memory that has one for each work-item."""
    return [at, *[0] * (len(held.shape) - 1)]


def _axis(op: Operation) -> int:
    return "xyz".index(op.word_of("dimension") or "x")


def lanes(target: Flattening, kernel: Operation, sizes: Sequence[int], count: int, passed: int) -> None:
    """Write the body of a kernel whose work-groups have work-items in sub-groups of a number.

    So many of its arguments are `passed`; the others are memory.
    """
    state = _Lanes(target, kernel, sizes, count, passed)
    state.operations(kernel.regions[0].blocks[0].operations)
    state.flush()
