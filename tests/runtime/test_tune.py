"""`pytl.tune` on a backend with made-up costs: who is tried, who wins, what becomes of the user's arrays."""

from __future__ import annotations

import math
import signal
from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import replace
from itertools import product
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest
from launch_kit import column_major

import pytl
from pytl import tuning
from pytl.backends import base
from pytl.backends.base import Backend, Option, Variant
from pytl.backends.reference.backend import ReferenceBackend
from pytl.cli import main
from pytl.diagnostics import LaunchError
from pytl.interrupts import uninterrupted
from pytl.runtime import launch, snapshot, tuned
from pytl.runtime.arrays import dtype_names
from pytl.runtime.cache import Cache, key_of

TEXT = """\
func @update(%alpha: f32, %x: memref<f32x4>, %y: memref<f32x4>) {
  %one = constant 1.0 : f32
  axpby.n %alpha, %x, %one, %y
}
"""
SPACE = {
    "items": (1, 2, 4, 8, 16, 32),
    "interleave": (1, 2, 4),
    "prefetch": (0, 1, 2),
    "tile": ("auto", "1x6u4", "2x6u4"),
}
SIZE = math.prod(map(len, SPACE.values()))
MODEL = {"items": 1, "interleave": 1, "prefetch": 0, "tile": "auto"}


class Fake(Backend):
    """Executes as the reference backend does, in as many seconds of a made-up clock as `cost` says."""

    name = "fake"
    options = {name: Option.choice(*values) for name, values in SPACE.items()}

    def __init__(self) -> None:
        self.now = 0.0
        self.build = 0.1
        self.cost: Callable[[dict[str, Any]], float] = self.separable
        self.launched: list[dict[str, Any]] = []
        self.built: list[dict[str, Any]] = []
        self.before: Callable[[dict[str, Any]], None] = lambda options: None
        self.after: Callable[[dict[str, Any], Any], None] = lambda options, arguments: None
        self.space = SPACE

    def clock(self) -> float:
        return self.now

    @staticmethod
    def separable(options: dict[str, Any]) -> float:
        """The least is at 8, 2, 1, 2x6u4."""
        cost = 1.0 + 0.1 * abs(math.log2(options["items"]) - 3) + 0.2 * abs(options["interleave"] - 2)
        return 1e-3 * (cost + 0.05 * abs(options["prefetch"] - 1) + (0.3 if options["tile"] != "2x6u4" else 0))

    def tuning_space(self, lowered):
        return self.space

    def tuning_key(self, function, options, queue):
        return key_of({"function": str(function), "options": options})

    def launch(self, lowered, arguments, groups, options, queue=None, depends=(), wait=True):
        lowered.function  # what is compiled
        if options not in self.built:
            self.built.append(dict(options))
            self.now += self.build
        self.before(options)
        ReferenceBackend().launch(lowered, arguments, groups, {"checks": False})
        self.after(options, arguments)
        self.launched.append(dict(options))
        self.now += self.cost(options)


@pytest.fixture
def fake(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Fake:
    fake = Fake()
    monkeypatch.setitem(base._BACKENDS, "fake", ("", ""))
    monkeypatch.setitem(base._instances, "fake", fake)
    monkeypatch.setenv("PYTL_BACKEND", "fake")
    monkeypatch.setenv("PYTL_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setattr(tuning, "_clock", fake.clock)
    monkeypatch.setattr(tuned, "_found", {})
    return fake


def fresh(text: str = TEXT) -> pytl.Kernel:
    """A kernel that no memory knows, as in a new process."""
    return next(iter(pytl.compile(text).values()))


def data() -> tuple[float, np.ndarray, np.ndarray]:
    return 2.0, column_major(4), np.array([np.nan, 1.0, -0.0, np.inf], np.float32)


def tune(kernel: pytl.Kernel | Any = None, arguments: Any = None, **more: Any) -> pytl.TuningResult:
    more = {"budget": 3.0, "progress": False, "print_table": False, **more}
    return pytl.tune((kernel or fresh())[3] if kernel is None else kernel, arguments or data(), **more)


# The search.


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


# The budget.


def test_what_the_default_once_took_to_build_is_expected_of_others(fake: Fake) -> None:
    """It was found on disk; others are not."""
    fake.build = 0.0
    fake.variants = lambda lowered: [Variant("device", "disk", 0.1, 3.0, 0, 0)]
    result = tune(budget=3.0)
    assert len(result.trials) == 1 and len(result.untried) == 5 + 2 + 2 + 2
    assert len(tune(budget=4.0).trials) > 1


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


# The table.


def test_the_table(fake: Fake, capsys: pytest.CaptureFixture[str]) -> None:
    fake.space = {"items": (1, 8), "interleave": (1, 2, 4)}

    def fail(options: dict[str, Any]) -> None:
        if options["interleave"] == 4:
            raise RuntimeError("too many registers")

    fake.before = fail
    fake.cost = lambda options: {(1, 1): 1e-3, (8, 1): 6e-4, (8, 2): 2e-3}.get(
        (options["items"], options["interleave"]), 9e-4
    )
    result = pytl.tune(fresh()[3], data(), budget=2.0)
    out, err = capsys.readouterr()
    assert out == f"{result}\n"
    assert (
        str(result)
        == """\
@update, 3 work-groups on fake: 6 choices of options tried in 0.7 s of 2 s
   items  interleave  median  of default
   1      1             1 ms        1.00  the default
*  8      1           600 µs        0.60
   8      2             2 ms        2.00  dropped early
   8      4                               RuntimeError: too many registers
   1      2           900 µs        0.90
   1      4                               RuntimeError: too many registers"""
    )
    assert err.splitlines()[:4] == [
        "tuning @update: the default: 1 ms",
        "tuning @update: items=8: 0.60 of the default",
        "tuning @update: items=8, interleave=2: 2.00 of the default",
        "tuning @update: items=8, interleave=4: RuntimeError: too many registers",
    ]


def test_the_table_says_what_is_left(fake: Fake) -> None:
    fake.build, fake.space = 1.0, {"items": (1, 2, 4, 8), "tile": ("auto", "1x6u4")}
    lines = str(tune(budget=2.5)).splitlines()
    assert lines[0] == "@update, 3 work-groups on fake: 2 choices of options tried in 2.2 s of 2.5 s"
    assert lines[-1] == "left untried: items=4, 8; tile=1x6u4"


def test_a_terminal_has_a_bar(fake: Fake, monkeypatch, capsys) -> None:
    monkeypatch.setattr("sys.stderr.isatty", lambda: True, raising=False)
    fake.space = {"items": (1, 8)}
    tune(budget=1.0, progress=True)
    err = capsys.readouterr().err
    assert err.startswith("\rtuning @update [##......................] the default: 1.85 ms\x1b[K\rtuning")
    assert err.endswith("\r\x1b[K") and "\n" not in err


@pytest.mark.parametrize("stream", [None, object()])
def test_without_standard_error_nothing_is_said(fake: Fake, monkeypatch, stream: Any) -> None:
    fake.space = {"items": (1, 8)}
    monkeypatch.setattr("sys.stderr", None)
    assert tune(progress=True).options["items"] == 8


# Arrays.


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


GROUPS = """\
func @add(%x: group<memref<f32x2>x?>, %y: group<memref<f32x2>x?>) {
  %one = constant 1.0 : f32
  %g = builtin.group_id : index
  %a = load %x[%g] : memref<f32x2>
  %b = load %y[%g] : memref<f32x2>
  axpby.n %one, %a, %one, %b
}
"""


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
    with pytest.raises(KeyboardInterrupt), uninterrupted():
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
    def passes(options: dict[str, Any]) -> list[str]:
        return [] if options["items"] != 8 else ["no such pass"]

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
        result = tune(arguments=(2.0, np.ones(4, np.float32), y))
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
    (parameter,) = kernel.parameters()
    y = np.ones(shape, dtype_names(parameter.type.element)[0], order="F")  # type: ignore[attr-defined]
    (argument,) = launch.bind_all(kernel.function, [parameter], [y])
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


# What launches use.


BEST = {"items": 8, "interleave": 2, "prefetch": 1, "tile": "2x6u4"}


def used(kernel: pytl.Kernel, options: dict[str, Any] | None = None) -> dict[str, Any]:
    """The options that a launch has."""
    kernel[3, options or {}](*data())
    return base._instances["fake"].launched[-1]  # type: ignore[attr-defined]


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
    assert [lowered.options for lowered in kernel._lowered.values()] == [MODEL, BEST]
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


# The command line.


def test_the_command(fake: Fake, tmp_path: Path, monkeypatch, capsys) -> None:
    monkeypatch.chdir(tmp_path)
    Path("k.tl").write_text(TEXT + GROUPS.replace("?", "3", 1))
    fake.space = {"items": (1, 8)}
    assert main(["tune", "k.tl", "--function", "add", "--groups", "3", "--budget", "4", "--seed", "2"]) == 0
    out, err = capsys.readouterr()
    assert out.splitlines()[0].startswith("@add, 3 work-groups on fake: 2 choices of options tried in 0.")
    assert out.splitlines()[3].startswith("*  8 ") and "tuning @add: items=8: 0.84 of the default" in err
    assert main(["cache", "ls"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[1].startswith("@add ") and lines[1].endswith("  tuned: items=8")
    assert lines[3].startswith("0 kernels and 1 tuning, ")
    assert main(["cache", "clear"]) == 0
    assert capsys.readouterr().out.startswith("removed 0 kernels and 1 tuning, ")
    assert not any((tmp_path / "cache").iterdir())


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--function", "none", "--groups", "1"], "error[PYTL-3031]: there is no function @none"),
        (["--groups", "0"], "error[PYTL-2050]: there are 0 work-groups"),
        (["--groups", "1", "--budget", "-1"], "error[PYTL-2050]: the budget is -1.0"),
        (["--groups", "1", "--budget", "nan"], "error[PYTL-2050]: the budget is nan"),
        (["--groups", "1", "--arg", "z=1"], "error[PYTL-3032]: @update has no scalar z"),
        (
            ["--groups", "1", "--backend", "reference"],
            "error[PYTL-3050]: the backend reference has nothing to choose for @update",
        ),
    ],
)
def test_what_the_command_refuses(fake: Fake, tmp_path: Path, capsys, arguments: list[str], message: str) -> None:
    (tmp_path / "k.tl").write_text(TEXT)
    assert main(["tune", str(tmp_path / "k.tl"), *arguments]) == 1
    out, err = capsys.readouterr()
    assert out == "" and err.startswith(message)


# Mistakes.


@pytest.mark.parametrize(
    ("call", "message", "help"),
    [
        (lambda k: pytl.tune(k, data()), "update is to be tuned without a number of work-groups", "pass update[n]"),
        (lambda k: pytl.tune(k[1], data(), groups=1), "groups= is passed beside k[n]", "leave it out"),
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


def test_every_combination_of_the_made_up_costs_has_one_best() -> None:
    costs = [Fake.separable(dict(zip(SPACE, values))) for values in product(*SPACE.values())]
    assert min(costs) == Fake.separable(BEST) and costs.count(min(costs)) == 1
