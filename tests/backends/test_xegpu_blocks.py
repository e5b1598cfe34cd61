"""The blocks that many work-items compute, as text of xegpu: what it computes, and how much it loads."""

from __future__ import annotations

import numpy as np
import pytest
from backends.test_xegpu import tools, verified
from sampling import at_night

import pytl
from pytl.backends.xegpu.lowering import pipeline

pytestmark = pytest.mark.at_most(6)

FORMS = {
    "gemm": """func @f(%A: memref<f32x20x35>, %B: memref<f32x35x18>, %C: memref<f32x20x18>) {
      gemm.n.n 1.5, %A, %B, 0.5, %C }""",
    "turned": """func @f(%A: memref<f64x35x40>, %B: memref<f64x18x35>, %C: memref<f64x40x18>) {
      gemm.t.t 1.5, %A, %B, 0.5, %C }""",
    "open": """func @f(%A: memref<f32x?x?>, %B: memref<f32x?x?>, %C: memref<f32x?x?>) {
      gemm.n.n 1.5, %A, %B, 0.5, %C }""",
    "half": """func @f(%A: memref<f16x20x9>, %B: memref<f16x9x5>, %C: memref<f16x20x5>) {
      gemm.n.n 1.5, %A, %B, 0.5, %C }""",
    "chain": """func @f(%A: memref<f32x20x9>, %B: memref<f32x9x9>, %D: memref<f32x20x20>, %C: memref<f32x20x9>) {
      %t = alloca : memref<f32x20x9,local>
      gemm.n.n 1.0, %A, %B, 0.0, %t
      gemm.n.n 1.0, %D, %t, 0.5, %C }""",
    "several": """func @f(%A: memref<f32x40x9>, %B: memref<f32x9x18>, %C: memref<f32x40x18>, %x: memref<f32x18>,
      %y: memref<f32x40>) attributes{subgroup_size=16, work_group_size=[64,1]} {
      gemm.n.n 1.0, %A, %B, 0.0, %C
      gemv.n 1.0, %C, %x, 1.0, %y }""",
    "gemv": """func @f(%A: memref<f32x40x20>, %b: memref<f32x40>, %c: memref<f32x20>) {
      gemv.t 1.0, %A, %b, 0.5, %c }""",
    "sum": "func @f(%A: memref<f32x40x20>, %b: memref<f32x20>) { sum.t 1.0, %A, 0.5, %b }",
    "cumsum": "func @f(%A: memref<f32x40x5>, %B: memref<f32x40x5>) { cumsum 1.0, %A, 0, 0.5, %B }",
    "named": """func @f(%A: memref<f32x20x35>, %B: memref<f32x35x18>, %C: memref<f32x20x18>)
      attributes{"strategy"="one-item"} { gemm.n.n 1.5, %A, %B, 0.5, %C }""",
    "whole": """func @f(%A: memref<i8x20x35>, %B: memref<i8x35x18>, %C: memref<i8x20x18>) {
      gemm.n.n 2, %A, %B, 3, %C }""",
}  # fmt: skip


def kernel(name: str) -> pytl.Kernel:
    return pytl.compile(FORMS[name])["f"]


def arguments(name: str) -> list[np.ndarray]:
    """Small whole numbers."""
    rng, made, sizes = np.random.default_rng(7), [], iter((7, 9, 9, 11, 7, 11))
    for parameter in kernel(name).function.parameters:
        type_ = parameter.type
        dtype = {"f32": np.float32, "f64": np.float64, "f16": np.float16, "i8": np.int8}[type_.element.name]
        shape = [extent if isinstance(extent, int) else next(sizes) for extent in type_.shape]
        made.append(np.asfortranarray(rng.integers(-3, 4, shape).astype(dtype)))
    return made


@pytest.mark.at_most(1)
@pytest.mark.parametrize("chip", ["pvc", *at_night(["bmg"])])
@pytest.mark.parametrize("name", FORMS)
def test_blocks_compute_what_the_instructions_do(name: str, chip: str) -> None:
    found, expected = arguments(name), arguments(name)
    kernel(name)[1](*expected, backend="reference")
    kernel(name)[1, {"interpreted": True, "chip": chip}](*found, backend="xegpu")
    for ours, theirs in zip(found, expected):
        np.testing.assert_array_equal(ours, theirs)


@pytest.mark.at_most(1)
@tools
@pytest.mark.parametrize("chip", ["pvc", "bmg"])
def test_blocks_are_verified_and_lowered(chip: str) -> None:
    texts = [kernel(name).emit("xegpu", chip=chip) for name in FORMS]
    lowered = verified("\n// -----\n".join(texts), f"--pass-pipeline={pipeline('llvm', chip)}")
    assert "xegpu." not in lowered and "builtin.unrealized_conversion_cast" not in lowered


def test_numbers_that_are_loaded_for_a_multiply_add() -> None:
    text = """func @f(%A: memref<f32x32x32>, %B: memref<f32x32x32>, %C: memref<f32x32x32>) {
      gemm.n.n 1.0, %A, %B, 0.0, %C }"""
    (loop,) = pytl.compile(text)["f"].emit("xegpu").split("iter_args")[1:]
    inside = loop.partition("scf.yield")[0]
    assert inside.count("xegpu.load ") <= 0.13 * inside.count("math.fma")


def test_a_sub_group_that_is_the_work_group_waits_for_itself() -> None:
    text = """func @f(%A: memref<f32x16x9>, %B: memref<f32x9x4>, %C: memref<f32x16x4>, %D: memref<f32x4x2>,
      %E: memref<f32x16x2>) {
      gemm.n.n 1.0, %A, %B, 0.0, %C
      gemm.n.n 1.0, %C, %D, 0.0, %E }"""
    printed = pytl.compile(text)["f"].emit("xegpu")
    assert "known_block_size = array<i32: 16, 1, 1>" in printed
    assert printed.count("gpu.barrier") == printed.count("xegpu.fence memory_kind = global") == 1
