"""SPIR-V by llvm-spirv and by llvmlite's own LLVM."""

from __future__ import annotations

import struct

import numpy as np
import pytest

import pytl
from pytl.devices.compilers import LLVMLITE, NUMBA, installed_compiler
from pytl.process.settings import CACHE, TRANSLATOR

pytestmark = pytest.mark.skipif(
    installed_compiler() not in (NUMBA, LLVMLITE), reason="numba-dpex compiles here; nox -s newer runs this"
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
func @f(%a: memref<{type}x5>, %R: memref<{type}x5x?>) attributes{{subgroup_size=8, work_group_size=[8,3]}} {{
  %zero = constant 0 : index
  %two = constant 2 : index
  %five = constant 5 : index
  %g = group_id : index
  %none = constant {zero} : {type}
  %one = constant {one} : {type}
  %t = alloca : memref<{type}x5,local>
  foreach (%i) = (%zero), (%five) {{ store %none, %t[%i] }}
  foreach (%i, %j) = (%zero, %zero), (%five, %two) {{ store.atomic_add %one, %t[%i] }}
  parallel {{ store.atomic_add %one, %t[%two] }}
  axpby.n.atomic %one, %a, %one, %t
  %r = subview %R[:, %g] : memref<{type}x5>
  axpby.n %one, %t, %none, %r
}}
"""
"""Atomic additions to local memory: to an element with a known place, behind the first, and to any."""


@pytest.mark.parametrize("translator", ["llvm-spirv", "llvmlite"])
@pytest.mark.parametrize("type_", ["i8", "i16", "i32", "i64", "f32", "f64"])
def test_both_add_to_local_memory(type_: str, translator: str) -> None:
    numbers = {"zero": "0.0", "one": "1.0"} if type_[0] == "f" else {"zero": 0, "one": 1}
    kernel = pytl.compile(LOCAL.format(type=type_, **numbers))["f"]
    a = np.arange(5).astype({"i": "int", "f": "float"}[type_[0]] + type_[1:])
    R = np.zeros((5, 3), a.dtype, order="F")
    with CACHE.scope(False), TRANSLATOR.scope(translator):
        kernel[3, {"strategy": "many-items"}](a, R, backend="sycl")
    np.testing.assert_array_equal(R, np.stack([a + 2 + 24 * (np.arange(5) == 2)] * 3, axis=1))


@pytest.mark.parametrize(
    ("access", "pointer"),
    [
        ("%x = atomicrmw add ptr addrspace(3) {}, i32 1 monotonic, align 4", "%place.0"),
        ("%x = cmpxchg weak ptr {}, i32 %a, i32 %b acq_rel monotonic, align 4", '%"of the user"'),
        ("%x = load atomic i64, ptr addrspace(1) {} seq_cst, align 8", "%p-1"),
        ("store atomic float %v, ptr addrspace(1) {} monotonic, align 4", "%.1"),
    ],
)
def test_an_atomic_access_has_a_pointer_of_its_own(access: str, pointer: str) -> None:
    from pytl.backends.numba_dpex.device.translators import _with_own_pointers

    place, alone = _with_own_pointers(f"  {access.format(pointer)}\n").splitlines()
    assert alone == f"  {access.format('%atomic.0')}"
    kind = access[access.index("ptr") : access.index(" {}")]
    assert place == f"%atomic.0 = getelementptr i8, {kind} {pointer}, i64 0"


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
