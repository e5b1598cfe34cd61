"""What the pages for people show is so: their blocks run, and print what stands below them."""

from __future__ import annotations

from pathlib import Path

import pytest
from launch_kit import ROOT, needs_sycl
from pages_kit import page_backend, problems_of

from pytl.process.settings import all_settings

pytestmark = pytest.mark.at_most(20)

GENERATED = "<!-- Made of the definitions"
# Pages of examples show excerpts of programs, which tests/pages/test_examples.py runs.
FOLDERS = ("docs", "docs/guide", "docs/notes")
PAGES = [ROOT / "README.md", *(page for folder in FOLDERS for page in sorted((ROOT / folder).glob("*.md")))]
SHOWN = [page for page in PAGES if not page.read_text(encoding="utf-8").startswith(GENERATED)]
# What counts launch plans needs a library's arrays, for others have no plan.
NEEDS = {"numba_dpex.md": "needs_numba_dpex", "launching.md": "needs_tensors"}


def _parameter(page: Path) -> object:
    marks = [needs_sycl] if page_backend(page) == "sycl" else []
    if page.name in NEEDS:
        marks.append(getattr(pytest.mark, NEEDS[page.name]))
    return pytest.param(page, id=str(page.relative_to(ROOT)), marks=marks)


@pytest.fixture
def surroundings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    """A directory of its own, none of the user's settings, and nothing that was compiled before."""
    monkeypatch.chdir(tmp_path)
    for setting in all_settings():
        monkeypatch.delenv(setting.variable, raising=False)
    monkeypatch.setenv("PYTL_CACHE_DIR", str(tmp_path / "cache"))
    return monkeypatch


@pytest.mark.parametrize("page", [_parameter(page) for page in SHOWN])
def test_what_a_page_shows_is_so(page: Path, surroundings: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> None:
    surroundings.setenv("PYTL_BACKEND", page_backend(page))
    problems = problems_of(page, request.config.getoption("--update-golden"))
    if problems:
        pytest.fail("\n\n".join(problems), pytrace=False)


# The pages' own test.


def _page(directory: Path, *lines: str) -> Path:
    page = directory / "page.md"
    page.write_text("\n".join(lines), encoding="utf-8")
    return page


def test_a_problem_names_the_page_and_the_line(surroundings: pytest.MonkeyPatch, tmp_path: Path) -> None:
    page = _page(
        tmp_path,
        *("```python", "print(1)", "1 / 0", "```", "", "```text", "2", "```", ""),
        *("```python", "pass", "undefined", "```", ""),
        *("```console", "$ rm file", "```", ""),
        *("```sh", "```", "", "```text", "of any", "```", "", "```text", "of nothing", "```"),
    )
    printed, failed, command, stray = problems_of(page)
    assert printed.startswith(f"{page}:7: the block prints something else:") and "- 2\n" in printed
    assert f"\n{page}:3:\n" in printed and "ZeroDivisionError" in printed
    assert failed.startswith(f"{page}:10: {page}:12:\n") and "NameError: name 'undefined'" in failed
    assert command == f"{page}:15: '$ rm file' is no command of pytl"
    assert stray == f"{page}:26: this text follows no block that prints it"


def test_what_is_printed_is_compared_and_can_be_written(surroundings: pytest.MonkeyPatch, tmp_path: Path) -> None:
    page = _page(
        tmp_path,
        *("```python", "print('took', 0.25, 's')", "```", "", "```text", "took ... s", "```", ""),
        *("```python", "raise ValueError(__name__)", "```", "", "```text", "?", "```", ""),
        *("<!-- file: f.tl -->", "```", "func @f() {", "}", "```", "", "```console", "$ pytl opt f.tl", "?", "```", ""),
        *("<!-- skip: next -->", "```python", "undefined", "```"),
    )
    assert len(problems_of(page)) == 2
    assert problems_of(page, update=True) == []
    assert problems_of(page) == []
    written = page.read_text(encoding="utf-8")
    assert "took ... s\n" in written
    assert "```text\nValueError: __main__\n```" in written
    assert "$ pytl opt f.tl\nfunc @f() {\n}\n```" in written


def test_a_kernel_of_a_page_has_a_source(surroundings: pytest.MonkeyPatch, tmp_path: Path) -> None:
    kernel = ("import pytl", "@pytl.kernel", "def k():", "    while True: pass", "print(k)")
    page = _page(tmp_path, "```python", *kernel, "```", "", "```text", "...--> example.py:4:11 in k...", "```")
    assert problems_of(page) == []
