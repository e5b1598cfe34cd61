"""Each operation of the document's texts, written as the instructions that it is."""

from __future__ import annotations

from . import blocks, control, scattered, surroundings, synchronization, tiles
from .writer import Handler

HANDLERS: dict[str, Handler] = {
    **tiles.HANDLERS,
    **blocks.HANDLERS,
    **scattered.HANDLERS,
    **synchronization.HANDLERS,
    **surroundings.HANDLERS,
    **control.HANDLERS,
}
