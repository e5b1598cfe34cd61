"""Random functions of nested loops, branches and jumps, as kernels and as what Python makes of the same text."""

from __future__ import annotations

import builtins
import sys
import textwrap
from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random
from typing import Any

import numpy as np
from tracing_kit import functions

HEAD = (
    'def kernel(given: "memref<i32x8>", real: "memref<f64x8>", out: "memref<i32x8>", rout: "memref<f64x8>", n: "i32"):'
)
PYTHON: dict[str, Any] = {
    **dict.fromkeys(("i32", "index"), int),
    "f64": float,
    **dict.fromkeys(("static_range", "foreach"), range),
    "unroll": lambda loop: loop,
    "bound": lambda condition, most: condition,
}
"""What the language's words are to Python, outside of a kernel."""
RANGES = [
    *("range(3)", "range({a})", "range(1, {a})", "range({a}, {b})", "range(5, 0, -2)", "range({a}, 0, -1)"),
    *(
        "reversed(range({a}))",
        "range(0, {a}, 2)",
        "unroll(range(4))",
        "range(0, 7, i32(3))",
        "reversed(range(1, 8, 3))",
    ),
]
STATIC = ["(1, 4, 2)", "static_range(3)", "range(0)", "(5,)"]


@dataclass
class Program:
    """The text of a random program: `kernel`, and the functions that it calls."""

    random: Random
    size: int = 24
    """The number of statements, about."""
    lines: list[str] = field(default_factory=list)
    helpers: list[tuple[str, int]] = field(default_factory=list)
    """The functions, each with the number of values that it returns."""
    loops: int = 0

    @property
    def text(self) -> str:
        return "\n".join(self.lines)

    def make(self) -> str:
        for number in range(self.random.randrange(3)):
            self.helper(number)
        self.lines += [HEAD, "    a, b, c = i32(3), given[0], n", "    u, v = real[0], f64(2.0)"]
        self.body(1, self.size, returns=[""], jumps=False)
        if self.helpers and self.random.random() < 0.5:
            name, count = self.random.choice(self.helpers)
            self.lines += ["    for p in foreach(8):", f"        w = {name}(given, real, i32(p), n, n)"]
            self.lines += [f"        out[p] = {'w[0]' if count > 1 else 'w'}"]
        self.lines += [f"    {line}" for line in ("out[0] += a", "out[1] += b", "out[2] += c", "rout[0] = u + v")]
        return self.text

    def helper(self, number: int) -> None:
        count = self.random.choice([1, 1, 2])
        name = f"helper{number}"
        self.lines += [f"def {name}(given, real, a, b, n):", "    c, u, v = i32(1), real[1], f64(0.5)"]

        def values() -> str:
            return ", ".join([f"i32({self.integer()})", *[self.real()] * (count - 1)])

        returns = [values() for _ in range(3)]
        self.body(1, self.size // 2, returns, jumps=False)
        self.lines += [f"    return {values()}"]
        self.helpers.append((name, count))

    # Statements.

    def body(self, depth: int, size: int, returns: list[str], jumps: bool) -> None:
        """Some statements; `jumps` says whether a loop is around them, and `returns` what the function gives."""
        before = len(self.lines)
        while size > 0 and (len(self.lines) - before < 1 or self.random.random() < 0.8):
            size -= self.statement(depth, size, returns, jumps)
        if len(self.lines) == before:
            self.put(depth, "pass")

    def put(self, depth: int, line: str) -> None:
        self.lines.append("    " * depth + line)

    def statement(self, depth: int, size: int, returns: list[str], jumps: bool) -> int:
        kinds = ["assign"] * 4 + ["store"]
        kinds += ["helper"] if self.helpers else []
        if size > 3 and depth < 6:
            kinds += ["if"] * 3 + ["for", "for", "while", "static"]
        if depth > 1:
            kinds += ["return"]
        if jumps:
            kinds += ["break"] * 2 + ["continue"] * 2
        kind = self.random.choice(kinds)
        result: int = getattr(self, f"_{kind}")(depth, size, returns, jumps)
        return result

    def _assign(self, depth: int, size: int, returns: list[str], jumps: bool) -> int:
        if self.random.random() < 0.6:
            name = self.random.choice("abc")
            self.put(depth, f"{name} = {self.integer()}")
        else:
            name = self.random.choice("uv")
            self.put(depth, f"{name} = {self.real()}")
        return 1

    def _store(self, depth: int, size: int, returns: list[str], jumps: bool) -> int:
        place = self.random.randrange(8)
        if any(line == HEAD for line in self.lines):
            self.put(depth, f"out[{place}] = {self.integer()}")
        else:  # called at points of a foreach, which share the memory
            self.put(depth, f"c = given[{place}]")
        return 1

    def _helper(self, depth: int, size: int, returns: list[str], jumps: bool) -> int:
        name, count = self.random.choice(self.helpers)
        self.put(depth, f"{'a, u' if count > 1 else 'a'} = {name}(given, real, {self.integer()}, b, n)")
        return 1

    def _return(self, depth: int, size: int, returns: list[str], jumps: bool) -> int:
        self.put(depth, f"if {self.condition()}:")
        self.put(depth + 1, f"return {self.random.choice(returns)}".rstrip())
        return 1

    def _jump(self, depth: int, word: str) -> int:
        if self.random.random() < 0.8:
            self.put(depth, f"if {self.condition()}:")
            self.put(depth + 1, word)
        else:
            self.put(depth, word)
        return 1

    def _break(self, depth: int, size: int, returns: list[str], jumps: bool) -> int:
        return self._jump(depth, "break")

    def _continue(self, depth: int, size: int, returns: list[str], jumps: bool) -> int:
        return self._jump(depth, "continue")

    def _if(self, depth: int, size: int, returns: list[str], jumps: bool) -> int:
        self.put(depth, f"if {self.condition()}:")
        self.body(depth + 1, size // 2, returns, jumps)
        if self.random.random() < 0.3:
            self.put(depth, f"elif {self.condition()}:")
            self.body(depth + 1, size // 3, returns, jumps)
        if self.random.random() < 0.5:
            self.put(depth, "else:")
            self.body(depth + 1, size // 3, returns, jumps)
        return size // 2

    def _else(self, depth: int, size: int, returns: list[str], jumps: bool) -> None:
        if self.random.random() < 0.3:
            self.put(depth, "else:")
            self.body(depth + 1, size // 4, returns, jumps)

    def _for(self, depth: int, size: int, returns: list[str], jumps: bool) -> int:
        self.loops += 1
        name = f"k{self.loops}"
        head = self.random.choice(RANGES).format(a=f"({self.integer()} & 7)", b=f"({self.integer()} & 7)")
        is_read = self.random.random() < 0.4
        if is_read:
            self.put(depth, f"{name} = {self.random.choice(['1', '0'])}")
        self.put(depth, f"for {name} in {head}:")
        self.put(depth + 1, f"c = (c + i32({name})) & 63")
        self.body(depth + 1, size // 2, returns, True)
        self._else(depth, size, returns, jumps)
        if is_read:
            self.put(depth, f"b = (b + i32({name})) & 63")
        return size // 2

    def _static(self, depth: int, size: int, returns: list[str], jumps: bool) -> int:
        self.loops += 1
        name = f"k{self.loops}"
        self.put(depth, f"for {name} in {self.random.choice(STATIC)}:")
        self.put(depth + 1, f"c = (c + i32({name})) & 63")
        self.body(depth + 1, size // 3, returns, True)
        self._else(depth, size, returns, jumps)
        return size // 2

    def _while(self, depth: int, size: int, returns: list[str], jumps: bool) -> int:
        self.loops += 1
        name = f"k{self.loops}"
        start, test, step = self.random.choice(
            [
                ("0", f"< ({self.integer()} & 7)", "+= 1"),
                (f"{self.integer()}", "> 2", "-= 3"),
                ("i32(0)", "!= 4", "+= 1"),
                ("0", "<= n", "+= 2"),
                ("n", "> 0", "//= 2"),
                ("i32(1)", "< 40", "*= 3"),
                ("0", "< 3", "+= 1"),
            ]
        )
        test = f"{name} {test}"
        if self.random.random() < 0.3:
            test = self.random.choice([f"{test} and ({self.condition()})", f"({self.condition()}) and {test}"])
        if "(" in test.partition("and")[0] or self.random.random() < 0.3:  # what it is compared with may change
            test = f"bound({test}, most={self.random.choice(['80', 'index(64)'])})"
        self.put(depth, f"{name} = {start}")
        self.put(depth, f"while {test}:")
        self.put(depth + 1, f"{name} {step}")
        self.body(depth + 1, size // 2, returns, True)
        self._else(depth, size, returns, jumps)
        self.put(depth, f"b = (b + i32({name})) & 63")
        return size // 2

    # Expressions.

    def integer(self) -> str:
        a, b = (self.random.choice("abc") for _ in range(2))
        return self.random.choice(
            [
                a,
                f"(({a} + {b}) & 63)",
                f"(({a} - {b}) & 31)",
                f"(({a} * 3) & 63)",
                f"(({a} ^ {b}) & 15)",
                f"min({a}, 9)",
            ]
        )

    def real(self) -> str:
        a, b = (self.random.choice("uv") for _ in range(2))
        return self.random.choice([f"({a} * 0.5)", f"min({a} + 1.5, 8.0)", f"max({a}, {b})", f"abs({a} - 3.0)"])

    def condition(self) -> str:
        a, b = (self.random.choice("abc") for _ in range(2))
        return self.random.choice(
            [
                *(f"{a} > {b}", f"{a} == 3", f"({a} & 1) == 0", f"{self.random.choice('uv')} < 2.0", f"{a} <= {b}"),
                *(f"{a} < 9 and {b} > 2", f"{a} < 2 or u > v", f"not {a} > 5", "n > 100"),
            ]
        )


def program(seed: int, size: int = 24) -> str:
    """The text of a random program; the same for the same seed."""
    return Program(Random(seed), size).make()


def arrays() -> list[np.ndarray]:
    given, real = np.array([5, 3, 60, 2, 9, 33, 1, 7], np.int32), np.linspace(0.0, 7.0, 8)
    return [given, real, np.zeros(8, np.int32), np.zeros(8)]


def by_python(text: str, n: int, most_lines: int = 20_000) -> list[np.ndarray]:
    """What Python leaves in the arrays. Raises TimeoutError where it executes too many lines."""
    space: dict[str, Any] = {**vars(builtins), **PYTHON}
    exec(compile(text, "<python>", "exec", dont_inherit=True), space)
    lists = [each.tolist() for each in arrays()]
    left = most_lines

    def trace(frame: Any, event: str, argument: Any) -> Callable[..., Any]:
        nonlocal left
        left -= event == "line"
        if left < 0:
            raise TimeoutError
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        space["kernel"](*lists, n)
    finally:
        sys.settrace(before)
    return [np.array(values, each.dtype) for values, each in zip(lists, arrays())]


def kernel_of(text: str) -> Any:
    """The kernel's function of a program."""
    return functions(textwrap.dedent(text))["kernel"]
