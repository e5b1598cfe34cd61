"""Launches that are waited for, on the OpenCL queue beneath a SYCL queue."""

from __future__ import annotations

import threading
from typing import Any

import numpy as np
import pytest
from launch_kit import clean_python, needs_sycl

import pytl
from pytl import Memref, f32, f64, group_id, i8
from pytl.devices.usm import tensor_library
from pytl.launch import plans

pytestmark = needs_sycl


@pytl.kernel
def write(alpha: f32, beta: f64, n: i8, x: Memref[f64, 3, ...]):
    g = group_id()
    x[0, g] = beta
    x[1, g] = f64(alpha)
    x[2, g] = f64(n)


@pytl.kernel
def nothing():
    pass


def arrays() -> tuple[np.ndarray, np.ndarray]:
    first, second = (np.zeros((3, 4), order="F") for _ in range(2))
    return first, second


def direct_of(kernel: pytl.Kernel) -> Any:
    """What launches of a kernel's plan directly; skips where queues have none, as on other systems."""
    from pytl.backends.numba_dpex import machine_code
    from pytl.backends.registry import find_backend

    (plan,) = kernel.current().launches.plans.values()
    backend: Any = find_backend("sycl")
    if not machine_code.is_for(backend.queue_of([], {})):
        pytest.skip("the device is no processor under OpenCL")
    found = plan._repeat._prepared._direct  # type: ignore[attr-defined]
    assert found is not None
    return found


def fresh(*arguments: Any) -> pytl.Kernel:
    """A kernel with a plan."""
    kernel = pytl.compile(str(write))["write"]
    for _ in range(2):
        kernel[4](*arguments, backend="sycl")
    return kernel


def test_arguments_are_passed_when_they_change() -> None:
    a, b = arrays()
    kernel = fresh(1.0, 2.0, 3, a)
    direct_of(kernel)
    for number, x in enumerate((a, b, b, a, b)):
        kernel[4](0.5 * number, -number, number, x, backend="sycl")
        np.testing.assert_array_equal(x, np.array([[-number], [0.5 * number], [number]]) * np.ones(4))
        kernel[2](7.0, 8.0, 9, x, backend="sycl")
        np.testing.assert_array_equal(x[:, :2], np.array([[8], [7], [9]]) * np.ones(2))
        np.testing.assert_array_equal(x[:, 2], [-number, 0.5 * number, number])


FREED = """
import random
import numpy as np
import pytl
import dpctl.tensor as dpt
from pytl import Memref, f64

kernel = pytl.compile('''func @twice(%a: memref<f64x30>, %b: memref<f64x30>) {
  %two = constant 2.0 : f64  %none = constant 0.0 : f64
  axpby.n %two, %a, %none, %b
}''')["twice"][1]
a = dpt.asarray(np.arange(30.0))
for seed in range(4):
    chosen, held = random.Random(seed), []
    for _ in range(1500):
        b = dpt.empty(30, dtype="f8")
        kernel(a, b)
        assert (dpt.asnumpy(b) == 2.0 * np.arange(30)).all()
        held.append(b)
        if chosen.random() < 0.05:
            held.clear()
        elif chosen.random() < 0.5:
            held.pop(chosen.randrange(len(held)))
        del b
print("all")
"""


def test_arrays_that_are_freed_between_launches() -> None:
    """The driver keeps what it knows of an argument's memory, which is gone when other memory begins there."""
    done = clean_python(FREED)
    assert (done.returncode, done.stdout, done.stderr) == (0, "all\n", "")


def test_numbers_alone_are_passed_when_they_change() -> None:
    """Where no array says whether a launch is like the one before."""
    kernel = pytl.compile(
        "func @scale(%alpha: f32, %X: group<memref<f32x4>x?, offset: ?>) {"
        " %g = builtin.group_id : index  %x = load %X[%g] : memref<f32x4>"
        " %none = constant 0.0 : f32  axpby.n %alpha, %x, %none, %x }"
    )["scale"]
    x = np.ones((4, 3), np.float32, order="F")
    group = pytl.pointers(x, offset=0)
    for number, alpha in enumerate((2.0, 3.0, 3.0, 0.5)):
        kernel[3](alpha, group, backend="sycl")
        assert (x == [2.0, 6.0, 18.0, 9.0][number]).all()


def test_an_interrupt_between_two_arguments() -> None:
    """What OpenCL got then is not taken for what it had before."""
    a, b = arrays()
    kernel = fresh(1.0, 2.0, 3, a)
    direct = direct_of(kernel)
    setters = list(direct._setters)

    def interrupted(number: int) -> int:
        setters[number]()
        raise KeyboardInterrupt

    for number in range(len(setters)):
        direct._setters[number] = lambda number=number: interrupted(number)
        try:
            kernel[3](4.0, 5.0, 6, b, backend="sycl")
        except KeyboardInterrupt:
            pass
        direct._setters[:] = setters
        a[:] = b[:] = 0
        kernel[4](1.0, 2.0, 3, a, backend="sycl")
        np.testing.assert_array_equal(a, np.array([[2], [1], [3]]) * np.ones(4))
        assert not b.any()


@pytest.mark.parametrize("step", ["_enqueue", "wait"])
def test_what_opencl_refuses(step: str) -> None:
    a, _ = arrays()
    kernel = fresh(1.0, 2.0, 3, a)
    direct = direct_of(kernel)
    if step == "_enqueue":
        direct._enqueue = lambda *given: -5
    else:
        direct._functions = {"clWaitForEvents": lambda *given: -14}
        (plan,) = kernel.current().launches.plans.values()
        assert plan._repeat._wait == direct.wait  # type: ignore[attr-defined]
    with pytest.raises(pytl.LaunchError) as caught:
        kernel[4](1.0, 2.0, 3, a, backend="sycl")
    assert caught.value.code == "PYTL-2019"


def test_no_arguments_and_no_work_groups() -> None:
    a, _ = arrays()
    kernel = fresh(1.0, 2.0, 3, a)
    for _ in range(3):
        a[:] = 0
        kernel[0](1.0, 2.0, 3, a, backend="sycl")
        kernel[0].bind(1.0, 2.0, 3, a, backend="sycl")()
        nothing[1, {"strategy": "many-items"}](backend="sycl")
    assert not a.any()


def test_a_queue_with_an_order_keeps_it() -> None:
    import dpctl
    from device_kit import dpt

    queue = dpctl.SyclQueue(property="in_order")
    x = dpt.zeros((3, 4), dtype="f8", order="F", sycl_queue=queue)
    kernel = fresh(1.0, 2.0, 3, x)
    (plan,) = kernel.current().launches.plans.values()
    assert plan._repeat._prepared._direct is None  # type: ignore[attr-defined]
    np.testing.assert_array_equal(dpt.asnumpy(x)[:, 0], [2, 1, 3])


OFTEN = 3 * plans.MAX_SAME


def device_arrays(count: int) -> list[Any]:
    tensor = tensor_library()
    assert tensor is not None
    return [tensor.zeros((3, 4), dtype="f8", order="F") for _ in range(count)]


def again_of(kernel: pytl.Kernel) -> Any:
    """What a kernel's plan launches the same arguments by."""
    return [plan.again for plan in kernel.current().launches.plans.values() if plan.again is not None]


def numbers_in(array: Any) -> list[float]:
    tensor = tensor_library()
    assert tensor is not None
    return [float(each) for each in tensor.asnumpy(array)[:, 3]]


def test_the_same_arrays_of_a_device_are_launched_in_fewer_steps() -> None:
    kernel = pytl.compile(str(write))["write"]
    x, y = device_arrays(2)
    for _ in range(OFTEN):
        kernel[4](1.0, 2.0, 3, x, backend="sycl")
    assert again_of(kernel)
    x[...] = 0.0
    hits = kernel.cache_info().memory_hits
    kernel[4](1.0, 2.0, 3, x, backend="sycl")
    assert numbers_in(x) == [2.0, 1.0, 3.0] and kernel.cache_info().memory_hits == hits + 1
    # other numbers, arrays, and numbers of work-groups
    kernel[4](1.0, 5.0, 3, x, backend="sycl")
    assert numbers_in(x) == [5.0, 1.0, 3.0]
    kernel[4](1.0, 2.0, 3, y, backend="sycl")
    assert numbers_in(y) == [2.0, 1.0, 3.0] and numbers_in(x) == [5.0, 1.0, 3.0]
    x[...] = 0.0
    for _ in range(OFTEN):
        kernel[3](1.0, 2.0, 3, x, backend="sycl")
    assert numbers_in(x) == [0.0, 0.0, 0.0]


def test_changes_in_place_are_seen() -> None:
    kernel = pytl.compile(str(write))["write"]
    (x,) = device_arrays(1)
    for _ in range(OFTEN):
        kernel[4](1.0, 2.0, 3, x, backend="sycl")
    x.flags.writable = False
    with pytest.raises(pytl.LaunchError, match="PYTL-2007"):
        kernel[4](1.0, 2.0, 3, x, backend="sycl")
    x.flags.writable = True
    for _ in range(OFTEN):
        kernel[4](1.0, 2.0, 3, x, backend="sycl")
    assert again_of(kernel)
    x.shape = (3, 4, 1)
    with pytest.raises(pytl.LaunchError):
        kernel[4](1.0, 2.0, 3, x, backend="sycl")


def test_arrays_that_are_freed_are_not_launched_with() -> None:
    """Memory of one array is given to the next one, of which the driver has to be told."""
    kernel = pytl.compile(str(write))["write"]
    for turn in range(20):
        x = device_arrays(1)[0]
        for _ in range(OFTEN):
            kernel[4](1.0, 2.0, turn, x, backend="sycl")
        assert numbers_in(x) == [2.0, 1.0, turn]
        del x


def test_another_launch_between_two_of_the_same_arguments_is_seen() -> None:
    kernel = pytl.compile(str(write))["write"]
    x, y = device_arrays(2)
    wrong: list[int] = []

    def run(number: int, array: Any) -> None:
        for _ in range(20 * OFTEN):
            kernel[4](1.0, 2.0, number, array, backend="sycl")
        if numbers_in(array) != [2.0, 1.0, number]:
            wrong.append(number)

    threads = [threading.Thread(target=run, args=(3 + n, array)) for n, array in enumerate((x, y))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong
