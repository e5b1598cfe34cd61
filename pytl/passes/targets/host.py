"""The machine of the processor that this process runs on: a preset by what the processor has, with its caches.

Where `benchmarks/calibrate.py` has measured it, the machine is what that found (`calibrated.py`).
"""

from __future__ import annotations

import functools
from collections.abc import Iterable
from dataclasses import fields, replace
from typing import Any

from ...devices.processors import Processor, running_processor
from .costs import RANGE
from .machine import ARM, AVX512, HOST, MACHINES, X86, Caches, Machine

_ZEN_5 = 26
"""AMD's family of processors from Zen 5 on."""
_found: dict[str, Machine] = {}
"""Machines that are no presets, by their names."""
_FLAGS = {
    "vnni": {"avx512_vnni", "avx512vnni"},
    "bf16": {"avx512_bf16", "avx512bf16"},
    AVX512: {"avx512f", "avx512_f"},
}
"""Features of x86 that presets have, and the flags by which systems report them."""
_OF_PRODUCTS = {"sme-f64f64": "f64", "sme-i16i64": "i16", "ebf16": "bf16"}
"""Features that not every processor with SME has, with the types of factors whose outer products need them."""
_X86_BY_BYTES = {16: "sse", 32: "avx2", 64: "avx512"}


@functools.cache
def host_machine() -> Machine:
    """The machine that this process runs on, as it was calibrated, or a preset."""
    from .calibrated import calibrated_machine

    processor = running_processor()
    machine = machine_for(processor)
    return note(calibrated_machine(processor, machine) or machine)


def streaming_machine() -> Machine | None:
    """The machine that this process runs on with its matrix extension; None where there is none."""
    processor = running_processor()
    return _streaming_machine(processor.features, 8 * processor.streaming_bytes)


@functools.cache
def _streaming_machine(features: frozenset[str], bits: int) -> Machine | None:
    if "sme" not in features:
        return None
    name = "sme2" if "sme2" in features else "sme"
    preset = MACHINES[name]
    return changed_machine(
        name,
        features=tuple(word for word in preset.features if word in features),
        without=tuple(factor for feature, factor in _OF_PRODUCTS.items() if feature not in features),
        vector_bits=bits or preset.vector_bits,
        has_any_length=not bits,
    )


@functools.cache
def changed_machine(name: str, **changes: Any) -> Machine:
    """A machine of which something is changed, which is found by its own name afterwards."""
    machine = find_machine(name)
    assert machine is not None
    return note(replace(machine, **changes).named())


def note(machine: Machine) -> Machine:
    """Let a machine be found by its name."""
    _found[machine.name] = machine
    return machine


def find_machine(name: object) -> Machine | None:
    """The machine of a name, or of the word `host`; None where there is none."""
    if not isinstance(name, str):
        return None
    if name in MACHINES:
        return MACHINES[name]
    host = host_machine()
    return host if name == HOST else _found.get(name)


def absent_features() -> frozenset[str]:
    """What this processor has not of what presets have: its instructions would end a process that executes them."""
    return frozenset(_FLAGS) - frozenset(host_machine().features)


def without(machine: Machine, features: Iterable[str]) -> Machine:
    """A machine without some features."""
    left = tuple(word for word in machine.features if word not in features)
    return machine if left == machine.features else changed_machine(machine.name, features=left)


def executed_here(machine: Machine) -> Machine:
    """A machine for code that this processor executes: without the features that it has not."""
    return without(machine, absent_features())


def machine_for(processor: Processor) -> Machine:
    """The preset for a processor, with its caches as far as they are known."""
    preset = MACHINES[_preset_for(processor)]
    absent = [word for word, flags in _FLAGS.items() if not flags & processor.features]
    if preset.architecture == X86:
        preset = without(preset, absent)
        if preset.name == "avx512":  # which has none, as code for it may be executed elsewhere
            preset = changed_machine(preset.name, features=(*preset.features, AVX512))
    ranges = {each.name: each.metadata.get(RANGE, (0, 0)) for each in fields(Caches)}
    known = ((name, size, *ranges[name]) for name, size in processor.caches.items() if name in ranges)
    sizes: dict[str, Any] = {name: size for name, size, least, most in known if least <= size <= most}
    return replace(preset, caches=replace(preset.caches, **sizes))


def _preset_for(processor: Processor) -> str:
    features = processor.features
    if processor.architecture == ARM:
        # code of the host is not streaming, so that the matrix extension does not count
        return {32: "sve256", 64: "sve512"}.get(processor.vector_bytes, "neon")
    if processor.architecture != X86:
        return "sse"
    if _FLAGS[AVX512] & features:
        if features & {"amx_fp16", "amx-fp16"}:
            return "amxfp16"
        if features & {"amx_tile", "amx-tile"}:
            return "amx"
        if processor.vendor == "AuthenticAMD":
            return "zen5" if processor.family >= _ZEN_5 else "zen4"
        return "avx512"
    return "avx2" if "avx2" in features else "sse"


def machine_of_width(register_bytes: int) -> Machine:
    """The machine of a device of this host whose vector registers have so many bytes."""
    host = host_machine()
    is_limited = host.architecture == X86 and host.register_bytes < register_bytes  # by PYTL_MAX_ISA
    if host.register_bytes == register_bytes or is_limited:
        return host
    return MACHINES[_X86_BY_BYTES[max(width for width in _X86_BY_BYTES if width <= register_bytes)]]
