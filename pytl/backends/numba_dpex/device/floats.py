"""Arithmetic on floating-point and complex numbers, and the functions of numbers of every kind."""

from __future__ import annotations

from llvmlite import ir
from numba.core import errors, types
from numba.extending import intrinsic

from .elements import constant, round_to_bf16, round_to_f16, scalar_of
from .pointers import SPIRV
from .signatures import COMPLEX, FLOATS, INTEGERS, choose, join, llvm, of_one_type, opencl, same, split

EMIT = {
    "add": ir.IRBuilder.fadd,
    "sub": ir.IRBuilder.fsub,
    "mul": ir.IRBuilder.fmul,
    "div": ir.IRBuilder.fdiv,
    "rem": lambda builder, a, b: opencl(builder, "fmod", a, b),
    "min": lambda builder, a, b: llvm(builder, "minnum", a, b),
    "max": lambda builder, a, b: llvm(builder, "maxnum", a, b),
}
"""The LLVM instruction of each operation of the language on floats, or lane by lane on vectors of them."""


def negated(builder: ir.IRBuilder, x: ir.Value) -> ir.Value:
    """-x; MIN wraps to itself."""
    if isinstance(scalar_of(x.type), ir.IntType):
        return builder.sub(constant(x.type, 0), x)
    if isinstance(x.type, ir.LiteralStructType):
        return join(builder, *(builder.fneg(part) for part in split(builder, x)))
    return builder.fneg(x)


def modulus(builder: ir.IRBuilder, x: ir.Value) -> ir.Value:
    """|x|; MIN wraps to itself, and no intermediate of a complex modulus overflows."""
    if isinstance(scalar_of(x.type), ir.IntType):
        negative = builder.icmp_signed("<", x, constant(x.type, 0))
        return builder.select(negative, negated(builder, x), x)
    if isinstance(x.type, ir.LiteralStructType):
        return opencl(builder, "hypot", *split(builder, x))
    return llvm(builder, "fabs", x)


def conjugate(builder: ir.IRBuilder, z: ir.Value) -> ir.Value:
    re, im = split(builder, z)
    return join(builder, re, builder.fneg(im))


def product(builder, x, y):
    """x * y of complex numbers by the plain formula, without C's recovery from NaN."""
    (a, b), (c, d) = split(builder, x), split(builder, y)
    re = builder.fsub(builder.fmul(a, c), builder.fmul(b, d))
    im = builder.fadd(builder.fmul(a, d), builder.fmul(b, c))
    return join(builder, re, im)


def quotient(builder, x, y):
    """x / y of complex numbers, without overflow or underflow in |y|².

    It is Smith's algorithm, with selects in place of its branch so that it can be vectorized.
    """
    (a, b), (c, d) = split(builder, x), split(builder, y)
    swap = builder.fcmp_ordered("<", llvm(builder, "fabs", c), llvm(builder, "fabs", d))
    large, small = builder.select(swap, d, c), builder.select(swap, c, d)
    # A zero divisor then gives infinities, as the division of floats does, and not NaN in both parts.
    zero = builder.fcmp_ordered("==", large, constant(large.type, 0.0))
    ratio = builder.select(zero, large, builder.fdiv(small, large))
    scale = builder.fadd(large, builder.fmul(small, ratio))
    # With the parts swapped, (a + ib) / (c + id) is (b - ia) / (d - ic).
    first, second = builder.select(swap, b, a), builder.select(swap, builder.fneg(a), b)
    ratio = builder.select(swap, builder.fneg(ratio), ratio)
    first, second = (
        builder.fadd(first, builder.fmul(second, ratio)),
        builder.fsub(second, builder.fmul(first, ratio)),
    )
    return join(builder, builder.fdiv(first, scale), builder.fdiv(second, scale))


@intrinsic(target=SPIRV)
def select(typing_context, condition, a, b):
    """`a` where the condition holds, else `b`; both are evaluated."""
    if condition != types.boolean:
        raise errors.TypingError(f"select takes a bool as its condition, not {condition}")
    ty = same("select", (types.boolean, *INTEGERS, *FLOATS, *COMPLEX), a, b)
    return ty(condition, ty, ty), lambda context, builder, sig, args: choose(builder, *args)


def _part(ty: types.Type) -> types.Type:
    """The type of the parts of complex numbers."""
    return ty.underlying_float if ty in COMPLEX else ty


def _extract(part: int):
    return lambda builder, z: builder.extract_value(z, part)


FUNCTIONS = [
    # numba's operator has a path that raises ZeroDivisionError
    of_one_type("float_div", FLOATS, 2, EMIT["div"]),
    of_one_type("float_rem", FLOATS, 2, EMIT["rem"]),
    # if one is NaN, the other one
    of_one_type("fmin", FLOATS, 2, EMIT["min"]),
    of_one_type("fmax", FLOATS, 2, EMIT["max"]),
    # rounded once: the device does not contract a * b + c by itself
    of_one_type("fma", FLOATS, 3, lambda builder, *operands: llvm(builder, "fma", *operands)),
    # rounded to the nearest half, ties to even, still in a float32
    of_one_type("round_f16", (types.float32,), 1, round_to_f16),
    of_one_type("round_bf16", (types.float32,), 1, round_to_bf16),
    of_one_type("neg", INTEGERS + FLOATS + COMPLEX, 1, negated),
    of_one_type("absolute", INTEGERS + FLOATS + COMPLEX, 1, modulus, _part),
    of_one_type("make_complex", FLOATS, 2, join, dict(zip(FLOATS, COMPLEX)).__getitem__),
    of_one_type("real", COMPLEX, 1, _extract(0), _part),
    of_one_type("imag", COMPLEX, 1, _extract(1), _part),
    of_one_type("conj", COMPLEX, 1, conjugate),
    of_one_type("complex_mul", COMPLEX, 2, product),
    of_one_type("complex_div", COMPLEX, 2, quotient),
    select,
]
"""The functions of generated source that are no operators."""
