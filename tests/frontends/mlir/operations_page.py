"""docs/mlir-operations.md: the operations of MLIR's dialects, and a program that is executed for each, or why none is.

A section is of one dialect. Programs are in tables of tests, which the sections are made of.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from frontends.mlir.tensors.operations import OPERATIONS, REFUSED
from frontends.mlir.tensors.rows import Row
from frontends.mlir.tensors.test_rows import ROWS

PAGE = "mlir-operations.md"
VERSION = 22
"""Of MLIR, whose operations these are."""


@dataclass(frozen=True)
class Entry:
    """An operation: the programs that show it and the backends that execute these, or why it is refused."""

    programs: Sequence[str] = ()
    backends: Sequence[str] = ()
    refused: str = ""

    @property
    def verdict(self) -> str:
        return f"read; {', '.join(self.backends)}" if self.programs else "refused"

    @property
    def shown(self) -> str:
        abouts = "; ".join(each for each in self.programs if each)
        return self.refused or f"{len(self.programs)}{abouts and f': {abouts}'}"


@dataclass(frozen=True)
class Section:
    """The operations of a dialect, by their names behind its own."""

    dialect: str
    about: str
    entries: dict[str, Entry] = field(default_factory=dict)

    def lines(self) -> Iterator[str]:
        yield f"## {self.dialect}"
        yield ""
        yield self.about
        yield ""
        yield "| operation | verdict | programs, or why not |"
        yield "|---|---|---|"
        for name, entry in sorted(self.entries.items()):
            yield f"| `{self.dialect}.{name}` | {entry.verdict} | {entry.shown} |"


def _of_rows(dialect: str) -> dict[str, Entry]:
    """The entries of a dialect whose programs are rows of functions on tensors."""
    return {
        name: _entry([each for each in ROWS if each.operation == f"{dialect}.{name}"], dialect, name)
        for name in OPERATIONS[dialect]
    }


def _entry(rows: Sequence[Row], dialect: str, name: str) -> Entry:
    refused = REFUSED.get(f"{dialect}.{name}")
    return Entry([each.about for each in rows] or (), BACKENDS, "" if refused is None else refused.why)


BACKENDS = ("reference", "sycl", "mlir")
"""What executes all rows, by `pytest --all-forms`."""
SECTIONS = [
    Section(dialect, f"Programs: tests/frontends/mlir/tensors/{module}.", _of_rows(dialect))
    for dialect, module in {
        "tensor": "tensor_rows.py",
        "bufferization": "tensor_rows.py",
        "linalg": "linalg_rows.py",
    }.items()
]
HEAD = f"""\
# Operations of MLIR's dialects

What pytl reads of MLIR {VERSION}'s dialects of tensors: for each operation the programs that show it, which are compared
with NumPy on the backends, or why it is refused. Made by tests/frontends/mlir/test_operations_page.py, with
`--update-golden`. The other dialects are in [the guide](guide/mlir_in.md#what-is-read).
"""


def page() -> str:
    sections = "\n\n".join("\n".join(each.lines()) for each in SECTIONS)
    return f"{HEAD}\n{sections}\n"
