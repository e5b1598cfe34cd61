"""A function with tests of its indices and sizes reports what the reference backend finds, and leaves out what it would
forbid; one that is right computes what it did."""

from __future__ import annotations

import numpy as np
from generator import SEEDS
from hypothesis import assume, given, settings
from properties.execution import TooMuch, bounded, data_for, execute, is_small
from properties.test_mutations import valid_texts

import pytl
from pytl.diagnostics import PytlError
from pytl.ops.preconditions import STATUS_WORDS
from pytl.passes import InsertChecks, Pipeline

EXAMPLES = settings.default.max_examples // 20
"""Fewer than other properties have, for each is executed twice."""
TESTED = {"PYTL-4001", "PYTL-4002", "PYTL-4003", "PYTL-4012", "PYTL-4016", "PYTL-4017"}
EMPTY = "PYTL-4002"
"""A slice that would go out of bounds has the size 0 instead, which the reference backend finds fault with."""


@settings(max_examples=EXAMPLES)
@given(valid_texts(), SEEDS)
def test_what_goes_out_of_bounds_is_reported_and_left_out(text: str, seed: int) -> None:
    module = pytl.parse(text)
    assume(is_small(module.functions[0]))
    checked = Pipeline([InsertChecks()]).run(module)
    status, expected = np.zeros(STATUS_WORDS, np.int64), None
    try:
        data = data_for(module.functions[0], seed)
        with bounded():
            expected = execute(module, data)
    except TooMuch:
        assume(False)
    except PytlError as error:
        assume(error.code in TESTED)
    try:
        with bounded():
            *left, status = execute(checked, [*data, status])
    except TooMuch:
        assume(False)
    except PytlError as error:
        assert expected is None and error.code not in TESTED - {EMPTY}, str(error)
        return
    assert bool(status[0]) == (expected is None)
    if expected is not None:
        for before, after in zip(expected, left, strict=True):
            np.testing.assert_array_equal(before, after)
