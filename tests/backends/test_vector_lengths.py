"""Vectors that SPIR-V has not are stored and loaded in parts: the rewritten text does what the text did."""

from __future__ import annotations

import ctypes
import re

import numpy as np
import pytest
from launch_kit import needs_sycl

import pytl

llvmlite = pytest.importorskip("llvmlite", reason="llvmlite executes LLVM's text: pip install 'pytl[sycl]'")

KERNEL = """func @f(%s: bool, %out: memref<f16x5x3x?>, %seen: memref<f16x3x5x?>, %flat: memref<f16x15x?>) {
  %g = builtin.group_id : index
  %c = subview %out[0:5, 0:3, %g] : memref<f16x5x3>
  %x = alloca : memref<f16x3x5,local>
  %two = constant 2.0 : f16
  %none = constant 0.0 : f16
  axpby.t %two, %c, %none, %x
  %y = fuse %x[0, 1] : memref<f16x15,local>
  %zero = constant 0 : index
  %m = constant 3 : index
  %n = constant 5 : index
  %k = constant 15 : index
  foreach (%i, %j) = (%zero, %zero), (%m, %n) {
    %a = load %x[%i, %j] : f16
    store %a, %seen[%i, %j, %g]
  }
  foreach (%i) = (%zero), (%k) {
    %a = load %y[%i] : f16
    store %a, %flat[%i, %g]
  }
}"""


def typed(text: str, element: str) -> str:
    """The text with pointers as the LLVM that is installed writes them."""
    from llvmlite import binding

    if binding.llvm_version_info[0] >= 15:
        return re.sub(r".*bitcast .*\n", "", re.sub(rf"(?:<\d+ x {element}>|{element})\*", "ptr", text))
    return text


def program(count: int, element: str) -> str:
    """A function that stores the first elements of 16, and loads them into 16 others."""
    first = ", ".join(f"i32 {k}" for k in range(count))
    widened = ", ".join(f"i32 {k}" if k < count else "i32 undef" for k in range(16))
    merged = ", ".join(f"i32 {k if k < count else 16 + k}" for k in range(16))
    pointer = "%part" if "ptr" not in typed(f"{element}*", element) else "%to"
    return typed(
        f"""define void @copy({element}* %from, {element}* %to, {element}* %into) {{
  %whole = bitcast {element}* %from to <16 x {element}>*
  %last = bitcast {element}* %into to <16 x {element}>*
  %part = bitcast {element}* %to to <{count} x {element}>*
  %x = load <16 x {element}>, <16 x {element}>* {"%whole" if pointer == "%part" else "%from"}, align 1
  %cut = shufflevector <16 x {element}> %x, <16 x {element}> undef, <{count} x i32> <{first}>
  store <{count} x {element}> %cut, <{count} x {element}>* {pointer}, align 1
  %again = load <{count} x {element}>, <{count} x {element}>* {pointer}, align 1
  %wide = shufflevector <{count} x {element}> %again, <{count} x {element}> undef, <16 x i32> <{widened}>
  %all = shufflevector <16 x {element}> %wide, <16 x {element}> %x, <16 x i32> <{merged}>
  store <16 x {element}> %all, <16 x {element}>* {"%last" if pointer == "%part" else "%into"}, align 1
  ret void
}}""",
        element,
    )


def executed(text: str, dtype: type) -> tuple[np.ndarray, np.ndarray]:
    """What `copy` writes of the numbers from 1 to 16."""
    from llvmlite import binding

    binding.initialize_native_target()
    binding.initialize_native_asmprinter()
    module = binding.parse_assembly(text)
    module.verify()
    engine = binding.create_mcjit_compiler(module, binding.Target.from_default_triple().create_target_machine())
    engine.finalize_object()
    arrays = [np.arange(1, 17).astype(dtype), np.zeros(16, dtype), np.zeros(16, dtype)]
    copy = ctypes.CFUNCTYPE(None, *[ctypes.c_void_p] * 3)(engine.get_function_address("copy"))
    copy(*(array.ctypes.data for array in arrays))
    return arrays[1], arrays[2]


@needs_sycl
@pytest.mark.parametrize(("element", "dtype"), [("i16", np.int16), ("float", np.float32), ("i64", np.int64)])
@pytest.mark.parametrize("count", [5, 6, 7, 9, 11, 12, 13, 15])
def test_what_is_stored_and_loaded_in_parts(count: int, element: str, dtype: type) -> None:
    from pytl.backends.numba_dpex.device.vector_lengths import in_parts

    text = program(count, element)
    made = in_parts(text)
    assert f"<{count} x {element}>" in text
    assert f"<{count} x {element}>" not in made
    (stored, loaded), (expected, whole) = executed(made, dtype), executed(text, dtype)
    assert stored.tolist() == expected.tolist() == [*range(1, count + 1), *[0] * (16 - count)]
    assert loaded.tolist() == whole.tolist() == [*range(1, 17)]


@needs_sycl
def test_other_uses_and_other_lengths_are_left_alone() -> None:
    from pytl.backends.numba_dpex.device.vector_lengths import in_parts

    added = program(12, "i16").replace("  store <12", "  %more = add <12 x i16> %cut, %cut\n  store <12", 1)
    for text in (added, program(8, "i16"), program(3, "float")):
        assert in_parts(text) == text


@needs_sycl
def test_a_copy_of_a_part_of_local_memory() -> None:
    """Found by a random program: 12 elements of 15 are stored at once."""
    kernel = pytl.compile(KERNEL)["f"]
    out = np.asfortranarray(np.arange(30).reshape(5, 3, 2), np.float16)
    seen, flat = np.zeros((3, 5, 2), np.float16, order="F"), np.zeros((15, 2), np.float16, order="F")
    kernel[2, {"strategy": "one-item"}](True, out, seen, flat, backend="sycl")
    assert np.array_equal(seen, 2 * out.transpose(1, 0, 2))
    assert np.array_equal(flat, seen.reshape(15, 2, order="F"))


ONE = """func @f(%a: memref<{t}x?x?>, %c: memref<{t}x1x1x?>) {{
  %g = builtin.group_id : index
  %n = size %a[0] : index
  %row = subview %a[0:%n, %g] : memref<{t}x?>
  %b = expand %row[0 -> %n x 1] : memref<{t}x?x1>
  %o = subview %c[0:1, 0:1, %g] : memref<{t}x1x1>
  %one = constant [1.0, 0.0] : {t}
  %none = constant [0.0, 0.0] : {t}
  gemm.t.n %one, %b, %b, %none, %o
}}"""


@pytest.mark.at_most(1)
@needs_sycl
@pytest.mark.parametrize(("element", "dtype"), [("c32", np.complex64), ("c64", np.complex128)])
def test_a_vector_of_one_complex_number(element: str, dtype: type) -> None:
    """Found by a random program: a product of one row and one column, over a depth that is open."""
    kernel = pytl.compile(ONE.format(t=element))["f"]
    numbers = np.random.default_rng(3)
    a = np.asfortranarray(numbers.integers(-8, 9, (5, 2)) + 1j * numbers.integers(-8, 9, (5, 2))).astype(dtype)
    c = np.zeros((1, 1, 2), dtype, order="F")
    kernel[2, {"strategy": "one-item", "specialize": "never"}](a, c, backend="sycl")
    assert np.array_equal(c[0, 0], (a * a).sum(axis=0))
