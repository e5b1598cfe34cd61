"""Random contractions: an instruction of index notation as a text, with arrays of any layout, and what NumPy gives."""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import Any

import numpy as np

DTYPES = {
    "f32": np.float32,
    "f64": np.float64,
    "c32": np.complex64,
    "c64": np.complex128,
    "i32": np.int32,
}
_LITERALS = {"f": "{}.0", "c": "[{}.0, 0.0]", "i": "{}"}


@dataclass
class Case:
    """A kernel `f` of one instruction, its arguments, of which the last array is updated, and the result."""

    text: str
    arrays: list[np.ndarray]
    beta: Any
    expected: np.ndarray

    def result(self, kernel: Any, backend: str) -> np.ndarray:
        """The output after a launch on a copy of it, with the same strides."""
        *inputs, output = self.arrays
        copy = with_layout_of(output)
        kernel[1](*inputs, copy, self.beta, backend=backend)
        return copy


def with_layout_of(array: np.ndarray) -> np.ndarray:
    """A copy with the same strides, gaps included."""
    span = 1 + sum((n - 1) * (s // array.itemsize) for n, s in zip(array.shape, array.strides))
    memory = np.lib.stride_tricks.as_strided(array, (span,), (array.itemsize,)).copy()
    return np.lib.stride_tricks.as_strided(memory, array.shape, array.strides)


def contraction(seed: int) -> Case:
    """A random instruction with operands of order 0 to 5, static or dynamic, packed or strided."""
    chance = random.Random(seed)
    kind = chance.choice(["log", "log", "log", "product", "sum", "axpby"])
    letters = "abcdef"[: chance.randint(1, 5)]
    sizes = {letter: chance.randint(1, 5) for letter in letters}
    operands = [_shuffled(chance, names) for names in _index_sets(chance, kind, letters)]
    element = chance.choice(list(DTYPES))
    is_dynamic = chance.random() < 0.3
    numbers = np.random.default_rng(seed)
    arrays, types = [], []
    for names in operands:
        shape = [sizes[name] for name in names]
        strides = _strides(chance, shape)
        memory = numbers.integers(-3, 4, sum(n * s for n, s in zip(shape, strides)) + 1).astype(DTYPES[element])
        steps = [stride * memory.itemsize for stride in strides]
        arrays.append(np.lib.stride_tricks.as_strided(memory, shape, steps))
        types.append(_type(element, shape, strides, is_dynamic))
    alpha, beta = chance.choice([1, 2]), chance.choice([0, 1, 3, None])
    passed = chance.choice([0, 2])
    literal = _LITERALS[element[0]].format
    constants = f"%alpha = constant {literal(alpha)} : {element}"
    constants += "" if beta is None else f"  %beta = constant {literal(beta)} : {element}"
    parameters = ", ".join(f"%{k}: {type_}" for k, type_ in enumerate(types))
    shown = [names or "_" for names in operands]
    names_of = [f"%{k}" for k in range(len(operands))]
    parts = ["%alpha", *names_of[:-1], "%b" if beta is None else "%beta", names_of[-1]]
    text = (
        f"func @f({parameters}, %b: {element}) {{ {constants}\n"
        f"  yateto.{kind} {{{', '.join(shown[:-1])} to {shown[-1]}}}, {', '.join(parts)}\n}}"
    )
    factor = passed if beta is None else beta
    wide = np.complex128 if element[0] == "c" else np.float64
    terms = np.einsum(f"{','.join(operands[:-1])}->{operands[-1]}", *(a.astype(wide) for a in arrays[:-1]))
    expected = alpha * terms + (factor * arrays[-1].astype(wide) if factor else 0)
    python = {"c": complex, "f": float, "i": int}[element[0]]
    return Case(text, arrays, python(passed), expected)


def _index_sets(chance: random.Random, kind: str, letters: str) -> list[str]:
    """The operands' indices, the output's last."""
    if kind == "sum":
        return [letters, "".join(letter for letter in letters if chance.random() < 0.5)]
    if kind == "axpby":
        return [letters, letters]
    places = {"log": ["AB", "AC", "BC", "AC", "BC", "AB", "ABC"], "product": ["AC", "BC", "ABC"]}[kind]
    chosen = {letter: chance.choice(places) for letter in letters}
    return ["".join(letter for letter in letters if operand in chosen[letter]) for operand in "ABC"]


def _shuffled(chance: random.Random, names: str) -> str:
    return "".join(chance.sample(names, len(names))) if chance.random() < 0.6 else names


def _strides(chance: random.Random, shape: list[int]) -> list[int]:
    strides, step = [], chance.choice([1, 1, 1, 2])
    for size in shape:
        strides.append(step)
        step = step * size + (chance.randint(1, 3) if chance.random() < 0.2 else 0)
    return strides


def _type(element: str, shape: list[int], strides: list[int], is_dynamic: bool) -> str:
    sizes = "".join(f"x{'?' if is_dynamic else n}" for n in shape)
    shown = ["?" if is_dynamic and k else str(s) for k, s in enumerate(strides)]
    return f"memref<{element}{sizes}{',strided<' + ','.join(shown) + '>' if shape else ''}>"
