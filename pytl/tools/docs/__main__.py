"""Writes the generated pages: `python -m pytl.tools.docs [DIRECTORY]`, by default docs/ of the working directory."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path

from ...backends.registry import find_backend
from ...diagnostics import all_rules
from ...ops.reference import instructions_with_pages, page_name
from ..cli import import_all_rules, make_parser
from . import walk
from .api import api_page
from .command_line import command_line_page
from .instructions import index_page, instruction_page
from .mlir_langref import mlir_langref_page
from .rules import rules_page
from .types import types_page
from .xegpu import xegpu_page

TUTORIAL = Path(__file__).resolve().parents[3] / "docs" / "guide" / "tutorial.md"
PRINTED = re.compile(r"^```text\n.*?^```\n\n?", re.DOTALL | re.MULTILINE)
REMARK = re.compile(r"^<!--.*?-->\n\n?", re.DOTALL | re.MULTILINE)
LINK = re.compile(r"\]\((?!https?:)([^)]+)\)")
EXAMPLES = "../docs/guide/"
"""The folder of the page, from the folder of the notebook."""


def compilers() -> dict[str, Callable[[], str]]:
    """What makes each generated page, by the page's path from docs/."""
    import_all_rules()
    rules = all_rules()
    writers: dict[str, Callable[[], str]] = {
        "api.md": api_page,
        "command_line.md": partial(command_line_page, make_parser()),
        "mlir-langref.md": mlir_langref_page,
        "rules.md": partial(rules_page, rules),
        "xegpu.md": xegpu_page,
        "reference/index.md": index_page,
        "reference/types.md": types_page,
        "../examples/tutorial.ipynb": tutorial_notebook,
    }
    for cls in instructions_with_pages():
        writers[f"reference/{page_name(cls)}.md"] = partial(instruction_page, cls, rules)
    return writers


def write(directory: Path) -> list[Path]:
    """Write every page, and remove pages of instructions that no longer exist; returns the files that have changed.

    Where MLIR's tools are missing, pages that these make stay as they are.
    """
    makers = compilers()
    if not any(find_backend(name).unavailable() for name in walk.NEEDED):
        makers |= walk.PAGES
    pages = {directory / path: make().encode() for path, make in makers.items()}
    changed = [file for file, text in pages.items() if not file.exists() or file.read_bytes() != text]
    for file in changed:
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(pages[file])
    gone = [file for file in (directory / "reference").glob("*.md") if file not in pages]
    for file in gone:
        file.unlink()
    return [*changed, *gone]


def tutorial_notebook() -> str:
    """The notebook as JSON. Links lead from examples/ to the pages; cells are numbered, so that nothing is random."""
    import jupytext  # of the extra `docs`; it brings nbformat

    text = PRINTED.sub("", REMARK.sub("", TUTORIAL.read_text(encoding="utf-8")))
    notebook = jupytext.reads(text, fmt="md")
    notebook.metadata = {
        "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
        "language_info": {"name": "python"},
    }
    for number, cell in enumerate(notebook.cells):
        cell["id"] = f"cell-{number}"
        if cell["cell_type"] == "markdown":
            cell["source"] = LINK.sub(rf"]({EXAMPLES}\1)", cell["source"])
    return jupytext.writes(notebook, fmt="ipynb")


if __name__ == "__main__":
    for changed in write(Path(sys.argv[1] if len(sys.argv) > 1 else "docs")):
        print(changed)
