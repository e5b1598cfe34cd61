"""Attributes of functions and parameters, and defaults: what is traced, and what is refused."""

import numpy as np
import pytest
from tracing_kit import findings, function, text

import pytl

STORES = "    A[0] = 1.0\n"
KERNEL = f"def f(A: Memref[f32, 8]):\n{STORES}"


@pytest.mark.parametrize(
    ("attributes", "printed"),
    [
        ({"subgroup_size": 16}, "{subgroup_size=16}"),
        ({"subgroup_size": np.int32(16)}, "{subgroup_size=16}"),
        ({"work_group_size": (16, 1)}, "{work_group_size=[16,1]}"),
        ({"work_group_size": 32}, "{work_group_size=[32,1]}"),
        ({"work_group_size": np.int64(32)}, "{work_group_size=[32,1]}"),
        ({"work_group_size": [np.int64(16), 2]}, "{work_group_size=[16,2]}"),
        ({"subgroup_size": 8, "work_group_size": (16, 4)}, "{subgroup_size=8, work_group_size=[16,4]}"),
    ],
)
def test_of_functions(attributes, printed):
    kernel = pytl.kernel(**attributes)(function(KERNEL))
    assert str(kernel).splitlines()[0] == f"func @f(%A: memref<f32x8>) attributes{printed} {{"


@pytest.mark.parametrize(
    ("attributes", "wrong"),
    [
        ({"subgroup_size": "16"}, 'subgroup_size of f is "16"'),
        ({"subgroup_size": True}, "subgroup_size of f is true"),
        ({"subgroup_size": 0}, "subgroup_size of f is 0"),
        ({"subgroup_size": 16.0}, "subgroup_size of f is 16.0"),
        ({"work_group_size": True}, "work_group_size of f is not two positive integers"),
        ({"work_group_size": -16}, "work_group_size of f is not two positive integers"),
        ({"work_group_size": (16,)}, "work_group_size of f is not two positive integers"),
        ({"work_group_size": (16, 1, 1)}, "work_group_size of f is not two positive integers"),
        ({"work_group_size": (16, -1)}, "work_group_size of f is not two positive integers"),
        ({"work_group_size": "ab"}, "work_group_size of f is not two positive integers"),
        (
            {"subgroup_size": 16, "work_group_size": (8, 1)},
            "work_group_size of f begins with 8, no multiple of 16",
        ),
    ],
)
def test_mistakes_of_functions(attributes, wrong):
    with pytest.raises(pytl.TraceError) as caught:
        str(pytl.kernel(**attributes)(function(KERNEL)))
    (found,) = caught.value.diagnostics
    assert (found.code, found.message, found.location.line) == ("PYTL-0106", wrong, 1)


@pytest.mark.parametrize(
    ("remarks", "printed"),
    [
        ("align(64)", "{alignment=64}"),
        ("shape_gcd(4), stride_gcd(1)", "{shape_gcd=[4], stride_gcd=[1]}"),
        ("align(16), shape_gcd(8)", "{alignment=16, shape_gcd=[8]}"),
        ("'a remark of somebody else'", ""),
    ],
)
def test_of_parameters(remarks, printed):
    kernel = f"from typing import Annotated\ndef f(A: Annotated[Memref[f32, 8], {remarks}]):\n{STORES}"
    assert text(kernel).splitlines()[0] == f"func @f(%A: memref<f32x8>{printed}) {{"


@pytest.mark.parametrize(
    ("annotation", "code", "wrong"),
    [
        ("Annotated[Memref[f32, 8], align('x')]", "0104", 'the alignment of A is "x", but an element has 4 bytes'),
        ("Annotated[Memref[f32, 8], align(0)]", "0104", "the alignment of A is 0, but an element has 4 bytes"),
        ("Annotated[Memref[f32, 8], align(6)]", "0104", "the alignment of A is 6, but an element has 4 bytes"),
        ("Annotated[Memref[f32, 8], align(8.0)]", "0104", "the alignment of A is 8.0, but an element has 4 bytes"),
        ("Annotated[Memref[f32, 8], shape_gcd('a')]", "0105", "shape_gcd of A is not a list of positive integers"),
        ("Annotated[Memref[f32, 8], shape_gcd(0)]", "0105", "shape_gcd of A is not a list of positive integers"),
        ("Annotated[Memref[f32, 8], shape_gcd(3)]", "0105", "shape_gcd of A says 3, which does not divide 8"),
        ("Annotated[Memref[f32, 8], stride_gcd(2)]", "0105", "stride_gcd of A says 2, which does not divide 1"),
        ("Annotated[Memref[f32, 8], shape_gcd(1, 1)]", "0105", "shape_gcd of A has 2 entries for 1 mode"),
        ("Memref[f32, 8, pattern([1, 0])]", "0110", "the pattern of A, which is memref<f32x8>, has 1 line of 2"),
        ("Annotated[f32, pattern([1])]", "0110", "A is f32, but has a pattern"),
        ("Annotated[f32, align(4)]", "0103", "A is f32, but has alignment"),
        ("Memref[f32, 8] = None", "1013", "A is memref<f32x8>, which has no default"),
        ("i32 = 1.5", "1013", "A is i32, and its default is the Python float 1.5"),
    ],
)
def test_mistakes_of_parameters(annotation, code, wrong):
    (found,) = findings(f"from typing import Annotated\ndef f(B: Memref[f32, 8], A: {annotation}):\n    B[0] = 1.0\n")
    assert (found.code, found.message) == (f"PYTL-{code}", wrong)
    assert (found.location.line, found.location.column) == (2, 26)


def test_a_default_says_what_to_write():
    (found,) = findings("def f(B: Memref[f32, 8], x: Memref[f32] = None):\n    B[0] = x[()]\n")
    assert found.help == "pass it in the launch, or fold it while tracing: x: constexpr = None"
