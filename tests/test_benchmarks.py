"""What the benchmarks print: the arithmetic of their tables, who is missing from them, and what they refuse."""

from __future__ import annotations

import importlib
import sys
from types import ModuleType

import numpy as np
import pytest
from launch_kit import ROOT

MISSING = "torch is missing (No module named 'torch'); `python install.py bench-torch` installs it"


@pytest.fixture
def report(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """The scripts import each other as files of one folder."""
    monkeypatch.syspath_prepend(str(ROOT / "benchmarks"))
    return importlib.import_module("report")


def test_a_table_has_rates_ratios_and_who_is_missing(report: ModuleType) -> None:
    cells = [
        report.Cell("t", "8×8×8", "float32", 1, 2e9, {"pytl": 0.1, "NumPy": 0.2, "libxsmm": 0.05}, 40.0, [MISSING]),
        report.Cell("t", "9×9×9", "float32", 1, 1e9, {"pytl": 0.1, "NumPy": 0.8}, 40.0, [MISSING]),
    ]
    assert report.table(cells) == (
        "|  | type | pytl, GFLOP/s | of the FMA peak | beside NumPy | beside libxsmm |\n"
        "| --- | --- | ---: | ---: | ---: | ---: |\n"
        "| 8×8×8 | f32 | 20.0 | 50% | 2.00 | 0.50 |\n"
        "| 9×9×9 | f32 | 10.0 | 25% | 8.00 | – |\n"
        "| geometric mean | f32 |  |  | 4.00 | 0.50 |\n"
        f"\n{MISSING}.\n"
    )


def test_a_part_of_a_page_is_replaced(report: ModuleType) -> None:
    page = "before\n<!-- a: written by a run with --write -->\nold\n<!-- end of a -->\nafter\n"
    once = report.with_part(page, "a", r"new \1")
    assert "old" not in once and once.startswith("before\n") and once.endswith("<!-- end of a -->\nafter\n")
    assert report.with_part(once, "a", "newer").count("newer") == 1
    with pytest.raises(SystemExit, match="the page has no part '<!-- b: "):
        report.with_part(page, "b", "")


def test_a_peer_without_a_compiler_is_missing(report: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    native = importlib.import_module("peers.native")
    native._load.cache_clear()
    monkeypatch.setenv("CC", "no-such-compiler")
    with pytest.raises(importlib.import_module("peers").Missing) as raised:
        native.Libxsmm()
    assert str(raised.value) == (
        "libxsmm is missing (no C compiler is found); `apt-get install libxsmm-dev gcc` installs it"
    )


def test_a_library_that_is_missing_is_named(report: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "torch", None)
    libraries, measure = importlib.import_module("peers.libraries"), importlib.import_module("measure")
    array = np.ones((1, 1, 1))
    variants, absent = measure.taking_part([lambda: libraries.by_torch(array, array[0], array, 1)], array, 1)
    assert variants == []
    (reason,) = absent
    assert reason.startswith("torch is missing (") and reason.endswith("`python install.py bench-torch` installs it")


def test_a_wrong_result_ends_the_run(report: ModuleType) -> None:
    measure = importlib.import_module("measure")
    expected = np.ones((2, 2, 3), np.float32)
    measure.check(measure.Variant("good", lambda: None, lambda: expected), expected, 8)
    with pytest.raises(SystemExit, match="bad is wrong"):
        measure.check(measure.Variant("bad", lambda: None, lambda: expected * np.nan), expected, 8)


@pytest.mark.parametrize("shape", [(3, 2, 4), (3, 1, 4), (1, 1, 1)])
def test_a_peer_works_on_data_of_its_own(report: ModuleType, shape: tuple[int, int, int]) -> None:
    libraries = importlib.import_module("peers.libraries")
    generator = np.random.default_rng(1)
    m, n, items = shape
    a, b, c = (np.asfortranarray(generator.random(size)) for size in [(m, 2, items), (2, n), shape])
    before = c.copy()
    variant = libraries.by_numpy(a, b, c, 2 * items)
    importlib.import_module("measure").check(variant, c + 2 * np.einsum("ikg,kj->ijg", a, b), 4)
    assert np.array_equal(c, before)
