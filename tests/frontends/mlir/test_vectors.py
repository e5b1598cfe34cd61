"""Vectors whose elements are anywhere in memory: of tensors, of numbers of few bits, and what is wrong with them."""

from __future__ import annotations

import ml_dtypes
import numpy as np
import pytest
from sampling import at_night

import pytl

pytestmark = pytest.mark.at_most(4)


@pytest.mark.parametrize("backend", ["reference", *at_night(["sycl", "mlir"])])
def test_elements_of_tensors_by_their_numbers(backend: str) -> None:
    text = """func.func @f(%t: tensor<4x8xf32>, %n: index) -> (tensor<4x8xf32>, tensor<4x8xf32>) {
  %at = arith.constant dense<[2, 0, 5]> : vector<3xindex>
  %m = arith.constant dense<[1, 1, 0]> : vector<3xi1>
  %p = arith.constant dense<9.0> : vector<3xf32>
  %v = vector.gather %t[%n, %n] [%at], %m, %p
    : tensor<4x8xf32>, vector<3xindex>, vector<3xi1>, vector<3xf32> into vector<3xf32>
  %all = arith.constant dense<true> : vector<3xi1>
  %r = vector.scatter %t[%n, %n] [%at], %all, %v
    : tensor<4x8xf32>, vector<3xindex>, vector<3xi1>, vector<3xf32> -> tensor<4x8xf32>
  %s = vector.scatter %r[%n, %n] [%at], %m, %p
    : tensor<4x8xf32>, vector<3xindex>, vector<3xi1>, vector<3xf32> -> tensor<4x8xf32>
  return %r, %s : tensor<4x8xf32>, tensor<4x8xf32>
}"""
    t = np.arange(32, dtype=np.float32).reshape(4, 8)
    first = t.copy()
    first[1, 6] = 9
    second = first.copy()
    second[1, [3, 1]] = 9
    found = pytl.from_mlir(text)["f"][...](t, 1, backend=backend)
    for made, expected in zip(found, (first, second)):
        np.testing.assert_array_equal(made, expected)


def test_numbers_of_elements_have_few_bits_and_so_have_elements() -> None:
    text = """func.func @f(%a: memref<8xf8E4M3FN>, %i: memref<4xi4>, %o: memref<8xf8E4M3FN>) {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %m = arith.constant dense<true> : vector<4xi1>
  %at = vector.load %i[%c0] : memref<4xi4>, vector<4xi4>
  %v = vector.load %a[%c4] : memref<8xf8E4M3FN>, vector<4xf8E4M3FN>
  %w = vector.gather %a[%c4] [%at], %m, %v
    : memref<8xf8E4M3FN>, vector<4xi4>, vector<4xi1>, vector<4xf8E4M3FN> into vector<4xf8E4M3FN>
  vector.scatter %o[%c4] [%at], %m, %w : memref<8xf8E4M3FN>, vector<4xi4>, vector<4xi1>, vector<4xf8E4M3FN>
  return
}"""
    a = np.arange(8).astype(ml_dtypes.float8_e4m3fn)
    # the upper bits of a byte may be anything
    i, o = np.array([0x5F, 0x0C, 0x73, 0x20], np.uint8).view(np.int8), np.zeros_like(a)
    pytl.from_mlir(text)["f"][...](a.view(np.int8), i, o.view(np.int8))
    assert o.astype(int).tolist() == [0 if n not in (0, 3, 4, 7) else n for n in range(8)]


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (
            "%r = vector.gather %a[%i, %i] [%v], %m, %p"
            " : memref<4x8xf32>, vector<4xi32>, vector<3xi1>, vector<4xf32> into vector<4xf32>",
            "vector.gather: vector<3xi1> is no mask of vector<4xf32>",
        ),
        (
            "vector.maskedstore %a[%i, %i], %m, %p : memref<4x8xf32>, vector<3xi1>, vector<4xf32>",
            "vector.maskedstore: vector<3xi1> is no mask of vector<4xf32>",
        ),
        (
            "vector.scatter %a[%i, %i] [%p], %k, %p : memref<4x8xf32>, vector<4xf32>, vector<4xi1>, vector<4xf32>",
            "vector.scatter: vector<4xf32> does not say where the elements of vector<4xf32> are",
        ),
        (
            "vector.scatter %a[%i] [%v], %k, %p : memref<4x8xf32>, vector<4xi32>, vector<4xi1>, vector<4xf32>",
            "vector.scatter: 1 indices are given, but memref<4x8xf32> has 2 dimensions",
        ),
        (
            "vector.compressstore %a[%i, %i], %k, %v : memref<4x8xf32>, vector<4xi1>, vector<4xi32>",
            "vector.compressstore: memref<4x8xf32> has no part that is vector<4xi32>",
        ),
        (
            "%r = vector.expandload %a[%i, %i], %k, %p"
            " : memref<4x8xf32>, vector<4xi1>, vector<4xf32> into vector<2xf32>",
            "vector.expandload: vector<4xf32> is given where the mask is not set, and not vector<2xf32>",
        ),
        ('%r = "vector.gather"(%a) : (memref<4x8xf32>) -> vector<4xf32>', "vector.gather: %a is no vector"),
    ],
)
def test_mistakes_are_told(line: str, message: str) -> None:
    head = "%a: memref<4x8xf32>, %i: index"
    constants = "".join(
        f"  %{name} = arith.constant dense<{number}> : vector<{type_}>\n"
        for name, number, type_ in [("v", 1, "4xi32"), ("m", 1, "3xi1"), ("k", 1, "4xi1"), ("p", "1.0", "4xf32")]
    )
    with pytest.raises(pytl.LanguageError) as caught:
        pytl.from_mlir(f"func.func @f({head}) {{\n{constants}  {line}\n  return\n}}")
    (only,) = caught.value.diagnostics
    assert only.location.line == 6 and only.message == message
