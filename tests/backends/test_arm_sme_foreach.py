"""`foreach` by streaming vectors, at every vector length."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from differential.cases import BOUNDS, Bound, Case, batches, each_way, uneven
from reference_kit import COMPLEX, DTYPES, INTEGERS

import pytl
from pytl.backends.arm_sme.backend import VECTOR_LENGTHS
from pytl.ir.types import SCALAR_TYPES

pytestmark = pytest.mark.at_most(16)

RNG = np.random.default_rng(5)
WAYS = [f"arm_sme, {length}" for length in VECTOR_LENGTHS]
EXACT = Bound({"c32": 4, "c64": 4}, "quotients of complex numbers have several formulas", signed_zeros=False)
NEEDS_TOOLS = pytest.mark.tools_of("arm_sme")

POINTS = """
%first = constant 2 : index
%zero = constant 0 : index
%columns = constant 3 : index
foreach (%i, %j) = (%first, %zero), (%n, %columns) {{
  %k = arith.add %i, %first : index
  %x = cast %k : {t}
  %a = load %A[%i, %j] : {t}
  %b = load %B[%k, %zero] : {t}
  %s = arith.{op} %a, %b : {t}
  %y = arith.mul %x, %factor : {t}
  %z = arith.add %s, %y : {t}
  store %z, %A[%i, %j]
}}"""


def divisors(type_: str) -> np.ndarray:
    """Numbers that one may divide by."""
    found = uneven(RNG, type_, 41, 1)
    found[found == 0] = 3
    found[found == -1] = 5
    return found


def case(type_: str, op: str) -> Case:
    points = 37 if type_ != "i8" else 33
    parameters: dict[str, Any] = {
        "A": (f"memref<{type_}x41x3>", uneven(RNG, type_, 41, 3)),
        "B": (f"memref<{type_}x?x?>", divisors(type_)),
        "factor": (type_, uneven(RNG, type_, 1)[0]),
        "n": ("index", points),
    }
    return Case(f"{op}-{type_}", parameters, POINTS.format(t=type_, op=op), EXACT, axes=(op, type_))


def cast(source: str, target: str) -> Case:
    body = f"""%zero = constant 0 : index
    %n = constant 70 : index
    foreach (%i) = (%zero), (%n) {{
      %a = load %A[%i] : {source}
      %b = cast %a : {target}
      store %b, %B[%i]
    }}"""
    given = uneven(RNG, source, 70)
    parameters = {"A": (f"memref<{source}x70>", given), "B": (f"memref<{target}x70>", np.zeros(70, DTYPES[target]))}
    return Case(f"{source} to {target}", parameters, body, axes=("cast", source, target))


TYPES = [type_ for type_ in SCALAR_TYPES if type_ != "index"]
ARITHMETIC = [
    case(type_, op) for type_ in TYPES for op in ("sub", "mul", "div", *(("rem", "and") if type_ in INTEGERS else ()))
] + [case(type_, op) for type_ in TYPES if type_ not in COMPLEX for op in ("min", "max")]
CASTS = [
    *[cast("f32", "f16"), cast("f64", "bf16"), cast("i64", "f16"), cast("f64", "i8"), cast("f32", "i64")],
    *[cast("i8", "i64"), cast("f16", "c64"), cast("i32", "f32"), cast("bf16", "f64"), cast("i64", "i16")],
]


NUMBERS = Case(
    "the variable itself",
    {"r": ("memref<i64x19>", np.zeros(19, np.int64))},
    """%zero = constant 0 : index
    %n = constant 19 : index
    foreach (%i) = (%zero), (%n) { %v = cast %i : i64 store %v, %r[%i] }""",
)


CHOICES = """
%zero = constant 0 : index
%one = constant 1 : index
%rows = constant 37 : index
foreach (%i) = (%zero), (%rows) {{
  %x = load %A[%i] : {t}
  %y = load %B[%i] : {t}
  %p = cmp.gt %y, {zero} : bool
  %z = if %p -> ({t}) {{
    {compute}
    yield (%e)
  }} else {{
    store %x, %B[%i]
    yield (%y)
  }}
  %s = for %k = %zero, %n, %one init(%sum=%z) -> ({t}) {{
    %t = arith.add %sum, %y : {t}
    yield (%t)
  }}
  store %s, %C[%i]
}}"""


def choice(type_: str) -> Case:
    """Branches that points take or not, with an exponential function where there is one, and a loop in a point.

    The loop adds a positive number to what the function gives: of a difference, the function's last bit may be many.
    """
    is_float = type_ in SPECIAL
    given = uneven(RNG, type_, 37)
    if is_float:
        given[: len(SPECIAL[type_])] = SPECIAL[type_]
    compute = f"%e = {'math.exp %x' if is_float else 'arith.mul %x, %y'} : {type_}"
    parameters: dict[str, Any] = {
        "A": (f"memref<{type_}x37>", given),
        "B": (f"memref<{type_}x37>", uneven(RNG, type_, 37)[::-1].copy()),
        "C": (f"memref<{type_}x37>", np.zeros(37, DTYPES[type_])),
        "n": ("index", 1),
    }
    return Case(
        f"choices-{type_}",
        parameters,
        CHOICES.format(t=type_, compute=compute, zero="0.0" if is_float else "0"),
        BOUNDS["exp"],
        axes=(type_,),
    )


SPECIAL = {
    "f16": [0.0, -0.0, np.inf, -np.inf, np.nan, 6e-8, 11.0, -17.0],
    "bf16": [0.0, -0.0, np.inf, -np.inf, np.nan, 1e-40, 88.0, -104.0],
    "f32": [0.0, -0.0, np.inf, -np.inf, np.nan, 1e-45, 88.7, -103.9],
    "f64": [0.0, -0.0, np.inf, -np.inf, np.nan, 5e-324, 709.7, -745.0],
}


@pytest.mark.at_night
@NEEDS_TOOLS
@each_way(batches("choices", [choice(type_) for type_ in TYPES if type_ not in COMPLEX], 16), WAYS)
def test_branches_and_loops_of_points(batch: Any, case: Case, way: str) -> None:
    assert batch.differences(case, way) == []


@pytest.mark.at_night
@NEEDS_TOOLS
@each_way(batches("foreach", [*ARITHMETIC, *CASTS, NUMBERS], 32), WAYS)
def test_foreach(batch: Any, case: Case, way: str) -> None:
    assert batch.differences(case, way) == []


def emitted(body: str) -> str:
    text = f"func @f(%A: memref<f32x8x?>, %B: memref<f32x?x8,strided<?,?>>, %n: index) {{\n{body}\n}}"
    return pytl.compile(text)["f"].emit("arm_sme")


LOOP = """%zero = constant 0 : index
foreach (%i) = (%zero), (%n) {{
  %x = load {read} : f32
  {more}
  store %x, {write}
}}"""


@pytest.mark.parametrize(
    ("read", "write", "more", "has_vectors"),
    [
        ("%A[%i, %zero]", "%A[%i, %n]", "", True),
        ("%A[%zero, %zero]", "%A[%i, %n]", "", True),
        ("%A[%zero, %i]", "%A[%i, %n]", "", False),
        ("%B[%i, %zero]", "%A[%i, %n]", "", False),
        ("%A[%i, %zero]", "%A[%i, %n]", "%y = math.exp %x : f32\n  store %y, %A[%i, %zero]", True),
        ("%A[%i, %zero]", "%A[%i, %n]", "%y = math.native_exp %x : f32\n  store %y, %A[%i, %zero]", True),
        ("%A[%i, %zero]", "%A[%i, %n]", "%p = cmp.gt %x, 0.0 : bool\n  if %p { store %x, %A[%i, %zero] }", True),
        ("%A[%i, %zero]", "%A[%i, %n]", "%p = cmp.gt %x, 0.0 : bool\n  if %p { store %x, %A[%zero, %i] }", False),
    ],
)
def test_what_has_vectors(read: str, write: str, more: str, has_vectors: bool) -> None:
    text = emitted(LOOP.format(read=read, write=write, more=more))
    assert ("vector.maskedstore" in text, "arm_streaming" in text) == (has_vectors, has_vectors)
    assert "arm_new_za" not in text
