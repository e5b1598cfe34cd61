"""The oracle's race detector where barriers alone order accesses, as they do in the code that devices get.

In the language, the work-group has done an instruction before it begins the next one, because `insert-barrier` puts
barriers in between where it must. Behind this pass the barriers themselves are looked at: a missing one is a race.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any
from unittest.mock import patch

import numpy as np

from pytl.backends.reference.shadow import Clock, History
from pytl.ir.operation import Operation
from pytl.ir.values import Function
from pytl.passes.targets.strategies import STRATEGY


class OrderedByBarriers(History):
    """A history in which no region of work-items begins after what is before it, but for a barrier between.

    Agent 0 is the work-group, and the others have the numbers behind theirs.
    """

    def begin_region(self, items: int, subgroups: int, name: Callable[[int], str]) -> None:
        self.items, self.agents, self.name = items, items + subgroups + 1, name
        for clock in self.clocks.values():
            clock.agents = max(clock.agents, self.agents)

    def stamps(self, clock: Clock, agents: np.ndarray, op: Operation) -> np.ndarray:
        return super().stamps(clock, agents + 1, op)

    def stamp_of_all(self, clock: Clock, op: Operation) -> int:
        return int(super().stamps(clock, np.zeros(1, np.int64), op)[0])

    def agent(self, clock: Clock, stamp: int) -> str:
        if stamp - clock.epoch < self.unit:
            return "the work-group"
        return super().agent(clock, stamp - self.unit)


@contextmanager
def barriers_alone_order() -> Iterator[None]:
    """Functions that the passes for many work-items have written are executed so; others as ever."""

    def history(function: Function, groups: int) -> Any:
        is_lowered = function.attributes.get(STRATEGY) == "many-items"
        return (OrderedByBarriers if is_lowered else History)(function, groups)

    with patch("pytl.backends.reference.interpreter.History", history):
        yield
