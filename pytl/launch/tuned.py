"""Results of `pytl.tune`: kept in memory and beside the compiled kernels, and used by later launches.

A tuning is known by the function's text, the device, all that compiles for it, and the options that were given when
it was made: those were not tuned. It holds the options that won.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..backends.base import Backend
from ..diagnostics import PytlError
from ..ir.values import Function
from ..process.records import dataclass

generation = 0
"""The number of tunings in this process; earlier decisions of launches may be outdated after each."""
_tuned_options: dict[str, dict[str, Any]] = {}
"""The winning options, where no directory could store them."""


@dataclass(frozen=True)
class TunedOptions:
    """The complete options of launches on a backend, and whether a tuning determined some of them."""

    backend: str
    options: dict[str, Any]
    is_tuned: bool
    generation: int

    def is_of(self, backend: str, options: Mapping[str, Any]) -> bool:
        """Whether a function that was lowered with these options is what tuning chose, as far as is known now."""
        is_current = self.is_tuned and self.generation == generation
        return is_current and self.backend == backend and self.options.items() <= options.items()


def choose(backend: Backend, function: Function, requested: Mapping[str, Any], queue: Any) -> TunedOptions:
    """The complete options of launches with these given options.

    What is given wins: a tuning that was made without it holds only if it agrees, for what else it says was measured
    together with what it found.
    """
    complete = backend.complete_options(requested, queue, function)
    fixed = fixed_options(requested, complete)
    for part in (fixed, {}) if fixed else ({},):
        winner = _find(backend, function, part, queue)
        if winner is not None and all(winner.get(name, value) == value for name, value in fixed.items()):
            return TunedOptions(
                backend.name, backend.complete_options({**requested, **winner}, queue, function), True, generation
            )
    return TunedOptions(backend.name, complete, False, generation)


def fixed_options(requested: Mapping[str, Any], complete: Mapping[str, Any]) -> dict[str, Any]:
    """The complete values of the given options that affect execution."""
    return {name: complete[name] for name in requested if name in complete}


def keep(
    backend: Backend,
    function: Function,
    fixed: Mapping[str, Any],
    queue: Any,
    winner: dict[str, Any],
    device: str,
    seconds: float,
) -> None:
    """Let launches that give only the `fixed` options use the winner from now on."""
    global generation
    from ..devices.cache import TUNING, Entry, current

    key = backend.tuning_key(function, fixed, queue)
    if key is not None:
        cache = current()
        if cache is not None:
            cache.store(key, Entry(function.name, backend.name, device, winner, seconds, {}, b"", kind=TUNING))
        if cache is None or cache.load(key) is None:
            _tuned_options[key] = winner
        else:
            _tuned_options.pop(key, None)
    generation += 1


def _find(backend: Backend, function: Function, fixed: Mapping[str, Any], queue: Any) -> dict[str, Any] | None:
    key = backend.tuning_key(function, fixed, queue)
    if key is None:
        return None
    from ..devices.cache import current  # not at `import pytl`: json takes its time

    cache = current()
    if key in _tuned_options or cache is None:
        return _tuned_options.get(key)
    entry = cache.load(key)
    if entry is None:
        return None
    try:
        backend.check_options(entry.options)
    except PytlError:  # the option does not accept the value
        cache.remove(key)
        return None
    return entry.options
