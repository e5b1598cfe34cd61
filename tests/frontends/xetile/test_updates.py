"""The document's atomic_rmw: its kinds, and the elements before the update, under a mask and in chunks."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import pytl

KINDS: dict[str, Callable[[Any, Any], Any]] = {
    "addf": np.add, "addi": np.add, "minf": np.fmin, "minnumf": np.fmin, "mins": np.minimum,
    "maxf": np.fmax, "maxnumf": np.fmax, "maxs": np.maximum,
}  # fmt: skip
BACKENDS = ["reference", "sycl", pytest.param("xegpu", marks=pytest.mark.tools_of("mlir"))]

TEXT = """
func.func @f(%A: memref<64x{element}>, %values: memref<16x{element}>, %B: memref<16x{element}>) {{
  %lane = vector.step : vector<16xindex>
  %five = arith.constant dense<5> : vector<16xindex>
  %three = arith.constant dense<3> : vector<16xindex>
  %to = arith.muli %lane, %three : vector<16xindex>
  %all = arith.constant dense<true> : vector<16xi1>
  %mask = arith.cmpi ne, %lane, %five : vector<16xindex>
  %t = xegpu.create_tdesc %A, %to {{mode = vc}} : memref<64x{element}>, vector<16xindex> into tensor_desc<16x{element}, #scattered>
  %v = xegpu.create_tdesc %values, %lane {{mode = vc}} : memref<16x{element}>, vector<16xindex> into tensor_desc<16x{element}, #scattered>
  %b = xegpu.create_tdesc %B, %lane {{mode = vc}} : memref<16x{element}>, vector<16xindex> into tensor_desc<16x{element}, #scattered>
  %value = xegpu.load_gather %v, %all {{mode = vc}} : tensor_desc<16x{element}, #scattered>, vector<16xi1> into vector<16x{element}>
  %before = xegpu.atomic_rmw "{kind}" %value, %t, %mask {{mode = vc}} : vector<16x{element}>, tensor_desc<16x{element}, #scattered>, vector<16xi1> to vector<{count}x{element}>
  xegpu.store_scatter %before, %b, %all {{mode = vc}} : vector<16x{element}>, vector<16xi1>, tensor_desc<16x{element}, #scattered>
  return
}}
"""  # noqa: E501


def launched(text: str, backend: str, *arrays: np.ndarray) -> None:
    kernel = pytl.compile(text, language="xetile")["f"]
    options = {"interpreted": True, "blocks": "preferred"} if backend == "xegpu" else {}
    kernel[1, options](*arrays, backend=backend)


@pytest.mark.at_most(2)
@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("kind", KINDS)
def test_the_element_before_an_update(kind: str, backend: str) -> None:
    dtype = np.float32 if kind.endswith("f") else np.int32
    rng = np.random.default_rng(3)
    a, values = (rng.integers(-9, 9, count).astype(dtype) for count in (64, 16))
    if dtype == np.float32:
        a[6], values[7] = np.nan, np.nan
    b, to = np.full(16, 7, dtype), 3 * np.arange(16)
    masked = np.arange(16) != 5
    expected, before = a.copy(), np.where(masked, a[to], 0)
    expected[to] = np.where(masked, KINDS[kind](a[to], values), a[to])
    launched(TEXT.format(kind=kind, count=16, element="f32" if dtype == np.float32 else "i32"), backend, a, values, b)
    np.testing.assert_array_equal(a, expected)
    np.testing.assert_array_equal(b, before)


@pytest.mark.parametrize("backend", BACKENDS)
def test_work_items_that_add_to_one_element_find_other_sums(backend: str) -> None:
    text = TEXT.format(kind="addi", count=16, element="i32").replace("dense<3>", "dense<0>")
    a, b = np.zeros(64, np.int32), np.full(16, 7, np.int32)
    launched(text, backend, a, np.ones(16, np.int32), b)
    assert a[0] == 15
    assert not a[1:].any()
    assert b[5] == 0
    assert sorted(np.delete(b, 5)) == list(range(15))


@pytest.mark.parametrize("backend", BACKENDS)
def test_chunks_are_updated(backend: str) -> None:
    scattered = "tensor_desc<16x2xf32, #scattered>"
    text = f"""
func.func @f(%A: memref<64xf32>, %B: memref<32xf32>) {{
  %lane = vector.step : vector<16xindex>
  %two = arith.constant dense<2> : vector<16xindex>
  %four = arith.constant dense<4> : vector<16xindex>
  %from = arith.muli %lane, %four : vector<16xindex>
  %to = arith.muli %lane, %two : vector<16xindex>
  %all = arith.constant dense<true> : vector<16xi1>
  %one = arith.constant dense<1.0> : vector<16x2xf32>
  %a = xegpu.create_tdesc %A, %from {{mode = vc, chunk_size_per_lane = 2}} : memref<64xf32>, vector<16xindex> into {scattered}
  %b = xegpu.create_tdesc %B, %to {{mode = vc, chunk_size_per_lane = 2}} : memref<32xf32>, vector<16xindex> into {scattered}
  %v = xegpu.atomic_rmw "addf" %one, %a, %all {{mode = vc}} : vector<16x2xf32>, {scattered}, vector<16xi1> to vector<16x2xf32>
  %w = arith.addf %v, %one : vector<16x2xf32>
  xegpu.atomic_rmw "addf" %w, %b, %all {{mode = vc}} : vector<16x2xf32>, {scattered}, vector<16xi1> to vector<16x2xf32>
  return
}}
"""  # noqa: E501
    a, b = np.arange(64, dtype=np.float32), np.ones(32, np.float32)
    launched(text, backend, a, b)
    expected = np.arange(64, dtype=np.float32)
    expected.reshape(16, 4)[:, :2] += 1
    np.testing.assert_array_equal(a, expected)
    np.testing.assert_array_equal(b, np.arange(64, dtype=np.float32).reshape(16, 4)[:, :2].ravel() + 2)


def test_a_constant_is_stored_in_chunks_and_no_tile() -> None:
    text = """
func.func @f(%A: memref<32x2xf32>, %B: memref<32xf32>) {
  %lane = vector.step : vector<16xindex>
  %to = arith.addi %lane, %lane : vector<16xindex>
  %all = arith.constant dense<true> : vector<16xi1>
  %one = arith.constant dense<3.0> : vector<16x2xf32>
  %b = xegpu.create_tdesc %B, %to {mode = vc, chunk_size_per_lane = 2} : memref<32xf32>, vector<16xindex> into tensor_desc<16x2xf32, #scattered>
  LINE
  xegpu.store_scatter %one, %b, %all {mode = vc} : vector<16x2xf32>, vector<16xi1>, tensor_desc<16x2xf32, #scattered>
  return
}
"""  # noqa: E501
    b = np.zeros(32, np.float32)
    launched(text.replace("LINE", ""), "reference", np.ones((32, 2), np.float32).T, b)
    assert (b == 3).all()
    tile = """%t = xegpu.create_nd_tdesc %A[0, 0] : memref<32x2xf32> -> tensor_desc<16x2xf32>
  %one = xegpu.load_nd %t : tensor_desc<16x2xf32> -> vector<16x2xf32>"""
    with pytest.raises(pytl.LanguageError, match=r"a tile is stored, and the work-items have none of its elements"):
        pytl.compile(text.replace("LINE", tile).replace("%one = arith", "%two = arith"), language="xetile")


def test_the_result_has_the_values_type() -> None:
    with pytest.raises(pytl.LanguageError, match=r"the result is vector<16xf32>, but vector<8xf32> is written here"):
        pytl.compile(TEXT.format(kind="addf", count=8, element="f32"), language="xetile")


@pytest.mark.tools_of("mlir")
def test_it_is_printed_as_todays_update() -> None:
    printed = pytl.compile(TEXT.format(kind="maxf", count=16, element="f32"), language="xetile")["f"].emit("xegpu")
    assert "xegpu.atomic_rmw maxnumf" in printed
