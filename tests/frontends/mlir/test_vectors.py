"""Vectors whose elements are anywhere in memory: of tensors, of numbers of few bits, and what is wrong with them."""

from __future__ import annotations

import subprocess

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


KINDS = {
    "f32": {"add": np.sum, "mul": np.prod, "maximumf": np.max, "minnumf": np.min},
    "i32": {
        "add": np.sum,
        "mul": np.prod,
        "maxsi": np.max,
        "minsi": np.min,
        "and": np.bitwise_and.reduce,
        "or": np.bitwise_or.reduce,
        "xor": np.bitwise_xor.reduce,
        "minui": np.min,
        "maxui": np.max,
    },
    "i1": {"and": np.all, "or": np.any},
}


@pytest.mark.parametrize("element", KINDS)
def test_a_masked_reduction_is_of_the_lanes_that_are_set(element: str) -> None:
    kinds, dtype = KINDS[element], {"f32": np.float32, "i32": np.int32, "i1": np.int8}[element]
    lines = "".join(
        f"""  %{n} = vector.mask %m {{ vector.reduction <{kind}>, %v : vector<4x{element}> into {element} }} : vector<4xi1> -> {element}
  %at{n} = arith.constant {n} : index
  memref.store %{n}, %o[%at{n}] : memref<{len(kinds)}x{element}>
"""
        for n, kind in enumerate(kinds)
    )
    text = f"""func.func @f(%a: memref<4x{element}>, %n: index, %o: memref<{len(kinds)}x{element}>) {{
  %c0 = arith.constant 0 : index
  %v = vector.load %a[%c0] : memref<4x{element}>, vector<4x{element}>
  %m = vector.create_mask %n : vector<4xi1>
{lines}  return
}}"""
    a, o = np.array([1, 0, 1, 0] if element == "i1" else [7, 3, 5, 1], dtype), np.zeros(len(kinds), dtype)
    pytl.from_mlir(text)["f"][...](a, 3, o)
    assert o.tolist() == [of(a[:3]) for of in kinds.values()]
    pytl.from_mlir(text)["f"][...](a, 0, o)
    neutral = {"add": 0, "mul": 1, "or": 0, "xor": 0, "maxui": 0, "and": 1 if element == "i1" else -1, "minui": -1}
    neutral |= {"maximumf": -np.inf, "minnumf": np.inf, "maxsi": -(1 << 31), "minsi": (1 << 31) - 1}
    assert o.tolist() == [neutral[kind] for kind in kinds]


@pytest.mark.parametrize("backend", ["reference", *at_night(["sycl", "mlir"])])
def test_lanes_of_tensors_are_masked(backend: str) -> None:
    text = """func.func @f(%t: tensor<8xf32>, %n: index) -> (tensor<8xf32>, tensor<8xf32>) {
  %z = arith.constant 0.0 : f32
  %m = vector.create_mask %n : vector<4xi1>
  %v = vector.mask %m { vector.transfer_read %t[%n], %z : tensor<8xf32>, vector<4xf32> } : vector<4xi1> -> vector<4xf32>
  %r = vector.mask %m { vector.transfer_write %v, %t[%n] {in_bounds = [true]} : vector<4xf32>, tensor<8xf32> }
    : vector<4xi1> -> tensor<8xf32>
  %w = arith.addf %v, %v : vector<4xf32>
  %s = vector.mask %m { vector.transfer_write %w, %r[%n] : vector<4xf32>, tensor<8xf32> } : vector<4xi1> -> tensor<8xf32>
  return %r, %s : tensor<8xf32>, tensor<8xf32>
}"""
    t = np.arange(8, dtype=np.float32)
    first, second = pytl.from_mlir(text)["f"][...](t, 2, backend=backend)
    assert first.tolist() == t.tolist() and second.tolist() == [0, 1, 4, 6, 4, 5, 6, 7]


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
        (
            "%r = vector.mask %k { arith.addf %p, %p : vector<4xf32> } : vector<4xi1> -> vector<4xf32>",
            "vector.mask: it has a mask, and one operation, of vector.contract, vector.gather, vector.multi_reduction, "
            "vector.outerproduct, vector.reduction, vector.transfer_read, vector.transfer_write",
        ),
        (
            "%r = vector.mask %m { vector.reduction <add>, %p : vector<4xf32> into f32 } : vector<3xi1> -> f32",
            "vector.reduction: its mask has the shape [4], that of its iterations",
        ),
        (
            "%r = vector.mask %m { vector.transfer_read %a[%i, %i], %z : memref<4x8xf32>, vector<4xf32> }"
            " : vector<3xi1> -> vector<4xf32>",
            "vector.transfer_read: its mask is vector<4xi1>, not that of vector.mask",
        ),
        (
            "%r:2 = vector.scan <add>, %p, %p {inclusive = true, reduction_dim = 0} : vector<4xf32>, vector<4xf32>",
            "vector.scan: vector<4xf32> is not vector<4xf32> without dimension 0",
        ),
        (
            "%r:2 = vector.scan <add>, %p, %p {inclusive = true, reduction_dim = 1} : vector<4xf32>, vector<4xf32>",
            "vector.scan: reduction_dim is a dimension of vector<4xf32>, and inclusive true or false",
        ),
        (
            "%r:2 = vector.scan <xor>, %p, %q {inclusive = true, reduction_dim = 0} : vector<4xf32>, vector<f32>",
            "vector.scan: there is no combination xor of f32",
        ),
        (
            '%r = "vector.gather"(%a) : (memref<4x8xf32>) -> vector<4xf32>',
            "vector.gather: operand 1 is no vector of a fixed shape",
        ),
    ],
)
def test_mistakes_are_told(line: str, message: str) -> None:
    head = "%a: memref<4x8xf32>, %i: index, %z: f32"
    constants = "".join(
        f"  %{name} = arith.constant dense<{number}> : vector<{type_}>\n"
        for name, number, type_ in [
            ("v", 1, "4xi32"),
            ("m", 1, "3xi1"),
            ("k", 1, "4xi1"),
            ("p", "1.0", "4xf32"),
            ("q", "1.0", "f32"),
        ]
    )
    with pytest.raises(pytl.LanguageError) as caught:
        pytl.from_mlir(f"func.func @f({head}) {{\n{constants}  {line}\n  return\n}}")
    (only,) = caught.value.diagnostics
    assert only.location.line == 7 and only.message == message


_ROWS_OF_VECTORS = """func.func @f(%x: memref<4x8xf32>, %m: memref<4xvector<8xi1>>, %y: memref<2x4xvector<8xf32>>, %n: index) {
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %all = memref.alloca() : memref<vector<4x8xf32>>
  %whole = vector.type_cast %x : memref<4x8xf32> to memref<vector<4x8xf32>>
  %v = memref.load %whole[] : memref<vector<4x8xf32>>
  %w = arith.addf %v, %v : vector<4x8xf32>
  memref.store %w, %all[] : memref<vector<4x8xf32>>
  %rows = vector.type_cast %all : memref<vector<4x8xf32>> to memref<4xvector<8xf32>>
  %row = memref.load %rows[%n] : memref<4xvector<8xf32>>
  %mask = vector.load %m[%c3] : memref<4xvector<8xi1>>, vector<8xi1>
  %old = memref.load %y[%c1, %n] : memref<2x4xvector<8xf32>>
  %new = arith.select %mask, %row, %old : vector<8xi1>, vector<8xf32>
  memref.store %new, %y[%c1, %n] : memref<2x4xvector<8xf32>>
  return
}"""


def _rows_of_vectors() -> list:
    mask = np.random.default_rng(2).integers(0, 2, (4, 8)).astype(np.int8)
    return [np.arange(32, dtype=np.float32).reshape(4, 8), mask, np.ones((2, 4, 8), np.float32), 2]


@pytest.mark.parametrize("backend", ["reference", *at_night(["sycl", "mlir"])])
def test_memory_has_vectors(backend: str) -> None:
    x, mask, y, n = _rows_of_vectors()
    pytl.from_mlir(_ROWS_OF_VECTORS)["f"][...](x, mask, y, n, backend=backend)
    expected = np.ones((2, 4, 8), np.float32)
    expected[1, 2] = np.where(mask[3], 2 * x[2], 1)
    np.testing.assert_array_equal(y, expected)


@pytest.mark.tools_of("mlir")
def test_mlir_opt_verifies_memory_of_vectors() -> None:
    done = subprocess.run(["mlir-opt-22"], input=_ROWS_OF_VECTORS, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("backend", ["reference", "mlir"])
def test_kernels_of_gpu_have_memory_of_vectors(backend: str) -> None:
    text = """module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @kernel(%x: memref<16x4xf32>, %y: memref<16xvector<4xf32>>) private(%p: memref<2xvector<4xf32>, 5>) kernel {
      %c1 = arith.constant 1 : index
      %i = gpu.thread_id x
      %rows = vector.type_cast %x : memref<16x4xf32> to memref<16xvector<4xf32>>
      %v = memref.load %rows[%i] : memref<16xvector<4xf32>>
      memref.store %v, %p[%c1] : memref<2xvector<4xf32>, 5>
      gpu.barrier
      %w = memref.load %p[%c1] : memref<2xvector<4xf32>, 5>
      %twice = arith.addf %w, %w : vector<4xf32>
      memref.store %twice, %y[%i] : memref<16xvector<4xf32>>
      gpu.return
    }
  }
  func.func @run(%x: memref<16x4xf32>, %y: memref<16xvector<4xf32>>) {
    %c1 = arith.constant 1 : index
    %c16 = arith.constant 16 : index
    gpu.launch_func @kernels::@kernel blocks in (%c1, %c1, %c1) threads in (%c16, %c1, %c1)
      args(%x : memref<16x4xf32>, %y : memref<16xvector<4xf32>>)
    return
  }
}"""
    x, y = np.arange(64, dtype=np.float32).reshape(16, 4), np.zeros((16, 4), np.float32)
    pytl.from_mlir(text)["run"](x, y, backend=backend)
    np.testing.assert_array_equal(y, 2 * x)


@pytest.mark.parametrize(
    ("type_", "line", "code", "message"),
    [
        (
            "memref<?x8xf32>",
            "%r = vector.type_cast %a : memref<?x8xf32> to memref<vector<4x8xf32>>",
            "PYTL-1307",
            "vector.type_cast: memref<?x8xf32> has unknown sizes or a layout of its own, and vectors lie in rows",
        ),
        (
            "memref<4x8xf32, strided<[16, 1]>>",
            "%r = vector.type_cast %a : memref<4x8xf32, strided<[16, 1]>> to memref<vector<4x8xf32>>",
            "PYTL-1307",
            "vector.type_cast: memref<4x8xf32, strided<[16, 1]>> has unknown sizes or a layout of its own",
        ),
        (
            "memref<4x8xf32>",
            "%r = vector.type_cast %a : memref<4x8xf32> to memref<vector<32xf32>>",
            "PYTL-1305",
            "vector.type_cast: memref<4x8xf32> has other dimensions or elements than memref<32xf32>",
        ),
        (
            "memref<4xvector<8xf32>>",
            "%r = memref.rank %a : memref<4xvector<8xf32>>",
            "PYTL-1303",
            "memref.rank: it is of a memref of vectors, which are loaded and stored as a whole",
        ),
        (
            "memref<4xvector<8xf32>>",
            "%r = vector.load %a[%i] : memref<4xvector<8xf32>>, vector<4xf32>",
            "PYTL-1303",
            "vector.load: it is of a memref of vectors, which are loaded and stored as a whole",
        ),
    ],
)
def test_memory_of_vectors_has_its_limits(type_: str, line: str, code: str, message: str) -> None:
    with pytest.raises(pytl.LanguageError) as caught:
        pytl.from_mlir(f"func.func @f(%a: {type_}, %i: index) {{\n  {line}\n  return\n}}")
    (only,) = caught.value.diagnostics
    assert (only.code, only.location.line) == (code, 2) and only.message.startswith(message)


@pytest.mark.parametrize("backend", ["reference", *at_night(["sycl", "mlir"])])
def test_what_may_be_anything_is_padding(backend: str) -> None:
    text = """func.func @f(%t: tensor<8xf32>) -> (tensor<8xf32>, tensor<4xi32>) {
  %c0 = arith.constant 0 : index
  %c6 = arith.constant 6 : index
  %p = ub.poison : f32
  %any = "ub.poison"() : () -> tensor<4xi32>
  %some = ub.poison : vector<4xi32>
  %step = vector.step : vector<4xindex>
  %numbers = arith.index_cast %step : vector<4xindex> to vector<4xi32>
  %zeros = arith.subi %numbers, %numbers : vector<4xi32>
  %v = vector.transfer_read %t[%c6], %p : tensor<8xf32>, vector<4xf32>
  %w = arith.addf %v, %v : vector<4xf32>
  %r = vector.transfer_write %w, %t[%c6] : vector<4xf32>, tensor<8xf32>
  %u = vector.transfer_write %zeros, %any[%c0] : vector<4xi32>, tensor<4xi32>
  return %r, %u : tensor<8xf32>, tensor<4xi32>
}"""
    t = np.arange(8, dtype=np.float32)
    r, u = pytl.from_mlir(text)["f"][...](t, backend=backend)
    assert (r.tolist(), u.tolist()) == ([0, 1, 2, 3, 4, 5, 12, 14], [0] * 4)


def test_a_sum_of_thousands_of_elements_is_looked_at_no_deeper_than_it_may_be_a_product() -> None:
    text = """func.func @f(%x: memref<16x2048xf32>, %y: memref<16xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  scf.parallel (%t) = (%c0) to (%c16) step (%c1) {
    %v = vector.load %x[%t, %c0] : memref<16x2048xf32>, vector<2048xf32>
    %r = vector.reduction <add>, %v : vector<2048xf32> into f32
    memref.store %r, %y[%t] : memref<16xf32>
  }
  return
}"""
    assert "store" in pytl.from_mlir(text)["f"].ir("raised")
