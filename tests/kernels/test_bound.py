"""`pytl.group` and `k[n].bind(…)`: arguments that are read and checked once."""

import copy
import gc
import pickle
import weakref
from typing import Any

import numpy as np
import pytest
from launch_kit import BACKENDS, column_major, needs_sycl

import pytl
from pytl import Group, Memref, axpby, f32, gemm, group_id
from pytl.launch.arrays import groups


@pytl.kernel
def add_items(alpha: f32, x: Group[f32, 8], y: Group[f32, 8]):
    g = group_id()
    axpby(alpha, x[g], 1.0, y[g])


@pytl.kernel
def of_items(A: Group[Memref[f32, ..., ...]], B: Group[Memref[f32, ..., ...]], C: Memref[f32, ..., ..., ...]):
    g = group_id()
    gemm(1.0, A[g], B[g], 0.0, C[:, :, g])


@pytl.kernel
def add(alpha: f32, x: Memref[f32, ...], y: Memref[f32, ...]):
    axpby(alpha, x, 1.0, y)


def code_of(launch: Any) -> str:
    with pytest.raises(pytl.LaunchError) as caught:
        launch()
    return caught.value.diagnostics[0].code


@pytest.mark.parametrize("backend", BACKENDS)
def test_a_group_serves_many_launches(backend: str) -> None:
    memory = column_major(8, 20)
    x, y = pytl.group([memory[:, n] for n in range(10)]), [np.zeros(8, np.float32) for _ in range(10)]
    table = pytl.group(y)
    for repeat in range(1, 4):
        add_items[...](1.0, x, table, backend=backend)
        np.testing.assert_array_equal(np.stack(y, axis=1), repeat * memory[:, :10])
    # another group with the same layout has the same plan, and its own addresses
    others = pytl.group([memory[:, 10 + n] for n in range(10)])
    add_items[10](1.0, others, table, backend=backend)
    np.testing.assert_array_equal(np.stack(y, axis=1), 3 * memory[:, :10] + memory[:, 10:])
    assert code_of(lambda: add_items[11](1.0, x, table, backend=backend)) == "PYTL-2060"
    # and one with fewer items another plan
    fewer = pytl.group([memory[:, n] for n in range(9)])
    assert code_of(lambda: add_items[10](1.0, fewer, table, backend=backend)) == "PYTL-2060"
    assert code_of(lambda: add_items[1](1.0, pytl.group([np.zeros(7, np.float32)]), table, backend=backend)) == (
        "PYTL-2005"
    )
    add_items[...](1.0, pytl.group([]), pytl.group([]), backend=backend)


@pytest.mark.parametrize("backend", BACKENDS)
def test_items_of_many_shapes(backend: str) -> None:
    A, B = [column_major(4, n) for n in (2, 3, 5)], [column_major(n, 6) for n in (2, 3, 5)]
    C = column_major(4, 6, 3)
    left, right = pytl.group(A), pytl.group(B)
    for _ in range(3):
        C[...] = -1
        of_items[...](left, right, C, backend=backend)
        for n in range(3):
            np.testing.assert_array_equal(C[:, :, n], A[n] @ B[n])
    # as many items in another order have a plan of their own
    of_items[...](pytl.group(A[::-1]), pytl.group(B[::-1]), C, backend=backend)
    np.testing.assert_array_equal(C[:, :, 0], A[2] @ B[2])


def test_addresses_of_arrays_are_what_numpy_says(monkeypatch: pytest.MonkeyPatch) -> None:
    memory = column_major(8, 20)
    arrays = [memory[n % 3 :, n] for n in range(20)] + [np.zeros(3, np.float32), memory.T[4]]
    expected = [array.ctypes.data for array in arrays]
    columns = groups.gather(arrays)
    assert columns is not None
    assert columns.views.addresses.tolist() == expected
    assert [view.address for view in columns.views] == expected
    assert [view.shape for view in columns.views] == [array.shape for array in arrays]
    monkeypatch.setattr(groups, "_memory", lambda: None)  # as where Python is another one
    assert groups.gather(arrays).views.addresses.tolist() == expected  # type: ignore[union-attr]


def test_what_is_no_group() -> None:
    x = np.zeros(8, np.float32)
    for wrong in (x, 5, None, [x, None], [x, x.astype(np.float64)]):
        assert code_of(lambda wrong=wrong: pytl.group(wrong)) == "PYTL-2064"
    x.flags.writeable = False
    assert code_of(lambda: add_items[1](1.0, pytl.group([x]), pytl.group([x]), backend="reference")) == "PYTL-2007"
    for held in (pytl.group([x]), add[1].bind(1.0, x, np.zeros(8, np.float32), backend="reference")):
        assert code_of(lambda held=held: pickle.dumps(held)) == "PYTL-2063"


@pytest.mark.parametrize("backend", BACKENDS)
def test_a_bound_launch(backend: str) -> None:
    x, y = np.ones(8, np.float32), np.zeros(8, np.float32)
    bound = add[1].bind(2.0, x, y=y, backend=backend)
    bound()
    bound()
    assert (y == 4).all()
    bound(alpha=0.5)
    assert (y == 4.5).all()
    bound()
    assert (y == 6.5).all()
    z = np.zeros(8, np.float32)
    other = bound.replace(alpha=3.0, y=z)
    other()
    bound(y=z)
    assert (z == 5).all() and (y == 6.5).all()
    before = y.tobytes(), z.tobytes()
    assert code_of(lambda: bound(alpha="2")) == "PYTL-2002"
    assert code_of(lambda: bound(alpha=1e39)) == "PYTL-2009"
    assert code_of(lambda: bound(beta=1.0)) == "PYTL-2001"
    assert code_of(lambda: bound(y=np.zeros(7, np.float32))) == "PYTL-2061"
    assert code_of(lambda: bound.replace(x=y.astype(np.float64))) == "PYTL-2003"
    assert (y.tobytes(), z.tobytes()) == before


@pytest.mark.at_most(1)
@pytest.mark.parametrize("backend", BACKENDS)
def test_a_bound_launch_keeps_its_arrays(backend: str) -> None:
    result = np.zeros(8, np.float32)
    given = [np.ones(8, np.float32)]
    alive = weakref.ref(given[0])
    bound = add_items[...].bind(1.0, given, [result], backend=backend)
    given.clear()
    gc.collect()
    bound()
    assert (result == 1).all()
    del bound
    gc.collect()
    assert backend != "reference" or alive() is None


@needs_sycl
def test_a_bound_launch_is_submitted() -> None:
    from device_kit import dpt

    x, y = dpt.ones(8, dtype="f4"), dpt.zeros(8, dtype="f4")
    bound = add[1].bind(1.0, x, y)
    event = bound.submit()
    bound.submit(depends=[event], alpha=3.0).wait()
    assert (dpt.asnumpy(y) == 4).all()
    host = add[1].bind(1.0, np.ones(8, np.float32), np.zeros(8, np.float32), backend="sycl")
    assert code_of(host.submit) == "PYTL-2017"


def test_a_copy_has_a_message_of_its_own_at_the_users_line():
    @pytl.kernel
    def one(x: Memref[f32, 4]):
        x[0] = 1.0

    bound = one[1].bind(np.zeros(4, np.float32), backend="reference")
    for copied in (copy.copy, copy.deepcopy):
        with pytest.raises(pytl.LaunchError) as caught:
            copied(bound)
        (found,) = caught.value.diagnostics
        assert found.message == "a bound launch of one holds addresses of its arguments, and is not copied"
        assert found.location.source.name == __file__
        assert found.help == "a launch of the same arguments: bound.replace(); of others: bound.replace(A=other)"
    x = np.zeros(4, np.float32)
    bound.replace(x=x)()
    assert x[0] == 1.0 and bound.replace() is not bound
