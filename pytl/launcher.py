"""`k[n]`: a kernel with its number of work-groups, which is called or submitted; and the backend that launches."""

from __future__ import annotations

import importlib.util
import warnings
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache
from typing import TYPE_CHECKING, Any

from .backends.base import UNAVAILABLE, Argument, Backend, find_backend
from .diagnostics import PytlError
from .runtime import launch, plans
from .settings import BACKEND, DEVICE

if TYPE_CHECKING:
    from .kernel import Kernel


class Launcher:
    """A kernel with its number of work-groups: call it, or `submit` it."""

    def __init__(self, kernel: Kernel, groups: int, options: Mapping[str, Any]) -> None:
        self.kernel = kernel
        self.groups = groups
        self.options = dict(options)

    def __call__(self, *arguments: Any, backend: str | None = None, **named: Any) -> None:
        """Launch and wait. Arguments stand in the order of the parameters, or are named.

        `backend` is "sycl" or "reference"; where it is left out, the one of `pytl.use`, of PYTL_BACKEND, or sycl.
        Raises `pytl.LaunchError` before anything runs if an argument does not fit; no array is changed then.
        """
        try:
            self._launch(arguments, named, backend, None, (), wait=True)
        except PytlError as error:
            launch.add_place(error)
            raise

    def submit(
        self,
        *arguments: Any,
        queue: Any = None,
        depends: Sequence[Any] = (),
        backend: str | None = None,
        **named: Any,
    ) -> Any:
        """Launch without waiting; returns a `dpctl.SyclEvent`.

        `queue` is the queue to launch on if no argument lives on one, `depends` lists events to wait for. Arrays must
        be device arrays. The arguments are kept alive until the event is complete.
        """
        launch.check_dependencies(queue, depends)
        try:
            return self._launch(arguments, named, backend, queue, depends, wait=False)
        except PytlError as error:
            launch.add_place(error)
            raise

    def _launch(
        self,
        positional: Sequence[Any],
        named: Mapping[str, Any],
        backend_name: str | None,
        queue: Any,
        depends: Sequence[Any],
        wait: bool,
    ) -> Any:
        kernel, positional, named = self._specialized(positional, named)
        backend = find_backend(backend_name or default_backend())
        given = launch.match(kernel.function, positional, named)
        key = plans.key_of(given)
        decided_by = (key, backend.name, repr(self.options), wait, queue, DEVICE.get())
        plan = kernel._plans.get(decided_by) if key is not None else None
        arguments = plan.arguments(given) if plan is not None else None
        if plan is None or arguments is None:
            plan, arguments = self._plan(kernel, backend, given, queue, wait)
            if key is not None:
                if len(kernel._plans) >= plans.MOST_PLANS:
                    kernel._plans.clear()
                kernel._plans[decided_by] = plan
        return plan.backend.launch(plan.lowered, arguments, self.groups, plan.options, plan.queue, depends, wait)

    def _plan(
        self, kernel: Kernel, backend: Backend, given: Sequence[Any], wanted: Any, wait: bool
    ) -> tuple[plans.Plan, list[Argument]]:
        """Check everything, and decide how to launch with such arguments."""
        launch.require(backend, UNAVAILABLE)
        parameters = kernel.parameters()
        arguments = launch.bind_all(kernel.function, parameters, given)
        if not wait:
            launch.check_submit(backend, arguments, parameters)
        queue = launch.choose_queue(backend, arguments, wanted)
        options = backend.complete_options(self.options, queue)
        rebinds = tuple(plans.rebind_for(p, a) for p, a in zip(parameters, arguments))
        return plans.Plan(backend, kernel._lower(backend, options), options, queue, rebinds), arguments

    def _specialized(
        self, positional: Sequence[Any], named: Mapping[str, Any]
    ) -> tuple[Kernel, Sequence[Any], Mapping[str, Any]]:
        """Split off the values of constexpr parameters that are passed in the launch."""
        open_names = [p.name for p in self.kernel._open_parameters()]
        if not open_names:
            return self.kernel, positional, named
        names = [p.name for p in self.kernel._signature() if p.name not in self.kernel._constexprs]
        values = {name: value for name, value in named.items() if name in open_names}
        values.update({name: value for name, value in zip(names, positional) if name in open_names})
        rest = [value for name, value in zip(names, positional) if name not in open_names]
        rest += list(positional[len(names) :])
        remaining = {name: value for name, value in named.items() if name not in open_names}
        return self.kernel.specialize(**values), rest, remaining


@contextmanager
def use(backend: str) -> Iterator[None]:
    """Launch on this backend inside the block where none is named: `with pytl.use("reference"):`."""
    find_backend(backend)
    with BACKEND.scope(backend):
        yield


@cache
def _platform_backend() -> str:
    if importlib.util.find_spec("numba_dpex") is not None:
        return "sycl"
    warnings.warn(
        "numba-dpex is not installed here, so kernels run on the reference backend, which is slow; "
        "`pytl devices` says what would install it",
        stacklevel=5,
    )
    return "reference"


def default_backend() -> str:
    """The backend of launches that name none."""
    return BACKEND.get() or _platform_backend()
