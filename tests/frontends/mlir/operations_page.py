"""docs/mlir-operations.md: the operations of MLIR's dialects, and a program that is executed for each, or why none is.

A section is of one dialect. Programs are in tables of tests, which the sections are made of.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from frontends.mlir.documented import OPERATIONS as OTHERS
from frontends.mlir.gpu import operations as of_gpu
from frontends.mlir.tensors.operations import OPERATIONS, REFUSED, REFUSED_FORMS
from frontends.mlir.tensors.rows import Row
from frontends.mlir.tensors.test_rows import ROWS

import pytl.frontends.mlir.module  # noqa: F401  (which reads operations)
from pytl.frontends.mlir.context import reads
from pytl.frontends.mlir.gpu.flattening import handles
from pytl.frontends.mlir.table import having
from pytl.frontends.mlir.tensors.bufferization import on_tensors
from pytl.frontends.mlir.types import SMALL
from pytl.mlir.text.names import UNREAD

PAGE = "mlir-operations.md"
VERSION = 22
"""Of MLIR, whose operations these are."""


@dataclass(frozen=True)
class Entry:
    """An operation: the programs that show it and the backends that execute these, or why it is refused."""

    programs: Sequence[str] = ()
    backends: Sequence[str] = ()
    refused: str = ""
    names_all: bool = False
    """Whether the programs are told by their names alone."""

    @property
    def verdict(self) -> str:
        if self.refused:
            return "refused"
        return f"read; {', '.join(self.backends)}" if self.backends else "read"

    @property
    def shown(self) -> str:
        abouts = "; ".join(each for each in self.programs if each)
        return self.refused or (abouts if self.names_all else f"{len(self.programs)}{abouts and f': {abouts}'}")


@dataclass(frozen=True)
class Section:
    """The operations of a dialect, by their names behind its own."""

    dialect: str
    about: str
    entries: dict[str, Entry] = field(default_factory=dict)
    column: str = "programs, or why not"

    def lines(self) -> Iterator[str]:
        yield f"## {self.dialect}"
        yield ""
        yield self.about
        yield ""
        yield f"| operation | verdict | {self.column} |"
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


def _of_kernels(dialect: str) -> dict[str, Entry]:
    """The entries of a dialect whose programs are kernels and the host's functions that launch them."""
    entries = {}
    for name in of_gpu.OPERATIONS[dialect]:
        programs = of_gpu.programs_with(f"{dialect}.{name}")
        elsewhere = BACKENDS[1:] if any(each.is_whole for each in programs) else ()
        shown = [each.name for each in programs]
        refused = of_gpu.REFUSED.get(f"{dialect}.{name}", "")
        abouts = shown[:_MOST] + ([f"and {len(shown) - _MOST} more"] if len(shown) > _MOST else [])
        entries[name] = Entry(abouts, ("interpreter", *elsewhere), refused, names_all=True)
    return entries


_MOST = 3
"""Programs that are named; most have a load and a store."""
_OF_KERNELS = (
    "Programs: tests/frontends/mlir/gpu/programs.py, after tests of MLIR and of Intel's extensions of MLIR. The interpreter "
    '(`backend="reference"`) executes all of a module; other backends launch kernels of whole sub-groups, and of numbers.'
)
SECTIONS += [Section(dialect, _OF_KERNELS, _of_kernels(dialect)) for dialect in of_gpu.OPERATIONS]
_LEVELS = {"memrefs": reads, "tensors": on_tensors, "kernels of gpu": handles}


def _of_table(dialect: str) -> dict[str, Entry]:
    """The entries of a dialect of which the table says where operations are read."""
    entries = {}
    for name in OTHERS[dialect]:
        full = f"{dialect}.{name}"
        levels = [about for about, level in _LEVELS.items() if level.get(full)]
        rewritten = full in having("rewritten")
        shown = (
            "everywhere, as a constant" if rewritten else ", ".join(levels) or "with the operation that it belongs to"
        )
        refused = UNREAD.get(full, "")
        entries[name] = Entry(() if refused else (shown,), (), refused, names_all=True)
    return entries


_OF_TABLE = "Read in functions on memrefs, on tensors, or in kernels of gpu for other backends than the interpreter, which executes all."
SECTIONS += [Section(dialect, _OF_TABLE, _of_table(dialect), "where, or why not") for dialect in OTHERS]
HEAD = f"""\
# Operations of MLIR's dialects

What pytl reads of MLIR {VERSION}'s dialects. For operations of tensors and of GPUs, the programs that show them are compared with
NumPy on the backends. All operations are rows of pytl/frontends/mlir/table.py, or of those that are refused. Made by
tests/frontends/mlir/test_operations_page.py, with `--update-golden`; see also [the guide](guide/mlir_in.md#what-is-read).
"""


ELEMENTS = f"""\
## Elements

Integers have up to 64 bits. Those of other widths than 8, 16, 32 and 64, as i2 and i4, and floats of 8, 6 and 4 bits
({", ".join(each for each in SMALL if each[0] == "f")}), lie in memory as MLIR has them, each in whole bytes: arrays are those of ml_dtypes, or
of int8. Such a float is computed with in f32, and rounded after each operation. XeGPU's verifier takes i4 of these.
Programs: tests/frontends/mlir/tensors/test_small_types.py, and all types of `xegpu.dpas` in tests/frontends/mlir/gpu/test_programs.py.

## Refused in all operations

| what | why |
|---|---|
"""


def page() -> str:
    sections = "\n\n".join("\n".join(each.lines()) for each in SECTIONS)
    forms = "\n".join(f"| {each.what} | {each.why} ({each.code}) |" for each in REFUSED_FORMS)
    return f"{HEAD}\n{sections}\n\n{ELEMENTS}{forms}\n"
