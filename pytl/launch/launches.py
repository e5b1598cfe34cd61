"""What launches of one function have made: kept so that it is not made again."""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterator, Mapping, Sequence
from typing import Any, Protocol

from ..backends.base import Backend, Lowered
from ..process.settings import CHECKS
from . import tuned
from .lowering import lowered_by
from .signature import Signature
from .variants import SizeVariants

MAX_PLANS = 256
"""The largest number of plans of a function; launches with ever new shapes don't use ever more memory."""


class LaunchPlan(Protocol):
    """What is kept of a launch for further ones: `plans.Plan`."""

    def launch(
        self, arguments: Sequence[Any], values: list[Any], groups: int | None, depends: Sequence[Any], wait: bool
    ) -> tuple[bool, Any]: ...


class Launches:
    """Lowered functions, options, plans, and the functions that were made of one function. Safe for several threads."""

    preferred_backend: str | None = None
    """The backend of launches where neither they nor a setting name one; None for the platform's."""

    def __init__(self, signature: Signature) -> None:
        self.signature = signature
        self.plans: dict[Hashable, LaunchPlan] = {}
        self.variants = SizeVariants()
        self._lowered: dict[Any, Lowered] = {}
        self._options: dict[Any, tuned.TunedOptions] = {}
        self._derived: dict[Hashable, Launches] = {}

    def lowered(self, backend: Backend, options: Mapping[str, Any]) -> Lowered:
        """The function for all sizes with complete options, whose passes run on demand."""
        key = (backend.name, tuple(sorted(options.items())))
        if key not in self._lowered:
            # another thread may have been first: a function is compiled once
            self._lowered.setdefault(key, lowered_by(backend, options, self.signature.function))
        return self._lowered[key]

    def options(self, backend: Backend, requested: Mapping[str, Any], queue: Any) -> Mapping[str, Any]:
        """The complete options of launches: those that are given, what `pytl.tune` found, and defaults."""
        key = (backend.name, queue, repr(requested), tuned.generation, CHECKS.get())
        choice = self._options.get(key)
        if choice is None:
            if len(self._options) >= MAX_PLANS:
                self._options.clear()
            choice = self._options[key] = tuned.choose(backend, self.signature.whole, requested, queue)
        return choice.options

    def check_grid(self, backend: Backend) -> None:
        """Refuse work-groups along y and z where there is no code for them."""

    def derived(self, key: Hashable, make: Callable[[], Signature]) -> Launches:
        """The launches of a function that was made of this one, by what it was made for."""
        if key not in self._derived:
            self._derived.setdefault(key, Launches(make()))
        return self._derived[key]

    def keep(self, key: Hashable, plan: LaunchPlan) -> None:
        """Keep a plan for launches of the same shape."""
        if len(self.plans) >= MAX_PLANS:
            self.plans.clear()
        self.plans[key] = plan

    def all_lowered(self) -> Iterator[tuple[str, Lowered, bool]]:
        """Each function that was lowered, with its backend, and whether tuning chose its options."""
        choices = list(self._options.values())
        of_all_sizes = [(backend, each) for (backend, _), each in list(self._lowered.items())]
        for backend, each in (*of_all_sizes, *self.variants.all_lowered()):
            yield backend, each, any(choice.is_of(backend, each.options) for choice in choices)

    def forget(self, unwanted: Collection[Lowered]) -> None:
        """Let go of lowered functions."""
        for key, lowered in list(self._lowered.items()):
            if any(lowered is each for each in unwanted):
                self._lowered.pop(key, None)
