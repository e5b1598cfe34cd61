"""SPIR-V for programs without Python: what its interface says, and a program in C that launches it."""

from __future__ import annotations

import hashlib
import json
import os
import re
import runpy
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from launch_kit import ROOT, needs_sycl

import pytl
from pytl.tools.cli import main

EXAMPLE = ROOT / "examples" / "native_launch"
pytestmark = needs_sycl


@pytest.mark.at_night
def test_a_program_in_c_launches_what_is_emitted(tmp_path: Path) -> None:
    """The example, as its comment says; its arguments are those that the interface lists, in that order."""
    kernel: pytl.Kernel = runpy.run_path(str(EXAMPLE / "make_kernel.py"))["multiply"]
    module = kernel.emit("spirv")
    beside = module.write(tmp_path / "multiply.spv")
    interface = json.loads(beside.read_text())
    assert interface == module.interface
    assert (tmp_path / "multiply.spv").read_bytes() == module[:] == bytes(module)
    assert interface["sha256"] == hashlib.sha256(module).hexdigest()
    assert (interface["entry"], interface["work_items"], interface["device"]) == ("multiply", 1, "cpu")
    assert interface["parameters"][2] == {
        "name": "B",
        "type": "memref<f32x8x4x?>",
        "written": False,
        "element": "f32",
        "shape": [8, 4, None],
        "strides": [1, 8, 32],
    }
    names = [each["name"] for each in interface["parameters"]]
    said = []
    for each in interface["arguments"]:
        of = "" if each["parameter"] is None else f" of {names[each['parameter']]}"
        mode = "" if each["mode"] is None else f" of mode {each['mode']}"
        said.append(f"{each['source']}{mode}{of}")
    source = (EXAMPLE / "main.c").read_text()
    assert said == re.findall(r"clSetKernelArg\(.*/\* (.*?) \*/", source)

    compiler = shutil.which("cc") or shutil.which("gcc")
    if compiler is None:
        pytest.skip("there is no C compiler, so that the program in C is not built here")
    libraries = Path(sys.prefix) / "lib"
    environment = {
        **os.environ,
        "LD_LIBRARY_PATH": str(libraries),
        "OCL_ICD_FILENAMES": os.environ.get("OCL_ICD_FILENAMES", str(libraries / "libintelocl.so")),
    }
    program = tmp_path / "multiply"
    command = [compiler, "-Wall", "-Wextra", "-Werror", str(EXAMPLE / "main.c"), "-o", str(program)]
    command += [f"-L{libraries}", "-l:libOpenCL.so.1", f"-Wl,-rpath-link,{libraries}"]
    subprocess.run(command, check=True, env=environment)
    done = subprocess.run([program, tmp_path / "multiply.spv"], capture_output=True, text=True, env=environment)
    assert (done.returncode, done.stdout) == (0, "5 products of 16x8 and 8x4 are right\n"), done.stderr


@pytest.mark.at_most(1)
@pytest.mark.parametrize("device", ["gpu", "integrated", "bmg", "pvc"])
def test_other_devices_have_other_arguments(device: str) -> None:
    kernel: pytl.Kernel = runpy.run_path(str(EXAMPLE / "make_kernel.py"))["multiply"]
    interface = kernel.emit("spirv", device=device).interface
    assert interface["device"] == device
    # several small work-groups share a sub-group where the model says so, and then are told how many there are
    is_packed = "vector.side_by_side" in kernel.ir("subgroup-blocks", device=device)
    of_packs = {"group_count", "share"} if is_packed else set()
    assert {each["source"] for each in interface["arguments"]} == {"value", "data", "size"} | of_packs
    rows, columns = interface["work_group_size"]
    assert interface["work_items"] == rows * columns
    with pytest.raises(pytl.PytlError, match="PYTL-3300"):
        kernel.emit("spirv", device="abacus")
    with pytest.raises(pytl.PytlError):
        kernel.emit("spirv", sparkle=True)


def test_the_command_writes_both_files(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = tmp_path / "k.tl"
    text.write_text("func @k(%x: memref<f32x4>) { %one = constant 1.0 : f32 axpby.n %one, %x, %one, %x }")
    out = tmp_path / "k.spv"
    assert main(["emit", "spirv", str(text), "-o", "strategy=many-items", "-o", str(out)]) == 0
    assert capsys.readouterr().out == f"wrote {out} and {tmp_path / 'k.json'}\n"
    assert out.read_bytes()[:4] == b"\x03\x02#\x07"
    assert json.loads((tmp_path / "k.json").read_text())["entry"] == "k"
    assert main(["emit", "spirv", str(text)]) == 1
    assert "SPIR-V is no text" in capsys.readouterr().err
    assert main(["emit", "spirv", str(text), "-o", str(tmp_path / "none" / "k.spv")]) == 1
    assert "PYTL-3301" in capsys.readouterr().err
    two = tmp_path / "two.tl"
    two.write_text(text.read_text() + text.read_text().replace("@k", "@l"))
    assert main(["emit", "spirv", str(two), "-o", str(out)]) == 1
    assert "there are several kernels: @k, @l" in capsys.readouterr().err
    assert main(["emit", "spirv", str(two), "--function", "l", "-o", str(out)]) == 0
    assert json.loads((tmp_path / "k.json").read_text())["entry"] == "l"
    assert main(["emit", "reference", str(two), "--function", "m"]) == 1
    assert "there is no function @m" in capsys.readouterr().err
    before = text.read_text()
    link = tmp_path / "link.json"
    link.symlink_to(text)
    for name in ("k.tl", "k.json", "link.spv"):
        assert main(["emit", "spirv", str(text), "-o", str(tmp_path / name)]) == 1
        assert "PYTL-1273" in capsys.readouterr().err
    assert text.read_text() == before


def test_the_interface_says_what_the_kernel_takes_for_granted() -> None:
    text = """func @k(%a: memref<f32x?x8>{alignment=64, shape_gcd=[4], "noalias"=true},
                      %G: group<memref<c32x4>x?, offset: ?>) {
      %one = constant 1.0 : f32
      axpby.n %one, %a, %one, %a
    }"""
    of_a, of_g = pytl.compile(text)["k"].emit("spirv").interface["parameters"]
    assert of_a["attributes"] == {"alignment": 64, "shape_gcd": [4], "noalias": True}
    assert (of_g["group"], of_g["count"], of_g["offset"], "attributes" in of_g) == (True, None, None, False)


@pytest.mark.at_most(1)
@pytest.mark.parametrize("name", ["main", "get_global_id", "barrier", "None", "item", "printf", "7", "x" * 500])
def test_entry_points_of_any_name_are_launched(name: str) -> None:
    """The interface has the name of the entry point, which is another one where the name is taken."""
    kernel = pytl.compile(f"func @{name}(%main: memref<f32>) {{ %x = constant 2.0 : f32 store %x, %main[] }}")[name]
    entry = kernel.emit("spirv").interface["entry"]
    assert re.fullmatch(r"[A-Za-z_][A-Za-z0-9_]*", entry) and entry.encode() + b"\0" in kernel.emit("spirv")
    array = np.zeros((), np.float32)
    kernel[1](array, backend="sycl")
    assert array == 2
