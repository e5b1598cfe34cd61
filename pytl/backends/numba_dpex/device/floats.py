"""Arithmetic on floating-point and complex numbers, and the functions of numbers of every kind."""

from __future__ import annotations

from llvmlite import ir
from numba.core import errors, types
from numba.extending import intrinsic

from .elements import constant, round_to_bf16, round_to_f16, scalar_of
from .pointers import SPIRV
from .signatures import COMPLEX, FLOATS, INTEGERS, choose, join, llvm, opencl, same, split

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


def _floats(name: str, operands, emit):
    ty = same(name, FLOATS, *operands)

    def codegen(context, builder, sig, args):
        return emit(builder, *args)

    return ty(*operands), codegen


@intrinsic(target=SPIRV)
def float_div(typing_context, a, b):
    """a / b as IEEE 754 has it; numba's operator has a path that raises ZeroDivisionError."""
    return _floats("float_div", (a, b), EMIT["div"])


@intrinsic(target=SPIRV)
def float_rem(typing_context, a, b):
    """C's fmod: exact, with the sign of a."""
    return _floats("float_rem", (a, b), EMIT["rem"])


@intrinsic(target=SPIRV)
def fmin(typing_context, a, b):
    """The smaller one; if one is NaN, the other one."""
    return _floats("fmin", (a, b), EMIT["min"])


@intrinsic(target=SPIRV)
def fmax(typing_context, a, b):
    """The larger one; if one is NaN, the other one."""
    return _floats("fmax", (a, b), EMIT["max"])


@intrinsic(target=SPIRV)
def fma(typing_context, a, b, c):
    """a * b + c, rounded once: the device does not contract a * b + c by itself."""
    return _floats("fma", (a, b, c), lambda builder, a, b, c: llvm(builder, "fma", a, b, c))


@intrinsic(target=SPIRV)
def round_f16(typing_context, x):
    """The float32 `x` rounded to the nearest f16, ties to even, still in a float32."""
    ty = same("round_f16", (types.float32,), x)
    return ty(ty), lambda context, builder, sig, args: round_to_f16(builder, *args)


@intrinsic(target=SPIRV)
def round_bf16(typing_context, x):
    """The float32 `x` rounded to the nearest bf16, ties to even, still in a float32."""
    ty = same("round_bf16", (types.float32,), x)
    return ty(ty), lambda context, builder, sig, args: round_to_bf16(builder, *args)


def negated(builder: ir.IRBuilder, x: ir.Value) -> ir.Value:
    if isinstance(scalar_of(x.type), ir.IntType):
        return builder.sub(constant(x.type, 0), x)
    if isinstance(x.type, ir.LiteralStructType):
        return join(builder, *(builder.fneg(part) for part in split(builder, x)))
    return builder.fneg(x)


@intrinsic(target=SPIRV)
def neg(typing_context, x):
    """-x; MIN wraps to itself."""
    ty = same("neg", INTEGERS + FLOATS + COMPLEX, x)
    return ty(ty), lambda context, builder, sig, args: negated(builder, *args)


def modulus(builder: ir.IRBuilder, x: ir.Value) -> ir.Value:
    if isinstance(scalar_of(x.type), ir.IntType):
        negative = builder.icmp_signed("<", x, constant(x.type, 0))
        return builder.select(negative, negated(builder, x), x)
    if isinstance(x.type, ir.LiteralStructType):
        return opencl(builder, "hypot", *split(builder, x))
    return llvm(builder, "fabs", x)


@intrinsic(target=SPIRV)
def absolute(typing_context, x):
    """|x|; MIN wraps to itself, and no intermediate of a complex modulus overflows."""
    ty = same("absolute", INTEGERS + FLOATS + COMPLEX, x)
    result = ty.underlying_float if ty in COMPLEX else ty
    return result(ty), lambda context, builder, sig, args: modulus(builder, *args)


@intrinsic(target=SPIRV)
def make_complex(typing_context, re, im):
    part = same("make_complex", FLOATS, re, im)
    result = types.complex64 if part == types.float32 else types.complex128
    return result(part, part), lambda context, builder, sig, args: join(builder, *args)


@intrinsic(target=SPIRV)
def real(typing_context, z):
    ty = same("real", COMPLEX, z)
    return ty.underlying_float(ty), lambda context, builder, sig, args: builder.extract_value(args[0], 0)


@intrinsic(target=SPIRV)
def imag(typing_context, z):
    ty = same("imag", COMPLEX, z)
    return ty.underlying_float(ty), lambda context, builder, sig, args: builder.extract_value(args[0], 1)


def conjugate(builder: ir.IRBuilder, z: ir.Value) -> ir.Value:
    re, im = split(builder, z)
    return join(builder, re, builder.fneg(im))


@intrinsic(target=SPIRV)
def conj(typing_context, z):
    ty = same("conj", COMPLEX, z)

    return ty(ty), lambda context, builder, sig, args: conjugate(builder, *args)


def product(builder, x, y):
    (a, b), (c, d) = split(builder, x), split(builder, y)
    re = builder.fsub(builder.fmul(a, c), builder.fmul(b, d))
    im = builder.fadd(builder.fmul(a, d), builder.fmul(b, c))
    return join(builder, re, im)


@intrinsic(target=SPIRV)
def complex_mul(typing_context, x, y):
    """x * y by the plain formula, without C's recovery from NaN."""
    ty = same("complex_mul", COMPLEX, x, y)
    return ty(ty, ty), lambda context, builder, sig, args: product(builder, *args)


def quotient(builder, x, y):
    """Smith's algorithm, with selects in place of its branch so that it can be vectorized."""
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
def complex_div(typing_context, x, y):
    """x / y without overflow or underflow in |y|²."""
    ty = same("complex_div", COMPLEX, x, y)
    return ty(ty, ty), lambda context, builder, sig, args: quotient(builder, *args)


@intrinsic(target=SPIRV)
def select(typing_context, condition, a, b):
    """`a` where the condition holds, else `b`; both are evaluated."""
    if condition != types.boolean:
        raise errors.TypingError(f"select takes a bool as its condition, not {condition}")
    ty = same("select", (types.boolean, *INTEGERS, *FLOATS, *COMPLEX), a, b)
    return ty(condition, ty, ty), lambda context, builder, sig, args: choose(builder, *args)
