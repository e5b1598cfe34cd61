"""A kernel of gpu or a function of the host that can't be read does not take the others of its text with it."""

from __future__ import annotations

import numpy as np
import pytest
from frontends.mlir.gpu.programs import PROGRAMS

import pytl
from pytl.tools.cli import main

TEXT = """gpu.module @kernels {
  gpu.func @good(%a: memref<16xf32>) kernel {
    %i = gpu.thread_id x
    %x = memref.load %a[%i] : memref<16xf32>
    %y = arith.addf %x, %x : f32
    memref.store %y, %a[%i] : memref<16xf32>
    gpu.return
  }
  gpu.func @bad(%a: memref<16xf32>) kernel {
    %x = nvgpu.nothing %a : memref<16xf32>
    gpu.return
  }
}
func.func @plain(%a: memref<16xf32>) {
  %x = arith.constant 1.0 : f32
  linalg.fill ins(%x : f32) outs(%a : memref<16xf32>)
  return
}
func.func @launches(%a: memref<16xf32>) {
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  gpu.launch_func @kernels::@good blocks in (%c1, %c1, %c1) threads in (%c16, %c1, %c1) args(%a : memref<16xf32>)
  return
}
func.func @wrong() {
  vector.print str "x"
  %y = tosa.nothing : f32
  return
}
"""


def test_others_are_read() -> None:
    with pytest.warns(UserWarning) as told:
        kernels = pytl.from_mlir(TEXT)
    assert len(told) == 2
    assert set(kernels) == {"good", "plain", "launches"}
    x = np.ones(16, np.float32)
    kernels["launches"](x)
    kernels["good"][1](x)
    assert (x == 4).all()
    kernels["plain"][1](x, backend="reference")
    assert (x == 1).all()
    with pytest.raises(pytl.LanguageError) as caught:
        kernels["bad"]
    assert [(each.rule.code, each.location.line) for each in caught.value.diagnostics] == [
        ("PYTL-1301", 10),
        ("PYTL-1301", 27),
    ]


def test_a_text_without_kernels_of_the_language_is_told(tmp_path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "host.mlir"
    file.write_text('func.func @main() {\n  vector.print str "x\\0A"\n  return\n}\n')
    assert main(["check", str(file)]) == 0
    assert main(["opt", str(file)]) == 1
    assert "has no function that becomes a kernel of the language" in capsys.readouterr().err
    assert main(["run", str(file)]) == 0
    assert capsys.readouterr().out == "x\n"


def test_a_kernel_of_gpu_is_emitted(tmp_path, capsys: pytest.CaptureFixture[str]) -> None:
    """A text that is parsed has kernels of gpu that are ones of the language."""
    (program,) = (each for each in PROGRAMS if each.name == "arithmetic of blocks")
    file = tmp_path / "blocks.mlir"
    file.write_text(program.text)
    assert main(["opt", str(file)]) == 0
    assert capsys.readouterr().out.startswith("func @kernel(%x: memref<f32x32x16>")
    assert main(["emit", "mlir", str(file), "--function", "kernel"]) == 0
    assert "kernel_groups" in capsys.readouterr().out
