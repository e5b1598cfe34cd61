"""Functions of matrices' components, sums and extremes of rows and columns: sizes, errors, and the dialect 0.4."""

import numpy as np
import pytest
from differential.cases import STRATEGIES
from passes_kit import assert_meaning_kept
from tracing_kit import findings, function

import pytl
from pytl import Memref, bf16, coop, exp, f16, f32, i32, native_exp, parallel, tile
from pytl.ops.scalars import dtype_of
from pytl.passes import Canonicalize, LowerCoopmatrix

pytestmark = pytest.mark.at_most(4)

SHAPES = [(1, 1), (3, 2), (16, 5), (19, 4), (32, 3)]
WAYS = ["reference", *STRATEGIES, "mlir"]


def shifted(v, w):
    return v * 2.0 + w


def functions_of(rows, columns, **options):
    shape = (rows, columns)

    @pytl.kernel(**options)
    def kernel(
        A: Memref[f32, rows, columns],
        x: f32,
        placed: Memref[f32, rows, columns],
        of_rows: Memref[f32, rows, 1],
        of_columns: Memref[f32, 1, columns],
        least: Memref[i32, rows, columns],
        spread: Memref[f32, rows, columns],
    ):
        with parallel():
            a = coop.load(A, 0, 0, shape, "matrix_acc")
            y = x + 1.0
            b = coop.apply(lambda i, j, v: exp(v) if i >= j else v * y - f32(j), a, indices=True)
            coop.store(b, placed, 0, 0)
            coop.store(coop.reduce_add(a, "row"), of_rows, 0, 0)
            coop.store(coop.reduce_max(a, "column"), of_columns, 0, 0)
            coop.store(min(i32(a), coop.construct(i32, i32(x), shape, "matrix_acc")), least, 0, 0)
            most = coop.broadcast(coop.reduce_max(a, "row"), shape)
            coop.store(
                max(most, coop.apply(shifted, a, coop.broadcast(coop.reduce_min(a, "column"), shape))), spread, 0, 0
            )

    return kernel


def expected(A, x):
    i, j = np.indices(A.shape)
    return (
        np.where(i >= j, np.exp(A), A * (x + 1) - j),
        A.sum(axis=1, keepdims=True),
        A.max(axis=0, keepdims=True),
        np.minimum(A.astype(np.int32), int(x)),
        np.maximum(A.max(axis=1, keepdims=True), 2 * A + A.min(axis=0, keepdims=True)),
    )


@pytest.mark.at_most(1)
@pytest.mark.parametrize("way", WAYS)
def test_what_numpy_computes(way):
    for rows, columns in SHAPES if way == "reference" else SHAPES[-2:-1]:
        options = {"strategy": way} if way in STRATEGIES else {}
        kernel = functions_of(rows, columns, **options)
        A = np.asfortranarray(np.random.default_rng(rows).integers(-3, 4, (rows, columns)), np.float32)
        wanted = expected(A.astype(np.float64), 2.0)
        given = [np.zeros(array.shape, np.int32 if n == 3 else np.float32, order="F") for n, array in enumerate(wanted)]
        kernel[1](A, 2.0, *given, backend="sycl" if way in STRATEGIES else way)
        for array, numbers in zip(given, wanted):
            np.testing.assert_allclose(array, numbers, rtol=1e-5)


@pytest.mark.at_most(2)
@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_in_registers_of_work_items(shape):
    text = str(functions_of(*shape, subgroup_size=16, work_group_size=(16, 1)))
    assert_meaning_kept(text, LowerCoopmatrix(), Canonicalize(), exact=False, groups=1)


@pytest.mark.parametrize(("type_", "digits"), [(f32, 1e-6), (f16, 2e-3), (bf16, 2e-2)])
def test_short_functions_are_vectors_of_components(type_, digits):
    """Where one work-item has whole matrices."""

    @pytl.kernel(strategy="one-item")
    def kernel(x: type_, A: Memref[type_, 19, 3], R: Memref[type_, 19, 3], S: Memref[type_, 19, 1]):
        with parallel():
            a = coop.load(A, 0, 0, (19, 3), "matrix_acc")
            r = coop.apply(lambda v, w: exp(max(v * x, w)) - 1.0, a, -a)
            coop.store(r, R, 0, 0)
            coop.store(coop.reduce_add(native_exp(a), "row"), S, 0, 0)

    code = kernel.ir("vectorize")
    assert code.count("vector.arith.shl") >= 2 and "math" not in code and "foreach" not in code  # they are written out
    dtype = dtype_of(type_.ir_type)
    A = np.asfortranarray(np.random.default_rng(1).integers(-2, 3, (19, 3)).astype(dtype))
    for backend in ("reference", "sycl"):
        R, S = np.zeros((19, 3), dtype, order="F"), np.zeros((19, 1), dtype, order="F")
        kernel[1](0.5, A, R, S, backend=backend)
        wide = A.astype(np.float64)
        wanted = np.exp(np.maximum(0.5 * wide, -wide)) - 1
        np.testing.assert_allclose(R.astype(np.float64), wanted, rtol=digits, atol=10 * digits)
        np.testing.assert_allclose(
            S.astype(np.float64), np.exp(wide).sum(axis=1, keepdims=True), rtol=max(4 * digits, 1e-3)
        )


def test_the_function_may_differ_by_sub_group():
    @pytl.kernel(subgroup_size=4, work_group_size=(4, 3))
    def kernel(R: Memref[f32, 2, 9]):
        with parallel():
            n = pytl.subgroup.id()
            m = coop.apply(lambda i, j, v: f32(10 * n + j) + v, coop.full(f32, 0.5, (2, 3), "matrix_a"), indices=True)
            coop.store(m, R, 0, pytl.index(3 * n))

    R = np.zeros((2, 9), np.float32, order="F")
    for backend in ("reference", "mlir"):
        kernel[1](R, backend=backend)
        np.testing.assert_array_equal(R, np.tile([0.5, 1.5, 2.5, 10.5, 11.5, 12.5, 20.5, 21.5, 22.5], (2, 1)))
        R[:] = 0


def test_what_the_region_uses_is_uniform():
    @pytl.kernel(subgroup_size=4, work_group_size=(4, 1))
    def kernel(R: Memref[f32, 2, 3]):
        with parallel():
            n = f32(pytl.subgroup.local_id())
            coop.store(coop.apply(lambda v: v + n, coop.full(f32, 0.5, (2, 3), "matrix_acc")), R, 0, 0)

    with pytest.raises(pytl.ExecutionError, match="what the region uses is another than for work-item 0"):
        kernel[1](np.zeros((2, 3), np.float32, order="F"), backend="reference")


DIALECT = """\
func @f(%A: memref<f32x16x16>, %B: memref<f32x16x16>)
    attributes{subgroup_size=16,work_group_size=[16,1]} {
    parallel {
        %0 = constant 0 : index
        %1 = cooperative_matrix_load %A[%0,%0] : coopmatrix<f32x16x16,matrix_acc>
        %2 = cooperative_matrix_apply (%i,%j,%v)=%1 -> coopmatrix<f32x16x16,matrix_acc> {
            %3 = native_exp %v : f32
            yield (%3)
        }
        %4 = cooperative_matrix_reduce_max.row %2 : coopmatrix<f32x16x1,matrix_acc>
        %5 = cast %4 : coopmatrix<f16x16x1,matrix_a>
        %6 = constant 0x1p+0 : coopmatrix<f16x1x16,matrix_b>
        cooperative_matrix_prefetch 0, %B[%0,%0], 16, 16
        %7 = cooperative_matrix_mul_add %5, %6, %1 : coopmatrix<f32x16x16,matrix_acc>
        %8 = max %7, %1 : coopmatrix<f32x16x16,matrix_acc>
        cooperative_matrix_store %8, %B[%0,%0]
    }
}
"""


def test_the_dialect_has_them_by_their_own_words():
    module = pytl.parse(DIALECT, language="0.4")
    text = str(module)
    assert "v04.cooperative_matrix_apply (%i, %j, %v) = %" in text
    assert "xetile.convert %" in text and "v04.arith.max %" in text and "v04.cooperative_matrix_prefetch 0" in text
    A = np.asfortranarray(np.random.default_rng(3).standard_normal((16, 16)), np.float32)
    for backend in ("reference", "mlir"):
        B = np.zeros_like(A)
        pytl.compile(module)["f"][1](A, B, backend=backend)
        np.testing.assert_allclose(B, np.exp(A).max(axis=1, keepdims=True) + A, rtol=2e-3, atol=2e-3)
    written = pytl.compile(module)["f"].ir(dialect="0.4")
    assert "= cooperative_matrix_apply (%i,%j,%v)=%" in written and "v04" not in written
    assert str(pytl.parse(written, language="0.4")) == str(module) == str(pytl.parse(str(module)))
    with pytest.raises(pytl.LanguageError, match="is an instruction of the dialect 0"):
        pytl.parse(DIALECT.replace("_apply", "_reduce_max.row"))


@pytest.mark.at_night
def test_a_sum_is_cast_to_a_factor():
    @pytl.kernel(subgroup_size=16, work_group_size=(16, 1))
    def kernel(A: Memref[f32, 16, 16], B: Memref[f16, 16, 16], C: Memref[f32, 16, 16]):
        with parallel():
            a = coop.load(A, 0, 0, (16, 16), "matrix_acc")
            b = coop.load(B, 0, 0, (16, 16), "matrix_b")
            half = pytl.cast(a, f16, use="matrix_a")
            coop.store(coop.mul_add(pytl.cast(half, f16, use="matrix_a"), b, a), C, 0, 0)

    assert "%half = xetile.convert %a : coopmatrix<f16x16x16,matrix_a>" in str(kernel)
    assert "%half = cast %a : coopmatrix<f16x16x16,matrix_a>" in kernel.ir(dialect="0.4")
    numbers = np.random.default_rng(2)
    A, B = (np.asfortranarray(numbers.integers(-3, 4, (16, 16)), t) for t in (np.float32, np.float16))
    for backend in ("reference", "sycl", "mlir"):
        C = np.zeros_like(A)
        kernel[1](A, B, C, backend=backend)
        np.testing.assert_array_equal(C, A @ B.astype(np.float32) + A)
    back = str(kernel).replace("%half = xetile.convert %a", "%half = xetile.convert %b")
    with pytest.raises(pytl.LanguageError, match="PYTL-1260"):
        pytl.compile(back)["kernel"].ir(dialect="0.4")


MISTAKES = [
    ("coop.apply(exp, x)", "a matrix of coop.apply is f32, not coopmatrix-type"),
    ("coop.apply(exp)", "coop.apply takes a function and matrices"),
    ("coop.apply(lambda v, w: v, m)", "the lambda does not take 1 value by the names alone"),
    ("coop.apply(lambda v: v > 0.0, m)", "the function gives bool, not a number"),
    ("coop.apply(lambda v: v, m, dtype=3)", "dtype of coop.apply is the Python int 3, not a number type"),
    ("coop.apply(lambda v: v, pytl.c32(m), dtype=f32)", "the function gives c32, which can't be cast to f32"),
    ("coop.apply(lambda v: 1.5, m, dtype=i32)", "the Python float 1.5 is used where an i32 is expected"),
    ("coop.apply(lambda v, w: v, m, n)", "the matrices are coopmatrix<f32x8x8,matrix_acc> and"),
    ("coop.apply(lambda v: A[0, 0], m)", "v04.cooperative_matrix_apply: load is in the region"),
    ('coop.reduce_add(m, "rows")', "mode of coop.reduce_add is the Python string 'rows', not one of 'row', 'column'"),
    ("coop.broadcast(m, (8, 16))", "coopmatrix<f32x8x8,matrix_acc> can't be broadcast to (8, 16)"),
    ("min(m, n)", "min on coopmatrix<f32x8x8,matrix_acc> and"),
    ('cast(x, f16, use="matrix_a")', "use is for matrices, but the operand is f32"),
    ('cast(m, f16, use="matrix")', "use of cast is the Python string 'matrix', not one of 'matrix_a', 'matrix_b'"),
    ('cast(m, pytl.bool_, use="matrix_a")', "coopmatrix<f32x8x8,matrix_acc> can't be cast to bool"),
    ("m & m", "& is not defined on coopmatrix<f32x8x8,matrix_acc>"),
]


@pytest.mark.parametrize(("call", "message"), MISTAKES)
def test_mistakes_in_python(call, message):
    kernel = function(f"""
        def kernel(A: Memref[f32, 8, 8], x: f32):
            with parallel():
                m = coop.full(f32, 1.0, (8, 8), "matrix_acc")
                n = coop.full(f32, 1.0, (8, 8), "matrix_a")
                coop.store(m, A, 0, 0)
                r = {call}
        """)
    found = findings(kernel)
    assert any(message in each.message for each in found)


@pytest.mark.parametrize("backend", ["reference", "mlir"])
def test_functions_of_tiles_that_sub_groups_share(backend):
    """What needs whole rows is computed where a sub-group has them, and refused where it has not."""

    def kernel_of(layout):
        @pytl.kernel(subgroup_size=16, work_group_size=(16, 1 if layout is None else 2))
        def kernel(A: Memref[f32, 16, 16], B: Memref[f32, 16, 16]):
            with parallel():
                a = tile.load(tile.init(A, (0, 0), shape=(16, 16)))
                e = exp(a)
                if layout is None:
                    total = coop.broadcast(coop.reduce_add(e, "row"), (16, 16))
                    tile.store(e / total, tile.init(B, (0, 0), shape=(16, 16)))
                else:
                    e = e / coop.broadcast(coop.reduce_add(e, "row"), (16, 16))
                    tile.store(e, tile.init(B, (0, 0), shape=(16, 16), sg_layout=layout, sg_data=(8, 16)))

        return kernel

    A, B = np.asfortranarray(np.random.default_rng(5).standard_normal((16, 16)), np.float32), np.zeros((16, 16), "f")
    B = np.asfortranarray(B)
    kernel_of(None)[1](A, B, backend=backend)
    np.testing.assert_allclose(B, np.exp(A) / np.exp(A).sum(axis=1, keepdims=True), rtol=1e-5)
    if backend == "mlir":
        with pytest.raises(pytl.PytlError, match="PYTL-0647"):
            kernel_of((2, 1))[1](A, B, backend=backend)
