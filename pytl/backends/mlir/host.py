"""Code in this process: a shared library is loaded, and its work-groups are dealt out to threads.

Threads live on between launches. Each takes the next few work-groups until none are left, so that work-groups which
take longer than others do not keep all waiting. Python's lock is not held meanwhile.
"""

from __future__ import annotations

import ctypes
import os
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import contextmanager
from typing import Any

import numpy as np

from ... import forks
from ...diagnostics import PlatformError
from ...interrupts import uninterrupted
from ...ir.values import Function
from .process import NOTHING_MADE, TEMPORARY
from .products import entry_name, temporary_directory

CHUNKS = 4
"""Parts of a launch a thread, so that none is left with much more than the others."""
MOST_ON_STACK = 64 << 10
"""Bytes of local memory that the stack of a caller is used for: threads of 1 MB have room for them everywhere."""
STACK = 8 << 20
"""Bytes of the stack of threads that execute kernels with more, whatever the limits of the process are."""
PAUSE = 0.0005
"""Seconds until an interrupted launch looks again whether its helpers have ended."""

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
        self._entry.restype = None
        self._entry.argtypes = (ctypes.c_int64, ctypes.c_int64, ctypes.c_int64, ctypes.c_void_p)

    def run(self, groups: int, table: np.ndarray, threads: int, kept: Any = None) -> None:
        """Execute all work-groups, with descriptors in a table that is where its addresses say.

        `kept` is what must live as long as any thread works on it.
        """
        address = table.ctypes.data
        threads, is_deep = min(threads, groups), self.local_bytes > MOST_ON_STACK
        if threads < 1 or (threads == 1 and not is_deep):
            self._entry(0, groups, groups, address)
            return
        helping = threads if is_deep else threads - 1
        pool = _pool(helping, is_deep)
        shared = _Shared(self._entry, groups, -(-groups // (threads * CHUNKS)), address, (table, kept))
        try:
            helpers = [pool.submit(shared.work) for _ in range(helping)]
            if not is_deep:
                shared.work()
            wait(helpers)
        except BaseException:
            shared.stop()
            raise
        for helper in helpers:
            helper.result()


class _Shared:
    """The work-groups of one launch, which its threads deal out among themselves."""

    def __init__(self, entry: Any, groups: int, size: int, address: int, kept: Any) -> None:
        self._entry, self._groups, self._size, self._address = entry, groups, size, address
        self._kept = kept  # by the threads themselves, for Ctrl-C may come in the midst of `stop`, too
        self._starts = iter(range(0, groups, size))
        self._at_work: list[bool] = []

    def work(self) -> None:
        """Execute work-groups until none are left."""
        self._at_work.append(True)
        try:
            for first in self._starts:  # one iterator for all threads, which takes its step under Python's lock
                self._entry(first, min(first + self._size, self._groups), self._groups, self._address)
        finally:
            self._at_work.pop()

    def stop(self) -> None:
        """Let no thread begin another part, and wait for those that have begun."""
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
    """So many threads; with a stack of a known size if `is_deep`."""
    with _lock:
        if (threads, is_deep) not in _pools:
            with uninterrupted(), _stack_size(STACK if is_deep else threading.stack_size()):
                pool = ThreadPoolExecutor(threads, thread_name_prefix="pytl")
                # All begin here: a launch that is interrupted while it starts one would leave a thread that no end of
                # the process waits for.
                met = threading.Barrier(threads + 1)
                for _ in range(threads):
                    pool.submit(met.wait)
                met.wait()
                _pools[threads, is_deep] = pool
        return _pools[threads, is_deep]


@contextmanager
def _stack_size(size: int) -> Iterator[None]:
    """Let threads that begin in the block have stacks of that size."""
    before = threading.stack_size(size)
    try:
        yield
    finally:
        threading.stack_size(before)
