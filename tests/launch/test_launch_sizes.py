"""How many work-groups, and kernels whose arguments vary: none, more than a device takes at once, many shapes."""

from typing import Any

import numpy as np
import pytest
from launch_kit import BACKENDS, needs_sycl

import pytl
from pytl import Group, Memref, atomic, axpby, f32, group_id, group_size, i64, index, parallel, subgroup
from pytl.backends.registry import find_backend

STRATEGIES = ["one-item", "many-items"]


@pytl.kernel
def ids(first: i64, y: Memref[i64, ...], total: Memref[i64, 2]):
    g = group_id()
    if i64(g) >= first:
        y[index(i64(g) - first)] = i64(g) + 1
    with parallel():
        if subgroup.size() > 0:
            atomic.add(total[0], 1)
    total[1] = i64(group_size())


@pytest.mark.parametrize("backend", BACKENDS)
def test_no_work_groups(backend: str) -> None:
    y, total = np.full(4, -1), np.full(2, -1)
    for _ in range(2):
        ids[0](0, y, total, backend=backend)
    assert (y == -1).all() and (total == -1).all()
    with pytest.raises(pytl.LaunchError, match="PYTL-2003"):  # arguments are checked all the same
        ids[0](0, y.astype(np.int32), total, backend=backend)


@needs_sycl
def test_events_of_no_work_groups() -> None:
    import dpctl
    from device_kit import dpt

    for properties in ((), "in_order"):
        queue = dpctl.SyclQueue(property=properties)
        y, total = dpt.zeros(4, dtype="i8", sycl_queue=queue), dpt.zeros(2, dtype="i8", sycl_queue=queue)
        for _ in range(2):
            event = ids[0].submit(0, y, total)
            event.wait()
            assert event.execution_status == dpctl.event_status_type.complete
        assert not dpt.any(y)


@needs_sycl
@pytest.mark.parametrize("strategy", STRATEGIES)
def test_launches_in_parts(strategy: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """As if a device took no more than 640 work-items at once, and so 40 work-groups of 16."""
    from device_kit import dpt

    from pytl.backends.numba_dpex import backend

    monkeypatch.setattr(backend, "MAX_AT_ONCE", 640)
    launch = {n: ids[n, {"strategy": strategy}] for n in (39, 40, 41, 1000)}
    for n, launcher in launch.items():
        y, total = np.zeros(n, np.int64), np.zeros(2, np.int64)
        launcher(0, y, total, backend="sycl")
        np.testing.assert_array_equal(y, np.arange(n) + 1)
        assert total.tolist() == [16 * n, n]
    y, total = dpt.zeros(1000, dtype="i8"), dpt.zeros(2, dtype="i8")
    first = launch[1000].submit(0, y, total)
    launch[1000].submit(0, y, total, depends=[first]).wait()  # the event is that of all parts
    assert dpt.asnumpy(total).tolist() == [2 * 16 * 1000, 1000]
    # a bound that is known when the plan is made holds for further launches
    launch[40](0, y, total)
    launch[1000](0, y, total)
    assert dpt.asnumpy(total).tolist() == [16 * 3040, 1000]


@needs_sycl
@pytest.mark.parametrize(("options", "work_items"), [({}, 1), ({"strategy": "many-items"}, 16)])
def test_a_device_takes_as_many_work_groups_as_work_items_allow(options: dict[str, str], work_items: int) -> None:
    """On a processor, one executes a work-group, so that parts of a launch are as long as they can be."""
    backend = find_backend("sycl")
    most = backend.max_groups(ids.function, backend.complete_options(options, None, ids.function))
    assert most == 2**31 - 1 if work_items == 1 else most * work_items <= 2**31 - 1


@needs_sycl
@pytest.mark.parametrize("strategy", STRATEGIES)
def test_work_groups_beyond_what_i32_counts(strategy: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The last of the parts only: all of them would take minutes."""
    from pytl.backends.numba_dpex import backend

    parts, seen = backend._parts, []

    def last_parts(*launch: Any) -> Any:
        seen.extend(parts(*launch))
        return seen[-1:]

    monkeypatch.setattr(backend, "_parts", last_parts)
    n = 2**31 + 5
    items = 16 if strategy == "many-items" else 1
    begin = n - n % (backend.MAX_AT_ONCE // items)
    y, total = np.zeros(n - begin, np.int64), np.zeros(2, np.int64)
    ids[n, {"strategy": strategy}](begin, y, total, backend="sycl")
    assert seen[0][0] == 0 and seen[-1] == (begin, n - begin) and sum(count for _, count in seen) == n
    np.testing.assert_array_equal(y, np.arange(begin, n) + 1)
    assert total.tolist() == [16 * (n - begin), n]


@needs_sycl
@pytest.mark.parametrize("n", [2**56 + 1, 2**63, 2**64 + 1])
def test_work_groups_that_are_too_many(n: int) -> None:
    with pytest.raises(pytl.LaunchError, match=f"PYTL-2019.*SYCL does not count {n} work-groups of 1 work-items"):
        ids[n](0, np.zeros(1, np.int64), np.zeros(2, np.int64), backend="sycl")


# Dynamic shapes, strides, offsets and groups: one kernel.


@pytl.kernel
def add(x: Memref[f32, ..., ..., pytl.strides(1, ...)], y: Memref[f32, ..., ..., pytl.strides(1, ...)]):
    axpby(1.0, x, 1.0, y)


@pytl.kernel
def add_items(x: Group[f32, ...], y: Group[f32, ...]):
    g = group_id()
    axpby(1.0, x[g], 1.0, y[g])


@needs_sycl
def test_a_kernel_is_built_once_for_all_shapes(monkeypatch: pytest.MonkeyPatch) -> None:
    from pytl.backends.numba_dpex import toolchain

    monkeypatch.setenv("PYTL_SPECIALIZE", "never")
    built = []
    build = toolchain.build
    monkeypatch.setattr(toolchain, "build", lambda *a, **k: built.append(a[1]) or build(*a, **k))
    for repeat in range(2):
        for m in range(1, 24):
            whole = np.ones((m + repeat, 8), np.float32, order="F")
            x, y = whole[:m, : 1 + m % 7], np.zeros((m, 1 + m % 7), np.float32, order="F")
            add[1](x, y, backend="sycl")
            assert (y == 1).all()
            items = np.zeros((m, 3), np.float32, order="F")
            add_items[3](np.ones((m, 3), np.float32, order="F"), items, backend="sycl")
            lists = [np.ones(k, np.float32) for k in (m, 3)], [items[:, 0], np.zeros(3, np.float32)]
            add_items[2](*lists, backend="sycl")
            assert items.sum() == 4 * m
    assert built == ["add", "add_items"]
    add[1, {"strategy": "many-items"}](x, y, backend="sycl")
    assert built == ["add", "add_items", "add"]


# Numbers of launches that are like earlier ones.


@pytl.kernel
def put(
    a: pytl.i8, b: i64, c: pytl.f16, d: f32, e: pytl.f64, f: pytl.c32, g: pytl.c64, p: pytl.bool_,
    A: Memref[pytl.i8, 1], B: Memref[i64, 1], C: Memref[pytl.f16, 1], D: Memref[f32, 1], E: Memref[pytl.f64, 1],
    F: Memref[pytl.c32, 1], G: Memref[pytl.c64, 1],
):  # fmt: skip
    if p:
        A[0], B[0], C[0], D[0], E[0], F[0], G[0] = a, b, c, d, e, f, g


@pytest.mark.parametrize("backend", BACKENDS)
def test_numbers_of_repeated_launches(backend: str) -> None:
    kinds = (np.int8, np.int64, np.float16, np.float32, np.float64, np.complex64, np.complex128)
    numbers = [
        (1, 2, 0.1, 0.1, 0.1, 1 + 2j, 3 - 4j),
        (-128, -(2**63), 65504.0, 3.4028234e38, 1e308, 2j, 1e300 + 0j),
        (127, 2**63 - 1, -0.0, float("inf"), float("-inf"), complex("nan"), complex("inf")),
        (np.int8(5), np.int64(6), np.float16(7), np.float32(8), np.float64(9), np.complex64(1j), np.complex128(2j)),
        (np.int64(5), 6, 7, 8, 9, 10, 11.0),
    ]
    for given in numbers:
        for _ in range(2):
            arrays = [np.zeros(1, kind) for kind in kinds]
            put[1](*given, True, *arrays, backend=backend)
            for array, number, kind in zip(arrays, given, kinds):
                np.testing.assert_array_equal(array, np.array([number]).astype(kind))
            put[1](*[0] * 7, False, *arrays, backend=backend)
            assert arrays[0][0] == given[0]
        for place, number in ((0, 128), (0, -129), (0, 1.0), (1, 2**63), (3, 3.5e38), (4, 1j), (2, 65520.0)):
            wrong = [*given[:place], number, *given[place + 1 :]]
            with pytest.raises(pytl.LaunchError, match="PYTL-2009"):
                put[1](*wrong, True, *arrays, backend=backend)
            assert arrays[0][0] == given[0]


@pytest.mark.needs_dpnp
def test_dpnp_arrays_and_those_of_dpctl_share_what_was_decided() -> None:
    import dpnp
    from device_kit import dpt

    before = len(add.current().launches.plans)
    for _ in range(2):
        x, y = (dpnp.full((3, 5), value, dtype="f4", order="F") for value in (1, 0))
        add[1](x, y)
        add[1](dpt.ones((3, 5), dtype="f4", order="F"), y.get_array())
        add[1].submit(x, y.get_array()).wait()
        assert (dpnp.asnumpy(y) == 3).all()
    assert len(add.current().launches.plans) == before + 2  # waiting or not
