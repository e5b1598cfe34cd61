"""The one error tree of pytl, and the hook that keeps pytl's own frames out of a user's traceback."""

from __future__ import annotations

import sys
import traceback
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType

from .catalogue import Rule
from .diagnostic import Diagnostic
from .location import Location
from .render import render_all

_PACKAGE = str(Path(__file__).resolve().parents[1])


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
    """The reference backend met behaviour that the language leaves undefined."""


def _show_user_frames(kind: type[BaseException], error: BaseException, tb: TracebackType | None) -> None:
    if not isinstance(error, PytlError):
        _previous_hook(kind, error, tb)
        return
    frames = [frame for frame in traceback.walk_tb(tb) if not frame[0].f_code.co_filename.startswith(_PACKAGE)]
    if frames:
        print("Traceback (most recent call last):", file=sys.stderr)
        summary = traceback.StackSummary.extract(iter(frames))
        print("".join(summary.format()), end="", file=sys.stderr)
    print(f"{kind.__module__.split('.')[0]}.{kind.__name__}: {error}", file=sys.stderr)


_previous_hook = sys.excepthook


def _hide_own_frames() -> None:
    # Installed with the first error rather than at import: a program without errors keeps its hook untouched.
    global _previous_hook
    if sys.excepthook is not _show_user_frames:
        _previous_hook = sys.excepthook
        sys.excepthook = _show_user_frames
