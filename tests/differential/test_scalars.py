"""Arithmetic, comparisons, casts and constants: the SYCL backend against the reference."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from differential.cases import (
    BOUNDS,
    EXACT,
    NEEDS_SYCL,
    STRATEGIES,
    Batch,
    Bound,
    Case,
    batches,
    each,
    each_way,
    literal,
    uneven,
)
from reference_kit import BITS, COMPLEX, DTYPES, FLOATS, FORMATS, INTEGER_EDGES, INTEGERS, float_edges

from pytl.ir.types import SCALAR_TYPES
from pytl.ops import scalars
from pytl.ops.arith import COMPARISONS, admits_binary, admits_cast, admits_unary, unary_result

pytestmark = [NEEDS_SYCL, pytest.mark.at_most(4)]

TYPES = list(SCALAR_TYPES)
BINARY = ["add", "sub", "mul", "div", "rem", "min", "max", "shl", "shr", "and", "or", "xor"]
UNARY = ["abs", "neg", "not", "conj", "im", "re"]


def edges(type_: str) -> np.ndarray:
    """Numbers of a type at which arithmetic goes wrong first."""
    if type_ in INTEGERS:
        return np.array(INTEGER_EDGES[type_], DTYPES[type_])
    if type_ in FLOATS:
        return float_edges(type_)
    part = {"c32": "f32", "c64": "f64"}[type_]
    parts = [0.0, -0.0, 1.0, -2.5, 1e-3, 300.0, math.ldexp(1.0, FORMATS[part][1]), math.inf, math.nan]
    return np.array([complex(re, im) for re, im in itertools.product(parts, parts)]).astype(DTYPES[type_])


def numbers(type_: str) -> np.ndarray:
    """The edges, and numbers with all digits."""
    return np.concatenate([edges(type_), uneven(np.random.default_rng(5), type_, 20)])


def pairs(type_: str, variant: str) -> tuple[np.ndarray, np.ndarray]:
    """Operands for which an operation is defined: every number with every other."""
    left = right = numbers(type_)
    if type_ in INTEGERS and variant in ("div", "rem"):
        right = right[right != 0]
    if variant in ("shl", "shr"):
        right = np.arange(BITS[type_], dtype=DTYPES[type_])
    if type_ in COMPLEX:
        left, right = left[::2], right[::3]
        if variant == "div":  # of infinities and nan the language does not say what the parts of a quotient are
            left, right = left[np.isfinite(left)], right[np.isfinite(right) & (right != 0)]
    a, b = zip(*itertools.product(left, right), strict=True)
    return np.array(a, DTYPES[type_]), np.array(b, DTYPES[type_])


def constants(type_: str, variant: str = "") -> list:
    """Literals for the second operand."""
    if variant in ("shl", "shr"):
        return [0, 1, BITS[type_] - 1]
    if type_ in INTEGERS:
        most = 2 ** (BITS[type_] - 1) - 1
        least = -most if BITS[type_] == 64 else -most - 1  # there is no literal for -2^63
        return [3, -1, least, most]
    if type_ in FLOATS:
        return [2.5, -0.0, float(FORMATS[type_][2]), math.ldexp(-1.0, FORMATS[type_][1])]
    return [2.5 - 1j, complex(-0.0, 1.0), -1 + 0j]


def rounding(variant: str, type_: str) -> Bound:
    if variant in ("min", "max"):
        return BOUNDS["min, max"]
    return BOUNDS.get(f"{'complex ' if type_ in COMPLEX else ''}{variant}", EXACT)


def binary_case(variant: str, type_: str) -> Case:
    """Elements with elements, with literals on either side, and scalar parameters in a collective region."""
    a, b = pairs(type_, variant)
    second = constants(type_, variant)
    of_literals, lines = np.zeros((a.size, 2 * len(second)), DTYPES[type_], order="F"), []
    for number, value in enumerate(second):
        lines += [
            f"%l{number} = constant {literal(value, type_)} : {type_}",
            f"%j{number} = constant {2 * number} : index",
            f"%k{number} = constant {2 * number + 1} : index",
            f"%u{number} = arith.{variant} %x, %l{number} : {type_}",
            f"store %u{number}, %m[%i, %j{number}]",
        ]
        lines += [
            f"%v{number} = arith.{variant} %l{number}, %y : {type_}",
            f"store %v{number}, %m[%i, %k{number}]",
        ]
    body = f"""
      %zero = constant 0 : index
      %n = size %r[0] : index
      foreach (%i) = (%zero), (%n) {{
        %x = load %a[%i] : {type_}
        %y = load %b[%i] : {type_}
        %z = arith.{variant} %x, %y : {type_}
        store %z, %r[%i]
        {" ".join(lines)}
      }}
      %w = arith.{variant} %p, %q : {type_}
      store %w, %s[]"""
    p, q = a[1].item(), b[-1].item()
    if type_ == "bf16":
        p, q = float(a[1]), float(b[-1])
    vector = f"memref<{type_}x?>"
    return Case(
        variant,
        {
            "a": (vector, a),
            "b": (vector, b),
            "r": (vector, np.zeros_like(a)),
            "m": (f"memref<{type_}x?x{of_literals.shape[1]}>", of_literals),
            "p": (type_, p),
            "q": (type_, q),
            "s": (f"memref<{type_}>", np.zeros((), DTYPES[type_])),
        },
        body,
        rounding(variant, type_),
        axes=(variant, type_),
    )


BINARY_BATCHES = [
    batch
    for type_ in TYPES
    for batch in batches(type_, [binary_case(v, type_) for v in BINARY if admits_binary(v, SCALAR_TYPES[type_])], 3)
]


@pytest.mark.at_night
@each_way(BINARY_BATCHES, STRATEGIES)
def test_binary(batch: Batch, case: Case, way: str) -> None:
    assert batch.differences(case, way) == []


def unary_case(variant: str, type_: str) -> Case:
    a = numbers(type_)
    result = str(unary_result(variant, SCALAR_TYPES[type_]))
    body = f"""
      %zero = constant 0 : index
      %n = size %r[0] : index
      foreach (%i) = (%zero), (%n) {{
        %x = load %a[%i] : {type_}
        %z = arith.{variant} %x : {result}
        store %z, %r[%i]
      }}"""
    return Case(
        variant,
        {"a": (f"memref<{type_}x?>", a), "r": (f"memref<{result}x?>", np.zeros(a.size, DTYPES[result]))},
        body,
        rounding(variant, type_),
        # no axes: there are few, and code for many work-items and vector code are two ways to write each of them
    )


UNARY_BATCHES = [
    Batch(type_, [unary_case(v, type_) for v in UNARY if admits_unary(v, SCALAR_TYPES[type_])]) for type_ in TYPES
]


@pytest.mark.at_most(1)
@each_way(UNARY_BATCHES, STRATEGIES)
def test_unary(batch: Batch, case: Case, way: str) -> None:
    assert batch.differences(case, way) == []


def castable(source: str, target: str) -> np.ndarray:
    """Numbers of a type that may be cast to another, with the halves between integers and between floats."""
    found = numbers(source)
    if source in FLOATS:
        ties = np.array([0.5, 1.5, 2.5, -0.5, -3.5, 2049.0, 2051.0, 65503.0, 4097.5, 127.99, -128.99, 1e-7])
        found = np.concatenate([found, ties.astype(np.float32).astype(DTYPES[source])])
        if source in ("f32", "f64"):
            found = np.concatenate([found, np.array([65519.0, 65519.99, 65520.0, 65536.0], DTYPES[source])])
        if source == "f64":  # what two roundings would get wrong, and subnormals of the narrow types
            above = [1 + 2.0**-9 + 2.0**-40, 1 + 2.0**-12 + 2.0**-40, 1 + 2.0**-24 + 2.0**-50, 2.0**-149 * 1.5]
            found = np.concatenate([found, [*above, *(-x for x in above), 3e38, 3.4028235677973366e38]])
    if source in ("i32", "i64", "index"):
        bits = np.array([2**24 + 1, 2**24 + 3, 2**25 - 1, 2049, 65519, 65520, -(2**24) - 1, 257, 384 + 1])
        found = np.concatenate([found, bits.astype(DTYPES[source])])
    if source in ("i64", "index"):
        bits = [2**53 + 1, 2**54 - 1, 2**62 + 2**38 + 1, 2**62 + 2**38, 2**55 + 2**46 + 1, -(2**62) - 2**54 - 1]
        found = np.concatenate([found, np.array(bits)])
    if source in FLOATS and target in INTEGERS:
        found = found[~scalars.beyond(found, SCALAR_TYPES[source], SCALAR_TYPES[target])]
    return found


def cast_case(source: str, target: str) -> Case:
    a = castable(source, target)
    body = f"""
      %zero = constant 0 : index
      %n = size %r[0] : index
      foreach (%i) = (%zero), (%n) {{
        %x = load %a[%i] : {source}
        %z = cast %x : {target}
        store %z, %r[%i]
      }}"""
    return Case(
        target,
        {"a": (f"memref<{source}x?>", a), "r": (f"memref<{target}x?>", np.zeros(a.size, DTYPES[target]))},
        body,
        axes=(source, target),
    )


CAST_BATCHES = [
    batch
    for a in TYPES
    for batch in batches(a, [cast_case(a, b) for b in TYPES if admits_cast(SCALAR_TYPES[a], SCALAR_TYPES[b])], 6)
]


@pytest.mark.at_most(1)
@each_way(CAST_BATCHES, STRATEGIES)
def test_cast(batch: Batch, case: Case, way: str) -> None:
    assert batch.differences(case, way) == []


def folded_cast_case(source: str, target: str) -> Case:
    """Casts of constants, which a pass may carry out."""
    values = constants(source)
    if source in INTEGERS and BITS[source] == 64:
        values += [2**62 + 2**38 + 1, 2**53 + 1, -(2**62) - 2**54 - 1]
    if source in FLOATS and target in INTEGERS:
        values = [v for v in values if abs(v) < 100]
    lines = [
        f"%x{k} = constant {literal(v, source)} : {source} %z{k} = cast %x{k} : {target}"
        f" %i{k} = constant {k} : index store %z{k}, %r[%i{k}]"
        for k, v in enumerate(values)
    ]
    return Case(target, {"r": (f"memref<{target}x?>", np.zeros(len(values), DTYPES[target]))}, "\n".join(lines))


FOLDED_CAST_BATCHES = [
    Batch(a, [folded_cast_case(a, b) for b in TYPES if admits_cast(SCALAR_TYPES[a], SCALAR_TYPES[b])]) for a in TYPES
]


@pytest.mark.at_most(1)
@each(FOLDED_CAST_BATCHES)
def test_cast_of_constants(batch: Batch, case: Case) -> None:
    assert batch.differences(case, "one-item") == []


def compare_case(variant: str, type_: str) -> Case:
    """Comparisons of elements, and of elements with literals, told by what an if chooses."""
    a, b = pairs(type_, variant)
    value = constants(type_)[0]
    body = f"""
      %zero = constant 0 : index
      %n = size %r[0] : index
      %no = constant 0 : i8
      %yes = constant 1 : i8
      %two = constant 2 : i8
      %l = constant {literal(value, type_)} : {type_}
      foreach (%i) = (%zero), (%n) {{
        %x = load %a[%i] : {type_}
        %y = load %b[%i] : {type_}
        %c = cmp.{variant} %x, %y : bool
        %d = cmp.{variant} %x, %l : bool
        %u = if %c -> (i8) {{ yield (%yes) }} else {{ yield (%no) }}
        %v = if %d -> (i8) {{ yield (%two) }} else {{ yield (%no) }}
        %w = arith.add %u, %v : i8
        store %w, %r[%i]
      }}"""
    return Case(
        variant,
        {
            "a": (f"memref<{type_}x?>", a),
            "b": (f"memref<{type_}x?>", b),
            "r": ("memref<i8x?>", np.zeros(a.size, np.int8)),
        },
        body,
        axes=(variant, type_),
    )


COMPARE_BATCHES = [
    batch
    for t in TYPES
    for batch in batches(t, [compare_case(v, t) for v in COMPARISONS if v in ("eq", "ne") or t not in COMPLEX], 3)
]


@pytest.mark.at_most(1)
@each_way(COMPARE_BATCHES, STRATEGIES)
def test_compare(batch: Batch, case: Case, way: str) -> None:
    assert batch.differences(case, way) == []


def constant_case(type_: str) -> Case:
    """Constants, stored as they are, and after arithmetic that a pass folds."""
    values = constants(type_)
    if type_ in FLOATS:
        values += [0.0, 0.1, -1 / 3, math.ldexp(1.0, FORMATS[type_][1])]
    if type_ in COMPLEX:
        values += [0j, complex(0.0, -0.0), 0.1 - 0.3j]
    if type_ in INTEGERS:
        values += [0, 1, -2]
    lines, count = [], 0
    for number, value in enumerate(values):
        lines.append(f"%x{number} = constant {literal(value, type_)} : {type_}")
    stored = [f"%x{number}" for number in range(len(values))]
    for number, variant in itertools.product(range(1, len(values)), ("add", "sub", "mul", "div", "min", "max", "rem")):
        if not admits_binary(variant, SCALAR_TYPES[type_]) or (variant in ("div", "rem") and not values[number]):
            continue
        if type_ in COMPLEX and variant == "div":
            continue
        count += 1
        lines.append(f"%y{count} = arith.{variant} %x{number - 1}, %x{number} : {type_}")
        stored.append(f"%y{count}")
    for place, name in enumerate(stored):
        lines.append(f"%i{place} = constant {place} : index store {name}, %r[%i{place}]")
    result = np.zeros(len(stored), DTYPES[type_])
    return Case(type_, {"r": (f"memref<{type_}x?>", result)}, "\n".join(lines), BOUNDS["min, max"])


CONSTANTS = batches("constants", [constant_case(type_) for type_ in TYPES], 1)


@pytest.mark.at_most(1)
@each_way(CONSTANTS, STRATEGIES)
def test_constants(batch: Batch, case: Case, way: str) -> None:
    assert batch.differences(case, way) == []


def parameter_case(type_: str) -> Case:
    """Scalar parameters, which are rounded to their type, stored and computed with."""
    if type_ in INTEGERS:
        most = 2 ** (BITS[type_] - 1) - 1
        values = [most, -most - 1, -1, 0]
    elif type_ in FLOATS:
        values = [0.1, 1 / 3, -0.0, math.inf, math.nan, 1e-7, float(FORMATS[type_][2]), 1 + 2.0**-9 + 2.0**-40]
    else:
        values = [0.1 - 0.3j, complex(math.inf, -0.0), complex(1e-40, math.nan)]
    parameters: dict = {f"x{k}": (type_, value) for k, value in enumerate(values)}
    parameters["r"] = (f"memref<{type_}x{2 * len(values)}>", np.zeros(2 * len(values), DTYPES[type_]))
    lines = [
        f"%i{k} = constant {2 * k} : index %j{k} = constant {2 * k + 1} : index"
        f" %y{k} = arith.add %x{k}, %x{k} : {type_} store %x{k}, %r[%i{k}] store %y{k}, %r[%j{k}]"
        for k in range(len(values))
    ]
    return Case(type_, parameters, "\n".join(lines))


PARAMETERS = batches("parameters", [parameter_case(type_) for type_ in TYPES], 2)


@pytest.mark.at_most(1)
@each_way(PARAMETERS, STRATEGIES)
def test_scalar_parameters(batch: Batch, case: Case, way: str) -> None:
    assert batch.differences(case, way) == []


def bool_case(first: str) -> Case:
    """Every operation on bool, of parameters, comparisons and constants, for all values of two of them."""
    seconds = ["%p", "%y", "%z", "%true", "%false"]
    expressions = [f"arith.{v} {first}, {b}" for v in ("and", "or", "xor") for b in seconds]
    expressions += [f"arith.not {first}"]
    lines = [
        f"""%b{k} = {text} : bool
        %n{k} = if %b{k} -> (i8) {{ yield (%one) }} else {{ yield (%no) }}
        %i{k} = constant {k} : index
        store %n{k}, %r[%i{k}, %i, %j]"""
        for k, text in enumerate(expressions)
    ]
    body = f"""
      %no = constant 0 : i8
      %one = constant 1 : i8
      %true = constant true : bool
      %false = constant false : bool
      %zero = constant 0 : index
      %two = constant 2 : index
      foreach (%i, %j) = (%zero, %zero), (%two, %two) {{
        %y = cmp.lt %zero, %i : bool
        %z = cmp.eq %j, %zero : bool
        {" ".join(lines)}
      }}"""
    shape = (len(expressions), 2, 2)
    return Case(
        first[1:],
        {
            "p": ("bool", True),
            "q": ("bool", False),
            "r": (f"memref<i8x{len(expressions)}x2x2>", np.full(shape, 7, np.int8, order="F")),
        },
        body,
    )


BOOLS = [Batch("bool", [bool_case(first)]) for first in ("%p", "%q", "%y", "%true", "%false")]


@pytest.mark.at_most(1)
@each_way(BOOLS, STRATEGIES)
def test_bool(batch: Batch, case: Case, way: str) -> None:
    assert batch.differences(case, way) == []
