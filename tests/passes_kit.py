"""Running programs before and after passes on the reference backend."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import Any
from unittest import mock

import numpy as np
from properties.execution import data_for, differences, execute

import pytl
from pytl import Memref, foreach
from pytl.backends.registry import find_backend
from pytl.ir.text import parse_text
from pytl.ir.values import Module
from pytl.launch.arrays.arguments import Pointers
from pytl.passes import (
    Canonicalize,
    InsertBarrier,
    InsertLifetimeStop,
    Pipeline,
    StackLayout,
    WorkGroupSize,
    find_pass,
)
from pytl.passes.manager import Pass, errors_of
from pytl.passes.targets.machine import MACHINES

# What numbers may differ by, relative to the larger of 1 and the number, where roundings may differ.
DIGITS = {"bfloat16": 5e-2, "float16": 1e-2, "float32": 1e-5, "complex64": 1e-5, "float64": 1e-13, "complex128": 1e-13}

LOWERING: tuple[Pass, ...] = (Canonicalize(), InsertLifetimeStop(), StackLayout(), InsertBarrier(), WorkGroupSize())
"""What compiling backends begin with. The layout comes before the barriers: allocas that share memory depend on each
other."""


def checked(text: str) -> Module:
    """The module of a text that has no errors."""
    module = pytl.parse(text, "kernel.tl")
    pytl.verify(module)
    return module


def after(text: str, *passes: Pass) -> Module:
    """The module of a text after passes; it is read again from its own text, which has to give the same."""
    module = Pipeline(passes).run(checked(text))
    assert_printed_and_read(module)
    return module


def assert_printed_and_read(module: Module) -> None:
    """A stage's text is read as the same IR, which is valid."""
    printed = str(module)
    read = parse_text(printed, internal=True)
    assert not read.diagnostics.errors, printed
    assert str(read.module) == printed
    assert not errors_of(read.module), printed


def lines(module: Module) -> list[str]:
    """The instructions of the only function, without indents."""
    text = str(module).splitlines()
    header = next(number for number, line in enumerate(text) if line.endswith("{"))
    return [line.strip() for line in text[header + 1 : -1]]


def assert_meaning_kept(
    text: str, *passes: Pass, arguments: Sequence[Any] | None = None, exact: bool = True, groups: int = 2, seed: int = 0
) -> Module:
    """Execute a text's only function before and after passes on the same data; returns the module after them.

    What it leaves in memory has the same bits; floating numbers may differ by rounding unless `exact`.
    """
    before = checked(text)
    changed = Pipeline(passes).run(before)
    if arguments is None:
        arguments = data_for(before.functions[0], seed, groups, {"": 4})
    expected = execute(before, arguments, groups)
    for a, e in zip(execute(changed, arguments, groups), expected, strict=True):
        if exact or a.dtype.kind in "iu":
            assert a.tobytes() == e.tobytes(), text
        else:
            bound = DIGITS[a.dtype.name]
            wide = (a.astype(np.complex128), e.astype(np.complex128))
            np.testing.assert_allclose(*wide, atol=bound, rtol=bound, err_msg=text)
    return changed


# The pipeline of the SYCL backend.

CPU_OPTIONS: list[dict[str, Any]] = [
    {},
    {"processor": "avx2", "interleave": 2, "tile": "1x1+auto+2x3u2"},
    {"items": 1, "launch.apart": True},
    {"items": 3, "interleave": 1, "prefetch": 0},
    {"items": 8, "interleave": 4, "prefetch": 3, "launch.apart": True},
    {"processor": "avx2", "prefetch": 16, "tile": "4x4u2"},
    {"processor": "zen4", "launch.past_caches": 1},
]
"""Choices of what decides about execution on processors: the machine, items, what is interleaved, tiles, whether arrays
are known to lie apart, and whether they exceed the caches."""


def sycl_passes(**options: Any) -> list[Pass]:
    """What the SYCL backend does to a function that one work-item executes."""
    return list(find_backend("sycl").passes({"strategy": "one-item", **options}))


def way_to(name: str) -> list[Pass]:
    """A pass; one that works on what the SYCL backend made before, behind the passes that make it."""
    if not name.startswith("cpu-"):
        return [find_pass(name)]
    passes = sycl_passes()
    return passes[: [step.name for step in passes].index(name) + 1]


@contextmanager
def cache_of(size: int) -> Iterator[None]:
    """Let caches hold so many bytes, and prefetch what does not fit, however short it is."""
    with costs_of("prefetches", cache=size, min_bytes=0):
        yield


@contextmanager
def costs_of(part: str, **constants: Any) -> Iterator[None]:
    """Let all machines have such constants in a part of their costs."""
    changed = {
        name: replace(machine, **{part: replace(getattr(machine, part), **constants)})
        for name, machine in MACHINES.items()
    }
    with mock.patch.dict(MACHINES, changed):
        yield


def assert_stages_agree(
    text: str,
    options: Mapping[str, Any],
    arguments: Sequence[Any],
    groups: int,
    margins: Callable[[], Sequence[float]] | None = None,
    leave_out: Collection[str] = (),
) -> Module:
    """Execute a text's only function, and what each pass of the SYCL backend makes of it, on the same data.

    Integers are equal. Floating numbers are equal up to the tolerance of their type; where that does not do, `margins`
    has what each array may differ by beside. Returns the module after all passes.
    """
    before = checked(text)
    expected = execute(before, arguments, groups)
    printed = [str(before)]

    def compare(step: Pass, module: Module) -> None:
        printed.append(str(module))
        if printed[-1] == printed[-2]:
            return
        assert_printed_and_read(module)
        actual = execute(module, arguments, groups)
        found = differences(actual, expected, [0.0] * len(expected))
        if found and margins is not None:
            found = differences(actual, expected, margins())
        assert not found, f"after {step}: {found}\n{text}\n{module}"

    passes = [step for step in sycl_passes(**options) if step.name not in leave_out]
    return Pipeline(passes, on_stage=compare).run(before)


def stage(text: str, name: str, groups: int = 5, **options: Any) -> str:
    """What a text's only function is after a pass of the SYCL backend, without its head. All stages agree, too.

    Vector code is executed where it is asked for alone: it has many times the instructions of what it was made of, and
    tests of its own.
    """
    data = data_for(checked(text).functions[0], 1, groups, {"": groups})
    for argument in data:
        _make_whole(argument)
    assert_stages_agree(text, options, data, groups, leave_out={"vectorize"} - {name})
    return text_after(name, text, **options)


def text_after(name: str, text: str, **options: Any) -> str:
    """What a text's only function is after a pass of the SYCL backend, without its head. Nothing is executed."""
    shown: dict[str, str] = {}
    Pipeline(sycl_passes(**options), lambda step, module: shown.setdefault(step.name, str(module))).run(checked(text))
    body = shown[name].splitlines()
    head = next(number for number, line in enumerate(body) if line.endswith("{"))
    return "\n".join(line[2:] for line in body[head + 1 : -1])


def _make_whole(argument: Any) -> None:
    """Fill an argument with whole numbers, of which sums are exact."""
    if isinstance(argument, Pointers):
        argument = argument.arrays
    for array in argument if isinstance(argument, list) else [argument]:
        if isinstance(array, np.ndarray) and array.dtype.kind not in "iu":
            array[...] = np.round(array.astype(np.complex128 if array.dtype.kind == "c" else np.float64) * 4)


def of_elements(function: Any, type_: Any) -> pytl.Kernel:
    """A kernel that applies a function of one number to each element of 64."""

    @pytl.kernel
    def each(X: Memref[type_, 64], Y: Memref[type_, 64]):
        for i in foreach(64):
            Y[i] = function(X[i])

    return each
