"""docs/mlir-langref.md: each block of the document has its line, and what the line says is so."""

from __future__ import annotations

import re

import pytest
from frontends.mlir2018.test_document_runs import RUNS
from mlir2018_kit import Part, parts

from pytl.diagnostics import Rule
from pytl.frontends.mlir2018 import rules
from pytl.frontends.mlir2018.frontend import read_checked
from pytl.frontends.mlir2018.operations import FORMS
from pytl.frontends.mlir2018.reader import read_text
from pytl.tools.docs.mlir_langref import Entry, entries

ENTRIES = entries()
BLOCKS: dict[str, list[Part]] = {}
for _part in parts():
    BLOCKS.setdefault(_part.block, []).append(_part)


def of_kind(kind: str) -> list[Entry]:
    return [entry for entry in ENTRIES if entry.kind == kind]


def codes_in(text: str) -> set[str]:
    """The codes of a list in which ranges stand."""
    found = set(re.findall(r"PYTL-\d{4}", text))
    for first, last in re.findall(r"PYTL-(\d{4}) to PYTL-(\d{4})", text):
        found |= {f"PYTL-{number:04}" for number in range(int(first), int(last) + 1)}
    return found


def test_all_blocks_have_a_line() -> None:
    assert [int(entry.name.partition(" ")[0]) for entry in of_kind("grammar")] == list(range(1, 60))
    assert [entry.name for entry in of_kind("sample")] == list(BLOCKS)
    assert {entry.name for entry in of_kind("operation")} == set(FORMS)


def test_all_rules_of_texts_are_named() -> None:
    declared = {rule.code for rule in vars(rules).values() if isinstance(rule, Rule)}
    of_texts = {code for code in declared if code < rules.NO_COUNTERPART.code} - {rules.SPELLING.code}
    named = set().union(*(codes_in(entry.fields.get("rules", "")) for entry in ENTRIES))
    assert of_texts <= named


@pytest.mark.parametrize("entry", of_kind("operation"), ids=lambda entry: entry.name)
def test_the_form_of_an_operation_is_read(entry: Entry) -> None:
    definitions = "#map = (d0)[s0] -> (d0 + s0)\n#window = (d0)[s0] -> (d0 + s0) size (16)\n"
    module, diagnostics = read_text(f"{definitions}func @f() {{\n{entry.fields['form']}\n}}")
    assert diagnostics.items == []
    assert module.functions[0].blocks is not None
    (operation,) = module.functions[0].blocks[0].instructions
    assert operation.name == entry.name  # type: ignore[union-attr]


@pytest.mark.parametrize("entry", of_kind("sample"), ids=lambda entry: entry.name)
def test_what_is_said_of_a_block_is_so(entry: Entry) -> None:
    told: list[str] = []
    refused = []
    for part in BLOCKS[entry.name]:
        if part.form == "types":
            continue
        _, diagnostics = read_checked(part.module, "document")
        refused.append(bool(diagnostics.errors))
        for each in diagnostics.in_order():
            told.append(each.message if each.rule is rules.SPELLING else f"{each.message} ({each.code})")
    assert entry.fields["told"] == "; ".join(dict.fromkeys(told))
    verdict = "read" if not any(refused) else "refused" if all(refused) else "read in part"
    assert entry.fields["verdict"] == verdict
    codes = [code for part in BLOCKS[entry.name] for code in part.today.split()]
    assert entry.fields["today"] == ", ".join(dict.fromkeys(codes))


def test_what_is_executed_is_said() -> None:
    """By each block's line, which has a reason where nothing is executed."""
    runs = {entry.name: entry.fields["runs"] for entry in of_kind("sample")}
    said = {block: set() if text.startswith("no: ") else set(text.split(", ")) for block, text in runs.items()}
    assert set().union(*said.values()) == set(RUNS)
    for block, names in said.items():
        number = block.partition(" ")[0]
        assert names == {name for name, run in RUNS.items() if re.search(rf"(^| ){number}-", run.blocks)}
        assert names or len(runs[block]) > len("no: ")
