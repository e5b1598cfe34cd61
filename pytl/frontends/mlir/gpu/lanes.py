"""Kernels whose work-items give each other values, or wait for each other: one parallel loop behind the other.

A loop is over the work-items of a work-group, and what stands between two exchanges or barriers is its body. A value
that a later loop needs is in memory of the work-group, with an element for each work-item: to exchange it is to load
the element of another one. So no function of a sub-group is needed, and each backend executes such kernels.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from math import prod

from ....mlir.text import Block, Memref, Operation, Region, Scalar
from ....mlir.text.names import combiner
from ....mlir.text.tree import MALFORMED
from ....mlir.text.types import I1, INDEX, Type, contiguous
from .flattening import Flattening

EXCHANGES = frozenset(
    f"gpu.{word}" for word in ("shuffle", "rotate", "subgroup_broadcast", "subgroup_reduce", "all_reduce")
)
_BORDERS = EXCHANGES | {"gpu.barrier", "xegpu.fence", "xegpu.nbarrier_wait"}
_OF_ITEMS = frozenset(f"gpu.{word}" for word in ("thread_id", "global_id", "lane_id", "subgroup_id"))
_OF_GROUP = frozenset(f"gpu.{word}" for word in ("block_id", "grid_dim", "block_dim", "subgroup_size", "num_subgroups"))
_OTHERS = frozenset(
    (
        *("gpu.return", "gpu.yield", "xegpu.load", "xegpu.store", "scf.for", "scf.if", "scf.yield"),
        *(f"memref.{word}" for word in ("load", "store", "dim", "cast", "subview", "get_global", "atomic_rmw")),
        *(f"memref.{word}" for word in ("alloca", "reinterpret_cast")),
    )
)
_NAMED = frozenset(f"xegpu.{word}" for word in ("alloc_nbarrier", "init_nbarrier", "nbarrier_arrive", "nbarrier_wait"))
_OF_MEMORY = frozenset(("memref.alloc", "memref.dealloc", "memref.view"))
"""Memory that a work-group has."""
_UNIFORM = ("arith.", "math.", "index.", "memref.dim", "memref.cast", "memref.subview", "memref.get_global")
_I32 = Scalar("i32")


def has_lanes(kernel: Operation) -> bool:
    """Whether work-items ask for their number, or exchange values."""
    return any(op.name in _OF_ITEMS or op.name in EXCHANGES for op in kernel.walk())


def obstacle(kernel: Operation) -> Operation | None:
    """The first operation that is none of a work-item on numbers; of arithmetic, if there is no other one."""
    known = _BORDERS | _OF_ITEMS | _OF_GROUP | _OTHERS | _OF_MEMORY
    found: list[Operation] = []
    for op in kernel.walk():
        if op is kernel:
            continue
        is_arithmetic = op.name.partition(".")[0] in ("arith", "math", "index")
        types = (*op.operand_types, *op.result_types)
        if op.name in _NAMED:
            continue
        if (op.name in known or is_arithmetic) and all(isinstance(type_, (Scalar, Memref)) for type_ in types):
            continue
        if not is_arithmetic:
            return op
        found.append(op)
    return found[0] if found else None


@dataclass
class _Held:
    """Where a value is: an element for each work-item, or one for all."""

    memref: str
    type: Memref
    is_one: bool = False


@dataclass
class _Step:
    """What each work-item does: an operation, and what writes it for the number of a work-item."""

    op: Operation
    used: Sequence[str]
    write: Callable[[str], None]
    given: Sequence[str] = field(default_factory=tuple)


class _Lanes:
    def __init__(self, target: Flattening, kernel: Operation, sizes: Sequence[int], lanes: int) -> None:
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
        self.uniform = {name for name, _ in kernel.regions[0].blocks[0].arguments}
        self.held: dict[str, _Held] = {}
        self.pending: list[_Step] = []
        self.numbers: dict[str, int] = {}
        """Constants."""

    # Loops over work-items.

    def flush(self) -> None:
        """Write what has gathered as a loop over the work-items."""
        steps, self.pending = self.pending, []
        if not steps:
            return
        given = {name for step in steps for name in step.given}
        used: dict[str, int] = {}
        for step in steps:
            for name in step.used:
                used[name] = used.get(name, 0) + 1
        kept = [name for name in given if self.uses.get(name, 0) > used.get(name, 0)]
        for name in kept:
            self._hold(steps[0].op, name)

        def write(at: list[str]) -> None:
            for name in used:
                if name in self.held and name not in given:
                    self._load(name, at[0], name)
            for step in steps:
                self.target.location = step.op.location
                with self._fitting(step.op):
                    step.write(at[0])
            for name in kept:
                held = self.held[name]
                self.target.store(name, held.memref, held.type, at)

        self.target.each((self.total,), write)

    def _hold(self, op: Operation, name: str, is_one: bool = False) -> _Held:
        """Memory for a value."""
        if name not in self.held:
            type_ = self.types[name]
            if not isinstance(type_, Scalar):
                self.target.fail(op, f"{name} is {type_}, differs between work-items, and is used behind a barrier")
            shape = (1 if is_one else self.total,)
            memref = Memref(shape, type_, contiguous(shape), 0, "")
            self.held[name] = _Held(self.target.allocated(self.target.name(), memref), memref, is_one)
        return self.held[name]

    def _load(self, name: str, at: str, called: str | None = None) -> str:
        """A value of the work-item with a number."""
        held = self.held.get(name)
        if held is None:
            return name
        place = self.target.index(0) if held.is_one else at
        loaded = self.target.load(held.memref, held.type, [place])
        if called is not None:
            self.target.target.operations[-1].results = [called]
        return loaded

    def step(self, op: Operation, write: Callable[[str], None], used: Sequence[str] | None = None) -> None:
        names = used if used is not None else [name for inner in op.walk() for name in inner.operands]
        self.pending.append(_Step(op, names, write, op.results))

    # Operations.

    def operations(self, operations: Sequence[Operation]) -> None:
        for op in operations:
            if op.is_broken:
                return
            self.target.location = op.location
            with self._fitting(op):
                self._operation(op)

    @contextmanager
    def _fitting(self, op: Operation) -> Iterator[None]:
        """While an operation is written, which no tool has verified."""
        try:
            yield
        except MALFORMED:
            self.target.fail(op, "it has operands, types or attributes that do not fit each other")

    def _operation(self, op: Operation) -> None:
        has_borders = any(inner.name in _BORDERS for inner in op.walk())
        if op.name in ("gpu.return", "scf.yield", "gpu.barrier", "xegpu.fence"):
            self.flush()
        elif op.name in EXCHANGES:
            self._exchange(op)
        elif op.name == "scf.for" and has_borders:
            self._for(op)
        elif op.name == "scf.if" and has_borders:
            self._if(op)
        elif op.name == "memref.dealloc" or op.name in _NAMED:
            self.flush()
        elif op.name == "memref.alloca":
            self.target.fail(op, "each work-item has memory of its own", "the interpreter executes it")
        elif self._is_uniform(op):
            self._once(op)
        else:
            self.step(op, lambda at: self._write(op, at))

    def _is_uniform(self, op: Operation) -> bool:
        """Whether an operation gives all work-items the same, and reads no memory."""
        if op.name in _OF_GROUP or op.name in _OF_MEMORY:
            return True
        return not op.regions and op.name.startswith(_UNIFORM) and all(name in self.uniform for name in op.operands)

    def _once(self, op: Operation) -> None:
        self.uniform.update(op.results)
        value = op.attributes.get("value")
        if op.name == "arith.constant" and isinstance(value, int):
            self.numbers[op.results[0]] = value
        number = self._count(op)
        if number is not None:
            self.numbers[op.results[0]] = number
            op = replace(op, name="arith.constant", operands=[], operand_types=[], attributes={"value": number})
        self.target.target.operations.append(op)

    def _count(self, op: Operation) -> int | None:
        """How many work-items or sub-groups an operation asks for; None of any other one."""
        if op.name == "gpu.block_dim":
            return self.sizes[_axis(op)]
        return {"gpu.subgroup_size": self.lanes, "gpu.num_subgroups": -(-self.total // self.lanes)}.get(op.name)

    def _write(self, op: Operation, at: str) -> None:
        """An operation of one work-item."""
        if op.name in _OF_ITEMS:
            self._called(self._number(op, at), INDEX, op.results[0], op)
        elif self._count(op) is not None:
            self._once(op)
        elif op.name == "xegpu.load":
            self._masked_load(op)
        elif op.name == "xegpu.store":
            memref, place, mask = op.operands[1], op.operands[2:-1], op.operands[-1]
            type_ = op.operand_types[1]
            assert isinstance(type_, Memref)
            self.target.when(mask, lambda: self.target.store(op.operands[0], memref, type_, place))
        else:
            regions = []
            for region in op.regions:
                blocks = []
                for block in region.blocks:
                    with self.target.inner() as target:
                        for each in block.operations:
                            self._write(each, at)
                    blocks.append(replace(block, operations=target.operations))
                regions.append(Region(blocks))
            self.target.target.operations.append(replace(op, regions=regions) if regions else op)

    def _masked_load(self, op: Operation) -> None:
        memref, place, mask = op.operands[0], op.operands[1:-1], op.operands[-1]
        type_, element = op.operand_types[0], op.result_types[0]
        if not isinstance(type_, Memref) or not isinstance(element, Scalar):
            self.target.fail(op, "it is no load of an element", "the interpreter executes it")
        self.target.load_where(mask, memref, type_, place)
        self.target.named(op)

    def _called(self, value: str, type_: Type, name: str, op: Operation) -> None:
        """Give a value the name that the text has for it."""
        if type_ == INDEX:
            operands, made = [value, self.target.index(0)], "arith.addi"
        else:
            true = self.target.number(True, I1)
            operands, made = [true, value, value], "arith.select"
        types = [type_] * 2 if made == "arith.addi" else [I1, type_, type_]
        made_op = Operation(made, operands, [name], types, [type_], {}, location=op.location)
        self.target.target.operations.append(made_op)

    def _number(self, op: Operation, at: str) -> str:
        """Which work-item one is."""
        if op.name == "gpu.lane_id":
            return self._lane(at)
        if op.name == "gpu.subgroup_id":
            return self.target.arith("divui", at, self.target.index(self.lanes))
        axis = _axis(op)
        below, size = prod(self.sizes[:axis]), self.sizes[axis]
        number = at if below == 1 else self.target.arith("divui", at, self.target.index(below))
        if below * size < self.total:
            number = self.target.arith("remui", number, self.target.index(size))
        if op.name == "gpu.thread_id":
            return number
        group = self.target.op("gpu.block_id", [], [], INDEX, {"dimension": "xyz"[axis]})
        return self.target.arith("addi", self.target.arith("muli", group, self.target.index(size)), number)

    def _lane(self, at: str) -> str:
        return at if self.total <= self.lanes else self.target.arith("remui", at, self.target.index(self.lanes))

    # Exchanges.

    def _exchange(self, op: Operation) -> None:
        value = op.operands[0]
        if any(value in step.given for step in self.pending):
            self.flush()
        if op.name in ("gpu.subgroup_reduce", "gpu.all_reduce"):
            self._reduce(op, value)
            return
        if op.name == "gpu.shuffle" and self.numbers.get(op.operands[2]) != self.lanes:
            self.target.fail(op, f"its width is not the {self.lanes} work-items of a sub-group, or is not known")
        self.step(op, lambda at: self._from(op, value, at), op.operands[1:2])

    def _from(self, op: Operation, value: str, at: str) -> None:
        """What another work-item has, and whether there is one."""
        target, own = self.target, self._lane(at)
        if op.name == "gpu.rotate":
            offset, width = int(op.attributes["offset"]), int(op.attributes["width"])
            if width < 1 or self.lanes % width:
                target.fail(op, f"its width is {width}, and a sub-group has {self.lanes} work-items")
            begin = target.arith("subi", own, target.arith("remui", own, target.index(width)))
            turned = target.arith("remui", target.plus(own, offset % width), target.index(width))
            source = target.arith("addi", begin, turned)
        elif op.name == "gpu.subgroup_broadcast":
            source = target.index(0)
            if len(op.operands) > 1:
                source = target.op("arith.index_cast", op.operands[1:2], [_I32], INDEX)
        else:
            distance = target.op("arith.index_cast", op.operands[1:2], [_I32], INDEX)
            word = {"xor": "xori", "up": "subi", "down": "addi"}.get(op.word_of("mode"))
            source = distance if word is None else target.arith(word, own, distance)
        first = target.arith("subi", at, own)
        place = target.arith("addi", first, source)
        valid = target.op(
            "arith.andi",
            [
                target.compare("ult", source, target.index(self.lanes)),
                target.compare("ult", place, target.index(self.total)),
            ],
            [I1, I1],
            I1,
        )
        place = target.op("arith.select", [valid, place, at], [I1, INDEX, INDEX], INDEX)
        self._called(self._load(value, place), op.result_types[0], op.results[0], op)
        if len(op.results) > 1:
            self._called(valid, I1, op.results[1], op)

    def _reduce(self, op: Operation, value: str) -> None:
        """The values of a cluster, or of all work-items, one after the other."""
        type_ = op.result_types[0]
        if op.name == "gpu.all_reduce":
            held = self._hold(op, op.results[0], is_one=True)
            self.flush()

            def total(_: list[str]) -> None:
                zero = self.target.index(0)
                found = self._combined(op, value, type_, self.total, lambda n: n)
                self.target.store(found, held.memref, held.type, [zero])

            self.target.each((1,), total)
            return
        size = int(op.attributes.get("cluster_size") or self.lanes)
        stride = int(op.attributes.get("cluster_stride", 1))
        if size < 1 or stride < 1 or self.lanes % (size * stride) or self.total % (size * stride):
            self.target.fail(op, f"clusters of {size} work-items do not make up a sub-group of {self.lanes}")

        def write(at: str) -> None:
            target = self.target
            span, steps = target.index(size * stride), target.index(stride)
            begin = target.arith("subi", at, target.arith("remui", at, span))
            begin = target.arith("addi", begin, target.arith("remui", at, steps))
            found = self._combined(
                op, value, type_, size, lambda n: target.arith("addi", begin, target.arith("muli", n, steps))
            )
            self._called(found, type_, op.results[0], op)

        self.step(op, write, ())

    def _combined(self, op: Operation, value: str, type_: Type, count: int, place: Callable[[str], str]) -> str:
        first = self._load(value, place(self.target.index(0)))

        def joined(n: str, carried: str) -> str:
            other = self._load(value, place(self.target.plus(n, 1)))
            return self._joined(op, carried, other, type_)

        return first if count == 1 else self.target.over(count - 1, first, type_, joined)

    def _joined(self, op: Operation, a: str, b: str, type_: Type) -> str:
        word = op.word_of("op")
        if word:
            name = combiner(word, isinstance(type_, Scalar) and type_.is_float)
            if name is None:
                self.target.fail(op, f"the reduction {word} of {type_} is not known")
            return self.target.op(name, [a, b], [type_, type_], type_)
        block = op.regions[0].blocks[0]
        names = dict(zip((name for name, _ in block.arguments), (a, b)))
        for inner in block.operations[:-1]:
            if inner.regions:
                self.target.fail(inner, "it has a region in a reduction", "the interpreter executes it")
            renamed = [self.target.name() for _ in inner.results]
            operands = [names.get(name, name) for name in inner.operands]
            names.update(zip(inner.results, renamed))
            self.target.target.operations.append(replace(inner, operands=operands, results=renamed))
        return names.get(block.operations[-1].operands[0], block.operations[-1].operands[0])

    # Control flow around exchanges and barriers.

    def _all_alike(self, op: Operation, names: Sequence[str], what: str) -> None:
        if not all(name in self.uniform for name in names):
            self.target.fail(
                op, f"work-items wait in it, and {what} may differ between them", "the interpreter executes it"
            )

    def _for(self, op: Operation) -> None:
        """A loop of the work-group. What it carries is in memory, where each work-item has its element."""
        self._all_alike(op, op.operands[:3], "its bounds")
        block = op.regions[0].blocks[0]
        (variable, _), *carried = block.arguments
        self.uniform.add(variable)
        targets = [self._hold(op, name) for name, _ in carried]
        self._copy(op, op.operands[3:], targets)
        last = block.operations[-1]
        with self.target.inner() as target:
            self.operations(block.operations)
            self._copy(last, last.operands, targets)
            self.target.op("scf.yield", [], [])
        region = Region([Block("", [(variable, INDEX)], target.operations)])
        self.target.op("scf.for", op.operands[:3], [INDEX] * 3, None, {}, [region])
        self.held.update(zip(op.results, targets))

    def _copy(self, op: Operation, names: Sequence[str], targets: Sequence[_Held]) -> None:
        """Let each work-item put values to its elements; all are read before one is written."""
        self.flush()
        if not targets:
            return

        def write(at: list[str]) -> None:
            values = [self._load(name, at[0]) for name in names]
            for value, held in zip(values, targets):
                self.target.store(value, held.memref, held.type, at)

        self.target.each((self.total,), write)

    def _if(self, op: Operation) -> None:
        self._all_alike(op, op.operands, "its condition")
        if op.results:
            self.target.fail(op, "work-items wait in it, and it gives values", "the interpreter executes it")
        self.flush()
        regions = []
        for region in op.regions:
            if not region.blocks:
                continue
            with self.target.inner() as target:
                self.operations(region.blocks[0].operations)
                self.flush()
                self.target.op("scf.yield", [], [])
            regions.append(Region([Block("", [], target.operations)]))
        self.target.op("scf.if", op.operands, [I1], None, {}, regions)


def _axis(op: Operation) -> int:
    return "xyz".index(op.word_of("dimension") or "x")


def lanes(target: Flattening, kernel: Operation, sizes: Sequence[int], count: int) -> None:
    """Write the body of a kernel whose work-groups have work-items in sub-groups of a number."""
    state = _Lanes(target, kernel, sizes, count)
    state.operations(kernel.regions[0].blocks[0].operations)
    state.flush()
