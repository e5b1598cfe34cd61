"""None in the place of an array: kernels ask for it, and no launch follows what is not there."""

from typing import Any

import numpy as np
import pytest

import pytl
from pytl import Group, Memref, associated, axpby, f32, foreach, group_id, i32

BACKENDS: list[Any] = [
    "reference",
    "sycl",
    "opencl",
    pytest.param("mlir", marks=pytest.mark.tools_of("mlir")),
    pytest.param("arm_sme", marks=pytest.mark.tools_of("arm_sme")),
]


@pytl.kernel
def layers(x: Memref[f32, 8, ...], bias: Memref[f32, 8], G: Group[f32, 8]):
    g = group_id()
    if associated(bias):
        axpby(1.0, bias, 1.0, x[:, g])
    if associated(G):
        axpby(2.0, G[g], 1.0, x[:, g])
    else:
        axpby(0.5, x[:, g], 0.0, x[:, g])


BIAS = np.ones(8, np.float32)
ITEMS = np.ones((8, 3), np.float32, order="F")


def wanted(bias: Any, items: Any) -> float:
    value = 1.0 + (bias is not None)
    return value + 2 if items is not None else value / 2


@pytest.mark.at_most(3)
@pytest.mark.parametrize("backend", BACKENDS)
def test_what_is_absent_is_not_used(backend: str) -> None:
    for bias in (None, BIAS):
        for items in (None, ITEMS):
            for _ in range(3):
                x = ITEMS.copy(order="F")
                layers[3](x, bias, items, backend=backend)
                np.testing.assert_array_equal(x, wanted(bias, items))
            x = ITEMS.copy(order="F")
            layers[3](x, G=items, bias=bias, backend=backend)
            np.testing.assert_array_equal(x, wanted(bias, items))
            layers[3].bind(x := ITEMS.copy(order="F"), bias, G=items, backend=backend)()
            np.testing.assert_array_equal(x, wanted(bias, items))


def test_submitted_and_tuned() -> None:
    from device_kit import dpt as tensor

    x = tensor.asarray(ITEMS, order="F")
    layers[3].submit(x, None, None).wait()
    np.testing.assert_array_equal(tensor.asnumpy(x), 0.5)
    pytl.tune(layers[3], (ITEMS.copy(order="F"), None, ITEMS), budget=0.3, print_table=False)


@pytest.mark.parametrize("backend", ["reference", "sycl"])
def test_other_parameters_are_no_less_needed(backend: str) -> None:
    with pytest.raises(pytl.LaunchError) as caught:
        layers[3](None, BIAS, None, backend=backend)
    assert caught.value.code == "PYTL-2002"
    with pytest.raises(pytl.LaunchError, match="G is missing"):
        layers[3](ITEMS, None, backend=backend)


def test_what_is_used_otherwise_cannot_be_absent() -> None:
    @pytl.kernel
    def careless(x: Memref[f32, 8], y: Memref[f32, 8], n: i32):
        if associated(y) or n > 3:
            axpby(1.0, y, 1.0, x)

    x = np.zeros(8, np.float32)
    careless[1](x, BIAS, 0, backend="reference")
    assert (x == 1).all()
    for backend in ("reference", "sycl"):
        with pytest.raises(pytl.LaunchError) as caught:
            careless[1](x, None, 0, backend=backend)
        assert caught.value.code == "PYTL-0698"
        assert "y is None, but axpby uses it where associated(y) is not known to be true" in str(caught.value)
    assert (x == 1).all()


def test_within_foreach_and_through_views() -> None:
    @pytl.kernel
    def added(x: Memref[f32, 8], y: Memref[f32, 8, 4], factor: f32):
        part = y[:, 1]
        for i in foreach(8):
            v = factor
            if associated(part) and factor > 0.0:
                v = y[i, 1] * part[i]
            x[i] = v

    y = np.full((8, 4), 3, np.float32, order="F")
    for backend in ("reference", "sycl"):
        for given, factor, value in ((y, 2.0, 9), (None, 2.0, 2), (y, -1.0, -1)):
            x = np.zeros(8, np.float32)
            added[1](x, given, factor, backend=backend)
            np.testing.assert_array_equal(x, value)


def test_what_is_always_there() -> None:
    text = """
func @f(%o: memref<i32x2>, %g: group<memref<i32x2>x?>) {
  %t = alloca : memref<i32x2,local>
  %0 = constant 0 : index
  %1 = constant 1 : index
  %i = load %g[%0] : memref<i32x2>
  %a = v04.associated %t : bool
  %b = v04.associated %i : bool
  %c = arith.and %a, %b : bool
  %one = constant 1 : i32
  if %c {
    store %one, %o[%1]
  }
}"""
    for backend in ("reference", "sycl"):
        o = np.zeros(2, np.int32)
        pytl.compile(text)["f"][1](o, [np.zeros(2, np.int32)], backend=backend)
        np.testing.assert_array_equal(o, [0, 1])


def test_named_sizes_of_what_is_absent() -> None:
    @pytl.kernel
    def sized(x: Memref[f32, "n"], y: Memref[f32, "n", "m"], z: Memref[f32, "m + 1"]):
        if associated(y):
            axpby(1.0, y[:, 0], 1.0, x)
        if associated(z):
            for i in foreach(1):
                x[i] = z[0]

    x = np.zeros(4, np.float32)
    sized[1](x, np.ones((4, 2), np.float32, order="F"), np.ones(3, np.float32), backend="reference")
    sized[1](x, None, np.ones(7, np.float32), backend="reference")
    with pytest.raises(pytl.LaunchError, match="PYTL-20"):
        sized[1](x, np.ones((4, 2), np.float32, order="F"), np.ones(7, np.float32), backend="reference")


def test_in_three_dimensions_and_with_open_parameters() -> None:
    @pytl.kernel
    def both(x: Memref[i32, ..., ...], y: Memref[i32, ...], by: pytl.constexpr):
        v = i32(by)
        if associated(y):
            v = y[group_id()]
        x[group_id(), group_id(1)] = v

    for backend in ("reference", "sycl"):
        x = np.zeros((2, 3), np.int32, order="F")
        both[2, 3](x, None, by=4, backend=backend)
        np.testing.assert_array_equal(x, 4)
        both[2, 3](x, np.arange(2, dtype=np.int32), by=4, backend=backend)
        np.testing.assert_array_equal(x, np.indices((2, 3))[0])


def test_generated_code_has_all_arguments(tmp_path: Any) -> None:
    assert "associated" not in layers.emit("numba_dpex")
    assert [p["name"] for p in layers.emit("spirv").interface["parameters"]] == ["x", "bias", "G"]
    pytl.build(layers, tmp_path)
    x = ITEMS.copy(order="F")
    pytl.load(tmp_path)["layers"][3](x, BIAS, ITEMS)
    np.testing.assert_array_equal(x, 4)
    with pytest.raises(pytl.LaunchError, match="PYTL-2002"):
        pytl.load(tmp_path)["layers"][3](x, None, ITEMS)
