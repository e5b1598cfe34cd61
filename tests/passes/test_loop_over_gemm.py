"""loop-over-gemm: which products it makes of a contraction, that nothing is copied, and that the meaning is kept."""

from __future__ import annotations

import re

import numpy as np
import pytest
from contraction_kit import contraction
from passes_kit import after
from sampling import at_night

import pytl
from pytl.ir.text import parse_type
from pytl.ops.index_notation import IndexMap
from pytl.passes import LoopOverGemm
from pytl.passes.analysis.loop_over_gemm import choose


def lowered(map: str, *types: str, word: str = "log") -> str:
    """The text of an instruction on f32 tensors after the pass."""
    names = ["%A", "%B", "%C"] if len(types) == 3 else ["%A", "%B"]
    parameters = ", ".join(f"{name}: memref<{type_}>" for name, type_ in zip(names, types))
    operands = ", ".join(["%a", *names[:-1], "%b", names[-1]])
    return str(after(f"func @f({parameters}, %a: f32, %b: f32) {{ yateto.{word} {map}, {operands} }}", LoopOverGemm()))


def choice(text: str) -> str:
    (found,) = re.findall(r'"loop_over_gemm\.\d+"="\{[^}]*\}: ([^"]*)"', text)
    return found


@pytest.mark.parametrize(
    ("map", "types", "chosen"),
    [
        ("{ik, kj to ij}", ("f32x4x5", "f32x5x6", "f32x4x6"), "gemm over i, j, k"),
        ("{ki, jk to ij}", ("f32x5x4", "f32x6x5", "f32x4x6"), "gemm over i, j, k"),
        ("{ik, kj to ji}", ("f32x4x5", "f32x5x6", "f32x6x4"), "gemm over i, j, k"),
        ("{ik, k to i}", ("f32x4x5", "f32x5", "f32x4"), "gemv over i, k"),
        ("{k, kj to j}", ("f32x5", "f32x5x6", "f32x6"), "gemv over j, k"),
        ("{i, j to ij}", ("f32x5", "f32x6", "f32x5x6"), "ger over i, j"),
        (
            "{ikm, mjn to ijnk}",
            ("f32x8x3x4", "f32x4x5x6", "f32x8x5x6x3"),
            "gemm over i, (jn), m; loop over k: ik is no pair of neighbours in C",
        ),
        (
            "{i[k]m, mjn to ijn[k]}",
            ("f32x8x3x4", "f32x4x5x6", "f32x8x5x6x3"),
            "gemm over i, (jn), m; loop over k: the map has it in [ ]",
        ),
        ("{ikl, klj to ij}", ("f32x8x3x4", "f32x3x4x6", "f32x8x6"), "gemm over i, j, (kl)"),
        (
            "{ilk, klj to ij}",
            ("f32x8x3x4", "f32x4x3x6", "f32x8x6"),
            "gemm over i, j, k; loop over l: kl is no pair of neighbours in A",
        ),
        (
            "{ijg, jkg to ikg}",
            ("f32x8x7x9", "f32x7x6x9", "f32x8x6x9"),
            "gemm over i, k, j; loop over g: A, B and C have it",
        ),
        (
            "{ikl, klj to ij}",
            ("f32x8x?x?,strided<1,8,?>", "f32x?x?x6,strided<1,?,?>", "f32x8x6"),
            "gemm over i, j, k; loop over l: kl is not known to be contiguous in A",
        ),
    ],
)
def test_what_is_chosen(map: str, types: tuple[str, ...], chosen: str) -> None:
    text = lowered(map, *types)
    assert choice(text) == chosen
    assert "alloca" not in text


def test_the_instructions() -> None:
    """Views on the operands, and a product in the loop."""
    text = lowered("{ikm, mjn to ijnk}", "f32x8x3x4", "f32x4x5x6", "f32x8x5x6x3")
    assert text.split(" {\n", 1)[1] == (
        """\
  %0 = constant 3 : index
  %1 = constant 0 : index
  for %k = %1, %0 {
    %2 = subview %A[0:8, %k, 0:4] : memref<f32x8x4,strided<1,24>>
    %3 = fuse %B[1, 2] : memref<f32x4x30>
    %4 = subview %C[0:8, 0:5, 0:6, %k] : memref<f32x8x5x6>
    %5 = fuse %4[1, 2] : memref<f32x8x30>
    gemm.n.n %a, %2, %3, %b, %5
  }
}"""
    )


def test_what_packs_its_left_factor_is_expensive() -> None:
    """The product with few contiguous rows, and not its transpose, whose left factor would be transposed first."""
    map, c = IndexMap.parse("{ai, ijk to ajk}"), "f32x10x9x9"
    first, second = (
        choose(map, [parse_type(f"memref<{type_}>") for type_ in ("f32x10x9", "f32x9x9x9", c)]),
        choose(
            IndexMap.parse("{ai, ijk to jka}"),
            [parse_type(f"memref<{t}>") for t in ("f32x10x9", "f32x9x9x9", "f32x9x9x10")],
        ),
    )
    assert (first.m, first.n, first.k) == (second.m, second.n, second.k) == ("a", "jk", "i")
    assert first.cost < second.cost


def test_beta_is_for_the_first_summand() -> None:
    text = lowered("{ilk, klj to ij}", "f32x8x3x4", "f32x4x3x6", "f32x8x6")
    assert re.findall(r"gemm\.n\.n %a, %\w+, %\w+, %(\w+), ", text)[0] == "b"
    assert text.count(" gemm.") == 2 and re.search(r"for %l = %\w+, %\w+", text)


def test_transposes_are_those_of_matrices() -> None:
    text = lowered("{ijk to kji}", "f32x8x3x4", "f32x4x3x8", word="axpby")
    assert "axpby.t %a" in text and choice(text) == "axpby.t of k and i; loop over j"


def test_sums_of_narrow_types_are_rounded_once() -> None:
    text = str(
        after(
            "func @f(%A: memref<f16x8x3x4>, %B: memref<f16x4x3x6>, %C: memref<f16x8x6>, %a: f16, %b: f16) {"
            " yateto.log {ilk, klj to ij}, %a, %A, %B, %b, %C }",
            LoopOverGemm(),
        )
    )
    assert choice(text) == "foreach; sums of this type are rounded once, which several products would not do"


@pytest.mark.parametrize(
    ("map", "types", "copied"),
    [
        ("{gik, kjg to ijg}", ("f32x3x16x8", "f32x8x8x3", "f32x16x8x3"), "A"),
        ("{gki, kjg to ijg}", ("f32x3x8x16", "f32x8x8x3", "f32x16x8x3"), "A"),
        ("{kjg, gik to ijg}", ("f32x8x8x3", "f32x3x16x8", "f32x16x8x3"), "B"),
        ("{gik, kjg to ijg}", ("f32x3x16x8", "f32x8x2x3", "f32x16x2x3"), ""),  # two columns are not worth it
        ("{gik, kjg to ijg}", ("f32x3x?x8,strided<1,3,?>", "f32x8x8x3", "f32x?x8x3,strided<1,?,?>"), ""),
        ("{gik, kjg to ijg}", ("f32x3x128x128", "f32x128x8x3", "f32x128x8x3"), ""),  # 64 KiB are too much
    ],
)
def test_a_left_factor_without_a_contiguous_mode_is_copied(map: str, types: tuple[str, ...], copied: str) -> None:
    text = lowered(map, *types)
    assert (f"{copied} is copied: none of its modes" in choice(text)) == bool(copied)
    assert text.count("alloca") == bool(copied)
    kernel = pytl.compile(text)["f"]
    original = pytl.compile(
        f"func @f({', '.join(f'%{n}: memref<{t}>' for n, t in zip('ABC', types))}, %a: f32, %b: f32) "
        f"{{ yateto.log {map}, %a, %A, %B, %b, %C }}"
    )["f"]
    sizes = {
        n: 5 if e == "?" else int(e)
        for term, t in zip(re.findall(r"\w+", map.replace(" to ", " ")), types)
        for n, e in zip(term, t.partition(",")[0].split("x")[1:])
    }
    numbers = np.random.default_rng(0)
    terms = re.findall(r"\w+", map.replace(" to ", " "))
    a, b, c = (np.asfortranarray(numbers.random([sizes[n] for n in term], dtype=np.float32)) for term in terms)
    results = []
    for each in (kernel, original):
        result = c.copy(order="F")
        each[1](a, b, result, 2.0, 1.0, backend="reference")
        results.append(result)
    assert np.allclose(*results, rtol=1e-4)


def test_a_factor_that_is_overwritten_is_copied_first() -> None:
    module = after(
        "func @f(%A: memref<f32x4x4>, %a: f32) { yateto.log {ik, kj to ij}, %a, %A, %A, %a, %A }", LoopOverGemm()
    )
    assert str(module).count("alloca") == 1


@pytest.mark.parametrize("seed", [*range(60), *at_night(range(100, 1040))])
def test_random_contractions(seed: int) -> None:
    """What the reference backend makes of an instruction, and of what the pass makes of it, is what NumPy gives."""
    case = contraction(seed)
    kernel = pytl.compile(case.text)["f"]
    assert np.allclose(case.result(kernel, "reference"), case.expected)
    (changed,) = pytl.compile(after(case.text, LoopOverGemm())).values()
    assert np.allclose(case.result(changed, "reference"), case.expected)
