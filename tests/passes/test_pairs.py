"""Products of which an instruction adds two terms, and right factors that are loaded from memory."""

from __future__ import annotations

from random import Random

import ml_dtypes
import numpy as np
import pytest
from passes_kit import assert_printed_and_read, checked, sycl_passes, text_after
from properties.execution import execute

from pytl.passes import Pipeline

pytestmark = pytest.mark.at_most(4)

ZEN_4 = {"processor": "zen4"}


def product(a: str, b: str, sizes: tuple[int, int, int], transposes: str = "nn", beta: int = 1) -> str:
    m, n, k = sizes
    left = f"{m}x{k}" if transposes[0] == "n" else f"{k}x{m}"
    right = f"{k}x{n}" if transposes[1] == "n" else f"{n}x{k}"
    return f"""func @f(%alpha: i8, %a: memref<{a}x{left}x?>, %b: memref<{b}x{right}>, %c: memref<i32x{m}x{n}x?>) {{
  %g = builtin.group_id : index
  %x = subview %a[0:{left.replace("x", ", 0:")}, %g] : memref<{a}x{left}>
  %y = subview %c[0:{m}, 0:{n}, %g] : memref<i32x{m}x{n}>
  gemm.{transposes[0]}.{transposes[1]} %alpha, %x, %b, {beta}, %y
}}"""


def test_an_instruction_adds_two_terms_where_the_machine_has_it():
    text = product("i8", "i8", (32, 32, 32))
    assert '"terms"=2' in text_after("cpu-schedule", text, **ZEN_4)
    assert "memref<i16x32x32,local>" in text_after("cpu-schedule", text, **ZEN_4)  # pairs of the right factor
    for processor in ("avx512", "neon"):
        assert '"terms"' not in text_after("cpu-schedule", text, processor=processor)


@pytest.mark.parametrize(("factors", "sums"), [("i32", "i32"), ("i8", "i64"), ("i16", "i16")])
def test_other_products_have_one_term_at_a_time(factors, sums):
    text = product(factors, factors, (16, 8, 8)).replace("memref<i32", f"memref<{sums}")
    assert '"terms"' not in text_after("cpu-schedule", text, **ZEN_4)


def test_a_loop_has_half_the_instructions_for_its_terms():
    code = text_after("vectorize", product("i8", "i16", (16, 8, 120)), items=1, interleave=1, **ZEN_4)
    in_loop = code[code.index("for ") :]
    assert in_loop.count("vector.load %x") * 4 == in_loop.count("vector.dot")  # two columns for eight sums
    assert "vector.fma" not in code


@pytest.mark.at_most(1)
@pytest.mark.parametrize("seed", range(24))
def test_the_sums_are_exact_and_wrap_around(seed):
    rng, random = Random(seed), np.random.default_rng(seed)
    a, b = rng.choice([("i8", "i8"), ("i8", "i16"), ("i16", "i8"), ("i16", "i16")])
    m, n, k = (rng.choice((1, 2, 3, 5, 8, 9, 16, 17, 20, 33)) for _ in range(3))
    transposes, beta, groups = rng.choice("nt") + rng.choice("nt"), rng.choice((0, 1, 3)), 3
    module = checked(product(a, b, (m, n, k), transposes, beta))
    lowered = Pipeline(sycl_passes(interleave=rng.choice((1, 2)), **ZEN_4)).run(module)
    assert_printed_and_read(lowered)

    def numbers(name: str, *shape: int) -> np.ndarray:
        limits = np.iinfo({"i8": np.int8, "i16": np.int16, "i32": np.int32}[name])
        values = random.integers(limits.min, limits.max, shape, dtype=limits.dtype, endpoint=True)
        return np.asfortranarray(np.where(random.random(shape) < 0.3, limits.dtype.type(limits.min), values))

    left = numbers(a, *((m, k) if transposes[0] == "n" else (k, m)), groups)
    right = numbers(b, *((k, n) if transposes[1] == "n" else (n, k)))
    before = numbers("i32", m, n, groups)
    alpha = np.int8(rng.choice((1, -7)))
    rows = (left if transposes[0] == "n" else left.transpose(1, 0, 2)).astype(np.int64)
    columns = (right if transposes[1] == "n" else right.T).astype(np.int64)
    expected = (int(alpha) * np.einsum("ikg,kj->ijg", rows, columns) + beta * before.astype(np.int64)).astype(np.int32)
    *_, found = execute(lowered, [alpha, left, right, before], groups)
    np.testing.assert_array_equal(found, expected.ravel(order="F"))


def of_bf16(sizes: tuple[int, int, int], transposes: str = "nn", sums: str = "f32") -> str:
    text = product("bf16", "bf16", sizes, transposes).replace("memref<i32", f"memref<{sums}")
    return text.replace("%alpha: i8", "%alpha: bf16").replace("%beta", "1").replace(", 1, %y", ", 1.0, %y")


def test_pairs_of_bf16_are_for_fastmath():
    fast = text_after("cpu-schedule", of_bf16((32, 32, 32)), fastmath=True, **ZEN_4)
    assert '"terms"=2' in fast and '"fastmath"=true' in fast and "alloca" not in fast  # the columns are read in place
    strict = text_after("cpu-schedule", of_bf16((32, 32, 32)), **ZEN_4)
    assert '"terms"' not in strict and "memref<f32x32x32,local>" in strict
    for processor in ("avx512", "neon", "sve256"):
        text = text_after("cpu-schedule", of_bf16((32, 32, 32)), fastmath=True, processor=processor)
        assert '"terms"' not in text


def test_factors_of_pairs_that_do_not_lie_in_columns_are_copied_as_they_are():
    text = text_after("cpu-schedule", of_bf16((16, 12, 20), "tt"), fastmath=True, **ZEN_4)
    assert "memref<bf16x16x20,local>" in text and "memref<bf16x20x12,local>" in text
    assert '"terms"=2' in text


@pytest.mark.at_most(1)
@pytest.mark.parametrize("seed", range(12))
def test_sums_of_pairs_of_bf16(seed):
    rng, random = Random(seed), np.random.default_rng(seed)
    m, n, k = (rng.choice((1, 2, 3, 5, 8, 9, 16, 17, 20, 33)) for _ in range(3))
    transposes, groups = rng.choice("nt") + rng.choice("nt"), 3
    module = checked(of_bf16((m, n, k), transposes))
    lowered = Pipeline(sycl_passes(interleave=rng.choice((1, 2)), fastmath=True, **ZEN_4)).run(module)
    assert_printed_and_read(lowered)
    assert "vector.dot" in str(lowered) or "vector.fma" not in str(lowered)

    def numbers(dtype: type, *shape: int) -> np.ndarray:
        return np.asfortranarray(random.integers(-9, 10, shape).astype(dtype))

    left = numbers(ml_dtypes.bfloat16, *((m, k) if transposes[0] == "n" else (k, m)), groups)
    right = numbers(ml_dtypes.bfloat16, *((k, n) if transposes[1] == "n" else (n, k)))
    before = numbers(np.float32, m, n, groups)
    rows = (left if transposes[0] == "n" else left.transpose(1, 0, 2)).astype(np.float32)
    columns = (right if transposes[1] == "n" else right.T).astype(np.float32)
    expected = 2 * np.einsum("ikg,kj->ijg", rows, columns) + before
    *_, found = execute(lowered, [ml_dtypes.bfloat16(2.0), left, right, before], groups)
    np.testing.assert_array_equal(found, expected.ravel(order="F"))


ROTATED = """func @f(%a: memref<f32x8x10>, %b: memref<f32x9x9>, %c: memref<f32x10x9x?>, %d: memref<f32x8x9x?>) {
  %g = builtin.group_id : index
  %x = subview %c[0:10, 0:9, %g] : memref<f32x10x9>
  %y = subview %d[0:8, 0:9, %g] : memref<f32x8x9>
  %t = alloca : memref<f32x10x9,local>
  gemm.n.n 1.0, %x, %b, 0.0, %t
  gemm.n.n 1.0, %a, %t, 0.0, %y
}"""


def test_a_right_factor_that_was_just_stored_is_loaded_where_loads_broadcast():
    shown = text_after("cpu-schedule", ROTATED, interleave=1, **ZEN_4)
    first, second = (line for line in shown.splitlines() if "cpu.kernel" in line)
    assert '"reloads"=true' not in first and '"reloads"=true' in second
    assert '"reloads"' not in text_after("cpu-schedule", ROTATED, processor="neon")
    code = text_after("vectorize", ROTATED, items=1, interleave=1, **ZEN_4)
    zero = code[code.index("vector.hidden_zero") :]
    assert "subview %t[%" in zero


def test_a_reloaded_factor_is_the_factor():
    module = checked(ROTATED)
    lowered = Pipeline(sycl_passes(**ZEN_4)).run(module)
    assert_printed_and_read(lowered)
    random = np.random.default_rng(1)
    a, b, c = (random.standard_normal(shape).astype(np.float32) for shape in ((8, 10), (9, 9), (10, 9, 3)))
    expected = np.einsum("ik,klg,lj->ijg", a, c, b)
    *_, found = execute(lowered, [*map(np.asfortranarray, (a, b, c)), np.zeros((8, 9, 3), np.float32, "F")], 3)
    np.testing.assert_allclose(found, expected.ravel(order="F"), rtol=1e-4, atol=1e-4)
