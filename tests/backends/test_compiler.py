"""What pytl does to numba-dpex's compiler changes how long it takes, and not what it makes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from differential.cases import NEEDS_SYCL
from forms.table import all_rows
from launch_kit import clean_python

import pytl
from pytl.process.settings import CACHE

pytestmark = NEEDS_SYCL

ROWS = {row.name: row for row in all_rows()}
VARIED = (
    "for with a carried value [coopmatrix<f32x4x3,matrix_acc>]",
    "gemm.n.n [f32]",
    "if of true with a value [c64]",
    "subview of a dynamic mode [f16]",
    "subgroup_add.exclusive_scan [bf16]",
    "load from a group with a dynamic offset [i8]",
)
OP_NAME, OP_DECORATE = 5, 71


def launch(name: str) -> None:
    row = ROWS[name]
    with CACHE.scope(False):
        pytl.compile(row.module_text)["f"][row.groups](*row.arguments().values(), backend="sycl")


def instructions(spirv: bytes) -> Iterator[tuple[int, ...]]:
    """The instructions of a module but those with names, in which numba counts the functions that it compiled."""
    from pytl.backends.numba_dpex import spirv_check

    for instruction in spirv_check._instructions(spirv):
        if instruction[0] & 0xFFFF not in (OP_NAME, OP_DECORATE):
            yield instruction


@pytest.mark.at_night
@pytest.mark.needs_numba_dpex
def test_the_passes_left_out_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    from numba_dpex.core.pipelines.kernel_compiler import KernelCompiler

    from pytl.backends.numba_dpex import toolchain
    from pytl.backends.numba_dpex.device import compiler

    calls: list[Any] = []
    ours: list[bytes] = []
    build = toolchain.build

    def recorded(*call: Any) -> Any:
        calls.append(call)
        built = build(*call)
        ours.append(built.spirv)
        return built

    monkeypatch.setattr(toolchain, "build", recorded)
    for name in VARIED:
        launch(name)
    assert len(calls) == len(VARIED)
    monkeypatch.setattr(compiler, "GeneratedKernelCompiler", KernelCompiler)
    theirs = [build(*call).spirv for call in calls]
    for name, a, b in zip(VARIED, ours, theirs, strict=True):
        assert list(instructions(a)) == list(instructions(b)), name


@pytest.mark.needs_numba_dpex
def test_numba_s_tables_do_not_grow() -> None:
    launch("cmp.lt of 2 and 3 [f32]")
    from numba_dpex.core.descriptor import dpex_kernel_target

    def entries() -> int:
        return sum(len(selector.versions) for selector in dpex_kernel_target.target_context._defns.values())

    before = entries()
    launch("cmp.lt of 2 and 3 [f32]")
    assert entries() == before


AFTERWARDS = """
import numpy as np, pytl
pytl.compile("func @f(%a: memref<f32>, %x: f32) { store %x, %a[] }")["f"][1](np.zeros((), np.float32), 1.0)
import dpnp, numba_dpex
from numba_dpex import kernel_api

@numba_dpex.kernel
def add_one(item: kernel_api.Item, x):
    i = item.get_id(0)
    x[i] = dpnp.exp(x[i]) + 1

x = dpnp.zeros(4, dtype=dpnp.float32)
numba_dpex.call_kernel(add_one, kernel_api.Range(4), x)
print(dpnp.asnumpy(x))
"""


@pytest.mark.at_night
@pytest.mark.needs_dpnp
def test_the_user_s_own_kernels_compile_after_pytl_s() -> None:
    done = clean_python(AFTERWARDS, "-W", "ignore", PYTL_CACHE="0", PYTL_BACKEND="sycl")
    assert done.stdout == "[2. 2. 2. 2.]\n", done.stderr


@pytest.mark.needs_numba_dpex
def test_minus_one_stays_minus_one_on_the_way_to_spirv() -> None:
    """llvm-spirv takes the bit of `sitofp i1` for 1: it is given a select of -1.0 in its place."""
    from llvmlite import binding

    from pytl.backends.numba_dpex.device.lowering import signed_truths_selected

    text = """
define double @f(i1 %a, <2 x i1> %b, i32 %c, <2 x float>* %p, half* %q) {
  %1 = sitofp i1 %a to half, !why !0
  store half %1, half* %q
  %2 = sitofp <2 x i1> %b to <2 x float>
  store <2 x float> %2, <2 x float>* %p
  %3 = sitofp i32 %c to double
  %4 = sitofp i1 %a to double
  %5 = fadd double %3, %4
  ret double %5
}
!0 = !{i32 1}
"""
    rewritten = str(binding.parse_assembly(signed_truths_selected(text)))
    assert "%1 = select i1 %a, half 0xHBC00, half 0xH0000, !why" in rewritten
    assert "select <2 x i1> %b, <2 x float> <float -1.000000e+00, float -1.000000e+00>, <2 x float> " in rewritten
    assert "%3 = sitofp i32 %c to double" in rewritten
    assert "%4 = select i1 %a, double -1.000000e+00, double 0.000000e+00" in rewritten


@pytest.mark.needs_numba_dpex
def test_truth_values_have_no_order_on_the_way_to_spirv() -> None:
    """llvm-spirv makes `s_abs` and the like of them, for which the driver finds no function."""
    from llvmlite import binding

    from pytl.backends.numba_dpex.device.lowering import truths_combined

    words = ("smax", "smin", "umax", "umin")
    calls = "".join(
        f"  %{word} = call i1 @llvm.{word}.i1(i1 %a, i1 %b) #0\n"
        f"  %v{word} = tail call <2 x i1> @llvm.{word}.v2i1(<2 x i1> %c, <2 x i1> <i1 true, i1 false>)\n"
        for word in words
    )
    declared = "".join(
        f"declare i1 @llvm.{word}.i1(i1, i1)\ndeclare <2 x i1> @llvm.{word}.v2i1(<2 x i1>, <2 x i1>)\n"
        for word in words
    )
    text = f"""
define i32 @f(i1 %a, i1 %b, <2 x i1> %c, i32 %d) {{
{calls}  %abs = call <2 x i1> @llvm.abs.v2i1(<2 x i1> %c, i1 false)
  %of_bits = call i32 @llvm.abs.i32(i32 %d, i1 false)
  ret i32 %of_bits
}}
{declared}declare <2 x i1> @llvm.abs.v2i1(<2 x i1>, i1)
declare i32 @llvm.abs.i32(i32, i1)
attributes #0 = {{ nounwind }}
"""
    rewritten = str(binding.parse_assembly(truths_combined(text)))
    for word, operation in zip(words, ("and", "or", "or", "and")):
        assert f"%{word} = {operation} i1 %a, %b" in rewritten
        assert f"%v{word} = {operation} <2 x i1> %c, <i1 true, i1 false>" in rewritten
    assert "%abs = and <2 x i1> %c, %c" in rewritten
    assert "%of_bits = call i32 @llvm.abs.i32(i32 %d, i1 false)" in rewritten
    assert rewritten.count("declare") == 1


@pytest.mark.needs_numba_dpex
def test_switches_are_over_whole_integers() -> None:
    """Intel's driver crashes on a module with a switch over an i63, which LLVM makes of a loop's variable."""
    from llvmlite import binding

    from pytl.backends.numba_dpex.device.lowering import whole_switches

    text = """
define i32 @f(i64 %a, i32 %trunc) {
  %"trunc.i" = trunc i64 %a to i61
  switch i61 %"trunc.i", label %other [
    i61 1, label %one
    i61 -2, label %one
  ]
one:
  switch i32 %trunc, label %other [
    i32 3, label %other
  ]
other:
  ret i32 0
}
define i32 @g(i64 %trunc.i) {
  ret i32 1
}
"""
    rewritten = str(binding.parse_assembly(whole_switches(text)))
    assert f"%trunc.i = and i64 %a, {2**61 - 1}" in rewritten
    assert "switch i64 %trunc.i, label %other [" in rewritten
    assert "i64 1, label %one" in rewritten and f"i64 {2**61 - 2}, label %one" in rewritten
    assert "switch i32 %trunc, label %other [" in rewritten and "i61" not in rewritten
