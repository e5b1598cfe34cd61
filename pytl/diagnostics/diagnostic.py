"""Diagnostics: what went wrong, where, by which rule, and how to mend it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace

from .catalogue import Rule, Severity
from .location import Location
from .quoting import visible


@dataclass(frozen=True)
class Label:
    """A remark on another place that helps to understand a diagnostic, such as where a value was defined."""

    location: Location
    text: str


@dataclass(frozen=True)
class Diagnostic:
    """One finding. `message` says what is wrong here; the rule says what is demanded everywhere."""

    rule: Rule
    message: str
    location: Location | None = None
    help: str | None = None
    labels: tuple[Label, ...] = field(default=())

    @property
    def code(self) -> str:
        return self.rule.code

    @property
    def severity(self) -> Severity:
        return self.rule.severity

    @property
    def headline(self) -> str:
        """`error[PYTL-0312]: message`, as every form of output begins."""
        return f"{self.severity}[{self.code}]: {visible(self.message)}"

    def with_severity(self, severity: Severity) -> Diagnostic:
        """The same finding taken more or less seriously (`--strict` makes errors of notes)."""
        return _Reweighed(self.rule, self.message, self.location, self.help, self.labels, severity)


@dataclass(frozen=True)
class _Reweighed(Diagnostic):
    weight: Severity = "error"

    @property
    def severity(self) -> Severity:
        return self.weight


class Diagnostics:
    """A collector: checks report here and go on, so that the user sees all findings at once."""

    def __init__(self) -> None:
        self.items: list[Diagnostic] = []
        self._reported: set[Diagnostic] = set()

    def report(
        self,
        rule: Rule,
        message: str,
        location: Location | None = None,
        help: str | None = None,
        labels: Iterable[Label] = (),
    ) -> None:
        """Add a finding, unless the very same one was reported before (an inlined function is checked per call)."""
        if location is not None:
            labels = [*labels, *location.remarks]
        diagnostic = Diagnostic(rule, message, location, help, tuple(dict.fromkeys(labels)))
        if diagnostic not in self._reported:
            self._reported.add(diagnostic)
            self.items.append(diagnostic)

    def extend(self, diagnostics: Iterable[Diagnostic]) -> None:
        self.items.extend(diagnostics)

    @property
    def count(self) -> int:
        """The number of findings, as `forget` takes it."""
        return len(self.items)

    def forget(self, count: int) -> None:
        """Take back all findings but the first ones."""
        self._reported -= set(self.items[count:])
        del self.items[count:]

    def make_errors(self, which: Callable[[Diagnostic], bool] = lambda each: each.severity == "note") -> None:
        """Take some findings for errors, notes where nothing else is said, as `--strict` does."""
        self.items = [each.with_severity("error") if which(each) else each for each in self.items]

    def make_warnings(self) -> None:
        """Take errors for warnings, where what they are about is left out and the rest is of use."""
        self.items = [each.with_severity("warning") if each.severity == "error" else each for each in self.items]

    def make_notes(self, which: Sequence[Diagnostic], more: str) -> None:
        """Take some findings for remarks, which say more."""
        self.items = [
            replace(each, message=each.message + more).with_severity("note") if each in which else each
            for each in self.items
        ]

    @property
    def errors(self) -> list[Diagnostic]:
        return [d for d in self.items if d.severity == "error"]

    def in_order(self) -> list[Diagnostic]:
        """By place in the source, findings without a place last; the order of report decides among equals."""

        def sort_key(diagnostic: Diagnostic) -> tuple[bool, str, int, int]:
            at = diagnostic.location
            while at is not None and at.caller is not None:
                at = at.caller
            return (at is None, at.source.name, at.line, at.column) if at else (True, "", 0, 0)

        return sorted(self.items, key=sort_key)
