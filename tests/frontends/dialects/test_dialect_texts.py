"""Texts of the dialect 0.4, one for each construct and each restriction, with verdicts and canonical forms."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from dialects_kit import read_texts, said_and_printed
from ir.test_rules import MISTAKES

import pytl
from pytl.frontends.registry import find_frontend
from pytl.ir.text import parse_text
from pytl.ir.values import Module
from pytl.ir.verifier import find_problems

pytestmark = pytest.mark.at_most(4)


def test_each_text_has_its_verdict_and_its_canonical_form() -> None:
    texts = list(read_texts())
    assert len(texts) >= 100
    for text in texts:
        verdict, printed = said_and_printed(text.body)
        assert verdict == text.verdict, text.body
        if verdict == "ok":
            assert printed == text.canonical
            assert said_and_printed(printed) == ("ok", printed)


CANONICAL = Path(__file__).parent / "canonical.tinytc"
"""Every construct, as the dialect's own tools print it: blanks, line breaks, what is left out, numbers of values."""


def test_what_is_canonical_is_printed_byte_for_byte() -> None:
    text = CANONICAL.read_text()
    module = pytl.parse(text, str(CANONICAL))
    assert [d.message for d in find_problems(module).errors] == []
    assert find_frontend("0.4", "").write(module) == text


def test_places_of_sub_groups_are_written_where_they_still_are_that() -> None:
    text = CANONICAL.read_text().partition("func @places")[2]
    (function,) = pytl.parse(f"func @places{text}", language="0.4").functions
    frontend = find_frontend("0.4", "")
    assert frontend.write(pytl.parse(str(function))).count("num_subgroups") == 0, "the manual's text has numbers"
    function.attributes["work_group_size"] = [4, 3]
    shown = frontend.write(Module([function]))
    assert "subgroup_id.z" in shown and "num_subgroups.z" in shown and "num_subgroups.y" in shown
    assert "subgroup_id.x" not in shown and "num_subgroups.x" not in shown


def test_each_restriction_of_the_manual_holds_in_the_dialect() -> None:
    """The texts that break one rule each, written in the dialect, break the same rule of it."""
    frontend, same, other, unsaid = find_frontend("0.4", ""), set(), set(), set()
    for mistake in MISTAKES:
        parsed = parse_text(mistake.text)
        wanted = [found.code for found in find_problems(parsed.module).items]
        if parsed.diagnostics.errors or not wanted:
            continue  # of the grammar, which is the dialect's own
        try:
            shown = frontend.write(parsed.module)
        except pytl.LanguageError:
            unsaid.add(f"PYTL-{mistake.code}")
            continue
        again = frontend.read(shown, "<text>")
        found = [d.code for d in again.diagnostics.errors or find_problems(again.module).items]
        (same if found == wanted else other).add(f"PYTL-{mistake.code}")
    assert len(same) >= 130
    # an alloca is local by itself, matrices may change their use, and these constants cannot be written
    assert other <= {"PYTL-0311", "PYTL-0406", "PYTL-0420", "PYTL-0422"}
    # of lifetime_stop, num_subgroups, tiles, subscripts and calls alone
    assert all(code in same or code[5:7] in ("03", "04", "06", "11") for code in unsaid)


TEMPLATE = """$n = 8
$mat = memref<$ty x $n x?>
func @fill(%A: $mat) {
    %x = constant $x : $ty
    %c0 = constant 0 : index
    %c = constant $n : index
    %m = size %A[1] : index
    foreach (%i,%j)=(%c0,%c0),(%c,%m) {
        store %x, %A[%i,%j]
    }
}
"""


def test_a_template_is_filled_by_its_caller() -> None:
    """What the caller gives wins over the text; a text gives what it stands for."""
    for given, dtype in (({"ty": "f32", "x": 2.5}, np.float32), ({"ty": "i16", "x": 3, "n": 4}, np.int16)):
        kernel = pytl.compile(TEMPLATE, "fill.tinytc", definitions=given)["fill"]
        rows = given.get("n", 8)
        a = np.zeros((5, rows), dtype)
        kernel[1](a.T, backend="reference")
        assert (a == given["x"]).all()
        assert str(kernel.function.parameters[0].type) == f"memref<{given['ty']}x{rows}x?>"


def test_messages_point_into_the_template_and_name_what_stands_there() -> None:
    text = TEMPLATE.replace("%A[%i,%j]", "%A[%i]")
    with pytest.raises(pytl.LanguageError) as caught:
        pytl.verify(pytl.parse(text.replace("$n x?", "$n x 7"), "fill.tinytc", definitions={"ty": "f64", "x": 1.0}))
    (found,) = caught.value.diagnostics
    assert (found.code, found.location.line) == ("PYTL-0412", 9)
    text = TEMPLATE.replace("constant $n : index", "constant $n : $ty")
    with pytest.raises(pytl.LanguageError) as caught:
        pytl.verify(pytl.parse(text, "fill.tinytc", definitions={"ty": "f64", "x": 1.0}))
    (found, *_) = caught.value.diagnostics
    assert (found.code, found.location.line) == ("PYTL-0420", 6)
    assert [label.text for label in found.labels] == ["line 1 says $n = 8", "the caller says $ty = f64"]


@pytest.mark.parametrize(
    "given, code, message",
    [
        ({"2x": 1}, "PYTL-1262", "no variable is called '2x'"),
        ({"ty": "f33"}, "PYTL-0001", "expected a type, but found `f33`"),
        ({"ty": "f32 f32"}, "PYTL-0001", "expected the end of the value, but found `f32`"),
        ({"ty": None}, "PYTL-1264", "$ty is given an object of type NoneType"),
        ({"ty": np.float32}, "PYTL-1264", "$ty is given an object of type type"),
        ([("ty", "f32")], "PYTL-1264", "definitions is an object of type list"),
        ("ty=f32", "PYTL-1264", "definitions is an object of type str"),
        ({}, "PYTL-1262", "$ty is not defined here"),
        ({"ty": 4}, "PYTL-1264", "$ty is an integer constant, but a scalar type is wanted here"),
        ({"ty": "f32", "x": 10**5000}, "PYTL-0005", "$x is given an integer that does not fit into 64 bits"),
        ({"ty": "f32", "x": "9" * 30}, "PYTL-0005", f"{'9' * 30} does not fit into 64 bits"),
        ({"ty": "f32 } func @g() {"}, "PYTL-0001", "expected the end of the value, but found `}`"),
    ],
)
def test_what_callers_give_wrongly(given: dict, code: str, message: str) -> None:
    with pytest.raises(pytl.LanguageError) as caught:
        pytl.parse(TEMPLATE, language="0.4", definitions=given)
    assert (caught.value.diagnostics[0].code, caught.value.diagnostics[0].message) == (code, message)


def test_numbers_of_numpy_and_types_of_kernels_are_given_as_well() -> None:
    text = "func @f(%A: $mat, %b: memref<$ty x $n>) { %z = constant $z : $ty %i = constant 1 : index store %z, %b[%i] }"
    given = {"mat": pytl.Memref[pytl.f32, 4, ...], "ty": pytl.f64, "n": np.int16(3), "z": np.float32(0.5)}
    kernel = pytl.compile(text, language="0.4", definitions=given)["f"]
    assert [str(value.type) for value in kernel.function.parameters] == ["memref<f32x4x?>", "memref<f64x3>"]
    b = np.zeros(3)
    kernel[1](np.zeros((4, 2), np.float32, order="F"), b, backend="reference")
    assert b.tolist() == [0, 0.5, 0]


def chain(first: str, step: str, count: int) -> str:
    """Definitions, each made of the one before."""
    lines = [f"$a0 = {first}", *(f"$a{i + 1} = {step.replace('$', f'$a{i}')}" for i in range(count))]
    return "\n".join([*lines, f'func @f(%n: index) {{ for %i=%n,%n {{ }} attributes{{"mine"=$a{count}}} }}'])


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        (chain("[1,1]", "[$,$]", 60), "PYTL-1272: with $a16, compile-time variables stand for more than 1000000"),
        (chain("1", '{"a"=$, "b"=$}', 60), "PYTL-1272: with $a17, compile-time variables stand for more than"),
        (chain("[1]", "[$]", 5000), "PYTL-1272: $a32 stands for attributes that are nested more than 32 deep"),
        (chain(f'"{"x" * 100_000}"', "[$,$,$,$]", 3), "PYTL-1272: with $a1, compile-time variables stand for more"),
        (f"$a = {'[' * 100_000}", "PYTL-0001: attributes are nested more than 32 deep"),
        (f"$a = {'9' * 100_000}", f"PYTL-0005: {'9' * 20}…{'9' * 10} does not fit into 64 bits"),
        ("$a = !calc(2 1000000000 ^)", "PYTL-1265: 2 1000000000 ^ is not an integer of 64 bits"),
        (f"$a = !calc({'9' * 100_000} 1 +)", "PYTL-1265: the number does not fit into 64 bits"),
        (f"$a = !calc({'1 ' * 50_000})", "PYTL-1265: 50000 numbers are left, and not one"),
        ("$a = !calc(1 0 -9223372036854775807 shl)", "PYTL-1265: 0 -9223372036854775807 shl is not an integer"),
        ("$a = $b\n$b = $a", "PYTL-1262: $b is not defined here"),
        ("$t = memref<f32x$t>", "PYTL-1262: $t is not defined here"),
    ],
)
def test_what_variables_stand_for_is_bounded(text: str, wanted: str) -> None:
    """Neither a crash, nor time or memory that grows faster than the text."""
    with pytest.raises(pytl.LanguageError) as caught:
        pytl.parse(text, language="0.4")
    found = caught.value.diagnostics[0]
    assert f"{found.code}: {found.message}".startswith(wanted)
    assert len(str(caught.value)) < 1_000_000


def test_long_templates_are_read() -> None:
    text = chain("1", "!calc($ 1 +)", 2000).partition("func")[0]
    module = pytl.parse(f"{text}func @f(%a: memref<f32x$a2000>) {{ }}", language="0.4")
    assert str(module["f"].parameters[0].type) == "memref<f32x2001>"


@pytest.mark.parametrize(
    ("calculation", "value"),
    [
        ("7 -2 /", -3), ("-7 2 %", -1), ("7 -2 %", 1), ("2 62 ^", 2**62), ("0 0 ^", 1), ("+5 -3 +", 2),
        ("-1 9223372036854775807 ^", -1),
        ("0 9223372036854775807 ^", 0), ("3 4 min", 3), ("3 -4 max", 3), ("1 62 shl", 2**62), ("-3 2 shl", -12),
        ("2 3 4 * +", 14), ("-9223372036854775807 -1 *", 2**63 - 1), ("10 2 3 ^ - 4 /", 0),
    ],
)  # fmt: skip
def test_each_operator(calculation: str, value: int) -> None:
    text = f"func @f(%a: memref<i64>) {{ $n = !calc({calculation}) %r = constant $n : i64 store %r, %a[] }}"
    (constant, _) = pytl.parse(text, language="0.4")["f"].body.operations
    assert constant.literal == value


def test_other_languages_have_no_variables() -> None:
    with pytest.raises(pytl.LanguageError, match="PYTL-1266"):
        pytl.parse("func @f() { }", definitions={"n": 1})


def test_sub_groups_have_places_along_x_and_y() -> None:
    """They are read as what the manual has: the sub-group's number, in work-groups whose attributes say their sizes."""
    text = """func @f(%A: memref<i32x2x3x4>) attributes{subgroup_size=4, work_group_size=[8,3]} {
  parallel {
    %x = subgroup_id.x : i32
    %y = subgroup_id.y : i32
    %z = subgroup_id.z : i32
    %nx = num_subgroups.x : i32
    %ny = num_subgroups.y : i32
    %nz = num_subgroups.z : i32
    %linear = subgroup_linear_id : i32
    %l = subgroup_local_id : i32
    %a = mul %ny, %linear : i32
    %b = add %a, %nx : i32
    %c = mul %b, %nz : i32
    %d = add %c, %z : i32
    %i = cast %x : index
    %j = cast %y : index
    %k = cast %l : index
    store %d, %A[%i,%j,%k]
  }
}"""
    a = np.zeros((4, 3, 2), np.int32)
    pytl.compile(text, language="0.4")["f"][1](a.T, backend="reference")
    x, y = np.meshgrid(np.arange(2), np.arange(3), indexing="ij")
    np.testing.assert_array_equal(a.T, np.broadcast_to((3 * (x + 2 * y) + 2)[:, :, None], (2, 3, 4)))


PLACES = """func @f(%A: memref<i32x8x64>) ATTRIBUTES {
  parallel {
    %s = subgroup_size : i32
    %linear = subgroup_linear_id : i32
    %l = subgroup_local_id : i32
    %a = mul %linear, %s : i32
    %b = add %a, %l : i32
    %item = cast %b : index
    %0 = subgroup_id.x : i32
    %1 = subgroup_id.y : i32
    %2 = subgroup_id.z : i32
    %3 = num_subgroups.x : i32
    %4 = num_subgroups.y : i32
    %5 = num_subgroups.z : i32
    %i0 = constant 0 : index
    %i1 = constant 1 : index
    %i2 = constant 2 : index
    %i3 = constant 3 : index
    %i4 = constant 4 : index
    %i5 = constant 5 : index
    %i6 = constant 6 : index
    %i7 = constant 7 : index
    store %0, %A[%i0,%item]
    store %1, %A[%i1,%item]
    store %2, %A[%i2,%item]
    store %3, %A[%i3,%item]
    store %4, %A[%i4,%item]
    store %5, %A[%i5,%item]
    store %s, %A[%i6,%item]
    store %linear, %A[%i7,%item]
  }
}"""


BACKENDS: list[Any] = [
    ("reference", {}),
    ("sycl", {"strategy": "one-item"}),
    ("sycl", {"strategy": "many-items"}),
    ("opencl", {}),
    pytest.param(("mlir", {}), marks=pytest.mark.tools_of("mlir")),
    pytest.param(("arm_sme", {}), marks=pytest.mark.tools_of("arm_sme")),
]


@pytest.mark.at_most(1)
@pytest.mark.parametrize("way", BACKENDS)
@pytest.mark.parametrize(
    ("attributes", "subgroup_size", "along_x", "along_y"),
    [
        ("", 16, 1, 1),
        ("attributes{subgroup_size=8}", 8, 1, 1),
        ("attributes{work_group_size=[32,2]}", 16, 2, 2),
        ("attributes{work_group_size=[24,2]}", 8, 3, 2),
        ("attributes{subgroup_size=4, work_group_size=[8,3]}", 4, 2, 3),
    ],
)
def test_sub_groups_have_places_whatever_the_attributes_leave_open(
    way: tuple[str, dict], attributes: str, subgroup_size: int, along_x: int, along_y: int
) -> None:
    kernel = pytl.compile(PLACES.replace("ATTRIBUTES", attributes), language="0.4")["f"]
    backend, options = way
    found = np.full((64, 8), -1, np.int32)
    kernel[1, options](found.T, backend=backend)
    items = np.arange(along_x * along_y * subgroup_size)
    number = items // subgroup_size
    rows = [number % along_x, number // along_x, 0, along_x, along_y, 1, subgroup_size, number]
    wanted = np.full((8, 64), -1, np.int32)
    for row, numbers in enumerate(rows):
        wanted[row, items] = numbers
    np.testing.assert_array_equal(found.T, wanted)
    again = pytl.parse(kernel.ir(dialect="0.4"), language="0.4")["f"]
    assert str(again) == str(kernel.function), "the words are written again, and read as the same"


@pytest.mark.parametrize("wrong", ["subgroup_size=0", "work_group_size=[16]", 'work_group_size=["a",1]'])
def test_wrong_sizes_are_told_and_nothing_of_the_places_that_follow_from_them(wrong: str) -> None:
    with pytest.raises(pytl.LanguageError) as caught:
        pytl.compile(PLACES.replace("ATTRIBUTES", f"attributes{{{wrong}}}"), language="0.4")
    assert [found.code for found in caught.value.diagnostics] == ["PYTL-0106"]
