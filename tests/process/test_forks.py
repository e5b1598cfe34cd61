"""Forks while another thread compiles, launches or imports: the child does all of that, too."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from launch_kit import ROOT, needs_sycl

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="there are no forks here")

HEAD = """
import os, signal, sys, threading, time, warnings
import numpy as np
import pytl
from pytl import Memref, f32, i64
from pytl.process import forks
warnings.simplefilter("ignore", DeprecationWarning)  # of forks while there are threads

def make(factor, name):
    text = "func @NAME(%x: memref<f32x8>) { %0 = constant FACTOR.0 : f32  axpby.n %0, %x, %0, %x }"
    return pytl.compile(text.replace("NAME", name).replace("FACTOR", str(factor)))[name]

def launched(kernel, backend):
    x = np.ones(8, np.float32)
    kernel[1](x, backend=backend)
    return x.tolist()

def in_child(function):
    sys.stdout.flush()
    process = os.fork()
    if process == 0:
        signal.alarm(60)  # ends a child that hangs
        code = 1
        try:
            code = 0 if function() else 2
        finally:
            sys.stderr.flush()
            os._exit(code)
    return os.waitpid(process, 0)[1]

def begun(function):
    thread = threading.Thread(target=function)
    thread.start()
    return thread
"""


def run(directory: Path, program: str) -> str:
    """What a program prints."""
    file = directory / "program.py"
    file.write_text(HEAD + program)
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "PYTL_CACHE_DIR": str(directory / "cache")}
    done = subprocess.run([sys.executable, str(file)], env=environment, capture_output=True, text=True, timeout=300)
    assert (done.returncode, done.stderr) == (0, ""), done.stdout
    return done.stdout


SECTIONS = """
import subprocess

# A lock that another thread holds is free in the child, and its own in the parent.
one, several = forks.lock(), forks.rlock()
held, go_on = threading.Event(), threading.Event()
def hold():
    with one, several:
        held.set()
        go_on.wait()
thread = begun(hold)
held.wait()
print(in_child(lambda: one.acquire(timeout=10) and several.acquire(timeout=10)), one.locked())
go_on.set()
thread.join()

# A fork waits for the end of a section, and none begins meanwhile.
order = []
def stay():
    with forks.section():
        held.set()
        time.sleep(0.2)
        order.append("ended")
held.clear()
thread = begun(stay)
held.wait()
def child():
    with forks.section():
        return order == ["ended"] and not forks.inside.keys() - {threading.get_ident()}
print(in_child(child), order)
thread.join()

# So do all forks that another thread makes, while sections come and go.
stop = []
def come_and_go():
    while not stop:
        with forks.section(), one:
            with forks.section():
                pass
threads = [begun(come_and_go) for _ in range(3)]
print({in_child(lambda: one.acquire(timeout=10)) for _ in range(20)})
stop.append(True)
for thread in threads:
    thread.join()
print(forks.inside, forks.closed)

# Programs that are started are no forks of ours.
with forks.section():
    print(subprocess.run([sys.executable, "-c", "print('started')"], capture_output=True, text=True).stdout.strip())

# A module that another thread imports is whole in the child.
forks._STACK += ("slow_to_import",)
with open(os.path.join(os.path.dirname(__file__), "slow_to_import.py"), "w") as file:
    file.write("import time, __main__\\n__main__.held.set()\\ntime.sleep(0.2)\\nwhole = True\\n")
held.clear()
def load():
    import slow_to_import
thread = begun(load)
held.wait()
print(in_child(lambda: __import__("slow_to_import").whole))
thread.join()

# What is never left makes the child refuse to go on.
forks.PATIENCE = 0.1
go_on.clear()
def stay_on():
    with forks.section():
        held.set()
        go_on.wait()
held.clear()
thread = begun(stay_on)
held.wait()
def refused():
    for _ in range(2):
        try:
            with forks.section():
                return False
        except pytl.PlatformError as error:
            assert error.code == "PYTL-3090"
    return in_child(refused_again) == 0
def refused_again():
    try:
        launched(make(2, "f"), "sycl")
    except pytl.PlatformError as error:
        return error.code == "PYTL-3090" and launched(make(2, "f"), "reference") == [4.0] * 8
print(in_child(refused))
go_on.set()
thread.join()
with forks.section():
    print("there")
"""


@pytest.mark.at_night
@needs_sycl
def test_sections_and_locks(tmp_path: Path) -> None:
    said = "0 True\n0 ['ended']\n{0}\n{} False\nstarted\n0\n0\nthere\n"
    assert run(tmp_path, SECTIONS) == said


LOWERING = """
from pytl.passes import Pipeline

kernel, run = make(3, "f"), Pipeline.run
held, go_on = threading.Event(), threading.Event()
def slow(self, module):
    if threading.current_thread() is not threading.main_thread():
        held.set()
        go_on.wait()
    return run(self, module)
Pipeline.run = slow
thread = begun(lambda: kernel.emit("numba_dpex"))
held.wait()
print(in_child(lambda: kernel.emit("numba_dpex") and launched(kernel, "reference") == [6.0] * 8))
go_on.set()
thread.join()
"""


def test_a_fork_while_another_thread_runs_passes(tmp_path: Path) -> None:
    assert run(tmp_path, LOWERING) == "0\n"


BUILDING = """
backend = "BACKEND"
from pytl.backends.registry import find_backend
known = make(2, "known")
for _ in range(2):
    assert launched(known, backend) == [4.0] * 8

# Another thread builds: the child finds what it built, or builds it itself, and builds others.
kind, held = type(find_backend(backend)), threading.Event()
build = kind._build
def slow(self, *arguments):
    held.set()
    return build(self, *arguments)
kind._build = slow
other = make(3, "other")
thread = begun(lambda: launched(other, backend))
held.wait()
def child():
    made = [launched(known, backend)[0], launched(other, backend)[0], launched(make(5, "third"), backend)[0]]
    return made == [4.0, 6.0, 10.0]
print(in_child(child))
thread.join()

# Others launch by a plan.
stop = []
def go_on():
    while not stop:
        launched(known, backend)
threads = [begun(go_on) for _ in range(2)]
print({in_child(lambda: launched(known, backend) == [4.0] * 8) for _ in range(10)})
stop.append(True)
for thread in threads:
    thread.join()
"""


@pytest.mark.at_night
@pytest.mark.parametrize(
    "backend", [pytest.param("sycl", marks=needs_sycl), pytest.param("mlir", marks=pytest.mark.tools_of("mlir"))]
)
def test_a_fork_while_other_threads_build_and_launch(backend: str, tmp_path: Path) -> None:
    assert run(tmp_path, BUILDING.replace("BACKEND", backend)) == "0\n{0}\n"


BOUND = """
from pytl.backends.numba_dpex import launch

x = np.ones(8, np.float32)
bound = make(2, "f")[1].bind(x, backend="sycl")
assert not forks.inside

# A bound launch begins behind a fork that waits, and one begun is waited for.
class Gate:
    def __enter__(self):
        forks._before()
    def __exit__(self, *error):
        forks._after_in_parent()
seen = []
submit = launch.PreparedLaunch.submit
def watched(self, *arguments, **named):
    seen.append(threading.get_ident() in forks.inside)
    return submit(self, *arguments, **named)
launch.PreparedLaunch.submit = watched
bound = make(3, "g")[1].bind(x, backend="sycl")
with Gate():
    thread = begun(bound)
    thread.join(0.2)
    print(thread.is_alive(), seen)
thread.join()
print(seen, x[0], forks.inside)

# Children launch what was bound, while others launch it.
stop = []
def go_on():
    own = make(5, "h")[1].bind(np.zeros(8, np.float32), backend="sycl")
    while not stop:
        own()
threads = [begun(go_on) for _ in range(2)]
def child():
    y = np.ones(8, np.float32)
    make(7, "k")[1].bind(y, backend="sycl")()
    return y[0] == 14
print({in_child(child) for _ in range(5)})
stop.append(True)
for thread in threads:
    thread.join()
"""


@needs_sycl
def test_forks_and_bound_launches(tmp_path: Path) -> None:
    assert run(tmp_path, BOUND) == "True []\n[True] 6.0 {}\n{0}\n"


DEVICE_KIT = f"import sys; sys.path.insert(0, {str(Path(__file__).parents[1])!r}); from device_kit import dpt"

SUBMITTING = (
    f"\n{DEVICE_KIT}\n"
    """from pytl import atomic

@pytl.kernel
def count(x: Memref[i64, ...], n: i64):
    for k in range(n):
        atomic.store(x[0], k + 1)

x = dpt.zeros(1, dtype="i8")
count[1](x, 1)
for _ in range(2):
    event = count[1].submit(x, 1_500_000)
    def child():
        y = np.zeros(1, np.int64)
        count[1](y, 7)
        z = dpt.zeros(1, dtype="i8")
        count[1].submit(z, 8).wait()
        return int(x[0]) == 1_500_000 and (int(y[0]), int(z[0])) == (7, 8)
    print(in_child(child))
    event.wait()
"""
)


@needs_sycl
def test_a_fork_behind_a_submission(tmp_path: Path) -> None:
    """It waits for the kernel, and the child has a thread of its own that keeps arguments alive."""
    assert run(tmp_path, SUBMITTING) == "0\n0\n"


DRIVER = (
    f"\n{DEVICE_KIT}\n"
    """from pytl import atomic

@pytl.kernel
def count(x: Memref[i64, ...], n: i64):
    for k in range(n):
        atomic.store(x[0], k + 1)

def reaches(state):
    end = time.monotonic() + 10
    while forks.runs_natively() != state and time.monotonic() < end:
        time.sleep(0.001)
    return forks.runs_natively() == state

# The driver's thread executes a kernel; a fork right behind its end waits until that thread sleeps.
x = dpt.zeros(1, dtype="i8")
count[1](x, 1)
event = count[1].submit(x, 1_500_000)
print(reaches(True))
event.wait()
print(reaches(False))
asked, states = forks.runs_natively, iter([True, True, False])
forks.runs_natively = lambda: next(states)
print(in_child(lambda: launched(make(2, "f"), "sycl") == [4.0] * 8), list(states))

# It does not wait for ever.
forks.runs_natively = lambda: True
print(in_child(lambda: True))
"""
)


@pytest.mark.at_night
@needs_sycl
@pytest.mark.skipif(sys.platform != "linux", reason="only Linux says what a thread does")
def test_a_fork_waits_until_the_drivers_threads_sleep(tmp_path: Path) -> None:
    assert run(tmp_path, DRIVER) == "True\nTrue\n0 []\n0\n"


NUMBA = """
import numba
from numba.core.compiler_lock import global_compiler_lock
from llvmlite.binding import ffi

held, go_on = threading.Event(), threading.Event()
def hold():
    with global_compiler_lock, ffi.lib._lock:
        held.set()
        go_on.wait()
thread = begun(hold)
held.wait()
print(in_child(lambda: global_compiler_lock._lock.acquire(timeout=10) and ffi.lib._lock._lock.acquire(timeout=10)))
go_on.set()
thread.join()
"""


@needs_sycl
def test_a_fork_while_a_user_compiles_with_numba(tmp_path: Path) -> None:
    assert run(tmp_path, NUMBA) == "0\n"
