"""`pytl.tune`: the user's arrays hold what they held, and a choice that computes something else does not win."""

from __future__ import annotations

import signal
from contextlib import nullcontext
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from tune_kit import GROUPS, MODEL, Fake, data, fresh, tune

import pytl
from pytl.backends import base
from pytl.diagnostics import LaunchError
from pytl.launch.arrays.arrays import dtype_names
from pytl.launch.binding import bound_to
from pytl.passes import Pass, find_pass
from pytl.process.interrupts import interrupts_deferred
from pytl.tools import snapshot


def assert_untouched(arrays: list[np.ndarray], before: list[bytes]) -> None:
    assert [array.tobytes() for array in arrays] == before


def test_arrays_hold_what_they_held(fake: Fake) -> None:
    alpha, x, y = data()
    seen = []
    fake.after = lambda options, arguments: seen.append(y.tobytes())
    before = [x.tobytes(), y.tobytes()]
    tune(arguments=(alpha, x, y))
    assert_untouched([x, y], before)
    assert len(set(seen)) == 1 and seen[0] != before[1]  # each launch found what the first did


def test_groups_and_arrays_that_overlap(fake: Fake) -> None:
    fake.space = {"items": (1, 8)}
    memory = np.arange(9, dtype=np.float32)
    before = memory.tobytes()
    items = [memory[0:2], memory[1:3], memory[0:2]]
    tune(fresh(GROUPS)[3], ([memory[3:5]] * 3, items))
    assert memory.tobytes() == before
    strided = np.lib.stride_tricks.as_strided(memory, (2, 3), (4, 12))  # every third element is somebody else's
    fake.after = lambda options, arguments: memory.__setitem__(2, memory[2] + 1)
    tune(fresh(GROUPS)[3], (np.ones((2, 3), np.float32, order="F"), strided))
    assert memory[2] > 9
    memory[2] = 2
    assert memory.tobytes() == before


@pytest.mark.parametrize("at", range(0, 30, 3))
def test_an_interruption_undoes_what_was_written(fake: Fake, at: int) -> None:
    def interrupt(options: dict[str, Any], arguments: Any) -> None:
        if len(fake.launched) == at:
            raise KeyboardInterrupt

    alpha, x, y = data()
    before = [x.tobytes(), y.tobytes()]
    kernel = fresh()
    fake.after = interrupt
    with pytest.raises(KeyboardInterrupt):
        tune(kernel[3], (alpha, x, y))
    assert_untouched([x, y], before)
    fake.after = lambda options, arguments: None
    kernel[1](alpha, x, y)
    assert fake.launched[-1] == MODEL and not kernel.cache_info().variants
    assert y.tobytes() != before[1]


def test_ctrl_c_waits_for_the_end_of_a_block() -> None:
    done = []
    with pytest.raises(KeyboardInterrupt), interrupts_deferred():
        signal.raise_signal(signal.SIGINT)
        done.append(True)
    assert done and signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_a_choice_that_fails_does_not_win(fake: Fake) -> None:
    def fail(options: dict[str, Any]) -> None:
        if options["items"] > 2:
            raise LaunchError.single(base.UNAVAILABLE, "no such thing")
        if options["interleave"] > 1:
            raise ZeroDivisionError

    fake.before = fail
    result = tune()
    assert (result.options["items"], result.options["interleave"]) == (2, 1)
    problems = {trial.problem for trial in result.trials}
    assert problems == {None, "error[PYTL-3013]: no such thing", "ZeroDivisionError"}


@pytest.mark.parametrize("after", [3, 30])
def test_a_choice_that_fails_later_does_not_win(fake: Fake, after: int) -> None:
    """While it is compared, or in the finals."""

    def fail(options: dict[str, Any]) -> None:
        if options["items"] == 8 and fake.launched.count(dict(MODEL, items=8)) == after:
            raise RuntimeError("lost")

    fake.before, fake.space = fail, {"items": (1, 4, 8)}
    result = tune(budget=10.0)
    assert result.options == {"items": 4}
    assert [trial.problem for trial in result.trials] == [None, None, "RuntimeError: lost"]


def test_options_that_the_passes_refuse_are_told(fake: Fake) -> None:
    def passes(options: dict[str, Any]) -> list[Pass]:
        return [] if options["items"] != 8 else [find_pass("no such pass")]

    def space(lowered: Any) -> dict[str, Any]:
        lowered.function  # as where it depends on what the passes make of a function
        return {"items": (1, 4, 8)}

    fake.passes, fake.tuning_space = passes, space
    result = tune()
    assert result.options == {"items": 4}
    assert [trial.problem for trial in result.trials] == [
        *(None, None),
        "error[PYTL-3001]: there is no pass `no such pass`",
    ]


def test_a_default_that_fails_is_the_launch_that_fails(fake: Fake) -> None:
    def fail(options: dict[str, Any], arguments: Any) -> None:
        raise LaunchError.single(base.UNAVAILABLE, "no such thing")

    fake.after = fail
    alpha, x, y = data()
    before = y.tobytes()
    with pytest.raises(LaunchError, match="no such thing") as caught:
        tune(arguments=(alpha, x, y))
    assert caught.value.diagnostics[0].location is not None
    assert y.tobytes() == before


# What choices compute.


def test_a_choice_that_differs_is_told_and_does_not_win(fake: Fake) -> None:
    y = np.full(4, 3.0, np.float32)

    def differ(options: dict[str, Any], arguments: Any) -> None:
        if options["items"] == 8:
            y[2] *= 1.001

    fake.after, fake.space = differ, {"items": (1, 4, 8)}
    with pytest.warns(UserWarning) as told:
        # not by `tune`: the warning names the file of the call
        result = pytl.tune(fresh()[3], (2.0, np.ones(4, np.float32), y), budget=3.0, progress=False, print_table=False)
    assert [str(warning.message) for warning in told] == [
        "[PYTL-3051] @update with items=8 computes something else than with the default: y[2] is 9.009, not 9"
    ]
    assert told[0].filename == __file__
    wrong = result.trials[-1]
    assert (wrong.is_wrong, wrong.ratio, wrong.problem) == (True, None, "WRONG: y[2] is 9.009, not 9")
    assert result.options == {"items": 4}
    assert (y == 3.0).all()


KINDS = {
    "f32": (1e-6, 1e-3),
    "f64": (1e-12, 1e-9),
    "f16": (2e-3, 5e-2),
    "bf16": (1e-2, 0.2),
    "c32": (1e-6, 1e-3),
    "c64": (1e-12, 1e-9),
}


@pytest.mark.parametrize(("name", "as_bits"), [*((name, False) for name in KINDS), ("bf16", True)])
def test_rounding_is_no_difference(fake: Fake, name: str, as_bits: bool) -> None:
    import ml_dtypes

    dtypes = {"f32": "f4", "f64": "f8", "f16": "f2", "bf16": ml_dtypes.bfloat16, "c32": "c8", "c64": "c16"}
    zero = "[0.0, 0.0]" if name.startswith("c") else "0.0"
    text = f"func @own(%y: memref<{name}x4>) {{ %0 = constant {zero} : {name} axpby.n %0, %y, %0, %y }}"
    y = np.ones(4, dtypes[name])
    if as_bits:  # as arrays of dpctl have it
        y = y.view(np.uint16)
    values = y.view(ml_dtypes.bfloat16) if as_bits else y
    change = 0.0

    def differ(options: dict[str, Any], arguments: Any) -> None:
        values[:] = [1.0, 2.0, np.nan, np.inf]
        if options["items"] == 8:
            values[0] = values[0] * (1 + change) + (1j * change if values.dtype.kind == "c" else 0)

    fake.after, fake.space = differ, {"items": (1, 8)}
    for change, is_wrong in zip(KINDS[name], (False, True)):
        if is_wrong:
            with pytest.warns(UserWarning, match="PYTL-3051"):
                result = tune(fresh(text)[1], (y,))
        else:
            result = tune(fresh(text)[1], (y,))
        assert [trial.is_wrong for trial in result.trials] == [False, is_wrong]


@pytest.mark.parametrize(
    ("dtype", "first", "second", "is_wrong"),
    [
        ("i4", 5, 6, True),
        ("i4", 5, 5, False),
        ("f4", np.nan, 1.0, True),
        ("f4", 1.0, np.nan, True),
        ("f4", np.inf, -np.inf, True),
        ("f4", np.inf, 3.0, True),
        ("f4", 0.0, -0.0, False),
        ("f4", 0.0, 1e-30, False),  # what is left where ones cancel
    ],
)
def test_what_differs(fake: Fake, dtype: str, first: float, second: float, is_wrong: bool) -> None:
    element = {"i4": "i32", "f4": "f32"}[dtype]
    text = f"func @own(%y: memref<{element}x1>) {{ %0 = constant 1 : {element} axpby.n %0, %y, %0, %y }}"
    text = text.replace("constant 1 : f32", "constant 1.0 : f32")
    y = np.ones(1, dtype)
    fake.after = lambda options, arguments: y.fill(second if options["items"] == 8 else first)
    fake.space = {"items": (1, 8)}
    with pytest.warns(UserWarning, match="PYTL-3051") if is_wrong else nullcontext():
        result = tune(fresh(text)[1], (y,))
    assert result.trials[1].is_wrong == is_wrong


@pytest.mark.parametrize(
    ("type_", "shape", "place", "told"),
    [
        ("memref<f32x3x5>", (3, 5), (2, 3), "y[2, 3] is 7, not 1"),
        ("memref<i64x3x5>", (3, 5), (0, 4), "y[0, 4] is 7, not 1"),
        ("memref<c64x5>", (5,), (4,), "y[4] is 7+0j, not 1+0j"),
        ("memref<f64>", (), (), "y is 7, not 1"),
        ("memref<bf16x5>", (5,), (1,), "y[1] is 7, not 1"),
    ],
)
def test_where_it_differs(monkeypatch, type_: str, shape: tuple[int, ...], place: tuple[int, ...], told: str) -> None:
    monkeypatch.setattr(snapshot, "PIECE", 4)
    kernel = fresh(f"func @f(%y: {type_}) {{ }}")
    (parameter,) = kernel.launches.signature.parameters
    y = np.ones(shape, dtype_names(parameter.type.element)[0], order="F")  # type: ignore[attr-defined]
    (argument,) = bound_to([parameter], [y])
    taken = snapshot.Snapshot([replace(parameter, written=True)], [replace(argument, written=True)])
    expected = taken.results()
    assert taken.difference(expected) is None
    y[place] = 7
    assert taken.difference(expected) == told
    taken.restore()
    assert (y == 1).all()


def test_large_numbers_do_not_hide_small_ones(fake: Fake) -> None:
    y = np.ones(1000, np.float32)

    def differ(options: dict[str, Any], arguments: Any) -> None:
        y[0], y[7] = 1e3, 1.001 if options["items"] == 8 else 1.0

    fake.after, fake.space = differ, {"items": (1, 8)}
    with pytest.warns(UserWarning, match=r"y\[7\] is 1.001, not 1"):
        tune(fresh("func @f(%y: memref<f32x1000>) { %0 = constant 1.0 : f32 axpby.n %0, %y, %0, %y }")[1], (y,))
