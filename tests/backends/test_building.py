"""Builds that take long: what is said, what ends them, and how their time grows."""

from __future__ import annotations

import io
import os
import subprocess
import sys
import threading
import types
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from launch_kit import ROOT, needs_sycl

import pytl
from pytl.backends import building
from pytl.backends.building import TOO_LONG
from pytl.backends.mlir import process
from pytl.devices import bootstrap


@pytest.fixture(autouse=True)
def no_cache(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTL_CACHE", "0")


def chain(count: int) -> pytl.Kernel:
    """Additions of which each needs the one before."""
    steps = "".join(f"%v{k + 1} = arith.add %v{k}, %x : f32\n" for k in range(count))
    head = (
        "func @chain(%a: memref<f32x8>) {\n%i = constant 0 : index\n%x = load %a[%i] : f32\n%v0 = load %a[%i] : f32\n"
    )
    return pytl.compile(f"{head}{steps}store %v{count}, %a[%i]\n}}")["chain"]


def products(count: int) -> pytl.Kernel:
    """The same product many times, into arrays of which each is a factor of the next one."""
    names = ["%A", "%C", "%D"]
    steps = "".join(f"gemm.n.n %o, {names[k % 3]}, %B, %o, {names[(k + 1) % 3]}\n" for k in range(count))
    parameters = ", ".join(f"{name}: memref<f32x8x8>" for name in ("%A", "%B", "%C", "%D"))
    return pytl.compile(f"func @products({parameters}) {{\n%o = constant 1.0 : f32\n{steps}}}")["products"]


# How time grows.


@pytest.mark.at_night
@needs_sycl
def test_instructions_are_gone_through_a_fixed_number_of_times(monkeypatch: pytest.MonkeyPatch) -> None:
    from numba.core import ir

    real, seen = ir.Block.find_insts, [0]

    def find(self: Any, cls: Any = None) -> Iterator[Any]:
        for inst in real(self, cls):
            seen[0] += 1
            yield inst

    monkeypatch.setattr(ir.Block, "find_insts", find)

    def work(count: int) -> int:
        before, x = seen[0], np.ones(8, np.float32)
        chain(count)[1](x)
        assert x[0] == count + 1
        return seen[0] - before

    work(2)
    assert work(160) < 5 * work(40)  # not sixteen times


@needs_sycl
def test_variables_that_are_assigned_once_are_those_of_numba(monkeypatch: pytest.MonkeyPatch) -> None:
    from pytl.backends.numba_dpex.device.lowering import LinearLower, Lower

    real, found = LinearLower._find_singly_assigned_variable, []

    def both(self: Any) -> None:
        Lower._find_singly_assigned_variable(self)
        expected = self._singly_assigned_vars
        real(self)
        found.append((expected, self._singly_assigned_vars))

    monkeypatch.setattr(LinearLower, "_find_singly_assigned_variable", both)
    text = """
    func @f(%a: memref<f32x8>, %n: index) {
      %z = constant 0 : index
      %s = load %a[%z] : f32
      %t = for %i = %z, %n init(%c = %s) -> (f32) {
        %v = load %a[%i] : f32
        %big = cmp.gt %v, %c : f32
        %r = if %big -> (f32) {
          %d = arith.add %v, %v : f32
          yield (%d)
        } else {
          yield (%c)
        }
        yield (%r)
      }
      store %t, %a[%z]
    }"""
    x = np.arange(8, dtype=np.float32)
    pytl.compile(text)["f"][1](x, 8)
    assert x[0] == 14.0
    assert found and all(expected == ours for expected, ours in found)
    assert any(ours for _, ours in found)


@pytest.mark.at_night
@needs_sycl
def test_the_same_product_is_written_once(monkeypatch: pytest.MonkeyPatch) -> None:
    from pytl.backends.numba_dpex.vector import kernel

    real, written = kernel._once, []
    monkeypatch.setattr(kernel, "_once", lambda function: written.append(real(function)) or written[-1])
    arrays = [np.full((8, 8), 0.01, np.float32, order="F") for _ in range(4)]
    expected = [array.copy() for array in arrays]
    products(12)[1](*arrays)
    a, b, c, d = expected
    for k in range(12):
        factor, target = [(a, c), (c, d), (d, a)][k % 3]
        target += factor @ b
    np.testing.assert_allclose(arrays, expected, rtol=1e-5)
    assert len(written) >= 12
    assert len({function.name for function in written}) < len(written) / 2


# The limit.


STAGES = ("types", "code", "the device's driver")


@needs_sycl
@pytest.mark.parametrize("stage", STAGES)
def test_the_limit_ends_a_build(stage: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """And the next launch, with time enough, works."""
    real = building.at

    def at(name: str) -> None:
        real(name)
        build = building.current()
        if name == stage and build is not None and build.limit == 500:
            build.limit = 0.0

    monkeypatch.setenv("PYTL_COMPILE_SECONDS", "500")
    from pytl.backends.numba_dpex import backend, toolchain
    from pytl.backends.numba_dpex.device.target import compiler_module

    assert compiler_module()
    monkeypatch.setattr(building, "at", at)
    for module in (backend, toolchain):
        monkeypatch.setattr(module, "at", at)
    if stage == "the device's driver":  # which is the last, and has been called when the limit is looked at again
        monkeypatch.setattr(backend, "at", lambda name: (at(name), building.check()))
    length = 3 + STAGES.index(stage)  # an equal kernel would share what was compiled
    kernel, x = chain(length), np.ones(8, np.float32)
    with pytest.raises(pytl.PytlError) as caught:
        kernel[1](x)
    assert caught.value.code == TOO_LONG.code
    assert f"the last step was: {stage}" in str(caught.value)
    assert x[0] == 1 and building.current() is None
    monkeypatch.setenv("PYTL_COMPILE_SECONDS", "600")
    kernel[1](x)
    assert x[0] == 1 + length


@needs_sycl
def test_the_limit_ends_a_build_for_sizes(monkeypatch: pytest.MonkeyPatch) -> None:
    """The kernel for all sizes is not tried instead."""
    monkeypatch.setenv("PYTL_COMPILE_SECONDS", "0.0001")
    text = "func @f(%a: memref<f32x?>) { %0 = constant 1.0 : f32  axpby.n %0, %a, %0, %a }"
    kernel = pytl.compile(text)["f"]
    with pytest.raises(pytl.PytlError) as caught:
        kernel[1](np.ones(8, np.float32))
    assert caught.value.code == TOO_LONG.code
    assert not kernel.cache_info().builds


def test_the_limit_ends_a_tool(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTL_COMPILE_SECONDS", "0.2")
    function = chain(1).function
    with pytest.raises(pytl.PytlError) as caught, building.building(function):
        process.run(["sleep", "60"], b"", function.location, "sleep")
    assert caught.value.code == TOO_LONG.code
    assert "@chain is not compiled after 0.2 s; the last step was: sleep" in str(caught.value)


def test_tools_have_their_own_limit_beside_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTL_TOOL_SECONDS", "0.2")
    function = chain(1).function
    with pytest.raises(pytl.PytlError) as caught, building.building(function):
        process.run(["sleep", "60"], b"", function.location, "sleep")
    assert caught.value.code == process.HANGS.code


# What is said.


class Screen(io.StringIO):
    """A terminal, which says when something is written."""

    def __init__(self, is_terminal: bool = True) -> None:
        super().__init__()
        self.is_terminal, self.written = is_terminal, threading.Event()

    def isatty(self) -> bool:
        return self.is_terminal

    def write(self, text: str) -> int:
        self.written.set()
        return super().write(text)


def said(screen: Screen, monkeypatch: pytest.MonkeyPatch, waits: bool = True) -> str:
    monkeypatch.setattr(building, "LONG", 0.0)
    monkeypatch.setattr(sys, "stderr", screen)
    with building.building(chain(1).function):
        building.at("types")
        assert not waits or screen.written.wait(60)
    return screen.getvalue()


def test_a_long_build_is_told_on_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    lines = said(Screen(), monkeypatch).split("\r")
    assert lines[0] == "" and lines[1].startswith("pytl compiles @chain: ")
    assert lines[-1].startswith("pytl compiled @chain in ") and lines[-1].endswith(" s\x1b[K\n")
    assert all("\n" not in line for line in lines[:-1])


def test_a_short_build_is_not_told(monkeypatch: pytest.MonkeyPatch) -> None:
    screen = Screen()
    monkeypatch.setattr(sys, "stderr", screen)
    with building.building(chain(1).function):
        pass
    assert screen.getvalue() == ""


@pytest.mark.parametrize("setting", ["0", "1"])
def test_nothing_is_told_elsewhere_or_where_it_is_turned_off(setting: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTL_PROGRESS", setting)
    assert said(Screen(is_terminal=setting == "0"), monkeypatch, waits=False) == ""


def test_a_long_build_has_a_bar_in_a_notebook(monkeypatch: pytest.MonkeyPatch) -> None:
    shown: list[str] = []
    screen = Screen()

    class Handle:
        def update(self, content: str) -> None:
            shown.append(content)

    def display(content: str, display_id: bool) -> Handle:
        shown.append(content)
        screen.written.set()
        return Handle()

    shell = types.SimpleNamespace(kernel=object())
    module: Any = types.ModuleType("IPython.display")
    module.HTML, module.display = str, display
    monkeypatch.setitem(sys.modules, "IPython", types.SimpleNamespace(get_ipython=lambda: shell))  # type: ignore[arg-type]
    monkeypatch.setitem(sys.modules, "IPython.display", module)
    assert said(screen, monkeypatch) == ""
    assert shown[0].startswith("<progress></progress> pytl compiles @chain: ")
    assert shown[-1].startswith("pytl compiled @chain in ")


def test_a_long_load_is_told_of(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(building, "LONG", 0.0)
    screen = Screen()
    monkeypatch.setattr(sys, "stderr", screen)
    with building.loading(chain(1).function, "the device's driver"):
        assert building.current() is None  # there is no limit
        assert screen.written.wait(60)
    lines = screen.getvalue().split("\r")
    assert lines[1] == "pytl loads @chain: the device's driver, 0 s\x1b[K"
    assert lines[-1].startswith("pytl loaded @chain in ")


def test_a_build_tells_of_itself_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where a build loads another kernel, as one for known sizes does."""
    monkeypatch.setattr(building, "LONG", 0.0)
    screen = Screen()
    monkeypatch.setattr(sys, "stderr", screen)
    with building.building(chain(1).function), building.loading(chain(2).function, "the device's driver"):
        assert screen.written.wait(60)
    assert "loads" not in screen.getvalue()


LOADING = """
import pytl
from pytl.backends import building
from pytl.devices import bootstrap
building.LONG = 0.0
function = pytl.compile("func @f(%x: memref<f32x4>) {}")["f"].function
with building.loading(function, "the device's driver"), bootstrap.compiling():
    sys.stdin.readline()
"""


@pytest.mark.skipif(os.name != "posix", reason="terminals are made by POSIX")
def test_it_is_told_while_the_driver_compiles() -> None:
    """What is written to standard error then is collected, but not this."""
    master, slave = os.openpty()
    command = [sys.executable, "-c", f"import sys; sys.path.insert(0, {str(ROOT)!r})\n{LOADING}"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stderr=slave) as process:
        os.close(slave)
        assert process.stdin is not None
        told = b""
        while b"pytl loads @f: the device's driver, " not in told:
            told += os.read(master, 1000)  # an error where the process ends
        process.stdin.write(b"\n")
        process.stdin.close()
        assert process.wait(60) == 0
    told += os.read(master, 1000)
    os.close(master)
    assert b"pytl loaded @f in " in told


def test_remarks_of_the_driver_are_dropped(capfd: pytest.CaptureFixture[str]) -> None:
    with bootstrap.compiling():
        os.write(2, b"warning: <unknown>:0:0: loop not vectorized: the optimizer was unable to\n")
        os.write(2, b"error: something else\n")
    assert capfd.readouterr().err == "error: something else\n"
