"""`pytl tune`: what it prints, and what it refuses."""

from __future__ import annotations

from pathlib import Path

import pytest
from tune_kit import GROUPS, TEXT, Fake

from pytl.tools.cli import main


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
