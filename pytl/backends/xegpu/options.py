"""The options of the text, as the emitter reads them."""

from __future__ import annotations

from ...process.records import dataclass


@dataclass(frozen=True)
class Options:
    """How things are said that the dialect has several ways for.

    With `lowerable`, the text has only what MLIR's pipeline to LLVM takes.
    """

    blocks: str = "auto"
    barriers: str = "group"
    offsets: str = "access"
    lowerable: bool = False

    @property
    def named_barriers(self) -> bool:
        return self.barriers == "named" and not self.lowerable

    @property
    def moves(self) -> bool:
        """Whether blocks are at the positions of moved descriptors."""
        return self.offsets == "update" and not self.lowerable
