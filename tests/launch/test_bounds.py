"""Launches beyond the arguments: refused when arguments are bound, on every backend, with both numbers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from launch_kit import BACKENDS, column_major
from sampling import alike, crossed

import pytl
from pytl import (
    Group,
    Memref,
    alloca,
    axpby,
    coop,
    cumsum,
    expand,
    f32,
    foreach,
    fuse,
    gemm,
    group_id,
    group_size,
    hadamard,
    i32,
    index,
    parallel,
    strides,
)
from pytl.backends.registry import find_backend
from pytl.passes.preconditions import MAX_LOOPED, preconditions_of

pytestmark = pytest.mark.at_most(4)


def _backend(name: str) -> Any:
    missing = find_backend(name).unavailable()
    return pytest.param(name, marks=pytest.mark.skipif(missing is not None, reason=f"{missing}"))


ALL = [_backend(name) for name in ("sycl", "reference", "mlir", "arm_sme")]


@pytl.kernel
def of_groups(x: Group[f32, 8], y: Group[f32, 8]):
    g = group_id()
    axpby(1.0, x[g], 1.0, y[g])


@pytl.kernel
def of_modes(x: Memref[f32, 8, ...], y: Memref[f32, 8, 10]):
    g = group_id()
    axpby(1.0, x[:, g], 1.0, y[:, g])


@pytl.kernel
def of_elements(x: Memref[f32, 8, ...]):
    g = group_id()
    for i in foreach(8):
        x[i, g] = 1.0


@pytl.kernel
def of_slices(x: Memref[f32, ...]):
    g = group_id()
    part = x[4 * g : 4 * g + 4]
    axpby(1.0, part, 1.0, part)


@pytl.kernel
def of_neighbours(x: Memref[f32, ...], y: Memref[f32, ...]):
    g = group_id()
    y[g] = x[g] + x[g + 1] + x[g + 2]


@pytl.kernel
def of_planes(x: Memref[f32, 4, ...], n: index):
    """Work-group g has element g % 4 of column g // 4."""
    g = group_id()
    x[g % 4, g // 4] = 1.0


@pytl.kernel
def of_products(A: Memref[f32, ..., ...], B: Memref[f32, ..., ...], C: Memref[f32, ..., ...]):
    gemm(1.0, A, B, 0.0, C)


@pytl.kernel
def of_sums(x: Memref[f32, ...], y: Memref[f32, ...]):
    axpby(1.0, x, 0.0, y)


@pytl.kernel
def of_items(A: Group[Memref[f32, ..., ...]], B: Group[Memref[f32, ..., ...]], C: Memref[f32, ..., ..., ...]):
    g = group_id()
    gemm(1.0, A[g], B[g], 0.0, C[:, :, g])


@pytl.kernel
def of_views(x: Memref[f32, ...], y: Memref[f32, ...], n: index):
    axpby(1.0, x[0:n], 1.0, y)


def refused(launch: Callable[[], Any], *arrays: np.ndarray) -> list[tuple[str, str, str | None]]:
    """Code, message and help of everything that a launch is refused for; it has changed no array."""
    before = [array.tobytes() for array in arrays]
    with pytest.raises(pytl.LaunchError) as caught:
        launch()
    assert [array.tobytes() for array in arrays] == before
    assert all(found.location is not None for found in caught.value.diagnostics)
    return [(found.code, found.message, found.help) for found in caught.value.diagnostics]


@pytest.mark.parametrize("backend", ALL)
def test_more_work_groups_than_items_and_elements(backend: str) -> None:
    x, y = column_major(8, 13), column_major(8, 10)
    memory = column_major(8, 23)

    def of(count: int) -> list[np.ndarray]:
        return [memory[:, item] for item in range(count)]

    found = refused(lambda: of_groups[13](of(10), of(13), backend=backend), memory)
    assert found == [
        (
            "PYTL-2060",
            "x has 10 items, but of 13 work-groups number 10 takes item 10",
            "write of_groups[10](…), or pass more, one for each work-group",
        )
    ]
    found = refused(lambda: of_groups[10](of(3), of(10), backend=backend), memory)
    assert [message for _, message, _ in found] == ["x has 3 items, but of 10 work-groups number 3 takes item 3"]
    # one array whose last mode counts the items
    found = refused(lambda: of_groups[13](memory[:, :10], memory[:, 10:], backend=backend), memory)
    assert [code for code, _, _ in found] == ["PYTL-2060"]
    # a dynamic mode, and a static one
    found = refused(lambda: of_modes[11](x[:, :10], y, backend=backend), x, y)
    assert [message for _, message, _ in found] == [
        "mode 1 of x has size 10, but of 11 work-groups number 10 takes index 10",
        "mode 1 of y has size 10, but of 11 work-groups number 10 takes index 10",
    ]
    found = refused(lambda: of_elements[14](x, backend=backend), x)
    assert [message for _, message, _ in found] == [
        "mode 1 of x has size 13, but of 14 work-groups number 13 takes index 13"
    ]


@pytest.mark.parametrize("backend", ALL)
def test_an_empty_batch(backend: str) -> None:
    empty = np.zeros((8, 0), np.float32, order="F")
    found = refused(lambda: of_groups[5]([], [], backend=backend))
    assert [code for code, _, _ in found] == ["PYTL-2060", "PYTL-2060"]
    assert found[0][1] == "x has 0 items, but of 5 work-groups number 0 takes item 0"
    found = refused(lambda: of_elements[5](empty, backend=backend))
    assert found[0][1:] == (
        "mode 1 of x has size 0, but of 5 work-groups number 0 takes index 0",
        "pass more, one for each work-group",
    )
    of_groups[0]([], [], backend="reference")
    of_elements[0](empty, backend="reference")


@pytest.mark.parametrize("backend", ALL)
def test_slices_offsets_and_quotients(backend: str) -> None:
    x, y = column_major(18), column_major(18)
    found = refused(lambda: of_slices[5](x, backend=backend), x)
    assert found == [
        (
            "PYTL-2060",
            "mode 0 of x has size 18, but of 5 work-groups number 4 takes the elements 16 to 19",
            "write of_slices[4](…), or pass more, one for each work-group",
        )
    ]
    found = refused(lambda: of_neighbours[17](x, y, backend=backend), x, y)
    assert [message for _, message, _ in found] == [
        "mode 0 of x has size 18, but of 17 work-groups number 16 takes index 18"
    ]
    planes = column_major(4, 5)
    found = refused(lambda: of_planes[21](planes, 0, backend=backend), planes)
    assert [message for _, message, _ in found] == [
        "mode 1 of x has size 5, but of 21 work-groups number 20 takes index 5"
    ]


@pytest.mark.parametrize("backend", ALL)
def test_sizes_that_an_instruction_demands_equal(backend: str) -> None:
    A, B, C = column_major(16, 40), column_major(8, 8), column_major(16, 8)
    found = refused(lambda: of_products[1](A, B, C, backend=backend), C)
    assert found == [("PYTL-2061", "gemm: mode 1 of A is 40, but mode 0 of B is 8", "pass arrays whose sizes agree")]
    x, y = column_major(10), column_major(40)
    for given in ((x, y), (y, x)):
        found = refused(lambda given=given: of_sums[1](*given, backend=backend), x, y)
        assert [code for code, _, _ in found] == ["PYTL-2061"]
        assert {"10", "40"} <= set(found[0][1].replace(",", "").split())
    found = refused(lambda: of_views[1](y, x, 12, backend=backend), x, y)
    assert [message for _, message, _ in found] == ["axpby: mode 0 of B (y) is 10, but mode 0 of A (a view on x) is 12"]


@pytest.mark.parametrize("backend", ALL)
def test_sizes_of_items_that_differ(backend: str) -> None:
    A = [column_major(4, n) for n in (2, 3, 5)]
    B = [column_major(n, 6) for n in (2, 3, 4)]
    C = column_major(4, 6, 3)
    found = refused(lambda: of_items[3](A, B, C, backend=backend), C)
    assert [code for code, _, _ in found] == ["PYTL-2061"]
    assert found[0][1] == ("gemm: mode 1 of A (an item of A) is 5, but mode 0 of B (an item of B) is 4 in work-group 2")
    of_items[2](A, B, C, backend="reference")  # the third item is not used
    np.testing.assert_array_equal(C[:, :, 1], A[1] @ B[1])


def test_other_instructions_that_demand_sizes() -> None:
    @pytl.kernel
    def of_hadamard(x: Memref[f32, ...], y: Memref[f32, ...], z: Memref[f32, ...]):
        hadamard(1.0, x, y, 0.0, z)

    @pytl.kernel
    def of_cumsum(x: Memref[f32, ..., ...], y: Memref[f32, ..., ...]):
        cumsum(1.0, x, 0, 0.0, y)

    @pytl.kernel
    def of_expand(x: Memref[f32, ...], n: index):
        y = expand(x, 0, (4, n))
        for i, j in foreach((0, 0), (4, n)):
            y[i, j] = 1.0

    @pytl.kernel
    def of_fuse(x: Memref[f32, ..., ..., strides(1, ...)]):
        y = fuse(x, 0, 1)
        axpby(1.0, y, 1.0, y)

    @pytl.kernel
    def aliasing_matrices(x: Memref[f32, ..., ...]):
        with parallel():
            m = coop.load(x, 0, 4, shape=(8, 8), use="matrix_acc", checked="rows")
            coop.store(m, x, 0, 0, checked="both")

    x, m = column_major(12), column_major(6, 10)
    for launch, code, numbers in (
        (lambda: of_hadamard[1](x, x[:5].copy(), x[:4].copy(), backend="reference"), "PYTL-2061", {"12", "5"}),
        (lambda: of_cumsum[1](m, m[:, :7].copy("F"), backend="reference"), "PYTL-2061", {"10", "7"}),
        (lambda: of_expand[1](x, 4, backend="reference"), "PYTL-2061", {"16", "12"}),
        (lambda: of_fuse[1](m[:4], backend="reference"), "PYTL-2061", {"4", "6"}),
        (lambda: aliasing_matrices[1](m, backend="reference"), "PYTL-2060", {"10", "11"}),
    ):
        found = refused(launch, x, m)
        assert found[0][0] == code
        assert numbers <= set(found[0][1].replace(",", "").split()), found
    of_expand[1](x, 3, backend="reference")
    of_fuse[1](m, backend="reference")
    aliasing_matrices[1](column_major(6, 12), backend="reference")


@pytest.mark.parametrize("backend", BACKENDS)
def test_launches_like_an_earlier_one_are_checked_as_well(backend: str) -> None:
    memory = column_major(8, 20)
    x = memory[:, :10]
    for groups in (3, 10, 7, 10):
        of_elements[groups](x, backend=backend)
    assert of_elements.cache_info().plans > 0
    found = refused(lambda: of_elements[11](x, backend=backend), memory)
    assert [code for code, _, _ in found] == ["PYTL-2060"]

    @pytl.kernel
    def by_number(x: Memref[f32, ...], n: i32):
        x[index(n)] = 1.0

    x = np.zeros(8, np.float32)
    for n in (0, 7, 3):
        by_number[1](x, n, backend=backend)
    assert x.tolist() == [1, 0, 0, 1, 0, 0, 0, 1]
    for n in (8, -1):
        found = refused(lambda n=n: by_number[1](x, n, backend=backend), x)
        assert [code for code, _, _ in found] == ["PYTL-2060"]


def test_what_depends_on_conditions_and_data_is_left_to_the_execution() -> None:
    @pytl.kernel
    def guarded(x: Memref[f32, ...], n: index):
        g = group_id()
        if g < n:
            x[g] = 1.0

    @pytl.kernel
    def in_an_empty_loop(x: Memref[f32, ...], n: index):
        for _ in range(n):
            x[12] = 1.0

    @pytl.kernel
    def by_data(which: Memref[i32, 1], x: Memref[f32, ...]):
        x[index(which[0])] = 1.0

    @pytl.kernel
    def last_is_shorter(x: Memref[f32, ...], n: index):
        g = group_id()
        part = x[4 * g : min(4 * g + 4, n)]
        axpby(1.0, part, 1.0, part)

    @pytl.kernel
    def from_the_end(x: Memref[f32, ...]):
        x[group_size() - 1 - group_id()] = 1.0

    x = np.zeros(10, np.float32)
    guarded[16](x, 10, backend="reference")
    in_an_empty_loop[1](x, 0, backend="reference")
    found = refused(lambda: in_an_empty_loop[1](x, 1, backend="reference"), x)
    assert [message for _, message, _ in found] == ["mode 0 of x has size 10, but in_an_empty_loop takes index 12"]
    with pytest.raises(pytl.ExecutionError, match="PYTL-4001"):
        by_data[1](np.array([10], np.int32), x, backend="reference")
    last_is_shorter[3](x, 10, backend="reference")
    found = refused(lambda: last_is_shorter[3](x, 11, backend="reference"), x)
    assert [code for code, _, _ in found] == ["PYTL-2060"]
    from_the_end[10](x, backend="reference")
    found = refused(lambda: from_the_end[11](x, backend="reference"), x)
    assert [code for code, _, _ in found] == ["PYTL-2060"]


def test_numbers_that_wrap_around_are_not_computed_with() -> None:
    @pytl.kernel
    def wrapping(x: Memref[f32, ...], n: i32):
        x[index((n + n) // i32(2) - n)] = 1.0

    x = np.zeros(4, np.float32)
    with pytest.raises(pytl.ExecutionError, match="PYTL-4001"):
        wrapping[1](x, 2**30, backend="reference")
    wrapping[1](x, 2**30 - 1, backend="reference")
    assert x[0] == 1


@pytest.mark.at_night
def test_long_functions_have_few_demands() -> None:
    lines = "\n".join(f"  %v{n} = load %x[%g] : f32\n  store %v{n}, %x[%g]" for n in range(2000))
    text = f"func @f(%x: memref<f32x?>) {{\n  %g = builtin.group_id : index\n{lines}\n}}"
    (function,) = pytl.parse(text).functions
    assert len(preconditions_of(function)) == 1
    chain = "\n".join(f"  %i{n + 1} = arith.add %i{n}, %i{n} : index" for n in range(2000))
    text = f"func @f(%x: memref<f32x?>, %i0: index) {{\n{chain}\n  %v = load %x[%i2000] : f32\n}}"
    (function,) = pytl.parse(text).functions
    assert len(preconditions_of(function)) == 0


# What varies in loops.


@pytl.kernel
def up_to(x: Memref[f32, ...], n: index):
    for i in foreach(n):
        x[i] = 1.0


@pytl.kernel
def by_steps(x: Memref[f32, ...], first: index, n: index, step: index):
    for i in range(first, n, step):
        x[2 * i - 3] = 1.0


@pytl.kernel
def backwards(x: Memref[f32, ...], n: index):
    for i in range(n):
        x[n - 1 - 2 * i] = 1.0


@pytl.kernel
def triangle(x: Memref[f32, ..., ...], n: index):
    for j in range(n):
        for i in range(j + 1, n):
            x[i, j] = 1.0


@pytl.kernel
def shared_out(x: Memref[f32, ...], n: index):
    for i in range(group_id(), n, group_size()):
        x[i] = 1.0


@pytl.kernel
def in_blocks(x: Memref[f32, ...], n: index):
    g = group_id()
    for i in foreach(min(n - 4 * g, 4)):
        x[4 * g + i] = 1.0


@pytl.kernel
def columns(x: Memref[f32, 2, ...], y: Memref[f32, 2], n: index):
    for i in range(n):
        axpby(1.0, x[:, i], 1.0, y)


@pytl.kernel
def items(x: Group[f32, 2], y: Memref[f32, 2], n: index):
    for i in range(n):
        axpby(1.0, x[i], 1.0, y)


@pytl.kernel
def by_sizes(x: Memref[f32, ...], y: Memref[f32, ...]):
    for i in foreach(x.shape[0]):
        y[i] = x[i]


COMPILED = [each for each in ALL if each.values[0] != "reference"]
X10, X33, Y = np.zeros(10, np.float32), column_major(3, 3), np.zeros(2, np.float32)
LOOPS: dict[str, tuple[Any, int, Any, Any, str]] = {
    "up to a number": (up_to, 1, (X10, 10), (X10, 11), "mode 0 of x has size 10, but up_to takes index 10"),
    "up to a large number": (up_to, 1, (X10, 0), (X10, 2**40), f"size 10, but up_to takes index {2**40 - 1}"),
    "below the first": (by_steps, 1, (X10, 2, 7, 2), (X10, 1, 7, 2), "size 10, but by_steps takes index -1"),
    "at the last step": (by_steps, 1, (X10, 2, 8, 3), (X10, 2, 8, 5), "size 10, but by_steps takes index 11"),
    "backwards": (backwards, 1, (X10, 1), (X10, 4), "size 10, but backwards takes index -3"),
    "a triangle": (triangle, 1, (X33, 3), (X33, 4), "mode 0 of x has size 3, but triangle takes index 3"),
    "shared out": (shared_out, 3, (X10, 10), (X10, 11), "size 10, but shared_out takes index 10"),
    "in blocks": (in_blocks, 3, (X10, 10), (X10, 11), "has size 10, but of 3 work-groups number 2 takes index 10"),
    "columns": (columns, 1, (column_major(2, 5), Y, 5), (column_major(2, 5), Y, 6), "takes index 5"),
    "items": (items, 1, ([Y] * 5, Y.copy(), 5), ([Y] * 5, Y.copy(), 6), "x has 5 items, but items takes item 5"),
    "by another's size": (by_sizes, 1, (X10[:9], X10.copy()), (X10, X10[:9].copy()), "mode 0 of y has size 9"),
}


# A launch is looked at alike for every backend: of those that need tools, one takes each loop between the nights.
IN_LOOPS = [*crossed(COMPILED[:1], LOOPS), *crossed(COMPILED[1:], LOOPS, kind_of=alike)]


@pytest.mark.at_most(1)
@pytest.mark.parametrize(("backend", "loop"), IN_LOOPS)
def test_what_varies_in_loops_lies_in_the_arrays(backend: str, loop: str) -> None:
    """A launch like an earlier one is looked at, too, and what was right once stays right."""
    kernel, groups, right, wrong, message = LOOPS[loop]
    launch = kernel[groups]
    for _ in range(2):
        launch(*right, backend=backend)
        with pytest.raises(pytl.LaunchError) as caught:
            launch(*wrong, backend=backend)
        assert caught.value.code == "PYTL-2060" and message in str(caught.value)
    launch(*right, backend=backend)
    bound = launch.bind(*right, backend=backend)
    with pytest.raises(pytl.LaunchError):
        launch.bind(*wrong, backend=backend)
    bound()


@pytest.mark.at_most(1)
@pytest.mark.parametrize("backend", COMPILED)
def test_loops_of_a_text_of_mlir_lie_in_the_arrays(backend: str) -> None:
    text = """func.func @f(%a: memref<?x?xf32>, %m: index, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant 2.0 : f32
  scf.parallel (%i, %j) = (%c0, %c0) to (%m, %n) step (%c1, %c1) {
    memref.store %z, %a[%i, %j] : memref<?x?xf32>
  }
  return
}"""
    kernel = pytl.from_mlir(text)["f"]
    a = np.zeros((4, 3), np.float32)
    kernel[...](a, 4, 3, backend=backend)
    assert (a == 2).all()
    for m, n, message in (
        (5, 3, "size 4, but f takes index 4"),
        (4, 10**12, f"size 3, but f takes index {10**12 - 1}"),
    ):
        with pytest.raises(pytl.LaunchError, match=message):
            kernel[7](a, m, n, backend=backend)
    kernel[2](a, -5, 10**12, backend=backend)  # of no iterations


def test_what_is_not_executed_is_not_refused() -> None:
    @pytl.kernel
    def shorter(x: Memref[f32, ...], n: index, m: index):
        for i in range(n):
            for k in range(i, m):
                x[k - i] = 1.0
            if i < m:
                x[i] = 2.0
            part = x[i : i + 8]  # it may be formed beyond the end
            for k in foreach(min(n - i, 8)):
                if k < 2:
                    part[k] = 3.0

    @pytl.kernel
    def masked(x: Memref[f32, ...], n: index):
        for i in foreach(n):
            x[i % 10] = 1.0

    x = np.zeros(10, np.float32)
    for backend in ("reference", "sycl"):
        if backend == "sycl" and find_backend("sycl").unavailable() is not None:
            continue
        shorter[1](x, 10, 4, backend=backend)
        masked[1](x, 10, backend=backend)


def test_the_reference_backend_tells_the_iteration() -> None:
    with pytest.raises(pytl.ExecutionError, match="PYTL-4001"):
        up_to[1](np.zeros(10, np.float32), 11, backend="reference")
    with pytest.raises(pytl.LaunchError, match="PYTL-2060"):
        up_to[1, {"checks": False}](np.zeros(10, np.float32), 11, backend="reference")


def test_long_loops_have_few_demands() -> None:
    lines = "\n".join(f"  %j{n} = arith.add %i, %k{n} : index\n  store %c, %x[%j{n}]" for n in range(1000))
    constants = "\n".join(f"%k{n} = constant {n} : index" for n in range(1000))
    text = f"""func @f(%x: memref<f32x?>, %n: index) {{
{constants}
%c = constant 1.0 : f32
foreach (%i) = (%k0), (%n) {{
{lines}
}}
}}"""
    (function,) = pytl.parse(text).functions
    assert len(preconditions_of(function)) == MAX_LOOPED


# The number of work-groups that arguments tell.


@pytest.mark.parametrize("backend", BACKENDS)
def test_the_arguments_tell_the_number_of_work_groups(backend: str) -> None:
    for count in (3, 5, 5, 0, 4):
        x = np.zeros((8, count), np.float32, order="F")
        of_elements[...](x, backend=backend)
        assert (x == 1).all()
        items = [np.full(8, item, np.float32) for item in range(count)]
        sums = [np.ones(8, np.float32) for _ in range(count)]
        of_groups[...](items, sums, backend=backend)
        assert [total[3] for total in sums] == [item + 1 for item in range(count)]
        lined = np.ones(4 * count, np.float32)
        of_slices[..., {}](lined, backend=backend)
        assert (lined == 2).all()


def test_repeated_launches_find_their_number_in_the_plan() -> None:
    @pytl.kernel
    def fill(x: Memref[f32, 8, ...]):
        g = group_id()
        for i in foreach(8):
            x[i, g] += 1.0

    x = np.zeros((8, 5), np.float32, order="F")
    fill[2](x, backend="reference")
    fill[...](x, backend="reference")
    (plan,) = fill.current().launches.plans.values()
    fill[...](x, backend="reference")
    assert list(fill.current().launches.plans.values()) == [plan]
    assert plan.groups == 5
    assert x[0].tolist() == [3, 3, 2, 2, 2]


def test_the_number_of_work_groups_that_nothing_tells() -> None:
    x, y = column_major(8, 3), column_major(8, 10)
    found = refused(lambda: of_modes[...](x, y, backend="reference"), x, y)
    assert found == [
        (
            "PYTL-2062",
            "the arguments do not agree on the number of work-groups: mode 1 of x needs 3, mode 1 of y needs 10",
            "write of_modes[n](…) with the number, or pass arguments of one length",
        )
    ]
    found = refused(lambda: of_sums[...](x[:, 0], y[:, 0], backend="reference"), x, y)
    assert found == [
        (
            "PYTL-2062",
            "the number of work-groups of of_sums is unknown: no argument is indexed by group_id() in what every "
            "work-group executes",
            "write of_sums[n](…) with the number of work-groups",
        )
    ]
    found = refused(lambda: of_planes[...](column_major(4, 5), 0, backend="reference"))
    assert found[0][1].endswith(
        "mode 0 of x is indexed by an expression of group_id() that does not say where the last one ends"
    )

    @pytl.kernel
    def in_local_memory(x: Memref[f32, ...]):
        t = alloca(f32, 16)
        t[group_id()] = x[0]

    found = refused(lambda: in_local_memory[...](x[:, 0], backend="reference"))
    assert [code for code, _, _ in found] == ["PYTL-2062"]


@pytest.mark.parametrize("backend", BACKENDS)
def test_views_that_are_formed_alone_may_lie_outside(backend: str) -> None:
    """What nothing accesses may lie outside, and what a branch decides about where the execution looks at accesses."""
    head = "func @f(%A: memref<f32x8>, %o: memref<f32>, %n: index, %p: bool) { %0 = constant 0 : index\n"
    view = "%v = subview %A[%n:4] : memref<f32x4>\n%w = subview %v[2:2] : memref<f32x2>\n"
    access = "%x = load %w[%0] : f32\nstore %x, %o[]\n"
    bodies = {
        "alone": view,
        "its size": f"{view}%s = size %w[0] : index\n%y = cast %s : f32\nstore %y, %o[]\n",
        "in a branch": f"{view}if %p {{ {access} }}\n",
    }
    A, o = np.arange(8, dtype=np.float32), np.zeros((), np.float32)
    for name, body in bodies.items():
        kernel = pytl.compile(f"{head}{body}}}")["f"]
        for _ in range(3):
            if name == "in a branch" and backend != "reference":
                with pytest.raises(pytl.LaunchError, match="PYTL-2060"):
                    kernel[1](A, o, 7, False, backend=backend)
            else:
                kernel[1](A, o, 7, False, backend=backend)
        if name == "in a branch":
            pytl.compile(f"{head}{body}}}")["f"][1](A, o, 4, True, backend=backend)
            assert o == 6.0
    for body in (f"{view}{access}", f"{view}for %i = %0, %n {{ {access} }}"):
        with pytest.raises(pytl.LaunchError) as caught:
            pytl.compile(f"{head}{body}}}")["f"][1](A, o, 7, True, backend=backend)
        assert caught.value.code == "PYTL-2060"


def test_views_in_branches_tell_the_number_of_work_groups() -> None:
    text = """func @f(%A: memref<f32x4x?>, %n: index) {
      %g = builtin.group_id : index
      %v = subview %A[:, %g] : memref<f32x4>
      %p = cmp.lt %g, %n : bool
      if %p { %one = constant 1.0 : f32  axpby.n %one, %v, %one, %v }
    }"""
    A = np.ones((4, 3), np.float32, order="F")
    pytl.compile(text)["f"][...](A, 2, backend="reference")
    np.testing.assert_array_equal(A[0], [2, 2, 1])
