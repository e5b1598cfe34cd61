"""docs/mlir-operations.md says of each operation what becomes of it, and tests show so."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest
from frontends.mlir.operations_page import PAGE, SECTIONS, VERSION, page
from frontends.mlir.tensors.operations import REFUSED, REFUSED_FORMS, RefusedForm, RefusedOperation

import pytl

DOCS = Path(__file__).parents[3] / "docs"


def test_each_operation_has_a_program_or_a_reason() -> None:
    entries = {f"{each.dialect}.{name}": entry for each in SECTIONS for name, entry in each.entries.items()}
    assert [name for name, entry in entries.items() if bool(entry.programs) is bool(entry.refused)] == []


@pytest.mark.at_night
@pytest.mark.tools_of("mlir")
def test_each_operation_of_the_library_has_a_row() -> None:
    """Names of a dialect that stand in MLIR's library are its operations, unless the dialect knows none of the name."""
    library = (Path("/usr/lib") / f"llvm-{VERSION}" / "lib" / f"libMLIR.so.{VERSION}.1").read_bytes()
    missing = []
    for section in SECTIONS:
        written = set(re.findall(rb"(?<![\w.])%s\.([a-z][\w.]*)" % section.dialect.encode(), library))
        names = sorted({name.decode() for name in written} - set(section.entries))
        text = "\n// -----\n".join(f'"{section.dialect}.{name}"() : () -> ()' for name in names)
        told = subprocess.run(["mlir-opt-22", "--split-input-file"], input=text, text=True, capture_output=True).stderr
        unknown = set(re.findall(rf"unregistered operation '{section.dialect}\.([\w.]+)'", told))
        missing += [f"{section.dialect}.{name}" for name in names if name not in unknown]
    assert missing == []


@pytest.mark.parametrize("refused", [pytest.param(each, id=name) for name, each in REFUSED.items()])
def test_it_is_refused_with_its_reason(refused: RefusedOperation) -> None:
    with pytest.raises(pytl.LanguageError) as caught:
        pytl.from_mlir(refused.text)
    (only,) = caught.value.diagnostics
    assert only.code == "PYTL-1304"
    assert refused.why in (only.help or "")


@pytest.mark.parametrize("form", [pytest.param(each, id=each.what) for each in REFUSED_FORMS])
def test_a_form_is_refused_with_its_reason(form: RefusedForm) -> None:
    with pytest.raises(pytl.LanguageError) as caught:
        pytl.from_mlir(form.text)
    only = caught.value.diagnostics[0]
    assert only.code == form.code
    assert form.why in only.message


def test_the_page_is_what_the_tables_give(request: pytest.FixtureRequest) -> None:
    file = DOCS / PAGE
    if request.config.getoption("--update-golden"):
        file.write_text(page(), encoding="utf-8")
    assert file.read_text(encoding="utf-8") == page()
