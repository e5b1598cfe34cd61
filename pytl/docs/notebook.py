"""The notebook of the tutorial: the page's text and blocks as cells, without what the blocks print."""

from __future__ import annotations

import re
from pathlib import Path

TUTORIAL = Path(__file__).resolve().parents[2] / "docs" / "guide" / "tutorial.md"
PRINTED = re.compile(r"^```text\n.*?^```\n\n?", re.DOTALL | re.MULTILINE)
REMARK = re.compile(r"^<!--.*?-->\n\n?", re.DOTALL | re.MULTILINE)
LINK = re.compile(r"\]\((?!https?:)([^)]+)\)")
EXAMPLES = "../docs/guide/"
"""The folder of the page, from the folder of the notebook."""


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
