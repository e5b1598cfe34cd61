"""The build of a kernel: progress messages where it takes long, and the end where it takes too long.

The time limit is checked between steps: each piece of source that numba types or lowers, each tool that is called. A
step that is one call into LLVM or the device's driver is not interrupted.
"""

from __future__ import annotations

import contextlib
import os
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from ..diagnostics import PlatformError, PytlError, Rule
from ..ir.values import Function
from ..process.settings import COMPILE_SECONDS, PROGRESS

TOO_LONG = Rule(
    "PYTL-3091",
    "a kernel is compiled within PYTL_COMPILE_SECONDS",
    "Compilation",
    explanation="The limit is looked at between the steps of a build. One call into LLVM or into the device's driver "
    "runs to its end first.",
)
LONG = 1.0
"""Seconds after which progress is shown."""
PAUSE = 0.5
"""Seconds between two updates by the thread that shows progress."""


VERBS = ("compiles", "compiled")
"""What messages say of a build under way and of one that has ended."""


class _OutOfTime(BaseException):
    """Ends a build. It is no Exception, because numba rewrites exceptions."""


class Build:
    """One build, in one thread."""

    def __init__(self, function: Function, stage: str = "passes", verbs: tuple[str, str] = VERBS) -> None:
        self.function = function
        self.stage = stage
        self.verb, self.past = verbs
        self.began = time.monotonic()
        self.limit = COMPILE_SECONDS.get()

    @property
    def seconds(self) -> float:
        """The seconds since it began."""
        return time.monotonic() - self.began

    def error(self) -> PytlError:
        """The exception that ends it."""
        return PlatformError.single(
            TOO_LONG,
            f"@{self.function.name} is not compiled after {self.limit:g} s; the last step was: {self.stage}",
            self.function.location,
            "divide the kernel, or let loops stay loops; PYTL_COMPILE_SECONDS is the limit",
        )


_current = threading.local()


def current() -> Build | None:
    """The build of this thread."""
    return getattr(_current, "build", None)


@contextmanager
def building(function: Function) -> Iterator[None]:
    """Compile a function inside the block. Raises PYTL-3091 where the time limit is exceeded."""
    if current() is not None:
        yield
        return
    build = _current.build = Build(function)
    try:
        with told(build):
            yield
    except _OutOfTime:
        raise build.error() from None
    finally:
        _current.build = None


@contextmanager
def loading(function: Function, stage: str) -> Iterator[None]:
    """Load a function from the cache inside the block: progress is shown as for builds. There is no time limit."""
    if current() is not None:
        yield
        return
    with told(Build(function, stage, ("loads", "loaded"))):
        yield


def at(stage: str) -> None:
    """Announce the stage that begins."""
    build = current()
    if build is not None:
        check()
        build.stage = stage


def check() -> None:
    """End the build of this thread if it has exceeded the time limit."""
    build = current()
    if build is not None and build.seconds > build.limit:
        raise _OutOfTime


def seconds_left() -> float | None:
    """The seconds that remain for a step of this thread's build; None outside of builds."""
    build = current()
    return None if build is None else max(build.limit - build.seconds, 0.001)


# Progress.


@contextmanager
def told(build: Build) -> Iterator[None]:
    """Show the progress of a long build: a line where standard error is a terminal, a bar in a notebook."""
    screen = _screen()
    if screen is None:
        yield
        return
    ended = threading.Event()
    thread = threading.Thread(target=_tell, args=(screen, build, ended), name="pytl tells of a build", daemon=True)
    thread.start()
    try:
        yield
    finally:
        ended.set()
        thread.join()
        screen.close()


def _tell(screen: Any, build: Build, ended: threading.Event) -> None:
    with contextlib.suppress(Exception):  # a failure to show progress must not end the build
        if ended.wait(LONG):
            return
        while True:
            screen.show(f"pytl {build.verb} @{build.function.name}: {build.stage}, {build.seconds:.0f} s")
            if ended.wait(PAUSE):
                screen.end(f"pytl {build.past} @{build.function.name} in {build.seconds:.1f} s")
                return


class _Terminal:
    """One line, which is overwritten.

    It has a descriptor of its own: while the driver compiles, what is written to the one of the stream is collected,
    because the driver's remarks are dropped (`bootstrap.without_warnings`).
    """

    def __init__(self, stream: Any) -> None:
        self._stream = stream
        try:
            self._descriptor: int | None = os.dup(stream.fileno())
        except (AttributeError, OSError, ValueError):  # no file
            self._descriptor = None

    def show(self, text: str) -> None:
        self._write(f"\r{text}\x1b[K")

    def end(self, text: str) -> None:
        self._write(f"\r{text}\x1b[K\n")

    def close(self) -> None:
        if self._descriptor is not None:
            os.close(self._descriptor)

    def _write(self, text: str) -> None:
        if self._descriptor is None:
            self._stream.write(text)
            self._stream.flush()
        else:
            encoding = getattr(self._stream, "encoding", None) or "utf-8"
            os.write(self._descriptor, text.encode(encoding, "backslashreplace"))


class _Notebook:
    """A bar in a cell's output, of unknown length."""

    def __init__(self) -> None:
        self._handle: Any = None

    def show(self, text: str, bar: str = "<progress></progress> ") -> None:
        import html

        from IPython.display import HTML, display

        content = HTML(f"{bar}{html.escape(text)}")
        if self._handle is None:
            self._handle = display(content, display_id=True)
        else:
            self._handle.update(content)

    def end(self, text: str) -> None:
        self.show(text, "")

    def close(self) -> None:
        pass


def _screen() -> _Terminal | _Notebook | None:
    if not PROGRESS.get():
        return None
    ipython = sys.modules.get("IPython")
    shell = ipython.get_ipython() if ipython is not None and hasattr(ipython, "get_ipython") else None
    if shell is not None and hasattr(shell, "kernel"):
        return _Notebook()
    try:
        return _Terminal(sys.stderr) if sys.stderr.isatty() else None
    except (AttributeError, ValueError):  # something else in its place, or it is closed
        return None
