"""`pytl.tune`: later launches use the options that won, from memory or the cache's directory."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tune_kit import BEST, MODEL, TEXT, Fake, data, fresh, tune

import pytl
from pytl.backends import registry
from pytl.devices.cache import Cache


def used(kernel: pytl.Kernel, options: dict[str, Any] | None = None) -> dict[str, Any]:
    """The options that a launch has."""
    kernel[3, options or {}](*data())
    return registry._REGISTRY._loaded["fake"].launched[-1]  # type: ignore[attr-defined]


def test_later_launches_use_the_winner(fake: Fake, tmp_path: Path) -> None:
    kernel, twin = fresh(), fresh()
    assert used(kernel) == used(twin) == MODEL  # both have their plans
    tune(kernel[3])
    assert used(kernel) == used(twin) == used(fresh("\n\n" + TEXT)) == BEST
    assert used(fresh(TEXT.replace("@update", "@other"))) == MODEL
    assert len(list((tmp_path / "cache").iterdir())) == 1


def test_an_option_that_is_given_wins(fake: Fake) -> None:
    kernel = fresh()
    tune(kernel[3])
    assert used(kernel, {"items": 4}) == {**MODEL, "items": 4}  # the rest was measured with 8 of them
    assert used(kernel, {"items": 8}) == BEST
    fake.cost = lambda options: 1e-3 * (2.0 - 0.3 * (options["interleave"] == 4) - 0.1 * options["prefetch"])
    result = tune(kernel[3, {"items": 4}])
    assert result.options == {"interleave": 4, "prefetch": 2, "tile": "auto"}
    assert used(kernel, {"items": 4}) == {"items": 4, "interleave": 4, "prefetch": 2, "tile": "auto"}
    assert used(kernel) == BEST


def test_it_can_be_tuned_again(fake: Fake) -> None:
    kernel = fresh()
    tune(kernel[3])
    fake.cost = lambda options: 1e-3 * options["items"]
    assert tune(kernel[3]).options == MODEL
    assert used(kernel) == used(fresh()) == MODEL


def test_without_a_directory_it_is_kept_in_memory(fake: Fake, monkeypatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PYTL_CACHE", "0")
    tune()
    assert used(fresh()) == BEST and not (tmp_path / "cache").exists()


def test_a_directory_that_cannot_be_written(fake: Fake, monkeypatch, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("PYTL_CACHE_DIR", str(tmp_path / "file"))
    with pytest.warns(UserWarning, match="PYTL-3040"):
        tune()
    assert used(fresh()) == BEST


@pytest.mark.at_most(1)
@pytest.mark.parametrize("damage", ["bytes", "options", "kernel"])
def test_an_entry_that_cannot_be_used_is_removed(fake: Fake, tmp_path: Path, damage: str) -> None:
    tune()
    cache = Cache(tmp_path / "cache", 10**6)
    (stored,) = cache.stored()
    assert stored.entry is not None and stored.entry.is_tuning and stored.entry.options == BEST
    if damage == "bytes":
        (tmp_path / "cache" / f"{stored.key}.pytl").write_bytes(b"{}")
    else:
        options = {"items": 3} if damage == "options" else {"rows": 1}
        cache.store(stored.key, replace(stored.entry, options=options))
    assert used(fresh()) == MODEL
    assert cache.stored() == []


def test_a_kernel_keeps_nothing_of_the_losers(fake: Fake) -> None:
    kernel = fresh()
    used(kernel)
    tune(kernel[3])
    assert [lowered.options for lowered in kernel.launches._lowered.values()] == [MODEL, BEST]
    assert kernel.cache_info().plans == 1


def test_names_and_constexprs(fake: Fake) -> None:
    y = np.ones(4, np.float32)
    result = tune(fill[1], {"y": y, "n": 3})
    assert result.options == BEST and (y == 1).all()
    fill[1](y, 3)
    assert fake.launched[-1] == BEST and y.tolist() == [7, 7, 7, 1]
    fill[1](y, 2)
    assert fake.launched[-1] == MODEL


@pytl.kernel
def fill(y: pytl.Memref[pytl.f32, 4], n: pytl.constexpr):
    for k in range(n):
        y[k] = 7.0
