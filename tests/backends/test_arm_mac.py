"""Arm machines of macOS, which this is not: what is known of them, and code for them, which is not run here."""

from __future__ import annotations

import ast
import re
import subprocess
from pathlib import Path

import pytest

import pytl
from pytl.backends.mlir.artefacts import STREAMING_SUPPORT
from pytl.backends.mlir.targets import target_of
from pytl.backends.mlir.toolchain import find_toolchain
from pytl.backends.registry import find_backend
from pytl.devices import processors
from pytl.passes.targets import host
from pytl.passes.targets.machine import MACHINES

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
        monkeypatch.setattr(processors, "_mac_variable", lambda name: said.get(name.rpartition(".")[2], ""))
        processor = processors.running_processor.__wrapped__()
        monkeypatch.setattr(host, "running_processor", lambda: processor)

    return pretend


def test_a_mac_with_the_matrix_extension(on_mac):
    on_mac(SAID)
    machine = host.streaming_machine()
    assert (machine.features, machine.without) == (("fp16", "bf16", "sme"), ("i16", "bf16"))
    assert machine.known_bits == 512
    for name, options in (("arm_sme", {}), ("mlir", {"streaming": True})):
        backend = find_backend(name)
        complete = backend.complete_options(options, None)
        target = backend._target(complete)
        assert backend.runs_here(complete) and target.processor == machine.name
        assert "-mattr=+sme,+bf16,+fullfp16,+sme-f64f64" in target.flags


def test_a_mac_without_it(on_mac):
    on_mac({"FEAT_FP16": "1"})
    assert host.running_processor().features == {"fp16"} and host.streaming_machine() is None
    backend = find_backend("arm_sme")
    assert "arm-sme" not in backend._target(backend.complete_options({}, None)).pipeline


@pytest.mark.at_most(1)
@pytest.mark.tools_of("arm_sme")
@pytest.mark.parametrize(("factor", "sum_", "one"), [("f32", "f32", "1.0"), ("bf16", "f32", "1.0"), ("i8", "i32", "1")])
def test_code_is_a_mach_o_object(factor, sum_, one, tmp_path):
    llvm = pytl.compile(PRODUCT.format(factor, sum_, one))["f"].emit("arm_sme", stage="llvm", vector_length=512)
    (features,) = (flag for flag in target_of(MACHINES["sme"], 2).flags if flag.startswith("-mattr="))
    command = [
        find_toolchain().path("llc"),
        "-O2",
        "-mtriple=arm64-apple-macosx",
        features.replace("+sve,", ""),  # which Macs have in no other mode
        "-filetype=obj",
        "-o",
        "-",
    ]
    made = subprocess.run(command, input=llvm.encode(), capture_output=True, check=True, timeout=60).stdout
    assert made[:4] == bytes.fromhex("cffaedfe")


@pytest.mark.tools_of("arm_sme")
@pytest.mark.parametrize("system", ["macosx", "linux-gnu"])
def test_support_routines_are_assembled(system):
    flags = ["-D__APPLE__"] if system == "macosx" else []
    command = [*find_backend("arm_sme")._compiler(), "-E", "-P", *flags, STREAMING_SUPPORT]
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
