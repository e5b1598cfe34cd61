"""`break`, `continue`, `while`, `else` of loops, and `return` in loops: what they become, and what is said of mistakes."""

# ruff: noqa: E501 (statements and what is said of them stand on one line)

import numpy as np
import pytest
from jumps_kit import arrays, by_python, kernel_of, program
from tracing_kit import body, dedented, findings, function, text

import pytl
from pytl.frontends.python import trace
from pytl.ops import For
from pytl.passes.analysis.early_end import continue_condition

pytestmark = pytest.mark.at_most(4)


def test_break():
    assert body("for k in range(8):\n    if x > 0: break\n    A[i, k] = x") == dedented("""
        %0 = constant 0 : index
        %1 = constant 8 : index
        %2 = constant true : bool
        %goes_on = for %k = %0, %1 init(%goes_on=%2) -> (bool) {
          %goes_on_1 = if %goes_on -> (bool) {
            %3 = constant 0x0p+0 : f32
            %4 = cmp.gt %x, %3 : bool
            %goes_on_1 = if %4 -> (bool) {
              %5 = constant false : bool
              yield (%5)
            } else {
              store %x, %A[%i, %k]
              yield (%goes_on)
            }
            yield (%goes_on_1)
          } else {
            yield (%goes_on)
          }
          yield (%goes_on_1)
        }""")


PLAIN = "%0 = constant 0 : index\n%1 = constant 8 : index\nfor %k = %0, %1 {\n  store %x, %A[%i, %k]\n}"


@pytest.mark.parametrize(
    "statements",
    [
        "for k in range(8):\n    if 1 > 2: break\n    A[i, k] = x",
        "for k in range(8):\n    A[i, k] = x\n    if A is None: return",
        "for k in range(8):\n    for l in (1, 2):\n        if l > 2: return\n    A[i, k] = x",
        "for k in range(8):\n    A[i, k] = x\n    continue\n    break",
    ],
)
def test_a_jump_that_is_never_reached_leaves_nothing(statements):
    assert body(statements) == PLAIN


def test_a_loop_that_is_unrolled_ends_while_tracing():
    assert (
        body("for k in (3, 5, 7):\n    if k == 5: break\n    A[i, k] = x\nelse:\n    A[0, 0] = x").count("store") == 1
    )
    assert (
        body("for k in (3, 5, 7):\n    if k == 9: break\n    A[i, k] = x\nelse:\n    A[0, 0] = x").count("store") == 4
    )
    assert body("k = 1\nwhile k < 100:\n    k *= 3\nA[0, k % 8] = x") == dedented("""
        %0 = constant 0 : index
        %1 = constant 3 : index
        store %x, %A[%0, %1]""")


def test_a_while_with_a_count_is_a_loop_without_a_flag():
    traced = body("k = index(1)\nwhile k < j:\n    A[i, k] = x\n    k += 1")
    assert traced[traced.index("%k_1 = for") :] == dedented("""
        %k_1 = for %8 = %7, %6 init(%k_1=%k) -> (index) {
          store %x, %A[%i, %k_1]
          %9 = constant 1 : index
          %k_2 = arith.add %k_1, %9 : index
          yield (%k_2)
        }""")


COUNTED = {
    "k = i\nwhile k > 2: k -= 3": True,
    "k = i\nwhile j >= k: k += 2": True,
    "k = 0\nwhile k != j: k += 1": True,
    "k = i\nwhile k < j and x > 0: k += 1": False,
    "k = i\nwhile x > 0 and A[0, k] > x and j > k: k += 1": False,
    "k = i\nwhile k < j:\n    if x > 0: k += 1\n    else: k += 2": False,
    "k = i\nwhile k < j:\n    if x > 0: break\n    k += 1": False,
    "k = i\nwhile k > 0: k //= 2": False,
    "k = i\nwhile 9 < k: k >>= 1": False,
    "k = 1\nwhile k < j: k *= 2": False,
    "k = i\nwhile k < j:\n    j -= 1\n    k += 1": None,
    "k = i\nwhile k < j:\n    if x > 0: k += 1": None,
    "k = i\nwhile k < j: k = k * k": None,
    "while True: pass": None,
    "y = x\nwhile y < 1.0: y += 0.25": None,
}


@pytest.mark.parametrize("statements", [s for s in COUNTED if COUNTED[s] is not None])
def test_what_bounds_a_while(statements):
    is_exact = COUNTED[statements]
    assert ("goes_on" in body(statements)) != is_exact


@pytest.mark.parametrize("statements", [s for s in COUNTED if COUNTED[s] is None])
def test_what_bounds_no_while(statements):
    lines = statements.replace("\n", "\n    ")
    head = "def kernel(A: Memref[f32, 16, 8], i: index, j: index, x: f32):"
    (found,) = findings(f"{head}\n    A[0, 0] = x\n    {lines}\n")
    assert (found.code, found.message) == ("PYTL-1086", "nothing tells how many iterations this while has at most")
    limited = statements.replace("while ", "while bound(").replace(":", ", most=9):", 1)
    assert "debug.require" in text(f"{head}\n    A[0, 0] = x\n    {limited.replace(chr(10), chr(10) + '    ')}\n")


HEAD = "def kernel(A: Memref[f32, 8], B: Memref[f32, 8], i: index, n: i32, x: f32, b: bool_):"
MISTAKES = [
    (
        "for k in foreach(8):\n        if b: break",
        "PYTL-1088",
        "break would leave the foreach, whose work-items go on together",
    ),
    (
        "for k in foreach(8):\n        for l in range(3):\n            if b: return",
        "PYTL-1088",
        "return would leave the foreach, whose work-items go on together",
    ),
    (
        "for k in range(3):\n        with parallel():\n            if b: break",
        "PYTL-1088",
        "break would leave the parallel region, whose work-items go on together",
    ),
    (
        "with parallel():\n        return",
        "PYTL-1088",
        "return would leave the parallel region, whose work-items go on together",
    ),
    ("for k in range(3):\n        if b: return x", "PYTL-1032", "a kernel returns nothing"),
    (
        "T = A\n    for k in range(3):\n        if b:\n            T = B\n            break\n    T[0] = x",
        "PYTL-1023",
        "the loop rebinds T, which is memref<f32x8>",
    ),
    (
        "T = (x, A)\n    for k in range(3):\n        if b:\n            T = (x, B)\n            break\n    T[1][0] = x",
        "PYTL-1023",
        "the loop rebinds T, which is a tuple",
    ),
    ("tensor(A, b)[0] = x", "PYTL-1023", "a return in a loop gives memref<f32x8>"),
    ("A[0] = nothing(b, x)", "PYTL-1022", "this is None if the condition holds, else f32"),
    (
        "for k in range(i):\n        if b: break\n    A[k] = x",
        "PYTL-1021",
        "k is the variable of a loop that may have no iteration",
    ),
    (
        "for k in range(9):\n        if b: break\n        y = x\n    A[k] = y",
        "PYTL-1021",
        "y is bound inside the loop only",
    ),
    ("while x: pass", "PYTL-1052", "the condition is f32"),
    ("while bound(b): pass", "PYTL-1041", "bound: missing a required argument: 'most'"),
    ("while bound(b, most=-2): pass", "PYTL-1087", "the limit of a while is the Python int -2"),
    ("while bound(b, most=n): pass", "PYTL-1087", "the limit of a while is i32"),
    ("y = bound(b, most=3)", "PYTL-1042", "bound is used at the head of a statement"),
]


@pytest.mark.parametrize(("statements", "code", "wrong"), MISTAKES)
def test_mistakes(statements, code, wrong):
    source = f"""
def tensor(A, b):
    for k in range(3):
        if b: return A
    return A
def nothing(b, x):
    for k in range(3):
        if b: return x
{HEAD}
    {statements}
"""
    (found,) = findings(function(source, "<kernel>"))
    assert (found.code, found.message) == (code, wrong)
    assert found.location is not None


def test_loops_end_early_where_nothing_is_left_to_do():
    def loops(statements):
        lines = statements.replace("\n", "\n    ")
        traced = trace(function(f"{HEAD}\n    {lines}\n"))
        return [continue_condition(op) is not None for op in traced.walk() if isinstance(op, For)]

    assert loops("for k in range(8):\n    if b: break\n    A[k] = x") == [True]
    assert loops("for k in range(8):\n    if b: A[k] = x") == [False]
    assert loops("y = x\nfor k in range(8):\n    if x > 0: y = y * x\nA[0] = y") == [False]
    assert loops("for k in range(8):\n    while bound(A[k] > x, most=9): A[k] -= x") == [False, True]


@pytest.mark.at_most(2)
@pytest.mark.parametrize("seed", range(60))
def test_random_programs_compute_what_python_computes(seed):
    source = program(seed)
    kernel = pytl.kernel(kernel_of(source))
    for n in (0, 6):
        try:
            expected = by_python(source, n)
        except TimeoutError:
            continue
        given = arrays()
        kernel[1](*given, n, backend="reference")
        for found, wanted in zip(given, expected, strict=True):
            np.testing.assert_array_equal(found, wanted)


CHECKED = """
    def kernel(x: Memref[f32, 8, ...]):
        g = group_id()
        for i in foreach(8):
            while bound(x[i, g] > 1.0, 3):
                x[i, g] *= 0.5
"""


def test_a_limit_is_told_in_checked_mode():
    kernel = pytl.kernel(function(CHECKED, "<kernel>"))
    whole = np.ones((8, 2), np.float32, order="F")
    whole[:, 1] = 8.0
    given = whole.copy(order="F")
    kernel[2](given, backend="reference")
    np.testing.assert_array_equal(given, 1.0)
    whole[2, 1] = 16.0
    with pytest.raises(pytl.ExecutionError) as caught:
        kernel[2](whole.copy(order="F"), backend="reference")
    (found,) = caught.value.diagnostics
    assert (found.code, found.location.line) == ("PYTL-1089", 4)
    assert found.message == "while: its condition holds after 3 iterations, its limit (work-group 1, iteration (2))"
    given = whole.copy(order="F")
    kernel[2, {"checks": False}](given, backend="reference")
    np.testing.assert_array_equal(given, np.where(whole > 8, 2.0, 1.0))


NAMED = """
    def kernel(x: Memref[f32, 8], n: index):
        guess = x[0]
        while bound((error := abs(guess * guess - x[0])) > 1e-4, most=50):
            guess = 0.5 * (guess + x[0] / guess)
        i = n
        while (k := i - 1) > 3:
            i -= 2
        x[0], x[1], x[2] = error, f32(i32(k)), f32(i32(i))
"""


def test_names_that_a_condition_binds_are_those_of_its_last_evaluation():
    for n in (20, 2):
        given = np.full(8, 2.0, np.float32)
        pytl.kernel(function(NAMED))[1](given, n, backend="reference")
        i = n
        while (k := i - 1) > 3:
            i -= 2
        assert given[0] <= 1e-4
        np.testing.assert_array_equal(given[1:3], [k, i])
