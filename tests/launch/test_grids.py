"""Launches along x, y and z: every work-group has its place, on every backend, however it is launched."""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import pytest
from differential.cases import NEEDS_SYCL

import pytl
from pytl import Memref, atomic, f32, foreach, group_id, group_size, i32
from pytl.backends.base import Grid
from pytl.launch.bounds import Bounds
from pytl.launch.plans import MAX_CHECKED

BACKENDS: list[Any] = [
    "reference",
    "sycl",
    "opencl",
    pytest.param("mlir", marks=pytest.mark.tools_of("mlir")),
    pytest.param("arm_sme", marks=pytest.mark.tools_of("arm_sme")),
]
SHAPE = (3, 4, 2)


@pytl.kernel
def places(o: Memref[i32, 4, ..., ..., ...], factor: i32):
    x, y, z = group_id(), group_id("y"), group_id(2)
    groups = group_size(0) + 10 * group_size("y") + 100 * group_size(2)
    for i in foreach(4):
        o[i, x, y, z] = factor * (i32(i) + 10 * (i32(x) + 10 * (i32(y) + 10 * i32(z)))) + i32(groups)


def wanted(shape: tuple[int, int, int], factor: int = 1) -> np.ndarray:
    i, x, y, z = np.indices((4, *shape))
    return factor * (i + 10 * (x + 10 * (y + 10 * z))) + shape[0] + 10 * shape[1] + 100 * shape[2]


def room(shape: tuple[int, int, int] = SHAPE) -> np.ndarray:
    return np.full((4, *shape), -1, np.int32, order="F")


@pytest.mark.at_most(1)
@pytest.mark.parametrize("backend", BACKENDS)
def test_each_work_group_has_its_place(backend: str) -> None:
    for shape in (SHAPE, (1, 1, 5), (2, 1, 1), (1, 3, 1)):
        o = room(shape)
        for _ in range(3):  # by a plan, too, and specialized
            o[...] = -1
            places[shape](o, 2, backend=backend)
            np.testing.assert_array_equal(o, wanted(shape, 2))
    o = room((3, 1, 1))
    places[3](o, factor=1, backend=backend)
    np.testing.assert_array_equal(o, wanted((3, 1, 1)))
    two = room((3, 2, 1))
    places[3, 2](two, 1, backend=backend)
    np.testing.assert_array_equal(two, wanted((3, 2, 1)))


@pytest.mark.at_most(1)
@pytest.mark.parametrize("backend", BACKENDS)
def test_what_does_not_ask_for_places_is_launched_along_them(backend: str) -> None:
    @pytl.kernel
    def counted(o: Memref[i32, 4, ...]):
        for i in foreach(4):
            atomic.add(o[i, group_id()], i32(group_size()))

    o = np.zeros((4, 3), np.int32, order="F")
    counted[3, 2, 2](o, backend=backend)
    np.testing.assert_array_equal(o, 12)
    counted[3, 1, 1](o, backend=backend)
    np.testing.assert_array_equal(o, 15)
    counted[3, 0, 2](o, backend=backend)
    np.testing.assert_array_equal(o, 15)


@pytest.mark.at_most(1)
@pytest.mark.parametrize("backend", BACKENDS)
def test_bound_launches(backend: str) -> None:
    o = room()
    bound = places[SHAPE].bind(o, factor=1, backend=backend)
    bound()
    np.testing.assert_array_equal(o, wanted(SHAPE))
    bound(factor=3)
    np.testing.assert_array_equal(o, wanted(SHAPE, 3))
    other = bound.replace(o=(again := room()), factor=2)
    other()
    np.testing.assert_array_equal(again, wanted(SHAPE, 2))
    assert list(bound.arguments) == ["o", "factor"]
    with pytest.raises(pytl.LaunchError, match="PYTL-2060"):
        places[3, 4, 3].bind(o, 1, backend="sycl" if backend == "reference" else backend)


def test_submitted_launches() -> None:
    from device_kit import dpt as tensor

    o = tensor.asarray(room(), order="F")
    event = places[SHAPE].submit(o, 1)
    places[SHAPE].submit(o, 2, depends=[event]).wait()
    np.testing.assert_array_equal(tensor.asnumpy(o), wanted(SHAPE, 2))
    pytl_bound = places[SHAPE].bind(o, 3)
    pytl_bound.submit().wait()
    np.testing.assert_array_equal(tensor.asnumpy(o), wanted(SHAPE, 3))


def test_options_stand_behind_the_numbers() -> None:
    for strategy in ("one-item", "many-items"):
        o = room()
        places[(*SHAPE, {"strategy": strategy})](o, 1, backend="sycl")
        np.testing.assert_array_equal(o, wanted(SHAPE))
    o = room((2, 3, 1))
    places[2, 3, {"strategy": "many-items"}](o, 1, backend="sycl")
    np.testing.assert_array_equal(o, wanted((2, 3, 1)))
    places[(2, 3, 1), {"strategy": "one-item"}](o, 1, backend="sycl")
    np.testing.assert_array_equal(o, wanted((2, 3, 1)))


@pytest.mark.parametrize(
    ("configuration", "message"),
    [
        ((1, 2, 3, 4), "the brackets contain"),
        ((), "the brackets contain"),
        ((2, -1), "the number of work-groups is -1"),
        ((2, 1.5), "the number of work-groups is 1.5"),
        ((2, True), "the number of work-groups is True"),
        ((2, "x"), "the number of work-groups is"),
        ((2**40, 2**20, 2**10), "1099511627776 x 1048576 x 1024 work-groups are more than 64 bits count"),
        ((2**62, 2), "work-groups are more than 64 bits count"),
        ((2**63, 0), "… x 0 work-groups are more than 64 bits count"),
        ((1 << 16000, 0), "the number of work-groups is an integer of more than 128 bits"),
        (1 << 16000, "the number of work-groups is an integer of more than 128 bits"),
        ((2, ...), "the number of work-groups is"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_wrong_numbers(configuration: Any, message: str) -> None:
    with pytest.raises(pytl.LaunchError) as caught:
        places[configuration]
    assert caught.value.code == "PYTL-2016"
    assert message in str(caught.value)


def test_the_arguments_do_not_tell_the_numbers() -> None:
    for launch in (lambda: places[...](room(), 1), lambda: places[...].bind(room(), 1)):
        with pytest.raises(pytl.LaunchError, match="it has places along y or z"):
            launch()


def test_an_index_beyond_the_array_is_told_before_the_launch() -> None:
    with pytest.raises(pytl.LaunchError, match="mode 3 of o has size 2, but of 36 work-groups number 24 takes index 2"):
        places[3, 4, 3](room(), 1, backend="sycl")
    with pytest.raises(pytl.ExecutionError, match=r"\(work-group \(0, 0, 2\), iteration \(0\)\)"):
        places[3, 4, 3](room(), 1, backend="reference")


def test_work_groups_race_along_every_dimension() -> None:
    @pytl.kernel
    def same(o: Memref[f32, 4]):
        o[group_id()] = f32(group_id(1))

    same[4, 1](np.zeros(4, np.float32), backend="reference")
    with pytest.raises(pytl.ExecutionError) as caught:
        same[4, 2](np.zeros(4, np.float32), backend="reference")
    assert caught.value.code == "PYTL-4031"
    assert "written by work-group (0, 0, 0), in no order (work-group (0, 1, 0)" in str(caught.value)


def test_names_of_parameters_are_free() -> None:
    @pytl.kernel
    def named(groups_x: Memref[i32, ..., ...], groups_y: i32):
        groups_x[group_id(), group_id(1)] = groups_y + i32(group_size(1))

    x = np.zeros((2, 3), np.int32, order="F")
    named[2, 3](x, groups_y=4, backend="sycl")
    np.testing.assert_array_equal(x, 7)
    with pytest.raises(pytl.LaunchError, match="takes"):
        named[2, 3](x, 4, 5, backend="sycl")


def test_kernels_travel() -> None:
    again = pickle.loads(pickle.dumps(places))
    for kernel in (
        again,
        pytl.compile(str(places))["places"],
        pytl.compile(places.ir(dialect="0.4"), language="0.4")["places"],
    ):
        o = room()
        kernel[SHAPE](o, 1, backend="sycl")
        np.testing.assert_array_equal(o, wanted(SHAPE))
    grid = pickle.loads(pickle.dumps(Grid(*SHAPE)))
    assert grid == 24 and grid.shape == SHAPE and [grid.position(n) for n in (0, 1, 3, 23)] == [
        (0, 0, 0), (1, 0, 0), (0, 1, 0), (2, 3, 1)]  # fmt: skip


def test_open_parameters() -> None:
    @pytl.kernel
    def scaled(o: Memref[i32, ..., ...], by: pytl.constexpr):
        o[group_id(), group_id(1)] = by * i32(group_id(1))

    o = np.zeros((2, 3), np.int32, order="F")
    for backend in ("reference", "sycl"):
        scaled[2, 3](o, by=4, backend=backend)
        np.testing.assert_array_equal(o, 4 * np.indices((2, 3))[1])


def test_built_ahead_of_time(tmp_path: Any) -> None:
    @pytl.kernel
    def plain(o: Memref[f32, 4]):
        pytl.axpby(1.0, o, 1.0, o)

    pytl.build([places, plain], tmp_path)
    library = pytl.load(tmp_path)
    for shape in (SHAPE, (2, 1, 1)):
        for backend in ("sycl", "opencl", "reference"):
            o = room(shape)
            library["places"][shape](o, 1, backend=backend)
            np.testing.assert_array_equal(o, wanted(shape))
            library["places"][shape](factor=2, o=o, backend=backend)
            np.testing.assert_array_equal(o, wanted(shape, 2))
    with pytest.raises(pytl.LaunchError, match="PYTL-0687"):
        library["plain"][2, 2](np.zeros(4, np.float32), backend="sycl")


def test_spirv_is_told_the_grid() -> None:
    interface = places.emit("spirv").interface
    assert [p["name"] for p in interface["parameters"]] == ["o", "factor", "groups_x", "groups_y"]


def test_generated_code() -> None:
    assert "groups_x" in places.emit("numba_dpex") and "groups_x" in places.emit("mlir")
    for backend in ("xegpu", "arm_sme"):
        assert "groups_x" in places.emit(backend)


def test_checks_on_the_device() -> None:
    @pytl.kernel
    def looked_up(o: Memref[i32, 4, 2], at: Memref[i32, 4, 2]):
        o[pytl.index(at[group_id(), group_id(1)]), 0] = 1

    at = np.zeros((4, 2), np.int32, order="F")
    at[3, 1] = 4
    with pytest.raises(pytl.ExecutionError, match="PYTL-4001"):
        looked_up[4, 2, {"checks": True}](np.zeros((4, 2), np.int32, order="F"), at, backend="sycl")


def test_tuning() -> None:
    o = room()
    result = pytl.tune(places[SHAPE], (o, 1), budget=0.5, print_table=False)
    assert result.groups == 24
    places[SHAPE](o, 2)
    np.testing.assert_array_equal(o, wanted(SHAPE, 2))


@pytest.mark.needs_numba_dpex
def test_numba_dpex_launches_them() -> None:
    import dpctl.tensor as tensor
    import numba_dpex

    o = tensor.asarray(room(), order="F")
    numba_dpex.call_kernel(*places.dpex(SHAPE, o, 2))
    np.testing.assert_array_equal(tensor.asnumpy(o), wanted(SHAPE, 2))
    with pytest.raises(pytl.LaunchError, match="PYTL-2041"):
        places.dpex(SHAPE)


@pytest.mark.parametrize(
    ("backend", "codes"),
    [("reference", {"PYTL-2060", "PYTL-4001"}), pytest.param("sycl", {"PYTL-2060"}, marks=NEEDS_SYCL)],
)
def test_repeated_launches_stay_in_the_arrays(backend: str, codes: set[str]) -> None:
    """What was found to stay in bounds is remembered with all that it depends on."""

    @pytl.kernel
    def shifted(o: Memref[i32, ..., ..., ...], by: i32):
        x, y, z = group_id(), group_id("y"), group_id("z")
        o[x + pytl.index(by), y, z] = 1

    o = np.zeros((4, 3, 2), np.int32, order="F")
    for _ in range(3):
        shifted[3, 3, 2](o, 0, backend=backend)
        shifted[3, 3, 2](o, 1, backend=backend)
        shifted[2, 1, 2](o, 2, backend=backend)
        for grid, by in (((5, 3, 2), 0), ((4, 4, 2), 0), ((4, 3, 3), 0), ((3, 3, 2), 2), ((3, 3, 2), -1)):
            with pytest.raises(pytl.PytlError) as caught:
                shifted[grid](o, by, backend=backend)
            assert caught.value.diagnostics[0].code in codes, (grid, by)
        with pytest.raises(pytl.PytlError) as caught:
            shifted[3, 3, 2](o[:, :1], 1, backend=backend)
        assert caught.value.diagnostics[0].code in codes
    np.testing.assert_array_equal(o, np.ones_like(o))


@NEEDS_SYCL
def test_bounds_are_computed_once_for_the_same_numbers(monkeypatch: pytest.MonkeyPatch) -> None:
    shape = (2, 5, 3)
    o, launched = room(shape), places[shape]
    launched(o, 1)
    seen = []
    original = Bounds.hold_for
    monkeypatch.setattr(Bounds, "hold_for", lambda *given: seen.append(given[-1]) or original(*given))
    for number in range(200):
        launched(o, number)  # the factor is no part of a bound
    assert len(seen) == 1
    for x in range(1, 100):
        places[1, x, 1](np.zeros((4, 1, 99, 1), np.int32, order="F"), 1)
    assert len(seen) < 110


@NEEDS_SYCL
def test_what_is_remembered_is_bounded() -> None:
    o = np.zeros((4, 300, 2, 1), np.int32, order="F")
    for x in range(1, 301):
        places[x, 2](o, 1)
    plans = list(places.current().launches.plans.values())
    assert plans and all(len(plan.guards.in_bounds) <= MAX_CHECKED for plan in plans)


@pytest.mark.parametrize("backend", ["reference", pytest.param("sycl", marks=NEEDS_SYCL)])
def test_more_work_groups_than_an_array_has_room_for_are_told(backend):
    @pytl.kernel
    def mark(A: Memref[i32, 4, 5, 6]):
        i, j, k = pytl.group_id(0), pytl.group_id(1), pytl.group_id(2)
        for _ in foreach(1):
            A[i, j, k] = 1

    with pytest.raises(pytl.LaunchError, match=r"mode 0 of A has size 4, but of \d+ work-groups number 4 ") as caught:
        mark[5, 5, 6](np.zeros((4, 5, 6), np.int32, order="F"), backend=backend)
    assert "launch fewer work-groups along x, y or z" in str(caught.value)
