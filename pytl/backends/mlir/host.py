"""Code in this process: a shared library is loaded, and its work-groups are distributed to worker threads.

Worker threads live on between launches. Each takes the next few work-groups until none are left, so that a few slow
work-groups do not delay the launch. Python's lock (the GIL) is released meanwhile. To wake a thread and to wait for it
takes longer than what a short launch would save, so that the caller executes one alone.
"""

from __future__ import annotations

import ctypes
import math
import os
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import contextmanager
from time import perf_counter
from typing import Any

from ...diagnostics import PlatformError
from ...ir.values import Function
from ...process import forks
from ...process.interrupts import interrupts_deferred
from .artefacts import entry_name, temporary_directory
from .process import NOTHING_MADE, TEMPORARY

CHUNKS = 4
"""Parts of a launch per worker thread, so that no thread gets much more work than the others."""
MAX_ON_STACK = 64 << 10
"""Bytes of local memory up to which the caller's stack is used: even threads with stacks of 1 MB have room for them."""
STACK = 8 << 20
"""Bytes of the stack of worker threads for kernels with more local memory, whatever the process's limits are."""
SHORT = 2e-4
"""Seconds of a launch that the caller executes alone: a sleeping thread comes after half of that."""
PAUSE = 0.0005
"""Seconds between two looks of an interrupted launch whether its worker threads have ended."""

_ZERO = ctypes.c_int64(0)
_pools: dict[tuple[int, bool], ThreadPoolExecutor] = {}
_lock = forks.lock()
forks.in_child(_pools.clear)  # a child has none of their threads


def processors() -> int:
    """Processors that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


class Library:
    """A loaded kernel."""

    def __init__(self, content: bytes, function: Function, local_bytes: int) -> None:
        self.local_bytes = local_bytes
        self._seconds = math.inf
        """What a work-group took on the caller's thread in the last launch."""
        with temporary_directory(function) as directory:
            path = os.path.join(directory, "kernel.so")
            with open(path, "wb") as file:
                file.write(content)
            try:
                # The file is gone afterwards, the library stays: nothing closes it, as nothing may while it runs.
                library = ctypes.CDLL(path)
            except OSError as error:
                said = str(error).replace(directory + os.sep, "")
                raise PlatformError.single(
                    TEMPORARY,
                    f"the library of @{function.name} cannot be loaded: {said}",
                    function.location,
                    "where programs in the directory of temporary files are not run, set TMPDIR to another",
                ) from None
        try:
            self._entry = library[entry_name(function.name)]
        except AttributeError:
            raise PlatformError.single(
                NOTHING_MADE,
                f"the library of @{function.name} lacks the kernel",
                function.location,
                "see which program PYTL_CC or PYTL_CROSS_CC names, which has linked it",
            ) from None
        # No argument types are declared, and all arguments are objects of ctypes: converting four takes 0.3 µs.
        self._entry.restype = None
        self._all = (0, _ZERO, _ZERO)
        """A number of work-groups, and the first and the last of them as the code takes them."""

    def run(self, groups: int, address: ctypes.c_void_p, threads: int | None, kept: Any) -> None:
        """Execute all work-groups, with descriptors in a table at an address.

        Without a number of threads, there is one for each processor, or one in all where a launch is short. `kept` is
        kept alive as long as any thread works on it: the table, and what it leads to.
        """
        is_deep = self.local_bytes > MAX_ON_STACK
        if threads is None and self._seconds * groups < SHORT:
            threads = 1
        if threads is None or threads > groups:
            threads = min(groups, threads or processors())
        if threads < 2 and (not is_deep or threads < 1):
            number, first, last = self._all
            if number != groups:
                _, first, last = self._all = (groups, _ZERO, ctypes.c_int64(groups))
            entry, began = self._entry, perf_counter()
            entry(first, last, last, address)
            self._seconds = (perf_counter() - began) / (groups or 1)
            return
        helping = threads if is_deep else threads - 1
        pool = _pool(helping, is_deep)
        shared = _Shared(self._entry, groups, -(-groups // (threads * CHUNKS)), address, kept)
        try:
            helpers = [pool.submit(shared.work) for _ in range(helping)]
            if not is_deep:
                began = perf_counter()
                done = shared.work()
                self._seconds = (perf_counter() - began) / done if done else math.inf
            wait(helpers)
        except BaseException:
            shared.stop()
            raise
        for helper in helpers:
            helper.result()


class _Shared:
    """The work-groups of one launch, which its worker threads distribute among themselves."""

    def __init__(self, entry: Any, groups: int, size: int, address: ctypes.c_void_p, kept: Any) -> None:
        self._entry, self._groups, self._size, self._address = entry, groups, size, address
        self._kept = kept  # the threads themselves refer to it, because Ctrl-C may come during `stop`, too
        self._starts = iter(range(0, groups, size))
        self._at_work: list[bool] = []

    def work(self) -> int:
        """Execute work-groups until none are left. Returns how many these were."""
        self._at_work.append(True)
        done = 0
        try:
            for first in self._starts:  # one iterator for all threads; Python's lock makes each step atomic
                last = min(first + self._size, self._groups)
                self._entry(*map(ctypes.c_int64, (first, last, self._groups)), self._address)
                done += last - first
        finally:
            self._at_work.pop()
        return done

    def stop(self) -> None:
        """Let no thread begin another part, and wait for the parts that have begun."""
        while True:
            try:
                for _ in self._starts:
                    pass
                while self._at_work:
                    time.sleep(PAUSE)
                return
            except KeyboardInterrupt:  # one more: the first is raised when this has ended
                pass


def _pool(threads: int, is_deep: bool) -> Any:
    """A pool of so many worker threads; with stacks of a known size if `is_deep`."""
    with _lock:
        if (threads, is_deep) not in _pools:
            with interrupts_deferred(), _stack_size(STACK if is_deep else threading.stack_size()):
                pool = ThreadPoolExecutor(threads, thread_name_prefix="pytl")
                # All threads begin here: a launch that is interrupted while it starts a thread would leave one that the
                # end of the process does not wait for.
                met = threading.Barrier(threads + 1)
                for _ in range(threads):
                    pool.submit(met.wait)
                met.wait()
                _pools[threads, is_deep] = pool
        return _pools[threads, is_deep]


@contextmanager
def _stack_size(size: int) -> Iterator[None]:
    """Set the stack size of threads that are started in the block."""
    before = threading.stack_size(size)
    try:
        yield
    finally:
        threading.stack_size(before)
