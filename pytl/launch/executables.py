"""The sixth step of a launch: code for its sizes, from memory, the cache, or the compiler."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ..backends.base import Argument, Backend, Lowered
from ..process.records import dataclass
from .binding import BoundArguments
from .choice import Choice


@dataclass(frozen=True)
class Executable:
    """A function of a backend, on a queue."""

    backend: Backend
    lowered: Lowered
    options: Mapping[str, Any]
    queue: Any
    is_general: bool
    """Whether it serves all launches with such arguments, wherever their memory is."""

    def submit(self, arguments: Sequence[Argument], groups: int, depends: Sequence[Any] = (), wait: bool = True) -> Any:
        """The last step of a launch: execute the work-groups. Returns the event, or None where it waited."""
        return self.backend.launch(self.lowered, arguments, groups, self.options, self.queue, depends, wait)


def executable(bound: BoundArguments, choice: Choice, specialize: str | None) -> Executable:
    """The code for these sizes or for all, as `specialize` says: "always", "never", "auto", or None for the setting."""
    backend, queue = bound.backend, bound.queue
    launches = bound.specialization.launches
    for_all = launches.lowered(backend, choice.options)
    lowered, is_settled = launches.variants.variant_for(backend, for_all, bound.arguments, queue, specialize)
    return Executable(backend, lowered, choice.options, queue, choice.is_general and is_settled)
