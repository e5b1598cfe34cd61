"""What the backends that go through MLIR write is read back to the tree that was built, and by mlir-opt alike."""

from __future__ import annotations

import subprocess
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import pytest
from forms.rows import Row
from forms.table import all_rows
from mlir_kit import assert_is_read_back
from sampling import at_night

import pytl
from pytl.backends.machines import chosen_machine
from pytl.backends.registry import find_backend
from pytl.mlir.text import Operation, read_module
from pytl.mlir.text.printer import print_operation

pytestmark = pytest.mark.at_most(4)

ROWS = all_rows()
MANY = [pytest.param(rows, id=f"{len(rows)} rows") for rows in (ROWS[::29], *at_night([ROWS]))]
BACKENDS: dict[str, Sequence[dict[str, Any]]] = {
    "mlir": [{}],
    "arm_sme": [{}],
    "xegpu": [
        {"blocks": "preferred", "barriers": barriers, **more}
        for barriers, more in (("named", {}), ("group", {"matrices": "lanes"}), ("group", {"offsets": "update"}))
    ],
}
PRODUCTS = """func @f(%a: memref<c32x?x9>, %b: memref<c32x9x7>, %c: memref<c32x?x7>, %s: c32, %d: memref<i8x40x40>,
                      %e: memref<i32x40x40>, %x: memref<f16x64>,
                      %h: group<memref<f16x64>x9>, %n: i64) attributes{"work_group_size"=[32,2]} {
  %zero = constant 0 : i32
  %one = constant 1 : i8
  %half = constant 0.5 : f16
  gemm.n.n %s, %a, %b, %s, %c
  gemm.t.n %one, %d, %d, %zero, %e
  axpby.n %half, %x, %half, %x
  %g = builtin.group_id : index
  %item = load %h[%g] : memref<f16x64>
  axpby.n %half, %item, %half, %x
  %steps = cast %n : index
  for %i = %g, %steps, %g {
    %y = load %x[%i] : f16
    %z = arith.div %y, %half : f16
    store %z, %x[%i]
  } {unroll=false}
}"""
"""Panels of matrices, an item of a group, and a loop with steps that stays one."""


REFUSED = {"PYTL-3070", "PYTL-0671", *(f"PYTL-{number}" for number in range(3201, 3220))}
"""What has no form in MLIR, and what Intel's hardware has not."""


def built(backend: str, text: str) -> Iterator[Operation]:
    """What a backend builds for a kernel, with each of its options; nothing where it has no code for that."""
    kernel = pytl.compile(text)["f"]
    kernel.function.attributes.setdefault("subgroup_size", 16)
    kernel = pytl.compile(str(kernel))["f"]
    to: Any = find_backend(backend)
    for given in BACKENDS[backend]:
        options = to.complete_options(given, None)
        lowered = kernel.launches.lowered(to, options)
        try:
            if backend == "xegpu":
                yield from [to.emitter(lowered, options, lowerable).run() for lowerable in (False, True)]
            else:
                yield to.emitter(lowered, chosen_machine(options)).run()
        except pytl.PytlError as error:
            assert {told.rule.code for told in error.diagnostics} <= REFUSED


@pytest.mark.at_night
@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("rows", MANY)
def test_forms_of_the_language_are_read_back(rows: Sequence[Row], backend: str) -> None:
    modules = [module for row in rows for module in built(backend, row.module_text)]
    assert len(modules) > len(rows) // 3
    for module in modules:
        assert_is_read_back(module)


@pytest.mark.at_most(1)
@pytest.mark.parametrize("backend", BACKENDS)
def test_products_are_read_back(backend: str) -> None:
    for module in built(backend, PRODUCTS):
        assert_is_read_back(module)


def signatures(module: Operation) -> list[tuple[str, list[str], list[str]]]:
    """The operations and their types; a terminator without values is left out of texts, and put in by MLIR."""
    return [
        (each.name, list(map(str, each.operand_types)), list(map(str, each.result_types)))
        for each in module.walk()
        if each.operands or each.name not in ("builtin.module", "scf.yield")
    ]


@pytest.mark.at_night
@pytest.mark.tools_of("mlir")
@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("rows", MANY)
def test_mlir_opt_reads_the_same_operations(rows: Sequence[Row], backend: str) -> None:
    modules = [module for text in (*(row.module_text for row in rows), PRODUCTS) for module in built(backend, text)]
    generic = opened(map(print_operation, modules), "--mlir-print-op-generic")
    read = [read_module(text) for text in generic]
    assert [signatures(each) for each in read] == [signatures(each) for each in modules]
    again = opened(map(print_operation, read), "--mlir-print-op-generic")
    assert again == generic


TOGETHER = 500
"""Texts of one call of mlir-opt: of 3,400, each takes three times as long."""


def opened(texts: Iterable[str], *options: str) -> list[str]:
    """What mlir-opt prints for texts."""
    given = list(texts)
    return [
        printed
        for first in range(0, len(given), TOGETHER)
        for printed in _opened("\n// -----\n".join(given[first : first + TOGETHER]), options)
    ]


def _opened(whole: str, options: Sequence[str]) -> list[str]:
    done = subprocess.run(
        ["mlir-opt-22", "-split-input-file", *options], input=whole, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr[:2000]
    return done.stdout.split("// -----")
