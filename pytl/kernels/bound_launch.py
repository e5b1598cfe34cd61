"""`k[n].bind(…)`: a launch whose arguments are checked once, and which is then launched any number of times."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NoReturn

from ..backends.base import Argument, GroupArgument, ItemViews, MemrefArgument
from ..backends.rules import OF_THIS_PROCESS
from ..diagnostics import LaunchError, PytlError, call_site
from ..diagnostics.callers import add_call_site
from ..launch import plans
from ..launch.arrays.arguments import Pointers
from ..launch.arrays.groups import ArrayGroup, group
from ..launch.binding import bound_to, check_submit
from ..launch.calls import Call, in_order
from ..launch.checks import bounds_of
from ..launch.configuration import check_dependencies
from ..launch.launches import UNHELD
from ..launch.pipeline import prepared
from ..process.interrupts import SafeInterrupts
from ..process.once import once
from ..process.settings import SPECIALIZE

if TYPE_CHECKING:
    from .protocol import LaunchedKernel


class BoundLaunch:
    """A kernel with its number of work-groups and its arguments: see `Launcher.bind`.

    Call it to launch and wait, or `submit` it; both take other arguments by name, for this launch. `replace` gives a
    bound launch with other arguments. It keeps its arrays alive. What was decided when it was made stays: device,
    options, and what `pytl.tune` had found.
    """

    def __init__(self, kernel: LaunchedKernel, call: Call) -> None:
        self._kernel, self._call = kernel, call
        specialize = call.options.get("specialize") or SPECIALIZE.get()
        specialize = "always" if specialize == "auto" else specialize  # launches with these sizes will follow
        self._bound, self._executable = bound, _ = prepared(kernel.launches, call, specialize)
        assert bound.groups is not None, "the arguments were checked"
        self.groups: int = bound.groups
        bound.backend.prepare(self._executable.lowered, bound.queue)
        passed = bound.specialization.arguments
        self._held = [_held(argument, value) for argument, value in zip(bound.arguments, passed)]
        self._values = [_value(argument) for argument in bound.arguments]
        self._run = self._launch_of()

    @property
    def kernel(self) -> LaunchedKernel:
        """The kernel that is launched."""
        return self._kernel

    @property
    def arguments(self) -> Mapping[str, Any]:
        """The arguments as they were passed, by the names of the parameters."""
        return dict(zip(self._kernel.launches.signature.names, self._call.arguments))

    def __call__(self, **replaced: Any) -> None:
        """Launch and wait, with other arguments for those that are named.

        Raises `pytl.LaunchError` for a name that is not a parameter, and where a named argument does not fit.
        """
        if not replaced:
            try:
                self._run()
            except PytlError as error:
                add_call_site(error)
                raise
            return
        self._launch(replaced, (), True)

    def submit(self, *, depends: Sequence[Any] = (), **replaced: Any) -> Any:
        """Launch without waiting, as `Launcher.submit` does; returns a `dpctl.SyclEvent`."""
        if depends != ():
            check_dependencies(None, depends)
        return self._launch(replaced, depends, False)

    def replace(self, **replaced: Any) -> BoundLaunch:
        """A bound launch with other arguments for those that are named, which are checked."""
        try:
            with SafeInterrupts():
                return BoundLaunch(self._kernel, replace(self._call, arguments=self._with(replaced)))
        except PytlError as error:
            add_call_site(error)
            raise

    def __repr__(self) -> str:
        return f"<pytl.BoundLaunch {self._kernel.name}[{self.groups}]({', '.join(self.arguments)})>"

    def __reduce__(self) -> NoReturn:
        raise LaunchError.single(
            OF_THIS_PROCESS,
            f"a bound launch of {self._kernel.name} holds addresses of this process, and cannot be pickled",
            call_site(),
            "pickle kernel and arguments, and bind them where they are read",
        )

    def __copy__(self) -> NoReturn:
        raise LaunchError.single(
            OF_THIS_PROCESS,
            f"a bound launch of {self._kernel.name} holds addresses of its arguments, and is not copied",
            call_site(),
            "a launch of the same arguments: bound.replace(); of others: bound.replace(A=other)",
        )

    def __deepcopy__(self, memo: dict[int, Any]) -> NoReturn:
        self.__copy__()

    def _with(self, replaced: Mapping[str, Any]) -> list[Any]:
        """All arguments in order; refuses names that are not parameters."""
        unchanged = {name: value for name, value in self.arguments.items() if name not in replaced}
        return in_order(self._kernel.launches.signature, (), {**unchanged, **replaced})

    def _launch(self, replaced: Mapping[str, Any], depends: Sequence[Any], wait: bool) -> Any:
        bound = self._bound
        try:
            with SafeInterrupts():
                if not wait:
                    check_submit(bound.backend, bound.arguments, bound.specialization.signature.parameters)
                arguments = self._with(replaced)
                values = self._replaced_numbers(replaced)
                if values is not None and self._plan is not None:
                    event = self._plan.launch(self._held, values, self.groups, depends, wait)
                    if event is not UNHELD:
                        return event
                if replaced:
                    other = BoundLaunch(self._kernel, replace(self._call, arguments=arguments))
                    return other() if wait else other.submit(depends=depends)
                return self._executable.submit(bound.arguments, self.groups, depends, wait)
        except PytlError as error:
            add_call_site(error)
            raise

    def _replaced_numbers(self, replaced: Mapping[str, Any]) -> list[Any] | None:
        """Addresses and numbers, if numbers alone are replaced; they are checked as those of any launch."""
        values, count = list(self._values), 0
        for position, parameter in enumerate(self._bound.specialization.signature.parameters):
            if parameter.name in replaced:
                if isinstance(self._bound.arguments[position], (MemrefArgument, GroupArgument)):
                    return None
                (values[position],) = bound_to([parameter], [replaced[parameter.name]])
                count += 1
        return values if count == len(replaced) else None

    def _launch_of(self) -> Callable[[], Any]:
        plan = self._new_plan()
        if plan is not None:
            return plan.bound(self._held, self._values, self.groups)
        compiled, arguments, groups = self._executable, self._bound.arguments, self.groups
        return lambda: compiled.submit(arguments, groups)

    @once
    def _plan(self) -> plans.Plan | None:
        """The launcher for calls with other numbers, and for `submit`."""
        return self._new_plan()

    def _new_plan(self) -> plans.Plan | None:
        bound = self._bound
        empty = any(isinstance(argument, GroupArgument) and not len(argument.views) for argument in bound.arguments)
        if empty or not self._executable.is_general:
            return None
        return plans.Plan(self._executable, bound, self._values, bounds_of(bound, self._call), is_of_call=False)


def _held(argument: Argument, passed: Any) -> Any:
    """A plan's entry for an argument, and the object that keeps the argument's memory alive."""
    if isinstance(argument, MemrefArgument):
        return argument.view.array
    if not isinstance(argument, GroupArgument):
        return passed
    passed = passed.arrays if isinstance(passed, Pointers) else passed
    if argument.strided:
        return argument.views[0].array
    if isinstance(passed, ArrayGroup) or not len(argument.views):
        return passed
    if isinstance(argument.views, ItemViews):
        return group(list(argument.views.arrays))
    return group([view.array for view in argument.views])


def _value(argument: Argument) -> Any:
    if isinstance(argument, MemrefArgument):
        return argument.view.address
    if isinstance(argument, GroupArgument):
        return argument.views[0].address if len(argument.views) else 0
    return argument
