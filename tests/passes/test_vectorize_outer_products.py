"""The pass vectorize with `streaming`: products as outer products into tiles, executed by the oracle."""

from __future__ import annotations

import re

import numpy as np
import pytest
from sampling import at_night
from scalable_kit import assert_same, literal, lowered, values

from pytl.backends.reference import GroupView, MemrefView, execute
from pytl.ir.operation import Operation
from pytl.ir.values import Module, Region
from pytl.ops import For
from pytl.ops.constants import constant_of
from pytl.passes.targets import vector
from pytl.passes.targets import vector_tiles as tiles
from pytl.passes.targets.cpu import Items


def product(
    elements: tuple[str, str, str],
    transposes: str,
    sizes: tuple[int, int, int],
    factors: tuple[int, int],
    is_dynamic: bool,
) -> tuple[str, list[tuple[int, ...]]]:
    """A product, with the shapes of its arrays."""
    m, n, k = sizes
    shapes: list[tuple[int, ...]] = [
        (m, k) if transposes[0] == "n" else (k, m),
        (k, n) if transposes[2] == "n" else (n, k),
        (m, n),
    ]
    types = [
        "x".join([element, *("?" if is_dynamic else str(size) for size in shape)])
        for element, shape in zip(elements, shapes)
    ]
    alpha, beta = (literal(factor, elements[which]) for factor, which in zip(factors, (0, 2)))
    text = f"""func @f(%A: memref<{types[0]}>, %B: memref<{types[1]}>, %C: memref<{types[2]}>) {{
      %alpha = constant {alpha} : {elements[0]}
      %beta = constant {beta} : {elements[2]}
      gemm.{transposes} %alpha, %A, %B, %beta, %C
    }}"""
    return text, shapes


ELEMENTS = [
    ("f32", "f32", "f32"),
    ("f64", "f64", "f64"),
    ("f16", "f16", "f16"),
    ("bf16", "bf16", "f32"),
    ("i8", "f16", "f32"),
    ("i8", "i8", "i32"),
    ("i8", "i8", "i8"),
    ("i16", "i8", "i64"),
    ("c32", "c32", "c32"),
    ("f32", "c32", "c32"),
]


@pytest.mark.at_night
@pytest.mark.parametrize(("scale", "bits"), [(1, 0), (2, 0), (4, 0), (1, 128), (4, 512)])
@pytest.mark.parametrize("elements", ELEMENTS, ids="-".join)
def test_products(elements: tuple[str, str, str], scale: int, bits: int) -> None:
    rng = np.random.default_rng(scale)
    cases = [
        (transposes, sizes, factors, is_dynamic)
        for transposes, is_dynamic in (("n.n", False), ("n.t", True), ("t.n", True), ("t.t", False))
        for sizes, factors in (((13, 11, 7), (2, 3)), ((4, 3, 2), (1, 0)), ((6, 17, 9), (1, 1)))
        if not (bits and is_dynamic)
    ]
    for transposes, sizes, factors, is_dynamic in cases:
        text, shapes = product(elements, transposes, sizes, factors, is_dynamic)
        after = assert_same(text, [values(rng, *pair) for pair in zip(shapes, elements)], scale, bits)
        assert any(isinstance(op, tiles.Outer) for op in after.walk())


@pytest.mark.parametrize("alpha", [2.0, -3.0, *at_night([0.0, 2.0**40, np.inf, np.nan])])
@pytest.mark.parametrize(("word", "beta"), [("gemm.n.n", 0), ("gemm.n.t", 1), *at_night([("gemm.t.n", 1), ("ger", 0)])])
def test_a_factor_is_multiplied_by_alpha(word: str, beta: int, alpha: float) -> None:
    """Also by one that is known at run time only; what is too large or too small multiplies the sums."""
    factors = ("5", "6") if word == "ger" else ("3x5" if "t.n" in word else "5x3", "6x3" if "n.t" in word else "3x6")
    text = f"""func @f(%A: memref<f32x{factors[0]}>, %B: memref<f32x{factors[1]}>, %C: memref<f32x5x6>, %s: f32) {{
      {word} %s, %A, %B, {beta}.0, %C
    }}"""
    rng = np.random.default_rng(8)
    shapes = [tuple(map(int, shape.split("x"))) for shape in (*factors, "5x6")]
    arrays = [values(rng, shape, "f32") for shape in shapes]
    after = assert_same(text, arrays, 2, numbers=[alpha])
    assert any(isinstance(op, tiles.SliceStore) and op.variant == "row" for op in after.walk())
    known = text.replace("%s,", f"{alpha}," if np.isfinite(alpha) else "1.0,")
    assert_same(known, arrays, 1, 128, numbers=[alpha])


def test_alpha_times_a_factor_has_the_bound_of_alpha_times_the_sum() -> None:
    text, shapes = product(("f32",) * 3, "n.n", (6, 7, 40), (1, 0), is_dynamic=False)
    before, after = lowered(text.replace("%alpha = constant 1.0", "%alpha = constant 0.1"), 128)
    assert sum(isinstance(op, vector.VectorBinary) for op in after.walk()) == 14  # of the rows of a packed factor
    a, b, c = (np.random.default_rng(9).standard_normal(shape).astype(np.float32, order="F") for shape in shapes)
    exact = np.float64(np.float32(0.1)) * (a.astype(np.float64) @ b.astype(np.float64))
    bound = (40 + 1) * 2.0**-24 * 0.1 * (np.abs(a).astype(np.float64) @ np.abs(b).astype(np.float64)) * (1 + 1e-6)
    for function in (before, after):
        sums = np.zeros(c.size, np.float32)
        buffers = (a.reshape(-1, order="F"), b.reshape(-1, order="F"), sums)
        execute(function, [MemrefView(x, 0, y.shape, (1, y.shape[0])) for x, y in zip(buffers, (a, b, c))], 1)
        assert (np.abs(sums.reshape(c.shape, order="F") - exact) <= bound).all()


BLOCKED = [("n.n", (16, 16, 16)), ("t.n", (8, 16, 12)), ("t.t", (16, 20, 16)), ("n.n", (9, 16, 7))]


@pytest.mark.parametrize(("transposes", "sizes"), [BLOCKED[1], *at_night([BLOCKED[n] for n in (0, 2, 3)])], ids=str)
@pytest.mark.parametrize("elements", [ELEMENTS[0], *at_night([*ELEMENTS[1:], ("i16", "i8", "i32")])], ids="-".join)
def test_loads_of_several_vectors(elements: tuple[str, str, str], transposes: str, sizes: tuple[int, int, int]) -> None:
    """SME2's, of two vectors side by side, and of those of two steps, which lie one behind the other where packed."""
    rng = np.random.default_rng(5)
    text, shapes = product(elements, transposes, sizes, (1, 0), is_dynamic=False)
    arrays = [values(rng, *pair) for pair in zip(shapes, elements)]
    after = assert_same(text, arrays, 1, 128, "sme2")
    loads = {op.result.type.lanes for op in after.walk() if isinstance(op, vector.Load)}
    assert max(loads) == 16 or elements != ELEMENTS[0]


def test_addresses_apart() -> None:
    rng = np.random.default_rng(6)
    text, shapes = product(ELEMENTS[0], "n.n", (5, 5, 25), (1, 0), is_dynamic=False)
    after = assert_same(text, [values(rng, shape, "f32") for shape in shapes], 1)
    assert any(op.attributes.get(vector.APART) for op in after.walk() if isinstance(op, vector.Load))


def test_a_column_by_a_row_keeps_signs() -> None:
    text = """func @f(%a: memref<f32x9>, %b: memref<f32x7>, %C: memref<f32x9x7>) {
      %one = constant 1.0 : f32
      %zero = constant 0.0 : f32
      ger %one, %a, %b, %zero, %C
    }"""
    a, b = -np.ones(9, np.float32), np.zeros(7, np.float32)
    assert_same(text, [a, b, np.ones((9, 7), np.float32, order="F")], 2)


def test_factors_without_contiguous_lines_are_packed_by_elements() -> None:
    text = """func @f(%A: memref<f16x5x6,strided<2,16>>, %B: memref<f16x6x7>, %C: memref<f32x5x7>) {
      %one = constant 1.0 : f16
      %zero = constant 0.0 : f32
      gemm.n.n %one, %A, %B, %zero, %C
    }"""
    rng = np.random.default_rng(3)
    a = np.asfortranarray(np.zeros((16, 6), np.float16))[:10:2]
    a[...] = rng.integers(-5, 6, (5, 6))
    function, after = lowered(text)
    results = []
    for each in (function, after):
        c = np.zeros(35, np.float32)
        b = values(np.random.default_rng(4), (6, 7), "f16").reshape(-1, order="F")
        whole = np.zeros(96, np.float16)
        for (i, j), number in np.ndenumerate(a):
            whole[2 * i + 16 * j] = number
        views = [
            MemrefView(whole, 0, (5, 6), (2, 16)),
            MemrefView(b, 0, (6, 7), (1, 6)),
            MemrefView(c, 0, (5, 7), (1, 5)),
        ]
        execute(each, views, 1)
        results.append(c)
    np.testing.assert_array_equal(results[0], results[1])


def test_small_panels_lie_in_local_memory_and_others_on_the_heap() -> None:
    for size, word in (("16", "alloca"), ("?", "vector.buffer"), ("256", "vector.buffer")):
        type_ = f"memref<f32x{size}x{size}>"
        text = f"""func @f(%A: {type_}, %B: {type_}, %C: {type_}) {{
          %one = constant 1.0 : f32
          %zero = constant 0.0 : f32
          gemm.n.n %one, %A, %B, %zero, %C
        }}"""
        assert re.findall(r"alloca|vector\.buffer", str(lowered(text)[1])) == [word]


def shared(element: str, size: str, before: str = "") -> str:
    """A kernel of which all work-groups have one right factor, and each has its columns of the others."""
    count, part = ("%n", "x?x?,strided<1,?>") if size == "?" else (size, f"x{size}x{size}")
    a, b = f"memref<{element}x{size}x?>", f"memref<{element}x{size}x{size}>"
    return f"""func @f(%A: {a}, %B: {b}, %C: {a}) {{
      %g = builtin.group_id : index
      %n = size %B[0] : index
      %first = arith.mul %g, %n : index
      %a = subview %A[0:{count}, %first:{count}] : memref<{element}{part}>
      %c = subview %C[0:{count}, %first:{count}] : memref<{element}{part}>
      {before}
      gemm.n.n 1.0, %a, %B, 0.0, %c
    }}"""


@pytest.mark.parametrize(("size", "bits"), [("7", 0), ("?", 0), ("7", 256)])
def test_a_factor_of_all_work_groups_is_packed_once(size: str, bits: int) -> None:
    before, after = lowered(shared("f32", size), bits)
    shown = str(Module([after]))
    in_front, _, by_group = shown.partition("cpu.items")
    assert "vector.slice_load.row %B" in in_front
    assert "%B[" not in by_group.replace("size %B[", "")
    assert in_front.count("vector.buffer") == shown.count("vector.buffer") == (size == "?")
    rng, results = np.random.default_rng(1), []
    arrays = [values(rng, shape, "f32") for shape in ((7, 21), (7, 7), (7, 21))]
    for function in (before, after):
        buffers = [array.reshape(-1, order="F").copy() for array in arrays]
        views = [MemrefView(buffer, 0, array.shape, (1, 7)) for buffer, array in zip(buffers, arrays)]
        execute(function, views, 3, vector_scale=2)
        results.append(buffers[2])
    np.testing.assert_array_equal(*results)


@pytest.mark.parametrize(
    "before",
    [
        "gemm.n.n 1.0, %a, %a, 0.0, %c",  # which may be what the second product reads
        "axpby.n 1.0, %a, 0.0, %B",
    ],
)
def test_a_factor_that_may_be_written_is_packed_by_each_work_group(before: str) -> None:
    by_group = str(Module([lowered(shared("f32", "7", before))[1]])).partition("cpu.items")[2]
    assert "vector.slice_load.row %B" in by_group or "cpu.items" not in by_group


@pytest.mark.at_most(5)
@pytest.mark.parametrize("groups", [1, 4, 7])
@pytest.mark.parametrize(
    ("element", "size", "bits", "in_step"),
    [("f32", "4", 0, 4), ("f32", "7", 256, 4), ("f32", "11", 256, 1), ("f64", "7", 256, 2), ("bf16", "6", 256, 4)],
)
def test_small_products_are_in_step(element: str, size: str, bits: int, in_step: int, groups: int) -> None:
    before, after = lowered(shared(element, size), bits)
    body = str(Module([after])).partition("cpu.items")[2].partition("remainder")[0]
    assert body.count("vector.tile_outer") >= in_step
    (loop,) = (op for op in after.body.operations if isinstance(op, Items))
    assert loop.interleave == in_step
    rng, results, n = np.random.default_rng(groups), [], int(size)
    arrays = [values(rng, shape, element) for shape in ((n, n * groups), (n, n), (n, n * groups))]
    for function in (before, after):
        buffers = [array.reshape(-1, order="F").copy() for array in arrays]
        views = [MemrefView(buffer, 0, array.shape, (1, n)) for buffer, array in zip(buffers, arrays)]
        execute(function, views, groups, vector_scale=2)
        results.append(buffers[2])
    np.testing.assert_array_equal(*results)


def test_blocks_of_two_tiles_are_in_step_where_the_length_is_known() -> None:
    """Longer vectors than the shortest would leave one of the tiles without elements."""
    text = """func @f(%A: memref<f32x8x5x?>, %B: memref<f32x5x3x?>, %C: memref<f32x8x3x?>) {
      %g = builtin.group_id : index
      %a = subview %A[0:8, 0:5, %g] : memref<f32x8x5>
      %b = subview %B[0:5, 0:3, %g] : memref<f32x5x3>
      %c = subview %C[0:8, 0:3, %g] : memref<f32x8x3>
      gemm.n.n 1.0, %a, %b, 0.0, %c
    }"""
    for bits, in_step in ((0, 1), (128, 2)):
        loops = [op.interleave for op in lowered(text, bits)[1].body.operations if isinstance(op, Items)]
        assert max(loops, default=1) == in_step


def test_memory_of_panels_is_allocated_once() -> None:
    for size in ("?", "200"):
        text = shared("f32", size, "gemm.n.n 1.0, %a, %a, 0.0, %c" if size == "200" else "")
        in_front, _, by_group = str(Module([lowered(text)[1]])).partition("cpu.items")
        assert "vector.buffer" in in_front and "vector.buffer" not in by_group
        assert in_front.count("vector.buffer") == by_group.count("vector.release")


def test_memory_for_views_of_one_size_is_allocated_once() -> None:
    text = """func @f(%A: memref<bf16x?x?x?>, %B: memref<bf16x?x?x?>, %C: memref<f32x?x?x?>, %m: index, %n: index) {
      %g = builtin.group_id : index
      %k = size %A[0] : index
      %a = subview %A[0:%k, 0:%m, %g] : memref<bf16x?x?>
      %b = subview %B[0:%k, 0:%n, %g] : memref<bf16x?x?>
      %c = subview %C[0:%m, 0:%n, %g] : memref<f32x?x?>
      gemm.t.n 1.0, %a, %b, 1.0, %c
    }"""
    before, after = lowered(text)
    in_front, _, by_group = str(Module([after])).partition("cpu.items")
    assert in_front.count("vector.buffer") == 2 and "vector.buffer" not in by_group
    rng, results = np.random.default_rng(2), []
    shapes, elements = ((5, 7, 3), (5, 6, 3), (7, 6, 3)), ("bf16", "bf16", "f32")
    arrays = [values(rng, shape, element) for shape, element in zip(shapes, elements)]
    for function in (before, after):
        buffers = [array.reshape(-1, order="F").copy() for array in arrays]
        views = [MemrefView(b, 0, shape, (1, shape[0], shape[0] * shape[1])) for b, shape in zip(buffers, shapes)]
        execute(function, [*views, 7, 6], 3, vector_scale=2)
        results.append(buffers[2])
    np.testing.assert_array_equal(*results)


LEAST = [
    (elements, sizes)
    for sizes in ((37, 29, 41), (64, 64, 64), (16, 16, 16), (56, 9, 56), (8, 100, 24))
    for elements in (("f32",) * 3, ("f64",) * 3, ("bf16", "bf16", "f32"), ("f16", "f16", "f32"), ("i8", "i8", "i32"))
]


@pytest.mark.parametrize("form", ["n.n", *at_night(["n.t", "t.n", "t.t"])])
@pytest.mark.parametrize(("elements", "sizes"), [*LEAST[:5], *at_night(LEAST[5:])], ids=str)
def test_products_and_loads_are_the_fewest(
    elements: tuple[str, str, str], sizes: tuple[int, int, int], form: str
) -> None:
    """Of the loop over the sum: an outer product for each tile and each group of steps, and the loads of the blocks of
    tiles that need the fewest.
    """
    after = lowered(product(elements, form, sizes, (1, 0), is_dynamic=False)[0], 512)[1]
    products = [op for op in after.walk() if isinstance(op, tiles.Outer)]
    loads = {value.owner for op in products for value in (op.a, op.b)}
    assert all(isinstance(load, vector.Load) for load in loads)
    size = 8 if elements[2] == "f64" else 4
    below, beside = (-(-extent // (64 // size)) for extent in sizes[:2])
    groups = -(-sizes[2] // {"bf16": 2, "f16": 2, "i8": 4}.get(elements[0], 1))
    shapes = [(m, size // m) for m in range(1, size + 1)]
    fewest = min(below * -(-beside // n) + beside * -(-below // m) for m, n in shapes)
    assert executed(after.body, set(products)) == groups * below * beside
    assert executed(after.body, loads) <= groups * fewest


def executed(region: Region, counted: set[Operation], times: int = 1) -> int:
    """How many times some instructions are executed, where all loops have known bounds."""
    count = 0
    for op in region.operations:
        count += times * (op in counted)
        inner = times
        if isinstance(op, For):
            start, stop, step = (1 if bound is None else constant_of(bound) for bound in (op.start, op.stop, op.step))
            inner *= len(range(start, stop, step))
        count += sum(executed(each, counted, inner) for each in op.regions)
    return count


@pytest.mark.parametrize("form", ["n.n", "t.n"])
def test_memory_for_groups_of_any_sizes_is_allocated_once(form: str) -> None:
    """It is large enough for the panels of each work-group, whose sizes are looked at in front of all of them."""
    text = f"""func @f(%A: group<memref<f32x?x?>x?>, %B: group<memref<f32x?x?>x?>, %C: group<memref<f32x?x?>x?>) {{
      %g = builtin.group_id : index
      %a = load %A[%g] : memref<f32x?x?>
      %b = load %B[%g] : memref<f32x?x?>
      %c = load %C[%g] : memref<f32x?x?>
      gemm.{form} 1.0, %a, %b, 0.0, %c
    }}"""
    before, after = lowered(text)
    in_front, _, by_group = str(Module([after])).partition("cpu.items")
    assert in_front.count("vector.buffer") == by_group.count("vector.release") == (1 if form == "n.n" else 2)
    assert "vector.buffer" not in by_group
    rng, results = np.random.default_rng(2), []
    sizes = [(5, 7, 3), (1, 2, 9), (6, 4, 6)]
    shapes = [((k, m) if form[0] == "t" else (m, k), (k, n), (m, n)) for m, n, k in sizes]
    arrays = [[values(rng, shape, "f32") for shape in each] for each in zip(*shapes)]
    for function in (before, after):
        buffers = [[array.reshape(-1, order="F").copy() for array in each] for each in arrays]
        groups = [
            GroupView([MemrefView(buffer, 0, array.shape, (1, array.shape[0])) for buffer, array in zip(*pair)])
            for pair in zip(buffers, arrays)
        ]
        execute(function, groups, 3, vector_scale=1)
        results.append(np.concatenate(buffers[2]))
    np.testing.assert_array_equal(*results)


PRODUCT = """vector.code {
    %0 = vector.scale : index
    %c4 = constant 4 : index
    %1 = arith.mul %0, %c4 : index
    %2 = vector.mask %c4 : vector<[4]xbool>
    %c2 = constant 2 : index
    %3 = vector.mask %c2 : vector<[4]xbool>
    %c0 = constant 0 : index
    %c3 = constant 3 : index
    %c1 = constant 1 : index
    %c8 = constant 8 : index
    %4 = vector.tile_undefined : vector.tile<[4]x[4]xf32>
    %5 = vector.slice_load.row %C[%c0, %c3] mask %3, %4[%c3] : vector.tile<[4]x[4]xf32>
    %6 = vector.slice_load.row %C[%c0, %c2] mask %3, %5[%c2] : vector.tile<[4]x[4]xf32>
    %7 = vector.slice_load.row %C[%c0, %c1] mask %3, %6[%c1] : vector.tile<[4]x[4]xf32>
    %8 = vector.slice_load.row %C[%c0, %c0] mask %3, %7[%c0] : vector.tile<[4]x[4]xf32>
    %9 = for %i = %c0, %c8, %c4 init(%10=%8) -> (vector.tile<[4]x[4]xf32>) {
      %11 = vector.load %B[%c0, %i] mask %2 : vector<[4]xf32>
      %12 = vector.load %A[%c0, %i] mask %3 : vector<[4]xf32>
      %13 = vector.tile_outer %11, %12, %10 mask %2, %3 : vector.tile<[4]x[4]xf32>
      %14 = arith.add %i, %c1 : index
      %15 = vector.load %B[%c0, %14] mask %2 : vector<[4]xf32>
      %16 = vector.load %A[%c0, %14] mask %3 : vector<[4]xf32>
      %17 = vector.tile_outer %15, %16, %13 mask %2, %3 : vector.tile<[4]x[4]xf32>
      %18 = arith.add %i, %c2 : index
      %19 = vector.load %B[%c0, %18] mask %2 : vector<[4]xf32>
      %20 = vector.load %A[%c0, %18] mask %3 : vector<[4]xf32>
      %21 = vector.tile_outer %19, %20, %17 mask %2, %3 : vector.tile<[4]x[4]xf32>
      %22 = arith.add %i, %c3 : index
      %23 = vector.load %B[%c0, %22] mask %2 : vector<[4]xf32>
      %24 = vector.load %A[%c0, %22] mask %3 : vector<[4]xf32>
      %25 = vector.tile_outer %23, %24, %21 mask %2, %3 : vector.tile<[4]x[4]xf32>
      yield (%25)
    }
    vector.slice_store.row %9[%c3], %C[%c0, %c3] mask %3
    vector.slice_store.row %9[%c2], %C[%c0, %c2] mask %3
    vector.slice_store.row %9[%c1], %C[%c0, %c1] mask %3
    vector.slice_store.row %9[%c0], %C[%c0, %c0] mask %3
  }
}"""


def test_a_product_of_one_tile() -> None:
    text, _ = product(("f32",) * 3, "n.t", (2, 4, 8), (1, 1), False)
    after = str(lowered(text)[1])
    assert after[after.index("vector.code") :] == PRODUCT
