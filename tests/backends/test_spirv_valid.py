"""SPIR-V for devices of many work-items, and for processors, is valid in the words of its own validator."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest
from differential.cases import NEEDS_SYCL

import pytl
from pytl.backends.numba_dpex import toolchain
from pytl.backends.numba_dpex.emit import KernelSource
from pytl.backends.numba_dpex.spirv import capabilities
from pytl.backends.registry import find_backend
from pytl.ir.printer import print_function
from pytl.ir.values import Function
from pytl.launch.specialization import for_code
from pytl.passes.targets.spmd import DEVICES

pytestmark = [NEEDS_SYCL, pytest.mark.needs_spirv_val]

KERNELS = {
    "gemm": """func @f(%a: memref<{t}x32x20>, %b: memref<{t}x20x9>, %c: memref<{t}x32x9>, %s: {t}) {{
  gemm.n.n %s, %a, %b, %s, %c
}}""",
    "gemm of any size": """func @f(%a: memref<{t}x?x?>, %b: memref<{t}x?x?>, %c: memref<{t}x?x?>, %s: {t}) {{
  gemm.t.t %s, %a, %b, %s, %c
}}""",
    "chain": """func @f(%a: memref<{t}x20x9>, %b: memref<{t}x9x9>, %d: memref<{t}x20x9>, %s: {t}) {{
  %t = alloca : memref<{t}x20x9,local>
  %u = alloca : memref<{t}x9x9,local>
  gemm.n.n %s, %a, %b, %s, %t
  axpby.t %s, %b, %s, %u
  gemm.n.n %s, %t, %u, %s, %d
}}""",
    "vectors": """func @f(%a: memref<{t}x20x9>, %b: memref<{t}x9>, %c: memref<{t}x20>, %s: {t}) {{
  gemv.n %s, %a, %b, %s, %c
  ger %s, %c, %b, %s, %a
  sum.n %s, %a, %s, %c
}}""",
    "sums": """func @f(%a: memref<{t}x40x9>, %b: memref<{t}x40>, %c: memref<{t}x9>, %s: {t}) {{
  gemv.t %s, %a, %b, %s, %c
  sum.t %s, %a, %s, %c
  cumsum %s, %b, 0, %s, %b
}}""",
    "copy": """func @f(%a: memref<{t}x40x33>, %b: memref<{t}x40x64>, %c: memref<{t}x33x64>, %s: {t}) {{
  gemm.t.n %s, %a, %b, %s, %c
}}""",
    "small": """func @f(%a: memref<{t}x8x8x?>, %b: memref<{t}x8x8>, %c: memref<{t}x8x8x?>, %s: {t}) {{
  %g = builtin.group_id : index
  %x = subview %a[0:8, 0:8, %g] : memref<{t}x8x8>
  %y = subview %c[0:8, 0:8, %g] : memref<{t}x8x8>
  gemm.n.n %s, %x, %b, %s, %y
}}""",
    "factors that blocks share": """func @f(%a: memref<{t}x256x32>, %b: memref<{t}x32x32>, %c: memref<{t}x256x32>,
  %s: {t}) {{
  gemm.n.t %s, %a, %b, %s, %c
}}""",
    "all that is small": """func @f(%a: memref<{t}x8x8x?>, %b: memref<{t}x8x8>, %c: memref<{t}x8x8x?>, %s: {t}) {{
  %g = builtin.group_id : index
  %x = subview %a[0:8, 0:8, %g] : memref<{t}x8x8>
  %y = subview %c[0:8, 0:8, %g] : memref<{t}x8x8>
  %z = alloca : memref<{t}x8x8,local>
  %0 = arith.sub %s, %s : {t}
  gemm.n.n %s, %x, %b, %s, %y
  axpby.t %s, %y, %0, %z
  gemm.n.n %s, %z, %y, %s, %x
}}""",
    "points": """func @f(%a: memref<{t}x40x9>, %b: memref<{t}x9>, %s: {t}) {{
  %0 = constant 0 : index
  %9 = constant 9 : index
  %40 = constant 40 : index
  axpby.n %s, %a, %s, %a
  foreach (%j) = (%0), (%9) {{
    %r = for %i = %0, %40 init(%t=%s) -> ({t}) {{
      %e = load %a[%i, %j] : {t}
      %q = arith.mul %e, %e : {t}
      %u = arith.add %t, %q : {t}
      yield (%u)
    }}
    store %r, %b[%j]
  }}
}}""",
}


EXTENSIONS = frozenset({"SPV_EXT_shader_atomic_float_add", "SPV_EXT_shader_atomic_float_min_max"})
"""Of SPIR-V that code may ask for, which Intel's drivers have for GPUs and for processors."""
CAPABILITIES = {
    4: "Addresses",
    5: "Linkage",
    6: "Kernel",
    7: "Vector16",
    8: "Float16Buffer",
    9: "Float16",
    10: "Float64",
    11: "Int64",
    12: "Int64Atomics",
    18: "Groups",
    22: "Int16",
    38: "GenericPointer",
    39: "Int8",
    58: "SubgroupDispatch",
    61: "GroupNonUniform",
    65: "GroupNonUniformShuffle",
    5612: "AtomicFloat32MinMaxEXT",
    5613: "AtomicFloat64MinMaxEXT",
    6033: "AtomicFloat32AddEXT",
    6034: "AtomicFloat64AddEXT",
}
"""What code may need, by the numbers of SPIR-V."""


def source_for(kernel: pytl.Kernel, device: str | None) -> KernelSource:
    """Generated source for a preset, or for many work-items of a processor."""
    return source_and_text(kernel, device)[0]


def source_and_text(kernel: pytl.Kernel, device: str | None) -> tuple[KernelSource, str]:
    """The same, and the text of the lowered function, which has the code of work-items."""
    backend = find_backend("sycl")
    options = {"device": device} if device else {"strategy": "many-items"}
    complete = backend.complete_options(options, None, kernel.function)
    lowered = for_code(kernel.launches).lowered(backend, complete)
    function = lowered.function
    unnamed = Function(function.name, function.parameters, function.body, {}, function.location, function.results)
    return backend.source(lowered), print_function(unnamed)  # type: ignore[attr-defined]


def assert_valid(source: KernelSource, file: Path) -> None:
    """Compile generated source, and have its SPIR-V validated, which asks for no more than devices have."""
    spirv = toolchain.build(*source.to_build).spirv
    file.write_bytes(spirv)
    done = subprocess.run(["spirv-val", "--target-env", "spv1.4", file], capture_output=True, text=True, check=False)
    assert not done.returncode, done.stderr
    assert {name.decode() for name in re.findall(rb"SPV_\w+", spirv)} <= EXTENSIONS
    assert capabilities(spirv) <= CAPABILITIES.keys()


@pytest.mark.at_most(14)
@pytest.mark.parametrize("device", [None, *DEVICES])
@pytest.mark.parametrize("type_", ["f32", "f64", "f16", "bf16", "c32", "i32", "i8"])
@pytest.mark.parametrize("name", KERNELS)
def test_it_is_valid(name: str, type_: str, device: str | None, tmp_path: Path) -> None:
    (kernel,) = pytl.compile(KERNELS[name].format(t=type_)).values()
    assert_valid(source_for(kernel, device), tmp_path / "kernel.spv")
