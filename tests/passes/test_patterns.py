"""Patterns of parameters: which entries are zero, seen through views, and what vector code leaves out."""

import numpy as np
import pytest
from differential.cases import NEEDS_SYCL
from passes_kit import assert_meaning_kept, checked, stage, text_after

import pytl
from pytl import Group, Memref, alloca, f32, f64, foreach, gemm, group_id, pattern, unroll
from pytl.ops.patterns import entries_of
from pytl.passes import DenseBlocks
from pytl.passes.analysis.terms import Terms

LINES = '{"pattern"=["x..","xx.","...","..x"]}'
"""Of three rows and four columns."""
ROWS = ["xx..", ".x..", "...x"]


def shown(text: str) -> object:
    """The rows of the pattern of the left factor of a text's only product."""
    (product,) = [op for op in checked(text).functions[0].walk() if op.mnemonic == "gemm"]
    entries = entries_of(product.A)
    return entries and ["".join(".x"[each] for each in row) for row in entries.rows]


@pytest.mark.parametrize(
    ("type_", "view", "expected"),
    [
        ("memref<f32x3x4>", "", ROWS),
        ("memref<f32x3x4x?>", "%v = subview %a[0:3, 0:4, %i] : memref<f32x3x4>", ROWS),
        ("group<memref<f32x3x4>x?>", "%v = load %a[%i] : memref<f32x3x4>", ROWS),
        (
            "group<memref<f32x3x4>x?>",
            "%w = load %a[%i] : memref<f32x3x4> %v = subview %w[1:2, 1:3] : memref<f32x2x3,strided<1,3>>",
            ["x..", "..x"],
        ),
        ("memref<f32x3x4>", "%v = subview %a[0:2, %i:2] : memref<f32x2x2,strided<1,3>>", None),
        ("memref<f32x3x?x4>", "%v = subview %a[0:3, %i, 0:4] : memref<f32x3x4,strided<1,?>>", None),
        ("memref<f32x3x2x2>", "%v = subview %a[0:3, 0:2, 1] : memref<f32x3x2>", ["..", "..", ".x"]),
        ("memref<f32x3x2x2>", "%v = fuse %a[1, 2] : memref<f32x3x4>", None),
    ],
)
def test_what_a_view_has_of_a_pattern(type_, view, expected):
    matrix = "%v" if view else "%a"
    rows, columns = (len(expected), len(expected[0])) if expected else (2, 2) if "0:2" in view else (3, 4)
    lines = "" if "3x?x4" in type_ else LINES
    text = f"""func @f(%a: {type_}{lines}, %b: memref<f32x{columns}x1>, %c: memref<f32x{rows}x1>) {{
      %i = builtin.group_id : index
      {view}
      gemm.n.n 1.0, {matrix}, %b, 0.0, %c
    }}"""
    assert shown(text) == expected


def test_the_terms_of_sums():
    lines = '{"pattern"=["xx","xx",".x"]}'
    text = f"""func @f(%a: memref<f32x3x4>{LINES}, %b: memref<f32x2x3>{lines}, %c: memref<f32x4x2>) {{
      gemm.t.t 1.0, %a, %b, 0.0, %c
    }}"""
    (product,) = [op for op in checked(text).functions[0].walk() if op.mnemonic == "gemm"]
    terms = Terms.of(product)
    assert terms == Terms(3, (0b001, 0b011, 0b000, 0b100), (0b011, 0b111))
    assert terms.of_rows(0, 2) == 0b011 and terms.of_rows(3, 8) == 0b100


def product(a: str, b: str, m: int, n: int, k: int, element: str = "f32") -> str:
    types = [f"memref<{element}x{rows}x{columns}>" for rows, columns in ((m, k), (k, n), (m, n))]
    return f"""func @f(%a: {types[0]}{a}, %b: {types[1]}{b}, %c: {types[2]}) {{
      %one = constant 1.0 : {element}
      gemm.n.n %one, %a, %b, %one, %c
    }}"""


def lines_of(mask: np.ndarray) -> str:
    entries = ",".join('"' + "".join(".x"[int(each)] for each in column) + '"' for column in mask.T)
    return f'{{"pattern"=[{entries}]}}'


def test_terms_that_are_zero_are_left_out():
    """Of a right factor, each entry is a multiply-add for each vector; of a left one, each vector with some entry."""
    right = np.tri(6, 6, dtype=bool)
    code = text_after("vectorize", product("", lines_of(right), 16, 6, 6), items=1)
    assert code.count("vector.fma") == right.sum() and code.count("load %b") == right.sum()
    left = np.zeros((8, 6), bool)
    left[3, 0] = left[5:, 5] = True
    code = stage(product(lines_of(left), "", 8, 2, 6, "f64"), "vectorize", 1, items=1, machine="avx2")
    assert code.count("vector.fma") == 2 * 2 and code.count("vector.load %a") == 2


@pytest.mark.parametrize(("rows", "is_last"), [(16, True), (4, False)])
def test_what_no_term_is_added_to_is_not_touched(rows, is_last):
    """Where the result is added to sums, and where these begin with it."""
    right = np.tri(6, 6, dtype=bool)
    right[:, [1, 4]] = False
    text = product("", lines_of(right), rows, 6, 6, "f64")
    assert ("added_last" in text_after("cpu-schedule", text, items=1, processor="zen4")) == is_last
    code = stage(text, "vectorize", 1, items=1, processor="zen4")
    vectors = -(-rows // 8)
    assert code.count("vector.store") == code.count("vector.load %c") == 4 * vectors
    scaled = stage(text.replace("%b, %one", "%b, 2.0"), "vectorize", 1, items=1, processor="zen4")
    assert scaled.count("vector.store") == 6 * vectors
    left = np.zeros((rows, 6), bool)
    left[0, 2] = True
    code = stage(product(lines_of(left), "", rows, 2, 6, "f64"), "vectorize", 1, items=1, processor="zen4")
    assert code.count("vector.store") == code.count("vector.load %c") == 2


def test_a_pattern_without_zeros_changes_nothing():
    whole = text_after("vectorize", product("", "", 16, 6, 6), items=1)
    assert text_after("vectorize", product(lines_of(np.ones((16, 6), bool)), "", 16, 6, 6), items=1) == whole


def test_long_code_is_not_unrolled():
    mask = np.eye(60, dtype=bool) | (np.arange(60) % 2 == 0)
    tiles = text_after("cpu-tiles", product(lines_of(mask), lines_of(mask), 60, 60, 60), items=1)
    assert "patterns" not in tiles


@pytest.mark.parametrize(("machine", "lanes"), [("zen4", 8), ("avx512", 16)])
def test_vectors_of_half_a_register_leave_out_more_of_what_is_zero(machine, lanes):
    """Where an instruction on half a register takes half the time."""
    mask = np.kron(np.eye(2), np.ones((8, 6))) != 0
    tiles = text_after("cpu-tiles", product(lines_of(mask), "", 16, 9, 12), items=1, processor=machine)
    assert f'"lanes"={lanes},' in tiles and ("patterns" in tiles) == (lanes == 8)
    assert '"lanes"=16,' in text_after("cpu-tiles", product("", "", 16, 9, 12), items=1, processor=machine)


@pytest.mark.parametrize("machine", ["zen4", "avx512"])
def test_right_factors_have_sums_of_many_columns(machine):
    """A number that one multiply-add reads costs no register, and little on Zen 4."""
    mask = np.random.default_rng(2).random((12, 36)) < 0.3
    tiles = text_after("cpu-tiles", product("", lines_of(mask), 64, 36, 12), items=1, processor=machine)
    assert '"patterns"=true' in tiles
    assert ('"vectors"=1, "columns"=18' in tiles) == (machine == "zen4")


SIZES = [(13, 7, 5), (20, 9, 9), (35, 9, 20), (8, 3, 16), (1, 4, 4), (33, 10, 10)]


@pytest.mark.parametrize("backend", ["reference", pytest.param("sycl", marks=NEEDS_SYCL)])
@pytest.mark.parametrize("seed", [0, *(pytest.param(seed, marks=pytest.mark.at_night) for seed in range(1, 24))])
def test_products_are_those_of_the_arrays(seed, backend):
    assert_products_agree(seed, backend)


@pytest.mark.at_night
@pytest.mark.tools_of("mlir")
@pytest.mark.parametrize("seed", [1, *(pytest.param(seed, marks=pytest.mark.at_night) for seed in range(2, 12))])
def test_products_are_those_of_the_arrays_by_mlir(seed):
    assert_products_agree(seed, "mlir")


def assert_products_agree(seed: int, backend: str) -> None:
    """A product of two others, of which one is summed up, with patterns of several densities."""
    rng = np.random.default_rng(seed)
    m, n, k = SIZES[seed % len(SIZES)]
    element, dtype = [(f32, np.float32), (f64, np.float64)][seed // 2 % 2]
    turned, other = bool(seed // 4 % 2), bool(seed // 8 % 2)
    alpha, beta = [(1.0, 1.0), (2.0, 0.5), (1.0, 0.0)][seed % 3]
    left = rng.random((k, m) if turned else (m, k)) < rng.choice([0.1, 0.4, 1.0])
    right = rng.random((n, k) if other else (k, n)) < rng.choice([0.1, 0.4, 0.8])
    square = rng.random((n, n)) < 0.3

    @pytl.kernel
    def products(
        A: Memref[element, left.shape[0], left.shape[1], pattern(left)],
        B: Group[element, right.shape[0], right.shape[1], pattern(right)],
        S: Memref[element, n, n, ..., pattern(square)],
        C: Memref[element, m, n, ...],
    ):
        g = group_id()
        t = alloca(element, m, n)
        b = B[g]
        gemm(alpha, A.T if turned else A, b.T if other else b, 0.0, t)
        gemm(1.0, t, S[:, :, g], beta, C[:, :, g])
        gemm(1.0, t, S[:, :, g].T, 1.0, C[:, :, g])

    def drawn(mask: np.ndarray) -> np.ndarray:
        return np.asfortranarray((rng.random(mask.shape) - 0.5) * mask, dtype)

    a, b, s = drawn(left), [drawn(right) for _ in range(5)], drawn(np.repeat(square[:, :, None], 5, axis=2))
    c = drawn(np.ones((m, n, 5)))
    expected = c.copy()
    for g in range(5):
        t = alpha * (a.T if turned else a) @ (b[g].T if other else b[g])
        expected[:, :, g] = t @ s[:, :, g] + beta * c[:, :, g] + t @ s[:, :, g].T
    products[5](a, b, s, c, backend=backend)
    np.testing.assert_allclose(c, expected, atol=1e-5 if dtype is np.float32 else 1e-13)


BLOCKS = [
    # terms that are zero at both ends, and rows and columns without any
    ((12, 4, 20), lambda left, right: left[2:9, 3:15].fill(True), True, ["2:7", "3:12"]),
    # a sum is divided where many terms between others are zero
    ((8, 4, 40), lambda left, right: (left[:, :6].fill(True), left[:, 30:].fill(True)), False, ["0:6", "30:10"]),
    # where few are, it is not
    ((8, 4, 20), lambda left, right: (left[:, :6].fill(True), left[:, 12:].fill(True)), False, []),
    ((8, 4, 20), lambda left, right: (left.fill(True), right[5:8, 1:3].fill(True)), True, ["1:2", "5:3"]),
]


@pytest.mark.parametrize(("sizes", "fill", "cuts_result", "slices"), BLOCKS)
@pytest.mark.parametrize("beta", [1.0, 2.0, 0.0])
def test_products_of_dense_blocks(sizes, fill, cuts_result, slices, beta):
    m, n, k = sizes
    left, right = np.zeros((m, k), bool), np.zeros((k, n), bool)
    fill(left, right)
    if not right.any():
        right[...] = True
    text = product(lines_of(left), lines_of(right), m, n, k).replace("%one, %c", f"{beta}, %c")
    code = str(assert_meaning_kept(text, DenseBlocks(), exact=False, groups=1))
    assert all(piece in code for piece in (slices if beta == 1.0 or not cuts_result else slices[1:]))
    assert code.count("gemm") == (2 if "30:10" in slices else 1)


def test_a_product_of_zeros_only_adds_nothing():
    text = product(lines_of(np.zeros((4, 4), bool)), "", 4, 4, 4)
    assert "gemm" not in str(assert_meaning_kept(text, DenseBlocks(), groups=1))
    assert "gemm" in str(assert_meaning_kept(text.replace("%one, %c", "0.0, %c"), DenseBlocks(), groups=1))


def test_a_matrix_with_a_vector():
    text = """func @f(%a: memref<f32x4x6>{"pattern"=["....","....",".xx.",".x..","....","...."]}, %b: memref<f32x6>,
        %c: memref<f32x4>) {
      gemv.n 1.0, %a, %b, 1.0, %c
    }"""
    code = str(assert_meaning_kept(text, DenseBlocks(), exact=False, groups=1))
    assert "subview %a[1:2, 2:2]" in code and "subview %b[2:2]" in code and "subview %c[1:2]" in code


BACKENDS = [
    "reference",
    pytest.param("sycl", marks=NEEDS_SYCL),
    pytest.param("mlir", marks=[pytest.mark.tools_of("mlir"), pytest.mark.at_night]),
]
STORED = np.array([[1, 0, 0, 1], [0, 1, 0, 0], [1, 0, 0, 0], [0, 0, 0, 1]], bool)
"""Of a matrix that is stored by its entries alone, column by column."""


@pytest.mark.parametrize("backend", BACKENDS)
def test_matrices_that_are_stored_by_their_entries(backend):
    """The CSC layout of generators for finite elements: an alloca with the pattern is filled from the entries."""
    number = {place: n for n, place in enumerate(zip(*np.nonzero(STORED.T)))}
    matrix = Memref[f64, 4, 4, pattern(STORED)]

    def filled(values):
        dense = alloca(matrix)
        for _ in foreach(1):
            for j in unroll(range(4)):
                for i in unroll(range(4)):
                    dense[i, j] = values[number[j, i]] if (j, i) in number else 0.0
        return dense

    @pytl.kernel
    def product(S: Memref[f64, 5, ...], A: Memref[f64, 7, 4, ...], C: Memref[f64, 7, 4, ...]):
        g = group_id()
        gemm(1.0, A[:, :, g], filled(S[:, g]), 1.0, C[:, :, g])

    assert 'alloca {"pattern"=["x.x.",".x..","....","x..x"]}' in str(product)
    (op,) = [op for op in product.module.functions[0].walk() if op.mnemonic == "gemm"]
    assert Terms.of(op) == Terms(4, (15,) * 7, (0b0101, 0b0010, 0, 0b1001))
    rng = np.random.default_rng(7)
    s, a, c = (np.asfortranarray(rng.random(shape)) for shape in ((5, 6), (7, 4, 6), (7, 4, 6)))
    dense = np.zeros((4, 4, 6))
    dense.transpose(1, 0, 2)[STORED.T] = s
    expected = c + np.einsum("mkg,kng->mng", a, dense)
    product[6](s, a, c, backend=backend)
    np.testing.assert_allclose(c, expected, atol=1e-13)
