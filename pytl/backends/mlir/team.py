"""Worker threads that share the work-groups of a launch with the thread that launches.

A launch is divided into as many ranges as threads take part. Each takes pieces of its own range, then of the others':
the same thread gets the same work-groups in each launch, whose memory its cache still has, and a slow or late thread
delays nobody. A worker looks for the next launch for a moment, and sleeps then until it is woken. The caller waits for
none that has not begun. What they execute is native code (`team.mlir`), during which Python's lock (the GIL) is free.
"""

from __future__ import annotations

import ctypes
import platform
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path
from time import perf_counter
from typing import Any

from ...process.interrupts import interrupts_deferred

SOURCE = Path(__file__).with_name("team.mlir")
MAX_THREADS = 1024
STACK = 8 << 20
"""Bytes of the stack of worker threads, whatever the process's limits are."""
PIECES = 4
"""Parts of a range that are taken one after the other, so that others can take some."""
PATIENCE = 30_000
"""How often a worker looks for a launch until it sleeps: for 0.3 to 1.2 ms."""
SOON = 1e-3
"""Seconds after a launch within which workers are woken for a short one, for more are likely to follow."""
LONG = 1e-4
"""Seconds of a launch for which workers are woken whenever it comes: waking one takes the caller a tenth of that."""
PAUSE = 0.0001
"""Seconds between two looks whether workers have done what the caller does not share."""

_BEGIN, _LINE = 48, 16
"""The first word of the ranges, and how many words lie between two."""
_WORDS = _BEGIN + _LINE * (MAX_THREADS + 1)
_PAUSES = {"x86_64": "pause", "amd64": "pause", "aarch64": "isb", "arm64": "isb"}
"""The instruction with which a processor waits for memory to change, by Python's name of the machine."""
_ZERO, _ONE, _PATIENCE = map(ctypes.c_int64, (0, 1, PATIENCE))


def text() -> str:
    """MLIR's text of the native part, for this machine."""
    return SOURCE.read_text(encoding="utf-8").replace('"PAUSE"', f'"{_PAUSES.get(platform.machine().lower(), "")}"')


@cache
def _numbers(workers: int) -> frozenset[int]:
    """The numbers of the first workers."""
    return frozenset(range(1, workers + 1))


class Team:
    """The worker threads of this process, which serve one launch at a time."""

    def __init__(self, library: ctypes.CDLL) -> None:
        self._take, self._serve, self._open, self._close, self._share = (
            library[f"pytl_team_{name}"] for name in ("take", "serve", "open", "close", "share")
        )
        for each in (self._take, self._serve, self._open, self._share):
            each.restype = ctypes.c_int64
        self._shares = ctypes.cast(self._share, ctypes.c_void_p)
        self._memory = ctypes.create_string_buffer(8 * (_WORDS + _LINE))
        begin = ctypes.addressof(self._memory)
        begin += -begin % (8 * _LINE)
        self._state = ctypes.c_void_p(begin)
        self._words = (ctypes.c_int64 * _WORDS).from_address(begin)
        self.kept: Any = None
        """What the workers work on."""
        self.free = threading.Lock()
        """Held by the thread whose launch is served."""
        self._beds: list[threading.Lock] = []
        """What each worker waits for when it sleeps."""
        self.awake: set[int] = set()
        self.ended = 0.0
        """When the last launch ended for which a worker has something to do."""

    @property
    def addresses(self) -> tuple[int, int]:
        """Those of the code that shares a launch, and of what it takes for the team."""
        return self._shares.value or 0, self._state.value or 0

    def is_awake(self, workers: int) -> bool:
        """Whether the first workers look for launches."""
        return self.awake >= _numbers(workers)

    def is_worth(self, seconds: float, workers: int, now: float) -> bool:
        """Whether a launch that takes one thread so long is shared with workers, where some of them sleep."""
        return seconds > LONG or now - self.ended < SOON or self.is_awake(workers)

    def share(self, workers: int, words: tuple[Any, ...]) -> int:
        """A launch that the caller shares, of which it returns its own number of work-groups.

        The words are those that `pytl_team_open` takes: the code's address, that of its descriptors, the numbers of
        work-groups, of those that are taken at a time, of ranges, and of workers. Ctrl-C waits for the end.
        """
        if not self.is_awake(workers):
            self._wake(workers)
        done: int = self._share(self._state, *words)
        self.ended = perf_counter()
        return done

    def share_in_pieces(self, workers: int, words: tuple[Any, ...], kept: Any) -> int:
        """The same, where Ctrl-C ends the launch when the pieces that have begun are done. Where there are as many
        workers as ranges, they do it all. `kept` is what the code works on: Ctrl-C may even come before the wait for
        the workers begins.
        """
        ranges, done = words[-2].value, 0
        is_sharing = workers < ranges
        if self.kept is not None:
            self._end()  # Ctrl-C came before that
        self.kept = kept
        try:
            launch = ctypes.c_int64(self._open(self._state, *words))
            self._wake(workers)  # now, for one that is about to sleep looks once more
            while is_sharing and (more := self._take(self._state, launch, _ZERO, _ONE)):
                done += more
            while not is_sharing and self._has_more(ranges):
                time.sleep(PAUSE)
        finally:
            self._end()
        return done

    def _end(self) -> None:
        """Close the launch, and wait for the pieces that have begun, however often Ctrl-C comes."""
        interrupt: KeyboardInterrupt | None = None
        while True:
            try:
                self._close(self._state)
                break
            except KeyboardInterrupt as error:
                interrupt = error
        self.kept = None
        self.ended = perf_counter()
        if interrupt is not None:
            raise interrupt

    def _has_more(self, ranges: int) -> bool:
        """Whether no thread has taken some of the work-groups."""
        places = range(_BEGIN, _BEGIN + _LINE * ranges, _LINE)
        return any(self._words[place] < self._words[place + 1] for place in places)

    # Workers.

    def _wake(self, workers: int) -> None:
        if len(self._beds) < workers:
            with interrupts_deferred(), _stack_size(STACK):
                while len(self._beds) < workers:
                    self._begin_worker()
        for number, bed in enumerate(self._beds[:workers], 1):
            if number not in self.awake:
                with suppress(RuntimeError):  # it is about to wake
                    bed.release()

    def _begin_worker(self) -> None:
        bed = threading.Lock()
        bed.acquire()
        number = len(self._beds) + 1
        threading.Thread(target=self._work, args=(number, bed), name=f"pytl-{number}", daemon=True).start()
        self._beds.append(bed)

    def _work(self, number: int, bed: threading.Lock) -> None:
        seen, own = 0, ctypes.c_int64(number)
        while True:
            bed.acquire()
            self.awake.add(number)
            seen = self._serve(self._state, own, ctypes.c_int64(seen), _PATIENCE)
            self.awake.discard(number)
            # a launch that was opened before counts on this thread
            seen = self._serve(self._state, own, ctypes.c_int64(seen), _ONE)


@contextmanager
def _stack_size(size: int) -> Iterator[None]:
    """Set the stack size of threads that are started in the block."""
    before = threading.stack_size(size)
    try:
        yield
    finally:
        threading.stack_size(before)


def in_new_thread(function: Callable[[], object]) -> None:
    """Call a function on a thread with as large a stack as workers have, which ends then."""
    with interrupts_deferred():
        with _stack_size(STACK):
            thread = threading.Thread(target=function)
            thread.start()
        thread.join()
