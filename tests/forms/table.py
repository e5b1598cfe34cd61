"""docs/coverage.md: the rows, and what the tests that ran have proved of each."""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from differential.cases import kind_of
from sampling import sampled

from pytl.devices.compilers import NUMBA, installed_compiler
from pytl.frontends.lang.matrices import CHECKS
from pytl.ops.atomics import ORDERS, SCOPES

from . import (
    atomics,
    bits,
    calls,
    collective,
    control,
    jumps,
    matrix_components,
    matrix_functions,
    matrix_memory,
    mixed,
    spmd,
    tile_loops,
    tiles,
    views,
    yateto,
)
from .rows import Row

PAGE = Path(__file__).parents[2] / "docs" / "coverage.md"
COLUMNS = {
    "printed": "printed",
    "parsed": "parsed",
    "verified": "verified",
    "traced": "traced from Python",
    "reference": "executed by reference",
    "sycl": "executed on SYCL (numba-dpex)",
    "own": "executed on SYCL (own target)",
    "mlir": "MLIR host",
    "arm_sme": "ArmSME (QEMU)",
    "xegpu": "XeGPU (interpreted)",
}
HEAD = """\
# Coverage of the language

Made by the tests of tests/forms that ran, with `pytest tests/forms --update-coverage`. A row is a form of an
instruction with a type, as the manual lists them. The columns say what was proved of it: the text is *parsed*; it is
*printed* as the same text; it is *verified*; a Python kernel is *traced* to the same instruction, and computes
what NumPy computes; the text is *executed* by the reference backend, and does, too; and executed *on SYCL*, with the
strategy that is chosen for the device, it leaves in memory what the reference backend does, compiled by numba-dpex on
Python 3.10 and 3.11, and by pytl's *own target* of numba on Python 3.12 and later. So it does through MLIR,
executed by the *host*'s processor and, in the form for *ArmSME*, by QEMU with vectors of 512 bits, and at night of 128,
256, 1024 and 2048; and so does the text of *XeGPU*, interpreted as it is printed for pvc and bmg, or its code is shown
where a rule of the hardware refuses it.
Only the column of the own target may have empty cells: rows that are younger than its last run on all of them.
A sample of the rows is executed through OpenCL as well, and has no column.
{devices}
"""
YATETO = """\
Forms of another language that pytl reads and prints. *Lowered* says that the pass `loop-over-gemm` leaves instructions
of the tensor language alone; what is executed, on every backend, leaves in memory what NumPy computes."""
DEVICE = "Executed by `{}`."


@functools.cache
def all_rows() -> tuple[Row, ...]:
    """Every row, those of one form together."""
    chapters = (
        collective,
        mixed,
        control,
        jumps,
        views,
        spmd,
        matrix_functions,
        atomics,
        bits,
        matrix_components,
        matrix_memory,
        tile_loops,
        tiles,
        calls,
    )
    rows = [row for chapter in chapters for row in chapter.rows()]
    forms: dict[tuple[str, str], list[Row]] = {}
    for row in rows:
        forms.setdefault((row.chapter, row.form), []).append(row)
    return tuple(row for group in forms.values() for row in group)


_MODIFIERS = frozenset([*SCOPES, *ORDERS, *CHECKS.values(), "n", "t", "atomic", "v03"])


@dataclass(frozen=True)
class _Form:
    """A form among the axes of a sample: each is tried, but not beside each kind of types."""

    chapter: str
    name: str


def instruction_of(form: str) -> str:
    """The instruction of a form, without what says how it is executed."""
    return ".".join(word for word in re.split(r"[ {]", form)[0].split(".") if word not in _MODIFIERS)


def of_this_run() -> list[Row]:
    """The rows that this run tries: all, or so many that each form, each instruction with each kind of types, and each
    type are among them."""
    return sampled(
        all_rows(),
        lambda row: (_Form(row.chapter, row.form), instruction_of(row.form), row.types),
        lambda value: _Form if isinstance(value, _Form) else kind_of(value),
    )


def render(passed: Iterable[tuple[str, str, str]], devices: Iterable[str]) -> str:
    """The page, from the chapter, row and column of everything that passed, and the SYCL devices where it did.

    Behind a column a blank and the code of a rule say that the rule refuses the row there.
    """
    done = set(passed)
    refused = {
        (chapter, name, column.split(" ")[0]): column.split(" ")[1] for chapter, name, column in done if " " in column
    }
    parts = [HEAD.format(devices=" ".join(map(DEVICE.format, sorted(devices))) or "There was no device.")]
    chapter = None

    def cell(row: Row, column: str) -> str:
        key = (row.chapter, row.name, column)
        return "✓" if key in done else refused.get(key, "")

    for row in all_rows():
        if row.chapter != chapter:
            chapter = row.chapter
            titles = list(COLUMNS.values())
            parts.append(f"\n## {chapter}\n\n| form | type | {' | '.join(titles)} |\n|---|---|{'---|' * len(titles)}\n")
        cells = " | ".join(cell(row, column) for column in COLUMNS)
        parts.append(f"| `{row.form}` | {row.types} | {cells} |\n")
    titles = list(yateto.COLUMNS.values())
    parts.append(f"\n## {yateto.CHAPTER}\n\n{YATETO}\n\n| form | type | {' | '.join(titles)} |\n")
    parts.append(f"|---|---|{'---|' * len(titles)}\n")
    for group in yateto.by_form(list(yateto.rows())):
        for each in group:
            cells = " | ".join("✓" if (each.chapter, each.name, column) in done else "" for column in yateto.COLUMNS)
            parts.append(f"| `{each.form}` | {each.types} | {cells} |\n")
    return "".join(parts)


def sycl_column() -> str:
    """The column of the SYCL backend with the maker that compiles here."""
    return "own" if installed_compiler() is NUMBA else "sycl"


def update(passed: Iterable[tuple[str, str, str]], devices: Iterable[str]) -> None:
    """Write the page. The column of the other maker stays, for no run executes both.

    A run with pytl's own target fills that column, and keeps all others: those are made with numba-dpex.
    """
    before = PAGE.read_text()
    mine = {"own"} if sycl_column() == "own" else {*COLUMNS, *yateto.COLUMNS} - {"own"}
    kept = {entry for entry in proved_by(before) if entry[2].split(" ")[0] not in mine}
    told = {*devices, *(devices_of(before) if mine == {"own"} else ())}
    PAGE.write_text(render({*kept, *(entry for entry in passed if entry[2].split(" ")[0] in mine)}, told))


def proved_by(page: str) -> set[tuple[str, str, str]]:
    """The chapter, row and column of everything that a page says has passed, or was refused, as `render` takes them."""
    names = {(row.chapter, f"`{row.form}`", row.types): row.name for row in (*all_rows(), *yateto.rows())}
    keys = {title: column for columns in (COLUMNS, yateto.COLUMNS) for column, title in columns.items()}
    found, chapter, titles = set(), "", [""]
    for line in page.splitlines():
        if line.startswith("## "):
            chapter = line.removeprefix("## ")
        elif line.startswith("| form |"):
            titles = [cell.strip() for cell in line.strip("|").split("|")]
        elif line.startswith("| `"):
            form, types, *cells = (cell.strip() for cell in line.removeprefix("|").removesuffix("|").split(" | "))
            name = names.get((chapter, form, types))
            found |= {
                (chapter, name, f"{keys[title]} {cell.rstrip(' |').lstrip('✓')}".strip())
                for title, cell in zip(titles[2:], cells)
                if cell.startswith(("✓", "PYTL-")) and name is not None and title in keys
            }
    return found


def devices_of(page: str) -> list[str]:
    """The devices that a page names."""
    return re.findall(DEVICE.replace(".", r"\.").format("(.+?)"), page)
