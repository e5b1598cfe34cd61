"""Folds whose result is the same on every device, and a division by zero that is told."""

from __future__ import annotations

import ml_dtypes
import numpy as np
import pytest

import pytl
from pytl.ir.verifier import find_problems
from pytl.passes import Pipeline, find_pass


def folded(lines: str, type_: str = "f32") -> str:
    """The constant that is stored at the end; an empty text where it is computed still."""
    text = f"func @f(%o: memref<{type_}>, %n: {type_}) {{\n parallel {{\n{lines}\nstore %r, %o[]\n}}\n}}"
    shown = str(Pipeline([find_pass("canonicalize")]).run(pytl.parse(text)))
    found = [line.split(" = constant ")[1] for line in shown.splitlines() if "%r = constant" in line]
    return found[0].split(" : ")[0] if found else ""


@pytest.mark.parametrize(
    "lines, type_, wanted",
    [
        ("%z = constant 0 : i32 %r = arith.shl %z, %n : i32", "i32", None),
        ("%o1 = constant 1 : i32 %r = arith.rem %n, %o1 : i32", "i32", "0"),
        ("%z = constant 0.0 : f32 %r = math.exp %z : f32", "f32", "0x1p+0"),
        ("%a = constant [1.5,2.0] : c32 %b = constant [3.0,-0.5] : c32 %r = arith.mul %a, %b : c32", "c32",
         "[0x1.6p+2,0x1.5p+2]"),
        ("%a = constant [0.1,2.0] : c32 %b = constant [0.1,-0.5] : c32 %r = arith.mul %a, %b : c32", "c32", ""),
        ("%a = constant 1.0 : f16 %b = constant 3.0 : f16 %r = arith.div %a, %b : f16", "f16", "0x1.554p-2"),
        ("%a = constant 1.0 : bf16 %b = constant 3.0 : bf16 %r = arith.div %a, %b : bf16", "bf16", "0x1.56p-2"),
        ("%a = constant 1.0 : f32 %b = constant 3.0 : f32 %r = arith.div %a, %b : f32", "f32", ""),
        ("%a = constant nan : f32 %b = constant 3.0 : f32 %m = arith.min %a, %b : f32 %r = arith.add %m, %b : f32",
         "f32", "0x1.8p+2"),
        ("%a = constant 3.0 : f32 %b = constant nan : f32 %m = arith.max %a, %b : f32 %r = arith.add %m, %a : f32",
         "f32", "0x1.8p+2"),
        ("%a = constant -inf : f32 %b = constant 3.0 : f32 %m = arith.max %a, %b : f32 %r = arith.add %m, %b : f32",
         "f32", "0x1.8p+2"),
        ("%a = constant inf : f64 %r = cast %a : i32", "i32", ""),
        ("%a = constant nan : f64 %r = cast %a : i8", "i8", ""),
        ("%a = constant inf : f32 %b = constant inf : f32 %r = arith.sub %a, %b : f32", "f32", ""),
    ],
)  # fmt: skip
def test_what_is_exact_is_folded(lines: str, type_: str, wanted: str | None) -> None:
    if wanted is None:
        shown = str(
            Pipeline([find_pass("canonicalize")]).run(
                pytl.parse(f"func @f(%o: memref<{type_}>, %n: {type_}) {{ parallel {{ {lines} store %r, %o[] }} }}")
            )
        )
        assert "constant 0 : i32" in shown and "shl" not in shown
    else:
        assert folded(lines, type_) == wanted


@pytest.mark.parametrize("name, dtype", [("f16", np.float16), ("bf16", ml_dtypes.bfloat16)])
def test_quotients_in_16_bits_are_those_of_the_reference(name: str, dtype: type) -> None:
    """Folded ones have the bits of the quotient that is rounded once; one near the middle of two is left."""
    numbers = np.random.default_rng(0)
    left = 0
    for a, b in numbers.uniform(-8, 8, (60, 2)).astype(dtype).astype(np.float64).tolist():
        text = f"%a = constant {a!r} : {name} %b = constant {b!r} : {name} %r = arith.div %a, %b : {name}"
        found = folded(text, name)
        left += not found
        if found:
            assert float.fromhex(found) == float(np.float64(a / b).astype(dtype))
    assert left < 6


def test_an_integer_divided_by_a_constant_zero_is_told() -> None:
    text = "func @f(%o: memref<{t}>, %n: {t}) {{ parallel {{ %z = constant {z} : {t} %r = arith.{v} %n, %z : {t} "
    text += "store %r, %o[] }} }}"
    for variant in ("div", "rem"):
        found = find_problems(pytl.parse(text.format(t="i32", z="0", v=variant))).items
        assert [(d.code, d.severity, d.message) for d in found] == [
            ("PYTL-1271", "warning", f"arith.{variant}: the divisor is 0")
        ]
        assert not find_problems(pytl.parse(text.format(t="i32", z="2", v=variant))).items
        assert not find_problems(pytl.parse(text.format(t="f32", z="0.0", v=variant))).items


def test_a_constant_is_the_same_for_all_of_a_sub_group() -> None:
    text = "%a = constant 1.5 : f32 %l = constant 3 : i32 %r = subgroup_broadcast %a, %l : f32"
    text = f"func @f(%o: memref<f32>) {{ parallel {{ {text} store %r, %o[] }} }}"
    shown = str(Pipeline([find_pass("canonicalize")]).run(pytl.parse(text)))
    assert "subgroup_broadcast" not in shown and "constant 0x1.8p+0 : f32" in shown
