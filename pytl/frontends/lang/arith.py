"""Casts, as a kernel body calls them; operators, min, max and abs are Python's own."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from ...ir.types import BoolType, CoopMatrixType, MatrixUse, ScalarType, Type
from ...ops import Bitcast, Cast, Constant
from ...ops.arith import admits_cast
from . import outside
from .annotations import ir_type_of
from .function import Call, function_of, one_of
from .literals import cast_literal
from .matrices import USES, for_use
from .scalars import Number, V
from .traced import Choice, describe, is_number


def build_cast(call: Call, operand: Any, type_: Type) -> Any:
    """The operand as a value of the type: itself, a constant, or a cast."""
    if is_number(operand) or isinstance(operand, str):
        literal = cast_literal(operand, type_)
        if literal is None:
            call.fail(f"{describe(operand)} can't be {type_}", argument="operand")
        return call.emit(Constant, [type_], literal=literal).result
    value = call.typed(operand, type_ if isinstance(operand, Choice) else None, "operand")
    if value.type == type_:
        return value
    if isinstance(type_, BoolType):
        call.fail(f"{value.type} can't be cast to bool", "compare it: x != 0", "operand")
    if isinstance(value.type, BoolType):
        return call.typed(Choice(value, 1, 0), type_, "operand")
    if isinstance(value.type, CoopMatrixType) and isinstance(type_, ScalarType):
        type_ = replace(value.type, component=type_)
        if value.type == type_:
            return value
    elif not isinstance(value.type, ScalarType):
        call.fail(f"only numbers are cast, but this is {value.type}", argument="operand")
    if not admits_cast(value.type, type_):
        advice = "take a part first: x.real, x.imag or abs(x)" if isinstance(type_, ScalarType) else None
        call.fail(f"{value.type} can't be cast to {type_}", advice, "operand")
    return call.emit(Cast, [type_], operand=value).result


def _build_cast(call: Call) -> Any:
    target = call.arguments["target"]
    type_ = ir_type_of(target)
    if not isinstance(type_, (ScalarType, BoolType)):
        call.fail(f"cast takes a number type, but got {describe(target)}", "write cast(x, f32)", "target")
    operand = call.arguments["operand"]
    if call.arguments["use"] is None:
        return build_cast(call, operand, type_)
    use = one_of(call, "use", USES)
    matrix_type = getattr(operand, "type", None)
    if not isinstance(matrix_type, CoopMatrixType):
        call.fail(f"use is for matrices, but the operand is {describe(operand)}", "leave use out", "use")
    if not isinstance(type_, ScalarType) or not admits_cast(matrix_type, replace(matrix_type, component=type_)):
        return build_cast(call, operand, type_)
    return for_use(call, operand, use, type_)


def _build_bitcast(call: Call) -> Any:
    target = ir_type_of(call.arguments["target"])
    if not isinstance(target, ScalarType):
        shown = describe(call.arguments["target"])
        call.fail(f"bitcast takes a number type, but got {shown}", "write bitcast(x, i32)", "target")
    operand = call.typed(call.arguments["operand"], None, "operand")
    if not isinstance(operand.type, ScalarType):
        call.fail(f"only numbers have bits, but this is {operand.type}", argument="operand")
    return call.emit(Bitcast, [target], operand=operand).result


@function_of(Bitcast, build=_build_bitcast)
def bitcast(operand: Number, target: type[V]) -> V:
    """The number of another type that has the same bits: `bitcast(x, i32)` of an f32.

    Both types have the same number of bits (PYTL-0688). Of a complex number, the real part has the low bits.

    >>> from pytl import Memref, bitcast, f32, i32
    >>> from pytl.frontends.python import trace
    >>> def f(x: f32, A: Memref[i32, 4]):
    ...     y = bitcast(x, i32)
    >>> print(str(trace(f)).splitlines()[2].strip())
    %y = v04.bitcast %x : i32
    """


def _compute_cast(operand: Any, target: Any, use: Any) -> Any:
    type_ = ir_type_of(target)
    if use is not None:
        outside.refuse("use is for matrices of a sub-group, which are in kernels only", "leave use out")
    if not isinstance(type_, (ScalarType, BoolType)):
        outside.refuse(f"cast takes a number type, but got {describe(target)}", "write cast(x, f32)")
    return outside.cast(operand, type_)


@function_of(Cast, build=_build_cast, compute=_compute_cast)
def cast(operand: Number, target: type[V], use: MatrixUse | None = None) -> V:
    """The number in another type; `cast(x, f32)` is the same as `f32(x)`.

    A cooperative matrix is cast component by component; with `use` it becomes one of that use: a sum of use
    "matrix_acc" a factor of the next product, of use "matrix_a" or "matrix_b". Integers are sign-extended or truncated;
    a floating point number loses its fraction where the type is an integer; a real number gets the imaginary part 0. A
    truth value is 1 or 0. From complex to real there is no cast. Manual: Cast.

    >>> from pytl import Memref, cast, f32, f64
    >>> from pytl.frontends.python import trace
    >>> def f(x: f64, A: Memref[f32, 4]):
    ...     y = cast(x, f32)
    >>> print(str(trace(f)).splitlines()[2].strip())
    %y = cast %x : f32
    """
