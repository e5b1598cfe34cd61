"""install.py: when it asks pip, and when it knows that pip has nothing to do."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from launch_kit import ROOT

from pytl.runtime import bootstrap

PROJECT = """[project]
dpnp = [
    "numba-dpex==0.23.0; python_version < '3.12'",
]
"""


@pytest.fixture
def install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """The script in a checkout of its own, whose .venv is there and has pip; commands are listed in `asked`."""
    spec = importlib.util.spec_from_file_location("install", ROOT / "install.py")
    assert spec is not None and spec.loader is not None
    module: Any = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    (tmp_path / ".venv").mkdir()
    (tmp_path / "pyproject.toml").write_text(PROJECT)
    module.asked, module.apart = [], []
    monkeypatch.setattr(module, "ROOT", tmp_path)
    monkeypatch.setattr(module, "INSTALLED", tmp_path / ".venv/installed.json")
    monkeypatch.setattr(module, "ask", lambda code: "")
    monkeypatch.setattr(
        module, "run", lambda *words: (module.apart if "--no-deps" in words else module.asked).append(words[-1])
    )
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
    (install.ROOT / "pyproject.toml").write_text(f"{PROJECT}name = 'pytl'")
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


def test_the_compiler_is_installed_without_dpnp_unless_dpnp_is_asked_for(install: Any) -> None:
    install.main(["test"])
    assert install.apart == ["numba-dpex==0.23.0; python_version < '3.12'"]
    install.main(["test", "dpnp"])
    assert len(install.apart) == 1


def test_the_pins_that_errors_name_are_those_of_the_project() -> None:
    text = (ROOT / "pyproject.toml").read_text("utf-8")
    pins = (bootstrap.COMPILER, *bootstrap.PINS, *bootstrap.CURRENT_PINS)
    assert [pin for pin in pins if f'"{pin}; ' not in text] == []
