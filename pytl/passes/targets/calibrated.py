"""The machine that `benchmarks/calibrate.py` has measured, in a file of the folder of the compilation cache.

Anybody may have written what is in the file: it is read as numbers, each within its range, and nothing of it is
executed. What cannot be used is left out with a warning.
"""

from __future__ import annotations

import json
import secrets
from collections.abc import Mapping
from dataclasses import asdict, fields, is_dataclass, replace
from pathlib import Path
from typing import Any, get_type_hints

from ...devices.cache import configured, warn_of_foreign
from ...devices.owned import Foreign, own_directory
from ...devices.processors import Processor
from ...diagnostics import Rule, warn
from ...process.settings import CACHE
from .costs import RANGE
from .machine import Machine

NOT_USED = Rule(
    "PYTL-3086",
    "the machine that was calibrated is the one in use",
    "Devices",
    severity="warning",
    explanation="`benchmarks/calibrate.py` stores what it has measured of the processor in the folder of the "
    "compilation cache. A file that is damaged, or of another version of pytl, is not used: calibrate anew, or remove "
    "it.",
)
FILE = "machine.json"
FORMAT = 1
"""The number changes with the meaning of the file."""
_LARGEST, _LONGEST = 1 << 16, 200
_MEASURED = (
    "execution",
    "caches",
    "tiles",
    "items",
    "prefetches",
    "loops",
    "blocks",
    "outer_products",
    "tile_products",
)
"""What a file says of a machine; the rest is its preset's."""


def calibrated_machine(processor: Processor, machine: Machine) -> Machine | None:
    """A processor's machine as it was calibrated; None where that was not done, or cannot be used."""
    cache = configured() if CACHE.get() else None
    if cache is None:
        return None
    path = cache.directory / FILE
    try:
        with own_directory(cache.directory) as directory:
            content = directory.read(FILE)
    except Foreign as foreign:
        if foreign.path == cache.directory:  # the warning of all that is kept there
            warn_of_foreign(foreign)
        else:
            warn(NOT_USED, f"{foreign.path} is not used, for {foreign.reason}")
        return None
    except OSError:  # as there is no file
        return None
    try:
        return decoded(content, processor, machine)
    except ValueError as error:
        warn(NOT_USED, f"{path} is not used: {error}")
        return None


def store(machine: Machine, processor: Processor) -> Path | None:
    """Keep a machine for later processes; returns the file's path, None where there is no folder for it."""
    cache = configured()
    if cache is None:
        return None
    write_whole(cache.directory, FILE, encoded(machine, processor))
    return cache.directory / FILE


def write_whole(folder: Path, name: str, content: bytes) -> None:
    """Write a file of the folder, which is made where it is missing; readers find the old content or the new one."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    temporary = f"{name}.{secrets.token_hex(8)}"
    with own_directory(folder) as directory:
        with directory.created(temporary) as descriptor, open(descriptor, "wb", closefd=False) as file:
            file.write(content)
        directory.rename(temporary, name)


def encoded(machine: Machine, processor: Processor) -> bytes:
    """The content of the file."""
    measured = {name: asdict(getattr(machine, name)) for name in _MEASURED}
    head = {"format": FORMAT, "processor": processor.identity, "preset": machine.kind}
    return json.dumps({**head, "measured": measured}, indent=1).encode()


def decoded(content: bytes, processor: Processor, machine: Machine) -> Machine | None:
    """The machine with what a file says was measured; None where that is of another processor.

    Raises ValueError where it is no such file.
    """
    if len(content) > _LARGEST:
        raise ValueError("it is too large")
    try:
        values = json.loads(content)
    except (ValueError, RecursionError):
        raise ValueError("it is no JSON") from None
    if not isinstance(values, dict) or values.get("format") != FORMAT:
        raise ValueError("it is of another version of pytl")
    if values.get("processor") != processor.identity or values.get("preset") != machine.kind:
        return None
    measured = values.get("measured")
    if not isinstance(measured, dict) or set(measured) != set(_MEASURED):
        raise ValueError("it does not say what was measured")
    read = {name: _read(type(getattr(machine, name)), measured[name], name) for name in _MEASURED}
    return replace(machine, **read).named()


def _read(cls: Any, content: object, path: str) -> Any:
    """An object of a dataclass of numbers and texts."""
    if not isinstance(content, dict) or set(content) != {each.name for each in fields(cls)}:
        raise ValueError(f"{path} has other parts than it should have")
    hints = get_type_hints(cls)
    return cls(**{each.name: _value(hints[each.name], each.metadata, content[each.name], path) for each in fields(cls)})


def _value(kind: Any, metadata: Mapping[Any, Any], value: object, path: str) -> Any:
    if is_dataclass(kind):
        return _read(kind, value, path)
    if kind is str:
        if isinstance(value, str) and len(value) <= _LONGEST and value.isprintable():
            return value
        raise ValueError(f"{path} has a text that is none")
    lowest, highest = metadata[RANGE]
    # a boolean is no number, and NaN is in no range
    if type(value) not in (int, kind) or not lowest <= value <= highest:
        raise ValueError(f"{path} has a number that is not from {lowest} to {highest}")
    return kind(value)
