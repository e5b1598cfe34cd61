"""Functions of MLIR with what they do to arrays by NumPy, and how they are tried."""

from __future__ import annotations

import functools
import subprocess
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

import pytl

Arrays = dict[str, Any]


@dataclass(frozen=True)
class Case:
    """A function's arguments, in order, with the types of MLIR; its body; and what it does to the arrays."""

    name: str
    head: dict[str, str]
    given: Callable[[np.random.Generator], Arrays]
    body: str
    expected: Callable[..., Any]
    module: str = ""
    """What stands in front of the function."""

    @property
    def text(self) -> str:
        head = ", ".join(f"%{name}: {type_}" for name, type_ in self.head.items())
        return f"{MAPS}{self.module}func.func @f({head}) {{\n{CONSTANTS}{self.body}\n  return\n}}\n"


MAPS = """#ident = affine_map<(d0, d1) -> (d0, d1)>
#swap = affine_map<(d0, d1) -> (d1, d0)>
#row = affine_map<(d0, d1) -> (d0)>
#ik = affine_map<(i, j, k) -> (i, k)>
#kj = affine_map<(i, j, k) -> (k, j)>
#ij = affine_map<(i, j, k) -> (i, j)>
#conv = affine_map<(d0, d1) -> (d0 + d1)>
#col1 = affine_map<(d0, d1) -> (d1)>
"""
CONSTANTS = "".join(f"  %c{n} = arith.constant {n} : index\n" for n in range(9)) + "  %z = arith.constant 0.0 : f32\n"


def collector(cases: list[Case]) -> Callable[..., None]:
    """`case(name, head, body, expected)` adds a case of f32 arrays, whose shapes are those of the types unless others are
    given."""

    def case(name: str, head: str, body: str, expected: Callable[..., Any], **shapes: Any) -> None:
        parameters = dict(each.split(": ", 1) for each in head.split("; "))

        def given(rng: np.random.Generator) -> Arrays:
            found: Arrays = {}
            for parameter, type_ in parameters.items():
                if parameter in shapes and not isinstance(shapes[parameter], tuple):
                    made = shapes[parameter]
                    found[parameter] = made(rng) if callable(made) else made
                    continue
                sizes = type_.partition("<")[2].partition(",")[0].rstrip(">").split("x")[:-1]
                shape = shapes.get(parameter) or tuple(map(int, sizes))
                found[parameter] = rng.uniform(-1, 1, shape).astype(np.float32)
            return found

        cases.append(Case(name, parameters, given, body, expected))

    return case


def execute(text: str, given: Case, backend: str, groups: Any = ...) -> None:
    arguments = given.given(np.random.default_rng(11))
    expected = given.expected(**{n: v.copy() if isinstance(v, np.ndarray) else v for n, v in arguments.items()})
    kernel = pytl.from_mlir(text)["f"]
    kernel[groups](*arguments.values(), backend=backend)
    for name, wanted in expected.items():
        np.testing.assert_allclose(arguments[name], wanted, rtol=2e-6, atol=2e-6, err_msg=name)


GENERIC, PLACES = "--mlir-print-op-generic", "--mlir-print-debuginfo"
BETWEEN = "// -----\n"
"""What mlir-opt splits a text at, and writes between what it prints of the parts."""


@functools.cache
def _printed(texts: tuple[str, ...], *options: str) -> list[str]:
    command = ["mlir-opt-22", "--split-input-file", *options]
    done = subprocess.run(command, input=BETWEEN.join(texts), text=True, capture_output=True)
    assert done.returncode == 0, done.stderr
    parts = done.stdout.split(BETWEEN)
    assert len(parts) == len(texts)
    return parts


def execute_what_mlir_prints(given: Case, cases: Sequence[Case]) -> None:
    """The text of one of the cases as mlir-opt prints it in custom and in generic form, with its places and without."""
    texts = tuple(case.text for case in cases)
    for options in ((), (GENERIC,), (PLACES,), (GENERIC, PLACES)):
        execute(_printed(texts, *options)[cases.index(given)], given, "reference")
