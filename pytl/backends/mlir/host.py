"""Code in this process: a shared library is loaded, and its work-groups are shared by the threads of a team.

A launch gets as many threads as have enough to do, by what a work-group took in the last launch; a short one is
executed by the caller alone. Python's lock (the GIL) is released meanwhile.
"""

from __future__ import annotations

import ctypes
import math
import os
from collections.abc import Sequence
from time import perf_counter
from typing import Any

from ...diagnostics import PlatformError
from ...ir.values import Function
from ...process import forks
from .artefacts import entry_name, own_library, temporary_directory
from .process import NOTHING_MADE, TEMPORARY
from .team import PIECES, Team, in_new_thread, text

MAX_ON_STACK = 64 << 10
"""Bytes of local memory up to which the caller's stack is used: even threads with stacks of 1 MB have room for them."""
PART = 5e-6
"""Seconds of work for which a launch gets one more thread: sharing takes 1 µs, if the thread is awake."""
MAX_HELD = 1e-4
"""Seconds of a launch up to which Python's lock may be held: other threads wait as long."""
INTERRUPTIBLE = 5e-3
"""Seconds of a launch from which on Ctrl-C ends it before its last work-group."""
UNKNOWN = 1.0
"""Seconds that a work-group is taken for before the first launch."""

RECENT = 1.0
"""Seconds for which the number of processors is known after it was asked for, which takes as long as sharing."""

_ZERO = ctypes.c_int64(0)
_lock = forks.lock()
_team: Team | None = None
_asked = (-math.inf, 1)
"""When the number of processors was asked for, and what it was."""


def _forget() -> None:
    """A child has none of the team's threads."""
    global _team
    if _team is not None:
        _team.awake.clear()
    _team = None


forks.in_child(_forget)


def team(function: Function) -> Team:
    """The team of this process. A function's location is that of what goes wrong when the team's code is made."""
    global _team
    with _lock:
        if _team is None:
            content = own_library("team", text(), function)
            _team = Team(load(content, function, "the library of worker threads"))
        return _team


def processors() -> int:
    """Processors that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _known_processors(now: float) -> int:
    global _asked
    asked, number = _asked
    if now - asked > RECENT:
        _, number = _asked = (now, processors())
    return number


class Code:
    """A kernel in this process.

    `entry` takes the numbers of the first work-group, the one behind the last, and all, and the descriptors' address.
    """

    def __init__(self, entry: Any, function: Function, local_bytes: int) -> None:
        # No argument types are declared, and all arguments are objects of ctypes: converting four takes 0.3 µs.
        entry.restype = None
        self._entry, self._address = entry, ctypes.cast(entry, ctypes.c_void_p)
        self.function = function
        self._is_deep = local_bytes > MAX_ON_STACK
        self._seconds = UNKNOWN
        """What a work-group took on the caller's thread in the last launch."""
        self._all = (0, _ZERO, _ZERO)
        """A number of work-groups, and the first and the last of them as the code takes them."""
        self._told: tuple[Any, tuple[Any, ...]] = ((), ())
        """What the team was told of the last launch, by its numbers of work-groups, ranges, and workers."""

    def run(self, groups: int, address: ctypes.c_void_p, threads: int | None, kept: Any) -> None:
        """Execute all work-groups, with descriptors in a table at an address.

        Without a number of threads, there are as many as have something to do, at most one for each processor. `kept`
        is kept alive as long as any thread works on it: the table, and what it leads to.
        """
        seconds, began = self._seconds * groups, perf_counter()
        wanted = self._wanted(seconds, groups, threads, began)
        workers = wanted if self._is_deep else wanted - 1
        shared = (_team or team(self.function)) if workers > 0 else None
        if shared is not None:
            is_worth = threads or self._is_deep or shared.is_worth(seconds, workers, began)
            if is_worth and shared.free.acquire(False):
                try:
                    words = self._words(address, groups, wanted, workers)
                    if self._is_deep or seconds > INTERRUPTIBLE:
                        done = shared.share_in_pieces(workers, words, kept)
                    else:
                        done = shared.share(workers, words)
                    self._seconds = (shared.ended - began) / (done or -(-groups // wanted))
                finally:
                    shared.free.release()
                return
        if self._is_deep and groups:
            in_new_thread(lambda: self._run_alone(groups, address))  # as the team serves another launch
        else:
            ended = self._run_alone(groups, address)
            if shared is not None:
                shared.ended = ended

    def _wanted(self, seconds: float, groups: int, threads: int | None, now: float) -> int:
        """How many threads a launch is worth that takes one so long."""
        wanted = threads or int(seconds / PART) or 1
        if threads is None and wanted > 1:
            wanted = min(wanted, _known_processors(now))
        return min(wanted, groups)

    def short(self, groups: int, address: ctypes.c_void_p, threads: int | None) -> tuple[Team | None, Sequence[int]]:
        """How a launch is executed by calls of native code alone: the team that shares it, and the words of
        `again.mlir` that say so, up to those of the tuple. No words where it takes too long, or too much of a stack.
        """
        seconds, now = self._seconds * groups, perf_counter()
        if self._is_deep or seconds > MAX_HELD or not groups:
            return None, ()
        wanted = self._wanted(seconds, groups, threads, now)
        words = [self._address.value or 0, address.value or 0, groups]
        if wanted == 1:
            return None, [*words, *[0] * 5]
        shared = team(self.function)
        *_, size, ranges, workers = self._words(address, groups, wanted, wanted - 1)
        return shared, [*words, *shared.addresses, size.value, ranges.value, workers.value]

    def _run_alone(self, groups: int, address: ctypes.c_void_p) -> float:
        """Execute all work-groups on this thread. Returns when they ended."""
        number, first, last = self._all
        if number != groups:
            _, first, last = self._all = (groups, _ZERO, ctypes.c_int64(groups))
        entry, began = self._entry, perf_counter()
        entry(first, last, last, address)
        ended = perf_counter()
        self._seconds = (ended - began) / (groups or 1)
        return ended

    def _words(self, address: ctypes.c_void_p, groups: int, ranges: int, workers: int) -> tuple[Any, ...]:
        """What a team is told of a launch, as it was told of the last one if that was like it."""
        told, words = self._told
        if told == (groups, ranges, workers) and words[1] is address:
            return words
        size = -(-groups // (ranges * PIECES))
        words = (self._address, address, *map(ctypes.c_int64, (groups, size, ranges, workers)))
        self._told = ((groups, ranges, workers), words)
        return words


def load_kernel(content: bytes, function: Function, local_bytes: int) -> Code:
    """A kernel from its shared library. Raises a `PlatformError` at the function's location for one that is none."""
    library = load(content, function, f"the library of @{function.name}")
    try:
        return Code(library[entry_name(function.name)], function, local_bytes)
    except AttributeError:
        raise PlatformError.single(
            NOTHING_MADE,
            f"the library of @{function.name} lacks the kernel",
            function.location,
            "see which program PYTL_CC or PYTL_CROSS_CC names, which has linked it",
        ) from None


def load(content: bytes, function: Function, what: str, kind: type[ctypes.CDLL] = ctypes.CDLL) -> ctypes.CDLL:
    """A shared library in this process. Raises PYTL-3062, at a function's location, where that can't be."""
    with temporary_directory(function) as directory:
        path = os.path.join(directory, "kernel.so")
        with open(path, "wb") as file:
            file.write(content)
        try:
            # The file is gone afterwards, the library stays: nothing closes it, as nothing may while it runs.
            return kind(path)
        except OSError as error:
            said = str(error).replace(directory + os.sep, "")
            raise PlatformError.single(
                TEMPORARY,
                f"{what} cannot be loaded: {said}",
                function.location,
                "where programs in the directory of temporary files are not run, set TMPDIR to another",
            ) from None
