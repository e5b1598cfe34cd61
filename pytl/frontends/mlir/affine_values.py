"""Affine expressions of values, as instructions."""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce

from ...ir.types import bool_
from ...ir.values import Value
from ...mlir.affine import AffineMap, IntegerSet
from ...mlir.affine.expressions import Binary, Constant, Dimension, Expression
from ...mlir.text import Operation
from ...ops.constants import constant_of
from .context import Context


def results(ctx: Context, map_: AffineMap, operands: Sequence[Value]) -> list[Value]:
    """The results of a map; its operands are the dimensions, then the symbols."""
    count = len(map_.dimensions)
    return [value(ctx, result, operands[:count], operands[count:]) for result in map_.simplified().results]


def places(ctx: Context, op: Operation, first: int, count: int | None = None) -> list[Value]:
    """The indices of an access: operands from one on, or what the map of an operation of affine gives for these."""
    given = ctx.indices(op, first, count)
    if not op.name.startswith("affine."):
        return given
    return results(ctx, ctx.map(op, op.attributes.get("map"), len(given)), given)


def value(ctx: Context, e: Expression, dimensions: Sequence[Value], symbols: Sequence[Value]) -> Value:
    """The value of an expression."""
    if isinstance(e, Constant):
        return ctx.constant(e.value)
    if not isinstance(e, Binary):
        return (dimensions if isinstance(e, Dimension) else symbols)[e.position]
    a, b = value(ctx, e.left, dimensions, symbols), value(ctx, e.right, dimensions, symbols)
    return arith(ctx, e.operator, a, b)


def arith(ctx: Context, operator: str, a: Value, b: Value) -> Value:
    """An operation of affine expressions on two indices."""
    x, y = constant_of(a), constant_of(b)
    at = ctx.builder
    if operator == "+":
        if x is not None and y is not None:
            return ctx.constant(int(x) + int(y))
        if x == 0 or y == 0:
            return b if x == 0 else a
        result = at.arith("add", a, b)
    elif operator == "*":
        if x is not None and y is not None:
            return ctx.constant(int(x) * int(y))
        if x == 1 or y == 1:
            return b if x == 1 else a
        result = at.arith("mul", a, b)
    elif operator == "mod":
        result = at.arith("rem", a, b)
        if not is_positive(ctx, a):
            result = at.arith("rem", at.arith("add", result, b), b)
        ctx.positive.add(result)
        return result
    elif operator == "floordiv":
        if is_positive(ctx, a):
            result = at.arith("div", a, b)
        else:
            return at.arith("div", at.arith("sub", a, arith(ctx, "mod", a, b)), b)
    else:
        if is_positive(ctx, a):
            up = at.arith("add", a, at.arith("sub", b, ctx.constant(1)))
            result = at.arith("div", up, b)
        else:
            negative = at.arith("sub", ctx.constant(0), a)
            return at.arith("sub", ctx.constant(0), arith(ctx, "floordiv", negative, b))
    if is_positive(ctx, a) and is_positive(ctx, b):
        ctx.positive.add(result)
    return result


def total(ctx: Context, operator: str, values: Sequence[Value]) -> Value:
    """The sum ("+") or product ("*") of some values."""
    return reduce(lambda a, b: arith(ctx, operator, a, b), values)


def divided(ctx: Context, number: Value, sizes: Sequence[Value]) -> list[Value]:
    """The indices of what is counted row by row; the size of the first dimension does not matter."""
    indices: list[Value] = []
    for size in reversed(sizes[1:]):
        indices.insert(0, arith(ctx, "mod", number, size))
        number = arith(ctx, "floordiv", number, size)
    return [number, *indices]


def joined(ctx: Context, indices: Sequence[Value], sizes: Sequence[Value]) -> Value:
    """The number of what is counted row by row."""
    number = indices[0] if indices else ctx.constant(0)
    for index, size in zip(indices[1:], sizes[1:]):
        number = arith(ctx, "+", arith(ctx, "*", number, size), index)
    return number


def is_positive(ctx: Context, value: Value) -> bool:
    """Whether an index is known not to be negative."""
    known = constant_of(value)
    return known >= 0 if known is not None else value in ctx.positive


def extreme(ctx: Context, word: str, values: Sequence[Value]) -> Value:
    """The smallest ("min") or the largest ("max") of some values."""
    found, *rest = values
    for each in rest:
        positive = is_positive(ctx, found), is_positive(ctx, each)
        found = ctx.builder.arith(word, found, each)
        if all(positive) or (word == "max" and any(positive)):
            ctx.positive.add(found)
    return found


def holds(ctx: Context, set_: IntegerSet, operands: Sequence[Value]) -> Value:
    """Whether a point lies in a set."""
    count = len(set_.dimensions)
    all_: Value | None = None
    for constraint in set_.constraints:
        left = value(ctx, constraint.expression, operands[:count], operands[count:])
        condition = ctx.builder.compare("eq" if constraint.is_equality else "ge", left, ctx.constant(0))
        all_ = condition if all_ is None else ctx.builder.arith("and", all_, condition)
    return ctx.builder.constant(bool_, True) if all_ is None else all_
