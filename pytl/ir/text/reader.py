"""Reading tokens with an error where another one stands; what every part of the parser builds on."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NoReturn, TypeVar

from ...diagnostics import Diagnostics, Location, Rule, Source
from . import rules
from .scanner import Scanner

T = TypeVar("T")


class SyntaxProblem(Exception):
    """Unwinds to the place where reading can go on; the diagnostic has been reported already."""


class Reader:
    """A scanner and the diagnostics of what it reads."""

    internal = False
    """Whether the text may have what only passes write: their instructions, and vectors."""

    def __init__(self, source: Source) -> None:
        self.scanner = Scanner(source)
        self.diagnostics = Diagnostics()

    def defined(self, *kinds: type) -> Any:
        """The value of the compile-time variable that is next; only where `at_definition` is true."""
        raise NotImplementedError

    @property
    def at_definition(self) -> bool:
        """Whether a compile-time variable is next, in a dialect that has them."""
        return False

    def fail(self, message: str, rule: Rule = rules.SYNTAX, help: str | None = None) -> NoReturn:
        """Report a problem at the next token and leave the instruction."""
        self.diagnostics.report(rule, message, self.scanner.here(), help)
        raise SyntaxProblem

    def note(self, rule: Rule, message: str, location: Location, help: str | None = None) -> None:
        self.diagnostics.report(rule, message, location, help)

    def at(self, token: str) -> bool:
        return self.scanner.at(token)

    def accept(self, token: str) -> bool:
        return self.scanner.accept(token)

    def expect(self, token: str) -> None:
        if not self.scanner.accept(token):
            self.fail(f"expected `{token}`, but found {self.scanner.next_text()}")

    def comma_separated(self, read: Callable[[], T], closing: str) -> list[T]:
        """Items up to one of the closing characters, which is left to be read; there may be none."""
        items: list[T] = []
        if any(self.at(token) for token in closing):
            return items
        items.append(read())
        while self.accept(","):
            items.append(read())
        return items
