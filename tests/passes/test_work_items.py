"""work-item-loops: what one agent executes for a work-group, with the meaning that it had."""

import itertools
import re

import numpy as np
import pytest
from forms.table import all_rows
from forms.test_forms import execute
from passes_kit import after, assert_meaning_kept, lines, stage
from reference_kit import COMPLEX, FLOATS, INTEGERS, float_edges

import pytl
from pytl.ir.types import CoopMatrixType
from pytl.ops import Barrier, Parallel
from pytl.passes import Canonicalize, LongerProducts, LowerCollectives, Pipeline, WorkItemLoops

STEP = WorkItemLoops()
PLACE = """%l = builtin.subgroup_local_id : i32
    %g = builtin.subgroup_id : i32
    %lx = cast %l : index
    %gx = cast %g : index"""


def text(parameters, body, lanes=4, subgroups=1):
    attributes = f"attributes{{subgroup_size={lanes}, work_group_size=[{lanes * subgroups},1]}}"
    return f"func @f({parameters}) {attributes} {{\n{body}\n}}"


def parallel(parameters, body, **sizes):
    return text(parameters, f"parallel {{\n{body}\n}}", **sizes)


def check(source, exact=True, **options):
    """What one agent executes means the same, knows nothing of work-items, and is left as it is by the pass."""
    options.setdefault("groups", 1)
    changed = assert_meaning_kept(source, STEP, exact=exact, **options)
    assert_for_one(changed)
    assert_meaning_kept(source, STEP, LowerCollectives(), Canonicalize(), exact=exact, **options)
    return changed


def assert_for_one(module):
    for op in module.functions[0].walk():
        assert op.kind != "spmd" and not isinstance(op, (Parallel, Barrier))
        assert not any(isinstance(value.type, CoopMatrixType) for value in (*op.operands, *op.results))
    assert str(Pipeline([STEP]).run(module)) == str(module)


def shown(source):
    """The instructions afterwards, canonical, constants left out and their uses written as numbers."""
    found = lines(after(source, STEP, Canonicalize()))
    known = {}
    for line in found:
        if match := re.fullmatch(r"(%\w+) = constant (\S+) : \S+", line):
            known[match[1]] = match[2]
    kept = [line for line in found if not re.fullmatch(r"%\w+ = constant \S+ : \S+", line)]
    numbers = {}

    def named(word):
        if word[0] in known:
            return known[word[0]]
        return f"%{numbers.setdefault(word[0], len(numbers))}" if word[0][1:].isdigit() else word[0]

    return [re.sub(r"%\w+", named, line) for line in kept]


def test_what_knows_nothing_of_work_items_stays():
    source = """func @f(%a: memref<f32x4>, %x: f32) {
  %0 = constant 0 : index
  %4 = constant 4 : index
  foreach (%i) = (%0), (%4) {
    store.atomic_add %x, %a[%i]
  }
  for %i = %0, %4 {
    axpby.n.atomic %x, %a, %x, %a
  }
}""".replace("axpby.n.atomic", "axpby.n")
    assert str(after(source, STEP)) == str(pytl.parse(source))


def test_a_region_that_does_not_look_at_work_items_becomes_part_of_its_surroundings():
    source = parallel("%a: memref<f32x4>, %x: f32, %i: index", "%y = load %a[%i] : f32\nstore.atomic %x, %a[%i]")
    assert shown(source) == ["store.atomic %x, %a[%i]"]


@pytest.mark.parametrize("where", ["parallel", "for"])
def test_each_work_item_adds(where):
    inside = "store.atomic_add %x, %a[%i]"
    body = f"parallel {{ {inside} }}" if where == "parallel" else f"for %k = %i, %n {{ {inside} }}"
    source = text("%a: memref<i32x4>, %x: i32, %i: index, %n: index", body, lanes=4, subgroups=3)
    arguments = [np.arange(4, dtype=np.int32), 3, 1, 3]
    changed = check(source, arguments=arguments)
    assert "foreach" in str(changed)


def test_an_agent_that_is_the_only_work_item_adds_once():
    source = text("%a: memref<i32>, %x: i32", "store.atomic_add %x, %a[]", lanes=1)
    assert lines(check(source)) == ["store.atomic_add %x, %a[]"]
    # sub-groups of one follow one another, and each adds once
    changed = check(parallel("%a: memref<i32>, %x: i32", "store.atomic_add %x, %a[]", lanes=1, subgroups=3))
    assert "foreach" in str(changed)


def test_sizes_of_the_work_group_are_known():
    source = text(
        "%a: memref<i32x2>",
        """%0 = constant 0 : index
        %1 = constant 1 : index
        %s = builtin.subgroup_size : i32
        parallel { %n = builtin.num_subgroups : i32
        store %n, %a[%1] }
        store %s, %a[%0]""",
        subgroups=2,
    )
    assert shown(source) == ["store 2, %a[1]", "store 4, %a[0]"]


def test_lanes_are_a_foreach():
    source = parallel(
        "%a: memref<f32x4x2>",
        f"{PLACE}\n%v = load %a[%lx, %gx] : f32\n%w = arith.mul %v, %v : f32\nstore %w, %a[%lx, %gx]",
        subgroups=2,
    )
    assert shown(source) == [
        "for %subgroup = 0, 2 {",
        "foreach (%lane) = (0), (4) {",
        "%v = load %a[%lane, %subgroup] : f32",
        "%w = arith.mul %v, %v : f32",
        "store %w, %a[%lane, %subgroup]",
        "}",
        "}",
    ]
    check(source)


def test_what_crosses_a_meeting_lies_in_memory():
    source = parallel(
        "%a: memref<f32x4>",
        f"""{PLACE}
        %v = load %a[%lx] : f32
        %s = subgroup_add.reduce %v : f32
        %w = arith.div %v, %s : f32
        store %w, %a[%lx]""",
    )
    assert shown(source) == [
        "%v = alloca : memref<f32x4,local>",
        "foreach (%lane) = (0), (4) {",
        "%v_1 = load %a[%lane] : f32",
        "store %v_1, %v[%lane]",
        "}",
        "%0 = load %v[0] : f32",
        "%1 = for %lane = 1, 4 init(%2=%0) -> (f32) {",
        "%3 = load %v[%lane] : f32",
        "%4 = arith.add %2, %3 : f32",
        "yield (%4)",
        "}",
        "foreach (%lane) = (0), (4) {",
        "%5 = load %v[%lane] : f32",
        "%w = arith.div %5, %1 : f32",
        "store %w, %a[%lane]",
        "}",
    ]
    check(source)


def test_a_loop_in_which_work_items_meet_stands_around_their_runs():
    source = parallel(
        "%a: memref<f32x4>, %n: index",
        f"""{PLACE}
        %0 = constant 0 : index
        %v = load %a[%lx] : f32
        %x, %y = for %k = %0, %n init(%p=%v, %q=%v) -> (f32, f32) {{
          %m = subgroup_max.reduce %p : f32
          %d = arith.sub %q, %m : f32
          yield (%d, %p)
        }}
        %z = arith.add %x, %y : f32
        store %z, %a[%lx]""",
    )
    found = check(source, arguments=[np.array([0.5, -1, 2, 3], np.float32), 3])
    assert [line for line in lines(found) if line.startswith(("for", "foreach"))]
    assert "for %k = %1, %n {" in str(found) or "for %k =" in str(found)


@pytest.mark.parametrize("subgroups", [1, 3])
def test_branches_in_which_work_items_meet(subgroups):
    # all work-items of a sub-group go the same way, sub-groups go different ones
    source = parallel(
        "%a: memref<i32x4x3>, %p: bool",
        f"""{PLACE}
        %one = constant 1 : i32
        %is = cmp.eq %g, %one : bool
        %v = load %a[%lx, %gx] : i32
        %first = cmp.eq %l, %one : bool
        %x, %b = if %is -> (i32, bool) {{
          %s = subgroup_add.inclusive_scan %v : i32
          yield (%s, %p)
        }} else {{
          %m = subgroup_min.exclusive_scan %v : i32
          yield (%m, %first)
        }}
        %r = subgroup_broadcast %x, %one : i32
        %y = if %b -> (i32) {{ yield (%r) }} else {{ yield (%x) }}
        store %y, %a[%lx, %gx]""",
        subgroups=subgroups,
    )
    check(source, arguments=[np.asfortranarray(np.arange(12, dtype=np.int32).reshape(4, 3)), False])


@pytest.mark.parametrize("subgroups", [1, 2])
def test_barriers(subgroups):
    # work-items read what others of any sub-group wrote before the barrier, in a loop that hands values on
    count = 4 * subgroups
    source = text(
        f"%a: memref<i32x{count}>, %o: memref<i32x{count}>, %p: bool",
        f"""%t = alloca : memref<i32x{count},local>
        parallel {{
          {PLACE}
          %0 = constant 0 : index
          %1 = constant 1 : index
          %3 = constant 3 : index
          %4 = constant 4 : index
          %last = constant {count - 1} : index
          %b = arith.mul %gx, %4 : index
          %i = arith.add %b, %lx : index
          %j = arith.sub %last, %i : index
          %v = load %a[%i] : i32
          %odd = cmp.lt %lx, %1 : bool
          %x, %flag = for %k = %0, %3 init(%c=%v, %f=%odd) -> (i32, bool) {{
            store %c, %t[%i]
            barrier.local
            %w = load %t[%j] : i32
            %s = subgroup_add.reduce %w : i32
            barrier.local
            %n = if %f -> (i32) {{ yield (%s) }} else {{ yield (%w) }}
            yield (%n, %p)
          }}
          barrier
          %y = if %flag -> (i32) {{ yield (%x) }} else {{ yield (%v) }}
          store %y, %o[%i]
        }}""",
        subgroups=subgroups,
    )
    a = np.arange(1, count + 1, dtype=np.int32)
    for flag in (True, False):
        check(source, arguments=[a, np.zeros(count, np.int32), flag])


def test_views_that_differ_among_work_items_are_made_again():
    source = parallel(
        "%a: memref<f32x4x4>, %i: memref<indexx4>",
        f"""{PLACE}
        %k = load %i[%lx] : index
        %row = subview %a[%k, 0:4] : memref<f32x4,strided<4>>
        %v = load %row[%lx] : f32
        %s = subgroup_add.exclusive_scan %v : f32
        store %s, %row[%lx]""",
    )
    check(source, arguments=[np.asfortranarray(np.eye(4, dtype=np.float32)), np.array([2, 0, 3, 1])])


@pytest.mark.at_most(1)
@pytest.mark.parametrize("variant", ["reduce", "inclusive_scan", "exclusive_scan"])
@pytest.mark.parametrize("name", ["add", "max", "min"])
def test_operations_of_sub_groups(name, variant):
    """In the order of the work-items, rounded once, and with the numbers that are special."""
    for type_ in [*INTEGERS, *FLOATS, *(COMPLEX if name == "add" else ())]:
        source = parallel(
            f"%a: memref<{type_}x5x3>, %o: memref<{type_}x5x3>",
            f"{PLACE}\n%v = load %a[%lx, %gx] : {type_}\n"
            f"%r = subgroup_{name}.{variant} %v : {type_}\nstore %r, %o[%lx, %gx]",
            lanes=5,
            subgroups=3,
        )
        rng = np.random.default_rng(3)
        if type_ in FLOATS:
            numbers = rng.permutation(float_edges(type_))[:15]
            numbers[:5] = np.nan
        elif type_ in COMPLEX:
            numbers = (rng.normal(size=15) + 1j * rng.normal(size=15)).astype({"c32": "c8", "c64": "c16"}[type_])
        else:
            numbers = rng.integers(-(2**7), 2**7, 15).astype({"i8": "i1", "i16": "i2", "i32": "i4"}.get(type_, "i8"))
        a = np.asfortranarray(numbers.reshape(5, 3))
        with np.errstate(all="ignore"):
            check(source, arguments=[a, np.zeros_like(a)])


def matrix(type_, rows, columns, use):
    return f"coopmatrix<{type_}x{rows}x{columns},matrix_{use}>"


def product_of_factors(transpose="n", between=""):
    """A product of two factors from memory, with an instruction between the loads and the product."""
    return parallel(
        "%a: memref<f32x16x16>, %c: memref<f32x8x8>",
        f"""%0 = constant 0 : index
        %x = cooperative_matrix_load.{transpose} %a[%0, %0] : {matrix("f32", 8, 4, "a")}
        %y = cooperative_matrix_load.{transpose} %a[%0, %0] : {matrix("f32", 4, 8, "b")}
        %s = cooperative_matrix_load.n %c[%0, %0] : {matrix("f32", 8, 8, "acc")}
        {between}
        %t = cooperative_matrix_mul_add %x, %y, %s : {matrix("f32", 8, 8, "acc")}
        cooperative_matrix_store %t, %c[%0, %0]""",
    )


@pytest.mark.parametrize(
    ("between", "copies"),
    [
        ("", 1),
        ("barrier", 3),
        ("cooperative_matrix_store %s, %a[%0, %0]", 3),
    ],
)
@pytest.mark.parametrize("transpose", ["n", "t"])
def test_products_read_factors_from_memory_that_stays_as_it_is(transpose, between, copies):
    source = product_of_factors(transpose, between)
    changed = shown(source)
    assert sum("alloca" in line for line in changed) == copies
    if copies == 1:
        assert f"gemm.{transpose}.{transpose} 0x1p+0, %x, %y, 0x1p+0, %t" in changed
    check(source, exact=False)


@pytest.mark.at_night
def test_kernels_of_one_item_have_vector_code_of_matrices():
    options = {"matrix": "as-written", "processor": "avx2"}
    source = product_of_factors("t", "%n = arith.neg %s : " + matrix("f32", 8, 8, "acc"))
    assert "cooperative_matrix" in stage(source, "work-item-loops", 1, **options, strategy="many-items")
    assert "cooperative_matrix" not in stage(source, "work-item-loops", 1, **options)
    assert "vector.fma" in stage(source, "vectorize", 1, **options)


def of_copies(body: str) -> str:
    """A kernel that loads a matrix from one memref, and does something with it and with another memref."""
    acc = matrix("f32", 8, 8, "acc")
    return parallel(
        "%a: memref<f32x9x8>, %b: memref<f32x8x8>",
        f"""%0 = constant 0 : index
        %1 = constant 1 : index
        %x = cooperative_matrix_load.n %a[%0, %0] : {acc}
        {body.replace("ACC", acc)}""",
    )


@pytest.mark.parametrize(
    ("body", "copies"),
    [
        ("cooperative_matrix_store %x, %b[%0, %0]", 0),
        ("v04.cooperative_matrix_store.t %x, %b[%0, %0]", 0),
        # what is written in place, component by component
        ("%y = arith.add %x, %x : ACC\n%z = arith.mul %y, %x : ACC\ncooperative_matrix_store %z, %a[%0, %0]", 0),
        # what is written is still to be read elsewhere
        ("v04.cooperative_matrix_store.t %x, %a[%0, %0]", 1),
        ("cooperative_matrix_store %x, %a[%1, %0]", 1),
        ("%y = arith.neg %x : ACC\nbarrier\ncooperative_matrix_store %y, %b[%0, %0]", 1),
        ("%y = arith.neg %x : ACC\ncooperative_matrix_store %x, %b[%0, %0]\n"
         "cooperative_matrix_store %y, %b[%0, %0]", 1),
        # computed once for two
        ("%y = arith.neg %x : ACC\n%z = arith.mul %y, %y : ACC\ncooperative_matrix_store %z, %b[%0, %0]", 1),
    ],
)  # fmt: skip
def test_what_one_instruction_alone_needs_is_computed_there(body, copies):
    source = of_copies(body)
    assert sum("alloca" in line for line in shown(source)) == copies
    check(source)


def test_memory_that_may_overlap_is_copied():
    source = of_copies("%y = arith.neg %x : ACC\ncooperative_matrix_store %y, %b[%0, %0]")
    for may_overlap in (False, True):
        (function,) = pytl.parse(source).functions
        after = Pipeline([WorkItemLoops(may_overlap=may_overlap)]).run_on(function)
        assert ("alloca" in str(after)) == may_overlap


def of_sums(step, a="%k", b="%k", after="", trips=16):
    """A kernel that adds up products in a loop, and scales the sum."""
    acc = matrix("f32", 8, 8, "acc")
    return parallel(
        "%a: memref<f32x8x32>, %b: memref<f32x8x32>, %c: memref<f32x8x8>",
        f"""%0 = constant 0 : index
        %4 = constant {step} : index
        %16 = constant {trips} : index
        %h = constant 0.5 : f32
        %z = cooperative_matrix_load.n %c[%0, %0] : {acc}
        %r = for %k = %0, %16, %4 init(%s=%z) -> ({acc}) {{
          %n = arith.add %k, %16 : index
          %x = cooperative_matrix_load.n %a[%0, {a}] : {matrix("f32", 8, 4, "a")}
          %y = cooperative_matrix_load.t %b[%0, {b}] : {matrix("f32", 4, 8, "b")}
          %t = cooperative_matrix_mul_add %x, %y, %s : {acc}
          {after}
          yield (%t)
        }}
        %q = cooperative_matrix_scale %h, %r : {acc}
        cooperative_matrix_store %q, %c[%0, %0]""",
    )


@pytest.mark.at_most(2)
@pytest.mark.parametrize(
    ("source", "is_one"),
    [
        (of_sums(4), True),
        (of_sums(4, "%n"), True),
        # slices that do not follow each other, of one factor or of the other, or are stored meanwhile
        (of_sums(2), False),
        (of_sums(8), False),
        (of_sums(4, b="%0"), False),
        (of_sums(4, a="%16"), False),
        (of_sums(4, trips=14), False),
        (of_sums(4, after="cooperative_matrix_store %y, %b[%0, %0]"), False),
    ],
)
def test_a_loop_of_products_is_one(source, is_one):
    text = stage(source, "longer-products", 1, matrix="as-written", processor="avx2")
    assert ("for %k" not in text) == is_one and text.count("gemm.n.") == 1
    steps = STEP, LowerCollectives(), Canonicalize(), LongerProducts()
    assert_meaning_kept(source, *steps, exact=False, groups=1)


def test_a_product_that_is_added_to_zeros_replaces_them():
    acc = matrix("f32", 8, 8, "acc")
    source = parallel(
        "%a: memref<f32x8x4>, %b: memref<f32x4x8>, %c: memref<f32x8x8>",
        f"""%0 = constant 0 : index
        %z = constant 0.0 : {acc}
        %x = cooperative_matrix_load.n %a[%0, %0] : {matrix("f32", 8, 4, "a")}
        %y = cooperative_matrix_load.n %b[%0, %0] : {matrix("f32", 4, 8, "b")}
        %t = cooperative_matrix_mul_add %x, %y, %z : {acc}
        %q = arith.neg %t : {acc}
        cooperative_matrix_store %q, %c[%0, %0]""",
    )
    text = stage(source, "longer-products", 1, matrix="as-written", processor="avx2")
    assert text.count("foreach") == 1 and re.search(r"%(\d) = constant 0x0p\+0.*gemm.n.n %\d, %x, %y, %\1,", text, re.S)
    assert_meaning_kept(source, STEP, LowerCollectives(), Canonicalize(), LongerProducts(), exact=False, groups=1)


def test_a_product_is_a_gemm_into_the_memory_of_the_sum():
    source = parallel(
        "%a: memref<f32x8x16>, %b: memref<f32x16x8>, %c: memref<f32x8x8>",
        f"""%0 = constant 0 : index
        %4 = constant 4 : index
        %16 = constant 16 : index
        %z = constant 0.0 : {matrix("f32", 8, 8, "acc")}
        %r = for %k = %0, %16, %4 init(%s=%z) -> ({matrix("f32", 8, 8, "acc")}) {{
          %x = cooperative_matrix_load.n %a[%0, %k] : {matrix("f32", 8, 4, "a")}
          %y = cooperative_matrix_load.n %b[%k, %0] : {matrix("f32", 4, 8, "b")}
          %t = cooperative_matrix_mul_add %x, %y, %s : {matrix("f32", 8, 8, "acc")}
          yield (%t)
        }}
        cooperative_matrix_store %r, %c[%0, %0]""",
    )
    assert shown(source) == [
        "%r = alloca : memref<f32x8x8,local>",
        "foreach (%i, %j) = (0, 0), (8, 8) {",
        "store 0x0p+0, %r[%i, %j]",
        "}",
        "for %k = 0, 16, 4 {",
        "%x = subview %a[0:8, %k:4] : memref<f32x8x4>",
        "%y = subview %b[%k:4, 0:8] : memref<f32x4x8,strided<1,16>>",
        "gemm.n.n 0x1p+0, %x, %y, 0x1p+0, %r",
        "}",
        "foreach (%i, %j) = (0, 0), (8, 8) {",
        "%0 = load %r[%i, %j] : f32",
        "store %0, %c[%i, %j]",
        "}",
    ]
    check(source, exact=False)


def test_a_sum_that_is_needed_again_is_not_overwritten():
    acc = matrix("f64", 3, 2, "acc")
    source = parallel(
        "%a: memref<f64x3x4>, %b: memref<f64x4x2>, %c: memref<f64x3x2>, %d: memref<f64x3x2>, %e: memref<f64x3x2>",
        f"""%0 = constant 0 : index
        %2 = constant 2 : index
        %x = cooperative_matrix_load.n %a[%0, %0] : {matrix("f64", 3, 4, "a")}
        %y = cooperative_matrix_load.n %b[%0, %0] : {matrix("f64", 4, 2, "b")}
        %s = cooperative_matrix_load.n %c[%0, %0] : {acc}
        %t = cooperative_matrix_mul_add %x, %y, %s : {acc}
        %p, %q = for %k = %0, %2 init(%u=%s, %v=%t) -> ({acc}, {acc}) {{
          %w = arith.add %u, %v : {acc}
          yield (%v, %w)
        }}
        cooperative_matrix_store %s, %c[%0, %0]
        cooperative_matrix_store %p, %d[%0, %0]
        cooperative_matrix_store %q, %e[%0, %0]""",
    )
    check(source, exact=False)


def test_what_is_loaded_is_not_changed_by_what_is_stored():
    # a transposed tile in place, and a lane that overwrites what was loaded
    acc = matrix("i32", 4, 4, "acc")
    source = parallel(
        "%a: memref<i32x4x4>, %b: memref<i32x4x4>",
        f"""{PLACE}
        %0 = constant 0 : index
        %x = cooperative_matrix_load.t %a[%0, %0] : {acc}
        barrier.global
        store %l, %b[%lx, %0]
        cooperative_matrix_store %x, %a[%0, %0]""",
    )
    check(source)


@pytest.mark.parametrize("condition", ["%first", "%p"])
def test_constant_matrices_where_work_items_go_different_ways(condition):
    """They need not come together for these, so that what else they do there is done by each."""
    acc = matrix("f32", 2, 3, "acc")
    source = parallel(
        "%a: memref<i32x4>, %c: memref<f32x2x3>, %p: bool",
        f"""{PLACE}
        %0 = constant 0 : index
        %two = constant 2 : i32
        %first = cmp.lt %l, %two : bool
        %m = constant 1.0 : {acc}
        %h = load %a[%lx] : i32
        %x, %v = if {condition} -> ({acc}, i32) {{
          %y = arith.add %m, %m : {acc}
          store %l, %a[%lx]
          %z, %n = for %k: i32 = %l, %two init(%w=%y, %o=%h) -> ({acc}, i32) {{ yield (%y, %l) }}
          yield (%z, %n)
        }} else {{
          %y = constant 2.0 : {acc}
          yield (%y, %two)
        }}
        store.atomic_add %v, %a[%0]
        cooperative_matrix_store %x, %c[%0, %0]""",
    )
    for flag in (True, False):
        a, c = np.arange(5, 9, dtype=np.int32), np.zeros((2, 3), np.float32, order="F")
        check(source.replace("store.atomic_add %v, %a[%0]", "barrier.global\nstore.atomic_add %v, %a[%0]"),
              arguments=[a, c, flag])  # fmt: skip


@pytest.mark.parametrize("subgroups", [1, 2])
def test_matrices_across_barriers(subgroups):
    acc = matrix("f32", 2, 3, "acc")
    source = parallel(
        "%a: memref<f32x2x6>, %c: memref<f32x2x6>",
        f"""%g = builtin.subgroup_id : i32
        %gx = cast %g : index
        %0 = constant 0 : index
        %2 = constant 2 : index
        %3 = constant 3 : index
        %y = arith.mul %gx, %3 : index
        %m = cooperative_matrix_load.n %a[%0, %y] : {acc}
        %r = for %k = %0, %2 init(%s=%m) -> ({acc}) {{
          barrier.global
          %t = arith.mul %s, %m : {acc}
          yield (%t)
        }}
        barrier
        cooperative_matrix_store.atomic_add %r, %c[%0, %y]""",
        subgroups=subgroups,
    )
    check(source)


def test_a_foreach_is_executed_by_a_sub_group_of_one():
    """There are no sub-groups in it: what asks for one is no use, but is lowered all the same."""
    source = f"""func @f(%a: memref<i32x4>, %c: memref<f32x2x2>, %n: index) {{
      %0 = constant 0 : index
      foreach (%i) = (%0), (%n) {{
        %l = builtin.subgroup_local_id : i32
        %s = subgroup_add.inclusive_scan %l : i32
        %e = subgroup_max.exclusive_scan %s : i32
        %b = subgroup_broadcast %e, %l : i32
        store %b, %a[%i]
        %m = cooperative_matrix_load.n %c[%0, %0] : {matrix("f32", 2, 2, "acc")}
        %x = cooperative_matrix_load.n %c[%0, %0] : {matrix("f32", 2, 2, "a")}
        %y = constant 1.0 : {matrix("f32", 2, 2, "b")}
        %d = cooperative_matrix_mul_add %x, %y, %m : {matrix("f32", 2, 2, "acc")}
        cooperative_matrix_store %d, %c[%0, %0]
      }}
    }}"""
    changed = after(source, STEP)
    assert_for_one(changed)
    c = np.asfortranarray(np.arange(4, dtype=np.float32).reshape(2, 2))
    a, expected = np.zeros(4, np.int32), c @ np.ones((2, 2), np.float32) + c
    pytl.compile(changed)["f"][1](a, c, 1, backend="reference")
    np.testing.assert_array_equal(c, expected)
    assert a[0] == -(2**31)


def sample():
    """A row of each form of the SPMD instructions, and of what else work-items do."""
    rows = [row for row in all_rows() if row.chapter == "SPMD instructions" or "parallel" in row.text]
    for turn, (_, group) in enumerate(itertools.groupby(rows, lambda row: (row.chapter, row.form))):
        found = list(group)
        yield found[turn % len(found)]


@pytest.mark.at_most(90)
@pytest.mark.parametrize("row", list(sample()), ids=lambda row: row.name)
def test_forms(row):
    changed = Pipeline([STEP]).run(pytl.parse(row.module_text))
    assert_for_one(changed)
    execute(pytl.compile(changed)["f"], row)


def test_every_sub_group_adds_a_matrix_that_all_have():
    """Nothing between the barriers depends on the sub-group, but each of them adds."""
    body = """%one = constant 1 : coopmatrix<i32x4x2,matrix_acc>
  parallel {
    %c0 = constant 0 : index
    barrier.global
    cooperative_matrix_store.atomic_add %one, %a[%c0, %c0]
    barrier.global
  }"""
    source = text("%a: memref<i32x4x2>", body, lanes=8, subgroups=2)
    check(source)
    a = np.zeros((4, 2), np.int32, order="F")
    pytl.compile(source)["f"][1](a, backend="reference")
    assert (a == 2).all()
