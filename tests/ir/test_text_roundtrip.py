"""Reading what was printed and printing it again gives the same text, for every form of every instruction."""

import itertools
import re

import pytest

import pytl
from pytl.ir.registry import all_instructions
from pytl.ir.text import parse_text, parse_type
from pytl.ir.types import SCALAR_TYPES

HEADER = """func @f(%a: memref<f32x4x8>, %b: memref<f32x4x8>, %s: memref<f32>, %z: memref<c32x4>, %d: memref<f32x?x8>,
  %g: group<memref<f32x4>x?>, %x: f32, %y: f32, %i: i32, %k: i32, %n: index, %m: index, %p: bool, %q: bool, %c: c32,
  %w: coopmatrix<f32x8x16,matrix_acc>, %wa: coopmatrix<f16x8x4,matrix_a>, %wb: coopmatrix<f16x4x16,matrix_b>,
  %h: f16, %e: memref<f16x64x64>, %l: memref<f32x4>, %o: memref<f32x8>) {
"""
INTEGERS = ("add", "sub", "mul", "div", "rem", "min", "max", "shl", "shr", "and", "or", "xor")
STATEMENTS = [
    *(f"%r = arith.{v} %i, %k : i32" for v in INTEGERS),
    *(f"%r = arith.{v} %x, %y : f32" for v in ("add", "sub", "mul", "div", "rem", "min", "max")),
    *(f"%r = arith.{v} %p, %q : bool" for v in ("and", "or", "xor")),
    *(f"%r = arith.{v} %c, %c : c32" for v in ("add", "sub", "mul", "div")),
    *(f"%r = arith.{v} %w, %w : coopmatrix<f32x8x16,matrix_acc>" for v in ("add", "sub", "mul", "div")),
    *(f"%r = arith.{v} %i : i32" for v in ("abs", "neg", "not")),
    *(f"%r = arith.{v} %c : c32" for v in ("neg", "conj")),
    *(f"%r = arith.{v} %c : f32" for v in ("abs", "im", "re")),
    "%r = arith.not %p : bool",
    "%r = arith.neg %w : coopmatrix<f32x8x16,matrix_acc>",
    *(f"%r = cmp.{v} %x, %y : bool" for v in ("eq", "ne", "gt", "ge", "lt", "le")),
    *(f"%r = cast %i : {t}" for t in SCALAR_TYPES),
    "%r = cast %w : coopmatrix<f64x8x16,matrix_acc>",
    "%r = constant true : bool",
    "%r = constant false : bool",
    "%r = constant 1 : index",
    "%r = constant 0x1.8p+1 : f32",
    "%r = constant [0x1p+0,-0x1p-1] : c64",
    "%r = constant 0x0p+0 : coopmatrix<f32x8x16,matrix_b>",
    "axpby.n %x, %a, %y, %b",
    "axpby.t.atomic %x, %a, %y, %b",
    *(f"gemm.{a}.{b}{c} %x, %a, %b, %y, %a" for a in "nt" for b in "nt" for c in ("", ".atomic")),
    *(f"gemv.{t}{c} %x, %a, %o, %y, %l" for t in "nt" for c in ("", ".atomic")),
    *(f"ger{c} %x, %l, %o, %y, %a" for c in ("", ".atomic")),
    *(f"hadamard{c} %x, %a, %b, %y, %a" for c in ("", ".atomic")),
    *(f"sum.{t}{c} %x, %a, %y, %l" for t in "nt" for c in ("", ".atomic")),
    "sum.n %x, %l, %y, %s",
    *(f"cumsum{c} %x, %a, {mode}, %y, %b" for mode in (0, 1) for c in ("", ".atomic")),
    *(
        f"%r = math.{v} %{n} : {t}"
        for v in ("exp", "native_exp")
        for n, t in (("x", "f32"), ("c", "c32"), ("h", "f16"))
    ),
    "%r = expand %a[1 -> 2 x 4] : memref<f32x4x2x4>",
    "%r = expand %a[0 -> %n x 2 x %m] : memref<f32x?x2x?x8,strided<1,?,?,4>>",
    "%r = fuse %a[0, 1] : memref<f32x32>",
    "%r = fuse %a[0, 1] : memref<f32x32,strided<?>>",
    *(f"%r = builtin.{v} : i32" for v in ("num_subgroups", "subgroup_size", "subgroup_id", "subgroup_local_id")),
    "%r = subgroup_broadcast %x, %i : f32",
    *(
        f"%r = subgroup_{op}.{v} %{n} : {t}"
        for op in ("add", "max", "min")
        for v in ("exclusive_scan", "inclusive_scan", "reduce")
        for n, t in (("x", "f32"), ("i", "i32"), ("h", "f16"))
    ),
    "%r = subgroup_add.reduce %c : c32",
    *(
        f"%r = cooperative_matrix_load.{t}{f} %e[%n, %m] : coopmatrix<f16x8x16,matrix_{use}>"
        for t in "nt"
        for f in ("", ".rows_checked", ".cols_checked", ".both_checked")
        for use in ("a", "b", "acc")
    ),
    *(
        f"cooperative_matrix_store{f}{g} %wa, %e[%n, %m]"
        for f in ("", ".rows_checked", ".cols_checked", ".both_checked")
        for g in ("", ".atomic", ".atomic_add")
    ),
    "%r = cooperative_matrix_mul_add %wa, %wb, %w : coopmatrix<f32x8x16,matrix_acc>",
    "%r = cooperative_matrix_mul_add %wa, %wb, %w : coopmatrix<bf16x8x16,matrix_acc>",
    "%r = cooperative_matrix_scale %h, %wa : coopmatrix<f16x8x4,matrix_a>",
    *(f"barrier{f}" for f in ("", ".global", ".local", ".global.local")),
    "%r = builtin.group_id : index",
    "%r = builtin.group_size : index",
    "%r = alloca : memref<f32x4,local>",
    "%r = alloca {alignment=64} : memref<f32,local>",
    '%r = alloca {alignment=8, "x"="y;{", "l"=[1,[true,false],{}], "d"={"e"={}, "f"=-9}} : memref<f64x2x2,local>',
    "%r = alloca : memref<f32x4x4,strided<1,8>,local>",
    "lifetime_stop %a",
    "%r = load %s[] : f32",
    "%r = load %a[%n, %m] : f32",
    "%r = load %g[%n] : memref<f32x4>",
    *(f"store{f} %x, %a[%n, %m]" for f in ("", ".atomic", ".atomic_add")),
    "store %x, %s[]",
    "%r = size %a[1] : index",
    "%r = size %g[0] : index",
    "%r = subview %a[1, 2] : memref<f32>",
    "%r = subview %a[%n, 2:4] : memref<f32x4,strided<4>>",
    "%r = subview %a[%n:0, %m:%n] : memref<f32x?,strided<4>>",
    "%r = subview %a[1:2, 0:8] : memref<f32x2x8,strided<1,?>>",
    "%r = subview %s[] : memref<f32>",
    "parallel {\n  }",
    "parallel {\n    store %x, %s[]\n    barrier\n  }",
    "foreach (%1) = (%n), (%m) {\n  }",
    "foreach (%1, %j): i32 = (%i, %i), (%k, %k) {\n    %r = arith.add %1, %j : i32\n  }",
    "for %1 = %n, %m {\n  }",
    "for %j: i32 = %i, %k, %i {\n  } {unroll=true}",
    'for %j = %n, %m, %n {\n  } {unroll=false, "mine"="yes"}',
    "%r, %t = for %j = %n, %m init(%u=%x, %v=%p) -> (f32, bool) {\n    yield (%u, %v)\n  }",
    "%r = for %j = %n, %m init(%u=%x) -> (f32) {\n    yield (%u)\n  }",
    "if %p {\n  }",
    "if %p {\n  } else {\n  }",
    "if %p {\n    yield ()\n  } else {\n    store %x, %s[]\n    yield ()\n  }",
    "%r, %t = if %p -> (f32, bool) {\n    yield (%x, %p)\n  } else {\n    yield (%y, %q)\n  }",
]


def once(text: str) -> str:
    return str(pytl.parse(text))


@pytest.mark.parametrize("statement", STATEMENTS)
def test_every_form_is_canonical_as_it_stands(statement):
    printed = once(HEADER + statement + "\n}")
    body = printed.partition(") {\n")[2].removesuffix("\n}")
    assert _numbered(body) == _numbered("  " + statement)
    assert once(printed) == printed


def _numbered(text: str) -> str:
    # unnamed values are numbered from 0 by the printer
    return text.replace("%0", "%1").replace("%r", "%1")


@pytest.mark.additions
def test_the_forms_cover_every_word_of_every_instruction():
    words = set(itertools.chain.from_iterable(cls.words() for cls in all_instructions()))
    mine = {word for word in words if not word.startswith("cpu.")}
    text = " ".join(STATEMENTS)
    missing = sorted(word for word in mine if word not in text)
    assert not missing, f"add statements with {', '.join(missing)} to STATEMENTS"


SPACES = ["", ",local"]
SHAPES = ["", "x4", "x?", "x4x8", "x?x8", "x4x?", "x1x2x3", "x1x2x3x4", "x1x2x?x4x5"]
MEMREFS = [f"memref<{t}{s}{m}>" for t in SCALAR_TYPES for s in SHAPES for m in SPACES]
STRIDED = [
    "memref<f32x4,strided<2>>",
    "memref<f32x4x4,strided<1,8>>",
    "memref<f32x4x4,strided<1,?>,local>",
    "memref<f32x4x4,strided<?,?>>",
    "memref<f32x?x4,strided<1,8>>",
    "memref<f32x1x2x3x4x5,strided<1,2,4,12,96>>",
]
GROUPS = [
    f"group<{m}x{n}{offset}>"
    for m in ("memref<f32>", "memref<f64x4x?>", "memref<c64x4x4,strided<1,?>>")
    for n in ("?", "12")
    for offset in ("", ", offset: 4", ", offset: ?")
]
COOPERATIVE = [f"coopmatrix<{t}x8x16,matrix_{u}>" for t in SCALAR_TYPES for u in ("a", "b", "acc")]


@pytest.mark.parametrize("types", [[*SCALAR_TYPES, "bool", "void"], MEMREFS, STRIDED, GROUPS, COOPERATIVE])
def test_every_type(types):
    assert [str(parse_type(text)) for text in types] == types


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        ("memref<f32x5x6x7,strided<1,5,30>>", "memref<f32x5x6x7>"),
        ("memref<f32x5x?,strided<1,5>>", "memref<f32x5x?>"),
        ("memref<f32,strided<>>", "memref<f32>"),
        ("memref<f32x4,global>", "memref<f32x4>"),
        ("memref<f32x4,strided<1>,global>", "memref<f32x4>"),
        ("memref < f32 x 4\nx+8 , strided < 1 , ; a comment\n 9 > , local >", "memref<f32x4x8,strided<1,9>,local>"),
        ("group<memref<f32x4>x?,offset:0>", "group<memref<f32x4>x?>"),
        ("group < memref<f32> x 3 , offset : ? >", "group<memref<f32>x3, offset: ?>"),
        ("coopmatrix < f32 x 8 x 16 , matrix_acc >", "coopmatrix<f32x8x16,matrix_acc>"),
    ],
)
def test_types_that_are_printed_shorter(text, canonical):
    assert str(parse_type(text)) == canonical


def constants(*lines: str) -> list[str]:
    body = "\n".join(f"%c{n} = constant {line}" for n, line in enumerate(lines))
    printed = once(f"func @f() {{\n{body}\n}}")
    assert once(printed) == printed
    return [line.split("constant ")[1].split(" : ")[0] for line in printed.splitlines() if "constant" in line]


@pytest.mark.parametrize(
    ("written", "value"),
    [
        ("0.", 0.0),
        (".5", 0.5),
        ("1.5", 1.5),
        ("+2.", 2.0),
        ("-.25", -0.25),
        ("1e3", 1000.0),
        ("1E+3", 1000.0),
        ("25.e-1", 2.5),
        ("25.0e-01", 2.5),
        ("0x1p3", 8.0),
        ("0X1.8P+1", 3.0),
        ("-0x.8p0", -0.5),
        ("0xa.", 10.0),
        ("0xA.8", 10.5),
        ("0x1p-1074", 5e-324),
        ("0x1.fffffffffffffp+1023", 1.7976931348623157e308),
        ("0.1", 0.1),
        ("-0.0", -0.0),
        ("123456789012345678901234567890.0", 123456789012345678901234567890.0),
    ],
)
def test_floating_constants_of_every_grammar_form(written, value):
    (printed,) = constants(f"{written} : f64")
    assert float.fromhex(printed).hex() == value.hex()


@pytest.mark.parametrize(
    ("type_", "written", "printed"),
    [
        ("f32", "0.1", "0x1.99999ap-4"),
        ("f16", "0.1", "0x1.998p-4"),
        ("bf16", "0.1", "0x1.9ap-4"),
        ("f32", "1e-46", "0x0p+0"),
        ("f32", "-1e-46", "-0x0p+0"),
        ("f16", "65504.0", "0x1.ffcp+15"),
        ("c32", "[0.1, -0.1]", "[0x1.99999ap-4,-0x1.99999ap-4]"),
        ("c64", "[1e0,-0.]", "[0x1p+0,-0x0p+0]"),
    ],
)
def test_a_floating_constant_is_rounded_to_its_type(type_, written, printed):
    assert constants(f"{written} : {type_}") == [printed]


def test_integer_extremes():
    extremes = {"i8": (-128, 127), "i16": (-32768, 32767), "i32": (-(2**31), 2**31 - 1)}
    extremes |= dict.fromkeys(("i64", "index"), (-(2**63) + 1, 2**63 - 1))
    for type_, (least, most) in extremes.items():
        assert constants(f"{least} : {type_}", f"+{most} : {type_}") == [str(least), str(most)]


def test_leading_zeros_do_not_make_a_number_long():
    assert constants("0000000000000000000000000000000007 : i8") == ["7"]


FIBONACCI = """func @fibonacci(%out: memref<i64>) {
  %from = constant 2 : i32
  %to = constant 6 : i32
  %f0 = constant 0 : i64
  %f1 = constant 1 : i64
  %fn_1, %fn = for %n: i32 = %from, %to init(%fn_2=%f0, %fn_1=%f1) -> (i64, i64) {
    %fn = arith.add %fn_2, %fn_1 : i64
    yield (%fn_1, %fn)
  }
  store %fn, %out[]
}"""


def test_names_may_be_used_again_after_their_region():
    assert once(FIBONACCI) == FIBONACCI


def test_siblings_share_names_and_unnamed_values_are_numbered_in_order():
    text = "func @f(%p: bool) { if %p { %t = constant 1:i8 %7 = constant 2:i8 } else { %t = constant 3:i8 } }"
    assert once(text) == (
        "func @f(%p: bool) {\n"
        "  if %p {\n"
        "    %t = constant 1 : i8\n"
        "    %0 = constant 2 : i8\n"
        "  } else {\n"
        "    %t = constant 3 : i8\n"
        "  }\n"
        "}"
    )


def test_parameters_stand_below_each_other_with_their_attributes():
    text = (
        "func @f(%a: memref<f32x4x?>{alignment=64, shape_gcd=[4,2], stride_gcd=[1,4]},\n"
        '        %b: group<memref<f32x4>x?, offset: 8>{"of"="the user", shape_gcd=[]},\n'
        '        %1: index) attributes{subgroup_size=16, work_group_size=[16,2], "s"=" !#~\'\\"} {\n'
        "}"
    )
    assert once(text) == text.replace("%1", "%0")


def test_several_functions_with_numbers_as_names():
    assert once("func @1() {} func @f_2() {}") == ("func @1() {\n}\n\nfunc @f_2() {\n}")


def test_white_space_and_comments_mean_nothing():
    dense = (
        "func@f(%a:memref<f32x4x4>,%x:f32,%n:index){%0=load%a[%n,%n]:f32 "
        "gemm.n.t%x,%a,%a,%0,%a for%i=%n,%n{%p=cmp.lt%x,%x:bool if%p{store%x,%a[%i,%i]}else{}}}"
    )
    tokens = re.sub(r"[(){}<>,:=]|[\[\]]", lambda sign: f'\n {sign.group()} ; {{ comment }} " : %\n\t', dense)
    tokens = tokens.replace("gemm.n.t", "gemm ; modifiers are tokens\n .n\r\n.t ").replace("x4", " x 4")
    assert once(tokens) == once(dense)
    assert once(dense).count("\n") == 12


@pytest.mark.at_night
def test_strict_reading_of_a_canonical_text_finds_nothing():
    for statement in STATEMENTS:
        parsed = parse_text(once(HEADER + statement + "\n}"), strict=True)
        assert parsed.diagnostics.items == []
