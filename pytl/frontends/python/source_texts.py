"""The texts that a function may come from: those of files and notebook cells, as they are now and as they were when a
kernel was made there, and those of programs without a file.
"""

from __future__ import annotations

import linecache
import os
import stat
import sys
from collections.abc import Iterator, Sequence
from contextlib import suppress
from types import FrameType, FunctionType

MAX_TEXTS = 16
"""Of a file that is edited and loaded again, the texts that are kept."""

_kept: dict[str, list[Sequence[str]]] = {}
"""By file, the lines that it had when kernels were made of its functions, latest first."""


def keep_text(function: FunctionType, caller: FrameType | None) -> None:
    """Keep the text of the file that a kernel is made in, as it is now; `caller` is the frame that makes it."""
    code = function.__code__
    lines: Sequence[str] = lines_of(function)
    if lines:
        _keep(code.co_filename, lines)
        return
    while caller is not None and caller.f_code.co_filename == code.co_filename:
        caller = caller.f_back
    if caller is None:
        return
    # What exec runs stands in the code around it, most often: whether it is this text is asked when it is read.
    around = (*caller.f_globals.values(), *caller.f_code.co_consts, *caller.f_locals.values())
    for text in around:
        if type(text) is str and f"def {code.co_name}" in text:
            _keep(code.co_filename, text.splitlines(keepends=True))


def _keep(filename: str, lines: Sequence[str]) -> None:
    kept = _kept.setdefault(filename, [])
    if not any(lines is other or lines == other for other in kept):
        kept.insert(0, lines)
        del kept[MAX_TEXTS:]


def lines_of(function: FunctionType) -> list[str]:
    filename = function.__code__.co_filename
    linecache.checkcache(filename)
    return linecache.getlines(filename, function.__globals__)


def texts_of(function: FunctionType) -> Iterator[str]:
    """The texts that a function may come from besides that of its file, the likeliest first."""
    filename = function.__code__.co_filename
    yield from map("".join, _kept.get(filename, ()))
    if filename == "<string>":  # python -c
        for option, text in zip(sys.orig_argv[1:], sys.orig_argv[2:]):
            if option.startswith("-") and option.endswith("c"):
                yield text
    if filename == "<stdin>":
        with suppress(OSError):
            status = os.fstat(0)
            if stat.S_ISREG(status.st_mode):
                yield os.pread(0, status.st_size, 0).decode(errors="replace")
