"""The design's sample, and what the parameters of kernels may be."""

from typing import Annotated

import ml_dtypes
import numpy as np
import pytest
from tracing_kit import dedented, findings, function, functions, text

import pytl
from pytl import (
    Group,
    Memref,
    align,
    alloca,
    bf16,
    bool_,
    c64,
    constexpr,
    f32,
    gemm,
    group_id,
    i8,
    index,
    offset,
    pattern,
    shape_gcd,
    stride_gcd,
    strides,
)
from pytl.diagnostics import PytlError, TraceError
from pytl.frontends.python import CONSTEXPR_PARAMETER, NO_DEFAULT, signature, trace, trace_function
from pytl.ir import types

ROWS = 16
MASK = pattern([[1, 0, 0], [1, 1, 0]])
PATTERN = '{"pattern"=["xx",".x",".."]}'


def fused(alpha: f32, A: Group[f32, 16, 8], B: Memref[f32, 8, 8], C: Memref[f32, 8, 16], D: Memref[f32, 16, 16, ...]):
    """D := alpha A Bᵀ C + D, one batch item per work-group."""
    g = group_id()
    tmp = alloca(f32, 16, 8)
    gemm(1.0, A[g], B.T, 0.0, tmp)
    gemm(alpha, tmp, C, 1.0, D[:, :, g])


def test_the_sample_is_the_manuals():
    assert text(fused) == dedented("""
        func @fused(%alpha: f32,
                    %A: group<memref<f32x16x8>x?>,
                    %B: memref<f32x8x8>,
                    %C: memref<f32x8x16>,
                    %D: memref<f32x16x16x?>) {
          %g = builtin.group_id : index
          %tmp = alloca : memref<f32x16x8,local>
          %0 = load %A[%g] : memref<f32x16x8>
          %1 = constant 0x1p+0 : f32
          %2 = constant 0x0p+0 : f32
          gemm.n.t %1, %0, %B, %2, %tmp
          %3 = subview %D[0:16, 0:16, %g] : memref<f32x16x16>
          %4 = constant 0x1p+0 : f32
          gemm.n.n %alpha, %tmp, %C, %4, %3
        }""")


def test_qualified_names_do_as_well():
    def kernel(A: Memref[f32, 4], B: Memref[f32, 4]):
        pytl.axpby(1.0, A, 0.0, B)

    assert "axpby.n %0, %A, %1, %B" in text(kernel)


@pytest.mark.parametrize(
    ("annotation", "expected"),
    [
        (i8, "i8"),
        (index, "index"),
        (bf16, "bf16"),
        (c64, "c64"),
        (bool_, "bool"),
        (Memref[f32], "memref<f32>"),
        (Memref[f32, 16, 8], "memref<f32x16x8>"),
        (Memref[f32, 16, ...], "memref<f32x16x?>"),
        (Memref[f32, ROWS, 2 * ROWS], "memref<f32x16x32>"),
        (Memref[f32, ROWS, ..., strides(1, 20)], "memref<f32x16x?,strided<1,20>>"),
        (Memref[f32, ..., strides(...)], "memref<f32x?,strided<?>>"),
        (Group[f32, 16, 8], "group<memref<f32x16x8>x?>"),
        (Group[f32, 16, strides(2)], "group<memref<f32x16,strided<2>>x?>"),
        (Group[f32, 16, offset(3)], "group<memref<f32x16>x?, offset: 3>"),
        (Group[Memref[f32, 16]], "group<memref<f32x16>x?>"),
        (Group[Memref[f32, 16], 12], "group<memref<f32x16>x12>"),
        (Group[Memref[f32, 16], ..., offset(...)], "group<memref<f32x16>x?, offset: ?>"),
        ("f64", "f64"),
        ("memref<f32x16x?>", "memref<f32x16x?>"),
        ("group<memref<f32x16>x?, offset: 2>", "group<memref<f32x16>x?, offset: 2>"),
        ("Memref[f32, ROWS]", "memref<f32x16>"),
        (types.f64, "f64"),
        (
            Annotated[Memref[f32, 16, ...], align(64), shape_gcd(4), stride_gcd(1, 16)],
            "memref<f32x16x?>{alignment=64, shape_gcd=[4], stride_gcd=[1,16]}",
        ),
        (
            Annotated[Group[f32, 16], "a remark of somebody else", align(16)],
            "group<memref<f32x16>x?>{alignment=16}",
        ),
        (Memref[f32, 2, 3, ..., MASK], f"memref<f32x2x3x?>{PATTERN}"),
        (Group[f32, 2, 3, MASK], f"group<memref<f32x2x3>x?>{PATTERN}"),
        (Group[Memref[f32, 2, 3, MASK], 4], f"group<memref<f32x2x3>x4>{PATTERN}"),
        (Annotated[Memref[f32, 2, 3], MASK], f"memref<f32x2x3>{PATTERN}"),
    ],
    ids=str,
)
def test_annotations(annotation, expected):
    def kernel(A: annotation): ...

    assert text(kernel) == f"func @kernel(%A: {expected}) {{\n}}"


def test_equal_annotations_are_the_same_object():
    assert Memref[f32, 16, 8] is Memref[f32, 16, 8]
    assert Memref[f32, 16, 8] is not Group[f32, 16, 8]


@pytest.mark.parametrize(
    ("make", "wrong"),
    [
        (lambda: Memref[16, 8], "16 is not an element type"),
        (lambda: Memref[f32, -1], "a size is at least 1, but -1 is given"),
        (lambda: Memref[f32, 1.5], "1.5 is not a size"),
        (lambda: Memref[f32, True], "True is not a size"),
        (lambda: Memref[f32, "?"], "'?' is not a size"),
        (lambda: Memref[f32, 4, strides(1, 2)], "2 strides are given, but 1 sizes"),
        (lambda: strides(0), "a stride is at least 1, but 0 is given"),
        (lambda: Group[Memref[f32, 4], 1, 2], "2 follows the number of memrefs"),
        (lambda: Group[Memref[f32, 4], 0], "a count is at least 1, but 0 is given"),
        (lambda: pattern(1), "1 is not the mask of a pattern"),
        (lambda: pattern([[1], [1, 0]]), "[[1], [1, 0]] is not the mask of a pattern"),
        (lambda: Memref[f32, 4, align(16)], "alignment stands in brackets"),
        (lambda: offset(-1), "an offset is at least 0, but -1 is given"),
    ],
)
def test_types_that_are_none(make, wrong):
    with pytest.raises(PytlError) as caught:
        make()
    (found,) = caught.value.diagnostics
    assert (found.code, found.message) == ("PYTL-1001", wrong)


FUTURE = "from __future__ import annotations\n"


def test_annotations_that_are_texts():
    kernel = function(
        FUTURE
        + """
N = 4
def kernel(n: constexpr[int], A: Memref[f32, N, ...], B: "memref<f32x4>", C: Annotated[f32, "a number"]): ...
""",
        Annotated=Annotated,
    )
    assert text(kernel, constexprs={"n": 1}) == dedented("""
        func @kernel(%A: memref<f32x4x?>,
                     %B: memref<f32x4>,
                     %C: f32) {
        }""")


def test_texts_that_name_the_enclosing_function():
    source = """
def make(n):
    def kernel(A: Memref[f32, n]):
        {}
    return kernel
"""
    assert "memref<f32x3>" in text(functions(source.format("pass"))["make"](3))
    assert "memref<f32x3>" in text(functions(FUTURE + source.format("A[0] = n"))["make"](3))
    uncaught = functions(FUTURE + source.format("pass"))["make"](3)
    (found,) = findings(uncaught)
    assert (found.code, found.message) == ("PYTL-1012", "the annotation of A: name 'n' is not defined")
    assert found.help is not None and "only if the body uses it" in found.help
    assert "memref<f32x3>" in str(trace(uncaught, names={"n": 3}))


def test_constexpr_in_the_signature():
    def kernel(n: constexpr, m: constexpr[int], x: f32, flag: constexpr[bool] = True): ...

    n, m, x, flag = signature(kernel)
    assert n.is_constexpr and n.value_type is None and n.default is NO_DEFAULT
    assert m.type is CONSTEXPR_PARAMETER and m.value_type is int
    assert not x.is_constexpr and x.type == types.f32 and x.attributes == {}
    assert flag.default is True


def test_constexpr_values():
    def kernel(A: Memref[f32, 8], n: constexpr[int], wide: constexpr[bool] = False):
        B = alloca(f32, 2 * n)
        if wide:
            A[n] = 1.0
        else:
            A[0] = B[n - 1]

    assert text(kernel, constexprs={"n": 2}) == dedented("""
        func @kernel(%A: memref<f32x8>) {
          %B = alloca : memref<f32x4,local>
          %0 = constant 1 : index
          %1 = load %B[%0] : f32
          %2 = constant 0 : index
          store %1, %A[%2]
        }""")
    assert "%0 = constant 3 : index" in text(kernel, constexprs={"n": 3, "wide": True})


def test_constexpr_mistakes():
    def kernel(n: constexpr[int], m: constexpr): ...

    assert [d.message for d in findings(kernel, constexprs={"n": "x", "k": 3})] == [
        "kernel has no constexpr parameter k",
        "n is 'x', but is annotated constexpr[int]",
        "m has no value",
    ]


def test_numpy_numbers_are_constants():
    import numpy as np

    size, factor = np.int32(4), np.float32(0.5)

    def kernel(A: Memref[f32, size]):
        B = alloca(f32, 2 * size)
        A[size - 1] = factor

    traced = text(kernel)
    assert "memref<f32x8,local>" in traced and "constant 0x1p-1 : f32" in traced


def test_function_attributes_and_names():
    def kernel(α: f32, _x: f32, _: Memref[f32, 4]):
        _[0] = α * _x

    assert text(kernel, name="_step", attributes={"subgroup_size": 16, "work_group_size": (16, 1)}) == dedented("""
        func @step(%alpha: f32,
                   %x: f32,
                   %0: memref<f32x4>) attributes{subgroup_size=16, work_group_size=[16,1]} {
          %1 = arith.mul %alpha, %x : f32
          %2 = constant 0 : index
          store %1, %0[%2]
        }""")


def test_all_wrong_parameters_are_named():
    kernel = """
        def kernel(A, B: 3, C: "memref<f32x>", D: int, **more): ...
        """
    found = findings(kernel)
    assert [(d.code, d.message) for d in found] == [
        ("PYTL-1012", "A has no annotation"),
        ("PYTL-1012", "the annotation of B: 3 is not a type of the language"),
        ("PYTL-1012", "the annotation of C: expected a size or `?`, but found `>`"),
        ("PYTL-1012", "the annotation of D: int is not a type of the language"),
        ("PYTL-1011", "a kernel has no **more"),
    ]
    with pytest.raises(TraceError) as caught:
        signature(function(kernel))
    assert len(caught.value.diagnostics) == 5


def test_warnings_are_kept_for_those_who_ask():
    def kernel(A: Memref[f32, 4]):
        x = A[0]

    traced = trace_function(kernel)
    assert [d.code for d in traced.diagnostics.items] == ["PYTL-0205"]
    assert not traced.diagnostics.errors


@pytest.mark.parametrize(
    ("annotation", "message", "help"),
    [
        (float, "float is not a type", "write f32 or f64, or constexpr for a Python value that is known while tracing"),
        (bool, "bool is not a type", "write bool_, or constexpr for a Python value that is known while tracing"),
        (np.float32, "float32 is not a type", "write f32"),
        (np.complex64, "complex64 is not a type", "write c32"),
        (np.int64, "int64 is not a type", "write i64"),
        (np.uint8, "uint8 is not a type", None),
        (np.bool_, "bool is not a type" if np.bool_.__name__ == "bool" else "bool_ is not a type", "write bool_"),
        (ml_dtypes.bfloat16, "bfloat16 is not a type", "write bf16"),
        (np.ndarray, "ndarray is not a type", "write Memref[f32, 16, 8]"),
        (Memref, "Memref is not a type", "give it an element type and sizes: Memref[f32, 16, 8]"),
        (Group, "Group is not a type", "give it an element type and sizes: Group[f32, 16, 8]"),
        ([1], "[1] is not a type", None),
    ],
)
def test_types_of_others(annotation, message, help):
    def kernel(A: annotation): ...

    with pytest.raises(TraceError) as caught:
        signature(kernel)
    (found,) = caught.value.diagnostics
    assert found.message == f"the annotation of A: {message} of the language"
    assert found.help == help


@pytest.mark.parametrize(
    ("word", "help"), [("float64", "write f64"), ("ndarray", "write Memref[f32, 16, 8]"), ("f33", None)]
)
def test_types_of_others_in_a_text(word, help):
    def kernel(A: word): ...

    with pytest.raises(TraceError) as caught:
        signature(kernel)
    (found,) = caught.value.diagnostics
    assert (found.message, found.help) == (f"the annotation of A: name '{word}' is not defined", help)


def test_a_method_is_no_kernel():
    class Solver:
        @pytl.kernel
        def step(self, A: Memref[f32, 4]): ...

    with pytest.raises(TraceError) as caught:
        str(Solver.step)
    assert caught.value.diagnostics[0].message == "self has no annotation"
    assert caught.value.diagnostics[0].help == (
        "a kernel is not a method: write @staticmethod above @pytl.kernel, and omit self"
    )


@pytest.mark.parametrize(
    ("given", "message", "help"),
    [
        (
            16,
            "16 is of type int",
            "the function's attributes are named: @pytl.kernel(subgroup_size=16, work_group_size=(16, 1))",
        ),
        (staticmethod(len), "len is of type staticmethod", "write @staticmethod above @pytl.kernel, not below it"),
        (print, "print is of type builtin_function_or_method", "write a function, with def"),
        (TraceError, "TraceError is of type type", "write a function, with def"),
    ],
)
def test_only_functions_are_decorated(given, message, help):
    with pytest.raises(TraceError) as caught:
        pytl.kernel(given)
    assert (caught.value.diagnostics[0].message, caught.value.diagnostics[0].help) == (message, help)


def test_a_kernel_is_decorated_once():
    with pytest.raises(TraceError) as caught:

        @pytl.kernel
        @pytl.kernel
        def twice(A: Memref[f32, 4]): ...

    assert caught.value.diagnostics[0].message == "twice is of type Kernel"
    assert caught.value.diagnostics[0].help == "it is decorated already: decorate the plain function, once"
