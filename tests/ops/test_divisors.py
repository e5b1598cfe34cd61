"""What types and attributes say about the divisors of sizes and strides, through views and items of groups."""

import pytest

from pytl.ir.text import parse
from pytl.passes.analysis.divisors import UNSAID, alignment_of, divisor_of_size, divisor_of_stride

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
