"""What a kernel's annotations and body use."""

from . import atomic
from .annotations import Group, Memref, align, constexpr, offset, shape_gcd, stride_gcd, strides
from .arith import cast
from .collective import axpby, foreach, gemm, parallel
from .memory import alloca, lifetime_stop, size, subview
from .scalars import bf16, bool_, c32, c64, f16, f32, f64, i8, i16, i32, i64, index
from .workgroup import barrier, group_id, group_size

__all__ = [
    "Group",
    "Memref",
    "align",
    "alloca",
    "atomic",
    "axpby",
    "barrier",
    "bf16",
    "bool_",
    "c32",
    "c64",
    "cast",
    "constexpr",
    "f16",
    "f32",
    "f64",
    "foreach",
    "gemm",
    "group_id",
    "group_size",
    "i8",
    "i16",
    "i32",
    "i64",
    "index",
    "lifetime_stop",
    "offset",
    "parallel",
    "shape_gcd",
    "size",
    "stride_gcd",
    "strides",
    "subview",
]
