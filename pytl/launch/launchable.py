"""What launches know and keep of a kernel: its parameters, what was compiled of it, and their plans."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from .. import launch

if TYPE_CHECKING:
    from ..backends.base import Argument, Backend, Lowered
    from ..frontends.python import Parameter as PythonParameter
    from ..ir.values import Function, Module
    from . import aliasing, bounds, plans, tuned
    from .arrays.parameters import Parameter
    from .call_shape import CallShape
    from .specialization import Specializations
    from .symbols import SizeUse


class Launchable:
    """The base of `pytl.Kernel`, which says what is launched."""

    preferred_backend: str | None = None
    """The backend of launches where neither they nor a setting name one; None for the platform's."""

    def __init__(self) -> None:
        self._lowered: dict[Any, Lowered] = {}
        self._parameters: list[Parameter] | None = None
        self._whole: Function | None = None
        self._kept_apart: list[aliasing.Pair | aliasing.Asserted] | None = None
        self._matrices: list[aliasing.Parameters] | None = None
        self._limits: dict[bool, bounds.Bounds] = {}
        self._plans: dict[Any, plans.Plan] = {}
        self._choices: dict[Any, tuned.Choice] = {}
        self._constexprs: dict[str, Any] = {}
        self._places: bool | None = None
        self._flat_kernel: Any = None
        self._flat_with: set[tuple[Any, ...]] = set()
        """The backends that were named, and the settings, with which launches along x, y and z have been the flat
        kernel's."""
        self._is_asking: bool | None = None
        self._is_taken_apart: bool | None = None
        self._is_settled: bool | None = None
        """Whether launches along x take the kernel and its arguments as they are; None before the first launch."""
        self._optional: frozenset[int] = frozenset()
        self._known: dict[tuple[int, ...], Any] = {}

    # What a kernel says.

    @property
    def name(self) -> str:
        raise NotImplementedError

    @property
    def function(self) -> Function:
        raise NotImplementedError

    @property
    def whole(self) -> Function:
        """The function with what it calls in the places of the calls: what launches look at."""
        from ..passes.inline_calls import inlined

        if self._whole is None:
            self._whole = inlined(self.function)
        return self._whole

    def specialize(self, **values: Any) -> Launchable:
        raise NotImplementedError

    def current(self) -> Launchable:
        """What is launched now, which does not change."""
        raise NotImplementedError

    def _signature(self) -> list[PythonParameter]:
        raise NotImplementedError

    def _open_parameters(self) -> list[PythonParameter]:
        raise NotImplementedError

    def _call_shape(self) -> CallShape | None:
        """How launches pass arguments, where that is more than an order of names; None for all other kernels."""
        raise NotImplementedError

    def _takes_apart(self) -> bool:
        """Whether arguments are looked at before they are those of the function, in order."""
        if self._is_taken_apart is None:
            self._is_taken_apart = bool(self._open_parameters()) or self._call_shape() is not None
        return self._is_taken_apart

    def _named_sizes(self) -> Sequence[SizeUse]:
        raise NotImplementedError

    def _derived(self, module: Module, sizes: Sequence[SizeUse]) -> Launchable:
        """A kernel that is made of this one, with its named sizes."""
        raise NotImplementedError

    # What follows.

    def parameters(self) -> list[Parameter]:
        """What a launch knows of the parameters."""
        if self._parameters is None:
            self._parameters = launch.launch.parameters_of(self.whole)
        return self._parameters

    def _apart(self) -> list[aliasing.Pair | aliasing.Asserted]:
        """The parameters that overlapping arrays may not be passed for."""
        if self._kept_apart is None:
            self._kept_apart = launch.aliasing.pairs_of(self.whole)
        return self._kept_apart

    def _of_matrices(self) -> list[aliasing.Parameters]:
        """The parameters for which overlapping arrays may be passed, and take code of their own."""
        if self._matrices is None:
            self._matrices = launch.aliasing.of_matrices(self.whole)
        return self._matrices

    def _reaches(self, arguments: Sequence[Argument]) -> tuple[aliasing.Reach, ...]:
        """The memory that launches of a plan must find apart."""
        apart = launch.aliasing.reaches(self._apart(), arguments)
        return (*apart, *launch.aliasing.whole_reaches(self._of_matrices(), arguments))

    def _flat(self) -> Any:
        """The kernel whose work-groups are numbered in one dimension, and which is told the grid."""
        if self._flat_kernel is None:
            self._flat_kernel = self._derived(launch.grids.flat_module(self.function), self._named_sizes())
        return self._flat_kernel

    def _knowing(self, absent: tuple[int, ...]) -> Any:
        """The kernel that knows which parameters are passed."""
        if absent not in self._known:
            sizes = launch.optional.sizes_without(self._named_sizes(), absent)
            self._known[absent] = self._derived(launch.optional.module_without(self.function, absent), sizes)
        return self._known[absent]

    def _asks(self) -> bool:
        """Whether launches may pass None for parameters, or the kernel asks for what is always there."""
        if self._is_asking is None:
            self._optional = launch.optional.optional_parameters(self.whole)
            self._is_asking = launch.optional.asks(self.whole)
        return self._is_asking

    def _has_places(self) -> bool:
        """Whether launches have to say the numbers of work-groups along x and y."""
        if self._places is None:
            self._places = launch.grids.is_told(self.whole)
        return self._places

    def _in_grid(
        self, positional: Sequence[Any], named: Mapping[str, Any], groups: int | None, backend: Backend
    ) -> tuple[Launchable, list[Any], int]:
        """A launch along x, y and z as a backend makes it: the kernel, its arguments, the number of work-groups."""
        return launch.grids.in_grid(self, positional, named, groups, backend)

    def _launch_bounds(self, is_checked: bool = False) -> bounds.Bounds:
        """What indices and sizes of a launch have to keep to, whose execution may look at each access."""
        limits = self._limits.get(is_checked)
        if limits is None:
            limits = self._limits[is_checked] = launch.bounds.Bounds(self.whole, is_checked)
        return limits

    @property
    def _specializations(self) -> Specializations:
        """What was compiled for certain sizes. Made at the first use: of several threads, all get the same."""
        made = vars(self).get("_of_sizes")
        return made if made is not None else vars(self).setdefault("_of_sizes", self._make_specializations())

    def _make_specializations(self) -> Specializations:
        return launch.specialization.Specializations()

    def _lower(self, backend: Any, options: Mapping[str, Any]) -> Lowered:
        key = (backend.name, tuple(sorted(options.items())))
        if key not in self._lowered:
            # another thread may have been first: a function is compiled once
            self._lowered.setdefault(key, launch.specialization.lowered_by(backend, options, self.function))
        return self._lowered[key]

    def _choose(self, backend: Backend, given: Mapping[str, Any], queue: Any) -> dict[str, Any]:
        """The complete options of a launch: those that are given, what `pytl.tune` found, and defaults."""
        from ..process.settings import CHECKS

        key = (backend.name, queue, repr(given), launch.tuned.generation, CHECKS.get())
        choice = self._choices.get(key)
        if choice is None:
            if len(self._choices) >= launch.plans.MOST_PLANS:
                self._choices.clear()
            choice = self._choices[key] = launch.tuned.choose(backend, self.whole, given, queue)
        return dict(choice.options)

    def _bind(
        self,
        given: Sequence[Any],
        groups: int | None,
        options: Mapping[str, Any],
        backend: Backend,
        queue: Any,
        wait: bool,
    ) -> tuple[list[Argument], Any, int, dict[str, Any]]:
        """Check everything that is passed in a launch.

        Returns what the arguments are bound to, the queue to launch on, the number of work-groups, and the complete
        options.
        """
        from ..backends.base import UNAVAILABLE, grid_of

        steps, symbols = launch.launch, launch.symbols
        steps.require(backend, UNAVAILABLE)
        backend.check_options(options)
        parameters = self.parameters()
        arguments = steps.bind_all(self.function, parameters, given)
        if not wait:
            steps.check_submit(backend, arguments, parameters)
        queue = steps.choose_queue(backend, arguments, options, queue)
        launch.aliasing.check_apart(self._apart(), arguments, parameters)
        symbols.check(self._named_sizes(), arguments, steps.call_site)
        chosen = self._choose(backend, options, queue)
        limits = self._launch_bounds(backend.checks_accesses(chosen))
        if groups is None:
            groups = limits.groups_for(arguments, steps.call_site)
        limits.check(arguments, grid_of(groups).shape[0], steps.call_site)
        return arguments, queue, groups, chosen
