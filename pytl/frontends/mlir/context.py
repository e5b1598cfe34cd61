"""The state while a function is read: names, the instructions that are written, and what each operation becomes."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, NoReturn

from ...diagnostics import Diagnostics, Location, Rule
from ...ir.text.scopes import Scopes
from ...ir.types import Type, i8, index
from ...ir.values import Region, Value
from ...mlir.affine import AffineMap, IntegerSet
from ...mlir.text import Block, Memref, Operation
from ...mlir.text import Type as MlirType
from ...mlir.text.custom import DYNAMIC as UNWRITTEN
from ...mlir.text.names import instead_of
from ...mlir.text.tree import Broken, Raw
from ...ops import For, Foreach, Yield
from ...ops.builder import Builder
from ...ops.constants import constant_of
from ...ops.control import ANY_ORDER
from . import rules, scalars
from .lengths import MAX_OPERATIONS
from .table import Level, having
from .types import number_type
from .values import UNKNOWN, Bytes, Result, Size, Unknown, Vec, View

ONE_GROUP = "one work-group"
Handler = Callable[["Context", Operation], "Sequence[Result] | None"]
"""Writes what an operation means, and returns its results."""
reads: Level[Handler] = Level("functions on memrefs")
TERMINATORS = having("ends")


class Refused(Exception):
    """An operation has no meaning here, which has been reported."""


class AlreadyReported(Refused):
    """An operand is unknown, which has been reported before."""


class Context:
    """What is written for the operations of one function after the other."""

    def __init__(
        self,
        functions: Mapping[str, Operation],
        write_sequence: Callable[[Context, Sequence[Operation], Operation | None], None],
        diagnostics: Diagnostics,
    ) -> None:
        """`write_sequence` writes the operations of a block in front of its terminator."""
        self.functions = functions
        self._write_sequence = write_sequence
        self.diagnostics = diagnostics
        self.builder = Builder(None)
        self.attributes: dict[str, Any] = {}
        """Those of the kernel."""
        self.is_spmd = False
        """Whether a work-item executes what is written, alone, and not the work-group."""
        self.is_concurrent = False
        """Whether others execute the same at the same time: work-groups, or iterations."""
        self.is_in_foreach = False
        """Whether what is written is executed for many points of a `foreach`."""
        self.grid = ONE_GROUP
        """Which iterations are dealt out to work-groups, for users."""
        self.has_bodies = True
        """Whether what work-groups execute is written: not where only `grid`, `tried` and `is_short` are asked for."""
        self.tried: Sequence[Any] = ()
        """The operations of linalg that were looked at to be dealt out."""
        self.tensors: Mapping[str, MlirType | None] = {}
        """The types of parameters in the text, where memory was given to tensors; None where the text has none."""
        self.is_short = False
        """Whether these are too short for it."""
        self.is_of_tensors = False
        """Whether memory was given to tensors, so that sizes that belong together are known to agree."""
        self.temporaries: set[Value] = set()
        """Parameters of which nobody but the function has the elements."""
        self.globals: Mapping[str, Operation] = {}
        """Memory of the module, by name."""
        self.calls: list[str] = []
        self.iterations: list[list[Value]] = []
        """Of operations of linalg that are being written, their indices."""
        self.mask: Vec | None = None
        """Of the operation on vectors that is being written, which lanes vector.mask has it executed for."""
        self.viewed: set[str] = set()
        """The names of allocations that memref.view gives types."""
        self.positive: set[Value] = set()
        """Indices that are known not to be negative."""
        self.names = Scopes[Result](diagnostics, rules.UNDEFINED, rules.REDEFINED, sign="")
        self._missing: set[str] = set()
        self._count = 0

    # Diagnostics.

    def fail(self, op: Operation, rule: Rule, message: str, help: str | None = None) -> NoReturn:
        where = op.location or self.builder.location
        self.diagnostics.report(rule, f"{op.made_of or op.name}: {message}", where, help)
        raise Refused

    # Names.

    def bind(self, name: str, value: Result, location: Location | None) -> None:
        self.names.define(name, value, location)
        if isinstance(value, Value) and value.name is None and value.owner is not None:
            value.name = hint(name)

    def lookup(self, name: str, op: Operation) -> Result:
        value = self.names.find(name)
        if value is None:
            if name not in self._missing:
                self.names.report_undefined(name, op.location_of(name))
            self._missing.add(name)
            return UNKNOWN
        return value

    @contextmanager
    def sharing(self, is_concurrent: bool, is_in_foreach: bool = False) -> Iterator[None]:
        """While what several work-groups execute at the same time is written, or several points of a `foreach`."""
        before = self.is_concurrent, self.is_in_foreach
        self.is_concurrent, self.is_in_foreach = (
            self.is_concurrent or is_concurrent,
            self.is_in_foreach or (is_concurrent and is_in_foreach),
        )
        try:
            yield
        finally:
            self.is_concurrent, self.is_in_foreach = before

    # Operands.

    def operand(self, op: Operation, number: int) -> Result:
        """An operand; raises `Silent` for one that is unknown."""
        if number >= len(op.operands):
            self.fail(op, rules.OPERANDS, f"operand {number + 1} is missing")
        value = self.lookup(op.operands[number], op)
        if isinstance(value, Unknown):
            raise AlreadyReported
        return value

    def number(self, op: Operation, number: int) -> Value:
        """An operand that is a number or a truth value."""
        value = self.operand(op, number)
        if not isinstance(value, Value):
            self.fail(op, rules.OPERANDS, f"{op.operands[number]} is no number")
        if number < len(op.operand_types):
            self.check_number(op, op.operands[number], value, op.operand_types[number])
        return value

    def check_number(self, op: Operation, name: str, value: Value, written: MlirType) -> None:
        expected = number_type(written)
        if expected is not None and value.type != expected:
            called = "an operand" if op.made_of else name
            self.fail(op, rules.OPERANDS, f"{called} is {_shown(value.type)}, but {written} is written here")

    def view(self, op: Operation, number: int) -> View:
        """An operand that is a memref."""
        view = self.operand(op, number)
        if isinstance(view, Bytes):
            self.fail(op, rules.OPERANDS, f"{op.operands[number]} is bytes, which memref.view gives a type")
        if not isinstance(view, View):
            self.fail(op, rules.OPERANDS, f"{op.operands[number]} is no memref")
        written = op.operand_types[number] if number < len(op.operand_types) else view.type
        if isinstance(written, Memref) and not _alike(written, view.type):
            self.fail(op, rules.OPERANDS, f"{op.operands[number]} is {view.type}, but {written} is written here")
        return view

    def indices(self, op: Operation, first: int, count: int | None = None) -> list[Value]:
        """Operands from one on that are indices."""
        end = len(op.operands) if count is None else first + count
        indices = [self.number(op, number) for number in range(first, end)]
        for each, name in zip(indices, op.operands[first:]):
            if each.type != index:
                self.fail(op, rules.OPERANDS, f"{name} is {_shown(each.type)}, but an index has the type index")
        return indices

    def segments(self, op: Operation, names: Sequence[str]) -> dict[str, range]:
        """Which operands belong to each group of them."""
        sizes = op.attributes.get("operandSegmentSizes")
        if not isinstance(sizes, tuple) or len(sizes) != len(names) or sum(sizes) != len(op.operands):
            self.fail(op, rules.OPERANDS, f"operandSegmentSizes says of {', '.join(names)} how many operands they are")
        segments, at = {}, 0
        for name, size in zip(names, sizes):
            segments[name] = range(at, at + size)
            at += size
        return segments

    def listed(self, op: Operation, name: str, operands: range) -> list[tuple[int, int | None]]:
        """The entries of `static_NAME`: numbers, each with the place of the operand that stands for it, if one does."""
        static, rest = op.attributes.get(f"static_{name}"), list(operands)
        if not isinstance(static, tuple) or static.count(UNWRITTEN) > len(rest):
            self.fail(op, rules.OPERANDS, f"static_{name} is a list of numbers, with an operand for each unknown one")
        return [(each, rest.pop(0) if each == UNWRITTEN else None) for each in static]

    def constant_of(self, op: Operation, number: int, what: str) -> int:
        """An operand whose value has to be known."""
        known = constant_of(self.number(op, number))
        if known is None:
            self.fail(op, rules.SIZE, f"{what} is not known")
        return int(known)

    # Maps.

    def map(self, op: Operation, attribute: Any, operands: int | None = None) -> AffineMap:
        """An affine map for so many operands."""
        if not isinstance(attribute, AffineMap):
            self._known(attribute)
            self.fail(op, rules.MAP, f"{_attribute(attribute)} is no affine_map<…>")
        operand_count = len(attribute.dimensions) + len(attribute.symbols)
        if operands is not None and operands != operand_count:
            self.fail(op, rules.MAP, f"the map {attribute} is applied to {operands} operands, and has {operand_count}")
        return attribute

    def set(self, op: Operation, attribute: Any) -> IntegerSet:
        if not isinstance(attribute, IntegerSet):
            self._known(attribute)
            self.fail(op, rules.MAP, f"{_attribute(attribute)} is no affine_set<…>")
        return attribute

    @staticmethod
    def _known(attribute: Any) -> None:
        """Refuse what could not be read, in silence, since that has been reported."""
        if isinstance(attribute, Broken):
            raise Refused

    # Writing.

    def constant(self, number: int) -> Value:
        return self.builder.constant(index, number)

    def value(self, size: Size) -> Value:
        """A size as an index."""
        return self.constant(size) if isinstance(size, int) else size

    def region(self, kind: Any, arguments: list[Value], write: Callable[[], Sequence[Value] | None]) -> Region:
        """A region with what a function writes; the values that it returns, if any, are yielded."""
        outer, spmd = self.builder, self.is_spmd
        self.builder = Builder(outer.location, outer)
        self.is_spmd = spmd or kind == "spmd"
        try:
            values = list(write() or ())
            if values:
                self.builder.add(Yield(outer.location, yielded=values))
            return Region(kind, arguments, self.builder.operations, outer.location)
        finally:
            self.builder, self.is_spmd = outer, spmd

    def loop(
        self,
        bounds: tuple[Value, Value, Value | None],
        inits: Sequence[Value],
        body: Callable[[Value, list[Value]], Sequence[Value] | None],
        name: str | None = None,
        is_in_order: bool = True,
    ) -> list[Value]:
        """A `for` over `[start, stop)` by a step, whose results may be computed in any order or not."""
        start, stop, step = bounds
        location = self.builder.location
        variable = Value(start.type, hint(name), location)
        if (constant_of(start) or -1) >= 0 or constant_of(start) == 0 or start in self.positive:
            self.positive.add(variable)
        carried = [Value(value.type, None, location) for value in inits]
        region = self.region("mixed", [variable, *carried], lambda: body(variable, carried))
        types = [value.type for value in inits]
        if step is not None and constant_of(step) == 1:
            step = None
        op = For(location, types, start=start, stop=stop, step=step, inits=list(inits), body=region)
        if not is_in_order and inits:
            op.attributes[ANY_ORDER] = True
        return self.builder.add(op).results

    def loops(
        self,
        bounds: Sequence[tuple[Value, Value, Value | None]],
        inits: Sequence[Value],
        body: Callable[[list[Value], list[Value]], Sequence[Value] | None],
        names: Sequence[str] = (),
        is_in_order: bool = True,
    ) -> list[Value]:
        """Loops within each other, the first one outermost."""

        def inner(at: list[Value], carried: list[Value]) -> list[Value]:
            if len(at) == len(bounds):
                return list(body(at, carried) or ())
            name = names[len(at)] if names else None
            return self.loop(bounds[len(at)], carried, lambda v, inside: inner([*at, v], inside), name, is_in_order)

        return inner([], list(inits))

    def foreach(
        self, stops: Sequence[Value], body: Callable[[list[Value]], None], names: Sequence[str | None] = ()
    ) -> None:
        """A `foreach` from 0 on, whose first variable is that of contiguous memory; loops for a lone work-item."""
        zero, location = self.constant(0), self.builder.location
        if self.is_spmd:
            self.loops([(zero, stop, None) for stop in reversed(stops)], [], lambda at, _: body(at[::-1]))
            return
        variables = [Value(index, hint(name), location) for name in [*names, *[None] * (len(stops) - len(names))]]
        self.positive.update(variables)
        with self.sharing(any(constant_of(stop) != 1 for stop in stops), is_in_foreach=True):
            region = self.region("spmd", variables, lambda: body(variables))
        self.builder.add(Foreach(location, start=[zero] * len(stops), stop=list(stops), body=region))

    def single(self, body: Callable[[], None]) -> None:
        """What one work-item executes."""
        if self.is_spmd:
            body()
        else:
            self.foreach([self.constant(1)], lambda _: body())

    # Memory.

    def element(self, view: View, indices: Sequence[Value]) -> tuple[Value, list[Value]]:
        """The memory and the indices of an element."""
        while not view.is_plain:
            assert view.locate is not None and view.base is not None
            indices, view = view.locate(self, indices), view.base
        element_indices: list[Value] = [self.constant(0)] * len(indices)
        for position, mode in enumerate(view.modes):
            element_indices[mode] = indices[position]
        return view.memory, element_indices

    def load(self, view: View, indices: Sequence[Value]) -> Value:
        memory, element_indices = self.element(view, indices)
        element = self.builder.load(memory, element_indices)
        return scalars.truth(self.builder, element) if view.holds_truth else element

    def store(self, value: Value, view: View, indices: Sequence[Value]) -> None:
        """A store by one work-item."""

        def write() -> None:
            memory, element_indices = self.element(view, indices)
            data = scalars.as_integer(self.builder, value, i8) if view.holds_truth else value
            self.builder.store(data, memory, element_indices)

        self.single(write)

    # Operations.

    def operations(self, operations: Sequence[Operation]) -> Operation | None:
        """Write operations; returns the terminator that ends them."""
        last = operations[-1] if operations and operations[-1].name in TERMINATORS else None
        self._write_sequence(self, operations[:-1] if last is not None else operations, last)
        return last

    def block(self, op: Operation, number: int = 0) -> Block:
        """The one block of a region."""
        if number >= len(op.regions) or not op.regions[number].blocks:
            if number < len(op.regions):
                return Block("")
            self.fail(op, rules.STRUCTURE, f"region {number + 1} is missing")
        region = op.regions[number]
        if len(region.blocks) > 1:
            from .branches import Unstructured, one_block

            try:
                region.blocks = [one_block(region.blocks)]
            except Unstructured as problem:
                self.fail(problem.op or op, rules.STRUCTURE, str(problem), problem.help)
        return region.blocks[0]

    def yielded(self, op: Operation, last: Operation | None, count: int) -> list[Result]:
        """The values that a region's terminator gives."""
        values = [] if last is None else [self.operand(last, number) for number in range(len(last.operands))]
        if len(values) != count:
            self.fail(op, rules.STRUCTURE, f"a region gives {len(values)} values, but {count} are wanted")
        return values

    def write(self, op: Operation, handler: Handler | None = None) -> None:
        """Write one operation, and give its results their names."""
        self._count += 1
        before = self.builder.location
        self.builder.location = op.location or before
        results: Sequence[Result] = ()
        try:
            if self._count > MAX_OPERATIONS:
                if self._count == MAX_OPERATIONS + 1:
                    self.fail(op, rules.LENGTH, "the module has more operations")
                raise AlreadyReported
            results = (handler(self, op) if handler else self._handled(op)) or ()
            if len(results) != len(op.results) and op.results:
                self.fail(op, rules.OPERANDS, f"{len(results)} values are given, but {len(op.results)} are named")
        except Refused:
            results = ()
        self.builder.location = before
        if op.is_broken:
            for name in op.results:
                self.names.assume(name, UNKNOWN, op.location)
            return
        for number, name in enumerate(op.results):
            self.bind(name, results[number] if number < len(results) else UNKNOWN, op.location)

    def add_to_count(self, op: Operation, number: int) -> None:
        """That so many operations are written beside those of the text."""
        self._count += number
        if self._count > MAX_OPERATIONS:
            self.fail(op, rules.LENGTH, "the module has more operations")

    def _handled(self, op: Operation) -> Sequence[Result] | None:
        if op.is_broken:
            raise AlreadyReported
        for name in op.operands:
            self.lookup(name, op)  # each that is not defined is told
        handler = reads.get(op.name)
        if handler is None:
            self.fail(op, rules.OPERATION, "it has no meaning here", instead_of(op.name))
        return handler(self, op)


def _shown(type_: Type) -> str:
    return "i1" if str(type_) == "bool" else str(type_)


def _attribute(value: Any) -> str:
    return "nothing" if value is None else value.text if isinstance(value, Raw) else str(value)


def _alike(a: Memref, b: Memref) -> bool:
    return len(a.shape) == len(b.shape) and a.element == b.element


def hint(name: str | None) -> str | None:
    """The name that a value may keep: those of letters, digits and underscores that are no number."""
    if name is None:
        return None
    short = name.lstrip("%").replace("#", "_").replace(".", "_").replace("-", "_").replace("$", "_")
    return short if short.isascii() and short.isidentifier() else None
