"""Ctrl-C at chosen moments: in an import, in a build, between a launch and the wait for it."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from launch_kit import ROOT, needs_sycl

import pytl
from pytl import Memref, atomic, i64
from pytl.process.interrupts import SafeInterrupts, interrupts_deferred, raise_swallowed

LONG = 1_500_000
"""Iterations that take a tenth of a second."""


@pytl.kernel
def count(x: Memref[i64, ...], n: i64):
    for k in range(n):
        atomic.store(x[0], k + 1)


def interrupt() -> None:
    signal.raise_signal(signal.SIGINT)


# Blocks.


def module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    (tmp_path / "half_of_it.py").write_text(text)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "half_of_it", raising=False)


def test_an_import_is_not_left_half_done(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    module(tmp_path, monkeypatch, "import signal\nsignal.raise_signal(signal.SIGINT)\nwhole = True\n")
    with pytest.raises(KeyboardInterrupt), SafeInterrupts():
        import half_of_it  # type: ignore[import-not-found]

        assert half_of_it.whole  # before Ctrl-C is tried again
        time.sleep(60)
    assert sys.modules["half_of_it"].whole
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_an_interrupt_of_an_import_is_told_at_the_end_of_the_block(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    module(tmp_path, monkeypatch, "import signal\nsignal.raise_signal(signal.SIGINT)\n")
    heard: list[int] = []
    previous = signal.signal(signal.SIGINT, lambda number, frame: heard.append(number))
    try:
        with SafeInterrupts():
            import half_of_it  # noqa: F401
        assert heard == [signal.SIGINT]
        time.sleep(0.05)
        assert heard == [signal.SIGINT]  # once
    finally:
        signal.signal(signal.SIGINT, previous)


def test_a_launch_within_an_import_is_interrupted() -> None:
    """The user's own module may be the one that is imported."""
    reached: list[int] = []
    namespace: dict[str, Any] = {"SafeInterrupts": SafeInterrupts, "interrupt": interrupt, "reached": reached}
    text = "with SafeInterrupts():\n    interrupt()\n    reached.append(1)\n"
    with pytest.raises(KeyboardInterrupt):
        exec(compile(text, "<frozen importlib._bootstrap>", "exec"), namespace)
    assert not reached


@pytest.mark.parametrize("becomes", [None, ValueError])
def test_an_interrupt_is_no_other_error(becomes: type[Exception] | None) -> None:
    with pytest.raises(KeyboardInterrupt) as caught, SafeInterrupts():
        try:
            interrupt()
        except BaseException:
            if becomes is not None:
                raise becomes from None
    assert caught.value.__suppress_context__


def test_a_swallowed_interrupt_is_found_in_the_block() -> None:
    def swallow() -> None:
        try:
            interrupt()
        except BaseException:
            pass
        try:
            raise_swallowed()
        except KeyboardInterrupt:
            found.append(True)
            raise

    found: list[bool] = []
    raise_swallowed()  # there is none
    with pytest.raises(KeyboardInterrupt), SafeInterrupts():
        swallow()
    assert found


def test_blocks_within_blocks() -> None:
    done: list[str] = []
    with pytest.raises(KeyboardInterrupt), SafeInterrupts():
        with interrupts_deferred(), SafeInterrupts():
            interrupt()
            done.append("inner")
        done.append("outer")
    assert done == ["inner"]
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_other_threads_leave_the_handler_alone() -> None:
    found: list[Any] = []

    def look() -> None:
        with interrupts_deferred(), SafeInterrupts():
            found.append(signal.getsignal(signal.SIGINT))

    thread = threading.Thread(target=look)
    thread.start()
    thread.join()
    assert found == [signal.default_int_handler]


# The queue of a device.


def interrupted(function: Callable[..., Any], is_first: bool = True) -> Callable[..., Any]:
    """A function before or behind which Ctrl-C comes, once."""
    left = [None]

    def call(*arguments: Any, **named: Any) -> Any:
        if is_first and left:
            left.pop()
            raise KeyboardInterrupt
        result = function(*arguments, **named)
        if left:
            left.pop()
            raise KeyboardInterrupt
        return result

    return call


@needs_sycl
@pytest.mark.parametrize("step", ["the wait", "the submission", "the plan's first"])
def test_an_interrupted_launch_has_ended(step: str, monkeypatch: pytest.MonkeyPatch) -> None:
    from pytl.backends.numba_dpex import launch, repeat

    kernel, x = pytl.kernel(count.__wrapped__), np.zeros(1, np.int64)
    kernel[1](x, 1)
    if step == "the wait":
        real = repeat.RepeatedLaunch.__init__

        def begin(self: Any, *arguments: Any) -> None:
            real(self, *arguments)
            self._wait = interrupted(self._wait)

        monkeypatch.setattr(repeat.RepeatedLaunch, "__init__", begin)
        kernel.current().launches.forget_plans()
        kernel[1](x, 1)
    elif step == "the submission":
        monkeypatch.setattr(launch.PreparedLaunch, "submit", interrupted(launch.PreparedLaunch.submit, False))
    else:
        kernel.current().launches.forget_plans()
        monkeypatch.setattr(launch.LoadedKernel, "submit", interrupted(launch.LoadedKernel.submit, False))
    with pytest.raises(KeyboardInterrupt):
        kernel[1](x, LONG)
    assert x[0] == LONG
    kernel[1](x, 5)
    assert x[0] == 5


@needs_sycl
@pytest.mark.parametrize("step", ["the wait", "the submission"])
def test_an_interrupted_bound_launch_has_ended(step: str, monkeypatch: pytest.MonkeyPatch) -> None:
    from pytl.backends.numba_dpex import launch
    from pytl.process import forks

    kernel, x = pytl.kernel(count.__wrapped__), np.zeros(1, np.int64)
    if step == "the wait":
        prepare = launch.PreparedLaunch.__init__

        def begin(self: Any, *arguments: Any, **named: Any) -> None:
            prepare(self, *arguments, **named)
            self.wait = interrupted(self.wait)

        monkeypatch.setattr(launch.PreparedLaunch, "__init__", begin)
    else:
        monkeypatch.setattr(launch.PreparedLaunch, "submit", interrupted(launch.PreparedLaunch.submit, False))
    bound = kernel[1].bind(x, LONG, backend="sycl")
    with pytest.raises(KeyboardInterrupt):
        bound()
    assert x[0] == LONG
    assert threading.get_ident() not in forks.inside
    x[0] = 0
    bound()
    assert x[0] == LONG


@needs_sycl
@pytest.mark.parametrize("step", ["keep_alive_until", "copy_of"])
@pytest.mark.parametrize("is_first", [True, False])
def test_an_interrupted_submission_has_ended(step: str, is_first: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    from device_kit import dpt

    from pytl.backends.numba_dpex import events, keep_alive

    kernel, x = pytl.kernel(count.__wrapped__), dpt.zeros(1, dtype="i8")
    if not is_first:
        kernel[1].submit(x, 1).wait()
    module = keep_alive if step == "keep_alive_until" else events
    monkeypatch.setattr(module, step, interrupted(getattr(module, step)))
    with pytest.raises(KeyboardInterrupt):
        kernel[1].submit(x, LONG)
    assert int(x[0]) == LONG
    kernel[1].submit(x, 5).wait()
    assert int(x[0]) == 5


# Processes.


def run(directory: Path, cache: Path, program: str, *words: str) -> subprocess.CompletedProcess[str]:
    """Run a program in a process with that cache."""
    file = directory / "program.py"
    file.write_text(program)
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "PYTL_CACHE_DIR": str(cache)}
    command = [sys.executable, str(file), *words]
    return subprocess.run(command, env=environment, capture_output=True, text=True, timeout=300)


FIRST_BUILD = """
import builtins, signal, sys
import numpy as np
import pytl
from pytl import Memref, f32

@pytl.kernel
def double(x: Memref[f32, 8]):
    for i in range(8):
        x[i] = 2.0 * x[i]

import importlib.util
points = {"pytl.backends.numba_dpex.backend", "pytl.backends.numba_dpex.emit.function", "dpctl._sycl_queue",
          "numba.core.typing.builtins", "numba_dpex.core.types", "numba_dpex.kernel_api_impl.spirv.target"}
class Finder:
    def find_spec(self, name, path=None, target=None):
        if name in points:
            points.remove(name)
            signal.raise_signal(signal.SIGINT)
        return None
sys.meta_path.insert(0, Finder())
x = np.ones(8, np.float32)
interrupts = 0
while True:
    try:
        double[1](x, backend="sycl")
        break
    except KeyboardInterrupt:
        interrupts += 1
installed = [name for name in points if importlib.util.find_spec(name.split(".")[0])]
print(interrupts, sorted(installed), x.tolist())
"""


@needs_sycl
def test_a_first_build_is_interrupted_and_made_again(tmp_path: Path) -> None:
    """In the midst of imports of pytl's own, dpctl's and numba's, which all want to be whole."""
    done = run(tmp_path, tmp_path / "cache", FIRST_BUILD)
    assert done.stderr == ""
    interrupts, rest = done.stdout.split(" ", 1)
    assert rest == f"[] {[2.0] * 8}\n"
    assert int(interrupts) >= 2  # several at once are one


# At any moment: `pytest --interrupt-rounds=25` has as many processes of each kind.

PROGRAM = """
import os, signal, sys, threading, time
import numpy as np
import pytl
from pytl import Memref, f32, gemm, group_id

@pytl.kernel
def product(A: Memref[f32, 32, 32, ...], B: Memref[f32, 32, 32, ...], C: Memref[f32, 32, 32, ...]):
    g = group_id()
    gemm(1.0, A[:, :, g], B[:, :, g], 0.0, C[:, :, g])

backend, delay = sys.argv[1], float(sys.argv[2])
options = {"threads": 4} if backend == "mlir" else {}

def launch(arrays):
    product[2000, options](*arrays, backend=backend)

def fire():
    time.sleep(delay)
    os.kill(os.getpid(), signal.SIGINT)

arrays = [np.ones((32, 32, 2000), np.float32, order="F") for _ in range(3)]
threading.Thread(target=fire, daemon=True).start()
try:
    while True:
        launch(arrays)
except KeyboardInterrupt:
    del arrays[:]
    time.sleep(0.1)
arrays = [np.ones((32, 32, 2000), np.float32, order="F") for _ in range(3)]
launch(arrays)
assert (arrays[2] == 32).all()
print("there")
"""


@pytest.mark.parametrize(
    "backend", [pytest.param("sycl", marks=needs_sycl), pytest.param("mlir", marks=pytest.mark.tools_of("mlir"))]
)
def test_interrupts_at_any_moment(backend: str, tmp_path: Path, request: pytest.FixtureRequest) -> None:
    draw = random.Random(1)
    for number in range(request.config.getoption("--interrupt-rounds")):
        # every other process finds its kernel in the cache; the others build it, and are interrupted then, too
        place = tmp_path / ("cache" if number % 2 else f"cache{number}")
        done = run(tmp_path, place, PROGRAM, backend, str(draw.uniform(0.0, 1.0 if number % 2 else 4.0)))
        assert (done.returncode, done.stdout, done.stderr) == (0, "there\n", "")
