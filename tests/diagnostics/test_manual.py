"""No demand of the language manual is without a rule: manual.txt has all of them, section by section."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from pytl.diagnostics import all_rules, find
from pytl.ir.registry import all_instructions
from pytl.ops.xetile import one_memref
from pytl.tools.cli import import_all_rules

import_all_rules()
GENERAL = {
    *(
        "Core rules",
        "Instructions",
        "Execution model",
        "Regions",
        "Collective instructions",
        "Memref type",
        "Attributes",
    ),
    *("Launching", "Python front end"),
}
"""Sections whose rules hold for instructions of others, too."""
BEYOND = "an instruction beyond the manual is in one of NAMESPACES (pytl/ir/registry.py), its rules in 06xx or 07xx"


@dataclass(frozen=True)
class Demand:
    """What a section of the manual demands, and the codes that see to it."""

    section: str
    codes: tuple[str, ...]
    words: str

    def __str__(self) -> str:
        return f"{self.section}: {self.words}"


def read_demands() -> Iterator[Demand]:
    section = ""
    for line in (Path(__file__).parent / "manual.txt").read_text(encoding="utf-8").splitlines():
        if line.startswith(";") or not line:
            continue
        if not line.startswith(" "):
            section = line
            continue
        codes, words = re.fullmatch(r"  (\d{4}(?: \d{4})*|-)  +(.+)", line).groups()
        yield Demand(section, () if codes == "-" else tuple(f"PYTL-{code}" for code in codes.split()), words)


DEMANDS = list(read_demands())
SECTIONS = {demand.section for demand in DEMANDS}


@pytest.mark.parametrize("demand", DEMANDS, ids=str)
def test_a_rule_sees_to_it(demand: Demand) -> None:
    rules = [find(code) for code in demand.codes]
    assert None not in rules, f"there is no rule {demand.codes[rules.index(None)]}"
    assert rules or ":" in demand.words, "the reason is missing"
    if rules and demand.section in {cls.section for cls in all_instructions()}:
        sections = {rule.section for rule in rules}
        assert sections & {demand.section, *GENERAL}, f"these are rules of {sections}"


@pytest.mark.parametrize("section", sorted(SECTIONS))
def test_rules_are_listed_in_their_sections(section: str) -> None:
    listed = {code for demand in DEMANDS if demand.section == section for code in demand.codes}
    own = {rule.code for rule in all_rules() if rule.section == section}
    missing = sorted(own - listed)
    assert not missing, f"tests/diagnostics/manual.txt, section {section}: add the demand behind {', '.join(missing)}"


@pytest.mark.additions
def test_every_section_with_a_rule_of_the_manual_is_there() -> None:
    families = ("00", "01", "02", "03", "04", "05", "40")
    used = {rule.section for rule in all_rules() if rule.code[5:7] in families}
    missing = sorted(used - SECTIONS)
    assert not missing, f"tests/diagnostics/manual.txt has no section {', '.join(missing)}; {BEYOND}"


@pytest.mark.additions
@pytest.mark.parametrize("cls", all_instructions(), ids=lambda cls: cls.__name__)
def test_every_rule_of_an_instruction_is_in_its_section(cls) -> None:
    listed = {code for demand in DEMANDS if demand.section == cls.section for code in demand.codes}
    # what loops and branches carry of the instructions on tiles is another document's
    rules = {check.rule.code for check in cls.rules} - {one_memref.rule.code}
    missing = sorted(rules - listed)
    assert not missing, (
        f"tests/diagnostics/manual.txt, section {cls.section}: add the demand behind {', '.join(missing)}"
    )
