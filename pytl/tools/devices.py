"""The devices and backends that kernels can be launched on, for `pytl devices`."""

from __future__ import annotations

from typing import Any

from ..backends.registry import backend_names, find_backend
from ..devices import tile_registers
from ..devices.bootstrap import SyclUnavailable, installation_advice, load_sycl
from ..devices.compilers import installed_compiler, required_compiler
from ..devices.sycl_devices import choose, unavailable_reason
from ..devices.versions import version_of
from ..passes.targets.spmd import told_by
from ..process.settings import DEVICE

RUN_TIME = ("dpctl", "dpcpp-cpp-rt", "intel-sycl-rt", "intel-opencl-rt", "pyopencl")
"""The distributions that launch kernels."""


def describe_devices(verbose: bool = False) -> str:
    """The SYCL devices with their limits, or the missing packages and how to install them; then the other backends.

    `verbose` adds what compiles kernels for SYCL and OpenCL, and the versions of all that takes part.
    """
    lines = ["sycl"]
    if verbose:
        lines += [f"  {key:<24}{value}" for key, value in _stack()]
    try:
        load_sycl()
        import dpctl

        default = _default()
        for device in dpctl.get_devices():
            marker = "   (default)" if device == default else ""
            lines.append(f"  {device.filter_string}{marker}")
            lines += [f"    {key:<22}{value}" for key, value in _properties(device).items()]
    except SyclUnavailable as problem:
        lines += [f"  not available: {problem.reason}", f"  {problem.advice}"]
    lines += ["reference", "  NumPy, on every platform; slow and checked"]
    for name in backend_names():
        description = find_backend(name).describe()
        lines += [name, *(f"  {line}" for line in description)] if description else []
    return "\n".join(lines)


def _default() -> Any:
    """The device of launches that name none; None where PYTL_DEVICE names one that there is not."""
    import dpctl

    try:
        return choose(DEVICE.get())
    except (dpctl.SyclDeviceCreationError, ValueError):
        return None


def _stack() -> list[tuple[str, str]]:
    """What compiles and launches kernels, or what is missing for it and the command that installs it."""
    compiler = installed_compiler()
    if compiler is None:
        needed = " and ".join(required_compiler().missing())
        rows = [("compiler", f"none, for {needed} is missing"), ("", installation_advice())]
    else:
        rows = [("compiler", compiler.name), *((name, version_of(name)) for name in compiler.modules.values())]
    return [*rows, *((name, version) for name in RUN_TIME if (version := version_of(name)) != "unknown")]


def _properties(d: Any) -> dict[str, object]:
    sizes = ", ".join(map(str, d.sub_group_sizes)) or "none"
    problem = unavailable_reason(d)
    return {
        "name": d.name.strip(),
        **({"not usable": problem} if problem is not None else {}),
        "driver": d.driver_version,
        "compute units": d.max_compute_units,
        "global memory": f"{d.global_mem_size / 2**30:.1f} GiB",
        "local memory": f"{d.local_mem_size} bytes",
        "work-group size": f"up to {d.max_work_group_size}",
        "sub-group sizes": sizes,
        "preset": "none (a processor)" if d.is_cpu else told_by(d).name,
        "f64": "yes" if d.has_aspect_fp64 else "no",
        **({"tile registers": tile_registers.unavailable_reason() or "yes (AMX)"} if d.is_cpu else {}),
        "reads host memory": "yes" if d.has_aspect_usm_system_allocations else "no",
    }
