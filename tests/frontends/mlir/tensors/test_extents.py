"""Sizes of tensors that arithmetic gives no size for."""

from __future__ import annotations

import numpy as np
import pytest

import pytl


def of_size(lines: str) -> object:
    text = f"""func.func @f(%a: tensor<?xf32>) -> tensor<?xf32> {{
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %n = tensor.dim %a, %c0 : tensor<?xf32>
  {lines}
  %e = tensor.empty(%q) : tensor<?xf32>
  return %e : tensor<?xf32>
}}"""
    return pytl.from_mlir(text)["f"](np.ones(4, np.float32), backend="reference")


@pytest.mark.parametrize("word", ["divui", "divsi", "remsi", "remui", "ceildivsi", "floordivsi"])
def test_a_quotient_by_zero_is_no_size(word: str) -> None:
    for divisor in ("%c0", "%z"):
        with pytest.raises(pytl.LaunchError, match="divided by zero") as caught:
            of_size(f"%z = arith.subi %n, %c4 : index\n  %q = arith.{word} %c4, {divisor} : index")
        assert caught.value.code == "PYTL-1311"


def test_a_size_is_not_negative() -> None:
    with pytest.raises(pytl.LaunchError, match="a size of a tensor is -1") as caught:
        of_size("%m = arith.subi %c0, %n : index\n  %q = arith.divsi %m, %n : index")
    assert caught.value.code == "PYTL-1311"
