"""examples/xe_gemm.py: the blocks, prefetches and products that one expects, and what they compute."""

from __future__ import annotations

import importlib.util
import re
import subprocess
import sys
from collections import Counter
from functools import cache
from types import ModuleType

import pytest
from backends import xe_emulation
from backends.test_xegpu import tools, verified
from launch_kit import ROOT

from pytl.backends.xegpu.backend import XeGpuBackend

FILE = ROOT / "examples" / "xe_gemm.py"


@cache
def example() -> ModuleType:
    spec = importlib.util.spec_from_file_location("xe_gemm", FILE)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def loops(text: str) -> list[str]:
    """The bodies of the loops, the one that prefetches and the one that multiplies."""
    return re.findall(r"^    (?:\S+ = )?scf\.for .*?\{\n(.*?)^    \}", text, re.M | re.S)


def accesses(text: str, name: str) -> Counter[str]:
    """How often there is an operation with a descriptor of a shape."""
    lines = [line for line in text.splitlines() if f"xegpu.{name} " in line]
    found = [re.search(r"tensor_desc<(\w+)>", line) for line in lines]
    return Counter(each[1] + (" packed" if "packed" in line else "") for each, line in zip(found, lines) if each)


@pytest.mark.parametrize("offsets", ["access", "update"])
def test_blocks_prefetches_and_products_are_those_of_tiles(offsets: str) -> None:
    text = example().xe_gemm.emit("xegpu", chip="pvc", offsets=offsets)
    ahead, slices = loops(text)
    # a tile of A is 32 columns of 32 elements: two blocks of 32 rows of memory and 16 elements; one of B is 64 columns
    assert accesses(ahead, "prefetch_nd") == accesses(slices, "prefetch_nd") == {"32x16xbf16": 6}
    assert accesses(slices, "load_nd") == {"16x16xbf16 packed": 4, "16x16xbf16": 8}
    products = re.findall(r"xegpu\.dpas .* : (.*)", slices)
    pieces = 64 // 8 * 32 // 16 * 32 // 16
    assert products == ["vector<8xbf16>, vector<16xbf16>, vector<8xf32> -> vector<8xf32>"] * pieces
    assert accesses(text, "store_nd") == {"8x16xf32": 64 // 8 * 32 // 16}
    assert text.count("xegpu.load_nd") == 12
    assert text.count("xegpu.update_nd_offset") == (6 + 6 + 12 + 16 if offsets == "update" else 0)


@tools
@pytest.mark.parametrize("offsets", ["access", "update"])
def test_the_text_is_verified(offsets: str) -> None:
    verified(example().xe_gemm.emit("xegpu", chip="bmg", offsets=offsets))


@pytest.mark.at_night
@tools
def test_the_command_prints_text_that_is_verified() -> None:
    command = [sys.executable, "-m", "pytl", "emit", "xegpu", str(FILE), "--chip", "bmg"]
    printed = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    assert printed.count("xegpu.dpas") == 32
    verified(printed)


@tools
def test_the_products_are_right(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(XeGpuBackend, "launch", xe_emulation.launch)
    example().check("xegpu")


@pytest.mark.at_most(1)
@tools
@pytest.mark.parametrize("chip", ["pvc", "bmg"])
def test_the_text_is_lowered(chip: str) -> None:
    xevm = example().xe_gemm.emit("xegpu", chip=chip, stage="xevm")
    assert (xevm.count("xevm.mma"), xevm.count("xevm.blockload2d"), xevm.count("xevm.blockprefetch2d")) == (32, 12, 12)
    spirv = example().xe_gemm.emit("xegpu", chip=chip, stage="spirv")
    assert "intel_sub_group_2d_block_prefetch_16b_32r16x1c" in spirv


def test_the_example_prints_all_forms_and_checks_itself(capsys: pytest.CaptureFixture[str], monkeypatch) -> None:
    monkeypatch.setenv("PYTL_MLIR_TOOLS", "/nowhere")  # the stages have tests of their own
    example().main()
    printed = capsys.readouterr().out
    assert "xetile.tile_mma" in printed
    assert "xegpu.dpas" in printed
    assert printed.count("needs MLIR's tools") == 3
    assert printed.endswith("On the reference backend, C is A B exactly.\n")
