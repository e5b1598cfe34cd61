"""Names in generated source."""

from __future__ import annotations

import numpy as np
import pytest

import pytl
from pytl.backends.numba_dpex.emit.names import DEVICE_NAMES, Names


def test_the_list_of_device_names_has_the_device_librarys(device):
    from pytl.backends.numba_dpex.device import NAMES

    assert set(NAMES) <= DEVICE_NAMES
    # what not each element type has
    assert all(name.startswith("bitcast_") for name in DEVICE_NAMES - set(NAMES))


def test_long_names_are_told_apart():
    """LLVM has names of 1024 characters."""
    name = "n" * 5000
    text = f"func @{name}(%{name}a: memref<f32>, %{name}b: memref<f32>) {{\n  %{name}c = load %{name}a[] : f32\n"
    text += f"  store %{name}c, %{name}b[]\n}}"
    given, found = np.array(2.5, np.float32), np.array(0, np.float32)
    pytl.compile(text)[name][1](given, found)
    assert found == 2.5


def test_names_are_unique_and_never_taken():
    names = Names()
    assert [names.fresh("x"), names.fresh("x"), names.fresh("x")] == ["x", "x_1", "x_2"]
    for taken in ("lambda", "range", "fma", "item", "stack", "matrices", "cast_f16", "configure_tiles", "match"):
        assert names.fresh(taken) == f"{taken}_1"


@pytest.mark.at_most(3)
@pytest.mark.parametrize("name", ["lambda", "range", "fma", "item", "stack", "float32", "print", "global_f32"])
def test_values_and_functions_may_have_any_name(name):
    text = f"""
    func @{name}(%{name}: memref<f32x4>, %i: index) {{
      %v = load %{name}[%i] : f32
      %w = arith.add %v, %v : f32
      store %w, %{name}[%i]
    }}"""
    array = np.array([1, 2, 3, 4], np.float32)
    pytl.compile(text)[name][1](array, 2)
    np.testing.assert_array_equal(array, [1, 2, 6, 4])
