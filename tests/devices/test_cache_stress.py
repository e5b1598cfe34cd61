"""Two processes share the compilation cache, and one of them is killed at random moments."""

from __future__ import annotations

import os
import random
import subprocess
import sys
import time
from pathlib import Path

import pytest
from launch_kit import ROOT, needs_sycl

from pytl.devices.cache import Cache


def start(directory: Path, *command: str) -> subprocess.Popen[str]:
    """A process whose cache is in that directory."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "PYTL_CACHE_DIR": str(directory)}
    pipe = subprocess.PIPE
    return subprocess.Popen([sys.executable, *command], env=environment, stdout=pipe, stderr=pipe, text=True)


@pytest.mark.at_night
@pytest.mark.skipif(not hasattr(os, "fork"), reason="the program forks")
def test_what_a_hundred_killed_processes_leave(tmp_path: Path) -> None:
    process = start(tmp_path, str(Path(__file__).with_name("cache_stress.py")), str(tmp_path / "cache"), "100", "1")
    out, err = process.communicate(timeout=300)
    assert (process.returncode, err) == (0, "")
    assert out.startswith("100 rounds, ")


# The same with kernels that numba compiles; `pytest --cache-rounds=25` has as many rounds.

PROGRAM = """
import sys
import numpy as np
import pytl
from pytl import Memref, constexpr, f32

@pytl.kernel
def fill(x: Memref[f32, ...], number: constexpr, n: constexpr):
    for k in range(n):
        x[k] = float(number)

print("ready", flush=True)
for n in (3, 5):
    x = np.zeros(8, np.float32)
    fill[1](x, int(sys.argv[1]), n)
    assert x.tolist() == [float(sys.argv[1])] * n + [0.0] * (8 - n), x
info = fill.cache_info()
print(info.builds, "+", info.disk_hits)
"""
BUILDING = 4.0
"""Seconds that two builds take, about: the process is killed in some moment of them."""


@needs_sycl
def test_processes_killed_while_they_compile(tmp_path: Path, request: pytest.FixtureRequest) -> None:
    program, cache = tmp_path / "program.py", Cache(tmp_path / "cache", 512_000_000)
    program.write_text(PROGRAM)
    draw = random.Random(1)
    rounds = request.config.getoption("--cache-rounds")
    for number in range(rounds):
        survivor, victim = (start(cache.directory, str(program), str(number)) for _ in range(2))
        assert victim.stdout.readline() == "ready\n"
        time.sleep(draw.uniform(0, BUILDING))
        victim.kill()
        victim.communicate()
        out, err = survivor.communicate(timeout=300)
        assert (survivor.returncode, err) == (0, "")
        assert out in ("ready\n2 + 0\n", "ready\n1 + 1\n", "ready\n0 + 2\n")
        assert all(stored.entry is not None for stored in cache.stored())
        kinds = [stored.entry.kind for stored in cache.stored() if stored.entry is not None]
        assert kinds.count("kernel") == 2 * (number + 1)
        assert kinds.count("machine code") == (2 * (number + 1) if sys.platform == "linux" else 0)
        assert len(os.listdir(cache.directory)) <= len(kinds) + 1
    # and what was stored is right: a process that compiles nothing
    warm = start(cache.directory, str(program), "0")
    assert warm.communicate(timeout=300) == ("ready\n0 + 2\n", "")
