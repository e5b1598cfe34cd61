"""`pytl convert`, and the language of what commands read."""

from __future__ import annotations

from pathlib import Path

import pytest
from cli_kit import GOOD, Run

import pytl

pytestmark = pytest.mark.usefixtures("directory")


def test_convert_prints_a_text_as_it_is_read_back(run: Run) -> None:
    out = run("convert", "good.tl")
    assert str(pytl.parse(out)) == str(pytl.parse(GOOD)) == out.rstrip()
    assert run("convert", "--to", "tensor", "--language", "tensor", "good.tl") == out


def test_convert_takes_kernels_of_python(run: Run) -> None:
    assert run("convert", "kernels.py:good").startswith("func @good(%x: memref<f32x8>)")


def test_the_language_wins_over_the_ending(run: Run, directory: Path) -> None:
    (directory / "good.txt").write_text(GOOD)
    assert run("check", "--language", "tensor", "good.txt", "good.tl") == ""
    assert "there is no language `latin`" in "".join(run.fails("check", "--language", "latin", "good.tl"))
    assert "there is no language `latin`" in "".join(run.fails("convert", "--to", "latin", "good.tl"))


def test_convert_prints_todays_xegpu(run: Run, directory: Path) -> None:
    (directory / "copy.xetile").write_text(
        """func.func @copy(%A: memref<64x64xbf16>, %B: memref<64x64xbf16>) {
  %a = XeGPU.create_nd_tdesc %A, 16, 0 : memref<64x64xbf16>, index, index into tensor_desc<16x16xbf16>
  %b = XeGPU.create_nd_tdesc %B, 0, 16 : memref<64x64xbf16>, index, index into tensor_desc<16x16xbf16>
  %v = XeGPU.load_nd %a {mode = vc} : tensor_desc<16x16xbf16> into vector<16x16xbf16>
  XeGPU.store_nd %v, %b {mode = vc} : vector<16x16xbf16>, tensor_desc<16x16xbf16>
  return
}
"""
    )
    out = run("convert", "--to", "xegpu", "copy.xetile")
    assert "gpu.func @pytl_copy" in out and "xegpu.store_nd" in out
    assert "xetile.load_tile" in run("convert", "copy.xetile")


def test_convert_prints_linalg_on_tensors(run: Run, directory: Path) -> None:
    (directory / "product.tl").write_text(
        "func @f(%a: memref<f32x4x8>, %b: memref<f32x8x5>, %c: memref<f32x4x5>) {\n"
        "  %o = constant 1.0 : f32\n  gemm.n.n %o, %a, %b, %o, %c\n}"
    )
    out = run("convert", "--to", "linalg", "product.tl")
    assert "func.func @f(%a: tensor<8x4xf32>" in out and "linalg.generic" in out
    assert "is no linalg on tensors" in "".join(run.fails("convert", "--to", "linalg", "good.tl"))


def test_commands_take_mlir_of_2018(run: Run, directory: Path) -> None:
    text = """func @scale(%A: memref<?xf32>, %x: f32) {
  %n = dim %A, 0 : memref<?xf32>
  for %i = 0 to %n {
    %a = load %A[%i] : memref<?xf32>
    %b = mulf %a, %x : f32
    store %b, %A[%i] : memref<?xf32>
  }
  return
}
"""
    (directory / "scale.mlir2018").write_text(text)
    assert run("check", "scale.mlir2018") == ""
    assert run("convert", "--to", "mlir-2018", "scale.mlir2018") == text
    assert "affine.for %i = 0 to %n {" in run("convert", "--to", "mlir", "scale.mlir2018")
    assert "func @scale(" in run("convert", "scale.mlir2018")
    (directory / "wrong.mlir2018").write_text(text.replace("mulf", "addi"))
    assert "PYTL-1427" in "".join(run.fails("convert", "--to", "mlir", "wrong.mlir2018"))
