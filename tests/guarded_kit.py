"""Memory between pages that must not be touched: an access to these ends the process."""

from __future__ import annotations

import ctypes
import mmap

import numpy as np

NO_ACCESS = 0
"""PROT_NONE of mprotect."""


def guarded_page() -> np.ndarray:
    """A page of memory between two that must not be touched."""
    size = mmap.PAGESIZE
    memory = mmap.mmap(-1, 3 * size)
    begin = ctypes.addressof(ctypes.c_char.from_buffer(memory))
    library = ctypes.CDLL(None)
    for page in (begin, begin + 2 * size):
        assert library.mprotect(ctypes.c_void_p(page), ctypes.c_size_t(size), NO_ACCESS) == 0
    return np.frombuffer(memory, np.uint8)[size : 2 * size]


def at_both_ends(array: np.ndarray) -> list[np.ndarray]:
    """Copies of an array of which one begins where memory does, and one ends where it ends."""
    copies = []
    for part in (slice(array.nbytes), slice(-array.nbytes, None)):
        copy = guarded_page()[part].view(array.dtype)
        copy[:] = array
        copies.append(copy)
    return copies
