"""Finds pyopencl and the drivers of OpenCL, and the devices that take SPIR-V.

The loader in pyopencl's wheels looks for drivers where the system lists them, and in the folder that OCL_ICD_VENDORS
names. Intel's driver for processors, as pip installs it, is listed nowhere. So while the loader looks for drivers,
the variable names a folder that has the system's list and Intel's driver; the user's own value is left alone.
"""

from __future__ import annotations

import importlib.util
import os
import shutil
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any

from ...devices.bootstrap import prepare, processor_warnings_suppressed
from ...process import forks
from ...process.interrupts import interrupts_deferred
from .devices import Device

VENDORS = "OCL_ICD_VENDORS"
SYSTEM = Path("/etc/OpenCL/vendors")
INTEL = "libintelocl.so"
REMEDY = 'run `pip install "pytl[opencl]"`, or install another driver that takes SPIR-V, such as PoCL 7'

_lock = forks.lock()


class OpenClUnavailable(Exception):
    """No usable OpenCL is here; the text says why."""


def devices() -> list[Device]:
    """The devices that take SPIR-V, processors first. Raises `OpenClUnavailable` where there are none."""
    with _lock, interrupts_deferred():
        usable = [device for device in _devices() if device.filter_string]
    if not usable:
        raise OpenClUnavailable("OpenCL has no device that takes SPIR-V.")
    return usable


def unusable_devices() -> list[Device]:
    """The devices that do not. Raises `OpenClUnavailable` where OpenCL is not installed."""
    with _lock, interrupts_deferred():
        return [device for device in _devices() if not device.filter_string]


@cache
def _devices() -> list[Device]:
    """All devices; those that take SPIR-V have a filter string."""
    if importlib.util.find_spec("pyopencl") is None:
        raise OpenClUnavailable("pyopencl, the Python binding of OpenCL, is not installed.")
    prepare()  # it names the processor to Intel's driver
    try:
        import pyopencl  # noqa: F401
    except ImportError as error:
        raise OpenClUnavailable(f"pyopencl does not load: {error}") from None
    with processor_warnings_suppressed():
        every_device = list(map(Device, _platform_devices()))
    kinds: dict[str, int] = {}
    for device in every_device:
        if device.takes_spirv:
            number = kinds[device.kind] = kinds.get(device.kind, -1) + 1
            device.filter_string = f"opencl:{device.kind}:{number}"
    return sorted(every_device, key=lambda device: not device.is_cpu)


def _platform_devices() -> list[Any]:
    """The devices of all drivers, as pyopencl has them."""
    import pyopencl

    platform_devices = []
    with _intels_driver_listed():
        try:
            platforms = pyopencl.get_platforms()
        except pyopencl.Error as error:
            raise OpenClUnavailable(f"OpenCL has no drivers: {error}") from None
        for platform in platforms:
            try:
                platform_devices += platform.get_devices()
            except pyopencl.Error:  # of a driver without its device
                continue
    return platform_devices


@contextmanager
def _intels_driver_listed() -> Iterator[None]:
    driver = next((path for path in _driver_folders() if path.exists()), None)
    if VENDORS in os.environ or driver is None:
        yield
        return
    folder = tempfile.mkdtemp(prefix="pytl-opencl-")
    try:
        listed = [file for file in SYSTEM.glob("*.icd") if INTEL not in file.read_text(errors="replace")]
        for file in listed:
            shutil.copy(file, folder)
        Path(folder, "pytl-intel.icd").write_text(f"{driver}\n")
        os.environ[VENDORS] = folder
        yield
    finally:
        os.environ.pop(VENDORS, None)
        shutil.rmtree(folder, ignore_errors=True)


def _driver_folders() -> Iterator[Path]:
    """Where pip puts Intel's driver."""
    yield Path(sys.prefix, "lib", INTEL)
    import site

    yield Path(site.getuserbase(), "lib", INTEL)


def find_device(name: str | None) -> Device | None:
    """The device of a filter string, such as "cpu", "opencl:gpu" or "opencl:cpu:1"; the first where there is none."""
    usable = devices()
    if name is None:
        return usable[0]
    short_name = name.removeprefix("opencl:")
    return next((d for d in usable if d.filter_string.removeprefix("opencl:") in (short_name, f"{short_name}:0")), None)
