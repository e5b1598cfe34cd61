"""The fifth step of a launch: the options that decide its code."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..ops.launch_defaults import APART, IN_PARTS, OVERLAPPING
from ..process.records import dataclass
from . import aliasing
from .binding import BoundArguments
from .calls import Call


@dataclass(frozen=True)
class Choice:
    """The complete options of a launch."""

    options: Mapping[str, Any]
    is_general: bool
    """Whether they are those of all launches with such arguments, wherever their memory is."""


def choose(bound: BoundArguments, call: Call) -> Choice:
    """What is given, then what `pytl.tune` found, then defaults; and what the arguments ask of the code."""
    launches = bound.specialization.launches
    return completed(bound, launches.options(bound.backend, call.options, bound.queue))


def completed(bound: BoundArguments, options: Mapping[str, Any]) -> Choice:
    """Complete options with those by which code divides a launch, or reads before it writes."""
    signature, of_arguments = bound.specialization.signature, dict[str, Any]()
    assert bound.groups is not None, "the arguments were checked"
    if bound.groups > bound.backend.max_groups(signature.function):
        of_arguments[IN_PARTS] = True
    if aliasing.overlap(signature.matrices, bound.arguments):
        of_arguments[OVERLAPPING] = True
    # what is found here of arrays is looked at again by plans
    apart = {APART: True} if aliasing.are_apart(signature.products, bound.arguments) else {}
    return Choice({**options, **of_arguments, **apart}, not of_arguments)
