"""`k[n]`: a kernel with its number of work-groups, which is called, submitted or bound."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from ..diagnostics import PytlError
from ..diagnostics.callers import add_call_site
from ..launch import dpex, pipeline
from ..launch.calls import in_order, match
from ..launch.configuration import check_dependencies
from ..launch.launches import Unplanned
from ..launch.platform import backend_of
from ..process.interrupts import SafeInterrupts

if TYPE_CHECKING:
    from .bound_launch import BoundLaunch
    from .protocol import LaunchedKernel

NO_EVENTS: tuple[Any, ...] = ()
"""What `depends` is where it is left out, which needs no check."""
_NO_OPTIONS: Mapping[str, Any] = {}


class Launcher:
    """A kernel with its number of work-groups: call it, or `submit` it.

    With `kernel[...]`, where `groups` is None, the arguments of a launch tell the number: as many as a group has items,
    or a mode has elements, that is indexed by `group_id()`.
    """

    def __init__(self, kernel: LaunchedKernel, groups: int | None, options: Mapping[str, Any] | None = None) -> None:
        self.kernel = kernel
        self.groups = groups
        self.options: Mapping[str, Any] = options or _NO_OPTIONS
        self._options_key = repr(options) if options else None

    def __repr__(self) -> str:
        return f"<pytl.Launcher {self.kernel.name}[{'...' if self.groups is None else self.groups}]>"

    def __call__(self, *arguments: Any, backend: str | None = None, **named: Any) -> None:
        """Launch and wait. Arguments are in the order of the parameters, or named.

        The work-groups begin when everything that was submitted to the queue before has ended, by whomever, and have
        ended when the call returns: threads whose kernels shall overlap need queues of their own. `backend` is "sycl"
        or "reference"; where it is left out, the one of `pytl.use`, of PYTL_BACKEND, or sycl.
        Raises `pytl.LaunchError` before anything runs if an argument does not fit; no array is changed then.
        """
        try:
            self._launch(arguments, named, backend, None, NO_EVENTS, True)
        except PytlError as error:
            add_call_site(error)
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
            check_dependencies(queue, depends)
        try:
            return self._launch(arguments, named, backend, queue, depends, False)
        except PytlError as error:
            add_call_site(error)
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
            with SafeInterrupts():
                kernel, positional, rest = self.kernel.called_with(arguments, named)
                launches = kernel.launches
                chosen = backend_of(backend, launches.preferred_backend)
                call = match(launches.signature, positional, rest, self.groups, self.options, chosen)
                return BoundLaunch(kernel, call)
        except PytlError as error:
            add_call_site(error)
            raise

    def dpex(self, *arguments: Any, **named: Any) -> Any:
        """What `numba_dpex.call_kernel` takes for this launch: see `Kernel.dpex`."""
        try:
            with SafeInterrupts():
                kernel, positional, rest = self.kernel.called_with(arguments, named, may_be_none=True)
                return dpex.prepare(kernel.launches, positional, rest, self.groups, self.options)
        except PytlError as error:
            add_call_site(error)
            raise

    def _launch(
        self,
        positional: Sequence[Any],
        named: Mapping[str, Any],
        backend: str | None,
        queue: Any,
        depends: Sequence[Any],
        wait: bool,
    ) -> Any:
        kernel = self.kernel
        if kernel.is_called_plainly:
            kernel = kernel.current()
            if kernel.constants is not None:
                named = {**named, **kernel.constants.beside((*positional, *named.values()))}
        else:
            kernel, positional, named = kernel.called_with(positional, named)
        launches, groups = kernel.launches, self.groups
        if named:
            positional = in_order(launches.signature, positional, named)
        event = launches.again(positional, groups, self._options_key, backend, queue, depends, wait)
        if type(event) is Unplanned:
            options = self.options
            return pipeline.launch(launches, positional, groups, options, backend, queue, depends, wait, event)
        return event
