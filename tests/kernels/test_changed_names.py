"""Names of a kernel's body that are bound to other values between launches, and constexpr values that look alike."""

import dataclasses
import importlib
import os
import pickle
import sys
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from launch_kit import clean_python

import pytl
from pytl import Memref, constexpr, f64, foreach

FACTOR: Any = 1.0
WEIGHTS: Any = [1.0, 2.0, 3.0]
CONFIG = SimpleNamespace(inner=SimpleNamespace(step=1.0), unused=(number for number in range(3)))


def by(x):
    return x * FACTOR


def made(step):
    def add(x, twice=1.0):
        return x + step * twice

    return add


adder = made(1.0)


class Solver:
    rate = 2.0

    def __init__(self) -> None:
        self.order = 1.0
        self.handle = (number for number in range(3))  # which can't be compared, and need not be


SOLVER = Solver()


def first_of(kernel: Any, **values: Any) -> float:
    """What a launch adds to, or makes of, 1.0."""
    a = np.ones(2)
    kernel[1](a, backend="reference", **values)
    assert a[0] == a[1]
    return float(a[0])


@pytl.kernel
def by_global(A: Memref[f64, 2]):
    for i in foreach(2):
        A[i] = by(A[i])


@pytl.kernel
def by_list(A: Memref[f64, 2]):
    for i in foreach(2):
        A[i] = A[i] * (WEIGHTS[0] + len(WEIGHTS))


@pytl.kernel
def by_attribute(A: Memref[f64, 2]):
    for i in foreach(2):
        A[i] = A[i] + CONFIG.inner.step


@pytl.kernel
def by_function(A: Memref[f64, 2]):
    for i in foreach(2):
        A[i] = adder(A[i])


def set_function(step: float, twice: float = 1.0) -> None:
    global adder
    adder = made(step)
    adder.__defaults__ = (twice,)


@pytest.mark.parametrize(
    ("kernel", "change", "expected"),
    [
        (by_global, lambda value: globals().update(FACTOR=value), lambda value: value),
        (by_global, lambda value: globals().update(FACTOR=np.float64(value)), lambda value: value),
        (by_list, lambda value: WEIGHTS.__setitem__(0, value), lambda value: value + 3.0),
        (by_list, lambda value: globals().update(WEIGHTS=np.array([value, 0.0])), lambda value: value + 2.0),
        (by_list, lambda value: globals().update(WEIGHTS=(value,)), lambda value: value + 1.0),
        (by_attribute, lambda value: setattr(CONFIG.inner, "step", value), lambda value: 1.0 + value),
        (by_attribute, lambda value: setattr(CONFIG, "inner", SimpleNamespace(step=value)), lambda value: 1.0 + value),
        (by_function, set_function, lambda value: 1.0 + value),
        (by_function, lambda value: set_function(3.0, value), lambda value: 1.0 + 3.0 * value),
    ],
)
def test_a_launch_finds_the_values_of_its_names(
    kernel: Any, change: Callable[[float], Any], expected: Callable[[float], float]
) -> None:
    kernel = pytl.kernel(kernel.__wrapped__)
    seen = []
    for value in (2.0, 5.0, 2.0, 5.0):
        change(value)
        assert first_of(kernel) == expected(value)
        seen.append(kernel.current())
    assert seen[0] is seen[2], "going back finds the former one"
    assert seen[1] is seen[3] is not seen[0]
    assert len(list(kernel._traces.kernels())) == 2


def test_closures_and_methods() -> None:
    step, solver = 2.0, SOLVER

    @pytl.kernel
    def add(A: Memref[f64, 2]):
        for i in foreach(2):
            A[i] = A[i] * solver.order * solver.rate + step

    assert first_of(add) == 4.0
    step = 5.0
    assert first_of(add) == 7.0
    SOLVER.order = 3.0
    assert first_of(add) == 11.0
    Solver.rate = 1.0
    assert first_of(add) == 8.0
    solver = Solver()
    assert first_of(add) == 6.0
    SOLVER.order, Solver.rate = 1.0, 2.0


def test_a_name_that_hides_one_of_python() -> None:
    @pytl.kernel
    def larger(A: Memref[f64, 2]):
        for i in foreach(2):
            A[i] = max(A[i], 3.0)

    assert first_of(larger) == 3.0
    globals()["max"] = lambda_like = made(4.0)
    try:
        assert lambda_like is not None
        assert first_of(larger) == 13.0  # 1.0 + 4.0 * 3.0
    finally:
        del globals()["max"]
    assert first_of(larger) == 3.0


def test_equal_values_are_no_change() -> None:
    kernel = pytl.kernel(by_global.__wrapped__)
    globals()["FACTOR"] = 2.5
    text = kernel.current()
    globals()["FACTOR"] = float("2.5")
    assert kernel.current() is text
    assert kernel.module is text.module
    globals()["FACTOR"] = np.float64(2.5)
    assert kernel.current() is text, "it is traced to the same text"
    globals()["FACTOR"] = 1.0


def test_the_number_of_traces_is_bounded() -> None:
    from pytl.kernels.traces import MAX_TRACES

    kernel = pytl.kernel(by_global.__wrapped__)
    for number in range(MAX_TRACES + 5):
        globals()["FACTOR"] = float(number)
        assert first_of(kernel) == number
    assert len(list(kernel._traces.kernels())) == MAX_TRACES
    globals()["FACTOR"] = 1.0


def test_bound_launches_and_pickles_keep_their_values() -> None:
    kernel = pytl.kernel(by_global.__wrapped__)
    globals()["FACTOR"] = 2.0
    a = np.ones(2)
    bound = kernel[1].bind(a, backend="reference")
    pickled = pickle.dumps(kernel)
    assert pickle.loads(pickled) is kernel
    globals()["FACTOR"] = 4.0
    bound()
    assert a[0] == 2.0
    assert first_of(pickle.loads(pickled)) == 2.0
    assert first_of(kernel) == 4.0
    globals()["FACTOR"] = 1.0


def test_a_module_that_is_loaded_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    file = tmp_path / "part_to_load_again.py"
    file.write_text("def part(x):\n    return x * 2.0\n")
    module = importlib.import_module(file.stem)

    @pytl.kernel
    def apply(A: Memref[f64, 2]):
        for i in foreach(2):
            A[i] = module.part(A[i])

    assert first_of(apply) == 2.0
    file.write_text("def part(x):\n    return x * 2.0 + 3.0\n")
    importlib.reload(module)
    assert first_of(apply) == 5.0


def test_what_cannot_be_compared_is_refused() -> None:
    numbers = (number for number in range(3))

    @pytl.kernel
    def first(A: Memref[f64, 2]):
        A[0] = numbers

    with pytest.raises(pytl.TraceError, match=r"PYTL-1016.*numbers is, or contains, a Python generator") as caught:
        first[1](np.zeros(2), backend="reference")
    assert caught.value.diagnostics[0].location is not None


def test_a_failing_trace_is_tried_again() -> None:
    kernel = pytl.kernel(by_list.__wrapped__)
    globals()["WEIGHTS"] = None
    with pytest.raises(pytl.TraceError):
        first_of(kernel)
    globals()["WEIGHTS"] = [2.0]
    assert first_of(kernel) == 3.0
    globals()["WEIGHTS"] = [1.0, 2.0, 3.0]


# The values of constexpr parameters.


@dataclasses.dataclass
class Weights:
    n: int
    values: Any = dataclasses.field(repr=False, default=None)


@pytl.kernel
def weighted(A: Memref[f64, 2], s: constexpr):
    for i in foreach(2):
        A[i] = A[i] * float(s.values[0])


@pytl.kernel
def far(A: Memref[f64, 2], s: constexpr):
    for i in foreach(2):
        A[i] = A[i] * float(s[500])


@pytl.kernel
def scaled(A: Memref[f64, 2], s: constexpr):
    for i in foreach(2):
        A[i] = A[i] * float(s)


def test_constexpr_values_are_told_apart_by_content() -> None:
    u, v = np.zeros(2000), np.zeros(2000)
    v[500] = 7.0
    assert [first_of(far, s=s) for s in (u, v, u)] == [0.0, 7.0, 0.0]
    several = [Weights(1, np.full(3, number)) for number in (1.0, 1.0 + 1e-12, 2.0)]
    assert [first_of(weighted, s=s) for s in several] == [1.0, 1.0 + 1e-12, 2.0]
    assert weighted.specialize(s=several[0]) is weighted.specialize(s=Weights(1, np.full(3, 1.0)))
    assert scaled.specialize(s=2) is not scaled.specialize(s=2.0)
    assert scaled.specialize(s=Fraction(1, 2)) is scaled.specialize(s=Fraction(2, 4))
    assert np.signbit(first_of(scaled, s=-0.0)) and not np.signbit(first_of(scaled, s=0.0))


def test_a_constexpr_value_that_is_changed_in_place() -> None:
    values = [0.0] * 501
    values[500] = 2.0
    assert first_of(far, s=values) == 2.0
    held = far.specialize(s=values)
    values[500] = 3.0
    assert first_of(far, s=values) == 3.0
    assert first_of(held) == 3.0, "it holds the list"
    assert first_of(far, s=[0.0] * 500 + [2.0]) == 2.0, "and is not taken for the former list"


def test_a_constexpr_value_that_cannot_be_compared() -> None:
    with pytest.raises(pytl.PytlError, match=r"PYTL-2020.*s is, or contains, a Python generator"):
        first_of(scaled, s=(number for number in range(3)))


# Notebooks.

NOTEBOOK = """
import os
import sys
import time
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, {folder!r})
TEXT = '''import pytl
from pytl import *

def part(x):
    return x * {{0}}

@pytl.function
def once(x):
    return x * {{0}}

@pytl.kernel
def k(A: Memref[f64, 2], s: constexpr = 1):
    for i in foreach(2):
        A[i] = part(A[i]) + {{1}}
'''
file = Path({folder!r}) / "loaded_by_notebooks.py"


def write(age, *values):
    file.write_text(TEXT.format(*values))
    os.utime(file, (time.time() - age,) * 2)


from IPython.core.interactiveshell import InteractiveShell

shell = InteractiveShell.instance()


def run(code):
    shell.run_cell(code).raise_error()


write(900, 2.0, 0.0)
run("%load_ext autoreload")
run("%autoreload 2")
run('''import numpy as np, pytl
from pytl import *
from loaded_by_notebooks import k, once, part
held = k.specialize(s=3)

@pytl.kernel
def own(A: Memref[f64, 2]):
    for i in foreach(2):
        A[i] = part(A[i])

@pytl.kernel
def calling(A: Memref[f64, 2]):
    for i in foreach(2):
        A[i] = once(A[i])
''')
LAUNCH = '''found = []
for kernel in (k, held, own, calling):
    a = np.ones(2)
    kernel[1](a, backend="reference")
    found.append(a[0])
print(*found)'''
run(LAUNCH)
for age, values in ((600, (3.0, 0.0)), (300, (3.0, 1.0)), (1, (1.5, 0.0))):
    write(age, *values)
    run(LAUNCH)
"""


@pytest.mark.at_night
def test_autoreload(tmp_path: Path) -> None:
    pytest.importorskip("IPython")
    done = clean_python(NOTEBOOK.format(folder=str(tmp_path)), IPYTHONDIR=str(tmp_path), PATH=os.environ["PATH"])
    assert done.stdout.splitlines() == [
        "2.0 2.0 2.0 2.0",
        "3.0 3.0 3.0 3.0",
        "4.0 4.0 3.0 3.0",
        "1.5 1.5 1.5 1.5",
    ], done.stderr
