"""A repeated launch goes by a plan, and looks again at what may have changed: addresses, layouts, flags, numbers."""

from __future__ import annotations

import math
import threading

import numpy as np
import pytest
from launch_kit import needs_sycl

import pytl
from pytl import Memref, c64, f32, f64, group_id, i64, index, strides

BACKENDS = ["reference", pytest.param("sycl", marks=needs_sycl)]


@pytl.kernel
def keep(alpha: f64, beta: c64, y: Memref[f64, 3, ...]):
    g = group_id()
    y[0, g] = alpha
    y[1, g] = beta.real
    y[2, g] = beta.imag


@pytl.kernel
def copy(x: Memref[f32, ..., strides(...)], y: Memref[f32, ..., strides(...)]):
    pytl.axpby(1.0, x, 0.0, y)


@pytl.kernel
def shift(x: Memref[f32, 8], n: i64):
    x[index(n)] = 5.0


@pytest.mark.parametrize("backend", BACKENDS)
def test_numbers_that_are_equal_and_not_the_same(backend: str) -> None:
    y = np.zeros((3, 1), order="F")
    for alpha in (0.0, -0.0, 0.0, -0.0, math.nan, math.nan, 1.0, 1.0, -0.0):
        for beta in (1.0 + 0.0j, complex(-0.0, -0.0), complex(0.0, -0.0), complex(0.0, -0.0)):
            keep[1](alpha, beta, y, backend=backend)
            got = [math.copysign(1.0, value) for value in (y[0, 0], y[1, 0], y[2, 0])]
            assert got == [math.copysign(1.0, value) for value in (alpha, beta.real, beta.imag)]
            np.testing.assert_array_equal(y[:, 0], [alpha, beta.real, beta.imag])


@pytest.mark.parametrize("backend", BACKENDS)
def test_arrays_that_change_in_place(backend: str) -> None:
    x, y = np.arange(8, dtype=np.float32)[:4], np.zeros(4, np.float32)
    for _ in range(3):
        copy[1](x, y, backend=backend)
    x.strides = (8,)
    copy[1](x, y, backend=backend)
    np.testing.assert_array_equal(y, [0, 2, 4, 6])
    y.shape = (2, 2)
    with pytest.raises(pytl.LaunchError, match="PYTL-20"):
        copy[1](x, y, backend=backend)
    y.shape = (4,)
    y.flags.writeable = False
    with pytest.raises(pytl.LaunchError, match="PYTL-20"):
        copy[1](x, y, backend=backend)
    y.flags.writeable = True
    y.dtype = np.dtype(np.int32)  # type: ignore[assignment]
    with pytest.raises(pytl.LaunchError, match="PYTL-20"):
        copy[1](x, y, backend=backend)


@pytest.mark.parametrize("backend", BACKENDS)
def test_memory_that_moves(backend: str) -> None:
    x, y = np.ones(4, np.float32), np.zeros(4, np.float32)
    for _ in range(3):
        copy[1](x, y, backend=backend)
    held = []
    for size in (1 << 16, 1 << 20, 4):
        x.resize(size, refcheck=False)
        held.append(np.full(1 << 12, 7.0, np.float32))  # what lies where the memory was
        x.resize(4, refcheck=False)
        x[:] = size
        copy[1](x, y, backend=backend)
        np.testing.assert_array_equal(y, np.full(4, size))


@pytest.mark.parametrize("backend", BACKENDS)
def test_arrays_that_come_to_overlap(backend: str) -> None:
    """The plan of arrays that are apart is not for others."""
    whole = np.arange(24, dtype=np.float32)
    x, y = whole[:8], whole[8:16]
    for _ in range(3):
        copy[1](x, y, backend=backend)
    with pytest.raises(pytl.LaunchError, match="share elements"):
        copy[1](x, whole[4:12], backend=backend)
    np.testing.assert_array_equal(whole[8:16], whole[:8])


@pytest.mark.parametrize("backend", BACKENDS)
def test_numbers_and_work_groups_that_leave_the_bounds(backend: str) -> None:
    x = np.zeros(8, np.float32)
    for n in (3, 3, 3, 7):
        shift[1](x, n, backend=backend)
    for n in (8, -1, 8, 2**62):
        with pytest.raises(pytl.LaunchError):
            shift[1](x, n, backend=backend)
    y = np.zeros((3, 2), order="F")
    for groups in (2, 2, 1):
        keep[groups](1.0, 1j, y, backend=backend)
    with pytest.raises(pytl.LaunchError):
        keep[3](1.0, 1j, y, backend=backend)


class Hostile:
    """A name of a backend that says of itself that it is another one."""

    def __eq__(self, other: object) -> bool:
        return True

    def __hash__(self) -> int:
        return hash("reference")


def test_who_is_equal_to_a_backend_is_none() -> None:
    x = np.zeros(8, np.float32)
    for _ in range(3):
        shift[1](x, 1, backend="reference")
    with pytest.raises(pytl.PytlError):
        shift[1](x, 2, backend=Hostile())  # type: ignore[arg-type]
    assert x.tolist() == [0, 5, 0, 0, 0, 0, 0, 0]


@pytest.mark.parametrize("backend", BACKENDS)
def test_threads_launch_with_arguments_of_their_own(backend: str) -> None:
    found: list[bool] = []

    def work(number: int) -> None:
        x, y = (np.full(4 + number, value, np.float32) for value in (number, -1))
        for n in range(30):
            x[:] = n
            copy[1](x, y, backend=backend)
            found.append(bool((y == n).all()))

    threads = [threading.Thread(target=work, args=(number % 2,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 120 and all(found)
