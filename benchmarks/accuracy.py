"""The errors of pytl's functions: a million arguments each, and all that is special, beside long double.

    python benchmarks/accuracy.py [--arguments N] [--backends mlir,sycl] [--functions 'sin;pow(x, 5)'] [--write]

The unit is one in the last place of the correctly rounded result. `--write` puts the table into the guide.
The exact results are long double, of 64 digits or more on Linux. Where long double is no wider than double, nothing can
be measured, and the script says so. It ends with 1 where a bound does not hold.
"""

from __future__ import annotations

import argparse
import itertools
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import ml_dtypes
import numpy as np

import pytl
from pytl import Memref, bf16, f16, f32, f64, foreach
from pytl.frontends.lang.library.elementary import WITH_FASTMATH
from pytl.frontends.lang.library.power_function import REAL_POWER_ULPS

TYPES = {"f64": f64, "f32": f32, "f16": f16, "bf16": bf16}
DTYPES = {
    "f64": np.dtype(np.float64),
    "f32": np.dtype(np.float32),
    "f16": np.dtype(np.float16),
    "bf16": np.dtype(ml_dtypes.bfloat16),
}
DIGITS = {"f64": 53, "f32": 24, "f16": 11, "bf16": 8}
LEAST = {"f64": -1074, "f32": -149, "f16": -24, "bf16": -133}
"""The exponent of the least number above zero."""
TOP = {"f64": 1024, "f32": 128, "f16": 16, "bf16": 128}
"""The exponent of the least power of two that is infinite."""
PAGE = Path(__file__).parents[1] / "docs" / "guide" / "functions.md"
BEGIN, END = "<!-- measured -->", "<!-- end -->"
Wide = np.ndarray


def _erf(x: Wide) -> Wide:
    """The error function by a series without cancellation; where it rounds to one, one."""
    size = np.minimum(np.abs(x), np.longdouble(7))
    term, total = size, size.copy()
    for n in range(1, 260):
        term = term * 2 * size * size / (2 * n + 1)
        total += term
    pi = np.longdouble(4) * np.arctan(np.longdouble(1))
    return np.copysign(np.where(np.isnan(x), x, 2 / np.sqrt(pi) * np.exp(-size * size) * total), x)


EXACT: dict[str, Callable[..., Wide]] = {
    "sqrt": np.sqrt,
    "rsqrt": lambda x: 1 / np.sqrt(x),
    "floor": np.floor,
    "ceil": np.ceil,
    "log": np.log,
    "log2": np.log2,
    "sin": np.sin,
    "cos": np.cos,
    "tan": np.tan,
    "asin": np.arcsin,
    "acos": np.arccos,
    "atan": np.arctan,
    "sinh": np.sinh,
    "cosh": np.cosh,
    "tanh": np.tanh,
    "expm1": np.expm1,
    "erf": _erf,
}
"""What each function is in long double, which is right to eleven digits more than f64 has."""
EXPONENTS = (2, 3, 4, -1, -2, 5, 7, -3, 17, -40, 1000)
"""Those that powers are measured with, beside some at run time."""


def _power(n: int) -> Callable[[Any], Any]:
    def power(x: Any) -> Any:
        return pytl.pow(x, n)

    return power


def _exact_power(n: int) -> Callable[[Wide], Wide]:
    return lambda x: np.power(x, np.longdouble(n))


FUNCTIONS = {name: getattr(pytl, name) for name in EXACT}
BOUNDS = {name: function.ulps for name, function in FUNCTIONS.items()}
for _n in EXPONENTS:
    _name = f"pow(x, {_n})"
    FUNCTIONS[_name], EXACT[_name], BOUNDS[_name] = _power(_n), _exact_power(_n), pytl.pow.ulps  # type: ignore[attr-defined]


PAIRS = "pow(x, y)"
"""The function of two numbers."""
FUNCTIONS[PAIRS], EXACT[PAIRS], BOUNDS[PAIRS] = pytl.pow, np.power, REAL_POWER_ULPS


def can_measure() -> bool:
    """Whether long double is wide enough to tell the error of f64."""
    return np.finfo(np.longdouble).nmant >= 63


def special(type_: str) -> np.ndarray:
    """Arguments at which functions go wrong: zeros, ends of ranges, neighbours of powers of two, multiples of π/2."""
    largest = (2.0 - 2.0 ** (1 - DIGITS[type_])) * 2.0 ** (TOP[type_] - 1)
    numbers: list[Any] = [
        0.0,
        largest,
        np.inf,
        np.nan,
        0.5,
        1.0,
        1.5,
        2.0,
        2.5,
        3.0,
        4.0,
        6.0,
        10.0,
        20.0,
        0.1,
        1 / 3,
        0.84375,
    ]
    numbers += [2.0**e for e in range(LEAST[type_], TOP[type_])]
    multiples = np.arange(1, 2000) * (np.pi / 2)
    # the f64 and the f32 that lie nearest to a multiple of π/2
    numbers += [6381956970095103.0 * 2.0**797, 16367173.0 * 2.0**72, *multiples, *(np.pi / 2 * 2.0 ** np.arange(60))]
    with np.errstate(over="ignore"):
        found = np.array(numbers).astype(DTYPES[type_])
    bits = found.view(f"i{found.itemsize}")
    near = [(bits + step).astype(bits.dtype).view(found.dtype) for step in (-1, 0, 1)]
    positive = np.concatenate(near)
    return np.concatenate([positive, -positive])


def drawn(name: str, type_: str, count: int, seed: int = 1) -> np.ndarray:
    """Arguments at random: half of them of all sizes, a quarter each of usual size and of the smaller ones."""
    dtype = DTYPES[type_]
    random = np.random.default_rng(seed)
    if dtype.itemsize == 2:
        return np.arange(2**16, dtype=np.uint16).view(dtype)  # all there are
    bits = random.integers(0, 2 ** (8 * dtype.itemsize) - 1, count // 2, dtype=f"u{dtype.itemsize}", endpoint=True)
    usual = random.normal(0.0, 10.0, count // 4)
    small = random.uniform(-2.0, 2.0, count - count // 2 - count // 4)
    return np.concatenate([bits.view(dtype), usual.astype(dtype), small.astype(dtype)])


def special_pairs(type_: str) -> list[np.ndarray]:
    """Each of some numbers with each as its exponent: zeros, infinities, nan, odd and even ones, ends of ranges."""
    largest = (2.0 - 2.0 ** (1 - DIGITS[type_])) * 2.0 ** (TOP[type_] - 1)
    digits = DIGITS[type_]
    positive: list[Any] = [0.0, np.inf, np.nan, largest, 2.0 ** LEAST[type_], 2.0 ** (LEAST[type_] + digits - 1)]
    positive += [0.5, 1.0, 1.5, 2.0, 2.5, 3.0, 4.0, 5.0, 10.0, 1 / 3, 0.75, 1 - 2.0**-digits, 1 + 2.0 ** (1 - digits)]
    positive += [
        2.0**digits - 1,
        2.0**digits,
        2.0**digits + 2,
        2.0 ** (digits - 1) + 1,
        float(TOP[type_]),
        -LEAST[type_],
    ]
    numbers = np.array([*positive, *(-each for each in positive)]).astype(DTYPES[type_])
    x, y = np.meshgrid(numbers, numbers)
    return [x.ravel(), y.ravel()]


def drawn_pairs(type_: str, count: int, seed: int = 1) -> list[np.ndarray]:
    """Numbers and exponents at random; most of the powers are in range, spread evenly over its exponents."""
    dtype, random = DTYPES[type_], np.random.default_rng(seed)
    x = np.resize(drawn(PAIRS, type_, count, seed), count)
    quarter = count // 4
    # near one the logarithm is small, and the exponents large
    x[:quarter] = random.uniform(0.5, 2.0, quarter).astype(dtype)
    with np.errstate(all="ignore"):
        logarithms = np.log2(np.abs(x.astype(np.float64)))
        y = (random.uniform(1.01 * LEAST[type_], 1.01 * TOP[type_], count) / logarithms).astype(dtype)
        y[::7] = np.rint(y[::7].astype(np.float64)).astype(dtype)
        y[::11] = (np.rint(random.uniform(-40, 40, y[::11].size)) / 2).astype(dtype)
    return [x, y]


def arguments(name: str, type_: str, count: int) -> list[np.ndarray]:
    """The numbers that a function is measured with, an array for each argument: special ones, and some at random."""
    if name == PAIRS:
        return [np.concatenate(pair) for pair in zip(special_pairs(type_), drawn_pairs(type_, count))]
    return [np.concatenate([special(type_), drawn(name, type_, count)])]


def kernel_of(name: str, type_: str) -> pytl.Kernel:
    """A kernel that computes y = f(x), or z = f(x, y)."""
    function, element = FUNCTIONS[name], TYPES[type_]

    @pytl.kernel
    def apply_to_pairs(x: Memref[element, ...], y: Memref[element, ...], z: Memref[element, ...]):
        for i in foreach(x.shape[0]):
            z[i] = function(x[i], y[i])

    if name == PAIRS:
        return apply_to_pairs

    @pytl.kernel
    def apply(x: Memref[element, ...], y: Memref[element, ...]):
        for i in foreach(x.shape[0]):
            y[i] = function(x[i])

    return apply


def ulps(results: np.ndarray, exact: Wide, type_: str) -> np.ndarray:
    """How far results are from the exact ones; infinite where one alone is nan, or the signs differ."""
    with np.errstate(all="ignore"):
        rounded = exact.astype(DTYPES[type_])
        _, exponents = np.frexp(np.where(np.isfinite(exact), exact, np.longdouble(1)))
        top = TOP[type_]
        unit = np.ldexp(np.longdouble(1), np.maximum(np.minimum(exponents, top) - DIGITS[type_], LEAST[type_]))
        # what rounds to infinity is measured from where the next number would be
        beyond = np.copysign(np.ldexp(np.longdouble(1), top), exact)
        wide = np.where(
            np.isinf(results), np.copysign(beyond, results.astype(np.longdouble)), results.astype(np.longdouble)
        )
        target = np.where(np.abs(exact) > np.abs(beyond), beyond, exact)
        errors = np.abs(wide - target) / unit
        same = (np.isnan(results) & np.isnan(rounded)) | (
            (results == rounded) & (np.signbit(results) == np.signbit(rounded)) & ~np.isfinite(rounded)
        )
        wrong = (np.isnan(results) != np.isnan(rounded)) | (
            ~np.isnan(rounded) & (np.signbit(results) != np.signbit(rounded))
        )
        return np.where(same, 0.0, np.where(wrong, np.inf, errors)).astype(np.float64)


def exact_results(name: str, given: list[np.ndarray]) -> Wide:
    with np.errstate(all="ignore"):
        return EXACT[name](*(each.astype(np.longdouble) for each in given))


def worst(name: str, type_: str, given: list[np.ndarray], backend: str, is_fast: bool = False) -> tuple[float, Any]:
    """The largest error of a function over arguments, and the arguments that have it."""
    result = np.zeros_like(given[0])
    kernel_of(name, type_)[1, {"fastmath": is_fast}](*given, result, backend=backend)
    errors = ulps(result, exact_results(name, given), type_)
    at = int(np.argmax(errors))
    return float(errors[at]), [each[at] for each in given]


def rows(
    names: list[str], backends: list[str], count: int
) -> Iterator[tuple[str, str, float, dict[str, tuple[float, Any]]]]:
    for name, type_ in itertools.product(names, TYPES):
        given = arguments(name, type_, count)
        yield (
            name,
            type_,
            BOUNDS[name][type_],
            {backend: worst(name, type_, given, backend) for backend in backends},
        )
        if type_ == "f32" and name in WITH_FASTMATH:
            found = {backend: worst(name, type_, given, backend, True) for backend in backends}
            yield name, "f32, `fastmath`", WITH_FASTMATH[name], found


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--arguments", type=int, default=10**6)
    parser.add_argument("--backends", default="sycl,mlir")
    parser.add_argument("--functions", default=";".join(FUNCTIONS))
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args()
    if not can_measure():
        print("long double is no wider than double here, so that no error can be measured")
        return 1
    backends, chosen = options.backends.split(","), options.functions.split(";")
    head = ["function", "type", "bound", *backends]
    lines = [f"| {' | '.join(head)} |", f"| --- | --- |{' ---: |' * (len(head) - 2)}"]
    held = True
    print("\n".join(lines))
    for name, type_, bound, found in rows(chosen, backends, options.arguments):
        cells = [f"{error:.3f}".rstrip("0").rstrip(".") for error, _ in found.values()]
        lines.append(f"| `{name}` | {type_} | {bound:g} | {' | '.join(cells)} |")
        print(lines[-1], flush=True)
        for backend, (error, at) in found.items():
            if error > bound:
                print(f"  {backend}: {error} at {', '.join(float(each).hex() for each in at)}", flush=True)
                held = False
    if options.write:
        page = PAGE.read_text()
        head_, rest = page.split(BEGIN)
        PAGE.write_text(f"{head_}{BEGIN}\n\n" + "\n".join(lines) + f"\n\n{END}{rest.split(END)[1]}")
    return 0 if held else 1


if __name__ == "__main__":
    sys.exit(main())
