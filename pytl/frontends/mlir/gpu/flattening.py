"""A kernel of gpu on vectors of a sub-group, or of a work-group, as a function on memrefs.

Each vector is in memory of the work-group, and an operation on vectors is a parallel loop over elements. All that a
kernel does is done once for a work-group: `lanes.py` has those whose work-items ask for their number.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from math import prod
from typing import Any, NoReturn

from ....diagnostics import Diagnostics
from ....mlir.text import Memref, Opaque, Operation, Scalar, Vector
from ....mlir.text.tree import DYNAMIC, MALFORMED, Raw
from ....mlir.text.types import contiguous
from .. import rules
from ..context import Refused
from ..hosts import ARITHMETIC
from ..table import Level
from ..tree_writer import Extent, TreeWriter
from ..vector_forms import Unfit

MAX_ELEMENTS = 1 << 16
"""Of a vector, as memory of a work-group has it."""
INTERPRETED = "the interpreter executes it"
"""What is done instead of what other backends have no code for."""


@dataclass(frozen=True)
class Memory:
    """A memref of numbers: that of a vector, or one of the text."""

    name: str
    type: Memref

    @property
    def shape(self) -> tuple[int, ...]:
        """The sizes that are known, which are all of a vector."""
        return tuple(size for size in self.type.shape if size is not None)

    @property
    def element(self) -> Scalar:
        assert isinstance(self.type.element, Scalar)
        return self.type.element


@dataclass(frozen=True)
class Tile:
    """A descriptor of blocks: a matrix in memory, and the block's offsets in it."""

    source: Memory
    offsets: Sequence[Extent]
    block: tuple[int, ...]
    is_checked: bool
    count: int


@dataclass(frozen=True)
class Places:
    """A descriptor of scattered elements: a line of memory, and a vector of offsets."""

    source: Memory
    offsets: Memory
    chunk: int


Handler = Callable[["Flattening", Operation], None]
handles: Level[Handler] = Level("kernels of gpu")


class Flattening(TreeWriter):
    """Rewrites one kernel."""

    def __init__(self, kernel: Operation, diagnostics: Diagnostics, subgroups: int | None) -> None:
        super().__init__(kernel)
        self.diagnostics = diagnostics
        self.subgroups = subgroups
        """How many sub-groups a work-group has, if that is known."""
        self.buffers: dict[str, Memory] = {}
        """The memory of each vector."""
        self.values: dict[str, Any] = {}
        """Descriptors; a matrix is memory."""
        self.heads: list[Operation] = []
        """Constants that are indices and memory, which are written at the function's top."""
        self.mask: Memory | None = None
        """Of the operation that is being written, which lanes vector.mask has it executed for."""
        self.seen: set[str] = set()
        """Memory that a descriptor of a matrix is of."""
        self._constants: dict[int, str] = {}
        self._count = 0

    def fail(self, op: Operation, message: str, help: str | None = None) -> NoReturn:
        self.diagnostics.report(rules.GPU, f"{op.name}: {message}", op.location, help)
        raise Refused

    @contextmanager
    def fitting(self, op: Operation) -> Iterator[None]:
        """While an operation is read, which no tool has verified."""
        try:
            yield
        except Unfit as problem:
            self.fail(op, problem.message)
        except MALFORMED:
            self.fail(op, "it has operands, types or attributes that do not fit each other")

    # Writing.

    def new_name(self) -> str:
        self._count += 1
        return f"%of_kernel_{self._count}"

    def shape_of_mask(self) -> tuple[int, ...] | None:
        """The shape of the vector.mask around an operation, if there is one."""
        return None if self.mask is None else self.mask.shape

    def index(self, extent: Extent) -> str:
        if isinstance(extent, str):
            return extent
        if extent not in self._constants:
            outer, self.out = self.out, self.heads
            self._constants[extent] = super().index(extent)
            self.out = outer
        return self._constants[extent]

    def number(self, value: Any, type_: Scalar) -> str:
        return self.emit("arith.constant", [], [], [type_], {"value": value})

    def extent(self, name: str) -> Extent:
        """An index, as a number where it is one."""
        return self.known.get(name, name)

    def mixed(self, op: Operation, attribute: str, operands: Sequence[str]) -> list[Extent]:
        """Numbers, for some of which there are operands; the operands alone where the attribute has none."""
        numbers, rest = op.attributes.get(attribute), list(map(self.extent, operands))
        return [rest.pop(0) if number == DYNAMIC else number for number in numbers] if numbers else rest

    def load_where(self, condition: str, memory: Memory, at: Sequence[Extent], otherwise: str | None = None) -> str:
        """An element where a condition holds, else another number, or 0."""
        element = memory.element
        zero = 0.0 if element.is_float else 0
        return self.when(
            condition,
            lambda: [self.load(memory, at)],
            lambda: [self.number(zero, element) if otherwise is None else otherwise],
            [element],
        )

    def store_where(self, condition: str, value: str, memory: Memory, at: Sequence[Extent]) -> None:
        self.when(condition, lambda: self.store(value, memory, at))

    # Vectors.

    def memory(self, op: Operation, type_: Vector) -> Memory:
        """Memory for a vector, which is taken at the function's top."""
        if prod(type_.shape) > MAX_ELEMENTS:
            self.fail(op, f"{type_} has more than {MAX_ELEMENTS} elements")
        return self.allocated(self.new_name(), Memref(type_.shape, type_.element, contiguous(type_.shape), 0, ""))

    def allocated(self, name: str, type_: Memref) -> Memory:
        """Memory of a name, which is taken at the function's top."""
        attributes = {"operandSegmentSizes": (0, 0)}
        self.heads.append(Operation("memref.alloca", [], [name], [], [type_], attributes, location=self.op.location))
        return Memory(name, type_)

    def named(self, op: Operation) -> None:
        """Give the last operation that was written the names of an operation's results."""
        self.out[-1].results = list(op.results)

    def new(self, op: Operation, number: int = 0) -> Memory:
        """Memory for a result that is a vector."""
        type_ = op.result_types[number] if number < len(op.result_types) else None
        if not isinstance(type_, Vector):
            self.fail(op, f"it gives {type_}, and no vector")
        memory = self.memory(op, type_)
        self.buffers.update((name, memory) for name in op.results[number : number + 1])
        return memory

    def give(self, op: Operation, of: Callable[[Sequence[Extent]], str]) -> None:
        """Give what a function writes for a place: each element of a vector, or a number."""
        if isinstance(op.result_types[0], Vector):
            self.fill(self.new(op), of)
            return
        of(())
        self.named(op)

    def vector(self, op: Operation, number: int) -> Memory:
        """The memory of an operand that is a vector."""
        if number >= len(op.operands) or op.operands[number] not in self.buffers:
            self.fail(op, f"operand {number + 1} is no vector that is known here")
        return self.buffers[op.operands[number]]

    def memref(self, op: Operation, number: int) -> Memory:
        """An operand that is a memref of numbers."""
        type_ = op.operand_types[number]
        if not isinstance(type_, Memref) or not isinstance(type_.element, Scalar):
            self.fail(op, "it is of a memref")
        return Memory(op.operands[number], type_)

    def fill(self, memory: Memory, of: Callable[[list[str]], str]) -> None:
        """Write each element of memory, as what a function gives for its place."""
        self.parallel(memory.shape, lambda at: self.store(of(at), memory, at))

    def copy(self, source: Memory, target: Memory) -> None:
        self.fill(target, lambda at: self.load(source, at))

    def widened(self, value: str, source: Scalar, target: Scalar) -> str:
        """A number in a type that has all of its own type's."""
        word = "arith.extf" if target.is_float else "arith.extsi"
        return value if source == target else self.emit(word, [value], [source], [target])

    def inside(self, memory: Memory, at: Sequence[Extent]) -> str:
        """Whether a place is in a memref."""
        conditions = []
        for d, index in enumerate(at):
            conditions += [self.compare("slt", index, self.size(memory, d)), self.compare("sge", index, 0)]
        return self.all_of(conditions)

    # Operations.

    def block(self, operations: Sequence[Operation]) -> None:
        for op in operations:
            self.op = op
            handler = handles.get(op.name)
            if handler is not None:
                with self.fitting(op):
                    handler(self, op)
            elif any(isinstance(type_, Vector) for type_ in (*op.operand_types, *op.result_types)):
                self.elementwise(op)
            elif op.is_broken:
                raise Refused
            elif op.name.partition(".")[0] in ("gpu", "xegpu", "vector"):
                self.fail(op, "it has no meaning for a work-group as a whole", INTERPRETED)
            elif op.regions:
                self.fail(op, "it is not read in a kernel of gpu", INTERPRETED)
            else:
                self.out.append(op)

    def elementwise(self, op: Operation) -> None:
        """An operation of arith or math, which does the same with each element."""
        if op.name.partition(".")[0] not in ARITHMETIC or len(op.result_types) != 1:
            self.fail(op, "it is not read on vectors in a kernel of gpu", INTERPRETED)
        memory = self.new(op)
        vectors = {n: self.vector(op, n) for n, type_ in enumerate(op.operand_types) if isinstance(type_, Vector)}

        def value(at: list[str]) -> str:
            operands, types = list(op.operands), list(op.operand_types)
            for n, vector in vectors.items():
                operands[n], types[n] = self.load(vector, at), vector.element
            return self.emit(op.name, operands, types, [memory.element], dict(op.attributes))

        self.fill(memory, value)


def entries(type_: Opaque, name: str) -> Mapping[str, Any]:
    """What an attribute of a descriptor's type says."""
    found: dict[str, Any] = {}
    for each in type_.attributes:
        if isinstance(each, Raw) and each.name == name:
            found.update(each.entries)
    return found
