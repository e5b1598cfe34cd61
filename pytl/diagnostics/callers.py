"""Where the user's own code called pytl."""

from __future__ import annotations

import os
import sys
from dataclasses import replace

from .errors import PytlError, is_on_the_way
from .location import Location, Source

_COMMAND_LINE = os.path.join(os.path.dirname(os.path.dirname(os.path.realpath(__file__))), "tools/cli.py")


def call_site() -> Location | None:
    """Where the user's own code called pytl, with the range of the call where Python tells it (3.11 on)."""
    frame = sys._getframe(1)
    while frame is not None and is_on_the_way(frame.f_code.co_filename):
        if frame.f_code.co_filename == _COMMAND_LINE:
            return None  # a command has no source that calls
        frame = frame.f_back  # type: ignore[assignment]
    if frame is None:
        return None
    source = Source.of_python_file(frame.f_code.co_filename)
    line = source.line(frame.f_lineno)
    first = len(line) - len(line.lstrip()) + 1
    location = Location(source, frame.f_lineno, first, frame.f_lineno, len(line) + 1)
    if hasattr(frame.f_code, "co_positions"):
        start_line, end_line, start, end = list(frame.f_code.co_positions())[frame.f_lasti // 2]
        if start_line is not None and end_line is not None and start is not None and end is not None:
            location = Location(
                source,
                start_line,
                len(source.line(start_line).encode(errors="surrogatepass")[:start].decode(errors="ignore")) + 1,
                end_line,
                len(source.line(end_line).encode(errors="surrogatepass")[:end].decode(errors="ignore")) + 1,
            )
    name = frame.f_code.co_name
    return location if name.startswith("<") else location.within(name, None)


def add_call_site(error: PytlError) -> None:
    """Give diagnostics without a location the place of the call: backends do not know the caller."""
    location = call_site()
    error.diagnostics = tuple(d if d.location is not None else replace(d, location=location) for d in error.diagnostics)
    error.args = (error.diagnostics,)
