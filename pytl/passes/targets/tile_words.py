"""Register tiles in the words of options: `2x8u4` is two vectors, eight columns, and four steps of the sum."""

from __future__ import annotations

import re


def tile_of(text: str) -> tuple[int, int, int] | None:
    """Vectors, columns and steps that a text such as `2x8u4` names; None where it names none."""
    match = re.fullmatch(r"([1-9]\d?)x([1-9]\d?)(?:u([1-9]\d?))?", text)
    return (int(match[1]), int(match[2]), int(match[3] or 1)) if match else None


def is_tiling(text: object) -> bool:
    """Whether a text names tiles, or leaves them to the model, joined by `+`."""
    return isinstance(text, str) and all(word == "auto" or tile_of(word) is not None for word in text.split("+"))
