"""launch-in-parts: several launches for more work-groups than a device takes at once."""

from __future__ import annotations

from ..ir.values import Function
from ..ops.launch_defaults import IN_PARTS
from ..process.records import dataclass
from .manager import Pass, register


@register
@dataclass(frozen=True)
class LaunchInParts(Pass):
    """Marks a function for launches of more work-groups than a device takes at once.

    It is launched several times then; each launch passes its first work-group and the total number of work-groups.
    """

    name = "launch-in-parts"

    def run(self, function: Function) -> None:
        function.attributes[IN_PARTS] = True
