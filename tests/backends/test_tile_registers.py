"""Products on the processor's tile registers (AMX): the same kernels wherever tests run.

Where the processor has none, or cannot be asked for them, `tile_emulation` executes their instructions; the first line
of a run says which it is.
"""

from __future__ import annotations

import sys
import warnings
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from backends import tile_emulation
from differential.cases import NEEDS_SYCL, small, zeros
from launch_kit import clean_python
from tile_products_kit import SHARED, SUMS, compare_chain, compare_gemm

import pytl
from pytl import Memref, parallel, tile
from pytl.devices import bootstrap, tile_registers
from pytl.process.settings import CACHE

pytestmark = [NEEDS_SYCL, pytest.mark.at_most(4)]


@pytest.fixture
def tiles(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Tile registers: the processor's, or in memory. That they have been tried is taken for granted."""
    bootstrap.load_sycl()
    from pytl.backends import tile_check
    from pytl.backends.numba_dpex.device import tiles as device

    if tile_registers.unavailable_reason() is not None:
        monkeypatch.setattr(tile_registers, "unavailable_reason", lambda: None)
        monkeypatch.setattr(device, "instruction", tile_emulation.instruction)
        monkeypatch.setattr(tile_registers, "multiply_f16", lambda: True)
    monkeypatch.setattr(tile_check, "fails", lambda *_: None)
    monkeypatch.setattr(backend()._tiles, "_failures", {})
    with CACHE.scope(False):  # which does not know of emulation
        yield


def backend() -> Any:
    from pytl.backends.registry import find_backend

    return find_backend("sycl")


def matrix(type_: str, rows: int, columns: int, use: str = "matrix_acc") -> str:
    return f"coopmatrix<{type_}x{rows}x{columns},{use}>"


def looped(type_: str, m: int, n: int, k: int, piece: int) -> str:
    """C += A B with the sums in a loop."""
    s = SUMS[type_]
    return f"""
    %begin = constant 0 : index
    %end = constant {k} : index
    %step = constant {piece} : index
    %c = cooperative_matrix_load.n %C[%begin, %begin] : {matrix(s, m, n)}
    %d = for %i = %begin, %end, %step init(%x = %c) -> ({matrix(s, m, n)}) {{
      %a = cooperative_matrix_load.n %A[%begin, %i] : {matrix(type_, m, piece, "matrix_a")}
      %b = cooperative_matrix_load.n %B[%i, %begin] : {matrix(type_, piece, n, "matrix_b")}
      %e = cooperative_matrix_mul_add %a, %b, %x : {matrix(s, m, n)}
      yield (%e)
    }}
    cooperative_matrix_store %d, %C[%begin, %begin]"""


def from_zero(type_: str, m: int, n: int, k: int, piece: int) -> str:
    """C := A B"""
    zero = f"constant {'0' if SUMS[type_] == 'i32' else '0.0'}"
    return looped(type_, m, n, k, piece).replace("cooperative_matrix_load.n %C[%begin, %begin]", zero)


def two_by_two(type_: str, m: int, n: int, k: int, piece: int) -> str:
    """The same with four sums of a quarter each."""
    s = SUMS[type_]
    h, w = m // 2, n // 2
    acc = matrix(s, h, w)
    return f"""
    %begin = constant 0 : index
    %end = constant {k} : index
    %step = constant {piece} : index
    %h = constant {h} : index
    %w = constant {w} : index
    %zero = constant {"0" if s == "i32" else "0.0"} : {acc}
    %c = cooperative_matrix_load.n %C[%begin, %begin] : {acc}
    %p, %q, %r, %s = for %i = %begin, %end, %step
        init(%x = %c, %y = %zero, %u = %zero, %v = %zero) -> ({acc}, {acc}, {acc}, {acc}) {{
      %a = cooperative_matrix_load.n %A[%begin, %i] : {matrix(type_, h, piece, "matrix_a")}
      %b = cooperative_matrix_load.n %B[%i, %begin] : {matrix(type_, piece, w, "matrix_b")}
      %a1 = cooperative_matrix_load.n %A[%h, %i] : {matrix(type_, h, piece, "matrix_a")}
      %b1 = cooperative_matrix_load.n %B[%i, %w] : {matrix(type_, piece, w, "matrix_b")}
      %x1 = cooperative_matrix_mul_add %a, %b, %x : {acc}
      %y1 = cooperative_matrix_mul_add %a, %b1, %y : {acc}
      %u1 = cooperative_matrix_mul_add %a1, %b, %u : {acc}
      %v1 = cooperative_matrix_mul_add %a1, %b1, %v : {acc}
      yield (%x1, %y1, %u1, %v1)
    }}
    cooperative_matrix_store %p, %C[%begin, %begin]
    cooperative_matrix_store %q, %C[%begin, %w]
    cooperative_matrix_store %r, %C[%h, %begin]
    cooperative_matrix_store %s, %C[%h, %w]"""


def single(type_: str, m: int, n: int, k: int, piece: int) -> str:
    """One product, of factors that had to be checked, transposed, and computed with, by each of two sub-groups."""
    s = SUMS[type_]
    a, b, acc = matrix(type_, m, piece, "matrix_a"), matrix(type_, piece, n, "matrix_b"), matrix(s, m, n)
    return f"""
    %begin = constant 0 : index
    %one = constant 1 : index
    %id = builtin.subgroup_id : i32
    %g = cast %id : index
    %a = cooperative_matrix_load.n.cols_checked %A[%begin, %g] : {a}
    %a2 = arith.add %a, %a : {a}
    %b = cooperative_matrix_load.n.both_checked %B[%g, %one] : {b}
    %c = constant {"1" if s == "i32" else "1.0"} : {acc}
    %d = cooperative_matrix_mul_add %a2, %b, %c : {acc}
    %e = cooperative_matrix_mul_add %a, %b, %d : {acc}
    %r = arith.sub %e, %d : {acc}
    cooperative_matrix_store.atomic_add %r, %C[%begin, %begin]"""


CASES = [
    (looped, "bf16", 32, 32, 128, 32),
    (from_zero, "i8", 32, 16, 64, 64),
    (looped, "i8", 20, 9, 80, 40),
    (looped, "bf16", 40, 24, 33, 33),
    (looped, "bf16", 72, 40, 96, 32),
    (looped, "i8", 48, 72, 1100, 100),
    (two_by_two, "bf16", 32, 24, 32, 16),
    (two_by_two, "i8", 16, 32, 64, 64),
    (single, "i8", 9, 50, 70, 70),
    (single, "bf16", 8, 16, 31, 31),
]


def kernel_of(way: Any, type_: str, m: int, n: int, k: int, piece: int) -> pytl.Kernel:
    text = f"""
    func @f(%A: memref<{type_}x{m}x{k}>, %B: memref<{type_}x?x?>, %C: memref<{SUMS[type_]}x{m}x{n}>)
        attributes{{subgroup_size=8, work_group_size=[8,{2 if way is single else 1}]}} {{
      parallel {{{way(type_, m, n, k, piece)}
      }}
    }}"""
    return pytl.compile(text)["f"]


@pytest.mark.at_most(1)
@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case[0].__name__} {case[1]} {'x'.join(map(str, case[2:]))}")
def test_products(case: Any, tiles: None) -> None:
    kernel, (_, type_, m, n, k, _) = kernel_of(*case), case
    rng = np.random.default_rng(3)
    expected = [small(rng, type_, m, k), small(rng, type_, k, n), small(rng, SUMS[type_], m, n)]
    actual = [array.copy(order="F") for array in expected]
    kernel[1](*expected, backend="reference")
    kernel[1, {"matrix": "amx"}](*actual, backend="sycl")
    np.testing.assert_array_equal(actual[2], expected[2])
    assert "vector.tile_product" in kernel.ir("vectorize", matrix="amx")


@pytest.mark.parametrize("shared", SHARED)
@pytest.mark.parametrize("transposed", ["nn", "tt"])
@pytest.mark.parametrize("type_", list(SUMS))
def test_gemms(type_: str, transposed: str, shared: str, tiles: None) -> None:
    compare_gemm("sycl", type_, transposed, shared)


def test_a_chain_of_gemms(tiles: None) -> None:
    compare_chain("sycl")


@pytest.mark.at_night
@pytest.mark.parametrize("element", ["bf16", "i8"])
def test_products_on_tiles_that_reach_beyond_the_memory(element: str, tiles: None) -> None:
    type_, sums = getattr(pytl, element), getattr(pytl, SUMS[element])

    @pytl.kernel(subgroup_size=16, work_group_size=(16, 1))
    def product(A: Memref[type_, 40, 70], B: Memref[type_, 70, 24], C: Memref[sums, 40, 24]):
        with parallel():
            for i in range(0, 40, 16):
                a, b = tile.init(A, (i, 0), shape=(16, 32)), tile.init(B, (0, 0), shape=(32, 32))
                c = tile.init(C, (i, 0), shape=(16, 32))
                total = tile.load(c)
                for _ in range(0, 70, 32):
                    total = tile.mma(tile.load(a), tile.load(b), total)
                    a, b = tile.update_offset(a, 0, 32), tile.update_offset(b, 32, 0)
                tile.store(total, c)

    rng = np.random.default_rng(4)
    a, b, c = small(rng, element, 40, 70), small(rng, element, 70, 24), small(rng, SUMS[element], 40, 24)
    wide = np.float64 if element == "bf16" else np.int64
    expected = c.astype(wide) + a.astype(wide) @ b.astype(wide)
    product[1, {"matrix": "amx"}](a, b, c, backend="sycl")
    np.testing.assert_array_equal(c.astype(wide), expected)
    assert "vector.tile_product" in product.ir("vectorize", matrix="amx")


def test_sums_of_a_loop_stay_in_registers() -> None:
    kernel = kernel_of(looped, "bf16", 32, 32, 256, 32)
    source, code = kernel.emit("numba_dpex", matrix="amx"), kernel.ir("vectorize", matrix="amx")
    head, tail = source.split("    vector_kernel(")
    assert "configure_tiles(16, 16, 64)" in head and tail.rstrip().endswith("release_tiles()")
    head, loop = code.split("(vector.tile<16x16xf32>, vector.tile<16x16xf32>, ")
    body, tail = loop.split("yield")
    assert head.count("vector.tile_load %C") == 4 and tail.count("vector.tile_store") == 4
    assert body.count("tile_product") == 4 and body.count("tile_load") == 4 and "tile_store" not in body
    # a column of B is a row of a tile as it lies in memory; A is made of pairs of columns, in front
    assert "vector.load" not in body and head.count("vector.load %A") == 2 and "vector.load %B" not in code
    code = kernel_of(from_zero, "bf16", 32, 32, 256, 32).ir("vectorize", matrix="amx")
    assert code.count("tile_zero") == 4


def test_what_configures_the_registers() -> None:
    bootstrap.load_sycl()
    from pytl.passes.targets.amx import configuration

    words = configuration(16, 9, 32)
    assert len(words) == 64 and words[:2] == b"\x01\x00"
    row_bytes = np.frombuffer(words[16:32], np.uint16)
    assert row_bytes.tolist() == [64, 64, 64, 64, 32, 32, 64, 64]
    assert list(words[48:56]) == [9, 9, 9, 9, 9, 9, 8, 8]


# The choice.


def unit_of(kernel: pytl.Kernel, **options: str) -> str:
    """What computes products, as the printed IR says it."""
    return kernel.ir("execution-strategy", **options).split('"cpu.matrix"="')[1].split('"')[0]


def test_the_printed_ir_says_what_computes(monkeypatch: pytest.MonkeyPatch) -> None:

    kernel = kernel_of(looped, "bf16", 32, 32, 64, 32)
    too_small = kernel_of(looped, "bf16", 4, 32, 64, 32)
    monkeypatch.setattr(tile_registers, "unavailable_reason", lambda: "there are none")
    assert unit_of(kernel) == unit_of(kernel, matrix="vectors") == "vectors"
    assert unit_of(kernel, matrix="amx") == "amx" and unit_of(too_small, matrix="amx") == "vectors"
    monkeypatch.setattr(tile_registers, "unavailable_reason", lambda: None)
    monkeypatch.setattr(backend()._tiles, "_failures", {})
    assert unit_of(kernel) == "amx" and unit_of(kernel, matrix="vectors") == unit_of(too_small) == "vectors"
    assert "cpu.matrix" not in kernel.ir("execution-strategy", strategy="many-items")
    halves = pytl.compile(
        "func @f(%a: f16, %A: memref<f16x16x32>, %C: memref<f32x16x16>) "
        "{ %b = constant 1.0 : f32\n gemm.n.t %a, %A, %A, %b, %C }"
    )["f"]
    assert unit_of(halves, matrix="amx", machine="amxfp16") == "amx"
    assert "cpu.matrix" not in halves.ir("execution-strategy", matrix="amx", machine="amx")
    # what was printed for tile registers may be launched where there are none
    elsewhere = pytl.compile(kernel.ir("execution-strategy", matrix="amx"))["f"]
    assert unit_of(elsewhere, matrix="vectors") == "vectors"
    assert "tile_" not in elsewhere.emit("numba_dpex", matrix="vectors")


def test_tile_registers_that_are_not_there(monkeypatch: pytest.MonkeyPatch) -> None:

    monkeypatch.setattr(tile_registers, "unavailable_reason", lambda: "the processor has none (AMX)")
    arrays = [zeros("bf16", 32, 64), zeros("bf16", 64, 32), zeros("f32", 32, 32)]
    with pytest.raises(pytl.PlatformError) as caught:
        kernel_of(looped, "bf16", 32, 32, 64, 32)[1, {"matrix": "amx"}](*arrays, backend="sycl")
    (found,) = caught.value.diagnostics
    assert found.code == "PYTL-3027"
    assert found.message == "@f is launched with matrix='amx', but the processor has none (AMX)"
    assert found.help == "leave the option out: vectors compute its products then"


@pytest.mark.at_night
def test_vectors_compute_where_a_first_product_is_wrong(tiles: None, monkeypatch: pytest.MonkeyPatch) -> None:
    from pytl.backends import tile_check

    monkeypatch.setattr(tile_check, "fails", lambda *_: "a product of i8 has a wrong result")
    kernel = kernel_of(looped, "bf16", 16, 16, 32, 32)
    a, b = (small(np.random.default_rng(5), "bf16", *shape) for shape in ((16, 32), (32, 16)))
    for told in (True, False):
        c = zeros("f32", 16, 16)
        with warnings.catch_warnings(record=True) as found:
            warnings.simplefilter("always")
            kernel[1](a, b, c, backend="sycl")
        np.testing.assert_array_equal(c, a.astype(np.float32) @ b.astype(np.float32))
        texts = [str(warning.message) for warning in found]
        device = "the tile registers of opencl:cpu:0 are not used"
        assert texts == [f"[PYTL-3027] {device}: a product of i8 has a wrong result"] * told
        assert all(warning.filename == __file__ for warning in found)
        kernel = kernel_of(looped, "bf16", 16, 16, 32, 32)
    assert unit_of(kernel) == "vectors"


def test_a_first_product_tells_right_from_wrong(monkeypatch: pytest.MonkeyPatch) -> None:
    bootstrap.load_sycl()
    from pytl.backends import tile_check
    from pytl.backends.numba_dpex.device import tiles as device

    if tile_registers.unavailable_reason() is not None:
        monkeypatch.setattr(device, "instruction", tile_emulation.instruction)
    queue = backend().queue_of([], {})
    with CACHE.scope(False):
        assert tile_check.fails(backend()._tiles, backend(), queue) is None
        monkeypatch.setattr(device, "instruction", lambda builder, name, *arguments: None)
        assert tile_check.fails(backend()._tiles, backend(), queue) == "a product of bf16 has a wrong result"
        monkeypatch.setattr(device, "configuration_dwords", None)
        assert tile_check.fails(backend()._tiles, backend(), queue).startswith("@tile_check did not compile: ")


CPUINFO = "processor\t: 0\nvendor_id\t: GenuineIntel\nflags\t\t: fpu {}\n\n"
TILED = bootstrap.ARCHITECTURES["sapphirerapids"]


@pytest.mark.parametrize(
    ("flags", "told", "permitted", "expected"),
    [
        ("avx512f", "sapphirerapids", True, "the processor has none (AMX)"),
        (TILED, None, True, "the driver of the CPU device compiles for the processor that it detects"),
        (TILED, "skx", True, "the driver of the CPU device compiles for skx"),
        (TILED, "graniterapids", False, "Linux does not let this process use them"),
        (TILED, "sapphirerapids", True, None),
    ],
)
def test_what_hinders(flags: str, told: str | None, permitted: bool, expected: str | None, monkeypatch) -> None:
    monkeypatch.setattr(bootstrap, "_cpuinfo", lambda: CPUINFO.format(flags))
    monkeypatch.setattr(bootstrap, "_driver_architecture", told)
    monkeypatch.setattr(bootstrap, "_prepared", True)
    monkeypatch.setattr(tile_registers, "_permitted", lambda: permitted)
    monkeypatch.setattr(tile_registers, "absent_reason", tile_registers.absent_reason.__wrapped__)
    assert (tile_registers.unavailable_reason.__wrapped__() or "").removesuffix(" (CL_CONFIG_CPU_TARGET_ARCH)") == (
        expected or ""
    )


@pytest.mark.parametrize(
    ("architecture", "told", "expected"),
    [
        ("graniterapids", "graniterapids", True),
        ("graniterapids", "sapphirerapids", False),
        ("sapphirerapids", "graniterapids", False),
    ],
)
def test_what_multiplies_f16(architecture: str, told: str, expected: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    flags = bootstrap.ARCHITECTURES[architecture]
    monkeypatch.setattr(bootstrap, "_cpuinfo", lambda: CPUINFO.format(flags))
    monkeypatch.setattr(bootstrap, "_driver_architecture", told)
    monkeypatch.setattr(bootstrap, "_prepared", True)
    monkeypatch.setattr(tile_registers, "have_f16", tile_registers.have_f16.__wrapped__)
    assert tile_registers.multiply_f16.__wrapped__() is expected


BUILD = """
import pytl
from pytl.devices.bootstrap import load_sycl
load_sycl()
import dpctl
from pytl.backends.registry import find_backend
from pytl.backends import tile_check
from pytl.backends.numba_dpex import launch, toolchain
from pytl.backends.base import Lowered
from pytl.backends.numba_dpex.options import pipeline
from pytl.passes import Pipeline
OPTIONS = {"strategy": "one-item", "matrix": "amx", "processor": "amxfp16"}
for element in tile_check.SUMS:
    function = tile_check.first_product(element)
    source = find_backend("sycl").source(Lowered(Pipeline(pipeline(OPTIONS)).run_on(function), OPTIONS))
    built = toolchain.build(*source.to_build)
    launch.load(dpctl.SyclQueue("cpu"), built)
    names = ("ldtilecfg", "tdpbf16ps", "tdpfp16ps", "tdpbssd")
    print(element, *(name for name in names if name.encode() in built.spirv))
"""


@pytest.mark.at_night
@pytest.mark.skipif(sys.platform != "linux", reason="the driver takes other processors' names on Linux")
def test_the_driver_compiles_the_instructions() -> None:
    """Also where the processor has them not: then nothing may be launched."""
    done = clean_python(BUILD, CL_CONFIG_CPU_TARGET_ARCH="graniterapids", PYTL_CACHE="0")
    assert done.stdout == "bf16 ldtilecfg tdpbf16ps\nf16 ldtilecfg tdpfp16ps\ni8 ldtilecfg tdpbssd\n", done.stderr
