"""A kernel in a notebook: source and IR side by side, each source line linked to its instructions."""

from __future__ import annotations

import itertools
from collections.abc import Iterable
from typing import Protocol

from ..diagnostics import Location, PytlError, Source
from ..diagnostics.html import PLAIN, preformatted, text
from ..frontends.python.source import find_source
from ..ir.operation import Operation
from ..ir.printer import Printer
from ..ir.values import Function

_shown = itertools.count(1)
"""Numbers what is shown: its lines have identifiers that nothing else in the notebook has."""


class Shown(Protocol):
    """What is shown of a kernel; `__wrapped__` is its Python function, if it was made of one."""

    @property
    def function(self) -> Function: ...


def kernel_html(kernel: Shown) -> str:
    """The kernel's source beside its IR; the error, where it has none."""
    try:
        return _side_by_side(kernel, kernel.function)
    except PytlError as error:
        return preformatted(f"{kernel!r}\n{error}")


def _side_by_side(kernel: Shown, function: Function) -> str:
    printer = _PlacedPrinter(function)
    printer.function(function)
    shown = "\n\n".join([printer.text(), *map(str, function.callees())]).split("\n")
    source, span = _source_of(kernel, function, printer.locations.values())
    of_line: dict[int, int] = {}
    if source is not None:
        for line, location in printer.locations.items():
            at = _outermost(location)
            if at.source.name == source.name and at.line in span:
                of_line[line] = at.line
    name = f"pytl-{next(_shown)}"
    first = {origin: line for line, origin in reversed(of_line.items())}
    left = []
    if source is not None:
        for number in span:
            target = f"{name}-i{first[number]}" if number in first else None
            left.append(_line(f"{name}-s{number}", target, number, source.line(number)))
    right = []
    for number, words in enumerate(shown):
        origin = of_line.get(number)
        right.append(_line(f"{name}-i{number}", None if origin is None else f"{name}-s{origin}", origin, words))
    columns = [column for column in (left, right) if column]
    body = "".join(f'<div style="overflow-x: auto">{"".join(column)}</div>' for column in columns)
    return f'<div id="{name}">{_style(name, sorted(first))}<div class="columns">{body}</div></div>'


class _PlacedPrinter(Printer):
    """Prints a function and notes which line is of which place in the source."""

    def __init__(self, function: Function) -> None:
        super().__init__(function)
        self._line = 0
        self.locations: dict[int, Location] = {
            line: value.location for line, value in enumerate(function.parameters) if value.location is not None
        }

    def write(self, text: str) -> None:
        super().write(text)
        self._line += text.count("\n")

    def operation(self, operation: Operation) -> None:
        if operation.location is not None:
            self.locations[self._line] = operation.location
        super().operation(operation)


def _outermost(location: Location) -> Location:
    """The place in the kernel itself of what was inlined."""
    while location.caller is not None:
        location = location.caller
    return location


def _source_of(kernel: Shown, function: Function, locations: Iterable[Location]) -> tuple[Source | None, range]:
    """The text that a kernel was read from, and which of its lines."""
    python = getattr(kernel, "__wrapped__", None)
    if python is not None:
        try:
            parsed = find_source(python)
        except PytlError:  # the file has changed since the kernel was traced
            return None, range(0)
        node = parsed.definition
        first = min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)])
        return parsed.source, range(first, (node.end_lineno or node.lineno) + 1)
    sources = {location.source.name: location.source for location in map(_outermost, locations)}
    if len(sources) != 1:
        return None, range(0)
    (source,) = sources.values()
    lines = [line for location in map(_outermost, locations) for line in (location.line, location.end_line)]
    if function.location is not None:
        lines.append(function.location.line)
    return source, range(min(lines), max(lines) + 1)


def _line(own: str, target: str | None, key: int | None, words: str) -> str:
    """A line, which is a link where it has a target; lines with one key light up together."""
    shown = text(words) or " "
    mark = "" if key is None else f' data-line="{key}"'
    if target is None:
        return f'<div class="line" id="{own}"{mark}>{shown}</div>'
    return f'<a class="line" id="{own}"{mark} href="#{target}">{shown}</a>'


def _style(name: str, lines: Iterable[int]) -> str:
    light = "background: rgba(128, 160, 255, 0.28)"
    rules = [
        f"#{name} .columns {{ display: grid; grid-template-columns: repeat(auto-fit, minmax(24em, 1fr)); gap: 1.5em }}",
        f"#{name} .line {{ display: block; font-family: monospace; text-decoration: none; {PLAIN} }}",
        f"#{name} .line:target {{ {light} }}",
        *(f'#{name}:has([data-line="{line}"]:hover) [data-line="{line}"] {{ {light} }}' for line in lines),
    ]
    return f"<style>{' '.join(rules)}</style>"
