"""vectorize, of a foreach: its points become lanes of vectors."""

from __future__ import annotations

import pytest
from passes_kit import assert_stages_agree, checked, stage
from properties.execution import data_for

from pytl.ir.values import Module
from pytl.passes.targets import vector

pytestmark = pytest.mark.at_most(4)

CONSTANTS = """
  %none = constant 0 : index
  %one = constant 1 : index
  %two = constant 2 : index
  %columns = constant 3 : index
  %last = constant 39 : index
  %rows = constant {rows} : index"""


def code_of(text: str, **options: object) -> str:
    """The vector code of a function with a single foreach; all stages agree."""
    shown = stage(text.replace("{\n", "{" + CONSTANTS.format(rows=20) + "\n", 1), "vectorize", 1, **options)
    lines = shown.splitlines()
    begin = next(number for number, line in enumerate(lines) if "vector.code" in line)
    return "\n".join(line[4:] for line in lines[begin + 1 : -2])


def test_the_last_lanes_are_masked_and_stored_in_pieces(golden):
    text = """func @f(%a: memref<f32x40x3>, %b: memref<f32x40x3>, %x: f32) {
      foreach (%i, %j) = (%none, %none), (%rows, %columns) {
        %y = load %a[%i, %j] : f32
        %z = arith.mul %y, %x : f32
        store %z, %b[%i, %j]
      }
    }"""
    golden("vectorize/points_last_lanes.txt", code_of(text) + "\n")


def test_regions_are_predicated_where_lanes_diverge(golden):
    text = """func @f(%a: memref<f64x40>, %b: memref<f64x40>, %k: index) {
      %zero = constant 0.0 : f64
      foreach (%i) = (%none), (%k) {
        %y = load %a[%i] : f64
        %c = cmp.lt %y, %zero : bool
        %z = if %c -> (f64) {
          %w = arith.neg %y : f64
          store %w, %b[%i]
          yield (%w)
        } else {
          yield (%y)
        }
        store %z, %a[%i]
      }
    }"""
    golden("vectorize/points_diverging.txt", code_of(text) + "\n")


def test_a_loop_inside_carries_vectors(golden):
    text = """func @f(%a: memref<f32x40x3>, %b: memref<f32x40>, %m: i32) {
      %zero = constant 0 : i32
      %empty = constant 0.0 : f32
      foreach (%i) = (%two), (%rows) {
        %sum = for %j: i32 = %zero, %m init(%s=%empty) -> (f32) {
          %u = cast %j : index
          %y = load %a[%i, %u] : f32
          %t = arith.add %s, %y : f32
          yield (%t)
        }
        store %sum, %b[%i]
      }
    }"""
    golden("vectorize/points_loop.txt", code_of(text) + "\n")


def test_vector_instructions_are_at_the_places_of_the_users():
    text = """func @f(%a: memref<f32x40>, %b: memref<f32x40>) { %none = constant 0 : index %rows = constant 20 : index
foreach (%i) = (%none), (%rows) {
  %y = load %a[%i] : f32
  %c = cmp.lt %y, 0.0 : bool
  if %c {
    %z = arith.neg %y : f32
    store %z, %b[%i]
  }
}
}"""
    module = lowered(text)
    places = {(op.word, op.location.line) for op in module.functions[0].walk() if op.location is not None}
    of_body = {("vector.load", 3), ("vector.cmp.lt", 4), ("vector.reduce.or", 5)}
    assert places >= of_body | {("vector.arith.neg", 6), ("vector.store", 7)}


# What foreach do, for elements of type {t}.

BODIES = {
    "contiguous": "%x = load %v[%i] : {t} store %x, %a[%i, %one]",
    "numbers": """%x = load %v[%i] : {t} %y = load %w[%none] : {t} %s = load %one_number[] : {t}
      %p = arith.mul %x, %y : {t} %d = arith.sub %p, %s : {t} %q = arith.mul %s, %s : {t} %r = arith.add %d, %q : {t}
      store %r, %a[%i, %two]""",
    "along the second mode": "%x = load %t[%one, %i] : {t} store %x, %t[%two, %i] store %x, %w[%i]",
    "any place": """%u = arith.sub %last, %i : index %h = arith.div %i, %two : index
      %x = load %v[%u] : {t} %y = load %v[%h] : {t} %z = arith.sub %x, %y : {t} store %z, %a[%u, %one]
      store %z, %w[%i]""",
    "a diagonal": "%x = load %v[%i] : {t} store %x, %square[%i, %i]",
    "shifted": """%u = arith.add %i, %two : index %d = arith.sub %u, %one : index %x = load %v[%d] : {t}
      store %x, %w[%i]""",
    "numbers of points": """%n = cast %i : i8 %m = arith.mul %n, %n : i8 %x = cast %m : {t} %y = cast %i : {t}
      %z = arith.add %x, %y : {t} store %z, %w[%i]""",
    "branches": """%x = load %v[%i] : {t} %y = load %w[%i] : {t} %c = cmp.eq %x, %y : bool
      %z = if %c -> ({t}) {{ yield (%y) }} else {{
        %h = arith.div %i, %two : index %b = load %w[%h] : {t} store %b, %a[%i, %none] yield (%b) }}
      %odd = arith.rem %i, %two : index %e = cmp.eq %odd, %none : bool
      if %e {{ if %c {{ store %x, %a[%i, %one] }} else {{ store %z, %a[%i, %two] }} }}
      if %e {{ %u = arith.sub %last, %i : index store %z, %square[%u, %one] }}""",
    "no lane takes a region": """%c = cmp.gt %i, %last : bool %x = load %v[%i] : {t}
      if %c {{ %u = arith.mul %i, %last : index store %x, %a[%u, %one] }} store %x, %w[%i]""",
    "one lane stores": """%x = load %v[%i] : {t} store %x, %w[%i] %c = cmp.eq %i, %two : bool
      if %c {{ store %x, %one_number[] store %x, %a[%two, %one] }}""",
    "a uniform branch": """%x = load %v[%i] : {t} %s = load %w[%last] : {t} %o = load %one_number[] : {t}
      %c = cmp.eq %s, %o : bool %d = arith.not %c : bool
      %z, %n = if %c -> ({t}, index) {{ yield (%x, %one) }} else {{ store %x, %a[%i, %two] yield (%s, %two) }}
      if %d {{ store %z, %a[%i, %n] }}""",
    "loops": """%x = load %v[%i] : {t} %first = constant -1 : i8 %end = constant 3 : i8
      %z, %n, %b = for %j: i8 = %first, %end init(%y=%x, %m=%none, %q=%yes) -> ({t}, index, bool) {{
        %u = arith.add %m, %one : index %p = arith.add %y, %x : {t}
        %h = cmp.eq %p, %y : bool store %p, %a[%i, %none] yield (%p, %u, %h) }}
      if %b {{ store %x, %a[%i, %one] }}
      %l = arith.sub %n, %two : index store %z, %square[%i, %l]
      for %j = %none, %k {{ store %x, %t[%j, %i] }}
      for %j = %one, %columns, %two {{ store %x, %t[%j, %i] }}
      for %j = %one, %two {{ store %x, %a[%i, %j] }}""",
    "views": """for %j = %none, %columns {{
        %c = subview %a[0:%k, %j] : memref<{t}x?> %e = expand %c[0 -> %k x 1] : memref<{t}x?x1>
        %f = fuse %square[0, 1] : memref<{t}x1600> %n = size %c[0] : index
        %x = load %f[%i] : {t} %y = cast %n : {t} %z = arith.add %x, %y : {t}
        %inside = cmp.lt %i, %n : bool if %inside {{ store %z, %e[%i, %none] }} }}""",
}
FLOATS = {
    "functions": "%x = load %v[%i] : {t} %y = math.exp %x : {t} %z = v04.math.exp2 %y : {t} store %z, %w[%i]",
}
COMPLEX = {
    "parts": """%x = load %v[%i] : {t} %r = arith.re %x : {c} %j = arith.im %x : {c} %s = arith.mul %r, %j : {c}
      %n = arith.abs %x : {c} %o = arith.add %s, %n : {c} %q = arith.conj %x : {t} %y = cast %o : {t}
      %z = arith.mul %y, %q : {t} store %z, %w[%i]""",
}
TYPES = {"f32": "f32", "f16": "f16", "bf16": "bf16", "f64": "f64", "c32": "f32", "c64": "f64", "i8": "i8", "i64": "i64"}
CASES = [
    (name, type_)
    for type_ in TYPES
    for name in (*BODIES, *(FLOATS if type_[0] in "fbc" else ()), *(COMPLEX if type_[0] == "c" else ()))
]


def kernel_of(name: str, type_: str, bounds: str = "(%none), (%rows)", rows: int = 37) -> str:
    body = {**BODIES, **FLOATS, **COMPLEX}[name].format(t=type_, c=TYPES[type_])
    return f"""func @f(%a: memref<{type_}x40x3>, %v: memref<{type_}x40>, %w: memref<{type_}x40>,
        %one_number: memref<{type_}>, %t: memref<{type_}x3x40>, %square: memref<{type_}x40x40>, %k: index) {{
      {CONSTANTS.format(rows=rows)}
      %yes = constant true : bool
      foreach (%i) = {bounds} {{ {body} }}
    }}"""


def lowered(text: str, number: int = 0, **options: object) -> Module:
    """A function after all passes, of which each has kept its meaning for such a `%k`; it has vector code."""
    data = data_for(checked(text).functions[0], 1, 1)
    if number:
        data[-1] = number
    module = assert_stages_agree(text, options, data, 1)
    assert any(isinstance(op, vector.Code) for op in module.functions[0].walk()), text
    return module


@pytest.mark.parametrize(("name", "type_"), CASES)
def test_lanes_compute_what_points_do(name, type_):
    lowered(kernel_of(name, type_), 3)


@pytest.mark.at_most(1)
@pytest.mark.parametrize("rows", [3, 16, 17, 38])
@pytest.mark.parametrize("name", [*BODIES, *FLOATS])
def test_a_number_of_points_that_is_known(name, rows):
    lowered(kernel_of(name, "f32", rows=rows), 2, processor="avx2")


@pytest.mark.at_most(2)
@pytest.mark.parametrize("name", [name for name in BODIES if name not in ("loops", "views")])
@pytest.mark.parametrize(("bounds", "number"), [("(%none), (%k)", 39), ("(%k), (%rows)", 5), ("(%k), (%rows)", 38)])
def test_a_number_of_points_that_is_known_at_run_time(name, bounds, number):
    lowered(kernel_of(name, "f32", bounds), number)


def test_points_of_a_narrow_type():
    text = """func @f(%a: memref<i16x40x3>) {
      %first = constant -3 : i8 %end = constant 30 : i8 %begin = constant 1 : i8 %columns = constant 3 : i8
      %five = constant 5 : index
      foreach (%i, %j): i8 = (%first, %begin), (%end, %columns) {
        %u = cast %i : index %r = arith.add %u, %five : index %c = cast %j : index
        %p = arith.mul %i, %j : i8 %q = cast %p : i16
        store %q, %a[%r, %c]
      }
    }"""
    lowered(text)
