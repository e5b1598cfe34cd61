"""Threads that share the work-groups of a launch on the host: each work-group once, whoever launches or interrupts."""

from __future__ import annotations

import ctypes
import os
import signal
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from itertools import count
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from launch_kit import clean_python
from mlir_kit import Written, memref

import pytl
from pytl.backends.mlir import host
from pytl.backends.mlir import team as team_module

pytestmark = pytest.mark.tools_of("mlir")

COUNT = """func @count(%x: memref<i64x?>, %more: i64) {
  %g = builtin.group_id : index
  %old = load %x[%g] : i64
  %new = arith.add %old, %more : i64
  store %new, %x[%g]
}"""

FLAGS = memref("i32", "?")
WAIT = Written(
    "func @wait(%x: memref<i32x?>) { %z = constant 0 : index  %o = constant 1 : i32  store %o, %x[%z] }",
    {"x": FLAGS},
    f"""
      %none = arith.constant 0 : i32
      %one = arith.constant 1 : i32
      %low_flag = arith.constant 1 : index
      %high_flag = arith.constant 2 : index
      %half = arith.constant 8 : index
      %begun = memref.atomic_rmw addi %one, %x[%c0] : (i32, {FLAGS}) -> i32
      %is_low = arith.cmpi ult, %g, %half : index
      %flag = arith.select %is_low, %low_flag, %high_flag : index
      scf.while : () -> () {{
        %v = memref.atomic_rmw ori %none, %x[%flag] : (i32, {FLAGS}) -> i32
        %more = arith.cmpi eq, %v, %none : i32
        scf.condition(%more)
      }} do {{
        scf.yield
      }}""",
)
"""Counts the work-groups that have begun; the first eight wait for one number, all others for another."""


def test_each_work_group_is_executed_once() -> None:
    kernel = pytl.compile(COUNT)["count"]
    generator = np.random.default_rng(3)
    expected = np.zeros(300, np.int64)
    x = expected.copy()
    for step in range(400):
        groups, threads = generator.integers(1, 300), generator.integers(1, 7)
        kernel[int(groups), {"threads": int(threads)}](x, step, backend="mlir")
        expected[:groups] += step
    np.testing.assert_array_equal(x, expected)


def test_workers_wake_again() -> None:
    kernel = pytl.compile(COUNT)["count"]
    x = np.zeros(64, np.int64)
    for _ in range(5):
        kernel[64, {"threads": 3}](x, 1, backend="mlir")
        team = host.team(kernel.function)
        deadline = time.monotonic() + 60
        while team.awake and time.monotonic() < deadline:
            time.sleep(0.01)
        assert not team.awake
    assert (x == 5).all()


def test_a_short_launch_is_the_callers_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    now = count()
    monkeypatch.setattr(host, "perf_counter", lambda: next(now) * 1e-7)  # the calls are short whatever else runs here
    calls: list[tuple[int, int, int]] = []
    took = ctypes.CFUNCTYPE(None, ctypes.c_int64, ctypes.c_int64, ctypes.c_int64, ctypes.c_void_p)
    entry = took(lambda first, last, groups, address: calls.append((first, last, threading.get_ident())))
    code = host.Code(entry, pytl.compile(COUNT)["count"].function, 0)
    code.run(1, ctypes.c_void_p(0), None, None)
    calls.clear()
    for _ in range(20):
        code.run(10, ctypes.c_void_p(0), None, None)
    alone = [each for each in calls if each[:2] == (0, 10)]
    assert len(alone) >= 10 and {thread for *_, thread in alone} == {threading.get_ident()}


def test_repeated_launches_are_shared_though_the_first_was_not(monkeypatch: pytest.MonkeyPatch) -> None:
    took = ctypes.CFUNCTYPE(None, ctypes.c_int64, ctypes.c_int64, ctypes.c_int64, ctypes.c_void_p)
    threads: set[int] = set()
    code = host.Code(took(lambda *_: threads.add(threading.get_ident())), pytl.compile(COUNT)["count"].function, 0)
    team = host.team(code.function)
    monkeypatch.setattr(host, "processors", lambda: 2)
    monkeypatch.setattr(host, "_asked", (0.0, 1))
    # a worker that an earlier test woke may get Python's lock, and say that it is awake, at any time
    monkeypatch.setattr(team, "is_awake", lambda workers: False)
    monkeypatch.setattr(code, "_seconds", 1e-5)
    monkeypatch.setattr(team_module, "SOON", 600.0)  # whatever else this machine does
    team.ended = -np.inf
    woken: list[int] = []
    monkeypatch.setattr(team, "_wake", woken.append)
    code.run(8, ctypes.c_void_p(0), None, None)
    assert not woken and threads == {threading.get_ident()}
    monkeypatch.setattr(code, "_seconds", 1e-5)
    code.run(8, ctypes.c_void_p(0), None, None)
    assert woken == [1]


def test_launches_of_several_threads() -> None:
    kernel = pytl.compile(COUNT)["count"]
    arrays = [np.zeros(500, np.int64) for _ in range(6)]

    def launch(x: np.ndarray) -> None:
        for _ in range(200):
            kernel[500, {"threads": 3}](x, 2, backend="mlir")

    with ThreadPoolExecutor(6) as pool:
        list(pool.map(launch, arrays))
    for each in arrays:
        assert (each == 400).all()


# Ctrl-C.


def waiting(by_hand: Any) -> tuple[np.ndarray, pytl.Kernel]:
    """Flags, and a kernel that waits for them, whose code is there, and is known to take long."""
    flags, kernel = np.ones(3, np.int32), by_hand(WAIT)
    kernel[16, {"threads": 2}](flags, backend="mlir")
    flags[...] = 0
    at(0.2, lambda: flags.fill(1))
    kernel[16, {"threads": 2}](flags, backend="mlir")
    flags[...] = 0
    return flags, kernel


def at(seconds: float, function: Callable[[], None]) -> None:
    threading.Timer(seconds, function).start()


def interrupt() -> None:
    signal.pthread_kill(threading.main_thread().ident or 0, signal.SIGINT)


def let_go(flags: np.ndarray, number: int) -> Callable[[], None]:
    def set_it() -> None:
        flags[number] = 1

    return set_it


def test_an_interrupted_launch_waits_for_its_threads(by_hand: Any) -> None:
    flags, kernel = waiting(by_hand)
    at(0.1, interrupt)
    at(0.3, let_go(flags, 1))
    at(0.6, let_go(flags, 2))
    began = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        kernel[16, {"threads": 2}](flags, backend="mlir")
    assert time.monotonic() - began >= 0.5, "the worker was waiting still"
    assert flags[0] == 4, "of two threads, each has had one piece of two work-groups"
    time.sleep(0.05)
    assert flags[0] == 4


def test_a_second_interrupt_does_not_end_the_wait(by_hand: Any) -> None:
    flags, kernel = waiting(by_hand)
    at(0.1, interrupt)
    at(0.2, let_go(flags, 1))
    at(0.3, interrupt)
    at(0.4, interrupt)
    at(0.6, let_go(flags, 2))
    began = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        kernel[16, {"threads": 2}](flags, backend="mlir")
    assert time.monotonic() - began >= 0.5
    assert flags[0] == 4


def test_the_next_launch_waits_for_what_was_left_open(by_hand: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where Ctrl-C comes before the wait begins, what the workers work on is kept."""
    flags, kernel = waiting(by_hand)
    team, others = host.team(kernel.function), np.ones(3, np.int32)
    monkeypatch.setattr(team, "_end", lambda: None)
    at(0.1, interrupt)
    at(0.2, let_go(flags, 1))
    with pytest.raises(KeyboardInterrupt):
        kernel[16, {"threads": 2}](flags, backend="mlir")
    monkeypatch.undo()
    assert team.kept is not None
    at(0.1, let_go(flags, 2))
    kernel[16, {"threads": 2}](others, backend="mlir")
    assert others[0] == 17
    begun = flags[0]
    time.sleep(0.05)
    assert flags[0] == begun and flags[2] == 1


# Processes.


def test_a_fork_has_threads_of_its_own() -> None:
    program = f"""
import os
import numpy as np
import pytl

kernel = pytl.compile('''{COUNT}''')["count"]

def launch() -> int:
    x = np.zeros(100, np.int64)
    for _ in range(20):
        kernel[100, {{"threads": 3}}](x, 1, backend="mlir")
    return int((x == 20).all())

assert launch() == 1
if os.fork() == 0:
    os._exit(7 * launch())
print(os.waitstatus_to_exitcode(os.wait()[1]))
"""
    done = clean_python(program, PATH=os.environ["PATH"])
    assert (done.stderr, done.stdout) == ("", "7\n")


def test_the_native_part_is_the_same_in_all_processes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is made once, and is in the cache then."""
    from pytl.backends.mlir import artefacts, team
    from pytl.devices.cache import current

    monkeypatch.setenv("PYTL_CACHE_DIR", str(tmp_path))
    function = pytl.compile(COUNT)["count"].function
    made = artefacts.own_library("team", team.text(), function)
    monkeypatch.setattr(artefacts, "link_shared", None)
    assert artefacts.own_library("team", team.text(), function) == made
    cache = current()
    assert cache is not None and len(list(cache.stored())) == 1
