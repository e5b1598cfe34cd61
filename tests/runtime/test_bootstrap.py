"""Loading the SYCL run time in fresh processes, with the environments that users have."""

from __future__ import annotations

import importlib.util
import os
import platform
import subprocess
import sys
from pathlib import Path

import pytest

from pytl.runtime import bootstrap

ROOT = Path(bootstrap.__file__).parents[2]
needs_sycl = pytest.mark.skipif(importlib.util.find_spec("dpctl") is None, reason="dpctl is not installed")

PROGRAM = """
import os, threading
from pytl.runtime.bootstrap import load_sycl
threads = [threading.Thread(target=load_sycl) for _ in range(4)]
[t.start() for t in threads], [t.join() for t in threads]
load_sycl()
import dpctl
device = dpctl.SyclQueue().sycl_device.name
print(device, len(dpctl.get_devices()), os.environ.get("CL_CONFIG_CPU_TARGET_ARCH"))
"""


def run(program: str, **environment: str) -> subprocess.CompletedProcess[str]:
    # Not what this process has set for itself by now.
    ours = ("OCL_ICD_FILENAMES", "LD_LIBRARY_PATH", "CL_CONFIG_CPU_TARGET_ARCH")
    inherited = {key: value for key, value in os.environ.items() if key not in ours}
    return subprocess.run(
        [sys.executable, "-c", program],
        env={**inherited, "PYTHONPATH": str(ROOT), **environment},
        capture_output=True,
        text=True,
        check=False,
    )


@needs_sycl
def test_no_variable_is_needed_and_nothing_is_printed():
    result = run(PROGRAM)
    assert result.stderr == ""
    assert result.stdout.split()[-2] == "1"


@needs_sycl
def test_numba_dpex_imports_afterwards():
    result = run("from pytl.runtime.bootstrap import load_sycl; load_sycl(); import numba_dpex")
    assert (result.returncode, result.stderr) == (0, "")


@needs_sycl
def test_a_loader_that_finds_the_libraries():
    libraries = str(Path(sys.prefix) / "lib")
    for environment in (
        {"LD_LIBRARY_PATH": libraries},
        {"LD_LIBRARY_PATH": libraries, "OCL_ICD_FILENAMES": f"{libraries}/libintelocl.so"},
        {"OCL_ICD_FILENAMES": f"{libraries}/libintelocl.so"},
    ):
        result = run(PROGRAM, **environment)
        assert result.stdout.split()[-2:-1] == ["1"], result.stderr


@needs_sycl
def test_the_users_architecture_stays():
    assert run(PROGRAM, CL_CONFIG_CPU_TARGET_ARCH="corei7").stdout.split()[-1] == "corei7"


@needs_sycl
@pytest.mark.parametrize("has_memory_files", [True, False])
def test_other_lines_on_stderr_survive(capfd, monkeypatch, has_memory_files):
    if not has_memory_files:
        monkeypatch.delattr(os, "memfd_create", raising=False)
    with bootstrap.without_warnings(b"Unknown host CPU"):
        os.write(2, b"one\nSYCL CPU RT Warning: Unknown host CPU.\ntwo\n")
    assert capfd.readouterr().err == "one\ntwo\n"


@needs_sycl
def test_no_device_is_an_error_with_a_remedy():
    result = run(
        PROGRAM.replace("[t.start() for t in threads], [t.join() for t in threads]", ""),
        OCL_ICD_FILENAMES="/none",
    )
    assert "SyclUnavailable: The SYCL run time finds no device" in result.stderr
    assert "pip install 'numba-dpex==0.23.0'" in result.stderr


def test_missing_dpctl(monkeypatch):
    monkeypatch.setattr(bootstrap, "_loaded", False)
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    with pytest.raises(bootstrap.SyclUnavailable, match="not installed") as caught:
        bootstrap.load_sycl()
    assert caught.value.remedy in str(caught.value)


def test_remedy_where_there_are_no_wheels(monkeypatch):
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setattr(platform, "machine", lambda: "aarch64")
    assert bootstrap._remedy().startswith("There are no wheels of numba-dpex for linux on aarch64")
    monkeypatch.setattr(platform, "machine", lambda: "x86_64")
    monkeypatch.setattr(sys, "version_info", (3, 13, 0))
    assert bootstrap._remedy().startswith("There are no wheels of numba-dpex for Python 3.13")


@pytest.mark.parametrize(
    ("vendor", "flags", "expected"),
    [
        ("GenuineIntel", bootstrap.ARCHITECTURES["icelake-server"], None),
        ("AuthenticAMD", bootstrap.ARCHITECTURES["icelake-server"], "icelake-server"),
        ("AuthenticAMD", bootstrap.ARCHITECTURES["skx"], "skx"),
        ("AuthenticAMD", bootstrap.ARCHITECTURES["core-avx2"], "core-avx2"),
        ("AuthenticAMD", "sse4_2 avx", None),
    ],
)
def test_architectures(vendor, flags, expected):
    cpuinfo = f"processor\t: 0\nvendor_id\t: {vendor}\nflags\t\t: fpu {flags}\n\nprocessor\t: 1\n"
    assert bootstrap._architecture(cpuinfo) == expected
    assert bootstrap._architecture("") is None
