"""Code in this process: a shared library is loaded, and its work-groups are dealt out to threads.

Threads live on between launches. Each takes the next few work-groups until none are left, so that work-groups which
take longer than others do not keep all waiting. Python's lock is not held meanwhile.
"""

from __future__ import annotations

import ctypes
import os
import threading
from concurrent.futures import ThreadPoolExecutor, wait
from typing import Any

import numpy as np

from ...diagnostics import PlatformError
from ...ir.values import Function
from .process import TEMPORARY
from .products import entry_name, temporary_directory

CHUNKS = 4
"""Parts of a launch a thread, so that none is left with much more than the others."""

_pools: dict[int, ThreadPoolExecutor] = {}
_lock = threading.Lock()


def _forget_pools() -> None:
    """A fork has no threads but the one that made it."""
    global _lock
    _pools.clear()
    _lock = threading.Lock()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget_pools)


def processors() -> int:
    """Processors that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


class Library:
    """A loaded kernel."""

    def __init__(self, content: bytes, function: Function) -> None:
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
        self._entry = library[entry_name(function.name)]
        self._entry.restype = None
        self._entry.argtypes = (ctypes.c_int64, ctypes.c_int64, ctypes.c_int64, ctypes.c_void_p)

    def run(self, groups: int, table: np.ndarray, threads: int) -> None:
        """Execute all work-groups, with descriptors in a table that is where its addresses say."""
        address = table.ctypes.data
        threads = min(threads, groups)
        if threads <= 1:
            self._entry(0, groups, groups, address)
            return
        size = -(-groups // (threads * CHUNKS))
        starts = iter(range(0, groups, size))

        def work() -> None:
            for first in starts:  # one iterator for all threads, which takes its step under Python's lock
                self._entry(first, min(first + size, groups), groups, address)

        pool = _pool(threads - 1)
        helpers = [pool.submit(work) for _ in range(threads - 1)]
        work()
        wait(helpers)
        for helper in helpers:
            helper.result()


def _pool(threads: int) -> Any:
    with _lock:
        if threads not in _pools:
            _pools[threads] = ThreadPoolExecutor(threads, thread_name_prefix="pytl")
        return _pools[threads]
