"""lower-collectives: collective instructions as loops over scalars, with the meaning that they had."""

from itertools import product
from random import Random

import numpy as np
import pytest
from generator import generate
from passes_kit import after, assert_meaning_kept, lines
from reference_kit import COMPLEX, FLOATS, INTEGERS, dense, random_array

import pytl
from pytl.ops import Update
from pytl.passes import Canonicalize, InsertBarrier, LowerCollectives, find_pass

pytestmark = pytest.mark.at_most(24)

TYPES = [*INTEGERS, *FLOATS, *COMPLEX]
# the operand that alpha has the type of, the factors, the target and beta
PROMOTIONS = [
    ("i8", "i8", "i16", "i32", "i8"),
    ("i8", "i16", "i8", "f32", "i16"),
    ("i32", "i32", "i16", "f64", "f32"),
    ("bf16", "bf16", "f32", "f32", "f16"),
    ("i8", "f16", "i8", "f16", "i8"),
    ("i8", "i8", "i8", "bf16", "bf16"),
    ("f16", "f16", "f16", "c32", "f32"),
    ("f32", "c32", "f32", "c64", "c32"),
    ("i16", "f64", "f32", "c64", "i32"),
]
FORMS = {
    "gemm": ("gemm.{t}.{u}{atomic} %alpha, %a, %b, %beta, %c", ((4, 3), (3, 5), (4, 5))),
    "gemv": ("gemv.{t}{atomic} %alpha, %a, %b, %beta, %c", ((4, 3), (3,), (4,))),
    "ger": ("ger{atomic} %alpha, %a, %b, %beta, %c", ((4,), (3,), (4, 3))),
    "hadamard of vectors": ("hadamard{atomic} %alpha, %a, %b, %beta, %c", ((5,), (5,), (5,))),
    "hadamard of matrices": ("hadamard{atomic} %alpha, %a, %b, %beta, %c", ((5, 2), (5, 2), (5, 2))),
    "axpby of numbers": ("axpby.{t}{atomic} %alpha, %a, %beta, %c", ((), None, ())),
    "axpby of vectors": ("axpby.{t}{atomic} %alpha, %a, %beta, %c", ((5,), None, (5,))),
    "axpby of matrices": ("axpby.{t}{atomic} %alpha, %a, %beta, %c", ((5, 3), None, (5, 3))),
    "sum of a vector": ("sum.{t}{atomic} %alpha, %a, %beta, %c", ((7,), None, ())),
    "sum of a matrix": ("sum.{t}{atomic} %alpha, %a, %beta, %c", ((4, 6), None, (4,))),
    "cumsum of a vector": ("cumsum{atomic} %alpha, %a, 0, %beta, %c", ((7,), None, (7,))),
    "cumsum of rows": ("cumsum{atomic} %alpha, %a, 0, %beta, %c", ((4, 3), None, (4, 3))),
    "cumsum of columns": ("cumsum{atomic} %alpha, %a, 1, %beta, %c", ((4, 3), None, (4, 3))),
    "cumsum of a middle mode": ("cumsum{atomic} %alpha, %a, 1, %beta, %c", ((2, 4, 3), None, (2, 4, 3))),
}


def transposes(form):
    return [dict(zip("tu", words)) for words in product("nt", repeat=("{t}" in form) + ("{u}" in form))]


def kernel(name, words, types, dynamic=False, atomic="", beta=None):
    """A text, and the shapes of its arguments; `beta` is a constant of the text, or an argument."""
    form, (a, b, c) = FORMS[name]
    alpha_type, a_type, b_type, c_type, beta_type = types
    if words.get("t") == "t":
        a = a[::-1]
    if words.get("u") == "t":
        b = b[::-1]
    parameters = [f"%alpha: {alpha_type}"]
    for letter, shape, type_ in (("a", a, a_type), ("b", b, b_type), ("c", c, c_type)):
        if shape is not None:
            sizes = "".join(f"x{'?' if dynamic else n}" for n in shape)
            strides = f",strided<{','.join('?' * len(shape))}>" if dynamic and shape else ""
            parameters.append(f"%{letter}: memref<{type_}{sizes}{strides}>")
    if beta is None:
        parameters.append(f"%beta: {beta_type}")
        known = ""
    else:
        known = f"%beta = constant {constant(beta_type, beta)} : {beta_type}"
    body = form.format(**words, atomic=atomic)
    return f"func @f({', '.join(parameters)}) {{ {known}\n{body} }}", (a, b, c)


def constant(type_, number):
    return f"[{number}.0, 0.0]" if type_ in COMPLEX else f"{number}.0" if type_ in FLOATS else number


def number(type_, value):
    return complex(value) if type_ in COMPLEX else float(value) if type_ in FLOATS else value


def check(name, words, types, dynamic=False, atomic="", beta=None, given_beta=3, fill=None):
    text, shapes = kernel(name, words, types, dynamic, atomic, beta)
    rng = np.random.default_rng(len(text))
    arguments = [number(types[0], 2)]
    for shape, type_ in zip(shapes, types[1:4]):
        if shape is not None:
            arguments.append(random_array(rng, type_, *shape))
    if fill is not None:
        arguments[-1][...] = fill
    if beta is None:
        arguments.append(number(types[4], given_beta))
    changed = assert_meaning_kept(text, LowerCollectives(), arguments=arguments, exact=False, groups=1)
    assert not any(isinstance(op, Update) for op in changed["f"].walk())
    return changed


@pytest.mark.parametrize("type_", TYPES)
@pytest.mark.parametrize("name", FORMS)
def test_every_type(name, type_):
    for words in transposes(FORMS[name][0]):
        check(name, words, (type_,) * 5)


@pytest.mark.parametrize("types", PROMOTIONS, ids="-".join)
@pytest.mark.parametrize("name", FORMS)
def test_promotions(name, types):
    alpha, a, b, c, beta = types
    if FORMS[name][1][1] is None and alpha != a:
        alpha = a
    check(name, transposes(FORMS[name][0])[-1], (alpha, a, b, c, beta), dynamic=True)


@pytest.mark.parametrize("beta", [0, 1, 2, None])
@pytest.mark.parametrize("name", FORMS)
def test_beta(name, beta):
    for given in (0, 1, 3) if beta is None else (None,):
        check(name, transposes(FORMS[name][0])[0], ("f32",) * 5, dynamic=True, beta=beta, given_beta=given)


@pytest.mark.at_most(9)
@pytest.mark.parametrize("known", [True, False])
@pytest.mark.parametrize("name", FORMS)
def test_what_a_factor_of_zero_hides(name, known):
    for type_ in ("f16", "f64", "c32"):
        check(name, transposes(FORMS[name][0])[0], (type_,) * 5, beta=0 if known else None, given_beta=0, fill=np.nan)


@pytest.mark.parametrize("type_", ["i32", "index", "bf16", "f64", "c32"])
@pytest.mark.parametrize("beta", [0, 1])
@pytest.mark.parametrize("name", FORMS)
def test_atomic_updates(name, beta, type_):
    changed = check(name, transposes(FORMS[name][0])[-1], (type_,) * 5, atomic=".atomic", beta=beta)
    stores = [op.flag for op in changed["f"].walk() if op.mnemonic == "store"]
    assert stores == ["atomic_add" if beta else "atomic"]


@pytest.mark.parametrize("type_", ["f32", "f64", "c32", "c64"])
@pytest.mark.parametrize("name", FORMS)
def test_numbers_that_are_rounded(name, type_):
    text, shapes = kernel(name, transposes(FORMS[name][0])[-1], (type_,) * 5)
    rng = np.random.default_rng(3)
    arrays = [
        dense(rng.standard_normal(shape) * (1 + 1j if type_ in COMPLEX else 1), type_)
        for shape in shapes
        if shape is not None
    ]
    assert_meaning_kept(text, LowerCollectives(), arguments=[0.3, *arrays, -1.7], exact=False, groups=1)


def test_integers_wrap():
    text = "func @f(%x: i8, %a: memref<i8x3x3>, %c: memref<i8x3x3>) { gemm.n.t %x, %a, %a, %x, %c }"
    arguments = [77, dense(np.full((3, 3), 99), "i8"), dense(np.full((3, 3), -128), "i8")]
    assert_meaning_kept(text, LowerCollectives(), arguments=arguments, groups=1)


@pytest.mark.parametrize(("type_", "step"), [("f16", 2.0**-10), ("bf16", 2.0**-7)])
def test_half_precision_is_rounded_once(type_, step):
    # one and many numbers that each would be lost beside it, so that a sum in the type itself is 1
    values = dense(np.array([1.0] + [step / 4] * 8), type_)
    text = f"func @f(%x: {type_}, %a: memref<{type_}x9>, %c: memref<{type_}>) {{ sum.n %x, %a, %x, %c }}"
    assert_meaning_kept(text, LowerCollectives(), arguments=[1.0, values, dense(0.0, type_)], groups=1)


def test_text():
    text = """func @f(%x: f16, %a: memref<i8x4x?>, %c: memref<f16x4>, %beta: f16) {
      sum.n %x, %a, %beta, %c
    }"""
    with pytest.raises(pytl.LanguageError):
        after(text, LowerCollectives())  # alpha has to fit A
    assert lines(after(text.replace("%x: f16", "%x: i8"), LowerCollectives())) == [
        "%0 = constant 0x0p+0 : f32",
        "%1 = constant 4 : index",
        "%2 = size %a[1] : index",
        "%3 = constant 0 : index",
        "%4 = cast %x : f32",
        "%5 = cast %beta : f32",
        "%6 = cmp.ne %5, %0 : bool",
        "foreach (%i) = (%3), (%1) {",
        "%7 = for %k = %3, %2 init(%8=%0) -> (f32) {",
        "%9 = load %a[%i, %k] : i8",
        "%10 = cast %9 : f32",
        "%11 = arith.add %8, %10 : f32",
        "yield (%11)",
        "}",
        "%12 = arith.mul %4, %7 : f32",
        "%13 = if %6 -> (f32) {",
        "%14 = load %c[%i] : f16",
        "%15 = cast %14 : f32",
        "%16 = arith.mul %5, %15 : f32",
        "%17 = arith.add %12, %16 : f32",
        "yield (%17)",
        "} else {",
        "yield (%12)",
        "}",
        "%18 = cast %13 : f16",
        "store %18, %c[%i]",
        "}",
    ]


def test_only_some_of_them():
    text = """func @f(%x: f32, %a: memref<f32x4>, %c: memref<f32x4>) {
      axpby.n %x, %a, %x, %c
      cumsum %x, %a, 0, %x, %c
      hadamard %x, %a, %a, %x, %c
    }"""
    step = find_pass("lower-collectives{only=axpby+hadamard}")
    assert step == LowerCollectives(only=("axpby", "hadamard"))
    assert find_pass(str(step)) == step
    words = [op.word for op in after(text, step)["f"].body.operations if op.word in ("foreach", "axpby", "cumsum")]
    assert words == ["foreach", "cumsum", "foreach"]


def test_a_word_that_it_does_not_lower():
    with pytest.raises(pytl.PytlError) as caught:
        find_pass("lower-collectives{only=gemm+store}")
    (found,) = caught.value.diagnostics
    assert (found.code, found.message) == ("PYTL-3001", "lower-collectives lowers no `store`")
    assert found.help == "it lowers axpby, cumsum, gemm, gemv, ger, hadamard, sum"


def test_products_that_an_extension_lacks():
    """No elements of A are adjacent, so that there are no vectors without the outer product."""
    text = """func @f(%x: f64, %A: memref<f64x4x3,strided<2,8>>, %B: memref<f64x3x5>, %C: memref<f64x4x5>) {
      gemm.n.n %x, %A, %B, %x, %C
    }"""
    for options, word in (("", "gemm"), (",without=i16+i8", "gemm"), (",without=f64+i8", "foreach")):
        step = find_pass(f"lower-collectives{{streaming=true{options}}}")
        assert find_pass(str(step)) == step
        assert [op.word for op in after(text, step)["f"].body.operations if op.word in ("foreach", "gemm")] == [word]
    with pytest.raises(pytl.PytlError) as caught:
        find_pass("lower-collectives{without=f32}")
    (found,) = caught.value.diagnostics
    assert (found.code, found.message) == ("PYTL-3001", "lower-collectives has no products of `f32` to do without")
    assert found.help == "it can do without f64, i16, i8, bf16"


@pytest.mark.at_most(2)
@pytest.mark.parametrize("seed", range(40))
def test_random_programs(seed):
    text = generate(Random(seed), safe=True, size=20)
    assert_meaning_kept(text, LowerCollectives(), InsertBarrier(), exact=False, seed=seed)


@pytest.mark.at_most(6)
@pytest.mark.parametrize("seed", range(40))
def test_random_programs_stay_valid(seed):
    after(generate(Random(seed), size=25), LowerCollectives(), Canonicalize())
