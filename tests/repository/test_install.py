"""install.py: when it asks pip, and when it knows that pip has nothing to do."""

from __future__ import annotations

import importlib.util
import json
import shutil
import subprocess
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from launch_kit import ROOT

from pytl.devices import bootstrap

PROJECT = """[project]
dpnp = [
    "numba-dpex==0.23.0; python_version < '3.12'",
]
"""
REQUIREMENTS = {
    "dependencies": ["numpy"],
    "optional-dependencies": {"test": ["pytest"], "dev": ["ruff"], "docs": ["sphinx"], "dpnp": ["dpnp"]},
}


@pytest.fixture
def install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """The script in a checkout of its own, whose .venv is there and has pip; commands are listed in `asked`."""
    spec = importlib.util.spec_from_file_location("install", ROOT / "install.py")
    assert spec is not None and spec.loader is not None
    module: Any = importlib.util.module_from_spec(spec)
    monkeypatch.syspath_prepend(str(ROOT))  # as Python does for a script
    spec.loader.exec_module(module)
    (tmp_path / ".venv").mkdir()
    (tmp_path / "pyproject.toml").write_text(PROJECT)
    module.asked, module.apart = [], []
    monkeypatch.setattr(module, "ROOT", tmp_path)
    monkeypatch.setattr(module, "INSTALLED", tmp_path / ".venv/installed.json")
    monkeypatch.setattr(module, "ask", lambda code: json.dumps(REQUIREMENTS) if code == module.REQUIREMENTS else "")
    monkeypatch.setattr(
        module, "run", lambda *words: (module.apart if "--no-deps" in words else module.asked).append(words[-1])
    )
    return module


def test_pip_is_asked_each_time(install: Any) -> None:
    install.main(["test"])
    install.main(["test"])
    install.main([])
    assert install.asked == [".[test]", "pytest", "."], "pytl itself is made again without extras only"


def test_pip_is_asked_for_what_is_not_there_yet(install: Any) -> None:
    install.main(["--if-needed", "test"])
    install.main(["--if-needed", "dev", "docs"])
    for extras in (["test"], ["docs"], ["dev", "test"], []):
        install.main(["--if-needed", *extras])
    assert install.asked == [".[test]", "sphinx"]


def test_pip_is_asked_again_where_the_description_changes(install: Any) -> None:
    install.main(["test", "dev"])
    (install.ROOT / "pyproject.toml").write_text(f"{PROJECT}name = 'pytl'")
    install.main(["--if-needed", "test"])
    install.main(["--if-needed", "dev"])
    assert install.asked == [".[test,dev]", ".[test]", "ruff"]


def test_pytl_is_installed_again_where_it_is_gone(install: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    install.main(["test"])
    monkeypatch.setattr(install, "ask", lambda code: None if "version('pytl')" in code else "")
    install.main(["test"])
    assert install.asked == [".[test]", ".[test]"]


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
    assert install.asked == [".[test]", "pytest"]


def test_what_is_there_stays_noted_while_more_is_installed(install: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    install.main(["test"])
    seen = []
    monkeypatch.setattr(install, "run", lambda *words: seen.append(install.installed()))
    install.main(["dev", "docs"])
    assert seen == [["test"]]
    assert install.installed() == ["dev", "docs", "test"]


def test_the_compiler_is_installed_without_dpnp_unless_dpnp_is_asked_for(install: Any) -> None:
    install.main(["test"])
    assert install.apart == ["numba-dpex==0.23.0; python_version < '3.12'"]
    install.main(["test", "dpnp"])
    assert len(install.apart) == 1


def described(install: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """The script reads the project's own pyproject.toml; .venv has no numba-dpex."""
    shutil.copy(ROOT / "pyproject.toml", install.ROOT)

    def ask(code: str) -> str | None:
        if code == install.REQUIREMENTS:
            return subprocess.check_output([sys.executable, "-c", code], cwd=install.ROOT, text=True)
        return None if "numba-dpex" in code else ""

    commands: list[tuple[Any, ...]] = []
    install.commands = commands
    monkeypatch.setattr(install, "ask", ask)
    monkeypatch.setattr(install, "run", lambda *words: commands.append(words))


def test_the_current_stack_is_asked_for_without_its_limit_to_newer_pythons(
    install: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    described(install, monkeypatch)
    install.main(["--current", "test"])
    required, own = install.commands
    assert own[-3:] == ("--no-deps", "--editable", ".")
    for pin in bootstrap.CURRENT_PINS:
        assert [word for word in required if str(word).startswith(f"{pin}; python_version < '3.15'")]
    assert not [word for word in required if str(word).startswith(("numba-dpex", "dpctl==0.17", "numpy<2"))]
    assert [word for word in required if str(word).startswith("pytest")]
    assert [word for word in required if str(word).startswith("dask")]  # of the extra that the extra asks for


def test_an_environment_keeps_to_the_current_stack(install: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    described(install, monkeypatch)
    install.main(["--current"])
    install.main(["--if-needed", "docs"])
    assert [words[-1] == "." for words in install.commands] == [False, True, False]
    for required in install.commands[::2]:
        assert [
            word for word in required if str(word).startswith(f"{bootstrap.CURRENT_PINS[0]}; python_version < '3.15'")
        ]
    assert [word for word in install.commands[2] if str(word).startswith("sphinx")]
    install.main(["--if-needed", "docs"])
    assert len(install.commands) == 3


def test_the_stacks_do_not_mix(install: Any) -> None:
    with pytest.raises(SystemExit, match=r"Remove \.venv and run this again"):
        install.main(["--current"])  # the fixture's .venv has every package
    assert install.asked == []


@pytest.mark.parametrize(
    ("problem", "told"),
    [
        (None, "Note: pytl is installed without its SYCL backend; kernels run on the mlir backend."),
        ("brew has failed.", "Note: pytl is installed without a compiler; kernels run on the reference backend,"),
    ],
)
def test_where_there_is_no_sycl_the_tools_of_mlir_are_installed(
    install: Any, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], problem: str | None, told: str
) -> None:
    monkeypatch.setattr(install, "ask", lambda code: None if "can_launch" in code else "a Python")
    monkeypatch.setattr(install.install_arm, "install_host", lambda: problem)
    install.main([])
    printed = capsys.readouterr().out
    assert told in printed
    assert ".venv has a Python." in printed
    assert (problem or "") in printed


def test_words_that_mean_nothing_are_told(install: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(SystemExit, match="has no option --newest"):
        install.main(["--newest"])
    described(install, monkeypatch)
    with pytest.raises(SystemExit, match=r"pytl has no extra tests\. Its extras are dpnp, "):
        install.main(["--current", "tests"])


def test_the_pins_that_errors_name_are_those_of_the_project() -> None:
    text = (ROOT / "pyproject.toml").read_text("utf-8")
    pins = (bootstrap.COMPILER, *bootstrap.PINS, *bootstrap.CURRENT_PINS)
    assert [pin for pin in pins if f'"{pin}; ' not in text] == []
