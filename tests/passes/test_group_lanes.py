"""Products of several work-groups in lanes: which products they are for, and that they are those of each work-group."""

import numpy as np
import pytest
from differential.cases import NEEDS_SYCL
from passes_kit import costs_of, stage, text_after

import pytl
from pytl import Group, Memref, alloca, f32, f64, gemm, group_id, pattern
from pytl.ir.text import parse_text
from pytl.ir.verifier import find_problems


def at_night(*values: object) -> list[object]:
    return [pytest.param(value, marks=pytest.mark.at_night) for value in values]


def lines_of(mask: np.ndarray) -> str:
    entries = ",".join('"' + "".join(".x"[int(each)] for each in column) + '"' for column in mask.T)
    return f'{{"pattern"=[{entries}]}}'


SCATTERED = np.random.default_rng(3).random((13, 6)) < 0.15
IN_LANES = {"processor": "avx2", "items": 16, "prefetch": 0}


def batched(
    m: int, n: int, k: int, left: str, element: str = "f32", own: bool = False, form: str = "n.n", beta: float = 0.5
) -> str:
    """C_g := 2 A B_g + C_g/2; the left factor is shared, or each work-group's own."""
    a, b = ((k, m) if form[0] == "t" else (m, k)), ((n, k) if form[2] == "t" else (k, n))
    shapes = [f"{element}x{x}x{y}" for x, y in (a, b, (m, n))]
    view = f"%a = subview %A[0:{a[0]}, 0:{a[1]}, %g] : memref<{shapes[0]}>" if own else ""
    return f"""func @f(%A: memref<{shapes[0]}{"x?" if own else ""}>{left}, %B: memref<{shapes[1]}x?>,
        %C: memref<{shapes[2]}x?>) {{
      %g = builtin.group_id : index
      %two = constant 2.0 : {element}
      %beta = constant {beta} : {element}
      {view}
      %b = subview %B[0:{b[0]}, 0:{b[1]}, %g] : memref<{shapes[1]}>
      %c = subview %C[0:{m}, 0:{n}, %g] : memref<{shapes[2]}>
      gemm.{form} %two, {"%a" if own else "%A"}, %b, %beta, %c
    }}"""


def test_entries_of_a_shared_factor_are_the_multiply_adds():
    """Those of a tile of one column; a row without entries multiplies nothing."""
    text = batched(13, 9, 6, lines_of(SCATTERED))
    with costs_of("tiles", max_cost_in_lanes=99):
        assert 'cpu.lanes {"lanes"=8, "rows"=8, "columns"=1, unroll=64} [%' in stage(text, "cpu-items", 19, **IN_LANES)
        code = stage(text, "vectorize", 19, **IN_LANES).partition(" remainder ")[0]
    rows = SCATTERED.any(axis=1).sum()
    fused = code.count("vector.fma")
    assert code.count("load %A[") == SCATTERED.sum()
    assert SCATTERED.sum() - rows <= fused <= SCATTERED.sum() + 8 * len(SCATTERED)


@pytest.mark.parametrize(
    ("mask", "size", "is_chosen"), [(SCATTERED, 9, False), (np.random.default_rng(1).random((40, 30)) < 0.05, 9, True)]
)
def test_the_model_chooses(mask, size, is_chosen):
    text = batched(len(mask), size, mask.shape[1], lines_of(mask))
    assert ("cpu.lanes" in text_after("cpu-items", text, **IN_LANES)) == is_chosen
    assert "cpu.lanes" not in text_after("cpu-items", text, **IN_LANES, interleave=1)
    assert "cpu.lanes" not in text_after("cpu-items", batched(len(mask), size, mask.shape[1], ""), **IN_LANES)


@pytest.mark.parametrize("element", ["f32", *at_night("f64")])
@pytest.mark.parametrize(
    "machine", ["avx2", *(pytest.param(m, marks=pytest.mark.at_night) for m in ("avx512", "neon"))]
)
@pytest.mark.parametrize("form", ["n.n", *at_night("n.t")])
def test_each_stage_computes_the_same(element, machine, form):
    """A factor of each work-group's own, with a pattern, is turned where it is used."""
    mask = np.random.default_rng(5).random((5, 7)) < 0.4
    with costs_of("tiles", max_cost_in_lanes=99):
        text = batched(5, 4, 7, lines_of(mask), element, own=True, form=form)
        assert "cpu.lanes" in text_after("cpu-items", text, processor=machine, items=16, prefetch=0)
        stage(text, "vectorize", 17, processor=machine, items=16, prefetch=0)


@pytest.mark.parametrize(
    ("form", "element", "lanes"),
    [("n.n", "f32", 8), ("n.t", "f32", 8), pytest.param("n.n", "f64", 4, marks=pytest.mark.at_night)],
)
def test_columns_that_are_turned_in_place(form, element, lanes):
    """With many registers, a column of the right factor takes no memory; where it is transposed, it does."""
    mask, options = np.random.default_rng(5).random((19, 6)) < 0.3, {"processor": "zen4", "items": 16, "prefetch": 0}
    text = batched(19, 3, 6, lines_of(mask), element, form=form)
    with costs_of("tiles", max_cost_in_lanes=99):
        before = text_after("cpu-items", text, **options)
        code = stage(text, "vectorize", 2 * lanes + 1, **options).partition(" remainder ")[0]
    head = f'cpu.lanes {{"lanes"={lanes}, "rows"=16, "columns"=1, unroll=64'
    assert (f'{head}, "in_place"=true}} [] {{' in before) == (form == "n.n")
    assert (f"{head}}} [%" in before) == (form == "n.t") == ("alloca" in code)
    assert code.count("load %A[") == mask.sum()


@pytest.mark.parametrize(
    ("rows", "used", "beta", "pieces"),
    [
        pytest.param(19, range(1, 17), 1.0, 2, id="two whole pieces"),
        pytest.param(19, range(1, 17), 0.5, 4, id="all rows are scaled"),
        pytest.param(32, range(1, 25), 1.0, 4, id="columns begin at whole pieces"),
        pytest.param(24, range(2, 24), 1.0, 3, id="more rows are fewer pieces"),
    ],
)
def test_rows_to_which_nothing_is_added_are_left_out(rows, used, beta, pieces):
    mask = np.random.default_rng(5).random((rows, 3)) < 0.4
    mask[:, 0] = True
    mask[[row for row in range(rows) if row not in used]] = False
    text = batched(rows, 2, 3, lines_of(mask), beta=beta)
    with costs_of("tiles", max_cost_in_lanes=99):
        code = stage(text, "vectorize", 17, processor="zen4", items=16, prefetch=0).partition(" remainder ")[0]
    assert code.count("vector.store ") == 8 * pieces


BACKENDS = [
    "reference",
    pytest.param("sycl", marks=NEEDS_SYCL),
    pytest.param("mlir", marks=pytest.mark.tools_of("mlir")),
]


@pytest.mark.at_most(1)
@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("seed", [0, *at_night(*range(1, 16))])
def test_chains_are_those_of_the_arrays(seed, backend):
    """Two products with an own factor on the right are handed on to a sum of products with shared factors."""
    rng = np.random.default_rng(seed)
    m, n, k = [(5, 4, 3), (13, 9, 6), (3, 2, 9), (20, 7, 1)][seed % 4]
    element, dtype = [(f32, np.float32), (f64, np.float64)][seed // 4 % 2]
    alpha, beta = [(1.0, 1.0), (2.0, 0.5), (1.0, 0.0)][seed % 3]
    shared, own = [rng.random((m, k)) < 0.2 for _ in range(2)], rng.random((n, n)) < 0.4
    for mask in shared:
        mask[0, 0] = mask[-1, -1] = True  # so that no product is cut, and t and u are used as they are
    groups = 43

    @pytl.kernel
    def chain(
        K: Memref[element, m, k, pattern(shared[0])],
        L: Memref[element, m, k, pattern(shared[1])],
        A: Memref[element, n, n, ..., pattern(own)],
        B: Group[element, k, n],
        C: Memref[element, m, n, ...],
    ):
        g = group_id()
        t = alloca(element, k, n)
        u = alloca(element, k, n)
        gemm(1.0, B[g], A[:, :, g], 0.0, t)
        gemm(2.0, B[g], A[:, :, g].T, 0.0, u)
        gemm(alpha, K, t, beta, C[:, :, g])
        gemm(alpha, L, u, 1.0, C[:, :, g])

    def drawn(shape, mask=True):
        return np.asfortranarray((rng.random(shape) - 0.5) * mask, dtype)

    k0, k1 = (drawn((m, k), mask) for mask in shared)
    a, b, c = drawn((n, n, groups), own[:, :, None]), [drawn((k, n)) for _ in range(groups)], drawn((m, n, groups))
    expected = beta * c
    for g in range(groups):
        expected[:, :, g] += alpha * (k0 @ b[g] @ a[:, :, g] + k1 @ (2 * b[g] @ a[:, :, g].T))
    with costs_of("tiles", max_cost_in_lanes=99):
        assert "cpu.lanes" in chain.ir("cpu-items", machine="avx2")
        options = {} if backend == "reference" else {"machine": "avx2"}
        chain[groups, options](k0, k1, a, b, c, backend=backend)
    np.testing.assert_allclose(c, expected, atol=1e-5 if dtype is np.float32 else 1e-13)


@pytest.mark.parametrize(
    ("changed", "problem"),
    [
        ('"lanes"=3', "lanes is 3, and no power of two"),
        ('"lanes"=2, "rows"=4', "its 1 instructions are not 2 times the same"),
        ('"lanes"=1', "lanes is 1"),
    ],
)
def test_other_products_are_refused(changed, problem):
    text = f"""func @f(%a: memref<f32x4x4>, %b: memref<f32x4x4>, %c: memref<f32x4x4>) {{
      %one = constant 1.0 : f32
      cpu.lanes {{{changed}, "columns"=3, unroll=64}} [] {{
        gemm.n.n %one, %a, %b, %one, %c
      }}
    }}"""
    (found,) = find_problems(parse_text(text, internal=True).module).errors
    assert found.rule.code == "PYTL-3076" and problem in found.message
