"""Each operation of the document's texts, written as the instructions that it is."""

from __future__ import annotations

from . import blocks, control, core_dialects, scattered, synchronization, tiles
from .writer import Handler

HANDLERS: dict[str, Handler] = {
    **tiles.HANDLERS,
    **blocks.HANDLERS,
    **scattered.HANDLERS,
    **synchronization.HANDLERS,
    **core_dialects.HANDLERS,
    **control.HANDLERS,
}
