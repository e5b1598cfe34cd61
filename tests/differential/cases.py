"""The same kernels on the reference and on the SYCL backend: what they leave in memory is compared.

A `Case` is a piece of a kernel with its arguments. The cases of a `Batch` are compiled and launched as one kernel,
since a build costs more than a run; each is compared, and reported, on its own.
"""

from __future__ import annotations

import functools
import importlib.util
import re
from collections.abc import Hashable, Iterable, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import pytest
from reference_kit import COMPLEX, DTYPES, FORMATS, INTEGERS
from sampling import sampled

import pytl
from pytl.devices import compilers
from pytl.launch.arrays.arguments import Pointers
from pytl.process.settings import CACHE, COPY_NUMPY

NEEDS_SYCL = pytest.mark.skipif(not compilers.can_launch(), reason="nothing here compiles and launches kernels on SYCL")
STRATEGIES = ("one-item", "many-items")
"""Who executes a work-group."""
KINDS = (
    dict.fromkeys(INTEGERS, "integer")
    | {"bf16": "half", "f16": "half", "f32": "real", "f64": "real"}
    | dict.fromkeys(COMPLEX, "complex")
)
"""Of the element types."""
_TYPE = re.compile(rf"\b(?:{'|'.join(KINDS)})")
COPIED = (*STRATEGIES, "many-items, arrays copied")
"""The same, and arrays that a launch copies to the device and back."""
OPENCL = tuple(f"opencl {way}" for way in COPIED)
"""The same through OpenCL, by pyopencl."""
NEEDS_OPENCL = pytest.mark.skipif(
    compilers.installed_compiler() is None or importlib.util.find_spec("pyopencl") is None,
    reason="nothing here compiles kernels, or there is no pyopencl",
)
OTHERS = ("mlir", "arm_sme")
"""The backends beside SYCL that do what the reference does."""
WAYS = [
    *(pytest.param(strategy, marks=NEEDS_SYCL) for strategy in STRATEGIES),
    *(pytest.param(name, marks=pytest.mark.tools_of(name)) for name in OTHERS),
]
"""Each strategy of the SYCL backend, and each other backend."""


@dataclass(frozen=True)
class Bound:
    """How far results may lie apart: in units in the last place of the expected number.

    For a complex number the unit is that of its larger part; integers must always be equal.
    """

    ulps: Mapping[str, float]
    reason: str
    whole_array: bool = False
    """Whether the unit is that of the largest element of the array, as cancellation in sums demands."""
    signed_zeros: bool = True


BOUNDS: dict[str, Bound] = {
    "exact": Bound({}, "IEEE 754 and two's complement define every bit, and f16 and bf16 are rounded from f32 once"),
    "min, max": Bound({}, "either of two zeros is the smaller one", signed_zeros=False),
    "complex products": Bound({}, "products of complex numbers have several formulas", signed_zeros=False),
    "complex div": Bound(
        {"c32": 3, "c64": 3}, "six rounded operations against a quotient in a wider type", signed_zeros=False
    ),
    "atomic halves": Bound({"f16": 1, "bf16": 1}, "what is added atomically is rounded before the sum is"),
    "sums": Bound(
        {"bf16": 1, "f16": 1, "f32": 16, "f64": 16, "c32": 16, "c64": 16},
        "sums of at most 56 products in another order, with fused products; halves are rounded once, from f32",
        whole_array=True,
    ),
    "exp": Bound(
        {"f32": 2, "f64": 2, "c32": 5, "c64": 5},
        "OpenCL allows exp 3 ulp, and cos and sin 4; halves are rounded from f32",
        signed_zeros=False,
    ),
    "native_exp": Bound(
        {"f16": 3, "bf16": 1, "f32": 8192, "f64": 2, "c32": 32768, "c64": 5},
        "OpenCL allows half_exp 8192 ulp, which complex numbers far from 1 square; of f64 it is exp",
        signed_zeros=False,
    ),
    "exp2": Bound(
        {"f32": 3, "f64": 3, "c32": 8, "c64": 8}, "OpenCL allows exp2 3 ulp, and cos and sin 4", signed_zeros=False
    ),
    "native functions": Bound(
        {"f16": 8, "bf16": 1, "f32": 8192, "f64": 4, "c32": 32768, "c64": 8},
        "OpenCL allows half_exp2 and half_log 8192 ulp; of f64 they are the others",
        signed_zeros=False,
    ),
    "complex abs": Bound({"f32": 4, "f64": 4}, "OpenCL allows hypot 4 ulp"),
}
EXACT = BOUNDS["exact"]


@dataclass(frozen=True, eq=False)
class Case:
    """A piece of a kernel. `parameters` maps names to types and arguments: numbers, arrays, lists of arrays."""

    name: str
    parameters: Mapping[str, tuple[str, Any]]
    body: str
    bound: Bound = EXACT
    axes: tuple[Hashable, ...] = ()
    """What is varied from case to case, for `each_way` to choose by; nothing where all cases are to be tried."""
    called: str = ""
    """The functions that the piece calls, whose names no other case's functions have."""


@dataclass(frozen=True, eq=False)
class Batch:
    """Cases that become one kernel: a few, for the time to compile a kernel grows faster than its length."""

    name: str
    cases: Sequence[Case]
    groups: int = 1
    attributes: str = ""
    options: Mapping[str, Any] = field(default_factory=dict)
    """Of launches on the SYCL backend."""
    _outcomes: dict[str, dict[Case, list[Any]]] = field(default_factory=dict)

    @property
    def text(self) -> str:
        """The kernel: every case with names of its own."""
        bodies = [_renamed(case.body, number) for number, case in enumerate(self.cases)]
        parameters = [
            f"%c{number}_{name}: {type_}"
            for number, case in enumerate(self.cases)
            for name, (type_, _) in case.parameters.items()
        ]
        attributes = f" attributes{{{self.attributes}}}" if self.attributes else ""
        kernel = f"func @f({', '.join(parameters)}){attributes} {{\n" + "\n".join(bodies) + "\n}"
        return "\n".join([kernel, *(case.called for case in self.cases)])

    @functools.cached_property
    def kernel(self) -> pytl.Kernel:
        return pytl.compile(self.text)["f"]

    @functools.cached_property
    def expected(self) -> dict[Case, list[Any]]:
        """The arguments of each case after a run on the reference backend."""
        return self._run("reference", {})

    def actual(self, way: str) -> dict[Case, list[Any]]:
        """The same after a run in one of the ways of `COPIED`, of `OPENCL`, or on another backend."""
        backend, _, length = way.partition(", ")
        if way not in self._outcomes and backend in OTHERS:
            options = {"vector_length": int(length)} if length else {}
            self._outcomes[way] = self._run(backend, {**self.options, **options})
        elif way not in self._outcomes:
            through = "opencl" if way in OPENCL else "sycl"
            strategy, _, copied = way.removeprefix("opencl ").partition(", ")
            # Each kernel is built once in a run: to keep them on disk would take a tenth of the time of the builds.
            with CACHE.scope(False), COPY_NUMPY.scope(True) if copied else nullcontext():
                self._outcomes[way] = self._run(through, {"strategy": strategy, "specialize": "never", **self.options})
        return self._outcomes[way]

    def _run(self, backend: str, options: dict[str, Any]) -> dict[Case, list[Any]]:
        arguments = {case: [clone(a) for _, a in case.parameters.values()] for case in self.cases}
        flat = [argument for given in arguments.values() for argument in given]
        self.kernel[self.groups, options](*flat, backend=backend)
        return arguments

    def differences(self, case: Case, way: str) -> list[str]:
        """Where the two backends disagree on a case."""
        found = []
        results = zip(case.parameters.items(), self.actual(way)[case], self.expected[case], strict=True)
        for (name, (type_, _)), actual, expected in results:
            for a, b in zip(spans(actual), spans(expected), strict=True):
                found += [f"{name}{text}" for text in compare(a, b, _element_type(type_), case.bound)]
        return found


def batches(name: str, cases: Sequence[Case], size: int = 4, groups: int = 1, attributes: str = "") -> list[Batch]:
    """The cases in batches of some size."""
    parts = (cases[begin : begin + size] for begin in range(0, len(cases), size))
    return [Batch(name, part, groups, attributes) for part in parts]


def each(batches: Iterable[Batch]) -> pytest.MarkDecorator:
    """Parametrise a test with the batch and the case of all cases."""
    found = [pytest.param(batch, case, id=f"{batch.name}-{case.name}") for batch in batches for case in batch.cases]
    return pytest.mark.parametrize(("batch", "case"), found)


Point = tuple[Batch, Case, str]
"""A case of a batch, and a way in which the batch is executed."""


def _axes(point: Point) -> tuple[Hashable, ...]:
    batch, case, way = point
    return (*(case.axes or (case,)), batch.attributes, way)


@dataclass(frozen=True)
class Sizes:
    """The shape of an operand. Those are of a kind that lines, whole vectors or remainders are computed of."""

    shape: tuple[int, ...]

    @property
    def kind(self) -> Hashable:
        if 1 in self.shape:
            return "line"
        return len(self.shape), all(size % 8 == 0 for size in self.shape)


@dataclass(frozen=True)
class Factors:
    """Alpha and beta. Code is left out for a beta of 0, and for factors of 1."""

    alpha: complex
    beta: complex

    @property
    def kind(self) -> Hashable:
        return self.alpha == 1, self.beta if self.beta in (0, 1) else None


def kind_of(value: Hashable) -> Hashable:
    """Values that the same code computes with stand for each other beside other values, and so do cases of no axes.

    Types stand for those of their kind also where several are named, as in "f32 → c64".
    """
    if isinstance(value, Case):
        return Case
    if isinstance(value, (Sizes, Factors)):
        return value.kind
    return _TYPE.sub(lambda found: KINDS[found[0]], value) if isinstance(value, str) else value


def each_way(batches: Iterable[Batch], ways: Sequence[Any]) -> pytest.MarkDecorator:
    """Parametrise a test with the batch, the case and the way of what this run tries of all cases in all ways.

    A way is a name, or a parameter of pytest with the marks that its tests get.
    """
    whole = list(batches)
    marks = dict((way, ()) if isinstance(way, str) else (*way.values, way.marks) for way in ways)
    points = [(batch, case, way) for batch in whole for way in marks for case in batch.cases]
    chosen = sampled(points, _axes, kind_of)
    kernels = [batch for batch, _, _ in points]
    if len(chosen) < len(points):
        chosen, kernels = _gathered(chosen, max(len(batch.cases) for batch in whole))
    found = [
        pytest.param(kernel, case, way, id=f"{batch.name}-{case.name}-{way}", marks=marks[way])
        for (batch, case, way), kernel in zip(chosen, kernels, strict=True)
    ]
    return pytest.mark.parametrize(("batch", "case", "way"), found)


def _gathered(points: Iterable[Point], size: int) -> tuple[list[Point], list[Batch]]:
    """What a sample left, by kernels that have some size again, and these kernels."""
    kinds: dict[Any, list[Point]] = {}
    for batch, case, way in points:
        kind = (way, batch.groups, batch.attributes, *sorted(batch.options.items()))
        kinds.setdefault(kind, []).append((batch, case, way))
    kernels = []
    for same in kinds.values():
        for part in (same[begin : begin + size] for begin in range(0, len(same), size)):
            shared = replace(part[0][0], cases=[case for _, case, _ in part], _outcomes={})
            kernels += [shared] * len(part)
    return [point for same in kinds.values() for point in same], kernels


def _renamed(body: str, number: int) -> str:
    return re.sub(r"%(\w+)", rf"%c{number}_\1", body)


def _element_type(type_: str) -> str:
    """The element type in the text of a type."""
    found = re.search(rf"memref<({'|'.join(DTYPES)})", type_)
    return found[1] if found else type_


# Arrays.


def span_of(array: np.ndarray) -> np.ndarray:
    """The memory of an array from its first to its last element, gaps included."""
    count = 1 + sum((n - 1) * s for n, s in zip(array.shape, array.strides, strict=True)) // array.itemsize
    return np.lib.stride_tricks.as_strided(array, (count if array.size else 0,), (array.itemsize,))


def clone(argument: Any) -> Any:
    """A copy of an argument with the same layout, and with the same numbers between the elements."""
    if isinstance(argument, Pointers):
        return pytl.pointers(clone(argument.arrays), argument.offset)
    if isinstance(argument, list):
        return [clone(entry) for entry in argument]
    if not isinstance(argument, np.ndarray):
        return argument
    return np.lib.stride_tricks.as_strided(span_of(argument).copy(), argument.shape, argument.strides)


def spans(argument: Any) -> list[np.ndarray]:
    """The memory of all arrays of an argument."""
    if isinstance(argument, Pointers):
        return spans(argument.arrays)
    if isinstance(argument, list):
        return [span for entry in argument for span in spans(entry)]
    return [span_of(argument)] if isinstance(argument, np.ndarray) else []


def strided(values: np.ndarray, strides: Sequence[int]) -> np.ndarray:
    """The values in an array with these strides, counted in elements; what lies between is 77."""
    values = np.asarray(values)
    count = 1 + sum((n - 1) * s for n, s in zip(values.shape, strides, strict=True))
    memory = np.full(count, 77).astype(values.dtype)
    array = np.lib.stride_tricks.as_strided(memory, values.shape, [s * values.itemsize for s in strides])
    array[...] = values
    return array


def zeros(type_: str, *shape: int) -> np.ndarray:
    return np.zeros(shape, DTYPES[type_], order="F")


def small(rng: np.random.Generator, type_: str, *shape: int) -> np.ndarray:
    """Integers of a few bits, so that products and sums are exact in every type."""
    numbers = rng.integers(-3, 4, shape)
    if type_ in COMPLEX:
        numbers = numbers + 1j * rng.integers(-3, 4, shape)
    return np.asarray(numbers).astype(DTYPES[type_], order="F")


def uneven(rng: np.random.Generator, type_: str, *shape: int) -> np.ndarray:
    """Numbers with all the digits of the type."""
    if type_ in INTEGERS:
        bounds = np.iinfo(DTYPES[type_])
        return np.asarray(rng.integers(bounds.min, bounds.max, shape, dtype=DTYPES[type_])).astype(
            DTYPES[type_], order="F"
        )
    numbers = rng.uniform(-2, 2, shape)
    if type_ in COMPLEX:
        numbers = numbers + 1j * rng.uniform(-2, 2, shape)
    # through f32, since NumPy has no cast from double to bfloat16 that rounds once
    return np.asarray(numbers).astype(np.float32 if type_ == "bf16" else DTYPES[type_]).astype(DTYPES[type_], order="F")


def literal(value: Any, type_: str) -> str:
    """A constant of the language."""
    if type_ in COMPLEX:
        return f"[{float(value.real).hex()},{float(value.imag).hex()}]"
    return str(int(value)) if type_ in INTEGERS else float(value).hex()


# Comparison.


def distance(actual: np.ndarray, expected: np.ndarray, type_: str, bound: Bound) -> np.ndarray:
    """How far numbers lie apart, in units in the last place; infinity where no number of units tells."""
    if type_ in INTEGERS:
        return np.where(actual == expected, 0.0, np.inf)
    if type_ in COMPLEX:
        part = {"c32": "f32", "c64": "f64"}[type_]
        pairs = [(actual.real, expected.real), (actual.imag, expected.imag)]
        unit = np.maximum(_unit(expected.real, part), _unit(expected.imag, part))
        return np.maximum(*(_distance(a, e, unit, bound) for a, e in pairs))
    return _distance(actual, expected, _unit(expected, type_), bound)


def _unit(numbers: np.ndarray, type_: str) -> np.ndarray:
    """One unit in the last place of each number; 0 where it is not finite."""
    digits, least, _ = FORMATS[type_]
    wide = np.abs(numbers.astype(np.float64))
    _, exponent = np.frexp(wide)
    return np.where(np.isfinite(wide), np.ldexp(1.0, np.maximum(exponent - digits, least)), 0.0)


def _distance(actual: np.ndarray, expected: np.ndarray, unit: np.ndarray, bound: Bound) -> np.ndarray:
    a, e = actual.astype(np.float64), expected.astype(np.float64)
    if bound.whole_array and unit.size:
        unit = np.maximum(unit, unit.max())
    with np.errstate(all="ignore"):
        apart = np.abs(a - e) / unit
    same = (a == e) | (np.isnan(a) & np.isnan(e))
    if bound.signed_zeros and not bound.whole_array:
        same &= np.isnan(a) | (np.signbit(a) == np.signbit(e))
        apart = np.where((a == e) & ~same, np.inf, apart)
    return np.where(same, 0.0, np.where(np.isfinite(a) & np.isfinite(e), apart, np.inf))


def compare(actual: np.ndarray, expected: np.ndarray, type_: str, bound: Bound) -> list[str]:
    """A line for each of the first numbers that lie further apart than allowed."""
    apart = distance(actual, expected, type_, bound)
    allowed = bound.ulps.get(type_, 0.0)
    wrong = np.flatnonzero(~(apart <= allowed))
    lines = [f"[{i}] is {actual[i]!r}, not {expected[i]!r}: {apart[i]:.3g} ulp" for i in wrong[:5]]
    return [*lines, f": {wrong.size} of {actual.size} differ"] if lines else []
