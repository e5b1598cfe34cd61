"""Where a work-item is in its work-group."""

from __future__ import annotations

from dataclasses import dataclass

from ..mlir.builder import Builder


@dataclass(frozen=True)
class WorkItem:
    """Writes the numbers of a work-item, once in a function, in work-groups of `items` and sub-groups of `lanes`."""

    to: Builder
    items: int
    lanes: int

    def number(self) -> str:
        """Its number in the work-group."""
        return self.to.once("gpu.thread_id x", "item")

    def lane(self) -> str:
        """Its number in the sub-group."""
        return self.to.once("gpu.lane_id", "lane")

    def subgroup(self) -> str:
        """The number of its sub-group."""
        return self.to.once("gpu.subgroup_id : index", "subgroup")
