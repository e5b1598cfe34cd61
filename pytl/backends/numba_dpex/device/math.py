"""The exponential function of floats and complex numbers; f16 and bf16 are float32 in a register."""

from __future__ import annotations

import math
from typing import Any

from llvmlite import ir

from ....ir.meanings import Meanings
from .elements import FLOAT, constant, scalar_of
from .signatures import COMPLEX, FLOATS, join, llvm, of_one_type, opencl, split

LARGEST = {ir.FloatType: 80.0, ir.DoubleType: 700.0}
"""The exponents up to which the exponential function is far from overflow, and from denormal results."""


FUNCTIONS = Meanings(
    "the device library, math",
    {
        "exp": ("exp", "exp"),
        "native_exp": ("half_exp", "exp"),
        # half_sin and half_cos are for arguments up to 2^16 only
        **{word: (name, name) for name in ("sin", "cos") for word in (name, f"native_{name}")},
        **{name: (name, name) for name in ("exp2", "log", "log2")},
        **{f"native_{name}": (f"half_{name}", name) for name in ("exp2", "log", "log2")},
    },
)
"""OpenCL's functions of float32 and of float64. half_exp has an error of at most 8192 ulp on every device, OpenCL's
native_exp one that the device chooses; Intel's CPU device has one code for both."""


ANGLES = Meanings(
    "the device library, math of complex numbers",
    {**dict.fromkeys(("exp", "native_exp"), 1.0), **dict.fromkeys(("exp2", "native_exp2"), math.log(2))},
)
"""By what the imaginary part is multiplied to give the angle."""


def _real(builder: ir.IRBuilder, x: ir.Value, function: str) -> ir.Value:
    if function == "sqrt":
        return _root(builder, x)
    if function == "floor":
        return llvm(builder, function, x)
    return opencl(builder, FUNCTIONS[function][scalar_of(x.type) != FLOAT], x)


def _root(builder: ir.IRBuilder, x: ir.Value) -> ir.Value:
    """The root of a number is a lane of a vector's: where numba has found SVML, LLVM notes SVML's functions beside each
    call of `llvm.sqrt` on a number, and they can't be expressed in SPIR-V.
    """
    if isinstance(x.type, ir.VectorType):
        return llvm(builder, "sqrt", x)
    zero = ir.Constant(ir.IntType(32), 0)
    vector = builder.insert_element(ir.Constant(ir.VectorType(x.type, 2), None), x, zero)
    return builder.extract_element(llvm(builder, "sqrt", vector), zero)


def _complex(builder: ir.IRBuilder, z: ir.Value, function: str) -> ir.Value:
    re, im = split(builder, z)
    # Where exp overflows, its product with a cosine may not: the product is taken in two factors.
    limit = constant(re.type, LARGEST[type(scalar_of(re.type))])
    far = builder.fcmp_ordered(">", llvm(builder, "fabs", re), limit)
    half = builder.fmul(re, constant(re.type, 0.5))
    first = _real(builder, builder.select(far, half, re), function)
    second = builder.select(far, first, constant(re.type, 1.0))
    # Where the real part is infinite, and the imaginary part is no angle, the result is infinite, or zero.
    one, infinity = constant(re.type, 1.0), constant(re.type, math.inf)
    is_infinite = builder.fcmp_ordered("==", llvm(builder, "fabs", re), infinity)
    has_no_direction = builder.fcmp_unordered(">=", llvm(builder, "fabs", im), infinity)
    unknown = builder.and_(is_infinite, has_no_direction)
    vanishes = builder.and_(unknown, builder.fcmp_ordered("<", re, constant(re.type, 0.0)))
    angle = builder.fmul(im, constant(im.type, ANGLES[function]))
    cos = builder.select(unknown, one, opencl(builder, "cos", angle))
    sin = builder.select(vanishes, one, opencl(builder, "sin", angle))
    # On the real axis, infinity times sin(0) would be NaN.
    on_axis = builder.fcmp_ordered("==", im, constant(im.type, 0.0))

    def scaled(x: ir.Value) -> ir.Value:
        return builder.fmul(builder.fmul(first, x), second)

    return join(
        builder,
        builder.select(on_axis, builder.fmul(first, second), scaled(cos)),
        builder.select(on_axis, im, scaled(sin)),
    )


def exponential(builder: ir.IRBuilder, x: ir.Value, function: str) -> ir.Value:
    """`exp` or `native_exp` of a float or complex number, or of vectors of them."""
    emit = _complex if isinstance(x.type, ir.LiteralStructType) else _real
    return emit(builder, x, function)


def _function(name: str) -> Any:
    allowed = FLOATS + COMPLEX if name in ANGLES else FLOATS
    return of_one_type(name, allowed, 1, lambda builder, x: exponential(builder, x, name))


DEVICE_FUNCTIONS = list(map(_function, (*FUNCTIONS, "sqrt")))
"""The functions of generated source, of float or complex numbers."""
