"""Texts that the compilers of releases accept: they are read, come back in their dialect, and compute the numbers."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from backends.differential import NEEDS_OPENCL, NEEDS_SYCL

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


@pytest.mark.parametrize("backend", BACKENDS)
def test_an_integer_literal_is_a_float(backend: str) -> None:
    kernel = pytl.compile(text_of("v03_integer_literal"))["product"]
    x, y, z = numbers(6, 5), numbers(5, 7), numbers(6, 7)
    kernel[1](2.0, x, y, z, backend=backend)
    np.testing.assert_array_equal(z, 2 * (x @ y))


@pytest.mark.parametrize("backend", BACKENDS)
def test_hadamard(backend: str) -> None:
    kernel = pytl.compile(text_of("v03_hadamard_word"))["both"]
    x, y, z = numbers(12), numbers(12), numbers(12)
    kernel[1](x, y, z, backend=backend)
    np.testing.assert_array_equal(z, 2 * x * y)


@pytest.mark.parametrize("backend", BACKENDS)
def test_the_offset_of_a_group_holds_where_a_load_leaves_it_out(backend: str) -> None:
    kernel = pytl.compile(text_of("v03_group_without_offset"))["pick"]
    items = [numbers(13) for _ in range(3)]
    expected = [np.concatenate([each[:3], 2 * each[3:]]) for each in items]
    kernel[3](items, backend=backend)
    for each, wanted in zip(items, expected):
        np.testing.assert_array_equal(each, wanted)


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
