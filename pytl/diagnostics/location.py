"""Places in the user's source: a text file of the language or a Python file."""

from __future__ import annotations

import bisect
import linecache
import re
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

_LINE_END = re.compile(r"\r\n|\r|\n")
"""What ends a line, for Python, for editors and for MLIR; nothing else does."""


class Source:
    """A named text that locations point into; lines and columns count from 1."""

    def __init__(self, name: str, text: str, first_line: int = 1) -> None:
        self.name = name
        self.text = text
        self.first_line = first_line
        self.remarks: list[Any] = []
        """What is said at places of the text wherever a diagnostic is about them: `Label`s in the order of the text."""
        self._starts = [0, *(match.end() for match in _LINE_END.finditer(text))]

    @classmethod
    def of_python_file(cls, filename: str) -> Source:
        """The source of a Python file as linecache has it: scripts, modules, notebook cells, registered `exec`s.

        The same text gives the same object, so that places in it can be told to be in one source.
        """
        return _of_text(filename, "".join(linecache.getlines(filename)))

    def line(self, number: int) -> str:
        """Line `number` without its end, or an empty text where the source has no such line."""
        position = number - self.first_line
        if not 0 <= position < len(self._starts):
            return ""
        start, *end = self._starts[position : position + 2]
        return self.text[start : end[0] if end else len(self.text)].rstrip("\r\n")

    def location(self, start: int, end: int) -> Location:
        """The location of the characters `[start, end)` of the text."""
        line, column = self._line_column(start)
        end_line, end_column = self._line_column(max(end, start))
        return Location(self, line, column, end_line, end_column)

    def _line_column(self, offset: int) -> tuple[int, int]:
        position = bisect.bisect_right(self._starts, offset) - 1
        return position + self.first_line, offset - self._starts[position] + 1


@cache
def _of_text(filename: str, text: str) -> Source:
    return Source(filename, text)


def _begin(remark: Any) -> tuple[int, int]:
    return remark.location.line, remark.location.column


@dataclass(frozen=True)
class Location:
    """A range of characters of a source; `end_column` is one past the last character.

    `function` names the Python function that contains the range, and `caller` is the place that function was inlined
    at, so that a diagnostic can show the user's own stack of calls.
    """

    source: Source
    line: int
    column: int
    end_line: int
    end_column: int
    function: str | None = None
    caller: Location | None = None

    def __str__(self) -> str:
        return f"{self.source.name}:{self.line}:{self.column}"

    @property
    def remarks(self) -> list[Any]:
        """The remarks of the source on places within this one."""
        all_remarks = self.source.remarks
        first = bisect.bisect_left(all_remarks, (self.line, self.column), key=_begin)
        return all_remarks[first : bisect.bisect_left(all_remarks, (self.end_line, self.end_column), key=_begin)]

    def within(self, function: str | None, caller: Location | None) -> Location:
        """The same range as a part of `function`, which was called at `caller`."""
        return replace(self, function=function, caller=caller)

    def called_at(self, function: str, caller: Location | None) -> Location:
        """The same range as a part of `function`, which was called at `caller`, as were the functions inlined in it."""
        outer = caller if self.caller is None else self.caller.called_at(function, caller)
        return replace(self, function=self.function or function, caller=outer)

    def upto(self, end: Location) -> Location:
        """The range from the start of this location to the end of `end`."""
        return replace(self, end_line=end.end_line, end_column=end.end_column)
