"""What is known of a device that executes a work-group by many work-items, as far as it decides code.

Passes get a device as their option, and read nothing about it elsewhere. `DEVICES` has presets, so that code can be
shown for a device that is not here; `described` completes one by what a driver tells. The name of a device has all that
decides code, and is a part of the key of code.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from ...process.records import dataclass
from .machine import Machine

MAX_WORK_ITEMS = 64
"""The most work-items of a work-group whose size passes choose."""


@dataclass(frozen=True)
class BlockCosts:
    """The model of a sub-group's blocks, in cycles for each register of a sub-group (`passes/subgroup_shapes.py`)."""

    multiply_add: float
    matrix_multiply_add: float
    """By the matrix unit, of numbers of 16 bits."""
    load: float
    """Of neighbouring numbers, one for each work-item."""
    strided_load: float
    """Of numbers that lie apart, one for each work-item."""
    uniform_load: float
    """Of one number for all work-items."""
    broadcast: float
    """Of a number that one work-item has."""
    block: float
    """Before the first and after the last multiply-add of a block."""
    local: float
    """A load of neighbouring numbers of local memory, or a store to it."""
    strided_store: float
    """To local memory, of numbers that lie apart, one for each work-item."""
    barrier: float
    """Of what a work-group waits for."""


@dataclass(frozen=True)
class SpmdDevice:
    """A device of work-items."""

    name: str
    description: str
    subgroup_sizes: tuple[int, ...]
    """The sizes of sub-groups that code may ask for, in ascending order."""
    register_bytes: int
    """Bytes of a register, whose lanes are work-items of a sub-group."""
    registers: int
    """Registers that a sub-group has for sums and factors."""
    max_subgroups: int
    """The most sub-groups of a work-group that are worth their barriers."""
    has_broadcasts: bool
    """Whether numbers that are the same for a sub-group are loaded by its work-items, and broadcast."""
    costs: BlockCosts
    local_bytes: int = 1 << 15
    """Local memory that a work-group may have for copies of factors."""
    is_processor: bool = False
    """Whether work-items are lanes of a processor's vectors, and sub-groups of a work-group take turns on a core."""
    unrolled: int = 512
    """Up to so many multiply-adds of real numbers are written for an iteration of a sum: more of them take long to
    compile, and drivers run out of registers when they move their loads to the front."""
    unrolled_complex: int = 512
    """The same for sums of complex numbers."""
    matrix_types: tuple[str, ...] = ()
    """Element types of which sub-groups of 16 multiply whole matrices (`matrix_units.py`)."""

    def __str__(self) -> str:
        return self.name

    def without_matrices(self) -> SpmdDevice:
        """The device for code that leaves its matrix units alone."""
        return replace(self, matrix_types=())


UNKNOWN = "gpu"
"""The preset for devices of which nothing else is known."""
_GPU_COSTS = BlockCosts(
    multiply_add=1.0,
    matrix_multiply_add=0.125,
    load=4.0,
    strided_load=16.0,
    uniform_load=4.0,
    broadcast=0.0,
    block=100.0,
    local=2.0,
    strided_store=4.0,
    barrier=100.0,
)
"""Of Intel's GPUs: a multiply-add reads a number of another lane as cheaply as its own, and a message takes as long as
some multiply-adds. Not measured: there was no such GPU."""
_PROCESSOR_COSTS = BlockCosts(
    multiply_add=0.5,
    matrix_multiply_add=0.5,
    load=0.5,
    strided_load=6.0,
    uniform_load=0.75,
    broadcast=1.0,
    block=12.0,
    local=0.5,
    strided_store=10.0,
    barrier=200.0,
)
"""Of processors, under Intel's OpenCL driver (AMD EPYC of family 25, 2026-11-28, benchmarks/work_items.py)."""

DEVICES = {
    device.name: device
    for device in (
        SpmdDevice(
            name=UNKNOWN,
            description="a GPU of which nothing else is known",
            subgroup_sizes=(16,),
            register_bytes=32,
            registers=96,
            max_subgroups=4,
            has_broadcasts=True,
            costs=_GPU_COSTS,
        ),
        SpmdDevice(
            name="integrated",
            description="a graphics unit in Intel's processors, from Tiger Lake on",
            subgroup_sizes=(8, 16, 32),
            register_bytes=32,
            registers=96,
            max_subgroups=4,
            has_broadcasts=True,
            costs=_GPU_COSTS,
        ),
        SpmdDevice(
            name="bmg",
            description="Intel Arc of the second generation (Battlemage)",
            subgroup_sizes=(16, 32),
            register_bytes=64,
            registers=96,
            max_subgroups=4,
            has_broadcasts=True,
            costs=_GPU_COSTS,
            matrix_types=("f16", "bf16", "i8"),
        ),
        SpmdDevice(
            name="pvc",
            description="Intel Data Center GPU Max (Ponte Vecchio)",
            subgroup_sizes=(16, 32),
            register_bytes=64,
            registers=96,
            max_subgroups=4,
            has_broadcasts=True,
            costs=_GPU_COSTS,
            matrix_types=("f16", "bf16", "i8"),
        ),
    )
}
"""The devices by their names."""
_WORK_GROUP = re.compile(r"(8|16|32|64)x([1-8])")
_PROCESSOR = re.compile(r"cpu-([0-9]+)x([0-9]+)")
_TOLD = re.compile(r"(?P<kind>\w+)(:(?P<sizes>[0-9]+(\.[0-9]+)*))?(/(?P<local>[0-9]+))?")
"""The name of a preset with what a driver tells: sizes of sub-groups, and bytes of local memory."""


def device_words() -> list[str]:
    """What users may call devices that need not be there."""
    return list(DEVICES)


def work_group_of(word: str) -> tuple[int, int] | None:
    """The size of sub-groups and their number, of a word such as `16x2`; zeros of `auto`, None of any other."""
    if word == "auto":
        return 0, 0
    found = _WORK_GROUP.fullmatch(word)
    return (int(found[1]), int(found[2])) if found else None


def find_device(name: object) -> SpmdDevice | None:
    """The device of a name; None where there is none."""
    if not isinstance(name, str):
        return None
    if name in DEVICES:
        return DEVICES[name]
    processor = _PROCESSOR.fullmatch(name)
    if processor is not None:
        return _processor(*map(int, processor.groups()))
    told = _TOLD.fullmatch(name)
    if told is None or told["kind"] not in DEVICES:
        return None
    sizes = [int(size) for size in told["sizes"].split(".")] if told["sizes"] else []
    return described(told["kind"], sizes, int(told["local"]) if told["local"] else None)


def processor_device(machine: Machine) -> SpmdDevice:
    """The OpenCL device of a processor."""
    return _processor(machine.register_bytes, machine.registers)


def _processor(register_bytes: int, registers: int) -> SpmdDevice:
    return SpmdDevice(
        name=f"cpu-{register_bytes}x{registers}",
        description="a processor whose driver makes work-items lanes of its vectors",
        subgroup_sizes=(8, 16, 32, 64),
        register_bytes=register_bytes,
        registers=registers,
        max_subgroups=1,
        has_broadcasts=False,
        costs=_PROCESSOR_COSTS,
        unrolled_complex=32,  # whose parts it loads number by number
        is_processor=True,
    )


def described(kind: str, sizes: Sequence[int], local_bytes: int | None = None) -> SpmdDevice:
    """A preset with the sizes of sub-groups that a driver tells, and its local memory, where that is smaller."""
    device, sizes = DEVICES[kind], tuple(sorted(set(sizes)))
    if sizes and sizes != device.subgroup_sizes:
        device = replace(device, name=f"{kind}:{'.'.join(map(str, sizes))}", subgroup_sizes=sizes)
    if local_bytes is not None and local_bytes < device.local_bytes:
        device = replace(device, name=f"{device.name}/{local_bytes}", local_bytes=local_bytes)
    return device


def told_by(driver: Any) -> SpmdDevice:
    """The description of a device of SYCL or OpenCL that is no processor."""
    return described(kind_of_name(driver.name), driver.sub_group_sizes, driver.local_mem_size)


_KINDS = {
    "pvc": r"data center gpu max|ponte vecchio|pvc",
    "bmg": r"arc\b.*\bb[0-9]{3}|battlemage|bmg",
    "integrated": r"\b(iris|uhd|arc)\b.*graphics|hd graphics",
}
"""How drivers call the devices of presets."""


def kind_of_name(name: str) -> str:
    """The preset for a device that its driver calls so."""
    return next((kind for kind, pattern in _KINDS.items() if re.search(pattern, name.lower())), UNKNOWN)
