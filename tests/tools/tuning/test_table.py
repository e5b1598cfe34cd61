"""`pytl.tune`: the table of the trials, and what is said on the way to it."""

from __future__ import annotations

from typing import Any

import pytest
from tune_kit import Fake, data, fresh, tune

import pytl


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
