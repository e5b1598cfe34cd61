"""Work-groups that compute numbers as lanes: which ones do, what is copied for them, and what they compute."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from passes_kit import assert_stages_agree, text_after

import pytl
from pytl import Memref, alloca, c32, cos, exp, f32, f64, foreach, group_id, i8, i32, i64, index, log, sin

GROUPS = 21
SSE = {"processor": "sse"}


@pytl.kernel
def kepler(M: Memref[f64, ...], e: Memref[f64, ...], E: Memref[f64, ...]):
    """Contiguous numbers."""
    g = group_id()
    x = M[g]
    for _ in range(3):
        x = x - (x - e[g] * sin(x) - M[g]) / (1.0 - e[g] * cos(x))
    E[g] = x


@pytl.kernel
def cross(A: Memref[f32, 3, ...], B: Memref[f32, 3, ...], C: Memref[f32, 3, ...]):
    """Components, each of which is loaded twice."""
    g = group_id()
    C[0, g] = A[1, g] * B[2, g] - A[2, g] * B[1, g]
    C[1, g] = A[2, g] * B[0, g] - A[0, g] * B[2, g]
    C[2, g] = A[0, g] * B[1, g] - A[1, g] * B[0, g]


@pytl.kernel
def inverse(A: Memref[f64, 2, 2, ...], B: Memref[f64, 2, 2, ...]):
    """The elements of small matrices, which are components, too."""
    g = group_id()
    scale = 1.0 / (A[0, 0, g] * A[1, 1, g] - A[0, 1, g] * A[1, 0, g])
    B[0, 0, g] = A[1, 1, g] * scale
    B[0, 1, g] = -A[0, 1, g] * scale
    B[1, 0, g] = -A[1, 0, g] * scale
    B[1, 1, g] = A[0, 0, g] * scale


@pytl.kernel
def determinant(F: Memref[f64, 3, 3, ...], d: Memref[f64, ...]):
    """Parts that are copied."""
    g = group_id()
    a = F[:, :, g]
    d[g] = (
        a[0, 0] * (a[1, 1] * a[2, 2] - a[1, 2] * a[2, 1])
        - a[0, 1] * (a[1, 0] * a[2, 2] - a[1, 2] * a[2, 0])
        + a[0, 2] * (a[1, 0] * a[2, 1] - a[1, 1] * a[2, 0])
    )


@pytl.kernel
def dot(A: Memref[f64, 24, ...], B: Memref[f64, 24, ...], c: Memref[f64, ...]):
    """Copied from caches, and not from memory."""
    g = group_id()
    total = f64(0.0)
    for k in range(24):
        total += A[k, g] * B[k, g]
    c[g] = total


@pytl.kernel
def one_of_many(A: Memref[f64, 30, ...], c: Memref[f64, ...]):
    g = group_id()
    c[g] = exp(A[7, g] * 0.1)


@pytl.kernel
def neighbours(x: Memref[f32, ...], y: Memref[f32, ...], n: index):
    """The number in arithmetic, and under conditions on which lanes differ."""
    g = group_id()
    if g < n:
        if x[g] > 1.0:
            y[g] = log(x[g]) + f32(g)
        else:
            y[g] = x[g + 1] - x[g]


@pytl.kernel
def permuted(x: Memref[f32, 2, ...], p: Memref[index, ...], y: Memref[f32, ...]):
    g = group_id()
    y[p[g]] = x[0, g] * x[1, g] + 1.0


@pytl.kernel
def own_memory(x: Memref[f64, 4, ...], y: Memref[f64, 4, ...]):
    g = group_id()
    t = alloca(f64, 4)
    for i in range(4):
        t[i] = exp(x[i, g])
    for i in range(4):
        y[i, g] = t[3 - i]


@pytl.kernel
def integers(x: Memref[i32, ...], y: Memref[i64, ...], z: Memref[i8, ...]):
    g = group_id()
    y[g] = i64(x[g]) * 3 + i64(z[g])
    z[g] = i8(x[g] & 7)


@pytl.kernel
def orbit(c: Memref[c32, ...], z: Memref[c32, ...]):
    g = group_id()
    value = z[g]
    for _ in range(4):
        value = value * value + c[g]
    z[g] = value


@pytl.kernel
def some_orbits(c: Memref[c32, ...], z: Memref[c32, ...]):
    """Complex numbers of some lanes, of which SPIR-V has no vectors with 16 pairs of parts."""
    g = group_id()
    if g % 3 == 0:
        z[g] = z[g] * z[g] + c[g]


@pytl.kernel
def exponentials(c: Memref[c32, ...], z: Memref[c32, ...]):
    g = group_id()
    z[g] = exp(z[g]) * c[g] / z[g]


@pytl.kernel
def softmax(X: Memref[f32, ..., 40], Y: Memref[f32, ..., 40]):
    """Elements of a row that lie apart, those of neighbouring work-groups side by side."""
    g = group_id()
    most = X[g, 0]
    for i in range(1, 40):
        most = max(most, X[g, i])
    total = f32(0.0)
    for i in range(40):
        value = exp(X[g, i] - most)
        Y[g, i] = value
        total += value
    for i in range(40):
        Y[g, i] = Y[g, i] / total


@pytl.kernel
def normalised(X: Memref[f64, ..., 24], Y: Memref[f64, ..., 24]):
    """The same by points."""
    g = group_id()
    total = f64(0.0)
    for i in range(24):
        total += X[g, i] * X[g, i]
    for i in foreach(24):
        Y[g, i] = X[g, i] / total


@pytl.kernel
def pairs(X: Memref[f64, ..., 48], Y: Memref[f64, ..., 48]):
    """Even and odd elements, which are stored by turns."""
    g = group_id()
    for i in range(24):
        a = X[g, 2 * i]
        b = X[g, 2 * i + 1]
        Y[g, 2 * i] = 0.8 * a - 0.6 * b
        Y[g, 2 * i + 1] = 0.6 * a + 0.8 * b


@pytl.kernel
def as_many_as_given(X: Memref[f64, ..., ...], Y: Memref[f64, ..., ...], n: index):
    """Points of which work-groups have different numbers."""
    g = group_id()
    for i in foreach(n + g % 3 - 1):
        Y[g, i] = exp(X[g, i])


@pytl.kernel
def log_of_sum(X: Memref[f64, 33, ...], y: Memref[f64, ...]):
    """Rows that are copied: their sums keep their order."""
    g = group_id()
    most = X[0, g]
    for i in range(1, 33):
        most = max(most, X[i, g])
    total = f64(0.0)
    for i in range(33):
        total += exp(X[i, g] - most)
    y[g] = most + log(total)


@pytl.kernel
def doubled(X: Memref[f32, 64, ...], Y: Memref[f32, 64, ...]):
    """Vectors along the row, which lie side by side."""
    g = group_id()
    for i in foreach(64):
        Y[i, g] = 2.0 * X[i, g] + 1.0


@pytl.kernel
def shifted(X: Memref[f32, 512, ...], Y: Memref[f32, 512, ...]):
    """Points of which the first ones alone do not lie side by side."""
    g = group_id()
    for i in foreach(512):
        Y[i, g] = X[i, g] - 0.5 * X[(i + 511) % 512, g]


def data(kernel: pytl.Kernel, groups: int) -> list[Any]:
    """Arrays for a kernel's parameters, three work-groups longer than needed; a number is two thirds of these."""
    rng, found = np.random.default_rng(7), list[Any]()
    for each in kernel.function.parameters:
        if str(each.type) == "index":
            found.append(2 * groups // 3)
            continue
        shape = tuple(groups + 3 if extent == "?" else int(extent) for extent in map(str, each.type.shape))
        dtype = np.dtype({"c32": "complex64", "index": "int64"}.get(str(each.type.element), "float64"))
        dtype = np.dtype({"f32": "f4", "i8": "i1", "i32": "i4", "i64": "i8"}.get(str(each.type.element), dtype))
        if str(each.type.element) == "index":
            found.append(rng.permutation(shape[0]))
        elif dtype.kind == "i":
            found.append(np.asfortranarray(rng.integers(-100, 100, shape).astype(dtype)))
        else:
            values = rng.uniform(0.5, 1.5, shape) + (0.1j * rng.standard_normal(shape) if dtype.kind == "c" else 0.0)
            found.append(np.asfortranarray((values * (0.5 if dtype.kind == "c" else 1.0)).astype(dtype)))
    return found


KERNELS = [
    kepler,
    cross,
    inverse,
    determinant,
    dot,
    one_of_many,
    neighbours,
    permuted,
    own_memory,
    integers,
    orbit,
    exponentials,
    some_orbits,
    softmax,
    normalised,
    pairs,
    as_many_as_given,
    log_of_sum,
    doubled,
    shifted,
]


@pytest.mark.at_most(2)
@pytest.mark.parametrize(
    "kernel", [cross, inverse, determinant, dot, permuted, softmax, pairs, log_of_sum], ids=lambda kernel: kernel.name
)
def test_each_stage_computes_the_same(kernel: pytl.Kernel) -> None:
    assert "cpu.items" in text_after("item-lanes", str(kernel), **SSE)
    assert_stages_agree(str(kernel), SSE, data(kernel, GROUPS), GROUPS)


@pytest.mark.at_most(2)
@pytest.mark.parametrize("backend", ["mlir", "sycl"])
@pytest.mark.parametrize("kernel", KERNELS, ids=lambda kernel: kernel.name)
def test_backends_compute_the_same(kernel: pytl.Kernel, backend: str) -> None:
    for groups in (GROUPS, 1, 32):
        expected, found = data(kernel, groups), data(kernel, groups)
        kernel[groups](*expected, backend="reference")
        kernel[groups](*found, backend=backend)
        for one, other in zip(found, expected):
            narrow = isinstance(one, np.ndarray) and one.dtype in (np.float32, np.complex64)
            assert np.allclose(one, other, rtol=1e-5 if narrow else 1e-13), (kernel.name, groups)


def test_numpy_agrees() -> None:
    A, B, C = data(cross, GROUPS)
    cross[GROUPS](A, B, C, backend="mlir")
    assert np.allclose(C[:, :GROUPS], np.cross(A, B, axis=0)[:, :GROUPS], rtol=1e-5)
    F, d = data(determinant, GROUPS)
    determinant[GROUPS](F, d, backend="mlir")
    assert np.allclose(d[:GROUPS], np.linalg.det(F.transpose(2, 0, 1))[:GROUPS], rtol=1e-12)
    X, Y = data(softmax, GROUPS)
    softmax[GROUPS](X, Y, backend="mlir")
    powers = np.exp(X - X.max(axis=1, keepdims=True))[:GROUPS]
    assert np.allclose(Y[:GROUPS], powers / powers.sum(axis=1, keepdims=True), rtol=1e-5)
    X, Y = data(pairs, GROUPS)
    expected = np.stack([0.8 * X[:, ::2] - 0.6 * X[:, 1::2], 0.6 * X[:, ::2] + 0.8 * X[:, 1::2]], axis=2)
    pairs[GROUPS](X, Y, backend="mlir")
    assert np.allclose(Y[:GROUPS], expected.reshape(X.shape)[:GROUPS], rtol=1e-13)


@pytest.mark.parametrize("isa", ["sse", "avx2", "avx512"])
def test_lanes_are_where_elements_lie_side_by_side(isa: str) -> None:
    """Rows that lie apart are no vectors, however long they are; those that lie side by side are."""
    for kernel in (softmax, normalised, pairs, as_many_as_given):
        shown = text_after("item-lanes", str(kernel), processor=isa)
        assert "cpu.items" in shown and "axpby" not in shown, kernel.name
    assert text_after("item-lanes", str(log_of_sum), processor=isa).count("axpby.t") == 1
    for kernel in (doubled, shifted):
        assert "cpu.items" not in text_after("item-lanes", str(kernel), processor=isa), kernel.name


@pytest.mark.parametrize(
    ("kernel", "copies"),
    [(kepler, 0), (cross, 0), (inverse, 0), (one_of_many, 0), (determinant, 1), (dot, 2)],
    ids=lambda each: getattr(each, "name", str(each)),
)
def test_copied_is_what_lies_otherwise_and_is_used(kernel: pytl.Kernel, copies: int) -> None:
    shown = kernel.ir("item-lanes")
    assert "cpu.items" in shown and shown.count("axpby.t") == copies


def test_what_computes_little_reads_memory_in_order() -> None:
    """From memory, one work-group after the other, whose loops are not unrolled."""
    shown = dot.ir("item-lanes")
    assert "prefetching if" in shown and shown.count("unroll=false") == 1
    for kernel in (determinant, kepler):
        assert "prefetching" not in kernel.ir("item-lanes")


def test_the_numbers_of_components_are_sorted_in_registers() -> None:
    for kernel in (cross, inverse):
        code = kernel.ir("vectorize").partition("remainder")[0]
        assert "vector.shuffle" in code and '"mode"=1' not in code and "gather" not in code


@pytest.mark.parametrize(
    "body",
    [
        "%x = load %a[%k, %zero, %g] : f64\nstore %x, %a[%zero, %k, %g]",  # it computes nothing
        "%x = load %a[%k, %zero, %g] : f64\n%y = math.exp %x : f64\nstore.atomic %y, %a[%k, %zero, %g]",
        "%y = load %a[%zero, %zero, %zero] : f64\n%x = math.exp %y : f64\nstore %x, %a[%k, %zero, %zero]",
    ],
    ids=["copy", "atomic", "no number"],
)
def test_others_are_no_lanes(body: str) -> None:
    number = "" if "%g" not in body else "%g = builtin.group_id : index\n"
    text = f"func @f(%a: memref<f64x9x9x?>, %k: index) {{\n{number}%zero = constant 0 : index\n{body}\n}}"
    assert "cpu.items" not in text_after("item-lanes", text, **SSE)


@pytest.mark.parametrize("backend", ["mlir", "sycl"])
@pytest.mark.parametrize("kernel", [cross, inverse, softmax, normalised], ids=lambda kernel: kernel.name)
def test_one_array_for_two_parameters(kernel: pytl.Kernel, backend: str) -> None:
    """A work-group then loads what it has stored."""
    expected, found = data(kernel, GROUPS), data(kernel, GROUPS)
    for arrays, where in ((expected, "reference"), (found, backend)):
        arrays[-1] = arrays[0]
        kernel[GROUPS](*arrays, backend=where)
    assert np.allclose(found[0], expected[0], rtol=1e-5)


@pytest.mark.at_most(2)
@pytest.mark.parametrize("backend", ["mlir", "sycl"])
def test_fastmath_rounds_otherwise_and_not_much(backend: str) -> None:
    expected, found = data(kepler, GROUPS), data(kepler, GROUPS)
    kepler[GROUPS](*expected, backend="reference")
    kepler[GROUPS, {"fastmath": True}](*found, backend=backend)
    assert np.allclose(found[2], expected[2], rtol=1e-12)
    assert '"fastmath"=true' in kepler.ir("item-lanes", fastmath=True)
