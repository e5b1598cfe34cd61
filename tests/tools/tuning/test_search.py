"""`pytl.tune`: which options are tried, in what order, and which win; within the budget."""

from __future__ import annotations

from itertools import product
from random import Random
from typing import Any

import pytest
from tune_kit import BEST, MODEL, SIZE, SPACE, Fake, tune

from pytl.backends.base import Variant

pytestmark = pytest.mark.at_most(3)


def test_the_best_is_found_by_few(fake: Fake) -> None:
    result = tune(budget=60.0)
    assert result.options == {"items": 8, "interleave": 2, "prefetch": 1, "tile": "2x6u4"}
    assert result.default == MODEL
    assert result.winner.ratio == pytest.approx(1 / 1.85)
    assert result.winner.seconds == pytest.approx(1e-3)
    assert result.is_complete and result.untried == ()
    assert result.trials[0].options == MODEL and result.trials[0].ratio == 1.0
    assert len(result.trials) < SIZE / 2
    assert len({str(trial.options) for trial in result.trials}) == len(result.trials)


def test_options_that_help_only_together(fake: Fake) -> None:
    fake.cost = lambda options: 1e-3 * (0.5 if options["items"] == 4 and options["interleave"] == 4 else 1.0)
    result = tune(budget=60.0)
    assert (result.options["items"], result.options["interleave"]) == (4, 4)
    assert result.winner.ratio == pytest.approx(0.5)


def test_options_come_in_the_order_of_the_backend_each_from_the_best_so_far(fake: Fake) -> None:
    tried = [trial.options for trial in tune().trials][: 1 + 5 + 2]
    items = [dict(MODEL, items=items) for items in SPACE["items"]]
    assert tried == [*items, *(dict(MODEL, items=8, interleave=n) for n in (2, 4))]


def test_noise_is_no_gain(fake: Fake) -> None:
    fake.cost = lambda options: 1e-3 * (0.99 if options["items"] == 4 else 1.0)
    result = tune()
    assert result.options == result.default == MODEL


def test_luck_is_no_gain(fake: Fake) -> None:
    random = Random(1)
    fake.cost = lambda options: 1e-3 * (1.0 + 0.1 * random.random())
    result = tune(budget=5.0)
    assert result.options == MODEL
    assert all(trial.ratio is not None and 0.95 < trial.ratio < 1.05 for trial in result.trials)


def test_a_drifting_clock_changes_nothing(fake: Fake) -> None:
    fake.cost = lambda options: fake.separable(options) * (1.0 + fake.now / 20)  # the machine gets slower and slower
    assert tune().options == {"items": 8, "interleave": 2, "prefetch": 1, "tile": "2x6u4"}


def test_what_is_much_slower_is_dropped(fake: Fake) -> None:
    fake.cost = lambda options: 1e-3 * (3.0 if options["items"] == 4 else 1.0)
    dropped = [trial for trial in tune().trials if trial.is_dropped]
    assert dropped and all(trial.options["items"] == 4 and trial.samples == 2 for trial in dropped)
    assert dropped[0].ratio == pytest.approx(3.0)


def test_what_does_not_go_together_is_not_tried(fake: Fake) -> None:
    fake.tuning_space = lambda lowered: (
        {"interleave": (1, 2)} if lowered.options["interleave"] == 2 else {"items": (1, 8), "interleave": (1, 2)}
    )
    fake.cost = lambda options: 1e-3 * (2 - 0.5 * (options["items"] == 8) - (options["interleave"] == 2))
    result = tune()
    assert [(trial.options["items"], trial.options["interleave"]) for trial in result.trials] == [
        (1, 1),
        (8, 1),
        (1, 2),
    ]
    assert result.options["interleave"] == 2


def test_what_is_worth_trying_may_follow_from_what_is_chosen(fake: Fake) -> None:
    """As where a space has other tiles than the one that is chosen, and multiples of the number of items."""

    def space(lowered: Any) -> dict[str, Any]:
        options = lowered.options
        tiles = tuple(tile for tile in SPACE["tile"] if tile not in ("auto", options["tile"]))
        return {"tile": tiles, "items": (options["items"] * 2,) if options["items"] < 8 else (), "prefetch": (2,)}

    fake.tuning_space = space
    result = tune(budget=10.0)
    assert {trial.options["tile"] for trial in result.trials} == {"auto", "1x6u4", "2x6u4"}
    assert result.options["tile"] == "2x6u4" and result.options["items"] == 2


def test_every_combination_of_the_made_up_costs_has_one_best() -> None:
    costs = [Fake.separable(dict(zip(SPACE, values))) for values in product(*SPACE.values())]
    assert min(costs) == Fake.separable(BEST) and costs.count(min(costs)) == 1


# The budget.


def test_what_the_default_once_took_to_build_is_expected_of_others(fake: Fake) -> None:
    """It was found on disk; others are not."""
    fake.build = 0.0
    fake.variants = lambda lowered: [Variant("device", "disk", 0.1, 3.0, 0, 0)]
    result = tune(budget=3.0)
    assert len(result.trials) == 1 and len(result.untried) == 5 + 2 + 2 + 2
    assert len(tune(budget=4.0).trials) > 1


@pytest.mark.at_most(1)
@pytest.mark.parametrize("budget", [0.01, 1.5, 3.0, 10.0, 30.0])
def test_the_budget_is_kept(fake: Fake, budget: float) -> None:
    fake.build = 1.0
    result = tune(budget=budget)
    assert result.seconds == fake.now <= max(budget, 1.01)
    assert result.trials[0].samples >= 1
    builds = len(fake.built)
    assert (builds == 1) == (budget < 2) and builds >= 0.7 * budget - 1
    assert not result.is_complete
    neighbours = {name: len(values) - 1 for name, values in SPACE.items()}
    assert builds > 1 or len(result.untried) == sum(neighbours.values())
    tried = [trial.options for trial in result.trials]
    assert all(options not in tried for options in result.untried)


def test_slow_kernels_have_few_launches(fake: Fake) -> None:
    fake.build, fake.cost = 0.0, lambda options: 0.3 if options["items"] == 1 else 0.2
    result = tune(budget=6.0)
    assert fake.now <= 6.0 and result.options["items"] != 1


# What the model learns.


def test_the_backend_learns_from_the_tiles_that_were_tried(fake: Fake) -> None:
    learnt = []
    fake.learn = lambda lowered, seconds: learnt.append((lowered.options, seconds))
    fake.cost = lambda options: 1e-3 * {"auto": 1.0, "1x6u4": 1.5, "2x6u4": 0.75}.get(options["tile"], 1.0)
    fake.space = {"tile": SPACE["tile"], "prefetch": SPACE["prefetch"]}
    assert tune(budget=10.0).options["tile"] == "2x6u4"
    ((options, seconds),) = learnt
    assert options["tile"] == "auto"  # the default's function, whose tile the backend knows
    assert seconds == {"auto": 1.0, "1x6u4": pytest.approx(1.5), "2x6u4": pytest.approx(0.75)}


def test_nothing_is_learnt_without_another_tile(fake: Fake) -> None:
    fake.learn = lambda lowered, seconds: pytest.fail("it has nothing to compare")
    fake.space = {"prefetch": SPACE["prefetch"]}
    tune()
