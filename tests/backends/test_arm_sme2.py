"""SME2: what its instructions on several vectors are used for, and that they give what the reference backend does."""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np
import pytest
from assembly_kit import loops
from sampling import at_night
from scalable_kit import assert_same, literal, values

import pytl

ELEMENTS = ("f32", "f64")


def kernel(instruction: str, **parameters: str) -> str:
    return (
        f"func @f({', '.join(f'%{name}: memref<{type_}>' for name, type_ in parameters.items())}) {{ {instruction} }}"
    )


def gemv(element: str, rows: int, columns: int, alpha: str = "1.0", beta: str = "0.0") -> str:
    types = {"A": f"{element}x{rows}x{columns}", "x": f"{element}x{columns}", "y": f"{element}x{rows}"}
    return kernel(f"gemv.n {alpha}, %A, %x, {beta}, %y", **types)


def vectors(element: str) -> dict[str, str]:
    """Kernels whose code adds to several vectors of ZA."""
    x, y, z = (f"{element}x150" for _ in range(3))
    return {
        "gemv": gemv(element, 150, 37),
        "gemv, added": gemv(element, 150, 37, "1.0", "1.0"),
        "gemv, scaled": gemv(element, 150, 37, "0.5", "2.0"),
        "gemv, transposed": kernel("gemv.t 1.0, %A, %x, 1.0, %y", A=f"{element}x37x150", x=f"{element}x37", y=y),
        "axpby": kernel("axpby.n 1.5, %x, 1.0, %y", x=x, y=y),
        "axpby, scaled": kernel("axpby.n 1.5, %x, 0.5, %y", x=x, y=y),
        "hadamard": kernel("hadamard 1.0, %x, %y, 1.0, %z", x=x, y=y, z=z),
        "sum": kernel("sum.n 1.0, %A, 1.0, %y", A=f"{element}x150x9", y=y),
    }


def arrays_of(text: str) -> list[np.ndarray]:
    rng = np.random.default_rng(1)
    found = re.findall(r"memref<(\w+?)x([\dx]+)>", text)
    return [values(rng, tuple(map(int, sizes.split("x"))), element) for element, sizes in found]


def products(element: str, sum_: str, sizes: Sequence[int], form: str) -> str:
    m, n, k = sizes
    a, b = (f"{x}x{y}" if word == "n" else f"{y}x{x}" for word, x, y in zip(form.split("."), (m, k), (k, n)))
    one, zero = literal(1, element), literal(0, sum_)
    types = {"A": f"{element}x{a}", "B": f"{element}x{b}", "C": f"{sum_}x{m}x{n}"}
    return kernel(f"gemm.{form} {one}, %A, %B, {zero}, %C", **types)


PRODUCTS = {
    f"{element} {form} {'x'.join(map(str, sizes))}": products(element, sum_, sizes, form)
    for element, sum_ in (("f32", "f32"), ("f64", "f64"), ("bf16", "f32"), ("i8", "i32"), ("i16", "i32"))
    for form in ("n.n", "n.t", "t.n")
    for sizes in ((64, 64, 64), (37, 29, 41), (16, 16, 16))
}
ADDED = {
    f"{name}, added": text.replace(" 0.0, %C", " 1.0, %C").replace(" 0, %C", " 1, %C")
    for name, text in PRODUCTS.items()
}
"""The same products, which are added to the target."""
OWN = """func @f(%A: memref<f32x16x16x?>, %B: memref<f32x16x16x?>, %C: memref<f32x16x16x?>) {
  %g = builtin.group_id : index
  %a = subview %A[0:16, 0:16, %g] : memref<f32x16x16>
  %b = subview %B[0:16, 0:16, %g] : memref<f32x16x16>
  %c = subview %C[0:16, 0:16, %g] : memref<f32x16x16>
  gemm.n.n 1.0, %a, %b, 1.0, %c
}"""
"""Products of work-groups in step."""


@pytest.mark.parametrize("element", ELEMENTS)
@pytest.mark.parametrize("name", vectors("f32"))
@pytest.mark.parametrize("bits", [0, 512])
def test_the_oracle_executes_vectors_of_za(name: str, element: str, bits: int) -> None:
    text = vectors(element)[name]
    after = assert_same(text, arrays_of(text), 4, bits, "sme2")
    assert re.search(r"vector\.tile_(fma|fma_lane|add) ", str(after))


COMPLEX = {
    f"{element} {name}": text
    for element in ("c32", "c64")
    for name, text in (
        ("axpby", kernel("axpby.n [1.0,1.0], %x, [1.0,0.0], %y", x=f"{element}x70", y=f"{element}x70")),
        ("gemv", gemv(element, 70, 9, "[1.0,0.0]", "[0.0,0.0]")),
        ("gemm", products(element, element, (37, 29, 41), "n.n").replace("[0.0,1.0], %C", "[0.0,0.0], %C")),
    )
}
KERNELS = {
    **COMPLEX,
    **PRODUCTS,
    **ADDED,
    **{f"{each} {name}": text for each in ELEMENTS for name, text in vectors(each).items()},
}


@pytest.mark.at_most(5)
@pytest.mark.tools_of("arm_sme")
@pytest.mark.needs_sme2
@pytest.mark.parametrize("length", (512, 128, 256, 1024, 2048, None))
@pytest.mark.parametrize("text", KERNELS.values(), ids=KERNELS)
def test_sme2_computes_what_the_reference_does(text: str, length: int | None) -> None:
    function, arrays = pytl.compile(text)["f"], arrays_of(text)
    expected, actual = ([array.copy(order="F") for array in arrays] for _ in range(2))
    function[1](*expected, backend="reference")
    function[1, {"machine": "sme2", "vector_length": length}](*actual, backend="arm_sme")
    for one, other in zip(actual, expected):  # of small whole numbers, whose sums are exact
        np.testing.assert_array_equal(one, other)


@pytest.mark.at_most(6)
@pytest.mark.parametrize("bits", [128, 512, 0])
@pytest.mark.parametrize("text", {**PRODUCTS, **ADDED}.values(), ids={**PRODUCTS, **ADDED})
def test_the_oracle_executes_slices_of_tiles(text: str, bits: int) -> None:
    assert_same(text, arrays_of(text), bits // 128 or 4, bits, "sme2")


@pytest.mark.tools_of("arm_sme")
@pytest.mark.needs_sme2
def test_products_in_step_have_tiles_of_their_own() -> None:
    function, rng = pytl.compile(OWN)["f"], np.random.default_rng(2)
    a, b, c = (values(rng, (16, 16, 7), "f32") for _ in range(3))
    expected = c + np.einsum("ikg,kjg->ijg", a, b)
    function[7, {"machine": "sme2", "vector_length": 512}](a, b, c, backend="arm_sme")
    np.testing.assert_array_equal(c, expected)


def assembly_of(text: str) -> str:
    return pytl.compile(text)["f"].emit("arm_sme", stage="asm", vector_length=512, machine="sme2")


@pytest.mark.tools_of("arm_sme")
def test_slices_that_lie_together_are_moved_together() -> None:
    """Four by two instructions: what is turned is loaded and stored so, and the target is."""
    assembly = assembly_of(OWN)
    for move in (r"mov\tza\dh\.s\[w\d+, \d+:\d+\], \{ z", r"mov\t\{ z.*\}, za\dv\.s\[", r"mov\t\{ z.*\}, za\dh\.s\["):
        assert re.search(move, assembly)
    assert not re.search(r"(ld1w|st1w)\s+\{za", assembly)


@pytest.mark.tools_of("arm_sme")
@pytest.mark.parametrize(("element", "letter"), [("f32", "w"), *at_night([("f64", "d")])])
def test_rows_of_four_tiles_are_moved_together(element: str, letter: str) -> None:
    assembly = assembly_of(products(element, element, (64, 64, 64), "n.t").replace(" 0.0, %C", " 1.0, %C"))
    moved = [loop for word in (f"ld1{letter}", f"st1{letter}") for loop in loops(assembly, word)]
    into = [loop for loop in moved if any("za0h.b[" in line.partition(",")[0] for line in loop)]
    out = [loop for loop in moved if any("}, za0h.b[" in line for line in loop)]
    assert into and out and not re.search(rf"(ld1{letter}|st1{letter})\s+\{{za", assembly)


@pytest.mark.tools_of("arm_sme")
def test_a_product_by_a_column_adds_to_four_vectors_of_za() -> None:
    """Four steps take 14 instructions, where vectors of registers take 38."""
    assembly = assembly_of(gemv("f32", 64, 64))
    (loop,) = loops(assembly, "ld1rqw")
    assert sum(line.startswith("fmla\tza.s[") for line in loop) == 4
    assert len(loop) <= 14
