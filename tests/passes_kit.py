"""Running programs before and after passes on the reference backend."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from properties.execution import data_for, execute

import pytl
from pytl.ir.values import Module
from pytl.passes import Pipeline
from pytl.passes.manager import Pass

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
