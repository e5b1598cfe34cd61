"""Each rule has an example that breaks it, and docs/rules.md is the page that is made of both."""

from __future__ import annotations

import contextlib
import io
import linecache
import os
import re
import shlex
import sys
import tempfile
import warnings
from collections.abc import Iterator
from pathlib import Path
from unittest import mock

import pytest
from device_kit import with_arrays
from launch_kit import ROOT, has_sycl

import pytl
from pytl.devices import bootstrap
from pytl.diagnostics import Diagnostic, all_rules
from pytl.diagnostics.examples import Example, example_of, read_examples
from pytl.ir.text import parse_text
from pytl.ir.verifier import find_problems
from pytl.tools.cli import import_all_rules, main
from pytl.tools.docs.rules import family_of, rules_page

pytestmark = pytest.mark.at_most(150)

import_all_rules()
RULES = [rule for rule in all_rules() if not rule.code.startswith("PYTL-99")]  # other tests declare such
MISSING = """{code} ({text}) has no example that breaks it.
Add to the file of its family in pytl/diagnostics/examples/, in order of the codes:

{code} text

with the least whole text of the language, indented by four blanks; `python` in place of `text` for a whole program,
`shell` for a command line. Then run `python -m pytl.tools.docs`, which writes docs/rules.md."""


@contextlib.contextmanager
def environment(cache: Path) -> Iterator[None]:
    """What examples find in the environment; what they set there themselves is undone, too."""
    with mock.patch.dict(os.environ):
        os.environ.update(dict.fromkeys(("PYTL_COPY_NUMPY", "PYTL_DEVICE", "PYTL_CHECKS"), ""))
        os.environ["PYTL_BACKEND"] = "reference"
        os.environ["PYTL_CACHE"] = "0"  # an example breaks the compiler
        os.environ["PYTL_CACHE_DIR"] = str(cache)
        yield


@pytest.fixture
def surroundings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A directory of its own; what an example does to the environment or to imports is undone."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    with environment(tmp_path / "cache"):
        yield tmp_path


def severest(found: list[Diagnostic]) -> set[str]:
    """The codes of the errors; of the warnings where there is no error; else of the notes."""
    for severity in ("error", "warning", "note"):
        codes = {diagnostic.code for diagnostic in found if diagnostic.severity == severity}
        if codes:
            return codes
    return set()


def codes_of(example: Example, directory: Path) -> set[str]:
    return {"text": of_text, "python": of_python, "shell": of_shell}[example.form](example.text, directory)


def of_text(text: str, directory: Path) -> set[str]:
    parsed = parse_text(text)
    return severest([*parsed.diagnostics.items, *find_problems(parsed.module).items])


def of_python(text: str, directory: Path) -> set[str]:
    file = directory / "example.py"
    file.write_text(text)
    linecache.checkcache(str(file))
    with contextlib.redirect_stdout(io.StringIO()), warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        try:
            exec(compile(with_arrays(text), str(file), "exec", dont_inherit=True), {"__name__": "__main__"})
        except pytl.PytlError as error:
            return severest(list(error.diagnostics))
    return {str(warning.message)[1:10] for warning in told if str(warning.message).startswith("[PYTL-")}


def of_shell(text: str, directory: Path) -> set[str]:
    command, _, rest = text.partition("\n")
    words = shlex.split(command, posix=True)
    given = ""
    if words[-1].startswith("<<"):
        given, end, nothing = rest.rpartition(f"{words.pop()[2:]}")
        assert end and not nothing, "the here-document does not end"
    assert words.pop(0) == "pytl"
    out, error = io.StringIO(), io.StringIO()
    with (
        contextlib.redirect_stdout(out),
        contextlib.redirect_stderr(error),
        pytest.MonkeyPatch.context() as patch,
    ):
        patch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(given.encode())))
        assert main(words) == 1
    shown = out.getvalue() + error.getvalue()
    return {rule.code for rule in RULES if f"{rule.severity}[{rule.code}]" in shown}


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.code)
def test_the_example_breaks_the_rule(rule, surroundings: Path, monkeypatch) -> None:
    example = example_of(rule.code)
    assert example is not None, MISSING.format(code=rule.code, text=rule.text)
    if example.needs_sycl and not has_sycl:
        pytest.skip("nothing here compiles and launches kernels on SYCL")
    for name in re.findall(r'sys\.modules\["(\w+)"\] = None', example.text):
        monkeypatch.setattr(bootstrap, "_loaded", bootstrap._loaded and name != "dpctl")
        monkeypatch.setitem(sys.modules, name, None)
    found = codes_of(example, surroundings)
    assert rule.code in found, f"the example of {rule.code} breaks {sorted(found) or 'nothing'}"


def test_what_an_example_sets_is_unset_again(tmp_path: Path) -> None:
    before = dict(os.environ)
    with environment(tmp_path):
        os.environ["PYTL_COMPILE_SECONDS"] = "0.001"
        del os.environ["PYTL_BACKEND"]
    assert dict(os.environ) == before


def test_examples_are_of_rules_that_exist() -> None:
    files = sorted((ROOT / "pytl/diagnostics/examples").glob("*.txt"))
    given = [example.code for file in files for example in read_examples(file.read_text(), file.name)]
    assert set(given) - {rule.code for rule in RULES} == set()
    assert len(given) == len(set(given))


def test_a_line_out_of_place_is_told() -> None:
    with pytest.raises(ValueError, match=r"types.txt:3: '  func' is neither the head of an example nor indented"):
        list(read_examples("PYTL-0100 text\n    func @f() { }\n  func\n", "types.txt"))


def test_every_code_is_of_a_family() -> None:
    assert [rule.code for rule in RULES if family_of(rule) is None] == []


def test_the_page_is_what_the_generator_gives() -> None:
    committed = (ROOT / "docs/rules.md").read_text(encoding="utf-8")
    assert committed == rules_page(all_rules()), "docs/rules.md is out of date: run `python -m pytl.tools.docs`"
