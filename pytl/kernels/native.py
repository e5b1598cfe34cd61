"""SPIR-V with its interface, for programs that launch kernels without Python: `k.emit("spirv")`."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from ..backends.base import Lowered
from ..backends.registry import find_backend
from ..diagnostics import PlatformError, PytlError
from ..ir.types import DYNAMIC, GroupType, MemrefType, Type
from ..ir.values import Function
from ..launch.signature import parameters_of
from ..ops.launch_defaults import subgroup_size, work_group_shape
from .built import ARGUMENTS, BACKEND, FOLDER, OF_THEIR_OWN

FORMAT, VERSION = "kernel of pytl", 1
DEVICE_OPTION = "device"


class Spirv(bytes):
    """A module of SPIR-V 1.x, with what a program has to know that launches its kernel.

    `interface` is a dict that JSON can hold: the function's "parameters" with their types and layouts, and the
    "arguments" of the entry point "entry" in their order, each with the parameter and what of it is passed. A launch of
    `n` work-groups of the language has `n` work-groups of "work_items" work-items each.
    """

    interface: dict[str, Any]

    def write(self, path: str | os.PathLike[str], *, apart_from: str | os.PathLike[str] = "") -> Path:
        """Write the module, and the interface beside it under the ending `.json`. Returns the path of the latter.

        Neither is written over `apart_from`, a file that the module was made of.

        Raises `pytl.PlatformError` where they cannot be written (PYTL-3301), and where both had one name (PYTL-1273).
        """
        file = Path(path)
        interface_file = file.with_suffix(".json")
        if interface_file == file:
            raise _not_apart(f"{file} is the name of the interface")
        try:
            for written in (file, interface_file):
                if os.path.exists(apart_from) and written.exists() and written.samefile(apart_from):
                    raise _not_apart(f"{written} is the file that the module is made of")
            file.write_bytes(self)
            interface_file.write_text(json.dumps(self.interface, indent=1) + "\n")
        except OSError as error:
            problem = f"{error.filename or file} cannot be written: {error.strerror}"
            raise PlatformError.single(FOLDER, problem, help="name a file in a folder of your own") from None
        return interface_file


def _not_apart(problem: str) -> PytlError:
    return PlatformError.single(OF_THEIR_OWN, problem, help="name the module otherwise, as k.spv")


def emit_spirv(function: Function, lower: Callable[..., Lowered], options: Mapping[str, Any]) -> Spirv:
    """The module of a function. `lower(backend, options)` runs a backend's passes on it; needs a compiler."""
    requested = dict(options)
    device = requested.pop(DEVICE_OPTION, "cpu")
    backend = find_backend(BACKEND)
    ahead = backend.ahead_of_time
    assert ahead is not None
    if device not in ahead.devices:
        known = ", ".join(ahead.devices)
        raise PytlError.single(ARGUMENTS, f"there is no kind of device {device!r}", help=f"the kinds are: {known}")
    backend.check_options(requested)
    lowered = lower(backend, ahead.options(device, requested, function))
    first, *others = ahead.compile(lowered)
    spirv = Spirv(first.code)
    details = first.details
    spirv.interface = {
        "format": FORMAT,
        "version": VERSION,
        "device": device,
        "entry": details["entry"],
        "parameters": [
            {"name": p.name, "type": str(p.type), "written": p.written, **_layout(p.type), **_asserted(p.attributes)}
            for p in parameters_of(function)
        ],
        "arguments": [_argument(each) for each in details["parameters"]],
        "work_items": details["items"],
        "local_bytes": 0 if details["is_private"] else details["local_bytes"],
        "needs_subgroup_size": details["subgroup_size"] if others else None,
        "work_group_size": list(work_group_shape(lowered.function)),
        "subgroup_size": subgroup_size(lowered.function),
        "sha256": hashlib.sha256(spirv).hexdigest(),
    }
    return spirv


_MEANINGS = {
    "value": "the number",
    "data": "the address of the first element",
    "addresses": "the address of an array of addresses",
    "count": "how many items there are",
    "offset": "the offset behind each pointer, in elements",
    "size": "the size of a mode",
    "stride": "the stride of a mode, in elements",
    "first_group": "the number of the first work-group, 0",
    "group_count": "how many work-groups there are",
    "share": "how many work-groups a work-item executes, 1",
}
"""What is passed for each kind of argument."""


def _argument(parameter: Mapping[str, Any]) -> dict[str, Any]:
    number = parameter["parameter"]
    return {
        "kind": parameter["kind"],
        "element": parameter["element"],
        "parameter": None if number < 0 else number,
        "source": parameter["source"],
        "mode": parameter["mode"] if parameter["source"] in ("size", "stride") else None,
        "meaning": _MEANINGS[parameter["source"]],
    }


def _layout(type_: Type) -> dict[str, Any]:
    """A memref's element type, shape and strides, null where they are known at the launch only."""
    if isinstance(type_, GroupType):
        return {"group": True, "count": _known(type_.count), "offset": _known(type_.offset), **_layout(type_.memref)}
    if not isinstance(type_, MemrefType):
        return {}
    shape, strides = (list(map(_known, extents)) for extents in (type_.shape, type_.strides))
    return {"element": str(type_.element), "shape": shape, "strides": strides}


def _asserted(attributes: Mapping[str, Any]) -> dict[str, Any]:
    """What the kernel takes for granted of the memory and its layout: alignment, divisors, that it is apart."""
    return {"attributes": dict(attributes)} if attributes else {}


def _known(extent: Any) -> int | None:
    return None if extent == DYNAMIC else extent
