"""Tokens of the document's texts: names, numbers, strings, and the notes on how they are spelled."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import NoReturn

from ...diagnostics import LanguageError, Location, Rule, Source
from ...ir.text.characters import report_foreign_characters
from ...ir.text.literals import shortened
from ...ir.text.reader import Reader, SyntaxProblem
from ...ir.text.scanner import Scanner
from . import rules

_BLANK = re.compile(r"(?:[ \t\r\n\f\v]|//[^\r\n]*)+")
_SUFFIX = r"([0-9]+|[A-Za-z$._-][A-Za-z0-9$._-]*)"
_USE = re.compile(rf"%{_SUFFIX}(?:#([0-9]+))?")
LABEL = re.compile(rf"\^{_SUFFIX}")
_HASH = re.compile(rf"#{_SUFFIX}")
_FUNCTION = re.compile(r"@([A-Za-z][A-Za-z0-9_]*)")
_BARE = re.compile(r"[A-Za-z][A-Za-z0-9_]*")
_STRING = re.compile(r'"([^"\n\f\v\r]*)"')
_NUMBER = re.compile(r"-?(?:0x[0-9a-fA-F]+|[0-9]+(?:\.[0-9]*(?:[eE][+-]?[0-9]+)?|[eE][+-]?[0-9]+)?)")
_TOKEN = re.compile(r"\w+|\.\.\.|.", re.DOTALL)
GREATEST = 1 << 63


class MlirScanner(Scanner):
    """Comments begin with two slashes."""

    def skip_blanks(self) -> int:
        blank = _BLANK.match(self.text, self.position)
        if blank:
            self.position = blank.end()
        return self.position


class TokenReader(Reader):
    """Reads tokens of one text; what is wrong with one is told, and leaves the instruction."""

    def __init__(self, source: Source) -> None:
        super().__init__(source)
        self.scanner = MlirScanner(source)
        self._depth = 0
        report_foreign_characters(source, self.diagnostics)

    def fail_syntax(self, expected: str) -> NoReturn:
        self.fail(f"expected {expected}, but found {self.scanner.next_text()}", rules.SYNTAX)

    def expect(self, token: str) -> None:
        if not self.accept(token):
            self.fail_syntax(f"`{token}`")

    def slip(self, message: str, start: int, end: int | None = None) -> None:
        """Note what is read although the grammar has it in another way; without an end, the token that begins there."""
        if end is None:
            found = _TOKEN.match(self.scanner.text, start)
            end = found.end() if found else start
        self.note(rules.SPELLING, message, self.scanner.source.place(start, end))

    def report(self, rule: Rule, message: str, place: Location | None, help: str | None = None) -> None:
        self.diagnostics.report(rule, message, place, help)

    def blank_out(self, start: int, end: int) -> None:
        """Read on as if these characters were blanks; the places of all others stay."""
        text = self.scanner.text
        self.scanner.text = text[:start] + " " * (end - start) + text[end:]

    def at_match(self, pattern: re.Pattern[str]) -> re.Match[str] | None:
        """What the pattern finds at the next token, which is not read."""
        return pattern.match(self.scanner.text, self.scanner.skip_blanks())

    @contextmanager
    def nested(self) -> Iterator[None]:
        """While something is read that may have the like within it."""
        if self._depth >= rules.MAX_DEPTH:
            self.fail(f"this is nested more than {rules.MAX_DEPTH} deep", rules.DEPTH)
        self._depth += 1
        try:
            yield
        finally:
            self._depth -= 1

    @contextmanager
    def affine(self) -> Iterator[None]:
        """While affine structures are read, whose problems are those of this text."""
        try:
            yield
        except LanguageError as problem:
            self.diagnostics.extend(problem.diagnostics)
            raise SyntaxProblem from None

    # Names.

    def use_name(self) -> tuple[str, int | None, Location]:
        """A name behind `%`, and the number of a result behind `#`."""
        start = self.scanner.skip_blanks()
        found = self.scanner.match(_USE)
        if not found:
            self.fail_syntax("a value, as %x")
        number = None if found[2] is None else int(found[2]) if len(found[2]) < 6 else 10**6
        return found[1], number, self.scanner.place(start)

    def defined_name(self) -> tuple[str, Location]:
        """The name of a value that is defined here."""
        name, number, place = self.use_name()
        if number is not None:
            self.report(rules.SYNTAX, f"%{name}#{number} is a result, and no name of a value", place)
        return name, place

    def hash_name(self) -> str:
        return self._name(_HASH, "a name, as #map")

    def function_name(self) -> str:
        return self._name(_FUNCTION, "the name of a function, as @f")

    def label(self) -> str:
        return self._name(LABEL, "a block, as ^bb1")

    def bare_name(self, expected: str) -> str:
        found = self.scanner.match(_BARE)
        if not found:
            self.fail_syntax(expected)
        return found[0]

    def _name(self, pattern: re.Pattern[str], expected: str) -> str:
        found = self.scanner.match(pattern)
        if not found:
            self.fail_syntax(expected)
        return found[1]

    # Literals.

    @property
    def at_number(self) -> bool:
        return self.at_match(_NUMBER) is not None

    def string(self) -> str:
        """What stands in quotes; the document has no escapes."""
        found = self.scanner.match(_STRING)
        if not found:
            if self.at('"'):
                self.fail("the string is not closed in its line", rules.SYNTAX)
            self.fail_syntax("a string")
        return found[1]

    def number(self) -> int | float:
        """An integer, or a number with a point or exponent."""
        found = self.scanner.match(_NUMBER)
        if not found:
            self.fail_syntax("a number")
        text, start = found[0], found.start()
        if len(text) > rules.MAX_DIGITS:
            self.report(rules.NUMBERS, f"{shortened(text)} has {len(text)} characters", self.scanner.place(start))
            return 0
        if "x" in text:
            return int(text, 16)
        if not set(text) & {".", "e", "E"}:
            return int(text)
        value = float(text)
        if value in (float("inf"), float("-inf")):
            self.report(rules.NUMBERS, f"{shortened(text)} is beyond double precision", self.scanner.place(start))
            return 0.0
        return value

    def natural(self, what: str) -> int:
        """An integer of at most 63 bits that is not negative."""
        start = self.scanner.skip_blanks()
        value = self.number()
        text = shortened(self.scanner.text[start : self.scanner.last_end])
        if isinstance(value, float) or value < 0:
            self.scanner.position = start
            self.fail(f"{what} is an integer that is not negative, but this is {text}", rules.SYNTAX)
        if value >= GREATEST:
            self.report(rules.NUMBERS, f"{what} is {text}", self.scanner.place(start))
            return 0
        return value
