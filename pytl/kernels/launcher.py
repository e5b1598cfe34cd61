"""`k[n]`: a kernel with its number of work-groups, which is called or submitted; and the backend that launches."""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache
from typing import TYPE_CHECKING, Any

from ..backends.base import Backend, Grid
from ..backends.registry import find_backend
from ..devices.makers import can_launch, found_maker, wanted_maker
from ..diagnostics import PytlError
from ..launch import aliasing, dpex, launch, optional, plans, symbols, tuned
from ..launch.call_shape import CallShape
from ..launch.launchable import Launchable
from ..ops.launch_defaults import IN_PARTS, OVERLAPPING
from ..process.interrupts import Orderly
from ..process.settings import BACKEND, unparsed_settings

if TYPE_CHECKING:
    from .bound_launch import BoundLaunch

NO_EVENTS: tuple[Any, ...] = ()
"""What `depends` is where it is left out, which needs no check."""
_NO_OPTIONS: Mapping[str, Any] = {}


class Launcher:
    """A kernel with its number of work-groups: call it, or `submit` it.

    With `kernel[...]`, where `groups` is None, the arguments of a launch tell the number: as many as a group has items,
    or a mode has elements, that is indexed by `group_id()`.
    """

    def __init__(
        self,
        kernel: Launchable,
        groups: int | None,
        options: Mapping[str, Any] | None = None,
        is_settled: bool = False,
    ) -> None:
        self.kernel = kernel
        self.groups = groups
        self._is_settled = is_settled
        """Whether kernel and arguments are those of a backend already; see `Launchable._in_grid`."""
        self.options: Mapping[str, Any] = options or _NO_OPTIONS
        self._options_key = repr(options) if options else None

    def __call__(self, *arguments: Any, backend: str | None = None, **named: Any) -> None:
        """Launch and wait. Arguments are in the order of the parameters, or named.

        The work-groups begin when everything that was submitted to the queue before has ended, by whomever, and have
        ended when the call returns: threads whose kernels shall overlap need queues of their own. `backend` is "sycl"
        or "reference"; where it is left out, the one of `pytl.use`, of PYTL_BACKEND, or sycl.
        Raises `pytl.LaunchError` before anything runs if an argument does not fit; no array is changed then.
        """
        try:
            self._launch(arguments, named, backend, None, NO_EVENTS, wait=True)
        except PytlError as error:
            launch.add_place(error)
            raise

    def submit(
        self,
        *arguments: Any,
        queue: Any = None,
        depends: Sequence[Any] = NO_EVENTS,
        backend: str | None = None,
        **named: Any,
    ) -> Any:
        """Launch without waiting; returns a `dpctl.SyclEvent`.

        `queue` is the queue to launch on if no argument lives on one. `depends` lists the events, of any queue, that
        must complete before; on a queue that is not in order nothing else is waited for. Arrays must be device
        arrays. The arguments are kept alive until the event is complete. `pytl.timing(event)` says how long it ran.
        """
        if queue is not None or depends is not NO_EVENTS:
            launch.check_dependencies(queue, depends)
        try:
            return self._launch(arguments, named, backend, queue, depends, wait=False)
        except PytlError as error:
            launch.add_place(error)
            raise

    def bind(self, *arguments: Any, backend: str | None = None, **named: Any) -> BoundLaunch:
        """A launch whose arguments are checked now, and not again: call what this returns, or `submit` it.

        Arguments and `backend` are those of a call. The arrays are kept alive, and may be written between launches;
        what is changed about them otherwise, such as their flags, is not seen, and neither is what the names of the
        kernel's body are bound to later. Compiles the kernel if it has to be.
        Raises `pytl.LaunchError` where a launch does.

        >>> import numpy as np
        >>> import pytl
        >>> text = "func @f(%s: f32, %x: memref<f32x4>) { %0 = constant 0.0 : f32  axpby.n %s, %x, %0, %x }"
        >>> x = np.ones(4, np.float32)
        >>> double = pytl.compile(text)["f"][1].bind(2.0, x, backend="reference")
        >>> double()
        >>> double()
        >>> double(s=10.0)
        >>> print(x[0])
        40.0
        """
        from .bound_launch import BoundLaunch

        try:
            with Orderly():
                kernel, positional, rest = self._specialized(arguments, named)
                wanted = find_backend(backend or _backend_of(kernel))
                kernel, given, groups = self._matched(kernel, positional, rest, wanted)
                return BoundLaunch(kernel, groups, self.options, given, wanted)
        except PytlError as error:
            launch.add_place(error)
            raise

    def dpex(self, *arguments: Any, **named: Any) -> Any:
        """What `numba_dpex.call_kernel` takes for this launch: see `Kernel.dpex`."""
        try:
            with Orderly():
                kernel, positional, rest = self._specialized(arguments, named, may_be_none=True)
                groups = self.groups
                if kernel._asks():
                    kernel, positional = optional.without(kernel, launch.match(kernel.function, positional, rest))
                    rest = {}
                if self._has_grid(kernel):
                    dpex.refuse_grid_without_arguments(positional, rest)
                    kernel, positional, groups = kernel._in_grid(positional, rest, groups, find_backend("sycl"))
                    rest = {}
                return dpex.prepare(kernel, groups, self.options, positional, rest)
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
        given = positional
        if named or self.kernel._takes_apart():
            kernel, positional, named = self._specialized(positional, named)
        else:
            kernel = self.kernel.current()
        if named or given is not positional:
            given = positional if kernel._is_settled is not True else launch.match(kernel.function, positional, named)
        if not self._is_settled and (kernel._is_settled is not True or type(self.groups) is Grid):
            known = None if named else self._in_known_grid(kernel, positional, backend_name)
            if known is not None:
                launcher, given = known
            else:
                with Orderly():
                    if backend_name is not None:
                        find_backend(backend_name)  # says that there is none, whatever it is
                    launcher, given = self._settled(kernel, positional, named, backend_name)
            if launcher is not self:
                return launcher._launch(given, {}, backend_name, queue, depends, wait)
        if backend_name is not None:
            find_backend(backend_name)
        key = None
        read = plans.key_of(given)
        if read is not None:
            described, values = read
            key = (described, backend_name, queue, wait, self._options_key, unparsed_settings(), tuned.generation)
            plan = kernel._plans.get(key)
            if plan is not None:
                groups = plan.told_groups if self.groups is None else self.groups
                if groups is not None and groups <= plan.most_groups:
                    launched, event = plan.launch(given, values, groups, depends, wait)
                    if launched:
                        return event
        with Orderly():
            return self._launch_anew(kernel, given, backend_name, queue, depends, wait, key, read)

    def _settled(
        self, kernel: Launchable, positional: Sequence[Any], named: Mapping[str, Any], backend_name: str | None
    ) -> tuple[Launcher, Sequence[Any]]:
        """The launcher of what a backend launches with its arguments; this one, where these are the kernel's own."""
        kernel._is_settled = not (kernel._asks() or kernel._has_places())
        if kernel._is_settled and type(self.groups) is not Grid:
            return self, launch.match(kernel.function, positional, named) if named else positional
        backend = find_backend(backend_name or _backend_of(kernel))
        launched, given, groups = self._matched(kernel, positional, named, backend)
        if launched is kernel._flat_kernel:
            kernel._flat_with.add((backend_name, unparsed_settings()))
        return Launcher(launched, groups, self.options, is_settled=True), given

    def _in_known_grid(
        self, kernel: Launchable, positional: Sequence[Any], backend_name: str | None
    ) -> tuple[Launcher, Sequence[Any]] | None:
        """The launcher of a kernel along x, y and z that was launched so before, for which nothing is to be found out.

        None where something is.
        """
        grid, flat = self.groups, kernel._flat_kernel
        if type(grid) is not Grid or flat is None or len(positional) + 2 != len(flat.function.parameters):
            return None
        if (backend_name, unparsed_settings()) not in kernel._flat_with:
            return None
        return Launcher(flat, int(grid), self.options, is_settled=True), [*positional, *grid.shape[:2]]

    def _has_grid(self, kernel: Launchable) -> bool:
        """Whether the launch has work-groups along y or z, or a kernel that asks for them."""
        return type(self.groups) is Grid or kernel._has_places()

    def _matched(
        self, kernel: Launchable, positional: Sequence[Any], named: Mapping[str, Any], backend: Backend
    ) -> tuple[Launchable, list[Any], int | None]:
        """The kernel that a backend launches, its arguments in order, and the number of work-groups."""
        if kernel._asks():
            kernel, positional = optional.without(kernel, launch.match(kernel.function, positional, named))
            named = {}
        if self._has_grid(kernel):
            return kernel._in_grid(positional, named, self.groups, backend)
        return kernel, launch.match(kernel.function, positional, named), self.groups

    def _launch_anew(
        self,
        kernel: Launchable,
        given: Sequence[Any],
        backend_name: str | None,
        queue: Any,
        depends: Sequence[Any],
        wait: bool,
        key: Any,
        read: Any,
    ) -> Any:
        """The whole way of a launch: check everything, and decide how to launch. Plans are kept by `key`, if any."""
        given = launch.match(kernel.function, given, {})
        backend = find_backend(backend_name or _backend_of(kernel))
        arguments, queue, groups, options = kernel._bind(given, self.groups, self.options, backend, queue, wait)
        most_groups = backend.most_groups(kernel.function)
        if groups > most_groups:
            options[IN_PARTS], key = True, None
        if aliasing.overlap(kernel._of_matrices(), arguments):
            options[OVERLAPPING], key = True, None
        wish = self.options.get("specialize")
        generic = kernel._lower(backend, options)
        lowered, is_settled = kernel._specializations.choose(backend, generic, arguments, queue, wish)
        event = backend.launch(lowered, arguments, groups, options, queue, depends, wait)
        if key is not None and is_settled and plans.has_plan(read[0], arguments):
            reaches = kernel._reaches(arguments)
            parameters = kernel.parameters()
            bounds = kernel._launch_bounds(backend.checks_accesses(options))
            most = min(most_groups, groups) if bounds.is_limit else most_groups
            plan = plans.Plan(backend, lowered, options, queue, parameters, arguments, read[1], most, reaches, bounds)
            if self.groups is None and not bounds.is_by_value:
                plan.told_groups = groups
            if len(kernel._plans) >= plans.MOST_PLANS:
                kernel._plans.clear()
            kernel._plans[key] = plan
        return event

    def _specialized(
        self, positional: Sequence[Any], named: Mapping[str, Any], may_be_none: bool = False
    ) -> tuple[Launchable, Sequence[Any], Mapping[str, Any]]:
        """Split off the values of constexpr parameters that are passed in the launch; fill in defaults.

        Where there `may_be_none`, no arguments at all are no mistake.
        """
        open_names = [p.name for p in self.kernel._open_parameters()]
        shape = self.kernel._call_shape()
        if shape is not None and (positional or named or not may_be_none):
            return self._in_shape(shape, shape.bind(positional, named))
        if not open_names:
            return self.kernel.current(), positional, named
        names = [p.name for p in self.kernel._signature() if p.name not in self.kernel._constexprs]
        values = {name: value for name, value in named.items() if name in open_names}
        values.update({name: value for name, value in zip(names, positional) if name in open_names})
        rest = [value for name, value in zip(names, positional) if name not in open_names]
        rest += list(positional[len(names) :])
        remaining = {name: value for name, value in named.items() if name not in open_names}
        left = [name for name in open_names if name not in values]
        if left:
            arrays = dict(zip((name for name in names if name not in open_names), rest), **remaining)
            values |= symbols.inferred(self.kernel._named_sizes(), arrays, left)
        return self.kernel.specialize(**values).current(), rest, remaining

    def _in_shape(self, shape: CallShape, given: dict[str, Any]) -> tuple[Launchable, Sequence[Any], Mapping[str, Any]]:
        """The kernel and its arguments in order, of a launch with arguments by name."""
        kernel = self.kernel
        open_names = [p.name for p in kernel._open_parameters()]
        values = {name: given.pop(name) for name in open_names if name in given and name != shape.star}
        left = [name for name in open_names if name not in values and name != shape.star]
        if left:
            values |= symbols.inferred(kernel._named_sizes(), given, left)
        if shape.star in open_names:
            values[shape.star] = len(given[shape.star])
        kernel = kernel.specialize(**values) if open_names else kernel
        return kernel.current(), shape.in_order(given), {}


@contextmanager
def use(backend: str) -> Iterator[None]:
    """Launch on this backend inside the block where none is named: `with pytl.use("reference"):`."""
    find_backend(backend)
    with BACKEND.scope(backend):
        yield


@cache
def _platform_backend() -> str:
    if can_launch():
        return "sycl"
    first, *_ = [*(found_maker() or wanted_maker()).missing(), "dpctl"]
    warnings.warn(
        f"{first} is not installed here, so kernels run on the reference backend, which is slow; "
        "`pytl devices` says what would install it",
        stacklevel=5,
    )
    return "reference"


def _backend_of(kernel: Launchable) -> str:
    """The backend of a launch that names none."""
    return BACKEND.get() or kernel.preferred_backend or _platform_backend()


def default_backend() -> str:
    """The backend of launches that name none."""
    return BACKEND.get() or _platform_backend()
