"""Diagnostics as text: with the source line and a caret for people, in one line each for tools.

What users hold is shown by `quoting.visible`, so that nothing of it is a command to a terminal.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress

from .diagnostic import Diagnostic
from .location import Location
from .quoting import visible

_TAB = "\t"


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
    shown_line = 0
    for marked, sign, text in marks:
        if marked.line != shown_line:
            lines.append(_source_line(marked, width))
            shown_line = marked.line
        lines.append(f"{margin} | {_underline(marked, sign)}{' ' + visible(text) if text else ''}")

    elsewhere = [label for label in diagnostic.labels if label.location.source is not location.source]
    lines += [f"{margin} = at {_display_name(label.location)}: {visible(label.text)}" for label in elsewhere]
    caller = location.caller
    while caller is not None:
        inside = f" in {visible(caller.function)}" if caller.function else ""
        lines.append(f"{margin}::: called at {_display_name(caller)}{inside}")
        lines.append(_source_line(caller, width))
        lines.append(f"{margin} | {_underline(caller, '-')}")
        caller = caller.caller
    return lines


def _source_line(location: Location, width: int) -> str:
    return f"{location.line:>{width}} | {visible(location.source.line(location.line), keep=_TAB)}".rstrip()


def _underline(location: Location, sign: str) -> str:
    text = location.source.line(location.line)
    end = location.end_column if location.end_line == location.line else len(text.rstrip()) + 1
    before, marked = text[: location.column - 1], text[location.column - 1 : end - 1]
    # tabs are kept, so that the caret stands below its character whatever a tab's width is
    indent = "".join("\t" if char == "\t" else " " for char in visible(before, keep=_TAB))
    indent += " " * (location.column - 1 - len(before))
    added = len(visible(marked, keep=_TAB)) - len(marked)
    return indent + sign * max(1, end - location.column + added)


def _hanging(head: str, text: str) -> list[str]:
    first, *rest = text.split("\n")
    return [head + first, *(" " * len(head) + line for line in rest)]
