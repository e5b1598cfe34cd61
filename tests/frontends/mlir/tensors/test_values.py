"""Functions on tensors as a user of NumPy calls them: what they give, and what is left as it was."""

from __future__ import annotations

import pickle
from pathlib import Path

import numpy as np
import pytest
from device_kit import dpt
from launch_kit import needs_sycl

import pytl
from pytl.tools.cli import main

PRODUCT = """
func.func @product(%a: tensor<3x4xf32>, %b: tensor<4x5xf32>, %c: tensor<3x5xf32>) -> tensor<3x5xf32> {
  %r = linalg.matmul ins(%a, %b : tensor<3x4xf32>, tensor<4x5xf32>) outs(%c : tensor<3x5xf32>) -> tensor<3x5xf32>
  return %r : tensor<3x5xf32>
}
"""
DOUBLE = """
func.func @double(%x: tensor<?xf32>) -> tensor<?xf32> {
  %y = arith.addf %x, %x : tensor<?xf32>
  return %y : tensor<?xf32>
}
"""


def _factors() -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    rng = np.random.default_rng(3)
    a, b, c = (rng.uniform(-1, 1, shape).astype(np.float32) for shape in ((3, 4), (4, 5), (3, 5)))
    return a, b, c


def test_an_argument_that_is_added_to_stays_as_it_was() -> None:
    a, b, c = _factors()
    before = c.copy()
    found = pytl.from_mlir(PRODUCT)["product"](a, b, c, backend="reference")
    np.testing.assert_allclose(found, before + a @ b, rtol=1e-5)
    np.testing.assert_array_equal(c, before)


def test_an_argument_that_may_be_written_is_written() -> None:
    a, b, c = _factors()
    expected = c + a @ b
    text = PRODUCT.replace("%c: tensor<3x5xf32>)", "%c: tensor<3x5xf32> {bufferization.writable = true})")
    found = pytl.from_mlir(text)["product"](a, b, c, backend="reference")
    assert found is c
    np.testing.assert_allclose(c, expected, rtol=1e-5)


def test_a_result_may_be_passed() -> None:
    x, y = np.arange(4, dtype=np.float32), np.empty(4, np.float32)
    found = pytl.from_mlir(DOUBLE)["double"](x, y, backend="reference")
    assert found is y
    np.testing.assert_array_equal(y, 2 * x)


def test_a_repeated_call_takes_other_arrays() -> None:
    """A call of arrays like earlier ones goes by the plan of these; all others are looked at."""
    double = pytl.from_mlir(DOUBLE)["double"]
    for x in (np.arange(4, dtype=np.float32), np.ones(4, np.float32), np.arange(8, dtype=np.float32)[::2]):
        y = np.empty(4, np.float32)
        assert double(x, y, backend="reference") is y
        np.testing.assert_array_equal(y, 2 * x)
    with pytest.raises(pytl.LaunchError):
        double(np.arange(4), y, backend="reference")


def test_arrays_of_any_order() -> None:
    a, b, c = _factors()
    found = pytl.from_mlir(PRODUCT)["product"](np.asfortranarray(a), b[::1, :], c, backend="reference")
    np.testing.assert_allclose(found, c + a @ b, rtol=1e-5)


def test_a_number_is_a_number() -> None:
    text = """
func.func @f(%a: f32, %n: i32) -> (f32, i32) {
  %b = arith.mulf %a, %a : f32
  %m = arith.addi %n, %n : i32
  return %b, %m : f32, i32
}
"""
    found = pytl.from_mlir(text)["f"](1.5, 3, backend="reference")
    assert found == (2.25, 6)
    assert not any(isinstance(each, np.ndarray) for each in found)


def test_sizes_that_follow_from_arguments() -> None:
    text = """
func.func @f(%x: tensor<?xf32>, %n: index) -> tensor<?x?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = tensor.dim %x, %c0 : tensor<?xf32>
  %k = arith.addi %m, %c1 : index
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty(%n, %k) : tensor<?x?xf32>
  %r = linalg.fill ins(%zero : f32) outs(%e : tensor<?x?xf32>) -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}
"""
    found = pytl.from_mlir(text)["f"](np.ones(3, np.float32), 2, backend="reference")
    np.testing.assert_array_equal(found, np.zeros((2, 4), np.float32))


def test_calls_with_other_arguments_are_refused() -> None:
    double = pytl.from_mlir(DOUBLE)["double"]
    for arguments in ((), (np.ones(3, np.float32),) * 3, (np.ones(3, np.int8),), (np.ones((2, 2), np.float32),)):
        with pytest.raises(pytl.LaunchError):
            double(*arguments, backend="reference")


def test_a_large_intermediate_is_memory_of_the_launch() -> None:
    text = """
func.func @f(%x: tensor<128x128xf64>) -> tensor<128x128xf64> {
  %y = arith.mulf %x, %x : tensor<128x128xf64>
  %e = tensor.empty() : tensor<128x128xf64>
  %t = linalg.transpose ins(%y : tensor<128x128xf64>) outs(%e : tensor<128x128xf64>) permutation = [1, 0]
  %z = arith.addf %t, %x : tensor<128x128xf64>
  return %z : tensor<128x128xf64>
}
"""
    kernel = pytl.from_mlir(text)["f"]
    assert "alloca" not in kernel.ir("traced")
    x = np.random.default_rng(1).uniform(size=(128, 128))
    np.testing.assert_allclose(kernel(x, backend="reference"), (x * x).T + x)


@needs_sycl
def test_device_arrays() -> None:
    x = dpt.asarray(np.arange(4, dtype=np.float32))
    found = pytl.from_mlir(DOUBLE)["double"](x)
    assert type(found) is type(x)
    np.testing.assert_array_equal(dpt.asnumpy(found), [0, 2, 4, 6])


def test_kernels_travel() -> None:
    kernel = pytl.from_mlir(DOUBLE)["double"]
    again = pickle.loads(pickle.dumps(kernel))
    np.testing.assert_array_equal(again(np.ones(3, np.float32), backend="reference"), [2, 2, 2])


def test_one_function_that_is_not_read_leaves_the_others() -> None:
    text = DOUBLE + "func.func @other(%x: vector<[4]xf32>) {\n  foo.bar\n  return\n}\n"
    with pytest.warns(UserWarning, match="PYTL-1301") as caught:
        kernels = pytl.from_mlir(text)
    assert len(caught) == 2
    assert list(kernels) == ["double"]
    with pytest.raises(pytl.LanguageError) as error:
        kernels["other"]
    assert {each.code for each in error.value.diagnostics} == {"PYTL-1301", "PYTL-1303"}
    with pytest.raises(KeyError):
        pytl.from_mlir(DOUBLE)["other"]


def test_the_command_line_runs_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "double.mlir"
    file.write_text(DOUBLE)
    assert main(["run", str(file), "--dim", "x=5", "--backend", "reference"]) == 0
    sums = dict(each.split("=") for each in capsys.readouterr().out.splitlines()[-1].split()[1:])
    assert float(sums["result"]) == pytest.approx(2 * float(sums["x"]), rel=1e-4)


def test_all_mistakes_are_told_with_their_own_codes() -> None:
    text = """func.func @f(%x: tensor<4xf32>, %u: tensor<*xf32>) -> tensor<4xf32> {
  %a = "tensor.unknown"(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %b = arith.addf %a, %p : tensor<4xf32>
  %c = arith.constant dense_resource<weights> : tensor<4xf32>
  %d = call @other(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %e = arith.addf %q, %p : tensor<4xf32>
  %i = arith.addi %n, %n : index
  return %d : tensor<4xf32>
}
func.func private @other(tensor<4xf32>) -> tensor<4xf32>
"""
    with pytest.raises(pytl.LanguageError) as caught:
        pytl.from_mlir(text)
    told = sorted(
        (each.location.line if each.location else 0, each.code, each.message) for each in caught.value.diagnostics
    )
    assert told == [
        (1, "PYTL-1304", "func.func: %u is tensor<*xf32>, which has no rank"),
        (2, "PYTL-1304", "tensor.unknown: it has no meaning on tensors here"),
        (3, "PYTL-1309", "%p is not defined here"),
        (4, "PYTL-1304", "arith.constant: dense_resource names a blob, which is not read"),
        (5, "PYTL-1313", "func.call: @other is not defined in the text"),
        (6, "PYTL-1309", "%q is not defined here"),
        (7, "PYTL-1309", "%n is not defined here"),
    ]


def test_what_exporters_write_beside_functions_is_left_out() -> None:
    text = """module attributes {torch.debug_module_name = "Net"} {
  ml_program.global private mutable @global_seed(dense<0> : tensor<i64>) : tensor<i64>
  func.func @forward(%x: tensor<?xf32>, %y: tensor<?xf32>) -> tensor<?xf32> {
    %c0 = arith.constant 0 : index
    %m = tensor.dim %x, %c0 : tensor<?xf32>
    %n = tensor.dim %y, %c0 : tensor<?xf32>
    %same = arith.cmpi eq, %m, %n : index
    cf.assert %same, "mismatched size for broadcast"
    %r = arith.addf %x, %y : tensor<?xf32>
    return %r : tensor<?xf32>
  }
}
"""
    with pytest.warns(UserWarning, match="ml_program.global"):
        kernels = pytl.from_mlir(text)
    x = np.ones(3, np.float32)
    np.testing.assert_array_equal(kernels["forward"](x, x, backend="reference"), [2, 2, 2])


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("%r = math.exp %x : tensor<4x4xi32>", "math.exp: an operand is i32, not a floating point number"),
        (
            "%r = linalg.softmax dimension(1) ins(%x : tensor<4x4xi32>) outs(%x : tensor<4x4xi32>) -> tensor<4x4xi32>",
            "linalg.softmax: its elements are i32, and no floating point numbers",
        ),
        (
            "%r = linalg.map { math.sqrt } ins(%x : tensor<4x4xi32>) outs(%x : tensor<4x4xi32>)",
            "math.sqrt: %in.0 is i32, not a floating point number",
        ),
        (
            '%r = "tensor.insert"(%v, %x, %n, %n) : (f32, tensor<4x4xi32>, index, index) -> tensor<4x4xi32>',
            "tensor.insert: an operand is f32, but i32 is written here",
        ),
        (
            "%r = linalg.exp ins(%x : tensor<4x4xi32>) outs(%x : tensor<4x4xi32>) -> tensor<4x4xi32>",
            "linalg.exp: exp of i32 has no meaning here",
        ),
    ],
)
def test_mistakes_name_the_operation_of_the_text_at_its_line(line: str, message: str) -> None:
    text = f"func.func @f(%x: tensor<4x4xi32>, %v: f32, %n: index) -> tensor<4x4xi32> {{\n  {line}\n  return %r : tensor<4x4xi32>\n}}"
    with pytest.raises(pytl.LanguageError) as raised:
        pytl.from_mlir(text, "a.mlir")
    shown = str(raised.value)
    assert message in shown
    assert shown.count("error[") == shown.count("--> a.mlir:2:3") == 1


def test_types_without_memory_are_those_of_the_text() -> None:
    text = "func.func @f(%x: tensor<4xf80>) -> tensor<4xf80> {\n  return %x : tensor<4xf80>\n}"
    with pytest.raises(pytl.LanguageError, match="%x is tensor<4xf80>, and there is no memory"):
        pytl.from_mlir(text)


@pytest.mark.parametrize(
    ("operation", "help"),
    [
        ("tosa.tanh %x : (tensor<4xf32>) -> tensor<4xf32>", "tosa-to-linalg"),
        ("stablehlo.add %x, %x : tensor<4xf32>", "--stablehlo-legalize-to-linalg"),
        ("tt.trans %x {order = array<i32: 0>} : tensor<4xf32> -> tensor<4xf32>", "triton-shared-opt"),
        ('"torch.aten.relu"(%x) : (tensor<4xf32>) -> tensor<4xf32>', None),
    ],
)
def test_operations_of_other_dialects_are_lowered_before(operation: str, help: str | None) -> None:
    with pytest.raises(pytl.LanguageError) as caught:
        pytl.from_mlir(
            f"func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {{\n  %r = {operation}\n  return %r : tensor<4xf32>\n}}"
        )
    (only,) = caught.value.diagnostics
    assert only.location is not None and only.location.line == 2
    assert help is None or (only.help is not None and help in only.help)


def test_a_function_that_calls_itself_is_told_at_its_call() -> None:
    text = """func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
  %r = call @f(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}"""
    with pytest.raises(pytl.LanguageError, match=r"PYTL-1313\]: func.call: @f is called within itself"):
        pytl.from_mlir(text)


@pytest.mark.parametrize("element", ["i128", "f128"])
def test_other_elements_are_refused_with_what_there_is(element: str) -> None:
    with pytest.raises(pytl.LanguageError) as caught:
        pytl.from_mlir(f"func.func @f(%x: tensor<4x{element}>) {{\n  return\n}}")
    (only,) = caught.value.diagnostics
    assert only.code == "PYTL-1303"
    assert only.message == (f"argument: %x is tensor<4x{element}>, and there is no memory with elements of {element}")
    assert only.help is not None and "i1 to i64" in only.help
