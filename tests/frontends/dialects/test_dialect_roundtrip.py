"""Texts of dialects become the same module as texts of the manual's spelling, and are printed as they were."""

from __future__ import annotations

import re
from collections.abc import Sequence
from random import Random

import numpy as np
import pytest
from dialects_kit import restricted_to
from generator import generate
from properties.execution import data_for, execute, unlike
from sampling import at_night

import pytl
from pytl.frontends.registry import find_frontend
from pytl.ir.fields import Attributes
from pytl.ir.registry import all_instructions
from pytl.ir.spelling import Table
from pytl.ir.text import parse_text
from pytl.ir.values import Module
from pytl.ir.verifier import find_problems
from pytl.ops import If, Subview
from pytl.ops.views import Slice

pytestmark = pytest.mark.at_most(4)

BETWEEN_NIGHTS = range(0, 200, 100)
AT_NIGHT = range(200, 20_000, 600)


def written(module: Module, dialect: str = "0.4") -> str | None:
    """The module's text; None where it has what the dialect has no form for, which is named."""
    try:
        return find_frontend(dialect, "").write(module)
    except pytl.LanguageError as error:
        manual = str(module)
        for diagnostic in error.diagnostics:
            assert diagnostic.code == "PYTL-1260"
            assert f"the dialect {dialect}" in diagnostic.message
            word = re.split(r" has | of @|: ", diagnostic.message)[0]
            assert word in manual, diagnostic.message
        return None


def sorted_by_name(attributes: object) -> object:
    if isinstance(attributes, dict):
        return {name: sorted_by_name(attributes[name]) for name in sorted(attributes)}
    return [sorted_by_name(item) for item in attributes] if isinstance(attributes, list) else attributes


def as_the_dialect_sees_it(module: Module) -> str:
    """The manual's text without what the dialect does not tell apart: the order of attributes, an empty else."""
    for function in module.functions:
        function.attributes = sorted_by_name(function.attributes)
        for parameter in function.parameters:
            parameter.attributes = sorted_by_name(parameter.attributes)
        for op in function.walk():
            for name, part in op.parts.items():
                if isinstance(part, Attributes):
                    setattr(op, name, sorted_by_name(getattr(op, name)))
            if isinstance(op, If) and op.else_body is not None and not op.else_body.operations:
                op.else_body = None
            if isinstance(op, Subview):
                op.slices = [Slice(piece.offset) if piece.size == 0 else piece for piece in op.slices]
    return str(module)


def check_round_trip(module: Module) -> None:
    """From what the dialect can say of a module to the dialect and back, nothing changes."""
    shown = written(module)
    assert shown is not None
    parsed = parse_text(shown, strict=True, dialect=find_frontend("0.4", "").table())
    assert parsed.diagnostics.items == [], shown
    assert written(parsed.module) == shown
    manual = str(parsed.module)
    assert manual == as_the_dialect_sees_it(module)
    assert written(pytl.parse(manual)) == shown


def check_programs(seeds: Sequence[int]) -> None:
    expressed = 0
    for seed in seeds:
        module = pytl.parse(generate(Random(seed), safe=bool(seed % 2), size=10))
        expressed += written(module) is not None
        check_round_trip(restricted_to(module, find_frontend("0.4", "").table()))
    assert expressed > 0.7 * len(seeds)


@pytest.mark.at_night
@pytest.mark.parametrize("first", BETWEEN_NIGHTS)
def test_random_programs_come_back_from_the_dialect(first: int) -> None:
    check_programs(range(first, first + BETWEEN_NIGHTS.step))


@pytest.mark.parametrize("first", at_night(AT_NIGHT))
def test_many_random_programs_come_back_from_the_dialect(first: int) -> None:
    check_programs(range(first, first + AT_NIGHT.step))


NUMBERS = ("i8", "i16", "i32", "i64", "index", "f32", "f64")


def executed(module: Module, seed: int) -> str | list[np.ndarray]:
    """What a program leaves in memory, or the code of the rule that it breaks."""
    try:
        return execute(module, data_for(module.functions[0], seed))
    except pytl.PytlError as error:
        return error.code


def check_programs_in_03(seeds: Sequence[int], run_each: int) -> None:
    """Types follow from those of operands there, so modules differ in those of views; what they compute does not."""
    frontend, right = find_frontend("0.3", ""), 0
    for seed in seeds:
        module = pytl.parse(generate(Random(seed), safe=True, size=16, elements=NUMBERS))
        written(module, "0.3")
        shown = written(restricted_to(module, frontend.table()), "0.3")
        assert shown is not None
        parsed = frontend.read(shown, "<text>")
        assert parsed.diagnostics.errors == [], shown
        assert find_problems(parsed.module).errors == [], shown
        assert written(parsed.module, "0.3") == written(pytl.parse(str(parsed.module)), "0.3") == shown
        if seed % run_each == 0:
            before, after = executed(module, seed), executed(parsed.module, seed)
            right += not isinstance(before, str)
            assert before == after if isinstance(before, str) else unlike(after, before) == [], shown
    assert right > 0.7 * len(range(0, len(seeds), run_each))


@pytest.mark.at_night
@pytest.mark.parametrize("first", BETWEEN_NIGHTS)
def test_random_programs_come_back_from_03(first: int) -> None:
    check_programs_in_03(range(first, first + BETWEEN_NIGHTS.step), 5)


@pytest.mark.parametrize("first", at_night(AT_NIGHT))
def test_many_random_programs_come_back_from_03(first: int) -> None:
    check_programs_in_03(range(first, first + AT_NIGHT.step), 5)


@pytest.mark.additions
def test_the_table_has_every_word_of_the_language_or_says_what_else_to_write() -> None:
    table: Table = find_frontend("0.4", "").table()
    missing = set()
    for cls in all_instructions():
        spelled = {value for s in table.spellings if s.cls is cls for value in [s.fixed.get("variant")]}
        missing |= {word for word in cls.words() if not (spelled and {None, word.rpartition(".")[2]} & spelled)}
    assert missing == {"lifetime_stop", "builtin.num_subgroups"}


def test_old_words_are_refused_with_the_new_ones() -> None:
    new = {
        "%r = arith.add %x, %x : f32": "add",
        "%r = arith.neg %x : f32": "neg",
        "%r = cmp.lt %x, %x : bool": "less_than",
        "%r = math.exp %x : f32": "exp",
        "%r = builtin.group_id : index": "group_id.x",
        "%r = subgroup_max.inclusive_scan %x : f32": "subgroup_inclusive_scan_max",
    }
    for line, word in new.items():
        text = f"func @f(%x: f32) {{ {line} }}"
        with pytest.raises(pytl.LanguageError) as caught:
            pytl.parse(text, language="0.4")
        assert caught.value.diagnostics[0].code == "PYTL-0002"
        assert caught.value.diagnostics[0].help == f"did you mean {word}?"


def test_the_first_line_or_the_ending_names_the_dialect() -> None:
    body = "parallel {\n    %a = load %x[] : f32\n    %b = add %a, %a : f32\n    store %b, %x[]\n  }"
    text = f"func @f(%x: memref<f32>) {{\n  {body}\n}}"
    canonical = written(pytl.parse(text, language="0.4"))
    assert canonical is not None
    for named in (pytl.parse(f"; language: 0.4\n{text}"), pytl.parse(text, "kernel.tinytc")):
        assert written(named) == canonical
    # what is asked for wins over the line
    with pytest.raises(pytl.LanguageError, match="there is no instruction `add`"):
        pytl.parse(f"; language: 0.4\n{text}", language="tensor")
    with pytest.raises(pytl.PlatformError, match="there is no language `5`"):
        pytl.parse(f"; language: 5\n{text}")
    assert re.sub(" +", " ", canonical) == re.sub(" +", " ", text)


def test_a_kernel_is_shown_in_the_dialect_after_each_pass() -> None:
    @pytl.kernel
    def double(x: pytl.Memref[pytl.f32, 4]):
        pytl.axpby(1.0, x, 1.0, x)

    assert double.ir(dialect="0.4").splitlines()[3:] == ["    axpby %0, %x, %1, %x", "}"]
    lowered = double.ir("lower-collectives", dialect="0.4")
    assert "    foreach (%i)=(%3),(%2) {\n        %4 = load %x[%i] : f32\n" in lowered
    assert str(pytl.parse(lowered, language="0.4")) == double.ir("lower-collectives")
    with pytest.raises(pytl.LanguageError, match="PYTL-1260"):
        double.ir("cpu-kernels", dialect="0.4")
