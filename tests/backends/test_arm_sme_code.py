"""The code that is made of collective instructions for Arm's matrix extension: what its inner loops are made of."""

from __future__ import annotations

import re

import numpy as np
import pytest
from assembly_kit import loops
from sampling import at_night
from scalable_kit import values

import pytl

pytestmark = pytest.mark.tools_of("arm_sme")


def gemm(
    shapes: tuple[str, str, str],
    transposes: str = "n.t",
    elements: tuple[str, str, str] = ("f32",) * 3,
    bits: int | None = None,
    machine: str | None = None,
) -> str:
    """The assembly of a product, for vectors of one length or of any."""
    a, b, c = (f"memref<{element}x{shape}>" for element, shape in zip(elements, shapes))
    text = f"""func @f(%a: {a}, %b: {b}, %c: {c}) {{
      %one = constant 1{"" if elements[0][0] == "i" else ".0"} : {elements[0]}
      %zero = constant 0{"" if elements[2][0] == "i" else ".0"} : {elements[2]}
      gemm.{transposes} %one, %a, %b, %zero, %c
    }}"""
    return pytl.compile(text)["f"].emit("arm_sme", stage="asm", vector_length=bits, machine=machine)


MOST = {1: {1: 8, 2: 11, 4: 14}, 4: {1: 22, 2: 34, 4: 46}, 8: {1: 30, 2: 48, 4: 72}}
"""The most instructions of a loop, by its steps and tiles."""
ALLOWED = re.compile(r"(ld1w|fmopa|add|subs|cmp|b\.ne|b\.lt|b\.le|ld1b|ldr(?=\tz\d+, \[x))\t")
"""Loads, products, the addresses and the count of the loop. Of the loads, the copy for 512 bits alone has those of
whole vectors; none is from the stack, where numbers wait that there are too few registers for.
"""


@pytest.mark.at_night
@pytest.mark.parametrize("shapes", [("64x64",) * 3, ("32x48", "16x48", "32x16"), ("?x?",) * 3], ids=str)
def test_the_inner_loop_is_loads_and_products(shapes: tuple[str, str, str]) -> None:
    found = loops(gemm(shapes), "fmopa")
    # eight steps with one tile, two or four; four of them and what is left where distances are not known
    tiles = {1, 2, 4, 8, 16} if shapes[0] == "?x?" else {8, 16, 32}
    assert {len([line for line in loop if line.startswith("fmopa")]) for loop in found} == tiles
    for loop in found:
        assert all(map(ALLOWED.match, loop)), loop
        products = [line for line in loop if line.startswith("fmopa")]
        count = len(set(re.findall(r"za\d", " ".join(products))))
        assert len(loop) <= MOST[len(products) // count][count]


def test_small_products_have_a_single_tile() -> None:
    assembly = gemm(("4x4",) * 3)
    assert set(re.findall(r"fmopa\s+(za\d)", assembly)) == {"za0"}


@pytest.mark.at_night
@pytest.mark.parametrize(
    ("elements", "word"),
    [
        (("f64",) * 3, "fmopa"),
        (("f16", "f16", "f32"), "fmopa"),
        (("bf16",) * 3, "bfmopa"),
        (("i8", "i8", "i32"), "smopa"),
        (("i16", "i16", "i64"), "smopa"),
        (("c32",) * 3, "fmopa"),
    ],
    ids=str,
)
def test_products_of_other_types_are_outer_products(elements: tuple[str, str, str], word: str) -> None:
    if elements[0] == "c32":
        text = """func @f(%a: memref<c32x?x?>, %b: memref<c32x?x?>, %c: memref<c32x?x?>, %s: c32) {
          gemm.n.n %s, %a, %b, %s, %c
        }"""
        assembly = pytl.compile(text)["f"].emit("arm_sme", stage="asm")
    else:
        assembly = gemm(("?x?",) * 3, "n.n", elements)
    found = loops(assembly, word)
    assert max(len([line for line in loop if line.startswith(word)]) for loop in found) == 16
    for loop in found:  # masks are made in front
        assert not any(line.split()[0].startswith("while") for line in loop), loop


@pytest.mark.at_most(1)
@pytest.mark.parametrize(
    "elements", [("bf16", "bf16", "f32"), ("i8", "i8", "i32"), ("f16", "f16", "f32")], ids="-".join
)
def test_narrow_factors_are_packed_by_tiles_and_whole_vectors(elements: tuple[str, str, str]) -> None:
    assembly = gemm(("64x64",) * 3, "n.n", elements, bits=512)
    assert re.search(r"ld1w\s+{za\dh", assembly) and re.search(r"st1w\s+{za\dv", assembly)
    assert not re.search(r"mov\s+za\d|mov\s+z\d+\.\w, p\d/m, za|ld1[bh]\s+{ z\d+\.s }", assembly)
    (loop,) = loops(assembly, "zip1")
    vectors = sum(line.startswith("zip") for line in loop) / {"i8": 2}.get(elements[0], 1)
    assert sum(line.startswith(("ldr", "ld1")) for line in loop) == vectors  # each is loaded whole, and stored once
    assert sum(line.startswith(("str", "st1")) for line in loop) == vectors


@pytest.mark.at_most(4)
@pytest.mark.parametrize("transposes", ["n.n", "n.t", "t.n"])
@pytest.mark.parametrize("size", [32, 64])
def test_the_inner_loop_for_a_known_length(size: int, transposes: str) -> None:
    assembly = gemm((f"{size}x{size}",) * 3, transposes, bits=512)
    (loop,) = loops(assembly, "fmopa")
    products = [line for line in loop if line.startswith("fmopa")]
    assert len(products) == 4 * 8  # of two by two tiles, for eight steps
    assert 4 * len(loop) <= 9 * len(products)


@pytest.mark.at_most(1)
@pytest.mark.parametrize("transposes", ["n.n", "n.t", "t.n"])
@pytest.mark.parametrize("size", [32, 64])
def test_the_inner_loop_for_all_lengths(size: int, transposes: str) -> None:
    found = loops(gemm((f"{size}x{size}",) * 3, transposes), "fmopa")
    products = [sum(line.startswith("fmopa") for line in loop) for loop in found]
    assert max(products) == 4 * 8
    assert 4 * len(found[products.index(32)]) <= 9 * 32


@pytest.mark.at_most(2)
@pytest.mark.parametrize("elements", [("f32",) * 3, ("bf16",) * 3, ("f64",) * 3], ids="-".join)
@pytest.mark.parametrize("transposes", ["n.n", "t.n"])
def test_the_inner_loop_with_sme2(transposes: str, elements: tuple[str, str, str]) -> None:
    word = "bfmopa" if elements[0] == "bf16" else "fmopa"
    assembly = gemm(("64x64",) * 3, transposes, elements, bits=512, machine="sme2")
    (loop,) = loops(assembly, word)
    products = [line for line in loop if line.startswith(word)]
    assert 4 * len(loop) <= 6 * len(products)
    assert {line.split()[0] for line in loop} <= {word, "ld1w", "ld1h", "ld1d", "add", "cmp", "b.ne"}


@pytest.mark.parametrize("elements", [("f32", "f32"), *at_night([("bf16", "f32"), ("f64", "f64")])], ids="-".join)
def test_slices_of_a_work_groups_matrices_share_their_addresses(elements: tuple[str, str]) -> None:
    of, to = elements
    text = f"""func @f(%A: memref<{of}x64x64x?>, %B: memref<{of}x64x64x?>, %C: memref<{to}x64x64x?>) {{
      %g = builtin.group_id : index
      %a = subview %A[0:64, 0:64, %g] : memref<{of}x64x64>
      %b = subview %B[0:64, 0:64, %g] : memref<{of}x64x64>
      %c = subview %C[0:64, 0:64, %g] : memref<{to}x64x64>
      gemm.n.n 1.0, %a, %b, 0.0, %c
    }}"""
    assembly = pytl.compile(text)["f"].emit("arm_sme", stage="asm", vector_length=512)
    word = "d" if to == "f64" else "w"
    for loop in loops(assembly, f"st1{word}") + loops(assembly, f"ld1{word}"):
        moved = [line for line in loop if re.search(r"1[wd]\s+\{za", line)]
        assert len(loop) <= len(moved) + 5  # the number of slices, up to two addresses, a comparison, a branch


def test_a_product_by_a_column_has_four_vectors_of_sums() -> None:
    """Each vector of the column's numbers serves four."""
    text = """func @f(%A: memref<f32x64x64>, %x: memref<f32x64>, %y: memref<f32x64>) {
      gemv.n 1.0, %A, %x, 0.0, %y
    }"""
    assembly = pytl.compile(text)["f"].emit("arm_sme", stage="asm", vector_length=512)
    (loop,) = loops(assembly, "fmla")
    words = [line.split()[0] for line in loop]
    assert sum(word in ("fmla", "fmad") for word in words) == 4 * words.count("ld1rw") == 16
    assert len(loop) <= 43


def test_sme2_stores_several_vectors() -> None:
    text = "func @f(%x: memref<f32x1024>, %y: memref<f32x1024>) { axpby.n 1.0, %x, 0.0, %y }"
    assembly = pytl.compile(text)["f"].emit("arm_sme", stage="asm", vector_length=512, machine="sme2")
    (loop,) = loops(assembly, "ld1w")
    assert re.search(r"st1w\s+\{ z\d+\.s - z\d+\.s \}|st1w\s+\{ (z\d+\.s, ){3}", "\n".join(loop))
    assert len(loop) <= 6


def test_sme2_sums_products_of_pairs_of_i16() -> None:
    for target, machine, word in (("i32", "sme2", r"smopa\s+za\d\.s, .*z\d+\.h"), ("i64", "sme2", r"smopa\s+za\d\.d")):
        assembly = gemm(("32x32",) * 3, "n.n", ("i16", "i16", target), bits=512, machine=machine)
        assert re.search(word, assembly)
    assert not re.search(r"smopa\s+za\d\.s", gemm(("32x32",) * 3, "n.n", ("i16", "i16", "i32"), bits=512))


@pytest.mark.at_night
def test_sme2_loads_several_vectors_for_all_lengths() -> None:
    assembly = gemm(("64x64",) * 3, machine="sme2")
    assert re.search(r"ld1w\t\{ z\d+\.s[,-] ?z\d+\.s \}, pn\d+/z", assembly)


def test_slices_of_tiles_need_no_number_each() -> None:
    for word in ("ld1w", "st1w"):
        for loop in loops(gemm(("64x64",) * 3, "n.n", bits=512), word):
            moves = [re.search(r"za\d[hv]\.s\[w\d+, (\d)\]", line) for line in loop]
            offsets = [int(move[1]) for move in moves if move is not None]
            assert not offsets or set(offsets) == {0, 1, 2, 3}


@pytest.mark.parametrize("element", ["i8", "i64", "f32"])
def test_sums_of_scaled_numbers_and_vectors(element: str) -> None:
    text = f"""func @f(%a: memref<{element}x9x5>, %x: memref<{element}x9>, %y: memref<{element}x5>, %s: {element}) {{
      gemv.t %s, %a, %x, %s, %y
    }}"""
    assert "vector.reduction" in pytl.compile(text)["f"].emit("arm_sme")


@pytest.mark.parametrize("element", ["c32", "bf16", "f32"])
def test_numbers_of_slices_are_in_registers(element: str) -> None:
    """Where beta is known at run time only, rows are moved in several blocks of code, each of which needs a zero."""
    a, b, c = (f"memref<{element}x{shape}>" for shape in ("3x5", "18x5", "3x18"))
    text = f"""func @f(%a: {a}, %b: {b}, %c: {c}, %s: {element}) {{
      gemm.n.t %s, %a, %b, %s, %c
    }}"""
    assembly = pytl.compile(text)["f"].emit("arm_sme", stage="asm", vector_length=512)
    assert re.search(r"za\d[hv]\.s\[", assembly)
    assert not re.search(r"za\d[hv]\.s\[#", assembly)


@pytest.mark.parametrize("element", ["f64", *at_night(["f32", "c32"])])
def test_no_slice_has_a_known_number_where_there_is_one_iteration(element: str) -> None:
    """Of vectors of 128 bits, a tile has two or four rows: LLVM had no register for the numbers of all."""
    types = ", ".join(f"%{name}: memref<{element}x?x?>" for name in "abcd")
    one = "[1.0,0.0]" if element == "c32" else "1.0"
    text = f"func @f({types}) {{ gemm.n.n {one}, %a, %b, {one}, %c\n gemm.n.n {one}, %a, %b, {one}, %d }}"
    assembly = pytl.compile(text)["f"].emit("arm_sme", stage="asm", vector_length=128)
    assert not re.search(r"za\d[hv]\.\w\[#", assembly)


def test_code_for_all_lengths_has_a_copy_for_one() -> None:
    """Products of known sizes are there twice; one comparison of the length chooses."""
    text = "func @f(%a: memref<f32x{0}>, %b: memref<f32x{0}>, %c: memref<f32x{0}>) {{ gemm.n.n 1.0, %a, %b, 0.0, %c }}"
    known, unknown = (pytl.compile(text.format(sizes))["f"] for sizes in ("32x32", "?x?"))
    assembly = known.emit("arm_sme", stage="asm")
    assert "pytl_f_groups:" in assembly and "pytl_f_512_groups:" in assembly
    entry = assembly.partition("_mlir_ciface_pytl_f:")[2].partition("Lfunc_end")[0]
    assert re.findall(r"\b(rdsvl|cmp|bl)\s+(?:x\d+, )?(\S+)", entry) == [
        ("rdsvl", "#1"),
        ("cmp", "#8"),
        ("bl", "pytl_f_512_groups"),
        ("bl", "pytl_f_groups"),
    ]
    of_one = known.emit("arm_sme", stage="asm", vector_length=512)
    (loop,), (other,) = (loops(text.partition("pytl_f_512_groups:")[2] or text, "fmopa") for text in (assembly, of_one))
    assert len(loop) == len(other)
    assert "_512_" not in unknown.emit("arm_sme", stage="mlir")
    assert "_512_" not in known.emit("arm_sme", stage="mlir", opt_level=0)


SIZES_OF_A_LOOP = """func @f(%A: memref<{0}x?x?>, %B: memref<{0}x?x?>, %C: memref<{1}x?x?>, %n: index) {{
  %c1 = constant 1 : index
  %m = size %C[0] : index
  %q = size %C[1] : index
  for %i = %c1, %n {{
    %a = subview %A[0:%i, 0:%m] : memref<{0}x?x?>
    %b = subview %B[0:%i, 0:%q] : memref<{0}x?x?>
    gemm.t.n {2}, %a, %b, {2}, %C
  }}
}}"""


def test_sizes_that_a_loop_computes_need_no_memory_of_the_heap() -> None:
    for types in (("f32", "f32", "1.0"), ("i8", "i32", "1"), ("c32", "c32", "[1.0,0.0]")):
        text = pytl.compile(SIZES_OF_A_LOOP.format(*types))["f"].emit("arm_sme")
        assert "memref.alloc(" not in text and "memref.alloca(" in text


@pytest.mark.at_most(1)
@pytest.mark.parametrize("types", [("f32", "f32", "1.0"), ("i8", "i32", "1"), ("c32", "c32", "[1.0,0.0]")], ids=str)
@pytest.mark.parametrize("length", [512, 128, 2048, None])
def test_products_of_sizes_that_a_loop_computes(types: tuple[str, str, str], length: int | None) -> None:
    rng = np.random.default_rng(3)
    a, b, c = (values(rng, shape, types[n == 2]) for n, shape in enumerate(((70, 20), (70, 37), (20, 37))))
    expected, actual = c.copy(order="F"), c.copy(order="F")
    function = pytl.compile(SIZES_OF_A_LOOP.format(*types))["f"]
    function[1](a, b, expected, 40, backend="reference")
    function[1, {"vector_length": length, "specialize": "never"}](a, b, actual, 40, backend="arm_sme")
    np.testing.assert_array_equal(actual, expected)
