"""Modules as text of the immediate language: what has a form in it, and what is refused by name."""

# ruff: noqa: E501 -- a refusal stands on a line
from __future__ import annotations

import numpy as np
import pytest
from yateto_kit import CANONICAL, MENDED, fortran, kernel_of, read

import pytl
from pytl.frontends.registry import find_frontend

YATETO = find_frontend("yateto", "")


def test_what_is_canonical_stays() -> None:
    text = CANONICAL.replace("0.1,", "0.10000000149011612,").replace("1e-07", "1.0000000116860974e-07")
    assert YATETO.write(read(CANONICAL)) == text
    assert YATETO.write(read(text)) == text
    assert str(read(text)) == str(read(CANONICAL))


def test_the_ir_of_the_text_is_the_ir_that_was_written() -> None:
    module = read(MENDED)
    assert str(read(YATETO.write(module))) == str(module)
    assert YATETO.write(module).startswith("define @fused_kernel(%A: group<memref<f32x16x8>,pointers>,\n")


def test_instructions_of_the_tensor_language_have_forms() -> None:
    text = """func @f(%a: memref<f64x4x3>, %b: memref<f64x5x3>, %c: memref<f64x4x5>, %u: memref<f64x4>, %v: memref<f64x3>,
      %s: memref<f64>, %g: group<memref<f64x4x3>x?>) {
  %one = constant 1.0 : f64
  %two = constant 2 : i8
  %id = builtin.group_id : index
  %item = load %g[%id] : memref<f64x4x3>
  gemm.n.t %two, %a, %b, %one, %c
  gemv.n %one, %item, %v, %one, %u
  gemv.t %one, %a, %u, %one, %v
  ger %one, %u, %v, %two, %item
  axpby.t %one, %b, %one, %e
  hadamard %one, %a, %item, %one, %a
  sum.n %one, %a, %one, %u
  sum.t %one, %a, %one, %v
  sum.n %one, %u, %one, %s
  axpby.n %one, %s, %one, %s
  axpby.n %one, %u, %one, %u
}""".replace("%s: memref<f64>,", "%s: memref<f64>, %e: memref<f64x3x5>,")
    module = pytl.parse(text)
    pytl.verify(module)
    written = YATETO.write(module)
    assert "%item = get_work_item %g : group<memref<f64x4x3>,pointers>" in written
    assert "log {ik, jk to ij}, 2.0, %a, %b, 1.0, %c : memref<f64x4x3>, memref<f64x5x3> to memref<f64x4x5>" in written
    results = []
    for kernel in (pytl.compile(text)["f"], kernel_of(written)):
        shapes = [(4, 3), (5, 3), (4, 5), (4,), (3,), (), (3, 5)]
        arrays = [fortran(*shape, seed=n) for n, shape in enumerate(shapes)]
        item = fortran(4, 3, seed=9)
        kernel[1](*arrays, [item], backend="reference")
        results.append([*arrays, item])
    for ours, theirs in zip(*results):
        np.testing.assert_array_equal(ours, theirs)


HEAD = "func @f(%a: memref<f32x4x4>, %x: f32, %n: index, %g: group<memref<f32x4>x?>, %d: memref<f32x4x?>, %i: i32) {\n"
REFUSED = [
    ("parallel { store %x, %a[%n, %n] }", "parallel has no form in the immediate language"),
    ("axpby.n %x, %a, %x, %a", "alpha is known at run time only"),
    ("%1 = constant 1.0 : f32  gemm.n.n.atomic %1, %a, %a, %1, %a", "gemm updates atomically"),
    ("%1 = constant 1.0 : f32  cumsum %1, %a, 0, %1, %a", "cumsum has no form in the immediate language"),
    ("%v = load %g[%n] : memref<f32x4>", "load has no form in the immediate language"),
    ("%v = subview %d[0:4, %n] : memref<f32x4>", "%d is used otherwise than as a group of which each work-group takes its item"),
    ("%v = subview %a[0:4, %n] : memref<f32x4>", "an index is computed"),
    ("%v = subview %a[0:4, %n:2] : memref<f32x4x2>", "a slice begins or ends at a number that is known at run time only"),
    ("for %k = %n, %n { }", "the range of a loop is known at run time only"),
    ("%v = fuse %a[0, 1] : memref<f32x16>", "fuse has no form in the immediate language"),
    ("barrier.local", "barrier has no form in the immediate language"),
    ("%1 = alloca{alignment=16} : memref<f32x4,local>", "alloca has the attributes alignment"),
    ("%1 = alloca : memref<bf16x4,local>", "bf16 is no type of the immediate language"),
    ("%1 = constant 1.0 : f32  %v = subview %a[0:4, 0] : memref<f32x4>  yateto.axpby {ii to i}, %1, %a, %1, %v", "yateto.axpby takes a diagonal: ii has an index twice"),
    ("%1 = constant 9007199254740993 : i64  %t = alloca : memref<i64,local>  axpby.n %1, %t, %1, %t", "alpha is 9007199254740993, which is no floating constant"),
]  # fmt: skip


@pytest.mark.parametrize(("body", "message"), REFUSED, ids=[message for _, message in REFUSED])
def test_what_has_no_form_is_refused_by_name(body: str, message: str) -> None:
    with pytest.raises(pytl.LanguageError) as raised:
        YATETO.write(pytl.parse(f"{HEAD}  {body}\n}}"))
    (found,) = [each for each in raised.value.diagnostics if each.location is None or each.location.line == 2]
    assert (found.code, found.message) == ("PYTL-1213", message)
    assert found.location is not None


@pytest.mark.parametrize(
    ("head", "message"),
    [
        ("%a: memref<f32x?>", "memref<f32x?> has sizes that are known at run time only"),
        ("%a: index", "index is no type of the immediate language"),
        ("%a: bool", "bool is no type of the immediate language"),
        ("%a: memref<c32x4>", "c32 is no type of the immediate language"),
        ("%a: group<memref<f32x4>x3>", "group<memref<f32x4>x3> is no type of the immediate language"),
        ("%a: memref<f32x4>{alignment=16}", "%a has the attributes alignment"),
    ],
)
def test_parameters_that_have_no_form(head: str, message: str) -> None:
    with pytest.raises(pytl.LanguageError) as raised:
        YATETO.write(pytl.parse(f"func @f({head}) {{ }}"))
    assert [each.message for each in raised.value.diagnostics] == [message]


def test_attributes_of_functions_have_no_form() -> None:
    with pytest.raises(pytl.LanguageError, match="@f has attributes"):
        YATETO.write(pytl.parse("func @f() attributes{subgroup_size=16} { }"))
