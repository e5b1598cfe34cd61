"""What the tests of the immediate language share: the sample of the draft, kernels of texts, and data."""

from __future__ import annotations

from typing import Any

import numpy as np

import pytl

SAMPLE = """define @fused_kernel(%A: group<memref<f32x16x8>,pointers>,
                     %B: memref<f32x8x8>,
                     %C: memref<f32x8x16>,
                     %D: group<memref<f32x16x16>,distance<256>>) {
  %0 = get_work_item %A : group<memref<f32x16x8>,pointers>
  %1 = get_work_item %D : group<memref<f32x16x16>,distance<256>>
  %tmp0 = alloca : memref<f32x16x8>
  log {ik, kj to ij} 1.0, %0, %B, 0.0, %tmp0
     : memref<f32x16x8>, memref<f32x8x8> to memref<f32x8x16>
  log {ik, kj to ij} 5.0, %tmp0, %C, 1.0, %1
     : memref<f32x16x8>, memref<f32x8x16> to memref<f32x16x16>
}
"""
"""The sample of the draft, as it stands there."""
MENDED = SAMPLE.replace("to memref<f32x8x16>", "to memref<f32x16x8>")

CANONICAL = """define @f(%A: group<memref<f64x4x3,strided<1,8>>,pointers>,
          %D: group<memref<u8x4>,distance<6>>,
          %E: group<memref<f32x2x3>,distance<8>>,
          %F: group<memref<f32>,pointers>,
          %off: u32,
          %n: i64,
          %S: memref<u8>) {
  for u8 %i = 0 to 200 {
    %a = get_work_item %A, u32 %off : group<memref<f64x4x3,strided<1,8>>,pointers>
    %b = subview %a[1:3, u8 %i] : memref<f64x4x3,strided<1,8>> to memref<f64x2>
    %d = get_work_item %D : group<memref<u8x4>,distance<6>>
    sum {i to _}, 255.0, %d, 3.0, %S : memref<u8x4> to memref<u8>
    %x = alloca : memref<f64x2>
    axpby {i to i}, -2.5, %b, 0.0, %x : memref<f64x2> to memref<f64x2>
    lifetime_stop %x
    barrier
  }
  for i8 %i = -3 to 3 {
    %0 = get_work_item %E, i64 %n : group<memref<f32x2x3>,distance<8>>
    %1 = get_work_item %F, i64 %n : group<memref<f32>,pointers>
    %2 = get_work_item %E : group<memref<f32x2x3>,distance<8>>
    product {_, ij to ij}, 0.1, %1, %0, 1e-07, %2 : memref<f32>, memref<f32x2x3> to memref<f32x2x3>
    log {i[j], [j]k to ik}, 1.0, %0, %2, 0.0, %2 : memref<f32x2x3>, memref<f32x2x3> to memref<f32x2x3>
  }
}

define @g() {
}"""
"""A text with every instruction, as it is printed but for two factors."""


def read(text: str) -> Any:
    return pytl.parse(text, language="yateto")


def kernel_of(text: str) -> Any:
    (kernel,) = pytl.compile(text, language="yateto").values()
    return kernel


def fortran(*shape: int, dtype: Any = np.float64, seed: int = 1) -> np.ndarray:
    numbers = np.random.default_rng(seed).integers(-4, 5, shape)
    return np.asarray(numbers.astype(dtype), order="F")


def run_sample(backend: str) -> None:
    kernel = kernel_of(MENDED)
    A = [fortran(16, 8, dtype=np.float32, seed=n) for n in range(3)]
    B, C, D = (fortran(*shape, dtype=np.float32) for shape in ((8, 8), (8, 16), (16, 16, 3)))
    wanted = D + np.stack([5 * a @ B @ C for a in A], axis=-1)
    kernel[3](A, B, C, D, backend=backend)
    np.testing.assert_array_equal(D, wanted)
