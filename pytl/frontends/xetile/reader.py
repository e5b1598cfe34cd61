"""The document's text to IR: functions, names and layouts. A body is executed by each work-group's one sub-group."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

from ...diagnostics import Location, Source
from ...ir.operation import Operation
from ...ir.text.reader import SyntaxProblem
from ...ir.text.structure import StructureReader
from ...ir.types import Type, UnknownType
from ...ir.values import Function, Module, Region, Value
from ...ops import Parallel
from . import rules
from .types import Parts, read_map, read_type, shown

_COMMENT = re.compile(r"//[^\r\n]*")
_ALIAS = re.compile(r"#([A-Za-z_][A-Za-z0-9_]*)(?=\s*=)")
_NUMBERED = re.compile(r"#([0-9]+)")
_PACK = re.compile(r":([0-9]+)")
_ASSIGNED = re.compile(r"%[A-Za-z0-9][A-Za-z0-9_]*(:[0-9]{1,3})(?=\s*=)")
_NAMESPACE = re.compile(r"xe(tile|gpu)\.", re.IGNORECASE)
_LANES = 16


class XeTileReader(StructureReader):
    """Reads functions; one object for each text."""

    keyword = "func.func"

    def __init__(self, source: Source, readers: Mapping[str, Callable[[Any, int], Operation]]) -> None:
        """`readers` has what reads each operation behind its name, which began at a place of the text."""
        super().__init__(source)
        self._readers = readers
        # the places of all else stay as they are
        self.scanner.text = _COMMENT.sub(lambda found: " " * len(found.group()), source.text)
        self.maps: dict[str, Parts] = {}
        """The layouts that have a name."""
        self._packs: list[int] = []
        """Of each operation that is being read, how many results its one name stands for; 0 without a number."""

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
        function = super().function()
        body = function.body
        inner = Region("spmd", [], body.operations)
        inner.location, inner.is_complete = body.location, body.is_complete
        body.operations = [Parallel(function.location, [], body=inner)]
        self._aliases()
        return function

    def function_attributes(self) -> dict[str, Any]:
        return {"work_group_size": [_LANES, 1], "subgroup_size": _LANES}

    def type(self) -> Type:
        return read_type(self, self.maps)

    # Names.

    def value(self) -> Value:
        start = self.scanner.skip_blanks()
        name, _ = self.local_name()
        number = _NUMBERED.match(self.scanner.text, self.scanner.position)
        if number is None:
            self.scanner.position = start
            return super().value()
        self.scanner.position = self.scanner.last_end = number.end()
        for scope in reversed(self._scopes):
            if f"{name}#{number.group(1)}" in scope:
                return scope[f"{name}#{number.group(1)}"]
        self.fail(f"%{name} has no result {number.group(1)}", rules.ANNOTATED)

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
        known = {key: value for scope in self._scopes for key, value in scope.items()}
        names = [f"{name}#{number}" for number in range(int(pack.group(1)[:3]))]
        if not names or any(key not in known for key in names):
            self.fail(f"%{name} was not assigned {pack.group(1)[:3]} results", rules.ANNOTATED)
        self.scanner.position = self.scanner.last_end = pack.end()
        return [known[key] for key in names]

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
        if packs:
            # names are read as those without a number are, whose place is left blank
            begin, end = packs.span(1)
            self.scanner.text = self.scanner.text[:begin] + " " * (end - begin) + self.scanner.text[end:]
        self._packs.append(int(packs.group(1)[1:]) if packs else 0)
        super()._instruction()
        self._packs.pop()

    def _assign(self, names: list[tuple[str, Location]], word: str, operation: Operation) -> None:
        pack = self._packs[-1]
        if len(names) == 1 and pack:
            name, place = names[0]
            if pack != len(operation.results):
                self.diagnostics.report(
                    rules.ANNOTATED, f"{word} gives {len(operation.results)} values, not {pack}", place
                )
            for number, value in enumerate(operation.results):
                value.location = place
                self._bind(f"{name}#{number}", place, value)
            return
        super()._assign(names, word, operation)

    def read_instruction(self) -> tuple[str, Operation]:
        start = self.scanner.skip_blanks()
        word = self.scanner.word()
        if word is None:
            self.fail(f"expected an operation, but found {self.scanner.next_text()}")
        name = _NAMESPACE.sub(lambda found: found.group().lower(), word)
        read = self._readers.get(name)
        if read is None:
            message, known = f"`{word}` is no operation that is read here", ", ".join(self._readers)
            self.diagnostics.report(rules.OPERATION, message, self.scanner.place(start), f"they are {known}")
            raise SyntaxProblem
        return name, read(self, start)

    # Types that are written again.

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
        if not isinstance(value.type, UnknownType) and type_ != value.type:
            name = f"%{value.name}" if value.name else "the operand"
            message = f"{name} is {shown(value.type)}, but {shown(type_)} is written here"
            place = self.scanner.place(start)
            self.diagnostics.report(rules.ANNOTATED, message, place, f"write {shown(value.type)}")
