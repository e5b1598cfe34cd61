"""Random affine programs: functions of loops, branches and accesses by affine maps, all of them in bounds."""

from __future__ import annotations

from dataclasses import dataclass, field
from random import Random

import numpy as np

TYPES = {"f32": np.float32, "f64": np.float64, "i32": np.int32, "i64": np.int64}


@dataclass
class Program:
    """A function's text, and the memrefs and indices that it takes."""

    name: str
    text: str
    shapes: dict[str, tuple[int, ...]]
    strides: dict[str, tuple[int, ...]]
    element: str
    numbers: dict[str, int]

    def arguments(self, seed: int) -> dict[str, np.ndarray | int]:
        """Random arrays, which lie as the memrefs' layouts say, and the indices."""
        rng = np.random.default_rng(seed)
        found: dict[str, np.ndarray | int] = {}
        dtype = TYPES[self.element]
        for name, shape in self.shapes.items():
            span = 1 + sum((n - 1) * s for n, s in zip(shape, self.strides[name]))
            memory = rng.integers(-3, 4, span) if self.element[0] == "i" else rng.uniform(-1, 1, span)
            memory = memory.astype(dtype)
            steps = tuple(s * memory.itemsize for s in self.strides[name])
            found[name] = np.lib.stride_tricks.as_strided(memory, shape, steps)
        return found | self.numbers


@dataclass
class _Writer:
    random: Random
    element: str
    lines: list[str] = field(default_factory=list)
    shapes: dict[str, tuple[int, ...]] = field(default_factory=dict)
    types: dict[str, str] = field(default_factory=dict)
    depth: int = 1
    count: int = 0

    def fresh(self) -> str:
        self.count += 1
        return f"%v{self.count}"

    def line(self, text: str) -> None:
        self.lines.append("  " * self.depth + text)

    def op(self, text: str) -> str:
        name = self.fresh()
        self.line(f"{name} = {text}")
        return name

    # Expressions.

    def index(self, variables: list[str], size: int) -> str:
        """An affine expression of variables that lies in `[0, size)`."""
        if not variables or self.random.random() < 0.1:
            return str(self.random.randrange(size))
        terms = [self.random.choice(variables)]
        for _ in range(self.random.randrange(2)):
            factor = self.random.choice([1, 1, 2, 3])
            terms.append(f"{self.random.choice(variables)} * {factor}")
        text = " + ".join([*terms, str(self.random.randrange(3))])
        if self.random.random() < 0.25:
            text = f"({text}) floordiv {self.random.choice([2, 3])}"
        return f"({text}) mod {size}"

    def access(self, name: str, variables: list[str], plain: dict[str, int]) -> str:
        """Indices of a memref; a variable whose values are all in bounds is used as it is, as a rule."""
        indices = []
        for size in self.shapes[name]:
            fitting = [v for v, most in plain.items() if most <= size]
            if fitting and self.random.random() < 0.75:
                indices.append(self.random.choice(fitting))
            else:
                indices.append(self.index(variables, size))
        return f"%{name}[{', '.join(indices)}] : {self.types[name]}"

    def value(self, variables: list[str], plain: dict[str, int], known: list[str], depth: int = 2) -> str:
        """A number: loaded, known, or computed of others."""
        choice = self.random.random()
        if known and choice < 0.2:
            return self.random.choice(known)
        if depth == 0 or choice < 0.45:
            return self.op(f"affine.load {self.access(self.random.choice([*self.shapes]), variables, plain)}")
        kind = "f" if self.element[0] == "f" else "i"
        operations = ["add", "sub", "mul"]
        a = self.value(variables, plain, known, depth - 1)
        b = self.value(variables, plain, known, depth - 1)
        if self.random.random() < 0.2:
            word = self.random.choice(["minnum", "maxnum"] if kind == "f" else ["mins", "maxs"])
            return self.op(f"arith.{word}{kind} {a}, {b} : {self.element}")
        return self.op(f"arith.{self.random.choice(operations)}{kind} {a}, {b} : {self.element}")

    # Statements.

    def product(self, variables: list[str]) -> None:
        """A product of matrices as loops, in any order and with any of them turned."""
        order = self.random.sample("ijk", 3)
        names = [name for name, shape in self.shapes.items() if len(shape) == 2]
        if len(names) < 3:
            return self.nest(variables, {}, 2)
        a, b, c = self.random.sample(names, 3)
        modes = {a: self.random.choice(["ik", "ki"]), b: self.random.choice(["kj", "jk"]), c: "ij"}
        sizes = dict.fromkeys("ijk", 7)
        for name, letters in modes.items():
            for letter, size in zip(letters, self.shapes[name]):
                sizes[letter] = min(sizes[letter], size)
        at: dict[str, str] = {}
        for letter in order:
            at[letter] = self.fresh()
            self.line(f"affine.for {at[letter]} = 0 to {sizes[letter]} {{")
            self.depth += 1
        loaded = [
            self.op(f"affine.load %{name}[{', '.join(at[m] for m in letters)}] : {self.types[name]}")
            for name, letters in modes.items()
        ]
        kind = "f" if self.element[0] == "f" else "i"
        product = self.op(f"arith.mul{kind} {loaded[0]}, {loaded[1]} : {self.element}")
        total = self.op(f"arith.{self.random.choice(['add', 'sub'])}{kind} {loaded[2]}, {product} : {self.element}")
        self.line(f"affine.store {total}, %{c}[{at['i']}, {at['j']}] : {self.types[c]}")
        for _ in order:
            self.depth -= 1
            self.line("}")

    def nest(self, variables: list[str], plain: dict[str, int], depth: int) -> None:
        """A loop with statements in it."""
        variable = self.fresh()
        most = self.random.randrange(2, 7)
        inner = {**plain, variable: most}
        bounded = [v for v in plain if plain[v] <= most]
        if bounded and self.random.random() < 0.3:
            self.line(f"affine.for {variable} = affine_map<(d0) -> (d0)>({self.random.choice(bounded)}) to {most} {{")
        elif self.random.random() < 0.2:
            self.line(f"affine.for {variable} = 0 to min affine_map<()[s0] -> (s0, {most})>()[%n] {{")
        else:
            step = self.random.choice(["", "", " step 2", " step 3"])
            self.line(f"affine.for {variable} = {self.random.randrange(2)} to {most}{step} {{")
        self.body([*variables, variable], inner, depth - 1)

    def body(self, variables: list[str], plain: dict[str, int], depth: int) -> None:
        self.depth += 1
        for _ in range(self.random.choice([1, 1, 2])):
            if depth > 0 and self.random.random() < 0.6:
                self.nest(variables, plain, depth)
            elif self.random.random() < 0.2:
                self.branch(variables, plain)
            elif self.random.random() < 0.25:
                self.carried(variables, plain)
            else:
                self.store(self.value(variables, plain, []), variables, plain)
        self.depth -= 1
        self.line("}")

    def store(self, value: str, variables: list[str], plain: dict[str, int]) -> None:
        self.line(f"affine.store {value}, {self.access(self.random.choice([*self.shapes]), variables, plain)}")

    def branch(self, variables: list[str], plain: dict[str, int]) -> None:
        chosen = self.random.choice(variables)
        bound = self.random.randrange(4)
        sign = self.random.choice([f"d0 - {bound} >= 0", f"-d0 + {bound} >= 0", f"d0 mod 2 - {bound % 2} == 0"])
        self.line(f"affine.if affine_set<(d0) : ({sign})>({chosen}) {{")
        self.depth += 1
        self.store(self.value(variables, plain, []), variables, plain)
        self.depth -= 1
        self.line("} else {")
        self.depth += 1
        self.store(self.value(variables, plain, [], 1), variables, plain)
        self.depth -= 1
        self.line("}")

    def carried(self, variables: list[str], plain: dict[str, int]) -> None:
        """A loop that carries a number, which is stored behind it."""
        begin = self.value(variables, plain, [], 0)
        result, carried, variable = self.fresh(), self.fresh(), self.fresh()
        most = self.random.randrange(1, 6)
        self.line(
            f"{result} = affine.for {variable} = 0 to {most} iter_args({carried} = {begin}) -> ({self.element}) {{"
        )
        self.depth += 1
        kind = "f" if self.element[0] == "f" else "i"
        term = self.value([*variables, variable], {**plain, variable: most}, [], 1)
        total = self.op(f"arith.add{kind} {carried}, {term} : {self.element}")
        self.line(f"affine.yield {total} : {self.element}")
        self.depth -= 1
        self.line("}")
        self.store(result, variables, plain)

    def parallel(self) -> None:
        """A parallel loop: each iteration stores to elements of its own, and loads from other memrefs."""
        target = self.random.choice([name for name, shape in self.shapes.items() if shape])
        rest = {name: shape for name, shape in self.shapes.items() if name != target}
        shape = self.shapes[target]
        variables = [self.fresh() for _ in shape]
        bounds = ", ".join(str(self.random.randrange(1, n + 1)) for n in shape)
        self.line(f"affine.parallel ({', '.join(variables)}) = ({', '.join('0' for _ in shape)}) to ({bounds}) {{")
        self.depth += 1
        whole, self.shapes = self.shapes, rest
        value = self.value(variables, dict(zip(variables, shape)), [])
        self.shapes = whole
        self.line(f"affine.store {value}, %{target}[{', '.join(variables)}] : {self.types[target]}")
        self.depth -= 1
        self.line("}")


def layout(random: Random, shape: tuple[int, ...]) -> tuple[tuple[int, ...], str]:
    """Strides of a memref, and the layout that says them: rows, rows with gaps, or columns."""
    dense = tuple(int(np.prod(shape[d + 1 :])) for d in range(len(shape)))
    choice = random.random()
    if choice < 0.6 or not shape:
        return dense, ""
    if choice < 0.8:
        wide = tuple(step * 2 if d < len(shape) - 1 else step for d, step in enumerate(dense))
    else:
        wide = tuple(int(np.prod(shape[:d])) for d in range(len(shape)))
    return wide, f", strided<[{', '.join(map(str, wide))}]>"


def program(seed: int) -> Program:
    """A random function of this number."""
    random = Random(seed)
    writer = _Writer(random, random.choice([*TYPES]))
    strides: dict[str, tuple[int, ...]] = {}
    for name in ("A", "B", "C", "D")[: random.randrange(3, 5)]:
        shape = tuple(random.randrange(2, 8) for _ in range(random.choice([1, 2, 2, 2, 3])))
        strides[name], text = layout(random, shape)
        writer.shapes[name] = shape
        is_open = not text and random.random() < 0.3
        sizes = "".join("?x" if is_open else f"{n}x" for n in shape)
        writer.types[name] = f"memref<{sizes}{writer.element}{text}>"
    head = ", ".join(f"%{name}: {type_}" for name, type_ in writer.types.items())
    for _ in range(random.randrange(1, 4)):
        choice = random.random()
        if choice < 0.25:
            writer.product([])
        elif choice < 0.45:
            writer.parallel()
        else:
            writer.nest([], {}, random.randrange(3))
    body = "\n".join(writer.lines)
    text = f"func.func @p{seed}({head}, %n: index) {{\n{body}\n  return\n}}"
    return Program(f"p{seed}", text, writer.shapes, strides, writer.element, {"n": random.randrange(6)})
