"""Launching: events and queues, copies of NumPy arrays, threads, constexpr parameters, repeated launches."""

import gc
import threading
import weakref
from concurrent.futures import ThreadPoolExecutor
from typing import Annotated, Any

import numpy as np
import pytest
from launch_kit import BACKENDS, column_major, needs_sycl

import pytl
from pytl import Group, Memref, align, axpby, constexpr, f32, group_id, i32, strides


@pytl.kernel
def add(alpha: f32, x: Memref[f32, ...], y: Memref[f32, ...]):
    axpby(alpha, x, 1.0, y)


@pytl.kernel
def add_spread(x: Memref[f32, 8, strides(...)], y: Memref[f32, 8, strides(...)]):
    axpby(1.0, x, 1.0, y)


@pytl.kernel
def copy_spread(x: Memref[f32, 8, strides(...)], y: Memref[f32, 8, strides(...)]):
    y[0] = x[7]


@pytl.kernel
def add_items(x: Group[f32, 8], y: Group[f32, 8]):
    g = group_id()
    axpby(1.0, x[g], 1.0, y[g])


# submit.


@needs_sycl
@pytest.mark.parametrize("properties", [(), "in_order"])
def test_submit_returns_events_that_later_launches_wait_for(properties: Any) -> None:
    import dpctl
    from device_kit import dpt

    queue = dpctl.SyclQueue(property=properties)
    x, y = (dpt.ones(1000, dtype="f4", sycl_queue=queue) for _ in range(2))
    event = None
    for _ in range(20):
        event = add[1].submit(1.0, x, y, depends=[event] if event is not None else [])
        assert isinstance(event, dpctl.SyclEvent)
    event.wait()
    assert (dpt.asnumpy(y) == 21.0).all()


@pytest.mark.at_most(1)
@needs_sycl
@pytest.mark.parametrize("group", [False, True])
def test_submit_keeps_its_arguments_alive(group: bool) -> None:
    from device_kit import dpt

    x, y = dpt.ones(8, dtype="f4"), dpt.ones(8, dtype="f4")
    add[1](1.0, x, y)  # compiled
    held: list[weakref.ref] = []
    event = None
    for _ in range(30):
        temporary = dpt.full(8, 2.0, dtype="f4")
        held.append(weakref.ref(temporary))
        launch = add_items[1] if group else add[1]
        arguments = ([temporary], [y]) if group else (1.0, temporary, y)
        event = launch.submit(*arguments, depends=[event] if event is not None else [])
        del temporary, arguments  # nothing else refers to it, and it is in no cycle
        dpt.full(8, -1000.0, dtype="f4")  # takes memory that was freed
    event.wait()
    assert (dpt.asnumpy(y) == 1 + 1 + 30 * 2).all()
    # and lets them go when it has ended
    y.sycl_queue.wait()
    for _ in range(500):
        if not any(reference() is not None for reference in held):
            break
        threading.Event().wait(0.01)
    assert [reference() for reference in held] == [None] * 30


@needs_sycl
def test_submit_on_a_queue_of_the_users() -> None:
    import dpctl
    from device_kit import dpt

    queue = dpctl.SyclQueue(property="enable_profiling")
    x, y = (dpt.ones(8, dtype="f4", sycl_queue=queue) for _ in range(2))
    event = add[1].submit(1.0, x, y, queue=queue)
    event.wait()
    assert event.profiling_info_end > 0  # which only such a queue knows
    nothing = pytl.compile("func @f(%n: i32) {}")["f"]
    nothing[1].submit(3, queue=queue).wait()
    nothing[1].submit(3).wait()


@needs_sycl
def test_submit_of_no_work_groups() -> None:
    from device_kit import dpt

    x, y = dpt.ones(8, dtype="f4"), dpt.ones(8, dtype="f4")
    first = add[1].submit(1.0, x, y)
    add[0].submit(1.0, x, y, depends=[first]).wait()
    assert (dpt.asnumpy(y) == 2.0).all()


@needs_sycl
def test_a_numpy_scalar_is_no_numpy_array() -> None:
    from device_kit import dpt

    x, y = dpt.ones(8, dtype="f4"), dpt.ones(8, dtype="f4")
    add[1].submit(np.float64(0.5), x, y).wait()
    assert (dpt.asnumpy(y) == 1.5).all()


# NumPy arrays that are copied, as for a device that does not read the host's memory.


@pytest.fixture
def copied(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTL_COPY_NUMPY", "1")


@needs_sycl
def test_gaps_are_not_written(copied: None) -> None:
    """What another thread writes there meanwhile must not be undone by copying back."""
    whole = np.arange(24, dtype=np.float32)
    x, y = np.ones(8, np.float32), whole[2::3]
    from pytl.backends.numba_dpex import memory

    back = memory.Transfer.copy_back

    def write_then_copy_back(transfer: Any) -> None:
        whole[0::3] = -1.0
        back(transfer)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(memory.Transfer, "copy_back", write_then_copy_back)
        add_spread[1](x, y, backend="sycl")
    assert (whole[0::3] == -1.0).all()
    np.testing.assert_array_equal(whole[1::3], np.arange(1, 24, 3))
    np.testing.assert_array_equal(whole[2::3], np.arange(2, 24, 3) + 1)


@needs_sycl
def test_overlaps(copied: None) -> None:
    memory = np.ones(64, np.float32)
    apart = [(memory[:8], memory[8:16]), (memory[0:32:4], memory[2:34:4]), (memory[:8], memory[:8])]
    for x, y in apart:
        add_spread[1](x, y, backend="sycl")
    shared = [(memory[:8], memory[7:15]), (memory[0:16:2], memory[0:24:3]), (memory[:8], memory[0:16:2])]
    for x, y in shared:
        before = memory.copy()
        with pytest.raises(pytl.LaunchError, match=r"PYTL-2030"):
            add_spread[1](x, y, backend="sycl")
        np.testing.assert_array_equal(memory, before)
        with pytest.raises(pytl.LaunchError, match=r"PYTL-2013"):
            copy_spread[1](x, y, backend="sycl")
        np.testing.assert_array_equal(memory, before)


@needs_sycl
def test_overlaps_that_are_only_read(copied: None) -> None:
    memory, y = np.ones(64, np.float32), np.zeros(8, np.float32)

    @pytl.kernel
    def add_two(a: Memref[f32, 8], b: Memref[f32, 8], c: Memref[f32, 8]):
        axpby(1.0, a, 1.0, c)
        axpby(1.0, b, 1.0, c)

    add_two[1](memory[:8], memory[4:12], y, backend="sycl")
    assert (y == 2.0).all()


@needs_sycl
def test_copied_groups(copied: None) -> None:
    whole = column_major(8, 6)
    arrays = [np.ones(8, np.float32) for _ in range(5)]
    arrays.append(arrays[0])  # an item twice
    add_items[6](whole, arrays, backend="sycl")
    for k in range(1, 5):
        np.testing.assert_array_equal(arrays[k], 1 + column_major(8, 6)[:, k])
    np.testing.assert_array_equal(arrays[0], 1 + column_major(8, 6)[:, 0] + column_major(8, 6)[:, 5])
    with pytest.raises(pytl.LaunchError, match="PYTL-2013"):
        add_items[2](whole[:, :2], [whole[:, 0], whole[:, 1]], backend="sycl")


@needs_sycl
def test_copies_and_device_arrays_together(copied: None) -> None:
    from device_kit import dpt

    x, y = dpt.ones(8, dtype="f4"), np.ones(8, np.float32)
    add[1](3.0, x, y)
    add[1](1.0, y, x)
    assert (y == 4.0).all() and (dpt.asnumpy(x) == 5.0).all()


# Threads.


@pytest.mark.at_most(1)
@pytest.mark.parametrize("backend", BACKENDS)
def test_threads_launch_one_kernel(backend: str) -> None:
    """Among them the first launch, which traces and compiles."""

    @pytl.kernel
    def count(n: i32, x: Memref[i32, ...]):
        x[group_id()] = n

    start = threading.Barrier(8)

    def work(number: int) -> np.ndarray:
        start.wait()
        x = np.zeros(16, np.int32)
        for repeat in range(20 if backend == "sycl" else 2):
            count[16](100 * number + repeat, x, backend=backend)
            assert (x == 100 * number + repeat).all()
        return x

    with ThreadPoolExecutor(8) as pool:
        results = list(pool.map(work, range(8)))
    assert len({int(x[0]) for x in results}) == 8


def test_use_holds_for_its_thread() -> None:
    inside, leave = threading.Event(), threading.Event()
    seen: dict[str, str] = {}

    def other() -> None:
        with pytl.use("reference"):
            inside.set()
            leave.wait(10)
            seen["other"] = pytl.default_backend()

    with pytl.use("numba_dpex"):
        thread = threading.Thread(target=other)
        thread.start()
        inside.wait(10)
        seen["here"] = pytl.default_backend()
    with pytl.use("numba_dpex"):
        leave.set()
        thread.join()
        assert pytl.default_backend() == "numba_dpex"
    assert seen == {"here": "numba_dpex", "other": "reference"}


def test_use_of_a_backend_that_there_is_not() -> None:
    with pytest.raises(pytl.PlatformError, match="there is no backend `cuda`"), pytl.use("cuda"):
        pass


# constexpr parameters.


@pytl.kernel
def fill(n: constexpr[int], x: Memref[f32, ...], value: constexpr = 2.0):
    for k in range(n):
        x[k] = value


@pytest.mark.at_most(1)
@pytest.mark.parametrize("backend", BACKENDS)
def test_constexpr_values_in_a_launch(backend: str) -> None:
    x = np.zeros(6, np.float32)
    fill[1](3, x, 5.0, backend=backend)
    assert x.tolist() == [5, 5, 5, 0, 0, 0]
    fill[1](n=2, x=x, value=1.0, backend=backend)
    assert x.tolist() == [1, 1, 5, 0, 0, 0]
    fill[1](1, x, backend=backend)
    assert x.tolist() == [2, 1, 5, 0, 0, 0]
    fill[1](np.int64(4), x, backend=backend)
    assert x.tolist() == [2, 2, 2, 2, 0, 0]


@pytest.mark.at_most(1)
@pytest.mark.parametrize("backend", BACKENDS)
def test_specialised_kernels(backend: str) -> None:
    x = np.zeros(6, np.float32)
    three = fill.specialize(n=3)
    assert three is fill.specialize(n=3)
    assert three is not fill.specialize(n=3, value=2.0)
    assert "0x1p+1" in str(three)  # value's default
    three[1](x, backend=backend)
    assert x.tolist() == [2, 2, 2, 0, 0, 0]
    three[1](x, value=4.0, backend=backend)  # which tracing has not fixed
    assert x.tolist() == [4, 4, 4, 0, 0, 0]
    three.specialize(value=1.0)[1](x, backend=backend)
    assert x.tolist() == [1, 1, 1, 0, 0, 0]


def test_values_that_are_equal_but_not_the_same() -> None:
    assert fill.specialize(n=1) is not fill.specialize(n=True)
    assert fill.specialize(n=1, value=0.0) is not fill.specialize(n=1, value=-0.0)


def test_constexpr_values_of_the_wrong_kind() -> None:
    with pytest.raises(pytl.TraceError, match=r"n is 'three', but is annotated constexpr\[int\]"):
        fill[1]("three", np.zeros(6, np.float32), backend="reference")


# Launches like earlier ones, which are not checked again in full.


@pytest.mark.parametrize("backend", BACKENDS)
def test_repeated_launches_see_new_arrays_and_numbers(backend: str) -> None:
    y = np.zeros(8, np.float32)
    for k in range(5):
        add[1](float(k), np.full(8, 10.0**k, np.float32), y, backend=backend)
    assert (y == 43210.0).all()
    add[1](1, y[:4], y[4:], backend=backend)
    assert (y[4:] == 2 * 43210.0).all()


@pytest.mark.parametrize("backend", BACKENDS)
def test_repeated_launches_refuse_what_does_not_fit(backend: str) -> None:
    x, y = np.ones(8, np.float32), np.ones(8, np.float32)
    for _ in range(2):
        add[1](1.0, x, y, backend=backend)
    before = y.copy()
    read_only = y.copy()
    read_only.flags.writeable = False
    misaligned = np.frombuffer(bytearray(33), np.float32, 8, 1)
    memory = np.ones(15, np.float32)
    for alpha, a, b, code in [
        (1e39, x, y, "PYTL-2009"),
        (1.0, x.astype(np.float64), y, "PYTL-2003"),
        (1.0, x.astype(">f4"), y, "PYTL-2003"),
        (1.0, x[::2], y[::2], "PYTL-2006"),
        (1.0, x, read_only, "PYTL-2007"),
        (1.0, misaligned, y, "PYTL-2010"),
        (1.0, np.ma.masked_array(x), y, "PYTL-2002"),
        (True, x, y, "PYTL-2002"),
        (1.0, memory[7:], memory[:8], "PYTL-2030"),
        (1.0, memory[:8], memory[7:], "PYTL-2030"),
    ]:
        with pytest.raises(pytl.LaunchError) as caught:
            add[1](alpha, a, b, backend=backend)
        assert caught.value.code == code
    np.testing.assert_array_equal(y, before)


@pytl.kernel
def double_aligned(x: Annotated[Memref[f32, 4], align(64)]):
    axpby(1.0, x, 1.0, x)


@pytest.mark.parametrize("backend", BACKENDS)
def test_repeated_launches_refuse_memory_that_is_not_aligned(backend: str) -> None:
    memory = np.ones(64, np.float32)
    memory = memory[-memory.ctypes.data // 4 % 16 :]
    for _ in range(2):
        double_aligned[1](memory[:4], backend=backend)
    double_aligned[1](memory[16:20], backend=backend)
    with pytest.raises(pytl.LaunchError) as caught:
        double_aligned[1](memory[8:12], backend=backend)
    assert caught.value.code == "PYTL-2010"
    np.testing.assert_array_equal(memory[:20], np.repeat([4, 1, 1, 1, 2], 4))


@pytest.mark.at_most(1)
@pytest.mark.parametrize("backend", BACKENDS)
def test_a_kernel_keeps_no_array_alive(backend: str) -> None:
    x, y = np.ones(8, np.float32), np.ones(8, np.float32)
    for _ in range(2):
        add[1](1.0, x, y, backend=backend)
    gone = weakref.ref(x)
    del x
    gc.collect()
    assert gone() is None


@pytest.mark.parametrize("backend", BACKENDS)
def test_texts_launch_as_kernels_do(backend: str) -> None:
    again = pytl.compile(str(add))["add"]
    y = np.ones(8, np.float32)
    again[1](2.0, np.ones(8, np.float32), y, backend=backend)
    again[1](alpha=2.0, x=np.ones(8, np.float32), y=y, backend=backend)
    assert (y == 5.0).all()
