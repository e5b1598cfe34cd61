"""docs/mlir-langref.md: the document on MLIR of 2018, construct by construct, with today's names and what pytl does."""

from __future__ import annotations

from importlib.resources import files

from ...process.records import dataclass
from .markdown import anchor, document, table

_INTRODUCTION = """\
# The document on MLIR of 2018, and today's MLIR

MLIR's specification was first written down in 2018. Its syntax differs from that of MLIR 22: `func` and `for` are
part of the grammar, affine maps have sizes, attributes a colon. Texts of it are the language `mlir-2018`, in files
that end in `.mlir2018`; `// language: mlir-2018` in the first line says so, too.

- `pytl check FILE.mlir2018` reads a text, and checks it by the document's rules, PYTL-1400 to PYTL-1445
  ([Rules](rules.md#mlir-of-2018)); all problems are told at once. What the grammar has in
  another way, but can be meant in one way only, is read with a note (PYTL-1401).
- `pytl convert --to mlir-2018` prints it by the document's grammar, `pytl convert --to mlir` in today's spelling,
  which `mlir-opt` verifies.
- `pytl run` and `pytl.compile(text, language="mlir-2018")` execute it: each function that gives no values becomes a
  kernel, by way of today's operations, as `pytl.from_mlir` makes one. A function that becomes none is checked, and
  a note says why it does not (PYTL-1453).

The modules that are named stand in `pytl/frontends/mlir2018/`; `reader.py` and what it builds on read, `check.py`,
`names.py`, `type_rules.py` and `operations/` check, `printer.py` prints, `today/` has today's operations and text,
and `executed.py` the kernels."""
_GRAMMAR = """\
The blocks of grammar, in the document's order. All productions are read by texts of `rules.txt` and `document.txt`
in `tests/frontends/mlir2018/`, and what is read is printed and read again (`test_document.py`)."""
_OPERATIONS = """\
The standard operations. Each has a class in `operations/` that reads and writes its form and has its rules; all are
read in the generic form, too."""
_SAMPLES = """\
The document's code blocks, in its order. *Read* says whether a block keeps the document's own rules, and *told*
what is said of it: notes on the spelling, and errors with their codes. What is read is printed by the grammar, and
the print read as the same tree. *Today* has the codes of what is said when it is printed for MLIR 22; all but those
with PYTL-1450 are verified by `mlir-opt`. *Executed* names the test of `test_document_runs.py` that compares what
it computes with NumPy; where the document's own text breaks a rule, or has sizes that are known at run time only,
that is mended there; or it says why nothing is executed. `pytest tests/frontends/mlir2018 -k 33-` runs the tests of
the 33rd block."""


@dataclass(frozen=True)
class Entry:
    """A block of grammar, an operation or a block of code."""

    kind: str
    name: str
    fields: dict[str, str]


def entries() -> list[Entry]:
    """All entries: read from the file beside this module."""
    text = files(__package__ or __name__).joinpath("mlir_langref.txt").read_text(encoding="utf-8")
    collected = []
    for part in text.split("\n== ")[1:]:
        head, *lines = part.strip("\n").splitlines()
        kind, name = head.split(" ", 1)
        values = {key: value.strip() for key, _, value in (line.partition(":") for line in lines)}
        collected.append(Entry(kind, name, values))
    return collected


def mlir_langref_page() -> str:
    """The page."""
    every = entries()
    grammar, operations, samples = ([each for each in every if each.kind == kind] for kind in _COLUMNS)
    rows = {
        "grammar": [_row(each, *each.name.split(" ", 1)) for each in grammar],
        "operation": [_row(each, f"`{each.name}`") for each in operations],
        "sample": [_row(each, *each.name.split(" ", 1)) for each in samples],
    }
    blocks = [_INTRODUCTION]
    for title, text, kind in (
        ("Grammar", _GRAMMAR, "grammar"),
        ("Operations", _OPERATIONS, "operation"),
        ("Code blocks", _SAMPLES, "sample"),
    ):
        blocks += [f"## {title}", text, table(_COLUMNS[kind], rows[kind])]
    return document(blocks)


_COLUMNS = {
    "grammar": ["", "section", "productions", "read", "rules", "today"],
    "operation": ["operation", "form", "rules", "today", "executed"],
    "sample": ["", "section", "read", "told", "today", "executed"],
}


def _row(entry: Entry, *first: str) -> list[str]:
    cells = [_cell(key, value) for key, value in entry.fields.items()]
    return [*first, *cells]


def _cell(key: str, value: str) -> str:
    if key == "productions":
        return ", ".join(f"`{each}`" for each in value.split(", ")) if "-" in value or "," in value else value
    if key == "form":
        return f"`{value}`"
    if key in ("rules", "today") and value.startswith("PYTL-"):
        return _linked(value)
    return value.replace("<", "&lt;") if key == "told" else value


def _linked(codes: str) -> str:
    words = codes.replace(",", " ,").split()
    linked = [
        f"[{word.removeprefix('PYTL-')}](rules.md#{anchor(word)})" if word.startswith("PYTL-") else word
        for word in words
    ]
    return " ".join(linked).replace(" ,", ",")
