"""Memrefs that loops carry and branches give, as numbers that say which memory it is.

What the language carries are numbers. A memref that is carried, given or selected is one of a few that are known in
front of the operation, or a part of one, which begins where numbers say: both are carried in its place. Where it is one
of several, an operation that uses it stands once for each of these, in `scf.index_switch`.

A function is rewritten before it is read. The memrefs that one operation carries are chosen together: of a loop that
exchanges two of them there are two states.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import product
from typing import NoReturn

from ...diagnostics import Diagnostics
from ...mlir.text import Block, Memref, Operation, Region, Type
from ...mlir.text.custom import DYNAMIC as UNWRITTEN
from ...mlir.text.tree import MALFORMED
from ...mlir.text.types import INDEX
from ...process.records import dataclass
from . import rules
from .context import Refused
from .table import having
from .tensors.functions import Inliner
from .tree_writer import TreeWriter

MAX_STATES = 8
"""Of the memrefs that a loop carries."""
_BRANCHES, _LOOPS, _VIEWS, _ALLOCATIONS = (having(trait) for trait in ("branch", "loop", "view", "allocates"))
_METADATA = "memref.extract_strided_metadata"


@dataclass(frozen=True)
class _Form:
    """A memref by its name; or a view of one, whose numbers are operands that are carried."""

    name: str = ""
    view: tuple[object, ...] = ()
    """What two views have alike that differ in their numbers alone."""
    source: _Form | None = None

    @property
    def root(self) -> str:
        return self.name if self.source is None else self.source.root


@dataclass(frozen=True)
class _Memory:
    """What a memref is: by an index, which is "" where there is one alone, its form and its name."""

    which: str
    forms: tuple[_Form, ...]
    names: tuple[str, ...]
    numbers: tuple[str, ...] = ()
    """The numbers of its views, the innermost first; a form needs the first ones."""


_State = tuple[_Form, ...]
Known = Mapping[str, _Memory]


def with_choices(function: Operation, diagnostics: Diagnostics) -> Operation:
    """A function in which no operation but views gives a memref. Raises `Refused`, which has been reported."""
    if not any(map(_gives_memrefs, function.walk())):
        return function
    try:
        copy = Inliner({}, diagnostics).copied(function)
        return replace(copy, regions=_Choices(copy, diagnostics).regions(copy, {}))
    except MALFORMED:
        return function  # what is wrong is told by those that read it


def _gives_memrefs(op: Operation) -> bool:
    given = [type_ for region in op.regions for block in region.blocks[1:] for _, type_ in block.arguments]
    if op.name in (*_BRANCHES, *_LOOPS, "scf.while", "arith.select"):
        given += op.result_types
    if op.name == "scf.while":
        given += op.operand_types
    return bool(_places(given))


class _Choices(TreeWriter):
    """Rewrites one function."""

    def __init__(self, function: Operation, diagnostics: Diagnostics) -> None:
        super().__init__(function)
        self.diagnostics = diagnostics
        self.used = {name for op in function.walk() for name in op.operands}
        self.type_of = {name: of for op in function.walk() for name, of in _defined(op)}
        self.renamed: dict[str, str] = {}
        """The names of numbers that others stand for."""
        self.views: dict[_Form, Operation] = {}
        """An operation of each form of a view."""
        self._count = 0

    def fail(self, op: Operation, message: str, help: str | None = None) -> NoReturn:
        self.diagnostics.report(rules.OPERANDS, f"{op.name}: {message}", op.location, help)
        raise Refused

    # Writing.

    def new_name(self) -> str:
        self._count += 1
        return f"%chosen {self._count}"

    # Regions.

    def regions(self, op: Operation, known: Known) -> list[Region]:
        return [Region([self.block(each, known) for each in region.blocks]) for region in op.regions]

    def block(self, block: Block, known: Known) -> Block:
        inner = dict(known)
        with self.inner() as out:
            for op in block.operations:
                self.operation(op, inner)
        return replace(block, operations=out)

    def _body(self, op: Operation, block: Block, known: dict[str, _Memory]) -> Operation:
        """Write all of a block but its end, which is returned."""
        if not block.operations:
            self.fail(op, "a region is empty")
        for each in block.operations[:-1]:
            self.operation(each, known)
        return self._with_names(block.operations[-1])

    def _with_names(self, op: Operation) -> Operation:
        operands = [self.renamed.get(each, each) for each in op.operands]
        return replace(op, operands=operands, results=op.results or [self.new_name() for _ in op.result_types])

    # Operations.

    def operation(self, op: Operation, known: dict[str, _Memory]) -> None:
        op = self._with_names(op)
        outer, self.op = self.op, op
        gives = bool(_places(op.result_types))
        if op.name == _METADATA and gives:
            self._metadata(op, known)
        elif op.name in _VIEWS and gives:
            self._view(op, known)
        elif op.name == "arith.select" and gives:
            self._select(op, known)
        elif op.name in _BRANCHES and gives:
            self._branch(op, known)
        elif op.name in _LOOPS and gives:
            self._loop(op, known)
        elif op.name == "scf.while" and (gives or _places(op.operand_types)):
            self._while(op, known)
        else:
            self._of_each(op, known)
        self.op = outer

    def memory(self, name: str, known: Known) -> _Memory:
        return known.get(name) or _Memory("", (_Form(name),), (name,))

    def _of_each(self, op: Operation, known: dict[str, _Memory]) -> None:
        """An operation, for each memory that an operand may be."""
        chosen = next((known[each] for each in op.operands if each in known and known[each].which), None)
        if chosen is None:
            operands = [known[each].names[0] if each in known else each for each in op.operands]
            self.out.append(replace(op, operands=operands, regions=self.regions(op, known)))
            return
        if _places(op.result_types):
            self.fail(op, "it gives memory that is made of one of several", "make it of each, in scf.if")

        def of(number: int) -> list[str]:
            one = {
                name: _Memory("", (each.forms[number],), (each.names[number],), each.numbers)
                for name, each in known.items()
                if each.which == chosen.which
            }
            results = [self.new_name() for _ in op.results]
            self._of_each(replace(op, results=results), {**known, **one})
            return results

        self._switch(chosen.which, len(chosen.forms), op.result_types, of).results = op.results

    def _switch(self, which: str, count: int, types: Sequence[Type], of: Callable[[int], Sequence[str]]) -> Operation:
        """Of each value of an index, the results of what a function writes."""
        regions = []
        for number in (count - 1, *range(count - 1)):
            with self.inner() as out:
                self.emit("scf.yield", of(number), types)
            regions.append(Region([Block("", [], out)]))
        self.emit("scf.index_switch", [which], [INDEX], types, {"cases": tuple(range(count - 1))}, regions)
        return self.out[-1]

    # Views.

    def _view(self, op: Operation, known: dict[str, _Memory]) -> None:
        source = self.memory(op.operands[0], known)
        numbers, attributes = list(op.operands[1:]), dict(op.attributes)
        static = attributes.get("static_offsets")
        if isinstance(static, tuple):
            # numbers, so that views that begin elsewhere are alike
            count = static.count(UNWRITTEN)
            given = iter(numbers[:count])
            offsets = [next(given) if each == UNWRITTEN else self.index(each) for each in static]
            numbers = [*offsets, *numbers[count:]]
            attributes["static_offsets"] = (UNWRITTEN,) * len(static)
            attributes["operandSegmentSizes"] = (1, len(static), *attributes["operandSegmentSizes"][2:])
        names = [self.new_name() for _ in source.names] if source.which else op.results
        sources, others = source.forms, source.numbers
        if op.name == "memref.reinterpret_cast":
            # which counts from where the memory begins
            sources, others = tuple(_Form(each.root) for each in sources), ()
        key = (op.name, repr(sorted(attributes.items())), str(op.result_types[0]))
        forms = tuple(_Form("", key, each) for each in sources)
        for name, of, form in zip(names, source.names, forms):
            types = [self.type_of.get(of, op.operand_types[0]), *[INDEX] * len(numbers)]
            self.type_of[name] = op.result_types[0]
            made = replace(op, operands=[of, *numbers], operand_types=types, attributes=attributes, results=[name])
            self.out.append(made)
            self.views[form] = made
        known[op.results[0]] = _Memory(source.which, forms, tuple(names), (*others, *numbers))

    def _metadata(self, op: Operation, known: dict[str, _Memory]) -> None:
        """The base of a part of memory is that of the whole; where the part begins is a number that is carried."""
        base, *numbers = op.results
        source = self.memory(op.operands[0], known)
        view = self.views.get(source.forms[0])
        root = source.forms[0].root
        if source.which:
            self.fail(op, "it is of one of several memrefs", "carry what it gives")
        if view is None or view.name != "memref.reinterpret_cast":
            self._of_each(op, known)
            known[base] = _Memory("", (_Form(root),), (base,))
            return
        known[base] = _Memory("", (_Form(root),), (root,))
        dynamic = iter(source.numbers)
        for word in ("offsets", "sizes", "strides"):
            for static in view.attributes[f"static_{word}"]:
                self.renamed[numbers.pop(0)] = next(dynamic) if static == UNWRITTEN else self.index(static)

    def made(self, form: _Form, numbers: Sequence[str]) -> str:
        """A memref of a form, by its numbers."""
        if form.source is None:
            return form.name
        view, length = self.views[form], self._length(form)
        source, name = self.made(form.source, numbers), self.new_name()
        types = [self.type_of[source], *view.operand_types[1:]]
        operands = [source, *numbers[self._length(form.source) : length]]
        self.out.append(replace(view, operands=operands, operand_types=types, results=[name]))
        self.type_of[name] = view.result_types[0]
        return name

    def _length(self, form: _Form) -> int:
        """How many numbers a form has."""
        return 0 if form.source is None else len(self.views[form].operands) - 1 + self._length(form.source)

    # What is carried.

    def states(self, memories: Sequence[_Memory]) -> list[_State]:
        """The memories together, for each value of the indices that say which they are."""
        counts = {each.which: len(each.forms) for each in memories if each.which}
        values = (dict(zip(counts, numbers)) for numbers in product(*map(range, counts.values())))
        return list(dict.fromkeys(_state(memories, each) for each in values))

    def carried(self, memories: Sequence[_Memory], states: Sequence[_State]) -> list[str]:
        """The numbers that stand for memories: which state it is, where there are several, and those of views."""
        names: list[str] = []
        if len(states) > 1:
            indices = list(dict.fromkeys(each.which for each in memories if each.which))
            names.append(self._number(indices, {}, memories, states))
        for memory, count in zip(memories, self._lengths(states)):
            numbers = list(memory.numbers[:count])
            names += numbers + [self.index(0) for _ in range(count - len(numbers))]
        return names

    def _lengths(self, states: Sequence[_State]) -> list[int]:
        """How many numbers stand for each memref beside the state."""
        return [max(map(self._length, forms)) for forms in zip(*states)]

    def _number(
        self,
        indices: Sequence[str],
        values: dict[str, int],
        memories: Sequence[_Memory],
        states: Sequence[_State],
    ) -> str:
        """The number of the state that memories are in."""
        if not indices:
            return self.index(states.index(_state(memories, values)))
        first, *rest = indices
        count = next(len(each.forms) for each in memories if each.which == first)

        def of(value: int) -> list[str]:
            return [self._number(rest, {**values, first: value}, memories, states)]

        return self._switch(first, count, [INDEX], of).results[0]

    def types(self, states: Sequence[_State]) -> list[Type]:
        return [INDEX] * ((len(states) > 1) + sum(self._lengths(states)))

    def received(self, states: Sequence[_State], names: Sequence[str], wanted: Sequence[str]) -> list[_Memory]:
        """The memories that carried numbers stand for, of which those are made that are used."""
        rest = list(names)
        which = rest.pop(0) if len(states) > 1 else ""
        memories = []
        for name, count, forms in zip(wanted, self._lengths(states), zip(*states)):
            numbers, rest = rest[:count], rest[count:]
            names_ = tuple(self.made(form, numbers) if name in self.used else "" for form in forms)
            memories.append(_Memory(which, forms, names_, tuple(numbers)))
        return memories

    def _check_roots(self, op: Operation, states: Sequence[_State], operations: Sequence[Operation]) -> None:
        """What is given lies in memory that is there in front of the operation."""
        inside = {name for each in operations for name in each.results}
        for state in states:
            for form in state:
                if form.root in inside:
                    message = f"it gives {form.root}, which is memory that it takes itself"
                    self.fail(op, message, f"take it in front of {op.name}, and copy to it")
        if len(states) > MAX_STATES:
            help = "use views of one memref, which reinterpret_cast gives numbers"
            self.fail(op, f"memrefs are more than {MAX_STATES} ones by turns, or views of views", help)

    def _select(self, op: Operation, known: dict[str, _Memory]) -> None:
        memories = [[self.memory(each, known)] for each in op.operands[1:]]
        states = self._all_states(op, memories)
        types = [op.operand_types[0], INDEX, INDEX]
        names = [
            self.emit("arith.select", [op.operands[0], *pair], types, [INDEX])
            for pair in zip(*(self.carried(each, states) for each in memories))
        ]
        known.update(zip(op.results, self.received(states, names, op.results)))

    def _all_states(self, op: Operation, memories: Sequence[Sequence[_Memory]]) -> list[_State]:
        states = list(dict.fromkeys(state for each in memories for state in self.states(each)))
        self._check_roots(op, states, ())
        return states

    def _branch(self, op: Operation, known: dict[str, _Memory]) -> None:
        places = _places(op.result_types)
        if op.name.endswith(".if") and sum(bool(region.blocks) for region in op.regions) < 2:
            self.fail(op, "it gives values, but has no else")
        ends: list[tuple[list[Operation], Operation, Known, list[_Memory]]] = []
        for region in op.regions:
            inner = dict(known)
            with self.inner() as out:
                last = self._body(op, region.blocks[0], inner)
            memories = [self.memory(last.operands[n], inner) for n in places]
            roots = {form.root for each in memories for form in each.forms}
            for each in list(out):
                if each.name in _ALLOCATIONS and not each.operands and each.results[0] in roots:
                    out.remove(each)
                    self.out.append(each)
            self._check_roots(op, self.states(memories), out)
            ends.append((out, last, inner, memories))
        states = self._all_states(op, [memories for *_, memories in ends])
        regions = []
        for out, last, there, _ in ends:
            self._end(out, last, places, there, states)
            regions.append(Region([Block("", [], out)]))
        self._give(op, known, places, states, regions)

    def _end(
        self,
        out: list[Operation],
        last: Operation,
        places: Sequence[int],
        known: Known,
        states: Sequence[_State],
        first: int = 0,
    ) -> None:
        """Write the end of a region, with what stands for memrefs behind all else."""
        outer, self.out = self.out, out
        memories = [self.memory(last.operands[first + n], known) for n in places]
        out.append(self._carrying(last, first, places, memories, states))
        self.out = outer

    def _give(
        self,
        op: Operation,
        known: dict[str, _Memory],
        places: Sequence[int],
        states: Sequence[_State],
        regions: list[Region],
    ) -> None:
        """Write an operation that gives numbers in the place of memrefs, and make what these are behind it."""
        rest = [n for n in range(len(op.results)) if n not in places]
        more = self.types(states)
        names = [self.new_name() for _ in more]
        attributes = dict(op.attributes)
        segments = attributes.get("operandSegmentSizes")
        if op.name in _LOOPS and isinstance(segments, tuple):
            attributes["operandSegmentSizes"] = (*segments[:-1], len(rest) + len(more))
        results, types = [op.results[n] for n in rest], [op.result_types[n] for n in rest]
        made = replace(op, results=[*results, *names], result_types=[*types, *more], attributes=attributes)
        self.out.append(replace(made, regions=regions))
        wanted = [op.results[n] for n in places]
        known.update(zip(wanted, self.received(states, names, wanted)))

    def _begin(
        self, block: Block, first: int, places: Sequence[int], states: Sequence[_State], known: dict[str, _Memory]
    ) -> list[tuple[str, Type]]:
        """The arguments of a block that is passed numbers in the place of memrefs, which are made there."""
        names = [self.new_name() for _ in self.types(states)]
        wanted = [block.arguments[first + n][0] for n in places]
        known.update(zip(wanted, self.received(states, names, wanted)))
        rest = [each for n, each in enumerate(block.arguments) if n - first not in places]
        return [*rest, *((name, INDEX) for name in names)]

    def _loop(self, op: Operation, known: dict[str, _Memory]) -> None:
        first, places = len(op.operands) - len(op.result_types), _places(op.result_types)
        inits = [self.memory(op.operands[first + n], known) for n in places]
        block, states = op.regions[0].blocks[0], self.states(inits)
        while True:
            inner = dict(known)
            with self.inner() as out:
                arguments = self._begin(block, 1, places, states, inner)
                last = self._body(op, block, inner)
                found = self._following(op, states, [self.memory(last.operands[n], inner) for n in places], out)
                if found == states:
                    break
            states = found
        self._end(out, last, places, inner, states)
        region = Region([replace(block, arguments=arguments, operations=out)])
        self._give(self._carrying(op, first, places, inits, states), known, places, states, [region])

    def _following(
        self, op: Operation, states: list[_State], memories: Sequence[_Memory], operations: Sequence[Operation]
    ) -> list[_State]:
        """The states of a loop, with those that an iteration leads to."""
        found = list(dict.fromkeys([*states, *self.states(memories)]))
        self._check_roots(op, found, operations)
        return found

    def _carrying(
        self, op: Operation, first: int, places: Sequence[int], memories: Sequence[_Memory], states: Sequence[_State]
    ) -> Operation:
        """A loop, or the end of a region, with numbers in the place of the memrefs among its operands."""
        carried = self.carried(memories, states)
        rest = [n for n in range(len(op.operands)) if n - first not in places]
        types = [*(op.operand_types[n] for n in rest), *[INDEX] * len(carried)]
        return replace(op, operands=[*(op.operands[n] for n in rest), *carried], operand_types=types)

    def _while(self, op: Operation, known: dict[str, _Memory]) -> None:
        places, passed = _places(op.operand_types), _places(op.result_types)
        inits = [self.memory(op.operands[n], known) for n in places]
        before, after = (region.blocks[0] for region in op.regions)
        states = self.states(inits)
        while True:
            first, second = dict(known), dict(known)
            with self.inner() as head:
                arguments = self._begin(before, 0, places, states, first)
                condition = self._body(op, before, first)
                memories = [self.memory(condition.operands[1 + n], first) for n in passed]
                given = self._following(op, [], memories, head)
            with self.inner() as body:
                passed_on = self._begin(after, 0, passed, given, second)
                last = self._body(op, after, second)
                found = self._following(op, states, [self.memory(last.operands[n], second) for n in places], body)
                if found == states:
                    break
            states = found
        self._end(head, condition, passed, first, given, 1)
        self._end(body, last, places, second, states)
        regions = [
            Region([replace(before, arguments=arguments, operations=head)]),
            Region([replace(after, arguments=passed_on, operations=body)]),
        ]
        self._give(self._carrying(op, 0, places, inits, states), known, passed, given, regions)


def _places(types: Sequence[Type]) -> list[int]:
    return [n for n, type_ in enumerate(types) if isinstance(type_, Memref)]


def _defined(op: Operation) -> Iterator[tuple[str, Type]]:
    yield from zip(op.results, op.result_types)
    for region in op.regions:
        for block in region.blocks:
            yield from block.arguments


def _state(memories: Sequence[_Memory], values: Mapping[str, int]) -> _State:
    return tuple(each.forms[values[each.which] if each.which else 0] for each in memories)
