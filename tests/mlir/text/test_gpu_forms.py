"""The custom forms of gpu, xegpu, index and vector give the operations that mlir-opt's generic form gives."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

from pytl.mlir.text import read_module, read_text

FOLDER = Path(__file__).parent / "texts"


def signatures(module) -> list[tuple[str, list[str], list[str]]]:
    """Operations with their types; how attributes are spelled in a type of xegpu is left out."""
    return [
        (op.name, [_bare(type_) for type_ in op.operand_types], [_bare(type_) for type_ in op.result_types])
        for op in module.walk()
        if op.operands or op.name not in ("scf.yield", "gpu.terminator")
    ]


def _bare(type_) -> str:
    return re.sub(r"(?<=\w), #xegpu\..*", "", str(type_))


@pytest.mark.tools_of("mlir")
@pytest.mark.parametrize("name", ["gpu", "xegpu", "vector"])
def test_custom_forms_are_read_as_mlir_opt_reads_them(name: str) -> None:
    file = FOLDER / f"{name}.mlir"
    module, diagnostics = read_text(file.read_text(), file.name)
    assert diagnostics.items == []
    done = subprocess.run(
        ["mlir-opt-22", "--mlir-print-op-generic", str(file)], capture_output=True, text=True, check=True
    )
    assert signatures(module) == signatures(read_module(done.stdout))
