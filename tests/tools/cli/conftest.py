"""The files that commands are given, and what runs a command."""

from __future__ import annotations

from pathlib import Path

import pytest
from cli_kit import BAD, GOOD, KERNELS, Run


@pytest.fixture
def directory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    for name, text in {"good.tl": GOOD, "bad.tl": BAD, "kernels.py": KERNELS}.items():
        (tmp_path / name).write_text(text)
    return tmp_path


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    return Run(capsys)
