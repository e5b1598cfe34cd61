"""`k[n].bind(…)`: a launch whose arguments are checked once, and which is then launched any number of times."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from typing import Any, NoReturn

from ..backends.base import Argument, Backend, GroupArgument, ItemViews, MemrefArgument
from ..diagnostics import LaunchError, PytlError
from ..launch import aliasing, launch, plans
from ..launch.arrays.arguments import Pointers
from ..launch.arrays.groups import ArrayGroup, group
from ..launch.grids import grid_parameters
from ..launch.launchable import Launchable
from ..ops.launch_defaults import IN_PARTS, OVERLAPPING
from ..process.interrupts import Orderly
from ..process.settings import SPECIALIZE


class BoundLaunch:
    """A kernel with its number of work-groups and its arguments: see `Launcher.bind`.

    Call it to launch and wait, or `submit` it; both take other arguments by name, for this launch. `replace` gives a
    bound launch with other arguments. It keeps its arrays alive. What was decided when it was made stays: device,
    options, and what `pytl.tune` had found.
    """

    def __init__(
        self,
        kernel: Launchable,
        groups: int | None,
        options: Mapping[str, Any],
        given: Sequence[Any],
        backend: Backend,
    ) -> None:
        self._kernel, self._backend = kernel, backend
        self._wanted = (groups, options)
        self._given = tuple(given)
        self._parameters = kernel.parameters()
        bound = kernel._bind(given, groups, options, backend, None, True)
        self._arguments, self._queue, self.groups, self._options = bound
        self._most = backend.most_groups(kernel.function)
        if self.groups > self._most:
            self._options[IN_PARTS] = True
        if aliasing.overlap(kernel._of_matrices(), self._arguments):
            self._options[OVERLAPPING] = True
        wish = options.get("specialize") or SPECIALIZE.get()
        wish = "always" if wish == "auto" else wish  # launches with these sizes will follow
        generic = kernel._lower(backend, self._options)
        self._lowered, _ = kernel._specializations.choose(backend, generic, self._arguments, self._queue, wish)
        backend.prepare(self._lowered, self._queue)
        self._held = [_held(argument, value) for argument, value in zip(self._arguments, self._given)]
        self._values = [_value(argument) for argument in self._arguments]
        self._run = self._launch_of()

    @property
    def kernel(self) -> Launchable:
        """The kernel that is launched."""
        return self._kernel

    @property
    def arguments(self) -> Mapping[str, Any]:
        """The arguments as they were passed, by the names of the parameters."""
        given = {parameter.name: value for parameter, value in zip(self._parameters, self._given)}
        return {name: given[name] for name in given if name not in grid_parameters(self._kernel.function)}

    def __call__(self, **replaced: Any) -> None:
        """Launch and wait, with other arguments for those that are named.

        Raises `pytl.LaunchError` for a name that is not a parameter, and where a named argument does not fit.
        """
        if not replaced:
            try:
                self._run()
            except PytlError as error:
                launch.add_place(error)
                raise
            return
        self._launch(replaced, (), True)

    def submit(self, *, depends: Sequence[Any] = (), **replaced: Any) -> Any:
        """Launch without waiting, as `Launcher.submit` does; returns a `dpctl.SyclEvent`."""
        if depends != ():
            launch.check_dependencies(None, depends)
        return self._launch(replaced, depends, False)

    def replace(self, **replaced: Any) -> BoundLaunch:
        """A bound launch with other arguments for those that are named, which are checked."""
        try:
            with Orderly():
                given = self._with(replaced)
                return BoundLaunch(self._kernel, *self._wanted, given, self._backend)
        except PytlError as error:
            launch.add_place(error)
            raise

    def __repr__(self) -> str:
        return f"<pytl.BoundLaunch {self._kernel.name}[{self.groups}]({', '.join(self.arguments)})>"

    def __reduce__(self) -> NoReturn:
        raise LaunchError.single(
            launch.rules.OF_THIS_PROCESS,
            f"a bound launch of {self._kernel.name} holds addresses of this process, and cannot be pickled",
            launch.call_site(),
            "pickle kernel and arguments, and bind them where they are read",
        )

    def _with(self, replaced: Mapping[str, Any]) -> list[Any]:
        """All arguments in order; refuses names that are not parameters."""
        names = [parameter.name for parameter in self._parameters]
        kept = {name: value for name, value in zip(names, self._given) if name not in replaced}
        return launch.match(self._kernel.function, (), {**kept, **replaced})

    def _launch(self, replaced: Mapping[str, Any], depends: Sequence[Any], wait: bool) -> Any:
        try:
            with Orderly():
                if not wait:
                    launch.check_submit(self._backend, self._arguments, self._parameters)
                values = self._replaced_numbers(self._with(replaced), replaced)
                if values is not None and self._plan is not None:
                    launched, event = self._plan.launch(self._held, values, self.groups, depends, wait)
                    if launched:
                        return event
                if replaced:
                    return self.replace(**replaced)._launch({}, depends, wait)
                arguments, queue = self._arguments, self._queue
                return self._backend.launch(self._lowered, arguments, self.groups, self._options, queue, depends, wait)
        except PytlError as error:
            launch.add_place(error)
            raise

    def _replaced_numbers(self, given: Sequence[Any], replaced: Mapping[str, Any]) -> list[Any] | None:
        """Addresses and numbers, if numbers alone are replaced; they are checked as those of any launch."""
        values = list(self._values)
        for position, parameter in enumerate(self._parameters):
            if parameter.name in replaced:
                if isinstance(self._arguments[position], (MemrefArgument, GroupArgument)):
                    return None
                (values[position],) = launch.bind_all_of([parameter], [given[position]])
        return values

    def _launch_of(self) -> Callable[[], Any]:
        plan = self._new_plan()
        if plan is not None:
            return plan.bound(self._held, self._values, self.groups)
        launch_, lowered, options = self._backend.launch, self._lowered, self._options
        return lambda: launch_(lowered, self._arguments, self.groups, options, self._queue)

    @cached_property
    def _plan(self) -> plans.Plan | None:
        """The launcher for calls with other numbers, and for `submit`."""
        return self._new_plan()

    def _new_plan(self) -> plans.Plan | None:
        empty = any(isinstance(argument, GroupArgument) and not len(argument.views) for argument in self._arguments)
        if empty or IN_PARTS in self._options or OVERLAPPING in self._options:
            return None
        kernel = self._kernel
        reaches = kernel._reaches(self._arguments)
        bounds = kernel._launch_bounds(self._backend.checks_accesses(self._options))
        return plans.Plan(
            self._backend,
            self._lowered,
            self._options,
            self._queue,
            self._parameters,
            self._arguments,
            self._values,
            self._most,
            reaches,
            bounds,
        )


def _held(argument: Argument, given: Any) -> Any:
    """A plan's entry for an argument, and the object that keeps the argument's memory alive."""
    if isinstance(argument, MemrefArgument):
        return argument.view.array
    if not isinstance(argument, GroupArgument):
        return given
    given = given.arrays if isinstance(given, Pointers) else given
    if argument.strided:
        return argument.views[0].array
    if isinstance(given, ArrayGroup) or not len(argument.views):
        return given
    if isinstance(argument.views, ItemViews):
        return group(list(argument.views.arrays))
    return group([view.array for view in argument.views])


def _value(argument: Argument) -> Any:
    if isinstance(argument, MemrefArgument):
        return argument.view.address
    if isinstance(argument, GroupArgument):
        return argument.views[0].address if len(argument.views) else 0
    return argument
