"""Products on this processor's tile registers (AMX) through MLIR.

Where it has none, functions of `tile_emulation.c` are linked in the place of their instructions.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from differential.cases import zeros
from tile_products_kit import SHARED, SUMS, compare_chain, compare_gemm

import pytl
from pytl.backends import tile_check
from pytl.backends.mlir import amx, artefacts, emit
from pytl.backends.mlir.toolchain import find_compiler
from pytl.backends.registry import find_backend
from pytl.devices import tile_registers
from pytl.mlir.text.types import Function
from pytl.process.settings import CACHE

pytestmark = [pytest.mark.tools_of("mlir"), pytest.mark.at_most(4)]
EMULATION = Path(__file__).with_name("tile_emulation.c")


@pytest.fixture
def emulated(monkeypatch: pytest.MonkeyPatch) -> None:
    """Tile registers in memory, where the processor has none."""
    if tile_registers.absent_reason() is not None or not tile_registers.have_f16():
        _emulate(monkeypatch)


@pytest.fixture
def tiles(emulated: None, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """That they have been tried is taken for granted."""
    monkeypatch.setattr(tile_check, "fails", lambda *_: None)
    monkeypatch.setattr(find_backend("mlir")._tiles, "_failures", {})
    with CACHE.scope(False):  # which does not know of emulation
        yield


def _emulate(monkeypatch: pytest.MonkeyPatch) -> None:
    called: dict[str, Function] = {}
    declare_called, link_shared = emit.Emitter.declare_called, artefacts.link_shared

    def instruction(to: Any, name: str, *operands: Any) -> None:
        called[f"emulated_{name}"] = Function(tuple(operand.type for operand in operands), ())
        to.do("func.call", operands, callee=f"@emulated_{name}")

    def declare(emitter: Any) -> None:
        declare_called(emitter)
        for name, type_ in sorted(called.items()):
            emitter.to.declare(name, type_)
        called.clear()

    def linked(linker: str, objects: list[bytes], function: Any, *more: str) -> bytes:
        emulation = artefacts.compiled([str(find_compiler())], EMULATION, ["-fPIC"], function)
        return link_shared(linker, [*objects, emulation], function, *more)

    monkeypatch.setattr(tile_registers, "absent_reason", lambda: None)
    monkeypatch.setattr(tile_registers, "have_f16", lambda: True)
    monkeypatch.setattr(amx, "instruction", instruction)
    monkeypatch.setattr(emit.Emitter, "declare_called", declare)
    monkeypatch.setattr(artefacts, "link_shared", linked)


@pytest.mark.parametrize("shared", SHARED)
@pytest.mark.parametrize("transposed", ["nn", "tt"])
@pytest.mark.parametrize("type_", list(SUMS))
def test_gemms(type_: str, transposed: str, shared: str, tiles: None) -> None:
    compare_gemm("mlir", type_, transposed, shared)


def test_a_chain_of_gemms(tiles: None) -> None:
    compare_chain("mlir")


def test_a_first_product_tells_right_from_wrong(emulated: None, monkeypatch: pytest.MonkeyPatch) -> None:
    backend = find_backend("mlir")
    with CACHE.scope(False):
        assert tile_check.fails(backend._tiles, backend, None) is None
        monkeypatch.setattr(amx, "instruction", lambda to, name, *operands: None)
        assert tile_check.fails(backend._tiles, backend, None) == "a product of bf16 has a wrong result"


TEXT = """func @f(%A: memref<bf16x16x32>, %B: memref<bf16x32x16>, %C: memref<f32x16x16>) {
  %a = constant 1.0 : bf16
  %c = constant 1.0 : f32
  gemm.n.n %a, %A, %B, %c, %C
}"""


def test_tile_registers_that_are_not_there(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tile_registers, "absent_reason", lambda: "the processor has none (AMX)")
    kernel = pytl.compile(TEXT)["f"]
    arrays = [zeros("bf16", 16, 32), zeros("bf16", 32, 16), zeros("f32", 16, 16)]
    with pytest.raises(pytl.PlatformError) as caught:
        kernel[1, {"matrix": "amx"}](*arrays, backend="mlir")
    (found,) = caught.value.diagnostics
    assert found.code == "PYTL-3027"
    assert found.message == "@f is launched with matrix='amx', but the processor has none (AMX)"
    kernel[1](*arrays, backend="mlir")
    assert "tile_product" not in kernel.ir("vectorize", backend="mlir")


@pytest.mark.parametrize("machine", ["amx", "amxfp16"])
def test_llvm_makes_the_instructions(machine: str) -> None:
    kernel = pytl.compile(TEXT if machine == "amx" else TEXT.replace("bf16", "f16"))["f"]
    text = kernel.emit("mlir", stage="asm", matrix="amx", machine=machine)
    product = "tdpbf16ps" if machine == "amx" else "tdpfp16ps"
    names = ("ldtilecfg", "tileloadd", product, "tilestored", "tilerelease")
    assert all(name in text for name in names) and text.index("ldtilecfg") < text.index(product)
