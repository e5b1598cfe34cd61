"""Each operation of the document's texts, read into the instructions that it is."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from . import blocks, control, scattered, surroundings, synchronization, tiles
from .values import Read

READERS: dict[str, Callable[[Any, int], Read]] = {
    **tiles.READERS,
    **blocks.READERS,
    **scattered.READERS,
    **synchronization.READERS,
    **surroundings.READERS,
    **control.READERS,
}
