"""Libraries that need each other, loaded into a scope of their own.

The libraries of MKL use each other's functions and do not name each other. So either each of them is loaded for the
whole process, or one library that names all is loaded. The first is wrong beside a library that brings an MKL of its
own, as torch does: the loader gives that library the functions that were there first, which are of another release and
take integers of 64 bits. For the second a library is made that contains nothing but names.
"""

from __future__ import annotations

import os
import struct
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

HEADER = struct.Struct("<4s5B7x2HI3QI6H")
SEGMENT = struct.Struct("<2I6Q")
ENTRY = struct.Struct("<2Q")
SYMBOL_SIZE = 24
SHARED_OBJECT, X86_64 = 3, 62
LOADED, DYNAMIC = 1, 2
READABLE, WRITABLE = 4, 2
END, NEEDED, STRINGS, SYMBOLS, STRINGS_SIZE, SYMBOL_ENTRY = 0, 1, 5, 6, 10, 11


def naming(paths: Iterable[Path]) -> bytes:
    """A shared library for Linux on x86-64 that needs others, by their paths, and contains nothing else."""
    strings = bytearray(b"\0")
    entries = []
    for path in paths:
        entries.append((NEEDED, len(strings)))
        strings += os.fsencode(path) + b"\0"
    begin = HEADER.size + 2 * SEGMENT.size
    symbols = begin + (len(entries) + 5) * ENTRY.size
    text = symbols + SYMBOL_SIZE  # the table of symbols has the empty one that each table begins with
    entries += [
        *((STRINGS, text), (SYMBOLS, symbols), (STRINGS_SIZE, len(strings)), (SYMBOL_ENTRY, SYMBOL_SIZE)),
        (END, 0),
    ]
    whole = text + len(strings)
    table = b"".join(ENTRY.pack(*entry) for entry in entries)
    header = HEADER.pack(
        *(b"\x7fELF", 2, 1, 1, 0, 0),  # of 64 bits, little-endian
        *(SHARED_OBJECT, X86_64, 1, 0, HEADER.size, 0, 0, HEADER.size, SEGMENT.size, 2, 0, 0, 0),
    )
    access = READABLE | WRITABLE
    segments = SEGMENT.pack(LOADED, access, 0, 0, 0, whole, whole, 4096)
    segments += SEGMENT.pack(DYNAMIC, access, begin, begin, begin, len(table), len(table), 8)
    return header + segments + table + bytes(SYMBOL_SIZE) + bytes(strings)


@contextmanager
def group_of(paths: Iterable[Path]) -> Iterator[Path]:
    """The path of a library that needs all of `paths`, while it is loaded; OSError where none can be made."""
    descriptor = os.memfd_create("pytl-libraries", os.MFD_CLOEXEC)
    try:
        content = naming(paths)
        if os.write(descriptor, content) != len(content):
            raise OSError("a file in memory was not written whole")
        yield Path(f"/proc/self/fd/{descriptor}")
    finally:
        os.close(descriptor)
