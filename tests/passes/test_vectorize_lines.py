"""The pass vectorize with `streaming`: instructions along lines of memory, and points, executed by the oracle."""

from __future__ import annotations

import re

import numpy as np
import pytest
from scalable_kit import assert_same, literal, lowered, values

from pytl.passes.targets import vector

ELEMENTS = ["f32", "f64", "f16", "i32", "c32"]
INSTRUCTIONS = {
    "axpby.n %alpha, %A, %beta, %C": ("37x3", "37x3"),
    "hadamard %alpha, %A, %B, %beta, %C": ("37x3", "37x3", "37x3"),
    "cumsum %alpha, %A, 1, %beta, %C": ("11x3", "11x3"),
    "gemv.n %alpha, %A, %B, %beta, %C": ("37x5", "5", "37"),
    "gemv.t %alpha, %A, %B, %beta, %C": ("11x5", "11", "5"),
    "sum.n %alpha, %A, %beta, %C": ("37x5", "37"),
    "sum.t %alpha, %A, %beta, %C": ("11x5", "5"),
    "sum.n %alpha, %A, %beta, %C ": ("37", ""),
}
POINTS = """foreach (%i, %j)=(%c1,%c0),(%c10,%c3) {
  %a = load %A[%i,%j] : T
  %b = load %B[%j] : T
  %k = arith.add %i, %c1 : index
  %x = arith.mul %a, %b : T
  %y = arith.add %x, %alpha : T
  store %y, %C[%k,%j]
}"""


def function_of(body: str, shapes: tuple[str, ...], element: str, beta: int, is_dynamic: bool) -> str:
    """A function whose arrays have these shapes; the last one is C."""
    names = "ABC" if len(shapes) == 3 else "AC"
    written = [re.sub(r"\d+", "?", shape) if is_dynamic else shape for shape in shapes]
    types = [f"%{name}: memref<{'x'.join(filter(None, (element, shape)))}>" for name, shape in zip(names, written)]
    numbers = " ".join(f"%c{number} = constant {number} : index" for number in (0, 1, 3, 10))
    return f"""func @f({", ".join(types)}) {{
      {numbers}
      %alpha = constant {literal(2, element)} : {element}
      %beta = constant {literal(beta, element)} : {element}
      {body}
    }}"""


def arrays_of(shapes: tuple[str, ...], element: str) -> list[np.ndarray]:
    rng = np.random.default_rng(len(shapes))
    return [values(rng, tuple(int(size) for size in shape.split("x") if size), element) for shape in shapes]


@pytest.mark.at_most(12)
@pytest.mark.parametrize("element", ELEMENTS)
@pytest.mark.parametrize("instruction", INSTRUCTIONS)
def test_instructions(instruction: str, element: str) -> None:
    shapes = INSTRUCTIONS[instruction]
    for scale, beta, is_dynamic, bits in ((1, 1, False, 0), (2, 3, True, 0), (4, 0, False, 0), (1, 1, False, 128)):
        text = function_of(instruction, shapes, element, beta, is_dynamic)
        after = assert_same(text, arrays_of(shapes, element), scale, bits)
        assert any(isinstance(op, vector.Code) for op in after.walk())


@pytest.mark.parametrize("element", ELEMENTS)
def test_points(element: str) -> None:
    shapes = ("11x3", "3", "11x3")
    for scale, is_dynamic in ((1, False), (2, True), (4, False)):
        text = function_of(POINTS.replace("T", element), shapes, element, 1, is_dynamic)
        after = assert_same(text, arrays_of(shapes, element), scale)
        assert any(isinstance(op, vector.Code) for op in after.walk())


@pytest.mark.parametrize(
    "old, new",
    [
        ("%A[%i,%j]", "%A[%c1,%j]"),
        ("%C[%k,%j]", "%C[%j,%c0]"),
        ("arith.mul %a, %b", "arith.rem %a, %b"),
    ],
)
def test_points_without_a_form_stay(old: str, new: str) -> None:
    text = function_of(POINTS.replace(old, new).replace("T", "f32"), ("11x3", "3", "11x3"), "f32", 1, False)
    has_code = any(isinstance(op, vector.Code) for op in lowered(text)[1].walk())
    assert has_code == (old == "%A[%i,%j]")  # one element is loaded for all lanes
