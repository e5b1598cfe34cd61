"""The checked mode of compiling backends: a report of a test in a kernel becomes the error of the launch."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from .. import passes
from ..diagnostics import Diagnostic, ExecutionError
from ..ir.types import MemrefType, i64
from ..ir.values import Value
from ..ops.preconditions import STATUS_WORDS, iteration_message, loops_around, preconditions_of, read_report, trips_of
from ..passes import Pass
from ..passes.flat_groups import grid_parameters
from ..process.settings import CHECKS
from .base import Argument, ArrayView, Grid, Lowered, MemrefArgument, Option, grid_of

CHECKED = "checks"
"""The option of a launch that turns checks on the device on; complete options contain it only where it is on."""
OPTION = Option(
    None,
    lambda value: value is None or type(value) is bool or value == "device",
    "True or 'device' for tests in the kernel, False for none; None is what PYTL_CHECKS says",
)


def parameters_of(lowered: Lowered) -> Sequence[Value]:
    """The parameters of a lowered function; a checked function has one more than the original."""
    if not lowered.options.get(CHECKED):
        return lowered.original.parameters
    return [*lowered.original.parameters, Value(MemrefType(i64, (STATUS_WORDS,)), "status")]


def checking_passes(options: Mapping[str, Any]) -> list[Pass]:
    """The passes that come before all others; they count the instructions that the user wrote."""
    return [passes.InsertChecks()] if options.get(CHECKED) else []


def complete(options: dict[str, Any]) -> dict[str, Any]:
    """Complete options of a backend that compiles."""
    given = options.pop(CHECKED)
    if CHECKS.get() == "device" if given is None else given:
        options[CHECKED] = True
    return options


class Status:
    """The memory for a checked kernel's report, for one launch; none for a kernel without checks."""

    def __init__(self, lowered: Lowered, arguments: Sequence[Argument], groups: int) -> None:
        self._lowered = lowered
        self._grid = grid_of(groups)
        if grid_parameters(lowered.original):
            along_x, along_y = arguments[-2:]
            assert isinstance(along_x, int) and isinstance(along_y, int)
            self._grid = Grid(along_x, along_y, groups // max(along_x * along_y, 1))
        self._words: Any = None
        self.arguments: list[Argument] = []
        if lowered.options.get(CHECKED):
            import numpy as np

            self._words = np.zeros(STATUS_WORDS, np.int64)
            view = ArrayView(self._words, self._words.ctypes.data, (STATUS_WORDS,), (1,), 8)
            self.arguments = [MemrefArgument(view, (STATUS_WORDS,), (1,), True)]

    def raise_failure(self) -> None:
        """Raise the error of the report, if there is one: the same error as the reference backend's."""
        found = None if self._words is None else read_report(self._words.tolist())
        if found is None:
            return
        function = self._lowered.original
        op = list(function.walk())[found.operation]
        broken = preconditions_of(op)[found.precondition]
        message = broken.message(*found.numbers[: len(broken.numbers)])
        where, trips = [self._grid.name(found.group)], list(found.trips)
        for loop in loops_around(function)[op]:
            count = trips_of(loop)
            where.append(iteration_message(loop, trips[:count]))
            del trips[:count]
        text = f"{op.display_name}: {message} ({', '.join(where)})"
        raise ExecutionError([Diagnostic(broken.rule, text, op.location, broken.help, broken.labels)])
