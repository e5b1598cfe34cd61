"""Characters to tokens, on demand: the grammar decides at each place what it can read there.

A line, and with it a comment, ends at a line feed, with a carriage return before it or without, for the manual as for
all who read the text or what is made of it. What only some of them take for a line's end is reported (PYTL-0030).
"""

from __future__ import annotations

import re

from ...diagnostics import Location, Source

COMMENT = r";[^\r\n]*"
_BLANK = re.compile(rf"(?:[ \t\r\n\f\v]|{COMMENT})+")
_BEGINS_BLANK = " \t\r\n\f\v;"
FOREIGN = re.compile(r"\r(?!\n)|[\0-\x08\v\f\x0e-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff]")
"""Characters that no text has: control characters, those that end a line or turn its direction for some readers only,
and halves of characters."""
_WORD = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_MODIFIER = re.compile(r"\.[A-Za-z_][A-Za-z0-9_]*")
_KEYWORD_END = re.compile(r"(?![A-Za-z0-9_])")
LOCAL_NAME = re.compile(r"%([0-9]+(?=x(?![A-Za-wyz_]))|(?:[0-9]+|[A-Za-z][A-Za-z0-9_]*)(?![A-Za-z0-9_]))")
"""A number may be joined to the `x` behind it, as in `[0->%1x5]`."""
GLOBAL_NAME = re.compile(r"@([0-9]+|[A-Za-z][A-Za-z0-9_]*)(?![A-Za-z0-9_])")
NUMBER = re.compile(
    r"[+-]?(?:0[xX](?:[0-9A-Fa-f]*\.[0-9A-Fa-f]+|[0-9A-Fa-f]+\.?)(?:[pP][+-]?[0-9]+)?"
    r"|(?:[0-9]*\.[0-9]+|[0-9]+\.?)(?:[eE][+-]?[0-9]+)?)(?![A-Za-z0-9_.])"
)
NOT_FINITE = re.compile(r"[+-]?(?:inf|nan)(?![A-Za-z0-9_.])")
INTEGER = re.compile(r"[+-]?[0-9]+")


class Scanner:
    """A position in a source, moved by what is read. Blanks and comments before a token are skipped."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.text = source.text
        self.position = 0
        self.last_end = 0
        """Where the last token that was read ends."""

    def skip_blanks(self) -> int:
        """Move to the next token and return its position."""
        start = self.position
        if self.text[start : start + 1] in _BEGINS_BLANK:  # most calls are made where a token begins
            blank = _BLANK.match(self.text, start)
            if blank:
                self.position = start = blank.end()
        return start

    @property
    def at_end(self) -> bool:
        return self.skip_blanks() >= len(self.text)

    def match(self, pattern: re.Pattern[str]) -> re.Match[str] | None:
        """Read what fits the pattern, if the next token does."""
        match = pattern.match(self.text, self.skip_blanks())
        if match:
            self.position = self.last_end = match.end()
        return match

    def at(self, token: str) -> bool:
        """Whether the next token is this keyword or punctuation."""
        start = self.skip_blanks()
        if not self.text.startswith(token, start):
            return False
        return not token[-1].isalnum() or _KEYWORD_END.match(self.text, start + len(token)) is not None

    def accept(self, token: str) -> bool:
        """Read this keyword or punctuation if it is next."""
        if not self.at(token):
            return False
        self.position += len(token)
        self.last_end = self.position
        return True

    def word(self) -> str | None:
        """Read a word with its dotted modifiers, which are tokens of their own: blanks may stand between."""
        match = self.match(_WORD)
        if not match:
            return None
        word = match.group()
        while modifier := self.match(_MODIFIER):
            word += modifier.group()
        return word

    def location_from(self, start: int) -> Location:
        """The location from `start` to the end of the last token."""
        return self.source.location(start, max(self.last_end, start))

    def here(self) -> Location:
        """The location of the next token."""
        start = self.skip_blanks()
        match = re.compile(r"[%@$]?[\w.]+|.", re.DOTALL).match(self.text, start)
        return self.source.location(start, match.end() if match else start)

    def next_text(self) -> str:
        """The next token as the user would name it in a message."""
        location = self.here()
        start = self.position
        if start >= len(self.text):
            return "the end of the text"
        text = self.text[start : start + location.end_column - location.column]
        return f"`{text if text.isprintable() else ascii(text)[1:-1]}`"
