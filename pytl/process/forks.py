"""Forks while other threads work: a child has the thread that made it, and no other.

A lock that another thread held would never be released in the child, so all locks of pytl's are made here and made
anew there. Other state must be complete before a fork: a fork waits for the modules that other threads import, and at
most `PATIENCE` seconds for the sections that other threads are in. Builds and launches of the SYCL run time are such
sections, since its locks cannot be reached. A driver's own threads take locks until they go to sleep, shortly after a
kernel's end. A fork waits at most `IDLE_SECONDS` seconds for that.
"""

from __future__ import annotations

import logging  # noqa: F401 - its hooks of forks fail if another thread imports it while a fork waits
import os
import sys
import threading
import time
import weakref
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import get_ident
from typing import Any

from ..diagnostics import PlatformError, Rule

BROKEN = Rule(
    "PYTL-3090",
    "a process is forked while no other thread builds or launches on a SYCL device",
    "Devices",
    explanation="The SYCL run time has locks that nobody can release in the child. A fork waits for launches and "
    "builds of other threads, up to a minute; a child that was forked earlier refuses SYCL. Other backends work.",
)

PATIENCE = 60.0
"""Seconds that a fork waits for other threads."""
IDLE_SECONDS = 0.2
"""Seconds that a fork waits, at most, until the threads of drivers sleep. Others that do not, as of BLAS, are not told
from them."""
PAUSE = 0.001
_STACK = ("pytl", "numba", "numba_dpex", "dpctl", "dpnp", "llvmlite", "numpy", "ml_dtypes")
"""Packages whose imports a fork waits for."""
_NUMBAS = (("numba.core.compiler_lock", "global_compiler_lock"), ("llvmlite.binding.ffi", "lib", "_lock"))
"""What holds locks of numba's: a module and attributes of it."""

_locks: weakref.WeakSet[Any] = weakref.WeakSet()
_remade: list[Callable[[], None]] = []
_busy: list[Callable[[], bool]] = []

inside: dict[int, bool] = {}
"""The threads that are in a section, by their numbers. Plans write here themselves, for `section` takes longer."""
closed = False
"""Whether no section may begin, as a fork is waiting or this process is broken: who finds it so calls `begin_again`."""
_opened = threading.Condition()
is_broken = False
"""Whether this process was forked while another thread was in a section, which it will never leave here."""


def lock() -> threading.Lock:
    """A lock that is free in a child."""
    new_lock = threading.Lock()
    _locks.add(new_lock)
    return new_lock


def rlock() -> Any:
    """The same that one thread may take several times."""
    new_lock = threading.RLock()
    _locks.add(new_lock)
    return new_lock


def in_child(function: Callable[[], None]) -> None:
    """Let a function be called in each child, before anything else of pytl's is."""
    _remade.append(function)


def wait_while(function: Callable[[], bool]) -> None:
    """Let forks wait, too, while a function says that something is under way."""
    _busy.append(function)


@contextmanager
def section() -> Iterator[None]:
    """What a fork by another thread waits for."""
    me = get_ident()
    if me in inside:
        yield
        return
    inside[me] = True
    try:
        if closed:
            begin_again()
        yield
    finally:
        inside.pop(me, None)


def begin_again() -> None:
    """Let a fork come first; this thread has said that it is inside, and says so again.

    Raises PYTL-3090 in a process that can't enter the block.
    """
    me = get_ident()
    while closed:
        inside.pop(me, None)
        if is_broken:
            raise PlatformError.single(
                BROKEN,
                "this process was forked while another thread built or launched a kernel on a SYCL device",
                help='make processes before, or by multiprocessing.get_context("spawn"); the other backends work here',
            )
        with _opened:
            _opened.wait_for(lambda: not closed)
        inside[me] = True  # and looks whether another fork has begun meanwhile


def _wait(deadline: float) -> bool:
    me = get_ident()
    while any(thread != me for thread in list(inside)) or any(each() for each in _busy) or _is_importing(me):
        if time.monotonic() > deadline:
            return False
        time.sleep(PAUSE)
    return True


def _settle(deadline: float) -> None:
    while time.monotonic() < deadline and runs_natively():
        time.sleep(PAUSE)


def runs_natively() -> bool:
    """Whether a thread that Python does not know is about to compute: Linux alone tells, elsewhere none seems to be."""
    known = {str(thread.native_id) for thread in threading.enumerate()}
    try:
        others = [name for name in os.listdir("/proc/self/task") if name not in known]
    except OSError:
        return False
    return any(_state_of(thread) == "R" for thread in others)


def _state_of(thread: str) -> str:
    try:
        with open(f"/proc/self/task/{thread}/stat", "rb") as file:
            return file.read().rpartition(b") ")[2][:1].decode()
    except OSError:  # it has ended
        return ""


def _is_importing(me: int) -> bool:
    """Whether another thread imports a module of the stack: Python keeps a lock for each, and tells nobody else."""
    held = getattr(sys.modules.get("_frozen_importlib"), "_module_locks", {})
    owned = [(name, getattr(lock_of(), "owner", None)) for name, lock_of in list(held.items())]
    return any(owner not in (None, me) and name.partition(".")[0] in _STACK for name, owner in owned)


_forking = threading.RLock()
_was_quiet = True


def _before() -> None:
    global closed, _was_quiet
    _forking.acquire()
    closed = True
    _was_quiet = _wait(time.monotonic() + PATIENCE)
    if "dpctl" in sys.modules:
        _settle(time.monotonic() + IDLE_SECONDS)


def _open() -> None:
    global closed
    closed = is_broken
    with _opened:
        _opened.notify_all()


def _after_in_parent() -> None:
    _open()
    _forking.release()


def _after_in_child() -> None:
    global _opened, _forking, is_broken, closed
    _opened, _forking = threading.Condition(), threading.RLock()
    closed = is_broken = is_broken or not _was_quiet
    inside.clear()
    for each in list(_locks):
        each._at_fork_reinit()  # as the standard library does with its own
    for module, *names in _NUMBAS:
        holder: Any = sys.modules.get(module)
        for name in names:
            holder = getattr(holder, name, None)
        if hasattr(holder, "_lock"):
            holder._lock._at_fork_reinit()
    for function in _remade:
        function()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(before=_before, after_in_parent=_after_in_parent, after_in_child=_after_in_child)
