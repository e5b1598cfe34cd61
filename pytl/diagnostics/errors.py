"""The one error tree of pytl, and the hook that keeps pytl's own frames out of a user's traceback."""

from __future__ import annotations

import contextlib
import copy
import functools
import itertools
import os
import sys
import warnings
from collections.abc import Iterator, Sequence
from types import TracebackType
from typing import TYPE_CHECKING, Any

from .catalogue import Rule
from .diagnostic import Diagnostic
from .location import Location
from .quoting import visible
from .render import render_all

if TYPE_CHECKING:
    import threading
    import traceback

_LINE = "\n"
_PACKAGE = os.path.dirname(os.path.dirname(os.path.realpath(__file__))) + os.sep


class PytlError(Exception):
    """An error that pytl explains: `diagnostics` holds every finding, each with code, place, rule and fix."""

    def __init__(self, diagnostics: Sequence[Diagnostic]) -> None:
        self.diagnostics = tuple(diagnostics)
        super().__init__(self.diagnostics)
        _hide_own_frames()

    @classmethod
    def single(cls, rule: Rule, message: str, location: Location | None = None, help: str | None = None) -> PytlError:
        return cls([Diagnostic(rule, message, location, help)])

    def __str__(self) -> str:
        text = "\n" + render_all(self.diagnostics)
        errors = sum(d.severity == "error" for d in self.diagnostics)
        return text if errors < 2 else f"{text}\n\n{errors} errors"

    @property
    def code(self) -> str:
        """The code of the first finding."""
        return self.diagnostics[0].code


class LanguageError(PytlError):
    """Text that does not parse, or IR that breaks a rule of the language."""


class TraceError(PytlError):
    """A kernel's Python source that cannot be turned into the language."""


class LaunchError(PytlError):
    """A launch that was refused: nothing ran and no array was changed."""


class PlatformError(PytlError):
    """Something of the platform is missing; the help names the command that installs it."""


class ExecutionError(PytlError):
    """A launch that is checked met behaviour that the language leaves undefined."""


for _kind in (PytlError, LanguageError, TraceError, LaunchError, PlatformError, ExecutionError):
    _kind.__module__ = "pytl"  # where users find them, and what a traceback shows


def user_traceback(error: BaseException) -> str:
    """The traceback as Python prints it, with the errors that it was raised from, but without pytl's own frames."""
    import traceback

    whole = traceback.TracebackException.from_exception(error)
    for shown in _chain(whole):
        are_users = _are_users([frame.filename for frame in shown.stack])
        shown.stack = traceback.StackSummary.from_list(list(itertools.compress(shown.stack, are_users)))
    return visible("".join(whole.format()), keep="\n\t")


def warn(rule: Rule, message: str) -> None:
    """Warn of a broken rule that ends nothing, at the user's line that called pytl."""
    level, frame = 1, sys._getframe()
    while frame.f_back is not None and is_on_the_way(frame.f_code.co_filename):
        level, frame = level + 1, frame.f_back
    warnings.warn(f"[{rule.code}] {visible(message, keep=_LINE)}", stacklevel=level)


def warn_at(finding: Diagnostic) -> None:
    """Warn of a finding at its place in the user's source."""
    text = finding.message if finding.help is None else f"{finding.message}; {finding.help}"
    if finding.location is None:
        warn(finding.rule, text)
        return
    name, line = finding.location.source.name, finding.location.line
    warnings.warn_explicit(f"[{finding.code}] {visible(text, keep=_LINE)}", UserWarning, name, line)


def is_own(filename: str) -> bool:
    """Whether a file is part of pytl."""
    return filename.startswith(_PACKAGE)


def is_on_the_way(filename: str) -> bool:
    """Whether a file is part of pytl, or of what stands between two functions of it: a `with`, a cached property.

    `copy.copy` is on the way, too: the user's line is the one that calls it.
    """
    return is_own(filename) or filename in (contextlib.__file__, functools.__file__, copy.__file__)


def _are_users(filenames: Sequence[str]) -> list[bool]:
    """Which frames of a traceback are the user's: not those of pytl, nor what stands on the way beside these."""
    are_users: list[bool] = []
    for _, run in itertools.groupby(filenames, is_on_the_way):
        names = list(run)
        are_users += [not any(map(is_own, names))] * len(names)
    return are_users


def _chain(error: traceback.TracebackException | None) -> Iterator[traceback.TracebackException]:
    """An error as the traceback module has it, and all that are printed before it."""
    if error is not None:
        yield error
        yield from _chain(error.__cause__)
        yield from _chain(error.__context__)


def _concerns_pytl(error: BaseException | None) -> bool:
    seen: set[int] = set()
    while error is not None and id(error) not in seen:
        if isinstance(error, PytlError):
            return True
        seen.add(id(error))
        error = error.__cause__ or error.__context__
    return False


_previous_hook: Any = None
_previous_thread_hook: Any = None


def _show_user_frames(kind: type[BaseException], error: BaseException, tb: TracebackType | None) -> None:
    if _concerns_pytl(error):
        print(user_traceback(error), end="", file=sys.stderr)
    else:
        _previous_hook(kind, error, tb)


def _show_user_frames_of_thread(arguments: threading.ExceptHookArgs) -> None:
    import threading

    if arguments.exc_value is not None and _concerns_pytl(arguments.exc_value):
        name = arguments.thread.name if arguments.thread is not None else threading.get_ident()
        print(f"Exception in thread {name}:\n{user_traceback(arguments.exc_value)}", end="", file=sys.stderr)
    else:
        _previous_thread_hook(arguments)


def _hide_own_frames() -> None:
    # Installed with the first error rather than at import: a program without errors keeps its hooks untouched.
    import threading

    global _previous_hook, _previous_thread_hook
    if sys.excepthook is not _show_user_frames:
        _previous_hook = sys.excepthook
        sys.excepthook = _show_user_frames
    if threading.excepthook is not _show_user_frames_of_thread:
        _previous_thread_hook = threading.excepthook
        threading.excepthook = _show_user_frames_of_thread
    _hide_own_frames_in_ipython()


def _hide_own_frames_in_ipython() -> None:
    """IPython asks no hook: what formats its tracebacks is told to leave pytl's frames out."""
    ipython = sys.modules.get("IPython")
    shell = getattr(ipython, "get_ipython", lambda: None)()
    formatter = getattr(shell, "InteractiveTB", None)
    if formatter is None or hasattr(formatter, "_shows_pytl"):
        return
    format_all = formatter.structured_traceback

    def structured_traceback(kind: Any, error: Any = None, *rest: Any, **named: Any) -> Any:
        if isinstance(error, BaseException) and _concerns_pytl(error):
            _cut_own_frames(error)
        return format_all(kind, error, *rest, **named)

    formatter.structured_traceback = structured_traceback
    formatter._shows_pytl = False


def _cut_own_frames(outermost: BaseException) -> None:
    """Take pytl's own frames out of the tracebacks of an error and of those that it was raised from."""
    waiting: list[BaseException | None] = [outermost]
    seen: set[int] = set()
    while waiting:
        current = waiting.pop()
        if current is None or id(current) in seen:
            continue
        seen.add(id(current))
        waiting += [current.__cause__, current.__context__]
        steps = list(_steps(current.__traceback__))
        are_users = _are_users([step.tb_frame.f_code.co_filename for step in steps])
        shown_steps = steps[:1] + [step for step, is_users in zip(steps[1:], are_users[1:]) if is_users]
        for step, later in zip(shown_steps, [*shown_steps[1:], None]):
            step.tb_next = later


def _steps(step: TracebackType | None) -> Iterator[TracebackType]:
    while step is not None:
        yield step
        step = step.tb_next
