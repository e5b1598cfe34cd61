"""Which foreach and which collective instructions become vector code, and what is done to them before."""

import pytest
from passes_kit import checked

from pytl.passes import Pipeline, find_pass

HEAD = """
func @f(%a: memref<f32x40x3>, %b: memref<f32x40x3>, %v: memref<f32x40>, %g: group<memref<f32x40>x?>, %k: index) {
  %zero = constant 0 : index
  %one = constant 1 : index
  %two = constant 2 : index
  %m = constant 40 : index
  %n = constant 3 : index
"""


def stage(body: str, *before: str) -> str:
    passes = [find_pass(name) for name in ("execution-strategy", *before, "cpu-kernels")]
    return str(Pipeline(passes).run(checked(f"{HEAD}{body}\n}}")))


def of_points(body: str, bounds: str = "(%i) = (%zero), (%m)") -> str:
    return f"foreach {bounds} {{\n{body}\n}}"


COPY = "%x = load %v[%i] : f32\nstore %x, %a[%i, %one]"


def test_a_foreach_along_contiguous_places_is_a_kernel():
    assert 'cpu.kernel {"lanes"=16} {\n    foreach (%i) = ' in stage(of_points(COPY))


@pytest.mark.parametrize(
    "body",
    [
        "%x = load %v[%i] : f32\nstore.atomic %x, %a[%i, %one]",
        "%x = load %v[%i] : f32\nstore.atomic_add %x, %a[%i, %one]",
        # a step that is known at run time only might be no step upwards
        f"for %t = %zero, %m, %k {{ {COPY} }}",
        # views, or items of groups, of each point's own
        "%w = subview %v[%i] : memref<f32>\n%x = load %w[] : f32\nstore %x, %a[%i, %one]",
        "%w = load %g[%i] : memref<f32x40>\n%x = load %w[%i] : f32\nstore %x, %a[%i, %one]",
        # nothing contiguous
        "%u = arith.div %i, %two : index\n%x = load %v[%u] : f32\nstore %x, %a[%u, %one]",
    ],
)
def test_what_stays_a_loop_over_points(body):
    assert "cpu.kernel" not in stage(of_points(body))


def test_a_single_point_stays():
    assert "cpu.kernel" not in stage(of_points(COPY, "(%i) = (%one), (%two)"))


def test_lanes_follow_the_rows():
    assert '"lanes"=4' in stage(of_points(COPY, "(%i) = (%zero), (%n)"))
    assert '"lanes"=16' in stage(of_points(COPY, "(%i) = (%zero), (%k)"))


def test_modes_without_a_gap_get_one_variable():
    body = "%x = load %a[%i, %j] : f32\nstore %x, %b[%i, %j]"
    text = stage(of_points(body, "(%i, %j) = (%zero, %zero), (%m, %n)"))
    assert "fuse %a[0, 1] : memref<f32x120>" in text
    assert "foreach (%i) =" in text


@pytest.mark.parametrize(
    "body",
    [
        "%x = load %v[%i] : f32\nstore %x, %b[%i, %j]",
        "%x = load %a[%i, %j] : f32\n%c = cast %i : f32\nstore %c, %b[%i, %j]",
        "%x = load %a[%i, %one] : f32\nstore %x, %b[%i, %j]",
    ],
)
def test_modes_that_are_looked_at_keep_their_variables(body):
    text = stage(of_points(body, "(%i, %j) = (%zero, %zero), (%m, %n)"))
    assert "cpu.kernel" in text and "foreach (%i, %j) =" in text


def test_what_does_not_depend_on_the_point_stands_in_front():
    body = """%n2 = builtin.group_id : index
      %item = load %g[%n2] : memref<f32x40>
      %y = load %item[%i] : f32
      store %y, %a[%i, %one]"""
    before, inside = stage(of_points(body)).split("cpu.kernel")
    assert "builtin.group_id" in before and "load %g" in before
    assert "load %item[%i]" in inside
    # without a point, nobody may look at the group
    assert "cpu.kernel" not in stage(of_points(body, "(%i) = (%zero), (%k)"))


def test_collective_instructions_that_have_vector_code_stay():
    body = """axpby.t 1.0, %t, 0.0, %a
      cumsum 1.0, %a, 0, 0.0, %b
      sum.n 1.0, %a, 1.0, %v
      hadamard 1.0, %a, %b, 1.0, %b
      cumsum 1.0, %a, 1, 0.0, %b
      sum.n.atomic 1.0, %a, 1.0, %v"""
    text = stage("%t = alloca : memref<f32x3x40>\n" + body, "lower-collectives{vectors=true}")
    assert [word for word in ("axpby.t", "cumsum", "sum.n %", "hadamard", "sum.n.atomic") if word in text] == [
        "axpby.t",
        "cumsum",
        "sum.n %",
    ]
    assert text.count("cumsum") == 1
