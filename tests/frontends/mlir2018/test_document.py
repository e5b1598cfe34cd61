"""The code blocks of the document on MLIR: they are read, checked, printed back, and MLIR verifies today's spelling.

A part of a block stands in a function whose parameters are the names that it uses. Its slips are notes (PYTL-1401);
where it breaks a rule of the document itself, the code is told.
"""

from __future__ import annotations

import re
import subprocess

import pytest
from mlir2018_kit import Part, parts

from pytl.backends.mlir.toolchain import Toolchain, find_toolchain
from pytl.diagnostics import Diagnostics, Source
from pytl.frontends.mlir2018.frontend import read_checked
from pytl.frontends.mlir2018.printer import print_module
from pytl.frontends.mlir2018.reader import ModuleReader
from pytl.frontends.mlir2018.today import print_today, to_operations
from pytl.mlir.text import read_module

PARTS = parts()
OF_MODULES = [part for part in PARTS if part.form != "types"]
READ = [part for part in OF_MODULES if not part.errors]


def named(part: Part) -> str:
    return f"{part.key} {part.block.partition(' ')[2]}"


def told(diagnostics: Diagnostics) -> tuple[int, list[str]]:
    """The number of notes on spelling, and the codes of errors."""
    codes = [each.code for each in diagnostics.in_order() if each.severity == "error"]
    return sum(each.code == "PYTL-1401" for each in diagnostics.items), codes


def test_all_blocks_are_here() -> None:
    numbers = [int(part.block.partition(" ")[0]) for part in PARTS]
    assert sorted(set(numbers)) == list(range(1, 53))


@pytest.mark.parametrize("part", OF_MODULES, ids=named)
def test_what_is_told_of_a_block(part: Part) -> None:
    _, diagnostics = read_checked(part.module, "document")
    assert told(diagnostics) == (int(part.notes), part.errors.split())


@pytest.mark.parametrize("part", READ, ids=named)
def test_a_block_is_printed_as_the_same_tree(part: Part) -> None:
    module, _ = read_checked(part.module, "document")
    text = print_module(module)
    again, diagnostics = read_checked(text, "printed")
    assert again == module
    assert print_module(again) == text
    assert [each for each in diagnostics.items if "`...`" not in each.message] == []


@pytest.mark.parametrize("part", [part for part in PARTS if part.form == "types"], ids=named)
def test_types_alone(part: Part) -> None:
    reader = ModuleReader(Source("document", part.module), {})
    types = reader.types_alone()
    assert told(reader.diagnostics) == (int(part.notes), [])
    definitions, written = "\n".join(re.findall(r"(?m)^#.*", part.text)), re.sub(r"(?m)^#.*| ", "", part.text)
    assert [str(each).replace(" ", "") for each in types] == written.split()
    printed = "\n".join([definitions, *map(str, types)])
    assert types == ModuleReader(Source("printed", printed), {}).types_alone()


@pytest.mark.parametrize("part", READ, ids=named)
def test_what_has_no_counterpart_today_is_told(part: Part) -> None:
    module, diagnostics = read_checked(part.module, "document")
    before = len(diagnostics.items)
    to_operations(module, diagnostics)
    assert sorted(each.code for each in diagnostics.items[before:]) == part.today.split()


@pytest.mark.tools_of("mlir")
def test_mlir_verifies_the_blocks_in_todays_spelling() -> None:
    toolchain = find_toolchain()
    assert isinstance(toolchain, Toolchain)
    texts, trees = [], []
    for part in READ:
        if "PYTL-1450" in part.today:
            continue
        module, diagnostics = read_checked(part.module, "document")
        trees.append(to_operations(module, diagnostics))
        texts.append(print_today(trees[-1]))
    options = ["--split-input-file", "--allow-unregistered-dialect", "--mlir-print-op-generic"]
    command = [toolchain.path("mlir-opt"), *options, "-"]
    run = subprocess.run(command, input="\n// -----\n".join(texts), capture_output=True, text=True, timeout=60)
    assert run.returncode == 0, run.stderr
    for tree, text in zip(trees, run.stdout.split("// -----\n"), strict=True):
        verified = [each.name for each in read_module(text).walk()]
        assert verified == [each.name for each in tree.walk()]
