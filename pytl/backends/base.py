"""The interface between the run time and the backends.

In a launch, the run time checks the user's arguments and describes them in the neutral terms below; the backend
executes the function with them.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any, ClassVar, Literal

from ..diagnostics import PlatformError, Rule
from ..ir.types import LANGUAGES_OWN
from ..ir.values import Function
from ..passes import InlineCalls, Pass, Pipeline
from ..process import forks
from ..process.records import dataclass
from ..process.settings import CHECKS

UNKNOWN_BACKEND = Rule("PYTL-3011", "a backend is one of pytl's, or one that an installed package offers", "Backends")
UNKNOWN_OPTION = Rule("PYTL-3012", "an option of a launch is one that the backend has", "Backends")
UNAVAILABLE = Rule("PYTL-3013", "what a backend needs is installed", "Backends")
EMIT_STAGE = Rule("PYTL-3019", "a stage of what a backend generates is one that it has", "Backends")


class Grid(int):
    """The number of work-groups of a launch in three dimensions, x first; as an integer, how many there are."""

    shape: tuple[int, int, int]

    def __new__(cls, x: int, y: int = 1, z: int = 1) -> Grid:
        made = super().__new__(cls, x * y * z)
        made.shape = (x, y, z)
        return made

    def position(self, number: int) -> tuple[int, int, int]:
        """The position of a work-group by its number."""
        x, y, _ = self.shape
        return number % x, number // x % y, number // (x * y)

    def name(self, number: int) -> str:
        """A work-group in messages: its number, or its position where there are others along y or z."""
        return f"work-group {number if self.shape[1:] == (1, 1) else self.position(number)}"

    def __reduce__(self) -> tuple[Any, ...]:
        return Grid, self.shape


def grid_of(groups: int) -> Grid:
    """The grid of a launch; a plain number is of work-groups along x."""
    return groups if isinstance(groups, Grid) else Grid(groups)


@dataclass(frozen=True)
class ArrayView:
    """Memory that an argument refers to: the first element's address, and shape and strides in elements.

    `array` is the user's own array (NumPy's or dpctl's) and keeps the memory alive; `queue` is its SYCL queue, None
    for memory of the host.
    """

    array: Any
    address: int
    shape: tuple[int, ...]
    strides: tuple[int, ...]
    item_size: int
    queue: Any = None

    @property
    def span(self) -> int:
        """The number of elements from the first to the last, gaps included; 0 where the view is empty."""
        if 0 in self.shape:
            return 0
        return 1 + sum((n - 1) * s for n, s in zip(self.shape, self.strides))


class ItemViews(Sequence[ArrayView]):
    """The views of a group's items, in columns: each access makes a view, which takes time for many items.

    `layouts` has the shapes and strides that occur, and `numbers` which of them each item has; None where all have one.
    `addresses` is an array of NumPy.
    """

    def __init__(
        self,
        arrays: Sequence[Any],
        addresses: Any,
        layouts: Sequence[tuple[tuple[int, ...], tuple[int, ...]]],
        numbers: Any,
        item_size: int,
        queue: Any,
    ) -> None:
        self.arrays = arrays
        self.addresses = addresses
        self.layouts = layouts
        self.numbers = numbers
        self.item_size = item_size
        self.queue = queue
        self._placed: dict[Any, tuple[Any, int]] = {}

    def __len__(self) -> int:
        return len(self.arrays)

    def __getitem__(self, item: Any) -> Any:
        if isinstance(item, slice):
            return [self[number] for number in range(*item.indices(len(self)))]
        shape, strides = self.layouts[0 if self.numbers is None else self.numbers[item]]
        return ArrayView(self.arrays[item], int(self.addresses[item]), shape, strides, self.item_size, self.queue)

    def placed(self, queue: Any, upload: Callable[[Any, Any], tuple[Any, int]]) -> tuple[Any, int]:
        """What holds the addresses for a queue's device, and where: uploaded once."""
        if queue not in self._placed:
            self._placed.setdefault(queue, upload(self.addresses, queue))  # another thread may have been first
        return self._placed[queue]


@dataclass(frozen=True)
class MemrefArgument:
    """What a memref parameter is bound to. Shape and strides are those of the kernel's view."""

    view: ArrayView
    shape: tuple[int, ...]
    strides: tuple[int, ...]
    written: bool


@dataclass(frozen=True)
class GroupArgument:
    """What a group parameter is bound to: the memory of its items and the place of each.

    Item `i` begins `starts[i]` bytes after the first element of `views[i]`, or of `views[0]` where all items lie in
    one array (`strided`). `shapes` and `strides` have a row per item, or a single row where all are equal.
    """

    views: Sequence[ArrayView]
    strided: bool
    count: int
    step: int
    """Bytes between items of a strided group."""
    offset: int
    """The offset that is added to each pointer, in elements."""
    shapes: Sequence[tuple[int, ...]]
    strides: Sequence[tuple[int, ...]]
    written: bool

    @property
    def queues(self) -> list[Any]:
        """The queues that occur, None for memory of the host."""
        if isinstance(self.views, ItemViews):
            return [self.views.queue] if len(self.views) else []
        return [view.queue for view in self.views]

    def shape_of(self, item: int) -> tuple[int, ...]:
        return self.shapes[item if len(self.shapes) > 1 else 0]

    def strides_of(self, item: int) -> tuple[int, ...]:
        return self.strides[item if len(self.strides) > 1 else 0]


Argument = bool | int | float | complex | MemrefArgument | GroupArgument


Repeat = Callable[[Sequence[Any], Sequence[Any], int, Sequence[Any], bool], Any]
"""The arguments of a call of `Backend.repeat`: the user's arguments, their addresses and numbers, work-groups, events
to wait for, and whether to wait. The result is that of `Backend.launch`."""


@dataclass(frozen=True)
class Variant:
    """A function built for a device, as `k.cache_info()` reports it."""

    device: str
    origin: Literal["built", "disk", "shared"]
    """Whether it was compiled for this kernel, found in the cache on disk, or is that of an equal kernel."""
    seconds: float
    """Seconds until the kernel could be launched."""
    build_seconds: float
    """Seconds that the compilation took, in whichever process it was done."""
    size: int
    """The size of its code in bytes, in the form that the device's driver takes."""
    hits: int
    """Launches that found it in memory."""
    is_machine_code: bool = False
    """Whether the device's driver found its own machine code on disk, and had nothing to compile."""


@dataclass(frozen=True)
class Prebuilt:
    """Code that a function was compiled to ahead of time, and the backend's description of the code, as JSON."""

    details: Mapping[str, Any]
    code: bytes


class Lowered:
    """A function as the user gave it, and as the backend's passes leave it. They run when `function` is first read.

    `options` are the backend's, complete; together with the original they decide what is generated. `written` is what
    the user wrote where the original is a specialization of it. `prebuilt` is code of it in the order of preference;
    where there is some, nothing is compiled.
    """

    def __init__(
        self,
        original: Function,
        options: Mapping[str, Any],
        backend: Backend | None = None,
        written: Function | None = None,
    ) -> None:
        self.original = original
        self.written = written or original
        self.options = dict(options)
        self.prebuilt: Sequence[Prebuilt] = ()
        self._backend = backend
        self._function: Function | None = None
        self._lock = forks.rlock()

    @property
    def function(self) -> Function:
        """The function after the passes."""
        with self._lock:
            if self._function is None:
                passes = self._backend.passes(self.options) if self._backend is not None else ()
                self._function = Pipeline(passes, at_the_end=True).run_on(self.original)
            return self._function


@dataclass(frozen=True)
class Option:
    """An option of a launch: its default, the values that it takes, and their description for messages."""

    default: Any
    admits: Callable[[Any], bool]
    takes: str

    @classmethod
    def choice(cls, *values: Any) -> Option:
        """An option with a choice of values, the default first."""

        def admits(value: Any) -> bool:
            return any(type(value) is type(one) and value == one for one in values)  # 1 is not True

        return cls(values[0], admits, f"one of: {', '.join(map(repr, values))}")


class AheadOfTime(ABC):
    """How a backend compiles functions ahead of time: for kinds of devices, without a device at hand."""

    devices: ClassVar[Sequence[str]]
    """The kinds of devices, as "cpu"."""

    @abstractmethod
    def options(self, device: str, given: Mapping[str, Any], function: Function) -> dict[str, Any]:
        """The complete options of a function for a kind of device."""

    @abstractmethod
    def compile(self, lowered: Lowered) -> Sequence[Prebuilt]:
        """Compile a function. More than one where a device decides when it loads the code, the preferred one first."""

    @abstractmethod
    def check(self, function: Function, options: Mapping[str, Any], prebuilt: Prebuilt) -> None:
        """Raise ValueError where options and code, which anyone may have written, cannot be those of the function."""

    @abstractmethod
    def device_of(self, queue: Any, built: Sequence[str]) -> str | None:
        """The kind of device to launch the code of on a queue, among those that code was built for."""


class Backend(ABC):
    """Executes functions. One instance serves all launches."""

    name: ClassVar[str]
    options: ClassVar[Mapping[str, Option]] = {}
    """The options that a launch may give."""
    element_types: ClassVar[Collection[str]] = LANGUAGES_OWN
    """The names of the scalar types that the backend has code for."""
    has_grids: ClassVar[bool] = False
    """Whether it launches work-groups along y and z; for others, they are numbered in one dimension."""
    compiles: ClassVar[bool] = False
    """Whether functions are compiled, so that one for certain sizes may be faster than one for all."""
    asynchronous: ClassVar[bool] = False
    """Whether a launch may return before the kernel has ended."""
    calls: ClassVar[Sequence[str]] = ()
    """The calls that it has code for, as the pass inline-calls names them: "sequential", "spmd", "collective"; "all"
    stands for every call. Others are inlined before its passes, and so are all of a function with checks."""
    stages: ClassVar[Sequence[str]] = ()
    """The stages of generated code, from the source on, where there are more than the source."""
    stages_of_host: ClassVar[Sequence[str]] = ()
    """Those that the processor here is needed for. They are made for it, where no other machine is named."""
    on_demand: ClassVar[Sequence[str]] = ()
    """Modules outside of the backend that declare rules, and are imported when these are needed."""

    @property
    def ahead_of_time(self) -> AheadOfTime | None:
        """What compiles ahead of time for the backend, and checks such code; None where nothing does."""
        return None

    @abstractmethod
    def launch(
        self,
        lowered: Lowered,
        arguments: Sequence[Argument],
        groups: int,
        options: Mapping[str, Any],
        queue: Any = None,
        depends: Sequence[Any] = (),
        wait: bool = True,
    ) -> Any:
        """Execute the work-groups. Returns the event of the launch, or None where it waited."""

    def repeat(
        self, lowered: Lowered, arguments: Sequence[Argument], options: Mapping[str, Any], queue: Any
    ) -> Repeat | None:
        """A shorter way to launch often with such arguments, where only addresses and numbers change.

        None where a backend has none: each launch then goes through `launch`.
        """
        return None

    def emit(self, lowered: Lowered, options: Mapping[str, Any]) -> str:
        """The source that the backend generates."""
        raise PlatformError.single(UNKNOWN_BACKEND, f"the backend {self.name} generates no source")

    def emit_stage(self, lowered: Lowered, options: Mapping[str, Any], stage: str) -> str:
        """One of the backend's `stages`."""
        return self.emit(lowered, options)

    def check_stage(self, stage: str) -> None:
        """Refuse a stage that does not exist."""
        if stage not in self.stages:
            known = ", ".join(self.stages)
            raise PlatformError.single(
                EMIT_STAGE,
                f"the backend {self.name} has no stage `{stage}`",
                help=f"its stages are {known}" if known else "leave the stage out: there is the source only",
            )

    def dpex(
        self,
        lowered: Lowered,
        arguments: Sequence[Argument] | None,
        groups: int,
        queue: Any,
    ) -> Any:
        """The arguments of `numba_dpex.call_kernel` for a launch; without the kernel's own where these are None."""
        raise PlatformError.single(UNKNOWN_BACKEND, f"the backend {self.name} makes no kernels for numba-dpex")

    def passes(self, options: Mapping[str, Any]) -> Sequence[Pass]:
        """The passes that prepare a function for the backend; none where it takes the function unchanged."""
        return ()

    def call_passes(self, options: Mapping[str, Any]) -> Sequence[Pass]:
        """The passes before these, which leave no calls but those that the backend has code for."""
        if "all" in self.calls:
            return ()
        return (InlineCalls(() if options.get("checks") else tuple(self.calls)),)

    def queue_of(self, queues: Sequence[Any], options: Mapping[str, Any]) -> Any:
        """The queue to launch on, for arguments that live on these queues (None for arguments of the host)."""
        return None

    def prepare(self, lowered: Lowered, queue: Any) -> None:
        """Compile a function for launches on a queue; errors are reported now."""
        return

    def is_cached(self, lowered: Lowered, queue: Any) -> bool:
        """Whether a launch on a queue needs no compilation, because the kernel is in memory or on disk."""
        return False

    def variants(self, lowered: Lowered) -> Sequence[Variant]:
        """The builds of the function so far; none where the backend builds nothing."""
        return ()

    def tuning_space(self, lowered: Lowered) -> Mapping[str, Sequence[Any]]:
        """The options that `pytl.tune` may choose for a function, each with the values that are worth trying.

        Both are ordered by expected gain; an option's default is always tried. The values may depend on the other
        options, so the backend is asked again for each choice of them. The result is empty where there is nothing to
        choose.
        """
        return {}

    def tuning_key(self, function: Function, options: Mapping[str, Any], queue: Any) -> str | None:
        """The key of what `pytl.tune` finds for a function on a queue's device, where these options are given.

        The key is computed before the function is lowered. None where the backend has nothing to choose.
        """
        return None

    def learn(self, lowered: Lowered, seconds: Mapping[str, float]) -> None:
        """Take what tuning has found of a function: times, relative to each other, by values of the option `tile`."""
        return None

    def finish(self, queue: Any) -> None:
        """Wait for all that was submitted to a queue."""
        return None

    def unavailable(self) -> tuple[str, str] | None:
        """What is missing for a launch, and what helps; None where the backend can launch."""
        return None

    def describe(self) -> Sequence[str]:
        """The backend's part of `pytl devices`, in lines; empty where it has none."""
        return ()

    def checks_accesses(self, options: Mapping[str, Any]) -> bool:
        """Whether a launch with these options looks at each access while it is executed."""
        checks = options.get("checks")
        return "checks" in self.options and CHECKS.get() == "device" if checks is None else bool(checks)

    def check_options(self, options: Mapping[str, Any]) -> None:
        """Refuse unknown options, and values that an option does not take."""
        for name, value in options.items():
            if name not in self.options:
                known = ", ".join(self.options) or "none"
                raise PlatformError.single(
                    UNKNOWN_OPTION,
                    f"the backend {self.name} has no option `{name}`",
                    help=f"its options are: {known}",
                )
            if not self.options[name].admits(value):
                plain = value is None or isinstance(value, (str, int, float, list, tuple, dict))
                shown = repr(value) if plain else f"of the type {type(value).__name__}"
                raise PlatformError.single(
                    UNKNOWN_OPTION, f"the option {name} is {shown}", help=f"it takes {self.options[name].takes}"
                )

    def max_groups(self, function: Function, options: Mapping[str, Any]) -> float:
        """The most work-groups of one launch with complete options; for more, `launch.in_parts` divides a launch."""
        return math.inf

    def complete_options(
        self, options: Mapping[str, Any], queue: Any, function: Function | None = None
    ) -> dict[str, Any]:
        """The options that decide the code, with their defaults; unknown options are refused.

        `queue` is None where nothing is launched, `function` what is compiled.
        """
        self.check_options(options)
        return {name: options.get(name, option.default) for name, option in self.options.items()}

    def shown_options(self, options: Mapping[str, Any]) -> dict[str, Any]:
        """The options whose values differ from their defaults."""
        return {name: options[name] for name, o in self.options.items() if options.get(name, o.default) != o.default}
