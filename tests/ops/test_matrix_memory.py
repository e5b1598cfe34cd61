"""Atomic accesses of matrices, and transposed stores: what sub-groups find, races, errors, where they are refused."""

import itertools
import re

import numpy as np
import pytest
from differential.cases import STRATEGIES
from passes_kit import assert_meaning_kept
from tracing_kit import findings, function

import pytl
from pytl import Memref, bf16, c32, coop, f16, f32, i8, i32, index, parallel, subgroup
from pytl.ops.scalars import dtype_of
from pytl.passes import Canonicalize, LowerCollectives, LowerCoopmatrix, WorkItemLoops

pytestmark = pytest.mark.at_most(4)

WAYS = ["reference", *STRATEGIES, "mlir"]
SHAPES = [(1, 1), (3, 2), (4, 3), (9, 2)]


def launched(kernel, way, groups, *arguments):
    options = {"strategy": way} if way in STRATEGIES else {}
    kernel[groups, options](*arguments, backend="sycl" if way in STRATEGIES else way)


@pytest.mark.at_most(1)
@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("type_", [i8, i32, f16, bf16, f32, c32], ids=repr)
def test_every_addition_finds_another_sum(type_, way):
    @pytl.kernel(subgroup_size=4, work_group_size=(8, 2))
    def kernel(A: Memref[type_, 5, 3], found: Memref[type_, 5, 3, 4, ...]):
        g = pytl.group_id()
        with parallel():
            ones = coop.full(type_, 1, (5, 3), "matrix_acc")
            before = coop.atomic_add(ones, A, 0, 0)
            coop.store(before, found[:, :, index(subgroup.id()), g], 0, 0)

    dtype = dtype_of(type_.ir_type)
    A, found = np.zeros((5, 3), dtype, order="F"), np.zeros((5, 3, 4, 2), dtype, order="F")
    launched(kernel, way, 2, A, found)
    assert (A == 8).all()
    for i, j in itertools.product(range(5), range(3)):
        assert sorted(found[i, j].real.astype(int).ravel()) == list(range(8))


@pytest.mark.at_most(1)
@pytest.mark.parametrize("way", WAYS)
def test_extremes_and_their_order(way):
    @pytl.kernel(subgroup_size=4, work_group_size=(4, 1))
    def kernel(A: Memref[f32, 6, 6], low: Memref[f32, 6, 6], high: Memref[f32, 6, 6], R: Memref[f32, 4, 5, 2]):
        with parallel():
            a = coop.load(A, 0, 0, (4, 5), "matrix_acc")
            coop.store(coop.atomic_min(a, low, 1, 2, checked="cols", order="acquire_release"), R[:, :, 0], 0, 0)
            coop.store(coop.atomic_max(a, high, 1, 3, transpose=True, checked="rows"), R[:, :, 1], 0, 0)

    rng = np.random.default_rng(0)
    A, low, high = (np.asfortranarray(rng.integers(-9, 9, (6, 6)), np.float32) for _ in range(3))
    R, least, most = np.full((4, 5, 2), 7, np.float32, order="F"), low.copy(), high.copy()
    wanted = np.zeros((4, 5, 2), np.float32)
    wanted[:, :4, 0] = low[1:5, 2:6]
    least[1:5, 2:6] = np.minimum(low[1:5, 2:6], A[:4, :4])
    wanted[:3, :, 1] = high[1:6, 3:6].T
    most[1:6, 3:6] = np.maximum(high[1:6, 3:6], A[:3, :5].T)
    launched(kernel, way, 1, A, low, high, R)
    for given, expected in ((low, least), (high, most), (R, wanted)):
        np.testing.assert_array_equal(given, expected)


@pytest.mark.parametrize("steps", [[LowerCoopmatrix(), Canonicalize()], [WorkItemLoops(), LowerCollectives()]], ids=str)
@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_passes_keep_the_meaning(shape, steps):
    rows, columns = shape

    @pytl.kernel(subgroup_size=4, work_group_size=(4, 1))
    def kernel(A: Memref[i32, rows, columns], B: Memref[i32, columns, rows], C: Memref[i32, rows, columns], x: index):
        with parallel():
            a = coop.atomic_load(A, 0, 0, shape, "matrix_b", scope="subgroup")
            b = coop.atomic_add(a, B, 0, 0, transpose=True, order="sequentially_consistent")
            c = coop.atomic_max(b + a, C, x, 0, checked="both")
            coop.atomic_store(c, A, 0, 0, order="release")

    for _ in range(3):
        assert_meaning_kept(str(kernel), *steps, groups=1)


@pytest.mark.at_night
def test_a_factor_that_is_loaded_atomically_is_loaded_where_it_stands():
    @pytl.kernel(subgroup_size=16, work_group_size=(16, 1))
    def kernel(A: Memref[f32, 16, 16], B: Memref[f32, 16, 16], C: Memref[f32, 16, 16]):
        with parallel():
            c = coop.full(f32, 0.0, (16, 16), "matrix_acc")
            for _ in range(2):
                a = coop.atomic_load(A, 0, 0, (16, 16), "matrix_a")
                b = coop.atomic_load(B, 0, 0, (16, 16), "matrix_b", transpose=True)
                c = coop.mul_add(a, b, c)
            coop.store(c, C, 0, 0)

    assert "gemm" not in kernel.ir("raise-products")
    rng = np.random.default_rng(0)
    A, B = (np.asfortranarray(rng.integers(-3, 4, (16, 16)), np.float32) for _ in range(2))
    for way in WAYS:
        C = np.zeros_like(A)
        launched(kernel, way, 1, A, B, C)
        np.testing.assert_array_equal(C, 2 * A @ B.T)


def sharing(call):
    """A kernel whose two sub-groups access one block, and then the same by one that stores plainly."""
    return function(f"""
        @pytl.kernel(subgroup_size=4, work_group_size=(8, 1))
        def kernel(A: Memref[f32, 4, 4], R: Memref[f32, 4, 4, 2]):
            with parallel():
                m = coop.full(f32, 1.0, (4, 4), "matrix_acc")
                {call}
        """)


@pytest.mark.parametrize("word", ["atomic_store", "atomic_add", "atomic_min", "atomic_max"])
def test_atomic_accesses_do_not_race_and_plain_ones_do(word):
    A, R = np.zeros((4, 4), np.float32, order="F"), np.zeros((4, 4, 2), np.float32, order="F")
    for scope in ("subgroup", "work_group", "device", "cross_device"):
        kernel = sharing(f'coop.{word}(m, A, 0, 0, scope="{scope}")')
        kernel[1](A, R, backend="reference")
    with pytest.raises(pytl.ExecutionError, match="PYTL-4030"):
        sharing(f"coop.{word}(m, A, 0, 0); coop.store(m, A, 0, 0)")[1](A, R, backend="reference")
    # atomic for the work-items of its own work-group only
    sharing(f"coop.{word}(m, A, 0, 0)")[2](A, R, backend="reference")
    with pytest.raises(pytl.ExecutionError, match="PYTL-4031"):
        sharing(f'coop.{word}(m, A, 0, 0, scope="work_group")')[2](A, R, backend="reference")


def test_what_was_released_is_seen_by_whom_acquires_it():
    def kernel_of(release, acquire):
        return function(f"""
            @pytl.kernel(subgroup_size=4, work_group_size=(8, 1))
            def kernel(A: Memref[f32, 4, 4], flag: Memref[i32, 1, 1], R: Memref[f32, 4, 4]):
                with parallel():
                    if subgroup.id() == 0:
                        coop.store(coop.full(f32, 3.0, (4, 4), "matrix_acc"), A, 0, 0)
                        one = coop.full(i32, 1, (1, 1), "matrix_acc")
                        coop.atomic_store(one, flag, 0, 0, order="{release}")
                    else:
                        seen = coop.atomic_load(flag, 0, 0, (1, 1), "matrix_acc", order="{acquire}")
                        coop.store(coop.load(A, 0, 0, (4, 4), "matrix_acc"), R, 0, 0)
            """)

    A, flag, R = (
        np.zeros((4, 4), "f", order="F"),
        np.zeros((1, 1), np.int32, order="F"),
        np.zeros((4, 4), "f", order="F"),
    )
    kernel_of("release", "acquire")[1](A, flag, R, backend="reference")
    assert (R == 3).all()
    with pytest.raises(pytl.ExecutionError, match="PYTL-4030"):
        kernel_of("relaxed", "relaxed")[1](A, flag, R, backend="reference")


@pytest.mark.at_night
def test_sub_groups_that_do_the_same_find_different_elements():
    """Where no sub-group knows its number, each of them updates all the same."""

    @pytl.kernel(subgroup_size=4, work_group_size=(12, 1))
    def kernel(A: Memref[i32, 4, 2], highest: Memref[i32, 4, 2]):
        with parallel():
            before = coop.atomic_add(coop.full(i32, 1, (4, 2), "matrix_acc"), A, 0, 0)
            coop.atomic_max(before, highest, 0, 0)

    for way in WAYS:
        A, highest = (np.zeros((4, 2), np.int32, order="F") for _ in range(2))
        launched(kernel, way, 1, A, highest)
        assert (A == 3).all() and (highest == 2).all(), way


def test_the_matrix_unit_updates_32_and_64_bits():
    @pytl.kernel(subgroup_size=16, work_group_size=(16, 1))
    def kernel(A: Memref[f16, 16, 16], B: Memref[f32, 16, 16]):
        with parallel():
            coop.atomic_add(coop.full(f16, 1.0, (16, 16), "matrix_acc"), A, 0, 0)
            coop.atomic_add(coop.full(f32, 1.0, (16, 16), "matrix_acc"), B, 0, 0, scope="cross_device")

    with pytest.raises(pytl.PytlError) as caught:
        kernel.emit("xegpu", matrices="dpas")
    assert {told.rule.code for told in caught.value.diagnostics} == {"PYTL-3216"}
    assert re.search(r"is of f16, and pvc has atomic updates of i32, i64", str(caught.value))
    assert re.search(r"other devices and the host see no atomic access of pvc's matrix unit", str(caught.value))
    assert kernel.emit("xegpu").count("llvm.cmpxchg") == 16 * 2


MISTAKES = [
    ('coop.atomic_load(A, 0, 0, (4, 4), "matrix_acc", order="release")', "a load cannot release"),
    ('coop.atomic_store(m, A, 0, 0, order="acquire")', "a store cannot acquire"),
    ('coop.atomic_add(m, A, 0, 0, scope="group")', "scope of coop.atomic_add is the Python string 'group', not one of"),
    ('coop.atomic_add(m, A, 0, 0, order="seq_cst")', "order of coop.atomic_add is the Python string 'seq_cst'"),
    ("coop.atomic_add(m, A.T, 0, 0)", "M of coop.atomic_add can't be transposed"),
    ("coop.atomic_add(m, B, 0, 0)", "the components are f32, but the elements of M are f16"),
    ("coop.atomic_min(pytl.c32(m), Z, 0, 0)", "not defined on coopmatrix<c32x4x4,matrix_acc>"),
    ("coop.atomic_max(m, A, 6, 0)", "mode 0 of M has size 8, but the matrix takes 4 elements from 6 on"),
    ("coop.atomic_max(x, A, 0, 0)", "A of coop.atomic_max is f32, not coopmatrix-type"),
    ('coop.atomic_store(m, A, 0, 0, checked="row")', "checked of coop.atomic_store is the Python string 'row'"),
    ('coop.atomic_store(m, A, 0, 0, transpose="t")', "transpose of coop.atomic_store is the Python string 't'"),
    ('coop.store(m, A, 0, 0, transpose="t")', "transpose of coop.store is the Python string 't', not one of False"),
]


@pytest.mark.parametrize(("call", "message"), MISTAKES)
def test_mistakes_in_python(call, message):
    kernel = function(f"""
        def kernel(A: Memref[f32, 8, 8], B: Memref[f16, 8, 8], Z: Memref[c32, 8, 8], x: f32):
            with parallel():
                m = coop.full(f32, 1.0, (4, 4), "matrix_acc")
                coop.store(m, A, 0, 0)
                {call}
        """)
    found = findings(kernel)
    assert any(message in each.message for each in found), [each.message for each in found]
