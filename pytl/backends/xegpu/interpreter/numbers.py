"""The dialects arith, math and vector on arrays."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ....mlir.text import Operation, Vector
from ....mlir.text.reader import Dense
from .values import DTYPES, DYNAMIC, dtype_of

Array = np.ndarray
_UNSIGNED = {1: np.uint8, 2: np.uint16, 4: np.uint32, 8: np.uint64}


def unsigned(a: Array) -> Array:
    """The same bits as numbers without sign."""
    return a if a.dtype == np.bool_ else a.view(_UNSIGNED[a.dtype.itemsize])


def _without_sign(function: Callable[..., Array]) -> Callable[[Array, Array], Array]:
    return lambda a, b: function(unsigned(a), unsigned(b)).astype(unsigned(a).dtype).view(a.dtype)


def _quotient(a: Array, b: Array) -> Array:
    quotient = np.floor_divide(a, b)
    return quotient + ((np.remainder(a, b) != 0) & ((a < 0) != (b < 0))).astype(a.dtype)


def _shift(function: Callable[..., Array]) -> Callable[[Array, Array], Array]:
    return lambda a, b: function(a, b & (a.dtype.itemsize * 8 - 1))


BINARY: dict[str, Callable[[Array, Array], Array]] = {
    **{f"arith.{name}{kind}": function for name, function in (("add", np.add), ("sub", np.subtract)) for kind in "if"},
    "arith.muli": np.multiply,
    "arith.mulf": np.multiply,
    "arith.divf": np.divide,
    "arith.remf": np.fmod,
    "arith.minnumf": np.fmin,
    "arith.maxnumf": np.fmax,
    "arith.minimumf": np.minimum,
    "arith.maximumf": np.maximum,
    "arith.minsi": np.minimum,
    "arith.maxsi": np.maximum,
    "arith.minui": _without_sign(np.minimum),
    "arith.maxui": _without_sign(np.maximum),
    "arith.andi": np.bitwise_and,
    "arith.ori": np.bitwise_or,
    "arith.xori": np.bitwise_xor,
    "arith.shli": _shift(np.left_shift),
    "arith.shrsi": _shift(np.right_shift),
    "arith.shrui": _without_sign(_shift(np.right_shift)),
}
DIVISIONS: dict[str, Callable[[Array, Array], Array]] = {
    "arith.divsi": _quotient,
    "arith.remsi": np.fmod,
    "arith.floordivsi": np.floor_divide,
    "arith.ceildivsi": lambda a, b: -np.floor_divide(-a, b),
    "arith.divui": _without_sign(np.floor_divide),
    "arith.remui": _without_sign(np.remainder),
    "arith.ceildivui": _without_sign(lambda a, b: a // b + (a % b != 0)),
}
_UNARY: dict[str, Callable[[Array], Array]] = {
    "arith.negf": np.negative,
    "math.absf": np.abs,
    "math.absi": np.abs,
    **{
        f"math.{name}": getattr(np, name)
        for name in ("exp", "exp2", "log", "log2", "log10", "log1p", "expm1", "sqrt", "sin", "cos", "tan", "tanh")
    },
    **{f"math.{name}": getattr(np, name) for name in ("floor", "ceil", "trunc")},
    "math.rsqrt": lambda a: (1 / np.sqrt(a)).astype(a.dtype),
}
_CALLED = {"hypot": np.hypot, "hypotf": np.hypot}
_INTEGER_ORDERS: list[Callable[[Array, Array], Array]] = [
    *(np.equal, np.not_equal, np.less, np.less_equal, np.greater, np.greater_equal),
    *(lambda a, b, f=f: f(unsigned(a), unsigned(b)) for f in (np.less, np.less_equal, np.greater, np.greater_equal)),
]


def _unordered(a: Array, b: Array) -> Array:
    return np.isnan(a) | np.isnan(b)


Order = Callable[[Array, Array], Array]
_ORDERS: list[Order] = [np.equal, np.greater, np.greater_equal, np.less, np.less_equal, np.not_equal]


def _compare_floats(predicate: int, a: Array, b: Array) -> Array:
    if predicate in (0, 15):
        return np.full(a.shape, predicate == 15)
    if predicate in (7, 14):
        return _unordered(a, b) == (predicate == 14)
    result = _ORDERS[(predicate - 1) % 7](a, b)
    return result & ~_unordered(a, b) if predicate < 7 else result | _unordered(a, b)


def _cast(op: Operation, a: Array, target: np.dtype) -> Array | None:
    kind = op.name.partition(".")[2]
    if kind == "bitcast":
        return a.view(target)
    if kind in ("extui", "uitofp", "index_castui"):
        return unsigned(a).astype(target)
    if kind == "extsi" and a.dtype == np.bool_:
        return -a.astype(target)
    if kind == "trunci" and target == np.bool_:
        return (a & 1).astype(np.bool_)
    if kind == "fptoui":
        return a.astype(_UNSIGNED[target.itemsize]).view(target)
    known = ("extsi", "trunci", "index_cast", "sitofp", "fptosi", "extf", "truncf")
    return a.astype(target) if kind in known else None


def constant(op: Operation, lanes: int) -> Array | None:
    """The array of an `arith.constant`."""
    type_, value = op.result_types[0], op.attributes["value"]
    dtype = dtype_of(type_)
    if dtype is None:
        return None
    shape = type_.shape if isinstance(type_, Vector) else ()
    literal = value.values if isinstance(value, Dense) else value
    whole = np.asarray(literal)
    array = whole.astype(dtype) if whole.dtype.kind != "O" else np.asarray(literal, dtype)
    return np.broadcast_to(array, (lanes, *shape))


def compute(op: Operation, operands: list[Any]) -> Array | None:
    """The result of an operation on numbers; None where it is unknown."""
    name, attributes = op.name, op.attributes
    if name in BINARY:
        return BINARY[name](operands[0], operands[1])
    if name in _UNARY:
        return _UNARY[name](operands[0])
    if name == "arith.cmpi":
        return _INTEGER_ORDERS[attributes["predicate"]](operands[0], operands[1])
    if name == "arith.cmpf":
        return _compare_floats(attributes["predicate"], operands[0], operands[1])
    if name == "arith.select":
        condition = operands[0].reshape(operands[0].shape + (1,) * (operands[1].ndim - operands[0].ndim))
        return np.where(condition, operands[1], operands[2])
    if name in ("math.fma", "vector.fma"):
        wide = np.float64 if operands[0].dtype.itemsize <= 4 else np.longdouble
        return (operands[0].astype(wide) * operands[1].astype(wide) + operands[2].astype(wide)).astype(
            operands[0].dtype
        )
    if name == "func.call":
        function = _CALLED.get(str(attributes["callee"])[1:])
        return function(*operands) if function else None
    target = dtype_of(op.result_types[0])
    if name.startswith("arith.") and target is not None and len(operands) == 1:
        return _cast(op, operands[0], target)
    if name.startswith("vector."):
        return _vector(op, operands)
    return None


def _vector(op: Operation, operands: list[Any]) -> Array | None:
    name, type_, attributes = op.name, op.result_types[0], op.attributes
    shape = type_.shape if isinstance(type_, Vector) else ()
    lanes = operands[0].shape[0]
    if name in ("vector.broadcast", "vector.splat"):
        own = operands[0].shape[1:]
        spread = operands[0].reshape(lanes, *(1,) * (len(shape) - len(own)), *own)
        return np.broadcast_to(spread, (lanes, *shape))
    if name == "vector.from_elements":
        return np.stack(operands, axis=1).reshape(lanes, *shape)
    if name == "vector.shape_cast":
        return operands[0].reshape(lanes, *shape)
    if name == "vector.bitcast":
        assert isinstance(type_, Vector)
        return np.ascontiguousarray(operands[0]).view(DTYPES[type_.element.name])
    if name == "vector.transpose":
        return operands[0].transpose(0, *(mode + 1 for mode in attributes["permutation"]))
    if name == "vector.extract_strided_slice":
        cuts = zip(attributes["offsets"], attributes["sizes"], attributes["strides"])
        return operands[0][(slice(None), *(slice(at, at + size * step, step) for at, size, step in cuts))]
    if name in ("vector.extract", "vector.insert"):
        vector, rest = (operands[0], operands[1:]) if name == "vector.extract" else (operands[1], operands[2:])
        indices = [rest.pop(0) if at == DYNAMIC else at for at in attributes["static_position"]]
        where = (np.arange(lanes), *indices)
        if name == "vector.extract":
            return vector[where]
        result = vector.copy()
        result[where] = operands[0]
        return result
    return None
