"""MLIR's text of kernels: how it reads, names and numbers in it."""

from __future__ import annotations

import math
import re

import numpy as np
import pytest

import pytl
from pytl import Group, Memref, alloca, f32, gemm, group_id
from pytl.backends.mlir.emit import Emitter
from pytl.mlir.text import read_type
from pytl.mlir.text.builder import Builder
from pytl.mlir.text.numerals import literal_of
from pytl.mlir.text.printer import print_operation

pytestmark = pytest.mark.at_most(6)

BACKENDS = [pytest.param(name, marks=pytest.mark.tools_of(name)) for name in ("mlir", "arm_sme")]


@pytl.kernel
def fused(alpha: f32, A: Group[f32, 16, 8], B: Memref[f32, 8, 8], C: Memref[f32, 8, 16], D: Memref[f32, 16, 16, ...]):
    g = group_id()
    tmp = alloca(f32, 16, 8)
    gemm(1.0, A[g], B.T, 0.0, tmp)
    gemm(alpha, tmp, C, 1.0, D[:, :, g])


def test_vectors_of_32_bytes(golden) -> None:
    golden("mlir/fused.mlir", pytl.compile(str(fused))["fused"].emit("mlir", machine="avx2"))


@pytest.mark.parametrize(
    ("value", "type_", "text"),
    [
        (3, "index", "3"),
        (-1, "i8", "-1"),
        (True, "i1", "true"),
        (0.0, "f32", "0.0"),
        (-0.0, "f64", "-0.0"),
        (1e-5, "f64", "1.0e-05"),
        (1e300, "f64", "1.0e+300"),
        (2.5e-7, "f64", "2.5e-07"),
        (math.inf, "f32", "0x7F800000"),
        (-math.inf, "f64", "0xFFF0000000000000"),
        (math.inf, "f16", "0x7C00"),
        (math.inf, "bf16", "0x7F80"),
        (float(np.float32(0.1)), "f32", "0.10000000149011612"),
        (1, "f32", "1.0"),
    ],
)
def test_numbers_are_exact(value: float, type_: str, text: str) -> None:
    assert literal_of(value, read_type(type_)) == text


COMPARISONS = """func @f(%x: f64, %y: f64, %r: memref<i8x6>) {
  %no = constant 0 : i8
  %yes = constant 1 : i8
  BODY
}"""


def test_only_what_is_different_is_true_of_nan() -> None:
    words = ("eq", "ne", "gt", "ge", "lt", "le")
    body = "\n".join(
        f"%c{n} = cmp.{word} %x, %y : bool %v{n} = if %c{n} -> (i8) {{ yield (%yes) }} else {{ yield (%no) }} "
        f"%k{n} = constant {n} : index store %v{n}, %r[%k{n}]"
        for n, word in enumerate(words)
    )
    text = pytl.compile(COMPARISONS.replace("BODY", body))["f"].emit("mlir")
    assert re.findall(r"arith\.cmpf (\w+)", text) == ["oeq", "une", "ogt", "oge", "olt", "ole"]


def test_modes_are_counted_from_the_last_one() -> None:
    body = "\n".join(f"%n{mode} = size %a[{mode}] : index store %n{mode}, %r[%n{mode}]" for mode in range(3))
    text = pytl.compile(f"func @f(%a: memref<f32x?x?x?>, %r: memref<indexx?>) {{ {body} }}")["f"].emit("mlir")
    assert re.findall(r"%(\w+) = memref\.dim %a, %c(\d)", text) == [("n0", "2"), ("n1", "1"), ("n2", "0")]


def test_names_are_those_of_the_language_where_they_are_free() -> None:
    to = Builder()
    assert [to.fresh("x"), to.fresh("x"), to.fresh("α"), to.fresh("2x"), to.fresh("17")] == [
        *("%x", "%x_1", "%v", "%v_1"),
        "%17",
    ]


def test_long_types_have_names_by_their_layout() -> None:
    text = """func @f(%A: memref<f32x3x4>, %B: memref<f32x3x4,strided<1,8>>, %C: memref<c32x3x?>) {
        %z = constant 0 : index
        %a = load %A[%z, %z] : f32
        store %a, %B[%z, %z]
        %c = load %C[%z, %z] : c32
        store %c, %C[%z, %z]
    }"""
    lines = pytl.compile(text)["f"].emit("mlir").splitlines()
    assert [line for line in lines if line.startswith("!")] == [
        "!f32_4_3 = memref<4x3xf32, strided<[3, 1], offset: ?>>",
        "!f32_4_3_by_8_1 = memref<4x3xf32, strided<[8, 1], offset: ?>>",
        "!f32_n_3_2 = memref<?x3x2xf32, strided<[6, 2, 1], offset: ?>>",
    ]


def test_locations_are_those_of_the_users_source() -> None:
    text = "func @f(%A: memref<f32>) {\n    %x = load %A[] : f32\n    store %x, %A[]\n}"
    module = Emitter(pytl.parse(text).functions[0]).run()
    written = print_operation(module, locations=True)
    assert re.search(r'%x = memref.load %A\[\] : !f32 loc\("source-[0-9a-f]{8}":2:10\)', written)
    assert "loc(" not in print_operation(module)


def test_what_has_no_form_is_told_all_at_once() -> None:
    text = "func @f(%A: memref<f32x4x4>, %x: memref<f32x4>) {\n"
    text += "  gemm.n.n 1.0, %A, %A, 0.0, %A\n  gemv.n 1.0, %A, %x, 0.0, %x\n  gemm.n.n 1.0, %A, %A, 0.0, %A\n}"
    with pytest.raises(pytl.PytlError) as caught:
        Emitter(pytl.parse(text).functions[0]).run()
    assert [(d.rule.code, d.message) for d in caught.value.diagnostics] == [
        ("PYTL-3070", "gemm has no form in MLIR"),
        ("PYTL-3070", "gemv has no form in MLIR"),
    ]


@pytest.mark.at_most(1)
@pytest.mark.parametrize(
    "backend", [pytest.param(name, marks=pytest.mark.tools_of(name)) for name in ("mlir", "arm_sme")]
)
@pytest.mark.parametrize("name", ["0", "exp", "malloc", "main", "launch_f"])
def test_functions_may_be_called_like_those_of_the_c_library(name: str, backend: str) -> None:
    text = f"""func @{name}(%A: memref<f32x4>) {{
        foreach (%i) = (0), (4) {{
            %x = load %A[%i] : f32
            %y = math.exp %x : f32
            store %y, %A[%i]
        }}
    }}""".replace("(0), (4)", "(%zero), (%four)").replace(
        "        foreach", "        %zero = constant 0 : index\n        %four = constant 4 : index\n        foreach"
    )
    array = np.arange(4, dtype=np.float32)
    pytl.compile(text)[name][1](array, backend=backend)
    np.testing.assert_allclose(array, np.exp(np.arange(4, dtype=np.float32)), rtol=1e-6)


LARGEST = """func @f(%a: memref<f32x24{more}>, %o: memref<f32x?>) {{
  %first = builtin.group_id : index
  %step = builtin.group_size : index
  %zero = constant 0 : index
  %one = constant 1 : index
  %n = constant 24 : index
  %groups = constant 7 : index
  %none = constant 0.0 : f32
  for %group = %first, %groups, %step {{
    %largest = for %i = %zero, %n, %one init(%m=%none) -> (f32) {{
      %v = load %a[%i{place}] : f32
      %is_more = cmp.gt %m, %v : bool
      %more = if %is_more -> (f32) {{ yield (%m) }} else {{ yield (%v) }}
      %is_nan = cmp.ne %m, %m : bool
      %next = if %is_nan -> (f32) {{ yield (%m) }} else {{ yield (%more) }}
      yield (%next)
    }}
    store %largest, %o[%group]
  }}
}}"""


@pytest.mark.tools_of("mlir")
@pytest.mark.parametrize(
    "more, place, is_told", [("", "", True), ("x?", ", %group", False)], ids=["the same", "its own"]
)
def test_what_work_groups_have_in_common_is_no_vector(more: str, place: str, is_told: bool) -> None:
    """LLVM's vectorizer takes 5^24 steps to see that the largest element is the same for all work-groups."""
    kernel = pytl.compile(LARGEST.format(more=more, place=place))["f"]
    assert ("vectorize = <disable = true>" in kernel.emit("mlir")) == is_told
    a = np.random.default_rng(1).uniform(-1, 1, (24, 7) if more else 24).astype(np.float32, order="F")
    largest = np.zeros(7, np.float32)
    kernel[...](a, largest, backend="mlir")
    assert largest.tolist() == (a.max(0).tolist() if more else [a.max()] * 7)
