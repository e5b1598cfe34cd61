"""Whether the tests catch mistakes: each mutant is a slip in one place of the package, which some test must see.

    python tests/mutants.py                    the test files that the table lists for each mutant
    python tests/mutants.py NAME …             these mutants only
    python tests/mutants.py --tests FILE …     these test files in place of the listed ones
    python tests/mutants.py --all              the whole suite for each mutant: some minutes each

A mutant is tried in a copy of the repository, with a compilation cache of its own. The program ends with 1 where no
test file sees a mutant, and where a file that the table lists does not. `nox -s nightly` runs it;
`tests/repository/test_mutants.py` asserts at each run that the table fits the sources and docs/notes/tests.md.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "docs/notes/tests.md"
LANGUAGE, PASSES, LAUNCHES, BACKENDS = PARTS = ("the language", "passes", "launches", "backends")
SECONDS = 1800
"""After this time the tests of a mutant are ended, and count as not having seen it."""
LEFT_OUT = ("tests/repository/test_mutants.py",)
"""What sees any change of the sources, and so shows nothing."""
_NOT_COPIED = shutil.ignore_patterns(".git", ".venv*", ".nox", ".*cache", "__pycache__", "site", "build", "dist")


@dataclass(frozen=True)
class Mutant:
    """A slip: `new` in place of `old`, which occurs once in the package."""

    name: str
    part: str
    old: str
    new: str
    why: str
    """Why this is a mistake that matters."""
    seen_by: tuple[str, ...]
    """Test files that see it, the cheapest of those that were tried; names are those in tests/."""


MUTANTS: tuple[Mutant, ...] = (
    # The language: rules, printers, folds.
    Mutant(
        "stride-below-the-mode-before",
        LANGUAGE,
        "            if stride < minimum:\n",
        "            if stride < 1:\n",
        "elements of a memref may share a place, which every analysis of overlaps excludes",
        ("ir/test_rules.py",),
    ),
    Mutant(
        "slice-one-past-its-mode",
        LANGUAGE,
        "offset + max(size, 1) > extent:",
        "offset + max(size, 1) > extent + 1:",
        "a view reaches one element beyond the tensor",
        ("ir/test_rules.py",),
    ),
    Mutant(
        "shift-by-the-width-folds",
        LANGUAGE,
        "a >> b if 0 <= b < type_.bits else None",
        "a >> b if 0 <= b <= type_.bits else None",
        "an undefined shift becomes a constant, and its check disappears",
        ("passes/test_canonicalize.py",),
    ),
    Mutant(
        "quotient-rounds-down",
        LANGUAGE,
        "wrap(abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1), type_)",
        "wrap(a // b, type_)",
        "a division of constants gives another number than the same division at run time",
        ("passes/test_canonicalize.py", "passes/test_canonicalize_rules.py"),
    ),
    Mutant(
        "view-takes-the-first-strides",
        LANGUAGE,
        "strides=tuple(s for _, s in modes))",
        "strides=tensor.strides[: len(modes)])",
        "a view that drops a mode walks along the wrong one",
        ("backends/test_reference_memory.py",),
    ),
    Mutant(
        "zero-printed-without-digits",
        LANGUAGE,
        'mantissa.rstrip("0").rstrip(".")',
        'mantissa.rstrip("0.")',
        "0.0 is printed as 0xp+0, which nothing reads",
        ("ir/test_text_roundtrip.py", "frontends/test_literals.py", "passes/test_canonicalize.py"),
    ),
    Mutant(
        "copies-share-attributes",
        LANGUAGE,
        "parts[name] = dict(copied) if isinstance(copied, dict) else copied",
        "parts[name] = copied",
        "a pass that annotates its copy changes the kernel that the user holds",
        ("passes/test_manager.py",),
    ),
    Mutant(
        "values-outlive-their-region",
        LANGUAGE,
        "visible.difference_update(defined)",
        "visible.difference_update(region.arguments)",
        "a value may be used behind the branch or loop that defines it",
        ("ir/test_rules.py",),
    ),
    Mutant(
        "barrier-in-a-branch-of-a-foreach",
        LANGUAGE,
        'any(owner.mnemonic == "foreach" for owner in owners)',
        'owners and owners[-1].mnemonic == "foreach"',
        "work-items that have no iteration never come to the barrier, and the others wait forever",
        ("ir/test_rules.py",),
    ),
    Mutant(
        "sizes-of-a-transposed-factor",
        LANGUAGE,
        "modes = modes[::-1]",
        "modes = modes[:]",
        "products of matrices that do not fit are admitted, and those that fit are refused",
        ("ir/test_rules.py", "backends/test_reference_blas.py"),
    ),
    # Passes and what they know of functions.
    Mutant(
        "no-barrier-between-iterations",
        PASSES,
        "self.region(op.body, before.copy(), change=True)",
        "self.region(op.body, pending.copy(), change=True)",
        "an iteration reads local memory that the one before it is still writing",
        ("passes/test_barrier.py", "passes/test_barrier_minimal.py"),
    ),
    Mutant(
        "slices-that-share-one-element",
        PASSES,
        "begin_a + size_a <= begin_b or",
        "begin_a + size_a <= begin_b + 1 or",
        "a barrier is missing between instructions that meet in one element",
        ("passes/test_barrier.py", "passes/test_barrier_minimal.py"),
    ),
    Mutant(
        "last-element-of-an-overlap",
        PASSES,
        "Overlap.PARTIAL if distance < size",
        "Overlap.PARTIAL if distance < size - 1",
        "an update reads an element that it has written already",
        ("differential/test_aliasing.py",),
    ),
    Mutant(
        "backwards-is-contiguous",
        PASSES,
        'return a + b if op.variant == "add" else a - b',
        "return a + b",
        "the lanes of a vector are loaded forwards where the index runs backwards",
        ("passes/test_strided_points.py",),
    ),
    Mutant(
        "divisor-without-the-start",
        PASSES,
        "self._parts[op.variable] = (op.start, op.step)",
        "self._parts[op.variable] = (op.step,)",
        "code for aligned memory is made of a loop that begins between two alignments",
        ("ops/test_divisors.py",),
    ),
    Mutant(
        "zeros-of-either-sign-are-one",
        PASSES,
        "elif repr(known) == repr(other):",
        "elif known == other:",
        "a branch that gives -0.0 gives 0.0",
        ("passes/test_canonicalize_rules.py",),
    ),
    Mutant(
        "nan-equals-itself",
        PASSES,
        "or not op.a.type.is_integer:",
        "or op.a.type.is_complex:",
        "the test of a number against itself, by which kernels find nan, becomes a constant",
        ("passes/test_canonicalize_rules.py",),
    ),
    Mutant(
        "place-rounded-down",
        PASSES,
        "first = -(-begin // alignment) * alignment",
        "first = begin // alignment * alignment",
        "an alloca lies in the memory of another one",
        ("passes/test_stack.py",),
    ),
    Mutant(
        "views-do-not-keep-alive",
        PASSES,
        "            root = roots.of(value)\n            if root in last_use",
        "            root = value\n            if root in last_use",
        "local memory is reused while a view on it is still read",
        ("passes/test_lifetime.py", "passes/test_every_instruction.py"),
    ),
    Mutant(
        "interval-of-a-difference",
        PASSES,
        "return a[0] - b[1], a[1] - b[0]",
        "return a[0] - b[0], a[1] - b[1]",
        "a number is taken to be in a range that it leaves, and a check of it is left out",
        ("frontends/test_remainders.py",),
    ),
    # Launches, and the cache of what was compiled for them.
    Mutant(
        "overlap-from-one-side",
        LAUNCHES,
        "if -target_bytes < distance < factor_bytes",
        "if 0 <= distance < factor_bytes",
        "a launch whose factor begins inside of its target passes the guards of an earlier one",
        ("launch/test_errors.py", "launch/test_launching.py"),
    ),
    Mutant(
        "noalias-of-what-is-read",
        LAUNCHES,
        "(asserted in written or other in written)",
        "(asserted in written)",
        "a kernel compiled for memory that nobody else has runs on memory that another parameter writes",
        ("launch/test_errors.py",),
    ),
    Mutant(
        "negative-index",
        LAUNCHES,
        "((first < 0) | (first + width > extent))",
        "(first + width > extent)",
        "a kernel reads and writes in front of an array",
        ("launch/test_bounds.py",),
    ),
    Mutant(
        "one-iteration-too-many",
        LAUNCHES,
        "last = (stop - 1 - start) // step",
        "last = (stop - start) // step",
        "launches that stay in bounds are refused",
        ("launch/test_bounds.py", "launch/test_called_functions.py"),
    ),
    Mutant(
        "expressions-before-their-names",
        LAUNCHES,
        "sorted(uses, key=lambda use: not use.size.is_name)",
        "sorted(uses, key=lambda use: use.size.is_name)",
        "sizes that agree are refused, because the names in 2*n have no value yet",
        ("launch/test_named_sizes.py", "launch/test_errors.py"),
    ),
    Mutant(
        "elements-of-an-array-overlap",
        LAUNCHES,
        "minimum = stride * max(extent, 1)",
        "minimum = stride",
        "an array whose elements share memory is taken for one whose elements do not",
        ("launch/test_arguments.py", "tools/cli/test_run.py"),
    ),
    Mutant(
        "plan-of-a-shorter-group",
        LAUNCHES,
        "layout, len(views), columns.alignment",
        "layout, columns.alignment",
        "a plan that was checked for a long group serves a short one",
        ("kernels/test_bound.py",),
    ),
    Mutant(
        "plan-forgets-the-alignment",
        LAUNCHES,
        'return max(parameter.attributes.get("alignment", 1), view.array.dtype.alignment)',
        "return view.array.dtype.alignment",
        "code for aligned memory runs on memory that is not",
        ("launch/test_launching.py",),
    ),
    Mutant(
        "plan-without-the-largest-number",
        LAUNCHES,
        "number if minimum <= number <= maximum else bound(number)",
        "number if minimum <= number else bound(number)",
        "a number that was refused at the first launch wraps around at the second",
        ("launch/test_launching.py", "launch/test_arguments.py"),
    ),
    Mutant(
        "key-without-the-sources",
        LAUNCHES,
        ".encode() + file.read())",
        ".encode())",
        "a new release executes what an old one has compiled",
        ("devices/test_cache.py",),
    ),
    # Backends.
    Mutant(
        "loop-runs-to-its-end",
        BACKENDS,
        "> step.view(np.uint64))",
        ">= step.view(np.uint64))",
        "the reference backend, which all others are compared with, executes an iteration too many",
        ("backends/test_reference_loops.py", "backends/test_reference_divergence.py"),
    ),
    Mutant(
        "race-on-one-element",
        BACKENDS,
        "active = active[:2] if",
        "active = active[:1] if",
        "work-items that all write one element are no race",
        ("backends/test_reference_races.py", "backends/test_reference_races_groups.py"),
    ),
    Mutant(
        "remainder-without-a-mask",
        BACKENDS,
        "active = Lanes(count, remaining).with_mask(self.code)",
        "active = Lanes(count)",
        "a sum along rows adds what lies behind the column",
        ("passes/test_vectorize_sums.py",),
    ),
    Mutant(
        "last-vector-beyond-the-rows",
        BACKENDS,
        "Vector(offset - (enough - remaining), Lanes(enough))",
        "Vector(offset, Lanes(enough))",
        "a product writes behind the last row of its result",
        ("differential/test_products.py",),
    ),
    Mutant(
        "fences-exchanged",
        BACKENDS,
        'f"barrier({op.global_fence}, {op.local_fence})"',
        'f"barrier({op.local_fence}, {op.global_fence})"',
        "work-items read local memory before the others' writes are there",
        ("backends/test_stages.py",),
    ),
    Mutant(
        "added-once-too-often",
        BACKENDS,
        "self.work_items //= self.subgroup_count",
        "self.work_items //= 1",
        "where one work-item stands for all, atomic additions are made once for each sub-group too many",
        ("differential/test_memory.py",),
    ),
    Mutant(
        "nan-is-not-different",
        BACKENDS,
        '"ne": "une"',
        '"ne": "one"',
        "the test of a number against itself, by which kernels find nan, is false through MLIR",
        ("backends/test_mlir_text.py",),
    ),
    Mutant(
        "modes-not-turned",
        BACKENDS,
        "self._to.constant(memref.type.order - 1 - mode)",
        "self._to.constant(mode)",
        "MLIR counts modes from the other end: loops have the length of another mode",
        ("backends/test_mlir_text.py",),
    ),
    Mutant(
        "parts-exchanged",
        BACKENDS,
        "else (argument.real, argument.imag)",
        "else (argument.imag, argument.real)",
        "through OpenCL, a complex number that is passed has its parts in the wrong order",
        ("backends/test_opencl.py",),
    ),
    Mutant(
        "second-tile-without-its-edge",
        BACKENDS,
        "lefts = [code.minus(left, code.times(self.length, n)) for n in range(count)]",
        "lefts = [left for _ in range(count)]",
        "a product on Arm's matrix extension writes behind the edge of its result",
        ("passes/test_vectorize_outer_products.py",),
    ),
)


@cache
def sources() -> dict[Path, str]:
    """The package's files, with their texts."""
    files = sorted((ROOT / "pytl").rglob("*.py"))
    return {file.relative_to(ROOT): file.read_text(encoding="utf-8") for file in files}


def place_of(mutant: Mutant) -> tuple[Path, str]:
    """The file with a mutant's text, which must occur once, and the file's text."""
    found = [(file, text) for file, text in sources().items() if mutant.old in text]
    if sum(text.count(mutant.old) for _, text in found) != 1:
        shown = ", ".join(f"{text.count(mutant.old)} times in {file}" for file, text in found)
        raise ValueError(f"the text of {mutant.name} is to occur once, and occurs {shown or 'nowhere'}")
    return found[0]


def table() -> str:
    """The table of the page."""
    lines = ["| mutant | why it matters | seen by |", "|---|---|---|"]
    for part in PARTS:
        lines.append(f"| **{part}** | | |")
        for mutant in MUTANTS:
            if mutant.part == part:
                files = ", ".join(f"`{name}`" for name in mutant.seen_by)
                lines.append(f"| {mutant.name} | {mutant.why} | {files} |")
    return "\n".join(lines) + "\n"


def write_page() -> None:
    """Write the table to the page, in place of the one that is there."""
    text = PAGE.read_text(encoding="utf-8")
    before, rest = text.split("| mutant |", 1)
    after = re.split(r"\n(?!\|)", rest, maxsplit=1)[1:]
    PAGE.write_text(before + table() + "".join(after), encoding="utf-8")


# One mutant.


@dataclass(frozen=True)
class Outcome:
    """What tests said of a mutant."""

    mutant: Mutant
    failed: dict[str, str]
    """The first test that failed in each file that sees it."""
    missed: tuple[str, ...]
    """Test files that were to see it."""
    seconds: float
    problem: str = ""


def try_out(mutant: Mutant, files: Sequence[str] | None, workers: int) -> Outcome:
    """Run tests on a copy with a mutant: those files, or the whole suite, by so many processes."""
    start = time.monotonic()
    with tempfile.TemporaryDirectory(prefix=f"pytl-{mutant.name}-") as folder:
        root = Path(folder) / "copy"
        shutil.copytree(ROOT, root, ignore=_NOT_COPIED)
        file, text = place_of(mutant)
        (root / file).write_text(text.replace(mutant.old, mutant.new), encoding="utf-8")
        hidden = ("PYTHONDONTWRITEBYTECODE", "PYTEST_ADDOPTS")
        environment = {name: value for name, value in os.environ.items() if name not in hidden}
        environment["PYTHONPATH"] = os.pathsep.join([str(root), str(root / "tests")])
        environment["PYTL_CACHE_DIR"] = str(Path(folder) / "cache")
        module = ".".join(file.with_suffix("").parts).removesuffix(".__init__")
        command = [sys.executable, "-c", f"import pytl, {module}"]
        imported = subprocess.run(command, cwd=root, env=environment, capture_output=True, text=True)
        if imported.returncode:
            return Outcome(mutant, {}, (), 0.0, f"it cannot be imported: {imported.stderr.strip().splitlines()[-1]}")
        failed: dict[str, str] = {}
        for more in _runs(files, workers):
            command = [sys.executable, "-m", "pytest", "-q", "--tb=no", "-rfE", "-p", "mutants", *more]
            try:
                done = subprocess.run(
                    command, cwd=root, env=environment, capture_output=True, text=True, timeout=SECONDS
                )
            except subprocess.TimeoutExpired:
                return Outcome(mutant, failed, (), time.monotonic() - start, f"tests took more than {SECONDS} s")
            for test in re.findall(r"^(?:FAILED|ERROR) (.+?)(?: - |$)", done.stdout, re.MULTILINE):
                failed.setdefault(test.partition("::")[0], test)
            if done.returncode < 0:  # the mutant wrote where it should not
                failed.setdefault(more[-1], f"{more[-1]}, which ends with {signal.Signals(-done.returncode).name}")
            elif done.returncode > 1:
                told = (done.stdout + done.stderr).strip().splitlines()[-1:]
                return Outcome(
                    mutant, failed, (), time.monotonic() - start, f"pytest ended with {done.returncode}: {told}"
                )
    missed = tuple(name for name in files or () if name not in failed)
    return Outcome(mutant, failed, missed, time.monotonic() - start)


def _runs(files: Sequence[str] | None, workers: int) -> Iterator[list[str]]:
    """What pytest is given, run by run."""
    ignored = [f"--ignore={name}" for name in LEFT_OUT]
    if files is None:
        yield ["-n", str(workers), *ignored, "--with-tools"]
    else:
        # one by one, since a mutant may end the process
        yield from (["--with-tools", name] for name in files)


# pytest's hooks: this module is its plugin, too.

_failed: set[str] = set()


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    if report.failed:
        _failed.add(report.nodeid.partition("::")[0])


def pytest_runtest_setup(item: pytest.Item) -> None:
    if item.nodeid.partition("::")[0] in _failed:
        pytest.skip("a test of this file has seen the mutant")


def main() -> int:
    """Try out mutants, and tell which test files see them."""
    known = {mutant.name: mutant for mutant in MUTANTS}
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("names", nargs="*", metavar="NAME", help="mutants, all if left out")
    parser.add_argument("--tests", nargs="+", metavar="FILE", help="test files in place of those of the table")
    parser.add_argument("--all", action="store_true", help="the whole suite")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="processes, one a processor by default")
    parser.add_argument("--page", action="store_true", help="write the table to docs/notes/tests.md, and try nothing")
    given = parser.parse_args()
    if given.page:
        write_page()
        return 0
    unknown = [name for name in given.names if name not in known]
    if unknown:
        parser.error(f"no mutant is called {', '.join(unknown)}")
    chosen = [known[name] for name in given.names] or list(MUTANTS)

    def run(mutant: Mutant) -> Outcome:
        return try_out(
            mutant, None if given.all else given.tests or [f"tests/{name}" for name in mutant.seen_by], given.jobs
        )

    is_well = True
    # the whole suite has processes of its own
    with ThreadPoolExecutor(1 if given.all else given.jobs) as pool:
        for outcome in pool.map(run, chosen):
            is_well &= not outcome.problem and bool(outcome.failed) and not (outcome.missed and not given.tests)
            print(f"{outcome.mutant.name} ({outcome.seconds:.0f} s)", flush=True)
            for test in outcome.failed.values():
                print(f"    seen by {test}")
            for name in outcome.missed:
                print(f"    NOT SEEN by {name}")
            if outcome.problem or not outcome.failed:
                print(f"    {outcome.problem or 'NO TEST SEES IT'}", flush=True)
    return 0 if is_well else 1


if __name__ == "__main__":
    sys.exit(main())
