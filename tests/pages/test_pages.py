"""The pages for people: their links lead somewhere, and the files that they name exist."""

import builtins
import re
from collections import Counter
from pathlib import Path

import pytest

import pytl
from pytl.backends.registry import backend_names, find_backend

pytestmark = pytest.mark.at_most(40)

ROOT = Path(__file__).resolve().parents[2]
PAGES = [ROOT / "README.md", ROOT / "CHANGELOG.md", *sorted(ROOT.glob("docs/**/*.md"))]
LINK = re.compile(r"\]\(([^)\s]+)\)")
FENCED = re.compile(r"^```.*?^```", re.DOTALL | re.MULTILINE)
PATH = re.compile(r"`((?:[\w.]+/)*[\w.]+\.(?:py|md|txt|toml)|(?:[\w.]+/)+)`")
MADE = {".venv/"}
"""What stands in a clone only after the installation."""


def prose(page: Path) -> str:
    """A page without its blocks of code."""
    return FENCED.sub("", page.read_text())


def anchors(page: Path) -> set[str]:
    """The names of a page's headings, as GitHub makes them, and of its explicit anchors."""
    seen: Counter[str] = Counter()
    found = set(re.findall(r'<a (?:id|name)="([^"]+)"', page.read_text()))
    for heading in re.findall(r"^#+ (.*)$", prose(page), re.MULTILINE):
        text = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading)
        name = re.sub(r"[^\w\- ]", "", text.strip().lower()).replace(" ", "-")
        found.add(f"{name}-{seen[name]}" if seen[name] else name)
        seen[name] += 1
    return found


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_lead_somewhere(page: Path) -> None:
    broken = []
    for link in LINK.findall(re.sub(r"`[^`\n]*`", "", prose(page))):
        if "://" in link:
            continue
        file, _, anchor = link.partition("#")
        target = (page.parent / file).resolve() if file else page
        if not target.exists() or (anchor and anchor not in anchors(target)):
            broken.append(link)
    assert broken == []


@pytest.mark.parametrize("page", [ROOT / "README.md", ROOT / "docs" / "architecture.md"], ids=lambda page: page.name)
def test_files_that_are_named_exist(page: Path) -> None:
    """A name is relative to the repository, to the package, or to a folder in it, as the text around it says."""
    known = [ROOT, ROOT / "pytl", *(folder for folder in (ROOT / "pytl").rglob("*") if folder.is_dir())]
    named = set(PATH.findall(prose(page))) - MADE
    assert named
    assert [name for name in sorted(named) if not any((folder / name).exists() for folder in known)] == []


def test_every_page_of_the_reference_is_linked() -> None:
    folder = ROOT / "docs" / "reference"
    linked = set(LINK.findall((folder / "index.md").read_text()))
    assert {page.name for page in folder.glob("*.md")} - linked == {"index.md"}


@pytest.mark.additions
def test_the_guide_leads_to_every_instruction() -> None:
    linked = {Path(link).name for link in LINK.findall((ROOT / "docs/guide/language.md").read_text())}
    assert {page.name for page in ROOT.glob("docs/reference/*.md")} - linked == {"index.md", "types.md"}


@pytest.mark.additions
def test_the_guide_names_every_option_of_a_launch() -> None:
    guide = "".join(page.read_text() for page in ROOT.glob("docs/guide/*.md"))
    options = {option: name for name in backend_names() for option in find_backend(name).options}
    missing = [f"{o} of {name}" for o, name in options.items() if f"`{o}`" not in guide and f'{{"{o}": ' not in guide]
    assert not missing, f"no page of docs/guide has {', '.join(missing)}"


@pytest.mark.additions
def test_the_page_of_names_has_every_public_name() -> None:
    """A name whose module is in no section of the page would be missing without a word."""
    page = (ROOT / "docs" / "api.md").read_text()
    shadowing = [name for name in dir(pytl) if hasattr(builtins, name) and not name.startswith("_")]
    missing = [name for name in (*pytl.__all__, *shadowing) if f"### {name}\n" not in page and f"`{name}" not in page]
    assert not missing, (
        f"{', '.join(missing)}: run `python -m pytl.tools.docs`; SECTIONS in tools/docs/api.py have the modules"
    )
