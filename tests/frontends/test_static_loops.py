"""Loops that are unrolled while a kernel is traced, and literals that loops carry."""

# ruff: noqa: E501 (messages are as long as they are)

import re

import numpy as np
import pytest
from launch_kit import BACKENDS
from tracing_kit import body, dedented, findings, function, message

import pytl
from pytl import static_range

HEAD = "A: Memref[f32, 4], B: Memref[f32, 4], C: Memref[f32, 4], M: Memref[f64, 4], I: Memref[i32, 4], x: f32, n: index, b: bool_"

WRITTEN_OUT = {
    "for K in (A, B):\n    K[0] = x": "A[0] = x\nB[0] = x",
    "for K, i in zip((A, B), (2, 3)):\n    K[i] = x": "A[2] = x\nB[3] = x",
    "for K, i in zip((A, B), range(3), strict=False):\n    K[i] = x": "A[0] = x\nB[1] = x",
    "for i, K in enumerate((A, B)):\n    K[i] = x": "A[0] = x\nB[1] = x",
    "for i, K in enumerate((A, B), start=1):\n    K[i] = x": "A[1] = x\nB[2] = x",
    "for i, (K, L) in enumerate(zip((A, B), (B, C)), 2):\n    K[i] = L[i]": "A[2] = B[2]\nB[3] = C[3]",
    "for K in reversed((A, B)):\n    K[0] = x": "B[0] = x\nA[0] = x",
    "for i in static_range(3, -1, -2):\n    A[i] = x": "A[3] = x\nA[1] = x",
    "for i in static_range(0):\n    A[i] = x": "",
    "for size in A.shape:\n    B[size - 1] = x": "B[3] = x",
    "both = (A, B)\nfor i in unroll(range(2)):\n    both[i][i + 1] = x": "A[1] = x\nB[2] = x",
    "both = (A, B)\nfor i in unroll(reversed(range(2))):\n    both[i][0] = x": "B[0] = x\nA[0] = x",
    "both = (A, B)\nfor i in unroll(range(2)):\n    for j in unroll(range(2)):\n        both[i][j] = x": "for j in unroll(range(2)):\n    A[j] = x\nfor j in unroll(range(2)):\n    B[j] = x",
    "p, q = A, B\nfor i in unroll(range(3)):\n    axpby(x, p, 0.0, q)\n    p, q = q, p": "axpby(x, A, 0.0, B)\naxpby(x, B, 0.0, A)\naxpby(x, A, 0.0, B)",
    "p, q = A, B\nfor i in static_range(2):\n    p, q = q, p\np[i] = x": "A[1] = x",
    "y = x\nfor k in (1.0, 2.0):\n    y = y * k\nA[0] = y": "A[0] = x * 1.0 * 2.0",
    "for k in (1, 2, 3):\n    if k == 2:\n        continue\n    A[k] = x": "A[1] = x\nA[3] = x",
    "for i in foreach(4):\n    for K in (A, B):\n        K[i] = x": "for i in foreach(4):\n    A[i] = x\n    B[i] = x",
}


@pytest.mark.parametrize("source", WRITTEN_OUT)
def test_a_loop_that_is_written_out_is_its_iterations(source: str) -> None:
    assert _instructions(source) == _instructions(WRITTEN_OUT[source] or "pass")


def _instructions(source: str) -> list[str]:
    """The instructions, without the numbers and names of values."""
    return [re.sub(r"%[A-Za-z_]?\w*", "%", line) for line in body(source, HEAD).splitlines()]


def test_unroll_stays_a_loop_where_nothing_needs_its_variable() -> None:
    assert any("{unroll=true}" in line for line in body("for i in unroll(range(4)):\n    A[i] = x", HEAD).splitlines())


def test_static_range_outside_of_kernels_is_range() -> None:
    assert static_range(3) == range(3) and static_range(1, 9, 2) == range(1, 9, 2)


MESSAGES = {
    "for K, i in zip((A, B), (1, 2, 3)): K[i] = x": """
        error[PYTL-1061]: the sequences of zip have 2 and 3 items
          --> <kernel>:2:17 in kernel
           |
         2 |     for K, i in zip((A, B), (1, 2, 3)): K[i] = x
           |                 ^^^^^^^^^^^^^^^^^^^^^^
           = rule: the sequences of zip have the same length
           = help: give them the same length, or write zip(…, strict=False) to end with the shortest""",
    "for i in static_range(n): A[i] = x": """
        error[PYTL-1060]: a bound of static_range is index, not a Python integer
          --> <kernel>:2:27 in kernel
           |
         2 |     for i in static_range(n): A[i] = x
           |                           ^
           = rule: a loop that is unrolled while tracing runs over a sequence that is known then
           = help: a loop at run time is for i in range(n)""",
    "for i in static_range(10**9): A[i] = x": """
        error[PYTL-1060]: the range has 1000000000 numbers, and at most 4096 iterations are unrolled while tracing
          --> <kernel>:2:14 in kernel
           |
         2 |     for i in static_range(10**9): A[i] = x
           |              ^^^^^^^^^^^^^^^^^^^
           = rule: a loop that is unrolled while tracing runs over a sequence that is known then
           = help: write for i in range(n), which is a loop at run time""",
    "for i, y in enumerate(A): A[i] = x": """
        error[PYTL-1033]: A can't be looped over
          --> <kernel>:2:27 in kernel
           |
         2 |     for i, y in enumerate(A): A[i] = x
           |                           ^
           = rule: a for loop runs over range(…), foreach(…), or a sequence that is known while tracing
           = help: write for i in range(A.shape[0]), and take A[i]""",
    "both = (A, B)\n    for i in range(2): both[i][0] = x": """
        error[PYTL-1053]: a Python tuple can't be indexed with index
          --> <kernel>:3:24 in kernel
           |
         3 |     for i in range(2): both[i][0] = x
           |                        ^^^^^^^
           = rule: an index is an integer from 0 on, or a value of type index; there is one for each mode
           = help: the index must be known while the kernel is traced; a loop over unroll(range(n)) has such an index""",
    "p, q = A, B\n    for i in range(2): p, q = q, p": """
        error[PYTL-1023]: the loop rebinds p, which is memref<f32x4>
          --> <kernel>:3:14 in kernel
           |
         2 |     p, q = A, B
           |     - p is memref<f32x4>
         3 |     for i in range(2): p, q = q, p
           |              ^^^^^^^^
           = rule: the value that an if yields, or a loop carries, is a number, a truth value or a cooperative matrix
           = help: write p[:] = … to change its elements; a loop over static_range(n) may exchange tensors""",
}


@pytest.mark.parametrize("source", MESSAGES)
def test_messages(source: str) -> None:
    found = findings(f"def kernel({HEAD}):\n    {source}\n")
    assert (
        dedented(MESSAGES[source]).strip() == message(f"def kernel({HEAD}):\n    {source}\n").split("\n\n")[0].strip()
    )
    assert found[0].severity == "error"


def test_several_mistakes_of_a_body_are_told_once() -> None:
    source = f"def kernel({HEAD}):\n    s = 0.0\n    for i in range(4):\n        s += M[i]\n        A[i] = missing\n    A[0] = s\n"
    assert [found.code for found in findings(source)] == ["PYTL-1020", "PYTL-1050"]


CARRIED = {
    "s = 0.0\nfor i in range(4): s += M[i]": "f64",
    "s = 0\nfor i in range(4): s += M[i]": "f64",
    "s = 0\nfor i in range(4): s += I[i]": "i32",
    "s = 0.0\nfor i in range(2):\n    for j in range(2): s += A[j]": "f32",
    "s = 0.0\nfor i in range(4):\n    if A[i] > s: s = A[i]": "f32",
    "s = t = 0.0\nfor i in range(4):\n    s = t\n    t = 0.5 * t + A[i]": "f32",
    "s = 0.0\nk = 0\nfor i in range(4):\n    if k > 2: s += A[i]\n    k += I[i]": "f32",
    "s, t = 0.0, 1.0\nfor i in range(4): s, t = t, s + A[i]": "f32",
    "s = 0.0 if b else 1.0\nfor i in range(4): s = max(s, A[i])": "f32",
}


@pytest.mark.parametrize("source", CARRIED)
def test_a_literal_that_a_loop_carries_has_the_type_that_the_body_gives_it(source: str) -> None:
    lines = body(f"{source}\nif s > 1: pass", HEAD).splitlines()
    (head, *_) = [line for line in lines if " = for " in line]
    position = head.split(" = for ")[0].replace(",", "").split().index("%s")
    assert head.split("-> (")[1].rstrip(") {").split(", ")[position] == CARRIED[source]


@pytest.mark.parametrize("backend", BACKENDS)
def test_what_is_written_out_computes(backend: str) -> None:
    kernel = pytl.kernel(
        function("""
        def kernel(A: Memref[f32, 4], B: Memref[f32, 4], s: Memref[f64, 2]):
            p, q = A, B
            for i, factor in enumerate((2.0, 3.0, 5.0)):
                axpby(factor, p, 1.0, q)
                p, q = q, p
            total = 0.0
            largest = -1
            for i in range(4):
                for M in (A, B):
                    total += f64(M[i])
                    largest = max(largest, f64(M[i]))
            s[0] = total
            s[1] = largest
        """)
    )
    a, b = np.arange(4, dtype=np.float32), np.ones(4, np.float32)
    A, B, s = a.copy(), b.copy(), np.zeros(2)
    kernel[1](A, B, s, backend=backend)
    p, q = a, b
    for factor in (2.0, 3.0, 5.0):
        q += np.float32(factor) * p
        p, q = q, p
    np.testing.assert_allclose(A, a)
    np.testing.assert_allclose(B, b)
    np.testing.assert_allclose(s, [a.sum() + b.sum(), max(a.max(), b.max())])
