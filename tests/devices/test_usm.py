"""Memory of a device that an object exports, where no library of arrays is installed, and beside one."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from device_kit import Exported
from launch_kit import needs_sycl

import pytl
from pytl import Memref, axpby, f32, strides
from pytl.devices.usm import UsmArray
from pytl.launch.arrays import foreign

pytestmark = needs_sycl


@pytl.kernel
def double(x: Memref[f32, ..., ..., strides(..., ...)], y: Memref[f32, ..., ..., strides(..., ...)]):
    axpby(2.0, x, 0.0, y)


@pytest.fixture(params=["a library, if there is one", "none"])
def library(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    if request.param == "none":
        monkeypatch.setattr(foreign, "tensor_library", lambda: None)
    return request.param


def exported(host: np.ndarray, kind: str = "Device", **options: Any) -> Exported:
    """A copy in memory of a device."""
    import dpctl.memory

    from pytl.devices.bootstrap import load_sycl

    load_sycl()
    memory = getattr(dpctl.memory, f"MemoryUSM{kind}")(max(host.nbytes, 4))
    memory.copy_from_host(host.ravel(order="K").view(np.uint8))
    return Exported(memory, host, **options)


NUMBERS = np.arange(24, dtype=np.float32).reshape((4, 6), order="F")


@pytest.mark.parametrize("kind", ["Device", "Shared", "Host"])
@pytest.mark.parametrize("backend", ["sycl", "reference"])
def test_a_launch_works_in_place(library: str, kind: str, backend: str) -> None:
    x, y = exported(NUMBERS, kind), exported(NUMBERS, kind)
    double[1](x, y, backend=backend)
    np.testing.assert_array_equal(UsmArray(y).copied(), 2 * NUMBERS)
    np.testing.assert_array_equal(UsmArray(x).copied(), NUMBERS)


def test_views_leave_what_lies_between_as_it_was(library: str) -> None:
    y = exported(np.zeros_like(NUMBERS))
    double[1](exported(NUMBERS)[::2, 1:4], y[::2, 1:4])
    expected = np.zeros_like(NUMBERS)
    expected[::2, 1:4] = 2 * NUMBERS[::2, 1:4]
    np.testing.assert_array_equal(UsmArray(y).copied(), expected)


def test_submissions_and_events(library: str) -> None:
    import dpctl

    queue = dpctl.SyclQueue()
    x, y = exported(NUMBERS), exported(np.zeros_like(NUMBERS))
    event = double[1].submit(x, y)
    double[1].submit(y, y, depends=[event]).wait()
    np.testing.assert_array_equal(UsmArray(y).copied(), 4 * NUMBERS)
    assert queue.sycl_device == UsmArray(y).sycl_device


def test_groups(library: str) -> None:
    @pytl.kernel
    def each(x: pytl.Group[f32, 4, 6]):
        axpby(1.0, x[pytl.group_id()], 1.0, x[pytl.group_id()])

    arrays = [exported(NUMBERS + k) for k in range(3)]
    each[3](arrays)
    for k, array in enumerate(arrays):
        np.testing.assert_array_equal(UsmArray(array).copied(), 2 * (NUMBERS + k))


def test_read_only_memory_is_not_written(library: str) -> None:
    x, y = exported(NUMBERS, writable=False), exported(NUMBERS)
    double[1](x, y)
    with pytest.raises(pytl.LaunchError, match="read-only"):
        double[1](y, x)


def test_what_dpctl_imports_of_an_array() -> None:
    import dpctl.memory

    array = UsmArray(exported(NUMBERS)[1:3, ::2])
    held = np.empty(dpctl.memory.as_usm_memory(array).nbytes, np.uint8)
    dpctl.memory.as_usm_memory(array).copy_to_host(held)
    assert held.view(np.float32)[0] == NUMBERS[1, 0] and held.view(np.float32)[-1] == NUMBERS[2, 4]


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"typestr": "|O"}, "malformed"),
        ({"typestr": 7}, ""),
        ({"shape": (4, -6)}, ""),
        ({"strides": (1,)}, ""),
        ({"shape": (2**62, 8), "strides": None}, ""),
        ({"shape": (2**70,), "strides": None}, ""),
        ({"strides": (2**70, 1)}, ""),
        ({"shape": None}, ""),
        ({"data": (1, False)}, "malformed"),
        ({"data": None}, "malformed"),
        ({"data": "x"}, "malformed"),
        ({"syclobj": None}, "malformed"),
        ({"version": 9}, "malformed"),
    ],
    ids=str,
)
def test_a_wrong_interface_is_refused(change: dict[str, Any], told: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(foreign, "tensor_library", lambda: None)
    array = exported(NUMBERS)
    wrong = SimpleNamespace(__sycl_usm_array_interface__={**array.__sycl_usm_array_interface__, **change})
    with pytest.raises(pytl.LaunchError) as caught:
        double[1](wrong, array)
    (found,) = caught.value.diagnostics
    assert found.code == "PYTL-2040" and told in found.message


def test_memory_behind_dlpack_is_taken_by_dpnp(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(foreign, "tensor_library", lambda: None)
    given = SimpleNamespace(__dlpack__=lambda **_: None, __dlpack_device__=lambda: (14, 0))
    with pytest.raises(pytl.LaunchError, match="which is not installed") as caught:
        double[1](given, given)
    assert "pip install 'pytl[dpnp]'" in str(caught.value)


def test_einsum_wants_a_library(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(foreign, "tensor_library", lambda: None)
    x = exported(NUMBERS)
    with pytest.raises(pytl.LaunchError, match="no operand of") as caught:
        pytl.einsum("ij,kj->ik", x, x)
    assert "pip install 'pytl[dpnp]'" in str(caught.value)
