"""`pytl opt --dump`: what analyses know of a function."""

from __future__ import annotations

from pathlib import Path

import pytest

from pytl.tools.cli import main

TEXT = """func @f(%x: memref<f32x8x?>{alignment=32, shape_gcd=[1,4]}, %y: memref<f32x8x?>, %n: index) {
  %c4 = constant 4 : index
  %i = arith.mul %n, %c4 : index
  %one = constant 1.0 : f32
  %v = subview %x[0:8, %i] : memref<f32x8>
  %w = subview %y[0:8, %i] : memref<f32x8>
  %t = alloca : memref<f32x8,local>
  for %k = %n, %c4 {
    axpby.n %one, %v, %one, %w
    %p = cmp.lt %k, %i : bool
    if %p {
      axpby.n %one, %w, %one, %t
    }
  }
  axpby.n %one, %t, %one, %w
}
"""
SHOWN = {
    "gcd": """@f: divisors of sizes, strides and integers
  %x: shape_gcd=[8,4], stride_gcd=[1,8]; its memory begins at a multiple of 32 bytes
  %y: shape_gcd=[8,1], stride_gcd=[1,8]
  %c4: a multiple of 4
  %i: a multiple of 4
  %v: shape_gcd=[8], stride_gcd=[1]
  %w: shape_gcd=[8], stride_gcd=[1]
  %t: shape_gcd=[8], stride_gcd=[1]
""",
    "alias": """@f: memory, and what may be the same
  %x: read only; views on it: %v
  %y: written; views on it: %w
  %t: written
  %x and %y may alias
""",
    "def-use": """@f: values, and what uses them
  %x (an argument): %v = subview in line 5
  %y (an argument): %w = subview in line 6
  %n (an argument): %i = arith.mul in line 3, for in line 8
  %c4 (%c4 = constant in line 2): %i = arith.mul in line 3, for in line 8
  %i (%i = arith.mul in line 3): %v = subview in line 5, %w = subview in line 6, %p = cmp.lt in line 10
  %one (%one = constant in line 4): axpby in line 9, axpby in line 12, axpby in line 15
  %v (%v = subview in line 5): axpby in line 9
  %w (%w = subview in line 6): axpby in line 9, axpby in line 12, axpby in line 15
  %t (%t = alloca in line 7): axpby in line 12, axpby in line 15
  %k (an argument): %p = cmp.lt in line 10
  %p (%p = cmp.lt in line 10): if in line 11
""",
    "cfg": """@f: blocks of instructions, and which follows which
  block 0 -> block 1, block 4
    %c4 = constant in line 2
    %i = arith.mul in line 3
    %one = constant in line 4
    %v = subview in line 5
    %w = subview in line 6
    %t = alloca in line 7
    for in line 8
  block 1 -> block 2, block 3
    axpby in line 9
    %p = cmp.lt in line 10
    if in line 11
  block 2 -> block 3
    axpby in line 12
  block 3 -> block 1, block 4
  block 4 -> the end
    axpby in line 15
""",
}


@pytest.mark.parametrize("what", SHOWN)
def test_what_is_known_is_printed(what: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "f.tl").write_text(TEXT)
    assert main(["opt", str(tmp_path / "f.tl"), "--dump", what]) == 0
    assert capsys.readouterr().out == SHOWN[what]


def test_memory_that_allocas_share_is_known_after_the_stack_layout(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "f.tl").write_text("""func @f(%x: memref<f32x8>{"noalias"=true}, %y: memref<f32x8>) {
  %one = constant 1.0 : f32
  %s = alloca : memref<f32x8,local>
  axpby.n %one, %x, %one, %s
  axpby.n %one, %s, %one, %y
  lifetime_stop %s
  %t = alloca : memref<f32x8,local>
  axpby.n %one, %x, %one, %t
  axpby.n %one, %t, %one, %y
}
""")
    assert main(["opt", str(tmp_path / "f.tl"), "-p", "stack-layout", "--dump", "alias"]) == 0
    out = capsys.readouterr().out
    assert "%s and %t share local memory" in out
    assert "may alias" not in out
