"""The checked mode of backends that compile: tests in the kernel fail as those of the reference backend do, and nothing
outside of the arrays is touched."""

from __future__ import annotations

import re
from collections.abc import Callable
from random import Random
from typing import Any

import numpy as np
import pytest
from differential.cases import NEEDS_OPENCL, NEEDS_SYCL
from generator import generate
from properties.execution import data_for, execute
from properties.test_backends import assert_leaves_the_same, ways_of

import pytl
from pytl import Group, Memref, alloca, c64, coop, f32, foreach, gemm, group_id, i32, i64, index, parallel, subgroup
from pytl.ops.preconditions import STATUS_WORDS

pytestmark = pytest.mark.at_most(4)

GUARD = 64
"""Elements around each array that nothing may touch."""
WAYS = [
    pytest.param("sycl", {"strategy": "one-item"}, marks=NEEDS_SYCL, id="one-item"),
    pytest.param("sycl", {"strategy": "many-items"}, marks=NEEDS_SYCL, id="many-items"),
    pytest.param("opencl", {}, marks=NEEDS_OPENCL, id="opencl"),
    pytest.param("mlir", {}, marks=pytest.mark.tools_of("mlir"), id="mlir"),
    pytest.param("arm_sme", {}, marks=pytest.mark.tools_of("arm_sme"), id="arm_sme"),
]


class Guarded:
    """Column-major arrays with guard zones around them."""

    def __init__(self) -> None:
        self.zones: list[np.ndarray] = []

    def array(self, values: Any) -> np.ndarray:
        """A copy of the values between two zones."""
        values = np.asarray(values)
        whole = np.full(values.size + 2 * GUARD, 77, values.dtype)
        inner = whole[GUARD : GUARD + values.size]
        inner[:] = values.ravel(order="F")
        self.zones += [whole[:GUARD], whole[GUARD + values.size :]]
        return inner.reshape(values.shape, order="F")

    def check(self) -> None:
        assert all((zone == 77).all() for zone in self.zones)


@pytl.kernel
def scattered(at: Memref[i32, ...], A: Memref[f32, ...], B: Memref[f32, ...]):
    for i in foreach(at.shape[0]):
        B[index(at[i])] = A[i]


@pytl.kernel
def gathered(at: Memref[i64, ...], A: Memref[c64, ...], B: Memref[c64, ...]):
    for i in range(at.shape[0]):
        B[i] = A[index(at[i])]


@pytl.kernel(subgroup_size=16, work_group_size=(32, 1))
def met(at: Memref[i32, 32], B: Memref[f32, ...]):
    """A barrier behind what fails, which all work-items meet; what some hand to others is right."""
    t = alloca(f32, 32)
    with parallel():
        me = index(subgroup.id() * subgroup.size() + subgroup.local_id())
        pytl.atomic.add(B[index(at[me])], f32(1.0))
        t[me] = f32(me)
        pytl.barrier("local")
        if me < 2:
            B[me] += t[31 - me]


@pytl.kernel
def beyond(n: index, x: f32, A: Memref[f32, ...]):
    for k in range(n):
        A[k] += x


@pytl.kernel
def unforeseen(n: index, x: f32, A: Memref[f32, ...]):
    """What a launch does not know before, since it depends on a condition."""
    for k in range(n):
        if x > 0:
            A[k] += x


@pytl.kernel
def chosen(at: Memref[i32, ...], A: Group[f32, 2, ...], B: Memref[f32, ...]):
    g = group_id()
    item = A[index(at[g])]
    for i in foreach(item.shape[1]):
        item[1, i] = item[0, i]
    B[g] = f32(index(item.shape[1]))


@pytl.kernel
def sliced(at: Memref[i64, 2], A: Memref[f32, 4, ...], C: Memref[f32, 4, 4]):
    begin, count = index(at[0]), index(at[1])
    view = A[:, begin : begin + count]
    gemm(1.0, view, view.T, 1.0, C)
    for i, j in foreach((0, 0), (4, view.shape[1])):
        view[i, j] = 5.0


@pytl.kernel
def fixed(at: Memref[i64, 2], A: Memref[f32, ...]):
    for k in range(index(at[1])):
        view = A[index(at[0]) : index(at[0]) + 4]
        for i in foreach(4):
            view[i] = f32(k)


@pytl.kernel
def product(at: Memref[i64, 2], A: Memref[f32, 4, ...], B: Memref[f32, ..., 4], C: Memref[f32, 4, 4]):
    gemm(1.0, A[:, 0 : index(at[0])], B[0 : index(at[1]), :], 0.0, C)


@pytl.kernel
def folded(at: Memref[i64, 2], A: Memref[f32, ...]):
    matrix = pytl.expand(A, 0, (index(at[0]), index(at[1])))
    for i, j in foreach((0, 0), (matrix.shape[0], matrix.shape[1])):
        matrix[i, j] = 1.0


@pytl.kernel
def local(at: Memref[i32, 4], B: Memref[i32, 4]):
    t = alloca(i32, 4)
    for i in range(4):
        t[i] = 7
    for i in range(4):
        B[i] = t[index(at[i])]


@pytl.kernel(subgroup_size=16, work_group_size=(16, 1))
def blocks(at: Memref[i64, 2], A: Memref[f32, ..., ...], B: Memref[f32, 8, 8]):
    with parallel():
        tile = coop.load(A, index(at[0]), index(at[1]), shape=(8, 8), use="matrix_acc")
        coop.store(tile, B, 0, 0)


F32 = np.float32
Make = Callable[[Guarded], list[Any]]


def _ints(*values: int, dtype: Any = np.int64) -> np.ndarray:
    return np.array(values, dtype)


# kernel, work-groups, arguments, the message without who failed
FAILURES: dict[str, tuple[pytl.Kernel, int, Make, str]] = {
    f"store {bad}": (
        scattered,
        1,
        lambda g, bad=bad: [
            g.array(_ints(0, bad, 2, dtype=np.int32)),
            g.array(np.ones(3, F32)),
            g.array(np.zeros(3, F32)),
        ],
        f"PYTL-4001 store: index {bad} is out of bounds in mode 0 of %B, whose size is 3 (work-group 0)",
    )
    for bad in (3, -1, 2**31 - 1, -(2**31))
}
FAILURES |= {
    f"load {bad}": (
        gathered,
        1,
        lambda g, bad=bad: [g.array(_ints(0, bad)), g.array(np.ones(2, complex)), g.array(np.zeros(2, complex))],
        f"PYTL-4001 load: index {bad} is out of bounds in mode 0 of %A, whose size is 2 (work-group 0)",
    )
    for bad in (2, -1, 2**63 - 1, -(2**63), 2**40)
}
FAILURES |= {
    "no elements": (
        scattered,
        1,
        lambda g: [g.array(_ints(0, dtype=np.int32)), g.array(np.ones(1, F32)), g.array(np.zeros(0, F32))],
        "PYTL-4001 store: index 0 is out of bounds in mode 0 of %B, whose size is 0 (work-group 0)",
    ),
    "parallel": (
        met,
        1,
        lambda g: [g.array(np.where(np.arange(32) == 9, 99, 5).astype(np.int32)), g.array(np.zeros(6, F32))],
        "PYTL-4001 store: index 99 is out of bounds in mode 0 of %B, whose size is 6 (work-group 0)",
    ),
    "loop": (
        beyond,
        1,
        lambda g: [7, 1.0, g.array(np.zeros(5, F32))],
        "PYTL-4001 load: index %k = 5 is out of bounds in mode 0 of %A, whose size is 5 (work-group 0)",
    ),
    "group": (
        chosen,
        3,
        lambda g: [
            g.array(_ints(0, 1, 2, dtype=np.int32)),
            [g.array(np.ones((2, n), F32)) for n in (3, 4)],
            g.array(np.zeros(3, F32)),
        ],
        "PYTL-4003 load: index 2 is out of bounds of the group, whose size is 2 (work-group 2)",
    ),
    "slice": (
        sliced,
        1,
        lambda g: [g.array(_ints(3, 4)), g.array(np.ones((4, 6), F32)), g.array(np.zeros((4, 4), F32))],
        "PYTL-4002 subview: slice 3:4 of mode 1 ends at 7, but the mode's size is 6 (work-group 0)",
    ),
    "negative size": (
        sliced,
        1,
        lambda g: [g.array(_ints(3, -2)), g.array(np.ones((4, 6), F32)), g.array(np.zeros((4, 4), F32))],
        "PYTL-4002 subview: the size -2 of mode 1 is not positive (work-group 0)",
    ),
    "huge slice": (
        sliced,
        1,
        lambda g: [g.array(_ints(2**62, 2**62)), g.array(np.ones((4, 6), F32)), g.array(np.zeros((4, 4), F32))],
        f"PYTL-4002 subview: slice {2**62}:{2**62} of mode 1 ends at {2**63}, but the mode's size is 6 (work-group 0)",
    ),
    "static slice": (
        fixed,
        1,
        lambda g: [g.array(_ints(-1, 1)), g.array(np.zeros(8, F32))],
        "PYTL-4002 subview: the offset -1 of mode 0 is negative (work-group 0)",
    ),
    "static slice of a smaller mode": (
        fixed,
        1,
        lambda g: [g.array(_ints(0, 1)), g.array(np.zeros(3, F32))],
        "PYTL-4002 subview: slice 0:4 of mode 0 ends at 4, but the mode's size is 3 (work-group 0)",
    ),
    "sizes": (
        product,
        1,
        lambda g: [
            g.array(_ints(3, 2)),
            g.array(np.ones((4, 3), F32)),
            g.array(np.ones((2, 4), F32)),
            g.array(np.zeros((4, 4), F32)),
        ],
        "PYTL-4012 gemm: columns(op1(A)) = 3, but rows(op2(B)) = 2 (work-group 0)",
    ),
    "expand": (
        folded,
        1,
        lambda g: [g.array(_ints(2, 4)), g.array(np.zeros(6, F32))],
        "PYTL-4017 expand: 2 x 4 is 8, but mode 0 has size 6 (work-group 0)",
    ),
    "expand to a product that wraps around": (
        folded,
        1,
        lambda g: [g.array(_ints(2**62, 4)), g.array(np.zeros(0, F32))],
        f"PYTL-4017 expand: {2**62} x 4 is {2**64}, but mode 0 has size 0 (work-group 0)",
    ),
    "expand to negative sizes": (
        folded,
        1,
        lambda g: [g.array(_ints(-2, -3)), g.array(np.zeros(6, F32))],
        "PYTL-4016 expand: the size -2 in the expand shape of mode 0 is not positive (work-group 0)",
    ),
    "local memory": (
        local,
        1,
        lambda g: [g.array(_ints(0, 4, 2, 1, dtype=np.int32)), g.array(np.zeros(4, np.int32))],
        "PYTL-4001 load: index 4 is out of bounds in mode 0 of %t, whose size is 4 (work-group 0)",
    ),
}


def failure(kernel: pytl.Kernel, groups: int, arguments: list[Any], backend: str, options: dict[str, Any]) -> Any:
    """The finding of a launch that fails."""
    with pytest.raises(pytl.ExecutionError) as caught:
        kernel[groups, {"checks": True, **options}](*arguments, backend=backend)
    (found,) = caught.value.diagnostics
    return found


def told(found: Any) -> str:
    """Code and message, without the work-item or iteration that the reference backend names."""
    return re.sub(r"\((work-group \d+), .*\)$", r"(\1)", f"{found.code} {found.message}")


@pytest.mark.at_most(2)
@pytest.mark.parametrize(("backend", "options"), WAYS)
@pytest.mark.parametrize("case", FAILURES)
def test_what_fails_is_told_as_by_the_reference(case: str, backend: str, options: dict[str, Any]) -> None:
    kernel, groups, make, message = FAILURES[case]
    guarded = Guarded()
    found = failure(kernel, groups, make(guarded), backend, options)
    guarded.check()
    assert told(found) == message
    expected = failure(kernel, groups, make(Guarded()), "reference", {"strict_views": True})
    assert (expected.message, expected.location, expected.help) == (found.message, found.location, found.help)
    assert expected.labels == found.labels
    assert found.location.source.name == __file__


PLACES = {
    "loops and points": (
        """for %k: i32 = %zero32, %n32 {
          foreach (%i, %j) = (%zero, %zero), (%one, %n) {
            for %m = %zero, %n {
              %x = load %at[%m, %j] : i32
              %p = cast %x : index
              %v = load %A[%p] : f32
            }
          }
        }""",
        {(3, 1): 9},
        "load: index %p = 9 is out of bounds in mode 0 of %A, whose size is 4 (work-group 0, %k = 0, iteration (0, 1), "
        "%m = 3)",
    ),
    "loops without names": (
        """for %0 = %three, %n {
          parallel {
            for %1 = %zero, %three {
              %2 = load %at[%1, %0] : i32
              %p = cast %2 : index
              %v = load %A[%p] : f32
            }
          }
        }""",
        {(2, 3): -1},
        "load: index %p = -1 is out of bounds in mode 0 of %A, whose size is 4 (work-group 0, iteration 3, "
        "work-item 0, iteration 2)",
    ),
    "the work-item of a sub-group": (
        """parallel {
          %s = builtin.subgroup_id : i32
          %i = cast %s : index
          %l = builtin.subgroup_local_id : i32
          %m = cast %l : index
          %four = constant 4 : index
          %r = arith.rem %m, %four : index
          %fifteen = constant 15 : index
          %is_last = cmp.eq %m, %fifteen : bool
          if %is_last {
            %x = load %at[%i, %r] : i32
            %p = cast %x : index
            %v = load %A[%p] : f32
          }
        }""",
        {(1, 3): 4},
        "load: index %p = 4 is out of bounds in mode 0 of %A, whose size is 4 (work-group 0, work-item 31)",
    ),
    "the sub-group": (
        """parallel {
          %s = builtin.subgroup_id : i32
          %i = cast %s : index
          %x = load %at[%i, %zero] : i32
          %p = cast %x : index
          %v = load %A[%p] : f32
        }""",
        {(1, 0): 4},
        "load: index %p = 4 is out of bounds in mode 0 of %A, whose size is 4 (work-group 0, work-item 16)",
    ),
    "more loops than are told": (
        "".join(f"for %v{depth} = %zero, %one {{ " for depth in range(23))
        + """
          %x = load %at[%v22, %v22] : i32
          %p = cast %x : index
          %v = load %A[%p] : f32
        """
        + "}" * 23,
        {(0, 0): 5},
        "load: index %p = 5 is out of bounds in mode 0 of %A, whose size is 4 (work-group 0, "
        + ", ".join(f"%v{depth} = 0" for depth in range(3, 23))
        + ")",
    ),
}
"""Instructions, the numbers of %at that fail, and the message."""


@pytest.mark.at_most(1)
@pytest.mark.parametrize(("backend", "options"), WAYS)
@pytest.mark.parametrize("case", PLACES)
def test_which_iteration_fails(case: str, backend: str, options: dict[str, Any]) -> None:
    body, wrong, message = PLACES[case]
    needs_many = case == "the work-item of a sub-group"
    kernel = pytl.compile(f"""func @f(%at: memref<i32x4x4>, %A: memref<f32x?>)
        attributes{{subgroup_size=16, work_group_size=[32,1]}} {{
      %zero = constant 0 : index
      %one = constant 1 : index
      %three = constant 3 : index
      %n = constant 4 : index
      %zero32 = constant 0 : i32
      %n32 = constant 2 : i32
      {body}
    }}""")["f"]
    guarded = Guarded()
    numbers = np.zeros((4, 4), np.int32)
    for place, number in wrong.items():
        numbers[place] = number
    arguments = [guarded.array(numbers), guarded.array(np.zeros(4, F32))]
    more = {} if needs_many else options
    assert failure(kernel, 1, arguments, backend, more).message == message
    assert failure(kernel, 1, arguments, "reference", {}).message == message
    guarded.check()


@pytl.kernel
def placed(at: Memref[i32, ...], A: Memref[f32, ...]):
    g = group_id("y")
    for k in range(3):
        A[index(at[g]) + k] = 1.0


@pytest.mark.at_most(1)
@pytest.mark.parametrize(("backend", "options"), WAYS)
def test_the_place_of_a_work_group(backend: str, options: dict[str, Any]) -> None:
    for name, more in ((backend, options), ("reference", {})):
        with pytest.raises(pytl.ExecutionError, match=r"\(work-group \(0, 1, 0\), %k = 2\)"):
            placed[(1, 2), {"checks": True, **more}](_ints(0, 3, dtype=np.int32), np.zeros(5, F32), backend=name)


@pytest.mark.at_most(1)
@pytest.mark.parametrize(("backend", "options"), [("reference", {}), *WAYS[1:]])
def test_a_work_item_that_finds_a_place_atomically(backend: str, options: dict[str, Any]) -> None:
    """Which one finds the last place is open: the message names one of them."""
    kernel = pytl.compile("""func @f(%n: memref<i32>, %A: memref<f32x?>)
        attributes{subgroup_size=16, work_group_size=[32,1]} {
      %one = constant 1 : i32
      %x = constant 1.0 : f32
      parallel {
        %place = v04.atomic_add %one, %n[] : i32
        %i = cast %place : index
        store %x, %A[%i]
      }
    }""")["f"]
    A = np.zeros(31, F32)
    found = failure(kernel, 1, [np.zeros((), np.int32), A], backend, options)
    assert re.search(r"index %i = 31 is out of bounds .* \(work-group 0, work-item ([12]?\d|3[01])\)$", found.message)
    assert A.all() or backend == "reference"  # which stops there


@pytest.mark.at_night
@pytest.mark.parametrize(("backend", "options"), WAYS)
@pytest.mark.parametrize("order", [9, 64])
def test_no_report_is_longer_than_its_memory(order: int, backend: str, options: dict[str, Any]) -> None:
    """A demand on as many sizes as a tensor may have is told whole."""
    text = f"""func @f(%at: memref<i64>, %A: memref<f32x?>) {{
      %two = load %at[] : i64
      %s = cast %two : index
      %v = expand %A[0 -> {" x ".join(["%s"] * order)}] : memref<f32{"x?" * order},strided<1{",?" * (order - 1)}>>
      %i = constant 0 : index
      %x = load %v[{", ".join(["%i"] * order)}] : f32
      store %x, %A[%i]
    }}"""
    found = failure(pytl.compile(text)["f"], 1, [np.array(2), np.zeros(5, F32)], backend, options)
    wanted = f"expand: {' x '.join(['2'] * order)} is {2**order}, but mode 0 has size 5 (work-group 0)"
    assert (found.code, found.message) == ("PYTL-4017", wanted)


@pytest.mark.at_most(1)
@pytest.mark.parametrize(("backend", "options"), WAYS)
def test_the_point_of_a_loop_over_tiles(backend: str, options: dict[str, Any]) -> None:
    kernel = pytl.compile("""func @f(%at: memref<i32x4x4>, %A: memref<f32x?>) {
      %zero = constant 0 : index
      %n = constant 4 : index
      v04.foreach_tile (%i, %j) = (%zero, %zero), (%n, %n) as (%p, %q) <= (2, 2) {
        %x = load %at[%i, %j] : i32
        %o = cast %x : index
        %v = load %A[%o] : f32
      }
    }""")["f"]
    numbers = np.zeros((4, 4), np.int32, order="F")
    numbers[2, 0] = 4
    for backend_of, more in ((backend, options), ("reference", {})):
        found = failure(kernel, 1, [numbers, np.zeros(4, F32)], backend_of, more)
        assert found.message.endswith("of %A, whose size is 4 (work-group 0, tile (2, 0))")


@pytest.mark.at_night
@pytest.mark.parametrize(("backend", "options"), WAYS)
def test_all_but_the_access_that_fails_is_done(backend: str, options: dict[str, Any]) -> None:
    guarded = Guarded()
    numbers = np.full(32, 5, np.int32)
    numbers[9] = -7
    B = guarded.array(np.zeros(6, F32))
    failure(met, 1, [numbers, B], backend, options)
    guarded.check()
    assert B.tolist() == [31, 30, 0, 0, 0, 31]


@pytest.mark.at_most(1)
@pytest.mark.parametrize(("backend", "options"), WAYS)
def test_a_matrix_that_lies_outside(backend: str, options: dict[str, Any]) -> None:
    guarded = Guarded()
    B = guarded.array(np.ones((8, 8), F32))
    A = guarded.array(np.ones((12, 12), F32))
    found = failure(blocks, 1, [guarded.array(_ints(2, 5)), A, B], backend, options)
    message = "the matrix takes elements 5 to 12 in mode 1 of %A, whose size is 12 (work-group 0, work-item 0)"
    assert (found.code, found.message) == ("PYTL-4001", f"cooperative_matrix_load: {message}")
    assert not B.any()
    guarded.check()


@pytest.mark.at_most(1)
@pytest.mark.parametrize(("backend", "options"), WAYS)
def test_a_group_without_items(backend: str, options: dict[str, Any]) -> None:
    A = np.zeros((2, 3, 0), F32, order="F")
    text = """func @f(%numbers: memref<i32x1>, %A: group<memref<f32x2x3>x?>, %B: memref<f32x1>) {
      %zero = constant 0 : index
      %0 = load %numbers[%zero] : i32
      %number = cast %0 : index
      %item = load %A[%number] : memref<f32x2x3>
      %x = load %item[%zero, %zero] : f32
      store %x, %B[%zero]
    }"""
    kernel = pytl.compile(text)["f"]
    found = failure(kernel, 1, [_ints(0, dtype=np.int32), A, np.zeros(1, F32)], backend, options)
    assert told(found) == "PYTL-4003 load: index 0 is out of bounds of the group, whose size is 0 (work-group 0)"


@pytl.kernel
def wrapped(at: Memref[i64, 1], A: Memref[f32, ...], B: Memref[f32, 1]):
    B[0] = A[index(max(at[0], i64(0))) % A.shape[0]]


@pytest.mark.at_most(1)
@pytest.mark.parametrize(("backend", "options"), WAYS)
def test_a_remainder_by_an_empty_arrays_size(backend: str, options: dict[str, Any]) -> None:
    """It is 0 where the size is 0, too, so that it is not less than every size."""
    memory = Guarded()
    A, B = memory.array(np.zeros(0, np.float32)), memory.array(np.ones(1, np.float32))
    with pytest.raises(pytl.PytlError) as caught:
        wrapped[1, {"checks": True, **options}](np.array([3]), A, B, backend=backend)
    assert caught.value.code == "PYTL-4001"
    assert B[0] == 0.0
    memory.check()


@pytest.mark.at_most(1)
@pytest.mark.parametrize(("backend", "options"), WAYS)
def test_the_launch_behind_a_failure_is_right(backend: str, options: dict[str, Any]) -> None:
    failed, A, B = _ints(0, 9, 2, dtype=np.int32), np.arange(3, dtype=F32), np.zeros(3, F32)
    launch = scattered[1, {"checks": True, **options}]
    for _ in range(3):
        failure(scattered, 1, [failed, A, B], backend, options)
        launch(_ints(2, 1, 0, dtype=np.int32), A, B, backend=backend)
        assert B.tolist() == [2, 1, 0]


@pytest.mark.at_most(1)
@pytest.mark.parametrize(("backend", "options"), WAYS[:4])
def test_the_setting(backend: str, options: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    def launch(**more: Any) -> np.ndarray:
        B = np.zeros(8, F32)
        unforeseen[1, {**options, **more}](6, 1.0, B[:5], backend=backend)
        return B

    monkeypatch.setenv("PYTL_CHECKS", "1")
    assert launch().tolist() == [1, 1, 1, 1, 1, 1, 0, 0]  # nobody looks
    monkeypatch.setenv("PYTL_CHECKS", "device")
    with pytest.raises(pytl.ExecutionError, match=r"index %k = 5 is out of bounds in mode 0 of %A, whose size is 5"):
        launch()
    assert launch(checks=False).any()
    with pytest.raises(pytl.ExecutionError):
        launch(checks="device")
    monkeypatch.setenv("PYTL_CHECKS", "0")
    launch()


@NEEDS_SYCL
def test_a_submitted_launch_is_waited_for() -> None:
    from device_kit import dpt

    B = dpt.zeros(5, dtype="f4")
    with pytest.raises(pytl.ExecutionError, match="index %k = 5 is out of bounds"):
        beyond[1, {"checks": True}].submit(6, 1.0, B)
    event = beyond[1, {"checks": True}].submit(5, 1.0, B)
    event.wait()
    assert dpt.asnumpy(B).tolist() == [2] * 5


@NEEDS_SYCL
@pytest.mark.needs_numba_dpex
def test_numba_dpex_launches_without_checks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTL_CHECKS", "device")
    assert "status" not in str(beyond.dpex(1).parameters)


# The pass.


def test_what_is_known_is_not_tested() -> None:
    @pytl.kernel
    def known(n: index, A: Memref[f32, 8, ...], B: Memref[f32, 16]):
        for i, j in foreach((0, 0), (8, A.shape[1])):
            A[i, j] = B[2 * i + 1] + B[(j % 16)]
        for k in range(n % 8):
            if n >= 0:
                A[k, 0] = 1.0
        view = A[2:6, :]
        for m in foreach(4):
            view[m, 0] = 2.0

    text = known.ir("insert-checks", checks=True)
    # n % 8 may be negative, which a loop does not mind; what is left are columns of A, which may have none
    reported = [line for line in text.splitlines() if "check.report" in line]
    assert len(reported) == 3, text


def test_a_test_is_made_once() -> None:
    @pytl.kernel
    def again(i: index, A: Memref[f32, ...]):
        A[i] += A[i]

    assert again.ir("insert-checks", checks=True).count("check.report") == 1


def test_a_text_has_no_reports() -> None:
    with pytest.raises(pytl.LanguageError, match=r"check.report"):
        pytl.parse("func @f(%s: memref<i64x12>, %n: index) { check.report %s, %n [%n] }")


@pytest.mark.parametrize("seed", range(40))
def test_right_programs_are_what_they_were(seed: int) -> None:
    (kernel,) = pytl.compile(generate(Random(seed), safe=True, size=12)).values()
    data = data_for(kernel.function, seed)
    expected = execute(kernel.module, data)
    checked = pytl.passes.Pipeline([pytl.passes.InsertChecks()]).run(kernel.module)
    *left, status = execute(checked, [*data, np.zeros(STATUS_WORDS, np.int64)])
    assert not status.any()
    for before, after in zip(expected, left, strict=True):
        np.testing.assert_array_equal(before, after)


@pytest.mark.at_most(1)
@pytest.mark.parametrize("seed", (3, 14))
@NEEDS_SYCL
def test_right_programs_compute_the_same_on_the_device(seed: int) -> None:
    (kernel,) = pytl.compile(generate(Random(seed), safe=True, size=5)).values()
    for way in ways_of(kernel.function):
        assert_leaves_the_same(kernel, seed, {"strategy": way, "specialize": "never", "checks": True}, "sycl")


@pytest.mark.at_most(1)
@pytest.mark.parametrize("seed", range(8))
@pytest.mark.tools_of("mlir")
def test_right_programs_compute_the_same_through_mlir(seed: int) -> None:
    (kernel,) = pytl.compile(generate(Random(seed), safe=True, size=8)).values()
    assert_leaves_the_same(kernel, seed, {"specialize": "never", "checks": True}, "mlir")


@pytl.kernel
def shifted(first: index, last: index, at: Memref[i64, 1], A: Memref[f32, ..., ...], B: Memref[f32, ...]):
    column = index(at[0])
    for i in foreach(first, last):
        B[i] = A[i - 2, column] + A[i + 3, column]


# bounds and column, what is out of bounds of A, which has 16×2 elements, or of B, which has 12, and at which point
AHEAD = {
    (2, 12, 0): None,
    (5, 5, 9): None,  # no point, no access
    (2**62, -(2**62), 0): None,
    (1, 12, 1): ("load: index -1 is out of bounds in mode 0 of %A, whose size is 16", 1),
    (2, 13, 1): ("store: index %i = 12 is out of bounds in mode 0 of %B, whose size is 12", 12),
    (14, 16, 1): ("load: index 17 is out of bounds in mode 0 of %A, whose size is 16", 14),
    (-(2**62), 2**62, 0): (
        f"load: index {-(2**62) - 2} is out of bounds in mode 0 of %A, whose size is 16",
        -(2**62),
    ),
    (2, 2**63 - 1, 0): ("load: index 16 is out of bounds in mode 0 of %A, whose size is 16", 18),
    (2, 4, 2): ("load: index %column = 2 is out of bounds in mode 1 of %A, whose size is 2", 2),
}


@pytest.mark.at_most(1)
@pytest.mark.parametrize(("backend", "options"), WAYS)
@pytest.mark.parametrize("numbers", AHEAD)
def test_accesses_of_all_points_are_tested_ahead(numbers: Any, backend: str, options: dict[str, Any]) -> None:
    assert "check.report" not in shifted.ir("insert-checks", checks=True).partition("foreach")[2]
    guarded, bounds, at = Guarded(), numbers[:2], _ints(numbers[2])
    A, B = guarded.array(np.arange(32, dtype=F32).reshape(16, 2)), guarded.array(np.zeros(12, F32))
    expected = B.copy()
    if AHEAD[numbers] is None:
        shifted[1, {"checks": True, **options}](*bounds, at, A, B, backend=backend)
        shifted[1](*bounds, at, A, expected, backend="reference")
    else:
        found = failure(shifted, 1, [*bounds, at, A, B], backend, options)
        message, point = AHEAD[numbers]
        assert found.message == f"{message} (work-group 0, iteration ({point}))"
        assert failure(shifted, 1, [*bounds, at, A, B], "reference", {}).message == found.message
    assert B.tolist() == expected.tolist()
    guarded.check()
