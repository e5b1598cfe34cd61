"""cpu-items: which work-groups a work-item executes, how many are interleaved, and what it prefetches."""

import re

import numpy as np
import pytest
from launch_kit import needs_sycl
from passes_kit import cache_of, checked, costs_of, stage, sycl_passes, text_after
from properties.execution import execute

import pytl
from pytl.ops.launch_defaults import IN_PARTS
from pytl.passes import Pipeline
from pytl.passes.targets import cpu

SMALL = """func @f(%a: group<memref<f32x4x4>x?>, %b: memref<f32x4x4>, %c: memref<f32x4x4x?>) {
  %one = constant 1.0 : f32
  %g = builtin.group_id : index
  %m = load %a[%g] : memref<f32x4x4>
  %x = subview %c[0:4, 0:4, %g] : memref<f32x4x4>
  gemm.n.n %one, %m, %b, %one, %x
}"""


def items_of(text: str, **options: object) -> list[tuple[int, int, int | None]]:
    """Of each cpu.items in a text: its items, how many are interleaved, and how many where it prefetches."""
    module = Pipeline(sycl_passes(**options)).run(checked(text))
    found = [op for op in module.functions[0].walk() if isinstance(op, cpu.Items)]
    return [(op.items, op.interleave, op.prefetching and len(op.prefetching.arguments)) for op in found]


def test_one_after_the_other():
    assert stage(SMALL, "cpu-items", items=3, interleave=1, prefetch=0) == (
        """%one = constant 0x1p+0 : f32
cpu.items {"items"=3} %g {
  %m = load %a[%g] : memref<f32x4x4>
  %x = subview %c[0:4, 0:4, %g] : memref<f32x4x4>
  cpu.kernel {"accumulate"=[1]} {
    gemm.n.n %one, %m, %b, %one, %x
  }
}"""
    )


def test_interleaved_with_a_remainder():
    assert stage(SMALL, "cpu-items", items=3, interleave=2, prefetch=0) == (
        """%one = constant 0x1p+0 : f32
cpu.items {"items"=4} %g, %g_1 {
  %m = load %a[%g] : memref<f32x4x4>
  %m_1 = load %a[%g_1] : memref<f32x4x4>
  %x = subview %c[0:4, 0:4, %g] : memref<f32x4x4>
  %x_1 = subview %c[0:4, 0:4, %g_1] : memref<f32x4x4>
  cpu.kernel {"accumulate"=[1], "interleave"=2} {
    gemm.n.n %one, %m, %b, %one, %x
    gemm.n.n %one, %m_1, %b, %one, %x_1
  }
} remainder %g {
  %m = load %a[%g] : memref<f32x4x4>
  %x = subview %c[0:4, 0:4, %g] : memref<f32x4x4>
  cpu.kernel {"accumulate"=[1]} {
    gemm.n.n %one, %m, %b, %one, %x
  }
}"""
    )


def test_a_working_set_beyond_the_cache_is_prefetched():
    with cache_of(1000):
        shown = stage(SMALL, "cpu-items", items=3, interleave=1, prefetch=5, groups=17)
    assert shown == (
        """%one = constant 0x1p+0 : f32
%0 = builtin.group_size : index
%1 = constant 128 : index
%2 = constant 0 : index
%3 = constant 1000 : index
%4 = arith.mul %0, %1 : index
%5 = arith.add %4, %2 : index
%6 = cmp.gt %5, %3 : bool
%7 = builtin.group_size : index
%8 = constant 1 : index
%9 = arith.sub %7, %8 : index
cpu.items {"items"=3} %g {
  %m = load %a[%g] : memref<f32x4x4>
  %x = subview %c[0:4, 0:4, %g] : memref<f32x4x4>
  cpu.kernel {"accumulate"=[1]} {
    gemm.n.n %one, %m, %b, %one, %x
  }
} prefetching if %6 %g {
  %10 = cpu.later {"distance"=5} %g, %9 : index
  %m = load %a[%g] : memref<f32x4x4>
  %x = subview %c[0:4, 0:4, %g] : memref<f32x4x4>
  %m_1 = load %a[%10] : memref<f32x4x4>
  %x_1 = subview %c[0:4, 0:4, %10] : memref<f32x4x4>
  cpu.kernel {"accumulate"=[1]} {
    gemm.n.n %one, %m, %b, %one, %x
    cpu.prefetch %m_1
    cpu.prefetch %x_1
  }
}"""
    )


def test_what_is_copied_for_a_product_is_prefetched_by_the_product():
    # a transposed left factor is copied first, and a copy alone has no time to ask
    text = SMALL.replace("gemm.n.n", "gemm.t.n")
    shown = stage(text, "cpu-items", items=3, interleave=1, prefetch=1).partition(" prefetching if %")[2]
    assert shown.count("cpu.kernel") == 2
    assert shown.index("gemm.n.n") < shown.index("cpu.prefetch %m_1") < shown.index("cpu.prefetch %x_1")


def test_what_is_prefetched_leaves_room_in_the_cache():
    # %b is no work-group's own; blocks that are copied are not prefetched; to execute as much takes minutes
    large = SMALL.replace("x4x4", "x256x256").replace("0:4", "0:256")
    with costs_of("blocks", min_left=2**20):
        assert "cpu.prefetch %m_1" in text_after("cpu-items", large, items=3, interleave=1, prefetch=1)
        larger = SMALL.replace("x4x4", "x257x257").replace("0:4", "0:257")
        assert "cpu.prefetch" not in text_after("cpu-items", larger, items=3, interleave=1, prefetch=1)
    # without products, all would be prefetched at once
    sums = """func @f(%a: memref<f32xNxNx?>, %y: memref<f32xNx?>) {
      %one = constant 1.0 : f32
      %g = builtin.group_id : index
      %m = subview %a[0:N, 0:N, %g] : memref<f32xNxN>
      %x = subview %y[0:N, %g] : memref<f32xN>
      sum.n %one, %m, %one, %x
    }"""
    asked = {n: stage(sums.replace("N", str(n)), "cpu-items", items=3).count("cpu.prefetch") for n in (32, 33)}
    assert asked == {32: 2, 33: 1}


@pytest.mark.parametrize(
    "rows, columns, words, onwards",
    [(256, 256, "n.n", 0), (257, 256, "n.n", 1), (64, 2000, "n.n", 0), (8200, 16, "n.n", 0), (300, 300, "t.n", 0)],
)
def test_of_a_large_left_factor_the_next_rows_are_prefetched(rows, columns, words, onwards):
    m, k = (columns, rows) if words[0] == "t" else (rows, columns)
    text = f"""func @f(%A: memref<f64x{m}x{k}x?>, %B: memref<f64x{columns}x24>, %C: memref<f64x{rows}x24x?>) {{
      %i = builtin.group_id : index
      %0 = subview %A[0:{m}, 0:{k}, %i] : memref<f64x{m}x{k}>
      %1 = subview %C[0:{rows}, 0:24, %i] : memref<f64x{rows}x24>
      gemm.{words} 1.0, %0, %B, 1.0, %1
    }}"""
    shown = text_after("cpu-items", text, processor="zen4")
    found = re.findall(r"cpu.prefetch (%\w+) then (%\w+) \{\"onwards\"=true\}", shown)
    assert len(found) == onwards
    for tensor, following in found:
        # of the work-group's own, by the product that reads it; then of the one behind it
        assert re.search(rf"gemm.n.n %\w+, {tensor}, (.*\n)+? *cpu.prefetch {tensor} then", shown)
        (number,) = re.findall(rf"{following} = subview %A\[0:{m}, 0:{k}, (%\w+)\]", shown)
        assert re.search(rf"{number} = cpu.later \{{\"distance\"=1\}} %i", shown)
    # no other machine was measured
    assert "onwards" not in text_after("cpu-items", text, processor="avx512")


@pytest.mark.parametrize("columns, others", [(32, 2), (128, 0)])
def test_what_is_prefetched_beside_the_next_rows_leaves_room_in_the_cache(columns, others):
    text = f"""func @f(%A: memref<f64x700x300>, %B: memref<f64x300x{columns}x?>, %C: memref<f64x700x{columns}x?>) {{
      %i = builtin.group_id : index
      %0 = subview %B[0:300, 0:{columns}, %i] : memref<f64x300x{columns}>
      %1 = subview %C[0:700, 0:{columns}, %i] : memref<f64x700x{columns}>
      gemm.n.n 1.0, %A, %0, 1.0, %1
    }}"""
    shown = text_after("cpu-items", text, processor="zen4")
    # a factor that all work-groups share begins again
    assert shown.count('cpu.prefetch %A then %A {"onwards"=true}') == 1
    assert shown.count("cpu.prefetch") == 1 + others


def test_short_matrices_are_left_to_the_processors_own_prefetcher():
    with cache_of(1000), costs_of("prefetches", min_bytes=129):
        assert items_of(SMALL, items=4, interleave=1, prefetch=5) == [(4, 1, None)]
        # one work-group after the other, beyond the cache, and no prefetch
        shown = stage(SMALL, "cpu-items", items=4, interleave=4, prefetch=5, groups=17)
        assert items_of(SMALL, items=4, interleave=4, prefetch=5)[0][2] is not None
        assert "} prefetching if %" in shown and "cpu.prefetch" not in shown and "cpu.later" not in shown
    with costs_of("prefetches", min_bytes=128):
        assert stage(SMALL, "cpu-items", items=4, interleave=1, prefetch=5).count("cpu.prefetch") == 2
    # many streams are left to it, too, where the computation is short beside reading them
    for streaming, prefetches in ((0.5, 0), (100, 2)):
        with costs_of("prefetches", min_bytes=129, few_streams=1, streaming=streaming):
            shown = stage(SMALL, "cpu-items", items=4, interleave=1, prefetch=5)
            assert shown.count("cpu.prefetch") == prefetches
    # a copy in front of the product has nothing to compute meanwhile
    with costs_of("prefetches", min_bytes=129):
        copied = stage(SMALL.replace("gemm.n.n", "gemm.t.n"), "cpu-items", items=4, interleave=1, prefetch=5)
        assert copied.count("cpu.prefetch") == 2


@pytest.mark.parametrize(("processor", "columns", "level"), [("zen4", 9, 2), ("zen4", 56, 1), ("avx512", 9, 1)])
def test_what_memory_hardly_keeps_up_with_is_prefetched_into_the_second_level(processor, columns, level):
    # 14 kB and 25 kB, of 16 kB for the first level, while 2,016 and 12,544 vectors are multiplied and added
    text = f"""func @f(%a: memref<f32x56x56x?>, %b: memref<f32x56x{columns}>, %c: memref<f32x56x{columns}x?>) {{
      %one = constant 1.0 : f32
      %g = builtin.group_id : index
      %m = subview %a[0:56, 0:56, %g] : memref<f32x56x56>
      %x = subview %c[0:56, 0:{columns}, %g] : memref<f32x56x{columns}>
      gemm.n.n %one, %m, %b, %one, %x
    }}"""
    with costs_of("prefetches", in_first_level=2**15):
        assert text_after("cpu-schedule", text, processor=processor).count(f'"level"={level}') == 2


@pytest.mark.at_most(1)
@pytest.mark.parametrize("groups", [1, 2, 3, 4, 7])
@pytest.mark.parametrize("size", [0, 10**9])
def test_fewer_are_interleaved_beyond_the_cache(groups, size):
    with cache_of(size):
        stage(SMALL, "cpu-items", groups, items=8, interleave=4, prefetch=3)
        # the distance is a multiple of what is interleaved
        (found,) = items_of(SMALL, items=6, interleave=4, prefetch=3)
    assert found == (8, 4, 2)


def test_choices():
    assert items_of(SMALL) == [(256, 4, 2)]
    assert items_of(SMALL, items=1) == []
    assert items_of(SMALL, items=10, interleave=3) == [(12, 3, 2)]
    assert items_of(SMALL, prefetch=0) == [(256, 4, None)]
    # two that are interleaved save a few loads: beyond the cache, one stream is better than two
    larger = SMALL.replace("x4x4", "x32x32").replace("0:4", "0:32")
    assert items_of(larger) == [(62, 2, 1)]
    assert items_of(larger, interleave=2) == [(62, 2, 2)]
    # integers are multiplied and added by two instructions, and what they take is not the loads
    assert items_of(larger.replace("f32", "i32").replace("1.0", "1")) == [(61, 1, 1)]
    # nor where the left factor of each is what is loaded
    vector = SMALL.replace("x4x4", "x62x48").replace("0:4", "0:62", 1).replace("0:4", "0:1")
    vector = vector.replace("%b: memref<f32x62x48>", "%b: memref<f32x48x1>").replace("x62x48x?>)", "x62x1x?>)")
    assert items_of(vector.replace("%g] : memref<f32x62x48>\n  gemm", "%g] : memref<f32x62x1>\n  gemm")) == [
        (256, 1, 1)
    ]
    # a share of nothing saves nothing
    own = larger.replace("%b: memref<f32x32x32>", "%b: group<memref<f32x32x32>x?>").replace("%m, %b", "%m, %n")
    own = own.replace("  %x =", "  %n = load %b[%g] : memref<f32x32x32>\n  %x =")
    assert items_of(own) == [(61, 1, 1)]


def test_memory_that_all_work_groups_share_is_not_prefetched():
    text = SMALL.replace("load %a[%g]", "load %a[%k]").replace("  %x =", "%x =")
    text = text.replace("%m =", "%six = constant 6 : index\n%k = arith.rem %g, %six : index\n%m =")
    with cache_of(700):
        shown = stage(text, "cpu-items", 9, items=4)
    # each work-group has an item of c of its own, but no more than 6 of a are used
    assert "= constant 64 : index" in shown and "= constant 384 : index" in shown
    text = text.replace("%c: memref<f32x4x4x?>", "%c: group<memref<f32x4x4>x?>").replace("%one, %x", "%one, %t")
    text = text.replace("%x = subview %c[0:4, 0:4, %g] :", "%t = alloca : memref<f32x4x4,local>\n%x = load %c[%k] :")
    text = text.replace("%b, %one, %t", "%b, %none, %t").replace("%six =", "%none = constant 0.0 : f32\n%six =")
    assert [ahead for _, _, ahead in items_of(text, items=4)] == [None]


LARGE = SMALL.replace("x4x4", "x160x160").replace("0:4", "0:160")


def test_large_work_groups_have_a_work_item_each_that_prefetches():
    assert items_of(LARGE) == [(1, 1, 1)]


def test_large_work_groups_have_no_loop_without_something_to_prefetch():
    assert items_of(LARGE, prefetch=0) == []
    assert text_after("cpu-items", LARGE, prefetch=0).startswith(
        "%one = constant 0x1p+0 : f32\n%g = builtin.group_id : index"
    )


def test_registers_limit_what_is_interleaved():
    chain = """func @f(%a: group<memref<f32x9x9>x?>, %b: memref<f32x9x9>, %c: memref<f32x9x9x?>) {
      %g = builtin.group_id : index
      %m = load %a[%g] : memref<f32x9x9>
      %x = subview %c[0:9, 0:9, %g] : memref<f32x9x9>
      %t = alloca : memref<f32x9x9,local>
      gemm.n.t 1.0, %m, %b, 0.0, %t
      gemm.n.n 1.0, %t, %m, 1.0, %x
    }"""
    assert items_of(chain, items=8, interleave=4) == [(8, 2, 2)]


def test_local_memory_limits_what_is_interleaved():
    text = """func @f(%a: memref<f32x64x4x?>, %b: memref<f32x4x64>, %c: memref<f32x64x4>, %d: memref<f32x64x4x?>) {
      %g = builtin.group_id : index
      %m = subview %a[0:64, 0:4, %g] : memref<f32x64x4>
      %x = subview %d[0:64, 0:4, %g] : memref<f32x64x4>
      %t = alloca : memref<f32x64x64,local>
      gemm.n.n 1.0, %m, %b, 0.0, %t
      gemm.n.n 1.0, %t, %c, 1.0, %x
    }"""
    assert [interleave for _, interleave, _ in items_of(text, interleave=4)] == [2]  # 16 kB each
    larger = (
        text.replace("4x64>", "4x80>").replace("64x64,", "64x80,").replace("%c: memref<f32x64", "%c: memref<f32x80")
    )
    assert [interleave for _, interleave, _ in items_of(larger, interleave=4)] == [1]


def test_parts_of_a_launch_have_no_items():
    assert "cpu.items" not in stage(SMALL, "cpu-items", **{IN_PARTS: True})


def test_what_is_no_kernel_is_done_one_after_the_other():
    text = SMALL.replace("gemm.n.n %one, %m, %b, %one, %x", "gemm.n.n.atomic %one, %m, %b, %one, %x")
    text = text.replace("subview %c[0:4, 0:4, %g]", "subview %c[0:4, 0:4, 0]")  # which all work-groups add to
    shown = stage(text, "cpu-items", items=8, interleave=4)
    assert "cpu.kernel" not in shown
    assert shown.endswith("    store.atomic_add %3, %x[%i, %j]\n  }\n}")
    assert shown.count('cpu.items {"items"=8} %g {') == 1
    branch = SMALL.replace("gemm.n.n", "%k = constant 2 : index\n%p = cmp.lt %g, %k : bool\nif %p {\ngemm.n.n")
    assert items_of(branch.replace("%one, %x\n", "%one, %x\n}\n"), items=8, interleave=4) == [(8, 1, None)]


# Loops that work-groups deal out among them.

DEALT_OUT = """func @f(%a: memref<f32x4x4x17>, %b: memref<f32x4x4>, %c: memref<f32x4x4x17>, %n: index) {
  %one = constant 1.0 : f32
  %stop = constant 17 : index
  %g = builtin.group_id : index
  %groups = builtin.group_size : index
  for %i = %g, %stop, %groups {
    %m = subview %a[0:4, 0:4, %i] : memref<f32x4x4>
    %x = subview %c[0:4, 0:4, %i] : memref<f32x4x4>
    gemm.n.n %one, %m, %b, %one, %x
  }
}"""


def test_iterations_that_are_dealt_out_are_executed_as_work_groups_are():
    with cache_of(1000):
        shown = stage(DEALT_OUT, "cpu-items", items=3, interleave=1, prefetch=5)
    assert shown == (
        """%one = constant 0x1p+0 : f32
%stop = constant 17 : index
%groups = builtin.group_size : index
%0 = constant 128 : index
%1 = constant 0 : index
%2 = constant 1000 : index
%3 = arith.mul %stop, %0 : index
%4 = arith.add %3, %1 : index
%5 = cmp.gt %4, %2 : bool
%6 = constant 1 : index
%7 = arith.sub %stop, %6 : index
cpu.items {"items"=3} %i to %stop {
  %m = subview %a[0:4, 0:4, %i] : memref<f32x4x4>
  %x = subview %c[0:4, 0:4, %i] : memref<f32x4x4>
  cpu.kernel {"accumulate"=[1]} {
    gemm.n.n %one, %m, %b, %one, %x
  }
} prefetching if %5 %i {
  %8 = cpu.later {"distance"=5} %i, %7 : index
  %m = subview %a[0:4, 0:4, %i] : memref<f32x4x4>
  %x = subview %c[0:4, 0:4, %i] : memref<f32x4x4>
  %m_1 = subview %a[0:4, 0:4, %8] : memref<f32x4x4>
  %x_1 = subview %c[0:4, 0:4, %8] : memref<f32x4x4>
  cpu.kernel {"accumulate"=[1]} {
    gemm.n.n %one, %m, %b, %one, %x
    cpu.prefetch %m_1
    cpu.prefetch %x_1
  }
}"""
    )
    # the costs are those of an iteration
    assert items_of(DEALT_OUT) == items_of(SMALL)


@pytest.mark.at_most(1)
@pytest.mark.parametrize("groups", [1, 2, 3, 4, 7, 16, 17, 18, 40])
@pytest.mark.parametrize("size", [0, 10**9])
def test_any_number_of_work_groups_deals_a_loop_out(groups, size):
    with cache_of(size):
        stage(DEALT_OUT, "cpu-items", groups, items=8, interleave=4, prefetch=3)
        (found,) = items_of(DEALT_OUT, items=6, interleave=4, prefetch=3)
    assert found == (8, 4, 2)


@pytest.mark.at_night
def test_iterations_of_a_work_group_stay_in_order():
    # each iteration reads what the one before it in the same work-group wrote
    text = """func @f(%x: memref<f32x8x12>) {
      %one = constant 1.0 : f32
      %two = constant 2.0 : f32
      %stop = constant 10 : index
      %g = builtin.group_id : index
      %groups = builtin.group_size : index
      for %i = %g, %stop, %groups {
        %next = arith.add %i, %groups : index
        %a = subview %x[0:8, %i] : memref<f32x8>
        %b = subview %x[0:8, %next] : memref<f32x8>
        axpby.n %one, %a, %two, %b
      }
    }"""
    assert "to %stop" in stage(text, "cpu-items", 2, items=8)
    assert "to %stop" in stage(text, "cpu-items", 1, items=8)


@pytest.mark.at_night
def test_a_loop_is_dealt_out_as_work_groups_are_if_it_is_all_that_they_do():
    assert "to %stop" in stage(DEALT_OUT, "cpu-items", items=4)
    copy = "%none = constant 0.0 : f32\n%t = alloca : memref<f32x4x4,local>\naxpby.t %one, %b, %none, %t\n"
    copied = DEALT_OUT.replace("for %i", f"{copy}for %i").replace("%m, %b, %one", "%m, %t, %one")
    shown = stage(copied, "cpu-items", items=4)
    assert shown.index("axpby.t") < shown.index("to %stop")
    grouped = DEALT_OUT.replace("%b: memref<f32x4x4>", "%bs: group<memref<f32x4x4>x?>").replace(
        "  for %i", "  %zero = constant 0 : index\n  %b = load %bs[%zero] : memref<f32x4x4>\n  for %i"
    )
    assert "to %stop" in stage(grouped, "cpu-items", items=4)


@pytest.mark.at_most(1)
@pytest.mark.parametrize(
    "old, new",
    [
        ("%x = subview %c[0:4, 0:4, %i]", "%x = subview %c[0:4, 0:4, %g]"),
        ("for %i = %g, %stop, %groups", "%end = arith.min %stop, %g : index\nfor %i = %g, %end, %groups"),
        ("  }\n}", "  }\n  gemm.n.n %one, %b, %b, %one, %b\n}"),
        ("  for %i", "  gemm.n.n %one, %b, %b, %one, %b\n  for %i"),
        ("for %i = %g, %stop, %groups", "%first = arith.add %g, %groups : index\nfor %i = %first, %stop, %groups"),
        ("for %i = %g, %stop, %groups", "%step = arith.add %groups, %groups : index\nfor %i = %g, %stop, %step"),
    ],
    ids=["it needs its number", "its number is the end", "work behind it", "work before it", "a later start", "a step"],
)
def test_another_loop_stays_a_loop_of_each_work_group(old, new):
    assert old in DEALT_OUT
    shown = stage(DEALT_OUT.replace(old, new), "cpu-items", 1, items=4)
    assert "cpu.items" in shown and "for %i" in shown and "to %stop" not in shown


# What work-groups have in common.

TRANSPOSED = """func @f(%a: memref<f32x4x9>, %b: memref<f32x4x3>, %c: memref<f32x9x3x?>) {
  %one = constant 1.0 : f32
  %g = builtin.group_id : index
  %x = subview %c[0:9, 0:3, %g] : memref<f32x9x3>
  gemm.t.n %one, %a, %b, %one, %x
}"""


def test_a_copy_that_all_work_groups_use_is_made_once():
    assert stage(TRANSPOSED, "cpu-items", items=4, interleave=1, prefetch=0) == (
        """%one = constant 0x1p+0 : f32
%0 = constant 0x1p+0 : f32
%1 = constant 0x0p+0 : f32
%2 = alloca : memref<f32x9x4,local>
cpu.kernel {"lanes"=4} {
  axpby.t %0, %a, %1, %2
}
cpu.items {"items"=4} %g {
  %x = subview %c[0:9, 0:3, %g] : memref<f32x9x3>
  cpu.kernel {"accumulate"=[1]} {
    gemm.n.n %one, %2, %b, %one, %x
  }
}"""
    )


CONVERTED = """func @f(%a: memref<f32x9x4x?>, %b: memref<f16x4x3>, %c: memref<f32x9x3x?>) {
  %one = constant 1.0 : f32
  %g = builtin.group_id : index
  %m = subview %a[0:9, 0:4, %g] : memref<f32x9x4>
  %x = subview %c[0:9, 0:3, %g] : memref<f32x9x3>
  gemm.n.n %one, %m, %b, %one, %x
}"""


def test_a_copy_whose_columns_are_merged_is_made_once_too():
    assert stage(CONVERTED, "cpu-items", items=4, interleave=1, prefetch=0) == (
        """%one = constant 0x1p+0 : f32
%0 = constant 4 : index
%1 = constant 3 : index
%2 = constant 0 : index
%3 = alloca : memref<f32x4x3,local>
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
cpu.items {"items"=4} %g {
  %m = subview %a[0:9, 0:4, %g] : memref<f32x9x4>
  %x = subview %c[0:9, 0:3, %g] : memref<f32x9x3>
  cpu.kernel {"accumulate"=[1]} {
    gemm.n.n %one, %m, %3, %one, %x
  }
}"""
    )


def test_a_copy_through_a_view_that_depends_on_the_work_group_is_made_for_each():
    """The first is made once, and all that is made of it alone; of the second, each work-group has other elements."""
    text = """func @f(%b: memref<f32x8>, %c: memref<f32x8x?>) {
      %one = constant 1.0 : f32
      %none = constant 0.0 : f32
      %zero = constant 0 : index
      %g = builtin.group_id : index
      %t = alloca : memref<f32x4x2,local>
      %u = fuse %t[0, 1] : memref<f32x8,local>
      %w = subview %u[0:8] : memref<f32x8,local>
      axpby.n %one, %b, %none, %u
      %s = alloca : memref<f32x8,local>
      axpby.n %one, %w, %none, %s
      %k = arith.min %g, %zero : index
      %p = alloca : memref<f32x9,local>
      %q = subview %p[%k:8] : memref<f32x8,local>
      axpby.n %one, %s, %none, %q
      %x = subview %c[0:8, %g] : memref<f32x8>
      axpby.n %one, %s, %one, %x
      axpby.n %one, %q, %one, %x
    }"""
    once, each = stage(text, "cpu-items", items=4, prefetch=0).split("cpu.items")
    assert [once.count(word) for word in ("alloca", "fuse", "cpu.kernel")] == [2, 1, 2]
    assert [each.count(word) for word in ("alloca", "fuse", "cpu.kernel")] == [1, 0, 3]


def test_a_copy_of_what_may_change_is_made_for_each():
    # the first work-group writes what the second one reads, if these are the same array
    written = TRANSPOSED.replace("gemm.t.n", "axpby.n %one, %x, %one, %d\n  gemm.t.n")
    written = written.replace("%c: ", "%d: memref<f32x9x3>, %c: ")
    shown = stage(written, "cpu-items", 1, items=4, interleave=1, prefetch=0)
    assert shown.index("cpu.items") < shown.index("alloca")
    own = TRANSPOSED.replace("%a: memref<f32x4x9>", "%all: memref<f32x4x9x?>")
    own = own.replace("  gemm", "  %a = subview %all[0:4, 0:9, %g] : memref<f32x4x9>\n  gemm")
    shown = stage(own, "cpu-items", items=4, interleave=1, prefetch=0)
    assert shown.index("cpu.items") < shown.index("alloca")


def test_the_end_of_the_lifetime_of_what_is_made_once():
    text = """func @f(%b: memref<f32x9>, %c: memref<f32x9x?>) {
      %one = constant 1.0 : f32
      %none = constant 0.0 : f32
      %g = builtin.group_id : index
      %t = alloca : memref<f32x9,local>
      %x = subview %c[0:9, %g] : memref<f32x9>
      axpby.n %one, %b, %none, %t
      axpby.n %one, %t, %one, %x
      lifetime_stop %t
    }"""
    shown = stage(text, "cpu-items", items=4, prefetch=0)
    assert shown.index("%t = alloca") < shown.index("cpu.items")
    assert "lifetime_stop" not in shown
    assert stage(text, "work-group-size", items=4, prefetch=0).endswith("\n}\nlifetime_stop %t")


# Sizes that are known at run time only.


def test_one_size_of_all_work_groups_lets_them_be_interleaved():
    text = """func @f(%a: memref<f32x?x3>, %b: memref<f32x3x4>, %c: memref<f32x?x4x?>) {
      %g = builtin.group_id : index
      %x = subview %c[:, 0:4, %g] : memref<f32x?x4,strided<1,?>>
      gemm.n.n 1.0, %a, %b, 1.0, %x
    }"""
    assert [interleave for _, interleave, _ in items_of(text, interleave=4)] == [4]


@pytest.mark.at_most(1)
@pytest.mark.parametrize(
    "text",
    [
        """func @f(%a: group<memref<f32x?x3>x?>, %b: memref<f32x3x4>, %c: group<memref<f32x?x4>x?>) {
          %g = builtin.group_id : index
          %m = load %a[%g] : memref<f32x?x3>
          %x = load %c[%g] : memref<f32x?x4>
          gemm.n.n 1.0, %m, %b, 1.0, %x
        }""",
        """func @f(%a: memref<f32x20x3>, %b: memref<f32x3x4>, %c: memref<f32x20x4x?>) {
          %g = builtin.group_id : index
          %one = constant 1 : index
          %n = arith.add %g, %one : index
          %m = subview %a[0:%n, 0:3] : memref<f32x?x3>
          %x = subview %c[0:%n, 0:4, %g] : memref<f32x?x4>
          gemm.n.n 1.0, %m, %b, 1.0, %x
        }""",
        """func @f(%a: memref<f32x20x20>, %b: memref<f32x20x4>, %c: memref<f32x20x4x?>) {
          %g = builtin.group_id : index
          %one = constant 1 : index
          %n = arith.add %g, %one : index
          %m = subview %a[0:20, 0:%n] : memref<f32x20x?>
          %k = subview %b[0:%n, 0:4] : memref<f32x?x4>
          %x = subview %c[0:20, 0:4, %g] : memref<f32x20x4>
          gemm.n.n 1.0, %m, %k, 1.0, %x
        }""",
    ],
    ids=["items of groups", "rows", "steps of the sum"],
)
def test_sizes_of_their_own_keep_work_groups_apart(text):
    stage(text, "cpu-items", interleave=4)
    assert [interleave for _, interleave, _ in items_of(text, interleave=4)] == [1]


IN_LOOPS = """func @f(%a: memref<f32x8x32x?>, %g: group<memref<f32x8x8>x?>, %b: memref<f32x8x8>,
        %c: memref<f32x8x32x?>) {
  %0 = constant 0 : index
  %4 = constant 4 : index
  %8 = constant 8 : index
  %i = builtin.group_id : index
  %all = subview %a[0:8, 0:32, %i] : memref<f32x8x32>
  %into = subview %c[0:8, 0:32, %i] : memref<f32x8x32>
  for %k = %0, %4 {
    %first = arith.mul %k, %8 : index
    %x = subview %all[0:8, %first:8] : memref<f32x8x8>
    %y = subview %into[0:8, %first:8] : memref<f32x8x8>
    %j = arith.add %i, %k : index
    %m = load %g[%j] : memref<f32x8x8>
    gemm.n.n 1.0, %x, %b, 1.0, %y
    gemm.n.n 1.0, %m, %b, 1.0, %y
  }
}"""


def prefetched_in(text: str, **options: object) -> list[str]:
    """What a text's kernels prefetch, as views."""
    shown = text_after("cpu-items", text, **options)
    shown = shown[shown.index("prefetching") :]
    views = dict(re.findall(r"(%\w+) = (subview .*) :", shown))
    return [views[value] for value in re.findall(r"cpu.prefetch (%\w+)", shown)]


def test_kernels_in_loops_prefetch_their_parts_of_the_next_work_group():
    assert prefetched_in(IN_LOOPS, items=4) == ["subview %all_1[0:8, %first:8]", "subview %into_1[0:8, %first:8]"]
    # a loop of another work-group may have other bounds, so that items of groups are not loaded for it
    assert text_after("cpu-items", IN_LOOPS, items=4).count("load %g[") == 2


def test_what_loops_use_again_and_again_is_not_prefetched_each_time():
    same = IN_LOOPS.replace("%all[0:8, %first:8]", "%all[0:8, 0:8]").replace("%into[0:8, %first:8]", "%into[0:8, 0:8]")
    assert len(prefetched_in(same, items=4)) == 2
    assert items_of(same.replace("%4 = constant 4", "%4 = constant 5"), items=4) == [(4, 1, None)]


@pytest.mark.at_most(2)
@pytest.mark.parametrize("groups", [1, 5])
def test_prefetches_in_loops_leave_the_result(groups: int):
    lowered = Pipeline(sycl_passes(items=2)).run(checked(IN_LOOPS))
    random = np.random.default_rng(groups)
    a, c = (np.asfortranarray(random.integers(-3, 4, (8, 32, groups)).astype(np.float32)) for _ in range(2))
    items = [np.asfortranarray(random.integers(-3, 4, (8, 8)).astype(np.float32)) for _ in range(groups + 3)]
    b = np.asfortranarray(random.integers(-3, 4, (8, 8)).astype(np.float32))
    expected = c.copy()
    for g in range(groups):
        for k in range(4):
            part = slice(8 * k, 8 * k + 8)
            expected[:, part, g] += (a[:, part, g] + items[g + k]) @ b
    *_, found = execute(lowered, [a, items, b, c], groups)
    np.testing.assert_array_equal(found, expected.ravel(order="F"))


def with_large_left(m: int, n: int, k: int, element: str, is_shared: bool) -> str:
    """A product for each work-group, whose left factor is its own or that of all."""
    left = f"%A: memref<{element}x{m}x{k}" + (">" if is_shared else "x?>")
    view = "" if is_shared else f"%a = subview %A[0:{m}, 0:{k}, %i] : memref<{element}x{m}x{k}>"
    return f"""func @f({left}, %B: memref<{element}x{k}x{n}>, %C: memref<{element}x{m}x{n}x?>) {{
      %i = builtin.group_id : index
      {view}
      %c = subview %C[0:{m}, 0:{n}, %i] : memref<{element}x{m}x{n}>
      gemm.n.n 1.0, {"%A" if is_shared else "%a"}, %B, 1.0, %c
    }}"""


def product_of(a: np.ndarray, b: np.ndarray, c: np.ndarray) -> np.ndarray:
    return c + (np.tensordot(a, b, (1, 0))[..., None] if a.ndim == 2 else np.einsum("mkg,kn->mng", a, b))


@pytest.mark.at_most(3)
@pytest.mark.parametrize("m, n, k, element", [(256, 5, 20, "f32"), (300, 9, 33, "f32"), (131, 20, 17, "f64")])
@pytest.mark.parametrize("is_shared", [False, True])
@pytest.mark.parametrize("groups", [1, 3])
def test_prefetches_of_the_next_rows_leave_the_result(m, n, k, element, is_shared, groups):
    dtype = {"f32": np.float32, "f64": np.float64}[element]
    with costs_of("prefetches", max_left=4096, cache=0):
        lowered = Pipeline(sycl_passes()).run(checked(with_large_left(m, n, k, element, is_shared)))
    operations = [*lowered.functions[0].walk()]
    assert any(op.word == "vector.prefetch" for op in operations)
    random = np.random.default_rng(m)
    shape = (m, k) if is_shared else (m, k, groups)
    a, b, c = (
        np.asfortranarray(random.integers(-3, 4, each).astype(dtype)) for each in (shape, (k, n), (m, n, groups))
    )
    expected = product_of(a, b, c)
    *_, found = execute(lowered, [a, b, c], groups)
    np.testing.assert_array_equal(found, expected.ravel(order="F"))


@pytest.mark.at_night
@pytest.mark.parametrize("m, n, k", [(300, 8, 300), (512, 24, 512), (1000, 5, 1000), (700, 64, 300)])
@pytest.mark.parametrize("element", ["f32", "f64"])
@pytest.mark.parametrize("is_shared", [False, True])
@pytest.mark.parametrize(
    "backend", [pytest.param("sycl", marks=needs_sycl), pytest.param("mlir", marks=pytest.mark.tools_of("mlir"))]
)
def test_large_left_factors_on_the_device(m, n, k, element, is_shared, backend):
    dtype = {"f32": np.float32, "f64": np.float64}[element]
    kernel = pytl.compile(with_large_left(m, n, k, element, is_shared))["f"]
    random = np.random.default_rng(m)
    shape = (m, k) if is_shared else (m, k, 3)
    a, b, c = (np.asfortranarray(random.integers(-3, 4, each).astype(dtype)) for each in (shape, (k, n), (m, n, 3)))
    expected = product_of(a, b, c)
    kernel[3](a, b, c, backend=backend)
    np.testing.assert_array_equal(c, expected)
