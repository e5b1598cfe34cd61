"""What launches of one function have made: kept so that it is not made again."""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterator, Mapping, Sequence
from typing import Any, Protocol

from ..backends.base import Backend, Grid, Lowered
from ..process.records import dataclass
from ..process.settings import CHECKS, unparsed_settings
from . import tuned
from .lowering import lowered_by
from .shapes import Reader, reader_of, reads_nothing
from .signature import Signature
from .variants import SizeVariants

MAX_PLANS = 256
"""The largest number of plans of a function; launches with ever new shapes don't use ever more memory."""


UNHELD: Any = object()
"""What stands for the event of a launch that its plan is not for: a guard does not hold."""


class LaunchPlan(Protocol):
    """What is kept of a launch for further ones: `plans.Plan`."""

    key: Any
    again: tuple[int | None, Callable[[Sequence[Any]], bool]] | None

    def launch(
        self, arguments: Sequence[Any], values: list[Any], groups: int | None, depends: Sequence[Any], wait: bool
    ) -> Any: ...


@dataclass(frozen=True)
class Unplanned:
    """A launch that there is no plan for. What it will come to is kept by its key, where it has one."""

    key: Any = None
    values: Sequence[Any] = ()
    """The address or number of each argument."""


_NO_SHAPE = Unplanned()


class Launches:
    """Lowered functions, options, plans, and the functions that were made of one function. Safe for several threads."""

    preferred_backend: str | None = None
    """The backend of launches where neither they nor a setting name one; None for the platform's."""

    def __init__(self, signature: Signature) -> None:
        self.signature = signature
        self.plans: dict[Hashable, LaunchPlan] = {}
        self._latest: LaunchPlan | None = None
        self._read: Reader = reads_nothing
        """What reads arguments of the types of the latest launch."""
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

    def again(
        self,
        arguments: Sequence[Any],
        groups: int | None,
        options_key: str | None,
        backend_name: str | None,
        queue: Any,
        depends: Sequence[Any],
        wait: bool,
    ) -> Any:
        """Launch by a plan. Returns the event, None where the launch waited, and `Unplanned` where there is no plan.

        `options_key` tells options apart; None where there are none.
        """
        if not (backend_name is None or type(backend_name) is str):
            return _NO_SHAPE
        # the settings as the environment has them: what they mean is looked up for a new plan
        settings = unparsed_settings()
        beside = (backend_name, wait, options_key, type(groups) is Grid, settings, tuned.generation, queue)
        plan = self._latest
        if plan is not None and plan.again is not None and plan.key[1] == beside and not depends:
            of_groups, launch_again = plan.again
            if of_groups is groups and launch_again(arguments):
                return None
        read = self._read(arguments)
        if read is None:
            reader = reader_of(arguments)
            if reader is None:
                return _NO_SHAPE
            self._read = reader
            read = reader(arguments)
        if read is None:
            return _NO_SHAPE
        shape, values = read
        key = (shape, beside)
        if plan is None or plan.key != key:
            plan = self.plans.get(key)
            if plan is None:
                return Unplanned(key, values)
            self._latest = plan
        event = plan.launch(arguments, values, groups, depends, wait)
        return Unplanned(key, values) if event is UNHELD else event

    def keep(self, key: Hashable, plan: LaunchPlan) -> None:
        """Keep a plan for launches of the same shape."""
        if len(self.plans) >= MAX_PLANS:
            self.forget_plans()
        plan.key = key
        self.plans[key] = self._latest = plan

    def forget_plans(self) -> None:
        """Let further launches go all steps."""
        self._latest = None
        self.plans.clear()

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
