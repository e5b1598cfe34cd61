"""The machine that code is made for, as an option of backends with vector code."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from ..passes.targets.host import find_machine, without
from ..passes.targets.machine import DEFAULT, Machine, machine_words
from ..passes.targets.spmd import SpmdDevice, find_device, processor_device, told_by
from .base import Option

MACHINE = "machine"
"""The option of users."""
PROCESSOR = "processor"
"""The complete option with the name of the machine, which is a part of the key of code."""
WORK_ITEMS = "work_items"
"""The complete option with the name of the device of work-items, where that is no processor."""
MACHINE_OPTION = Option(
    None,
    lambda value: value is None or find_machine(value) is not None,
    f"the machine that vector code is made for: {', '.join(map(repr, machine_words()))}",
)


def complete_machine(complete: dict[str, Any], default: Machine, absent: Iterable[str] = ()) -> None:
    """Complete the options by the machine, without the features that are absent where its code is executed."""
    given = find_machine(complete.get(MACHINE))
    if given is None:
        complete.pop(MACHINE, None)
    complete[PROCESSOR] = without(given or default, absent).name


def chosen_machine(options: Mapping[str, Any]) -> Machine:
    """The machine of complete options."""
    return find_machine(options.get(PROCESSOR, DEFAULT.name)) or DEFAULT


def chosen_device(options: Mapping[str, Any]) -> SpmdDevice:
    """The device of work-items of complete options: the machine's, where they name no other."""
    return find_device(options.get(WORK_ITEMS)) or processor_device(chosen_machine(options))


def device_of(queue: Any, named: str | None) -> SpmdDevice | None:
    """The device of work-items that code is for: the queue's, or the named one, for code that is only shown.

    None where that is a processor.
    """
    if queue is None:
        return find_device(named)
    device = queue.sycl_device
    return None if device.is_cpu else told_by(device)
