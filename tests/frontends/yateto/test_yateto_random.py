"""Random programs of the immediate language: they compute what NumPy computes, and are printed and read as they are."""

from __future__ import annotations

import re
from collections.abc import Callable
from random import Random
from typing import Any

import numpy as np
import pytest
from differential.cases import NEEDS_SYCL
from sampling import at_night
from yateto_kit import kernel_of, read

import pytl
from pytl.frontends.registry import find_frontend

YATETO = find_frontend("yateto", "")
SEEDS = [*range(40), *at_night(range(40, 600))]
ELEMENTS = ("i8", "i16", "i32", "i64", "u8", "u16", "u32", "u64", "f64")
INTEGERS = ELEMENTS[:-1]
SIZE = 3
"""Of each of the four modes of the tensors that a program begins with."""
ITEMS = 2
OFFSET = 4

Environment = dict[str, Any]
Step = Callable[[Environment], None]


class Program:
    """A text, and what it does to arrays."""

    def __init__(self, seed: int) -> None:
        self.random = Random(seed)
        self.element = self.random.choice(ELEMENTS)
        self.dtype = np.dtype({"i": "int", "u": "uint", "f": "float"}[self.element[0]] + self.element[1:])
        self.lines: list[str] = []
        self.steps: list[Step] = []
        self.count = 0
        self.depth = 1
        self.indices: list[tuple[str, str]] = []
        self.tensors: list[tuple[str, str, tuple[int, ...]]] = []
        """The tensors of each region: name, type, shape."""
        whole = self.type((SIZE,) * 4)
        layout = self.random.choice(["pointers", f"distance<{SIZE**4 + 2 * OFFSET}>"])
        self.group = f"group<{whole},{layout}>"
        self.has_offset = self.random.random() < 0.4
        self.index_type = self.random.choice(INTEGERS)
        behind = f", {self.index_type} %off" if self.has_offset else ""
        self.line(f"%item = get_work_item %G{behind} : {self.group}")
        for _ in range(self.random.randint(1, 5)):
            self.statement()
        head = f"%P: {whole}, %G: {self.group}, %off: {self.index_type}"
        body = "\n".join(self.lines)
        self.text = f"define @f({head}) {{\n{body}\n}}"

    def line(self, text: str) -> None:
        self.lines.append("  " * self.depth + text)

    def type(self, shape: tuple[int, ...], strides: tuple[int, ...] | None = None) -> str:
        packed = tuple(int(np.prod(shape[:mode])) for mode in range(len(shape)))
        layout = "" if strides in (None, packed) else f",strided<{','.join(map(str, strides or ()))}>"
        return f"memref<{'x'.join(map(str, (self.element, *shape)))}{layout}>"

    def name(self) -> str:
        self.count += 1
        return f"%t{self.count}"

    # Tensors.

    def view(self, root: str, shape: tuple[int, ...]) -> tuple[str, str]:
        """A part of %P or of the item, of a shape: its name and type."""
        kept = sorted(self.random.sample(range(4), len(shape)))
        sizes = dict(zip(kept, shape))
        texts, places = [], []
        strides = tuple(SIZE**mode for mode in kept)
        for mode in range(4):
            if mode in sizes:
                begin = self.random.randint(0, SIZE - sizes[mode])
                end = begin + sizes[mode]
                first = "" if begin == 0 and self.random.random() < 0.3 else str(begin)
                texts.append(f"{first}:{'' if end == SIZE and self.random.random() < 0.3 else end}")
                places.append(slice(begin, end))
            elif self.indices and self.random.random() < 0.5:
                type_, index = self.random.choice(self.indices)
                texts.append(f"{type_} {index}")
                places.append(index)
            else:
                places.append(self.random.randrange(SIZE))
                texts.append(str(places[-1]))
        name, type_ = self.name(), self.type(shape, strides)
        self.line(f"{name} = subview {root}[{', '.join(texts)}] : {self.type((SIZE,) * 4)} to {type_}")

        def step(env: Environment) -> None:
            env[name] = env[root][tuple(env[p] if isinstance(p, str) else p for p in places)]
            if not isinstance(env[name], np.ndarray):  # an element is no view
                at = tuple(slice(p, p + 1) for p in (env[p] if isinstance(p, str) else p for p in places))
                env[name] = env[root][at].reshape(())

        self.steps.append(step)
        return name, type_

    def tensor(self, shape: tuple[int, ...], writes: bool) -> tuple[str, str]:
        known = [(name, type_) for name, type_, found in self.tensors if found == shape]
        if known and self.random.random() < 0.4:
            return self.random.choice(known)
        return self.view("%item" if writes or self.random.random() < 0.5 else "%P", shape)

    # Statements.

    def statement(self) -> None:
        kind = self.random.random()
        if kind < 0.15 and self.depth < 3:
            self.loop()
        elif kind < 0.35:
            self.alloca()
        elif kind < 0.4:
            self.line("barrier")
        else:
            self.operation()

    def loop(self) -> None:
        type_, index = self.random.choice(INTEGERS), self.name()
        first, last = sorted(self.random.choices(range(SIZE + 1), k=2))
        self.line(f"for {type_} {index} = {first} to {last} {{")
        outer, self.steps = self.steps, []
        tensors = list(self.tensors)
        self.indices.append((type_, index))
        self.depth += 1
        for _ in range(self.random.randint(1, 2)):
            self.statement()
        self.depth -= 1
        self.indices.pop()
        self.tensors = tensors
        inner, self.steps = self.steps, outer
        self.line("}")

        def step(env: Environment) -> None:
            for number in range(first, last):
                env[index] = number
                for each in inner:
                    each(env)

        self.steps.append(step)

    def alloca(self) -> None:
        shape = tuple(self.random.randint(1, SIZE) for _ in range(self.random.randint(0, 3)))
        name, type_ = self.name(), self.type(shape)
        self.line(f"{name} = alloca : {type_}")
        self.steps.append(lambda env: env.update({name: np.zeros(shape, self.dtype, order="F")}))
        source, of_source = self.view("%P", shape)
        names = "abcd"[: len(shape)]
        self.write("axpby", [names], names, [(source, of_source)], (name, type_), 0)
        self.tensors.append((name, type_, shape))

    def operation(self) -> None:
        word = self.random.choice(["axpby", "sum", "product", "log"])
        letters = self.random.sample("ijklmnopq", 4)
        sizes = {letter: self.random.randint(1, SIZE) for letter in letters}

        def some(of: list[str], least: int = 0) -> list[str]:
            return self.random.sample(of, self.random.randint(least, len(of)))

        if word in ("axpby", "sum"):
            a = some(letters)
            inputs, output = [a], self.random.sample(a, len(a)) if word == "axpby" else some(a)
        elif word == "product":
            output = some(letters)
            a = some(output)
            inputs = [a, self.random.sample(rest := [n for n in output if n not in a], len(rest))]
            inputs[1] += [n for n in some(a) if len(inputs[1]) < 4]
        else:
            parts: list[list[str]] = [[], [], []]  # of A and C, B and C, A and B
            for letter in letters:
                parts[self.random.randrange(3)].append(letter)
            m, n, k = parts
            inputs = [self.random.sample(m + k, len(m + k)), self.random.sample(k + n, len(k + n))]
            output = self.random.sample(m + n, len(m + n))
        shapes = [tuple(sizes[letter] for letter in names) for names in (*inputs, output)]
        operands = [self.tensor(shape, False) for shape in shapes[:-1]]
        target = self.tensor(shapes[-1], True)
        modified = {letter for letter in letters if word == "log" and self.random.random() < 0.2}
        self.write(word, ["".join(n) for n in inputs], "".join(output), operands, target, None, modified)

    def write(
        self,
        word: str,
        inputs: list[str],
        output: str,
        operands: list[tuple[str, str]],
        target: tuple[str, str],
        given: int | None,
        loops: set[str] = frozenset(),  # type: ignore[assignment]
    ) -> None:
        def shown(names: str) -> str:
            return "".join(f"[{name}]" if name in loops else name for name in names) or "_"

        alpha = self.random.randint(0 if self.element[0] == "u" else -2, 3)
        beta = self.random.randint(0, 2) if given is None else given
        comma = "," if self.random.random() < 0.7 else ""
        values = [f"{alpha}.0", *(name for name, _ in operands), f"{beta}.0", target[0]]
        types = f"{', '.join(type_ for _, type_ in operands)} to {target[1]}"
        map = f"{{{', '.join(shown(names) for names in inputs)} to {shown(output)}}}"
        self.line(f"{word} {map}{comma} {', '.join(values)} : {types}")
        subscripts = f"{','.join(inputs)}->{output}"

        def step(env: Environment) -> None:
            factors = [env[name].astype(np.int64 if self.dtype.kind in "iu" else float) for name, _ in operands]
            term = alpha * np.einsum(subscripts, *factors)
            before = env[target[0]].astype(term.dtype)
            env[target[0]][...] = (term + (beta * before if beta else 0)).astype(self.dtype)

        self.steps.append(step)


def numbers(random: np.random.Generator, dtype: np.dtype, count: int) -> np.ndarray:
    return random.integers(0 if dtype.kind == "u" else -2, 3, count).astype(dtype)


@pytest.mark.at_most(7)
@pytest.mark.parametrize("seed", SEEDS)
def test_a_program(seed: int) -> None:
    program = Program(seed)
    module = read(program.text)
    pytl.verify(module)
    written = YATETO.write(module)
    assert str(read(written)) == str(module), written
    assert YATETO.write(read(written)) == written
    execute(program, seed, "reference")


COMPILING = [pytest.param("sycl", marks=NEEDS_SYCL), pytest.param("mlir", marks=pytest.mark.tools_of("mlir"))]


@pytest.mark.parametrize("seed", at_night(range(40)))
@pytest.mark.parametrize("backend", COMPILING)
def test_a_program_that_is_compiled(backend: str, seed: int) -> None:
    execute(Program(seed), seed, backend)


def execute(program: Program, seed: int, backend: str) -> None:
    """Launch a program, and compare what it leaves in memory with what NumPy does."""
    random = np.random.default_rng(seed)
    count = SIZE**4
    distance = re.search(r"distance<(\d+)>", program.group)
    P = numbers(random, program.dtype, count).reshape((SIZE,) * 4, order="F")
    begin = OFFSET if program.has_offset else 0
    if distance:
        memory: Any = [numbers(random, program.dtype, ITEMS * int(distance[1]))]
        starts = [(memory[0], n * int(distance[1])) for n in range(ITEMS)]
    else:
        memory = [numbers(random, program.dtype, count + begin) for _ in range(ITEMS)]
        starts = [(each, 0) for each in memory]
    expected = [each.copy() for each in memory]
    size = program.dtype.itemsize
    steps = tuple(size * SIZE**mode for mode in range(4))

    def view(flat: np.ndarray, at: int) -> np.ndarray:
        return np.lib.stride_tricks.as_strided(flat[at:], (SIZE,) * 4, steps)

    for number, (_, start) in enumerate(starts):
        flat = expected[0] if distance else expected[number]
        env: Environment = {"%P": P, "%item": view(flat, start + begin)}
        for step in program.steps:
            step(env)
    if program.has_offset:
        given: Any = memory[0] if distance else memory
    elif distance:
        shape = ((SIZE,) * 4, ITEMS)
        given = np.lib.stride_tricks.as_strided(memory[0], (*shape[0], ITEMS), (*steps, size * int(distance[1])))
    else:
        given = [view(each, 0) for each in memory]
    kernel_of(program.text)[ITEMS](P, given, OFFSET, backend=backend)
    for actual, wanted in zip(memory, expected):
        if program.dtype.kind == "f":
            np.testing.assert_allclose(
                actual, wanted, rtol=1e-12, atol=1e-12 * np.abs(wanted).max(), err_msg=program.text
            )
        else:
            np.testing.assert_array_equal(actual, wanted, err_msg=program.text)


def test_the_programs_have_every_word() -> None:
    words = " ".join(Program(seed).text for seed in range(40))
    for word in ("get_work_item %G,", "distance<", "pointers", "for u", "for i", "barrier", "alloca", "subview"):
        assert word in words, word
    assert re.search(r"log \{[^}]*\[", words)
    assert all(f"{word} {{" in words for word in ("axpby", "sum", "product", "log"))
