"""The devices and backends that kernels can be launched on, for `pytl devices`."""

from __future__ import annotations

from typing import Any

from ..backends.registry import backend_names, find_backend
from .bootstrap import SyclUnavailable, load_sycl
from .tile_registers import hindrance


def describe_devices() -> str:
    """The SYCL devices with their limits, or the missing packages and how to install them; then the other backends."""
    lines = ["sycl"]
    try:
        load_sycl()
        import dpctl

        default = dpctl.select_default_device().filter_string
        for device in dpctl.get_devices():
            marker = "   (default)" if device.filter_string == default else ""
            lines.append(f"  {device.filter_string}{marker}")
            lines += [f"    {key:<22}{value}" for key, value in _properties(device).items()]
    except SyclUnavailable as problem:
        lines += [f"  not available: {problem.reason}", f"  {problem.remedy}"]
    lines += ["reference", "  NumPy, on every platform; slow and checked"]
    for name in backend_names():
        told = find_backend(name).describe()
        lines += [name, *(f"  {line}" for line in told)] if told else []
    return "\n".join(lines)


def _properties(d: Any) -> dict[str, object]:
    sizes = ", ".join(map(str, d.sub_group_sizes))
    return {
        "name": d.name.strip(),
        "driver": d.driver_version,
        "compute units": d.max_compute_units,
        "global memory": f"{d.global_mem_size / 2**30:.1f} GiB",
        "local memory": f"{d.local_mem_size} bytes",
        "work-group size": f"up to {d.max_work_group_size}",
        "sub-group sizes": sizes,
        "f64": "yes" if d.has_aspect_fp64 else "no",
        **({"tile registers": hindrance() or "yes (AMX)"} if d.is_cpu else {}),
        "reads host memory": "yes" if d.has_aspect_usm_system_allocations else "no",
    }
