"""canonicalize: what is folded, to what, and what has to stay."""

import math
from fractions import Fraction

import ml_dtypes
import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from reference_kit import BITS, FLOATS, FORMATS, INTEGERS, rounded, wrapped

import pytl
from pytl.ir.printer import print_constant
from pytl.ir.types import SCALAR_TYPES
from pytl.ops import Constant, Load, Store
from pytl.passes import Canonicalize, Pipeline

quickly = settings(deadline=None, max_examples=40)


def canonicalized(text):
    module = pytl.parse(text)
    pytl.verify(module)
    return Pipeline([Canonicalize()]).run(module)


def body(module):
    *_, lines = str(module).partition(") {\n")
    return [line.strip() for line in lines.splitlines()[:-1]]


def folded(right, type_, *operands):
    """The constant that an instruction on constants becomes, or None where it stays."""
    lines = [f"%{name} = constant {literal(value, t)} : {t}" for name, (value, t) in zip("abc", operands)]
    text = f"func @f(%out: memref<{type_}>) {{\n" + "\n".join(lines) + f"\n%r = {right}\nstore %r, %out[]\n}}"
    *_, store = canonicalized(text)["f"].walk()
    owner = store.data.owner
    return owner.literal if isinstance(owner, Constant) else None


def literal(value, type_):
    return print_constant(value, SCALAR_TYPES[type_]) if type_ != "bool" else str(value).lower()


def integers(type_):
    most = 2 ** (BITS[type_] - 1) - 1
    least = -most if BITS[type_] == 64 else -most - 1
    return st.integers(least, most) | st.sampled_from([least, least + 1, -2, -1, 0, 1, 2, most - 1, most])


@st.composite
def floats(draw, type_):
    value = draw(st.floats(allow_nan=False, allow_infinity=False, width=32) | st.integers(-300, 300).map(float))
    result = rounded(value, type_)
    assume(math.isfinite(result))
    return result


def expected_integer(variant, a, b, type_):
    dtype = np.dtype(f"int{BITS[type_]}")
    x, y = np.array([a], dtype), np.array([b], dtype)
    if variant in ("div", "rem"):
        quotient = abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)
        return wrapped(quotient, type_) if variant == "div" else a - quotient * b
    operations = {
        "add": np.add,
        "sub": np.subtract,
        "mul": np.multiply,
        "min": np.minimum,
        "max": np.maximum,
        "shl": np.left_shift,
        "shr": np.right_shift,
        "and": np.bitwise_and,
        "or": np.bitwise_or,
        "xor": np.bitwise_xor,
    }
    return int(operations[variant](x, y)[0])


@pytest.mark.parametrize("variant", ["add", "sub", "mul", "div", "rem", "min", "max", "shl", "shr", "and", "or", "xor"])
@quickly
@given(st.data())
def test_integers_in_their_width(variant, data):
    type_ = data.draw(st.sampled_from(INTEGERS))
    a = data.draw(integers(type_))
    b = data.draw(st.integers(0, BITS[type_] - 1) if variant in ("shl", "shr") else integers(type_))
    assume(b != 0 or variant not in ("div", "rem"))
    wanted = expected_integer(variant, a, b, type_)
    result = folded(f"arith.{variant} %a, %b : {type_}", type_, (a, type_), (b, type_))
    # no literal says -2^63
    assert result == (wanted if wanted > -(2**63) else None)


@pytest.mark.parametrize("type_", INTEGERS)
def test_what_is_undefined_on_integers_stays(type_):
    bits = BITS[type_]
    for variant, b in [("div", 0), ("rem", 0), ("shl", -1), ("shl", bits), ("shr", -1), ("shr", bits)]:
        assert folded(f"arith.{variant} %a, %b : {type_}", type_, (5, type_), (b, type_)) is None


@quickly
@given(st.data())
def test_unary_integers(data):
    type_ = data.draw(st.sampled_from(INTEGERS))
    a = data.draw(integers(type_))
    for variant, wanted in [("abs", wrapped(abs(a), type_)), ("neg", wrapped(-a, type_)), ("not", ~a)]:
        result = folded(f"arith.{variant} %a : {type_}", type_, (a, type_))
        assert result == (wanted if wanted > -(2**63) else None)


@quickly
@given(st.data())
def test_floats_are_rounded_once_to_their_type(data):
    type_ = data.draw(st.sampled_from(FLOATS))
    a, b = data.draw(floats(type_)), data.draw(floats(type_))
    exact = {"add": Fraction(a) + Fraction(b), "sub": Fraction(a) - Fraction(b), "mul": Fraction(a) * Fraction(b)}
    for variant, value in exact.items():
        result = folded(f"arith.{variant} %a, %b : {type_}", type_, (a, type_), (b, type_))
        wanted = rounded(value, type_)
        if math.isinf(wanted):
            assert result is None
        elif value == 0:
            assert result == 0.0
            zero = {"add": a + b, "sub": a - b, "mul": a * b}[variant]
            assert math.copysign(1, result) == math.copysign(1, zero)
        else:
            assert result == wanted


@quickly
@given(st.data())
def test_minimum_and_maximum_of_floats(data):
    type_ = data.draw(st.sampled_from(FLOATS))
    a, b = data.draw(floats(type_)), data.draw(floats(type_))
    for variant, choose in (("min", min), ("max", max)):
        result = folded(f"arith.{variant} %a, %b : {type_}", type_, (a, type_), (b, type_))
        signs_differ = math.copysign(1, a) != math.copysign(1, b)
        assert result == (None if a == b == 0 and signs_differ else choose(a, b))


@pytest.mark.parametrize("variant", ["div", "rem"])
def test_quotients_of_floats_are_left_to_the_device(variant):
    assert folded(f"arith.{variant} %a, %b : f32", "f32", (1.0, "f32"), (3.0, "f32")) is None


@pytest.mark.parametrize(
    ("right", "type_", "operand", "result"),
    [
        ("arith.neg %a : f32", "f32", 0.0, "-0x0p+0"),
        ("arith.abs %a : f32", "f32", -0.0, "0x0p+0"),
        ("arith.neg %a : c32", "c32", 1 - 2j, "[-0x1p+0,0x1p+1]"),
        ("arith.conj %a : c32", "c32", 1 - 2j, "[0x1p+0,0x1p+1]"),
        ("arith.re %a : f32", "c32", 1 - 2j, "0x1p+0"),
        ("arith.im %a : f32", "c32", 1 - 2j, "-0x1p+1"),
    ],
)
def test_unary_floats(right, type_, operand, result):
    kind = right.split(" : ")[1]
    found = folded(right, kind, (operand, type_))
    assert print_constant(found, SCALAR_TYPES[kind]) == result


def test_the_absolute_value_of_a_complex_number_is_left_to_the_device():
    assert folded("arith.abs %a : f32", "f32", (3 + 4j, "c32")) is None


def test_what_no_literal_can_say_stays():
    assert folded("arith.mul %a, %b : f32", "f32", (2e38, "f32"), (2.0, "f32")) is None
    assert folded("cast %a : f16", "f16", (1e5, "f32")) is None
    assert folded("cast %a : i8", "i8", (128.5, "f32")) is None
    assert folded("cast %a : i64", "i64", (1e19, "f64")) is None


@quickly
@given(st.data())
def test_casts_between_integers(data):
    source, target = data.draw(st.sampled_from(INTEGERS)), data.draw(st.sampled_from(INTEGERS))
    a = data.draw(integers(source))
    wanted = wrapped(a, target)
    result = folded(f"cast %a : {target}", target, (a, source))
    assert result == (wanted if wanted > -(2**63) else None)


@pytest.mark.at_night
@quickly
@given(st.data())
def test_casts_of_integers_to_floats_are_rounded_once(data):
    source, target = data.draw(st.sampled_from(INTEGERS)), data.draw(st.sampled_from(FLOATS))
    a = data.draw(integers(source))
    result = folded(f"cast %a : {target}", target, (a, source))
    wanted = rounded(a, target)
    assert result in ((None,) if math.isinf(wanted) else (None, wanted) if abs(a) > 2**53 else (wanted,))


@quickly
@given(st.data())
def test_casts_between_floats(data):
    source, target = data.draw(st.sampled_from(FLOATS)), data.draw(st.sampled_from(FLOATS))
    a = data.draw(floats(source))
    wanted = rounded(a, target)
    assert folded(f"cast %a : {target}", target, (a, source)) == (None if math.isinf(wanted) else wanted)


@quickly
@given(st.data())
def test_casts_of_floats_to_integers_truncate(data):
    source, target = data.draw(st.sampled_from(FLOATS)), data.draw(st.sampled_from(INTEGERS))
    a = data.draw(floats(source))
    whole = math.trunc(a)
    fits = abs(whole) < 2 ** (BITS[target] - 1) or (whole == -(2 ** (BITS[target] - 1)) and BITS[target] < 64)
    assert folded(f"cast %a : {target}", target, (a, source)) == (whole if fits else None)


def test_what_becomes_complex_has_no_imaginary_part():
    assert folded("cast %a : c32", "c32", (0.1, "f64")) == complex(rounded(0.1, "f32"), 0.0)
    assert folded("cast %a : c64", "c64", (-3, "i8")) == complex(-3.0, 0.0)
    assert folded("cast %a : c32", "c32", (2**53 + 1, "i64")) is None


@pytest.mark.parametrize("variant", ["eq", "ne", "gt", "ge", "lt", "le"])
def test_comparisons(variant):
    for a, b in [(1, 2), (2, 2), (3, 2), (-1, 0)]:
        text = f"""func @f(%out: memref<i8>) {{
          %a = constant {a} : i8
          %b = constant {b} : i8
          %p = cmp.{variant} %a, %b : bool
          %r = if %p -> (i8) {{ yield (%a) }} else {{ yield (%b) }}
          store %r, %out[]
        }}"""
        taken = a if getattr(np, {"eq": "equal", "ne": "not_equal", "gt": "greater", "ge": "greater_equal",
                                  "lt": "less", "le": "less_equal"}[variant])(a, b) else b  # fmt: skip
        assert body(canonicalized(text)) == [f"%{'a' if taken == a else 'b'} = constant {taken} : i8",
                                             f"store %{'a' if taken == a else 'b'}, %out[]"]  # fmt: skip


def test_zeros_of_both_signs_are_equal_but_different_constants():
    text = """func @f(%out: memref<f32x2>, %n: index) {
      %a = constant 0.0 : f32
      %b = constant -0.0 : f32
      store %a, %out[%n]
      store %b, %out[%n]
    }"""
    assert body(canonicalized(text)) == [
        "%a = constant 0x0p+0 : f32",
        "%b = constant -0x0p+0 : f32",
        "store %a, %out[%n]",
        "store %b, %out[%n]",
    ]


@pytest.mark.parametrize(
    ("type_", "right", "left"),
    [
        ("i32", "arith.add %x, %zero", True),
        ("i32", "arith.add %zero, %x", True),
        ("i32", "arith.sub %x, %zero", True),
        ("i32", "arith.sub %zero, %x", False),
        ("i32", "arith.mul %x, %one", True),
        ("i32", "arith.mul %one, %x", True),
        ("i32", "arith.div %x, %one", True),
        ("i32", "arith.div %one, %x", False),
        ("i32", "arith.shl %x, %zero", True),
        ("i32", "arith.or %zero, %x", True),
        ("f32", "arith.mul %x, %one", True),
        ("f32", "arith.div %x, %one", True),
        # -0.0 + 0.0 is 0.0; a nan or an infinity times 0.0 is no zero
        ("f32", "arith.add %x, %zero", False),
        ("f32", "arith.sub %x, %zero", False),
        ("f32", "arith.mul %x, %zero", False),
        ("c32", "arith.mul %x, %one", False),
    ],
)
def test_identities(type_, right, left):
    zero, one = {"i32": ("0", "1"), "f32": ("0.0", "1.0"), "c32": ("[0.0, 0.0]", "[1.0, 0.0]")}[type_]
    text = f"""func @f(%x: {type_}, %out: memref<{type_}>) {{
      %zero = constant {zero} : {type_}
      %one = constant {one} : {type_}
      %r = {right} : {type_}
      store %r, %out[]
    }}"""
    lines = body(canonicalized(text))
    assert (lines == ["store %x, %out[]"]) == left
    assert left or f"%r = {right} : {type_}" in lines


def test_equal_computations_are_merged_where_both_are_visible():
    text = """func @f(%x: f32, %p: bool, %out: memref<f32x4>, %n: index) {
      %a = arith.neg %x : f32
      %b = arith.neg %x : f32
      %c = arith.add %a, %b : f32
      store %c, %out[%n]
      if %p {
        %d = arith.neg %x : f32
        %e = arith.abs %x : f32
        %f = arith.mul %d, %e : f32
        store %f, %out[%n]
      } else {
        %e = arith.abs %x : f32
        store %e, %out[%n]
      }
    }"""
    assert body(canonicalized(text)) == [
        "%a = arith.neg %x : f32",
        "%c = arith.add %a, %a : f32",
        "store %c, %out[%n]",
        "if %p {",
        "%e = arith.abs %x : f32",
        "%f = arith.mul %a, %e : f32",
        "store %f, %out[%n]",
        "} else {",
        "%e = arith.abs %x : f32",
        "store %e, %out[%n]",
        "}",
    ]


def test_what_differs_in_a_type_a_mode_or_an_order_is_not_merged():
    text = """func @f(%a: memref<f32x?x?>, %i: i32, %n: index, %out: memref<f64>, %s: memref<index>) {
      %r = size %a[0] : index
      %t = size %a[1] : index
      %u = arith.sub %r, %t : index
      %v = arith.sub %t, %r : index
      %w = arith.xor %u, %v : index
      store %w, %s[]
      %x = cast %i : f64
      %y = cast %i : f32
      %z = cast %y : f64
      %q = arith.add %x, %z : f64
      store %q, %out[]
    }"""
    assert len(body(canonicalized(text))) == 11


def test_loads_are_not_merged():
    text = """func @f(%a: memref<f32>, %b: memref<f32>, %x: f32, %out: memref<f32>) {
      %r = load %a[] : f32
      store %x, %b[]
      %t = load %a[] : f32
      %u = arith.add %r, %t : f32
      store %u, %out[]
    }"""
    assert len(body(canonicalized(text))) == 5


STORED = """func @f(%a: memref<f32x4>, %b: memref<f32x4>, %x: f32, %out: memref<f32>) {
  %i = constant 1 : index
  %j = constant 2 : index
  store %x, %a[%i]
  BETWEEN
  %t = load %a[%i] : f32
  store %t, %out[]
}"""


@pytest.mark.parametrize(
    ("between", "loads"),
    [("", 0), ("%y = load %b[%i] : f32", 0), ("store %x, %a[%j]", 1), ("store %x, %b[%i]", 1)],
)
def test_what_was_stored_just_before_is_not_loaded(between: str, loads: int) -> None:
    """A store to memory that may be the same comes between; a load of another element changes nothing."""
    changed = canonicalized(STORED.replace("BETWEEN", between))
    assert sum(isinstance(op, Load) and op.tensor.name == "a" for op in changed.functions[0].walk()) == loads
    stores = [op for op in changed.functions[0].walk() if isinstance(op, Store)]
    assert (stores[-1].data is stores[0].data) == (loads == 0)


def test_items_of_groups_are_merged():
    text = """func @f(%a: group<memref<f32x4>x?>, %n: index) {
      %r = load %a[%n] : memref<f32x4>
      %one = constant 1.0 : f32
      axpby.n %one, %r, %one, %r
      %t = load %a[%n] : memref<f32x4>
      axpby.n %one, %t, %one, %t
    }"""
    assert body(canonicalized(text)) == [
        "%r = load %a[%n] : memref<f32x4>",
        "%one = constant 0x1p+0 : f32",
        "axpby.n %one, %r, %one, %r",
        "axpby.n %one, %r, %one, %r",
    ]


def test_dead_code_goes_and_effects_stay():
    text = """func @f(%a: memref<f32x4>, %x: f32, %n: index) {
      %dead = arith.neg %x : f32
      %deader = arith.abs %dead : f32
      %read = load %a[%n] : f32
      %unused = alloca : memref<f32x4,local>
      %stopped = alloca : memref<f32x4,local>
      lifetime_stop %stopped
      %view = subview %a[0:2] : memref<f32x2>
      %used = alloca : memref<f32x4,local>
      axpby.n %x, %a, %x, %used
      axpby.n %x, %used, %x, %a
      %one = constant 1.0 : f32
      barrier.local
      parallel {
        store.atomic_add %x, %a[%n]
        %idle = builtin.group_id : index
      }
      lifetime_stop %used
    }"""
    assert body(canonicalized(text)) == [
        "%used = alloca : memref<f32x4,local>",
        "axpby.n %x, %a, %x, %used",
        "axpby.n %x, %used, %x, %a",
        "barrier.local",
        "parallel {",
        "store.atomic_add %x, %a[%n]",
        "}",
        "lifetime_stop %used",
    ]


@pytest.mark.parametrize(("condition", "kept"), [("true", "%x"), ("false", "%y")])
def test_a_constant_condition_leaves_its_branch(condition, kept):
    text = f"""func @f(%x: f32, %y: f32, %out: memref<f32>) {{
      %p = constant {condition} : bool
      %r = if %p -> (f32) {{
        %a = arith.neg %x : f32
        store %a, %out[]
        yield (%x)
      }} else {{
        %a = arith.neg %y : f32
        store %a, %out[]
        yield (%y)
      }}
      store %r, %out[]
    }}"""
    assert body(canonicalized(text)) == [
        f"%a = arith.neg {kept} : f32",
        "store %a, %out[]",
        f"store {kept}, %out[]",
    ]


def test_a_constant_condition_without_else_leaves_nothing():
    text = """func @f(%x: f32, %out: memref<f32>) {
      %p = constant false : bool
      if %p {
        store %x, %out[]
      }
    }"""
    assert body(canonicalized(text)) == []


@pytest.mark.parametrize(("start", "stop", "runs"), [(0, 0, False), (3, 2, False), (-2, 0, True), (0, 2, True)])
def test_a_loop_that_never_runs_gives_its_initial_values(start, stop, runs):
    text = f"""func @f(%x: f32, %out: memref<f32>) {{
      %a = constant {start} : index
      %b = constant {stop} : index
      %r = for %i = %a, %b init(%c=%x) -> (f32) {{
        %d = arith.neg %c : f32
        store %d, %out[]
        yield (%d)
      }}
      store %r, %out[]
    }}"""
    lines = body(canonicalized(text))
    assert (lines == ["store %x, %out[]"]) == (not runs)
    assert any(line.startswith("%r = for") for line in lines) == runs


def test_a_static_size_is_a_constant():
    text = """func @f(%a: memref<f32x4x?>, %g: group<memref<f32>x7>, %s: memref<index>) {
      %x = size %a[0] : index
      %y = size %a[1] : index
      %z = size %g[0] : index
      %u = arith.add %x, %z : index
      %v = arith.add %u, %y : index
      store %v, %s[]
    }"""
    assert body(canonicalized(text)) == [
        "%y = size %a[1] : index",
        "%u = constant 11 : index",
        "%v = arith.add %u, %y : index",
        "store %v, %s[]",
    ]


def test_bfloat16_is_the_one_of_ml_dtypes():
    assert FORMATS["bf16"][0] == 8
    for value in (0.1, 1e-40, 3.3895313892515355e38, -1.00390625, 1.01171875):
        assert folded("cast %a : bf16", "bf16", (value, "f64")) == float(ml_dtypes.bfloat16(value))
