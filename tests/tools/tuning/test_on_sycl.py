"""`pytl.tune` on SYCL devices: its choices, the arrays of devices, what other processes launch with."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from launch_kit import clean_python, has_sycl, needs_sycl

import pytl
from pytl import Memref, f32, i32, parallel, subgroup
from pytl.backends.numba_dpex import launch
from pytl.devices import usm
from pytl.tools import tuning
from pytl.tools.cli import main

pytestmark = needs_sycl
if has_sycl:
    import dpctl
    import dpctl.memory
    from device_kit import dpt

TEXT = """\
func @grow(%alpha: f32, %x: memref<f32x8x?>, %h: memref<bf16x8>, %u: memref<bf16x8>) {
  %g = builtin.group_id : index
  %v = subview %x[0:8, %g] : memref<f32x8>
  axpby.n %alpha, %v, %alpha, %v
  %one = constant 1.0 : bf16
  axpby.n.atomic %one, %u, %one, %h
}
"""
GROUPS = 16


@pytest.fixture(autouse=True)
def surroundings(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    """A cache for these tests alone, in which each kernel is built once."""
    monkeypatch.setenv("PYTL_CACHE_DIR", str(tmp_path_factory.getbasetemp() / "cache of tune"))
    monkeypatch.setenv("PYTL_BACKEND", "sycl")


def fresh() -> pytl.Kernel:
    return pytl.compile(TEXT)["grow"]


def tune(kernel: pytl.Kernel, *arguments: Any, **more: Any) -> pytl.TuningResult:
    return pytl.tune(kernel[GROUPS], arguments, budget=60.0, progress=False, print_table=False, **more)


def host() -> tuple[np.ndarray, ...]:
    # bf16 as arrays of dpctl have it
    ones = np.full(8, 0x3F80, np.uint16)
    return np.asfortranarray(np.arange(8 * GROUPS, dtype="f4").reshape(8, -1)), ones, ones.copy()


def device() -> tuple[Any, ...]:
    return tuple(dpt.asarray(array, order="F") for array in host())


def of_dpnp() -> tuple[Any, ...]:
    import dpnp

    return tuple(dpnp.asarray(array, order="F") for array in device())


def bytes_of(arrays: tuple[Any, ...]) -> list[bytes]:
    plain = [array.get_array() if hasattr(array, "get_array") else array for array in arrays]
    return [dpt.asnumpy(a).tobytes() if isinstance(a, dpt.usm_ndarray) else a.tobytes() for a in plain]


@pytest.mark.at_most(1)
@pytest.mark.parametrize("make", [host, device, pytest.param(of_dpnp, marks=pytest.mark.needs_dpnp)])
def test_arrays_hold_what_they_held(make: Callable[[], tuple[Any, ...]]) -> None:
    arrays = make()
    result = tune(fresh(), 2.0, *arrays)
    assert bytes_of(arrays) == bytes_of(host())
    assert [(trial.options["items"], trial.options["strategy"]) for trial in result.trials] == [
        *(("auto", "one-item"), (64, "one-item"), (1024, "one-item"), ("auto", "many-items")),
    ]
    # whose work-items all add what the one work-item adds in a loop
    assert not any(trial.problem for trial in result.trials)


def test_arrays_that_are_copied_and_a_queue(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTL_COPY_NUMPY", "1")
    arrays = host()
    tune(fresh(), 2.0, *arrays, queue=dpctl.SyclQueue(property="in_order"))
    assert bytes_of(arrays) == bytes_of(host())
    with pytest.raises(pytl.LaunchError, match="PYTL-2008"):
        tune(fresh(), 2.0, *device(), queue=dpctl.SyclQueue(property="in_order"))
    with pytest.raises(pytl.LaunchError, match="PYTL-2017"):
        tune(fresh(), 2.0, *host(), queue="cpu")


def test_without_memory_for_copies(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(array: Any) -> Any:
        raise dpctl.memory.USMAllocationError

    library = usm.tensor_library()
    monkeypatch.setattr(*((usm.UsmArray, "copied") if library is None else (library, "copy")), refuse)
    with pytest.raises(pytl.LaunchError, match=r"PYTL-2051.*there is no memory for copies of what @grow writes"):
        tune(fresh(), 2.0, *device())


def test_what_was_submitted_before_counts() -> None:
    kernel, arrays = fresh(), device()
    event = kernel[GROUPS].submit(2.0, *arrays)
    tune(kernel, 2.0, *arrays)
    event.wait()
    np.testing.assert_array_equal(dpt.asnumpy(arrays[0]), 4 * host()[0])


def test_an_interruption_between_a_launch_and_the_wait_for_it(monkeypatch: pytest.MonkeyPatch) -> None:
    submit, arrays = launch.PreparedLaunch.submit, device()
    submitted = []

    def interrupted(self: Any, *arguments: Any, **named: Any) -> int:
        submitted.append(submit(self, *arguments, **named))
        if len(submitted) == 4:
            raise KeyboardInterrupt
        return submitted[-1]

    kernel = fresh()
    with monkeypatch.context() as patch, pytest.raises(KeyboardInterrupt):
        patch.setattr(launch.PreparedLaunch, "submit", interrupted)
        tune(kernel, 2.0, *arrays)
    assert len(submitted) == 4 and bytes_of(arrays) == bytes_of(host())
    assert kernel.cache_info().variants == ()


PROGRAM = """
import numpy as np, pytl
kernel = pytl.compile({text!r})["grow"]
x, h = np.ones((8, 2), np.float32, order="F"), np.zeros(8, np.uint16)
kernel[2](2.0, x, h, h.copy())
assert (x == 4.0).all()
print(*(f"{{v.options['strategy']}} {{v.is_tuned}} {{v.built.origin}}" for v in kernel.cache_info().variants))
"""


@pytest.mark.at_night
def test_later_launches_use_the_winner(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys) -> None:
    """As if many work-items were faster here; in a cache without what the tests above found the fastest."""
    monkeypatch.setenv("PYTL_CACHE_DIR", str(tmp_path))
    prepare = tuning._Stage.prepare

    def biased(self: Any, options: dict[str, Any]) -> tuple[Callable[[], float], float]:
        launch, seconds = prepare(self, options)
        return (lambda: launch() and (0.001 if options.get("strategy") == "many-items" else 0.002)), seconds

    monkeypatch.setattr(tuning._Stage, "prepare", biased)
    kernel, before, arrays = fresh(), fresh(), device()
    before[GROUPS](2.0, *arrays)
    result = tune(kernel, 2.0, *arrays)
    assert result.options == {"items": "auto", "strategy": "many-items"} and result.winner.ratio == pytest.approx(0.5)
    (variant,) = kernel.cache_info().variants
    assert (variant.options, variant.is_tuned) == ({"strategy": "many-items"}, True)
    assert "strategy=many-items, opencl:cpu:0 " in str(variant) and ": tuned, " in str(variant)
    before[GROUPS](2.0, *arrays)
    assert [(v.options["strategy"], v.is_tuned) for v in before.cache_info().variants] == [
        ("one-item", False),
        ("many-items", True),
    ]
    explicit = fresh()
    explicit[GROUPS, {"strategy": "one-item"}](2.0, *arrays)
    assert [(v.options["strategy"], v.is_tuned) for v in explicit.cache_info().variants] == [("one-item", False)]
    source = PROGRAM.format(text=TEXT)
    done = clean_python(source, PYTL_CACHE_DIR=str(tmp_path))
    assert (done.stderr, done.stdout) == ("", "many-items True disk\n")
    main(["cache", "ls"])
    assert "  tuned: strategy=many-items\n" in capsys.readouterr().out


@pytl.kernel
def number(x: Memref[i32, 16]):
    with parallel():
        lane = subgroup.local_id()
        x[pytl.index(lane)] = lane


@pytl.kernel(strategy="one-item")
def decided(x: Memref[f32, 16]):
    x[0] = 1.0


@pytest.mark.parametrize(("kernel", "dtype", "options"), [(number, "i4", {}), (decided, "f4", {"items": 1})])
def test_without_a_choice(kernel: pytl.Kernel, dtype: str, options: dict[str, Any]) -> None:
    with pytest.raises(pytl.PlatformError) as caught:
        pytl.tune(kernel[1, options], (np.zeros(16, dtype),))
    message = f"error[PYTL-3050]: the backend sycl has nothing to choose for @{kernel.name}"
    assert caught.value.diagnostics[0].headline == message
