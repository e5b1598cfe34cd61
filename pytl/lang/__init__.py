"""What a kernel's annotations and body use."""

from . import atomic, coop, subgroup
from .annotations import Group, Memref, align, constexpr, offset, shape_gcd, stride_gcd, strides
from .arith import cast
from .collective import axpby, cumsum, foreach, gemm, gemv, ger, hadamard, parallel, sum
from .library import abs, ceil, clamp, floor, max, min, rsqrt, sign, sqrt, where
from .loops import unroll
from .math import exp, native_exp
from .memory import alloca, lifetime_stop, size, subview
from .reshape import expand, fuse
from .scalars import bf16, bool_, c32, c64, f16, f32, f64, i8, i16, i32, i64, index
from .workgroup import barrier, group_id, group_size

__all__ = [
    "Group",
    "Memref",
    "abs",
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
    "ceil",
    "clamp",
    "constexpr",
    "coop",
    "cumsum",
    "exp",
    "expand",
    "f16",
    "f32",
    "f64",
    "floor",
    "foreach",
    "fuse",
    "gemm",
    "gemv",
    "ger",
    "group_id",
    "group_size",
    "hadamard",
    "i8",
    "i16",
    "i32",
    "i64",
    "index",
    "lifetime_stop",
    "max",
    "min",
    "native_exp",
    "offset",
    "parallel",
    "rsqrt",
    "shape_gcd",
    "sign",
    "size",
    "sqrt",
    "stride_gcd",
    "strides",
    "subgroup",
    "subview",
    "sum",
    "unroll",
    "where",
]
