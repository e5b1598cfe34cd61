"""amx-products: what tile registers compute, executed by the oracle."""

from itertools import product

import pytest
from passes_kit import after, assert_meaning_kept

from pytl.passes import AmxProducts, Canonicalize, ExecutionStrategy, LongerProducts, LowerCollectives, WorkItemLoops

STEPS = (
    ExecutionStrategy(tiles=True),
    WorkItemLoops(whole_matrices=True),
    LowerCollectives(only=("axpby",), vectors=True),
    Canonicalize(),
    LongerProducts(),
    AmxProducts(),
)
SUMS = {"bf16": "f32", "i8": "i32"}


def scaled_product(type_, m, n, k, step, transpose="n", initial="load"):
    """A sum in a loop, which is no product as it is written, because it is scaled before it is stored."""
    s = SUMS[type_]
    acc = f"coopmatrix<{s}x{m}x{n},matrix_acc>"
    first = "constant 0" if s == "i32" else "constant 0.0"
    if initial == "load":
        first = "cooperative_matrix_load.n %C[%0, %0]"
    at = "%0, %k" if transpose == "n" else "%k, %0"
    shape = f"{m}x{k}" if transpose == "n" else f"{k}x{m}"
    return f"""func @f(%A: memref<{type_}x{shape}>, %B: memref<{type_}x{k}x{n}>, %C: memref<{s}x{m}x{n}>)
        attributes{{subgroup_size=4, work_group_size=[4,1]}} {{
      parallel {{
        %0 = constant 0 : index
        %end = constant {k} : index
        %step = constant {step} : index
        %two = constant {2 if s == "i32" else 2.0} : {s}
        %c = {first} : {acc}
        %d = for %k = %0, %end, %step init(%x = %c) -> ({acc}) {{
          %a = cooperative_matrix_load.{transpose} %A[{at}] : coopmatrix<{type_}x{m}x{step},matrix_a>
          %b = cooperative_matrix_load.n %B[%k, %0] : coopmatrix<{type_}x{step}x{n},matrix_b>
          %e = cooperative_matrix_mul_add %a, %b, %x : {acc}
          yield (%e)
        }}
        %r = cooperative_matrix_scale %two, %d : {acc}
        cooperative_matrix_store %r, %C[%0, %0]
      }}
    }}"""


@pytest.mark.at_most(4)
@pytest.mark.parametrize("type_", ["bf16", "i8"])
@pytest.mark.parametrize(
    "sizes",
    # one tile, several ones, blocks of them, and what does not fill them, in each direction
    [(16, 16, 64, 64), (32, 32, 96, 32), (8, 9, 40, 20), (24, 20, 70, 35), (40, 72, 66, 33), (80, 16, 128, 64)],
    ids=lambda sizes: "x".join(map(str, sizes[:3])),
)
def test_products_mean_the_same(type_, sizes):
    source = scaled_product(type_, *sizes)
    changed = assert_meaning_kept(source, *STEPS, exact=False, groups=1)
    text = str(changed)
    assert "vector.tile_product" in text and "gemm" not in text and "for %k" not in text
    assert f'"cpu.tiles"=[{16 if sizes[0] > 8 else 8},{min(sizes[1], 16)},' in text


@pytest.mark.parametrize(("transpose", "initial"), product("nt", ("load", "zero")))
def test_factors_and_sums(transpose, initial):
    source = scaled_product("bf16", 16, 16, 64, 32, transpose, initial)
    text = str(assert_meaning_kept(source, *STEPS, exact=False, groups=1))
    assert ("axpby.t" in text) == (transpose == "t") and "vector.tile_product" in text


def test_what_is_left_to_vectors():
    for sizes in ((4, 16, 64, 32), (16, 4, 64, 32), (16, 16, 6, 6)):
        text = str(after(scaled_product("bf16", *sizes), *STEPS))
        assert "gemm" in text and "tile" not in text
