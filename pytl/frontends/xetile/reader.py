"""The document's text as operations: those of func, scf and arith in MLIR's own forms, others as statements."""

from __future__ import annotations

import re
from typing import Any, NoReturn

from ...diagnostics import Source
from ...ir.text.characters import report_foreign_characters
from ...ir.text.rules import SYNTAX
from ...mlir.scanner import Unreadable
from ...mlir.text import Block, Operation, Region
from ...mlir.text.reader import Reader
from . import rules
from .types import LayoutScanner, Parts, read_map, read_type

FUNCTION = "func.func"
IS_SIMT = "is_simt"
"""An attribute of functions: whether their vectors are those of work-items."""
_DEFINED = re.compile(r"#([A-Za-z_][A-Za-z0-9_]*)(?=\s*=)")
_SPLIT = re.compile(r"_nd_tdesc(?![A-Za-z0-9_])")
_MISSPELLINGS = {
    "xetile.dpas": "xetile.tile_mma",
    "xetile.update_nd_offset": "xetile.update_tile_offset",
    "xegpu.update_offsets": "xegpu.update_offset",
}
"""Names of operations that the document has beside their own."""
_NAMESPACE = re.compile(r"xe(tile|gpu)\.", re.IGNORECASE)


class XeTileReader(Reader, LayoutScanner):
    """Reads one text. Its types are those of the language, which the document's are read as."""

    outermost = FUNCTION

    def __init__(self, source: Source, forms: Any) -> None:
        super().__init__(source, forms)
        self.syntax, self.spelling, self.help = SYNTAX, rules.SPELLING, None
        self.maps, self.is_simt = {}, False
        self.name_begin = 0
        """Where the name of the operation begins that is being read."""
        report_foreign_characters(source, self.diagnostics)

    def module(self) -> Operation:
        """The functions of the text."""
        operations: list[Operation] = []
        while self.peek():
            try:
                if self.begins("#"):
                    self._alias()
                elif self.peek() != FUNCTION:
                    self.fail_expected(f"`{FUNCTION}`")
                else:
                    self._into(operations)
            except Unreadable as problem:
                self.note(problem)
                while self.peek() and self.peek() != FUNCTION:
                    self.next()
        return Operation(
            "builtin.module", [], [], [], [], {}, [Region([Block("", [], operations)])], location=self.here()
        )

    def _alias(self) -> None:
        """`#name = layout`, between functions and between operations."""
        name = self.match(_DEFINED)
        if name is None:
            self.fail_expected("the name of a layout, as #name =")
        self.expect("=")
        parts: Parts = {}
        read_map(self, parts)
        self.maps[name.group(1)] = parts

    def _into(self, operations: list[Operation]) -> None:
        if not self.lookahead(_DEFINED):
            super()._into(operations)
            return
        begin = self.position
        try:
            self._alias()
        except Unreadable as problem:
            self.note(problem)
            self.skip_operation(begin)

    def _generic(self, results: list[str]) -> Operation:
        self.fail_expected("an operation")

    # Operations.

    def operation_name(self) -> str:
        begin = self.name_begin = self.position
        word = super().operation_name()
        name = _NAMESPACE.sub(lambda match: match.group().lower(), word)
        dialect = name.lower().removesuffix(".")
        if dialect in ("xegpu", "xetile") and (name.endswith(".") or self.take(".")):
            self.report_spelling("there is a blank within the operation's name", begin)
            name = f"{dialect}.{self.word('the name of an operation')}"
        if name == "xegpu.create" and self.match(_SPLIT):
            self.report_spelling("there is a blank within the operation's name", begin)
            name = "xegpu.create_nd_tdesc"
        if name in _MISSPELLINGS:
            self.report_spelling(f"{word} is read as {_MISSPELLINGS[name]}", begin)
        return _MISSPELLINGS.get(name, name)

    def refuse(self, name: str, begin: int) -> NoReturn:
        dialect = name.partition(".")[0]
        of_dialect = [each for each in self.forms if each.partition(".")[0] == dialect]
        known = ", ".join(of_dialect or dict.fromkeys(f"{each.partition('.')[0]}.…" for each in self.forms))
        message = f"`{self.text[begin : self.last_end]}` is no operation that is read here"
        self.fail(message, rules.OPERATION, begin, f"they are {known}")

    def check_results(self, operation: Operation, begin: int) -> None:
        """How many results a statement has is known when it is written."""

    def type(self) -> Any:
        return read_type(self)
