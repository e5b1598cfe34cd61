"""Measures variants of the same work beside each other: one process for a number of cores, turns, medians, one check.

A workload's script runs itself once for each number of cores, for libraries read how many threads they may have when
they are loaded. Such a process prints a line of JSON for every cell of the tables; report.py makes pages of them.
"""

from __future__ import annotations

import json
import os
import platform
import re
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict, dataclass, field
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from peers import Missing

THREADS = (
    *("CL_CONFIG_CPU_TBB_NUM_WORKERS", "OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"),
    "NUMBA_NUM_THREADS",
)
IDLE = {
    "GOMP_SPINCOUNT": "30000",
    "KMP_BLOCKTIME": "1",
    "OPENBLAS_THREAD_TIMEOUT": "20",
}
"""Threads that wait for more work go to sleep soon, but not before the next call of a turn: those of OpenMP after about
a millisecond, as pytl's and TBB's do, and OpenBLAS's after 2^20 cycles. Its own choice is 2^26, 24 ms in which they
would share a core with the next program."""
TASKS = Path("/proc/self/task")
MOST_WAITED = 0.5
"""Seconds that a turn waits at most for others' threads to sleep."""
MOST_WARMING = 0.03
"""Seconds of a run for which it counts little what is in the caches when it begins."""
SHORT = 0.002
"""Seconds of a turn of runs that are shorter."""
MOST_RUNS = 1000
"""Runs of a turn at most."""
LEAST, MOST = 3, 300
"""Turns of a variant."""
ELEMENTS = {
    "float16": "f16",
    "bfloat16": "bf16",
    "float32": "f32",
    "float64": "f64",
    "complex64": "c32",
    "complex128": "c64",
    "int8": "i8",
    "int32": "i32",
}
"""The language's names of NumPy's types."""
PER_FMA = "instructions/FMA"
PER_GROUP = "instructions/work-group"
COUNTS = (PER_FMA, PER_GROUP)
"""The units of cells that hold how many instructions each variant executes in the place of seconds."""


@dataclass(frozen=True)
class Variant:
    """A way to do the work: `run` does all of it, on its own data, and `result` is that data afterwards."""

    name: str
    run: Callable[[], Any]
    result: Callable[[], Any]
    epsilon: float | None = None
    """Of the type that its result is rounded to, where that is not the workload's own."""


@dataclass
class Cell:
    """What was measured of a workload of one size: the seconds that each variant takes."""

    table: str
    """Which of the workload's tables it belongs to."""
    row: str
    dtype: str
    """Of the elements, in the language's words."""
    cores: int
    work: float
    """What a run does or moves: operations, or bytes; nothing where the time itself is what counts."""
    seconds: dict[str, float]
    peak: float | None = None
    """Of the cores together, in the unit of the rate."""
    absent: list[str] = field(default_factory=list)
    """What could not take part, and why."""
    unit: str = "GFLOP/s"
    """Of the table's first column: a rate, "ms", or one of COUNTS."""
    place: str = ""
    """Where the data are: "L2", "memory"; nothing where that is not the point."""
    notes: list[str] = field(default_factory=list)
    """What the foot of the table says."""

    def amount(self, name: str = "pytl") -> float:
        """What a variant reaches, in the cell's unit."""
        if self.unit in COUNTS:
            return self.seconds[name] / self.work
        return self.seconds[name] * 1e3 if self.unit == "ms" else self.work / self.seconds[name] / 1e9

    @property
    def share(self) -> float | None:
        """What part of the machine's peak pytl reaches."""
        return None if self.peak is None else self.amount() / self.peak

    def ratio(self, peer: str, of: str = "pytl") -> float | None:
        """How many times as fast as a peer pytl is; None where one of them took no part."""
        return self.seconds[peer] / self.seconds[of] if {peer, of} <= self.seconds.keys() else None


def check(variant: Variant, expected: Any, steps: int) -> None:
    """Run a variant once on fresh data; an error where an entry of its result is off.

    `steps` is the number of roundings on the way to an entry. Integers are exact.
    """
    import numpy as np

    variant.run()
    result = variant.result()
    if expected.dtype.kind == "i":
        epsilon = 0.0
    else:
        epsilon = variant.epsilon or float(np.finfo(expected.dtype).eps)
    allowed = 4 * steps * epsilon * np.abs(expected).max()
    difference = np.abs(result - expected).max()
    if not difference <= allowed:
        raise SystemExit(f"{variant.name} is wrong: it differs by {difference}, and {allowed} is allowed")


def taking_part(makers: Iterable[Callable[[], Variant]], expected: Any, steps: int) -> tuple[list[Variant], list[str]]:
    """The variants that are there, each checked, and why the others aren't."""
    variants, absent = [], []
    for maker in makers:
        try:
            variant = maker()
            check(variant, expected, steps)
            variants.append(variant)
        except (Missing, NotImplementedError) as problem:
            absent.append(str(problem))
    return variants, absent


def others_run() -> bool:
    """Whether another thread of this process has a processor, or waits for one; no where the system doesn't say."""
    own = str(threading.get_native_id())
    try:
        return any(_state(task) == "R" for task in TASKS.iterdir() if task.name != own)
    except OSError:
        return False


def _state(task: Path) -> str:
    """A letter, in proc(5); none where the thread has ended meanwhile."""
    try:
        return (task / "stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return ""


def wait_for_others() -> None:
    """Wait until the threads sleep that the turn before has left looking for work, which would share this one's cores.

    This thread stays awake. Linux has often put one that slept on the core of the worker that it then woke, where both
    took turns for milliseconds.
    """
    end = time.perf_counter() + MOST_WAITED
    while others_run() and time.perf_counter() < end:
        os.sched_yield()


def runs_of_turn(seconds: float) -> int:
    """How many runs a turn has, by what the last one took."""
    return int(max(SHORT / max(seconds, SHORT / MOST_RUNS), 1))


def interleaved(variants: list[Variant], budget: float, place: str = "") -> dict[str, float]:
    """Median seconds of each. They take turns; who has used its share of `budget` seconds sits out the later ones.

    Where the data are in cache, or a run is short, a turn begins with a run that isn't timed and brings them there,
    with the code, and wakes threads. Short runs are repeated for SHORT seconds, of which each takes its part. If one
    variant's are short, the turns of all begin so.
    """
    taken: dict[str, list[float]] = {variant.name: [] for variant in variants}
    used = dict.fromkeys(taken, 0.0)
    share = budget / len(variants)
    for turn in range(MOST):
        playing = [variant for variant in variants if turn < LEAST or used[variant.name] < share]
        if not playing:
            break
        for variant in playing:
            times = taken[variant.name]
            shortest = min((each[-1] for each in taken.values() if each), default=SHORT)
            are_short = bool(times) and place != "memory" and shortest < SHORT
            runs = runs_of_turn(times[-1]) if are_short else 1
            wait_for_others()
            if are_short or (place == "L2" and (not times or times[-1] < MOST_WARMING)):
                variant.run()
            began = time.perf_counter()
            for _ in range(runs):
                variant.run()
            seconds = time.perf_counter() - began
            used[variant.name] += seconds
            times.append(seconds / runs)
    return {name: statistics.median(times[len(times) > 1 :]) for name, times in taken.items()}


def in_process(script: str, cores: int, arguments: Iterable[str]) -> Iterator[Cell]:
    """The cells of a script that use a given number of cores."""
    environment = {**os.environ, **IDLE, **dict.fromkeys(THREADS, str(cores)), **limits_of_peers()}
    command = [sys.executable, script, "--cores", str(cores), *arguments]
    with subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True) as run:
        assert run.stdout is not None
        for line in run.stdout:
            cell = Cell(**json.loads(line))
            amounts = ", ".join(f"{name} {cell.amount(name):.1f}" for name in cell.seconds)
            print(f"{cell.table}, {cell.row} {cell.dtype}, {cell.unit}: {amounts}", file=sys.stderr, flush=True)
            yield cell
    if run.returncode:
        raise SystemExit(f"{script} has failed on {cores} cores")


def limits_of_peers() -> dict[str, str]:
    """Variables by which peers use no newer instructions than PYTL_MAX_ISA admits."""
    limit = os.environ.get(MAX_ISA, "")
    if limit and limit not in PEERS_WITH:
        raise SystemExit(f"peers are measured with {MAX_ISA} unset, or as {', '.join(PEERS_WITH)}")
    return PEERS_WITH.get(limit, {})


def use_cores(cores: int) -> None:
    """Keep this process on the first cores that it may use."""
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[:cores])


def send(cell: Cell) -> None:
    """Print a cell for the process that started this one."""
    print(json.dumps(asdict(cell)), flush=True)


def on_cores(cores: int) -> str:
    return f"{cores} {'core' if cores == 1 else 'cores'}"


def core_counts() -> list[int]:
    """One, and two where there are two."""
    usable = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return [1, 2] if usable > 1 else [1]


def machine_name() -> str:
    """The processor, how many there are, and how busy they were before."""
    info = Path("/proc/cpuinfo")
    lines = info.read_text().splitlines() if info.exists() else []
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    name = names[0] if names else platform.processor() or platform.machine()
    load = f", load average {os.getloadavg()[0]:.1f} when the run began" if hasattr(os, "getloadavg") else ""
    limit = f", without newer instructions than {os.environ[MAX_ISA].upper()}" if os.environ.get(MAX_ISA) else ""
    return f"{name}, {os.cpu_count()} cores{limit}{load}"


MAX_ISA = "PYTL_MAX_ISA"
PEERS_WITH = {
    "avx2": {
        "ATEN_CPU_CAPABILITY": "avx2",
        "LIBXSMM_TARGET": "hsw",
        "MKL_ENABLE_INSTRUCTIONS": "AVX2",
        "NUMBA_CPU_NAME": "haswell",
        "ONEDNN_MAX_CPU_ISA": "AVX2",
        "OPENBLAS_CORETYPE": "Haswell",
        # its code is kept by the program alone
        "TORCHINDUCTOR_CACHE_DIR": str(Path(tempfile.gettempdir()) / "torchinductor_avx2"),
        "XLA_FLAGS": "--xla_cpu_max_isa=AVX2",
    }
}
"""What peers are told by the value of PYTL_MAX_ISA: torch, libxsmm, MKL, numba, oneDNN, OpenBLAS and XLA."""
VECTORS = {"amx_tile": "AMX", "avx512f": "AVX-512", "avx2": "AVX2", "sve": "SVE", "asimd": "NEON"}
"""Flags of processors and what they tell, the widest first."""


def processor_kind() -> str:
    """The kind of processor, by which runs are kept: its maker's name for it, and its widest vectors."""
    info = Path("/proc/cpuinfo")
    lines = info.read_text().splitlines() if info.exists() else []
    fields = {key.strip(): value.strip() for key, _, value in (line.partition(":") for line in lines)}
    name = re.sub(r"\((R|TM)\)| Processor|@.*|CPU", "", fields.get("model name", platform.machine()))
    flags = fields.get("flags", fields.get("Features", "")).split()
    widest = [text for flag, text in VECTORS.items() if flag in flags]
    if os.environ.get(MAX_ISA) == "avx2":
        widest = ["AVX2"]
    return ", ".join([" ".join(name.split()), *widest[:1]])


def versions() -> str:
    """What took part, with its version."""
    found = [f"Python {platform.python_version()}"]
    for package in ("pytl", "numba-dpex", "dpctl", "dpnp", "numpy", "numba", "torch", "jax"):
        try:
            found.append(f"{package} {version(package)}")
        except PackageNotFoundError:
            continue
    return ", ".join(found)
