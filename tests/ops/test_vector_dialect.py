"""The namespace `vector` is printed, read and verified like the rest of the language, and the oracle executes it."""

from __future__ import annotations

import re

import numpy as np
import pytest
from passes_kit import assert_printed_and_read

import pytl
from pytl.backends.reference import MemrefView, execute
from pytl.ir.registry import all_instructions
from pytl.ir.text import parse_text
from pytl.ir.verifier import find_problems

pytestmark = pytest.mark.at_most(4)

ALL = """func @f(%a: memref<f32x16x?>, %b: memref<f32x16>, %z: memref<c32x8>, %n: index, %p: bool) {
  vector.code {
    %c0 = constant 0 : index
    %c1 = constant 1 : index
    %x = load %b[%c0] : f32
    %zero = vector.splat %x : vector<4xf32>
    %m = vector.mask %n : vector<4xbool>
    %s = vector.step %c0 : vector<4xindex>
    %l = vector.load %a[%c0, %c1] mask %m : vector<4xf32>
    %t = vector.load %a[%c0, %c0] {"mode"=1} mask %m : vector<4xf32>
    %g = vector.gather %a[%s, %c0] mask %m : vector<4xf32>
    %r = for %k = %c0, %n init(%v=%zero) -> (vector<4xf32>) {
      %w = vector.fma %l, %t, %v : vector<4xf32>
      yield (%w)
    }
    %h = if %p -> (vector<4xf32>) {
      yield (%r)
    } else {
      yield (%g)
    }
    %d = vector.arith.div %h, %l : vector<4xf32>
    %e = vector.arith.neg %d : vector<4xf32>
    %f = vector.math.exp %e : vector<4xf32>
    %i = vector.cast %f : vector<4xi32>
    %j = vector.cmp.lt %i, %i : vector<4xbool>
    %k = vector.select %j, %e, %f : vector<4xf32>
    %q = vector.shuffle %k, %e {"lanes"=[7,0]} : vector<2xf32>
    %u, %v = vector.transpose %q, %q : (vector<2xf32>, vector<2xf32>)
    %y = vector.reduce.add %u : f32
    %any = vector.reduce.or %j : bool
    %o = vector.extract %v[1] : f32
    %both = vector.from_elements %y, %o : vector<2xf32>
    %complex = vector.load %z[%c0] : vector<2xc32>
    %parts = vector.parts %complex : vector<4xf32>
    %again = vector.parts %parts : vector<2xc32>
    vector.store %again, %z[%c1]
    vector.store %parts, %z[%c0]
    vector.store %both, %b[%c0]
    vector.store %k, %b[%c0] mask %m
    vector.scatter %k, %a[%s, %c0] mask %m
    vector.prefetch %a[%c0, %n] {"level"=2}
  } {"outlined"=true}
}"""
SCALABLE = """func @f(%a: memref<f32x64>, %n: index) {
  vector.code {
    %c0 = constant 0 : index
    %m = vector.mask %n : vector<[4]xbool>
    %l = vector.load %a[%c0] mask %m : vector<[4]xf32>
    %s = vector.arith.add %l, %l : vector<[4]xf32>
    vector.store %s, %a[%c0] mask %m
  }
}"""


def problems(text: str) -> list[str]:
    parsed = parse_text(text, internal=True)
    if parsed.diagnostics.errors:
        return [error.rule.code for error in parsed.diagnostics.errors]
    return [error.rule.code for error in find_problems(parsed.module).errors]


@pytest.mark.parametrize("text", [ALL, SCALABLE])
def test_it_is_read_printed_and_valid(text: str) -> None:
    assert problems(text) == []
    module = parse_text(text, internal=True).module
    assert_printed_and_read(module)
    assert re.findall(r"vector\.\w+", text) == re.findall(r"vector\.\w+", str(module))


def test_every_instruction_is_in_the_text() -> None:
    words = {cls.mnemonic for cls in all_instructions("vector")}
    assert words == set(re.findall(r"\bvector\.\w+", ALL))


def test_a_user_s_text_has_none_of_it() -> None:
    with pytest.raises(pytl.LanguageError, match=r"PYTL-0002.*there is no instruction `vector\."):
        pytl.parse(ALL)
    with pytest.raises(pytl.LanguageError, match="expected a type"):
        pytl.parse("func @f(%x: vector<4xf32>) { }")


REFUSED = {
    "PYTL-3100": {"a barrier": ("vector.prefetch", "barrier.local vector.prefetch")},
    "PYTL-3101": {
        "a mask of other lanes": (
            "%k = vector.select %j",
            "%m2 = vector.mask %n : vector<2xbool> %k = vector.select %m2",
        ),
        "a cast of other lanes": ("vector.cast %f : vector<4xi32>", "vector.cast %f : vector<2xi32>"),
    },
    "PYTL-3102": {
        "another result": ("vector.arith.div %h, %l : vector<4xf32>", "vector.arith.div %h, %l : vector<4xf64>"),
        "another summand": ("vector.fma %l, %t, %v", "vector.fma %l, %t, %s"),
    },
    "PYTL-3103": {
        "bits of floats": ("vector.arith.div", "vector.arith.xor"),
        "an integer's exponential": ("vector.math.exp %e : vector<4xf32>", "vector.math.exp %s : vector<4xindex>"),
        "another number in all lanes": ("vector.splat %x : vector<4xf32>", "vector.splat %x : vector<4xf64>"),
        "elements too few": ("%y, %o : vector<2xf32>", "%y, %o : vector<3xf32>"),
        "a gather of one element": ("vector.gather %a[%s, %c0]", "vector.gather %a[%c0, %c0]"),
    },
    "PYTL-3104": {
        "another element": ("%c1] mask %m : vector<4xf32>", "%c1] mask %m : vector<4xf64>"),
        "a mode that is not there": ('{"mode"=1}', '{"mode"=2}'),
        "an index too few": ("vector.load %a[%c0, %c1]", "vector.load %a[%c0]"),
        "parts by a scatter": ("vector.scatter %k, %a[%s, %c0]", "vector.scatter %k, %z[%s]"),
    },
    "PYTL-3105": {"a lane behind the last": ("%v[1]", "%v[2]")},
    "PYTL-3106": {
        "a lane too many": ("[7,0]", "[8,0]"),
        "lanes too few": ("[7,0]", "[7]"),
    },
    "PYTL-3107": {"a vector too few": ("vector.transpose %q, %q", "vector.transpose %q, %q, %q")},
    "PYTL-3108": {"parts of reals": ("vector.parts %complex", "vector.parts %k")},
    "PYTL-3109": {"the level of no cache": ('{"level"=2}', '{"level"=4}')},
}


@pytest.mark.parametrize(
    "code, old, new",
    [pytest.param(code, *change, id=what) for code, changes in REFUSED.items() for what, change in changes.items()],
)
def test_what_is_refused(code: str, old: str, new: str) -> None:
    assert old in ALL
    assert code in problems(ALL.replace(old, new, 1))


# What the oracle computes.


def executed(body: str, parameters: str, *arrays: np.ndarray) -> None:
    text = f"func @f({parameters}) {{ vector.code {{ %c0 = constant 0 : index %c3 = constant 3 : index {body} }} }}"
    assert problems(text) == []
    (function,) = parse_text(text, internal=True).module.functions
    views = [
        MemrefView(a.reshape(-1, order="F"), 0, a.shape, tuple(s // a.itemsize for s in a.strides)) for a in arrays
    ]
    execute(function, views, 1)


def test_inactive_lanes_are_zero_and_their_memory_keeps_its_value() -> None:
    a, b = np.arange(3, dtype=np.float32), np.full(8, 7, np.float32)
    body = """%m = vector.mask %c3 : vector<8xbool> %v = vector.load %a[%c0] mask %m : vector<8xf32>
    vector.store %v, %b[%c0]"""
    executed(body, "%a: memref<f32x3>, %b: memref<f32x8>", a, b)
    assert np.array_equal(b, [0, 1, 2, 0, 0, 0, 0, 0])
    c = np.full(8, 7, np.float32)
    executed(body.replace("%b[%c0]", "%b[%c0] mask %m"), "%a: memref<f32x3>, %b: memref<f32x8>", a, c)
    assert np.array_equal(c, [0, 1, 2, 7, 7, 7, 7, 7])


def test_an_active_lane_out_of_bounds_is_an_error() -> None:
    a, b = np.zeros(3, np.float32), np.zeros(8, np.float32)
    body = "%v = vector.load %a[%c0] : vector<8xf32> vector.store %v, %b[%c0]"
    with pytest.raises(pytl.ExecutionError, match="%c0 = 3 is out of bounds"):
        executed(body, "%a: memref<f32x3>, %b: memref<f32x8>", a, b)


def test_lanes_along_another_mode() -> None:
    a, b = np.asfortranarray(np.arange(20, dtype=np.int32).reshape(4, 5)), np.zeros(4, np.int32)
    body = '%v = vector.load %a[%c3, %c0] {"mode"=1} : vector<4xi32> vector.store %v, %b[%c0]'
    executed(body, "%a: memref<i32x4x5>, %b: memref<i32x4>", a, b)
    assert np.array_equal(b, a[3, :4])


def test_the_parts_of_complex_numbers() -> None:
    a, b = np.array([1 + 2j, 3 + 4j], np.complex64), np.zeros(4, np.float32)
    body = "%v = vector.load %a[%c0] : vector<2xc32> %p = vector.parts %v : vector<4xf32> vector.store %p, %b[%c0]"
    executed(body, "%a: memref<c32x2>, %b: memref<f32x4>", a, b)
    assert np.array_equal(b, [1, 2, 3, 4])
    executed(
        "%v = vector.load %a[%c0] : vector<4xf32> vector.store %v, %b[%c0]",
        "%a: memref<c32x2>, %b: memref<f32x4>",
        a,
        b,
    )
    assert np.array_equal(b, [1, 2, 3, 4])


def test_a_transposition() -> None:
    a = np.asfortranarray(np.arange(16, dtype=np.float64).reshape(4, 4))
    b = a.copy(order="F")
    loads = " ".join(
        f"%k{n} = constant {n} : index %v{n} = vector.load %a[%c0, %k{n}] : vector<4xf64>" for n in range(4)
    )
    stores = " ".join(f"vector.store %w{n}, %a[%c0, %k{n}]" for n in range(4))
    types = ", ".join(["vector<4xf64>"] * 4)
    body = f"{loads} %w0, %w1, %w2, %w3 = vector.transpose %v0, %v1, %v2, %v3 : ({types}) {stores}"
    executed(body, "%a: memref<f64x4x4>", a)
    assert np.array_equal(a, b.T)


def test_a_division_by_zero_fails_in_no_lane() -> None:
    a = np.array([6, 6, 6, 6], np.int32)
    b = np.array([3, 0, 2, 0], np.int32)
    body = """%x = vector.load %a[%c0] : vector<4xi32> %y = vector.load %b[%c0] : vector<4xi32>
    %q = vector.arith.div %x, %y : vector<4xi32> vector.store %q, %a[%c0]"""
    executed(body, "%a: memref<i32x4>, %b: memref<i32x4>", a, b)
    assert a[0] == 2 and a[2] == 3
