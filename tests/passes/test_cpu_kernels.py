"""cpu-kernels: which products become one piece of vector code, what joins them, and which factors are copied before."""

import re

import pytest
from passes_kit import stage, text_after

pytestmark = pytest.mark.at_most(3)

CHAIN = """func @f(%a: memref<f32x9x9x?>, %b: memref<f32x9x9>, %c: memref<f32x9x4>, %d: memref<f32x9x4x?>) {
  %g = builtin.group_id : index
  %m = subview %a[0:9, 0:9, %g] : memref<f32x9x9>
  %x = subview %d[0:9, 0:4, %g] : memref<f32x9x4>
  %t = alloca : memref<f32x9x9,local>
  gemm.n.t 1.0, %m, %b, 0.0, %t
  gemm.n.n 1.0, %t, %c, 1.0, %x
}"""


def test_a_product_whose_result_is_the_next_left_factor_alone_stays_in_registers():
    assert stage(CHAIN, "cpu-kernels") == (
        """%g = builtin.group_id : index
%m = subview %a[0:9, 0:9, %g] : memref<f32x9x9>
%x = subview %d[0:9, 0:4, %g] : memref<f32x9x4>
%0 = constant 0x1p+0 : f32
%1 = constant 0x0p+0 : f32
cpu.kernel {"accumulate"=[1,1]} {
  %t = cpu.registers : memref<f32x9x9,local>
  gemm.n.t %0, %m, %b, %1, %t
  gemm.n.n %0, %t, %c, %0, %x
}"""
    )


def changed(old: str, new: str) -> str:
    assert old in CHAIN
    return CHAIN.replace(old, new)


@pytest.mark.at_most(1)
@pytest.mark.parametrize(
    "text",
    {
        "rounded in memory": CHAIN.replace("f32", "f16"),
        "needed again": changed("%x\n}", "%x\naxpby.n 1.0, %t, 1.0, %m\n}"),
        "right factor": changed("gemm.n.n 1.0, %t, %c, 1.0, %x", "gemm.n.n 1.0, %m, %t, 1.0, %m"),
        "transposed": changed("gemm.n.n 1.0, %t", "gemm.t.n 1.0, %t"),
        "added to what was there": changed(
            "gemm.n.t 1.0, %m, %b, 0.0, %t", "axpby.n 1.0, %m, 0.0, %t\ngemm.n.t 1.0, %m, %b, 1.0, %t"
        ),
        "wider results": changed("f32x9x4", "f64x9x4"),
        "something in between that may write": changed("%t\n  gemm.n.n", "%t\n axpby.n 1.0, %b, 1.0, %m\n gemm.n.n"),
        "more than registers hold": CHAIN.replace("9", "40"),
    }.items(),
    ids=lambda item: item[0],
)
def test_what_goes_through_memory(text):
    shown = stage(text[1], "cpu-kernels")
    assert "cpu.registers" not in shown and "%t = alloca" in shown
    assert shown.count("gemm") == shown.count('cpu.kernel {"accumulate"=[1]} {\n  gemm')


def test_three_products_are_one_kernel():
    more = "%u = alloca : memref<f32x9x4,local>\n gemm.n.n 1.0, %t, %c, 0.0, %u\n gemm.n.t 1.0, %u, %b4, 1.0, %x\n"
    text = changed("gemm.n.n 1.0, %t, %c, 1.0, %x\n", more).replace("%c: ", "%b4: memref<f32x4x4>, %c: ")
    text = text.replace("f32", "f64").replace("9", "5")
    assert stage(text, "cpu-kernels").endswith(
        """cpu.kernel {"accumulate"=[1,1,1]} {
  %u = cpu.registers : memref<f64x5x4,local>
  %t = cpu.registers : memref<f64x5x5,local>
  gemm.n.t %0, %m, %b, %1, %t
  gemm.n.n %0, %t, %c, %1, %u
  gemm.n.t %0, %u, %b4, %0, %x
}"""
    )


# A foreach after a product.

EPILOGUE = """func @f(%a: memref<f32x8x4x?>, %b: memref<f32x4x3>, %c: memref<f32x8x3x?>, %d: memref<f32x8x3x?>,
        %v: memref<f32x8>) {
  %g = builtin.group_id : index
  %m = subview %a[0:8, 0:4, %g] : memref<f32x8x4>
  %x = subview %c[0:8, 0:3, %g] : memref<f32x8x3>
  %z = subview %d[0:8, 0:3, %g] : memref<f32x8x3>
  %zero = constant 0 : index
  %one = constant 1 : index
  %m8 = constant 8 : index
  %n3 = constant 3 : index
  %none = constant 0.0 : f32
  gemm.n.n 1.0, %m, %b, 0.0, %x
  foreach (%i, %j) = (%zero, %zero), (%m8, %n3) {
    %y = load %x[%i, %j] : f32
    %w = load %v[%i] : f32
    %s = arith.add %y, %w : f32
    %r = arith.max %s, %none : f32
    store %r, %x[%i, %j]
  }
}"""


def test_what_is_done_to_each_element_of_a_result_is_done_in_registers():
    assert stage(EPILOGUE, "cpu-kernels").endswith(
        """cpu.kernel {"accumulate"=[1]} {
  gemm.n.n %0, %m, %b, %none, %x
  foreach (%i, %j) = (%zero, %zero), (%m8, %n3) {
    %y = load %x[%i, %j] : f32
    %w = load %v[%i] : f32
    %s = arith.add %y, %w : f32
    %r = arith.max %s, %none : f32
    store %r, %x[%i, %j]
  }
}"""
    )


def test_two_foreach_follow_a_chain():
    points = EPILOGUE[EPILOGUE.index("  foreach") : -1]
    body = f"{points}{points}".replace("%x[", "%x[").replace("%m8", "%m9").replace("%n3", "%n4").replace("%w", "%y")
    text = changed("%x\n}", f"%x\n{body}\n}}").replace("    %y = load %v[%i] : f32\n", "")
    constants = "%zero = constant 0 : index\n%m9 = constant 9 : index\n%n4 = constant 4 : index\n"
    text = text.replace("  %g = ", f"{constants}%none = constant 0.0 : f32\n  %g = ")
    kernel = stage(text, "cpu-kernels").partition("cpu.kernel {")[2]
    words = [line.split()[0] for line in kernel.splitlines() if line.startswith("  ") and line[2] in "%gf"]
    assert words == ["%t", "gemm.n.t", "gemm.n.n", "foreach", "foreach"]


@pytest.mark.at_most(1)
@pytest.mark.parametrize(
    "old, new",
    {
        "fewer columns": ("(%m8, %n3) {", "(%m8, %one) {"),
        "later rows": ("(%zero, %zero)", "(%one, %zero)"),
        "another array is written": ("store %r, %x[%i, %j]", "store %r, %z[%i, %j]"),
        "both are written": ("store %r, %x[%i, %j]", "store %r, %x[%i, %j]\nstore %s, %z[%i, %j]"),
        "elements elsewhere": (
            "%w = load %v[%i] : f32",
            "%q = arith.add %i, %m8 : index\n%k = arith.rem %q, %m8 : index\n%w = load %x[%k, %j] : f32",
        ),
        "another view of the result": (
            "%w = load %v[%i] : f32",
            "%e = fuse %x[0, 1] : memref<f32x24>\n%p = arith.mul %j, %m8 : index\n%o = arith.add %p, %i : index\n"
            "%w = load %e[%o] : f32",
        ),
        "atomic": ("store %r, %x[%i, %j]", "store.atomic %r, %x[%i, %j]"),
    }.values(),
)
def test_what_follows_in_a_kernel_of_its_own(old, new):
    assert old in EPILOGUE
    shown = stage(EPILOGUE.replace(old, new), "cpu-kernels")
    assert 'cpu.kernel {"accumulate"=[1]} {\n  gemm.n.n %0, %m, %b, %none, %x\n}' in shown


@pytest.mark.at_night
def test_an_instruction_in_between_parts_them():
    text = EPILOGUE.replace("%x\n  foreach", "%x\n  axpby.n 1.0, %x, 1.0, %z\n  foreach")
    assert 'cpu.kernel {"accumulate"=[1]} {\n  gemm.n.n %0, %m, %b, %none, %x\n}' in stage(text, "cpu-kernels")


# Copies of factors.


def product(a: str, b: str, words: str = "gemm.n.n", c: str = "f32x9x3", one: str = "1.0", zero: str = "0.0") -> str:
    alpha, beta = a.split("x")[0], c.split("x")[0]
    return f"""func @f(%a: memref<{a}>, %b: memref<{b}>, %c: memref<{c}>) {{
      %one = constant {one} : {alpha}
      %none = constant {zero} : {beta}
      {words} %one, %a, %b, %none, %c
    }}"""


def test_a_transposed_left_factor_is_copied():
    assert stage(product("f32x4x9", "f32x4x3", "gemm.t.n"), "cpu-kernels", groups=1) == (
        """%one = constant 0x1p+0 : f32
%none = constant 0x0p+0 : f32
%0 = constant 0x1p+0 : f32
%1 = constant 0x0p+0 : f32
%2 = alloca : memref<f32x9x4,local>
cpu.kernel {"lanes"=4} {
  axpby.t %0, %a, %1, %2
}
cpu.kernel {"accumulate"=[1]} {
  gemm.n.n %one, %2, %b, %none, %c
}"""
    )


def test_columns_of_a_copy_begin_at_cache_lines():
    shown = stage(product("f32x4x20", "f32x4x3", "gemm.t.n", "f32x20x3"), "cpu-kernels", groups=1)
    assert "alloca : memref<f32x20x4,strided<1,32>,local>" in shown


def test_rows_that_lie_apart_are_copied():
    shown = stage(product("f32x9x4,strided<2,20>", "f32x4x3"), "cpu-kernels", groups=1)
    assert shown.endswith(
        """%3 = alloca : memref<f32x9x4,local>
cpu.kernel {"lanes"=16} {
  foreach (%i, %j) = (%2, %2), (%0, %1) {
    %4 = load %a[%i, %j] : f32
    store %4, %3[%i, %j]
  }
}
cpu.kernel {"accumulate"=[1]} {
  gemm.n.n %one, %3, %b, %none, %c
}"""
    )


def test_rows_that_lie_apart_are_transposed_point_by_point():
    shown = stage(product("f32x4x9,strided<2,20>", "f32x4x3", "gemm.t.n"), "cpu-kernels", groups=1)
    assert shown.endswith(
        """%3 = alloca : memref<f32x9x4,local>
cpu.kernel {"lanes"=16} {
  foreach (%i, %j) = (%2, %2), (%1, %0) {
    %4 = load %a[%j, %i] : f32
    store %4, %3[%i, %j]
  }
}
cpu.kernel {"accumulate"=[1]} {
  gemm.n.n %one, %3, %b, %none, %c
}"""
    )


def test_a_right_factor_is_converted_once():
    shown = stage(product("f16x9x4", "f16x4x3", one="1.0", c="f32x9x3"), "cpu-kernels", groups=1)
    assert shown.endswith(
        """%3 = alloca : memref<f32x4x3,local>
%4 = fuse %b[0, 1] : memref<f16x12>
%5 = fuse %3[0, 1] : memref<f32x12,local>
%6 = constant 12 : index
cpu.kernel {"lanes"=16} {
  foreach (%i) = (%2), (%6) {
    %7 = load %4[%i] : f16
    %8 = cast %7 : f32
    store %8, %5[%i]
  }
}
cpu.kernel {"accumulate"=[1]} {
  gemm.n.n %one, %a, %3, %none, %c
}"""
    )


def test_a_product_of_halves_keeps_its_types():
    # in f32 it would be a result that no product in the language has
    shown = stage(product("f16x9x4", "f16x4x3", c="f16x9x3"), "cpu-kernels", groups=1)
    assert "alloca" not in shown and "gemm.n.n %one, %a, %b, %none, %c" in shown


@pytest.mark.parametrize(
    "text",
    [
        product("f32x100x100,strided<2,200>", "f32x100x3", c="f32x100x3"),  # 40 kB
        product("f32x?x?", "f32x?x?", "gemm.t.n", "f32x?x?"),
    ],
)
def test_what_has_no_room_or_no_size_is_read_where_it_is(text):
    shown = stage(text, "cpu-kernels", groups=1)
    assert "alloca" not in shown
    assert re.search(r'cpu.kernel \{"accumulate"=\[1\]\} \{\n  gemm.[nt].n %one, %a, %b, %none, %c\n\}', shown)


def test_large_transposed_factors_are_copied_in_blocks():
    shown = stage(product("f32x100x100", "f32x100x9", "gemm.t.n", "f32x100x9"), "cpu-kernels", groups=1)
    assert "axpby.t" in shown and "gemm.t" not in shown


@pytest.mark.parametrize("transpose", ["n", "t"])
def test_a_right_factor_in_lines_of_other_data_is_copied_for_several_tiles_of_rows(transpose):
    def shown(b: str, processor: str) -> str:
        text = product("f64x32x32", b, f"gemm.n.{transpose}", "f64x32x32")
        return stage(text, "cpu-kernels", groups=1, processor=processor)

    apart, nearer = "f64x32x32,strided<16,512>", "f64x32x32,strided<2,64>"
    assert "alloca" in shown(apart, "avx2") and "%b, %none" not in shown(apart, "avx2")
    assert "alloca" not in shown(apart, "zen4")  # a tile has all rows
    assert "alloca" not in shown(nearer, "avx2")


def test_allocas_leave_room_for_copies():
    local = "%t = alloca : memref<f32x90x90,local>\n gemm.n.n 1.0, %q, %q, 0.0, %t\n axpby.n 1.0, %t, 1.0, %q"
    text = (
        product("f32x9x40,strided<2,18>", "f32x40x3")
        .replace("{\n", f"{{\n{local}\n")
        .replace("%a: ", "%q: memref<f32x90x90>, %a: ")
    )
    assert stage(text, "cpu-kernels", groups=1).count("alloca") == 1


# What becomes no kernel.


def test_atomic_products_are_loops():
    shown = stage(product("f32x9x4", "f32x4x3", "gemm.n.n.atomic", zero="1.0"), "cpu-kernels", groups=1)
    assert "cpu.kernel" not in shown and "foreach" in shown and "gemm" not in shown


@pytest.mark.parametrize("c", ["f32x9x3,strided<2,20>", "f32x9x3,strided<?,?>"])
def test_products_whose_rows_are_apart_are_kernels_of_points(c):
    shown = stage(product("f32x9x4", "f32x4x3", c=c), "cpu-kernels", groups=1)
    assert "cpu.kernel {" in shown and "foreach" in shown and "gemm" not in shown


@pytest.mark.at_night
def test_many_work_items_share_the_work_without_kernels():
    shown = stage(CHAIN, "work-group-size", strategy="many-items")
    assert "cpu.kernel" not in shown and shown.count("vector.work_items") == 1


def test_products_in_loops_and_branches_are_kernels():
    text = """func @f(%a: memref<f32x9x9>, %b: memref<f32x9x9>, %n: index, %p: bool) {
      %zero = constant 0 : index
      %one = constant 1.0 : f32
      for %i = %zero, %n {
        gemm.n.n %one, %a, %a, %one, %b
      }
      if %p { gemm.n.n %one, %a, %a, %one, %b } else { gemm.n.t %one, %a, %a, %one, %b }
    }"""
    assert stage(text, "cpu-kernels", groups=1) == (
        """%zero = constant 0 : index
%one = constant 0x1p+0 : f32
for %i = %zero, %n {
  cpu.kernel {"accumulate"=[1]} {
    gemm.n.n %one, %a, %a, %one, %b
  }
}
if %p {
  cpu.kernel {"accumulate"=[1]} {
    gemm.n.n %one, %a, %a, %one, %b
  }
} else {
  cpu.kernel {"accumulate"=[1]} {
    gemm.n.t %one, %a, %a, %one, %b
  }
}"""
    )


SUM = """func @f(%a: memref<f32x20x9>, %b: memref<f32x9x7>, %k: memref<f32x20x4>, %t: memref<f32x4x7>,
             %all: memref<f32x20x7x2x?>) {
  %g = builtin.group_id : index
  %q = subview %all[0:20, 0:7, 0, %g] : memref<f32x20x7>
  %r = subview %all[0:20, 0:7, 1, %g] : memref<f32x20x7>
  gemm.n.n 1.0, %a, %b, 0.5, %q
  gemm.n.n 1.0, %k, %t, 1.0, %q
}"""


def test_products_that_are_added_to_one_result_are_one_sum():
    shown = stage(SUM, "cpu-kernels")
    assert shown.count("cpu.kernel") == 1 and 'cpu.kernel {"accumulate"=[2]} {' in shown
    assert shown.endswith("gemm.n.n %0, %a, %b, %1, %q\n  gemm.n.n %0, %k, %t, %0, %q\n}")


@pytest.mark.at_most(1)
@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("%k, %t, 1.0, %q", "%k, %t, 0.5, %q"),  # what was there is scaled
        ("gemm.n.n 1.0, %k", "gemm.n.n 2.0, %k"),  # as the sum is in the end
        ("%t, 1.0, %q\n", "%t, 1.0, %r\n"),
        ("0.5, %q\n", "0.5, %q\n  axpby.n 1.0, %r, 1.0, %q\n"),
    ],
)
def test_what_is_no_sum(old, new):
    assert old in SUM
    shown = stage(SUM.replace(old, new), "cpu-kernels")
    assert shown.count('cpu.kernel {"accumulate"=[1]} {\n  gemm') == 2


def test_halves_are_rounded_after_each_product():
    shown = stage(SUM.replace("f32", "f16"), "cpu-kernels")
    assert "%q\n  gemm" not in shown


# A foreach that writes to the tensor of which a product has a view.

THROUGH = """func @f(%a: memref<f32x8x8x?>, %b: memref<f32x8x4>, %c: memref<f32x8x4x?>) {
  %g = builtin.group_id : index
  %zero = constant 0 : index
  %m8 = constant 8 : index
  %n4 = constant 4 : index
  %m = subview %a[0:8, 0:8, %g] : memref<f32x8x8>
  %x = subview %c[0:8, 0:4, %g] : memref<f32x8x4>
  gemm.n.n 1.0, %m, %b, 1.0, %x
  foreach (%i, %j) = (%zero, %zero), (%m8, %n4) {
    %v = load %c[%i, %j, %g] : f32
    %w = arith.max %v, 0.0 : f32
    store %w, %c[%i, %j, %g]
  }
}"""


def test_an_epilogue_may_write_to_the_tensor_itself():
    shown = stage(THROUGH, "cpu-kernels")
    assert shown.count("cpu.kernel") == 1
    assert "store %w, %x[%i, %j]" in shown and "load %x[%i, %j]" in shown


@pytest.mark.at_most(1)
@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("0:4, %g]", "4:4, %g]"),
        ("(%m8, %n4)", "(%n4, %n4)"),
    ],
    ids=["other columns", "fewer rows"],
)
def test_a_foreach_over_other_elements_is_no_epilogue(old: str, new: str):
    assert old in THROUGH
    text = THROUGH.replace(old, new).replace("memref<f32x8x4x?>", "memref<f32x8x8x?>")
    assert stage(text, "cpu-kernels").count("cpu.kernel") == 2


# What a launch knows of its arrays: that they share no memory.

APART = {"launch.apart": True}


def test_what_is_done_to_elements_between_two_products_is_done_in_registers():
    points = """%zero = constant 0 : index
  %m9 = constant 9 : index
  foreach (%i, %j) = (%zero, %zero), (%m9, %m9) {
    %y = load %t[%i, %j] : f32
    %w = load %b[%i, %j] : f32
    %s = arith.add %y, %w : f32
    store %s, %t[%i, %j]
  }
  gemm.n.n"""
    assert stage(changed("gemm.n.n", points), "cpu-kernels").endswith(
        """cpu.kernel {"accumulate"=[1,1]} {
  %t = cpu.registers : memref<f32x9x9,local>
  gemm.n.t %0, %m, %b, %1, %t
  foreach (%i, %j) = (%zero, %zero), (%m9, %m9) {
    %y = load %t[%i, %j] : f32
    %w = load %b[%i, %j] : f32
    %s = arith.add %y, %w : f32
    store %s, %t[%i, %j]
  }
  gemm.n.n %0, %t, %c, %0, %x
}"""
    )


def chain(rows: int, between: int, columns: int) -> str:
    """CHAIN with other sizes."""
    sizes = {"%a: memref<f32x9x9": (rows, between), "%b: memref<f32x9x9": (between, between)}
    sizes |= {"%c: memref<f32x9x4": (between, columns), "%d: memref<f32x9x4": (rows, columns)}
    text = CHAIN.replace("memref<f32x9x9>\n", "memref<f32xMxK>\n").replace("memref<f32x9x4>\n", "memref<f32xMxN>\n")
    for old, (m, n) in sizes.items():
        text = text.replace(old, f"{old[:14]}x{m}x{n}")
    text = text.replace("alloca : memref<f32x9x9", "alloca : memref<f32xMxK").replace("0:9, 0:9", "0:M, 0:K")
    text = text.replace("0:9, 0:4", "0:M, 0:N")
    return text.replace("M", str(rows)).replace("K", str(between)).replace("N", str(columns))


TALL = chain(150, 3, 4)


def test_a_chain_goes_through_rows_tile_by_tile_where_arrays_are_apart():
    """Ten vectors of rows are more than a tile has; results of the first tile may be factors of the next one else."""
    assert "cpu.registers" not in text_after("cpu-kernels", TALL)
    shown = stage(TALL, "cpu-kernels", **APART)
    assert 'cpu.kernel {"accumulate"=[1,1], "apart"=true}' in shown and "cpu.registers" in shown
    in_place = TALL.replace("%a[0:150, 0:3, %g]", "%d[0:150, 1:3, %g]")
    assert in_place != TALL and "cpu.registers" not in stage(in_place, "cpu-kernels", **APART)


@pytest.mark.at_most(1)
@pytest.mark.parametrize("options", [{"processor": "zen4"}, {"processor": "avx2", "interleave": 2}], ids=str)
def test_tiles_of_a_chain_compute_what_it_says(options):
    assert "vector.fma" in stage(TALL, "vectorize", **options, **APART)


@pytest.mark.parametrize("extent", (8, 24))
def test_registers_are_used_where_memory_is_not_faster(extent):
    """A longer intermediate leaves no room for sums that share numbers of the right factor."""
    shown = text_after("cpu-kernels", chain(extent, extent, 16), processor="zen4", **APART)
    assert ("cpu.registers" in shown) == (extent == 8)


SUMS = """func @f(%k: memref<f32x40x12>, %l: memref<f32x40x12>, %a: memref<f32x9x9x?>, %b: memref<f32x9x9x?>,
        %q: memref<f32x12x9x?>, %d: group<memref<f32x40x9>x?>, %s: group<memref<f32x44x9>x?>, %h: f32) {
  %g = builtin.group_id : index
  %x = load %d[%g] : memref<f32x40x9>
  %i = load %s[%g] : memref<f32x44x9>
  %n = subview %q[0:12, 0:9, %g] : memref<f32x12x9>
  %v = subview %a[0:9, 0:9, %g] : memref<f32x9x9>
  %w = subview %b[0:9, 0:9, %g] : memref<f32x9x9>
  %t = alloca : memref<f32x40x9,local>
  %u = alloca : memref<f32x40x9,local>
  gemm.n.n 1.0, %k, %n, 0.0, %t
  gemm.n.n 1.0, %t, %v, 0.0, %x
  gemm.n.n 1.0, %l, %n, 0.0, %u
  gemm.n.n 1.0, %u, %w, 1.0, %x
  %y = subview %i[0:40, 0:9] : memref<f32x40x9,strided<1,44>>
  axpby.n %h, %x, 1.0, %y
}"""


def test_factors_of_a_sum_are_computed_before_it():
    """A derivative of SeisSol's: its result is stored once, and added to the integral while it is in registers."""
    assert stage(SUMS, "cpu-kernels").count("cpu.kernel") == 5
    shown = stage(SUMS, "cpu-kernels", **APART)
    assert (
        """cpu.kernel {"accumulate"=[2], "apart"=true} {
  gemm.n.n %0, %t, %v, %1, %x
  gemm.n.n %0, %u, %w, %0, %x
  foreach ("""
        in shown
    )
    assert shown.count("cpu.kernel") == 3
    # what the second factor is computed from may be what the first product has written
    for read in ("%l, %x1, 0.0, %u", "%k, %x1, 0.0, %u"):
        text = SUMS.replace("%l, %n, 0.0, %u", read).replace("  %y = ", "  %y = ", 1)
        text = text.replace(
            "  %t = alloca", "  %x1 = subview %x[0:12, 0:9] : memref<f32x12x9,strided<1,40>>\n  %t = alloca"
        )
        assert '"accumulate"=[2]' not in stage(text, "cpu-kernels", **APART)


@pytest.mark.at_most(1)
@pytest.mark.parametrize("options", [{"processor": "zen4"}, {"processor": "avx2", "interleave": 2}], ids=str)
def test_epilogues_that_write_other_results_compute_what_they_say(options):
    """Rows that two vectors of a tile have are added once."""
    shown = stage(SUMS.replace("40", "37"), "vectorize", **options, **APART)
    assert "vector.store" in shown


COMPLEX_POINTS = """func @f(%x: memref<{memory}x16x3>, %y: memref<{memory}x16>) {{
  %none = constant 0 : index
  %points = constant 16 : index
  %steps = constant 3 : index
  %zero = constant [0.0, 0.0] : {element}
  foreach (%i) = (%none), (%points) {{
    %s = for %k = %none, %steps init(%c=%zero) -> ({element}) {{
      %a = load %x[%i, %k] : {memory}
      %b = {number} : {element}
      %d = arith.add %c, %b : {element}
      yield (%d)
    }}
    %r = {result} : {memory}
    store %r, %y[%i]
  }}
}}"""


@pytest.mark.parametrize(
    "texts",
    [
        {"memory": "c64", "element": "c64", "number": "arith.sub %a, %a", "result": "arith.neg %s"},
        {"memory": "f32", "element": "c32", "number": "cast %a", "result": "arith.re %s"},
    ],
    ids=lambda texts: texts["memory"],
)
def test_points_with_complex_numbers_are_half_as_many(texts: dict[str, str]) -> None:
    """SPIR-V has no vectors of more than sixteen numbers, of which a complex one is two."""
    shown = stage(COMPLEX_POINTS.format(**texts), "cpu-kernels", 1, processor="zen4")
    assert '"lanes"=8' in shown
