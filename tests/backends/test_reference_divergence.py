"""Work-items that go through branches and loops differently, on the reference backend, against Python's own."""

from __future__ import annotations

import numpy as np
import pytest
from reference_kit import COMPLEX, DTYPES, FLOATS, INTEGERS, random_array, run, same, stored_as, wide

TYPES = [*INTEGERS, *FLOATS, *COMPLEX]
ITEMS = 24
PLACE = """
    %id = builtin.subgroup_id : i32
    %local = builtin.subgroup_local_id : i32
    %size = builtin.subgroup_size : i32
    %first = arith.mul %id, %size : i32
    %item = arith.add %first, %local : i32
    %i = cast %item : index"""
ATTRIBUTES = "attributes{subgroup_size=8, work_group_size=[24,1]}"
REGIONS = {
    "parallel": f"parallel {{{PLACE}",
    "foreach": "%begin = constant 0 : index %end = constant 24 : index foreach (%i) = (%begin), (%end) {",
}


@pytest.mark.parametrize("region", REGIONS)
@pytest.mark.parametrize("type_", TYPES)
def test_branch_gives_values_of_every_type(type_: str, region: str) -> None:
    text = f"""
    func @f(%a: memref<{type_}x24>, %k: memref<i8x24>, %r: memref<{type_}x24>, %n: memref<indexx24>) {ATTRIBUTES} {{
      {REGIONS[region]}
        %x = load %a[%i] : {type_}
        %way = load %k[%i] : i8
        %zero = constant 0 : i8
        %two = constant 2 : i8
        %c = cmp.gt %way, %zero : bool
        %y, %d, %m = if %c -> ({type_}, bool, index) {{
          %big = cmp.ge %way, %two : bool
          %u = if %big -> ({type_}) {{
            %v = arith.add %x, %x : {type_}
            yield (%v)
          }} else {{
            yield (%x)
          }}
          yield (%u, %big, %i)
        }} else {{
          %v = arith.neg %x : {type_}
          %o = constant -1 : index
          yield (%v, %c, %o)
        }}
        %z = if %d -> ({type_}) {{
          %w = arith.mul %y, %y : {type_}
          yield (%w)
        }} else {{ yield (%y) }}
        store %z, %r[%i]
        store %m, %n[%i]
      }}
    }}"""
    rng = np.random.default_rng(1)
    a, ways = random_array(rng, type_, ITEMS), rng.integers(0, 3, ITEMS).astype(np.int8)
    r, n = np.zeros_like(a), np.zeros(ITEMS, np.int64)
    run(text, a, ways, r, n)
    x = wide(a)
    expected = np.where(ways == 2, (2 * x) ** 2, np.where(ways == 1, x, -x))
    same(r, stored_as(expected, type_))
    np.testing.assert_array_equal(n, np.where(ways > 0, np.arange(ITEMS), -1))


@pytest.mark.parametrize("region", REGIONS)
@pytest.mark.parametrize("trip", INTEGERS)
def test_loops_of_different_lengths(trip: str, region: str) -> None:
    """Bounds, step and carried values of each work-item are its own; an inner branch ends some of them early."""
    text = f"""
    func @f(%b: memref<{trip}x24x3>, %r: memref<i64x24x2>, %e: memref<f64x24>) {ATTRIBUTES} {{
      {REGIONS[region]}
        %k0 = constant 0 : index
        %k1 = constant 1 : index
        %k2 = constant 2 : index
        %from = load %b[%i, %k0] : {trip}
        %to = load %b[%i, %k1] : {trip}
        %step = load %b[%i, %k2] : {trip}
        %zero = constant 0 : i64
        %one = constant 1 : i64
        %half = constant 0.5 : f64
        %yes = cmp.eq %one, %one : bool
        %sum, %count, %odd, %f = for %t: {trip} = %from, %to, %step init(%s=%zero, %c=%zero, %o=%yes, %g=%half)
            -> (i64, i64, bool, f64) {{
          %t64 = cast %t : i64
          %s1 = if %o -> (i64) {{
            %p = arith.add %s, %t64 : i64
            yield (%p)
          }} else {{
            %p = arith.sub %s, %t64 : i64
            yield (%p)
          }}
          %c1 = arith.add %c, %one : i64
          %no = arith.not %o : bool
          %tf = cast %t : f64
          %g1 = arith.add %g, %tf : f64
          yield (%s1, %c1, %no, %g1)
        }}
        store %sum, %r[%i, %k0]
        store %count, %r[%i, %k1]
        %h = if %odd -> (f64) {{ yield (%f) }} else {{
          %n = arith.neg %f : f64
          yield (%n)
        }}
        store %h, %e[%i]
      }}
    }}"""
    rng = np.random.default_rng(5)
    bounds = np.stack(
        [rng.integers(-20, 20, ITEMS), rng.integers(-20, 40, ITEMS), rng.integers(1, 9, ITEMS)], axis=1
    ).astype(DTYPES[trip], order="F")
    bounds[3], bounds[7] = (5, 5, 1), (9, -9, 2)
    r, e = np.zeros((ITEMS, 2), np.int64, order="F"), np.zeros(ITEMS)
    run(text, bounds, r, e)
    for item, (begin, end, step) in enumerate(bounds.tolist()):
        trips = list(range(begin, end, step))
        alternating = sum(t if k % 2 == 0 else -t for k, t in enumerate(trips))
        assert r[item].tolist() == [alternating, len(trips)]
        assert e[item] == (0.5 + sum(trips)) * (1 if len(trips) % 2 == 0 else -1)


@pytest.mark.parametrize("type_", TYPES)
def test_loops_carry_every_type_in_divergent_lanes(type_: str) -> None:
    text = f"""
    func @f(%a: memref<{type_}x24>, %r: memref<{type_}x24x2>) {ATTRIBUTES} {{
      {REGIONS["parallel"]}
        %k0 = constant 0 : index
        %k1 = constant 1 : index
        %zero = constant 0 : i32
        %x = load %a[%i] : {type_}
        %u, %v = for %k: i32 = %zero, %local init(%p=%x, %q=%x) -> ({type_}, {type_}) {{
          %n = arith.sub %q, %p : {type_}
          yield (%q, %n)
        }}
        store %u, %r[%i, %k0]
        store %v, %r[%i, %k1]
      }}
    }}"""
    a = random_array(np.random.default_rng(2), type_, ITEMS)
    r = np.zeros((ITEMS, 2), DTYPES[type_], order="F")
    run(text, a, r)
    for item, x in enumerate(wide(a)):
        p, q = x, x
        for _ in range(item % 8):
            p, q = q, q - p
        # a number is compared with its equal: the sign of a zero is not followed here
        np.testing.assert_array_equal(wide(r[item]), [p, q])


def test_a_loop_inside_a_branch_inside_a_loop() -> None:
    text = f"""
    func @f(%r: memref<i64x24>) {ATTRIBUTES} {{
      {REGIONS["parallel"]}
        %zero = constant 0 : i32
        %one = constant 1 : i32
        %three = constant 3 : i32
        %none = constant 0 : i64
        %y = for %k: i32 = %zero, %item init(%s=%none) -> (i64) {{
          %rest = arith.rem %k, %three : i32
          %c = cmp.eq %rest, %zero : bool
          %n = if %c -> (i64) {{
            %m = for %l: i32 = %one, %k, %three init(%t=%s) -> (i64) {{
              %d = arith.add %l, %item : i32
              %w = cast %d : i64
              %u = arith.add %t, %w : i64
              yield (%u)
            }}
            yield (%m)
          }} else {{
            yield (%s)
          }}
          yield (%n)
        }}
        store %y, %r[%i]
      }}
    }}"""
    r = np.zeros(ITEMS, np.int64)
    run(text, r)
    for item in range(ITEMS):
        assert r[item] == sum(m + item for k in range(0, item, 3) for m in range(1, k, 3))


def test_sizes_of_views_that_differ_between_lanes() -> None:
    text = f"""
    func @f(%g: group<memref<f32x?x3>x?>, %r: memref<indexx24x4>) {ATTRIBUTES} {{
      {REGIONS["parallel"]}
        %k0 = constant 0 : index
        %k1 = constant 1 : index
        %k2 = constant 2 : index
        %k3 = constant 3 : index
        %items = size %g[0] : index
        %which = arith.rem %i, %items : index
        %m = load %g[%which] : memref<f32x?x3>
        %rows = size %m[0] : index
        %columns = size %m[1] : index
        %v = subview %m[0:%rows, 1] : memref<f32x?>
        %n = size %v[0] : index
        store %items, %r[%i, %k0]
        store %rows, %r[%i, %k1]
        store %columns, %r[%i, %k2]
        store %n, %r[%i, %k3]
      }}
    }}"""
    items = [np.zeros((n, 3), np.float32, order="F") for n in (4, 2, 7, 3, 5)]
    r = np.zeros((ITEMS, 4), np.int64, order="F")
    run(text, items, r)
    assert r.tolist() == [[5, len(items[k % 5]), 3, len(items[k % 5])] for k in range(ITEMS)]
