"""Launches that pass what the last one passed: one call of native code compares the arguments, and launches.

An array is the same where its elements' address, data type, shape and strides are, and whether it may be written; any
other argument has to be the same object. Python's lock (the GIL) is held meanwhile, so that only short launches are for
this.
"""

from __future__ import annotations

import ctypes
import sys
from collections.abc import Sequence
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np

from ...diagnostics import PlatformError
from ...ir.values import Function
from .artefacts import own_library
from .host import load
from .team import Team

SOURCE = Path(__file__).with_name("again.mlir")
LAUNCHES = 256
"""After so many, a launch goes its usual way, which finds out anew how many threads it is worth."""
_HEADER = 16
"""Bytes of an object in front of its own fields, by which native code finds these."""
_FLAGS = 0x500
"""Of an array's flags, those that are compared: whether it is aligned, and whether it may be written."""
_UNCHANGING = (bool, int, float, complex, type(None), np.generic)
_WORD = 1 << 64

_entry: Any = None
"""The native code; False where objects are not as it expects."""


class LaunchAgain:
    """A launch's arguments, and native code that launches again if they are passed."""

    def __init__(
        self, built: Any, native: Any, team: Team | None, words: Sequence[int], arguments: tuple[Any, ...], kept: Any
    ) -> None:
        self._built, self._native, self._team, self._workers = built, native, team, words[-1]
        self._words = np.array([*words, *words_of(arguments)], np.uint64)
        self._known = ctypes.c_void_p(self._words.ctypes.data)
        # what must not be freed, lest something else gets its address
        self._kept = (kept, [each.dtype if isinstance(each, np.ndarray) else each for each in arguments])
        self._left = LAUNCHES

    def __call__(self, arguments: tuple[Any, ...]) -> bool:
        """Launch, if these are the arguments. Returns whether it did."""
        left, team = self._left, self._team
        if not left:
            return False
        if team is None:
            if not self._native(arguments, self._known):
                return False
        elif team.is_awake(self._workers) and team.free.acquire(False):
            try:
                if not self._native(arguments, self._known):
                    return False
                team.ended = perf_counter()
            finally:
                team.free.release()
        else:
            return False
        self._left = left - 1
        self._built.launches += 1
        return True


def launch_again(
    built: Any, groups: int, address: ctypes.c_void_p, threads: int | None, arguments: Any, kept: Any
) -> LaunchAgain | None:
    """What launches built code again for the same arguments, with the descriptors at an address, which `kept` keeps
    alive. None where a launch takes long, or there is an argument that can't be compared.
    """
    are_known = all(type(each) is np.ndarray or isinstance(each, _UNCHANGING) for each in arguments)
    if type(arguments) is not tuple or not are_known:
        return None
    team, words = built.code.short(groups, address, threads)
    native = _native(built.code.function) if words else None
    return LaunchAgain(built, native, team, words, arguments, kept) if native else None


def words_of(arguments: tuple[Any, ...]) -> list[int]:
    """The words by which native code knows arguments."""
    return [tuple.__basicsize__, len(arguments), *(word for each in arguments for word in _words_of(each))]


def _words_of(argument: Any) -> Sequence[int]:
    if not isinstance(argument, np.ndarray):
        return 0, id(argument)
    modes = [number % _WORD for mode in zip(argument.shape, argument.strides) for number in mode]
    own = (argument.ctypes.data, id(argument.dtype), argument.flags.num & _FLAGS, argument.ndim)
    return id(np.ndarray), *own, *modes


def _native(function: Function) -> Any:
    """The native code; None where objects are not as it expects, or it can't be made: launches need it not."""
    global _entry
    if _entry is None:
        try:
            _entry = _has_known_objects() and _tried(function)
        except PlatformError:
            _entry = False
    return _entry or None


def _has_known_objects() -> bool:
    """Whether objects begin with a count and their type, and tuples have their items in themselves."""
    is_known = sys.implementation.name == "cpython" and sys.byteorder == "little" and sys.maxsize == _WORD // 2 - 1
    if not is_known or object.__basicsize__ != _HEADER:
        return False
    item = object()
    items = (item,)
    return ctypes.c_uint64.from_address(id(items) + tuple.__basicsize__).value == id(item)


def _tried(function: Function) -> Any:
    """The native code, if it tells arrays apart by all that it compares."""
    content = own_library("again", SOURCE.read_text(encoding="utf-8"), function)
    entry = load(content, function, "the library that launches again", ctypes.PyDLL)["pytl_again"]
    entry.argtypes, entry.restype = (ctypes.py_object, ctypes.c_void_p), ctypes.c_int64
    array = np.zeros((2, 3, 4), np.int32)
    read_only = array[...]
    read_only.flags.writeable = False
    others = (
        array.copy(),
        array.view(np.float32),
        array[:, :2],
        array.reshape(3, 2, 4),
        array.reshape(6, 4),
        read_only,
    )
    alike = array.reshape(array.shape, order="C")
    nothing = ctypes.CFUNCTYPE(None, *[ctypes.c_int64] * 4)(lambda *_: None)
    code = ctypes.cast(nothing, ctypes.c_void_p).value
    number = 2.5
    words = np.array([code or 0, *[0] * 7, *words_of((array[...], number))], np.uint64)
    known = ctypes.c_void_p(words.ctypes.data)
    finds = entry((alike, number), known) and not any(entry((other, number), known) for other in others)
    return entry if finds and not entry((alike, array), known) and not entry((alike,), known) else False
