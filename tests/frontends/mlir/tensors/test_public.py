"""Programs as in tests of public projects: the same as NumPy, and as MLIR's own code."""

from __future__ import annotations

import functools
import re

import numpy as np
import pytest
from frontends.mlir.host import Host
from frontends.mlir.tensors.public_rows import PUBLIC_ROWS
from frontends.mlir.tensors.rows import Row, assert_alike, check
from launch_kit import needs_sycl

import pytl

NAMED = [pytest.param(each, id=each.name) for each in PUBLIC_ROWS]


@pytest.mark.parametrize("row", NAMED)
def test_it_computes_what_numpy_does(row: Row) -> None:
    check(row, "reference")


@pytest.mark.at_most(2)
@needs_sycl
@pytest.mark.parametrize("row", NAMED)
def test_on_a_device(row: Row) -> None:
    check(row, "sycl")


@functools.cache
def _host() -> Host:
    """All programs, compiled by MLIR's tools."""
    return Host("\n".join(_with_results(number, each) for number, each in enumerate(PUBLIC_ROWS)))


def _with_results(number: int, row: Row) -> str:
    """A program, and a function that writes what it gives to memory behind the arguments."""
    text = re.sub(r"@f\b", f"@f{number}", row.text)
    results = re.findall(r"tensor<[^>]*>", row.results)
    outs = {f"%out{n}": f"memref<{each.removeprefix('tensor<')}" for n, each in enumerate(results)}
    taken = ", ".join([row.head] * bool(row.head) + [f"{name}: {type_}" for name, type_ in outs.items()])
    names, types = ", ".join(f"%{name}" for name in row.types), ", ".join(row.types.values())
    given = f"%given:{len(results)} = " if results else ""
    lines = [f"  {given}call @f{number}({names}) : ({types}) -> ({', '.join(results)})"]
    for n, ((name, type_), each) in enumerate(zip(outs.items(), results)):
        operands = f"%given#{n} in restrict writable {name}"
        lines.append(f"  bufferization.materialize_in_destination {operands} : ({each}, {type_}) -> ()")
    body = "\n".join(lines)
    return f"{text}func.func @g{number}({taken}) {{\n{body}\n  return\n}}\n"


@pytest.mark.at_most(10)
@pytest.mark.tools_of("mlir")
@pytest.mark.parametrize("row", NAMED)
def test_it_computes_what_the_tools_of_mlir_do(row: Row) -> None:
    mine, theirs = (row.given(np.random.default_rng(5)) for _ in range(2))
    found = pytl.from_mlir(row.text)["f"][...](*mine, backend="reference")
    results = [] if found is None else [np.asarray(each) for each in (found if isinstance(found, tuple) else (found,))]
    written = [np.zeros_like(each) for each in results]
    given = [each.copy() if isinstance(each, np.ndarray) else each for each in theirs]
    _host().call(f"g{PUBLIC_ROWS.index(row)}", [*given, *written])
    assert_alike(tuple(results), tuple(written), row.tolerance)
    if not results:
        np.testing.assert_allclose(mine[-1], given[-1], rtol=row.tolerance, atol=row.tolerance)
