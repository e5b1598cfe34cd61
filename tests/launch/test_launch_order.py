"""In which order launches run: queues, events, threads, devices; and what their events tell."""

import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest
from launch_kit import ROOT, needs_sycl

import pytl
from pytl import Group, Memref, atomic, i64
from pytl.backends.registry import find_backend

pytestmark = needs_sycl
LONG = 1_500_000
"""Iterations that take a tenth of a second."""


@pytl.kernel
def count(x: Memref[i64, ...], n: i64):
    for k in range(n):
        atomic.store(x[0], k + 1)


@pytl.kernel
def take(x: Memref[i64, ...], y: Memref[i64, ...]):
    y[0] = x[0]


@pytl.kernel
def take_item(x: Group[i64, 1], y: Memref[i64, 1]):
    y[0] = x[0][0]


def zeros(queue: Any, number: int = 2) -> list[Any]:
    from device_kit import dpt

    return [dpt.zeros(1, dtype="i8", sycl_queue=queue) for _ in range(number)]


@pytest.fixture(scope="module", params=["out of order", "in order"])
def queue(request: pytest.FixtureRequest) -> Iterator[Any]:
    import dpctl

    queue = dpctl.SyclQueue(property="in_order" if request.param == "in order" else ())
    yield queue
    queue.wait()


def test_submit_does_not_wait_and_its_dependencies_do(queue: Any) -> None:
    import dpctl

    x, y = zeros(queue)
    first = count[1].submit(x, LONG)
    assert first.execution_status != dpctl.event_status_type.complete
    second = take[1].submit(x, y, depends=[first])
    third = take[0].submit(x, y, depends=(first, second))  # no work-groups, but an event
    third.wait()
    assert int(y[0]) == LONG
    assert first.execution_status == second.execution_status == dpctl.event_status_type.complete


@pytest.mark.at_most(1)
def test_a_launch_that_is_waited_for_comes_after_what_was_submitted(queue: Any) -> None:
    """Also the first launch of its kind, and one of a group, whose table of addresses is kept."""
    from device_kit import dpt

    for _ in range(2):
        for launch in (take[1], take_item[1]):
            x, y = zeros(queue)
            count[1].submit(x, LONG)
            launch(x if launch.kernel is take else dpt.reshape(x, (1, 1)), y)
            assert int(y[0]) == LONG


@pytest.mark.needs_tensors
def test_dpctl_sees_what_a_launch_wrote(queue: Any) -> None:
    """And a launch what dpctl's operations wrote, which return when they have ended."""
    from device_kit import dpt

    x, y = zeros(queue)
    x += 5
    take[1](x, y)
    assert int(dpt.sum(y + x)) == 10
    dpt.add(x, y, out=x)
    take[1].submit(x, y).wait()
    assert int(y[0]) == 10


def test_events_of_other_queues_and_contexts() -> None:
    import dpctl

    part = dpctl.SyclDevice("cpu").create_sub_devices(partition=1)[0]
    one, other = dpctl.SyclQueue(), dpctl.SyclQueue(part)
    assert one.sycl_context != other.sycl_context
    x, y = zeros(one)
    u, v = zeros(other)
    first = count[1].submit(x, LONG)
    second = take[1].submit(u, v, depends=[first])
    second.wait()
    assert first.execution_status == dpctl.event_status_type.complete
    dpctl.SyclEvent.wait_for([first, second])
    assert second.get_wait_list() is not None
    barrier = one.submit_barrier([second])  # dpctl takes our events, too
    take[1].submit(x, y, depends=[barrier]).wait()
    assert int(y[0]) == LONG


def test_threads_submit_and_wait_on_one_queue(queue: Any) -> None:
    from device_kit import dpt

    start = threading.Barrier(4)

    def work(number: int) -> list[int]:
        start.wait()
        seen = []
        for repeat in range(30):
            x, y = zeros(queue)
            x[0] = 100 * number + repeat
            launch, x = (take, x) if repeat % 3 else (take_item, dpt.reshape(x, (1, 1)))
            if repeat % 2:
                launch[1](x, y)
            else:
                launch[1].submit(x, y).wait()
            seen.append(int(y[0]))
        return seen

    with ThreadPoolExecutor(4) as pool:
        for number, seen in enumerate(pool.map(work, range(4))):
            assert seen == [100 * number + repeat for repeat in range(30)]


def test_launches_wait_while_another_thread_waits_for_the_queue(queue: Any) -> None:
    """Intel's OpenCL CPU driver crashes where both happen at once; all ways to launch go by one lock of the queue."""
    from dpctl import SyclQueue

    from pytl.backends.numba_dpex import queues

    x, y = zeros(queue)
    bound = take[1].bind(x, y)
    ways = {
        "first": lambda: take_item[1]([x], y),
        "repeated": lambda: take[1](x, y),
        "bound": bound,
        "submitted": lambda: take[1].submit(x, y).wait(),
        "waits": lambda: find_backend("sycl").finish(queue),
    }
    take[1](x, y)
    for way, launch in ways.items():
        with ThreadPoolExecutor(1) as pool:
            with queues.lock_of(SyclQueue(queue._get_capsule())):  # another Python object of the same queue
                x[0] = 7
                y[0] = 0
                ended = pool.submit(launch)
                time.sleep(0.05)
                assert not ended.done() and int(y[0]) == 0, way
            ended.result(timeout=10)
            assert int(y[0]) == (7 if way != "waits" else 0), way


def test_arrays_of_other_queues_shapes_and_places(queue: Any) -> None:
    """Launches that differ in what was decided for an earlier one."""
    import dpctl
    from device_kit import dpt

    other = dpctl.SyclQueue()
    for where in (queue, other, queue):
        for x in (dpt.full(1, 7, dtype="i8", sycl_queue=where), dpt.arange(7, 9, dtype="i8", sycl_queue=where)):
            (y,) = zeros(where, 1)
            take[1](x, y)
            take[1](x[-1:], y[:])
            assert int(y[0]) == int(x[-1])
    whole = dpt.asarray(np.arange(8).reshape(1, 8), dtype="i8", order="F", sycl_queue=queue)
    for begin in range(4):  # the same group elsewhere: other addresses in the table
        (y,) = zeros(queue, 1)
        take_item[1](whole[:, begin : begin + 4], y)
        assert int(y[0]) == begin


def test_settings_that_change_between_launches(monkeypatch: pytest.MonkeyPatch) -> None:
    x, y = np.full(1, 3), np.zeros(1, np.int64)
    take[1](x, y)
    monkeypatch.setenv("PYTL_COPY_NUMPY", "1")
    memory = np.zeros(3, np.int64)
    with pytest.raises(pytl.LaunchError, match="PYTL-2013"):  # only what is copied must not overlap
        take[1](memory[:2], memory[1:])
    monkeypatch.setenv("PYTL_COPY_NUMPY", "0")
    take[1](memory[:2], memory[1:])
    monkeypatch.setenv("PYTL_DEVICE", "cuda:5")
    with pytest.raises(pytl.PlatformError, match="there is no SYCL device 'cuda:5'"):
        take[1](x, y)
    take[1, {"device": "cpu"}](x, y)  # the option is nearer
    monkeypatch.setenv("PYTL_DEVICE", "")
    monkeypatch.setenv("PYTL_BACKEND", "reference")
    access = "if %b { %x = load %a[%n] : f32  store %x, %a[%n] }"
    unwritten = pytl.compile(f"func @f(%a: memref<f32x4>, %n: index, %b: bool) {{ {access} }}")["f"]
    a = np.zeros(4, np.float32)
    for _ in range(2):
        with pytest.raises(pytl.ExecutionError):
            unwritten[1](a, 4, True)
    monkeypatch.setenv("PYTL_CHECKS", "maybe")
    with pytest.raises(pytl.PlatformError, match="PYTL_CHECKS is 'maybe'"):
        unwritten[1](a, 3, True)
    monkeypatch.setenv("PYTL_BACKEND", "sycl")
    with pytest.raises(pytl.PlatformError, match="PYTL_CHECKS is 'maybe'"):
        take[1](x, y)
    monkeypatch.setenv("PYTL_CHECKS", "1")
    take[1](x, y)
    assert y[0] == 3


# Devices.


@pytest.mark.parametrize("device", ["cpu", "opencl", "opencl:cpu", "0", "opencl:cpu:0"])
def test_the_option_device(device: str) -> None:
    x, y = np.full(1, 3), np.zeros(1, np.int64)
    take[1, {"device": device}](x, y)
    assert y[0] == 3
    u, v = zeros(None)
    take[1, {"device": device, "strategy": "many-items"}].submit(u, v).wait()


@pytest.mark.parametrize("value", [b"cpu", 0, True, ["cpu"]])
def test_the_option_device_of_other_types(value: Any) -> None:
    with pytest.raises(pytl.PlatformError) as caught:
        take[1, {"device": value}](np.zeros(1, np.int64), np.zeros(1, np.int64), backend="sycl")
    (problem,) = caught.value.diagnostics
    shown = "of the type bytes" if value == b"cpu" else repr(value)
    assert (problem.code, problem.message, problem.help) == (
        "PYTL-3012",
        f"the option device is {shown}",
        "it takes the filter string of a device, such as 'opencl:cpu' or 'gpu'; `pytl devices` lists them",
    )


# Times.


def test_timing() -> None:
    import dpctl

    profiled = dpctl.SyclQueue(property="enable_profiling")
    x, _ = zeros(profiled)
    event = count[1].submit(x, 200_000)
    seconds = pytl.timing(event)
    assert 0 < seconds < 60
    assert seconds == (event.profiling_info_end - event.profiling_info_start) * 1e-9
    assert event.profiling_info_submit <= event.profiling_info_start
    x, _ = zeros(dpctl.SyclQueue())
    with pytest.raises(pytl.LaunchError, match=r"PYTL-2022.*the event has no times"):
        pytl.timing(count[1].submit(x, 1))


# The end.


def test_a_program_may_end_while_its_kernels_run() -> None:
    """Without having waited for what it submitted, whose arrays must live until then."""
    program = f"""
import sys
sys.path[:0] = [{str(ROOT)!r}, {str(ROOT / "tests")!r}]
import pytl
from device_kit import dpt
count = pytl.compile('''func @count(%x: memref<i64x1>, %n: index) {{
  %0 = constant 0 : index
  %1 = constant 1 : i64
  for %k = %0, %n {{
    store.atomic_add %1, %x[%0]
  }}
}}''')["count"]
for _ in range(20):
    count[1].submit(dpt.zeros(1, dtype="i8"), 2000)
print("done")
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False, timeout=120)
    assert (done.returncode, done.stdout, done.stderr) == (0, "done\n", "")
