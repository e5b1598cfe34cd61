"""A function on tensors to one on memrefs: the state while its operations are rewritten one after the other."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any, NoReturn

from ....diagnostics import Diagnostics, LaunchError, Rule
from ....mlir.text import Block, Complex, Function, Memref, Operation, Region, Scalar, Tensor
from ....mlir.text import Type as MlirType
from ....mlir.text.names import instead_of
from ....mlir.text.tree import MALFORMED, Dense, has_broken
from ....mlir.text.types import INDEX
from ....passes.packs import LOCAL_BYTES
from ....process.records import dataclass
from .. import rules
from ..context import AlreadyReported, Refused
from ..table import Level, having
from ..tree_writer import TreeWriter
from . import extents
from .buffers import Buffer, Extent, Root, Slice, Splat, bytes_of, memref_of
from .functions import Inliner, Uses, with_ranks

GLOBAL_ELEMENTS = 256
"""A constant with more elements is passed by the launch."""

RANK = "give it one, as in tensor<?x?xf32>"
Handler = Callable[["Bufferization", Operation], None]
on_tensors: Level[Handler] = Level("functions on tensors")
_ALWAYS = having("several", "parallel")
"""What is rewritten without tensors, too."""


@dataclass(frozen=True)
class Made:
    """A parameter behind those of the text: a result, a temporary or a constant, which a launch allocates."""

    name: str
    type: Memref
    sizes: tuple[Extent, ...]
    values: Dense | None = None
    is_number: bool = False


@dataclass(frozen=True)
class Returned:
    """What a function gives: by the number of its argument, or a parameter behind the arguments."""

    argument: int | None
    made: Made | None
    is_read: bool = False
    """Whether the function reads what the argument has, so that whoever still needs that passes a copy."""


@dataclass(frozen=True)
class Step:
    """A kernel of a part of a function: a function of the language, and which memory its parameters are."""

    function: Any
    parameters: tuple[str, ...]
    grid: str


@dataclass(frozen=True)
class Bufferized:
    """A function on memrefs, and what a launch passes beside the arguments of the text."""

    function: Operation
    arguments: tuple[str, ...]
    types: tuple[MlirType, ...]
    returned: tuple[Returned, ...]
    hidden: tuple[Made, ...]
    globals: Mapping[str, Operation]
    is_whole: bool
    """Whether all of the function could be rewritten. What could is read all the same, for what else is wrong."""
    grid: str = ""
    """Which iterations are dealt out to work-groups."""
    steps: tuple[Step, ...] = ()
    """Kernels that a call launches one behind the other in place of one, since work-groups do not wait for others."""
    between: tuple[Made, ...] = ()
    """What kernels pass on to others."""

    def size(self, extent: Extent, arguments: Mapping[str, Any]) -> int:
        """A size for these arguments. Raises LaunchError where it is negative, or a quotient by zero."""
        operations = {name: op for op in self.function.regions[0].blocks[0].operations for name in op.results}
        try:
            found = extents.value(extent, operations, arguments)
        except ZeroDivisionError:
            found = None
        if found is None or found < 0:
            what = "has no value, for it is divided by zero" if found is None else f"is {found}"
            location = operations[extent].location if extent in operations else None
            raise LaunchError.single(rules.SIZE, f"with these arguments, a size of a tensor {what}", location)
        return found


class Bufferization(TreeWriter):
    """Rewrites one function."""

    is_on_host = False
    """Whether memory is allocated where it is needed, of any size, and none."""
    level = on_tensors

    def __init__(self, inliner: Inliner, diagnostics: Diagnostics) -> None:
        super().__init__(Operation("", [], [], [], [], {}))
        self.inliner = inliner
        self.diagnostics = diagnostics
        self.uses = Uses()
        self.buffers: dict[str, Buffer | Splat] = {}
        self.renamed: dict[str, str] = {}
        """The names of numbers that others stand for."""
        self.undefined: set[str] = set()
        """Tensors whose elements nobody has written."""
        self.unknown: set[str] = set()
        """Results of operations that are not read."""
        self.wanted: dict[str, Buffer] = {}
        """Where tensors shall be that have no memory yet."""
        self.kept: set[str] = set()
        """Arguments that are written in place, and whose elements are read."""
        self.claimed: list[Root] = []
        """What the operation that is being rewritten writes already."""
        self.hidden: list[Made] = []
        self.globals: dict[str, Operation] = {}
        self.arguments: list[str] = []
        self.returned: list[Returned] = []
        self.own_memory: Callable[[Memref, tuple[Extent, ...]], Buffer] | None = None
        """What gives an iteration of a parallel loop memory that is too large for a work-group, or of unknown size."""
        self._told: set[str] = set()
        """Sizes that a launch can tell."""
        self._local = 0

    def new_name(self) -> str:
        return self.inliner.name("%b")

    # Diagnostics.

    def fail(self, op: Operation, rule: Rule, message: str, help: str | None = None) -> NoReturn:
        self.diagnostics.report(rule, f"{op.name}: {message}", op.location, help)
        raise Refused

    # The function.

    def begin(self, function: Operation) -> Operation:
        """Begin with a function; a copy of it, in which each value has a name of its own."""
        copy = self.with_ranks(self.inliner.copied(function))
        self.uses = Uses.of(copy)
        self.op = copy
        self.out = []
        return copy

    def with_ranks(self, function: Operation) -> Operation:
        """A function whose tensors have ranks, as far as casts say which; one of the host has tensors of any."""
        return with_ranks(function)

    def function(self, function: Operation) -> Bufferized:
        """The function with all that a launch passes. Raises `Refused` where something can't be read."""
        before = len(self.diagnostics.errors)
        copy = self.begin(function)
        block = copy.regions[0].blocks[0]
        type_ = copy.attributes["function_type"]
        last = block.operations[-1] if block.operations and block.operations[-1].name == "func.return" else None
        given = list(last.operands) if last is not None else []
        types = [memref_of(each) if isinstance(each, Tensor) else each for _, each in block.arguments]
        self.arguments = [name for name, _ in block.arguments]
        attributes: Sequence[Any] = copy.attributes.get("arg_attrs") or ({},) * len(types)
        destinations = self.destinations(block, given, type_.results, attributes)
        for name, of in block.arguments:
            with suppress(Refused):
                self.argument(name, of, name in destinations)
        results = [
            self._result(number, name, of, destinations) for number, (name, of) in enumerate(zip(given, type_.results))
        ]
        for name, buffer in zip(given, results):
            argument = destinations.get(name) if isinstance(name, str) else None
            if argument is None and buffer is not None:
                self._want(name, buffer)
        self.operations(block.operations if last is None else block.operations[:-1])
        if last is not None:
            self.op = last
            with suppress(Refused):
                self._return(last, type_.results, results)
        self.out.append(Operation("func.return", [], [], [], [], {}, location=copy.location))
        made = [each.made for each in self.returned if each.made is not None]
        parameters: list[tuple[str, MlirType]] = [
            *zip(self.arguments, types),
            *((each.name, each.type) for each in (*made, *self.hidden)),
        ]
        locations = [*block.locations, *[copy.location] * (len(parameters) - len(block.locations))]
        body = Block("", parameters, self.out, [each for each in locations if each is not None])
        function_type = Function(tuple(each for _, each in parameters), ())
        attributes_ = {**_plain(copy.attributes), "function_type": function_type}
        return Bufferized(
            replace(copy, attributes=attributes_, regions=[Region([body])]),
            tuple(self.arguments),
            tuple(each for _, each in block.arguments),
            tuple(self._with_reads(each, attributes) for each in self.returned),
            tuple(self.hidden),
            self.globals,
            len(self.diagnostics.errors) == before,
        )

    def argument(self, name: str, type_: MlirType, is_writable: bool) -> None:
        """Let an argument that is a tensor be the memory that is passed."""
        if not isinstance(type_, Tensor):
            return
        if type_.shape is None:
            self.unknown.add(name)
            self.fail(self.op, rules.TENSOR, f"{name} is {type_}, which has no rank", RANK)
        memref = memref_of(type_)
        self.buffers[name] = Buffer(name, memref, self.sizes_of(name, memref), Root(is_writable, [name]))

    def _with_reads(self, returned: Returned, attributes: Sequence[Any]) -> Returned:
        number = returned.argument
        if number is None or attributes[number].get("bufferization.writable") is True:
            return returned
        return replace(returned, is_read=self.arguments[number] in self.kept)

    def sizes_of(self, name: str, type_: Memref) -> tuple[Extent, ...]:
        return tuple(self.size(Buffer(name, type_, (), Root(False)), d) for d in range(len(type_.shape)))

    def destinations(
        self, block: Block, given: Sequence[str], results: Sequence[MlirType], attributes: Sequence[Any]
    ) -> dict[str, str]:
        """Arguments that are written in place: that are destinations alone, of what is returned.

        Both names lead to the other one: the argument's to the result's, and the result's to the argument's.
        """
        pairs: dict[str, str] = {}
        types = dict(block.arguments)
        said = {name: entries.get("bufferization.writable") for (name, _), entries in zip(block.arguments, attributes)}
        for name, type_ in zip(given, results):
            chain, at = [name], name
            while at not in types and (op := self.uses.definitions.get(at)) is not None:
                if not op.name.startswith("linalg.") and op.name not in ("scf.for", "scf.forall"):
                    break
                count = len(op.results)
                at = op.operands[len(op.operands) - count + op.results.index(at)] if count else ""
                if at in chain:
                    break  # a text may use a value in its own definition, which is told where it is read
                chain.append(at)
            unique = given.count(name) == 1 and at in types and at not in pairs
            if unique and len(chain) > 1 and types[at] == type_ and self.uses.count(at) == 1 and said[at] is not False:
                pairs[at], pairs[name] = name, at
        for name, writable in said.items():
            if writable is True:
                pairs.setdefault(name, "")
        return pairs

    def _result(self, number: int, name: str, type_: MlirType, destinations: Mapping[str, str]) -> Buffer | None:
        """The parameter of a result, unless an argument is one."""
        if destinations.get(name) in self.arguments:
            self.returned.append(Returned(self.arguments.index(destinations[name]), None))
            return None
        memref = memref_of(type_) if isinstance(type_, Tensor) else Memref((), type_, (), 0, "")
        if not isinstance(type_, (Tensor, Scalar, Complex)) or (isinstance(type_, Tensor) and type_.shape is None):
            self.unknown.add(name)
            with suppress(Refused):
                help = "store it to a memref that is passed"
                self.fail(self.op, rules.FUNCTION, f"it gives {type_}", help)
            self.returned.append(Returned(None, None))
            return None
        called = self.inliner.name(f"%result_{number}" if number else "%result")
        made = Made(called, memref, (), None, not isinstance(type_, Tensor))
        self.returned.append(Returned(None, made))
        return Buffer(made.name, memref, (), Root(True))

    def _return(self, last: Operation, types: Sequence[MlirType], results: Sequence[Buffer | None]) -> None:
        copies: list[tuple[Buffer | Splat, Buffer]] = []
        for number, (name, type_, result) in enumerate(zip(last.operands, types, results)):
            if name in self.unknown:
                continue
            if not isinstance(type_, Tensor):
                assert result is not None
                self.emit("memref.store", [self.name(name), result.name], [type_, result.type], [])
                continue
            buffer = self.buffer(name)
            if result is None:
                argument = self.returned[number].argument
                assert argument is not None
                result = self._buffer_of(self.arguments[argument])
            else:
                made = self.returned[number].made
                assert made is not None
                self.returned[number] = Returned(None, replace(made, sizes=buffer.sizes))
                self.check_known(last, buffer.sizes)
            if buffer.root is not result.root or buffer.part is not None:
                copies.append((buffer, result))
        self.copy_all(copies)

    def check_known(self, op: Operation, sizes: Sequence[Extent]) -> None:
        """That a launch can tell sizes. What computes them in a region is moved in front of it."""
        todo = [size for size in sizes if isinstance(size, str) and size not in self._told]
        if not todo:
            return
        blocks = [*self.around, self.out]
        operations = {name: each for block in blocks for each in block for name in each.results}
        if not all(extents.is_known(size, operations, self.arguments) for size in todo):
            self.fail(op, rules.SIZE, "the size of a result or temporary does not follow from those of the arguments")
        self._told.update(todo)
        moved: list[Operation] = []
        while todo:
            each = operations.get(todo.pop())
            block = None if each is None else next((b for b in blocks[1:] if any(each is other for other in b)), None)
            if each is not None and block is not None:
                block.remove(each)
                moved.append(each)
                todo += each.operands
        blocks[0] += reversed(moved)

    def _buffer_of(self, name: str) -> Buffer:
        buffer = self.buffers[name]
        assert isinstance(buffer, Buffer)
        return buffer

    # Where values shall be.

    def _want(self, name: str, buffer: Buffer) -> None:
        """Let a tensor, and those that it is made of in place, be in some memory."""
        at: str | None = name
        while at is not None and at not in self.wanted and at not in self.buffers:
            self.wanted[at] = buffer
            op = self.uses.definitions.get(at)
            at = None if op is None else self.destination_of(op, at)

    @staticmethod
    def destination_of(op: Operation, result: str) -> str | None:
        """The operand that a result is made of in place."""
        number = list(op.results).index(result)
        tensors = [name for name, type_ in zip(op.operands, op.operand_types) if isinstance(type_, Tensor)]
        if op.name.startswith("linalg.") and len(tensors) >= len(op.results):
            sizes = op.attributes.get("operandSegmentSizes")
            first = sizes[0] if isinstance(sizes, tuple) and sizes else len(op.operands) - len(op.results)
            return op.operands[first + number] if first + number < len(op.operands) else None
        if op.name in ("tensor.insert", "tensor.insert_slice", "tensor.scatter", "vector.transfer_write"):
            return op.operands[1]
        if op.name in ("scf.for", "scf.forall", "affine.for") and len(op.operands) >= len(op.results):
            return op.operands[len(op.operands) - len(op.results) + number]
        return op.operands[0] if op.name in ("tensor.cast", "vector.scatter") else None

    def want(self, name: str, buffer: Buffer) -> None:
        """Let a tensor that a region gives be in some memory."""
        if name in self.uses.definitions:
            self._want(name, buffer)

    # Operands.

    def name(self, name: str) -> str:
        """The name of a number, or of a memref."""
        if name in self.unknown:
            raise AlreadyReported
        return self.renamed.get(name, name)

    def extent(self, name: str) -> Extent:
        """An index, as a number where it is one."""
        renamed = self.name(name)
        return self.known.get(renamed, renamed)

    def tensor(self, name: str) -> Buffer | Splat:
        if name in self.unknown:
            raise AlreadyReported
        if name not in self.buffers:
            # what a region gives
            self.diagnostics.report(rules.UNDEFINED, f"{name} is not defined here", self.op.location_of(name))
            self.unknown.add(name)
            raise Refused
        return self.buffers[name]

    def buffer(self, name: str) -> Buffer:
        """The memory of a tensor; one that is the same in all places gets some."""
        value = self.tensor(name)
        if isinstance(value, Buffer):
            return value
        uses = (pair for op, _ in self.uses.used_in[name] for pair in zip(op.operands, op.operand_types))
        type_ = next((of for each, of in uses if each == name and isinstance(of, Tensor)), None)
        if type_ is None:
            self.fail(self.op, rules.OPERANDS, f"{name} is a tensor")
        buffer = self.allocated(memref_of(type_), value.sizes)
        self.copy(value, buffer)
        return buffer

    def place(self, op: Operation, first: int) -> tuple[object, ...]:
        """Where a slice is, as the text says; its operands from one on are indices."""
        static = tuple(op.attributes.get(f"static_{word}") for word in ("offsets", "sizes", "strides"))
        return (*static, *(self.extent(name) for name in op.operands[first:]))

    def sizes(self, name: str) -> tuple[Extent, ...]:
        return self.tensor(name).sizes

    # Memory.

    def bind(self, name: str, value: Buffer | Splat) -> None:
        """Let a tensor be in some memory, or a constant."""
        self.buffers[name] = value
        if isinstance(value, Buffer):
            value.root.tensors.append(name)

    def fill(self, number: str, element: MlirType, buffer: Buffer) -> None:
        self.emit("linalg.fill", [number, buffer.name], [element, buffer.type], [], {"operandSegmentSizes": (1, 1)})

    def copy(self, source: Buffer | Splat, target: Buffer) -> None:
        if isinstance(source, Splat):
            self.fill(source.number, target.type.element, target)
        elif source.name != target.name:
            types = [source.type, target.type]
            self.emit("linalg.copy", [source.name, target.name], types, [], {"operandSegmentSizes": (1, 1)})

    def copy_all(self, pairs: Sequence[tuple[Buffer | Splat, Buffer]]) -> None:
        """Copy tensors to memory; that which another one is copied to is read first."""
        targets = [target.root for _, target in pairs]
        read = [self.copied(each) if isinstance(each, Buffer) and each.root in targets else each for each, _ in pairs]
        for source, (_, target) in zip(read, pairs):
            self.copy(source, target)

    def copied(self, buffer: Buffer) -> Buffer:
        made = self.allocated(replace(memref_of(Tensor(buffer.type.shape, buffer.type.element))), buffer.sizes)
        self.copy(buffer, made)
        return made

    def allocated(self, type_: Memref, sizes: tuple[Extent, ...]) -> Buffer:
        """Memory of a work-group if it is small, else memory that a launch passes."""
        size = bytes_of(type_.element, sizes)
        if size and self._local + size <= LOCAL_BYTES and None not in type_.shape:
            self._local += size
            name = self.emit("memref.alloca", [], [], [type_], {"operandSegmentSizes": (0, 0)})
            return Buffer(name, type_, sizes, Root(True))
        return self.passed(type_, sizes) if self.own_memory is None else self.own_memory(type_, sizes)

    def passed(self, type_: Memref, sizes: tuple[Extent, ...]) -> Buffer:
        """Memory that a launch passes."""
        self.check_known(self.op, sizes)
        made = Made(self.inliner.name("%temporary"), type_, sizes)
        self.hidden.append(made)
        return Buffer(made.name, type_, sizes, Root(True))

    def most(self, extent: Extent) -> int | None:
        """What a size is at most, where it is a minimum with a number."""
        if isinstance(extent, int):
            return extent
        blocks = [*self.around, self.out]
        return extents.most(extent, {name: each for block in blocks for each in block for name in each.results})

    def may_be_passed(self, total: int, element: MlirType) -> bool:
        """Whether a launch passes a constant of so many elements, in place of memory of the module."""
        return total > GLOBAL_ELEMENTS or isinstance(element, Complex)

    def is_free(self, root: Root, op: Operation, part: Slice | None = None, read: Sequence[str] = ()) -> bool:
        """Whether nobody reads memory behind an operation, or by it beside `read`, what it holds now.

        Of a part that is put back to its place, the whole is read in this place by what puts it back.
        """
        at = self.uses.number(op)
        if root in self.claimed:
            return False
        if not self.around:
            # what is used in front of an operation alone counts for none behind it
            root.tensors = [name for name in root.tensors if self.uses.last(name) >= at]
        for name in root.tensors:
            if name in self.undefined:
                continue
            uses = () if part is None else self.uses.used_in.get(name, ())
            ignored = [each for each, _ in uses if part is not None and _puts(self, each, name, part)]
            if self.uses.last(name, ignored) > at or name in read:
                return False
        return True

    def fresh(
        self, op: Operation, result: str, type_: Memref, sizes: tuple[Extent, ...], read: Sequence[str] = ()
    ) -> Buffer:
        """Memory for a new tensor: where it is wanted, if that is free, or memory of its own."""
        wanted = self.wanted.get(result)
        if wanted is not None and self.is_free(wanted.root, op, None, read):
            name = wanted.name
            if wanted.type != type_:
                name = self.emit("memref.cast", [name], [wanted.type], [type_])
            return Buffer(name, type_, sizes, wanted.root)
        return self.allocated(type_, sizes)

    def written(self, op: Operation, dest: str, result: str, read: Sequence[str] = (), keeps: bool = True) -> Buffer:
        """Where an operation writes a new value of a tensor; `read` are tensors that it reads in other places.

        With `keeps`, elements of the old value are part of the new one, or are read.
        """
        value = self.tensor(dest)
        if isinstance(value, Buffer):
            is_free = value.root.is_writable and self.is_free(value.root, op, value.part, read)
            if is_free and (not keeps or dest not in self.arguments or self.may_keep(dest)):
                self.claimed.append(value.root)
                return value
            type_, sizes = memref_of(Tensor(value.type.shape, value.type.element)), value.sizes
        else:
            is_given = result in op.results
            names, types = (op.results, op.result_types) if is_given else (op.operands, op.operand_types)
            of = types[list(names).index(result if is_given else dest)]
            assert isinstance(of, Tensor)
            type_, sizes = memref_of(of), value.sizes
        # what is copied there first would be read by the operation itself
        made = self.fresh(op, result, type_, sizes, op.operands if keeps else read)
        if keeps and dest not in self.undefined:
            self.copy(value, made)
        self.claimed.append(made.root)
        return made

    def may_keep(self, argument: str) -> bool:
        """Whether an argument is written in place whose elements are read: a call passes a copy."""
        self.kept.add(argument)
        return True

    # Operations.

    def operations(self, operations: Sequence[Operation]) -> None:
        for op in operations:
            self.rewrite(op)

    def rewrite(self, op: Operation) -> None:
        outer, self.op, claimed, self.claimed = self.op, op, self.claimed, []
        try:
            if op.is_broken:
                raise AlreadyReported
            self._check_defined(op)
            is_of_tensors = any(isinstance(each, Tensor) for each in (*op.operand_types, *op.result_types))
            handler = self.level.get(op.name) if is_of_tensors or op.name in _ALWAYS else None
            if handler is not None:
                handler(self, op)
            else:
                self.clone(op)
        except Refused:
            self.unknown.update(op.results)
        except MALFORMED:
            self.unknown.update(op.results)
            if not has_broken(op.attributes):
                message = "it has operands, results, attributes or regions that do not fit each other"
                with suppress(Refused):
                    self.fail(op, rules.OPERANDS, message)
        self.op, self.claimed = outer, claimed

    def _check_defined(self, op: Operation) -> None:
        """Each tensor that is not defined is told, once."""
        for name, type_ in zip(op.operands, op.operand_types):
            if isinstance(type_, Tensor) and name not in self.buffers and name not in self.unknown:
                self.diagnostics.report(rules.UNDEFINED, f"{name} is not defined here", op.location_of(name))
                self.unknown.add(name)

    def clone(self, op: Operation) -> None:
        """Write an operation that gives no tensors; those that it reads are memrefs."""
        if any(isinstance(each, Tensor) for each in op.result_types):
            self.fail(op, rules.TENSOR, "it has no meaning on tensors here", instead_of(op.name))
        operands, types = self.read(op)
        made = replace(op, operands=operands, operand_types=types, regions=[self.region(each) for each in op.regions])
        if op.name == "arith.constant" and op.result_types == [INDEX]:
            self.known[op.results[0]] = int(op.attributes["value"])
        self.out.append(made)

    def read(self, op: Operation) -> tuple[list[str], list[MlirType]]:
        """The operands of an operation, with memrefs for tensors."""
        operands: list[str] = []
        types: list[MlirType] = []
        padded = [*op.operand_types, *[INDEX] * (len(op.operands) - len(op.operand_types))]
        for name, type_ in zip(op.operands, padded):
            if isinstance(type_, Tensor):
                buffer = self.buffer(name)
                operands.append(buffer.name)
                types.append(buffer.type)
            else:
                operands.append(self.name(name))
                types.append(type_)
        return operands, types

    def region(self, region: Region) -> Region:
        """A region that carries no tensors."""
        blocks = []
        for block in region.blocks:
            with self.inner() as out:
                self.operations(block.operations)
            blocks.append(replace(block, operations=out))
        return Region(blocks)


def _puts(state: Bufferization, op: Operation, name: str, part: Slice) -> bool:
    """Whether an operation puts a part back to its place in a tensor."""
    if op.name not in ("tensor.insert_slice", "tensor.parallel_insert_slice") or op.operands[1] != name:
        return False
    buffer = state.buffers.get(name)
    return isinstance(buffer, Buffer) and Slice(buffer.name, state.place(op, 2)) == part


def _plain(attributes: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in attributes.items() if name not in ("arg_attrs", "res_attrs")}
