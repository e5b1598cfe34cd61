"""`k.explain()`: what it counts in vector code, what it predicts, and what it finds in assembly."""

from __future__ import annotations

from pathlib import Path

import pytest

import pytl
from pytl import Memref, axpby, f32, gemm
from pytl.ir.text import parse_text
from pytl.kernels.explanation import Explanation
from pytl.tools.cli import main

TEXT = """func @f(%a: memref<f32x64x{k}>, %b: memref<f32x{k}x40>, %c: memref<f32x64x40>) {{
  gemm.n.n 1.0, %a, %b, 1.0, %c
}}"""


DEPTH = 1024
"""Of so large a product, work-groups are not interleaved."""
SLICE = 64
"""The terms that its sum is computed in slices of with AVX2."""


def product(k: object = DEPTH) -> pytl.Kernel:
    return pytl.compile(TEXT.format(k=k))["f"]


@pytl.kernel
def two(A: Memref[f32, 64, 64], B: Memref[f32, 64, 64], x: Memref[f32, 1000], y: Memref[f32, 1000]):
    axpby(2.0, x, 0.0, y)
    gemm(1.0, A, A, 1.0, B)  # squared


@pytest.mark.parametrize("backend", ["sycl", "numba_dpex", "opencl", "mlir"])
def test_a_product(backend: str) -> None:
    explained = product().explain(backend=backend, machine="avx2", assembly=False)
    assert explained.kernel == "f" and explained.machine == "avx2" and not explained.notes
    assert explained.backend == ("sycl" if backend == "numba_dpex" else backend)
    loop = explained.loops[0]
    tile = loop.tile
    assert tile is not None and (tile.element, tile.lanes) == ("f32", 8)
    assert loop.fmas == tile.vectors * tile.columns * tile.steps
    assert loop.loads == (tile.vectors + tile.columns) * tile.steps
    assert loop.stores == loop.others == 0
    assert loop.iterations == SLICE // tile.steps
    assert loop.cycles == loop.bounds[loop.limit] == max(loop.bounds.values())
    assert loop.bounds["FMA ports"] == loop.fmas / 2
    assert loop.assembly is None and loop.line == 2 and loop.source == "gemm.n.n 1.0, %a, %b, 1.0, %c"


@pytest.mark.parametrize(("type_", "sums", "fast"), [("i8", "i32", False), ("bf16", "f32", True)])
def test_products_of_pairs(type_: str, sums: str, fast: bool) -> None:
    text = TEXT.format(k=128).replace("f32", type_).replace(f"%c: memref<{type_}", f"%c: memref<{sums}")
    text = text.replace("1.0", "1") if type_ == "i8" else text
    loop = pytl.compile(text)["f"].explain(machine="zen4", assembly=False, fastmath=fast).loops[-1]
    tile = loop.tile
    assert tile is not None and (tile.element, tile.lanes) == (sums, 16)
    # an instruction adds two terms, and loads the pair of the right factor itself
    assert 2 * loop.fmas == tile.vectors * tile.columns * tile.steps
    assert loop.loads == tile.vectors * tile.steps + loop.fmas


def test_what_a_machine_changes() -> None:
    of = {name: product().explain(machine=name, assembly=False).loops[0] for name in ("avx2", "avx512", "neon")}
    lanes = {name: loop.tile and loop.tile.lanes for name, loop in of.items()}
    assert lanes == {"avx2": 8, "avx512": 16, "neon": 4}


def test_sums_of_unknown_length() -> None:
    explained = product("?").explain(machine="avx2", assembly=False)
    assert None in {loop.iterations for loop in explained.loops}
    assert "any number of iterations" in str(explained)


def test_a_large_left_factor_comes_from_memory() -> None:
    text = """func @f(%x: memref<f32x4000000>, %y: memref<f32x4000000>) { axpby.n 1.0, %x, 1.0, %y }"""
    (loop,) = pytl.compile(text)["f"].explain(machine="avx2", assembly=False).loops
    assert loop.tile is None and loop.limit == "memory"
    assert loop.loads == 2 * loop.stores


def test_the_lines_of_the_source() -> None:
    explained = two.explain(machine="avx2", assembly=False)
    sources = list(dict.fromkeys(loop.source for loop in explained.loops))
    assert sources == ["axpby(2.0, x, 0.0, y)", "gemm(1.0, A, A, 1.0, B)  # squared"]
    lines = Path(__file__).read_text().splitlines()
    assert all(loop.line is not None and lines[loop.line - 1].strip() == loop.source for loop in explained.loops)


def test_vector_code_has_the_lines_of_the_source() -> None:
    shown = two.ir("vector", machine="avx2", items=1)
    remarks = [line.partition(": ")[2] for line in shown.splitlines() if line.lstrip().startswith("; line ")]
    assert remarks == ["axpby(2.0, x, 0.0, y)", "gemm(1.0, A, A, 1.0, B)  # squared"]
    plain = parse_text(shown, internal=True).module
    assert str(plain) == "\n".join(line for line in shown.splitlines() if not line.lstrip().startswith(";"))


def test_the_table() -> None:
    shown = str(product().explain(backend="mlir", machine="avx2", assembly=False))
    assert shown.startswith(
        """f on mlir, for avx2: 2 inner loops

line 2: gemm.n.n 1.0, %a, %b, 1.0, %c  (4 such loops)
  32 x 3 of f32: 4 vectors of 8, 3 columns; 4 steps, 16 iterations
             FMAs  loads  stores  other  spills  reloads
  vector IR    48     28       0      0
  24.0 cycles, limited by FMA ports (load ports 14.0, instructions 13.2, latency 16.0, memory 23.3)"""
    )


@pytest.mark.at_most(1)
@pytest.mark.tools_of("mlir")
@pytest.mark.parametrize("machine", ["avx2", "avx512", "neon"])
def test_the_loop_in_the_assembly(machine: str) -> None:
    loop = product().explain(backend="mlir", machine=machine).loops[0]
    code = loop.assembly
    assert code is not None and code.fmas == loop.fmas * loop.unrolled
    assert code.spills <= (2 if machine == "neon" else 0) and code.instructions >= code.fmas + code.stores
    assert "  assembly " in str(product().explain(backend="mlir", machine=machine))


def test_the_loop_in_the_code_of_the_driver() -> None:
    explained = product().explain()
    assert isinstance(explained, Explanation)
    assert explained.notes or any(loop.assembly is not None for loop in explained.loops)


def test_kernels_without_vector_code() -> None:
    text = "func @f(%x: memref<i32x8>) { parallel { %i = builtin.subgroup_local_id : i32  store %i, %x[0] } }"
    explained = pytl.compile(text)["f"].explain(machine="avx2")
    assert not explained.loops
    assert "note: there is no vector code, since many work-items share a work-group: " in str(explained)
    assert "assembly" not in str(explained)


def test_backends_without_vector_code() -> None:
    for backend in ("reference", "xegpu"):
        with pytest.raises(pytl.PytlError) as error:
            product().explain(backend=backend)
        assert str(error.value).splitlines()[1] == f"error[PYTL-3093]: the backend {backend} makes no vector code"


def test_outer_products() -> None:
    explained = product().explain(backend="arm_sme", assembly=False)
    assert explained.machine == "sme"
    assert max(loop.fmas for loop in explained.loops) == 32  # two tiles by two, for eight steps
    assert product().explain(backend="arm_sme", machine="neon", assembly=False).loops[0].tile is not None


def test_a_machine_that_does_not_exist() -> None:
    with pytest.raises(pytl.PytlError, match=r"PYTL-3012.*the option machine is 'avx1024'"):
        product().explain(machine="avx1024")


def test_on_the_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "k.tl"
    file.write_text(TEXT.format(k=DEPTH))
    assert main(["explain", str(file), "--machine", "avx2", "--no-assembly", "--backend", "mlir"]) == 0
    expected = str(product().explain(backend="mlir", machine="avx2", assembly=False))
    assert capsys.readouterr().out.rstrip() == expected
    assert main(["explain", str(file), "--backend", "reference"]) == 1
    assert "error[PYTL-3093]" in capsys.readouterr().err
    assert main(["explain", "PYTL-3093"]) == 0
    assert "PYTL-3093" in capsys.readouterr().out
    assert main(["explain", "PYTL-9999"]) == 1
    assert "there is no code PYTL-9999" in capsys.readouterr().err
