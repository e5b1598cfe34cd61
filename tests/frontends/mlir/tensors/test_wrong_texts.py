"""Functions on tensors with mistakes: each is read, or is answered with diagnostics, at once."""

from __future__ import annotations

import warnings
from random import Random

import pytest
from frontends.mlir.tensors.host_rows import HOST_ROWS
from frontends.mlir.tensors.linalg_rows import LINALG_ROWS
from frontends.mlir.tensors.tensor_rows import TENSOR_ROWS
from frontends.mlir.tensors.tile_rows import TILE_ROWS
from frontends.mlir.test_choices import CASES
from properties.mutation import mutated
from sampling import at_night

import pytl

TEXTS = [each.text for each in (*HOST_ROWS, *LINALG_ROWS, *TENSOR_ROWS, *TILE_ROWS, *CASES)]
TOGETHER = 100


@pytest.mark.parametrize("first", [0, TOGETHER, *at_night(range(2 * TOGETHER, 20_000, TOGETHER))])
def test_a_changed_text_is_read_or_its_mistakes_are_told(first: int) -> None:
    for seed in range(first, first + TOGETHER):
        rng = Random(seed)
        text = mutated(rng, rng.choice(TEXTS), rng.choice(TEXTS))
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                pytl.from_mlir(text)
        except pytl.PytlError as error:
            assert str(error), text


def test_a_value_in_its_own_definition_is_told() -> None:
    text = """func.func @f(%a: tensor<3x4xf32>) -> tensor<3x4xf32> {
  %c = linalg.exp ins(%a : tensor<3x4xf32>) outs(%c : tensor<3x4xf32>) -> tensor<3x4xf32>
  return %c : tensor<3x4xf32>
}"""
    with pytest.raises(pytl.LanguageError, match=r"PYTL-1309\]: %c is not defined here"):
        pytl.from_mlir(text)


@pytest.mark.parametrize(
    "operation",
    [
        "%r = arith.addf %x : tensor<4xf32>",
        '%r = "linalg.exp"(%x) : (tensor<4xf32>) -> tensor<4xf32>',
        '%r = "tensor.generate"() : () -> tensor<4xf32>',
        '%r = "scf.if"(%p) ({}, {}) : (i1) -> tensor<4xf32>',
        "%r = scf.if %p -> (tenso<4xf32>) { scf.yield %x : tensor<4xf32> } else { scf.yield %x : tensor<4xf32> }",
    ],
)
def test_parts_that_do_not_fit_each_other_are_told(operation: str) -> None:
    text = (
        f"func.func @f(%x: tensor<4xf32>, %p: i1) -> tensor<4xf32> {{\n  {operation}\n  return %r : tensor<4xf32>\n}}"
    )
    with pytest.raises(pytl.LanguageError, match=r"PYTL-13[0-9]{2}"):
        pytl.from_mlir(text)
