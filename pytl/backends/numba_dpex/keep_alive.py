"""Keeps the memory of a submitted launch alive until the launch has ended.

dpctl's own way, a host task after the kernel, takes twice the time of the launch. It also aborts the process where
Python ends before the task has run, because SYCL's thread then needs an interpreter that is gone. Here a Python thread
waits, which is joined before Python ends.
"""

from __future__ import annotations

import atexit
import threading
import time
from collections import deque
from typing import Any

from ...process import forks
from ...process.interrupts import interrupts_deferred
from . import events

PAUSE = 0.002
"""Seconds between two looks of the thread while launches are submitted: waking it for each takes longer than a
launch."""

_pending: deque[tuple[int, Any]] = deque()
_has_pending = threading.Event()
_ending = threading.Event()
_start = forks.lock()
_thread: threading.Thread | None = None


def keep_alive_until(event: int, objects: Any) -> None:
    """Keep objects alive until an event is complete; this takes over the reference to the event."""
    _pending.append((event, objects))
    if not _has_pending.is_set():
        _has_pending.set()
        _ensure_thread()


def _ensure_thread() -> None:
    global _thread
    with _start, interrupts_deferred():
        if _thread is None:
            _thread = threading.Thread(target=_work, name="pytl keeps arguments alive", daemon=True)
            _thread.start()
            atexit.register(_end, _thread)


def _work() -> None:
    me = threading.get_ident()
    while not _ending.is_set() or _pending:
        _has_pending.wait()
        while _pending:
            forks.inside[me] = True  # not as a section: the launches that it waits for began before any fork
            event, objects = _pending.popleft()
            events.wait_for(event)
            del objects  # not held while the next one is awaited
            forks.inside.pop(me)
            if not _pending:
                time.sleep(PAUSE)
        if not _ending.is_set():
            _has_pending.clear()
        if _pending:  # since the loop looked
            _has_pending.set()


def _forget() -> None:
    """A child process has no such thread and no pending launches: the fork has waited for them."""
    global _thread, _has_pending, _ending
    _pending.clear()
    _thread, _has_pending, _ending = None, threading.Event(), threading.Event()


forks.wait_while(lambda: bool(_pending))
forks.in_child(_forget)


def _end(thread: threading.Thread) -> None:
    _ending.set()
    _has_pending.set()
    thread.join()
