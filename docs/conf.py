"""How Sphinx makes the site of the pages in this folder: `nox -s docs`."""

import html
import re

import pytl

project = "pytl"
author = "the authors of pytl"
copyright = "the authors of pytl"
release = version = pytl.__version__

extensions = ["myst_parser"]
# A page is the same on GitHub: headings have the anchors that GitHub gives them.
myst_heading_anchors = 4

html_theme = "alabaster"
html_theme_options = {
    "description": "A tensor language in Python",
    "fixed_sidebar": True,
    # lines of code have up to 120 characters
    "page_width": "1340px",
    "body_max_width": "1040px",
    "code_font_size": "0.82em",
    "sidebar_width": "260px",
}
# A block that names no language is text of the tensor language.
highlight_language = "none"


def _list_instructions(app, page, source):
    """Puts the instructions below their index; on GitHub a directive would be shown as text."""
    if page == "reference/index":
        source[0] += "\n```{toctree}\n:hidden:\n:glob:\n\n*\n```\n"


def _write_long_tables(app, page, source):
    """Writes the tables of the page that has most rows as HTML: docutils would take half a minute to make cells."""
    if page == "coverage":
        source[0] = re.sub(r"(?:^\|.*\n)+", _table, source[0], flags=re.MULTILINE)


def _table(rows):
    """A table of Markdown whose cells are words and code, as HTML."""
    head, _, *body = rows[0].splitlines()
    lines = [_row(head, "th"), *(_row(line, "td") for line in body)]
    return "\n".join(["```{raw} html", '<table class="docutils">', *lines, "</table>", "```", ""])


def _row(line, tag):
    cells = [re.sub("`(.+?)`", r"<code>\1</code>", html.escape(cell.strip())) for cell in line.strip("|").split(" | ")]
    return f"<tr>{''.join(f'<{tag}>{cell}</{tag}>' for cell in cells)}</tr>"


def setup(app):
    app.connect("source-read", _list_instructions)
    app.connect("source-read", _write_long_tables)
