"""The machine that code is made for, as an option of backends with vector code."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..passes.targets.host import find_machine
from ..passes.targets.machine import DEFAULT, Machine, machine_words
from .base import Option

MACHINE = "machine"
"""The option of users."""
PROCESSOR = "processor"
"""The complete option with the name of the machine, which is a part of the key of code."""
MACHINE_OPTION = Option(
    None,
    lambda value: value is None or find_machine(value) is not None,
    f"the machine that vector code is made for: {', '.join(map(repr, machine_words()))}",
)


def complete_machine(complete: dict[str, Any], default: Machine) -> None:
    """Complete the options by the machine."""
    given = find_machine(complete.get(MACHINE))
    if given is None:
        complete.pop(MACHINE, None)
    complete[PROCESSOR] = (given or default).name


def chosen_machine(options: Mapping[str, Any]) -> Machine:
    """The machine of complete options."""
    return find_machine(options.get(PROCESSOR, DEFAULT.name)) or DEFAULT
