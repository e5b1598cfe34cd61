"""The sample of cases that a run tries has every pair of properties that some case has."""

from __future__ import annotations

from itertools import combinations, product
from random import Random

import pytest
import sampling
from sampling import pairwise, sampled

AXES = [tuple("abcdefghijk"), range(9), ("packed", "dynamic", "gaps"), (True, False), ("one-item", "many-items")]


def pairs(cases):
    """The pairs of values on two axes, and the values themselves."""
    return {pair for case in cases for size in (1, 2) for pair in combinations(enumerate(case), size)}


def test_every_pair_is_tried_by_few() -> None:
    cases = list(product(*AXES))
    chosen = pairwise(cases, tuple)
    assert pairs(chosen) == pairs(cases)
    assert 11 * 9 <= len(chosen) < 1.2 * 11 * 9
    assert chosen == [case for case in cases if case in chosen] == pairwise(cases, tuple)


def test_pairs_that_no_case_has_are_not_wanted() -> None:
    rng = Random(3)
    cases = [case for case in product(*AXES) if rng.random() < 0.1]
    chosen = pairwise(cases, tuple)
    assert pairs(chosen) == pairs(cases) and len(chosen) < 0.7 * len(cases)


def test_where_there_is_a_choice_no_value_is_left_to_a_few() -> None:
    """As where each operation is tried with each type, in either of two strategies."""
    chosen = pairwise(product(range(12), range(11), ("one-item", "many-items")), tuple)
    assert len(chosen) == 12 * 11
    assert 50 < sum(way == "one-item" for _, _, way in chosen) < 82


def test_cases_of_other_axes_are_chosen_apart() -> None:
    cases = [("x",), ("x", 1), ("x", 2), (), ()]
    assert pairwise(cases, lambda case: case) == [("x",), ("x", 1), ("x", 2), ()]


def test_everything_on_demand(monkeypatch: pytest.MonkeyPatch) -> None:
    cases = list(product("ab", "cd", "ef"))
    monkeypatch.setattr(sampling, "_everything", False)
    assert len(sampled(cases, tuple)) < len(cases)
    monkeypatch.setattr(sampling, "_everything", True)
    assert sampled(iter(cases), tuple) == cases
