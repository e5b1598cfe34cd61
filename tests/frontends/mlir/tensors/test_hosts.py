"""Functions of the host that have tensors, print them, and give them."""

from __future__ import annotations

import pickle
import re
import subprocess
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from device_kit import dpt
from launch_kit import needs_sycl

import pytl
from pytl.backends.xegpu.interpreter.memory import Memory
from pytl.tools.cli import main

FILE = Path(__file__).parent / "printed_tensors.mlir"
PRINTED = """rank = 2 offset = 0 sizes = [3, 3] strides = [3, 1] data =
[[5,   11,   17],
 [11,   25,   39],
 [17,   39,   61]]
rank = 1 offset = 0 sizes = [3] strides = [1] data =
[5.5,  25.5,  61.5]
rank = 1 offset = 0 sizes = [2] strides = [1] data =
[11,  39]
( 5, 11, 17 )
"""


def without_addresses(printed: str) -> str:
    """Without blanks at ends of lines, too."""
    return re.sub(r"Unranked Memref base@ = 0x[0-9a-f]+ | +$", "", printed, flags=re.M)


def test_a_main_prints_what_it_computes_on_tensors(capsys: pytest.CaptureFixture[str]) -> None:
    main(["run", str(FILE), "--function", "main"])
    assert without_addresses(capsys.readouterr().out) == PRINTED


SCHEDULED = """
func.func @main() {
  %a = arith.constant dense<[[1, 2], [3, 4], [5, 6]]> : tensor<3x2xi32>
  func.call @packed(%a) : (tensor<3x2xi32>) -> ()
  return
}
func.func private @packed(%a: tensor<3x2xi32>) {
  %tile = arith.constant 2 : index
  %fill = arith.constant -1 : i32
  %e = tensor.empty(%tile, %tile) : tensor<?x2x?x1xi32>
  %p = linalg.pack %a padding_value(%fill : i32) inner_dims_pos = [0, 1] inner_tiles = [%tile, 1] into %e
    : tensor<3x2xi32> -> tensor<?x2x?x1xi32>
  %u = tensor.cast %p : tensor<?x2x?x1xi32> to tensor<*xi32>
  call @printMemrefI32(%u) : (tensor<*xi32>) -> ()
  %v = arith.constant dense<2.5> : vector<f32>
  %s = vector.reduction <add>, %v : vector<f32> into f32
  vector.print %s : f32
  %m = vector.constant_mask [0] : vector<i1>
  vector.print %m : vector<i1>
  return
}
module @schedules attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%module: !transform.any_op {transform.consume}) attributes {kept} {
    %packs = transform.structured.match ops{["linalg.pack"]} in %module : (!transform.any_op) -> !transform.any_op
    transform.apply_patterns to %packs {
      transform.apply_patterns.canonicalization
    } : !transform.any_op
    transform.yield
  }
}
func.func private @printMemrefI32(%ptr: tensor<*xi32>)
"""
"""After llvm-project's pack-dynamic-inner-tile.mlir and 0-d-vectors.mlir."""


def test_a_schedule_for_a_compiler_is_passed_over(recwarn: pytest.WarningsRecorder) -> None:
    pieces: list[str] = []
    pytl.from_mlir(SCHEDULED)["main"].run([], write=pieces.append)
    text = "".join(pieces)
    assert [int(each) for each in re.findall(r"\[*(-?\d+)\]", text.partition("data =")[2])] == [
        1,
        3,
        2,
        4,
        5,
        -1,
        6,
        -1,
    ]
    assert text.splitlines()[-2:] == ["2.5", "( 0 )"]
    assert not recwarn.list


def test_a_schedule_that_is_not_closed_is_told() -> None:
    with pytest.raises(pytl.LanguageError, match="the schedule is not closed"):
        pytl.from_mlir("transform.named_sequence @s(%m: !transform.any_op) { transform.yield ]")


@pytest.mark.tools_of("mlir")
def test_the_same_is_printed_as_by_the_runner() -> None:
    passes = [
        "--convert-elementwise-to-linalg",
        "--one-shot-bufferize=bufferize-function-boundaries function-boundary-type-conversion=identity-layout-map",
        *("--convert-vector-to-scf", "--convert-linalg-to-loops", "--convert-scf-to-cf", "--expand-strided-metadata"),
        *("--lower-affine", "--convert-vector-to-llvm", "--convert-arith-to-llvm", "--finalize-memref-to-llvm"),
        *("--convert-func-to-llvm", "--convert-cf-to-llvm", "--reconcile-unrealized-casts"),
    ]
    lowered = subprocess.run(["mlir-opt-22", str(FILE), *passes], capture_output=True, text=True, check=True)
    libraries = ",".join(f"/usr/lib/llvm-22/lib/libmlir_{each}.so.22.1" for each in ("runner_utils", "c_runner_utils"))
    command = ["mlir-runner-22", "-e", "main", "-entry-point-result=void", f"-shared-libs={libraries}"]
    done = subprocess.run(command, input=lowered.stdout, capture_output=True, text=True, check=True)
    assert without_addresses(done.stdout) == PRINTED


OF_FUNCTIONS = """
func.func @each(%x: tensor<?xcomplex<f32>>, %f: (complex<f32>) -> complex<f32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = tensor.dim %x, %c0 : tensor<?xcomplex<f32>>
  scf.for %i = %c0 to %n step %c1 {
    %e = tensor.extract %x[%i] : tensor<?xcomplex<f32>>
    %v = func.call_indirect %f(%e) : (complex<f32>) -> complex<f32>
    %a = complex.re %v : complex<f32>
    %b = complex.im %v : complex<f32>
    vector.print %a : f32
    vector.print %b : f32
  }
  return
}
func.func @tanh(%z: complex<f32>) -> complex<f32> {
  %r = complex.tanh %z : complex<f32>
  return %r : complex<f32>
}
func.func @rsqrt(%z: complex<f32>) -> complex<f32> {
  %r = complex.rsqrt %z : complex<f32>
  return %r : complex<f32>
}
func.func @main() {
  %t = arith.constant dense<[(-1.0, -1.0), (0.0, 0.0), (0.0, 1.0)]> : tensor<3xcomplex<f32>>
  %u = tensor.cast %t : tensor<3xcomplex<f32>> to tensor<?xcomplex<f32>>
  %f = func.constant @tanh : (complex<f32>) -> complex<f32>
  call @each(%u, %f) : (tensor<?xcomplex<f32>>, (complex<f32>) -> complex<f32>) -> ()
  %g = func.constant @rsqrt : (complex<f32>) -> complex<f32>
  call @each(%u, %g) : (tensor<?xcomplex<f32>>, (complex<f32>) -> complex<f32>) -> ()
  return
}
"""


def test_functions_are_values_and_numbers_are_complex() -> None:
    """As mlir-runner prints it."""
    main: Any = pytl.from_mlir(OF_FUNCTIONS)["main"]
    printed: list[str] = []
    main.run((), write=printed.append)
    tanh, rsqrt = "-1.08392 -0.271753 0 0 0 1.55741", "0.321797 0.776887 inf nan 0.707107 -0.707107"
    assert "".join(printed).split() == [*tanh.split(), *rsqrt.split()]


GIVES = """
func.func @g(%x: tensor<?x4xf32>, %n: index) -> (tensor<?x4xf32>, f32) {
  %c0 = arith.constant 0 : index
  %r = linalg.square ins(%x : tensor<?x4xf32>) outs(%x : tensor<?x4xf32>) -> tensor<?x4xf32>
  %v = tensor.extract %r[%n, %c0] : tensor<?x4xf32>
  vector.print %v : f32
  return %r, %v : tensor<?x4xf32>, f32
}
"""


def test_it_takes_and_gives_arrays_and_changes_no_argument() -> None:
    function: Any = pytl.from_mlir(GIVES)["g"]
    x = np.arange(8, dtype=np.float32).reshape(2, 4)
    before = x.copy()
    printed: list[str] = []
    squares, number = function.run((x, 1), write=printed.append)
    np.testing.assert_array_equal(squares, before**2)
    np.testing.assert_array_equal(x, before)
    assert number == 16 and "".join(printed).strip() == "16"


def test_what_is_wrong_is_told_at_its_line() -> None:
    text = GIVES.replace("linalg.square ins(%x : tensor<?x4xf32>)", "linalg.no_such ins(%x : tensor<?x4xf32>)")
    with pytest.raises(pytl.PytlError) as raised:
        function: Any = pytl.from_mlir(text)["g"]
        function(np.zeros((1, 4), np.float32), 0)
    assert "linalg.no_such" in str(raised.value) and ":4:" in str(raised.value)


OF_SIZES = """
func.func private @printMemrefF32(tensor<*xf32>)
func.func private @wide(%x: tensor<?xf32>, %is: i1) -> tensor<?xf32> {
  %c2 = arith.constant 2 : index
  %one = arith.constant 1.0 : f32
  %r = scf.if %is -> tensor<?xf32> {
    %e = tensor.empty(%c2) : tensor<?xf32>
    %f = linalg.fill ins(%one : f32) outs(%e : tensor<?xf32>) -> tensor<?xf32>
    scf.yield %f : tensor<?xf32>
  } else {
    scf.yield %x : tensor<?xf32>
  }
  return %r : tensor<?xf32>
}
func.func @main() {
  %true = arith.constant true
  %false = arith.constant false
  %z = arith.constant dense<3.0> : tensor<1xf32>
  %n = arith.constant dense<1.0> : tensor<0xf32>
  %x = tensor.cast %z : tensor<1xf32> to tensor<?xf32>
  %y = tensor.cast %n : tensor<0xf32> to tensor<?xf32>
  %a = call @wide(%x, %true) : (tensor<?xf32>, i1) -> tensor<?xf32>
  %b = call @wide(%x, %false) : (tensor<?xf32>, i1) -> tensor<?xf32>
  %c = linalg.exp ins(%y : tensor<?xf32>) outs(%y : tensor<?xf32>) -> tensor<?xf32>
  %u = tensor.cast %a : tensor<?xf32> to tensor<*xf32>
  call @printMemrefF32(%u) : (tensor<*xf32>) -> ()
  %v = tensor.cast %b : tensor<?xf32> to tensor<*xf32>
  call @printMemrefF32(%v) : (tensor<*xf32>) -> ()
  %w = tensor.cast %c : tensor<?xf32> to tensor<*xf32>
  call @printMemrefF32(%w) : (tensor<*xf32>) -> ()
  return
}
"""


def test_branches_give_tensors_of_their_own_sizes_and_some_have_no_elements() -> None:
    main: Any = pytl.from_mlir(OF_SIZES)["main"]
    printed: list[str] = []
    main.run((), write=printed.append)
    assert [line for line in "".join(printed).splitlines() if not line.startswith("Unranked")] == [
        "[1,  1]",
        "[3]",
        "[]",
    ]


def test_the_host_executes_a_branch_whose_size_the_data_say(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = OF_SIZES[OF_SIZES.index("func.func private @wide") : OF_SIZES.index("func.func @main")].replace(
        "private ", ""
    )
    one, three = np.ones(1, np.float32), np.full(3, 2, np.float32)
    wide = pytl.from_mlir(text)["wide"]
    np.testing.assert_array_equal(wide(three, True, backend="reference"), [1, 1])
    np.testing.assert_array_equal(wide(one, False, backend="reference"), one)
    loaded = """  %e = tensor.extract %x[%c2] : tensor<?xf32>
  %is = arith.cmpf olt, %e, %one : f32
  %r = scf.if"""
    text = text.replace(", %is: i1", "").replace("  %r = scf.if", loaded)
    wide = pytl.from_mlir(text)["wide"]
    np.testing.assert_array_equal(wide(three, backend="reference"), three)
    file = tmp_path / "wide.mlir"
    file.write_text(text)
    assert main(["check", str(file)]) == 0
    told = capsys.readouterr().out
    assert f"{file}:6:3: note[PYTL-1311]: scf.if: the size of a result or temporary does not follow from" in told
    assert "the host executes @wide" in told
    assert main(["run", str(file), "--dim", "x=3", "--backend", "reference"]) == 0
    assert "checksum" in capsys.readouterr().out


def test_an_argument_that_is_given_is_copied() -> None:
    text = """
func.func @f(%x: tensor<?xf32>, %i: index) -> (tensor<?xf32>, tensor<?xf32>) {
  %e = tensor.extract %x[%i] : tensor<?xf32>
  %n = arith.fptoui %e : f32 to i64
  %m = arith.index_cast %n : i64 to index
  %s = tensor.splat %e[%m] : tensor<?xf32>
  return %x, %s : tensor<?xf32>, tensor<?xf32>
}
"""
    x = np.array([1, 3], np.float32)
    same, splat = pytl.from_mlir(text)["f"](x[::-1], 0, backend="reference")
    np.testing.assert_array_equal(splat, [3, 3, 3])
    np.testing.assert_array_equal(same, [3, 1])
    same, _ = pytl.from_mlir(text)["f"](x, 0, backend="reference")
    assert not np.shares_memory(same, x)


ITERATED = """
func.func @f(%x: tensor<1024xf32>) -> tensor<1024xf32> {
  %c0 = arith.constant 0 : index
  %many = arith.constant 30.0 : f32
  %r = scf.while (%t = %x) : (tensor<1024xf32>) -> tensor<1024xf32> {
    %v = tensor.extract %t[%c0] : tensor<1024xf32>
    %go = arith.cmpf olt, %v, %many : f32
    scf.condition(%go) %t : tensor<1024xf32>
  } do {
  ^bb0(%t: tensor<1024xf32>):
    %one = arith.constant 1.0 : f32
    %v = tensor.extract %t[%c0] : tensor<1024xf32>
    %w = arith.addf %v, %one : f32
    %u = tensor.insert %w into %t[%c0] : tensor<1024xf32>
    %d = tensor.insert %w into %x[%c0] : tensor<1024xf32>
    %k = tensor.extract %d[%c0] : tensor<1024xf32>
    %s = tensor.insert %k into %u[%c0] : tensor<1024xf32>
    scf.yield %s : tensor<1024xf32>
  }
  return %r : tensor<1024xf32>
}
"""


def test_a_loop_gives_back_what_an_iteration_needed(monkeypatch: pytest.MonkeyPatch) -> None:
    held, counts = set[int](), list[int]()
    add, remove = Memory.add, Memory.remove

    def added(memory: Memory, array: np.ndarray) -> int:
        held.add(address := add(memory, array))
        counts.append(len(held))
        return address

    def removed(memory: Memory, address: int) -> bool:
        held.discard(address)
        return remove(memory, address)

    monkeypatch.setattr(Memory, "add", added)
    monkeypatch.setattr(Memory, "remove", removed)
    found = pytl.from_mlir(ITERATED)["f"](np.zeros(1024, np.float32), backend="reference")
    assert found[0] == 30
    assert len(counts) > 30 and max(counts) <= 4


FOUND = """
func.func @f(%x: tensor<?xf32>, %i: index) -> tensor<?xf32> {
  %e = tensor.extract %x[%i] : tensor<?xf32>
  %n = arith.fptoui %e : f32 to i64
  %m = arith.index_cast %n : i64 to index
  %s = tensor.splat %e[%m] : tensor<?xf32>
  return %s : tensor<?xf32>
}
"""


@needs_sycl
def test_device_arrays_give_device_arrays() -> None:
    x = dpt.asarray(np.array([1, 3], np.float32))
    found = pytl.from_mlir(FOUND)["f"](x, 1)
    assert type(found) is type(x)
    np.testing.assert_array_equal(dpt.asnumpy(found), [3, 3, 3])


def test_functions_of_the_host_travel() -> None:
    function = pytl.from_mlir(FOUND)["f"]
    again: Any = pickle.loads(pickle.dumps(function))
    np.testing.assert_array_equal(again(np.array([2, 1], np.float32), 0, backend="reference"), [2, 2])
    assert again.grid == "that of each launch: the host executes the function"
