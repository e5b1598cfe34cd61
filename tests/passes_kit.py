"""Running programs before and after passes on the reference backend."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from backends.differential import clone, spans

import pytl
from pytl.ir.values import Module
from pytl.kernel import Kernel
from pytl.passes import Pipeline
from pytl.passes.manager import Pass
from pytl.runtime.sample import _Arguments

# What numbers may differ by, relative to the larger of 1 and the number, where roundings may differ.
DIGITS = {"bfloat16": 5e-2, "float16": 1e-2, "float32": 1e-5, "complex64": 1e-5, "float64": 1e-13, "complex128": 1e-13}


def checked(text: str) -> Module:
    """The module of a text that has no errors."""
    module = pytl.parse(text, "kernel.tl")
    pytl.verify(module)
    return module


def after(text: str, *passes: Pass) -> Module:
    """The module of a text after passes; it is read again from its own text, which has to give the same."""
    module = Pipeline(passes).run(checked(text))
    printed = str(module)
    assert str(pytl.parse(printed)) == printed
    return module


def lines(module: Module) -> list[str]:
    """The instructions of the only function, without indents."""
    text = str(module).splitlines()
    header = next(number for number, line in enumerate(text) if line.endswith("{"))
    return [line.strip() for line in text[header + 1 : -1]]


def executed(module: Module, arguments: Sequence[Any], groups: int = 1) -> list[Any]:
    """The arguments after the only function of a module was executed on copies of them."""
    mine = [clone(argument) for argument in arguments]
    # not by pytl.compile: folding may show that an index is out of bounds behind a guard, where it never is used
    Kernel(module=module)[groups](*mine, backend="reference")
    return mine


def assert_same_arrays(actual: Sequence[Any], expected: Sequence[Any], exact: bool, text: str = "") -> None:
    """The same numbers; floating ones within rounding unless `exact`."""
    for a, e in zip(_arrays_of(actual), _arrays_of(expected), strict=True):
        if exact or a.dtype.kind in "iu":
            assert a.tobytes() == e.tobytes(), text
        else:
            bound = DIGITS[a.dtype.name]
            wide = (a.astype(np.complex128), e.astype(np.complex128))
            np.testing.assert_allclose(*wide, atol=bound, rtol=bound, err_msg=text)


def _arrays_of(arguments: Sequence[Any]) -> list[np.ndarray]:
    return [array for argument in arguments for array in spans(argument)]


def assert_meaning_kept(
    text: str, *passes: Pass, arguments: Sequence[Any] | None = None, exact: bool = True, groups: int = 2, seed: int = 0
) -> Module:
    """Execute a text's only function before and after passes on the same data; returns the module after them."""
    before = checked(text)
    changed = Pipeline(passes).run(before)
    if arguments is None:
        data = _Arguments(np.random.default_rng(seed), groups, {"": 4}, {})
        arguments = [
            data.make(value.name or str(i), value.type) for i, value in enumerate(before.functions[0].parameters)
        ]
    expected = executed(before, arguments, groups)
    assert_same_arrays(executed(changed, arguments, groups), expected, exact, text)
    return changed
