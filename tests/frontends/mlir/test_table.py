"""Each operation of MLIR has one row: in the table of those that are read, or in that of those that are not."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest
from frontends.mlir.documented import OLDER, OPERATIONS
from frontends.mlir.gpu.operations import OPERATIONS as OF_GPUS
from frontends.mlir.tensors.operations import OPERATIONS as OF_TENSORS

import pytl
from pytl.frontends.mlir import module, table
from pytl.frontends.mlir.context import reads
from pytl.frontends.mlir.gpu.flattening import handles
from pytl.frontends.mlir.table import TABLE, Level, having, of_dialects
from pytl.frontends.mlir.tensors.bufferization import on_tensors
from pytl.frontends.mlir.tensors.on_host import on_host
from pytl.mlir.text.names import UNREAD

FOLDER = Path(module.__file__).parent
DOCUMENTED = {
    f"{dialect}.{name}" for each in (OPERATIONS, OF_TENSORS, OF_GPUS) for dialect in each for name in each[dialect]
}
LEVELS = (reads, on_tensors, on_host, handles)
BY_OTHERS = {"func.func", "memref.global", "cf.br", "cf.cond_br", "cf.switch", "tensor.yield", "vector.print"}
"""What is read with the operation that it belongs to, or by the interpreter."""
FACTS = {
    *("numbers.FUNCTIONS", "numbers.CASTS", "numbers._OPERATIONS", "numbers._OF_POSITIVE", "complexes._OPERATIONS"),
    *("vector_forms.MOVED", "vector_forms.PLACED", "vector_forms._INDICES", "parallel._PARALLEL"),
    *("tree_writer.ARITHMETIC", "extents._OF_MAPS", "numbers._ELSEWHERE", "small_types._CHOOSING"),
}
"""Tables by operations' names that say what handlers are made of."""


def test_each_operation_has_one_row() -> None:
    assert set(TABLE) | {name for name in UNREAD if name.partition(".")[0] in table_dialects()} == DOCUMENTED | OLDER
    assert set(TABLE) & set(UNREAD) == set()


def table_dialects() -> set[str]:
    return {name.partition(".")[0] for name in TABLE}


def test_each_row_is_read() -> None:
    elsewhere = BY_OTHERS | having("ends", "rewritten") | set(of_dialects("gpu", "xegpu"))
    assert [name for name in TABLE if name not in elsewhere and not any(each.get(name) for each in LEVELS)] == []
    assert [each for row in TABLE.values() for each in row.traits if each not in table.TRAITS] == []
    assert [trait for trait in table.TRAITS if not having(trait)] == []


def test_what_reads_an_operation_has_a_row_and_is_the_only_one() -> None:
    level: Level[object] = Level("a test")  # type: ignore[type-var]
    level("arith.addi")(print)
    with pytest.raises(AssertionError, match="has no row in the table, or is read twice"):
        level("arith.addi")(print)
    with pytest.raises(AssertionError, match="has no row in the table"):
        level("arith.plus")(print)
    assert level.get("arith.subi") is None


def _tables() -> Iterator[tuple[str, ast.Dict]]:
    """Dictionaries of the folder that have an operation's name for a key, and no plain values."""
    for file in FOLDER.rglob("*.py"):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            value = getattr(node, "value", None)
            if not isinstance(node, (ast.Assign, ast.AnnAssign)) or not isinstance(value, ast.Dict):
                continue
            keys = [each.value for each in value.keys if isinstance(each, ast.Constant)]
            is_plain = all(isinstance(each, (ast.Constant, ast.Tuple)) for each in value.values)
            if any(isinstance(key, str) and key in TABLE for key in keys) and not is_plain:
                target = node.target if isinstance(node, ast.AnnAssign) else node.targets[0]
                yield f"{file.stem}.{ast.unparse(target)}", value


def test_no_other_table_has_what_reads_operations() -> None:
    assert [name for name, _ in _tables() if name not in FACTS] == []


def test_operations_of_index_are_those_of_arith() -> None:
    text = """func.func @f(%a: index, %b: index, %out: memref<4xindex>) {
  %0 = index.constant 0
  %1 = index.constant 1
  %2 = index.constant 2
  %3 = index.constant 3
  %sum = index.add %a, %b
  %quotient = index.divu %sum, %b
  %less = index.cmp slt(%a, %b)
  %either = arith.select %less, %sum, %quotient : index
  %size = index.sizeof
  memref.store %sum, %out[%0] : memref<4xindex>
  memref.store %quotient, %out[%1] : memref<4xindex>
  memref.store %either, %out[%2] : memref<4xindex>
  memref.store %size, %out[%3] : memref<4xindex>
  return
}
"""
    import numpy as np

    out = np.zeros(4, np.int64)
    (kernel,) = pytl.compile(text, language="mlir").values()
    kernel[1](20, 3, out, backend="reference")
    assert out.tolist() == [23, 7, 7, 64]
