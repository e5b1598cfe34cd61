"""Reads operations, regions and blocks: in the generic form, and in the custom forms that a table has.

The grammar of the generic form is small, and the same for all dialects. A custom form is read by its entry of `FORMS`,
and gives the operation that the generic form gives.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

from ...diagnostics import Diagnostics, LanguageError, Rule, Source
from .attributes import AttributeReader
from .names import SHORT, UNREAD
from .scanner import Unreadable
from .tree import Block, Broken, Dense, Operation, Raw, Region
from .type_reader import Alias
from .types import Type

__all__ = ["Dense", "Raw", "read_module"]

Read = Callable[[Any, str], Operation]
"""Reads with a reader what stands behind an operation's name."""

SYNTAX = Rule(
    "PYTL-1220",
    "a text of MLIR is in the generic form",
    "MLIR",
    explanation="It is what `mlir-opt --mlir-print-op-generic` prints.",
)
CUSTOM = Rule(
    "PYTL-1300", "a text of MLIR is spelled as mlir-opt reads it, in the generic or in the custom form", "MLIR"
)
UNKNOWN = Rule(
    "PYTL-1301",
    "an operation in the custom form is one of builtin, func, arith, math, scf, cf, affine, memref, vector and linalg "
    "that pytl reads",
    "MLIR",
)
Place = tuple[int, int] | str | None
"""The line and column of a location, the alias of one, or nothing."""
_MAX_LINES = 10**9
_MAX_DEPTH = 100
_MAX_RESULTS = 1000
_BEGIN = re.compile(r'[%"}^]|[A-Za-z_]')
_OPENING, _CLOSING = frozenset("([{"), frozenset(")]}")


def read_module(text: str, name: str = "<text>") -> Operation:
    """The module of a text in the generic form, which messages call `name`.

    Raises `pytl.LanguageError` (PYTL-1220) at the first character that is not understood.

    >>> inner = '%0 = "arith.constant"() <{value = 7 : i32}> : () -> i32'
    >>> module = read_module('"builtin.module"() ({ ' + inner + " }) : () -> ()")
    >>> [(op.name, op.attributes) for op in module.walk()][1]
    ('arith.constant', {'value': 7})
    """
    return Reader(Source(name, text), {}).module()


class Reader(AttributeReader):
    """Reads one text; with a table of custom forms it reports what is wrong, and goes on."""

    def __init__(self, source: Source, forms: Mapping[str, Read]) -> None:
        self.aliases: dict[str, Alias] = {}
        self.forms = forms
        self.diagnostics = Diagnostics()
        self.syntax = CUSTOM if forms else SYNTAX
        self.help = None if forms else "print the text with mlir-opt --mlir-print-op-generic"
        self._depth = 0
        self._open_from = -1
        """The begin of an operation from which on brackets are opened that nothing closes."""
        self._locations: dict[str, Place] = {}
        self._located: list[tuple[Operation, str]] = []
        super().__init__(source)

    # The module.

    def module(self) -> Operation:
        found: list[Operation] = []
        while self.peek():
            begin = self.at
            try:
                if self.peek()[0] in "#!":
                    self._alias()
                elif self.forms and self.text.startswith("{-#", self.at):
                    self.balanced("{", "}")  # what mlir-opt says of dialects' resources
                else:
                    self._into(found)
            except Unreadable as problem:
                self.note(problem)
                self._recover(begin)
                if self.peek() == "}":
                    self.next()
        for operation, alias in self._located:
            operation.location = self._place_of(alias) or operation.location
        if len(found) == 1 and (not self.forms or found[0].name == "builtin.module"):
            return found[0]
        if not self.forms:
            self.fail(f"a text has one module, and this one has {len(found)}")
        return Operation(
            "builtin.module", [], [], [], [], {}, [Region([Block("", [], found)])], place=self.source.place(0, 0)
        )

    def whole_type(self) -> Type:
        """The type that the text has, and nothing else."""
        found = self.type()
        if self.peek():
            self.fail(f"the end of the type is expected here, not {self.shown()}")
        return found

    def _alias(self) -> None:
        alias = self.next()
        begin = self.at
        try:
            self.expect("=")
            begin = self.at
            if self.peek() == "loc":
                self._locations[alias] = self._location()
                return
            if alias[0] == "!":
                if not self.forms:
                    self.at = begin
                    self.fail("an alias of a type is not of the generic form")
                value: Any = self.type()
            else:
                value = self.attribute()
            self.aliases[alias] = Alias(value, self.expanded(begin))
        except Unreadable:
            # what is wrong is said here, not where the name stands
            self.aliases[alias] = Alias(Broken(), alias)
            raise

    # Recovery.

    def note(self, problem: LanguageError) -> None:
        if not self.forms:
            raise LanguageError(problem.diagnostics)
        self._brackets = 0
        self.diagnostics.extend(d for d in problem.diagnostics if d not in self.diagnostics.items)

    def _into(self, operations: list[Operation]) -> None:
        """Read an operation; one that can't be read is broken."""
        begin, depth = self.at, self._depth
        results: list[str] = []
        try:
            results = self._results()
            operations.append(self._operation(begin, results))
        except Unreadable as problem:
            self.note(problem)
            self._depth = depth
            self._recover(begin)
            broken = Operation("", [], results, [], [], {}, place=self.since(begin), is_broken=True)
            operations.append(broken)

    def _recover(self, begin: int) -> None:
        """Go on at the next line that may begin an operation, outside of all brackets that were opened since.

        Where there is none, because brackets stay open, there is none for what is around it either.
        """
        depth, self.at, is_open = 0, begin, True
        self.next()
        while self.at < len(self.text):
            token = self.peek()
            if depth and self.at == self._open_from:
                self.at = len(self.text)
                break
            if token in _OPENING:
                depth += 1
            elif token in _CLOSING:
                if depth == 0 and token == "}":
                    return
                is_open = is_open and depth > 0
                depth = max(depth - 1, 0)
            elif depth == 0 and _BEGIN.match(token) and "\n" in self.text[self.last_end : self.at]:
                return
            self.next()
        if is_open:
            self._open_from = begin

    # Operations.

    def _results(self) -> list[str]:
        results: list[str] = []
        if not self.peek().startswith("%"):
            return results
        while True:
            name = self.next()
            if not name.startswith("%") or name == "%":
                self.fail("the name of a value is expected here")
            if self.take(":"):
                count = self.integer()
                if not 0 < count <= _MAX_RESULTS:
                    self.fail(f"an operation has 1 to {_MAX_RESULTS} results")
                results += [f"{name}#{number}" for number in range(count)]
            else:
                results.append(name)
            if not self.take(","):
                break
        self.expect("=")
        return results

    def _operation(self, begin: int, results: list[str]) -> Operation:
        self._depth += 1
        if self._depth > _MAX_DEPTH:
            self.fail(f"regions are nested more than {_MAX_DEPTH} deep")
        if self.peek().startswith('"'):
            operation = self._generic(results)
        elif self.forms:
            operation = self._custom(begin, results)
        else:
            self.fail("the name of an operation is expected here, in quotation marks")
        operation.place = operation.place or self.since(begin)
        here = self.source.place(begin, begin)
        operation.location = here.line, here.column
        self._located_by(operation)
        self._depth -= 1
        return operation

    def _located_by(self, operation: Operation) -> None:
        if self.peek() == "loc":
            found = self._location()
            if isinstance(found, str):
                self._located.append((operation, found))
            else:
                operation.location = found or operation.location

    def _generic(self, results: list[str]) -> Operation:
        begin = self.at
        name = self.next()[1:-1]
        end = self.last_end
        self.expect("(")
        operands = self.listed(")", self.operand)
        successors: list[str] = []
        if self.take("["):
            successors = self.listed("]", self.next)
        attributes: dict[str, Any] = {}
        if self.take("<"):
            attributes |= self.dictionary()
            self.expect(">")
        regions: list[Region] = []
        if self.take("("):
            regions = self.listed(")", self.region)
        if self.peek() == "{":
            attributes |= self.dictionary()
        self.expect(":")
        self.expect("(")
        operand_types = self.listed(")", self.type)
        self.expect("->")
        result_types = self.types()
        if len(operands) != len(operand_types) or len(results) not in (0, len(result_types)):
            self.fail(f"{name} has as many types as operands and results", begin=None if not self.forms else begin)
        place = self.source.place(begin, end) if regions else None
        return Operation(
            name, operands, results, operand_types, result_types, attributes, regions, successors, place=place
        )

    def _custom(self, begin: int, results: list[str]) -> Operation:
        at = self.at
        word = self.word("an operation")
        name = SHORT.get(word, word)
        read = self.forms.get(name)
        if read is None:
            dialect = name.partition(".")[0]
            near = sorted(known for known in self.forms if known.startswith(f"{dialect}."))
            help = UNREAD.get(name) or (f"of {dialect} there are {', '.join(near)}" if near else None)
            self.fail(f"`{word}` is no operation that is read here", UNKNOWN, at, help)
        name_end = self.last_end
        operation = read(self, name)
        operation.results = results
        if len(results) not in (0, len(operation.result_types)):
            count = len(operation.result_types)
            self.fail(f"{name} gives {count} values, but {len(results)} are named", begin=at)
        if operation.regions:
            operation.place = self.source.place(begin, name_end)
        return operation

    def operand(self) -> str:
        name = self.next()
        if not name.startswith("%"):
            self.fail("a value is expected here")
        if re.match(r"#[0-9]", self.text[self.last_end : self.last_end + 2]):
            name += self.next()
        return name

    # Regions.

    def region(self, arguments: list[tuple[str, Type]] | None = None) -> Region:
        """A region in braces; arguments that stand in front of it are those of its first block."""
        self.expect("{")
        region = Region()
        if arguments is not None:
            region.blocks.append(Block("", arguments))
        while not self.take("}"):
            if not self.peek():
                self.fail("the region is not closed")
            if self.peek().startswith("^"):
                block = self._label()
                if region.blocks and not (region.blocks[0].arguments or region.blocks[0].operations):
                    region.blocks.pop()
                region.blocks.append(block)
                continue
            if not region.blocks:
                region.blocks.append(Block(""))
            self._into(region.blocks[-1].operations)
        return region

    def _label(self) -> Block:
        block = Block(self.next())
        if self.take("("):
            block.arguments = self.listed(")", self.argument)
        self.expect(":")
        return block

    def argument(self) -> tuple[str, Type]:
        """The name of an argument, and its type."""
        name = self.next()
        if not name.startswith("%"):
            self.fail("the name of an argument is expected here")
        self.expect(":")
        type_ = self.type()
        self.skip_location()
        return name, type_

    def skip_location(self) -> None:
        """The place of an argument is left out."""
        if self.peek() == "loc":
            self._location()

    def _location(self) -> Place:
        """`loc(…)`."""
        self.expect("loc")
        self.expect("(")
        found = self._inner_location()
        self.expect(")")
        return found

    def _inner_location(self) -> Place:
        """The line and column of a location, the alias of one, or None of one that has none."""
        with self.deeper():
            token = self.peek()
            if token.startswith("#"):
                return self.next()
            if token == "loc":
                return self._location()
            if token.startswith('"'):
                return self._named_location()
            if self.take("callsite"):
                self.expect("(")
                found = self._inner_location()
                self.expect("at")
                self._inner_location()
                self.expect(")")
                return found
            if self.take("fused"):
                if self.take("<"):
                    self.attribute()
                    self.expect(">")
                self.expect("[")
                parts = self.listed("]", self._inner_location)
                return next((part for part in parts if part is not None), None)
            if not self.take("unknown"):
                self.fail(f"a location is expected here, not {self.shown()}")
            return None

    def _named_location(self) -> Place:
        """`"file":3:5`, with the end of a range maybe, or a name with a location in parentheses maybe."""
        self.next()
        if self.take("("):
            found = self._inner_location()
            self.expect(")")
            return found
        if not self.take(":"):
            return None
        line = self.integer()
        self.expect(":")
        column = self.integer()
        if self.take("to"):
            if self.peek() != ":":
                self.integer()
            self.expect(":")
            self.integer()
        return (line, column) if 0 < line < _MAX_LINES and 0 <= column < _MAX_LINES else None

    def _place_of(self, alias: str) -> tuple[int, int] | None:
        """The line and column of an alias, which may stand for another one."""
        for _ in self._locations:
            found = self._locations.get(alias)
            if not isinstance(found, str):
                return found
            alias = found
        return None
