"""Texts that the compilers of releases accept: they are read, come back in their dialect, and compute the numbers."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from differential.cases import NEEDS_OPENCL, NEEDS_SYCL
from numpy.lib.stride_tricks import as_strided

import pytl
from pytl.frontends.registry import find_frontend

CASES = Path(__file__).parent / "cases"
BACKENDS = [
    "reference",
    pytest.param("sycl", marks=NEEDS_SYCL),
    pytest.param("opencl", marks=NEEDS_OPENCL),
    pytest.param("mlir", marks=pytest.mark.tools_of("mlir")),
]
NUMBERS = np.random.default_rng(7)
PRINTED = {
    "v03_alpha_wider": "axpby.n %s, %0, 0x1p+0, %Y : f64, memref<f64x20>, f32, memref<f64x20>",
    "v03_atomic_general": "axpby.n.atomic %s, %x, 0x1p-1, %y : f32, memref<f32>, f32, memref<f32>",
    "v03_group_without_offset": "%x = load %G[%i] : group<memref<f32x10>, offset: 3>",
    "v03_hadamard_word": "  hadamard 0x1p+1, %x, %y, 0x0p+0, %z :",
    "v03_integer_literal": "gemm.n.n %s, %X, %Y, 0x0p+0, %Z : f32,",
    "v04_parameter_attribute": "func @first(%x: memref<f32x4x?> {alignment=64})",
}


def numbers(*shape: int) -> np.ndarray:
    """Small integers in f32, so that sums are exact in any order."""
    return np.asfortranarray(NUMBERS.integers(-3, 4, shape).astype(np.float32))


def text_of(case: str) -> str:
    return (CASES / f"{case}.tinytc").read_text(encoding="utf-8")


@pytest.mark.parametrize("case", sorted(PRINTED))
def test_a_case_comes_back_in_its_dialect(case: str) -> None:
    dialect = f"0.{case[2]}"
    frontend = find_frontend(dialect, "")
    module = pytl.parse(text_of(case))
    pytl.verify(module)
    shown = frontend.write(module)
    assert PRINTED[case] in shown
    assert frontend.write(pytl.parse(shown, language=dialect)) == shown


def test_there_is_a_test_for_each_case() -> None:
    assert {path.stem for path in CASES.iterdir()} == PRINTED.keys()


def test_hadamard_is_read_by_both_words_and_has_an_atomic_form() -> None:
    text = (
        "func @f(%z: memref<f32x12>) {{ {word} 2.0, %z, %z, 1, %z :"
        " f32, memref<f32x12>, memref<f32x12>, f32, memref<f32x12> }}"
    )
    frontend = find_frontend("0.3", "")
    for word in ("hadamard", "hadamard_product", "hadamard.atomic"):
        module = pytl.parse(text.format(word=word), language="0.3")
        pytl.verify(module)
        wanted = "hadamard.atomic" if word.endswith("atomic") else "hadamard"
        assert f"  {wanted} 0x1p+1, %z, %z, 0x1p+0, %z" in frontend.write(module)


@pytest.mark.at_most(3)
@pytest.mark.parametrize("backend", BACKENDS)
def test_an_integer_literal_is_a_float(backend: str) -> None:
    kernel = pytl.compile(text_of("v03_integer_literal"))["product"]
    x, y, z = numbers(6, 5), numbers(5, 7), numbers(6, 7)
    kernel[1](2.0, x, y, z, backend=backend)
    np.testing.assert_array_equal(z, 2 * (x @ y))


@pytest.mark.at_most(2)
@pytest.mark.parametrize("backend", BACKENDS)
def test_hadamard(backend: str) -> None:
    kernel = pytl.compile(text_of("v03_hadamard_word"))["both"]
    x, y, z = numbers(12), numbers(12), numbers(12)
    kernel[1](x, y, z, backend=backend)
    np.testing.assert_array_equal(z, 2 * x * y)


@pytest.mark.at_most(2)
@pytest.mark.parametrize("backend", BACKENDS)
def test_an_atomic_update_with_any_beta(backend: str) -> None:
    kernel = pytl.compile(text_of("v03_atomic_general"))["damp"]
    y = np.array(8, np.float32)
    # all work-groups do the same to one number: their order does not matter
    kernel[5](2.0, np.array(3, np.float32), y, backend=backend)
    assert y == 12 + (8 - 12) / 2**5


@pytest.mark.at_most(1)
@pytest.mark.parametrize("backend", BACKENDS)
def test_an_atomic_hadamard(backend: str) -> None:
    kernel = pytl.compile(text_of("v03_atomic_general"))["collect"]
    x, y, z = numbers(12), numbers(12), numbers(12)
    before = z.copy()
    kernel[7](x, y, z, backend=backend)
    np.testing.assert_array_equal(z, before + 7 * 2 * x * y)


def test_an_atomic_update_with_any_beta_is_of_0_3_alone() -> None:
    module = pytl.parse(text_of("v03_atomic_general"))
    assert "axpby.n.atomic.v03 " in str(module)
    assert str(pytl.parse(str(module))) == str(module)
    with pytest.raises(pytl.LanguageError, match=r"PYTL-1260.*axpby.*0\.4") as caught:
        find_frontend("0.4", "").write(module)
    assert len(caught.value.diagnostics) == 1  # the other one, with beta 1, is said
    for language, word in ((None, "axpby.n.atomic"), ("0.4", "axpby.atomic.n")):
        text = f"func @f(%s: f32, %x: memref<f32>) {{ {word} %s, %x, %s, %x }}"
        with pytest.raises(pytl.LanguageError, match="PYTL-0324"):
            pytl.verify(pytl.parse(text, language=language))


@pytest.mark.at_most(2)
@pytest.mark.parametrize("backend", BACKENDS)
def test_the_offset_of_a_group_holds_where_a_load_leaves_it_out(backend: str) -> None:
    kernel = pytl.compile(text_of("v03_group_without_offset"))["pick"]
    items = [numbers(13) for _ in range(3)]
    expected = [np.concatenate([each[:3], 2 * each[3:]]) for each in items]
    kernel[3](items, backend=backend)
    for each, wanted in zip(items, expected):
        np.testing.assert_array_equal(each, wanted)


@pytest.mark.at_most(2)
@pytest.mark.parametrize("backend", BACKENDS)
def test_an_alpha_that_is_wider_than_the_factor(backend: str) -> None:
    kernel = pytl.compile(text_of("v03_alpha_wider"))["widen"]
    x, y = numbers(58), NUMBERS.standard_normal(20)
    before = y.copy()
    kernel[1](1 / 3, as_strided(x, (20,), (12,)), y, backend=backend)
    np.testing.assert_allclose(y, x[::3].astype(np.float64) * (1 / 3) + before, rtol=1e-15, atol=1e-15)


@pytest.mark.at_most(1)
@pytest.mark.parametrize("backend", BACKENDS)
def test_an_alpha_that_is_wider_than_the_factors_of_a_product(backend: str) -> None:
    text = """func @f(%s: f64, %A: memref<f32x6x5>, %B: memref<f32x5x7>, %C: memref<f64x6x7>) {
      gemm.n.n %s, %A, %B, 0, %C : f64, memref<f32x6x5>, memref<f32x5x7>, f64, memref<f64x6x7>
    }"""
    kernel = pytl.compile(pytl.parse(text, language="0.3"))["f"]
    a, b, c = numbers(6, 5), numbers(5, 7), np.zeros((6, 7), order="F")
    kernel[1](1 / 3, a, b, c, backend=backend)
    np.testing.assert_allclose(c, (a.astype(np.float64) @ b) * (1 / 3), rtol=1e-15, atol=1e-14)


def test_an_alpha_that_is_wider_than_a_factor_of_unknown_size_is_told() -> None:
    text = """func @f(%s: f64, %X: memref<f32x?>, %Y: memref<f64x?>) {
      axpby.n %s, %X, 1, %Y : f64, memref<f32x?>, f32, memref<f64x?>
    }"""
    with pytest.raises(pytl.LanguageError, match="PYTL-0322"):
        pytl.verify(pytl.parse(text, language="0.3"))


def test_another_offset_of_a_group_is_refused() -> None:
    text = text_of("v03_group_without_offset").replace("group<memref<f32x10>>\n", "group<memref<f32x10>, offset: 4>\n")
    with pytest.raises(pytl.LanguageError, match="PYTL-1269"):
        pytl.parse(text)


def test_an_attribute_of_a_parameter_by_a_variable() -> None:
    (function,) = pytl.parse(text_of("v04_parameter_attribute")).functions
    assert function.parameters[0].attributes == {"alignment": 64}


def test_a_variable_that_is_no_attribute_is_told() -> None:
    text = text_of("v04_parameter_attribute").replace("{alignment=64}", "64")
    with pytest.raises(pytl.LanguageError) as caught:
        pytl.parse(text)
    (only,) = caught.value.diagnostics
    assert (only.location.line, only.location.column) == (4, 33)
    assert only.message.startswith("$aligned is ")
