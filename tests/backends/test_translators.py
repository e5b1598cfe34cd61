"""SPIR-V by llvm-spirv and by llvmlite's own LLVM."""

from __future__ import annotations

import struct

import numpy as np
import pytest

import pytl
from pytl.runtime.makers import LLVMLITE, NUMBA, found_maker
from pytl.settings import CACHE, TRANSLATOR

pytestmark = pytest.mark.skipif(
    found_maker() not in (NUMBA, LLVMLITE), reason="numba-dpex compiles here; nox -s newer runs this"
)
UPDATE = """
func @f(%A: memref<f32x40x?>, %B: memref<f64x40x?>, %s: f32) {
  %g = group_id : index
  %a = subview %A[:, %g] : memref<f32x40>
  %b = subview %B[:, %g] : memref<f64x40>
  %begin = constant 0 : index
  %end = constant 40 : index
  foreach (%i) = (%begin), (%end) {
    %x = load %a[%i] : f32
    %y = math.exp %x : f32
    %z = arith.mul %y, %s : f32
    %w = cast %z : f64
    store.atomic_add %w, %b[%i]
  }
}
"""
"""Masked accesses, one of OpenCL's functions, and an atomic addition of floating point numbers."""


@pytest.mark.parametrize("translator", ["llvm-spirv", "llvmlite"])
def test_both_make_the_same_of_a_kernel(translator: str) -> None:
    A = np.linspace(-1, 1, 200, dtype=np.float32).reshape(40, 5, order="F")
    B = np.asfortranarray(np.ones((40, 5)))
    with CACHE.scope(False), TRANSLATOR.scope(translator):
        pytl.compile(UPDATE)["f"][5](A, B, 0.5, backend="sycl")
    np.testing.assert_allclose(B, 1 + np.float32(0.5) * np.exp(A), rtol=1e-6)


@pytest.mark.parametrize("translator", ["llvm-spirv", "llvmlite"])
def test_what_fails_in_a_translator_says_why(translator: str, monkeypatch: pytest.MonkeyPatch) -> None:
    from pytl.backends.numba_dpex.device import own_compiler, translators

    def wrong(text: str) -> bytes:
        return translators.translated(text.replace("ret void", "ret voyd"))

    monkeypatch.setattr(own_compiler, "translated", wrong)
    with CACHE.scope(False), TRANSLATOR.scope(translator), pytest.raises(pytl.PlatformError, match="PYTL-3015") as told:
        pytl.compile(UPDATE.replace("@f", "@wrong"))["wrong"][1](
            np.ones((40, 1), np.float32), np.ones((40, 1)), 1, backend="sycl"
        )
    assert "LLVM IR parsing error" in str(told.value) and "Traceback" not in str(told.value)


def test_spirv_is_emitted_by_either() -> None:
    for translator in ("llvm-spirv", "llvmlite"):
        with CACHE.scope(False), TRANSLATOR.scope(translator):
            code = pytl.compile(UPDATE)["f"].emit("spirv")
        assert isinstance(code, bytes) and struct.unpack("<I", code[:4]) == (0x07230203,)


LOCAL = """
func @f(%x: f32, %R: memref<f32x1>) attributes{subgroup_size=8, work_group_size=[8,3]} {
  %zero = constant 0 : index
  %one = constant 1 : index
  %none = constant 0.0 : f32
  %t = alloca : memref<f32x1,local>
  foreach (%i) = (%zero), (%one) { store %none, %t[%i] }
  parallel { store.atomic_add %x, %t[%zero] }
  foreach (%i) = (%zero), (%one) { %y = load %t[%i] : f32 store %y, %R[%i] }
}
"""


def test_llvmlite_is_not_asked_for_atomic_accesses_to_local_memory() -> None:
    """Some of the sums that its SPIR-V gave were wrong."""
    R = np.zeros(1, np.float32)
    with CACHE.scope(False):
        pytl.compile(LOCAL)["f"][1, {"strategy": "many-items"}](2, R, backend="sycl")
        assert R == [48]
        with (
            TRANSLATOR.scope("llvmlite"),
            pytest.raises(pytl.PlatformError, match=r"PYTL-3015.*atomic.*dpcpp-llvm-spirv"),
        ):
            pytl.compile(LOCAL.replace("@f", "@g"))["g"][1, {"strategy": "many-items"}](2, R, backend="sycl")


def test_masks_are_asked_without_integers_of_their_bits() -> None:
    from llvmlite import binding

    from pytl.backends.numba_dpex.device.translators import _with_whole_masks

    text = """\
define void @f(<4 x i1> %m, ptr %p) {
  %b = bitcast <4 x i1> %m to i4
  %none = icmp eq i4 %b, 0
  store i1 %none, ptr %p
  %any = icmp ne i4 %b, 0
  store i1 %any, ptr %p
  %all = icmp eq i4 %b, -1
  store i1 %all, ptr %p
  %kept = bitcast <2 x i1> <i1 true, i1 false> to i2
  ret void
}
"""
    plain = _with_whole_masks(text)
    assert "i4" not in plain.replace("<4 x i1>", "") and "i2" in plain
    module = binding.parse_assembly(plain)
    module.verify()
    assert [
        plain.count(f"{line}\n")
        for line in (
            "%none = xor i1 %mask.none.to.3, true",
            "%any = xor i1 %mask.any.to.3, false",
            "%all = xor i1 %mask.all.to.3, false",
        )
    ] == [1, 1, 1]
    assert plain.count(" = or i1 ") == 6 and plain.count(" = and i1 ") == 3
