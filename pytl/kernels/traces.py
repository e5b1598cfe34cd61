"""What was traced of a kernel's Python function, for the values that the names of its body were bound to."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from ..diagnostics import PytlError, Rule, call_site
from ..frontends.python.content import Incomparable, content_key, is_immutable
from ..process.records import dataclass

if TYPE_CHECKING:
    from ..frontends.python.captures import Guard

CONSTEXPR = Rule("PYTL-2020", "constexpr parameters have values before a kernel is traced", "Kernels")

MAX_TRACES = 16
"""The largest number of traces that a kernel keeps, for values that its names may be bound to again."""

Kernel = TypeVar("Kernel")


@dataclass(frozen=True)
class Trace(Generic[Kernel]):
    """What was traced for certain values."""

    guard: Guard
    source: tuple[Any, ...]
    """The text, and the code of the functions that were inlined, whose lines messages tell."""
    kernel: Kernel


class Traces(Generic[Kernel]):
    """The traces of one kernel, the latest first. Safe for several threads."""

    def __init__(self) -> None:
        self.latest: Trace[Kernel] | None = None
        self._latest: tuple[Trace[Kernel], ...] = ()

    def current(self, make: Callable[[], Trace[Kernel]]) -> Kernel:
        """The kernel for the values that names are bound to now; `make` traces where there is none."""
        with self._lock():  # a function is traced once, and so compiled once
            trace = next((trace for trace in self._latest if trace.guard.holds()), None) or make()
            self._latest = (trace, *(other for other in self._latest if other is not trace))[:MAX_TRACES]
            self.latest = trace
        return trace.kernel

    def _lock(self) -> Any:
        """The lock of this kernel. Made at the first use: of several threads, all get the same."""
        lock = vars(self).get("_made_lock")
        if lock is None:
            from ..process import forks  # not where a kernel is made

            lock = vars(self).setdefault("_made_lock", forks.rlock())
        return lock

    def of_source(self, source: tuple[Any, ...]) -> Kernel | None:
        """The kernel that was traced to the same, for names that were bound anew to equal values."""
        return next((trace.kernel for trace in self._latest if trace.source == source), None)

    def kernels(self) -> Iterator[Kernel]:
        """The kernels, each once."""
        return iter({id(trace.kernel): trace.kernel for trace in self._latest}.values())


def key_of(values: Mapping[str, Any]) -> Hashable:
    """What tells values of constexpr parameters apart. Raises `pytl.PytlError` where they can't be compared."""
    keys = []
    for name in sorted(values):
        try:
            keys.append((name, content_key(values[name])))
        except Incomparable as error:
            raise PytlError.single(
                CONSTEXPR,
                f"{name} is, or contains, a Python {error}, which can't be compared with values of other launches",
                call_site(),
                "pass a number, a text, a tuple, a list, an array, or an object of a class with attributes",
            ) from None
    return tuple(keys)


def is_changed(values: Mapping[str, Any], key: Hashable) -> bool:
    """Whether one of these values has been changed in place since the key was theirs."""
    return not all(map(is_immutable, values.values())) and key_of(values) != key
