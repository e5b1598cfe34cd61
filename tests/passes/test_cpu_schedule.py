"""cpu-schedule: the order of a kernel's loops, which are unrolled, and when a kernel prefetches what."""

from __future__ import annotations

import re
from typing import Any

import pytest
from passes_kit import assert_printed_and_read, cache_of, stage, text_after

import pytl
from pytl.ir.text import parse_text
from pytl.passes import CpuSchedule, Pipeline
from pytl.passes.targets import cpu
from pytl.passes.targets.machine import DEFAULT


def product(m: object, n: object, k: object) -> str:
    return f"""func @f(%a: memref<f32x{m}x{k}>, %b: memref<f32x{k}x{n}>, %c: memref<f32x{m}x{n}>) {{
      gemm.n.n 1.0, %a, %b, 0.0, %c
    }}"""


def order_of(text: str) -> list[str]:
    return re.findall(r'"outer"="(\w+)"', stage(text, "cpu-schedule", 1, items=1))


def test_columns_are_the_outer_loop_while_the_left_factor_stays_in_the_cache():
    assert DEFAULT.loops.left_in_cache == 4 * 64 * 96
    assert order_of(product(64, 8, 96)) == ["columns"]
    assert order_of(product(64, 8, 97)) == ["rows"]
    assert order_of(product(64, 8, "?")) == ["columns"]


def test_rows_are_the_outer_loop_where_results_are_handed_on():
    chain = """func @f(%a: memref<f32x8x8>, %b: memref<f32x8x8>, %c: memref<f32x8x8>) {
      %t = alloca : memref<f32x8x8,local>
      gemm.n.n 1.0, %a, %b, 0.0, %t
      gemm.n.n 1.0, %t, %b, 0.0, %c
    }"""
    assert order_of(chain) == ["rows"]
    both = chain.replace("0.0, %t", "0.0, %c").replace("%t, %b, 0.0", "%b, %a, 1.0").replace("%t =", "%u =")
    assert order_of(both) == ["columns"]


@pytest.mark.parametrize(
    "instruction, attributes",
    [
        ("gemv.n 1.0, %a, %x, 0.0, %y", '{"lanes"=8, "vectors"=1, "accumulators"=8, "unroll_tiles"=2}'),
        ("gemv.t 1.0, %a, %x, 0.0, %y", '{"lanes"=8, "columns"=8, "accumulators"=8, "unroll_tiles"=2}'),
        ("sum.n 1.0, %x, 0.0, %z", '{"lanes"=8, "accumulators"=8}'),
        ("cumsum 1.0, %x, 0, 0.0, %y", '{"lanes"=8}'),
        ("axpby.t 1.0, %a, 0.0, %b", '{"lanes"=8, "unroll_tiles"=2}'),
        ("axpby.n 1.0, %a, 0.0, %b", '{"lanes"=16, "unroll_tiles"=2}'),
    ],
)
def test_what_is_alone_in_a_kernel(instruction, attributes):
    parameters = "%a: memref<f32x8x8>, %b: memref<f32x8x8>, %x: memref<f32x8>, %y: memref<f32x8>, %z: memref<f32>"
    shown = stage(f"func @f({parameters}) {{ {instruction} }}", "cpu-schedule", 1, items=1)
    assert f"cpu.kernel {attributes} {{" in shown


@pytest.mark.parametrize(
    "instruction, rows, in_cache, from_memory",
    [
        ("gemv.n 1.0, %a, %x, 0.0, %y", 448, '"vectors"=28', '"vectors"=28'),  # registers hold all sums
        ("gemv.n 1.0, %a, %x, 0.0, %y", 464, '"vectors"=8', '"vectors"=8, "slice"=512'),
        ("sum.n 1.0, %a, 0.0, %y", 464, '"vectors"=8', '"vectors"=8, "slice"=512'),
        ("gemv.t 1.0, %a, %y, 0.0, %x", 16, '"columns"=8', '"columns"=8, "in_order"=true'),
        ("gemv.t 1.0, %a, %y, 0.0, %x", 32, '"columns"=8', '"columns"=1, "in_order"=true'),
    ],
)
def test_a_matrix_from_memory_is_read_in_its_order(instruction, rows, in_cache, from_memory):
    def attributes_of(text: str) -> list[list[str]]:
        shown = text_after("cpu-schedule", text)
        return [sorted(each.split(", ")) for each in re.findall(r"cpu.kernel \{(.*)\} \{", shown)]

    def expected(own: str) -> list[str]:
        return sorted(['"lanes"=16', '"accumulators"=8', '"unroll_tiles"=2', *own.split(", ")])

    views = f"""
      %g = builtin.group_id : index
      %a = subview %as[0:{rows}, 0:8, %g] : memref<f32x{rows}x8>
      %x = subview %xs[0:8, %g] : memref<f32x8>
      %y = subview %ys[0:{rows}, %g] : memref<f32x{rows}>
    """
    batch = f"func @f(%as: memref<f32x{rows}x8x?>, %xs: memref<f32x8x?>, %ys: memref<f32x{rows}x?>) {{"
    assert attributes_of(f"{batch} {views} {instruction} }}") == [expected(in_cache), expected(from_memory)]
    one = f"func @f(%a: memref<f32x{rows}x8>, %x: memref<f32x8>, %y: memref<f32x{rows}>) {{ {instruction} }}"
    assert attributes_of(one) == [expected(in_cache)]
    with cache_of(4 * rows * 8):
        assert attributes_of(one) == [expected(from_memory)]


def test_columns_of_few_rows_are_summed_together_where_their_number_is_known_at_run_time():
    text = "func @f(%a: memref<f32x?x?>, %x: memref<f32x?>, %y: memref<f32x?>) { gemv.t 1.0, %a, %x, 0.0, %y }"
    expected = '{"lanes"=16, "columns"=8, "accumulators"=8, "unroll_tiles"=2, "in_order"=true, "short_rows"=16}'
    assert f"cpu.kernel {expected} {{" in text_after("cpu-schedule", text)


def test_sums_of_narrow_types_are_in_registers():
    text = "func @f(%a: memref<bf16x?x?>, %x: memref<bf16x?>, %y: memref<bf16x?>) { gemv.n 1.0, %a, %x, 0.0, %y }"
    assert '"vectors"=8, "accumulators"=8, "unroll_tiles"=2} {' in text_after("cpu-schedule", text)


def test_a_transposition_of_any_size_has_small_blocks():
    text = "func @f(%a: memref<f32x?x?>, %b: memref<f32x?x?>) { axpby.t 1.0, %a, 0.0, %b }"
    assert 'cpu.kernel {"lanes"=8, "unroll_tiles"=2} {' in stage(text, "cpu-schedule", 1, items=1)
    static = text.replace("?x?", "32x32")
    assert 'cpu.kernel {"lanes"=16, "unroll_tiles"=2} {' in stage(static, "cpu-schedule", 1, items=1)


def schedule_of(
    m: object, n: object, k: object, *later: str, vectors: int = 2, columns: int = 4
) -> list[dict[str, Any]]:
    """The attributes of the prefetches of some matrices in a product."""
    parameters = ", ".join(f"%d{number}: {type_}" for number, type_ in enumerate(later))
    text = f"""func @f(%a: memref<f32x{m}x{k}>, %b: memref<f32x{k}x{n}>, %c: memref<f32x{m}x{n}>, {parameters}) {{
      %one = constant 1.0 : f32
      cpu.kernel {{"accumulate"=[1], "lanes"=16, "vectors"={vectors}, "columns"={columns}, unroll=1}} {{
        gemm.n.n %one, %a, %b, %one, %c
        {" ".join(f"cpu.prefetch %d{number}" for number in range(len(later)))}
      }}
    }}"""
    parsed = parse_text(text, internal=True)
    pytl.verify(parsed.module)
    after = Pipeline([CpuSchedule()]).run(parsed.module)
    assert_printed_and_read(after)
    return [op.attributes for op in after.functions[0].walk() if isinstance(op, cpu.Prefetch)]


def test_each_tile_prefetches_its_share():
    # 2 tiles of rows and 2 blocks of columns; 8 lines of which one tile prefetches 2 before its loop
    assert schedule_of(64, 8, 64, "memref<f32x128>") == [{"line": 64, "level": 1, "per_tile": 2, "per_iteration": [0]}]
    # 9 columns of two lines each, which is more than are in flight: 3 columns in 4 iterations
    apart = "memref<f32x32x9,strided<1,40>>"
    assert schedule_of(32, 4, 4, apart) == [{"line": 64, "level": 1, "per_tile": 9, "per_iteration": [3]}]


def test_what_fits_into_the_queue_of_requests_is_prefetched_before_the_loop():
    assert DEFAULT.prefetches.max_in_flight == 12
    assert schedule_of(16, 1, 4, "memref<f32x192>", vectors=1) == [
        {"line": 64, "level": 1, "per_tile": 12, "per_iteration": [0]}
    ]
    assert schedule_of(16, 1, 4, "memref<f32x193>", vectors=1) == [
        {"line": 64, "level": 1, "per_tile": 13, "per_iteration": [4]}
    ]


def test_columns_of_many_lines_are_not_prefetched_again_and_again():
    # each of 2 iterations prefetches a column; of 2 lines, not of 16, which are in front of the loop
    schedules = [
        schedule_of(16, 8, 2, f"memref<f32x{rows}x2,strided<1,400>>", "memref<f32x512>", vectors=1)
        for rows in (17, 256)
    ]
    assert [(column["per_tile"], column["per_iteration"]) for column, _ in schedules] == [(1, [1]), (1, [0])]


def test_loops_that_take_all_registers_or_many_iterations_prefetch_nothing():
    assert DEFAULT.prefetches.max_sums == 24
    (many,) = schedule_of(64, 7, 20, "memref<f32x800>", vectors=4, columns=7)
    assert many["per_iteration"] == [0]
    (some,) = schedule_of(64, 6, 20, "memref<f32x800>", vectors=4, columns=6)
    assert some["per_iteration"] == [-(-50 // 20)]
    (long,) = schedule_of(64, 6, 201, "memref<f32x800>", vectors=4, columns=6)
    assert long["per_iteration"] == [0]


def test_each_kind_of_tile_has_its_number():
    # tiles of 3 and 2 vectors, blocks of 9 and 8 columns: the largest one leaves no registers
    (found,) = schedule_of(80, 17, 20, "memref<f32x4000>", vectors=3, columns=9)
    assert found["per_iteration"] == [0, 4, 4, 4] and found["per_tile"] == 63


def test_tiles_beside_each_other_share_the_columns_that_the_next_ones_read():
    text = """func @f(%a: memref<f32x256x40>, %b: memref<f32x40x11>, %c: memref<f32x256x11>, %d: memref<f32x40>) {
      %one = constant 1.0 : f32
      cpu.kernel {"accumulate"=[1], "lanes"=16, "vectors"=2, "columns"=4, unroll=1} {
        gemm.n.n %one, %a, %b, %one, %c
        cpu.prefetch %a {"onwards"=true}
        cpu.prefetch %d
      }
    }"""
    for unroll, in_loop in [(1, 1), (8, 3)]:
        parsed = parse_text(text.replace("unroll=1", f"unroll={unroll}"), internal=True)
        after = Pipeline([CpuSchedule()]).run(parsed.module)
        assert_printed_and_read(after)
        onwards, other = (op.attributes for op in after.functions[0].walk() if isinstance(op, cpu.Prefetch))
        # 3 blocks of columns, of two widths: 14 of 40 columns each
        assert onwards == {"onwards": True, "line": 64, "level": 2, "per_tile": 14, "per_iteration": [in_loop] * 2}
        assert other == {"line": 64, "level": 1, "per_tile": 1, "per_iteration": [0, 0]}


def test_much_goes_to_the_second_level():
    assert DEFAULT.prefetches.in_first_level == 4 * 64 * 64
    half = "memref<f32x64x32>"
    assert [each["level"] for each in schedule_of(32, 32, 32, half, half)] == [1, 1]
    assert [each["level"] for each in schedule_of(32, 32, 32, half, half, "memref<f32>")] == [2, 2, 2]


def test_what_has_no_number_of_tiles_prefetches_nothing():
    assert schedule_of(32, "?", 8, "memref<f32x8>") == []
    assert len(schedule_of(32, 8, "?", "memref<f32x8>")) == 1


COPY = """func @f(%a: memref<f32x{n}x?>, %b: memref<f32x{n}x?>) {{
  %g = builtin.group_id : index
  %x = subview %a[0:{n}, %g] : memref<f32x{n}>
  %y = subview %b[0:{n}, %g] : memref<f32x{n}>
  cumsum 1.0, %x, 0, 1.0, %y
}}"""


@pytest.mark.parametrize("n, unrolled", [(256, "true"), (257, "false")])
def test_prefetches_outside_of_products(n, unrolled):
    with cache_of(1):
        shown = stage(COPY.format(n=n), "cpu-schedule", items=4, prefetch=2)
    assert shown.count("cpu.prefetch") == 2
    assert shown.count(f'{{"line"=64, "level"=1, "unrolled"={unrolled}}}') == 2


def test_a_matrix_whose_strides_are_not_known_is_not_prefetched_at_once():
    text = """func @f(%a: memref<f32x4x4,strided<1,?>>) { cpu.prefetch %a }"""
    module = parse_text(text, internal=True).module
    assert "cpu.prefetch" in str(module)
    assert "cpu.prefetch" not in str(Pipeline([CpuSchedule()]).run(module))
