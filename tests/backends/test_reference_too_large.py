"""What does not fit into memory is told with the line that asks for it."""

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


@pytest.mark.parametrize("rows", [10**14, 2**62])
def test_work_items(rows: int) -> None:
    text = f"func @f() attributes{{work_group_size=[{rows},16]}} {{\n  parallel {{\n  }}\n}}"
    message = failure(text, code="PYTL-2021", line=2)
    assert message == "parallel: there is not so much memory (work-group 0)"
