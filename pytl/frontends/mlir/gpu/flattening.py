"""A kernel of gpu on vectors of a sub-group, or of a work-group, as a function on memrefs.

Each vector is in memory of the work-group, and an operation on vectors is a parallel loop over elements. All that a
kernel does is done once for a work-group: `lanes.py` has those whose work-items ask for their number.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from math import prod
from typing import Any, NoReturn

from ....diagnostics import Diagnostics
from ....mlir.text import Block, Memref, Opaque, Operation, Region, Scalar, Vector
from ....mlir.text.tree import MALFORMED, Raw
from ....mlir.text.types import I1, INDEX, Type, contiguous
from .. import rules
from ..context import Refused

MAX_ELEMENTS = 1 << 16
"""Of a vector, as memory of a work-group has it."""


@dataclass
class Tile:
    """A descriptor of blocks: a matrix in memory, and the values of the block's offsets in it."""

    source: str
    memref: Memref
    offsets: list[str]
    block: tuple[int, ...]
    element: Scalar
    is_checked: bool
    count: int


@dataclass
class Places:
    """A descriptor of scattered elements: a line of memory, and a vector of offsets."""

    source: str
    memref: Memref
    offsets: str
    chunk: int
    element: Scalar


@dataclass
class Matrix:
    """A matrix in memory of a work-group."""

    memref: str
    type: Memref


@dataclass
class Target:
    """Where operations are written to."""

    operations: list[Operation] = field(default_factory=list)


Handler = Callable[["Flattening", Operation], None]
HANDLERS: dict[str, Handler] = {}


def handles(*names: str) -> Callable[[Handler], Handler]:
    """Says how operations are rewritten."""

    def add(handler: Handler) -> Handler:
        HANDLERS.update(dict.fromkeys(names, handler))
        return handler

    return add


class Flattening:
    """Rewrites one kernel."""

    def __init__(self, diagnostics: Diagnostics, subgroups: int | None) -> None:
        self.diagnostics = diagnostics
        self.subgroups = subgroups
        """How many sub-groups a work-group has, if that is known."""
        self.target = Target()
        self.buffers: dict[str, str] = {}
        """The memref of each vector."""
        self.types: dict[str, Type] = {}
        """The types of values of the text."""
        self.values: dict[str, Any] = {}
        """Descriptors."""
        self.allocations: list[Operation] = []
        self.location: Any = None
        self._count = 0
        self.constants: dict[int, str] = {}
        """The names of constants that are indices."""
        self.numbers: dict[str, int] = {}
        """The constants of the text that are indices."""
        self.seen: set[str] = set()
        """Memory that a descriptor of a matrix is of."""
        self.heads: list[Operation] = []

    # Faults.

    def fail(self, op: Operation, message: str, help: str | None = None) -> NoReturn:
        self.diagnostics.report(rules.GPU, f"{op.name}: {message}", op.location, help)
        raise Refused

    # Writing.

    def name(self) -> str:
        self._count += 1
        return f"%of_kernel_{self._count}"

    def op(
        self,
        name: str,
        operands: Sequence[str],
        operand_types: Sequence[Type],
        result: Type | None = None,
        attributes: Mapping[str, Any] | None = None,
        regions: Sequence[Region] = (),
    ) -> str:
        """Write an operation; the name of its result."""
        results = [] if result is None else [self.name()]
        types = [] if result is None else [result]
        made = Operation(
            name, list(operands), results, list(operand_types), types, dict(attributes or {}), regions,
            location=self.location,
        )  # fmt: skip
        self.target.operations.append(made)
        return results[0] if results else ""

    def index(self, number: int) -> str:
        """A constant, which is written at the function's top."""
        if number not in self.constants:
            name = self.constants[number] = self.name()
            made = Operation(
                "arith.constant", [], [name], [], [INDEX], {"value": number}, location=self.location
            )  # fmt: skip
            self.heads.append(made)
        return self.constants[number]

    def number(self, value: Any, type_: Scalar) -> str:
        return self.op("arith.constant", [], [], type_, {"value": value})

    def arith(self, name: str, *operands: str, type_: Type = INDEX) -> str:
        return self.op(f"arith.{name}", operands, [type_] * len(operands), type_)

    def compare(self, predicate: str, a: str, b: str) -> str:
        return self.op("arith.cmpi", [a, b], [INDEX] * 2, I1, {"predicate": predicate})

    def plus(self, value: str, number: int) -> str:
        return value if number == 0 else self.arith("addi", value, self.index(number))

    def load(self, memref: str, type_: Memref, indices: Sequence[str]) -> str:
        assert isinstance(type_.element, Scalar)
        types: list[Type] = [type_, *[INDEX] * len(indices)]
        return self.op("memref.load", [memref, *indices], types, type_.element)

    def load_where(
        self, condition: str, memref: str, type_: Memref, indices: Sequence[str], otherwise: str | None = None
    ) -> str:
        """An element where a condition holds, else another number, or 0."""
        element = type_.element
        assert isinstance(element, Scalar)
        zero = 0.0 if "f" in element.name else 0
        return self.when(
            condition,
            lambda: self.load(memref, type_, indices),
            lambda: self.number(zero, element) if otherwise is None else otherwise,
            element,
        )

    def store(self, value: str, memref: str, type_: Memref, indices: Sequence[str]) -> None:
        types: list[Type] = [type_.element, type_, *[INDEX] * len(indices)]
        self.op("memref.store", [value, memref, *indices], types)

    @contextmanager
    def inner(self) -> Iterator[Target]:
        """While a region is written."""
        outer, self.target = self.target, Target()
        try:
            yield self.target
        finally:
            self.target = outer

    def when(
        self,
        condition: str,
        write: Callable[[], str | None],
        otherwise: Callable[[], str] | None = None,
        type_: Type | None = None,
    ) -> str:
        """`scf.if`, whose value is that of what is written."""
        regions = []
        for each in (write, otherwise):
            if each is None:
                continue
            with self.inner() as target:
                given = each()
                values = [] if type_ is None or given is None else [given]
                self.op("scf.yield", values, [type_ for _ in values if type_ is not None])
            regions.append(Region([Block("", [], target.operations)]))
        return self.op("scf.if", [condition], [I1], type_, regions=regions)

    def each(self, shape: Sequence[int], write: Callable[[list[str]], None]) -> None:
        """A parallel loop over the elements of a shape."""
        names = [self.name() for _ in shape] or [self.name()]
        sizes = list(shape) or [1]
        with self.inner() as target:
            write(names if shape else [])
            self.op("scf.reduce", [], [])
        count = len(sizes)
        bounds = [*[self.index(0)] * count, *map(self.index, sizes), *[self.index(1)] * count]
        body = Region([Block("", [(name, INDEX) for name in names], target.operations)])
        attributes = {"operandSegmentSizes": (count, count, count, 0)}
        self.op("scf.parallel", bounds, [INDEX] * len(bounds), None, attributes, [body])

    def over(self, size: int, initial: str, type_: Type, write: Callable[[str, str], str]) -> str:
        """A loop in an element's work that carries a value."""
        at, carried = self.name(), self.name()
        with self.inner() as target:
            self.op("scf.yield", [write(at, carried)], [type_])
        body = Region([Block("", [(at, INDEX), (carried, type_)], target.operations)])
        bounds = [self.index(0), self.index(size), self.index(1), initial]
        return self.op("scf.for", bounds, [INDEX, INDEX, INDEX, type_], type_, {}, [body])

    # Vectors.

    def memory(self, op: Operation, type_: Vector) -> tuple[str, Memref]:
        """Memory for a vector, which is taken at the function's top."""
        if prod(type_.shape) > MAX_ELEMENTS:
            self.fail(op, f"{type_} has more than {MAX_ELEMENTS} elements")
        memref = memref_of(type_)
        return self.allocated(self.name(), memref), memref

    def allocated(self, name: str, memref: Type) -> str:
        """Memory of a name, which is taken at the function's top."""
        attributes = {"operandSegmentSizes": (0, 0)}
        made = Operation("memref.alloca", [], [name], [], [memref], attributes, location=self.location)
        self.allocations.append(made)
        return name

    def named(self, op: Operation) -> None:
        """Give the last operation that was written the name of a result."""
        if op.results:
            self.target.operations[-1].results = list(op.results)
            self.types[op.results[0]] = op.result_types[0]

    def new(self, op: Operation, number: int = 0) -> tuple[str, Memref]:
        """Memory for a result that is a vector."""
        type_ = op.result_types[number] if number < len(op.result_types) else None
        if not isinstance(type_, Vector):
            self.fail(op, f"it gives {type_}, and no vector")
        name, memref = self.memory(op, type_)
        if number < len(op.results):
            self.buffers[op.results[number]] = name
            self.types[op.results[number]] = type_
        return name, memref

    def vector(self, op: Operation, number: int) -> tuple[str, Memref]:
        """The memory of an operand that is a vector."""
        if number >= len(op.operands) or op.operands[number] not in self.buffers:
            self.fail(op, f"operand {number + 1} is no vector that is known here")
        name = op.operands[number]
        type_ = self.types[name]
        assert isinstance(type_, Vector)
        return self.buffers[name], memref_of(type_)

    def fill(self, memory: tuple[str, Memref], of: Callable[[list[str]], str]) -> None:
        """Write each element of memory, as what a function gives for its place."""
        name, type_ = memory
        self.each(known(type_), lambda at: self.store(of(at), name, type_, at))

    def copy(self, source: str, target: str, type_: Memref) -> None:
        self.fill((target, type_), lambda at: self.load(source, type_, at))

    def mixed(self, op: Operation, attribute: str, operands: list[str]) -> list[str]:
        """Values of numbers that are constants or operands, which are taken away."""
        numbers = op.attributes.get(attribute)
        if not numbers:
            taken, operands[:] = list(operands), []
            return taken
        return [operands.pop(0) if number == DYNAMIC else self.index(number) for number in numbers]

    # Operations.

    def block(self, operations: Sequence[Operation]) -> None:
        for op in operations:
            self.location = op.location
            handler = HANDLERS.get(op.name)
            if handler is not None:
                try:
                    handler(self, op)
                except MALFORMED:
                    self.fail(op, "it has operands, types or attributes that do not fit each other")
            elif any(isinstance(type_, Vector) for type_ in (*op.operand_types, *op.result_types)):
                self.elementwise(op)
            elif op.is_broken:
                raise Refused
            elif op.name.partition(".")[0] in ("gpu", "xegpu", "vector"):
                self.fail(op, "it has no meaning for a work-group as a whole", "the interpreter executes it")
            elif op.regions:
                self.fail(op, "it is not read in a kernel of gpu", "the interpreter executes it")
            else:
                self.target.operations.append(op)
                self.types.update(zip(op.results, op.result_types))

    def elementwise(self, op: Operation) -> None:
        """An operation of arith or math, which does the same with each element."""
        if op.name.partition(".")[0] not in ("arith", "math", "index") or len(op.result_types) != 1:
            self.fail(op, "it is not read on vectors in a kernel of gpu", "the interpreter executes it")
        memory = self.new(op)
        element = memory[1].element
        inputs = [
            self.vector(op, number) if isinstance(type_, Vector) else None
            for number, type_ in enumerate(op.operand_types)
        ]

        def value(at: list[str]) -> str:
            operands, types = [], []
            for given, operand, type_ in zip(inputs, op.operands, op.operand_types):
                operands.append(operand if given is None else self.load(*given, at))
                types.append(type_ if given is None else given[1].element)
            return self.op(op.name, operands, types, element, op.attributes)

        self.fill(memory, value)


DYNAMIC = -(1 << 63)


def memref_of(type_: Vector) -> Memref:
    """The memory of a vector."""
    return Memref(type_.shape, type_.element, contiguous(type_.shape), 0, "")


def known(memref: Memref) -> tuple[int, ...]:
    """A shape that is known."""
    return tuple(size for size in memref.shape if size is not None)


def entries(type_: Any, name: str) -> dict[str, Any]:
    """What an attribute of a descriptor's type says."""
    found: dict[str, Any] = {}
    for each in type_.attributes if isinstance(type_, Opaque) else ():
        if isinstance(each, Raw) and each.name == name:
            found.update(each.entries)
    return found
