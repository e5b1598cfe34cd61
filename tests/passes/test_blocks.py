"""Large products in blocks: which are, in which sizes, and that each stage computes the same."""

from __future__ import annotations

import re
from collections.abc import Iterator

import numpy as np
import pytest
from passes_kit import checked, costs_of, stage, sycl_passes, text_after
from properties.execution import execute

import pytl
from pytl import Memref, f32, gemm
from pytl.passes import Pipeline
from pytl.passes.blocks import _part

pytestmark = pytest.mark.at_most(4)


@pytest.fixture
def small() -> Iterator[None]:
    """Blocks of 32 rows and 8 columns of f32, for products from 2 kB on."""
    with costs_of("blocks", min_left=2048, max_contiguous=0, min_columns=4, rows=32, bytes=1024):
        yield


def text(m: int, n: int, k: int, words: str = "n.n", beta: str = "1.0", element: str = "f32") -> str:
    left = f"{element}x{k}x{m}" if words[0] == "t" else f"{element}x{m}x{k}"
    right = f"{element}x{n}x{k}" if words[2] == "t" else f"{element}x{k}x{n}"
    return f"""func @f(%s: {element}, %a: memref<{left}>, %b: memref<{right}>, %c: memref<{element}x{m}x{n}x?>) {{
      %g = builtin.group_id : index
      %x = subview %c[0:{m}, 0:{n}, %g] : memref<{element}x{m}x{n}>
      gemm.{words} %s, %a, %b, {beta}, %x
    }}"""


def test_a_product_in_blocks(small: None) -> None:
    shown = stage(text(64, 5, 24, beta="%s"), "cpu-kernels", groups=2)
    shown = shown[shown.index("%6 =") :]
    assert [line.strip() for line in shown.splitlines() if "arith" not in line and "view" not in line] == [
        "%6 = alloca : memref<f32x32x8,local>",
        "for %block = %5, %0 {",
        "%8 = for %block_1 = %5, %3 init(%9=%s) -> (f32) {",
        'cpu.kernel {"lanes"=16} {',
        "foreach (%i, %j) = (%5, %5), (%1, %4) {",
        "%14 = load %11[%i, %j] : f32",
        "store %14, %6[%i, %j]",
        "}",
        "}",
        'cpu.kernel {"accumulate"=[1]} {',
        "gemm.n.n %s, %6, %12, %9, %13",
        "}",
        "yield (%2)",
        "}",
        "}",
    ]


def test_copies_prefetch_the_columns_behind() -> None:
    with costs_of("blocks", min_left=2048, max_contiguous=0, min_columns=4, rows=32, bytes=1024, ahead=3):
        of = text(64, 5, 24)
        assert stage(of, "cpu-kernels", groups=2).count('cpu.kernel {"lanes"=16, "ahead"=3} {') == 1
        code = stage(of, "vectorize", groups=2, prefetch=0)
        # a transposed factor is copied by a transposition
        assert "ahead" not in stage(text(64, 5, 24, "t.n"), "cpu-kernels", groups=2)
    places = re.findall(r"vector.prefetch (%\w+)\[(%\w+), (%\w+)\] \{\"level\"=2\}", code)
    loads = re.findall(r"vector.load (%\w+)\[(%\w+), (%\w+)\]", code)
    assert len(places) == 2, code  # the two vectors of a column
    for number, (tensor, row, column) in enumerate(places):
        (here,) = (j for t, i, j in loads if (t, i) == (tensor, row))
        assert re.search(rf"{column} = arith.add {here}, %c3 : index", code), (number, code)


def test_blocks_may_be_larger_than_local_memory_that_every_device_has() -> None:
    # the machine's are; what allocas take beyond 32 kB is not there for copies
    of = text(192, 192, 512, element="f64")
    shown = text_after("cpu-schedule", of, processor="zen4", prefetch=0)
    assert "alloca : memref<f64x64x176,local>" in shown and shown.count("alloca") == 1
    # though larger than what is expected to stay in the first-level cache
    assert shown.count('"outer"="columns"') == shown.count("gemm") > 0
    assert "memref<f64x64x48,local>" in text_after("cpu-schedule", of, processor="avx512")
    memory = "%t = alloca : memref<f64x5200,local>\n %u = subview %t[0:192] : memref<f64x192,local>\n"
    column = "%z = subview %c[0:192, 0, %g] : memref<f64x192>\n"
    taken = of.replace("%g = ", memory + "sum.n 1.0, %a, 0.0, %u\n %g = ")
    taken = taken.replace("gemm", column + "axpby.n 1.0, %u, 1.0, %z\n gemm")
    assert "%block" not in text_after("cpu-kernels", taken, processor="zen4")


def test_columns_in_pages_of_their_own_are_copied_sooner() -> None:
    def of(distance: int) -> str:
        left = f"memref<f64x64x64,strided<1,{distance}>>"
        return f"""func @f(%a: {left}, %b: memref<f64x64x64>, %c: memref<f64x64x64x?>) {{
          %g = builtin.group_id : index
          %x = subview %c[0:64, 0:64, %g] : memref<f64x64x64>
          gemm.n.n 1.0, %a, %b, 1.0, %x
        }}"""

    copied = {n: "alloca" in text_after("cpu-kernels", of(n), processor="zen4") for n in (64, 72, 511, 512, 2048)}
    assert copied == {64: False, 72: False, 511: False, 512: True, 2048: True}
    assert "alloca" not in text_after("cpu-kernels", of(2048), processor="avx512")


def test_few_columns_that_share_sets_are_copied_where_tiles_are_narrow() -> None:
    def is_copied(rows: int, n: int, processor: str, element: str = "f64") -> bool:
        return "alloca" in text_after("cpu-kernels", text(rows, n, 512, element=element), processor=processor)

    assert [is_copied(512, n, "avx2") for n in (15, 16, 24)] == [False, True, True]
    assert is_copied(640, 24, "avx2") and not is_copied(700, 24, "avx2") and not is_copied(511, 24, "avx2")
    assert not is_copied(512, 24, "avx2", "f32")
    assert not is_copied(512, 24, "zen4")


def test_more_columns_are_copied_where_tiles_prefetch_the_next_rows() -> None:
    def least(rows: int, depth: int, processor: str) -> int:
        copied = (
            "alloca" in text_after("cpu-kernels", text(rows, n, depth, element="f64"), processor=processor)
            for n in (47, 48, 127, 128, 191, 192)
        )
        return [47, 48, 127, 128, 191, 192][[*copied].index(True)]

    assert least(512, 512, "zen4") == least(700, 300, "zen4") == 192
    assert least(700, 300, "avx2") == 128
    assert least(700, 300, "avx512") == 48


def slices_of(m: int, n: int, k: int, element: str = "f64", processor: str = "avx2") -> list[str]:
    """The modes of the left factors that products have, in their order; none where the product stays as it is."""
    shown = text_after("cpu-kernels", text(m, n, k, element=element), processor=processor)
    return re.findall(r"subview %a\[.*?\] : memref<\w+?x(\w+)>", shown)


@pytest.mark.at_most(6)
@pytest.mark.parametrize(
    ("sizes", "element", "slices"),
    [
        # rows of a tile, 128 bytes of each column, in half of 32 kB
        ((144, 24, 576), "f64", ["144x116", "144x116", "144x112"]),
        # and a line, where columns do not begin at lines
        ((140, 24, 576), "f64", ["140x84", "140x84", "140x72"]),
        ((120, 24, 240), "f32", ["120x80", "120x80"]),
        # 512 bytes apart, columns share an eighth of all sets
        ((64, 24, 128), "f64", ["64x32", "64x32"]),
        # at least three, the last one shorter
        ((64, 24, 40), "f64", ["64x16", "64x16", "64x8"]),
        # the right factor has 1.8 MB, of which one number serves two vectors
        ((24, 336, 672), "f64", ["24x48", "24x48"]),
        # half of the first-level cache has room; one tile has all columns
        ((64, 24, 32), "f64", []),
        ((144, 3, 576), "f64", []),
    ],
)
def test_left_factors_of_narrow_tiles_are_multiplied_in_slices(
    sizes: tuple[int, int, int], element: str, slices: list[str]
) -> None:
    assert slices_of(*sizes, element) == slices
    # tiles of more registers have more columns
    assert slices_of(*sizes, element, "zen4") == []


def test_slices_that_would_be_short_are_copied() -> None:
    # 1024 bytes apart, 16 columns are in half of their sets
    assert "alloca : memref<f64x32x" in text_after("cpu-kernels", text(128, 64, 128, element="f64"), processor="avx2")
    few = text_after("cpu-kernels", text(128, 24, 128, element="f64"), processor="avx2")
    assert "alloca" not in few and "slice" not in few
    complex_ = text_after("cpu-kernels", text(64, 24, 128, beta="%s", element="c32"), processor="avx2")
    assert "slice" not in complex_


@pytest.mark.parametrize("beta", ["0.0", "%s", "1.0"])
def test_slices_are_the_product(beta: str) -> None:
    of = text(64, 7, 141, beta=beta, element="f64")
    assert "for %slice" in text_after("cpu-kernels", of, processor="avx2")
    lowered = Pipeline(sycl_passes(groups=2, processor="avx2")).run(checked(of))
    random = np.random.default_rng(1)
    a, b, c = (np.asfortranarray(random.integers(-3, 4, s).astype(float)) for s in ((64, 141), (141, 7), (64, 7, 2)))
    scale = {"0.0": 0.0, "%s": 2.0, "1.0": 1.0}[beta]
    given = np.full_like(c, np.nan) if beta == "0.0" else c
    *_, found = execute(lowered, [np.float64(2), a, b, given.copy(order="F")], 2)
    np.testing.assert_array_equal(found, (2 * (a @ b)[:, :, None] + scale * c).ravel(order="F"))


SIZES = [
    (64, 24, "t.n", "1.0"),
    (50, 21, "n.t", "0.0"),
    (70, 8, "t.t", "%s"),
    (17, 64, "n.n", "%s"),
    (17, 40, "t.n", "0.0"),
]


@pytest.mark.at_most(2)
@pytest.mark.parametrize(("m", "k", "words", "beta"), SIZES)
def test_all_blocks_together_are_the_product(small: None, m: int, k: int, words: str, beta: str) -> None:
    shown = stage(text(m, 5, k, words, beta), "cpu-kernels", groups=2)
    assert shown.count("alloca") == 1 and "%block" in shown


@pytest.mark.at_most(2)
@pytest.mark.parametrize(
    "of",
    [text(16, 5, 24), text(64, 3, 24), text(64, 5, 24, element="f16")],
    ids=["small", "narrow", "f16"],
)
def test_what_stays(small: None, of: str) -> None:
    assert "%block" not in stage(of, "cpu-kernels", groups=2)


@pytest.mark.parametrize("words", ["n.n", "t.n", "t.t"])
def test_blocks_of_complex_numbers(small: None, words: str) -> None:
    module = checked(text(37, 5, 20, words, "%s", "c32"))
    lowered = Pipeline(sycl_passes(groups=2)).run(module)
    random = np.random.default_rng(1)
    alpha = np.complex64(1 - 2j)

    def numbers(*shape: int) -> np.ndarray:
        parts = random.integers(-3, 4, (2, *shape)).astype(np.float32)
        return np.asfortranarray(parts[0] + 1j * parts[1])

    a, b, c = numbers(37, 20), numbers(20, 5), numbers(37, 5, 2)
    left, right = (np.asfortranarray(x.T) if word == "t" else x for x, word in zip((a, b), words.split(".")))
    *_, found = execute(lowered, [alpha, left, right, c], 2)
    np.testing.assert_array_equal(found, (alpha * (a @ b)[:, :, None] + alpha * c).ravel(order="F"))


def test_columns_that_follow_each_other_are_read_where_they_are() -> None:
    apart = """func @f(%a: memref<f64x512x96>, %b: memref<f64x96x64>, %c: memref<f64x96x64x?>) {
      %g = builtin.group_id : index
      %part = subview %a[0:96, 0:96] : memref<f64x96x96,strided<1,512>>
      %x = subview %c[0:96, 0:64, %g] : memref<f64x96x64>
      gemm.n.n 1.0, %part, %b, 1.0, %x
    }"""
    assert "%block" in stage(apart, "cpu-kernels", groups=2)
    assert "%block" not in stage(text(96, 64, 96, element="f64"), "cpu-kernels", groups=2)
    assert "%block" in stage(text(256, 64, 256, element="f64"), "cpu-kernels", groups=2)


def test_a_transposed_left_factor_has_blocks_where_it_cannot_be_packed() -> None:
    assert "%block" not in stage(text(64, 64, 64, words="t.n", element="f64"), "cpu-kernels", groups=2)
    assert "%block" in stage(text(96, 64, 48, words="t.n", element="f64"), "cpu-kernels", groups=2)


@pytest.mark.parametrize(
    ("whole", "most", "unit", "part"),
    [(1024, 96, 1, 64), (1000, 96, 1, 50), (1009, 96, 1, 92), (70, 64, 16, 48), (33, 64, 16, 33), (128, 64, 16, 64)],
)
def test_parts_are_even_or_about_equal(whole: int, most: int, unit: int, part: int) -> None:
    assert _part(whole, most, unit) == part


@pytest.mark.at_night
def test_on_the_device() -> None:
    @pytl.kernel
    def product(A: Memref[f32, 140, 101], B: Memref[f32, 101, 50], C: Memref[f32, 130, 50]):
        gemm(2.0, A[0:130, :], B, 0.0, C)

    assert re.search(r"for %block", product.ir("cpu-kernels"))
    random = np.random.default_rng(1)
    a, b = (np.asfortranarray(random.integers(-3, 4, shape).astype(np.float32)) for shape in ((140, 101), (101, 50)))
    c = np.full((130, 50), np.nan, np.float32, order="F")
    product[1](a, b, c, backend="sycl")
    np.testing.assert_array_equal(c, 2 * a[:130] @ b)


def test_copies_of_products_in_turn_are_in_one_place() -> None:
    @pytl.kernel
    def two(
        A: pytl.Memref[pytl.f64, 128, 512],
        B: pytl.Memref[pytl.f64, 512, 128],
        C: pytl.Memref[pytl.f64, 128, 128],
        D: pytl.Memref[pytl.f64, 128, 128],
    ) -> None:
        pytl.gemm(1.0, A, B, 0.0, C)
        pytl.gemm(1.0, A, B, 1.0, D)

    assert two.ir("cpu-kernels").count("= alloca") == 2
    assert two.ir("stack-layout").count('alloca {"stack.offset"=0}') == 2


def test_a_left_factor_too_large_to_be_prefetched_is_read_in_slices() -> None:
    def shown(m: int, n: int, k: int, processor: str = "zen4", words: str = "n.n") -> str:
        with costs_of("prefetches", max_bytes=1000), costs_of("caches", first_level=1024):
            return stage(text(m, n, k, words, beta="%s"), "cpu-kernels", groups=2, processor=processor)

    sliced = shown(40, 4, 20)  # two slices and a rest
    assert "for %slice" in sliced and sliced.count("memref<f32x40x8>") >= 2 and "memref<f32x40x4>" in sliced
    assert "memref<f32x80x8>" in shown(80, 2, 24)  # 640 bytes of the result, more than half of the cache
    for others in (
        (40, 17, 20),
        (40, 4, 16),
        (12, 4, 20),
        (40, 2, 20),
        (40, 4, 20, "avx512"),
        (40, 4, 20, "zen4", "t.n"),
    ):
        assert "memref<f32x40x8>" not in shown(*others)
