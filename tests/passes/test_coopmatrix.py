"""lower-coopmatrix: cooperative matrices as scalars of work-items, with the meaning that they had."""

from itertools import product
from random import Random

import numpy as np
import pytest
from generator import generate
from passes_kit import after, assert_meaning_kept, lines
from reference_kit import COMPLEX, FLOATS, INTEGERS, dense, random_array
from sampling import at_night

import pytl
from pytl.ir.types import CoopMatrixType
from pytl.ops import For
from pytl.passes import Canonicalize, InsertBarrier, LowerCoopmatrix, Pipeline

pytestmark = pytest.mark.at_most(16)

TYPES = [*INTEGERS, *FLOATS, *COMPLEX]
USES = ["matrix_a", "matrix_b", "matrix_acc"]
LANES = 4
# below, at, above, a multiple and no multiple of the sub-group size
SHAPES = [(1, 1), (3, 2), (4, 3), (5, 2), (8, 1), (9, 4)]
CHECKED = ["", ".rows_checked", ".cols_checked", ".both_checked"]


def matrix(type_, rows, columns, use="matrix_acc"):
    return f"coopmatrix<{type_}x{rows}x{columns},{use}>"


def text(parameters, body, items=LANES, before=""):
    attributes = f"attributes{{subgroup_size={LANES}, work_group_size=[{items},1]}}"
    return f"func @f({parameters}) {attributes} {{ {before}\nparallel {{\n{body}\n}}\n}}"


def check(source, *arguments, exact=True, groups=1, more=()):
    changed = assert_meaning_kept(source, LowerCoopmatrix(), *more, arguments=arguments, exact=exact, groups=groups)
    types = [value.type for op in changed["f"].walk() for value in (*op.operands, *op.results)]
    assert not any(isinstance(type_, CoopMatrixType) for type_ in types)
    return changed


@pytest.mark.parametrize("use", USES)
@pytest.mark.parametrize("transpose", "nt")
@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_load_and_store(shape, transpose, use):
    rows, columns = shape
    stored = (rows, columns) if transpose == "n" else (columns, rows)
    rng = np.random.default_rng(rows)
    type_ = matrix("f32", rows, columns, use)
    source = text(
        "%a: memref<f32x?x?>, %c: memref<f32x?x?,strided<1,?>>, %x: index, %y: index, %z: index",
        f"""%m = cooperative_matrix_load.{transpose} %a[%x, %y] : {type_}
        cooperative_matrix_store %m, %c[%y, %z]""",
    )
    a, c = random_array(rng, "f32", stored[0] + 3, stored[1] + 2), random_array(rng, "f32", rows + 3, columns + 2)
    check(source, a, c, 2, 1, 0)


@pytest.mark.parametrize("type_", TYPES)
def test_every_type_in_memory(type_):
    rng = np.random.default_rng(1)
    source = text(
        f"%a: memref<{type_}x6x3>, %c: memref<{type_}x6x3>, %x: index",
        f"""%m = cooperative_matrix_load.n.both_checked %a[%x, %x] : {matrix(type_, 6, 3)}
        cooperative_matrix_store.both_checked.atomic_add %m, %c[%x, %x]""",
    )
    check(source, random_array(rng, type_, 6, 3), random_array(rng, type_, 6, 3), 1)


@pytest.mark.at_most(7)
@pytest.mark.parametrize("checked", CHECKED)
@pytest.mark.parametrize("transpose", "nt")
@pytest.mark.parametrize("shape", [(3, 2), (4, 4), (6, 3)], ids=str)
@pytest.mark.parametrize("is_static", [True, False], ids=["static", "dynamic"])
def test_checked(shape, transpose, checked, is_static):
    rows, columns = shape
    extents = (5, 4)
    sizes = "x5x4" if is_static else "x?x?"
    source = text(
        f"%a: memref<i32{sizes}>, %c: memref<i32{sizes}>, %x: index, %y: index, %u: index, %v: index",
        f"""%m = cooperative_matrix_load.{transpose}{checked} %a[%x, %y] : {matrix("i32", rows, columns)}
        cooperative_matrix_store{checked} %m, %c[%u, %v]""",
    )
    rng = np.random.default_rng(rows)
    a, c = random_array(rng, "i32", *extents), random_array(rng, "i32", *extents)

    def positions(flag_mode, size, extent):
        # what is checked may begin and end outside
        return (-2, 3, 9) if flag_mode else (0,) if size <= extent else ()

    by_row, by_column = checked in CHECKED[1::2], checked in CHECKED[2:]
    flags, size = ((by_row, by_column), shape) if transpose == "n" else ((by_column, by_row), shape[::-1])
    loads = product(*(positions(f, n, e) for f, n, e in zip(flags, size, extents)))
    stores = list(product(*(positions(f, n, e) for f, n, e in zip((by_row, by_column), shape, extents))))
    for (x, y), (u, v) in zip(loads, stores[::-1]):
        check(source, a, c, x, y, u, v)


@pytest.mark.parametrize(("flag", "items"), [("", 4), (".atomic", 4), (".atomic_add", 4), (".atomic_add", 12)])
@pytest.mark.parametrize("word", ["cooperative_matrix_store", "v04.cooperative_matrix_store.t"])
def test_each_sub_group_stores_each_component_once(word, flag, items):
    shape = (3, 5) if word.endswith(".t") else (5, 3)
    source = text(
        f"%a: memref<i32x5x3>, %c: memref<i32x{shape[0]}x{shape[1]}>, %zero: index",
        f"""%m = cooperative_matrix_load.n %a[%zero, %zero] : {matrix("i32", 5, 3)}
        {word}{flag} %m, %c[%zero, %zero]""",
        items=items,
    )
    rng = np.random.default_rng(2)
    check(source, random_array(rng, "i32", 5, 3), random_array(rng, "i32", *shape), 0)


@pytest.mark.parametrize("checked", CHECKED)
@pytest.mark.parametrize("flag", ["", ".atomic_add"])
def test_transposed_stores_leave_out_what_lies_outside(checked, flag):
    rows, columns = (n if check in checked else 0 for check, n in (("rows", 2), ("cols", 1)))
    if checked == ".both_checked":
        rows, columns = 2, 1
    source = text(
        "%a: memref<i32x6x3>, %c: memref<i32x?x?>, %x: index, %y: index",
        f"""%m = cooperative_matrix_load.n %a[0, 0] : {matrix("i32", 6, 3)}
        v04.cooperative_matrix_store.t{checked}{flag} %m, %c[%x, %y]""",
    )
    rng = np.random.default_rng(3)
    check(source, random_array(rng, "i32", 6, 3), random_array(rng, "i32", 3, 6), columns, rows)
    check(source, random_array(rng, "i32", 6, 3), random_array(rng, "i32", 3, 6), -columns, -rows)


def test_every_sub_group_has_its_own_matrix():
    source = text(
        "%a: memref<f32x5x?>, %c: memref<f32x5x?>, %zero: index, %two: index",
        f"""%id = builtin.subgroup_id : i32
        %n = cast %id : index
        %y = arith.mul %n, %two : index
        %m = cooperative_matrix_load.n %a[%zero, %y] : {matrix("f32", 5, 2, "matrix_a")}
        %b = cooperative_matrix_load.n %a[%zero, %y] : {matrix("f32", 2, 2, "matrix_b")}
        %z = cooperative_matrix_load.n %a[%zero, %y] : {matrix("f32", 5, 2)}
        %d = cooperative_matrix_mul_add %m, %b, %z : {matrix("f32", 5, 2)}
        cooperative_matrix_store %d, %c[%zero, %y]""",
        items=12,
    )
    rng = np.random.default_rng(3)
    check(source, random_array(rng, "f32", 5, 6), random_array(rng, "f32", 5, 6), 0, 2)


def product_text(m, n, k, a="f32", b="f32", c="f32", d="f32", transposes="nn"):
    stored_a, stored_b = (f"{m}x{k}", f"{k}x{n}")
    if transposes[0] == "t":
        stored_a = f"{k}x{m}"
    if transposes[1] == "t":
        stored_b = f"{n}x{k}"
    return text(
        f"%a: memref<{a}x{stored_a}>, %b: memref<{b}x{stored_b}>, %c: memref<{c}x{m}x{n}>, "
        f"%d: memref<{d}x{m}x{n}>, %zero: index",
        f"""%A = cooperative_matrix_load.{transposes[0]} %a[%zero, %zero] : {matrix(a, m, k, "matrix_a")}
        %B = cooperative_matrix_load.{transposes[1]} %b[%zero, %zero] : {matrix(b, k, n, "matrix_b")}
        %C = cooperative_matrix_load.n %c[%zero, %zero] : {matrix(c, m, n)}
        %D = cooperative_matrix_mul_add %A, %B, %C : {matrix(d, m, n)}
        cooperative_matrix_store %D, %d[%zero, %zero]""",
    )


def product_arguments(m, n, k, types, transposes="nn"):
    rng = np.random.default_rng(m * 100 + n * 10 + k)
    shapes = [(m, k), (k, n), (m, n), (m, n)]
    for i, word in enumerate(transposes):
        shapes[i] = shapes[i][::-1] if word == "t" else shapes[i]
    return [random_array(rng, type_, *shape) for type_, shape in zip(types, shapes)]


@pytest.mark.parametrize("transposes", ["nn", "nt", "tn", "tt"])
@pytest.mark.parametrize("shape", [(1, 1, 1), (3, 2, 5), (4, 4, 4), (5, 3, 6), (8, 2, 3), (6, 9, 2)], ids=str)
def test_products(shape, transposes):
    check(product_text(*shape, transposes=transposes), *product_arguments(*shape, ["f32"] * 4, transposes), 0)


@pytest.mark.parametrize("type_", TYPES)
def test_products_of_every_type(type_):
    shape = (5, 3, 6)
    check(product_text(*shape, *[type_] * 4), *product_arguments(*shape, [type_] * 4), 0)


@pytest.mark.parametrize(
    "types",
    [
        ("i8", "i8", "i32", "i32"),
        ("i8", "i16", "f32", "i8"),
        ("f16", "f16", "f32", "f16"),
        ("bf16", "i8", "bf16", "f64"),
        ("f16", "f32", "f64", "i32"),
        ("f32", "c32", "c64", "c32"),
        ("i8", "i8", "f16", "bf16"),
        ("i16", "i8", "i16", "c64"),
    ],
    ids="-".join,
)
def test_products_of_mixed_types(types):
    shape = (6, 3, 2)
    check(product_text(*shape, *types), *product_arguments(*shape, types), 0)


@pytest.mark.parametrize("type_", ["f32", *at_night(["i8", "bf16", "c32"])])
@pytest.mark.parametrize("shape", [(6, 9, 14), *at_night([(4, 3, 8), (9, 2, 5), (3, 1, 4)])], ids=str)
def test_long_products_are_loops(shape, type_):
    few = LowerCoopmatrix(unrolled=3)
    source, given = product_text(*shape, *[type_] * 4), product_arguments(*shape, [type_] * 4)
    changed = assert_meaning_kept(source, few, arguments=(*given, 0), groups=1)
    loops = [op for op in changed["f"].walk() if isinstance(op, For)]
    assert len(loops) == -(-shape[2] // LANES)  # one for each block of rows of the right factor
    whole = len(lines(after(source, LowerCoopmatrix(unrolled=10**6))))
    assert shape[2] < 14 or len(lines(changed)) < 0.7 * whole


@pytest.mark.parametrize("type_", ["f16", "f32", "c64"])
def test_products_that_are_rounded(type_):
    rng = np.random.default_rng(5)
    shapes = [(6, 7), (7, 5), (6, 5), (6, 5)]
    numbers = [dense(rng.standard_normal(s) * (1 + 1j if type_ in COMPLEX else 1), type_) for s in shapes]
    check(product_text(6, 5, 7, *[type_] * 4), *numbers, 0, exact=False)


def test_arithmetic_casts_and_scaling():
    type_ = matrix("i16", 6, 3)
    source = text(
        "%a: memref<i16x6x3>, %b: memref<i16x6x3>, %c: memref<f32x6x3>, %zero: index, %s: f32",
        f"""%m = cooperative_matrix_load.n %a[%zero, %zero] : {type_}
        %n = cooperative_matrix_load.n %b[%zero, %zero] : {type_}
        %o = arith.sub %m, %one : {type_}
        %p = arith.mul %o, %n : {type_}
        %q = arith.neg %p : {type_}
        %r = arith.div %q, %n : {type_}
        %t = arith.add %r, %r : {type_}
        %u = cast %t : {matrix("f32", 6, 3)}
        %v = cooperative_matrix_scale %s, %u : {matrix("f32", 6, 3)}
        %w = cooperative_matrix_scale %s, %w1 : {matrix("f32", 6, 3)}
        %x = arith.add %v, %w : {matrix("f32", 6, 3)}
        cooperative_matrix_store %x, %c[%zero, %zero]""",
        before=f"%one = constant 1 : {type_}\n%w1 = cast %one : {matrix('f32', 6, 3)}",
    )
    rng = np.random.default_rng(4)
    a, b = random_array(rng, "i16", 6, 3), random_array(rng, "i16", 6, 3)
    b[b == 0] = 1
    # in the padding of the second block there is 0 / 0, which must not be computed
    check(source, a, b, dense(np.zeros((6, 3))), 0, 0.5)


@pytest.mark.parametrize("target", ["i8", "i64"])
def test_padding_is_not_cast_to_integers(target):
    # 0 / 0 in the padding is a nan, which no integer type holds
    source = text(
        f"%a: memref<f32x5x2>, %c: memref<{target}x5x2>, %zero: index",
        f"""%m = cooperative_matrix_load.n %a[%zero, %zero] : {matrix("f32", 5, 2)}
        %o = arith.div %m, %m : {matrix("f32", 5, 2)}
        %r = cast %o : {matrix(target, 5, 2)}
        cooperative_matrix_store %r, %c[%zero, %zero]""",
    )
    a = dense(np.arange(1, 11).reshape(5, 2))
    check(source, a, dense(np.zeros((5, 2)), target), 0)


def test_what_is_carried_and_yielded():
    acc = matrix("f32", 6, 2)
    source = text(
        "%a: memref<f32x6x?>, %c: memref<f32x6x2>, %zero: index, %n: index, %two: index, %p: bool",
        f"""%r, %last = for %y = %zero, %n, %two init(%s=%start, %count=%zero) -> ({acc}, index) {{
          %m = cooperative_matrix_load.n %a[%zero, %y] : {acc}
          %q = cmp.lt %y, %two : bool
          %t, %o = if %q -> ({acc}, index) {{
            %u = arith.add %s, %m : {acc}
            yield (%u, %y)
          }} else {{
            yield (%m, %count)
          }}
          %v = arith.sub %t, %start : {acc}
          yield (%v, %o)
        }}
        %w = if %p -> ({acc}) {{ yield (%r) }} else {{ yield (%start) }}
        cooperative_matrix_store %w, %c[%zero, %zero]""",
        before=f"%start = constant 2.0 : {acc}",
    )
    rng = np.random.default_rng(4)
    for n, p in [(6, True), (0, True), (2, True), (6, False)]:
        check(source, random_array(rng, "f32", 6, 6), random_array(rng, "f32", 6, 2), 0, n, 2, p)


def test_matrices_of_collective_regions():
    acc, half = matrix("f32", 6, 2), matrix("f16", 6, 2)
    source = f"""func @f(%c: memref<f16x6x2>, %zero: index, %n: index, %p: bool) attributes{{subgroup_size={LANES}}} {{
      %one = constant 1.0 : {acc}
      %r = for %i = %zero, %n init(%s=%one) -> ({acc}) {{
        %t = arith.add %s, %one : {acc}
        %u = if %p -> ({acc}) {{ yield (%t) }} else {{ %v = arith.neg %t : {acc} yield (%v) }}
        %w = cast %u : {half}
        parallel {{
          %x = cooperative_matrix_load.n %c[%zero, %zero] : {half}
          %y = arith.add %w, %x : {half}
          cooperative_matrix_store %y, %c[%zero, %zero]
        }}
        yield (%u)
      }}
      %k = cast %r : {half}
      parallel {{
        cooperative_matrix_store.atomic_add %k, %c[%zero, %zero]
      }}
    }}"""
    rng = np.random.default_rng(6)
    for n, p in [(3, True), (2, False), (0, True)]:
        changed = check(source, random_array(rng, "f16", 6, 2), 0, n, p)
    assert " = for %i = %zero, %n init(" in str(changed)


def test_views_of_local_memory():
    source = f"""func @f(%a: memref<f32x24>, %zero: index, %n: index) attributes{{subgroup_size={LANES}}} {{
      %t = alloca : memref<f32x24,local>
      %o = constant 1.0 : f32 %z = constant 0.0 : f32
      axpby.n %o, %a, %z, %t
      %e = expand %t[0 -> 6 x 4] : memref<f32x6x4,local>
      parallel {{
        %m = cooperative_matrix_load.n %e[%zero, %zero] : {matrix("f32", 6, 2)}
        cooperative_matrix_store %m, %e[%zero, %n]
      }}
      axpby.n %o, %t, %z, %a
    }}"""
    check(source, random_array(np.random.default_rng(7), "f32", 24), 0, 2, more=(InsertBarrier(),))


def test_the_default_sub_group_size_is_written_down():
    source = f"""func @f(%a: memref<f32x17x1>, %zero: index) {{
      parallel {{
        %m = cooperative_matrix_load.n %a[%zero, %zero] : {matrix("f32", 17, 1)}
        %n = arith.neg %m : {matrix("f32", 17, 1)}
        cooperative_matrix_store %n, %a[%zero, %zero]
      }}
    }}"""
    changed = check(source, random_array(np.random.default_rng(8), "f32", 17, 1), 0)
    assert changed["f"].attributes == {"subgroup_size": 16}


def test_text():
    source = text(
        "%a: memref<f32x3x2>, %c: memref<f32x3x2>, %x: index",
        f"""%m = cooperative_matrix_load.n %a[%x, %x] : {matrix("f32", 3, 2, "matrix_b")}
        %n = arith.add %m, %m : {matrix("f32", 3, 2, "matrix_b")}
        cooperative_matrix_store.cols_checked %n, %c[%x, %x]""",
    )
    assert lines(after(source, LowerCoopmatrix(), Canonicalize())) == [
        "parallel {",
        "%0 = constant 1 : index",
        "%1 = constant 0x0p+0 : f32",
        "%lane = builtin.subgroup_local_id : i32",
        "%row = cast %lane : index",
        "%2 = constant 3 : index",
        "%3 = constant 2 : index",
        "%4 = constant 0 : index",
        "%5 = arith.add %x, %0 : index",
        "%6 = cmp.lt %row, %2 : bool",
        "%7 = arith.add %x, %row : index",
        "%8, %9 = if %6 -> (f32, f32) {",
        "%10 = load %a[%7, %x] : f32",
        "%11 = load %a[%7, %5] : f32",
        "yield (%10, %11)",
        "} else {",
        "yield (%1, %1)",
        "}",
        "%12 = arith.add %8, %8 : f32",
        "%13 = arith.add %9, %9 : f32",
        "%14 = cmp.ge %x, %4 : bool",
        "%15 = cmp.lt %x, %3 : bool",
        "%16 = arith.and %14, %15 : bool",
        "%17 = cmp.ge %5, %4 : bool",
        "%18 = cmp.lt %5, %3 : bool",
        "%19 = arith.and %17, %18 : bool",
        "if %6 {",
        "if %16 {",
        "store %12, %c[%7, %x]",
        "}",
        "if %19 {",
        "store %13, %c[%7, %5]",
        "}",
        "}",
        "}",
    ]


@pytest.mark.parametrize("position", [-2, 0, 2])
def test_a_position_that_is_known_needs_no_guard_of_columns(position):
    """Columns beyond the memref are left out, so that the stage can be read and verified again."""
    rng = np.random.default_rng(3)
    source = text(
        "%a: memref<f32x8x3>, %c: memref<f32x8x3>",
        f"""%zero = constant 0 : index %y = constant {position} : index
        %m = cooperative_matrix_load.n.both_checked %a[%zero, %y] : {matrix("f32", 4, 3)}
        cooperative_matrix_store.both_checked %m, %c[%zero, %y]""",
    )
    changed = check(source, random_array(rng, "f32", 8, 3), random_array(rng, "f32", 8, 3))
    pytl.verify(pytl.parse(str(changed)))
    # the rows are checked: a load and a store within a guard each
    assert str(changed).count("load %a[") == str(changed).count("%c[") == 3 - abs(position)


def test_a_function_without_matrices_stays():
    source = "func @f(%a: memref<f32x4>, %x: f32) { axpby.n %x, %a, %x, %a }"
    assert str(after(source, LowerCoopmatrix())) == str(after(source))


@pytest.mark.at_most(5)
@pytest.mark.parametrize("seed", range(60))
def test_random_programs(seed):
    changed = after(generate(Random(seed), size=25), LowerCoopmatrix())
    types = [value.type for op in changed["kernel"].walk() for value in (*op.operands, *op.results)]
    assert not any(isinstance(type_, CoopMatrixType) for type_ in types)


@pytest.mark.at_most(3)
@pytest.mark.parametrize("seed", range(30))
def test_the_meaning_of_random_programs_is_kept(seed):
    assert_meaning_kept(generate(Random(seed), safe=True, size=20), LowerCoopmatrix(), exact=False, seed=seed)


@pytest.mark.parametrize("turn", ["n", "t"])
def test_padding(turn):
    shape = "7x5" if turn == "t" else "5x7"
    text = f"""func @f(%a: memref<f32x3x4>, %r: memref<f32x{shape}>, %x: index, %p: f32) {{
      %0 = constant 0 : index
      parallel {{
        %t = xetile.init_tile %a[%x, %x] : tile<f32x5x7>
        %m = xetile.load_tile{".t" if turn == "t" else ""} %t padding(%p) : coopmatrix<f32x{shape},matrix_acc>
        %a_again = xetile.convert %m : coopmatrix<f32x{shape},matrix_a>
        cooperative_matrix_store %m, %r[%0, %0]
      }}
    }}"""
    lowered = Pipeline([LowerCoopmatrix()]).run(pytl.parse(text))
    assert "coopmatrix" not in str(lowered) and "xetile" not in str(lowered)
    a = np.asfortranarray(np.arange(12, dtype=np.float32).reshape(3, 4))
    expected = np.full((5, 7), 9, np.float32)
    expected[1:4, 1:5] = a
    r = np.zeros((7, 5) if turn == "t" else (5, 7), np.float32, order="F")
    pytl.compile(lowered)["f"][1](a, r, -1, np.float32(9), backend="reference")
    np.testing.assert_array_equal(r, expected.T if turn == "t" else expected)
