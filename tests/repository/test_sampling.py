"""The sample of cases that a run tries has every pair of properties that some case has."""

from __future__ import annotations

import runpy
from itertools import combinations, product
from pathlib import Path
from random import Random

import pytest
import sampling
from differential.cases import kind_of as kind_of_value
from sampling import WITH_DPNP, WITH_TOOLS, at_night, has_any, may_have, pairwise, sampled

AXES = [tuple("abcdefghijk"), range(9), ("packed", "dynamic", "gaps"), (True, False), ("one-item", "many-items")]


def pairs(cases, kind_of=lambda value: value):
    """The pairs of kinds of values on two axes, and the values themselves."""
    kinds = {pair for case in cases for pair in combinations(enumerate(map(kind_of, case)), 2)}
    return kinds | {(place, value) for case in cases for place, value in enumerate(case)}


def test_values_of_a_kind_stand_for_each_other_beside_others() -> None:
    cases = list(product("aAbB", "cCdD", range(3)))
    chosen = pairwise(cases, tuple, lambda value: value.lower() if isinstance(value, str) else value)
    assert {value for case in chosen for value in case} == {*"aAbBcCdD", 0, 1, 2}
    assert {tuple(str(value).lower() for value in case[:2]) for case in chosen} == set(product("ab", "cd"))
    assert len(chosen) < len(pairwise(cases, tuple)) / 1.5


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
    monkeypatch.setattr(sampling, "samples", [])
    assert len(sampled(cases, tuple)) < len(cases) and at_night(cases) == []
    assert sampling.what_is_cut() == ["repository.test_sampling     11 of    16 cases are left to the night"]
    monkeypatch.setattr(sampling, "_everything", True)
    assert sampled(iter(cases), tuple) == cases == at_night(iter(cases))


@pytest.mark.parametrize("marks", [WITH_DPNP, WITH_TOOLS])
def test_modules_with_some_marks_are_known_by_their_text(
    marks: tuple[str, ...], request: pytest.FixtureRequest
) -> None:
    """`--dpnp-only` and `--tools-only` import no others; of a run of all tests these are all modules."""
    modules = {item.path for item in request.session.items if has_any(item, marks)}
    assert [path for path in modules if not may_have(path.read_text("utf-8"), marks)] == []


SUITES = Path(__file__).parents[1]
_FILES = (path for folder in ("backends", "differential") for path in (SUITES / folder).glob("test_*.py"))
SAMPLED = sorted(str(path.relative_to(SUITES)) for path in _FILES if "each_way(" in path.read_text("utf-8"))


@pytest.mark.parametrize("name", SAMPLED)
def test_each_suite_tries_all_pairs_and_at_night_all_cases(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The module is executed as it is for CI and for the night."""

    def tests_of_module() -> set[str]:
        module = runpy.run_path(str(SUITES / name), run_name=name)
        marks = [
            mark
            for value in module.values()
            for mark in getattr(value, "pytestmark", [])
            if callable(value) and mark.name == "parametrize"
        ]
        return {str(param.id) for mark in marks for param in mark.args[-1:][0] if hasattr(param, "id")}

    monkeypatch.setattr(sampling, "samples", [])
    monkeypatch.setattr(sampling, "_everything", False)
    some = tests_of_module()
    # a suite may import others, whose samples are noted, too
    own = [sample for sample in sampling.samples if sample.module == name]
    assert own
    for sample in own:
        if any(sample.cases):
            assert by_length(sample.chosen, kind_of_value) == by_length(sample.cases, kind_of_value)
    monkeypatch.setattr(sampling, "_everything", True)
    assert some <= tests_of_module()


def by_length(cases, kind_of):
    """The pairs of cases with as many axes."""
    return {size: pairs([case for case in cases if len(case) == size], kind_of) for size in set(map(len, cases))}
