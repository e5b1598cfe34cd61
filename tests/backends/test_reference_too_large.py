"""What does not fit into memory is told with the line that asks for it."""

import os
import sys

import pytest
from reference_kit import failure


@pytest.mark.parametrize(
    "body",
    [
        "%a = alloca : memref<f32x100000000000000,local>",
        "%a = alloca : memref<f32x4611686018427387904,local>",
        "%a = constant 1.0 : coopmatrix<f32x1000000000x1000000000,matrix_acc>",
        "%a = constant 1.0 : coopmatrix<f32x4611686018427387904x4611686018427387904,matrix_acc>",
    ],
)
def test_values(body: str) -> None:
    word = body.split()[2]
    message = failure(f"func @f() {{\n  {body}\n}}", code="PYTL-2021", line=2)
    assert message == f"{word}: there is not so much memory (work-group 0)"


@pytest.mark.skipif(sys.platform == "win32", reason="Windows gives memory that it has, and no promises")
def test_what_the_system_would_promise_and_not_have() -> None:
    """Linux ends the process that uses more memory than there is."""
    host = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    rows, size = host // 32 * 16, 2 * host // 4
    text = f"func @f() attributes{{work_group_size=[{rows},1]}} {{\n  parallel {{\n"
    text += "    %x = builtin.subgroup_id : i32\n    %y = arith.add %x, %x : i32\n  }\n}"
    assert failure(text, code="PYTL-2021", line=2) == "parallel: there is not so much memory (work-group 0)"
    message = failure(f"func @f() {{\n  %a = alloca : memref<f32x{size},local>\n}}", code="PYTL-2021", line=2)
    assert message == "alloca: there is not so much memory (work-group 0)"


@pytest.mark.parametrize("rows", [10**14, 2**62])
def test_work_items(rows: int) -> None:
    text = f"func @f() attributes{{work_group_size=[{rows},16]}} {{\n  parallel {{\n  }}\n}}"
    message = failure(text, code="PYTL-2021", line=2)
    assert message == "parallel: there is not so much memory (work-group 0)"
