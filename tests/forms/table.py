"""docs/coverage.md: the rows, and what the tests that ran have proved of each."""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable
from pathlib import Path

from backends.differential import kind_of
from sampling import sampled

from . import (
    atomics,
    bits,
    collective,
    control,
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
    "sycl": "executed on SYCL",
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
strategy that is chosen for the device, it leaves in memory what the reference backend does. So it does through MLIR,
executed by the *host*'s processor and, in the form for *ArmSME*, by QEMU with vectors of 512 bits; and so does the text
of *XeGPU*, interpreted as it is printed for pvc, or its code is shown where a rule of the hardware refuses the form.
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
        views,
        spmd,
        matrix_functions,
        atomics,
        bits,
        matrix_components,
        matrix_memory,
        tile_loops,
        tiles,
    )
    rows = [row for chapter in chapters for row in chapter.rows()]
    forms: dict[tuple[str, str], list[Row]] = {}
    for row in rows:
        forms.setdefault((row.chapter, row.form), []).append(row)
    return tuple(row for group in forms.values() for row in group)


def of_each_kind() -> list[Row]:
    """Of each form the rows of this run: all, or one for each kind of types; each type with some form."""
    return sampled(all_rows(), lambda row: ((row.chapter, row.form), row.types), kind_of)


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


def devices_of(page: str) -> list[str]:
    """The devices that a page names."""
    return re.findall(DEVICE.replace(".", r"\.").format("(.+?)"), page)
