"""The dialect 0.3, in which YATeTo prints SeisSol's kernels: it runs, comes back, and mistakes are found."""

from __future__ import annotations

import numpy as np
import pytest

import pytl
from pytl.frontends.registry import find_frontend
from pytl.ir.verifier import find_problems

VOLUME = """func @fused_gemm(%Q: group<memref<f32x56x9, strided<1,56>>, offset: 0>,
                 %I: group<memref<f32x56x9, strided<1,56>>, offset: 504>,
                 %K: memref<f32x56x56, strided<1,56>>,
                 %A: group<memref<f32x9x9, strided<1,9>>, offset: 0>) {
  %0 = group_id
  %1 = load %Q[%0] : group<memref<f32x56x9, strided<1,56>>, offset: 0>
  %2 = load %I[%0] : group<memref<f32x56x9, strided<1,56>>, offset: 504>
  %3 = load %A[%0] : group<memref<f32x9x9, strided<1,9>>, offset: 0>
  %4 = alloca -> memref<f32x40x9, strided<1,40>>
  %5 = subview %2[0:35,0:9] : memref<f32x56x9, strided<1,56>>
  %6 = subview %3[0:9,0:9] : memref<f32x9x9, strided<1,9>>
  %7 = subview %4[0:35,:] : memref<f32x40x9, strided<1,40>>
  gemm.n.n 1.0, %5, %6, 0.0, %7 : f32, memref<f32x35x9, strided<1,56>>, memref<f32x9x9, strided<1,9>>, f32, memref<f32x35x9, strided<1,40>>
  %8 = subview %K[0:56,0:35] : memref<f32x56x56, strided<1,56>>
  %9 = subview %1[0:56,0:?] : memref<f32x56x9, strided<1,56>>
  %10 = constant 1.0 -> f32
  gemm.n.n %10, %8, %7, 1.0, %9 : f32, memref<f32x56x35, strided<1,56>>, memref<f32x35x9, strided<1,40>>, f32, memref<f32x56x9, strided<1,56>>
  for %k=0,9 : index {
    %11 = subview %9[0:56,%k] : memref<f32x56x9, strided<1,56>>
    %12 = subview %2[0:56,%k] : memref<f32x56x9, strided<1,56>>
    axpby.n 0.5, %12, 1.0, %11 : f32, memref<f32x56, strided<1>>, f32, memref<f32x56, strided<1>>
  }
}
"""  # noqa: E501


def test_a_kernel_of_seissol_runs() -> None:
    kernel = pytl.compile(f"; language: 0.3\n{VOLUME}")["fused_gemm"]
    numbers = np.random.default_rng(0)
    k = numbers.integers(-2, 3, (56, 56)).astype(np.float32)
    q, a = ([numbers.integers(-2, 3, shape).astype(np.float32) for _ in range(3)] for shape in ((9, 56), (9, 9)))
    # the offset of I is counted from each pointer: arrays are plain memory there
    i = [numbers.integers(-2, 3, 2 * 9 * 56).astype(np.float32) for _ in range(3)]
    shifted = [own[504:].reshape(9, 56).T for own in i]
    expected = [
        each.T + k[:, :35] @ (own[:35] @ turned.T) + np.float32(0.5) * own for each, own, turned in zip(q, shifted, a)
    ]
    kernel[3]([each.T for each in q], i, np.asfortranarray(k), [each.T for each in a], backend="reference")
    for each, wanted in zip(q, expected):
        np.testing.assert_array_equal(each.T, wanted)


def test_texts_come_back() -> None:
    frontend = find_frontend("0.3", "")
    module = pytl.parse(VOLUME, language="0.3")
    shown = frontend.write(module)
    assert frontend.write(pytl.parse(shown, language="0.3")) == shown
    assert "%4 = alloca -> memref<f32x40x9>\n" in shown
    assert "gemm.n.n 0x1p+0, %8, %7, 0x1p+0, %9 : f32, memref<f32x56x35>, memref<f32x35x9,strided<1,40>>, f32," in shown


HEAD = "func @f(%a: memref<f32x4>, %A: memref<f32x4x8>, %C: memref<f32x4x4>, %x: f32, %n: index) {"
TEXTS = {
    "%r = arith.add %x, 1.5 : f32": None,
    "%r = arith.shl %n, 2 : index": None,
    "%r = arith.neg 1.0 : f32": None,
    "%r = cast 3 : i32 -> f64": None,
    "%r = cmp.ge %n, 4 : index": None,
    "%r = cmp.ge 2, 4 : i64": None,
    "%r = size %A[1] : memref<f32x4x8>": None,
    "%r = fuse %A[0,1] : memref<f32x4x8>": None,
    "%r = expand %A[1->2x?] : memref<f32x4x8>": None,
    "%r = expand %A[1->%n x ?] : memref<f32x4x8>": None,
    "%r = subview %A[%n:?,3] : memref<f32x4x8>": None,
    "axpby.n.atomic 1.0, %a, 1.0, %a : f32, memref<f32x4>, f32, memref<f32x4>": None,
    "hadamard_product %x, %a, %a, 0.0, %a : f32, memref<f32x4>, memref<f32x4>, f32, memref<f32x4>": None,
    "barrier": None,
    "foreach %i=0,4 { store %x, %a[%i] : memref<f32x4> }": None,
    "%r = load %A[1,2] : memref<f32x4x9>": "PYTL-1269: tensor is memref<f32x4x8>, but memref<f32x4x9> is written here",
    "%r = load %x[] : f32": "PYTL-0300: load: tensor is f32, but must be memref-type / group-type",
    "%r = arith.add %x, %n : f32": "PYTL-0401: arith.add: the operands are f32 and index",
    "%r = cast %x : f64": "PYTL-1269: operand is f32, but f64 is written here",
    "%r = expand %A[1->?x?] : memref<f32x4x8>": "PYTL-0001: a mode is expanded to two modes or more, at most one of "
    "them `?`",
    "%r = math.exp %x : f32": "PYTL-0002: there is no instruction `math.exp`",
    "for %i=0,%x : i32 { }": "PYTL-0300: for: stop is f32, but must be integer-type",
}


def test_each_text_has_its_verdict() -> None:
    frontend = find_frontend("0.3", "")
    for body, wanted in TEXTS.items():
        parsed = frontend.read(f"{HEAD} store %x, %a[0] : memref<f32x4>\n{body}\n}}", "<text>")
        errors = [*parsed.diagnostics.errors, *find_problems(parsed.module).errors]
        assert [f"{e.code}: {e.message}" for e in errors[:1]] == ([] if wanted is None else [wanted]), body
        if wanted is None:
            shown = frontend.write(parsed.module)
            assert frontend.write(pytl.parse(shown, language="0.3")) == shown


MISTAKES = {
    "0.4": {
        "%v = subview %A[0:?,0:8] : memref<f32x?x8,strided<1,4>>": "PYTL-0001",
        "%v = subview %A[0:4,4:8] : memref<f32x4x8>": "PYTL-0453",
        "%c = constant 1.0 : f32 gemm.t %c, %A, %A, %c, %C": "PYTL-0332",
        "for %k=0,10 { }": "PYTL-0011",
    },
    "0.3": {
        "%v = subview %A[0:4,4:8] : memref<f32x4x8>": "PYTL-0453",
        "gemm.t.n 1.0, %A, %A, 1.0, %C : f32, memref<f32x4x8>, memref<f32x4x8>, f32, memref<f32x4x4>": "PYTL-0331",
    },
}


@pytest.mark.parametrize("dialect", MISTAKES)
def test_mistakes_of_generators_are_found(dialect: str) -> None:
    for body, code in MISTAKES[dialect].items():
        parsed = find_frontend(dialect, "").read(f"{HEAD}\n{body}\n}}", "<text>")
        found = [*parsed.diagnostics.errors, *find_problems(parsed.module).errors]
        assert code in [each.code for each in found], (body, found)
    local = "%t = alloca : memref<f32x4,local>" if dialect == "0.4" else "%t = alloca -> memref<f32x4>"
    parsed = find_frontend(dialect, "").read(f"{HEAD}\n{local}\n}}", "<text>")
    assert [d.code for d in find_problems(parsed.module).items] == ["PYTL-0205"]  # a warning


def test_an_array_of_other_strides_is_refused_at_the_launch() -> None:
    kernel = pytl.compile(VOLUME, language="0.3")["fused_gemm"]
    q = [np.zeros((9, 64), np.float32)[:, :56].T]
    with pytest.raises(pytl.PytlError, match="PYTL-2006"):
        a = [np.zeros((9, 9), np.float32)]
        kernel[1](q, [np.zeros(1008, np.float32)], np.zeros((56, 56), np.float32, "F"), a, backend="reference")
