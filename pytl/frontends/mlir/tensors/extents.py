"""Sizes that a launch computes from those of its arguments, as the text says."""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from ....mlir.affine import AffineMap
from ....mlir.affine.expressions import Constant, evaluate
from ....mlir.text import Operation
from ....mlir.text.names import PREDICATES
from ..tree_writer import ARITHMETIC, Extent

_COMPARED: dict[str, Callable[[int, int], bool]] = {
    "eq": operator.eq,
    "ne": operator.ne,
    **{f"{sign}{word}": getattr(operator, word) for sign in "su" for word in ("lt", "le", "gt", "ge")},
}
_SAME = ("arith.index_cast", "arith.index_castui", "arith.extsi", "arith.trunci")
_OF_MAPS: dict[str, Callable[[Sequence[int]], int]] = {
    "affine.apply": lambda results: results[0],
    "affine.min": min,
    "affine.max": max,
}


def is_known(
    extent: Extent, operations: Mapping[str, Operation], arguments: Sequence[str], asked: dict[str, bool] | None = None
) -> bool:
    """Whether a launch can tell a size. `asked` has what has been found, and false for what is being looked at."""
    if isinstance(extent, int) or extent in arguments:
        return True
    asked = {} if asked is None else asked
    if extent not in asked:
        asked[extent] = False
        asked[extent] = _follows(operations.get(extent), operations, arguments, asked)
    return asked[extent]


def _follows(
    op: Operation | None, operations: Mapping[str, Operation], arguments: Sequence[str], asked: dict[str, bool]
) -> bool:
    if op is None:
        return False
    if op.name == "memref.dim":
        return op.operands[0] in arguments and is_known(op.operands[1], operations, arguments, asked)
    if op.name == "arith.constant":
        return isinstance(op.attributes.get("value"), int)
    known = op.name in ("arith.select", "arith.cmpi", *ARITHMETIC, *_SAME, *_OF_MAPS)
    return known and all(is_known(each, operations, arguments, asked) for each in op.operands)


def value(extent: Extent, operations: Mapping[str, Operation], arguments: Mapping[str, Any]) -> int:
    """A size, from the operations of a function's body and the arguments of a launch."""
    if isinstance(extent, int):
        return extent
    if extent in arguments:
        return int(arguments[extent])
    op = operations[extent]
    if op.name == "memref.dim":
        return int(arguments[op.operands[0]].shape[value(op.operands[1], operations, arguments)])
    if op.name == "arith.constant":
        return int(op.attributes["value"])
    operands = [value(each, operations, arguments) for each in op.operands]
    if op.name in _SAME:
        return operands[0]
    if op.name in ARITHMETIC:
        return ARITHMETIC[op.name](operands[0], operands[1])
    if op.name == "arith.select":
        return operands[1] if operands[0] else operands[2]
    if op.name == "arith.cmpi":
        return _compared(op.attributes["predicate"], operands[0], operands[1])
    map_ = op.attributes["map"]
    assert isinstance(map_, AffineMap)
    count = len(map_.dimensions)
    return _OF_MAPS[op.name]([evaluate(each, operands[:count], operands[count:]) for each in map_.results])


def _compared(predicate: Any, a: int, b: int) -> bool:
    """A comparison of integers; of unsigned ones, negative numbers are the largest."""
    word = predicate if isinstance(predicate, str) else PREDICATES[predicate]
    if word.startswith("u"):
        a, b = a % (1 << 64), b % (1 << 64)
    return _COMPARED[word](a, b)


def most(extent: str, operations: Mapping[str, Operation]) -> int | None:
    """What a size is at most, where it is a minimum with a number; None for others."""
    op = operations.get(extent)
    if op is None or op.name not in ("affine.min", "arith.minsi", "arith.minui"):
        return None
    if op.name == "affine.min":
        known = [each.value for each in op.attributes["map"].results if isinstance(each, Constant)]
    else:
        givers = [operations.get(each) for each in op.operands]
        known = [each.attributes["value"] for each in givers if each is not None and each.name == "arith.constant"]
    return min(known, default=None)
