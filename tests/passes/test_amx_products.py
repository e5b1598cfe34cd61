"""amx-products: what tile registers compute, executed by the oracle."""

from itertools import product

import pytest
from passes_kit import after, assert_meaning_kept

from pytl.passes import AmxProducts, Canonicalize, ExecutionStrategy, LongerProducts, LowerCollectives, WorkItemLoops
from pytl.passes.targets.machine import MACHINES

STEPS = (
    ExecutionStrategy(tiles=("bf16", "f16", "i8")),
    WorkItemLoops(whole_matrices=True),
    LowerCollectives(only=("axpby",), vectors=True),
    Canonicalize(),
    LongerProducts(),
    AmxProducts(),
)
SUMS = {"bf16": "f32", "f16": "f32", "i8": "i32"}
GEMM_STEPS = (ExecutionStrategy(tiles=("bf16", "f16", "i8")), Canonicalize(), AmxProducts(MACHINES["amxfp16"]))


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


# one tile, several ones, blocks of them, and what does not fill them, in each direction
SIZES = [(16, 16, 64, 64), (32, 32, 96, 32), (8, 9, 40, 20), (24, 20, 70, 35), (40, 72, 66, 33), (80, 16, 128, 64)]


@pytest.mark.at_most(4)
@pytest.mark.parametrize("type_", ["bf16", "i8"])
@pytest.mark.parametrize("sizes", SIZES, ids=lambda sizes: "x".join(map(str, sizes[:3])))
def test_products_mean_the_same(type_, sizes):
    source = scaled_product(type_, *sizes)
    changed = assert_meaning_kept(source, *STEPS, exact=False, groups=1)
    text = str(changed)
    assert "vector.tile_product" in text and "gemm" not in text and "for %k" not in text
    dwords = -(-sizes[2] // (2 if type_ == "bf16" else 4))
    tiles = [-(-size // -(-size // 16)) for size in (*sizes[:2], dwords)]
    assert f'"cpu.tiles"=[{tiles[0]},{tiles[1]},{4 * tiles[2]}]' in text


@pytest.mark.parametrize(("transpose", "initial"), product("nt", ("load", "zero")))
def test_factors_and_sums(transpose, initial):
    source = scaled_product("bf16", 16, 16, 64, 32, transpose, initial)
    text = str(assert_meaning_kept(source, *STEPS, exact=False, groups=1))
    assert "axpby.t" not in text and "vector.tile_product" in text


def test_what_is_left_to_vectors():
    for sizes in ((4, 16, 64, 32), (16, 4, 64, 32), (16, 16, 6, 6)):
        text = str(after(scaled_product("bf16", *sizes), *STEPS))
        assert "gemm" in text and "tile" not in text


def gemm(type_, m, n, k, transposed="nn", alpha="1.0", beta="1.0", target=None, used=0):
    """A gemm of the language, beside so many bytes of local memory."""
    s = target or SUMS[type_]
    a, b = f"{m}x{k}" if transposed[0] == "n" else f"{k}x{m}", f"{k}x{n}" if transposed[1] == "n" else f"{n}x{k}"
    alpha, beta = (each if type_ != "i8" else each.removesuffix(".0") for each in (alpha, beta))
    numbers = (("%alpha", alpha, type_), ("%beta", beta, s))
    passed = "".join(f", {name}: {element}" for name, each, element in numbers if each == "%")
    constants = "\n".join(f"{name} = constant {each} : {element}" for name, each, element in numbers if each != "%")
    return f"""func @f(%A: memref<{type_}x{a}>, %B: memref<{type_}x{b}>, %C: memref<{s}x{m}x{n}>{passed}) {{
      {constants}
      {f"%x = alloca : memref<i8x{used},local>" if used else ""}
      gemm.{transposed[0]}.{transposed[1]} %alpha, %A, %B, %beta, %C
    }}"""


@pytest.mark.at_most(8)
@pytest.mark.parametrize("transposed", ["nn", "tn", "nt", "tt"])
@pytest.mark.parametrize("type_", ["bf16", "f16", "i8"])
@pytest.mark.parametrize(
    "sizes",
    # equal tiles; tiles that overlap in both modes; one row or column of tiles; terms that fill no piece or no dword
    [(32, 16, 64), (35, 37, 40), (60, 9, 33), (10, 61, 70), (16, 16, 100), (9, 8, 67)],
    ids=lambda sizes: "x".join(map(str, sizes)),
)
def test_gemm(type_, sizes, transposed):
    text = str(assert_meaning_kept(gemm(type_, *sizes, transposed), *GEMM_STEPS, exact=False, groups=1))
    assert "vector.tile_product" in text and "gemm" not in text
    # what turns the left factor packs it, too
    assert text.count("axpby.t") == (transposed[1] == "t")
    assert "vector.buffer" not in text


@pytest.mark.parametrize("sizes", [(16, 24, 32), (35, 20, 40)], ids=lambda sizes: "x".join(map(str, sizes)))
@pytest.mark.parametrize(
    ("type_", "target", "alpha", "beta"),
    [
        ("bf16", "f32", "1.0", "0.0"),
        ("bf16", "f32", "0.5", "1.0"),
        ("bf16", "f32", "1.0", "%"),
        ("bf16", "f32", "%", "%"),
        ("bf16", "bf16", "1.0", "1.0"),
        ("f16", "f16", "%", "0.5"),
        ("f16", "f16", "1.0", "0.0"),
        ("i8", "i32", "3", "-2"),
        ("i8", "i32", "%", "0"),
    ],
)
def test_factors_and_targets_of_gemm(type_, target, alpha, beta, sizes):
    source = gemm(type_, *sizes, alpha=alpha, beta=beta, target=target)
    text = str(assert_meaning_kept(source, *GEMM_STEPS, exact=False, groups=1))
    is_in_tiles = alpha in ("1.0", "1") and beta in ("0.0", "1.0") and target == SUMS[type_]
    sums = next((line for line in text.splitlines() if "alloca" in line and f": memref<{SUMS[type_]}x" in line), None)
    assert (sums is None) == is_in_tiles and "vector.tile_product" in text


@pytest.mark.parametrize("transposed", ["nn", "tn"])
@pytest.mark.parametrize(
    ("sizes", "lines"),
    # all four pieces of a sum at once, for three tiles of columns, and piece by piece for two
    [((40, 48, 100), 2 * 4 * 13), ((40, 20, 100), 2 * 13)],
)
def test_left_factors_without_local_memory_are_packed_by_blocks(sizes, lines, transposed):
    strategy, _, products = GEMM_STEPS  # what canonicalizes would take away the memory that nothing uses
    source = gemm("bf16", *sizes, transposed, used=30_000)
    text = str(assert_meaning_kept(source, strategy, products, exact=False, groups=1))
    assert f": memref<i32x16x{lines},local>" in text


def test_products_of_a_function_have_tiles_that_suit_all():
    source = """func @f(%A: memref<bf16x48x32>, %B: memref<bf16x32x24>, %t: memref<bf16x24x40>, %C: memref<f32x48x24>,
                    %D: memref<f32x24x24>, %E: memref<bf16x8x8>, %F: memref<f32x8x8>, %G: memref<bf16x40x24>) {
      %one = constant 1.0 : bf16
      %1 = constant 1.0 : f32
      gemm.n.n %one, %A, %B, %1, %C
      gemm.n.n %one, %t, %G, %1, %D
      gemm.n.n %one, %E, %E, %1, %F
    }"""
    text = str(assert_meaning_kept(source, *GEMM_STEPS, exact=False, groups=1))
    assert text.count("gemm") == 1 and "gemm.n.n %one, %E, %E" in text
    assert '"cpu.tiles"=[16,12,64]' in text


@pytest.mark.parametrize(
    "text",
    [
        gemm("bf16", 7, 16, 32),
        gemm("bf16", 16, 7, 32),
        gemm("bf16", 16, 16, 7),
        gemm("f32", 16, 16, 16, target="f32"),
        gemm("bf16", 16, 16, 32).replace("gemm.n.n", "gemm.n.n.atomic"),
        gemm("bf16", 16, 16, 32).replace("%C: memref<f32x16x16>", "%C: memref<f32x16x16,strided<2,32>>"),
        gemm("bf16", 16, 16, 32).replace("bf16x16x32", "bf16x?x32").replace("f32x16x16", "f32x?x16"),
    ],
)
def test_gemms_that_vectors_compute(text):
    assert "gemm" in str(after(text, *GEMM_STEPS)) and "tile_product" not in str(after(text, *GEMM_STEPS))


def test_f16_needs_its_instruction():
    steps = (ExecutionStrategy(tiles=("bf16", "i8")), AmxProducts(MACHINES["amx"]))
    assert "gemm" in str(after(gemm("f16", 16, 16, 32), *steps))
