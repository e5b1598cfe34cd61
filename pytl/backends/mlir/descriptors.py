"""The arguments of a launch as MLIR passes memrefs: descriptors of addresses, sizes and strides, in one table.

    {T *allocated, T *aligned, int64 offset, int64 sizes[rank], int64 strides[rank]}
The modes are in MLIR's order, the reverse of the language's, and complex elements have a last mode of size two. A
scalar is a memref without modes. A group is a memref of addresses, or of descriptors where its type leaves sizes or
strides of its items open. All words of a launch are one array, which may be moved: the table knows which words are
addresses, and which of these point into the table itself.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ...ir.types import BoolType, GroupType, MemrefType, ScalarType
from ...ir.values import Value
from ...process.records import dataclass
from ..base import Argument, ArrayView, GroupArgument, MemrefArgument

Addresses = Callable[[Sequence[ArrayView]], np.ndarray]
"""The address of the first element of each view."""

_NUMBERS = {"i8": "i1", "i16": "i2", "i32": "i4", "i64": "i8", "index": "i8", "f16": "f2", "f32": "f4", "f64": "f8"}
_SCALAR_WORDS = 2
"""Words that the widest scalar takes."""


@dataclass(frozen=True)
class Items:
    """Where the addresses or descriptors of a group's items lie: the first word, how many there are, words of each."""

    begin: int
    count: int
    words: int

    def addresses(self, table: np.ndarray) -> np.ndarray:
        """The words of a table that have addresses, a row for each item: of a descriptor two have the same."""
        rows = table[self.begin : self.begin + self.count * self.words].reshape(self.count, self.words)
        return rows[:, : min(self.words, 2)]


class Table:
    """The words of a launch. They begin with the address of each parameter's descriptor.

    In `words`, an address in the table itself is its distance from the beginning in bytes; `own` lists the places of
    these addresses, `foreign` those of all other addresses.
    """

    def __init__(self, parameters: Sequence[Value], arguments: Sequence[Argument], addresses: Addresses) -> None:
        self._parts: list[np.ndarray] = []
        self._size = len(parameters)
        self._own: list[np.ndarray] = [np.arange(len(parameters))]
        self._foreign: list[np.ndarray] = []
        self.items: list[Items] = []
        """Of each group."""
        self._addresses = addresses
        self.places: list[int] = []
        """For each parameter the place of what changes with it: of a memref's address, or of a number's first word."""
        positions = [self._place(parameter, argument) for parameter, argument in zip(parameters, arguments)]
        self.words = np.concatenate([np.array(positions, np.int64), *self._parts])
        self.own = np.concatenate(self._own)

    @property
    def foreign(self) -> np.ndarray:
        places = np.arange(len(self.words))
        of_items = [items.addresses(places).ravel() for items in self.items]
        return np.concatenate([*self._foreign, *of_items, np.zeros(0, np.int64)]).astype(np.int64)

    def moved_to(self, address: int) -> None:
        """Turn distances into addresses, for a table that begins there."""
        self.words[self.own] += address

    # Each method returns where its descriptor begins, in bytes.

    def _place(self, parameter: Value, argument: Argument) -> int:
        if isinstance(argument, MemrefArgument):
            first = int(self._addresses([argument.view])[0])
            parts = 2 if _is_complex(parameter.type.element) else 1
            return self._memref(first, argument.shape, argument.strides, parts)
        if isinstance(argument, GroupArgument):
            assert isinstance(parameter.type, GroupType)
            return self._group(parameter.type.memref, argument)
        return self._scalar(parameter.type, argument)

    def _memref(self, first: int, shape: Sequence[int], strides: Sequence[int], parts: int) -> int:
        row = [first, first, 0, *_modes(shape, strides, parts)]
        begin = self._add(np.array(row, np.int64))
        self.places.append(begin)
        self._foreign.append(np.array([begin, begin + 1]))
        return begin * 8

    def _group(self, type_: MemrefType, group: GroupArgument) -> int:
        firsts = self._addresses(group.views[:1] if group.strided else group.views) + distances(type_, group)
        rows = firsts[:, None] if type_.is_static else _rows(firsts, group, type_)
        # a checked kernel looks at the first item, and uses it only if there is one
        items = self._add(rows.reshape(-1) if group.count else np.zeros(rows.shape[1], np.int64))
        self.items.append(Items(items, group.count, rows.shape[1]))
        begin = self._add(np.array([items * 8, items * 8, 0, group.count, 1], np.int64))
        self.places.append(items)
        self._own.append(np.array([begin, begin + 1]))
        return begin * 8

    def _scalar(self, type_: Any, value: Any) -> int:
        memory = np.zeros(_SCALAR_WORDS, np.int64)
        written = bytes_of(type_, value)
        memory.view(np.uint8)[: len(written)] = np.frombuffer(written, np.uint8)
        place = self._add(memory)
        self.places.append(place)
        position = place * 8
        modes = (2, 1) if _is_complex(type_) else ()
        begin = self._add(np.array([position, position, 0, *modes], np.int64))
        self._own.append(np.array([begin, begin + 1]))
        return begin * 8

    def _add(self, words: np.ndarray) -> int:
        """Append words; returns the place of the first."""
        begin = self._size
        self._parts.append(words)
        self._size += len(words)
        return begin


def distances(type_: MemrefType, group: GroupArgument) -> np.ndarray:
    """How far the address that is written for each item is from that of the view that has it.

    A descriptor has the group's offset in a word of its own.
    """
    offset = group.offset * type_.element.size if type_.is_static else 0
    steps = group.step * np.arange(group.count, dtype=np.int64) if group.strided else np.zeros(group.count, np.int64)
    return steps + offset


def _rows(firsts: np.ndarray, group: GroupArgument, type_: MemrefType) -> np.ndarray:
    """The descriptors of items at some addresses."""
    parts, order = 2 if _is_complex(type_.element) else 1, type_.order
    modes: Any
    if len(group.shapes) == 1 == len(group.strides):
        modes = _modes(group.shapes[0], group.strides[0], parts)
    else:
        shapes = np.array([group.shape_of(item) for item in range(group.count)], np.int64)
        strides = np.array([group.strides_of(item) for item in range(group.count)], np.int64)
        modes = _mode_columns(shapes.reshape(group.count, order), strides.reshape(group.count, order), parts)
    rows = np.empty((group.count, 3 + np.shape(modes)[-1]), np.int64)
    rows[:, 0] = rows[:, 1] = firsts
    rows[:, 2] = group.offset * parts
    rows[:, 3:] = modes
    return rows


def _is_complex(type_: Any) -> bool:
    return isinstance(type_, ScalarType) and type_.is_complex


def _modes(shape: Sequence[int], strides: Sequence[int], parts: int) -> list[int]:
    """Sizes and strides in MLIR's order and units."""
    last = [parts] if parts == 2 else []
    return [*reversed(shape), *last, *(stride * parts for stride in reversed(strides)), *(1 for _ in last)]


def _mode_columns(shapes: np.ndarray, strides: np.ndarray, parts: int) -> np.ndarray:
    """The same for many memrefs, one row each."""
    last = [np.full((len(shapes), 1), parts)] if parts == 2 else []
    ones = [np.ones((len(shapes), 1), np.int64) for _ in last]
    return np.concatenate([shapes[:, ::-1], *last, strides[:, ::-1] * parts, *ones], axis=1)


def bytes_of(type_: Any, value: Any) -> bytes:
    """The bytes of a number in memory."""
    if isinstance(type_, BoolType):
        return bytes([bool(value)])
    if type_.name == "bf16":
        import ml_dtypes

        return np.array(value, ml_dtypes.bfloat16).tobytes()
    if type_.is_complex:
        return np.array(value, np.complex64 if type_.size == 8 else np.complex128).tobytes()
    return np.array(value, _NUMBERS[type_.name]).tobytes()
