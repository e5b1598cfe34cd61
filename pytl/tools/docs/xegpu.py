"""docs/xegpu.md: the document on XeTile and XeGPU, operation by operation, with today's names and what pytl does."""

from __future__ import annotations

from collections.abc import Iterable
from importlib.resources import files

from ...process.records import dataclass
from .markdown import document, fence, table

_INTRODUCTION = """\
# The document on XeTile and XeGPU, and today's dialect

The document that proposed both dialects is older than what became of them: XeTile lives outside of MLIR, and XeGPU has
other names and forms in MLIR 22. This page has each operation, each attribute and each type of the document, with
today's name, what pytl does with it, and an example in today's syntax, which the tests give to `mlir-opt`.

*Read* says what it becomes in a text of the language `xetile`, on every backend ([Tiles](guide/tiles.md)).
*Emitted* is what `k.emit("xegpu")` prints ([Intel GPUs](guide/xegpu.md)), and *mapped* what becomes of it where pytl
prints something else. Offsets, sizes and strides are those of the dialect, which is row-major; the language is
column-major."""
_PARTS = {"operation": "operations", "attribute": "attributes", "type": "types"}


@dataclass(frozen=True)
class Entry:
    """An operation, attribute or type of the document."""

    dialect: str
    kind: str
    name: str
    document: str
    """How the document writes it."""
    today: str
    """What MLIR 22 has in its place."""
    read: str
    """What a text of the language `xetile` becomes that has it."""
    pytl: str
    emitted: str
    """A text that is printed where pytl emits it; empty where it does not."""
    parameters: str
    """Those of the function that the example stands in."""
    example: str

    @property
    def module(self) -> str:
        """The example as a module."""
        lines = "\n".join(f"    {line}" for line in self.example.splitlines())
        return (
            f"gpu.module @example {{\n  gpu.func @f({self.parameters}) kernel {{\n{lines}\n    gpu.return\n  }}\n}}\n"
        )


def entries() -> list[Entry]:
    """All entries in the document's order: read from the file beside this module."""
    text = files(__package__ or __name__).joinpath("xegpu.txt").read_text(encoding="utf-8")
    return [_entry(part) for part in text.split("\n== ")[1:]]


def _entry(part: str) -> Entry:
    head, *lines = part.strip("\n").splitlines()
    dialect, kind, name = head.split(" ", 2)
    fields = dict.fromkeys(("document", "today", "read", "pytl", "emitted", "parameters"), "")
    while lines and lines[0]:
        field, _, value = lines.pop(0).partition(":")
        if field not in fields:
            raise ValueError(f"xegpu.txt, {name}: {field!r} is no field")
        fields[field] = value.removeprefix(" ")
    return Entry(dialect, kind, name, example="\n".join(line.strip() for line in lines[1:]), **fields)


def xegpu_page() -> str:
    """The page."""
    every = entries()
    blocks = [_INTRODUCTION]
    for dialect in dict.fromkeys(entry.dialect for entry in every):
        for kind, title in _PARTS.items():
            chosen = [entry for entry in every if (entry.dialect, entry.kind) == (dialect, kind)]
            if chosen:
                blocks += [f"## {dialect}: {title}", *_chapter(chosen)]
    return document(blocks)


def _chapter(chosen: Iterable[Entry]) -> Iterable[str]:
    listed = list(chosen)
    yield table(
        ["the document", "today", "read", "printed"], [[f"`{e.name}`", e.today, e.read, e.pytl] for e in listed]
    )
    for entry in listed:
        yield f"### {entry.dialect} {entry.name}"
        yield f"The document: `{entry.document}`"
        preamble = f"// {entry.parameters}\n" if entry.parameters else ""
        yield fence(preamble + entry.example)
