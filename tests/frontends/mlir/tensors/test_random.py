"""Random functions on tensors: whatever is written in place, each value is what it was when it is read."""

from __future__ import annotations

from random import Random
from typing import Any

import numpy as np
import pytest
from sampling import at_night

import pytl

LARGE = 40
"""Matrices whose products are dealt out to work-groups."""
CONSTANTS = "".join(f"  %c{n} = arith.constant {n} : index\n" for n in range(4)) + "  %k = arith.constant 0.5 : f32\n"


class Program:
    """A function of some tensors, and what it gives: values by their names, which NumPy computes beside."""

    def __init__(self, seed: int, n: int = 4) -> None:
        self.n = n
        self.type, self.half = f"tensor<{n}x{n}xf32>", f"tensor<2x{n}xf32>"
        self.random = Random(seed)
        rng = np.random.default_rng(seed)
        self.arguments = [rng.integers(-2, 3, (n, n)).astype(np.float32) for _ in range(2)]
        self.values: list[tuple[str, np.ndarray]] = [(f"%a{n}", each) for n, each in enumerate(self.arguments)]
        self.lines: list[str] = []
        self.count = 0
        for _ in range(self.random.randint(3, 9) if n < LARGE else self.random.randint(1, 4)):
            self.step(self.values, "  ", 0)
        results = self.random.sample(self.values, min(len(self.values), self.random.randint(1, 3)))
        self.results = [value for _, value in results]
        types = ", ".join([self.type] * len(results))
        given = ", ".join(name for name, _ in results)
        body = "\n".join(self.lines)
        head = ", ".join(f"%a{n}: {self.type}" for n in range(2))
        self.text = f"func.func @f({head}) -> ({types}) {{\n{CONSTANTS}{body}\n  return {given} : {types}\n}}\n"

    def new(self) -> str:
        self.count += 1
        return f"%v{self.count}"

    def step(self, values: list[tuple[str, np.ndarray]], indent: str, depth: int) -> None:
        """One more value, made of those that are there."""
        kinds = ["add", "accumulate", "fill", "map"]
        if self.n < LARGE:
            kinds += ["insert", "slice", "transpose", "element", *(["for", "if"] if depth < 2 else [])]
        kind = self.random.choice(kinds)
        (a, x), (b, y), (c, z) = (self.random.choice(values) for _ in range(3))
        name, lines = self.new(), self.lines
        if kind == "add":
            lines.append(f"{indent}{name} = arith.addf {a}, {b} : {self.type}")
            found = x + y
        elif kind == "accumulate":
            operands = f"ins({a}, {b} : {self.type}, {self.type}) outs({c} : {self.type}) -> {self.type}"
            lines.append(f"{indent}{name} = linalg.matmul {operands}")
            found = z + x @ y
        elif kind == "fill":
            lines.append(f"{indent}{name} = linalg.fill ins(%k : f32) outs({a} : {self.type}) -> {self.type}")
            found = np.full_like(x, 0.5)
        elif kind in ("insert", "slice"):
            part, at = self.new(), self.random.randint(0, 2)
            to = at if kind == "slice" else self.random.randint(0, 2)
            lines.append(
                f"{indent}{part} = tensor.extract_slice {a}[{at}, 0] [2, {self.n}] [1, 1] : {self.type} to {self.half}"
            )
            piece = x[at : at + 2]
            if self.random.random() < 0.6:
                other = self.new()
                lines.append(f"{indent}{other} = arith.addf {part}, {part} : {self.half}")
                part, piece = other, piece + piece
            into, base = (a, x) if kind == "slice" else (b, y)
            lines.append(
                f"{indent}{name} = tensor.insert_slice {part} into {into}[{to}, 0] [2, {self.n}] [1, 1] : {self.half} into {self.type}"
            )
            found = base.copy()
            found[to : to + 2] = piece
        elif kind == "transpose":
            lines.append(
                f"{indent}{name} = linalg.transpose ins({a} : {self.type}) outs({b} : {self.type}) permutation = [1, 0]"
            )
            found = x.T.copy()
        elif kind == "element":
            i, j = self.random.randint(0, 3), self.random.randint(0, 3)
            number = self.new()
            lines.append(f"{indent}{number} = tensor.extract {a}[%c{i}, %c{j}] : {self.type}")
            lines.append(f"{indent}{name} = tensor.insert {number} into {b}[%c{j}, %c{j}] : {self.type}")
            found = y.copy()
            found[j, j] = x[i, j]
        elif kind == "map":
            maps = "affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j, i)>, affine_map<(i, j) -> (i, j)>"
            u, v, w, s, t = (self.new() for _ in range(5))
            lines.append(
                f'{indent}{name} = linalg.generic {{indexing_maps = [{maps}], iterator_types = ["parallel", "parallel"]}} '
                f"ins({a}, {b} : {self.type}, {self.type}) outs({c} : {self.type}) {{\n{indent}^bb0({u}: f32, {v}: f32, {w}: f32):\n"
                f"{indent}  {s} = arith.addf {u}, {v} : f32\n{indent}  {t} = arith.subf {s}, {w} : f32\n"
                f"{indent}  linalg.yield {t} : f32\n{indent}}} -> {self.type}"
            )
            found = x + y.T - z
        elif kind == "for":
            self._for(name, (a, x), (b, y), values, indent, depth)
            return
        else:
            found = self._if(name, values, indent, depth)
        values.append((name, np.clip(found, -1e6, 1e6)))

    def _for(self, name: str, a: Any, b: Any, values: list[tuple[str, np.ndarray]], indent: str, depth: int) -> None:
        """A loop that carries two tensors; its body is executed for NumPy by the same steps."""
        other, i, p, q = self.new(), self.new(), self.new(), self.new()
        self.lines.append(
            f"{indent}{name}, {other} = scf.for {i} = %c0 to %c2 step %c1 iter_args({p} = {a[0]}, {q} = {b[0]}) -> ({self.type}, {self.type}) {{"
        )
        seed, count = self.random.random(), self.random.randint(1, 3)
        state = a[1], b[1]
        lines, before = self.lines, self.count
        for iteration in range(2):
            # the same steps with the values of each iteration, of which the first one writes the text
            self.random, self.count = Random(seed), before
            self.lines = lines if iteration == 0 else []
            inner = [*values, (p, state[0]), (q, state[1])]
            for _ in range(count):
                self.step(inner, indent + "  ", 2)
            first, second = self.random.choice(inner), self.random.choice(inner)
            state = first[1], second[1]
            if iteration == 0:
                lines.append(f"{indent}  scf.yield {first[0]}, {second[0]} : {self.type}, {self.type}\n{indent}}}")
        self.lines = lines
        values += [(name, state[0]), (other, state[1])]

    def _if(self, name: str, values: list[tuple[str, np.ndarray]], indent: str, depth: int) -> np.ndarray:
        condition, is_taken = self.new(), self.random.random() < 0.5
        number = self.new()
        i, j = self.random.randint(0, 3), self.random.randint(0, 3)
        a, x = self.random.choice(values)
        self.lines.append(f"{indent}{number} = tensor.extract {a}[%c{i}, %c{j}] : {self.type}")
        self.lines.append(f"{indent}{condition} = arith.cmpf olt, {number}, %k : f32")
        is_taken = bool(x[i, j] < 0.5)
        self.lines.append(f"{indent}{name} = scf.if {condition} -> ({self.type}) {{")
        found = []
        for branch in range(2):
            inner = list(values)
            for _ in range(self.random.randint(0, 2)):
                self.step(inner, indent + "  ", 2)
            given = self.random.choice(inner)
            found.append(given[1])
            self.lines.append(f"{indent}  scf.yield {given[0]} : {self.type}")
            self.lines.append(f"{indent}}} else {{" if branch == 0 else f"{indent}}}")
        return found[0] if is_taken else found[1]


@pytest.mark.at_most(10)
@pytest.mark.parametrize("seed", [*range(60), *at_night(range(60, 600))])
def test_each_value_is_what_it_was(seed: int) -> None:
    _check(Program(seed))


@pytest.mark.parametrize("seed", [*range(6), *at_night(range(6, 60))])
def test_no_work_group_needs_another_one(seed: int) -> None:
    """The reference backend tells races of work-groups."""
    _check(Program(seed, LARGE))


def _check(program: Program) -> None:
    given = [each.copy() for each in program.arguments]
    found = pytl.from_mlir(program.text)["f"](*given, backend="reference")
    results = found if isinstance(found, tuple) else (found,)
    for mine, wanted in zip(results, program.results):
        np.testing.assert_allclose(mine, wanted, rtol=1e-4, err_msg=program.text)
