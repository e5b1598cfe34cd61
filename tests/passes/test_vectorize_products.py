"""vectorize: products, chains of them and their epilogues as vector code."""

from __future__ import annotations

import re
from random import Random

import pytest
from differential.cases import KINDS
from passes_kit import DIGITS, assert_meaning_kept, assert_printed_and_read, checked, stage, sycl_passes
from properties.execution import data_for, differences, execute

from pytl.passes import Pipeline

pytestmark = pytest.mark.at_most(4)

KERNELS = {
    "gemm": """func @f(%a: memref<f32x5x3>, %b: memref<f32x3x2>, %c: memref<f32x5x2>) {
  gemm.n.n 1.0, %a, %b, 1.0, %c
}""",
    "gemm_of_any_size": """func @f(%a: memref<f64x?x4>, %b: memref<f64x4x2>, %c: memref<f64x?x2>, %s: f64) {
  gemm.n.n 1.0, %a, %b, %s, %c
}""",
    "gemm_complex": """func @f(%a: memref<c64x2x2>, %b: memref<c64x2x1>, %c: memref<c64x2x1>) {
  gemm.n.n [1.0, 0.0], %a, %b, [0.0, 0.0], %c
}""",
    "gemm_half": """func @f(%a: memref<f16x4x2>, %b: memref<f32x2x1>, %c: memref<f32x4x1>) {
  gemm.n.n 1.0, %a, %b, 0.0, %c
}""",
    "chain": """func @f(%a: memref<f64x4x2>, %b: memref<f64x2x2>, %c: memref<f64x2x1>, %d: memref<f64x4x1>) {
  %t = alloca : memref<f64x4x2,local>
  gemm.n.n 1.0, %a, %b, 0.0, %t
  gemm.n.n 1.0, %t, %c, 0.0, %d
}""",
    "epilogue": """func @f(%a: memref<f32x4x1>, %b: memref<f32x1x2>, %c: memref<f32x4x2>) {
  gemm.n.n 1.0, %a, %b, 0.0, %c
  %0 = constant 0 : index
  %m = constant 4 : index
  %n = constant 2 : index
  foreach (%i, %j) = (%0, %0), (%m, %n) {
    %x = load %c[%i, %j] : f32
    %y = arith.max %x, 0.0 : f32
    store %y, %c[%i, %j]
  }
}""",
}


@pytest.mark.parametrize("name", KERNELS)
def test_the_code_of_small_kernels(name, golden):
    shown = stage(KERNELS[name], "vectorize", 1, items=1)
    golden(f"vectorize/{name}.txt", shown[shown.index("vector.code") :] + "\n")


@pytest.mark.parametrize(("processor", "is_last"), [("avx512", True), ("avx2", True), ("zen4", True), ("neon", False)])
def test_results_are_added_behind_the_sums_where_additions_read_memory(processor, is_last):
    shown = stage(KERNELS["gemm"].replace("5x", "16x"), "vectorize", 1, items=1, processor=processor)
    code = shown[shown.index("vector.code") :]
    assert (code.index("vector.load %c") > code.rindex("vector.fma")) is is_last
    assert code.count("vector.load %c") == code.count("vector.store")


def test_a_factor_of_the_result_is_loaded_once_per_step():
    text = KERNELS["gemm"].replace("5x3", "32x7").replace("3x2", "7x6").replace("5x2", "32x6")
    shown = stage(text, "vectorize", 1, items=1)
    in_loop = shown[shown.index("for ") :]
    assert in_loop.count("vector.fma") % 12 == 0  # two vectors, six columns
    assert in_loop.count("vector.load %a") * 6 == in_loop.count("vector.fma")
    assert in_loop.count("load %b") * 2 == in_loop.count("vector.fma")


@pytest.mark.parametrize(("turn", "b"), [("n.n", "5x7"), ("n.t", "7x5")])
def test_where_registers_are_few_each_vector_is_loaded_behind_the_last_use_of_another(turn, b):
    text = f"""func @f(%a: memref<f32x31x5>, %b: memref<f32x{b}>, %c: memref<f32x31x7x?>) {{
      %g = builtin.group_id : index
      %x = subview %c[0:31, 0:7, %g] : memref<f32x31x7>
      gemm.{turn} 1.0, %a, %b, 1.0, %x
    }}"""
    shown = stage(text, "vectorize", 1, items=1, processor="avx2")
    step = re.findall(r"vector\.load|vector\.fma|= load", shown[shown.index("= load %b") :])[:19]
    assert step == ["= load"] * 3 + ["vector.load", *["vector.fma"] * 3] * 4
    assert_meaning_kept(text, *sycl_passes(processor="avx2"), exact=False)


def test_an_epilogue_of_one_complex_number_per_vector():
    text = """func @f(%a: memref<c64x3x2>, %b: memref<c64x2x2>, %x: memref<c64x3>, %c: memref<c64x3x2x?>) {
      %g = builtin.group_id : index
      %d = subview %c[0:3, 0:2, %g] : memref<c64x3x2>
      gemm.n.n [1.0, 2.0], %a, %b, [0.0, 0.0], %d
      %y = subview %b[0, 0:2] : memref<c64x2,strided<2>>
      ger [0.5, 0.0], %x, %y, [1.0, 0.0], %d
    }"""
    changed = assert_meaning_kept(text, *sycl_passes(processor="sse"), exact=False)
    assert "vector<1xc64>" in str(changed)


WIDER = {"f16": "f32", "bf16": "f32", "f32": "f64", "f64": "c64", "c32": "c64", "i8": "i32", "i16": "f32", "i32": "f64"}


def drawn(seed: int) -> str:
    """A product of random types, sizes, transpositions and numbers, in a loop over work-groups or of any size."""
    rng = Random(seed)
    element = rng.choice(list(KINDS))
    wide = WIDER.get(element, element) if rng.random() < 0.3 else element
    m, n, k = (rng.choice((1, 2, 3, 5, 8, 9, 16, 17, 20, 33)) for _ in range(3))
    ta, tb = rng.choice("nt"), rng.choice("nt")

    def number(type_: str, value: float) -> str:
        return {"c": f"[{value}, 0.0]", "i": f"{int(value)}"}.get(type_[0], f"{value}")

    alpha = rng.choice((number(element, 1.0), number(element, 2.0), "%alpha"))
    beta = rng.choice((number(wide, 0.0), number(wide, 1.0), number(wide, 3.0), "%beta"))
    a = f"{m}x{k}" if ta == "n" else f"{k}x{m}"
    b = f"{k}x{n}" if tb == "n" else f"{n}x{k}"
    return f"""func @f(%alpha: {element}, %beta: {wide}, %a: memref<{element}x{a}>, %b: memref<{element}x{b}>,
        %c: memref<{wide}x{m}x{n}x?>) {{
  %g = builtin.group_id : index
  %x = subview %c[0:{m}, 0:{n}, %g] : memref<{wide}x{m}x{n}>
  gemm.{ta}.{tb} {alpha}, %a, %b, {beta}, %x
}}"""


@pytest.mark.at_most(1)
@pytest.mark.parametrize("seed", range(40))
def test_vector_code_computes_what_the_product_does(seed):
    module = checked(drawn(seed))
    lowered = Pipeline(sycl_passes(interleave=(1, 2)[seed % 2])).run(module)
    assert_printed_and_read(lowered)
    given = data_for(module.functions[0], seed, 3)
    expected, actual = (execute(each, given, 3) for each in (module, lowered))
    tolerances = [30 * DIGITS.get(span.dtype.name, 0.0) for span in expected]
    assert not differences(actual, expected, tolerances), str(module)
