"""What the SYCL backend makes of a kernel after its Python source, as text."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest
from launch_kit import needs_sycl

import pytl
from pytl.backends.registry import find_backend
from pytl.tools.cli import main

TEXT = """func @product(%a: memref<f32x16x8>, %b: memref<f32x8x4>, %c: memref<f32x16x4>) {
  gemm.n.n 1.0, %a, %b, 0.0, %c
}"""

needs_objdump = pytest.mark.skipif(shutil.which("objdump") is None, reason="needs a disassembler: binutils")


@pytest.fixture(scope="module")
def kernel() -> pytl.Kernel:
    return pytl.compile(TEXT)["product"]


def test_the_source(kernel):
    assert kernel.emit("numba_dpex", stage="python") == kernel.emit("numba_dpex")


@needs_sycl
def test_llvm(kernel):
    shown = kernel.emit("numba_dpex", stage="llvm")
    assert "define" in shown and "spir_kernel" in shown
    assert "<16 x float>" in shown or "<8 x float>" in shown
    assert "llvm.fma" in shown


@needs_sycl
def test_spirv(kernel):
    shown = kernel.emit("numba_dpex", stage="spirv")
    assert "EntryPoint" in shown and '"product"' in shown


BARRIERS = """func @f(%a: memref<i32x16>, %n: index) attributes{"strategy"="many-items"} {
  parallel {
    barrier.local
    barrier.global
    barrier.global.local
    barrier
  }
  foreach (%i) = (%n), (%n) { store 1, %a[%i] }
}"""


@needs_sycl
def test_fences_of_barriers():
    """A processor orders more than it is asked to, so that no result tells one fence from the other."""
    (kernel,) = pytl.compile(BARRIERS).values()
    acquire_release, of_work_group, across = 0x8, 0x100, 0x200
    calls = re.findall(r"call .*ControlBarrier\w*\(i32 2, i32 2, i32 (\d+)\)", kernel.emit("numba_dpex", stage="llvm"))
    assert [int(semantics) for semantics in calls] == [
        acquire_release | of_work_group,
        acquire_release | across,
        acquire_release | across | of_work_group,
        0,
    ]


@needs_sycl
@needs_objdump
def test_assembly(kernel):
    shown = kernel.emit("numba_dpex", stage="asm")
    assert "<product>:" in shown
    assert "vfmadd" in shown
    # it is that of the kernel that launches use, for this processor
    assert kernel.emit("numba_dpex", stage="asm", machine="host") == shown


@needs_objdump
def test_assembly_through_opencl(kernel):
    missing = find_backend("opencl").unavailable()
    if missing is not None:
        with pytest.raises(pytl.PlatformError):
            kernel.emit("opencl", stage="asm")
        return
    shown = kernel.emit("opencl", stage="asm")
    assert "<product>:" in shown and "vfmadd" in shown


@needs_sycl
def test_the_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    file = tmp_path / "product.tl"
    file.write_text(TEXT)
    assert main(["emit", "numba_dpex", str(file), "--stage", "llvm"]) == 0
    assert "spir_kernel" in capsys.readouterr().out


def test_a_stage_that_does_not_exist(kernel):
    with pytest.raises(pytl.PlatformError, match=r"PYTL-3019(.|\n)*its stages are python, llvm, spirv, asm"):
        kernel.emit("numba_dpex", stage="ptx")


@needs_sycl
def test_a_missing_disassembler(kernel, monkeypatch):
    monkeypatch.setattr(shutil, "which", lambda name: None)
    with pytest.raises(pytl.PlatformError, match=r"PYTL-3092(.|\n)*apt-get install binutils"):
        kernel.emit("numba_dpex", stage="asm")


@needs_sycl
@needs_objdump
@pytest.mark.parametrize("failure", ["no start", "too slow", "exit code"])
def test_a_disassembler_that_fails(kernel, monkeypatch, failure):
    def run(command, **_):
        if failure == "no start":
            raise OSError("exec format error")
        if failure == "too slow":
            raise subprocess.TimeoutExpired(command, 60)
        return subprocess.CompletedProcess(command, 3, b"", b"objdump:\x1b[31m bad\n file")

    kernel.emit("numba_dpex", stage="asm")  # numba-dpex calls a process, too
    monkeypatch.setattr(subprocess, "run", run)
    with pytest.raises(pytl.PlatformError, match="PYTL-3092") as caught:
        kernel.emit("numba_dpex", stage="asm")
    assert "\x1b" not in str(caught.value)


@needs_sycl
@needs_objdump
def test_a_driver_that_gives_no_machine_code(kernel, monkeypatch):
    from pytl.backends.numba_dpex import machine_code

    monkeypatch.setattr(machine_code, "is_for", lambda queue: False)
    with pytest.raises(pytl.PlatformError, match=r"PYTL-3092(.|\n)*gives no machine code"):
        kernel.emit("numba_dpex", stage="asm")


def test_what_is_no_binary_of_the_driver():
    from pytl.backends.numba_dpex.stages import object_file

    whole = bytes(64)
    for content in (b"", b"\x7fELF", whole, bytes(range(256)) * 2, b"\xff" * 200):
        assert object_file(content) is None
