"""What the benchmarks print: the arithmetic of their tables, who is missing from them, and what they refuse."""

from __future__ import annotations

import importlib
import re
import sys
import threading
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from io import StringIO
from pathlib import Path
from types import ModuleType, SimpleNamespace

import numpy as np
import pytest
from launch_kit import ROOT

import pytl

MISSING = "torch is missing (No module named 'torch'); `python install.py bench-torch` installs it"


@pytest.fixture
def benchmarks(monkeypatch: pytest.MonkeyPatch) -> Callable[[str], ModuleType]:
    """Imports one of the scripts, which import each other as files of one folder."""
    monkeypatch.syspath_prepend(str(ROOT / "benchmarks"))
    return importlib.import_module


@pytest.fixture
def report(benchmarks: Callable[[str], ModuleType]) -> ModuleType:
    return benchmarks("report")


Benchmarks = Callable[[str], ModuleType]


def test_a_table_has_rates_ratios_and_who_is_missing(report: ModuleType) -> None:
    cells = [
        report.Cell("t", "8×8×8", "f32", 1, 2e9, {"pytl": 0.1, "NumPy": 0.2, "libxsmm": 0.05}, 40.0, [MISSING]),
        report.Cell("t", "9×9×9", "f32", 1, 1e9, {"pytl": 0.1, "NumPy": 0.8}, 40.0, [MISSING]),
    ]
    assert report.table({"a processor": cells}) == (
        "|  | type | pytl, GFLOP/s | of the FMA peak | beside NumPy | beside libxsmm |\n"
        "| --- | --- | ---: | ---: | ---: | ---: |\n"
        "| 8×8×8 | f32 | 20.0 | 50% | 2.00 | 0.50 |\n"
        "| 9×9×9 | f32 | 10.0 | 25% | 8.00 | – |\n"
        "| geometric mean | f32 |  |  | 4.00 | 0.50 |\n"
        f"\n{MISSING}.\n"
    )


def test_a_table_has_columns_for_each_processor(report: ModuleType) -> None:
    one = [report.Cell("t", "8×8×8", "f32", 1, 2e9, {"pytl": 0.1, "NumPy": 0.2}, 40.0)]
    other = [
        report.Cell("t", "8×8×8", "f32", 1, 2e9, {"pytl": 0.2, "torch": 0.2}),
        report.Cell("t", "9×9×9", "f32", 1, 2e9, {"pytl": 0.2, "torch": 0.8}),
    ]
    assert report.table({"A": one, "B": other}) == (
        "|  | type | pytl, GFLOP/s; A | of the FMA peak; A | beside NumPy; A | pytl, GFLOP/s; B | beside torch; B |\n"
        "| --- | --- | ---: | ---: | ---: | ---: | ---: |\n"
        "| 8×8×8 | f32 | 20.0 | 50% | 2.00 | 10.0 | 1.00 |\n"
        "| 9×9×9 | f32 | – | – | – | 10.0 | 4.00 |\n"
        "| geometric mean | f32 |  |  | 2.00 |  | 2.00 |\n"
    )


def test_tables_of_bytes_and_of_times(report: ModuleType) -> None:
    moved = report.Cell("t", "sum", "f64", 2, 3e9, {"pytl": 0.1, "reading": 0.09}, unit="GB/s", notes=["A note."])
    assert report.table({"": [moved]}) == (
        "|  | type | pytl, GB/s | beside reading |\n"
        "| --- | --- | ---: | ---: |\n"
        "| sum | f64 | 30.0 | 0.90 |\n"
        "\nA note.\n"
    )
    build = report.Cell("t", "build", "f32", 2, 0.0, {"pytl": 1.5}, unit="ms")
    assert report.table({"": [build]}) == "|  | type | ms |\n| --- | --- | ---: |\n| build | f32 | 1500.0 |\n"


def test_bars_say_how_far_away_the_farthest_is(benchmarks: Benchmarks) -> None:
    bars, cell = benchmarks("bars"), benchmarks("measure").Cell
    cells = {
        "squares": [
            cell("t", "16×16×16", "f32", 1, 1.0, {"pytl": 1.0, "libxsmm": 0.9, "torch": 9.0}, place="L2"),
            cell("t", "32×32×32", "f32", 1, 1.0, {"pytl": 1.0, "libxsmm": 3.6}, place="L2"),
            cell("t", "64×64×64", "f32", 2, 1.0, {"pytl": 1.0, "libxsmm": 0.1}, place="memory"),
        ],
        "compile": [
            cell("t", "first", "f32", 2, 0.0, {"pytl": 0.019}, unit="ms"),
            cell("t", "warm", "f32", 2, 0.0, {"pytl": 0.010}, unit="ms"),
        ],
    }
    in_cache = partial(bars.Bar, "products", ("squares",), ("libxsmm",), where=lambda each: each.place == "L2")
    found = [
        in_cache(0.9),
        in_cache(1.0),
        in_cache(0.9, 2.0),
        in_cache(0.5, of="pytl, tuned"),
        bars.Bar("products", ("squares",), ("torch", "libxsmm"), 1.0, where=lambda each: each.row == "16×16×16"),
        bars.Bar("lowering", ("compile",), (), 20),
    ]
    assert bars.reached(found, {"X": cells}) == (
        "| what | beside | aimed at | on | the farthest from it | of | is at | geometric mean | reached |\n"
        "| --- | --- | --- | --- | --- | ---: | ---: | ---: | ---: |\n"
        "| products | libxsmm | ≥ 0.90 | X | 16×16×16 f32, 1 core | 2 | 0.90 | 1.80 | yes |\n"
        "| products | libxsmm | ≥ 1.00 | X | 16×16×16 f32, 1 core | 2 | 0.90 | 1.80 | **no** |\n"
        "| products | libxsmm | ≥ 0.90, mean ≥ 2.00 | X | 16×16×16 f32, 1 core | 2 | 0.90 | 1.80 | **no** |\n"
        "| products | libxsmm | ≥ 0.50 |  |  | 0 | – | – | not measured |\n"
        "| products | torch | ≥ 1.00 | X | 16×16×16 f32, 1 core | 1 | 0.90 | 0.90 | **no** |\n"
        "| lowering |  | ≤ 20 ms | X | first f32, 2 cores | 2 | 19.00 | – | yes |\n"
    )


def test_a_run_is_kept_and_the_page_made_of_it(
    benchmarks: Benchmarks, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    page, cell = benchmarks("page"), benchmarks("measure").Cell
    monkeypatch.setattr(page, "PAGE", tmp_path / "performance.md")
    monkeypatch.setattr(page, "plot", lambda cells, file: None)
    names = ("summary", "aims", "chain")
    parts = "".join(f"<!-- {name}: written by a run with --write -->\n<!-- end of {name} -->\n" for name in names)
    page.PAGE.write_text(f"before\n{parts}after\n", encoding="utf-8")
    seconds = {"pytl": 0.01, "two libxsmm calls": 0.02}
    run = page.Run.of(
        [cell("chain", "in L2", "f32", 1, 1e9, seconds, 200.0, place="L2")], "X", "a machine", "No memory."
    )
    page.keep("chain", run)
    written = page.PAGE.read_text(encoding="utf-8")
    assert page.kept() == {"chain": {"X": run}}
    assert "a machine; " in written and "f32 200 on 1 core. No memory." in written
    assert "| in L2 | f32 | 100.0 | 50% | 2.00 |\n" in written
    assert "| A Bᵀ C + D fused, in cache | X | **2.00** (2.00 to 2.00) | – | – | – |\n" in written
    assert (
        "| the chain, in L2 | two libxsmm calls | ≥ 1.40 | X | in L2 f32, 1 core | 1 | 2.00 | 2.00 | yes |\n" in written
    )
    page.write()
    assert page.PAGE.read_text(encoding="utf-8") == written
    slower = page.Run(
        "Y", "another\n", [cell("chain", "in L2", "f32", 1, 1e9, {**seconds, "pytl": 0.04}, 200.0, place="L2")]
    )
    page.keep("chain", slower)
    written = page.PAGE.read_text(encoding="utf-8")
    assert page.kept() == {"chain": {"X": run, "Y": slower}}
    assert "*X*: a machine; " in written and "*Y*: another" in written
    assert "| in L2 | f32 | 100.0 | 50% | 2.00 | 25.0 | 12% | 0.50 |\n" in written
    assert "| A Bᵀ C + D fused, in cache | Y | **0.50** (0.50 to 0.50) | – | – | – |\n" in written
    file = tmp_path / "performance" / "chain.json"
    file.write_text(file.read_text(encoding="utf-8")[:-9], encoding="utf-8")
    with pytest.raises(SystemExit, match="holds no run of this version: remove it, and run the workload again"):
        page.kept()


def test_every_workload_has_its_place_in_the_page(benchmarks: Benchmarks) -> None:
    """What a script measures and what a bar looks at is a part of the page."""
    page, bars = benchmarks("page"), benchmarks("bars")
    text = page.PAGE.read_text(encoding="utf-8")
    parts = re.findall(r"<!-- (\w+): written by a run with --write -->", text)
    counted = benchmarks("arm_instructions").NAME  # which no bar looks at
    assert {name for bar in bars.BARS for name in bar.workloads} | {page.SUMMARY, page.AIMS, counted} == set(parts)
    assert page.kept().keys() <= set(parts)
    assert all(page.with_part(text, name, "") for name in parts)


def test_what_was_kept_stands_in_the_page(benchmarks: Benchmarks) -> None:
    page, bars = benchmarks("page"), benchmarks("bars")
    text, runs = page.PAGE.read_text(encoding="utf-8"), page.kept()
    for name, of_workload in runs.items():
        assert page.with_part(text, name, page.text_of(name, of_workload.values())) == text
    cells = page.by_processor(runs)
    assert page.with_part(text, page.AIMS, bars.reached(bars.BARS, cells)) == text


def test_a_part_of_a_page_is_replaced(benchmarks: Benchmarks) -> None:
    report = benchmarks("page")
    page = "before\n<!-- a: written by a run with --write -->\nold\n<!-- end of a -->\nafter\n"
    once = report.with_part(page, "a", r"new \1")
    assert "old" not in once and once.startswith("before\n") and once.endswith("<!-- end of a -->\nafter\n")
    assert report.with_part(once, "a", "newer").count("newer") == 1
    with pytest.raises(SystemExit, match="the page has no part '<!-- b: "):
        report.with_part(page, "b", "")


def test_a_peer_without_a_compiler_is_missing(report: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    native = importlib.import_module("peers.native")
    native.load.cache_clear()
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


@pytest.mark.parametrize("order", ["C", "F"])
def test_arrays_of_variants_begin_at_pages(benchmarks: Benchmarks, order: str) -> None:
    memory = benchmarks("memory")
    given = np.arange(24, dtype=np.float32).reshape(2, 3, 4).transpose(1, 2, 0)
    placed = memory.placed(given, order)
    assert placed.ctypes.data % 4096 == 0 and placed.dtype == given.dtype
    assert placed.flags.c_contiguous == (order == "C") and placed.flags.f_contiguous == (order == "F")
    np.testing.assert_array_equal(placed, given)
    assert not np.shares_memory(placed, given)


def test_turns_begin_when_other_threads_sleep(
    benchmarks: Benchmarks, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    measure = benchmarks("measure")
    own = str(threading.get_native_id())
    states = {own: "R", "1": "S", "2": "S"}

    def write() -> None:
        for thread, state in states.items():
            (tmp_path / thread).mkdir(exist_ok=True)
            (tmp_path / thread / "stat").write_text(f"{thread} (a (worker) R) {state} 1 1")

    (tmp_path / "ended").mkdir()  # a thread that has no file any more
    write()
    monkeypatch.setattr(measure, "TASKS", tmp_path)
    assert not measure.others_run()
    happened = []

    def leave_running() -> None:
        states["2"] = "R"
        write()
        happened.append("run")

    def fall_asleep() -> None:
        happened.append("waited")
        if len(happened) % 3 == 0:
            states["2"] = "S"
            write()

    monkeypatch.setattr(measure.os, "sched_yield", fall_asleep)
    monkeypatch.setattr(measure, "SHORT", 0.0)
    measure.interleaved([measure.Variant("a", leave_running, lambda: None)], 0.0)
    assert happened == ["run", "waited", "waited", "run", "waited", "waited", "run"]

    monkeypatch.setattr(measure, "MOST_WAITED", 0.0)  # a thread that never sleeps holds up no benchmark
    measure.wait_for_others()
    assert measure.others_run()
    monkeypatch.setattr(measure, "TASKS", tmp_path / "elsewhere")
    assert not measure.others_run()


@pytest.mark.parametrize(("place", "most", "runs"), [("", 9.0, 3), ("memory", 9.0, 3), ("L2", 9.0, 6), ("L2", 0.0, 4)])
def test_turns_in_cache_begin_with_a_run_that_is_not_timed(
    benchmarks: Callable[[str], ModuleType], monkeypatch: pytest.MonkeyPatch, place: str, most: float, runs: int
) -> None:
    """Unless the one before took long: then only the first does."""
    measure, done = benchmarks("measure"), []
    monkeypatch.setattr(measure, "MOST_WARMING", most)
    monkeypatch.setattr(measure, "SHORT", 0.0)
    measure.interleaved([measure.Variant("a", lambda: done.append(1), lambda: None)], 0.0, place)
    assert len(done) == runs


def test_short_runs_are_repeated_in_a_turn(
    benchmarks: Callable[[str], ModuleType], monkeypatch: pytest.MonkeyPatch
) -> None:
    """By a clock that is moved by runs alone, each of which takes a quarter of a turn."""
    measure, done, now = benchmarks("measure"), [], [0.0]

    def run() -> None:
        done.append(1)
        now[0] += measure.SHORT / 4

    monkeypatch.setattr(measure.time, "perf_counter", lambda: now[0])
    (seconds,) = measure.interleaved([measure.Variant("a", run, lambda: None)], 0.0).values()
    assert len(done) == 1 + 2 * (1 + 4), "the first turn says how short a run is, one begins each other"
    assert seconds == pytest.approx(measure.SHORT / 4)
    assert measure.runs_of_turn(1.0) == 1 and measure.runs_of_turn(0.0) == measure.MOST_RUNS


def test_turns_of_all_variants_begin_alike(
    benchmarks: Callable[[str], ModuleType], monkeypatch: pytest.MonkeyPatch
) -> None:
    """If one's runs are short, those of the others begin with one that isn't timed, too."""
    measure, now = benchmarks("measure"), [0.0]
    done = {"short": 0, "long": 0}

    def taking(name: str, seconds: float) -> Callable[[], None]:
        def run() -> None:
            done[name] += 1
            now[0] += seconds

        return run

    monkeypatch.setattr(measure.time, "perf_counter", lambda: now[0])
    variants = [
        measure.Variant(name, taking(name, seconds), lambda: None)
        for name, seconds in (("short", 0.6 * measure.SHORT), ("long", 3 * measure.SHORT))
    ]
    measure.interleaved(variants, 0.0)
    assert done == {"short": 1 + 2 * 2, "long": 1 + 2 * 2}
    measure.interleaved(variants[1:], 0.0)
    assert done["long"] == 5 + 3


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


FLOPS = {
    "V": (4104, 15660, 47520, 122850),
    "L": (12528, 35280, 85320, 182952),
    "N": (3780, 10620, 25380, 53676),
    "D": (4806, 20466, 67986, 190836),
    "R": (4500, 12240, 28350, 58464),
}
"""Operations an element of orders 3 to 6."""


@pytest.mark.parametrize("name", FLOPS)
def test_kernels_of_finite_elements(benchmarks: Benchmarks, name: str) -> None:
    """Their operations are as many as expected; pytl and the lists of steps compute what the formulas say."""
    seissol, check = benchmarks("seissol"), benchmarks("measure").check
    cases = [seissol.CASES[name](order) for order in seissol.ORDERS]
    assert tuple(case.flops for case in cases) == FLOPS[name]
    for case, order in zip(cases, seissol.ORDERS):
        makers, expected = seissol.makers_of(case, "float64", 2)
        by_pytl, _, _, by_numpy, _ = makers
        check(by_numpy(), expected, 4 * seissol.volume_basis(order))
        if order in (3, 6):
            with pytl.use("reference"):
                check(by_pytl(), expected, 4 * seissol.volume_basis(order))


def test_contractions(benchmarks: Benchmarks) -> None:
    """Each kernel by hand, as contractions, by einsum and by NumPy; the subscripts of whole batches."""
    einsum, tensors, check = benchmarks("einsum"), benchmarks("tensors"), benchmarks("measure").check
    found = [einsum.seissol_work(name, 3) for name in FLOPS]
    found += [tensors.coupled_cluster(2, 3), tensors.kronecker(5, 3, 2), tensors.spectral_elements(1, 2)]
    found.append(tensors.attention(4, 3, 2))
    for work in found:
        makers, expected = einsum.makers_of(work, "float64", min(work.items, 4))
        *makers, torch, jax = makers
        assert (torch.func.__name__, jax.func.__name__) == ("by_torch", "by_jax")
        with pytl.use("reference"):
            for maker in makers:
                check(maker(), expected, work.steps)
    rows = einsum.works()
    one = [row for row, make in rows.items() if einsum.is_one_einsum(make())]
    assert len(rows) == 33 and one == [row for row in rows if row[:2] in ("R,", "CC", "Kr", "sp")]
    term = found[4].terms[0]
    assert term.of_batch({"V": 0, "T": 0}) == "sl,glq,qp->gsp"
    assert einsum.batch_last(term, {"V": 0, "T": 0}) == "sl,lqg,qp->spg"


def test_what_einsum_says_in_short(benchmarks: Benchmarks) -> None:
    einsum, cell = benchmarks("einsum"), benchmarks("measure").Cell
    seconds = {"pytl": 1.0, "pytl, by hand": 0.9, "NumPy": 8.0, "torch": 4.0}
    slower = {"pytl": 1.0, "pytl, by hand": 1.2, "NumPy": 1.0, "jax": 2.0}
    cells = [cell("t", "a", "f32", 1, 1.0, found) for found in (seconds, slower)]
    assert einsum.in_short(cells) == "2.00 times as fast as the fastest library; at least 0.90 of the kernels by hand"
    assert einsum.in_short([]) == "nothing to compare with"


def test_the_48_contractions(benchmarks: Benchmarks) -> None:
    """Each by all who take part in a small size; two free groups and one that is summed, and the work that is meant."""
    tccg, check = benchmarks("tccg"), benchmarks("measure").check
    assert len(set(tccg.CONTRACTIONS)) == 48
    for contraction in tccg.CONTRACTIONS:
        output, left, right = contraction.split("-")
        assert all(sum(name in names for names in (output, left, right)) == 2 for name in output + left + right)
        for gflop in tccg.GFLOP:
            flops = 2 * tccg.size_of(contraction, gflop) ** len(set(output + left + right))
            assert 0.2 < flops / (gflop * 1e9) < 3
    for contraction in ("abcd-aebf-dfce", "abcdef-gfbc-dega", "ab-cad-dcb"):
        (*makers, torch), expected, steps = tccg.makers_of(contraction, 4, "float64")
        assert torch.__name__ == "by_torch"
        with pytl.use("reference"):
            for maker in makers:
                check(maker(), expected, steps)
    cell = benchmarks("measure").Cell
    cells = [cell("t", "a", "f32", 1, 1.0, {"pytl": 1.0, "NumPy": slow, "tensordot": 9.0}) for slow in (8.0, 0.5)]
    assert tccg.in_short(cells) == "2.00 times as fast as the fastest library, at least 0.50; 1 of 2 below 1"
    assert tccg.in_short([]) == "nothing to compare with"


def test_lists_of_steps_by_libxsmm(benchmarks: Benchmarks) -> None:
    """Products of padded temporaries, sums, and transpositions before products; of whatever libxsmm is there."""
    seissol, transposes, measure = benchmarks("seissol"), benchmarks("transposes"), benchmarks("measure")
    try:
        benchmarks("peers.native").Libxsmm()
    except benchmarks("peers").Missing as missing:
        pytest.skip(str(missing))
    for dtype in ("float32", "float64"):
        makers, expected = seissol.makers_of(seissol.CASES["D"](4), dtype, 3)
        measure.check(makers[1](), expected, 80)
        for form in transposes.FORMS:
            makers, expected = transposes.makers_of(form, 16, dtype, 3, 3)
            for maker in makers[1:]:
                if maker.func is transposes.by_libxsmm:
                    measure.check(maker(), expected, 17)


@pytest.mark.parametrize("form", ["tn", "tt", "nt"])
def test_transposed_factors(benchmarks: Benchmarks, form: str) -> None:
    transposes, check = benchmarks("transposes"), benchmarks("measure").check
    makers, expected = transposes.makers_of(form, 5, "float32", 3, 3)
    check(next(maker for maker in makers if maker.func is transposes.by_numpy)(), expected, 7)
    with pytl.use("reference"):
        check(makers[0](), expected, 7)


def test_other_types(benchmarks: Benchmarks) -> None:
    mixed, check = benchmarks("mixed"), benchmarks("measure").check
    names = [mixed.named(*types) for types in mixed.TYPES]
    assert names == ["c32", "f16→f32", "bf16→f32", "c64", "i8→i32"]
    for types in mixed.TYPES:
        (by_pytl, by_numpy, *_), expected = mixed.makers_of(types, 5, 3, 3)
        check(by_numpy(), expected, 7)
        with pytl.use("reference"):
            check(by_pytl(), expected, 7)


def test_dynamic_sizes(benchmarks: Benchmarks) -> None:
    dynamic, check = benchmarks("dynamic"), benchmarks("measure").check
    makers, expected = dynamic.makers_of(5, "float32", 3, 3)
    with pytl.use("reference"):
        for maker in makers:
            check(maker(), expected, 7)


def test_cooperative_matrices(benchmarks: Benchmarks, monkeypatch: pytest.MonkeyPatch) -> None:
    coopmatrix, check = benchmarks("coopmatrix"), benchmarks("measure").check
    monkeypatch.setattr(coopmatrix, "K", 128)
    for types in coopmatrix.TYPES:
        (by_pytl, by_numpy, *_), expected = coopmatrix.makers_of(types, 2)
        check(by_numpy(), expected, coopmatrix.K)
        with pytl.use("reference"):
            check(by_pytl(), expected, coopmatrix.K)


def test_what_moves_data(benchmarks: Benchmarks, monkeypatch: pytest.MonkeyPatch) -> None:
    bandwidth, check = benchmarks("bandwidth"), benchmarks("measure").check
    monkeypatch.setattr(bandwidth, "LENGTH", 12)
    for case in bandwidth.cases().values():
        arrays = bandwidth.random_arrays(case, "float32", 3)
        expected = bandwidth.expected_of(case, arrays)
        check(bandwidth.by_numpy(case, arrays), expected, case.steps)
        with pytl.use("reference"):
            check(bandwidth.by_pytl(case, arrays), expected, case.steps)
    moved = {row: case.elements() for row, case in bandwidth.cases().items()}
    assert moved["sum"] == 13 and moved["axpby"] == moved["hadamard"] == 36 and moved["gemv.n 64×64"] == 64 * 66


def test_the_steps_of_the_guide_are_what_is_measured(benchmarks: Benchmarks, monkeypatch: pytest.MonkeyPatch) -> None:
    tiles, check = benchmarks("tiles"), benchmarks("measure").check
    steps = tiles.kernels_of_guide()
    assert [getattr(steps, name).name for name in steps.STEPS] == list(steps.STEPS)
    a, b, c = (tiles.numbers(shape, "float32", 1) for shape in ((70, 40), (40, 30), (70, 30)))
    check(tiles.by_numpy(a, b, c), c + a @ b, 40)
    with pytl.use("reference"):
        check(tiles.of_kernel("pytl", steps.slices[2], a, b, c), c + a @ b, 40)
        on_tiles, by_gemm = tiles.batched("float32")
        a, b, c = (tiles.numbers((64, 64, 1), "float32", seed) for seed in (1, 2, 3))
        for kernel in (on_tiles, by_gemm):
            check(tiles.of_kernel("pytl", kernel[1], a, b, c), c + (a[:, :, 0] @ b[:, :, 0])[:, :, None], 64)


def test_matrices_of_elements(benchmarks: Benchmarks) -> None:
    """Stiffness and star matrices have the entries that others have published, and kernels compute what NumPy does."""
    elements, patterns = benchmarks("elements"), benchmarks("patterns")
    assert [[np.count_nonzero(matrix) for matrix in elements.stiffness(order)] for order in (2, 4)] == [
        [1, 2, 3],
        [33, 77, 92],
    ]
    # what is lifted from a face and restricted to it again is what it was
    for lift, restrict in (elements.fluxes(3, face) for face in range(4)):
        assert lift.shape == (10, 6) and np.linalg.matrix_rank(restrict @ lift) == 6
    star = elements.star()
    assert star.sum() == 24 and not star[:6, :6].any() and not star[6:, 6:].any()
    masks = {f"K{d}": matrix != 0 for d, matrix in enumerate(elements.stiffness(3))}
    masks |= {f"A{d}": star for d in range(3)}
    generator = np.random.default_rng(0)
    arrays = {name: (generator.random(mask.shape) * mask).astype("f8", order="F") for name, mask in masks.items()}
    arrays |= {f"A{d}": np.asfortranarray(arrays[f"A{d}"][:, :, None]) for d in range(3)}
    arrays |= {name: np.asfortranarray(generator.random((10, 9, 1))) for name in "IQ"}
    expected = arrays["Q"] + sum(
        (arrays[f"K{d}"] @ arrays["I"][:4, :, 0] @ arrays[f"A{d}"][:, :, 0])[:, :, None] for d in range(3)
    )
    with pytl.use("reference"):
        for known in (masks, {}):
            variant = patterns.by_pytl("pytl", patterns.volume, arrays, known, 1)
            benchmarks("measure").check(variant, expected, 20)
        matrix, each = elements.stiffness(2)[0], 8
        inner, result = (np.asfortranarray(generator.random((each, 9, n, 2))) for n in (1, 4))
        expected = result + np.einsum("rk,pqki->pqri", matrix, inner)
        for known in ({"K": matrix != 0}, {}):
            variant = patterns.packed_by_pytl("pytl", {"K": matrix, "I": inner, "Q": result}, known, 2)
            benchmarks("measure").check(variant, expected, 20)


def test_schemes_on_tiles(benchmarks: Benchmarks) -> None:
    schemes, check = benchmarks("schemes"), benchmarks("measure").check
    with pytl.use("reference"):
        (by_pytl, by_numpy, _), expected = schemes.attention_makers("bf16", 1, 128)
        check(by_pytl(), expected, 4)
        check(by_numpy(), expected, 4)
        (by_pytl, by_numpy, _), expected = schemes.product_makers(24)
        check(by_pytl(), expected, 16)
        check(by_numpy(), expected, 16)


def test_products_from_mlir(benchmarks: Benchmarks) -> None:
    """Each way to say the product computes what NumPy does, and so does the kernel by hand."""
    found, check = benchmarks("mlir_in"), benchmarks("measure").check
    with pytl.use("reference"):
        for number in range(4):
            makers, expected = found.makers_of(5, "float32", 3)
            check(makers[number](), expected, 7)


def test_the_host_beside_sycl(benchmarks: Benchmarks, monkeypatch: pytest.MonkeyPatch) -> None:
    """Kernels that no other script has compute what NumPy does."""
    host = benchmarks("host")
    monkeypatch.setattr(host, "batch", lambda size, flops, place: (3, 3))  # one round: the next would race
    monkeypatch.setattr(host, "on_backend", lambda backend, name, maker: replace(maker(), name=name))
    monkeypatch.setattr(host, "LENGTH", 12)
    monkeypatch.setattr(host, "NORMALIZED", (8, 2))
    with pytl.use("reference"):
        work, (seconds, absent) = host.of_sum("float32", 0.001)
        assert work == 3 * 12 * 3 and seconds.keys() == {"pytl", "SYCL"} and absent == []
        work, (seconds, absent) = host.of_layer_norm("float64", 0.001)
        assert work == 7 * 8 * 2 * 3 and seconds.keys() == {"pytl", "SYCL"} and absent == []
        assert host.of_product((3, 4, 5), "float32", 0.001)[0] == 2 * 3 * 4 * 5 * 3
        assert host.of_chain("float32", 0.001)[1][0].keys() == {"pytl", "SYCL"}


def test_before_and_after_take_turns(benchmarks: Benchmarks, monkeypatch: pytest.MonkeyPatch) -> None:
    before = benchmarks("before")
    told = []

    def tree(name: str, seconds: dict[str, list[float]]) -> object:
        def answer(kernel: str, budget: float) -> float:
            told.append((name, kernel))
            return seconds[kernel].pop()

        return SimpleNamespace(seconds=answer)

    old, new = tree("old", {"a": [3.0, 2.0, 4.0, 2.0, 9.0]}), tree("new", {"a": [1.0, 2.0, 2.0, 2.0, 3.0]})
    assert list(before.ratios(old, new, ["a"], 1.0)) == [("a", 2.0)]
    assert told == [("old", "a"), ("new", "a")] * 5


def test_kernels_before_and_after_are_those_of_the_other_scripts(
    benchmarks: Benchmarks, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = benchmarks("before")
    monkeypatch.setattr(before, "batch", lambda size, flops, place: (3, 3))
    monkeypatch.setattr(benchmarks("seissol"), "ITEMS", 8)
    kernels = before.kernels()
    assert {name.split(",")[0].split()[0] for name in kernels} >= {"gemm", "SeisSol's", "the", "cooperative", "axpby"}
    with pytl.use("reference"):
        for name in ("gemm 10×9×10 float64, L2", "the chain, memory", "SeisSol's R, order 3 float32"):
            kernels[name]().run()


def test_programs_as_people_write_them(benchmarks: Benchmarks) -> None:
    """Kernels of each table compute what NumPy does, of some items."""
    of_pytl = benchmarks("peers.natural.of_pytl")
    check, variant = benchmarks("measure").check, benchmarks("measure").Variant
    with pytl.use("reference"):
        for case in benchmarks("peers.natural.cases").cases(3).values():
            if case.row not in ("Kalman step, 4 states", "triangular solve, 6, 8 columns", "mass operator, order 3"):
                continue
            given = case.given()
            expected = case.expected(given)
            run, array_of = of_pytl.made(case.kind, given, expected)
            check(variant("pytl", run, lambda run=run, array_of=array_of: array_of(run())), expected, case.steps)


def test_a_process_of_a_peer_tells_what_is_missing(benchmarks: Benchmarks, monkeypatch: pytest.MonkeyPatch) -> None:
    natural = benchmarks("natural")
    monkeypatch.setitem(sys.modules, "torch", None)
    answers, asked = StringIO(), StringIO('["LU, 6", 0]\n')
    monkeypatch.setattr(sys, "stdout", answers)
    monkeypatch.setattr(sys, "stdin", asked)
    natural.serve("torch")
    monkeypatch.undo()
    assert "torch is missing" in answers.getvalue()
