"""Local memory of kernels through MLIR, whatever the stacks of the process and of its threads are."""

from __future__ import annotations

import ctypes
import os
import subprocess
import sys
import threading
from pathlib import Path

import numpy as np
import pytest
from launch_kit import ROOT

import pytl
from pytl.backends.mlir import host

pytestmark = pytest.mark.at_most(2)

PROGRAM = """
import sys, threading
import numpy as np
from local_memory_kit import filling

kernels = [filling((1 << 16) // 4, "small"), filling((1 << 20) // 4, "large"), filling(1 << 20, "largest")]

def launch():
    for kernel in kernels:
        for options in (LAUNCHES):
            x = np.arange(9, dtype=np.float32)
            kernel[9, options](x, backend="BACKEND")
            assert x.tolist() == [2.0 * k for k in range(9)]
    done.append(True)

done = []
launch()
for size in (1 << 20, 0):
    threading.stack_size(size)
    thread = threading.Thread(target=launch)
    thread.start()
    thread.join()
print(done)
"""


@pytest.mark.at_night
@pytest.mark.parametrize("limit", ["unlimited", "2048", "8192"])
@pytest.mark.parametrize("backend", [pytest.param(b, marks=pytest.mark.tools_of(b)) for b in ("mlir", "arm_sme")])
def test_local_memory_does_not_depend_on_stacks(backend: str, limit: str, tmp_path: Path) -> None:
    launches = "{'threads': 1}, {'threads': 3}" if backend == "mlir" else "{},"
    file = tmp_path / "program.py"
    file.write_text(PROGRAM.replace("BACKEND", backend).replace("LAUNCHES", launches))
    command = ["sh", "-c", f'ulimit -s {limit} && exec "$0" "$1"', sys.executable, str(file)]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(map(str, (ROOT, ROOT / "tests")))}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=300)
    assert (done.returncode, done.stdout, done.stderr) == (0, "[True, True, True]\n", "")


@pytest.mark.parametrize("local_bytes", [host.MAX_ON_STACK, host.MAX_ON_STACK + 1])
@pytest.mark.parametrize("threads", [1, 3])
def test_the_callers_stack_holds_little(threads: int, local_bytes: int) -> None:
    used: list[tuple[int, int]] = []
    took = ctypes.CFUNCTYPE(None, ctypes.c_int64, ctypes.c_int64, ctypes.c_int64, ctypes.c_void_p)
    code = host.Code(
        took(lambda first, last, groups, address: used.extend((g, threading.get_ident()) for g in range(first, last))),
        pytl.compile("func @f() {}")["f"].function,
        local_bytes,
    )
    before = threading.stack_size()
    table = np.zeros(1, np.int64)
    code.run(20, ctypes.c_void_p(table.ctypes.data), threads, table)
    assert sorted(group for group, _ in used) == list(range(20))
    if local_bytes > host.MAX_ON_STACK:
        assert threading.get_ident() not in {thread for _, thread in used}
    elif threads == 1:
        assert {thread for _, thread in used} == {threading.get_ident()}
    assert threading.stack_size() == before
