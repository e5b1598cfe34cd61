"""Vector code on tiles and on vectors of any length as the backend `arm_sme` compiles it: as the oracle executes it."""

from __future__ import annotations

import numpy as np
import pytest

import pytl
from pytl.backends.mlir.tiles import TILE_CODE
from pytl.ir.text import parse_text
from pytl.ir.verifier import find_problems
from pytl.passes.targets import vector_tiles as tiles

# Of a column, QEMU 7 does not clear inactive numbers that are loaded: all are active.
TEXT = """func @f(%a: memref<f32x8x8>, %b: memref<f32x8x8>, %h: memref<f16x16>,
                %r: memref<f32x8x64>) {
  vector.code {
    %c0 = constant 0 : index
    %c1 = constant 1 : index
    %c3 = constant 3 : index
    %c8 = constant 8 : index
    %c16 = constant 16 : index
    %c24 = constant 24 : index
    %scale = vector.scale : index
    %five = arith.add %c3, %scale : index
    %m = vector.mask %five : vector<[4]xbool>
    %all = vector.mask %c8 : vector<[4]xbool>
    %x = vector.tile_load %a[%c0, %c0] : vector.tile<[4]x[4]xf32>
    %y = vector.slice_load.row %b[%c0, %c1] mask %m, %x[%c3] : vector.tile<[4]x[4]xf32>
    %z = vector.slice_load.column %b[%c0, %c3] mask %all, %y[%c1] : vector.tile<[4]x[4]xf32>
    %row = vector.tile_extract.row %z[%c3] : vector<[4]xf32>
    %column = vector.tile_extract.column %z[%c1] : vector<[4]xf32>
    %s = vector.tile_insert.column %row, %z[%five] : vector.tile<[4]x[4]xf32>
    %t = vector.tile_insert.row %column, %s[%c0] : vector.tile<[4]x[4]xf32>
    %u = vector.tile_outer %row, %column, %t mask %m, %all : vector.tile<[4]x[4]xf32>
    vector.tile_store %u, %r[%c0, %c0]
    vector.slice_store.row %u[%c1], %r[%c0, %c8]
    vector.slice_store.column %u[%c1], %r[%c0, %c16] mask %m
    %halves = vector.load %h[%c0] : vector<[8]xf16>
    %low = vector.part %halves[0] : vector<[4]xf16>
    %high = vector.part %halves[4] : vector<[4]xf16>
    %turned = vector.interleave %high, %low : vector<[8]xf16>
    %zero = vector.tile_zero : vector.tile<[4]x[4]xf32>
    %w = vector.tile_outer %halves, %turned, %zero : vector.tile<[4]x[4]xf32>
    vector.tile_store %w, %r[%c0, %c24]
    %bits = vector.bitcast %turned : vector<[4]xf32>
    %none = vector.tile_undefined : vector.tile<[4]x[4]xf32>
    %v = for %k = %c0, %c8 init(%e=%none) -> (vector.tile<[4]x[4]xf32>) {
      %f = vector.tile_insert.row %bits, %e[%k] : vector.tile<[4]x[4]xf32>
      yield (%f)
    }
    %group = vector.tile_extract.column %v[%c3] : vector<[4]xf32>
    %back = vector.bitcast %group : vector<[8]xf16>
    vector.store %back, %h[%c0]
    %heap = vector.buffer(%c16) {"alignment"=64} : memref<f32x8x?,local>
    vector.store %row, %heap[%c0, %c3]
    %again = vector.load %heap[%c0, %c3] : vector<[4]xf32>
    vector.release %heap
    %total = vector.reduce.add %again : f32
    store %total, %b[%c0, %c0]
  }
}"""


def test_every_instruction_on_tiles_is_compiled_or_for_other_machines() -> None:
    parsed = parse_text(TEXT, internal=True)
    assert not parsed.diagnostics.errors and not find_problems(parsed.module).errors
    used = {type(op) for op in parsed.module.functions[0].walk()}
    instructions = {
        each for each in vars(tiles).values() if isinstance(each, type) and each.__module__ == tiles.__name__
    }
    named = {each for each in instructions if each.__name__[0] != "_"}
    assert named - set(TILE_CODE) == {tiles.Product}  # of AMX
    assert set(TILE_CODE) <= used


@pytest.mark.tools_of("arm_sme")
def test_what_tiles_give() -> None:
    parsed = parse_text(TEXT, internal=True)
    rng = np.random.default_rng(1)

    def numbers(dtype: type, *shape: int) -> np.ndarray:
        return np.asfortranarray(rng.integers(-4, 5, shape).astype(dtype))

    arrays = [
        *(numbers(np.float32, 8, 8) for _ in range(2)),
        numbers(np.float16, 16),
        numbers(np.float32, 8, 64),
    ]
    results = []
    for backend, options in (("reference", {}), ("arm_sme", {"vector_length": 256})):
        copies = [array.copy(order="F") for array in arrays]
        pytl.Kernel(module=parsed.module)[1, options](*copies, backend=backend)
        results.append(copies)
    for expected, actual in zip(*results):
        np.testing.assert_array_equal(actual, expected)
