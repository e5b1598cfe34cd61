"""How Python literals come to their types."""

import math

import numpy as np
import pytest
from tracing_kit import body, dedented, findings

import pytl
from pytl.frontends.lang.function import function_of
from pytl.frontends.python import trace
from pytl.ops import ArithBinary

PARAMETERS = "A: Memref[f64, 4], x: f32, n: i64, z: c64, b: bool_"


@pytest.mark.parametrize(
    ("statement", "constant"),
    [
        ("r = x + 1", "0x1p+0 : f32"),
        ("r = 1.5 * x", "0x1.8p+0 : f32"),
        ("r = n - 3", "3 : i64"),
        ("r = 3 // n", "3 : i64"),
        ("r = z * 2", "[0x1p+1,0x0p+0] : c64"),
        ("r = z + 1j", "[0x0p+0,0x1p+0] : c64"),
        ("r = x < 2", "0x1p+1 : f32"),
        ("r = max(x, 0)", "0x0p+0 : f32"),
        ("r = b & True", "true : bool"),
        ("r: f32 = 0.1", "0x1.99999ap-4 : f32"),
        ("r: i8 = -5", "-5 : i8"),
        ("r: bool_ = False", "false : bool"),
        ("r = x\nr += 1", "0x1p+0 : f32"),
        ("axpby(1, A, z.real, A)", "0x1p+0 : f64"),
        ("atomic.add(A[n0], 2)", "0x1p+1 : f64"),
        ("h = 0.5\nr = x * h", "0x1p-1 : f32"),
        ("r = x * (1 + 2 * 3)", "0x1.cp+2 : f32"),
    ],
)
def test_the_other_side_gives_the_type(statement, constant):
    assert f"constant {constant}" in body(statement, PARAMETERS + ", n0: index")


def test_literals_of_a_call_that_makes_an_instruction():
    """In Python nothing writes the type of the result, from which a text takes those of literals."""

    @function_of(ArithBinary, variant="add")
    def plus(a, b):
        """The sum."""

    def beside_a_value(A: pytl.Memref[pytl.f64, 4], x: pytl.f64):
        A[0] = plus(1, x)

    def alone(A: pytl.Memref[pytl.f64, 4]):
        A[0] = plus(1.0, 2.0)

    assert "constant 0x1p+0 : f64" in str(trace(beside_a_value))
    with pytest.raises(pytl.TraceError, match=r"nothing gives the literal 1\.0 a type here"):
        trace(alone)


def test_a_literal_alpha_has_the_type_of_the_product():
    parameters = "A: Memref[f32, 4, 4], B: Memref[f64, 4, 4]"
    assert body("gemm(1.0, A, B, 0.0, B)", parameters) == dedented("""
        %0 = constant 0x1p+0 : f64
        %1 = constant 0x0p+0 : f64
        gemm.n.n %0, %A, %B, %1, %B""")


def test_a_literal_that_a_condition_chooses():
    assert body("v = 1.0 if b else 2\nA[0] = v\nr = x * v", PARAMETERS) == dedented("""
        %0 = constant 0 : index
        %1 = if %b -> (f64) {
          %2 = constant 0x1p+0 : f64
          yield (%2)
        } else {
          %3 = constant 0x1p+1 : f64
          yield (%3)
        }
        store %1, %A[%0]
        %4 = if %b -> (f32) {
          %5 = constant 0x1p+0 : f32
          yield (%5)
        } else {
          %6 = constant 0x1p+1 : f32
          yield (%6)
        }
        %r = arith.mul %x, %4 : f32""")
    assert body("if b: v = 1.0\nelse: v = 1.0\nA[0] = v", PARAMETERS) == dedented("""
        %0 = constant 0 : index
        %1 = constant 0x1p+0 : f64
        store %1, %A[%0]""")
    assert "if %b -> (index)" in body("A[1 if b else 2] = z.real", PARAMETERS)
    assert "if %b -> (index)" in body("for i in range(1 if b else 2): A[i] = z.real", PARAMETERS)


def test_zeros_of_both_signs_are_two_literals():
    lines = body("A[0] = 0.0 if b else -0.0", PARAMETERS)
    assert "constant 0x0p+0" in lines and "constant -0x0p+0" in lines


@pytest.mark.parametrize(
    ("statements", "wrong", "help"),
    [
        ("for i in range(4): t = t0\nt0 = 1.0", None, None),
        (
            "t = 0.0\nfor i in range(4): t += 1.0\nA[0] = f64(t)",
            "the loop carries t, and nothing gives the literal 0.0 a type",
            "name the type: t = f64(0.0), or f32(0.0) if its uses are f32",
        ),
        (
            "t = 0\nfor i in range(4): t += 1\nA[t] = 1.0",
            "the loop carries t, and nothing gives the literal 0 a type",
            "name the type: t = index(0), or f32(0), as the loop needs it",
        ),
        (
            "t = -1e999\nfor i in range(4): t = max(t, 2.0)\nA[0] = f64(t)",
            "the loop carries t, and nothing gives the literal -inf a type",
            'name the type: t = f64("-inf"), or f32("-inf") if its uses are f32',
        ),
        (
            "t = 1.1 if b else 2.0\nfor i in range(4): t = 3.0 if b else 4.0\nA[0] = f64(t)",
            "the loop carries t, and nothing gives the literal 1.1 or 2.0 a type",
            "name the type: t = f64(1.1)",
        ),
        (
            "t = (1.0 if b else 2.0 if n > 0 else 3.0) + (1.0 if b else 2.0)",
            "nothing gives the literal 1.0 or 2.0 or 3.0 a type here",
            "name the type: f64(1.0), or f32(1.0) if its uses are f32",
        ),
        ("r = x + 1j", "the Python complex 1j is used where an f32 is expected", None),
        (
            "r = n + 1.5",
            "the Python float 1.5 is used where an i64 is expected",
            "cast the other side: f64(…), which rounds numbers beyond 2^53",
        ),
        ("r = n + 2.0", "the Python float 2.0 is used where an i64 is expected", "write 2"),
        ("r = n + True", "the Python bool True is used where an i64 is expected", "write 1"),
        ("r = b & 1", "the Python int 1 is used where a bool is expected", "write True or False"),
        ("A[0] = 'x'", "the Python string 'x' is not a value of the language", None),
        ("A[0] = None", "None is not a value of the language", None),
    ],
)
def test_literals_without_a_type(statements, wrong, help):
    if wrong is None:
        (found,) = findings(_kernel(statements))
        assert found.code == "PYTL-1020"
        return
    (found,) = findings(_kernel(statements))
    assert (found.code, found.message) == ("PYTL-1003", wrong)
    if help is not None:
        assert found.help == help


@pytest.mark.parametrize("number", ["10**400", "-(10**400)", "1e39", "f32(10**39)"])
def test_a_number_that_is_too_large_is_no_infinity(number):
    (found,) = findings(_kernel(f"t = f32({number})\nfor i in range(4): t = max(t, x)\nA[0] = f64(t)"))
    assert (found.code, found.message) == ("PYTL-0422", "constant: the constant is beyond the range of f32")
    assert found.help == "take a wider type; an infinity is math.inf"


@pytest.mark.parametrize("number", ["c32(10**400)", "f64(10**400)"])
def test_nor_in_wider_types(number):
    (found,) = findings(_kernel(f"t = {number}\nA[0] = f64(abs(t))"))
    assert found.code == "PYTL-0422"


@pytest.mark.parametrize(
    ("written", "line"),
    [
        ("f32(-1e999)", "%t = constant -inf : f32"),
        ("f32('inf')", "%t = constant inf : f32"),
        ("f32('-INF')", "%t = constant -inf : f32"),
        ("f32('nan')", "%t = constant nan : f32"),
        ("f32(float('inf'))", "%t = constant inf : f32"),
        ("f32(-float('inf'))", "%t = constant -inf : f32"),
        ("max(-1e999, x)", "%0 = constant -inf : f32"),
    ],
)
def test_infinities_and_nan(written, line):
    assert line in body(f"t = {written}\nA[0] = f64(t)", PARAMETERS)


def test_no_other_text_is_a_number():
    (found,) = findings(_kernel("A[0] = f64('1.0')"))
    assert (found.code, found.message) == ("PYTL-1002", "the Python string '1.0' can't be f64")


def test_infinities_outside_of_kernels():
    assert pytl.f32("-inf") == -math.inf and math.isnan(pytl.f64("nan")) and type(pytl.f32("inf")) is np.float32
    with pytest.raises(pytl.PytlError, match=r"the Python string '1' can't be f32"):
        pytl.f32("1")
    with pytest.raises(pytl.PytlError, match=r"can't be i32"):
        pytl.i32("inf")


def _kernel(statements):
    indented = "\n".join(f"    {line}" for line in statements.splitlines())
    return f"def kernel({PARAMETERS}):\n{indented}\n"
