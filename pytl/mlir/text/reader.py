"""Reads operations, regions and blocks: in the generic form, and in the custom forms that a table has.

The grammar of the generic form is small, and the same for all dialects. A custom form is read by its entry of `FORMS`,
and gives the operation that the generic form gives.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any, NoReturn

from ...diagnostics import Diagnostic, Diagnostics, Label, LanguageError, Location, Rule, Source
from ..scanner import Unreadable
from .attributes import AttributeReader
from .names import SHORT, instead_of
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
    "an operation in the custom form is one of builtin, func, arith, math, scf, cf, affine, memref, vector, linalg, "
    "tensor, bufferization, complex, gpu, llvm, arm_sme and xegpu that pytl reads",
    "MLIR",
)
Origin = tuple[int, int] | str | None
"""The line and column of a location, the alias of one, or nothing."""
_MAX_LINES = 10**9
_MAX_DEPTH = 100
_MAX_RESULTS = 1000


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
        self._unclosed_at = -1
        self._operand_spans: dict[str, tuple[int, int]] = {}
        """Where the operands of the operation stand that is being read."""
        self._locations: dict[str, Origin] = {}
        self._located: list[tuple[Operation, str]] = []
        super().__init__(source)

    # The module.

    def module(self) -> Operation:
        operations: list[Operation] = []
        while self.peek():
            begin = self.position
            try:
                if self.peek()[0] in "#!":
                    self._alias()
                elif self.forms and self.text.startswith("{-#", self.position):
                    self.balanced("{", "}")  # what mlir-opt says of dialects' resources
                else:
                    self._into(operations)
            except Unreadable as problem:
                self.note(problem)
                self.skip_operation(begin)
                if self.peek() == "}":
                    self.next()
        for operation, alias in self._located:
            operation.origin = self._origin_of(alias) or operation.origin
        if len(operations) == 1 and (not self.forms or operations[0].name == "builtin.module"):
            return operations[0]
        if not self.forms:
            self.fail(f"a text has one module, and this one has {len(operations)}")
        return Operation(
            "builtin.module",
            [],
            [],
            [],
            [],
            {},
            [Region([Block("", [], operations)])],
            location=self.source.location(0, 0),
        )

    def whole_type(self) -> Type:
        """The type that the text has, and nothing else."""
        type_ = self.type()
        if self.peek():
            self.fail_expected("the end of the type")
        return type_

    def _alias(self) -> None:
        alias = self.next()
        begin = self.position
        try:
            self.expect("=")
            begin = self.position
            if self.peek() == "loc":
                self._locations[alias] = self._location()
                return
            if alias[0] == "!":
                if not self.forms:
                    self.position = begin
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
        self.diagnostics.extend(d for d in problem.diagnostics if d not in self.diagnostics.items)

    def _into(self, operations: list[Operation]) -> None:
        """Read an operation; one that can't be read is broken."""
        begin, depth = self.position, self._depth
        results: list[str] = []
        try:
            self._results(results)
            operations.append(self._operation(begin, results))
        except Unreadable as problem:
            self.note(problem)
            self._depth = depth
            self.skip_operation(begin)
            broken = Operation("", [], results, [], [], {}, location=self.location_from(begin), is_broken=True)
            operations.append(broken)

    # Operations.

    def _results(self, results: list[str]) -> None:
        """Add the names of results: those that stand in front of a mistake are known, too."""
        if not self.begins("%"):
            return
        while True:
            name = self._name("the name of a value")
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

    def _operation(self, begin: int, results: list[str]) -> Operation:
        self._depth += 1
        if self._depth > _MAX_DEPTH:
            self.fail(f"regions are nested more than {_MAX_DEPTH} deep")
        outer, self._operand_spans = self._operand_spans, {}
        if self.peek().startswith('"'):
            operation = self._generic(results)
        elif self.forms:
            operation = self._custom(begin, results)
        else:
            self.fail_expected("the name of an operation in quotation marks")
        operation.location = operation.location or self.location_from(begin)
        operation.operand_spans, self._operand_spans = self._operand_spans, outer
        here = self.source.location(begin, begin)
        operation.origin = here.line, here.column
        self._located_by(operation)
        self._depth -= 1
        return operation

    def _located_by(self, operation: Operation) -> None:
        if self.peek() == "loc":
            origin = self._location()
            if isinstance(origin, str):
                self._located.append((operation, origin))
            else:
                operation.origin = origin or operation.origin

    def _generic(self, results: list[str]) -> Operation:
        begin = self.position
        name = self.next()[1:-1]
        end = self.last_end
        self.expect("(")
        operands = self.read_list(")", self.operand)
        successors: list[str] = []
        if self.take("["):
            successors = self.read_list("]", self.next)
        attributes: dict[str, Any] = {}
        if self.take("<"):
            attributes |= self.dictionary()
            self.expect(">")
        regions: list[Region] = []
        if self.take("("):
            regions = self.read_list(")", self.region)
        if self.peek() == "{":
            attributes |= self.dictionary()
        self.expect(":")
        self.expect("(")
        operand_types = self.read_list(")", self.type)
        self.expect("->")
        result_types = self.types()
        if len(operands) != len(operand_types) or len(results) not in (0, len(result_types)):
            self.fail(f"{name} has as many types as operands and results", begin=None if not self.forms else begin)
        location = self.source.location(begin, end) if regions else None
        return Operation(
            name, operands, results, operand_types, result_types, attributes, regions, successors, location=location
        )

    def _custom(self, begin: int, results: list[str]) -> Operation:
        at = self.position
        name = self.operation_name()
        read = self.forms.get(name)
        if read is None:
            self.refuse(name, at)
        name_end = self.last_end
        operation = read(self, name)
        operation.results = results
        self.check_results(operation, at)
        if operation.regions:
            operation.location = self.source.location(begin, name_end)
        return operation

    def operation_name(self) -> str:
        """The name of the operation that is next, with its dialect."""
        word = self.word("an operation")
        return SHORT.get(word, word)

    def refuse(self, name: str, begin: int) -> NoReturn:
        """Report an operation that has no form, whose name began at a place."""
        dialect = name.partition(".")[0]
        near = sorted(known for known in self.forms if known.startswith(f"{dialect}."))
        help = instead_of(name) or (f"of {dialect} there are {', '.join(near)}" if near else None)
        self.fail(f"`{self.text[begin : self.last_end]}` is no operation that is read here", UNKNOWN, begin, help)

    def check_results(self, operation: Operation, begin: int) -> None:
        """Report names in front of an operation that are other than what it gives."""
        count = len(operation.result_types)
        if len(operation.results) not in (0, count):
            message = f"{operation.name} gives {count} values, but {len(operation.results)} are named"
            self.fail(message, begin=begin)

    def _name(self, what: str) -> str:
        if not self.peek().startswith("%") or self.peek() == "%":
            self.fail_expected(what)
        return self.next()

    def operand(self) -> str:
        begin = self.position
        name = self._name("a value")
        if re.match(r"#[0-9]", self.text[self.last_end : self.last_end + 2]):
            name += self.next()
        self._operand_spans.setdefault(name, (begin, self.last_end))
        return name

    # Regions.

    def region(self, arguments: list[tuple[str, Type]] | None = None) -> Region:
        """A region in braces; arguments that stand in front of it are those of its first block."""
        begin = self.position
        self.expect("{")
        opening = self.location_from(begin)
        region = Region()
        if arguments is not None:
            region.blocks.append(Block("", arguments))
        while not self.take("}"):
            if self.peek() in ("", self.outermost):
                self._fail_unclosed(opening)
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

    def _fail_unclosed(self, opening: Location) -> NoReturn:
        """Report a region that is not closed, and once where those around it are not closed either."""
        is_reported = self._unclosed_at == self.position
        self._unclosed_at = self.position
        help, labels = self.help or "add the missing `}`", (Label(opening, "opened here"),)
        diagnostic = Diagnostic(self.syntax, "the region is not closed", self.here(), help, labels)
        raise Unreadable([] if is_reported else [diagnostic])

    def _label(self) -> Block:
        block = Block(self.next())
        if self.take("("):
            block.arguments = self.read_list(")", self.argument)
        self.expect(":")
        return block

    def argument(self) -> tuple[str, Type]:
        """The name of an argument, and its type."""
        name = self._name("the name of an argument")
        self.expect(":")
        type_ = self.type()
        self.skip_location()
        return name, type_

    def skip_location(self) -> None:
        """The place of an argument is left out."""
        if self.peek() == "loc":
            self._location()

    def _location(self) -> Origin:
        """`loc(…)`."""
        self.expect("loc")
        self.expect("(")
        origin = self._inner_location()
        self.expect(")")
        return origin

    def _inner_location(self) -> Origin:
        """The line and column of a location, the alias of one, or None of one that has none."""
        with self.nesting():
            token = self.peek()
            if token.startswith("#"):
                return self.next()
            if token == "loc":
                return self._location()
            if token.startswith('"'):
                return self._named_location()
            if self.take("callsite"):
                self.expect("(")
                origin = self._inner_location()
                self.expect("at")
                self._inner_location()
                self.expect(")")
                return origin
            if self.take("fused"):
                if self.take("<"):
                    self.attribute()
                    self.expect(">")
                self.expect("[")
                parts = self.read_list("]", self._inner_location)
                return next((part for part in parts if part is not None), None)
            if not self.take("unknown"):
                self.fail_expected("a location")
            return None

    def _named_location(self) -> Origin:
        """`"file":3:5`, with the end of a range maybe, or a name with a location in parentheses maybe."""
        self.next()
        if self.take("("):
            origin = self._inner_location()
            self.expect(")")
            return origin
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

    def _origin_of(self, alias: str) -> tuple[int, int] | None:
        """The line and column of an alias, which may stand for another one."""
        for _ in self._locations:
            origin = self._locations.get(alias)
            if not isinstance(origin, str):
                return origin
            alias = origin
        return None
