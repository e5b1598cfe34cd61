"""What the text of xegpu means: MLIR's code of it, executed by threads that emulate the GPU (`xe_emulation`)."""

from __future__ import annotations

import ml_dtypes
import numpy as np
import pytest
from backends import xe_emulation
from backends.test_xegpu import gemm, tools
from differential import cases
from forms.rows import Row
from forms.table import all_rows
from forms.test_sycl import batches, differences, named
from sampling import at_night

import pytl
from pytl import Memref, bf16, coop, f16, f32, f64, i8, i32, index, parallel, subgroup, tile
from pytl.backends.xegpu.backend import XeGpuBackend

pytestmark = [tools, pytest.mark.at_most(6)]
DTYPES = {bf16: ml_dtypes.bfloat16, f16: np.float16, f32: np.float32, f64: np.float64, i8: np.int8, i32: np.int32}
ROWS = all_rows()


@pytest.fixture(autouse=True)
def emulated(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(XeGpuBackend, "launch", xe_emulation.launch)
    monkeypatch.setattr(cases, "OTHERS", (*cases.OTHERS, "xegpu"))


def aligned(type_, *shape: int, seed: int = 0) -> np.ndarray:
    """Small whole numbers, column-major, at a multiple of 64 bytes."""
    given = numbers(type_, *shape, seed=seed)
    raw = np.zeros(given.nbytes + 64, np.uint8)
    begin = -raw.ctypes.data % 64
    found = raw[begin : begin + given.nbytes].view(given.dtype).reshape(shape, order="F")
    found[...] = given
    return found


def numbers(type_, *shape: int, seed: int = 0) -> np.ndarray:
    """Small whole numbers, column-major."""
    return np.asfortranarray(np.random.default_rng(seed).integers(-4, 5, shape).astype(DTYPES[type_]))


@pytest.mark.at_most(1)
@pytest.mark.parametrize(
    ("shape", "turned"),
    [((32, 16, 32), "nn"), ((16, 14, 64), "tn"), *at_night([((16, 14, 64), "nn"), ((32, 16, 32), "tn")])],
    ids=str,
)
@pytest.mark.parametrize(
    ("inputs", "sums"), [(bf16, f32), (f16, f32), (f16, f16), (bf16, bf16), (i8, i32)], ids=lambda type_: type_.__name__
)
def test_products_are_those_of_numpy(inputs, sums, shape: tuple[int, int, int], turned: str) -> None:
    m, n, _ = shape
    a, b, c = aligned(inputs, 128, 128), aligned(inputs, 128, 128, seed=1), aligned(sums, 128, 128, seed=2)
    expected = c.astype(np.float64)
    left = a.T if turned[0] == "t" else a
    expected[:m, :n] = (left.astype(np.float64) @ b.astype(np.float64))[:m, :n]
    gemm(inputs, sums, shape=shape, turned=turned)[1](a, b, c, backend="xegpu")
    # sums that bf16 does not hold are rounded after each product of pieces
    np.testing.assert_allclose(c.astype(np.float64), expected, atol=2.0 if sums is bf16 else 0.0)


@pytl.kernel(subgroup_size=16, work_group_size=(16, 2))
def mixed(A: Memref[bf16, 64, 48], B: Memref[f32, 64, 48], C: Memref[f32, 64, 48]):
    with parallel():
        half = index(16 * subgroup.id())
        a = coop.load(A, 8, half, shape=(16, 16), use="matrix_acc")
        b = coop.load(B, half, 0, shape=(16, 16), use="matrix_acc", transpose=True)
        c = coop.scale(f32(0.5), coop.load(C, 48, half, shape=(32, 16), use="matrix_acc", checked="both"))
        coop.store(a, A, 32, half)
        coop.store(b + b, B, 32, half + 16)
        coop.store(c, C, 48, half, checked="both", atomic="add")


def test_blocks_lie_where_they_should() -> None:
    """Offsets, transposition, what lies outside, atomic additions, and sub-groups that do other things."""
    found = [aligned(type_, 64, 48, seed=3) for type_ in (bf16, f32, f32)]
    expected = [array.copy(order="F") for array in found]
    mixed[1](*found, backend="xegpu")
    mixed[1](*expected, backend="reference")
    for ours, theirs in zip(found, expected):
        np.testing.assert_array_equal(ours, theirs)


SUBGROUPS = """func @f(%A: memref<f32x16x2>, %I: memref<i8x16x2>, %C: memref<c32x16x2>, %O: memref<f32x16x2x9>,
    %P: memref<i8x16x2x6>, %Q: memref<c32x16x2x3>) attributes{"work_group_size"=[32,1], "subgroup_size"=16} {
  parallel {
    %l = builtin.subgroup_local_id : i32
    %i = cast %l : index
    %n = builtin.subgroup_id : i32
    %g = cast %n : index
    %a = load %A[%i, %g] : f32
    %b = load %I[%i, %g] : i8
    %c = load %C[%i, %g] : c32
"""


def test_what_sub_groups_do_together() -> None:
    lines, count = [], {"O": 0, "P": 0, "Q": 0}
    for operation in ("add", "max", "min"):
        for variant in ("reduce", "inclusive_scan", "exclusive_scan"):
            for name, type_, target in (("a", "f32", "O"), ("b", "i8", "P"), ("c", "c32", "Q")):
                if (name == "c" and operation != "add") or (name == "b" and operation == "min"):
                    continue
                at = count[target]
                lines.append(f"    %{target}{at} = subgroup_{operation}.{variant} %{name} : {type_}")
                lines.append(f"    %k{target}{at} = constant {at} : index")
                lines.append(f"    store %{target}{at}, %{target}[%i, %g, %k{target}{at}]")
                count[target] += 1
    kernel = pytl.compile(SUBGROUPS + "\n".join(lines) + "\n  }\n}")["f"]
    rng = np.random.default_rng(4)
    shapes = [(np.float32, (16, 2)), (np.int8, (16, 2)), (np.complex64, (16, 2)), (np.float32, (16, 2, 9)),
              (np.int8, (16, 2, 6)), (np.complex64, (16, 2, 3))]  # fmt: skip
    found = [np.asfortranarray(rng.integers(-5, 6, shape).astype(dtype)) for dtype, shape in shapes]
    expected = [array.copy(order="F") for array in found]
    kernel[1](*found, backend="xegpu")
    kernel[1](*expected, backend="reference")
    for ours, theirs in zip(found, expected):
        np.testing.assert_array_equal(ours, theirs)


def tiled(inputs, sums, turned: bool, sizes: tuple[int, int], tile_sizes: tuple[int, int, int]):
    """C += A B on tiles, where C has the sizes."""
    (m, n), (rows, columns, depth) = sizes, tile_sizes

    @pytl.kernel(subgroup_size=16, work_group_size=(16, 1))
    def product(A: Memref[inputs, ..., ...], B: Memref[inputs, ..., ...], C: Memref[sums, m, n], steps: index):
        with parallel():
            for i in range(0, m, rows):
                for j in range(0, n, columns):
                    if turned:
                        a = tile.init(A, (0, i), shape=(depth, rows))
                    else:
                        a = tile.init(A, (i, 0), shape=(rows, depth))
                    b = tile.init(B, (0, j), shape=(depth, columns))
                    c = tile.init(C, (i, j), shape=(rows, columns))
                    total = tile.load(c)
                    for _ in range(steps):
                        tile.prefetch(b)
                        total = tile.mma(tile.load(a, transpose=turned), tile.load(b), total)
                        a = tile.update_offset(a, depth, 0) if turned else tile.update_offset(a, 0, depth)
                        b = tile.update_offset(b, depth, 0)
                    tile.store(total, c)

    return product


@pytest.mark.at_night
@pytest.mark.parametrize("turned", [False, True])
@pytest.mark.parametrize(
    ("inputs", "sums", "matrices"),
    [(bf16, f32, "dpas"), (f16, f32, "dpas"), (i8, i32, "dpas"), (f32, f32, "lanes"), (f64, f64, "lanes")],
    ids=str,
)
def test_products_on_tiles_with_remainders_in_all_sizes(inputs, sums, matrices: str, turned: bool) -> None:
    m, n, k, *sizes = (41, 19, 70, 32, 16, 32) if matrices == "dpas" else (19, 5, 7, 16, 4, 4)
    a, b, c = numbers(inputs, m, k), numbers(inputs, k, n, seed=1), numbers(sums, m, n, seed=2)
    expected = c.astype(np.float64) + a.astype(np.float64) @ b.astype(np.float64)
    left = np.asfortranarray(a.T) if turned else a
    kernel = tiled(inputs, sums, turned, (m, n), tuple(sizes))
    kernel[1, {"matrices": matrices, "blocks": "preferred"}](left, b, c, -(-k // sizes[2]), backend="xegpu")
    np.testing.assert_array_equal(c.astype(np.float64), expected)


@pytest.mark.parametrize("matrices", ["dpas", *at_night(["lanes"])])
def test_padding_and_factors_that_are_computed(matrices: str) -> None:
    @pytl.kernel(subgroup_size=16, work_group_size=(16, 1))
    def chain(A: Memref[f16, 16, 24], B: Memref[f16, 32, 16], C: Memref[f16, 16, 32]):
        with parallel():
            a = tile.load(tile.init(A, (0, 8), shape=(16, 32)), padding=2)
            b = tile.load(tile.init(B, (0, 0), shape=(32, 16)))
            product = tile.mma(a, b)
            half = coop.scale(f16(0.5), product)
            tile.store(tile.mma(half + half, a, a + a), tile.init(C, (0, 0), shape=(16, 32)))

    found = [aligned(f16, *shape, seed=5) for shape in ((16, 24), (32, 16), (16, 32))]
    found[0] /= 4
    found[1] /= 4
    expected = [array.copy(order="F") for array in found]
    chain[1, {"matrices": matrices, "blocks": "preferred"}](*found, backend="xegpu")
    chain[1](*expected, backend="reference")
    np.testing.assert_array_equal(found[2], expected[2])


@pytest.mark.at_most(1)
@pytest.mark.parametrize("matrices", ["lanes", "dpas"])
@pytest.mark.parametrize("rows", [*batches(ROWS[::97], 24), *at_night(batches(ROWS, 24))], ids=named)
def test_forms_of_the_language(rows: list[Row], matrices: str) -> None:
    """What the hardware takes leaves in memory what the reference backend does; what it does not is told by a rule."""
    found = differences(rows, "xegpu", matrices=matrices, blocks="preferred")
    wrong = {name: lines for name, lines in found.items() if lines and "error[PYTL-32" not in lines[0]}
    assert not wrong


@pytest.mark.at_most(2)
@pytest.mark.parametrize("interpreted", [False, True], ids=["emulated", "interpreted"])
@pytest.mark.parametrize("type_", [i32, f32], ids=lambda type_: type_.__name__)
def test_matrices_are_combined_with_elements(type_, interpreted: bool) -> None:
    """On the matrix unit: each sub-group adds, two of them find other sums; the extremes are those of NumPy."""

    @pytl.kernel(subgroup_size=16, work_group_size=(32, 1))
    def kernel(
        A: Memref[type_, 20, 24],
        B: Memref[type_, 40, 40],
        found: Memref[type_, 16, 16, 2],
        least: Memref[type_, 16, 16],
    ):
        with parallel():
            a = coop.load(B, 0, 0, (16, 16), "matrix_acc")
            before = coop.atomic_add(a, A, 0, 8, checked="both")
            coop.store(before, found[:, :, index(subgroup.id())], 0, 0)
            one = coop.full(type_, 1, (16, 16), "matrix_acc")
            coop.atomic_store(coop.atomic_max(one, B, 24, 16, transpose=True, checked="both"), least, 0, 0)

    A, B = aligned(type_, 20, 24), aligned(type_, 40, 40, seed=1)
    found, least = aligned(type_, 16, 16, 2), aligned(type_, 16, 16)
    first, once, twice = A[:16, 8:].copy(), A[:16, 8:] + B[:16, :16], A + 0
    twice[:16, 8:] += 2 * B[:16, :16]
    most, seen = B.copy(), np.zeros_like(least)
    most[24:, 16:32] = np.maximum(B[24:, 16:32], 1)
    seen[:, :] = most[24:, 16:32].T
    options = {"interpreted": True} if interpreted else {}
    kernel[1, {"blocks": "preferred", **options}](A, B, found, least, backend="xegpu")
    np.testing.assert_array_equal(A, twice)
    np.testing.assert_array_equal(np.sort(found), np.sort(np.stack([first, once], 2)))
    np.testing.assert_array_equal(B, most)
    assert ((least == seen) | (least == B[24:, 16:32].T)).all()
