"""What is known of sizes shows in vector code: there is no code for what can't be left over."""

from __future__ import annotations

import ml_dtypes
import numpy as np
import pytest
from launch_kit import needs_sycl

import pytl

pytestmark = needs_sycl

TEXT = """
func @product(%a: memref<f32x?x?x?> {shape_gcd=[GCD,4]}, %b: memref<f32x?x?>, %c: memref<f32x?x?x?> {shape_gcd=[GCD]}) {
  %g = builtin.group_id : index
  %m = size %c[0] : index
  %n = size %c[1] : index
  %k = size %a[1] : index
  %x = subview %a[0:%m, 0:%k, %g] : memref<f32x?x?,strided<1,?>>
  %y = subview %c[0:%m, 0:%n, %g] : memref<f32x?x?,strided<1,?>>
  gemm.n.n 1.0, %x, %b, 0.0, %y
}"""


def llvm(kernel: pytl.Kernel) -> str:
    """The LLVM of all vector kernels, before the compiler optimises it."""
    from vector_kit import llvm_of

    from pytl.backends.registry import find_backend

    backend = find_backend("sycl")
    return llvm_of(backend.source(kernel.launches.lowered(backend, backend.complete_options({}, None))).kernels)


@pytest.mark.at_most(1)
@pytest.mark.parametrize(("divisor", "has_masks"), [(1, True), (8, True), (16, False), (48, False)])
def test_sizes_that_are_multiples_of_a_vector_need_no_masks(divisor, has_masks):
    kernel = pytl.compile(TEXT.replace("GCD", str(divisor)))["product"]
    assert ("masked" in llvm(kernel)) == has_masks
    rows = divisor * 3
    rng = np.random.default_rng(1)
    a, b, c = (np.asfortranarray(rng.random(s, "f4")) for s in ((rows, 4, 5), (4, 7), (rows, 7, 5)))
    kernel[5, {"specialize": "never"}](a, b, c)
    np.testing.assert_allclose(c, np.einsum("mkg,kn->mng", a, b), rtol=1e-5)


@pytest.mark.at_night
def test_many_products_are_a_function_each():
    products = [
        f"%x{k} = subview %c[0:35, 0:9, {k}, %g] : memref<f64x35x9> gemm.n.n %f, %a, %b, 1.0, %x{k}" for k in range(12)
    ]
    text = f"""func @products(%f: f64, %a: memref<f64x35x6>, %b: memref<f64x6x9>, %c: memref<f64x35x9x12x?>) {{
      %g = builtin.group_id : index
      {" ".join(products)}
    }}"""
    kernel = pytl.compile(text)["products"]
    assert str(kernel.ir("cpu-tiles")).count('"outlined"=true') >= 12
    rng = np.random.default_rng(1)
    a, b, c = (np.asfortranarray(rng.random(s)) for s in ((35, 6), (6, 9), (35, 9, 12, 5)))
    expected = c + 2 * (a @ b)[:, :, None, None]
    kernel[5](2.0, a, b, c)
    np.testing.assert_allclose(c, expected, rtol=1e-13)


def test_a_transposition_writes_no_element_beside_its_target():
    text = """func @turn(%a: memref<f32x20x20>, %c: memref<f32x20x20>, %m: index, %n: index) {
      %x = subview %a[0:%n, 0:%m] : memref<f32x?x?,strided<1,20>>
      %y = subview %c[0:%m, 0:%n] : memref<f32x?x?,strided<1,20>>
      axpby.t 1.0, %x, 2.0, %y
    }"""
    kernel = pytl.compile(text)["turn"]
    assert "axpby.t" in str(kernel.ir("cpu-kernels"))
    rng = np.random.default_rng(1)
    a = np.asfortranarray(rng.random((20, 20), "f4"))
    for m, n in [(1, 1), (3, 9), (8, 8), (9, 7), (16, 5), (17, 16), (5, 17), (19, 19), (20, 13)]:
        c = np.asfortranarray(rng.random((20, 20), "f4"))
        expected = c.copy()
        expected[:m, :n] = 2 * c[:m, :n] + a[:n, :m].T
        kernel[1, {"specialize": "never"}](a, c, m, n)
        np.testing.assert_array_equal(c, expected)


def test_lanes_round_ties_to_even():
    text = """func @narrow(%a: memref<f32x64>, %b: memref<bf16x64>, %c: memref<f16x64>) {
      %0 = constant 0 : index
      %n = constant 64 : index
      foreach (%i) = (%0), (%n) {
        %x = load %a[%i] : f32
        %y = cast %x : bf16
        %z = cast %x : f16
        store %y, %b[%i]
        store %z, %c[%i]
      }
    }"""
    kernel = pytl.compile(text)["narrow"]
    assert "cpu.kernel" in str(kernel.ir("cpu-kernels"))
    # 1 + k/2 units of bf16 are ties where k is odd, and so are 1 + k/2 units of f16
    steps = np.arange(32)
    a = np.concatenate([1 + steps * 2.0**-8, -1 - steps * 2.0**-11]).astype(np.float32)
    results = []
    for backend in ("reference", "sycl"):
        b, c = np.zeros(64, ml_dtypes.bfloat16), np.zeros(64, np.float16)
        kernel[1](a, b, c, backend=backend)
        results.append((b, c))
    for expected, actual in zip(*results):
        np.testing.assert_array_equal(actual.astype(np.float32), expected.astype(np.float32))
    np.testing.assert_array_equal(results[0][0], a.astype(ml_dtypes.bfloat16))
    np.testing.assert_array_equal(results[0][1], a.astype(np.float16))


@pytest.mark.parametrize("rows", [19, 21])
def test_a_foreach_writes_no_element_beside_its_points(rows):
    text = f"""func @scatter(%a: memref<f32x24>, %c: memref<f32x24x24>, %d: memref<f32x24x2>) {{
      %begin = constant 0 : index
      %end = constant {rows} : index
      %last = constant 23 : index
      %one = constant 1 : index
      foreach (%i) = (%begin), (%end) {{
        %x = load %a[%i] : f32
        %u = arith.sub %last, %i : index
        store %x, %c[%i, %i]
        store %x, %d[%u, %one]
      }}
    }}"""
    kernel = pytl.compile(text)["scatter"]
    assert "vector.scatter" in str(kernel.ir("vectorize"))
    rng = np.random.default_rng(1)
    a, c, d = (np.asfortranarray(rng.random(shape, "f4")) for shape in ((24,), (24, 24), (24, 2)))
    expected_c, expected_d = c.copy(), d.copy()
    expected_c[range(rows), range(rows)] = a[:rows]
    expected_d[23 - np.arange(rows), 1] = a[:rows]
    kernel[1](a, c, d)
    np.testing.assert_array_equal(c, expected_c)
    np.testing.assert_array_equal(d, expected_d)
