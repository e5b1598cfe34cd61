"""Rules, locations, collecting and rendering."""

import subprocess
import sys

import pytest

import pytl
from pytl.diagnostics import (
    Diagnostic,
    Diagnostics,
    Label,
    Location,
    PytlError,
    Rule,
    Source,
    all_rules,
    find,
    render,
    render_all,
    render_line,
)

NOTE = Rule("PYTL-9990", "rules are kept", "Tests", severity="note")
ERROR = Rule("PYTL-9991", "errors are told", "Tests")
SOURCE = Source("a.tl", "first\n\tsecond line\nthird\n")


def at(start, end, source=SOURCE):
    return source.location(start, end)


def test_codes_are_unique():
    with pytest.raises(ValueError, match="diagnostic code PYTL-9990 is taken by: rules are kept"):
        Rule("PYTL-9990", "another", "Tests")


def test_every_rule_has_a_code_a_text_and_a_section():
    codes = [rule.code for rule in all_rules()]
    assert codes == sorted(set(codes))
    for rule in all_rules():
        assert rule.code.startswith("PYTL-")
        assert len(rule.code) == len("PYTL-0000")
        assert rule.text
        assert not rule.text.endswith(".")
        assert rule.section


@pytest.mark.parametrize("spelling", ["PYTL-0330", "pytl-0330", "0330", "330", " 330 "])
def test_a_rule_is_found_by_its_code(spelling):
    assert find(spelling).text == "columns(op1(A)) = rows(op2(B))"


@pytest.mark.parametrize("spelling", ["", "PYTL-8888", "gemm", "-1"])
def test_there_is_no_such_rule(spelling):
    assert find(spelling) is None


def test_places_count_from_one():
    assert str(at(0, 5)) == "a.tl:1:1"
    assert str(at(7, 13)) == "a.tl:2:2"
    end = at(6, 22)
    assert (end.line, end.column, end.end_line, end.end_column) == (2, 1, 3, 4)


def test_lines_without_their_ends():
    source = Source("b.tl", "one\r\ntwo", first_line=10)
    assert [source.line(n) for n in (9, 10, 11, 12)] == ["", "one", "two", ""]
    assert Source("c.tl", "").line(1) == ""


def test_the_same_finding_is_kept_once():
    diagnostics = Diagnostics()
    for _ in range(2):
        diagnostics.report(ERROR, "here", at(0, 1), labels=[Label(at(2, 3), "there")])
    diagnostics.report(ERROR, "here", at(1, 2))
    diagnostics.report(NOTE, "here", at(0, 1))
    assert [d.code for d in diagnostics.items] == ["PYTL-9991", "PYTL-9991", "PYTL-9990"]
    assert len(diagnostics.errors) == 2


def test_findings_come_in_the_order_of_the_source():
    diagnostics = Diagnostics()
    for start in (14, 0, 7):
        diagnostics.report(ERROR, str(start), at(start, start + 1))
    diagnostics.report(ERROR, "nowhere")
    assert [d.message for d in diagnostics.in_order()] == ["0", "7", "14", "nowhere"]


def test_severity_may_be_changed():
    note = Diagnostic(NOTE, "look", at(0, 5))
    assert note.headline == "note[PYTL-9990]: look"
    assert note.with_severity("error").headline == "error[PYTL-9990]: look"
    assert render_line(note.with_severity("error")) == "a.tl:1:1: error[PYTL-9990]: look"


def test_carets_stand_below_their_characters_behind_tabs():
    assert render(Diagnostic(ERROR, "here", at(7, 13), "do that\nand this")) == (
        "error[PYTL-9991]: here\n"
        "  --> a.tl:2:2\n"
        "   |\n"
        " 2 | \tsecond line\n"
        "   | \t^^^^^^\n"
        "   = rule: errors are told\n"
        "   = help: do that\n"
        "           and this"
    )


def test_a_range_of_lines_is_marked_in_its_first():
    assert "   | \t^^^^^^^^^^^\n" in render(Diagnostic(ERROR, "here", at(7, 22)))


def test_labels_stand_in_the_order_of_the_source():
    found = Diagnostic(ERROR, "here", at(7, 13), labels=(Label(at(19, 24), "behind"), Label(at(0, 5), "before")))
    assert render(found) == (
        "error[PYTL-9991]: here\n"
        "  --> a.tl:2:2\n"
        "   |\n"
        " 1 | first\n"
        "   | ----- before\n"
        " 2 | \tsecond line\n"
        "   | \t^^^^^^\n"
        " 3 | third\n"
        "   | ----- behind\n"
        "   = rule: errors are told"
    )


def test_of_a_long_line_what_is_around_the_caret_is_shown():
    line = "".join(f"{number:9} " for number in range(1_000_000))
    source = Source("a.tl", f"first\n{line}\n")
    start = 6 + 5_000_000
    shown = render(Diagnostic(ERROR, "here", source.location(start + 3, start + 9))).split("\n")
    assert all(len(each) < 260 for each in shown)
    text, carets = (each[5:] for each in shown[3:5])
    assert text[0] == text[-1] == "…" and len(text) == 242
    assert carets.strip() == "^^^^^^" and text[carets.index("^") :][:6] == "500000"


@pytest.mark.parametrize(("start", "marked"), [(0, "a"), (399, "z")])
def test_the_ends_of_a_long_line_have_an_ellipsis_on_one_side(start, marked):
    source = Source("a.tl", "a" + "b" * 398 + "z")
    text, carets = (line[5:] for line in render(Diagnostic(ERROR, "x", source.location(start, 400))).split("\n")[3:5])
    assert (text[0] == "…") == (start > 0) and (text[-1] == "…") == (start == 0)
    assert text[carets.index("^")] == marked and len(carets) <= len(text)


def test_a_label_far_away_in_a_long_line_has_an_excerpt_of_its_own():
    source = Source("a.tl", "x" * 1000)
    label = Label(source.location(900, 902), "far")
    shown = render(Diagnostic(ERROR, "here", source.location(10, 12), labels=(label,))).split("\n")
    assert [line.count("x") for line in shown[3:7]] == [240, 0, 240, 0]
    assert "^^" in shown[4] and "-- far" in shown[6]
    near = Label(source.location(100, 102), "near")
    shown = render(Diagnostic(ERROR, "here", source.location(10, 12), labels=(near,))).split("\n")
    assert [line.count("x") for line in shown[3:6]] == [240, 0, 0]


def test_labels_of_another_source_and_callers():
    other = Source("b.tl", "elsewhere")
    place = at(0, 5).within("inner", at(19, 24).within("outer", None))
    found = Diagnostic(ERROR, "here", place, labels=(Label(at(0, 4, other), "there"),))
    assert render(found) == (
        "error[PYTL-9991]: here\n"
        "  --> a.tl:1:1 in inner\n"
        "   |\n"
        " 1 | first\n"
        "   | ^^^^^\n"
        "   = at b.tl:1:1: there\n"
        "  ::: called at a.tl:3:1 in outer\n"
        " 3 | third\n"
        "   | -----\n"
        "   = rule: errors are told"
    )


def test_a_finding_without_a_place():
    found = Diagnostic(ERROR, "somewhere", help="look around")
    assert render(found) == ("error[PYTL-9991]: somewhere\n   = rule: errors are told\n   = help: look around")
    assert render_line(found) == "error[PYTL-9991]: somewhere"


def test_an_error_counts_its_errors():
    one, two = Diagnostic(ERROR, "one"), Diagnostic(ERROR, "two")
    assert str(PytlError([one])) == "\n" + render(one)
    assert str(PytlError([one, two])) == "\n" + render_all([one, two]) + "\n\n2 errors"
    assert PytlError([two, one]).code == "PYTL-9991"
    assert PytlError.single(NOTE, "look", Location(SOURCE, 1, 1, 1, 2), "up").diagnostics == (
        Diagnostic(NOTE, "look", Location(SOURCE, 1, 1, 1, 2), "up"),
    )


def test_a_traceback_shows_the_users_frames_only(tmp_path):
    file = tmp_path / "program.py"
    file.write_text('import pytl\n\ndef load():\n    pytl.parse("func")\n\nload()\n')
    run = subprocess.run([sys.executable, str(file)], capture_output=True, text=True, check=False)
    assert run.returncode == 1
    assert run.stderr.splitlines()[0] == "Traceback (most recent call last):"
    assert f'  File "{file}", line 4, in load' in run.stderr
    assert "parser.py" not in run.stderr
    assert "pytl.LanguageError: \nerror[PYTL-0001]: expected the function's name" in run.stderr


def test_locations_of_an_error_are_those_of_the_named_text():
    with pytest.raises(pytl.LanguageError) as caught:
        pytl.parse("func @f() {\n  barier\n}", "my.tl")
    assert str(caught.value.diagnostics[0].location) == "my.tl:2:3"
