"""Workloads as people write them at first, beside torch.compile, jax.jit and numba, each in a process of its own.

    python benchmarks/natural.py [--budget SECONDS] [--write]

4,096 items each, of which a kernel of pytl has one per work-group. The processes take turns. Where a peer is installed
for another Python than this one, PYTHON_OF_JAX, PYTHON_OF_TORCH or PYTHON_OF_NUMBA names that Python.
"""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

from measure import Cell, Variant, check, on_cores
from peers import Missing
from peers.natural.cases import CASES

PEERS = {"pytl": "pytl", "torch": "torch.compile", "jax": "jax.jit", "numba": "numba"}
"""Modules of peers/natural, and what the tables call them."""
TURNS = 5
MOST = 1000
"""Repetitions of a turn."""


def serve(peer: str) -> None:
    """Answer each line, a case and seconds: 0 to make it, which gives a text where it can't be, or how long a turn is,
    which gives the times of its repetitions."""
    runs: dict[str, Callable[[], Any]] = {}
    answers, sys.stdout = sys.stdout, sys.stderr
    for line in sys.stdin:
        row, seconds = json.loads(line)
        answer: Any
        if seconds:
            answer = _times(runs[row], seconds)
        else:
            try:
                runs.clear()  # with their memory
                runs[row], answer = made(peer, row).run, ""
            except Exception as problem:
                answer = str(problem) if isinstance(problem, Missing) else f"{row} by {PEERS[peer]}: {problem}"
        print(json.dumps(answer), file=answers, flush=True)


def made(peer: str, row: str) -> Variant:
    """A case by a peer, whose result is right."""
    case = CASES[row]
    given = case.given()
    expected = case.expected(given)
    module = import_module(f"peers.natural.of_{peer}")
    further = [expected] if peer in ("pytl", "numba") else []  # those with an array for the result
    run, array_of = module.made(case.kind, given, *further)
    variant = Variant(PEERS[peer], run, lambda: case.counts(array_of(run())))
    check(variant, expected, case.steps)
    return variant


def _times(run: Callable[[], Any], seconds: float) -> list[float]:
    run()
    times: list[float] = []
    while not times or (sum(times) < seconds and len(times) < MOST):
        began = time.perf_counter()
        run()
        times.append(time.perf_counter() - began)
    return times


class Peer:
    """The process of a peer, on the cores of this one."""

    def __init__(self, name: str) -> None:
        python = os.environ.get(f"PYTHON_OF_{name.upper()}", sys.executable)
        libraries = Path(python).parent.parent / "lib"  # where numba finds Intel's functions, if they are installed
        self.name = PEERS[name]
        self.process = subprocess.Popen(
            [python, __file__, "--serve", name], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
            env={**os.environ, **({"LD_LIBRARY_PATH": str(libraries)} if name == "numba" else {})},
        )  # fmt: skip

    def ask(self, row: str, seconds: float) -> Any:
        assert self.process.stdin is not None and self.process.stdout is not None
        print(json.dumps([row, seconds]), file=self.process.stdin, flush=True)
        return json.loads(self.process.stdout.readline())


def cells(cores: int, budget: float, rows: Sequence[str] = tuple(CASES)) -> Iterator[Cell]:
    peers = [Peer(name) for name in PEERS]
    for row in rows:
        case = CASES[row]
        problems = {peer.name: peer.ask(row, 0) for peer in peers}
        if problems["pytl"]:
            raise SystemExit(problems["pytl"])
        taken: dict[str, list[float]] = {peer.name: [] for peer in peers if not problems[peer.name]}
        for _ in range(TURNS):
            for peer in peers:
                if peer.name in taken:
                    taken[peer.name] += peer.ask(row, budget / TURNS / len(taken))
        seconds = {name: statistics.median(times) for name, times in taken.items()}
        table = f"natural programs, {case.table}, {on_cores(cores)}"
        element = {"float32": "f32", "float64": "f64"}[case.dtype]
        absent = [problem for problem in problems.values() if problem]
        yield Cell(table, row, element, cores, case.work, seconds, None, absent)
    for peer in peers:
        peer.process.communicate()


if __name__ == "__main__":
    if sys.argv[1:2] == ["--serve"]:
        serve(sys.argv[2])
    else:
        from workload import main

        main(__file__, __doc__, {"natural": cells})
