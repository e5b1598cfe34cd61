"""Executing programs on the reference backend, within bounds, and comparing what two executions left in memory."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from random import Random
from typing import Any

import numpy as np
from differential.cases import clone, span_of, spans

import pytl
from pytl.backends.reference.machine import Machine
from pytl.ir.types import CoopMatrixType, GroupType, MemrefType
from pytl.ir.values import Function, Module
from pytl.kernels.kernel import Kernel
from pytl.launch.arrays.arguments import Pointers
from pytl.passes import Pass, Pipeline
from pytl.tools.sample import _Arguments

GROUPS = 3
LARGEST = 10_000
"""Elements of what a mutated program may ask for."""
STEPS = 2_000
"""Regions that a mutated program may execute: a wrong number makes a loop of 2^63 iterations."""
EXACT_ENOUGH = {
    "bfloat16": 0.1,
    "float16": 1e-2,
    "float32": 1e-4,
    "complex64": 1e-4,
    "float64": 1e-9,
    "complex128": 1e-9,
}
"""What numbers may differ by, relative to the larger of 1 and the number: roundings add up along a program."""


class TooMuch(Exception):
    """A program asks for more than a test can give."""


def data_for(function: Function, seed: int, groups: int = GROUPS, sizes: Mapping[str, int] | None = None) -> list[Any]:
    """Arguments for a function's signature: the same for the same signature, seed, number of work-groups and sizes.

    `sizes` are those of dynamic modes and offsets, as `pytl run --dim` takes them; drawn where they are left out.
    """
    names = [value.name or str(place) for place, value in enumerate(function.parameters)]
    if sizes is None:
        rng = Random(seed)
        sizes = {"": rng.randrange(groups, groups + 3)}
        sizes |= {f"{name}.offset": rng.randrange(3) for name in names}
    made = _Arguments(np.random.default_rng(seed), groups, sizes, {})
    return [
        made.make(name, value.type, value.attributes) for name, value in zip(names, function.parameters, strict=True)
    ]


def edges_for(function: Function, seed: int, groups: int = GROUPS) -> list[Any]:
    """Arguments for the signature of a program of `generator.bodies`: with zeros, infinities, nan, denormal numbers."""
    rng = np.random.default_rng(seed)
    made = data_for(function, seed, groups, {"": groups})
    for array in made:
        values = _EDGES if array.dtype.kind not in "iu" else [0, 1, -1, 2, -7, 100, np.iinfo(array.dtype).min]
        chosen = rng.choice(np.array(values), array.shape)
        if array.dtype.kind == "c":
            array.real, array.imag = chosen, rng.choice(np.array(values), array.shape)
        else:
            with np.errstate(over="ignore"):
                array[...] = chosen.astype(np.float32).astype(array.dtype) if array.dtype.kind == "V" else chosen
    return made


_EDGES = [0.0, -0.0, 1.0, -1.0, 0.5, -3.0, 100.0, -1e5, 2.0**-24, -(2.0**-133), 2.0**-149, np.inf, -np.inf, np.nan]


def execute(module: Module, data: Sequence[Any], groups: int = GROUPS) -> list[np.ndarray]:
    """The memory of all arguments after the first function was executed on copies of them."""
    # not by pytl.compile: folding may show that an index is out of bounds behind a guard, where it never is used
    kernel = Kernel(module=Module([module.functions[0]]))
    given = [clone(argument) for argument in data]
    # strictly, as passes may conclude from a view that its slices are within bounds
    kernel[groups, {"strict_views": True}](*given, backend="reference")
    return [span for argument in given for span in spans(argument)]


@contextmanager
def bounded() -> Iterator[None]:
    """Raise `TooMuch` where the executions inside take more than `STEPS` regions."""
    run, count = Machine.run, 0

    def counted(self: Machine, region: Any) -> Any:
        nonlocal count
        count += 1
        if count > STEPS:
            raise TooMuch
        return run(self, region)

    Machine.run = counted  # type: ignore[method-assign]
    try:
        yield
    finally:
        Machine.run = run  # type: ignore[method-assign]


def is_small(function: Function) -> bool:
    """Whether a test has the memory for a function's parameters, allocas and matrices, and the work-items."""
    items = function.attributes.get("work_group_size", [function.attributes.get("subgroup_size", 16), 1])
    values = [*function.parameters, *(value for op in function.walk() for value in op.results)]
    return items[0] * items[1] <= 1024 and all(_elements(value.type) <= LARGEST for value in values)


def _elements(type_: Any) -> int:
    if isinstance(type_, CoopMatrixType):
        return type_.rows * type_.columns
    if isinstance(type_, GroupType):
        count = type_.count if isinstance(type_.count, int) else GROUPS
        offset = type_.offset if isinstance(type_.offset, int) else 0
        return count * (_elements(type_.memref) + offset)
    if not isinstance(type_, MemrefType):
        return 1
    # what is dynamic is 6 at most; strides may reach further than the shape says
    span = 1
    for extent, stride in zip(type_.shape, type_.strides, strict=True):
        size = extent if isinstance(extent, int) else 6
        span = max(span * size, size * (stride if isinstance(stride, int) else span))
    return span


# Comparison.


def differences(
    actual: Sequence[np.ndarray], expected: Sequence[np.ndarray], margins: Sequence[float] | None = None
) -> list[str]:
    """Where two executions left other numbers.

    Integers are equal, always. Floating numbers are equal, too, unless there are `margins`: then they may differ by
    the tolerance of their type and the margin of their array.
    """
    found = []
    for place, (a, e) in enumerate(zip(actual, expected, strict=True)):
        exact = margins is None or e.dtype.kind in "iub"
        if not (_same(a, e) if exact else _near(a, e, margins[place])):
            found.append(f"array {place} of {e.dtype}: {a} instead of {e}")
    return found


def _wide(array: np.ndarray) -> np.ndarray:
    return array.astype(np.complex128 if array.dtype.kind == "c" else np.float64)


def _same(actual: np.ndarray, expected: np.ndarray) -> bool:
    if expected.dtype.kind in "iub":
        return np.array_equal(actual, expected)
    return np.array_equal(_wide(actual), _wide(expected), equal_nan=True)


def unlike(actual: Sequence[np.ndarray], expected: Sequence[np.ndarray]) -> list[str]:
    """Where two executions left other numbers, zeros of another sign among them."""
    found = differences(actual, expected)
    for place, (a, e) in enumerate(zip(actual, expected, strict=True)):
        if e.dtype.kind in "iub":
            continue
        wide = [_wide(array) for array in (a, e)]
        for part in ("real", "imag"):
            x, y = (getattr(array, part) for array in wide)
            if np.any((np.signbit(x) != np.signbit(y)) & (x == 0) & (y == 0)):
                found.append(f"array {place} of {e.dtype}: the {part} parts {x} have other zeros than {y}")
    return found


def _near(actual: np.ndarray, expected: np.ndarray, margin: float) -> bool:
    bound = EXACT_ENOUGH[expected.dtype.name]
    return np.allclose(_wide(actual), _wide(expected), atol=bound + margin, rtol=bound, equal_nan=True)


def rounding_errors(
    text: str, data: Sequence[Any], expected: Sequence[np.ndarray], groups: int = GROUPS
) -> list[float]:
    """How far rounding brought each array from what a program computes in double precision.

    A program that cancels or multiplies errors has large ones, and so may have any other order of its operations.
    """
    wide = re.sub(r"(?<![\w%.])(?:bf16|f16|f32)(?=x\d|x\?|\W)", "f64", text)
    wide = re.sub(r"(?<![\w%.])c32(?=x\d|x\?|\W)", "c64", re.sub(r"alignment=\d+", '"unaligned"=1', wide))
    results = execute(pytl.parse(wide), [_widened(argument) for argument in data], groups)
    with np.errstate(all="ignore"):
        return [float(np.max(np.abs(_wide(w) - _wide(e)), initial=0)) for w, e in zip(results, expected, strict=True)]


MARGIN = 8
"""How often the rounding errors of one order of operations another order may make."""


def assert_same_meaning(text: str, seed: int, pipelines: Mapping[str, tuple[Sequence[Pass], bool]]) -> list[Module]:
    """Execute a program as it is and after each pipeline, which may change roundings, or not; what the passes made.

    What the last pass made is verified; test_stages.py verifies what each made.
    """
    module = pytl.parse(text)
    data = data_for(module.functions[0], seed)
    expected = execute(module, data)
    results = []
    for name, (passes, rounds) in pipelines.items():
        changed = Pipeline(passes, at_the_end=True).run(module)
        actual = execute(changed, data)
        found = differences(actual, expected, [0.0] * len(expected) if rounds else None)
        if found and rounds:
            errors = rounding_errors(text, data, expected)
            found = differences(actual, expected, [MARGIN * error for error in errors])
        assert not found, f"{name}: {found}\n{text}\n{changed}"
        results.append(changed)
    return results


def _widened(argument: Any) -> Any:
    if isinstance(argument, Pointers):
        return pytl.pointers(_widened(argument.arrays), argument.offset)
    if not isinstance(argument, np.ndarray) or argument.dtype.kind in "iub":
        return argument
    memory = _wide(span_of(argument))
    steps = [stride // argument.itemsize * memory.itemsize for stride in argument.strides]
    return np.lib.stride_tricks.as_strided(memory, argument.shape, steps)
