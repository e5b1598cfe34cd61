"""Assignments to whole tensors and views, and `@`: their instructions, their messages, and what they compute."""

# ruff: noqa: E501 (messages are as long as they are)

import numpy as np
import pytest
from launch_kit import BACKENDS
from tracing_kit import body, dedented, function, message

import pytl

HEAD = (
    "A: Memref[f32, 16, 8], B: Memref[f32, 8, 8], C: Memref[f32, 16, 8], v: Memref[f32, 8], w: Memref[f32, 16], "
    "D: Memref[f32, 16, ...], x: f32, i: index"
)

INSTRUCTIONS = {
    "A[:] = 0.0": """
        %0 = constant 0x0p+0 : f32
        %1 = constant 0 : index
        %2 = constant 16 : index
        %3 = constant 0 : index
        %4 = constant 8 : index
        foreach (%5, %6) = (%1, %3), (%2, %4) {
          store %0, %A[%5, %6]
        }""",
    "D[:, i] = x": """
        %0 = subview %D[0:16, %i] : memref<f32x16>
        %1 = constant 0 : index
        %2 = constant 16 : index
        foreach (%3) = (%1), (%2) {
          store %x, %0[%3]
        }""",
    "A[:, 1] = C[:, i]": """
        %0 = subview %C[0:16, %i] : memref<f32x16>
        %1 = subview %A[0:16, 1] : memref<f32x16>
        %2 = constant 0x1p+0 : f32
        %3 = constant 0x0p+0 : f32
        axpby.n %2, %0, %3, %1""",
    "B[:, :] = B.T": """
        %0 = constant 0x1p+0 : f32
        %1 = constant 0x0p+0 : f32
        axpby.t %0, %B, %1, %B""",
    "A[:] = C[:]": """
        %0 = constant 0x1p+0 : f32
        %1 = constant 0x0p+0 : f32
        axpby.n %0, %C, %1, %A""",
    "A[:] += 2.0 * x * C": """
        %0 = constant 0x1p+1 : f32
        %1 = arith.mul %0, %x : f32
        %2 = constant 0x1p+0 : f32
        axpby.n %1, %C, %2, %A""",
    "A[:] -= C": """
        %0 = constant -0x1p+0 : f32
        %1 = constant 0x1p+0 : f32
        axpby.n %0, %C, %1, %A""",
    "A[:] = -(A * C)": """
        %0 = constant -0x1p+0 : f32
        %1 = constant 0x0p+0 : f32
        hadamard %0, %A, %C, %1, %A""",
    "C[:] = A @ B": """
        %0 = constant 0x1p+0 : f32
        %1 = constant 0x0p+0 : f32
        gemm.n.n %0, %A, %B, %1, %C""",
    "C[:] += x * A @ B.T": """
        %0 = constant 0x1p+0 : f32
        gemm.n.t %x, %A, %B, %0, %C""",
    "C[:] -= A @ B": """
        %0 = constant -0x1p+0 : f32
        %1 = constant 0x1p+0 : f32
        gemm.n.n %0, %A, %B, %1, %C""",
    "w[:] = A @ v": """
        %0 = constant 0x1p+0 : f32
        %1 = constant 0x0p+0 : f32
        gemv.n %0, %A, %v, %1, %w""",
    "v[:] = w @ A": """
        %0 = constant 0x1p+0 : f32
        %1 = constant 0x0p+0 : f32
        gemv.t %0, %A, %w, %1, %v""",
    "T = A @ B": """
        %T = alloca : memref<f32x16x8,local>
        %0 = constant 0x1p+0 : f32
        %1 = constant 0x0p+0 : f32
        gemm.n.n %0, %A, %B, %1, %T""",
    "C[:] = A @ B @ B": """
        %0 = alloca : memref<f32x16x8,local>
        %1 = constant 0x1p+0 : f32
        %2 = constant 0x0p+0 : f32
        gemm.n.n %1, %A, %B, %2, %0
        %3 = constant 0x1p+0 : f32
        %4 = constant 0x0p+0 : f32
        gemm.n.n %3, %0, %B, %4, %C""",
    "A[:] /= x": """
        %0 = constant 0 : index
        %1 = constant 16 : index
        %2 = constant 0 : index
        %3 = constant 8 : index
        foreach (%4, %5) = (%0, %2), (%1, %3) {
          %6 = load %A[%4, %5] : f32
          %7 = arith.div %6, %x : f32
          store %7, %A[%4, %5]
        }""",
    "for j in foreach(8):\n    A[:, j] = C[:, j]": """
        %0 = constant 0 : index
        %1 = constant 8 : index
        foreach (%j) = (%0), (%1) {
          %2 = subview %C[0:16, %j] : memref<f32x16>
          %3 = subview %A[0:16, %j] : memref<f32x16>
          %4 = constant 0 : index
          %5 = constant 16 : index
          for %6 = %4, %5 {
            %7 = load %2[%6] : f32
            store %7, %3[%6]
          }
        }""",
}


@pytest.mark.parametrize("statement", INSTRUCTIONS)
def test_instructions(statement):
    assert body(statement, HEAD) == dedented(INSTRUCTIONS[statement])


MESSAGES = {
    "A[:, 0:4] = B": """
        error[PYTL-1080]: a matrix of 8x8 is assigned to a matrix of 16x4
          --> <kernel>:2:17 in kernel
           |
         2 |     A[:, 0:4] = B
           |     --------- this is 16x4
           |                 - this is 8x8
           |                 ^
           = rule: a number, or a tensor of the view's shape, is assigned to a view; in A @ B, A has as many columns as B has rows""",
    "A[:] = v": """
        error[PYTL-1080]: a vector of 8 is assigned to a matrix of 16x8
          --> <kernel>:2:12 in kernel
           |
         2 |     A[:] = v
           |     ---- this is 16x8
           |            - this is 8
           |            ^
           = rule: a number, or a tensor of the view's shape, is assigned to a view; in A @ B, A has as many columns as B has rows
           = help: there is no broadcasting: assign column by column, for j in range(n): A[:, j] = b""",
    "C[:] = A @ A": """
        error[PYTL-1080]: the left factor has 8 columns, but the right one 16 rows
          --> <kernel>:2:12 in kernel
           |
         2 |     C[:] = A @ A
           |            - this is 16x8
           |            ^^^^^
           |                - this is 16x8
           = rule: a number, or a tensor of the view's shape, is assigned to a view; in A @ B, A has as many columns as B has rows
           = help: write A.T @ A""",
    "A[:] = A + C": """
        error[PYTL-1051]: + is not defined on memref<f32x16x8>
          --> <kernel>:2:12 in kernel
           |
         2 |     A[:] = A + C
           |            ^^^^^
           = rule: an operator is applied to the numbers that it is defined on
           = help: assign to a view one term after the other: C[:] = A, then C[:] += B""",
    "A += C": """
        error[PYTL-1051]: + is not defined on memref<f32x16x8>
          --> <kernel>:2:5 in kernel
           |
         2 |     A += C
           |     ^^^^^^
           = rule: an operator is applied to the numbers that it is defined on
           = help: write A[:] += C""",
    "A @= B": """
        error[PYTL-1051]: @= is not defined on a tensor
          --> <kernel>:2:5 in kernel
           |
         2 |     A @= B
           |     ^^^^^^
           = rule: an operator is applied to the numbers that it is defined on
           = help: write A[:] = A @ B""",
    "T = w @ D": """
        error[PYTL-1080]: the product is ?, but temporary memory needs a static size
          --> <kernel>:2:9 in kernel
           |
         2 |     T = w @ D
           |         ^^^^^
           = rule: a number, or a tensor of the view's shape, is assigned to a view; in A @ B, A has as many columns as B has rows
           = help: assign it to a view: C[:] = A @ B""",
    "for k in foreach(8):\n        A[:] = C @ B": """
        error[PYTL-1051]: a product of tensors is in an SPMD region
          --> <kernel>:3:16 in kernel
           |
         3 |         A[:] = C @ B
           |                ^^^^^
           = rule: an operator is applied to the numbers that it is defined on
           = help: compute it before the foreach or parallel region, or loop over the elements""",
    "A[:] = f64(x)": """
        error[PYTL-1050]: f64 is stored, but the elements are f32
          --> <kernel>:2:12 in kernel
           |
         2 |     A[:] = f64(x)
           |     ---- elements of memref<f32x16x8>
           |            ^^^^^^
           = rule: both sides of an operator, or of a store, have the same type
           = help: cast it: f32(f64(x)), which rounds""",
    "T = B\n    for k in range(3):\n        T = T @ B": """
        error[PYTL-1023]: the loop rebinds T, which is memref<f32x8x8>
          --> <kernel>:3:14 in kernel
           |
         2 |     T = B
           |     - T is memref<f32x8x8>
         3 |     for k in range(3):
           |              ^^^^^^^^
           = rule: the value that an if yields, or a loop carries, is a number, a truth value or a cooperative matrix
           = help: write T[:] = … to change its elements; a loop over static_range(n) may exchange tensors""",
}


@pytest.mark.parametrize("statement", MESSAGES)
def test_messages(statement):
    assert message(f"def kernel({HEAD}):\n    {statement}\n") == dedented(MESSAGES[statement])


KERNEL = """
def kernel(
    A: Memref[f64, 6, 4, ...], B: Memref[f64, 4, 4], X: Memref[f64, 6, 4, ...], Y: Memref[f64, 4, 4, 3],
    v: Memref[f64, 4, ...], R: Memref[f64, 6, 4, ...], s: f64,
):
    g = group_id()
    a, x, r = A[:, :, g], X[:, :, g], R[:, :, g]
    T = a @ B
    r[:] = 1.0
    r[:, 1] = a[:, 2]
    r[:] += s * x
    r[:] -= 2.0 * a @ B @ B.T
    r[:] += T * x
    r[:, 0] += a @ v[:, g]
    v[:, g] = -(r[:, 3] @ a)
    r[1:6, :] = r[0:5, :]
    r[:] /= s
    r[2:4, 0:2] **= 2
    r[:, 2:4] *= a[:, 0:2]
    for j in foreach(2):
        r[:, j] -= s * x[:, j + 1]
    if g == 0:
        Y[:] = 0.5
        Y[:, :, 1] = B.T
        Y[0:3, :, :] = Y[1:4, :, :]
        Y[:, :, 2] *= B.T
"""


def expected(A, B, X, Y, v, R, s):
    for g in range(A.shape[2]):
        a, x, r = A[:, :, g], X[:, :, g], R[:, :, g]
        T = a @ B
        r[:] = 1.0
        r[:, 1] = a[:, 2]
        r[:] += s * x
        r[:] -= 2.0 * a @ B @ B.T
        r[:] += T * x
        r[:, 0] += a @ v[:, g]
        v[:, g] = -(r[:, 3] @ a)
        r[1:6, :] = r[0:5, :].copy()
        r[:] /= s
        r[2:4, 0:2] **= 2
        r[:, 2:4] *= a[:, 0:2]
        r[:, 0:2] -= s * x[:, 1:3]
    Y[:] = 0.5
    Y[:, :, 1] = B.T
    Y[0:3, :, :] = Y[1:4, :, :].copy()
    Y[:, :, 2] *= B.T


@pytest.mark.at_most(1)
@pytest.mark.parametrize("backend", BACKENDS)
def test_results(backend):
    kernel = pytl.kernel(function(KERNEL))
    random = np.random.default_rng(5)
    shapes = [(6, 4, 3), (4, 4), (6, 4, 3), (4, 4, 3), (4, 3), (6, 4, 3)]
    arrays = [np.asfortranarray(random.uniform(0.5, 1.5, shape)) for shape in shapes]
    wanted = [array.copy(order="F") for array in arrays]
    expected(*wanted, 1.25)
    kernel[3](*arrays, 1.25, backend=backend)
    for got, want in zip(arrays, wanted, strict=True):
        np.testing.assert_allclose(got, want, rtol=1e-12)


@pytest.mark.parametrize("element", ["i8", "i32", "i64", "bf16", "f16", "f32", "f64", "c32", "c64"])
def test_every_type_of_elements(element):
    """What is assigned, added and multiplied is the same for all types of elements."""
    kernel = pytl.kernel(
        function(f"""
        def kernel(A: Memref[{element}, 3, 3], B: Memref[{element}, 3, 3], C: Memref[{element}, 3, 3]):
            C[:] = 2
            C[:] += A @ B
            C[:, 1] -= 3 * A[:, 2]
            C[:] *= B
            C[0, :] = A[2, :]
        """)
    )
    names = {"bf16": "float32", "f16": "float16", "c32": "complex64", "c64": "complex128"}
    dtype = np.dtype(names.get(element) or element.replace("f", "float").replace("i", "int"))
    if element == "bf16":
        ml_dtypes = pytest.importorskip("ml_dtypes")
        dtype = np.dtype(ml_dtypes.bfloat16)
    a, b = (np.asfortranarray((np.arange(9).reshape(3, 3) + k) % 3).astype(dtype, order="F") for k in (0, 1))
    c = np.zeros((3, 3), dtype, order="F")
    wide = np.complex128 if dtype.kind == "c" else np.float64
    x, y = a.astype(wide), b.astype(wide)
    want = 2 + x @ y
    want[:, 1] -= 3 * x[:, 2]
    want *= y
    want[0, :] = x[2, :]
    kernel[1](a, b, c, backend="reference")
    np.testing.assert_array_equal(c.astype(wide), want)


EXCHANGE = """
def kernel(A: Memref[f64, 4, 4], x: Memref[f64, 4, ...], steps: constexpr[int]):
    g = group_id()
    a, b = alloca(f64, 4), alloca(f64, 4)
    a[:] = x[:, g]
    for k in LOOP(steps):
        if k == 1:
            continue
        b[:] = A @ a
        b[k % 4] += k
        a, b = b, a
    x[:, g] = a
"""


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("loop", ["static_range", "unroll(range"])
def test_tensors_are_exchanged_in_loops_of_known_length(loop, backend):
    closing = "steps)" + ")" * loop.count("(")
    kernel = pytl.kernel(function(EXCHANGE.replace("LOOP(steps)", f"{loop}({closing}"))).specialize(steps=5)
    assert str(kernel).count("alloca") == 2 and str(kernel).count("gemv") == 4 and "for %" not in str(kernel)
    random = np.random.default_rng(3)
    A, x = np.asfortranarray(random.random((4, 4))), np.asfortranarray(random.random((4, 3)))
    want = x.copy()
    for k in (0, 2, 3, 4):
        want = A @ want
        want[k % 4] += k
    kernel[3](A, x, backend=backend)
    np.testing.assert_allclose(x, want, rtol=1e-13)
