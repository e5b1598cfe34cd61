"""Keeps what a submitted launch works on until the launch has ended.

dpctl's own way, a task of the host behind the kernel, takes twice the time of the launch, and aborts the process where
Python ends before the task has run, since SYCL's thread then asks for an interpreter that is gone. Here a thread of
Python's waits, which is joined before Python ends.
"""

from __future__ import annotations

import atexit
import queue
import threading
from functools import cache
from typing import Any

from . import launch

_pending: queue.SimpleQueue[tuple[int, Any] | None] = queue.SimpleQueue()


def keep_until(event: int, things: Any) -> None:
    """Keep things alive until an event is complete; the reference to it is used up."""
    _waiting_thread()
    _pending.put((event, things))


@cache
def _waiting_thread() -> threading.Thread:
    thread = threading.Thread(target=_wait, name="pytl keeps arguments alive", daemon=True)
    thread.start()
    atexit.register(_end, thread)
    return thread


def _wait() -> None:
    while (entry := _pending.get()) is not None:
        launch.wait_for(entry[0])
        entry = None  # not held while the next one is awaited


def _end(thread: threading.Thread) -> None:
    _pending.put(None)
    thread.join()
