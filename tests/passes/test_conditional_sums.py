"""Sums under conditions: lanes along rows, where the order changes no result; and what is loaded for a branch twice."""

from __future__ import annotations

import numpy as np
import pytest
from passes_kit import assert_meaning_kept, assert_printed_and_read, checked, sycl_passes

import pytl
from pytl.ir.values import Module
from pytl.ops import Load
from pytl.passes.targets import vector

COUNT = "%t = arith.add %s, %one : T yield (%t)"
KEEP = "yield (%s)"
LONG = 200


def loop(then: str, otherwise: str = KEEP, condition: str = "%e, %three", type_: str = "i32") -> str:
    """A number that one of two branches changes, for each of some rows."""
    one, three, seven = ("1.0", "3.0", "7.0") if type_[0] == "f" else ("1", "3", "7")
    return (
        f"""func @f(%x: memref<T x{LONG}x?>, %y: memref<T x?>) {{
      %g = group_id : index %first = constant 0 : index %end = constant {LONG} : index
      %one = constant {one} : T %three = constant {three} : T %seven = constant {seven} : T
      %r = for %i = %first, %end init(%s=%seven) -> (T) {{
        %e = load %x[%i, %g] : T
        %c = cmp.gt {condition} : bool
        %u = if %c -> (T) {{ {then} }} else {{ {otherwise} }}
        yield (%u)
      }}
      store %r, %y[%g]
    }}""".replace("T x", f"{type_}x")
        .replace(": T", f": {type_}")
        .replace("(T)", f"({type_})")
    )


def lowered(text: str, **options: object) -> Module:
    type_ = text.partition("memref<")[2].partition("x")[0]
    rows = np.random.default_rng(4).integers(-9, 20, (LONG, 3))
    dtype = {"i8": np.int8, "i32": np.int32, "i64": np.int64, "f32": np.float32}[type_]
    arguments = [np.asfortranarray(rows.astype(dtype)), np.zeros(3, dtype)]
    # of one work-group, whose iterations are lanes
    options = {"items": 1, **options}
    module = assert_meaning_kept(text, *sycl_passes(**options), arguments=arguments, groups=3, exact=type_ != "f32")
    assert_printed_and_read(module)
    return module


def has_vectors(module: Module) -> bool:
    return any(isinstance(op, vector.Load) for op in module.functions[0].walk())


CHANGES = {
    "a count": (COUNT, KEEP),
    "both branches": ("%t = arith.add %s, %e : T yield (%t)", "%t = arith.sub %s, %one : T yield (%t)"),
    "the other branch": (KEEP, "%t = arith.add %e, %s : T yield (%t)"),
    "several terms": ("%t = arith.add %s, %e : T %v = arith.sub %t, %one : T yield (%v)", KEEP),
    "a maximum": ("%t = arith.max %s, %e : T yield (%t)", KEEP),
    "bits": ("%t = arith.xor %s, %e : T yield (%t)", KEEP),
    "a condition within": (
        f"%d = cmp.gt %e, %seven : bool %w = if %d -> (T) {{ {COUNT} }} else {{ {KEEP} }} yield (%w)",
        "%t = arith.add %s, %e : T yield (%t)",
    ),
    "what the branch loads": ("%h = load %x[%i, %g] : T %t = arith.add %s, %h : T yield (%t)", KEEP),
}


@pytest.mark.parametrize("name", CHANGES)
@pytest.mark.parametrize("type_", ["i32", "i64", "i8"])
@pytest.mark.parametrize("processor", ["avx512", "avx2"])
def test_integers_are_vectors_along_rows(name: str, type_: str, processor: str) -> None:
    then, otherwise = (each.replace(": T", f": {type_}").replace("(T)", f"({type_})") for each in CHANGES[name])
    assert has_vectors(lowered(loop(then, otherwise, type_=type_), processor=processor))


@pytest.mark.parametrize("name", [name for name in CHANGES if name != "bits"])
def test_floats_are_where_order_is_open(name: str) -> None:
    then, otherwise = (each.replace(": T", ": f32").replace("(T)", "(f32)") for each in CHANGES[name])
    text = loop(then, otherwise, type_="f32")
    assert has_vectors(lowered(text, fastmath=True))
    assert has_vectors(lowered(text)) == (name == "a maximum")


OTHERS = {
    "the condition reads the sum": (COUNT, KEEP, "%e, %s"),
    "a branch gives another number": (COUNT, "yield (%e)", "%e, %three"),
    "two operations": (COUNT, "%t = arith.mul %s, %e : T yield (%t)", "%e, %three"),
    "a sum that is used": ("%t = arith.add %s, %one : T %v = arith.add %t, %t : T yield (%v)", KEEP, "%e, %three"),
    "taken away from another": ("%t = arith.sub %e, %s : T yield (%t)", KEEP, "%e, %three"),
}


@pytest.mark.parametrize("name", OTHERS)
def test_what_is_no_sum_keeps_its_order(name: str) -> None:
    then, otherwise, condition = OTHERS[name]
    then, otherwise = (each.replace(": T", ": i32") for each in (then, otherwise))
    assert not has_vectors(lowered(loop(then, otherwise, condition)))


# Loads that are repeated.


def loads(text: str, overlapping: bool) -> int:
    """How many loads a kernel of points has, of whatever kind, after `cpu-kernels`."""
    passes = sycl_passes(processor="avx512", **{"launch.overlapping": overlapping})
    upto = [step.name for step in passes].index("cpu-kernels") + 1
    module = assert_meaning_kept(text, *passes[:upto], groups=1)
    return sum(isinstance(op, Load) for op in module.functions[0].walk())


POINTS = """func @f(%a: memref<f32x40>, %b: memref<f32x40>) {{
  %none = constant 0 : index %end = constant 40 : index %zero = constant 0.0 : f32
  foreach (%i) = (%none), (%end) {{
    %x = load %a[%i] : f32
    {between}
    %c = cmp.gt %x, %zero : bool
    if %c {{ %y = load %a[%i] : f32 {inside} store %y, %b[%i] }}
    {behind}
  }}
}}"""


@pytest.mark.parametrize(
    ("between", "inside", "behind", "counts"),
    [
        ("", "", "", (1, 1)),
        ("store %zero, %b[%i]", "", "", (1, 2)),  # which may be the same memory
        ("if %yes { store %zero, %b[%i] }", "", "", (1, 2)),
        ("store %zero, %a[%i]", "", "", (1, 1)),  # what is stored is known
        ("if %yes { store %zero, %a[%i] }", "", "", (2, 2)),
        ("", "", "%z = load %a[%i] : f32 store %z, %b[%i]", (1, 2)),  # behind a store
        ("", "%w = load %a[%i] : f32 %v = arith.add %w, %y : f32 store %v, %b[%i]", "", (1, 1)),
        ("%w = load %a[%none] : f32", "%v = arith.add %w, %y : f32 store %v, %b[%i]", "", (2, 2)),
    ],
)
def test_a_branch_loads_nothing_twice(between: str, inside: str, behind: str, counts: tuple[int, int]) -> None:
    """Arrays that overlap have another count."""
    text = POINTS.format(between=between, inside=inside, behind=behind)
    if "%yes" in between:
        text = text.replace("foreach", "%yes = cmp.lt %zero, %zero : bool %n = size %a[0] : index foreach", 1)
        text = text.replace("%yes = cmp.lt %zero, %zero", "%first = load %b[%none] : f32 %yes = cmp.lt %first, %zero")
        counts = (counts[0] + 1, counts[1] + 1)
    assert (loads(text, False), loads(text, True)) == counts


@pytest.mark.parametrize("backend", ["sycl", pytest.param("mlir", marks=pytest.mark.tools_of("mlir"))])
@pytest.mark.parametrize("n", [1, 15, 64, 1000])
def test_counts_are_those_of_numpy(backend: str, n: int) -> None:
    text = """func @f(%x: memref<f64x?x?>, %y: memref<i32x2x?>) {
      %g = group_id : index %first = constant 0 : index %second = constant 1 : index %end = size %x[0] : index
      %one = constant 1 : i32 %zero = constant 0 : i32 %limit = constant 0.25 : f64 %high = constant 0.75 : f64
      %r, %h = for %i = %first, %end init(%s=%zero, %m=%zero) -> (i32, i32) {
        %e = load %x[%i, %g] : f64 %c = cmp.gt %e, %limit : bool %d = cmp.gt %e, %high : bool
        %t = if %c -> (i32) { %u = arith.add %s, %one : i32 yield (%u) } else { yield (%s) }
        %k = if %d -> (i32) { %u = arith.add %m, %one : i32 yield (%u) } else { yield (%m) }
        yield (%t, %k)
      }
      store %r, %y[%first, %g] store %h, %y[%second, %g]
    }"""
    assert not pytl.verify(checked(text))
    x = np.asfortranarray(np.random.default_rng(n).random((n, 5)))
    expected = np.stack([(x > 0.25).sum(0), (x > 0.75).sum(0)]).astype(np.int32)
    for used in ("reference", backend):
        y = np.zeros((2, 5), np.int32, order="F")
        pytl.compile(text)["f"][5](x, y, backend=used)
        np.testing.assert_array_equal(y, expected)
