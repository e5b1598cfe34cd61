"""Every rule that a text can break: the least text that breaks it, with line and message of what is found."""

import re
from dataclasses import dataclass
from pathlib import Path

import pytest

import pytl
from pytl.diagnostics import all_rules
from pytl.ir.text import parse_text
from pytl.ir.verifier import find_problems

HEADER = (
    "func @f(%a: memref<f32x4x8>, %v: memref<f32x4>, %s: memref<f32>, %z: memref<c32x4>, %g: group<memref<f32x4>x3>,"
    " %d: memref<f32x?>, %x: f32, %i: i32, %n: index, %p: bool, %c: c32) { store %x, %s[] "
)
"""The parameters of the bodies below, in the same line as the body's first."""


def body(text):
    return f"{HEADER}{text}\n}}"


@dataclass(frozen=True)
class Mistake:
    """A text with one mistake; in mistakes.txt, `CODE [in a body, ]line LINE: MESSAGE` above the indented text."""

    code: str
    line: int
    message: str
    text: str

    def __str__(self):
        return f"{self.code} {self.message}"


def read_mistakes():
    blocks = (Path(__file__).parent / "mistakes.txt").read_bytes().decode().rstrip("\n").split("\n\n")
    for block in blocks:
        head, *lines = block.split("\n")
        code, inside, line, message = re.fullmatch(r"(\d+) (in a body, )?line (\d+): (.*)", head).groups()
        text = "\n".join(line.removeprefix("    ") for line in lines)
        yield Mistake(code, int(line), message, body(text) if inside else text)


MISTAKES = list(read_mistakes())


def findings(text):
    parsed = parse_text(text)
    found = [*parsed.diagnostics.items, *find_problems(parsed.module).items]
    for severity in ("error", "warning", "note"):
        severest = [d for d in found if d.severity == severity]
        if severest:
            return [(d.code.removeprefix("PYTL-"), d.location.line, d.message) for d in severest]
    return []


@pytest.mark.parametrize("mistake", MISTAKES, ids=str)
def test_mistake(mistake):
    assert findings(mistake.text) == [(mistake.code, mistake.line, mistake.message)]


@pytest.mark.additions
def test_the_table_has_every_rule_that_a_text_can_break():
    beyond_text = {
        "PYTL-0204",  # a text that breaks it breaks PYTL-0006
        "PYTL-0030",  # characters that the table's file doesn't have either: tests/backends/test_quoting.py
        "PYTL-0031",  # of IR that was made by hand: as above
        "PYTL-0032",
        "PYTL-0671",  # of the backend xegpu: tests/ops/test_matrix_functions.py
        "PYTL-0645",  # of a launch: tests/diagnostics
        "PYTL-0687",
        "PYTL-0698",
        "PYTL-0647",  # of a pass: tests/ops/test_tile_layouts.py
    }
    # rules of subscripts are tested in tests/frontends/test_contract.py, those of affine maps in tests/mlir/affine
    elsewhere = ("PYTL-0690", "PYTL-0691", "PYTL-0692", "PYTL-0693", "PYTL-0694", "PYTL-070", "PYTL-071")
    rules = {rule.code for rule in all_rules() if rule.code < "PYTL-1000" and not rule.code.startswith(elsewhere)}
    rules |= {rule.code for rule in all_rules() if rule.section == "Calls" and rule.code < "PYTL-1110"}
    made = {f"PYTL-{mistake.code}" for mistake in MISTAKES}
    missing = sorted(rules - beyond_text - made)
    assert not missing, f"add a text that breaks {', '.join(missing)} to tests/ir/mistakes.txt"
    assert made <= rules - beyond_text


def test_verify_raises_all_errors_at_once():
    text = """func @f(%a: memref<f32x4>, %x: f32, %i: i32) {
  store %i, %a[5]
  %y = arith.add %x, %i : f32
  %z = constant 300 : i8
}"""
    with pytest.raises(pytl.LanguageError) as caught:
        pytl.verify(pytl.parse(text))
    found = [(d.code, d.location.line) for d in caught.value.diagnostics]
    assert found == [("PYTL-0415", 2), ("PYTL-0413", 2), ("PYTL-0401", 3), ("PYTL-0421", 4)]
    assert str(caught.value).endswith("\n\n4 errors")


REGIONS = """func @f(%n: index, %p: bool, %x: f32, %a: memref<f32x4>) {
  foreach (%i) = (%n), (%n) {
    if %p {
      %y = arith.neg %x : f32
      store %y, %a[%i]
    }
    store %x, %a[%i]
  }
  store %x, %a[%n]
}"""


@pytest.mark.parametrize("part", ["data", "indices"])
@pytest.mark.parametrize("behind", ["y", "i"])
def test_a_value_of_a_region_is_not_visible_behind_it(part, behind):
    """IR that was made by hand, for a text names nothing that is not visible."""
    module = pytl.parse(REGIONS)
    foreach, last = module.functions[0].body.operations
    branch, inner = foreach.body.operations
    (value,) = foreach.variables if behind == "i" else branch.then_body.operations[0].results
    user = last if behind == "i" else inner
    setattr(user, part, [value] if part == "indices" else value)
    found = [(d.code, d.message) for d in find_problems(module).errors if d.code == "PYTL-0204"]
    assert found == [("PYTL-0204", f"store uses %{behind} where it is not defined")]


def test_a_value_that_is_not_defined_is_told_once():
    assert findings(body("%y = arith.add %q, %x : f32 %r = arith.neg %y : f32")) == [
        ("0006", 1, "%q is not defined here")
    ]


def test_uses_of_a_value_whose_instruction_is_broken_are_no_further_errors():
    text = """
%y = frobnicate %x : f32
%r = arith.add %y, %x : f32
store %y, %v[%n]"""
    assert findings(body(text)) == [("0002", 2, "there is no instruction `frobnicate`")]


def test_a_kernel_of_which_a_part_could_not_be_read_is_not_said_to_have_no_effect():
    assert findings("func @f(%x: f32, %s: memref<f32>) { stor %x, %s[] }") == [
        ("0002", 1, "there is no instruction `stor`")
    ]


def test_a_yield_that_could_not_be_read_is_not_missed():
    text = """%r = if %p -> (f32) {
  yield (%x
} else {
  yield (%x)
}"""
    assert findings(body(text)) == [("0001", 3, "expected `)`, but found `}`")]


def test_rules_hold_at_any_depth():
    text = """foreach (%j) = (%n), (%n) {
  for %k = %n, %n {
    if %p {
      axpby.n %x, %v, %x, %v
    } else {
      parallel {
      }
    }
  }
}"""
    assert [(code, line) for code, line, _ in findings(body(text))] == [("0201", 4), ("0201", 6)]


@pytest.mark.parametrize("shape", ["4", "?"])
@pytest.mark.parametrize("other", ["4", "?"])
def test_a_static_size_never_equals_a_dynamic_one(shape, other):
    text = f"func @f(%a: memref<f32x{shape}>, %b: memref<f32x{other}>, %x: f32) {{ axpby.n %x, %a, %x, %b }}"
    assert bool(findings(text)) == (shape != other)


RELATION = {
    "i8": "i8 i16 i32 i64 bf16 f16 f32 f64 c32 c64",
    "i16": "i16 i32 i64 f32 f64 c32 c64",
    "i32": "i32 i64 f64 c32 c64",
    "i64": "i64",
    "bf16": "bf16 f32 f64 c32 c64",
    "f16": "f16 f32 f64 c32 c64",
    "f32": "f32 f64 c32 c64",
    "f64": "f64 c64",
    "c32": "c32 c64",
    "c64": "c64",
}


@pytest.mark.parametrize("source", RELATION)
def test_promotion_follows_the_matrix_of_the_manual(source):
    for target in RELATION:
        text = (
            f"func @f(%a: memref<{target}x4>, %x: {source}, %y: {target}, %s: memref<{source}x4>) {{\n"
            f"axpby.n %x, %a, %y, %a\n axpby.n %y, %a, %x, %a\n axpby.n %x, %s, %y, %a\n}}"
        )
        codes = [code for code, *_ in findings(text)]
        assert codes == ([] if target in RELATION[source].split() else ["0322", "0323", "0322"])


@pytest.mark.parametrize("end", range(1, 7))
def test_a_slice_may_end_where_its_mode_ends(end):
    for offset in range(end):
        text = body(f"%r = subview %v[{offset}:{end - offset}] : memref<f32x{end - offset}>")
        assert bool(findings(text)) == (end > 4)
        assert bool(findings(body(f"%r = subview %v[{end - 1}] : memref<f32>"))) == (end > 4)


@pytest.mark.parametrize("type_", ["i8", "i16", "i32", "i64", "index"])
def test_integer_constants_at_the_ends_of_their_range(type_):
    bits = {"i8": 8, "i16": 16, "i32": 32}.get(type_, 64)
    most = 2 ** (bits - 1) - 1
    least = -most if bits == 64 else -most - 1
    for value in (least, most):
        assert findings(body(f"%r = constant {value} : {type_}")) == []
    for value in (least - 1, most + 1):
        assert len(findings(body(f"%r = constant {value} : {type_}"))) == 1
