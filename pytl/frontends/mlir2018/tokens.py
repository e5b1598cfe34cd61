"""Tokens of the document's texts: names, numbers, strings, and the notes on how they are spelled."""

from __future__ import annotations

import re
from contextlib import AbstractContextManager
from typing import NoReturn

from ...diagnostics import Diagnostics, Location, Rule, Source
from ...ir.text.characters import report_foreign_characters
from ...ir.text.literals import shortened
from ...mlir.scanner import Lenient
from ...mlir.text.scanner import TextScanner
from . import rules

_SUFFIX = r"([0-9]+|[A-Za-z$._-][A-Za-z0-9$._-]*)"
_USE = re.compile(rf"%{_SUFFIX}(?:#([0-9]+))?")
LABEL = re.compile(rf"\^{_SUFFIX}")
_HASH = re.compile(rf"#{_SUFFIX}")
_FUNCTION = re.compile(r"@([A-Za-z][A-Za-z0-9_]*)")
_BARE = re.compile(r"[A-Za-z][A-Za-z0-9_]*")
_STRING = re.compile(r'"([^"\n\f\v\r]*)"')
_NUMBER = re.compile(r"-?(?:0x[0-9a-fA-F]+|[0-9]+(?:\.[0-9]*(?:[eE][+-]?[0-9]+)?|[eE][+-]?[0-9]+)?)")
GREATEST = 1 << 63


class TokenReader(TextScanner, Lenient):
    """Reads tokens of one text; what is wrong with one is told, and leaves the instruction.

    Names of today have other characters than those of 2018, so a name is read by what it may be at its place.
    """

    token = re.compile(rf"{_STRING.pattern}|->|\.\.\.|[%@.]?\w+|.", re.DOTALL)
    first = re.compile(r'[%"^A-Za-z]|\.\.\.')
    opening, closing, outermost = "{", "}", "func"
    syntax, spelling = rules.SYNTAX, rules.SPELLING

    def __init__(self, source: Source) -> None:
        super().__init__(source)
        self.diagnostics = Diagnostics()
        report_foreign_characters(source, self.diagnostics)

    def report(self, rule: Rule, message: str, location: Location | None, help: str | None = None) -> None:
        self.diagnostics.report(rule, message, location, help)

    def fail_at(self, begin: int, message: str, rule: Rule = rules.SYNTAX) -> NoReturn:
        """Report the token that begins at a place, which has been read."""
        self.position = begin
        self.fail(message, rule)

    def nested(self) -> AbstractContextManager[None]:
        """While something is read that may have the like within it."""
        return self.nesting("this is", rules.DEPTH)

    # Names.

    def use_name(self) -> tuple[str, int | None, Location]:
        """A name behind `%`, and the number of a result behind `#`."""
        begin = self.position
        match = self.match(_USE)
        if not match:
            self.fail_expected("a value, as %x")
        number = None if match[2] is None else int(match[2]) if len(match[2]) < 6 else 10**6
        return match[1], number, self.location_from(begin)

    def defined_name(self) -> tuple[str, Location]:
        """The name of a value that is defined here."""
        name, number, location = self.use_name()
        if number is not None:
            self.report(rules.SYNTAX, f"%{name}#{number} is a result, and no name of a value", location)
        return name, location

    def hash_name(self) -> str:
        return self._name(_HASH, "a name, as #map")

    def function_name(self) -> str:
        return self._name(_FUNCTION, "the name of a function, as @f")

    def label(self) -> str:
        return self._name(LABEL, "a block, as ^bb1")

    def bare_name(self, expected: str) -> str:
        match = self.match(_BARE)
        if not match:
            self.fail_expected(expected)
        return match[0]

    def _name(self, pattern: re.Pattern[str], expected: str) -> str:
        match = self.match(pattern)
        if not match:
            self.fail_expected(expected)
        return match[1]

    # Literals.

    @property
    def at_number(self) -> bool:
        return self.lookahead(_NUMBER) is not None

    def string(self) -> str:
        """What stands in quotes; the document has no escapes."""
        match = self.match(_STRING)
        if not match:
            if self.begins('"'):
                self.fail("the string is not closed in its line")
            self.fail_expected("a string")
        return match[1]

    def number(self) -> int | float:
        """An integer, or a number with a point or exponent."""
        match = self.match(_NUMBER)
        if not match:
            self.fail_expected("a number")
        text, begin = match[0], match.start()
        if len(text) > rules.MAX_DIGITS:
            self.report(rules.NUMBERS, f"{shortened(text)} has {len(text)} characters", self.location_from(begin))
            return 0
        if "x" in text:
            return int(text, 16)
        if not set(text) & {".", "e", "E"}:
            return int(text)
        value = float(text)
        if value in (float("inf"), float("-inf")):
            self.report(rules.NUMBERS, f"{shortened(text)} is beyond double precision", self.location_from(begin))
            return 0.0
        return value

    def natural(self, what: str) -> int:
        """An integer of at most 63 bits that is not negative."""
        begin = self.position
        value = self.number()
        text = shortened(self.text[begin : self.last_end])
        if isinstance(value, float) or value < 0:
            self.fail(f"{what} is an integer that is not negative, but this is {text}", begin=begin)
        if value >= GREATEST:
            self.report(rules.NUMBERS, f"{what} is {text}", self.location_from(begin))
            return 0
        return value
