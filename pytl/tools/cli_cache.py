"""`pytl cache ls` and `pytl cache clear`."""

from __future__ import annotations

import argparse
import re
import time
from typing import Any

from ..devices.cache import DIRECTORY, KERNEL, MACHINE_CODE, NO_HOME, TUNING, Cache, Stored, configured
from ..diagnostics import PytlError, Rule
from ..diagnostics.quoting import visible
from ..diagnostics.words import counted, listed
from ..process.settings import CACHE

KEY = Rule("PYTL-3041", "the beginning of a key tells one kernel of the cache", "Command line")
SHOWN = 12
"""Digits of a key that are shown."""
_SECONDS = {"s": 1, "min": 60, "h": 3600, "d": 86400, "w": 604800}


def add_commands(parser: argparse.ArgumentParser) -> None:
    """Add the commands of `pytl cache`."""
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    listing = commands.add_parser("ls", help="list what is kept", description="List compiled kernels and tunings.")
    listing.set_defaults(command=_ls)
    clear = commands.add_parser("clear", help="remove what is kept", description="Remove compiled kernels and tunings.")
    clear.add_argument("keys", nargs="*", metavar="KEY", help="the beginning of a key; all where none is given")
    clear.add_argument(
        "--older-than", type=_age, metavar="AGE", help="only those not used for that long: 90min, 12h, 30d, 8w"
    )
    clear.set_defaults(command=_clear)


def _age(text: str) -> float:
    match = re.fullmatch(r"([0-9]{1,9}) *(s|min|h|d|w)", text.strip())
    if match is None:
        raise argparse.ArgumentTypeError(f"{text!r} is not an age such as 90min, 12h, 30d or 8w")
    return int(match[1]) * _SECONDS[match[2]]


def _ls(options: Any) -> int:
    cache = _cache()
    stored = cache.stored()
    if stored:
        rows = [("kernel", "key", "size", "age", "last use", "device", "options"), *map(_row, stored)]
        rows = [tuple(map(visible, row)) for row in rows]  # a file may have been written by anyone
        widths = [max(map(len, column)) for column in zip(*rows)]
        for row in rows:
            print("  ".join(text.ljust(width) for text, width in zip(row, widths)).rstrip())
        print()
    total = sum(each.size for each in stored)
    print(f"{_number(stored)}, {_bytes(total)} of at most {_bytes(cache.limit)}, in {_shown_path(cache)}")
    if not CACHE.get():
        print(f"not in use, for {CACHE.variable} is 0")
    elif (reason := cache.rejection_reason()) is not None:
        print(f"not in use, for {reason}")
    return 0


def _row(stored: Stored) -> tuple[str, ...]:
    now, entry = time.time(), stored.entry
    head = (stored.key[:SHOWN], _bytes(stored.size))
    if entry is None:
        return (
            "(another user's)" if stored.is_foreign else "(damaged)",
            *head,
            "",
            _duration(now - stored.used),
            "",
            "",
        )
    # options that the passes decide are left out
    options = ", ".join(f"{name}={value}" for name, value in entry.options.items() if value != "auto")
    if entry.kind != KERNEL:
        options = f"{'tuned' if entry.is_tuning else entry.kind}: {options}"
    age, used = _duration(now - entry.created), _duration(now - stored.used)
    return (f"@{entry.kernel}", *head, age, used, entry.device, options)


def _clear(options: Any) -> int:
    cache = _cache()
    stored = cache.stored()
    if options.keys:
        stored = [_find(stored, beginning) for beginning in dict.fromkeys(options.keys)]
    if options.older_than is not None:
        stored = [each for each in stored if time.time() - each.used > options.older_than]
    cache.clear([each.key for each in stored])
    print(f"removed {_number(stored)}, {_bytes(sum(each.size for each in stored))}, from {_shown_path(cache)}")
    return 0


def _shown_path(cache: Cache) -> str:
    return visible(str(cache.directory))


def _cache() -> Cache:
    cache = configured()
    if cache is None:
        raise PytlError.single(DIRECTORY, NO_HOME, help="set PYTL_CACHE_DIR")
    return cache


def _find(stored: list[Stored], beginning: str) -> Stored:
    matches = [each for each in stored if each.key.startswith(beginning.lower())]
    if len(matches) != 1:
        several = ", ".join(each.key[: max(SHOWN, len(beginning) + 4)] for each in matches)
        message = f"{beginning} begins the keys {several}" if matches else f"no kernel's key begins with {beginning}"
        raise PytlError.single(KEY, message, help="`pytl cache ls` lists the keys")
    return matches[0]


def _number(stored: list[Stored]) -> str:
    """How many kernels, and how many tunings and pieces of machine code if there are any."""
    kinds = [each.entry.kind if each.entry is not None else KERNEL for each in stored]
    tunings, codes = kinds.count(TUNING), kinds.count(MACHINE_CODE)
    kernels = len(kinds) - tunings - codes
    counts = [counted(kernels, "kernel")]
    if tunings:
        counts.append(counted(tunings, "tuning"))
    if codes:
        counts.append(f"machine code of {codes}")
    return listed(counts)


def _bytes(number: int) -> str:
    size, unit = float(number), "bytes"
    for larger in ("kB", "MB", "GB", "TB"):
        if size < 1000:
            break
        size, unit = size / 1000, larger
    return f"{size:.3g} {unit}" if size < 1000 else f"{size:.0f} {unit}"


def _duration(seconds: float) -> str:
    unit = next((u for u in ("w", "d", "h", "min") if seconds >= 2 * _SECONDS[u]), "s")
    return f"{max(seconds, 0.0) // _SECONDS[unit]:.0f} {unit}"
