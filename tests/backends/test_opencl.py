"""The OpenCL backend: a sample of all forms and of the differential suites, its devices, and what it refuses."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from cli_kit import Run
from differential.cases import NEEDS_OPENCL, OPENCL, Batch, Case, each_way
from differential.test_blas import CHAINS, GEMM
from differential.test_control import LOOPS, REGIONS
from differential.test_memory import ATOMICS, COPIES, GROUP_BATCHES, VIEWS
from differential.test_scalars import BINARY_BATCHES
from forms.rows import Row
from forms.test_sycl import IN_TURN, batches, differences, named
from launch_kit import clean_python
from sampling import at_night

import pytl
from pytl import Group, Memref, axpby, f32, gemm, group_id
from pytl.backends.registry import find_backend
from pytl.process.settings import CACHE, COPY_NUMPY

pytestmark = [NEEDS_OPENCL, pytest.mark.at_most(12)]
SUITES = (ATOMICS, BINARY_BATCHES, CHAINS, COPIES, GEMM, GROUP_BATCHES, LOOPS, REGIONS, VIEWS)
FIRST = [suite[0] for suite in SUITES]


@pytl.kernel
def double(x: Memref[f32, 8, ...]):
    g = group_id()
    axpby(1.0, x[:, g], 1.0, x[:, g])


@pytl.kernel
def products(A: Group[Memref[f32, 4, 4]], B: Memref[f32, 4, 4, ...]):
    g = group_id()
    gemm(1.0, A[g], A[g], 0.0, B[:, :, g])


# Every eighth form at each run; forms of the same kind stand beside each other.
@pytest.mark.at_most(1)
@pytest.mark.parametrize("rows", [*batches(IN_TURN[::8]), *at_night(batches(IN_TURN))], ids=named)
def test_a_sample_of_the_forms(rows: list[Row]) -> None:
    assert not {name: lines for name, lines in differences(rows, OPENCL[0]).items() if lines}


@pytest.mark.at_night
@each_way(FIRST, OPENCL)
def test_a_sample_of_the_differential_suites(batch: Batch, case: Case, way: str) -> None:
    assert not batch.differences(case, way)


@pytest.fixture
def queue() -> Any:
    return find_backend("opencl").queue_of((), {})


@pytest.fixture(params=["in place", "shared memory", "buffers"])
def memory(request: pytest.FixtureRequest, queue: Any, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """The ways in which a device may see an array of NumPy."""
    svm = {"in place": queue.sycl_device.svm, "shared memory": 1, "buffers": 0}[request.param]
    monkeypatch.setattr(queue.sycl_device, "svm", svm)
    yield request.param


def test_arrays_are_read_and_written(memory: str) -> None:
    x = np.asfortranarray(np.arange(24, dtype=np.float32).reshape(8, 3))
    for array in (x, x[:, 3:]):
        double[array.shape[1]](array, backend="opencl")
        double[array.shape[1]].bind(array, backend="opencl")()
    assert np.array_equal(x, np.arange(24).reshape(8, 3) * 4)


def test_gaps_between_columns_are_left_alone(memory: str) -> None:
    text = "func @f(%x: memref<f32x8x?,strided<1,?>>) { %one = constant 1.0 : f32  axpby.n %one, %x, %one, %x }"
    every_second = np.ones((8, 6), np.float32, order="F")
    pytl.compile(text)["f"][1](every_second[:, ::2], backend="opencl")
    assert every_second.tolist() == [[2.0, 1.0] * 3] * 8


def test_complex_numbers_are_passed() -> None:
    text = "func @f(%f: c32, %x: memref<c32x8>) { %none = constant [0.0, 0.0] : c32  axpby.n %f, %x, %none, %x }"
    x = np.arange(8, dtype=np.complex64)
    pytl.compile(text)["f"][1](2 - 3j, x, backend="opencl")
    assert np.array_equal(x, np.arange(8) * (2 - 3j))


def test_groups(memory: str) -> None:
    A = [np.full((4, 4), n, np.float32, order="F") for n in range(1, 4)]
    B = np.zeros((4, 4, 3), np.float32, order="F")
    if memory == "buffers":
        with pytest.raises(pytl.LaunchError) as caught:
            products[3](A, B, backend="opencl")
        assert caught.value.code == "PYTL-3312"
        return
    products[3](A, B, backend="opencl")
    assert B[0, 0].tolist() == [4, 16, 36]
    products[3](np.stack(A, axis=-1).copy("F"), B, backend="opencl")
    assert B[0, 0].tolist() == [4, 16, 36]


def test_memory_is_given_back(queue: Any) -> None:
    x = np.ones((8, 3), np.float32, order="F")
    with COPY_NUMPY.scope(True):
        double[3](x, backend="opencl")
    assert not list(queue.shared) and x.sum() == 48


def test_the_options_are_those_of_sycl() -> None:
    assert find_backend("opencl").options is find_backend("sycl").options
    x = np.ones((8, 3), np.float32, order="F")
    double[3, {"strategy": "many-items", "device": "opencl:cpu:0"}](x, backend="opencl")
    double[3, {"checks": True, "device": "cpu"}](x, backend="opencl")
    assert x.tolist() == [[4.0] * 3] * 8


def test_a_failed_check_of_the_device() -> None:
    text = "func @f(%x: memref<f32x?>, %k: memref<i64x1>) { %z = constant 0 : index  %i = load %k[%z] : i64 "
    text += "%c = cast %i : index  %one = constant 1.0 : f32  store %one, %x[%c] }"
    x = np.zeros(4, np.float32)
    with pytest.raises(pytl.ExecutionError):
        pytl.compile(text)["f"][1, {"checks": True}](x, np.array([9]), backend="opencl")
    assert not x.any()


def test_what_is_refused() -> None:
    from device_kit import dpt

    from pytl.devices.bootstrap import load_sycl

    load_sycl()
    x = np.ones((8, 3), np.float32, order="F")
    for launch, code in (
        (lambda: double[3, {"device": "gpu:7"}](x, backend="opencl"), "PYTL-3310"),
        (lambda: double[3](dpt.asarray(x, order="F"), backend="opencl"), "PYTL-3311"),
        (lambda: double[3].submit(x, backend="opencl"), "PYTL-2017"),
        (lambda: double[4](x, backend="opencl"), "PYTL-2060"),
        (lambda: double.emit("opencl", stage="ptx"), "PYTL-3019"),
    ):
        with pytest.raises(pytl.PytlError) as caught:
            launch()
        assert caught.value.code == code
    assert x.sum() == 24


def test_the_device_that_a_word_names() -> None:
    from pytl.backends.opencl import drivers

    first, second = drivers.find_device("cpu"), drivers.find_device("opencl:cpu:0")
    assert first is second and first is not None and first.is_cpu
    assert drivers.find_device("opencl:cpu:99") is None and drivers.find_device("") is None


def test_devices_are_listed(run: Run) -> None:
    shown = run("devices")
    assert "\nopencl\n  opencl:" in shown and "on arrays in place" in shown


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    return Run(capsys)


def test_drivers_that_know_little(queue: Any) -> None:
    """A device without SPIR-V, sub-groups or shared memory is described without an error."""
    from pytl.backends.opencl.devices import Device

    real = queue.sycl_device.device

    class Plain:
        def __getattr__(self, name: str) -> Any:
            import pyopencl as cl

            if name in ("svm_capabilities",):
                raise cl.LogicError("CL_INVALID_VALUE")
            return getattr(real, name)

        def get_info(self, what: int) -> str:
            return ""

    device = Device(Plain())
    assert (device.svm, device.takes_spirv, device.has_aspect_usm_system_allocations) == (0, False, False)


def test_arrays_that_share_memory_keep_their_order(memory: str) -> None:
    """A launch that is waited for begins after those before it."""
    x = np.ones((8, 1), np.float32, order="F")
    for _ in range(20):
        double[1](x, backend="opencl")
    assert x[0, 0] == 2**20


@pytest.mark.at_night
def test_without_dpctl_what_was_built_is_launched(tmp_path: Path) -> None:
    folder = pytl.build(double, tmp_path / "kernels")
    done = clean_python(
        f"""
import importlib.util
class Blocked:
    def find_spec(self, name, path=None, target=None):
        if name.split('.')[0] in ('numba', 'llvmlite', 'numba_dpex', 'dpctl'): raise ImportError(name)
sys.meta_path.insert(0, Blocked())
find_spec = importlib.util.find_spec
importlib.util.find_spec = lambda name, package=None: None if name == 'dpctl' else find_spec(name, package)
sys.path[:0] = [{_place()!r}]
import numpy as np, pytl
x = np.ones((8, 3), np.float32, order="F")
pytl.load({str(folder)!r})["double"][...](x)
print(x.sum())
"""
    )
    assert (done.stderr, done.stdout) == ("", "48.0\n")


def _place() -> str:
    """The folder that pyopencl is installed in."""
    import pyopencl

    return str(Path(pyopencl.__file__).parents[1])


def test_extensions_are_asked_of_the_device(queue: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    text = "func @count(%n: memref<i64x1>) { %k = constant 0 : index  %one = constant 1 : i64 "
    count = pytl.compile(text + " store.atomic_add %one, %n[%k] }")["count"]
    n = np.zeros(1, np.int64)
    device = queue.sycl_device
    assert {"cl_khr_int64_base_atomics", "cl_khr_fp64"} <= device.extensions
    with CACHE.scope(False):
        monkeypatch.setattr(device, "extensions", device.extensions - {"cl_khr_int64_base_atomics"})
        with pytest.raises(pytl.PlatformError) as caught:
            count[5](n, backend="opencl")
        assert caught.value.code == "PYTL-3313" and n[0] == 0
        monkeypatch.undo()
        count[5](n, backend="opencl")
    assert n[0] == 80  # each of 16 work-items adds


def test_an_array_without_elements(memory: str) -> None:
    text = "func @f(%x: memref<f32x?>, %n: memref<i64x1>) { %z = constant 0 : index  %one = constant 1 : i64 "
    f = pytl.compile(text + "store %one, %n[%z] }")["f"]
    n = np.zeros(1, np.int64)
    f[2](np.zeros(0, np.float32), n, backend="opencl")
    assert n[0] == 1


@pytest.mark.at_most(1)
def test_threads_launch_at_the_same_time(memory: str) -> None:
    def launches(number: int) -> bool:
        x = np.full((8, 4), number, np.float32, order="F")
        double[4](x, backend="opencl")
        return bool((x == 2 * number).all())

    with ThreadPoolExecutor(4) as threads:
        assert all(threads.map(launches, range(400)))
