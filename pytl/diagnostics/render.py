"""Diagnostics as text: with the source line and a caret for people, in one line each for tools."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from .diagnostic import Diagnostic
from .location import Location


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
        lines += _hanging(f"{margin} = help: ", diagnostic.help)
    return "\n".join(lines)


def render_all(diagnostics: Sequence[Diagnostic]) -> str:
    """All of them in full form, a blank line between two."""
    return "\n\n".join(render(d) for d in diagnostics)


def render_line(diagnostic: Diagnostic) -> str:
    """`FILE:LINE:COL: error[CODE]: message`."""
    if diagnostic.location is None:
        return diagnostic.headline
    return f"{_display_name(diagnostic.location)}: {diagnostic.headline}"


def _display_name(location: Location, with_position: bool = True) -> str:
    name = location.source.name
    if not name.startswith("<"):
        # a file outside the working directory keeps its full name
        with suppress(ValueError, OSError):
            name = str(Path(name).relative_to(Path.cwd()))
    return f"{name}:{location.line}:{location.column}" if with_position else name


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
    inside = f" in {location.function}" if location.function else ""
    lines = [f"{margin}--> {_display_name(location)}{inside}", f"{margin} |"]

    if not location.source.text:  # a file that can't be read, code without a source
        lines.pop()
        return lines

    marks = [(label.location, "-", label.text) for label in diagnostic.labels]
    marks = [mark for mark in marks if mark[0].source is location.source]
    marks.append((location, "^", ""))
    marks.sort(key=lambda mark: (mark[0].line, mark[0].column))
    shown_line = 0
    for place, sign, text in marks:
        if place.line != shown_line:
            lines.append(f"{place.line:>{width}} | {place.source.line(place.line)}".rstrip())
            shown_line = place.line
        lines.append(f"{margin} | {_underline(place, sign)}{' ' + text if text else ''}")

    elsewhere = [label for label in diagnostic.labels if label.location.source is not location.source]
    lines += [f"{margin} = at {_display_name(label.location)}: {label.text}" for label in elsewhere]
    caller = location.caller
    while caller is not None:
        inside = f" in {caller.function}" if caller.function else ""
        lines.append(f"{margin}::: called at {_display_name(caller)}{inside}")
        lines.append(f"{caller.line:>{width}} | {caller.source.line(caller.line)}".rstrip())
        lines.append(f"{margin} | {_underline(caller, '-')}")
        caller = caller.caller
    return lines


def _underline(place: Location, sign: str) -> str:
    text = place.source.line(place.line)
    end = place.end_column if place.end_line == place.line else len(text.rstrip()) + 1
    # tabs are kept, so that the caret stands below its character whatever a tab's width is
    indent = "".join("\t" if char == "\t" else " " for char in text[: place.column - 1])
    indent += " " * (place.column - 1 - len(indent))
    return indent + sign * max(1, end - place.column)


def _hanging(head: str, text: str) -> list[str]:
    first, *rest = text.split("\n")
    return [head + first, *(" " * len(head) + line for line in rest)]
