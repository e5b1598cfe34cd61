"""`pytl ops`: the reference pages that are made of the definitions."""

import pytest

import pytl  # noqa: F401 - makes all instructions known
from pytl.ir.fields import Attributes, Flag, Modifier, Operand
from pytl.ir.registry import all_instructions, close_words, find
from pytl.ops import ArithBinary, Axpby, Builtin, For, Gemm, Store
from pytl.ops.reference import overview, page, python_signature, syntax


def words_of(part):
    return [part.word] if isinstance(part, Flag) else [word for word in part.words if word]


INSTRUCTIONS = [cls for cls in all_instructions() if not cls.mnemonic.startswith("cpu.")]


@pytest.mark.parametrize("cls", INSTRUCTIONS, ids=lambda cls: cls.__name__)
def test_every_instruction_has_a_page(cls):
    lines = page(cls).splitlines()
    assert lines[0] == syntax(cls)
    assert cls.mnemonic in lines[0]
    assert cls.__doc__.split(".")[0].split("\n")[0] in page(cls)
    assert f"A {cls.kind} instruction; manual: {cls.section}." in lines
    for name, part in cls.parts.items():
        if isinstance(part, Operand):
            (line,) = [line for line in lines if line.startswith(f"  {name} ")]
            assert line.split("  ")[-1].strip() == part.description
            assert str(part.constraint) in line
        elif isinstance(part, (Modifier, Flag)):
            assert all(f"  .{word}" in page(cls) for word in words_of(part))
        elif isinstance(part, Attributes):
            assert all(f"  {known} " in page(cls) for known in part.known)
    for check in cls.rules:
        assert f"  {check.rule.code}  {check.rule.text}" in lines
    assert not any(line != line.rstrip() or "\t" in line for line in lines)


@pytest.mark.parametrize("cls", [Gemm, For], ids=["gemm", "for"])
def test_page(cls, golden):
    golden(f"ops/{cls.mnemonic}.txt", page(cls) + "\n")


def test_overview_has_a_line_for_each():
    assert overview().splitlines() == [syntax(cls) for cls in all_instructions()]


@pytest.mark.parametrize(
    ("cls", "form"),
    [
        (Gemm, "gemm(.n|.t)(.n|.t)[.atomic] %alpha, %A, %B, %beta, %C"),
        (Axpby, "axpby(.n|.t)[.atomic] %alpha, %A, %beta, %B"),
        (Store, "store[.atomic|.atomic_add] %data, %tensor[[%indices, …]]"),
        (Builtin, "%result = builtin(.group_id|.group_size|.num_subgroups|.subgroup_size) : integer-type"),
    ],
)
def test_syntax(cls, form):
    assert syntax(cls) == form


def test_signatures_in_python():
    assert str(python_signature(Axpby)) == "(alpha, A, beta, B, *, transpose, atomic=False)"
    assert str(python_signature(ArithBinary)) == "(a, b, *, variant)"


def test_words():
    assert find("gemm.n.t.atomic") == (Gemm, "gemm.n.t.atomic", False)
    assert find("group_id") == (Builtin, "builtin.group_id", True)
    assert find("arith") is None
    assert find("") is None
    assert close_words("gem.n.t") == ["gemm"]
    assert close_words("zzzz") == []
