"""What types and attributes say about the divisors of sizes and strides, through views and items of groups."""

import pytest

from pytl.ir.text import parse
from pytl.passes.analysis.divisors import UNSAID, Divisors, alignment_of, divisor_of_size, divisor_of_stride

TEXT = """
func @f(%a: memref<f32x?x10x?,strided<1,?,?>> {alignment=32, shape_gcd=[8], stride_gcd=[1,16,160]},
        %b: group<memref<f32x?x?,strided<1,?>>x?> {shape_gcd=[4,6], stride_gcd=[1,2]},
        %c: memref<f32x?x?>) {
  %g = builtin.group_id : index
  %n = size %a[0] : index
  %view = subview %a[0:%n, 0:10, %g] : memref<f32x?x10,strided<1,?>>
  %item = load %b[%g] : memref<f32x?x?,strided<1,?>>
  %part = subview %c[0:%g, 0:5] : memref<f32x?x5,strided<1,?>>
  %row = subview %a[0, 0:10, %g] : memref<f32x10,strided<?>>
}"""
OPERATIONS = parse(TEXT).functions[0].body.operations
VALUES = {value.name: value for op in OPERATIONS for value in op.results} | {
    parameter.name: parameter for parameter in parse(TEXT).functions[0].parameters
}


@pytest.mark.parametrize(
    ("name", "sizes", "strides", "alignment"),
    [
        ("a", [8, 10, 1], [1, 16, 160], 32),
        ("view", [8, 10], [1, 16], 32),
        ("row", [10], [16], 32),
        ("item", [4, 6], [1, 2], UNSAID),
        ("c", [1, 1], [1, 1], UNSAID),
        ("part", [1, 5], [1, 1], UNSAID),
    ],
)
def test_divisors(name, sizes, strides, alignment):
    tensor = VALUES[name]
    assert [divisor_of_size(tensor, mode) for mode in range(tensor.type.order)] == sizes
    assert [divisor_of_stride(tensor, mode) for mode in range(tensor.type.order)] == strides
    assert alignment_of(tensor) == alignment


LOOPS = """
func @f(%n: index, %a: memref<i32x4>) {
  %6 = constant 6 : index
  %8 = constant 8 : index
  %12 = constant 12 : index
  %from_12 = for %i = %12, %n, %8 init(%sum = %12) -> (index) {
    %next = arith.add %sum, %i : index
    %twice = arith.mul %i, %6 : index
    %short = cast %twice : i32
    store %short, %a[%i]
    yield (%next)
  }
  for %by_one = %8, %n {
    %less = arith.sub %from_12, %6 : index
    %place = arith.mul %by_one, %8 : index
    %short = cast %place : i32
    store %short, %a[%less]
  }
}"""


def test_divisors_of_integers_in_loops():
    """A loop's variable is a multiple of what divides start and step; what is carried, of what divides all of it."""
    (function,) = parse(LOOPS).functions
    divisors = Divisors(function)
    values = {value.name: value for op in function.walk() for value in op.results}
    loops = [op for op in function.walk() if op.regions]
    values |= {value.name: value for loop in loops for value in loop.body.arguments}
    expected = {"i": 4, "sum": 4, "from_12": 4, "twice": 24, "by_one": 1, "place": 8, "less": 2}
    assert {name: divisors.of(values[name]) for name in expected} == expected
    assert divisors.of(function.parameters[0]) == 1
