"""The way of a launch: at most twelve stops, each visited once, and every call goes down or stays in its room."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import Any

import numpy as np
import pytest
from launch_kit import needs_sycl

import pytl
from pytl import Memref, associated, f32, foreach, group_id

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs/architecture.md").read_text()
ROOMS = re.findall(r"^ (\w+) ", PAGE.split("## The rooms")[1].split("```")[1], re.MULTILINE)
STEPS = re.findall(r"`launch/(\w+)\.py`: `(\w+)`", PAGE.split("## The way of a launch")[1].split("\n## ")[0])
"""The modules and functions of the table, in order."""
TRANSPARENT = {"process.once", "process.on_demand"}
"""What calls for others, as `property` does."""
SPINE = {"kernels.launcher", "launch.pipeline"}
"""The modules that compose the steps: what they call is a stop."""
MAX_STOPS = 12


@pytl.kernel
def scale(alpha: f32, x: Memref[f32, 8, ...]):
    for i in foreach(8):
        x[i, group_id()] *= alpha


@pytl.kernel
def add(x: Memref[f32, 8], y: Memref[f32, 8]):
    if associated(y):
        for i in foreach(8):
            x[i] += y[i]


class Call:
    """A call of one of pytl's functions by another one."""

    def __init__(self, caller: str, module: str, function: str) -> None:
        self.caller, self.module, self.function = caller, module, function

    @property
    def goes_up(self) -> bool:
        """Whether a lower room calls back; what instructions and backends do by their classes' methods is theirs."""
        caller, called = (ROOMS.index(module.split(".")[0]) for module in (self.caller, self.module))
        return called < caller and called <= ROOMS.index("launch")

    def __repr__(self) -> str:
        return f"{self.caller} calls {self.function} of {self.module}"


def module_of(frame: FrameType) -> str | None:
    """The module of pytl that a frame executes; None for others, and for modules that are being imported."""
    name: str = frame.f_globals.get("__name__", "")
    is_own = name.startswith("pytl.") and frame.f_code.co_name != "<module>"
    return name.removeprefix("pytl.") if is_own else None


def caller_of(frame: FrameType) -> str | None:
    """The module of pytl that makes a call, or what it calls that calls back."""
    around: FrameType | None = frame.f_back
    while around is not None and module_of(around) in (None, *TRANSPARENT):
        if around.f_code.co_name == "<module>":
            return None
        around = around.f_back
    return None if around is None else module_of(around)


@contextmanager
def traced() -> Iterator[list[Call]]:
    calls: list[Call] = []

    def note(frame: FrameType, event: str, argument: Any) -> None:
        if event == "call":
            module, caller = module_of(frame), caller_of(frame)
            if module is not None and caller is not None and module not in TRANSPARENT and module != caller:
                calls.append(Call(caller, module, frame.f_code.co_name))

    sys.setprofile(note)
    try:
        yield calls
    finally:
        sys.setprofile(None)


def calls_of(launch: Callable[[], Any]) -> list[Call]:
    with traced() as calls:
        launch()
    return calls


def stops_of(calls: list[Call]) -> list[str]:
    """The modules that a launch goes through to the backend: those that the composing ones call, in order."""
    stops = ["kernels.launcher"]
    for call in calls:
        if call.function == "launch" and call.module.startswith("backends."):
            return [*stops, call.module]
        if call.caller in SPINE and not call.module.startswith(("process.", "diagnostics.")):
            if call.module != stops[-1]:
                stops.append(call.module)
    raise AssertionError(f"no backend was reached: {stops}")


BACKENDS = ["reference", pytest.param("sycl", marks=needs_sycl)]


@pytest.mark.at_most(1)
@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("grid", [3, (3, 1, 1), ...])
def test_a_first_launch(backend: str, grid: Any) -> None:
    kernel = pytl.compile(str(scale))["scale"]
    x = np.ones((8, 3), np.float32, order="F")
    kernel.emit("numba_dpex")  # imports what compiles
    if grid == (3, 1, 1):
        kernel = pytl.compile(str(scale))["scale"]
    calls = calls_of(lambda: kernel[grid](2.0, x, backend=backend))
    stops = stops_of(calls)
    assert len(stops) <= MAX_STOPS, stops
    assert len(set(stops)) == len(stops), stops
    assert [call for call in calls if call.goes_up] == []


def test_the_page_tells_the_steps() -> None:
    x = np.ones((8, 3), np.float32, order="F")
    kernel = pytl.compile(str(scale))["scale"]
    calls = calls_of(lambda: kernel[3](2.0, x, backend="reference"))
    taken = [(call.module, call.function) for call in calls if call.caller in SPINE]
    told = [(f"launch.{module}", function) for module, function in STEPS]
    assert len(told) >= 6
    assert [step for step in dict.fromkeys(taken) if step in told] == told


@pytest.mark.parametrize("backend", BACKENDS)
def test_a_repeated_launch(backend: str) -> None:
    """A plan takes the place of all steps."""
    x = np.ones((8, 3), np.float32, order="F")
    for _ in range(3):
        scale[3](2.0, x, backend=backend)
    calls = calls_of(lambda: scale[3](2.0, x, backend=backend))
    stops = [call.module for call in calls if call.caller in {*SPINE, "launch.launches"}]
    inside = {stop for stop in stops if stop.startswith(("kernels.", "launch."))}
    assert inside == {"kernels.kernel", "launch.launches", "launch.plans"}


@pytest.mark.parametrize(
    "launch",
    [
        lambda x: add[1](x, None, backend="reference"),
        lambda x: add[1].bind(x, x.copy(), backend="reference")(),
        lambda x: add[1](y=x.copy(), x=x, backend="reference"),
    ],
)
def test_no_call_goes_up(launch: Callable[[np.ndarray], Any]) -> None:
    add.current()  # was traced
    x = np.ones(8, np.float32)
    assert [call for call in calls_of(lambda: launch(x)) if call.goes_up] == []
