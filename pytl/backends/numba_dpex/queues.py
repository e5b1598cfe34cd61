"""Locks of queues: no thread submits to a queue while another waits for all that the queue has.

Intel's OpenCL CPU driver 2024.2 crashes in `OutOfOrderCommandQueue::Enqueue` where one thread submits and another calls
`SyclQueue.wait`, with dpctl alone, too, within some 100,000 launches. Submissions by two threads, and waiting for
events, do no harm.
"""

from __future__ import annotations

import sys
import weakref
from abc import ABC, abstractmethod
from threading import Lock
from typing import TYPE_CHECKING, Any

from ...process import forks

if TYPE_CHECKING:
    import dpctl

_locks: weakref.WeakValueDictionary[Any, Lock] = weakref.WeakValueDictionary()
_finding = forks.lock()


def lock_of(queue: dpctl.SyclQueue) -> Lock:
    """The lock of a queue, which all Python objects of this queue share; who uses it keeps it."""
    with _finding:
        lock = _locks.get(queue)
        if lock is None:
            lock = _locks[queue] = forks.lock()
        return lock


def finish(queue: dpctl.SyclQueue) -> None:
    """Wait for everything that was submitted to a queue."""
    with lock_of(queue):
        queue.wait()


def begun(queue: Any) -> list[Any]:
    """The events of what functions of arrays have begun on a queue that does not keep the order by itself.

    Those of dpctl 0.17 return when their work has ended. Later ones, and those of dpnp, return before, and note the
    events in dpctl for whoever comes after them.
    """
    noted = getattr(sys.modules.get("dpctl.utils"), "SequentialOrderManager", None)
    return [] if noted is None or queue.is_in_order else noted[queue].submitted_events


class OtherQueue(ABC):
    """A queue of another run time than SYCL that takes SPIR-V. What launches read of dpctl's queues has the same names.

    `sycl_device` has the properties of `dpctl.SyclDevice` that launches read, and `sycl_context` is what kernels are
    built for.
    """

    is_in_order = True
    sycl_device: Any
    sycl_context: Any

    @abstractmethod
    def load(self, kernel: Any) -> Any:
        """A `SpirvKernel` built for the device, with `submit` and `sycl_kernel` as `launch.LoadedKernel` has."""

    @abstractmethod
    def machine_code(self, kernel: Any) -> bytes | None:
        """What the driver made of a kernel that was loaded; None where it does not give it."""

    @abstractmethod
    def to_device(self, flat: Any) -> Any:
        """A copy of an array of one mode, with `_pointer` and `copy_to_host` as `dpctl.memory` has."""

    @abstractmethod
    def wait(self) -> None:
        """Wait for everything that was submitted."""
