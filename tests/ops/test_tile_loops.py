"""Loops over tiles: how ranges are cut, what sub-groups do, what is refused, and the dialect 0.4."""

import itertools

import numpy as np
import pytest
from differential.cases import STRATEGIES
from passes_kit import assert_meaning_kept
from tracing_kit import findings, function

import pytl
from pytl import Memref, atomic, coop, f32, foreach_tile, i8, i32, index, subgroup
from pytl.ops import Barrier, ForeachTile
from pytl.passes import Canonicalize, InsertBarrier, LowerCollectives, LowerForeachTile, WorkItemLoops

pytestmark = pytest.mark.at_most(4)

GROUPS = [(1, 1), (2, 1), (1, 2), (2, 3)]
"""Sub-groups along the rows and the columns of a work-group."""


def counting(shape, tile, bounds, groups, type_=i32, **options):
    """Each work-item adds one to the first element of each tile that it executes, and stores the tile's sizes there."""
    (a, c), (b, d) = bounds

    @pytl.kernel(subgroup_size=4, work_group_size=(4 * groups[0], groups[1]), **options)
    def kernel(
        n: Memref[i32, shape[0], shape[1]],
        sizes: Memref[i32, 2, shape[0], shape[1]],
        a: type_,
        b: type_,
        c: type_,
        d: type_,
    ):
        for (i, j), (p, q) in foreach_tile((a, c), (b, d), tile):
            atomic.add(n[index(i), index(j)], 1)
            if subgroup.local_id() == 0:
                sizes[0, index(i), index(j)] = i32(p)
                sizes[1, index(i), index(j)] = i32(q)

    return kernel, (a, b, c, d)


def expected(shape, tile, bounds):
    n, sizes = np.zeros(shape, np.int32), np.zeros((2, *shape), np.int32)
    (a, c), (b, d) = bounds
    for i, j in itertools.product(range(a, b, tile[0]), range(c, d, tile[1])):
        n[i, j], sizes[:, i, j] = 4, (min(tile[0], b - i), min(tile[1], d - j))
    return n, sizes


CASES = [
    ((9, 7), (4, 2), ((0, 0), (9, 7))),
    ((9, 7), (4, 3), ((1, 2), (9, 7))),
    ((9, 7), (20, 1), ((3, 0), (4, 7))),
    ((9, 7), (1, 1), ((0, 0), (9, 0))),
    ((9, 7), (2, 7), ((5, 0), (2, 7))),
]


@pytest.mark.at_night
@pytest.mark.parametrize("way", ["reference", *STRATEGIES, "mlir"])
def test_every_tile_is_executed_by_each_work_item_of_one_sub_group(way):
    for case, groups in itertools.product(CASES[: None if way == "reference" else 2], GROUPS):
        options = {"strategy": way} if way in STRATEGIES else {}
        if way == "one-item":
            continue  # work-items add one by one
        kernel, numbers = counting(*case, groups, **options)
        wanted = expected(*case)
        given = [np.zeros_like(array, order="F") for array in wanted]
        kernel[1](*given, *numbers, backend="sycl" if way in STRATEGIES else way)
        for array, numbers in zip(given, wanted):
            np.testing.assert_array_equal(array, numbers, err_msg=f"{case} {groups}")


@pytest.mark.at_night
def test_one_work_item_executes_all_sub_groups():
    @pytl.kernel(subgroup_size=16, work_group_size=(32, 2), strategy="one-item")
    def kernel(A: Memref[f32, ..., ...], B: Memref[f32, ..., ...]):
        for (i, j), _ in foreach_tile((0, 0), A.shape, (16, 4)):
            a = coop.load(A, i, j, (16, 4), "matrix_acc", checked="both")
            coop.store(a + a, B, i, j, checked="both")

    A = np.asfortranarray(np.random.default_rng(0).integers(-3, 4, (37, 11)), np.float32)
    for backend in ("reference", "sycl", "mlir"):
        B = np.zeros_like(A)
        kernel[1](A, B, backend=backend)
        np.testing.assert_array_equal(B, 2 * A)


@pytest.mark.at_most(1)
@pytest.mark.parametrize("groups", GROUPS)
def test_passes_keep_the_meaning(groups):
    for case in CASES:
        kernel, _ = counting(*case, groups)
        text = str(kernel)
        for steps in ([LowerForeachTile(), Canonicalize()], [WorkItemLoops(), LowerCollectives()], [InsertBarrier()]):
            changed = assert_meaning_kept(text, *steps, groups=1)
            assert (len(steps) == 1) is any(isinstance(op, ForeachTile) for op in changed.functions[0].walk())


EXTREMES = [(-128, -100), (100, 127), (-128, 127), (127, -128), (120, 120)]


@pytest.mark.at_most(1)
@pytest.mark.parametrize("backend", ["reference", "mlir", "sycl"])
def test_nothing_wraps_at_the_ends_of_a_type(backend):
    @pytl.kernel(subgroup_size=16, work_group_size=(64, 1))
    def kernel(n: Memref[i32, 256], a: i8, b: i8):
        for i, p in foreach_tile(a, b, 16):
            if subgroup.local_id() == 0:
                n[index(i) + 128] = i32(p)

    for a, b in EXTREMES:
        n, wanted = np.zeros(256, np.int32), np.zeros(256, np.int32)
        for i in range(a, b, 16):
            wanted[i + 128] = min(16, b - i)
        kernel[1](n, a, b, backend=backend)
        np.testing.assert_array_equal(n, wanted)


@pytest.mark.at_most(1)
@pytest.mark.parametrize("backend", ["reference", "mlir", "sycl"])
def test_ranges_far_from_zero(backend):
    @pytl.kernel(subgroup_size=16, work_group_size=(32, 1))
    def kernel(n: Memref[i32, 4], a: index, b: index):
        for i, p in foreach_tile(a, b, 16):
            if subgroup.local_id() == 0:
                n[(i - a) // 16] = i32(p)

    for a, b, wanted in (
        (2**63 - 40, 2**63 - 1, [16, 16, 7, 0]),
        (-(2**63), -(2**63) + 17, [16, 1, 0, 0]),
        (2**63 - 1, -(2**63), [0, 0, 0, 0]),
    ):
        n = np.zeros(4, np.int32)
        kernel[1](n, a, b, backend=backend)
        assert n.tolist() == wanted


def test_the_lowered_text():
    text = """func @f(%A: memref<f32x64>) attributes{subgroup_size=16, work_group_size=[32,2]} {
  %0 = constant 0 : index
  %1 = constant 64 : index
  %2 = constant 0x1.5p+5 : f32
  v04.foreach_tile (%i) = (%0), (%1) as (%p) <= (16) {
    store %2, %A[%i]
  }
}"""
    assert pytl.compile(text)["f"].ir("lower-foreach-tile").splitlines()[4:] == [
        "  %3 = constant 64 : index",
        "  %4 = constant 16 : index",
        "  parallel {",
        "    %5 = builtin.subgroup_id : i32",
        "    %6 = cast %5 : index",
        "    %7 = arith.mul %6, %4 : index",
        "    for %i = %7, %3, %3 {",
        "      store %2, %A[%i]",
        "    }",
        "  }",
        "}",
    ]


def test_tiles_that_touch_the_same_memory_race():
    @pytl.kernel(subgroup_size=4, work_group_size=(4, 1))
    def kernel(A: Memref[i32, 1]):
        for _, p in foreach_tile(8, 4):
            if subgroup.local_id() == 0:
                A[0] = i32(p)

    with pytest.raises(pytl.ExecutionError, match="PYTL-4030") as caught:
        kernel[1](np.zeros(1, np.int32), backend="reference")
    found = caught.value.diagnostics[0]
    assert "by work-item 0 of tile (0), in no order" in found.message
    assert found.help is not None and "let each tile have elements of its own" in found.help


def test_matrices_of_tiles_that_overlap_race():
    @pytl.kernel(subgroup_size=4, work_group_size=(4, 1))
    def kernel(A: Memref[f32, 8, 4]):
        for i, _ in foreach_tile(8, 4):
            coop.store(coop.full(f32, 1.0, (4, 4), "matrix_acc"), A, i // 2, 0)

    with pytest.raises(pytl.ExecutionError, match="PYTL-4030"):
        kernel[1](np.zeros((8, 4), np.float32, order="F"), backend="reference")


def test_what_lies_outside_is_told_by_devices_too():
    text = """func @f(%A: memref<i32x10>) attributes{subgroup_size=4, work_group_size=[8,1]} {
  %0 = constant 0 : index
  %1 = constant 11 : index
  %2 = constant 7 : i32
  v04.foreach_tile (%i) = (%0), (%1) as (%p) <= (4) {
    %l = builtin.subgroup_local_id : i32
    %m = cast %l : index
    %at = arith.add %i, %m : index
    store %2, %A[%at]
  }
}"""
    kernel = pytl.compile(text)["f"]
    for backend in ("reference", "sycl", "mlir"):
        with pytest.raises(pytl.ExecutionError, match="is out of bounds in mode 0 of %A"):
            kernel[1, {"checks": True} if backend != "reference" else {}](np.zeros(10, np.int32), backend=backend)


MISTAKES = [
    ("for i, p in foreach_tile(8): pass", "foreach_tile takes two or three arguments"),
    ("for i, p in foreach_tile(0, 8, size=4): pass", "foreach_tile takes two or three arguments"),
    ("for i in foreach_tile(8, 4): pass", "a loop over tiles has a place and a size"),
    ("for (i, j), p in foreach_tile(8, 4): pass", "a tile has 1 mode, but 2 names are here"),
    ("for (i, j, k), p in foreach_tile((8, 8), (4, 4)): pass", "a tile has 2 modes, but 3 names are here"),
    ("for (i, j), (p, q) in foreach_tile((8, 8), (4, 4, 4)): pass", "2 last bounds, 3 sizes"),
    ("for i, p in foreach_tile(8, n): pass", "a size of a tile is index, not a Python integer"),
    ("for i, p in foreach_tile(8, 0): pass", "a largest size is 0, but the variable is index"),
    ("for i, p in foreach_tile(x, 4): pass", "a bound is f32, but the loop's variable is index"),
    ("for i, i in foreach_tile(8, 4): pass", "two variables of foreach_tile are called i"),
    ("for i, A[0] in foreach_tile(8, 4): pass", "a loop's variable is a name"),
    ("for i, p in foreach_tile(8, 4): pytl.barrier()", "barrier is in the region, which some sub-groups execute more"),
    ("for i, n in foreach_tile(8, 4): pass", "n is bound again inside the foreach_tile"),
    ("for i, p in foreach_tile(8, 4): pytl.axpby(1.0, A, 0.0, A)", "axpby is collective, but is in an SPMD region"),
    ("y = foreach_tile(8, 4)", "foreach_tile"),
]


@pytest.mark.parametrize(("line", "message"), MISTAKES)
def test_mistakes_in_python(line, message):
    kernel = function(f"""
        def kernel(A: Memref[f32, 8], x: f32, n: index):
            {line}
            A[0] = x
        """)
    found = findings(kernel)
    assert any(message in each.message for each in found), [each.message for each in found]


def test_barriers_are_refused_in_all_of_the_region():
    text = """func @f(%A: memref<f32x64>, %n: index, %x: f32) {
  v04.foreach_tile (%i) = (%n), (%n) as (%p) <= (16) {
    for %k = %n, %n {
      barrier.local
    }
    store %x, %A[%i]
  }
}"""
    with pytest.raises(pytl.LanguageError, match="PYTL-0728"):
        pytl.verify(pytl.parse(text))
    assert any(isinstance(op, Barrier) for op in pytl.parse(text).functions[0].walk())


@pytest.mark.parametrize("type_", [i8, i32, index])
def test_constexprs_are_sizes_and_one_name_is_for_all_modes(type_):
    @pytl.kernel
    def kernel(A: Memref[i32, 40], n: type_, size: pytl.constexpr):
        for place, extent in foreach_tile((n, 0), (40, 1), (size, 1)):
            if subgroup.local_id() == 0:
                A[index(place[0])] = i32(extent[0])
        for (i, _), (_, _) in foreach_tile((0, 0), (1, 1), (size, 1)):
            atomic.store(A[i], 1)

    A = np.zeros(40, np.int32)
    kernel[1](A, 3, 16, backend="reference")
    assert A[[0, 3, 19, 35]].tolist() == [1, 16, 16, 5] and A.sum() == 38
