"""Tiles: layouts, text, rules, and products through them against NumPy on every backend of this machine."""

import itertools

import numpy as np
import pytest
from differential.cases import kind_of
from sampling import at_night, sampled

import pytl
from pytl import Memref, bf16, f16, f32, f64, i8, i32, index, parallel, tile
from pytl.ir.layouts import TileLayout
from pytl.ir.types import SCALAR_TYPES
from pytl.ops.scalars import dtype_of

pytestmark = pytest.mark.at_most(2)

TYPES = {"i8": (i8, i32), "bf16": (bf16, f32), "f16": (f16, f32), "f32": (f32, f32), "f64": (f64, f64)}
BACKENDS = ("reference", "sycl", "mlir")
SUMS = ["f32", "bf16", "i8"]
M, N, K = 21, 19, 29


def _product(a_type, c_type, turned):
    a_shape, b_shape = ((8, 16), (16, 8)) if turned else ((16, 8), (8, 16))

    @pytl.kernel
    def product(A: Memref[a_type, ..., ...], B: Memref[a_type, ..., ...], C: Memref[c_type, M, N], steps: index):
        with parallel():
            for i in range(0, M, 16):
                for j in range(0, N, 16):
                    if turned:
                        a, b = tile.init(A, (0, i), shape=a_shape), tile.init(B, (j, 0), shape=b_shape)
                    else:
                        a, b = tile.init(A, (i, 0), shape=a_shape), tile.init(B, (0, j), shape=b_shape)
                    c = tile.init(C, (i, j), shape=(16, 16))
                    total = tile.load(c)
                    for _ in range(steps):
                        tile.prefetch(a)
                        total = tile.mma(tile.load(a, transpose=turned), tile.load(b, transpose=turned), total)
                        a = tile.update_offset(a, 8, 0) if turned else tile.update_offset(a, 0, 8)
                        b = tile.update_offset(b, 0, 8) if turned else tile.update_offset(b, 8, 0)
                    tile.store(total, c)

    return product


@pytest.mark.at_night
@pytest.mark.parametrize(
    ("name", "turned", "backend"), sampled(itertools.product(TYPES, (False, True), BACKENDS), tuple, kind_of)
)
def test_product_with_remainders_in_all_sizes(name, turned, backend):
    a_type, c_type = TYPES[name]
    _check_product(_product(a_type, c_type, turned), name, c_type, turned, backend)


@pytest.mark.at_night
@pytest.mark.tools_of("arm_sme")
@pytest.mark.parametrize(
    ("name", "turned"), [("bf16", False), ("i8", True), *at_night([*itertools.product(TYPES, (False, True))])]
)
def test_products_on_tiles_are_outer_products(name, turned):
    a_type, c_type = TYPES[name]
    kernel = _product(a_type, c_type, turned)
    assert {"bf16": "bfmopa", "i8": "smopa"}.get(name, "fmopa") in kernel.emit("arm_sme", stage="asm")
    _check_product(kernel, name, c_type, turned, "arm_sme")


def _check_product(kernel, name, c_type, turned, backend):
    """What a kernel stores is NumPy's product of small numbers."""
    random = np.random.default_rng(1)
    a_dtype, c_dtype = (SCALAR_TYPES[t] for t in (name, c_type.__name__))
    A, B, C = (random.integers(-3, 4, shape) for shape in ((M, K), (K, N), (M, N)))
    a, b = (np.asfortranarray((x.T if turned else x).astype(dtype_of(a_dtype))) for x in (A, B))
    c = np.asfortranarray(C.astype(dtype_of(c_dtype)))
    kernel[1](a, b, c, -(-K // 8), backend=backend)
    np.testing.assert_array_equal(c, C + A @ B)


@pytest.mark.parametrize("turned", [False, True])
@pytest.mark.parametrize("backend", BACKENDS)
def test_padding_is_what_lies_outside(backend, turned):
    @pytl.kernel
    def pad(A: Memref[f32, ..., ...], B: Memref[f32, 8, 4], p: f32):
        with parallel():
            if turned:
                loaded = tile.load(tile.init(A, (1, -1), shape=(4, 8)), transpose=True, padding=p)
            else:
                loaded = tile.load(tile.init(A, (-1, 1), shape=(8, 4)), padding=p)
            tile.store(loaded, tile.init(B, (0, 0), shape=(8, 4)))

    A, B = np.asfortranarray(np.arange(15.0, dtype=np.float32).reshape(5, 3)), np.zeros((8, 4), np.float32, order="F")
    pad[1](np.asfortranarray(A.T) if turned else A, B, np.float32(7), backend=backend)
    wanted = np.full((8, 4), 7, np.float32)
    wanted[1:6, :2] = A[:, 1:]
    np.testing.assert_array_equal(B, wanted)


@pytest.mark.at_night
@pytest.mark.parametrize(
    ("backend", "name"),
    [
        *zip(BACKENDS, SUMS),
        *at_night(zip(BACKENDS, SUMS[1:] + SUMS[:1])),
        *at_night(zip(BACKENDS, SUMS[2:] + SUMS[:2])),
    ],
)
def test_a_sum_is_a_factor_of_the_next_product(backend, name):
    """A (2 A B) B and A + A B in one kernel: factors that are computed, and one that is a sum, too."""
    a_type, c_type = TYPES[name]

    @pytl.kernel
    def chain(A: Memref[a_type, 16, 16], B: Memref[a_type, 16, 16], C: Memref[c_type, 16, 16]):
        with parallel():
            a = tile.load(tile.init(A, (0, 0), shape=(16, 16)))
            b = tile.load(tile.init(B, (0, 0), shape=(16, 16)))
            ab = pytl.cast(tile.mma(a, b, pytl.cast(a, c_type)), a_type)
            tile.store(pytl.cast(tile.mma(tile.mma(a, ab + ab), b), c_type), tile.init(C, (0, 0), shape=(16, 16)))

    random = np.random.default_rng(2)
    dtypes = [dtype_of(SCALAR_TYPES[t.__name__]) for t in (a_type, c_type)]
    A, B = (random.integers(0, 2, (16, 16)) * (random.random((16, 16)) < 0.2) for _ in range(2))
    c = np.zeros((16, 16), dtypes[1], order="F")
    chain[1](*(np.asfortranarray(x.astype(dtypes[0])) for x in (A, B)), c, backend=backend)
    np.testing.assert_array_equal(c, A @ (2 * (A @ B + A)) @ B)


@pytest.mark.at_most(1)
@pytest.mark.parametrize("backend", BACKENDS)
def test_tiles_are_carried_and_go_to_helpers(backend):
    def both(t, u):
        return tile.load(t) + tile.load(u)

    @pytl.kernel
    def walk(A: Memref[f32, 16, ...], B: Memref[f32, 16, 4], turn: pytl.bool_, n: index):
        with parallel():
            t, total = tile.init(A, (0, 0), shape=(16, 4)), tile.load(tile.init(B, (0, 0), shape=(16, 4)))
            for _ in range(n):
                total = total + both(t, tile.update_offset(t, 4, 0))
                if turn:
                    t = tile.update_offset(t, 0, 4)
                else:
                    t = tile.update_offset(t, 0, 8)
            tile.store(total, tile.init(B, (0, 0), shape=(16, 4)))

    A = np.asfortranarray(np.random.default_rng(1).integers(-9, 9, (16, 22)).astype(np.float32))
    for turn in (True, False):
        B = np.ones((16, 4), np.float32, order="F")
        walk[1](A, B, turn, 3, backend=backend)
        padded = np.zeros((20, 40), np.float32)
        padded[:16, :22] = A
        places = [k * (4 if turn else 8) for k in range(3)]
        wanted = 1 + sum(padded[:16, j : j + 4] + padded[4:20, j : j + 4] for j in places)
        np.testing.assert_array_equal(B, wanted)


def test_checks_are_left_out_where_the_tile_is_known_to_lie_within():
    text = """func @f(%A: memref<f32x64x?>, %x: index) {
      %0 = constant 0 : index
      %n = constant 64 : index
      %s = constant 16 : index
      parallel {
        for %i = %0, %n, %s {
          %t = xetile.init_tile %A[%i, %x] : tile<f32x16x8>
          %m = xetile.load_tile %t : coopmatrix<f32x16x8,matrix_acc>
          xetile.store_tile %m, %t
        }
      }
    }"""
    lowered = pytl.compile(text)["f"].ir("lower-tiles")
    assert "load.n.cols_checked" in lowered and "store.cols_checked" in lowered
    assert "rows" not in lowered and "both" not in lowered


def test_wg_map_and_sg_map_are_read_as_todays_layout():
    head = "func @f(%A: memref<f16x1024x1024>, %i: index) {\n  parallel {\n    %t = xetile.init_tile %A[%i, %i] : "
    old = "wg_map<sg_layout=[2,2],sg_data=[32,128]>,sg_map<wi_layout=[2,8],wi_data=[1,2]>"
    new = "layout<sg_layout=[2,2],sg_data=[32,128],lane_layout=[2,8],lane_data=[1,2]>"
    texts = [str(pytl.parse(f"{head}tile<f16x128x128,{layout}>\n  }}\n}}")) for layout in (old, new)]
    assert texts[0] == texts[1]
    assert f"tile<f16x128x128,{new}>" in texts[0]


@pytest.mark.parametrize(
    ("shape", "layout", "code", "message"),
    [
        ("128x128", "sg_data=[32,128]", "0630", "sg_data is given, but sg_layout is not"),
        ("128x128", "sg_layout=[2,0],sg_data=[32,128]", "0630", "sg_layout is [2,0], but each is at least 1"),
        (
            "100x128",
            "sg_layout=[2,2],sg_data=[32,128]",
            "0631",
            "the tile has 100 rows, which 32, those of sg_data, do not divide",
        ),
        (
            "96x128",
            "sg_layout=[2,2],sg_data=[32,128]",
            "0632",
            "the tile has 96 rows, but 2 sub-groups of 32 take 64",
        ),
        (
            "128x128",
            "sg_layout=[2,2],sg_data=[32,128],lane_layout=[3,8],lane_data=[1,2]",
            "0633",
            "a sub-group has 32 rows, which 3 work-items of 1, 3, do not divide",
        ),
        (
            "8x24",
            "lane_layout=[1,16],lane_data=[1,1]",
            "0633",
            "the tile has 24 columns, which 16 work-items of 1, 16, do not divide",
        ),
    ],
)
def test_divisibility(shape, layout, code, message):
    text = (
        "func @f(%A: memref<f16x?x?>, %i: index) {\n  parallel {\n"
        f"    %t = xetile.init_tile %A[%i, %i] : tile<f16x{shape},layout<{layout}>>\n  }}\n}}"
    )
    with pytest.raises(pytl.LanguageError) as raised:
        pytl.verify(pytl.parse(text))
    found = [(d.code, d.message) for d in raised.value.diagnostics if d.severity == "error"]
    assert (f"PYTL-{code}", message) in found


def test_every_element_has_one_owner():
    layout = TileLayout((2, 2), (32, 16), (2, 8), (1, 2))
    shape, owners = (128, 64), np.zeros((128, 64), int)
    for s in np.ndindex(2, 2):
        for r, c in layout.subgroup_blocks(shape, s):
            for lane in np.ndindex(2, 8):
                for i, j in layout.lane_blocks((32, 16), lane):
                    owners[r + i, c + j : c + j + 2] += 1
    assert (owners == 1).all()


@pytest.mark.parametrize("at", [(2, 5), (3, -1), (-2, 1), (5, 3)])
@pytest.mark.parametrize("backend", BACKENDS)
def test_of_a_turned_tile_the_side_is_checked_that_lies_outside(at, backend):
    """One side is known to lie within the memref; the other one reaches beyond it."""
    text = f"""func @f(%A: memref<f32x8x6>, %B: memref<f32x3x4>) {{
      %0 = constant 0 : index
      %x = constant {at[0]} : index
      %y = constant {at[1]} : index
      parallel {{
        %t = xetile.init_tile %A[%x, %y] : tile<f32x4x3>
        %m = xetile.load_tile.t %t : coopmatrix<f32x3x4,matrix_acc>
        cooperative_matrix_store %m, %B[%0, %0]
      }}
    }}"""
    kernel = pytl.compile(text)["f"]
    wanted = {True: "load.t.rows_checked", False: "load.t.cols_checked"}[0 <= at[0] <= 4]
    assert wanted in kernel.ir("lower-tiles")
    A = np.asfortranarray(np.arange(1, 49, dtype=np.float32).reshape(8, 6))
    B = np.ones((3, 4), np.float32, order="F")
    kernel[1](A, B, backend=backend)
    padded = np.zeros((24, 22), np.float32)
    padded[8:16, 8:14] = A
    np.testing.assert_array_equal(B, padded[8 + at[0] : 12 + at[0], 8 + at[1] : 11 + at[1]].T)


@pytest.mark.parametrize("backend", BACKENDS)
def test_memory_of_one_mode_as_a_matrix_with_a_shape_and_a_stride_of_its_own(backend):
    @pytl.kernel
    def product(a: Memref[f32, ...], b: Memref[f32, 6 * 5], c: Memref[f32, ...], m: index, n: index, stride: index):
        with parallel():
            at_a = tile.init(a, (0, 0), shape=(8, 8), base_shape=(m, 6), base_stride=stride)
            at_b = tile.init(b, (0, 0), shape=(8, 8), base_shape=(6, 5))
            at_c = tile.init(c, (0, 0), shape=(8, 8), base_shape=(m, n), base_stride=stride)
            tile.store(tile.mma(tile.load(at_a), tile.load(at_b), tile.load(at_c)), at_c)

    random = np.random.default_rng(1)
    a, b, c = (random.integers(-3, 4, size).astype(np.float32) for size in (9 * 6, 6 * 5, 9 * 5))
    expected = c.reshape(9, 5, order="F").copy()
    expected[:7] += a.reshape(9, 6, order="F")[:7] @ b.reshape(6, 5, order="F")
    product[1](a, b, c, 7, 5, 9, backend=backend)
    np.testing.assert_array_equal(c.reshape(9, 5, order="F"), expected)


@pytest.mark.parametrize(
    ("shape", "stride", "message"),
    [
        (None, 8, "base_stride of tile.init needs base_shape"),
        ((4, 4, 4), None, "base_shape of tile.init is a tuple, not two sizes"),
    ],
)
def test_a_base_matrix_that_is_none(shape, stride, message):
    @pytl.kernel
    def kernel(a: Memref[f32, 64]):
        with parallel():
            tile.init(a, (0, 0), shape=(4, 4), base_shape=shape, base_stride=stride)

    with pytest.raises(pytl.PytlError) as raised:
        str(kernel)
    assert [found.message for found in raised.value.diagnostics] == [message]


def test_a_matrix_has_a_shape():
    @pytl.kernel
    def kernel(a: Memref[f32, 8, 8]):
        with parallel():
            tile.init(a, (0, 0), shape=(4, 4), base_shape=(8, 8))

    with pytest.raises(pytl.PytlError, match="but base_shape makes a matrix of memory with one mode"):
        str(kernel)
