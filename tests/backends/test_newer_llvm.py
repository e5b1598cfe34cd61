"""The second maker of SPIR-V: what of a newer LLVM is taken out of the code for llvm-spirv, and what it compiles."""

from __future__ import annotations

import numpy as np
import pytest

import pytl
from pytl.backends.numba_dpex.older_llvm import stripped
from pytl.devices.compilers import NUMBA, installed_compiler

OWN = pytest.mark.skipif(installed_compiler() is not NUMBA, reason="numba-dpex compiles here; nox -s newer runs this")

MASKED = """\
declare <4 x float> @llvm.masked.load.v4f32.p1(ptr addrspace(1), <4 x i1>, <4 x float>) #0
define spir_kernel void @f(ptr addrspace(1) %p, <4 x i1> %m) {
entry:
  %x = call <4 x float> @llvm.masked.load.v4f32.p1(ptr addrspace(1) align 4 %p, <4 x i1> <i1 1, i1 0, i1 1, i1 0>, <4 x float> zeroinitializer)
  call void @llvm.masked.store.v4f32.p1(<4 x float> %x, ptr addrspace(1) %p, <4 x i1> %m)
  %y = or disjoint i64 1, 2
  %z = zext nneg i32 5 to i64
  ret void
}
"""  # noqa: E501


QUOTIENTS = """\
func @f(%x: memref<c32x4x3>, %y: memref<c32x4x3>, %r: memref<c32x4x3>) {
  parallel {
    %o = constant 0 : index
    %a = cooperative_matrix_load.n %x[%o, %o] : coopmatrix<c32x4x3,matrix_acc>
    %b = cooperative_matrix_load.n %y[%o, %o] : coopmatrix<c32x4x3,matrix_acc>
    %c = arith.div %a, %b : coopmatrix<c32x4x3,matrix_acc>
    cooperative_matrix_store %c, %r[%o, %o]
  }
}
"""


def test_the_alignment_of_masked_accesses_is_an_operand() -> None:
    """The driver's LLVM takes the mask for the alignment otherwise."""
    lines = stripped(MASKED).splitlines()
    assert lines[0].endswith("p1(ptr addrspace(1), i32 immarg, <4 x i1>, <4 x float>) #0")
    assert "p1(ptr addrspace(1) %p, i32 4, <4 x i1> <i1 1, i1 0, i1 1, i1 0>, <4 x float> zeroinitializer)" in lines[3]
    assert "(<4 x float> %x, ptr addrspace(1) %p, i32 1, <4 x i1> %m)" in lines[4]
    assert lines[5:7] == ["  %y = or i64 1, 2", "  %z = zext i32 5 to i64"]


def test_places_in_variables_are_instructions() -> None:
    """llvm-spirv takes such constants of a newer LLVM for undefined."""
    text = """\
define spir_kernel void @f() {
entry:
  store i8 1, ptr addrspace(3) getelementptr inbounds nuw (i8, ptr addrspace(3) @m, i64 8), align 1
  %a = and i64 ptrtoint (ptr addrspace(3) getelementptr inbounds (i8, ptr addrspace(3) @m, i64 8) to i64), -64
  ret void
}
"""
    assert stripped(text).splitlines()[1:6] == [
        "entry:",
        "  %place.0 = getelementptr inbounds i8, ptr addrspace(3) @m, i64 8",
        "  %place.1 = ptrtoint ptr addrspace(3) %place.0 to i64",
        "  store i8 1, ptr addrspace(3) %place.0, align 1",
        "  %a = and i64 %place.1, -64",
    ]


def test_absolute_values_call_no_function() -> None:
    """A loop that calls one crashes the driver of 2026, for some counts."""
    line = "  %0 = tail call double @llvm.fabs.f64(double %x)"
    assert stripped(line).splitlines() == [
        "  %absolute.0.bits = bitcast double %x to i64",
        "  %absolute.0.positive = and i64 %absolute.0.bits, 9223372036854775807",
        "  %0 = bitcast i64 %absolute.0.positive to double",
    ]
    assert stripped(line.replace("double", "float").replace("64", "32")).splitlines()[1].endswith(", 2147483647")
    vectors = "  %a = call <4 x float> @llvm.fabs.v4f32(<4 x float> %x)"
    assert stripped(vectors) == vectors


def test_each_absolute_value_has_names_of_its_own() -> None:
    line = "  %{} = call float @llvm.fabs.f32(float %x)"
    lines = stripped(f"{line.format(0)}\n{line.format(1)}").splitlines()
    assert len({text.split()[0] for text in lines}) == 6


@OWN
@pytest.mark.parametrize(("element", "dtype"), [("c32", np.complex64), ("c64", np.complex128)])
def test_quotients_of_complex_matrices(element: str, dtype: type) -> None:
    """Their loops ended the process: 12 is no multiple of a vector's length."""
    kernel = pytl.compile(QUOTIENTS.replace("c32", element))["f"]
    x, y = (np.full((4, 3), value, dtype, order="F") for value in (6 + 2j, 1 - 1j))
    r = np.zeros_like(x)
    kernel[1](x, y, r, backend="sycl")
    np.testing.assert_allclose(r, 2 + 4j, rtol=1e-6)


@OWN
def test_functions_of_one_type_do_not_stand_for_each_other() -> None:
    """numba finds a compiled function by what is executed of it: `max` was `min` once `min` had been compiled."""
    from pytl.backends.numba_dpex.launch import Array, Scalar
    from pytl.backends.numba_dpex.toolchain import build_with_llvm

    kinds = (Array("i64"), Scalar("i64"), Scalar("i64"))
    for word in ("max", "min", "max"):
        source = f"def f(item, r, a, b):\n    p = global_i64(r)\n    p[0] = {word}(a, b)\n"
        assert f"@llvm.s{word}.i64(" in build_with_llvm(source, "f", kinds)[1]


@OWN
def test_dpex_says_that_it_needs_numba_dpex() -> None:
    with pytest.raises(pytl.PlatformError, match="PYTL-3281"):
        pytl.compile("func @f(%x: f32) {}")["f"].dpex(1, 2.5)
