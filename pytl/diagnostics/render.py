"""Diagnostics as text: with the source line and a caret for people, in one line each for tools.

What users hold is shown by `quoting.visible`, so that nothing of it is a command to a terminal.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass

from .diagnostic import Diagnostic
from .location import Location
from .quoting import visible

_TAB = "\t"
_LONGEST = 240
"""The characters of a source line that are shown: a line that a program has written may have millions."""
_BEFORE = 80
"""How many of a longer line stand in front of what is marked."""


def render(diagnostic: Diagnostic) -> str:
    """The full form: headline, place, source lines with carets and labels, rule, help."""
    lines = [diagnostic.headline]
    if diagnostic.location is not None:
        lines += _excerpt(diagnostic)
        margin = " " * _margin_width(diagnostic)
    else:
        margin = "  "
    lines.append(f"{margin} = rule: {diagnostic.rule.text}")
    if diagnostic.help:
        lines += _hanging(f"{margin} = help: ", visible(diagnostic.help, keep="\n"))
    return "\n".join(lines)


def render_all(diagnostics: Sequence[Diagnostic]) -> str:
    """All of them in full form, a blank line between two."""
    return "\n\n".join(render(d) for d in diagnostics)


def render_line(diagnostic: Diagnostic) -> str:
    """`FILE:LINE:COL: error[CODE]: message`."""
    if diagnostic.location is None:
        return diagnostic.headline
    return f"{_display_name(diagnostic.location)}: {diagnostic.headline}"


def _display_name(location: Location) -> str:
    name = location.source.name
    if not name.startswith("<"):
        # a file outside the working directory keeps its full name
        from pathlib import Path

        with suppress(ValueError, OSError):
            name = str(Path(name).relative_to(Path.cwd()))
    return f"{visible(name)}:{location.line}:{location.column}"


def _margin_width(diagnostic: Diagnostic) -> int:
    assert diagnostic.location is not None
    numbers = [diagnostic.location.line, diagnostic.location.end_line]
    numbers += [label.location.line for label in diagnostic.labels]
    return max(2, len(str(max(numbers))))


def _excerpt(diagnostic: Diagnostic) -> list[str]:
    location = diagnostic.location
    assert location is not None
    width = _margin_width(diagnostic)
    margin = " " * width
    inside = f" in {visible(location.function)}" if location.function else ""
    lines = [f"{margin}--> {_display_name(location)}{inside}", f"{margin} |"]

    if not location.source.text:  # a file that can't be read, code without a source
        lines.pop()
        return lines

    marks = [(label.location, "-", label.text) for label in diagnostic.labels]
    marks = [mark for mark in marks if mark[0].source is location.source]
    marks.append((location, "^", ""))
    marks.sort(key=lambda mark: (mark[0].line, mark[0].column))
    shown: _Shown | None = None
    for marked, sign, text in marks:
        if shown is None or not shown.has(marked):
            around = location if location.line == marked.line else marked
            shown = _Shown.of(around) if _Shown.of(around).has(marked) else _Shown.of(marked)
            lines.append(_source_line(shown, width))
        lines.append(f"{margin} | {_underline(shown, marked, sign)}{' ' + visible(text) if text else ''}")

    elsewhere = [label for label in diagnostic.labels if label.location.source is not location.source]
    lines += [f"{margin} = at {_display_name(label.location)}: {visible(label.text)}" for label in elsewhere]
    caller = location.caller
    while caller is not None:
        inside = f" in {visible(caller.function)}" if caller.function else ""
        lines.append(f"{margin}::: called at {_display_name(caller)}{inside}")
        lines.append(_source_line(_Shown.of(caller), width))
        lines.append(f"{margin} | {_underline(_Shown.of(caller), caller, '-')}")
        caller = caller.caller
    return lines


@dataclass(frozen=True)
class _Shown:
    """The characters `[start, end)` of a source line: all of them, or those around a place where the line is long."""

    line: int
    text: str
    start: int
    end: int

    @classmethod
    def of(cls, location: Location) -> _Shown:
        text = location.source.line(location.line)
        if len(text) <= _LONGEST:
            return cls(location.line, text, 0, len(text))
        start = max(0, min(location.column - 1 - _BEFORE, len(text) - _LONGEST))
        return cls(location.line, text, start, start + _LONGEST)

    @property
    def before(self) -> str:
        """What stands for the characters in front of those that are shown."""
        return "…" if self.start else ""

    def has(self, location: Location) -> bool:
        """Whether the first character of a place is shown; one behind the whole line is."""
        if location.line != self.line:
            return False
        return self.start <= location.column - 1 and (location.column - 1 < self.end or self.end >= len(self.text))


def _source_line(shown: _Shown, width: int) -> str:
    after = "…" if shown.end < len(shown.text) else ""
    text = visible(shown.text[shown.start : shown.end], keep=_TAB)
    return f"{shown.line:>{width}} | {shown.before}{text}{after}".rstrip()


def _underline(shown: _Shown, location: Location, sign: str) -> str:
    text = shown.text
    end = location.end_column if location.end_line == location.line else len(text.rstrip()) + 1
    if shown.end < len(text):
        end = min(end, shown.end + 1)
    before, marked = text[shown.start : location.column - 1], text[location.column - 1 : end - 1]
    # tabs are kept, so that the caret stands below its character whatever a tab's width is
    indent = "".join("\t" if char == "\t" else " " for char in shown.before + visible(before, keep=_TAB))
    indent += " " * (location.column - 1 - shown.start - len(before))
    added = len(visible(marked, keep=_TAB)) - len(marked)
    return indent + sign * max(1, end - location.column + added)


def _hanging(head: str, text: str) -> list[str]:
    first, *rest = text.split("\n")
    return [head + first, *(" " * len(head) + line for line in rest)]
