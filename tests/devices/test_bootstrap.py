"""Loading the SYCL run time in fresh processes, with the environments that users have."""

from __future__ import annotations

import importlib.util
import os
import platform
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest
from launch_kit import NO_DRIVERS, clean_python

from pytl.devices import bootstrap, compilers
from pytl.process.settings import MAX_ISA

ROOT = Path(bootstrap.__file__).parents[2]
needs_sycl = pytest.mark.skipif(importlib.util.find_spec("dpctl") is None, reason="dpctl is not installed")

PROGRAM = """
import os, threading
from pytl.devices.bootstrap import load_sycl
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
    # Nor the drivers of this machine, of which there may be any.
    inherited = {key: value for key, value in os.environ.items() if key not in ours}
    return subprocess.run(
        [sys.executable, "-c", program],
        env={**inherited, "PYTHONPATH": str(ROOT), "OCL_ICD_VENDORS": NO_DRIVERS, **environment},
        capture_output=True,
        text=True,
        check=False,
    )


@needs_sycl
def test_no_variable_is_needed_and_nothing_is_printed():
    result = run(PROGRAM)
    assert result.stderr == ""
    assert result.stdout.split()[-2] == "1"


@pytest.mark.at_night
@needs_sycl
@pytest.mark.needs_numba_dpex
def test_numba_dpex_imports_afterwards():
    result = run("from pytl.devices.bootstrap import load_sycl; load_sycl(); import numba_dpex")
    assert (result.returncode, result.stderr) == (0, "")


@pytest.mark.at_night
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
def test_processes_of_a_process_say_nothing_of_the_processor_either():
    """They inherit what pytl named to the driver, and are no less pytl's."""
    inner = "import pytl, dpctl; print(dpctl.get_num_devices() > 0)"
    outer = (
        f"import pytl, dpctl, subprocess, sys\nsys.exit(subprocess.run([sys.executable, '-c', {inner!r}]).returncode)"
    )
    result = run(outer)
    assert (result.returncode, result.stdout, result.stderr) == (0, "True\n", "")


@pytest.mark.at_most(1)
@needs_sycl
@pytest.mark.parametrize(
    ("name", "value"),
    [("OCL_ICD_FILENAMES", "/none"), ("ONEAPI_DEVICE_SELECTOR", "cuda:*"), ("CL_CONFIG_CPU_TARGET_ARCH", "none")],
)
def test_no_device_is_an_error_with_a_remedy(name, value):
    """What is set by the user is named, what pytl sets is not."""
    program = PROGRAM.replace("[t.start() for t in threads], [t.join() for t in threads]", "")
    result = run(program, **{name: value})
    assert "SyclUnavailable: The SYCL run time finds no device" in result.stderr
    assert bootstrap.installation_advice() in result.stderr
    named = [
        variable
        for variable in (bootstrap.TARGET_ARCHITECTURE, *bootstrap.SELECTORS)
        if f"{variable}=" in result.stderr
    ]
    assert sorted(named) == sorted([name, "OCL_ICD_VENDORS"])  # which `run` sets


def test_missing_dpctl(monkeypatch):
    monkeypatch.setattr(bootstrap, "_loaded", False)
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    with pytest.raises(bootstrap.SyclUnavailable, match="not installed") as caught:
        bootstrap.load_sycl()
    assert caught.value.advice in str(caught.value)


def test_remedy_where_there_are_no_wheels(monkeypatch):
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setattr(platform, "machine", lambda: "aarch64")
    assert bootstrap.installation_advice().startswith("There are no wheels of the SYCL stack for linux on aarch64")
    monkeypatch.setattr(platform, "machine", lambda: "x86_64")
    monkeypatch.setattr(sys, "version_info", (3, 13, 0))
    assert bootstrap.installation_advice().endswith(
        "pip install 'numba==0.68.1' 'dpcpp-llvm-spirv==2024.2.*' 'dpctl==0.22.1' 'intel-opencl-rt==2026.2.*'"
    )
    monkeypatch.setattr(sys, "version_info", (3, 15, 0))
    assert bootstrap.installation_advice().startswith("There are no wheels of the SYCL stack for Python 3.15")


@pytest.mark.parametrize("names", [("libDPCTLSyclInterface.so.0", "libDPCTLSyclInterface.so"), (), ("x.so",)])
def test_the_interface_library_goes_by_the_name_of_its_release(names, tmp_path):
    for name in names:
        (tmp_path / name).touch()
    numbered = "libDPCTLSyclInterface.so.0" in names
    assert bootstrap.interface_of(tmp_path).name == f"libDPCTLSyclInterface.so{'.0' if numbered else ''}"


@pytest.mark.at_night
@needs_sycl
def test_without_a_compiler_one_error_names_what_is_missing_and_kernels_of_the_cache_run(tmp_path):
    """As on Python 3.13, which has dpctl and no numba-dpex: in the place of the numba-dpex here."""
    program = """
        import sys
        import numpy as np
        import pytl
        from pytl.devices import compilers

        @pytl.kernel
        def scale(x: pytl.Memref[pytl.f32, 4]):
            pytl.axpby(2.0, x, 0.0, x)

        @pytl.kernel
        def triple(x: pytl.Memref[pytl.f32, 4]):
            pytl.axpby(3.0, x, 0.0, x)

        x = np.ones(4, np.float32)
        if sys.argv[1:]:
            compilers.importlib.util.find_spec = lambda name, found=compilers.importlib.util.find_spec: (
                None if name == sys.argv[1] else found(name)
            )
        scale[1](x, backend="sycl")
        print(x)
        try:
            triple[1](x, backend="sycl")
        except pytl.PytlError as error:
            print(error.code, error)
        print(x, "numba" in sys.modules)
    """
    file = tmp_path / "program.py"
    file.write_text(textwrap.dedent(program))
    environment = {**os.environ, "PYTL_CACHE": "1", "PYTL_CACHE_DIR": str(tmp_path / "cache")}

    def output(*arguments):
        command = [sys.executable, str(file), *arguments]
        return subprocess.run(command, env=environment, capture_output=True, text=True, check=True).stdout

    assert output().splitlines() == ["[2. 2. 2. 2.]", "[6. 6. 6. 6.] True"]
    text = file.read_text()
    file.write_text(text.replace("3.0", "5.0"))
    hidden, named = next(iter((compilers.installed_compiler() or compilers.required_compiler()).modules.items()))
    first, *error, last = output(hidden).splitlines()
    assert (first, last) == ("[2. 2. 2. 2.]", "[2. 2. 2. 2.] False")
    assert error[0].startswith("PYTL-3314")
    told = "\n".join(error)
    assert f"@triple is not compiled yet, and {named}, the compiler, is not installed" in told


@pytest.mark.parametrize(
    ("vendor", "flags", "expected"),
    [
        ("GenuineIntel", bootstrap.ARCHITECTURES["icelake-server"], None),
        ("GenuineIntel", bootstrap.ARCHITECTURES["sapphirerapids"], "sapphirerapids"),
        ("GenuineIntel", bootstrap.ARCHITECTURES["graniterapids"], "graniterapids"),
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


@pytest.mark.parametrize("vendor", ["GenuineIntel", "AuthenticAMD"])
@pytest.mark.parametrize(
    ("limit", "expected"), [("avx512", "icelake-server"), ("avx2", "core-avx2"), ("sse", "corei7")]
)
def test_the_newest_instructions_may_be_limited(vendor: str, limit: str, expected: str) -> None:
    flags = " ".join(bootstrap.ARCHITECTURES[name] for name in ("graniterapids", "core-avx2", "corei7"))
    cpuinfo = f"vendor_id\t: {vendor}\nflags\t\t: fpu sse avx {flags}\n"
    assert bootstrap._architecture(cpuinfo) == "graniterapids"
    with MAX_ISA.scope(limit):
        assert bootstrap._architecture(cpuinfo) == expected
        left = bootstrap.processor(cpuinfo)[1]
    assert {"fpu", "sse", "sse4_2"} <= left
    assert ("avx512f" in left, "avx2" in left, "avx" in left) == (limit == "avx512", limit != "sse", limit != "sse")
    assert not any(flag.startswith("amx") for flag in left)


@pytest.mark.parametrize(
    ("architecture", "size"), [(None, 64), ("skx", 64), ("core-avx2", 32), ("corei7", 16), ("of another driver", 64)]
)
def test_vectors_are_those_that_the_driver_compiles_for(monkeypatch, architecture, size):
    monkeypatch.setattr(bootstrap, "_driver_architecture", architecture)
    assert bootstrap.driver_vector_bytes() == size


LIMITED = """
import numpy as np, pytl
from pytl.backends.mlir.targets import target_of
from pytl.passes.targets.host import host_machine
text = "func @twice(%a: memref<f32x16x16>, %b: memref<f32x16x16>) { gemm.n.n 2.0, %a, %a, 0.0, %b }"
a, b = np.eye(16, dtype="f4", order="F"), np.zeros((16, 16), "f4", order="F")
kernel = pytl.compile(text)["twice"]
kernel[1](a, b, backend="sycl")
assert (b == 2 * a).all()
machine = host_machine()
print(machine.name.partition("-")[0], *(f for f in target_of(machine, 2).flags if "attr" in f))
print("zmm" in str(kernel.emit("sycl", stage="asm")))
"""


@pytest.mark.skipif(platform.machine() not in ("x86_64", "AMD64"), reason="a limit of x86")
@pytest.mark.parametrize(("limit", "machine"), [("avx2", "avx2 -mattr=-avx512f,-avxvnni"), ("sse", "sse -mattr=-avx")])
def test_a_process_without_newer_instructions(limit: str, machine: str) -> None:
    done = clean_python(LIMITED, PYTL_MAX_ISA=limit)
    assert done.stdout.splitlines() == [machine, "False"], done.stderr
    told = clean_python(
        "import pytl; from pytl.passes.targets.host import host_machine; host_machine()", PYTL_MAX_ISA="9"
    )
    assert "PYTL_MAX_ISA is '9'" in told.stderr and "it takes one of sse, avx2, avx512" in told.stderr
