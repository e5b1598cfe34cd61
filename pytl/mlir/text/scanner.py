"""The characters of a text of MLIR: blanks, tokens, brackets, and what is said where a text is not understood."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, NoReturn

from ...diagnostics import Diagnostic, LanguageError, Location, Rule, Source
from ...diagnostics.quoting import visible

_BLANK = re.compile(r"(?:\s|//[^\n]*)*")
_TOKEN = re.compile(
    r'"(?:[^"\\\n]|\\.)*"'
    r"|[%^][A-Za-z0-9_$.\-]+|@[A-Za-z_][\w$.]*|@\"(?:[^\"\\\n]|\\.)*\""
    r"|[#!][A-Za-z_][\w$.]*|#-?[0-9]+"
    r"|0x[0-9A-Fa-f]+|-?[0-9]+(?:\.[0-9]*)?(?:[eE][+-]?[0-9]+)?"
    r"|[A-Za-z_][\w$.]*|->|>=|==|::|.",
    re.DOTALL,
)
WORD = re.compile(r"[A-Za-z_][\w$.]*")
NUMBER = re.compile(r"-?[0-9]")
MAX_BRACKETS = 64
"""How deeply brackets of attributes and types are nested at the most."""
_MAX_DIGITS = 40


class Unreadable(LanguageError):
    """A text is not understood from here on."""


class Scanner:
    """A position in a text, moved by what is read."""

    syntax: Rule
    """What is said of a text that is not understood."""
    help: str | None = None

    def __init__(self, source: Source) -> None:
        self.source = source
        self.text = source.text
        self.at = 0
        self.last_end = 0
        """Where the last token ended."""
        self._brackets = 0
        self._skip()

    def _skip(self) -> None:
        blank = _BLANK.match(self.text, self.at)
        assert blank is not None
        self.at = blank.end()

    # Tokens.

    def peek(self) -> str:
        found = _TOKEN.match(self.text, self.at)
        return found[0] if found else ""

    def next(self) -> str:
        token = self.peek()
        self._move(self.at + len(token))
        return token

    def _move(self, end: int) -> None:
        """Go on behind what ends at a place."""
        self.at = self.last_end = end
        self._skip()

    def take(self, token: str) -> bool:
        if self.text.startswith(token, self.at) and self.peek() == token:
            self.next()
            return True
        return False

    def expect(self, token: str) -> None:
        if not self.take(token):
            self.fail(f"`{token}` is expected here, not {self.shown()}")

    def shown(self) -> str:
        """The next token as a message shows it."""
        token = self.peek()
        return f"`{visible(token if len(token) <= 40 else token[:40] + '…')}`" if token else "the end"

    def word(self, what: str) -> str:
        if not WORD.fullmatch(self.peek()):
            self.fail(f"{what} is expected here, not {self.shown()}")
        return self.next()

    def integer(self) -> int:
        token = self.peek()
        if not re.fullmatch(r"-?[0-9]+", token):
            self.fail("a number is expected here")
        return int(self.checked(self.next()))

    def checked(self, digits: str) -> str:
        """The digits of the number that was read, which are not more than any number has."""
        if len(digits) > _MAX_DIGITS and not digits.startswith("0x"):
            begin = self.last_end - len(digits)
            self.fail(f"the number has more than {_MAX_DIGITS} digits", begin=begin)
        return digits

    def listed(self, end: str, read: Callable[[], Any]) -> list[Any]:
        """What stands between commas, up to a bracket that has been opened."""
        found: list[Any] = []
        while not self.take(end):
            if found:
                self.expect(",")
            found.append(read())
        return found

    def separated(self, read: Callable[[], Any]) -> list[Any]:
        """One or more between commas."""
        found = [read()]
        while self.take(","):
            found.append(read())
        return found

    def balanced(self, opening: str = "<", closing: str = ">") -> str:
        """The text from here to the bracket that closes the one that begins here."""
        begin, depth = self.at, 0
        while self.at < len(self.text):
            token = self.next()
            if token == opening:
                depth += 1
                if depth > MAX_BRACKETS:
                    self.fail(f"brackets are nested more than {MAX_BRACKETS} deep")
            elif token == closing:
                depth -= 1
                if depth == 0:
                    return self.text[begin : self.last_end]
        self.at = begin
        self.fail(f"`{opening}` is not closed")

    @contextmanager
    def deeper(self) -> Iterator[None]:
        """Within one more bracket of an attribute or type."""
        self._brackets += 1
        if self._brackets > MAX_BRACKETS:
            self._brackets = 0
            self.fail(f"brackets are nested more than {MAX_BRACKETS} deep")
        yield
        self._brackets -= 1

    # Places.

    def since(self, begin: int) -> Location:
        """From a place of the text to the end of the last token."""
        return self.source.place(begin, max(self.last_end, begin + 1))

    def fail(
        self, message: str, rule: Rule | None = None, begin: int | None = None, help: str | None = None
    ) -> NoReturn:
        """Report the next token, or what stands from `begin` to here."""
        place = self.source.place(self.at, self.at + max(len(self.peek()), 1))
        if begin is not None:
            place = self.since(begin)
        raise Unreadable([Diagnostic(rule or self.syntax, message, place, help or self.help)])
