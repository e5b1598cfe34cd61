"""Devices whose drivers read no SPIR-V, beside one that does: as most desktops have some."""

from __future__ import annotations

import os
from types import SimpleNamespace
from typing import Any

import pytest
from launch_kit import clean_python, needs_sycl

import pytl
from pytl.devices import sycl_devices
from pytl.devices.bootstrap import installation_advice, load_sycl

pytestmark = needs_sycl


def made(interface: str, kind: str, number: int, score: int, name: str = "one") -> Any:
    return SimpleNamespace(
        backend=SimpleNamespace(name=interface),
        device_type=SimpleNamespace(name=kind),
        filter_string=f"{interface}:{kind}:{number}",
        name=f" {name}",
        driver_version="3.1",
        default_selector_score=score,
        sycl_platform=SimpleNamespace(name="PoCL"),
    )


POCL = made("opencl", "cpu", 0, 300, "pthread")
MESA = made("opencl", "gpu", 0, 500, "radeon")
INTEL = made("opencl", "cpu", 1, 300, "Xeon")
CUDA = made("cuda", "gpu", 0, 1000)
LEVEL_ZERO = made("level_zero", "gpu", 0, 200)
ANSWERS = {("pthread", "3.1"): False, ("radeon", "3.1"): False, ("Xeon", "3.1"): True}


@pytest.fixture
def machine(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Let SYCL list these devices."""
    load_sycl()
    import dpctl

    monkeypatch.setattr(sycl_devices, "_takes_spirv", lambda: ANSWERS)

    def listed(*devices: Any) -> None:
        monkeypatch.setattr(dpctl, "get_devices", lambda: list(devices))
        monkeypatch.setattr(
            dpctl, "select_default_device", lambda: max(devices, key=lambda one: one.default_selector_score)
        )
        monkeypatch.setattr(
            dpctl, "SyclDevice", lambda named: next(d for d in devices if named in d.filter_string.split(":"))
        )

    return listed


def test_hindrances(machine: Any) -> None:
    told = [sycl_devices.unavailable_reason(each) for each in (POCL, CUDA, INTEL, LEVEL_ZERO)]
    assert told == ["its driver, PoCL 3.1, takes no SPIR-V", "its driver, cuda 3.1, takes no SPIR-V", None, None]


@pytest.mark.parametrize(
    ("devices", "named", "chosen"),
    [
        ((POCL, INTEL), None, INTEL),
        ((POCL, INTEL), "cpu", INTEL),
        ((MESA, INTEL, CUDA), None, INTEL),
        ((LEVEL_ZERO, INTEL, MESA), None, INTEL),
        ((LEVEL_ZERO, MESA, INTEL), "gpu", LEVEL_ZERO),
        ((MESA, INTEL), "gpu", MESA),
        ((POCL, MESA), None, MESA),
    ],
)
def test_the_default_is_the_best_that_takes_kernels(machine: Any, devices: Any, named: str | None, chosen: Any) -> None:
    machine(*devices)
    assert sycl_devices.choose(named) is chosen


def test_a_launch_there_names_the_devices_that_take_kernels(machine: Any) -> None:
    from pytl.backends.numba_dpex.limits import check_device

    (function,) = pytl.parse("func @f(%x: memref<f32x4>) {}").functions
    machine(POCL, MESA, INTEL, LEVEL_ZERO)
    with pytest.raises(pytl.PlatformError) as caught:
        check_device(function, MESA)
    (found,) = caught.value.diagnostics
    assert (found.code, found.message, found.help) == (
        "PYTL-3083",
        "@f cannot be launched on radeon: its driver, PoCL 3.1, takes no SPIR-V",
        "launch on opencl:cpu:1 or level_zero:gpu:0, which the option device or PYTL_DEVICE names",
    )
    machine(POCL, MESA)
    with pytest.raises(pytl.PlatformError) as caught:
        check_device(function, POCL)
    assert caught.value.diagnostics[0].help == installation_advice()


def test_the_devices_here_are_asked() -> None:
    load_sycl()
    import dpctl

    answers = sycl_devices._takes_spirv()
    assert answers == {**answers, **{(d.name.strip(), d.driver_version): True for d in sycl_devices.usable_devices()}}
    assert any(device.backend.name != "opencl" for device in dpctl.get_devices()) or any(answers.values())


PROGRAM = """
import numpy as np, pytl
double = pytl.compile("func @f(%a: memref<f32x4>) { %0 = constant 2.0 : f32  axpby.n %0, %a, %0, %a }")["f"]
x = np.ones(4, np.float32)
for backend in ("sycl", "opencl"):
    double[1](x, backend=backend)
    print(x.tolist())
from pytl.tools.devices import describe_devices
shown = describe_devices()
print(shown)
import dpctl
from pytl.devices.sycl_devices import unavailable_reason
for device in dpctl.get_devices():
    if unavailable_reason(device) is not None:
        try: double[1, {"device": device.filter_string}](x, backend="sycl")
        except pytl.PlatformError as error: print(*(told.code for told in error.diagnostics), device.name)
print(x.tolist())
"""


@pytest.mark.needs_other_drivers
@pytest.mark.parametrize("only", [False, True])
def test_beside_other_drivers_kernels_run_where_they_can(only: bool) -> None:
    given = {name: os.environ[name] for name in ("OCL_ICD_VENDORS", "LD_LIBRARY_PATH") if name in os.environ}
    environment = {"OCL_ICD_VENDORS": "/etc/OpenCL/vendors", **given}
    if not only:
        done = clean_python(PROGRAM, **environment)
        assert (done.returncode, done.stderr) == (0, "")
        first, second, *shown, last = done.stdout.splitlines()
        assert (first, second, last) == ("[4.0, 4.0, 4.0, 4.0]", "[16.0, 16.0, 16.0, 16.0]", "[16.0, 16.0, 16.0, 16.0]")
        unusable = [line for line in shown if line.startswith("    not usable  ")]
        assert unusable and all(line.endswith("takes no SPIR-V") for line in unusable)
        assert any(line.startswith("  not usable: ") for line in shown)  # of the backend opencl
        assert sum(line.startswith("PYTL-3083 ") for line in shown) == len(unusable)
        return
    program = (
        'import numpy as np, pytl\nf = pytl.compile("func @f(%x: memref<f32x4>) {}")["f"]\n'
        'try: f[1](np.ones(4, "f4"), backend="sycl")\n'
        "except pytl.PlatformError as error: print(error.diagnostics[0].code, error.diagnostics[0].help)"
    )
    done = clean_python(program, **environment, OCL_ICD_FILENAMES="/none")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == f"PYTL-3083 {installation_advice()}\n"
