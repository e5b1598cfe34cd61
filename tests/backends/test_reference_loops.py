"""Loops on the reference backend, in collective regions and by lane."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from reference_kit import BITS, COMPLEX, DTYPES, FLOATS, INTEGERS, failure, run, same


@pytest.mark.parametrize("type_", INTEGERS)
@pytest.mark.parametrize(
    ("start", "stop", "step"), [(0, 5, 1), (2, 11, 3), (-4, 4, 2), (3, 3, 1), (5, 1, 1), (0, 7, 100)]
)
def test_loop_trip_counts(type_: str, start: int, stop: int, step: int) -> None:
    text = f"""
    func @f(%a: {type_}, %b: {type_}, %s: {type_}, %r: memref<i64x?>) {{
      %zero = constant 0 : index
      %one = constant 1 : index
      %n = for %i: {type_} = %a, %b, %s init(%k=%zero) -> (index) {{
        %v = cast %i : i64
        store %v, %r[%k]
        %next = arith.add %k, %one : index
        yield (%next)
      }}
    }}"""
    out = np.full(20, -99)
    run(text, start, stop, step, out)
    expected = list(range(start, stop, step))
    assert out.tolist() == expected + [-99] * (20 - len(expected))


@pytest.mark.parametrize("type_", INTEGERS)
def test_loop_ends_where_the_next_trip_count_would_wrap(type_: str) -> None:
    text = f"""
    func @f(%a: {type_}, %b: {type_}, %s: {type_}, %r: memref<i64>) {{
      %one = constant 1 : i64
      for %i: {type_} = %a, %b, %s {{
        store.atomic_add %one, %r[]
      }}
    }}"""
    most = 2 ** (BITS[type_] - 1) - 1
    for start, step in ((most - 5, 3), (-most - 1, most), (most - 1, most)):
        out = np.zeros((), np.int64)
        run(text, start, most, step, out)
        assert out == 16 * len(range(start, most, step))


def test_nested_loops_carry_several_values() -> None:
    text = """
    func @f(%r: memref<i64x2>) {
      %c0 = constant 0 : index
      %c1 = constant 1 : index
      %c4 = constant 4 : index
      %z = constant 0 : i64
      %o = constant 1 : i64
      %sum, %product = for %i = %c0, %c4 init(%s=%z, %p=%o) -> (i64, i64) {
        %s1 = for %j = %c0, %i init(%t=%s) -> (i64) {
          %ji = cast %j : i64
          %t1 = arith.add %t, %ji : i64
          yield (%t1)
        }
        %i1 = arith.add %i, %c1 : index
        %ii = cast %i1 : i64
        %p1 = arith.mul %p, %ii : i64
        yield (%s1, %p1)
      }
      store %sum, %r[%c0]
      store %product, %r[%c1]
    }"""
    out = np.zeros(2, np.int64)
    run(text, out)
    assert out.tolist() == [sum(j for i in range(4) for j in range(i)), 24]


def test_fibonacci_sample_of_the_manual() -> None:
    text = """
    func @f(%r: memref<i64x2>) {
      %from = constant 2 -> i32
      %to = constant 6 -> i32
      %f0 = constant 0 -> i64
      %f1 = constant 1 -> i64
      %fn_1, %fn = for %n:i32=%from,%to init(%fn_2=%f0,%fn_1=%f1) -> (i64,i64) {
          %fn = arith.add %fn_2, %fn_1 : i64
          yield (%fn_1, %fn)
      }
      store %fn_1, %r[0]
      store %fn, %r[1]
    }"""
    out = np.zeros(2, np.int64)
    run(text, out)
    assert out.tolist() == [3, 5]


@pytest.mark.parametrize("type_", INTEGERS)
def test_loop_bounds_that_differ_between_lanes(type_: str) -> None:
    text = f"""
    func @f(%a: memref<{type_}x?>, %b: memref<{type_}x?>, %s: memref<{type_}x?>, %r: memref<i64x?>) {{
      %zero = constant 0 : index
      %n = size %r[0] : index
      foreach (%l) = (%zero), (%n) {{
        %from = load %a[%l] : {type_}
        %to = load %b[%l] : {type_}
        %step = load %s[%l] : {type_}
        %z = constant 7 : i64
        %sum = for %i: {type_} = %from, %to, %step init(%t=%z) -> (i64) {{
          %v = cast %i : i64
          %t1 = arith.add %t, %v : i64
          yield (%t1)
        }}
        store %sum, %r[%l]
      }}
    }}"""
    bounds = list(itertools.product([-3, 0, 2, 5], [-2, 0, 4, 9], [1, 2, 5]))
    a, b, s = (np.array(side, DTYPES[type_]) for side in zip(*bounds, strict=True))
    out = np.zeros(len(bounds), np.int64)
    run(text, a, b, s, out)
    assert out.tolist() == [7 + sum(range(*bound)) for bound in bounds]


@pytest.mark.parametrize("type_", FLOATS + COMPLEX)
def test_carried_values_of_every_inexact_type(type_: str) -> None:
    literal = "[2.0, 0.0]" if type_ in COMPLEX else "2.0"
    text = f"""
    func @f(%n: memref<indexx?>, %r: memref<{type_}x?>) {{
      %zero = constant 0 : index
      %count = size %r[0] : index
      foreach (%l) = (%zero), (%count) {{
        %two = constant {literal} : {type_}
        %m = load %n[%l] : index
        %p = for %i = %zero, %m init(%q=%two) -> ({type_}) {{
          %q1 = arith.mul %q, %two : {type_}
          yield (%q1)
        }}
        store %p, %r[%l]
      }}
    }}"""
    counts = np.array([3, 0, 5, 1])
    out = np.zeros(4, DTYPES[type_])
    run(text, counts, out)
    same(out, (2.0 ** (counts + 1)).astype(DTYPES[type_]))


@pytest.mark.parametrize("loop", ["for %i = %a, %b", "foreach (%i, %j) = (%a, %a), (%b, %b)"])
def test_loops_without_instructions_take_no_time(loop: str) -> None:
    run(f"func @f() {{ %a = constant 0 : index %b = constant {2**62} : index {loop} {{ }} }}")


def test_the_step_of_a_loop_without_instructions() -> None:
    text = "func @f(%s: i8) {\n  %a = constant 0 : i8\n  for %i: i8 = %a, %a, %s { }\n}"
    message = failure(text, 0, code="PYTL-4010", line=3)
    assert message == "for: the step is 0 (work-group 0)"
