"""Numbers of few bits: integers of 2, 4 and 12 bits, and floats of 8, 6 and 4, beside NumPy, ml_dtypes and MLIR's tools."""

from __future__ import annotations

import functools
import operator
from collections.abc import Callable
from itertools import product
from typing import Any

import ml_dtypes
import numpy as np
import pytest
from frontends.mlir.host import Host
from sampling import at_night

import pytl
from pytl.backends.xegpu.interpreter.values import DTYPES
from pytl.frontends.mlir.types import SMALL, dtype_name
from pytl.mlir.text import Scalar

BACKENDS = ["reference", *at_night(["sycl", "mlir"])]
FLOATS = [name for name in SMALL if name.startswith("f")]
POWERS = np.dtype(ml_dtypes.float8_e8m0fnu)


def rounded(numbers: Any, dtype: Any) -> Any:
    """Numbers in another type, as MLIR rounds them: of a number, f8E8M0FNU has the exponent."""
    if dtype != POWERS:
        return numbers.astype(dtype)
    return (numbers.astype(np.float32).view(np.int32) >> 23).astype(np.uint8).view(POWERS)


def each(name: str, lines: str, result: str, *types: str) -> str:
    """A function that does something with each element of lines of memory; %x and %y are those, %r is the result."""
    names, values = "ab"[: len(types)], [f"%{each}" for each in "xy"[: len(types)]]
    memory = [f"%{each}: memref<?x{of}>" for each, of in zip(names, types)]
    ins = f"ins({', '.join(f'%{each}' for each in names)} : {', '.join(f'memref<?x{of}>' for of in types)})"
    maps = ", ".join(["affine_map<(i) -> (i)>"] * (len(types) + 1))
    arguments = ", ".join([*(f"{value}: {of}" for value, of in zip(values, types)), f"%o: {result}"])
    return f"""func.func @{name}({", ".join([*memory, f"%c: memref<?x{result}>"])}) {{
  linalg.generic {{indexing_maps = [{maps}], iterator_types = ["parallel"]}} {ins} outs(%c : memref<?x{result}>) {{
  ^bb0({arguments}):
    {lines}
    linalg.yield %r : {result}
  }}
  return
}}
"""


# Floats.


@functools.cache
def of_floats(name: str) -> dict[str, Any]:
    text = each("decoded", f"%r = arith.extf %x : {name} to f32", "f32", name)
    text += each("halved", f"%r = arith.extf %x : {name} to f16", "f16", name)
    text += each("added", f"%r = arith.addf %x, %y : {name}", name, name, name)
    text += each("less", f"%r = arith.cmpf olt, %x, %y : {name}", "i1", name, name)
    for wide in ("f16", "f32", "f64"):
        text += each(f"of_{wide}", f"%r = arith.truncf %x : {wide} to {name}", name, wide)
    text += each("of_i32", f"%r = arith.sitofp %x : i32 to {name}", name, "i32")
    return pytl.from_mlir(text)


@pytest.mark.at_most(1)
@pytest.mark.parametrize("backend", ["mlir", *at_night(["sycl", "reference"])])
@pytest.mark.parametrize("name", FLOATS)
def test_floats_are_those_of_ml_dtypes(name: str, backend: str) -> None:
    kernels, dtype = of_floats(name), np.dtype(dtype_name(Scalar(name)))
    bits = {"4": 4, "6": 6, "8": 8}[name[1]]
    codes = np.arange(1 << bits, dtype=np.uint8).view(np.int8)
    numbers = codes.view(dtype).astype(np.float32)

    def call(function: str, *given: Any, dtype: Any = np.int8) -> Any:
        result = np.zeros(len(given[0]), dtype)
        kernels[function][...](*given, result, backend=backend)
        return result

    np.testing.assert_array_equal(call("decoded", codes, dtype=np.float32), numbers)
    is_zero = numbers == 0
    assert (np.signbit(call("decoded", codes, dtype=np.float32)) == np.signbit(numbers))[is_zero].all()
    with np.errstate(over="ignore"):
        np.testing.assert_array_equal(call("halved", codes, dtype=np.float16), numbers.astype(np.float16))
    some = codes[:: 1 if backend == "mlir" else max(len(codes) // 12, 1)]
    first, second = (np.ascontiguousarray(grid).reshape(-1) for grid in np.meshgrid(some, some))
    with np.errstate(all="ignore"):
        total = rounded(first.view(dtype).astype(np.float32) + second.view(dtype).astype(np.float32), dtype)
    _same(call("added", first, second), total)
    less = first.view(dtype).astype(np.float32) < second.view(dtype).astype(np.float32)
    np.testing.assert_array_equal(call("less", first, second).astype(bool), less)
    rng = np.random.default_rng(3)
    finite = np.unique(numbers[np.isfinite(numbers)])
    middle = (finite[1:] + finite[:-1]) / 2
    factors = np.array([1.03, 1.07, 1.2, -2])
    ends = [0.0, -0.0, np.inf, -np.inf, np.nan, 1e-40, -1e-40, *(float(finite[-1]) * factors)]
    wide = np.concatenate([finite, middle, *(np.nextafter(middle, side) for side in (-np.inf, np.inf)), ends])
    with np.errstate(over="ignore"):
        wide = wide.astype(np.float32)
    wide = np.concatenate([wide, np.exp(8 * rng.normal(size=200)) * rng.choice([-1, 1], 200)])
    wide = wide if backend == "mlir" else rng.choice(wide, 100)
    with np.errstate(all="ignore"):
        for each_ in (np.float16, np.float32, np.float64):
            # ml_dtypes rounds numbers of f64 to f32 before
            given = wide.astype(np.float32).astype(each_)
            _same(call(f"of_f{8 * given.itemsize}", given), rounded(given, dtype))
        whole = np.array([0, 1, -1, 7, -9, 300, 70000, -(1 << 30)], np.int32)
        _same(call("of_i32", whole), rounded(whole, dtype))


def _same(found: Any, expected: Any) -> None:
    """The same bits, or no number."""
    same = found.view(np.uint8) == expected.view(np.uint8)
    assert (
        same | (np.isnan(found.view(expected.dtype).astype(np.float32)) & np.isnan(expected.astype(np.float32)))
    ).all()


SCALED = """
func.func @of_tensors(%a: tensor<?xGIVEN>, %b: tensor<?xSCALE>) -> tensor<?xMADE> {
  %r = arith.scaling_WORD %a, %b : tensor<?xGIVEN>, tensor<?xSCALE> to tensor<?xMADE>
  return %r : tensor<?xMADE>
}
func.func @of_vectors(%a: memref<2x4xGIVEN>, %b: memref<2x4xSCALE>, %c: memref<2x4xMADE>) {
  %c0 = arith.constant 0 : index
  %x = vector.load %a[%c0, %c0] : memref<2x4xGIVEN>, vector<2x4xGIVEN>
  %y = vector.load %b[%c0, %c0] : memref<2x4xSCALE>, vector<2x4xSCALE>
  %r = arith.scaling_WORD %x, %y : vector<2x4xGIVEN>, vector<2x4xSCALE> to vector<2x4xMADE>
  vector.store %r, %c[%c0, %c0] : memref<2x4xMADE>, vector<2x4xMADE>
  return
}
"""


@pytest.mark.at_most(1)
@pytest.mark.parametrize("backend", ["mlir", *at_night(["sycl", "reference"])])
@pytest.mark.parametrize(
    ("word", "given", "scale", "made"),
    [
        ("extf", "f4E2M1FN", "f8E8M0FNU", "f32"),
        ("extf", "f8E5M2", "f8E8M0FNU", "bf16"),
        ("extf", "f6E3M2FN", "f32", "f16"),
        ("extf", "f16", "f64", "f32"),
        ("truncf", "f32", "f8E8M0FNU", "f4E2M1FN"),
        ("truncf", "bf16", "f8E8M0FNU", "f8E4M3FN"),
        ("truncf", "f16", "bf16", "f6E2M3FN"),
        ("truncf", "f64", "f32", "f8E5M2"),
        ("truncf", "f64", "f8E8M0FNU", "f16"),
    ],
)
def test_casts_by_a_scale_are_products_and_quotients(
    word: str, given: str, scale: str, made: str, backend: str
) -> None:
    text = (
        each("of_numbers", "%r = arith.scaling_WORD %x, %y : GIVEN, SCALE to MADE", "MADE", "GIVEN", "SCALE") + SCALED
    )
    for name, meant in (("WORD", word), ("GIVEN", given), ("SCALE", scale), ("MADE", made)):
        text = text.replace(name, meant)
    kernels, dtypes = pytl.from_mlir(text), [DTYPES[name] for name in (given, scale, made)]
    rng = np.random.default_rng(5)
    ends = np.array([0, -0.0, np.inf, np.nan, 1, -1.5, 1e-40, 2.0**-127, 2.0**127, -3e38])
    ends = np.concatenate([ends, rng.normal(size=20) * np.exp2(rng.integers(-9, 9, 20))]).astype(np.float32)
    with np.errstate(all="ignore"):
        first, second = (np.ascontiguousarray(grid).reshape(-1) for grid in np.meshgrid(ends, ends))
        first, second = first.astype(dtypes[0]), rounded(second, dtypes[1])
        if word == "extf":
            wide = first.astype(dtypes[2]) * rounded(second, POWERS).astype(dtypes[2])
        else:
            wide = first / rounded(second, POWERS).astype(dtypes[0])
        expected, is_number = wide.astype(dtypes[2]), ~np.isnan(wide)
    result = kernels["of_tensors"][...](first, second, backend=backend)
    _equal(result, expected, is_number)
    # in memrefs, what NumPy has not itself is bytes
    stored = [
        each if each.dtype.itemsize > 1 else each.view(np.int8) for each in (first, second, np.zeros_like(expected))
    ]
    kernels["of_numbers"][...](*stored, backend=backend)
    _equal(stored[2].view(dtypes[2]), expected, is_number)
    few = [each[:8].reshape(2, 4).copy() for each in stored]
    kernels["of_vectors"][...](*few, backend=backend)
    _equal(few[2].view(dtypes[2]).reshape(-1), expected[:8], is_number[:8])


def _equal(found: Any, expected: Any, is_number: Any) -> None:
    """The same numbers; what becomes of nan where a type has none may have any sign."""
    np.testing.assert_array_equal(found.astype(np.float64), expected.astype(np.float64))
    is_zero = (expected == 0) & is_number
    np.testing.assert_array_equal(np.signbit(found)[is_zero], np.signbit(expected)[is_zero])


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("%r = arith.scaling_extf %x, %s : f4E2M1FN, f8E5M2 to f32",
         "arith.scaling_extf: its scale is f8E8M0FNU, or a float of 16 bits or more, not f8E5M2"),
        ("%r = arith.scaling_truncf %w, %i : f32, i32 to f4E2M1FN",
         "arith.scaling_truncf: an operand is i32, not a floating point number"),
        ("%r = arith.scaling_truncf %w, %w downward : f32, f32 to f4E2M1FN",
         "arith.scaling_truncf: a cast rounds to the nearest number, the even one of two"),
        ("%r = arith.truncf %w toward_zero : f32 to f16",
         "arith.truncf: a cast rounds to the nearest number, the even one of two"),
        ('%r = "arith.truncf"(%w) <{roundingmode = 3 : i32}> : (f32) -> f4E2M1FN',
         "arith.truncf: a cast rounds to the nearest number, the even one of two"),
    ],
)  # fmt: skip
def test_casts_are_of_scales_that_mlir_knows_and_round_to_the_nearest(line: str, message: str) -> None:
    text = f"func.func @f(%x: f4E2M1FN, %s: f8E5M2, %w: f32, %i: i32) {{\n  {line}\n  return\n}}"
    with pytest.raises(pytl.LanguageError) as caught:
        pytl.from_mlir(text)
    (only,) = caught.value.diagnostics
    assert only.location.line == 2 and only.message == message


# Integers.

WIDTHS = {"i2": (2, np.int8), "i4": (4, np.int8), "i12": (12, np.int16)}


def wrapped(number: int, bits: int) -> int:
    half = 1 << bits - 1
    return (number + half) % (2 * half) - half


def quotient(a: int, b: int) -> int:
    return abs(a) // abs(b) * (-1 if (a < 0) != (b < 0) else 1)


SIGNED: dict[str, Callable[[int, int], int]] = {
    "addi": operator.add, "subi": operator.sub, "muli": operator.mul,
    "andi": operator.and_, "ori": operator.or_, "xori": operator.xor,
    "divsi": quotient, "remsi": lambda a, b: a - b * quotient(a, b),
    "floordivsi": lambda a, b: a // b, "ceildivsi": lambda a, b: -(-a // b), "minsi": min, "maxsi": max,
}  # fmt: skip
UNSIGNED: dict[str, Callable[[int, int], int]] = {
    "divui": operator.floordiv, "remui": operator.mod, "ceildivui": lambda a, b: -(-a // b), "minui": min, "maxui": max,
}  # fmt: skip
SHIFTS: dict[str, Callable[[int, int, int], int]] = {
    "shli": lambda a, n, mask: a << n,
    "shrsi": lambda a, n, mask: a >> n,
    "shrui": lambda a, n, mask: (a & mask) >> n,
}
COMPARED = {"eq": operator.eq, **{f"{s}{word}": getattr(operator, word) for s in "su" for word in ("lt", "ge")}}
CASTS: dict[str, tuple[str, str, Callable[[int, int], float]]] = {
    "arith.extsi": ("{}", "i32", lambda a, mask: a),
    "arith.extui": ("{}", "i32", lambda a, mask: a & mask),
    "arith.index_cast": ("{}", "index", lambda a, mask: a),
    "arith.index_castui": ("{}", "index", lambda a, mask: a & mask),
    "arith.sitofp": ("{}", "f32", lambda a, mask: a),
    "arith.uitofp": ("{}", "f32", lambda a, mask: a & mask),
    "arith.trunci": ("i32", "{}", lambda a, mask: a),
    "arith.fptosi": ("f32", "{}", lambda a, mask: a),
}
BITS: dict[str, Callable[[int, int, int], int]] = {
    "math.ctpop": lambda a, bits, mask: (a & mask).bit_count(),
    "math.ctlz": lambda a, bits, mask: bits - (a & mask).bit_length(),
    "math.cttz": lambda a, bits, mask: ((a & -a).bit_length() - 1) if a & mask else bits,
    "math.absi": lambda a, bits, mask: abs(a),
}


def text_of_integers(name: str) -> str:
    text = ""
    for word in (*SIGNED, *UNSIGNED, *SHIFTS):
        text += each(word, f"%r = arith.{word} %x, %y : {name}", name, name, name)
    for word in COMPARED:
        text += each(f"is_{word}", f"%r = arith.cmpi {word}, %x, %y : {name}", "i1", name, name)
    for word, (source, target, _) in CASTS.items():
        types = source.format(name), target.format(name)
        text += each(word.partition(".")[2], f"%r = {word} %x : {types[0]} to {types[1]}", types[1], types[0])
    for word in BITS:
        text += each(word.partition(".")[2], f"%r = {word} %x : {name}", name, name)
    return text


def check_integers(name: str, call: Callable[..., Any]) -> None:
    """Compare what functions compute of all pairs of numbers, or of some."""
    bits, dtype = WIDTHS[name]
    mask, low = (1 << bits) - 1, -(1 << bits - 1)
    numbers = list(range(low, -low)) if bits < 8 else [low, low + 1, -1000, -37, -1, 0, 1, 2, 5, 44, 1000, -low - 1]

    def lines(pairs: Any) -> list[Any]:
        # as MLIR's own code has them in memory: without a sign
        return [np.array([each & mask for each in line], dtype) for line in zip(*pairs)]

    def compare(function: str, given: list[Any], expected: list[Any], result: Any = dtype) -> None:
        found = call(function, *given, result)
        if result == dtype:
            np.testing.assert_array_equal(found & mask, np.array([each & mask for each in expected]), function)
        else:
            np.testing.assert_array_equal(found, np.array(expected), function)

    every = list(product(numbers, numbers))
    divided = [(a, b) for a, b in every if b and (a, b) != (low, -1)]
    for word, of in SIGNED.items():
        pairs = divided if "div" in word or "rem" in word else every
        compare(word, lines(pairs), [of(a, b) for a, b in pairs])
    for word, of in UNSIGNED.items():
        compare(word, lines(divided), [of(a & mask, b & mask) for a, b in divided])
    shifted = list(product(numbers, range(bits)))
    for word, shift in SHIFTS.items():
        compare(word, lines(shifted), [shift(a, n, mask) for a, n in shifted])
    for word, order in COMPARED.items():
        without = mask if word.startswith("u") else -1
        compare(f"is_{word}", lines(every), [order(a & without, b & without) for a, b in every], np.int8)
    dtypes: dict[str, Any] = {"i32": np.int32, "index": np.int64, "f32": np.float32}
    for word, (source, target, cast) in CASTS.items():
        given = lines(zip(numbers)) if source == "{}" else [np.array(numbers, dtypes[source])]
        compare(word.partition(".")[2], given, [cast(a, mask) for a in numbers], dtypes.get(target, dtype))
    for word, count in BITS.items():
        compare(word.partition(".")[2], lines(zip(numbers)), [count(a, bits, mask) for a in numbers])


@pytest.mark.at_most(1)
@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("name", WIDTHS)
def test_integers_are_as_wide_as_they_say(name: str, backend: str) -> None:
    kernels = pytl.from_mlir(text_of_integers(name))

    def call(function: str, *given: Any) -> Any:
        *arrays, dtype = given
        result = np.zeros(len(arrays[0]), dtype)
        kernels[function][...](*arrays, result, backend=backend)
        return result

    check_integers(name, call)


@pytest.mark.at_most(1)
@pytest.mark.tools_of("mlir")
@pytest.mark.parametrize("name", WIDTHS)
def test_mlirs_own_code_computes_the_same(name: str) -> None:
    host = Host(text_of_integers(name))

    def call(function: str, *given: Any) -> Any:
        *arrays, dtype = given
        result = np.zeros(len(arrays[0]), dtype)
        host.call(function, [*arrays, result])
        return result

    check_integers(name, call)


# Operations on tensors.

TENSORS = """
func.func @product(%a: tensor<5x6xTYPE>, %b: tensor<6x3xTYPE>) -> tensor<5x3xWIDE> {
  %z = arith.constant ZERO : WIDE
  %e = tensor.empty() : tensor<5x3xWIDE>
  %f = linalg.fill ins(%z : WIDE) outs(%e : tensor<5x3xWIDE>) -> tensor<5x3xWIDE>
  %r = linalg.matmul ins(%a, %b : tensor<5x6xTYPE>, tensor<6x3xTYPE>) outs(%f : tensor<5x3xWIDE>) -> tensor<5x3xWIDE>
  return %r : tensor<5x3xWIDE>
}
func.func @moved(%a: tensor<5x6xTYPE>, %n: index) -> (tensor<6x5xTYPE>, TYPE) {
  %c0 = arith.constant 0 : index
  %one = arith.constant ONE : TYPE
  %k = arith.constant dense<[ONE, ZERO]> : tensor<2xTYPE>
  %x = tensor.extract %k[%n] : tensor<2xTYPE>
  %b = tensor.insert %one into %a[%c0, %c0] : tensor<5x6xTYPE>
  %e = tensor.empty() : tensor<6x5xTYPE>
  %t = linalg.transpose ins(%b : tensor<5x6xTYPE>) outs(%e : tensor<6x5xTYPE>) permutation = [1, 0]
  return %t, %x : tensor<6x5xTYPE>, TYPE
}
func.func @largest(%a: tensor<5x6xTYPE>, %i: tensor<5xTYPE>) -> tensor<5xTYPE> {
  %r = linalg.reduce ins(%a : tensor<5x6xTYPE>) outs(%i : tensor<5xTYPE>) dimensions = [1]
    (%x: TYPE, %y: TYPE) {
      %m = arith.MAXIMUM %x, %y : TYPE
      linalg.yield %m : TYPE
    }
  return %r : tensor<5xTYPE>
}
func.func @vectors(%a: memref<8xTYPE>, %c: memref<8xWIDE>) {
  %c0 = arith.constant 0 : index
  %v = vector.load %a[%c0] : memref<8xTYPE>, vector<8xTYPE>
  %k = arith.constant dense<ONE> : vector<8xTYPE>
  %s = arith.ADD %v, %k : vector<8xTYPE>
  %m = vector.reduction <LARGER>, %s : vector<8xTYPE> into TYPE
  %b = vector.broadcast %m : TYPE to vector<8xTYPE>
  %t = arith.ADD %s, %b : vector<8xTYPE>
  %w = arith.EXTEND %t : vector<8xTYPE> to vector<8xWIDE>
  vector.store %w, %c[%c0] : memref<8xWIDE>, vector<8xWIDE>
  return
}
"""
OF_INTEGERS = {
    "MAXIMUM": "maxsi",
    "LARGER": "maxsi",
    "ADD": "addi",
    "EXTEND": "extsi",
    "WIDE": "i32",
    "ZERO": "0",
    "ONE": "1",
}
OF_FLOATS = {"MAXIMUM": "maximumf", "LARGER": "maximumf", "ADD": "addf", "EXTEND": "extf", "WIDE": "f32", "ZERO": "0.0",
             "ONE": "1.0"}  # fmt: skip


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("name", ["i4", "f8E4M3FN"])
def test_tensors_are_those_of_ml_dtypes(name: str, backend: str) -> None:
    text = TENSORS
    for word, meant in (OF_FLOATS if name.startswith("f") else OF_INTEGERS).items():
        text = text.replace(word, meant)
    kernels, dtype = pytl.from_mlir(text.replace("TYPE", name)), np.dtype(dtype_name(Scalar(name)))
    wide = np.float32 if name.startswith("f") else np.int32
    rng = np.random.default_rng(5)
    a, b, i = (rng.integers(-8, 8, shape).astype(dtype) for shape in ((5, 6), (6, 3), (5,)))
    found = kernels["product"][...](a, b, backend=backend)
    np.testing.assert_array_equal(found, a.astype(wide) @ b.astype(wide))
    turned, first = kernels["moved"][...](a, 0, backend=backend)
    assert turned.dtype == dtype and first.dtype == dtype and first == 1
    expected = a.T.astype(wide)
    expected[0, 0] = 1
    np.testing.assert_array_equal(turned.astype(wide), expected)
    largest = kernels["largest"][...](a, i, backend=backend)
    np.testing.assert_array_equal(largest.astype(wide), np.maximum(a.astype(wide).max(1), i.astype(wide)))
    line, result = rng.integers(-3, 3, 8).astype(dtype), np.zeros(8, wide)
    kernels["vectors"][...](line.view(np.int8), result, backend=backend)
    np.testing.assert_array_equal(result, line.astype(wide) + 1 + line.astype(wide).max() + 1)


def test_the_host_has_them() -> None:
    """Of a size that is known on the way alone."""
    text = """func.func @f(%x: tensor<?xi4>, %n: index) -> tensor<?xi4> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%t = %x) -> (tensor<?xi4>) {
    %s = arith.addi %t, %t : tensor<?xi4>
    %c = tensor.concat dim(0) %s, %t : (tensor<?xi4>, tensor<?xi4>) -> tensor<?xi4>
    scf.yield %c : tensor<?xi4>
  }
  return %r : tensor<?xi4>
}"""
    x = np.array([3, -7], ml_dtypes.int4)
    (kernel,) = pytl.from_mlir(text).values()
    assert type(kernel).__name__ == "HostFunction"
    assert kernel(x, 2).astype(int).tolist() == [-4, 4, 6, 2, 6, 2, 3, -7]


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("%r, %s = arith.mulsi_extended %x, %x : i4", "arith.mulsi_extended: it is not read of i4"),
        (
            "%r = memref.atomic_rmw maxs %x, %m[%i] : (i4, memref<4xi4>) -> i4",
            "memref.atomic_rmw: it is not read of i4",
        ),
        ("%r = vector.bitcast %v : vector<4xi4> to vector<2xi8>", "vector.bitcast: it is not read of vector<4xi4>"),
    ],
)
def test_what_needs_their_width_in_memory_is_refused(line: str, message: str) -> None:
    head = "%x: i4, %m: memref<4xi4>, %i: index"
    text = f"func.func @f({head}) {{\n  %v = vector.load %m[%i] : memref<4xi4>, vector<4xi4>\n  {line}\n  return\n}}"
    with pytest.raises(pytl.LanguageError) as caught:
        pytl.from_mlir(text)
    (only,) = caught.value.diagnostics
    assert (only.code, only.location.line, only.message) == ("PYTL-1303", 3, message)
