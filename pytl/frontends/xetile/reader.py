"""The document's text to IR: functions, names and layouts. A body is executed by each work-group's one sub-group."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

from ...diagnostics import Location, Source
from ...ir.operation import Operation
from ...ir.text.literals import read_integer
from ...ir.text.reader import SyntaxProblem
from ...ir.text.structure import StructureReader
from ...ir.types import ScalarType, Type, UnknownType
from ...ir.values import Function, Module, Region, Value
from ...ops import Parallel
from ...ops.builder import Builder
from . import rules
from .slips import slip
from .types import LANES, Parts, matches, read_map, read_type, shown
from .values import Compound, Given, Read

_COMMENT = re.compile(r"//[^\r\n]*")
_ALIAS = re.compile(r"#([A-Za-z_][A-Za-z0-9_]*)(?=\s*=)")
_NUMBERED = re.compile(r"#([0-9]+)")
_PACK = re.compile(r":([0-9]+)")
_ASSIGNED = re.compile(
    r"%[A-Za-z0-9][A-Za-z0-9_]*(?::[0-9]{1,3})?(?:\s*,\s*%[A-Za-z0-9][A-Za-z0-9_]*(?::[0-9]{1,3})?)*(?=\s*=)"
)
_COUNTED = re.compile(r"%[A-Za-z0-9_]+(:[0-9]{1,3})?")
_SLIPS = {
    "xetile.dpas": "xetile.tile_mma",
    "xetile.update_nd_offset": "xetile.update_tile_offset",
    "xegpu.update_offsets": "xegpu.update_offset",
}
"""Names of operations that the document has beside their own."""
_NAMESPACE = re.compile(r"xe(tile|gpu)\.", re.IGNORECASE)
_SIMT = re.compile(r"tensor_desc\s*<[^<>]*#(?![Ss]cattered\s*>)(?![Ss]cattered\s*,\s*[^#<>]*>)")


class XeTileReader(StructureReader):
    """Reads functions; one object for each text."""

    keyword = "func.func"

    def __init__(self, source: Source, readers: Mapping[str, Callable[[Any, int], Read]]) -> None:
        """`readers` has what reads each operation behind its name, which began at a place of the text."""
        super().__init__(source)
        self._readers = readers
        # the places of all else stay as they are
        self.scanner.text = _COMMENT.sub(lambda found: " " * len(found.group()), source.text)
        self.maps: dict[str, Parts] = {}
        """The layouts that have a name."""
        self._packs: list[list[int]] = []
        """Of each operation that is being read, how many results each name stands for; 0 without a number."""
        self.items = LANES
        """The work-items of a work-group."""
        self.is_simt = False
        """Whether vectors of the function are those of work-items."""
        self.addresses: set[Value] = set()
        """The parameters that were written as integers and are memory."""
        self.allocated: list[Operation] = []
        """The local memory of the function."""
        self.extents: dict[Value, tuple[Value, str, int]] = {}
        """The values that are a size or a stride of a memref, and of which mode."""
        self.yielded: list[Value] = []
        """What the last region that was read gives."""
        self.barriers: int | None = None
        """How many named barriers there are; None before they are allocated."""

    def module(self) -> Module:
        self._aliases()
        return super().module()

    def _aliases(self) -> None:
        try:
            while found := self.scanner.match(_ALIAS):
                self.expect("=")
                parts: Parts = {}
                read_map(self, parts, self.maps)
                self.maps[found.group(1)] = parts
        except SyntaxProblem:
            pass  # what uses the name says so, too

    def function(self) -> Function:
        self.items, self.barriers = LANES, None
        self.addresses, self.allocated, self.extents = set(), [], {}
        text = self.scanner.text
        end = text.find(self.keyword, self.scanner.position + len(self.keyword))
        self.is_simt = _SIMT.search(text[self.scanner.position : end if end > 0 else len(text)]) is not None
        function = super().function()
        body = function.body
        inner = Region("spmd", [], body.operations)
        inner.location, inner.is_complete = body.location, body.is_complete
        body.operations = [*self.allocated, Parallel(function.location, [], body=inner)]
        self._aliases()
        return function

    def function_attributes(self) -> dict[str, Any]:
        """`attributes {known_block_size = array<i32: 32, 1, 1>}`: the work-items of a work-group."""
        if self.accept("attributes"):
            self.expect("{")
            self.accept("gpu.")
            start = self.scanner.skip_blanks()
            for token in ("known_block_size", "=", "array", "<", "i32", ":"):
                self.expect(token)
            sizes = self.comma_separated(lambda: read_integer(self), closing=">")
            self.expect(">")
            self.expect("}")
            self.items = 1
            for size in sizes:
                self.items *= size
            if self.items < 1 or self.items % LANES:
                self.diagnostics.report(
                    rules.BLOCK_SIZE, f"a work-group has {self.items} work-items", self.scanner.place(start)
                )
                self.items = LANES
        return {"work_group_size": [LANES, self.items // LANES], "subgroup_size": LANES}

    def type(self) -> Type:
        return read_type(self, self.maps)

    # Names.

    def slip(self, message: str, start: int) -> None:
        slip(self, message, start)

    def is_parameter(self, value: Value) -> bool:
        return any(value is each for each in self.names.outermost())

    def is_defined(self, name: str) -> bool:
        return self.names.find(name) is not None

    def lookup(self, name: str) -> Value:
        """The value of a name that is defined."""
        found = self.names.find(name)
        assert found is not None
        return found

    def value(self) -> Value:
        start = self.scanner.skip_blanks()
        name, _ = self.local_name()
        number = _NUMBERED.match(self.scanner.text, self.scanner.position)
        if number is None:
            if self.is_defined(name):
                return self.lookup(name)
            self.scanner.position = start
            return super().value()
        self.scanner.position = self.scanner.last_end = number.end()
        found = self.names.find(f"{name}#{number.group(1)}")
        if found is None:
            self.fail(f"%{name} has no result {number.group(1)}", rules.ANNOTATED)
        return found

    def define(self, name: str, place: Location, type_: Any) -> Value:
        """An argument; of a value that several stand for, those of a value like it."""
        if not isinstance(type_, Compound):
            return super().define(name, place, type_)
        found = type_.with_parts([Value(part.type, name, place) for part in type_.parts])
        found.location = place
        self.names.define(name, found, place)
        return found

    def values(self, closing: str) -> list[Value]:
        """Values between commas."""
        return [value for values in self.comma_separated(self.one_or_more, closing) for value in values]

    def one_or_more(self) -> list[Value]:
        """A value, or all of `%x:2`: the two results of what `%x:2` was assigned."""
        start = self.scanner.skip_blanks()
        name, _ = self.local_name()
        pack = _PACK.match(self.scanner.text, self.scanner.position)
        if pack is None:
            self.scanner.position = start
            return [self.value()]
        found = [self.names.find(f"{name}#{number}") for number in range(int(pack.group(1)[:3]))]
        known = [value for value in found if value is not None]
        if not found or len(known) < len(found):
            self.fail(f"%{name} was not assigned {pack.group(1)[:3]} results", rules.ANNOTATED)
        self.scanner.position = self.scanner.last_end = pack.end()
        return known

    # Operations.

    def _instruction(self) -> None:
        if self.scanner.at("#"):
            before = self.scanner.position
            self._aliases()
            if self.scanner.position != before:
                return
        if self.accept("return") or self.accept("func.return") or self.accept("gpu.return"):
            return
        packs = _ASSIGNED.match(self.scanner.text, self.scanner.skip_blanks())
        counts: list[int] = []
        for found in _COUNTED.finditer(self.scanner.text, *packs.span()) if packs else ():
            counts.append(int(found.group(1)[1:]) if found.group(1) else 0)
            if found.group(1):
                # names are read as those without a number are, whose place is left blank
                begin, end = found.span(1)
                self.scanner.text = self.scanner.text[:begin] + " " * (end - begin) + self.scanner.text[end:]
        self._packs.append(counts)
        super()._instruction()
        self._packs.pop()

    def insert_all(self, written: Builder) -> None:
        """Put what a builder has before the instruction that is being read."""
        for operation in written.operations:
            self.insert(operation)

    def append(self, operation: Any) -> None:
        if not isinstance(operation, Given):
            super().append(operation)

    def _assign(self, names: list[tuple[str, Location]], word: str, operation: Any) -> None:
        if isinstance(operation, Given) and operation.may_be_unnamed and not names:
            return
        counts = self._packs[-1]
        if not any(counts):
            super()._assign(names, word, operation)
            return
        wanted = sum(count or 1 for count in counts)
        if wanted != len(operation.results):
            message = f"{word} gives {len(operation.results)} values, not {wanted}"
            self.diagnostics.report(rules.ANNOTATED, message, names[0][1])
        rest = list(operation.results)
        for (name, place), count in zip(names, counts):
            for number in range(count or 1):
                value = rest.pop(0) if rest else Value(UnknownType())
                value.location = place
                self.names.define(f"{name}#{number}" if count else name, value, place)

    def read_instruction(self) -> tuple[str, Any]:
        start = self.scanner.skip_blanks()
        word = self.scanner.word()
        if word is None:
            self.fail(f"expected an operation, but found {self.scanner.next_text()}")
        name = _NAMESPACE.sub(lambda found: found.group().lower(), word)
        if name.lower() in ("xegpu", "xetile") and self.accept("."):
            self.slip("there is a blank within the operation's name", start)
            name = f"{name.lower()}.{self.scanner.word()}"
        if name == "xegpu.create" and self.accept("_nd_tdesc"):
            self.slip("there is a blank within the operation's name", start)
            name = "xegpu.create_nd_tdesc"
        if name in _SLIPS:
            self.slip(f"{word} is read as {_SLIPS[name]}", start)
            name = _SLIPS[name]
        read = self._readers.get(name)
        if read is None:
            dialect = name.partition(".")[0]
            of_dialect = [each for each in self._readers if each.partition(".")[0] == dialect]
            known = ", ".join(of_dialect or dict.fromkeys(f"{each.partition('.')[0]}.…" for each in self._readers))
            message = f"`{word}` is no operation that is read here"
            self.diagnostics.report(rules.OPERATION, message, self.scanner.place(start), f"they are {known}")
            raise SyntaxProblem
        return name, read(self, start)

    # Types that are written again.

    def fits(self, value: Value, written: Any) -> bool:
        """Whether the type of a value may be written like this."""
        if value in self.addresses and isinstance(written, ScalarType):
            return True
        return isinstance(value.type, UnknownType) or matches(value.type, written)

    def annotated(self, *values: Value) -> None:
        """Read the type of each value, between commas."""
        for number, value in enumerate(values):
            if number:
                self.expect(",")
            self.named(value)

    def named(self, value: Value) -> None:
        """Read the type of a value."""
        start = self.scanner.skip_blanks()
        type_ = self.type()
        if not self.fits(value, type_):
            name = f"%{value.name}" if value.name else "the operand"
            message = f"{name} is {shown(value.type)}, but {shown(type_)} is written here"
            place = self.scanner.place(start)
            self.diagnostics.report(rules.ANNOTATED, message, place, f"write {shown(value.type)}")
