"""The fifth step of a launch: the options that decide its code."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from ..backends.base import Argument, MemrefArgument
from ..backends.machines import chosen_machine
from ..devices.processors import running_processor
from ..ops.launch_defaults import APART, BEGINS_AT, IN_PARTS, OVERLAPPING, PAST_CACHES
from ..passes.targets.cache_lines import PIECE
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
    if bound.groups > bound.backend.max_groups(signature.function, options):
        of_arguments[IN_PARTS] = True
    if aliasing.overlap(signature.matrices, bound.arguments):
        of_arguments[OVERLAPPING] = True
    # what is found here of arrays is looked at again by plans
    apart = {APART: True} if aliasing.are_apart(signature.products, bound.arguments) else {}
    return Choice({**options, **of_arguments, **apart, **_past_caches(bound, options)}, not of_arguments)


def _past_caches(bound: BoundArguments, options: Mapping[str, Any]) -> dict[str, Any]:
    """What is only written is stored past the caches, where arrays are so large that no cache has it when it is read.

    Code asks itself where arrays begin; here, only whether it is worth the time to compile it.
    """
    signature, processor = bound.specialization.signature, running_processor()
    last, line = (processor.caches.get(name, 0) for name in ("third_level", "line"))
    if not (last and line and signature.only_written and chosen_machine(options).stores_past_caches):
        return {}
    written = (bound.arguments[position] for position in signature.only_written)
    large = [each for each in written if isinstance(each, MemrefArgument) and _bytes(each) > last // 2]
    if not large or sum(map(_bytes, bound.arguments)) <= 2 * last:
        return {}
    multiple = math.gcd(*(each.view.address for each in large))
    if multiple % line == 0:
        return {PAST_CACHES: last}
    # NumPy's large arrays begin so
    return {PAST_CACHES: last, BEGINS_AT: PIECE} if multiple % PIECE == 0 else {}


def _bytes(argument: Argument) -> int:
    return aliasing.bytes_of(argument) or 0
