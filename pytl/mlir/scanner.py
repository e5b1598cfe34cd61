"""A position in a text of MLIR: blanks, tokens, lists, and what is said where a text is not understood.

All that reads MLIR is built on it: texts of operations, affine structures, and the syntax of 2018.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from typing import ClassVar, NoReturn, TypeVar

from ..diagnostics import Diagnostic, Diagnostics, LanguageError, Location, Rule, Source
from ..diagnostics.quoting import visible

_BLANK = re.compile(r"(?:[ \t\r\n\f\v]|//[^\r\n]*)*")
MAX_NESTED = 64
"""How deeply brackets, and what else may have the like within it, are nested at the most."""
_MAX_SHOWN = 40
_NOTHING = (-1, "", -1)
T = TypeVar("T")


@cache
def _spaced(token: re.Pattern[str]) -> re.Pattern[str]:
    """A token, and the blanks behind it."""
    return re.compile(f"({token.pattern}){_BLANK.pattern}", token.flags)


class Unreadable(LanguageError):
    """A text is not understood from here on."""


class Scanner:
    """A position in a text, moved by what is read; it stands at a token, behind all blanks and comments."""

    token: ClassVar[re.Pattern[str]]
    """What is one token; any character is, in the end."""
    syntax: Rule
    """What is said of a text that is not understood."""
    help: str | None = None

    def __init__(self, source: Source, text: str | None = None, position: int = 0) -> None:
        """`text` is what is read in the place of the source's text, which is as long, from a place on."""
        self.source = source
        self.text = source.text if text is None else text
        self.position = position
        self.last_end = position
        """Where the last token ended."""
        self.depth = 0
        """How deeply what is read is nested."""
        self._spaced = _spaced(self.token)
        self._peeked = _NOTHING
        """The place of a token that was looked at, the token, and the place of the next one."""
        self.advance(position)

    # Tokens.

    def peek(self) -> str:
        if self._peeked[0] != self.position:
            match = self._spaced.match(self.text, self.position)
            self._peeked = (self.position, match[1], match.end()) if match else (self.position, "", self.position)
        return self._peeked[1]

    def next(self) -> str:
        token = self.peek()
        self.last_end = self.position + len(token)
        self.position = self._peeked[2]
        return token

    def advance(self, end: int) -> None:
        """Go on behind what ends at a place."""
        blank = _BLANK.match(self.text, end)
        assert blank is not None
        self.position, self.last_end = blank.end(), end

    def begins(self, sign: str) -> bool:
        """Whether the next token begins with a sign."""
        return self.text.startswith(sign, self.position)

    def lookahead(self, pattern: re.Pattern[str]) -> re.Match[str] | None:
        """What a pattern finds here, which is not read."""
        return pattern.match(self.text, self.position)

    def match(self, pattern: re.Pattern[str]) -> re.Match[str] | None:
        """Read what a pattern finds here, if it finds something."""
        match = self.lookahead(pattern)
        if match:
            self.advance(match.end())
        return match

    def take(self, token: str) -> bool:
        if self.text.startswith(token, self.position) and self.peek() == token:
            self.next()
            return True
        return False

    def expect(self, token: str, help: str | None = None) -> None:
        if not self.take(token):
            self.fail_expected(f"`{token}`", help)

    def shown(self) -> str:
        """The next token as a message shows it."""
        token = self.peek()
        if not token:
            return "the end of the text"
        return f"`{visible(token if len(token) <= _MAX_SHOWN else token[:_MAX_SHOWN] + '…')}`"

    def read_list(self, end: str, read: Callable[[], T]) -> list[T]:
        """What stands between commas, up to a bracket that has been opened."""
        items: list[T] = []
        while not self.take(end):
            if items and not self.take(","):
                self.fail_expected(f"`,` or `{end}`")
            items.append(read())
        return items

    def read_separated(self, read: Callable[[], T]) -> list[T]:
        """One or more between commas."""
        items = [read()]
        while self.take(","):
            items.append(read())
        return items

    @contextmanager
    def nesting(self, what: str = "brackets are", rule: Rule | None = None) -> Iterator[None]:
        """While something is read that may have the like within it."""
        if self.depth >= MAX_NESTED:
            self.fail(f"{what} nested more than {MAX_NESTED} deep", rule)
        self.depth += 1
        try:
            yield
        finally:
            self.depth -= 1

    # Places.

    def location_from(self, begin: int) -> Location:
        """From a place of the text to the end of the last token."""
        return self.source.location(begin, max(self.last_end, begin + 1))

    def here(self) -> Location:
        """The next token."""
        return self.source.location(self.position, self.position + len(self.peek()))

    def fail(
        self, message: str, rule: Rule | None = None, begin: int | None = None, help: str | None = None
    ) -> NoReturn:
        """Report the next token, or what stands from `begin` to here."""
        location = self.here() if begin is None else self.location_from(begin)
        raise Unreadable([Diagnostic(rule or self.syntax, message, location, help or self.help)])

    def fail_expected(self, what: str, help: str | None = None) -> NoReturn:
        """Report that something else stands here."""
        self.fail(f"expected {what}, but found {self.shown()}", help=help)


class Lenient(Scanner):
    """A scanner that reads what is spelled in another way than the grammar has it, where that has one meaning."""

    spelling: Rule
    """What is noted of it."""
    diagnostics: Diagnostics

    def blank_out(self, begin: int, end: int) -> None:
        """Read on as if these characters were blanks; the places of all others stay."""
        self.text = self.text[:begin] + " " * (end - begin) + self.text[end:]
        self._peeked = _NOTHING

    def report_spelling(self, message: str, begin: int, end: int | None = None) -> None:
        """Note a spelling; without an end, it is the token that begins there."""
        if end is None:
            match = self.token.match(self.text, begin)
            end = match.end() if match else begin
        self.diagnostics.report(self.spelling, message, self.source.location(begin, end))
