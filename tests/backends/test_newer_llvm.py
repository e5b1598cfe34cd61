"""The second maker of SPIR-V: what of a newer LLVM is taken out of the code for llvm-spirv, and what it compiles."""

from __future__ import annotations

import pytest

import pytl
from pytl.backends.numba_dpex.older_llvm import stripped
from pytl.runtime.makers import NUMBA, found_maker

OWN = pytest.mark.skipif(found_maker() is not NUMBA, reason="numba-dpex compiles here; nox -s newer runs this")

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


@OWN
def test_arrays_of_the_device_need_a_library_that_has_them() -> None:
    """dpctl 0.22 has memory of devices, and no arrays: these are dpnp's now."""
    import dpctl.memory

    class Foreign:
        def __init__(self) -> None:
            memory = dpctl.memory.MemoryUSMShared(16)
            place = {"data": (memory._pointer, False), "offset": 0, "syclobj": memory.sycl_queue}
            self.__sycl_usm_array_interface__ = {
                "shape": (4,),
                "strides": None,
                "typestr": "<f4",
                "version": 1,
                **place,
            }

    kernel = pytl.compile("func @f(%a: memref<f32x4>, %x: f32) { }")["f"]
    with pytest.raises(pytl.PytlError, match="dpctl has no arrays") as caught:
        kernel[1](Foreign(), 2.5)
    assert "pip install dpnp" in str(caught.value)
