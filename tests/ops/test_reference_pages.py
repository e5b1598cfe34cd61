"""The reference pages that are made of the definitions: `pytl ops`, docs/reference, and the examples on them."""

import posixpath
import re
import runpy

import pytest
from launch_kit import ROOT

from pytl import Kernel
from pytl.diagnostics import all_rules
from pytl.ir.fields import Attributes, Flag, Modifier, Operand
from pytl.ir.registry import all_instructions, close_words, find
from pytl.ir.types import SCALAR_TYPES, CoopMatrixType, bool_
from pytl.ops import ArithBinary, ArithUnary, Axpby, Builtin, Cast, Compare, For, Gemm, Load, Math, Store, SubgroupMax
from pytl.ops.admitted import admits, admitted_types, cast_table, variant_results
from pytl.ops.arith import admits_binary, admits_cast, admits_unary
from pytl.ops.examples import path_of, source_of
from pytl.ops.reference import (
    instructions_with_pages,
    overview,
    page_name,
    page_of,
    python_signature,
    syntax,
)
from pytl.tools.cli import import_all_rules
from pytl.tools.docs.__main__ import compilers, write
from pytl.tools.docs.instructions import text_page, traced
from pytl.tools.docs.markdown import anchor, plain, table

pytestmark = pytest.mark.at_most(40)


def words_of(part):
    return [part.word] if isinstance(part, Flag) else [word for word in part.words if word]


INSTRUCTIONS = all_instructions()
PAGES = compilers()
each_instruction = pytest.mark.parametrize("cls", instructions_with_pages(), ids=page_name)


def committed(path):
    file = ROOT / "docs" / path
    assert file.exists(), f"docs/{path} is missing: run `python -m pytl.tools.docs`"
    return file.read_text(encoding="utf-8")


@pytest.mark.additions
@each_instruction
def test_every_instruction_has_a_page(cls):
    shown = str(page_of(cls))
    lines = shown.splitlines()
    assert lines[0] == syntax(cls)
    assert cls.mnemonic in lines[0]
    assert cls.__doc__.split(".")[0].split("\n")[0] in shown
    assert any(line.endswith(f" instruction; manual: {cls.section}.") for line in lines)
    for name, part in cls.parts.items():
        if isinstance(part, Operand):
            (line,) = [line for line in lines if line.startswith(f"  {name} ")]
            assert line.split("  ")[-1].strip() == part.description
            assert str(part.constraint) in line
        elif isinstance(part, (Modifier, Flag)):
            assert all(f"  .{word}" in shown for word in words_of(part))
        elif isinstance(part, Attributes):
            assert all(f"  {known} " in shown for known in part.known)
    for check in cls.rules:
        assert f"  {check.rule.code}  {check.rule.text}" in lines
    for word in (*cls.aliases, *cls.spellings):
        assert f"  {word} " in shown
    assert not any(line != line.rstrip() or "\t" in line for line in lines)


@pytest.mark.parametrize("cls", [Gemm, For, ArithBinary], ids=page_name)
def test_page(cls, golden):
    import_all_rules()
    golden(f"ops/{page_name(cls)}.txt", text_page(cls, all_rules()) + "\n")


@pytest.mark.additions
@each_instruction
def test_every_instruction_has_a_way_to_be_written_in_python(cls):
    page = committed(f"reference/{page_name(cls)}.md")
    section = page.partition("\n## In Python\n")[2].partition("\n## ")[0]
    assert section.strip().startswith("- `")


def test_pages_have_names_of_their_own():
    names = [page_name(cls) for cls in instructions_with_pages()]
    assert len(names) == len(set(names))


def test_rules_of_execution_are_on_the_page():
    import_all_rules()
    own = [check.rule.code for check in Load.rules]
    (rules,) = [part for part in page_of(Load, all_rules()).tables if part.title == "Rules"]
    assert [code for code, _ in rules.rows] == [*own, "PYTL-4003"]


def test_overview_has_a_line_for_each_by_kind():
    blocks = overview().split("\n\n")
    assert [block.split(" ")[0] for block in blocks[::2]] == ["Collective", "Mixed", "SPMD"]
    for block, kind in zip(blocks[1::2], ("collective", "mixed", "spmd")):
        assert sorted(block.splitlines()) == sorted(f"  {syntax(cls)}" for cls in INSTRUCTIONS if cls.kind == kind)


@pytest.mark.parametrize(
    ("cls", "form"),
    [
        (Gemm, "gemm(.n|.t)(.n|.t)[.atomic][.v03] %alpha, %A, %B, %beta, %C"),
        (Axpby, "axpby(.n|.t)[.atomic][.v03] %alpha, %A, %beta, %B"),
        (Store, "store[.atomic|.atomic_add] %data, %tensor[[%indices, …]]"),
        (Builtin, "%result = builtin(.group_id|.group_size|.num_subgroups|.subgroup_size) : integer-type"),
    ],
)
def test_syntax(cls, form):
    assert syntax(cls) == form


def test_signatures_in_python():
    assert str(python_signature(Axpby)) == "(alpha, A, beta, B, *, transpose, atomic=False, any_beta=False)"
    assert str(python_signature(ArithBinary)) == "(a, b, *, variant)"


def test_words():
    assert find("gemm.n.t.atomic") == (Gemm, "gemm.n.t.atomic", False)
    assert find("group_id") == (Builtin, "builtin.group_id", True)
    assert find("arith") is None
    assert find("") is None
    assert close_words("gem.n.t") == ["gemm"]
    assert close_words("zzzz") == []


# Tables of types, against those of the manual.

REAL = "integer-type / floating-type"
ALLOWED = {
    ArithBinary: {
        **dict.fromkeys(("add", "sub", "mul", "div"), "scalar-type / coopmatrix-type"),
        **dict.fromkeys(("rem", "min", "max"), REAL),
        **dict.fromkeys(("shl", "shr"), "integer-type"),
        **dict.fromkeys(("and", "or", "xor"), "boolean-type / integer-type"),
    },
    ArithUnary: {
        "abs": "scalar-type",
        "neg": "scalar-type / coopmatrix-type",
        "not": "boolean-type / integer-type",
        **dict.fromkeys(("conj", "im", "re"), "complex-type"),
    },
    Compare: {**dict.fromkeys(("eq", "ne"), "scalar-type"), **dict.fromkeys(("gt", "ge", "lt", "le"), REAL)},
    Math: dict.fromkeys(("exp", "native_exp"), "floating-type / complex-type"),
    SubgroupMax: dict.fromkeys(("exclusive_scan", "inclusive_scan", "reduce"), REAL),
    Gemm: {},
    Builtin: {},
}


@pytest.mark.parametrize("cls", ALLOWED, ids=page_name)
def test_allowed_types_are_those_of_the_manual(cls):
    assert admitted_types(cls) == ALLOWED[cls]


TYPES = [bool_, *SCALAR_TYPES.values(), *(CoopMatrixType(t, 8, 8, "matrix_a") for t in SCALAR_TYPES.values())]


@pytest.mark.parametrize("type_", TYPES, ids=str)
def test_the_rules_admit_what_the_table_of_arithmetic_has(type_):
    for variant in ArithBinary.parts["variant"].words:
        assert admits(ArithBinary, None, variant=variant, a=type_, b=type_) == admits_binary(variant, type_)
    for variant in ArithUnary.parts["variant"].words:
        assert admits(ArithUnary, None, variant=variant, a=type_) == admits_unary(variant, type_)
    if type_ != bool_:
        for target in TYPES[1:]:
            assert admits(Cast, target, operand=type_) == admits_cast(type_, target)


def test_table_of_casts():
    columns, rows = cast_table(Cast)
    assert columns == ("from / to", "integer-type", "floating-type", "complex-type")
    assert [row[1:] for row in rows] == [("yes",) * 3, ("yes",) * 3, ("no", "no", "yes")]


def test_types_of_builtins():
    assert variant_results(Builtin) == {
        "group_id": "index",
        "group_size": "index",
        "num_subgroups": "i32",
        "subgroup_size": "i32",
    }


# Examples.


@pytest.mark.additions
@each_instruction
def test_the_example_runs_and_shows_the_instruction(cls):
    names = runpy.run_path(path_of(cls), run_name="__main__")  # which asserts that the results are right
    kernels = [value for value in names.values() if isinstance(value, Kernel)]
    assert len(kernels) == 1
    assert any(type(op) is cls for kernel in kernels for op in kernel.function.walk())
    assert 'backend="reference"' in source_of(cls)


def test_the_text_of_an_example_is_what_its_kernel_prints():
    assert "cooperative_matrix_mul_add %a, %b, %c" in traced(find("cooperative_matrix_mul_add")[0])


# Pages.


@pytest.mark.additions
@pytest.mark.parametrize("path", PAGES)
def test_committed_pages_are_what_the_generator_gives(path):
    assert committed(path) == PAGES[path](), f"docs/{path} is out of date: run `python -m pytl.tools.docs`"


def test_no_page_is_of_something_that_is_no_more():
    found = {f"reference/{file.name}" for file in (ROOT / "docs/reference").iterdir()}
    assert found == {path for path in PAGES if path.startswith("reference/")}


@pytest.mark.at_most(len(PAGES))
@pytest.mark.parametrize("path", [path for path in PAGES if path.endswith(".md")])
def test_links_lead_somewhere(path):
    text = re.sub(r"```.*?```|`[^`\n]*`", "", committed(path), flags=re.DOTALL)  # code has no links
    for target in re.findall(r"\]\(([^)]*)\)", text):
        page, _, heading = target.partition("#")
        found = posixpath.normpath(posixpath.join(posixpath.dirname(path), page)) if page else path
        headings = [anchor(line.lstrip("# ")) for line in committed(found).splitlines() if line.startswith("#")]
        assert not heading or heading in headings, target


@pytest.mark.at_night
def test_write_changes_what_differs_only(tmp_path, monkeypatch):
    monkeypatch.setattr("pytl.tools.docs.walk.PAGES", {})  # what takes MLIR's tools has tests of its own
    docs = tmp_path / "docs"
    assert len(write(docs)) == len(PAGES)
    assert write(docs) == []
    gone, changed = docs / "reference/teleport.md", docs / "rules.md"
    gone.write_text("an instruction that is no more")
    changed.write_text("")
    assert write(docs) == [changed, gone]
    assert not gone.exists()


def test_markdown():
    assert table(["a", ""], [("x|y", "`z`")]) == "| a |  |\n| --- | --- |\n| x\\|y | `z` |"
    assert plain("S_k < `S_k` *") == "S\\_k \\< `S_k` \\*"
    assert anchor("PYTL-0330") == "pytl-0330"
    assert anchor("Types, attributes and functions") == "types-attributes-and-functions"
