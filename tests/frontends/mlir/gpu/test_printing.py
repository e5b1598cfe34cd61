"""Programs for tests print what MLIR's runner prints, and call the functions of its libraries."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import numpy as np
import pytest

import pytl
from pytl.backends.xegpu.interpreter.printing import EXTERNALS
from pytl.mlir.externals import NAMES
from pytl.tools.cli import main

HERE = Path(__file__).parent
LIBRARIES = Path("/usr/lib/llvm-22/lib")
LOWERING = (
    *("--convert-vector-to-scf", "--convert-scf-to-cf", "--expand-strided-metadata", "--lower-affine"),
    *(
        "--convert-vector-to-llvm",
        "--convert-complex-to-llvm",
        "--convert-arith-to-llvm",
        "--finalize-memref-to-llvm",
        "--convert-func-to-llvm",
    ),
    *("--convert-cf-to-llvm", "--reconcile-unrealized-casts"),
)


def printed(text: str, function: str = "main") -> str:
    """What a function of the host prints."""
    pieces: list[str] = []
    pytl.from_mlir(text)[function].run([], write=pieces.append)
    return "".join(pieces)


def without_addresses(text: str) -> str:
    return re.sub(r"base@ = 0x[0-9a-f]+", "base@ =", text)


def test_each_name_has_a_function() -> None:
    assert set(EXTERNALS) == NAMES


@pytest.mark.tools_of("mlir")
@pytest.mark.parametrize("name", ["printed_memrefs", "printed_values"])
def test_the_same_is_printed_as_by_the_runner(name: str) -> None:
    file = HERE / f"{name}.mlir"
    lowered = subprocess.run(["mlir-opt-22", str(file), *LOWERING], capture_output=True, text=True, check=True)
    libraries = ",".join(
        str(LIBRARIES / f"libmlir_{each}.so.22.1") for each in ("runner_utils", "c_runner_utils", "float16_utils")
    )
    done = subprocess.run(
        ["mlir-runner-22", "-e", "main", "-entry-point-result=void", f"-shared-libs={libraries}"],
        input=lowered.stdout,
        capture_output=True,
        text=True,
        check=True,
    )
    assert without_addresses(printed(file.read_text())) == without_addresses(done.stdout)


def test_memrefs_are_printed_with_their_sizes() -> None:
    text = printed((HERE / "printed_memrefs.mlir").read_text())
    assert without_addresses(text).splitlines()[:7] == [
        "Unranked Memref base@ = rank = 3 offset = 0 sizes = [2, 3, 4] strides = [12, 4, 1] data = ",
        "[[[1,    2.5,    3.25,    1e+10], ",
        "  [4,    5,    6,    -7e-09], ",
        "  [0.1,    0.333333,    100000,    1.23457e+06]], ",
        " [[1,    2,    3,    inf], ",
        "  [4,    5,    6,    nan], ",
        "  [1,    2,    3,    4]]]",
    ]
    assert text.endswith("0.333333, 1e+22\n( -5, 18446744073709551611 )\n2\n")


CLOSE = """
func.func private @printAllcloseF16(memref<*xf16>, memref<*xf32>)
func.func private @allcloseF32(memref<*xf32>, memref<*xf32>) -> i1
func.func private @printMaxErrorF32(memref<*xf32>, memref<*xf32>)
func.func private @fillResource1DF16(memref<*xf16>, f32)
func.func private @fillResource1DRandomF32(memref<*xf32>, f32, f32, i1)
func.func private @gemmF16F16F32(memref<*xf16>, memref<*xf16>, memref<*xf32>)
func.func @main() -> i1 {
  %a = memref.alloc() : memref<4x4xf16>
  %c = memref.alloc() : memref<4x4xf32>
  %d = memref.alloc() : memref<4x4xf32>
  %ua = memref.cast %a : memref<4x4xf16> to memref<*xf16>
  %uc = memref.cast %c : memref<4x4xf32> to memref<*xf32>
  %ud = memref.cast %d : memref<4x4xf32> to memref<*xf32>
  %two = arith.constant 2.0 : f32
  %three = arith.constant 3.0 : f32
  %true = arith.constant true
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  call @fillResource1DF16(%ua, %two) : (memref<*xf16>, f32) -> ()
  call @fillResource1DRandomF32(%uc, %zero, %zero, %true) : (memref<*xf32>, f32, f32, i1) -> ()
  call @fillResource1DRandomF32(%ud, %zero, %zero, %true) : (memref<*xf32>, f32, f32, i1) -> ()
  call @gemmF16F16F32(%ua, %ua, %uc) : (memref<*xf16>, memref<*xf16>, memref<*xf32>) -> ()
  call @gemmF16F16F32(%ua, %ua, %ud) : (memref<*xf16>, memref<*xf16>, memref<*xf32>) -> ()
  call @printAllcloseF16(%ua, %uc) : (memref<*xf16>, memref<*xf32>) -> ()
  %same = call @allcloseF32(%uc, %ud) : (memref<*xf32>, memref<*xf32>) -> i1
  memref.store %three, %d[%c0, %c0] : memref<4x4xf32>
  call @printMaxErrorF32(%uc, %ud) : (memref<*xf32>, memref<*xf32>) -> ()
  return %same : i1
}
"""


def test_results_are_compared() -> None:
    pieces: list[str] = []
    assert pytl.from_mlir(CLOSE)["main"].run([], write=pieces.append)
    assert "".join(pieces) == (
        "[ALLCLOSE: FALSE]\n"
        "Max absolute error 13 at idx=0 (i=16, j=3)\n"
        "Max relative error 0.8125 at idx=0 (i=16, j=3)\n"
    )


BESIDE = """func.func @kernel(%A: memref<8xf32>) {
  %x = arith.constant 1.0 : f32
  linalg.fill ins(%x : f32) outs(%A : memref<8xf32>)
  return
}
func.func private @printMemrefF32(memref<*xf32>)
func.func @main() -> i32 {
  %z = arith.constant 7 : i32
  %A = memref.alloc() : memref<8xf32>
  call @kernel(%A) : (memref<8xf32>) -> ()
  %two = arith.constant 2.0 : f32
  %half = memref.subview %A[4] [4] [1] : memref<8xf32> to memref<4xf32, strided<[1], offset: 4>>
  linalg.fill ins(%two : f32) outs(%half : memref<4xf32, strided<[1], offset: 4>>)
  %u = memref.cast %A : memref<8xf32> to memref<*xf32>
  call @printMemrefF32(%u) : (memref<*xf32>) -> ()
  return %z : i32
}
"""


def test_a_program_beside_a_kernel(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """`pytl run` executes it; its operations on whole memrefs, and the kernels that it calls, are launched."""
    file = tmp_path / "beside.mlir"
    file.write_text(BESIDE)
    assert main(["run", str(file), "--function", "main"]) == 0
    output, errors = capsys.readouterr()
    assert errors == ""
    assert without_addresses(output).splitlines() == [
        "Unranked Memref base@ = rank = 1 offset = 0 sizes = [8] strides = [1] data = ",
        "[1,  1,  1,  1,  2,  2,  2,  2]",
        "7",
    ]
    assert main(["run", str(file), "--function", "kernel", "--backend", "reference"]) == 0
    output, _ = capsys.readouterr()
    assert output.splitlines()[-1] == "checksum A=8"
    x = np.zeros(8, np.float32)
    pytl.from_mlir(BESIDE)["kernel"][1](x, backend="reference")
    assert (x == 1).all()


def test_an_unknown_function_is_told_at_its_call() -> None:
    text = (
        'func.func private @foo()\nfunc.func @main() {\n  vector.print str "x"\n  call @foo() : () -> ()\n  return\n}'
    )
    with pytest.raises(pytl.ExecutionError) as caught:
        printed(text)
    (told,) = caught.value.diagnostics
    assert (told.rule.code, told.location.line) == ("PYTL-3251", 4)
    assert told.message == "@foo is not defined in the text, and is no function that is known"
    assert told.help is not None and "printMemrefF32" in told.help
