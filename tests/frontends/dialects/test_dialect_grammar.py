"""What the grammar and the checks of the releases read and refuse, form by form, beside what pytl says.

The releases' verdicts were found by reading public sources, which docs/notes/text.md lists; no release was run.

grammar_03.txt and grammar_04.txt have a text in each line, behind what is said of it: `ok`, or the code of the first
error, where pytl says what the release does; `looser`, with the note's code, where pytl reads what the release refuses;
and `stricter`, with the error's code, where pytl refuses what the release reads. A text is the body of a function, of
which the file's first lines are the head and the end, or has a function of its own. docs/notes/text.md says why the two
differ.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

import pytl
from pytl.frontends.registry import find_frontend
from pytl.ir.verifier import find_problems

FOLDER = Path(__file__).parent


def texts_of(dialect: str) -> Iterator[tuple[str, str]]:
    head, *end, rows = (FOLDER / f"grammar_{dialect.replace('.', '')}.txt").read_text().split("\n", 3)
    for row in rows.strip().split("\n"):
        said, _, body = row.partition(": ")
        body = body.replace("\\n", "\n")
        yield said, body if "func @" in body else "\n".join([head, body, *end])


def said_of(dialect: str, text: str) -> tuple[str | None, str | None]:
    """The codes of the first error and of the first note on a text, which comes back as it was written."""
    frontend = find_frontend(dialect, "")
    parsed = frontend.read(text, "<text>")
    notes = [found.code for found in parsed.diagnostics.items if found.severity == "note"]
    errors = parsed.diagnostics.errors or find_problems(parsed.module).errors
    if errors:
        return errors[0].code, None
    written = frontend.write(parsed.module)
    assert frontend.write(pytl.parse(written, language=dialect)) == written, text
    return None, notes[0] if notes else "-"


@pytest.mark.at_most(1)
@pytest.mark.parametrize(("dialect", "least"), [("0.3", 150), ("0.4", 350)])
def test_each_form_has_its_verdict(dialect: str, least: int) -> None:
    texts = list(texts_of(dialect))
    assert len(texts) >= least
    for said, text in texts:
        error, note = said_of(dialect, text)
        if said == "ok":
            assert error is None, (error, text)
        elif said.startswith("looser "):
            assert (error, note) == (None, said.removeprefix("looser ")), text
        else:
            assert error == said.removeprefix("stricter "), text


HEAD = "func @f(%i: i32, %x: memref<f32x4>, %y: memref<f32x4>) {"
NUMBERS = {
    "axpby.n %i, %x, 0, %y : i32, memref<f32x4>, i32, memref<f32x4>": lambda i, x, y: i * x,
    "axpby.n 3, %x, %i, %y : i64, memref<f32x4>, i32, memref<f32x4>": lambda i, x, y: 3 * x + i * y,
    "axpby.n true, %x, false, %y : f32, memref<f32x4>, f32, memref<f32x4>": lambda i, x, y: x,
    "if 1 { axpby.n 1.0, %x, 1.0, %y : f32, memref<f32x4>, f32, memref<f32x4> }": lambda i, x, y: x + y,
    "if false { axpby.n 1.0, %x, 1.0, %y : f32, memref<f32x4>, f32, memref<f32x4> }": lambda i, x, y: y,
    "foreach %k=0,4 { %v = load %x[%k] : memref<f32x4> %u = neg %v : f32 %w = sub %u, true : f32 "
    "store %w, %y[%k] : memref<f32x4> }": lambda i, x, y: -x - 1,
}


@pytest.mark.parametrize("body", NUMBERS)
def test_what_the_release_reads_computes_what_it_computes(body: str) -> None:
    """An integer before numbers with a point is one of these, as in C; a truth value is 0 or 1."""
    x, y = np.array([1, -2, 3, 0.5], np.float32), np.array([4, 5, -6, 7], np.float32)
    expected = NUMBERS[body](5, x, y)
    kernel = pytl.compile(f"{HEAD}\n{body}\n}}", language="0.3")["f"]
    again = pytl.compile(find_frontend("0.3", "").write(kernel.module), language="0.3")["f"]
    for each in (kernel, again):
        result = y.copy()
        each[1](5, x, result, backend="reference")
        np.testing.assert_array_equal(result, expected)


def test_arithmetic_is_written_with_its_later_words() -> None:
    module = pytl.parse(f"{HEAD} %r = mul %i, 2 : i32 %s = neg %r : i32 barrier.global }}", language="0.3")
    shown = find_frontend("0.3", "").write(module)
    assert "arith.mul %i, 2 : i32" in shown and "arith.neg %r : i32" in shown and "barrier.global\n" in shown


@pytest.mark.parametrize(
    ("dialect", "text", "message"),
    [
        ("0.3", "func @f(%z: group<memref<c32x4>>) { }", "the dialect 0.3 has no group<memref<c32x4>x?>"),
        ("0.3", "func @f(%z: bf16) { }", "the dialect 0.3 has no bf16"),
    ],
)
def test_a_type_that_a_dialect_has_not(dialect: str, text: str, message: str) -> None:
    with pytest.raises(pytl.LanguageError) as caught:
        pytl.parse(text, language=dialect)
    (found,) = caught.value.diagnostics
    assert (found.code, found.message) == ("PYTL-1260", message)


def test_a_factor_is_no_sum_in_the_dialect_04() -> None:
    """Its cast turns a sum into a factor; pytl's own tiles turn any matrix into another."""
    text = (
        "func @f(%A: memref<f32x16x16>, %n: index) {\n    parallel {\n"
        "        %a = cooperative_matrix_load %A[%n,%n] : coopmatrix<f32x16x16,matrix_a>\n"
        "        %s = cast %a : coopmatrix<f32x16x16,matrix_acc>\n"
        "        cooperative_matrix_store %s, %A[%n,%n]\n    }\n}\n"
    )
    parsed = find_frontend("0.4", "").read(text, "<text>")
    (found,) = find_problems(parsed.module).errors
    assert found.location is not None and found.location.line == 4
    assert "matrix_acc" in found.message
