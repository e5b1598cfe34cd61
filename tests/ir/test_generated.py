"""What holds for every program: properties over random programs of the language."""

import re
from random import Random

import pytest
from generator import ELEMENTS, INTEGERS, generate, modules, programs
from hypothesis import given, settings
from passes_kit import LOWERING, way_to

import pytl
from pytl.ir.clone import clone_module
from pytl.ir.fields import Flag, Modifier
from pytl.ir.registry import all_instructions, find
from pytl.ir.text import parse_text
from pytl.ir.verifier import find_problems
from pytl.ops import Associated, Bitcast, Expandc2r, GroupId, NumGroups
from pytl.ops.atomics import ACCESSES, ACQUIRES, ORDERS, RELEASES
from pytl.passes import Pipeline, find_pass, pass_names

_EXAMPLES = settings.default.max_examples if settings.default.max_examples > 1000 else 15
"""Programs that all passes take, which together take half a second for each of them."""


@pytest.mark.at_night
@given(modules())
def test_a_program_is_valid_and_prints_itself(text):
    parsed = parse_text(text, strict=True)
    assert parsed.diagnostics.items == []
    assert find_problems(parsed.module).errors == []
    printed = str(parsed.module)
    assert str(pytl.parse(printed)) == printed


@pytest.mark.at_night
@given(modules())
def test_a_copy_prints_the_same_and_shares_nothing(text):
    module = pytl.parse(text)
    copy = clone_module(module)
    assert str(copy) == str(module)
    own = {id(op) for function in module.functions for op in function.walk()}
    assert own.isdisjoint(id(op) for function in copy.functions for op in function.walk())
    values = {id(v) for function in module.functions for op in function.walk() for v in (*op.operands, *op.results)}
    others = [v for function in copy.functions for op in function.walk() for v in (*op.operands, *op.results)]
    assert values.isdisjoint(id(v) for v in others)


@given(programs())
def test_every_stage_of_the_lowering_is_valid_and_prints_itself(text):
    module = pytl.parse(text)
    before = str(module)
    stages: list[str] = []
    Pipeline(LOWERING, on_stage=lambda step, stage: stages.append(str(stage))).run(module)
    assert len(stages) == len(LOWERING)
    assert str(module) == before
    for stage in stages:
        again = parse_text(stage, strict=True)
        assert again.diagnostics.items == []
        assert find_problems(again.module).errors == []
        assert str(again.module) == stage


@pytest.mark.at_night
@settings(max_examples=_EXAMPLES)
@given(programs() | programs(safe=True))
def test_every_pass_takes_every_program_prints_itself_and_does_its_work_at_once(text):
    module = pytl.parse(text)

    def check(step, changed):
        if len(passes) == 1 or step.name.startswith("cpu-"):
            again = parse_text(str(changed), strict=True, internal=True)
            assert again.diagnostics.items == []
            assert str(again.module) == str(changed)
            assert str(Pipeline([step]).run(changed)) == str(changed)

    # the passes of processors work on what the passes before them make
    alone = [name for name in (*pass_names(), "canonicalize{unsafe-fp-math=true}") if not name.startswith("cpu-")]
    for passes in (way_to("cpu-schedule"), *([find_pass(name)] for name in alone)):
        Pipeline(passes, on_stage=check).run(module)


@given(programs())
def test_every_step_of_the_lowering_does_its_work_at_once(text):
    module = pytl.parse(text)
    for step in LOWERING:
        module = Pipeline([step]).run(module)
        assert str(Pipeline([step]).run(module)) == str(module)


@pytest.mark.at_night
@given(programs())
def test_a_stage_that_is_read_again_is_lowered_as_if_it_had_not_been_printed(text):
    module = pytl.parse(text)
    for step in LOWERING:
        lowered = Pipeline([step]).run(module)
        assert str(Pipeline([step]).run(pytl.parse(str(module)))) == str(lowered)
        module = lowered


@pytest.mark.parametrize("safe", [False, True])
def test_the_same_seed_gives_the_same_program(safe):
    assert generate(Random(5), safe) == generate(Random(5), safe)


def forms_of(text):
    """Each instruction with each of its variants, modifiers and flags that a text has."""
    for word in re.findall(
        r"^ *(?:[%\w, ]+ = )?((?:v0[34]\.)?[a-z_][a-z_0-9]*(?:\.[a-z_][a-z_0-9]*)*)", text, re.MULTILINE
    ):
        found = find(word)
        if found is not None:
            yield found[0].mnemonic
            yield from (f"{found[0].mnemonic} .{part}" for part in word.removeprefix(found[0].mnemonic).split("."))


def forms_of_the_language(classes):
    """The same of all declarations."""
    for cls in classes:
        if not cls.mnemonic.startswith("cpu."):
            yield cls.mnemonic
            for part in cls.parts.values():
                words = part.words if isinstance(part, Modifier) else [part.word] if isinstance(part, Flag) else []
                yield from (f"{cls.mnemonic} .{word}" for word in words if word)


NOT_ADMITTED = {
    *(f"v04.atomic_load .{order}" for order in ORDERS if RELEASES[order] and order != "sequentially_consistent"),
    *(f"v04.atomic_store .{order}" for order in ORDERS if ACQUIRES[order] and order != "sequentially_consistent"),
}


@pytest.mark.at_most(1)
@pytest.mark.additions
@pytest.mark.parametrize("safe", [False, True])
def test_the_programs_use_the_whole_language(safe):
    texts = "\n".join(generate(Random(seed), safe, size=20) for seed in range(400))
    used = set(forms_of(texts))
    missing = sorted(set(forms_of_the_language(all_instructions())) - used)
    assert not missing, f"let tests/generator write {', '.join(missing)}: a method that a list in functions.py has"
    if not safe:
        assert (
            sorted(
                set(forms_of_the_language((*ACCESSES, Associated, Bitcast, Expandc2r, GroupId, NumGroups)))
                - used
                - NOT_ADMITTED
            )
            == []
        )
    for type_ in (*ELEMENTS, "bool"):
        assert re.search(rf"= constant \S+ : {type_}$", texts, re.MULTILINE)
    for type_ in ELEMENTS:
        assert re.search(rf"constant \S+ : coopmatrix<{type_}x", texts)
        assert re.search(rf": memref<{type_}[x,>]", texts)
    for type_ in INTEGERS:
        assert re.search(rf"for %\w+: {type_} = " if type_ != "index" else r"for %\w+ = ", texts)
    for form in ("init(", "-> (", ", offset: ?", ", offset: ", "group<", "strided<1,?", "alignment=", "shape_gcd=["):
        assert form in texts
    for form in ("stride_gcd=[", "subgroup_size=", "work_group_size=", "unroll=", "={", "=[", " else {", "yield ("):
        assert form in texts
