"""The dialects arith, math and index on arrays."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from ....mlir.text import Operation, Vector
from ....mlir.text.names import OF_FLOATS, PREDICATES
from ....mlir.text.reader import Dense
from .values import DTYPES, dtype_of

Array = np.ndarray
_POWERS = DTYPES["f8E8M0FNU"]
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
    "math.powf": np.power,
    "math.atan2": np.arctan2,
    "math.copysign": np.copysign,
    "math.fpowi": lambda a, b: np.power(a, b.astype(a.dtype)),
    "math.ipowi": np.power,
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
        for name in ("exp", "exp2", "log", "log2", "log10", "log1p", "expm1", "sqrt", "cbrt")
    },
    **{
        f"math.{name}": getattr(np, name)
        for name in ("floor", "ceil", "trunc", "sin", "cos", "tan", "sinh", "cosh", "tanh")
    },
    **{f"math.{name}": getattr(np, f"arc{name[1:]}") for name in ("asin", "acos", "atan", "asinh", "acosh", "atanh")},
    "math.rsqrt": lambda a: (1 / np.sqrt(a)).astype(a.dtype),
}
CALLED = {"hypot": np.hypot, "hypotf": np.hypot}
"""Functions of C's library that texts declare and call."""


def _of_python(function: Callable[[float], float]) -> Callable[[Array], Array]:
    """A function of Python's library for each element."""

    def apply(a: Array) -> Array:
        return np.vectorize(function, otypes=[np.float64])(a.astype(np.float64)).astype(a.dtype)

    return apply


def _inverse_sqrt(a: Array) -> Array:
    """Of complex numbers; that of zero is infinite, in no direction."""
    made = (np.conj(np.sqrt(a)) / np.abs(a)).astype(a.dtype)
    made[a == 0] = complex(np.inf, np.nan)
    return made


def _count(bits: Callable[[int, int], int]) -> Callable[[Array], Array]:
    """A number of bits of each element, whose width is the function's second argument."""

    def apply(a: Array) -> Array:
        width = a.dtype.itemsize * 8
        return np.vectorize(lambda each: bits(int(each), width), otypes=[np.int64])(unsigned(a)).astype(a.dtype)

    return apply


_UNARY |= {
    "math.erf": _of_python(math.erf),
    "math.erfc": _of_python(math.erfc),
    "math.round": lambda a: (np.sign(a) * np.floor(np.abs(a.astype(np.float64)) + 0.5)).astype(a.dtype),
    "math.roundeven": np.rint,
    "math.ctpop": _count(lambda each, width: each.bit_count()),
    "math.ctlz": _count(lambda each, width: width - each.bit_length()),
    "math.cttz": _count(lambda each, width: (each & -each).bit_length() - 1 if each else width),
}
_UNARY |= {
    "complex.re": np.real,
    "complex.im": np.imag,
    "complex.abs": np.abs,
    "complex.angle": np.angle,
    "complex.conj": np.conj,
    "complex.neg": np.negative,
    "complex.rsqrt": _inverse_sqrt,
    "complex.sign": lambda a: np.where(a == 0, a, a / np.where(a == 0, 1, np.abs(a))).astype(a.dtype),
    **{
        f"complex.{name}": getattr(np, name)
        for name in ("exp", "expm1", "log", "log1p", "sqrt", "sin", "cos", "tan", "tanh")
    },
}
BINARY |= {
    "complex.add": np.add,
    "complex.sub": np.subtract,
    "complex.mul": np.multiply,
    "complex.div": np.divide,
    "complex.pow": np.power,
    "complex.powi": lambda a, b: np.power(a, b).astype(a.dtype),
    "complex.eq": np.equal,
    "complex.neq": np.not_equal,
    "complex.create": lambda a, b: (a + 1j * b).astype(np.result_type(a.dtype, np.complex64)),
    "complex.atan2": lambda a, b: (-1j * np.log((b + 1j * a) / np.sqrt(b * b + a * a))).astype(a.dtype),
}
_TESTS: dict[str, Callable[[Array], Array]] = {
    "math.isnan": np.isnan,
    "math.isinf": np.isinf,
    "math.isfinite": np.isfinite,
    "math.isnormal": lambda a: np.isfinite(a) & (np.abs(a) >= np.finfo(a.dtype).smallest_normal),
}


def _extended(product: Callable[[Array], Array]) -> Callable[[Array, Array], list[Array]]:
    """The low and the high half of a product."""

    def apply(a: Array, b: Array) -> list[Array]:
        bits = a.dtype.itemsize * 8
        wide = product(a).astype(object) * product(b).astype(object)
        low, high = ((wide >> shift) & ((1 << bits) - 1) for shift in (0, bits))
        kind = unsigned(a).dtype
        return [low.astype(kind).view(a.dtype), high.astype(kind).view(a.dtype)]

    return apply


def _sum_and_carry(a: Array, b: Array) -> list[Array]:
    total = np.add(a, b)
    return [total, unsigned(total) < unsigned(a)]


_PAIRS: dict[str, Callable[[Array], list[Array]]] = {"math.sincos": lambda a: [np.sin(a), np.cos(a)]}
_WIDE: dict[str, Callable[[Array, Array], Any]] = {
    "arith.mulsi_extended": _extended(lambda a: a),
    "arith.mului_extended": _extended(unsigned),
    "arith.addui_extended": _sum_and_carry,
}
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


def _cast(name: str, a: Array, target: np.dtype) -> Array | None:
    kind = name.partition(".")[2]
    if kind == "bitcast":
        return a.view(target)
    if kind in ("extui", "uitofp", "index_castui"):
        return unsigned(a).astype(target)
    if kind in ("extsi", "sitofp", "index_cast") and a.dtype == np.bool_:
        return (-a.astype(np.int8)).astype(target)
    if kind == "trunci" and target == np.bool_:
        return (a & 1).astype(np.bool_)
    if kind == "fptoui":
        return a.astype(_UNSIGNED[target.itemsize]).view(target)
    if kind == "truncf" and target == _POWERS:
        return _powers_of_two(a)
    known = ("extsi", "trunci", "index_cast", "sitofp", "fptosi", "extf", "truncf")
    return a.astype(target) if kind in known else None


def _powers_of_two(a: Array) -> Array:
    """Those with the exponents of numbers, as MLIR rounds to them; zero becomes the least one, and infinity nan."""
    return (a.astype(np.float32).view(np.int32) >> 23).astype(np.uint8).view(_POWERS)


def _scaled(name: str, a: Array, scale: Array, target: np.dtype) -> Array:
    """A cast by powers of two."""
    powers = _powers_of_two(scale)
    if name == "arith.scaling_extf":
        return np.asarray(a.astype(target) * powers.astype(target))
    return np.asarray((a / powers.astype(a.dtype)).astype(target))


def constant(op: Operation, lanes: int) -> Array | None:
    """The array of an `arith.constant`, or a `complex.constant`."""
    type_, value = op.result_types[0], op.attributes["value"]
    value = complex(*value) if op.name == "complex.constant" else value
    dtype = dtype_of(type_)
    if dtype is None:
        return None
    shape = type_.shape if isinstance(type_, Vector) else ()
    array = literal(value.values if isinstance(value, Dense) else value, dtype)
    return np.broadcast_to(np.broadcast_to(array, shape), (lanes, *shape))


def literal(value: Any, dtype: np.dtype) -> Array:
    """Numbers of a text as elements of a type; integers by their bits."""
    whole = np.asarray(value)
    if whole.dtype.kind == "O":
        whole = np.vectorize(lambda each: int(each) & 0xFFFFFFFFFFFFFFFF, otypes=[np.uint64])(whole)
    return whole.astype(dtype)


VECTORS: dict[str, Callable[[Operation, list[Any]], Any]] = {}
"""Operations of the dialect vector on what each work-item has."""
_INDEX = {
    **{f"index.{name}": f"arith.{name}i" for name in ("add", "sub", "mul", "and", "or", "xor", "shl")},
    **{f"index.{name}{s}": f"arith.{name}{s}i" for name in ("div", "ceildiv", "rem", "max", "min") for s in "su"},
    **{f"index.{name}{s}": f"arith.{name}{s}i" for name in ("shr",) for s in "su"},
    "index.floordivs": "arith.floordivsi",
    "index.castu": "arith.index_castui",
    "index.casts": "arith.index_cast",
    "index.cmp": "arith.cmpi",
    "index.constant": "arith.constant",
    "index.bool.constant": "arith.constant",
}
"""What operations of the dialect index are in arith."""


def in_arith(name: str) -> str:
    """The operation of arith that does the same, where it has another name."""
    return _INDEX.get(name, name)


def compute(op: Operation, operands: list[Any]) -> Any:
    """The result of an operation on numbers, or several; None where it is unknown."""
    name = in_arith(op.name)
    if name in VECTORS:
        return VECTORS[name](op, operands)
    if name in BINARY:
        return BINARY[name](operands[0], operands[1])
    if name in _UNARY:
        return _UNARY[name](operands[0])
    if name == "arith.cmpi":
        predicate = op.word_of("pred" if op.name == "index.cmp" else "predicate", PREDICATES)
        return _INTEGER_ORDERS[PREDICATES.index(predicate)](operands[0], operands[1])
    if name == "arith.cmpf":
        predicate = op.word_of("predicate", OF_FLOATS)
        return _compare_floats(OF_FLOATS.index(predicate), operands[0], operands[1])
    if name == "arith.select":
        condition = operands[0].reshape(operands[0].shape + (1,) * (operands[1].ndim - operands[0].ndim))
        return np.where(condition, operands[1], operands[2])
    if name in ("math.fma", "vector.fma"):
        wide = np.float64 if operands[0].dtype.itemsize <= 4 else np.longdouble
        return (operands[0].astype(wide) * operands[1].astype(wide) + operands[2].astype(wide)).astype(
            operands[0].dtype
        )
    if name in _WIDE:
        return _WIDE[name](operands[0], operands[1])
    if name in _PAIRS:
        return _PAIRS[name](operands[0])
    if name in _TESTS:
        return _TESTS[name](operands[0])
    if not op.result_types:
        return None
    target = dtype_of(op.result_types[0])
    if name in ("arith.scaling_extf", "arith.scaling_truncf") and target is not None:
        return _scaled(name, operands[0], operands[1], target)
    if name.partition(".")[0] in ("arith", "complex") and target is not None and len(operands) == 1:
        return _cast(name, operands[0], target)
    return None
