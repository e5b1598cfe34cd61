"""Where a work-item is in its work-group."""

from __future__ import annotations

from ...mlir.text.builder import Builder, Value
from ...process.records import dataclass


@dataclass(frozen=True)
class WorkItem:
    """Writes the numbers of a work-item, once in a function, in work-groups of `items` and sub-groups of `lanes`."""

    to: Builder
    items: int
    lanes: int

    def number(self) -> Value:
        """Its number in the work-group."""
        return self.to.once("gpu.thread_id", hint="item", dimension="x")

    def lane(self) -> Value:
        """Its number in the sub-group."""
        return self.to.once("gpu.lane_id", hint="lane")

    def subgroup(self) -> Value:
        """The number of its sub-group."""
        return self.to.once("gpu.subgroup_id", hint="subgroup")
