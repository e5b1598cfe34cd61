"""The page of rules: every diagnostic code with its rule, its section and an example that breaks it."""

from __future__ import annotations

import re
from collections.abc import Sequence

from ...diagnostics import Rule
from ...diagnostics.examples import Example, example_of
from ...ir.text import parse_text
from ...ir.verifier import find_problems
from ...ops.reference import instructions_with_pages, page_name
from .markdown import anchor, document, fence, plain, table

FAMILIES = {
    "00": "Text",
    "01": "Types, attributes and functions",
    "02": "Regions, names and yields",
    "03": "Collective instructions",
    "04": "Mixed instructions",
    "05": "SPMD instructions",
    "06": "Index notation",
    "07": "Affine maps and integer sets, matrices since release 0.4",
    "10": "Python front end",
    "11": "Functions that kernels call, calls outside of kernels",
    "12": "Other languages and dialects of texts",
    "13": "Modules of MLIR",
    "14": "MLIR of 2018",
    "20": "Launches and arguments",
    "30": "Environment and backends",
    "31": "Vector code",
    "32": "Intel GPUs through MLIR",
    "33": "Kernels built ahead of time, OpenCL",
    "40": "Execution",
}
_INTRODUCTION = """\
Whatever is wrong with a kernel, its text or its launch is reported under a code: `error[PYTL-0330]`. This page has all
codes, each with the rule behind it, where that comes from, and the least example that breaks it. `pytl explain
PYTL-0330` shows the same in a terminal.

An *error* ends the command or call. A *warning* reports what is allowed, but probably not intended. A *note* reports a
spelling that is read, but not canonical; `pytl check --strict` takes it for an error.

Text is shown as `pytl check` reads it, Python as a whole program, and what begins with `pytl` as a command line."""
_LANGUAGES = {"text": "", "python": "python", "shell": "sh"}


def rules_page(rules: Sequence[Rule]) -> str:
    """The page as Markdown, without rules of no family of pytl's: those are of programs that use it."""
    families = {name: [rule for rule in rules if family_of(rule) == name] for name in FAMILIES.values()}
    links = [
        [f"{number}xx", f"[{name}](#{anchor(name)})", str(len(families[name]))] for number, name in FAMILIES.items()
    ]
    blocks = ["# Rules", _INTRODUCTION, table(["codes", "about", "rules"], links)]
    for name, of_family in families.items():
        blocks += [f"## {name}", *(_entry(rule) for rule in of_family)]
    return document(blocks)


def link(rule: Rule) -> str:
    """The address of a rule on its page."""
    return f"rules.md#{anchor(rule.code)}"


def explanation(rule: Rule) -> str:
    """What `pytl explain` prints of a rule."""
    blocks = [f"{rule.code}: {rule.severity}", rule.text, f"Section: {rule.section}", rule.explanation]
    example = example_of(rule.code)
    if example is not None:
        indented = "\n".join(f"  {line}".rstrip() for line in example.text.splitlines())
        blocks.append(f"{_caption(example)}:\n\n{indented}")
    return "\n\n".join(block for block in blocks if block)


def _entry(rule: Rule) -> str:
    example = example_of(rule.code)
    blocks = [
        f"### {rule.code}",
        f"**{plain(_sentence(rule.text))}**",
        f"*{rule.severity.capitalize()} · {_section(rule)}*",
        plain(rule.explanation),
    ]
    if example is not None:
        blocks.append(fence(example.text, _LANGUAGES[example.form]))
        blocks.append(_as_reported(rule, example))
    return "\n\n".join(block for block in blocks if block)


def _sentence(text: str) -> str:
    """A rule as a sentence, unless it begins with a formula, in which letters mean what they are."""
    word = re.match(r"[a-z]+(?=[ ,-])", text)
    return f"{text[0].upper()}{text[1:]}." if (word and len(word[0]) > 1) or text.startswith("a ") else text


def _as_reported(rule: Rule, example: Example) -> str:
    """What is said of a text, with the line and the fix."""
    if example.form != "text":
        return ""
    parsed = parse_text(example.text)
    diagnostics = [*parsed.diagnostics.items, *find_problems(parsed.module).items]
    reported = next(diagnostic for diagnostic in diagnostics if diagnostic.rule is rule)
    line = f"Line {reported.location.line}: " if reported.location is not None else ""
    fix = f"; {plain(reported.help)}" if reported.help else ""
    return f"> {line}{plain(reported.message)}{fix}"


def _section(rule: Rule) -> str:
    """The section, linked to the instruction's page where it is about one."""
    for cls in instructions_with_pages():
        if cls.section == rule.section:
            return f"[{rule.section}](reference/{page_name(cls)}.md)"
    return plain(rule.section)


def _caption(example: Example) -> str:
    words = {"text": "This text breaks it", "python": "This program breaks it", "shell": "This command breaks it"}
    return words[example.form]


def family_of(rule: Rule) -> str | None:
    """The name of a rule's family; None for codes that are left to others."""
    return FAMILIES.get(rule.code.removeprefix("PYTL-")[:2])
