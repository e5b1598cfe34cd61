"""The pages of the instructions: what their definitions say, with an example in Python and as text."""

from __future__ import annotations

import runpy
from collections.abc import Sequence

from ..diagnostics import Rule
from ..ir.operation import Operation
from ..kernel import Kernel
from ..ops.examples import path_of, source_of
from ..ops.reference import KINDS, Table, by_kind, kind_title, page_name, page_of
from .markdown import code, document, fence, plain, table
from .rules import link

_INTRODUCTION = """\
Each page is made of the instruction's definition, which also makes its printer, its parser and its checks. The example
on it is a program that runs, and the text is what its kernel prints; `pytl ops gemm` shows the same in a terminal.
[Types](types.md) has the types, their sizes and which is promotable to which; [Rules](../rules.md) has all rules."""
_TABLE_NAMES = {"name", "word", "part"}


def traced(cls: type[Operation]) -> str:
    """The text of the kernel in an instruction's example, which is executed for that."""
    kernels = [value for value in runpy.run_path(path_of(cls)).values() if isinstance(value, Kernel)]
    return "\n\n".join(map(str, kernels))


def text_page(cls: type[Operation], rules: Sequence[Rule]) -> str:
    """What `pytl ops` prints of an instruction."""
    program, text = (_indented(part) for part in (source_of(cls).rstrip(), traced(cls)))
    return f"{page_of(cls, rules)}\n\nExample\n{program}\n\nThe kernel as text\n{text}"


def instruction_page(cls: type[Operation], rules: Sequence[Rule]) -> str:
    """The page of an instruction as Markdown."""
    page = page_of(cls, rules)
    known = {rule.code: rule for rule in rules}
    kind = f"*{kind_title(page.kind)} instruction · manual: {page.section}*"
    return document(
        [
            f"# {_title(cls)}",
            kind,
            plain(page.meaning),
            fence(page.syntax),
            *(block for part in page.tables for block in _section(part, known)),
            "## Example",
            fence(source_of(cls).rstrip(), "python"),
            "The kernel as text:",
            fence(traced(cls)),
            "[All instructions](index.md)",
        ]
    )


def index_page() -> str:
    """The list of all instructions, by kind."""
    blocks = ["# Instructions", _INTRODUCTION]
    for kind, members in by_kind().items():
        sentence = KINDS[kind]
        rows = [(f"[{code(_title(cls))}]({page_name(cls)}.md)", plain(_first_sentence(cls))) for cls in members]
        blocks += [
            f"## {kind_title(kind)} instructions",
            f"{sentence[0].upper()}{sentence[1:]}.",
            table(["instruction", "meaning"], rows),
        ]
    return document(blocks)


def _title(cls: type[Operation]) -> str:
    """The word of an instruction; families that share one are told apart as in the manual."""
    family = page_name(cls).removeprefix(cls.mnemonic).strip("_")
    if not family:
        return cls.mnemonic
    return f"{cls.mnemonic} ({'SPMD' if family == 'spmd' else family})"


def _section(part: Table, rules: dict[str, Rule]) -> list[str]:
    columns = ["" if column == "…" else column for column in part.columns]
    rows = []
    for row in part.rows:
        cells = []
        for column, cell in zip(part.columns, row):
            if column == "code":
                cells.append(f"[{cell}](../{link(rules[cell])})" if cell in rules else cell)
            elif column in _TABLE_NAMES:
                cells.append(code(cell))
            else:
                cells.append(plain(cell))
        rows.append(cells)
    filled = [position for position in range(len(columns)) if any(row[position] for row in rows)]
    return [
        f"## {part.title}",
        table([columns[p] for p in filled], [[row[p] for p in filled] for row in rows]),
    ]


def _first_sentence(cls: type[Operation]) -> str:
    meaning = (cls.__doc__ or "").strip().split("\n\n")[0]
    return " ".join(meaning.split())


def _indented(text: str) -> str:
    return "\n".join(f"  {line}".rstrip() for line in text.splitlines())
