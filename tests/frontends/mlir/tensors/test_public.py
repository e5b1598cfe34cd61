"""Programs as in tests of public projects, and after public files that were read: the same as NumPy, and as MLIR's own
code; and the notes' table of the files."""

from __future__ import annotations

import functools
import re
from pathlib import Path

import numpy as np
import pytest
from frontends.mlir.host import Host
from frontends.mlir.tensors.public_rows import PUBLIC_ROWS
from frontends.mlir.tensors.read_rows import READ_ROWS, table
from frontends.mlir.tensors.rows import Row, assert_alike, check
from launch_kit import needs_sycl

import pytl

NOTES = Path(__file__).parents[4] / "docs" / "notes" / "mlir.md"
NAMED = [pytest.param(each, id=each.name) for each in (*PUBLIC_ROWS, *READ_ROWS)]


@pytest.mark.at_most(36)
@pytest.mark.parametrize("row", NAMED)
def test_it_computes_what_numpy_does(row: Row) -> None:
    check(row, "reference")


@needs_sycl
@pytest.mark.at_most(2)
@pytest.mark.parametrize("row", NAMED)
def test_on_a_device(row: Row) -> None:
    check(row, "sycl")


@pytest.mark.at_most(2)
@pytest.mark.tools_of("mlir")
@pytest.mark.parametrize("row", [pytest.param(each, id=each.name) for each in READ_ROWS])
def test_on_the_backend_mlir(row: Row) -> None:
    check(row, "mlir")


@functools.cache
def _host(is_read: bool) -> Host:
    """All programs of a list, compiled by MLIR's tools."""
    rows = READ_ROWS if is_read else PUBLIC_ROWS
    return Host("\n".join(_with_results(number, each) for number, each in enumerate(rows)))


def _with_results(number: int, row: Row) -> str:
    """A program, and a function that writes what it gives to memory behind the arguments."""
    text = re.sub(r"@f\b", f"@f{number}", row.text)
    results = re.findall(r"tensor<[^>]*>", row.results)
    outs = {f"%out{n}": f"memref<{each.removeprefix('tensor<')}" for n, each in enumerate(results)}
    head = row.head.replace("memref<*x", "memref<?x")
    taken = ", ".join([head] * bool(head) + [f"{name}: {type_}" for name, type_ in outs.items()])
    lines, names = [], []
    for name, type_ in row.types.items():
        if type_.startswith("memref<*"):
            line = type_.replace("*", "?")
            lines.append(f"  %any_{name} = memref.cast %{name} : {line} to {type_}")
        names.append(f"%any_{name}" if type_.startswith("memref<*") else f"%{name}")
    given = f"%given:{len(results)} = " if results else ""
    types = ", ".join(row.types.values())
    lines.append(f"  {given}call @f{number}({', '.join(names)}) : ({types}) -> ({', '.join(results)})")
    for n, ((name, type_), each) in enumerate(zip(outs.items(), results)):
        operands = f"%given#{n} in restrict writable {name}"
        lines.append(f"  bufferization.materialize_in_destination {operands} : ({each}, {type_}) -> ()")
    body = "\n".join(lines)
    return f"{text}func.func @g{number}({taken}) {{\n{body}\n  return\n}}\n"


@pytest.mark.at_most(4)
@pytest.mark.tools_of("mlir")
@pytest.mark.parametrize("row", NAMED)
def test_it_computes_what_the_tools_of_mlir_do(row: Row) -> None:
    mine, theirs = (row.given(np.random.default_rng(5)) for _ in range(2))
    found = pytl.from_mlir(row.text)["f"][...](*mine, backend="reference")
    results = [] if found is None else [np.asarray(each) for each in (found if isinstance(found, tuple) else (found,))]
    written = [np.zeros_like(each) for each in results]
    given = [each.copy() if isinstance(each, np.ndarray) else each for each in theirs]
    is_read = row in READ_ROWS
    number = (READ_ROWS if is_read else PUBLIC_ROWS).index(row)
    _host(is_read).call(f"g{number}", [*given, *written])
    assert_alike(tuple(results), tuple(written), row.tolerance)
    if not results:
        np.testing.assert_allclose(mine[-1], given[-1], rtol=row.tolerance, atol=row.tolerance)


def test_the_notes_have_this_table(request: pytest.FixtureRequest) -> None:
    text = NOTES.read_text(encoding="utf-8")
    begin, end = text.index("| file |"), text.index("\n\n", text.index("| file |"))
    if request.config.getoption("--update-golden") and text[begin:end] != table():
        NOTES.write_text(text[:begin] + table() + text[end:], encoding="utf-8")
        return
    assert text[begin:end] == table()
