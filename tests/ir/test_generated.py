"""What holds for every program: properties over random programs of the language."""

from random import Random

import pytest
from generator import generate, modules, programs
from hypothesis import given

import pytl
from pytl.ir.clone import clone_module
from pytl.ir.text import parse_text
from pytl.ir.verifier import find_problems
from pytl.passes import LOWERING, Pipeline


@given(modules())
def test_a_program_is_valid_and_prints_itself(text):
    parsed = parse_text(text, strict=True)
    assert parsed.diagnostics.found == []
    assert find_problems(parsed.module).errors == []
    printed = str(parsed.module)
    assert str(pytl.parse(printed)) == printed


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
        assert again.diagnostics.found == []
        assert find_problems(again.module).errors == []
        assert str(again.module) == stage


@given(programs())
def test_every_pass_does_its_work_at_once(text):
    module = pytl.parse(text)
    for step in LOWERING:
        module = Pipeline([step]).run(module)
        assert str(Pipeline([step]).run(module)) == str(module)


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


def test_the_programs_use_the_whole_language():
    plain = "\n".join(generate(Random(seed)) for seed in range(60))
    for word in (
        "gemm.",
        "axpby.",
        "subview",
        "foreach",
        "parallel",
        "for ",
        "if ",
        "init(",
        "barrier",
        "store.atomic",
    ):
        assert word in plain
    safe = "\n".join(generate(Random(seed), safe=True) for seed in range(120))
    for word in ("gemm.", "axpby.", "subview", "foreach", "parallel", "for ", "if ", "init(", "alloca", "group<"):
        assert word in safe
