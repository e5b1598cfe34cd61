"""`pytl.tune` on the backend `mlir`, and its options of vector code."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import pytl

TEXT = """func @product(%a: memref<f32x64x9x?>, %b: memref<f32x9x20>, %c: memref<f32x64x20x?>) {
  %g = builtin.group_id : index
  %x = subview %a[0:64, 0:9, %g] : memref<f32x64x9>
  %y = subview %c[0:64, 0:20, %g] : memref<f32x64x20>
  gemm.n.n 1.0, %x, %b, 1.0, %y
}"""
GROUPS = 40
OPTIONS = {"interleave": 2, "prefetch": 3, "tile": "2x4u2"}

pytestmark = pytest.mark.tools_of("mlir")


def arrays() -> list[np.ndarray]:
    random = np.random.default_rng(0)
    shapes = ((64, 9, GROUPS), (9, 20), (64, 20, GROUPS))
    return [np.asfortranarray(random.integers(-3, 4, shape).astype(np.float32)) for shape in shapes]


def test_what_is_found_is_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTL_CACHE_DIR", str(tmp_path))
    kernel, (a, b, c) = pytl.compile(TEXT)["product"], arrays()
    before = c.copy()
    found = pytl.tune(kernel[GROUPS], (a, b, c), budget=4.0, backend="mlir", progress=False, print_table=False)
    assert np.array_equal(c, before)
    assert found.options.keys() == OPTIONS.keys()
    assert {name for trial in found.trials for name, value in trial.options.items() if value != "auto"}
    kernel[GROUPS](a, b, c, backend="mlir")
    assert np.array_equal(c, before + np.einsum("ikg,kj->ijg", a, b))


@pytest.mark.at_most(1)
@pytest.mark.parametrize("name", OPTIONS)
def test_each_option_decides_the_code_alone(name: str) -> None:
    kernel, (a, b, c) = pytl.compile(TEXT)["product"], arrays()
    option = {name: OPTIONS[name]}
    expected = c + np.einsum("ikg,kj->ijg", a, b)
    kernel[GROUPS, option](a, b, c, backend="mlir")
    assert np.array_equal(c, expected)
    if name != "prefetch":  # what is in the cache is not prefetched
        assert kernel.emit("mlir", **option) != kernel.emit("mlir")


def test_a_tile_that_is_none() -> None:
    kernel, data = pytl.compile(TEXT)["product"], arrays()
    with pytest.raises(pytl.PlatformError, match="the option tile is '2y4'"):
        kernel[GROUPS, {"tile": "2y4"}](*data, backend="mlir")
    with pytest.raises(pytl.PlatformError, match="the backend arm_sme has no option `tile`"):
        kernel[GROUPS, {"tile": "2x4"}](*data, backend="arm_sme")
