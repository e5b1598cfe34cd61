"""Ctrl-C where it must not come at any moment: it waits for the end of a block, or of an import.

Python raises KeyboardInterrupt between any two instructions of the main thread. A module that is being imported stays
half initialised then, and numba's modules do not survive that; a library that swallows the exception turns it into
another error. Threads other than the main one are not interrupted.
"""

from __future__ import annotations

import os
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType, TracebackType
from typing import Any

PAUSE = 0.01
"""Seconds until an interrupt that came in the midst of an import is tried again."""
_IMPORT = "<frozen importlib"
_NUMBA = f"{os.sep}numba{os.sep}"
_REGISTERING = frozenset({"refresh", "install_registry", "load_additional_registries", "_load_builtins"})
"""Functions of numba that empty lists of registrations: entries that an interrupt loses are never registered again."""


def _handler() -> Any:
    """What Ctrl-C calls, if it is a function and comes to this thread; else None."""
    import signal  # not at `import pytl`

    if threading.current_thread() is not threading.main_thread():
        return None
    handler = signal.getsignal(signal.SIGINT)
    return handler if callable(handler) else None


@contextmanager
def interrupts_deferred() -> Iterator[None]:
    """Let Ctrl-C wait until the block has ended."""
    import signal

    previous = _handler()
    if previous is None:
        yield
        return
    caught: list[int] = []
    signal.signal(signal.SIGINT, lambda number, frame: caught.append(number))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, previous)
        if caught:
            signal.raise_signal(signal.SIGINT)


class SafeInterrupts:
    """A block that Ctrl-C ends at once, but in the midst of no import, and as no error but its own.

    >>> with SafeInterrupts():
    ...     import json
    """

    def __enter__(self) -> SafeInterrupts:
        self._previous = _handler()
        self._outermost = sys._getframe(1)
        self._waiting: list[bool] = []
        self.raised: BaseException | None = None
        if self._previous is not None:
            import signal

            signal.signal(signal.SIGINT, self)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        if self._previous is None:
            return
        import signal

        signal.signal(signal.SIGINT, self._previous)
        del self._outermost  # a frame holds what its variables do
        if self._is_waiting():
            signal.raise_signal(signal.SIGINT)
        raised, self.raised = self.raised, None
        if raised is not None and (error is None or isinstance(error, Exception)) and raised is not error:
            raise raised from None

    def __call__(self, number: int, frame: FrameType | None) -> None:
        """What Ctrl-C calls inside the block."""
        if _is_registering(frame, self._outermost):
            if not self._waiting:
                import _thread  # a Thread takes locks of Python's, which the main thread may hold just now

                self._waiting.append(True)
                _thread.start_new_thread(self._try_again, ())
            return
        try:
            self._previous(number, frame)
        except BaseException as error:
            self.raised = error
            raise

    def _try_again(self) -> None:
        import signal

        time.sleep(PAUSE)
        if self._is_waiting():
            if hasattr(signal, "pthread_kill"):  # which wakes the main thread where it sleeps
                signal.pthread_kill(threading.main_thread().ident or 0, signal.SIGINT)
            else:
                signal.raise_signal(signal.SIGINT)

    def _is_waiting(self) -> bool:
        """Whether an interrupt came that no code has handled. The answer is True once per interrupt."""
        try:
            return self._waiting.pop()
        except IndexError:
            return False


def raise_swallowed() -> None:
    """Raise the interrupt that came in the present `SafeInterrupts` block, if a library made an error of it."""
    current = _handler()
    if isinstance(current, SafeInterrupts) and current.raised is not None:
        raise current.raised from None


def _is_registering(frame: FrameType | None, outermost: FrameType) -> bool:
    """Whether modules are being imported, or registered with numba, in what a block has called."""
    while frame is not None and frame is not outermost:
        code = frame.f_code
        if code.co_filename.startswith(_IMPORT) or (code.co_name in _REGISTERING and _NUMBA in code.co_filename):
            return True
        frame = frame.f_back
    return False
