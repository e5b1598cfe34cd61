"""Launches of the same arguments on the host, which native code compares and executes: whatever changes is seen."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from launch_kit import clean_python

import pytl
from pytl.backends.mlir import again, host
from pytl.launch import plans

pytestmark = pytest.mark.tools_of("mlir")

ADD = """func @add(%x: memref<f64x?x3>, %y: memref<f64x?x3>, %s: f64) {
  axpby.n %s, %x, 1.0, %y
}"""
OFTEN = 4 * plans.MAX_SAME


def _adding(launch: Callable[..., Any], x: np.ndarray, y: np.ndarray, s: Any = 2.0, times: int = OFTEN) -> None:
    """Launches until native code does it, each of which adds."""
    for _ in range(times):
        before = y.copy()
        launch(x, y, s, backend="mlir")
        np.testing.assert_array_equal(y, before + s * x)


@pytest.fixture
def counted(monkeypatch: pytest.MonkeyPatch) -> list[bool]:
    """What launches by native code have found, one by one."""
    found: list[bool] = []
    launch = again.LaunchAgain.__call__

    def count(self: again.LaunchAgain, arguments: tuple[Any, ...]) -> bool:
        found.append(launch(self, arguments))
        return found[-1]

    monkeypatch.setattr(again.LaunchAgain, "__call__", count)
    return found


def _arrays() -> tuple[np.ndarray, np.ndarray]:
    generator = np.random.default_rng(1)
    return np.asfortranarray(generator.integers(0, 9, (4, 3)).astype(float)), np.zeros((4, 3), order="F")


def test_the_same_arguments_are_launched_by_native_code(counted: list[bool]) -> None:
    kernel = pytl.compile(ADD)["add"]
    x, y = _arrays()
    launches = kernel[1]
    _adding(launches, x, y)
    assert counted.count(True) == OFTEN - plans.MAX_SAME - 2
    assert kernel.cache_info().memory_hits == OFTEN - 1, "each launch is counted"
    counted.clear()
    _adding(launches, x[...], y[...])  # the same memory by other objects
    assert counted.count(False) <= 1 and counted.count(True) > OFTEN // 2


def test_numbers_are_the_same_objects(counted: list[bool]) -> None:
    kernel = pytl.compile(ADD)["add"]
    x, y = _arrays()
    for number in (1.5, 2.5, np.float64(1.5), 3, -0.0):
        _adding(kernel[1], x, y, number)
    assert counted.count(True) > 4 * (OFTEN - plans.MAX_SAME - 4)


CHANGES: dict[str, Callable[[np.ndarray], np.ndarray]] = {
    "another address": lambda y: y.copy(order="F"),
    "other strides": lambda y: np.zeros((4, 6), order="F")[:, ::2],
    "fewer rows": lambda y: y[:3],
}


@pytest.mark.parametrize("change", CHANGES)
def test_other_arrays_are_seen(change: str, counted: list[bool]) -> None:
    kernel = pytl.compile(ADD)["add"]
    x, y = _arrays()
    _adding(kernel[1], x, y)
    other = CHANGES[change](y)
    _adding(kernel[1], x[: len(other)], other)
    _adding(kernel[1], x, y)
    assert True in counted and False in counted


def test_changes_in_place_are_seen() -> None:
    kernel = pytl.compile(ADD)["add"]
    x, y = _arrays()
    _adding(kernel[1], x, y)
    y.flags.writeable = False
    with pytest.raises(pytl.LaunchError, match="PYTL-2007"):
        kernel[1](x, y, 2.0, backend="mlir")
    y.flags.writeable = True
    _adding(kernel[1], x, y)
    y.resize((40, 3), refcheck=False)
    _adding(kernel[1], np.asfortranarray(np.ones((40, 3))), y)
    with pytest.raises(pytl.LaunchError):
        kernel[1](x, y.view(np.int64), 2.0, backend="mlir")


def test_other_groups_options_and_settings_are_seen(monkeypatch: pytest.MonkeyPatch, counted: list[bool]) -> None:
    kernel = pytl.compile(
        """func @count(%x: memref<i64x?>) {
  %g = builtin.group_id : index
  %one = constant 1 : i64
  %old = load %x[%g] : i64
  %new = arith.add %old, %one : i64
  store %new, %x[%g]
}"""
    )["count"]
    x, expected = np.zeros(8, np.int64), np.zeros(8, np.int64)
    for groups in (3, 5, 1, 3):
        for _ in range(OFTEN):
            kernel[groups](x, backend="mlir")
            expected[:groups] += 1
    assert (x == expected).all() and counted.count(True) > 2 * OFTEN
    counted.clear()
    monkeypatch.setenv("PYTL_CHECKS", "1")
    kernel[3](x, backend="mlir")
    kernel[3](x, backend="reference")
    assert not counted


BY_COLUMNS = """func @add(%x: memref<f64x64x?>, %y: memref<f64x64x?>, %s: f64) {
  %g = builtin.group_id : index
  %u = subview %x[:, %g] : memref<f64x64>
  %v = subview %y[:, %g] : memref<f64x64>
  axpby.n %s, %u, 1.0, %v
}"""


def test_shared_launches_use_the_team(monkeypatch: pytest.MonkeyPatch, counted: list[bool]) -> None:
    kernel = pytl.compile(BY_COLUMNS)["add"]
    x, y = np.ones((64, 40), order="F"), np.zeros((64, 40), order="F")
    launch, step = kernel[40, {"threads": 2}], 0
    while True not in counted and step < 100_000:  # the worker may have to wait for a processor
        step += 1
        launch(x, y, 2.0, backend="mlir")
    assert (y == 2.0 * step).all() and True in counted
    monkeypatch.setattr(host.team(kernel.function), "is_awake", lambda workers: False)
    counted.clear()
    launch(x, y, 2.0, backend="mlir")
    assert counted == [False], "workers that sleep are woken in the usual way"
    assert (y == 2.0 * (step + 1)).all()


def test_several_threads_launch_at_the_same_time() -> None:
    kernel = pytl.compile(BY_COLUMNS)["add"]
    wrong: list[int] = []

    def run(seed: int) -> None:
        x, y = np.full((64, 20), float(seed), order="F"), np.zeros((64, 20), order="F")
        launch = kernel[20, {"threads": 1 + seed % 2}]
        for _ in range(200):
            launch(x, y, 2.0, backend="mlir")
        if not (y == 400.0 * seed).all():
            wrong.append(seed)

    threads = [threading.Thread(target=run, args=(seed,)) for seed in range(1, 5)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork")
def test_children_have_workers_of_their_own() -> None:
    path = os.environ["PATH"]  # of the compiler that links
    done = clean_python(
        f"""
import os
import numpy as np
import pytl

kernel = pytl.compile({BY_COLUMNS!r})["add"]
launch = kernel[40, {{"threads": 2}}]
x, y = np.ones((64, 40), order="F"), np.zeros((64, 40), order="F")
for _ in range({OFTEN}):
    launch(x, y, 2.0, backend="mlir")
child = os.fork()
for _ in range({OFTEN}):
    launch(x, y, 2.0, backend="mlir")
assert (y == 4.0 * {OFTEN}).all()
if child:
    assert os.waitpid(child, 0)[1] == 0
    print("both")
""",
        PATH=path,
    )
    assert done.stdout.strip() == "both", done.stderr


def test_interpreters_with_other_objects_go_the_usual_way(monkeypatch: pytest.MonkeyPatch, counted: list[bool]) -> None:
    monkeypatch.setattr(again, "_entry", None)
    monkeypatch.setattr(again, "_HEADER", 32)  # as one without the lock has
    kernel = pytl.compile(ADD)["add"]
    x, y = _arrays()
    _adding(kernel[1], x, y)
    assert not counted
    monkeypatch.setattr(again, "_entry", None)
    monkeypatch.setattr(again, "_HEADER", 16)
    monkeypatch.setattr(again, "_words_of", lambda argument: (0, id(argument)))
    _adding(kernel[1], x, y)
    assert not counted, "arrays that native code does not tell apart are not for it"


def test_launches_do_not_need_it(monkeypatch: pytest.MonkeyPatch, counted: list[bool]) -> None:
    def refuse(*_: Any) -> bytes:
        raise pytl.PlatformError([])

    monkeypatch.setattr(again, "_entry", None)
    monkeypatch.setattr(again, "own_library", refuse)
    kernel = pytl.compile(ADD)["add"]
    x, y = _arrays()
    _adding(kernel[1], x, y)
    assert not counted
