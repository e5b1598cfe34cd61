"""install.py: when it asks pip, and when it knows that pip has nothing to do."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from launch_kit import ROOT


@pytest.fixture
def install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """The script in a checkout of its own, whose .venv is there and has pip; commands are listed in `asked`."""
    spec = importlib.util.spec_from_file_location("install", ROOT / "install.py")
    assert spec is not None and spec.loader is not None
    module: Any = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    (tmp_path / ".venv").mkdir()
    (tmp_path / "pyproject.toml").write_text("[project]")
    module.asked = []
    monkeypatch.setattr(module, "ROOT", tmp_path)
    monkeypatch.setattr(module, "INSTALLED", tmp_path / ".venv/installed.json")
    monkeypatch.setattr(module, "ask", lambda code: "")
    monkeypatch.setattr(module, "run", lambda *command: module.asked.append(command[-1]))
    return module


def test_pip_is_asked_each_time(install: Any) -> None:
    install.main(["test"])
    install.main(["test"])
    install.main([])
    assert install.asked == [".[test]", ".[test]", "."]


def test_pip_is_asked_for_what_is_not_there_yet(install: Any) -> None:
    install.main(["--if-needed", "test"])
    install.main(["--if-needed", "dev", "docs"])
    for extras in (["test"], ["docs"], ["dev", "test"], []):
        install.main(["--if-needed", *extras])
    assert install.asked == [".[test]", ".[dev,docs]"]


def test_pip_is_asked_again_where_the_description_changes(install: Any) -> None:
    install.main(["test", "dev"])
    (install.ROOT / "pyproject.toml").write_text("[project]\nname = 'pytl'")
    install.main(["--if-needed", "test"])
    install.main(["--if-needed", "dev"])
    assert install.asked == [".[test,dev]", ".[test]", ".[dev]"]


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"description": "", "extras": ["test"]}', "\x00"])
def test_what_is_noted_and_cannot_be_read_is_nothing(install: Any, text: str) -> None:
    install.INSTALLED.write_text(text)
    install.main(["--if-needed", "test"])
    assert install.asked == [".[test]"]


def test_where_pip_fails_nothing_is_noted(install: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*command: Any) -> None:
        raise SystemExit(1)

    install.main(["test"])
    with monkeypatch.context() as patched, pytest.raises(SystemExit):
        patched.setattr(install, "run", fail)
        install.main(["test"])
    install.main(["--if-needed", "test"])
    assert install.asked == [".[test]", ".[test]"]
