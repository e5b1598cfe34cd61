"""Python while a kernel is traced: collections, comprehensions, functions as objects, match, texts, assertions."""

# ruff: noqa: E501 (a program stands in one line)

import contextlib
import functools
import math
import operator
import random
from collections import namedtuple
from dataclasses import dataclass

import numpy as np
import pytest
from launch_kit import BACKENDS
from tracing_kit import body, function, functions, message

import pytl
from pytl import Memref, f32, i32

A = np.array([3, 1, 4, 1.5], np.float32)
Point = namedtuple("Point", ("x", "y"))


@dataclass(frozen=True)
class Affine:
    """A callable object, with every kind of method."""

    slope: float
    shift: float = 0.5

    def __call__(self, x):
        return self.slope * x + self.shift

    def twice(self, x):
        return self(self(x))

    @staticmethod
    def square(x):
        return x * x

    @classmethod
    def half(cls, x):
        return x * 0.5

    @property
    def sum(self):
        return self.slope + self.shift


NAMES = {
    "Affine": Affine,
    "line": Affine(2.0),
    "reduce": functools.reduce,
    "partial": functools.partial,
    "less": functools.partial(lambda a, b, *, c: a - b - c, c=1.0),
    "square": lambda x: x * x,
    "math": math,
    "operator": operator,
    "W": (0.5, 0.25, 0.125),
    "Point": Point,
}

# A statement that leaves a number in y, where A is an array: with Python as with a kernel.
STATEMENTS = [
    "y = sum(A[i] for i in (0, 1, 2))",
    "y = sum([A[i] * w for i, w in enumerate(W)])",
    "y = sum((A[i] for i in range(4)), 10.0)",
    "xs = [A[i] for i in range(4)]; y = max(xs) - min(xs)",
    "xs = [A[i] for i in range(4)]; xs.append(5.0); xs[1] = xs[0]; y = sum(xs) + len(xs)",
    "xs = [A[0], A[1]]; ys = xs; ys += [A[2]]; y = sum(xs)",
    "xs = [A[0], A[1]]; ys = xs + [A[2]]; ys.pop(0); y = sum(xs) + ys[0]",
    "xs = 2 * [A[1]] + [A[0]]; del xs[0]; xs.insert(1, A[2]); y = xs[1] - xs[-1]",
    "xs = [A[i] for i in range(4)]; xs[1:3] = [1.0]; xs.reverse(); y = xs[0] * xs[1]",
    "a, *b, c = [A[i] for i in range(4)]; y = a + b[1] - c + len(b)",
    "*a, b = (1.0, 2.0, A[2]); y = sum(a) * b",
    "d = {f'k{i}': A[i] for i in range(3)}; d['k0'] += 1.0; y = sum(d.values()) + len(d)",
    "d = {'a': A[0], **{'b': A[1]}}; y = d['a'] + d.get('b', 0.0) + d.get('c', 2.0)",
    "d = dict(a=A[0]); d.update({'b': 2.0}); y = d['a'] * d['b']",
    "s = {i % 2 for i in range(4)} | {5}; y = A[0] + len(s)",
    "y = sum(A[i] * j for i in range(2) for j in range(3) if i != j)",
    "y = sum(map(lambda x: x * 2.0, [A[0], A[1]]))",
    "y = sum(x for x in filter(lambda i: i > 1, (1, 2, 3))) * A[0]",
    "y = sum(a * b for a, b in zip((A[0], A[1]), reversed((1.0, 2.0))))",
    "y = sorted(((2, A[0]), (1, A[1])), key=lambda p: p[0])[0][1]",
    "y = max((1, 5, 3), key=lambda v: -v) * A[0]",
    "y = reduce(lambda p, q: p * q, [A[i] for i in range(3)], 2.0)",
    "y = reduce(operator.add, [A[i] for i in range(3)], 2.0)",
    "y = operator.sub(A[0], A[1]) * operator.truediv(A[2], 2.0) + operator.neg(A[3]) + operator.mul(2, 3)",
    "y = 1.0 if operator.lt(A[0], A[2]) and operator.not_(operator.eq(A[0], 1.0)) else A[0]",
    "y = sum(map(operator.mul, [A[0], A[1]], (2.0, A[2])))",
    "y = math.prod([A[0], 2.0, A[2]])",
    "y = 1.0 if any(A[i] > 3.5 for i in range(4)) else A[0]",
    "y = 1.0 if all(A[i] > 1.0 for i in range(4)) else A[0]",
    "y = 2.0 if A[1] in (1.0, 2.0) else A[0]",
    "y = 2.0 if A[1] not in [3.0] else A[0]",
    "y = line(A[0]) + line.twice(A[1]) + Affine.square(A[2]) + Affine.half(A[0]) + line.sum",
    "y = square(A[0]) + less(A[2], 1.0)",
    "f = partial(lambda a, b: a - b, A[0]); y = f(A[1]) + f(b=1.0)",
    "def f(x, /, *r, s=2.0, **k): return x * s + sum(r) + k.get('t', 0.0)\n"
    "y = f(A[0]) + f(A[0], A[1], *(A[2],), s=3.0, **{'t': A[3]})",
    "def make(k):\n    def inner(x): return x * k\n    return inner\ny = make(2.0)(A[0]) + make(A[1])(A[2])",
    "fs = [lambda x: x * i for i in (1.0, 2.0)]; y = fs[0](A[0]) + fs[1](A[0])",
    "fs = [lambda x, i=i: x * i for i in (1.0, 2.0)]; y = fs[0](A[0]) + fs[1](A[0])",
    "k = 1.0\ndef f(x): return x + k\nk = A[1]\ny = f(A[0])",
    "y = (t := A[0] + 1.0) * (t := t * 2.0) + t",
    "t = 0.0\nif A[0] > 2.0 and (t := A[1]) > 0.5: y = t\nelse: y = 7.0\ny = y + t",
    "y = A[0] * (1.0 if A[0] > 5.0 else (2.0 if A[1] > 5.0 else 3.0))",
    "y = A[0] * (1 if A[0] > 5.0 else 2.5 if A[1] < 5.0 else (3 if A[2] > 0.0 else 4))",
    "if A[0] > 5.0: k = 1.0\nelif A[1] < 5.0: k = 2.0\nelse: k = 3.0\ny = k * A[0]",
    "y = 1.0 if (A[0] > 1.0) == (A[1] > 5.0) else 2.0 + A[0]",
    "y = 1.0 if (A[0] > 1.0) != (A[1] > 5.0) else 2.0 + A[0]",
    "y = 0.0\nfor i, x in enumerate([A[0], A[1]]):\n    y = y + x * i",
    "xs = [A[i] for i in range(3)]\nfor i, x in enumerate(xs):\n    xs[2 - i] = x * 2.0\ny = sum(xs)",
    "match (A[0], 'a'):\n    case (3.0, 'b'): y = A[0]\n    case (1.0, _): y = A[1]\n    case (3.0, n) if n == 'a': y = A[2]\n    case _: y = A[3]",
    "match {'op': 'mul', 'by': (2.0, A[1])}:\n    case {'op': 'add'}: y = A[0]\n    case {'op': 'mul', 'by': (a, b), **rest}: y = A[0] * a * b + len(rest)",
    "match [1, A[0], A[1]]:\n    case [1, *rest] if len(rest) > 5: y = A[2]\n    case [1 | 2 as n, *rest]: y = sum(rest) * n",
    "match line:\n    case Affine(slope=2.0, shift=s): y = A[0] * s\n    case _: y = A[0]",
    "match 3:\n    case str(): y = A[0]\n    case int(n): y = A[1] * n",
    "assert len(W) == 3, f'{W!r} has {len(W)} numbers'\ny = A[0]",
    "x = len(f'{1 + 1:>{4}}{3!r}'); y = A[1] * x",
    "p = [*(A[0], A[1]), *range(2)]; y = sum(p)",
    "y = sum(A[i] for i in [i for i in range(4) if i % 2])",
    "i = A[1]\nys = [A[i] for i in range(2)]\ny = ys[1] + i",
]


def _source(statement: str) -> str:
    lines = "\n".join(f"    {line}" for part in statement.split("\n") for line in _parts(part))
    return f"def kernel(A: Memref[f32, 4], Y: Memref[f32, 1]):\n{lines}\n    Y[0] = y\n"


def _parts(line: str) -> list[str]:
    return line.split("; ")


@pytest.mark.parametrize("statement", STATEMENTS)
def test_what_is_known_while_tracing_is_what_python_computes(statement: str) -> None:
    kernel = function(_source(statement), **NAMES)
    expected, found = np.zeros(1, np.float32), np.zeros(1, np.float32)
    kernel(A.copy(), expected)
    pytl.kernel(kernel)[1](A.copy(), found, backend="reference")
    assert found[0] == pytest.approx(expected[0], rel=1e-6)


@pytest.mark.at_most(1)
@pytest.mark.parametrize("backend", BACKENDS)
def test_all_of_them_in_one_kernel_of_a_device(backend: str) -> None:
    lines = [f"def kernel(A: Memref[f32, 4], Y: Memref[f32, {len(STATEMENTS)}]):"]
    for number, statement in enumerate(STATEMENTS):
        inner = [f"        {line}" for part in statement.split("\n") for line in _parts(part)]
        lines += [f"    def part{number}():", *inner, "        return y", f"    Y[{number}] = part{number}()"]
    kernel = function("\n".join(lines) + "\n", **NAMES)
    expected, found = (np.zeros(len(STATEMENTS), np.float32) for _ in range(2))
    kernel(A.copy(), expected)
    pytl.kernel(kernel)[1](A.copy(), found, backend=backend)
    np.testing.assert_allclose(found, expected, rtol=1e-6)


# Random expressions of Python constants.


def _expression(choose: random.Random, depth: int) -> str:
    if depth == 0 or choose.random() < 0.1:
        return str(choose.randrange(10))

    def inner() -> str:
        return _expression(choose, depth - 1)

    def items() -> str:
        return ", ".join(inner() for _ in range(choose.randint(1, 3))) + ","

    forms = (
        lambda: f"({inner()} {choose.choice(('+', '-', '*', '<', '=='))} {inner()})",
        lambda: f"{choose.choice(('sum', 'max', 'min', 'len'))}(({items()}))",
        lambda: f"sorted(({items()}), key=lambda k: -k)[-1]",
        lambda: f"[k * 2 for k in ({items()}) if k > 1].count(2)",
        lambda: f"len({{k: j for j, k in enumerate(({items()}))}})",
        lambda: f"any(k > 3 for k in ({items()}))",
        lambda: f"(lambda a, *b: a + len(b))({items()})",
        lambda: f"sum(a * b for a in ({items()}) for b in [{items()}])",
        lambda: f"({inner()} if {inner()} else {inner()})",
        lambda: f"({inner()} and {inner()} or (q := {inner()}))",
        lambda: f"len(f'{{({items()})!r:>8}}')",
        lambda: f"[{items()}][::-1][0]",
        lambda: f"[*({items()}), *range(3)][1]",
    )
    return choose.choice(forms)()


@pytest.mark.at_night
def test_random_expressions_are_what_python_computes() -> None:
    texts: list[str] = []
    choose = random.Random(35)
    while len(texts) < 200:
        text = _expression(choose, 3)
        with contextlib.suppress(SyntaxError):  # := has no place in what a comprehension runs over
            texts += [text] * (abs(int(eval(text))) < 2**31)
    lines = "".join(f"    Y[{number}] = i32(int({text}))\n" for number, text in enumerate(texts))
    kernel = function(f"def kernel(Y: Memref[i32, {len(texts)}]):\n{lines}")
    found = np.zeros(len(texts), np.int32)
    pytl.kernel(kernel)[1](found, backend="reference")
    assert found.tolist() == [int(eval(text)) for text in texts]


# Changes of lists.


def test_unroll_writes_a_loop_out_that_changes_a_list() -> None:
    source = "xs = []\nfor k in unroll(range(3)):\n    xs.append(A[k])\nA[3] = sum(xs)"
    assert body(source, "A: Memref[f32, 4]").count("load") == 3


def test_what_a_failed_attempt_changed_is_undone() -> None:
    source = """
        ys = [x]
        for k in unroll(range(2)):
            zs = [k]
            zs.append(k)
            ys.append(A[k])
        A[0] = sum(ys) + len(ys)
        """
    kernel = function(f"def kernel(A: Memref[f32, 4], x: f32):\n{_indented(source)}")
    found = np.array([1, 2, 3, 4], np.float32)
    pytl.kernel(kernel)[1](found, 5.0, backend="reference")
    assert found[0] == 1 + 2 + 5 + 3


def _indented(source: str) -> str:
    import textwrap

    return textwrap.indent(textwrap.dedent(source).strip("\n"), "    ") + "\n"


SHARED = [1.0, 2.0]


def test_lists_of_the_program_are_not_changed_and_changes_of_theirs_are_seen() -> None:
    assert "the kernel has not made this list" in message(
        "def kernel(A: Memref[f32, 4]):\n    SHARED.append(1.0)\n", {"SHARED": SHARED}
    )

    @pytl.kernel
    def total(Y: Memref[f32, 1]):
        Y[0] = f32(sum(w for w in SHARED) + SHARED.index(2.0))

    y = np.zeros(1, np.float32)
    total[1](y, backend="reference")
    assert y[0] == 4.0
    SHARED.insert(0, 5.0)
    try:
        total[1](y, backend="reference")
        assert y[0] == 10.0
    finally:
        SHARED.pop(0)


def test_captured_names_are_those_of_the_iteration() -> None:
    @pytl.kernel
    def shifted(X: Memref[f32, 4], Y: Memref[f32, 4]):
        last = f32(0.0)

        def get():
            return last

        for i in range(4):
            Y[i] = get()
            last = X[i]

    y = np.zeros(4, np.float32)
    shifted[1](A, y, backend="reference")
    np.testing.assert_array_equal(y, [0, *A[:3]])


def test_a_returned_function_has_no_names_of_one_branch() -> None:
    found = message("""
        def make(x):
            k = x
            def inner(): return k
            if x > 0.0:
                k = x * 2.0
                return inner
            return inner
        def kernel(A: Memref[f32, 4]):
            A[0] = make(A[0])()
        """)
    assert "PYTL-1020" in found and "k is used before it is assigned" in found


def test_the_helpers_of_an_object_follow_its_attributes() -> None:
    class Scale:
        def __init__(self, by):
            self.by = by

        def __call__(self, x):
            return x * self.by

    scale = Scale(2.0)

    @pytl.kernel
    def apply(Y: Memref[f32, 4]):
        Y[0] = scale(Y[0])

    y = A.copy()
    apply[1](y, backend="reference")
    scale.by = 10.0
    apply[1](y, backend="reference")
    assert y[0] == A[0] * 20
    text = str(apply)
    assert str(apply) == text


# Assertions.


@pytl.kernel
def bounded(X: Memref[f32, 4], n: i32):
    assert 0 < n <= 4, f"n is {n}"
    for i in range(4):
        x = X[i]
        assert x < 100.0
        X[i] = x + 1.0


@pytest.mark.parametrize("backend", BACKENDS)
def test_an_assertion_on_values_is_a_check(backend: str) -> None:
    x = A.copy()
    bounded[1, {"checks": True}](x, 4, backend=backend)
    np.testing.assert_array_equal(x, A + 1)
    with pytest.raises(pytl.ExecutionError) as caught:
        bounded[1, {"checks": True}](x, 5, backend=backend)
    found = caught.value.diagnostics[0]
    shown = "n is 5" if backend == "reference" else "n is …"
    assert (found.code, found.message) == ("PYTL-1094", f"assert: {shown} (work-group 0)")
    assert found.location is not None and "assert 0 < n" in found.location.source.line(found.location.line)
    with pytest.raises(pytl.ExecutionError, match=r"assert: x < 100\.0 is false"):
        bounded[1, {"checks": True}](np.full(4, 200, np.float32), 4, backend=backend)
    bounded[1, {"checks": False}](x, 5, backend=backend)


def test_a_kernel_with_assertions_travels_as_its_text() -> None:
    again = pytl.compile(str(bounded))["bounded"]
    assert str(again) == str(bounded) and 'debug.assert "n is {}"' in str(again)
    with pytest.raises(pytl.ExecutionError, match="n is 7"):
        again[1](A.copy(), 7, backend="reference")


def test_lambdas_of_one_line_are_told_apart() -> None:
    pair = functions("f, g = (lambda x: x + 1.0), (lambda x: x + 2.0)\n")
    kernel = function("def kernel(A: Memref[f32, 4]):\n    A[0] = g(f(A[0]))\n", f=pair["f"], g=pair["g"])
    found = A.copy()
    pytl.kernel(kernel)[1](found, backend="reference")
    assert found[0] == A[0] + 3


@pytest.mark.parametrize("lines", ["f, g = (lambda: 1.0), (lambda: 2.0)\n", "f = lambda: 1.0\ng = (lambda:\n  2.0)\n"])
def test_lambdas_that_give_constants(lines: str) -> None:
    """Python 3.12 gives their code no place in the line."""
    pair = functions(lines)
    kernel = function("def kernel(A: Memref[f32, 4]):\n    A[0] = g() + A[0] * f()\n", f=pair["f"], g=pair["g"])
    found = A.copy()
    pytl.kernel(kernel)[1](found, backend="reference")
    assert found[0] == A[0] + 2
