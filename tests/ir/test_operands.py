"""Whatever stands in an operand's place: it is answered with diagnostics, or is right, and never with an exception."""

from __future__ import annotations

import re

import pytest
from passes.test_every_instruction import TEXT

import pytl
from pytl.diagnostics import render_all
from pytl.ir.text import parse_text
from pytl.ir.verifier import find_problems

pytestmark = pytest.mark.at_most(4)

HEAD, BODY = TEXT.split(" {\n", 1)
LINES = BODY.splitlines()
LITERALS = ("-9223372036854775808", "1.5", "[1.0,2.0]", "true")
NAMES = ("%a", "%g", "%x", "%p", "%start", "%nowhere", "@f", "f32", "?", "")
PLACE = re.compile(r"%\w+|(?<![%\w.x])-?\d+(?![\w.])")


def places(line: str) -> list[tuple[int, int]]:
    """Where operands stand, and numbers that are parts of the syntax."""
    begin = line.index(" = ") if re.match(r" *%\w+(, *%\w+)* = ", line) else 0
    return [found.span() for found in PLACE.finditer(line, begin)]


def variants(line: str) -> list[str]:
    """The line with something else in each of its places; each variant has results of its own."""
    found = []
    for start, end in places(line):
        for other in (*LITERALS, *NAMES):
            changed = line[:start] + other + line[end:]
            results, equals, rest = changed.partition(" = ")
            if equals and start > len(results):
                changed = re.sub(r"%(\w+)", rf"%\1_{len(found)}", results) + equals + rest
            found.append(changed)
    return found


@pytest.mark.parametrize("number", [k for k, line in enumerate(LINES) if places(line)])
def test_what_stands_in_the_place_of_an_operand(number: int) -> None:
    changed = variants(LINES[number])
    # one behind the other, unless they open regions; the regions that are open then are told as such
    for lines in [[line] for line in changed] if "{" in LINES[number] else [changed]:
        text = "\n".join([HEAD + " {", *LINES[:number], *lines])
        parsed = parse_text(text)
        found = [*parsed.diagnostics.items, *find_problems(parsed.module).items]
        assert render_all(found).count("= rule:") == len(found)
        assert all(d.location is not None for d in found)


@pytest.mark.parametrize("literal", ["-9223372036854775808", "1", "1.0", "true", "[1.0,2.0]"])
@pytest.mark.parametrize(
    "instruction",
    [
        "%r = subview {}[14:4] : memref<f32x4>",
        "%r = load {}[%n] : f32",
        "store %x, {}[%n]",
        "store 1.0, {}[%n]",
        "%r = size {}[0] : index",
        "%r = fuse {}[0,1] : memref<f32x16>",
        "%r = expand {}[0->2x4] : memref<f32x2x4>",
        "lifetime_stop {}",
        "axpby.n 1.0, {}, 1.0, %a",
        "axpby.n 1.0, %a, 1.0, {}",
        "gemm.n.n %x, {}, %a, %x, %a",
        "%r = cooperative_matrix_load.n {}[%n,%n] : coopmatrix<f32x4x4,matrix_acc>",
        "cooperative_matrix_store {}, %a[%n,%n]",
        "%r = cooperative_matrix_mul_add {}, {}, {} : coopmatrix<f32x4x4,matrix_acc>",
        "%r = cooperative_matrix_scale %x, {} : coopmatrix<f32x4x4,matrix_acc>",
        "%r = cooperative_matrix_scale 1.0, {} : coopmatrix<f32x4x4,matrix_acc>",
    ],
)
def test_a_literal_is_no_tensor(instruction: str, literal: str) -> None:
    text = f"func @f(%a: memref<f32x8x8>, %x: f32, %n: index) {{\n  {instruction.format(*[literal] * 3)}\n}}"
    with pytest.raises(pytl.LanguageError) as caught:
        pytl.compile(text)
    of_literal = [d for d in caught.value.diagnostics if d.code == "PYTL-0011"]
    assert len(of_literal) == instruction.count("{}")
    assert all(d.message.endswith("must be a value, not a literal") for d in of_literal)
    assert {d.code for d in caught.value.diagnostics} <= {"PYTL-0011", "PYTL-0005", "PYTL-0020"}
