"""Vector code on Arm without tiles: NEON and SVE, whose code QEMU executes; the instructions of its inner loops."""

from __future__ import annotations

import numpy as np
import pytest
from reference_kit import random_array

import pytl
from pytl.backends.assembly import loops_of

pytestmark = pytest.mark.at_most(8)

MACHINES = ("neon", "sve256", "sve512")
MOST = 1.5
"""Instructions of an inner loop for each of its multiply-adds."""
PRODUCT = """func @product(%a: memref<f32xNxNx?>, %b: memref<f32xNxN>, %c: memref<f32xNxNx?>) {
  %g = builtin.group_id : index
  %x = subview %a[0:N, 0:N, %g] : memref<f32xNxN>
  %y = subview %c[0:N, 0:N, %g] : memref<f32xNxN>
  gemm.n.n 1.0, %x, %b, 0.0, %y
}"""
KERNELS = {
    "transposed factors, f64": """func @f(%a: memref<f64x9x13>, %b: memref<f64x7x9>, %c: memref<f64x13x7>) {
      gemm.t.t 2.0, %a, %b, -1.0, %c
    }""",
    "a transposed right factor": """func @f(%a: memref<f32x19x7>, %b: memref<f32x10x7>, %c: memref<f32x19x10>) {
      gemm.n.t 1.0, %a, %b, 0.0, %c
    }""",
    "many terms": """func @f(%a: memref<f32x20x11>, %b: memref<f32x11x9>, %c: memref<f32x20x9>) {
      gemm.n.n 1.0, %a, %b, 1.0, %c
    }""",
    "a chain": """
    func @f(%a: memref<f32x17x8>, %b: memref<f32x8x5>, %c: memref<f32x5x6>, %d: memref<f32x17x6>) {
      %t = alloca : memref<f32x17x5>
      gemm.n.n 1.0, %a, %b, 0.0, %t
      gemm.n.n 1.0, %t, %c, 1.0, %d
    }""",
    "halves": """func @f(%a: memref<f16x20x6>, %b: memref<f16x6x3>, %c: memref<f16x20x3>) {
      gemm.n.n 1.0, %a, %b, 1.0, %c
    }""",
    "complex numbers": """func @f(%a: memref<c32x6x5>, %b: memref<c32x5x4>, %c: memref<c32x6x4>) {
      gemm.n.n [1.0,0.5], %a, %b, [0.0,1.0], %c
    }""",
    "integers": """func @f(%a: memref<i16x19x6>, %b: memref<i16x6x4>, %c: memref<i16x19x4>) {
      gemm.n.n 3, %a, %b, 1, %c
    }""",
    "a matrix times a vector, and a sum": """
    func @f(%a: memref<f32x21x10>, %x: memref<f32x10>, %y: memref<f32x21>, %s: memref<f32>) {
      gemv.n 1.0, %a, %x, 0.5, %y
      sum.n 1.0, %y, 0.0, %s
    }""",
    "element by element": """func @f(%a: memref<f32x37x3>, %b: memref<f32x37x3>) {
      axpby.n 2.0, %a, 0.25, %b
      %lo = constant 0 : index
      %hi = constant 37 : index
      foreach (%i)=(%lo),(%hi) {
        %v = load %b[%i, 1] : f32
        %w = arith.mul %v, %v : f32
        store %w, %b[%i, 2]
      }
    }""",
}


@pytest.mark.at_most(3)
@pytest.mark.tools_of("arm_sme")
@pytest.mark.parametrize("machine", ["neon", "sve256"])
@pytest.mark.parametrize("size", [16, 32, 64])
def test_inner_loops(machine: str, size: int) -> None:
    """As many multiply-adds as the register tiles have, and at most half as many other instructions."""
    kernel = pytl.compile(PRODUCT.replace("N", str(size)))["product"]
    explained = kernel.explain(backend="arm_sme", machine=machine)
    found = [loop for loop in explained.loops if loop.assembly is not None]
    assert found and not explained.notes
    for loop in found:
        tile, code = loop.tile, loop.assembly
        assert code.fmas == loop.fmas * loop.unrolled and loop.fmas == tile.vectors * tile.columns * tile.steps
        assert code.instructions <= MOST * code.fmas
    # no loop has instructions that vector code has not asked for
    loops = [loop for loop in loops_of(kernel.emit("arm_sme", stage="asm", machine=machine)) if loop.fmas]
    assert all(loop.instructions <= MOST * loop.fmas for loop in loops)


@pytest.mark.at_most(5)
@pytest.mark.tools_of("arm_sme")
@pytest.mark.parametrize("name", KERNELS)
@pytest.mark.parametrize("machine", MACHINES)
def test_what_the_oracle_computes(machine: str, name: str) -> None:
    kernel = pytl.compile(KERNELS[name])["f"]
    rng = np.random.default_rng(0)
    types = [parameter.type for parameter in kernel.function.parameters]
    arrays = [random_array(rng, str(type_.element), *type_.shape) for type_ in types]
    expected = [array.copy(order="F") for array in arrays]
    kernel[1](*expected, backend="reference")
    kernel[1, {"machine": machine}](*arrays, backend="arm_sme")
    for array, other in zip(arrays, expected):
        np.testing.assert_array_equal(array, other)  # sums of small integers


@pytest.mark.at_night
@pytest.mark.tools_of("arm_sme")
@pytest.mark.parametrize("groups", [1, 6, 13])
def test_many_work_groups(groups: int) -> None:
    kernel = pytl.compile(PRODUCT.replace("N", "5"))["product"]
    rng = np.random.default_rng(groups)
    a, b = (np.asfortranarray(rng.random(shape, np.float32)) for shape in ((5, 5, groups), (5, 5)))
    c = np.zeros((5, 5, groups), np.float32, "F")
    kernel[groups, {"machine": "neon"}](a, b, c, backend="arm_sme")
    np.testing.assert_allclose(c, np.einsum("ikg,kj->ijg", a, b), rtol=1e-5)


def test_a_length_that_the_machine_does_not_have() -> None:
    kernel = pytl.compile(PRODUCT.replace("N", "5"))["product"]
    with pytest.raises(pytl.LaunchError) as error:
        kernel.emit("arm_sme", machine="sve256", vector_length=512)
    assert "the option vector_length is 512, but the machine sve256 has 256 bits" in str(error.value)
    assert "= help: leave vector_length out, or name another machine" in str(error.value)


def test_a_machine_of_another_kind() -> None:
    kernel = pytl.compile(PRODUCT.replace("N", "5"))["product"]
    with pytest.raises(pytl.PytlError) as error:
        kernel.emit("arm_sme", machine="avx2")
    assert "the option machine is 'avx2'" in str(error.value)
    assert "'neon', 'sve256', 'sve512', 'sme', 'sme2'" in str(error.value)
