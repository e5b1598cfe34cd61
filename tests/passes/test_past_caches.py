"""Stores past the caches: of what a launch only writes, where all of its arrays exceed them."""

from __future__ import annotations

import numpy as np
import pytest
from differential.cases import NEEDS_SYCL
from passes_kit import cache_of, checked, stage, text_after

import pytl
from pytl import Memref, f32, f64, foreach, gemm, group_id
from pytl.backends.registry import find_backend
from pytl.devices.processors import Processor
from pytl.launch import choice
from pytl.launch.binding import bind
from pytl.launch.calls import match
from pytl.launch.specialization import specialize
from pytl.ops.launch_defaults import BEGINS_AT, PAST_CACHES
from pytl.passes.analysis.accesses import only_written
from pytl.passes.targets.host import find_machine

OPTIONS = {"items": 4, "interleave": 1, "processor": "zen4", PAST_CACHES: 1}
LAST = 4096
"""Bytes of the last cache in launches here."""


def product(element: str, rows: int, beta: str = "0.0", columns: str = "") -> str:
    one, beta = ("[1.0, 0.0]", f"[{beta}, 0.0]") if element == "c32" else ("1.0", beta)
    types = (
        f"memref<{element}x{rows}x8x?{columns}>",
        f"memref<{element}x8x6>",
        f"memref<{element}x{rows}x6x?{columns}>",
    )
    return f"""func @f(%a: {types[0]}, %b: {types[1]}, %c: {types[2]}) {{
      %g = builtin.group_id : index
      %x = subview %a[:, :, %g] : memref<{element}x{rows}x8>
      %y = subview %c[:, :, %g] : memref<{element}x{rows}x6>
      gemm.n.n {one}, %x, %b, {beta}, %y
    }}"""


ROWS = """func @f(%x: memref<f32x32x16x?>, %y: memref<f32x32x16x?>) {
  %g = builtin.group_id : index
  %0 = constant 0 : index
  %16 = constant 16 : index
  %32 = constant 32 : index
  %none = constant 0.0 : f32
  foreach (%t) = (%0), (%16) {
    %s = for %i = %0, %32 init(%sum=%none) -> (f32) {
      %v = load %x[%i, %t, %g] : f32
      %more = arith.add %sum, %v : f32
      yield (%more)
    }
    for %i = %0, %32 {
      %v = load %x[%i, %t, %g] : f32
      %w = arith.sub %v, %s : f32
      store %w, %y[%i, %t, %g]
    }
  }
}"""
POINTS = """func @f(%x: memref<f64x4x8x?>, %y: memref<f64x4x8x?>) {
  %g = builtin.group_id : index
  %0 = constant 0 : index
  %4 = constant 4 : index
  %8 = constant 8 : index
  foreach (%i, %j) = (%0, %0), (%4, %8) {
    %v = load %x[%i, %j, %g] : f64
    %w = arith.add %v, %v : f64
    store %w, %y[%i, %j, %g]
  }
}"""


@pytest.mark.parametrize(
    ("text", "stores"),
    [
        pytest.param(product("f32", 16), 6, id="whole lines"),
        pytest.param(product("f64", 16), 12, id="several lines"),
        pytest.param(product("c32", 8), 6, id="complex numbers"),
        pytest.param(product("f32", 8), 6, id="half a line, and half of the next column"),
        pytest.param(ROWS, 16, id="rows that are turned in registers"),
        pytest.param(POINTS, 1, id="points of columns without gaps"),
    ],
)
def test_whole_lines_are_stored_past_the_caches(text: str, stores: int) -> None:
    code = stage(text, "vectorize", **OPTIONS)
    assert code.count('"non_temporal"=') == stores
    body, prefetching = code.split("prefetching if")
    assert "non_temporal" not in body and "vector.fence" in prefetching


@pytest.mark.parametrize(
    ("text", "options"),
    [
        pytest.param(product("f32", 16, beta="1.0"), {}, id="a result that is read"),
        pytest.param(product("f32", 12), {}, id="columns that end in a line"),
        pytest.param(product("f64", 2), {}, id="a quarter of a line"),
        pytest.param(product("f32", 16), {"processor": "avx2"}, id="a processor that gains nothing"),
        pytest.param(product("f32", 16), {PAST_CACHES: 0}, id="arrays that caches hold"),
        pytest.param(product("f32", 16, columns=",strided<1,16,?>"), {}, id="work-groups anywhere"),
    ],
)
def test_other_stores_stay_as_they_are(text: str, options: dict[str, object]) -> None:
    code = stage(text, "vectorize", **{**OPTIONS, **options})
    assert "non_temporal" not in code and "vector.fence" not in code


@pytest.mark.parametrize("begins_at", [0, 16])
def test_arrays_begin_at_lines_or_at_pieces_of_them(begins_at: int) -> None:
    code = stage(product("f32", 16), "vectorize", **{**OPTIONS, BEGINS_AT: begins_at})
    assert code.count(f'"non_temporal"={begins_at or 64}') == 6
    assert f'cpu.begins_at_line %c {{"line"={begins_at or 64}}}' in code
    # a piece alone would not fill its line
    short = stage(product("f32", 4), "vectorize", **{**OPTIONS, BEGINS_AT: begins_at})
    assert "non_temporal" not in short


def test_results_are_not_prefetched() -> None:
    """Nor are results stored so where work-groups use less than caches hold, or where an array begins elsewhere."""
    with cache_of(1000):
        code = text_after("cpu-items", product("f32", 16), **{**OPTIONS, "prefetch": 2, PAST_CACHES: 1000})
    prefetching = code[code.index("prefetching if") :]
    assert "cpu.prefetch" in prefetching and "cpu.prefetch %y" not in prefetching
    assert "constant 1000 : index" in code and 'cpu.begins_at_line %c {"line"=64}' in code and "arith.and" in code


def test_what_is_only_written() -> None:
    (function,) = checked(
        """func @f(%a: memref<f32x4>, %b: memref<f32x4>, %c: memref<f32x4>, %d: memref<f32x4>, %n: f32) {
          axpby.n 1.0, %a, 0.0, %b
          axpby.n 1.0, %a, 1.0, %c
          axpby.n 1.0, %a, %n, %d
        }"""
    ).functions
    assert [each.name for each in only_written(function)] == ["b"]


# Launches.


@pytest.fixture
def small_caches(monkeypatch: pytest.MonkeyPatch) -> None:
    """A processor whose caches small arrays exceed."""
    small = Processor("x86_64", caches={"third_level": LAST, "line": 64})
    monkeypatch.setattr(choice, "running_processor", lambda: small)


def at(shape: tuple[int, ...], dtype: str, distance: int) -> np.ndarray:
    """Zeros, so many bytes behind the beginning of a cache line."""
    size = int(np.prod(shape)) * np.dtype(dtype).itemsize
    memory = np.zeros(size + 128, np.uint8)
    begin = -memory.ctypes.data % 64 + distance
    return memory[begin : begin + size].view(dtype).reshape(shape, order="F")


def options_of(kernel: pytl.Kernel, backend: str) -> list[bool]:
    """Of each function that was lowered, whether it stores past the caches."""
    return [PAST_CACHES in each.options for name, each, _ in kernel.current().launches.all_lowered() if name == backend]


def kernels() -> list[tuple[pytl.Kernel, str]]:
    @pytl.kernel
    def products(A: Memref[f32, 16, 8, ...], B: Memref[f32, 8, 16], C: Memref[f32, 16, 16, ...]):
        gemm(1.0, A[:, :, group_id()], B, 0.0, C[:, :, group_id()])

    @pytl.kernel
    def points(A: Memref[f64, 8, 8, ...], B: Memref[f64, 8, 8], C: Memref[f64, 8, 8, ...]):
        g = group_id()
        for i, j in foreach((0, 0), (8, 8)):
            C[i, j, g] = A[i, j, g] * 2.0 + B[i, j]

    return [(products, "float32"), (points, "float64")]


@pytest.mark.parametrize(
    "backend", [pytest.param("sycl", marks=NEEDS_SYCL), pytest.param("mlir", marks=pytest.mark.tools_of("mlir"))]
)
@pytest.mark.parametrize("number", [0, 1])
def test_launches_store_past_the_caches(backend: str, number: int, small_caches: None) -> None:
    kernel, dtype = kernels()[number]
    generator, items = np.random.default_rng(number), 50
    rows, columns = (16, 16) if number == 0 else (8, 8)
    b = np.asfortranarray(generator.random((8, columns)).astype(dtype))
    for distance in (0, 16, 64, 8):  # the later ones by the plan of an earlier one
        a, c = at((rows, 8, items), dtype, distance), at((rows, columns, items), dtype, distance)
        a[...] = generator.random(a.shape)
        kernel[items](a, b, c, backend=backend)
        expected = np.einsum("ikg,kj->ijg", a, b) if number == 0 else a * 2 + b[:, :, None]
        np.testing.assert_allclose(c, expected, rtol=1e-5)
    host = find_machine("host")
    assert host is not None and any(options_of(kernel, backend)) == host.stores_past_caches


@pytest.mark.parametrize(
    ("items", "distance", "beta", "processor", "chosen"),
    [
        (50, 0, 0.0, "zen4", {PAST_CACHES: LAST}),
        (50, 16, 0.0, "zen4", {PAST_CACHES: LAST, BEGINS_AT: 16}),
        (2, 0, 0.0, "zen4", {}),
        (50, 4, 0.0, "zen4", {}),
        (50, 0, 1.0, "zen4", {}),
        (50, 0, 0.0, "avx2", {}),
        (50, 0, 0.0, "neon", {}),
    ],
)
def test_what_launches_choose(
    items: int, distance: int, beta: float, processor: str, chosen: dict[str, int], small_caches: None
) -> None:
    @pytl.kernel
    def products(A: Memref[f32, 16, 8, ...], B: Memref[f32, 8, 16], C: Memref[f32, 16, 16, ...]):
        gemm(1.0, A[:, :, group_id()], B, beta, C[:, :, group_id()])

    arrays = (
        at((16, 8, items), "float32", distance),
        np.ones((8, 16), np.float32, order="F"),
        at((16, 16, items), "float32", distance),
    )
    launches = products.current().launches
    call = match(launches.signature, arrays, {}, items, {}, find_backend("reference"))
    found = choice.completed(bind(specialize(launches, call), call), {"processor": processor})
    assert {word: found.options[word] for word in (PAST_CACHES, BEGINS_AT) if word in found.options} == chosen
    assert found.is_general


def test_a_result_that_holds_sums_is_stored_as_usual():
    text = """func @f(%as: memref<f32x512x8x?>, %b: memref<f32x8>, %cs: memref<f32x512x?>) {
      %g = builtin.group_id : index
      %a = subview %as[0:512, 0:8, %g] : memref<f32x512x8>
      %c = subview %cs[0:512, %g] : memref<f32x512>
      gemv.n 1.0, %a, %b, 0.0, %c
    }"""
    shown = text_after("vectorize", text, **OPTIONS)
    assert "vector.store" in shown and "non_temporal" not in shown and "vector.fence" not in shown
    fewer = text.replace("512", "64")  # registers hold the sums
    assert "non_temporal" in text_after("vectorize", fewer, **OPTIONS)
