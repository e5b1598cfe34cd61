"""What the pages for people show is so: their blocks run, and print what stands below them."""

from __future__ import annotations

from pathlib import Path

import pytest
from launch_kit import ROOT, needs_sycl
from pages_kit import page_backend, problems_of

from pytl.settings import all_settings

GENERATED = "<!-- Made of the definitions"
PAGES = [ROOT / "README.md", *sorted(ROOT.glob("docs/**/*.md"))]
SHOWN = [page for page in PAGES if not page.read_text(encoding="utf-8").startswith(GENERATED)]


def _parameter(page: Path) -> object:
    marks = [needs_sycl] if page_backend(page) == "sycl" else []
    return pytest.param(page, id=str(page.relative_to(ROOT)), marks=marks)


@pytest.fixture
def surroundings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    """A directory of its own, and none of the user's settings."""
    monkeypatch.chdir(tmp_path)
    for setting in all_settings():
        monkeypatch.delenv(setting.variable, raising=False)
    return monkeypatch


@pytest.mark.parametrize("page", [_parameter(page) for page in SHOWN])
def test_what_a_page_shows_is_so(page: Path, surroundings: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> None:
    surroundings.setenv("PYTL_BACKEND", page_backend(page))
    problems = problems_of(page, request.config.getoption("--update-golden"))
    if problems:
        pytest.fail("\n\n".join(problems), pytrace=False)
