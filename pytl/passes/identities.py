"""The simplification of an instruction on partly known operands: an operand, a constant, or a simpler instruction."""

from __future__ import annotations

import math
from typing import Any, Protocol

from ..ir.operation import Operation
from ..ir.types import BoolType, ScalarType, Type, component_type
from ..ir.values import Value
from ..ops import ArithBinary, ArithUnary, Cast, Compare, CooperativeMatrixScale, Expand, Size, Subview
from ..ops.constants import constant_of, round_to, wrap, zero_of
from .fold import binary_of_constants


class Insertion(Protocol):
    """Where new instructions are put."""

    def constant(self, source: Operation, type_: Type, literal: Any, name: str | None = None) -> Value: ...

    def emit(self, op: Operation) -> Value: ...


def simpler(op: Operation, unsafe: bool, insertion: Insertion) -> Value | None:
    """A value that an instruction may be replaced with, or None.

    Results are the same bit for bit, unless `unsafe`, which treats floating numbers as real numbers.
    """
    if isinstance(op, Cast) and op.operand.type == op.result.type:
        return op.operand
    if isinstance(op, ArithUnary):
        return _undone(op)
    if isinstance(op, Size):
        return _size_of_view(op)
    if isinstance(op, CooperativeMatrixScale):
        real = not op.scalar.type.is_complex
        return op.matrix if (unsafe or real) and _is(constant_of(op.scalar), 1) else None
    if isinstance(op, Compare):
        return _compared_with_itself(op, insertion)
    if isinstance(op, ArithBinary):
        type_ = component_type(op.a.type)
        if isinstance(type_, BoolType) or type_.is_integer:
            return _exact(op, type_, insertion) or _regrouped(op, type_, insertion)
        replacement = _neutral_factor(op, unsafe)
        if replacement is None and unsafe:
            replacement = _as_real(op, insertion) or _regrouped(op, type_, insertion)
        return replacement
    return None


def _is(literal: Any, number: int) -> bool:
    return literal is not None and not isinstance(literal, bool) and literal == number


def _undone(op: ArithUnary) -> Value | None:
    inner: Any = op.a.owner
    twice = op.variant in ("neg", "not", "conj") and isinstance(inner, ArithUnary) and inner.variant == op.variant
    return inner.a if twice else None


def _size_of_view(op: Size) -> Value | None:
    """The value that gave a view the size of a mode."""
    view = op.tensor.owner
    bounds: list[Any] = []
    if isinstance(view, Subview):
        bounds = [piece.size for piece in view.slices if piece.keeps_mode]
    elif isinstance(view, Expand):
        bounds = [None] * view.mode + [*view.expand_shape]
    bound = bounds[op.mode] if op.mode < len(bounds) else None
    return bound if isinstance(bound, Value) else None


def _compared_with_itself(op: Compare, insertion: Insertion) -> Value | None:
    # a nan differs from itself
    if op.a is not op.b or not op.a.type.is_integer:
        return None
    return insertion.constant(op, op.result.type, op.variant in ("eq", "ge", "le"), op.result.name)


def _exact(op: ArithBinary, type_: Any, insertion: Insertion) -> Value | None:
    """Identities of integers and booleans."""
    a, b, variant = constant_of(op.a), constant_of(op.b), op.variant
    none: Any = zero_of(type_)
    every: Any = True if isinstance(type_, BoolType) else -1
    if op.a is op.b:
        if variant in ("and", "or", "min", "max"):
            return op.a
        if variant in ("sub", "xor"):
            return insertion.constant(op, op.result.type, none, op.result.name)
    for known, other in ((b, op.a), (a, op.b)):
        if known is None:
            continue
        if known == none and variant in ("add", "or", "xor"):
            return other
        if known == none and variant in ("mul", "and"):
            return insertion.constant(op, op.result.type, none, op.result.name)
        if known == every and variant == "and":
            return other
        if known == every and variant == "or":
            return insertion.constant(op, op.result.type, every, op.result.name)
        if variant == "mul" and _is(known, 1):
            return other
    if b is not None and b == none and variant in ("sub", "shl", "shr"):
        return op.a
    # zero by anything, where a divisor of zero and shifts beyond the width are undefined
    if a is not None and a == none and variant in ("shl", "shr", "div", "rem"):
        return op.a
    if variant == "rem" and b in (1, -1):
        return insertion.constant(op, op.result.type, none, op.result.name)
    return op.a if variant == "div" and _is(b, 1) else None


def _neutral_factor(op: ArithBinary, unsafe: bool) -> Value | None:
    """Products with 1 and quotients by 1. With complex numbers, an infinity or a zero's sign could differ."""
    if op.a is op.b and op.variant in ("min", "max"):
        return op.a
    if component_type(op.a.type).is_complex and not unsafe:
        return None
    if op.variant in ("mul", "div") and _is(constant_of(op.b), 1):
        return op.a
    return op.b if op.variant == "mul" and _is(constant_of(op.a), 1) else None


def _as_real(op: ArithBinary, insertion: Insertion) -> Value | None:
    """Identities of real numbers that do not hold for every floating-point number."""
    a, b, variant = constant_of(op.a), constant_of(op.b), op.variant
    type_ = component_type(op.result.type)
    if variant in ("add", "sub") and _is(b, 0):
        return op.a
    if variant == "add" and _is(a, 0):
        return op.b
    if (variant == "sub" and op.a is op.b) or (variant == "mul" and (_is(a, 0) or _is(b, 0))):
        return insertion.constant(op, op.result.type, zero_of(type_), op.result.name)
    if variant == "sub" and _is(a, 0):
        return insertion.emit(ArithUnary(op.location, [op.result.type], [op.result.name], variant="neg", a=op.b))
    if variant == "div" and b is not None and b != 0:
        inverse = round_to(1 / b, type_)
        number = complex(inverse)
        if inverse != 0 and math.isfinite(number.real) and math.isfinite(number.imag):
            factor = insertion.constant(op, op.b.type, inverse)
            return insertion.emit(
                ArithBinary(op.location, [op.result.type], [op.result.name], variant="mul", a=op.a, b=factor)
            )
    return None


def _regrouped(op: ArithBinary, type_: Any, insertion: Insertion) -> Value | None:
    """`(x + c) + d` as `x + (c + d)`, and `(x c) d` as `x (c d)`; integers wrap the same either way."""
    outer = _split(op, type_)
    inner = outer[0].owner if outer is not None else None
    if outer is None or not isinstance(inner, ArithBinary):
        return None
    within = _split(inner, type_)
    if within is None or outer[1] != within[1]:
        return None
    variant = outer[1]
    folded = binary_of_constants(variant, within[2], outer[2], type_)
    if folded is None:
        return None
    constant = insertion.constant(op, op.b.type, folded)
    return insertion.emit(
        ArithBinary(op.location, [op.result.type], [op.result.name], variant=variant, a=within[0], b=constant)
    )


def _split(op: ArithBinary, type_: Any) -> tuple[Value, str, Any] | None:
    """An instruction as `x add c` or `x mul c` with a constant c; a difference is a sum."""
    if not isinstance(type_, ScalarType):
        return None
    a, b = constant_of(op.a), constant_of(op.b)
    if op.variant in ("add", "mul") and (a is None) != (b is None):
        return (op.a, op.variant, b) if a is None else (op.b, op.variant, a)
    if op.variant == "sub" and a is None and b is not None:
        return (op.a, "add", wrap(-b, type_) if type_.is_integer else -b)
    return None
