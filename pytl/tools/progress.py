"""Progress on standard error while a step takes long."""

from __future__ import annotations

import contextlib
import sys

WIDTH = 24
"""The width of the bar in characters."""


class Progress:
    """A bar where standard error is a terminal, a plain line for each step where it is not. Quiet without one."""

    def __init__(self, title: str, is_shown: bool) -> None:
        self._title = title
        self._stream = sys.stderr if is_shown else None
        self._is_terminal = False
        with contextlib.suppress(AttributeError, ValueError):  # replaced by another object, or closed
            self._is_terminal = self._stream is not None and self._stream.isatty()

    def step(self, part: float, text: str) -> None:
        """Report a completed step, and the completed part of the whole, from 0 to 1."""
        if not self._is_terminal:
            self._write(f"{self._title}: {text}\n")
            return
        full = round(min(max(part, 0.0), 1.0) * WIDTH)
        self._write(f"\r{self._title} [{'#' * full}{'.' * (WIDTH - full)}] {text}\x1b[K")

    def end(self) -> None:
        """Remove the bar."""
        if self._is_terminal:
            self._write("\r\x1b[K")

    def _write(self, text: str) -> None:
        if self._stream is not None:
            with contextlib.suppress(OSError, ValueError):
                self._stream.write(text)
                self._stream.flush()
