"""Locks of queues: no thread submits to a queue while another waits for all that the queue has.

Intel's OpenCL CPU driver 2024.2 crashes in `OutOfOrderCommandQueue::Enqueue` where one thread submits and another calls
`SyclQueue.wait`, with dpctl alone, too, within some 100,000 launches. Submissions by two threads, and waiting for
events, do no harm.
"""

from __future__ import annotations

import weakref
from threading import Lock
from typing import TYPE_CHECKING, Any

from ... import forks

if TYPE_CHECKING:
    import dpctl

_locks: weakref.WeakValueDictionary[Any, Lock] = weakref.WeakValueDictionary()
_finding = forks.lock()


def lock_of(queue: dpctl.SyclQueue) -> Lock:
    """The lock of a queue, which all Python objects of this queue share; who uses it keeps it."""
    with _finding:
        found = _locks.get(queue)
        if found is None:
            found = _locks[queue] = forks.lock()
        return found


def finish(queue: dpctl.SyclQueue) -> None:
    """Wait for everything that was submitted to a queue."""
    with lock_of(queue):
        queue.wait()
