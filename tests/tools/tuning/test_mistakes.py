"""`pytl.tune`: calls and arguments that are refused, and kernels that leave nothing to choose."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from tune_kit import SPACE, Fake, data, fresh

import pytl
from pytl.diagnostics import LaunchError


@pytest.mark.parametrize(
    ("call", "message", "help"),
    [
        (lambda k: pytl.tune(k, data()), "update is to be tuned without a number of work-groups", "pass update[n]"),
        (lambda k: pytl.tune(k[1], data(), groups=1), "groups= is passed in addition to k[n]", "leave it out"),
        (lambda k: pytl.tune(k[0], data()), "there are 0 work-groups", "pass as many as later launches have"),
        (lambda k: pytl.tune(print, data()), "tune is passed a builtin_function_or_method", "pass kernel[n], or"),
        (lambda k: pytl.tune(k[1], np.ones(4)), "the arguments are an ndarray", "pass a tuple, such as (alpha, A, B)"),
        (lambda k: pytl.tune(k[1], data(), budget=0), "the budget is 0", "pass seconds, such as budget=10.0"),
        (lambda k: pytl.tune(k[1], data(), budget=math.inf), "the budget is inf", "pass seconds"),
        (lambda k: pytl.tune(k[1], data(), budget="10"), "the budget is '10'", "pass seconds"),
        (lambda k: pytl.tune(k[1], data(), budget=True), "the budget is True", "pass seconds"),
    ],
)
def test_what_is_refused(fake: Fake, call: Callable[[pytl.Kernel], Any], message: str, help: str) -> None:
    with pytest.raises(LaunchError) as caught:
        call(fresh())
    (diagnostic,) = caught.value.diagnostics
    assert diagnostic.headline == f"error[PYTL-2050]: {message}"
    assert diagnostic.help.startswith(help) and diagnostic.location.source.name == __file__
    assert fake.launched == []


def test_arguments_that_do_not_fit_are_the_errors_of_a_launch(fake: Fake) -> None:
    alpha, x, y = data()
    for arguments, code in (
        ((alpha, x), "PYTL-2001"),
        ({"alpha": alpha, "x": x, "z": y}, "PYTL-2001"),
        ((alpha, x, y[:3]), "PYTL-2005"),
        ((alpha, x.astype("f8"), y), "PYTL-2003"),
    ):
        with pytest.raises(LaunchError) as caught:
            pytl.tune(fresh()[1], arguments)
        assert caught.value.code == code
    with pytest.raises(LaunchError, match="PYTL-2016"):
        pytl.tune(fresh(), data(), groups=-1)
    with pytest.raises(pytl.PlatformError, match="PYTL-3012"):
        pytl.tune(fresh()[1, {"items": 3}], data())
    with pytest.raises(pytl.PlatformError, match="PYTL-3011"):
        pytl.tune(fresh()[1], data(), backend="cuda")
    assert fake.launched == []


def test_nothing_to_choose(fake: Fake) -> None:
    given = {name: values[0] for name, values in SPACE.items()}
    for launcher, backend, help in (
        (fresh()[1], "reference", "launch it as it is"),
        (fresh()[1, given], "fake", "what the launch gives is kept: items=1, interleave=1, prefetch=0, tile=auto"),
    ):
        with pytest.raises(pytl.PlatformError) as caught:
            pytl.tune(launcher, data(), backend=backend)
        (diagnostic,) = caught.value.diagnostics
        assert diagnostic.headline == f"error[PYTL-3050]: the backend {backend} has nothing to choose for @update"
        assert diagnostic.help == help
