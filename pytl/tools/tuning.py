"""`pytl.tune`: tries the options that a backend offers for a kernel on the user's own arguments, and keeps the best."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from ..backends import rules
from ..backends.base import Lowered
from ..diagnostics import LaunchError, PlatformError, PytlError, Rule, call_site, warn
from ..diagnostics.callers import add_call_site
from ..kernels.kernel import Kernel
from ..kernels.launcher import Launcher
from ..launch import plans, tuned
from ..launch.arrays.parameters import what
from ..launch.binding import BoundArguments
from ..launch.calls import Call, match
from ..launch.checks import bounds_of
from ..launch.choice import completed
from ..launch.configuration import check_dependencies
from ..launch.executables import Executable
from ..launch.launches import UNHELD
from ..launch.pipeline import checked_arguments
from ..launch.platform import backend_of
from ..launch.shapes import reader_of
from ..ops.launch_defaults import IN_PARTS, OVERLAPPING
from ..process.interrupts import SafeInterrupts, interrupts_deferred
from .progress import Progress
from .snapshot import Snapshot
from .tuning_result import Trial, TuningResult, duration, named

if TYPE_CHECKING:
    from .search import Candidate, Options, Search

NOTHING_TO_CHOOSE = Rule(
    "PYTL-3050", "a backend has options to choose between for a kernel that is tuned", "Compilation cache"
)
DIFFERENT = Rule(
    "PYTL-3051",
    "a kernel computes the same with all options, but for rounding",
    "Compilation cache",
    "warning",
    explanation="pytl.tune compares what each choice of options leaves in the arrays with what the default leaves. If "
    "they differ, that is a bug of pytl, or the kernel has a race: the reference backend finds those. A choice that "
    "differs is never used.",
)
MEMORY = Rule("PYTL-2051", "tuning has memory for two copies of the arrays that the kernel writes", "Launching")
TILE = "tile"
_clock: Callable[[], float] = time.perf_counter


def tune(
    k: Kernel | Launcher,
    arguments: Sequence[Any] | Mapping[str, Any],
    *,
    groups: int | None = None,
    budget: float = 10.0,
    backend: str | None = None,
    queue: Any = None,
    progress: bool = True,
    print_table: bool = True,
) -> TuningResult:
    """Try the options that a backend has for a kernel on these arguments, and let later launches use the best ones.

    Parameters: `k` is a kernel with its number of work-groups, `k[n]` or `k[n, options]`, or a kernel beside
    `groups=n`. `arguments` are those of a launch, as a tuple, or a dict by name. `budget` is in seconds, with what is
    built; the default options are measured in any case. `backend` and `queue` are as for a launch. `progress` shows
    a bar on standard error where that is a terminal, and plain lines where it is not; `print_table` prints the result.

    Options that `k[n, options]` gives are not tuned. Arrays hold afterwards what they held before, also where tuning
    is interrupted or fails. Choices whose results differ from the default's, beyond rounding, are told by a warning
    (PYTL-3051) and never win. What won is used by later launches of a kernel with the same text on the same device,
    in this process and, by the compilation cache, in others; an option that a launch gives comes first.

    Returns a `pytl.TuningResult`. Raises `pytl.LaunchError` where a launch does, for a number of work-groups, a
    budget or arguments that are none (PYTL-2050), and where there is no memory for two copies of what the kernel
    writes (PYTL-2051); `pytl.PlatformError` where the backend has nothing to choose (PYTL-3050). Manual: Execution
    model.

    >>> import numpy as np, pytl
    >>> scale = pytl.compile("func @f(%x: memref<f32x4>) { %0 = constant 2.0 : f32  axpby.n %0, %x, %0, %x }")["f"]
    >>> try:
    ...     pytl.tune(scale[1], (np.ones(4, np.float32),), backend="reference")
    ... except pytl.PlatformError as error:
    ...     print(error.diagnostics[0].message)
    the backend reference has nothing to choose for @f

        result = pytl.tune(scale[1], (x,), budget=5.0)
        scale[1](x)  # with result.options
    """
    try:
        launcher = _launcher(k, groups)
        positional, named = _arguments(arguments)
        if not isinstance(budget, (int, float)) or isinstance(budget, bool) or not 0 < budget < math.inf:
            raise _refused(f"the budget is {budget!r}", "pass seconds, such as budget=10.0")
        if queue is not None:
            check_dependencies(queue, ())
        kernel, positional, named = launcher.kernel.called_with(positional, named)
        launches = kernel.launches
        chosen = backend_of(backend, launches.preferred_backend)
        call = match(launches.signature, positional, named, launcher.groups, launcher.options, chosen, queue)
        bound = checked_arguments(launches, call)
        _refuse_no_groups(bound.groups)
        with SafeInterrupts():
            result = _Stage(bound, call).run(float(budget), progress)
    except PytlError as error:
        add_call_site(error)
        raise
    if print_table:
        print(result)
    return result


def _refused(message: str, help: str) -> PytlError:
    return LaunchError.single(rules.TUNE, message, call_site(), help)


def _launcher(k: Any, groups: Any) -> Launcher:
    if isinstance(k, Launcher):
        if groups is not None:
            raise _refused("groups= is passed in addition to k[n]", "leave it out")
        launcher = k
    elif isinstance(k, Kernel):
        if groups is None:
            raise _refused(f"{k.name} is to be tuned without a number of work-groups", f"pass {k.name}[n]")
        launcher = k[groups]
    else:
        raise _refused(f"tune is passed {what(k)}", "pass kernel[n], or a kernel with groups=n")
    _refuse_no_groups(launcher.groups)
    return launcher


def _refuse_no_groups(count: int | None) -> None:
    if count == 0:
        raise _refused("there are 0 work-groups", "pass as many as later launches have")


def _arguments(arguments: Any) -> tuple[Sequence[Any], Mapping[str, Any]]:
    """The arguments in order, and by name."""
    if isinstance(arguments, Mapping):
        return (), arguments
    if not isinstance(arguments, (tuple, list)):
        raise _refused(f"the arguments are {what(arguments)}", "pass a tuple, such as (alpha, A, B)")
    return arguments, {}


def _headline(error: Exception) -> str:
    if isinstance(error, PytlError):
        return error.diagnostics[0].headline
    first_line = str(error).strip().partition("\n")[0]
    return f"{type(error).__name__}: {first_line}" if first_line else type(error).__name__


class _Stage:
    """A kernel with arguments that were checked: builds and launches the choices of a search."""

    def __init__(self, bound: BoundArguments, call: Call) -> None:
        assert bound.groups is not None, "the arguments were checked"
        self._bound, self._call = bound, call
        self._launches, self._signature = bound.specialization.launches, bound.specialization.signature
        self.groups, self.backend, self.queue = bound.groups, bound.backend, bound.queue
        self.default = self._complete({})
        self.fixed = tuned.fixed_options(call.options, self.default)
        self._lowered: list[Lowered] = []
        self._expected: list[Any] | None = None
        """The content of the arrays after a launch with the default options."""

    def run(self, budget: float, shows_progress: bool) -> TuningResult:
        from .search import Search

        defaults = {name: self.default[name] for name in self.space({})}
        if not defaults:
            raise PlatformError.single(
                NOTHING_TO_CHOOSE,
                f"the backend {self.backend.name} has nothing to choose for @{self._signature.name}",
                call_site(),
                f"what the launch gives is kept: {named(self.fixed)}" if self.fixed else "launch it as it is",
            )
        progress = Progress(f"tuning @{self._signature.name}", shows_progress)
        self.backend.finish(self.queue)  # what was submitted before may still write
        self.snapshot = self._in_memory(lambda: Snapshot(self._signature.parameters, self._bound.arguments))
        search = Search(
            defaults, self.space, self.prepare, budget, _clock, lambda one: self._tell(search, progress, budget, one)
        )
        winner: Options | None = None
        try:
            winner = search.run().options
        finally:
            with interrupts_deferred():
                self.backend.finish(self.queue)  # Ctrl-C may have come between a launch and the wait for it
                self.snapshot.restore()
                self.backend.finish(self.queue)
                self._forget_all_but(winner)
            progress.end()
        result = self._result(search, budget)
        self._keep(winner, result)
        self._learn(search)
        return result

    # For the search.

    def space(self, options: Options) -> Mapping[str, Sequence[Any]]:
        """What may be chosen beside these options."""
        try:
            space = self.backend.tuning_space(self._lower(options))
        except Exception:
            if not options:
                raise
            return {name: (value,) for name, value in options.items()}  # building it reports the error
        return {
            n: tuple(dict.fromkeys([*values, self.default[n]])) for n, values in space.items() if n not in self.fixed
        }

    def prepare(self, options: Options) -> tuple[Callable[[], float], float]:
        """Build what is to be measured and launch it once. Returns how to launch it again, and what it would have
        taken to build where it was found on disk."""
        from .search import Failed

        @contextmanager
        def errors_as_failed() -> Iterator[None]:
            try:
                yield
            except Exception as error:
                if not options:
                    raise
                raise Failed(_headline(error)) from error

        def timed() -> float:
            with errors_as_failed():
                return self._time(once)

        with errors_as_failed():
            lowered = self._lower(options)
            once = self._launch_of(lowered)
            self._time(once)
        if self._expected is None:
            self._expected = self._in_memory(self.snapshot.results)
        else:
            difference = self.snapshot.difference(self._expected)
            if difference is not None:
                raise Failed(f"WRONG: {difference}", wrong=True)
        loaded = [built for built in self.backend.variants(lowered) if built.origin == "disk"]
        return timed, max((built.build_seconds for built in loaded), default=0.0)

    def _in_memory(self, copy: Callable[[], Any]) -> Any:
        try:
            return copy()
        except MemoryError:
            raise LaunchError.single(
                MEMORY,
                f"there is no memory for copies of what @{self._signature.name} writes",
                call_site(),
                "tune it on smaller arrays, or with fewer work-groups",
            ) from None

    def _time(self, once: Callable[[], None]) -> float:
        # before each launch, since a kernel may have changed indices by which the next launch would leave the arrays
        self._restore()
        began = _clock()
        once()
        return _clock() - began

    def _restore(self) -> None:
        self.snapshot.restore()
        self.backend.finish(self.queue)

    def _complete(self, options: Options) -> dict[str, Any]:
        requested = {**self._call.options, **options}
        complete = self.backend.complete_options(requested, self.queue, self._signature.whole)
        return dict(completed(self._bound, complete).options)

    def _lower(self, options: Options) -> Lowered:
        known = [lowered for _, lowered, _ in self._launches.all_lowered()]
        lowered = self._launches.lowered(self.backend, self._complete(options))
        if lowered not in known and lowered not in self._lowered:
            self._lowered.append(lowered)
        return lowered

    def _launch_of(self, lowered: Lowered) -> Callable[[], None]:
        """A launch as it will be: by a plan, where launches with such arguments have one."""
        bound, groups = self._bound, self.groups
        is_general = not {IN_PARTS, OVERLAPPING} & lowered.options.keys()
        compiled = Executable(self.backend, lowered, lowered.options, self.queue, is_general)
        passed = bound.specialization.arguments
        reader = reader_of(passed) if is_general else None
        read = reader(passed) if reader is not None else None
        if read is None or not plans.has_plan(passed, bound.arguments):
            return lambda: compiled.submit(bound.arguments, groups)
        values = read[1]
        plan = plans.Plan(compiled, bound, values, bounds_of(bound, self._call), is_of_call=False)

        def launch_planned() -> None:
            if plan.launch(passed, list(values), groups, (), True) is UNHELD:
                compiled.submit(bound.arguments, groups)

        return launch_planned

    # What is told and kept.

    def _tell(self, search: Search, progress: Progress, budget: float, candidate: Candidate) -> None:
        options = named(candidate.options)
        if candidate.problem is not None and candidate.problem.wrong:
            message = f"@{self._signature.name} with {options} computes something else than with the default: "
            warn(DIFFERENT, message + str(candidate.problem).removeprefix("WRONG: "))
        outcome = str(candidate.problem) if candidate.ratio is None else f"{candidate.ratio:.2f} of the default"
        if not options:
            options, outcome = "the default", duration(candidate.seconds[-1])
        progress.step(search.seconds / budget, f"{options}: {outcome}")

    def _named(self, options: Options, search: Search) -> dict[str, Any]:
        """The options with the defaults beside them."""
        return {**search.defaults, **options}

    def _result(self, search: Search, budget: float) -> TuningResult:
        from statistics import median

        trials = tuple(
            Trial(
                self._named(one.options, search),
                median(one.seconds) if one.seconds else None,
                one.ratio,
                len(one.seconds),
                None if one.problem is None else str(one.problem),
                one.problem is not None and one.problem.wrong,
                one.is_dropped,
            )
            for one in search.tried
        )
        untried = tuple(self._named(options, search) for options in search.untried)
        return TuningResult(
            kernel=self._signature.name,
            backend=self.backend.name,
            groups=self.groups,
            options=self._named(search.best.options, search),
            default=search.defaults,
            trials=trials,
            untried=untried,
            is_complete=search.is_complete,
            seconds=search.seconds,
            budget=budget,
        )

    def _keep(self, winner: Options, result: TuningResult) -> None:
        lowered = self._lower(winner)
        device = next((variant.device for variant in self.backend.variants(lowered)), "")
        options = {name: value for name, value in lowered.options.items() if name in result.options}
        tuned.keep(self.backend, self._signature.whole, self.fixed, self.queue, options, device, result.seconds)
        self._launches.options(self.backend, self._call.options, self.queue)

    def _learn(self, search: Search) -> None:
        """Let the backend's model learn from tiles that were measured beside the default's."""
        ratios = {
            one.options.get(TILE, "auto"): one.ratio
            for one in search.tried
            if one.options.keys() <= {TILE} and one.ratio is not None and not one.is_dropped
        }
        if len(ratios) > 1:
            self.backend.learn(self._lower({}), ratios)

    def _forget_all_but(self, winner: Options | None) -> None:
        """Let go of what was built to be compared."""
        chosen = self._lower(winner) if winner is not None else None
        self._launches.forget([lowered for lowered in self._lowered if lowered is not chosen])
