"""Arm machines of macOS, which this is not: what is known of them, and code for them, which is not run here."""

from __future__ import annotations

import ast
import re
import subprocess
from pathlib import Path

import pytest

import pytl
from pytl.backends.arm_sme import lowering, machine, qemu
from pytl.backends.mlir.toolchain import find_toolchain
from pytl.backends.registry import find_backend

SAID = {
    "FEAT_SME": "1",
    "SME_F64F64": "1",
    "FEAT_BF16": "1",
    "FEAT_FP16": "1",
    "SME_I16I64": "0",
    "sme_max_svl_b": "64",
}
PRODUCT = """func @f(%A: memref<{0}x37x41>, %B: memref<{0}x41x29>, %C: memref<{1}x37x29>) {{
  gemm.n.n {2}, %A, %B, {2}, %C
}}"""


@pytest.fixture
def on_mac(monkeypatch):
    """Makes this machine a Mac of which the system says something."""

    def pretend(said: dict[str, str]) -> None:
        monkeypatch.setattr("sys.platform", "darwin")
        monkeypatch.setattr("platform.machine", lambda: "arm64")
        monkeypatch.setattr(machine, "mac_variable", lambda name: said.get(name.rpartition(".")[2], ""))

    return pretend


def test_a_mac_with_the_matrix_extension(on_mac):
    on_mac(SAID)
    assert machine.is_arm() and machine.has_sme()
    assert machine.features() == {"sme", "sme-f64f64", "bf16", "fullfp16"}
    assert machine.streaming_bits() == 512
    assert machine.executor_for(None) == "process"
    backend = find_backend("arm_sme")
    assert backend._target(backend.complete_options({}, None)).bits == 512


def test_a_mac_without_it(on_mac):
    on_mac({"FEAT_FP16": "1"})
    assert machine.is_arm() and machine.features() == {"fullfp16"}
    assert machine.streaming_bits() == 0
    backend = find_backend("arm_sme")
    assert "arm-sme" not in backend._target(backend.complete_options({}, None)).pipeline


@pytest.mark.at_most(1)
@pytest.mark.tools_of("arm_sme")
@pytest.mark.parametrize(("factor", "sum_", "one"), [("f32", "f32", "1.0"), ("bf16", "f32", "1.0"), ("i8", "i32", "1")])
def test_code_is_a_mach_o_object(factor, sum_, one, tmp_path):
    llvm = pytl.compile(PRODUCT.format(factor, sum_, one))["f"].emit("arm_sme", stage="llvm", vector_length=512)
    features = ",".join(f"+{name}" for name in lowering.FEATURES if name != "sve")  # which Macs have in no other mode
    command = [
        find_toolchain().path("llc"),
        "-O2",
        "-mtriple=arm64-apple-macosx",
        f"-mattr={features}",
        "-filetype=obj",
        "-o",
        "-",
    ]
    made = subprocess.run(command, input=llvm.encode(), capture_output=True, check=True, timeout=60).stdout
    assert made[:4] == bytes.fromhex("cffaedfe")


@pytest.mark.tools_of("arm_sme")
@pytest.mark.parametrize("system", ["macosx", "linux-gnu"])
def test_support_routines_are_assembled(system):
    source = Path(qemu.__file__).with_name("runner.c")
    flags = ["-D__APPLE__"] if system == "macosx" else []
    command = [*find_backend("arm_sme")._compiler(), "-E", "-P", "-DPYTL_LIBRARY", *flags, source]
    text = subprocess.run(command, capture_output=True, text=True, check=True, timeout=60).stdout
    (strings,) = re.findall(r"__asm__\(\s*(\"\s+\.text.*?)\);", text, re.S)
    llc = Path(find_toolchain().path("llc"))
    assembler = llc.with_name(llc.name.replace("llc", "llvm-mc"))
    triple = "arm64-apple-macosx" if system == "macosx" else "aarch64-linux-gnu"
    command = [assembler, f"-triple={triple}", "-filetype=obj", "-o", "-"]
    code = ast.literal_eval(f"({strings})").encode()
    made = subprocess.run(command, input=code, capture_output=True, timeout=60, check=False)
    assert made.returncode == 0, made.stderr.decode()
    assert b"__arm_tpidr2_save" in made.stdout
