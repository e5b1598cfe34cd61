"""The vector registers of this machine's processor."""

from __future__ import annotations

import re
from functools import cache

_WIDTHS = {"avx512f": 64, "avx2": 32}
"""Bytes of a vector register, by the feature that has them; every 64-bit processor has registers of `LEAST` bytes."""
LEAST = 16


@cache
def register_bytes(cpuinfo: str = "/proc/cpuinfo") -> int:
    """Bytes of a vector register."""
    try:
        with open(cpuinfo, encoding="utf-8", errors="replace") as file:
            flags = re.search(r"^flags\s*:(.*)$", file.read(), re.M)
    except OSError:
        flags = None
    features = set(flags[1].split()) if flags else set()
    return next((width for feature, width in _WIDTHS.items() if feature in features), LEAST)
