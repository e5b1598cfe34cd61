"""The result of `pytl.tune`, and its printed table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ..diagnostics.html import table, text
from ..diagnostics.words import counted
from ..process.records import dataclass


@dataclass(frozen=True)
class Trial:
    """Options that were tried: the median time of launches in seconds, and its ratio to the default's.

    Both are None where nothing could be measured, and `problem` says why. `is_wrong` says that results differed.
    """

    options: Mapping[str, Any]
    seconds: float | None
    ratio: float | None
    samples: int
    problem: str | None = None
    is_wrong: bool = False
    is_dropped: bool = False
    """Whether the options were so slow that they were launched a few times only."""


@dataclass(frozen=True)
class TuningResult:
    """The result of `pytl.tune`. Printed, it is the table of the options that were tried.

    `options` are those that won, and may be given to launches as `k[n, result.options]`; `default` are those without
    tuning. `trials` has all that was tried, the default first; `untried` what was left of the winner's neighbours
    when the `budget` was used up, and `is_complete` says that nothing at all was. Times are in seconds.
    """

    kernel: str
    backend: str
    groups: int
    options: Mapping[str, Any]
    default: Mapping[str, Any]
    trials: tuple[Trial, ...]
    untried: tuple[Mapping[str, Any], ...]
    is_complete: bool
    seconds: float
    budget: float

    @property
    def winner(self) -> Trial:
        """The trial of the options that won."""
        return next(trial for trial in self.trials if trial.options == self.options)

    def __str__(self) -> str:
        tried = f"{counted(len(self.trials), 'choice')} of options tried"
        spent = f"in {self.seconds:.1f} s of {self.budget:g} s"
        lines = [f"@{self.kernel}, {self.groups} work-groups on {self.backend}: {tried} {spent}"]
        names = list(dict.fromkeys(name for trial in self.trials for name in trial.options))
        rows = [("", *names, "median", "of default", "")]
        rows += [self._row(trial, names) for trial in self.trials]
        widths = [max(map(len, column)) for column in zip(*rows)]
        left = len(names) + 1
        for row in rows:
            cells = [cell.ljust(width) for cell, width in zip(row[:left], widths)]
            cells += [cell.rjust(width) for cell, width in zip(row[left:-1], widths[left:])]
            lines.append("  ".join([*cells, row[-1]]).rstrip())
        if self.untried:
            lines.append(f"left untried: {'; '.join(self._left())}")
        elif not self.is_complete:
            lines.append("left untried: changes of two options at once")
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        head, *rest = str(self).split("\n")
        names = list(dict.fromkeys(name for trial in self.trials for name in trial.options))
        rows = [self._row(trial, names) for trial in self.trials]
        marked = [number for number, trial in enumerate(self.trials) if trial is self.winner]
        shown = table(["", *names, "median", "of default", ""], rows, marked)
        return f"<div>{text(head)}{shown}{text(chr(10).join(rest[len(rows) + 1 :]))}</div>"

    def _left(self) -> list[str]:
        """The values of each option that were left untried."""
        values: dict[str, list[str]] = {}
        for options in self.untried:
            changed = [name for name in {**self.options, **options} if options.get(name) != self.options.get(name)]
            values.setdefault(changed[0], []).append(str(options.get(changed[0], self.default.get(changed[0]))))
        return [f"{name}={', '.join(left)}" for name, left in values.items()]

    def _row(self, trial: Trial, names: Sequence[str]) -> tuple[str, ...]:
        remarks = [trial.problem] if trial.problem else []
        remarks += ["the default"] if trial is self.trials[0] else []
        remarks += ["dropped early"] if trial.is_dropped else []
        values = [str(trial.options[name]) if name in trial.options else "" for name in names]
        ratio = "" if trial.ratio is None else f"{trial.ratio:.2f}"
        marked = "*" if trial is self.winner else ""
        return (marked, *values, duration(trial.seconds), ratio, ", ".join(remarks))


def named(options: Mapping[str, Any]) -> str:
    """Options as text."""
    return ", ".join(f"{name}={value}" for name, value in options.items())


def duration(seconds: float | None) -> str:
    """Seconds as text with a unit; empty for None."""
    if seconds is None:
        return ""
    for unit, size in (("s", 1.0), ("ms", 1e-3), ("µs", 1e-6)):
        if seconds >= size:
            return f"{seconds / size:.3g} {unit}"
    return f"{seconds * 1e9:.3g} ns"
